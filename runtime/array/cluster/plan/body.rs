//! The body of a kernel: what a wanted node is at a point, written as a scalar function of what the kernel reads.

use super::window::{Inside, Window, Windowed};
use super::{Axes, Gathered, Given, Index, Planner, seen_axes, unread};
use crate::array::cluster::nodes::{Arg, Def, NodeId, Nodes, apply};
use crate::codegen::scalars::Writer;
use crate::diag::{Error, Result};
use crate::ir::eval::{to_bits, zero};
use crate::ir::{Const, Inst, Op, Prim, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The body of a kernel in the making.
pub struct Body<'a, 'p> {
    planner: &'p Planner<'a>,
    group: usize,
    pub writer: Writer<'a>,
    pub inputs: Vec<Given>,
    /// By slot, axes and window, and by the index, if there is one.
    arrays: FxHashMap<(usize, Axes, Window, Option<Value>), Value>,
    scalars: FxHashMap<Value, Value>,
    hidden: FxHashMap<(u64, Type), Value>,
    /// Whether a point is in a window, by the type of number that tells.
    inside: FxHashMap<(Window, Type), Value>,
    made: FxHashMap<(NodeId, Axes, Window), SmallVec<[Value; 2]>>,
}

impl<'a, 'p> Body<'a, 'p> {
    /// The empty body of a group.
    pub fn new(planner: &'p Planner<'a>, group: usize) -> Body<'a, 'p> {
        let registry = &planner.cluster.registry;
        Body {
            planner,
            group,
            writer: Writer::new("kernel", registry, planner.device.is_gpu()),
            inputs: Vec::new(),
            arrays: FxHashMap::default(),
            scalars: FxHashMap::default(),
            hidden: FxHashMap::default(),
            inside: FxHashMap::default(),
            made: FxHashMap::default(),
        }
    }

    /// The element of a node at a point. Outside the window it may be any number (`is_zero_outside`).
    pub fn node(
        &mut self,
        node: NodeId,
        axes: &Axes,
        window: &Window,
        root: bool,
    ) -> Result<Value> {
        let planner = self.planner;
        let row = &planner.nodes.all[node];
        if let Some(&(slot, ready)) = planner.slots.get(&node)
            && !root
            && planner.is_read(node, ready, Some(self.group))
        {
            return Ok(self.array(slot, axes, window, row.ty));
        }
        let output = match &row.def {
            Def::Map { output, .. } => *output,
            _ => 0,
        };
        let first = first_output(planner.nodes, node);
        let key = (first, axes.clone(), window.clone());
        if let Some(made) = self.made.get(&key) {
            return Ok(made[output]);
        }
        let made: SmallVec<[Value; 2]> = match &row.def {
            Def::Given | Def::Positions | Def::Scattered { .. } => return Err(unread()),
            Def::Gathered {
                of,
                index,
                inst,
                axis,
            } => {
                let made = self.gathered(*of, *index, (*inst, *axis), axes)?;
                SmallVec::from_elem(made, 1)
            }
            Def::Parts { .. } => SmallVec::from_elem(self.parts(node, axes, window)?, 1),
            Def::Fill(with) => SmallVec::from_elem(self.arg(node, with, axes, window)?, 1),
            Def::View { arg, axes: from } => {
                let own = seen_axes(planner.nodes.all[*arg].shape.len(), from, axes);
                SmallVec::from_elem(self.node(*arg, &own, window, false)?, 1)
            }
            Def::Map { function, args, .. } => {
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.arg(node, arg, axes, window)?);
                }
                apply(&mut self.writer, function, &values)
            }
            Def::Reduce {
                combine,
                arg,
                axis: Some(axis),
            } => {
                let group = &planner.groups[self.group];
                let mut own = axes.clone();
                own.insert(*axis, group.reduced);
                let value = self.node(*arg, &own, window, false)?;
                let call = Op::Call(combine.callee());
                SmallVec::from_elem(self.writer.emit(call, &[value], row.ty), 1)
            }
            Def::Reduce { axis: None, .. } => {
                return Err(Error::Internal("a total within a kernel".into()));
            }
        };
        let value = made[output];
        self.made.insert(key, made);
        // Where the kernel has computed both for the logarithm, the quotient is its exponential.
        if let Some(&(numerator, denominator, axis)) = planner.nodes.quotients.get(&node) {
            let mut rows = axes.clone();
            rows.remove(axis);
            let both = [
                (numerator, axes.clone(), window.clone()),
                (denominator, rows, window.clone()),
            ];
            if let [Some(numerator), Some(denominator)] = both.map(|key| self.made.get(&key)) {
                let quotient = (numerator[0], denominator[0]);
                self.writer.quotients.insert(value, quotient);
            }
        }
        Ok(value)
    }

    /// The element of a node whose parts stand beside each other along an axis. At most one of them is not 0 at a point.
    fn parts(&mut self, node: NodeId, axes: &Axes, window: &Window) -> Result<Value> {
        let row = &self.planner.nodes.all[node];
        let Def::Parts { axis, parts } = &row.def else {
            return Err(unread());
        };
        let (along, ty) = (axes[*axis].ok_or_else(unread)?, row.ty);
        let bits = match ty {
            Type::F32 => Type::U32,
            Type::F64 => Type::U64,
            ty => ty,
        };
        let mut all: Option<Value> = None;
        for part in parts {
            let Some(own) = window.of_part(part, along) else {
                continue;
            };
            let mut value = self.node(part.of, axes, &own, false)?;
            if !row.is_slice() && !self.is_zero_outside(part.of) {
                let args = [self.inside(&own, ty), value, self.constant(zero(ty), ty)];
                value = self.writer.emit(Op::Prim(Prim::Select), &args, ty);
            }
            all = Some(match all {
                None => value,
                // Not a sum: of 0 and -0 that would be 0.
                Some(before) => {
                    let both = [before, value].map(|value| self.cast_bits(value, bits));
                    let both = self.writer.emit(Op::Prim(Prim::Or), &both, bits);
                    self.cast_bits(both, ty)
                }
            });
        }
        Ok(match all {
            Some(value) => value,
            None => self.constant(zero(ty), ty),
        })
    }

    fn cast_bits(&mut self, value: Value, ty: Type) -> Value {
        match self.writer.builder.function.ty(value) == ty {
            true => value,
            false => self.writer.emit(Op::Prim(Prim::Bitcast), &[value], ty),
        }
    }

    /// Whether the element of a node is 0 outside a window.
    fn is_zero_outside(&self, node: NodeId) -> bool {
        let planner = self.planner;
        let in_memory = planner.slots.get(&node);
        let is_read = |&(_, ready)| planner.is_read(node, ready, Some(self.group));
        match &planner.nodes.all[node].def {
            _ if in_memory.is_some_and(is_read) => true,
            Def::Parts { parts, .. } if planner.nodes.all[node].is_slice() => {
                self.is_zero_outside(parts[0].of)
            }
            Def::Parts { .. } => true,
            Def::View { arg, .. } => self.is_zero_outside(*arg),
            _ => false,
        }
    }

    /// Whether a point is in a window, by a number of this type.
    fn inside(&mut self, window: &Window, ty: Type) -> Value {
        let key = (window.clone(), ty);
        if let Some(&known) = self.inside.get(&key) {
            return known;
        }
        let one = match ty.is_float() {
            true => Const::Float(1.0),
            false => Const::Int(1),
        };
        let mask = self.parameter(ty);
        self.inputs.push(Given::Inside(Box::new(Inside {
            one: to_bits(one, ty).unwrap_or(1),
            window: window.clone(),
        })));
        let args = [mask, self.constant(zero(ty), ty)];
        let inside = self.writer.emit(Op::Prim(Prim::Ne), &args, Type::Bool);
        self.inside.insert(key, inside);
        inside
    }

    fn arg(&mut self, node: NodeId, arg: &Arg, axes: &Axes, window: &Window) -> Result<Value> {
        match *arg {
            Arg::Node(arg) => {
                let own = self.planner.argument_axes(node, arg, axes);
                let window = window.along(&own);
                self.node(arg, &own, &window, false)
            }
            Arg::Const(c, ty) => Ok(self.constant(c, ty)),
            Arg::Number(value) => {
                if let Some(&known) = self.scalars.get(&value) {
                    return Ok(known);
                }
                let ty = self.planner.cluster.function.ty(value);
                let made = self.parameter(ty);
                self.inputs.push(Given::Number(value));
                self.scalars.insert(value, made);
                Ok(made)
            }
        }
    }

    fn constant(&mut self, c: Const, ty: Type) -> Value {
        let is_special = matches!(c, Const::Float(x) if x == 0.0 || !x.is_finite());
        match to_bits(c, ty).filter(|_| is_special && self.planner.device.is_gpu()) {
            Some(bits) => self.hidden(bits, ty),
            None => self.writer.emit(Op::Const(c), &[], ty),
        }
    }

    /// A constant that the device's compiler does not see.
    fn hidden(&mut self, bits: u64, ty: Type) -> Value {
        if let Some(&known) = self.hidden.get(&(bits, ty)) {
            return known;
        }
        let made = self.parameter(ty);
        self.inputs.push(Given::Hidden(bits));
        self.hidden.insert((bits, ty), made);
        made
    }

    fn parameter(&mut self, ty: Type) -> Value {
        let entry = self.writer.builder.function.entry();
        self.writer.builder.function.add_param(entry, ty)
    }

    pub fn array(&mut self, slot: usize, axes: &Axes, window: &Window, ty: Type) -> Value {
        let key = (slot, axes.clone(), window.clone(), None);
        if let Some(&known) = self.arrays.get(&key) {
            return known;
        }
        let made = self.parameter(ty);
        self.inputs.push(match window.bounds.is_empty() {
            true => Given::Slot(slot, axes.clone()),
            false => Given::Windowed(Box::new(Windowed {
                slot,
                axes: axes.clone(),
                window: window.clone(),
            })),
        });
        self.arrays.insert(key, made);
        made
    }

    /// Which input a value is.
    pub fn number_of(&self, input: Value) -> Result<usize> {
        let params = self.writer.builder.function.params();
        let found = params.iter().position(|&param| param == input);
        found.ok_or_else(unread)
    }

    /// The element of an array that an index chooses, for an operation along an axis. Both are in memory.
    fn gathered(
        &mut self,
        of: NodeId,
        index: NodeId,
        (inst, axis): (Inst, usize),
        axes: &Axes,
    ) -> Result<Value> {
        let planner = self.planner;
        let slot = |node: NodeId| Some(planner.slots.get(&node)?.0);
        let (of_slot, index_slot) = slot(of).zip(slot(index)).ok_or_else(unread)?;
        let everywhere = Window::default();
        let ty = planner.nodes.all[index].ty;
        let place = self.array(index_slot, axes, &everywhere, ty);
        let mut along = axes.clone();
        along[axis] = None;
        let key = (of_slot, along.clone(), everywhere, Some(place));
        if let Some(&known) = self.arrays.get(&key) {
            return Ok(known);
        }
        let gathered = Gathered {
            slot: of_slot,
            axes: along,
            by: self.number_of(place)?,
            index: Index {
                slot: index_slot,
                axis,
                extent: planner.nodes.all[of].shape[axis],
                inst,
            },
        };
        let made = self.parameter(planner.nodes.all[of].ty);
        self.inputs.push(Given::Gathered(Box::new(gathered)));
        self.arrays.insert(key, made);
        Ok(made)
    }
}

/// The outputs of one map are computed together: by the node of the first.
fn first_output(nodes: &Nodes, node: NodeId) -> NodeId {
    match &nodes.all[node].def {
        Def::Map { output, .. } => node - output,
        _ => node,
    }
}

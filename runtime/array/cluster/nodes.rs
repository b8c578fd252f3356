//! What a cluster computes, as a graph of nodes whose shapes are known: maps, reductions, views, and what is given from outside.
//!
//! Operations that are neither are done as they are written; their results are given.
//!
//! A `gather` is read through its index within the kernels that need it. Of a map's result it becomes a map of what is gathered from the map's
//! arguments (`gathered`). A `scatter_add` with one index for each line along an axis becomes a map that compares every position of the line with
//! the index (`compared`). So a cross-entropy and its gradient are one kernel. Every other `scatter_add` is a kernel with a scattered output, which
//! computes for itself what it adds.
//!
//! What puts arrays beside each other, among zeros or in the place of a part, and what takes a part of a computed array, is read in parts within
//! the kernels that need it ([`Def::Parts`]): `concat`, `roll`, `pad`, a slice and its gradient, `with_slice`. Two things are done better otherwise:
//! on the CPU small arrays have plans that know where each element goes, and a small part is added to a large array where it is.
//!
//! Products with a vector are reductions here (`thin_product`), so they become parts of kernels. Other matrix products are computed as they are
//! written. A zero among the constants of a cluster is a parameter of the kernel (`Given::Hidden`), because drivers may assume that no number
//! is NaN.

use super::{Cluster, Values, mapped, shape_of};
use crate::array::backend::Dims;
use crate::array::device::Device;
use crate::array::host::ArrayHost;
use crate::array::small::SMALL;
use crate::codegen::scalars::{Leaves, Writer, is_straight};
use crate::diag::Result;
use crate::exec::ScalarFunction;
use crate::ir::build::Builder;
use crate::ir::eval::{evaluate, from_bits};
use crate::ir::{Const, Function, HostOp, Inst, Module, Op, Prim, Symbol, Type, Value, ValueDef};
use crate::kernel::{self, Combine};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;
use std::sync::Arc;

/// A node, by number.
pub type NodeId = usize;

/// An array that a cluster computes or is given.
pub struct Node {
    pub shape: Dims,
    pub ty: Type,
    pub def: Def,
}

impl Node {
    /// Whether it is a part of another array, and no more.
    pub fn is_slice(&self) -> bool {
        match &self.def {
            Def::Parts { axis, parts } => parts.len() == 1 && parts[0].at == (0..self.shape[*axis]),
            _ => false,
        }
    }
}

/// How an array comes about.
pub enum Def {
    /// It is an argument, or the result of an operation that is done as it is written.
    Given,
    /// A scalar function of arrays that are broadcast to its shape, and of numbers.
    Map {
        function: Arc<Scalar>,
        output: usize,
        args: Vec<Arg>,
    },
    /// All elements along an axis as one, or all there are.
    Reduce {
        combine: Combine,
        arg: NodeId,
        axis: Option<usize>,
    },
    /// The elements of another array in another order of axes: which of its axes each axis is; the others have extent 1.
    View {
        arg: NodeId,
        axes: SmallVec<[Option<usize>; 4]>,
    },
    /// One number everywhere.
    Fill(Arg),
    /// The elements of another array that an array of indices chooses along an axis, in the shape of the latter; both are in memory. An index out of
    /// range is an error of the operation `inst`.
    Gathered {
        of: NodeId,
        index: NodeId,
        inst: Inst,
        axis: usize,
    },
    /// Zeros, to which the elements of another array are added where an array of indices, which is in memory, says along an axis. An index out of range
    /// is an error of the operation `inst`.
    Scattered {
        of: NodeId,
        index: NodeId,
        inst: Inst,
        axis: usize,
    },
    /// Elements of other arrays beside each other along an axis, and zeros where there are none; or a part of an array.
    Parts {
        axis: usize,
        parts: SmallVec<[Part; 3]>,
    },
    /// 0, 1, 2, … along its only axis, in the type of the numbers that are placed: all values of a kernel have one width then. They are exact, as
    /// there are at most [`WIDE`].
    Positions,
}

/// Elements of an array, which stand at some places of another one along an axis.
#[derive(Clone)]
pub struct Part {
    pub of: NodeId,
    /// The first of its places that is there.
    pub from: usize,
    /// Where they are.
    pub at: Range<usize>,
}

/// An argument of a map.
#[derive(Clone, Copy)]
pub enum Arg {
    Node(NodeId),
    /// A number that is known when the cluster is called.
    Number(Value),
    /// A number that shapes decide.
    Const(Const, Type),
}

/// A scalar function in straight line.
pub enum Scalar {
    /// Of a program.
    Own {
        module: Arc<Module>,
        function: Symbol,
    },
    /// A primitive, or a scalar function of a pack.
    Named(Symbol, Type),
}

/// The nodes of a cluster for one signature.
pub struct Nodes {
    pub all: Vec<Node>,
    /// By value of the cluster's function: its array.
    pub of: FxHashMap<Value, NodeId>,
    /// By instruction: the results of a map with several.
    fields: FxHashMap<Value, Vec<NodeId>>,
    /// Numbers that shapes decide.
    pub known: FxHashMap<Value, Const>,
    /// Operations that are done as they are written.
    pub written: Vec<Inst>,
    /// Numbers that are the one element of an array.
    pub read: FxHashMap<Inst, NodeId>,
    /// Sums of an array and a part of it: by the instruction that adds, the one that puts the part among zeros, which is not done itself.
    pub additions: FxHashMap<Inst, Inst>,
    /// The positions along an axis, by its extent.
    positions: FxHashMap<(usize, Type), NodeId>,
    /// Indices in the type of positions: by the array of indices, the axis and the positions along it.
    places: FxHashMap<(NodeId, usize, NodeId), NodeId>,
    /// What `gathered` has given, by the instruction of the `gather` and the node.
    gathered: FxHashMap<(Inst, NodeId), NodeId>,
    /// By the node that `log_softmax` gives: the numerator and the denominator of its exponential, and the axis that the denominator does not have.
    pub quotients: FxHashMap<NodeId, (NodeId, NodeId, usize)>,
    /// Whether the arrays are on the CPU.
    on_cpu: bool,
}

/// A reduction along more elements than this is done as it is written, unless it gives one element: a kernel may keep values of a whole row.
const WIDE: usize = 1 << 18;

/// A matrix product with a vector is a reduction like others if it takes at most so many multiplications. For larger ones the CPU's library is faster, because
/// it shares the work among threads. (GPUs have the same bound; no other was measured.)
const THIN: usize = 1 << 16;

/// A reduction to one element has its columns shared among threads from this length on.
const LONG: usize = 1 << 14;

/// A sum of at most so many elements along one axis is not one of all elements.
const FEW: usize = 1 << 9;

impl Nodes {
    /// The nodes of a cluster on a device, from what rehearsing it has given: `host` has the arrays of the rehearsal.
    pub fn new(
        cluster: &Cluster,
        device: &Device,
        host: &ArrayHost,
        values: &Values,
    ) -> Result<Nodes> {
        let mut nodes = Nodes {
            all: Vec::new(),
            of: FxHashMap::default(),
            fields: FxHashMap::default(),
            known: FxHashMap::default(),
            written: Vec::new(),
            read: FxHashMap::default(),
            additions: FxHashMap::default(),
            positions: FxHashMap::default(),
            places: FxHashMap::default(),
            gathered: FxHashMap::default(),
            quotients: FxHashMap::default(),
            on_cpu: device.is_cpu(),
        };
        if nodes.on_cpu {
            nodes.additions = additions(&cluster.function, values);
        }
        let placed: FxHashSet<Inst> = nodes.additions.values().copied().collect();
        let function = &cluster.function;
        for &param in function.params() {
            let ty = function.ty(param);
            if let Some(shape) = shape_of(host, values.of(param), ty)? {
                nodes.given(param, shape, ty);
            } else if ty.is_scalar() && !ty.is_float() && !cluster.positions.contains(&param) {
                nodes.known.insert(param, from_bits(values.word(param), ty));
            }
        }
        for &inst in &function.blocks[function.entry()].insts {
            let (result, ty) = (
                function.insts[inst].result,
                function.ty(function.insts[inst].result),
            );
            let shape = shape_of(host, values.of(result), ty)?;
            if placed.contains(&inst) {
                // A large part is read in the kernel that adds it.
                if { shape.iter() }.any(|shape| nodes.is_large(function.insts[inst].args[0], shape))
                    && nodes.inst(cluster, inst, shape, values.of(result))
                {
                    nodes.additions.retain(|_, place| *place != inst);
                }
                continue;
            }
            if nodes.additions.contains_key(&inst)
                || !nodes.inst(cluster, inst, shape.clone(), values.of(result))
            {
                nodes.written.push(inst);
                if let Some(shape) = shape {
                    nodes.given(result, shape, ty);
                }
            }
        }
        Ok(nodes)
    }

    fn add(&mut self, shape: Dims, ty: Type, def: Def) -> NodeId {
        self.all.push(Node { shape, ty, def });
        self.all.len() - 1
    }
    fn given(&mut self, value: Value, shape: Dims, ty: Type) {
        let ty = ty.element().unwrap_or(ty);
        let node = self.add(shape, ty, Def::Given);
        self.of.insert(value, node);
    }
    fn view(&mut self, arg: NodeId, shape: Dims, axes: SmallVec<[Option<usize>; 4]>) -> NodeId {
        let ty = self.all[arg].ty;
        self.add(shape, ty, Def::View { arg, axes })
    }
    /// A reduction along an axis, or of all elements. Where there is nothing beside the axis, what is along it decides which of both it is: many
    /// elements are work for many threads, and what is computed with the result of few belongs into the same kernel.
    fn reduce(&mut self, combine: Combine, arg: NodeId, axis: Option<usize>) -> NodeId {
        let ty = self.all[arg].ty;
        let mut shape = self.all[arg].shape.clone();
        let count: usize = shape.iter().product();
        let only = shape.iter().position(|&n| n == count);
        if let (None, Some(only), 2..=FEW) = (axis, only, count) {
            let one = self.reduce(combine, arg, Some(only));
            return self.view(one, Dims::new(), SmallVec::new());
        }
        let Some(axis) = axis else {
            return self.add(
                Dims::new(),
                ty,
                Def::Reduce {
                    combine,
                    arg,
                    axis: None,
                },
            );
        };
        let along = shape.remove(axis);
        if along > LONG && shape.iter().all(|&n| n == 1) {
            let one = self.add(
                Dims::new(),
                ty,
                Def::Reduce {
                    combine,
                    arg,
                    axis: None,
                },
            );
            let axes = SmallVec::from_elem(None, shape.len());
            return self.view(one, shape, axes);
        }
        self.add(
            shape,
            ty,
            Def::Reduce {
                combine,
                arg,
                axis: Some(axis),
            },
        )
    }
    fn map(&mut self, function: Symbol, shape: Dims, ty: Type, args: &[Arg]) -> NodeId {
        let function = Arc::new(Scalar::Named(function, ty));
        let args = args.to_vec();
        self.add(
            shape,
            ty,
            Def::Map {
                function,
                output: 0,
                args,
            },
        )
    }
    /// An array broadcast to a shape.
    fn broadcast(&mut self, arg: NodeId, shape: &Dims) -> NodeId {
        let from = &self.all[arg].shape;
        let lead = shape.len() - from.len();
        let axes = (0..shape.len()).map(|k| {
            let own = k.checked_sub(lead)?;
            (from[own] != 1).then_some(own)
        });
        let axes = axes.collect();
        self.view(arg, shape.clone(), axes)
    }
    /// An array repeated along an axis that it does not have.
    fn repeat(&mut self, arg: NodeId, shape: &Dims, axis: usize) -> NodeId {
        let axes = (0..shape.len()).map(|k| match k.cmp(&axis) {
            std::cmp::Ordering::Less => Some(k),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(k - 1),
        });
        let axes = axes.collect();
        self.view(arg, shape.clone(), axes)
    }

    /// Notes what an instruction gives. False if it is to be done as it is written.
    fn inst(&mut self, cluster: &Cluster, inst: Inst, shape: Option<Dims>, words: &[u64]) -> bool {
        let function = &cluster.function;
        let row = &function.insts[inst];
        let (result, ty) = (row.result, function.ty(row.result));
        match row.op {
            Op::Const(c) => {
                if ty.is_scalar() {
                    self.known.insert(result, c);
                }
                ty.is_scalar()
            }
            Op::Prim(Prim::Field(n)) if self.fields.contains_key(&row.args[0]) => {
                let field = self.fields[&row.args[0]][n as usize];
                self.of.insert(result, field);
                true
            }
            Op::Prim(prim) => self.number(function, prim, inst),
            Op::Map(_) => mapped(&cluster.sites[&inst])
                .is_some_and(|scalar| self.mapped(cluster, inst, scalar)),
            Op::Call(callee) => match callee.host_op() {
                Some(op) => self.operation(cluster, op, inst, shape, words),
                None => false,
            },
        }
    }

    /// Arithmetic on numbers that shapes decide.
    fn number(&mut self, function: &Function, prim: Prim, inst: Inst) -> bool {
        let row = &function.insts[inst];
        let ty = function.ty(row.result);
        let args: Option<Vec<Const>> = row
            .args
            .iter()
            .map(|arg| self.known.get(arg).copied())
            .collect();
        let types: Vec<Type> = row.args.iter().map(|&arg| function.ty(arg)).collect();
        let made = args
            .filter(|_| ty.is_scalar())
            .and_then(|args| evaluate(prim, &args, &types, ty));
        match made {
            Some(c) => self.known.insert(row.result, c).is_none(),
            None => false,
        }
    }

    fn arg(&self, function: &Function, value: Value) -> Option<Arg> {
        let ty = function.ty(value);
        match (self.of.get(&value), self.known.get(&value)) {
            (Some(&node), _) => Some(Arg::Node(node)),
            (None, Some(&c)) => Some(Arg::Const(c, ty)),
            (None, None) if ty.is_scalar() => Some(Arg::Number(value)),
            _ => None,
        }
    }

    fn mapped(&mut self, cluster: &Cluster, inst: Inst, scalar: &ScalarFunction) -> bool {
        let function = &cluster.function;
        let row = &function.insts[inst];
        let args: Option<Vec<Arg>> = row.args.iter().map(|&v| self.arg(function, v)).collect();
        let Some(args) = args else { return false };
        // A whole number that a GPU does not hold is refused at its place in the source.
        let is_beyond = |arg: &Arg| match *arg {
            Arg::Const(Const::Int(x), _) => u32::try_from(x).is_err() && i32::try_from(x).is_err(),
            _ => false,
        };
        if !self.on_cpu && args.iter().any(is_beyond) {
            return false;
        }
        if !is_straight(&scalar.module, &cluster.registry, scalar.function) {
            return false;
        }
        let shapes: Vec<Dims> = args
            .iter()
            .filter_map(|arg| match arg {
                Arg::Node(node) => Some(self.all[*node].shape.clone()),
                _ => None,
            })
            .collect();
        let shapes: SmallVec<[&[usize]; 4]> = shapes.iter().map(|shape| &shape[..]).collect();
        let Ok(shape) = crate::array::shape::broadcast("map", &shapes) else {
            return false;
        };
        if shape.contains(&0) || shapes.is_empty() {
            return false;
        }
        let arrays = args.iter().all(|arg| match arg {
            Arg::Node(node) => self.all[*node].ty.is_element(),
            _ => true,
        });
        let results = crate::tangent::leaves(function.ty(row.result));
        if !arrays
            || !results
                .iter()
                .all(|ty| ty.element().is_some_and(Type::is_element))
        {
            return false;
        }
        let own = Arc::new(Scalar::Own {
            module: scalar.module.clone(),
            function: scalar.function,
        });
        let ty = function.ty(row.result);
        let types: Vec<Type> = match ty {
            Type::Tuple(fields) => fields.to_vec(),
            one => vec![one],
        };
        let made: Vec<NodeId> = (types.iter().enumerate())
            .map(|(output, ty)| {
                let ty = ty.element().unwrap_or(*ty);
                let (function, args) = (own.clone(), args.clone());
                self.add(
                    shape.clone(),
                    ty,
                    Def::Map {
                        function,
                        output,
                        args,
                    },
                )
            })
            .collect();
        match ty {
            Type::Tuple(_) => drop(self.fields.insert(row.result, made)),
            _ => drop(self.of.insert(row.result, made[0])),
        }
        true
    }

    fn operation(
        &mut self,
        cluster: &Cluster,
        op: HostOp,
        inst: Inst,
        shape: Option<Dims>,
        words: &[u64],
    ) -> bool {
        let function = &cluster.function;
        let row = &function.insts[inst];
        let (result, ty) = (row.result, function.ty(row.result));
        if matches!(op, HostOp::Numel | HostOp::Dim | HostOp::Ndim) {
            self.known.insert(result, from_bits(words[0], ty));
            return true;
        }
        let array = |this: &Self, n: usize| this.of.get(&row.args[n]).copied();
        let axis = |this: &Self, n: usize| match this.known.get(&row.args[n]) {
            Some(&Const::Int(axis)) => usize::try_from(axis).ok(),
            _ => None,
        };
        if matches!(op, HostOp::SumToScalar | HostOp::Item) {
            let Some(a) = array(self, 0) else {
                return false;
            };
            if self.all[a].shape.contains(&0) {
                return false;
            }
            let one = match self.all[a].shape.iter().all(|&n| n == 1) {
                true => a,
                false => self.reduce(Combine::Sum, a, None),
            };
            self.read.insert(inst, one);
            return true;
        }
        // What is absent stays what doing it as it is written makes of it.
        let Some(shape) = shape else { return false };
        let Some(a) = array(self, 0) else {
            let zero = float_zero(ty);
            return match (op, array(self, 1), zero) {
                (HostOp::Accumulate, Some(b), _) => {
                    self.of.insert(result, b);
                    true
                }
                (HostOp::OrZeros, _, Some((c, element))) if !shape.contains(&0) => {
                    let node = self.add(shape, element, Def::Fill(Arg::Const(c, element)));
                    self.of.insert(result, node);
                    true
                }
                (HostOp::Full | HostOp::FullLike, ..) if !shape.contains(&0) => {
                    let Some(value) = self.arg(function, row.args[0]) else {
                        return false;
                    };
                    let element = ty.element().unwrap_or(ty);
                    let node = self.add(shape, element, Def::Fill(value));
                    self.of.insert(result, node);
                    true
                }
                _ => false,
            };
        };
        let expected = shape.clone();
        let (from, element) = (self.all[a].shape.clone(), self.all[a].ty);
        if from.contains(&0) || shape.contains(&0) {
            return false;
        }
        let rest = |axis: usize| from.iter().product::<usize>() / from[axis];
        let is_wide = |axis: usize| from[axis] > WIDE && rest(axis) > 1;
        let node = match op {
            HostOp::Sum | HostOp::SumAxis | HostOp::MaxAxis if !Combine::takes(element) => {
                return false;
            }
            // A part of what is in memory is a view.
            HostOp::Narrow | HostOp::NarrowLike | HostOp::SliceAxis
                if matches!(self.all[a].def, Def::Given) =>
            {
                return false;
            }
            HostOp::Narrow
            | HostOp::NarrowLike
            | HostOp::SliceAxis
            | HostOp::Place
            | HostOp::UnsliceAxis
            | HostOp::Pad
            | HostOp::Concat
            | HostOp::Roll
            | HostOp::ReplaceAxis => match self.parts(function, op, inst, shape) {
                Some(node) => node,
                None => return false,
            },
            HostOp::Unbroadcast if from != shape && (0..from.len()).any(is_wide) => return false,
            HostOp::Sum => self.reduce(Combine::Sum, a, None),
            HostOp::Mean => {
                let sum = self.reduce(Combine::Sum, a, None);
                let count = float_of(from.iter().product::<usize>() as f64, element);
                let count = Arg::Const(count, element);
                self.map(
                    Symbol::from_static("div"),
                    shape,
                    element,
                    &[Arg::Node(sum), count],
                )
            }
            HostOp::SumAxis | HostOp::MaxAxis => {
                let combine = match op {
                    HostOp::SumAxis => Combine::Sum,
                    _ => Combine::Max,
                };
                let Some(axis) = axis(self, 1).filter(|&axis| !is_wide(axis)) else {
                    return false;
                };
                self.reduce(combine, a, Some(axis))
            }
            HostOp::Softmax | HostOp::LogSoftmax => {
                let Some(axis) = axis(self, 1).filter(|&axis| !is_wide(axis)) else {
                    return false;
                };
                let known = |name: &str| {
                    cluster
                        .registry
                        .find(Symbol::new(name), &[element])
                        .is_some()
                };
                if !known("exp") || !known("ln") {
                    return false;
                }
                self.softmax(a, axis, op == HostOp::LogSoftmax)
            }
            HostOp::Expand => {
                let axes = SmallVec::from_elem(None, shape.len());
                self.view(a, shape, axes)
            }
            HostOp::ExpandAxis => {
                let Some(axis) = axis(self, 2) else {
                    return false;
                };
                self.repeat(a, &shape, axis)
            }
            HostOp::BroadcastTo | HostOp::BroadcastLike => self.broadcast(a, &shape),
            HostOp::InsertAxis => {
                let Some(axis) = axis(self, 1) else {
                    return false;
                };
                self.repeat(a, &shape, axis)
            }
            HostOp::IndexAlong => {
                let Some(along) = axis(self, 1) else {
                    return false;
                };
                match from == shape {
                    true => a,
                    false => {
                        let axes = (0..shape.len()).map(|k| (k == along).then_some(0));
                        self.view(a, shape, axes.collect())
                    }
                }
            }
            HostOp::Transpose => self.view(a, shape, SmallVec::from_slice(&[Some(1), Some(0)])),
            HostOp::SwapAxes => {
                let (Some(i), Some(j)) = (axis(self, 1), axis(self, 2)) else {
                    return false;
                };
                let mut axes: SmallVec<[Option<usize>; 4]> = (0..shape.len()).map(Some).collect();
                axes.swap(i, j);
                self.view(a, shape, axes)
            }
            HostOp::Reshape
            | HostOp::ReshapeLike
            | HostOp::Flatten
            | HostOp::ExpandDims
            | HostOp::Squeeze
            | HostOp::Unflatten => {
                let Some(axes) = reshaped(&from, &shape) else {
                    return false;
                };
                self.view(a, shape, axes)
            }
            HostOp::Accumulate => match array(self, 1) {
                Some(b) => {
                    let args = [Arg::Node(a), Arg::Node(b)];
                    self.map(Symbol::from_static("add"), shape, element, &args)
                }
                None => a,
            },
            HostOp::OrZeros | HostOp::SameShape => a,
            HostOp::Gather => {
                let (Some(index), Some(axis)) = (array(self, 2), axis(self, 1)) else {
                    return false;
                };
                if !element.is_element() {
                    return false;
                }
                let of = a;
                let fewer = shape.iter().product::<usize>() <= from.iter().product();
                let made = fewer.then(|| self.gathered((inst, axis, index), of));
                // An index that chooses among equal elements is looked at all the same.
                let reads = |node: &Node| matches!(&node.def, Def::Gathered { inst: by, .. } if *by == inst);
                match made.filter(|_| self.all.iter().any(reads)) {
                    Some(node) => node,
                    None => {
                        let whole = Def::Gathered {
                            of,
                            index,
                            inst,
                            axis,
                        };
                        self.add(shape, element, whole)
                    }
                }
            }
            HostOp::ScatterAdd => {
                let (Some(index), Some(axis)) = (array(self, 2), axis(self, 1)) else {
                    return false;
                };
                if from.contains(&0) || shape[axis] == 0 || !element.is_float() {
                    return false;
                }
                match from[axis] == 1 && (2..=WIDE).contains(&shape[axis]) {
                    true => self.compared((inst, axis, index), a, &shape),
                    false => {
                        let sums = Def::Scattered {
                            of: a,
                            index,
                            inst,
                            axis,
                        };
                        self.add(shape, element, sums)
                    }
                }
            }
            HostOp::Unbroadcast => self.unbroadcast(a, &shape),
            HostOp::Matmul | HostOp::MatmulNt | HostOp::MatmulTn => {
                match array(self, 1).and_then(|b| self.thin_product(op, a, b, &shape)) {
                    Some(product) => product,
                    None => return false,
                }
            }
            _ => return false,
        };
        debug_assert_eq!(self.all[node].shape, expected, "{op:?}");
        self.of.insert(result, node);
        true
    }

    fn softmax(&mut self, a: NodeId, axis: usize, log: bool) -> NodeId {
        let (shape, ty) = (self.all[a].shape.clone(), self.all[a].ty);
        let named = Symbol::from_static;
        let greatest = self.reduce(Combine::Max, a, Some(axis));
        let greatest = self.repeat(greatest, &shape, axis);
        let less = [Arg::Node(a), Arg::Node(greatest)];
        let less = self.map(named("sub"), shape.clone(), ty, &less);
        let exponential = self.map(named("exp"), shape.clone(), ty, &[Arg::Node(less)]);
        let sum = self.reduce(Combine::Sum, exponential, Some(axis));
        if !log {
            let sum = self.repeat(sum, &shape, axis);
            let args = [Arg::Node(exponential), Arg::Node(sum)];
            return self.map(named("div"), shape, ty, &args);
        }
        let rows = self.all[sum].shape.clone();
        let logarithm = self.map(named("ln"), rows, ty, &[Arg::Node(sum)]);
        let logarithm = self.repeat(logarithm, &shape, axis);
        let args = [Arg::Node(less), Arg::Node(logarithm)];
        let made = self.map(named("sub"), shape, ty, &args);
        self.quotients.insert(made, (exponential, sum, axis));
        made
    }

    /// What `gather` gives of a node: of a map, the map of what it gives of the arguments; of other nodes, elements that are in memory first.
    fn gathered(&mut self, gather: (Inst, usize, NodeId), node: NodeId) -> NodeId {
        // A node may be read in many places.
        if let Some(&known) = self.gathered.get(&(gather.0, node)) {
            return known;
        }
        let made = self.gathered_anew(gather, node);
        self.gathered.insert((gather.0, node), made);
        made
    }
    fn gathered_anew(&mut self, gather: (Inst, usize, NodeId), node: NodeId) -> NodeId {
        let (inst, axis, index) = gather;
        let (shape, ty) = (self.all[node].shape.clone(), self.all[node].ty);
        let to = self.all[index].shape.clone();
        let leaf = Def::Gathered {
            of: node,
            index,
            inst,
            axis,
        };
        let made = match &self.all[node].def {
            Def::Map {
                function,
                output,
                args,
            } => {
                let (function, output, args) = (function.clone(), *output, args.clone());
                let args = args.into_iter().map(|arg| {
                    let Arg::Node(arg) = arg else {
                        return arg;
                    };
                    let own = &self.all[arg].shape;
                    let lead = shape.len() - own.len();
                    if axis < lead || own[axis - lead] == 1 {
                        return Arg::Node(arg);
                    }
                    let whole = match *own == shape {
                        true => arg,
                        false => self.broadcast(arg, &shape),
                    };
                    Arg::Node(self.gathered(gather, whole))
                });
                let args: Vec<Arg> = args.collect();
                // The outputs of one map are nodes one after another.
                for before in 0..output {
                    let ty = self.all[node - output + before].ty;
                    let (function, args) = (function.clone(), args.clone());
                    let made = Def::Map {
                        function,
                        output: before,
                        args,
                    };
                    self.add(to.clone(), ty, made);
                }
                Def::Map {
                    function,
                    output,
                    args,
                }
            }
            Def::Fill(with) => Def::Fill(*with),
            Def::View { arg, axes } => {
                let is_same = axes.iter().enumerate().all(|(k, own)| *own == Some(k));
                match axes[axis] {
                    None => Def::View {
                        arg: *arg,
                        axes: axes.clone(),
                    },
                    Some(_) if is_same && self.all[*arg].shape == shape => {
                        return self.gathered(gather, *arg);
                    }
                    Some(_) => leaf,
                }
            }
            Def::Given
            | Def::Reduce { .. }
            | Def::Gathered { .. }
            | Def::Scattered { .. }
            | Def::Parts { .. }
            | Def::Positions => leaf,
        };
        self.add(to, ty, made)
    }

    /// What `scatter_add` gives, with one index for each line along the axis: at every point the element of the line where the position is the
    /// index, elsewhere 0. The operation adds to 0, which makes 0 of −0, and so does this.
    fn compared(
        &mut self,
        (inst, axis, index): (Inst, usize, NodeId),
        a: NodeId,
        shape: &Dims,
    ) -> NodeId {
        let (extent, from, ty) = (shape[axis], self.all[a].shape.clone(), self.all[a].ty);
        let positions = match self.positions.get(&(extent, ty)) {
            Some(&known) => known,
            None => self.add(SmallVec::from_elem(extent, 1), ty, Def::Positions),
        };
        self.positions.insert((extent, ty), positions);
        let along = (0..shape.len()).map(|k| (k == axis).then_some(0));
        let along = self.view(positions, shape.clone(), along.collect());
        // The position that an index chooses is its number.
        let place = match self.places.get(&(index, axis, positions)) {
            Some(&known) => known,
            None => {
                let place = Def::Gathered {
                    of: along,
                    index,
                    inst,
                    axis,
                };
                self.add(from.clone(), ty, place)
            }
        };
        self.places.insert((index, axis, positions), place);
        let zero = Arg::Const(Const::Float(0.0), ty);
        let add = Symbol::from_static("add");
        let added = self.map(add, from, ty, &[Arg::Node(a), zero]);
        let args = vec![Arg::Node(along), Arg::Node(place), Arg::Node(added), zero];
        let map = Def::Map {
            function: Arc::new(choice(ty)),
            output: 0,
            args,
        };
        self.add(shape.clone(), ty, map)
    }

    /// What puts arrays beside each other or takes a part of one, as it is read within kernels. `None` if it is to be done as it is written.
    fn parts(
        &mut self,
        function: &Function,
        op: HostOp,
        inst: Inst,
        shape: Dims,
    ) -> Option<NodeId> {
        let args = &function.insts[inst].args;
        let array = |n: usize| self.of.get(&args[n]).copied();
        // A part that is the whole: the array is not read.
        if op == HostOp::ReplaceAxis
            && let Some(part) = array(5).filter(|&part| self.all[part].shape == shape)
        {
            return Some(part);
        }
        let number = |n: usize| match self.known.get(&args[n]) {
            Some(&Const::Int(number)) => Some(number),
            _ => None,
        };
        let place = |n: usize| usize::try_from(number(n)?).ok();
        let a = array(0)?;
        let (own, ty) = (&self.all[a].shape, self.all[a].ty);
        let axis = place(if op == HostOp::Concat { 2 } else { 1 })?;
        let (&count, &extent) = (own.get(axis)?, shape.get(axis)?);
        let elements = |shape: &Dims| shape.iter().product::<usize>();
        let bytes = elements(&shape).max(elements(own)) * ty.size()?;
        let has_bits = matches!(ty, Type::F32 | Type::F64 | Type::I32 | Type::U32);
        // An axis of extent 1 need not be one of the kernel.
        if !has_bits || extent == 1 || (self.on_cpu && bytes <= smallest()) {
            return None;
        }
        let part = |of: NodeId, from: usize, at: Range<usize>| Part { of, from, at };
        let parts: SmallVec<[Part; 3]> = match op {
            HostOp::Place | HostOp::Pad => {
                let start = place(2)?;
                smallvec![part(a, 0, start..start + count)]
            }
            HostOp::Narrow | HostOp::NarrowLike => smallvec![part(a, place(2)?, 0..extent)],
            HostOp::SliceAxis if place(4)? == 1 => smallvec![part(a, place(2)?, 0..extent)],
            HostOp::UnsliceAxis if place(4)? == 1 => {
                let start = place(2)?;
                smallvec![part(a, 0, start..start + count)]
            }
            HostOp::Concat => smallvec![part(a, 0, 0..count), part(array(1)?, 0, count..extent)],
            HostOp::Roll => {
                let by = number(2)?.rem_euclid(i64::try_from(extent).ok()?) as usize;
                smallvec![part(a, extent - by, 0..by), part(a, 0, by..extent)]
            }
            HostOp::ReplaceAxis if place(4)? == 1 && self.is_large(args[5], &shape) => {
                let (start, b) = (place(2)?, array(5)?);
                let end = start + self.all[b].shape[axis];
                smallvec![
                    part(a, 0, 0..start),
                    part(b, 0, start..end),
                    part(a, end, end..extent)
                ]
            }
            _ => return None,
        };
        let parts: SmallVec<[Part; 3]> = { parts.into_iter() }
            .filter(|part| !part.at.is_empty())
            .collect();
        let fits = |part: &Part| {
            let count = self.all[part.of].shape[axis];
            part.at.end <= extent && part.from + part.at.len() <= count
        };
        if !parts.iter().all(fits) {
            return None;
        }
        if let [one] = &parts[..]
            && self.all[one.of].shape == shape
        {
            return Some(one.of);
        }
        #[cfg(test)]
        DONE_IN_PARTS.set(DONE_IN_PARTS.get() + 1);
        Some(self.add(shape, ty, Def::Parts { axis, parts }))
    }

    /// Whether a part that is added to an array of this shape, or replaces its own, has so many elements that reading and writing the others as well costs
    /// less than a pass over memory besides.
    fn is_large(&self, part: Value, shape: &Dims) -> bool {
        let count = |shape: &Dims| shape.iter().product::<usize>();
        let part = self.of.get(&part).map(|&part| count(&self.all[part].shape));
        part.is_some_and(|part| 2 * part >= count(shape))
    }

    /// A product of a matrix and a vector, or the outer product of two vectors, as a sum of products of numbers: so it is part of kernels.
    fn thin_product(&mut self, op: HostOp, a: NodeId, b: NodeId, shape: &Dims) -> Option<NodeId> {
        let ranks = [a, b].map(|node| self.all[node].shape.len());
        let (own_a, own_b) = product_axes(op, ranks)?;
        let extent = |role: Role| {
            let find = |own: &[Role], node: NodeId| {
                let axis = own.iter().position(|&own| own == role)?;
                Some(self.all[node].shape[axis])
            };
            find(own_a, a).or_else(|| find(own_b, b)).unwrap_or(1)
        };
        let [m, n, k] = [Role::Row, Role::Column, Role::Inner].map(extent);
        if m.min(n).min(k) > 1 || m * n * k > THIN {
            return None;
        }
        let mut roles: SmallVec<[Role; 3]> = SmallVec::new();
        let has = |role| own_a.contains(&role) || own_b.contains(&role);
        roles.extend(
            [Role::Row, Role::Column]
                .into_iter()
                .filter(|&role| has(role)),
        );
        if k > 1 {
            roles.push(Role::Inner);
        }
        let points: Dims = roles.iter().map(|&role| extent(role)).collect();
        let args = [(own_a, a), (own_b, b)].map(|(own, node)| {
            let axes = roles
                .iter()
                .map(|role| own.iter().position(|own| own == role));
            let axes = axes.collect();
            Arg::Node(self.view(node, points.clone(), axes))
        });
        let ty = self.all[a].ty;
        let products = self.map(Symbol::from_static("mul"), points, ty, &args);
        debug_assert_eq!(shape.iter().product::<usize>(), m * n);
        Some(match k > 1 {
            true => self.reduce(Combine::Sum, products, Some(roles.len() - 1)),
            false => products,
        })
    }

    /// Summed over the axes along which the shape was broadcast.
    fn unbroadcast(&mut self, a: NodeId, shape: &Dims) -> NodeId {
        let from = self.all[a].shape.clone();
        if from == *shape {
            return a;
        }
        let mut sum = a;
        if shape.iter().all(|&n| n == 1) {
            sum = self.reduce(Combine::Sum, a, None);
        } else {
            let lead = from.len() - shape.len();
            for axis in (0..from.len()).rev() {
                if axis < lead || shape[axis - lead] != from[axis] {
                    sum = self.reduce(Combine::Sum, sum, Some(axis));
                }
            }
        }
        match reshaped(&self.all[sum].shape.clone(), shape) {
            Some(axes) => self.view(sum, shape.clone(), axes),
            None => sum,
        }
    }
}

/// The sums of an array and a part of it in a cluster, neither of which is absent. The gradient of an element is one part: in a loop over the
/// elements all others would be read and written with it.
fn additions(function: &Function, values: &Values) -> FxHashMap<Inst, Inst> {
    let insts = &function.blocks[function.entry()].insts;
    let uses = |value: Value| {
        let args = insts.iter().flat_map(|&inst| &function.insts[inst].args);
        args.filter(|&&arg| arg == value).count()
    };
    let is = |inst: Inst, ops: &[HostOp]| match function.insts[inst].op {
        Op::Call(callee) => callee.host_op().is_some_and(|op| ops.contains(&op)),
        _ => false,
    };
    let mut found = FxHashMap::default();
    for &inst in insts
        .iter()
        .filter(|&&inst| is(inst, &[HostOp::Accumulate]))
    {
        let args = &function.insts[inst].args;
        let part = args.iter().find_map(|&arg| {
            let ValueDef::Inst(made) = function.values[arg].def else {
                return None;
            };
            let is_placed = is(made, &[HostOp::UnsliceAxis, HostOp::Place]);
            (is_placed && uses(arg) == 1).then_some(made)
        });
        let is_there = args.iter().all(|&arg| values.word(arg) != 0);
        found.extend(part.filter(|_| is_there).map(|part| (inst, part)));
    }
    found
}

/// On the CPU, arrays of at most so many bytes are put beside each other by plans of small arrays, which know beforehand where each element goes.
fn smallest() -> usize {
    #[cfg(test)]
    if IN_PARTS.get() {
        return 0;
    }
    SMALL
}

#[cfg(test)]
thread_local!(
    /// Whether small arrays are read in parts, too, so that tests of small arrays see it.
    pub static IN_PARTS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    /// How many arrays were read in parts.
    pub static DONE_IN_PARTS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) }
);

/// What an axis is to a matrix product.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A row of the result.
    Row,
    /// A column of the result.
    Column,
    /// The axis that is summed over.
    Inner,
}

/// What the axes of two factors with so many are to their product; `None` for products of batches.
fn product_axes(op: HostOp, ranks: [usize; 2]) -> Option<(&'static [Role], &'static [Role])> {
    use Role::{Column, Inner, Row};
    Some(match (op, ranks) {
        (HostOp::Matmul, [1, 1]) => (&[Inner], &[Inner]),
        (HostOp::Matmul, [1, 2]) => (&[Inner], &[Inner, Column]),
        (HostOp::Matmul, [2, 1]) => (&[Row, Inner], &[Inner]),
        (HostOp::Matmul, [2, 2]) => (&[Row, Inner], &[Inner, Column]),
        (HostOp::MatmulNt | HostOp::MatmulTn, [1, 1]) => (&[Row], &[Column]),
        (HostOp::MatmulNt, [0, 1]) => (&[], &[Column]),
        (HostOp::MatmulTn, [1, 0]) => (&[Row], &[]),
        (HostOp::MatmulNt, [1, 2]) => (&[Inner], &[Column, Inner]),
        (HostOp::MatmulNt, [2, 2]) => (&[Row, Inner], &[Column, Inner]),
        (HostOp::MatmulTn, [2, 1]) => (&[Inner, Row], &[Inner]),
        (HostOp::MatmulTn, [2, 2]) => (&[Inner, Row], &[Inner, Column]),
        _ => return None,
    })
}

/// `(position, index, x, other) -> x` where the position is the index, else `other`.
fn choice(ty: Type) -> Scalar {
    let name = Symbol::from_static("choose");
    let types = [ty; 4];
    let mut builder = Builder::new(Function::new(name, &types, ty));
    let params: Leaves = builder.function.params().into();
    let is_it = builder.inst(Op::Prim(Prim::Eq), &params[..2], Type::Bool);
    let chosen = builder.inst(Op::Prim(Prim::Select), &[is_it, params[2], params[3]], ty);
    builder.ret(chosen);
    let module = Module::new(builder.finish());
    Scalar::Own {
        module: Arc::new(module),
        function: name,
    }
}

fn float_of(x: f64, ty: Type) -> Const {
    match ty {
        Type::F32 => Const::Float(f64::from(x as f32)),
        _ => Const::Float(x),
    }
}

fn float_zero(ty: Type) -> Option<(Const, Type)> {
    let element = ty.element()?;
    let is_float = element.is_float() || element == Type::F16;
    is_float.then_some((Const::Float(0.0), element))
}

/// Which axes of a shape those of another are, if they differ in axes of extent 1 alone.
fn reshaped(from: &Dims, to: &Dims) -> Option<SmallVec<[Option<usize>; 4]>> {
    let mut own = (0..from.len()).filter(|&axis| from[axis] != 1);
    let mut axes = SmallVec::new();
    for &extent in to {
        axes.push(match extent {
            1 => None,
            _ => {
                let axis = own.next()?;
                (from[axis] == extent).then_some(Some(axis))?
            }
        });
    }
    own.next().is_none().then_some(axes)
}

/// What a scalar function gives, one value for each output.
pub fn apply(writer: &mut Writer, scalar: &Scalar, args: &[Value]) -> Leaves {
    let args: Vec<Leaves> = args.iter().map(|&v| Leaves::from_elem(v, 1)).collect();
    match scalar {
        Scalar::Own { module, function } => {
            writer.inline(Some(module), &module.functions[function], &args)
        }
        Scalar::Named(name, ty) => writer.call(None, (*name).into(), &args, *ty),
    }
}

/// What a scalar function costs at a point, about, in cycles.
pub fn cost(scalar: &Scalar) -> usize {
    match scalar {
        Scalar::Own { module, function } => {
            let function = &module.functions[function];
            let insts = &function.blocks[function.entry()].insts;
            let costs = insts
                .iter()
                .map(|&inst| kernel::cost(function.insts[inst].op));
            costs.sum()
        }
        Scalar::Named(name, _) => kernel::cost(match Prim::from_mnemonic(name.as_str()) {
            Some(prim) => Op::Prim(prim),
            None => Op::Call((*name).into()),
        }),
    }
}

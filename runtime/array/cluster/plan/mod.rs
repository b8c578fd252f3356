//! Which operations of a cluster become one kernel.
//!
//! What must be in memory, because it is a result or because an operation that is done as it is written reads it, is a **wanted** node.
//! Each becomes an output of a kernel; what is between is computed within the kernels. A kernel has a **domain**, the shape of its points,
//! and at most one axis along which it reduces. A wanted node joins the last kernel of its domain that has all it needs, else it begins a
//! new one. What costs much and would be computed in two kernels is wanted too. A scattered node has a kernel of its own. Parts of arrays are
//! read in windows (`window`), and a kernel that reads in windows reduces no rows.

mod body;
mod rectangle;
mod window;

use super::nodes::{Arg, Def, NodeId, Nodes, cost};
use super::{Cluster, Ready, Values, products};
use crate::arena::Id;
use crate::array::backend::{Buffer, Dims, View, dense_strides};
use crate::array::device::Device;
use crate::array::host::ArrayHost;
use crate::array::small::{Layout, SMALL};
use crate::array::tensor::Tensor;
use crate::diag::{Error, Result};
use crate::ir::eval::to_bits;
use crate::ir::{Function, HostOp, Inst, Op, Type, Value};
use crate::kernel::{Gather, Input, Kernel, Output, PerAxis, Scatter};
use body::Body;
use rectangle::rectangle;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use window::{Inside, Window, Windowed};

/// Which axis of a domain each axis of a node is; `None` for one of extent 1 that it does not have.
type Axes = SmallVec<[Option<usize>; 4]>;

/// How a cluster is computed for one signature.
pub struct Plan {
    /// In order.
    pub steps: Vec<Step>,
    /// The number of arrays that steps pass on.
    pub slots: usize,
    /// Numbers that shapes decide.
    pub known: Vec<(Value, u64)>,
}

/// One step of a plan.
pub enum Step {
    /// An operation as it is written.
    Operation(Box<Written>),
    /// A part of an array is added to it.
    Add(Box<Added>),
    /// A kernel.
    Kernel(Box<Stage>),
    /// The one element of an array is a number.
    Number(Value, usize),
    /// An array with other axes.
    View(Seen),
    /// A part of an array.
    Slice(Sliced),
    /// One number everywhere.
    Fill(Filled),
    /// 0, 1, 2, … along one axis.
    Positions(Box<Positions>),
    /// An argument of the cluster.
    Take(Value, usize),
    /// The array is not needed any more.
    Forget(usize),
}

impl Step {
    /// The arrays that it reads and gives.
    pub fn slots(&self) -> SmallVec<[usize; 8]> {
        match self {
            Step::Operation(written) => {
                let lent = written.lent.iter().map(|&(_, slot)| slot);
                lent.chain(written.taken).collect()
            }
            Step::Kernel(stage) => {
                let read = stage.inputs.iter().flat_map(Given::slots);
                read.chain(stage.outputs.iter().map(|made| made.slot))
                    .collect()
            }
            Step::Add(added) => SmallVec::from_slice(&[added.whole, added.part, added.slot]),
            Step::Number(_, slot) | Step::Take(_, slot) => SmallVec::from_slice(&[*slot]),
            Step::View(seen) => SmallVec::from_slice(&[seen.of, seen.slot]),
            Step::Slice(part) => SmallVec::from_slice(&[part.of, part.slot]),
            Step::Fill(filled) => SmallVec::from_slice(&[filled.slot]),
            Step::Positions(positions) => SmallVec::from_slice(&[positions.slot]),
            Step::Forget(_) => SmallVec::new(),
        }
    }
    /// Whether it computes with a number itself.
    fn uses(&self, number: Value, function: &Function) -> bool {
        match self {
            Step::Operation(written) => function.insts[written.inst].args.contains(&number),
            Step::Add(added) => function.insts[added.place].args.contains(&number),
            Step::Kernel(stage) => {
                let is_it =
                    |given: &Given| matches!(given, Given::Number(value) if *value == number);
                stage.inputs.iter().any(is_it)
            }
            Step::Fill(filled) => matches!(filled.with, Arg::Number(value) if value == number),
            Step::Number(..)
            | Step::View(_)
            | Step::Slice(_)
            | Step::Positions(_)
            | Step::Take(..)
            | Step::Forget(_) => false,
        }
    }
}

/// An operation as it is written.
pub struct Written {
    pub inst: Inst,
    /// The arguments whose arrays are in slots.
    pub lent: SmallVec<[(Value, usize); 4]>,
    /// Where the array goes that it gives.
    pub taken: Option<usize>,
}

/// The sum of an array and of a part of it, or an array with a part that replaces its own.
pub struct Added {
    /// The instruction that says where the part belongs: `unslice_axis`, `place` or `replace_axis`.
    pub place: Inst,
    pub whole: usize,
    pub part: usize,
    /// Where the result goes.
    pub slot: usize,
    /// Whether nobody reads the array any more.
    pub is_last: bool,
}

/// An array with other axes.
pub struct Seen {
    pub slot: usize,
    pub of: usize,
    pub shape: Dims,
    pub axes: Axes,
    /// On the CPU, how the elements of a small array lie with these axes, once a call has needed it.
    pub layout: OnceLock<&'static Layout>,
}

/// So many places of an array along an axis.
pub struct Sliced {
    pub slot: usize,
    pub of: usize,
    pub axis: usize,
    pub from: usize,
    pub count: usize,
}

/// One number everywhere.
pub struct Filled {
    pub slot: usize,
    pub with: Arg,
    /// One element, repeated along all axes.
    pub layout: &'static Layout,
}

/// 0, 1, 2, … along one axis.
pub struct Positions {
    pub slot: usize,
    pub extent: usize,
    pub ty: Type,
    /// The array, once a call has needed it.
    pub made: OnceLock<Tensor>,
}

/// A kernel as far as it is known before strides are.
pub struct Stage {
    domain: Dims,
    reduced: Option<usize>,
    /// What it reads: one for each parameter of the body.
    pub inputs: Vec<Given>,
    /// What it gives.
    pub outputs: Vec<Made>,
    /// The indices of its one output, if that is a scattered one.
    pub scattered: Option<Index>,
    pub body: Arc<Function>,
    /// The words of its results if all are small arrays of the call, which they are on the CPU only.
    pub room: Option<usize>,
    /// The compiled kernel.
    pub ready: OnceLock<Ready>,
}

/// What a kernel reads.
pub enum Given {
    /// An array: for each of its axes the axis of the domain.
    Slot(usize, Axes),
    /// An array that is there at some points alone; elsewhere is 0.
    Windowed(Box<Windowed>),
    /// Whether a point is in a window.
    Inside(Box<Inside>),
    /// An array that is read through an index.
    Gathered(Box<Gathered>),
    /// A matrix product, of which the kernel takes each element as it is made.
    Product(Box<Product>),
    /// A number.
    Number(Value),
    /// The bits of a constant that the device's compiler must not see, because it may assume that nobody divides by zero.
    Hidden(u64),
}

impl Given {
    /// Where the array is, if it is one in memory.
    pub fn slot(&self) -> Option<usize> {
        match self {
            Given::Slot(slot, _) => Some(*slot),
            Given::Windowed(windowed) => Some(windowed.slot),
            Given::Gathered(gathered) => Some(gathered.slot),
            Given::Product(_) | Given::Number(_) | Given::Hidden(_) | Given::Inside(_) => None,
        }
    }
    /// The arrays in memory that it is made of.
    pub fn slots(&self) -> SmallVec<[usize; 2]> {
        match self {
            Given::Product(product) => SmallVec::from_slice(&product.factors),
            given => given.slot().into_iter().collect(),
        }
    }
    /// For each axis of the array the axis of the domain.
    fn axes(&self) -> Option<&Axes> {
        match self {
            Given::Slot(_, axes) => Some(axes),
            Given::Windowed(windowed) => Some(&windowed.axes),
            Given::Gathered(gathered) => Some(&gathered.axes),
            Given::Product(product) => Some(&product.axes),
            Given::Number(_) | Given::Hidden(_) | Given::Inside(_) => None,
        }
    }
    /// The points at which it is there, if not at all.
    fn window(&self) -> Option<&Window> {
        match self {
            Given::Windowed(windowed) => Some(&windowed.window),
            Given::Inside(inside) => Some(&inside.window),
            _ => None,
        }
    }
    /// The array that is read through an index, if it is one.
    pub fn gathered(&self) -> Option<&Gathered> {
        match self {
            Given::Gathered(gathered) => Some(gathered),
            _ => None,
        }
    }
}

/// A product of matrices, or of stacks of them.
pub struct Product {
    /// The operation of the program.
    pub inst: Inst,
    /// Where the factors are.
    pub factors: [usize; 2],
    /// For each axis of the product the axis of the domain.
    pub axes: Axes,
}

/// An array that is read through an index.
pub struct Gathered {
    pub slot: usize,
    /// For each axis of the array the axis of the domain; `None` for the one that the index is for.
    pub axes: Axes,
    /// What the kernel reads as the index: an array.
    pub by: usize,
    pub index: Index,
}

/// An array of indices that a kernel reads through or writes through, and the operation that it belongs to.
#[derive(Clone, Copy)]
pub struct Index {
    /// Where the indices are.
    pub slot: usize,
    /// The axis that they are for, and its extent.
    pub axis: usize,
    pub extent: usize,
    /// The operation of the program.
    pub inst: Inst,
}

/// What a kernel gives.
pub struct Made {
    pub slot: usize,
    pub kind: Output,
    /// The elements lie densely in the order of the kernel's rows and columns, which need not be that of the array's axes.
    pub layout: &'static Layout,
}

impl Made {
    /// The array, of which the kernel has written the elements.
    pub fn tensor(&self, device: &Device, buffer: Buffer) -> Tensor {
        let layout = self.layout;
        let view = View {
            buffer,
            ty: layout.ty,
            offset: 0,
            shape: layout.shape.clone(),
            strides: layout.strides.clone(),
        };
        Tensor::of(device, view)
    }
}

impl Plan {
    /// The indices that its kernels use.
    pub fn indices(&self) -> impl Iterator<Item = Index> {
        let stages = self.steps.iter().filter_map(|step| match step {
            Step::Kernel(stage) => Some(stage),
            _ => None,
        });
        stages.flat_map(|stage| stage.indices())
    }
    /// Whether there is nothing to gain. (A kernel saves arrays in between, and a part that is added in place saves an array of zeros around it.)
    pub fn is_as_written(&self) -> bool {
        !self
            .steps
            .iter()
            .any(|step| matches!(step, Step::Kernel(_) | Step::Add(_)))
    }
}

impl Stage {
    /// Which input is the array of a slot, if the array has the shape of the points and the kernel is a map that reads it element by element.
    pub fn takes(&self, slot: usize, shape: &Dims) -> Option<usize> {
        let is_map = self.reduced.is_none()
            && self.domain == *shape
            && self.outputs.iter().all(|made| made.kind == Output::Points);
        let is_plain =
            |given: &Given| matches!(given, Given::Slot(..) | Given::Number(_) | Given::Hidden(_));
        if !is_map || !self.inputs.iter().all(is_plain) {
            return None;
        }
        let mut own = (0..self.inputs.len()).filter(|&n| self.inputs[n].slot() == Some(slot));
        let (input, None) = (own.next()?, own.next()) else {
            return None;
        };
        let axes = self.inputs[input].axes()?;
        let in_order = |(k, place): (usize, &Option<usize>)| *place == Some(k) || shape[k] == 1;
        { axes.iter().enumerate() }.all(in_order).then_some(input)
    }
    /// How many arrays and numbers it reads and writes. One that is read in several windows is one.
    pub fn arrays(&self) -> usize {
        let mut windowed = FxHashSet::default();
        let read = self.inputs.iter().map(|given| match given {
            Given::Windowed(own) => usize::from(windowed.insert(own.slot)),
            Given::Inside(_) => 0,
            given => given.slots().len().max(1),
        });
        read.sum::<usize>() + self.outputs.len()
    }
    /// The indices that it uses.
    pub fn indices(&self) -> impl Iterator<Item = Index> {
        let gathered = self.inputs.iter().filter_map(Given::gathered);
        gathered.map(|own| own.index).chain(self.scattered)
    }
    /// The kernel for arrays whose elements lie in memory in these steps.
    pub fn kernel(&self, strides: &[Dims]) -> Result<Kernel> {
        let mut strides = strides.iter();
        let mut inputs = Vec::new();
        for (given, &param) in self.inputs.iter().zip(self.body.params()) {
            let ty = self.body.ty(param);
            let mut steps = SmallVec::from_elem(0, self.domain.len());
            let mut gather = None;
            let window = given.window().map(|window| window.places(&self.domain));
            if let Some(axes) = given.axes() {
                let strides = strides
                    .next()
                    .ok_or_else(|| Error::Internal("an array too few".into()))?;
                for (axis, place) in axes.iter().enumerate() {
                    if let Some(place) = place {
                        steps[*place] = strides[axis] as isize;
                    }
                }
                if let Given::Gathered(gathered) = given {
                    gather = Some(Gather {
                        by: gathered.by,
                        step: strides[gathered.index.axis] as isize,
                        extent: gathered.index.extent,
                    });
                }
            }
            inputs.push(Input {
                ty,
                steps,
                window,
                gather,
            });
        }
        let outputs = self.outputs.iter().map(|made| made.kind).collect();
        Ok(rectangle(
            &self.domain,
            self.reduced,
            inputs,
            outputs,
            self.body.clone(),
        ))
    }
}

/// Makes a plan for a device from what rehearsing the cluster has given. `shapes` has the arrays of the rehearsal.
pub fn make(
    cluster: &Cluster,
    device: &Device,
    shapes: &ArrayHost,
    values: &Values,
) -> Result<Plan> {
    let nodes = Nodes::new(cluster, device, shapes, values)?;
    let mut dear = FxHashSet::default();
    // What is computed twice is wanted, which may let something else be computed once more.
    for _ in 0..4 {
        let planner = Planner::plan(cluster, device, &nodes, &dear)?;
        let again = planner.computed_twice();
        if again.is_subset(&dear) {
            return planner.finish();
        }
        dear.extend(again);
    }
    Planner::plan(cluster, device, &nodes, &dear)?.finish()
}

/// Numbers are read as late as may be. A device waits at a read until all is done that was recorded before, and what comes after the last read is
/// submitted in its own time.
fn numbers_late(steps: Vec<Step>, function: &Function) -> Vec<Step> {
    let (mut ordered, mut waiting) = (Vec::with_capacity(steps.len()), Vec::new());
    for step in steps {
        let is_used =
            |number: &Step| matches!(number, Step::Number(value, _) if step.uses(*value, function));
        let (now, later): (Vec<Step>, Vec<Step>) = waiting.into_iter().partition(is_used);
        ordered.extend(now);
        waiting = later;
        match step {
            Step::Number(..) => waiting.push(step),
            _ => ordered.push(step),
        }
    }
    ordered.extend(waiting);
    ordered
}

/// A wanted node of a kernel: with the axes of the domain that its axes are, and as what it is given.
type Member = (NodeId, Axes, Output);

/// A kernel in the making.
struct Group {
    domain: Dims,
    reduced: Option<usize>,
    /// Its place among the steps.
    place: usize,
    /// The wanted nodes.
    members: Vec<Member>,
    /// Whether it reads arrays in windows: then it reduces nothing.
    windows: bool,
}

/// A step in the making.
enum Draft {
    Step(Box<Step>),
    Group(usize),
}

struct Planner<'a> {
    cluster: &'a Cluster,
    device: &'a Device,
    nodes: &'a Nodes,
    dear: &'a FxHashSet<NodeId>,
    steps: Vec<Draft>,
    /// Steps that are done as soon as what they read is there, so that kernels which were begun before can read their results: after how many of
    /// `steps` each is done.
    early: Vec<(usize, Step)>,
    groups: Vec<Group>,
    /// Where a node's array is, and after how many steps.
    slots: FxHashMap<NodeId, (usize, usize)>,
    /// In which group a node is made, if it is no total.
    home: FxHashMap<NodeId, usize>,
    count: usize,
    /// After how many steps a number is known.
    numbers: FxHashMap<Value, usize>,
}

/// What a kernel must be like for a node.
struct Frame {
    domain: Dims,
    reduced: Option<usize>,
    axes: Axes,
    output: Output,
    /// Whether the kernel reads arrays in windows.
    windows: bool,
}

/// A kernel reads no more arrays, whatever the device allows.
const MOST_INPUTS: usize = 24;

/// What costs more than this is not computed for each of many points that have it in common.
const CHEAP: usize = 6;

/// What costs more than this at a point is not computed twice.
const DEAR: usize = 24;

impl<'a> Planner<'a> {
    fn plan(
        cluster: &'a Cluster,
        device: &'a Device,
        nodes: &'a Nodes,
        dear: &'a FxHashSet<NodeId>,
    ) -> Result<Planner<'a>> {
        let mut planner = Planner {
            cluster,
            device,
            nodes,
            dear,
            steps: Vec::new(),
            early: Vec::new(),
            groups: Vec::new(),
            slots: FxHashMap::default(),
            home: FxHashMap::default(),
            count: 0,
            numbers: FxHashMap::default(),
        };
        let function = &cluster.function;
        for &param in function.params() {
            if let Some(&node) = nodes.of.get(&param) {
                let slot = planner.slot(node, 0);
                planner
                    .steps
                    .push(Draft::Step(Box::new(Step::Take(param, slot))));
            }
        }
        let taken = planner.steps.len();
        planner
            .slots
            .values_mut()
            .for_each(|(_, ready)| *ready = taken);
        let written: FxHashSet<Inst> = nodes.written.iter().copied().collect();
        for &inst in &function.blocks[function.entry()].insts {
            if let Some(&node) = nodes.read.get(&inst) {
                let slot = planner.want(node)?;
                let value = function.insts[inst].result;
                planner
                    .steps
                    .push(Draft::Step(Box::new(Step::Number(value, slot))));
                planner.numbers.insert(value, planner.steps.len());
            } else if written.contains(&inst) {
                planner.written(inst)?;
            }
        }
        Ok(planner)
    }

    fn slot(&mut self, node: NodeId, ready: usize) -> usize {
        self.count += 1;
        self.slots.insert(node, (self.count - 1, ready));
        self.count - 1
    }

    /// A part goes into an array where an instruction says.
    fn added(&mut self, place: Inst, whole: NodeId, part: NodeId, result: NodeId) -> Result<()> {
        let (whole, part) = (self.want(whole)?, self.want(part)?);
        let slot = self.slot(result, self.steps.len() + 1);
        let added = Box::new(Added {
            place,
            whole,
            part,
            slot,
            is_last: false,
        });
        self.steps.push(Draft::Step(Box::new(Step::Add(added))));
        Ok(())
    }

    /// An operation that is done as it is written: what it reads is in memory before.
    fn written(&mut self, inst: Inst) -> Result<()> {
        let function = &self.cluster.function;
        let row = &function.insts[inst];
        if let Some(&place) = self.nodes.additions.get(&inst) {
            let placed = function.insts[place].result;
            let given = || Error::Internal("a sum of a part and nothing".into());
            let whole = row.args.iter().find(|&&arg| arg != placed);
            let part = function.insts[place].args[0];
            let node = |value: Value| self.nodes.of.get(&value).copied().ok_or_else(given);
            let (whole, part, sum) = (
                node(*whole.ok_or_else(given)?)?,
                node(part)?,
                node(row.result)?,
            );
            return self.added(place, whole, part, sum);
        }
        let given = self.nodes.of.get(&row.result).copied();
        if row.op == Op::Call(HostOp::ReplaceAxis.into())
            && let Some(result) = given
            && let Some(&whole) = self.nodes.of.get(&row.args[0])
            && let Some(&part) = self.nodes.of.get(&row.args[5])
        {
            return self.added(inst, whole, part, result);
        }
        let mut lent = SmallVec::new();
        for &arg in &row.args {
            if let Some(&node) = self.nodes.of.get(&arg) {
                lent.push((arg, self.want(node)?));
            }
        }
        let ready = self.steps.len() + 1;
        self.numbers.insert(row.result, ready);
        let taken = given.map(|node| self.slot(node, ready));
        let written = Box::new(Written { inst, lent, taken });
        self.steps
            .push(Draft::Step(Box::new(Step::Operation(written))));
        Ok(())
    }

    /// After how many steps a node is in memory, for one that is in some kernel or before.
    fn ready(&self, node: NodeId) -> usize {
        self.slots.get(&node).map_or(0, |(_, ready)| *ready)
    }

    /// Sees to it that a node is in memory; gives where.
    fn want(&mut self, node: NodeId) -> Result<usize> {
        if let Some(&(slot, _)) = self.slots.get(&node) {
            return Ok(slot);
        }
        let row = &self.nodes.all[node];
        match &row.def {
            Def::Given => Err(Error::Internal("a cluster reads what nothing gives".into())),
            Def::View { arg, axes } => {
                let of = self.want(*arg)?;
                let ready = self.ready(*arg);
                let slot = self.slot(node, ready);
                let seen = Seen {
                    slot,
                    of,
                    shape: row.shape.clone(),
                    axes: axes.clone(),
                    layout: OnceLock::new(),
                };
                self.early.push((ready, Step::View(seen)));
                Ok(slot)
            }
            // Whoever wants it in memory wants no copy.
            Def::Parts { axis, parts } if row.is_slice() => {
                let (axis, part) = (*axis, &parts[0]);
                let of = self.want(part.of)?;
                let ready = self.ready(part.of);
                let slot = self.slot(node, ready);
                let sliced = Sliced {
                    slot,
                    of,
                    axis,
                    from: part.from,
                    count: part.at.len(),
                };
                self.early.push((ready, Step::Slice(sliced)));
                Ok(slot)
            }
            Def::Fill(with) => {
                let slot = self.slot(node, 0);
                let layout = Layout::new(
                    row.ty,
                    row.shape.clone(),
                    Dims::from_elem(0, row.shape.len()),
                );
                let filled = Filled {
                    slot,
                    with: *with,
                    layout: layout.kept(),
                };
                self.steps.push(Draft::Step(Box::new(Step::Fill(filled))));
                self.slots.insert(node, (slot, self.steps.len()));
                Ok(slot)
            }
            Def::Positions => {
                let slot = self.slot(node, 0);
                let positions = Positions {
                    slot,
                    extent: row.shape[0],
                    ty: row.ty,
                    made: OnceLock::new(),
                };
                self.early.push((0, Step::Positions(Box::new(positions))));
                Ok(slot)
            }
            Def::Map { .. }
            | Def::Reduce { .. }
            | Def::Gathered { .. }
            | Def::Scattered { .. }
            | Def::Parts { .. } => self.join(node),
        }
    }

    /// Puts a wanted node into a kernel.
    fn join(&mut self, node: NodeId) -> Result<usize> {
        loop {
            let mut frame = self.frame(node);
            if let Some((group, needs)) = self.fitting(node, &frame) {
                (frame.reduced, frame.windows) = (needs.reduced, needs.windows);
                return Ok(self.enter(node, frame, group));
            }
            // A new kernel; what it cannot compute is wanted first.
            let mut needs = Needs::new(&frame.domain, frame.reduced);
            self.needs(node, &frame.axes, None, &mut needs, true);
            frame.windows = needs.windows;
            if let Some(&missing) = needs.missing.first() {
                if missing == node {
                    return Err(Error::Internal("a node of a cluster needs itself".into()));
                }
                self.want(missing)?;
                continue;
            }
            self.steps.push(Draft::Group(self.groups.len()));
            self.groups.push(Group {
                domain: frame.domain.clone(),
                reduced: frame.reduced,
                place: self.steps.len() - 1,
                members: Vec::new(),
                windows: false,
            });
            return Ok(self.enter(node, frame, self.groups.len() - 1));
        }
    }

    fn enter(&mut self, node: NodeId, frame: Frame, group: usize) -> usize {
        let place = self.groups[group].place;
        let slot = self.slot(node, place + 1);
        if frame.output.total().is_none() {
            self.home.insert(node, group);
        }
        let own = &mut self.groups[group];
        own.reduced = own.reduced.or(frame.reduced);
        own.windows |= frame.windows;
        own.members.push((node, frame.axes, frame.output));
        slot
    }

    /// The last kernel that can compute a node besides, and the axis along which it reduces then: it computes for itself what is in memory
    /// only later, and that may be a reduction which the node would read elsewhere.
    fn fitting(&self, node: NodeId, frame: &Frame) -> Option<(usize, Needs)> {
        if frame.output.scatter().is_some() {
            return None;
        }
        (0..self.groups.len()).rev().find_map(|number| {
            let group = &self.groups[number];
            if group
                .members
                .iter()
                .any(|(.., output)| output.scatter().is_some())
            {
                return None;
            }
            let reduced = match (group.reduced, frame.reduced) {
                (Some(a), Some(b)) if a != b => return None,
                (a, b) => a.or(b),
            };
            // Without the axes of the rows a total along them is none.
            if group.domain != frame.domain {
                return None;
            }
            let mut needs = Needs::new(&frame.domain, reduced);
            self.needs(node, &frame.axes, Some(number), &mut needs, true);
            let fits = needs.missing.is_empty()
                && !(group.windows && needs.reduced.is_some())
                && needs.after <= group.place
                && self.has_room(number, needs.arrays.len());
            fits.then_some((number, needs))
        })
    }

    /// Whether a kernel may read so many arrays more, and write one.
    fn has_room(&self, group: usize, more: usize) -> bool {
        let read = self.arrays_of(group) + more;
        let written = self.groups[group].members.len() + 1;
        read <= MOST_INPUTS && read + written <= self.device.backend().most_arrays()
    }

    fn arrays_of(&self, group: usize) -> usize {
        let own = &self.groups[group];
        let mut needs = Needs::new(&own.domain, own.reduced);
        for (node, axes, _) in &own.members {
            self.needs(*node, axes, Some(group), &mut needs, true);
        }
        needs.arrays.len()
    }

    /// What kernel a node asks for.
    fn frame(&self, node: NodeId) -> Frame {
        let row = &self.nodes.all[node];
        let all = |shape: &Dims| -> Axes { axes_of(shape) };
        match &row.def {
            Def::Reduce {
                arg,
                axis: Some(axis),
                ..
            } => {
                let domain = self.nodes.all[*arg].shape.clone();
                let axes = all(&domain);
                let own = (0..domain.len())
                    .filter(|k| k != axis)
                    .map(|k| axes[k])
                    .collect();
                Frame {
                    domain,
                    reduced: Some(*axis),
                    axes: own,
                    output: Output::Rows,
                    windows: false,
                }
            }
            Def::Reduce {
                combine,
                arg,
                axis: None,
            } => {
                let frame = self.points(*arg);
                Frame {
                    // The node itself has no axes.
                    output: match frame.output {
                        Output::Rows => Output::RowTotal(*combine),
                        _ => Output::Total(*combine),
                    },
                    ..frame
                }
            }
            Def::Scattered { of, axis, .. } => {
                let domain = self.nodes.all[*of].shape.clone();
                let scatter = Scatter {
                    // `stage` sets the number of the input once the body is written.
                    by: 0,
                    extent: row.shape[*axis],
                    // Elements that are neighbours along the last axis are neighbours in memory as a rule, and are added together.
                    across: axis + 1 < domain.len(),
                };
                Frame {
                    axes: all(&domain),
                    domain,
                    reduced: Some(*axis),
                    output: Output::Scattered(scatter),
                    windows: false,
                }
            }
            _ => self.points(node),
        }
    }

    /// The kernel for all elements of a node: with more axes, if the node is made of reductions of more.
    fn points(&self, node: NodeId) -> Frame {
        let shape = self.nodes.all[node].shape.clone();
        if let Some((domain, axis, axes)) = self.above(node, &axes_of(&shape), &shape, 0) {
            return Frame {
                domain,
                reduced: Some(axis),
                axes,
                output: Output::Rows,
                windows: false,
            };
        }
        let mut needs = Needs::new(&shape, None);
        let axes = axes_of(&shape);
        let in_memory = self.slots.contains_key(&node);
        self.needs(node, &axes, None, &mut needs, !in_memory);
        Frame {
            domain: shape,
            reduced: needs.reduced,
            axes,
            output: Output::Points,
            windows: false,
        }
    }

    /// The domain and the axis of a reduction that an array of this shape is made of element by element, and that is not in memory; and
    /// which axes of the domain those of the array are then. `axes` are those of the node in the array.
    fn above(
        &self,
        node: NodeId,
        axes: &Axes,
        shape: &Dims,
        depth: usize,
    ) -> Option<(Dims, usize, Axes)> {
        if self.slots.contains_key(&node) || depth > 64 {
            return None;
        }
        let row = &self.nodes.all[node];
        match &row.def {
            Def::Reduce {
                arg,
                axis: Some(axis),
                ..
            } => {
                let all = row.shape.iter().product::<usize>() == shape.iter().product::<usize>();
                let mut own = Axes::from_elem(None, shape.len());
                for (k, place) in axes.iter().enumerate() {
                    let place = place.filter(|&place| shape[place] == row.shape[k]);
                    match place {
                        Some(place) => own[place] = Some(if k < *axis { k } else { k + 1 }),
                        None if row.shape[k] == 1 => {}
                        None => return None,
                    }
                }
                all.then(|| (self.nodes.all[*arg].shape.clone(), *axis, own))
            }
            Def::Map { args, .. } => args.iter().find_map(|arg| match arg {
                Arg::Node(arg) => {
                    let own = self.argument_axes(node, *arg, axes);
                    self.above(*arg, &own, shape, depth + 1)
                }
                _ => None,
            }),
            Def::View { arg, axes: from } => {
                let own = seen_axes(self.nodes.all[*arg].shape.len(), from, axes);
                self.above(*arg, &own, shape, depth + 1)
            }
            _ => None,
        }
    }

    /// The axes of a map's argument, which is broadcast to the map's shape.
    fn argument_axes(&self, node: NodeId, arg: NodeId, axes: &Axes) -> Axes {
        let shape = &self.nodes.all[arg].shape;
        let lead = self.nodes.all[node].shape.len() - shape.len();
        let own = shape.iter().enumerate().map(|(k, &extent)| match extent {
            1 => None,
            _ => axes[lead + k],
        });
        own.collect()
    }

    /// Collects what computing a node within a kernel needs: in the one of that number, or in a new one.
    fn needs(
        &self,
        node: NodeId,
        axes: &Axes,
        group: Option<usize>,
        needs: &mut Needs,
        root: bool,
    ) {
        if !root {
            match self.slots.get(&node) {
                Some(&(slot, ready)) if self.is_read(node, ready, group) => {
                    needs.arrays.insert((slot, None));
                    needs.after = needs.after.max(ready);
                    return;
                }
                None if self.dear.contains(&node) => {
                    needs.missing.push(node);
                    return;
                }
                _ => {}
            }
        }
        if !needs.seen.insert((node, axes.clone(), root, needs.is_part)) {
            return;
        }
        let row = &self.nodes.all[node];
        match &row.def {
            Def::Given | Def::Positions => needs.missing.push(node),
            Def::Gathered { .. } if needs.is_part => needs.missing.push(node),
            Def::Gathered { of, index, .. } => {
                let read = |node: NodeId| {
                    let &(slot, ready) = self.slots.get(&node)?;
                    self.is_read(node, ready, group).then_some((slot, ready))
                };
                match (read(*of), read(*index)) {
                    (Some((of, ready)), Some((index, known))) => {
                        needs.arrays.extend([(index, None), (of, Some(index))]);
                        needs.after = needs.after.max(ready).max(known);
                    }
                    (None, _) => needs.missing.push(*of),
                    (_, None) => needs.missing.push(*index),
                }
            }
            // It has a kernel of its own.
            Def::Scattered { .. } if !root => needs.missing.push(node),
            Def::Scattered { of, index, .. } => {
                needs.scatters = true;
                match self.slots.get(index) {
                    Some(&(slot, ready)) => {
                        needs.arrays.insert((slot, None));
                        needs.after = needs.after.max(ready);
                    }
                    None => needs.missing.push(*index),
                }
                self.needs(*of, axes, group, needs, false);
            }
            // A kernel with windows reduces no rows.
            Def::Parts { .. } if needs.reduced.is_some() || needs.scatters => {
                needs.missing.push(node);
            }
            Def::Parts { parts, .. } => {
                needs.windows = true;
                for part in parts {
                    self.needs_part(part.of, axes, group, needs);
                }
            }
            Def::Fill(with) => self.needs_arg(with, needs),
            Def::View { arg, axes: from } => {
                let own = seen_axes(self.nodes.all[*arg].shape.len(), from, axes);
                self.needs(*arg, &own, group, needs, false);
            }
            Def::Map { function, .. } if needs.is_part && cost(function) > CHEAP => {
                needs.missing.push(node);
            }
            Def::Map { function, .. }
                if !root && self.is_repeated(node, axes, needs) && cost(function) > CHEAP =>
            {
                needs.missing.push(node);
            }
            Def::Map { args, .. } => {
                for arg in args {
                    match arg {
                        Arg::Node(arg) => {
                            let own = self.argument_axes(node, *arg, axes);
                            self.needs(*arg, &own, group, needs, false);
                        }
                        number => self.needs_arg(number, needs),
                    }
                }
            }
            // Only as a total, and then its argument has the axes.
            Def::Reduce {
                arg, axis: None, ..
            } if root => self.needs(*arg, axes, group, needs, false),
            Def::Reduce { axis: None, .. } => needs.missing.push(node),
            Def::Reduce { .. } if needs.scatters || needs.windows => needs.missing.push(node),
            Def::Reduce {
                arg,
                axis: Some(axis),
                ..
            } => match self.reduced_axes(*arg, *axis, axes, needs) {
                Some(own) => self.needs(*arg, &own, group, needs, false),
                None => needs.missing.push(node),
            },
        }
    }

    /// What a part of an array needs: it is in memory, or costs little, because a kernel may read it in several windows. Parts of what is computed in
    /// parts are parts of arrays in memory, or there would be ever more windows.
    fn needs_part(&self, of: NodeId, axes: &Axes, group: Option<usize>, needs: &mut Needs) {
        let is_within = std::mem::replace(&mut needs.is_part, true);
        let mut end = of;
        loop {
            match &self.nodes.all[end].def {
                _ if self.slots.contains_key(&end) => break,
                Def::View { arg, .. } => end = *arg,
                Def::Parts { parts, .. } if parts.len() == 1 => end = parts[0].of,
                _ => break,
            }
        }
        let is_there = self.slots.contains_key(&end);
        match is_there || !is_within || matches!(self.nodes.all[end].def, Def::Fill(_)) {
            true => self.needs(of, axes, group, needs, false),
            false => needs.missing.push(end),
        }
        needs.is_part = is_within;
    }

    /// Whether a kernel reads a node from memory: it does not make it itself, and it is there before. What comes to be in memory later, the
    /// kernel computes for itself.
    fn is_read(&self, node: NodeId, ready: usize, group: Option<usize>) -> bool {
        let Some(group) = group else { return true };
        self.home.get(&node) != Some(&group) && ready <= self.groups[group].place
    }

    /// Whether a kernel would compute each element of a node for many points, and not once for each row.
    fn is_repeated(&self, node: NodeId, axes: &Axes, needs: &Needs) -> bool {
        let columns = needs.reduced.or(needs.domain.len().checked_sub(1));
        let count: usize = self.nodes.all[node].shape.iter().product();
        columns.is_some() && axes.contains(&columns) && 2 * count <= needs.points
    }

    fn needs_arg(&self, arg: &Arg, needs: &mut Needs) {
        if let Arg::Number(value) = arg {
            let ready = self.numbers.get(value).copied().unwrap_or(0);
            needs.after = needs.after.max(ready);
        }
    }

    /// The axes of what is reduced: those of the reduction, and the axis along which the kernel reduces, if they fit.
    fn reduced_axes(
        &self,
        arg: NodeId,
        axis: usize,
        axes: &Axes,
        needs: &mut Needs,
    ) -> Option<Axes> {
        let shape = &self.nodes.all[arg].shape;
        let taken: BTreeSet<usize> = axes.iter().flatten().copied().collect();
        let along = match needs.reduced {
            Some(along) if !taken.contains(&along) => along,
            Some(_) => return None,
            None => {
                let mut free = (0..needs.domain.len()).filter(|k| !taken.contains(k));
                let along = free.next()?;
                if free.next().is_some() {
                    return None;
                }
                along
            }
        };
        // The kernel's rows are the reduction's: nothing is repeated, and nothing is left out.
        let rows_fit = axes.iter().enumerate().all(|(k, place)| {
            let own = if k < axis { k } else { k + 1 };
            place.is_some() || shape[own] == 1
        });
        let extents_fit = axes.iter().enumerate().all(|(k, place)| {
            let own = if k < axis { k } else { k + 1 };
            place.is_none_or(|place| needs.domain[place] == shape[own])
        });
        if !rows_fit || !extents_fit || needs.domain[along] != shape[axis] {
            return None;
        }
        needs.reduced = Some(along);
        let mut own = axes.clone();
        own.insert(axis, Some(along));
        Some(own)
    }

    /// The dear nodes that more than one kernel computes.
    fn computed_twice(&self) -> FxHashSet<NodeId> {
        let mut kernels: BTreeMap<NodeId, BTreeSet<usize>> = BTreeMap::new();
        for (number, group) in self.groups.iter().enumerate() {
            let mut needs = Needs::new(&group.domain, group.reduced);
            for (node, axes, _) in &group.members {
                self.needs(*node, axes, Some(number), &mut needs, true);
            }
            for (node, ..) in &needs.seen {
                if let Def::Map { function, .. } = &self.nodes.all[*node].def
                    && cost(function) > DEAR
                {
                    kernels.entry(*node).or_default().insert(number);
                }
            }
        }
        let twice = kernels.into_iter().filter(|(_, kernels)| kernels.len() > 1);
        twice.map(|(node, _)| node).collect()
    }

    /// Writes the kernels, and says when an array is not needed any more.
    fn finish(self) -> Result<Plan> {
        let mut steps = Vec::new();
        let mut last: BTreeMap<usize, usize> = BTreeMap::new();
        let mut finished: Vec<Option<Vec<Step>>> = Vec::new();
        for number in 0..self.groups.len() {
            finished.push(Some(self.kernel(number)?));
        }
        let mut early = self.early;
        early.sort_by_key(|(after, _)| *after);
        let mut early = early.into_iter().peekable();
        for (number, draft) in self.steps.into_iter().enumerate() {
            while let Some((_, step)) = early.next_if(|(after, _)| *after <= number) {
                steps.push(step);
            }
            match draft {
                Draft::Step(step) => steps.push(*step),
                Draft::Group(group) => {
                    let gone = || Error::Internal("a kernel of a cluster twice".into());
                    steps.extend(finished[group].take().ok_or_else(gone)?);
                }
            }
        }
        steps.extend(early.map(|(_, step)| step));
        let mut steps = numbers_late(steps, &self.cluster.function);
        products::join(&mut steps, self.cluster, self.nodes, self.device);
        for (place, step) in steps.iter().enumerate() {
            for slot in step.slots() {
                last.insert(slot, place);
            }
        }
        for (place, step) in steps.iter_mut().enumerate() {
            if let Step::Add(added) = step {
                added.is_last = last.get(&added.whole) == Some(&place);
            }
        }
        // A single node may read more arrays than the device allows: then the plan has no kernel, and all is done as it is written.
        let most = self.device.backend().most_arrays();
        let is_too_wide = |step: &Step| match step {
            Step::Kernel(stage) => stage.arrays() > most,
            _ => false,
        };
        let steps = match steps.iter().any(is_too_wide) {
            true => Vec::new(),
            false => steps,
        };
        let mut ends: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        last.into_iter()
            .for_each(|(slot, place)| ends.entry(place).or_default().push(slot));
        let mut ordered = Vec::new();
        for (place, step) in steps.into_iter().enumerate() {
            ordered.push(step);
            let ended = ends.remove(&place).unwrap_or_default();
            ordered.extend(ended.into_iter().map(Step::Forget));
        }
        let function = &self.cluster.function;
        let known = self
            .nodes
            .known
            .iter()
            .filter_map(|(&value, &c)| Some((value, to_bits(c, function.ty(value))?)));
        Ok(Plan {
            steps: ordered,
            slots: self.count,
            known: known.collect(),
        })
    }

    /// A kernel, written; and the views of its results that are equal to others. Cotangents of the terms of a sum, for instance, are.
    fn kernel(&self, number: usize) -> Result<Vec<Step>> {
        let group = &self.groups[number];
        let mut body = Body::new(self, number);
        let mut results = Vec::new();
        let mut scattered = None;
        let everywhere = Window::default();
        for (node, axes, kind) in &group.members {
            let value = match (&self.nodes.all[*node].def, kind) {
                (Def::Reduce { arg, .. }, Output::Total(_) | Output::RowTotal(_)) => {
                    body.node(*arg, axes, &everywhere, false)?
                }
                (
                    Def::Scattered {
                        of,
                        index,
                        inst,
                        axis,
                    },
                    Output::Scattered(scatter),
                ) => {
                    let slot = self.slots.get(index).ok_or_else(unread)?.0;
                    let extent = scatter.extent;
                    let (axis, inst) = (*axis, *inst);
                    let ty = self.nodes.all[*index].ty;
                    let by = body.array(slot, axes, &everywhere, ty);
                    let index = Index {
                        slot,
                        axis,
                        extent,
                        inst,
                    };
                    scattered = Some((body.number_of(by)?, index));
                    body.node(*of, axes, &everywhere, false)?
                }
                _ => body.node(*node, axes, &everywhere, true)?,
            };
            results.push(value);
        }
        let (members, values, again) = self.distinct(group, &results);
        let function = body.writer.finish(&values);
        // Where the first axis is reduced, the points of a column are neighbours in the array. A kernel can write them in this order unless some of
        // them wait for a reduction.
        let across = group.reduced == Some(0) && !waits(&function, &members);
        let mut outputs = Vec::new();
        for (node, axes, kind) in &members {
            let row = &self.nodes.all[*node];
            let kind = match (*kind, scattered) {
                (Output::Points, _) if across => Output::Across,
                (Output::Scattered(scatter), Some((by, _))) => {
                    Output::Scattered(Scatter { by, ..scatter })
                }
                (kind, _) => kind,
            };
            // The elements lie in the order of the rows, and within a row in that of the columns; or the other way round.
            let mut order: Vec<usize> = (0..group.domain.len()).collect();
            let mut extents = group.domain.clone();
            if let Some(axis) = group.reduced.filter(|_| kind != Output::Across) {
                order.retain(|&k| k != axis);
                match kind {
                    Output::Points => order.push(axis),
                    Output::Scattered(Scatter { extent, across, .. }) => {
                        extents[axis] = extent;
                        order.insert(if across { 0 } else { order.len() }, axis);
                    }
                    _ => {}
                }
            }
            let strides = match kind {
                Output::Total(_) | Output::RowTotal(_) => Dims::from_elem(0, row.shape.len()),
                Output::Points | Output::Across | Output::Rows | Output::Scattered(_) => {
                    let extents: Dims = order.iter().map(|&k| extents[k]).collect();
                    let steps = dense_strides(&extents);
                    let place = |k: &Option<usize>| order.iter().position(|o| Some(*o) == *k);
                    let step = |k| place(k).map_or(0, |place| steps[place]);
                    axes.iter().map(step).collect()
                }
            };
            let layout = Layout::new(row.ty, row.shape.clone(), strides).kept();
            outputs.push(Made {
                slot: self.slots[node].0,
                kind,
                layout,
            });
        }
        let is_small = self.device.is_cpu() && outputs.iter().all(|made| made.layout.is_small());
        let words = outputs.iter().map(|made| made.layout.bytes.div_ceil(8));
        let stage = Stage {
            domain: group.domain.clone(),
            reduced: group.reduced,
            inputs: body.inputs,
            room: is_small.then(|| words.sum()),
            outputs,
            scattered: scattered.map(|(_, index)| index),
            body: Arc::new(function),
            ready: OnceLock::new(),
        };
        let mut steps = vec![Step::Kernel(Box::new(stage))];
        steps.extend(again);
        Ok(steps)
    }

    /// The members of a group whose values are different, and these values; and views of them for the others. (Small arrays are written again: plans of
    /// small arrays give each result a place of its own.)
    fn distinct(&self, group: &Group, results: &[Value]) -> (Vec<Member>, Vec<Value>, Vec<Step>) {
        let (mut members, mut values, mut again): (Vec<Member>, _, _) =
            (Vec::new(), Vec::new(), Vec::new());
        for (member, &value) in group.members.iter().zip(results) {
            let (node, axes, kind) = member;
            let row = &self.nodes.all[*node];
            let bytes = row.shape.iter().product::<usize>() * row.ty.size().unwrap_or(8);
            let same = members.iter().zip(&values).find(|&(other, &made)| {
                let is_same = made == value && other.1 == *axes && other.2 == *kind;
                is_same && self.nodes.all[other.0].shape == row.shape && bytes > SMALL
            });
            match same {
                Some(((other, ..), _)) => again.push(Step::View(Seen {
                    slot: self.slots[node].0,
                    of: self.slots[other].0,
                    shape: row.shape.clone(),
                    axes: axes_of(&row.shape),
                    layout: OnceLock::new(),
                })),
                None => {
                    members.push(member.clone());
                    values.push(value);
                }
            }
        }
        (members, values, again)
    }
}

/// Whether a point that a kernel with this body gives waits for a reduction.
fn waits(body: &Function, members: &[Member]) -> bool {
    let outputs: Vec<Output> = members.iter().map(|&(.., kind)| kind).collect();
    let kernel = Kernel {
        rows: PerAxis::from_elem(1, 1),
        columns: 1,
        inputs: Vec::new(),
        outputs,
        body: Arc::new(body.clone()),
    };
    let known = kernel.known();
    let points = kernel.results().iter().zip(&kernel.outputs);
    { points }.any(|(value, kind)| *kind == Output::Points && known[value.index()].phase > 0)
}

/// The axes of an array whose shape is the domain's. Axes of extent 1 are axes of it too.
fn axes_of(shape: &Dims) -> Axes {
    (0..shape.len()).map(Some).collect()
}

/// The axes of what a view sees, from those of the view.
fn seen_axes(rank: usize, from: &Axes, axes: &Axes) -> Axes {
    let mut own = Axes::from_elem(None, rank);
    for (place, source) in axes.iter().zip(from) {
        if let Some(source) = source {
            own[*source] = *place;
        }
    }
    own
}

/// What a node needs to be computed within a kernel.
struct Needs {
    domain: Dims,
    points: usize,
    /// The axis along which the kernel reduces.
    reduced: Option<usize>,
    /// Arrays in memory, each with the index through which it is read, if there is one.
    arrays: BTreeSet<(usize, Option<usize>)>,
    /// Whether the kernel scatters: then it reduces nothing.
    scatters: bool,
    /// Whether it reads arrays in windows: then it reduces no rows.
    windows: bool,
    /// Whether what is looked at now is a part of an array.
    is_part: bool,
    /// They and all numbers are there after so many steps.
    after: usize,
    /// What has to be in memory and is not.
    missing: Vec<NodeId>,
    seen: FxHashSet<(NodeId, Axes, bool, bool)>,
}

impl Needs {
    fn new(domain: &Dims, reduced: Option<usize>) -> Needs {
        Needs {
            domain: domain.clone(),
            points: domain.iter().product(),
            reduced,
            scatters: false,
            windows: false,
            is_part: false,
            arrays: BTreeSet::new(),
            after: 0,
            missing: Vec::new(),
            seen: FxHashSet::default(),
        }
    }
}

fn unread() -> Error {
    Error::Internal("a kernel reads what nothing gives".into())
}

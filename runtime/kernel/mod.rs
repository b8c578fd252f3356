//! The kernel IR: what the array engine computes in one go.
//!
//! A [`Kernel`] is a rectangle of **points**, rows by columns. Its body is a scalar function of the inputs at a point, written in the
//! IR that rules are written in. Within the body a reduction over the columns of a row is a call: `row.sum(x)`, `row.max(x)`. So a
//! softmax is one kernel: its body takes the maximum of the row, the exponentials, their sum, and the quotients.
//!
//! **Axes.** `rows` are the extents of the parallel axes, the last one changes fastest; `columns` is the extent of the axis along which
//! reductions go. A kernel without reductions uses the axes as it likes. No extent is 0.
//!
//! **Inputs** are views: a step in elements for each axis of the rows and, last, for the columns. A step of 0 repeats an element. A step
//! may be negative. Where an input begins is said when the kernel is run.
//!
//! **Gathered inputs** are read through an index ([`Gather`]): besides its steps, so many elements further for each of the index, which
//! is the element of an earlier input at the point. An index out of range is a fault, and a run looks at all of them before it reads, also where
//! the body has no use for the element.
//!
//! **Inputs with a window** have elements at the points of a smaller rectangle alone; elsewhere they are 0 ([`Input::window`]). Their steps are counted
//! from the first point of the window. So arrays that stand beside each other in a larger one, or shifted against each other, are read where they are.
//! A kernel with windows reduces nothing along its rows: whoever runs it may cut the rectangle where windows begin and end.
//!
//! **Levels.** A value of the body is known for all points together, for a row, or for a point ([`Level`]): an input by its steps
//! and its index, the result of a reduction for its row, everything else as its arguments.
//!
//! **Outputs** are the fields of the tuple that the body returns ([`Output`]): one element for each point, one for each row, or one in
//! all, which is combined of all points or of all rows. They are dense, in the order of the axes; points that are written **across** have the columns
//! as their first axis, so that neighbours in a reduction along the first axis of an array stay where the array has them.
//!
//! **Scattered outputs** ([`Scatter`]) are sums of points: each point is added to the element of its row that an index chooses, and the points of a row
//! are added in the order of the columns. No two rows have an element in common, so rows are computed in any order. A kernel that scatters has this one
//! output and no reductions. An index out of range is a fault.
//!
//! **Text.** A kernel prints as a head and its body, and parses back to an equal one:
//!
//! ```text
//! kernel rows 1024 columns 512
//!   input f32 steps 512 1
//!   input u32 steps 1 0
//!   input f32 steps 0 1 by 1 step 512 below 30
//!   output points
//!   output total sum
//! fn @body(%0: f32, %1: u32, %2: f32) -> (f32, f32) {
//! b0:
//!     %3: f32 = mul %0, %2
//!     %4: f32 = call @row.sum(%3)
//!     %5: f32 = div %0, %4
//!     %6: (f32, f32) = tuple %5, %3
//!     return %6
//! }
//! ```
//!
//! The third input is a table of 30 rows: row by row the index, which is the second input, says which of them is read. An input with a window prints it
//! after its steps, as in `input f32 steps 512 1 within 0..1024 1..512`.
//!
//! A kernel says nothing about threads, lanes or workgroups: those are the business of the code generators.

mod check;
#[cfg(test)]
pub mod random;
mod reference;
mod text;

pub use check::check;
pub use reference::{Elements, run};
pub use text::parse_kernel;

use crate::arena::Id;
use crate::diag::Error;
use crate::ir::{Callee, Function, Inst, Op, Prim, Symbol, Terminator, Type, Value, ValueDef};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// One number for each axis.
pub type PerAxis<T> = SmallVec<[T; 4]>;

/// A scalar function at every point of a rectangle. See the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// The extents of the parallel axes, at least one.
    pub rows: PerAxis<usize>,
    /// The extent of the axis along which reductions go.
    pub columns: usize,
    /// One for each parameter of the body.
    pub inputs: Vec<Input>,
    /// One for each field of what the body returns.
    pub outputs: Vec<Output>,
    /// Straight-line: primitives, calls of scalar functions of packs, and of reductions. Returns a tuple of scalars.
    pub body: Arc<Function>,
}

/// What a kernel reads.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// The type of an element.
    pub ty: Type,
    /// Steps in elements, one for each axis of the rows, and last that of the columns.
    pub steps: PerAxis<isize>,
    /// If it has elements at some points alone: the places along each axis of the rows and, last, along the columns. It is 0 at all other points.
    pub window: Option<PerAxis<Range<usize>>>,
    /// If it is read through an index: how.
    pub gather: Option<Gather>,
}

impl Input {
    /// For how many places along each axis it has elements, in a kernel with these extents.
    pub fn extents(&self, rows: &[usize], columns: usize) -> PerAxis<usize> {
        match &self.window {
            Some(window) => window.iter().map(Range::len).collect(),
            None => rows.iter().copied().chain([columns]).collect(),
        }
    }
}

/// For each axis of these extents, whether a window ends along it.
pub fn ends(window: &[Range<usize>], extents: &[usize]) -> PerAxis<bool> {
    let axes = window.iter().zip(extents);
    axes.map(|(own, &extent)| *own != (0..extent)).collect()
}

/// How an input is read through an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Gather {
    /// The number of the earlier input, of type u32, whose element at a point is the index.
    pub by: usize,
    /// Elements from one index to the next.
    pub step: isize,
    /// What every index is below.
    pub extent: usize,
}

impl Gather {
    /// The fault of an index that is out of range.
    pub fn fault(&self) -> Error {
        out_of_range(self.by, self.extent)
    }
}

/// How the points of a row are added up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scatter {
    /// The number of the input, of type u32, whose element at a point is the index. It is not read through an index itself.
    pub by: usize,
    /// What every index is below: the number of elements of a row of the output.
    pub extent: usize,
    /// Whether the elements of all rows with one index lie next to each other, and not the elements of a row.
    pub across: bool,
}

impl Scatter {
    /// The fault of an index that is out of range.
    pub fn fault(&self) -> Error {
        out_of_range(self.by, self.extent)
    }
}

fn out_of_range(by: usize, extent: usize) -> Error {
    Error::Array(format!(
        "a kernel's input {by} is an index: expected indices below {extent}"
    ))
}

/// What a kernel writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Output {
    /// An element for each point; those of a row lie next to each other.
    Points,
    /// An element for each point; those of a column lie next to each other.
    Across,
    /// An element for each row.
    Rows,
    /// One element, combined of all points.
    Total(Combine),
    /// One element, combined of all rows.
    RowTotal(Combine),
    /// An element for each row and each index: the sum of the row's points with this index, 0 of none.
    Scattered(Scatter),
}

impl Output {
    /// Whether it has an element for each point.
    pub fn is_of_points(self) -> bool {
        matches!(self, Output::Points | Output::Across)
    }
    /// How it is combined, if it is one element.
    pub fn total(self) -> Option<Combine> {
        match self {
            Output::Total(combine) | Output::RowTotal(combine) => Some(combine),
            Output::Points | Output::Across | Output::Rows | Output::Scattered(_) => None,
        }
    }
    /// How it is added up, if it is a scattered one.
    pub fn scatter(self) -> Option<Scatter> {
        match self {
            Output::Scattered(scatter) => Some(scatter),
            _ => None,
        }
    }
}

/// How several elements become one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combine {
    /// Their sum, in an order that depends on nothing but the extents; of integers modulo 2³²; 0 of none.
    Sum,
    /// The greatest; NaN if one is NaN. Of none −∞, or the least integer.
    Max,
}

impl Combine {
    /// Both.
    pub const ALL: [Combine; 2] = [Combine::Sum, Combine::Max];

    /// What it is called in text.
    pub const fn name(self) -> &'static str {
        match self {
            Combine::Sum => "sum",
            Combine::Max => "max",
        }
    }
    /// The name by which a body calls the reduction over the columns.
    pub const fn callee(self) -> Callee {
        Callee::Function(match self {
            Combine::Sum => Symbol::from_static("row.sum"),
            Combine::Max => Symbol::from_static("row.max"),
        })
    }
    /// The reduction that a body calls.
    pub fn of_callee(callee: Callee) -> Option<Combine> {
        Combine::ALL.into_iter().find(|c| c.callee() == callee)
    }
    /// Whether there are elements of a type to combine.
    pub fn takes(ty: Type) -> bool {
        ty.is_float() || matches!(ty, Type::I32 | Type::U32)
    }
    /// What there is before the first element, which `f64` has exactly for each type.
    pub fn unit(self, ty: Type) -> f64 {
        match (self, ty) {
            (Combine::Sum, _) | (Combine::Max, Type::U32) => 0.0,
            (Combine::Max, Type::I32) => i32::MIN.into(),
            (Combine::Max, _) => f64::NEG_INFINITY,
        }
    }
}

/// The function `x * a + b`, rounded once, which most machines have as one instruction.
pub const MUL_ADD: Callee = Callee::Function(Symbol::from_static("mul_add"));

/// What an operation costs at a point, about, in cycles. A call is an elementary function.
pub fn cost(op: Op) -> usize {
    match op {
        Op::Call(MUL_ADD) => 1,
        Op::Const(_) | Op::Prim(Prim::Tuple | Prim::Field(_)) => 0,
        Op::Prim(Prim::Div | Prim::Sqrt | Prim::Rem) => 8,
        Op::Prim(_) => 1,
        Op::Call(_) | Op::Map(_) => 25,
    }
}

/// For how many points together a value of a body is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// For all.
    All,
    /// For those of a row.
    Row,
    /// For one.
    Point,
}

/// What is known of a value of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// For how many points.
    pub level: Level,
    /// After how many reductions one after another: a value of points of this phase is computed once all reductions of smaller phases are done.
    pub phase: usize,
}

impl Kernel {
    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.rows.iter().product()
    }
    /// The values that the body returns, one for each output.
    pub fn results(&self) -> &[Value] {
        let block = &self.body.blocks[self.body.entry()];
        let Terminator::Return(tuple) = block.terminator else {
            return &[];
        };
        self.body.def_inst(tuple).map_or(&[], |inst| &inst.args)
    }
    /// The instructions of the body in order.
    pub fn insts(&self) -> &[Inst] {
        &self.body.blocks[self.body.entry()].insts
    }
    /// The reduction that an instruction is.
    pub fn reduction(&self, inst: Inst) -> Option<Combine> {
        match self.body.insts[inst].op {
            Op::Call(callee) => Combine::of_callee(callee),
            _ => None,
        }
    }
    /// Whether a row must be computed as a whole: something is reduced along the columns, or known once a row is done.
    pub fn has_whole_rows(&self) -> bool {
        let of_rows = |output: &Output| matches!(output, Output::Rows | Output::RowTotal(_));
        let is_reduction = |&inst: &Inst| self.reduction(inst).is_some();
        self.outputs.iter().any(of_rows) || self.insts().iter().any(is_reduction)
    }
    /// Level and phase of every value of the body, by the value's index.
    pub fn known(&self) -> Vec<Known> {
        let first = Known {
            level: Level::All,
            phase: 0,
        };
        let mut known = vec![first; self.body.values.len()];
        let at = |value: Value| value.index();
        let columns = self.rows.len();
        for (n, &param) in self
            .body
            .params()
            .iter()
            .enumerate()
            .take(self.inputs.len())
        {
            let varies = |axis| self.varies(n, axis);
            known[at(param)].level = match (varies(columns), (0..columns).any(varies)) {
                (true, _) => Level::Point,
                (false, true) => Level::Row,
                (false, false) => Level::All,
            };
        }
        for &inst in self.insts() {
            let row = &self.body.insts[inst];
            let args = row.args.iter().map(|&arg| known[at(arg)]);
            let joined = args.fold(first, |a, b| Known {
                level: a.level.max(b.level),
                phase: a.phase.max(b.phase),
            });
            known[at(row.result)] = match self.reduction(inst) {
                Some(_) => Known {
                    level: Level::Row,
                    phase: joined.phase + 1,
                },
                None => joined,
            };
        }
        known
    }
    /// Whether it computes with `f64`.
    pub fn has_doubles(&self) -> bool {
        let mut values = self.body.values.iter();
        values.any(|(_, value)| value.ty == Type::F64)
    }
    /// Whether some input is read through an index, or the output is written through one, so that a run may fail.
    pub fn has_indices(&self) -> bool {
        self.inputs.iter().any(|input| input.gather.is_some()) || self.scatter().is_some()
    }
    /// How its one output is added up, if it is a scattered one.
    pub fn scatter(&self) -> Option<Scatter> {
        self.outputs.first().and_then(|output| output.scatter())
    }
    /// What the indices are below through which an input is read; or what the elements of this input are below, if it is the index of a scattered output.
    pub fn index_bound(&self, input: usize) -> Option<usize> {
        let gather = self.inputs[input].gather.map(|gather| gather.extent);
        let scatter = self.scatter().filter(|scatter| scatter.by == input);
        gather.or(scatter.map(|scatter| scatter.extent))
    }
    /// Whether an input's element depends on the place along an axis: of the rows by number, or, last, the columns.
    pub fn varies(&self, input: usize, axis: usize) -> bool {
        let own = &self.inputs[input];
        let extent = self.rows.get(axis).copied().unwrap_or(self.columns);
        let ends = { own.window.iter() }.any(|window| window[axis].len() < extent);
        own.steps[axis] != 0 || ends || self.index_varies(input, axis)
    }
    /// Whether some input has elements at some points alone.
    pub fn has_windows(&self) -> bool {
        self.inputs.iter().any(|input| input.window.is_some())
    }
    /// Whether the index through which an input is read does.
    pub fn index_varies(&self, input: usize, axis: usize) -> bool {
        let gather = self.inputs[input].gather;
        gather.is_some_and(|gather| self.varies(gather.by, axis))
    }
    /// The inputs that no output needs: they are indices, or their indices are looked at all the same.
    pub fn unread(&self) -> Vec<usize> {
        let mut needed: FxHashSet<Value> = self.results().iter().copied().collect();
        for &inst in self.insts().iter().rev() {
            let row = &self.body.insts[inst];
            let is_needed = row.op != Op::Prim(Prim::Tuple) && needed.contains(&row.result);
            needed.extend(row.args.iter().filter(|_| is_needed));
        }
        let is_unread = |n: &usize| !needed.contains(&self.body.params()[*n]);
        (0..self.inputs.len()).filter(is_unread).collect()
    }
    /// How many reductions there are one after another.
    pub fn phases(&self) -> usize {
        let phases = self.known().into_iter().map(|known| known.phase);
        phases.max().unwrap_or(0)
    }
    /// The reduction along the columns that an output is, if it is one.
    pub fn reduced(&self, output: usize) -> Option<Combine> {
        match self.body.values[self.results()[output]].def {
            ValueDef::Inst(inst) => self.reduction(inst),
            ValueDef::Param(..) => None,
        }
    }
    /// The type of an output's elements.
    pub fn output_type(&self, output: usize) -> Type {
        self.body.ty(self.results()[output])
    }
    /// The number of elements of an output.
    pub fn output_len(&self, output: usize) -> usize {
        match self.outputs[output] {
            Output::Points | Output::Across => self.row_count() * self.columns,
            Output::Rows => self.row_count(),
            Output::Total(_) | Output::RowTotal(_) => 1,
            Output::Scattered(scatter) => self.row_count() * scatter.extent,
        }
    }
    /// The bytes that a run reads and writes, if every element is moved once.
    pub fn bytes(&self) -> usize {
        let read = self.inputs.iter().enumerate().map(|(n, input)| {
            let extents = input.extents(&self.rows, self.columns);
            let moved = { extents.into_iter().enumerate() }
                .filter(|&(axis, _)| input.steps[axis] != 0 || self.index_varies(n, axis));
            moved.map(|(_, extent)| extent).product::<usize>() * input.ty.size().unwrap_or(8)
        });
        let written = (0..self.outputs.len())
            .map(|n| self.output_len(n) * self.output_type(n).size().unwrap_or(8));
        read.chain(written).sum()
    }
    /// The scalar operations that a run computes, calls counted as one. A scattered point is an addition.
    pub fn operations(&self) -> usize {
        let points = self.row_count() * self.columns;
        let scattered = if self.scatter().is_some() { points } else { 0 };
        let known = self.known();
        let each = self.insts().iter().map(|&inst| {
            let row = &self.body.insts[inst];
            let level = match self.reduction(inst) {
                Some(_) => Level::Point,
                None => known[row.result.index()].level,
            };
            match (row.op, level) {
                (Op::Const(_) | Op::Prim(Prim::Tuple), _) | (_, Level::All) => 0,
                (_, Level::Row) => self.row_count(),
                (_, Level::Point) => points,
            }
        });
        scattered + each.sum::<usize>()
    }
    /// The parameter that a value is, if it is one.
    pub fn parameter(&self, value: Value) -> Option<usize> {
        match self.body.values[value].def {
            ValueDef::Param(_, n) => Some(n as usize),
            ValueDef::Inst(_) => None,
        }
    }
}

//! Kernels as machine code: loops over rows and columns, several points at a time.
//!
//! **Lanes.** A register of 128 bits holds four numbers of 32 bits or two of 64. All values of a kernel have one width, or it is compiled
//! for one lane ([`lane_count`]). The lanes lie along one axis: along the columns, or, if the columns are not next to each other in memory
//! and the rows are ([`Along`]), along the last axis of the rows. What is left over at the end of a line is computed with one lane, by the
//! same operations, so that an element does not depend on its place.
//!
//! **Along the columns** a row is computed in phases: a loop over the columns for each reduction that waits for another one, and for each
//! part of a long body ([`divide`]). What an earlier phase has computed of a point is computed again if that is cheap, else kept in a line
//! of scratch memory. If the body is short and has one phase, a loop over the columns computes several rows: what is the same in all of them is read and
//! computed once.
//! **Along the rows** the loop over the columns is the outer one and each reduction has a line of accumulators; all reductions are of the
//! first phase there. If the body is short, a loop over the rows computes several columns, so that accumulators are read and written less often.
//!
//! **Outputs over inputs.** Where all is computed in one phase along the columns, everything that is read of a point is read before any output of the
//! point is written, and nothing is read of points computed before. So an output may have the memory of an input whose elements lie alike
//! ([`Plan::reads_first`]).
//!
//! **Inputs with a window.** Whoever calls the code cuts the rectangle where windows begin and end, so in one call an input is read everywhere or is 0
//! everywhere; then it is read from a line of zeros.
//!
//! **Gathered inputs.** An index that is the same for all lanes only moves the place where they begin. Else each lane is read on its own. Where
//! an index is out of range the code leaves at once, before it reads.
//!
//! A call of a native function is done lane by lane. One that is only used as the third operand of a `select` is not done at all where the
//! condition holds for all lanes: that is how elementary functions treat rare arguments.

use super::function::{Finish, Lowering, define, int};
use super::leaves::{Leaves, machine_type};
use super::unit::Unit;
use crate::arena::Id;
use crate::codegen::scalars::Writer;
use crate::diag::{Error, Result};
use crate::ir::eval::to_bits;
use crate::ir::{Callee, Const, InstData, Op, Prim, Type, Value};
use crate::kernel::{Combine, Gather, Input, Kernel, Known, Level, MUL_ADD, Output, cost};
use crate::registry::Registry;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, AbiParam, BlockArg, InstBuilder, MemFlagsData, types};
use cranelift_module::{FuncId, Module as _};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// The axis along which lanes lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// The columns.
    Columns,
    /// The last axis of the rows.
    Rows,
}

/// How a kernel is laid out in loops: what the code and its caller agree on.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the lanes lie.
    pub along: Along,
    /// How many points at a time.
    pub lanes: usize,
    /// The lines of scratch memory, each as long as the axis of the lanes, of elements of 8 bytes at most.
    pub lines: usize,
    /// Values that are kept from phase to phase, in lines; along the rows, the accumulators.
    kept: Vec<Value>,
    /// Level and phase of each value, with the phases that long bodies are divided into.
    known: Vec<Known>,
    /// Inputs of which nothing but the index is looked at, lane by lane.
    unread: Vec<usize>,
    /// Whether the code reads each point of an input before it writes the same point of an output, and never reads it again.
    pub reads_first: bool,
}

/// The words of a call: rows, columns, scratch; then address, step along the rows and along the columns (in bytes) of each input; then
/// the same of each output.
pub const HEAD: usize = 3;
/// The words of an input.
pub const INPUT: usize = 3;
/// The words of an output.
pub const OUTPUT: usize = 3;

impl Plan {
    /// How a kernel is laid out.
    pub fn new(kernel: &Kernel) -> Plan {
        let mut known = kernel.known();
        let mut unread = kernel.unread();
        let along = match is_one_phase(kernel, &known) && is_across(kernel, &unread) {
            true => Along::Rows,
            false => Along::Columns,
        };
        if along == Along::Columns && is_worth_dividing(kernel) {
            divide(kernel, &mut known);
        }
        let kept = match along {
            Along::Columns => kept(kernel, &known),
            Along::Rows => {
                let reductions = kernel
                    .insts()
                    .iter()
                    .filter(|&&i| kernel.reduction(i).is_some());
                reductions.map(|&i| kernel.body.insts[i].result).collect()
            }
        };
        let axis = match along {
            Along::Columns => kernel.rows.len(),
            Along::Rows => kernel.rows.len() - 1,
        };
        let reads_first =
            along == Along::Columns && is_one_phase(kernel, &known) && !kernel.has_indices();
        unread.retain(|&n| kernel.index_varies(n, axis));
        Plan {
            unread,
            reads_first,
            along,
            lanes: lane_count(kernel),
            lines: kept.len(),
            kept,
            known,
        }
    }
}

/// Whether one loop over the points computes everything that is asked for of them: no value of a point waits for a reduction, and no reduction for
/// another one.
fn is_one_phase(kernel: &Kernel, known: &[Known]) -> bool {
    let body = &kernel.body;
    // The tuple of the results waits for all of them. It is no value of a point.
    let insts = kernel.insts().iter().map(|&inst| &body.insts[inst]);
    let mut made = insts.filter(|row| row.op != Op::Prim(Prim::Tuple));
    let is_early = |known: Known| match known.level {
        Level::Point => known.phase == 0,
        Level::Row | Level::All => known.phase <= 1,
    };
    let is_of_points =
        |output: &Output| output.is_of_points() || matches!(output, Output::Total(_));
    let mut outputs = kernel.outputs.iter().zip(kernel.results());
    made.all(|row| is_early(known[row.result.index()]))
        && outputs.all(|(output, value)| !is_of_points(output) || known[value.index()].phase == 0)
}

/// Whether neighbours in memory are neighbours along the last axis of the rows, and not along the columns. Inputs that are `unread`, such as mere indices, do
/// not count.
fn is_across(kernel: &Kernel, unread: &[usize]) -> bool {
    let axes = kernel.rows.len();
    let count = |axis: usize| {
        let lies_along = |&n: &usize| {
            let is_next = kernel.inputs[n].steps[axis] == 1 && !kernel.index_varies(n, axis);
            is_next && !unread.contains(&n)
        };
        (0..kernel.inputs.len()).filter(lies_along).count()
    };
    let writes = |kind| {
        kernel
            .outputs
            .iter()
            .filter(|&&output| output == kind)
            .count()
    };
    let across = count(axes - 1) + writes(Output::Across);
    kernel.rows[axes - 1] > 1 && across > count(axes) && writes(Output::Points) == 0
}

/// The lanes of a register for the values of a kernel.
fn lane_count(kernel: &Kernel) -> usize {
    let body = &kernel.body;
    let mut widths = FxHashSet::default();
    // What is the same for all points is computed once, in one lane, and has lanes only where something else reads it.
    let known = kernel.known();
    let insts = || {
        let rows = kernel.insts().iter().map(|&inst| &body.insts[inst]);
        rows.filter(|row| {
            row.op != Op::Prim(Prim::Tuple) && known[row.result.index()].level != Level::All
        })
    };
    // An index by which alone something is read is no value of the body, whatever its width.
    let mut used: FxHashSet<Value> = insts().flat_map(|row| row.args.iter().copied()).collect();
    used.extend(insts().map(|row| row.result));
    used.extend(kernel.results());
    for &value in &used {
        match body.ty(value) {
            // The lanes of an `f16` are those of a `u32`, whose upper halves are 0.
            Type::F16 | Type::F32 | Type::I32 | Type::U32 => widths.insert(4),
            Type::F64 | Type::I64 | Type::U64 => widths.insert(8),
            Type::Bool => continue,
            _ => widths.insert(0),
        };
    }
    let params = body.params().iter().filter(|&param| used.contains(param));
    let mut in_memory = params.chain(kernel.results());
    let memory_of_bools = in_memory.any(|&value| body.ty(value) == Type::Bool);
    let possible = insts().all(|row| has_lanes(kernel, row));
    match widths.into_iter().collect::<Vec<_>>()[..] {
        [4] if possible && !memory_of_bools => 4,
        [8] if possible && !memory_of_bools => 2,
        _ => 1,
    }
}

/// Whether the machine does an operation on several lanes.
fn has_lanes(kernel: &Kernel, row: &InstData) -> bool {
    let body = &kernel.body;
    let Op::Prim(prim) = row.op else { return true };
    let ty = row.args.first().map_or(Type::Bool, |&v| body.ty(v));
    let float = ty.is_float();
    match prim {
        Prim::Add | Prim::Sub | Prim::Neg => true,
        Prim::Mul => float || matches!(ty, Type::I32 | Type::U32),
        Prim::Div => float,
        Prim::Sqrt | Prim::Abs | Prim::Floor | Prim::Ceil | Prim::Trunc | Prim::Copysign => true,
        Prim::Eq | Prim::Ne => true,
        Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => {
            float || matches!(ty, Type::I32 | Type::U32 | Type::I64 | Type::Bool)
        }
        Prim::And | Prim::Or | Prim::Xor | Prim::Not | Prim::Select | Prim::Tuple => true,
        Prim::Bitcast => true,
        Prim::Shl | Prim::Shr => body.as_const(row.args[1]).is_some(),
        Prim::Cast => matches!(
            (ty, body.ty(row.result)),
            (Type::F32, Type::I32 | Type::U32)
                | (Type::I32 | Type::U32, Type::F32)
                | (Type::Bool, Type::I32 | Type::U32)
        ),
        _ => false,
    }
}

/// Computing a value of a point again costs at most this, or it is kept.
const CHEAP: usize = 6;

/// A phase of a long body costs about this at a point. A processor works on several points at a time where their instructions fit into its
/// window; of a long chain it waits for one operation after another of the same points.
const PHASE: usize = 24;

/// Shorter lines than this are not worth loops of their own for each phase of a long body.
const SHORT: usize = 64;

/// Rows of more columns than this are not divided if they are computed as a whole: what is kept of them would leave the caches. (Of a row of
/// 200,000 columns and a dozen lines, dividing took four times as long as one loop; up to 100,000 it took two thirds.)
const LONGEST_ROW: usize = 1 << 15;

/// Where several rows or several columns are computed at once, they have at most so many pointers together, and so many accumulators and numbers that
/// are known of a row.
const POINTERS: usize = 11;
const NUMBERS: usize = 8;

/// Lines of so many columns are worth a loop that reads several registers at once.
const LONG: usize = 256;

/// What the code of a kernel depends on besides the body and the outputs. Extents and steps are words of a call, so the code of one kernel is right for
/// every other kernel of the same form. A kernel with indices has no form, because its code knows their extents, nor has one with windows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// For each input: whether it has several elements, and its steps along the last axis of the rows and along the columns. A 2 stands for all steps
    /// but 0 and 1.
    inputs: SmallVec<[(bool, [isize; 2]); 4]>,
    /// Whether the last axis of the rows has several places.
    has_rows: bool,
    /// How many of the lengths that decide about loops the columns reach.
    length: usize,
}

impl Form {
    /// The form of a kernel with these extents and inputs, if none of them has a window or is read through an index. `has_whole_rows` is what the kernel says of itself.
    pub fn of(
        rows: &[usize],
        columns: usize,
        inputs: &[Input],
        has_whole_rows: bool,
    ) -> Option<Form> {
        let last = rows.len() - 1;
        let of_input = |input: &Input| {
            let varies = input.steps.iter().any(|&step| step != 0);
            let steps = [input.steps[last], input.steps[last + 1]];
            let steps = steps.map(|step| if step == 0 || step == 1 { step } else { 2 });
            let is_plain = input.gather.is_none() && input.window.is_none();
            is_plain.then_some((varies, steps))
        };
        let lengths = [SHORT, LONG, LONGEST_ROW + 1];
        let lengths = &lengths[..if has_whole_rows { 3 } else { 2 }];
        Some(Form {
            inputs: inputs.iter().map(of_input).collect::<Option<_>>()?,
            has_rows: rows[last] > 1,
            length: lengths.iter().filter(|&&n| columns >= n).count(),
        })
    }
}

/// Whether loops of their own for the parts of a long body pay: lines are not short, and what is kept of a line stays in a near cache. Tiles
/// see to that where rows need not be computed as a whole.
fn is_worth_dividing(kernel: &Kernel) -> bool {
    kernel.columns >= SHORT && (!kernel.has_whole_rows() || kernel.columns <= LONGEST_ROW)
}

/// Divides long bodies into phases: a chain of elementary functions becomes a loop for each of them.
fn divide(kernel: &Kernel, known: &mut [Known]) {
    let body = &kernel.body;
    let insts = kernel.insts();
    let is_point = |known: &[Known], value: Value| known[value.index()].level == Level::Point;
    // The cost of the points' values before each instruction, and how many of them are read at it or later.
    let mut before = vec![0; insts.len() + 1];
    let mut crossing = vec![0; insts.len() + 1];
    let mut last_use: FxHashMap<Value, usize> = FxHashMap::default();
    let mut of_phase: FxHashMap<usize, usize> = FxHashMap::default();
    for (n, &inst) in insts.iter().enumerate() {
        let row = &body.insts[inst];
        last_use.extend(row.args.iter().map(|&arg| (arg, n)));
        let own = match is_point(known, row.result) {
            true => cost(row.op).min(PHASE / 4),
            false => 0,
        };
        before[n + 1] = before[n] + own;
        *of_phase.entry(known[row.result.index()].phase).or_default() += own;
    }
    if of_phase.values().all(|&cost| cost <= PHASE * 3 / 2) {
        return;
    }
    for (n, &inst) in insts.iter().enumerate() {
        let value = body.insts[inst].result;
        if let Some(&last) = last_use.get(&value).filter(|_| is_point(known, value)) {
            (n + 1..=last).for_each(|at| crossing[at] += 1);
        }
    }
    // Where the fewest values cross, in the neighbourhood of each multiple of the cost of a phase.
    let mut cuts = Vec::new();
    let mut from = 0;
    while before[insts.len()] - before[from] > PHASE * 3 / 2 {
        let done = |at: &usize| before[*at] - before[from];
        let around = (from + 1..insts.len())
            .filter(|at| (PHASE * 2 / 3..=PHASE * 4 / 3).contains(&done(at)));
        let Some(cut) = around.min_by_key(|&at| crossing[at]) else {
            break;
        };
        cuts.push(cut);
        from = cut;
    }
    if cuts.is_empty() {
        return;
    }
    let mut own = 0;
    for (n, &inst) in insts.iter().enumerate() {
        own += usize::from(cuts.contains(&n));
        let row = &body.insts[inst];
        let of_args = row.args.iter().map(|arg| known[arg.index()].phase).max();
        let of_args = of_args.unwrap_or(0);
        let result = row.result.index();
        known[result].phase = match (kernel.reduction(inst), known[result].level) {
            (Some(_), _) => of_args + 1,
            (None, Level::Point) => of_args.max(own),
            (None, _) => of_args,
        };
    }
    // What is rarely computed is computed with the `select` that it is for.
    let lazy = lazy(kernel);
    for &inst in insts {
        let row = &body.insts[inst];
        if let (Op::Prim(Prim::Select), Some(third)) = (row.op, row.args.get(2))
            && lazy.contains(third)
        {
            known[third.index()].phase = known[row.result.index()].phase;
        }
    }
}

/// The values of points that later phases take from scratch memory.
fn kept(kernel: &Kernel, known: &[Known]) -> Vec<Value> {
    let body = &kernel.body;
    let is_point = |v: Value| known[v.index()].level == Level::Point;
    // What a value costs from inputs and from what is known of the row, as a tree.
    let mut costs = vec![0; body.values.len()];
    for &inst in kernel.insts() {
        let row = &body.insts[inst];
        if is_point(row.result) {
            let args = row.args.iter().filter(|&&arg| is_point(arg));
            let below: usize = args.map(|arg| costs[arg.index()]).sum();
            costs[row.result.index()] = (below + cost(row.op)).min(1 << 20);
        }
    }
    // The phases in which each value is asked for.
    let mut wanted: FxHashMap<Value, FxHashSet<usize>> = FxHashMap::default();
    for &inst in kernel.insts().iter().rev() {
        let row = &body.insts[inst];
        if kernel.reduction(inst).is_some() {
            let phase = known[row.result.index()].phase - 1;
            wanted.entry(row.args[0]).or_default().insert(phase);
        }
    }
    for (&value, output) in kernel.results().iter().zip(&kernel.outputs) {
        if output.is_of_points() || matches!(output, Output::Total(_)) {
            let phase = known[value.index()].phase;
            wanted.entry(value).or_default().insert(phase);
        }
    }
    let mut kept = Vec::new();
    for &inst in kernel.insts().iter().rev() {
        let row = &body.insts[inst];
        let Some(phases) = wanted
            .get(&row.result)
            .filter(|_| is_point(row.result))
            .cloned()
        else {
            continue;
        };
        let own = known[row.result.index()].phase;
        let later = phases.iter().any(|&phase| phase > own);
        // In lanes a bool is as wide as the numbers that were compared; a line of memory has no room for that.
        let is_bool = body.ty(row.result) == Type::Bool;
        let dear = later && costs[row.result.index()] > CHEAP && !is_bool;
        if dear {
            kept.push(row.result);
        }
        if kernel.reduction(inst).is_some() {
            continue;
        }
        for &arg in &row.args {
            let here = wanted.entry(arg).or_default();
            match dear {
                true => drop(here.insert(own)),
                false => here.extend(&phases),
            }
        }
    }
    kept
}

/// Compiles a kernel into a [`super::abi::Lanes`].
pub fn compile_lanes(unit: &mut Unit, kernel: &Kernel, plan: &Plan) -> Result<FuncId> {
    let mut signature = unit.jit.make_signature();
    signature.params = vec![AbiParam::new(types::I64); 2];
    signature.returns = vec![AbiParam::new(types::I32)];
    define(unit, None, signature, |lowering, params| {
        let mut loops = Loops::new(lowering, kernel, plan, params[1])?;
        loops.prepare_all()?;
        match plan.along {
            Along::Columns => loops.along_columns()?,
            Along::Rows => loops.along_rows()?,
        }
        loops.lowering.finish(&[], Finish::Return);
        Ok(())
    })
}

/// A scalar function of a pack in the lanes of registers, as kernels compute it.
pub fn scalar_in_lanes(
    lowering: &mut Lowering,
    callee: Callee,
    types: &[Type],
    args: &[clif::Value],
    ty: Type,
) -> Result<Leaves> {
    let (kernel, lanes) = kernel_of(callee, types, ty, lowering.unit.registry);
    let plan = Plan::new(&kernel);
    let results = kernel.results().to_vec();
    if plan.lanes != lanes {
        return Err(Error::Internal(format!("`{callee}` has no lanes")));
    }
    let mut loops = Loops::of_registers(lowering, &kernel, &plan);
    let params = kernel.body.params().iter().copied();
    loops.here = params.zip(args.iter().copied()).collect();
    let place = Place {
        lanes,
        position: loops.extents[0],
        phase: usize::MAX,
    };
    results
        .iter()
        .map(|&value| loops.at(value, place))
        .collect()
}

/// Whether a scalar function of a pack exists in lanes: `types` and `ty` are those of registers.
pub fn is_in_lanes(callee: Callee, types: &[Type], ty: Type, registry: &Registry) -> bool {
    let (kernel, lanes) = kernel_of(callee, types, ty, registry);
    lane_count(&kernel) == lanes && lanes > 1
}

/// A kernel that applies a scalar function to points, and the lanes of its registers.
fn kernel_of(callee: Callee, types: &[Type], ty: Type, registry: &Registry) -> (Kernel, usize) {
    let lanes = types
        .iter()
        .find_map(|ty| ty.lanes())
        .map_or(1, |(_, lanes)| lanes);
    let mut writer = Writer::new("lanes", registry, false);
    let entry = writer.builder.function.entry();
    let params = types.iter().map(|ty| {
        let param = writer.builder.function.add_param(entry, ty.lane());
        crate::codegen::scalars::Leaves::from_elem(param, 1)
    });
    let params: Vec<_> = params.collect();
    let ret = match ty {
        Type::Tuple(fields) => fields.iter().map(|field| field.lane()).collect(),
        single => vec![single.lane()],
    };
    let single = ret.first().filter(|_| ret.len() == 1).copied();
    let results = writer.call(None, callee, &params, single.unwrap_or(Type::tuple(&ret)));
    let input = |ty: &Type| Input {
        ty: ty.lane(),
        steps: [0, 1].into_iter().collect(),
        window: None,
        gather: None,
    };
    let kernel = Kernel {
        rows: [1].into_iter().collect(),
        columns: lanes,
        inputs: types.iter().map(input).collect(),
        outputs: vec![Output::Points; ret.len()],
        body: Arc::new(writer.finish(&results)),
    };
    (kernel, lanes)
}

/// What a loop iterates over, at one place of it.
#[derive(Clone, Copy)]
struct Place {
    /// How many points at a time.
    lanes: usize,
    /// The position along the axis of the lanes.
    position: clif::Value,
    /// The phase.
    phase: usize,
}

/// One column, where the rows are the lanes.
struct Column {
    /// Where its inputs begin.
    bases: Vec<clif::Value>,
    /// Its inputs that are the same in all rows.
    constant_rows: FxHashMap<Value, clif::Value>,
    /// Its outputs: the value, and where they begin.
    stores: Vec<(Value, clif::Value)>,
}

/// One row, where the columns are the lanes.
struct Row {
    /// Its number.
    position: clif::Value,
    /// Where its inputs begin.
    bases: Vec<clif::Value>,
    /// What is known of it, one lane each.
    values: FxHashMap<Value, clif::Value>,
}

/// A kernel in the making.
struct Loops<'l, 'a, 'm, 'k> {
    lowering: &'l mut Lowering<'a, 'm>,
    kernel: &'k Kernel,
    plan: &'k Plan,
    known: &'k [Known],
    /// The number of rows and of columns.
    extents: [clif::Value; 2],
    scratch: clif::Value,
    inputs: Vec<[clif::Value; INPUT]>,
    outputs: Vec<[clif::Value; OUTPUT]>,
    /// Where each input begins for this position on the axis that has no lanes.
    bases: Vec<clif::Value>,
    /// Along the rows: inputs that are the same in all rows of the current column, one lane each.
    constant_rows: FxHashMap<Value, clif::Value>,
    /// Values that are the same for all points, one lane each.
    all: FxHashMap<Value, clif::Value>,
    /// Values of the row. Along the columns, one lane each.
    row: FxHashMap<Value, clif::Value>,
    /// Values spread over lanes, or computed for them, at the current place.
    here: FxHashMap<Value, clif::Value>,
    /// Natives that wait for the `select` that may want them.
    lazy: FxHashSet<Value>,
    /// Values that differ between rows next to each other.
    varying: FxHashSet<Value>,
}

impl<'l, 'a, 'm, 'k> Loops<'l, 'a, 'm, 'k> {
    fn new(
        lowering: &'l mut Lowering<'a, 'm>,
        kernel: &'k Kernel,
        plan: &'k Plan,
        words: clif::Value,
    ) -> Result<Self> {
        let mut at = 0;
        let mut word = |b: &mut cranelift_frontend::FunctionBuilder| {
            let flags = MemFlagsData::trusted();
            at += 8;
            b.ins().load(types::I64, flags, words, at - 8)
        };
        let b = &mut lowering.b;
        let extents = [word(b), word(b)];
        let scratch = word(b);
        let inputs = kernel.inputs.iter().map(|_| [word(b), word(b), word(b)]);
        let inputs: Vec<_> = inputs.collect();
        let outputs = kernel.outputs.iter();
        let outputs = outputs.map(|_| [word(b), word(b), word(b)]).collect();
        let bases = inputs.iter().map(|input| input[0]).collect();
        Ok(Loops {
            lazy: lazy(kernel),
            varying: varying(kernel),
            lowering,
            kernel,
            plan,
            known: &plan.known,
            extents,
            scratch,
            inputs,
            outputs,
            bases,
            constant_rows: FxHashMap::default(),
            all: FxHashMap::default(),
            row: FxHashMap::default(),
            here: FxHashMap::default(),
        })
    }

    /// For what is computed in registers alone: nothing is read from memory.
    fn of_registers(
        lowering: &'l mut Lowering<'a, 'm>,
        kernel: &'k Kernel,
        plan: &'k Plan,
    ) -> Self {
        let zero = int(&mut lowering.b, types::I64, 0);
        Loops {
            lazy: lazy(kernel),
            varying: varying(kernel),
            lowering,
            kernel,
            plan,
            known: &plan.known,
            extents: [zero, zero],
            scratch: zero,
            inputs: Vec::new(),
            outputs: Vec::new(),
            bases: Vec::new(),
            constant_rows: FxHashMap::default(),
            all: FxHashMap::default(),
            row: FxHashMap::default(),
            here: FxHashMap::default(),
        }
    }

    fn level(&self, value: Value) -> Level {
        self.known[value.index()].level
    }
    fn ty(&self, value: Value) -> Type {
        self.kernel.body.ty(value)
    }

    /// `body` for `start`, `start + step`, … as long as a whole step is below `count`, carrying values from one to the next. Gives where it
    /// stops, and the values then.
    fn steps(
        &mut self,
        start: clif::Value,
        count: clif::Value,
        step: usize,
        carried: &[clif::Value],
        body: impl FnOnce(&mut Self, clif::Value, &[clif::Value]) -> Result<Vec<clif::Value>>,
    ) -> Result<(clif::Value, Vec<clif::Value>)> {
        let b = &mut self.lowering.b;
        let (header, inside, done) = (b.create_block(), b.create_block(), b.create_block());
        let index = b.append_block_param(header, types::I64);
        let types_of: Vec<_> = carried.iter().map(|&v| b.func.dfg.value_type(v)).collect();
        let values: Vec<_> = types_of
            .iter()
            .map(|&ty| b.append_block_param(header, ty))
            .collect();
        let args = |first, rest: &[clif::Value]| -> Vec<BlockArg> {
            let all = std::iter::once(first).chain(rest.iter().copied());
            all.map(BlockArg::Value).collect()
        };
        b.ins().jump(header, &args(start, carried));
        b.switch_to_block(header);
        let width = int(b, types::I64, step as i64);
        let next = b.ins().iadd(index, width);
        let is_past = b.ins().icmp(IntCC::UnsignedGreaterThan, next, count);
        b.ins().brif(is_past, done, &[], inside, &[]);
        b.switch_to_block(inside);
        let carried = body(self, index, &values)?;
        let b = &mut self.lowering.b;
        b.ins().jump(header, &args(next, &carried));
        b.switch_to_block(done);
        Ok((index, values))
    }

    /// `body` along the axis of the lanes: with so many registers of lanes at once as long as that goes, then with one, then with one lane. The
    /// accumulators have one lane before and after.
    fn line(
        &mut self,
        count: clif::Value,
        phase: usize,
        at_once: usize,
        accumulators: &[(Combine, Type, clif::Value)],
        mut body: impl FnMut(&mut Self, Place, &[clif::Value]) -> Result<Vec<clif::Value>>,
    ) -> Result<Vec<clif::Value>> {
        let mut start = int(&mut self.lowering.b, types::I64, 0);
        let mut values: Vec<clif::Value> = accumulators.iter().map(|a| a.2).collect();
        let lanes = self.plan.lanes;
        if lanes > 1 {
            let mut units = Vec::new();
            for _ in 0..at_once {
                for &(combine, ty, _) in accumulators {
                    units.push(self.unit(combine, ty, lanes)?);
                }
            }
            let mut step = |this: &mut Self, position, carried: &[clif::Value]| {
                this.here.clear();
                let place = Place {
                    lanes,
                    position,
                    phase,
                };
                body(this, place, carried)
            };
            let mut wide = units;
            if at_once > 1 {
                let each = accumulators.len();
                (start, wide) = self.steps(
                    start,
                    count,
                    at_once * lanes,
                    &wide,
                    |this, position, all| {
                        let mut next = Vec::new();
                        for n in 0..at_once {
                            let carried = &all[n * each..][..each];
                            let ahead = int(&mut this.lowering.b, types::I64, (n * lanes) as i64);
                            let position = this.lowering.b.ins().iadd(position, ahead);
                            next.extend(step(this, position, carried)?);
                        }
                        Ok(next)
                    },
                )?;
                while wide.len() > each {
                    let upper = wide.split_off(wide.len() / 2);
                    for (n, (a, b)) in wide.iter_mut().zip(upper).enumerate() {
                        let (combine, ty, _) = accumulators[n % each];
                        *a = self.combine(combine, ty, *a, b);
                    }
                }
            }
            (start, wide) = self.steps(start, count, lanes, &wide, step)?;
            for (value, (&(combine, ty, _), wide)) in
                values.iter_mut().zip(accumulators.iter().zip(wide))
            {
                for lane in 0..lanes as u8 {
                    let lane = self.lowering.b.ins().extractlane(wide, lane);
                    *value = self.combine(combine, ty, *value, lane);
                }
            }
        }
        let (_, values) = self.steps(start, count, 1, &values, |this, position, carried| {
            this.here.clear();
            let place = Place {
                lanes: 1,
                position,
                phase,
            };
            body(this, place, carried)
        })?;
        self.here.clear();
        Ok(values)
    }

    /// How many registers a loop over the columns reads at once, for so many accumulators of a row. A short loop with accumulators would wait for one
    /// addition after another, and one without them would count and jump as much as it computes.
    fn registers(&self, phase: usize, accumulators: usize) -> usize {
        let costs = self.kernel.insts().iter().map(|&inst| {
            let row = &self.kernel.body.insts[inst];
            let known = self.known[row.result.index()];
            match known.level == Level::Point && known.phase == phase {
                true => cost(row.op),
                false => 0,
            }
        });
        let is_short = costs.sum::<usize>() <= CHEAP;
        match accumulators {
            1 | 2 if is_short && self.kernel.columns >= LONG => 4,
            0 if is_short => 2,
            _ => 1,
        }
    }

    /// Computes one group of rows after another, and within a group one phase after another. Rows that are left over are computed one by one.
    fn along_columns(&mut self) -> Result<()> {
        let totals = self.totals();
        let units = totals.iter().map(|&(_, _, combine, ty)| (combine, ty));
        let mut sums = Vec::new();
        for (combine, ty) in units {
            sums.push(self.unit(combine, ty, 1)?);
        }
        let rows = self.extents[0];
        let mut row = int(&mut self.lowering.b, types::I64, 0);
        let counts = match self.rows_at_once() {
            1 => &[1][..],
            at_once => &[at_once, 1],
        };
        for &count in counts {
            (row, sums) = self.steps(row, rows, count, &sums, |this, row, carried| {
                let mut each = Vec::new();
                for n in 0..count {
                    let ahead = int(&mut this.lowering.b, types::I64, n as i64);
                    let position = this.lowering.b.ins().iadd(row, ahead);
                    each.push(this.start_row(position)?);
                }
                let mut sums = carried.to_vec();
                let phases = 1 + this.known.iter().map(|k| k.phase).max().unwrap_or(0);
                for phase in 0..phases {
                    this.phase(&mut each, phase, &totals, &mut sums)?;
                }
                for row in &each {
                    this.finish_row(row, &totals, &mut sums)?;
                }
                Ok(sums)
            })?;
        }
        for (&(n, ..), sum) in totals.iter().zip(sums) {
            let address = self.outputs[n][0];
            self.lowering
                .b
                .ins()
                .store(MemFlagsData::trusted(), sum, address, 0);
        }
        Ok(())
    }

    fn start_row(&mut self, position: clif::Value) -> Result<Row> {
        self.set_bases(position, 1)?;
        Ok(Row {
            position,
            bases: self.bases.clone(),
            values: FxHashMap::default(),
        })
    }

    /// From here on inputs and values are those of this row.
    fn enter_row(&mut self, row: &Row) {
        self.bases.clone_from(&row.bases);
        self.row.clone_from(&row.values);
    }

    /// Stores what is known of a row after its last phase.
    fn finish_row(
        &mut self,
        row: &Row,
        totals: &[(usize, Value, Combine, Type)],
        sums: &mut [clif::Value],
    ) -> Result<()> {
        self.enter_row(row);
        for n in 0..self.kernel.outputs.len() {
            let value = self.kernel.results()[n];
            if self.kernel.outputs[n] == Output::Rows {
                let one = self.single(value)?;
                let [address, step, _] = self.outputs[n];
                let b = &mut self.lowering.b;
                let offset = b.ins().imul(row.position, step);
                let address = b.ins().iadd(address, offset);
                b.ins().store(MemFlagsData::trusted(), one, address, 0);
            }
        }
        for (sum, &(n, value, combine, ty)) in sums.iter_mut().zip(totals) {
            if self.is_of_rows(n) {
                let one = self.single(value)?;
                *sum = self.combine(combine, ty, *sum, one);
            }
        }
        Ok(())
    }

    /// How many rows are computed at once: several of a short body, so that what is the same in all of them is read and computed once, and counting
    /// and jumping is done once. Their pointers, their accumulators and what is known of each of them fit into registers. Long rows are written one after
    /// another: in several places at once, a million sums of rows and columns took one and a half times as long.
    fn rows_at_once(&self) -> usize {
        let kernel = self.kernel;
        let last = kernel.rows.len() - 1;
        if kernel.rows[last] == 1 || !self.has_short_rows() {
            return 1;
        }
        // How many inputs have these steps along the rows and along the columns.
        let inputs = |own: [bool; 2]| {
            let inputs = kernel.inputs.iter().map(|input| &input.steps);
            inputs
                .filter(|steps| [steps[last] != 0, steps[last + 1] != 0] == own)
                .count()
        };
        let stored = kernel.outputs.iter();
        let stored = stored.filter(|output| output.is_of_points()).count();
        let reductions = kernel.insts().iter();
        let reductions = reductions.filter(|&&inst| kernel.reduction(inst).is_some());
        let reductions = reductions.count();
        if reductions == 0 && kernel.columns >= LONG {
            return 1;
        }
        let accumulators = reductions * self.registers(0, reductions);
        let fits = |&rows: &usize| {
            rows * (inputs([true, true]) + stored) + inputs([false, true]) <= POINTERS
                && rows * (inputs([true, false]) + accumulators) <= NUMBERS
        };
        [4, 2].into_iter().find(fits).unwrap_or(1)
    }

    /// Whether a row is one loop over neighbours in memory, and computes little that other rows do not compute as well. It gives no totals: they would be
    /// added in another order.
    fn has_short_rows(&self) -> bool {
        let kernel = self.kernel;
        let columns = kernel.rows.len();
        let costs = kernel.insts().iter().map(|&inst| {
            let row = &kernel.body.insts[inst];
            let is_point = self.level(row.result) == Level::Point;
            match is_point && self.varying.contains(&row.result) {
                true => cost(row.op),
                false => 0,
            }
        });
        let mut inputs = kernel.inputs.iter();
        let mut outputs = kernel.outputs.iter();
        is_one_phase(kernel, self.known)
            && self.plan.lanes > 1
            && self.lazy.is_empty()
            && !kernel.has_indices()
            && inputs.all(|input| matches!(input.steps[columns], 0 | 1))
            && outputs.all(|output| matches!(output, Output::Points | Output::Rows))
            && costs.sum::<usize>() <= 2 * CHEAP
    }

    /// The outputs that are one element: output, value, how, type.
    fn totals(&self) -> Vec<(usize, Value, Combine, Type)> {
        let outputs = self
            .kernel
            .outputs
            .iter()
            .zip(self.kernel.results())
            .enumerate();
        let totals = outputs
            .filter_map(|(n, (output, &value))| Some((n, value, output.total()?, self.ty(value))));
        totals.collect()
    }

    fn is_of_rows(&self, output: usize) -> bool {
        matches!(self.kernel.outputs[output], Output::RowTotal(_))
    }

    /// Where inputs begin: at a position of the axis without lanes, which is the one of that number among the steps. An index that is the same for
    /// all lanes is a part of it.
    fn set_bases(&mut self, position: clif::Value, step: usize) -> Result<()> {
        let axis = self.lane_axis();
        for n in 0..self.inputs.len() {
            let offset = self.lowering.b.ins().imul(position, self.inputs[n][step]);
            self.bases[n] = self.lowering.b.ins().iadd(self.inputs[n][0], offset);
            if let Some(gather) = self.kernel.inputs[n].gather
                && !self.kernel.index_varies(n, axis)
            {
                let zero = int(&mut self.lowering.b, types::I64, 0);
                let gathered = self.gathered(&gather, self.kernel.inputs[n].ty, zero)?;
                self.bases[n] = self.lowering.b.ins().iadd(self.bases[n], gathered);
            }
        }
        Ok(())
    }

    /// The axis along which the lanes lie, as a number of the steps of an input.
    fn lane_axis(&self) -> usize {
        match self.plan.along {
            Along::Columns => self.kernel.rows.len(),
            Along::Rows => self.kernel.rows.len() - 1,
        }
    }

    /// How many bytes further an input is read because of its index, at a position along the lanes' axis. Leaves if the index is out of range.
    fn gathered(
        &mut self,
        gather: &Gather,
        ty: Type,
        position: clif::Value,
    ) -> Result<clif::Value> {
        let place = Place {
            lanes: 1,
            position,
            phase: usize::MAX,
        };
        let index = self.input(gather.by, place)?;
        let b = &mut self.lowering.b;
        let index = b.ins().uextend(types::I64, index);
        let extent = int(b, types::I64, gather.extent as i64);
        let is_wrong = b
            .ins()
            .icmp(IntCC::UnsignedGreaterThanOrEqual, index, extent);
        self.lowering.check_status(is_wrong);
        let size = ty.size().unwrap_or(8) as i64;
        let step = int(&mut self.lowering.b, types::I64, gather.step as i64 * size);
        Ok(self.lowering.b.ins().imul(index, step))
    }

    /// One loop over the columns of some rows: the reductions of a phase, and the outputs that are known then. Totals, and what is kept from phase to
    /// phase, are of one row at a time.
    fn phase(
        &mut self,
        rows: &mut [Row],
        phase: usize,
        totals: &[(usize, Value, Combine, Type)],
        sums: &mut [clif::Value],
    ) -> Result<()> {
        let body = &self.kernel.body;
        let reductions: Vec<(Combine, Value, Value)> = (self.kernel.insts().iter())
            .filter_map(|&inst| {
                let data = &body.insts[inst];
                let combine = self.kernel.reduction(inst)?;
                let own = self.known[data.result.index()].phase == phase + 1;
                own.then_some((combine, data.args[0], data.result))
            })
            .collect();
        let own = |value: Value| self.known[value.index()].phase == phase;
        let points = |n: &usize| self.kernel.outputs[*n].is_of_points();
        let stores: Vec<(usize, Value)> = (0..self.kernel.outputs.len())
            .filter(points)
            .map(|n| (n, self.kernel.results()[n]))
            .filter(|&(_, value)| own(value))
            .collect();
        let summed: Vec<usize> = (0..totals.len())
            .filter(|&t| own(totals[t].1) && !self.is_of_rows(totals[t].0))
            .collect();
        let lines: Vec<(usize, Value)> = self
            .plan
            .kept
            .iter()
            .copied()
            .enumerate()
            .filter(|&(_, value)| own(value))
            .collect();
        let unread: &[usize] = match phase {
            0 => &self.plan.unread,
            _ => &[],
        };
        let is_idle = reductions.is_empty() && stores.is_empty() && summed.is_empty();
        if is_idle && lines.is_empty() && unread.is_empty() {
            return Ok(());
        }
        // What is known of the rows is computed before the loop.
        let mut accumulators = Vec::new();
        let mut targets = Vec::new();
        for row in &mut *rows {
            for &(combine, _, result) in &reductions {
                let ty = self.ty(result);
                let unit = self.unit(combine, ty, 1)?;
                accumulators.push((combine, ty, unit));
            }
            self.enter_row(row);
            self.prepare(phase)?;
            row.values.clone_from(&self.row);
            let targets_of_row = stores.iter().map(|&(n, _)| {
                let [address, step, _] = self.outputs[n];
                let offset = self.lowering.b.ins().imul(row.position, step);
                self.lowering.b.ins().iadd(address, offset)
            });
            targets.push(targets_of_row.collect::<Vec<_>>());
        }
        for &t in &summed {
            accumulators.push((totals[t].2, totals[t].3, sums[t]));
        }
        let of_row = reductions.len() + summed.len();
        let at_once = match rows.len() {
            2.. if of_row == 0 => 1,
            _ => self.registers(phase, of_row),
        };
        let columns = self.extents[1];
        let results = self.line(
            columns,
            phase,
            at_once,
            &accumulators,
            |this, place, carried| {
                for &n in unread {
                    this.input(n, place)?;
                }
                let mut next = Vec::new();
                for (row, targets) in rows.iter().zip(&targets) {
                    this.enter_row(row);
                    let varying = &this.varying;
                    this.here.retain(|value, _| !varying.contains(value));
                    for &(combine, arg, _) in &reductions {
                        let value = this.at(arg, place)?;
                        let ty = this.ty(arg);
                        next.push(this.combine(combine, ty, carried[next.len()], value));
                    }
                    // The memory of an output may be that of an input: nothing is read after the first store.
                    let totals = summed.iter().map(|&t| totals[t].1);
                    for value in stores.iter().map(|&(_, value)| value).chain(totals) {
                        this.at(value, place)?;
                    }
                    for (&(n, value), &address) in stores.iter().zip(targets) {
                        let made = this.at(value, place)?;
                        match this.kernel.outputs[n] {
                            Output::Across => this.scatter(made, this.ty(value), address, n, place),
                            _ => this.store(made, this.ty(value), address, place.position),
                        }
                    }
                }
                for &t in &summed {
                    let (_, value, combine, ty) = totals[t];
                    let value = this.at(value, place)?;
                    next.push(this.combine(combine, ty, carried[next.len()], value));
                }
                for &(line, value) in &lines {
                    let made = this.at(value, place)?;
                    let address = this.line_address(line);
                    this.store(made, this.ty(value), address, place.position);
                }
                Ok(next)
            },
        )?;
        let mut results = results.into_iter();
        for row in rows {
            let reduced = reductions.iter().map(|&(.., result)| result);
            row.values.extend(reduced.zip(&mut results));
        }
        summed
            .iter()
            .zip(results)
            .for_each(|(&t, sum)| sums[t] = sum);
        Ok(())
    }

    /// Computes what is the same for all points, so that it stands before all loops.
    fn prepare_all(&mut self) -> Result<()> {
        let kernel = self.kernel;
        if kernel.has_indices() {
            let zero = int(&mut self.lowering.b, types::I64, 0);
            self.set_bases(zero, 1)?;
        }
        let insts = kernel
            .insts()
            .iter()
            .map(|&inst| kernel.body.insts[inst].result);
        let values = kernel.body.params().iter().copied().chain(insts);
        for value in values
            .filter(|&v| self.is_prepared(v, Level::All, 0))
            .collect::<Vec<_>>()
        {
            let one = self.single(value)?;
            self.all.insert(value, one);
        }
        Ok(())
    }
    fn is_prepared(&self, value: Value, level: Level, phase: usize) -> bool {
        let known = self.known[value.index()];
        let scalar = self.ty(value).is_scalar() && !self.lazy.contains(&value);
        scalar && known.level <= level && known.phase <= phase
    }

    /// Computes what points of a phase need that is known for their row or for all, so that it stands before the loop.
    fn prepare(&mut self, phase: usize) -> Result<()> {
        let kernel = self.kernel;
        let insts = kernel
            .insts()
            .iter()
            .map(|&inst| kernel.body.insts[inst].result);
        let values = kernel.body.params().iter().copied().chain(insts);
        let outside: Vec<Value> = values
            .filter(|&v| self.is_prepared(v, Level::Row, phase))
            .collect();
        for value in outside {
            self.single(value)?;
        }
        Ok(())
    }

    /// The rows are the lanes: each reduction has a line of accumulators.
    fn along_rows(&mut self) -> Result<()> {
        let body = &self.kernel.body;
        let reductions: Vec<(Combine, Value, Value)> = (self.kernel.insts().iter())
            .filter_map(|&inst| {
                let data = &body.insts[inst];
                Some((self.kernel.reduction(inst)?, data.args[0], data.result))
            })
            .collect();
        let totals = self.totals();
        let [rows, columns] = self.extents;
        let zero = int(&mut self.lowering.b, types::I64, 0);
        self.set_bases(zero, 2)?;
        for (line, &(combine, _, result)) in reductions.iter().enumerate() {
            let address = self.line_address(line);
            let ty = self.ty(result);
            self.line(rows, 0, 1, &[], |this, place, _| {
                let unit = this.unit(combine, ty, place.lanes)?;
                this.store(unit, ty, address, place.position);
                Ok(Vec::new())
            })?;
        }
        let mut sums = Vec::new();
        for &(_, _, combine, ty) in &totals {
            sums.push(self.unit(combine, ty, 1)?);
        }
        let points: Vec<usize> = (0..totals.len())
            .filter(|&t| !self.is_of_rows(totals[t].0))
            .collect();
        let mut carried: Vec<_> = points.iter().map(|&t| sums[t]).collect();
        let mut column = zero;
        // Several columns at once, so that an accumulator is read and written once for all of them; then those that are left over.
        let at_once = self.columns_at_once(reductions.len());
        let counts: &[usize] = match at_once {
            1 => &[1],
            _ => &[at_once, 1],
        };
        for &count in counts {
            (column, carried) =
                self.steps(column, columns, count, &carried, |this, column, carried| {
                    let mut each = Vec::new();
                    for n in 0..count {
                        let ahead = int(&mut this.lowering.b, types::I64, n as i64);
                        let column = this.lowering.b.ins().iadd(column, ahead);
                        each.push(this.column(column)?);
                    }
                    let accumulators: Vec<_> = (points.iter().zip(carried))
                        .map(|(&t, &value)| (totals[t].2, totals[t].3, value))
                        .collect();
                    this.line(rows, 0, 1, &accumulators, |this, place, carried| {
                        let mut lines = Vec::new();
                        for (line, &(.., result)) in reductions.iter().enumerate() {
                            let (address, ty) = (this.line_address(line), this.ty(result));
                            let old = this.load(ty, address, place.position, place.lanes)?;
                            lines.push((address, old));
                        }
                        let mut next = carried.to_vec();
                        for column in &each {
                            let known = this.known;
                            this.here
                                .retain(|value, _| known[value.index()].level < Level::Point);
                            this.bases.clone_from(&column.bases);
                            this.constant_rows.clone_from(&column.constant_rows);
                            for &n in &this.plan.unread {
                                this.input(n, place)?;
                            }
                            for (&(combine, arg, _), (_, line)) in reductions.iter().zip(&mut lines)
                            {
                                let value = this.at(arg, place)?;
                                *line = this.combine(combine, this.ty(arg), *line, value);
                            }
                            for &(value, address) in &column.stores {
                                let made = this.at(value, place)?;
                                this.store(made, this.ty(value), address, place.position);
                            }
                            for (&t, sum) in points.iter().zip(&mut next) {
                                let (_, value, combine, ty) = totals[t];
                                let value = this.at(value, place)?;
                                *sum = this.combine(combine, ty, *sum, value);
                            }
                        }
                        for (&(.., result), (address, joined)) in reductions.iter().zip(lines) {
                            this.store(joined, this.ty(result), address, place.position);
                        }
                        Ok(next)
                    })
                })?;
        }
        let summed = carried;
        self.constant_rows.clear();
        points
            .iter()
            .zip(summed)
            .for_each(|(&t, sum)| sums[t] = sum);
        // What is known of the rows once the reductions are done.
        self.set_bases(zero, 2)?;
        let of_rows: Vec<usize> = (0..totals.len()).filter(|t| !points.contains(t)).collect();
        let accumulators: Vec<_> = (of_rows.iter())
            .map(|&t| (totals[t].2, totals[t].3, sums[t]))
            .collect();
        let summed = self.line(rows, 1, 1, &accumulators, |this, place, carried| {
            for n in 0..this.kernel.outputs.len() {
                let value = this.kernel.results()[n];
                if this.kernel.outputs[n] == Output::Rows {
                    let made = this.at(value, place)?;
                    let address = this.outputs[n][0];
                    this.store(made, this.ty(value), address, place.position);
                }
            }
            let mut next = Vec::new();
            for (&t, &old) in of_rows.iter().zip(carried) {
                let (_, value, combine, ty) = totals[t];
                let value = this.at(value, place)?;
                next.push(this.combine(combine, ty, old, value));
            }
            Ok(next)
        })?;
        of_rows
            .iter()
            .zip(summed)
            .for_each(|(&t, sum)| sums[t] = sum);
        for (&(n, ..), sum) in totals.iter().zip(sums) {
            let address = self.outputs[n][0];
            self.lowering
                .b
                .ins()
                .store(MemFlagsData::trusted(), sum, address, 0);
        }
        Ok(())
    }

    /// How many columns are computed at once where the rows are the lanes: several of a short body, as far as their pointers fit into registers.
    fn columns_at_once(&self, reductions: usize) -> usize {
        let costs = self.kernel.insts().iter().map(|&inst| {
            let row = &self.kernel.body.insts[inst];
            match (self.level(row.result), self.kernel.reduction(inst)) {
                (_, Some(_)) => 1,
                (Level::Point, None) => cost(row.op),
                (Level::Row | Level::All, None) => 0,
            }
        });
        let rows = self.kernel.rows.len() - 1;
        let count = |of_columns: bool| {
            let steps = self.kernel.inputs.iter().map(|input| &input.steps);
            steps
                .filter(|steps| steps[rows] != 0 && (steps[rows + 1] != 0) == of_columns)
                .count()
        };
        let stored = self.kernel.outputs.iter();
        let stored = stored.filter(|&&output| output == Output::Across).count();
        let pointers =
            |columns: usize| columns * (count(true) + stored) + count(false) + reductions;
        if costs.sum::<usize>() > 2 * CHEAP {
            return 1;
        }
        let fits = |&columns: &usize| pointers(columns) <= POINTERS;
        [4, 2].into_iter().find(fits).unwrap_or(1)
    }

    /// A column: what is the same in all its rows is in one lane.
    fn column(&mut self, column: clif::Value) -> Result<Column> {
        self.set_bases(column, 2)?;
        let mut constant = FxHashMap::default();
        let axis = self.lane_axis();
        for (n, &param) in self.kernel.body.params().iter().enumerate() {
            if !self.kernel.varies(n, axis) && self.level(param) != Level::All {
                let zero = int(&mut self.lowering.b, types::I64, 0);
                let one = self.load(self.ty(param), self.bases[n], zero, 0)?;
                constant.insert(param, one);
            }
        }
        let mut stores = Vec::new();
        for (n, &value) in self.kernel.results().iter().enumerate() {
            if self.kernel.outputs[n] == Output::Across {
                let [address, _, step] = self.outputs[n];
                let offset = self.lowering.b.ins().imul(column, step);
                stores.push((value, self.lowering.b.ins().iadd(address, offset)));
            }
        }
        Ok(Column {
            bases: self.bases.clone(),
            constant_rows: constant,
            stores,
        })
    }

    /// A line of scratch memory.
    fn line_address(&mut self, line: usize) -> clif::Value {
        let count = match self.plan.along {
            Along::Columns => self.extents[1],
            Along::Rows => self.extents[0],
        };
        let b = &mut self.lowering.b;
        let width = int(b, types::I64, 8 * line as i64);
        let offset = b.ins().imul(count, width);
        b.ins().iadd(self.scratch, offset)
    }

    /// A value that is known for the whole row, in one lane. Only along the columns, or for what is known for all.
    fn single(&mut self, value: Value) -> Result<clif::Value> {
        let found = self.row.get(&value).or(self.all.get(&value));
        if let Some(&found) = found {
            return Ok(found);
        }
        let place = Place {
            lanes: 1,
            position: int(&mut self.lowering.b, types::I64, 0),
            phase: usize::MAX,
        };
        let made = self.make(value, place, Self::single_arg)?;
        self.row.insert(value, made);
        Ok(made)
    }
    fn single_arg(&mut self, value: Value, _: Place) -> Result<clif::Value> {
        self.single(value)
    }

    /// A value at a place, in its lanes.
    fn at(&mut self, value: Value, place: Place) -> Result<clif::Value> {
        if let Some(&found) = self.here.get(&value) {
            return Ok(found);
        }
        // A constant is made anew where it is read, because a long body has more of them than there are registers. Where Cranelift optimises, it decides itself.
        if let Some(c) = self.kernel.body.as_const(value) {
            return self.constant(c, self.ty(value), place.lanes);
        }
        let made = self.compute(value, place)?;
        self.here.insert(value, made);
        Ok(made)
    }

    fn compute(&mut self, value: Value, place: Place) -> Result<clif::Value> {
        if let Some(&one) = self.constant_rows.get(&value) {
            return Ok(self.spread(one, self.ty(value), place.lanes));
        }
        let line = self.plan.kept.iter().position(|&kept| kept == value);
        match (self.plan.along, self.level(value), line) {
            (Along::Columns, Level::Point, Some(line))
                if self.known[value.index()].phase < place.phase =>
            {
                let address = self.line_address(line);
                self.load(self.ty(value), address, place.position, place.lanes)
            }
            (_, Level::All, _) | (Along::Columns, Level::Row, _) => {
                let one = self.single(value)?;
                Ok(self.spread(one, self.ty(value), place.lanes))
            }
            (Along::Rows, _, Some(line)) => {
                let address = self.line_address(line);
                self.load(self.ty(value), address, place.position, place.lanes)
            }
            _ => self.make(value, place, Self::at),
        }
    }

    /// Computes a value of its arguments, or reads it.
    fn make(
        &mut self,
        value: Value,
        place: Place,
        arg: fn(&mut Self, Value, Place) -> Result<clif::Value>,
    ) -> Result<clif::Value> {
        let kernel = self.kernel;
        if let Some(input) = kernel.parameter(value) {
            return self.input(input, place);
        }
        let Some(inst) = kernel.body.def_inst(value) else {
            return Err(Error::Internal(format!("{value} is not in the kernel")));
        };
        match inst.op {
            Op::Const(c) => self.constant(c, self.ty(value), place.lanes),
            Op::Prim(Prim::Select) if self.lazy.contains(&inst.args[2]) => {
                let condition = arg(self, inst.args[0], place)?;
                let fast = arg(self, inst.args[1], place)?;
                let slow = kernel.body.def_inst(inst.args[2]).cloned();
                let slow = slow.ok_or_else(|| Error::Internal("a lazy parameter".into()))?;
                let mut args = Vec::new();
                for &v in &slow.args {
                    args.push(arg(self, v, place)?);
                }
                self.rarely(condition, fast, &slow, &args, place.lanes)
            }
            op => {
                let mut args = Vec::new();
                for &v in &inst.args {
                    args.push(arg(self, v, place)?);
                }
                match op {
                    Op::Prim(prim) => self.prim(prim, inst, &args, place.lanes),
                    _ => self.native(inst, &args, place.lanes),
                }
            }
        }
    }

    /// `fast` where the condition holds in all lanes; else a `select` between it and what a native function gives.
    fn rarely(
        &mut self,
        condition: clif::Value,
        fast: clif::Value,
        slow: &InstData,
        args: &[clif::Value],
        lanes: usize,
    ) -> Result<clif::Value> {
        let b = &mut self.lowering.b;
        let all = match lanes {
            1 => condition,
            _ => b.ins().vall_true(condition),
        };
        let machine = b.func.dfg.value_type(fast);
        let done = b.create_block();
        let result = b.append_block_param(done, machine);
        let rare = b.create_block();
        b.set_cold_block(rare);
        b.ins().brif(all, done, &[BlockArg::Value(fast)], rare, &[]);
        b.switch_to_block(rare);
        let exact = self.native(slow, args, lanes)?;
        let chosen = self.select(condition, fast, exact, lanes);
        let b = &mut self.lowering.b;
        b.ins().jump(done, &[BlockArg::Value(chosen)]);
        b.switch_to_block(done);
        Ok(result)
    }

    /// An input at a place.
    fn input(&mut self, input: usize, place: Place) -> Result<clif::Value> {
        let ty = self.kernel.inputs[input].ty;
        let axis = self.lane_axis();
        let step = match self.plan.along {
            Along::Columns => self.inputs[input][2],
            Along::Rows => self.inputs[input][1],
        };
        let base = self.bases[input];
        if let Some(gather) = self.kernel.inputs[input].gather
            && self.kernel.index_varies(input, axis)
        {
            return self.lane_by_lane(place, |this, position| {
                let offset = this.lowering.b.ins().imul(position, step);
                let address = this.lowering.b.ins().iadd(base, offset);
                let gathered = this.gathered(&gather, ty, position)?;
                let address = this.lowering.b.ins().iadd(address, gathered);
                this.load(ty, address, position, 0)
            });
        }
        match self.kernel.inputs[input].steps[axis] {
            0 => {
                let one = self.load(ty, base, place.position, 0)?;
                Ok(self.spread(one, ty, place.lanes))
            }
            1 => self.load(ty, base, place.position, place.lanes),
            _ => {
                let offset = self.lowering.b.ins().imul(place.position, step);
                let mut address = self.lowering.b.ins().iadd(base, offset);
                self.lane_by_lane(place, |this, position| {
                    if position != place.position {
                        address = this.lowering.b.ins().iadd(address, step);
                    }
                    this.load(ty, address, position, 0)
                })
            }
        }
    }

    /// The lanes of a place, of which `one` gives each: it gets the position of the lane.
    fn lane_by_lane(
        &mut self,
        place: Place,
        mut one: impl FnMut(&mut Self, clif::Value) -> Result<clif::Value>,
    ) -> Result<clif::Value> {
        let first = one(self, place.position)?;
        if place.lanes == 1 {
            return Ok(first);
        }
        let first = self.lane(first);
        let b = &mut self.lowering.b;
        let machine = b.func.dfg.value_type(first).by(place.lanes as u32);
        let machine = machine.ok_or_else(|| Error::Internal("no lanes".into()))?;
        let mut made = b.ins().splat(machine, first);
        for lane in 1..place.lanes {
            let ahead = int(&mut self.lowering.b, types::I64, lane as i64);
            let position = self.lowering.b.ins().iadd(place.position, ahead);
            let next = one(self, position)?;
            let next = self.lane(next);
            made = self.lowering.b.ins().insertlane(made, next, lane as u8);
        }
        Ok(made)
    }

    /// The elements of a dense line from a position on. With 0 lanes, the first element, whatever the position.
    fn load(
        &mut self,
        ty: Type,
        address: clif::Value,
        position: clif::Value,
        lanes: usize,
    ) -> Result<clif::Value> {
        let machine = vector(ty, lanes.max(1))?;
        let address = match lanes {
            0 => address,
            _ => self.element(ty, address, position),
        };
        let flags = MemFlagsData::new().with_notrap();
        let b = &mut self.lowering.b;
        Ok(match (ty, lanes) {
            (Type::F16, 2..) => {
                let flags = MemFlagsData::new().with_notrap();
                b.ins().uload16x4(flags, address, 0)
            }
            _ => b.ins().load(machine, flags, address, 0),
        })
    }

    fn store(&mut self, value: clif::Value, ty: Type, address: clif::Value, position: clif::Value) {
        let address = self.element(ty, address, position);
        let flags = MemFlagsData::new().with_notrap();
        let b = &mut self.lowering.b;
        let value = match (ty, b.func.dfg.value_type(value)) {
            (Type::F16, types::I32X4) => {
                let halves = b.ins().unarrow(value, value);
                let words = b.ins().bitcast(types::I64X2, little(), halves);
                b.ins().extractlane(words, 0)
            }
            (Type::F16, types::I32) => b.ins().ireduce(types::I16, value),
            _ => value,
        };
        b.ins().store(flags, value, address, 0);
    }

    /// One lane as it stands among several: of an `f16` its bits as a `u32`.
    fn lane(&mut self, one: clif::Value) -> clif::Value {
        let b = &mut self.lowering.b;
        match b.func.dfg.value_type(one) {
            types::I16 => b.ins().uextend(types::I32, one),
            _ => one,
        }
    }

    /// Stores the lanes of a row in the columns that they belong to.
    fn scatter(
        &mut self,
        value: clif::Value,
        ty: Type,
        address: clif::Value,
        output: usize,
        place: Place,
    ) {
        let step = self.outputs[output][2];
        let b = &mut self.lowering.b;
        let offset = b.ins().imul(place.position, step);
        let mut address = b.ins().iadd(address, offset);
        for lane in 0..place.lanes {
            let b = &mut self.lowering.b;
            let zero = int(b, types::I64, 0);
            let one = match place.lanes {
                1 => value,
                _ => b.ins().extractlane(value, lane as u8),
            };
            self.store(one, ty, address, zero);
            address = self.lowering.b.ins().iadd(address, step);
        }
    }

    fn element(&mut self, ty: Type, address: clif::Value, position: clif::Value) -> clif::Value {
        let b = &mut self.lowering.b;
        let size = ty.size().unwrap_or(8).trailing_zeros();
        let shift = int(b, types::I64, i64::from(size));
        let offset = b.ins().ishl(position, shift);
        b.ins().iadd(address, offset)
    }

    /// One lane in all lanes. A bool of one lane is 0 or 1, one of several is all bits.
    fn spread(&mut self, one: clif::Value, ty: Type, lanes: usize) -> clif::Value {
        if lanes == 1 {
            return one;
        }
        let one = self.lane(one);
        let b = &mut self.lowering.b;
        if ty != Type::Bool {
            let machine = b
                .func
                .dfg
                .value_type(one)
                .by(lanes as u32)
                .unwrap_or(types::I8X16);
            return b.ins().splat(machine, one);
        }
        let lane = if lanes == 4 { types::I32 } else { types::I64 };
        let wide = b.ins().uextend(lane, one);
        let bits = b.ins().ineg(wide);
        let machine = if lanes == 4 {
            types::I32X4
        } else {
            types::I64X2
        };
        b.ins().splat(machine, bits)
    }

    fn constant(&mut self, c: Const, ty: Type, lanes: usize) -> Result<clif::Value> {
        let rounded = match (c, ty) {
            (Const::Float(x), Type::F32) => Const::Float(f64::from(x as f32)),
            _ => c,
        };
        let bits = to_bits(rounded, ty)
            .ok_or_else(|| Error::Internal(format!("{c:?} is not a constant of type {ty}")))?;
        let b = &mut self.lowering.b;
        let machine = vector(ty, lanes)?;
        if lanes == 1 {
            return Ok(match ty {
                Type::F32 => b.ins().f32const(f32::from_bits(bits as u32)),
                Type::F64 => b.ins().f64const(f64::from_bits(bits)),
                _ => int(b, machine, bits as i64),
            });
        }
        let half = match (ty, lanes) {
            // A lane is all ones or all zeros.
            (Type::Bool, _) => bits.wrapping_neg(),
            (_, 4) => bits & 0xffff_ffff | bits << 32,
            _ => bits,
        };
        let register = [half.to_le_bytes(); 2].concat();
        let register = b.func.dfg.constants.insert(register.into());
        Ok(b.ins().vconst(machine, register))
    }

    /// What there is before the first element.
    fn unit(&mut self, combine: Combine, ty: Type, lanes: usize) -> Result<clif::Value> {
        let unit = combine.unit(ty);
        let unit = match ty.is_float() {
            true => Const::Float(unit),
            false => Const::Int(unit as i64),
        };
        self.constant(unit, ty, lanes)
    }

    /// Two elements of a type as one.
    fn combine(
        &mut self,
        combine: Combine,
        ty: Type,
        a: clif::Value,
        x: clif::Value,
    ) -> clif::Value {
        let b = &mut self.lowering.b;
        let is_chosen = match (combine, ty) {
            (Combine::Sum, Type::I32 | Type::U32) => return b.ins().iadd(a, x),
            (Combine::Sum, _) => return b.ins().fadd(a, x),
            (Combine::Max, Type::I32) => b.ins().icmp(IntCC::SignedGreaterThan, x, a),
            (Combine::Max, Type::U32) => b.ins().icmp(IntCC::UnsignedGreaterThan, x, a),
            (Combine::Max, _) => {
                // Not `fmax`: a NaN keeps its payload, and the lanes stay those of the element.
                let is_greater = b.ins().fcmp(FloatCC::GreaterThan, x, a);
                let is_nan = b.ins().fcmp(FloatCC::Unordered, x, x);
                b.ins().bor(is_greater, is_nan)
            }
        };
        let lanes = b.func.dfg.value_type(a).lane_count() as usize;
        self.select(is_chosen, x, a, lanes)
    }

    fn select(
        &mut self,
        condition: clif::Value,
        x: clif::Value,
        y: clif::Value,
        lanes: usize,
    ) -> clif::Value {
        let b = &mut self.lowering.b;
        if lanes == 1 {
            return b.ins().select(condition, x, y);
        }
        let machine = b.func.dfg.value_type(x);
        let mask = self.mask(condition, machine);
        self.lowering.b.ins().bitselect(mask, x, y)
    }

    /// The condition of several lanes as bits of a type: all or none in each lane.
    fn mask(&mut self, condition: clif::Value, machine: clif::Type) -> clif::Value {
        let b = &mut self.lowering.b;
        match b.func.dfg.value_type(condition) == machine {
            true => condition,
            false => b.ins().bitcast(machine, little(), condition),
        }
    }

    /// A `select` of several lanes. With a zero, it is the other value behind a mask: one operation instead of three.
    fn choose(&mut self, inst: &InstData, args: &[clif::Value]) -> clif::Value {
        let machine = self.lowering.b.func.dfg.value_type(args[1]);
        let mask = self.mask(args[0], machine);
        let is_zero = [1, 2].map(|n| self.is_zero(inst.args[n]));
        let b = &mut self.lowering.b;
        match is_zero {
            [_, true] => b.ins().band(args[1], mask),
            [true, false] => b.ins().band_not(args[2], mask),
            [false, false] => b.ins().bitselect(mask, args[1], args[2]),
        }
    }

    /// Whether a value is a constant all of whose bits are zero.
    fn is_zero(&self, value: Value) -> bool {
        let constant = self.kernel.body.as_const(value);
        constant.is_some_and(|c| to_bits(c, self.ty(value)) == Some(0))
    }

    fn prim(
        &mut self,
        prim: Prim,
        inst: &InstData,
        args: &[clif::Value],
        lanes: usize,
    ) -> Result<clif::Value> {
        let (operand, ty) = (self.ty(inst.args[0]), self.ty(inst.result));
        if lanes == 1 {
            return self.lowering.scalar_prim(prim, operand, ty, args);
        }
        let machine = vector(ty, lanes)?;
        let shift = |this: &mut Self| -> Result<clif::Value> {
            let by = match this.kernel.body.as_const(inst.args[1]) {
                Some(Const::Int(by)) => by,
                _ => return Err(Error::Internal("lanes are shifted by a constant".into())),
            };
            Ok(int(&mut this.lowering.b, types::I32, by))
        };
        let float = operand.is_float();
        let b = &mut self.lowering.b;
        Ok(match prim {
            Prim::Add if float => b.ins().fadd(args[0], args[1]),
            Prim::Sub if float => b.ins().fsub(args[0], args[1]),
            Prim::Mul if float => b.ins().fmul(args[0], args[1]),
            Prim::Div if float => b.ins().fdiv(args[0], args[1]),
            Prim::Add => b.ins().iadd(args[0], args[1]),
            Prim::Sub => b.ins().isub(args[0], args[1]),
            Prim::Mul => b.ins().imul(args[0], args[1]),
            Prim::Neg if float => b.ins().fneg(args[0]),
            Prim::Neg => b.ins().ineg(args[0]),
            Prim::Sqrt => b.ins().sqrt(args[0]),
            Prim::Abs => b.ins().fabs(args[0]),
            Prim::Floor => b.ins().floor(args[0]),
            Prim::Ceil => b.ins().ceil(args[0]),
            Prim::Trunc => b.ins().trunc(args[0]),
            Prim::Copysign => {
                let sign = self.constant(Const::Float(-0.0), operand, lanes)?;
                self.lowering.b.ins().bitselect(sign, args[1], args[0])
            }
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => {
                self.lowering.compare(prim, operand, args[0], args[1])
            }
            Prim::And => b.ins().band(args[0], args[1]),
            Prim::Or => b.ins().bor(args[0], args[1]),
            Prim::Xor => b.ins().bxor(args[0], args[1]),
            Prim::Not => b.ins().bnot(args[0]),
            Prim::Select => self.choose(inst, args),
            Prim::Bitcast if ty == Type::F16 => {
                let lower = self.constant(Const::Int(0xffff), Type::U32, lanes)?;
                self.lowering.b.ins().band(args[0], lower)
            }
            Prim::Bitcast => match b.func.dfg.value_type(args[0]) == machine {
                true => args[0],
                false => b.ins().bitcast(machine, little(), args[0]),
            },
            Prim::Shl => {
                let by = shift(self)?;
                self.lowering.b.ins().ishl(args[0], by)
            }
            Prim::Shr => {
                let by = shift(self)?;
                let b = &mut self.lowering.b;
                match operand.is_signed() {
                    true => b.ins().sshr(args[0], by),
                    false => b.ins().ushr(args[0], by),
                }
            }
            Prim::Cast => match (operand, ty) {
                (Type::Bool, _) => {
                    let one = self.constant(Const::Int(1), ty, lanes)?;
                    self.lowering.b.ins().band(args[0], one)
                }
                (_, Type::I32) => b.ins().fcvt_to_sint_sat(machine, args[0]),
                (_, Type::U32) => b.ins().fcvt_to_uint_sat(machine, args[0]),
                (Type::I32, _) => b.ins().fcvt_from_sint(machine, args[0]),
                _ => b.ins().fcvt_from_uint(machine, args[0]),
            },
            _ => {
                let text = prim.mnemonic();
                return Err(Error::Internal(format!("`{text}` has no lanes")));
            }
        })
    }

    /// A native function of a pack, lane by lane.
    fn native(
        &mut self,
        inst: &InstData,
        args: &[clif::Value],
        lanes: usize,
    ) -> Result<clif::Value> {
        let Op::Call(callee) = inst.op else {
            return Err(Error::Internal(
                "a kernel calls scalar functions only".into(),
            ));
        };
        let types: Vec<Type> = inst.args.iter().map(|&v| self.ty(v)).collect();
        let ty = self.ty(inst.result);
        if lanes == 1 {
            return self.lowering.scalar_call(callee, &types, args, ty);
        }
        if let Some(made) = self.lowering.instruction(callee, args) {
            return Ok(made);
        }
        let mut made = None;
        for lane in 0..lanes as u8 {
            let b = &mut self.lowering.b;
            let own: Vec<_> = args
                .iter()
                .map(|&arg| b.ins().extractlane(arg, lane))
                .collect();
            let one = self.lowering.scalar_call(callee, &types, &own, ty)?;
            made = Some(match made {
                None => self.spread(one, ty, lanes),
                Some(so_far) => self.lowering.b.ins().insertlane(so_far, one, lane),
            });
        }
        made.ok_or_else(|| Error::Internal("no lanes".into()))
    }
}

/// Casts between vectors say how bytes are ordered.
pub(super) fn little() -> MemFlagsData {
    MemFlagsData::new().with_endianness(clif::Endianness::Little)
}

/// The machine type of so many lanes of a type. Bools are as wide as the others.
fn vector(ty: Type, lanes: usize) -> Result<clif::Type> {
    Ok(match (ty, lanes) {
        (_, 1) => machine_type(ty)?,
        (Type::Bool | Type::F16, 4) => types::I32X4,
        (Type::Bool, _) => types::I64X2,
        _ => {
            let one = machine_type(ty)?;
            one.by(lanes as u32)
                .ok_or_else(|| Error::Internal(format!("{lanes} lanes of {ty}")))?
        }
    })
}

/// The values that differ between rows which are neighbours along the last axis.
fn varying(kernel: &Kernel) -> FxHashSet<Value> {
    let last = kernel.rows.len() - 1;
    let params = kernel.body.params().iter().copied().enumerate();
    let mut varying: FxHashSet<Value> = params
        .filter(|&(n, _)| kernel.varies(n, last))
        .map(|(_, param)| param)
        .collect();
    for &inst in kernel.insts() {
        let row = &kernel.body.insts[inst];
        if row.args.iter().any(|arg| varying.contains(arg)) {
            varying.insert(row.result);
        }
    }
    varying
}

/// The calls whose results are only used as the third operand of one `select`.
fn lazy(kernel: &Kernel) -> FxHashSet<Value> {
    let mut uses: FxHashMap<Value, (usize, bool)> = FxHashMap::default();
    for &inst in kernel.insts() {
        let row = &kernel.body.insts[inst];
        for (n, &arg) in row.args.iter().enumerate() {
            let (count, third) = uses.entry(arg).or_insert((0, true));
            *count += 1;
            *third &= row.op == Op::Prim(Prim::Select) && n == 2;
        }
    }
    let is_native = |value: Value| {
        let inst = kernel.body.def_inst(value);
        inst.is_some_and(
            |inst| matches!(inst.op, Op::Call(name) if name != MUL_ADD && Combine::of_callee(name).is_none()),
        )
    };
    let rare = uses
        .into_iter()
        .filter(|&(value, use_)| use_ == (1, true) && is_native(value));
    rare.map(|(value, _)| value).collect()
}

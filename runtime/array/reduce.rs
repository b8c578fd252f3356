//! Sums, maxima and softmax of one array, as kernels of the kernel IR.
//!
//! The kernels of a cluster compute several operations together. A kernel of this file computes one operation, which a program has asked for by itself.
//! It goes through the array in the order of memory: the axes beside the reduced one are sorted by their strides, and neighbours are joined where that is
//! possible. A result is dense in this order, so its axes may lie in memory in another order than they have in its shape.
//! Kernels are kept by the operation and by extents and strides ([`Key`]).

use super::backend::{Backend, Buffer, Dims, KernelInput, KernelProgram, View, dense_strides};
use super::cpu::{self, Cpu, memory};
use super::kept::{Kept, MOST_KEPT, Single, Table, misplaced};
use super::kernels;
use super::shape::Axes;
use crate::codegen::scalars::{Leaves, Writer};
use crate::diag::{Error, Result};
use crate::exec::{LaneKernel, Source};
use crate::ir::{Function, Op, Prim, Symbol, Type, Value};
use crate::kernel::{Combine, Input, Output, PerAxis};
use crate::registry::Registry;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

/// Who runs the kernels.
#[derive(Clone, Copy)]
pub enum Runs<'a> {
    /// The CPU, on memory of the host.
    Host,
    /// A device.
    On(&'a dyn Backend),
}

/// Rows of more columns are normalised by three kernels, and not by one that computes a row as a whole. Those kernels add up a row in parts, which is
/// exact, and share it among threads.
const LONG: usize = 1 << 11;

/// A view of more elements that repeats some of them is copied first.
const MANY: usize = u32::MAX as usize;

/// All elements as one, without axes. The sum of none is 0.
pub fn total(runs: Runs, combine: Combine, view: &View) -> Result<View> {
    if view.is_empty() {
        return runs.zeros(view.ty, &[]);
    }
    let view = &*runs.readable(view)?;
    let lines = match view.is_dense() {
        true => Lines::line(view.len()),
        false => Lines::new(view, None),
    };
    let body = Body::Rows(combine);
    let mut made = runs.run(body, &lines, &[view])?;
    let count = lines.count();
    if count > 1 {
        let rows = View::dense(made, view.ty, &[count]);
        made = runs.run(body, &Lines::line(count), &[&rows])?;
    }
    Ok(View::dense(made, view.ty, &[]))
}

/// The elements along an axis as one, in the shape without this axis. The sum of none is 0.
pub fn along(runs: Runs, combine: Combine, view: &View, axis: usize) -> Result<View> {
    if view.is_empty() {
        let mut shape = view.shape.clone();
        shape.remove(axis);
        return runs.zeros(view.ty, &shape);
    }
    let view = &*runs.readable(view)?;
    let lines = Lines::new(view, Some(axis));
    let buffer = runs.run(Body::Rows(combine), &lines, &[view])?;
    let mut made = lines.dense(buffer, view, lines.order.iter());
    made.shape.remove(axis);
    made.strides.remove(axis);
    Ok(made)
}

/// `exp(x) / sum(exp(x))` along an axis, or its logarithm, in the view's shape.
///
/// The greatest element of a line is subtracted first, so that no exponential overflows; a line of −∞ alone, or with +∞ or NaN in it, is NaN, as the
/// formula says.
pub fn softmax(runs: Runs, view: &View, axis: usize, log: bool) -> Result<View> {
    if view.is_empty() {
        return runs.zeros(view.ty, &view.shape);
    }
    let view = &*runs.readable(view)?;
    let lines = Lines::new(view, Some(axis));
    // Where neighbours in memory belong to different rows, the result is written in the order of memory as well.
    let is_across = lines.columns.1 > 1 && lines.last_row().1 == 1;
    let on_host = matches!(runs, Runs::Host);
    let made = |buffer, across: bool| match across {
        true => lines.dense(buffer, view, [&axis].into_iter().chain(&lines.order)),
        false => lines.dense(buffer, view, lines.order.iter().chain([&axis])),
    };
    // The lanes of a kernel that computes rows as a whole lie along the columns.
    if lines.columns.0 <= LONG && !(is_across && on_host) {
        let across = is_across;
        let buffer = runs.run(Body::Softmax { log, across }, &lines, &[view])?;
        return Ok(made(buffer, across));
    }
    let of_rows = |buffer| View::dense(buffer, view.ty, &[lines.count()]);
    let most = of_rows(runs.run(Body::Rows(Combine::Max), &lines, &[view])?);
    let sum = of_rows(runs.run(Body::Exponentials, &lines, &[view, &most])?);
    let across = is_across && on_host;
    let body = Body::Normalised { log, across };
    let buffer = runs.run(body, &lines, &[view, &most, &sum])?;
    Ok(made(buffer, across))
}

/// The kernel that makes one line of `count` lines, each of so many elements, which lie one after another.
#[cfg(feature = "gpu")]
pub fn of_lines(
    combine: Combine,
    ty: Type,
    count: usize,
    length: usize,
) -> Result<Arc<KernelProgram>> {
    let kept = TABLE.kernel(&Key {
        body: Body::Rows(combine),
        ty,
        on_host: false,
        rows: SmallVec::from_elem((length, 1), 1),
        columns: (count, length),
    })?;
    match kept {
        Kept::Program(program) => Ok(program),
        Kept::Lanes(_) => Err(misplaced()),
    }
}

impl Runs<'_> {
    /// Zeros: one in memory.
    pub fn zeros(self, ty: Type, shape: &[usize]) -> Result<View> {
        let zero = &[0; 8][..ty.size().unwrap_or(8)];
        let zero = match self {
            Runs::Host => memory::adopt_bytes(zero)?,
            Runs::On(backend) => backend.upload(zero)?,
        };
        let missing = || Error::Internal("one element has no axes".into());
        View::dense(zero, ty, &[])
            .broadcast_to(shape)
            .ok_or_else(missing)
    }

    /// A view that a kernel may go through: this one or a copy. On the host, a view that repeats elements may have so many of them that nobody waits for
    /// the result. Such a view is copied, which is an error where there is not enough memory.
    pub fn readable<'v>(self, view: &'v View) -> Result<Cow<'v, View>> {
        if view.len() <= MANY || matches!(self, Runs::On(_)) || !view.strides.contains(&0) {
            return Ok(Cow::Borrowed(view));
        }
        Ok(Cow::Owned(View::dense(
            Cpu.copy(view)?,
            view.ty,
            &view.shape,
        )))
    }

    /// The one output of a kernel that reads these views: the first goes along the lines, and the others have one element for each row.
    fn run(self, body: Body, lines: &Lines, views: &[&View]) -> Result<Buffer> {
        let key = Key {
            body,
            ty: views[0].ty,
            on_host: matches!(self, Runs::Host),
            rows: lines.rows.clone(),
            columns: lines.columns,
        };
        let Runs::On(backend) = self else {
            let mut sources: SmallVec<[Source; 3]> = SmallVec::new();
            for view in views {
                sources.push(Source {
                    bytes: memory::bytes(view)?,
                    start: view.offset,
                });
            }
            return with_lanes(key, |kernel| cpu::lanes::run_one(kernel, &sources));
        };
        let Kept::Program(program) = TABLE.kernel(&key)? else {
            return Err(misplaced());
        };
        let inputs = views.iter().map(|&view| KernelInput::View(view));
        let inputs: SmallVec<[KernelInput; 3]> = inputs.collect();
        Ok(backend.kernel(&program, &inputs)?.swap_remove(0))
    }
}

/// How a kernel goes through an array. A pair is an extent and a stride.
struct Lines {
    /// The axes of the rows in the order of memory.
    order: SmallVec<[usize; 4]>,
    /// These axes, neighbours joined; at least one.
    rows: SmallVec<[(usize, usize); 3]>,
    /// The reduced axis. If all elements are reduced, the last axis in the order of memory.
    columns: (usize, usize),
}

impl Lines {
    /// So many elements, one after another.
    fn line(count: usize) -> Lines {
        Lines {
            order: SmallVec::new(),
            rows: SmallVec::from_slice(&[(1, 0)]),
            columns: (count, 1),
        }
    }

    /// The lines along an axis, or of all elements.
    fn new(view: &View, axis: Option<usize>) -> Lines {
        let mut order: SmallVec<[usize; 4]> = SmallVec::new();
        order.extend((0..view.shape.len()).filter(|&own| Some(own) != axis));
        // Neighbours in memory are last. Repeated elements take no memory at all.
        let place = |&axis: &usize| match view.strides[axis] {
            0 => std::cmp::Reverse(usize::MAX),
            stride => std::cmp::Reverse(stride),
        };
        order.sort_by_key(place);
        let of_order = |all: &Dims| -> Dims { order.iter().map(|&axis| all[axis]).collect() };
        let axes = Axes::new(&of_order(&view.shape), &[&of_order(&view.strides)]);
        let strides = axes.strides.iter().flatten().copied();
        let mut rows: SmallVec<[(usize, usize); 3]> =
            axes.extents.iter().copied().zip(strides).collect();
        let columns = match axis {
            Some(axis) => (view.shape[axis], view.strides[axis]),
            None => rows.pop().unwrap_or((1, 0)),
        };
        if rows.is_empty() {
            rows.push((1, 0));
        }
        Lines {
            order,
            rows,
            columns,
        }
    }
    fn count(&self) -> usize {
        self.rows.iter().map(|(extent, _)| extent).product()
    }
    fn last_row(&self) -> (usize, usize) {
        self.rows[self.rows.len() - 1]
    }
    /// A buffer whose elements are dense in this order of the axes, in the shape of a view; the other axes repeat them.
    fn dense<'a>(
        &self,
        buffer: Buffer,
        view: &View,
        order: impl DoubleEndedIterator<Item = &'a usize>,
    ) -> View {
        let mut strides = Dims::from_elem(0, view.shape.len());
        let mut step = 1;
        for &axis in order.rev() {
            strides[axis] = step;
            step *= view.shape[axis];
        }
        View {
            buffer,
            ty: view.ty,
            offset: 0,
            shape: view.shape.clone(),
            strides,
        }
    }
}

/// What a kernel computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Body {
    /// Each row as one.
    Rows(Combine),
    /// The softmax of each row, or its logarithm. Across: the elements of a column of the result lie next to each other.
    Softmax { log: bool, across: bool },
    /// Of each row, given its greatest element, the sum of the exponentials.
    Exponentials,
    /// The softmax of each row, or its logarithm, given both.
    Normalised { log: bool, across: bool },
}

impl Body {
    /// How many arrays it reads: the elements, and of each row what is known.
    fn inputs(self) -> usize {
        match self {
            Body::Rows(_) | Body::Softmax { .. } => 1,
            Body::Exponentials => 2,
            Body::Normalised { .. } => 3,
        }
    }

    fn output(self) -> Output {
        match self {
            Body::Rows(_) | Body::Exponentials => Output::Rows,
            Body::Softmax { across, .. } | Body::Normalised { across, .. } => match across {
                true => Output::Across,
                false => Output::Points,
            },
        }
    }

    fn function(self, ty: Type, registry: &Arc<Registry>, for_gpu: bool) -> Result<Function> {
        let mut body = Written {
            writer: Writer::new("kernel", registry, for_gpu),
            registry,
            ty,
        };
        let x = body.parameter();
        let result = match self {
            Body::Rows(combine) => body.reduced(combine, x),
            Body::Softmax { log, .. } => {
                let most = body.reduced(Combine::Max, x);
                let less = body.call("sub", &[x, most])?;
                let exponential = body.call("exp", &[less])?;
                let sum = body.reduced(Combine::Sum, exponential);
                body.normalised(log, less, sum)?
            }
            Body::Exponentials => {
                let most = body.parameter();
                let less = body.call("sub", &[x, most])?;
                let exponential = body.call("exp", &[less])?;
                body.reduced(Combine::Sum, exponential)
            }
            Body::Normalised { log, .. } => {
                let (most, sum) = (body.parameter(), body.parameter());
                let less = body.call("sub", &[x, most])?;
                body.normalised(log, less, sum)?
            }
        };
        Ok(body.writer.finish(&[result]))
    }
}

/// The body of a kernel in the making.
struct Written<'a> {
    writer: Writer<'a>,
    registry: &'a Registry,
    ty: Type,
}

impl Written<'_> {
    fn parameter(&mut self) -> Value {
        let function = &mut self.writer.builder.function;
        function.add_param(function.entry(), self.ty)
    }
    fn reduced(&mut self, combine: Combine, x: Value) -> Value {
        self.writer.emit(Op::Call(combine.callee()), &[x], self.ty)
    }
    /// A primitive, or a scalar function of the linked packs.
    fn call(&mut self, name: &str, args: &[Value]) -> Result<Value> {
        let (symbol, types) = (Symbol::new(name), [self.ty; 2]);
        let types = &types[..args.len()];
        if Prim::from_mnemonic(name).is_none() && self.registry.find(symbol, types).is_none() {
            return Err(kernels::unknown(symbol, types));
        }
        let args: Vec<Leaves> = args.iter().map(|&arg| Leaves::from_elem(arg, 1)).collect();
        Ok(self.writer.call(None, symbol.into(), &args, self.ty)[0])
    }
    /// Softmax or its logarithm at a point, of the element less the row's greatest, and of the sum of the exponentials of such differences.
    fn normalised(&mut self, log: bool, less: Value, sum: Value) -> Result<Value> {
        match log {
            true => {
                let shift = self.call("ln", &[sum])?;
                self.call("sub", &[less, shift])
            }
            false => {
                let exponential = self.call("exp", &[less])?;
                self.call("div", &[exponential, sum])
            }
        }
    }
}

/// What a kernel is known by.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    body: Body,
    ty: Type,
    on_host: bool,
    /// Each pair is an extent and a stride.
    rows: SmallVec<[(usize, usize); 3]>,
    columns: (usize, usize),
}

impl Single for Key {
    type Key = Key;
    type Operation = (Body, Type);

    fn key(&self) -> &Key {
        self
    }
    fn operation(&self) -> (Body, Type) {
        (self.body, self.ty)
    }
    fn on_host(&self) -> bool {
        self.on_host
    }
    fn extents(&self) -> (PerAxis<usize>, usize, Vec<Input>) {
        let rows: PerAxis<usize> = self.rows.iter().map(|(extent, _)| *extent).collect();
        let own = self.rows.iter().chain([&self.columns]);
        let own: PerAxis<isize> = own.map(|(_, stride)| *stride as isize).collect();
        let of_rows = dense_strides(&rows).into_iter().map(|step| step as isize);
        let of_rows: PerAxis<isize> = of_rows.chain([0]).collect();
        let all = [own, of_rows.clone(), of_rows];
        let inputs = all.into_iter().take(self.body.inputs()).map(|steps| Input {
            ty: self.ty,
            steps,
            window: None,
            gather: None,
        });
        (rows, self.columns.0, inputs.collect())
    }
    fn outputs(&self) -> Vec<Output> {
        vec![self.body.output()]
    }
    fn body(&self) -> Result<Arc<Function>> {
        let body = self
            .body
            .function(self.ty, self.registry(), !self.on_host)?;
        Ok(Arc::new(body))
    }
}

static TABLE: Table<Key, (Body, Type)> = Table::new(MOST_KEPT);

/// The kernels of the host that a thread has run, each in the place that its extents say. They are found without a lock and without a hash.
type Recent = [Option<(Key, Arc<LaneKernel>)>; 16];

thread_local!(static RECENT: RefCell<Recent> = const { RefCell::new([const { None }; 16]) });

/// Does something with a kernel of the host.
fn with_lanes<R>(key: Key, run: impl Fn(&LaneKernel) -> Result<R>) -> Result<R> {
    let (rows, columns) = (key.rows[0], key.columns);
    let place = (columns.0 ^ (columns.0 >> 4) ^ columns.1 ^ (3 * rows.0)) % 16;
    let run_recent = |recent: &RefCell<Recent>| {
        // Another thread's work may be done while a kernel waits for its own.
        let recent = recent.try_borrow().ok()?;
        let (_, kernel) = recent[place].as_ref().filter(|(own, _)| *own == key)?;
        Some(run(kernel))
    };
    if let Ok(Some(done)) = RECENT.try_with(run_recent) {
        return done;
    }
    let Kept::Lanes(kernel) = TABLE.kernel(&key)? else {
        return Err(misplaced());
    };
    let done = run(&kernel);
    // While a thread ends, and while a kernel of the thread runs, nothing is noted.
    let _ = RECENT.try_with(|recent| {
        if let Ok(mut recent) = recent.try_borrow_mut() {
            recent[place] = Some((key, kernel));
        }
    });
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::cpu::dense;
    use rayon::ThreadPoolBuilder;

    /// Numbers that look random, in (-1, 1).
    fn numbers(count: usize) -> Vec<f32> {
        let mut state = 1u32;
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..count).map(next).collect()
    }

    fn view(memory: &Buffer, offset: usize, shape: &[usize], strides: &[usize]) -> View {
        View {
            buffer: memory.clone(),
            ty: Type::F32,
            offset,
            shape: shape.into(),
            strides: strides.into(),
        }
    }

    /// Views of all kinds into so many elements.
    fn views(memory: &Buffer) -> Vec<View> {
        let all: [(&[usize], &[usize]); 18] = [
            (&[], &[]),
            (&[1], &[1]),
            (&[7], &[3]),
            (&[30_000], &[1]),
            (&[30_000], &[0]),
            (&[3, 20_000], &[20_000, 1]),
            (&[20_000, 3], &[3, 1]),
            (&[20_000, 3], &[1, 20_000]),
            (&[2000, 3], &[5, 1]),
            (&[2000, 3], &[9, 2]),
            (&[40, 1200], &[1300, 1]),
            (&[300, 200], &[0, 1]),
            (&[300, 200], &[1, 0]),
            (&[300, 200], &[1, 300]),
            (&[12, 1, 13, 14], &[182, 9, 14, 1]),
            (&[12, 13, 14], &[1, 168, 12]),
            (&[12, 0, 14], &[1, 168, 12]),
            (&[5, 10_000, 1], &[1, 5, 0]),
        ];
        { all.into_iter().enumerate() }
            .map(|(n, (shape, strides))| view(memory, n % 3, shape, strides))
            .collect()
    }

    /// The elements by the definition of a view, of axes in this order.
    fn elements(memory: &[f32], view: &View, axes: &[usize]) -> Vec<f64> {
        let mut at = vec![view.offset];
        for &axis in axes {
            let steps =
                |&at: &usize| (0..view.shape[axis]).map(move |n| at + n * view.strides[axis]);
            at = at.iter().flat_map(steps).collect();
        }
        at.into_iter().map(|at| memory[at].into()).collect()
    }

    fn assert_near(found: &[f32], expected: &[f64], tolerance: f64, what: &str) {
        assert_eq!(found.len(), expected.len(), "{what}");
        for (&a, &b) in found.iter().zip(expected) {
            assert!(
                (f64::from(a) - b).abs() <= tolerance * b.abs().max(1.0),
                "{what}: {a}, not {b}"
            );
        }
    }

    #[test]
    fn views_of_all_kinds_are_reduced() -> Result<()> {
        let data = numbers(80_000);
        let memory = memory::adopt(data.clone());
        for view in views(&memory) {
            let all: Vec<usize> = (0..view.shape.len()).collect();
            let sum: f64 = elements(&data, &view, &all).iter().sum();
            let found = dense::<f32>(&total(Runs::Host, Combine::Sum, &view)?)?;
            assert_near(&found, &[sum], 2e-5, &format!("{view:?}"));
            for axis in all.clone() {
                let mut order = all.clone();
                order.retain(|&own| own != axis);
                order.push(axis);
                let lines = elements(&data, &view, &order);
                let lines: Vec<&[f64]> = lines.chunks(view.shape[axis].max(1)).collect();
                let rows = view.len() / view.shape[axis].max(1);
                let what = format!("{view:?} along {axis}");
                let sums: Vec<f64> = lines.iter().map(|line| line.iter().sum()).collect();
                let found = along(Runs::Host, Combine::Sum, &view, axis)?;
                if view.is_empty() {
                    assert!(dense::<f32>(&found)?.iter().all(|&x| x == 0.0), "{what}");
                    continue;
                }
                assert_near(&dense::<f32>(&found)?, &sums, 2e-5, &what);
                let maxima = lines
                    .iter()
                    .map(|line| line.iter().copied().fold(f64::MIN, f64::max));
                let maxima: Vec<f64> = maxima.collect();
                let found = along(Runs::Host, Combine::Max, &view, axis)?;
                assert_near(&dense::<f32>(&found)?, &maxima, 0.0, &what);
                for log in [false, true] {
                    let of_line = |line: &&[f64]| {
                        let sum: f64 = line.iter().map(|x| x.exp()).sum();
                        let one = |x: &f64| if log { x - sum.ln() } else { x.exp() / sum };
                        line.iter().map(one).collect::<Vec<f64>>()
                    };
                    let expected: Vec<f64> = lines.iter().flat_map(of_line).collect();
                    let made = softmax(Runs::Host, &view, axis, log)?;
                    let mut last = made.clone();
                    last.shape = order.iter().map(|&own| made.shape[own]).collect();
                    last.strides = order.iter().map(|&own| made.strides[own]).collect();
                    assert_eq!(made.shape, view.shape, "{what}");
                    assert_eq!(expected.len(), rows * view.shape[axis], "{what}");
                    assert_near(&dense::<f32>(&last)?, &expected, 3e-6, &what);
                }
            }
        }
        Ok(())
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let memory = memory::adopt(numbers(1 << 20));
        let bits = || -> Result<Vec<u32>> {
            let mut bits = Vec::new();
            for (shape, strides) in [([4, 1 << 18], [1 << 18, 1]), ([1 << 18, 4], [4, 1])] {
                let view = view(&memory, 0, &shape, &strides);
                let mut made = vec![total(Runs::Host, Combine::Sum, &view)?];
                for axis in 0..2 {
                    made.push(along(Runs::Host, Combine::Sum, &view, axis)?);
                    made.push(softmax(Runs::Host, &view, axis, false)?);
                }
                for view in made {
                    bits.extend(dense::<f32>(&view)?.into_iter().map(f32::to_bits));
                }
            }
            Ok(bits)
        };
        let with = |threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(bits).unwrap()
        };
        assert!(with(1) == with(5));
    }

    /// A sum of positive numbers that are not exact: what one after another in one accumulator makes of it is wrong in the fourth digit.
    #[test]
    fn long_sums_are_exact() -> Result<()> {
        let count = 1 << 20;
        let memory = memory::adopt(vec![0.1f32; 4 * count]);
        let expected = f64::from(0.1f32) * count as f64;
        let shapes: [(&[usize], &[usize]); 5] = [
            (&[count], &[1]),
            (&[count], &[0]),
            (&[count / 2, 2], &[4, 1]),
            (&[2, count], &[count, 1]),
            (&[count, 2], &[2, 1]),
        ];
        for (n, (shape, strides)) in shapes.into_iter().enumerate() {
            let view = view(&memory, 0, shape, strides);
            let made = match n {
                0..=2 => total(Runs::Host, Combine::Sum, &view)?,
                3 => along(Runs::Host, Combine::Sum, &view, 1)?,
                _ => along(Runs::Host, Combine::Sum, &view, 0)?,
            };
            for sum in dense::<f32>(&made)? {
                let wrong = (f64::from(sum) - expected).abs() / expected;
                assert!(
                    wrong < 3e-6,
                    "{shape:?}, {strides:?}: {sum}, not {expected}"
                );
            }
        }
        Ok(())
    }

    #[test]
    fn exponentials_that_are_too_large_do_not_overflow() -> Result<()> {
        let view = View::dense(memory::adopt(vec![1000.0, 1001.0]), Type::F64, &[2]);
        let total = 1.0 + 1f64.exp();
        let near = |found: &[f64], expected: [f64; 2]| {
            let mut pairs = found.iter().zip(expected);
            pairs.all(|(a, b)| (a - b).abs() < 1e-12)
        };
        let found = dense::<f64>(&softmax(Runs::Host, &view, 0, false)?)?;
        assert!(near(&found, [1.0 / total, 1.0 - 1.0 / total]), "{found:?}");
        let found = dense::<f64>(&softmax(Runs::Host, &view, 0, true)?)?;
        assert!(near(&found, [-total.ln(), 1.0 - total.ln()]), "{found:?}");
        Ok(())
    }
}

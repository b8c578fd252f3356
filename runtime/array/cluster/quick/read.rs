//! Reads a plan: which tasks a [`Quick`] plan does for it, and where their arrays are.

use super::piece::Piece;
use super::{
    Copied, Going, Input, Kernel, Large, Last, Moved, Output, Over, Position, Product, Quick,
    Start, Sum, Task,
};
use crate::arena::Id;
use crate::array::backend::{Dims, dense_strides};
use crate::array::cluster::nodes::Arg;
use crate::array::cluster::plan::{Added, Given, Plan, Stage, Step, Written};
use crate::array::cluster::{Cluster, Expected, Known, Lanes, Ready, constant};
use crate::array::cpu::lanes;
use crate::array::shape::reshape_strides;
use crate::array::small::Layout;
use crate::diag::Result;
use crate::exec::gemm::Strides;
use crate::ir::{HostOp, Op, Prim, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Results of at most so many bytes are copied.
const COPIED: usize = 1 << 10;

impl Quick {
    /// The quick plan for arguments with these layouts; `None` if some step of the plan is not of small arrays.
    pub fn new(
        cluster: &Cluster,
        plan: &Plan,
        layouts: &[Option<&'static Layout>],
    ) -> Result<Option<Quick>> {
        let mut reader = Reader {
            cluster,
            plan,
            layouts,
            seen: FxHashMap::default(),
            items: FxHashMap::default(),
            constants: plan.known.iter().copied().collect(),
            last: FxHashMap::default(),
            tuples: FxHashMap::default(),
            given: FxHashSet::default(),
            quick: Quick {
                tasks: Vec::new(),
                fills: Vec::new(),
                starts: Vec::new(),
                copies: Vec::new(),
                last: Vec::new(),
                room: 0,
                results: Vec::new(),
            },
        };
        for (number, step) in plan.steps.iter().enumerate() {
            if !reader.step(number, step)? {
                return Ok(None);
            }
        }
        Ok(Some(reader.quick))
    }
}

/// An array while a plan is read.
#[derive(Clone, Copy)]
struct Seen {
    from: From,
    layout: &'static Layout,
    /// Where it begins, if it is a part of an array.
    start: Option<usize>,
}

#[derive(Clone, Copy)]
enum From {
    Array(usize),
    Made(usize),
}

impl Seen {
    fn input(&self) -> Input {
        match self.from {
            From::Array(arg) => Input::Array(arg, self.start),
            From::Made(at) => Input::Made(at, self.start),
        }
    }
}

/// The strides of every `step`th element along an axis.
fn every(strides: &[usize], axis: usize, step: usize) -> Dims {
    let mut every = Dims::from_slice(strides);
    every[axis] = every[axis].saturating_mul(step);
    every
}

/// Reads a plan.
struct Reader<'a> {
    cluster: &'a Cluster,
    plan: &'a Plan,
    /// Of the arguments that are arrays.
    layouts: &'a [Option<&'static Layout>],
    /// The arrays in slots.
    seen: FxHashMap<usize, Seen>,
    /// Numbers that are the one element of an array: the word of the room, and the bytes.
    items: FxHashMap<Value, (usize, usize)>,
    /// Constants.
    constants: FxHashMap<Value, u64>,
    /// By slot, the numbers of the arrays that are made last.
    last: FxHashMap<usize, usize>,
    /// The words of tuples.
    tuples: FxHashMap<Value, Vec<Output>>,
    /// The arguments that are results as well.
    given: FxHashSet<usize>,
    quick: Quick,
}

impl Reader<'_> {
    /// Reads a step; false if a quick plan cannot have it.
    fn step(&mut self, number: usize, step: &Step) -> Result<bool> {
        match step {
            Step::Take(value, slot) => {
                self.seen
                    .extend(self.argument(*value).map(|seen| (*slot, seen)));
                Ok(true)
            }
            Step::Kernel(stage) => self.kernel(number, stage),
            Step::View(view) => {
                let Some(of) = self.seen.get(&view.of) else {
                    return Ok(false);
                };
                let seen = Seen {
                    layout: of.layout.seen_as(&view.shape, &view.axes).kept(),
                    ..*of
                };
                self.seen.insert(view.slot, seen);
                Ok(true)
            }
            Step::Fill(fill) => {
                let Arg::Const(c, ty) = fill.with else {
                    return Ok(false);
                };
                let (at, layout) = (self.quick.room, fill.layout);
                self.quick.fills.push((at, constant(c, ty)?[0]));
                self.quick.room += 1;
                let seen = Seen {
                    from: From::Made(at),
                    layout,
                    start: None,
                };
                self.seen.insert(fill.slot, seen);
                Ok(true)
            }
            Step::Forget(slot) => {
                self.seen.remove(slot);
                Ok(true)
            }
            Step::Number(value, slot) => match self.seen.get(slot) {
                Some(Seen {
                    from: From::Made(at),
                    layout,
                    start: None,
                }) => {
                    self.items.insert(*value, (*at, layout.size()));
                    Ok(true)
                }
                _ => Ok(false),
            },
            Step::Operation(written) => {
                let row = &self.cluster.function.insts[written.inst];
                if let Op::Const(c) = row.op {
                    let words = constant(c, self.cluster.function.ty(row.result))?;
                    let one = words.first().filter(|_| words.len() == 1);
                    self.constants.extend(one.map(|&word| (row.result, word)));
                    return Ok(one.is_some());
                }
                Ok(match row.op {
                    Op::Prim(Prim::Tuple) => self.tuple(number, written),
                    _ => self.operation(written).is_some(),
                })
            }
            Step::Add(added) => Ok(self.added(added).is_some()),
            Step::Positions(_) | Step::Slice(_) => Ok(false),
        }
    }

    /// The array of an argument.
    fn argument(&self, value: Value) -> Option<Seen> {
        let arg = self.cluster.places[value.index()].start;
        let layout = (*self.layouts.get(arg)?)?;
        Some(Seen {
            from: From::Array(arg),
            layout,
            start: None,
        })
    }

    /// The argument that is the array of a slot, if nobody outside reads it again, no other slot has a part of it, and it is no result.
    fn owned(&self, slot: usize) -> Option<usize> {
        let of = |seen: &Seen| match seen.from {
            From::Array(arg) => Some(arg),
            From::Made(_) => None,
        };
        let seen = self.seen.get(&slot).filter(|seen| seen.start.is_none())?;
        let arg = of(seen).filter(|arg| self.cluster.moved.contains(arg))?;
        let mut others = self.seen.iter().filter(|(other, _)| **other != slot);
        let is_alone = others.all(|(_, other)| of(other) != Some(arg));
        (is_alone && !self.given.contains(&arg)).then_some(arg)
    }

    /// Reads an operation that is done as it is written; `None` if a quick plan cannot have it.
    fn operation(&mut self, written: &Written) -> Option<()> {
        let row = &self.cluster.function.insts[written.inst];
        let Op::Call(callee) = row.op else {
            return None;
        };
        let (op, args) = (callee.host_op()?, &row.args[..]);
        let array = |reader: &Self, n: usize| {
            let lent = written.lent.iter().find(|(lent, _)| *lent == args[n]);
            let seen = match lent {
                Some((_, slot)) => *reader.seen.get(slot)?,
                None => reader.argument(args[n])?,
            };
            // Operations on no elements give arrays of other strides.
            (!seen.layout.shape.contains(&0)).then_some(seen)
        };
        let of = array(self, 0)?;
        let known = |reader: &Self, n: usize| reader.known(args[n]);
        let made = match op {
            HostOp::Narrow | HostOp::NarrowLike => {
                let axis = known(self, 1)?;
                let count = match op {
                    HostOp::Narrow => known(self, 3)?,
                    _ => *array(self, 3)?.layout.shape.get(axis)?,
                };
                let at = self.position(args[2])?;
                self.part(of, axis, at, (count, 1))?
            }
            HostOp::SliceAxis => {
                let [axis, start, end, step] = [1, 2, 3, 4].map(|n| known(self, n));
                let (start, step) = (start?, step.filter(|&step| step > 0)?);
                let count = end?.checked_sub(start)?.div_ceil(step);
                self.part(of, axis?, Position::Is(start as u64), (count, step))?
            }
            HostOp::Place => {
                let (axis, at) = (known(self, 1)?, self.position(args[2])?);
                let whole = array(self, 3)?.layout;
                self.placed(op, of, whole, axis, (at, 1))?
            }
            HostOp::UnsliceAxis => {
                let (axis, start, step) = (known(self, 1)?, known(self, 2)?, known(self, 4)?);
                let whole = array(self, 5)?.layout;
                self.placed(op, of, whole, axis, (Position::Is(start as u64), step))?
            }
            HostOp::Concat => {
                let parts = [of, array(self, 1)?];
                self.joined(op, parts, known(self, 2)?)?
            }
            HostOp::Roll => {
                let axis = known(self, 1)?;
                let (extent, by) = (*of.layout.shape.get(axis)?, self.bits(args[2])? as i64);
                match i128::from(by).rem_euclid(extent as i128) as usize {
                    0 => of,
                    by => {
                        let stay = extent - by;
                        let last = self.part(of, axis, Position::Is(stay as u64), (by, 1))?;
                        let first = self.part(of, axis, Position::Is(0), (stay, 1))?;
                        self.joined(op, [last, first], axis)?
                    }
                }
            }
            HostOp::Reshape => {
                let extents = (1..args.len()).map(|n| known(self, n));
                let shape: Dims = extents.collect::<Option<_>>()?;
                self.reshaped(op, of, &shape)?
            }
            HostOp::ReshapeLike => {
                let like = array(self, 1)?.layout;
                self.reshaped(op, of, &like.shape)?
            }
            HostOp::Flatten => {
                let count = of.layout.shape.iter().product();
                self.reshaped(op, of, &[count])?
            }
            HostOp::Matmul | HostOp::MatmulNt | HostOp::MatmulTn => {
                self.product(op, of, array(self, 1)?)?
            }
            _ => return None,
        };
        self.seen.insert(written.taken?, made);
        Some(())
    }

    /// A whole number that is known now.
    fn known(&self, value: Value) -> Option<usize> {
        usize::try_from(self.bits(value)?).ok()
    }
    /// The bits of a number that is known now.
    fn bits(&self, value: Value) -> Option<u64> {
        match self.number(value)? {
            Input::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// Every `step`th element along an axis from `at` on, `count` of them.
    fn part(
        &mut self,
        seen: Seen,
        axis: usize,
        at: Position,
        (count, step): (usize, usize),
    ) -> Option<Seen> {
        let of = seen.layout;
        let (extent, own) = (*of.shape.get(axis)?, of.strides[axis]);
        // The elements from the first to the last.
        let reach = count.checked_sub(1)?.checked_mul(step)?.checked_add(1)?;
        let most = extent.checked_sub(reach)? as u64;
        let mut shape = of.shape.clone();
        shape[axis] = count;
        let layout = Layout::new(of.ty, shape, every(&of.strides, axis, step));
        let start = self.start(Start {
            of: seen.start,
            at,
            most,
            step: own,
        });
        Some(Seen {
            from: seen.from,
            layout: layout.kept(),
            start: Some(start),
        })
    }
    fn start(&mut self, start: Start) -> usize {
        self.quick.starts.push(start);
        self.quick.starts.len() - 1
    }

    /// Elements that go to every `step`th place along an axis from `at` on, of a dense array of this shape.
    fn going(
        &mut self,
        part: Seen,
        shape: &[usize],
        axis: usize,
        (at, step): (Position, usize),
        adds: bool,
    ) -> Option<Going> {
        let layout = part.layout;
        let fits = layout.shape.len() == shape.len()
            && (0..shape.len()).all(|k| k == axis || layout.shape[k] == shape[k]);
        let reach = layout.shape.get(axis)?.checked_sub(1)?.checked_mul(step)? + 1;
        let most = shape[axis].checked_sub(reach).filter(|_| fits)? as u64;
        let to = dense_strides(shape);
        let start = Start {
            of: None,
            at,
            most,
            step: to[axis],
        };
        let to = every(&to, axis, step);
        Some(Going {
            piece: Piece::new(layout.ty, &layout.shape, &layout.strides, &to, adds)?,
            of: part.input(),
            to: self.start(start),
        })
    }

    /// Zeros like another array, and a part among them at every `step`th place along an axis from `at` on.
    fn placed(
        &mut self,
        op: HostOp,
        part: Seen,
        like: &Layout,
        axis: usize,
        places: (Position, usize),
    ) -> Option<Seen> {
        let piece = self.going(part, &like.shape, axis, places, true)?;
        self.made(op, part.layout.ty, &like.shape, true, [piece])
    }
    /// Two arrays one after the other along an axis.
    fn joined(&mut self, op: HostOp, parts: [Seen; 2], axis: usize) -> Option<Seen> {
        let [first, second] = parts.map(|part| part.layout);
        let mut shape = first.shape.clone();
        let middle = *shape.get(axis)?;
        shape[axis] = middle.checked_add(*second.shape.get(axis)?)?;
        let starts = [0, middle as u64].map(|at| (Position::Is(at), 1));
        let before = self.going(parts[0], &shape, axis, starts[0], false)?;
        let behind = self.going(parts[1], &shape, axis, starts[1], false)?;
        self.made(op, first.ty, &shape, false, [before, behind])
    }
    /// The same elements in another shape of as many: where they are, if strides can say so, else one after another in new room.
    fn reshaped(&mut self, op: HostOp, of: Seen, shape: &[usize]) -> Option<Seen> {
        let Layout {
            ty,
            shape: own,
            strides,
            ..
        } = of.layout;
        let count = |shape: &[usize]| shape.iter().product::<usize>();
        if count(own) != count(shape) {
            return None;
        }
        let (of, strides) = match reshape_strides(own, strides, shape) {
            Some(strides) => (of, strides),
            None => {
                let all = self.going(of, own, 0, (Position::Is(0), 1), false)?;
                let made = self.made(op, *ty, own, false, [all])?;
                (made, dense_strides(shape))
            }
        };
        let layout = Layout::new(*ty, shape.into(), strides).kept();
        Some(Seen { layout, ..of })
    }
    /// A dense array of a shape, if that is small, made of pieces. With `zeros`, they go among zeros.
    fn made(
        &mut self,
        op: HostOp,
        ty: Type,
        shape: &[usize],
        zeros: bool,
        pieces: impl IntoIterator<Item = Going>,
    ) -> Option<Seen> {
        let layout = Layout::new(ty, shape.into(), dense_strides(shape));
        if !layout.is_small() {
            return None;
        }
        let at = self.room(&layout);
        self.quick.tasks.push(Task::Moved(Moved {
            op,
            at,
            bytes: layout.bytes,
            zeros,
            pieces: pieces.into_iter().collect(),
        }));
        Some(Seen {
            from: From::Made(at),
            layout: layout.kept(),
            start: None,
        })
    }
    /// Room for an array: its first word.
    fn room(&mut self, layout: &Layout) -> usize {
        let at = self.quick.room;
        self.quick.room += layout.bytes.div_ceil(8);
        at
    }

    /// The product of two matrices that repeat no element.
    fn product(&mut self, op: HostOp, a: Seen, b: Seen) -> Option<Seen> {
        let ty = a.layout.ty;
        let is_plain = |seen: &Seen| {
            let axes = seen.layout.shape.iter().zip(&seen.layout.strides);
            { axes }.all(|(&extent, &stride)| extent == 1 || stride != 0)
                && seen.layout.shape.len() == 2
        };
        if !matches!(ty, Type::F32 | Type::F64) || !is_plain(&a) || !is_plain(&b) {
            return None;
        }
        let matrix = |seen: &Seen, is_turned: bool| {
            let (shape, strides) = (&seen.layout.shape, &seen.layout.strides);
            let (row, column) = if is_turned { (1, 0) } else { (0, 1) };
            let strides = Strides {
                row: strides[row],
                column: strides[column],
            };
            ((shape[row], shape[column]), strides)
        };
        let ((m, k), left) = matrix(&a, op == HostOp::MatmulTn);
        let ((inner, n), right) = matrix(&b, op == HostOp::MatmulNt);
        let layout = Layout::new(ty, [m, n].as_slice().into(), dense_strides(&[m, n]));
        if inner != k || !layout.is_small() {
            return None;
        }
        let at = self.room(&layout);
        self.quick.tasks.push(Task::Product(Product {
            op,
            ty,
            extents: (m, k, n),
            factors: [(a.input(), left), (b.input(), right)],
            at,
        }));
        Some(Seen {
            from: From::Made(at),
            layout: layout.kept(),
            start: None,
        })
    }

    /// Reads what is added to a part of an array, or replaces it; `None` if a quick plan cannot have it.
    fn added(&mut self, added: &Added) -> Option<()> {
        let (whole, part) = (*self.seen.get(&added.whole)?, *self.seen.get(&added.part)?);
        let row = &self.cluster.function.insts[added.place];
        let Op::Call(callee) = row.op else {
            return None;
        };
        let op = callee.host_op()?;
        let shape = whole.layout.shape.clone();
        if part.layout.shape == shape || part.layout.shape.contains(&0) {
            return None;
        }
        let (axis, at) = (self.known(row.args[1])?, self.position(row.args[2])?);
        let step = match op {
            HostOp::UnsliceAxis | HostOp::ReplaceAxis => self.known(row.args[4])?,
            _ => 1,
        };
        let adds = op != HostOp::ReplaceAxis;
        if whole.layout.is_small() {
            let all = self.going(whole, &shape, axis, (Position::Is(0), 1), false)?;
            let own = self.going(part, &shape, axis, (at, step), adds)?;
            let made = self.made(op, whole.layout.ty, &shape, false, [all, own])?;
            self.seen.insert(added.slot, made);
            return Some(());
        }
        let arg = self.owned(added.whole).filter(|_| added.is_last)?;
        if self.layouts[arg] != Some(whole.layout) {
            return None;
        }
        let sum = Sum {
            op,
            whole: arg,
            part: self.going(part, &shape, axis, (at, step), adds)?,
        };
        self.last.insert(added.slot, self.last.len());
        self.quick.last.push(Last::Sum(sum));
        Some(())
    }

    /// Where a part begins, if that is known when the cluster is called.
    fn position(&self, value: Value) -> Option<Position> {
        match self.number(value)? {
            Input::Word(arg) => Some(Position::Word(arg)),
            Input::Bits(bits) => Some(Position::Is(bits)),
            Input::Array(..) | Input::Made(..) => None,
        }
    }

    fn kernel(&mut self, step: usize, stage: &Stage) -> Result<bool> {
        let mut inputs = SmallVec::new();
        let mut strides: Vec<Dims> = Vec::new();
        for given in &stage.inputs {
            inputs.push(match given {
                Given::Hidden(bits) => Input::Bits(*bits),
                Given::Windowed(_) | Given::Inside(_) => return Ok(false),
                Given::Number(value) => match self.number(*value) {
                    Some(input) => input,
                    None => return Ok(false),
                },
                Given::Slot(..) | Given::Gathered(_) | Given::Product(_) => {
                    let Some(seen) = given.slot().and_then(|slot| self.seen.get(&slot)) else {
                        return Ok(false);
                    };
                    strides.push(seen.layout.strides.clone());
                    seen.input()
                }
            });
        }
        let ready: &Ready = self.cluster.ready(stage, strides.iter())?;
        ready.check(strides.iter())?;
        if stage.room.is_none() {
            return self.large(step, stage, inputs, ready);
        }
        let code = lanes::compiled(&ready.program)?;
        let at = self.quick.room;
        for output in &stage.outputs {
            let seen = Seen {
                from: From::Made(self.room(output.layout)),
                layout: output.layout,
                start: None,
            };
            self.seen.insert(output.slot, seen);
        }
        self.quick.tasks.push(Task::Kernel(Kernel {
            code,
            step,
            inputs,
            at,
        }));
        Ok(true)
    }

    /// Reads a kernel with large results; false if a quick plan cannot have it.
    fn large(
        &mut self,
        step: usize,
        stage: &Stage,
        inputs: SmallVec<[Input; 8]>,
        ready: &Ready,
    ) -> Result<bool> {
        // The plan itself finds out which index is out of range.
        if stage.indices().next().is_some() {
            return Ok(false);
        }
        let Lanes { kernel, over } = ready.lanes(stage, &self.plan.steps[step + 1..])?;
        let over = over.iter().filter_map(|own| {
            Some(Over {
                input: own.input,
                output: own.output,
                arg: self.owned(own.slot)?,
            })
        });
        let last = Large {
            code: kernel.clone(),
            step,
            inputs,
            over: over.collect(),
        };
        for output in &stage.outputs {
            self.last.insert(output.slot, self.last.len());
        }
        self.quick.last.push(Last::Kernel(last));
        Ok(true)
    }

    /// A number that is known when the cluster is called, or that one of its kernels makes.
    fn number(&self, value: Value) -> Option<Input> {
        if let Some(&bits) = self.constants.get(&value) {
            return Some(Input::Bits(bits));
        }
        if let Some(&(at, _)) = self.items.get(&value) {
            return Some(Input::Made(at, None));
        }
        let place = self.cluster.places[value.index()].clone();
        (place.len() == 1 && place.end <= self.layouts.len()).then_some(Input::Word(place.start))
    }

    /// A copy of an array.
    fn copied(&mut self, seen: Seen) -> Output {
        let (at, layout) = (self.room(seen.layout), seen.layout);
        let of = seen.input();
        self.quick.copies.push(Copied { of, at, layout });
        Output::Made(at, layout)
    }

    /// Reads a tuple, of which the last is that of all results; false if a quick plan cannot have it.
    fn tuple(&mut self, number: usize, written: &Written) -> bool {
        let row = &self.cluster.function.insts[written.inst];
        let mut outputs = Vec::new();
        for &arg in &row.args {
            let lent = written.lent.iter().find(|(lent, _)| *lent == arg);
            match self.outputs(arg, lent.map(|&(_, slot)| slot)) {
                Some(more) => outputs.extend(more),
                None => return false,
            }
        }
        let later = &self.plan.steps[number + 1..];
        match later.iter().all(|step| matches!(step, Step::Forget(_))) {
            true => self.quick.results = outputs,
            false => {
                self.tuples.insert(row.result, outputs);
            }
        }
        true
    }

    /// The words of a value, which may be the array of a slot; `None` if a quick plan cannot have them.
    fn outputs(&mut self, value: Value, slot: Option<usize>) -> Option<Vec<Output>> {
        if let Some(tuple) = self.tuples.get(&value) {
            return Some(tuple.clone());
        }
        if let Some(&n) = slot.and_then(|slot| self.last.get(&slot)) {
            return Some(vec![Output::Last(n)]);
        }
        if let Some(slot) = slot {
            let seen = *self.seen.get(&slot)?;
            let is_whole = seen.start.is_none();
            let output = match seen.from {
                From::Made(at) if is_whole => Output::Made(at, seen.layout),
                From::Array(arg) if is_whole && Some(seen.layout) == self.layouts[arg] => {
                    self.given.insert(arg);
                    Output::Array(arg)
                }
                _ if seen.layout.bytes <= COPIED => self.copied(seen),
                _ => return None,
            };
            return Some(vec![output]);
        }
        if let Some(&(at, size)) = self.items.get(&value) {
            return Some(vec![Output::Item(at, size)]);
        }
        let place = self.cluster.places[value.index()].clone();
        match self.number(value) {
            Some(Input::Bits(bits)) => Some(vec![Output::Bits(bits)]),
            _ if place.end <= self.layouts.len() => Some(place.map(Output::Word).collect()),
            _ => None,
        }
    }
}

impl Known {
    /// The layouts of the arguments that are arrays.
    pub fn layouts(&self) -> Vec<Option<&'static Layout>> {
        let layouts = self.args.iter().map(|expected| match expected {
            Expected::Array(layout) => Some(*layout),
            _ => None,
        });
        layouts.collect()
    }
}

//! Scalar functions over every element.
//!
//! A function is a kernel of the kernel IR if kernels can compute it, as those of clusters can ([`point_function`]). So an operation by itself gives the
//! bits that it gives within a compiled program. The kernels of a function are kept with it: each is for certain extents and strides, and few have to be
//! compiled, because the machine code of one serves others.
//!
//! What kernels cannot do, such as loops and natives of packs with effects, is machine code for one element at a time.

use super::columns::{Column, Part, Slice};
use super::memory;
use super::walk::Walk;
use super::{Cpu, lanes};
use crate::array::backend::{Backend, Buffer, MapProgram, Operand, View};
use crate::array::kept::{Kept, Single, Table, misplaced};
use crate::array::shape::Axes;
use crate::codegen::scalars::point_function;
use crate::diag::{Error, Result};
use crate::exec::{self, MapKernel, threads};
use crate::ir::{Function, Type};
use crate::kernel::{self, Output, PerAxis};
use crate::registry::Registry;
use smallvec::SmallVec;
use std::any::Any;
use std::sync::Arc;

/// What a program was compiled to.
enum Compiled {
    /// The body of kernels.
    Lanes(Box<Lanes>),
    /// Machine code for one element at a time.
    Scalar(Box<MapKernel>),
}

/// Applies `program` to every element.
pub fn map(
    program: &MapProgram,
    inputs: &[Operand],
    shape: &[usize],
) -> Result<SmallVec<[Buffer; 2]>> {
    let compiled = program.cpu.get_or_init(|| compile(program));
    match compiled.as_ref().map_err(Error::clone)?.downcast_ref() {
        Some(Compiled::Lanes(lanes)) => lanes.apply(inputs, shape),
        Some(Compiled::Scalar(kernel)) => {
            let inputs: SmallVec<[Operand; 4]> =
                inputs.iter().map(upright).collect::<Result<_>>()?;
            generated(kernel, &inputs, shape)
        }
        None => Err(Error::Internal(format!(
            "{program:?} holds a kernel of another backend"
        ))),
    }
}

/// From this many elements on it is cheaper to copy a transpose, tile by tile, than to read it across its rows.
const MANY: usize = 1 << 12;

/// Whether a view is a large transpose.
fn is_large_transpose(view: &View) -> bool {
    let walk = || Walk::new(&view.shape, [(0, &view.strides[..])]);
    view.len() >= MANY && !view.is_dense() && walk().as_transpose().is_some()
}

/// The operand; dense, if it is a large transpose.
fn upright(operand: &Operand) -> Result<Operand> {
    match operand {
        Operand::View(view) if is_large_transpose(view) => copied(operand),
        _ => Ok(operand.clone()),
    }
}

/// The operand, dense.
fn copied(operand: &Operand) -> Result<Operand> {
    let Operand::View(view) = operand else {
        return Ok(operand.clone());
    };
    let buffer = Cpu.copy(view)?;
    Ok(Operand::View(View::dense(buffer, view.ty, &view.shape)))
}

fn compile(program: &MapProgram) -> Result<Arc<dyn Any + Send + Sync>> {
    let MapProgram {
        module,
        function,
        registry,
        ..
    } = program;
    let holds_all = program.outputs.iter().all(|ty| ty.is_element());
    let body = match holds_all && !program.outputs.is_empty() {
        true => point_function(module, registry, *function),
        false => None,
    };
    Ok(Arc::new(match body {
        Some(body) => Compiled::Lanes(Box::new(Lanes {
            params: body.param_types(),
            body: Arc::new(body),
            outputs: program.outputs.clone(),
            registry: registry.clone(),
            kernels: Table::new(MOST_KEPT),
        })),
        None => {
            let kernel = MapKernel::compile(module, *function, registry)?;
            Compiled::Scalar(Box::new(kernel))
        }
    }))
}

/// A function keeps so many kernels.
const MOST_KEPT: usize = 1 << 8;

/// A scalar function as kernels compute it.
struct Lanes {
    body: Arc<Function>,
    params: Vec<Type>,
    /// The types of the elements of the outputs.
    outputs: SmallVec<[Type; 2]>,
    registry: Arc<Registry>,
    kernels: Table<Axes, ()>,
}

/// If the code of a kernel would be called more often than [`OFTEN`], each time for fewer elements than this, operands that are not dense are copied first.
const FEW: usize = 1 << 7;
const OFTEN: usize = 1 << 4;

/// Of more elements there are views that repeat some, but hardly an array.
const HUGE: usize = u32::MAX as usize;

impl Lanes {
    fn apply(&self, inputs: &[Operand], shape: &[usize]) -> Result<SmallVec<[Buffer; 2]>> {
        if !inputs
            .iter()
            .map(Operand::ty)
            .eq(self.params.iter().copied())
        {
            return Err(Error::Internal(format!(
                "a map of {:?} was given other operands",
                self.params
            )));
        }
        if shape.contains(&0) {
            let none = |&ty: &Type| Column::room(ty, 0).map(Column::adopt);
            return self.outputs.iter().map(none).collect();
        }
        let count = shape.iter().product::<usize>();
        if count > HUGE {
            // A kernel notes what its pieces are, so the memory for its results has to be there before.
            let room = |&ty: &Type| Column::room(ty, count).map(drop);
            self.outputs.iter().try_for_each(room)?;
        }
        let as_they_lie = axes(inputs, shape);
        // A call of the code goes through the last two axes.
        let extents = &as_they_lie.extents;
        let (outer, inner) = extents.split_at(extents.len().saturating_sub(2));
        let [calls, each] = [outer, inner].map(|extents| extents.iter().product::<usize>());
        let is_short = calls > OFTEN && each < FEW;
        let is_copied = |input: &Operand| {
            let copied = |view: &View| is_short && !view.is_dense() || is_large_transpose(view);
            input.view().is_some_and(copied)
        };
        if !inputs.iter().any(is_copied) {
            return self.along(inputs, as_they_lie);
        }
        let arranged = inputs.iter().map(|input| match is_copied(input) {
            true => copied(input),
            false => Ok(input.clone()),
        });
        let arranged: SmallVec<[Operand; 4]> = arranged.collect::<Result<_>>()?;
        self.along(&arranged, axes(&arranged, shape))
    }

    /// Computes the kernel for these axes.
    fn along(&self, inputs: &[Operand], axes: Axes) -> Result<SmallVec<[Buffer; 2]>> {
        let map = Map { lanes: self, axes };
        let Kept::Lanes(kernel) = self.kernels.kernel(&map)? else {
            return Err(misplaced());
        };
        let mut sources: SmallVec<[exec::Source; 4]> = SmallVec::new();
        for input in inputs {
            sources.push(match input {
                Operand::View(view) => exec::Source {
                    bytes: memory::bytes(view)?,
                    start: view.offset,
                },
                Operand::Scalar(word, _) => exec::Source::number(word),
            });
        }
        lanes::run(&kernel, &sources, SmallVec::new())
    }
}

/// The axes along which the operands are walked. Numbers are the same everywhere.
fn axes(inputs: &[Operand], shape: &[usize]) -> Axes {
    let same: SmallVec<[usize; 4]> = SmallVec::from_elem(0, shape.len());
    let strides = inputs.iter().map(|input| match input {
        Operand::View(view) => &view.strides[..],
        Operand::Scalar(..) => &same[..],
    });
    Axes::new(shape, &strides.collect::<SmallVec<[&[usize]; 4]>>())
}

/// One application of a function.
struct Map<'a> {
    lanes: &'a Lanes,
    axes: Axes,
}

impl Single for Map<'_> {
    type Key = Axes;
    /// A table is for one function.
    type Operation = ();

    fn key(&self) -> &Axes {
        &self.axes
    }
    fn operation(&self) {}
    fn on_host(&self) -> bool {
        true
    }
    /// The last axis is that of the columns.
    fn extents(&self) -> (PerAxis<usize>, usize, Vec<kernel::Input>) {
        let mut rows: PerAxis<usize> = self.axes.extents.iter().copied().collect();
        let columns = rows.pop().unwrap_or(1);
        let missing = 2usize.saturating_sub(self.axes.extents.len());
        rows.extend((rows.is_empty()).then_some(1));
        let inputs = self.lanes.params.iter().zip(&self.axes.strides);
        let inputs = inputs.map(|(&ty, strides)| {
            let own = strides.iter().map(|&stride| stride as isize);
            kernel::Input {
                ty,
                steps: std::iter::repeat_n(0, missing).chain(own).collect(),
                window: None,
                gather: None,
            }
        });
        (rows, columns, inputs.collect())
    }
    fn outputs(&self) -> Vec<Output> {
        vec![Output::Points; self.lanes.outputs.len()]
    }
    fn registry(&self) -> &Arc<Registry> {
        &self.lanes.registry
    }
    fn body(&self) -> Result<Arc<Function>> {
        Ok(self.lanes.body.clone())
    }
}

/// Runs shorter than this are not worth a call of the kernel each.
const SHORT: usize = 128;

/// Elements that one thread takes at a time: their inputs and outputs stay in the nearest cache.
const CHUNK: usize = 1 << 11;

/// A generated kernel on every element.
fn generated(
    kernel: &MapKernel,
    inputs: &[Operand],
    shape: &[usize],
) -> Result<SmallVec<[Buffer; 2]>> {
    let count = shape.iter().product();
    let made = kernel.outputs().iter().map(|&ty| Column::room(ty, count));
    let mut columns: SmallVec<[Column; 2]> = made.collect::<Result<_>>()?;
    let call = Call::new(kernel, inputs, shape)?;
    let mut rows: Vec<SmallVec<[Part; 2]>> = Vec::new();
    rows.resize_with(count.div_ceil(CHUNK), SmallVec::new);
    for column in &mut columns {
        let parts = column.parts(CHUNK);
        rows.iter_mut()
            .zip(parts)
            .for_each(|(row, part)| row.push(part));
    }
    let chunk = |i: usize, outputs: SmallVec<[Part; 2]>| {
        call.chunk(i * CHUNK, CHUNK.min(count - i * CHUNK), outputs)
    };
    // Fewer elements than for an addition are enough to share: each costs some nanoseconds here.
    match rows.len() < 8 {
        true => { rows.into_iter().enumerate() }.try_for_each(|(i, row)| chunk(i, row))?,
        false => threads::each(rows.into_iter(), chunk)
            .into_iter()
            .collect::<Result<()>>()?,
    }
    Ok(columns.into_iter().map(Column::adopt).collect())
}

/// One application of a kernel: where its inputs are.
struct Call<'a> {
    kernel: &'a MapKernel,
    sources: SmallVec<[Source<'a>; 4]>,
    walk: Walk,
}

/// An input of a kernel.
enum Source<'a> {
    /// The word of a scalar, and its type.
    Scalar(&'a u64, Type),
    /// Elements: the walk's operand of this number.
    View(Slice<'a>, usize),
}

/// An input made dense for one chunk.
enum Dense<'a> {
    /// As in [`Source`].
    Scalar(&'a u64, Type),
    /// The elements of the chunk.
    Column(Column),
}

impl<'a> Call<'a> {
    fn new(kernel: &'a MapKernel, inputs: &'a [Operand], shape: &[usize]) -> Result<Self> {
        let mut sources = SmallVec::new();
        let mut strides: SmallVec<[&[usize]; 4]> = SmallVec::new();
        for input in inputs {
            sources.push(match input {
                Operand::Scalar(word, ty) => Source::Scalar(word, *ty),
                Operand::View(view) => {
                    strides.push(&view.strides);
                    Source::View(Slice::of(view)?, strides.len() - 1)
                }
            });
        }
        let walk = Walk::new(shape, strides.into_iter().map(|s| (0, s)));
        Ok(Call {
            kernel,
            sources,
            walk,
        })
    }

    /// The elements `start..start + count`, into parts of that length.
    fn chunk(&self, start: usize, count: usize, mut outputs: SmallVec<[Part; 2]>) -> Result<()> {
        if self.walk.run_length() < SHORT.min(count) {
            return self.gathered(start, count, outputs);
        }
        let mut result = Ok(());
        self.walk.runs(start, count, |at, positions, run| {
            if result.is_ok() {
                let inputs = self.sources.iter().map(|source| match source {
                    Source::Scalar(word, ty) => exec::Input::word(word, *ty),
                    Source::View(slice, n) => slice.input(positions[*n], self.walk.stride(*n)),
                });
                let inputs: SmallVec<[_; 8]> = inputs.collect();
                let rooms = outputs.iter_mut().map(|part| part.output(at, run));
                let mut rooms: SmallVec<[_; 2]> = rooms.collect();
                result = self.kernel.run(run, &inputs, &mut rooms);
            }
        });
        result
    }

    /// The same where runs are short: the inputs are made dense first, so that one call does for all.
    fn gathered(&self, start: usize, count: usize, mut outputs: SmallVec<[Part; 2]>) -> Result<()> {
        let made = self.sources.iter().map(|source| match source {
            Source::Scalar(word, ty) => Ok(Dense::Scalar(word, *ty)),
            Source::View(slice, n) => slice
                .gather(&self.walk, *n, start, count)
                .map(Dense::Column),
        });
        let dense: SmallVec<[Dense; 4]> = made.collect::<Result<_>>()?;
        let inputs = dense.iter().map(|input| match input {
            Dense::Scalar(word, ty) => exec::Input::word(word, *ty),
            Dense::Column(column) => column.slice().input(0, 1),
        });
        let inputs: SmallVec<[_; 8]> = inputs.collect();
        let rooms = outputs.iter_mut().map(|part| part.output(0, count));
        let mut rooms: SmallVec<[_; 2]> = rooms.collect();
        self.kernel.run(count, &inputs, &mut rooms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::cpu::{dense, memory::adopt};
    use crate::array::kernels;
    use crate::diag::Span;
    use crate::ir::parse::parse_module;
    use crate::ir::{Module, Op, Prim, Symbol, Terminator, Value};

    /// `(x, y, c) -> (if c { x } else { y }, x * y - y)`
    fn two_results() -> MapProgram {
        let (float, pair) = (Type::F32, Type::tuple(&[Type::F32; 2]));
        let params = [float, float, Type::Bool];
        let mut f = Function::new(Symbol::new("f"), &params, pair);
        let (entry, [x, y, c]) = (f.entry(), [0, 1, 2].map(|i| f.params()[i]));
        let mut prim =
            |prim, args: &[Value], ty| f.append(entry, Op::Prim(prim), args, ty, Span::NONE);
        let chosen = prim(Prim::Select, &[c, x, y], float);
        let product = prim(Prim::Mul, &[x, y], float);
        let difference = prim(Prim::Sub, &[product, y], float);
        let both = prim(Prim::Tuple, &[chosen, difference], pair);
        f.blocks[entry].terminator = Terminator::Return(both);
        let (name, registry) = (f.name, Arc::new(Registry::default()));
        MapProgram::new(Arc::new(Module::new(f)), name, registry)
    }

    fn view(shape: &[usize], seed: usize) -> (Vec<f32>, View) {
        let count: usize = shape.iter().product();
        let data: Vec<f32> = (0..count).map(|n| ((n * 37 + seed) % 101) as f32).collect();
        let view = View::dense(adopt(data.clone()), Type::F32, shape);
        (data, view)
    }

    #[test]
    fn several_results_of_broadcast_operands() {
        let program = two_results();
        for [rows, columns] in [[1, 1], [3, 5], [200, 7], [7, 2000], [300, 130], [0, 4]] {
            let shape = [rows, columns];
            let (x, row) = view(&[columns], 1);
            let (y, turned) = view(&[columns, rows], 2);
            let inputs = [
                Operand::View(row.broadcast_to(&shape).unwrap()),
                Operand::View(turned.swap_axes(0, 1)),
                Operand::Scalar((rows % 2) as u64, Type::Bool),
            ];
            let made = map(&program, &inputs, &shape).unwrap();
            let results = made.into_iter().map(|buffer| {
                let view = View::dense(buffer, Type::F32, &shape);
                dense::<f32>(&view).unwrap()
            });
            let results: Vec<Vec<f32>> = results.collect();
            for (n, (&chosen, &difference)) in results[0].iter().zip(&results[1]).enumerate() {
                let (i, j) = (n / columns, n % columns);
                let (x, y) = (x[j], y[j * rows + i]);
                assert_eq!(chosen, if rows % 2 == 1 { x } else { y }, "{shape:?} {n}");
                assert_eq!(difference, x * y - y, "{shape:?} {n}");
            }
            assert_eq!(results[1].len(), rows * columns);
        }
    }

    /// A function of the linked packs, compiled by nobody else.
    fn named(name: &str, params: &[Type]) -> MapProgram {
        kernels::wrap(Symbol::new(name), params, params[0], kernels::linked()).unwrap()
    }

    /// The kernels of a program, if lanes compute it.
    fn lanes_of(program: &MapProgram) -> Option<&Lanes> {
        match program.cpu.get()?.as_ref().unwrap().downcast_ref() {
            Some(Compiled::Lanes(lanes)) => Some(lanes),
            _ => None,
        }
    }

    fn floats(buffer: &Buffer, shape: &[usize]) -> Vec<f32> {
        dense(&View::dense(buffer.clone(), Type::F32, shape)).unwrap()
    }

    #[test]
    fn another_length_is_not_compiled_again() {
        let program = named("exp", &[Type::F32]);
        let (data, _) = view(&[300_000], 1);
        let mut whole: Vec<f32> = Vec::new();
        for count in [300_000, 256, 1000, 20_001] {
            let part = View::dense(adopt(data[..count].to_vec()), Type::F32, &[count]);
            let made = map(&program, &[Operand::View(part)], &[count]).unwrap();
            let made = floats(&made[0], &[count]);
            if whole.is_empty() {
                whole = made.clone();
            }
            assert!(made == whole[..count]);
        }
        let kernels = &lanes_of(&program).unwrap().kernels;
        assert_eq!(kernels.compilations(), 1);
        // A few elements have code of their own, which gives the same.
        for count in [1, 3, 8, 63] {
            let part = View::dense(adopt(data[..count].to_vec()), Type::F32, &[count]);
            let made = map(&program, &[Operand::View(part)], &[count]).unwrap();
            assert!(floats(&made[0], &[count]) == whole[..count]);
        }
        assert!(kernels.compilations() <= 3);
    }

    #[test]
    fn loops_stay_scalar() {
        let text = "fn @halved(%0: f32) -> f32 {\nb0:\n    %1: f32 = 1.0\n    %2: f32 = 0.5\n    jump b1(%0)\n\
                    b1(%3: f32):\n    %4: bool = gt %3, %1\n    branch %4, b2, b3\n\
                    b2:\n    %5: f32 = mul %3, %2\n    jump b1(%5)\n\
                    b3:\n    return %3\n}\n";
        let module = parse_module(text).unwrap();
        let name = module.root;
        let program = MapProgram::new(Arc::new(module), name, Arc::new(Registry::default()));
        let (data, view) = view(&[5000], 1);
        let made = map(&program, &[Operand::View(view)], &[5000]).unwrap();
        assert!(lanes_of(&program).is_none());
        for (x, mut expected) in floats(&made[0], &[5000]).into_iter().zip(data) {
            while expected > 1.0 {
                expected *= 0.5;
            }
            assert_eq!(x, expected);
        }
    }

    #[test]
    fn operands_of_many_short_rows() {
        let program = named("sub", &[Type::F32; 2]);
        let shape = [50, 20, 2, 3];
        let (data, all) = view(&[3, 20, 50, 2], 4);
        // The axes of the memory in the order 2, 1, 3, 0.
        let turned = View {
            shape: shape.into(),
            strides: [2, 100, 1, 2000].into_iter().collect(),
            ..all
        };
        let (row, repeated) = view(&[2, 1], 5);
        let repeated = repeated.broadcast_to(&shape).unwrap();
        let inputs = [Operand::View(turned), Operand::View(repeated)];
        let made = map(&program, &inputs, &shape).unwrap();
        for (n, found) in floats(&made[0], &shape).into_iter().enumerate() {
            let [i, j, k, l] = [n / 120, n / 6 % 20, n / 3 % 2, n % 3];
            let expected = data[l * 2000 + j * 100 + i * 2 + k] - row[k];
            assert_eq!(found, expected, "{:?}", [i, j, k, l]);
        }
    }

    #[test]
    fn more_elements_than_there_is_memory_for() {
        let program = named("exp", &[Type::F32]);
        let shape = [1 << 45];
        let repeated = view(&[1], 0).1.broadcast_to(&shape).unwrap();
        let error = map(&program, &[Operand::View(repeated)], &shape).unwrap_err();
        assert!(error.to_string().contains("memory"), "{error}");
    }

    #[test]
    fn one_element_repeated() {
        let program = two_results();
        let inputs = [
            Operand::Scalar(2.0f32.to_bits().into(), Type::F32),
            Operand::View(view(&[], 3).1.broadcast_to(&[50_000]).unwrap()),
            Operand::Scalar(1, Type::Bool),
        ];
        let made = map(&program, &inputs, &[50_000]).unwrap();
        let view = View::dense(made[1].clone(), Type::F32, &[50_000]);
        assert_eq!(dense::<f32>(&view).unwrap(), [3.0; 50_000]);
    }
}

//! Scalar functions over every element.
//!
//! The four basic operations and negation are loops here, which rustc turns into vector code; everything else is a kernel that the
//! code generator makes of the function's IR.

use super::columns::{Column, Part, Slice};
use super::memory::{adopt, elements, room};
use super::walk::{Walk, in_parts};
use super::{Float, Number, dense, with_element, with_float, with_number};
use crate::array::backend::{Buffer, Dims, MapProgram, Operand, View};
use crate::diag::{Error, Result};
use crate::exec::{self, MapKernel};
use crate::ir::{Function, Op, Prim, Terminator, Type};
use rayon::prelude::*;
use smallvec::{SmallVec, smallvec};
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

/// What a program was compiled to.
enum Compiled {
    /// One of the loops in this file.
    Basic(Prim),
    /// Machine code.
    Kernel(Box<MapKernel>),
}

/// Applies `program` to every element.
pub fn map(
    program: &MapProgram,
    inputs: &[Operand],
    shape: &[usize],
) -> Result<SmallVec<[Buffer; 2]>> {
    let compiled = program.cpu.get_or_init(|| compile(program)).clone()?;
    let inputs: SmallVec<[Operand; 4]> = inputs.iter().map(upright).collect::<Result<_>>()?;
    let inputs = &inputs[..];
    match compiled.downcast_ref::<Compiled>() {
        Some(Compiled::Basic(prim)) => basic(*prim, inputs, shape).map(|buffer| smallvec![buffer]),
        Some(Compiled::Kernel(kernel)) => generated(kernel, inputs, shape),
        None => Err(Error::Internal(format!(
            "{program:?} holds a kernel of another backend"
        ))),
    }
}

/// From this many elements on it is cheaper to copy a transpose, tile by tile, than to read it across its rows.
const MANY: usize = 1 << 12;

/// The operand; dense, if it is a large transpose.
fn upright(operand: &Operand) -> Result<Operand> {
    match operand {
        Operand::View(view) if view.len() >= MANY => {
            let walk = Walk::new(&view.shape, [(0, &view.strides[..])]);
            if walk.as_transpose().is_none() {
                return Ok(operand.clone());
            }
            let buffer = with_element!(view.ty, T => dense::<T>(view).map(adopt))?;
            Ok(Operand::View(View::dense(buffer, view.ty, &view.shape)))
        }
        _ => Ok(operand.clone()),
    }
}

fn compile(program: &MapProgram) -> Result<Arc<dyn Any + Send + Sync>> {
    let basic = program
        .module
        .functions
        .get(&program.function)
        .and_then(basic_function);
    Ok(Arc::new(match basic {
        Some(prim) => Compiled::Basic(prim),
        None => {
            let MapProgram {
                module,
                function,
                registry,
                ..
            } = program;
            let kernel = MapKernel::compile(module, *function, registry)?;
            Compiled::Kernel(Box::new(kernel))
        }
    }))
}

/// The basic operation that a function is, if it is one on its parameters in order.
fn basic_function(function: &Function) -> Option<Prim> {
    let [block] = function.layout[..] else {
        return None;
    };
    let block = &function.blocks[block];
    let ([inst], Terminator::Return(result)) = (&block.insts[..], &block.terminator) else {
        return None;
    };
    let inst = &function.insts[*inst];
    let Op::Prim(prim) = inst.op else {
        return None;
    };
    let plain = inst.args[..] == block.params[..] && inst.result == *result;
    let float = function.ret.is_float();
    let listed = match prim {
        Prim::Add | Prim::Sub | Prim::Mul => true,
        Prim::Div | Prim::Neg => float,
        _ => false,
    };
    (plain && listed).then_some(prim)
}

fn basic(prim: Prim, inputs: &[Operand], shape: &[usize]) -> Result<Buffer> {
    match (prim, inputs) {
        (Prim::Add, [a, b]) => {
            with_number!(a.ty(), T => binary::<T>(a, b, shape, Number::plus))
        }
        (Prim::Sub, [a, b]) => {
            with_number!(a.ty(), T => binary::<T>(a, b, shape, Number::minus))
        }
        (Prim::Mul, [a, b]) => {
            with_number!(a.ty(), T => binary::<T>(a, b, shape, Number::times))
        }
        (Prim::Div, [a, b]) => with_float!(a.ty(), T => binary::<T>(a, b, shape, |a, b| a / b)),
        (Prim::Neg, [a]) => with_float!(a.ty(), T => negate::<T>(a, shape)),
        _ => Err(Error::Internal(format!(
            "{} is no basic map",
            prim.mnemonic()
        ))),
    }
}

/// An operand's elements; a scalar is one element that repeats.
struct Input<'a, T: Clone> {
    values: Cow<'a, [T]>,
    strides: Dims,
}

impl<'a, T: Number> Input<'a, T> {
    fn new(operand: &'a Operand, ndim: usize) -> Result<Self> {
        Ok(match operand {
            Operand::View(view) => Input {
                values: Cow::Borrowed(elements(view)?),
                strides: view.strides.clone(),
            },
            Operand::Scalar(bits, _) => Input {
                values: Cow::Owned(vec![T::from_bits(*bits)]),
                strides: Dims::from_elem(0, ndim),
            },
        })
    }
}

fn binary<T: Number>(
    a: &Operand,
    b: &Operand,
    shape: &[usize],
    f: impl Fn(T, T) -> T + Sync,
) -> Result<Buffer> {
    let (a, b) = (
        Input::<T>::new(a, shape.len())?,
        Input::<T>::new(b, shape.len())?,
    );
    let mut out: Vec<T> = room(shape.iter().product())?;
    let walk = Walk::new(shape, [(0, &a.strides[..]), (0, &b.strides[..])]);
    in_parts(&mut out, 1, |start, part| {
        walk.runs(start, part.len(), |at, positions, run| {
            let (a, b) = (&a.values[positions[0]..], &b.values[positions[1]..]);
            let out = &mut part[at..at + run];
            // The three common cases apart, so that each becomes vector code.
            match (walk.stride(0), walk.stride(1)) {
                (1, 1) => (out.iter_mut().zip(a).zip(b)).for_each(|((o, &a), &b)| *o = f(a, b)),
                (1, 0) => out.iter_mut().zip(a).for_each(|(o, &a)| *o = f(a, b[0])),
                (0, 1) => out.iter_mut().zip(b).for_each(|(o, &b)| *o = f(a[0], b)),
                (s, t) => {
                    for (k, o) in out.iter_mut().enumerate() {
                        *o = f(a[k * s], b[k * t]);
                    }
                }
            }
        });
    });
    Ok(adopt(out))
}

fn negate<T: Float>(a: &Operand, shape: &[usize]) -> Result<Buffer> {
    let unused = Operand::Scalar(0, a.ty());
    binary::<T>(a, &unused, shape, |a, _| -a)
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
    let chunk = |(i, outputs): (usize, SmallVec<[Part; 2]>)| {
        call.chunk(i * CHUNK, CHUNK.min(count - i * CHUNK), outputs)
    };
    // Fewer elements than for an addition are enough to share: each costs some nanoseconds here.
    match rows.len() < 8 {
        true => rows.into_iter().enumerate().try_for_each(chunk)?,
        false => rows.into_par_iter().enumerate().try_for_each(chunk)?,
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
    use crate::diag::Span;
    use crate::ir::{Module, Symbol, Value};
    use crate::registry::Registry;

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

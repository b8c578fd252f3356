//! Arrays for the reference interpreter: what the host operations and maps mean, by loops over elements.
//!
//! An array is its shape and its elements in row-major order, and every operation says for each index of its result which elements
//! it reads. There are no views, no devices, no kernels, and no sharing: nothing of this is shared with the engine in `array`, so
//! that whole array programs can be compared with it. Sums, products and exponentials of f32 are computed in f64 and rounded
//! once.

use super::{Datum, Interpreter, Outside, Packs, Slice};
use crate::diag::{Error, Result};
use crate::ir::{Callee, Const, Function, HostOp, Module, Symbol, Type};
use crate::registry::Registry;
use half::f16;
use std::cell::RefCell;

/// The arrays of an interpreted program, and the rules of packs. A handle is a place in the table plus one; 0 is the absent array.
pub struct Arrays<'a> {
    module: &'a Module,
    packs: Packs<'a>,
    table: RefCell<Vec<Plain>>,
}

/// An array.
#[derive(Clone, PartialEq, Debug)]
pub struct Plain {
    /// The type of an element.
    pub ty: Type,
    /// The extents.
    pub shape: Vec<usize>,
    /// The elements; the last axis changes fastest.
    pub elements: Vec<Const>,
}

impl<'a> Arrays<'a> {
    /// No arrays yet. Maps apply functions of the module and of the registry.
    pub fn new(module: &'a Module, registry: &'a Registry) -> Arrays<'a> {
        Arrays {
            module,
            packs: Packs(registry),
            table: RefCell::default(),
        }
    }
    /// An array as an argument.
    pub fn give(&self, array: Plain) -> Datum {
        let mut table = self.table.borrow_mut();
        table.push(array);
        Datum::Array(table.len() as u64)
    }
    /// The array that a value is; `None` if it is absent.
    pub fn take(&self, datum: &Datum) -> Result<Option<Plain>> {
        match datum {
            Datum::Array(0) => Ok(None),
            Datum::Array(handle) => match self.table.borrow().get(*handle as usize - 1) {
                Some(array) => Ok(Some(array.clone())),
                None => wrong(format!("no array has the handle {handle}")),
            },
            other => wrong(format!("expected an array, found {other:?}")),
        }
    }
}

impl Outside for Arrays<'_> {
    fn body(&self, name: Symbol, types: &[Type]) -> Option<&Function> {
        self.packs.body(name, types)
    }
    fn call(&self, callee: Callee, types: &[Type], args: &[Datum], ret: Type) -> Result<Datum> {
        match callee.host_op() {
            Some(op) if op.result(types).is_some() => {
                let call = Call {
                    arrays: self,
                    op,
                    args,
                    ret,
                };
                call.compute()
            }
            _ => self.packs.call(callee, types, args, ret),
        }
    }
    fn map(&self, name: Symbol, types: &[Type], args: &[Datum], ret: Type) -> Result<Datum> {
        let element = |ty: &Type| ty.element().unwrap_or(*ty);
        let scalars: Vec<Type> = types.iter().map(element).collect();
        let returned: Vec<Type> = match ret {
            Type::Tuple(fields) => fields.iter().map(element).collect(),
            one => vec![element(&one)],
        };
        let mut inputs = Vec::new();
        for (arg, ty) in args.iter().zip(types) {
            inputs.push(match ty {
                Type::Array(_) => self.present(name.as_str(), arg)?,
                ty => Plain::scalar(*ty, arg.scalar()?),
            });
        }
        let shapes: Vec<&[usize]> = inputs.iter().map(|input| &input.shape[..]).collect();
        let shape = broadcast(&shapes)?;
        let result = match ret {
            Type::Tuple(_) => Type::tuple(&returned),
            _ => returned[0],
        };
        let mut made = vec![Vec::new(); returned.len()];
        for_each(&shape, |index| {
            let args: Vec<Datum> = { inputs.iter() }
                .map(|input| Datum::Scalar(input.repeated(index)))
                .collect();
            let mut interpreter = Interpreter::new(self.module, &self.packs);
            let fields = match interpreter.apply(name.into(), &scalars, &args, result)? {
                Datum::Tuple(fields) => fields,
                one => vec![one],
            };
            for (elements, field) in made.iter_mut().zip(fields) {
                elements.push(field.scalar()?);
            }
            Ok(())
        })?;
        let outputs = made.into_iter().zip(returned).map(|(elements, ty)| {
            self.give(Plain {
                ty,
                shape: shape.clone(),
                elements,
            })
        });
        let mut outputs: Vec<Datum> = outputs.collect();
        Ok(match ret {
            Type::Tuple(_) => Datum::Tuple(outputs),
            _ => outputs.remove(0),
        })
    }
}

impl Arrays<'_> {
    fn present(&self, operation: &str, datum: &Datum) -> Result<Plain> {
        let absent = || Error::Internal(format!("{operation} was given an absent array"));
        self.take(datum)?.ok_or_else(absent)
    }
}

impl Plain {
    /// One number.
    fn scalar(ty: Type, value: Const) -> Plain {
        Plain {
            ty,
            shape: Vec::new(),
            elements: vec![value],
        }
    }
    /// What `at` says for each index.
    fn make(
        ty: Type,
        shape: &[usize],
        mut at: impl FnMut(&[usize]) -> Result<Const>,
    ) -> Result<Plain> {
        let mut elements = Vec::new();
        for_each(shape, |index| {
            elements.push(at(index)?);
            Ok(())
        })?;
        Ok(Plain {
            ty,
            shape: shape.to_vec(),
            elements,
        })
    }
    /// One number everywhere.
    fn full(ty: Type, shape: &[usize], value: Const) -> Plain {
        Plain {
            ty,
            shape: shape.to_vec(),
            elements: vec![value; shape.iter().product()],
        }
    }
    /// The element at an index.
    fn at(&self, index: &[usize]) -> Result<Const> {
        let fits = index.len() == self.shape.len()
            && index.iter().zip(&self.shape).all(|(i, extent)| i < extent);
        match fits {
            true => Ok(self.elements[place(index, &self.shape)]),
            false => wrong(format!("no element {index:?} in shape {:?}", self.shape)),
        }
    }
    fn float_at(&self, index: &[usize]) -> Result<f64> {
        float(self.at(index)?)
    }
    /// The element at an index of a shape that this array is repeated to.
    fn repeated(&self, index: &[usize]) -> Const {
        let own = &index[index.len() - self.shape.len()..];
        let own = own.iter().zip(&self.shape);
        let own: Vec<usize> = own.map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
        self.elements[place(&own, &self.shape)]
    }
    fn broadcast_to(&self, shape: &[usize]) -> Result<Plain> {
        match broadcast(&[&self.shape, shape])? == shape {
            true => Plain::make(self.ty, shape, |index| Ok(self.repeated(index))),
            false => wrong(format!("{:?} does not broadcast to {shape:?}", self.shape)),
        }
    }
    fn reshape(&self, shape: &[usize]) -> Result<Plain> {
        match shape.iter().product::<usize>() == self.elements.len() {
            true => Ok(Plain {
                shape: shape.to_vec(),
                ..self.clone()
            }),
            false => wrong(format!("{:?} is not {shape:?}", self.shape)),
        }
    }
    /// Axis n of the result is axis `axes[n]`.
    fn permute(&self, axes: &[usize]) -> Result<Plain> {
        let mut sorted = axes.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..self.shape.len()) {
            return wrong(format!("axes {axes:?} of shape {:?}", self.shape));
        }
        let shape: Vec<usize> = axes.iter().map(|&axis| self.shape[axis]).collect();
        Plain::make(self.ty, &shape, |index| {
            let mut own = vec![0; index.len()];
            axes.iter().zip(index).for_each(|(&axis, &i)| own[axis] = i);
            self.at(&own)
        })
    }
    /// The numbers along an axis, for each index of the other axes, as one number.
    fn along(&self, axis: usize, reduce: impl Fn(&[f64]) -> f64) -> Result<Plain> {
        let extent = self.extent(axis)?;
        let shape = without(&self.shape, axis);
        Plain::make(self.ty, &shape, |index| {
            let all = (0..extent).map(|i| self.float_at(&with(index, axis, i)));
            Ok(rounded(
                reduce(&all.collect::<Result<Vec<f64>>>()?),
                self.ty,
            ))
        })
    }
    fn extent(&self, axis: usize) -> Result<usize> {
        let none = || Error::Array(format!("no axis {axis} in shape {:?}", self.shape));
        self.shape.get(axis).copied().ok_or_else(none)
    }
    fn floats(&self) -> Result<Vec<f64>> {
        self.elements.iter().map(|&c| float(c)).collect()
    }
    fn sum(&self) -> Result<f64> {
        Ok(self.floats()?.iter().sum())
    }
    /// This array in a larger one of zeros: along `axis` from `start` on and each `step` further.
    fn placed(&self, axis: usize, start: usize, step: usize, like: &[usize]) -> Result<Plain> {
        let mut made = Plain::full(self.ty, like, Const::Float(0.0));
        for_each(&self.shape, |index| {
            let mut to = index.to_vec();
            to[axis] = start + index[axis] * step;
            made.at(&to)?;
            made.elements[place(&to, like)] = self.at(index)?;
            Ok(())
        })?;
        Ok(made)
    }
    /// All axes, with the listed ones last; and the extents of those before them.
    fn merged(&self, axes: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let kept = (0..self.shape.len()).filter(|axis| !axes.contains(axis));
        let kept: Vec<usize> = kept.collect();
        let extents = kept.iter().map(|&axis| self.shape[axis]).collect();
        ([&kept[..], axes].concat(), extents)
    }
}

/// A host operation with its arguments.
struct Call<'a> {
    arrays: &'a Arrays<'a>,
    op: HostOp,
    args: &'a [Datum],
    ret: Type,
}

impl Call<'_> {
    fn datum(&self, n: usize) -> Result<&Datum> {
        let missing = || Error::Internal(format!("{} has no argument {n}", self.op.name()));
        self.args.get(n).ok_or_else(missing)
    }
    fn optional(&self, n: usize) -> Result<Option<Plain>> {
        self.arrays.take(self.datum(n)?)
    }
    fn array(&self, n: usize) -> Result<Plain> {
        self.arrays.present(self.op.name(), self.datum(n)?)
    }
    fn number(&self, n: usize) -> Result<usize> {
        self.datum(n)?.usize()
    }
    fn value(&self, n: usize) -> Result<Const> {
        self.datum(n)?.scalar()
    }
    fn slice(&self, n: usize) -> Result<&Slice> {
        match self.datum(n)? {
            Datum::Slice(slice) => Ok(slice),
            other => wrong(format!("expected a slice, found {other:?}")),
        }
    }
    /// The extents or axes in a tuple.
    fn list(&self, n: usize) -> Result<Vec<usize>> {
        match self.datum(n)? {
            Datum::Tuple(fields) => fields.iter().map(Datum::usize).collect(),
            Datum::Scalar(Const::Unit) => Ok(Vec::new()),
            other => wrong(format!("expected a list, found {other:?}")),
        }
    }
    /// The type of an element of the result.
    fn ty(&self) -> Type {
        self.ret.element().unwrap_or(self.ret)
    }

    fn compute(&self) -> Result<Datum> {
        use HostOp::*;
        let arrays = self.arrays;
        match self.op {
            Ndim => return Ok(Datum::index(self.array(0)?.shape.len())),
            Dim => return Ok(Datum::index(self.array(0)?.extent(self.number(1)?)?)),
            SplitExtent => {
                let (extent, count) = (self.array(0)?.extent(self.number(1)?)?, self.number(2)?);
                return match extent.checked_rem(count) {
                    Some(0) => Ok(Datum::index(extent / count)),
                    _ => wrong(format!("{count} parts of {extent}")),
                };
            }
            SplitTotal => {
                let (extent, total) = (self.array(0)?.extent(self.number(1)?)?, self.number(2)?);
                return match extent == total {
                    true => Ok(Datum::index(extent)),
                    false => wrong(format!(
                        "parts of {total} in total for an extent of {extent}"
                    )),
                };
            }
            Numel => {
                let count = self.array(0)?.elements.len();
                return Ok(Datum::Scalar(match self.ret.is_differentiable() {
                    true => rounded(count as f64, self.ret),
                    false => Const::Int(count as i64),
                }));
            }
            Item => {
                return match self.array(0)?.elements[..] {
                    [one] => Ok(Datum::Scalar(one)),
                    _ => wrong("item: expected one element".into()),
                };
            }
            SumToScalar => {
                let sum = self.optional(0)?.map_or(Ok(0.0), |a| a.sum())?;
                return Ok(Datum::Scalar(rounded(sum, self.ret)));
            }
            Accumulate => {
                return Ok(match (self.optional(0)?, self.optional(1)?) {
                    (Some(a), Some(b)) if a.shape == b.shape => {
                        let sum = Plain::make(a.ty, &a.shape, |index| {
                            Ok(rounded(a.float_at(index)? + b.float_at(index)?, a.ty))
                        });
                        arrays.give(sum?)
                    }
                    (Some(a), Some(b)) => return wrong(format!("{:?} + {:?}", a.shape, b.shape)),
                    (Some(one), None) | (None, Some(one)) => arrays.give(one),
                    (None, None) => Datum::Array(0),
                });
            }
            OrZeros => {
                return Ok(match (self.optional(0)?, self.optional(1)?) {
                    (Some(a), _) => arrays.give(a),
                    (None, Some(like)) => {
                        arrays.give(Plain::full(self.ty(), &like.shape, Const::Float(0.0)))
                    }
                    (None, None) => Datum::Array(0),
                });
            }
            FromSlice => {
                let slice = self.slice(0)?;
                return Ok(arrays.give(Plain {
                    ty: self.ty(),
                    shape: vec![slice.len()],
                    elements: slice.elements(),
                }));
            }
            Overwrite => {
                let (slice, array) = (self.slice(0)?, self.optional(1)?);
                let elements = match array {
                    Some(array) if array.shape == [slice.len()] => array.elements,
                    Some(array) => {
                        return wrong(format!("{:?} into {} elements", array.shape, slice.len()));
                    }
                    None => vec![Const::Float(0.0); slice.len()],
                };
                for (i, element) in elements.into_iter().enumerate() {
                    slice.store(i, element)?;
                }
                return Ok(Datum::Scalar(Const::Unit));
            }
            Full => {
                let made = Plain::full(self.ty(), &self.list(1)?, self.value(0)?);
                return Ok(arrays.give(made));
            }
            FullLike => {
                let made = Plain::full(self.ty(), &self.array(1)?.shape, self.value(0)?);
                return Ok(arrays.give(made));
            }
            Arange => return self.arange().map(|made| arrays.give(made)),
            Eye => {
                let (n, one) = (self.number(1)?, self.value(0)?);
                let zero = match one {
                    Const::Int(_) => Const::Int(0),
                    _ => Const::Float(0.0),
                };
                let at = |index: &[usize]| Ok(if index[0] == index[1] { one } else { zero });
                return Ok(arrays.give(Plain::make(self.ty(), &[n, n], at)?));
            }
            Matmul | MatmulNt | MatmulTn => {
                return Ok(match (self.optional(0)?, self.optional(1)?) {
                    (Some(a), Some(b)) => arrays.give(product(self.op, &a, &b)?),
                    _ => Datum::Array(0),
                });
            }
            _ => {}
        }
        // All others are linear in their first argument, or it is always there.
        match self.optional(0)? {
            Some(a) => Ok(arrays.give(self.of(&a)?)),
            None => Ok(Datum::Array(0)),
        }
    }

    fn arange(&self) -> Result<Plain> {
        let (ty, first) = (self.ty(), self.value(0)?);
        Plain::make(ty, &[self.number(1)?], |index| {
            Ok(match first {
                Const::Int(first) => Const::Int(first + index[0] as i64),
                first => rounded(float(first)? + index[0] as f64, ty),
            })
        })
    }

    /// What the operation makes of its first argument.
    fn of(&self, a: &Plain) -> Result<Plain> {
        use HostOp::*;
        match self.op {
            Transpose => a.permute(&[1, 0]),
            Reshape => a.reshape(&self.list(1)?),
            ReshapeLike => a.reshape(&self.array(1)?.shape),
            Flatten => a.reshape(&[a.elements.len()]),
            Sum => Ok(Plain::scalar(a.ty, rounded(a.sum()?, a.ty))),
            Mean => {
                let mean = a.sum()? / a.elements.len() as f64;
                Ok(Plain::scalar(a.ty, rounded(mean, a.ty)))
            }
            SumAxis => a.along(self.number(1)?, |all| all.iter().sum()),
            MaxAxis => a.along(self.number(1)?, greatest),
            Softmax | LogSoftmax => self.normalised(a),
            Expand => a.reshape(&[])?.broadcast_to(&self.array(1)?.shape),
            ExpandAxis => {
                let (like, axis) = (self.array(1)?.shape, self.number(2)?);
                let mut one = like.clone();
                one[axis] = 1;
                a.reshape(&one)?.broadcast_to(&like)
            }
            BroadcastTo => a.broadcast_to(&self.list(1)?),
            BroadcastLike => a.broadcast_to(&self.array(1)?.shape),
            Unbroadcast => {
                let like = self.array(1)?;
                let mut sums = vec![0.0; like.elements.len()];
                for_each(&a.shape, |index| {
                    let own = &index[index.len() - like.shape.len()..];
                    let own = own.iter().zip(&like.shape);
                    let own: Vec<usize> = own.map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
                    sums[place(&own, &like.shape)] += a.float_at(index)?;
                    Ok(())
                })?;
                let elements = sums.into_iter().map(|x| rounded(x, a.ty)).collect();
                Ok(Plain {
                    elements,
                    ty: a.ty,
                    ..like
                })
            }
            SameShape => match a.shape == self.array(1)?.shape {
                true => Ok(a.clone()),
                false => wrong(format!("a cotangent of shape {:?}", a.shape)),
            },
            Gather | ScatterAdd => self.indexed(a),
            Narrow => self.part(a, self.number(2)?, 1, self.number(3)?),
            NarrowLike => {
                let count = self.array(3)?.extent(self.number(1)?)?;
                self.part(a, self.number(2)?, 1, count)
            }
            SliceAxis => {
                let (start, end, step) = (self.number(2)?, self.number(3)?, self.number(4)?);
                self.part(a, start, step, (end - start).div_ceil(step))
            }
            Place => a.placed(self.number(1)?, self.number(2)?, 1, &self.array(3)?.shape),
            UnsliceAxis => {
                let (axis, start, step) = (self.number(1)?, self.number(2)?, self.number(4)?);
                a.placed(axis, start, step, &self.array(5)?.shape)
            }
            ReplaceAxis => {
                let (axis, start, step) = (self.number(1)?, self.number(2)?, self.number(4)?);
                let part = self.array(5)?;
                let count = part.extent(axis)?;
                Plain::make(a.ty, &a.shape, |index| {
                    let mut own = index.to_vec();
                    match index[axis].checked_sub(start) {
                        Some(after) if after % step == 0 && after / step < count => {
                            own[axis] = after / step;
                            part.at(&own)
                        }
                        _ => a.at(index),
                    }
                })
            }
            Pad => {
                let (axis, before, after) = (self.number(1)?, self.number(2)?, self.number(3)?);
                let mut shape = a.shape.clone();
                shape[axis] = before + a.extent(axis)? + after;
                a.placed(axis, before, 1, &shape)
            }
            Concat => {
                let (b, axis) = (self.array(1)?, self.number(2)?);
                let (first, second) = (a.extent(axis)?, b.extent(axis)?);
                let mut shape = a.shape.clone();
                shape[axis] = first + second;
                Plain::make(a.ty, &shape, |index| {
                    let mut own = index.to_vec();
                    match index[axis].checked_sub(first) {
                        Some(i) => {
                            own[axis] = i;
                            b.at(&own)
                        }
                        None => a.at(&own),
                    }
                })
            }
            Flip => {
                let axis = self.number(1)?;
                let extent = a.extent(axis)?;
                Plain::make(a.ty, &a.shape, |index| {
                    let mut own = index.to_vec();
                    own[axis] = extent - 1 - own[axis];
                    a.at(&own)
                })
            }
            Roll => {
                let axis = self.number(1)?;
                let extent = a.extent(axis)? as i64;
                let Const::Int(by) = self.value(2)? else {
                    return wrong("expected a number of places".to_owned());
                };
                Plain::make(a.ty, &a.shape, |index| {
                    let mut own = index.to_vec();
                    own[axis] = (own[axis] as i64 - by).rem_euclid(extent) as usize;
                    a.at(&own)
                })
            }
            Cumsum => {
                let axis = self.number(1)?;
                Plain::make(a.ty, &a.shape, |index| {
                    let mut sum = 0.0;
                    let mut own = index.to_vec();
                    for i in 0..=index[axis] {
                        own[axis] = i;
                        sum += a.float_at(&own)?;
                    }
                    Ok(rounded(sum, a.ty))
                })
            }
            SwapAxes => {
                let mut axes: Vec<usize> = (0..a.shape.len()).collect();
                axes.swap(self.number(1)?, self.number(2)?);
                a.permute(&axes)
            }
            ExpandDims => a.reshape(&with(&a.shape, self.number(1)?, 1)),
            Squeeze => a.reshape(&without(&a.shape, self.number(1)?)),
            InsertAxis => {
                let (axis, count) = (self.number(1)?, self.number(2)?);
                let shape = with(&a.shape, axis, count);
                Plain::make(a.ty, &shape, |index| a.at(&without(index, axis)))
            }
            IndexAlong => {
                let (axis, like) = (self.number(1)?, self.array(2)?);
                if a.shape.len() != 1 || axis >= like.shape.len() {
                    return Ok(a.clone());
                }
                let mut shape = like.shape.clone();
                shape[axis] = a.shape[0];
                Plain::make(a.ty, &shape, |index| a.at(&[index[axis]]))
            }
            Unflatten => {
                let (axis, index) = (self.number(1)?, self.array(2)?);
                a.extent(axis)?;
                let mut shape = a.shape.clone();
                shape.splice(axis..=axis, index.shape.iter().copied());
                a.reshape(&shape)
            }
            Permute => a.permute(&self.list(1)?),
            Unpermute => a.permute(&inverse(&self.list(1)?)),
            MergeAxes => {
                let (order, mut shape) = a.merged(&self.list(1)?);
                let moved = a.permute(&order)?;
                shape.push(moved.shape[shape.len()..].iter().product());
                moved.reshape(&shape)
            }
            UnmergeAxes => {
                let like = self.array(1)?;
                let (order, _) = like.merged(&self.list(2)?);
                let shape: Vec<usize> = order.iter().map(|&axis| like.shape[axis]).collect();
                a.reshape(&shape)?.permute(&inverse(&order))
            }
            Ndim | Dim | SplitExtent | SplitTotal | Numel | Item | SumToScalar | Accumulate
            | OrZeros | FromSlice | Overwrite | Full | FullLike | Arange | Eye | Matmul
            | MatmulNt | MatmulTn => {
                let name = self.op.name();
                Err(Error::Internal(format!("{name} was computed before")))
            }
        }
    }

    /// `count` elements along an axis from `start` on, each `step` further.
    fn part(&self, a: &Plain, start: usize, step: usize, count: usize) -> Result<Plain> {
        let axis = self.number(1)?;
        a.extent(axis)?;
        let mut shape = a.shape.clone();
        shape[axis] = count;
        Plain::make(a.ty, &shape, |index| {
            let mut own = index.to_vec();
            own[axis] = start + index[axis] * step;
            a.at(&own)
        })
    }

    fn normalised(&self, a: &Plain) -> Result<Plain> {
        let axis = self.number(1)?;
        let largest = a.along(axis, greatest)?;
        let sums = a.along(axis, |all| {
            let largest = greatest(all);
            all.iter().map(|x| (x - largest).exp()).sum()
        })?;
        Plain::make(a.ty, &a.shape, |index| {
            let row = without(index, axis);
            let x = a.float_at(index)? - largest.float_at(&row)?;
            let sum = sums.float_at(&row)?;
            Ok(rounded(
                match self.op {
                    HostOp::Softmax => x.exp() / sum,
                    _ => x - sum.ln(),
                },
                a.ty,
            ))
        })
    }

    fn indexed(&self, a: &Plain) -> Result<Plain> {
        let (axis, index) = (self.number(1)?, self.array(2)?);
        let at = |place: &[usize]| -> Result<Vec<usize>> {
            let mut own = place.to_vec();
            own[axis] = Datum::Scalar(index.at(place)?).usize()?;
            Ok(own)
        };
        if self.op == HostOp::Gather {
            return Plain::make(a.ty, &index.shape, |place| a.at(&at(place)?));
        }
        let like = self.array(3)?.shape;
        let mut sums = Plain::full(Type::F64, &like, Const::Float(0.0));
        for_each(&a.shape, |from| {
            let to = at(from)?;
            let sum = sums.float_at(&to)? + a.float_at(from)?;
            sums.elements[place(&to, &like)] = Const::Float(sum);
            Ok(())
        })?;
        Plain::make(a.ty, &like, |index| {
            Ok(rounded(sums.float_at(index)?, a.ty))
        })
    }
}

/// Products of matrices, of stacks of matrices that broadcast, and of vectors.
///
/// For vectors the transposed products are what the cotangents of the plain one need: the product of a vector and a transposed vector is
/// their outer product.
fn product(op: HostOp, a: &Plain, b: &Plain) -> Result<Plain> {
    let turned = |m: &Plain| {
        let n = m.shape.len();
        let mut axes: Vec<usize> = (0..n).collect();
        if n >= 2 {
            axes.swap(n - 2, n - 1);
        }
        m.permute(&axes)
    };
    let row = |v: &Plain| v.reshape(&[1, v.elements.len()]);
    let column = |v: &Plain| v.reshape(&[v.elements.len(), 1]);
    // The factors as matrices, and which of the last two axes of their product are no axes of the result.
    let (a, b, dropped) = match (op, a.shape.len(), b.shape.len()) {
        (HostOp::Matmul, 1, 1) => (row(a)?, column(b)?, 2),
        (HostOp::Matmul, 1, 2) => (row(a)?, b.clone(), 1),
        (HostOp::Matmul, 2, 1) => (a.clone(), column(b)?, 1),
        (HostOp::Matmul, _, _) => (a.clone(), b.clone(), 0),
        (HostOp::MatmulNt, 0, 1) => (row(a)?, row(b)?, 1),
        (HostOp::MatmulNt, 1, 1) => (column(a)?, row(b)?, 0),
        (HostOp::MatmulNt, 1, 2) => (row(a)?, turned(b)?, 1),
        (HostOp::MatmulNt, _, _) => (a.clone(), turned(b)?, 0),
        (_, 1, 0) => (column(a)?, column(b)?, 1),
        (_, 1, 1) => (column(a)?, row(b)?, 0),
        (_, 2, 1) => (turned(a)?, column(b)?, 1),
        _ => (turned(a)?, b.clone(), 0),
    };
    let (p, q) = (a.shape.len(), b.shape.len());
    if p < 2 || q < 2 || a.shape[p - 1] != b.shape[q - 2] {
        return wrong(format!("a product of {:?} and {:?}", a.shape, b.shape));
    }
    let lead = broadcast(&[&a.shape[..p - 2], &b.shape[..q - 2]])?;
    let inner = a.shape[p - 1];
    let left = a.broadcast_to(&[&lead[..], &a.shape[p - 2..]].concat())?;
    let right = b.broadcast_to(&[&lead[..], &b.shape[q - 2..]].concat())?;
    let shape = [&lead[..], &[a.shape[p - 2], b.shape[q - 1]]].concat();
    let made = Plain::make(a.ty, &shape, |index| {
        let (stack, place) = index.split_at(lead.len());
        let mut sum = 0.0;
        for k in 0..inner {
            let x = left.float_at(&[stack, &[place[0], k]].concat())?;
            let y = right.float_at(&[stack, &[k, place[1]]].concat())?;
            sum += x * y;
        }
        Ok(rounded(sum, a.ty))
    })?;
    // What is dropped has extent 1.
    let kept: Vec<usize> = match dropped {
        0 => made.shape.clone(),
        1 => vec![made.elements.len()],
        _ => Vec::new(),
    };
    made.reshape(&kept)
}

/// The greatest number; NaN if one is NaN.
fn greatest(all: &[f64]) -> f64 {
    let larger = |a: f64, &b: &f64| if b > a || b.is_nan() { b } else { a };
    all.iter().fold(f64::NEG_INFINITY, larger)
}

/// Does something for every index, the last axis fastest.
fn for_each(shape: &[usize], mut each: impl FnMut(&[usize]) -> Result<()>) -> Result<()> {
    for n in 0..shape.iter().product() {
        let (mut rest, mut index) = (n, vec![0; shape.len()]);
        for (i, &extent) in index.iter_mut().zip(shape).rev() {
            (*i, rest) = (rest % extent, rest / extent);
        }
        each(&index)?;
    }
    Ok(())
}

/// Where an index is in row-major order.
fn place(index: &[usize], shape: &[usize]) -> usize {
    { index.iter().zip(shape) }.fold(0, |at, (&i, &extent)| at * extent + i)
}

/// A list without one of its entries, and with one more.
fn without(list: &[usize], at: usize) -> Vec<usize> {
    let mut list = list.to_vec();
    list.remove(at);
    list
}
fn with(list: &[usize], at: usize, entry: usize) -> Vec<usize> {
    let mut list = list.to_vec();
    list.insert(at, entry);
    list
}

fn inverse(axes: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; axes.len()];
    axes.iter()
        .enumerate()
        .for_each(|(to, &from)| inverse[from] = to);
    inverse
}

/// The shape that several broadcast to.
fn broadcast(shapes: &[&[usize]]) -> Result<Vec<usize>> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut all = vec![1; rank];
    for shape in shapes {
        for (extent, &own) in all.iter_mut().rev().zip(shape.iter().rev()) {
            match (*extent, own) {
                (_, 1) => {}
                (1, own) => *extent = own,
                (a, b) if a == b => {}
                _ => return wrong(format!("shapes {shapes:?} do not broadcast")),
            }
        }
    }
    Ok(all)
}

fn float(value: Const) -> Result<f64> {
    match value {
        Const::Float(x) => Ok(x),
        other => wrong(format!("expected a float, found {other:?}")),
    }
}

fn rounded(x: f64, ty: Type) -> Const {
    match ty {
        Type::F16 => Const::Float(f16::from_f64(x).into()),
        Type::F32 => Const::Float(f64::from(x as f32)),
        _ => Const::Float(x),
    }
}

fn wrong<T>(message: String) -> Result<T> {
    Err(Error::Array(message))
}

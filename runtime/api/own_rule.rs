//! What `#[differentiable(rrule = …, frule = …)]` writes on: values, cotangents and tangents as the host lends them, in the types
//! of Rust.
//!
//! A value crosses as its leaves, numbers and arrays. Its gradient has a number for each leaf that has a derivative, in the same
//! order, so the two are gone through in step. Slices cross as they are.

use super::layout::value_layout;
use super::value::{Cotangent, Seen, Value};
use super::visit::{Number, Visitor};
use crate::array::{Array, Device, Element, FloatElement};
use crate::ir::Type;
pub use crate::plugin::{OwnRule, ProgramRule, RuleCode, frule, give_pullback, primal, rrule};
pub use mooncake_pack::__private::Given;
use mooncake_pack::ArrayView;
pub use mooncake_pack::{Cotangents, Outcome, Tangents};
use std::result::Result;

/// The types of the leaves of a value.
pub fn leaves<T: Value>() -> Vec<Type> {
    value_layout::<T>().leaves.clone()
}
/// Those of `&[T]`.
pub fn slice_type<T: Value>() -> Vec<Type> {
    T::SCALAR.map(Type::slice).into_iter().collect()
}
/// Those of `&mut [T]`.
pub fn slice_mut_type<T: Value>() -> Vec<Type> {
    T::SCALAR.map(Type::slice_mut).into_iter().collect()
}

/// The next argument.
pub fn value<T: Value>(given: &Given<'_>) -> Result<T, String> {
    T::of_leaves(given)
}
/// Gives the result.
pub fn encode<T: Value>(given: &Given<'_>, value: &T) -> Outcome {
    value.to_leaves(given)
}

/// What values do that no rule takes.
pub(super) fn no_leaves<T: Value>() -> String {
    format!(
        "`{}` is not passed to a function with a rule of its own",
        T::ty()
    )
}

/// Calls `leaf` with each number or array of a gradient, and the position of the leaf that it belongs to.
fn each_leaf<T: Value>(
    gradient: &mut T::Gradient,
    mut leaf: impl FnMut(usize, Number<'_>) -> Outcome,
) -> Outcome {
    let shape = value_layout::<T>();
    let types = shape.leaves.iter().enumerate();
    let mut smooth = types.filter(|(_, ty)| ty.is_differentiable());
    let mut outcome = Ok(());
    gradient.visit_in_step(&mut |number| {
        if let (Ok(()), Some((n, _))) = (&outcome, smooth.next()) {
            outcome = leaf(n, number);
        }
    });
    outcome
}

trait InStep {
    /// Goes through numbers and arrays of floats in order.
    fn visit_in_step(&mut self, leaf: &mut dyn FnMut(Number<'_>));
}
impl<G: Cotangent> InStep for G {
    fn visit_in_step(&mut self, leaf: &mut dyn FnMut(Number<'_>)) {
        self.visit(&mut Visitor::new(&mut |number, _| match number {
            Number::F16s(_) | Number::Bits(_) => {}
            number => leaf(number),
        }));
    }
}

/// The cotangent of the result.
pub fn seed<T: Value>(back: &Cotangents<'_>) -> Result<T::Gradient, String> {
    fn array<T: FloatElement + mooncake_pack::Element>(
        back: &Cotangents<'_>,
        n: usize,
    ) -> Result<Array<T>, String> {
        let (shape, data) = (back.result::<T>(n)?.shape(), back.seed::<T>(n)?);
        Ok(Array::from_vec_on(&Device::cpu(), data.to_vec(), shape))
    }
    let mut gradient = T::Gradient::empty();
    each_leaf::<T>(&mut gradient, |n, number| {
        match number {
            Number::F32(x) => *x = one(back.seed(n)?)?,
            Number::F64(x) => *x = one(back.seed(n)?)?,
            Number::F32s(x) => *x = array(back, n)?,
            Number::F64s(x) => *x = array(back, n)?,
            Number::F16s(_) | Number::Bits(_) => {}
        }
        Ok(())
    })?;
    Ok(gradient)
}

fn one<T: Copy>(elements: &[T]) -> Result<T, String> {
    let one = elements.first().copied();
    one.ok_or_else(|| "the host passes no number".to_owned())
}

/// Adds the cotangent of an argument whose leaves begin at a position.
pub fn add<T: Value>(back: &Cotangents<'_>, at: usize, mut cotangent: T::Gradient) -> Outcome {
    fn number<T: Copy + std::ops::AddAssign + mooncake_pack::Element>(
        back: &Cotangents<'_>,
        n: usize,
        x: T,
    ) -> Outcome {
        if let Some([sum]) = back.of::<T>(n)? {
            *sum += x;
        }
        Ok(())
    }
    fn array<T: FloatElement + std::ops::AddAssign + mooncake_pack::Element>(
        back: &Cotangents<'_>,
        n: usize,
        x: &Array<T>,
    ) -> Outcome {
        let Some(sums) = back.of::<T>(n)? else {
            return Ok(());
        };
        let data = x.to_vec().map_err(|error| error.to_string())?;
        let expected = back.argument::<ArrayView<T>>(n)?.shape();
        if x.shape() != expected {
            return Err(format!(
                "the pullback gives a cotangent of shape {:?} for an argument of shape {expected:?}",
                x.shape()
            ));
        }
        sums.iter_mut().zip(data).for_each(|(sum, x)| *sum += x);
        Ok(())
    }
    each_leaf::<T>(&mut cotangent, |n, x| match x {
        Number::F32(x) => number(back, at + n, *x),
        Number::F64(x) => number(back, at + n, *x),
        Number::F32s(x) => array(back, at + n, x),
        Number::F64s(x) => array(back, at + n, x),
        Number::F16s(_) | Number::Bits(_) => Ok(()),
    })
}

/// The shadow of a slice; where nobody wants it, one that nobody sees.
pub fn shadow<'a, T: mooncake_pack::Element + Default>(
    back: &Cotangents<'a>,
    at: usize,
    len: usize,
    room: &'a mut Vec<T>,
) -> Result<&'a mut [T], String> {
    Ok(match back.of::<T>(at)? {
        Some(shadow) => shadow,
        None => {
            room.resize(len, T::default());
            room
        }
    })
}

/// Puts back what a mutable slice has held before the call.
pub fn restore<T: mooncake_pack::Element>(back: &Cotangents<'_>, at: usize, kept: &[T]) -> Outcome {
    let memory = back.memory::<T>(at)?;
    match memory.len() == kept.len() {
        true => memory.copy_from_slice(kept),
        false => return Err("a slice has another length than in the call".to_owned()),
    }
    Ok(())
}

/// The tangent of an argument: zeros of its form, if it has none.
pub fn tangent<T: Value>(
    tangents: &Tangents<'_>,
    at: usize,
    value: &T,
) -> Result<T::Gradient, String> {
    fn number<T: Copy + mooncake_pack::Element>(
        tangents: &Tangents<'_>,
        n: usize,
        x: &mut T,
    ) -> Outcome {
        if let Some(found) = tangents.of::<T>(n)? {
            *x = one(found)?;
        }
        Ok(())
    }
    fn array<T: FloatElement + mooncake_pack::Element>(
        tangents: &Tangents<'_>,
        n: usize,
        x: &mut Array<T>,
    ) -> Outcome {
        if let Some(found) = tangents.of::<T>(n)? {
            *x = Array::from_vec_on(&Device::cpu(), found.to_vec(), x.shape());
        }
        Ok(())
    }
    let mut gradient = value.zero(&mut Seen::default());
    each_leaf::<T>(&mut gradient, |n, x| match x {
        Number::F32(x) => number(tangents, at + n, x),
        Number::F64(x) => number(tangents, at + n, x),
        Number::F32s(x) => array(tangents, at + n, x),
        Number::F64s(x) => array(tangents, at + n, x),
        Number::F16s(_) | Number::Bits(_) => Ok(()),
    })?;
    Ok(gradient)
}

/// The tangent of a slice that is read.
pub fn tangents_of<'a, T: mooncake_pack::Element + Default>(
    tangents: &Tangents<'a>,
    at: usize,
    len: usize,
    room: &'a mut Vec<T>,
) -> Result<&'a [T], String> {
    Ok(match tangents.of::<T>(at)? {
        Some(tangent) => tangent,
        None => {
            room.resize(len, T::default());
            room
        }
    })
}

/// The tangent of a slice that is written.
pub fn tangents_of_mut<'a, T: mooncake_pack::Element + Default>(
    tangents: &Tangents<'a>,
    at: usize,
    len: usize,
    room: &'a mut Vec<T>,
) -> Result<&'a mut [T], String> {
    Ok(match tangents.memory::<T>(at)? {
        Some(tangent) => tangent,
        None => {
            room.resize(len, T::default());
            room
        }
    })
}

/// Gives the tangent of the result.
pub fn give_tangent<T: Value>(tangents: &Tangents<'_>, mut tangent: T::Gradient) -> Outcome {
    each_leaf::<T>(&mut tangent, |n, x| {
        match x {
            Number::F32(x) => *tangents.scalar(n)? = *x,
            Number::F64(x) => *tangents.scalar(n)? = *x,
            Number::F32s(x) => copy(x, tangents.array(n)?)?,
            Number::F64s(x) => copy(x, tangents.array(n)?)?,
            Number::F16s(_) | Number::Bits(_) => {}
        }
        Ok(())
    })
}

/// An array of the program's own of what the host lends.
pub(super) fn read_array<T: Element + mooncake_pack::Element>(
    given: &Given<'_>,
) -> Result<Array<T>, String> {
    let view = given.argument::<ArrayView<T>>()?;
    let data = view.data().to_vec();
    Ok(Array::from_vec_on(&Device::cpu(), data, view.shape()))
}

/// The same, of either type of floats.
pub(super) fn read_floats<T: FloatElement>(given: &Given<'_>) -> Result<Array<T>, String> {
    let mut array = Array::empty();
    match Number::of_array(&mut array) {
        Some(Number::F32s(array)) => *array = read_array(given)?,
        Some(Number::F64s(array)) => *array = read_array(given)?,
        _ => {}
    }
    Ok(array)
}

/// Writes an array of either type of floats where the host makes room.
pub(super) fn copy_floats<T: FloatElement>(array: &Array<T>, given: &Given<'_>) -> Outcome {
    match Number::of_array(&mut array.clone()) {
        Some(Number::F32s(array)) => copy(array, given.out()?),
        Some(Number::F64s(array)) => copy(array, given.out()?),
        _ => Ok(()),
    }
}

/// Writes an array where the host makes room.
pub(super) fn copy<T: Element + mooncake_pack::Element>(
    array: &Array<T>,
    out: mooncake_pack::ArrayOut<'_, T>,
) -> Outcome {
    let data = array.to_vec().map_err(|error| error.to_string())?;
    out.allocate(array.shape())?.copy_from_slice(&data);
    Ok(())
}

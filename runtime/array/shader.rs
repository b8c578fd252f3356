//! Compute shaders of packs, on arrays: what their plans say for a call, and the call.

use super::backend::{Dims, ShaderCall, View};
use super::shape::numel;
use super::tensor::Tensor;
use crate::diag::{Error, Result};
use crate::interp::{Datum, Nothing, run as interpret};
use crate::ir::eval::from_bits;
use crate::ir::{Const, Symbol, Type};
use crate::registry::Kernel;
use smallvec::SmallVec;

/// The results of a kernel for these arguments, whose arrays are all of one device that is not the host. `None` if that is not so, or if
/// a result has no elements.
pub fn run(
    kernel: &Kernel,
    name: Symbol,
    args: &[(Type, u64)],
    arrays: &[Tensor],
    results: &[Type],
) -> Result<Option<SmallVec<[Tensor; 2]>>> {
    let Some(device) = arrays.first().map(Tensor::device) else {
        return Ok(None);
    };
    if arrays.iter().any(|array| array.device() != device) {
        return Ok(None);
    }
    let wrong = |message: String| Error::Array(format!("{name}: the kernel's plan: {message}"));
    let known = known(args, arrays).map_err(wrong)?;
    let planned = interpret(&kernel.plan, &known, &Nothing).map_err(|error| match error {
        // Of the interpreter: a division by zero, in an expression of the pack's.
        Error::Internal(message) => wrong(message),
        error => wrong(error.to_string()),
    })?;
    let Datum::Tuple(parts) = planned else {
        return Err(wrong(format!("it gives {planned}")));
    };
    let (Some((params, rest)), count) = (parts.split_first(), results.len()) else {
        return Err(wrong("it is empty".to_owned()));
    };
    let params: Vec<u32> = fields(params)
        .iter()
        .map(word)
        .collect::<Result<_, _>>()
        .map_err(wrong)?;
    let mut shapes = Vec::new();
    for (n, (part, ty)) in rest.iter().zip(results).enumerate() {
        let like = kernel.shaped_like.get(n).copied().flatten();
        let shape: Dims = match like.and_then(|like| arrays.get(like)) {
            Some(array) => array.shape().into(),
            None => fields(part)
                .iter()
                .map(extent)
                .collect::<Result<_, _>>()
                .map_err(wrong)?,
        };
        shapes.push((ty.element().unwrap_or(*ty), shape));
    }
    let mut groups = [1; 3];
    for (group, datum) in groups
        .iter_mut()
        .zip(rest.get(count).map_or(&[][..], fields))
    {
        let found = extent(datum).map_err(wrong)?;
        *group = u32::try_from(found).map_err(|_| wrong(format!("{found} workgroups")))?;
    }
    let mut outputs = Vec::new();
    for (ty, shape) in &shapes {
        outputs.push(numel(shape)? * ty.size().unwrap_or(4));
    }
    if outputs.contains(&0) || groups.contains(&0) {
        return Ok(None);
    }
    let inputs: Vec<View> = arrays.iter().map(|array| array.view().clone()).collect();
    let call = ShaderCall {
        kernel,
        name,
        inputs: &inputs,
        params: &params,
        outputs: &outputs,
        groups,
    };
    Tensor::shader(&call, device, &shapes).map(Some)
}

/// What a plan takes: see [`Kernel::plan`].
fn known(args: &[(Type, u64)], arrays: &[Tensor]) -> Result<Vec<Datum>, String> {
    let number = |n: usize| Datum::Scalar(Const::Int(n as i64));
    let (mut known, mut arrays) = (Vec::new(), arrays.iter());
    for &(ty, bits) in args {
        if !ty.is_array() {
            known.push(Datum::Scalar(from_bits(bits, ty)));
            continue;
        }
        let shape = arrays.next().map_or(&[][..], Tensor::shape);
        if shape.len() > Kernel::AXES {
            return Err(format!(
                "an array of {} axes; at most {}",
                shape.len(),
                Kernel::AXES
            ));
        }
        known.push(number(shape.iter().product()));
        let extents = shape.iter().copied().chain(std::iter::repeat(1));
        known.extend(extents.take(Kernel::AXES).map(number));
    }
    Ok(known)
}

/// The values of a tuple.
fn fields(datum: &Datum) -> &[Datum] {
    match datum {
        Datum::Tuple(fields) => fields,
        _ => &[],
    }
}

/// A number as a kernel gets it.
fn word(datum: &Datum) -> Result<u32, String> {
    match datum {
        Datum::Scalar(Const::Bool(b)) => Ok((*b).into()),
        Datum::Scalar(Const::Int(n)) if i32::try_from(*n).is_ok() => Ok(*n as i32 as u32),
        Datum::Scalar(Const::Int(n)) if u32::try_from(*n).is_ok() => Ok(*n as u32),
        Datum::Scalar(Const::Float(x)) => Ok((*x as f32).to_bits()),
        other => Err(format!("the parameter {other} does not fit 32 bits")),
    }
}

/// A number of elements or workgroups.
fn extent(datum: &Datum) -> Result<usize, String> {
    match datum {
        Datum::Scalar(Const::Int(n)) => usize::try_from(*n).map_err(|_| format!("the extent {n}")),
        Datum::Scalar(Const::Float(x)) if *x >= 0.0 && x.fract() == 0.0 => Ok(*x as usize),
        other => Err(format!("the extent {other}")),
    }
}

//! The verifier of kernels: the invariants of the module, checked.

use super::{Combine, Kernel, Level, Output};
use crate::arena::Id;
use crate::diag::{Error, Result};
use crate::ir::verify::{Externals, verify};
use crate::ir::{Callee, Module, Op, Prim, Terminator, Type};
use std::ops::Range;

/// Checks a kernel. `scalars` says what a call of a scalar function of a pack gives.
pub fn check(kernel: &Kernel, scalars: Externals) -> Result<()> {
    let wrong = |message: String| Err(Error::Internal(format!("{message}\n{kernel}")));
    if kernel.rows.is_empty() || kernel.rows.contains(&0) || kernel.columns == 0 {
        return wrong("a kernel has at least one axis of rows, and points".into());
    }
    // With room for eight bytes each.
    let points = { kernel.rows.iter().chain([&kernel.columns]) }
        .try_fold(8usize, |all, &extent| all.checked_mul(extent));
    if points.is_none_or(|points| points > isize::MAX as usize) {
        return wrong("a kernel has no more points than memory has elements".into());
    }
    let params = kernel.body.param_types();
    if !params
        .iter()
        .eq(kernel.inputs.iter().map(|input| &input.ty))
    {
        return wrong("the parameters of a kernel's body are its inputs".into());
    }
    let steps = kernel.rows.len() + 1;
    if kernel.inputs.iter().any(|input| input.steps.len() != steps) {
        return wrong(format!("an input has {steps} steps, one for each axis"));
    }
    for input in &kernel.inputs {
        let Some(window) = &input.window else {
            continue;
        };
        let extents = kernel.rows.iter().chain([&kernel.columns]);
        let fits =
            |(own, &extent): (&Range<usize>, &usize)| own.start < own.end && own.end <= extent;
        if input.gather.is_some() || window.len() != steps || !window.iter().zip(extents).all(fits)
        {
            return wrong("a window is a part of the points, of an input without an index".into());
        }
    }
    for (n, input) in kernel.inputs.iter().enumerate() {
        let Some(gather) = input.gather else { continue };
        let index = kernel.inputs[..n].get(gather.by);
        if index.is_none_or(|index| index.ty != Type::U32) || gather.extent == 0 {
            return wrong(
                "an index is an earlier input of type u32, for at least one element".into(),
            );
        }
    }
    if kernel.body.layout.len() != 1 {
        return wrong("the body of a kernel is straight-line".into());
    }
    let externals = |callee: Callee, types: &[Type]| match (Combine::of_callee(callee), types) {
        (Some(_), [ty]) if Combine::takes(*ty) => Some(*ty),
        (Some(_), _) => None,
        (None, _) => scalars(callee, types),
    };
    verify(&Module::new((*kernel.body).clone()), &externals)?;
    let block = &kernel.body.blocks[kernel.body.entry()];
    let tuple = match block.terminator {
        Terminator::Return(value) => kernel.body.def_inst(value),
        _ => None,
    };
    if !tuple.is_some_and(|inst| inst.op == Op::Prim(Prim::Tuple)) {
        return wrong("the body of a kernel returns a tuple that it makes".into());
    }
    if kernel.results().len() != kernel.outputs.len() {
        return wrong("the body of a kernel returns one value for each output".into());
    }
    let known = kernel.known();
    for (&value, output) in kernel.results().iter().zip(&kernel.outputs) {
        let (ty, level) = (kernel.body.ty(value), known[value.index()].level);
        let fits = match output {
            Output::Points | Output::Across => ty.is_scalar(),
            Output::Rows => ty.is_scalar() && level <= Level::Row,
            Output::Total(_) => Combine::takes(ty),
            Output::RowTotal(_) => Combine::takes(ty) && level <= Level::Row,
            Output::Scattered(_) => ty.is_float(),
        };
        if !fits {
            return wrong(format!("{value} of type {ty} is no output {output:?}"));
        }
    }
    let is_flat = |output: &Output| matches!(output, Output::Points | Output::Total(_));
    if kernel.has_windows() && !(kernel.phases() == 0 && kernel.outputs.iter().all(is_flat)) {
        return wrong("a kernel with windows gives points and totals, and reduces no rows".into());
    }
    if kernel
        .outputs
        .iter()
        .any(|output| output.scatter().is_some())
    {
        check_scatter(kernel).or_else(|message| wrong(message.into()))?;
    }
    for &inst in kernel.insts() {
        let row = &kernel.body.insts[inst];
        let is_tuple = row.op == Op::Prim(Prim::Tuple);
        let scalar = kernel.body.ty(row.result).is_scalar() || is_tuple;
        if !scalar || matches!(row.op, Op::Map(_)) || row.op.effect() == crate::ir::Effect::Guard {
            return wrong(format!("{} is no value of a kernel", row.result));
        }
    }
    Ok(())
}

/// The invariants of a kernel that scatters.
fn check_scatter(kernel: &Kernel) -> std::result::Result<(), &'static str> {
    let ([Output::Scattered(scatter)], 0) = (&kernel.outputs[..], kernel.phases()) else {
        return Err("a kernel that scatters has one output and no reductions");
    };
    let by = kernel.inputs.get(scatter.by);
    if !by.is_some_and(|by| by.ty == Type::U32 && by.gather.is_none()) {
        return Err(
            "the index of an output is an input of type u32 that is not read through an index",
        );
    }
    let elements = kernel.row_count().checked_mul(scatter.extent);
    let bytes = elements.and_then(|elements| elements.checked_mul(8));
    match bytes.is_some_and(|bytes| bytes > 0 && bytes <= isize::MAX as usize) {
        true => Ok(()),
        false => Err("an output has elements, and no more than memory has"),
    }
}

//! The reference interpreter of kernels: what a kernel means, without speed.

use super::{Combine, Input, Kernel, Output, Scatter};
use crate::arena::Id;
use crate::diag::{Error, Result};
use crate::ir::eval::{evaluate, zero};
use crate::ir::{Callee, Const, Op, Prim, Symbol, Type};

/// An input of a run: all elements of the memory, and where the kernel's first element is among them.
pub struct Elements<'a> {
    /// The memory.
    pub all: &'a [Const],
    /// The element of the first point, or of the first point of the input's window.
    pub start: usize,
}

/// Computes the outputs of a kernel. `scalars` computes the scalar functions of packs.
pub fn run(
    kernel: &Kernel,
    inputs: &[Elements],
    scalars: &dyn Fn(Symbol, &[Const], &[Type]) -> Option<Const>,
) -> Result<Vec<Vec<Const>>> {
    let mut outputs = vec![Vec::new(); kernel.outputs.len()];
    for row in 0..kernel.row_count() {
        let run = Row {
            kernel,
            inputs,
            scalars,
            row,
        };
        run.compute(&mut outputs)?;
    }
    for (n, output) in kernel.outputs.iter().enumerate() {
        if let Some(combine) = output.total() {
            let ty = kernel.output_type(n);
            outputs[n] = vec![total(combine, &outputs[n], ty)?];
        }
        let along = match *output {
            Output::Across => Some(kernel.columns),
            Output::Scattered(Scatter { across, extent, .. }) => across.then_some(extent),
            _ => None,
        };
        if let Some(along) = along {
            let (rows, all) = (kernel.row_count(), &outputs[n]);
            let across = (0..all.len()).map(|at| all[at % rows * along + at / rows]);
            outputs[n] = across.collect();
        }
    }
    Ok(outputs)
}

/// One row of a run.
struct Row<'a> {
    kernel: &'a Kernel,
    inputs: &'a [Elements<'a>],
    scalars: &'a dyn Fn(Symbol, &[Const], &[Type]) -> Option<Const>,
    row: usize,
}

impl Row<'_> {
    /// Adds the row's elements to the outputs. A value that is the same for the row is computed at every point again.
    fn compute(&self, outputs: &mut [Vec<Const>]) -> Result<()> {
        let body = &self.kernel.body;
        // By value, one element for each column.
        let mut columns: Vec<Vec<Const>> = vec![Vec::new(); body.values.len()];
        for (n, &param) in body.params().iter().enumerate() {
            let elements = (0..self.kernel.columns).map(|column| self.element(n, column));
            columns[param.index()] = elements.collect::<Result<_>>()?;
        }
        for &inst in self.kernel.insts() {
            let row = &body.insts[inst];
            if row.op == Op::Prim(Prim::Tuple) {
                continue;
            }
            let made = match self.kernel.reduction(inst) {
                Some(combine) => {
                    self.reduce(combine, &columns[row.args[0].index()], body.ty(row.result))?
                }
                None => {
                    let at = |column| self.point(row, &columns, column);
                    (0..self.kernel.columns).map(at).collect::<Result<_>>()?
                }
            };
            columns[row.result.index()] = made;
        }
        for ((&value, output), out) in self
            .kernel
            .results()
            .iter()
            .zip(&self.kernel.outputs)
            .zip(outputs)
        {
            let all = &columns[value.index()];
            match output {
                Output::Points | Output::Across | Output::Total(_) => out.extend(all),
                Output::Rows | Output::RowTotal(_) => out.extend(all.first()),
                Output::Scattered(scatter) => {
                    let indices = &columns[body.params()[scatter.by].index()];
                    out.extend(scattered(*scatter, indices, all, body.ty(value))?);
                }
            }
        }
        Ok(())
    }

    fn element(&self, input: usize, column: usize) -> Result<Const> {
        let Input {
            ty,
            steps,
            window,
            gather,
        } = &self.kernel.inputs[input];
        let mut at = self.inputs[input].start as isize;
        if let Some(gather) = gather {
            let index = match self.element(gather.by, column)? {
                Const::Int(index) => usize::try_from(index).ok(),
                _ => None,
            };
            let index = index.filter(|&index| index < gather.extent);
            at += index.ok_or_else(|| gather.fault())? as isize * gather.step;
        }
        let (mut rest, axes) = (self.row, self.kernel.rows.len());
        for axis in (0..=axes).rev() {
            let mut place = column;
            if let Some(&extent) = self.kernel.rows.get(axis) {
                place = rest % extent;
                rest /= extent;
            }
            if let Some(window) = window {
                if !window[axis].contains(&place) {
                    return Ok(zero(*ty));
                }
                place -= window[axis].start;
            }
            at += place as isize * steps[axis];
        }
        let found = usize::try_from(at)
            .ok()
            .and_then(|at| self.inputs[input].all.get(at));
        let missing = || Error::Internal(format!("input {input} has no element {at}"));
        found.copied().ok_or_else(missing)
    }

    fn reduce(&self, combine: Combine, all: &[Const], ty: Type) -> Result<Vec<Const>> {
        Ok(vec![total(combine, all, ty)?; self.kernel.columns])
    }

    fn point(
        &self,
        row: &crate::ir::InstData,
        columns: &[Vec<Const>],
        column: usize,
    ) -> Result<Const> {
        let body = &self.kernel.body;
        let args: Vec<Const> = row
            .args
            .iter()
            .map(|v| columns[v.index()][column])
            .collect();
        let types: Vec<Type> = row.args.iter().map(|&v| body.ty(v)).collect();
        let made = match row.op {
            Op::Const(c) => Some(c),
            Op::Prim(prim) => evaluate(prim, &args, &types, body.ty(row.result)),
            Op::Call(Callee::Function(name)) => (self.scalars)(name, &args, &types),
            Op::Call(_) | Op::Map(_) => None,
        };
        made.ok_or_else(|| Error::Internal(format!("{} has no value", row.result)))
    }
}

/// Elements as one. Sums of f32 are rounded once, at the end: whoever computes them otherwise is compared with what is right.
fn total(combine: Combine, all: &[Const], ty: Type) -> Result<Const> {
    let mut total = combine.unit(ty);
    for &x in all {
        let x = match x {
            Const::Float(x) => x,
            Const::Int(x) => x as f64,
            _ => return Err(Error::Internal("a reduction of what are no numbers".into())),
        };
        total = match combine {
            Combine::Sum => total + x,
            Combine::Max if x > total || x.is_nan() => x,
            Combine::Max => total,
        };
    }
    Ok(match ty {
        Type::F32 => Const::Float(f64::from(total as f32)),
        // Sums of fewer than 2²¹ integers of 32 bits are exact.
        Type::U32 => Const::Int((total as i64 as u32).into()),
        Type::I32 => Const::Int((total as i64 as i32).into()),
        _ => Const::Float(total),
    })
}

/// For each index below the extent the sum of the elements with this index.
fn scattered(scatter: Scatter, indices: &[Const], all: &[Const], ty: Type) -> Result<Vec<Const>> {
    let mut lists = vec![Vec::new(); scatter.extent];
    for (index, &x) in indices.iter().zip(all) {
        let own = match index {
            Const::Int(index) => usize::try_from(*index).ok(),
            _ => None,
        };
        let list = own.and_then(|own| lists.get_mut(own));
        list.ok_or_else(|| scatter.fault())?.push(x);
    }
    let sums = lists.iter().map(|list| total(Combine::Sum, list, ty));
    sums.collect()
}

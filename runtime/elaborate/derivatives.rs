//! Derivatives that a program asks for.

use super::{Elaborator, callee, key};
use crate::diag::Result;
use crate::front::repr::is_indirect;
use crate::front::tree::Expr as Tree;
use crate::front::ty::Ty;
use crate::front::typed::{Expr, ExprKind};
use crate::infer::derivatives::has_gradient;
use crate::ir::DerivativeKind;

impl Elaborator<'_, '_> {
    /// `f.__value_and_gradient(x)`, `f.__value_and_derivative(x, direction)`
    pub(super) fn value_and_derivative(
        &mut self,
        expr: &'static Tree,
        args: &'static [Tree],
    ) -> Result<Expr> {
        let at = expr.at;
        let call = self.call(key(expr), at)?;
        let mut values = self.arguments(&args[..2], &call.params, at)?;
        let ty = self.ty(expr)?;
        let Ty::Tuple(&[value, tangent]) = ty else {
            return self.bug(at, format!("value and derivative are not `{ty}`"));
        };
        let x = values[1].ty;
        if !has_gradient(x) {
            return self.refuse(
                at,
                format!("there is no derivative with respect to a `{x}`"),
                "differentiate with respect to floats, arrays, tuples, and slices, vectors and fixed arrays of floats: capture other values, and pass the fields of a struct as a tuple",
            );
        }
        let kind = match args.get(2) {
            None => DerivativeKind::Gradient,
            Some(direction) => {
                values.push(self.value(direction, crate::infer::derivatives::gradient_type(x))?);
                DerivativeKind::Tangent
            }
        };
        match kind {
            DerivativeKind::Gradient if !is_number(value) => {
                return self.refuse(
                    at,
                    format!("a function that returns a `{value}` has no gradient"),
                    "return one number: a float, or an array without axes, as `.sum()` returns",
                );
            }
            DerivativeKind::Tangent if !has_gradient(tangent) => {
                return self.refuse(
                    at,
                    format!("a function that returns a `{value}` has no derivative"),
                    "return a float, an array, a tuple, or a vector or fixed array of floats",
                );
            }
            _ => {}
        }
        if let Some(bad) = self.not_constant(values[0].ty, &mut Vec::new()) {
            let help = match bad {
                Ty::Mut(_) => {
                    "copy what it reads into a variable before it, `let p = s.p;` or `let a = *a;`, and let it capture that"
                }
                _ => {
                    "let it capture numbers, arrays, and slices, vectors, tuples and structs of these"
                }
            };
            return self.refuse(
                at,
                format!("a function that captures a `{bad}` has no derivative"),
                help,
            );
        }
        Ok(ExprKind::Derivative(kind, callee(self.session, &call)?, values).of(ty, self.span(at)))
    }

    /// The part of a type that is shared or can be changed elsewhere.
    fn not_constant(&self, ty: Ty, seen: &mut Vec<Ty>) -> Option<Ty> {
        match ty {
            Ty::Mut(_) | Ty::Cell(..) | Ty::Dyn(_) => Some(ty),
            Ty::Closure(closure) => {
                let captures = self.output.captures.get(&closure.name);
                let captures = captures.into_iter().flatten();
                captures
                    .copied()
                    .find_map(|part| self.not_constant(part, seen))
            }
            Ty::Tuple(parts) => { parts.iter() }.find_map(|&part| self.not_constant(part, seen)),
            Ty::Adt(..) if seen.contains(&ty) => None,
            Ty::Adt(adt, _) => {
                seen.push(ty);
                let variants = 0..adt.variants.len() as u32;
                let fields: Vec<Ty> = { variants.flat_map(|v| ty.fields(v)) }
                    .map(|field| field.1)
                    .collect();
                match fields.iter().find(|&&field| is_indirect(ty, field)) {
                    Some(_) => Some(ty),
                    None => { fields.into_iter() }.find_map(|field| self.not_constant(field, seen)),
                }
            }
            Ty::Slice(&part)
            | Ty::SliceMut(&part)
            | Ty::Vec(&part)
            | Ty::List(&part, _)
            | Ty::OpenList(&part, _)
            | Ty::Boxed(&part) => self.not_constant(part, seen),
            _ => None,
        }
    }
}

/// Whether a function with this result type has a gradient: the result is a float, or an array, which must turn out to have no axes at run time.
fn is_number(ty: Ty) -> bool {
    let number = match ty {
        Ty::Array(&element) => element,
        other => other,
    };
    number.scalar().is_some_and(|ty| ty.is_float())
}

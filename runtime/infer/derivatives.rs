//! Derivatives that a program asks for: `f.__value_and_gradient(x)` and `f.__value_and_derivative(x, direction)`, which only the library writes
//! (`stdlib/derivatives.rs`).
//!
//! The function that is differentiated is the instance of the library's `apply` for these two arguments. So the callee is called as it would be anywhere
//! else, whether it is a function, a closure or a `dyn` value.

use super::Session;
use super::check::arguments;
use crate::diag::Result;
use crate::front::tree::{At, Expr};
use crate::front::ty::Ty;
use crate::stdlib;

impl Session<'_> {
    /// The type of the pair of value and derivative.
    pub fn value_and_derivative(
        &mut self,
        key: usize,
        at: At,
        args: &'static [Expr],
    ) -> Result<Ty> {
        let Some(apply) = stdlib::library_function("apply") else {
            return self.bug(at, "the library has no `apply`");
        };
        let call = self.call(apply, Vec::new(), None, at);
        let value = self.finish_call(key, at, call, &arguments(&args[..2]), None)?;
        let known = self.facts().calls.get(&key).map(|call| call.params[1]);
        let x = known.map_or(Ty::UNIT, |x| self.types.finish(x));
        let tangent = gradient_type(self.peel(x));
        Ok(match args.get(2) {
            None => Ty::tuple(&[value, tangent]),
            Some(direction) => {
                self.coerce_expr(direction, tangent)?;
                let value = self.types.finish(value);
                Ty::tuple(&[value, gradient_type(value)])
            }
        })
    }
}

/// The type of the gradient with respect to a value of this type. Types without a gradient are refused later, when all types are known.
pub fn gradient_type(ty: Ty) -> Ty {
    match ty {
        Ty::Slice(&element) | Ty::SliceMut(&element) => Ty::vec(gradient_type(element)),
        Ty::Tuple(parts) => {
            Ty::tuple(&parts.iter().map(|&p| gradient_type(p)).collect::<Vec<Ty>>())
        }
        other => other,
    }
}

/// Whether a gradient with respect to this type exists: numbers, arrays, tuples, and slices, vectors and fixed arrays of numbers, tuples and fixed
/// arrays.
pub fn has_gradient(ty: Ty) -> bool {
    match ty {
        Ty::Array(&element) => element.scalar().is_some_and(|ty| ty.is_float()),
        Ty::Tuple(parts) => !parts.is_empty() && parts.iter().all(|&part| has_gradient(part)),
        Ty::Slice(&element) | Ty::SliceMut(&element) | Ty::Vec(&element) => is_flat(element),
        other => is_flat(other),
    }
}

fn is_flat(ty: Ty) -> bool {
    match ty {
        Ty::Scalar(ty) => ty.is_float(),
        Ty::Tuple(parts) => !parts.is_empty() && parts.iter().all(|&part| is_flat(part)),
        Ty::List(&element, _) => is_flat(element),
        _ => false,
    }
}

//! The rules of packs, for the interpreter.

use super::{Datum, Outside, internal, scalar};
use crate::diag::Result;
use crate::ir::{Callee, Const, Function, Prim, Symbol, Type};
use crate::plugin::{call_native, call_with_partials};
use crate::registry::{Entry, EntryKind, Registry, ScalarRule};

/// Calls the scalar rules of the registry: native functions where they exist, otherwise their bodies.
pub struct Packs<'a>(pub &'a Registry);

impl Packs<'_> {
    fn scalar_rule(&self, name: Symbol, types: &[Type]) -> Option<(&Entry, &ScalarRule)> {
        let entry = self.0.find(name, types)?;
        match &entry.kind {
            EntryKind::Scalar(rule) => Some((entry, rule)),
            EntryKind::Array(_) | EntryKind::Native(_) => None,
        }
    }
}

impl Outside for Packs<'_> {
    fn body(&self, name: Symbol, types: &[Type]) -> Option<&Function> {
        match &self.0.find(name, types)?.kind {
            EntryKind::Scalar(rule) if rule.native.is_some() => None,
            EntryKind::Scalar(rule) => rule.body.as_ref(),
            EntryKind::Array(rule) => rule.body.as_ref(),
            EntryKind::Native(rule) => rule.body.as_ref(),
        }
    }
    fn call(&self, callee: Callee, types: &[Type], args: &[Datum], ret: Type) -> Result<Datum> {
        if let Callee::Function(name) = callee
            && let Some((entry, rule)) = self.scalar_rule(name, types)
        {
            return match (rule.native, Prim::from_mnemonic(name.as_str())) {
                (Some(native), _) => {
                    let y = call_native(native, &entry.params, &numbers(args)?);
                    Ok(Datum::float(y))
                }
                (None, Some(prim)) => scalar(prim, args, types, ret),
                (None, None) => internal(format!("`{name}` has no primal")),
            };
        }
        let base = match callee {
            Callee::WithPartials(name) => self.scalar_rule(name, types),
            _ => None,
        };
        match base {
            Some((entry, rule)) if let Some(native) = rule.with_partials => {
                let (y, partials) = call_with_partials(native, &entry.params, &numbers(args)?);
                let fields = std::iter::once(y).chain(partials).map(Datum::float);
                Ok(Datum::Tuple(fields.collect()))
            }
            _ if self.0.call_type(callee, types).is_some() => internal(format!(
                "`{callee}` is machine code over slices and arrays, which the interpreter does not run"
            )),
            _ => internal(format!(
                "no pack has a scalar function `{callee}` of {types:?}"
            )),
        }
    }
}

/// Numbers as packs are called with: an f32 and an i32 widen exactly.
fn numbers(args: &[Datum]) -> Result<Vec<f64>> {
    let number = |arg: &Datum| match arg.scalar()? {
        Const::Float(x) => Ok(x),
        Const::Int(i) => Ok(i as f64),
        other => internal(format!("{other:?} is not a number")),
    };
    args.iter().map(number).collect()
}

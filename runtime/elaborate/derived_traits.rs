//! Whether `==`, `<`, `clone()` and `default()` of a type are derived, so that they go part by part. A type with a hand-written implementation says so
//! (`Adt::by_hand`), or its `#[differentiable] impl` is among the methods of the program. In both cases the result may differ from that of the parts, so
//! the expansion is refused.

use super::Elaborator;
use crate::diag::Result;
use crate::diag::Span;
use crate::front::tree::{Method, is_clone_in_box};
use crate::front::ty::{Adt, Dyn, Ty};

/// The traits that may be derived or written by hand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DerivedTrait {
    Eq,
    Order,
    Clone,
    Default,
}

impl DerivedTrait {
    fn is_by_hand(self, adt: &Adt) -> bool {
        match self {
            DerivedTrait::Eq => adt.by_hand.eq,
            DerivedTrait::Order => adt.by_hand.ord,
            DerivedTrait::Clone => adt.by_hand.clone,
            DerivedTrait::Default => adt.by_hand.default,
        }
    }
    /// The operation as it is written, the trait, and its methods.
    fn names(self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            DerivedTrait::Eq => ("==", "PartialEq", &["eq"]),
            DerivedTrait::Order => ("<", "PartialOrd", &["partial_cmp", "cmp"]),
            DerivedTrait::Clone => ("clone", "Clone", &["clone"]),
            DerivedTrait::Default => ("default", "Default", &["default"]),
        }
    }
}

impl Elaborator<'_, '_> {
    /// Refuses a type if its implementation, or that of a type within it, is not derived.
    pub(super) fn part_by_part(&self, ty: Ty, of: DerivedTrait, span: Span) -> Result<()> {
        self.goes_by_parts(ty, of, span, &mut Vec::new())
    }
    fn goes_by_parts(
        &self,
        ty: Ty,
        of: DerivedTrait,
        span: Span,
        seen: &mut Vec<Ty>,
    ) -> Result<()> {
        match ty {
            Ty::Adt(adt, _) if !seen.contains(&ty) => {
                seen.push(ty);
                // A type without `Clone` can only be behind a reference or an `Rc`, which is copied as a pointer.
                if of == DerivedTrait::Clone && !adt.is_clone {
                    return Ok(());
                }
                self.is_derived(adt, of, span)?;
                for variant in 0..adt.variants.len() as u32 {
                    for (_, field) in ty.fields(variant) {
                        self.goes_by_parts(field, of, span, seen)?;
                    }
                }
                Ok(())
            }
            Ty::Tuple(fields) => {
                (fields.iter()).try_for_each(|&field| self.goes_by_parts(field, of, span, seen))
            }
            Ty::Vec(&inner) | Ty::List(&inner, _) | Ty::Boxed(&inner) => {
                self.goes_by_parts(inner, of, span, seen)
            }
            Ty::Cell(_, kind) if !kind.counted && of == DerivedTrait::Clone => {
                let message = "`clone` of a cell that is not seen to be in an `Rc` is not supported here: it makes a new cell";
                let help = "write `RefCell::new(x.borrow().clone())` or `Cell::new(x.get())`; of an `Rc` write `Rc::clone(&x)`";
                self.refuse_at(span, message, help)
            }
            // References to `dyn` values and boxes of them are one type here.
            Ty::Dyn(Dyn::Trait(name)) if of == DerivedTrait::Clone && is_clone_in_box(name) => {
                let message = format!(
                    "this may need the `clone` of a `Box<dyn {}>`, which the program implements by hand",
                    name.name
                );
                let help = "write a loop that calls the method that makes the copy";
                self.refuse_at(span, message, help)
            }
            Ty::Closure(closure) if of == DerivedTrait::Clone => {
                let id = self.session.closure_id(closure);
                if !self.session.closures[id].lambda.moves {
                    return Ok(());
                }
                // The captures are known once the function that makes the closure is elaborated.
                let Some(owned) = self.output.captures.get(&closure.name) else {
                    let message =
                        "`clone` of a closure that another function makes is not supported here";
                    return self.refuse_at(span, message, "clone it in the function that makes it");
                };
                { owned.iter() }
                    .try_for_each(|&capture| self.goes_by_parts(capture, of, span, seen))
            }
            // The pointee of a reference is not cloned.
            Ty::Slice(&inner) | Ty::SliceMut(&inner) | Ty::Mut(&inner)
                if of != DerivedTrait::Clone =>
            {
                self.goes_by_parts(inner, of, span, seen)
            }
            _ => Ok(()),
        }
    }
    fn is_derived(&self, adt: &Adt, of: DerivedTrait, span: Span) -> Result<()> {
        let (written, of_trait, methods) = of.names();
        let known = methods.iter().any(|name| {
            // An inherent method of the same name does not count.
            let is_ours = |method: &&&Method| {
                method.of_trait == of_trait || of == DerivedTrait::Order && method.of_trait == "Ord"
            };
            let methods = self
                .session
                .methods
                .get(name)
                .into_iter()
                .flatten()
                .filter(is_ours);
            let mut owners = methods.map(|method| (method.owner)());
            owners.any(|owner| matches!(owner, Ty::Adt(other, _) if other == adt))
        });
        if known {
            let message = format!(
                "this needs the `{written}` of `{}`, which that type implements by hand",
                adt.name
            );
            let help = match of {
                DerivedTrait::Default => {
                    "call it by its name, `T::default()`: in place of `std::mem::take(place)` write `std::mem::replace(place, T::default())`"
                }
                _ => {
                    "write a loop or an expression over the parts: on a value of that type the hand-written `impl` is called"
                }
            };
            return self.refuse_at(span, message, help);
        }
        if of.is_by_hand(adt) {
            let message = format!(
                "the meaning of `{written}` for `{}` is unknown: the type does not derive `{of_trait}`",
                adt.name
            );
            let help = format!(
                "write `#[differentiable]` before its `impl {of_trait}`; if another macro derives it, `#[derives({of_trait})]` after `#[derive(Differentiable)]`"
            );
            return self.refuse_at(span, message, &help);
        }
        Ok(())
    }
}

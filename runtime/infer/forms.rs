//! Whether an expression is a reference: types do not say, because references that only read are erased. It matters where a type of the program
//! defines an operator for both, and what `*` means of one that has a `Deref` of its own.

use super::Session;
use super::check::key;
use super::methods::{Builtin, What};
use crate::front::tree::{Expr, Kind};
use crate::front::ty::{Form, Ty};

impl Session<'_> {
    /// The form of an expression that has been checked, as far as what is written tells.
    pub(super) fn form_of(&mut self, expr: &'static Expr) -> Form {
        match &expr.kind {
            Kind::Ref(_, inner) => self.form_of(inner).behind(),
            Kind::Local(_) => {
                let facts = self.facts();
                let local = facts.uses.get(&key(expr));
                local.map_or(Form::Unknown, |&local| facts.locals[local].form)
            }
            Kind::Deref(inner) if self.form_of(inner).is_to_value() => {
                // Of a box a star is what it holds, whatever is before the box.
                let ty = self.facts().types.get(&key(*inner)).copied();
                match ty.map(|ty| self.types.head(ty)) {
                    None | Some(Ty::Boxed(_)) => Form::Unknown,
                    Some(_) => Form::Value,
                }
            }
            Kind::Field(base, name) => {
                let base = self.facts().types.get(&key(*base)).copied();
                match base.map(|ty| self.peel_all(ty)) {
                    Some(Ty::Adt(adt, _)) if !adt.is_enum => {
                        let mut fields = adt.variants[0].fields.iter();
                        let field = fields.find(|field| field.name == *name);
                        field.map_or(Form::Unknown, |field| field.form)
                    }
                    _ => Form::Unknown,
                }
            }
            Kind::Call(..) | Kind::Method(..) | Kind::Associated(..) => {
                let facts = self.facts();
                let clone = What::Builtin(Builtin::Clone);
                let clones = facts.methods.get(&key(expr)).map(|chosen| chosen.what) == Some(clone);
                match (facts.calls.get(&key(expr)), &expr.kind) {
                    (Some(call), _) => call.source.gives,
                    // Of an `Rc` it is another.
                    (None, Kind::Method(_, _, _, [receiver, ..])) if clones => {
                        match self.form_of(receiver) {
                            Form::Value => Form::Value,
                            _ => Form::Unknown,
                        }
                    }
                    _ => Form::Unknown,
                }
            }
            Kind::Block(None, block) => match block.value {
                Some(value) => self.form_of(value),
                None => Form::Unknown,
            },
            // Not of a type of the program.
            Kind::Index(base, index) if !matches!(index.kind, Kind::Range(..)) => {
                let called = self.facts().calls.contains_key(&key(expr));
                match called {
                    true => Form::Unknown,
                    false => self.items_of(base),
                }
            }
            Kind::Struct(..)
            | Kind::Construct(..)
            | Kind::Tuple(_)
            | Kind::List(_)
            | Kind::Repeat(..)
            | Kind::VecList(_)
            | Kind::VecRepeat(..)
            | Kind::Float(..)
            | Kind::Int(..)
            | Kind::Bool(_)
            | Kind::Cast(..)
            | Kind::Binary(..)
            | Kind::Neg(_) => Form::Value,
            _ => Form::Unknown,
        }
    }
    /// The position of the type parameter as which the type of an expression is written: it has what traits give it alone.
    pub(super) fn parameter_of(&mut self, expr: &'static Expr) -> Option<u32> {
        match &expr.kind {
            Kind::Ref(_, inner) | Kind::Deref(inner) => self.parameter_of(inner),
            Kind::Local(_) => {
                let facts = self.facts();
                let local = *facts.uses.get(&key(expr))?;
                facts.locals[local].parameter
            }
            _ => None,
        }
    }
    /// The form of the elements of a list, or of what refers to one.
    pub(super) fn items_of(&mut self, expr: &'static Expr) -> Form {
        match &expr.kind {
            Kind::Ref(_, inner) | Kind::Deref(inner) => self.items_of(inner),
            Kind::Local(_) => {
                let facts = self.facts();
                let local = facts.uses.get(&key(expr));
                local.map_or(Form::Unknown, |&local| facts.locals[local].items)
            }
            Kind::Repeat(item, _) | Kind::VecRepeat(item, _) => self.form_of(item),
            Kind::List([item, ..]) | Kind::VecList([item, ..]) => self.form_of(item),
            Kind::Method("to_vec" | "clone", None, _, [list]) => self.items_of(list),
            _ => Form::Unknown,
        }
    }
}

//! Whether an expression is a reference: types do not say, because references that only read are erased. It matters where a type of the program
//! defines an operator for both, and what `*` means of one that has a `Deref` of its own.

use super::Session;
use super::check::key;
use super::methods::{Builtin, What};
use crate::front::tree::{Expr, Kind, Method};
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
            Kind::Deref(inner) if self.form_of(inner) == Form::Reference => {
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
                    (None, Kind::Method(_, _, [receiver, ..])) if clones => {
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
            Kind::Struct(..) | Kind::Construct(..) | Kind::Binary(..) | Kind::Neg(_) => Form::Value,
            _ => Form::Unknown,
        }
    }
    /// Puts those functions first that take arguments of these forms. What takes references and what takes values has the same types here, and one
    /// is often written with the other: never with itself, and mostly that of references with that of values.
    pub(super) fn by_form(
        &mut self,
        functions: &mut [&'static Method],
        args: &[Option<&'static Expr>],
    ) {
        let around = self.here().source;
        let forms: Vec<Form> = { args.iter() }
            .map(|arg| arg.map_or(Form::Unknown, |expr| self.form_of(expr)))
            .collect();
        functions.sort_by_cached_key(|method| {
            let source = (method.source)();
            let differ = |&(&a, b): &(&Form, Form)| {
                let known = a != Form::Unknown && b != Form::Unknown;
                known && a.is_reference() != b.is_reference()
            };
            let params = source.params.iter().map(|param| param.form);
            let params: Vec<Form> = params.collect();
            let others = forms
                .iter()
                .zip(params.iter().copied())
                .filter(differ)
                .count();
            let references = params.iter().filter(|form| form.is_reference()).count();
            (std::ptr::eq(source, around), others, references)
        });
    }
}

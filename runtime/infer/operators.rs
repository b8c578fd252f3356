//! Operators and implicit calls: conversions by `?` and `into`, and `sum`, `product` and `collect` into types of the program.

use super::Session;
use super::calls::Found;
use super::check::{Arg, Wait};
use super::overloads::Overload;
use crate::diag::Result;
use crate::front::tree::{At, Binary, Expr};
use crate::front::ty::{ORDERING, Ty};
use crate::resolve::builtins::{ChosenMethod, MethodKind};
use crate::resolve::candidates::{is_operator, operator_name};
use crate::stdlib;

impl Session<'_> {
    /// Calls an operator that a type of the program implements, or refuses.
    pub fn operator(&mut self, key: usize, at: At, name: &str, operands: &[Ty]) -> Result<Ty> {
        match self.find_operator(key, at, name, operands)? {
            Some(ty) => Ok(ty),
            None => {
                let help = match self.types.head(operands[0]) {
                    ty @ Ty::Str => super::advice(Some(ty)),
                    _ => {
                        "write `#[differentiable]` before the `impl` of the operator (it must name the trait by its own name, not by one from `use … as …`)"
                    }
                };
                let types: Vec<String> =
                    operands.iter().map(|&ty| self.types.describe(ty)).collect();
                let message = format!("nothing defines `{name}` for {}", types.join(" and "));
                self.refuse(at, message, help)
            }
        }
    }
    pub fn find_operator(
        &mut self,
        key: usize,
        at: At,
        name: &str,
        operands: &[Ty],
    ) -> Result<Option<Ty>> {
        let mut candidates = self.candidates(name);
        candidates
            .retain(|method| (method.implements)().is_none() && is_operator(name, method.of_trait));
        let exprs = self.facts().operands.get(&key).cloned().unwrap_or_default();
        let mut args: Vec<Arg> = { operands.iter().enumerate() }
            .map(|(n, &ty)| Arg {
                expr: exprs.get(n).copied(),
                ty: Some(ty),
            })
            .collect();
        let owner = self.peel(operands[0]);
        let method = match self.overload(&candidates, owner, None, &mut args, at)? {
            Overload::One(method) => method,
            Overload::Other => return Ok(None),
            Overload::Later => return self.undecided(at, name),
        };
        let Some((call, by_mut)) = self.method_call(method, operands[0], &[], at) else {
            return Ok(None);
        };
        args.iter_mut().for_each(|arg| arg.expr = None);
        let args = self.with_receiver(&call, &args);
        let ret = self.finish_call(key, at, call, &args, None)?;
        self.facts().methods.insert(
            key,
            ChosenMethod {
                derefs: 0,
                unsize: false,
                kind: MethodKind::Call(by_mut),
            },
        );
        Ok(Some(ret))
    }
    /// `Target::from(x)`, which `?` and `into` call. `value` is the expression that is converted, if there is one.
    pub fn convert(
        &mut self,
        key: usize,
        at: At,
        value: Option<&'static Expr>,
        from: Ty,
        to: Ty,
    ) -> Result<()> {
        let mut candidates = self.candidates("from");
        candidates.retain(|method| method.is_of_std("From") && self.could_own(method, to));
        let mut args = [Arg {
            expr: value,
            ty: Some(from),
        }];
        let found = self.overload(&candidates, to, None, &mut args, at)?;
        if let Overload::Later = found {
            return self.undecided(at, "from");
        }
        if let Overload::One(method) = found
            && let Some(given) = self.owner_arguments(method, to, &[])
        {
            let call = self.call((method.source)(), given, None, at);
            args[0].expr = None;
            let ret = self.finish_call(key, at, call, &args, None)?;
            return self.unify(ret, to, at);
        }
        let (from, to) = (self.types.describe(from), self.types.describe(to));
        self.refuse(
            at,
            format!("no differentiable conversion from {from} to {to}"),
            "write `#[differentiable] impl From<…> for …`",
        )
    }
    /// `sum`, `product` or `collect` where the result is a type of the program: calls its `Sum::sum`, `Product::product` or `FromIterator::from_iter`.
    pub fn total(
        &mut self,
        at: At,
        name: &str,
        iterator: Ty,
        generics: &[Ty],
        want: Option<Ty>,
    ) -> Result<Option<Found>> {
        let (of_trait, function) = match name {
            "sum" => ("Sum", name),
            "product" => ("Product", name),
            "collect" => ("FromIterator", "from_iter"),
            _ => return Ok(None),
        };
        if !stdlib::is_iterator(self.types.finish(iterator)) {
            return Ok(None);
        }
        let mut all = self.candidates(function);
        all.retain(|method| method.is_of_std(of_trait));
        let wanted = generics.first().copied().or(want);
        let wanted = wanted.filter(|&ty| !self.types.is_unknown(ty));
        let Some(wanted) = wanted.map(|ty| self.types.head(ty)) else {
            // `collect` makes a vector unless another type is written.
            let waits = !all.is_empty() && name != "collect";
            return Ok(waits.then_some(Found::Later));
        };
        let item = match wanted {
            Ty::Adt(_, &[item, ..]) if wanted.is_try() => self.types.head(item),
            _ => wanted,
        };
        if !matches!(item, Ty::Adt(..) | Ty::Tuple(_))
            || name == "collect" && matches!(item, Ty::Tuple(_))
        {
            return Ok(None);
        }
        // The `impl` for references may be written by means of the `impl` for values, or vice versa. No `impl` calls itself.
        let around = self.here().source;
        all.retain(|method| !std::ptr::eq((method.source)(), around));
        all.retain(|method| item == wanted && self.could_own(method, wanted));
        let mut args = [Arg::of(iterator)];
        if let Overload::One(method) = self.overload(&all, wanted, None, &mut args, at)?
            && let Some(given) = self.owner_arguments(method, wanted, &[])
        {
            let call = self.call((method.source)(), given, None, at);
            self.unify(call.params[0], iterator, at)?;
            return Ok(Some(Found::Method(call, false)));
        }
        let wanted = self.types.describe(wanted);
        self.refuse(
            at,
            format!("no `impl {of_trait}` for {wanted} is differentiable"),
            "write `#[differentiable]` before the `impl`, or a loop",
        )
    }
    /// `a op b`
    pub fn try_binary(
        &mut self,
        key: usize,
        at: At,
        op: Binary,
        a: Ty,
        b: Ty,
        force: bool,
    ) -> Result<Option<Ty>> {
        use Binary::*;
        let (x, y) = (self.peel(a), self.peel(b));
        let known = |session: &Self, ty: Ty| !session.types.is_unknown(ty);
        if matches!(op, Eq | Ne | Lt | Le | Gt | Ge) {
            return self.compare(key, at, op, x, y).map(Some);
        }
        if let Some(element) = [x, y].into_iter().find_map(|ty| match ty {
            Ty::Array(&element) => Some(element),
            _ => None,
        }) {
            for side in [x, y] {
                // An unknown operand may turn out to be an array, such as the result of a `map`.
                if known(self, side) || force {
                    let side = match side {
                        Ty::Array(&element) => element,
                        other => other,
                    };
                    self.unify(side, element, at)?;
                } else {
                    return Ok(None);
                }
            }
            return Ok(Some(Ty::array(element)));
        }
        let number =
            |session: &Self, ty: Ty| matches!(ty, Ty::Scalar(_)) || session.types.is_literal(ty);
        if matches!(op, Shl | Shr) && known(self, x) && number(self, x) {
            if self.types.is_literal(y) && force {
                self.unify(y, x, at)?;
            }
            return Ok(Some(x));
        }
        if number(self, x) && number(self, y) {
            self.unify(x, y, at)?;
            return Ok(Some(self.types.head(x)));
        }
        if !known(self, x) || !known(self, y) {
            if !force {
                return Ok(None);
            }
            if (number(self, x) || !known(self, x)) && (number(self, y) || !known(self, y)) {
                self.unify(x, y, at)?;
                return Ok(Some(self.types.head(x)));
            }
        }
        self.operator(key, at, operator_name(op), &[x, y]).map(Some)
    }
    fn compare(&mut self, key: usize, at: At, op: Binary, x: Ty, y: Ty) -> Result<Ty> {
        let (x, y) = match (x, y) {
            (Ty::Boxed(_), Ty::Boxed(_)) => (self.peel_all(x), self.peel_all(y)),
            other => other,
        };
        if matches!(x, Ty::Array(_)) || matches!(y, Ty::Array(_)) {
            let (x, y) = (self.types.describe(x), self.types.describe(y));
            return self.refuse(
                at,
                format!("{x} and {y} cannot be compared here"),
                "write it inside `map`: `a.map(|v| if v < 0.0 { … } else { … })`",
            );
        }
        if matches!(x, Ty::Adt(..)) {
            let name = if matches!(op, Binary::Eq | Binary::Ne) {
                "eq"
            } else {
                "partial_cmp"
            };
            if let Some(ty) = self.find_operator(key, at, name, &[x, y])? {
                let wanted = match name {
                    "eq" => Ty::BOOL,
                    _ => Ty::option(Ty::adt(&ORDERING, &[])),
                };
                return self.unify(ty, wanted, at).map(|()| Ty::BOOL);
            }
        }
        match (self.types.element(x), self.types.element(y)) {
            // Vectors, lists and slices can be compared with each other.
            (Some(a), Some(b)) => self.unify(a, b, at)?,
            _ => self.unify(x, y, at)?,
        }
        Ok(Ty::BOOL)
    }
    /// `a op= b`
    pub fn assign_binary(&mut self, key: usize, at: At, op: Binary, a: Ty, b: Ty) -> Result<()> {
        let x = self.learn_head(a)?;
        let x = self.peel(x);
        if matches!(x, Ty::Adt(..)) {
            let y = self.types.head(b);
            let name = format!("{}_assign", operator_name(op));
            self.operator(key, at, &name, &[x, y])?;
            return Ok(());
        }
        match self.try_binary(key, at, op, a, b, false)? {
            Some(result) => self.unify(result, x, at),
            None => {
                let result = self.or_wait(at, key, None, Wait::Binary(op, a, b));
                self.unify(result, x, at)
            }
        }
    }
}

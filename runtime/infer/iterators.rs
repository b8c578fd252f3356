//! The iterables of `for` loops. Loops over ranges, slices and similar iterables are recognised by how they are written and become counted loops. Every
//! other iterable has a method `next`.

use super::Session;
use super::check::{Arg, key};
use super::overloads::Named;
use crate::diag::Result;
use crate::front::tree::{At, Expr, ExprKind};
use crate::front::ty::{OPTION, Ty};
use crate::resolve::candidates::CallSyntax;

/// The iterable of a counted loop, as it is written.
pub struct Counted {
    pub source: Items,
    pub rev: bool,
    pub step: Option<&'static Expr>,
    pub enumerate: bool,
}

/// Where the items come from.
pub enum Items {
    /// Start, end, and whether the end is included.
    Range(&'static Expr, &'static Expr, bool),
    Elements(&'static Expr, Access),
    Windows(&'static Expr, &'static Expr),
    /// Whether all chunks have the full length (`chunks_exact`).
    Chunks(&'static Expr, &'static Expr, bool, Access),
    Zip(Box<Counted>, Box<Counted>),
}

/// How the loop gets its elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// `iter()`, `&x`
    Shared,
    /// The same, with `copied()` or `cloned()`.
    Copied,
    /// `iter_mut()`, `&mut x`
    Mut,
    /// `x`, `into_iter()`: the type of the iterable decides.
    Own,
}

/// Recognises a counted loop by its iterable, provided that its parts turn out to be slices, lists or vectors.
pub fn counted(expr: &'static Expr) -> Option<Counted> {
    let plain = |source| {
        Some(Counted {
            source,
            rev: false,
            step: None,
            enumerate: false,
        })
    };
    let (name, args) = match &expr.kind {
        ExprKind::Range(Some(from), Some(to), inclusive) => {
            return plain(Items::Range(from, to, *inclusive));
        }
        ExprKind::Ref(mutable, inner)
            if !matches!(
                inner.kind,
                ExprKind::Index(
                    _,
                    Expr {
                        kind: ExprKind::Range(..),
                        ..
                    }
                )
            ) =>
        {
            let access = if *mutable {
                Access::Mut
            } else {
                Access::Shared
            };
            return plain(Items::Elements(inner, access));
        }
        ExprKind::Method(name, _, [], args) => (*name, *args),
        _ => return plain(Items::Elements(expr, Access::Own)),
    };
    match (name, args) {
        ("iter", [inner]) => plain(Items::Elements(inner, Access::Shared)),
        ("iter_mut", [inner]) => plain(Items::Elements(inner, Access::Mut)),
        ("into_iter", [inner]) => match inner.kind {
            ExprKind::Range(..) | ExprKind::Ref(..) => counted(inner),
            _ => plain(Items::Elements(inner, Access::Own)),
        },
        ("copied" | "cloned", [inner]) => {
            let mut inner = counted(inner)?;
            match &mut inner.source {
                Items::Elements(_, access @ Access::Shared) => *access = Access::Copied,
                _ => return None,
            }
            Some(inner)
        }
        ("windows", [inner, n]) => plain(Items::Windows(inner, n)),
        ("chunks", [inner, n]) => plain(Items::Chunks(inner, n, false, Access::Shared)),
        ("chunks_mut", [inner, n]) => plain(Items::Chunks(inner, n, false, Access::Mut)),
        ("chunks_exact", [inner, n]) => plain(Items::Chunks(inner, n, true, Access::Shared)),
        ("chunks_exact_mut", [inner, n]) => plain(Items::Chunks(inner, n, true, Access::Mut)),
        ("enumerate", [inner]) => {
            let mut inner = counted(inner)?;
            let fits = !(inner.rev || inner.step.is_some() || inner.enumerate);
            inner.enumerate = true;
            fits.then_some(inner)
        }
        ("rev", [inner]) => {
            let mut inner = counted(inner)?;
            let fits =
                !(inner.rev || inner.step.is_some() || matches!(inner.source, Items::Zip(..)));
            inner.rev = true;
            fits.then_some(inner)
        }
        ("step_by", [inner, n]) => {
            let mut inner = counted(inner)?;
            let fits = inner.step.is_none();
            inner.step = Some(n);
            fits.then_some(inner)
        }
        ("zip", [a, b]) => plain(Items::Zip(Box::new(counted(a)?), Box::new(counted(b)?))),
        _ => plain(Items::Elements(expr, Access::Own)),
    }
}

impl Counted {
    /// The parts that must be slices, lists or vectors.
    fn sequences(&self, found: &mut Vec<(&'static Expr, Access)>) {
        match &self.source {
            Items::Range(..) => {}
            Items::Elements(expr, access) => found.push((expr, *access)),
            Items::Windows(expr, _) | Items::Chunks(expr, ..) => found.push((expr, Access::Shared)),
            Items::Zip(a, b) => {
                a.sequences(found);
                b.sequences(found);
            }
        }
    }
}

impl Session<'_> {
    /// Checks the iterable of a loop and returns the type of its items.
    pub fn items(&mut self, whole: &'static Expr, iterable: &'static Expr) -> Result<Ty> {
        if let Some(counted_loop) = counted(iterable) {
            let mut sequences = Vec::new();
            counted_loop.sequences(&mut sequences);
            let mut all = true;
            let mut checked = Vec::new();
            for (expr, access) in sequences {
                let ty = self.expr(expr, None)?;
                self.learn_head(ty)?;
                checked.push(key(expr));
                let element = self.types.element(self.peel_all(ty));
                all &= !matches!(self.peel_all(ty), Ty::Array(_));
                all &= match (element, access) {
                    (None, _) => false,
                    // The library makes copies of items that are not numbers.
                    (Some(element), Access::Copied) => {
                        matches!(self.types.head(element), Ty::Scalar(_))
                            || self.types.is_literal(element)
                    }
                    (Some(_), _) => true,
                };
            }
            if all {
                self.facts().counted.insert(key(whole));
                return self.item(&counted_loop);
            }
            // The parts were checked here; they are checked once more within the whole expression.
            for key in checked {
                let ty = self.facts().types.remove(&key);
                if let Some(ty) = ty {
                    self.facts().checked.insert(key, ty);
                }
            }
        }
        let at = iterable.at;
        let ty = self.expr(iterable, None)?;
        let ty = self.learn_head(ty)?;
        if let Ty::Mut(&content) = ty
            && self.types.head(content).is_try()
        {
            return self.refuse(
                at,
                "a loop over the place in an `Option` is not supported here",
                "write `if let Some(x) = &mut option`",
            );
        }
        self.check_own_items(ty, at)?;
        let found = self.next(key(whole), ty, None, at)?;
        match found.map(|ty| self.types.head(ty)) {
            Some(Ty::Adt(adt, &[item])) if *adt == OPTION => Ok(item),
            _ => self.bug(at, "`next` gives no `Option`"),
        }
    }
    /// The type of what the `next` of an iterator returns; `None` if too little is known yet.
    pub fn next(&mut self, key: usize, ty: Ty, want: Option<Ty>, at: At) -> Result<Option<Ty>> {
        let mut args = [Arg::of(ty)];
        let named = Named {
            name: "next",
            syntax: CallSyntax::StdTraitPath("Iterator"),
            generics: Vec::new(),
            owner: None,
        };
        self.try_method(key, at, &named, &mut args, want)
    }
    /// A loop that is not counted calls `next`. An `IntoIterator` of the program must be called by its name.
    fn check_own_items(&mut self, ty: Ty, at: At) -> Result<()> {
        let ty = self.peel(ty);
        let mut own = self.candidates("into_iter");
        own.retain(|method| method.is_of_std("IntoIterator"));
        if !matches!(ty, Ty::Adt(..)) || !own.into_iter().any(|method| self.could_own(method, ty)) {
            return Ok(());
        }
        let ty = self.types.describe(ty);
        self.refuse(
            at,
            format!("a `for` loop does not call the `IntoIterator` of {ty} here"),
            "call it: `for x in items.into_iter()`, or `(&items).into_iter()` for that of references",
        )
    }
    fn item(&mut self, counted_loop: &Counted) -> Result<Ty> {
        if let Some(step) = counted_loop.step {
            self.coerce_expr(step, Ty::USIZE)?;
        }
        let item = match &counted_loop.source {
            Items::Range(from, to, _) => {
                let first = self.expr(from, None)?;
                let first = self.peel(first);
                let last = self.expr(to, Some(first))?;
                self.coerce(last, first, to.at)?;
                self.types.head(first)
            }
            Items::Elements(expr, access) => {
                let ty = self.facts().types[&key(*expr)];
                self.element_item(ty, *access)
            }
            Items::Windows(expr, n) | Items::Chunks(expr, n, ..) => {
                self.coerce_expr(n, Ty::USIZE)?;
                let ty = self.facts().types[&key(*expr)];
                self.part_item(ty)
            }
            Items::Zip(a, b) => {
                let pair = [self.item(a)?, self.item(b)?];
                Ty::tuple(&pair)
            }
        };
        Ok(match counted_loop.enumerate {
            true => Ty::tuple(&[Ty::USIZE, item]),
            false => item,
        })
    }
    /// The type of an item of the loop.
    pub fn element_item(&mut self, ty: Ty, access: Access) -> Ty {
        let behind = matches!(self.types.head(ty), Ty::Mut(_));
        let ty = self.peel_all(ty);
        let element = self.types.element(ty).unwrap_or(Ty::UNIT);
        // Now it is decided whether the slice is shared or mutable.
        let is_mut = match access {
            Access::Shared | Access::Copied => false,
            Access::Mut => true,
            Access::Own => behind || matches!(self.types.finish(ty), Ty::SliceMut(_)),
        };
        match is_mut {
            true => Ty::mutable(element),
            false => element,
        }
    }
    /// The type of a subslice, as `windows` returns it.
    pub fn part_item(&mut self, ty: Ty) -> Ty {
        let ty = self.peel_all(ty);
        match self.types.is_slice(ty) {
            true => ty,
            false => Ty::slice_mut(self.types.element(ty).unwrap_or(Ty::UNIT)),
        }
    }
}

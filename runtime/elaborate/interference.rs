//! Whether the order of evaluation of two expressions can be observed.

use crate::front::tree;
use crate::front::ty::Ty;
use crate::front::typed::{Base, Expr, ExprKind, LocalId, Place, Projection};
use crate::front::visit::{self, Visitor};
use crate::ir::Symbol;
use rustc_hash::FxHashSet;

/// Whether the order in which a place and a value are evaluated can be observed; with `failing`, also by which of two panics comes first. `source`: finds
/// the function of a call.
pub(super) fn interfere(
    target: &mut Place,
    value: &mut Expr,
    failing: bool,
    source: &dyn Fn(Symbol) -> Option<&'static tree::Source>,
) -> bool {
    let of = || Deeds {
        source,
        calls: false,
        fails: false,
        read: FxHashSet::default(),
        changed: FxHashSet::default(),
    };
    let (mut a, mut b) = (of(), of());
    visit::place(target, &mut a);
    visit::expr(value, &mut b);
    let acts = |deeds: &Deeds| deeds.calls || failing && deeds.fails;
    acts(&a) && acts(&b) || b.changed.iter().any(|local| a.read.contains(local))
}

/// The effects of an expression.
struct Deeds<'s> {
    source: &'s dyn Fn(Symbol) -> Option<&'static tree::Source>,
    /// Whether it calls a function or jumps.
    calls: bool,
    /// Whether it may panic.
    fails: bool,
    read: FxHashSet<LocalId>,
    changed: FxHashSet<LocalId>,
}

impl Visitor for Deeds<'_> {
    fn place(&mut self, place: &mut Place) {
        if let Base::Local(local) = place.base {
            self.read.insert(local);
        }
        let mut projections = place.projections.iter();
        self.fails |=
            projections.any(|step| matches!(step, Projection::Index(..) | Projection::Borrow(_)));
    }
    fn expr(&mut self, expr: &mut Expr) {
        match &expr.kind {
            ExprKind::Address(place)
            | ExprKind::Pop(place)
            | ExprKind::Assign(place, _)
            | ExprKind::AssignBinary(_, place, _)
            | ExprKind::Push(place, _)
            | ExprKind::Truncate(place, _) => {
                if let Base::Local(local) = place.base {
                    self.changed.insert(local);
                }
            }
            // A call whose arguments contain nothing mutable can only panic.
            ExprKind::Call(name, args) => {
                let source = (self.source)(*name);
                let written = |n: usize| source?.params.get(n).map(|param| (param.ty)());
                let changes = args.iter().enumerate().any(|(n, arg)| {
                    // The function takes `&[T]`, whose memory could change elsewhere.
                    let ty = match (written(n), arg.ty) {
                        (Some(Ty::Slice(_)), Ty::SliceMut(&element)) => element,
                        (_, ty) => ty,
                    };
                    can_change(ty, &mut FxHashSet::default())
                });
                self.calls |= changes;
                self.fails = true;
            }
            ExprKind::Swap(..)
            | ExprKind::Replace(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Return(_) => self.calls = true,
            ExprKind::Assert(..)
            | ExprKind::Fail(..)
            | ExprKind::Slice(..)
            | ExprKind::Derivative(..) => {
                self.fails = true;
            }
            _ => {}
        }
    }
}

/// Whether a function may change a value of this type or its pointee.
fn can_change(ty: Ty, seen: &mut FxHashSet<Ty>) -> bool {
    ty.parts().into_iter().any(|part| match part {
        Ty::Mut(_) | Ty::SliceMut(_) | Ty::Cell(..) | Ty::Dyn(_) | Ty::Closure(_) => true,
        Ty::Adt(adt, _) if seen.insert(part) => {
            let mut variants = 0..adt.variants.len() as u32;
            variants.any(|variant| {
                let mut fields = part.fields(variant).into_iter();
                fields.any(|(_, field)| can_change(field, seen))
            })
        }
        _ => false,
    })
}

//! `a < b`, `a.partial_cmp(&b)` and `a.cmp(&b)` for structs, enums, tuples and sequences. Each type gets a function that compares part by part until two
//! parts differ, as derived implementations do. Variants are ordered by their declaration.

use super::equality::{compared, each, element_of, length, parts_of, read};
use super::{Output, read_local};
use crate::diag::Result;
use crate::diag::{Diagnostic, Span};
use crate::front::tree::Binary;
use crate::front::ty::{ORDERING, Ty};
use crate::front::typed::{Arm, Expr, ExprKind, Intrinsic, Pattern, Place, Projection, Statement};
use crate::ir::Type;

/// Compares two values of one type: an `Option<Ordering>`.
pub(super) fn partial_cmp(output: &mut Output, a: Expr, b: Expr, span: Span) -> Result<Expr> {
    let method = "PartialOrd>::partial_cmp";
    compared(output, method, outcome(EQUAL), (a, b), span, body)
}
/// `a.cmp(&b)`: types that implement `Ord` have no unordered values.
pub(super) fn cmp(found: Expr) -> Expr {
    let span = found.span;
    let ordering = |kind: ExprKind| kind.of(Ty::adt(&ORDERING, &[]), span);
    let arms = (LESS..=GREATER).map(|n| {
        let pattern = if n == GREATER { Pattern::Wild } else { is(n) };
        Arm::new(pattern, ordering(ExprKind::Aggregate(n, vec![])))
    });
    let arms = arms.collect();
    ordering(ExprKind::Match(Place::value(found), arms))
}
/// `a op b`, given their `Option<Ordering>`.
pub(super) fn holds(op: Binary, found: Expr) -> Expr {
    let wanted: &[u32] = match op {
        Binary::Lt => &[LESS],
        Binary::Le => &[LESS, EQUAL],
        Binary::Gt => &[GREATER],
        _ => &[GREATER, EQUAL],
    };
    let answer =
        |value: bool| ExprKind::Const(crate::ir::Const::Bool(value)).of(Ty::BOOL, Span::NONE);
    let mut arms: Vec<Arm> = wanted
        .iter()
        .map(|&n| Arm::new(is(n), answer(true)))
        .collect();
    arms.push(Arm::new(Pattern::Wild, answer(false)));
    let span = found.span;
    ExprKind::Match(Place::value(found), arms).of(Ty::BOOL, span)
}

/// The variants of `Ordering`.
const LESS: u32 = 0;
const EQUAL: u32 = 1;
const GREATER: u32 = 2;

fn result() -> Ty {
    Ty::option(Ty::adt(&ORDERING, &[]))
}
fn of(kind: ExprKind, span: Span) -> Expr {
    kind.of(result(), span)
}
/// `Some(Ordering::…)`
fn outcome(variant: u32) -> Expr {
    let ordering = ExprKind::Aggregate(variant, vec![]).of(Ty::adt(&ORDERING, &[]), Span::NONE);
    of(ExprKind::Aggregate(1, vec![ordering]), Span::NONE)
}
/// The pattern `Some(Ordering::…)`
fn is(variant: u32) -> Pattern {
    let step = Projection::Payload {
        variant: 1,
        field: 0,
        ty: Ty::adt(&ORDERING, &[]),
    };
    Pattern::Variant(1, vec![(step, Pattern::Variant(variant, vec![]))])
}

fn body(output: &mut Output, ty: Ty, span: Span) -> Result<Expr> {
    match ty {
        Ty::Scalar(number) => Ok(numbers(ty, number)),
        Ty::Adt(adt, _) if adt.is_enum => {
            let variants = adt.variants.len() as u32;
            let mut arms = Vec::new();
            for left in 0..variants {
                let mut inner = Vec::new();
                for right in 0..variants {
                    let found = match right {
                        _ if left < right => outcome(LESS),
                        _ if left > right => outcome(GREATER),
                        variant => parts(output, parts_of(ty, variant), span)?,
                    };
                    inner.push(Arm::new(Pattern::Variant(right, vec![]), found));
                }
                let matched = of(ExprKind::Match(Place::of(1), inner), Span::NONE);
                arms.push(Arm::new(Pattern::Variant(left, vec![]), matched));
            }
            Ok(of(ExprKind::Match(Place::of(0), arms), Span::NONE))
        }
        Ty::Tuple(_) | Ty::Adt(..) | Ty::Boxed(_) => parts(output, parts_of(ty, 0), span),
        Ty::Slice(&element)
        | Ty::SliceMut(&element)
        | Ty::Vec(&element)
        | Ty::List(&element, _) => elements(output, ty, element, span),
        _ => Err(Diagnostic::new(
            span,
            format!("values of type `{ty}` cannot be compared by order here"),
        )
        .help("compare the numbers in them")
        .into()),
    }
}

/// Compares two numbers or bools.
fn numbers(ty: Ty, number: Type) -> Expr {
    let operand = |local: usize| {
        let value = read_local(local, ty, Span::NONE);
        Box::new(match number {
            Type::Bool => ExprKind::Cast(Box::new(value)).of(Ty::Scalar(Type::U8), Span::NONE),
            _ => value,
        })
    };
    let test = |op: Binary| ExprKind::Binary(op, operand(0), operand(1)).of(Ty::BOOL, Span::NONE);
    let choose = |op: Binary, then: Expr, otherwise: Expr| {
        let kind = ExprKind::If(
            Box::new(test(op)),
            Box::new(then),
            Some(Box::new(otherwise)),
        );
        of(kind, Span::NONE)
    };
    // NaN is unordered.
    let last = match number.is_float() {
        true => {
            let none = of(ExprKind::Aggregate(0, vec![]), Span::NONE);
            choose(Binary::Gt, outcome(GREATER), none)
        }
        false => outcome(GREATER),
    };
    choose(
        Binary::Lt,
        outcome(LESS),
        choose(Binary::Eq, outcome(EQUAL), last),
    )
}

/// The first parts that differ decide.
fn parts(output: &mut Output, parts: Vec<(Projection, Ty)>, span: Span) -> Result<Expr> {
    let mut rest: Option<Expr> = None;
    for (step, ty) in parts.into_iter().rev() {
        let read = |local: usize| read(Place::of(local).then(step.clone()), ty);
        let found = partial_cmp(output, read(0), read(1), span)?;
        rest = Some(match rest {
            None => found,
            Some(rest) => unless_equal(found, rest),
        });
    }
    Ok(rest.unwrap_or_else(|| outcome(EQUAL)))
}
/// The given order, or another one if the given one is `Equal`.
fn unless_equal(found: Expr, otherwise: Expr) -> Expr {
    let mut arms = vec![Arm::new(is(EQUAL), otherwise)];
    for variant in [LESS, GREATER] {
        arms.push(Arm::new(is(variant), outcome(variant)));
    }
    arms.push(Arm::new(
        Pattern::Wild,
        of(ExprKind::Aggregate(0, vec![]), Span::NONE),
    ));
    of(ExprKind::Match(Place::value(found), arms), Span::NONE)
}

/// The first elements that differ decide, otherwise the lengths.
fn elements(output: &mut Output, ty: Ty, element: Ty, span: Span) -> Result<Expr> {
    let found = partial_cmp(output, element_of(0, element), element_of(1, element), span)?;
    let leave = |value: Expr| ExprKind::Return(Some(Box::new(value))).of(Ty::Never, Span::NONE);
    let unit = ExprKind::Const(crate::ir::Const::Unit).of(Ty::UNIT, Span::NONE);
    let none = of(ExprKind::Aggregate(0, vec![]), Span::NONE);
    let arms = vec![
        Arm::new(is(EQUAL), unit),
        Arm::new(is(LESS), leave(outcome(LESS))),
        Arm::new(is(GREATER), leave(outcome(GREATER))),
        Arm::new(Pattern::Wild, leave(none)),
    ];
    let turn = ExprKind::Match(Place::value(found), arms).of(Ty::UNIT, Span::NONE);
    let decided = partial_cmp(output, length(0, ty), length(1, ty), span)?;
    let shorter = ExprKind::Intrinsic(Intrinsic::Min, vec![length(0, ty), length(1, ty)])
        .of(Ty::USIZE, Span::NONE);
    let statements = vec![Statement::Expr(each(shorter, turn))];
    Ok(of(
        ExprKind::Block(statements, Some(Box::new(decided))),
        Span::NONE,
    ))
}

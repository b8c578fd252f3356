//! `a == b` for structs, enums, tuples and sequences. Each type gets a function that compares part by part, as a derived `PartialEq` does.

use super::expr::within;
use super::{Output, read_local};
use crate::diag::Result;
use crate::diag::{Diagnostic, Span};
use crate::front::text::UNKNOWN;
use crate::front::tree::Binary;
use crate::front::ty::Ty;
use crate::front::typed::{
    Arm, Expr, ExprKind, Function, Iter, Local, Pattern, Place, Projection, Source, Statement,
};
use crate::infer::dynamic::spelled;
use crate::ir::{Const, Fault, Symbol};

/// Whether two values are equal.
pub(super) fn equal(output: &mut Output, a: Expr, b: Expr, span: Span) -> Result<Expr> {
    let ty = a.ty;
    match ty {
        Ty::Scalar(_) => Ok(bool_of(ExprKind::binary(Binary::Eq, a, b), span)),
        _ => compared(output, "PartialEq>::eq", known(true), (a, b), span, body),
    }
}

/// Writes the body of a function that compares two values of a type.
type WriteBody = fn(&mut Output, Ty, Span) -> Result<Expr>;

/// A call of the function that compares two values of a type part by part. The function is written when it is called first. It is registered with a draft
/// before, because the type may contain itself.
pub(super) fn compared(
    output: &mut Output,
    method: &str,
    draft: Expr,
    (a, b): (Expr, Expr),
    span: Span,
    body: WriteBody,
) -> Result<Expr> {
    let (ty, ret) = (a.ty, draft.ty);
    let name = Symbol::new(&format!("<{} as {method}", spelled(ty)));
    if !output.functions.contains_key(&name) {
        output.functions.insert(name, function(name, ty, draft));
        let body = body(output, ty, span)?;
        output.functions.insert(name, function(name, ty, body));
    }
    Ok(ExprKind::Call(name, vec![a, b]).of(ret, span))
}

/// A function of two values. For sequences it has a variable for the position.
fn function(name: Symbol, ty: Ty, body: Expr) -> Function {
    let local = |name, ty| Local {
        name,
        ty,
        in_memory: false,
    };
    let mut locals = vec![local("left", ty), local("right", ty)];
    locals.extend(ty.element().map(|_| local("i", Ty::USIZE)));
    Function {
        name,
        path: name,
        span: Span::NONE,
        locals,
        params: vec![0, 1],
        ret: body.ty,
        body,
        is_constant: false,
        is_library: true,
        parallel: None,
        may_lend: true,
    }
}

/// The parts of a tuple, a box, a struct, or a variant of an enum: where they are, and their types.
pub(super) fn parts_of(ty: Ty, variant: u32) -> Vec<(Projection, Ty)> {
    match ty {
        Ty::Tuple(fields) => { (0..).zip(fields) }
            .map(|(n, &ty)| (Projection::Field(n, ty), ty))
            .collect(),
        Ty::Adt(adt, _) => { (0..).zip(ty.fields(variant)) }
            .map(|(field, (_, ty))| match adt.is_enum {
                true => (Projection::Payload { variant, field, ty }, ty),
                false => (Projection::Field(field, ty), ty),
            })
            .collect(),
        Ty::Boxed(&content) => vec![(Projection::Deref(content), content)],
        _ => Vec::new(),
    }
}

fn body(output: &mut Output, ty: Ty, span: Span) -> Result<Expr> {
    match ty {
        Ty::Adt(adt, _) if adt.is_enum => {
            let mut arms = Vec::new();
            for variant in 0..adt.variants.len() as u32 {
                let equal = parts(output, parts_of(ty, variant), span)?;
                let inner = vec![
                    Arm::new(Pattern::Variant(variant, vec![]), equal),
                    Arm::new(Pattern::Wild, known(false)),
                ];
                let matched = bool_of(ExprKind::Match(Place::of(1), inner), Span::NONE);
                arms.push(Arm::new(Pattern::Variant(variant, vec![]), matched));
            }
            Ok(bool_of(ExprKind::Match(Place::of(0), arms), Span::NONE))
        }
        Ty::Tuple(_) | Ty::Adt(..) | Ty::Boxed(_) => parts(output, parts_of(ty, 0), span),
        Ty::Slice(&element)
        | Ty::SliceMut(&element)
        | Ty::Vec(&element)
        | Ty::List(&element, _) => elements(output, ty, element, span),
        Ty::Str => Ok(texts(span)),
        _ => Err(Diagnostic::new(
            span,
            format!("values of type `{ty}` cannot be compared here"),
        )
        .help("compare the numbers inside them, or use an enum to tell the cases apart")
        .into()),
    }
}

/// Whether two texts are equal. Their numbers must be equal, and neither may be the number of a text with unknown content.
fn texts(span: Span) -> Expr {
    let unknown = || ExprKind::Const(Const::Int(UNKNOWN as i64)).of(Ty::Str, span);
    let compared = |op, a, b| bool_of(ExprKind::binary(op, a, b), span);
    let known = compared(Binary::Ne, read_local(0, Ty::Str, span), unknown());
    let both = ExprKind::Lazy(
        true,
        Box::new(known),
        Box::new(compared(
            Binary::Ne,
            read_local(1, Ty::Str, span),
            unknown(),
        )),
    );
    let message = "text that `format!` makes of numbers has no known content in derived code, so it cannot be compared";
    let check = ExprKind::Assert(
        Box::new(bool_of(both, span)),
        Fault::Panic(Symbol::from_static(message)),
        Vec::new(),
    )
    .of(Ty::UNIT, span);
    let equal = compared(
        Binary::Eq,
        read_local(0, Ty::Str, span),
        read_local(1, Ty::Str, span),
    );
    within(vec![Statement::Expr(check)], equal)
}

/// Whether all of these parts are equal.
fn parts(output: &mut Output, parts: Vec<(Projection, Ty)>, span: Span) -> Result<Expr> {
    let mut all: Option<Expr> = None;
    for (step, ty) in parts {
        let read = |local: usize| read(Place::of(local).then(step.clone()), ty);
        let equal = equal(output, read(0), read(1), span)?;
        all = Some(match all {
            None => equal,
            Some(before) => {
                let both = ExprKind::Lazy(true, Box::new(before), Box::new(equal));
                bool_of(both, Span::NONE)
            }
        });
    }
    Ok(all.unwrap_or(known(true)))
}

/// Whether two sequences have equal lengths and equal elements.
fn elements(output: &mut Output, ty: Ty, element: Ty, span: Span) -> Result<Expr> {
    let value = |ty: Ty, kind: ExprKind| kind.of(ty, Span::NONE);
    let leave = || value(Ty::Never, ExprKind::Return(Some(Box::new(known(false)))));
    let unless = |condition: Expr| {
        let not = bool_of(ExprKind::Not(Box::new(condition)), Span::NONE);
        Statement::Expr(value(
            Ty::UNIT,
            ExprKind::If(Box::new(not), Box::new(leave()), None),
        ))
    };
    let lengths = ExprKind::Binary(Binary::Eq, Box::new(length(0, ty)), Box::new(length(1, ty)));
    let same_length = bool_of(lengths, Span::NONE);
    let same = equal(output, element_of(0, element), element_of(1, element), span)?;
    let turn = value(Ty::UNIT, ExprKind::Block(vec![unless(same)], None));
    let all = each(length(0, ty), turn);
    let statements = vec![unless(same_length), Statement::Expr(all)];
    Ok(bool_of(
        ExprKind::Block(statements, Some(Box::new(known(true)))),
        Span::NONE,
    ))
}

/// The variable with the position of the compared elements.
const POSITION: usize = 2;

/// The number of elements of the left (0) or right (1) value.
pub(super) fn length(local: usize, ty: Ty) -> Expr {
    ExprKind::Len(Box::new(read_local(local, ty, Span::NONE))).of(Ty::USIZE, Span::NONE)
}
/// The element of the left (0) or right (1) value at the position.
pub(super) fn element_of(local: usize, element: Ty) -> Expr {
    let index = Box::new(read_local(POSITION, Ty::USIZE, Span::NONE));
    read(
        Place::of(local).then(Projection::Index(index, element, Span::NONE)),
        element,
    )
}
/// A loop over positions.
pub(super) fn each(count: Expr, turn: Expr) -> Expr {
    let zero = ExprKind::Const(Const::Int(0)).of(Ty::USIZE, Span::NONE);
    let positions = Iter {
        source: Source::Range(Box::new(zero), Box::new(count), false),
        rev: false,
        step: None,
        enumerate: false,
        item: Ty::USIZE,
    };
    ExprKind::For(
        0,
        Pattern::Bind(POSITION, false, None),
        positions,
        Box::new(turn),
    )
    .of(Ty::UNIT, Span::NONE)
}

pub(super) fn read(place: Place, ty: Ty) -> Expr {
    ExprKind::Read { place, copy: false }.of(ty, Span::NONE)
}
fn bool_of(kind: ExprKind, span: Span) -> Expr {
    kind.of(Ty::BOOL, span)
}
fn known(value: bool) -> Expr {
    bool_of(ExprKind::Const(Const::Bool(value)), Span::NONE)
}

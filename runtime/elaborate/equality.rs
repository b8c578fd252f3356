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
    let (a, b) = (Box::new(a), Box::new(b));
    if let Ty::Scalar(_) = ty {
        return Ok(bool_of(ExprKind::Binary(Binary::Eq, a, b), span));
    }
    let name = Symbol::new(&format!("<{} as PartialEq>::eq", spelled(ty)));
    if !output.functions.contains_key(&name) {
        // The name is registered first, because the type may contain itself.
        output
            .functions
            .insert(name, function(name, ty, known(true), 0));
        let mut locals = 0;
        let body = body(output, ty, span, &mut locals)?;
        output
            .functions
            .insert(name, function(name, ty, body, locals));
    }
    Ok(bool_of(ExprKind::Call(name, vec![*a, *b]), span))
}

/// A function with two values and `count` positions as parameters.
pub(super) fn function(name: Symbol, ty: Ty, body: Expr, positions: usize) -> Function {
    let local = |name, ty| Local {
        name,
        ty,
        in_memory: false,
    };
    let mut locals = vec![local("left", ty), local("right", ty)];
    locals.extend((0..positions).map(|_| local("i", Ty::USIZE)));
    Function {
        name,
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

fn body(output: &mut Output, ty: Ty, span: Span, locals: &mut usize) -> Result<Expr> {
    match ty {
        Ty::Tuple(fields) => {
            let fields = (0..).zip(fields.iter().copied());
            parts(
                output,
                fields.map(|(n, ty)| (move || Projection::Field(n, ty), ty)),
                span,
            )
        }
        Ty::Adt(adt, _) if !adt.is_enum => {
            let fields = (0..).zip(ty.fields(0));
            parts(
                output,
                fields.map(|(n, (_, ty))| (move || Projection::Field(n, ty), ty)),
                span,
            )
        }
        Ty::Adt(adt, _) => {
            let mut arms = Vec::new();
            for variant in 0..adt.variants.len() as u32 {
                let fields = (0..).zip(ty.fields(variant));
                let payload = fields.map(|(field, (_, ty))| {
                    (move || Projection::Payload { variant, field, ty }, ty)
                });
                let equal = parts(output, payload, span)?;
                let inner = vec![
                    Arm::new(Pattern::Variant(variant, vec![]), equal),
                    Arm::new(Pattern::Wild, known(false)),
                ];
                let matched = bool_of(ExprKind::Match(Place::of(1), inner), Span::NONE);
                arms.push(Arm::new(Pattern::Variant(variant, vec![]), matched));
            }
            Ok(bool_of(ExprKind::Match(Place::of(0), arms), Span::NONE))
        }
        Ty::Boxed(&content) => parts(
            output,
            [(move || Projection::Deref(content), content)].into_iter(),
            span,
        ),
        Ty::Slice(&element)
        | Ty::SliceMut(&element)
        | Ty::Vec(&element)
        | Ty::List(&element, _) => {
            *locals = 1;
            elements(output, ty, element, span)
        }
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
fn parts<F: Fn() -> Projection>(
    output: &mut Output,
    parts: impl Iterator<Item = (F, Ty)>,
    span: Span,
) -> Result<Expr> {
    let mut all: Option<Expr> = None;
    for (step, ty) in parts {
        let read = |local: usize| read(Place::of(local).then(step()), ty);
        let equal = equal(output, read(0), read(1), span)?;
        all = Some(match all {
            None => equal,
            Some(before) => bool_of(
                ExprKind::Lazy(true, Box::new(before), Box::new(equal)),
                Span::NONE,
            ),
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

//! Copies a surface tree so that each node has an address of its own.
//!
//! Inference keeps what it finds about an expression by the address of its node. The compiler may place equal static data only once. So two nodes that a
//! macro has repeated, with the same names at the same place, may be one node, and what is found about the first would be used for the second. In the
//! copy every node has its own address.

use crate::front::tree::{
    Arm, Block, Body, Expr, ExprKind, Lambda, Param, Pattern, PatternKind, Role, Source, Statement,
};
use std::collections::HashMap;
use std::sync::Mutex;

/// The copy of a source. The same source always gets the same copy.
pub fn uniquify_nodes(source: &'static Source) -> &'static Source {
    static KNOWN: Mutex<Option<HashMap<usize, &'static Source>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(|e| e.into_inner());
    let key = std::ptr::from_ref(source) as usize;
    known
        .get_or_insert_default()
        .entry(key)
        .or_insert_with(|| copy(source))
}

fn copy(source: &'static Source) -> &'static Source {
    let Source {
        path,
        name,
        file,
        at,
        generics,
        ret,
        early,
        of_references,
        bounds,
        ret_kind,
        ..
    } = *source;
    put(Source {
        path,
        name,
        file,
        at,
        generics,
        params: all(source.params, |param| Param {
            pattern: pattern(&param.pattern),
            ty: param.ty,
            ref_kind: param.ref_kind,
            element_kind: param.element_kind,
        }),
        ret,
        ret_kind,
        body: match &source.body {
            Body::Block(body) => Body::Block(block(body)),
            Body::Pack(name) => Body::Pack(name),
            Body::Rule => Body::Rule,
            Body::Required => Body::Required,
        },
        role: match source.role {
            Role::Derived => Role::Derived,
            Role::Constant => Role::Constant,
            Role::Overlay(callee) => Role::Overlay(callee),
        },
        early,
        of_references,
        bounds,
    })
}

fn put<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
fn all<T>(list: &'static [T], copy: impl Fn(&'static T) -> T) -> &'static [T] {
    Vec::leak(list.iter().map(copy).collect())
}
fn one(of: &'static Expr) -> &'static Expr {
    put(expr(of))
}
fn maybe(of: Option<&'static Expr>) -> Option<&'static Expr> {
    of.map(one)
}
fn exprs(list: &'static [Expr]) -> &'static [Expr] {
    all(list, expr)
}
fn patterns(list: &'static [Pattern]) -> &'static [Pattern] {
    all(list, pattern)
}

fn block(of: &'static Block) -> Block {
    Block {
        statements: all(of.statements, |statement| match statement {
            Statement::Let(bound, ty, value, otherwise) => Statement::Let(
                pattern(bound),
                *ty,
                value.as_ref().map(expr),
                otherwise.as_ref().map(block),
            ),
            Statement::Expr(of) => Statement::Expr(expr(of)),
        }),
        value: maybe(of.value),
    }
}

fn pattern(of: &'static Pattern) -> Pattern {
    let kind = match of.kind {
        PatternKind::Wild => PatternKind::Wild,
        PatternKind::Rest => PatternKind::Rest,
        PatternKind::Name(name, by_mut, inner) => {
            PatternKind::Name(name, by_mut, inner.map(|inner| put(pattern(inner))))
        }
        PatternKind::Tuple(parts) => PatternKind::Tuple(patterns(parts)),
        PatternKind::Struct(ty, variant, fields) => PatternKind::Struct(
            ty,
            variant,
            all(fields, |(name, part)| (*name, pattern(part))),
        ),
        PatternKind::TupleStruct(ty, variant, parts) => {
            PatternKind::TupleStruct(ty, variant, patterns(parts))
        }
        PatternKind::Slice(parts) => PatternKind::Slice(patterns(parts)),
        PatternKind::Value(value) => PatternKind::Value(one(value)),
        PatternKind::Range(from, to, inclusive) => {
            PatternKind::Range(maybe(from), maybe(to), inclusive)
        }
        PatternKind::Or(parts) => PatternKind::Or(patterns(parts)),
        PatternKind::Ref(inner) => PatternKind::Ref(put(pattern(inner))),
    };
    Pattern { at: of.at, kind }
}

fn expr(of: &'static Expr) -> Expr {
    use ExprKind::*;
    let kind = match &of.kind {
        Float(value, ty) => Float(*value, *ty),
        Int(value, ty) => Int(*value, *ty),
        Bool(value) => Bool(*value),
        Str(text) => Str(text),
        Formatted(text) => Formatted(text),
        Local(name) => Local(name),
        Parameter(n, ty) => Parameter(*n, *ty),
        Constant(value) => Constant(*value),
        Function(callee) => Function(*callee),
        MethodValue(ty, of, name) => MethodValue(*ty, *of, name),
        Neg(a) => Neg(one(a)),
        Not(a) => Not(one(a)),
        Binary(op, a, b) => Binary(*op, one(a), one(b)),
        Lazy(and, a, b) => Lazy(*and, one(a), one(b)),
        Let(bound, value) => Let(put(pattern(bound)), one(value)),
        Assign(a, b) => Assign(one(a), one(b)),
        AssignBinary(op, a, b) => AssignBinary(*op, one(a), one(b)),
        Call(callee, args) => Call(*callee, exprs(args)),
        CallValue(callee, args) => CallValue(one(callee), exprs(args)),
        Method(name, of, types, args) => Method(name, *of, types, exprs(args)),
        Associated(ty, of, name, types, args) => Associated(*ty, *of, name, types, exprs(args)),
        Struct(ty, variant, fields, base) => {
            let fields = all(fields, |(name, value)| (*name, expr(value)));
            Struct(*ty, *variant, fields, maybe(*base))
        }
        Construct(ty, variant, args) => Construct(*ty, *variant, exprs(args)),
        Index(a, b) => Index(one(a), one(b)),
        Range(from, to, inclusive) => Range(maybe(*from), maybe(*to), *inclusive),
        Field(a, name) => Field(one(a), name),
        Tuple(parts) => Tuple(exprs(parts)),
        List(items) => List(exprs(items)),
        Repeat(value, count) => Repeat(one(value), *count),
        VecList(items) => VecList(exprs(items)),
        VecRepeat(value, count) => VecRepeat(one(value), one(count)),
        Ref(mutable, a) => Ref(*mutable, one(a)),
        Deref(a) => Deref(one(a)),
        Cast(a, ty) => Cast(one(a), *ty),
        If(condition, then, otherwise) => If(one(condition), block(then), maybe(*otherwise)),
        Match(value, arms) => {
            let arms = all(arms, |arm| Arm {
                pattern: pattern(&arm.pattern),
                guard: arm.guard.as_ref().map(expr),
                body: expr(&arm.body),
            });
            Match(one(value), arms)
        }
        Try(a) => Try(one(a)),
        Closure(lambda) => Closure(self::Lambda {
            params: all(lambda.params, |(bound, ty)| (pattern(bound), *ty)),
            ret: lambda.ret,
            body: one(lambda.body),
            moves: lambda.moves,
        }),
        Block(label, body) => Block(*label, block(body)),
        While(label, condition, body) => While(*label, one(condition), block(body)),
        Loop(label, body) => Loop(*label, block(body)),
        For(label, bound, over, body) => For(*label, put(pattern(bound)), one(over), block(body)),
        Break(label, value) => Break(*label, maybe(*value)),
        Continue(label) => Continue(*label),
        Return(value) => Return(maybe(*value)),
        Assert(condition, text, values) => Assert(one(condition), text, exprs(values)),
        Panic(text, values) => Panic(text, exprs(values)),
    };
    Expr { at: of.at, kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::tree::At;
    use crate::front::ty::{RefKind, Ty};
    use crate::ir::Type;

    /// `{ let z = <value>; -z }`, built from nodes that other expressions use too.
    fn negated(value: &'static Expr) -> Expr {
        static Z: Expr = Expr {
            at: At(2, 9),
            kind: ExprKind::Local("z"),
        };
        let bound = Pattern {
            at: At(2, 5),
            kind: PatternKind::Name("z", false, None),
        };
        let body = Block {
            statements: put([Statement::Let(bound, None, Some(expr(value)), None)]),
            value: Some(put(Expr {
                at: At(2, 8),
                kind: ExprKind::Neg(&Z),
            })),
        };
        Expr {
            at: At(2, 1),
            kind: ExprKind::Block(None, body),
        }
    }

    #[test]
    fn nodes_that_the_compiler_has_merged_are_two_again() {
        let float = |value| {
            put(Expr {
                at: At(1, 1),
                kind: ExprKind::Float(value, Some(Type::F64)),
            })
        };
        let single = put(Expr {
            at: At(1, 1),
            kind: ExprKind::Float(1.0, Some(Type::F32)),
        });
        let parts = put([negated(float(1.0)), negated(single)]);
        let source = put(Source {
            path: "test::twice",
            name: "twice",
            file: "test.rs",
            at: At(1, 1),
            generics: 0,
            params: &[],
            ret: || Ty::tuple(&[Ty::Scalar(Type::F64), Ty::Scalar(Type::F32)]),
            ret_kind: RefKind::Value,
            body: Body::Block(Block {
                statements: &[],
                value: Some(put(Expr {
                    at: At(1, 1),
                    kind: ExprKind::Tuple(parts),
                })),
            }),
            role: Role::Derived,
            early: || true,
            of_references: &[],
            bounds: &[],
        });
        let registry = crate::registry::Registry::default();
        assert!(super::super::infer(source, &[], &registry, true, |_, _| Ok(())).is_ok());
        assert!(std::ptr::eq(uniquify_nodes(source), uniquify_nodes(source)));
    }
}

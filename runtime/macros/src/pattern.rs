//! Patterns.

use crate::expr;
use crate::path::{self, constructor, is_camel, starts_upper};
use crate::reader::{Reader, text};
use crate::tree::{Node, node};
use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, Member, Pat, PatIdent, Path, RangeLimits, Type};

/// Decides what a name in upper case means: a new variable, or a constant with which values are compared.
#[derive(Clone, Copy, PartialEq)]
pub enum PatternContext {
    /// In `let`, `for` and parameters, where every value must match.
    Irrefutable,
    /// In `match`, `if let` and similar places.
    Refutable,
}

/// Reads a pattern and declares its names.
pub fn read(reader: &mut Reader, pattern: &Pat, context: PatternContext) -> Node {
    if let Pat::Paren(inner) = pattern {
        return read(reader, &inner.pat, context);
    }
    let kind = kind(reader, pattern, context);
    Node::at(start(pattern), kind)
}

/// The pattern of a name.
pub fn name(span: Span, name: &str) -> Node {
    Node::at(span, node!(Name, name, false, None::<Node>))
}

fn kind(reader: &mut Reader, pattern: &Pat, context: PatternContext) -> Node {
    match pattern {
        Pat::Ident(ident) => ident_kind(reader, ident, context),
        Pat::Wild(_) => node!(Wild),
        Pat::Rest(_) => node!(Rest),
        Pat::Reference(inner) => {
            let inner = read(reader, &inner.pat, context);
            node!(Ref, inner)
        }
        Pat::Tuple(tuple) => {
            let fields = list(reader, &tuple.elems, context);
            node!(Tuple, fields)
        }
        Pat::Slice(slice) => {
            let elements = list(reader, &slice.elems, context);
            node!(Slice, elements)
        }
        Pat::Or(or) => {
            let cases = list(reader, &or.cases, context);
            node!(Or, cases)
        }
        Pat::TupleStruct(pattern) => {
            let (ty, variant) = constructor(reader, &pattern.path);
            let fields = list(reader, &pattern.elems, context);
            node!(TupleStruct, ty, variant, fields)
        }
        Pat::Struct(pattern) => {
            let (ty, variant) = constructor(reader, &pattern.path);
            let fields: Vec<_> = pattern
                .fields
                .iter()
                .map(|field| {
                    let name = member(&field.member);
                    let pattern = read(reader, &field.pat, context);
                    (name, pattern)
                })
                .collect();
            node!(Struct, ty, variant, fields)
        }
        Pat::Path(pattern) if pattern.qself.is_none() => path_shape(reader, &pattern.path),
        Pat::Path(pattern) => value(reader, &Expr::Path(pattern.clone())),
        Pat::Lit(literal) => value(reader, &Expr::Lit(literal.clone())),
        Pat::Const(block) => value(reader, &Expr::Const(block.clone())),
        Pat::Range(range) => {
            let mut end = |end: &Option<Box<Expr>>| end.as_ref().map(|end| expr::read(reader, end));
            let (from, to) = (end(&range.start), end(&range.end));
            let inclusive = matches!(range.limits, RangeLimits::Closed(_));
            node!(Range, from, to, inclusive)
        }
        _ => {
            reader.refuse(
                pattern,
                "macros are not expanded in patterns; write the pattern out",
            );
            node!(Wild)
        }
    }
}

/// A name: a new variable, a constant or a variant.
fn ident_kind(reader: &mut Reader, ident: &PatIdent, context: PatternContext) -> Node {
    let written = ident.ident.to_string();
    let is_plain = ident.by_ref.is_none() && ident.mutability.is_none() && ident.subpat.is_none();
    if is_plain
        && (is_camel(&written) || context == PatternContext::Refutable && starts_upper(&written))
    {
        return path_shape(reader, &Path::from(ident.ident.clone()));
    }
    let by_mut = ident.by_ref.is_some() && ident.mutability.is_some();
    if is_plain && context == PatternContext::Refutable {
        // A constant in lower case would be compared with the value. rustc does not allow a variable of that name.
        let name = &ident.ident;
        reader.check(written.clone(), || quote!(let #name @ _ = ();));
    }
    reader.declare(written.clone());
    let inner = match &ident.subpat {
        Some((_, inner)) => Some(read(reader, inner, context)),
        None if ident.by_ref.is_some() && !by_mut => Some(Node::at(ident.span(), node!(Wild))),
        None => None,
    };
    node!(Name, written, by_mut, inner)
}

/// A path: a variant or a struct without fields, or a constant.
fn path_shape(reader: &mut Reader, path: &Path) -> Node {
    let last = path.segments.last().map(|last| last.ident.to_string());
    if last.is_some_and(|last| is_camel(&last)) {
        let (ty, variant) = constructor(reader, path);
        return node!(TupleStruct, ty, variant, Vec::<Node>::new());
    }
    let path = ExprPath {
        attrs: Vec::new(),
        qself: None,
        path: path.clone(),
    };
    // rustc accepts no pattern that is a constant depending on parameters.
    if path::dependent_owner(reader, &path).is_some() {
        let (ty, variant) = constructor(reader, &path.path);
        return node!(TupleStruct, ty, variant, Vec::<Node>::new());
    }
    value(reader, &Expr::Path(path))
}

fn value(reader: &mut Reader, value: &Expr) -> Node {
    let value = expr::read(reader, value);
    node!(Value, value)
}

fn list<'a>(
    reader: &mut Reader,
    patterns: impl IntoIterator<Item = &'a Pat>,
    context: PatternContext,
) -> Vec<Node> {
    let patterns = patterns.into_iter();
    patterns
        .map(|pattern| read(reader, pattern, context))
        .collect()
}

/// The name of a field, or its position in tuples and tuple structs.
pub fn member(member: &Member) -> String {
    match member {
        Member::Named(name) => text(name),
        Member::Unnamed(n) => n.index.to_string(),
    }
}

/// Parts `pattern: type`.
pub fn typed(pattern: &Pat) -> (&Pat, Option<&Type>) {
    match pattern {
        Pat::Type(typed) if matches!(*typed.ty, Type::Infer(_)) => (&typed.pat, None),
        Pat::Type(typed) => (&typed.pat, Some(&typed.ty)),
        other => (other, None),
    }
}

/// The start of a pattern. (The span of a whole pattern is expensive, because it visits all tokens.)
fn start(pattern: &Pat) -> Span {
    match pattern {
        Pat::Ident(ident) => match (&ident.by_ref, &ident.mutability) {
            (Some(token), _) => token.span(),
            (None, Some(token)) => token.span(),
            (None, None) => ident.ident.span(),
        },
        Pat::TupleStruct(pattern) => path::start(&pattern.path),
        Pat::Struct(pattern) => path::start(&pattern.path),
        Pat::Tuple(tuple) => tuple.paren_token.span.open(),
        Pat::Slice(slice) => slice.bracket_token.span.open(),
        Pat::Or(or) => or.cases.first().map_or_else(Span::call_site, start),
        other => other
            .to_token_stream()
            .into_iter()
            .next()
            .map_or_else(Span::call_site, |token| token.span()),
    }
}

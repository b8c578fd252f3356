//! Patterns.

use crate::expr;
use crate::path::{self, constructor, is_camel, starts_upper};
use crate::reader::{Reader, at, option, text};
use proc_macro2::{Span, TokenStream};
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
pub fn read(reader: &mut Reader, pattern: &Pat, context: PatternContext) -> TokenStream {
    if let Pat::Paren(inner) = pattern {
        return read(reader, &inner.pat, context);
    }
    let kind = kind(reader, pattern, context);
    node(start(pattern), kind)
}

/// A pattern with its place in the source.
pub fn node(span: Span, kind: TokenStream) -> TokenStream {
    let at = at(span);
    quote!(__mc::Pattern { id: __mc_id, at: #at, kind: __mc::PatternKind::#kind })
}

/// The pattern of a name.
pub fn name(span: Span, name: &str) -> TokenStream {
    node(
        span,
        quote!(Name(#name, false, ::core::option::Option::None)),
    )
}

fn kind(reader: &mut Reader, pattern: &Pat, context: PatternContext) -> TokenStream {
    match pattern {
        Pat::Ident(ident) => ident_kind(reader, ident, context),
        Pat::Wild(_) => quote!(Wild),
        Pat::Rest(_) => quote!(Rest),
        Pat::Reference(inner) => {
            let inner = read(reader, &inner.pat, context);
            quote!(Ref(&#inner))
        }
        Pat::Tuple(tuple) => {
            let fields = list(reader, &tuple.elems, context);
            quote!(Tuple(#fields))
        }
        Pat::Slice(slice) => {
            let elements = list(reader, &slice.elems, context);
            quote!(Slice(#elements))
        }
        Pat::Or(or) => {
            let cases = list(reader, &or.cases, context);
            quote!(Or(#cases))
        }
        Pat::TupleStruct(pattern) => {
            let (ty, variant) = constructor(reader, &pattern.path);
            let fields = list(reader, &pattern.elems, context);
            quote!(TupleStruct(#ty, #variant, #fields))
        }
        Pat::Struct(pattern) => {
            let (ty, variant) = constructor(reader, &pattern.path);
            let fields: Vec<_> = pattern
                .fields
                .iter()
                .map(|field| {
                    let name = member(&field.member);
                    let pattern = read(reader, &field.pat, context);
                    quote!((#name, #pattern))
                })
                .collect();
            quote!(Struct(#ty, #variant, &[#(#fields),*]))
        }
        Pat::Path(pattern) if pattern.qself.is_none() => path_shape(reader, &pattern.path),
        Pat::Path(pattern) => value(reader, &Expr::Path(pattern.clone())),
        Pat::Lit(literal) => value(reader, &Expr::Lit(literal.clone())),
        Pat::Const(block) => value(reader, &Expr::Const(block.clone())),
        Pat::Range(range) => {
            let mut end = |end: &Option<Box<Expr>>| {
                option(end.as_ref().map(|end| {
                    let end = expr::read(reader, end);
                    quote!(&#end)
                }))
            };
            let (from, to) = (end(&range.start), end(&range.end));
            let inclusive = matches!(range.limits, RangeLimits::Closed(_));
            quote!(Range(#from, #to, #inclusive))
        }
        _ => {
            reader.refuse(
                pattern,
                "macros are not expanded in patterns; write the pattern out",
            );
            quote!(Wild)
        }
    }
}

/// A name: a new variable, a constant or a variant.
fn ident_kind(reader: &mut Reader, ident: &PatIdent, context: PatternContext) -> TokenStream {
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
        None if ident.by_ref.is_some() && !by_mut => Some(node(ident.span(), quote!(Wild))),
        None => None,
    };
    let inner = inner.map(|inner| quote!(&#inner));
    let inner = option(inner);
    quote!(Name(#written, #by_mut, #inner))
}

/// A path: a variant or a struct without fields, or a constant.
fn path_shape(reader: &mut Reader, path: &Path) -> TokenStream {
    let last = path.segments.last().map(|last| last.ident.to_string());
    if last.is_some_and(|last| is_camel(&last)) {
        let (ty, variant) = constructor(reader, path);
        return quote!(TupleStruct(#ty, #variant, &[]));
    }
    let path = ExprPath {
        attrs: Vec::new(),
        qself: None,
        path: path.clone(),
    };
    // rustc accepts no pattern that is a constant depending on parameters.
    if path::dependent_owner(reader, &path).is_some() {
        let (ty, variant) = constructor(reader, &path.path);
        return quote!(TupleStruct(#ty, #variant, &[]));
    }
    value(reader, &Expr::Path(path))
}

fn value(reader: &mut Reader, value: &Expr) -> TokenStream {
    let value = expr::read(reader, value);
    quote!(Value(&#value))
}

fn list<'a>(
    reader: &mut Reader,
    patterns: impl IntoIterator<Item = &'a Pat>,
    context: PatternContext,
) -> TokenStream {
    let patterns = patterns
        .into_iter()
        .map(|pattern| read(reader, pattern, context));
    let patterns: Vec<_> = patterns.collect();
    quote!(&[#(#patterns),*])
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

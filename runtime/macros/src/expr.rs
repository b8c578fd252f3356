//! Expressions.

use crate::path::{self, Target};
use crate::pattern::{self, PatternContext};
use crate::reader::{Reader, at, option, text};
use crate::{invocation, literal, own_methods, refuse, statement, types};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{
    Arm, BinOp, Expr, ExprAssign, ExprBinary, ExprBlock, ExprCall, ExprClosure, ExprForLoop,
    ExprIf, ExprMatch, ExprMethodCall, ExprPath, ExprRange, ExprRepeat, ExprStruct, ExprUnary,
    ExprWhile, Label, Lifetime, RangeLimits, ReturnType, UnOp,
};

/// Reads an expression.
pub fn read(reader: &mut Reader, expr: &Expr) -> TokenStream {
    let expr = strip(expr);
    let kind = kind(reader, expr);
    // Messages about a method call point at the name of the method, and others at the start of the expression.
    let place = match expr {
        Expr::MethodCall(call) => call.method.span(),
        other => start(other),
    };
    node(place, kind)
}

/// An expression with its place.
fn node(place: Span, kind: TokenStream) -> TokenStream {
    let at = at(place);
    quote!(__mc::Expr { id: __mc_id, at: #at, kind: #kind })
}

/// The expression without parentheses around it.
fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => strip(&inner.expr),
        Expr::Group(inner) => strip(&inner.expr),
        other => other,
    }
}

/// Stands for an expression that was refused.
fn nothing() -> TokenStream {
    quote!(__mc::ExprKind::Bool(false))
}

fn kind(reader: &mut Reader, expr: &Expr) -> TokenStream {
    match expr {
        Expr::Lit(literal) => literal::kind(reader, &literal.lit),
        Expr::Path(path) => path_kind(reader, path),
        Expr::Unary(unary) => unary_kind(reader, unary),
        Expr::Binary(binary) => binary_kind(reader, binary),
        Expr::Assign(assign) => assign_kind(reader, assign),
        Expr::Call(call) => call_kind(reader, call),
        Expr::MethodCall(call) => method_kind(reader, call),
        Expr::Index(index) => {
            let (base, index) = (read(reader, &index.expr), read(reader, &index.index));
            quote!(__mc::ExprKind::Index(&#base, &#index))
        }
        Expr::Range(range) => range_kind(reader, range),
        Expr::Field(field) => {
            let (base, name) = (read(reader, &field.base), pattern::member(&field.member));
            quote!(__mc::ExprKind::Field(&#base, #name))
        }
        Expr::Struct(written) => struct_kind(reader, written),
        Expr::Tuple(tuple) => {
            let fields = list(reader, &tuple.elems);
            quote!(__mc::ExprKind::Tuple(#fields))
        }
        Expr::Array(array) => {
            let elements = list(reader, &array.elems);
            quote!(__mc::ExprKind::List(#elements))
        }
        Expr::Repeat(repeat) => repeat_kind(reader, repeat),
        Expr::Reference(reference) => {
            let (is_mut, value) = (
                reference.mutability.is_some(),
                read(reader, &reference.expr),
            );
            quote!(__mc::ExprKind::Ref(#is_mut, &#value))
        }
        Expr::Cast(cast) => {
            let (value, ty) = (read(reader, &cast.expr), types::function(reader, &cast.ty));
            quote!(__mc::ExprKind::Cast(&#value, #ty))
        }
        Expr::Try(attempt) => {
            let value = read(reader, &attempt.expr);
            quote!(__mc::ExprKind::Try(&#value))
        }
        Expr::Closure(closure) => closure_kind(reader, closure),
        Expr::If(conditional) => if_kind(reader, conditional),
        Expr::Match(written) => match_kind(reader, written),
        Expr::Let(condition) => {
            let value = read(reader, &condition.expr);
            let pattern = pattern::read(reader, &condition.pat, PatternContext::Refutable);
            quote!(__mc::ExprKind::Let(&#pattern, &#value))
        }
        Expr::Block(block) => block_kind(reader, block),
        Expr::While(written) => while_kind(reader, written),
        Expr::Loop(written) => {
            let label = label(&written.label);
            let body = statement::block(reader, &written.body);
            quote!(__mc::ExprKind::Loop(#label, #body))
        }
        Expr::ForLoop(written) => for_kind(reader, written),
        Expr::Break(jump) => {
            let (label, value) = (
                label_name(&jump.label),
                optional(reader, jump.expr.as_deref()),
            );
            quote!(__mc::ExprKind::Break(#label, #value))
        }
        Expr::Continue(jump) => {
            let label = label_name(&jump.label);
            quote!(__mc::ExprKind::Continue(#label))
        }
        Expr::Return(jump) => {
            let value = optional(reader, jump.expr.as_deref());
            quote!(__mc::ExprKind::Return(#value))
        }
        Expr::Const(block) if reader.names.depends(block) => {
            reader.refuse(
                block,
                "a `const` block that depends on type or const parameters is not supported; write an associated constant, or leave out `const`",
            );
            nothing()
        }
        Expr::Const(block) => {
            let value = reader.names.erased_expr(&Expr::Const(block.clone()));
            let constant = path::constant_thunk(&value);
            quote!(__mc::ExprKind::Constant(#constant))
        }
        Expr::Macro(written) => invocation::kind(reader, &written.mac),
        other => {
            reader.refuse(other, refuse::expression(other));
            nothing()
        }
    }
}

/// `Some(&e)` or `None`.
fn optional(reader: &mut Reader, expr: Option<&Expr>) -> TokenStream {
    option(expr.map(|expr| {
        let expr = read(reader, expr);
        quote!(&#expr)
    }))
}

/// `&[e, …]`
pub fn list<'a>(reader: &mut Reader, exprs: impl IntoIterator<Item = &'a Expr>) -> TokenStream {
    let exprs: Vec<_> = exprs.into_iter().map(|expr| read(reader, expr)).collect();
    quote!(&[#(#exprs),*])
}

fn label(label: &Option<Label>) -> TokenStream {
    label_name(&label.as_ref().map(|label| label.name.clone()))
}

fn label_name(name: &Option<Lifetime>) -> TokenStream {
    option(name.as_ref().map(|name| {
        let name = name.ident.to_string();
        quote!(#name)
    }))
}

fn path_kind(reader: &mut Reader, path: &ExprPath) -> TokenStream {
    match path::target(reader, path, false) {
        Target::Local(name) => quote!(__mc::ExprKind::Local(#name)),
        Target::Parameter(n, ty) => quote!(__mc::ExprKind::Parameter(#n, #ty)),
        Target::Constructor(ty, variant) => quote!(__mc::ExprKind::Construct(#ty, #variant, &[])),
        Target::Constant(constant) => quote!(__mc::ExprKind::Constant(#constant)),
        Target::OfType(owner, of_trait, name) => {
            let of_trait = option(of_trait);
            quote!(__mc::ExprKind::Associated(#owner, #of_trait, #name, &[], &[]))
        }
        Target::Member(owner, of_trait, name, _) => {
            let of_trait = option(of_trait);
            quote!(__mc::ExprKind::MethodValue(#owner, #of_trait, #name))
        }
        Target::Function(callee) => quote!(__mc::ExprKind::Function(#callee)),
        Target::Method(..) | Target::Known(_) => {
            reader.refuse(
                path,
                "this function cannot be a value here; write a closure that calls it",
            );
            nothing()
        }
        Target::Refused => nothing(),
    }
}

fn call_kind(reader: &mut Reader, call: &ExprCall) -> TokenStream {
    let target = match strip(&call.func) {
        Expr::Path(callee) => path::target(reader, callee, true),
        other => {
            let (function, args) = (read(reader, other), list(reader, &call.args));
            return quote!(__mc::ExprKind::CallValue(&#function, #args));
        }
    };
    let args = list(reader, &call.args);
    match target {
        Target::Local(name) => {
            let function = node(start(&call.func), quote!(__mc::ExprKind::Local(#name)));
            quote!(__mc::ExprKind::CallValue(&#function, #args))
        }
        Target::Constructor(ty, variant) => quote!(__mc::ExprKind::Construct(#ty, #variant, #args)),
        Target::Member(owner, of_trait, name, types) => {
            let of_trait = option(of_trait);
            quote!(__mc::ExprKind::Associated(#owner, #of_trait, #name, #types, #args))
        }
        Target::Method(of_trait, name, types) => {
            let of_trait = option(Some(quote!(#of_trait)));
            quote!(__mc::ExprKind::Method(#name, #of_trait, #types, #args))
        }
        Target::Known("identity") => {
            let none = option(None);
            let value = optional(reader, call.args.first());
            quote!(__mc::ExprKind::Block(#none, __mc::Block { statements: &[], value: #value }))
        }
        Target::Known(name) => {
            let none = option(None);
            quote!(__mc::ExprKind::Method(#name, #none, &[], #args))
        }
        Target::Function(callee) => quote!(__mc::ExprKind::Call(#callee, #args)),
        Target::Parameter(..) | Target::Constant(_) | Target::OfType(..) | Target::Refused => {
            nothing()
        }
    }
}

fn method_kind(reader: &mut Reader, call: &ExprMethodCall) -> TokenStream {
    let name = text(&call.method);
    if !reader.is_library {
        own_methods::note(reader, call);
    }
    let types = match &call.turbofish {
        Some(arguments) => path::turbofish(reader, arguments),
        None => quote!(&[]),
    };
    let args = list(reader, std::iter::once(&*call.receiver).chain(&call.args));
    let none = option(None);
    quote!(__mc::ExprKind::Method(#name, #none, #types, #args))
}

fn struct_kind(reader: &mut Reader, written: &ExprStruct) -> TokenStream {
    let (ty, variant) = path::constructor(reader, &written.path);
    let fields: Vec<_> = written
        .fields
        .iter()
        .map(|field| {
            let (name, value) = (pattern::member(&field.member), read(reader, &field.expr));
            quote!((#name, #value))
        })
        .collect();
    let base = optional(reader, written.rest.as_deref());
    quote!(__mc::ExprKind::Struct(#ty, #variant, &[#(#fields),*], #base))
}

fn repeat_kind(reader: &mut Reader, repeat: &ExprRepeat) -> TokenStream {
    let value = read(reader, &repeat.expr);
    // A literal does not determine its type.
    let length = &repeat.len;
    let count = match reader.names.constant_of(length) {
        Some(_) => path::length(reader, length),
        None => path::length(reader, &syn::parse_quote!({ let n: usize = #length; n })),
    };
    quote!(__mc::ExprKind::Repeat(&#value, #count))
}

fn range_kind(reader: &mut Reader, range: &ExprRange) -> TokenStream {
    let inclusive = matches!(range.limits, RangeLimits::Closed(_));
    let (from, to) = (
        optional(reader, range.start.as_deref()),
        optional(reader, range.end.as_deref()),
    );
    quote!(__mc::ExprKind::Range(#from, #to, #inclusive))
}

fn closure_kind(reader: &mut Reader, closure: &ExprClosure) -> TokenStream {
    if let Some(token) = &closure.asyncness {
        reader.refuse(
            token,
            "asynchronous code cannot be differentiated; make the closure synchronous",
        );
    }
    reader.scoped(|reader| {
        let params: Vec<_> = closure
            .inputs
            .iter()
            .map(|param| {
                let (pattern, ty) = pattern::typed(param);
                let ty = option(ty.map(|ty| types::function(reader, ty)));
                let pattern = pattern::read(reader, pattern, PatternContext::Irrefutable);
                quote!((#pattern, #ty))
            })
            .collect();
        let ret = match &closure.output {
            ReturnType::Type(_, ty) => Some(types::function(reader, ty)),
            ReturnType::Default => None,
        };
        let (ret, moves) = (option(ret), closure.capture.is_some());
        let body = read(reader, &closure.body);
        quote!(__mc::ExprKind::Closure(__mc::Lambda { params: &[#(#params),*], ret: #ret, body: &#body, moves: #moves }))
    })
}

/// The names that the condition binds are in scope in the block.
fn if_kind(reader: &mut Reader, conditional: &ExprIf) -> TokenStream {
    let (condition, then) = reader.scoped(|reader| {
        let condition = read(reader, &conditional.cond);
        (
            condition,
            statement::block(reader, &conditional.then_branch),
        )
    });
    let otherwise = conditional
        .else_branch
        .as_ref()
        .map(|(_, otherwise)| &**otherwise);
    let otherwise = optional(reader, otherwise);
    quote!(__mc::ExprKind::If(&#condition, #then, #otherwise))
}

fn while_kind(reader: &mut Reader, written: &ExprWhile) -> TokenStream {
    let label = label(&written.label);
    let (condition, body) = reader.scoped(|reader| {
        let condition = read(reader, &written.cond);
        (condition, statement::block(reader, &written.body))
    });
    quote!(__mc::ExprKind::While(#label, &#condition, #body))
}

fn match_kind(reader: &mut Reader, written: &ExprMatch) -> TokenStream {
    let value = read(reader, &written.expr);
    let arms: Vec<_> = written
        .arms
        .iter()
        .map(|arm| read_arm(reader, arm))
        .collect();
    quote!(__mc::ExprKind::Match(&#value, &[#(#arms),*]))
}

fn read_arm(reader: &mut Reader, arm: &Arm) -> TokenStream {
    reader.scoped(|reader| {
        let pattern = pattern::read(reader, &arm.pat, PatternContext::Refutable);
        let guard = option(arm.guard.as_ref().map(|(_, guard)| read(reader, guard)));
        let body = read(reader, &arm.body);
        quote!(__mc::Arm { pattern: #pattern, guard: #guard, body: #body })
    })
}

fn block_kind(reader: &mut Reader, written: &ExprBlock) -> TokenStream {
    let label = label(&written.label);
    let block = statement::block(reader, &written.block);
    quote!(__mc::ExprKind::Block(#label, #block))
}

fn for_kind(reader: &mut Reader, written: &ExprForLoop) -> TokenStream {
    let label = label(&written.label);
    let iterable = read(reader, &written.expr);
    let (pattern, body) = reader.scoped(|reader| {
        let pattern = pattern::read(reader, &written.pat, PatternContext::Irrefutable);
        (pattern, statement::block(reader, &written.body))
    });
    quote!(__mc::ExprKind::For(#label, &#pattern, &#iterable, #body))
}

fn unary_kind(reader: &mut Reader, unary: &ExprUnary) -> TokenStream {
    let operand = read(reader, &unary.expr);
    match unary.op {
        UnOp::Neg(_) => quote!(__mc::ExprKind::Neg(&#operand)),
        UnOp::Not(_) => quote!(__mc::ExprKind::Not(&#operand)),
        _ => quote!(__mc::ExprKind::Deref(&#operand)),
    }
}

/// The operator, and whether it assigns; `None` for `&&` and `||`.
fn operator(op: &BinOp) -> Option<(TokenStream, bool)> {
    let (name, assigns) = match op {
        BinOp::Add(_) => (quote!(Add), false),
        BinOp::Sub(_) => (quote!(Sub), false),
        BinOp::Mul(_) => (quote!(Mul), false),
        BinOp::Div(_) => (quote!(Div), false),
        BinOp::Rem(_) => (quote!(Rem), false),
        BinOp::BitAnd(_) => (quote!(And), false),
        BinOp::BitOr(_) => (quote!(Or), false),
        BinOp::BitXor(_) => (quote!(Xor), false),
        BinOp::Shl(_) => (quote!(Shl), false),
        BinOp::Shr(_) => (quote!(Shr), false),
        BinOp::Eq(_) => (quote!(Eq), false),
        BinOp::Ne(_) => (quote!(Ne), false),
        BinOp::Lt(_) => (quote!(Lt), false),
        BinOp::Le(_) => (quote!(Le), false),
        BinOp::Gt(_) => (quote!(Gt), false),
        BinOp::Ge(_) => (quote!(Ge), false),
        BinOp::AddAssign(_) => (quote!(Add), true),
        BinOp::SubAssign(_) => (quote!(Sub), true),
        BinOp::MulAssign(_) => (quote!(Mul), true),
        BinOp::DivAssign(_) => (quote!(Div), true),
        BinOp::RemAssign(_) => (quote!(Rem), true),
        BinOp::BitAndAssign(_) => (quote!(And), true),
        BinOp::BitOrAssign(_) => (quote!(Or), true),
        BinOp::BitXorAssign(_) => (quote!(Xor), true),
        BinOp::ShlAssign(_) => (quote!(Shl), true),
        BinOp::ShrAssign(_) => (quote!(Shr), true),
        _ => return None,
    };
    Some((name, assigns))
}

fn binary_kind(reader: &mut Reader, binary: &ExprBinary) -> TokenStream {
    let (left, right) = (read(reader, &binary.left), read(reader, &binary.right));
    match operator(&binary.op) {
        Some((name, false)) => quote!(__mc::ExprKind::Binary(__mc::Binary::#name, &#left, &#right)),
        Some((name, true)) => {
            quote!(__mc::ExprKind::AssignBinary(__mc::Binary::#name, &#left, &#right))
        }
        None => {
            let is_and = matches!(binary.op, BinOp::And(_));
            quote!(__mc::ExprKind::Lazy(#is_and, &#left, &#right))
        }
    }
}

/// `(a, _) = e` is `{ let (b, _) = e; a = b; }`, as Rust defines it.
fn assign_kind(reader: &mut Reader, assign: &ExprAssign) -> TokenStream {
    let left = strip(&assign.left);
    if !is_destructuring(left) {
        let (place, value) = (read(reader, left), read(reader, &assign.right));
        return quote!(__mc::ExprKind::Assign(&#place, &#value));
    }
    let value = read(reader, &assign.right);
    let mut parts = Vec::new();
    let pattern = destructured(reader, left, &mut parts);
    let assignments = parts.iter().map(|(place, name, left)| {
        let value = node(*place, quote!(__mc::ExprKind::Local(#name)));
        let assignment = node(*place, quote!(__mc::ExprKind::Assign(&#left, &#value)));
        quote!(__mc::Statement::Expr(#assignment))
    });
    let none = option(None);
    quote!(__mc::ExprKind::Block(#none, __mc::Block {
        statements: &[__mc::Statement::Let(#pattern, #none, ::core::option::Option::Some(#value), #none), #(#assignments),*],
        value: #none,
    }))
}

fn is_destructuring(place: &Expr) -> bool {
    matches!(
        place,
        Expr::Infer(_) | Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Call(_)
    )
}

/// The pattern that splits a value like the places on the left side, and the name of the part for each place.
fn destructured(
    reader: &mut Reader,
    place: &Expr,
    parts: &mut Vec<(Span, String, TokenStream)>,
) -> TokenStream {
    let place = strip(place);
    let mut all = |reader: &mut Reader, places: &mut dyn Iterator<Item = &Expr>| {
        let places: Vec<_> = places
            .map(|place| destructured(reader, place, parts))
            .collect();
        quote!(&[#(#places),*])
    };
    let shape = match place {
        Expr::Infer(_) => quote!(Wild),
        Expr::Range(range) if range.start.is_none() && range.end.is_none() => quote!(Rest),
        Expr::Tuple(tuple) => {
            let fields = all(reader, &mut tuple.elems.iter());
            quote!(Tuple(#fields))
        }
        Expr::Array(array) => {
            let elements = all(reader, &mut array.elems.iter());
            quote!(Slice(#elements))
        }
        Expr::Call(call) if let Expr::Path(path) = &*call.func => {
            let (ty, variant) = path::constructor(reader, &path.path);
            let fields = all(reader, &mut call.args.iter());
            quote!(TupleStruct(#ty, #variant, #fields))
        }
        Expr::Struct(written) => {
            let (ty, variant) = path::constructor(reader, &written.path);
            let fields = written.fields.iter().map(|field| {
                let name = pattern::member(&field.member);
                let pattern = destructured(reader, &field.expr, parts);
                quote!((#name, #pattern))
            });
            let fields: Vec<_> = fields.collect();
            quote!(Struct(#ty, #variant, &[#(#fields),*]))
        }
        place => {
            let (name, left) = (reader.fresh(), read(reader, place));
            parts.push((start(place), name.clone(), left));
            return pattern::name(start(place), &name);
        }
    };
    pattern::node(start(place), shape)
}

/// The start of an expression. (The span of a whole expression is expensive, because it visits all tokens.)
pub fn start(expr: &Expr) -> Span {
    match expr {
        Expr::Array(e) => e.bracket_token.span.open(),
        Expr::Assign(e) => start(&e.left),
        Expr::Binary(e) => start(&e.left),
        Expr::Block(e) => match &e.label {
            Some(label) => label.name.apostrophe,
            None => e.block.brace_token.span.open(),
        },
        Expr::Call(e) => start(&e.func),
        Expr::Cast(e) => start(&e.expr),
        Expr::Field(e) => start(&e.base),
        Expr::Group(e) => start(&e.expr),
        Expr::If(e) => e.if_token.span,
        Expr::Index(e) => start(&e.expr),
        Expr::Lit(e) => e.lit.span(),
        Expr::Macro(e) => path::start(&e.mac.path),
        Expr::Match(e) => e.match_token.span,
        Expr::MethodCall(e) => start(&e.receiver),
        Expr::Paren(e) => e.paren_token.span.open(),
        Expr::Path(e) => match &e.qself {
            Some(qself) => qself.lt_token.span,
            None => path::start(&e.path),
        },
        Expr::Range(e) => match (&e.start, &e.limits) {
            (Some(from), _) => start(from),
            (None, limits) => limits.span(),
        },
        Expr::Reference(e) => e.and_token.span,
        Expr::Struct(e) => path::start(&e.path),
        Expr::Try(e) => start(&e.expr),
        Expr::Tuple(e) => e.paren_token.span.open(),
        Expr::Unary(e) => e.op.span(),
        Expr::Closure(e) => match &e.capture {
            Some(token) => token.span,
            None => e.or1_token.span,
        },
        Expr::While(e) => e.while_token.span,
        Expr::Loop(e) => e.loop_token.span,
        Expr::ForLoop(e) => e.for_token.span,
        Expr::Break(e) => e.break_token.span,
        Expr::Continue(e) => e.continue_token.span,
        Expr::Return(e) => e.return_token.span,
        Expr::Let(e) => e.let_token.span,
        Expr::Repeat(e) => e.bracket_token.span.open(),
        other => other.span(),
    }
}

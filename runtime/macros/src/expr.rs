//! Expressions.

use crate::reader::{Reader, at, option};
use crate::{iter, literal, pattern, refuse, statement, types};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprAssign, ExprBinary, ExprCall, ExprClosure, ExprForLoop, ExprIf, ExprIndex,
    ExprMethodCall, ExprPath, ExprReference, ExprUnary, Label, Lifetime, Macro, Member, Pat,
    RangeLimits, Token, UnOp,
};

/// Reads an expression.
pub fn read(reader: &mut Reader, expr: &Expr) -> TokenStream {
    let expr = strip(expr);
    let kind = kind(reader, expr);
    with_place(expr, kind)
}

/// What stands for an expression that was refused.
pub fn nothing() -> TokenStream {
    quote!(__mc::Expr {
        at: __mc::At(0, 0),
        kind: __mc::Kind::Bool(false)
    })
}

/// The expression without parentheses around it.
pub fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => strip(&inner.expr),
        Expr::Group(inner) => strip(&inner.expr),
        other => other,
    }
}

/// Messages about a method call point at the method's name, all others at where the expression begins.
fn with_place(expr: &Expr, kind: TokenStream) -> TokenStream {
    let place = match expr {
        Expr::MethodCall(call) => call.method.span(),
        other => other.span(),
    };
    let at = at(place);
    quote!(__mc::Expr { at: #at, kind: #kind })
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
        Expr::Index(index) => index_kind(reader, index),
        Expr::Field(field) => match &field.member {
            Member::Unnamed(n) => {
                let (base, n) = (read(reader, &field.base), n.index);
                quote!(__mc::Kind::Field(&#base, #n))
            }
            Member::Named(name) => {
                reader.refuse(
                    name,
                    "structs are not supported yet; use a tuple, or pass the fields one by one",
                );
                quote!(__mc::Kind::Bool(false))
            }
        },
        Expr::Tuple(tuple) => {
            let fields = list(reader, &tuple.elems);
            quote!(__mc::Kind::Tuple(#fields))
        }
        Expr::Reference(reference) => reference_kind(reader, reference, false),
        Expr::Cast(cast) => {
            types::check(reader, &cast.ty);
            let value = read(reader, &cast.expr);
            let ty = types::function(reader, &cast.ty);
            quote!(__mc::Kind::Cast(&#value, #ty))
        }
        Expr::If(conditional) => if_kind(reader, conditional),
        Expr::Block(block) if block.label.is_none() => {
            let block = statement::block(reader, &block.block);
            quote!(__mc::Kind::Block(#block))
        }
        Expr::Block(block) => {
            reader.refuse(
                &block.label,
                "labelled blocks are not supported yet; write a `loop` that ends in `break`",
            );
            quote!(__mc::Kind::Bool(false))
        }
        Expr::While(written) => {
            let label = label(&written.label);
            let condition = read(reader, &written.cond);
            let body = statement::block(reader, &written.body);
            quote!(__mc::Kind::While(#label, &#condition, #body))
        }
        Expr::Loop(written) => {
            let label = label(&written.label);
            let body = statement::block(reader, &written.body);
            quote!(__mc::Kind::Loop(#label, #body))
        }
        Expr::ForLoop(written) => for_kind(reader, written),
        Expr::Break(jump) => {
            let (label, value) = (
                label_name(&jump.label),
                optional(reader, jump.expr.as_deref()),
            );
            quote!(__mc::Kind::Break(#label, #value))
        }
        Expr::Continue(jump) => {
            let label = label_name(&jump.label);
            quote!(__mc::Kind::Continue(#label))
        }
        Expr::Return(jump) => {
            let value = optional(reader, jump.expr.as_deref());
            quote!(__mc::Kind::Return(#value))
        }
        Expr::Macro(written) => invocation_kind(reader, &written.mac),
        other => {
            reader.refuse(other, refuse::expression(other));
            quote!(__mc::Kind::Bool(false))
        }
    }
}

/// `Some(&e)` or `None`.
fn optional(reader: &mut Reader, expr: Option<&Expr>) -> TokenStream {
    let expr = expr.map(|expr| {
        let expr = read(reader, expr);
        quote!(&#expr)
    });
    option(expr)
}

/// `&[e, …]`
fn list<'a>(reader: &mut Reader, exprs: impl IntoIterator<Item = &'a Expr>) -> TokenStream {
    let exprs: Vec<_> = exprs.into_iter().map(|expr| read(reader, expr)).collect();
    quote!(&[#(#exprs),*])
}

fn label(label: &Option<Label>) -> TokenStream {
    label_name(&label.as_ref().map(|label| label.name.clone()))
}

fn label_name(name: &Option<Lifetime>) -> TokenStream {
    let name = name.as_ref().map(|name| {
        let name = name.ident.to_string();
        quote!(#name)
    });
    option(name)
}

/// A variable, or else the path of a constant.
fn path_kind(reader: &mut Reader, expr: &ExprPath) -> TokenStream {
    if let Some(name) = expr.path.get_ident().map(|ident| ident.to_string())
        && expr.qself.is_none()
        && reader.is_local(&name)
    {
        return quote!(__mc::Kind::Local(#name));
    }
    let constant = reader.thunk(quote!(__mc::IntoConstant::into_constant(#expr)));
    quote!(__mc::Kind::Constant(#constant))
}

fn unary_kind(reader: &mut Reader, unary: &ExprUnary) -> TokenStream {
    let operand = read(reader, &unary.expr);
    match unary.op {
        UnOp::Neg(_) => quote!(__mc::Kind::Neg(&#operand)),
        UnOp::Not(_) => quote!(__mc::Kind::Not(&#operand)),
        _ => quote!(__mc::Kind::Deref(&#operand)),
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
    if let Some((_, true)) = operator(&binary.op) {
        check_place(reader, &binary.left);
    }
    let (left, right) = (read(reader, &binary.left), read(reader, &binary.right));
    match operator(&binary.op) {
        Some((name, false)) => quote!(__mc::Kind::Binary(__mc::Binary::#name, &#left, &#right)),
        Some((name, true)) => {
            quote!(__mc::Kind::AssignBinary(__mc::Binary::#name, &#left, &#right))
        }
        None => {
            let is_and = matches!(binary.op, BinOp::And(_));
            quote!(__mc::Kind::Lazy(#is_and, &#left, &#right))
        }
    }
}

fn assign_kind(reader: &mut Reader, assign: &ExprAssign) -> TokenStream {
    // `_ = e` computes e.
    if matches!(*assign.left, Expr::Infer(_)) {
        let value = read(reader, &assign.right);
        return quote!(__mc::Kind::Block(__mc::Block {
            statements: &[__mc::Statement::Expr(#value)],
            value: ::core::option::Option::None,
        }));
    }
    check_place(reader, &assign.left);
    let (place, value) = (read(reader, &assign.left), read(reader, &assign.right));
    quote!(__mc::Kind::Assign(&#place, &#value))
}

/// What may be assigned to: variables, their fields, elements of slices, tuples of these.
fn check_place(reader: &mut Reader, place: &Expr) {
    match strip(place) {
        Expr::Path(path) if path.path.get_ident().is_some_and(|name| reader.is_local(&name.to_string())) => {}
        Expr::Index(index) if !matches!(strip(&index.index), Expr::Range(_)) => check_place(reader, &index.expr),
        Expr::Field(field) => check_place(reader, &field.base),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => check_place(reader, &unary.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().for_each(|place| check_place(reader, place)),
        other => reader.refuse(
            other,
            "this cannot be assigned to in a differentiable function; assign to a variable, an element or a field",
        ),
    }
}

fn call_kind(reader: &mut Reader, call: &ExprCall) -> TokenStream {
    let Expr::Path(callee) = strip(&call.func) else {
        reader.refuse(
            &call.func,
            "only functions called by their name are supported; name the function",
        );
        return quote!(__mc::Kind::Bool(false));
    };
    if let Some(name) = callee
        .path
        .get_ident()
        .filter(|name| reader.is_local(&name.to_string()))
    {
        reader.refuse(name, "functions as values are not supported yet; write a `#[differentiable]` function and call it by name");
        return quote!(__mc::Kind::Bool(false));
    }
    if let Some((receiver, method)) = scalar_method(callee) {
        return associated_kind(reader, call, &receiver, &method);
    }
    check_callee(reader, callee);
    let args: Vec<_> = call.args.iter().map(|arg| argument(reader, arg)).collect();
    let callee = callee_thunk(reader, callee);
    quote!(__mc::Kind::Call(#callee, &[#(#args),*]))
}

/// An argument of a call: there, a mutable reference to a variable is a reborrow of the slice it holds.
fn argument(reader: &mut Reader, arg: &Expr) -> TokenStream {
    match strip(arg) {
        whole @ Expr::Reference(reference) => {
            let kind = reference_kind(reader, reference, true);
            with_place(whole, kind)
        }
        other => read(reader, other),
    }
}

/// The path as a type: rustc finds the enum that `#[differentiable]` has put beside the function.
fn callee_thunk(reader: &Reader, callee: &ExprPath) -> TokenStream {
    reader.thunk(quote!(<#callee as ::mooncake::DifferentiableFn>::source()))
}

fn check_callee(reader: &mut Reader, callee: &ExprPath) {
    let Some(last) = callee.path.segments.last() else {
        return;
    };
    let is_method = callee.qself.is_some()
        || callee
            .path
            .segments
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|owner| owner.ident.to_string().starts_with(char::is_uppercase));
    if !last.arguments.is_empty() {
        reader.refuse(
            &last.arguments,
            "generic functions are not supported yet; write one function for each type",
        );
    } else if is_method {
        reader.refuse(
            callee,
            "functions of types are not supported; use method syntax, or a free function",
        );
    } else if last.ident.to_string().starts_with(char::is_uppercase) {
        reader.refuse(
            callee,
            "structs and enums are not supported yet; use a tuple",
        );
    }
}

/// `f64::sin` and the like: the type and the method.
fn scalar_method(callee: &ExprPath) -> Option<(syn::Ident, syn::Ident)> {
    let mut segments = callee.path.segments.iter();
    let (owner, method) = (segments.next()?, segments.next()?);
    let fits = segments.next().is_none()
        && callee.qself.is_none()
        && types::is_scalar(&owner.ident.to_string());
    fits.then(|| (owner.ident.clone(), method.ident.clone()))
}

/// `f64::max(a, b)` is `(a as f64).max(b)`: the cast changes nothing but gives a literal its type. `f64::from(x)` is the cast.
fn associated_kind(
    reader: &mut Reader,
    call: &ExprCall,
    owner: &syn::Ident,
    method: &syn::Ident,
) -> TokenStream {
    let Some(receiver) = call.args.first() else {
        let constant = reader.thunk(quote!(__mc::IntoConstant::into_constant(#call)));
        return quote!(__mc::Kind::Constant(#constant));
    };
    let (place, value) = (at(receiver.span()), read(reader, receiver));
    let cast = quote!(__mc::Kind::Cast(&#value, <#owner as __mc::Typed>::ty));
    let name = method.to_string();
    if name == "from" {
        return cast;
    }
    let args: Vec<_> = call
        .args
        .iter()
        .skip(1)
        .map(|arg| read(reader, arg))
        .collect();
    quote!(__mc::Kind::Method(#name, &[__mc::Expr { at: #place, kind: #cast }, #(#args),*]))
}

fn method_kind(reader: &mut Reader, call: &ExprMethodCall) -> TokenStream {
    let name = call.method.to_string();
    if let Some(advice) = refuse::method(&name) {
        reader.refuse(&call.method, advice);
        return quote!(__mc::Kind::Bool(false));
    }
    if let Some(generics) = &call.turbofish {
        reader.refuse(
            generics,
            "generic methods are not supported; give the result a type with `let`",
        );
    }
    let receiver = read(reader, &call.receiver);
    if name == "map" {
        let lambda = lambda(reader, call);
        return quote!(__mc::Kind::Map(&#receiver, #lambda));
    }
    let args: Vec<_> = call
        .args
        .iter()
        .map(|arg| method_argument(reader, arg))
        .collect();
    quote!(__mc::Kind::Method(#name, &[#receiver, #(#args),*]))
}

/// An argument of a method may be a list.
fn method_argument(reader: &mut Reader, arg: &Expr) -> TokenStream {
    match strip(arg) {
        whole @ Expr::Array(array) => {
            let fields = list(reader, &array.elems);
            with_place(whole, quote!(__mc::Kind::List(#fields)))
        }
        Expr::Reference(reference) if matches!(strip(&reference.expr), Expr::Array(_)) => {
            method_argument(reader, &reference.expr)
        }
        _ => argument(reader, arg),
    }
}

/// The argument of `map`: a closure of one name, or the path of a function.
fn lambda(reader: &mut Reader, call: &ExprMethodCall) -> TokenStream {
    let argument = match call.args.len() {
        1 => strip(&call.args[0]),
        _ => &Expr::MethodCall(call.clone()),
    };
    match argument {
        Expr::Closure(closure) => closure_kind(reader, closure),
        Expr::Path(path) if scalar_method(path).is_some() => {
            let (_, method) = scalar_method(path).expect("just tested");
            let message = format!(
                "methods of numbers as values are not supported; write `.map(|v| v.{method}())`"
            );
            reader.refuse(path, message);
            lambda_nothing()
        }
        Expr::Path(path) => {
            check_callee(reader, path);
            let callee = callee_thunk(reader, path);
            quote!(__mc::Lambda::Path(#callee))
        }
        other => {
            reader.refuse(
                other,
                "`map` takes a closure `|v| …`, or the name of a `#[differentiable]` function",
            );
            lambda_nothing()
        }
    }
}

fn lambda_nothing() -> TokenStream {
    let nothing = nothing();
    quote!(__mc::Lambda::Closure("", &#nothing))
}

fn closure_kind(reader: &mut Reader, closure: &ExprClosure) -> TokenStream {
    let parameter = closure.inputs.first().map(pattern::typed);
    let name = match parameter {
        Some((Pat::Ident(ident), _)) if closure.inputs.len() == 1 && ident.subpat.is_none() => {
            ident.ident.to_string()
        }
        _ => {
            reader.refuse(
                closure,
                "the closure of `map` takes one name, as in `|v| v * v`",
            );
            String::new()
        }
    };
    let body = reader.scoped(|reader| {
        reader.declare(name.clone());
        read(reader, &closure.body)
    });
    quote!(__mc::Lambda::Closure(#name, &#body))
}

fn index_kind(reader: &mut Reader, index: &ExprIndex) -> TokenStream {
    let base = read(reader, &index.expr);
    match strip(&index.index) {
        Expr::Range(range) => {
            let inclusive = matches!(range.limits, RangeLimits::Closed(_));
            let start = optional(reader, range.start.as_deref());
            let end = optional(reader, range.end.as_deref());
            quote!(__mc::Kind::Slice(&#base, #start, #end, #inclusive))
        }
        Expr::Tuple(tuple) => {
            reader.refuse(
                tuple,
                "an index is one `usize`; compute it, as in `x[i * columns + j]`",
            );
            quote!(__mc::Kind::Bool(false))
        }
        other => {
            let index = read(reader, other);
            quote!(__mc::Kind::Index(&#base, &#index))
        }
    }
}

/// References are erased. Mutable ones are accepted where they cannot make a second name for a number.
fn reference_kind(
    reader: &mut Reader,
    reference: &ExprReference,
    is_argument: bool,
) -> TokenStream {
    if reference.mutability.is_some() {
        let accepted = match strip(&reference.expr) {
            Expr::Index(index) => matches!(strip(&index.index), Expr::Range(_)),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
            Expr::Path(_) => is_argument,
            _ => false,
        };
        if !accepted {
            reader.refuse(
                reference,
                "a mutable reference to a number is not supported; pass a slice, as in `&mut x[i..i + 1]`, \
                 or return the new value",
            );
        }
    }
    let value = read(reader, &reference.expr);
    quote!(__mc::Kind::Ref(&#value))
}

fn if_kind(reader: &mut Reader, conditional: &ExprIf) -> TokenStream {
    let condition = read(reader, &conditional.cond);
    let then = statement::block(reader, &conditional.then_branch);
    let otherwise = conditional
        .else_branch
        .as_ref()
        .map(|(_, otherwise)| &**otherwise);
    let otherwise = optional(reader, otherwise);
    quote!(__mc::Kind::If(&#condition, #then, #otherwise))
}

fn for_kind(reader: &mut Reader, written: &ExprForLoop) -> TokenStream {
    let label = label(&written.label);
    let iterator = iter::read(reader, &written.expr);
    let (pattern, body) = reader.scoped(|reader| {
        let pattern = pattern::read(reader, &written.pat);
        (pattern, statement::block(reader, &written.body))
    });
    quote!(__mc::Kind::For(#label, #pattern, #iterator, #body))
}

/// Reads a macro invocation as an expression.
pub fn invocation(reader: &mut Reader, invocation: &Macro) -> TokenStream {
    let kind = invocation_kind(reader, invocation);
    let at = at(invocation.path.span());
    quote!(__mc::Expr { at: #at, kind: #kind })
}

fn invocation_kind(reader: &mut Reader, invocation: &Macro) -> TokenStream {
    let name = invocation
        .path
        .segments
        .last()
        .map(|s| s.ident.to_string())
        .unwrap_or_default();
    let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
    let arguments = match name.as_str() {
        "cfg" => return quote!(__mc::Kind::Bool(#invocation)),
        "assert" | "debug_assert" | "assert_eq" | "debug_assert_eq" | "assert_ne"
        | "debug_assert_ne" | "panic" | "unreachable" | "todo" | "unimplemented" => {
            arguments.parse2(invocation.tokens.clone())
        }
        _ => {
            reader.refuse(&invocation.path, refuse::invocation(&name));
            return quote!(__mc::Kind::Bool(false));
        }
    };
    let arguments: Vec<Expr> = match arguments {
        Ok(arguments) => arguments.into_iter().collect(),
        // rustc reports it too, in the function itself.
        Err(_) => return quote!(__mc::Kind::Bool(false)),
    };
    let kind = match name.trim_start_matches("debug_") {
        "assert" => assertion(reader, &arguments),
        "assert_eq" => comparison(reader, &arguments, "Eq", "=="),
        "assert_ne" => comparison(reader, &arguments, "Ne", "!="),
        name => failure(name, &arguments),
    };
    match name.starts_with("debug_") {
        true => only_in_debug(kind),
        false => kind,
    }
}

/// `debug_assert!` does nothing where rustc compiles it to nothing.
fn only_in_debug(kind: TokenStream) -> TokenStream {
    quote!(__mc::Kind::If(
        &__mc::Expr { at: __mc::At(0, 0), kind: __mc::Kind::Bool(::core::cfg!(debug_assertions)) },
        __mc::Block {
            statements: &[__mc::Statement::Expr(__mc::Expr { at: __mc::At(0, 0), kind: #kind })],
            value: ::core::option::Option::None,
        },
        ::core::option::Option::None,
    ))
}

fn assertion(reader: &mut Reader, arguments: &[Expr]) -> TokenStream {
    let Some((condition, message)) = arguments.split_first() else {
        return quote!(__mc::Kind::Bool(false));
    };
    let text = match text(message) {
        Some(text) => text,
        None => format!("assertion failed: {}", quote!(#condition)),
    };
    let condition = read(reader, condition);
    quote!(__mc::Kind::Assert(&#condition, #text))
}

fn comparison(reader: &mut Reader, arguments: &[Expr], op: &str, symbol: &str) -> TokenStream {
    let [left, right, message @ ..] = arguments else {
        return quote!(__mc::Kind::Bool(false));
    };
    let text = match text(message) {
        Some(text) => format!("assertion `left {symbol} right` failed: {text}"),
        None => format!("assertion `left {symbol} right` failed"),
    };
    let (op, at) = (quote::format_ident!("{op}"), at(left.span()));
    let (left, right) = (read(reader, left), read(reader, right));
    quote!(__mc::Kind::Assert(
        &__mc::Expr { at: #at, kind: __mc::Kind::Binary(__mc::Binary::#op, &#left, &#right) },
        #text
    ))
}

fn failure(name: &str, arguments: &[Expr]) -> TokenStream {
    let text = match (name, text(arguments)) {
        ("panic", Some(text)) => text,
        ("panic", None) => "explicit panic".to_owned(),
        ("unreachable", Some(text)) => format!("internal error: entered unreachable code: {text}"),
        ("unreachable", None) => "internal error: entered unreachable code".to_owned(),
        ("todo", Some(text)) => format!("not yet implemented: {text}"),
        ("todo", None) => "not yet implemented".to_owned(),
        (_, Some(text)) => format!("not implemented: {text}"),
        (_, None) => "not implemented".to_owned(),
    };
    quote!(__mc::Kind::Panic(#text))
}

/// The message of a panic: the text as written, its `{…}` included, since nothing formats it later.
fn text(arguments: &[Expr]) -> Option<String> {
    match arguments.first()? {
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

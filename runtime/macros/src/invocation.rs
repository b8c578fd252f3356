//! The macros of std that are supported: assertions, panics, lists, `matches!`, and those that print, which derived code passes over.

use crate::expr;
use crate::format;
use crate::path;
use crate::pattern::{self, PatternContext};
use crate::reader::Reader;
use crate::refuse;
use crate::tree::{Node, Word, node};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Macro, Pat, Token};

/// Reads a macro invocation as an expression.
pub fn read(reader: &mut Reader, invocation: &Macro) -> Node {
    let kind = kind(reader, invocation);
    Node::at(path::start(&invocation.path), kind)
}

/// The kind of the expression that a macro invocation stands for.
pub fn kind(reader: &mut Reader, invocation: &Macro) -> Node {
    let name = invocation
        .path
        .segments
        .last()
        .map(|last| last.ident.to_string())
        .unwrap_or_default();
    let kind = match name.as_str() {
        "cfg" => Ok(node!(Bool, Node::condition(quote!(#invocation)))),
        "concat" | "stringify" | "file" | "module_path" => {
            Ok(node!(Str, Node::text(quote!(#invocation))))
        }
        "line" | "column" => Ok(node!(
            Int,
            Node::number(quote!(#invocation)),
            Some(Word("U32"))
        )),
        "vec" => invocation.parse_body().map(|list| vector(reader, &list)),
        "matches" => invocation
            .parse_body()
            .map(|written| matches(reader, &written)),
        "assert" | "debug_assert" | "assert_eq" | "debug_assert_eq" | "assert_ne"
        | "debug_assert_ne" | "panic" | "unreachable" | "todo" | "unimplemented" | "format"
        | "print" | "println" | "eprint" | "eprintln" | "dbg" => {
            Punctuated::<Expr, Token![,]>::parse_terminated
                .parse2(invocation.tokens.clone())
                .map(|arguments| failing(reader, &name, &Vec::from_iter(arguments)))
        }
        _ => {
            reader.refuse(&invocation.path, refuse::invocation(&name));
            return nothing();
        }
    };
    // rustc reports tokens that cannot be parsed, in the function itself.
    kind.unwrap_or_else(|_| nothing())
}

fn nothing() -> Node {
    node!(Bool, false)
}

/// A block as an expression.
fn within(block: Node) -> Node {
    node!(Block, None::<String>, block)
}

fn failing(reader: &mut Reader, name: &str, arguments: &[Expr]) -> Node {
    let kind = match name.trim_start_matches("debug_") {
        "assert" => assertion(reader, arguments),
        "assert_eq" => comparison(reader, arguments, "Eq", "=="),
        "assert_ne" => comparison(reader, arguments, "Ne", "!="),
        "format" => {
            let text = written(arguments).unwrap_or_default();
            let kind = match format::plain(&text) {
                Some(text) => node!(Str, text),
                None => node!(Formatted, text),
            };
            computed(reader, arguments, kind)
        }
        "print" | "println" | "eprint" | "eprintln" => {
            computed(reader, arguments, node!(Tuple, Vec::<Node>::new()))
        }
        "dbg" => shown(reader, arguments),
        name => failure(reader, name, arguments),
    };
    match name.starts_with("debug_") {
        true => only_in_debug(kind),
        false => kind,
    }
}

/// The result of a macro that formats text, after the values in the text are evaluated: their evaluation may have effects.
fn computed(reader: &mut Reader, arguments: &[Expr], result: Node) -> Node {
    let values = arguments.iter().skip(1).map(|argument| match argument {
        Expr::Assign(named) => &*named.right,
        argument => argument,
    });
    let values: Vec<Node> = values
        .filter(|value| !is_read(value))
        .map(|value| {
            let value = expr::read(reader, value);
            node!(Expr, value)
        })
        .collect();
    match values.is_empty() {
        true => result,
        false => within(Node::block(values, Some(Node::nowhere(result)))),
    }
}

/// `dbg!` gives its argument, or a tuple of several.
fn shown(reader: &mut Reader, arguments: &[Expr]) -> Node {
    match arguments {
        [value] => {
            let value = expr::read(reader, value);
            within(Node::block(Vec::new(), Some(value)))
        }
        _ => {
            let values = expr::list(reader, arguments);
            node!(Tuple, values)
        }
    }
}

/// `debug_assert!` does nothing where rustc disables it.
fn only_in_debug(kind: Node) -> Node {
    let enabled = Node::condition(quote!(::core::cfg!(debug_assertions)));
    let block = Node::block(vec![node!(Expr, Node::nowhere(kind))], None);
    node!(If, Node::nowhere(node!(Bool, enabled)), block, None::<Node>)
}

fn assertion(reader: &mut Reader, arguments: &[Expr]) -> Node {
    let Some((condition, message)) = arguments.split_first() else {
        return nothing();
    };
    let (text, values) = match text(message) {
        Some(text) => (text, values(reader, message)),
        None => (
            format!("assertion failed: {}", quote!(#condition)),
            Vec::new(),
        ),
    };
    let values = expr::list(reader, &values);
    let condition = expr::read(reader, condition);
    node!(Assert, condition, text, values)
}

fn comparison(reader: &mut Reader, arguments: &[Expr], op: &str, symbol: &str) -> Node {
    let [left, right, message @ ..] = arguments else {
        return nothing();
    };
    let mut shown = values(reader, message);
    let mut text = match text(message) {
        Some(text) => format!("assertion `left {symbol} right` failed: {text}"),
        None => format!("assertion `left {symbol} right` failed"),
    };
    // The sides are repeated for the message only if they are cheap to read.
    let room = shown.len() + 2 <= SHOWN;
    if room && is_read(left) && is_read(right) && (shown.is_empty() != text.contains('{')) {
        text += "\n  left: {:?}\n right: {:?}";
        shown.extend([left.clone(), right.clone()]);
    }
    let values = expr::list(reader, &shown);
    let place = expr::start(left);
    let (left, right) = (expr::read(reader, left), expr::read(reader, right));
    let condition = Node::at(place, node!(Binary, Word(op), left, right));
    node!(Assert, condition, text, values)
}

fn failure(reader: &mut Reader, name: &str, arguments: &[Expr]) -> Node {
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
    let values = values(reader, arguments);
    let values = expr::list(reader, &values);
    node!(Panic, text, values)
}

/// The number of values that a message shows; the frame of a call has room for so many.
const SHOWN: usize = 4;

/// The values in the braces of a message, if all of them can be read without a computation; otherwise the message is shown as written.
fn values(reader: &Reader, arguments: &[Expr]) -> Vec<Expr> {
    let Some((text, given)) = written(arguments).zip(arguments.get(1..)) else {
        return Vec::new();
    };
    let Some(braces) = format::braces(&text) else {
        return Vec::new();
    };
    let mut next = given.iter();
    let value = |name: &str| match (name, name.parse::<usize>()) {
        ("", _) => next.next().cloned(),
        (_, Ok(position)) => given.get(position).cloned(),
        (name, _) => reader.is_local(name).then(|| {
            let name = format_ident!("{name}");
            syn::parse_quote!(#name)
        }),
    };
    let values: Option<Vec<Expr>> = braces.into_iter().map(value).collect();
    let values = values.unwrap_or_default();
    match values.len() <= SHOWN && values.iter().all(is_read) {
        true => values,
        false => Vec::new(),
    }
}

/// Whether an expression only reads a variable, a field, a length or a literal.
fn is_read(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Lit(_) => true,
        Expr::Field(field) => is_read(&field.base),
        Expr::Paren(inner) => is_read(&inner.expr),
        Expr::MethodCall(call) => {
            call.method == "len" && call.args.is_empty() && is_read(&call.receiver)
        }
        _ => false,
    }
}

/// The message of a panic. A message with values stays as it is written.
fn text(arguments: &[Expr]) -> Option<String> {
    let written = written(arguments)?;
    Some(format::plain(&written).unwrap_or(written))
}

fn written(arguments: &[Expr]) -> Option<String> {
    match arguments.first()? {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The content of `vec![…]`.
enum Vector {
    List(Punctuated<Expr, Token![,]>),
    Repeat(Box<Expr>, Box<Expr>),
}

impl Parse for Vector {
    fn parse(input: ParseStream) -> syn::Result<Vector> {
        if input.is_empty() {
            return Ok(Vector::List(Punctuated::new()));
        }
        let first: Expr = input.parse()?;
        if input.parse::<Option<Token![;]>>()?.is_some() {
            return Ok(Vector::Repeat(Box::new(first), input.parse()?));
        }
        let mut list = Punctuated::from_iter([first]);
        if input.parse::<Option<Token![,]>>()?.is_some() {
            list.extend(Punctuated::<Expr, Token![,]>::parse_terminated(input)?);
        }
        Ok(Vector::List(list))
    }
}

fn vector(reader: &mut Reader, vector: &Vector) -> Node {
    match vector {
        Vector::List(list) => {
            let list = expr::list(reader, list);
            node!(VecList, list)
        }
        Vector::Repeat(value, count) => {
            let (value, count) = (expr::read(reader, value), expr::read(reader, count));
            node!(VecRepeat, value, count)
        }
    }
}

/// The content of `matches!(…)`.
struct Matches {
    value: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream) -> syn::Result<Matches> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Matches {
            value,
            pattern,
            guard,
        })
    }
}

fn matches(reader: &mut Reader, written: &Matches) -> Node {
    let place = expr::start(&written.value);
    let value = expr::read(reader, &written.value);
    let (pattern, guard) = reader.scoped(|reader| {
        let pattern = pattern::read(reader, &written.pattern, PatternContext::Refutable);
        let guard = written
            .guard
            .as_ref()
            .map(|guard| expr::read(reader, guard));
        (pattern, guard)
    });
    let wild = Node::at(place, node!(Wild));
    let arm = |pattern, guard, value: bool| {
        expr::arm_of(pattern, guard, Node::at(place, node!(Bool, value)))
    };
    node!(
        Match,
        value,
        vec![arm(pattern, guard, true), arm(wild, None, false)]
    )
}

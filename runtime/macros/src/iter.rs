//! What a `for` loop runs over.

use crate::expr::{self, strip};
use crate::reader::Reader;
use crate::refuse;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprMethodCall, ExprRange, RangeLimits};

/// Reads the head of a `for` loop.
pub fn read(reader: &mut Reader, iterator: &Expr) -> TokenStream {
    match strip(iterator) {
        Expr::Range(range) => {
            let bounds = bounds(reader, range);
            quote!(__mc::Iter::Range(#bounds))
        }
        whole @ Expr::MethodCall(call) => method(reader, whole, call),
        other => elements(reader, other, false),
    }
}

/// The two ends of a range and whether it includes the second.
fn bounds(reader: &mut Reader, range: &ExprRange) -> TokenStream {
    let (Some(start), Some(end)) = (&range.start, &range.end) else {
        reader.refuse(
            range,
            "a range in a `for` loop needs both ends; write `start..end`, or a `while` loop",
        );
        let nothing = expr::nothing();
        return quote!(&#nothing, &#nothing, false);
    };
    let inclusive = matches!(range.limits, RangeLimits::Closed(_));
    let (start, end) = (expr::read(reader, start), expr::read(reader, end));
    quote!(&#start, &#end, #inclusive)
}

fn method(reader: &mut Reader, whole: &Expr, call: &ExprMethodCall) -> TokenStream {
    let receiver = strip(&call.receiver);
    match (
        call.method.to_string().as_str(),
        receiver,
        call.args.first(),
    ) {
        ("rev", Expr::Range(range), None) => {
            let bounds = bounds(reader, range);
            quote!(__mc::Iter::RangeRev(#bounds))
        }
        ("step_by", Expr::Range(range), Some(step)) => {
            let bounds = bounds(reader, range);
            let step = expr::read(reader, step);
            quote!(__mc::Iter::RangeStep(#bounds, &#step))
        }
        ("rev" | "step_by", ..) => refuse_chain(
            reader,
            call,
            "`rev` and `step_by` are supported directly on a range; write a `while` loop, or compute the index from the counter",
        ),
        ("enumerate", receiver, None) => elements(reader, receiver, true),
        ("iter" | "iter_mut" | "into_iter" | "copied" | "cloned", ..) => {
            elements(reader, whole, false)
        }
        (name, ..) if refuse::method(name).is_some() => refuse_chain(
            reader,
            call,
            "this iterator is not supported yet; write a `for` loop over the indices",
        ),
        // A method that gives a slice.
        _ => elements(reader, whole, false),
    }
}

fn refuse_chain(reader: &mut Reader, call: &ExprMethodCall, message: &str) -> TokenStream {
    reader.refuse(&call.method, message);
    let nothing = expr::nothing();
    quote!(__mc::Iter::Elements(&#nothing, false))
}

/// A slice: `x`, `&x`, `&mut x`, `x.iter()`, `x.iter_mut()`, with `enumerate` around it or not.
fn elements(reader: &mut Reader, iterator: &Expr, enumerate: bool) -> TokenStream {
    let (slice, form) = slice(iterator);
    let slice = expr::read(reader, slice);
    let form = quote::format_ident!("{form}");
    quote!(__mc::Iter::#form(&#slice, #enumerate))
}

/// The slice that an iterator walks, and the variant of `Iter` that says how.
fn slice(iterator: &Expr) -> (&Expr, &'static str) {
    match strip(iterator) {
        Expr::Reference(reference) if reference.mutability.is_some() => (&reference.expr, "Places"),
        Expr::Reference(reference) => (&reference.expr, "Elements"),
        Expr::MethodCall(call) if call.args.is_empty() => match call.method.to_string().as_str() {
            "iter" => (&call.receiver, "Elements"),
            "iter_mut" => (&call.receiver, "Places"),
            "into_iter" => (&call.receiver, "Items"),
            "copied" | "cloned" => (slice(&call.receiver).0, "Elements"),
            _ => (iterator, "Items"),
        },
        other => (other, "Items"),
    }
}

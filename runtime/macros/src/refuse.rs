//! The refusals, and what to write instead.

use syn::Expr;

/// The reason and the advice for an expression that is not supported.
pub fn expression(expr: &Expr) -> &'static str {
    match expr {
        Expr::Await(_) | Expr::Async(_) => {
            "asynchronous code cannot be differentiated; make the function synchronous"
        }
        Expr::Unsafe(_) => {
            "`unsafe` code cannot be differentiated; write it with slices and indices"
        }
        Expr::RawAddr(_) => {
            "raw pointers cannot be differentiated; write it with slices and indices"
        }
        _ => {
            "this kind of expression is not supported in a differentiable function; write it with functions, loops and `match`"
        }
    }
}

/// The reason and the advice for a function of the standard library.
pub const STD_FUNCTION: &str = "this function of the standard library is not known in a differentiable function; \
     write what it computes, or call it outside and pass the result as a parameter";

/// The reason and the advice for a macro.
pub fn invocation(name: &str) -> String {
    let advice = match name {
        "write" | "writeln" => {
            "differentiable functions write no text; use `println!`, which derived code passes over, or write outside the function"
        }
        "include_str" | "include_bytes" | "include" | "env" | "option_env" => {
            "text and files are not read here; pass the values as parameters"
        }
        _ => {
            "only `vec!`, `matches!`, `assert!`, `assert_eq!`, `assert_ne!`, their `debug_` forms, `panic!`, `unreachable!`, `todo!`, \
             `format!`, `println!`, `dbg!` and `cfg!` are known here; write the code out"
        }
    };
    format!("`{name}!` is not supported in a differentiable function: {advice}")
}

/// The advice for a method of a forwarding impl that does not forward.
pub const HELD: &str = "differentiable functions treat a reference, an `Rc` or a `Box<dyn …>` as the value behind it, so this method may only forward to the \
method of that value: `(**self).method(…)`; for another meaning write a struct around the pointer";

/// The reason and the advice for an `impl` of another trait than its own for a `Box<dyn …>`.
pub const OF_A_POINTER: &str = "differentiable functions treat a reference, an `Rc` or a `Box<dyn …>` as the value behind it, so it has no other trait than that \
value: call a method of the value in place of this one, or write a struct around the pointer";

/// The reason and the advice for an `impl` for a slice or a `dyn` by itself.
pub const UNSIZED: &str = "an `impl` for a slice, for `str` or for a `dyn` by itself is not supported in differentiable code: write it for `&[f64]`, or as functions that take \
`&[f64]` or `&dyn Trait`";

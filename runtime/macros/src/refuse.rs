//! What is refused, and what to write instead.

use syn::Expr;

/// The reason and the advice for a form of expression that the language does not have.
pub fn expression(expr: &Expr) -> &'static str {
    match expr {
        Expr::Match(_) => "`match` is not supported yet; write `if` and `else if`",
        Expr::Let(_) => {
            "`if let` and `while let` are not supported yet; write a condition without a pattern"
        }
        Expr::Closure(_) => {
            "a closure is supported only as the argument of an array's `map`; write a `#[differentiable]` function"
        }
        Expr::Struct(_) => {
            "structs are not supported yet; use a tuple, or pass the fields one by one"
        }
        Expr::Repeat(_) | Expr::Array(_) => {
            "local arrays are not supported yet (a list may only be the argument of an array's method); \
             pass scratch memory as a `&mut [f64]` parameter, or use a tuple"
        }
        Expr::Try(_) => {
            "`?` is not supported: an error inside a differentiable function is a panic; write `assert!`"
        }
        Expr::Await(_) | Expr::Async(_) => {
            "asynchronous code cannot be differentiated; make the function synchronous"
        }
        Expr::Unsafe(_) => {
            "`unsafe` code cannot be differentiated; write it with slices and indices"
        }
        Expr::Range(_) => "a range may stand only in a `for` loop or between brackets",
        Expr::Const(_) => "`const` blocks are not supported; declare a `const` item",
        Expr::RawAddr(_) => {
            "raw pointers cannot be differentiated; write it with slices and indices"
        }
        Expr::Infer(_) => "`_` may stand only on the left of an assignment",
        _ => "this form is not supported in a differentiable function",
    }
}

/// The reason and the advice for a method that only iterators, vectors and the like have.
pub fn method(name: &str) -> Option<&'static str> {
    Some(match name {
        "iter" | "iter_mut" | "into_iter" | "enumerate" | "rev" | "step_by" => {
            "iterators are supported only in the head of a `for` loop, as in `for (i, v) in x.iter().enumerate()`; \
             write such a loop"
        }
        "zip" | "windows" | "chunks" | "chunks_exact" | "chunks_mut" | "filter" | "fold"
        | "product" | "collect" | "take" | "skip" | "chain" | "for_each" | "any" | "all"
        | "copied" | "cloned" | "max_by" | "min_by" | "split_at_mut" => {
            "iterator chains are not supported yet; write a `for` loop over the indices"
        }
        "push" | "pop" | "to_vec" | "resize" | "extend" | "with_capacity" => {
            "growing vectors are not supported yet; pass memory as a `&mut [f64]` parameter"
        }
        "unwrap" | "expect" | "unwrap_or" | "ok" | "is_some" | "is_none" => {
            "`Option` and `Result` are not supported yet; use an `if`, or `assert!` for what must hold"
        }
        "to_string" | "as_str" | "format" => {
            "text is not supported; compute it outside the differentiable function"
        }
        _ => return None,
    })
}

/// The reason and the advice for a macro.
pub fn invocation(name: &str) -> String {
    let advice = match name {
        "println" | "print" | "eprintln" | "eprint" | "dbg" | "write" | "writeln" => {
            "input and output cannot be differentiated; print outside the function"
        }
        "vec" => "vectors are not supported yet; pass memory as a `&mut [f64]` parameter",
        "format" => "text is not supported; compute it outside the function",
        "matches" => "patterns are not supported yet; write a comparison",
        _ => {
            "only `assert!`, `assert_eq!`, `assert_ne!`, their `debug_` forms, `panic!`, `unreachable!` and `todo!` are known here; write the code out"
        }
    };
    format!("`{name}!` is not supported in a differentiable function: {advice}")
}

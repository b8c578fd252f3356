//! What is not supported, and what it says. Each program here is refused; `page` writes the messages, and those of
//! `runtime/macros/tests/ui`, to `tests/unsupported/README.md`, which is their snapshot.
//!
//! A program is a module: the first line of its documentation is its title, the others say why it is refused or what to do.

#![allow(
    clippy::all,
    unpredictable_function_pointer_comparisons,
    reason = "the programs are what is refused, also where another form would be shorter"
)]

mod page;
mod rustc;
#[path = "../support/rustc.rs"]
mod rustc_with_library;
mod language;
mod library;
mod boundary;
mod modes;
mod arrays;
mod gpu;
mod packs;

/// A program that is refused.
struct Program {
    /// `unsupported::group::name`
    module: &'static str,
    line: u32,
    /// What it says.
    message: fn() -> String,
}

mooncake::__private::inventory::collect!(Program);

/// Registers the program of a module: a function whose rule cannot be built, a function that cannot be called with arguments,
/// or anything else that fails.
macro_rules! refused {
    ($f:ident) => {
        crate::refused! { |ctx| ctx.build_rrule::<$f>() }
    };
    ($f:ident, $args:expr) => {
        crate::refused! { |ctx| ctx.build_rrule::<$f>()?.value_and_gradient($args) }
    };
    (|$ctx:ident| $attempt:expr) => {
        fn attempt($ctx: &::mooncake::Context) -> ::mooncake::Result<()> {
            $attempt.map(drop)
        }
        ::mooncake::__private::inventory::submit! {
            crate::Program {
                module: module_path!(),
                line: line!(),
                message: || crate::page::message(attempt),
            }
        }
    };
}
pub(crate) use refused;

/// Registers the program of a module that a GPU refuses.
macro_rules! refused_on_gpu {
    ($f:ident) => {
        ::mooncake::__private::inventory::submit! {
            crate::Program {
                module: module_path!(),
                line: line!(),
                message: || crate::page::message_on_gpu(|gpu| $f(gpu).map(drop)),
            }
        }
    };
}
pub(crate) use refused_on_gpu;

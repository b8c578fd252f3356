//! Programs that once failed, as Rust: made smaller, then kept, so that what they mean does not depend on the generator.
//! Native Rust is the oracle.

#![allow(
    clippy::all,
    unused,
    arithmetic_overflow,
    unconditional_panic,
    reason = "programs are kept as they were found"
)]

use crate::check::{Args, Case, Outcome, Program, Seen};
use crate::library::*;
use mooncake::{Context, differentiable};
use std::cell::RefCell;
use std::rc::Rc;

/// A program that is compiled natively as well.
pub struct Native {
    pub name: &'static str,
    pub case: Case,
    pub run: fn(&mut Args) -> Outcome,
    pub test: fn(&Context, &Case) -> Result<Seen, String>,
}

/// Whether it does what it does natively.
pub fn test<F: Program>(ctx: &Context, case: &Case) -> Result<Seen, String> {
    crate::check::check::<F>(ctx, case, &crate::check::native::<F>)
}

/// The program of a module.
macro_rules! native {
    ($name:ident) => {
        $crate::kept::Native {
            name: stringify!($name),
            case: $name::CASE,
            run: $crate::check::native::<$name::program>,
            test: $crate::kept::test::<$name::program>,
        }
    };
}
pub(crate) use native;

macro_rules! kept {
    ($($name:ident)*) => {
        $(mod $name;)*
        const ALL: &[Native] = &[$(native!($name)),*];
    };
}

kept! {
    bounds
    drained
    chosen
    nothing
    unused_panic
    not_taken
    not_entered
    shaken
    last_bit
    last_bits
    many_turns
    left_early
}

#[test]
fn what_was_found_stays_found() {
    let [default, others @ ..] = crate::contexts();
    for native in ALL {
        let check = |ctx, n| {
            let mut case = native.case;
            case.args.n = n;
            let tested = (native.test)(ctx, &case);
            tested.unwrap_or_else(|error| panic!("{}, n = {n}: {error}", native.name));
        };
        (0..4).for_each(|n| check(&default, n));
        for ctx in &others {
            check(ctx, native.case.args.n);
        }
    }
}

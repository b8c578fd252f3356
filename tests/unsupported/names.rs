//! Functions without the attribute: rustc finds no type of their name, and `page` asks it what it says.

use mooncake::prelude::*;

/// A function without the attribute
/// `build_rrule::<f>` names what `#[differentiable]` writes beside the function: the attribute is missing before `fn f`.
mod forgotten {
    use super::*;

    fn f(x: f64) -> f64 {
        x * x
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_rrule::<f>()?;
        Ok(())
    }
}

/// A callee without the attribute
/// What a differentiable function calls is differentiable, too: write `#[differentiable]` before the callee, or `#[non_differentiable]` if its result counts as a constant.
mod forgotten_callee {
    use super::*;

    fn square(x: f64) -> f64 {
        x * x
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        square(x) + 1.0
    }
}

//! Functions without the attribute, and names that mean something else than what was meant: `page` asks rustc what it says.

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

/// A function of std that is imported by its name
/// Functions of std are called by their paths: `std::mem::swap(&mut a, &mut b)`, or `mem::swap(&mut a, &mut b)` after `use std::mem;`.
mod functions_of_std_by_name {
    use super::*;
    use std::mem::swap;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let (mut a, mut b) = (x, 2.0);
        swap(&mut a, &mut b);
        a - b * b
    }
}

/// The function as an argument, without a type argument
/// A differentiable function is named between `::<` and `>`, not passed: `ctx.build_rrule::<f>()`.
mod as_the_only_argument {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * x
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_rrule(f)?;
        Ok(())
    }
}

/// A name of the prelude that another import hides
/// A name that is imported by itself goes before one of `mooncake::prelude::*`: `Context` is the trait here. Give one of the two another name,
/// `use mooncake::Context as Rules;`, or write `mooncake::Context`.
mod hidden {
    use super::*;

    mod other_crate {
        pub trait Context {}
    }

    mod program {
        use super::other_crate::Context;
        use mooncake::prelude::*;

        fn context() {
            let ctx = Context::default();
        }
    }
}

/// A name that the preludes of two crates have
/// Import it by itself from the crate that is meant: `use mooncake::Array;`.
mod ambiguous {
    use super::*;

    mod other_crate {
        pub struct Array<T>(T);
    }

    mod program {
        use super::other_crate::*;
        use mooncake::prelude::*;

        fn norm(x: &Array<f64>) {}
    }
}

/// A rule of a method
/// Rules are built for functions. `#[differentiable(function = model_energy)]` before the method writes one that calls it: `ctx.build_rrule::<model_energy>()`.
mod method {
    use super::*;

    #[derive(Differentiable)]
    struct Model(f64);
    #[differentiable]
    impl Model {
        fn energy(&self, x: f64) -> f64 {
            self.0 * x * x
        }
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_rrule::<Model::energy>()?;
        Ok(())
    }
}

/// A lifetime that is left out of a result
/// A struct that borrows shows its lifetime in the result of a function: `View<'_>`.
mod elided {
    use super::*;

    #[derive(Differentiable)]
    struct View<'a> {
        data: &'a [f64],
    }

    #[differentiable]
    fn f(data: &[f64]) -> View {
        View { data }
    }
}

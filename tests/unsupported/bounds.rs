//! Arguments, results, gradients and tangents of types that do not fit: these programs do not compile, and `page` asks rustc why.

use mooncake::prelude::*;

/// A struct without `#[derive(Differentiable)]`
mod underived {
    use super::*;

    struct Model {
        weight: f64,
    }

    #[differentiable]
    fn f(model: &Model, x: f64) -> f64 {
        model.weight * x
    }
}

/// A map as an argument
mod map {
    use super::*;
    use std::collections::HashMap;

    #[differentiable]
    fn f(table: &HashMap<u32, f64>, x: f64) -> f64 {
        x
    }
}

/// A function with a parameter that is any closure, from outside
mod closure {
    use super::*;

    #[differentiable]
    fn f(g: &impl Fn(f64) -> f64, x: f64) -> f64 {
        g(x)
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_rrule::<f>()?;
        rule.value_and_gradient((&|x: f64| x * x, 2.0))?;
        Ok(())
    }
}

/// A closure from outside
mod boxed {
    use super::*;

    #[differentiable]
    fn f(g: &dyn Fn(f64) -> f64, x: f64) -> f64 {
        g(x)
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        ctx.build_rrule::<f>()?.value_and_gradient((&|x: f64| x * x, 2.0))?;
        Ok(())
    }
}

/// Arguments of other types than the parameters
mod arguments {
    use super::*;

    #[differentiable]
    fn f(x: &[f64], a: f64) -> f64 {
        a * x[0]
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_rrule::<f>()?;
        rule.value_and_gradient((2.0, &[1.0]))?;
        rule.value_and_gradient((&[1.0f32], 2.0))?;
        rule.value_and_gradient((vec![1.0], 2.0))?;
        Ok(())
    }
}

/// Fewer arguments than parameters
mod fewer {
    use super::*;

    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        x * y
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        ctx.build_rrule::<f>()?.value_and_gradient((1.0,))?;
        Ok(())
    }
}

/// An argument by itself
mod no_tuple {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * x
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        ctx.build_rrule::<f>()?.value_and_gradient(1.0)?;
        Ok(())
    }
}

/// Tangents of other types than the parameters
mod tangents {
    use super::*;

    #[differentiable]
    fn f(x: &[f64], n: usize) -> f64 {
        x[n]
    }

    fn derivative(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_frule::<f>()?;
        rule.value_and_derivative((&[1.0], 0), (1.0, ()))?;
        rule.value_and_derivative((&[1.0], 0), (&[1.0], 1))?;
        Ok(())
    }
}

/// A gradient's place of another type
mod places {
    use super::*;

    #[differentiable]
    fn f(x: &[f64], a: f64) -> f64 {
        a * x[0]
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let (mut dx, mut da) = (0.0, 0.0);
        ctx.build_rrule::<f>()?.value_and_gradient_into((&[1.0], 2.0), (&mut dx, &mut da))?;
        Ok(())
    }
}

/// A function that is not differentiable
mod no_function {
    use super::*;

    struct Cube;

    fn rule(ctx: &Context) -> mooncake::Result<()> {
        ctx.build_rrule::<Cube>()?;
        Ok(())
    }
}

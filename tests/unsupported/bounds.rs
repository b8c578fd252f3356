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

/// A vector in place of a slice
mod vector {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        x[0] * x[1]
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let x = vec![1.0, 2.0];
        ctx.build_rrule::<f>()?.value_and_gradient((x,))?;
        Ok(())
    }
}

/// More arguments than parameters
mod more {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * x
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        ctx.build_rrule::<f>()?.value_and_gradient((1.0, 2.0))?;
        Ok(())
    }
}

/// A constant among tangents
mod constant_tangent {
    use super::*;
    use mooncake::Const;

    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        x * y
    }

    fn derivative(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_frule::<f>()?;
        rule.value_and_derivative((1.0, Const(2.0)), (1.0, Const(0.0)))?;
        Ok(())
    }
}

/// A constant where a matrix is of all arguments
mod constant_in_a_hessian {
    use super::*;
    use mooncake::Const;

    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        x * y
    }

    fn hessian(ctx: &Context) -> mooncake::Result<()> {
        ctx.value_gradient_and_hessian::<f>((1.0, Const(2.0)))?;
        Ok(())
    }
}

/// A type of another crate as a parameter
mod foreign {
    use super::*;

    #[differentiable]
    fn f(list: &std::collections::LinkedList<f64>, x: f64) -> f64 {
        x
    }
}

/// The function as an argument, not as a type argument
/// Differentiable functions are named between `::<` and `>`: `ctx.build_rrule::<f>()`.
mod as_an_argument {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * x
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_rrule::<f>(f)?;
        Ok(())
    }
}

/// A generic function without its type parameters
/// Its rule is that of one list of types: `ctx.build_rrule::<f<f64>>()`.
mod without_parameters {
    use super::*;
    use mooncake::Float;

    #[differentiable]
    fn f<T: Float>(x: T) -> T {
        x * x
    }

    fn gradient(ctx: &Context) -> mooncake::Result<()> {
        let rule = ctx.build_rrule::<f>()?;
        Ok(())
    }
}

/// A vector of another crate as an argument
mod foreign_argument {
    use super::*;

    mod nalgebra {
        pub struct DVector(Vec<f64>);
        impl DVector {
            pub fn as_slice(&self) -> &[f64] {
                &self.0
            }
        }
    }

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        x[0] * x[1]
    }

    fn gradient(ctx: &Context, x: nalgebra::DVector) -> mooncake::Result<()> {
        ctx.build_rrule::<f>()?.value_and_gradient((&x,))?;
        Ok(())
    }
}

/// A constant where the Jacobian is of all arguments
mod constant_in_a_jacobian {
    use super::*;
    use mooncake::Const;

    #[differentiable]
    fn f(x: f64, y: f64) -> (f64, f64) {
        (x * y, x + y)
    }

    fn jacobian(ctx: &Context) -> mooncake::Result<()> {
        ctx.value_and_jacobian::<f>((1.0, Const(2.0)))?;
        Ok(())
    }
}

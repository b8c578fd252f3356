//! Modes of differentiation, and what they do not do.

use crate::refused;
use mooncake::Const;
use mooncake::prelude::*;

/// Hessians of functions with more than one result
mod second_of_many {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> (f64, f64) {
        x.sin_cos()
    }

    refused!(|ctx| ctx.value_gradient_and_hessian::<f>((1.0,)));
}

/// The Jacobian of a function that changes its arguments
mod jacobians {
    use super::*;

    #[differentiable]
    fn f(x: &mut [f64]) {
        x[0] *= x[1];
    }

    refused!(|ctx| ctx.value_and_jacobian::<f>((&mut [1.0, 2.0],)));
}

/// Derivatives through memory that is marked constant
mod constant_memory {
    use super::*;

    #[differentiable]
    fn f(x: f64, scratch: &mut [f64]) -> f64 {
        scratch[0] = x * x;
        scratch[0]
    }

    refused!(|ctx| ctx
        .build_rrule::<f>()?
        .value_and_gradient((2.0, Const(&mut [0.0]))));
}

/// The derivative, within a program, of a function that chooses between memory of its own and memory that it captures
mod chosen_memory {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let others = [1.0, 2.0];
        let g = |y: f64| {
            let own = [y, y * y];
            let chosen = if y > 0.0 { &own } else { &others };
            chosen[0] * chosen[1]
        };
        mooncake::derivative(g, x)
    }

    refused!(f);
}

/// What makes a NaN, in debug mode
mod debug {
    use super::*;

    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        x.ln() / y
    }

    refused!(|_ctx| {
        let ctx = Context::builder().debug(true).build()?;
        ctx.build_rrule::<f>()?.value_and_gradient((0.0, 3.0))
    });
}

/// A function that takes a derivative of itself
mod of_itself {
    use super::*;

    #[differentiable]
    fn f(x: f64, order: usize) -> f64 {
        match order {
            0 => x.sin(),
            _ => mooncake::derivative(|x| f(x, order - 1), x),
        }
    }

    refused!(|ctx| ctx.build_rrule::<f>());
}

/// The derivative, within a program, of a function that captures a reference to what may change
mod captured_references {
    use super::*;

    #[derive(Differentiable)]
    struct State {
        q: f64,
        p: f64,
    }

    #[differentiable]
    fn step(s: &mut State) {
        s.p -= mooncake::gradient(|q| q * q * s.p, s.q);
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut s = State { q: x, p: 1.0 };
        step(&mut s);
        s.p
    }

    refused!(|ctx| ctx.build_rrule::<f>());
}

/// The derivative, within a program, of a function that captures a cell
mod captured_cells {
    use super::*;
    use std::cell::Cell;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let calls = Cell::new(0.0);
        mooncake::gradient(
            |x| {
                calls.set(calls.get() + 1.0);
                x * x
            },
            x,
        )
    }

    refused!(|ctx| ctx.build_rrule::<f>());
}

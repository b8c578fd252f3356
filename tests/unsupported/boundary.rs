//! What goes into calls and comes back.

use crate::refused;
use mooncake::Const;
use mooncake::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

/// The gradient of more than one number
mod no_gradient {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> (f64, f64) {
        x.sin_cos()
    }

    refused!(|ctx| ctx.build_rrule::<f>()?.value_and_gradient((1.0,)));
}

/// The gradient of an array of several elements
mod no_gradient_of_arrays {
    use super::*;

    #[differentiable]
    fn f(x: &Array<f32>) -> Array<f32> {
        x.tanh()
    }

    refused!(|ctx| {
        let x = Array::from_vec(vec![1.0, 2.0], [2]);
        ctx.build_rrule::<f>()?.value_and_gradient((&x,))
    });
}

/// A gradient of another length than its argument
mod lengths {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        x[0] * x[1]
    }

    refused!(|ctx| {
        let mut dx = vec![0.0; 3];
        ctx.build_rrule::<f>()?
            .value_and_gradient_into((&[1.0, 2.0],), (&mut dx,))
    });
}

/// A tangent of another length than its argument
mod tangents {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        x[0] * x[1]
    }

    refused!(|ctx| {
        let frule = ctx.build_frule::<f>()?;
        frule.value_and_derivative((&[1.0, 2.0],), (&[1.0],))
    });
}

/// A tangent of a constant argument
mod constant_tangents {
    use super::*;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        x[0] * x[1]
    }

    refused!(|ctx| {
        let frule = ctx.build_frule::<f>()?;
        frule.value_and_derivative((Const(&[1.0, 2.0]),), (&[1.0, 0.0],))
    });
}

/// A cotangent of another length than the result
mod cotangents {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> Vec<f64> {
        vec![x, x * x]
    }

    refused!(|ctx| {
        let (_, pullback) = ctx.build_rrule::<f>()?.pullback((2.0,))?;
        pullback.apply(vec![1.0])
    });
}

/// A cotangent of another variant than the result
mod variants {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> Option<f64> {
        (x > 0.0).then_some(x * x)
    }

    refused!(|ctx| {
        let (_, pullback) = ctx.build_rrule::<f>()?.pullback((2.0,))?;
        pullback.apply(None)
    });
}

/// A `RefCell` that is borrowed during the call
mod borrowed {
    use super::*;

    #[differentiable]
    fn f(x: &std::cell::RefCell<f64>) -> f64 {
        let v = *x.borrow();
        v * v
    }

    refused!(|ctx| {
        let x = std::cell::RefCell::new(1.0);
        let _held = x.borrow_mut();
        ctx.build_rrule::<f>()?.value_and_gradient((&x,))
    });
}

/// A cycle that is made inside and returned
mod cycles {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    struct Node {
        value: f64,
        next: Option<Rc<RefCell<Node>>>,
    }

    #[differentiable]
    fn f(x: f64) -> Rc<RefCell<Node>> {
        let node = Rc::new(RefCell::new(Node {
            value: x,
            next: None,
        }));
        node.borrow_mut().next = Some(node.clone());
        node
    }

    refused!(|ctx| ctx.build_primal::<f>()?.call((1.0,)));
}

/// A function from outside
mod functions {
    use super::*;

    #[differentiable]
    fn f(g: fn(f64) -> f64, x: f64) -> f64 {
        g(x)
    }

    refused!(|ctx| ctx
        .build_rrule::<f>()?
        .value_and_gradient((f64::sin as fn(f64) -> f64, 1.0)));
}

/// A text with numbers in it that is returned
mod texts {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> Result<f64, String> {
        if x < 0.0 {
            return Err(format!("{x} is negative"));
        }
        Ok(x.sqrt())
    }

    refused!(|ctx| ctx.build_primal::<f>()?.call((-1.0,)));
}

/// A `dyn` value of a type whose `impl` is not differentiable
mod dynamic {
    use super::*;

    #[differentiable]
    trait Layer {
        fn run(&self, x: f64) -> f64;
    }

    struct Twice;
    impl Layer for Twice {
        fn run(&self, x: f64) -> f64 {
            2.0 * x
        }
    }

    #[differentiable]
    fn f(layer: &dyn Layer, x: f64) -> f64 {
        layer.run(x)
    }

    refused!(|ctx| ctx.build_primal::<f>()?.call((&Twice as &dyn Layer, 1.0)));
}

/// A struct that holds a `&mut`, from outside
mod exclusive {
    use super::*;

    #[derive(Differentiable)]
    struct Place<'a>(&'a mut f64);

    #[differentiable]
    fn f(p: &Place<'_>) -> f64 {
        *p.0
    }

    refused!(|ctx| {
        let mut x = 1.0;
        ctx.build_rrule::<f>()?
            .value_and_gradient((&Place(&mut x),))
    });
}

//! Arrays, and the devices they are on.

use crate::refused;
use mooncake::prelude::*;

/// A closure of `map` that captures more than numbers
mod captures {
    use super::*;

    #[differentiable]
    fn f(x: &Array<f32>, w: &[f32]) -> Array<f32> {
        x.map(|v| v * w[0]).sum()
    }

    refused!(f);
}

/// Arrays that are compared
mod comparisons {
    use super::*;

    #[differentiable]
    fn f(x: &Array<f32>, y: &Array<f32>) -> Array<f32> {
        if x == y { x.sum() } else { y.sum() }
    }

    refused!(f);
}

/// Whether an operation on arrays has failed
mod errors {
    use super::*;

    #[differentiable]
    fn f(x: &Array<f64>, w: &Array<f64>) -> Array<f64> {
        let y = x.matmul(w);
        if y.error().is_some() {
            x.sum()
        } else {
            y.sum()
        }
    }

    refused!(f);
}

/// The device of an array
mod own_device {
    use super::*;

    #[differentiable]
    fn f(x: &Array<f64>) -> Array<f64> {
        (x * Array::full_on(x.device(), [4], 2.0)).sum()
    }

    refused!(f);
}

/// A function of which only the type is known, over an array
mod dynamic {
    use super::*;

    #[differentiable]
    fn f(x: &Array<f32>, twice: bool) -> Array<f32> {
        let g: &dyn Fn(f32) -> f32 = if twice { &|v| 2.0 * v } else { &|v| v };
        x.map(g).sum()
    }

    refused!(f);
}

/// Shapes that do not fit
mod shapes {
    use super::*;

    #[differentiable]
    fn f(x: &Array<f32>, w: &Array<f32>) -> Array<f32> {
        x.matmul(w).sum()
    }

    refused!(|ctx| {
        let x = Array::from_vec(vec![1.0; 6], [2, 3]);
        let w = Array::from_vec(vec![1.0; 6], [2, 3]);
        ctx.build_rrule::<f>()?.value_and_gradient((&x, &w))
    });
}

/// A device that there is not
mod devices {
    use super::*;

    fn any() -> mooncake::Result<Device> {
        Device::by_name("tpu")
    }

    refused!(|_ctx| any());
}

/// Arithmetic of elements that are only stored
///
/// An `Array<f16>` stores floats in 16 bits. Programs compute with what `to_f32` gives, and store what `to_f16` gives.
mod halves {
    use super::*;
    use mooncake::f16;

    #[differentiable]
    fn f(x: &Array<f16>) -> f32 {
        x.map(|v| v + v).to_f32().sum().to_scalar()
    }

    refused!(f);
}

/// Comparisons of elements that are only stored
mod compared_halves {
    use super::*;
    use mooncake::f16;

    #[differentiable]
    fn f(x: &Array<f16>, y: &Array<f16>) -> f32 {
        x.eq_elements(y).to_f32().sum().to_scalar()
    }

    refused!(f);
}

/// Comparisons of elements that are only stored, natively
mod halves_natively {
    use super::*;
    use mooncake::f16;

    refused!(|_ctx| {
        let x = Array::<f16>::zeros([3]);
        x.eq_elements(&x).to_vec()
    });
}

/// An element that is only stored, as a number
mod one_half {
    use super::*;
    use mooncake::f16;

    #[differentiable]
    fn f(x: &Array<f16>) -> f32 {
        match x.item() {
            Ok(_) => 1.0,
            Err(_) => 0.0,
        }
    }

    refused!(f);
}

/// The gradient of an array that is stored in 16 bits
///
/// Cotangents of arrays of `f16` are arrays of `f32`, and so is the seed of a pullback.
mod gradient_of_halves {
    use super::*;
    use mooncake::f16;

    #[differentiable]
    fn f(x: &Array<f32>) -> Array<f16> {
        x.to_f16()
    }

    refused!(|ctx| {
        let x = Array::from_vec(vec![1.0f32; 6], [2, 3]);
        ctx.build_rrule::<f>()?.value_and_gradient((&x,))
    });
}

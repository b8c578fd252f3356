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

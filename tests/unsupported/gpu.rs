//! What a GPU refuses and the CPU takes.

use crate::refused_on_gpu;
use mooncake::prelude::*;

/// An array that is larger than the largest buffer of the adapter
mod largest {
    use super::*;

    fn f(gpu: &Device) -> mooncake::Result<Vec<f32>> {
        Array::full_on(gpu, [1 << 20, 1 << 20], 1.0f32).to_vec()
    }

    refused_on_gpu!(f);
}

/// More elements than can be counted with 32 bits
mod counted {
    use super::*;

    fn f(gpu: &Device) -> mooncake::Result<Vec<f32>> {
        let x = Array::from_vec_on(gpu, vec![1.0f32, 2.0], [2, 1]);
        x.broadcast_to([2, 1 << 32]).sum().to_vec()
    }

    refused_on_gpu!(f);
}

/// Integers of 64 bits in a kernel
mod wide {
    use super::*;

    #[differentiable]
    fn g(x: &Array<f32>) -> Array<f32> {
        x.map(|v| (v as i64 / 3) as f32).sum()
    }

    fn f(gpu: &Device) -> mooncake::Result<f32> {
        let ctx = Context::builder().device(gpu.clone()).build()?;
        let x = Array::from_vec_on(gpu, vec![1.0f32, 2.0], [2]);
        ctx.build_rrule::<g>()?.value_and_gradient((&x,))?.0.item()
    }

    refused_on_gpu!(f);
}

/// Small integers in a kernel
mod narrow {
    use super::*;

    #[differentiable]
    fn g(x: &Array<f32>) -> Array<f32> {
        x.map(|v| f32::from(v as u8)).sum()
    }

    fn f(gpu: &Device) -> mooncake::Result<f32> {
        let ctx = Context::builder().device(gpu.clone()).build()?;
        let x = Array::from_vec_on(gpu, vec![1.0f32, 2.0], [2]);
        ctx.build_rrule::<g>()?.value_and_gradient((&x,))?.0.item()
    }

    refused_on_gpu!(f);
}

/// A function that calls itself in a kernel
mod recursive {
    use super::*;

    #[differentiable]
    fn power(x: f32, n: u32) -> f32 {
        if n == 0 { 1.0 } else { x * power(x, n - 1) }
    }
    #[differentiable]
    fn g(x: &Array<f32>) -> Array<f32> {
        x.map(|v| power(v, v as u32)).sum()
    }

    fn f(gpu: &Device) -> mooncake::Result<f32> {
        let ctx = Context::builder().device(gpu.clone()).build()?;
        let x = Array::from_vec_on(gpu, vec![1.0f32, 2.0], [2]);
        ctx.build_rrule::<g>()?.value_and_gradient((&x,))?.0.item()
    }

    refused_on_gpu!(f);
}

/// A number of more than 32 bits that a kernel is given
mod given {
    use super::*;

    #[differentiable]
    fn g(x: &Array<f32>, n: usize) -> Array<f32> {
        x.map(|v| if v as usize == n { v } else { -v }).sum()
    }

    fn f(gpu: &Device) -> mooncake::Result<f32> {
        let ctx = Context::builder().device(gpu.clone()).build()?;
        let x = Array::from_vec_on(gpu, vec![1.0f32, 2.0], [2]);
        let rule = ctx.build_rrule::<g>()?;
        rule.value_and_gradient((&x, 1 << 40))?.0.item()
    }

    refused_on_gpu!(f);
}

/// Arrays of two devices in one operation
mod devices {
    use super::*;

    fn f(gpu: &Device) -> mooncake::Result<Vec<f32>> {
        let x = Array::from_vec_on(gpu, vec![1.0f32, 2.0], [2]);
        let y = Array::from_vec_on(&Device::cpu(), vec![1.0f32, 2.0], [2]);
        (&x + &y).to_vec()
    }

    refused_on_gpu!(f);
}

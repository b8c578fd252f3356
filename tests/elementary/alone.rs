//! Functions of arrays outside of programs: each is a kernel of its own, which gives the bits that it gives within a compiled program.

use super::{SPECIAL, STRIDE};
use mooncake::prelude::*;

/// The functions on their own and in programs.
macro_rules! functions {
    ($module:ident, $t:ident: $($name:ident = |$x:ident, $y:ident| $value:expr;)*) => {
        mod $module {
            use super::{assert_same, context};
            use mooncake::prelude::*;
            use mooncake::testing::{Ran, kernels_run};

            $(#[differentiable]
            fn $name($x: &Array<$t>, $y: &Array<$t>) -> Array<$t> {
                $value
            })*

            pub fn check(x: &Array<$t>, y: &Array<$t>) {
                // Of several NaN that meet, the machine keeps one by the order of its operands.
                let bits = |z: &Array<$t>| -> Vec<u64> {
                    let all = z.to_vec().unwrap().into_iter();
                    all.map(|z| if z.is_nan() { $t::NAN } else { z }.to_bits().into()).collect()
                };
                $({
                    let rule = context().build_rrule::<$name>().unwrap();
                    let (compiled, ran) = kernels_run(|| rule.value((x, y)).unwrap());
                    let is_one = !ran.is_empty() && ran.iter().all(Ran::is_kernel);
                    assert!(is_one, "{} is no kernel", stringify!($name));
                    assert_same(stringify!($name), stringify!($t), &bits(&$name(x, y)), &bits(&compiled));
                })*
            }
        }
    };
}

/// The functions for both types of floats.
macro_rules! both {
    ($($name:ident = |$x:ident, $y:ident| $value:expr;)*) => {
        functions!(single, f32: $($name = |$x, $y| $value;)*);
        functions!(wide, f64: $($name = |$x, $y| $value;)*);
    };
}

both! {
    abs = |x, _y| x.abs();
    sqrt = |x, _y| x.sqrt();
    cbrt = |x, _y| x.cbrt();
    exp = |x, _y| x.exp();
    exp2 = |x, _y| x.exp2();
    exp_m1 = |x, _y| x.exp_m1();
    ln = |x, _y| x.ln();
    ln_1p = |x, _y| x.ln_1p();
    log2 = |x, _y| x.log2();
    log10 = |x, _y| x.log10();
    sin = |x, _y| x.sin();
    cos = |x, _y| x.cos();
    tan = |x, _y| x.tan();
    asin = |x, _y| x.asin();
    acos = |x, _y| x.acos();
    atan = |x, _y| x.atan();
    sinh = |x, _y| x.sinh();
    cosh = |x, _y| x.cosh();
    tanh = |x, _y| x.tanh();
    asinh = |x, _y| x.asinh();
    acosh = |x, _y| x.acosh();
    atanh = |x, _y| x.atanh();
    recip = |x, _y| x.recip();
    signum = |x, _y| x.signum();
    floor = |x, _y| x.floor();
    ceil = |x, _y| x.ceil();
    trunc = |x, _y| x.trunc();
    round = |x, _y| x.round();
    fract = |x, _y| x.fract();
    to_degrees = |x, _y| x.to_degrees();
    to_radians = |x, _y| x.to_radians();
    neg = |x, _y| -x;
    add = |x, y| x + y;
    sub = |x, y| x - y;
    mul = |x, y| x * y;
    div = |x, y| x / y;
    powf = |x, y| x.powf(y);
    powi = |x, _y| x.powi(3);
    atan2 = |x, y| x.atan2(y);
    hypot = |x, y| x.hypot(y);
    copysign = |x, y| x.copysign(y);
    max = |x, y| x.max(y);
    min = |x, y| x.min(y);
    mul_add = |x, y| x.mul_add(y, x);
    clamp = |x, _y| x.clamp(-1.5, 2.0);
    greater = |x, y| x.gt(y).select(x, y);
}

fn context() -> Context {
    let ctx = Context::builder().device(Device::cpu()).build();
    ctx.unwrap()
}

#[track_caller]
fn assert_same(name: &str, ty: &str, alone: &[u64], compiled: &[u64]) {
    assert_eq!(alone.len(), compiled.len());
    let other = alone.iter().zip(compiled).position(|(a, b)| a != b);
    if let Some(n) = other {
        let (a, b) = (alone[n], compiled[n]);
        panic!("{name} of {ty}, element {n}: {a:x} alone, {b:x} in a program");
    }
}

#[test]
fn operations_by_themselves_give_the_bits_that_programs_give() {
    let signed = SPECIAL.iter().flat_map(|&x| [x, -x]);
    let grid = (0..=u32::MAX).step_by(STRIDE * 16).map(f32::from_bits);
    let data: Vec<f32> = signed.clone().map(|x| x as f32).chain(grid).collect();
    let mut other = data.clone();
    other.rotate_left(7);
    let array = |data: Vec<f32>| {
        let count = data.len();
        Array::from_vec_on(&Device::cpu(), data, [count])
    };
    single::check(&array(data), &array(other));
    let sizes = (-320..=308).flat_map(|n| [1.7f64, -3.1].map(|x| x * 10f64.powi(n)));
    let near = (0..4000).map(|n| f64::from(n) * 0.01 - 20.0);
    let data: Vec<f64> = signed.chain(sizes).chain(near).collect();
    let mut other = data.clone();
    other.rotate_left(7);
    let array = |data: Vec<f64>| {
        let count = data.len();
        Array::from_vec_on(&Device::cpu(), data, [count])
    };
    wide::check(&array(data), &array(other));
}

/// What debug mode adds keeps operations from being computed together, and nothing else.
#[test]
fn debug_mode_gives_the_same_bits() {
    #[differentiable]
    fn chain(x: &Array<f32>) -> Array<f32> {
        (x.exp() * 0.3).tanh().powf(1.7).sin()
    }
    let data = (0..1000).map(|n| n as f32 * 0.01 - 5.0).collect();
    let x = Array::from_vec_on(&Device::cpu(), data, [1000]);
    let value = |debug: bool| {
        let ctx = Context::builder().device(Device::cpu()).debug(debug);
        let rule = ctx.build().unwrap().build_rrule::<chain>().unwrap();
        rule.value((&x,)).unwrap().to_vec().unwrap()
    };
    let bits = |x: Vec<f32>| -> Vec<u32> { x.into_iter().map(f32::to_bits).collect() };
    let expected = bits(value(false));
    assert_eq!(bits(value(true)), expected);
    assert_eq!(bits(chain(&x).to_vec().unwrap()), expected);
}

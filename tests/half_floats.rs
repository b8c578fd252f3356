//! Arrays of `f16`: their elements have the bits of the crate `half` on every device, natively and within programs.

#[path = "support/devices.rs"]
mod common;

use common::devices;
use mooncake::prelude::*;
use mooncake::testing::{Ran, kernels_run};
use mooncake::{Const, f16};

/// Every `f16`.
fn all() -> Vec<f16> {
    (0..=u16::MAX).map(f16::from_bits).collect()
}

/// Numbers of `f32` that are hard to round: all `f16`, what lies halfway between neighbours, and what is next to these; numbers from everywhere.
fn hard() -> Vec<f32> {
    let mut numbers = Vec::new();
    for bits in 0..0x7c00u16 {
        let (low, high) = (f16::from_bits(bits), f16::from_bits(bits + 1));
        // The largest number would be followed by 65536, if there were that.
        let high = if high.is_finite() {
            high.to_f32()
        } else {
            65536.0
        };
        let middle = (low.to_f32() + high) / 2.0;
        for exact in [low.to_f32(), middle] {
            let bits = exact.to_bits();
            let near = [bits.saturating_sub(1), bits, bits + 1];
            numbers.extend(near.map(f32::from_bits));
        }
    }
    numbers.extend((0..1u32 << 31).step_by(8191).map(f32::from_bits));
    let special = [
        f32::INFINITY,
        f32::MAX,
        f32::MIN_POSITIVE,
        65504.0,
        65519.996,
        65520.0,
    ];
    numbers.extend(special);
    numbers.extend([0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff, 0x7fa0_1234].map(f32::from_bits));
    let negative: Vec<f32> = numbers.iter().map(|x| -x).collect();
    numbers.extend(negative);
    numbers
}

fn bits_of(all: &[f16]) -> Vec<u16> {
    all.iter().map(|x| x.to_bits()).collect()
}

fn words_of(all: &[f32]) -> Vec<u32> {
    all.iter().map(|x| x.to_bits()).collect()
}

#[differentiable]
fn widened(x: &Array<f16>) -> Array<f32> {
    x.to_f32()
}

#[differentiable]
fn narrowed(x: &Array<f32>) -> Array<f16> {
    x.to_f16()
}

fn same<T: PartialEq + std::fmt::Debug, X: std::fmt::Debug>(
    what: &str,
    x: &[X],
    found: &[T],
    expected: &[T],
) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for ((x, found), expected) in x.iter().zip(found).zip(expected) {
        assert_eq!(found, expected, "{what}: {x:?}");
    }
}

#[test]
fn every_number_widens_as_in_half() {
    let data = all();
    let expected: Vec<f32> = data.iter().map(|x| x.to_f32()).collect();
    let expected = words_of(&expected);
    for device in devices() {
        let x = Array::from_vec_on(&device, data.clone(), [data.len()]);
        assert_eq!(bits_of(&x.to_vec().unwrap()), bits_of(&data), "{device}");
        let found = words_of(&x.to_f32().to_vec().unwrap());
        same(&format!("natively on {device}"), &data, &found, &expected);
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let found = ctx.build_rrule::<widened>().unwrap().value((&x,)).unwrap();
        let found = words_of(&found.to_vec().unwrap());
        same(
            &format!("in a program on {device}"),
            &data,
            &found,
            &expected,
        );
    }
}

#[test]
fn every_number_narrows_as_in_half() {
    let data = hard();
    let expected: Vec<f16> = data.iter().map(|&x| f16::from_f32(x)).collect();
    let expected = bits_of(&expected);
    for device in devices() {
        let x = Array::from_vec_on(&device, data.clone(), [data.len()]);
        let found = bits_of(&x.to_f16().to_vec().unwrap());
        same(&format!("natively on {device}"), &data, &found, &expected);
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let found = ctx.build_rrule::<narrowed>().unwrap().value((&x,)).unwrap();
        let found = bits_of(&found.to_vec().unwrap());
        same(
            &format!("in a program on {device}"),
            &data,
            &found,
            &expected,
        );
    }
}

#[test]
fn debug_mode_names_a_number_that_becomes_infinite() {
    for (device, ctx) in contexts() {
        let x = Array::from_vec_on(&device, vec![1.0, 1e5], [2]);
        let done = ctx.build_rrule::<narrowed>().unwrap().value((&x,));
        match ctx.debug() {
            true => {
                let message = done.unwrap_err().to_string();
                assert!(message.contains("gives what is not finite"), "{message}");
            }
            false => assert_eq!(done.unwrap().to_vec().unwrap()[1], f16::INFINITY),
        }
    }
}

/// The numbers 0, 1, … as they are stored, in this shape.
fn counted(device: &Device, shape: &[usize]) -> Array<f16> {
    let count: usize = shape.iter().product();
    let data = (0..count).map(|n| f16::from_f32(n as f32)).collect();
    Array::from_vec_on(device, data, shape)
}

/// Operations that only move elements give the same of `f16` as of `f32`, and so do their derivatives.
macro_rules! moves {
    ($($name:ident: |$x:ident, $y:ident, $index:ident| $result:expr;)*) => {
        mod moved {
            use super::*;
            $(
                #[differentiable]
                #[allow(unused_variables)]
                pub fn $name($x: &Array<f16>, $y: &Array<f16>, $index: &Array<u32>) -> Array<f16> {
                    $result
                }
            )*
        }
        mod of_halves {
            use super::*;
            $(
                #[differentiable]
                #[allow(unused_variables)]
                pub fn $name($x: &Array<f16>, $y: &Array<f16>, $index: &Array<u32>) -> f32 {
                    let z = { $result }.to_f32();
                    (&z * &z * &z).sum().to_scalar()
                }
            )*
        }
        mod of_singles {
            use super::*;
            $(
                #[differentiable]
                #[allow(unused_variables)]
                pub fn $name($x: &Array<f32>, $y: &Array<f32>, $index: &Array<u32>) -> f32 {
                    let z = $result;
                    (&z * &z * &z).sum().to_scalar()
                }
            )*
        }
        #[test]
        fn elements_move_as_those_of_f32() {
            for (device, ctx) in contexts() {
                let index = &Array::from_vec_on(&device, vec![2u32, 0, 1, 2, 2], [5]);
                let repeated = counted(&device, &[5, 5]).slice((1..4, 0..1));
                $({
                    let what = format!("{} on {device}", stringify!($name));
                    let moved = ctx.build_rrule::<moved::$name>().unwrap();
                    let of_halves = ctx.build_rrule::<of_halves::$name>().unwrap();
                    let of_singles = ctx.build_rrule::<of_singles::$name>().unwrap();
                    for shape in [[3, 5], [3, 8]] {
                        let halves = [counted(&device, &shape), repeated.broadcast_to(shape)];
                        let singles = [halves[0].to_f32(), halves[1].to_f32()];
                        #[allow(unused_variables)]
                        let natively = { let ([$x, $y], $index) = (&halves, index); $result };
                        #[allow(unused_variables)]
                        let expected = { let ([$x, $y], $index) = (&singles, index); $result };
                        assert_eq!(natively.to_f32(), expected, "{what}, natively");
                        let args = (&halves[0], &halves[1], index);
                        let found = moved.value(args).unwrap();
                        assert_eq!(found.to_f32(), expected, "{what}");
                        let found = of_halves.value_and_gradient(args).unwrap();
                        let args = (&singles[0], &singles[1], index);
                        let expected = of_singles.value_and_gradient(args).unwrap();
                        assert_eq!(found, expected, "{what}");
                    }
                })*
            }
        }
    };
}
moves! {
    reshaped: |x, y, index| x.reshape([x.len() / 3, 3]);
    permuted: |x, y, index| x.permute([1, 0]).reshape([x.len()]);
    transposed: |x, y, index| x.t();
    sliced: |x, y, index| x.slice((1..3, (0..5).step_by(2)));
    one_row: |x, y, index| x.slice(1);
    with_part: |x, y, index| x.with_slice((0..2, 1), y.slice((1..3, 0)));
    broadcast: |x, y, index| x.expand_dims(0).broadcast_to([2, x.dim(0), x.dim(1)]);
    joined: |x, y, index| x.concat(y, 1);
    stacked: |x, y, index| x.stack(y, 1);
    padded: |x, y, index| x.pad(1, 2, 1);
    flipped: |x, y, index| x.flip(1).flip(0);
    rolled: |x, y, index| x.roll(1, -2);
    repeated: |x, y, index| x.repeat(0, 3);
    second_part: |x, y, index| x.split(0, [1, 2]).remove(1);
    taken: |x, y, index| x.take(0, index);
    gathered: |x, y, index| x.gather(1, &index.slice(0..3).reshape([3, 1]));
    lower: |x, y, index| x.tril(0);
    upper: |x, y, index| x.triu(1);
    zeros: |x, y, index| x.pad(0, 1, 0).narrow(0, 0, 2);
    turned: |x, y, index| x.swap_axes(0, 1).expand_dims(1).squeeze(1);
}

/// A program that stores its data and its weights in 16 bits.
#[differentiable]
fn weighted(x: &Array<f16>, w: &Array<f32>) -> f32 {
    (x.to_f32().sin() * w).sum().to_scalar()
}

/// A program that rounds a value on the way.
#[differentiable]
fn rounded(w: &Array<f32>) -> f32 {
    let stored = (w * 3.0).to_f16();
    (stored.to_f32() * w).sum().to_scalar()
}

/// The same array read twice, once in another shape.
#[differentiable]
fn read_twice(x: &Array<f16>) -> f32 {
    let y = x.to_f32();
    let rows = x.to_f32().sum_axis(1).expand_dims(1);
    (&y * &y * rows).sum().to_scalar()
}

/// Parts of an array, moved before they are converted.
#[differentiable]
fn in_parts(x: &Array<f16>) -> f32 {
    let most = x.slice(3..).pad(0, 1, 2).to_f32();
    let rest = x
        .flip(0)
        .slice(..x.len() - 10)
        .reshape([2, (x.len() - 10) / 2])
        .to_f32();
    (&most * &most * &most).sum().to_scalar() + (&rest * &rest * &rest).sum().to_scalar()
}

fn contexts() -> Vec<(Device, Context)> {
    let mut all = Vec::new();
    for device in devices() {
        for debug in [false, true] {
            let builder = Context::builder().device(device.clone());
            all.push((device.clone(), builder.debug(debug).build().unwrap()));
        }
    }
    all
}

fn close(what: &str, found: &Array<f32>, expected: impl Fn(usize) -> f64) {
    for (n, &found) in found.to_vec().unwrap().iter().enumerate() {
        let expected = expected(n);
        assert!(
            (f64::from(found) - expected).abs() <= 1e-5 * (1.0 + expected.abs()),
            "{what}: {n}: {found} {expected}"
        );
    }
}

#[test]
fn the_gradient_of_an_array_of_halves_is_an_array_of_f32() {
    let count = 1000;
    let data: Vec<f16> = (0..count)
        .map(|n| f16::from_f32((n as f32 * 0.37).sin()))
        .collect();
    let weights: Vec<f32> = (0..count).map(|n| (n as f32 * 0.11).cos()).collect();
    for (device, ctx) in contexts() {
        let what = device.to_string();
        let x = Array::from_vec_on(&device, data.clone(), [count]);
        let w = Array::from_vec_on(&device, weights.clone(), [count]);
        let (at, of) = (
            |n: usize| f64::from(data[n].to_f32()),
            |n: usize| f64::from(weights[n]),
        );
        let rule = ctx.build_rrule::<weighted>().unwrap();
        let (value, (dx, dw)) = rule.value_and_gradient((&x, &w)).unwrap();
        let expected: f64 = (0..count).map(|n| at(n).sin() * of(n)).sum();
        assert!(
            (f64::from(value) - expected).abs() < 1e-3,
            "{what}: {value} {expected}"
        );
        close(&what, &dx, |n| at(n).cos() * of(n));
        close(&what, &dw, |n| at(n).sin());
        let (_, (only, ())) = rule.value_and_gradient((&x, Const(&w))).unwrap();
        close(&what, &only, |n| at(n).cos() * of(n));
    }
}

#[test]
fn a_conversion_to_halves_passes_cotangents_on() {
    let count = 300;
    let weights: Vec<f32> = (0..count).map(|n| (n as f32 * 0.11).cos()).collect();
    for (device, ctx) in contexts() {
        let what = device.to_string();
        let w = Array::from_vec_on(&device, weights.clone(), [count]);
        let stored = |n: usize| f64::from(f16::from_f32(weights[n] * 3.0).to_f32());
        let (_, (dw,)) = ctx
            .build_rrule::<rounded>()
            .unwrap()
            .value_and_gradient((&w,))
            .unwrap();
        close(&what, &dw, |n| stored(n) + 3.0 * f64::from(weights[n]));
        let x = w.to_f16().reshape([30, 10]);
        let at = |n: usize| f64::from(f16::from_f32(weights[n]).to_f32());
        let row = |n: usize| (n / 10 * 10..n / 10 * 10 + 10).map(at).sum::<f64>();
        let squares = |n: usize| {
            (n / 10 * 10..n / 10 * 10 + 10)
                .map(|n| at(n) * at(n))
                .sum::<f64>()
        };
        let (_, (dx,)) = ctx
            .build_rrule::<read_twice>()
            .unwrap()
            .value_and_gradient((&x,))
            .unwrap();
        close(&what, &dx, |n| 2.0 * at(n) * row(n) + squares(n));
        assert_eq!(dx.shape(), [30, 10], "{what}");
    }
}

#[test]
fn tangents_and_hessian_products_are_arrays_of_f32() {
    let count = 40;
    let data: Vec<f16> = (0..count)
        .map(|n| f16::from_f32((n as f32 * 0.37).sin()))
        .collect();
    let weights: Vec<f32> = (0..count).map(|n| (n as f32 * 0.11).cos()).collect();
    let along: Vec<f32> = (0..count).map(|n| 0.5 + n as f32 * 0.01).collect();
    for (device, ctx) in contexts() {
        let what = device.to_string();
        let x = Array::from_vec_on(&device, data.clone(), [count]);
        let w = Array::from_vec_on(&device, weights.clone(), [count]);
        let v = Array::from_vec_on(&device, along.clone(), [count]);
        let (at, of) = (
            |n: usize| f64::from(data[n].to_f32()),
            |n: usize| f64::from(weights[n]),
        );
        let rule = ctx.build_frule::<weighted>().unwrap();
        let (_, moved) = rule.value_and_derivative((&x, &w), (&v, ())).unwrap();
        let expected: f64 = (0..count)
            .map(|n| at(n).cos() * of(n) * f64::from(along[n]))
            .sum();
        assert!(
            (f64::from(moved) - expected).abs() < 1e-4,
            "{what}: {moved} {expected}"
        );
        let rule = ctx.build_hvp::<weighted>().unwrap();
        let (_, _, (dx, dw)) = rule.value_gradient_and_hvp((&x, &w), (&v, ())).unwrap();
        close(&what, &dx, |n| -at(n).sin() * of(n) * f64::from(along[n]));
        close(&what, &dw, |n| at(n).cos() * f64::from(along[n]));
        let rule = ctx.build_hvp::<in_parts>().unwrap();
        let (_, _, (found,)) = rule.value_gradient_and_hvp((&x,), (&v,)).unwrap();
        // The third powers of the elements from 3 on, those from 10 on twice.
        let times = |n: usize| match n {
            0..3 => 0.0,
            3..10 => 1.0,
            _ => 2.0,
        };
        close(&what, &found, |n| {
            6.0 * times(n) * at(n) * f64::from(along[n])
        });
        let narrowed = ctx.build_frule::<narrowed>().unwrap();
        let (stored, moved) = narrowed.value_and_derivative((&w,), (&v,)).unwrap();
        assert_eq!(stored, w.to_f16(), "{what}");
        assert_eq!(moved, v, "{what}");
    }
}

/// As `weighted`, of arrays that are stored in 32 bits.
#[differentiable]
fn weighted_in_full(x: &Array<f32>, w: &Array<f32>) -> f32 {
    (x.sin() * w).sum().to_scalar()
}

#[test]
fn a_kernel_reads_and_writes_halves_itself() {
    let count = 4096;
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let x = counted(&device, &[64, 64]);
        let full = x.to_f32();
        let w = &full * 0.5;
        let (of_halves, of_singles) = (
            ctx.build_rrule::<weighted>().unwrap(),
            ctx.build_rrule::<weighted_in_full>().unwrap(),
        );
        let (found, ran) = kernels_run(|| of_halves.value_and_gradient((&x, &w)));
        let (expected, in_full) = kernels_run(|| of_singles.value_and_gradient((&full, &w)));
        // The order in which a total is added depends on the kernel.
        let ((value, gradient), (in_single, expected)) = (found.unwrap(), expected.unwrap());
        assert!(
            (value - in_single).abs() < 1e-2,
            "{device}: {value} {in_single}"
        );
        assert_eq!(gradient, expected, "{device}");
        let bytes = |ran: &[Ran]| ran.iter().map(Ran::bytes).sum::<usize>();
        assert_eq!(ran.len(), in_full.len(), "{device}");
        // The conversion is part of the kernel, which reads half as much of `x`.
        assert_eq!(bytes(&ran) + 2 * count, bytes(&in_full), "{device}");
        let narrow = ctx.build_rrule::<scaled>().unwrap();
        let (found, ran) = kernels_run(|| narrow.value((&x, 3.0)));
        assert_eq!(found.unwrap(), (&full * 3.0).to_f16(), "{device}");
        // The factor takes four bytes.
        assert_eq!((ran.len(), bytes(&ran)), (1, 4 * count + 4), "{device}");
    }
}

/// A program from halves to halves.
#[differentiable]
fn scaled(x: &Array<f16>, by: f32) -> Array<f16> {
    (x.to_f32() * by).to_f16()
}

/// A gradient penalty of what a program stores on the way.
#[differentiable]
fn penalty(x: &Array<f16>) -> f32 {
    let g = mooncake::gradient(
        |y: &Array<f32>| {
            let y = y.to_f16().to_f32();
            (&y * &y * &y).sum().to_scalar()
        },
        &x.to_f32(),
    );
    (&g * &g).sum().to_scalar()
}

#[derive(Differentiable, Clone)]
struct Holder {
    x: Array<f16>,
    many: Vec<Array<f16>>,
}

/// A struct and a vector that hold such arrays.
#[differentiable]
fn of_holder(h: &Holder) -> f32 {
    let mut sum = h.x.to_f32().sin().sum().to_scalar();
    for one in &h.many {
        sum += (one.to_f32() * h.x.to_f32()).sum().to_scalar();
    }
    sum
}

/// A variable of this type in a loop and a branch.
#[differentiable]
fn with_choice(x: &Array<f16>, n: usize) -> f32 {
    let mut y = x.clone();
    for k in 0..n {
        y = if k % 2 == 0 {
            (y.to_f32() * 1.5).to_f16()
        } else {
            y.flip(0)
        };
    }
    y.to_f32().sum().to_scalar()
}

/// Without the derivative of one of two uses.
#[differentiable]
fn stopped(x: &Array<f16>) -> f32 {
    (mooncake::stop_gradient(x.clone()).to_f32() * x.to_f32())
        .sum()
        .to_scalar()
}

/// Arrays that the program makes.
#[differentiable]
fn made(w: &Array<f32>) -> f32 {
    let z = Array::<f16>::zeros([2]).concat(&w.to_f16(), 0);
    (z.to_f32() * z.to_f32() + Array::<f16>::ones([6]).to_f32())
        .sum()
        .to_scalar()
}

#[test]
fn arrays_of_halves_are_values_like_others() {
    for (device, ctx) in contexts() {
        let x = counted(&device, &[4]);
        let full = x.to_f32();
        let of = |data: &[f32]| Array::from_vec_on(&device, data.to_vec(), [data.len()]);
        let rule = ctx.build_rrule::<penalty>().unwrap();
        let (_, (dx,)) = rule.value_and_gradient((&x,)).unwrap();
        assert_eq!(dx, of(&[0.0, 36.0, 288.0, 972.0]), "{device}");
        let holder = Holder {
            x: x.clone(),
            many: vec![x.clone(), x.clone()],
        };
        let rule = ctx.build_rrule::<of_holder>().unwrap();
        let (_, (dh,)) = rule.value_and_gradient((&holder,)).unwrap();
        close("holder", &dh.x, |n| (n as f64).cos() + 2.0 * n as f64);
        assert_eq!(dh.many, [full.clone(), full.clone()], "{device}");
        let rule = ctx.build_rrule::<with_choice>().unwrap();
        let (value, (dx, ())) = rule.value_and_gradient((&x, 3)).unwrap();
        assert_eq!((value, dx), (13.5, of(&[2.25; 4])), "{device}");
        let rule = ctx.build_rrule::<stopped>().unwrap();
        let (value, (dx,)) = rule.value_and_gradient((&x,)).unwrap();
        assert_eq!((value, dx), (14.0, full.clone()), "{device}");
        let rule = ctx.build_rrule::<made>().unwrap();
        let (value, (dw,)) = rule.value_and_gradient((&full,)).unwrap();
        assert_eq!((value, dw), (20.0, &full * 2.0), "{device}");
        // One argument by value.
        let rule = ctx.build_rrule::<taken_by_value>().unwrap();
        let (found, (dx,)) = rule.value_and_gradient((x.clone(),)).unwrap();
        assert_eq!((found, dx), (6.0, of(&[1.0; 4])), "{device}");
    }
}

#[differentiable]
fn taken_by_value(x: Array<f16>) -> f32 {
    x.to_f32().sum().to_scalar()
}

#[test]
fn a_pullback_takes_and_gives_arrays_of_f32() {
    for (device, ctx) in contexts() {
        let x = counted(&device, &[3]);
        let seed = Array::from_vec_on(&device, vec![1e-7f32, 1.0, 2.0], [3]);
        let rule = ctx.build_rrule::<scaled>().unwrap();
        let (value, pullback) = rule.value_and_pullback((&x, 3.0)).unwrap();
        assert_eq!(value, (x.to_f32() * 3.0).to_f16(), "{device}");
        // A cotangent that would be 0 in 16 bits.
        let (dx, dby) = pullback(seed.clone());
        assert_eq!((dx, dby), (&seed * 3.0, 5.0), "{device}");
    }
}

#[test]
fn values_move_along_tangents() {
    use mooncake::tangents::{add_to_primal, difference};
    let x = counted(&Device::cpu(), &[3]);
    let dx = Array::from_vec_on(&Device::cpu(), vec![1.0f32, 1e-5, -4.0], [3]);
    let moved = add_to_primal(&x, 0.5, &dx).unwrap();
    let expected = [0.5, 1.0, 0.0].map(f16::from_f32);
    assert_eq!(moved.to_vec().unwrap(), expected);
    let from = difference(&moved, &x).unwrap();
    assert_eq!(from.to_vec().unwrap(), [0.5, 0.0, -2.0]);
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let w = x.to_f32();
    test_rule::<weighted>(&ctx, (Const(&x), &w)).unwrap();
    let message = test_rule::<weighted>(&ctx, (&x, &w)).unwrap_err();
    let expected = "elements of an array of `f16` are not moved by small steps";
    assert!(message.to_string().contains(expected), "{message}");
}

//! Elementary functions of two numbers.

use super::Range::{Even, Positive, Wide};
use super::double::Double;
use super::{Range, SAMPLES, SPECIAL, distance_f64, distance_in_kernel, same, worst};
use mooncake::prelude::*;
use std::fmt::Write;

/// A function of two numbers.
struct Row {
    name: &'static str,
    wide: fn(f64, f64) -> f64,
    exact: fn(Double, Double) -> Double,
    ranges: &'static [[Range; 2]],
}

const ROWS: &[Row] = &[
    Row {
        name: "atan2",
        wide: f64::atan2,
        exact: Double::atan2,
        ranges: &[
            [Even(-2.0, 1.9), Even(-2.0, 1.9)],
            [Wide(1e-3, 1e3), Wide(1e-3, 1e3)],
            [Wide(1e-100, 1e100), Wide(1e-100, 1e100)],
        ],
    },
    Row {
        name: "hypot",
        wide: f64::hypot,
        exact: Double::hypot,
        ranges: &[
            [Even(-2.0, 1.9), Even(-2.0, 1.9)],
            [Wide(1e-3, 1e3), Wide(1e-3, 1e3)],
            [Wide(1e-300, 1e300), Wide(1e-300, 1e300)],
        ],
    },
    Row {
        name: "log",
        wide: f64::log,
        exact: Double::log,
        ranges: &[
            [Even(0.5, 2.0), Even(2.0, 10.0)],
            [Positive(1e-300, 1e299), Positive(1e-3, 999.0)],
        ],
    },
    Row {
        name: "powf",
        wide: f64::powf,
        exact: Double::powf,
        ranges: &[
            [Even(0.5, 2.0), Even(-100.0, 100.0)],
            [Positive(0.1, 10.0), Even(-300.0, 300.0)],
            [Positive(1e-300, 1e300), Even(-1.0, 1.0)],
            [Even(0.9, 1.1), Even(-3000.0, 3000.0)],
        ],
    },
];

/// The functions mapped over arrays.
macro_rules! mapped {
    ($module:ident, $float:ty, $($function:ident),*) => {
        mod $module {
            use mooncake::prelude::*;

            $(#[differentiable]
            pub fn $function(x: &Array<$float>, z: &Array<$float>) -> Array<$float> {
                x.map2(z, |a, b| a.$function(b))
            })*

            /// The values of a function.
            pub fn values(ctx: &Context, name: &str, args: &[(f64, f64)]) -> Vec<f64> {
                let array = |data: Vec<$float>| {
                    Array::from_vec_on(ctx.device(), data, [args.len()])
                };
                let x = array(args.iter().map(|pair| pair.0 as $float).collect());
                let z = array(args.iter().map(|pair| pair.1 as $float).collect());
                let y = match name {
                    $(stringify!($function) => ctx.build_rrule::<$function>().unwrap().value((&x, &z)).unwrap(),)*
                    _ => panic!("{name} is not mapped"),
                };
                y.to_vec().unwrap().into_iter().map(f64::from).collect()
            }
        }
    };
}
mapped!(single, f32, atan2, hypot, log, powf);
mapped!(wide, f64, atan2, hypot, log, powf);

/// Both numbers from ranges, which are walked at steps without a common period.
fn samples(ranges: &[Range; 2]) -> Vec<(f64, f64)> {
    let t = |i: usize, step: f64| (0.5 + i as f64 * step).fract();
    let sign = |bit: usize| if bit.is_multiple_of(2) { 1.0 } else { -1.0 };
    let at = |i: usize| {
        let first = ranges[0].at(t(i, 0.754_877_666_246_692_7), sign(i));
        (
            first,
            ranges[1].at(t(i, 0.569_840_290_998_053_3), sign(i / 2)),
        )
    };
    (0..SAMPLES).map(at).collect()
}

/// Numbers of all sizes, and in the ranges.
fn samples_f32(row: &Row) -> Vec<(f64, f64)> {
    let mut state = 1u64;
    let mut bits = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        f64::from(f32::from_bits((state >> 32) as u32))
    };
    let rounded = |(x, z): (f64, f64)| (f64::from(x as f32), f64::from(z as f32));
    let of_ranges = row.ranges.iter().flat_map(samples).map(rounded);
    let of_all = (0..500_000).map(|_| (bits(), bits()));
    of_all.chain(of_ranges).collect()
}

#[test]
fn functions_of_two_numbers_are_within_two_units_in_the_last_place() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let (mut report, mut is_wrong) = (String::new(), false);
    for row in ROWS {
        let args = samples_f32(row);
        let found = single::values(&ctx, row.name, &args);
        let of =
            |(&(x, z), y): (&(f64, f64), f64)| ((x, z), distance_in_kernel(y, (row.wide)(x, z)));
        let in_f32 = worst(args.iter().zip(found).map(of));
        let args: Vec<(f64, f64)> = row.ranges.iter().flat_map(samples).collect();
        let found = wide::values(&ctx, row.name, &args);
        let of = |(&(x, z), y): (&(f64, f64), f64)| {
            let expected = (row.exact)(x.into(), z.into());
            ((x, z), distance_f64(y, expected))
        };
        let in_f64 = worst(args.iter().zip(found).map(of));
        let worst = [in_f32.1, in_f64.1];
        is_wrong |= worst.iter().any(|off| off.is_nan() || *off > 2.0);
        writeln!(report, "{}: f32 {in_f32:?}, f64 {in_f64:?}", row.name).unwrap();
    }
    println!("{report}");
    assert!(!is_wrong, "more than 2 units:\n{report}");
}

#[test]
fn functions_of_two_numbers_agree_at_special_numbers() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let mut report = String::new();
    let signed: Vec<f64> = SPECIAL.iter().flat_map(|&x| [x, -x]).collect();
    for row in ROWS {
        let pairs = signed
            .iter()
            .flat_map(|&x| signed.iter().map(move |&z| (x, z)));
        let pairs: Vec<(f64, f64)> = pairs.collect();
        let singles = pairs
            .iter()
            .map(|&(x, z)| (f64::from(x as f32), f64::from(z as f32)));
        let singles: Vec<(f64, f64)> = singles.collect();
        let found = [
            (
                singles.clone(),
                single::values(&ctx, row.name, &singles),
                true,
            ),
            (pairs.clone(), wide::values(&ctx, row.name, &pairs), false),
        ];
        for (args, values, is_single) in found {
            for ((x, z), found) in args.into_iter().zip(values) {
                let expected = (row.wide)(x, z);
                let off = match is_single {
                    true => distance_in_kernel(found, expected),
                    false if same(found, expected) => 0.0,
                    false => (found - expected).abs() / super::unit(expected, 53, -1022),
                };
                let signs =
                    found.is_nan() || found.is_sign_negative() == expected.is_sign_negative();
                if !(off <= 2.0 && signs) {
                    let ty = if is_single { "f32" } else { "f64" };
                    writeln!(
                        report,
                        "{} of {ty}: at ({x:e}, {z:e}) it gives {found:e}; expected {expected:e}",
                        row.name
                    )
                    .unwrap();
                }
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Whole powers of arrays have the bits of Rust's own, in a program, where the exponent may be known or not, and outside. In f32 zero is allowed where a
/// result is subnormal, and where one of the squares on the way was.
#[test]
fn whole_powers_are_the_products_that_rust_computes() {
    #[differentiable]
    fn double(x: &Array<f64>, n: i32) -> Array<f64> {
        x.map(|v| v.powi(n))
    }
    #[differentiable]
    fn single(x: &Array<f32>, n: i32) -> Array<f32> {
        x.map(|v| v.powi(n))
    }
    #[differentiable]
    fn cube(x: &Array<f64>) -> Array<f64> {
        x.powi(3)
    }
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let special = SPECIAL.iter().flat_map(|&x| [x, -x]);
    let points: Vec<f64> = special
        .chain((0..101).map(|n| (n as f64 - 50.0) / 17.0))
        .collect();
    let narrow: Vec<f32> = points.iter().map(|&x| x as f32).collect();
    let x = Array::from_vec_on(ctx.device(), points.clone(), [points.len()]);
    let x32 = Array::from_vec_on(ctx.device(), narrow.clone(), [points.len()]);
    let (double, single) = (
        ctx.build_rrule::<double>().unwrap(),
        ctx.build_rrule::<single>().unwrap(),
    );
    let equal = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    for n in [
        i32::MIN,
        -1000,
        -33,
        -32,
        -31,
        -3,
        -2,
        -1,
        0,
        1,
        2,
        3,
        4,
        5,
        7,
        16,
        31,
        32,
        100,
        i32::MAX,
    ] {
        let found = [
            x.powi(n).to_vec().unwrap(),
            double.value((&x, n)).unwrap().to_vec().unwrap(),
        ];
        for (i, &v) in points.iter().enumerate() {
            let expected = v.powi(std::hint::black_box(n));
            for found in &found {
                assert!(equal(found[i], expected), "{v:e}^{n}: {:e}", found[i]);
            }
        }
        let found = [
            x32.powi(n).to_vec().unwrap(),
            single.value((&x32, n)).unwrap().to_vec().unwrap(),
        ];
        for (i, &v) in narrow.iter().enumerate() {
            let expected = v.powi(std::hint::black_box(n));
            let is_normal = (1..=31).all(|k| {
                let power = v.powi(std::hint::black_box(k));
                power == 0.0 || power.abs() >= f32::MIN_POSITIVE || power.is_nan()
            });
            for found in &found {
                let (a, b) = (f64::from(found[i]), f64::from(expected));
                let flushed = found[i] == 0.0 && (expected.is_subnormal() || !is_normal)
                    || !is_normal && n < 0;
                assert!(equal(a, b) || flushed, "{v:e}^{n}: {a:e} instead of {b:e}");
            }
        }
    }
    let cubes = ctx.build_rrule::<cube>().unwrap().value((&x,)).unwrap();
    for (found, v) in cubes.to_vec().unwrap().into_iter().zip(&points) {
        assert!(equal(found, v.powi(3)), "{v:e} cubed: {found:e}");
    }
}

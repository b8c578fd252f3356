//! How far each scalar function on f32 is from the correctly rounded value, on the adapter at hand: as kernels have it, which print expressions
//! of rows and copy WGSL.
//!
//! The reference is Rust's f64 function of the same f32 arguments. The bounds are those of the table in `rules-std`.

use mooncake::ir::parse::parse_module;
use mooncake::ir::{Prim, Type};
use mooncake::prelude::*;
use mooncake::registry::EntryKind;
use mooncake::testing::programs::mapped;
use std::collections::BTreeMap;

/// A function, what it should be, and the most units in the last place it may be off.
struct Row {
    name: &'static str,
    reference: fn(&[f64]) -> f64,
    /// For each argument.
    ranges: &'static [Range],
    bound: f64,
}

/// How an argument is sampled.
enum Range {
    /// Evenly.
    Even(f64, f64),
    /// Evenly in its logarithm, with both signs.
    Wide(f64, f64),
    /// Evenly in its logarithm, positive.
    Positive(f64, f64),
}
use Range::{Even, Positive, Wide};

macro_rules! row {
    ($name:ident, |$($x:ident),+| $reference:expr, [$($range:expr),+], $bound:expr) => {
        Row {
            name: stringify!($name),
            reference: |args| { let [$($x),+] = args else { unreachable!() }; $(let $x = *$x;)+ $reference },
            ranges: &[$($range),+],
            bound: $bound,
        }
    };
}

const ROWS: &[Row] = &[
    row!(acos, |x| x.acos(), [Even(-1.0, 1.0)], 2.0),
    row!(acosh, |x| x.acosh(), [Positive(1.0, 3.4e38)], 2.0),
    row!(asin, |x| x.asin(), [Wide(1e-20, 1.0)], 2.0),
    row!(asinh, |x| x.asinh(), [Wide(1e-20, 3.4e38)], 2.0),
    row!(atan, |x| x.atan(), [Wide(1e-20, 1e20)], 2.0),
    row!(
        atan2,
        |a, b| a.atan2(b),
        [Wide(1e-3, 1e3), Wide(1e-3, 1e3)],
        2.0
    ),
    row!(atanh, |x| x.atanh(), [Wide(1e-20, 1.0)], 2.0),
    row!(cbrt, |x| x.cbrt(), [Wide(1e-30, 1e30)], 2.0),
    row!(
        clamp,
        |x, a, b| x.clamp(a, b),
        [Even(-3.0, 3.0), Even(-2.0, -1.0), Even(1.0, 2.0)],
        0.0
    ),
    row!(cos, |x| x.cos(), [Even(-1000.0, 1000.0)], 2.0),
    row!(cos, |x| x.cos(), [Wide(1e-20, 3.4e38)], 2.0),
    row!(cosh, |x| x.cosh(), [Wide(1e-3, 89.0)], 2.0),
    row!(
        div_euclid,
        |a, b| a.div_euclid(b),
        [Even(-100.0, 100.0), Wide(0.5, 5.0)],
        0.0
    ),
    row!(
        equals,
        |a, b| f64::from(a == b),
        [Even(-1.0, 1.0), Even(-1.0, 1.0)],
        0.0
    ),
    row!(exp, |x| x.exp(), [Wide(1e-6, 87.0)], 2.0),
    row!(exp2, |x| x.exp2(), [Wide(1e-6, 126.0)], 2.0),
    row!(exp_m1, |x| x.exp_m1(), [Wide(1e-20, 88.0)], 2.0),
    row!(first, |a, _b| a, [Even(-1.0, 1.0), Even(-1.0, 1.0)], 0.0),
    row!(fract, |x| x.fract(), [Wide(1e-3, 1e6)], 0.0),
    row!(
        hypot,
        |a, b| a.hypot(b),
        [Wide(1e-15, 1e15), Wide(1e-15, 1e15)],
        2.0
    ),
    row!(ln, |x| x.ln(), [Positive(1e-45, 3.4e38)], 2.0),
    row!(ln_1p, |x| x.ln_1p(), [Wide(1e-20, 0.999)], 2.0),
    row!(ln_1p, |x| x.ln_1p(), [Positive(0.5, 3.4e38)], 2.0),
    row!(
        log,
        |x, b| x.log(b),
        [Positive(1e-10, 1e10), Positive(1.5, 100.0)],
        2.0
    ),
    row!(log10, |x| x.log10(), [Positive(1e-45, 3.4e38)], 2.0),
    row!(log2, |x| x.log2(), [Positive(1e-45, 3.4e38)], 2.0),
    row!(
        max,
        |a, b| a.max(b),
        [Even(-1.0, 1.0), Even(-1.0, 1.0)],
        0.0
    ),
    row!(
        max_or_nan,
        |a, b| if a.is_nan() || b.is_nan() {
            f64::NAN
        } else {
            a.max(b)
        },
        [Even(-1.0, 1.0), Even(-1.0, 1.0)],
        0.0
    ),
    row!(
        midpoint,
        |a, b| a.midpoint(b),
        [Even(1.0, 2.0), Even(1.0, 2.0)],
        1.0
    ),
    row!(
        min,
        |a, b| a.min(b),
        [Even(-1.0, 1.0), Even(-1.0, 1.0)],
        0.0
    ),
    row!(
        min_or_nan,
        |a, b| if a.is_nan() || b.is_nan() {
            f64::NAN
        } else {
            a.min(b)
        },
        [Even(-1.0, 1.0), Even(-1.0, 1.0)],
        0.0
    ),
    row!(
        mul_add,
        |x, a, b| x.mul_add(a, b),
        [Even(1.0, 2.0), Even(1.0, 2.0), Even(1.0, 2.0)],
        2.0
    ),
    row!(
        powf,
        |x, n| x.powf(n),
        [Positive(1e-4, 1e4), Even(-9.0, 9.0)],
        2.0
    ),
    row!(
        powi,
        |x, n| x.powi(n as i32),
        [Wide(0.2, 5.0), Even(-20.0, 20.0)],
        16.0
    ),
    row!(recip, |x| x.recip(), [Wide(1e-30, 1e30)], 2.0),
    row!(
        rem_euclid,
        |a, b| a.rem_euclid(b),
        [Even(-100.0, 100.0), Wide(0.5, 5.0)],
        0.0
    ),
    row!(round, |x| x.round(), [Wide(0.1, 1e8)], 0.0),
    row!(
        round_ties_even,
        |x| x.round_ties_even(),
        [Wide(0.1, 1e8)],
        0.0
    ),
    row!(
        share,
        |a, r| if r == 0.0 { 0.0 } else { a / r },
        [Wide(0.1, 10.0), Positive(0.1, 10.0)],
        2.0
    ),
    row!(signum, |x| x.signum(), [Wide(1e-30, 1e30)], 0.0),
    row!(sin, |x| x.sin(), [Even(-1000.0, 1000.0)], 2.0),
    row!(sin, |x| x.sin(), [Wide(1e-20, 3.4e38)], 2.0),
    row!(sinh, |x| x.sinh(), [Wide(1e-20, 89.0)], 2.0),
    row!(tan, |x| x.tan(), [Even(-1000.0, 1000.0)], 2.0),
    row!(tan, |x| x.tan(), [Wide(1e-20, 3.4e38)], 2.0),
    row!(tanh, |x| x.tanh(), [Wide(1e-20, 20.0)], 2.0),
    row!(to_degrees, |x| x.to_degrees(), [Wide(1e-3, 1e3)], 1.0),
    row!(to_radians, |x| x.to_radians(), [Wide(1e-3, 1e3)], 1.0),
];

/// Samples of each function.
const SAMPLES: usize = 1 << 16;

/// Numbers at which functions are special; all combinations are tried.
const SPECIAL: &[f32] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1.5,
    1e5,
    -1e30,
    3e38,
    3.4e38,
    1e-30,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// Functions whose zeros have the sign that C99 says.
const SIGNED: &[&str] = &[
    "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "exp_m1", "ln_1p", "sin", "sinh", "tan",
    "tanh",
];

/// The GPU. Without one the tests say so; `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
fn gpu() -> Option<Device> {
    match Device::gpu() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            assert!(
                std::env::var_os("MOONCAKE_REQUIRE_GPU").is_none(),
                "{error}"
            );
            eprintln!("not tested: {error}");
            None
        }
    }
}

/// The values of a function: `args` holds all first arguments, then all second ones, and so on.
fn evaluate(gpu: &Device, name: &str, types: &[Type], args: &[f32]) -> Vec<f32> {
    let list = |item: &dyn Fn(usize) -> String| -> String {
        let items: Vec<String> = (0..types.len()).map(item).collect();
        items.join(", ")
    };
    let text = format!(
        "fn @f({}) -> f32 {{\nb0:\n%y: f32 = call @\"{name}\"({})\nreturn %y\n}}",
        list(&|i| format!("%{i}: {}", types[i])),
        list(&|i| format!("%{i}"))
    );
    let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let n = args.len() / types.len();
    let bits = |(args, ty): (&[f32], &Type)| -> Vec<u32> {
        let bits = |&x: &f32| match ty {
            Type::I32 => x as i32 as u32,
            _ => x.to_bits(),
        };
        args.iter().map(bits).collect()
    };
    let args: Vec<Vec<u32>> = args.chunks(n).zip(types).map(bits).collect();
    let registry = Context::default().registry().clone();
    let found = mapped(gpu, &module, &registry, &args).unwrap_or_else(|e| panic!("{name}: {e}"));
    found.into_iter().map(f32::from_bits).collect()
}

impl Range {
    /// The sample at `t` in 0..1; `sign` is 1 or -1.
    fn at(&self, t: f64, sign: f64) -> f64 {
        let log = |low: f64, high: f64| (low.ln() + t * (high / low).ln()).exp();
        match *self {
            Even(low, high) => low + t * (high - low),
            Wide(low, high) => sign * log(low, high),
            Positive(low, high) => log(low, high),
        }
    }
}

/// A sequence that fills the unit cube evenly (Roberts' R sequence).
fn unit(i: usize, dimension: usize) -> f64 {
    let step = [
        0.618_033_988_749_895,
        0.754_877_666_246_693,
        0.569_840_290_998_053,
    ];
    (0.5 + i as f64 * step[dimension]).fract()
}

fn samples(row: &Row, types: &[Type]) -> Vec<f32> {
    let mut args = Vec::new();
    for (dimension, (range, ty)) in row.ranges.iter().zip(types).enumerate() {
        for i in 0..SAMPLES {
            let sign = if (i >> dimension) & 1 == 0 { 1.0 } else { -1.0 };
            let x = range.at(unit(i, dimension), sign) as f32;
            args.push(if *ty == Type::I32 { x.trunc() } else { x });
        }
    }
    args
}

/// All combinations of special numbers; integers from -4 to 4.
fn specials(types: &[Type]) -> Vec<f32> {
    let base = SPECIAL.len();
    let n = base.pow(types.len() as u32);
    let mut args = Vec::new();
    for (dimension, ty) in types.iter().enumerate() {
        for i in 0..n {
            let digit = i / base.pow(dimension as u32) % base;
            args.push(match ty {
                Type::I32 => (digit % 9) as f32 - 4.0,
                _ => SPECIAL[digit],
            });
        }
    }
    args
}

/// How far `found` is off, in units in the last place of an f32 at `expected`. Both NaN, or equal, is 0.
fn distance(found: f32, expected: f64) -> f64 {
    let rounded = expected as f32;
    if (found.is_nan() && expected.is_nan()) || found == rounded {
        return 0.0;
    }
    let unit = f64::from(rounded.abs().max(f32::MIN_POSITIVE));
    (f64::from(found) - expected).abs() / 2f64.powi(unit.log2().floor() as i32 - 23)
}

/// The scalar functions that kernels call, by the names of their rows: the name and the types for f32. Operations are none, and what treats the
/// rare arguments of a function is tested with it.
fn functions() -> BTreeMap<&'static str, (&'static str, Vec<Type>)> {
    let ctx = Context::default();
    let mut found = BTreeMap::new();
    for entry in ctx.registry().entries() {
        let is_operation = Prim::from_mnemonic(entry.name.as_str()).is_some();
        if let EntryKind::Scalar(_) = &entry.kind
            && entry.ret == Type::F32
            && !is_operation
            && !entry.row().starts_with("slow_")
        {
            found.insert(entry.row(), (entry.name.as_str(), entry.params.clone()));
        }
    }
    found
}

#[test]
fn every_function_has_a_row() {
    let mut rows: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    rows.dedup();
    let functions: Vec<&str> = functions().into_keys().collect();
    assert_eq!(rows, functions);
}

#[test]
fn kernels_are_as_accurate_as_the_table_says() {
    let Some(gpu) = gpu() else { return };
    let functions = functions();
    let mut report = String::new();
    let mut wrong = false;
    for row in ROWS {
        let (name, types) = &functions[row.name];
        let args = samples(row, types);
        let found = evaluate(&gpu, name, types, &args);
        let mut worst = (0.0, Vec::new());
        for (i, &found) in found.iter().enumerate() {
            let point: Vec<f64> = (0..types.len())
                .map(|d| f64::from(args[d * SAMPLES + i]))
                .collect();
            let expected = (row.reference)(&point);
            let off = distance(found, expected);
            if off > worst.0 || off.is_nan() {
                worst = (off, point);
            }
        }
        wrong |= worst.0 > row.bound || worst.0.is_nan();
        report += &format!(
            "{}: {:.2} of {} at {:?}\n",
            row.name, worst.0, row.bound, worst.1
        );
    }
    println!("{report}");
    assert!(
        !wrong,
        "units in the last place, found of allowed:\n{report}"
    );
}

#[test]
fn kernels_agree_at_special_numbers() {
    let Some(gpu) = gpu() else { return };
    let functions = functions();
    let mut report = String::new();
    // Whether `fma` rounds once is left to the device.
    for row in ROWS.iter().filter(|row| row.name != "mul_add") {
        let (name, types) = &functions[row.name];
        let args = specials(types);
        let n = args.len() / types.len();
        for (i, &found) in evaluate(&gpu, name, types, &args).iter().enumerate() {
            let point: Vec<f64> = (0..types.len())
                .map(|d| f64::from(args[d * n + i]))
                .collect();
            let ordered = row.name != "clamp" || point[1] <= point[2];
            let expected = if ordered {
                (row.reference)(&point)
            } else {
                f64::NAN
            };
            let off = distance(found, expected);
            let sign = !SIGNED.contains(&row.name)
                || found.is_nan()
                || found.is_sign_negative() == expected.is_sign_negative();
            if off > row.bound || off.is_nan() || !sign {
                report += &format!(
                    "{}{point:?} = {found:e}, expected {:e}\n",
                    row.name, expected as f32
                );
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[differentiable]
fn log_softmax(x: &Array<f32>) -> Array<f32> {
    x.log_softmax(1)
}

#[differentiable]
fn softmax(x: &Array<f32>) -> Array<f32> {
    x.softmax(1)
}

#[differentiable]
fn elementary(x: &Array<f32>) -> Array<f32> {
    x.map(|v| v.exp()) + x.map(|v| v.ln())
}

/// Rows with infinities, NaN and the largest numbers.
#[test]
fn devices_agree_at_special_numbers() {
    let Some(gpu) = gpu() else { return };
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let rows = [
        [1.0, 2.0, inf],
        [1.0, -inf, 0.5],
        [-inf, -inf, -inf],
        [inf, inf, 0.0],
        [inf, -inf, 0.0],
        [3.4e38, 1.0, -3.4e38],
        [3.4e38, 3.4e38, inf],
        [nan, 1.0, 2.0],
        [0.0, -0.0, 1e-30],
    ];
    let numbers: Vec<f32> = rows.into_iter().flatten().collect();
    type Function = fn(&Array<f32>) -> Array<f32>;
    let native: [(&str, Function); 5] = [
        ("log_softmax", |x| x.log_softmax(1)),
        ("softmax", |x| x.softmax(1)),
        ("sum", |x| x.sum_axis(1)),
        ("max", |x| x.max_axis(1)),
        ("tanh of exp", |x| x.exp().tanh()),
    ];
    let mut report = String::new();
    for (name, function) in native {
        let [there, here] = [&gpu, &Device::cpu()].map(|device| {
            let x = Array::from_vec_on(device, numbers.clone(), [rows.len(), 3]);
            function(&x).to_vec().unwrap()
        });
        compare(name, &there, &here, &mut report);
    }
    let [there, here] = [gpu.clone(), Device::cpu()].map(|device| {
        let x = Array::from_vec_on(&device, numbers.clone(), [rows.len(), 3]);
        let ctx = Context::builder().device(device).build().unwrap();
        let log_softmax = ctx.build_rrule::<log_softmax>().unwrap();
        let softmax = ctx.build_rrule::<softmax>().unwrap();
        let elementary = ctx.build_rrule::<elementary>().unwrap();
        // The first call of a cluster does its operations one by one.
        let twice = |call: &dyn Fn() -> Array<f32>| [call(), call()].map(|y| y.to_vec().unwrap());
        [
            twice(&|| log_softmax.value((&x,)).unwrap()),
            twice(&|| softmax.value((&x,)).unwrap()),
            twice(&|| elementary.value((&x,)).unwrap()),
        ]
        .concat()
    });
    for (n, (there, here)) in there.iter().zip(&here).enumerate() {
        compare(&format!("program {n}"), there, here, &mut report);
    }
    assert!(report.is_empty(), "{report}");
}

fn compare(name: &str, there: &[f32], here: &[f32], report: &mut String) {
    for (n, (&there, &here)) in there.iter().zip(here).enumerate() {
        if distance(there, here.into()) > 4.0 || there.is_nan() != here.is_nan() {
            *report += &format!("{name}, element {n}: on the GPU {there:e}, on the CPU {here:e}\n");
        }
    }
}

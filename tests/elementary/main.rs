//! How far the elementary functions as expressions (`rules-std/src/lanes`) are from the exact values, in units in the last place; those of two
//! numbers in [`pairs`].
//!
//! The references are Rust's f64 functions of f32 arguments, and numbers of twice the precision for f64. The bounds are those of the table on
//! the page of `rules-std`.

mod alone;
mod double;
mod pairs;

use double::Double;
use mooncake::interp::{Datum, Packs, run};
use mooncake::ir::parse::parse_module;
use mooncake::ir::{Const, Module, Symbol, Type};
use mooncake::prelude::*;
use mooncake::registry::Registry;
use mooncake::testing::programs::{Compiled, compile};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A function, what it should be, and where it is tried in f64.
struct Row {
    name: &'static str,
    wide: fn(f64) -> f64,
    exact: fn(Double) -> Double,
    ranges: &'static [Range],
}

/// How arguments in f64 are sampled. Results are neither subnormal nor infinite there.
enum Range {
    /// Evenly.
    Even(f64, f64),
    /// Evenly in its logarithm, with both signs.
    Wide(f64, f64),
    /// Evenly in its logarithm, positive.
    Positive(f64, f64),
}
use Range::{Even, Positive, Wide};

/// In f64 a function is Rust's own, or another one that is exact where Rust's loses digits.
macro_rules! rows {
    ($($name:ident $(= $wide:path)?: $($range:expr),+;)*) => {
        &[$(Row {
            name: stringify!($name),
            wide: rows!(@wide $name $($wide)?),
            exact: Double::$name,
            ranges: &[$($range),+],
        }),*]
    };
    (@wide $name:ident) => { f64::$name };
    (@wide $name:ident $wide:path) => { $wide };
}

const ROWS: &[Row] = rows! {
    acos: Even(-1.0, 1.0), Wide(1e-20, 1.0);
    acosh = acosh: Even(1.0, 3.0), Positive(1.000_000_1, 1.1), Positive(1.5, 1e308);
    asin: Even(-1.0, 1.0), Wide(1e-20, 1.0);
    asinh = asinh: Even(-3.0, 3.0), Wide(1e-20, 1e308);
    atan: Even(-3.0, 3.0), Wide(1e-20, 1e20);
    atanh = atanh: Even(-1.0, 1.0), Wide(1e-20, 1.0);
    cbrt: Even(-8.0, 7.9), Wide(1e-300, 1e300);
    cos: Even(-10.0, 10.0), Wide(1e-20, 99_999.0);
    cosh: Even(-3.0, 3.0), Wide(1e-20, 709.0);
    exp: Even(-708.0, 709.7), Wide(1e-20, 20.0);
    exp2: Even(-1021.0, 1023.9), Wide(1e-20, 20.0);
    exp_m1: Even(-3.0, 3.0), Wide(1e-20, 709.0);
    ln: Even(0.5, 2.0), Positive(1e-300, 1.0), Positive(1.0, 1e300);
    ln_1p: Even(-0.99, 3.0), Wide(1e-20, 0.999), Positive(1.0, 1e300);
    log10: Even(0.5, 2.0), Positive(1e-300, 1.0), Positive(1.0, 1e300);
    log2: Even(0.5, 2.0), Positive(1e-300, 1.0), Positive(1.0, 1e300);
    sin: Even(-10.0, 10.0), Wide(1e-20, 99_999.0);
    sinh: Even(-3.0, 3.0), Wide(1e-20, 709.0);
    tan: Even(-10.0, 10.0), Wide(1e-20, 99_999.0);
    tanh: Even(-1.0, 1.0), Wide(1e-20, 30.0);
};

/// Rust's own functions are formulas that lose digits, so the reference is exact, but at numbers that are special.
fn precise(x: f64, own: fn(f64) -> f64, exact: fn(Double) -> Double) -> f64 {
    let special = own(x);
    let is_usual = special.is_finite() && special != 0.0 || x.is_finite() && x.abs() > 1e300;
    match is_usual && x.is_normal() {
        true if special.is_nan() => special,
        true => exact(x.into()).high,
        false => special,
    }
}
fn acosh(x: f64) -> f64 {
    precise(x, f64::acosh, Double::acosh)
}
fn asinh(x: f64) -> f64 {
    precise(x, f64::asinh, Double::asinh)
}
fn atanh(x: f64) -> f64 {
    precise(x, f64::atanh, Double::atanh)
}

/// Samples of each range.
const SAMPLES: usize = 20_000;

/// Of the f32 every so many are tried, in the order of their bits.
const STRIDE: usize = 2003;

/// Numbers at which functions are special, or change from one formula to another.
const SPECIAL: &[f64] = &[
    0.0,
    0.5,
    0.625,
    1.0,
    2.0,
    3.0,
    22.0,
    88.72,
    88.73,
    103.97,
    103.98,
    355.0,
    709.78,
    709.79,
    745.13,
    745.14,
    8191.999,
    8192.0,
    99_999.9,
    1e5,
    1e22,
    1e38,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NAN,
    1e-8,
    0.41421356,
    0.66,
    2.414_213_562_373_095,
    126.0,
    127.9,
    128.0,
    149.5,
    1_023.9,
    1_024.0,
    1_074.5,
    89.4,
    710.4,
    1.175_494_4e-38,
    1e-40,
    f64::MIN_POSITIVE,
    1e-310,
    5e-324,
];

impl Range {
    /// The sample at `t` in 0..1; `sign` is 1 or -1.
    fn at(&self, t: f64, sign: f64) -> f64 {
        let log = |low: f64, high: f64| (low.ln() + t * (high.ln() - low.ln())).exp();
        match *self {
            Even(low, high) => low + t * (high - low),
            Wide(low, high) => sign * log(low, high),
            Positive(low, high) => log(low, high),
        }
    }
    fn samples(&self) -> Vec<f64> {
        let t = |i: usize| (0.5 + i as f64 * 0.618_033_988_749_894_9).fract();
        let sign = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        (0..SAMPLES).map(|i| self.at(t(i), sign(i))).collect()
    }
}

/// The expression of a function's row, and a program that applies it to every element of a slice.
struct Body {
    alone: Module,
    compiled: Compiled,
}

impl Body {
    fn new(ctx: &Context, name: &str, float: Type) -> Body {
        let row = ctx.registry().find(Symbol::new(name), &[float]);
        let body = row.and_then(|row| row.body()).cloned();
        let mut body = body.unwrap_or_else(|| panic!("{name} of {float} has no body"));
        body.name = Symbol::new("body");
        let text = format!(
            "fn @all(%x: [mut {float}]) -> () {{
            start:
                %n: usize = len %x
                %0: usize = 0
                jump head(%0)
            head(%i: usize):
                %more: bool = lt %i, %n
                branch %more, step, end
            step:
                %v: {float} = load %x, %i
                %w: {float} = call @body(%v)
                %s: () = store %x, %i, %w
                %1: usize = 1
                %j: usize = add %i, %1
                jump head(%j)
            end:
                %u: () = ()
                return %u
            }}
            {body}"
        );
        let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Body {
            alone: Module::new(body),
            compiled: compile(&module, ctx.registry()).unwrap(),
        }
    }
    /// The values, compiled.
    fn values(&self, args: &[f64]) -> Vec<f64> {
        let slice = Datum::floats(args);
        self.compiled.call(std::slice::from_ref(&slice)).unwrap();
        let Datum::Slice(values) = slice else {
            unreachable!("it was made above")
        };
        let float = |c| match c {
            Const::Float(x) => x,
            other => panic!("{other:?} is not a float"),
        };
        values.elements().into_iter().map(float).collect()
    }
    /// The value, interpreted.
    fn interpreted(&self, registry: &Registry, x: f64) -> f64 {
        let value = run(&self.alone, &[Datum::float(x)], &Packs(registry)).unwrap();
        value.as_float().unwrap()
    }
}

/// One unit in the last place of a float with so many bits at a number, and at least that of the smallest normal one.
fn unit(x: f64, digits: i32, smallest: i32) -> f64 {
    let exponent = match x.abs() {
        subnormal if subnormal < f64::MIN_POSITIVE => smallest,
        size => (size.to_bits() >> 52) as i32 - 1023,
    };
    // In two steps, because it may be subnormal.
    let exponent = exponent.max(smallest) - digits + 1;
    2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

/// Whether two values are one, or both NaN. Zeros have signs.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// How far an f32 is off. Infinity is one unit above the largest number, where rounding may have led there.
fn distance_f32(found: f64, expected: f64) -> f64 {
    let infinity = 2f64.powi(128);
    match expected.abs() >= infinity || expected.is_nan() || found == 0.0 && expected == 0.0 {
        true if same(found, f64::from(expected as f32)) => 0.0,
        true => f64::INFINITY,
        false => {
            let unit = unit(expected.abs().min(f32::MAX.into()), 24, -126);
            (found.clamp(-infinity, infinity) - expected).abs() / unit
        }
    }
}

/// How far an f32 is off that a kernel has computed, where results that are subnormal may be zero.
fn distance_in_kernel(found: f64, expected: f64) -> f64 {
    let same_sign = found.is_sign_negative() == expected.is_sign_negative();
    match same_sign && found == 0.0 && expected.abs() < f32::MIN_POSITIVE.into() {
        true => 0.0,
        false => distance_f32(found, expected),
    }
}

/// How far an f64 is off.
fn distance_f64(found: f64, expected: Double) -> f64 {
    match same(found, expected.high) && found == 0.0 {
        true => 0.0,
        false => {
            let off = Double::from(found) - expected;
            off.high.abs() / unit(expected.high, 53, -1022)
        }
    }
}

/// The largest distance, and where it is.
fn worst<At: Default>(distances: impl Iterator<Item = (At, f64)>) -> (At, f64) {
    let larger = |a: (At, f64), b: (At, f64)| match b.1 > a.1 || b.1.is_nan() {
        true => b,
        false => a,
    };
    distances.fold((At::default(), 0.0), larger)
}

/// The errors in f32 and in f64.
fn errors(ctx: &Context, row: &Row) -> [(f64, f64); 2] {
    let single = Body::new(ctx, row.name, Type::F32);
    let grid: Vec<f64> = (0..=u32::MAX)
        .step_by(STRIDE)
        .map(|bits| f32::from_bits(bits).into())
        .collect();
    let parts = grid.chunks(1 << 16).flat_map(|args| {
        let found = single.values(args);
        let of = |(&x, y)| (x, distance_f32(y, (row.wide)(x)));
        args.iter().zip(found).map(of).collect::<Vec<_>>()
    });
    let in_f32 = worst(parts);
    let double = Body::new(ctx, row.name, Type::F64);
    let parts = row.ranges.iter().flat_map(|range| {
        let args = range.samples();
        let found = double.values(&args);
        let of = |(x, y): (f64, f64)| (x, distance_f64(y, (row.exact)(x.into())));
        args.into_iter().zip(found).map(of).collect::<Vec<_>>()
    });
    [in_f32, worst(parts)]
}

/// The functions mapped over arrays: kernels compute those with the expressions, and multiply and add in one instruction where the machine can.
macro_rules! mapped {
    ($module:ident, $float:ty, $($name:ident),*) => {
        mod $module {
            use mooncake::prelude::*;

            $(#[differentiable]
            pub fn $name(x: &Array<$float>) -> Array<$float> {
                x.map(|v| v.$name())
            })*

            /// The values of a function.
            pub fn values(ctx: &Context, name: &str, args: &[f64]) -> Vec<f64> {
                let data = args.iter().map(|&x| x as $float).collect();
                let x = Array::from_vec_on(&Device::cpu(), data, [args.len()]);
                let y = match name {
                    $(stringify!($name) => ctx.build_rrule::<$name>().unwrap().value((&x,)).unwrap(),)*
                    _ => panic!("{name} is not mapped"),
                };
                y.to_vec().unwrap().into_iter().map(f64::from).collect()
            }
        }
    };
}
mapped!(
    single, f32, acos, acosh, asin, asinh, atan, atanh, cbrt, cos, cosh, exp, exp2, exp_m1, ln,
    ln_1p, log10, log2, sin, sinh, tan, tanh
);
mapped!(
    wide, f64, acos, acosh, asin, asinh, atan, atanh, cbrt, cos, cosh, exp, exp2, exp_m1, ln,
    ln_1p, log10, log2, sin, sinh, tan, tanh
);

#[differentiable]
fn sum_of_exponentials(x: &Array<f32>) -> f32 {
    x.exp().sum().to_scalar()
}

#[test]
fn kernels_multiply_and_add_at_once_where_the_machine_can() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let x = Array::from_vec_on(&Device::cpu(), vec![0.5; 100], [100]);
    let kernels = ctx.kernels::<sum_of_exponentials>((&x,)).unwrap();
    assert_eq!(kernels.contains("@mul_add"), has_mul_add(), "{kernels}");
}

#[test]
fn kernels_are_within_two_units_in_the_last_place() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let mut report = String::new();
    let mut is_wrong = false;
    for row in ROWS {
        let grid = (0..=u32::MAX).step_by(STRIDE).map(f32::from_bits);
        let special = SPECIAL.iter().flat_map(|&x| [x as f32, -x as f32]);
        let args: Vec<f64> = grid.chain(special).map(f64::from).collect();
        let found = single::values(&ctx, row.name, &args);
        let of = |(&x, y): (&f64, f64)| (x, distance_in_kernel(y, (row.wide)(x)));
        let in_f32 = worst(args.iter().zip(found).map(of));
        let args: Vec<f64> = row.ranges.iter().flat_map(Range::samples).collect();
        let found = wide::values(&ctx, row.name, &args);
        let of = |(&x, y): (&f64, f64)| (x, distance_f64(y, (row.exact)(x.into())));
        let in_f64 = worst(args.iter().zip(found).map(of));
        let args: Vec<f64> = SPECIAL.iter().flat_map(|&x| [x, -x]).collect();
        let found = wide::values(&ctx, row.name, &args);
        for (&x, found) in args.iter().zip(found) {
            let expected = (row.wide)(x);
            let off = (found - expected).abs() / unit(expected, 53, -1022);
            let is_close = off <= 2.0 && found.is_sign_negative() == expected.is_sign_negative();
            if !(is_close || same(found, expected)) {
                is_wrong = true;
                writeln!(
                    report,
                    "{} of f64: at {x:e} it gives {found:e}; expected {expected:e}",
                    row.name
                )
                .unwrap();
            }
        }
        is_wrong |= [in_f32, in_f64]
            .iter()
            .any(|worst| worst.1 > 2.0 || worst.1.is_nan());
        writeln!(report, "{}: f32 {in_f32:?}, f64 {in_f64:?}", row.name).unwrap();
    }
    assert!(!is_wrong, "more than 2 units:\n{report}");
}

/// Whether kernels on this machine multiply and add in one instruction.
fn has_mul_add() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_arch = "aarch64");
}

/// The rows of the table on the page of the pack: f32 and f64 by the function.
fn table() -> BTreeMap<String, [f64; 2]> {
    let page = include_str!("../../rules-std/src/lib.rs");
    let (_, section) = page.split_once("# Accuracy of the expressions").unwrap();
    let lines = section.lines().filter_map(|line| {
        let line = line.strip_prefix("//! | `")?;
        let (name, rest) = line.split_once("` | ")?;
        let mut numbers = rest.split('|').map(|number| number.trim().parse().ok());
        Some((name.to_owned(), [numbers.next()??, numbers.next()??]))
    });
    lines.collect()
}

#[test]
fn expressions_are_as_accurate_as_the_table_says() {
    let ctx = Context::default();
    let (table, mut found, mut report) = (table(), BTreeMap::new(), String::new());
    for row in ROWS {
        let errors = errors(&ctx, row);
        let [single, double] = errors.map(|(_, off)| (10.0 * off).ceil() / 10.0);
        found.insert(row.name.to_owned(), [single, double]);
        writeln!(
            report,
            "//! | `{}` | {single:.1} | {double:.1} |    {errors:?}",
            row.name
        )
        .unwrap();
    }
    let largest = found.values().flatten().fold(0.0, |a: f64, &b| a.max(b));
    assert!(largest <= 2.0, "more than 2 units:\n{report}");
    assert_eq!(
        found, table,
        "the table in rules-std/src/lib.rs should be\n{report}"
    );
}

#[test]
fn expressions_agree_at_special_numbers() {
    let ctx = Context::default();
    let mut report = String::new();
    for row in ROWS {
        for float in [Type::F32, Type::F64] {
            let body = Body::new(&ctx, row.name, float);
            let numbers = SPECIAL.iter().flat_map(|&x| [x, -x]);
            let args: Vec<f64> = match float {
                Type::F32 => numbers.map(|x| f64::from(x as f32)).collect(),
                _ => numbers.collect(),
            };
            for (&x, found) in args.iter().zip(body.values(&args)) {
                let expected = (row.wide)(x);
                let distance = match float {
                    Type::F32 => distance_f32(found, expected),
                    _ if same(found, expected) => 0.0,
                    _ => (found - expected).abs() / unit(expected, 53, -1022),
                };
                let signs =
                    found.is_nan() || found.is_sign_negative() == expected.is_sign_negative();
                let interpreted = body.interpreted(ctx.registry(), x);
                if !(distance <= 2.0 && signs && same(interpreted, found)) {
                    let name = row.name;
                    writeln!(report, "{name} of {float}: at {x:e} it gives {found:e}, interpreted {interpreted:e}; expected {expected:e}").unwrap();
                }
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn scalar_code_calls_the_native_functions() {
    #[differentiable]
    fn all(x: f64) -> f64 {
        x.exp() * x.sin() + x.cos().tanh() + (2.0 + x).ln() + x.tan() * x.atan() + x.exp_m1().sinh()
    }
    let rule = Context::default().build_rrule::<all>().unwrap();
    for i in 0..1000 {
        let x = f64::from(i) * 0.007 - 1.9;
        let (y, _) = rule.value_and_gradient((x,)).unwrap();
        assert_eq!(y.to_bits(), all(x).to_bits(), "at {x}");
    }
}

//! f64 on the adapter against exact values: on dense grids, at special numbers, in loops and in memory.

/// Numbers of twice the precision.
#[path = "../../../tests/elementary/double.rs"]
#[allow(dead_code, reason = "the accuracy tests of the CPU need the rest")]
mod precise;

use super::tests::{gpu, holds_f64};
use super::*;
use crate::codegen::gpu::rows::is_wide;
use crate::context::Context;
use crate::ir::Symbol;
use crate::ir::parse::parse_module;
use crate::kernel::parse_kernel;
use crate::registry::{ContextKind, Effects, Entry, EntryKind, Registry, ScalarRule};
use precise::Double;

/// A function of one or two numbers, what it should be, and the most units in the last place it may be off.
struct Row {
    /// Expressions of `%x` and `%z` that end in `%y`, or the name of a row of rules-std.
    text: &'static str,
    exact: Exact,
    /// Where the first and the second argument are.
    ranges: [Range; 2],
    bound: f64,
}

/// What a function should be.
enum Exact {
    /// Rust's own is, to the last bit; or for lack of another it is the reference, and within 0.55 units.
    Own(fn(f64, f64) -> f64),
    /// With twice the precision, for arguments up to this size; beyond it, and at results that are special, Rust's own.
    One(fn(f64) -> f64, fn(Double) -> Double, f64),
    Two(fn(f64, f64) -> f64, fn(Double, Double) -> Double),
}

impl Exact {
    fn of(&self, x: f64, z: f64) -> Double {
        let is_usual = |y: f64| y.is_normal();
        match self {
            Exact::Own(own) => own(x, z).into(),
            Exact::One(own, exact, most) => match own(x) {
                y if is_usual(y) && x.is_normal() && x.abs() <= *most => exact(x.into()),
                y => y.into(),
            },
            Exact::Two(own, exact) => match own(x, z) {
                y if is_usual(y) && [x, z].iter().all(|x| x.is_normal()) => {
                    let exact = exact(x.into(), z.into());
                    // The reference takes no powers of negative numbers, and overflows early.
                    match exact.high.is_finite() {
                        true => exact,
                        false => y.into(),
                    }
                }
                y => y.into(),
            },
        }
    }
}

#[derive(Clone, Copy)]
enum Range {
    /// Evenly.
    Even(f64, f64),
    /// Evenly in its logarithm, with both signs.
    Wide(f64, f64),
    /// Evenly in its logarithm, positive.
    Positive(f64, f64),
    /// There is no such argument.
    None,
}
use Range::{Even, Positive, Wide};

const fn row(text: &'static str, own: fn(f64, f64) -> f64, ranges: [Range; 2], bound: u64) -> Row {
    Row {
        text,
        exact: Exact::Own(own),
        ranges,
        bound: bound as f64,
    }
}

/// A function of one number, within 2 units; the reference is good up to `most`.
const fn one(
    text: &'static str,
    own: fn(f64) -> f64,
    exact: fn(Double) -> Double,
    most: f64,
    range: Range,
) -> Row {
    Row {
        text,
        exact: Exact::One(own, exact, most),
        ranges: [range, NO],
        bound: 2.0,
    }
}

/// A function of two, within 2 units.
const fn two(
    text: &'static str,
    own: fn(f64, f64) -> f64,
    exact: fn(Double, Double) -> Double,
    ranges: [Range; 2],
) -> Row {
    Row {
        text,
        exact: Exact::Two(own, exact),
        ranges,
        bound: 2.0,
    }
}

const ANY: Range = Wide(1e-300, 1e300);
const NO: Range = Range::None;
const ALL: f64 = f64::MAX;
/// Numbers that the reference can reduce by multiples of π.
const NEAR: f64 = 99_999.0;

/// Rust's is infinite far out.
fn acosh(x: f64) -> f64 {
    match x > 1e300 {
        true => x.ln() + std::f64::consts::LN_2,
        false => x.acosh(),
    }
}
fn asinh(x: f64) -> f64 {
    match x.abs() > 1e300 {
        true => (x.abs().ln() + std::f64::consts::LN_2).copysign(x),
        false => x.asinh(),
    }
}

/// The functions of rules-std.
const ROWS: &[Row] = &[
    one("acos", f64::acos, Double::acos, ALL, Even(-1.0, 1.0)),
    one("acosh", acosh, Double::acosh, ALL, Even(1.0, 3.0)),
    one(
        "acosh",
        acosh,
        Double::acosh,
        ALL,
        Positive(1.000_000_1, 1.1),
    ),
    one("acosh", acosh, Double::acosh, ALL, Positive(1.5, 1e308)),
    one("asin", f64::asin, Double::asin, ALL, Wide(1e-20, 1.0)),
    one("asin", f64::asin, Double::asin, ALL, Even(-1.0, 1.0)),
    one("asinh", asinh, Double::asinh, ALL, Even(-3.0, 3.0)),
    one("asinh", asinh, Double::asinh, ALL, ANY),
    one("atan", f64::atan, Double::atan, ALL, Even(-3.0, 3.0)),
    one("atan", f64::atan, Double::atan, ALL, ANY),
    one("atanh", f64::atanh, Double::atanh, ALL, Even(-1.0, 1.0)),
    one("atanh", f64::atanh, Double::atanh, ALL, Wide(1e-20, 1.0)),
    one("cbrt", f64::cbrt, Double::cbrt, ALL, Even(-8.0, 7.9)),
    one("cbrt", f64::cbrt, Double::cbrt, ALL, ANY),
    one("cos", f64::cos, Double::cos, NEAR, Even(-1000.0, 1000.0)),
    one("cosh", f64::cosh, Double::cosh, 709.0, Even(-3.0, 3.0)),
    one("cosh", f64::cosh, Double::cosh, 709.0, Wide(1e-3, 709.0)),
    one("exp", f64::exp, Double::exp, ALL, Wide(1e-20, 709.7)),
    one("exp", f64::exp, Double::exp, ALL, Even(-3.0, 3.0)),
    one("exp2", f64::exp2, Double::exp2, ALL, Wide(1e-20, 1022.0)),
    one(
        "exp_m1",
        f64::exp_m1,
        Double::exp_m1,
        709.0,
        Wide(1e-20, 709.0),
    ),
    one(
        "exp_m1",
        f64::exp_m1,
        Double::exp_m1,
        709.0,
        Even(-3.0, 3.0),
    ),
    one("ln", f64::ln, Double::ln, ALL, Positive(1e-300, 1e300)),
    one("ln", f64::ln, Double::ln, ALL, Even(0.5, 2.0)),
    one("ln_1p", f64::ln_1p, Double::ln_1p, ALL, Even(-0.99, 3.0)),
    one("ln_1p", f64::ln_1p, Double::ln_1p, ALL, Wide(1e-20, 0.9)),
    one(
        "ln_1p",
        f64::ln_1p,
        Double::ln_1p,
        ALL,
        Positive(1.0, 1e300),
    ),
    one(
        "log10",
        f64::log10,
        Double::log10,
        ALL,
        Positive(1e-300, 1e300),
    ),
    one("log10", f64::log10, Double::log10, ALL, Even(0.5, 2.0)),
    one(
        "log2",
        f64::log2,
        Double::log2,
        ALL,
        Positive(1e-300, 1e300),
    ),
    one("log2", f64::log2, Double::log2, ALL, Even(0.5, 2.0)),
    one("sin", f64::sin, Double::sin, NEAR, Even(-1000.0, 1000.0)),
    one("sin", f64::sin, Double::sin, NEAR, Wide(1e-20, 9e4)),
    one("sinh", f64::sinh, Double::sinh, 709.0, Even(-3.0, 3.0)),
    one("sinh", f64::sinh, Double::sinh, 709.0, Wide(1e-20, 709.0)),
    one("tan", f64::tan, Double::tan, NEAR, Even(-1000.0, 1000.0)),
    one("tan", f64::tan, Double::tan, NEAR, Wide(1e-20, 9e4)),
    one("tanh", f64::tanh, Double::tanh, 300.0, Even(-3.0, 3.0)),
    one("tanh", f64::tanh, Double::tanh, 300.0, Wide(1e-20, 30.0)),
    two(
        "atan2",
        f64::atan2,
        Double::atan2,
        [Even(-2.0, 1.9), Even(-2.0, 1.9)],
    ),
    two(
        "atan2",
        f64::atan2,
        Double::atan2,
        [Wide(1e-3, 1e3), Wide(1e-3, 1e3)],
    ),
    two("atan2", f64::atan2, Double::atan2, [ANY, ANY]),
    two(
        "hypot",
        f64::hypot,
        Double::hypot,
        [Even(-2.0, 1.9), Even(-2.0, 1.9)],
    ),
    two(
        "hypot",
        f64::hypot,
        Double::hypot,
        [Wide(1e-3, 1e3), Wide(1e-3, 1e3)],
    ),
    two("hypot", f64::hypot, Double::hypot, [ANY, ANY]),
    two(
        "log",
        f64::log,
        Double::log,
        [Positive(1e-300, 1e299), Positive(1e-3, 999.0)],
    ),
    two(
        "log",
        f64::log,
        Double::log,
        [Even(0.5, 2.0), Even(2.0, 10.0)],
    ),
    two(
        "powf",
        f64::powf,
        Double::powf,
        [Even(0.5, 2.0), Even(-100.0, 100.0)],
    ),
    two(
        "powf",
        f64::powf,
        Double::powf,
        [Positive(0.1, 10.0), Even(-300.0, 300.0)],
    ),
    two(
        "powf",
        f64::powf,
        Double::powf,
        [Positive(1e-300, 1e300), Even(-1.0, 1.0)],
    ),
    two(
        "powf",
        f64::powf,
        Double::powf,
        [Even(0.9, 1.1), Even(-3000.0, 3000.0)],
    ),
    // Far out the reference is Rust's own, so that two units may be less than that.
    row("cos", |x, _| x.cos(), [Wide(1e-3, 1e308), NO], 1),
    row("sin", |x, _| x.sin(), [Wide(1e-20, 1e308), NO], 1),
    row("tan", |x, _| x.tan(), [Wide(1e-20, 1e308), NO], 2),
    // Subnormal numbers.
    row("cbrt", |x, _| x.cbrt(), [Wide(5e-324, 1e-300), NO], 1),
    row("ln", |x, _| x.ln(), [Positive(5e-324, 1e-300), NO], 1),
    row("log10", |x, _| x.log10(), [Positive(5e-324, 1e-300), NO], 1),
    row("log2", |x, _| x.log2(), [Positive(5e-324, 1e-300), NO], 1),
    row(
        "div_euclid",
        f64::div_euclid,
        [Even(-100.0, 100.0), Wide(0.5, 5.0)],
        0,
    ),
    row("fract", |x, _| x.fract(), [Wide(1e-3, 1e17), NO], 0),
    row("max", f64::max, [ANY, ANY], 0),
    row("midpoint", f64::midpoint, [ANY, ANY], 1),
    row("min", f64::min, [ANY, ANY], 0),
    row(
        "rem_euclid",
        f64::rem_euclid,
        [Wide(1e-3, 1e6), Wide(0.5, 5.0)],
        0,
    ),
    row("round", |x, _| x.round(), [Wide(1e-3, 1e17), NO], 0),
    row(
        "round_ties_even",
        |x, _| x.round_ties_even(),
        [Wide(1e-3, 1e17), NO],
        0,
    ),
    row("signum", |x, _| x.signum(), [ANY, NO], 0),
    row("to_degrees", |x, _| x.to_degrees(), [ANY, NO], 1),
];

/// The operations of the IR, exactly.
const OPERATIONS: &[Row] = &[
    row("%y: f64 = add %x, %z", |x, z| x + z, [ANY, ANY], 0),
    row("%y: f64 = sub %x, %z", |x, z| x - z, [ANY, ANY], 0),
    row("%y: f64 = mul %x, %z", |x, z| x * z, [ANY, ANY], 0),
    row("%y: f64 = div %x, %z", |x, z| x / z, [ANY, ANY], 0),
    row("%y: f64 = rem %x, %z", |x, z| x % z, [ANY, ANY], 0),
    row("%y: f64 = neg %x", |x, _| -x, [ANY, NO], 0),
    row("%y: f64 = abs %x", |x, _| x.abs(), [ANY, NO], 0),
    row(
        "%1: f64 = abs %x\n%y: f64 = sqrt %1",
        |x, _| x.abs().sqrt(),
        [ANY, NO],
        0,
    ),
    row(
        "%y: f64 = floor %x",
        |x, _| x.floor(),
        [Wide(1e-3, 1e17), NO],
        0,
    ),
    row(
        "%y: f64 = ceil %x",
        |x, _| x.ceil(),
        [Wide(1e-3, 1e17), NO],
        0,
    ),
    row(
        "%y: f64 = trunc %x",
        |x, _| x.trunc(),
        [Wide(1e-3, 1e17), NO],
        0,
    ),
    row("%y: f64 = copysign %x, %z", f64::copysign, [ANY, ANY], 0),
    row(
        "%1: i32 = cast %x\n%y: f64 = cast %1",
        |x, _| f64::from(x as i32),
        [Wide(1e-3, 1e10), NO],
        0,
    ),
    row(
        "%1: u32 = cast %x\n%y: f64 = cast %1",
        |x, _| f64::from(x as u32),
        [Wide(1e-3, 1e10), NO],
        0,
    ),
    row(
        "%1: i64 = cast %x\n%y: f64 = cast %1",
        |x, _| x as i64 as f64,
        [Wide(1e-3, 1e20), NO],
        0,
    ),
    row(
        "%1: u64 = cast %x\n%y: f64 = cast %1",
        |x, _| x as u64 as f64,
        [Wide(1e-3, 1e20), NO],
        0,
    ),
    row(
        "%1: f32 = cast %x\n%y: f64 = cast %1",
        |x, _| f64::from(x as f32),
        [Wide(1e-30, 1e30), NO],
        0,
    ),
    row(
        "%1: bool = lt %x, %z\n%y: f64 = select %1, %x, %z",
        |x, z| if x < z { x } else { z },
        [ANY, ANY],
        0,
    ),
    row(
        "%1: bool = ne %x, %z\n%y: f64 = cast %1",
        |x, z| f64::from(x != z),
        [ANY, ANY],
        0,
    ),
    row(
        "%1: bool = eq %x, %x\n%y: f64 = cast %1",
        |x, _| f64::from(!x.is_nan()),
        [ANY, NO],
        0,
    ),
    row(
        "%1: bool = ge %x, %z\n%2: bool = not %1\n%y: f64 = cast %2",
        |x, z| if x >= z { 0.0 } else { 1.0 },
        [ANY, ANY],
        0,
    ),
    // What drivers would reassociate.
    row(
        "%1: f64 = 6755399441055744.0\n%2: f64 = add %x, %1\n%y: f64 = sub %2, %1",
        |x, _| (x + 6755399441055744.0) - 6755399441055744.0,
        [Wide(1e-3, 1e9), NO],
        0,
    ),
    row(
        "%1: f64 = add %x, %z\n%2: f64 = sub %1, %x\n%y: f64 = sub %z, %2",
        |x, z| z - ((x + z) - x),
        [Wide(1e-3, 1e3), Wide(1e-3, 1e3)],
        0,
    ),
    row(
        "%1: f64 = mul %x, %z\n%2: f64 = mul %x, %x\n%y: f64 = add %1, %2",
        |x, z| x * z + x * x,
        [Wide(1e-3, 1e3), Wide(1e-3, 1e3)],
        0,
    ),
    row(
        "%1: f64 = 0.0\n%y: f64 = mul %x, %1",
        |x, _| x * 0.0,
        [ANY, NO],
        0,
    ),
    row(
        "%1: f64 = 0.0\n%y: f64 = add %x, %1",
        |x, _| x + 0.0,
        [ANY, NO],
        0,
    ),
    row(
        "%y: f64 = div %x, %x",
        |x, _| if x == 0.0 { f64::NAN } else { (x * 0.0) + 1.0 },
        [ANY, NO],
        0,
    ),
    row(
        "%1: f64 = sub %x, %x\n%y: f64 = add %1, %z",
        |x, z| {
            let same = x;
            (x - same) + z
        },
        [ANY, ANY],
        0,
    ),
];

const SPECIAL: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    -2.5,
    3.0,
    -3.0,
    1e-310,
    -5e-324,
    f64::MIN_POSITIVE,
    1e308,
    f64::MAX,
    -1.7e308,
    4503599627370497.5,
    -9007199254740993.0,
    123456.5,
    1e16,
    -1e22,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Rust leaves the sign of a zero open, or it is that of a subnormal number that the device may flush.
const UNSIGNED: &[&str] = &["max", "min", "midpoint"];

const SAMPLES: usize = 8192;

fn sample(range: Range, i: usize) -> f64 {
    // Two sequences that fill the square evenly.
    let part = |n: usize, step: f64| (n as f64 * step).fract();
    let signed = |x: f64| if i.is_multiple_of(2) { x } else { -x };
    let between = |low: f64, high: f64| {
        let t = part(i, 0.754_877_666_246_692_7);
        (low.ln() + (high.ln() - low.ln()) * t).exp()
    };
    match range {
        Even(low, high) => low + (high - low) * part(i, 0.569_840_290_998_053_3),
        Wide(low, high) => signed(between(low, high)),
        Positive(low, high) => between(low, high),
        Range::None => 0.0,
    }
}

fn run(gpu: &Gpu, row: &Row, points: &[(f64, f64)]) -> Vec<f64> {
    let body = match row.text.contains("%y") {
        true => row.text.to_owned(),
        false if matches!(row.ranges[1], Range::None) => {
            format!("%y: f64 = call @{}(%x)", row.text)
        }
        false => format!("%y: f64 = call @{}(%x, %z)", row.text),
    };
    let text = format!("fn @f(%x: f64, %z: f64) -> f64 {{\nb0:\n{body}\nreturn %y\n}}");
    let registry = Context::default().registry().clone();
    compute(gpu, &text, &registry, points)
}

fn compute(gpu: &Gpu, text: &str, registry: &Arc<Registry>, points: &[(f64, f64)]) -> Vec<f64> {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let root = module.root;
    let program = MapProgram::new(Arc::new(module), root, registry.clone());
    let shape = [points.len()];
    let (xs, zs): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let inputs = [xs, zs].map(|data| {
        let buffer = gpu.upload(bytemuck::cast_slice(&data)).unwrap();
        Operand::View(View::dense(buffer, Type::F64, &shape))
    });
    let made = gpu.map(&program, &inputs, &shape).unwrap().remove(0);
    let bytes = gpu.download(&View::dense(made, Type::F64, &shape));
    bytemuck::pod_collect_to_vec(&bytes.unwrap_or_else(|e| panic!("{text}: {e}")))
}

/// Units in the last place between a number and what it should be. Both NaN is 0; a subnormal number may be flushed to zero. Zeros have signs.
fn distance(found: f64, expected: Double) -> f64 {
    let high = expected.high;
    let same_sign = found.is_sign_negative() == high.is_sign_negative();
    let flushed = found == 0.0 && high.abs() < f64::MIN_POSITIVE && same_sign;
    if flushed
        || found.is_nan() && high.is_nan()
        || found.to_bits() == high.to_bits() && expected.low == 0.0
    {
        return 0.0;
    }
    if !(found.is_finite() && high.is_finite()) || high == 0.0 && found == 0.0 {
        return f64::INFINITY;
    }
    let exponent = (high.abs().max(f64::MIN_POSITIVE).to_bits() >> 52) as i32 - 1023 - 52;
    let unit = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
    (Double::from(found) - expected).high.abs() / unit
}

fn check(rows: &[Row], points: impl Fn(&Row) -> Vec<(f64, f64)>) {
    let Some(gpu) = gpu() else { return };
    if !holds_f64(&gpu) {
        return;
    }
    let (mut report, mut wrong) = (String::new(), false);
    for row in rows {
        let points = points(row);
        let found = run(&gpu, row, &points);
        let mut worst = (0.0, String::new());
        for (&(x, z), found) in points.iter().zip(found) {
            let expected = row.exact.of(x, z);
            let off = match found == 0.0 && expected.high == 0.0 && UNSIGNED.contains(&row.text) {
                true => 0.0,
                false => distance(found, expected),
            };
            // What is no number is off.
            if off.is_nan() || off > worst.0 {
                let high = expected.high;
                worst = (
                    off,
                    format!("at ({x:e}, {z:e}): {found:e}, expected {high:e}"),
                );
            }
        }
        wrong |= worst.0.is_nan() || worst.0 > row.bound;
        report += &format!(
            "{}: {:.2} of {} {}\n",
            row.text, worst.0, row.bound, worst.1
        );
    }
    println!("{report}");
    assert!(
        !wrong,
        "units in the last place, found of allowed:\n{report}"
    );
}

fn grid(row: &Row) -> Vec<(f64, f64)> {
    let point = |i| {
        (
            sample(row.ranges[0], i),
            sample(row.ranges[1], i.wrapping_mul(7919) % 104_729),
        )
    };
    (0..SAMPLES).map(point).collect()
}

fn specials(row: &Row) -> Vec<(f64, f64)> {
    let second: &[f64] = match row.ranges[1] {
        Range::None => &[0.0],
        _ => &SPECIAL,
    };
    { SPECIAL.iter() }
        .flat_map(|&x| second.iter().map(move |&z| (x, z)))
        .collect()
}

#[test]
fn operations_are_exact() {
    check(OPERATIONS, grid);
}

#[test]
fn operations_on_special_numbers() {
    check(OPERATIONS, specials);
}

#[test]
fn functions_are_as_accurate_as_the_table_says() {
    check(ROWS, grid);
}

#[test]
fn functions_of_special_numbers() {
    check(ROWS, specials);
}

/// A loop, a branch, and an object and a tape in memory.
#[test]
fn loops_and_memory() {
    let Some(gpu) = gpu() else { return };
    if !holds_f64(&gpu) {
        return;
    }
    let text = "fn @f(%x: f64, %z: f64) -> f64 {
        b0:
            %0: i32 = 0
            %1: i32 = 20
            %2: i32 = 1
            %3: usize = 24
            %4: ptr = alloc %3
            set.8 %4, %x
            jump head(%0)
        head(%5: i32):
            %6: bool = lt %5, %1
            branch %6, body, done
        body:
            %7: f64 = get.8 %4
            %8: bool = lt %7, %z
            branch %8, double, next
        double:
            %9: f64 = add %7, %7
            set.8 %4, %9
            jump next
        next:
            %10: i32 = add %5, %2
            jump head(%10)
        done:
            %y: f64 = get.8 %4
            return %y
        }";
    let points: Vec<(f64, f64)> = (0..300).map(|i| (1.1 + f64::from(i), 1e4)).collect();
    let found = compute(&gpu, text, &Arc::new(Registry::default()), &points);
    for ((x, z), found) in points.into_iter().zip(found) {
        let mut y = x;
        for _ in 0..20 {
            if y < z {
                y += y;
            }
        }
        assert_eq!(found, y);
    }
}

/// A device whose answers were wrong holds no f64, and computes nothing with it.
#[test]
fn what_is_not_trusted_computes_nothing() {
    if gpu().is_none() {
        return;
    }
    let other = Gpu::open().unwrap();
    other.trusted.set(false).unwrap();
    assert!(!other.holds(Type::F64));
    let module = parse_module("fn @f(%x: f64) -> f64 {\nb0:\nreturn %x\n}").unwrap();
    let root = module.root;
    let program = MapProgram::new(Arc::new(module), root, Arc::new(Registry::default()));
    let number = Operand::Scalar(0, Type::F64);
    let message = other
        .map(&program, &[number], &[1])
        .unwrap_err()
        .to_string();
    assert!(
        message.ends_with(
            "kernels with f64 are not available on this adapter: run it on Device::cpu()"
        ),
        "{message}"
    );
}

/// A function over f32 of a pack may compute in f64, and the kernel that calls it has none itself.
#[test]
fn sums_of_f64_in_functions_over_f32_are_computed_in_rows_as_they_are_written() {
    let Some(gpu) = gpu().filter(|gpu| holds_f64(gpu)) else {
        return;
    };
    let function = |text| parse_module(text).unwrap().root().clone();
    let rule = ScalarRule {
        native: None,
        with_partials: None,
        body: Some(function(
            "fn @whole(%x: f32) -> f32 { b0: %1: f64 = cast %x %2: f64 = 6755399441055744.0 %3: f64 = add %1, %2 %4: f64 = sub %3, %2 %y: f32 = cast %4 return %y }",
        )),
        partials: function(
            "fn @p(%x: f32, %y: f32) -> (f32,) { b0: %1: f32 = 0.0 %r: (f32,) = tuple %1 return %r }",
        ),
        wgsl: None,
        domain: Vec::new(),
    };
    let mut registry = Registry::default();
    let entry = Entry {
        name: Symbol::new("whole"),
        param_names: Vec::new(),
        params: vec![Type::F32],
        ret: Type::F32,
        context: ContextKind::Default,
        pack: Symbol::new("test"),
        effects: Effects::Pure,
        kind: EntryKind::Scalar(rule),
    };
    registry.insert(entry).unwrap();
    let text = "kernel rows 4 columns 3
  input f32 steps 3 1
  output rows
fn @body(%0: f32) -> (f32,) {
b0:
    %1: f32 = call @whole(%0)
    %2: f32 = call @row.sum(%1)
    %3: (f32,) = tuple %2
    return %3
}
";
    let kernel = parse_kernel(text).unwrap();
    assert!(is_wide(&kernel, &registry));
    let numbers: Vec<f32> = (0..12).map(|i| 0.3 + 1.7 * i as f32).collect();
    let buffer = gpu.upload(bytemuck::cast_slice(&numbers)).unwrap();
    let view = View::dense(buffer, Type::F32, &[12]);
    let program = KernelProgram::new(kernel, Arc::new(registry));
    let made = gpu.kernel(&program, &[KernelInput::View(&view)]).unwrap();
    let found = gpu.download(&View::dense(made[0].clone(), Type::F32, &[4]));
    let found: Vec<f32> = bytemuck::pod_collect_to_vec(&found.unwrap());
    let rounded = |row: &[f32]| row.iter().map(|x| x.round_ties_even()).sum::<f32>();
    let expected: Vec<f32> = numbers.chunks(3).map(rounded).collect();
    assert_eq!(found, expected);
}

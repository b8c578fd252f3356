//! f64 on the adapter against Rust's own functions: on dense grids, at special numbers, in loops and in memory.

use super::tests::{gpu, holds_f64};
use super::*;
use crate::codegen::gpu::rows::is_wide;
use crate::context::Context;
use crate::ir::Symbol;
use crate::ir::parse::parse_module;
use crate::kernel::parse_kernel;
use crate::registry::{ContextKind, Effects, Entry, EntryKind, Registry, ScalarRule};

/// A function of one or two numbers, what it should be, and the most units in the last place it may be off.
struct Row {
    /// Expressions of `%x` and `%z` that end in `%y`, or the name of a row of rules-std.
    text: &'static str,
    exact: fn(f64, f64) -> f64,
    /// Where the first and the second argument are.
    ranges: [Range; 2],
    bound: u64,
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

const fn row(
    text: &'static str,
    exact: fn(f64, f64) -> f64,
    ranges: [Range; 2],
    bound: u64,
) -> Row {
    Row {
        text,
        exact,
        ranges,
        bound,
    }
}

const ANY: Range = Wide(1e-300, 1e300);
const NO: Range = Range::None;

/// The functions of rules-std. Rust's own are within a unit in the last place.
const ROWS: &[Row] = &[
    row("acos", |x, _| x.acos(), [Even(-1.0, 1.0), NO], 3),
    // Rust's is infinite far out.
    row(
        "acosh",
        |x, _| {
            if x > 1e300 {
                x.ln() + std::f64::consts::LN_2
            } else {
                x.acosh()
            }
        },
        [Positive(1.5, 1e300), NO],
        4,
    ),
    row("asin", |x, _| x.asin(), [Wide(1e-20, 1.0), NO], 3),
    row(
        "asinh",
        |x, _| {
            if x.abs() > 1e300 {
                (x.abs().ln() + std::f64::consts::LN_2).copysign(x)
            } else {
                x.asinh()
            }
        },
        [ANY, NO],
        4,
    ),
    row("atan", |x, _| x.atan(), [ANY, NO], 3),
    row("atan2", f64::atan2, [Wide(1e-3, 1e3), Wide(1e-3, 1e3)], 4),
    row("atan2", f64::atan2, [ANY, ANY], 4),
    row("atanh", |x, _| x.atanh(), [Wide(1e-20, 0.7), NO], 4),
    row("cbrt", |x, _| x.cbrt(), [Wide(5e-324, 1e308), NO], 2),
    row("cos", |x, _| x.cos(), [Even(-1000.0, 1000.0), NO], 3),
    row("cos", |x, _| x.cos(), [Wide(1e-3, 1e308), NO], 3),
    row("cosh", |x, _| x.cosh(), [Wide(1e-3, 710.0), NO], 3),
    row(
        "div_euclid",
        f64::div_euclid,
        [Even(-100.0, 100.0), Wide(0.5, 5.0)],
        0,
    ),
    row("exp", |x, _| x.exp(), [Wide(1e-20, 709.7), NO], 3),
    row("exp", |x, _| x.exp(), [Even(-3.0, 3.0), NO], 3),
    row("exp2", |x, _| x.exp2(), [Wide(1e-20, 1022.0), NO], 3),
    row("exp_m1", |x, _| x.exp_m1(), [Wide(1e-20, 709.0), NO], 3),
    row("fract", |x, _| x.fract(), [Wide(1e-3, 1e17), NO], 0),
    row("hypot", f64::hypot, [Wide(1e-3, 1e3), Wide(1e-3, 1e3)], 3),
    row("hypot", f64::hypot, [ANY, ANY], 3),
    row("ln", |x, _| x.ln(), [Positive(5e-324, 1e308), NO], 3),
    row("ln", |x, _| x.ln(), [Even(0.5, 2.0), NO], 3),
    row("ln_1p", |x, _| x.ln_1p(), [Even(-0.99, 3.0), NO], 3),
    row("ln_1p", |x, _| x.ln_1p(), [Wide(1e-20, 0.9), NO], 3),
    row("log10", |x, _| x.log10(), [Positive(5e-324, 1e308), NO], 3),
    row("log2", |x, _| x.log2(), [Positive(5e-324, 1e308), NO], 3),
    row("log2", |x, _| x.log2(), [Even(0.5, 2.0), NO], 3),
    row("max", f64::max, [ANY, ANY], 0),
    row("midpoint", f64::midpoint, [ANY, ANY], 1),
    row("min", f64::min, [ANY, ANY], 0),
    row(
        "powf",
        f64::powf,
        [Positive(0.1, 10.0), Even(-300.0, 300.0)],
        3,
    ),
    row(
        "powf",
        f64::powf,
        [Positive(1e-300, 1e300), Even(-1.0, 1.0)],
        3,
    ),
    row(
        "powf",
        f64::powf,
        [Even(0.9, 1.1), Even(-3000.0, 3000.0)],
        3,
    ),
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
    row("sin", |x, _| x.sin(), [Even(-1000.0, 1000.0), NO], 3),
    row("sin", |x, _| x.sin(), [Wide(1e-20, 1e308), NO], 3),
    row("sinh", |x, _| x.sinh(), [Wide(1e-20, 710.0), NO], 4),
    row("tan", |x, _| x.tan(), [Even(-1000.0, 1000.0), NO], 4),
    row("tan", |x, _| x.tan(), [Wide(1e-20, 1e308), NO], 4),
    row("tanh", |x, _| x.tanh(), [Wide(1e-20, 30.0), NO], 3),
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
        |x, _| x.round_ties_even(),
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
        |x, z| x * 0.0 + z,
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

/// Units in the last place between two numbers. Both NaN is 0; a subnormal number may be flushed to zero.
fn distance(found: f64, expected: f64) -> u64 {
    let flushed = found == 0.0 && expected.abs() < f64::MIN_POSITIVE;
    if found == expected || flushed || (found.is_nan() && expected.is_nan()) {
        return 0;
    }
    if found.is_nan() || expected.is_nan() {
        return u64::MAX;
    }
    let place = |x: f64| match x.to_bits() as i64 {
        bits if bits < 0 => i64::MIN - bits,
        bits => bits,
    };
    place(found).abs_diff(place(expected))
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
        let mut worst = (0, String::new());
        for (&(x, z), found) in points.iter().zip(found) {
            let expected = (row.exact)(x, z);
            let off = distance(found, expected);
            if off > worst.0 {
                worst = (
                    off,
                    format!("at ({x:e}, {z:e}): {found:e}, expected {expected:e}"),
                );
            }
        }
        wrong |= worst.0 > row.bound;
        report += &format!("{}: {} of {} {}\n", row.text, worst.0, row.bound, worst.1);
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

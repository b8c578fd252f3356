//! `mooncake bench --arrays`: what values and gradients of array programs cost.
//!
//! All arrays hold f32 between −1 and 1, unless a task says that they are scaled, so that repeated products stay finite. A time is the median of at least fifteen calls, or of half a second of them.

use super::Filter;
use super::measure::median;
use mooncake::Const;
use mooncake::prelude::*;
use mooncake::testing::{Ran, kernels_run};
use std::time::{Duration, Instant};

#[differentiable]
fn cosexp(x: &Array<f32>) -> f32 {
    x.exp().cos().sum().to_scalar()
}

#[differentiable]
fn chain20(x: &Array<f32>) -> f32 {
    let y = (x * 1.01 + 0.5).sin();
    let y = (&y * &y + 1.0).sqrt();
    let y = (y - x).tanh();
    let y = (y * 0.5).exp();
    let y = &y / (&y + 1.0);
    let y = (y + 0.1).ln();
    let y = (y * x).cos();
    (y * 2.0 - 1.0).sum().to_scalar()
}

#[differentiable]
fn layernorm(x: &Array<f32>, g: &Array<f32>, b: &Array<f32>) -> f32 {
    let n = x.dim(1) as f32;
    let c = x - &(x.sum_axis(1) / n).expand_dims(1);
    let v = ((&c * &c).sum_axis(1) / n + 1e-5).sqrt().expand_dims(1);
    let y = c / v * g + b;
    (&y * &y).sum().to_scalar()
}

#[differentiable]
fn xent(x: &Array<f32>, l: &Array<u32>) -> f32 {
    -x.log_softmax(1).gather(1, l).mean().to_scalar()
}

#[differentiable]
fn logsumexp(x: &Array<f32>, g: &Array<f32>) -> f32 {
    ((x.exp() * 2.0 + 1.0).sum_axis(1).ln() * g)
        .sum()
        .to_scalar()
}

#[differentiable]
fn mlp(
    x: &Array<f32>,
    w1: &Array<f32>,
    b1: &Array<f32>,
    w2: &Array<f32>,
    b2: &Array<f32>,
    l: &Array<u32>,
) -> f32 {
    let h = (x.matmul(w1) + b1).map(|v| v.max(0.0));
    let y = h.matmul(w2) + b2;
    -y.log_softmax(1).gather(1, l).mean().to_scalar()
}

#[differentiable]
fn matmul(a: &Array<f32>, b: &Array<f32>) -> f32 {
    a.matmul(b).sum().to_scalar()
}

#[differentiable]
fn small(x: &Array<f32>, w: &Array<f32>) -> f32 {
    let mut h = x + 0.0;
    for _ in 0..1000 {
        h = (h * w + 0.1).sin();
    }
    h.sum().to_scalar()
}

#[differentiable]
fn small_sum(x: &Array<f32>, w: &Array<f32>) -> f32 {
    let mut h = x + 0.0;
    for _ in 0..1000 {
        h = &h * w;
        h = &h + &h.sum();
    }
    h.sum().to_scalar()
}

#[differentiable]
fn outer(a: &Array<f32>, b: &Array<f32>) -> f32 {
    let s = a + b;
    (&s * &s).sum().to_scalar()
}

#[differentiable]
fn sum_axis0(x: &Array<f32>) -> f32 {
    let s = x.sum_axis(0);
    (&s * &s).sum().to_scalar()
}

#[differentiable]
fn sum_axis1(x: &Array<f32>) -> f32 {
    let s = x.sum_axis(1);
    (&s * &s).sum().to_scalar()
}

#[differentiable]
fn max_axis1(x: &Array<f32>) -> f32 {
    x.max_axis(1).sum().to_scalar()
}

#[differentiable]
fn gather(x: &Array<f32>, i: &Array<u32>) -> f32 {
    let y = x.gather(0, i);
    (&y * &y).sum().to_scalar()
}

#[differentiable]
fn bmm(a: &Array<f32>, b: &Array<f32>) -> f32 {
    let y = a.matmul(b);
    (&y * &y).sum().to_scalar()
}

#[differentiable]
fn attention(q: &Array<f32>, k: &Array<f32>, v: &Array<f32>) -> f32 {
    let scores = q.matmul(&k.swap_axes(2, 3)) / 8.0;
    let mask = Array::<f32>::ones([128, 128]).tril(0).gt(0.0);
    let y = mask.select(&scores, f32::NEG_INFINITY).softmax(3).matmul(v);
    (&y * &y).sum().to_scalar()
}

/// Between arrays there are numbers, computed one by one.
#[differentiable]
fn smoothing(x: &Array<f32>) -> f32 {
    let mut v = x.exp().to_vec().unwrap();
    for i in 1..v.len() {
        v[i] = 0.9 * v[i - 1] + 0.1 * v[i];
    }
    (Array::from_vec(v, x.shape()) * x).sum().to_scalar()
}

#[differentiable]
fn rnn(xs: &Array<f32>, wx: &Array<f32>, wh: &Array<f32>, b: &Array<f32>) -> f32 {
    let mut h = (xs.index_axis(0, 0).matmul(wx) + b).tanh();
    for n in 1..100 {
        h = (xs.index_axis(0, n).matmul(wx) + h.matmul(wh) + b).tanh();
    }
    (&h * &h).sum().to_scalar()
}

/// The wave equation on a ring: 500 steps in time.
#[differentiable]
fn wave(start: &Array<f32>) -> f32 {
    let mut height = start + 0.0;
    let mut speed = start * 0.0;
    for _ in 0..500 {
        let around = height.roll(0, 1) + height.roll(0, -1);
        speed = &speed + (around - &height * 2.0) * 0.1;
        height = &height + &speed * 0.1;
    }
    (&height * &height).sum().to_scalar()
}

/// The heat equation on a line: 500 steps in time.
#[differentiable]
fn heat(start: &Array<f32>) -> f32 {
    let mut heat = start.clone();
    for _ in 0..500 {
        let middle = heat.slice(1..255);
        let around = heat.slice(2..256) + heat.slice(0..254);
        heat = heat.with_slice(1..255, &(&middle + (around - &middle * 2.0) * 0.1));
    }
    (&heat * &heat).sum().to_scalar()
}

/// The wave equation on a torus: 10 steps in time.
#[differentiable]
fn waves(start: &Array<f32>) -> f32 {
    let mut height = start.clone();
    let mut speed = start * 0.0;
    for _ in 0..10 {
        let around = height.roll(0, 1) + height.roll(0, -1);
        let around = around + height.roll(1, 1) + height.roll(1, -1);
        speed = &speed + (around - &height * 4.0) * 0.1;
        height = &height + &speed * 0.1;
    }
    (&height * &height).sum().to_scalar()
}

/// Differences of neighbours in an image.
#[differentiable]
fn variation(x: &Array<f32>) -> f32 {
    let down = x.slice((1..1000, ..)) - x.slice((0..999, ..));
    let right = x.slice((.., 1..1000)) - x.slice((.., 0..999));
    ((&down * &down).sum() + (&right * &right).sum()).to_scalar()
}

/// Each place and its four neighbours, with zeros around the array.
#[differentiable]
fn laplacian(x: &Array<f32>) -> f32 {
    let p = x.pad(0, 1, 1).pad(1, 1, 1);
    let around = p.slice((0..1000, 1..1001)) + p.slice((2..1002, 1..1001));
    let around = around + p.slice((1..1001, 0..1000)) + p.slice((1..1001, 2..1002));
    let y = around - x * 4.0;
    (&y * &y).sum().to_scalar()
}

/// How the variances of a filter with four states go on: 100 steps.
#[differentiable]
fn filter(step: &Array<f32>, noise: &Array<f32>) -> f32 {
    let mut p = Array::<f32>::eye(4);
    for _ in 0..100 {
        p = step.matmul(&p).matmul(&step.t()) + noise;
        p = &p - p.matmul(&p) * 0.1;
    }
    p.sum().to_scalar()
}

#[differentiable]
fn cumsum(x: &Array<f32>) -> f32 {
    let y = x.cumsum(1);
    (&y * &y).sum().to_scalar()
}

#[differentiable]
fn solve(a: &Array<f32>, b: &Array<f32>) -> f32 {
    let x = (a + Array::<f32>::eye(512) * 40.0).solve(b);
    (&x * &x).sum().to_scalar()
}

#[differentiable]
fn logdet(a: &Array<f32>) -> f32 {
    (a + Array::<f32>::eye(512) * 40.0).logdet().to_scalar()
}

/// What was measured.
struct Row {
    name: &'static str,
    /// The rule is derived, planned and compiled, and the first gradient computed. What a GPU's cache on disk has is not compiled: run the tool twice.
    first_ms: f64,
    gradient_ms: f64,
    value_ms: f64,
    /// Kernels, and operations that no kernel does.
    kernels: usize,
    /// Of kernels.
    bytes: usize,
}

/// One layer of a transformer in f64, with two heads and a causal mask: its kernels and products take some ten microseconds each.
#[differentiable]
fn transformer(
    x: &Array<f32>,
    qkv: &Array<f32>,
    out: &Array<f32>,
    up: &Array<f32>,
    down: &Array<f32>,
) -> f64 {
    let (x, heads) = (x.to_f64(), 2);
    let (t, d) = (x.dim(0), x.dim(1));
    let parts = x.matmul(&qkv.to_f64()).reshape([t, 3, heads, d / heads]);
    let parts = parts.permute([1, 2, 0, 3]);
    let (q, k, v) = (
        parts.index_axis(0, 0),
        parts.index_axis(0, 1),
        parts.index_axis(0, 2),
    );
    let scores = q.matmul(&k.swap_axes(1, 2)) / ((d / heads) as f64).sqrt();
    let mask = Array::<f64>::ones([t, t]).tril(0).gt(0.5);
    let weights = mask.select(&scores, -1e9).softmax(2);
    let mixed = weights.matmul(&v).permute([1, 0, 2]).reshape([t, d]);
    let x = x + mixed.matmul(&out.to_f64());
    let h = { x.matmul(&up.to_f64()) }
        .map(|v| 0.5 * v * (1.0 + (0.797885 * (v + 0.044715 * v * v * v)).tanh()));
    let y = x + h.matmul(&down.to_f64());
    (&y * &y).mean().to_scalar()
}

/// Arrays of numbers that look random, the same in every run.
struct Inputs {
    device: Device,
    state: u64,
}

impl Inputs {
    fn next(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.state >> 33
    }
    fn floats(&mut self, shape: &[usize]) -> Array<f32> {
        let count = shape.iter().product();
        let data = (0..count).map(|_| self.next() as f32 / (1u64 << 30) as f32 - 1.0);
        let data: Vec<f32> = data.collect();
        Array::from_vec_on(&self.device, data, shape)
    }
    fn numbers(&mut self, below: u64, shape: &[usize]) -> Array<u32> {
        let count = shape.iter().product();
        let data: Vec<u32> = (0..count).map(|_| (self.next() % below) as u32).collect();
        Array::from_vec_on(&self.device, data, shape)
    }
}

/// The median time of calls, in milliseconds.
fn time(mut call: impl FnMut() -> mooncake::Result<()>) -> mooncake::Result<f64> {
    for _ in 0..3 {
        call()?;
    }
    let (mut times, start) = (Vec::new(), Instant::now());
    while times.len() < 15 || (start.elapsed() < Duration::from_millis(500) && times.len() < 500) {
        let begun = Instant::now();
        call()?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(times))
}

/// Declares the tasks: name, function, arguments. An argument that is constant is marked so.
macro_rules! tasks {
    ($($name:literal: $function:ident ($($args:tt)*),)*) => {
        const NAMES: &[&str] = &[$($name),*];

        fn run_task(name: &str, ctx: &Context, inputs: &mut Inputs) -> mooncake::Result<Option<Row>> {
            match name {
                $($name => {
                    let begun = Instant::now();
                    let rule = (ctx.build_rrule::<$function>()?, begun.elapsed());
                    tasks!(@call rule, $name, inputs, [] $($args)*)
                })*
                _ => Ok(None),
            }
        }
    };
    (@call $rule:ident, $name:literal, $inputs:ident, [$(($kind:ident $made:ident))*]) => {{
        let (rule, building) = $rule;
        let gradient = || {
            let (_, gradient) = rule.value_and_gradient(($(tasks!(@pass $kind $made),)*))?;
            drop(gradient);
            Ok(())
        };
        let begun = Instant::now();
        gradient()?;
        let first_ms = (building + begun.elapsed()).as_secs_f64() * 1e3;
        let value_ms = time(|| rule.value(($(tasks!(@pass $kind $made),)*)).map(drop))?;
        let gradient_ms = time(gradient)?;
        let (_, ran) = kernels_run(gradient);
        Ok(Some(Row {
            name: $name,
            first_ms,
            gradient_ms,
            value_ms,
            kernels: ran.len(),
            bytes: ran.iter().map(Ran::bytes).sum(),
        }))
    }};
    (@call $rule:ident, $name:literal, $inputs:ident, [$($done:tt)*] f[$($shape:expr),*] $(, $($rest:tt)*)?) => {{
        let array = $inputs.floats(&[$($shape),*]);
        tasks!(@call $rule, $name, $inputs, [$($done)* (active array)] $($($rest)*)?)
    }};
    (@call $rule:ident, $name:literal, $inputs:ident, [$($done:tt)*] f[$($shape:expr),*] * $scale:literal $(, $($rest:tt)*)?) => {{
        let array = &$inputs.floats(&[$($shape),*]) * $scale;
        tasks!(@call $rule, $name, $inputs, [$($done)* (active array)] $($($rest)*)?)
    }};
    (@call $rule:ident, $name:literal, $inputs:ident, [$($done:tt)*] u[$below:expr; $($shape:expr),*] $(, $($rest:tt)*)?) => {{
        let array = $inputs.numbers($below, &[$($shape),*]);
        tasks!(@call $rule, $name, $inputs, [$($done)* (constant array)] $($($rest)*)?)
    }};
    (@pass active $made:ident) => { &$made };
    (@pass constant $made:ident) => { Const(&$made) };
}

tasks! {
    "cosexp_1e6": cosexp(f[1_000_000]),
    "chain20_1e6": chain20(f[1_000_000]),
    "layernorm": layernorm(f[1024, 512], f[512], f[512]),
    "xent": xent(f[1024, 1000], u[1000; 1024, 1]),
    "logsumexp": logsumexp(f[1000, 1000], f[1000]),
    "mlp": mlp(f[256, 784], f[784, 256], f[256], f[256, 10], f[10], u[10; 256, 1]),
    "matmul_512": matmul(f[512, 512], f[512, 512]),
    "matmul_1024": matmul(f[1024, 1024], f[1024, 1024]),
    "bmm": bmm(f[8, 128, 64], f[8, 64, 128]),
    "attention": attention(f[4, 8, 128, 64], f[4, 8, 128, 64], f[4, 8, 128, 64]),
    "rnn": rnn(f[100, 1, 64], f[64, 64], f[64, 64] * 0.1, f[1, 64]),
    "small_1000": small(f[8], f[8]),
    "small_sum_1000": small_sum(f[8], f[8] * 0.001),
    "wave": wave(f[256]),
    "heat": heat(f[256]),
    "waves": waves(f[1000, 1000]),
    "variation": variation(f[1000, 1000]),
    "laplacian": laplacian(f[1000, 1000]),
    "transformer": transformer(f[64, 64], f[64, 192] * 0.1, f[64, 64] * 0.1, f[64, 256] * 0.1, f[256, 64] * 0.1),
    "filter": filter(f[4, 4] * 0.3, f[4, 4] * 0.1),
    "smoothing": smoothing(f[100_000]),
    "outer": outer(f[1000, 1], f[1, 1000]),
    "sum_axis0": sum_axis0(f[2000, 2000]),
    "sum_axis1": sum_axis1(f[2000, 2000]),
    "max_axis1": max_axis1(f[2000, 2000]),
    "gather": gather(f[1000, 64], u[1000; 50000, 64]),
    "cumsum": cumsum(f[500, 1000]),
    "solve_512": solve(f[512, 512], f[512, 512]),
    "logdet_512": logdet(f[512, 512]),
}

/// Measures the tasks whose names match, on a device.
pub fn run(
    json: bool,
    device: Option<Device>,
    filter: Filter<'_>,
) -> Result<String, Box<dyn std::error::Error>> {
    let names = filter.choose(NAMES.to_vec(), |name| name)?;
    let device = device.unwrap_or_else(Device::cpu);
    let ctx = Context::builder().device(device.clone()).build()?;
    let mut inputs = Inputs { device, state: 1 };
    let mut rows = Vec::new();
    for name in names {
        rows.extend(run_task(name, &ctx, &mut inputs)?);
    }
    Ok(match json {
        true => {
            let values = rows.iter().map(|row| {
                serde_json::json!({
                    "name": row.name,
                    "first_ms": row.first_ms,
                    "gradient_ms": row.gradient_ms,
                    "value_ms": row.value_ms,
                    "kernels": row.kernels,
                    "bytes": row.bytes,
                })
            });
            format!(
                "{}\n",
                serde_json::to_string_pretty(&values.collect::<Vec<_>>())?
            )
        }
        false => {
            let mut text = format!(
                "{:16} {:>10} {:>12} {:>12} {:>8} {:>14}\n",
                "task", "first ms", "gradient ms", "value ms", "kernels", "bytes"
            );
            for row in &rows {
                text += &format!(
                    "{:16} {:10.1} {:12.3} {:12.3} {:8} {:14}\n",
                    row.name, row.first_ms, row.gradient_ms, row.value_ms, row.kernels, row.bytes
                );
            }
            text
        }
    })
}

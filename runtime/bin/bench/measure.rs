//! Measuring: three contestants in turns, medians.

use super::Case;
use mooncake::{Context, ContextBuilder, Device, Result};
use std::time::{Duration, Instant};

/// What was measured of a benchmark.
pub struct Row {
    pub name: &'static str,
    pub n: usize,
    pub native_ns: f64,
    pub primal_ns: f64,
    pub gradient_ns: f64,
    pub tape_bytes: usize,
    pub first_gradient_ms: f64,
}

impl Row {
    /// How many times the native function the gradient costs.
    pub fn ratio(&self) -> f64 {
        self.gradient_ns / self.native_ns
    }
}

/// What a benchmark is asked to do.
#[derive(Clone, Copy)]
pub enum Task {
    /// Run the native function.
    Native,
    /// Run the compiled function.
    Primal,
    /// Compute value and gradient; gives the bytes of tape.
    Gradient,
    /// Derive, compile and run a gradient in a fresh context; gives milliseconds.
    First,
}

const CONTESTANTS: [Task; 3] = [Task::Native, Task::Primal, Task::Gradient];
/// One sample: long against the clock's resolution, short against the neighbours' moods.
pub const SAMPLE: Duration = Duration::from_micros(100);
const WARMUP: Duration = Duration::from_millis(30);
const MEASURING: Duration = Duration::from_millis(400);
/// First gradients to take the median of; fewer if they take longer than this together.
const FIRSTS: usize = 9;
const FIRSTS_END: Duration = Duration::from_secs(2);

/// The context in which everything is measured: no device to look for.
pub fn context() -> Result<Context> {
    builder().build()
}

/// For contexts that differ.
pub fn builder() -> ContextBuilder {
    Context::builder().device(Device::cpu())
}

/// The time that `first` takes, in milliseconds.
pub fn milliseconds<T>(first: impl FnOnce() -> Result<T>) -> Result<f64> {
    let start = Instant::now();
    std::hint::black_box(first()?);
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// Measures a benchmark. `run` does what it is asked and gives a number.
pub fn measure(case: &Case, mut run: impl FnMut(Task) -> Result<f64>) -> Result<Row> {
    let (start, mut firsts) = (Instant::now(), Vec::new());
    while firsts.is_empty() || (firsts.len() < FIRSTS && start.elapsed() < FIRSTS_END) {
        firsts.push(run(Task::First)?);
    }
    let tape_bytes = run(Task::Gradient)? as usize;
    let mut counts = [1; 3];
    for (count, task) in counts.iter_mut().zip(CONTESTANTS) {
        *count = calibrate(task, &mut run)?;
    }
    let mut samples: [Vec<f64>; 3] = Default::default();
    let start = Instant::now();
    // Who comes after whom changes, so that nobody always finds the other's caches.
    for turn in 0.. {
        for place in 0..3 {
            let i = (turn + place) % 3;
            samples[i].push(sample(CONTESTANTS[i], counts[i], &mut run)?);
        }
        if start.elapsed() > MEASURING {
            break;
        }
    }
    let [native_ns, primal_ns, gradient_ns] = samples.map(median);
    Ok(Row {
        name: case.name,
        n: case.n,
        native_ns,
        primal_ns,
        gradient_ns,
        tape_bytes,
        first_gradient_ms: median(firsts),
    })
}

/// Warms up, and finds how many calls make a sample.
fn calibrate(task: Task, run: &mut impl FnMut(Task) -> Result<f64>) -> Result<u32> {
    let start = Instant::now();
    let mut calls = 0;
    while start.elapsed() < WARMUP {
        std::hint::black_box(run(task)?);
        calls += 1;
    }
    let each = start.elapsed().as_secs_f64() / f64::from(calls);
    Ok((SAMPLE.as_secs_f64() / each).ceil().max(1.0) as u32)
}

/// Nanoseconds per call.
fn sample(task: Task, count: u32, run: &mut impl FnMut(Task) -> Result<f64>) -> Result<f64> {
    let start = Instant::now();
    for _ in 0..count {
        std::hint::black_box(run(task)?);
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / f64::from(count))
}

/// Contestants by their names: each does so many calls.
pub type Contestant<'a> = (&'static str, Box<dyn FnMut(u32) -> Result<()> + 'a>);

/// Nanoseconds per call of some contestants that run in turns, each for samples of this length: medians.
pub fn in_turns(contestants: &mut [Contestant<'_>], sample: Duration) -> Result<Vec<f64>> {
    let mut counts = Vec::new();
    for (_, run) in &mut *contestants {
        let mut count: u32 = 1;
        let each = loop {
            let start = Instant::now();
            run(count)?;
            match start.elapsed() {
                elapsed if elapsed >= WARMUP => break elapsed.as_secs_f64() / f64::from(count),
                _ => count = count.saturating_mul(2),
            }
        };
        counts.push((sample.as_secs_f64() / each).ceil().max(1.0) as u32);
    }
    let mut samples = vec![Vec::new(); contestants.len()];
    let start = Instant::now();
    for turn in 0.. {
        for place in 0..contestants.len() {
            let i = (turn + place) % contestants.len();
            let start = Instant::now();
            (contestants[i].1)(counts[i])?;
            samples[i].push(start.elapsed().as_secs_f64() * 1e9 / f64::from(counts[i]));
        }
        if start.elapsed() > MEASURING && turn > 8 {
            break;
        }
    }
    Ok(samples.into_iter().map(median).collect())
}

/// The one in the middle, 0 of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

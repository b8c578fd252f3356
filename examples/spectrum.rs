//! What drives an oscillator? Fits a damped resonance in noise to a measured spectrum, with two packs that are loaded while the program runs:
//! `fft` transforms the model, `special` has the logarithm of the gamma function for the likelihood, and gradients go through both.
//!
//!     cargo run --release --example spectrum              builds the packs with cargo
//!     cargo run --release --example spectrum -- FOLDER    takes them from a folder
//!
//! A series of 5,000 samples is white noise through the filter `exp(−γt) cos(ωt)`, with more noise added. Its spectrum is estimated by Welch's
//! method: the mean power of windows that overlap. Such a mean has a gamma distribution, whose number of degrees of freedom nobody knows, because
//! the windows overlap: it is fitted too, and the gradient with respect to it needs the derivative of `ln Γ`.

use mooncake::Const;
use mooncake::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use std::error::Error;
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};
use std::process::Command;

#[differentiable]
#[pack = "fft"]
extern "pack" {
    fn rfft(x: &Array<f64>) -> (Array<f64>, Array<f64>);
}

#[differentiable]
#[pack = "special"]
extern "pack" {
    fn log_gamma(x: f64) -> f64;
}

/// The spectrum of the filter `exp(−decay · t) · cos(omega · t)`, with constant noise.
#[differentiable]
fn spectrum(t: &Array<f64>, decay: f64, omega: f64, gain: f64, noise: f64) -> Array<f64> {
    let filter = t.map(|t| (-decay * t).exp() * (omega * t).cos());
    let (re, im) = rfft(&filter);
    (&re * &re + &im * &im) * gain + noise
}

/// The negative logarithm of the likelihood. `parameters` are logarithms of decay, frequency, gain, noise and degrees of freedom; `used` is 1 where
/// the spectrum is compared, 0 elsewhere.
#[differentiable]
fn surprise(parameters: &[f64], t: &Array<f64>, power: &Array<f64>, used: &Array<f64>) -> f64 {
    let [decay, omega, gain, noise] = [0, 1, 2, 3].map(|i| parameters[i].exp());
    let freedom = parameters[4].exp();
    let model = spectrum(t, decay, omega, gain, noise);
    let misfit = ((model.ln() + power / &model) * used).sum().to_scalar();
    let scatter = (power.ln() * used).sum().to_scalar();
    let count = used.sum().to_scalar();
    freedom * misfit - (freedom - 1.0) * scatter
        + count * (log_gamma(freedom) - freedom * freedom.ln())
}

/// What the series is made with, and the size of a window.
const DECAY: f64 = 0.05;
const OMEGA: f64 = 0.9;
const NOISE: f64 = 2.0;
const SAMPLES: usize = 5000;
const WINDOW: usize = 256;

const NAMES: [&str; 5] = [
    "decay per sample",
    "radians per sample",
    "power of the drive",
    "power of the noise",
    "degrees of freedom",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = match std::env::args_os().nth(1) {
        Some(folder) => PathBuf::from(folder),
        None => build()?,
    };
    let mut ctx = Context::builder().device(Device::cpu()).build()?;
    for package in PACKAGES {
        let path = library(&folder, package);
        if !path.is_file() {
            return Err(format!(
                "{} does not exist: build it with `cargo build --release -p {package}`",
                path.display()
            )
            .into());
        }
        ctx.load_pack(&path)?;
    }

    let series = series(&mut StdRng::seed_from_u64(7));
    let power = welch(&series)?;
    let t = Array::from_vec((0..WINDOW).map(|t| t as f64).collect(), [WINDOW]);
    // The mean and the highest frequency have other distributions, and the second half of the spectrum repeats the first.
    let used = (0..WINDOW).map(|k| f64::from(u8::from((2..WINDOW / 2).contains(&k))));
    let used = Array::from_vec(used.collect(), [WINDOW]);

    let start = [0.1, 1.1, 0.5, 1.0, 8.0].map(f64::ln);
    let (best, errors) = fit(&ctx, &start, &t, &power, &used)?;
    let truth = [DECAY, OMEGA, 1.0, NOISE];
    println!(
        "\n{:<20} {:>10} {:>10} {:>9}",
        "", "made with", "found", "±"
    );
    for (i, name) in NAMES.iter().enumerate() {
        let made = truth.get(i).map_or(String::new(), |x| format!("{x:.3}"));
        let found = best[i].exp();
        println!(
            "{name:<20} {made:>10} {found:>10.3} {:>9.3}",
            found * errors[i]
        );
    }
    Ok(())
}

/// Newton's method, with a damping that grows where a step does not help. Gives the minimum and, from the Hessian there, the standard errors.
fn fit(
    ctx: &Context,
    start: &[f64],
    t: &Array<f64>,
    power: &Array<f64>,
    used: &Array<f64>,
) -> Result<(Vec<f64>, Vec<f64>), Box<dyn Error>> {
    let products = ctx.build_hvp::<surprise>()?;
    let n = start.len();
    let (mut at, mut damping) = (start.to_vec(), 1.0);
    let derivatives = |at: &[f64]| -> mooncake::Result<_> {
        let (mut hessian, mut first) = (Vec::new(), None);
        for i in 0..n {
            let mut direction = vec![0.0; n];
            direction[i] = 1.0;
            let args = (at, Const(t), Const(power), Const(used));
            let (y, (gradient, ..), (row, ..)) =
                products.value_gradient_and_hvp(args, (&direction[..], (), (), ()))?;
            first = Some((y, gradient));
            hessian.extend(row);
        }
        Ok((first, hessian))
    };
    for step in 0.. {
        let (Some((y, gradient)), mut hessian) = derivatives(&at)? else {
            return Err("nothing to fit".into());
        };
        let slope = gradient.iter().fold(0.0_f64, |a, g| a.max(g.abs()));
        println!(
            "step {step:>2}: surprise {y:>10.4}, largest slope {slope:>9.2e}, damping {damping:.0e}"
        );
        if slope < 1e-4 || step == 60 {
            let inverse = Array::from_vec(hessian, [n, n]).inv().to_vec()?;
            let errors = (0..n).map(|i| inverse[i * n + i].sqrt()).collect();
            return Ok((at, errors));
        }
        // Uphill the damping alone decides.
        for i in 0..n {
            hessian[i * n + i] += damping * (1.0 + hessian[i * n + i].abs());
        }
        let gradient = Array::from_vec(gradient, [n]);
        let step = Array::from_vec(hessian, [n, n]).solve(&gradient).to_vec()?;
        let next: Vec<f64> = at
            .iter()
            .zip(&step)
            .map(|(x, d)| x - d.clamp(-1.0, 1.0))
            .collect();
        let there = surprise(&next, t, power, used);
        (at, damping) = match there < y {
            true => (next, damping / 10.0),
            false => (at, damping * 10.0),
        };
    }
    Err("the fit has no end".into())
}

/// White noise through the filter, and white noise added.
fn series(rng: &mut impl Rng) -> Vec<f64> {
    let filter: Vec<f64> = (0..WINDOW)
        .map(|t| (-DECAY * t as f64).exp() * (OMEGA * t as f64).cos())
        .collect();
    let drive: Vec<f64> = (0..SAMPLES + WINDOW).map(|_| normal(rng)).collect();
    let filtered = drive.windows(WINDOW).take(SAMPLES).map(|window| {
        let pairs = window.iter().rev().zip(&filter);
        pairs.map(|(x, h)| x * h).sum::<f64>()
    });
    filtered.map(|x| x + NOISE.sqrt() * normal(rng)).collect()
}

/// A number with the normal distribution, by the method of Box and Muller.
fn normal(rng: &mut impl Rng) -> f64 {
    let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
    (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
}

/// The mean power of windows that overlap by half: natively, with the function of the pack.
fn welch(series: &[f64]) -> Result<Array<f64>, Box<dyn Error>> {
    let hann = |i: usize| 0.5 - 0.5 * (TAU * i as f64 / WINDOW as f64).cos();
    let scale: f64 = (0..WINDOW).map(|i| hann(i) * hann(i)).sum();
    let mut total = vec![0.0; WINDOW];
    let starts = (0..series.len() - WINDOW + 1).step_by(WINDOW / 2);
    let count = starts.len() as f64;
    for start in starts {
        let window = series[start..start + WINDOW].iter().enumerate();
        let window = window.map(|(i, x)| x * hann(i)).collect();
        let (re, im) = rfft(&Array::from_vec(window, [WINDOW]));
        for ((total, re), im) in total.iter_mut().zip(re.to_vec()?).zip(im.to_vec()?) {
            *total += (re * re + im * im) / (scale * count);
        }
    }
    Ok(Array::from_vec(total, [WINDOW]))
}

const PACKAGES: [&str; 2] = ["fft-pack", "special-pack"];

/// The library of a package in a folder.
fn library(folder: &Path, package: &str) -> PathBuf {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    folder.join(format!("{prefix}{}{suffix}", package.replace('-', "_")))
}

/// Builds the packs beside this program, and gives their folder.
fn build() -> Result<PathBuf, Box<dyn Error>> {
    let program = std::env::current_exe()?;
    // …/target/release/examples/spectrum
    let (Some(profile), Some(target)) = (program.ancestors().nth(2), program.ancestors().nth(3))
    else {
        return Err("this program is not where cargo builds it: give the folder with the packs as its argument".into());
    };
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--target-dir"]).arg(target);
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    for package in PACKAGES {
        cargo.args(["--package", package]);
    }
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    match cargo.status() {
        Ok(status) if status.success() => Ok(profile.to_owned()),
        Ok(_) => Err("cargo could not build the packs: what it said is above".into()),
        Err(error) => Err(format!(
            "cargo does not run here ({error}): give the folder with the packs as this program's argument"
        )
        .into()),
    }
}

//! The sampler of nuts-rs on the eight schools (Rubin 1981; Gelman et al., Bayesian Data Analysis, 5.5): effects of coaching in eight schools,
//! measured with known errors, with one distribution that they all come from. Its mean and its width are drawn as histograms.
//!
//!     cargo run --release --manifest-path examples/clients/Cargo.toml --bin schools

use mooncake::Const;
use mooncake::prelude::*;
use nuts_rs::rand::{Rng, SeedableRng, rngs::StdRng};
use nuts_rs::{
    Chain, CpuLogpFunc, CpuMath, CpuMathError, DiagNutsSettings, HasDims, LogpError, Settings,
};
use plotters::prelude::*;
use std::collections::HashMap;
use std::path::Path;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const EFFECTS: [f64; 8] = [28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0];
const ERRORS: [f64; 8] = [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0];

/// The logarithm of the posterior density at the mean, the logarithm of the width, and how many widths each school is from the mean.
#[differentiable]
fn log_posterior(at: &[f64], effects: &[f64], errors: &[f64]) -> f64 {
    let (mean, log_width) = (at[0], at[1]);
    let width = log_width.exp();
    // The mean is normal with deviation 5, the width half-Cauchy with scale 5.
    let mut density = -0.5 * (mean / 5.0) * (mean / 5.0);
    density += log_width - (1.0 + (width / 5.0) * (width / 5.0)).ln();
    for i in 0..effects.len() {
        let apart = at[2 + i];
        let z = (effects[i] - mean - width * apart) / errors[i];
        density -= 0.5 * (apart * apart + z * z);
    }
    density
}

/// What nuts-rs samples from.
struct Posterior(RRule<log_posterior>);

/// Why a density could not be computed.
#[derive(Debug)]
struct Failed(mooncake::Error);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
impl std::error::Error for Failed {}
impl LogpError for Failed {
    fn is_recoverable(&self) -> bool {
        false
    }
}

impl HasDims for Posterior {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        let name = "unconstrained_parameter".to_owned();
        HashMap::from([(name, self.dim() as u64)])
    }
}

impl CpuLogpFunc for Posterior {
    type LogpError = Failed;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        2 + EFFECTS.len()
    }
    fn logp(&mut self, at: &[f64], gradient: &mut [f64]) -> Result<f64, Failed> {
        let args = (at, Const(&EFFECTS[..]), Const(&ERRORS[..]));
        let done = self.0.value_and_gradient_into(args, (gradient, (), ()));
        done.map_err(Failed)
    }
    fn expand_vector<R: Rng + ?Sized>(
        &mut self,
        _: &mut R,
        at: &[f64],
    ) -> Result<Vec<f64>, CpuMathError> {
        Ok(at.to_vec())
    }
}

fn main() -> Outcome<()> {
    let ctx = Context::builder().device(Device::cpu()).build()?;
    let math = CpuMath::new(Posterior(ctx.build_rrule::<log_posterior>()?));
    let (tuning, draws) = (1000, 10_000);
    let settings = DiagNutsSettings {
        num_tune: tuning,
        ..Default::default()
    };
    let mut random = StdRng::seed_from_u64(8);
    let mut chain = settings.new_chain(0, math, &mut random)?;
    chain.set_position(&[0.0; 10])?;
    let (mut means, mut widths) = (Vec::new(), Vec::new());
    for n in 0..tuning + draws {
        let (at, _) = chain.draw()?;
        if n >= tuning {
            means.push(at[0]);
            widths.push(at[1].exp());
        }
    }
    let average = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let (mean, width) = (average(&means), average(&widths));
    println!("{draws} draws: mean {mean:.2}, width {width:.2}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/schools.svg");
    draw(&means, &widths, &path)?;
    println!("picture in {}", path.display());
    // What long runs of other samplers give: 4.4 and 3.6.
    match (mean - 4.4).abs() < 0.5 && (width - 3.6).abs() < 0.5 {
        true => Ok(()),
        false => Err("the posterior is another one".into()),
    }
}

/// Both histograms beside each other.
fn draw(means: &[f64], widths: &[f64], path: &Path) -> Outcome<()> {
    std::fs::create_dir_all(path.parent().ok_or("a folder")?)?;
    let root = SVGBackend::new(path, (800, 300)).into_drawing_area();
    root.fill(&WHITE)?;
    let halves = root.split_evenly((1, 2));
    let all = [
        ("mean effect", means, -10.0..20.0),
        ("width", widths, 0.0..20.0),
    ];
    for (half, (title, values, range)) in halves.iter().zip(all) {
        let (bars, size) = (60, range.end - range.start);
        let mut counts = vec![0.0; bars];
        for value in values {
            let place = (value - range.start) / size * bars as f64;
            if (0.0..bars as f64).contains(&place) {
                counts[place as usize] += 1.0 / values.len() as f64;
            }
        }
        let high = counts.iter().copied().fold(0.0, f64::max);
        let mut chart = ChartBuilder::on(half)
            .caption(title, ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(24)
            .build_cartesian_2d(range.clone(), 0.0..high)?;
        chart.configure_mesh().disable_mesh().y_labels(0).draw()?;
        let bar = size / bars as f64;
        chart.draw_series(counts.iter().enumerate().map(|(n, &count)| {
            let left = range.start + n as f64 * bar;
            Rectangle::new([(left, 0.0), (left + bar, count)], BLUE.filled())
        }))?;
    }
    root.present()?;
    Ok(())
}

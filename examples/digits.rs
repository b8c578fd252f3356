//! Trains a classifier of handwritten digits: 64 pixels – 128 hidden units – 10 classes.
//!
//! The hidden activation is `gelu` from a rule pack that is loaded while the program runs; the loss is one
//! `#[differentiable]` function over arrays; the gradient runs as kernels on the GPU, or on the CPU where there is none.
//!
//!     cargo run --release --example digits
//!     cargo run --release --example digits -- --device cpu --epochs 40

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use mooncake::prelude::*;
use mooncake::{Const, Primal, Type};
use plotters::prelude::{ChartBuilder, IntoDrawingArea, LineSeries, RED, SVGBackend, WHITE};
use plotters::style::Color as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

#[path = "data/digits.rs"]
mod digits;

use digits::{Images, Outcome, Parameters};

/// Trains a classifier of handwritten digits with gradients through a loaded rule pack.
#[derive(Parser)]
struct Options {
    /// Where arrays live: auto, gpu or cpu. Without it, where MOONCAKE_DEVICE says
    #[arg(long)]
    device: Option<String>,
    /// How often to go through the training images
    #[arg(long, default_value_t = 30)]
    epochs: usize,
    /// Images per gradient step
    #[arg(long, default_value_t = 32)]
    batch: usize,
    /// Decides the split, the initial weights and the order of the images
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// The rule pack that defines gelu [default: this repository's, built if necessary]
    #[arg(long)]
    pack: Option<PathBuf>,
    /// Where to write the loss curve (SVG)
    #[arg(long, default_value = "target/digits-loss.svg")]
    plot: PathBuf,
}

#[differentiable]
extern "pack" {
    /// Defined, with its derivative, by whichever pack is loaded.
    fn gelu(x: f32) -> f32;
}

/// The scores of each image (rows of `x`) for the ten classes: shape `[images, 10]`.
#[differentiable]
fn scores(
    x: &Array<f32>,
    w1: &Array<f32>,
    b1: &Array<f32>,
    w2: &Array<f32>,
    b2: &Array<f32>,
) -> Array<f32> {
    let hidden = (x.matmul(w1) + b1).map(gelu);
    hidden.matmul(w2) + b2
}

/// The mean cross-entropy of the images' classes (`labels`: shape `[images, 1]`).
#[differentiable]
fn loss(
    x: &Array<f32>,
    labels: &Array<u32>,
    w1: &Array<f32>,
    b1: &Array<f32>,
    w2: &Array<f32>,
    b2: &Array<f32>,
) -> Array<f32> {
    -scores(x, w1, b1, w2, b2)
        .log_softmax(1)
        .gather(1, labels)
        .mean()
}

fn main() -> Outcome<()> {
    let options = Options::parse();
    if options.batch == 0 {
        return Err("--batch must be at least 1".into());
    }
    let device = match &options.device {
        Some(name) => Device::by_name(name)?,
        None => Device::from_env()?,
    };
    let mut ctx = Context::builder().device(device).build()?;
    let pack = match &options.pack {
        Some(path) => std::path::absolute(path)?,
        None => find_or_build_pack()?,
    };
    ctx.load_pack(&pack)?;
    println!("device  {}", ctx.device());
    println!(
        "pack    {} (gelu is a primitive: {})",
        pack.display(),
        ctx.is_primitive("gelu::gelu", &[Type::F32])
    );

    let mut rng = StdRng::seed_from_u64(options.seed);
    let (train, test) = split(&Images::digits()?, &mut rng);
    println!(
        "data    {} training images, {} held out",
        train.len(),
        test.len()
    );
    let mut model = Model::new(&ctx, &mut rng)?;
    model.check_gradient(
        &train.batch(&ctx, &(0..64.min(train.len())).collect::<Vec<_>>()),
        &mut rng,
    )?;

    let curve = model.train(&ctx, &train, &options, &mut rng)?;
    let accuracy = model.accuracy(&ctx, &test)?;
    println!("test accuracy {accuracy:.4}");
    draw(&curve, &options.plot)?;
    println!("loss curve in {}", options.plot.display());
    Ok(())
}

/// The repository's gelu pack, brought up to date by cargo where there is one; otherwise the built one.
fn find_or_build_pack() -> Outcome<PathBuf> {
    // …/target/release/examples/digits: the pack is built into …/target/release.
    let exe = std::env::current_exe()?;
    let profile_dir = exe
        .parent()
        .and_then(Path::parent)
        .ok_or("the program has no folder")?;
    let pack = profile_dir.join(libloading::library_filename("gelu_pack"));
    let target_dir = profile_dir.parent().ok_or("the program has no folder")?;
    let build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--package", "gelu-pack", "--target-dir"])
        .arg(target_dir)
        .args(if cfg!(debug_assertions) {
            None
        } else {
            Some("--release")
        })
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    match (build, pack.exists()) {
        (Ok(status), true) if status.success() => Ok(pack),
        (Err(_), true) => Ok(pack),
        (outcome, _) => Err(format!(
            "the gelu pack could not be built ({outcome:?}); name one with --pack"
        )
        .into()),
    }
}

/// A shuffled fifth is held out.
fn split(images: &Images, rng: &mut StdRng) -> (Images, Images) {
    let mut order: Vec<usize> = (0..images.len()).collect();
    order.shuffle(rng);
    let (test, train) = order.split_at(images.len() / 5);
    (images.pick(train), images.pick(test))
}

/// The parameters and the compiled functions.
struct Model {
    parameters: Parameters,
    loss: RRule<loss>,
    scores: Primal<scores>,
}

impl Model {
    fn new(ctx: &Context, rng: &mut StdRng) -> Outcome<Model> {
        let uniform = |bound: f32| rng.random_range(-bound..bound);
        Ok(Model {
            parameters: Parameters::new(ctx, 128, uniform)?,
            loss: ctx.build_rrule::<loss>()?,
            scores: ctx.build_primal::<scores>()?,
        })
    }

    fn loss_and_gradient(
        &self,
        (x, labels): &(Array<f32>, Array<u32>),
    ) -> Outcome<(Array<f32>, [Array<f32>; 4])> {
        let [w1, b1, w2, b2] = &self.parameters.values;
        let (value, (_, _, g1, h1, g2, h2)) =
            self.loss
                .value_and_gradient((Const(x), labels, w1, b1, w2, b2))?;
        Ok((value, [g1, h1, g2, h2]))
    }

    /// Compares the gradient with central differences of the loss in a random direction.
    fn check_gradient(&self, batch: &(Array<f32>, Array<u32>), rng: &mut StdRng) -> Outcome<()> {
        let (_, gradient) = self.loss_and_gradient(batch)?;
        let (mut slope, mut directions) = (0.0, Vec::new());
        for g in &gradient {
            let direction: Vec<f32> = (0..g.len()).map(|_| rng.random_range(-1.0..1.0)).collect();
            slope += g
                .to_vec()?
                .iter()
                .zip(&direction)
                .map(|(g, d)| f64::from(g * d))
                .sum::<f64>();
            directions.push(Array::from_vec_on(g.device(), direction, g.shape()));
        }
        let loss_at = |step: f32| -> Outcome<f64> {
            let mut moved = self.parameters.values.clone();
            for (p, d) in moved.iter_mut().zip(&directions) {
                *p = &*p + d * step;
            }
            let (x, labels) = batch;
            let [w1, b1, w2, b2] = &moved;
            Ok(f64::from(
                self.loss.value((x, labels, w1, b1, w2, b2))?.item()?,
            ))
        };
        // Fourth-order differences: the loss is an f32, so the step must not be small.
        let h = 0.01;
        let near = loss_at(h)? - loss_at(-h)?;
        let far = loss_at(2.0 * h)? - loss_at(-2.0 * h)?;
        let difference = (8.0 * near - far) / (12.0 * f64::from(h));
        let error = (slope - difference).abs() / slope.abs().max(difference.abs()).max(1e-3);
        println!(
            "check   slope {slope:.5}, by differences {difference:.5}, relative error {error:.1e}"
        );
        if error < 5e-3 {
            Ok(())
        } else {
            Err("the gradient does not agree with differences".into())
        }
    }

    /// Trains and returns the mean loss of each epoch.
    fn train(
        &mut self,
        ctx: &Context,
        images: &Images,
        options: &Options,
        rng: &mut StdRng,
    ) -> Outcome<Vec<f32>> {
        let mut order: Vec<usize> = (0..images.len()).collect();
        let batches = order.len().div_ceil(options.batch);
        let bar = ProgressBar::new((options.epochs * batches) as u64).with_style(
            ProgressStyle::with_template("training [{bar:40}] {pos}/{len} steps, {elapsed} {msg}")?,
        );
        let mut curve = Vec::new();
        for epoch in 0..options.epochs {
            order.shuffle(rng);
            // The losses stay on the device until the epoch ends: reading one waits for all work before it.
            let mut losses = Vec::new();
            for which in order.chunks(options.batch) {
                losses.push(self.step(&images.batch(ctx, which))?);
                bar.inc(1);
            }
            let total = losses.iter().map(Array::item).sum::<Result<f32, _>>()?;
            curve.push(total / losses.len() as f32);
            bar.set_message(format!("epoch {} loss {:.4}", epoch + 1, curve[epoch]));
        }
        bar.finish();
        println!(
            "trained {} epochs in {:.1} s, loss {:.4}",
            options.epochs,
            bar.elapsed().as_secs_f32(),
            curve.last().copied().unwrap_or(f32::NAN)
        );
        Ok(curve)
    }

    /// One step of Adam on one batch; the loss before it.
    fn step(&mut self, batch: &(Array<f32>, Array<u32>)) -> Outcome<Array<f32>> {
        let (value, gradient) = self.loss_and_gradient(batch)?;
        self.parameters.update(&gradient, 1e-3)?;
        Ok(value)
    }

    /// The share of images whose highest score is that of their class.
    fn accuracy(&self, ctx: &Context, images: &Images) -> Outcome<f64> {
        let (x, _) = images.all(ctx);
        let [w1, b1, w2, b2] = &self.parameters.values;
        let scores = self.scores.call((&x, w1, b1, w2, b2))?.to_vec()?;
        Ok(images.accuracy(&scores))
    }
}

/// Writes the loss of each epoch as an SVG chart.
fn draw(curve: &[f32], path: &Path) -> Outcome<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let highest = curve.iter().copied().fold(0.1, f32::max);
    let root = SVGBackend::new(path, (800, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("Training loss", ("sans-serif", 24))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(1.0..curve.len().max(2) as f32, 0.0..highest)?;
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_desc("mean cross-entropy")
        .draw()?;
    chart.draw_series(LineSeries::new(
        (1..).zip(curve).map(|(epoch, &y)| (epoch as f32, y)),
        RED.stroke_width(2),
    ))?;
    root.present()?;
    Ok(())
}

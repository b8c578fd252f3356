//! Trains a classifier of handwritten digits on several ranks: each has a part of every batch, and the loss is summed over the ranks inside of the
//! differentiable function. The first rank trains the same model alone as well, to compare.
//!
//!     mpirun -n 2 cargo run --release --manifest-path plugins/mpi/Cargo.toml --example digits_mpi

use mooncake::Const;
use mooncake::prelude::*;
use mooncake_mpi as _;

#[path = "../../../examples/data/digits.rs"]
mod digits;

use digits::{Images, Outcome, Parameters};

#[differentiable]
#[pack = "mpi"]
extern "pack" {
    fn allreduce_sum(x: &Array<f32>) -> Array<f32>;
    fn rank() -> usize;
    fn size() -> usize;
}

/// The scores of each image (rows of `x`) for the ten classes.
#[differentiable]
fn scores(
    x: &Array<f32>,
    w1: &Array<f32>,
    b1: &Array<f32>,
    w2: &Array<f32>,
    b2: &Array<f32>,
) -> Array<f32> {
    (x.matmul(w1) + b1).tanh().matmul(w2) + b2
}

/// The sum of the images' cross-entropies, divided by how many images the whole batch has.
#[differentiable]
fn alone(
    x: &Array<f32>,
    labels: &Array<u32>,
    batch: f32,
    w1: &Array<f32>,
    b1: &Array<f32>,
    w2: &Array<f32>,
    b2: &Array<f32>,
) -> Array<f32> {
    let entropies = scores(x, w1, b1, w2, b2).log_softmax(1).gather(1, labels);
    -entropies.sum() / batch
}

/// What all ranks have, which is the same everywhere: the mean over the ranks. Its adjoint sums what the ranks say about it.
#[differentiable]
fn replicated(w: &Array<f32>) -> Array<f32> {
    allreduce_sum(w) / size() as f32
}

/// The loss of the whole batch, of which this rank has a part: the same on every rank.
#[differentiable]
fn together(
    x: &Array<f32>,
    labels: &Array<u32>,
    batch: f32,
    w1: &Array<f32>,
    b1: &Array<f32>,
    w2: &Array<f32>,
    b2: &Array<f32>,
) -> Array<f32> {
    let (w1, b1) = (replicated(w1), replicated(b1));
    let (w2, b2) = (replicated(w2), replicated(b2));
    allreduce_sum(&alone(x, labels, batch, &w1, &b1, &w2, &b2))
}

const BATCH: usize = 64;
const EPOCHS: usize = 40;

/// Numbers that are the same on every rank.
fn next(state: &mut u64) -> u64 {
    *state = (*state)
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    *state >> 33
}

/// The digits, of which the last fifth is held out, in an order that is the same on every rank.
fn split() -> Outcome<(Images, Images)> {
    let images = Images::digits()?;
    let mut order: Vec<usize> = (0..images.len()).collect();
    let mut random = 9u64;
    for i in (1..order.len()).rev() {
        order.swap(i, next(&mut random) as usize % (i + 1));
    }
    let (train, test) = order.split_at(images.len() * 4 / 5);
    Ok((images.pick(train), images.pick(test)))
}

/// The images of each batch.
fn batches(images: &Images) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..images.len()).collect();
    all.chunks(BATCH).map(<[usize]>::to_vec).collect()
}

/// This rank's part of a batch: every `size`-th image.
fn part(batch: &[usize]) -> Vec<usize> {
    batch.iter().copied().skip(rank()).step_by(size()).collect()
}

/// Parameters that are the same on every rank.
fn parameters(ctx: &Context) -> Outcome<Parameters> {
    let mut random = 5u64;
    let uniform = |bound| (next(&mut random) as f32 / (1u64 << 30) as f32 - 1.0) * bound;
    Parameters::new(ctx, 96, uniform)
}

/// The share of images that the parameters classify rightly.
fn accuracy(ctx: &Context, parameters: &Parameters, images: &Images) -> Outcome<f64> {
    let (x, _) = images.all(ctx);
    let [w1, b1, w2, b2] = &parameters.values;
    let scores = ctx.build_primal::<scores>()?;
    Ok(images.accuracy(&scores.call((&x, w1, b1, w2, b2))?.to_vec()?))
}

/// The value and the gradient for some images of a batch of so many.
macro_rules! gradient {
    ($rule:expr, $parameters:expr, $images:expr, $of:expr) => {{
        let ((x, labels), [w1, b1, w2, b2]) = (&$images, &$parameters.values);
        let arguments = (Const(x), labels, Const($of as f32), w1, b1, w2, b2);
        let (value, (_, _, _, g1, h1, g2, h2)) = $rule.value_and_gradient(arguments)?;
        (value, [g1, h1, g2, h2])
    }};
}

/// The largest difference between two gradients, relative to the largest element.
fn difference(a: &[Array<f32>; 4], b: &[Array<f32>; 4]) -> Outcome<f32> {
    let (mut apart, mut largest) = (0f32, 0f32);
    for (a, b) in a.iter().zip(b) {
        for (a, b) in a.to_vec()?.iter().zip(b.to_vec()?) {
            apart = apart.max((a - b).abs());
            largest = largest.max(b.abs());
        }
    }
    Ok(apart / largest)
}

/// How fast Adam goes.
const RATE: f32 = 2e-3;

fn main() -> Outcome<()> {
    let ctx = Context::default();
    let (rank, size) = (rank(), size());
    let (train, test) = split()?;
    let batches = batches(&train);
    let (joint, single) = (ctx.build_rrule::<together>()?, ctx.build_rrule::<alone>()?);

    let mut model = parameters(&ctx)?;
    let first = &batches[0];
    let (_, shared) = gradient!(joint, model, train.batch(&ctx, &part(first)), first.len());
    let (_, expected) = gradient!(single, model, train.batch(&ctx, first), first.len());
    let apart = difference(&shared, &expected)?;
    if apart > 1e-6 {
        return Err(format!("rank {rank}: the gradient is {apart:.1e} apart").into());
    }
    if rank == 0 {
        println!("ranks    {size}, on {}", ctx.device());
        println!(
            "check    the gradient differs from that of one process by {apart:.1e} of its largest element"
        );
    }

    let began = std::time::Instant::now();
    for epoch in 0..EPOCHS {
        let mut total = 0.0;
        for batch in &batches {
            let own = train.batch(&ctx, &part(batch));
            let (value, gradient) = gradient!(joint, model, own, batch.len());
            model.update(&gradient, RATE)?;
            total += value.item()?;
        }
        if rank == 0 && (epoch + 1) % 10 == 0 {
            let mean = total / batches.len() as f32;
            println!("epoch    {}: loss {mean:.4}", epoch + 1);
        }
    }
    let reached = accuracy(&ctx, &model, &test)?;
    if rank == 0 {
        println!(
            "together {reached:.4} of the test images, after {:.1} s",
            began.elapsed().as_secs_f64()
        );
        let mut model = parameters(&ctx)?;
        for _ in 0..EPOCHS {
            for batch in &batches {
                let whole = train.batch(&ctx, batch);
                let (_, gradient) = gradient!(single, model, whole, batch.len());
                model.update(&gradient, RATE)?;
            }
        }
        let alone = accuracy(&ctx, &model, &test)?;
        println!("alone    {alone:.4}");
        // Sums in another order are other floats; over many steps an image on the border may change sides.
        if reached < 0.95 || (reached - alone).abs() > 0.01 {
            return Err("the accuracies are apart, or low".into());
        }
    }
    Ok(())
}

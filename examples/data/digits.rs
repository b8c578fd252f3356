//! The handwritten digits, and the parameters of a classifier with one hidden layer: what the examples that train on them share. They take this file in
//! by `#[path]`.

use std::io::Read;

use mooncake::Primal;
use mooncake::prelude::*;

pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Images and their classes, on the host.
pub struct Images {
    pixels: Vec<[f32; 64]>,
    labels: Vec<u32>,
}

impl Images {
    /// The UCI digits; see `README.md` in this folder.
    pub fn digits() -> Outcome<Images> {
        let mut text = String::new();
        flate2::read::GzDecoder::new(&include_bytes!("digits.csv.gz")[..])
            .read_to_string(&mut text)?;
        let mut images = Images {
            pixels: Vec::new(),
            labels: Vec::new(),
        };
        for line in text.lines() {
            let numbers = line
                .split(',')
                .map(str::parse)
                .collect::<Result<Vec<u32>, _>>()?;
            let [pixels @ .., label] = &numbers[..] else {
                return Err("empty line in digits.csv".into());
            };
            let pixels: Vec<f32> = pixels.iter().map(|&p| p as f32 / 16.0).collect();
            images
                .pixels
                .push(pixels.try_into().map_err(|_| "an image has 64 pixels")?);
            images.labels.push(*label);
        }
        Ok(images)
    }
    pub fn len(&self) -> usize {
        self.labels.len()
    }
    /// The chosen images.
    pub fn pick(&self, which: &[usize]) -> Images {
        Images {
            pixels: which.iter().map(|&i| self.pixels[i]).collect(),
            labels: which.iter().map(|&i| self.labels[i]).collect(),
        }
    }
    /// The chosen images as arrays: `[n, 64]` and `[n, 1]`.
    pub fn batch(&self, ctx: &Context, which: &[usize]) -> (Array<f32>, Array<u32>) {
        let pixels: Vec<f32> = which.iter().flat_map(|&i| self.pixels[i]).collect();
        let labels: Vec<u32> = which.iter().map(|&i| self.labels[i]).collect();
        (
            Array::from_vec_on(ctx.device(), pixels, [which.len(), 64]),
            Array::from_vec_on(ctx.device(), labels, [which.len(), 1]),
        )
    }
    /// All images as arrays.
    pub fn all(&self, ctx: &Context) -> (Array<f32>, Array<u32>) {
        self.batch(ctx, &(0..self.len()).collect::<Vec<_>>())
    }
    /// The share of images whose highest score is that of their class, from the scores of all images.
    pub fn accuracy(&self, scores: &[f32]) -> f64 {
        let best = |row: &[f32]| {
            (0..10)
                .max_by(|&a, &b| row[a].total_cmp(&row[b]))
                .unwrap_or(0) as u32
        };
        let right = scores
            .chunks(10)
            .zip(&self.labels)
            .filter(|(row, label)| best(row) == **label)
            .count();
        right as f64 / self.len() as f64
    }
}

/// One step of Adam (Kingma and Ba, 2015, algorithm 1): the parameter and both moments, updated.
/// `rate` holds the step size with the bias corrections already in it.
#[differentiable]
fn adam(
    parameter: &Array<f32>,
    gradient: &Array<f32>,
    first: &Array<f32>,
    second: &Array<f32>,
    rate: f32,
) -> (Array<f32>, Array<f32>, Array<f32>) {
    let first = first * 0.9 + gradient * 0.1;
    let second = second * 0.999 + gradient * gradient * 0.001;
    let parameter = parameter - &first * rate / (second.sqrt() + 1e-8);
    (parameter, first, second)
}

/// The parameters w1, b1, w2, b2, and Adam's two moments of each.
pub struct Parameters {
    pub values: [Array<f32>; 4],
    moments: [(Array<f32>, Array<f32>); 4],
    steps: i32,
    adam: Primal<adam>,
}

impl Parameters {
    /// For so many hidden units. `uniform(bound)` is a random number between `-bound` and `bound`.
    pub fn new(
        ctx: &Context,
        hidden: usize,
        mut uniform: impl FnMut(f32) -> f32,
    ) -> Outcome<Parameters> {
        let mut weights = |shape: [usize; 2]| {
            // Glorot's bound.
            let bound = (6.0 / (shape[0] + shape[1]) as f32).sqrt();
            let values = (0..shape[0] * shape[1]).map(|_| uniform(bound)).collect();
            Array::from_vec_on(ctx.device(), values, shape)
        };
        let zeros = |shape: &[usize]| {
            Array::from_vec_on(ctx.device(), vec![0.0; shape.iter().product()], shape)
        };
        let values = [
            weights([64, hidden]),
            zeros(&[hidden]),
            weights([hidden, 10]),
            zeros(&[10]),
        ];
        let moments = values
            .each_ref()
            .map(|p| (zeros(p.shape()), zeros(p.shape())));
        Ok(Parameters {
            values,
            moments,
            steps: 0,
            adam: ctx.build_primal::<adam>()?,
        })
    }
    /// One step of Adam.
    pub fn update(&mut self, gradient: &[Array<f32>; 4], rate: f32) -> Outcome<()> {
        self.steps += 1;
        let rate =
            rate * (1.0 - 0.999f32.powi(self.steps)).sqrt() / (1.0 - 0.9f32.powi(self.steps));
        for ((parameter, (first, second)), gradient) in
            self.values.iter_mut().zip(&mut self.moments).zip(gradient)
        {
            (*parameter, *first, *second) =
                self.adam
                    .call((&*parameter, gradient, &*first, &*second, rate))?;
        }
        Ok(())
    }
}

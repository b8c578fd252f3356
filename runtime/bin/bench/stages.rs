//! Eight kinds of stages behind one trait, of which a run takes two: to see what it saves to derive a callee only when a call comes
//! to it, and what its calls cost then.

use mooncake::prelude::*;

#[differentiable]
pub trait Stage {
    fn run(&self, x: &mut [f64], w: &[f64]) -> f64;
}

/// A kind of stage: forty lines, a little different in each.
macro_rules! stage {
    ($name:ident, $first:ident, $second:ident, $shift:literal) => {
        #[derive(Differentiable)]
        pub struct $name {
            pub gain: f64,
        }
        #[differentiable]
        impl Stage for $name {
            fn run(&self, x: &mut [f64], w: &[f64]) -> f64 {
                let n = x.len();
                let mut total = 0.0;
                for i in 0..n {
                    let v = x[i] * w[i % w.len()] + $shift;
                    let u = v.$first() * self.gain + v / (1.0 + v * v);
                    total += u.$second() - $shift * u;
                    x[i] = u;
                }
                let mean = total / n as f64;
                let mut spread = 0.0;
                for i in 0..n {
                    let d = x[i] - mean;
                    spread += d * d;
                    x[i] = d;
                }
                let scale = 1.0 / (spread + 1.0).sqrt();
                for i in 1..n {
                    let left = x[i - 1];
                    if left > x[i] {
                        x[i] = (x[i] * scale + left * 0.1).tanh();
                    } else {
                        x[i] = (x[i] * scale - left * 0.1).tanh();
                    }
                }
                let mut k = 0;
                while k < 3 {
                    x[k] = x[k].$first() * 0.5 + x[n - 1 - k].$second() * 0.25 + self.gain;
                    k += 1;
                }
                total + scale * (x[0] - x[n - 1])
            }
        }
    };
}

stage!(A, sin, cos, 0.1);
stage!(B, cos, tanh, 0.2);
stage!(C, tanh, sin, 0.3);
stage!(D, sin, tanh, 0.4);
stage!(E, cos, sin, 0.5);
stage!(F, tanh, cos, 0.6);
stage!(G, sin, sin, 0.7);
stage!(H, cos, cos, 0.8);

#[differentiable]
pub fn stages(kinds: &[usize], x: &[f64], w: &[f64]) -> f64 {
    let mut state = x.to_vec();
    let mut total = 0.0;
    for kind in kinds {
        let stage: Box<dyn Stage> = match kind {
            0 => Box::new(A { gain: w[0] }),
            1 => Box::new(B { gain: w[1] }),
            2 => Box::new(C { gain: w[2] }),
            3 => Box::new(D { gain: w[3] }),
            4 => Box::new(E { gain: w[4] }),
            5 => Box::new(F { gain: w[5] }),
            6 => Box::new(G { gain: w[6] }),
            _ => Box::new(H { gain: w[7] }),
        };
        total += stage.run(&mut state, w);
    }
    total
}

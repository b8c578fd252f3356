//! Reverse gives NaN: the root of a negative number, which is never taken, was moved in front of the loop.

use super::*;

pub const CASE: Case = Case { seed: 1006526, args: Args { x: [-0.596433615742347, -0.26942701908271144, -0.6527604058567555, 0.2724802922341272], u: [0.24289830762911235, -0.314060729620091, -0.3348508976486932], a: -0.43444494264987327, n: 3 }, along: Args { x: [-0.5904185478809197, -0.5494048975449203, 0.03547298540234973, 0.9109271972759976], u: [-0.9311393351856402, 0.9340472676758137, 0.5026288099305127], a: 0.6803182842111392, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = x;
    let mut v11 = vec![S { a: a, b: (u[((1i64 as usize) % u.len())], a), n: 1i64 }];
    'l12: for v12 in 0i64..3i64 {
        if let Some(v13) = combined(Some((0.5 as f64)), a) {
            for v15 in v11.iter_mut() {
                v15.turn(v13);
            }
        }
    }
    'l34: for &v34 in v10 {
        {
            let mut i0 = ((1i64 as usize) % u.len());
            u[i0] += 2.0;
        }
    }
    0.5
}

//! Reverse gives 0, forward 4e45: of a sine of 2e45 both are rounding errors, which is not for a test to tell apart.

use super::*;

pub const CASE: Case = Case { seed: 47019, args: Args { x: [-0.6828091082809697, 0.8776487322708584, 0.8839329464871651, 0.02374742869718026], u: [0.39316614715585246, -0.6397577586027497, -0.22343752833149738], a: 0.6811162933977033, n: 0 }, along: Args { x: [-0.9698142890649704, 0.44830628236567716, -0.19808988911961217, -0.20037316697477842], u: [-0.9802260511889466, -0.6674667498231366, 0.6977217060199005], a: -0.3405763579972926, n: 3 }, singles: false };

#[differentiable]
pub fn h0(mut v9: i64, mut v4: f64) -> f64 {
    if (v9 <= 0) {
        return v4;
    }
    (v4 - v4)
}

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    'l10: for v10 in 0i64..3i64 {
        'l11: for v11 in 0i64..3i64 {
            let Some(v12) = Some(a) else {
                continue;
            };
            bump(&mut a, v12);
        }
    }
    let mut v21: f64 = a;
    let mut v53: [f64; 3] = [a, h0(2i64, v21), (0.5 as f64)];
    halved(&v53)
}

//! The branch in `swapped` hangs on the last bit, `a > a.sqrt() * a.sqrt()`: differences of the native function are those of neither side.

use super::*;

pub const CASE: Case = Case { seed: 1004969, args: Args { x: [-0.9550578914372306, 0.756255383869735, 0.26840549046531337, 0.8791022568819847], u: [0.7725304323855842, 0.2942872983065673, -0.48638594816484876], a: 0.1830842481604195, n: 1 }, along: Args { x: [0.9050590170055568, -0.3458355802410648, -0.3191476344745615, 0.20125099776167074], u: [0.985263373105532, -0.639877553745592, -0.2922707979898057], a: -0.5826829971241213, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v43 = swapped(a, both(a, a).unwrap_or(a));
    v43.1
}

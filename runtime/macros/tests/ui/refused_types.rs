//! What can never be a type of the language is refused with advice.
use mooncake::differentiable;

#[differentiable]
fn wide(_n: u128, _x: Option<f64>, _t: [f64; 3]) -> f64 {
    1.0
}

fn main() {}

//! What can never be a type of the language is refused with advice.
use mooncake::differentiable;

#[differentiable]
fn wide(_n: u128, _c: Vec<char>, _p: &*const f64) -> f64 {
    let _ = 1.0_f64 as i128;
    1.0
}

fn main() {}

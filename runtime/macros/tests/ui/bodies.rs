//! What may stand in a body.
use mooncake::differentiable;

#[differentiable]
fn items(x: f64) -> f64 {
    fn helper(x: f64) -> f64 {
        x
    }
    x
}

#[differentiable]
fn labelled_block(x: f64) -> f64 {
    let y = 'a: {
        if x > 0.0 {
            break 'a x;
        }
        -x
    };
    y
}

#[differentiable]
fn conditional(x: f64) -> f64 {
    #[cfg(feature = "fast")]
    let x = 2.0 * x;
    x
}

fn main() {}

//! Names that are written like others: constants like variables, functions like those of std.
use mooncake::differentiable;

#[allow(non_upper_case_globals)]
const limit: f64 = 2.5;

#[differentiable]
fn constants_in_lower_case(x: f64) -> f64 {
    match x {
        limit => 1.0,
        other => other * x,
    }
}

mod mem {
    use mooncake::differentiable;
    #[differentiable]
    pub fn take<T>(x: T) -> T {
        x
    }
}
#[differentiable]
fn drop(x: f64) -> f64 {
    x
}

#[differentiable]
fn functions_like_std(x: f64) -> f64 {
    drop(mem::take(x))
}

fn main() {}

//! Which functions have a rule of their own.
use mooncake::differentiable;

type Real = f64;

#[differentiable(rrule = generic_rrule)]
fn generic<T>(x: T) -> T {
    x
}

#[differentiable(rrule = changes_rrule)]
fn changes(x: &mut f64, f: impl Fn(f64) -> f64) {
    *x = f(*x);
}

#[differentiable(rrule = alias_rrule)]
fn alias(_x: &[Real]) -> &'static f64 {
    &1.0
}

#[differentiable(rrule = twice_rrule, rrule = twice_rrule)]
fn twice(x: f64) -> f64 {
    x
}

#[differentiable(rrule)]
fn unnamed(x: f64) -> f64 {
    x
}

#[differentiable(frule = f_frule, order = 2)]
fn other(x: f64) -> f64 {
    x
}

#[differentiable(rrule = of_impl)]
impl Point {
    fn norm(&self) -> f64 {
        1.0
    }
}

#[differentiable]
trait Energy {
    #[differentiable(rrule = energy_rrule)]
    fn energy(&self) -> f64 {
        1.0
    }
}

struct Point;

fn main() {}

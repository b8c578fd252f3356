//! Dense linear algebra: inner products, norms, triangular systems.
//!
//! An ordinary pack, written against `mooncake-pack` alone. Inner products and norms are primitives in the default context for speed, and have a
//! body, from which they are derived in the minimal one: both give the same gradients. Systems of equations are solved in machine code; their derivatives are
//! expressions, and so have derivatives themselves.

mooncake_pack::pack!(cases);

mod triangular;

use mooncake_pack::{Case, Value, rule, scalar};

rule! {
    /// The inner product of two arrays of one shape: a 0-d array.
    fn dot(a: array<T>, b: array<T>) -> array<T> {
        body: "sum(a * b)",
        pullback: ["unbroadcast(dy * b, a)", "unbroadcast(dy * a, b)"],
        tangent: ["sum(dx * b)", "sum(a * dx)"],
    }
}

rule! {
    /// The Euclidean norm of all elements: a 0-d array. At 0 the derivative is taken to be 0, the least subgradient. Squares are
    /// summed as they are: an array whose squares under- or overflow has to be scaled first.
    fn norm(a: array<T>) -> array<T> {
        body: "sqrt(sum(a * a))",
        pullback: ["share(a, y) * dy"],
        tangent: ["sum(share(a, y) * dx)"],
    }
}

scalar! {
    /// `a / r`, and 0 where `r` is 0: an element's share of a norm, whatever its size.
    private fn share(a: T, r: T) -> T {
        domain: [(-2.0, 2.0), (0.5, 2.0)],
        context: Minimal,
        native: |a, r| if r == 0.0 { 0.0 } else { a / r },
        body: "select(r == 0, 0, a / r)",
        partials: ["select(r == 0, 0, 1 / r)", "select(r == 0, 0, -y / r)"],
        wgsl: "fn mc_share(a: f32, r: f32) -> f32 { return select(a / r, 0.0, r == 0.0); }",
    }
}

/// Calls on which the rules of this pack are tested.
pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new(
            "dot",
            [
                Value::array(&[5]),
                Value::Array(vec![5], vec![0.5, -1.0, 2.0, 0.25, -3.0]),
            ],
        ),
        Case::new("dot", [Value::array(&[2, 3]), Value::array(&[2, 3])]),
        Case::new("norm", [Value::array(&[7])]),
        Case::new("norm", [Value::array(&[3, 4])]),
    ];
    cases.extend(triangular::cases());
    cases
}

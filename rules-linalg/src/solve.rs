//! Linear systems, inverses and determinants.

use crate::dense::{self, Real, Triangle};
use crate::products::matrix;
use mooncake_pack::{ArrayOut, ArrayView, Case, Outcome, Value, native, rule};

native! {
    /// The `x` with `t · x = b`, where `t` is the lower or the upper triangle of the square matrix `a`, and with `unit` its
    /// diagonal is taken to be 1. `b` is a vector or a matrix of columns. A zero on the diagonal is an error.
    fn solve_triangular(a: array<T>, b: array<T>, lower: bool, unit: bool) -> array<T> {
        primal: solve_triangular,
        pullback: [
            "-triangle(outer(solve_triangular_t(a, dy, lower, unit), y), lower, unit)",
            "solve_triangular_t(a, dy, lower, unit)",
            "",
            "",
        ],
        tangent: [
            "-solve_triangular(a, times(triangle(dx, lower, unit), y), lower, unit)",
            "solve_triangular(a, dx, lower, unit)",
            "",
            "",
        ],
    }
}

fn solve_triangular<T: Real>(
    a: ArrayView<T>,
    b: ArrayView<T>,
    lower: bool,
    unit: bool,
    out: ArrayOut<T>,
) -> Outcome {
    triangular(a, b, Triangle { lower, unit }, false, out)
}

native! {
    /// The `x` with `tᵀ · x = b`: [`solve_triangular`] with the transpose of the triangle.
    fn solve_triangular_t(a: array<T>, b: array<T>, lower: bool, unit: bool) -> array<T> {
        primal: solve_triangular_t,
        pullback: [
            "-triangle(outer(y, solve_triangular(a, dy, lower, unit)), lower, unit)",
            "solve_triangular(a, dy, lower, unit)",
            "",
            "",
        ],
        tangent: [
            "-solve_triangular_t(a, times(t(triangle(dx, lower, unit)), y), lower, unit)",
            "solve_triangular_t(a, dx, lower, unit)",
            "",
            "",
        ],
    }
}

fn solve_triangular_t<T: Real>(
    a: ArrayView<T>,
    b: ArrayView<T>,
    lower: bool,
    unit: bool,
    out: ArrayOut<T>,
) -> Outcome {
    triangular(a, b, Triangle { lower, unit }, true, out)
}

fn triangular<T: Real>(
    a: ArrayView<T>,
    b: ArrayView<T>,
    which: Triangle,
    transposed: bool,
    out: ArrayOut<T>,
) -> Outcome {
    a.square()?;
    let x = dense::solve_triangular(matrix(a)?, matrix(b)?, which, transposed)?;
    out.allocate(b.shape())?.copy_from_slice(&x);
    Ok(())
}

native! {
    /// A triangle of a square matrix and zeros elsewhere; with `unit` without its diagonal.
    private fn triangle(a: array<T>, lower: bool, unit: bool) -> array<T> {
        primal: triangle,
        pullback: ["triangle(dy, lower, unit)", "", ""],
        tangent: ["triangle(dx, lower, unit)", "", ""],
    }
}

fn triangle<T: Real>(a: ArrayView<T>, lower: bool, unit: bool, out: ArrayOut<T>) -> Outcome {
    a.square()?;
    let part = dense::triangle(matrix(a)?, Triangle { lower, unit });
    out.allocate(a.shape())?.copy_from_slice(&part);
    Ok(())
}

native! {
    /// The `x` with `a · x = b` for a square matrix `a`, by LU decomposition with partial pivoting; `b` is a vector or a matrix of columns. A
    /// singular matrix is an error. The pullback uses the factors that the primal has found.
    fn solve(a: array<T>, b: array<T>) -> array<T> {
        primal: solve,
        pullback: ["-outer(solve_t(a, dy), y)", "solve_t(a, dy)"],
        tangent: ["-solve(a, times(dx, y))", "solve(a, dx)"],
    }
}

fn solve<T: Real>(a: ArrayView<T>, b: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    solved(a, b, false, out)
}

native! {
    /// The `x` with `aᵀ · x = b` for a square matrix `a`.
    private fn solve_t(a: array<T>, b: array<T>) -> array<T> {
        primal: solve_t,
        pullback: ["-outer(y, solve(a, dy))", "solve(a, dy)"],
        tangent: ["-solve_t(a, times(t(dx), y))", "solve_t(a, dx)"],
    }
}

fn solve_t<T: Real>(a: ArrayView<T>, b: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    solved(a, b, true, out)
}

fn solved<T: Real>(
    a: ArrayView<T>,
    b: ArrayView<T>,
    transposed: bool,
    out: ArrayOut<T>,
) -> Outcome {
    a.square()?;
    let x = dense::solve(matrix(a)?, matrix(b)?, transposed)?;
    out.allocate(b.shape())?.copy_from_slice(&x);
    Ok(())
}

native! {
    /// The LU factors of a square matrix, as numbers that only `solve_factored` and `solve_factored_t` can read.
    fn factors(a: array<T>) -> array<u32> {
        primal: factors,
        pullback: [""],
        tangent: [""],
    }
}

fn factors<T: Real>(a: ArrayView<T>, out: ArrayOut<u32>) -> Outcome {
    a.square()?;
    let words = dense::lu(matrix(a)?)?.to_words();
    out.allocate(&[words.len()])?.copy_from_slice(&words);
    Ok(())
}

native! {
    /// The `x` with `a · x = b`, where `f` is `factors(a)`: systems with one matrix are solved without factoring it again.
    fn solve_factored(a: array<T>, f: array<u32>, b: array<T>) -> array<T> {
        primal: solve_factored,
        pullback: [
            "-outer(solve_factored_t(a, f, dy), y)",
            "",
            "solve_factored_t(a, f, dy)",
        ],
        tangent: ["-solve_factored(a, f, times(dx, y))", "", "solve_factored(a, f, dx)"],
    }
}

fn solve_factored<T: Real>(
    a: ArrayView<T>,
    f: ArrayView<u32>,
    b: ArrayView<T>,
    out: ArrayOut<T>,
) -> Outcome {
    factored(a, f, b, false, out)
}

native! {
    /// The `x` with `aᵀ · x = b`, where `f` is `factors(a)`.
    fn solve_factored_t(a: array<T>, f: array<u32>, b: array<T>) -> array<T> {
        primal: solve_factored_t,
        pullback: [
            "-outer(y, solve_factored(a, f, dy))",
            "",
            "solve_factored(a, f, dy)",
        ],
        tangent: ["-solve_factored_t(a, f, times(t(dx), y))", "", "solve_factored_t(a, f, dx)"],
    }
}

fn solve_factored_t<T: Real>(
    a: ArrayView<T>,
    f: ArrayView<u32>,
    b: ArrayView<T>,
    out: ArrayOut<T>,
) -> Outcome {
    factored(a, f, b, true, out)
}

fn factored<T: Real>(
    a: ArrayView<T>,
    f: ArrayView<u32>,
    b: ArrayView<T>,
    transposed: bool,
    out: ArrayOut<T>,
) -> Outcome {
    let lu = dense::Lu::from_words(f.data(), a.square()?)?;
    let x = dense::solve_factored(matrix(a)?, &lu, matrix(b)?, transposed)?;
    out.allocate(b.shape())?.copy_from_slice(&x);
    Ok(())
}

native! {
    /// The inverse of a square matrix. A singular matrix is an error.
    fn inv(a: array<T>) -> array<T> {
        primal: inv,
        pullback: ["-matmul_tn(y, matmul_nt(dy, y))"],
        tangent: ["-matmul(y, matmul(dx, y))"],
    }
}

fn inv<T: Real>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    a.square()?;
    let inverse = dense::inv(matrix(a)?)?;
    out.allocate(a.shape())?.copy_from_slice(&inverse);
    Ok(())
}

native! {
    /// The determinant of a square matrix: a 0-d array. Its gradient, the matrix of cofactors, exists for singular matrices
    /// too, and so does its second derivative; the third needs the inverse.
    fn det(a: array<T>) -> array<T> {
        primal: det,
        pullback: ["dy * cofactors(a)"],
        tangent: ["sum(cofactors(a) * dx)"],
    }
}

fn det<T: Real>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    a.square()?;
    out.allocate(&[])?[0] = dense::det(matrix(a)?)?;
    Ok(())
}

native! {
    /// The matrix of cofactors, `det(a) · a⁻ᵀ`.
    private fn cofactors(a: array<T>) -> array<T> {
        primal: cofactors,
        pullback: ["cofactors_along(a, dy)"],
        tangent: ["cofactors_along(a, dx)"],
    }
}

fn cofactors<T: Real>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    a.square()?;
    let cofactors = dense::cofactors(matrix(a)?)?;
    out.allocate(a.shape())?.copy_from_slice(&cofactors);
    Ok(())
}

native! {
    /// The change of the matrix of cofactors along `x`: the second derivative of the determinant along `x`, as a gradient.
    private fn cofactors_along(a: array<T>, x: array<T>) -> array<T> {
        primal: cofactors_along,
        pullback: [
            "third_of_det(det(a), inv(a), matmul(inv(a), x), matmul(inv(a), dy))",
            "cofactors_along(a, dy)",
        ],
        tangent: [
            "third_of_det(det(a), inv(a), matmul(inv(a), x), matmul(inv(a), dx))",
            "cofactors_along(a, dx)",
        ],
    }
}

fn cofactors_along<T: Real>(a: ArrayView<T>, x: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let n = a.square()?;
    if x.shape() != a.shape() {
        return Err(format!(
            "a matrix of {n} × {n} and a direction of shape {:?}",
            x.shape()
        ));
    }
    let change = dense::cofactors_along(matrix(a)?, matrix(x)?)?;
    out.allocate(a.shape())?.copy_from_slice(&change);
    Ok(())
}

rule! {
    /// The third derivative of the determinant `d` of a matrix `a` along `a · p` and `a · q`, as a gradient, where `i` is the inverse of `a`.
    private fn third_of_det(d: array<T>, i: array<T>, p: array<T>, q: array<T>) -> array<T> {
        body: "d * ((trace(p) * trace(q) - sum(p * t(q))) * t(i) - trace(p) * t(matmul(q, i)) - trace(q) * t(matmul(p, i)) \
                + t(matmul(matmul(p, q) + matmul(q, p), i)))",
    }
}

native! {
    /// The sign of the determinant (1, −1, or 0 for a singular matrix) and the logarithm of its size (−∞ for a singular one):
    /// two 0-d arrays. A singular matrix has no derivative here: asking for one is an error.
    fn slogdet(a: array<T>) -> (array<T>, array<T>) {
        primal: slogdet,
        pullback: ["dy.1 * t(inv(a))"],
        tangent: ["((), sum(t(inv(a)) * dx))"],
    }
}

fn slogdet<T: Real>(a: ArrayView<T>, sign: ArrayOut<T>, log: ArrayOut<T>) -> Outcome {
    a.square()?;
    let found = dense::slogdet(matrix(a)?)?;
    sign.allocate(&[])?[0] = found.0;
    log.allocate(&[])?[0] = found.1;
    Ok(())
}

native! {
    /// The logarithm of the determinant of a square matrix: a 0-d array, −∞ for a singular matrix. A negative determinant is an
    /// error: `slogdet` tells sign and size apart.
    fn logdet(a: array<T>) -> array<T> {
        primal: logdet,
        pullback: ["dy * t(inv(a))"],
        tangent: ["sum(t(inv(a)) * dx)"],
    }
}

fn logdet<T: Real>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    a.square()?;
    let (sign, log) = dense::slogdet(matrix(a)?)?;
    if sign < T::zero() {
        return Err("the determinant is negative and has no logarithm: use `slogdet`".to_owned());
    }
    out.allocate(&[])?[0] = log;
    Ok(())
}

rule! {
    /// The `x` that makes `‖a · x − b‖` least, for a matrix `a` of full rank with at least as many rows as columns, by QR decomposition; `b` is
    /// a vector or a matrix of columns. A matrix of lower rank is an error.
    fn lstsq(a: array<T>, b: array<T>) -> array<T> {
        body: "let f = qr(a) in solve_triangular(full_rank(f.1), times(t(f.0), b), false, false)",
    }
}

/// Calls on which the rules of this file are tested.
pub(crate) fn cases() -> Vec<Case> {
    let square = || {
        Value::Array(
            vec![3, 3],
            vec![2.0, -0.5, 0.25, 0.75, 1.5, -1.0, 0.5, 0.3, 2.5],
        )
    };
    let (columns, vector) = (|| Value::array(&[3, 2]), || Value::array(&[3]));
    let Value::Array(_, data) = square() else {
        return Vec::new();
    };
    let matrix = dense::Matrix {
        data: &data,
        rows: 3,
        cols: 3,
    };
    let words = dense::lu(matrix)
        .map(|lu| lu.to_words())
        .unwrap_or_default();
    let known = || Value::Indices(vec![words.len()], words.clone());
    let mut cases = vec![
        // Bits of results are compared between float types: these factors are exact in both.
        Case::new(
            "factors",
            [Value::Array(vec![2, 2], vec![2.0, 1.0, 1.0, 2.0])],
        ),
        Case::new("solve_factored", [square(), known(), columns()]),
        Case::new("solve_factored", [square(), known(), vector()]),
        Case::new("solve_factored_t", [square(), known(), columns()]),
        Case::new("solve_t", [square(), columns()]),
        Case::new("solve_t", [square(), vector()]),
        Case::new("solve", [square(), columns()]),
        Case::new("solve", [square(), vector()]),
        Case::new("inv", [square()]),
        Case::new("det", [square()]),
        Case::new("cofactors_along", [square(), Value::array(&[3, 3])]),
        Case::new(
            "third_of_det",
            [Value::array(&[]), square(), Value::array(&[3, 3]), square()],
        ),
        Case::new("cofactors", [square()]),
        Case::new("slogdet", [square()]),
        Case::new("logdet", [square()]),
        Case::new("lstsq", [Value::array(&[4, 2]), Value::array(&[4])]),
    ];
    for lower in [false, true] {
        for unit in [false, true] {
            let flags = [Value::Int(lower.into()), Value::Int(unit.into())];
            for name in ["solve_triangular", "solve_triangular_t"] {
                let args = [square(), columns(), flags[0].clone(), flags[1].clone()];
                cases.push(Case::new(name, args));
            }
            cases.push(Case::new(
                "triangle",
                [square(), flags[0].clone(), flags[1].clone()],
            ));
        }
    }
    cases
}

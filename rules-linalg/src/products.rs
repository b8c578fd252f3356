//! Products and sums: inner products, norms, traces, Kronecker products, and the products of matrices that the rules of
//! the other files are written in.

use crate::dense::{self, Matrix, Real};
use mooncake_pack::{ArrayOut, ArrayView, Case, Outcome, Value, native, rule, scalar};

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
    }
}

native! {
    /// The sum of the diagonal of a square matrix: a 0-d array.
    fn trace(a: array<T>) -> array<T> {
        primal: trace,
        pullback: ["dy * eye_like(a)"],
        tangent: ["trace(dx)"],
    }
}

fn trace<T: Real>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let n = a.square()?;
    let diagonal = (0..n).map(|i| a.data()[i * n + i]);
    out.allocate(&[])?[0] = diagonal.fold(T::zero(), |sum, x| sum + x);
    Ok(())
}

native! {
    /// The identity in the shape of a square matrix.
    private fn eye_like(a: array<T>) -> array<T> {
        primal: eye_like,
        pullback: [""],
        tangent: [""],
    }
}

fn eye_like<T: Real>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let n = a.square()?;
    let out = out.allocate(&[n, n])?;
    (0..n).for_each(|i| out[i * n + i] = T::one());
    Ok(())
}

native! {
    /// A matrix times a matrix or a vector.
    private fn times(a: array<T>, b: array<T>) -> array<T> {
        primal: times,
        pullback: ["outer(dy, b)", "times(t(a), dy)"],
        tangent: ["times(dx, b)", "times(a, dx)"],
    }
}

fn times<T: Real>(a: ArrayView<T>, b: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let (rows, _) = a.matrix()?;
    let product = dense::matmul(matrix(a)?, matrix(b)?)?;
    let shape = [&[rows], &b.shape()[1..]].concat();
    out.allocate(&shape)?.copy_from_slice(&product);
    Ok(())
}

native! {
    /// `u · vᵀ` of two matrices, or of two vectors.
    private fn outer(u: array<T>, v: array<T>) -> array<T> {
        primal: outer,
        pullback: ["times(dy, v)", "times(t(dy), u)"],
        tangent: ["outer(dx, v)", "outer(u, dx)"],
    }
}

fn outer<T: Real>(u: ArrayView<T>, v: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let (u, v) = (matrix(u)?, matrix(v)?);
    let product = dense::matmul_nt(u, v)?;
    out.allocate(&[u.rows, v.rows])?.copy_from_slice(&product);
    Ok(())
}

/// An array of one or two axes as a matrix: a vector is a column.
pub(crate) fn matrix<'a, T: Real>(a: ArrayView<'a, T>) -> dense::Result<Matrix<'a, T>> {
    Matrix::new(a.data(), a.shape())
}

native! {
    /// The Kronecker product of two matrices.
    fn kron(a: array<T>, b: array<T>) -> array<T> {
        primal: kron,
        pullback: ["kron_left(dy, b, a)", "kron_right(dy, a, b)"],
        tangent: ["kron(dx, b)", "kron(a, dx)"],
    }
}

fn kron<T: Real>(a: ArrayView<T>, b: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let ((m, n), (p, q)) = (a.matrix()?, b.matrix()?);
    let product = dense::kron(matrix(a)?, matrix(b)?);
    out.allocate(&[m * p, n * q])?.copy_from_slice(&product);
    Ok(())
}

native! {
    /// What the left factor of a Kronecker product, which has the shape of `like`, is given by the product's cotangent `g`: inner products of its blocks
    /// with `b`.
    private fn kron_left(g: array<T>, b: array<T>, like: array<T>) -> array<T> {
        primal: kron_left,
        pullback: ["kron(dy, b)", "kron_right(g, dy, b)", ""],
        tangent: ["kron_left(dx, b, like)", "kron_left(g, dx, like)", ""],
    }
}

fn kron_left<T: Real>(
    g: ArrayView<T>,
    b: ArrayView<T>,
    like: ArrayView<T>,
    out: ArrayOut<T>,
) -> Outcome {
    let (rows, cols) = like.matrix()?;
    let sums = dense::kron_left(matrix(g)?, matrix(b)?, (rows, cols))?;
    out.allocate(&[rows, cols])?.copy_from_slice(&sums);
    Ok(())
}

native! {
    /// The same for the right factor, where `a` is the left one.
    private fn kron_right(g: array<T>, a: array<T>, like: array<T>) -> array<T> {
        primal: kron_right,
        pullback: ["kron(a, dy)", "kron_left(g, dy, a)", ""],
        tangent: ["kron_right(dx, a, like)", "kron_right(g, dx, like)", ""],
    }
}

fn kron_right<T: Real>(
    g: ArrayView<T>,
    a: ArrayView<T>,
    like: ArrayView<T>,
    out: ArrayOut<T>,
) -> Outcome {
    let (rows, cols) = like.matrix()?;
    let sums = dense::kron_right(matrix(g)?, matrix(a)?, (rows, cols))?;
    out.allocate(&[rows, cols])?.copy_from_slice(&sums);
    Ok(())
}

/// Calls on which the rules of this file are tested.
pub(crate) fn cases() -> Vec<Case> {
    let vector = Value::Array(vec![5], vec![0.5, -1.0, 2.0, 0.25, -3.0]);
    vec![
        Case::new("dot", [Value::array(&[5]), vector]),
        Case::new("dot", [Value::array(&[2, 3]), Value::array(&[2, 3])]),
        Case::new("norm", [Value::array(&[7])]),
        Case::new("norm", [Value::array(&[3, 4])]),
        Case::new("trace", [Value::array(&[3, 3])]),
        Case::new("eye_like", [Value::array(&[3, 3])]),
        Case::new("times", [Value::array(&[3, 2]), Value::array(&[2, 4])]),
        Case::new("times", [Value::array(&[3, 2]), Value::array(&[2])]),
        Case::new("outer", [Value::array(&[3]), Value::array(&[2])]),
        Case::new("outer", [Value::array(&[3, 2]), Value::array(&[4, 2])]),
        Case::new("kron", [Value::array(&[2, 3]), Value::array(&[3, 2])]),
        Case::new("kron", [Value::array(&[2, 3]), Value::array(&[0, 2])]),
        Case::new(
            "kron_left",
            [[6, 6], [3, 2], [2, 3]].map(|shape| Value::array(&shape)),
        ),
        Case::new(
            "kron_right",
            [[6, 6], [2, 3], [3, 2]].map(|shape| Value::array(&shape)),
        ),
    ]
}

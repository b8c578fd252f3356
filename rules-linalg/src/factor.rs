//! Decompositions: Cholesky, LU, QR, singular values, and eigenvalues of symmetric matrices.
//!
//! The pullbacks follow M. Giles, "An extended collection of matrix derivative results for forward and reverse mode
//! automatic differentiation" (2008), and for singular vectors J. Townsend, "Differentiating the Singular Value Decomposition" (2016). What has no derivative is an error
//! of the call: vectors that belong to a value which occurs twice, and solutions with singular factors.

use crate::dense::{self, Real, Svd};
use crate::products::matrix;
use mooncake_pack::{ArrayOut, ArrayView, Case, Outcome, Value, native, rule};

rule! {
    /// `(x + xᵀ) / 2`
    private fn symmetrised(x: array<T>) -> array<T> {
        context: Minimal,
        body: "(x + t(x)) * 0.5",
        pullback: ["(dy + t(dy)) * 0.5"],
        tangent: ["(dx + t(dx)) * 0.5"],
    }
}

native! {
    /// The lower triangular `l` with `l · lᵀ = (a + aᵀ) / 2`. A matrix that is not positive definite is an error.
    fn cholesky(a: array<T>) -> array<T> {
        primal: cholesky,
        pullback: [
            "symmetrised(solve_triangular_t(y, t(solve_triangular_t(y, lower_half(matmul_tn(y, dy)), true, false)), true, false))",
        ],
        tangent: [
            "matmul(y, lower_half(solve_triangular(y, t(solve_triangular(y, symmetrised(dx), true, false)), true, false)))",
        ],
    }
}

fn cholesky<T: Real>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    a.square()?;
    let l = dense::cholesky(matrix(a)?)?;
    out.allocate(a.shape())?.copy_from_slice(&l);
    Ok(())
}

rule! {
    /// The lower triangle with half the diagonal.
    private fn lower_half(x: array<T>) -> array<T> {
        context: Minimal,
        body: "(triangle(x, true, false) + triangle(x, true, true)) * 0.5",
        pullback: ["lower_half(dy)"],
        tangent: ["lower_half(dx)"],
    }
}

native! {
    /// The factors of a square matrix with rows exchanged, `l · u = a[p]`: `l` has a unit diagonal, and `p[i]` is the row of `a` that is row
    /// `i` of the product. Derivatives need a matrix that is not singular.
    fn lu(a: array<T>) -> (array<T>, array<T>, array<u32>) {
        primal: lu,
        pullback: [
            "rows_back(lu_inner(y.0, y.1, triangle(matmul_tn(y.0, dy.0), true, true) + triangle(matmul_nt(dy.1, y.1), false, false)), y.2)",
        ],
        tangent: [
            "(matmul(y.0, triangle(lu_outer(y.0, y.1, rows(dx, y.2)), true, true)), \
              matmul(triangle(lu_outer(y.0, y.1, rows(dx, y.2)), false, false), y.1))",
        ],
    }
}

fn lu<T: Real>(a: ArrayView<T>, l: ArrayOut<T>, u: ArrayOut<T>, p: ArrayOut<u32>) -> Outcome {
    let n = a.square()?;
    let found = dense::lu(matrix(a)?)?;
    let (l, u) = (l.allocate(a.shape())?, u.allocate(a.shape())?);
    for (k, &x) in found.factors.iter().enumerate() {
        let (i, j) = (k / n, k % n);
        if j < i {
            l[k] = x
        } else {
            u[k] = x
        }
        if i == j {
            l[k] = T::one();
        }
    }
    p.allocate(&[n])?.copy_from_slice(&found.permutation);
    Ok(())
}

rule! {
    /// `l⁻ᵀ · m · u⁻ᵀ`
    private fn lu_inner(l: array<T>, u: array<T>, m: array<T>) -> array<T> {
        body: "t(solve_triangular(u, t(solve_triangular_t(l, m, true, true)), false, false))",
    }
}

rule! {
    /// `l⁻¹ · m · u⁻¹`
    private fn lu_outer(l: array<T>, u: array<T>, m: array<T>) -> array<T> {
        body: "t(solve_triangular_t(u, t(solve_triangular(l, m, true, true)), false, false))",
    }
}

native! {
    /// The rows of a matrix in another order: row `i` of the result is row `p[i]`.
    private fn rows(a: array<T>, p: array<u32>) -> array<T> {
        primal: rows,
        pullback: ["rows_back(dy, p)", ""],
        tangent: ["rows(dx, p)", ""],
    }
}

fn rows<T: Real>(a: ArrayView<T>, p: ArrayView<u32>, out: ArrayOut<T>) -> Outcome {
    reordered(a, p, out, |i, row| (i, row))
}

native! {
    /// The rows of a matrix put back: row `p[i]` of the result is row `i`.
    private fn rows_back(a: array<T>, p: array<u32>) -> array<T> {
        primal: rows_back,
        pullback: ["rows(dy, p)", ""],
        tangent: ["rows_back(dx, p)", ""],
    }
}

fn rows_back<T: Real>(a: ArrayView<T>, p: ArrayView<u32>, out: ArrayOut<T>) -> Outcome {
    reordered(a, p, out, |i, row| (row, i))
}

/// Copies rows: `pair` gives, for a place in the permutation and what stands there, the row to write and the row to read.
fn reordered<T: Real>(
    a: ArrayView<T>,
    p: ArrayView<u32>,
    out: ArrayOut<T>,
    pair: impl Fn(usize, usize) -> (usize, usize),
) -> Outcome {
    let (n, cols) = a.matrix()?;
    if p.data().len() != n || p.data().iter().any(|&i| i as usize >= n) {
        return Err(format!(
            "the second argument is not a permutation of the {n} rows: expected {n} numbers below {n}"
        ));
    }
    let out = out.allocate(a.shape())?;
    for (i, &row) in p.data().iter().enumerate() {
        let (to, from) = pair(i, row as usize);
        out[to * cols..(to + 1) * cols].copy_from_slice(&a.data()[from * cols..(from + 1) * cols]);
    }
    Ok(())
}

native! {
    /// The reduced QR decomposition of a matrix with at least as many rows as columns: `q` has orthonormal columns, `r` is upper
    /// triangular. Derivatives need a matrix of full rank.
    fn qr(a: array<T>) -> (array<T>, array<T>) {
        primal: qr,
        pullback: [
            "t(solve_triangular(y.1, t(dy.0 + matmul(y.0, mirrored(matmul_nt(y.1, dy.1) - matmul_tn(dy.0, y.0)))), false, false))",
        ],
        tangent: ["qr_tangent(y.0, y.1, t(solve_triangular_t(y.1, t(dx), false, false)))"],
    }
}

fn qr<T: Real>(a: ArrayView<T>, q: ArrayOut<T>, r: ArrayOut<T>) -> Outcome {
    let (rows, cols) = a.matrix()?;
    let found = dense::qr(matrix(a)?)?;
    q.allocate(&[rows, cols])?.copy_from_slice(&found.0);
    r.allocate(&[cols, cols])?.copy_from_slice(&found.1);
    Ok(())
}

native! {
    /// `r`, the triangle of a QR decomposition; an error if its matrix has columns that depend on each other. Then an element of the diagonal is 0, but for
    /// rounding.
    private fn full_rank(r: array<T>) -> array<T> {
        primal: full_rank,
        pullback: ["dy"],
        tangent: ["dx"],
    }
}

fn full_rank<T: Real>(r: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    dense::check_rank(matrix(r)?)?;
    out.allocate(r.shape())?.copy_from_slice(r.data());
    Ok(())
}

rule! {
    /// The symmetric matrix with this lower triangle.
    private fn mirrored(x: array<T>) -> array<T> {
        body: "triangle(x, true, false) + t(triangle(x, true, true))",
    }
}

rule! {
    /// The antisymmetric matrix with this lower triangle.
    private fn twisted(x: array<T>) -> array<T> {
        body: "triangle(x, true, true) - t(triangle(x, true, true))",
    }
}

rule! {
    /// The tangents of `q` and `r`, where `x` is `ȧ · r⁻¹`. With `c = qᵀ · x` and `w` the antisymmetric matrix with the lower triangle of `c`:
    /// `q̇ = x + q · (w − c)`, `ṙ = (c − w) · r`.
    private fn qr_tangent(q: array<T>, r: array<T>, x: array<T>) -> (array<T>, array<T>) {
        body: "(x + matmul(q, twisted(matmul_tn(q, x)) - matmul_tn(q, x)), matmul(matmul_tn(q, x) - twisted(matmul_tn(q, x)), r))",
    }
}

native! {
    /// The eigenvalues of `(a + aᵀ) / 2`, which rise, and its eigenvectors as the columns of an orthogonal matrix. The derivative
    /// of eigenvectors exists only where their eigenvalue occurs once. Elsewhere it is an error to ask for it, also if the function gives the same for all vectors
    /// that would do; that of the eigenvalues of a cluster is that of the vectors which were found.
    fn eigh(a: array<T>) -> (array<T>, array<T>) {
        primal: eigh,
        pullback: [
            "symmetrised(matmul_nt(matmul(y.1, diagonal_matrix(dy.0) + divided_by_gaps(matmul_tn(y.1, of_vectors(dy.1, dy.0, y.0)), y.0)), y.1))",
        ],
        tangent: [
            "(diagonal(matmul_tn(y.1, matmul(symmetrised(dx), y.1))), \
              matmul(y.1, divided_by_gaps(matmul_tn(y.1, matmul(symmetrised(dx), y.1)), y.0)))",
        ],
    }
}

fn eigh<T: Real>(a: ArrayView<T>, w: ArrayOut<T>, v: ArrayOut<T>) -> Outcome {
    let n = a.square()?;
    let found = dense::eigh(matrix(a)?)?;
    w.allocate(&[n])?.copy_from_slice(&found.0);
    v.allocate(&[n, n])?.copy_from_slice(&found.1);
    Ok(())
}

native! {
    /// The reduced singular value decomposition `a = u · diag(s) · vt`; singular values fall. The derivative of singular vectors exists
    /// only where their singular value occurs once, and, of a matrix that is not square, is not 0. Elsewhere it is an error to ask for it, also if the function
    /// gives the same for all vectors that would do; the singular values alone have a gradient.
    fn svd(a: array<T>) -> (array<T>, array<T>, array<T>) {
        primal: svd,
        pullback: [
            "svd_pullback(y.0, y.1, y.2, of_vectors(dy.0, dy.1, y.1), dy.1, of_vectors(t(dy.2), dy.1, y.1))",
        ],
        tangent: [
            "svd_tangent(y.0, y.1, y.2, dx, matmul_nt(matmul_tn(y.0, dx), y.2))",
        ],
    }
}

fn svd<T: Real>(a: ArrayView<T>, u: ArrayOut<T>, s: ArrayOut<T>, vt: ArrayOut<T>) -> Outcome {
    let (rows, cols) = a.matrix()?;
    let k = rows.min(cols);
    let Svd {
        u: left,
        s: values,
        vt: right,
    } = dense::svd(matrix(a)?)?;
    u.allocate(&[rows, k])?.copy_from_slice(&left);
    s.allocate(&[k])?.copy_from_slice(&values);
    vt.allocate(&[k, cols])?.copy_from_slice(&right);
    Ok(())
}

rule! {
    /// `x − xᵀ`
    private fn antisymmetric(x: array<T>) -> array<T> {
        body: "x - t(x)",
    }
}

rule! {
    /// The cotangent of the matrix, where `du` and `dv` are those of the left and the right vectors as columns, and `ds` that of the values.
    private fn svd_pullback(u: array<T>, s: array<T>, vt: array<T>, du: array<T>, ds: array<T>, dv: array<T>) -> array<T> {
        body: "matmul(u, matmul(diagonal_matrix(ds) \
                + divided_by_gaps(antisymmetric(matmul_tn(u, du)), s * s) * s \
                + t(divided_by_gaps(antisymmetric(matmul(vt, dv)), s * s) * s), vt)) \
             + matmul(columns_over(outside(u, du), s), vt) \
             + matmul_nt(u, columns_over(outside(t(vt), dv), s))",
    }
}

native! {
    /// `dv`, the cotangent of vectors as columns that belong to the values `w`, whose cotangent is `dw`; an error where values are equal and it is not sure that
    /// their vectors do not matter.
    private fn of_vectors(dv: array<T>, dw: array<T>, w: array<T>) -> array<T> {
        primal: of_vectors,
        pullback: ["dy", "", ""],
        tangent: ["dx", "", ""],
    }
}

fn of_vectors<T: Real>(
    dv: ArrayView<T>,
    dw: ArrayView<T>,
    w: ArrayView<T>,
    out: ArrayOut<T>,
) -> Outcome {
    dense::check_vectors(matrix(dv)?, dw.data(), w.data())?;
    out.allocate(dv.shape())?.copy_from_slice(dv.data());
    Ok(())
}

native! {
    /// `p`; an error where it couples two vectors of one of the values `s`.
    private fn uncoupled(p: array<T>, s: array<T>) -> array<T> {
        primal: uncoupled,
        pullback: ["dy", ""],
        tangent: ["dx", ""],
    }
}

fn uncoupled<T: Real>(p: ArrayView<T>, s: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    dense::check_couplings(matrix(p)?, s.data())?;
    out.allocate(p.shape())?.copy_from_slice(p.data());
    Ok(())
}

rule! {
    /// The tangents of `u`, `s` and `vt`, where `p` is `uᵀ · ȧ · v`. That of the values exists everywhere.
    private fn svd_tangent(u: array<T>, s: array<T>, vt: array<T>, x: array<T>, p: array<T>) -> (array<T>, array<T>, array<T>) {
        body: "let c = uncoupled(p, s) in \
               (matmul(u, divided_by_gaps(c * s + t(c * s), s * s)) + columns_over(outside(u, matmul_nt(x, vt)), s), \
                diagonal(p), \
                t(matmul(t(vt), divided_by_gaps(t(t(c) * s) + t(c) * s, s * s)) + columns_over(outside(t(vt), matmul_tn(x, u)), s)))",
    }
}

native! {
    /// `x[i, j] / (w[j] − w[i])`, 0 where `x` is 0; where `x` is not 0 and two values are equal, an error.
    private fn divided_by_gaps(x: array<T>, w: array<T>) -> array<T> {
        primal: divided_by_gaps,
        pullback: [
            "divided_by_gaps(dy, w)",
            "sum_axis(divided_by_gaps(dy * y, w), 1) - sum_axis(divided_by_gaps(dy * y, w), 0)",
        ],
        tangent: ["divided_by_gaps(dx, w)", "-divided_by_gaps(y * gaps(dx), w)"],
    }
}

fn divided_by_gaps<T: Real>(x: ArrayView<T>, w: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let quotients = dense::divided_by_gaps(matrix(x)?, w.data())?;
    out.allocate(x.shape())?.copy_from_slice(&quotients);
    Ok(())
}

native! {
    /// `w[j] − w[i]`
    private fn gaps(w: array<T>) -> array<T> {
        primal: gaps,
        pullback: ["sum_axis(dy, 0) - sum_axis(dy, 1)"],
        tangent: ["gaps(dx)"],
    }
}

fn gaps<T: Real>(w: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let (w, n) = (w.data(), w.data().len());
    let out = out.allocate(&[n, n])?;
    (0..n * n).for_each(|k| out[k] = w[k % n] - w[k / n]);
    Ok(())
}

native! {
    /// The diagonal of a square matrix.
    private fn diagonal(a: array<T>) -> array<T> {
        primal: diagonal,
        pullback: ["diagonal_matrix(dy)"],
        tangent: ["diagonal(dx)"],
    }
}

fn diagonal<T: Real>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let n = a.square()?;
    let out = out.allocate(&[n])?;
    (0..n).for_each(|i| out[i] = a.data()[i * n + i]);
    Ok(())
}

native! {
    /// The square matrix with this diagonal and zeros elsewhere.
    private fn diagonal_matrix(d: array<T>) -> array<T> {
        primal: diagonal_matrix,
        pullback: ["diagonal(dy)"],
        tangent: ["diagonal_matrix(dx)"],
    }
}

fn diagonal_matrix<T: Real>(d: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let n = d.data().len();
    let out = out.allocate(&[n, n])?;
    (0..n).for_each(|i| out[i * n + i] = d.data()[i]);
    Ok(())
}

native! {
    /// The columns of `x` divided by the elements of `s`: 0 where `x` is 0, and an error where `s` is 0, or what rounding has left of 0, and `x` is not.
    private fn columns_over(x: array<T>, s: array<T>) -> array<T> {
        primal: columns_over,
        pullback: ["columns_over(dy, s)", "-sum_axis(columns_over(dy * y, s), 0)"],
        tangent: ["columns_over(dx, s)", "-columns_over(y * dx, s)"],
    }
}

fn columns_over<T: Real>(x: ArrayView<T>, s: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let (_, cols) = x.matrix()?;
    if s.data().len() != cols {
        return Err(format!("{} divisors for {cols} columns", s.data().len()));
    }
    let small = dense::rounding(s.data());
    let out = out.allocate(x.shape())?;
    for (k, &x) in x.data().iter().enumerate().filter(|(_, x)| !x.is_zero()) {
        let divisor = s.data()[k % cols];
        if divisor.abs() <= small {
            return Err("singular vectors of the singular value 0 have no derivative".to_owned());
        }
        out[k] = x / divisor;
    }
    Ok(())
}

rule! {
    /// `x − u · uᵀ · x`: what of `x` is outside the space that the orthonormal columns of `u` span. Nothing is, where `u` is square.
    private fn outside(u: array<T>, x: array<T>) -> array<T> {
        body: "unless_square(u, x - matmul(u, matmul_tn(u, x)))",
    }
}

native! {
    /// `x`, or zeros where `u` is square: what would be rounding errors must not be divided by small singular values.
    private fn unless_square(u: array<T>, x: array<T>) -> array<T> {
        primal: unless_square,
        pullback: ["", "unless_square(u, dy)"],
        tangent: ["", "unless_square(u, dx)"],
    }
}

fn unless_square<T: Real>(u: ArrayView<T>, x: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let (rows, cols) = u.matrix()?;
    let out = out.allocate(x.shape())?;
    if rows != cols {
        out.copy_from_slice(x.data());
    }
    Ok(())
}

/// Calls on which the rules of this file are tested.
pub(crate) fn cases() -> Vec<Case> {
    let spd = || {
        Value::Array(
            vec![3, 3],
            vec![4.0, 1.0, 0.5, 1.0, 3.0, -0.5, 0.5, -0.5, 2.0],
        )
    };
    let square = || {
        Value::Array(
            vec![3, 3],
            vec![0.5, 2.0, 0.25, 1.75, -0.5, 1.0, 0.5, 0.3, 2.5],
        )
    };
    let values = || Value::Array(vec![3], vec![0.5, 1.5, 4.0]);
    let order = || Value::Indices(vec![3], vec![2, 0, 1]);
    let tall = || Value::Array(vec![4, 2], vec![1.0, 0.5, -0.5, 2.0, 0.25, -1.5, 1.0, 1.0]);
    vec![
        Case::new("antisymmetric", [square()]),
        Case::new(
            "of_vectors",
            [
                tall(),
                Value::array(&[2]),
                Value::Array(vec![2], vec![2.0, 0.5]),
            ],
        ),
        Case::new("full_rank", [square()]),
        Case::new("uncoupled", [square(), values()]),
        Case::new(
            "svd_pullback",
            [
                tall(),
                Value::Array(vec![2], vec![2.0, 0.5]),
                Value::array(&[2, 2]),
                tall(),
                Value::array(&[2]),
                Value::array(&[2, 2]),
            ],
        ),
        Case::new("lu_inner", [square(), spd(), square()]),
        Case::new("lu_outer", [square(), spd(), square()]),
        Case::new("mirrored", [square()]),
        Case::new("twisted", [square()]),
        Case::new("qr_tangent", [tall(), Value::array(&[2, 2]), tall()]),
        Case::new(
            "svd_tangent",
            [
                tall(),
                Value::Array(vec![2], vec![2.0, 0.5]),
                Value::array(&[2, 2]),
                tall(),
                Value::array(&[2, 2]),
            ],
        ),
        Case::new("cholesky", [spd()]),
        Case::new("symmetrised", [square()]),
        Case::new("lower_half", [square()]),
        Case::new("lu", [square()]),
        Case::new("rows", [square(), order()]),
        Case::new("rows_back", [square(), order()]),
        Case::new("qr", [tall()]),
        Case::new("qr", [square()]),
        Case::new("eigh", [spd()]),
        Case::new("svd", [tall()]),
        Case::new("svd", [square()]),
        Case::new("divided_by_gaps", [square(), values()]),
        Case::new("gaps", [values()]),
        Case::new("diagonal", [square()]),
        Case::new("diagonal_matrix", [values()]),
        Case::new("columns_over", [square(), values()]),
        Case::new("outside", [tall(), Value::array(&[4, 3])]),
        Case::new("outside", [square(), Value::array(&[3, 2])]),
        Case::new("unless_square", [tall(), Value::array(&[4, 3])]),
        Case::new("unless_square", [square(), Value::array(&[3, 2])]),
    ]
}

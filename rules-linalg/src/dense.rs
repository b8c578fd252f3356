//! Decompositions and solvers on row-major matrices, computed by `faer`.
//!
//! Plain functions from slices to vectors: they know no rules and no derivatives. Wrong shapes and matrices for which
//! the result does not exist are errors, never panics and never numbers.
//!
//! Each thread keeps the factors of its last decomposition. The pullback of a function asks `lu` for the same matrix as its primal did, and
//! gets these factors.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::{factor, inverse};
use faer::linalg::matmul::matmul as faer_matmul;
use faer::perm::PermRef;
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use std::cell::RefCell;
use std::rc::Rc;
use std::thread::LocalKey;

/// A number that matrices are made of.
pub trait Number:
    faer::traits::ComplexField + num_traits::NumAssign + std::ops::Neg<Output = Self> + Copy + 'static
{
}
impl Number for f32 {}
impl Number for f64 {}
impl Number for faer::c64 {}

/// A float that matrices are made of: f32 or f64.
pub trait Real:
    Number + faer::traits::RealField + num_traits::Float + mooncake_pack::Element
{
    /// The matrix that this thread has factored last, and its factors: see [`lu`].
    #[doc(hidden)]
    fn last_factored() -> &'static LocalKey<RefCell<Option<Factored<Self>>>>;
}

macro_rules! real {
    ($($t:ident)*) => {$(
        impl Real for $t {
            fn last_factored() -> &'static LocalKey<RefCell<Option<Factored<$t>>>> {
                thread_local!(static LAST: RefCell<Option<Factored<$t>>> = const { RefCell::new(None) });
                &LAST
            }
        }
    )*};
}
real!(f32 f64);

/// A matrix's elements and its factors.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Factored<T> {
    data: Vec<T>,
    lu: Rc<Lu<T>>,
}

/// What every function here returns.
pub type Result<T> = std::result::Result<T, String>;

/// A row-major matrix of `rows × cols` elements.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a, T> {
    /// The elements, row after row.
    pub data: &'a [T],
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
}

impl<'a, T: Real> Matrix<'a, T> {
    /// An array of one or two axes as a matrix: a vector is a column.
    ///
    /// # Errors
    ///
    /// If it has another number of axes.
    pub fn new(data: &'a [T], shape: &[usize]) -> Result<Matrix<'a, T>> {
        let (rows, cols) = match *shape {
            [rows, cols] => (rows, cols),
            [rows] => (rows, 1),
            _ => {
                return Err(format!(
                    "expected a matrix or a vector, found an array of shape {shape:?}"
                ));
            }
        };
        Ok(Matrix { data, rows, cols })
    }

    /// An error unless all elements are finite: iterations do not end well on others.
    fn finite(self) -> Result<Self> {
        match self.data.iter().all(|x| x.is_finite()) {
            true => Ok(self),
            false => Err("the matrix has elements that are not finite".to_owned()),
        }
    }

    fn view(self) -> MatRef<'a, T> {
        MatRef::from_row_major_slice(self.data, self.rows, self.cols)
    }

    fn at(self, i: usize, j: usize) -> T {
        self.data[i * self.cols + j]
    }

    /// `(a + aᵀ) / 2`: a function of all elements whose derivative is symmetric, which is what a symmetric argument wants.
    fn symmetrised(self) -> Mat<T> {
        let half = T::one() / (T::one() + T::one());
        Mat::from_fn(self.rows, self.cols, |i, j| {
            (self.at(i, j) + self.at(j, i)) * half
        })
    }
}

/// The elements of a matrix of faer's, row after row.
fn row_major<T: Real>(matrix: MatRef<T>) -> Vec<T> {
    let (rows, cols) = (matrix.nrows(), matrix.ncols());
    let mut data = vec![T::zero(); rows * cols];
    MatMut::from_row_major_slice_mut(&mut data, rows, cols).copy_from(matrix);
    data
}

fn parallelism() -> Par {
    faer::get_global_parallelism()
}

/// `a · b`
pub fn matmul<T: Real>(a: Matrix<T>, b: Matrix<T>) -> Result<Vec<T>> {
    product(a.view(), b.view())
}

/// `a · bᵀ`
pub fn matmul_nt<T: Real>(a: Matrix<T>, b: Matrix<T>) -> Result<Vec<T>> {
    product(a.view(), b.view().transpose())
}

fn product<T: Real>(a: MatRef<T>, b: MatRef<T>) -> Result<Vec<T>> {
    if a.ncols() != b.nrows() {
        let (m, k, l, n) = (a.nrows(), a.ncols(), b.nrows(), b.ncols());
        return Err(format!(
            "matrices of {m} × {k} and {l} × {n} cannot be multiplied"
        ));
    }
    let (rows, cols) = (a.nrows(), b.ncols());
    let mut out = vec![T::zero(); rows * cols];
    let target = MatMut::from_row_major_slice_mut(&mut out, rows, cols);
    faer_matmul(target, Accum::Replace, a, b, T::one(), parallelism());
    Ok(out)
}

/// The lower triangular `l` with `l · lᵀ = (a + aᵀ) / 2`.
///
/// # Errors
///
/// If the matrix is not positive definite.
pub fn cholesky<T: Real>(a: Matrix<T>) -> Result<Vec<T>> {
    let factored = a.finite()?.symmetrised();
    let llt = factored.llt(Side::Lower);
    let llt = llt.map_err(|_| "the matrix is not positive definite".to_owned())?;
    let (l, n) = (llt.L(), a.rows);
    Ok(row_major(
        Mat::from_fn(n, n, |i, j| if j <= i { l[(i, j)] } else { T::zero() }).as_ref(),
    ))
}

/// Which triangle of a matrix is meant, and whether its diagonal is taken to be 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Triangle {
    /// The lower triangle, or the upper one.
    pub lower: bool,
    /// Whether the diagonal is taken to be 1, whatever the matrix holds.
    pub unit: bool,
}

/// The `x` with `t · x = b`, or `tᵀ · x = b` if `transposed`, where `t` is a triangle of `a`.
///
/// # Errors
///
/// If a diagonal element is 0, or the shapes do not fit.
pub fn solve_triangular<T: Real>(
    a: Matrix<T>,
    b: Matrix<T>,
    triangle: Triangle,
    transposed: bool,
) -> Result<Vec<T>> {
    fits(a, b)?;
    if !triangle.unit && (0..a.rows).any(|i| a.at(i, i).is_zero()) {
        return Err("the matrix is singular, its diagonal has a zero".into());
    }
    let mut x = b.data.to_vec();
    let target = MatMut::from_row_major_slice_mut(&mut x, b.rows, b.cols);
    let matrix = if transposed {
        a.view().transpose()
    } else {
        a.view()
    };
    use faer::linalg::triangular_solve::*;
    let par = threads(a.rows);
    match (triangle.lower != transposed, triangle.unit) {
        (true, false) => solve_lower_triangular_in_place(matrix, target, par),
        (true, true) => solve_unit_lower_triangular_in_place(matrix, target, par),
        (false, false) => solve_upper_triangular_in_place(matrix, target, par),
        (false, true) => solve_unit_upper_triangular_in_place(matrix, target, par),
    }
    Ok(x)
}

/// A triangle of `a` and zeros elsewhere; the diagonal is left out if it is taken to be 1.
pub fn triangle<T: Real>(a: Matrix<T>, triangle: Triangle) -> Vec<T> {
    banded(a, |i, j| match (triangle.lower, triangle.unit) {
        (true, false) => j <= i,
        (true, true) => j < i,
        (false, false) => j >= i,
        (false, true) => j > i,
    })
}

/// The elements of `a` at the places that are wanted, zeros elsewhere.
fn banded<T: Real>(a: Matrix<T>, wanted: impl Fn(usize, usize) -> bool) -> Vec<T> {
    let mut out = vec![T::zero(); a.data.len()];
    for i in 0..a.rows {
        for j in 0..a.cols {
            if wanted(i, j) {
                out[i * a.cols + j] = a.at(i, j);
            }
        }
    }
    out
}

/// An error unless `a · x = b` makes sense.
fn fits<T: Real>(a: Matrix<T>, b: Matrix<T>) -> Result<()> {
    match a.rows == b.rows {
        true => Ok(()),
        false => Err(format!(
            "a matrix of {n} × {n} and a right-hand side of {} rows",
            b.rows,
            n = a.rows
        )),
    }
}

/// A square matrix factored as `l · u = a[p]`, with partial pivoting: both factors in one matrix, and the permutation.
#[derive(Clone, Debug)]
pub struct Lu<T> {
    /// `l` without its unit diagonal below the diagonal, `u` on and above it; row-major.
    pub factors: Vec<T>,
    /// Row `i` of `l · u` is row `p[i]` of the matrix.
    pub permutation: Vec<u32>,
}

impl<T: Real> Lu<T> {
    /// The factors as numbers that have no derivative: each float as the two halves of its bits as an f64, then the permutation.
    pub fn to_words(&self) -> Vec<u32> {
        let bits = |x: &T| x.to_f64().unwrap_or(f64::NAN).to_bits();
        let halves = |x: &T| [(bits(x) >> 32) as u32, bits(x) as u32];
        let factors = self.factors.iter().flat_map(halves);
        factors.chain(self.permutation.iter().copied()).collect()
    }

    /// The factors of an `n × n` matrix that [`Lu::to_words`] has written.
    ///
    /// # Errors
    ///
    /// If there are more or fewer words, or the last words are not a permutation.
    pub fn from_words(words: &[u32], n: usize) -> Result<Lu<T>> {
        let Some((factors, permutation)) = words.split_at_checked(2 * n * n) else {
            return Err(format!(
                "{} words are not the factors of a matrix of {n} × {n}",
                words.len()
            ));
        };
        if permutation.len() != n || permutation.iter().any(|&i| i as usize >= n) {
            return Err("the last words are not a permutation of the rows".to_owned());
        }
        let float = |halves: &[u32]| {
            let bits = u64::from(halves[0]) << 32 | u64::from(halves[1]);
            T::from(f64::from_bits(bits)).unwrap_or_else(T::nan)
        };
        Ok(Lu {
            factors: factors.chunks_exact(2).map(float).collect(),
            permutation: permutation.to_vec(),
        })
    }
}

/// Matrices of more rows are factored on all cores; smaller ones are faster on one.
const SHARED: usize = 1024;

/// Threads for an operation on a square matrix of `n` rows.
fn threads(n: usize) -> Par {
    match n > SHARED {
        true => parallelism(),
        false => Par::Seq,
    }
}

/// The most elements of a matrix whose factors are kept.
const KEPT: usize = 1 << 22;

/// Factors a square matrix. A singular one has a zero on the diagonal of `u`: whether that is an error is for the caller
/// to say.
///
/// The factors of the last matrix of this thread are kept: the pullback of a solver asks for those that its primal has found.
pub fn lu<T: Real>(a: Matrix<T>) -> Result<Rc<Lu<T>>> {
    let a = a.finite()?;
    let known = T::last_factored().with_borrow(|last| {
        let same = last.as_ref().filter(|last| last.data == a.data);
        same.map(|last| last.lu.clone())
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let lu = Rc::new(factored(a));
    if a.data.len() <= KEPT {
        let data = a.data.to_vec();
        T::last_factored().set(Some(Factored {
            data,
            lu: lu.clone(),
        }));
    }
    Ok(lu)
}

fn factored<T: Real>(a: Matrix<T>) -> Lu<T> {
    let (n, par) = (a.rows, threads(a.rows));
    let mut both = a.view().to_owned();
    let (mut forward, mut backward) = (vec![0usize; n], vec![0usize; n]);
    let scratch = factor::lu_in_place_scratch::<usize, T>(n, n, par, Default::default());
    factor::lu_in_place(
        both.as_mut(),
        &mut forward,
        &mut backward,
        par,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    );
    let factors = row_major(both.as_ref());
    // The library divides by every pivot, also by one that is 0.
    if !factors.iter().all(|x| x.is_finite()) {
        return factored_with_zero_pivots(a);
    }
    Lu {
        factors,
        permutation: forward.iter().map(|&i| i as u32).collect(),
    }
}

/// The factors where a pivot may be 0: then nothing is left to be eliminated in its column.
fn factored_with_zero_pivots<T: Real>(a: Matrix<T>) -> Lu<T> {
    let n = a.rows;
    let mut rows: Vec<Vec<T>> = a.data.chunks(n.max(1)).map(<[T]>::to_vec).collect();
    let mut permutation: Vec<u32> = (0..n as u32).collect();
    for k in 0..n {
        let size = |i: usize| rows[i][k].abs();
        let pivot = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
        rows.swap(k, pivot);
        permutation.swap(k, pivot);
        if rows[k][k].is_zero() {
            continue;
        }
        let (done, rest) = rows.split_at_mut(k + 1);
        let pivot = &done[k];
        for row in rest {
            let factor = row[k] / pivot[k];
            row[k] = factor;
            for j in k + 1..n {
                row[j] -= factor * pivot[j];
            }
        }
    }
    Lu {
        factors: rows.concat(),
        permutation,
    }
}

/// The sign of the permutation in which row `i` is row `p[i]` of the matrix: 1 or −1.
pub fn parity<T: Real>(permutation: &[u32]) -> T {
    let mut seen = vec![false; permutation.len()];
    let mut sign = T::one();
    for start in 0..permutation.len() {
        let (mut at, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[at], true) {
            at = permutation[at] as usize;
            length += 1;
        }
        if length > 0 && length % 2 == 0 {
            sign = -sign;
        }
    }
    sign
}

/// The `x` with `a · x = b`, or `aᵀ · x = b` if `transposed`, where `lu` holds the factors of `a`: with one step of refinement, in which the
/// matrix itself is read, so that the result has the digits that the factors have lost, and the derivative of a function of `a`.
///
/// # Errors
///
/// If the matrix is singular, or the shapes do not fit.
pub fn solve_factored<T: Real>(
    a: Matrix<T>,
    lu: &Lu<T>,
    b: Matrix<T>,
    transposed: bool,
) -> Result<Vec<T>> {
    fits(a, b)?;
    let mut x = substitute(lu, b, transposed)?;
    let columns = |data| Matrix {
        data,
        rows: b.rows,
        cols: b.cols,
    };
    let mut rest = b.data.to_vec();
    let matrix = if transposed {
        a.view().transpose()
    } else {
        a.view()
    };
    let target = MatMut::from_row_major_slice_mut(&mut rest, b.rows, b.cols);
    faer_matmul(
        target,
        Accum::Add,
        matrix,
        columns(&x).view(),
        -T::one(),
        parallelism(),
    );
    let correction = substitute(lu, columns(&rest), transposed)?;
    x.iter_mut().zip(correction).for_each(|(x, c)| *x += c);
    Ok(x)
}

/// The `x` with `a · x = b`, or `aᵀ · x = b` if `transposed`, by LU decomposition with partial pivoting.
///
/// # Errors
///
/// If the matrix is singular, or the shapes do not fit.
pub fn solve<T: Real>(a: Matrix<T>, b: Matrix<T>, transposed: bool) -> Result<Vec<T>> {
    fits(a, b)?;
    let lu = lu(a)?;
    substitute(&lu, b, transposed)
}

/// The solution by forward and backward substitution.
fn substitute<T: Real>(lu: &Lu<T>, b: Matrix<T>, transposed: bool) -> Result<Vec<T>> {
    let factors = Matrix {
        data: &lu.factors,
        rows: b.rows,
        cols: b.rows,
    };
    if (0..b.rows).any(|i| factors.at(i, i).is_zero()) {
        return Err("the matrix is singular".into());
    }
    let (lower, upper) = (
        Triangle {
            lower: true,
            unit: true,
        },
        Triangle {
            lower: false,
            unit: false,
        },
    );
    let columns = |data| Matrix {
        data,
        rows: b.rows,
        cols: b.cols,
    };
    let row = |i: usize| i * b.cols..(i + 1) * b.cols;
    let mut out = Vec::with_capacity(b.data.len());
    if !transposed {
        (lu.permutation.iter()).for_each(|&i| out.extend_from_slice(&b.data[row(i as usize)]));
        let y = solve_triangular(factors, columns(&out), lower, false)?;
        return solve_triangular(factors, columns(&y), upper, false);
    }
    let y = solve_triangular(factors, b, upper, true)?;
    let z = solve_triangular(factors, columns(&y), lower, true)?;
    out.resize(z.len(), T::zero());
    for (i, &to) in lu.permutation.iter().enumerate() {
        out[row(to as usize)].copy_from_slice(&z[row(i)]);
    }
    Ok(out)
}

/// The inverse of a square matrix.
///
/// # Errors
///
/// If the matrix is singular.
pub fn inv<T: Real>(a: Matrix<T>) -> Result<Vec<T>> {
    let lu = lu(a)?;
    if (0..a.rows).any(|i| lu.factors[i * a.rows + i].is_zero()) {
        return Err("the matrix is singular".into());
    }
    Ok(inverse_of(&lu))
}

/// The inverse of a factored matrix without zeros on the diagonal of `u`.
fn inverse_of<T: Real>(lu: &Lu<T>) -> Vec<T> {
    let n = lu.permutation.len();
    let par = threads(n);
    let forward: Vec<usize> = lu.permutation.iter().map(|&i| i as usize).collect();
    let mut backward = vec![0; n];
    (forward.iter().enumerate()).for_each(|(to, &from)| backward[from] = to);
    let both = MatRef::from_row_major_slice(&lu.factors, n, n).to_owned();
    let mut out = Mat::zeros(n, n);
    let scratch = inverse::inverse_scratch::<usize, T>(n, par);
    inverse::inverse(
        out.as_mut(),
        both.as_ref(),
        both.as_ref(),
        PermRef::new_checked(&forward, &backward, n),
        par,
        MemStack::new(&mut MemBuffer::new(scratch)),
    );
    row_major(out.as_ref())
}

/// The determinant of a square matrix; that of the empty one is 1.
pub fn det<T: Real>(a: Matrix<T>) -> Result<T> {
    let lu = lu(a)?;
    Ok(pivots_product(&lu, a.rows))
}

/// The determinant of a factored matrix.
fn pivots_product<T: Real>(lu: &Lu<T>, n: usize) -> T {
    let diagonal = (0..n).map(|i| lu.factors[i * n + i]);
    diagonal.fold(parity(&lu.permutation), |product, x| product * x)
}

/// The sign of the determinant, and the logarithm of its size: 0 and −∞ for a singular matrix.
pub fn slogdet<T: Real>(a: Matrix<T>) -> Result<(T, T)> {
    let lu = lu(a)?;
    let diagonal = (0..a.rows).map(|i| lu.factors[i * a.cols + i]);
    let start = (parity::<T>(&lu.permutation), T::zero());
    Ok(diagonal.fold(start, |(sign, log), x| match x.is_zero() {
        true => (T::zero(), T::neg_infinity()),
        false => (sign * x.signum(), log + x.abs().ln()),
    }))
}

/// The matrix of cofactors, `det(a) · a⁻ᵀ`. Where `a` is singular, or nearly so that the inverse would lose digits, it is made of the
/// singular values, of which each element leaves one out.
pub fn cofactors<T: Real>(a: Matrix<T>) -> Result<Vec<T>> {
    let lu = lu(a)?;
    let pivots = || (0..a.rows).map(|i| lu.factors[i * a.cols + i].abs());
    let largest = pivots().fold(T::zero(), T::max);
    let close = <T as num_traits::Float>::epsilon().sqrt().sqrt();
    if pivots().any(|pivot| pivot <= largest * close) {
        return cofactors_of_singular(a);
    }
    let det = pivots_product(&lu, a.rows);
    let (n, inverse) = (a.rows, inverse_of(&lu));
    let scaled = (0..n * n).map(|k| inverse[k % n * n + k / n] * det);
    Ok(scaled.collect())
}

fn square<T>(data: &[T], n: usize) -> Matrix<'_, T> {
    Matrix {
        data,
        rows: n,
        cols: n,
    }
}

/// The singular value decomposition of a square matrix, and the sign of `det(u) det(vt)`.
fn svd_and_sign<T: Real>(a: Matrix<T>) -> Result<(Svd<T>, T)> {
    let svd = svd(a)?;
    let sign = det(square(&svd.u, a.rows))?.signum() * det(square(&svd.vt, a.rows))?.signum();
    Ok((svd, sign))
}

fn cofactors_of_singular<T: Real>(a: Matrix<T>) -> Result<Vec<T>> {
    let (Svd { u, s, vt }, sign) = svd_and_sign(a)?;
    let n = a.rows;
    let without = |i: usize| {
        let others = s.iter().enumerate().filter(|&(j, _)| j != i);
        others.fold(sign, |product, (_, &x)| product * x)
    };
    let scaled: Vec<T> = (0..n * n).map(|k| u[k] * without(k % n)).collect();
    matmul(square(&scaled, n), square(&vt, n))
}

/// The change of the matrix of cofactors along `x`, to first order. It is symmetric: its inner product with `y` is that of the change along `y` with
/// `x`. With `a = u · diag(s) · vᵀ` and `p = uᵀ · x · v` it is `det(u) det(v) · u · d · vᵀ`, where `d[i, j]` is `−p[j, i]` times all `s` but those of `i` and `j`,
/// and `d[i, i]` is the sum over the other `k` of `p[k, k]` times all `s` but those of `i` and `k`. Nothing is divided by, so singular matrices have it, too.
pub fn cofactors_along<T: Real>(a: Matrix<T>, x: Matrix<T>) -> Result<Vec<T>> {
    let (Svd { u, s, vt }, sign) = svd_and_sign(a)?;
    let n = a.rows;
    let xv = matmul_nt(x, square(&vt, n))?;
    let p = product(square(&u, n).view().transpose(), square(&xv, n).view())?;
    let mut d = vec![T::zero(); n * n];
    for i in 0..n {
        for j in (0..n).filter(|&j| j != i) {
            let others = (0..n).filter(|&k| k != i && k != j);
            let product = others.fold(sign, |product, k| product * s[k]);
            d[i * n + j] = -p[j * n + i] * product;
            d[i * n + i] += p[j * n + j] * product;
        }
    }
    matmul(
        square(&matmul(square(&u, n), square(&d, n))?, n),
        square(&vt, n),
    )
}

/// The reduced QR decomposition of a matrix with at least as many rows as columns; the diagonal of `r` is not negative.
pub fn qr<T: Real>(a: Matrix<T>) -> Result<(Vec<T>, Vec<T>)> {
    if a.rows < a.cols {
        return Err(format!(
            "expected a matrix with at least as many rows as columns, found {} × {}",
            a.rows, a.cols
        ));
    }
    let factored = a.finite()?.view().qr();
    let (q, r) = (factored.compute_thin_Q(), factored.thin_R());
    let n = a.cols;
    let sign = |i: usize| {
        if r[(i, i)] < T::zero() {
            -T::one()
        } else {
            T::one()
        }
    };
    let q = Mat::from_fn(a.rows, n, |i, j| q[(i, j)] * sign(j));
    let upper = Mat::from_fn(n, n, |i, j| {
        if j >= i {
            r[(i, j)] * sign(i)
        } else {
            T::zero()
        }
    });
    Ok((row_major(q.as_ref()), row_major(upper.as_ref())))
}

/// An error if the matrix with this triangle in its QR decomposition has columns that depend on those before them, but for rounding.
pub fn check_rank<T: Real>(r: Matrix<T>) -> Result<()> {
    let diagonal: Vec<T> = (0..r.rows.min(r.cols)).map(|i| r.at(i, i)).collect();
    let small = rounding(&diagonal);
    match diagonal.iter().position(|x| x.abs() <= small) {
        Some(column) => Err(format!(
            "column {column} of the matrix is 0 or depends on the columns before it, so the solution is not unique"
        )),
        None => Ok(()),
    }
}

/// A reduced singular value decomposition, `a = u · diag(s) · vt`; singular values fall.
#[derive(Clone, Debug)]
pub struct Svd<T> {
    /// `m × k`, where `k` is the smaller of `m` and `n`.
    pub u: Vec<T>,
    /// `k`
    pub s: Vec<T>,
    /// `k × n`
    pub vt: Vec<T>,
}

/// The reduced singular value decomposition.
pub fn svd<T: Real>(a: Matrix<T>) -> Result<Svd<T>> {
    let factored = a.finite()?.view().thin_svd();
    let factored = factored.map_err(|_| "the iteration did not converge".to_owned())?;
    let (s, u, v) = (factored.S().column_vector(), factored.U(), factored.V());
    let signs = signs(u);
    Ok(Svd {
        u: row_major(Mat::from_fn(a.rows, s.nrows(), |i, j| u[(i, j)] * signs[j]).as_ref()),
        s: (0..s.nrows()).map(|i| s[i]).collect(),
        vt: row_major(Mat::from_fn(s.nrows(), a.cols, |i, j| v[(j, i)] * signs[i]).as_ref()),
    })
}

/// The signs that make vectors (columns) the same on every device and for every float type: of the elements of a vector that have at least half
/// the size of the largest, the first becomes positive.
fn signs<T: Real>(vectors: MatRef<T>) -> Vec<T> {
    let two = T::one() + T::one();
    let sign = |j: usize| {
        let elements = || (0..vectors.nrows()).map(|i| vectors[(i, j)]);
        let largest = elements().fold(T::zero(), |largest, x| largest.max(x.abs()));
        let first = elements().find(|x| x.abs() * two >= largest);
        if first.is_some_and(|x| x < T::zero()) {
            -T::one()
        } else {
            T::one()
        }
    };
    (0..vectors.ncols()).map(sign).collect()
}

/// The eigenvalues, which rise, and eigenvectors (as columns) of `(a + aᵀ) / 2`.
pub fn eigh<T: Real>(a: Matrix<T>) -> Result<(Vec<T>, Vec<T>)> {
    if a.rows == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    let symmetric = a.finite()?.symmetrised();
    let factored = symmetric.self_adjoint_eigen(Side::Lower);
    let factored = factored.map_err(|_| "the iteration did not converge".to_owned())?;
    let w = factored.S().column_vector();
    let (v, signs) = (factored.U(), signs(factored.U()));
    let vectors = Mat::from_fn(a.rows, a.rows, |i, j| v[(i, j)] * signs[j]);
    let values = (0..a.rows).map(|i| w[i]).collect();
    Ok((values, row_major(vectors.as_ref())))
}

/// `x[i, j] / (w[j] − w[i])`, and 0 where `x` is 0: what turns the change of a matrix into that of its eigenvectors. Values that differ by
/// rounding alone count as equal, and elements that are rounding errors of others as 0: a quotient of the two would be any number.
///
/// # Errors
///
/// Where `w[i] = w[j]` and `x[i, j]` is not 0: vectors of an eigenvalue that occurs twice have no derivative.
pub fn divided_by_gaps<T: Real>(x: Matrix<T>, w: &[T]) -> Result<Vec<T>> {
    let n = w.len();
    if (x.rows, x.cols) != (n, n) {
        return Err(format!(
            "a matrix of {} × {} for {n} eigenvalues",
            x.rows, x.cols
        ));
    }
    let (small_x, small_gap) = (rounding(x.data), rounding(w));
    let mut out = vec![T::zero(); n * n];
    for i in 0..n {
        for j in (0..n).filter(|&j| j != i) {
            let (x, gap) = (x.at(i, j), w[j] - w[i]);
            match (gap.abs() <= small_gap, x.abs() <= small_x) {
                (false, _) => out[i * n + j] = x / gap,
                (true, true) => {}
                (true, false) => return one_value(i, j),
            }
        }
    }
    Ok(out)
}

/// How far values of a list may differ by rounding alone.
pub fn rounding<T: Real>(values: &[T]) -> T {
    let largest = values
        .iter()
        .fold(T::zero(), |largest, x| largest.max(x.abs()));
    largest * <T as num_traits::Float>::epsilon() * T::from(8 * values.len()).unwrap_or_else(T::one)
}

fn one_value<T>(i: usize, j: usize) -> Result<T> {
    Err(format!(
        "the vectors {i} and {j} belong to one eigenvalue or singular value, so their derivative does not exist, and second derivatives of the values need it"
    ))
}

/// An error if the derivative of a function of eigenvectors or singular vectors cannot be known. The vectors are columns of length `dv.rows`, `dv` is their
/// cotangent, `w` their values, and `dw` the cotangent of these.
///
/// Where two values are equal, any rotation of their vectors would do as well. A function that gives the same for all of these, such as `v · diag(w) · vᵀ`, has a
/// derivative there, but what the formula needs for it is a quotient of zeros. So this is an error unless it is seen that the function does not depend on the
/// vectors: none of their cotangents is anything but 0. If the values are 0, too, a function that multiplies each vector by its value looks the same; then
/// the cotangents of the values must be 0 as well, or those of all vectors. The same holds for a single value 0 if there are vectors beyond these, which are
/// orthogonal to all of them.
pub fn check_vectors<T: Real>(dv: Matrix<T>, dw: &[T], w: &[T]) -> Result<()> {
    let n = w.len();
    if dv.cols != n || dw.len() != n {
        return Err(format!("{} vectors and {n} values", dv.cols));
    }
    let small = rounding(w);
    let is_zero = |i: usize| w[i].abs() <= small;
    let uses_vector = |i: usize| (0..dv.rows).any(|row| !dv.at(row, i).is_zero());
    let uses_vectors = (0..n).any(uses_vector) || w.iter().all(|w| w.is_zero());
    let depends = |i: usize| uses_vector(i) || uses_vectors && is_zero(i) && !dw[i].is_zero();
    for i in (0..n).filter(|&i| depends(i)) {
        let equal = |j: &usize| *j != i && (w[i] - w[*j]).abs() <= small;
        if let Some(j) = (0..n).find(equal) {
            return one_value(i.min(j), i.max(j));
        }
        if dv.rows != n && is_zero(i) {
            return Err(format!(
                "the vector {i} belongs to the singular value 0, so its derivative does not exist"
            ));
        }
    }
    Ok(())
}

/// An error if singular vectors have no derivative along a direction, in which `p[i, j]` says how much it couples the left vector `i` with the right vector `j`:
/// where it couples two of one value.
pub fn check_couplings<T: Real>(p: Matrix<T>, s: &[T]) -> Result<()> {
    let n = s.len();
    if (p.rows, p.cols) != (n, n) {
        return Err(format!(
            "a matrix of {} × {} for {n} values",
            p.rows, p.cols
        ));
    }
    let (small, small_p) = (rounding(s), rounding(p.data));
    for i in 0..n {
        let equal = |j: &usize| (s[i] - s[*j]).abs() <= small && p.at(i, *j).abs() > small_p;
        if let Some(j) = (0..n).filter(|&j| j != i).find(equal) {
            return one_value(i.min(j), i.max(j));
        }
    }
    Ok(())
}

/// Rows and columns.
pub type Shape = (usize, usize);

/// The Kronecker product.
pub fn kron<T: Real>(a: Matrix<T>, b: Matrix<T>) -> Vec<T> {
    let mut out = Vec::with_capacity(a.data.len() * b.data.len());
    for i in 0..a.rows * b.rows {
        let (ai, bi) = (i / b.rows, i % b.rows);
        for j in 0..a.cols {
            let factor = a.at(ai, j);
            out.extend(
                b.data[bi * b.cols..(bi + 1) * b.cols]
                    .iter()
                    .map(|&x| factor * x),
            );
        }
    }
    out
}

/// For `g` of the shape of a Kronecker product of a matrix of this shape with `b`: its inner products with `b`, one for each element of the left factor.
pub fn kron_left<T: Real>(g: Matrix<T>, b: Matrix<T>, (rows, cols): Shape) -> Result<Vec<T>> {
    check_kron(g, (rows, cols), (b.rows, b.cols))?;
    let mut out = vec![T::zero(); rows * cols];
    for i in 0..g.rows {
        for j in 0..g.cols {
            let at = (i / b.rows) * cols + j / b.cols;
            out[at] += g.at(i, j) * b.at(i % b.rows, j % b.cols);
        }
    }
    Ok(out)
}

/// The same for each element of the right factor, where `a` is the left one.
pub fn kron_right<T: Real>(g: Matrix<T>, a: Matrix<T>, (rows, cols): Shape) -> Result<Vec<T>> {
    check_kron(g, (a.rows, a.cols), (rows, cols))?;
    let mut out = vec![T::zero(); rows * cols];
    for i in 0..g.rows {
        for j in 0..g.cols {
            let at = (i % rows) * cols + j % cols;
            out[at] += g.at(i, j) * a.at(i / rows, j / cols);
        }
    }
    Ok(out)
}

/// An error unless a matrix has the shape of a Kronecker product of matrices of these shapes.
fn check_kron<T: Real>(g: Matrix<T>, (m, n): Shape, (p, q): Shape) -> Result<()> {
    match m * p == g.rows && n * q == g.cols {
        true => Ok(()),
        false => Err(format!(
            "a matrix of {} × {} is no Kronecker product of one of {m} × {n} with one of {p} × {q}",
            g.rows, g.cols
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between −1 and 1 that look random and are the same on every run.
    fn numbers(count: usize) -> Vec<f64> {
        let mut state = 88172645463325252u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    fn matrix(data: &[f64], rows: usize, cols: usize) -> Matrix<'_, f64> {
        Matrix { data, rows, cols }
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (i, (x, y)) in found.iter().zip(expected).enumerate() {
            assert!(
                (x - y).abs() <= 1e-12 * (1.0 + y.abs()),
                "element {i} is {x}, expected {y}"
            );
        }
    }

    #[test]
    fn a_factor_times_its_transpose_is_the_matrix() {
        let half = numbers(25);
        let mut a = matmul_nt(matrix(&half, 5, 5), matrix(&half, 5, 5)).unwrap();
        (0..5).for_each(|i| a[6 * i] += 1.0);
        let l = cholesky(matrix(&a, 5, 5)).unwrap();
        assert_eq!(l[1], 0.0);
        close(&matmul_nt(matrix(&l, 5, 5), matrix(&l, 5, 5)).unwrap(), &a);
    }

    #[test]
    fn what_has_no_factor_is_an_error() {
        let indefinite = cholesky(matrix(&[1.0, 2.0, 2.0, 1.0], 2, 2)).unwrap_err();
        assert_eq!(indefinite, "the matrix is not positive definite");
        let infinite = cholesky(matrix(&[f64::NAN], 1, 1)).unwrap_err();
        assert_eq!(infinite, "the matrix has elements that are not finite");
        assert_eq!(
            inv(matrix(&[1.0, 2.0, 2.0, 4.0], 2, 2)).unwrap_err(),
            "the matrix is singular"
        );
    }

    #[test]
    fn solutions_solve() {
        let (a, b) = (numbers(36), numbers(12));
        let (a, b) = (matrix(&a, 6, 6), matrix(&b, 6, 2));
        let words = lu(a).unwrap().to_words();
        let lu = Lu::from_words(&words, 6).unwrap();
        let x = solve_factored(a, &lu, b, false).unwrap();
        close(&matmul(a, matrix(&x, 6, 2)).unwrap(), b.data);
        let x = solve_factored(a, &lu, b, true).unwrap();
        close(
            &product(a.view().transpose(), matrix(&x, 6, 2).view()).unwrap(),
            b.data,
        );
        assert!(
            Lu::<f64>::from_words(&words, 5).is_err() && Lu::<f64>::from_words(&[], 1).is_err()
        );
    }

    #[test]
    fn all_four_triangles_are_solved() {
        let (a, b) = (numbers(16), numbers(8));
        for lower in [false, true] {
            for unit in [false, true] {
                for transposed in [false, true] {
                    let which = Triangle { lower, unit };
                    let mut t = triangle(matrix(&a, 4, 4), which);
                    if unit {
                        (0..4).for_each(|i| t[5 * i] = 1.0);
                    }
                    let x = solve_triangular(matrix(&a, 4, 4), matrix(&b, 4, 2), which, transposed)
                        .unwrap();
                    let t = matrix(&t, 4, 4).view();
                    let t = if transposed { t.transpose() } else { t };
                    close(&product(t, matrix(&x, 4, 2).view()).unwrap(), &b);
                }
            }
        }
    }

    #[test]
    fn determinants_agree_with_the_formula_of_leibniz() {
        let a = [2.0, -1.0, 0.5, 1.0, 3.0, -2.0, 4.0, 1.0, 1.5];
        let expected = 2.0 * (4.5 + 2.0) + (1.5 + 8.0) + 0.5 * (1.0 - 12.0);
        assert!((det(matrix(&a, 3, 3)).unwrap() - expected).abs() < 1e-12);
        let (sign, log) = slogdet(matrix(&a, 3, 3)).unwrap();
        assert!((sign * log.exp() - expected).abs() < 1e-12);
        assert_eq!(
            slogdet(matrix(&[1.0, 2.0, 2.0, 4.0], 2, 2)).unwrap(),
            (0.0, f64::NEG_INFINITY)
        );
        assert_eq!(det(matrix(&[], 0, 0)).unwrap(), 1.0);
    }

    #[test]
    fn cofactors_exist_for_singular_matrices() {
        close(
            &cofactors(matrix(&[1.0, 2.0, 2.0, 4.0], 2, 2)).unwrap(),
            &[4.0, -2.0, -2.0, 1.0],
        );
    }

    /// Columns in which no pivot is left, at every place.
    #[test]
    fn singular_matrices_have_factors() {
        for n in 1..=5 {
            for zeros in 0_u32..1 << n {
                let mut a = numbers(n * n);
                for column in (0..n).filter(|column| zeros >> column & 1 == 1) {
                    (0..n).for_each(|row| a[row * n + column] = 0.0);
                }
                // A column that is another one's double has no pivot either.
                if n > 2 && zeros == 0 {
                    (0..n).for_each(|row| a[row * n + 1] = 2.0 * a[row * n]);
                }
                let lu = lu(matrix(&a, n, n)).unwrap();
                let at = |i: usize, j: usize| lu.factors[i * n + j];
                let l = |i: usize, k: usize| if i == k { 1.0 } else { at(i, k) };
                for i in 0..n {
                    for j in 0..n {
                        let sum: f64 = (0..=i.min(j)).map(|k| l(i, k) * at(k, j)).sum();
                        let expected = a[lu.permutation[i] as usize * n + j];
                        assert!((sum - expected).abs() < 1e-12, "{a:?}: {lu:?}");
                    }
                }
                if zeros != 0 {
                    assert_eq!(det(matrix(&a, n, n)), Ok(0.0));
                    let known = slogdet(matrix(&a, n, n)).unwrap();
                    assert_eq!(known, (0.0, f64::NEG_INFINITY));
                }
            }
        }
        assert_eq!(det(matrix(&[0.0, 3.0, 0.0, 5.0], 2, 2)), Ok(0.0));
    }

    /// Against differences of cofactors, for matrices of every rank.
    #[test]
    fn cofactors_change_as_their_differences_say() {
        let (n, full, x) = (4, numbers(16), numbers(32));
        let x = &x[16..];
        for rank in 0..=n {
            let (left, right) = (
                matrix(&full[..n * rank], n, rank),
                matrix(&full[..rank * n], rank, n),
            );
            let a = matmul(left, right).unwrap();
            let moved = |h: f64| {
                let moved: Vec<f64> = a.iter().zip(x).map(|(a, x)| a + h * x).collect();
                cofactors(matrix(&moved, n, n)).unwrap()
            };
            let h = 1e-4;
            let (plus, minus) = (moved(h), moved(-h));
            let differences = plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * h));
            let found = cofactors_along(matrix(&a, n, n), matrix(x, n, n)).unwrap();
            for (found, expected) in found.iter().zip(differences) {
                assert!(
                    (found - expected).abs() < 1e-6,
                    "rank {rank}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn decompositions_compose() {
        let a = numbers(15);
        let (q, r) = qr(matrix(&a, 5, 3)).unwrap();
        close(&matmul(matrix(&q, 5, 3), matrix(&r, 3, 3)).unwrap(), &a);
        for (rows, cols) in [(5, 3), (3, 5)] {
            let Svd { u, s, vt } = svd(matrix(&a, rows, cols)).unwrap();
            assert!(s.is_sorted_by(|x, y| x >= y));
            let scaled: Vec<f64> = u.iter().enumerate().map(|(i, x)| x * s[i % 3]).collect();
            close(
                &matmul(matrix(&scaled, rows, 3), matrix(&vt, 3, cols)).unwrap(),
                &a,
            );
        }
        let (w, v) = eigh(matrix(&a[..9], 3, 3)).unwrap();
        let symmetric = row_major(matrix(&a[..9], 3, 3).symmetrised().as_ref());
        let scaled: Vec<f64> = v.iter().enumerate().map(|(i, x)| x * w[i % 3]).collect();
        close(
            &matmul_nt(matrix(&scaled, 3, 3), matrix(&v, 3, 3)).unwrap(),
            &symmetric,
        );
    }

    #[test]
    fn kronecker_products_and_their_quotients() {
        let (a, b) = ([1.0, 2.0], [3.0, 4.0, 5.0, 6.0]);
        let product = kron(matrix(&a, 1, 2), matrix(&b, 2, 2));
        assert_eq!(product, [3.0, 4.0, 6.0, 8.0, 5.0, 6.0, 10.0, 12.0]);
        let g = [1.0; 8];
        assert_eq!(
            kron_left(matrix(&g, 2, 4), matrix(&b, 2, 2), (1, 2)).unwrap(),
            [18.0, 18.0]
        );
        assert_eq!(
            kron_right(matrix(&g, 2, 4), matrix(&a, 1, 2), (2, 2)).unwrap(),
            [3.0; 4]
        );
        let none = matrix(&[], 0, 2);
        assert_eq!(
            kron_left(matrix(&[], 0, 4), none, (3, 2)).unwrap(),
            [0.0; 6]
        );
        assert!(kron_left(matrix(&g, 2, 4), none, (3, 2)).is_err());
    }

    #[test]
    fn empty_matrices_are_no_special_case() {
        assert!(cholesky(matrix(&[], 0, 0)).unwrap().is_empty());
        assert!(inv(matrix(&[], 0, 0)).unwrap().is_empty());
        assert!(qr(matrix(&[], 3, 0)).unwrap().0.is_empty());
        assert!(svd(matrix(&[], 0, 2)).unwrap().s.is_empty());
        assert!(eigh(matrix(&[], 0, 0)).unwrap().0.is_empty());
    }
}

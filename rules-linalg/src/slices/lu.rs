//! LU decomposition with partial pivoting in place, solutions with its factors, and the inverse: getrf, getrs and getri.
//!
//! `p · a = l · u`, where the diagonal of `l` is 1 and `p` swaps row i with row `ipiv[i]`, for one i after another: LAPACK's
//! pivots, counted from 0.

use super::kernels::{
    ALL, Part, accumulate, add_parts, assign, half, only, part_product, product, scale, solve,
    triangle_product,
};
use super::operand::{Operand, Shadows, transposed};
use super::routine::{Contents, Reverse, Routine, routine};
use super::second;
use crate::dense::{Number, Real, Triangle};
use faer::linalg::solvers::PartialPivLu;
use faer::{Mat, MatMut, MatRef};
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value, native};

native! {
    /// The LU decomposition of an m × n matrix with partial pivoting: overwrites it with `l` (below the diagonal) and `u`, and the first
    /// min(m, n) elements of `ipiv` with the rows that were swapped. A singular matrix is an error.
    fn getrf(m: usize, n: usize, a: &mut [T], lda: usize, ipiv: &mut [usize]) {
        primal: getrf,
        rrule: getrf_rrule,
        frule: getrf_frule,
        second: getrf_second,
    }
}

const L: Triangle = Triangle {
    lower: true,
    unit: true,
};
const U: Triangle = Triangle {
    lower: false,
    unit: false,
};
/// Their transposes.
const LT: Triangle = Triangle {
    lower: false,
    unit: true,
};
const UT: Triangle = Triangle {
    lower: true,
    unit: false,
};
/// The elements below the diagonal.
const BELOW: Part = Part::StrictTriangularLower;

/// `a` of getrf.
fn of_getrf(m: usize, n: usize, lda: usize) -> Operand {
    Operand {
        name: "a",
        at: 2,
        rows: m,
        cols: n,
        stride: lda,
        is_vector: false,
    }
}

fn getrf<T: Real>(m: usize, n: usize, a: &mut [T], lda: usize, ipiv: &mut [usize]) -> Outcome {
    let (a, k) = (of_getrf(m, n, lda).write(a)?, m.min(n));
    if ipiv.len() < k {
        let len = ipiv.len();
        return Err(format!("`ipiv` has {len} elements; expected at least {k}"));
    }
    factorise(a, &mut ipiv[..k])
}

fn factorise<T: Real>(mut a: MatMut<'_, T>, pivots: &mut [usize]) -> Outcome {
    let finite = |j: usize| (0..a.nrows()).all(|i| a[(i, j)].is_finite());
    if !(0..a.ncols()).all(finite) {
        return Err("the matrix has elements that are not finite".to_owned());
    }
    let factored = PartialPivLu::new(a.as_ref());
    let (l, u) = (factored.L(), factored.U());
    if let Some(i) = (0..pivots.len()).find(|&i| u[(i, i)].is_zero()) {
        return Err(format!("the matrix is singular: pivot {i} is 0"));
    }
    for j in 0..a.ncols() {
        for i in 0..a.nrows() {
            a[(i, j)] = if i > j { l[(i, j)] } else { u[(i, j)] };
        }
    }
    swaps(factored.P().arrays().0, pivots);
    Ok(())
}

/// A permutation as swaps: row i of the result is the row `rows[i]` of what is permuted.
fn swaps(rows: &[usize], pivots: &mut [usize]) {
    let mut standing: Vec<usize> = (0..rows.len()).collect();
    let mut place = standing.clone();
    for (i, pivot) in pivots.iter_mut().enumerate() {
        let from = place[rows[i]];
        *pivot = from;
        place[standing[i]] = from;
        standing.swap(i, from);
        place[rows[i]] = i;
    }
}

/// Swaps the rows of a matrix: `p · b`, or `pᵀ · b`.
fn permute<T: Number>(mut b: MatMut<'_, T>, pivots: &[usize], transpose: bool) {
    let mut swap = |i: usize| {
        for j in 0..b.ncols() {
            let (x, y) = (b[(i, j)], b[(pivots[i], j)]);
            (b[(i, j)], b[(pivots[i], j)]) = (y, x);
        }
    };
    match transpose {
        true => (0..pivots.len()).rev().for_each(&mut swap),
        false => (0..pivots.len()).for_each(&mut swap),
    }
}

fn getrf_rrule<T: Real>(
    m: usize,
    n: usize,
    a: &mut [T],
    lda: usize,
    ipiv: &mut [usize],
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let operand = of_getrf(m, n, lda);
    let before: Mat<T> = operand.read(a)?.to_owned();
    let pivots_before = ipiv.to_vec();
    getrf(m, n, a, lda, ipiv)?;
    Ok(move |c: &Cotangents| {
        let mut memory = operand.write(c.memory::<T>(operand.at)?)?;
        let pivots = c.memory::<usize>(4)?;
        let outcome = match operand.cotangent(c)? {
            Some(shadow) => getrf_pullback(memory.as_ref(), &pivots[..m.min(n)], shadow),
            None => Ok(()),
        };
        memory.copy_from(&before);
        pivots.copy_from_slice(&pivots_before);
        outcome
    })
}

/// For a square matrix `p · a̅ = l⁻ᵀ · (below(lᵀ · l̅) + upper(u̅ · uᵀ)) · u⁻ᵀ`. The rows `a₂ = l₂ · u` below a square part have `a̅₂ = l̅₂ · u⁻ᵀ` and
/// `u̅ -= l₂ᵀ · a̅₂`; the columns `a₂ = l · u₂` at its right have `a̅₂ = l⁻ᵀ · u̅₂` and `l̅ -= a̅₂ · u₂ᵀ`.
fn getrf_pullback<T: Number>(
    factors: MatRef<'_, T>,
    pivots: &[usize],
    mut shadow: MatMut<'_, T>,
) -> Outcome {
    let k = pivots.len();
    let (lu, [below, right]) = blocks(factors, k);
    let mut square = shadow.as_mut().submatrix_mut(0, 0, k, k).to_owned();
    if let Some(l) = below {
        let rows = l.nrows();
        let mut da = shadow.as_mut().submatrix_mut(k, 0, rows, k);
        solve(lu, U, da.as_mut().transpose_mut())?;
        let to = (square.as_mut(), half(false));
        add_parts(to, -T::one(), (l.transpose(), ALL), (da.as_ref(), ALL));
    }
    if let Some(u) = right {
        let cols = u.ncols();
        let mut da = shadow.as_mut().submatrix_mut(0, k, k, cols);
        solve(lu.transpose(), LT, da.as_mut())?;
        let to = (square.as_mut(), BELOW);
        add_parts(to, -T::one(), (da.as_ref(), ALL), (u.transpose(), ALL));
    }
    let mut middle = Mat::zeros(k, k);
    let ones = triangle_product(lu.transpose(), LT, only(square.as_ref(), BELOW).as_ref());
    assign(middle.as_mut(), BELOW, ones.as_ref());
    let others = (square.as_ref(), half(false));
    add_parts(
        (middle.as_mut(), half(false)),
        T::one(),
        others,
        (lu.transpose(), half(true)),
    );
    solve(lu.transpose(), LT, middle.as_mut())?;
    solve(lu, U, middle.as_mut().transpose_mut())?;
    assign(
        shadow.as_mut().submatrix_mut(0, 0, k, k),
        ALL,
        middle.as_ref(),
    );
    permute(shadow, pivots, true);
    Ok(())
}

/// The leading square part of a matrix of rank `k`, what is below it, and what is at its right.
fn blocks<T>(a: MatRef<'_, T>, k: usize) -> (MatRef<'_, T>, [Option<MatRef<'_, T>>; 2]) {
    let (rows, cols) = (a.nrows() - k, a.ncols() - k);
    let below = (rows > 0).then(|| a.submatrix(k, 0, rows, k));
    let right = (cols > 0).then(|| a.submatrix(0, k, k, cols));
    (a.submatrix(0, 0, k, k), [below, right])
}

fn getrf_frule<T: Real>(
    m: usize,
    n: usize,
    a: &mut [T],
    lda: usize,
    ipiv: &mut [usize],
    t: &Tangents,
) -> Outcome {
    getrf(m, n, a, lda, ipiv)?;
    let operand = of_getrf(m, n, lda);
    match t.memory::<T>(operand.at)? {
        Some(shadow) => {
            let shadow = operand.write(shadow)?;
            getrf_tangent(operand.read(a)?, &ipiv[..m.min(n)], shadow)
        }
        None => Ok(()),
    }
}

/// For a square matrix, with `x = l⁻¹ · p · ȧ · u⁻¹`: `l̇ = l · below(x)` and `u̇ = upper(x) · u`. Below a square part `l̇₂ = (ȧ₂ - l₂ · u̇) · u⁻¹`, at its
/// right `u̇₂ = l⁻¹ · (ȧ₂ - l̇ · u₂)`.
fn getrf_tangent<T: Real>(
    factors: MatRef<'_, T>,
    pivots: &[usize],
    mut shadow: MatMut<'_, T>,
) -> Outcome {
    let k = pivots.len();
    permute(shadow.as_mut(), pivots, false);
    let (lu, [below, right]) = blocks(factors, k);
    let mut x = shadow.as_mut().submatrix_mut(0, 0, k, k).to_owned();
    solve(lu, L, x.as_mut())?;
    solve(lu.transpose(), UT, x.as_mut().transpose_mut())?;
    let mut square = Mat::zeros(k, k);
    let dl = triangle_product(lu, L, only(x.as_ref(), BELOW).as_ref());
    assign(square.as_mut(), BELOW, dl.as_ref());
    let to = (square.as_mut(), half(false));
    add_parts(to, T::one(), (x.as_ref(), half(false)), (lu, half(false)));
    if let Some(l) = below {
        let mut dl = shadow.as_mut().submatrix_mut(k, 0, l.nrows(), k);
        let du = (square.as_ref(), half(false));
        add_parts((dl.as_mut(), ALL), -T::one(), (l, ALL), du);
        solve(lu.transpose(), UT, dl.transpose_mut())?;
    }
    if let Some(u) = right {
        let mut du = shadow.as_mut().submatrix_mut(0, k, k, u.ncols());
        let dl = (square.as_ref(), BELOW);
        add_parts((du.as_mut(), ALL), -T::one(), dl, (u, ALL));
        solve(lu, L, du)?;
    }
    assign(shadow.submatrix_mut(0, 0, k, k), ALL, square.as_ref());
    Ok(())
}

fn getrf_second<T: Real>(
    m: usize,
    n: usize,
    a: &mut [T],
    lda: usize,
    ipiv: &mut [usize],
    t: &Tangents,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let (operand, k) = (of_getrf(m, n, lda), m.min(n));
    let before: Mat<T> = operand.read(a)?.to_owned();
    let pivots_before = ipiv.to_vec();
    getrf(m, n, a, lda, ipiv)?;
    let mut moved_before = None;
    if let Some(shadow) = second::written(&operand, t.memory::<T>(operand.at)?)? {
        moved_before = Some(shadow.as_ref().to_owned());
        getrf_tangent(operand.read(a)?, &ipiv[..k], shadow)?;
    }
    Ok(move |c: &Cotangents| {
        let mut memory = operand.write(c.memory::<T>(operand.at)?)?;
        let pivots = c.memory::<usize>(4)?;
        let mut moved = second::written(&operand, c.memory_tangent::<T>(operand.at)?)?;
        let outcome = match second::written(&operand, c.of::<T>(operand.at)?)? {
            Some(shadow) => {
                let tangents = moved.as_ref().map(|moved| moved.as_ref());
                let factors = second::lifted_matrix(memory.as_ref(), tangents);
                let tangent = second::written(&operand, c.tangent_of::<T>(operand.at)?)?;
                second::through(shadow, tangent, |shadow| {
                    getrf_pullback(factors.as_ref(), &pivots[..k], shadow)
                })
            }
            None => Ok(()),
        };
        memory.copy_from(&before);
        if let (Some(moved), Some(before)) = (&mut moved, &moved_before) {
            moved.copy_from(before);
        }
        pivots.copy_from_slice(&pivots_before);
        outcome
    })
}

routine! {
    /// `b := op(a)⁻¹ · b` for the factors and pivots of `a` that getrf gives, where `b` is n × nrhs.
    fn getrs(
        trans: bool, n: usize, nrhs: usize, a: &[T], lda: usize, ipiv: &[usize],
        b: &mut [T], ldb: usize,
    );
    Solve { trans, a: At::a.matrix(n, n, lda), b: At::b.matrix(n, nrhs, ldb) },
    (a, ipiv) => b
}

/// A call of getrs.
#[derive(Clone, Copy)]
struct Solve {
    trans: bool,
    a: Operand,
    b: Operand,
}

impl Solve {
    /// The factors, and their pivots.
    fn factors<'a, T: Number>(
        &self,
        (a, ipiv): (&'a [T], &'a [usize]),
    ) -> Result<(MatRef<'a, T>, &'a [usize]), String> {
        Ok((self.a.read(a)?, pivots(ipiv, self.a.rows)?))
    }
}

/// The pivots of a matrix of so many rows.
fn pivots(ipiv: &[usize], n: usize) -> Result<&[usize], String> {
    let Some(pivots) = ipiv.get(..n) else {
        let len = ipiv.len();
        return Err(format!("`ipiv` has {len} elements; expected at least {n}"));
    };
    match pivots.iter().position(|&pivot| pivot >= n) {
        None => Ok(pivots),
        Some(i) => Err(format!(
            "`ipiv[{i}]` is {}; expected a row of {n}, counted from 0",
            pivots[i]
        )),
    }
}

/// From `g = p · a̅`, the cotangent of the matrix that was decomposed, adds to that of its factors: `l̅ += by · below(g · uᵀ)` and
/// `u̅ += by · upper(lᵀ · g)`.
fn add_to_factors<T: Number>(mut d: MatMut<'_, T>, by: T, lu: MatRef<'_, T>, g: MatRef<'_, T>) {
    let g = (g, ALL);
    add_parts((d.as_mut(), BELOW), by, g, (lu.transpose(), half(true)));
    add_parts(
        (d, half(false)),
        by,
        (lu.transpose(), Part::UnitTriangularUpper),
        g,
    );
}

/// The tangent of the matrix that was decomposed, from those of its factors: `ȧ = pᵀ · (l̇ · u + l · u̇)`.
fn tangent_of_product<T: Number>(lu: MatRef<'_, T>, pivots: &[usize], d: MatRef<'_, T>) -> Mat<T> {
    let mut da = part_product(d, BELOW, only(lu, half(false)).as_ref());
    let (l, du) = ((lu, Part::UnitTriangularLower), (d, half(false)));
    add_parts((da.as_mut(), ALL), T::one(), l, du);
    permute(da.as_mut(), pivots, true);
    da
}

/// `b := a⁻¹ · b`, or with the transpose of `a`.
fn apply<T: Number>(
    lu: MatRef<'_, T>,
    pivots: &[usize],
    transpose: bool,
    mut b: MatMut<'_, T>,
) -> Outcome {
    match transpose {
        false => {
            permute(b.as_mut(), pivots, false);
            solve(lu, L, b.as_mut())?;
            solve(lu, U, b)
        }
        true => {
            solve(lu.transpose(), UT, b.as_mut())?;
            solve(lu.transpose(), LT, b.as_mut())?;
            permute(b, pivots, true);
            Ok(())
        }
    }
}

impl<T: Number> Reverse<T> for Solve {
    type Inputs<'a> = (&'a [T], &'a [usize]);

    fn output(&self) -> Operand {
        self.b
    }

    /// `b̅ := op(a)⁻ᵀ · x̅`. With `g = p · a̅`, which is `-p · b̅ · xᵀ`, or `-p · x · b̅ᵀ` for the transpose: `l̅ += below(g · uᵀ)` and
    /// `u̅ += upper(lᵀ · g)`.
    fn pullback(
        &self,
        inputs: Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (lu, pivots) = self.factors(inputs)?;
        apply(lu, pivots, !self.trans, shadow.as_mut())?;
        let Some(d) = self.a.cotangent(c)? else {
            return Ok(());
        };
        let (x, db) = (output.after, shadow.as_ref());
        let mut g = match self.trans {
            false => product(db, x.transpose()),
            true => product(x, db.transpose()),
        };
        permute(g.as_mut(), pivots, false);
        add_to_factors(d, -T::one(), lu, g.as_ref());
        Ok(())
    }
}

impl<T: Real> Routine<T> for Solve {
    fn primal(&self, inputs: Self::Inputs<'_>, b: MatMut<'_, T>) -> Outcome {
        let (lu, pivots) = self.factors(inputs)?;
        apply(lu, pivots, self.trans, b)
    }

    /// `ẋ = op(a)⁻¹ · (ḃ - op(ȧ) · x)` with `ȧ = pᵀ · (l̇ · u + l · u̇)`
    fn tangent(
        &self,
        inputs: Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (lu, pivots) = self.factors(inputs)?;
        if let Some(d) = self.a.tangent::<T>(t)? {
            let da = tangent_of_product(lu, pivots, d);
            let change = product(transposed(da.as_ref(), self.trans), output.after);
            accumulate(shadow.as_mut(), ALL, -T::one(), change.as_ref());
        }
        apply(lu, pivots, self.trans, shadow)
    }
}

routine! {
    /// `a := a⁻¹` for the factors and pivots of `a` that getrf gives, which the inverse overwrites.
    fn getri(n: usize, a: &mut [T], lda: usize, ipiv: &[usize]);
    Invert { a: At::a.matrix(n, n, lda) },
    (ipiv) => a
}

/// A call of getri.
#[derive(Clone, Copy)]
struct Invert {
    a: Operand,
}

impl<T: Number> Reverse<T> for Invert {
    type Inputs<'a> = (&'a [usize],);

    fn output(&self) -> Operand {
        self.a
    }

    /// With `g = p · a̅`, where `a̅ = -xᵀ · x̅ · xᵀ` for the inverse `x`.
    fn pullback(
        &self,
        (ipiv,): Self::Inputs<'_>,
        _: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let x = output.after.transpose();
        let mut g = product(product(x, shadow.as_ref()).as_ref(), x);
        permute(g.as_mut(), pivots(ipiv, self.a.rows)?, false);
        scale(shadow.as_mut(), ALL, T::zero());
        add_to_factors(shadow, -T::one(), output.before, g.as_ref());
        Ok(())
    }
}

impl<T: Real> Routine<T> for Invert {
    fn primal(&self, (ipiv,): Self::Inputs<'_>, a: MatMut<'_, T>) -> Outcome {
        let mut inverse = Mat::identity(a.nrows(), a.ncols());
        let pivots = pivots(ipiv, self.a.rows)?;
        apply(a.as_ref(), pivots, false, inverse.as_mut())?;
        assign(a, ALL, inverse.as_ref());
        Ok(())
    }

    /// `ẋ = -x · ȧ · x`
    fn tangent(
        &self,
        (ipiv,): Self::Inputs<'_>,
        _: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (x, pivots) = (output.after, pivots(ipiv, self.a.rows)?);
        let da = tangent_of_product(output.before, pivots, shadow.as_ref());
        let change = product(product(x, da.as_ref()).as_ref(), x);
        scale(shadow.as_mut(), ALL, T::zero());
        accumulate(shadow, ALL, -T::one(), change.as_ref());
        Ok(())
    }
}

/// Calls on which these rules are tested.
pub(super) fn cases() -> Vec<Case> {
    let int = |i: usize| Value::Int(i as i64);
    let a = || {
        let data = vec![
            0.5, -0.5, 4.0, 0.25, 0.75, 3.0, 1.5, 0.5, -2.0, 0.5, 1.0, 0.125,
        ];
        Value::Array(vec![12], data)
    };
    let pivots = |given: &[u32]| Value::Indices(vec![given.len()], given.to_vec());
    let mut cases = Vec::new();
    for (m, n) in [(3, 3), (4, 2), (2, 3)] {
        let args = [int(m), int(n), a(), int(4), pivots(&[7, 7, 7])];
        cases.push(Case::new("getrf", args));
    }
    cases.push(Case::new(
        "getri",
        [int(3), a(), int(4), pivots(&[2, 1, 2])],
    ));
    for trans in [0, 1] {
        let matrix = [int(trans), int(3), int(2), a(), int(4), pivots(&[2, 1, 2])];
        let args = [&matrix[..], &[Value::array(&[8]), int(4)]].concat();
        cases.push(Case::new("getrs", args));
    }
    cases
}

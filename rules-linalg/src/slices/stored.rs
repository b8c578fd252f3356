//! Matrices of which only a band or a packed triangle is stored, times a vector: gbmv, sbmv and spmv; and spr, which adds to one.
//!
//! A band of `kl` diagonals below and `ku` above the main one is stored as a matrix of kl + ku + 1 rows: element (i, j) at `(ku + i - j, j)`. Of a
//! symmetric matrix the band of one triangle is stored in the same way, with the other width 0. A packed triangle is stored column by column.

use super::kernels::{ALL, accumulate, inner, scale};
use super::operand::{Operand, Scalar, Shadows};
use super::routine::{Contents, Reverse, Routine, routine};
use crate::dense::{Number, Real};
use faer::{Mat, MatMut, MatRef};
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value};
use std::ops::Range;

routine! {
    /// `y := alpha · op(a) · x + beta · y`, where `a` is an m × n matrix with `kl` diagonals below the main one and `ku` above, stored as a band.
    fn gbmv(
        trans: bool, m: usize, n: usize, kl: usize, ku: usize, alpha: T, a: &[T], lda: usize,
        x: &[T], incx: usize, beta: T, y: &mut [T], incy: usize,
    );
    Apply {
        storage: Storage::Band { m, n, kl, ku, trans },
        alpha: At::alpha.scalar(alpha),
        a: At::a.matrix(kl.saturating_add(ku).saturating_add(1), n, lda),
        x: At::x.vector(if trans { m } else { n }, incx),
        beta: At::beta.scalar(beta),
        y: At::y.vector(if trans { n } else { m }, incy),
    },
    (a, x) => y
}

routine! {
    /// `y := alpha · a · x + beta · y`, where `a` is symmetric with `k` diagonals on each side, of which those of one triangle are stored as a band.
    fn sbmv(
        lower: bool, n: usize, k: usize, alpha: T, a: &[T], lda: usize,
        x: &[T], incx: usize, beta: T, y: &mut [T], incy: usize,
    );
    Apply {
        storage: Storage::Symmetric(StoredTriangle { lower, n, band: Some(k) }),
        alpha: At::alpha.scalar(alpha),
        a: At::a.matrix(k.saturating_add(1), n, lda),
        x: At::x.vector(n, incx),
        beta: At::beta.scalar(beta),
        y: At::y.vector(n, incy),
    },
    (a, x) => y
}

routine! {
    /// `y := alpha · a · x + beta · y`, where `a` is symmetric and one triangle of it is packed into n · (n + 1) / 2 elements.
    fn spmv(
        lower: bool, n: usize, alpha: T, ap: &[T],
        x: &[T], incx: usize, beta: T, y: &mut [T], incy: usize,
    );
    Apply {
        storage: Storage::Symmetric(StoredTriangle { lower, n, band: None }),
        alpha: At::alpha.scalar(alpha),
        a: At::ap.vector(StoredTriangle::packed_len(n), 1),
        x: At::x.vector(n, incx),
        beta: At::beta.scalar(beta),
        y: At::y.vector(n, incy),
    },
    (ap, x) => y
}

/// A triangle of an n × n matrix of which a band of `k` diagonals besides the main one is stored, or, packed, all of it.
#[derive(Clone, Copy)]
pub(super) struct StoredTriangle {
    pub lower: bool,
    pub n: usize,
    /// `None` if it is packed.
    pub band: Option<usize>,
}

impl StoredTriangle {
    /// The number of elements of a packed triangle.
    pub fn packed_len(n: usize) -> usize {
        n.saturating_mul(n.saturating_add(1)) / 2
    }

    /// The rows of a column that are stored.
    pub fn rows(self, j: usize) -> Range<usize> {
        let k = self.band.unwrap_or(self.n);
        match self.lower {
            true => j..self.n.min(j.saturating_add(k).saturating_add(1)),
            false => j.saturating_sub(k)..j + 1,
        }
    }

    /// Where an element is stored.
    pub fn place(self, i: usize, j: usize) -> (usize, usize) {
        match (self.band, self.lower) {
            (Some(_), true) => (i - j, j),
            (Some(k), false) => (k + i - j, j),
            (None, true) => (j * (2 * self.n - j + 1) / 2 + i - j, 0),
            (None, false) => (j * (j + 1) / 2 + i, 0),
        }
    }
}

/// Which elements of a matrix are stored, and where.
#[derive(Clone, Copy)]
enum Storage {
    Band {
        m: usize,
        n: usize,
        kl: usize,
        ku: usize,
        trans: bool,
    },
    Symmetric(StoredTriangle),
}

/// An element of the matrix that is applied, which is not zero: its place in what is stored, its row and its column.
type Element = ((usize, usize), usize, usize);

impl Storage {
    /// Visits all elements that may differ from zero. One off the diagonal of a symmetric matrix stands in two places.
    fn each(self, mut visit: impl FnMut(Element)) {
        match self {
            Storage::Band {
                m,
                n,
                kl,
                ku,
                trans,
            } => {
                for j in 0..n {
                    for i in j.saturating_sub(ku)..m.min(j.saturating_add(kl).saturating_add(1)) {
                        let (row, col) = if trans { (j, i) } else { (i, j) };
                        visit(((ku + i - j, j), row, col));
                    }
                }
            }
            Storage::Symmetric(triangle) => {
                for j in 0..triangle.n {
                    for i in triangle.rows(j) {
                        let place = triangle.place(i, j);
                        visit((place, i, j));
                        if i != j {
                            visit((place, j, i));
                        }
                    }
                }
            }
        }
    }
}

/// A call.
#[derive(Clone, Copy)]
struct Apply<T> {
    storage: Storage,
    alpha: Scalar<T>,
    a: Operand,
    x: Operand,
    beta: Scalar<T>,
    y: Operand,
}

impl<T: Number> Apply<T> {
    /// `y := y + alpha · a · x`. A factor of 0 does not read.
    fn add(&self, mut y: MatMut<'_, T>, alpha: T, a: MatRef<'_, T>, x: MatRef<'_, T>) {
        if !alpha.is_zero() {
            self.storage
                .each(|(place, i, j)| y[(i, 0)] += alpha * a[place] * x[(j, 0)]);
        }
    }
}

impl<T: Number> Reverse<T> for Apply<T> {
    type Inputs<'a> = (&'a [T], &'a [T]);

    fn output(&self) -> Operand {
        self.y
    }

    /// As that of a product, with only those cotangents of `a` that are stored.
    fn pullback(
        &self,
        (a, x): Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (a, x, alpha) = (self.a.read(a)?, self.x.read(x)?, self.alpha.value);
        let dy = shadow.as_ref();
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            let mut product = Mat::zeros(dy.nrows(), 1);
            self.add(product.as_mut(), T::one(), a, x);
            *dalpha += inner(dy, ALL, product.as_ref());
        }
        if let Some(mut da) = self.a.cotangent::<T>(c)?
            && !alpha.is_zero()
        {
            self.storage
                .each(|(place, i, j)| da[place] += alpha * dy[(i, 0)] * x[(j, 0)]);
        }
        if let Some(mut dx) = self.x.cotangent::<T>(c)?
            && !alpha.is_zero()
        {
            self.storage
                .each(|(place, i, j)| dx[(j, 0)] += alpha * a[place] * dy[(i, 0)]);
        }
        if let Some(dbeta) = self.beta.cotangent(c)? {
            *dbeta += inner(dy, ALL, output.before);
        }
        scale(shadow, ALL, self.beta.value);
        Ok(())
    }
}

impl<T: Real> Routine<T> for Apply<T> {
    fn primal(&self, (a, x): Self::Inputs<'_>, mut y: MatMut<'_, T>) -> Outcome {
        let (a, x) = (self.a.read(a)?, self.x.read(x)?);
        scale(y.as_mut(), ALL, self.beta.value);
        self.add(y, self.alpha.value, a, x);
        Ok(())
    }

    fn tangent(
        &self,
        (a, x): Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (a, x, alpha) = (self.a.read(a)?, self.x.read(x)?, self.alpha.value);
        scale(shadow.as_mut(), ALL, self.beta.value);
        if let Some(dbeta) = self.beta.tangent(t)? {
            accumulate(shadow.as_mut(), ALL, dbeta, output.before);
        }
        if let Some(dalpha) = self.alpha.tangent(t)? {
            self.add(shadow.as_mut(), dalpha, a, x);
        }
        if let Some(da) = self.a.tangent::<T>(t)? {
            self.add(shadow.as_mut(), alpha, da, x);
        }
        if let Some(dx) = self.x.tangent::<T>(t)? {
            self.add(shadow, alpha, a, dx);
        }
        Ok(())
    }
}

routine! {
    /// `a := alpha · x · xᵀ + a`, where one triangle of the symmetric matrix `a` is packed into n · (n + 1) / 2 elements.
    fn spr(lower: bool, n: usize, alpha: T, x: &[T], incx: usize, ap: &mut [T]);
    Update {
        triangle: StoredTriangle { lower, n, band: None },
        alpha: At::alpha.scalar(alpha),
        x: At::x.vector(n, incx),
        a: At::ap.vector(StoredTriangle::packed_len(n), 1),
    },
    (x) => ap
}

/// A call of spr.
#[derive(Clone, Copy)]
struct Update<T> {
    triangle: StoredTriangle,
    alpha: Scalar<T>,
    x: Operand,
    a: Operand,
}

impl<T: Number> Update<T> {
    /// Visits the stored elements.
    fn each(&self, mut visit: impl FnMut(Element)) {
        for j in 0..self.triangle.n {
            for i in self.triangle.rows(j) {
                visit((self.triangle.place(i, j), i, j));
            }
        }
    }

    /// `a := a + alpha · x · yᵀ` on what is stored. A factor of 0 does not read.
    fn add(&self, mut a: MatMut<'_, T>, alpha: T, x: MatRef<'_, T>, y: MatRef<'_, T>) {
        if !alpha.is_zero() {
            self.each(|(place, i, j)| a[place] += alpha * x[(i, 0)] * y[(j, 0)]);
        }
    }
}

impl<T: Number> Reverse<T> for Update<T> {
    type Inputs<'a> = (&'a [T],);

    fn output(&self) -> Operand {
        self.a
    }

    /// `alpha̅ += Σ a̅ᵢⱼ · xᵢ · xⱼ` and `x̅ += alpha · (a̅ + a̅ᵀ) · x`, where `a̅` is a triangle with its diagonal.
    fn pullback(
        &self,
        (x,): Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        _: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (x, alpha) = (self.x.read(x)?, self.alpha.value);
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            self.each(|(place, i, j)| *dalpha += shadow[place] * x[(i, 0)] * x[(j, 0)]);
        }
        if let Some(mut dx) = self.x.cotangent::<T>(c)?
            && !alpha.is_zero()
        {
            self.each(|(place, i, j)| {
                dx[(i, 0)] += alpha * shadow[place] * x[(j, 0)];
                dx[(j, 0)] += alpha * shadow[place] * x[(i, 0)];
            });
        }
        Ok(())
    }
}

impl<T: Real> Routine<T> for Update<T> {
    fn primal(&self, (x,): Self::Inputs<'_>, a: MatMut<'_, T>) -> Outcome {
        let x = self.x.read(x)?;
        self.add(a, self.alpha.value, x, x);
        Ok(())
    }

    fn tangent(
        &self,
        (x,): Self::Inputs<'_>,
        t: &Tangents<'_>,
        _: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (x, alpha) = (self.x.read(x)?, self.alpha.value);
        if let Some(dalpha) = self.alpha.tangent(t)? {
            self.add(shadow.as_mut(), dalpha, x, x);
        }
        if let Some(dx) = self.x.tangent::<T>(t)? {
            self.add(shadow.as_mut(), alpha, dx, x);
            self.add(shadow, alpha, x, dx);
        }
        Ok(())
    }
}

/// Calls on which these rules are tested.
pub(super) fn cases() -> Vec<Case> {
    let int = |i: usize| Value::Int(i as i64);
    let (alpha, beta) = (|| Value::Float(0.75), || Value::Float(-0.5));
    let (x, y) = (|| Value::array(&[8]), || Value::array(&[13]));
    let vectors = [x(), int(2), beta(), y(), int(3)];
    let mut cases = Vec::new();
    for flag in [0, 1] {
        let band = [int(flag), int(4), int(3), int(1), int(2), alpha()];
        cases.push(Case::new(
            "gbmv",
            [&band[..], &matrix_of(15), &vectors].concat(),
        ));
        let band = [int(flag), int(4), int(2), alpha()];
        cases.push(Case::new(
            "sbmv",
            [&band[..], &matrix_of(20), &vectors].concat(),
        ));
        let packed = [int(flag), int(4), alpha(), Value::array(&[10])];
        cases.push(Case::new("spmv", [&packed[..], &vectors].concat()));
        let spr = [int(flag), int(4), alpha(), x(), int(2), Value::array(&[10])];
        cases.push(Case::new("spr", spr));
    }
    cases
}

/// A matrix in so many elements, with the leading dimension 5.
fn matrix_of(len: usize) -> [Value; 2] {
    [Value::array(&[len]), Value::Int(5)]
}

//! Triangular matrices of which a band is stored, or which are packed: products tbmv and tpmv, solutions tbsv and tpsv.

use super::kernels::{ALL, accumulate, assign};
use super::operand::{Operand, Shadows};
use super::routine::{Contents, Reverse, Routine, routine};
use super::stored::StoredTriangle;
use crate::dense::{Number, Real};
use faer::{Mat, MatMut, MatRef};
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value};

routine! {
    /// `x := op(a) · x`, where `a` is a triangular matrix with `k` diagonals besides the main one, stored as a band.
    fn tbmv(
        lower: bool, trans: bool, unit: bool, n: usize, k: usize,
        a: &[T], lda: usize, x: &mut [T], incx: usize,
    );
    Triangular {
        solves: false,
        triangle: StoredTriangle { lower, n, band: Some(k) },
        trans,
        unit,
        a: At::a.matrix(k.saturating_add(1), n, lda),
        x: At::x.vector(n, incx),
    },
    (a) => x
}

routine! {
    /// `x := op(a)⁻¹ · x`, where `a` is a triangular matrix with `k` diagonals besides the main one, stored as a band. A zero on its diagonal is
    /// an error.
    fn tbsv(
        lower: bool, trans: bool, unit: bool, n: usize, k: usize,
        a: &[T], lda: usize, x: &mut [T], incx: usize,
    );
    Triangular {
        solves: true,
        triangle: StoredTriangle { lower, n, band: Some(k) },
        trans,
        unit,
        a: At::a.matrix(k.saturating_add(1), n, lda),
        x: At::x.vector(n, incx),
    },
    (a) => x
}

routine! {
    /// `x := op(a) · x`, where the triangular matrix `a` is packed into n · (n + 1) / 2 elements.
    fn tpmv(lower: bool, trans: bool, unit: bool, n: usize, ap: &[T], x: &mut [T], incx: usize);
    Triangular {
        solves: false,
        triangle: StoredTriangle { lower, n, band: None },
        trans,
        unit,
        a: At::ap.vector(StoredTriangle::packed_len(n), 1),
        x: At::x.vector(n, incx),
    },
    (ap) => x
}

routine! {
    /// `x := op(a)⁻¹ · x`, where the triangular matrix `a` is packed into n · (n + 1) / 2 elements. A zero on its diagonal is an error.
    fn tpsv(lower: bool, trans: bool, unit: bool, n: usize, ap: &[T], x: &mut [T], incx: usize);
    Triangular {
        solves: true,
        triangle: StoredTriangle { lower, n, band: None },
        trans,
        unit,
        a: At::ap.vector(StoredTriangle::packed_len(n), 1),
        x: At::x.vector(n, incx),
    },
    (ap) => x
}

/// A call.
#[derive(Clone, Copy)]
struct Triangular {
    solves: bool,
    triangle: StoredTriangle,
    trans: bool,
    unit: bool,
    a: Operand,
    x: Operand,
}

impl Triangular {
    /// Visits the elements that are read: place, row and column in `op(a)`.
    fn each(&self, mut visit: impl FnMut((usize, usize), usize, usize)) {
        for j in 0..self.triangle.n {
            for i in self.triangle.rows(j) {
                if !(self.unit && i == j) {
                    let (row, col) = if self.trans { (j, i) } else { (i, j) };
                    visit(self.triangle.place(i, j), row, col);
                }
            }
        }
    }

    /// `op(a) · x`, without a diagonal that is taken to be 1.
    fn read_product<T: Number>(&self, a: MatRef<'_, T>, x: MatRef<'_, T>) -> Mat<T> {
        let mut y = Mat::zeros(self.triangle.n, 1);
        self.each(|place, i, j| y[(i, 0)] += a[place] * x[(j, 0)]);
        y
    }

    /// `x := op · x`, where op is what the routine applies, or its transpose.
    fn apply<T: Number>(&self, a: MatRef<'_, T>, transpose: bool, mut x: MatMut<'_, T>) -> Outcome {
        let applied = Triangular {
            trans: self.trans != transpose,
            ..*self
        };
        if self.solves {
            return applied.solve(a, x);
        }
        let mut y = applied.read_product(a, x.as_ref());
        if self.unit {
            accumulate(y.as_mut(), ALL, num_traits::One::one(), x.as_ref());
        }
        assign(x.as_mut(), ALL, y.as_ref());
        Ok(())
    }

    /// `x := op(a)⁻¹ · x`, column by column of `a`.
    fn solve<T: Number>(&self, a: MatRef<'_, T>, mut x: MatMut<'_, T>) -> Outcome {
        let (triangle, n) = (self.triangle, self.triangle.n);
        let diagonal = |j: usize| a[triangle.place(j, j)];
        if !self.unit
            && let Some(j) = (0..n).find(|&j| diagonal(j).is_zero())
        {
            return Err(format!(
                "the matrix is singular: element ({j}, {j}) of the triangle is 0"
            ));
        }
        for step in 0..n {
            // What a column needs is known: a lower triangle is solved from the start, its transpose from the end.
            let j = match triangle.lower != self.trans {
                true => step,
                false => n - 1 - step,
            };
            let others = triangle.rows(j).filter(|&i| i != j);
            if self.trans {
                for i in others.clone() {
                    let known = a[triangle.place(i, j)] * x[(i, 0)];
                    x[(j, 0)] -= known;
                }
            }
            if !self.unit {
                x[(j, 0)] /= diagonal(j);
            }
            if !self.trans {
                for i in others {
                    let known = a[triangle.place(i, j)] * x[(j, 0)];
                    x[(i, 0)] -= known;
                }
            }
        }
        Ok(())
    }
}

impl<T: Number> Reverse<T> for Triangular {
    type Inputs<'a> = (&'a [T],);

    fn output(&self) -> Operand {
        self.x
    }

    /// With `v = opᵀ · x̅`: `x̅ := v`. A product has `op̅ = x̅ · xᵀ`; a solution `x` has `op̅ = -v · xᵀ`.
    fn pullback(
        &self,
        (a,): Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let a = self.a.read(a)?;
        let seed = shadow.as_ref().to_owned();
        self.apply(a, true, shadow.as_mut())?;
        if let Some(mut da) = self.a.cotangent::<T>(c)? {
            match self.solves {
                true => {
                    let (v, x) = (shadow.as_ref(), output.after);
                    self.each(|place, i, j| da[place] -= v[(i, 0)] * x[(j, 0)]);
                }
                false => {
                    let x = output.before;
                    self.each(|place, i, j| da[place] += seed[(i, 0)] * x[(j, 0)]);
                }
            }
        }
        Ok(())
    }
}

impl<T: Real> Routine<T> for Triangular {
    fn primal(&self, (a,): Self::Inputs<'_>, x: MatMut<'_, T>) -> Outcome {
        self.apply(self.a.read(a)?, false, x)
    }

    /// A product has `ẋ := op · ẋ + ȯp · x`, a solution `x` has `ẋ := op · (ẋ - ȧ · x)`.
    fn tangent(
        &self,
        (a,): Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let a = self.a.read(a)?;
        let da = self.a.tangent::<T>(t)?;
        if self.solves {
            if let Some(da) = da {
                let change = self.read_product(da, output.after);
                accumulate(shadow.as_mut(), ALL, -T::one(), change.as_ref());
            }
            return self.apply(a, false, shadow);
        }
        self.apply(a, false, shadow.as_mut())?;
        if let Some(da) = da {
            let change = self.read_product(da, output.before);
            accumulate(shadow, ALL, T::one(), change.as_ref());
        }
        Ok(())
    }
}

/// Calls on which these rules are tested.
pub(super) fn cases() -> Vec<Case> {
    let int = |i: usize| Value::Int(i as i64);
    // No element is near 0: each stands on the diagonal of one of the triangles.
    let a = |len: usize| {
        let sign = |i: usize| if i % 3 == 1 { -1.0 } else { 1.0 };
        let data = (0..len).map(|i| sign(i) * (1.0 + 0.25 * (i % 7) as f64));
        Value::Array(vec![len], data.collect())
    };
    let x = || [Value::array(&[7]), int(2)];
    let mut cases = Vec::new();
    for bits in 0..8 {
        let flags = [0, 1, 2].map(|i| int(bits >> i & 1));
        for name in ["tbmv", "tbsv"] {
            let band = [int(4), int(2), a(16), int(4)];
            cases.push(Case::new(name, [&flags[..], &band, &x()].concat()));
        }
        for name in ["tpmv", "tpsv"] {
            let packed = [int(4), a(10)];
            cases.push(Case::new(name, [&flags[..], &packed, &x()].concat()));
        }
    }
    cases
}

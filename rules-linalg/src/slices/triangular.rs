//! Triangular matrices: products trmm and trmv, solutions trsm, trsv and LAPACK's trtrs.

use super::kernels::{
    ALL, accumulate, add_parts, assign, inner, part_product, scale, solve, stored, triangle_product,
};
use super::operand::{Operand, Scalar, Shadows, transposed, transposed_mut};
use super::routine::{Contents, Reverse, Routine, routine};
use crate::dense::{Number, Real, Triangle};
use faer::{MatMut, MatRef};
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value};

routine! {
    /// `b := alpha · op(a) · b`, or with `left = false` `b := alpha · b · op(a)`, where `a` is a triangular matrix and `b` is m × n.
    fn trmm(
        left: bool, lower: bool, trans: bool, unit: bool, m: usize, n: usize,
        alpha: T, a: &[T], lda: usize, b: &mut [T], ldb: usize,
    );
    Triangular {
        solves: false,
        left,
        triangle: Triangle { lower, unit },
        trans,
        alpha: At::alpha.scalar(alpha),
        a: if left { At::a.matrix(m, m, lda) } else { At::a.matrix(n, n, lda) },
        b: At::b.matrix(m, n, ldb),
    },
    (a) => b
}

routine! {
    /// `x := op(a) · x`, where `a` is a triangular matrix.
    fn trmv(
        lower: bool, trans: bool, unit: bool, n: usize,
        a: &[T], lda: usize, x: &mut [T], incx: usize,
    );
    Triangular {
        solves: false,
        left: true,
        triangle: Triangle { lower, unit },
        trans,
        alpha: Scalar::one(),
        a: At::a.matrix(n, n, lda),
        b: At::x.vector(n, incx),
    },
    (a) => x
}

routine! {
    /// `b := alpha · op(a)⁻¹ · b`, or with `left = false` `b := alpha · b · op(a)⁻¹`, where `a` is a triangular matrix and `b` is m × n. A zero
    /// on the diagonal of `a` is an error.
    fn trsm(
        left: bool, lower: bool, trans: bool, unit: bool, m: usize, n: usize,
        alpha: T, a: &[T], lda: usize, b: &mut [T], ldb: usize,
    );
    Triangular {
        solves: true,
        left,
        triangle: Triangle { lower, unit },
        trans,
        alpha: At::alpha.scalar(alpha),
        a: if left { At::a.matrix(m, m, lda) } else { At::a.matrix(n, n, lda) },
        b: At::b.matrix(m, n, ldb),
    },
    (a) => b
}

routine! {
    /// `x := op(a)⁻¹ · x`, where `a` is a triangular matrix. A zero on its diagonal is an error.
    fn trsv(
        lower: bool, trans: bool, unit: bool, n: usize,
        a: &[T], lda: usize, x: &mut [T], incx: usize,
    );
    Triangular {
        solves: true,
        left: true,
        triangle: Triangle { lower, unit },
        trans,
        alpha: Scalar::one(),
        a: At::a.matrix(n, n, lda),
        b: At::x.vector(n, incx),
    },
    (a) => x
}

routine! {
    /// `b := op(a)⁻¹ · b`, where `a` is a triangular matrix and `b` is n × nrhs. A zero on the diagonal of `a` is an error.
    fn trtrs(
        lower: bool, trans: bool, unit: bool, n: usize, nrhs: usize,
        a: &[T], lda: usize, b: &mut [T], ldb: usize,
    );
    Triangular {
        solves: true,
        left: true,
        triangle: Triangle { lower, unit },
        trans,
        alpha: Scalar::one(),
        a: At::a.matrix(n, n, lda),
        b: At::b.matrix(n, nrhs, ldb),
    },
    (a) => b
}

/// A call. With the matrix on the right it is a call with the transposes of `op(a)` and `b`.
#[derive(Clone, Copy)]
struct Triangular<T> {
    solves: bool,
    left: bool,
    triangle: Triangle,
    trans: bool,
    alpha: Scalar<T>,
    a: Operand,
    b: Operand,
}

impl<T: Number> Triangular<T> {
    /// Whether the matrix that stands on the left of `b`, or of its transpose, is the transpose of `a`.
    fn is_transposed(&self) -> bool {
        self.trans == self.left
    }

    /// The matrix or its transpose, and its triangle.
    fn matrix<'a>(&self, a: &'a [T], transpose: bool) -> Result<(MatRef<'a, T>, Triangle), String> {
        let a = transposed(self.a.read(a)?, transpose);
        let lower = self.triangle.lower != transpose;
        Ok((
            a,
            Triangle {
                lower,
                ..self.triangle
            },
        ))
    }

    /// `b := op · b`, where op is what the routine applies, or its transpose.
    fn apply(&self, a: &[T], transpose: bool, mut b: MatMut<'_, T>) -> Outcome {
        let (a, triangle) = self.matrix(a, self.is_transposed() != transpose)?;
        match self.solves {
            true => solve(a, triangle, b),
            false => {
                let product = triangle_product(a, triangle, b.as_ref());
                assign(b.as_mut(), ALL, product.as_ref());
                Ok(())
            }
        }
    }
}

impl<T: Number> Reverse<T> for Triangular<T> {
    type Inputs<'a> = (&'a [T],);

    fn output(&self) -> Operand {
        self.b
    }

    /// With `v = opᵀ · b̅`: `alpha̅ += ⟨v, b⟩` and `b̅ := alpha · v`. A product has `op̅ = alpha · b̅ · bᵀ`; a solution `x` has
    /// `op̅ = -v · xᵀ`.
    fn pullback(
        &self,
        (a,): Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let turned = !self.left;
        let (before, after) = (
            transposed(output.before, turned),
            transposed(output.after, turned),
        );
        let mut v = transposed_mut(shadow, turned);
        let seed = v.as_ref().to_owned();
        self.apply(a, true, v.as_mut())?;
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            *dalpha += inner(v.as_ref(), ALL, before);
        }
        if let Some(da) = self.a.cotangent(c)? {
            let (left, by, right) = match self.solves {
                true => (v.as_ref(), -T::one(), after),
                false => (seed.as_ref(), self.alpha.value, before),
            };
            let (left, right) = match self.is_transposed() {
                true => (right, left),
                false => (left, right),
            };
            let (left, right) = ((left, ALL), (right.transpose(), ALL));
            add_parts((da, stored(self.triangle)), by, left, right);
        }
        scale(v, ALL, self.alpha.value);
        Ok(())
    }
}

impl<T: Real> Routine<T> for Triangular<T> {
    fn primal(&self, (a,): Self::Inputs<'_>, mut b: MatMut<'_, T>) -> Outcome {
        self.a.read(a)?;
        scale(b.as_mut(), ALL, self.alpha.value);
        match self.alpha.value.is_zero() {
            true => Ok(()),
            false => self.apply(a, false, transposed_mut(b, !self.left)),
        }
    }

    /// A product has `ḃ := op · (alpha · ḃ + alphȧ · b) + alpha · ȯp · b`, a solution `x` has `ẋ := op · (alpha · ḃ + alphȧ · b - ȧ · x)`.
    fn tangent(
        &self,
        (a,): Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let turned = !self.left;
        let (before, after) = (
            transposed(output.before, turned),
            transposed(output.after, turned),
        );
        scale(shadow.as_mut(), ALL, self.alpha.value);
        let mut shadow = transposed_mut(shadow, turned);
        if let Some(dalpha) = self.alpha.tangent(t)? {
            accumulate(shadow.as_mut(), ALL, dalpha, before);
        }
        let of_a = match self.a.tangent::<T>(t)? {
            None => None,
            Some(da) => {
                let transpose = self.is_transposed();
                let lower = self.triangle.lower != transpose;
                let part = stored(Triangle {
                    lower,
                    ..self.triangle
                });
                let by = if self.solves { after } else { before };
                Some(part_product(transposed(da, transpose), part, by))
            }
        };
        match (of_a, self.solves) {
            (None, _) => self.apply(a, false, shadow),
            (Some(change), true) => {
                accumulate(shadow.as_mut(), ALL, -T::one(), change.as_ref());
                self.apply(a, false, shadow)
            }
            (Some(change), false) => {
                self.apply(a, false, shadow.as_mut())?;
                accumulate(shadow, ALL, self.alpha.value, change.as_ref());
                Ok(())
            }
        }
    }
}

/// Calls on which these rules are tested.
pub(super) fn cases() -> Vec<Case> {
    let int = |i: usize| Value::Int(i as i64);
    let a = || {
        let data = vec![
            2.5, -0.5, 0.25, 0.0, 0.75, -3.0, 1.5, 0.0, -0.25, 0.5, 2.0, 0.0,
        ];
        Value::Array(vec![12], data)
    };
    let mut cases = Vec::new();
    for bits in 0..16 {
        let [left, lower, trans, unit] = [0, 1, 2, 3].map(|i| int(bits >> i & 1));
        let vector = [lower.clone(), trans.clone(), unit.clone(), int(3)];
        let flags = [left, lower, trans, unit, int(3), int(2), Value::Float(0.75)];
        for name in ["trmm", "trsm"] {
            let matrices = [a(), int(4), Value::array(&[8]), int(4)];
            cases.push(Case::new(name, [&flags[..], &matrices].concat()));
        }
        if bits & 1 == 1 {
            continue;
        }
        for name in ["trmv", "trsv"] {
            let operands = [a(), int(4), Value::array(&[6]), int(2)];
            cases.push(Case::new(name, [&vector[..], &operands].concat()));
        }
        let operands = [int(2), a(), int(4), Value::array(&[8]), int(4)];
        cases.push(Case::new("trtrs", [&vector[..], &operands].concat()));
    }
    cases
}

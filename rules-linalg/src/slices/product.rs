//! `c := alpha · op(a) · op(b) + beta · c`: gemm, gemv and ger, where op may transpose.

use super::kernels::{ALL, accumulate, add_product, inner, product, scale};
use super::operand::{Operand, Scalar, Shadows, transposed, transposed_mut};
use super::routine::{Contents, Reverse, Routine, routine};
use crate::dense::{Number, Real};
use faer::{MatMut, MatRef};
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value};

routine! {
    /// `c := alpha · op(a) · op(b) + beta · c`, where `c` is m × n, `op(a)` is m × k and `op(b)` is k × n.
    fn gemm(
        transa: bool, transb: bool, m: usize, n: usize, k: usize,
        alpha: T, a: &[T], lda: usize, b: &[T], ldb: usize, beta: T, c: &mut [T], ldc: usize,
    );
    Product {
        alpha: At::alpha.scalar(alpha),
        a: if transa { At::a.matrix(k, m, lda) } else { At::a.matrix(m, k, lda) },
        transa,
        b: if transb { At::b.matrix(n, k, ldb) } else { At::b.matrix(k, n, ldb) },
        transb,
        beta: At::beta.scalar(beta),
        c: At::c.matrix(m, n, ldc),
    },
    (a, b) => c
}

routine! {
    /// `y := alpha · op(a) · x + beta · y`, where `a` is m × n.
    fn gemv(
        trans: bool, m: usize, n: usize, alpha: T, a: &[T], lda: usize,
        x: &[T], incx: usize, beta: T, y: &mut [T], incy: usize,
    );
    Product {
        alpha: At::alpha.scalar(alpha),
        a: At::a.matrix(m, n, lda),
        transa: trans,
        b: At::x.vector(if trans { m } else { n }, incx),
        transb: false,
        beta: At::beta.scalar(beta),
        c: At::y.vector(if trans { n } else { m }, incy),
    },
    (a, x) => y
}

routine! {
    /// `a := alpha · x · yᵀ + a`, where `a` is m × n.
    fn ger(
        m: usize, n: usize, alpha: T, x: &[T], incx: usize,
        y: &[T], incy: usize, a: &mut [T], lda: usize,
    );
    Product {
        alpha: At::alpha.scalar(alpha),
        a: At::x.vector(m, incx),
        transa: false,
        b: At::y.vector(n, incy),
        transb: true,
        beta: Scalar::one(),
        c: At::a.matrix(m, n, lda),
    },
    (x, y) => a
}

/// A call.
#[derive(Clone, Copy)]
struct Product<T> {
    alpha: Scalar<T>,
    a: Operand,
    transa: bool,
    b: Operand,
    transb: bool,
    beta: Scalar<T>,
    c: Operand,
}

impl<T: Number> Product<T> {
    /// `op(a)` and `op(b)`
    fn factors<'a>(
        &self,
        (a, b): (&'a [T], &'a [T]),
    ) -> Result<(MatRef<'a, T>, MatRef<'a, T>), String> {
        let (a, b) = (self.a.read(a)?, self.b.read(b)?);
        Ok((transposed(a, self.transa), transposed(b, self.transb)))
    }
}

impl<T: Number> Reverse<T> for Product<T> {
    type Inputs<'a> = (&'a [T], &'a [T]);

    fn output(&self) -> Operand {
        self.c
    }

    /// `a̅ += alpha · c̅ · bᵀ`, `b̅ += alpha · aᵀ · c̅`, `alpha̅ += ⟨c̅, a · b⟩`, `beta̅ += ⟨c̅, c⟩`, `c̅ := beta · c̅`
    fn pullback(
        &self,
        inputs: Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (a, b) = self.factors(inputs)?;
        let (alpha, dc) = (self.alpha.value, shadow.as_ref());
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            *dalpha += inner(dc, ALL, product(a, b).as_ref());
        }
        if let Some(da) = self.a.cotangent(c)? {
            add_product(transposed_mut(da, self.transa), alpha, dc, b.transpose());
        }
        if let Some(db) = self.b.cotangent(c)? {
            add_product(transposed_mut(db, self.transb), alpha, a.transpose(), dc);
        }
        if let Some(dbeta) = self.beta.cotangent(c)? {
            *dbeta += inner(dc, ALL, output.before);
        }
        scale(shadow, ALL, self.beta.value);
        Ok(())
    }
}

impl<T: Real> Routine<T> for Product<T> {
    fn primal(&self, inputs: Self::Inputs<'_>, mut c: MatMut<'_, T>) -> Outcome {
        let (a, b) = self.factors(inputs)?;
        scale(c.as_mut(), ALL, self.beta.value);
        add_product(c, self.alpha.value, a, b);
        Ok(())
    }

    /// `ċ := beta · ċ + betȧ · c + alphȧ · a · b + alpha · (ȧ · b + a · ḃ)`
    fn tangent(
        &self,
        inputs: Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (a, b) = self.factors(inputs)?;
        let alpha = self.alpha.value;
        scale(shadow.as_mut(), ALL, self.beta.value);
        if let Some(dbeta) = self.beta.tangent(t)? {
            accumulate(shadow.as_mut(), ALL, dbeta, output.before);
        }
        if let Some(dalpha) = self.alpha.tangent(t)? {
            add_product(shadow.as_mut(), dalpha, a, b);
        }
        if let Some(da) = self.a.tangent(t)? {
            add_product(shadow.as_mut(), alpha, transposed(da, self.transa), b);
        }
        if let Some(db) = self.b.tangent(t)? {
            add_product(shadow, alpha, a, transposed(db, self.transb));
        }
        Ok(())
    }
}

/// Calls on which these rules are tested.
pub(super) fn cases() -> Vec<Case> {
    let int = |i: usize| Value::Int(i as i64);
    let (alpha, beta) = (|| Value::Float(0.75), || Value::Float(-0.5));
    let (x, y) = (|| Value::array(&[10]), || Value::array(&[11]));
    let mut cases = Vec::new();
    for bits in 0..4 {
        let sizes = [bits & 1, bits >> 1, 3, 2, 4].map(int);
        let inputs = [
            alpha(),
            Value::array(&[20]),
            int(5),
            Value::array(&[19]),
            int(4),
        ];
        let output = [beta(), Value::array(&[8]), int(4)];
        cases.push(Case::new("gemm", [&sizes[..], &inputs, &output].concat()));
    }
    for trans in [0, 1] {
        let matrix = [
            int(trans),
            int(3),
            int(2),
            alpha(),
            Value::array(&[8]),
            int(4),
        ];
        let vectors = [x(), int(2), beta(), y(), int(3)];
        cases.push(Case::new("gemv", [&matrix[..], &vectors].concat()));
    }
    let vectors = [int(3), int(2), alpha(), x(), int(2), y(), int(3)];
    cases.push(Case::new(
        "ger",
        [&vectors[..], &[Value::array(&[8]), int(4)]].concat(),
    ));
    cases
}

//! Symmetric matrices, of which one triangle is stored: symm, symv, syrk and syr2k.

use super::kernels::{
    ALL, Part, accumulate, accumulate_folded, add_parts, add_product, half, inner, product, scale,
    symmetric,
};
use super::operand::{Operand, Scalar, Shadows, transposed, transposed_mut};
use super::routine::{Contents, Reverse, Routine, routine};
use crate::dense::{Number, Real};
use faer::{Mat, MatMut, MatRef};
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value};

routine! {
    /// `c := alpha · a · b + beta · c`, or with `left = false` `c := alpha · b · a + beta · c`, where `a` is symmetric and `b` and `c` are m × n.
    fn symm(
        left: bool, lower: bool, m: usize, n: usize,
        alpha: T, a: &[T], lda: usize, b: &[T], ldb: usize, beta: T, c: &mut [T], ldc: usize,
    );
    Symmetric {
        left,
        lower,
        alpha: At::alpha.scalar(alpha),
        a: if left { At::a.matrix(m, m, lda) } else { At::a.matrix(n, n, lda) },
        b: At::b.matrix(m, n, ldb),
        beta: At::beta.scalar(beta),
        c: At::c.matrix(m, n, ldc),
    },
    (a, b) => c
}

routine! {
    /// `y := alpha · a · x + beta · y`, where `a` is symmetric.
    fn symv(
        lower: bool, n: usize, alpha: T, a: &[T], lda: usize,
        x: &[T], incx: usize, beta: T, y: &mut [T], incy: usize,
    );
    Symmetric {
        left: true,
        lower,
        alpha: At::alpha.scalar(alpha),
        a: At::a.matrix(n, n, lda),
        b: At::x.vector(n, incx),
        beta: At::beta.scalar(beta),
        c: At::y.vector(n, incy),
    },
    (a, x) => y
}

/// A call of symm or symv. With the matrix on the right it is a call with the transposes of `b` and `c`.
#[derive(Clone, Copy)]
struct Symmetric<T> {
    left: bool,
    lower: bool,
    alpha: Scalar<T>,
    a: Operand,
    b: Operand,
    beta: Scalar<T>,
    c: Operand,
}

impl<T: Number> Symmetric<T> {
    /// The whole of `a`, and `b`.
    fn factors<'a>(&self, (a, b): (&'a [T], &'a [T])) -> Result<(Mat<T>, MatRef<'a, T>), String> {
        let (a, b) = (self.a.read(a)?, self.b.read(b)?);
        Ok((symmetric(a, self.lower), transposed(b, !self.left)))
    }
}

impl<T: Number> Reverse<T> for Symmetric<T> {
    type Inputs<'a> = (&'a [T], &'a [T]);

    fn output(&self) -> Operand {
        self.c
    }

    /// As that of a product, but an element of the triangle stands for two of the matrix.
    fn pullback(
        &self,
        inputs: Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (a, b) = self.factors(inputs)?;
        let (alpha, dc) = (self.alpha.value, transposed(shadow.as_ref(), !self.left));
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            *dalpha += inner(dc, ALL, product(a.as_ref(), b).as_ref());
        }
        if let Some(da) = self.a.cotangent(c)? {
            let whole = product(dc, b.transpose());
            accumulate_folded(da, self.lower, alpha, whole.as_ref());
        }
        if let Some(db) = self.b.cotangent(c)? {
            add_product(transposed_mut(db, !self.left), alpha, a.as_ref(), dc);
        }
        if let Some(dbeta) = self.beta.cotangent(c)? {
            *dbeta += inner(shadow.as_ref(), ALL, output.before);
        }
        scale(shadow, ALL, self.beta.value);
        Ok(())
    }
}

impl<T: Real> Routine<T> for Symmetric<T> {
    fn primal(&self, inputs: Self::Inputs<'_>, mut c: MatMut<'_, T>) -> Outcome {
        let (a, b) = self.factors(inputs)?;
        scale(c.as_mut(), ALL, self.beta.value);
        add_product(
            transposed_mut(c, !self.left),
            self.alpha.value,
            a.as_ref(),
            b,
        );
        Ok(())
    }

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
        let mut shadow = transposed_mut(shadow, !self.left);
        if let Some(dalpha) = self.alpha.tangent(t)? {
            add_product(shadow.as_mut(), dalpha, a.as_ref(), b);
        }
        if let Some(da) = self.a.tangent(t)? {
            let da = symmetric(da, self.lower);
            add_product(shadow.as_mut(), alpha, da.as_ref(), b);
        }
        if let Some(db) = self.b.tangent(t)? {
            add_product(shadow, alpha, a.as_ref(), transposed(db, !self.left));
        }
        Ok(())
    }
}

/// `t + tᵀ`, for a triangle `t` of a matrix.
fn with_transpose<T: Number>(a: MatRef<'_, T>, lower: bool) -> Mat<T> {
    let mut both = symmetric(a, lower);
    for i in 0..both.nrows() {
        both[(i, i)] += a[(i, i)];
    }
    both
}

routine! {
    /// `c := alpha · op(a) · op(a)ᵀ + beta · c` on a triangle of `c`, where `c` is n × n and `op(a)` is n × k.
    fn syrk(
        lower: bool, trans: bool, n: usize, k: usize,
        alpha: T, a: &[T], lda: usize, beta: T, c: &mut [T], ldc: usize,
    );
    Update {
        lower,
        trans,
        alpha: At::alpha.scalar(alpha),
        a: if trans { At::a.matrix(k, n, lda) } else { At::a.matrix(n, k, lda) },
        beta: At::beta.scalar(beta),
        c: At::c.matrix(n, n, ldc),
    },
    (a) => c
}

/// A call of syrk.
#[derive(Clone, Copy)]
struct Update<T> {
    lower: bool,
    trans: bool,
    alpha: Scalar<T>,
    a: Operand,
    beta: Scalar<T>,
    c: Operand,
}

impl<T: Number> Update<T> {
    /// `op(a)`
    fn factor<'a>(&self, (a,): (&'a [T],)) -> Result<MatRef<'a, T>, String> {
        Ok(transposed(self.a.read(a)?, self.trans))
    }

    /// Adds `alpha · a · bᵀ` to the triangle of `c`.
    fn add(&self, c: MatMut<'_, T>, alpha: T, a: MatRef<'_, T>, b: MatRef<'_, T>) {
        add_parts((c, half(self.lower)), alpha, (a, ALL), (b.transpose(), ALL));
    }

    fn part(&self) -> Part {
        half(self.lower)
    }
}

impl<T: Number> Reverse<T> for Update<T> {
    type Inputs<'a> = (&'a [T],);

    fn output(&self) -> Operand {
        self.c
    }

    /// `a̅ += alpha · (c̅ + c̅ᵀ) · a`, where `c̅` is a triangle with its diagonal.
    fn pullback(
        &self,
        inputs: Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (a, dc) = (self.factor(inputs)?, shadow.as_ref());
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            *dalpha += inner(dc, self.part(), product(a, a.transpose()).as_ref());
        }
        if let Some(da) = self.a.cotangent(c)? {
            let both = with_transpose(dc, self.lower);
            add_product(
                transposed_mut(da, self.trans),
                self.alpha.value,
                both.as_ref(),
                a,
            );
        }
        if let Some(dbeta) = self.beta.cotangent(c)? {
            *dbeta += inner(dc, self.part(), output.before);
        }
        scale(shadow, self.part(), self.beta.value);
        Ok(())
    }
}

impl<T: Real> Routine<T> for Update<T> {
    fn primal(&self, inputs: Self::Inputs<'_>, mut c: MatMut<'_, T>) -> Outcome {
        let a = self.factor(inputs)?;
        scale(c.as_mut(), self.part(), self.beta.value);
        self.add(c, self.alpha.value, a, a);
        Ok(())
    }

    fn tangent(
        &self,
        inputs: Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (a, alpha) = (self.factor(inputs)?, self.alpha.value);
        scale(shadow.as_mut(), self.part(), self.beta.value);
        if let Some(dbeta) = self.beta.tangent(t)? {
            accumulate(shadow.as_mut(), self.part(), dbeta, output.before);
        }
        if let Some(dalpha) = self.alpha.tangent(t)? {
            self.add(shadow.as_mut(), dalpha, a, a);
        }
        if let Some(da) = self.a.tangent(t)? {
            let da = transposed(da, self.trans);
            self.add(shadow.as_mut(), alpha, da, a);
            self.add(shadow, alpha, a, da);
        }
        Ok(())
    }
}

routine! {
    /// `c := alpha · (op(a) · op(b)ᵀ + op(b) · op(a)ᵀ) + beta · c` on a triangle of `c`, where `c` is n × n, and `op(a)` and `op(b)` are n × k.
    fn syr2k(
        lower: bool, trans: bool, n: usize, k: usize,
        alpha: T, a: &[T], lda: usize, b: &[T], ldb: usize, beta: T, c: &mut [T], ldc: usize,
    );
    Update2 {
        lower,
        trans,
        alpha: At::alpha.scalar(alpha),
        a: if trans { At::a.matrix(k, n, lda) } else { At::a.matrix(n, k, lda) },
        b: if trans { At::b.matrix(k, n, ldb) } else { At::b.matrix(n, k, ldb) },
        beta: At::beta.scalar(beta),
        c: At::c.matrix(n, n, ldc),
    },
    (a, b) => c
}

/// A call of syr2k.
#[derive(Clone, Copy)]
struct Update2<T> {
    lower: bool,
    trans: bool,
    alpha: Scalar<T>,
    a: Operand,
    b: Operand,
    beta: Scalar<T>,
    c: Operand,
}

impl<T: Number> Update2<T> {
    /// `op(a)` and `op(b)`
    fn factors<'a>(
        &self,
        (a, b): (&'a [T], &'a [T]),
    ) -> Result<(MatRef<'a, T>, MatRef<'a, T>), String> {
        let (a, b) = (self.a.read(a)?, self.b.read(b)?);
        Ok((transposed(a, self.trans), transposed(b, self.trans)))
    }

    /// Adds `alpha · (a · bᵀ + b · aᵀ)` to the triangle of `c`.
    fn add(&self, mut c: MatMut<'_, T>, alpha: T, a: MatRef<'_, T>, b: MatRef<'_, T>) {
        for (a, b) in [(a, b), (b, a)] {
            let to = (c.as_mut(), self.part());
            add_parts(to, alpha, (a, ALL), (b.transpose(), ALL));
        }
    }

    fn part(&self) -> Part {
        half(self.lower)
    }
}

impl<T: Number> Reverse<T> for Update2<T> {
    type Inputs<'a> = (&'a [T], &'a [T]);

    fn output(&self) -> Operand {
        self.c
    }

    /// `a̅ += alpha · (c̅ + c̅ᵀ) · b` and `b̅ += alpha · (c̅ + c̅ᵀ) · a`, where `c̅` is a triangle with its diagonal.
    fn pullback(
        &self,
        inputs: Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let ((a, b), dc) = (self.factors(inputs)?, shadow.as_ref());
        let (alpha, both) = (self.alpha.value, with_transpose(dc, self.lower));
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            let mut sum = product(a, b.transpose());
            add_product(sum.as_mut(), T::one(), b, a.transpose());
            *dalpha += inner(dc, self.part(), sum.as_ref());
        }
        if let Some(da) = self.a.cotangent(c)? {
            add_product(transposed_mut(da, self.trans), alpha, both.as_ref(), b);
        }
        if let Some(db) = self.b.cotangent(c)? {
            add_product(transposed_mut(db, self.trans), alpha, both.as_ref(), a);
        }
        if let Some(dbeta) = self.beta.cotangent(c)? {
            *dbeta += inner(dc, self.part(), output.before);
        }
        scale(shadow, self.part(), self.beta.value);
        Ok(())
    }
}

impl<T: Real> Routine<T> for Update2<T> {
    fn primal(&self, inputs: Self::Inputs<'_>, mut c: MatMut<'_, T>) -> Outcome {
        let (a, b) = self.factors(inputs)?;
        scale(c.as_mut(), self.part(), self.beta.value);
        self.add(c, self.alpha.value, a, b);
        Ok(())
    }

    fn tangent(
        &self,
        inputs: Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let ((a, b), alpha) = (self.factors(inputs)?, self.alpha.value);
        scale(shadow.as_mut(), self.part(), self.beta.value);
        if let Some(dbeta) = self.beta.tangent(t)? {
            accumulate(shadow.as_mut(), self.part(), dbeta, output.before);
        }
        if let Some(dalpha) = self.alpha.tangent(t)? {
            self.add(shadow.as_mut(), dalpha, a, b);
        }
        if let Some(da) = self.a.tangent(t)? {
            self.add(shadow.as_mut(), alpha, transposed(da, self.trans), b);
        }
        if let Some(db) = self.b.tangent(t)? {
            self.add(shadow, alpha, a, transposed(db, self.trans));
        }
        Ok(())
    }
}

/// Calls on which these rules are tested.
pub(super) fn cases() -> Vec<Case> {
    let int = |i: usize| Value::Int(i as i64);
    let (alpha, beta) = (|| Value::Float(0.75), || Value::Float(-0.5));
    let (a, b, c) = (
        || Value::array(&[12]),
        || Value::array(&[8]),
        || Value::array(&[13]),
    );
    let mut cases = Vec::new();
    for bits in 0..4 {
        let (one, lower) = (int(bits & 1), int(bits >> 1));
        let sizes = [one.clone(), lower.clone(), int(3), int(2)];
        let symm = [alpha(), a(), int(4), b(), int(4), beta(), c(), int(4)];
        cases.push(Case::new("symm", [&sizes[..], &symm].concat()));
        let sizes = [lower.clone(), one, int(3), int(2)];
        let syrk = [alpha(), a(), int(4), beta(), c(), int(4)];
        cases.push(Case::new("syrk", [&sizes[..], &syrk].concat()));
        let syr2k = [alpha(), a(), int(4), a(), int(4), beta(), c(), int(4)];
        cases.push(Case::new("syr2k", [&sizes[..], &syr2k].concat()));
    }
    for lower in [0, 1] {
        let matrix = [int(lower), int(3), alpha(), a(), int(4)];
        let vectors = [b(), int(2), beta(), c(), int(3)];
        cases.push(Case::new("symv", [&matrix[..], &vectors].concat()));
    }
    cases
}

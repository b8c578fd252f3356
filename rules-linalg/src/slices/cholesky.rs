//! Cholesky's decomposition in place, and solutions with its factor: potrf and potrs.

use super::kernels::{
    ALL, Part, accumulate_folded, add_parts, add_product, assign, half, only, part_product,
    product, scale, solve, symmetric, triangle_product,
};
use super::operand::{Operand, Shadows, transposed, transposed_mut};
use super::routine::{Contents, Reverse, Routine, routine};
use crate::dense::{Number, Real, Triangle};
use faer::{Mat, MatMut, MatRef, Side};
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value};

routine! {
    /// Cholesky's decomposition of a symmetric matrix, of which one triangle is given: overwrites it with `l` of `a = l · lᵀ`, or with
    /// `u` of `a = uᵀ · u`. A matrix that is not positive definite is an error.
    fn potrf(lower: bool, n: usize, a: &mut [T], lda: usize);
    Factorise { lower, a: At::a.matrix(n, n, lda) },
    () => a
}

routine! {
    /// `b := a⁻¹ · b` for the factor of `a` that potrf gives, where `b` is n × nrhs.
    fn potrs(lower: bool, n: usize, nrhs: usize, a: &[T], lda: usize, b: &mut [T], ldb: usize);
    Solve { lower, a: At::a.matrix(n, n, lda), b: At::b.matrix(n, nrhs, ldb) },
    (a) => b
}

/// The factor `l`, where upper factors are read as their transposes.
const L: Triangle = Triangle {
    lower: true,
    unit: false,
};
/// Its transpose.
const LT: Triangle = Triangle {
    lower: false,
    unit: false,
};

/// A call of potrf.
#[derive(Clone, Copy)]
struct Factorise {
    lower: bool,
    a: Operand,
}

/// The lower triangle with half of its diagonal: for a symmetric matrix, the triangle of which it is the sum with the transpose.
fn halved<T: Number>(a: MatRef<'_, T>) -> Mat<T> {
    let mut lower = only(a, half(true));
    let two = T::one() + T::one();
    for i in 0..lower.nrows() {
        lower[(i, i)] /= two;
    }
    lower
}

impl<T: Number> Reverse<T> for Factorise {
    type Inputs<'a> = ();

    fn output(&self) -> Operand {
        self.a
    }

    /// `a̅ = l⁻ᵀ · Φ(lᵀ · l̅) · l⁻¹`, where Φ takes the lower triangle with half of the diagonal (Murray 2016, "Differentiation of the
    /// Cholesky decomposition").
    fn pullback(
        &self,
        (): (),
        _: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let l = transposed(output.after, !self.lower);
        let mut shadow = transposed_mut(shadow, !self.lower);
        let dl = only(shadow.as_ref(), half(true));
        let mut middle = halved(triangle_product(l.transpose(), LT, dl.as_ref()).as_ref());
        solve(l.transpose(), LT, middle.as_mut())?;
        solve(l.transpose(), LT, middle.as_mut().transpose_mut())?;
        scale(shadow.as_mut(), half(true), T::zero());
        accumulate_folded(shadow, true, T::one(), middle.as_ref());
        Ok(())
    }
}

impl<T: Real> Routine<T> for Factorise {
    fn primal(&self, (): (), a: MatMut<'_, T>) -> Outcome {
        let a = transposed_mut(a, !self.lower);
        let whole = symmetric(a.as_ref(), true);
        let finite = |j: usize| (0..whole.nrows()).all(|i| whole[(i, j)].is_finite());
        if !(0..whole.ncols()).all(finite) {
            return Err("the matrix has elements that are not finite".to_owned());
        }
        let factor = whole.llt(Side::Lower);
        let factor = factor.map_err(|_| "the matrix is not positive definite".to_owned())?;
        assign(a, half(true), factor.L());
        Ok(())
    }

    /// `l̇ = l · Φ(l⁻¹ · ȧ · l⁻ᵀ)`
    fn tangent(
        &self,
        (): (),
        _: &Tangents<'_>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        let l = transposed(output.after, !self.lower);
        let shadow = transposed_mut(shadow, !self.lower);
        let mut middle = symmetric(shadow.as_ref(), true);
        solve(l, L, middle.as_mut())?;
        solve(l, L, middle.as_mut().transpose_mut())?;
        let dl = triangle_product(l, L, halved(middle.as_ref()).as_ref());
        assign(shadow, half(true), dl.as_ref());
        Ok(())
    }
}

/// A call of potrs.
#[derive(Clone, Copy)]
struct Solve {
    lower: bool,
    a: Operand,
    b: Operand,
}

impl Solve {
    /// The factor `l`.
    fn factor<'a, T: Number>(&self, a: &'a [T]) -> Result<MatRef<'a, T>, String> {
        Ok(transposed(self.a.read(a)?, !self.lower))
    }
}

/// `b := (l · lᵀ)⁻¹ · b`
fn solve_both<T: Number>(l: MatRef<'_, T>, mut b: MatMut<'_, T>) -> Outcome {
    solve(l, L, b.as_mut())?;
    solve(l.transpose(), LT, b)
}

impl<T: Number> Reverse<T> for Solve {
    type Inputs<'a> = (&'a [T],);

    fn output(&self) -> Operand {
        self.b
    }

    /// `b̅ := (l · lᵀ)⁻¹ · x̅` and `l̅ -= (b̅ · xᵀ + x · b̅ᵀ) · l`
    fn pullback(
        &self,
        (a,): Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (l, x) = (self.factor(a)?, output.after);
        solve_both(l, shadow.as_mut())?;
        if let Some(dl) = self.a.cotangent(c)? {
            let db = shadow.as_ref();
            let mut whole = product(db, x.transpose());
            add_product(whole.as_mut(), T::one(), x, db.transpose());
            let dl = (transposed_mut(dl, !self.lower), half(true));
            add_parts(dl, -T::one(), (whole.as_ref(), ALL), (l, half(true)));
        }
        Ok(())
    }
}

impl<T: Real> Routine<T> for Solve {
    fn primal(&self, (a,): Self::Inputs<'_>, b: MatMut<'_, T>) -> Outcome {
        solve_both(self.factor(a)?, b)
    }

    /// `ẋ = (l · lᵀ)⁻¹ · (ḃ - l̇ · lᵀ · x - l · l̇ᵀ · x)`
    fn tangent(
        &self,
        (a,): Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        let (l, x) = (self.factor(a)?, output.after);
        if let Some(dl) = self.a.tangent::<T>(t)? {
            let dl = transposed(dl, !self.lower);
            let mut take = |a: MatRef<'_, T>, b: MatRef<'_, T>, half_of_b: Part| {
                let right = part_product(b, half_of_b, x);
                let to = (shadow.as_mut(), ALL);
                add_parts(to, -T::one(), (a, half(true)), (right.as_ref(), ALL));
            };
            take(dl, l.transpose(), half(false));
            take(l, dl.transpose(), half(false));
        }
        solve_both(l, shadow)
    }
}

/// Calls on which these rules are tested.
pub(super) fn cases() -> Vec<Case> {
    let int = |i: usize| Value::Int(i as i64);
    let a = || {
        let data = vec![
            4.0, -0.5, 0.25, 0.0, 0.75, 3.0, 1.5, 0.0, -0.25, 0.5, 5.0, 0.0,
        ];
        Value::Array(vec![12], data)
    };
    let mut cases = Vec::new();
    for lower in [0, 1] {
        cases.push(Case::new("potrf", [int(lower), int(3), a(), int(4)]));
        let args = [
            int(lower),
            int(3),
            int(2),
            a(),
            int(4),
            Value::array(&[8]),
            int(4),
        ];
        cases.push(Case::new("potrs", args));
    }
    cases
}

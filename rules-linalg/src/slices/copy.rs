//! Copies: lacpy.

use super::kernels::{ALL, Part, accumulate, assign, half, scale};
use super::operand::{Operand, Shadows};
use super::routine::{Contents, Reverse, Routine, routine};
use crate::dense::{Number, Real};
use faer::MatMut;
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value};

routine! {
    /// `b := a` for matrices of m × n: all of it if `whole`, else the lower or the upper triangle with the diagonal; the rest of `b` stays.
    fn lacpy(whole: bool, lower: bool, m: usize, n: usize, a: &[T], lda: usize, b: &mut [T], ldb: usize);
    Copying {
        part: if whole { ALL } else { half(lower) },
        a: At::a.matrix(m, n, lda),
        b: At::b.matrix(m, n, ldb),
    },
    (a) => b
}

#[derive(Clone, Copy)]
struct Copying {
    part: Part,
    a: Operand,
    b: Operand,
}

impl<T: Number> Reverse<T> for Copying {
    type Inputs<'a> = (&'a [T],);

    fn output(&self) -> Operand {
        self.b
    }

    fn pullback(
        &self,
        _: Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        _: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        if let Some(da) = self.a.cotangent(c)? {
            accumulate(da, self.part, T::one(), shadow.as_ref());
        }
        scale(shadow, self.part, T::zero());
        Ok(())
    }
}

impl<T: Real> Routine<T> for Copying {
    fn primal(&self, (a,): Self::Inputs<'_>, b: MatMut<'_, T>) -> Outcome {
        assign(b, self.part, self.a.read(a)?);
        Ok(())
    }

    fn tangent(
        &self,
        _: Self::Inputs<'_>,
        t: &Tangents<'_>,
        _: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        match self.a.tangent(t)? {
            Some(da) => assign(shadow, self.part, da),
            None => scale(shadow, self.part, T::zero()),
        }
        Ok(())
    }
}

/// Calls on which this rule is tested.
pub(super) fn cases() -> Vec<Case> {
    let matrix = || Value::array(&[11]);
    let call = |whole, lower| {
        let flags = [whole, lower].map(|flag| Value::Int(i64::from(flag)));
        let rest = [
            Value::Int(3),
            Value::Int(2),
            matrix(),
            Value::Int(4),
            matrix(),
            Value::Int(5),
        ];
        Case::new("lacpy", flags.into_iter().chain(rest).collect::<Vec<_>>())
    };
    vec![call(true, true), call(false, true), call(false, false)]
}

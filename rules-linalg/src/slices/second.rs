//! Second derivatives: pullbacks along tangents, at complex numbers.
//!
//! A pullback is made of sums, products and quotients, so `f(x + i·h·ẋ) = f(x) + i·h·f'(x)·ẋ` up to a relative error of h², and no
//! difference is taken that could cancel (Squire and Trapp 1998, "Using complex variables to estimate derivatives of real functions"). With a step of
//! 2⁻¹⁰⁰ the error is far below the precision of f64. So the pullback that there is, at numbers that carry their tangents as imaginary
//! parts, gives the cotangents and their tangents; none has to be written for it. It costs what complex arithmetic costs, four times the work, in f64.

use super::operand::{Operand, Shadows};
use super::routine::{Contents, Kept, Reverse};
use crate::dense::Real;
use faer::{Mat, MatMut, MatRef, c64};
use mooncake_pack::{Cotangents, Outcome, Tangents};
use std::cell::RefCell;
use std::marker::PhantomData;

/// A power of two, so that to scale by it is exact.
const STEP: f64 = 1.0 / (1u128 << 100) as f64;

fn wide<T: Real>(x: T) -> f64 {
    x.to_f64().unwrap_or(f64::NAN)
}

fn narrow<T: Real>(x: f64) -> T {
    <T as num_traits::NumCast>::from(x).unwrap_or_else(T::nan)
}

/// A number and its tangent in one.
fn lifted<T: Real>(x: T, dx: Option<T>) -> c64 {
    c64::new(wide(x), dx.map_or(0.0, |dx| STEP * wide(dx)))
}

/// Matrices and their tangents in one.
pub(super) fn lifted_matrix<T: Real>(a: MatRef<'_, T>, da: Option<MatRef<'_, T>>) -> Mat<c64> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| {
        lifted(a[(i, j)], da.map(|da| da[(i, j)]))
    })
}

/// An argument of a call along tangents, as a number that carries its tangent.
pub(super) trait Lift {
    /// The complex number of a float; slices have none.
    type Lifted: Copy + Send + 'static;
    fn lift(&self, at: usize, t: &Tangents<'_>) -> Result<Self::Lifted, String>;
}

impl<T: Real> Lift for T {
    type Lifted = c64;
    fn lift(&self, at: usize, t: &Tangents<'_>) -> Result<c64, String> {
        let tangent = t.of::<T>(at)?.and_then(|dx| dx.first().copied());
        Ok(lifted(*self, tangent))
    }
}

macro_rules! unmoved {
    ($($t:ty)*) => {$(
        impl Lift for $t {
            type Lifted = $t;
            fn lift(&self, _: usize, _: &Tangents<'_>) -> Result<$t, String> {
                Ok(*self)
            }
        }
    )*};
}
unmoved! { bool usize }

macro_rules! nothing {
    ($($t:ty)*) => {$(
        impl<T> Lift for $t {
            type Lifted = ();
            fn lift(&self, _: usize, _: &Tangents<'_>) -> Outcome {
                Ok(())
            }
        }
    )*};
}
nothing! { &[T] &mut [T] }

/// What a slice among the inputs is made of: the pullback is given it again.
#[derive(Clone, Copy)]
pub(super) struct Elements<E>(PhantomData<fn() -> E>);

impl<E> Elements<E> {
    pub fn of(_: &[E]) -> Self {
        Elements(PhantomData)
    }
}

impl<T: Real> Elements<T> {
    /// The elements, which carry their tangents.
    pub fn lifted(self, c: &Cotangents<'_>, at: usize) -> Result<Vec<c64>, String> {
        let (x, dx): (&[T], _) = (c.argument(at)?, c.argument_tangent::<T>(at)?);
        let tangent = |i: usize| dx.and_then(|dx| dx.get(i).copied());
        let elements = x.iter().enumerate();
        Ok(elements.map(|(i, &x)| lifted(x, tangent(i))).collect())
    }
}

impl Elements<usize> {
    /// The elements, which have no tangents.
    pub fn lifted(self, c: &Cotangents<'_>, at: usize) -> Result<Vec<usize>, String> {
        c.argument::<&[usize]>(at).map(<[usize]>::to_vec)
    }
}

/// A cotangent and its tangent, where they are wanted.
type Wanted<'a, T> = (&'a mut [T], Option<&'a mut [T]>);

/// Zeros in the place of the cotangents of the arguments, each given out once.
struct Places<'a>(RefCell<Vec<Option<&'a mut [c64]>>>);

impl<'a> Shadows<'a, c64> for Places<'a> {
    fn shadow(&self, at: usize) -> Result<Option<&'a mut [c64]>, String> {
        Ok(self.0.borrow_mut().get_mut(at).and_then(Option::take))
    }
}

/// The pullback along tangents of a call with so many arguments, of which the output had `kept` in it, and has it again afterwards.
pub(super) fn reverse<T: Real, R: Reverse<c64>>(
    routine: &R,
    inputs: R::Inputs<'_>,
    c: &Cotangents<'_>,
    kept: &Kept<T>,
    arguments: usize,
) -> Outcome {
    let operand = routine.output();
    let mut memory = operand.write(c.memory::<T>(operand.at)?)?;
    let mut moved = written(&operand, c.memory_tangent::<T>(operand.at)?)?;
    let outcome = match written(&operand, c.of::<T>(operand.at)?)? {
        None => Ok(()),
        Some(shadow) => {
            let before = lifted_matrix(
                kept.before.as_ref(),
                kept.moved.as_ref().map(|moved| moved.as_ref()),
            );
            let after = lifted_matrix(memory.as_ref(), moved.as_ref().map(|moved| moved.as_ref()));
            let contents = Contents {
                before: before.as_ref(),
                after: after.as_ref(),
            };
            let shadow = (shadow, written(&operand, c.tangent_of::<T>(operand.at)?)?);
            pullback(routine, inputs, c, contents, shadow, arguments)
        }
    };
    memory.copy_from(&kept.before);
    if let (Some(moved), Some(before)) = (&mut moved, &kept.moved) {
        moved.copy_from(before);
    }
    outcome
}

/// An operand in memory that there may be.
pub(super) fn written<'a, T: Real>(
    operand: &Operand,
    memory: Option<&'a mut [T]>,
) -> Result<Option<MatMut<'a, T>>, String> {
    memory.map(|memory| operand.write(memory)).transpose()
}

/// Runs the pullback at complex numbers, and writes what it gives to where cotangents and their tangents are.
fn pullback<T: Real, R: Reverse<c64>>(
    routine: &R,
    inputs: R::Inputs<'_>,
    c: &Cotangents<'_>,
    contents: Contents<'_, c64>,
    (shadow, tangent): (MatMut<'_, T>, Option<MatMut<'_, T>>),
    arguments: usize,
) -> Outcome {
    let mut wanted: Vec<Option<Wanted<T>>> = Vec::new();
    for at in 0..arguments {
        wanted.push(match at == routine.output().at {
            true => None,
            false => match c.of::<T>(at)? {
                Some(cotangent) => Some((cotangent, c.tangent_of::<T>(at)?)),
                None => None,
            },
        });
    }
    let zeros = |wanted: &Option<Wanted<T>>| {
        let len = wanted.as_ref().map_or(0, |(cotangent, _)| cotangent.len());
        vec![c64::new(0.0, 0.0); len]
    };
    let mut sums: Vec<Vec<c64>> = wanted.iter().map(zeros).collect();
    let places = sums.iter_mut().zip(&wanted);
    let places = places.map(|(sums, wanted)| wanted.is_some().then_some(&mut sums[..]));
    let places = Places(RefCell::new(places.collect()));
    through(shadow, tangent, |both| {
        routine.pullback(inputs, &places, contents, both)
    })?;
    drop(places);
    for (wanted, sums) in wanted.into_iter().zip(sums) {
        let Some((cotangent, tangent)) = wanted else {
            continue;
        };
        cotangent
            .iter_mut()
            .zip(&sums)
            .for_each(|(to, sum)| *to += narrow::<T>(sum.re));
        if let Some(tangent) = tangent {
            tangent
                .iter_mut()
                .zip(&sums)
                .for_each(|(to, sum)| *to += narrow::<T>(sum.im / STEP));
        }
    }
    Ok(())
}

/// Changes a cotangent and its tangent, as one matrix of complex numbers.
pub(super) fn through<T: Real>(
    mut shadow: MatMut<'_, T>,
    mut tangent: Option<MatMut<'_, T>>,
    change: impl FnOnce(MatMut<'_, c64>) -> Outcome,
) -> Outcome {
    let mut both = lifted_matrix(shadow.as_ref(), tangent.as_ref().map(|t| t.as_ref()));
    change(both.as_mut())?;
    for j in 0..both.ncols() {
        for i in 0..both.nrows() {
            shadow[(i, j)] = narrow(both[(i, j)].re);
            if let Some(tangent) = &mut tangent {
                tangent[(i, j)] = narrow(both[(i, j)].im / STEP);
            }
        }
    }
    Ok(())
}

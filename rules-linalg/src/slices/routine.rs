//! What all routines that overwrite one operand have in common: their native functions.

use super::operand::{Operand, Shadows};
use crate::dense::{Number, Real};
use faer::{Mat, MatMut, MatRef};
use mooncake_pack::{Cotangents, Outcome, Tangents};

/// How a call of a routine is gone through backwards, for numbers of a type that may be complex: see `second`.
pub(super) trait Reverse<T: Number>: Copy + Send + 'static {
    /// The slices that are read.
    type Inputs<'a>: Copy;
    /// The operand that is overwritten.
    fn output(&self) -> Operand;
    /// Adds to the cotangents of the inputs and scalars, and turns `shadow`, the cotangent of the final contents of the output, into that of
    /// the initial ones.
    fn pullback(
        &self,
        inputs: Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome;
}

/// A call of a routine that overwrites one operand: what is known of it besides the elements of its slices.
pub(super) trait Routine<T: Real>: Reverse<T> {
    /// Does the work.
    fn primal(&self, inputs: Self::Inputs<'_>, output: MatMut<'_, T>) -> Outcome;
    /// Turns `shadow`, the tangent of the initial contents of the output, into that of the final ones.
    fn tangent(
        &self,
        inputs: Self::Inputs<'_>,
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome;
}

/// What stands in the output before and after a call.
#[derive(Clone, Copy)]
pub(super) struct Contents<'a, T> {
    /// What the call finds.
    pub before: MatRef<'a, T>,
    /// What it leaves.
    pub after: MatRef<'a, T>,
}

/// Calls the routine.
pub(super) fn primal<T: Real, R: Routine<T>>(
    routine: &R,
    inputs: R::Inputs<'_>,
    output: &mut [T],
) -> Outcome {
    routine.primal(inputs, routine.output().write(output)?)
}

/// Calls the routine, and gives what was in its output before.
pub(super) fn keeping<T: Real, R: Routine<T>>(
    routine: &R,
    inputs: R::Inputs<'_>,
    output: &mut [T],
) -> Result<Mat<T>, String> {
    let output = routine.output().write(output)?;
    let before = output.as_ref().to_owned();
    routine.primal(inputs, output)?;
    Ok(before)
}

/// The pullback of a call that has found `before` in its output, which has it again afterwards.
pub(super) fn reverse<T: Real, R: Routine<T>>(
    routine: &R,
    inputs: R::Inputs<'_>,
    c: &Cotangents<'_>,
    before: &Mat<T>,
) -> Outcome {
    let operand = routine.output();
    let mut memory = operand.write(c.memory::<T>(operand.at)?)?;
    let output = Contents {
        before: before.as_ref(),
        after: memory.as_ref(),
    };
    let outcome = match operand.cotangent(c)? {
        Some(shadow) => routine.pullback(inputs, c, output, shadow),
        None => Ok(()),
    };
    memory.copy_from(before);
    outcome
}

/// Calls the routine along tangents.
pub(super) fn forward<T: Real, R: Routine<T>>(
    routine: &R,
    inputs: R::Inputs<'_>,
    output: &mut [T],
    t: &Tangents<'_>,
) -> Outcome {
    along(routine, inputs, output, t, true).map(drop)
}

/// What was in an output before, and the tangents of that; `None` if they are zero.
pub(super) struct Kept<T> {
    pub before: Mat<T>,
    pub moved: Option<Mat<T>>,
}

/// Calls the routine along tangents, and gives what was in its output before. `moves` says whether an argument has a tangent.
pub(super) fn along<T: Real, R: Routine<T>>(
    routine: &R,
    inputs: R::Inputs<'_>,
    output: &mut [T],
    t: &Tangents<'_>,
    moves: bool,
) -> Result<Kept<T>, String> {
    let operand = routine.output();
    let before = keeping(routine, inputs, output)?;
    let shadow = match t.memory::<T>(operand.at)? {
        Some(shadow) => operand.write(shadow)?,
        None if moves => {
            return Err(format!(
                "`{}` is overwritten and has no tangent; expected one, as other arguments have one",
                operand.name
            ));
        }
        None => {
            let moved = None;
            return Ok(Kept { before, moved });
        }
    };
    let moved = Some(shadow.as_ref().to_owned());
    let contents = Contents {
        before: before.as_ref(),
        after: operand.read(output)?,
    };
    routine.tangent(inputs, t, contents, shadow)?;
    Ok(Kept { before, moved })
}

/// The row of a routine: its docs and signature, what it is as a [`Routine`], and `(what it reads) => what it overwrites`.
macro_rules! routine {
    (
        $(#[doc = $doc:literal])*
        fn $name:ident($($arg:ident: $ty:ty),+ $(,)?);
        $routine:expr,
        ($($input:ident),*) => $output:ident
    ) => {
        mooncake_pack::native! {
            $(#[doc = $doc])*
            fn $name($($arg: $ty),+) {
                primal: $name::primal,
                rrule: $name::rrule,
                frule: $name::frule,
                second: $name::second,
            }
        }

        #[allow(clippy::too_many_arguments, reason = "the arguments of BLAS")]
        mod $name {
            use super::*;
            use crate::slices::{operand, routine, second};

            pub(super) fn primal<T: Real>($($arg: $ty),+) -> Outcome {
                routine::primal(&$routine, ($($input,)*), $output)
            }

            pub(super) fn rrule<T: Real>(
                $($arg: $ty),+
            ) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
                let routine = $routine;
                let before = routine::keeping(&routine, ($($input,)*), $output)?;
                Ok(move |c: &Cotangents| {
                    routine::reverse(&routine, ($(c.argument(At::$input as usize)?,)*), c, &before)
                })
            }

            pub(super) fn frule<T: Real>($($arg: $ty,)+ t: &Tangents) -> Outcome {
                routine::forward(&$routine, ($($input,)*), $output, t)
            }

            #[allow(unused_variables, clippy::let_unit_value, reason = "slices have nothing to be lifted here")]
            pub(super) fn second<T: Real>(
                $($arg: $ty,)+
                t: &Tangents,
            ) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
                let routine = $routine;
                let moves = false $(|| t.has(At::$arg as usize))+;
                let kept = routine::along(&routine, ($($input,)*), &mut *$output, t, moves)?;
                let inputs = ($(second::Elements::of($input),)*);
                $(let $arg = second::Lift::lift(&$arg, At::$arg as usize, t)?;)+
                Ok(move |c: &Cotangents| {
                    let routine = $routine;
                    let ($($input,)*) = inputs;
                    $(let $input = $input.lifted(c, At::$input as usize)?;)*
                    second::reverse(&routine, ($(&$input[..],)*), c, &kept, At::NAMES.len())
                })
            }

            /// The positions of the arguments.
            #[allow(non_camel_case_types, dead_code, reason = "they are called as in the signature")]
            #[derive(Clone, Copy)]
            enum At {
                $($arg),+
            }

            #[allow(dead_code, reason = "not every routine has operands of every kind")]
            impl At {
                const NAMES: &[&str] = &[$(stringify!($arg)),+];

                fn matrix(self, rows: usize, cols: usize, stride: usize) -> operand::Operand {
                    let at = self as usize;
                    operand::Operand { name: Self::NAMES[at], at, rows, cols, stride, is_vector: false }
                }
                fn vector(self, rows: usize, stride: usize) -> operand::Operand {
                    operand::Operand { is_vector: true, ..self.matrix(rows, 1, stride) }
                }
                fn scalar<T>(self, value: T) -> operand::Scalar<T> {
                    operand::Scalar { value, at: Some(self as usize) }
                }
            }
        }
    };
}
pub(super) use routine;

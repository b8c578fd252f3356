//! Vectors: scal, axpy, dot and nrm2.

use super::kernels::{ALL, accumulate, inner, scale};
use super::operand::{Operand, Scalar, Shadows};
use super::routine::{Contents, Reverse, Routine, routine};
use crate::dense::{Number, Real};
use faer::MatMut;
use mooncake_pack::{Case, Cotangents, Outcome, Tangents, Value, native};

routine! {
    /// `x := alpha · x`
    fn scal(n: usize, alpha: T, x: &mut [T], incx: usize);
    Scal { alpha: At::alpha.scalar(alpha), x: At::x.vector(n, incx) },
    () => x
}

#[derive(Clone, Copy)]
struct Scal<T> {
    alpha: Scalar<T>,
    x: Operand,
}

impl<T: Number> Reverse<T> for Scal<T> {
    type Inputs<'a> = ();

    fn output(&self) -> Operand {
        self.x
    }

    fn pullback(
        &self,
        (): (),
        c: &dyn Shadows<'_, T>,
        output: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            *dalpha += inner(shadow.as_ref(), ALL, output.before);
        }
        scale(shadow, ALL, self.alpha.value);
        Ok(())
    }
}

impl<T: Real> Routine<T> for Scal<T> {
    fn primal(&self, (): (), x: MatMut<'_, T>) -> Outcome {
        scale(x, ALL, self.alpha.value);
        Ok(())
    }

    fn tangent(
        &self,
        (): (),
        t: &Tangents<'_>,
        output: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        scale(shadow.as_mut(), ALL, self.alpha.value);
        if let Some(dalpha) = self.alpha.tangent(t)? {
            accumulate(shadow, ALL, dalpha, output.before);
        }
        Ok(())
    }
}

routine! {
    /// `y := alpha · x + y`
    fn axpy(n: usize, alpha: T, x: &[T], incx: usize, y: &mut [T], incy: usize);
    Axpy { alpha: At::alpha.scalar(alpha), x: At::x.vector(n, incx), y: At::y.vector(n, incy) },
    (x) => y
}

#[derive(Clone, Copy)]
struct Axpy<T> {
    alpha: Scalar<T>,
    x: Operand,
    y: Operand,
}

impl<T: Number> Reverse<T> for Axpy<T> {
    type Inputs<'a> = (&'a [T],);

    fn output(&self) -> Operand {
        self.y
    }

    fn pullback(
        &self,
        (x,): Self::Inputs<'_>,
        c: &dyn Shadows<'_, T>,
        _: Contents<'_, T>,
        shadow: MatMut<'_, T>,
    ) -> Outcome {
        if let Some(dalpha) = self.alpha.cotangent(c)? {
            *dalpha += inner(shadow.as_ref(), ALL, self.x.read(x)?);
        }
        if let Some(dx) = self.x.cotangent(c)? {
            accumulate(dx, ALL, self.alpha.value, shadow.as_ref());
        }
        Ok(())
    }
}

impl<T: Real> Routine<T> for Axpy<T> {
    fn primal(&self, (x,): Self::Inputs<'_>, y: MatMut<'_, T>) -> Outcome {
        accumulate(y, ALL, self.alpha.value, self.x.read(x)?);
        Ok(())
    }

    fn tangent(
        &self,
        (x,): Self::Inputs<'_>,
        t: &Tangents<'_>,
        _: Contents<'_, T>,
        mut shadow: MatMut<'_, T>,
    ) -> Outcome {
        if let Some(dalpha) = self.alpha.tangent(t)? {
            accumulate(shadow.as_mut(), ALL, dalpha, self.x.read(x)?);
        }
        if let Some(dx) = self.x.tangent(t)? {
            accumulate(shadow, ALL, self.alpha.value, dx);
        }
        Ok(())
    }
}

/// The operand at a position, which is a vector.
fn vector(name: &'static str, at: usize, n: usize, stride: usize) -> Operand {
    Operand {
        name,
        at,
        rows: n,
        cols: 1,
        stride,
        is_vector: true,
    }
}

native! {
    /// The inner product of two vectors.
    fn dot(n: usize, x: &[T], incx: usize, y: &[T], incy: usize) -> T {
        primal: dot,
        rrule: dot_rrule,
        frule: dot_frule,
        second: dot_second,
    }
}

/// `x` and `y` of `dot`.
fn of_dot(n: usize, incx: usize, incy: usize) -> (Operand, Operand) {
    (vector("x", 1, n, incx), vector("y", 3, n, incy))
}

fn dot<T: Real>(n: usize, x: &[T], incx: usize, y: &[T], incy: usize, out: &mut T) -> Outcome {
    let (in_x, in_y) = of_dot(n, incx, incy);
    *out = inner(in_x.read(x)?, ALL, in_y.read(y)?);
    Ok(())
}

fn dot_rrule<T: Real>(
    n: usize,
    x: &[T],
    incx: usize,
    y: &[T],
    incy: usize,
    out: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    dot(n, x, incx, y, incy, out)?;
    Ok(move |c: &Cotangents| {
        let (x, y) = of_dot(n, incx, incy);
        let seed = c.seed::<T>(0)?[0];
        if let Some(dx) = x.cotangent(c)? {
            accumulate(dx, ALL, seed, y.read(c.argument(y.at)?)?);
        }
        if let Some(dy) = y.cotangent(c)? {
            accumulate(dy, ALL, seed, x.read(c.argument(x.at)?)?);
        }
        Ok(())
    })
}

fn dot_frule<T: Real>(
    n: usize,
    x: &[T],
    incx: usize,
    y: &[T],
    incy: usize,
    out: &mut T,
    t: &Tangents,
) -> Outcome {
    dot(n, x, incx, y, incy, out)?;
    let (in_x, in_y) = of_dot(n, incx, incy);
    let dout = t.scalar::<T>(0)?;
    *dout = T::zero();
    if let Some(dx) = in_x.tangent(t)? {
        *dout += inner(dx, ALL, in_y.read(y)?);
    }
    if let Some(dy) = in_y.tangent(t)? {
        *dout += inner(in_x.read(x)?, ALL, dy);
    }
    Ok(())
}

/// `x̅ += ȳ · b` along tangents, where `b` is the other vector: `x̅̇ += ȳ̇ · b + ȳ · ḃ`.
fn dot_second<T: Real>(
    n: usize,
    x: &[T],
    incx: usize,
    y: &[T],
    incy: usize,
    out: &mut T,
    t: &Tangents,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    dot_frule(n, x, incx, y, incy, out, t)?;
    Ok(move |c: &Cotangents| {
        let (x, y) = of_dot(n, incx, incy);
        let seed = c.seed::<T>(0)?[0];
        let moved = c.seed_tangent::<T>(0)?.map_or(T::zero(), |ds| ds[0]);
        for (to, by) in [(x, y), (y, x)] {
            let other = by.read(c.argument(by.at)?)?;
            if let Some(to) = to.cotangent(c)? {
                accumulate(to, ALL, seed, other);
            }
            if let Some(tangent) = c.tangent_of::<T>(to.at)? {
                let mut tangent = to.write(tangent)?;
                accumulate(tangent.as_mut(), ALL, moved, other);
                if let Some(dother) = c.argument_tangent::<T>(by.at)? {
                    accumulate(tangent, ALL, seed, by.read(dother)?);
                }
            }
        }
        Ok(())
    })
}

native! {
    /// The Euclidean norm of a vector, without over- or underflow of the squares. At 0 the derivative is taken to be 0, the least subgradient.
    fn nrm2(n: usize, x: &[T], incx: usize) -> T {
        primal: nrm2,
        rrule: nrm2_rrule,
        frule: nrm2_frule,
        second: nrm2_second,
    }
}

fn nrm2<T: Real>(n: usize, x: &[T], incx: usize, out: &mut T) -> Outcome {
    *out = vector("x", 1, n, incx).read(x)?.norm_l2();
    Ok(())
}

/// `x / norm`, the gradient of the norm, with one factor more.
fn direction<T: Real>(mut to: MatMut<'_, T>, by: T, x: faer::MatRef<'_, T>, norm: T) {
    if !norm.is_zero() {
        for i in 0..x.nrows() {
            to[(i, 0)] += by * (x[(i, 0)] / norm);
        }
    }
}

fn nrm2_rrule<T: Real>(
    n: usize,
    x: &[T],
    incx: usize,
    out: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    nrm2(n, x, incx, out)?;
    let norm = *out;
    Ok(move |c: &Cotangents| {
        let x = vector("x", 1, n, incx);
        if let Some(dx) = x.cotangent(c)? {
            direction(dx, c.seed::<T>(0)?[0], x.read(c.argument(x.at)?)?, norm);
        }
        Ok(())
    })
}

fn nrm2_frule<T: Real>(n: usize, x: &[T], incx: usize, out: &mut T, t: &Tangents) -> Outcome {
    nrm2(n, x, incx, out)?;
    let operand = vector("x", 1, n, incx);
    let dout = t.scalar::<T>(0)?;
    *dout = T::zero();
    if let Some(dx) = operand.tangent(t)? {
        let mut gradient = faer::Mat::zeros(n, 1);
        direction(gradient.as_mut(), T::one(), operand.read(x)?, *out);
        *dout = inner(gradient.as_ref(), ALL, dx);
    }
    Ok(())
}

/// `x̅ += ȳ · u` with `u = x / ‖x‖` along tangents: `x̅̇ += ȳ̇ · u + ȳ · (ẋ - u · ⟨u, ẋ⟩) / ‖x‖`.
fn nrm2_second<T: Real>(
    n: usize,
    x: &[T],
    incx: usize,
    out: &mut T,
    t: &Tangents,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    nrm2_frule(n, x, incx, out, t)?;
    let norm = *out;
    Ok(move |c: &Cotangents| {
        let operand = vector("x", 1, n, incx);
        let x = operand.read(c.argument(operand.at)?)?;
        let seed = c.seed::<T>(0)?[0];
        if let Some(dx) = operand.cotangent(c)? {
            direction(dx, seed, x, norm);
        }
        let Some(tangent) = c.tangent_of::<T>(operand.at)? else {
            return Ok(());
        };
        let mut tangent = operand.write(tangent)?;
        let moved = c.seed_tangent::<T>(0)?.map_or(T::zero(), |ds| ds[0]);
        direction(tangent.as_mut(), moved, x, norm);
        if let Some(dx) = c.argument_tangent::<T>(operand.at)?
            && !norm.is_zero()
        {
            let dx = operand.read(dx)?;
            let mut unit = faer::Mat::zeros(n, 1);
            direction(unit.as_mut(), T::one(), x, norm);
            let along = inner(unit.as_ref(), ALL, dx);
            accumulate(tangent.as_mut(), ALL, seed / norm, dx);
            accumulate(tangent, ALL, -(seed * along) / norm, unit.as_ref());
        }
        Ok(())
    })
}

/// Calls on which these rules are tested.
pub(super) fn cases() -> Vec<Case> {
    let (x, y) = (|| Value::array(&[7]), || Value::array(&[10]));
    let (n, alpha, two, three) = (
        Value::Int(4),
        Value::Float(0.75),
        Value::Int(2),
        Value::Int(3),
    );
    let scal = [n.clone(), alpha.clone(), x(), two.clone()];
    let axpy = [n.clone(), alpha, x(), two.clone(), y(), three.clone()];
    vec![
        Case::new("scal", scal),
        Case::new("axpy", axpy),
        Case::new("dot", [n.clone(), x(), two.clone(), y(), three]),
        Case::new("nrm2", [n, x(), two]),
    ]
}

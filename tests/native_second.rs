//! A `second` in machine code that takes a missing tangent for zero, as it may: what it writes without one must have one all the same if it is read again.
//! The pack is this test itself.

use mooncake::Const;
use mooncake::prelude::*;
use mooncake_pack::{Cotangents, Float, Outcome, Tangents, native};

mooncake_pack::pack!();

native! {
    /// The elements times `w`, in place.
    fn stretch(w: T, y: &mut [T]) {
        primal: stretch_primal,
        rrule: stretch_rrule,
        frule: stretch_frule,
        second: stretch_second,
    }
}

fn stretch_primal<T: Float>(w: T, y: &mut [T]) -> Outcome {
    y.iter_mut().for_each(|y| *y = w * *y);
    Ok(())
}

fn stretch_rrule<T: Float + Send>(
    w: T,
    y: &mut [T],
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let before = y.to_vec();
    stretch_primal(w, y)?;
    Ok(move |c: &Cotangents| {
        c.memory::<T>(1)?.copy_from_slice(&before);
        let Some(dy) = c.of::<T>(1)? else {
            return Ok(());
        };
        if let Some(dw) = c.of::<T>(0)? {
            for (&y, &dy) in before.iter().zip(&*dy) {
                dw[0] = dw[0] + y * dy;
            }
        }
        dy.iter_mut().for_each(|dy| *dy = w * *dy);
        Ok(())
    })
}

/// The elements and, if there are any, their tangents.
fn along<T: Float>(w: T, dw: T, y: &mut [T], dy: Option<&mut [T]>) {
    if let Some(dy) = dy {
        for (dy, &y) in dy.iter_mut().zip(&*y) {
            *dy = dw * y + w * *dy;
        }
    }
    y.iter_mut().for_each(|y| *y = w * *y);
}

fn stretch_frule<T: Float>(w: T, y: &mut [T], t: &Tangents) -> Outcome {
    let dw = t.of::<T>(0)?.map_or(T::ZERO, |dw| dw[0]);
    along(w, dw, y, t.memory::<T>(1)?);
    Ok(())
}

fn stretch_second<T: Float + Send>(
    w: T,
    y: &mut [T],
    t: &Tangents,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let (before, dy) = (y.to_vec(), t.memory::<T>(1)?);
    let moved = dy.as_ref().map(|dy| dy.to_vec());
    let dw = t.of::<T>(0)?.map_or(T::ZERO, |dw| dw[0]);
    along(w, dw, y, dy);
    Ok(move |c: &Cotangents| {
        c.memory::<T>(1)?.copy_from_slice(&before);
        let still = vec![T::ZERO; before.len()];
        let moved = moved.unwrap_or(still.clone());
        if let Some(memory) = c.memory_tangent::<T>(1)? {
            memory.copy_from_slice(&moved);
        }
        let Some(cy) = c.of::<T>(1)? else {
            return Ok(());
        };
        let mut zeros = still;
        let tangents = c.tangent_of::<T>(1)?.unwrap_or(&mut zeros);
        let (mut cw, mut tw) = (T::ZERO, T::ZERO);
        for (n, (cy, ty)) in cy.iter_mut().zip(tangents).enumerate() {
            cw = cw + before[n] * *cy;
            tw = tw + moved[n] * *cy + before[n] * *ty;
            *ty = dw * *cy + w * *ty;
            *cy = w * *cy;
        }
        for (place, of) in [(c.of::<T>(0)?, cw), (c.tangent_of::<T>(0)?, tw)] {
            if let Some(place) = place {
                place[0] = place[0] + of;
            }
        }
        Ok(())
    })
}

#[differentiable]
extern "pack" {
    fn stretch(w: f64, y: &mut [f64]);
}

#[derive(Clone, Differentiable)]
struct Pair {
    y: [f64; 2],
}

/// Functions `w² y0 y1`, which call `stretch` in different ways.
#[allow(clippy::ptr_arg, reason = "vectors as arguments are what is tested")]
mod forms {
    use super::*;

    #[differentiable]
    pub fn slice(w: f64, y: &mut [f64]) -> f64 {
        stretch(w, y);
        y[0] * y[1]
    }
    #[differentiable]
    pub fn part(w: f64, y: &mut [f64]) -> f64 {
        for n in 0..2 {
            stretch(w, &mut y[n..n + 1]);
        }
        y[0] * y[1]
    }
    #[differentiable]
    pub fn halves(w: f64, y: &mut [f64]) -> f64 {
        let (a, b) = y.split_at_mut(1);
        stretch(w, a);
        stretch(w, b);
        y[0] * y[1]
    }
    #[differentiable]
    pub fn chunks(w: f64, y: &mut [f64]) -> f64 {
        for chunk in y.chunks_mut(1) {
            stretch(w, chunk);
        }
        y[0] * y[1]
    }
    #[differentiable]
    pub fn closure(w: f64, y: &mut [f64]) -> f64 {
        let apply = |y: &mut [f64]| stretch(w, y);
        apply(y);
        y[0] * y[1]
    }
    #[differentiable]
    pub fn vector(w: f64, y: Vec<f64>) -> f64 {
        let mut y = y;
        stretch(w, &mut y);
        y[0] * y[1]
    }
    #[differentiable]
    pub fn list(w: f64, y: [f64; 2]) -> f64 {
        let mut y = y;
        stretch(w, &mut y);
        y[0] * y[1]
    }
    #[differentiable]
    pub fn lent_list(w: f64, y: &mut [f64; 2]) -> f64 {
        stretch(w, y);
        y[0] * y[1]
    }
    #[differentiable]
    pub fn lent_vector(w: f64, y: &mut Vec<f64>) -> f64 {
        stretch(w, y);
        y[0] * y[1]
    }
    #[differentiable]
    pub fn field(w: f64, pair: &mut Pair) -> f64 {
        stretch(w, &mut pair.y);
        pair.y[0] * pair.y[1]
    }
}

/// The value, the derivative by `w`, and its derivative along `(1, nothing)`; or why there is none.
macro_rules! along_w {
    ($ctx:expr, $form:ident, $y:expr) => {{
        let rule = $ctx.build_hvp::<forms::$form>().unwrap();
        let found = rule.value_gradient_and_hvp((0.5, $y), (1.0, ()));
        let found = found.map(|(value, (dw, _), (hw, _))| (value, dw, hw));
        (stringify!($form), found)
    }};
}

#[test]
fn what_is_overwritten_without_a_tangent_has_one_or_is_refused() {
    for ctx in [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
        Context::builder().debug(true).build().unwrap(),
    ] {
        let mut pair = Pair { y: [3.0, 2.0] };
        let right = [
            along_w!(ctx, slice, &mut [3.0, 2.0][..]),
            along_w!(ctx, part, &mut [3.0, 2.0][..]),
            along_w!(ctx, halves, &mut [3.0, 2.0][..]),
            along_w!(ctx, chunks, &mut [3.0, 2.0][..]),
            along_w!(ctx, closure, &mut [3.0, 2.0][..]),
            along_w!(ctx, vector, vec![3.0, 2.0]),
            along_w!(ctx, vector, Const(vec![3.0, 2.0])),
            along_w!(ctx, list, [3.0, 2.0]),
            along_w!(ctx, list, Const([3.0, 2.0])),
        ];
        for (form, found) in right {
            let found = found.unwrap_or_else(|error| panic!("{form}: {error}"));
            assert_eq!(found, (1.5, 6.0, 12.0), "{form}");
        }
        let refused = [
            along_w!(ctx, lent_list, &mut [3.0, 2.0]),
            along_w!(ctx, lent_vector, &mut vec![3.0, 2.0]),
            along_w!(ctx, field, &mut pair),
        ];
        for (form, found) in refused {
            let error = found.unwrap_err().to_string();
            assert!(error.contains("which has no tangent"), "{form}: {error}");
        }
    }
}

#[test]
fn with_a_tangent_of_everything_the_products_are_the_same() {
    let rule = Context::default().build_hvp::<forms::slice>().unwrap();
    let (value, (dw, dy), (hw, hy)) = rule
        .value_gradient_and_hvp((0.5, &mut [3.0, 2.0][..]), (1.0, &mut [0.0, 0.0][..]))
        .unwrap();
    assert_eq!((value, dw, dy), (1.5, 6.0, vec![0.5, 0.75]));
    assert_eq!((hw, hy), (12.0, vec![2.0, 3.0]));
    let (.., (hw, hy)) = rule
        .value_gradient_and_hvp((0.5, &mut [3.0, 2.0][..]), (0.0, &mut [1.0, 0.0][..]))
        .unwrap();
    assert_eq!((hw, hy), (2.0, vec![0.0, 0.25]));
}

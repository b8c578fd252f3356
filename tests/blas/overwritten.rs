//! Memory that a routine overwrites and for which no tangent is given: between the routine and the end it has one all the same.

use mooncake::Const;
use mooncake::prelude::*;

#[differentiable]
#[pack = "linalg"]
extern "pack" {
    fn scal(n: usize, alpha: f64, x: &mut [f64], incx: usize);
    fn axpy(n: usize, alpha: f64, x: &[f64], incx: usize, y: &mut [f64], incy: usize);
}

/// `w² y0 y1`
#[differentiable]
fn scaled(w: f64, y: &mut [f64]) -> f64 {
    scal(2, w, y, 1);
    y[0] * y[1]
}

/// `x0² x1` if `y` is zero.
#[differentiable]
fn added(x: &[f64], y: &mut [f64]) -> f64 {
    axpy(2, 1.0, x, 1, y, 1);
    y[0] * y[0] * y[1]
}

#[test]
fn hessian_products_need_no_tangent_of_what_is_overwritten() {
    for ctx in [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ] {
        let rule = ctx.build_hvp::<scaled>().unwrap();
        let (_, (dw, _), (hw, hy)) = rule
            .value_gradient_and_hvp((0.5, &mut [3.0, 2.0][..]), (1.0, ()))
            .unwrap();
        assert_eq!((dw, hw, hy), (6.0, 12.0, vec![2.0, 3.0]));

        let rule = ctx.build_hvp::<added>().unwrap();
        let x = [3.0, 2.0];
        let (_, (dx, _), (hx, _)) = rule
            .value_gradient_and_hvp((&x[..], &mut [0.0, 0.0][..]), (&[1.0, 0.0][..], ()))
            .unwrap();
        assert_eq!((dx, hx), (vec![12.0, 9.0], vec![4.0, 6.0]));
    }
}

/// The same of a vector.
#[differentiable]
fn scaled_vector(w: f64, y: Vec<f64>) -> f64 {
    let mut y = y;
    scal(2, w, &mut y, 1);
    y[0] * y[1]
}

#[test]
fn neither_of_vectors_nor_of_constant_ones() {
    let rule = Context::default().build_hvp::<scaled_vector>().unwrap();
    let y = || vec![3.0, 2.0];
    let (_, (dw, _), (hw, hy)) = rule.value_gradient_and_hvp((0.5, y()), (1.0, ())).unwrap();
    assert_eq!((dw, hw, hy), (6.0, 12.0, vec![2.0, 3.0]));
    let (_, (dw, ()), (hw, ())) = rule
        .value_gradient_and_hvp((0.5, Const(y())), (1.0, ()))
        .unwrap();
    assert_eq!((dw, hw), (6.0, 12.0));
}

#[test]
fn derivatives_need_none_either() {
    let rule = Context::default().build_frule::<scaled>().unwrap();
    let y = rule
        .value_and_derivative((0.5, &mut [3.0, 2.0][..]), (1.0, ()))
        .unwrap();
    assert_eq!(y, (1.5, 6.0));
}

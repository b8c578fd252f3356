//! Routines of BLAS and LAPACK whose arguments are only partly active, and slices that overlap: the derivative is right, or the program is
//! refused. Memory without a shadow never swallows a derivative.

use mooncake::Const;
use mooncake::prelude::*;

#[differentiable]
#[pack = "linalg"]
extern "pack" {
    fn axpy(n: usize, alpha: f64, x: &[f64], incx: usize, y: &mut [f64], incy: usize);
    fn scal(n: usize, alpha: f64, x: &mut [f64], incx: usize);
    fn dot(n: usize, x: &[f64], incx: usize, y: &[f64], incy: usize) -> f64;
    fn potrf(lower: bool, n: usize, a: &mut [f64], lda: usize);
    fn potrs(lower: bool, n: usize, nrhs: usize, a: &[f64], lda: usize, b: &mut [f64], ldb: usize);
}

const X: [f64; 3] = [1.0, 2.0, 3.0];
const Y: [f64; 3] = [0.5, 0.25, 0.125];

fn ctx() -> Context {
    Context::builder().device(Device::cpu()).build().unwrap()
}

#[differentiable]
fn added(alpha: f64, x: &[f64], y: &mut [f64]) -> f64 {
    axpy(3, alpha, x, 1, y, 1);
    y[0] + 2.0 * y[1] - y[2]
}

/// What is said of constant memory that a derivative would have to pass through.
#[track_caller]
fn says_constant<T: std::fmt::Debug>(result: mooncake::Result<T>, name: &str) {
    let error = result.unwrap_err().to_string();
    let expected = format!(
        "stores values that depend on active parameters in `{name}`, which is marked constant"
    );
    assert!(error.contains(&expected), "{error}");
    assert!(
        error.contains("do not mark that argument `Const`"),
        "{error}"
    );
}

#[test]
fn constant_memory_that_is_overwritten_with_what_varies_is_refused() {
    let (ctx, mut y) = (ctx(), Y);
    let rule = ctx.build_rrule::<added>().unwrap();
    let all = rule.value_and_gradient((0.5, &X[..], &mut y[..])).unwrap();
    assert_eq!(
        all,
        (1.875, (2.0, vec![0.5, 1.0, -0.5], vec![1.0, 2.0, -1.0]))
    );
    let constant = rule.value_and_gradient((0.5, &X[..], Const(&mut y[..])));
    says_constant(constant, "y");
    let alpha_alone = rule.value_and_gradient((0.5, Const(&X[..]), Const(&mut y[..])));
    says_constant(alpha_alone, "y");
    let memory_alone = rule.value_and_gradient((Const(0.5), Const(&X[..]), &mut y[..]));
    assert_eq!(
        memory_alone.unwrap(),
        (1.875, ((), (), vec![1.0, 2.0, -1.0]))
    );
    // The routine itself.
    let rule = ctx.build_rrule::<axpy>().unwrap();
    says_constant(
        rule.value_and_gradient((3, 0.5, &X[..], 1, Const(&mut y[..]), 1)),
        "y",
    );
    let rule = ctx.build_rrule::<scal>().unwrap();
    says_constant(rule.value_and_gradient((3, 0.5, Const(&mut y[..]), 1)), "x");
    assert_eq!(y, Y);
}

#[test]
fn forward_mode_has_a_tangent_of_its_own_for_constant_memory() {
    let rule = ctx().build_frule::<added>().unwrap();
    let args = (0.5, &X[..], Const(&mut { Y }[..]));
    assert_eq!(
        rule.value_and_derivative(args, (1.0, (), ())).unwrap(),
        (1.875, 2.0)
    );
}

#[derive(Differentiable)]
struct Work {
    room: Vec<f64>,
}

#[differentiable]
fn in_room(alpha: f64, x: &[f64], work: &mut Work) -> f64 {
    axpy(3, alpha, x, 1, &mut work.room, 1);
    work.room[0] + 2.0 * work.room[1] - work.room[2]
}

#[test]
fn memory_of_constant_structs_has_shadows_in_between() {
    let ctx = ctx();
    let work = || Work { room: Y.to_vec() };
    let rule = ctx.build_rrule::<in_room>().unwrap();
    let found = rule
        .value_and_gradient((0.5, &X[..], Const(&mut work())))
        .unwrap();
    assert_eq!(found, (1.875, (2.0, vec![0.5, 1.0, -0.5], ())));
    let rule = ctx.build_frule::<in_room>().unwrap();
    let args = (0.5, &X[..], Const(&mut work()));
    assert_eq!(
        rule.value_and_derivative(args, (1.0, (), ())).unwrap(),
        (1.875, 2.0)
    );
}

/// Memory of the function's own, of which no element varies before; on one path both, on the other one alone.
#[differentiable]
fn own_memory(alpha: f64, x: &[f64], many: bool) -> f64 {
    let mut y = vec![0.5; 3];
    let mut z = [0.25; 4];
    if many {
        axpy(3, alpha, x, 1, &mut y, 1);
        axpy(3, alpha, &y, 1, &mut z[1..], 1);
    }
    let target = if many { &mut y[..] } else { &mut z[..] };
    axpy(3, alpha, x, 1, target, 1);
    y[0] + 2.0 * y[1] - y[2] + z[1] * z[2]
}

#[test]
fn own_memory_becomes_active() {
    for many in [false, true] {
        test_rule::<own_memory>(&ctx(), (0.5, &X[..], many)).unwrap();
        test_rule::<own_memory>(&ctx(), (Const(0.5), &X[..], many)).unwrap();
    }
}

#[differentiable]
fn solved(a: &mut [f64], b: &mut [f64]) -> f64 {
    potrf(true, 2, a, 2);
    potrs(true, 2, 1, a, 2, b, 2);
    b[0] + 2.0 * b[1]
}

/// A constant matrix is decomposed, which writes to it, and then only read.
#[test]
fn constant_memory_may_be_overwritten_with_constants() {
    let (mut a, mut b) = ([4.0, 1.0, 1.0, 3.0], [1.0, 2.0]);
    let rule = ctx().build_rrule::<solved>().unwrap();
    let (y, (_, db)) = rule.value_and_gradient((&mut a[..], &mut b[..])).unwrap();
    let constant = rule
        .value_and_gradient((Const(&mut a[..]), &mut b[..]))
        .unwrap();
    assert_eq!(constant, (y, ((), db)));
    assert_eq!((a, b), ([4.0, 1.0, 1.0, 3.0], [1.0, 2.0]));
    says_constant(
        rule.value_and_gradient((&mut a[..], Const(&mut b[..]))),
        "b",
    );
}

#[differentiable]
fn halves(alpha: f64, x: &mut [f64]) -> f64 {
    let (left, right) = x.split_at_mut(3);
    axpy(3, alpha, left, 1, right, 1);
    axpy(2, alpha, right, 1, left, 1);
    x[0] * x[3] + x[4]
}

/// Inputs that are one slice, or overlap in a part of it.
#[differentiable]
fn overlapping(alpha: f64, x: &[f64], y: &mut [f64]) -> f64 {
    axpy(2, alpha, &x[1..], 1, y, 1);
    axpy(2, dot(2, x, 1, &x[1..], 1), x, 1, y, 1);
    dot(3, x, 1, x, 1) + y[0] * y[1]
}

#[test]
fn parts_of_one_slice() {
    let mut x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    test_rule::<halves>(&ctx(), (0.5, &mut x[..])).unwrap();
    test_rule::<overlapping>(&ctx(), (0.5, &X[..], &mut { Y }[..])).unwrap();
    test_rule::<overlapping>(&ctx(), (Const(0.5), &X[..], &mut { Y }[..])).unwrap();
}

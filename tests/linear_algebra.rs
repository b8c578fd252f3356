//! Linear algebra against JAX in double precision: values, gradients and products with Hessians of every decomposition.
//! `tests/linear_algebra/cases.py` has written what JAX says.

use mooncake::Const;
use mooncake::prelude::*;
use serde_json::Value;

/// How far a number may be from JAX's, as a part of the largest of its array.
const TOLERANCE: f64 = 1e-11;

/// The weights of a sum over an array's elements, as in `cases.py`: cos(1), cos(2), …
fn weights(shape: &[usize]) -> Array<f64> {
    let n: usize = shape.iter().product();
    let data: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).cos()).collect();
    Array::from_vec(data, shape.to_vec())
}

fn array(value: &Value) -> Array<f64> {
    let numbers = |key: &str| value[key].as_array().expect("a list").clone();
    let shape: Vec<usize> = (numbers("shape").iter())
        .map(|n| n.as_u64().expect("an extent") as usize)
        .collect();
    let data = numbers("data")
        .iter()
        .map(|x| x.as_f64().expect("a number"))
        .collect();
    Array::from_vec(data, shape)
}

fn arrays(case: &Value, key: &str) -> Vec<Array<f64>> {
    case[key]
        .as_array()
        .expect("a list")
        .iter()
        .map(array)
        .collect()
}

/// The cases of one function.
fn cases(name: &str) -> Vec<Value> {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("linear_algebra/cases.json")).expect("JSON");
    let found: Vec<Value> = all
        .into_iter()
        .filter(|case| case["name"] == name)
        .collect();
    assert!(!found.is_empty(), "no case of {name}");
    found
}

#[track_caller]
fn close(what: &str, found: &Array<f64>, expected: &Array<f64>) {
    assert_eq!(found.shape(), expected.shape(), "{what}");
    let (found, expected) = (found.to_vec().unwrap(), expected.to_vec().unwrap());
    let largest = expected
        .iter()
        .fold(1.0, |largest: f64, x| largest.max(x.abs()));
    for (i, (x, y)) in found.iter().zip(&expected).enumerate() {
        assert!(
            (x - y).abs() <= TOLERANCE * largest,
            "{what}, element {i}: {x}, JAX says {y}"
        );
    }
}

/// Compares a function of one matrix, and weights for its results, with JAX.
macro_rules! one {
    ($f:ident, $name:expr, $weights:expr) => {
        for case in cases($name) {
            let (args, gradient) = (arrays(&case, "args"), arrays(&case, "gradient"));
            let (direction, product) = (arrays(&case, "direction"), arrays(&case, "product"));
            let weights = $weights(args[0].shape());
            let ctx = Context::builder().device(Device::cpu()).build().unwrap();
            let hvp = ctx.build_hvp::<$f>().unwrap();
            let (y, g, h) = hvp
                .value_gradient_and_hvp((&args[0], Const(&weights)), (&direction[0], ()))
                .unwrap();
            let value = Array::from_vec(vec![case["value"].as_f64().unwrap()], []);
            close(concat!("value of ", stringify!($f)), &y, &value);
            close(concat!("gradient of ", stringify!($f)), &g.0, &gradient[0]);
            close(
                concat!("Hessian product of ", stringify!($f)),
                &h.0,
                &product[0],
            );
            test_rule::<$f>(&ctx, (&args[0], Const(&weights))).unwrap();
        }
    };
}

/// Compares a function of two arrays, and weights for its result, with JAX.
macro_rules! two {
    ($f:ident, $name:expr, $weights:expr) => {
        for case in cases($name) {
            let (args, gradient) = (arrays(&case, "args"), arrays(&case, "gradient"));
            let (direction, product) = (arrays(&case, "direction"), arrays(&case, "product"));
            let weights = $weights(args[0].shape(), args[1].shape());
            let ctx = Context::builder().device(Device::cpu()).build().unwrap();
            let hvp = ctx.build_hvp::<$f>().unwrap();
            let (y, g, h) = hvp
                .value_gradient_and_hvp(
                    (&args[0], &args[1], Const(&weights)),
                    (&direction[0], &direction[1], ()),
                )
                .unwrap();
            let value = Array::from_vec(vec![case["value"].as_f64().unwrap()], []);
            close(concat!("value of ", stringify!($f)), &y, &value);
            close(
                concat!("first gradient of ", stringify!($f)),
                &g.0,
                &gradient[0],
            );
            close(
                concat!("second gradient of ", stringify!($f)),
                &g.1,
                &gradient[1],
            );
            close(
                concat!("first Hessian product of ", stringify!($f)),
                &h.0,
                &product[0],
            );
            close(
                concat!("second Hessian product of ", stringify!($f)),
                &h.1,
                &product[1],
            );
            test_rule::<$f>(&ctx, (&args[0], &args[1], Const(&weights))).unwrap();
        }
    };
}

/// Declares functions of one matrix and of weights for their results, which are summed.
macro_rules! weighed {
    ($($f:ident = |$a:ident| $result:expr;)*) => {$(
        #[differentiable]
        fn $f($a: &Array<f64>, w: &Array<f64>) -> Array<f64> {
            ($result * w).sum()
        }
    )*};
}

#[differentiable]
fn cholesky(a: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    (a.cholesky() * w).sum()
}

#[test]
fn cholesky_factors() {
    one!(cholesky, "cholesky", weights);
}

#[differentiable]
fn lu(a: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    let (l, u, _p) = a.lu();
    (l * w).sum() + (u * w).sum()
}

#[test]
fn lu_factors() {
    one!(lu, "lu", weights);
}

/// Weights for an `m × n` matrix and for an `n × n` one.
#[differentiable]
fn qr(a: &Array<f64>, w: &(Array<f64>, Array<f64>)) -> Array<f64> {
    let (q, r) = a.qr();
    (&q * &q * &w.0).sum() + (&r * &r * &w.1).sum()
}

#[test]
fn qr_factors() {
    one!(qr, "qr", |shape: &[usize]| (
        weights(shape),
        weights(&[shape[1], shape[1]])
    ));
}

#[differentiable]
fn svd(a: &Array<f64>, w: &(Array<f64>, Array<f64>, Array<f64>)) -> Array<f64> {
    let (u, s, vt) = a.svd();
    (s * &w.1).sum() + (&u * &u * &w.0).sum() + (&vt * &vt * &w.2).sum()
}

#[test]
fn singular_value_decompositions() {
    one!(svd, "svd", |shape: &[usize]| {
        let k = shape[0].min(shape[1]);
        (
            weights(&[shape[0], k]),
            weights(&[k]),
            weights(&[k, shape[1]]),
        )
    });
}

#[differentiable]
fn singular_values(a: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    let (_u, s, _vt) = a.svd();
    (s * w).sum()
}

#[test]
fn singular_values_alone() {
    one!(singular_values, "svdvals", |shape: &[usize]| weights(&[
        shape[0].min(shape[1])
    ]));
}

#[differentiable]
fn eigh(a: &Array<f64>, w: &(Array<f64>, Array<f64>)) -> Array<f64> {
    let (e, v) = a.eigh();
    (e * &w.0).sum() + (&v * &v * &w.1).sum()
}

#[test]
fn eigenvalues_and_vectors() {
    one!(eigh, "eigh", |shape: &[usize]| (
        weights(&[shape[0]]),
        weights(shape)
    ));
}

#[differentiable]
fn eigenvalues(a: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    let (e, _v) = a.eigh();
    (e * w).sum()
}

#[test]
fn eigenvalues_alone() {
    one!(eigenvalues, "eigvalsh", |shape: &[usize]| weights(&[
        shape[0]
    ]));
}

weighed! {
    inv = |a| a.inv();
    det = |a| a.det();
    logdet = |a| a.logdet();
    trace = |a| a.trace();
    norm = |a| a.norm();
}

fn unit(_: &[usize]) -> Array<f64> {
    Array::from_vec(vec![1.0], [])
}

#[test]
fn inverses() {
    one!(inv, "inv", weights);
}

/// Singular matrices have first and second derivatives, too.
#[test]
fn determinants() {
    one!(det, "det", unit);
}

/// A matrix with a column in which no pivot is left: its determinant is 0, and has a gradient.
#[test]
fn determinants_of_matrices_without_pivots() {
    let a = Array::from_vec(vec![0.0, 3.0, 0.0, 5.0], [2, 2]);
    let (sign, log) = a.slogdet();
    let items = [a.det(), sign, log, a.logdet()].map(|x| x.item().unwrap());
    assert_eq!(items, [0.0, 0.0, f64::NEG_INFINITY, f64::NEG_INFINITY]);
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    test_rule::<det>(&ctx, (&a, Const(&unit(&[])))).unwrap();
    let rule = ctx.build_rrule::<det>().unwrap();
    let (y, (g, ())) = rule.value_and_gradient((&a, Const(&unit(&[])))).unwrap();
    assert_eq!(y.item().unwrap(), 0.0);
    let expected = Array::from_vec(vec![5.0, 0.0, -3.0, 0.0], [2, 2]);
    close("gradient of det", &g, &expected);
}

/// What the first line of an error says after the place in the source.
fn message(found: Array<f64>) -> String {
    let error = found.to_vec().unwrap_err().to_string();
    let line = error.lines().next().unwrap_or_default();
    line[line.find('`').unwrap_or(0)..].to_owned()
}

#[test]
fn what_has_no_answer_is_an_error_that_says_why() {
    let matrix = |data: &[f64], shape: [usize; 2]| Array::from_vec(data.to_vec(), shape);
    let singular = matrix(&[1.0, 2.0, 2.0, 4.0], [2, 2]);
    let indefinite = matrix(&[1.0, 2.0, 2.0, 1.0], [2, 2]);
    let (wide, column) = (
        matrix(&[1.0, 2.0], [1, 2]),
        matrix(&[1.0, 2.0, 3.0], [3, 1]),
    );
    let nan = matrix(&[f64::NAN], [1, 1]);
    let said = [
        message(indefinite.cholesky()),
        message(singular.inv()),
        message(singular.solve(&matrix(&[1.0, 1.0], [2, 1]))),
        message(singular.solve(&column)),
        message(wide.inv()),
        message(wide.qr().0),
        message(nan.svd().1),
        message(nan.eigh().1),
        message(indefinite.logdet()),
        message(matrix(&[0.0], [1, 1]).solve_triangular(&nan, true, false)),
    ];
    let expected = [
        "`linalg::cholesky`: the matrix is not positive definite",
        "`linalg::inv`: the matrix is singular",
        "`linalg::solve`: the matrix is singular",
        "`linalg::solve`: a matrix of 2 × 2 and a right-hand side of 3 rows",
        "`linalg::inv`: expected a square matrix, found an array of shape [1, 2]",
        "`linalg::qr`: expected a matrix with at least as many rows as columns, found 1 × 2",
        "`linalg::svd`: the matrix has elements that are not finite",
        "`linalg::eigh`: the matrix has elements that are not finite",
        "`linalg::logdet`: the determinant is negative and has no logarithm: use `slogdet`",
        "`linalg::solve_triangular`: the matrix is singular, its diagonal has a zero",
    ];
    assert_eq!(said, expected);
}

/// Two eigenvalues that are equal but for rounding: their sum has a gradient, their vectors have none.
#[test]
fn vectors_of_an_eigenvalue_that_occurs_twice_have_no_derivative() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    // q · diag(1, 1, 2) · qᵀ with q = 1 − 2/3 · (1, 1, 1)ᵀ(1, 1, 1): the identity and v · vᵀ, where v = (−2, −2, 1) / 3.
    let v = [-2.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0];
    let element = |k: usize| v[k / 3] * v[k % 3] + f64::from(u8::from(k / 3 == k % 3));
    let a = Array::from_vec((0..9).map(element).collect::<Vec<f64>>(), [3, 3]);
    let ones = Array::from_vec(vec![1.0; 3], [3]);
    let values = ctx.build_rrule::<eigenvalues>().unwrap();
    let (_, g) = values.value_and_gradient((&a, Const(&ones))).unwrap();
    let identity = (0..9).map(|k| f64::from(u8::from(k / 3 == k % 3)));
    close(
        "gradient",
        &g.0,
        &Array::from_vec(identity.collect::<Vec<f64>>(), [3, 3]),
    );
    let vectors = ctx.build_rrule::<eigh>().unwrap();
    let weights = (ones, weights(&[3, 3]));
    let found = vectors.value_and_gradient((&a, Const(&weights)));
    let error = found
        .and_then(|(_, g)| g.0.to_vec())
        .unwrap_err()
        .to_string();
    let why = "the vectors 0 and 1 belong to one eigenvalue or singular value, so their derivative does not exist";
    assert!(error.contains(why), "{error}");
}

/// Functions of a decomposition that are smooth where values occur twice: all vectors that would do give the same.
mod smooth {
    use super::*;

    /// The sum of the sines of all elements, by way of the singular values and vectors.
    #[differentiable]
    pub fn by_singular_vectors(a: &Array<f64>) -> Array<f64> {
        let (u, s, vt) = a.svd();
        (u * s).matmul(&vt).sin().sum()
    }
    /// Of a symmetric matrix.
    #[differentiable]
    pub fn by_eigenvectors(a: &Array<f64>) -> Array<f64> {
        let (w, v) = a.eigh();
        (&v * w).matmul(&v.t()).sin().sum()
    }
    /// The first right singular vector, without its sign.
    #[differentiable]
    pub fn first_vector(a: &Array<f64>) -> Array<f64> {
        let (_, _, vt) = a.svd();
        let v = vt.slice(0);
        (v.slice(0) * v.slice(1)).sum() + v.slice(0) * v.slice(0)
    }
    #[differentiable]
    pub fn squares(a: &Array<f64>) -> Array<f64> {
        let (_, s, _) = a.svd();
        (&s * &s).sum()
    }
}

/// Whether the gradient of a function, its derivative along a direction, and its second derivative along that direction agree with differences of its values:
/// of each that it is right, that it is refused, or what is wrong.
macro_rules! where_values_are_equal {
    ($f:ident, $shape:expr, $a:expr) => {{
        let ctx = Context::builder().device(Device::cpu()).build().unwrap();
        let matrix = |a: Vec<f64>| Array::from_vec(a, $shape);
        let a: Vec<f64> = $a.to_vec();
        let direction: Vec<f64> = (0..a.len()).map(|k| 0.3 + 0.7 * (k as f64).sin()).collect();
        let value = |h: f64| {
            let moved = a.iter().zip(&direction).map(|(a, d)| a + h * d).collect();
            smooth::$f(&matrix(moved)).item().unwrap()
        };
        let along = |g: Array<f64>| -> mooncake::Result<f64> {
            Ok(g.to_vec()?.iter().zip(&direction).map(|(g, d)| g * d).sum())
        };
        let (x, dx) = (matrix(a.clone()), matrix(direction.clone()));
        let h = 1e-4;
        let first = (value(h) - value(-h)) / (2.0 * h);
        let second = (value(h) - 2.0 * value(0.0) + value(-h)) / (h * h);
        let rule = ctx.build_rrule::<smooth::$f>().unwrap();
        let gradient = rule
            .value_and_gradient((&x,))
            .and_then(|(_, (g,))| along(g));
        let frule = ctx.build_frule::<smooth::$f>().unwrap();
        let forward = frule
            .value_and_derivative((&x,), (&dx,))
            .and_then(|(_, d)| d.item());
        let hvp = ctx.build_hvp::<smooth::$f>().unwrap();
        let product = hvp
            .value_gradient_and_hvp((&x,), (&dx,))
            .and_then(|(_, _, (h,))| along(h));
        [
            said(gradient, first),
            said(forward, first),
            said(product, second),
        ]
    }};
}

fn said(found: mooncake::Result<f64>, expected: f64) -> String {
    match found {
        Ok(found) if (found - expected).abs() <= 1e-5 * expected.abs().max(1.0) => "right".into(),
        Ok(found) => format!("{found}, not {expected}"),
        Err(error) => {
            let error = error.to_string();
            let reasons = ["derivative does not exist", "have no derivative"];
            match reasons.iter().any(|reason| error.contains(reason)) {
                true => "refused".into(),
                false => error,
            }
        }
    }
}

/// For each function, shape and matrix what comes of the derivatives.
macro_rules! check_where_values_are_equal {
    ($($f:ident, $shape:expr, $a:expr => $expected:expr;)*) => {$(
        let found = where_values_are_equal!($f, $shape, $a);
        assert_eq!(found, $expected, "{} at {:?}", stringify!($f), $a);
    )*};
}

#[test]
fn where_values_are_equal_derivatives_are_right_or_refused() {
    let (right, refused) = (["right"; 3], ["refused"; 3]);
    // Forward mode does not know which vectors are used.
    let right_by_gradient = ["right", "refused", "refused"];
    let right_at_first_order = ["right", "right", "refused"];
    let (zeros, more_zeros) = ([0.0; 4], [0.0; 9]);
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let rank_one = [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0];
    let rank_two = [1.0, 2.0, 3.0, 2.0, 5.0, 8.0, 3.0, 8.0, 13.0];
    let one_apart = [3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let tall = [1.0, 2.0, 0.5, -1.0, 2.0, 0.25];
    let tall_of_rank_one = [1.0, 0.0, 2.0, 0.0, 3.0, 0.0];
    // Its second value is not 0, but what rounding has left.
    let tall_but_for_rounding = [1.0, 2.0, 2.0, 4.0, 3.0, 6.0];
    check_where_values_are_equal! {
        by_singular_vectors, [2, 2], zeros => refused;
        by_singular_vectors, [3, 3], identity => refused;
        by_singular_vectors, [3, 3], rank_one => refused;
        by_singular_vectors, [3, 2], tall_of_rank_one => refused;
        by_singular_vectors, [3, 2], tall_but_for_rounding => refused;
        by_singular_vectors, [3, 2], tall => right;
        by_singular_vectors, [3, 3], rank_two => right;
        by_eigenvectors, [3, 3], rank_two => right;
        by_eigenvectors, [2, 2], zeros => refused;
        by_eigenvectors, [3, 3], identity => refused;
        by_eigenvectors, [3, 3], rank_one => refused;
        first_vector, [3, 3], one_apart => right_by_gradient;
        squares, [3, 3], identity => right_at_first_order;
        squares, [3, 3], rank_one => right_at_first_order;
        squares, [3, 3], more_zeros => right_at_first_order;
    }
}

#[test]
fn logarithms_of_determinants() {
    one!(logdet, "logdet", unit);
}

#[test]
fn traces_and_norms() {
    one!(trace, "trace", unit);
    one!(norm, "norm", unit);
}

#[differentiable]
fn solve(a: &Array<f64>, b: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    (a.solve(b) * w).sum()
}

#[differentiable]
fn lstsq(a: &Array<f64>, b: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    (a.lstsq(b) * w).sum()
}

#[differentiable]
fn kron(a: &Array<f64>, b: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    (a.kron(b) * w).sum()
}

#[differentiable]
fn dot(a: &Array<f64>, b: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    a.dot(b) * w
}

#[test]
fn linear_systems() {
    two!(solve, "solve", |_: &[usize], b: &[usize]| weights(b));
    two!(lstsq, "lstsq", |a: &[usize], b: &[usize]| weights(
        &[&a[1..], &b[1..]].concat()
    ));
}

#[test]
fn products() {
    two!(kron, "kron", |a: &[usize], b: &[usize]| weights(&[
        a[0] * b[0],
        a[1] * b[1]
    ]));
    two!(dot, "dot", |_: &[usize], _: &[usize]| Array::from_vec(
        vec![1.0],
        []
    ));
}

/// Functions that solve with a triangle, one for each choice: flags are constants of a program.
macro_rules! triangles {
    ($($f:ident = $method:ident($lower:literal, $unit:literal) as $name:literal;)*) => {
        $(
            #[differentiable]
            fn $f(a: &Array<f64>, b: &Array<f64>, w: &Array<f64>) -> Array<f64> {
                (a.$method(b, $lower, $unit) * w).sum()
            }
        )*
        #[test]
        fn triangular_systems() {
            $(two!($f, $name, |_: &[usize], b: &[usize]| weights(b));)*
        }
    };
}

triangles! {
    upper = solve_triangular(false, false) as "solve_triangular 0 0 0";
    upper_unit = solve_triangular(false, true) as "solve_triangular 0 0 1";
    upper_transposed = solve_triangular_t(false, false) as "solve_triangular 0 1 0";
    upper_transposed_unit = solve_triangular_t(false, true) as "solve_triangular 0 1 1";
    lower = solve_triangular(true, false) as "solve_triangular 1 0 0";
    lower_unit = solve_triangular(true, true) as "solve_triangular 1 0 1";
    lower_transposed = solve_triangular_t(true, false) as "solve_triangular 1 1 0";
    lower_transposed_unit = solve_triangular_t(true, true) as "solve_triangular 1 1 1";
}

/// Rounding does not leave a zero on the diagonal of the triangle where columns depend on each other.
#[test]
fn least_squares_of_dependent_columns_are_an_error() {
    let rule = Context::default().build_rrule::<lstsq>().unwrap();
    let weights = Array::ones([2]);
    for rows in 2..7 {
        let y = Array::from_vec((0..rows).map(|i| (i * i) as f64).collect(), [rows]);
        for factor in [1.0, 3.0, 0.1] {
            let pairs = (0..rows).flat_map(|i| [i as f64 + 1.0, factor * (i as f64 + 1.0)]);
            let a = Array::from_vec(pairs.collect(), [rows, 2]);
            let reason = "column 1 of the matrix is 0 or depends on the columns before it";
            let said = a.lstsq(&y).item().unwrap_err().to_string();
            assert!(said.contains(reason), "{said}");
            let gradient = rule.value_and_gradient((&a, &y, &weights));
            let said = gradient.unwrap_err().to_string();
            assert!(said.contains(reason), "{said}");
        }
    }
    let a = Array::from_vec(vec![1.0, 1.0, 1.0, 1.0 + 1e-9], [2, 2]);
    let x = a.lstsq(&Array::from_vec(vec![1.0, 2.0], [2]));
    let x: Vec<f64> = x.to_vec().unwrap();
    assert!((x[1] * 1e-9 - 1.0).abs() < 1e-6);
}

#[differentiable]
fn kron_sum(a: &Array<f64>, b: &Array<f64>) -> f64 {
    (a.sum() + a.kron(b).sum()).to_scalar()
}

/// The gradient of each factor has its shape, also where the product has no elements.
#[test]
fn kronecker_products_with_empty_matrices_have_gradients() {
    let ctx = Context::default();
    let (rule, hvp) = (
        ctx.build_rrule::<kron_sum>().unwrap(),
        ctx.build_hvp::<kron_sum>().unwrap(),
    );
    for (a, b) in [
        ([3, 3], [0, 3]),
        ([0, 3], [3, 3]),
        ([1, 1], [2, 0]),
        ([0, 0], [2, 2]),
    ] {
        let (a, b) = (Array::<f64>::ones(a), Array::<f64>::ones(b));
        let (_, (da, db)) = rule.value_and_gradient((&a, &b)).unwrap();
        assert_eq!((da.shape(), db.shape()), (a.shape(), b.shape()));
        assert_eq!(da.to_vec().unwrap(), vec![1.0; a.len()]);
        assert_eq!(db.to_vec().unwrap(), vec![0.0; b.len()]);
        let (_, _, (da, db)) = hvp.value_gradient_and_hvp((&a, &b), (&a, &b)).unwrap();
        assert_eq!((da.shape(), db.shape()), (a.shape(), b.shape()));
    }
}

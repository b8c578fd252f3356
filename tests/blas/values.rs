//! BLAS and LAPACK on slices: values against plain loops, derivatives in both modes, and what goes wrong.
//!
//! The tests are named after the rows of Mooncake.jl's `blas.jl` and `lapack.jl` that they stand for. Each is run for f64 and for f32.

#![allow(clippy::too_many_arguments, reason = "the arguments of BLAS")]

use mooncake::prelude::*;
use mooncake::testing::test_rule;

/// A matrix as rows, for the plain loops that values are compared with.
type Rows = Vec<Vec<f64>>;

/// The elements of a column-major matrix.
fn rows<T: Copy + Into<f64>>(data: &[T], m: usize, n: usize, ld: usize) -> Rows {
    let row = |i: usize| (0..n).map(|j| data[i + j * ld].into()).collect();
    (0..m).map(row).collect()
}

fn transpose(a: &Rows) -> Rows {
    let n = a.first().map_or(0, Vec::len);
    (0..n)
        .map(|j| a.iter().map(|row| row[j]).collect())
        .collect()
}

fn times(a: &Rows, b: &Rows) -> Rows {
    let b = transpose(b);
    let element = |x: &Vec<f64>, y: &Vec<f64>| x.iter().zip(y).map(|(x, y)| x * y).sum();
    let row = |x: &Vec<f64>| b.iter().map(|y| element(x, y)).collect();
    a.iter().map(row).collect()
}

/// `alpha · a + beta · b`
fn plus(alpha: f64, a: &Rows, beta: f64, b: &Rows) -> Rows {
    let row = |(x, y): (&Vec<f64>, &Vec<f64>)| {
        x.iter().zip(y).map(|(x, y)| alpha * x + beta * y).collect()
    };
    a.iter().zip(b).map(row).collect()
}

/// The matrix or its transpose.
fn op(a: &Rows, trans: bool) -> Rows {
    if trans { transpose(a) } else { a.clone() }
}

/// Each element as a function of its place and its value.
fn each(a: &Rows, f: impl Fn(usize, usize, f64) -> f64) -> Rows {
    let row = |(i, row): (usize, &Vec<f64>)| {
        { row.iter().enumerate() }
            .map(|(j, &x)| f(i, j, x))
            .collect()
    };
    a.iter().enumerate().map(row).collect()
}

fn symmetric(a: &Rows, lower: bool) -> Rows {
    each(a, |i, j, x| {
        if (i >= j) == lower || i == j {
            x
        } else {
            a[j][i]
        }
    })
}

fn triangle(a: &Rows, lower: bool, unit: bool) -> Rows {
    each(a, |i, j, x| match () {
        _ if i == j && unit => 1.0,
        _ if i == j || (i > j) == lower => x,
        _ => 0.0,
    })
}

#[track_caller]
fn close(found: &Rows, expected: &Rows, tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        assert_eq!(x.len(), y.len());
        for (j, (x, y)) in x.iter().zip(y).enumerate() {
            let error = (x - y).abs();
            assert!(
                error <= tolerance * (1.0 + y.abs()),
                "({i}, {j}) is {x}, expected {y}"
            );
        }
    }
}

/// The bits of a number as flags.
fn flags<const N: usize>(bits: usize) -> [bool; N] {
    std::array::from_fn(|i| bits >> i & 1 == 1)
}

const BOTH: [bool; 2] = [false, true];

/// All tests for one float type.
macro_rules! tests {
    ($name:ident, $t:ident, $tolerance:expr) => {
        mod $name {
            use super::*;

            #[differentiable]
            #[pack = "linalg"]
            extern "pack" {
                fn scal(n: usize, alpha: $t, x: &mut [$t], incx: usize);
                fn axpy(n: usize, alpha: $t, x: &[$t], incx: usize, y: &mut [$t], incy: usize);
                fn dot(n: usize, x: &[$t], incx: usize, y: &[$t], incy: usize) -> $t;
                fn nrm2(n: usize, x: &[$t], incx: usize) -> $t;
                // No function has more than twelve arguments: two of gemm's are a tuple.
                fn gemm(
                    trans: (bool, bool),
                    m: usize,
                    n: usize,
                    k: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    b: &[$t],
                    ldb: usize,
                    beta: $t,
                    c: &mut [$t],
                    ldc: usize,
                );
                fn gemv(
                    trans: bool,
                    m: usize,
                    n: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    x: &[$t],
                    incx: usize,
                    beta: $t,
                    y: &mut [$t],
                    incy: usize,
                );
                fn ger(
                    m: usize,
                    n: usize,
                    alpha: $t,
                    x: &[$t],
                    incx: usize,
                    y: &[$t],
                    incy: usize,
                    a: &mut [$t],
                    lda: usize,
                );
                fn symm(
                    left: bool,
                    lower: bool,
                    m: usize,
                    n: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    b: &[$t],
                    ldb: usize,
                    beta: $t,
                    c: &mut [$t],
                    ldc: usize,
                );
                fn symv(
                    lower: bool,
                    n: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    x: &[$t],
                    incx: usize,
                    beta: $t,
                    y: &mut [$t],
                    incy: usize,
                );
                fn syrk(
                    lower: bool,
                    trans: bool,
                    n: usize,
                    k: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    beta: $t,
                    c: &mut [$t],
                    ldc: usize,
                );
                fn syr2k(
                    lower: bool,
                    trans: bool,
                    n: usize,
                    k: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    b: &[$t],
                    ldb: usize,
                    beta: $t,
                    c: &mut [$t],
                    ldc: usize,
                );
                // The widths below and above the diagonal are a tuple: gbmv has thirteen arguments.
                fn gbmv(
                    trans: bool,
                    m: usize,
                    n: usize,
                    widths: (usize, usize),
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    x: &[$t],
                    incx: usize,
                    beta: $t,
                    y: &mut [$t],
                    incy: usize,
                );
                fn sbmv(
                    lower: bool,
                    n: usize,
                    k: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    x: &[$t],
                    incx: usize,
                    beta: $t,
                    y: &mut [$t],
                    incy: usize,
                );
                fn spmv(
                    lower: bool,
                    n: usize,
                    alpha: $t,
                    ap: &[$t],
                    x: &[$t],
                    incx: usize,
                    beta: $t,
                    y: &mut [$t],
                    incy: usize,
                );
                fn spr(lower: bool, n: usize, alpha: $t, x: &[$t], incx: usize, ap: &mut [$t]);
                fn tbmv(
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    n: usize,
                    k: usize,
                    a: &[$t],
                    lda: usize,
                    x: &mut [$t],
                    incx: usize,
                );
                fn tbsv(
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    n: usize,
                    k: usize,
                    a: &[$t],
                    lda: usize,
                    x: &mut [$t],
                    incx: usize,
                );
                fn tpmv(
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    n: usize,
                    ap: &[$t],
                    x: &mut [$t],
                    incx: usize,
                );
                fn tpsv(
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    n: usize,
                    ap: &[$t],
                    x: &mut [$t],
                    incx: usize,
                );
                fn trtrs(
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    n: usize,
                    nrhs: usize,
                    a: &[$t],
                    lda: usize,
                    b: &mut [$t],
                    ldb: usize,
                );
                fn getri(n: usize, a: &mut [$t], lda: usize, ipiv: &[usize]);
                fn trmm(
                    left: bool,
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    m: usize,
                    n: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    b: &mut [$t],
                    ldb: usize,
                );
                fn trsm(
                    left: bool,
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    m: usize,
                    n: usize,
                    alpha: $t,
                    a: &[$t],
                    lda: usize,
                    b: &mut [$t],
                    ldb: usize,
                );
                fn trmv(
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    n: usize,
                    a: &[$t],
                    lda: usize,
                    x: &mut [$t],
                    incx: usize,
                );
                fn trsv(
                    lower: bool,
                    trans: bool,
                    unit: bool,
                    n: usize,
                    a: &[$t],
                    lda: usize,
                    x: &mut [$t],
                    incx: usize,
                );
                fn potrf(lower: bool, n: usize, a: &mut [$t], lda: usize);
                fn lacpy(
                    whole: bool,
                    lower: bool,
                    m: usize,
                    n: usize,
                    a: &[$t],
                    lda: usize,
                    b: &mut [$t],
                    ldb: usize,
                );
                fn potrs(
                    lower: bool,
                    n: usize,
                    nrhs: usize,
                    a: &[$t],
                    lda: usize,
                    b: &mut [$t],
                    ldb: usize,
                );
                fn getrf(m: usize, n: usize, a: &mut [$t], lda: usize, ipiv: &mut [usize]);
                fn getrs(
                    trans: bool,
                    n: usize,
                    nrhs: usize,
                    a: &[$t],
                    lda: usize,
                    ipiv: &[usize],
                    b: &mut [$t],
                    ldb: usize,
                );
            }

            /// Numbers between −1 and 1 that look random and are the same on every run.
            fn numbers(count: usize, seed: u64) -> Vec<$t> {
                let mut state = 88172645463325252 ^ (seed << 20);
                let mut next = || {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    ((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0) as $t
                };
                (0..count).map(|_| next()).collect()
            }

            /// An n × n matrix whose diagonal is larger than the rest of its rows: all its triangles have inverses, and if symmetric it is positive
            /// definite.
            fn dominant(n: usize, ld: usize, seed: u64) -> Vec<$t> {
                let mut a = numbers(ld * n, seed);
                (0..n).for_each(|i| a[i + i * ld] += n as $t);
                a
            }

            #[track_caller]
            fn near(found: Rows, expected: Rows) {
                close(&found, &expected, $tolerance);
            }

            fn ctx() -> Context {
                Context::builder().device(Device::cpu()).build().unwrap()
            }

            #[test]
            fn l1_scal_axpy() {
                let (alpha, x, mut y) = (0.75, numbers(7, 1), numbers(10, 2));
                let before = y.clone();
                axpy(4, alpha, &x, 2, &mut y, 3);
                for (i, (&found, &y)) in y.iter().zip(&before).enumerate() {
                    let added = if i % 3 == 0 {
                        alpha * x[i / 3 * 2]
                    } else {
                        0.0
                    };
                    assert!((found - (y + added)).abs() <= $tolerance as $t, "{i}");
                }
                scal(4, alpha, &mut y, 3);
                assert!((y[9] - alpha * (before[9] + alpha * x[6])).abs() <= $tolerance as $t);
                assert_eq!(y[8], before[8]);
                test_rule::<axpy>(&ctx(), (4, alpha, &x[..], 2, &mut y[..], 3)).unwrap();
                test_rule::<scal>(&ctx(), (4, alpha, &mut y[..], 3)).unwrap();
                // A factor of 0 has a derivative, too.
                test_rule::<axpy>(&ctx(), (4, 0.0, &x[..], 2, &mut y[..], 3)).unwrap();
                test_rule::<scal>(&ctx(), (4, 0.0, &mut y[..], 3)).unwrap();
            }

            #[test]
            fn l1_dot_nrm2() {
                let (x, y) = (numbers(7, 3), numbers(10, 4));
                for (incx, incy) in [(1, 1), (2, 1), (1, 3), (2, 3)] {
                    let found = dot(4, &x, incx, &y, incy);
                    let expected: $t = (0..4).map(|i| x[i * incx] * y[i * incy]).sum();
                    assert!((found - expected).abs() <= $tolerance as $t);
                    test_rule::<dot>(&ctx(), (4, &x[..], incx, &y[..], incy)).unwrap();
                    let found = nrm2(4, &x, incx);
                    let squares: $t = (0..4).map(|i| x[i * incx] * x[i * incx]).sum();
                    assert!((found - squares.sqrt()).abs() <= $tolerance as $t);
                    test_rule::<nrm2>(&ctx(), (4, &x[..], incx)).unwrap();
                }
                // One slice twice.
                #[differentiable]
                fn squares(x: &[$t]) -> $t {
                    dot(4, x, 1, &x[2..], 1)
                }
                test_rule::<squares>(&ctx(), (&x[..],)).unwrap();
                // Squares that are too large or too small, and the kink.
                let huge = $t::MAX / 4.0;
                assert!(
                    (nrm2(2, &[huge, huge], 1) / huge - (2.0 as $t).sqrt()).abs()
                        <= $tolerance as $t
                );
                let tiny = $t::MIN_POSITIVE;
                assert!(
                    (nrm2(2, &[tiny, tiny], 1) / tiny - (2.0 as $t).sqrt()).abs()
                        <= $tolerance as $t
                );
                let rule = ctx().build_rrule::<nrm2>().unwrap();
                let zeros = [0.0; 3];
                let (norm, gradient) = rule.value_and_gradient((3, &zeros[..], 1)).unwrap();
                assert_eq!((norm, gradient.1), (0.0, vec![0.0; 3]));
            }

            #[test]
            fn l3_gemm_with_gradients_of_alpha_and_beta() {
                let (m, n, k) = (3, 2, 4);
                let (a, b, c) = (numbers(20, 5), numbers(20, 6), numbers(10, 7));
                for bits in 0..4 {
                    let [ta, tb] = flags(bits);
                    let shape = |t, m, n| if t { (n, m) } else { (m, n) };
                    let ((am, an), (bm, bn)) = (shape(ta, m, k), shape(tb, k, n));
                    for (alpha, beta) in [(0.75, -0.5), (0.0, 0.5), (1.25, 0.0)] {
                        let mut found = c.clone();
                        gemm((ta, tb), m, n, k, alpha, &a, 5, &b, 4, beta, &mut found, 4);
                        let product =
                            times(&op(&rows(&a, am, an, 5), ta), &op(&rows(&b, bm, bn, 4), tb));
                        let before = rows(&c, m, n, 4);
                        near(
                            rows(&found, m, n, 4),
                            plus(alpha.into(), &product, beta.into(), &before),
                        );
                        // Between the columns nothing is written.
                        assert_eq!((found[3], found[7]), (c[3], c[7]));
                        let args = (
                            (ta, tb),
                            m,
                            n,
                            k,
                            alpha,
                            &a[..],
                            5,
                            &b[..],
                            4,
                            beta,
                            &mut c.clone()[..],
                            4,
                        );
                        test_rule::<gemm>(&ctx(), args).unwrap();
                    }
                }
            }

            /// With a factor of 0, NaN is not read.
            #[test]
            fn l3_gemm_is_nan_safe() {
                let (a, b) = (numbers(4, 8), numbers(4, 9));
                let nan = [$t::NAN; 4];
                let mut c = nan;
                gemm((false, false), 2, 2, 2, 1.0, &a, 2, &b, 2, 0.0, &mut c, 2);
                near(
                    rows(&c, 2, 2, 2),
                    times(&rows(&a, 2, 2, 2), &rows(&b, 2, 2, 2)),
                );
                gemm(
                    (false, false),
                    2,
                    2,
                    2,
                    0.0,
                    &nan,
                    2,
                    &nan,
                    2,
                    0.5,
                    &mut c,
                    2,
                );
                assert!(c.iter().all(|x| x.is_finite()));
                #[differentiable]
                fn product(a: &[$t], b: &[$t]) -> $t {
                    let mut c = [$t::NAN; 4];
                    gemm((false, false), 2, 2, 2, 1.0, a, 2, b, 2, 0.0, &mut c, 2);
                    c[0] + 2.0 * c[1] + 3.0 * c[2] - c[3]
                }
                test_rule::<product>(&ctx(), (&a[..], &b[..])).unwrap();
            }

            /// One slice as both factors.
            #[differentiable]
            fn square(ta: bool, tb: bool, a: &[$t], c: &mut [$t]) {
                gemm((ta, tb), 2, 2, 2, 0.75, a, 2, &a[1..], 2, 0.5, c, 2);
                gemm((ta, tb), 2, 2, 2, 0.75, a, 2, a, 2, 0.5, c, 2);
            }

            #[test]
            fn l3_gemm_of_one_slice_twice() {
                let a = numbers(6, 10);
                for bits in 0..4 {
                    let [ta, tb] = flags(bits);
                    test_rule::<square>(&ctx(), (ta, tb, &a[..], &mut numbers(4, 11)[..])).unwrap();
                }
            }

            #[test]
            fn l2_gemv() {
                let (a, x, y) = (numbers(9, 12), numbers(7, 13), numbers(9, 14));
                for trans in BOTH {
                    let (len, count) = if trans { (3, 2) } else { (2, 3) };
                    let mut found = y.clone();
                    gemv(trans, 3, 2, 0.75, &a, 4, &x, 2, -0.5, &mut found, 3);
                    let product = times(
                        &op(&rows(&a, 3, 2, 4), trans),
                        &rows(&x, 1, len, 2)
                            .into_iter()
                            .next()
                            .map(|r| transpose(&vec![r]))
                            .unwrap(),
                    );
                    let before = transpose(&rows(&y, 1, count, 3));
                    let found = transpose(&rows(&found, 1, count, 3));
                    near(found, plus(0.75, &product, -0.5, &before));
                    let args = (
                        trans,
                        3,
                        2,
                        0.75,
                        &a[..],
                        4,
                        &x[..],
                        2,
                        -0.5,
                        &mut y.clone()[..],
                        3,
                    );
                    test_rule::<gemv>(&ctx(), args).unwrap();
                }
            }

            #[test]
            fn l2_ger() {
                let (x, y, a) = (numbers(7, 15), numbers(7, 16), numbers(9, 17));
                let mut found = a.clone();
                ger(3, 2, 0.75, &x, 2, &y, 3, &mut found, 4);
                let product = times(&transpose(&rows(&x, 1, 3, 2)), &rows(&y, 1, 2, 3));
                near(
                    rows(&found, 3, 2, 4),
                    plus(0.75, &product, 1.0, &rows(&a, 3, 2, 4)),
                );
                let args = (3, 2, 0.75, &x[..], 2, &y[..], 3, &mut a.clone()[..], 4);
                test_rule::<ger>(&ctx(), args).unwrap();
            }

            #[test]
            fn l3_symm_l2_symv() {
                let (b, c) = (numbers(9, 18), numbers(9, 19));
                for bits in 0..4 {
                    let [left, lower] = flags(bits);
                    let size = if left { 3 } else { 2 };
                    let a = numbers(12, 20);
                    let mut found = c.clone();
                    symm(left, lower, 3, 2, 0.75, &a, 4, &b, 4, -0.5, &mut found, 4);
                    let (whole, b_rows) = (
                        symmetric(&rows(&a, size, size, 4), lower),
                        rows(&b, 3, 2, 4),
                    );
                    let product = if left {
                        times(&whole, &b_rows)
                    } else {
                        times(&b_rows, &whole)
                    };
                    near(
                        rows(&found, 3, 2, 4),
                        plus(0.75, &product, -0.5, &rows(&c, 3, 2, 4)),
                    );
                    let args = (
                        left,
                        lower,
                        3,
                        2,
                        0.75,
                        &a[..],
                        4,
                        &b[..],
                        4,
                        -0.5,
                        &mut c.clone()[..],
                        4,
                    );
                    test_rule::<symm>(&ctx(), args).unwrap();
                }
                for lower in BOTH {
                    let (a, mut found) = (numbers(12, 21), c.clone());
                    symv(lower, 3, 0.75, &a, 4, &b, 2, -0.5, &mut found, 3);
                    let x = transpose(&rows(&b, 1, 3, 2));
                    let product = times(&symmetric(&rows(&a, 3, 3, 4), lower), &x);
                    let (y, before) = (rows(&found, 1, 3, 3), rows(&c, 1, 3, 3));
                    near(
                        transpose(&y),
                        plus(0.75, &product, -0.5, &transpose(&before)),
                    );
                    let args = (
                        lower,
                        3,
                        0.75,
                        &a[..],
                        4,
                        &b[..],
                        2,
                        -0.5,
                        &mut c.clone()[..],
                        3,
                    );
                    test_rule::<symv>(&ctx(), args).unwrap();
                }
            }

            #[test]
            fn l3_syrk() {
                let (a, c) = (numbers(12, 22), numbers(12, 23));
                for bits in 0..4 {
                    let [lower, trans] = flags(bits);
                    let (m, n) = if trans { (2, 3) } else { (3, 2) };
                    let mut found = c.clone();
                    syrk(lower, trans, 3, 2, 0.75, &a, 4, -0.5, &mut found, 4);
                    let factor = op(&rows(&a, m, n, 4), trans);
                    let before = rows(&c, 3, 3, 4);
                    let whole = plus(0.75, &times(&factor, &transpose(&factor)), -0.5, &before);
                    // The other triangle is as it was.
                    let expected = each(&whole, |i, j, x| match i == j || (i > j) == lower {
                        true => x,
                        false => before[i][j],
                    });
                    near(rows(&found, 3, 3, 4), expected);
                    let args = (
                        lower,
                        trans,
                        3,
                        2,
                        0.75,
                        &a[..],
                        4,
                        -0.5,
                        &mut c.clone()[..],
                        4,
                    );
                    test_rule::<syrk>(&ctx(), args).unwrap();
                }
            }

            #[test]
            fn l3_syr2k() {
                let (a, b, c) = (numbers(12, 40), numbers(12, 41), numbers(12, 42));
                for bits in 0..4 {
                    let [lower, trans] = flags(bits);
                    let (m, n) = if trans { (2, 3) } else { (3, 2) };
                    let mut found = c.clone();
                    syr2k(lower, trans, 3, 2, 0.75, &a, 4, &b, 4, -0.5, &mut found, 4);
                    let [x, y] = [&a, &b].map(|a| op(&rows(a, m, n, 4), trans));
                    let [xy, yx] = [times(&x, &transpose(&y)), times(&y, &transpose(&x))];
                    let before = rows(&c, 3, 3, 4);
                    let whole = plus(0.75, &plus(1.0, &xy, 1.0, &yx), -0.5, &before);
                    // The other triangle is as it was.
                    let is_stored = |i, j| i == j || (i > j) == lower;
                    let expected = each(&whole, |i, j, x| match is_stored(i, j) {
                        true => x,
                        false => before[i][j],
                    });
                    near(rows(&found, 3, 3, 4), expected);
                    let (ab, beta) = ((&a[..], 4, &b[..], 4), -0.5);
                    let mut c = c.clone();
                    let c = &mut c[..];
                    let args = (lower, trans, 3, 2, 0.75, ab.0, ab.1, ab.2, ab.3, beta, c, 4);
                    test_rule::<syr2k>(&ctx(), args).unwrap();
                }
            }

            /// The elements of a matrix that a function of row and column gives, as gbmv stores them.
            fn banded(
                m: usize,
                n: usize,
                (kl, ku): (usize, usize),
                ld: usize,
                a: &Rows,
            ) -> Vec<$t> {
                let mut band = vec![$t::NAN; ld * n];
                for j in 0..n {
                    for i in (0..m).filter(|&i| i + ku >= j && i <= j + kl) {
                        band[ku + i - j + j * ld] = a[i][j] as $t;
                    }
                }
                // What stands for no element of the matrix is not read, but differences are taken of it.
                { band.iter() }
                    .map(|x| if x.is_nan() { 0.0 } else { *x })
                    .collect()
            }

            #[test]
            fn l2_gbmv() {
                let (x, y) = (numbers(7, 43), numbers(13, 44));
                for (trans, m, n, widths) in [
                    (false, 4, 3, (1, 2)),
                    (true, 4, 3, (1, 2)),
                    (false, 3, 4, (0, 1)),
                    (true, 2, 4, (5, 0)),
                ] {
                    let inside = |i: usize, j: usize| i + widths.1 >= j && i <= j + widths.0;
                    let all = rows(&numbers(16, 45), m, n, 4);
                    let whole = each(&all, |i, j, x| if inside(i, j) { x } else { 0.0 });
                    let a = banded(m, n, widths, 6, &whole);
                    let (len, count) = if trans { (m, n) } else { (n, m) };
                    let mut found = y.clone();
                    gbmv(trans, m, n, widths, 0.75, &a, 6, &x, 2, -0.5, &mut found, 3);
                    let product = times(&op(&whole, trans), &transpose(&rows(&x, 1, len, 2)));
                    let before = transpose(&rows(&y, 1, count, 3));
                    let found = transpose(&rows(&found, 1, count, 3));
                    near(found, plus(0.75, &product, -0.5, &before));
                    let y = &mut y.clone()[..];
                    let args = (trans, m, n, widths, 0.75, &a[..], 6, &x[..], 2, -0.5, y, 3);
                    test_rule::<gbmv>(&ctx(), args).unwrap();
                }
            }

            #[test]
            fn l2_sbmv_spmv() {
                let (x, y) = (numbers(7, 46), numbers(10, 47));
                let all = rows(&numbers(16, 48), 4, 4, 4);
                let before = transpose(&rows(&y, 1, 4, 3));
                let column = transpose(&rows(&x, 1, 4, 2));
                for lower in BOTH {
                    let whole = symmetric(&all, lower);
                    for k in [0, 2, 5] {
                        let band = each(&whole, |i, j, x| if i.abs_diff(j) <= k { x } else { 0.0 });
                        let widths = if lower { (k, 0) } else { (0, k) };
                        let a = banded(4, 4, widths, 7, &band);
                        let mut found = y.clone();
                        sbmv(lower, 4, k, 0.75, &a, 7, &x, 2, -0.5, &mut found, 3);
                        let found = transpose(&rows(&found, 1, 4, 3));
                        near(found, plus(0.75, &times(&band, &column), -0.5, &before));
                        let y = &mut y.clone()[..];
                        let args = (lower, 4, k, 0.75, &a[..], 7, &x[..], 2, -0.5, y, 3);
                        test_rule::<sbmv>(&ctx(), args).unwrap();
                    }
                    let ap = packed(lower, &whole);
                    let mut found = y.clone();
                    spmv(lower, 4, 0.75, &ap, &x, 2, -0.5, &mut found, 3);
                    let found = transpose(&rows(&found, 1, 4, 3));
                    near(found, plus(0.75, &times(&whole, &column), -0.5, &before));
                    let y = &mut y.clone()[..];
                    let args = (lower, 4, 0.75, &ap[..], &x[..], 2, -0.5, y, 3);
                    test_rule::<spmv>(&ctx(), args).unwrap();
                }
            }

            /// The triangle of a matrix, column by column.
            fn packed(lower: bool, a: &Rows) -> Vec<$t> {
                let n = a.len();
                let stored = |j| if lower { j..n } else { 0..j + 1 };
                let places = (0..n).flat_map(|j| stored(j).map(move |i| (i, j)));
                places.map(|(i, j)| a[i][j] as $t).collect()
            }

            #[test]
            fn l2_spr() {
                let (x, before) = (numbers(7, 52), rows(&numbers(16, 53), 4, 4, 4));
                let column = transpose(&rows(&x, 1, 4, 2));
                let update = times(&column, &transpose(&column));
                for lower in BOTH {
                    let ap = packed(lower, &before);
                    let mut found = ap.clone();
                    spr(lower, 4, 0.75, &x, 2, &mut found);
                    let expected = packed(lower, &plus(0.75, &update, 1.0, &before));
                    near(rows(&found, 10, 1, 10), rows(&expected, 10, 1, 10));
                    let args = (lower, 4, 0.75, &x[..], 2, &mut ap.clone()[..]);
                    test_rule::<spr>(&ctx(), args).unwrap();
                }
            }

            #[test]
            fn l2_tbmv_tbsv_tpmv_tpsv() {
                let x = numbers(7, 54);
                let all = rows(&dominant(4, 4, 55), 4, 4, 4);
                let column = |x: &[$t]| transpose(&rows(x, 1, 4, 2));
                for bits in 0..8 {
                    let [lower, trans, unit] = flags(bits);
                    for k in [0, 2, 5] {
                        let band = each(&all, |i, j, x| if i.abs_diff(j) <= k { x } else { 0.0 });
                        let factor = op(&triangle(&band, lower, unit), trans);
                        let widths = if lower { (k, 0) } else { (0, k) };
                        let a = banded(4, 4, widths, 7, &band);
                        let mut found = x.clone();
                        tbmv(lower, trans, unit, 4, k, &a, 7, &mut found, 2);
                        near(column(&found), times(&factor, &column(&x)));
                        let mut found = x.clone();
                        tbsv(lower, trans, unit, 4, k, &a, 7, &mut found, 2);
                        near(times(&factor, &column(&found)), column(&x));
                        let (y, z) = (&mut x.clone()[..], &mut x.clone()[..]);
                        let args = (lower, trans, unit, 4, k, &a[..], 7, y, 2);
                        test_rule::<tbmv>(&ctx(), args).unwrap();
                        let args = (lower, trans, unit, 4, k, &a[..], 7, z, 2);
                        test_rule::<tbsv>(&ctx(), args).unwrap();
                    }
                    let factor = op(&triangle(&all, lower, unit), trans);
                    let ap = packed(lower, &all);
                    let mut found = x.clone();
                    tpmv(lower, trans, unit, 4, &ap, &mut found, 2);
                    near(column(&found), times(&factor, &column(&x)));
                    let mut found = x.clone();
                    tpsv(lower, trans, unit, 4, &ap, &mut found, 2);
                    near(times(&factor, &column(&found)), column(&x));
                    let (y, z) = (&mut x.clone()[..], &mut x.clone()[..]);
                    test_rule::<tpmv>(&ctx(), (lower, trans, unit, 4, &ap[..], y, 2)).unwrap();
                    test_rule::<tpsv>(&ctx(), (lower, trans, unit, 4, &ap[..], z, 2)).unwrap();
                }
            }

            #[test]
            fn lapack_trtrs() {
                let b = numbers(8, 49);
                for bits in 0..8 {
                    let [lower, trans, unit] = flags(bits);
                    let a = dominant(3, 4, 50);
                    let factor = op(&triangle(&rows(&a, 3, 3, 4), lower, unit), trans);
                    let mut found = b.clone();
                    trtrs(lower, trans, unit, 3, 2, &a, 4, &mut found, 4);
                    near(times(&factor, &rows(&found, 3, 2, 4)), rows(&b, 3, 2, 4));
                    let b = &mut b.clone()[..];
                    test_rule::<trtrs>(&ctx(), (lower, trans, unit, 3, 2, &a[..], 4, b, 4))
                        .unwrap();
                }
            }

            /// The inverse of a matrix, by its factors.
            #[differentiable]
            fn inverse(n: usize, a: &mut [$t]) {
                let mut ipiv = [0; 3];
                getrf(n, n, a, 4, &mut ipiv);
                getri(n, a, 4, &ipiv);
            }

            #[test]
            fn lapack_getri() {
                // The rows have to be swapped: the largest elements stand below the diagonal.
                let mut a = numbers(12, 51);
                (a[2], a[4], a[9]) = (3.0, 2.5, -2.0);
                for n in [1, 2, 3] {
                    let mut found = a.clone();
                    inverse(n, &mut found);
                    let unit = each(&rows(&a, n, n, 4), |i, j, _| f64::from(u8::from(i == j)));
                    near(times(&rows(&a, n, n, 4), &rows(&found, n, n, 4)), unit);
                    test_rule::<inverse>(&ctx(), (n, &mut a.clone()[..])).unwrap();
                    let pivots = [2, 2, 2];
                    if n == 3 {
                        let a = &mut a.clone()[..];
                        test_rule::<getri>(&ctx(), (n, a, 4, &pivots[..])).unwrap();
                    }
                }
            }

            #[test]
            fn lapack_lacpy() {
                let (a, b) = (numbers(11, 50), numbers(14, 51));
                for bits in 0..4 {
                    let (whole, lower) = (bits & 1 == 1, bits & 2 == 2);
                    let mut found = b.clone();
                    lacpy(whole, lower, 3, 2, &a, 4, &mut found, 5);
                    let before = rows(&b, 3, 2, 5);
                    let expected = each(&rows(&a, 3, 2, 4), |i, j, x| {
                        let copied = whole || if lower { i >= j } else { i <= j };
                        if copied { x } else { before[i][j] }
                    });
                    assert_eq!(rows(&found, 3, 2, 5), expected);
                    let args = (whole, lower, 3, 2, &a[..], 4, &mut b.clone()[..], 5);
                    test_rule::<lacpy>(&ctx(), args).unwrap();
                }
            }

            #[test]
            fn l3_trmm_trsm() {
                let b = numbers(9, 24);
                for bits in 0..16 {
                    let [left, lower, trans, unit] = flags(bits);
                    let size = if left { 3 } else { 2 };
                    let a = dominant(size, 4, 25);
                    let factor = op(&triangle(&rows(&a, size, size, 4), lower, unit), trans);
                    let applied = |b: &Rows| {
                        if left {
                            times(&factor, b)
                        } else {
                            times(b, &factor)
                        }
                    };
                    let before = rows(&b, 3, 2, 4);
                    let scaled = |by: f64, b: &Rows| each(b, |_, _, x| by * x);

                    let mut found = b.clone();
                    trmm(left, lower, trans, unit, 3, 2, 0.75, &a, 4, &mut found, 4);
                    near(rows(&found, 3, 2, 4), scaled(0.75, &applied(&before)));
                    let mut found = b.clone();
                    trsm(left, lower, trans, unit, 3, 2, 0.75, &a, 4, &mut found, 4);
                    near(applied(&rows(&found, 3, 2, 4)), scaled(0.75, &before));

                    let args = (
                        left,
                        lower,
                        trans,
                        unit,
                        3,
                        2,
                        0.75,
                        &a[..],
                        4,
                        &mut b.clone()[..],
                        4,
                    );
                    test_rule::<trmm>(&ctx(), args).unwrap();
                    let args = (
                        left,
                        lower,
                        trans,
                        unit,
                        3,
                        2,
                        0.75,
                        &a[..],
                        4,
                        &mut b.clone()[..],
                        4,
                    );
                    test_rule::<trsm>(&ctx(), args).unwrap();
                }
            }

            #[test]
            fn l2_trmv_trsv() {
                let x = numbers(7, 26);
                for bits in 0..8 {
                    let [lower, trans, unit] = flags(bits);
                    let a = dominant(3, 4, 27);
                    let factor = op(&triangle(&rows(&a, 3, 3, 4), lower, unit), trans);
                    let column = |x: &[$t]| transpose(&rows(x, 1, 3, 2));
                    let mut found = x.clone();
                    trmv(lower, trans, unit, 3, &a, 4, &mut found, 2);
                    near(column(&found), times(&factor, &column(&x)));
                    let mut found = x.clone();
                    trsv(lower, trans, unit, 3, &a, 4, &mut found, 2);
                    near(times(&factor, &column(&found)), column(&x));
                    let args = (lower, trans, unit, 3, &a[..], 4, &mut x.clone()[..], 2);
                    test_rule::<trmv>(&ctx(), args).unwrap();
                    let args = (lower, trans, unit, 3, &a[..], 4, &mut x.clone()[..], 2);
                    test_rule::<trsv>(&ctx(), args).unwrap();
                }
            }

            /// A solution and the logarithm of the determinant, from one factor.
            #[differentiable]
            fn by_cholesky(lower: bool, a: &mut [$t], b: &mut [$t]) -> $t {
                potrf(lower, 3, a, 4);
                potrs(lower, 3, 2, a, 4, b, 3);
                let mut log = 0.0;
                for i in 0..3 {
                    log += 2.0 * a[i * 5].ln();
                }
                log
            }

            #[test]
            fn lapack_potrf_potrs() {
                for lower in BOTH {
                    let (a, b) = (dominant(3, 4, 28), numbers(6, 29));
                    let (mut factors, mut x) = (a.clone(), b.clone());
                    by_cholesky(lower, &mut factors, &mut x);
                    let whole = symmetric(&rows(&a, 3, 3, 4), lower);
                    let l = op(&triangle(&rows(&factors, 3, 3, 4), lower, false), !lower);
                    near(times(&l, &transpose(&l)), whole.clone());
                    near(times(&whole, &rows(&x, 3, 2, 3)), rows(&b, 3, 2, 3));
                    // The other triangle is as it was.
                    let other = |a: &[$t]| triangle(&rows(a, 3, 3, 4), !lower, true);
                    assert_eq!(other(&factors), other(&a));

                    let args = (lower, 3, &mut a.clone()[..], 4);
                    test_rule::<potrf>(&ctx(), args).unwrap();
                    let args = (lower, 3, 2, &factors[..], 4, &mut b.clone()[..], 3);
                    test_rule::<potrs>(&ctx(), args).unwrap();
                    let args = (lower, &mut a.clone()[..], &mut b.clone()[..]);
                    test_rule::<by_cholesky>(&ctx(), args).unwrap();
                }
            }

            #[differentiable]
            fn by_lu(trans: bool, a: &mut [$t], b: &mut [$t]) -> $t {
                let mut ipiv = [0; 3];
                getrf(3, 3, a, 4, &mut ipiv);
                getrs(trans, 3, 2, a, 4, &ipiv, b, 3);
                a[0] * a[5] * a[10]
            }

            /// The factors of a matrix of any shape, twice with the same pivots.
            #[differentiable]
            fn factors(m: usize, n: usize, a: &mut [$t]) -> usize {
                let mut ipiv = [7; 3];
                getrf(m, n, a, 4, &mut ipiv);
                a[0] *= 1.5;
                ipiv[0] + 10 * ipiv[1] + 100 * ipiv[2]
            }

            #[test]
            fn lapack_getrf_getrs() {
                // The rows have to be swapped: the largest elements stand below the diagonal.
                let mut a = numbers(12, 30);
                (a[2], a[4], a[9]) = (3.0, 2.5, -2.0);
                let b = numbers(6, 31);
                for trans in BOTH {
                    let (mut found, mut x) = (a.clone(), b.clone());
                    by_lu(trans, &mut found, &mut x);
                    near(
                        times(&op(&rows(&a, 3, 3, 4), trans), &rows(&x, 3, 2, 3)),
                        rows(&b, 3, 2, 3),
                    );
                    let args = (trans, &mut a.clone()[..], &mut b.clone()[..]);
                    test_rule::<by_lu>(&ctx(), args).unwrap();
                    let pivots = [2, 2, 2];
                    let args = (
                        trans,
                        3,
                        2,
                        &found[..],
                        4,
                        &pivots[..],
                        &mut b.clone()[..],
                        3,
                    );
                    test_rule::<getrs>(&ctx(), args).unwrap();
                }
                for (m, n) in [(3, 3), (4, 2), (2, 3), (1, 1)] {
                    let (mut found, mut ipiv) = (a.clone(), [7; 3]);
                    getrf(m, n, &mut found, 4, &mut ipiv);
                    let k = m.min(n);
                    assert!(ipiv[k..].iter().all(|&i| i == 7));
                    let l: Rows = triangle(&rows(&found, m, m.min(k), 4), true, true);
                    let u: Rows = triangle(&rows(&found, k, n, 4), false, false);
                    let mut permuted = rows(&a, m, n, 4);
                    (0..k).for_each(|i| permuted.swap(i, ipiv[i]));
                    near(times(&l, &u), permuted);
                    test_rule::<factors>(&ctx(), (m, n, &mut a.clone()[..])).unwrap();
                }
            }

            /// Memory that is overwritten again and again, by calls on parts of it.
            #[differentiable]
            fn in_a_loop(alpha: $t, a: &[$t], x: &mut [$t]) -> $t {
                let mut total = 0.0;
                for i in 0..3 {
                    gemv(
                        false,
                        3,
                        3,
                        alpha,
                        a,
                        3,
                        &[0.5, -0.25, 1.0],
                        1,
                        0.5,
                        &mut x[i..],
                        2,
                    );
                    trsv(true, i == 1, false, 3, a, 3, &mut x[1..], 2);
                    let norm = nrm2(8, x, 1);
                    scal(4, alpha / norm, x, 2);
                    x[2] *= norm;
                    total += norm * x[0];
                }
                total
            }

            #[test]
            fn memory_is_restored() {
                let a = dominant(3, 3, 32);
                for debug in BOTH {
                    let ctx = Context::builder()
                        .device(Device::cpu())
                        .debug(debug)
                        .build()
                        .unwrap();
                    let args = (0.75, &a[..], &mut numbers(8, 33)[..]);
                    test_rule::<in_a_loop>(&ctx, args).unwrap();
                }
            }

            #[test]
            fn nothing_is_no_special_case() {
                let (a, mut c) = (numbers(4, 34), numbers(4, 35));
                let before = c.clone();
                gemm((false, false), 0, 2, 2, 1.0, &a, 1, &a, 2, 0.5, &mut c, 1);
                assert_eq!(c, before);
                gemm((false, false), 2, 2, 0, 1.0, &[], 2, &[], 1, 0.5, &mut c, 2);
                near(
                    rows(&c, 2, 2, 2),
                    each(&rows(&before, 2, 2, 2), |_, _, x| 0.5 * x),
                );
                assert_eq!((dot(0, &[], 1, &[], 1), nrm2(0, &[], 1)), (0.0, 0.0));
                potrf(true, 0, &mut [], 1);
                getrf(0, 0, &mut [], 1, &mut []);
                let args = (
                    (false, false),
                    2,
                    2,
                    0,
                    1.0,
                    &a[..0],
                    2,
                    &a[..0],
                    1,
                    0.5,
                    &mut c[..],
                    2,
                );
                test_rule::<gemm>(&ctx(), args).unwrap();
            }

            #[differentiable]
            fn multiply(m: usize, lda: usize, ldc: usize, a: &[$t], c: &mut [$t]) {
                gemm((false, false), m, 2, 2, 1.0, a, lda, a, 2, 1.0, c, ldc);
            }

            #[differentiable]
            fn cholesky(n: usize, a: &mut [$t]) {
                potrf(true, n, a, 2);
            }

            #[differentiable]
            fn decompose(a: &mut [$t], pivots: &mut [usize]) {
                getrf(2, 2, a, 2, pivots);
            }

            #[differentiable]
            fn back(a: &[$t], pivots: &[usize], x: &mut [$t]) {
                getrs(false, 2, 1, a, 2, pivots, x, 2);
            }

            #[differentiable]
            fn solve(a: &[$t], x: &mut [$t], incx: usize) {
                trsv(true, false, false, 2, a, 2, x, incx);
            }

            /// What a gradient says that cannot be.
            macro_rules! message {
                ($f:ident, $args:expr) => {
                    ctx()
                        .build_primal::<$f>()
                        .unwrap()
                        .call($args)
                        .unwrap_err()
                        .to_string()
                };
            }

            #[track_caller]
            fn says(message: String, expected: &str) {
                assert!(message.contains(expected), "{message}");
            }

            #[test]
            fn what_does_not_fit_is_an_error() {
                let a = [1.0, 2.0, 2.0, 4.0];
                let mut c = [0.0; 4];
                says(
                    message!(multiply, (2, 1, 2, &a[..], &mut c[..])),
                    "the leading dimension of `a` is 1; expected at least 2",
                );
                says(
                    message!(multiply, (2, 3, 2, &a[..], &mut c[..])),
                    "`a` has 4 elements; expected a matrix of 2 × 2 with leading dimension 3",
                );
                says(
                    message!(multiply, (2, usize::MAX, 2, &a[..], &mut c[..])),
                    "`a` has 4 elements; expected a matrix of 2 × 2",
                );
                says(
                    message!(multiply, (2, 2, 3, &a[..], &mut c[..])),
                    "`c` has 4 elements; expected a matrix of 2 × 2 with leading dimension 3",
                );
                says(
                    message!(multiply, (2, 2, 0, &a[..], &mut c[..])),
                    "the leading dimension of `c` is 0; expected at least 2",
                );
                says(
                    message!(solve, (&a[..], &mut c[..], 0)),
                    "the increment of `x` is 0; expected at least 1",
                );
                says(
                    message!(solve, (&a[..], &mut c[..], 4)),
                    "`x` has 4 elements; expected a vector of 2 elements with increment 4",
                );
                says(
                    message!(decompose, (&mut [1.0, 2.0, 3.0, 4.0][..], &mut [0][..])),
                    "`ipiv` has 1 elements; expected at least 2",
                );
                says(
                    message!(back, (&a[..], &[0, 2][..], &mut c[..])),
                    "`ipiv[1]` is 2; expected a row of 2, counted from 0",
                );
            }

            #[test]
            fn singular_and_indefinite_matrices_are_errors() {
                let indefinite = [1.0, 2.0, 2.0, 1.0];
                says(
                    message!(cholesky, (2, &mut indefinite.clone()[..])),
                    "`linalg::potrf`: the matrix is not positive definite",
                );
                says(
                    message!(cholesky, (2, &mut [$t::NAN, 2.0, 2.0, 1.0][..])),
                    "the matrix has elements that are not finite",
                );
                let singular = [1.0, 2.0, 2.0, 4.0];
                says(
                    message!(decompose, (&mut singular.clone()[..], &mut [0; 2][..])),
                    "the matrix is singular: pivot 1 is 0",
                );
                says(
                    message!(solve, (&[0.0, 1.0, 1.0, 1.0][..], &mut [1.0; 2][..], 1)),
                    "the matrix is singular: element (0, 0) of the triangle is 0",
                );
            }
        }
    };
}
tests!(double, f64, 1e-11);
tests!(single, f32, 2e-4);

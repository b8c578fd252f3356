//! Hessian products through BLAS and LAPACK on slices, of every routine: against differences of gradients, which other tests compare with
//! differences of values.

#![allow(clippy::too_many_arguments, reason = "the arguments of BLAS")]

use mooncake::prelude::*;

/// All tests for one float type: the step of the differences, and how far they are off.
macro_rules! tests {
    ($name:ident, $t:ident, $step:expr, $tolerance:expr) => {
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
                fn gemm(trans: (bool, bool), m: usize, n: usize, k: usize, alpha: $t, a: &[$t], lda: usize, b: &[$t], ldb: usize, beta: $t, c: &mut [$t], ldc: usize);
                fn gemv(trans: bool, m: usize, n: usize, alpha: $t, a: &[$t], lda: usize, x: &[$t], incx: usize, beta: $t, y: &mut [$t], incy: usize);
                fn ger(m: usize, n: usize, alpha: $t, x: &[$t], incx: usize, y: &[$t], incy: usize, a: &mut [$t], lda: usize);
                fn symm(left: bool, lower: bool, m: usize, n: usize, alpha: $t, a: &[$t], lda: usize, b: &[$t], ldb: usize, beta: $t, c: &mut [$t], ldc: usize);
                fn symv(lower: bool, n: usize, alpha: $t, a: &[$t], lda: usize, x: &[$t], incx: usize, beta: $t, y: &mut [$t], incy: usize);
                fn syrk(lower: bool, trans: bool, n: usize, k: usize, alpha: $t, a: &[$t], lda: usize, beta: $t, c: &mut [$t], ldc: usize);
                fn syr2k(lower: bool, trans: bool, n: usize, k: usize, alpha: $t, a: &[$t], lda: usize, b: &[$t], ldb: usize, beta: $t, c: &mut [$t], ldc: usize);
                fn trmm(left: bool, lower: bool, trans: bool, unit: bool, m: usize, n: usize, alpha: $t, a: &[$t], lda: usize, b: &mut [$t], ldb: usize);
                fn trmv(lower: bool, trans: bool, unit: bool, n: usize, a: &[$t], lda: usize, x: &mut [$t], incx: usize);
                fn trsm(left: bool, lower: bool, trans: bool, unit: bool, m: usize, n: usize, alpha: $t, a: &[$t], lda: usize, b: &mut [$t], ldb: usize);
                fn trsv(lower: bool, trans: bool, unit: bool, n: usize, a: &[$t], lda: usize, x: &mut [$t], incx: usize);
                fn trtrs(lower: bool, trans: bool, unit: bool, n: usize, nrhs: usize, a: &[$t], lda: usize, b: &mut [$t], ldb: usize);
                // The widths below and above the diagonal are a tuple.
                fn gbmv(trans: bool, m: usize, n: usize, widths: (usize, usize), alpha: $t, a: &[$t], lda: usize, x: &[$t], incx: usize, beta: $t, y: &mut [$t], incy: usize);
                fn sbmv(lower: bool, n: usize, k: usize, alpha: $t, a: &[$t], lda: usize, x: &[$t], incx: usize, beta: $t, y: &mut [$t], incy: usize);
                fn spmv(lower: bool, n: usize, alpha: $t, ap: &[$t], x: &[$t], incx: usize, beta: $t, y: &mut [$t], incy: usize);
                fn spr(lower: bool, n: usize, alpha: $t, x: &[$t], incx: usize, ap: &mut [$t]);
                fn tbmv(lower: bool, trans: bool, unit: bool, n: usize, k: usize, a: &[$t], lda: usize, x: &mut [$t], incx: usize);
                fn tbsv(lower: bool, trans: bool, unit: bool, n: usize, k: usize, a: &[$t], lda: usize, x: &mut [$t], incx: usize);
                fn tpmv(lower: bool, trans: bool, unit: bool, n: usize, ap: &[$t], x: &mut [$t], incx: usize);
                fn tpsv(lower: bool, trans: bool, unit: bool, n: usize, ap: &[$t], x: &mut [$t], incx: usize);
                fn lacpy(whole: bool, lower: bool, m: usize, n: usize, a: &[$t], lda: usize, b: &mut [$t], ldb: usize);
                fn potrf(lower: bool, n: usize, a: &mut [$t], lda: usize);
                fn potrs(lower: bool, n: usize, nrhs: usize, a: &[$t], lda: usize, b: &mut [$t], ldb: usize);
                fn getrf(m: usize, n: usize, a: &mut [$t], lda: usize, ipiv: &mut [usize]);
                fn getrs(trans: bool, n: usize, nrhs: usize, a: &[$t], lda: usize, ipiv: &[usize], b: &mut [$t], ldb: usize);
                fn getri(n: usize, a: &mut [$t], lda: usize, ipiv: &[usize]);
            }

            /// A function of two scalars, a matrix `a` and more numbers `x`, which works on `c`, made of `x`; and its test, for so many bits of flags.
            macro_rules! second {
                ($function:ident, $cases:expr, |$bits:ident, $s:ident, $r:ident, $a:ident, $x:ident, $c:ident| $body:block) => {
                    mod $function {
                        use super::*;

                        #[differentiable]
                        fn function($bits: usize, $s: $t, $r: $t, $a: &[$t], $x: &[$t]) -> $t {
                            let mut values = [0.0; 16];
                            for i in 0..16 {
                                values[i] = $x[i] * (1.0 + 0.25 * $x[i]);
                            }
                            let $c = &mut values;
                            let mut total = 0.0;
                            total += $body;
                            for i in 0..16 {
                                total += values[i] * values[i] * (0.5 + 0.125 * i as $t);
                            }
                            total
                        }

                        #[test]
                        fn hessian_products_are_differences_of_gradients() {
                            let ctx = Context::builder().device(Device::cpu()).build().unwrap();
                            let hvp = ctx.build_hvp::<function>().unwrap();
                            let rule = ctx.build_rrule::<function>().unwrap();
                            for bits in 0..$cases {
                                let (a, x) = (matrix(), numbers(16, 2));
                                let (da, dx) = (numbers(16, 3), numbers(16, 4));
                                let along = ((), 0.3, -0.7, &da[..], &dx[..]);
                                let (_, gradient, product) = hvp
                                    .value_gradient_and_hvp((bits, 0.75, -0.5, &a[..], &x[..]), along)
                                    .unwrap();
                                let at = |h: $t| {
                                    let moved = |x: &[$t], dx: &[$t]| -> Vec<$t> {
                                        x.iter().zip(dx).map(|(x, dx)| x + h * dx).collect()
                                    };
                                    let (a, x) = (moved(&a, &da), moved(&x, &dx));
                                    let args = (bits, 0.75 + 0.3 * h, -0.5 - 0.7 * h, &a[..], &x[..]);
                                    flat(rule.value_and_gradient(args).unwrap().1)
                                };
                                assert_near(&flat(gradient), &at(0.0), 1e3 * $t::EPSILON as f64);
                                let differences = differences(&at($step), &at(-$step), $step as f64);
                                assert_near(&flat(product), &differences, $tolerance);
                            }
                        }
                    }
                };
            }

            /// The numbers of a gradient.
            fn flat(gradient: ((), $t, $t, Vec<$t>, Vec<$t>)) -> Vec<f64> {
                let (_, s, r, a, x) = gradient;
                [s, r].into_iter().chain(a).chain(x).map(f64::from).collect()
            }

            /// `n` numbers that look random.
            fn numbers(n: usize, seed: usize) -> Vec<$t> {
                let number = |i: usize| ((i * 7 + seed * 13) as f64 * 0.61).sin() + 0.1;
                (0..n).map(|i| number(i) as $t).collect()
            }

            /// A matrix of 4 × 4 with a large diagonal.
            fn matrix() -> Vec<$t> {
                let mut a = numbers(16, 1);
                (0..4).for_each(|i| a[5 * i] += 4.0);
                a
            }

            #[differentiable]
            fn bit(bits: usize, n: usize) -> bool {
                bits >> n & 1 == 1
            }

            /// Overwrites what it is given, twice.
            #[differentiable]
            fn in_place(s: $t, a: &[$t], x: &mut [$t]) -> $t {
                trsv(true, false, false, 3, a, 4, x, 1);
                x[1] *= x[0];
                gemv(true, 3, 3, s, a, 4, &[0.5, -0.25, 1.0], 1, s * s, &mut x[1..], 1);
                nrm2(4, x, 1)
            }

            #[test]
            fn memory_and_its_tangents_are_restored() {
                let ctx = Context::builder().device(Device::cpu()).build().unwrap();
                let hvp = ctx.build_hvp::<in_place>().unwrap();
                let rule = ctx.build_rrule::<in_place>().unwrap();
                let (a, mut x) = (matrix(), numbers(4, 2));
                let dx = numbers(4, 4);
                let before = x.clone();
                for along in [0.3, 0.0] {
                    let along_x = &mut dx.clone()[..];
                    // The matrix does not move.
                    let (_, _, product) = hvp
                        .value_gradient_and_hvp((0.75, &a[..], &mut x[..]), (along, (), along_x))
                        .unwrap();
                    assert_eq!(x, before);
                    let at = |h: $t| {
                        let mut x: Vec<$t> = x.iter().zip(&dx).map(|(x, dx)| x + h * dx).collect();
                        let args = (0.75 + along * h, &a[..], &mut x[..]);
                        let (s, a, x) = rule.value_and_gradient(args).unwrap().1;
                        flat(((), s, 0.0, a, x))
                    };
                    let (s, a, x) = product;
                    let differences = differences(&at($step), &at(-$step), $step as f64);
                    assert_near(&flat(((), s, 0.0, a, x)), &differences, $tolerance);
                }
            }

            second!(vectors, 1, |_bits, s, r, a, x, c| {
                    axpy(4, s, a, 2, c, 3);
                    scal(5, r * s, c, 2);
                    dot(4, c, 2, x, 1) * nrm2(5, a, 3)
            });
            second!(one_vector_twice, 1, |_bits, s, r, a, x, c| {
                    axpy(4, s, &x[2..], 1, c, 1);
                    dot(6, x, 2, x, 2) * r + dot(3, c, 1, c, 1) * dot(4, a, 1, &a[2..], 1)
            });
            second!(products, 4, |bits, s, r, a, x, c| {
                    gemm((bit(bits, 0), bit(bits, 1)), 3, 3, 3, s, a, 4, x, 3, r, c, 4);
                    gemm((bit(bits, 1), bit(bits, 0)), 2, 2, 2, r, a, 4, a, 3, s, c, 5);
                    0.0
            });
            second!(products_with_vectors, 2, |bits, s, r, a, x, c| {
                    gemv(bit(bits, 0), 3, 4, s, a, 4, x, 2, r, c, 3);
                    ger(3, 2, r, x, 2, a, 1, c, 4);
                    c[0] * r
            });
            second!(symmetric_products, 4, |bits, s, r, a, x, c| {
                    symm(bit(bits, 0), bit(bits, 1), 3, 3, s, a, 4, x, 3, r, c, 4);
                    symv(bit(bits, 1), 4, r, a, 4, &x[3..], 2, s, c, 2);
                    0.0
            });
            second!(symmetric_updates, 4, |bits, s, r, a, x, c| {
                    syrk(bit(bits, 0), bit(bits, 1), 3, 3, s, a, 4, r, c, 4);
                    syr2k(bit(bits, 0), bit(bits, 1), 3, 3, r, a, 4, x, 3, s, c, 4);
                    0.0
            });
            second!(copies, 4, |bits, s, r, a, x, c| {
                    lacpy(bit(bits, 0), bit(bits, 1), 3, 2, a, 4, c, 5);
                    trmv(bit(bits, 1), false, false, 3, a, 4, c, 2);
                    c[2] * r * s * x[0]
            });
            second!(triangular_products, 16, |bits, s, r, a, x, c| {
                    trmm(bit(bits, 0), bit(bits, 1), bit(bits, 2), bit(bits, 3), 3, 2, s, a, 4, c, 4);
                    trmv(bit(bits, 1), bit(bits, 2), bit(bits, 3), 4, a, 4, &mut c[3..], 2);
                    c[2] * r * x[0]
            });
            second!(triangular_solutions, 16, |bits, s, r, a, x, c| {
                    trsm(bit(bits, 0), bit(bits, 1), bit(bits, 2), bit(bits, 3), 3, 2, s, a, 4, c, 4);
                    trsv(bit(bits, 1), bit(bits, 2), bit(bits, 3), 4, a, 4, &mut c[3..], 2);
                    trtrs(bit(bits, 1), bit(bits, 2), bit(bits, 3), 2, 2, a, 4, &mut c[1..], 3);
                    c[2] * r * x[0]
            });
            second!(bands, 2, |bits, s, r, a, x, c| {
                    gbmv(bit(bits, 0), 4, 3, (1, 2), s, a, 4, x, 2, r, c, 3);
                    sbmv(bit(bits, 0), 4, 2, r, a, 4, x, 2, s, c, 2);
                    spmv(bit(bits, 0), 4, s, a, x, 3, r, c, 3);
                    0.0
            });
            second!(stored_triangles, 8, |bits, s, r, a, x, c| {
                let mut stored = [0.0; 16];
                for i in 0..16 {
                    stored[i] = 1.0 + 0.05 * a[i] * a[i] * r;
                }
                let (lower, trans, unit) = (bit(bits, 0), bit(bits, 1), bit(bits, 2));
                spr(lower, 4, s, x, 2, c);
                tbmv(lower, trans, unit, 4, 2, &stored, 4, c, 2);
                tpmv(lower, trans, unit, 4, x, &mut c[1..], 2);
                tbsv(lower, trans, unit, 4, 2, &stored, 4, &mut c[2..], 3);
                tpsv(lower, trans, unit, 4, &stored, &mut c[3..], 1);
                0.0
            });
            second!(cholesky, 2, |bits, s, r, a, x, c| {
                    let mut factor = [0.0; 16];
                    for i in 0..16 {
                        factor[i] = a[i] * (1.0 + 0.125 * a[i]);
                    }
                    potrf(bit(bits, 0), 4, &mut factor, 4);
                    potrs(bit(bits, 0), 4, 2, &factor, 4, c, 6);
                    factor[5].ln() * s + factor[0] * r * x[0]
            });
            second!(lu, 2, |bits, s, r, a, x, c| {
                    let mut factors = [0.0; 16];
                    let mut pivots = [0; 4];
                    for i in 0..16 {
                        // The largest elements stand below the diagonal.
                        factors[i] = a[(i + 2) % 16] * s + 0.25 * x[i];
                    }
                    getrf(4, 4, &mut factors, 4, &mut pivots);
                    getrs(bit(bits, 0), 4, 2, &factors, 4, &pivots, c, 6);
                    getri(4, &mut factors, 4, &pivots);
                    let mut wide = [0.0; 8];
                    for i in 0..8 {
                        wide[i] = a[i] * r;
                    }
                    getrf(2, 4, &mut wide, 2, &mut pivots);
                    let mut tall = [0.0; 8];
                    for i in 0..8 {
                        tall[i] = a[i];
                    }
                    getrf(4, 2, &mut tall, 4, &mut pivots);
                    factors[3] * factors[5] + dot(8, &wide, 1, &tall, 1)
            });
        }
    };
}

/// The differences of what is found a step on and a step back.
fn differences(up: &[f64], down: &[f64], step: f64) -> Vec<f64> {
    let pairs = up.iter().zip(down);
    pairs.map(|(up, down)| (up - down) / (2.0 * step)).collect()
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        assert!(
            (x - y).abs() <= tolerance * size,
            "number {i} is {x}, expected {y}"
        );
    }
}

tests!(doubles, f64, 1e-5, 1e-8);
tests!(singles, f32, 1e-2, 2e-3);

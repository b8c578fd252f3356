//! Array operations against plain loops, on every device of this machine.
//!
//! Without a GPU adapter the GPU's half says so on stderr; with `MOONCAKE_REQUIRE_GPU=1` it fails instead.

use crate::devices::devices;
use mooncake::prelude::{Context, differentiable};
use mooncake::{Array, Device, Element, Error};

/// An array as the tests know it: shape and elements, and the index arithmetic written out.
#[derive(Clone, Debug)]
struct Plain {
    shape: Vec<usize>,
    data: Vec<f32>,
}

impl Plain {
    /// Elements that no two positions share, of both signs, exact in f32.
    fn new(shape: &[usize], seed: u32) -> Plain {
        let count: usize = shape.iter().product();
        let mut state = seed.wrapping_mul(2654435761).wrapping_add(12345);
        let data = (0..count).map(|_| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            ((state >> 12) as f32 - 524288.0) / 131072.0
        });
        Plain {
            shape: shape.to_vec(),
            data: data.collect(),
        }
    }
    fn from_fn(shape: &[usize], f: impl Fn(&[usize]) -> f32) -> Plain {
        let data = indices(shape).iter().map(|i| f(i)).collect();
        Plain {
            shape: shape.to_vec(),
            data,
        }
    }
    /// The element at an index of a shape that this one broadcasts to.
    fn at(&self, index: &[usize]) -> f32 {
        let own = &index[index.len() - self.shape.len()..];
        let flat = own
            .iter()
            .zip(&self.shape)
            .fold(0, |n, (&i, &e)| n * e + if e == 1 { 0 } else { i });
        self.data[flat]
    }
    fn on(&self, device: &Device) -> Array<f32> {
        Array::from_vec_on(device, self.data.clone(), &self.shape[..])
    }
}

/// All indices of a shape in row-major order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &extent in shape {
        all = all
            .iter()
            .flat_map(|i| (0..extent).map(move |k| [&i[..], &[k]].concat()))
            .collect();
    }
    all
}

/// `index` with position `axis` replaced by, or extended with, `k`.
fn with_axis(index: &[usize], axis: usize, k: usize, replace: bool) -> Vec<usize> {
    let rest = &index[axis + usize::from(replace)..];
    [&index[..axis], &[k], rest].concat()
}

#[track_caller]
fn check(found: &Array<f32>, expected: &Plain, tolerance: f32, what: &str) {
    let data = found.to_vec().unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(found.shape(), expected.shape, "{what}");
    for (n, (&a, &b)) in data.iter().zip(&expected.data).enumerate() {
        let near = (a - b).abs() <= tolerance * b.abs().max(1.0);
        assert!(
            near || a == b || (a.is_nan() && b.is_nan()),
            "{what}: element {n}: found {a}, expected {b}"
        );
    }
}

#[track_caller]
fn message<T: Element>(array: &Array<T>) -> String {
    array.to_vec().expect_err("an error").to_string()
}

const SHAPES: &[&[usize]] = &[
    &[],
    &[1],
    &[5],
    &[0],
    &[3, 4],
    &[1, 7],
    &[7, 1],
    &[0, 3],
    &[3, 0],
    &[2, 3, 4],
    &[2, 1, 3, 5],
    &[33, 65],
];

/// Each shape as a dense array, and where that is possible as a transposed view and as a broadcast one.
fn variants(shape: &[usize], device: &Device) -> Vec<(Array<f32>, Plain)> {
    let plain = Plain::new(shape, 7);
    let mut all = vec![(plain.on(device), plain)];
    if let [rows, columns] = shape[..] {
        let source = Plain::new(&[columns, rows], 8);
        let plain = Plain::from_fn(shape, |i| source.at(&[i[1], i[0]]));
        all.push((source.on(device).t(), plain));
    }
    if shape.len() > 1 {
        let source = Plain::new(&shape[1..], 9);
        let plain = Plain::from_fn(shape, |i| source.at(i));
        all.push((source.on(device).broadcast_to(shape), plain));
    }
    all
}

#[test]
fn elements_go_in_and_come_out() {
    for device in devices() {
        for shape in SHAPES {
            for (array, plain) in variants(shape, &device) {
                check(&array, &plain, 0.0, &format!("{device} {shape:?}"));
                assert_eq!((array.len(), array.ndim()), (plain.data.len(), shape.len()));
                assert_eq!(array.device(), &device);
            }
        }
        let words = vec![0u32, 1, u32::MAX, 7];
        assert_eq!(
            Array::from_vec_on(&device, words.clone(), 4)
                .to_vec()
                .unwrap(),
            words
        );
        let doubles = vec![0.1f64, -0.0, f64::INFINITY];
        assert_eq!(
            Array::from_vec_on(&device, doubles.clone(), [3])
                .to_vec()
                .unwrap(),
            doubles
        );
        assert_eq!(Array::full_on(&device, [], -5i32).item().unwrap(), -5);
        assert_eq!(
            Array::full_on(&device, [2, 2], 1.5f32).to_vec().unwrap(),
            [1.5; 4]
        );
    }
    assert_eq!(Array::<f32>::zeros([2]).to_vec().unwrap(), [0.0; 2]);
    assert_eq!(Array::<u32>::ones([1, 2]).to_vec().unwrap(), [1; 2]);
    assert_eq!(Array::scalar(2.5f64).item().unwrap(), 2.5);
}

#[test]
fn operators_broadcast() {
    type Case<'a> = (&'a [usize], &'a [usize], &'a [usize]);
    let cases: &[Case] = &[
        (&[], &[], &[]),
        (&[3, 4], &[3, 4], &[3, 4]),
        (&[3, 4], &[4], &[3, 4]),
        (&[3, 1], &[4], &[3, 4]),
        (&[], &[2, 3, 4], &[2, 3, 4]),
        (&[2, 1, 4], &[3, 1], &[2, 3, 4]),
        (&[0, 3], &[1, 3], &[0, 3]),
        (&[300, 500], &[500], &[300, 500]),
    ];
    for device in devices() {
        for &(left, right, shape) in cases {
            let (p, q) = (Plain::new(left, 1), Plain::new(right, 2));
            let (a, b) = (p.on(&device), q.on(&device));
            let what = format!("{device} {left:?} {right:?}");
            check(
                &(&a + &b),
                &Plain::from_fn(shape, |i| p.at(i) + q.at(i)),
                0.0,
                &what,
            );
            check(
                &(&a - b.clone()),
                &Plain::from_fn(shape, |i| p.at(i) - q.at(i)),
                0.0,
                &what,
            );
            check(
                &(a.clone() * &b),
                &Plain::from_fn(shape, |i| p.at(i) * q.at(i)),
                0.0,
                &what,
            );
            check(
                &(a.clone() / b.clone()),
                &Plain::from_fn(shape, |i| p.at(i) / q.at(i)),
                1e-6,
                &what,
            );
        }
    }
}

#[test]
fn operators_take_scalars_on_either_side() {
    for device in devices() {
        for (a, p) in variants(&[3, 4], &device) {
            let check = |found: Array<f32>, f: &dyn Fn(f32) -> f32, what: &str| {
                check(&found, &Plain::from_fn(&[3, 4], |i| f(p.at(i))), 1e-6, what);
            };
            check(&a + 2.0, &|x| x + 2.0, "a + s");
            check(a.clone() - 2.0, &|x| x - 2.0, "a - s");
            check(&a * 0.5, &|x| x * 0.5, "a * s");
            check(&a / 3.0, &|x| x / 3.0, "a / s");
            check(2.0 + &a, &|x| 2.0 + x, "s + a");
            check(2.0 - a.clone(), &|x| 2.0 - x, "s - a");
            check(0.5 * &a, &|x| 0.5 * x, "s * a");
            check(3.0 / &a, &|x| 3.0 / x, "s / a");
            check(-&a, &|x| -x, "-a");
            let mut b = a.clone();
            b += &a;
            b *= 2.0;
            check(b, &|x| 4.0 * x, "+= *=");
            check(a.map(|x| x * x + 1.0), &|x| x * x + 1.0, "map");
        }
        let n = Array::from_vec_on(&device, vec![1i32, -2, i32::MAX], [3]);
        assert_eq!((&n + 1).to_vec().unwrap(), [2, -1, i32::MIN]);
        assert_eq!((3 * &n - &n).to_vec().unwrap(), [2, -4, -2]);
    }
}

/// Every unary method against std, on an interval inside its domain.
macro_rules! scalar_functions {
    ($device:ident; $($name:ident in $low:literal..$high:literal;)*) => {$(
        for shape in [&[][..], &[0], &[7], &[37, 65]] {
            let unit = Plain::new(shape, 11);
            let plain = Plain::from_fn(shape, |i| $low + ($high - $low) * (unit.at(i) / 8.0 + 0.5));
            let expected = Plain::from_fn(shape, |i| f64::from(plain.at(i)).$name() as f32);
            let what = format!("{} on {}", stringify!($name), $device);
            check(&plain.on(&$device).$name(), &expected, 4e-6, &what);
        }
    )*};
}

#[test]
fn scalar_functions_of_one_argument() {
    for device in devices() {
        scalar_functions! {
            device;
            abs in -2.0..2.0;
            sqrt in 0.0..4.0;
            cbrt in -4.0..4.0;
            exp in -3.0..2.0;
            exp2 in -3.0..2.0;
            exp_m1 in -2.0..1.0;
            ln in 0.1..9.0;
            ln_1p in -0.8..9.0;
            log2 in 0.1..9.0;
            log10 in 0.1..9.0;
            sin in -7.0..7.0;
            cos in -7.0..7.0;
            tan in -1.2..1.2;
            asin in -1.0..1.0;
            acos in -1.0..1.0;
            atan in -3.0..3.0;
            sinh in -2.0..1.0;
            cosh in -2.0..1.0;
            tanh in -2.0..2.0;
            asinh in -3.0..3.0;
            acosh in 1.2..4.0;
            atanh in -0.8..0.8;
            recip in 0.4..3.0;
            signum in -1.0..1.0;
            floor in -9.0..9.0;
            ceil in -9.0..9.0;
            trunc in -9.0..9.0;
            round in -9.0..9.0;
            fract in -9.0..9.0;
            to_degrees in -0.1..0.1;
            to_radians in -100.0..100.0;
        }
    }
}

#[test]
fn scalar_functions_of_several_arguments() {
    let (p, q) = (Plain::new(&[5, 3], 12), Plain::new(&[3], 13));
    let shape = &[5, 3];
    for device in devices() {
        let (a, b) = (p.on(&device), q.on(&device));
        let check = |found: Array<f32>, f: &dyn Fn(f32, f32) -> f32, what: &str| {
            let expected = Plain::from_fn(shape, |i| f(p.at(i), q.at(i)));
            check(&found, &expected, 1e-5, &format!("{what} on {device}"));
        };
        check(a.max(&b), &f32::max, "max");
        let nan = Array::from_vec_on(&device, vec![f32::NAN], [1]);
        for passed_on in [a.max(&nan), nan.max(&a), a.min(&nan), nan.min(&a)] {
            assert!(passed_on.to_vec().unwrap().iter().all(|x| x.is_nan()));
        }
        check(a.min(&b), &f32::min, "min");
        check(a.max(0.0), &|x, _| x.max(0.0), "max with 0");
        check(a.min(1.0), &|x, _| x.min(1.0), "min with 1");
        check(a.abs().powf(&b), &|x, y| x.abs().powf(y), "powf");
        check(a.abs().powf(0.5), &|x, _| x.abs().powf(0.5), "powf 0.5");
        check(a.powi(3), &|x, _| x.powi(3), "powi 3");
        check(a.powi(-2), &|x, _| x.powi(-2), "powi -2");
        check(a.atan2(&b), &f32::atan2, "atan2");
        check(a.hypot(&b), &f32::hypot, "hypot");
        check(a.copysign(&b), &f32::copysign, "copysign");
        check(a.clamp(-1.0, 0.5), &|x, _| x.clamp(-1.0, 0.5), "clamp");
        check(a.mul_add(2.0, &b), &|x, y| x.mul_add(2.0, y), "mul_add");
    }
}

#[test]
fn reductions() {
    for device in devices() {
        for shape in SHAPES {
            for (a, p) in variants(shape, &device) {
                let what = format!("{device} {shape:?}");
                let total: f64 = p.data.iter().map(|&x| f64::from(x)).sum();
                let scalar = |x: f64| Plain {
                    shape: vec![],
                    data: vec![x as f32],
                };
                check(&a.sum(), &scalar(total), 1e-5, &what);
                check(&a.mean(), &scalar(total / p.data.len() as f64), 1e-5, &what);
                for axis in 0..shape.len() {
                    let mut rest = shape.to_vec();
                    let extent = rest.remove(axis);
                    let line = |i: &[usize]| {
                        (0..extent)
                            .map(|k| p.at(&with_axis(i, axis, k, false)))
                            .collect::<Vec<_>>()
                    };
                    check(
                        &a.sum_axis(axis),
                        &Plain::from_fn(&rest, |i| line(i).iter().sum()),
                        1e-5,
                        &what,
                    );
                    if extent > 0 {
                        let max =
                            |i: &[usize]| line(i).into_iter().fold(f32::NEG_INFINITY, f32::max);
                        check(&a.max_axis(axis), &Plain::from_fn(&rest, max), 0.0, &what);
                    }
                }
            }
        }
    }
}

#[test]
fn sums_of_many_elements_are_accurate() {
    for device in devices() {
        let n = 1_000_003;
        let a = Array::from_vec_on(&device, (0..n).map(|k| 0.1 + (k % 7) as f32).collect(), [n]);
        let exact: f64 = (0..n).map(|k| f64::from(0.1 + (k % 7) as f32)).sum();
        let found = f64::from(a.sum().item().unwrap());
        assert!(
            (found - exact).abs() < 3e-6 * exact,
            "{device}: {found} {exact}"
        );
        let columns = a.reshape([n, 1]).sum_axis(0).item().unwrap();
        assert!(
            (f64::from(columns) - exact).abs() < 3e-6 * exact,
            "{device}: {columns} {exact}"
        );
    }
}

#[test]
fn maxima_propagate_nan_and_infinity() {
    let data = vec![
        1.0,
        f32::NAN,
        3.0,
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
        2.0,
        f32::INFINITY,
        0.0,
    ];
    for device in devices() {
        let found = Array::from_vec_on(&device, data.clone(), [3, 3])
            .max_axis(1)
            .to_vec()
            .unwrap();
        assert!(found[0].is_nan(), "{device}: {found:?}");
        assert_eq!(found[1..], [f32::NEG_INFINITY, f32::INFINITY], "{device}");
    }
}

#[test]
fn matrix_products() {
    let sizes = [
        (1, 1, 1),
        (2, 3, 4),
        (5, 1, 7),
        (0, 3, 2),
        (2, 0, 3),
        (17, 33, 9),
        (64, 64, 64),
        (70, 130, 10),
        (3, 2000, 5),
    ];
    for device in devices() {
        for (m, k, n) in sizes {
            for (a, p) in variants(&[m, k], &device) {
                for (b, q) in variants(&[k, n], &device) {
                    let exact = |i: &[usize]| {
                        (0..k)
                            .map(|l| f64::from(p.at(&[i[0], l])) * f64::from(q.at(&[l, i[1]])))
                            .sum::<f64>() as f32
                    };
                    let expected = Plain::from_fn(&[m, n], exact);
                    check(
                        &a.matmul(&b),
                        &expected,
                        1e-4 * (1.0 + (k as f32).sqrt()),
                        &format!("{device} {m} {k} {n}"),
                    );
                }
            }
        }
    }
}

/// A product with a repeated row or column computes one, and repeats that.
#[test]
fn products_with_repeated_rows_and_columns() {
    for device in devices() {
        let (row, column) = (Plain::new(&[2, 1, 3], 1), Plain::new(&[3, 1], 2));
        let (a, b) = (Plain::new(&[4, 3], 3), Plain::new(&[3, 5], 4));
        let inner = |of: &dyn Fn(usize) -> f32| (0..3).map(of).sum::<f32>();
        let rows = row.on(&device).broadcast_to([2, 4, 3]);
        let columns = column.on(&device).broadcast_to([3, 5]);
        let expected = Plain::from_fn(&[2, 4, 5], |i| {
            inner(&|k| row.at(&[i[0], 0, k]) * b.at(&[k, i[2]]))
        });
        check(&rows.matmul(&b.on(&device)), &expected, 1e-5, "rows");
        let expected = Plain::from_fn(&[4, 5], |i| {
            inner(&|k| a.at(&[i[0], k]) * column.at(&[k, 0]))
        });
        check(&a.on(&device).matmul(&columns), &expected, 1e-5, "columns");
        let expected = Plain::from_fn(&[2, 4, 5], |i| {
            inner(&|k| row.at(&[i[0], 0, k]) * column.at(&[k, 0]))
        });
        let both = rows.matmul(&columns);
        check(&both, &expected, 1e-5, "both");
        // What is made is an array like others.
        let doubled = Plain::from_fn(&[2, 4, 5], |i| 2.0 * expected.at(i));
        check(&(&both + &both), &doubled, 1e-5, "added");
        let vector = Plain::new(&[3], 5);
        let expected = Plain::from_fn(&[2, 4], |i| {
            inner(&|k| row.at(&[i[0], 0, k]) * vector.at(&[k]))
        });
        let vectors = vector.on(&device).reshape([3, 1]);
        let made = rows.matmul(&vectors).reshape([2, 4]);
        check(&made, &expected, 1e-5, "vectors");
    }
}

#[test]
fn softmax_along_each_axis() {
    for device in devices() {
        for shape in SHAPES {
            for (a, p) in variants(shape, &device) {
                for axis in 0..shape.len() {
                    let sum = |i: &[usize]| {
                        (0..shape[axis])
                            .map(|k| f64::from(p.at(&with_axis(i, axis, k, true))).exp())
                            .sum::<f64>()
                    };
                    let what = format!("{device} {shape:?} {axis}");
                    let expected =
                        Plain::from_fn(shape, |i| (f64::from(p.at(i)).exp() / sum(i)) as f32);
                    check(&a.softmax(axis), &expected, 1e-5, &what);
                    let expected =
                        Plain::from_fn(shape, |i| (f64::from(p.at(i)) - sum(i).ln()) as f32);
                    check(&a.log_softmax(axis), &expected, 1e-5, &what);
                }
            }
        }
        let large = Array::from_vec_on(&device, vec![1000.0f32, 1000.0, -1000.0], [1, 3]);
        check(
            &large.softmax(1),
            &Plain {
                shape: vec![1, 3],
                data: vec![0.5, 0.5, 0.0],
            },
            1e-6,
            "large",
        );
    }
}

#[test]
fn gather_along_each_axis() {
    for device in devices() {
        for shape in [&[5][..], &[3, 4], &[2, 3, 4]] {
            for (a, p) in variants(shape, &device) {
                for axis in 0..shape.len() {
                    for picks in [0, 1, 7] {
                        let mut index_shape = shape.to_vec();
                        index_shape[axis] = picks;
                        let count: usize = index_shape.iter().product();
                        let index: Vec<u32> = (0..count)
                            .map(|n| (n * n + 3 * n) as u32 % shape[axis] as u32)
                            .collect();
                        let plain = Plain {
                            shape: index_shape.clone(),
                            data: index.iter().map(|&n| n as f32).collect(),
                        };
                        let index = Array::from_vec_on(&device, index, index_shape.clone());
                        let expected = Plain::from_fn(&index_shape, |i| {
                            p.at(&with_axis(i, axis, plain.at(i) as usize, true))
                        });
                        check(
                            &a.gather(axis, &index),
                            &expected,
                            0.0,
                            &format!("{device} {shape:?} {axis} {picks}"),
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn reshapes_of_views() {
    for device in devices() {
        let p = Plain::new(&[4, 6], 3);
        let a = p.on(&device);
        let flat = Plain {
            shape: vec![24],
            data: p.data.clone(),
        };
        check(&a.reshape([24]), &flat, 0.0, "dense");
        let turned = Plain::from_fn(&[24], |i| p.at(&[i[0] % 4, i[0] / 4]));
        check(&a.t().reshape([24]), &turned, 0.0, "transposed");
        check(
            &a.t().reshape([2, 3, 4]).reshape([24]),
            &turned,
            0.0,
            "transposed, in parts",
        );
        let p = Plain::new(&[300, 333], 6);
        let turned = Plain::from_fn(&[333 * 300], |i| p.at(&[i[0] % 300, i[0] / 300]));
        let what = "large and transposed";
        check(&p.on(&device).t().reshape([333 * 300]), &turned, 0.0, what);
        let row = Plain::new(&[6], 4);
        let repeated = Plain::from_fn(&[24], |i| row.data[i[0] % 6]);
        check(
            &row.on(&device)
                .broadcast_to([4, 6])
                .reshape([2, 12])
                .reshape(24),
            &repeated,
            0.0,
            "broadcast",
        );
        check(
            &Array::full_on(&device, [4, 6], 2.0f32).reshape([3, 8]),
            &Plain::from_fn(&[3, 8], |_| 2.0),
            0.0,
            "full",
        );
    }
}

#[test]
fn the_first_error_sticks() {
    for device in devices() {
        let a = Array::full_on(&device, [2, 3], 1.0f32);
        let bad = a.matmul(&a);
        let expected =
            "matmul: found shapes [2, 3] and [2, 3]: expected matrices with equal inner extents";
        assert_eq!(message(&bad), expected);
        let later = ((&bad + 1.0).t().sum_axis(9) * &a.reshape([7]))
            .softmax(3)
            .mean();
        assert_eq!(message(&later), expected);
        assert_eq!(later.item().unwrap_err().to_string(), expected);
        assert_eq!(message(&(2.0 * &bad)), expected);
        assert_eq!((bad.shape(), bad.len(), bad.dim(0)), (&[][..], 0, 0));
        assert!(bad.error().is_some());
        assert_eq!(later.device(), &device);
        assert_eq!(format!("{bad}"), format!("<{expected}>"));
    }
}

#[test]
fn errors_name_what_was_found_and_expected() {
    let cpu = Device::cpu();
    let a = Array::full_on(&cpu, [2, 3], 1.0f32);
    let index = Array::full_on(&cpu, [2, 1], 3u32);
    let cases = [
        (
            Array::from_vec_on(&cpu, vec![1.0f32; 5], [2, 3]),
            "from_vec: found 5 elements for shape [2, 3]: expected 6",
        ),
        (
            a.reshape([4]),
            "reshape: found shape [4] for an array of shape [2, 3]: expected 6 elements",
        ),
        (
            a.sum_axis(2),
            "sum_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2",
        ),
        (
            a.reshape([6]).t(),
            "t: found an array of shape [6]: expected 2 dimensions",
        ),
        (
            &a + Array::full_on(&cpu, [2], 1.0f32),
            "add: shapes [2, 3] and [2] do not broadcast together: expected equal extents, or 1, counting from the last axis",
        ),
        (
            Array::full_on(&cpu, [0, 3], 1.0f32).max_axis(0),
            "max_axis: found no elements along axis 0 of an array of shape [0, 3]: expected at least one",
        ),
        (
            a.gather(1, &index),
            "gather: found index 3 at [0, 0]: expected indices below 3, the extent of axis 1",
        ),
        (
            a.gather(0, &index),
            "gather: found an index of u32 of shape [2, 1] for shape [2, 3]: expected u32 and equal extents but along axis 0",
        ),
        (
            a.broadcast_to([3, 3]),
            "broadcast_to: found an array of shape [2, 3]: expected one that broadcasts to [3, 3]",
        ),
        (
            Array::full_on(&cpu, [usize::MAX, 4], 1.0f32),
            "an array of shape [18446744073709551615, 4] has more elements than memory has addresses",
        ),
    ];
    for (array, expected) in cases {
        assert_eq!(message(&array), expected);
    }
    let item = a.item().unwrap_err().to_string();
    assert_eq!(
        item,
        "item: found an array of shape [2, 3]: expected one element"
    );
}

#[test]
fn memory_that_is_not_there_is_an_error() {
    let huge = Array::full_on(&Device::cpu(), [1 << 44], 1.0f32);
    assert!(huge.error().is_none(), "a repeated element needs no memory");
    assert!(matches!(huge.to_vec(), Err(Error::Memory(_))));
    assert!(matches!((&huge + 1.0).to_vec(), Err(Error::Memory(_))));
    // The results are small, but the list of the pieces of the work is not.
    let largest = Array::full_on(&Device::cpu(), [usize::MAX / 32], 1.0f64);
    for found in [
        huge.sum().error(),
        huge.max_axis(0).error(),
        largest.sum().error(),
    ] {
        assert!(matches!(found, Some(Error::Memory(_))), "{found:?}");
    }
}

/// Runs one test of this file in a process of its own, which `MOONCAKE_DEVICE` tells this device.
fn run_alone(test: &str, device: &str, limit: &str) {
    let child = std::process::Command::new("sh")
        .args(["-c", &format!("{limit} exec \"$0\" --exact \"$1\"")])
        .arg(std::env::current_exe().unwrap())
        .arg(format!("values::{test}"))
        .env("MOONCAKE_TEST_CHILD", "")
        .env("RAYON_NUM_THREADS", "1")
        .env("MOONCAKE_DEVICE", device)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    assert!(
        child.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

/// Whether this process is one that `run_alone` has started.
fn is_alone() -> bool {
    std::env::var_os("MOONCAKE_TEST_CHILD").is_some()
}

/// Each array is small, and together they are more than the process may have. This test is its own child, because the limit stays.
#[cfg(unix)]
#[test]
fn memory_that_many_arrays_have_used_up_is_an_error() {
    if !is_alone() {
        let name = "memory_that_many_arrays_have_used_up_is_an_error";
        return run_alone(name, "cpu", "ulimit -v 2000000;");
    }
    let mut arrays = vec![Array::full_on(&Device::cpu(), [1 << 20], 1.0f64)];
    let error = loop {
        let next = arrays[arrays.len() - 1].map(|x| x + 1.0);
        match next.error().cloned() {
            Some(error) => break error,
            None => arrays.push(next),
        }
        assert!(arrays.len() < 400);
    };
    drop(arrays);
    assert!(matches!(error, Error::Memory(_)), "{error}");
}

#[test]
fn an_empty_axis_is_split_into_a_bounded_number_of_parts() {
    let empty = Array::full_on(&Device::cpu(), [0], 1.0f32);
    assert_eq!(empty.split(0, 3).len(), 3);
    let found = empty.split(0, usize::MAX);
    let error = found[0].error().unwrap().to_string();
    assert!(error.contains("expected at most 65536"), "{error}");
}

#[test]
fn arrays_on_two_devices_do_not_mix() {
    for device in devices().into_iter().filter(Device::is_gpu) {
        let a = Array::full_on(&Device::cpu(), [2], 1.0f32);
        let b = Array::full_on(&device, [2], 1.0f32);
        let found = message(&(&a + &b));
        assert_eq!(
            found,
            format!(
                "add: found arrays on cpu and on {device}: expected one device (`to_device` copies)"
            )
        );
        check(
            &(a.to_device(&device) + b),
            &Plain::from_fn(&[2], |_| 2.0),
            0.0,
            "moved",
        );
    }
}

/// Elements that a device cannot hold are in the host's memory, and mix with what is on the device all the same.
#[test]
fn doubles_belong_to_every_device() {
    for device in devices() {
        let a = Array::from_vec_on(&device, vec![1.0f64, 1e-9, 3.0, 4.0], [2, 2]);
        let index = Array::from_vec_on(&device, vec![1u32, 0], [1, 2]);
        assert_eq!(
            a.gather(0, &index).to_vec().unwrap(),
            [3.0, 1e-9],
            "{device}"
        );
        assert_eq!(
            (&a + 1.0).to_vec().unwrap(),
            [2.0, 1.000000001, 4.0, 5.0],
            "{device}"
        );
        assert_eq!(
            a.matmul(&a.t()).to_vec().unwrap(),
            [1.0 + 1e-18, 3.0 + 4e-9, 3.0 + 4e-9, 25.0],
            "{device}"
        );
        assert_eq!(a.exp().sum_axis(1).dim(0), 2, "{device}");
        assert_eq!(a.sin().to_vec().unwrap()[1], 1e-9f64.sin(), "{device}");
        assert_eq!(a.device(), &device);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let p = Plain::new(&[700, 300], 5);
    let run = || {
        let a = p.on(&Device::cpu());
        let index = Array::from_vec_on(
            &Device::cpu(),
            (0..700 * 200).map(|n| n % 300).collect(),
            [700, 200],
        );
        [
            a.sum(),
            a.t().sum(),
            a.sum_axis(0),
            a.sum_axis(1),
            a.t().sum_axis(0),
            a.max_axis(0),
            a.softmax(0),
            a.log_softmax(1),
            a.gather(1, &index),
            &a * &a.t().t() + 1.0,
            a.t().matmul(&a),
        ]
        .map(|array| {
            array
                .to_vec()
                .unwrap()
                .into_iter()
                .map(f32::to_bits)
                .collect::<Vec<_>>()
        })
    };
    let with = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(run)
    };
    let one = with(1);
    for threads in [2, 3, 8] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

#[test]
fn printing() {
    let cpu = Device::cpu();
    let a = Array::from_vec_on(&cpu, vec![1.0f32, 2.5, -3.0, 4.0], [2, 2]);
    assert_eq!(a.to_string(), "[[1.0, 2.5],\n [-3.0, 4.0]]");
    assert_eq!(
        format!("{a:?}"),
        "Array<f32>[2, 2] on cpu: [[1.0, 2.5],\n [-3.0, 4.0]]"
    );
    assert_eq!(Array::full_on(&cpu, [], 2u32).to_string(), "2");
    assert_eq!(Array::full_on(&cpu, [0], 2u32).to_string(), "[]");
    assert_eq!(
        Array::full_on(&cpu, [2000], 1u32).to_string(),
        "[1, 1, 1, …, 1, 1, 1]"
    );
}

#[test]
fn arrays_go_between_threads() {
    fn movable<T: Send + Sync + Clone>() {}
    movable::<Array<f32>>();
    movable::<Array<u32>>();
    movable::<Device>();
}

#[test]
fn devices_have_names() {
    assert_eq!(Device::cpu().to_string(), "cpu");
    assert_eq!(Device::available().last(), Some(&Device::cpu()));
    let error = Device::by_name("tpu").unwrap_err().to_string();
    assert_eq!(error, "unknown device `tpu`: expected auto, gpu or cpu");
}

#[differentiable]
fn product_of_parts(parts: &[Array<f64>]) -> Array<f64> {
    (&parts[0] * &parts[1]).map(|v| v * v.sin()).sum()
}

/// Where `MOONCAKE_DEVICE` asks for a device that there is not, everything on the default device is an error that names the variable. A
/// context on the CPU never asks for the default device. The variable is read once in a process: this test is its own child.
#[test]
fn a_context_on_the_cpu_opens_no_adapter() {
    if !is_alone() {
        return run_alone("a_context_on_the_cpu_opens_no_adapter", "bogus", "");
    }
    let error = Device::from_env().unwrap_err().to_string();
    assert_eq!(
        error,
        "unknown device `bogus` in MOONCAKE_DEVICE: expected auto, gpu or cpu"
    );
    let default = Array::from_vec(vec![1.0], [1]);
    assert_eq!(default.error().unwrap().to_string(), error);
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let part = |x| Array::from_vec_on(&Device::cpu(), vec![x, 2.0], [2]);
    let parts = [part(0.5), part(1.5)];
    let rule = ctx.build_rrule::<product_of_parts>().unwrap();
    let (y, (gradient,)) = rule.value_and_gradient((&parts[..],)).unwrap();
    assert!(y.item().unwrap().is_finite());
    for (gradient, x) in gradient.iter().zip(&parts) {
        assert_eq!(gradient.device(), &Device::cpu());
        assert_eq!(gradient.shape(), x.shape());
    }
}

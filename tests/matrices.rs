//! Hessians, Jacobians and derivatives along several directions at once: the same numbers as one at a time.

use mooncake::Const;
use mooncake::prelude::*;
use mooncake::{Pattern, Rows};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let (a, b) = (1.0 - x[i - 1], x[i] - x[i - 1] * x[i - 1]);
        sum += a * a + 100.0 * b * b;
    }
    sum
}

fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 + (i as f64 * 0.7).sin()).collect()
}

fn unit(i: usize, n: usize) -> Vec<f64> {
    (0..n).map(|j| f64::from(u8::from(i == j))).collect()
}

#[test]
fn hessians_of_every_width() {
    let ctx = Context::default();
    let hessian = ctx.build_hessian::<rosenbrock>().unwrap();
    for n in (0..20).chain([63, 64, 65]) {
        let x = point(n);
        let (y, (g,), h) = hessian.value_gradient_and_hessian((&x,)).unwrap();
        assert_eq!(y, rosenbrock(&x));
        assert_eq!((g.len(), h.len()), (n, n));
        for i in 0..n {
            for j in 0..n {
                let expected = match i.abs_diff(j) {
                    0 => {
                        let own = 2.0 + 1200.0 * x[i] * x[i]
                            - 400.0 * x.get(i + 1).copied().unwrap_or(0.0);
                        let own = if i + 1 < n { own } else { 0.0 };
                        own + if i > 0 { 200.0 } else { 0.0 }
                    }
                    1 => -400.0 * x[i.min(j)],
                    _ => 0.0,
                };
                let near = (h[i][j] - expected).abs() <= 1e-9 * (1.0 + expected.abs());
                assert!(
                    near,
                    "n = {n}, h[{i}][{j}]: found {}, expected {expected}",
                    h[i][j]
                );
            }
        }
    }
}

/// Loops whose number of rounds depends on the data, branches, recursion, a vector that grows, a list and an object.
#[differentiable]
fn winding(x: &[f64], scale: f64, rounds: usize) -> f64 {
    let mut kept = Vec::new();
    let mut total = scale;
    for &v in x {
        let mut w = v;
        while w.abs() < 2.0 {
            w = w * 1.5 + scale * 0.1 + 0.2;
            kept.push(w * v);
        }
        total += if v > 0.4 {
            w.abs().ln() * v
        } else {
            descend(w, rounds)
        };
    }
    let mut list = [scale, total, 0.5];
    for (i, k) in kept.iter().enumerate() {
        list[i % 3] += k.sin() * list[(i + 1) % 3];
    }
    list[0] * list[1] + (1.0 + list[2] * list[2]).sqrt()
}

#[differentiable]
fn descend(x: f64, n: usize) -> f64 {
    if n == 0 {
        x * x
    } else {
        x.cos() * descend(x * 0.9, n - 1)
    }
}

/// The rows of the Hessian and the columns of the Jacobian, one direction at a time.
#[test]
fn several_directions_give_the_bits_of_each() {
    for ctx in [
        Context::default(),
        Context::builder().debug(true).build().unwrap(),
    ] {
        let x = point(11);
        let hessian = ctx.build_hessian::<winding>().unwrap();
        let (y, (gx, gs, ()), h) = hessian.value_gradient_and_hessian((&x, 0.7, 2)).unwrap();
        assert_eq!(y, winding(&x, 0.7, 2));
        assert!(h.iter().flatten().all(|entry| entry.is_finite()), "{h:?}");
        let hvp = ctx.build_hvp::<winding>().unwrap();
        let frule = ctx.build_frule::<winding>().unwrap();
        let mut all = Vec::new();
        for i in 0..12 {
            let (dx, ds) = (unit(i, 11), f64::from(u8::from(i == 11)));
            let (_, (gx_again, gs_again, ()), (hx, hs, ())) = hvp
                .value_gradient_and_hvp((&x, 0.7, 2), (&dx, ds, ()))
                .unwrap();
            assert_eq!((&gx_again, gs_again), (&gx, gs));
            assert_eq!(h[i], [&hx[..], &[hs]].concat());
            let (_, dy) = frule
                .value_and_derivative((&x, 0.7, 2), (&dx, ds, ()))
                .unwrap();
            all.push((dx, ds, dy));
        }
        for count in 0..=12 {
            let tangents = all[..count]
                .iter()
                .map(|(dx, ds, _)| (dx, *ds, ()))
                .collect();
            let (value, found) = frule.value_and_derivatives((&x, 0.7, 2), tangents).unwrap();
            assert_eq!(value, y);
            let expected: Vec<f64> = all[..count].iter().map(|(_, _, dy)| *dy).collect();
            assert_eq!(found, expected, "{count} directions");
        }
    }
}

#[test]
fn constant_arguments_have_no_rows() {
    let ctx = Context::default();
    let x = point(5);
    let hessian = ctx.build_hessian::<winding>().unwrap();
    let (_, _, all) = hessian.value_gradient_and_hessian((&x, 0.7, 2)).unwrap();
    let (_, (_, (), ()), of_x) = hessian
        .value_gradient_and_hessian((&x, Const(0.7), 2))
        .unwrap();
    let expected: Rows = all[..5].iter().map(|row| row[..5].to_vec()).collect();
    assert_near(&of_x, &expected);
    let (_, ((), _, ()), of_scale) = hessian
        .value_gradient_and_hessian((Const(&x), 0.7, 2))
        .unwrap();
    assert_near(&of_scale, &vec![vec![all[5][5]]]);
    let (_, ((), (), ()), none) = hessian
        .value_gradient_and_hessian((Const(&x), Const(0.7), 2))
        .unwrap();
    assert!(none.is_empty());
    let jacobian = ctx.build_jacobian::<several>().unwrap();
    let (_, all) = jacobian.value_and_jacobian((&x, 0.7)).unwrap();
    let (_, of_scale) = jacobian.value_and_jacobian((Const(&x), 0.7)).unwrap();
    let expected: Rows = all.iter().map(|row| vec![row[5]]).collect();
    assert_near(&of_scale, &expected);
}

#[track_caller]
fn assert_near(found: &Rows, expected: &Rows) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!(
                (a - b).abs() <= 1e-12 * (1.0 + b.abs()),
                "found {found:?}, expected {expected:?}"
            );
        }
    }
}

#[differentiable]
fn several(x: &[f64], scale: f64) -> Vec<f64> {
    let mut y = Vec::new();
    for i in 0..3 {
        let mut sum = 0.0;
        for (j, v) in x.iter().enumerate() {
            sum += (scale * v * (i * j) as f64).sin();
        }
        y.push(sum * x[i]);
    }
    y
}

/// Narrow matrices go forward, tall ones backward; both are products with unit vectors.
#[test]
fn jacobians_forward_and_backward() {
    let ctx = Context::default();
    let jacobian = ctx.build_jacobian::<several>().unwrap();
    let frule = ctx.build_frule::<several>().unwrap();
    // Widths that go forward, then backward from the beginning, then forward again.
    for n in [3, 9, 120, 121, 4] {
        let x = point(n);
        let (y, j) = jacobian.value_and_jacobian((&x, 0.3)).unwrap();
        assert_eq!(y, several(&x, 0.3));
        assert_eq!(j.len(), 3);
        for k in 0..=n {
            let ds = f64::from(u8::from(k == n));
            let (_, column) = frule
                .value_and_derivative((&x, 0.3), (&unit(k, n), ds))
                .unwrap();
            let found: Vec<f64> = j.iter().map(|row| row[k]).collect();
            assert_near(&vec![found], &vec![column]);
        }
    }
}

#[differentiable]
fn of_no_floats(n: usize) -> (f64, f64) {
    (n as f64, 2.0)
}
#[differentiable]
fn to_no_floats(x: &[f64]) -> usize {
    x.len()
}

#[test]
fn matrices_without_rows_or_columns() {
    let ctx = Context::default();
    let (y, j) = ctx.value_and_jacobian::<of_no_floats>((3,)).unwrap();
    assert_eq!((y, j), ((3.0, 2.0), vec![vec![], vec![]]));
    let jacobian = ctx.build_jacobian::<to_no_floats>().unwrap();
    for n in [2, 300, 300] {
        let (y, j) = jacobian.value_and_jacobian((&point(n),)).unwrap();
        assert_eq!((y, j.len()), (n, 0));
    }
}

#[differentiable]
fn single(x: &[f32], a: f64) -> f32 {
    let mut sum = a as f32;
    for v in x {
        sum = sum * v + v.sin() * a as f32;
    }
    sum
}

#[test]
fn floats_of_two_types() {
    let ctx = Context::default();
    let x: Vec<f32> = point(9).iter().map(|&x| x as f32).collect();
    let (_, _, h) = ctx.value_gradient_and_hessian::<single>((&x, 0.4)).unwrap();
    let hvp = ctx.build_hvp::<single>().unwrap();
    for i in 0..9 {
        let dx: Vec<f32> = unit(i, 9).iter().map(|&x| x as f32).collect();
        let (_, _, (hx, ha)) = hvp.value_gradient_and_hvp((&x, 0.4), (&dx, 0.0)).unwrap();
        let expected: Vec<f64> = hx.iter().map(|&x| f64::from(x)).chain([ha]).collect();
        assert_eq!(h[i], expected);
    }
}

#[differentiable]
fn of_arrays(x: &Array<f32>, w: &[f32]) -> f32 {
    let y = x.map(|v| {
        let mut r = v;
        for _ in 0..3 {
            r = r * v + v.cos();
        }
        r
    });
    (y.softmax(0) * y.exp()).sum().item().unwrap() * w[0] + x.dot(x).item().unwrap().sqrt() * w[1]
}

#[test]
fn matrices_of_array_functions() {
    let chosen = Context::default();
    let cpu = Context::builder().device(Device::cpu()).build().unwrap();
    for ctx in [chosen, cpu] {
        let array = |data: Vec<f64>| {
            let data = data.iter().map(|&x| x as f32).collect();
            Array::from_vec_on(ctx.device(), data, [10])
        };
        let (x, w) = (array(point(10)), [0.4, 1.5]);
        let hessian = ctx.build_hessian::<of_arrays>().unwrap();
        let (_, (gx, _), h) = hessian.value_gradient_and_hessian((&x, &w)).unwrap();
        assert_eq!(gx.device(), ctx.device());
        let hvp = ctx.build_hvp::<of_arrays>().unwrap();
        for (i, row) in h.iter().enumerate() {
            let dx = array(unit(i, 10));
            let dw = [10, 11].map(|n| if n == i { 1.0 } else { 0.0 });
            let (_, _, (hx, hw)) = hvp.value_gradient_and_hvp((&x, &w), (&dx, &dw)).unwrap();
            let expected = [hx.to_vec().unwrap(), hw].concat();
            assert_eq!(row.len(), expected.len());
            for (&a, &b) in row.iter().zip(&expected) {
                let off = (a - f64::from(b)).abs();
                assert!(
                    off < 1e-5 * f64::from(1.0 + b.abs()),
                    "{row:?}, expected {expected:?}"
                );
            }
        }
    }
}

/// Calls with results of different heights, at once.
#[test]
fn a_rule_is_shared_between_threads() {
    let ctx = Context::default();
    let jacobian = ctx.build_jacobian::<scattered>().unwrap();
    std::thread::scope(|scope| {
        for n in [2, 5, 9, 40] {
            let jacobian = &jacobian;
            scope.spawn(move || {
                let (x, columns) = (point(n), (0..3 * n).map(|k| k % n).collect::<Vec<usize>>());
                for _ in 0..200 {
                    let (y, j) = jacobian.value_and_jacobian((&x, &columns)).unwrap();
                    assert_eq!((y.len(), j.len()), (n, n));
                    assert!(j.iter().all(|row| row.len() == n));
                }
            });
        }
    });
}

#[differentiable]
#[pack = "linalg"]
extern "pack" {
    fn dot(n: usize, x: &[f64], incx: usize, y: &[f64], incy: usize) -> f64;
    fn nrm2(n: usize, x: &[f64], incx: usize) -> f64;
}

/// Of functions with native rules one direction is taken at a time.
#[differentiable]
fn with_native_rules(x: &[f64], y: &[f64]) -> f64 {
    dot(x.len(), x, 1, y, 1).sin() * nrm2(x.len(), x, 1)
}

#[test]
fn native_rules_have_matrices() {
    let ctx = Context::default();
    let (x, y) = (
        point(4),
        point(4).iter().map(|x| x * x - 0.2).collect::<Vec<f64>>(),
    );
    let (_, _, h) = ctx
        .value_gradient_and_hessian::<with_native_rules>((&x, &y))
        .unwrap();
    let hvp = ctx.build_hvp::<with_native_rules>().unwrap();
    for i in 0..4 {
        let (_, _, (hx, hy)) = hvp
            .value_gradient_and_hvp((&x, &y), (&unit(i, 4), ()))
            .unwrap();
        assert_eq!(h[i], [hx, hy].concat());
    }
}

#[differentiable]
fn writes(x: &[f64], out: &mut [f64]) -> f64 {
    out[0] = x[0] * x[1];
    out[0] * x[0]
}
#[differentiable]
fn fails(x: &[f64], at: usize) -> f64 {
    x[0] * x[at]
}

#[test]
fn what_cannot_be_repeated_is_refused_and_faults_pass() {
    let ctx = Context::default();
    let frule = ctx.build_frule::<writes>().unwrap();
    let (mut out, dx) = ([0.0], [1.0, 0.0]);
    let found = frule.value_and_derivatives((&[1.0, 2.0], &mut out), vec![(&dx, ())]);
    assert!(
        found
            .unwrap_err()
            .to_string()
            .contains("`&mut` slice as a parameter")
    );
    // A Hessian undoes what is written.
    let (y, _, h) = ctx
        .value_gradient_and_hessian::<writes>((&[3.0, 2.0], &mut [7.0]))
        .unwrap();
    assert_eq!(
        (y, &h[0][..2], &h[1][..2]),
        (18.0, &[4.0, 6.0][..], &[6.0, 0.0][..])
    );
    let hessian = ctx.build_hessian::<fails>().unwrap();
    let error = hessian
        .value_gradient_and_hessian((&[1.0, 2.0], 5))
        .unwrap_err();
    assert!(error.to_string().contains("the index is 5"), "{error}");
    assert!(hessian.value_gradient_and_hessian((&[1.0, 2.0], 1)).is_ok());
    let frule = ctx.build_frule::<several>().unwrap();
    let short = vec![0.0; 2];
    let error = frule
        .value_and_derivatives((&point(3), 1.0), vec![(&point(3), 0.0), (&short, 0.0)])
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("has length 2; expected length 3"),
        "{error}"
    );
}

/// Each result is a sum over the variables that `columns` names, three for each.
#[differentiable]
fn scattered(x: &[f64], columns: &[usize]) -> Vec<f64> {
    let mut y = Vec::new();
    for row in columns.chunks(3) {
        let mut sum = 0.0;
        for (k, &column) in row.iter().enumerate() {
            sum += (x[column] * (k + 1) as f64).sin();
        }
        y.push(sum * sum);
    }
    y
}

#[test]
fn sparse_jacobians_are_the_entries_of_whole_ones() {
    let ctx = Context::default();
    let jacobian = ctx.build_jacobian::<scattered>().unwrap();
    let mut state = 1u64;
    for (height, width) in [(1, 3), (4, 4), (20, 9), (9, 40), (30, 30)] {
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as usize % width
        };
        let columns: Vec<usize> = (0..3 * height).map(|_| next()).collect();
        let row = |row: &[usize]| row.iter().copied().collect::<BTreeSet<usize>>();
        let rows = columns
            .chunks(3)
            .map(|r| row(r).into_iter().collect())
            .collect();
        let pattern = Pattern::new(rows, width).unwrap();
        let x = point(width);
        let (y, whole) = jacobian.value_and_jacobian((&x, &columns)).unwrap();
        let (again, found) = jacobian
            .value_and_sparse_jacobian((&x, &columns), &pattern)
            .unwrap();
        assert_eq!(y, again);
        let entry = |(i, row): (usize, &Vec<usize>)| row.iter().map(|&j| whole[i][j]).collect();
        let expected: Rows = pattern.rows().iter().enumerate().map(entry).collect();
        assert_near(&found, &expected);
        // Without one of its entries it is not the Jacobian's.
        let mut less = pattern.rows().to_vec();
        let gone = less[0][0];
        less[0].retain(|&column| column != gone);
        let less = Pattern::new(less, width).unwrap();
        let error = jacobian
            .value_and_sparse_jacobian((&x, &columns), &less)
            .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("row 0 of the matrix has entries that the pattern lacks"),
            "{error}"
        );
    }
}

#[test]
fn sparse_hessians_take_as_many_directions_as_the_band_is_wide() {
    let ctx = Context::default();
    let hessian = ctx.build_hessian::<rosenbrock>().unwrap();
    for n in [0, 1, 2, 3, 50] {
        let x = point(n);
        let pattern = Pattern::band(n, 1);
        assert_eq!(pattern.directions(), n.min(3));
        let (y, (g,), whole) = hessian.value_gradient_and_hessian((&x,)).unwrap();
        let (y_again, (g_again,), found) = hessian
            .value_gradient_and_sparse_hessian((&x,), &pattern)
            .unwrap();
        assert_eq!((y, g), (y_again, g_again));
        let entry = |(i, row): (usize, &Vec<usize>)| row.iter().map(|&j| whole[i][j]).collect();
        let expected: Rows = pattern.rows().iter().enumerate().map(entry).collect();
        assert_near(&found, &expected);
    }
    let x = point(5);
    let error = |pattern: &Pattern| {
        let found = hessian.value_gradient_and_sparse_hessian((&x,), pattern);
        found.unwrap_err().to_string()
    };
    assert_eq!(
        error(&Pattern::band(4, 1)),
        "the pattern has 4 rows and 4 columns; the arguments have 5 floats"
    );
    assert_eq!(
        error(&Pattern::band(5, 0)),
        "row 0 of the matrix has entries that the pattern lacks"
    );
    assert_eq!(
        Pattern::new(vec![vec![0], vec![2]], 2)
            .unwrap_err()
            .to_string(),
        "row 1 of the pattern has column 2; there are 2 columns"
    );
    assert_eq!(Pattern::band(3, usize::MAX).directions(), 3);
    assert_eq!(
        Pattern::new(vec![vec![1, 0, 1]], 2)
            .unwrap_err()
            .to_string(),
        "row 0 of the pattern has column 1 twice"
    );
}

/// Enough work for several threads.
#[differentiable]
fn heavy(v: f64, w: &[f64]) -> f64 {
    let mut sum = v;
    for k in 0..3000 {
        sum = (sum * w[k % w.len()]).sin() + v * w[0];
    }
    sum
}
#[differentiable]
fn in_order(x: &[f64], w: &[f64]) -> f64 {
    x.iter().map(|&v| heavy(v, w)).sum()
}
#[differentiable]
fn on_threads(x: &[f64], w: &[f64]) -> f64 {
    par_sum(x, |&v| heavy(v, w))
}

#[test]
fn loops_that_threads_share_have_matrices() {
    let ctx = Context::default();
    let (x, w) = (point(8), [0.4, -0.3, 0.7]);
    let (_, _, expected) = ctx
        .value_gradient_and_hessian::<in_order>((&x, &w))
        .unwrap();
    let hessian = ctx.build_hessian::<on_threads>().unwrap();
    let (_, _, found) = hessian.value_gradient_and_hessian((&x, &w)).unwrap();
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        let off = (found - expected).abs();
        assert!(
            off <= 1e-9 * (1.0 + expected.abs()),
            "{found}, expected {expected}"
        );
    }
    let (_, _, again) = hessian.value_gradient_and_hessian((&x, &w)).unwrap();
    assert_eq!(again, found);
    let tangents = |f: &dyn Fn(Vec<(Vec<f64>, Vec<f64>)>) -> Vec<f64>| {
        let unit = |i| (unit(i, 8), vec![0.1, 0.0, i as f64]);
        f((0..7).map(unit).collect())
    };
    let (one, many) = (
        ctx.build_frule::<in_order>().unwrap(),
        ctx.build_frule::<on_threads>().unwrap(),
    );
    let expected = tangents(&|along| {
        let along = along.iter().map(|(dx, dw)| (dx, dw)).collect();
        one.value_and_derivatives((&x, &w), along).unwrap().1
    });
    let found = tangents(&|along| {
        let along = along.iter().map(|(dx, dw)| (dx, dw)).collect();
        many.value_and_derivatives((&x, &w), along).unwrap().1
    });
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()));
    }
}

/// What calls on several threads read at the same time: slices where they lie, vectors, boxes, cells and texts.
#[derive(Differentiable)]
struct Shape {
    knots: Vec<Vec<f64>>,
    sides: Box<[f64]>,
    corner: (f64, f32),
    shared: Rc<RefCell<Vec<f64>>>,
    name: String,
}

#[differentiable]
fn bent(x: &[f64], shape: &Shape, times: usize) -> f64 {
    let mut total = shape.corner.0 * shape.corner.1 as f64;
    for round in 0..times {
        for (i, v) in x.iter().enumerate() {
            let knot = &shape.knots[i % shape.knots.len()];
            let side = shape.sides[(i + round) % shape.sides.len()];
            total = (total * 0.5 + v * knot[round % knot.len()] * side).sin();
            shape.shared.borrow_mut()[i % 2] += total * 0.001;
        }
    }
    let shared = shape.shared.borrow();
    match shape.name == "bent" {
        true => total * shared[0] + shared[1] * shared[1],
        false => total,
    }
}

#[differentiable]
fn bends(x: &[f64], shape: &Shape, times: usize) -> Vec<f64> {
    let mut all = vec![0.0; 40];
    for i in 0..40 {
        all[i] = bent(&x[i % 3..], shape, times) * x[i % x.len()];
    }
    all
}

#[test]
fn threads_share_the_directions_and_give_the_same_bits() {
    let ctx = Context::default();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap()
    };
    let shape = || Shape {
        knots: vec![point(3), point(1), point(5)],
        sides: point(4).into(),
        corner: (0.7, -0.4),
        shared: Rc::new(RefCell::new(point(2))),
        name: "bent".to_owned(),
    };
    let x = point(30);
    let (hessian, jacobian) = (
        ctx.build_hessian::<bent>().unwrap(),
        ctx.build_jacobian::<bends>().unwrap(),
    );
    // With a shape of its own for each call: cells are no arguments of other threads.
    let of_all = |threads| {
        on(threads).install(|| {
            let (y, g, h) = hessian
                .value_gradient_and_hessian((&x, &shape(), 40))
                .unwrap();
            let (dx, dshape, ()) = g;
            (y, dx, format!("{dshape:?}"), h)
        })
    };
    let of_some = |threads| {
        on(threads).install(|| {
            let given = (Const(&x), &shape(), 40);
            let (y, ((), g, ()), h) = hessian.value_gradient_and_hessian(given).unwrap();
            (y, format!("{g:?}"), h)
        })
    };
    let of_results =
        |threads| on(threads).install(|| jacobian.value_and_jacobian((&x, &shape(), 7)).unwrap());
    let expected = (of_all(1), of_some(1), of_results(1));
    // 30 numbers, 9 in the knots, 4 sides, 2 at the corner, 2 in the cell.
    assert_eq!(expected.0.3.len(), 47);
    assert_eq!((expected.1.2.len(), expected.2.1[0].len()), (17, 47));
    for (row, whole) in expected.1.2.iter().zip(&expected.0.3[30..]) {
        for (found, expected) in row.iter().zip(&whole[30..]) {
            let off = (found - expected).abs();
            assert!(off <= 1e-9 * (1.0 + expected.abs()), "{found}, {expected}");
        }
    }
    for threads in [2, 3, 5] {
        for _ in 0..3 {
            assert_eq!(of_all(threads), expected.0);
            assert_eq!(of_some(threads), expected.1);
            assert_eq!(of_results(threads), expected.2);
        }
    }
}

#[derive(Differentiable)]
enum Term {
    X,
    Number(f64),
    Sum(Box<Term>, Box<Term>),
    Product(Box<Term>, Box<Term>),
    Sine(Box<Term>),
}

#[differentiable]
fn evaluate(term: &Term, x: f64) -> f64 {
    match term {
        Term::X => x,
        Term::Number(c) => *c,
        Term::Sum(a, b) => evaluate(a, x) + evaluate(b, x),
        Term::Product(a, b) => evaluate(a, x) * evaluate(b, x),
        Term::Sine(a) => evaluate(a, x).sin(),
    }
}

#[derive(Differentiable)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[differentiable]
fn follow(node: &Node, x: f64) -> f64 {
    let rest = match &node.next {
        Some(next) => follow(next, x * node.value),
        None => x * x,
    };
    rest * node.value + x.sin()
}

/// Changes what it is given, which a caller reads again.
#[differentiable]
fn change(node: &mut Node, x: f64) {
    node.value *= x;
    if let Some(next) = &mut node.next {
        change(next, x * node.value);
    }
}

#[differentiable]
fn changed(node: &mut Node, x: f64) -> f64 {
    change(node, x * x);
    follow(node, x)
}

/// A function that calls itself with constant memory only reads it: it needs no tangent there.
#[test]
fn constant_trees_and_lists_need_no_tangents() {
    let ctx = Context::default();
    let x = || Box::new(Term::X);
    // sin(x · x + 3 x)
    let three = Box::new(Term::Product(Box::new(Term::Number(3.0)), x()));
    let inner = Box::new(Term::Sum(Box::new(Term::Product(x(), x())), three));
    let term = Term::Sine(inner);
    let at = 0.7f64;
    let (u, du) = (at * at + 3.0 * at, 2.0 * at + 3.0);
    let expected = 2.0 * u.cos() - du * du * u.sin();
    let hessian = ctx.build_hessian::<evaluate>().unwrap();
    let given = (Const(&term), at);
    let (y, ((), g), h) = hessian.value_gradient_and_hessian(given).unwrap();
    assert_eq!(y, evaluate(&term, at));
    assert!((g - du * u.cos()).abs() < 1e-14 && (h[0][0] - expected).abs() < 1e-13);
    let product = ctx.build_hvp::<evaluate>().unwrap();
    let (_, (_, g), (_, hv)) = product
        .value_gradient_and_hvp((&term, at), ((), 2.0))
        .unwrap();
    assert!((g - du * u.cos()).abs() < 1e-14 && (hv - 2.0 * expected).abs() < 1e-13);

    let node = |value: f64, next| Some(Box::new(Node { value, next }));
    let list = || Node {
        value: 2.0,
        next: node(0.5, node(-1.5, None)),
    };
    let slope = |x: f64| {
        let rule = ctx.build_rrule::<follow>().unwrap();
        rule.value_and_gradient((Const(&list()), x)).unwrap().1.1
    };
    let differences = (slope(0.4 + 1e-5) - slope(0.4 - 1e-5)) / 2e-5;
    let hessian = ctx.build_hessian::<follow>().unwrap();
    let given = (Const(&list()), 0.4);
    let (_, _, h) = hessian.value_gradient_and_hessian(given).unwrap();
    assert!((h[0][0] - differences).abs() < 1e-8, "{h:?} {differences}");

    // Memory that is written needs one: with it the Hessian is right, and without it there is none.
    let slope = |x: f64| {
        let rule = ctx.build_rrule::<changed>().unwrap();
        rule.value_and_gradient((&mut list(), x)).unwrap().1.1
    };
    let differences = (slope(0.4 + 1e-5) - slope(0.4 - 1e-5)) / 2e-5;
    let product = ctx.build_hvp::<changed>().unwrap();
    let zero = NodeGradient {
        value: 0.0,
        next: Some(Box::new(NodeGradient {
            value: 0.0,
            next: Some(Box::new(NodeGradient {
                value: 0.0,
                next: None,
            })),
        })),
    };
    let mut moved = zero.clone();
    let (_, _, (_, second)) = product
        .value_gradient_and_hvp((&mut list(), 0.4), (&mut moved, 1.0))
        .unwrap();
    assert!(
        (second - differences).abs() < 1e-6,
        "{second} {differences}"
    );
    let refused = product.value_gradient_and_hvp((&mut list(), 0.4), ((), 1.0));
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("which has no tangent")
    );
}

#[derive(Differentiable, Clone, Copy)]
struct Body {
    at: [f64; 2],
    mass: f64,
}

/// The energy of two bodies: where each is, and its mass.
#[differentiable]
fn pull(a: (f64, f64, f64), b: (f64, f64, f64)) -> f64 {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    -a.2 * b.2 / (dx * dx + dy * dy + 0.1).sqrt()
}

/// The energy of bodies, each of which pulls at each, for bodies in one form: their type, and what makes a tuple of the n-th.
macro_rules! energies {
    ($($name:ident: $body:ty, |$bodies:ident, $n:ident| $tuple:expr;)*) => {$(
        #[differentiable]
        fn $name(bodies: &[$body]) -> f64 {
            let mut total = 0.0;
            for i in 0..bodies.len() {
                for j in 0..i {
                    let ($bodies, $n) = (bodies, i);
                    let one = $tuple;
                    let $n = j;
                    total += pull(one, $tuple);
                }
            }
            total
        }
    )*};
}
energies! {
    of_bodies: Body, |b, n| (b[n].at[0], b[n].at[1], b[n].mass);
    of_lists: [f64; 3], |b, n| (b[n][0], b[n][1], b[n][2]);
    of_tuples: (f64, f64, f64), |b, n| b[n];
    of_vectors: Vec<f64>, |b, n| (b[n][0], b[n][1], b[n][2]);
    of_array_list: Array<f64>, |b, n| (b[n].slice(0).to_scalar(), b[n].slice(1).to_scalar(), b[n].slice(2).to_scalar());
}
#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() / 3 {
        for j in 0..i {
            let one = (x[3 * i], x[3 * i + 1], x[3 * i + 2]);
            total += pull(one, (x[3 * j], x[3 * j + 1], x[3 * j + 2]));
        }
    }
    total
}

/// Slices of what is no number have tangents as slices of numbers have: their gradients.
#[test]
fn slices_of_everything_have_hessians_products_and_derivatives() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let (x, dx) = (point(12), point(30)[18..].to_vec());
    let (hessian, product) = (
        ctx.build_hessian::<of_numbers>().unwrap(),
        ctx.build_hvp::<of_numbers>().unwrap(),
    );
    let (y, _, expected) = hessian.value_gradient_and_hessian((&x,)).unwrap();
    assert_eq!(y, of_numbers(&x));
    let (_, _, (along,)) = product.value_gradient_and_hvp((&x,), (&dx,)).unwrap();
    let slope = ctx.build_frule::<of_numbers>().unwrap();
    let (_, slope) = slope.value_and_derivative((&x,), (&dx,)).unwrap();
    let near = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!(
                (a - b).abs() <= 1e-11 * (1.0 + b.abs()),
                "{a}, expected {b}"
            );
        }
    };
    macro_rules! check {
        ($f:ident, $make:expr, $tangent:expr, $floats:expr) => {{
            let thirds = |x: &[f64]| -> Vec<_> { x.chunks(3).map($make).collect() };
            let tangents: Vec<_> = dx.chunks(3).map($tangent).collect();
            let given = thirds(&x);
            let hessian = ctx.build_hessian::<$f>().unwrap();
            let (found, _, h) = hessian.value_gradient_and_hessian((&given,)).unwrap();
            near(&[found], &[y]);
            assert_near(&h, &expected);
            let product = ctx.build_hvp::<$f>().unwrap();
            let (_, _, (found,)) = product
                .value_gradient_and_hvp((&given[..],), (&tangents,))
                .unwrap();
            let found: Vec<f64> = found.iter().flat_map($floats).collect();
            near(&found, &along);
            let rule = ctx.build_frule::<$f>().unwrap();
            let (_, found) = rule
                .value_and_derivative((&given,), (tangents.clone(),))
                .unwrap();
            near(&[found], &[slope]);
            let both = vec![(tangents.clone(),), (tangents,)];
            let (_, found) = rule.value_and_derivatives((&given,), both).unwrap();
            near(&found, &[slope, slope]);
        }};
    }
    let list = |x: &[f64]| [x[0], x[1], x[2]];
    let tuple = |x: &[f64]| (x[0], x[1], x[2]);
    let array = |x: &[f64]| Array::from_vec_on(&Device::cpu(), x.to_vec(), [3]);
    check!(
        of_bodies,
        |x: &[f64]| Body {
            at: [x[0], x[1]],
            mass: x[2]
        },
        |x: &[f64]| BodyGradient {
            at: [x[0], x[1]],
            mass: x[2]
        },
        |g: &BodyGradient| [g.at[0], g.at[1], g.mass]
    );
    check!(of_lists, list, list, |g: &[f64; 3]| *g);
    check!(of_tuples, tuple, tuple, |g: &(f64, f64, f64)| [
        g.0, g.1, g.2
    ]);
    check!(
        of_vectors,
        |x: &[f64]| x.to_vec(),
        |x: &[f64]| x.to_vec(),
        |g: &Vec<f64>| g.clone()
    );
    check!(of_array_list, array, array, |g: &Array<f64>| g
        .to_vec()
        .unwrap());
    // The number of tangents is that of the elements.
    let product = ctx.build_hvp::<of_lists>().unwrap();
    let short = product.value_gradient_and_hvp((&[[1.0, 2.0, 3.0]; 4],), (vec![[1.0; 3]; 3],));
    let text = short.unwrap_err().to_string();
    assert!(!text.contains("internal error"), "{text}");
}

#[differentiable]
fn descend_far(x: &[f64], n: usize, s: f64) -> f64 {
    if n == 0 {
        return s;
    }
    let t = descend_far(x, n - 1, s * 0.999 + x[n % x.len()] * 0.01);
    (t * 1.001).sin() + s * x[(n * 7) % x.len()] * 1e-3
}
#[differentiable]
fn far(x: &[f64], n: usize) -> f64 {
    descend_far(x, n, 0.5)
}

/// Threads of a pool have smaller stacks than this one.
#[test]
fn a_deep_recursion_is_made_on_the_stack_of_the_caller() {
    let deep = || {
        let hessian = Context::default().build_hessian::<far>().unwrap();
        let x = point(40);
        for _ in 0..5 {
            hessian.value_gradient_and_hessian((&x, 12_000)).unwrap();
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 28);
    thread.spawn(deep).unwrap().join().unwrap();
}

#[differentiable]
fn size(x: f64) -> f64 {
    x.abs() + x * x
}

#[differentiable]
fn power(x: f64, n: f64) -> f64 {
    x.powf(n)
}

#[differentiable]
fn sizes(x: &Array<f64>) -> f64 {
    (x * 400.0).abs().sum().to_scalar()
}

#[differentiable]
fn softplus(x: &Array<f64>) -> f64 {
    (x.max(0.0) + (-x.abs()).exp().ln_1p()).sum().to_scalar()
}

#[differentiable]
fn length(x: &Array<f64>) -> f64 {
    x.norm().to_scalar()
}

/// A partial derivative that is chosen at a point is a number there, and none that has a derivative of its own.
#[test]
fn second_derivatives_at_corners() {
    let ctx = Context::default();
    let hessian = ctx.build_hessian::<size>().unwrap();
    for x in [0.0, -0.0] {
        let (_, gradient, second) = hessian.value_gradient_and_hessian((x,)).unwrap();
        assert_eq!((gradient.0, second), (0.0, vec![vec![2.0]]));
    }
    let hessian = ctx.build_hessian::<power>().unwrap();
    for (x, n) in [(2.0f64, 0.0), (2.0, 1.0), (0.5, 0.0), (3.0, 2.0)] {
        let (_, _, second) = hessian.value_gradient_and_hessian((x, n)).unwrap();
        let mixed = x.powf(n - 1.0) * (1.0 + n * x.ln());
        let expected = [
            [n * (n - 1.0) * x.powf(n - 2.0), mixed],
            [mixed, x.powf(n) * x.ln() * x.ln()],
        ];
        for (found, expected) in second.iter().flatten().zip(expected.as_flattened()) {
            assert!((found - expected).abs() < 1e-14, "{second:?} at {x}^{n}");
        }
    }
    // The corner itself, and bases for which the formula of the neighbours gives no number.
    for x in [0.0, -0.0, f64::NAN, 1e-310] {
        let (_, gradient, _) = hessian.value_gradient_and_hessian((x, 0.0)).unwrap();
        assert_eq!(gradient.0, 0.0, "{x}");
    }
    let zeros = Array::<f64>::full_on(ctx.device(), [3], 0.0);
    let ones = Array::<f64>::full_on(ctx.device(), [3], 1.0);
    let hvp = ctx.build_hvp::<sizes>().unwrap();
    let (_, _, (product,)) = hvp.value_gradient_and_hvp((&zeros,), (&ones,)).unwrap();
    assert_eq!(product.to_vec().unwrap(), [0.0; 3]);
    let hvp = ctx.build_hvp::<length>().unwrap();
    let (_, (gradient,), (product,)) = hvp.value_gradient_and_hvp((&zeros,), (&ones,)).unwrap();
    assert_eq!(gradient.to_vec().unwrap(), [0.0; 3]);
    assert_eq!(product.to_vec().unwrap(), [0.0; 3]);
    let hvp = ctx.build_hvp::<softplus>().unwrap();
    let (_, (gradient,), (product,)) = hvp.value_gradient_and_hvp((&zeros,), (&ones,)).unwrap();
    assert_eq!(gradient.to_vec().unwrap(), [0.5; 3]);
    // Of the branches, whose mean it is: the smooth function has 0.25.
    assert_eq!(product.to_vec().unwrap(), [0.0; 3]);
}

//! Slice patterns: of a place they bind copies, of a `&mut` reference they bind references.

use mooncake::prelude::*;

check! {
    copies_of_parts(&[0.7, 1.3, 0.4]);
    copies_in_a_match(&[0.7, 1.3, 0.4]);
    copies_before_changes(&[0.7, 1.3, 0.4]);
    copies_of_arrays([0.7, 1.3, 0.4]);
    copies_of_rows(&[0.7, 1.3, 0.4]);
    copies_of_pairs(&[0.7, 1.3, 0.4]);
    copies_of_lists(&[0.7, 1.3, 0.4]);
    copies_behind_a_reference(&mut [0.7, 1.3, 0.4]);
    copies_by_a_reference_pattern(&[0.7, 1.3, 0.4]);
    copies_in_a_loop(&[0.7, 1.3, 0.4]);
    copies_in_chunks(&[0.7, 1.3, 0.4]);
    copies_of_options(&[0.7, 1.3, 0.4]);
    references_to_elements(&[0.7, 1.3, 0.4]);
    references_from_elements(&[0.7, 1.3, 0.4]);
    references_by_ref_mut(&[0.7, 1.3, 0.4]);
    rows_by_reference(&[0.7, 1.3, 0.4]);
    shared_slices_behind_mut(&[0.7, 1.3, 0.4]);
    bound_as_a_whole(&[0.7, 1.3, 0.4]);
}

#[differentiable]
fn copies_of_parts(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    if let [p, ..] = y[1..] {
        let mut r = p;
        r *= 2.0;
        y[2] *= r;
        r + y[1] + y[2]
    } else {
        0.0
    }
}
#[differentiable]
fn copies_in_a_match(x: &[f64]) -> f64 {
    let y = x.to_vec();
    match y[..] {
        [mut p, q, ..] => {
            p += 1.0;
            p * y[0] * q
        }
        _ => 0.0,
    }
}
#[differentiable]
fn copies_before_changes(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let [a, b, ..] = y[..] else { return 0.0 };
    y[0] = 5.0;
    let first = a * b * y[0];
    y.swap(0, 1);
    let z = &mut y;
    let [c, .., d] = z[..] else { return 0.0 };
    z[0] *= 3.0;
    let all = [a, b, c, d];
    first + c * z[0] - 2.0 * d + all[0] * all[3]
}
#[differentiable]
fn copies_of_arrays(x: [f64; 3]) -> f64 {
    let mut y = x;
    let [a, b] = y[1..] else { return 0.0 };
    y[1] = a * a;
    y[2] += y[1];
    a * y[1] + b * y[2]
}
#[differentiable]
fn copies_of_rows(x: &[f64]) -> f64 {
    let mut y = vec![vec![x[0]], x.to_vec()];
    let [a, b, ..] = y[1][..] else { return 0.0 };
    y[1][0] = 2.0 * b;
    a * y[1][0] + b
}
#[differentiable]
fn copies_of_pairs(x: &[f64]) -> f64 {
    let mut y: Vec<(f64, f64)> = x.iter().map(|x| (*x, x * x)).collect();
    let [(a, b), c, ..] = y[..] else { return 0.0 };
    y[0].0 = 3.0;
    y[1] = (a, y[0].0);
    a * y[0].0 + b * y[1].0 + c.0 * c.1 * y[1].1
}
#[differentiable]
fn copies_of_lists(x: &[f64]) -> f64 {
    let mut y: Vec<[f64; 2]> = x.iter().map(|x| [*x, x * x]).collect();
    let [a, [b, c], ..] = y[..] else { return 0.0 };
    y[0][0] = 3.0;
    y[1] = [a[1], y[0][0]];
    a[0] * y[0][0] + b * y[1][0] + c * y[1][1]
}
#[differentiable]
fn copies_behind_a_reference(x: &mut [f64]) -> f64 {
    if let [a, .., b] = *x {
        x[0] = 5.0 * b;
        a * b + x[0] * a
    } else {
        0.0
    }
}
#[differentiable]
fn copies_by_a_reference_pattern(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let first = match (&y[..], 1) {
        (&[a, ..], _) => {
            y[0] = 5.0;
            a * y[0]
        }
        _ => 0.0,
    };
    let &[b, ref rest @ ..] = &y[..] else {
        return 0.0;
    };
    let sum: f64 = rest.iter().sum();
    let &mut [ref mut c, d, ..] = &mut y[1..] else {
        return 0.0;
    };
    *c *= d;
    first + b * sum * y[1]
}
#[differentiable]
fn copies_in_a_loop(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let mut sum = 0.0;
    while let [a, b, ..] = y[..] {
        y.remove(0);
        y[0] = a * b;
        sum += y[0] * a;
    }
    sum + y[0]
}
#[differentiable]
fn copies_in_chunks(x: &[f64]) -> f64 {
    let mut y = [x, x].concat();
    for c in y.chunks_exact_mut(2) {
        if let [a, b] = *c {
            c[0] = b;
            c[1] = a * b;
        }
    }
    let (l, _) = y.split_at_mut(3);
    let swap = |z: &mut [f64]| match *z {
        [p, .., q] => {
            z[0] = q * q;
            p * z[0]
        }
        _ => 0.0,
    };
    let first = swap(l);
    for c in y.chunks_exact_mut(3) {
        match c {
            &mut [a, b, _] => {
                c[0] = b * a;
                c[1] *= a * b;
            }
            _ => {}
        }
    }
    let i = y.len() - 3;
    let [a, b] = y[i..i + 2] else { return 0.0 };
    for v in y.iter_mut() {
        *v -= a * b;
    }
    first + y.iter().map(|y| y * a).sum::<f64>()
}
#[differentiable]
fn copies_of_options(x: &[f64]) -> f64 {
    let mut y: Vec<Option<f64>> = x.iter().map(|x| Some(x * x)).collect();
    let [Some(a), _, Some(b)] = y[..] else {
        return 0.0;
    };
    y[0] = Some(2.0);
    y[2] = y[1].map(|y| y * a);
    a * b * y[0].unwrap_or(1.0) * y[2].unwrap_or(1.0)
}
#[differentiable]
fn references_to_elements(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    if let [a, rest @ ..] = &mut y[..] {
        *a *= 2.0;
        rest[0] += *a;
    }
    let slice = &mut y[1..];
    if let [a, b] = slice {
        *a *= *b;
        std::mem::swap(a, b);
    }
    y[0] * y[1] - y[2]
}
#[differentiable]
fn references_from_elements(x: &[f64]) -> f64 {
    let (mut y, mut z) = (x.to_vec(), x.to_vec());
    let mut slices = [&mut y[..], &mut z[1..]];
    if let [a, ..] = slices[0] {
        *a *= 3.0;
    }
    if let [_, b] = &mut slices[1] {
        *b += 2.0;
    }
    y[0] * z[2] + y[1]
}
#[differentiable]
fn references_by_ref_mut(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    if let [ref mut a, b, ref mut rest @ ..] = y[..] {
        *a += b;
        rest[0] *= *a * b;
    }
    y.iter().map(|y| y * y).sum()
}
#[differentiable]
fn rows_by_reference(x: &[f64]) -> f64 {
    let mut y = vec![x.to_vec(), vec![x[1], x[2]]];
    if let [first, second] = &mut y[..] {
        first[0] *= second[1];
        second.push(first[0]);
    }
    let [a, b] = &y[..] else { return 0.0 };
    a[0] * b[2] + b[0]
}
#[differentiable]
fn bound_as_a_whole(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let whole @ [a, ..] = &y[..] else { return 0.0 };
    let first = *a * whole[1];
    let [a @ 0.5..=1.0, b, ..] = y[..] else {
        return 0.0;
    };
    y[0] = 7.0 * b;
    first + a * y[0]
}
/// What is bound behind `&mut` and then `&` is a shared reference.
#[differentiable]
fn shared_slices_behind_mut(x: &[f64]) -> f64 {
    let mut pair = (x, 2.0);
    let mut sum = 0.0;
    while let ([a, rest @ ..], k) = &mut pair {
        *k *= 1.5;
        sum += *k * a * rest.iter().sum::<f64>();
        pair.0 = rest;
    }
    sum + pair.1
}

//! Ordinary Rust in odd combinations.

use mooncake::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const X: &[f64] = &[0.5, -1.5, 2.0, 0.25, 3.0];
/// The same away from round numbers, at which programs may have kinks.
const Y: &[f64] = &[0.53, -1.51, 2.02, 0.27, 3.03];

check! {
    shadowing(0.7);
    evaluation_order(0.7);
    argument_order(0.7);
    assignment_order(X);
    index_order(X);
    struct_field_order(0.7);
    moves_out_of_fields(0.7);
    moves_out_of_boxes(0.7);
    moves_out_of_options(X);
    takes_and_swaps(0.7);
    nested_closures(0.7);
    early_return(X, 0.9);
    slice_patterns(X);
    ref_mut_bindings(0.7);
    wrapping(0.7, 250);
    saturating_casts(0.7);
    nan_comparisons(0.7);
    guards_with_effects(0.7);
    narrow_counters(0.7);
    counters_of_loops_left_early(0.7);
    struct_update(0.7);
    ranges_by_reference(X);
    sort_and_dedup(X);
    retain_and_drain(X);
    rotations(X);
    chunked(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..]);
    rev_enumerate(X);
    ranked_generics(0.7);
    unequal_zips(X);
    labelled_values(X);
    let_elses(X);
    nested_enums(0.7);
    lists_are_values(0.7);
    lists_in_tuples(0.7);
    lists_in_structs(0.7);
    lists_of_lists(0.7);
    lists_through_functions(0.7);
    lists_in_options(0.7);
    lists_in_closures(0.7);
    lists_matched(0.7);
    copied_closures(0.7);
    cloned_closures(0.7);
    block_values(0.7);
    deferred(0.7);
    while_lets(X);
    shared_cells(0.7);
    cells_in_vectors(0.7);
    clones_of_rcs(0.7);
    recursive_closures(0.7);
    replace_in_loops(X);
    struct_of_vectors(X);
    swapped_fields(0.7);
    two_places(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..]);
    mutable_options(0.7);
    tuples_reassigned(0.7);
    bindings_at(0.73);
    ranges_in_patterns(0.7);
    consts_in_patterns(Y);
    compound_on_places(X);
    references_reassigned(0.7);
    conditional_borrows(0.7);
    out_parameters(0.7);
    method_chains(Y);
    matrices_by_rows(X);
    break_with_borrow(X);
    returns_in_closures(Y);
    question_marks(X);
    integer_division(0.7, -7);
    shifts(0.7, 5);
    bool_operators(0.7);
    float_remainders(0.731);
    ints_to_floats(0.7);
    ends_of_ranges(X);
    vectors_compared(Y);
    temporaries_live(0.7);
    boxes_changed(0.7);
    linked(X);
    generic_pairs(0.7);
    dyn_state(0.7);
    iterators_kept(Y);
    repeat_values(0.7);
    nested_options(0.7);
    results_in_loops(X);
    mutual(0.7);
    more_of_std(Y);
    option_places(0.7);
    orders(0.7);
}

#[differentiable]
fn shadowing(x: f64) -> f64 {
    let y = x * 2.0;
    let y = {
        let x = y + 1.0;
        let y = x * y;
        y - x
    };
    let mut x = x;
    for x in [x, y, x * y] {
        let y = x;
        let _ = y + 1.0;
    }
    let z = if let Some(x) = Some(x * y) {
        let y = x.sin();
        x * y
    } else {
        x += 1.0;
        x
    };
    z + {
        let x = y;
        x * x
    } + x
}

#[differentiable]
fn log(order: &mut Vec<f64>, x: f64) -> f64 {
    order.push(x);
    x
}
#[differentiable]
fn evaluation_order(x: f64) -> f64 {
    let mut o = Vec::new();
    let y = log(&mut o, x) + log(&mut o, x * 2.0) * log(&mut o, x * 3.0) - log(&mut o, 4.0);
    let z = if log(&mut o, 5.0) > 1.0 && log(&mut o, x) > 100.0 || log(&mut o, 7.0) > 0.0 {
        log(&mut o, y)
    } else {
        log(&mut o, 0.0)
    };
    let t = (
        log(&mut o, z),
        [log(&mut o, 1.0), log(&mut o, x)],
        log(&mut o, 3.0),
    );
    let mut s = t.0 + t.1[1];
    for (i, v) in o.iter().enumerate() {
        s += v * (i + 1) as f64;
    }
    s
}

#[differentiable]
fn weigh(a: f64, b: f64, c: f64) -> f64 {
    a + 10.0 * b + 100.0 * c
}
#[differentiable]
fn argument_order(x: f64) -> f64 {
    let mut n = 0.0;
    let mut next = || {
        n += x;
        n
    };
    let a = weigh(next(), next(), next());
    let mut m = 1.0;
    let b = weigh(
        m,
        {
            m += x;
            m
        },
        {
            m *= x;
            m
        },
    );
    let mut k = x;
    let c =
        k + {
            k *= 3.0;
            k
        } + k;
    a * b + c
}

#[differentiable]
fn assignment_order(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut i = 0usize;
    v[{
        i += 1;
        i
    }] = {
        i += 1;
        x[i] * 2.0
    };
    let mut k = 0usize;
    v[k] += {
        k += 2;
        x[k]
    };
    let mut j = 3usize;
    *{
        j -= 1;
        &mut v[j]
    } *= 3.0;
    v[0] * v[1] + v[2] * v[3] + i as f64 + k as f64
}

#[differentiable]
fn index_order(x: &[f64]) -> f64 {
    let mut at = 0;
    let mut step = || {
        at += 1;
        at
    };
    let a = x[step()] * x[step()] - x[step()];
    let n = [[1.0, x[0]], [x[1], 2.0]];
    let b = n[step() - 4][step() - 4];
    a * b + at as f64
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct P {
    a: f64,
    b: f64,
    c: f64,
}
#[differentiable]
fn struct_field_order(x: f64) -> f64 {
    let mut n = x;
    let mut next = || {
        n = n * 1.5 + 1.0;
        n
    };
    let p = P {
        c: next(),
        a: next(),
        b: next(),
    };
    let q = P { a: next(), ..p };
    p.a + 2.0 * p.b + 3.0 * p.c + q.a * q.b * q.c
}

#[derive(Clone, Debug, Differentiable)]
struct Owner {
    name: usize,
    left: Vec<f64>,
    right: Vec<f64>,
    inner: Option<Box<P>>,
}
#[differentiable]
fn owner(x: f64) -> Owner {
    Owner {
        name: 1,
        left: vec![x, 2.0 * x],
        right: vec![x * x],
        inner: Some(Box::new(P {
            a: x,
            b: 1.0,
            c: 2.0,
        })),
    }
}
#[differentiable]
fn moves_out_of_fields(x: f64) -> f64 {
    let o = owner(x);
    let mut l = o.left;
    let Owner {
        right, name, inner, ..
    } = Owner {
        left: vec![],
        ..owner(x + 1.0)
    };
    l.push(right[0]);
    let mut second = o.inner;
    if let Some(p) = &mut second {
        p.a *= 5.0;
    }
    let p = *second.unwrap();
    let q = *inner.unwrap();
    l[0] * l[2] + p.a * q.a + o.right[0] + (o.name + name) as f64
}

#[differentiable]
fn moves_out_of_boxes(x: f64) -> f64 {
    let b = Box::new((vec![x, 1.0], [x, 2.0]));
    let (mut v, mut l) = *b;
    v[1] *= x;
    l[1] *= x;
    let c = Box::new(P {
        a: x,
        b: 2.0,
        c: 3.0,
    });
    let mut d = *c;
    d.a = 7.0;
    let e = c.a;
    let boxed = Box::new(Box::new(x * 3.0));
    let inner = **boxed;
    v[1] + l[1] * e + d.a * inner
}

#[differentiable]
fn moves_out_of_options(x: &[f64]) -> f64 {
    let mut all: Vec<Option<Vec<f64>>> = x
        .iter()
        .map(|&v| if v > 0.0 { Some(vec![v, 1.0]) } else { None })
        .collect();
    let first = all[0].take();
    let mut s = 0.0;
    for (i, o) in all.into_iter().enumerate() {
        match o {
            Some(mut v) if v[0] > 1.0 => {
                v[1] *= 10.0;
                s += v[0] * v[1];
            }
            Some(v) => s += v[0] * i as f64,
            None => s -= 0.5,
        }
    }
    s + first.map_or(0.0, |v| v[0] * 100.0)
}

#[differentiable]
fn takes_and_swaps(x: f64) -> f64 {
    let mut a = vec![x, 2.0];
    let mut b = vec![3.0 * x];
    std::mem::swap(&mut a, &mut b);
    let c = std::mem::take(&mut a);
    let d = std::mem::replace(&mut b, vec![x * x, 1.0, 2.0]);
    a.push(5.0 * x);
    let mut p = P {
        a: x,
        b: 2.0,
        c: 3.0,
    };
    let old = std::mem::replace(&mut p.a, 4.0);
    std::mem::swap(&mut p.b, &mut p.c);
    let mut l = [x, 2.0 * x, 3.0];
    let before = l;
    l.swap(0, 2);
    let (u, w) = l.split_at_mut(1);
    std::mem::swap(&mut u[0], &mut w[1]);
    let mut k = [[x, 1.0], [2.0, x * x]];
    let (top, low) = k.split_at_mut(1);
    std::mem::swap(&mut top[0], &mut low[0]);
    c[0] * d[0]
        + d[1]
        + b[0] * a[0]
        + old * p.b
        + l[0] * before[1]
        + k[0][1] * k[1][0]
        + a.len() as f64
}

#[differentiable]
fn nested_closures(x: f64) -> f64 {
    let mut total = 0.0;
    let scale = |k: f64| move |y: f64| k * y * x;
    let double = scale(2.0);
    let mut add = |v: f64| {
        let mut twice = |w: f64| {
            total += w;
            total += double(w);
        };
        twice(v);
        twice(v * v);
    };
    add(x);
    add(1.0);
    let compose = |f: &dyn Fn(f64) -> f64, g: &dyn Fn(f64) -> f64, v: f64| f(g(v));
    total + compose(&double, &|v| v.sin() + x, x)
}

#[differentiable]
fn early_return(x: &[f64], limit: f64) -> f64 {
    let mut best = &x[0];
    for v in x {
        match v {
            v if *v > limit * 2.0 => return *v * limit + *best,
            v if v > best => best = v,
            _ => {
                if *v < -10.0 {
                    return 0.0;
                }
                continue;
            }
        }
    }
    *best
}

#[differentiable]
fn slice_patterns(x: &[f64]) -> f64 {
    let mut s = 0.0;
    if let [first, .., last] = x {
        s += first * last;
    }
    if let [a, b, rest @ ..] = x {
        s += a - b * rest[0];
        if let [.., y, z] = rest {
            s += y * z;
        }
    }
    if let [init @ .., _, _] = x {
        s += init.iter().sum::<f64>() * init.len() as f64;
    }
    let mut l = [x[0], x[1], x[2]];
    let [p, mid @ .., q] = l;
    let m = mid;
    l[1] = 100.0;
    let [_, ref mut r, _] = l;
    *r += 1.0;
    if let [a, tail @ ..] = &mut l {
        *a *= 2.0;
        tail[1] = 4.0 * *a;
    }
    fn_sum(x) + s + p * q * m[0] + l[0] * l[1] + l[2]
}
#[differentiable]
fn fn_sum(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [one] => *one,
        [first, rest @ ..] => first * 2.0 + fn_sum(rest),
    }
}

#[differentiable]
fn ref_mut_bindings(x: f64) -> f64 {
    let mut t = (x, [1.0, x], Some(x * 2.0));
    {
        let (ref mut a, ref b, ref mut c) = t;
        *a += b[1];
        if let Some(c) = c {
            *c *= *a;
        }
    }
    match t {
        (ref a, ref mut b, Some(ref mut c)) => {
            b[0] = *a;
            *c += b[0] * b[1];
        }
        _ => {}
    }
    let p = &mut t.1;
    let [a, b] = p;
    std::mem::swap(a, b);
    let ref z = t.0;
    let &w = z;
    t.0 + t.1[0] * 3.0 + t.1[1] + t.2.unwrap() + w
}

#[differentiable]
fn wrapping(x: f64, n: u8) -> f64 {
    let a = n.wrapping_add(10);
    let b = n.wrapping_mul(3);
    let (c, o) = n.overflowing_add(9);
    let d = n.saturating_add(100);
    let e = n.checked_add(6).map_or(-1.0, |v| v as f64);
    let f = (n as i8).wrapping_neg();
    let g = (n as i8 as i32).pow(3);
    let h = i32::MAX.wrapping_add(n as i32);
    let k = 5u32.wrapping_sub(n as u32) as f64;
    let m = n.leading_zeros() + n.trailing_zeros() + n.count_ones();
    let r = n.rotate_left(3);
    x * (a as f64 + b as f64 * c as f64 + d as f64 + e + f as f64 + g as f64 + h as f64 + k)
        + if o { x } else { 0.0 }
        + m as f64
        + r as f64
}

#[differentiable]
fn saturating_casts(x: f64) -> f64 {
    let big = x * 1e300;
    let a = big as i32 as f64;
    let b = (-big) as i64 as f64;
    let c = (big * 0.0 / 0.0) as i32 as f64;
    let d = -1.5f64 as u8 as f64;
    let e = 300.7f64 as u8 as f64;
    let f = 300i32 as u8 as f64;
    let g = -1i32 as u64 as f64;
    let h = (x * 100.0) as usize as f64;
    let i = 3_000_000_000u32 as i32 as f64;
    let j = b'a' as f64;
    let k = true as i32 as f64;
    let l = (x as f32) as i32 as f64;
    a * x + b / 1e10 + c + d + e + f + g / 1e10 + h + i / 1e5 + k * x + l + j
}

#[differentiable]
fn nan_comparisons(x: f64) -> f64 {
    let nan = f64::NAN;
    let mut s = x;
    if nan < x || nan > x || nan == x || nan == nan {
        s += 1.0;
    }
    if nan != nan {
        s += 2.0 * x;
    }
    if !(nan >= x) {
        s += 4.0;
    }
    s += match nan.partial_cmp(&x) {
        None => x * 3.0,
        Some(_) => 0.0,
    };
    s += nan.max(x) + nan.min(x * 2.0) + x.max(nan);
    let zero = x * 0.0;
    if zero == -zero {
        s += 8.0;
    }
    match x.total_cmp(&nan.abs()) {
        std::cmp::Ordering::Less => s += x,
        _ => {}
    }
    match -zero {
        0.0 => s * 2.0,
        _ => s,
    }
}

/// What a counter is in the reverse pass, it is computed from the iteration: downwards, too, and in a type without negative numbers.
#[differentiable]
fn narrow_counters(x: f64) -> f64 {
    let mut s = x;
    for i in (0..3u8).rev() {
        s = 0.5 * s + (0.1 * x * s).sin() * i as f64;
    }
    let mut i = 9u16;
    while i > 1 {
        i -= 2;
        s = 0.5 * s + (0.1 * x * s).sin() * i as f64;
    }
    let mut i = 5u32;
    while i > 0 {
        i -= 1;
        s = 0.5 * s + (0.1 * x * s).sin() * i as f64;
    }
    let mut i = 250u8;
    while i < 255 {
        s = 0.9 * s + (0.01 * x * s).sin() * i as f64 * 0.01;
        i = i.wrapping_add(3);
    }
    let mut i = 5usize;
    while i != usize::MAX {
        s = 0.9 * s + (0.1 * x * s).sin() * i as f64;
        i = i.wrapping_sub(1);
    }
    s
}
/// The same where a loop is left from its middle, and where several values grow in one loop.
#[differentiable]
fn counters_of_loops_left_early(x: f64) -> f64 {
    let mut s = x;
    let (mut i, mut j, mut k) = (7i32, 40u8, 3usize);
    loop {
        s = 0.5 * s + (0.1 * x * s).sin() * i as f64;
        if i < -6 || s > 1e6 {
            break;
        }
        i -= 3;
        s = 0.5 * s + (0.1 * x * s).cos() * j as f64;
        j = j.wrapping_sub(7);
        if j == 12 {
            break;
        }
        k += 2;
        s += (x * k as f64).sin();
    }
    for n in 2..20usize {
        if n * n > 50 {
            return s * (i as f64 + j as f64 + k as f64);
        }
        s = 0.9 * s + (0.1 * x * s).sin() * n as f64;
    }
    s
}
#[differentiable]
fn guards_with_effects(x: f64) -> f64 {
    let mut count = 0.0;
    let mut s = 0.0;
    for k in 0..5 {
        s += match k {
            0 | 1
                if {
                    count += x;
                    count > x
                } =>
            {
                10.0 * x
            }
            1 => 20.0,
            n if {
                count += 1.0;
                n > 2
            } =>
            {
                count * x
            }
            n @ 2..=3 => n as f64 * count,
            _ => -1.0,
        };
    }
    let o = Some(x);
    let y = match o {
        Some(v)
            if {
                s += 1.0;
                v > 100.0
            } =>
        {
            1.0
        }
        Some(v)
            if {
                s += v;
                false
            } =>
        {
            2.0
        }
        Some(v) => v * s,
        None => 0.0,
    };
    s + y + count
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Config {
    rate: f64,
    weights: Vec<f64>,
    list: [f64; 2],
    tag: u8,
}
#[differentiable]
fn config(x: f64) -> Config {
    Config {
        rate: x,
        weights: vec![x, 1.0],
        list: [x, 3.0],
        tag: 1,
    }
}
#[differentiable]
fn struct_update(x: f64) -> f64 {
    let base = config(x);
    let mut a = Config {
        rate: 2.0,
        ..base.clone()
    };
    a.weights[0] += 1.0;
    a.list[0] = 5.0;
    let b = Config {
        weights: vec![9.0],
        ..config(x * 2.0)
    };
    let mut c = Config {
        weights: vec![],
        ..base
    };
    c.list[1] = 7.0 * x;
    let d = Config {
        rate: {
            c.list[0] += 1.0;
            x
        },
        tag: 4,
        ..a
    };
    base.weights[0] * d.weights[0]
        + base.list[1] * c.list[1]
        + b.list[0]
        + d.list[0] * base.list[0]
        + c.list[0]
        + (b.tag + d.tag) as f64
}

#[differentiable]
fn ranges_by_reference(x: &[f64]) -> f64 {
    let mut r = 0..x.len();
    let mut s = 0.0;
    for i in &mut r {
        s += x[i];
        if i == 1 {
            break;
        }
    }
    for i in r.by_ref().take(1) {
        s += 10.0 * x[i];
    }
    let rest = r.clone();
    for i in r {
        s += 100.0 * x[i];
    }
    for i in rest.rev() {
        s = s * 0.5 + x[i];
    }
    let mut it = x.iter();
    it.next();
    let copy = it.clone();
    s += it.by_ref().take(2).sum::<f64>();
    s += it.map(|v| v * 3.0).sum::<f64>() + copy.product::<f64>();
    let q = 1..=3;
    s + q.clone().sum::<i32>() as f64 + *q.start() as f64 + (q.contains(&2) as i32) as f64
}

#[differentiable]
fn sort_and_dedup(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = x.iter().chain(x).map(|v| v * 2.0).collect();
    v.sort_by(|a, b| b.partial_cmp(a).unwrap());
    v.dedup();
    let mut pairs: Vec<(usize, f64)> = v.iter().copied().enumerate().collect();
    pairs.sort_by(|a, b| (a.0 % 2).cmp(&(b.0 % 2)).then(a.1.total_cmp(&b.1)));
    let mut w = pairs.clone();
    w.dedup_by_key(|p| p.0 % 2);
    let mut n = vec![3, 1, 1, 2, 2, 2, 3];
    n.dedup();
    n.sort_unstable_by(|a, b| b.cmp(a));
    let mut s = n.iter().fold(0.0, |s, &k| s * 3.0 + k as f64);
    for (i, (k, v)) in pairs.iter().enumerate() {
        s += v * (i + 1) as f64 * (k + 2) as f64;
    }
    s + w[0].1 * 7.0 + w.len() as f64
}

#[differentiable]
fn retain_and_drain(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut seen = 0.0;
    v.retain(|y| {
        seen += y;
        *y > 0.3
    });
    let d: Vec<f64> = v.drain(1..).map(|y| y * seen).collect();
    let mut w: Vec<Vec<f64>> = x.iter().map(|&y| vec![y; 2]).collect();
    w.retain_mut(|r| {
        r[0] *= 2.0;
        r[1] < 2.5
    });
    let gone = w.remove(0);
    let other = w.swap_remove(0);
    w.insert(1, gone);
    w.truncate(3);
    let mut s = 0.0;
    for (i, r) in w.iter().enumerate() {
        s += r[0] * (i + 1) as f64;
    }
    let all: f64 = w.drain(..).flatten().sum();
    s + d.iter().sum::<f64>() * v[0] + other[0] + all + w.len() as f64
}

#[differentiable]
fn rotations(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.rotate_left(2);
    v[1..].rotate_right(1);
    v.swap(0, 4);
    v[..3].reverse();
    v.copy_within(0..2, 3);
    let mut l = [x[0], x[1], x[2], x[3]];
    l.rotate_left(1);
    l[1..3].fill(x[4]);
    let (a, b) = v.split_at_mut(2);
    a.copy_from_slice(&b[..2]);
    v.iter().zip(1..).map(|(v, k)| v * k as f64).sum::<f64>()
        + l.iter().rev().fold(0.0, |s, v| s * 2.0 + v)
}

#[differentiable]
fn chunked(x: &mut [f64]) -> f64 {
    for (i, c) in x.chunks_exact_mut(2).enumerate() {
        c.swap(0, 1);
        c[0] *= (i + 2) as f64;
    }
    for c in x.chunks_mut(3) {
        let n = c.len();
        c[n - 1] += c[0];
    }
    let mut s = 0.0;
    for c in x.rchunks(2) {
        s = s * 2.0 + c[0];
    }
    for (c, w) in x.chunks(2).zip(x.windows(2)) {
        s += c.iter().product::<f64>() * w[1];
    }
    let e = x.chunks_exact(2);
    s + e.remainder()[0] + e.map(|c| c[0] - c[1]).sum::<f64>()
}

#[differentiable]
fn rev_enumerate(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().rev().enumerate() {
        s += v * (i + 1) as f64;
    }
    for (i, v) in x.iter().enumerate().rev().skip(1) {
        s += v * v * (i + 1) as f64;
    }
    for (i, v) in x.iter().enumerate().skip(1).step_by(2).rev() {
        s = s * 1.5 + v * i as f64;
    }
    for i in (0..x.len()).rev().step_by(2) {
        s = s * 0.5 + x[i];
    }
    for (i, (j, v)) in x.iter().enumerate().rev().enumerate() {
        s += (i * 10 + j) as f64 * v;
    }
    s
}

#[derive(Clone, Debug, PartialEq, PartialOrd, Differentiable)]
struct Ranked<T>(T);
#[differentiable]
fn ranked_generics(x: f64) -> f64 {
    let a = Ranked(x);
    let b = a.clone();
    if a < Ranked(1.0) && a == b { x * x } else { x }
}
#[differentiable]
fn unequal_zips(x: &[f64]) -> f64 {
    let short = [1.0, 2.0, 3.0];
    let mut s = 0.0;
    for (a, b) in x.iter().zip(&short) {
        s += a * b;
    }
    for (a, b) in short.iter().zip(x).rev() {
        s = s * 2.0 + a * b;
    }
    for ((a, b), c) in x.iter().zip(short.iter().skip(1)).zip(10..) {
        s += a * b * c as f64;
    }
    for (i, (a, b)) in x.iter().rev().zip(short.iter().cycle()).enumerate() {
        s += a * b * i as f64;
    }
    s + x.iter().zip(&x[1..]).map(|(a, b)| b - a * a).sum::<f64>()
}

#[differentiable]
fn labelled_values(x: &[f64]) -> f64 {
    let found = 'outer: loop {
        for (i, a) in x.iter().enumerate() {
            for b in &x[i..] {
                if a * b > 3.0 {
                    break 'outer a * b;
                }
            }
        }
        break 0.0;
    };
    let c = 'done: {
        if found > 100.0 {
            break 'done 1.0;
        }
        let y = found * 2.0;
        if y > 4.0 {
            break 'done y * x[0];
        }
        -1.0
    };
    let mut n = 0;
    let mut s = 0.0;
    'rows: while n < 4 {
        n += 1;
        for v in x {
            if *v < 0.0 && n % 2 == 0 {
                continue 'rows;
            }
            if n == 4 {
                break 'rows;
            }
            s += v * n as f64;
        }
        s *= 2.0;
    }
    found + c + s
}

#[differentiable]
fn let_elses(x: &[f64]) -> f64 {
    let [a, b, ..] = x else { return 0.0 };
    let Some(big) = x.iter().find(|v| **v > 1.0) else {
        return a + b;
    };
    let mut s = 0.0;
    for v in x {
        let (Some(w), true) = (v.checked_half(), *v > 0.3) else {
            s -= 1.0;
            continue;
        };
        s += w;
    }
    let Ok(k) = half(s) else { panic!("no") };
    a * b + big * s + k
}
trait CheckedHalf {
    fn checked_half(&self) -> Option<f64>;
}
#[differentiable]
impl CheckedHalf for f64 {
    fn checked_half(&self) -> Option<f64> {
        if *self > 0.0 { Some(*self / 2.0) } else { None }
    }
}
#[differentiable]
fn half(x: f64) -> Result<f64, u8> {
    if x > -1e3 { Ok(x / 2.0) } else { Err(3) }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Inner {
    Empty,
    One(f64),
    Two { a: f64, b: [f64; 2] },
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Outer {
    Leaf(Inner),
    Pair(Box<Outer>, Inner),
    Many(Vec<Outer>),
}
#[differentiable]
fn total(o: &Outer) -> f64 {
    match o {
        Outer::Leaf(Inner::Empty) => 1.0,
        Outer::Leaf(Inner::One(v)) | Outer::Pair(_, Inner::One(v)) if *v > 1.0 => *v,
        Outer::Leaf(Inner::Two { a, b: [c, _] }) => a * c,
        Outer::Pair(inner, Inner::Two { b, .. }) => total(inner) * b[1],
        Outer::Pair(inner, _) => total(inner) + 0.5,
        Outer::Many(all) => all.iter().map(total).sum(),
        Outer::Leaf(Inner::One(v)) => -*v,
    }
}
#[differentiable]
fn nested_enums(x: f64) -> f64 {
    let two = Inner::Two {
        a: x,
        b: [2.0, x * x],
    };
    let mut all = vec![
        Outer::Leaf(Inner::Empty),
        Outer::Leaf(two.clone()),
        Outer::Pair(Box::new(Outer::Leaf(Inner::One(x))), two.clone()),
        Outer::Pair(Box::new(Outer::Leaf(Inner::One(x * 3.0))), Inner::One(x)),
    ];
    for o in &mut all {
        match o {
            Outer::Leaf(Inner::Two { a, b }) => {
                *a += b[1];
                b[0] *= 2.0;
            }
            Outer::Pair(inner, i @ Inner::One(_)) => {
                **inner = Outer::Leaf(two.clone());
                *i = Inner::Empty;
            }
            _ => {}
        }
    }
    let same = all[1] == all[1].clone() && all[1] != Outer::Leaf(two);
    total(&Outer::Many(all)) + if same { x } else { 0.0 }
}

#[differentiable]
fn lists_are_values(x: f64) -> f64 {
    let mut a = [x, 2.0];
    let b = a;
    a[0] = 5.0;
    let mut c = a;
    c[1] *= x;
    let d = { a };
    a[1] = 9.0;
    let e = if x > 0.0 { a } else { b };
    a[0] += 1.0;
    let mut f = &a;
    let g = *f;
    f = &b;
    a[1] += 100.0 * x;
    b[0] + c[1] * d[1] + e[0] * e[1] + f[0] + g[1] + a[1]
}

#[differentiable]
fn lists_in_tuples(x: f64) -> f64 {
    let pair = ([x, 1.0], [x * x, 2.0]);
    let (mut a, b) = pair;
    a[0] = 10.0;
    let (c, mut d) = pair;
    d[1] *= x;
    let mut e = pair;
    e.0[1] = 4.0 * x;
    let mut f = pair.1;
    f[0] = 3.0;
    let mut whole = ([x; 2], 1.0);
    let (g, _) = whole;
    whole.0[0] = 100.0;
    let ([mut h, _], k) = pair;
    h *= 2.0;
    let mut l = [x, x + 1.0];
    let m = (l, l);
    l[0] = 50.0;
    let (p, q) = (l, l[1]);
    l[0] = 60.0;
    a[0] * pair.0[0]
        + b[0] * c[0]
        + d[1] * pair.1[1]
        + e.0[1]
        + pair.0[1]
        + f[0] * pair.1[0]
        + g[0] * whole.0[0]
        + h
        + k[0]
        + m.0[0]
        + m.1[1] * l[0]
        + p[0] * q
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Block {
    data: [f64; 3],
    scale: f64,
}
#[differentiable]
impl Block {
    fn doubled(mut self) -> Block {
        self.data[0] *= 2.0;
        self
    }
    fn bump(&mut self) -> [f64; 3] {
        self.data[1] += self.scale;
        self.data
    }
}
#[differentiable]
fn lists_in_structs(x: f64) -> f64 {
    let mut a = Block {
        data: [x, 2.0, 3.0],
        scale: x,
    };
    let b = a;
    let c = a.doubled();
    let d = a.bump();
    let e = a.bump();
    a.data[2] = d[1];
    let Block { mut data, .. } = a;
    data[0] = 1000.0;
    let f = [a, b, c];
    a.data[0] = -1.0;
    let mut g = f;
    g[0].data[0] *= 2.0;
    let h = g[0];
    g[0].data[0] = 0.0;
    let boxed = Box::new(a);
    let mut i = *boxed;
    i.data[1] = 77.0;
    let o = Some(a);
    if let Some(mut j) = o {
        j.data[2] = 1e3;
    }
    b.data[0]
        + c.data[0] * d[1]
        + e[1]
        + data[0] * data[2]
        + f[0].data[0]
        + h.data[0]
        + boxed.data[1]
        + o.unwrap().data[2]
        + a.data[0]
}

#[differentiable]
fn lists_of_lists(x: f64) -> f64 {
    let mut m = [[x, 1.0], [2.0, x * x]];
    let r = m[0];
    m[0][0] = 9.0;
    m[1] = r;
    m[0][1] += m[1][0];
    let mut rows = vec![r, m[1]];
    rows.push(rows[0]);
    rows[0][0] = 33.0;
    for row in m.iter_mut() {
        row[0] *= 2.0;
    }
    for mut row in m {
        row[0] = 1e6;
    }
    for row in &mut rows {
        *row = [row[1], row[0]];
    }
    let last = rows.pop().unwrap();
    let mut grid = [[0.0; 3]; 2];
    grid[1] = [x, x, 4.0];
    grid[0][2] = grid[1][0];
    grid[1][0] = -3.0;
    r[0] + m[0][0] * m[1][0]
        + m[0][1]
        + rows[0][1] * rows[1][1]
        + last[1]
        + grid[0][2]
        + grid[1][2]
        + grid[0][0]
}

#[differentiable]
fn change(mut l: [f64; 2]) -> [f64; 2] {
    l[0] *= 3.0;
    l
}
#[differentiable]
fn same(l: [f64; 2]) -> [f64; 2] {
    l
}
#[differentiable]
fn inner(l: &([f64; 2], f64)) -> [f64; 2] {
    l.0
}
#[differentiable]
fn lists_through_functions(x: f64) -> f64 {
    let mut a = [x, 2.0];
    let b = change(a);
    let mut c = same(a);
    c[0] = 8.0;
    let mut t = (a, x);
    let mut d = inner(&t);
    d[1] = 20.0;
    t.0[0] = 30.0;
    let e = same(t.0);
    t.0[0] = 40.0;
    a[1] = x;
    let f = |mut l: [f64; 2]| {
        l[1] += 1.0;
        l
    };
    let g = f(a);
    a[0] * b[0] + c[0] + d[0] * d[1] + e[0] * t.0[0] + g[1] * a[1]
}

#[differentiable]
fn lists_in_options(x: f64) -> f64 {
    let mut o = Some([x, 1.0]);
    let p = o;
    if let Some(l) = &mut o {
        l[0] = 5.0;
    }
    let q = o.unwrap();
    if let Some(l) = o.as_mut() {
        l[1] = x * x;
    }
    let mut r = o.unwrap_or([0.0; 2]);
    r[0] += 1.0;
    let s = match o {
        Some(mut l) => {
            l[0] = 70.0;
            l[1]
        }
        None => 0.0,
    };
    let t = o.map(|mut l| {
        l[0] *= x;
        l
    });
    let u = o.take();
    let w = o.replace([3.0, x]);
    let z = o.get_or_insert([1.0; 2]);
    z[0] *= x;
    p.unwrap()[0] * q[0]
        + q[1]
        + r[0] * s
        + t.unwrap()[0]
        + u.unwrap()[1]
        + w.is_some() as i32 as f64
        + o.unwrap()[0] * o.unwrap()[1]
}

#[differentiable]
fn lists_in_closures(x: f64) -> f64 {
    let mut l = [x, 2.0];
    let kept = move |i: usize| l[i];
    l[0] = 9.0;
    let mut own = {
        move || {
            l[1] *= x;
            l[1]
        }
    };
    let a = own() + own();
    let view = || l[0] * 2.0;
    let b = view();
    let mut add = |v| l[0] += v;
    add(1.0);
    add(x);
    kept(0) + kept(1) * a + b + l[0] + l[1]
}

#[differentiable]
fn lists_matched(x: f64) -> f64 {
    let mut l = [x, 1.0];
    let y = match l {
        [a, b] if a > 100.0 => b,
        m => {
            l[0] = 4.0;
            m[0] * l[0]
        }
    };
    let t = (l, 3);
    let z = match t {
        (mut n, 3) => {
            n[1] += 2.0 * x;
            n[1] * t.0[1]
        }
        (n, _) => n[0],
    };
    let w @ [a, _] = l;
    l[0] = 1e2;
    let mut k = [l, w];
    let [first, mut second] = k;
    second[0] = 12.0;
    k[0][0] = 13.0;
    while let [n, _] = k[1]
        && n < 3.0
    {
        k[1][0] += 1.0;
    }
    y + z + w[0] * a + first[0] * x + second[0] + k[1][0] + k[0][0]
}

#[differentiable]
fn copied_closures(x: f64) -> f64 {
    let mut n = x;
    let mut f = move || {
        n += 1.0;
        n * x
    };
    let a = f();
    let mut g = f;
    let b = g() + g();
    let c = f();
    let mut pair = (f, g);
    let d = (pair.0)() + 10.0 * (pair.1)();
    let e = f() * 100.0;
    let mut all = [f, f];
    let h = all[0]() + all[0]() + all[1]();
    a + b * 2.0 + c * 3.0 + d + e + h + n
}

#[differentiable]
fn twice<F: FnMut() -> f64>(mut f: F) -> f64 {
    f() + 2.0 * f()
}
#[differentiable]
fn cloned_closures(x: f64) -> f64 {
    let mut n = x;
    let mut v = vec![x];
    let mut f = move || {
        n *= 1.5;
        v.push(n);
        v[v.len() - 1] + v.len() as f64
    };
    let a = f();
    let mut g = f.clone();
    let b = g() + g();
    let c = f();
    let mut k = x;
    let h = move || {
        k += x;
        k
    };
    let d = twice(h) + twice(h);
    a + b * 2.0 + c * 3.0 + d
}

#[differentiable]
fn block_values(x: f64) -> f64 {
    let y = {
        let a = x * 2.0;
        let f = |b: f64| a * b;
        f(a) + f(1.0)
    };
    let z = match {
        let t = y;
        t > 1.0
    } {
        true => {
            let q = if y > 2.0 { x } else { y };
            q * 3.0
        }
        false => unreachable!(),
    };
    let w = loop {
        if z > 0.0 {
            break {
                let u = z;
                u * u
            };
        }
    };
    (|| {
        if w > 1e9 {
            return 1.0;
        }
        w + y
    })() + {
        x;
        z
    }
}

#[differentiable]
fn deferred(x: f64) -> f64 {
    let y;
    let z: [f64; 2];
    if x > 0.5 {
        y = x * 2.0;
        z = [y, 1.0];
    } else {
        y = 3.0;
        z = [1.0, x];
    }
    let v: Vec<f64>;
    let mut w;
    loop {
        w = vec![y];
        w.push(x);
        break;
    }
    v = w.clone();
    w[0] = 100.0;
    y * z[0] + v[0] * w[1]
}

#[differentiable]
fn while_lets(x: &[f64]) -> f64 {
    let mut stack = vec![x.to_vec()];
    let mut s = 0.0;
    while let Some(mut top) = stack.pop() {
        if top.len() > 2 {
            let half = top.split_off(top.len() / 2);
            stack.push(half);
            stack.push(top);
        } else if let [a, b] = top[..] {
            s = s * 0.5 + a * b;
        } else {
            s += top[0];
        }
    }
    let mut it = x.iter().peekable();
    while let Some(v) = it.next() {
        if let Some(&&w) = it.peek() {
            s += v * w;
        }
    }
    let mut k = Some(3usize);
    while let Some(n) = k {
        s += x[n];
        k = n.checked_sub(1);
    }
    s
}

#[differentiable]
fn shared_cells(x: f64) -> f64 {
    let a = Rc::new(RefCell::new(x));
    let b = a.clone();
    let c = Rc::clone(&b);
    *b.borrow_mut() += 1.0;
    *c.borrow_mut() *= x;
    let d = Cell::new(x);
    let e = &d;
    e.set(e.get() + 2.0);
    d.set(d.get() * e.get());
    let old = d.replace(5.0);
    let f = RefCell::new(vec![x]);
    f.borrow_mut().push(old);
    let n = f.borrow().len();
    let g = f.borrow()[1] * 2.0;
    let v = f.into_inner();
    let t = a.replace(7.0);
    let h = *a.borrow() * *c.borrow();
    t + h * x + g + n as f64 + v[0] + d.take() + d.get()
}

#[derive(Debug, Differentiable)]
struct Account {
    balance: Cell<f64>,
    log: RefCell<Vec<f64>>,
}
#[derive(Clone, Debug, Differentiable)]
struct Holder {
    shared: Rc<RefCell<f64>>,
    account: Rc<Account>,
    own: Vec<f64>,
}
#[differentiable]
fn bump(cell: &RefCell<f64>, by: f64) {
    *cell.borrow_mut() += by;
}
#[differentiable]
fn clones_of_rcs(x: f64) -> f64 {
    let account = Rc::new(Account {
        balance: Cell::new(x),
        log: RefCell::new(vec![x]),
    });
    let again = account.clone();
    again.balance.set(again.balance.get() * 3.0);
    Rc::clone(&account)
        .log
        .borrow_mut()
        .push(account.balance.get());
    let a = Holder {
        shared: Rc::new(RefCell::new(x)),
        account,
        own: vec![x],
    };
    let mut b = a.clone();
    b.own[0] = 7.0;
    bump(&a.shared, 1.0);
    bump(&b.shared, 2.0 * x);
    b.account.log.borrow_mut()[0] *= 5.0;
    let all = vec![a.shared.clone(), Rc::new(RefCell::new(4.0))];
    let more = all.clone();
    bump(&more[0], 10.0);
    bump(&more[1], x);
    let first: Option<&Rc<RefCell<f64>>> = all.iter().next();
    let kept = first.cloned().unwrap();
    let fresh = RefCell::new(kept.borrow().clone());
    bump(&fresh, 100.0);
    let inside = move || kept.clone();
    bump(&inside(), 0.5);
    let both = |c: &Rc<RefCell<f64>>| (c.clone(), Rc::clone(c));
    let (c, d) = both(&all[1]);
    let by = *d.borrow();
    bump(&c, by);
    *a.shared.borrow()
        + b.own[0] * a.own[0]
        + a.account.log.borrow().iter().sum::<f64>()
        + *all[1].borrow()
        + *fresh.borrow()
        + again.balance.get()
}

#[differentiable]
fn cells_in_vectors(x: f64) -> f64 {
    let cells: Vec<Cell<f64>> = (0..3).map(|i| Cell::new(x * i as f64)).collect();
    for (i, c) in cells.iter().enumerate() {
        c.set(c.get() + cells[(i + 1) % 3].get());
    }
    let shared: Vec<Rc<RefCell<f64>>> = vec![Rc::new(RefCell::new(x)); 2];
    *shared[0].borrow_mut() += 5.0;
    let again = shared.clone();
    *again[1].borrow_mut() *= 2.0;
    cells.iter().map(|c| c.get()).sum::<f64>() + *shared[0].borrow() + *again[0].borrow()
}

#[differentiable]
fn recursive_closures(x: f64) -> f64 {
    let k = x * 0.5;
    repeat_with(&|v| v * k + 1.0, 3, x)
}
#[differentiable]
fn repeat_with(f: &dyn Fn(f64) -> f64, n: u32, x: f64) -> f64 {
    if n == 0 {
        x
    } else {
        repeat_with(f, n - 1, f(x))
    }
}

#[differentiable]
fn replace_in_loops(x: &[f64]) -> f64 {
    let mut before = vec![0.0; 2];
    let mut s = 0.0;
    for &v in x {
        let mut now = std::mem::take(&mut before);
        now.push(v);
        if now.len() > 3 {
            now.remove(0);
        }
        s += now.iter().product::<f64>() + now[0];
        before = now;
    }
    let mut o = Some(x[0]);
    for &v in &x[1..] {
        s += o.replace(v).unwrap() * v;
        if v > 1.0 {
            o = o.take().map(|w| w * 2.0);
        }
    }
    s + before.len() as f64
}

#[derive(Clone, Debug, Default, Differentiable)]
struct Table {
    rows: Vec<Vec<f64>>,
    sums: Vec<f64>,
}
#[differentiable]
fn struct_of_vectors(x: &[f64]) -> f64 {
    let mut t = Table {
        rows: vec![],
        sums: vec![],
    };
    for (i, &v) in x.iter().enumerate() {
        if i % 2 == 0 {
            t.rows.push(vec![v]);
        } else {
            t.rows.last_mut().unwrap().push(v);
        }
    }
    t.sums = t.rows.iter().map(|r| r.iter().sum()).collect();
    let Table { rows, sums } = &mut t;
    for (r, s) in rows.iter_mut().zip(sums.iter()) {
        for v in r.iter_mut() {
            *v *= s;
        }
    }
    let u = std::mem::take(&mut t);
    let empty = t.rows.len() + Table::default().sums.len();
    u.rows.concat().iter().fold(1.0, |a, b| a * 0.5 + b) + u.sums[1] + empty as f64
}

#[differentiable]
fn swapped_fields(x: f64) -> f64 {
    let mut p = P {
        a: x,
        b: 2.0,
        c: x * x,
    };
    (p.a, p.b) = (p.b, p.a);
    let P { a, c, .. } = p;
    p = P {
        a: p.c,
        b: p.a,
        c: p.b,
    };
    [p.a, p.c] = [p.c * 2.0, p.a];
    let (mut u, mut v, mut w) = (x, 1.0, 2.0);
    for _ in 0..3 {
        (u, v, w) = (v + w, u * 0.5, v);
    }
    a * c + p.a + 2.0 * p.b + 3.0 * p.c + u + v * w
}

#[differentiable]
fn add_into(to: &mut f64, from: &mut f64) {
    *to += *from;
    *from *= 2.0;
}
#[differentiable]
fn two_places(x: &mut [f64]) -> f64 {
    let (a, b) = x.split_at_mut(2);
    add_into(&mut a[0], &mut b[0]);
    add_into(&mut b[1], &mut a[1]);
    if let [p, q, .., r] = x {
        add_into(p, r);
        add_into(q, p);
    }
    let mut t = (x[0], x[1]);
    add_into(&mut t.0, &mut t.1);
    let first = x.iter_mut().max_by(|a, b| a.total_cmp(b)).unwrap();
    *first = 0.5 * t.0;
    let (last, rest) = x.split_last_mut().unwrap();
    *last += rest.iter().sum::<f64>();
    t.1 * x[4]
}

#[differentiable]
fn mutable_options(x: f64) -> f64 {
    let mut o = Some(x);
    if let Some(ref mut v) = o {
        *v += 1.0;
    }
    if let Some(v) = o.as_mut() {
        *v *= x;
    }
    let mut n: Option<f64> = None;
    *n.get_or_insert(2.0) += x;
    let k = n.insert(x * 3.0);
    *k += 1.0;
    let z = o.zip(n).map(|(a, b)| a * b);
    let f = o.filter(|v| *v > 100.0).or(Some(4.0)).xor(None);
    let m = o
        .and_then(|v| if v > 0.0 { Some(v.ln()) } else { None })
        .unwrap_or_default();
    let mut v = vec![Some(x), None, Some(2.0)];
    for e in v.iter_mut().flatten() {
        *e *= 3.0;
    }
    let s: f64 = v.iter().flatten().sum();
    z.unwrap() + f.unwrap() * m + s + v[1].map_or(x, |v| v) + o.into_iter().sum::<f64>()
}

#[differentiable]
fn tuples_reassigned(x: f64) -> f64 {
    let mut t = (x, (1.0, [x, 2.0]));
    let old = t;
    t.1.0 = t.0 * 3.0;
    (t.1).1[1] = t.1.0;
    t.0 = old.1.1[0] + t.1.1[1];
    let ((a, (b, c)), d) = (t, old);
    let mut arr = [(x, 1), (2.0, 2)];
    arr[0].0 += arr[1].0;
    arr.swap(0, 1);
    for (v, n) in &mut arr {
        *v *= *n as f64;
        *n += 1;
    }
    let (p, q) = arr[1];
    a * b + c[1] - d.0 + p * q as f64 + arr[0].0 + old.1.1[1]
}

#[differentiable]
fn bindings_at(x: f64) -> f64 {
    let n = (x * 10.0) as i32;
    let y = match n {
        k @ (1 | 2 | 3) => k as f64,
        k @ 4..=8 if k % 2 == 1 => x * k as f64,
        k @ 9.. => -(k as f64),
        k => k as f64 * 2.0,
    };
    let o @ Some(v) = Some(x) else { return 0.0 };
    let ref r @ (a, ref b) = (x, [x, 1.0]);
    let p = P {
        a: x,
        b: 1.0,
        c: 2.0,
    };
    let w = match p {
        P {
            a: z @ 0.0..=1.0,
            b,
            ..
        } => z * b,
        whole @ P { .. } => whole.c,
    };
    y + v * o.unwrap() + a + b[0] + r.1[1] + w
}

#[differentiable]
fn ranges_in_patterns(x: f64) -> f64 {
    let mut s = 0.0;
    for i in -2i32..3 {
        s += match i {
            i32::MIN..=-1 => x,
            0 => 10.0,
            1..3 => x * i as f64,
            _ => 0.0,
        };
    }
    s + match x {
        ..0.0 => 1.0,
        0.0..0.5 => 2.0,
        0.5.. => x * 4.0,
        _ => f64::NAN,
    }
}

const LIMIT: usize = 2;
const HALF: f64 = 0.5;
#[differentiable]
fn consts_in_patterns(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += match (i, *v) {
            (LIMIT, v) => v * 10.0,
            (_, HALF) => 5.0,
            (n, v) if n > LIMIT => v,
            (0 | 1, v) => -v,
            _ => 0.0,
        };
    }
    s
}

#[differentiable]
fn compound_on_places(x: &[f64]) -> f64 {
    let mut v = vec![x.to_vec(), vec![1.0; 5]];
    v[1][2] += v[0][2] * 2.0;
    let i = 1;
    v[i][i] -= v[i][i + 1];
    let b = &mut v[0];
    b[0] *= b[1];
    *b.last_mut().unwrap() /= 3.0;
    *v.iter_mut().flatten().nth(2).unwrap() += 7.0;
    let mut t = (x[0], Box::new(x[1]));
    *t.1 *= t.0;
    t.0 -= *t.1;
    let mut n = 7u32;
    n <<= 2;
    n ^= 5;
    n %= 11;
    n |= 8;
    n >>= 1;
    v[0].iter().sum::<f64>() * t.0 + v[1].iter().product::<f64>() + n as f64 * *t.1
}

#[differentiable]
fn references_reassigned(x: f64) -> f64 {
    let (mut a, mut b) = (x, 2.0 * x);
    let mut r = &mut a;
    *r += 1.0;
    if x > 0.5 {
        r = &mut b;
    }
    *r *= 3.0;
    let mut l = [a, b];
    let mut at = &mut l[0];
    *at += 1.0;
    at = &mut l[1];
    *at += x;
    let p = &&l;
    let mut rest: &[f64] = &**p;
    let mut s = 0.0;
    while let Some((first, tail)) = rest.split_first() {
        s = s * 2.0 + first;
        rest = tail;
    }
    a * b + s
}

#[differentiable]
fn pick<'a>(first: bool, a: &'a mut f64, b: &'a mut f64) -> &'a mut f64 {
    if first { a } else { b }
}
#[differentiable]
fn conditional_borrows(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    *pick(x > 0.0, &mut a, &mut b) += 2.0;
    *pick(x > 1.0, &mut a, &mut b) *= x;
    for i in 0..4 {
        let r = if i % 2 == 0 { &mut a } else { &mut b };
        *r += i as f64 * x;
    }
    let m = match x > 0.0 {
        true => &a,
        false => &b,
    };
    let v = vec![a, b];
    let s = if v.len() > 5 { &v[..1] } else { &v[1..] };
    *m * s[0] + a - b
}

#[differentiable]
fn fill(out: &mut Vec<f64>, best: &mut Option<f64>, x: f64) -> bool {
    out.push(x);
    if best.is_none_or(|b| b < x) {
        *best = Some(x);
        return true;
    }
    false
}
#[differentiable]
fn out_parameters(x: f64) -> f64 {
    let mut out = vec![];
    let mut best = None;
    let mut n = 0;
    for k in [x, 0.5, x * x, 3.0, x + 1.0] {
        if fill(&mut out, &mut best, k) {
            n += 1;
        }
    }
    out.iter().sum::<f64>() * best.unwrap() + n as f64
}

#[differentiable]
fn method_chains(x: &[f64]) -> f64 {
    let a: f64 = x
        .iter()
        .skip_while(|v| **v < 1.0)
        .take_while(|v| **v > 0.1)
        .map(|v| v * v)
        .sum();
    let b = x
        .iter()
        .copied()
        .filter(|v| *v > 0.0)
        .map(f64::sqrt)
        .fold(0.0, |m: f64, v| m.max(v));
    let c = x
        .iter()
        .scan(1.0, |s, v| {
            *s *= v;
            Some(*s)
        })
        .last()
        .unwrap();
    let d: Vec<f64> = x.chunks(2).flat_map(|c| c.iter().rev()).copied().collect();
    let e = x
        .iter()
        .enumerate()
        .min_by(|a, b| a.1.partial_cmp(b.1).unwrap())
        .map(|(i, v)| i as f64 * v)
        .unwrap();
    let f = x.iter().partition::<Vec<f64>, _>(|v| **v > 0.4);
    let g: (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v + 1.0, v * 2.0)).unzip();
    let h = x
        .windows(2)
        .map(|w| w[0] * w[1])
        .rev()
        .reduce(|a, b| a * 0.5 + b)
        .unwrap();
    let i = x.iter().position(|v| *v == 2.0).unwrap_or(9);
    let j = x
        .iter()
        .try_fold(0.0, |s, v| if *v < 10.0 { Some(s + v) } else { None })
        .unwrap();
    a + b + c + d[1] * d[4] + e + f.0.len() as f64 + f.1[0] + g.0[1] * g.1[2] + h + i as f64 + j
}

#[differentiable]
fn matrices_by_rows(x: &[f64]) -> f64 {
    let m: Vec<Vec<f64>> = (0..3)
        .map(|i| (0..3).map(|j| x[(i + j) % 5] * (i + 1) as f64).collect())
        .collect();
    let t: Vec<Vec<f64>> = (0..3).map(|j| m.iter().map(|r| r[j]).collect()).collect();
    let mut p = vec![vec![0.0; 3]; 3];
    for (i, row) in p.iter_mut().enumerate() {
        for (j, v) in row.iter_mut().enumerate() {
            *v = m[i].iter().zip(&t[j]).map(|(a, b)| a * b).sum();
        }
    }
    p.swap(0, 2);
    let q = p[0].clone();
    p[1] = q;
    p[1][1] = 1.0;
    p.iter().enumerate().map(|(i, r)| r[i]).sum::<f64>() + p[0][1]
}

#[differentiable]
fn break_with_borrow(x: &[f64]) -> f64 {
    let mut v: Vec<Vec<f64>> = x.iter().map(|&a| vec![a, a * 2.0]).collect();
    let mut i = 0;
    let found = loop {
        let row = &mut v[i];
        row[1] += 1.0;
        if row[0] > 1.0 {
            break row;
        }
        i += 1;
    };
    found[0] *= 5.0;
    let y = found.iter().sum::<f64>();
    y + v[0][1] * v[i][0]
}

#[differentiable]
fn returns_in_closures(x: &[f64]) -> f64 {
    let f = |v: &f64| -> f64 {
        if *v < 0.0 {
            return -*v * 2.0;
        }
        for k in 0..3 {
            if *v < k as f64 {
                return k as f64 * v;
            }
        }
        *v
    };
    let g = |v: f64| -> Option<f64> {
        let w = if v > 0.0 { Some(v) } else { None }?;
        Some(w.ln())
    };
    x.iter().map(f).sum::<f64>() + x.iter().filter_map(|v| g(*v)).sum::<f64>()
}

#[differentiable]
fn checked(x: f64) -> Result<f64, f64> {
    if x > 2.5 { Err(x * 2.0) } else { Ok(x * x) }
}
#[differentiable]
fn all_checked(x: &[f64]) -> Result<f64, f64> {
    let mut s = 0.0;
    for v in x {
        s += checked(*v)? + checked(s * 0.1).or_else(|e| Ok::<f64, f64>(e + 1.0))?;
    }
    Ok(s)
}
#[differentiable]
fn question_marks(x: &[f64]) -> f64 {
    let a = match all_checked(x) {
        Ok(v) => v,
        Err(e) => e * 3.0,
    };
    let b = all_checked(&x[..3]).unwrap_or_else(|e| -e);
    let c: Result<Vec<f64>, f64> = x.iter().map(|v| checked(*v)).collect();
    let d: Option<Vec<f64>> = x.iter().map(|v| checked(*v).ok()).collect();
    let e: Result<Vec<f64>, f64> = x[..4].iter().map(|v| checked(*v)).collect();
    a + b + c.unwrap_err() + d.is_none() as u8 as f64 + e.unwrap().iter().sum::<f64>()
}

#[differentiable]
fn integer_division(x: f64, n: i32) -> f64 {
    let a = n / 2;
    let b = n % 3;
    let c = n.div_euclid(2);
    let d = n.rem_euclid(3);
    let e = -n / -2;
    let f = n.checked_div(0).is_none();
    let g = n.signum() * n.abs();
    let h = n.pow(2).isqrt();
    let i = (n as i64).abs_diff(5);
    let j = n.unsigned_abs();
    x * (a * 1000 + b * 100 + c * 10 + d + e + g + h) as f64 + f as i32 as f64 + i as f64 + j as f64
}

#[differentiable]
fn shifts(x: f64, n: u32) -> f64 {
    let a = 1i64 << n;
    let b = -100i32 >> n;
    let c = 0xF0F0u16 >> n;
    let d = 1u64.wrapping_shl(70);
    let e = 1u8.checked_shl(n + 4).is_none();
    let f = !n & 0xFF;
    let g = (n as i8 - 100) as u8 >> 1;
    x * (a + b as i64 + c as i64 + d as i64 + f as i64 + g as i64) as f64 + e as i32 as f64
}

#[differentiable]
fn bool_operators(x: f64) -> f64 {
    let (a, b) = (x > 0.5, x > 1.5);
    let mut c = a & !b | (a ^ b);
    c &= a;
    c |= b;
    c ^= true;
    let mut n = 0;
    let mut t = |v: bool| {
        n += 1;
        v
    };
    let d = t(a) | t(b) & t(false) || t(true);
    let e = t(b) && t(a);
    let f = a > b && a != b && !(a <= b);
    x * (c as i32 + 2 * d as i32 + 4 * e as i32 + 8 * f as i32 + 16 * n) as f64
}

#[differentiable]
fn float_remainders(x: f64) -> f64 {
    let a = (x * 10.0) % 3.0;
    let b = (-x * 10.0) % 3.0;
    let c = (-x * 10.0).rem_euclid(3.0);
    let d = (-x * 10.0).div_euclid(3.0);
    let e = (x * 10.0).fract() + (x * 7.3).trunc() + (x * 7.5).round() + (-x * 3.0).signum();
    let f = x.mul_add(2.0, 3.0) + x.hypot(2.0) + x.powi(-2) + x.recip() + x.clamp(0.0, 0.5);
    let mut g = x * 100.0;
    g %= 7.0;
    let h = x.copysign(-1.0)
        + (x.to_bits() >> 52) as f64
        + x.exp_m1()
        + x.ln_1p()
        + x.to_radians()
        + x.cbrt();
    a + 2.0 * b + c + d + e + f + g + h + x.midpoint(3.0)
}

#[differentiable]
fn ints_to_floats(x: f64) -> f64 {
    let a = u64::MAX as f64;
    let b = i64::MIN as f32;
    let c = (x * 1e10) as u32;
    let d = (x as f32 * 3.0f32) as i32 as f64;
    let e = f64::from(3u8) + f64::from(2.5f32) + i64::from(7i32) as f64;
    let f = 5i32 as usize as f64;
    let g: f64 = 3i16.into();
    a / 1e19 + b as f64 / 1e18 + c as f64 / 1e9 + d + e + f + g * x
}

#[differentiable]
fn ends_of_ranges(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 3..3 {
        s += x[i];
    }
    for i in (5..2).rev() {
        s += x[i];
    }
    for i in (i8::MIN..=-127).rev() {
        s += i as f64 * x[1];
    }
    s += x[5..].iter().sum::<f64>() + x[..0].len() as f64 + x[2..=2][0];
    s += (0..=4).rev().step_by(3).map(|i| x[i]).sum::<f64>();
    s + (1..=0).count() as f64
        + (0..10).step_by(4).sum::<usize>() as f64
        + (0..0).max().unwrap_or(7) as f64
}

#[differentiable]
fn vectors_compared(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let mut w = v.clone();
    let mut s = 0.0;
    if v == w && v == x && x == &w[..] {
        s += x[0];
    }
    w[4] += 1.0;
    if v != w && v[..4] == w[..4] {
        s += x[1];
    }
    let a = [x[0], x[1]];
    if a == [x[0], x[1]] && a != [0.0; 2] && (a, 1) == ([x[0], x[1]], 1) {
        s += x[2];
    }
    if Some(x[0]) != Some(0.5) && Some(&x[0]) != None && Ok::<f64, u8>(1.0) != Err(1) {
        s += x[3];
    }
    if &x[0] < &x[2] && v.contains(&x[2]) && !v.is_empty() && v.starts_with(&[x[0]]) {
        s += x[4];
    }
    s
}

#[differentiable]
fn temporaries_live(x: f64) -> f64 {
    let v = &mut vec![x, 1.0];
    v.push(2.0);
    let r = &mut [x, 3.0];
    r[0] *= 2.0;
    let p = &P {
        a: x,
        b: 2.0,
        c: 1.0,
    };
    let n = &mut (x * 2.0);
    *n += 1.0;
    let s: &[f64] = &[x, *n];
    let z = *&*&x;
    fn_sum(&[v[0], r[0], p.a, *n]) + fn_sum(s) + fn_sum(&vec![z; 2]) + v.len() as f64
}

#[differentiable]
fn boxes_changed(x: f64) -> f64 {
    let mut b = Box::new(x);
    *b += 1.0;
    let mut c = b.clone();
    *c *= 2.0;
    let r = &mut *b;
    *r *= x;
    let mut d: Box<[f64]> = vec![x, 2.0].into_boxed_slice();
    d[1] += *c;
    let e = d.clone();
    d[0] = 0.0;
    let mut f = Box::new([x, 1.0]);
    let g = *f;
    f[0] = 4.0;
    let mut h = Box::new(P {
        a: x,
        b: 1.0,
        c: 2.0,
    });
    h.a += 1.0;
    let i = h.clone();
    h.b = x;
    *h = P { c: i.a, ..*h };
    *b + *c + d[1] * e[0] + f[0] * g[0] + h.a * h.b + h.c
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum List {
    Nil,
    Cons(f64, Box<List>),
}
#[differentiable]
fn linked(x: &[f64]) -> f64 {
    let mut list = List::Nil;
    for v in x {
        list = List::Cons(*v, Box::new(list));
    }
    let mut reversed = List::Nil;
    let mut rest = list.clone();
    while let List::Cons(v, tail) = rest {
        reversed = List::Cons(v * 2.0, Box::new(reversed));
        rest = *tail;
    }
    let mut s = 0.0;
    let mut at = &mut reversed;
    while let List::Cons(v, tail) = at {
        *v += 1.0;
        s = s * 0.5 + *v;
        at = tail;
    }
    *at = List::Cons(s, Box::new(List::Nil));
    let mut t = 0.0;
    let mut at = &reversed;
    while let List::Cons(v, tail) = at {
        t = t * 0.5 + v;
        at = tail;
    }
    if let List::Cons(v, _) = list {
        t += v;
    }
    t
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair<A, B> {
    first: A,
    second: B,
}
#[differentiable]
impl<A: Copy, B: Copy> Pair<A, B> {
    fn flip(self) -> Pair<B, A> {
        Pair {
            first: self.second,
            second: self.first,
        }
    }
}
#[differentiable]
fn generic_pairs(x: f64) -> f64 {
    let p = Pair {
        first: x,
        second: [x, 2.0],
    };
    let mut q = p.flip();
    q.first[0] = 10.0;
    let r = Pair {
        first: p,
        second: 3usize,
    }
    .flip();
    let n = Pair {
        first: Some(p),
        second: Pair {
            first: 1u8,
            second: x,
        },
    };
    q.first[0] * q.second
        + p.second[0]
        + r.second.second[1] * r.first as f64
        + n.first.unwrap().first
        + n.second.second
}

#[differentiable]
trait Machine {
    fn step(&mut self, x: f64) -> f64;
    fn state(&self) -> f64;
}
#[derive(Clone, Debug, Differentiable)]
struct Counter {
    n: f64,
}
#[derive(Clone, Debug, Differentiable)]
struct Memory {
    seen: Vec<f64>,
}
#[differentiable]
impl Machine for Counter {
    fn step(&mut self, x: f64) -> f64 {
        self.n += x;
        self.n
    }
    fn state(&self) -> f64 {
        self.n
    }
}
#[differentiable]
impl Machine for Memory {
    fn step(&mut self, x: f64) -> f64 {
        self.seen.push(x);
        self.seen.iter().product()
    }
    fn state(&self) -> f64 {
        self.seen.len() as f64 * self.seen[0]
    }
}
#[differentiable]
fn dyn_state(x: f64) -> f64 {
    let mut all: Vec<Box<dyn Machine>> = vec![
        Box::new(Counter { n: 1.0 }),
        Box::new(Memory { seen: vec![] }),
    ];
    let mut s = 0.0;
    for k in 0..3 {
        for m in all.iter_mut() {
            s += m.step(x + k as f64);
        }
    }
    all.swap(0, 1);
    let last = all.pop().unwrap();
    s + last.state() * 2.0 + all[0].state()
}

#[differentiable]
fn iterators_kept(x: &[f64]) -> f64 {
    let mut a = x.iter();
    let mut b = x.iter().rev().map(|v| v * 2.0);
    let mut s = 0.0;
    while let (Some(p), Some(q)) = (a.next(), b.next()) {
        s += p * q;
        if s > 3.0 {
            break;
        }
    }
    s += a.len() as f64 + b.next().unwrap_or(0.5);
    let mut c = x.chunks(2);
    let first = c.next().unwrap();
    let mut d = first.iter().chain(c.next().unwrap());
    s += d.next().unwrap() + d.next_back().unwrap();
    let mut n = 0;
    let e: Vec<f64> = std::iter::from_fn(|| {
        n += 1;
        if n < 4 { Some(n as f64 * x[0]) } else { None }
    })
    .collect();
    let f = std::iter::successors(Some(x[0]), |v| if *v < 10.0 { Some(v * 3.0) } else { None })
        .sum::<f64>();
    s + e[2] + f + n as f64
}

#[differentiable]
fn repeat_values(x: f64) -> f64 {
    let mut v = vec![vec![x; 2]; 3];
    v[0][0] = 10.0;
    let mut l = [[x; 2]; 2];
    l[0][0] = 20.0;
    let o = vec![Some([x, 1.0]); 2];
    let mut w = vec![(x, [x; 2]); 2];
    w[0].1[0] = 4.0;
    let mut z = [None; 3];
    z[1] = Some(x);
    v[1][0]
        + v[0][0]
        + l[1][0] * l[0][0]
        + o[1].unwrap()[0]
        + w[1].1[0] * w[0].1[0]
        + z.iter().flatten().sum::<f64>()
}

#[differentiable]
fn nested_options(x: f64) -> f64 {
    let a: Option<Option<f64>> = Some(Some(x));
    let b: Option<Result<f64, u8>> = Some(Ok(x));
    let c = match (a, b) {
        (Some(Some(p)), Some(Ok(q))) if p > 0.0 => p * q,
        (Some(None) | None, _) => 1.0,
        (_, Some(Err(e))) => e as f64,
        _ => 2.0,
    };
    let d = a.flatten().unwrap_or(0.0);
    let e: Result<Option<f64>, u8> = b.transpose();
    let f = e.ok().flatten().map(|v| v + 1.0).ok_or(3u8);
    let g = f
        .map_err(|e| e as f64)
        .and_then(|v| if v > 100.0 { Ok(v) } else { Err(v * x) });
    c + d + f.unwrap() + g.unwrap_or_else(|e| e * 2.0)
}

#[differentiable]
fn results_in_loops(x: &[f64]) -> f64 {
    let mut errors = vec![];
    let mut s = 0.0;
    for v in x {
        match checked(*v) {
            Ok(w) if w > 3.0 => s += w,
            Ok(_) => continue,
            Err(e) => errors.push(e),
        }
        if let Some(e) = errors.last() {
            s += e;
        }
    }
    s + errors.iter().sum::<f64>()
}

#[differentiable]
fn even(n: u32, x: f64) -> f64 {
    if n == 0 { x } else { odd(n - 1, x * 1.5) + 1.0 }
}
#[differentiable]
fn odd(n: u32, x: f64) -> f64 {
    if n == 0 {
        -x
    } else {
        even(n - 1, x.sin()) * 2.0
    }
}
#[differentiable]
fn more_of_std(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let a = rows.concat();
    let b = rows.join(&7.0);
    let c = [vec![x[0]], vec![x[1], 2.0]].join(&[x[2], 1.0][..]);
    let mut v = vec![1, 3, 3, 3, 5, 9];
    let d = [
        v.binary_search(&3),
        v.binary_search(&4),
        v.binary_search(&0),
        v.binary_search(&10),
    ];
    let e = x
        .iter()
        .map(|v| if *v > -9.0 { Some(*v) } else { None })
        .sum::<Option<f64>>()
        .unwrap();
    let f: Option<f64> = x
        .iter()
        .map(|v| if *v > 0.0 { Some(*v) } else { None })
        .product();
    let g: Result<f64, f64> = x
        .iter()
        .map(|v| if *v > 0.0 { Ok(*v) } else { Err(*v) })
        .sum();
    let h = x
        .iter()
        .map(|v| Ok::<f64, u8>(*v))
        .product::<Result<f64, u8>>()
        .unwrap();
    let i = x
        .iter()
        .try_fold(1.0, |s, v| if *v < 2.5 { Some(s * v) } else { None });
    let j = x[..4]
        .iter()
        .try_fold(1.0, |s, v| if *v < 2.5 { Ok(s * v) } else { Err(s) });
    let mut seen = 0.0;
    let k = x.iter().try_for_each(|v| {
        seen += v;
        if seen > 1.5 { Err(seen) } else { Ok(()) }
    });
    let mut w = x.to_vec();
    w.dedup_by(|a, b| *a > *b);
    let mut u: Vec<(usize, f64)> = x.iter().map(|v| (*v as usize, *v)).collect();
    u.dedup_by_key(|p| p.0);
    let l = x.binary_search_by(|v| v.total_cmp(&2.02)).is_ok() as i32 as f64;
    let m = u.binary_search_by_key(&2, |p| p.0);
    let mut s = 0.0;
    for (i, r) in d.iter().enumerate() {
        s += match r {
            Ok(at) => *at as f64 * (i + 1) as f64,
            Err(at) => -(*at as f64) * (i + 1) as f64,
        };
    }
    for (i, v) in a.iter().chain(&b).chain(&c).chain(&w).enumerate() {
        s += v * i as f64;
    }
    v.clear();
    s + e
        + f.unwrap_or(x[0])
        + g.unwrap_err()
        + h
        + i.unwrap_or(x[4])
        + j.unwrap()
        + k.unwrap_err()
        + u[1].1 * u.len() as f64
        + l
        + m.is_ok() as i32 as f64
        + (-5i32).unsigned_abs() as f64
        + i8::MIN.abs_diff(i8::MAX) as f64
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable)]
enum Grade {
    Low,
    Mid(f64, usize),
    High { by: f64 },
}
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Differentiable)]
struct Version {
    major: u32,
    rest: Vec<u8>,
    last: Option<i8>,
}
#[derive(Clone, Debug, Differentiable)]
struct Close(f64);
#[differentiable]
impl PartialEq for Close {
    fn eq(&self, other: &Close) -> bool {
        (self.0 - other.0).abs() < 1e-3
    }
}
#[differentiable]
impl PartialOrd for Close {
    fn partial_cmp(&self, other: &Close) -> Option<std::cmp::Ordering> {
        if self == other {
            Some(std::cmp::Ordering::Equal)
        } else {
            self.0.partial_cmp(&other.0)
        }
    }
}
#[differentiable]
fn version(major: u32, rest: Vec<u8>, last: Option<i8>) -> Version {
    Version { major, rest, last }
}
#[differentiable]
fn orders(x: f64) -> f64 {
    let mut s = 0.0;
    let mut bit = 1.0;
    let mut note = |holds: bool| {
        if holds {
            s += bit * x;
        }
        bit *= 2.0;
    };
    note((1, x) < (1, x + 1.0));
    note((2, x) < (1, x + 1.0));
    note((x, f64::NAN) < (x, 1.0));
    note((x, f64::NAN) <= (x + 1.0, 1.0));
    note([1.0, x] >= [1.0, x]);
    note(vec![1, 2, 3] > vec![1, 2]);
    note(vec![x] < vec![x, x]);
    note(None < Some(x) && Some(x) <= Some(x) && Some(2.0 * x) > Some(x));
    note(Ok::<f64, u8>(5.0) < Err(1) && false < true && () <= ());
    note(Grade::Low < Grade::Mid(-1.0, 0) && Grade::Mid(x, 3) < Grade::Mid(x, 4));
    note(Grade::High { by: x } < Grade::Mid(x, 4));
    note(Grade::Mid(f64::NAN, 1) < Grade::High { by: 0.0 });
    note(version(1, vec![2, 3], None) < version(1, vec![2, 3], Some(-4)));
    note(version(1, vec![9], None) > version(1, vec![2, 3], Some(4)));
    note(Close(x) <= Close(x - 1e-5));
    note(Close(x) < Close(x + 1e-5) || Close(x) == Close(x + 1.0));
    note(Close(x) >= Close(x - 1.0) && Close(x) != Close(x - 1.0));
    let mut all = vec![
        version(3, vec![], None),
        version(1, vec![2], Some(1)),
        version(1, vec![1, 7], Some(1)),
        Version::default(),
    ];
    all.sort();
    let most = all.iter().max().unwrap().major + all.iter().min().unwrap().major;
    let taken = std::mem::take(&mut all[2]);
    let mut pairs = vec![(2, 98u32), (1, 9), (2, 0)];
    pairs.sort_by(|a, b| b.cmp(a));
    let best = [(x, 1), (x * 2.0, 0), (x, 3)]
        .into_iter()
        .max_by(|a, b| a.partial_cmp(b).unwrap())
        .unwrap();
    let key = [3.0, 1.0, 2.0]
        .iter()
        .copied()
        .min_by_key(|v| (*v as i32 % 2, -(*v as i32)))
        .unwrap();
    s + (all[1].major + taken.major * 10 + most * 100 + all[2].major) as f64
        + taken.rest.len() as f64
        + pairs[1].1 as f64
        + best.0 * best.1 as f64
        + best.0
        + key
}

#[differentiable]
fn option_places(x: f64) -> f64 {
    let mut o = Some(x);
    for v in o {
        o = Some(v * 2.0);
    }
    for v in &o {
        o.map(|w| w + v);
    }
    for v in o.iter_mut() {
        *v += 1.0;
    }
    let mut r: Result<f64, u8> = Ok(x);
    for v in r.iter_mut() {
        *v *= 3.0;
    }
    let mut l = [Some([x, 1.0]), None];
    for v in l.iter_mut().flatten() {
        v[1] += v[0];
    }
    if let Some(v) = &mut l[0] {
        let [a, b] = v;
        *a *= *b;
    }
    o.unwrap() + r.unwrap() * l[0].unwrap()[0] + l[0].map_or(0.0, |v| v[1])
}

#[differentiable]
fn mutual(x: f64) -> f64 {
    even(5, x) + odd(4, x)
}

/// What is refused, and the first line of why.
mod refused {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Near(f64);
    impl PartialEq for Near {
        fn eq(&self, other: &Near) -> bool {
            (self.0 - other.0).abs() < 1.0
        }
    }
    #[derive(Debug, PartialEq, Differentiable)]
    struct Doubled(f64);
    impl Clone for Doubled {
        fn clone(&self) -> Doubled {
            Doubled(self.0 * 2.0)
        }
    }
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable)]
    enum Renumbered {
        Low = 2,
        High = 1,
    }
    macro_rules! hidden {
        ($name:ident $($derives:tt)*) => {
            #[derive(Clone, Debug, PartialEq, Differentiable)]
            $($derives)*
            struct $name(f64);
        };
    }
    hidden!(Unseen);
    hidden!(Stated #[derives(PartialEq, Clone)]);
    #[derive(Debug, Differentiable)]
    struct Loose<T>(T);
    impl PartialEq for Loose<f64> {
        fn eq(&self, other: &Loose<f64>) -> bool {
            (self.0 - other.0).abs() < 1.0
        }
    }
    impl PartialOrd for Loose<f64> {
        fn partial_cmp(&self, other: &Loose<f64>) -> Option<std::cmp::Ordering> {
            other.0.partial_cmp(&self.0)
        }
    }
    impl Clone for Loose<f64> {
        fn clone(&self) -> Loose<f64> {
            Loose(2.0 * self.0)
        }
    }

    #[differentiable]
    fn compared(x: f64) -> bool {
        Near(x) == Near(1.0)
    }
    #[differentiable]
    fn compared_for_one_type(x: f64) -> bool {
        Loose(x) == Loose(1.0)
    }
    #[differentiable]
    fn ordered_for_one_type(x: f64) -> bool {
        Loose(x) < Loose(1.0)
    }
    #[differentiable]
    fn cloned_for_one_type(x: f64) -> f64 {
        Loose(x).clone().0
    }
    #[differentiable]
    fn compared_inside(x: f64) -> bool {
        vec![(1, Near(x))] != vec![]
    }
    #[differentiable]
    fn compared_own(x: f64) -> bool {
        Some(Close(x)) == None
    }
    #[differentiable]
    fn cloned(x: f64) -> f64 {
        Doubled(x).clone().0
    }
    #[differentiable]
    fn cloned_inside(x: f64) -> f64 {
        vec![Doubled(x); 2][1].0
    }
    #[differentiable]
    fn cloned_cell(x: f64) -> f64 {
        let a = Cell::new(x);
        let b = a.clone();
        b.set(1.0);
        a.get()
    }
    #[differentiable]
    fn cloned_behind(x: f64) -> f64 {
        let a = Rc::new(RefCell::new(x));
        let b = (*a).clone();
        *b.borrow_mut() = 1.0;
        *a.borrow()
    }
    #[derive(Clone, Debug, Differentiable)]
    struct WithCell {
        n: Option<Cell<f64>>,
    }
    #[differentiable]
    fn cloned_struct(x: f64) -> f64 {
        let a = vec![WithCell {
            n: Some(Cell::new(x)),
        }];
        let b = a.clone();
        b.len() as f64
    }
    #[differentiable]
    fn cloned_closure(x: f64) -> f64 {
        let a = Cell::new(x);
        let f = move || {
            a.set(a.get() + 1.0);
            a.get()
        };
        f.clone()() + f()
    }
    #[differentiable]
    fn counter(x: f64) -> impl Fn() -> f64 + Clone {
        let a = Cell::new(x);
        move || {
            a.set(a.get() + 1.0);
            a.get()
        }
    }
    #[differentiable]
    fn cloned_result(x: f64) -> f64 {
        let f = counter(x);
        let g = f.clone();
        f() * g()
    }
    #[differentiable]
    fn ordered(x: f64) -> bool {
        Renumbered::Low < Renumbered::High
    }
    #[differentiable]
    fn unseen(x: f64) -> bool {
        Unseen(x) == Unseen(1.0)
    }
    #[differentiable]
    fn stated(x: f64) -> bool {
        Stated(x).clone() == Stated(1.0)
    }
    #[differentiable]
    fn moved_slice<'a>(rest: &mut &'a [f64]) -> &'a f64 {
        let (first, tail) = rest.split_first().unwrap();
        *rest = tail;
        first
    }
    #[differentiable]
    fn slices_of_slices(x: &[f64]) -> f64 {
        let mut rest = x;
        moved_slice(&mut rest) + moved_slice(&mut rest)
    }
    #[differentiable]
    fn looped_place(x: f64) -> f64 {
        let mut o = Some(x);
        for v in &mut o {
            *v += 1.0;
        }
        o.unwrap()
    }

    macro_rules! refused {
        ($($f:ident: $text:literal;)*) => {$(
            #[test]
            fn $f() {
                let ctx = Context::default();
                let error = ctx.primal_ir::<super::refused::$f>().expect_err("it is accepted");
                let text = error.to_string();
                assert!(text.starts_with($text), "{text}");
                assert!(text.contains("tests/language/oddities.rs"), "{text}");
            }
        )*};
    }
    mod tested {
        use super::*;
        refused! {
            compared: "the meaning of `==` for `Near` is unknown: the type does not derive `PartialEq`";
            compared_for_one_type: "the meaning of `==` for `Loose` is unknown: the type does not derive `PartialEq`";
            ordered_for_one_type: "the meaning of `<` for `Loose` is unknown: the type does not derive `PartialOrd`";
            cloned_for_one_type: "the meaning of `clone` for `Loose` is unknown: the type does not derive `Clone`";
            compared_inside: "the meaning of `==` for `Near` is unknown: the type does not derive `PartialEq`";
            compared_own: "this needs the `==` of `Close`, which that type implements by hand";
            cloned: "the meaning of `clone` for `Doubled` is unknown: the type does not derive `Clone`";
            cloned_inside: "the meaning of `clone` for `Doubled` is unknown: the type does not derive `Clone`";
            cloned_cell: "`clone` of a cell that is not seen to be in an `Rc` is not supported here";
            cloned_behind: "`clone` of a cell that is not seen to be in an `Rc` is not supported here";
            cloned_struct: "`clone` of a cell that is not seen to be in an `Rc` is not supported here";
            cloned_closure: "`clone` of a cell that is not seen to be in an `Rc` is not supported here";
            cloned_result: "`clone` of a closure that another function makes is not supported here";
            ordered: "the meaning of `<` for `Renumbered` is unknown: the type does not derive `PartialOrd`";
            unseen: "the meaning of `==` for `Unseen` is unknown: the type does not derive `PartialEq`";
            slices_of_slices: "the target of this reference cannot be assigned here";
            looped_place: "a loop over the place in an `Option` is not supported here";
        }
        #[test]
        fn stated() {
            let ctx = Context::default();
            test_rule::<super::stated>(&ctx, (0.5,)).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

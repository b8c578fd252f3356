//! Every method, on functions as people write them.

use mooncake::Float;
use mooncake::prelude::*;

const X: &[f64] = &[0.5, -1.5, 2.0, 0.25, 3.0];
const Y: &[f64] = &[1.25, 0.75, -0.5];

check! {
    kinds_of_floats(0.7);
    kinds_of_integers(0.7);
    sorted_slices(X);
    parts_that_may_not_be(X);
    vectors_changed(0.7);
    made_by_default(0.7);
    ordered_iterators(0.7);
    from_the_back(X);
    peeked_values(X);
    repeated_calls(0.7);
    cells_changed(0.7);
    functions_in_a_list(0.7);
    map_sum(X);
    filter_sum(X);
    range_sum(0.7, 5);
    filter_product(X);
    filter_map_sum(X);
    enumerate_fold(X);
    zip_dot(X, Y);
    zip_three(X, Y);
    take_skip_step(X);
    chain_rev(X, Y);
    chain_forwards(X, Y);
    whiles(X);
    copied_cloned(X);
    flat(X, Y);
    flatten_rows(X, Y);
    scan_sums(X);
    peeking(X);
    inspecting(X);
    cycling(X, Y);
    windows_chunks(X);
    chunks_in_place(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..]);
    maps_in_place(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..]);
    zips_in_place(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..], Y);
    ranges(0.7);
    range_values(0.7);
    whole_ranges(0.7, 253);
    extremes(X);
    integer_extremes(0.7);
    finding(X);
    ends(X);
    collecting(X);
    collecting_options(X);
    collecting_results(X);
    reducing(X);
    splitting(X);
    by_hand(X);
    option_chain(0.7);
    option_results(0.7);
    options_in_place(0.7);
    option_items(0.7);
    conditions(0.7);
    vector_edits(X);
    nested_vectors(X);
    orders(X);
    reading(X);
    writing(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..]);
    integers(0.7, 5);
    unsigned(0.7, 13);
    lists(0.7);
    own_iterator(0.7);
    given_iterators(X);
    loops(X);
    parallel_energy(X);
    parallel_scale(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..], 0.7);
    closures_that_count(X);
    vectors_of_pairs(X);
    integer_sums(X);
    single(&[0.5f32, -1.5, 2.0][..]);
    of_any_float(X);
    lists_in_vectors(X);
    filtered_places(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..]);
    largest_place(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..]);
    argmax(X);
    of_structs(X);
    sorted_structs(X);
    matrix(X, Y);
    folded_tuples(X);
    folded_vectors(X);
    triangle(0.7);
    questions(X);
    extends(X, Y);
    functions_by_name(X);
    boxed_functions(X);
    patterns(X);
    owned(X);
    early(X);
    options_of_vectors(X);
    for_option(0.7);
    chunked_zip(&mut [0.5, -1.5, 2.0, 0.25, 3.0][..], Y);
    let_else(X);
    nested_closures(X);
    graph(X);
    state_machine(X);
    zip_by_ref(X);
    copies_stay(X);
    windows_of_structs(X);
    moved_iter(X);
    strided(X);
    cell_items(X);
    first_class(X);
    running_max(X);
    poly(0.7);
    stats(X);
}

#[differentiable]
fn filter_sum(x: &[f64]) -> f64 {
    x.iter().filter(|v| **v > 0.0).map(|v| v * v).sum()
}
#[differentiable]
fn range_sum(x: f64, n: usize) -> f64 {
    (1..=n).rev().map(|i| x / i as f64).sum()
}

/// These are loops that count, and what they need again they compute again: nothing is taped.
#[test]
fn chains_are_counted_loops() {
    let ctx = Context::default();
    let texts = [
        ctx.gradient_ir::<map_sum>(),
        ctx.gradient_ir::<enumerate_fold>(),
        ctx.gradient_ir::<zip_dot>(),
        ctx.gradient_ir::<filter_sum>(),
        ctx.gradient_ir::<range_sum>(),
    ];
    for text in texts {
        let text = text.unwrap_or_else(|error| panic!("{error}"));
        assert!(!text.contains("tape_push"), "{text}");
    }
}

#[differentiable]
fn map_sum(x: &[f64]) -> f64 {
    x.iter().map(|v| v.sin()).sum()
}
#[differentiable]
fn filter_product(x: &[f64]) -> f64 {
    x.iter()
        .filter(|v| **v > 0.0)
        .map(|v| v * v)
        .product::<f64>()
}
#[differentiable]
fn filter_map_sum(x: &[f64]) -> f64 {
    let part = |v: &f64| if *v > 0.0 { Some(v.ln()) } else { None };
    x.iter().filter_map(part).sum()
}
#[differentiable]
fn enumerate_fold(x: &[f64]) -> f64 {
    x.iter()
        .enumerate()
        .fold(0.0, |sum, (i, v)| sum + v.powi(i as i32))
}
#[differentiable]
fn zip_dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}
#[differentiable]
fn zip_three(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .zip(y.iter())
        .zip(x.iter().skip(1))
        .map(|((a, b), c)| a * b * c)
        .sum()
}
#[differentiable]
fn take_skip_step(x: &[f64]) -> f64 {
    let first: f64 = x.iter().take(2).map(|v| v * v).sum();
    let rest: f64 = x.iter().skip(2).step_by(2).map(|v| v.cos()).sum();
    first * rest
}
#[differentiable]
fn chain_rev(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .chain(y.iter())
        .rev()
        .enumerate()
        .map(|(i, v)| v * i as f64)
        .sum()
}
#[differentiable]
fn chain_forwards(x: &[f64], y: &[f64]) -> f64 {
    let mut last = 1.0;
    for v in x.iter().chain(y) {
        last = v * v + 0.5 * last;
    }
    last
}
#[differentiable]
fn whiles(x: &[f64]) -> f64 {
    let a: f64 = x.iter().take_while(|v| **v < 1.0).map(|v| v.exp()).sum();
    let b: f64 = x.iter().skip_while(|v| **v < 1.0).map(|v| v.exp()).sum();
    let c: f64 = x
        .iter()
        .map_while(|v| if *v < 1.0 { Some(v * 3.0) } else { None })
        .sum();
    a - b + c
}
#[differentiable]
fn copied_cloned(x: &[f64]) -> f64 {
    let a: f64 = x.iter().copied().map(f64::sin).sum();
    let b: f64 = x.iter().cloned().map(|v| v * v).sum();
    a * b
}
#[differentiable]
fn flat(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .flat_map(|a| y.iter().map(move |b| (a * b).sin()))
        .sum()
}
#[differentiable]
fn flatten_rows(x: &[f64], y: &[f64]) -> f64 {
    let rows = vec![x.to_vec(), y.to_vec()];
    rows.iter().flatten().map(|v| v * v).sum()
}
#[differentiable]
fn scan_sums(x: &[f64]) -> f64 {
    let sums = x.iter().scan(1.0, |state, v| {
        *state *= v;
        Some(*state)
    });
    sums.map(|v| v.sin()).sum()
}
#[differentiable]
fn peeking(x: &[f64]) -> f64 {
    let mut iter = x.iter().peekable();
    let mut sum = 0.0;
    while let Some(v) = iter.next() {
        if let Some(next) = iter.peek() {
            sum += v * *next;
        } else {
            sum += v;
        }
    }
    sum
}
#[differentiable]
fn inspecting(x: &[f64]) -> f64 {
    let mut seen = 0.0;
    let total: f64 = x.iter().inspect(|v| seen += v.sin()).map(|v| v * v).sum();
    seen * total
}
#[differentiable]
fn cycling(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y.iter().cycle()).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn windows_chunks(x: &[f64]) -> f64 {
    let a: f64 = x.windows(2).map(|w| w[0] * w[1]).sum();
    let b: f64 = x.chunks(2).map(|c| c.iter().product::<f64>()).sum();
    let c: f64 = x.chunks_exact(2).map(|c| c[0] - c[1]).product();
    a + b * c
}
#[differentiable]
fn chunks_in_place(x: &mut [f64]) {
    x.chunks_mut(2).enumerate().for_each(|(i, part)| {
        for v in part.iter_mut() {
            *v *= i as f64 + 0.5;
        }
    });
}
#[differentiable]
fn maps_in_place(x: &mut [f64]) {
    x.iter_mut().for_each(|v| *v = v.sin());
    for (i, v) in x.iter_mut().enumerate().skip(1) {
        *v *= i as f64;
    }
    x.iter_mut().rev().take(2).for_each(|v| *v += 1.0);
}
#[differentiable]
fn zips_in_place(x: &mut [f64], y: &[f64]) {
    x.iter_mut().zip(y.iter()).for_each(|(a, b)| *a += b * b);
    for (a, b) in x.iter_mut().zip(y.iter().map(|v| v.cos())) {
        *a *= b;
    }
}
#[differentiable]
fn ranges(x: f64) -> f64 {
    let a: f64 = (0..4).map(|i| x.powi(i)).sum();
    let b: f64 = (1..=4usize).map(|i| x / i as f64).product();
    let c: f64 = (1..=3u8)
        .rev()
        .map(|i| x * f64::from(i))
        .fold(1.0, |a, b| a * 0.5 + b);
    let d: f64 = (1..).map(|i| x / i as f64).take(5).sum();
    let e: f64 = (0..10).step_by(3).map(|i| x.sin() * i as f64).sum();
    a + b + c + d + e
}
/// Inclusive ranges up to the largest value of their type.
#[differentiable]
fn whole_ranges(x: f64, from: u8) -> f64 {
    let mut s = 0.0;
    for n in from..=255 {
        s = s * 0.01 + x * f64::from(n);
    }
    for n in (125..=i8::MAX).rev() {
        s += x.powi(2) / f64::from(n);
    }
    for (k, n) in (u16::MAX - 1..=u16::MAX).enumerate() {
        s += x * k as f64 + n as f64;
    }
    for n in (0..=u8::MAX).step_by(100) {
        s += n as f64 * x;
    }
    for _ in from..=0 {
        s = 0.0;
    }
    for (n, m) in (-3..=3_i32).zip(from..=u8::MAX) {
        s += x.sin() * (n * i32::from(m)) as f64;
    }
    s + (250..=255_u8).map(|n| x * f64::from(n)).sum::<f64>()
        + (1..=i32::MAX)
            .rev()
            .take(2)
            .map(|n| n as f64 * x)
            .sum::<f64>()
}

#[differentiable]
fn range_values(x: f64) -> f64 {
    let range = 2..5;
    let mut sum = 0.0;
    if range.contains(&3) {
        sum += x;
    }
    if (0.0..=1.0).contains(&x) {
        sum += x * x;
    }
    for i in range {
        sum *= x + i as f64;
    }
    sum
}

#[differentiable]
fn extremes(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = x.iter().cloned().fold(f64::INFINITY, |a, b| a.min(b));
    let by = x.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let least = x.iter().copied().min_by(|a, b| a.total_cmp(b)).unwrap();
    let key = x.iter().min_by_key(|v| (*v * 8.0) as i64).unwrap();
    largest * smallest + by * by + least.sin() + key
}
#[differentiable]
fn integer_extremes(x: f64) -> f64 {
    let n = (1..5).map(|i| i * (7 - i)).max().unwrap();
    let m = [3, 1, 2].iter().min().unwrap();
    x.powi(n) * *m as f64
}
#[differentiable]
fn finding(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    if x.iter().any(|v| *v > 2.5) {
        sum += x[0];
    }
    if x.iter().all(|v| *v > 2.5) {
        sum += x[1];
    }
    if let Some(v) = x.iter().find(|v| **v > 1.0) {
        sum += v * v;
    }
    if let Some(i) = x.iter().position(|v| *v > 2.5) {
        sum += x[i].sin();
    }
    if let Some(v) = x
        .iter()
        .find_map(|v| if *v < 0.0 { Some(v.cos()) } else { None })
    {
        sum += v;
    }
    sum
}
#[differentiable]
fn ends(x: &[f64]) -> f64 {
    let last = x.iter().last().unwrap();
    let third = x.iter().nth(2).unwrap();
    let count = x.iter().filter(|v| **v > 0.0).count();
    last * third + x[0] * count as f64
}
#[differentiable]
fn collecting(x: &[f64]) -> f64 {
    let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    let positive = x.iter().copied().filter(|v| *v > 0.0).collect::<Vec<_>>();
    squares[1] * positive[1] + squares.len() as f64 * positive.iter().sum::<f64>()
}
#[differentiable]
fn logarithm(v: f64) -> Option<f64> {
    if v > 0.0 { Some(v.ln()) } else { None }
}
#[differentiable]
fn collecting_options(x: &[f64]) -> f64 {
    let none: Option<Vec<f64>> = x.iter().map(|v| logarithm(*v)).collect();
    let all = x
        .iter()
        .map(|v| logarithm(v.abs()))
        .collect::<Option<Vec<f64>>>();
    match (none, all) {
        (None, Some(all)) => all.iter().sum(),
        _ => 0.0,
    }
}
#[differentiable]
fn collecting_results(x: &[f64]) -> f64 {
    let fine: Result<Vec<f64>, usize> = x.iter().map(|v| Ok(v * v)).collect();
    let bad: Result<Vec<f64>, usize> = x
        .iter()
        .enumerate()
        .map(|(i, v)| if *v > 0.0 { Ok(*v) } else { Err(i) })
        .collect();
    match (fine, bad) {
        (Ok(all), Err(i)) => all[i] * all[0],
        _ => 0.0,
    }
}
#[differentiable]
fn reducing(x: &[f64]) -> f64 {
    x.iter()
        .copied()
        .reduce(|a, b| a * 0.5 + b.sin())
        .unwrap_or(0.0)
}
#[differentiable]
fn splitting(x: &[f64]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v.sin(), v * v)).unzip();
    let (c, d): (Vec<f64>, Vec<f64>) = x.iter().copied().partition(|v| *v > 0.4);
    a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() + c[0] * d[0]
}
#[differentiable]
fn by_hand(x: &[f64]) -> f64 {
    let mut iter = x.iter();
    let first = iter.next().unwrap();
    let two: f64 = iter.by_ref().take(2).sum();
    let rest: f64 = iter.map(|v| v * v).sum();
    first * two + rest
}

#[differentiable]
fn option_chain(x: f64) -> f64 {
    let a = Some(x)
        .map(|v| v.sin())
        .and_then(|v| logarithm(v))
        .unwrap_or(1.0);
    let b = logarithm(-x)
        .or_else(|| Some(x * 2.0))
        .filter(|v| *v > 0.0)
        .unwrap_or_else(|| x);
    let c = logarithm(-x)
        .or(Some(x))
        .zip(Some(2.0))
        .map_or(0.0, |(p, q)| p * q);
    let d = logarithm(-x).map_or_else(|| x.cos(), |v| v * v);
    let e = logarithm(-x).unwrap_or_default() + Some(x).xor(None).unwrap();
    let f = if Some(x).is_some_and(|v| v > 0.0) {
        x
    } else {
        0.0
    };
    let g = if logarithm(-x).is_none_or(|v| v > 0.0) {
        x * x
    } else {
        0.0
    };
    a + b + c + d + e + f + g
}
#[differentiable]
fn option_results(x: f64) -> f64 {
    let a: Result<f64, i32> = logarithm(x).ok_or(1);
    let b = logarithm(-x).ok_or_else(|| 2);
    let c = a.map(|v| v * v).map_err(|e| e + 1).unwrap_or(0.0);
    let d: f64 = b
        .or_else(|e| if e == 2 { Ok::<f64, i32>(x) } else { Err(e) })
        .unwrap_or_else(|e| e as f64);
    let e = a.ok().unwrap_or(1.0) + b.err().map_or(0.0, |e| e as f64 * x);
    let f = a
        .and_then(|v| if v > 0.0 { Ok(v) } else { Err(3) })
        .map_or(x, |v| v * 2.0);
    let g = match Some(a).transpose() {
        Ok(Some(v)) => v,
        _ => 0.0,
    };
    c + d + e + f + g
}
#[differentiable]
fn options_in_place(x: f64) -> f64 {
    let mut a = None;
    let b = *a.get_or_insert_with(|| x * x);
    let c = a.insert(x.sin());
    *c *= 2.0;
    let d = a.take().unwrap_or(0.0);
    let e = a.get_or_insert(x);
    *e += 1.0;
    let f = a.replace(3.0).unwrap();
    if let Some(v) = a.as_mut() {
        *v *= x;
    }
    b + d * f + a.unwrap()
}
#[differentiable]
fn option_items(x: f64) -> f64 {
    let a: f64 = Some(x).iter().map(|v| v * v).sum();
    let b: f64 = [1.0, 2.0].into_iter().chain(Some(x)).product();
    let c: f64 = std::iter::once(x)
        .chain(std::iter::repeat(2.0).take(2))
        .map(|v| v.sin())
        .sum();
    let d: f64 =
        std::iter::successors(Some(x), |v| if *v < 4.0 { Some(v * 2.0) } else { None }).sum();
    let mut n = 0;
    let e: f64 = std::iter::from_fn(|| {
        n += 1;
        if n < 4 { Some(x * n as f64) } else { None }
    })
    .product();
    let f: f64 = std::iter::zip([x, 2.0 * x], [3.0, 4.0])
        .map(|(a, b)| a * b)
        .sum();
    a + b + c + d + e + f
}
#[differentiable]
fn conditions(x: f64) -> f64 {
    let a = (x > 0.0).then(|| x.ln()).unwrap_or(0.0);
    let b = (x < 0.0).then_some(x).unwrap_or(x * x);
    let c = match x.partial_cmp(&0.5) {
        Some(order) if order.is_gt() => x.sin(),
        _ => x.cos(),
    };
    a + b + c
}

#[differentiable]
fn vector_edits(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.insert(1, x[0] * x[2]);
    let removed = v.remove(2);
    let swapped = v.swap_remove(0);
    v.extend(x.iter().map(|a| a.sin()));
    v.extend_from_slice(&x[1..3]);
    v.resize(14, removed);
    v.retain(|a| *a > -1.0);
    let mut other = v.split_off(4);
    other.append(&mut v);
    let drained: f64 = other.drain(1..3).map(|a| a * a).sum();
    other.dedup();
    swapped * drained
        + other
            .iter()
            .enumerate()
            .map(|(i, a)| a * i as f64)
            .sum::<f64>()
}
#[differentiable]
fn nested_vectors(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    rows.insert(1, vec![x[0] * x[1]; 3]);
    rows.reverse();
    rows.resize(5, vec![x[2]]);
    let first = rows.remove(0);
    let all = rows.concat();
    first[0] * all.iter().map(|v| v.sin()).sum::<f64>() + all.last().unwrap()
}
#[differentiable]
fn orders(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let mut w = x.to_vec();
    w.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut k = vec![3, 1, 2];
    k.sort();
    let mut pairs: Vec<(i32, f64)> = x.iter().map(|v| ((v * 4.0 + 0.3) as i32, *v)).collect();
    pairs.sort_by_key(|pair| pair.0);
    v.rotate_left(2);
    w.rotate_right(1);
    let sorted = if k.is_sorted() { 1.0 } else { 2.0 };
    let weighted = v
        .iter()
        .zip(&w)
        .enumerate()
        .map(|(i, (a, b))| a * b * i as f64)
        .sum::<f64>();
    weighted * sorted + pairs[0].1 * pairs[1].1
}
#[differentiable]
fn reading(x: &[f64]) -> f64 {
    let mut sum = x.first().copied().unwrap_or(0.0) * x.last().unwrap();
    if let Some(v) = x.get(2) {
        sum += v * v;
    }
    let n = [3, 1, 2];
    if x.get(7).is_none() && n.contains(&2) && n.starts_with(&[3, 1]) && n.ends_with(&[2]) {
        sum *= x[1];
    }
    if let Some(part) = x.get(1..3) {
        sum += part.iter().product::<f64>();
    }
    if let Some((first, rest)) = x.split_first() {
        sum += first * rest.iter().sum::<f64>();
    }
    if let Some((last, rest)) = x.split_last() {
        sum += last * rest[0];
    }
    sum + x.repeat(2)[6].sin()
}
#[differentiable]
fn writing(x: &mut [f64]) {
    if let Some(v) = x.first_mut() {
        *v *= 2.0;
    }
    if let Some(v) = x.last_mut() {
        *v = v.sin();
    }
    if let Some(v) = x.get_mut(1) {
        *v += 1.0;
    }
    x.swap(0, 3);
    x.copy_within(0..2, 3);
    let (a, b) = x.split_at_mut(2);
    a.copy_from_slice(&[b[0], b[1] * b[2]]);
    if let Some((first, rest)) = b.split_first_mut() {
        *first *= rest[0];
        rest[1..].fill(*first);
    }
    x[..3].reverse();
}

#[differentiable]
fn integers(x: f64, n: i32) -> f64 {
    let a = n.pow(3).rem_euclid(7) + (-n).signum() + (-n).div_euclid(3) + n.clamp(0, 2);
    let b = n.count_ones() + n.leading_zeros() + n.trailing_zeros() + (-n).count_ones();
    let c = n.checked_add(i32::MAX).is_none() as i32 + n.checked_mul(3).unwrap_or(0);
    let d = n.saturating_add(i32::MAX) % 100
        + (-n).saturating_sub(i32::MAX) % 100
        + n.saturating_mul(-2000000000) % 7;
    let e = n.wrapping_mul(1 << 30) % 1000 + n.rotate_left(29) % 1000 + n.swap_bytes() % 1000;
    let f = n.checked_div(0).is_none() as i32 + n.checked_sub(2).unwrap();
    let g = n.overflowing_add(i32::MAX).1 as i32 + (n as u8).checked_sub(200).is_none() as i32;
    x * (a + b as i32 + c + d + e + f + g) as f64
}
#[differentiable]
fn unsigned(x: f64, n: u64) -> f64 {
    let a = n.div_ceil(3) + n.isqrt() + n.next_power_of_two() + n.is_power_of_two() as u64;
    let b = n.saturating_sub(100) + n.abs_diff(100) + n.saturating_add(u64::MAX) % 100;
    let c = n.ilog2()
        + n.trailing_ones()
        + n.rotate_right(3).leading_ones()
        + (n as u16).swap_bytes() as u32;
    let d = n.checked_pow(40).is_none() as u64 + n.wrapping_pow(5) + n.next_multiple_of(8);
    let e = if n.cmp(&5).is_gt() { 1 } else { 2 };
    x * (a + b + c as u64 + d + e) as f64
}

#[differentiable]
fn lists(x: f64) -> f64 {
    let a = [x, 2.0 * x, 3.0].map(|v| v.sin());
    let b = [[x, 1.0], [2.0, x]].map(|row| row.iter().sum::<f64>());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The numbers of Newton's method for a square root.
#[derive(Differentiable)]
struct Newton {
    of: f64,
    at: f64,
}

#[differentiable]
impl Iterator for Newton {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        self.at = 0.5 * (self.at + self.of / self.at);
        Some(self.at)
    }
}

#[differentiable]
fn own_iterator(x: f64) -> f64 {
    let sum: f64 = Newton { of: x, at: 1.0 }.take(3).sum();
    let mut roots = Newton { of: x, at: x };
    let first = roots.next().unwrap();
    for (i, root) in roots.enumerate() {
        if i == 2 {
            return first * sum * root;
        }
    }
    0.0
}

#[differentiable]
fn squares(x: &[f64]) -> impl Iterator<Item = f64> + '_ {
    x.iter().map(|v| v * v)
}
#[differentiable]
fn total(items: impl Iterator<Item = f64>) -> f64 {
    items.fold(0.0, |a, b| a + b.sin())
}
#[differentiable]
fn weighted<I: IntoIterator<Item = f64>>(items: I, weight: f64) -> f64 {
    items.into_iter().map(|v| v * weight).sum()
}
#[differentiable]
fn given_iterators(x: &[f64]) -> f64 {
    let all: Vec<f64> = squares(x).collect();
    total(squares(x).skip(1)) + weighted(all, x[0]) + weighted(squares(x), 2.0)
}

#[differentiable]
fn loops(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x.iter().filter(|v| **v > 0.0) {
        if *v > 2.5 {
            break;
        }
        sum += v * v;
    }
    for (i, v) in x.iter().map(|v| v.cos()).enumerate() {
        if i == 1 {
            continue;
        }
        sum *= v;
    }
    for pair in x.iter().zip(x.iter().skip(1)).rev() {
        sum += pair.0 * pair.1;
    }
    for v in x.iter().take(3).chain(&[1.0, 2.0]) {
        sum += v.sin();
    }
    sum
}

#[differentiable]
fn parallel_energy(x: &[f64]) -> f64 {
    let scale = x[0];
    par_map(x, |v| (v * scale).sin() * v).iter().sum()
}
#[differentiable]
fn parallel_scale(x: &mut [f64], by: f64) {
    par_for(x, |i, v| *v *= by * i as f64);
    let mut rows = vec![x.to_vec(), vec![by; 3]];
    par_for(&mut rows, |i, row| row[i] *= by);
    x[0] += rows[0][0] * rows[1][1];
}

#[differentiable]
fn closures_that_count(x: &[f64]) -> f64 {
    let mut n = 0.0;
    let a: f64 = x
        .iter()
        .map(|v| {
            n += 1.0;
            v * n
        })
        .sum();
    let scale = a * n;
    let scaled = move |v: &f64| v * scale;
    x.iter().map(scaled).sum()
}
#[differentiable]
fn vectors_of_pairs(x: &[f64]) -> f64 {
    let mut pairs: Vec<(f64, Vec<f64>)> = x.iter().map(|v| (*v, vec![*v; 2])).collect();
    for (a, b) in pairs.iter_mut().skip(1) {
        *a *= 2.0;
        b[0] += *a;
    }
    pairs.iter().map(|(a, b)| a * b.iter().sum::<f64>()).sum()
}
#[differentiable]
fn integer_sums(x: &[f64]) -> f64 {
    let n: usize = x.iter().map(|v| (v.abs() * 2.1) as usize).sum();
    let m = (1..=5).map(|i| i * i).filter(|i| i % 2 == 1).sum::<i32>();
    let p: u64 = [1u64, 2, 3].iter().product();
    x.iter().sum::<f64>() * (n as f64 + m as f64 + p as f64)
}
#[differentiable]
fn single(x: &[f32]) -> f32 {
    let norm = x.iter().map(|v| v * v).sum::<f32>().sqrt();
    x.iter().map(|v| v / norm).fold(0.0, |a, b| a * 0.5 + b)
}
#[differentiable]
fn mean<T: Float>(x: &[T]) -> T {
    let sum: T = x.iter().copied().sum();
    sum / T::from_f64(x.len() as f64)
}
#[differentiable]
fn of_any_float(x: &[f64]) -> f64 {
    let middle = mean(x);
    x.iter().map(|v| (*v - middle).powi(2)).sum()
}

#[differentiable]
fn lists_in_vectors(x: &[f64]) -> f64 {
    let mut points: Vec<[f64; 2]> = x.iter().map(|v| [*v, v * v]).collect();
    let before: Vec<[f64; 2]> = points.iter().cloned().collect();
    for p in points.iter_mut() {
        p[0] *= 2.0;
    }
    points.swap(0, 1);
    let q: Vec<[f64; 2]> = points
        .clone()
        .into_iter()
        .map(|mut p| {
            p[1] += p[0];
            p
        })
        .collect();
    before
        .iter()
        .zip(&points)
        .zip(&q)
        .map(|((a, b), c)| a[0] * b[0] + a[1] * c[1])
        .sum()
}
#[differentiable]
fn filtered_places(x: &mut [f64]) {
    x.iter_mut().filter(|v| **v > 0.3).for_each(|v| *v *= 2.0);
    x.iter_mut()
        .take_while(|v| **v > 0.3)
        .for_each(|v| *v = v.sin());
    for v in x.iter_mut().filter(|v| **v < 0.0) {
        *v += 3.0;
    }
}
#[differentiable]
fn largest_place(x: &mut [f64]) {
    *x.iter_mut()
        .max_by(|a, b| a.partial_cmp(b).unwrap())
        .unwrap() = 0.5;
    *x.last_mut().unwrap() *= 2.0;
    if let Some(v) = x.iter_mut().find(|v| **v < 0.0) {
        *v = v.cos();
    }
}
#[differentiable]
fn argmax(x: &[f64]) -> f64 {
    let best = x
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.partial_cmp(b.1).unwrap())
        .map(|(i, _)| i)
        .unwrap();
    let low = x
        .iter()
        .enumerate()
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .unwrap()
        .0;
    x[best] * x[low]
}
#[derive(Differentiable, Clone)]
struct Particle {
    at: [f64; 2],
    mass: f64,
    tags: Vec<f64>,
}
#[differentiable]
impl Particle {
    fn energy(&self) -> f64 {
        self.mass * self.at.iter().map(|v| v * v).sum::<f64>()
    }
    fn shift(&mut self, by: f64) {
        self.at.iter_mut().for_each(|v| *v += by);
    }
}
#[differentiable]
fn particles(x: &[f64]) -> Vec<Particle> {
    x.iter()
        .enumerate()
        .map(|(i, v)| Particle {
            at: [*v, i as f64],
            mass: v * v + 1.0,
            tags: vec![*v; i],
        })
        .collect()
}
#[differentiable]
fn of_structs(x: &[f64]) -> f64 {
    let mut all = particles(x);
    all.iter_mut().skip(1).for_each(|p| p.shift(0.5));
    all.retain(|p| p.tags.len() != 3);
    let tags: f64 = all.iter().flat_map(|p| p.tags.iter()).sum();
    all.iter().map(|p| p.energy()).sum::<f64>()
        + all.iter().map(Particle::energy).map(f64::ln).sum::<f64>() * tags
}
#[differentiable]
fn sorted_structs(x: &[f64]) -> f64 {
    let mut all = particles(x);
    all.sort_by(|a, b| b.mass.partial_cmp(&a.mass).unwrap());
    let heavy = all.first().unwrap().clone();
    let light = all.pop().unwrap();
    all.insert(1, light.clone());
    heavy.energy() * light.mass
        + all
            .iter()
            .enumerate()
            .map(|(i, p)| p.at[0] * i as f64)
            .sum::<f64>()
}
#[differentiable]
fn matrix(x: &[f64], y: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = x
        .iter()
        .map(|a| y.iter().map(|b| (a * b).sin()).collect())
        .collect();
    let product = rows
        .iter()
        .map(|row| row.iter().zip(y).map(|(a, b)| a * b).sum::<f64>())
        .collect::<Vec<f64>>();
    let columns: Vec<f64> = (0..y.len())
        .map(|j| rows.iter().map(|row| row[j]).sum())
        .collect();
    product.iter().sum::<f64>() * columns.iter().product::<f64>()
}
#[differentiable]
fn folded_tuples(x: &[f64]) -> f64 {
    let (sum, squares, n) = x
        .iter()
        .fold((0.0, 0.0, 0), |(s, q, n), v| (s + v, q + v * v, n + 1));
    squares / n as f64 - (sum / n as f64).powi(2)
}
#[differentiable]
fn folded_vectors(x: &[f64]) -> f64 {
    let sums = x.iter().fold(Vec::new(), |mut all: Vec<f64>, v| {
        let last = all.last().copied().unwrap_or(0.0);
        all.push(last + v);
        all
    });
    sums.iter().map(|v| v.sin()).sum()
}
#[differentiable]
fn triangle(x: f64) -> f64 {
    (0..4)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| (x * (i + j) as f64).sin())
        .sum()
}
#[differentiable]
fn roots(x: &[f64]) -> Option<f64> {
    let mut sum = 0.0;
    for v in x.iter().map(|v| {
        if *v > -2.0 {
            Some((v + 2.0).sqrt())
        } else {
            None
        }
    }) {
        sum += v?;
    }
    let first = x.first()?;
    Some(sum * first)
}
#[differentiable]
fn questions(x: &[f64]) -> f64 {
    roots(x).unwrap_or(0.0) + roots(&[-3.0]).unwrap_or(x[0])
}
#[differentiable]
fn extends(x: &[f64], y: &[f64]) -> f64 {
    let mut v = Vec::new();
    v.extend(x.iter().copied());
    v.extend(y);
    v.extend(vec![1.0, 2.0]);
    v.extend([x[0] * y[0]]);
    let mut w = vec![3.0];
    w.append(&mut v);
    let tail: Vec<f64> = w.drain(..2).collect();
    w.truncate(6);
    tail[1] * w.iter().map(|a| a.cos()).sum::<f64>()
}
#[differentiable]
fn cube(v: f64) -> f64 {
    v * v * v
}
#[differentiable]
fn functions_by_name(x: &[f64]) -> f64 {
    let a: f64 = x.iter().copied().map(cube).sum();
    let b: f64 = x.iter().copied().map(Some).flatten().sum();
    let c = x.iter().copied().min_by(f64::total_cmp).unwrap();
    a * b + c
}
#[differentiable]
fn boxed_functions(x: &[f64]) -> f64 {
    let fs: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|v| v * v), Box::new(|v| v.sin())];
    fs.iter().zip(x).map(|(f, v)| f(*v)).sum()
}
#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    let a: f64 = x.iter().enumerate().map(|(i, &v)| v * i as f64).sum();
    let b: f64 = x.iter().zip(x.iter().skip(1)).map(|(&p, &q)| p * q).sum();
    let c: f64 = x
        .windows(2)
        .map(|w| match w {
            [p, q] => p - q * q,
            _ => 0.0,
        })
        .sum();
    a + b * c
}
#[differentiable]
fn owned(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let w: Vec<f64> = v.into_iter().rev().map(|a| a * 2.0).collect();
    let mut sum = 0.0;
    for (i, a) in w.into_iter().enumerate().filter(|(i, _)| i % 2 == 0) {
        sum += a * i as f64;
    }
    sum
}
#[differentiable]
fn early(x: &[f64]) -> f64 {
    for (i, v) in x.iter().enumerate().filter(|(_, v)| **v > 1.0) {
        if i > 0 {
            return v * v;
        }
    }
    0.0
}
#[differentiable]
fn options_of_vectors(x: &[f64]) -> f64 {
    let v = Some(x.to_vec());
    let n = v.as_ref().map(|v| v.len()).unwrap_or(0);
    let s = v.as_ref().map_or(0.0, |v| v.iter().sum::<f64>());
    let w = v.unwrap_or_default();
    let e: Vec<f64> = None.unwrap_or_default();
    s * w[1] * n as f64 + e.len() as f64
}
#[differentiable]
fn for_option(x: f64) -> f64 {
    let mut sum = 1.0;
    for v in Some(x) {
        sum *= v;
    }
    for v in [x, 2.0].into_iter().chain(None) {
        sum += v * sum;
    }
    sum
}
#[differentiable]
fn chunked_zip(x: &mut [f64], y: &[f64]) {
    for (part, w) in x.chunks_mut(2).zip(y.iter()) {
        part.iter_mut().for_each(|v| *v *= w);
    }
    x.chunks_exact_mut(2).for_each(|c| c.swap(0, 1));
    for (a, b) in x.iter_mut().zip(y).rev() {
        *a += b;
    }
}
#[differentiable]
fn let_else(x: &[f64]) -> f64 {
    let mut iter = x.iter();
    let Some(first) = iter.next() else { return 0.0 };
    let Some(last) = iter.next_back() else {
        return *first;
    };
    iter.fold(first * last, |a, b| a + b.sin() * a)
}
#[differentiable]
fn nested_closures(x: &[f64]) -> f64 {
    let scale = |k: f64| move |v: &f64| v * k;
    let a: f64 = x.iter().map(scale(2.0)).sum();
    let compose = |f: fn(f64) -> f64| x.iter().map(|v| f(*v)).sum::<f64>();
    a * compose(f64::sin)
}
#[differentiable]
fn graph(x: &[f64]) -> f64 {
    let mut value = x.to_vec();
    let edges = [(0usize, 1usize), (1, 2), (3, 4), (0, 4)];
    for _ in 0..3 {
        let next: Vec<f64> = value
            .iter()
            .enumerate()
            .map(|(i, v)| {
                let around: f64 = edges
                    .iter()
                    .filter(|(a, b)| *a == i || *b == i)
                    .map(|(a, b)| value[a + b - i])
                    .sum();
                v * 0.5 + around * 0.25
            })
            .collect();
        value = next;
    }
    value.iter().map(|v| v * v).sum()
}
#[differentiable]
fn state_machine(x: &[f64]) -> f64 {
    let mut iter = x.iter().peekable();
    let mut sum = 0.0;
    while let Some(v) = iter.next() {
        while let Some(w) = iter.next_if(|w| **w < *v) {
            sum += v * w;
        }
        sum += v;
    }
    sum
}
#[differentiable]
fn zip_by_ref(x: &[f64]) -> f64 {
    let mut a = x.iter();
    let pairs: f64 = (0..2)
        .zip(a.by_ref().take(2))
        .map(|(i, v)| v * i as f64)
        .sum();
    pairs + a.map(|v| v * v).sum::<f64>()
}
#[differentiable]
fn copies_stay(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let old: Vec<f64> = v.iter().copied().collect();
    let first = v.first().copied().unwrap();
    v.iter_mut().for_each(|a| *a = 0.0);
    v[0] += first;
    old.iter().sum::<f64>() * v[0]
}
#[differentiable]
fn windows_of_structs(x: &[f64]) -> f64 {
    let all = particles(x);
    let a: f64 = all.windows(2).map(|w| w[0].mass * w[1].at[0]).sum();
    let b: f64 = all
        .chunks(2)
        .map(|c| c.iter().map(|p| p.mass).product::<f64>())
        .sum();
    a + b
        + all
            .iter()
            .rev()
            .map(|p| p.mass)
            .fold(1.0, |a, b| a * 0.1 + b)
}
#[differentiable]
fn moved_iter(x: &[f64]) -> f64 {
    let squares = x.iter().map(|v| v * v);
    let again = squares.clone();
    squares.sum::<f64>() * again.skip(1).sum::<f64>()
}
#[differentiable]
fn strided(x: &[f64]) -> f64 {
    let even: f64 = x.iter().step_by(2).sum();
    let odd: f64 = x.iter().skip(1).step_by(2).map(|v| v.exp()).sum();
    let back: f64 = x.iter().rev().step_by(2).take(2).product();
    let r: f64 = (0..x.len()).rev().step_by(2).map(|i| x[i] * i as f64).sum();
    even * odd + back + r
}
#[differentiable]
fn cell_items(x: &[f64]) -> f64 {
    use std::cell::RefCell;
    use std::rc::Rc;
    let nodes: Vec<Rc<RefCell<f64>>> = x.iter().map(|v| Rc::new(RefCell::new(*v))).collect();
    for (a, b) in nodes.iter().zip(nodes.iter().skip(1)) {
        *b.borrow_mut() += *a.borrow() * 0.5;
    }
    nodes.iter().map(|n| n.borrow().sin()).sum()
}
#[differentiable]
fn apply(f: &dyn Fn(f64) -> f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| f(*v)).collect()
}
#[differentiable]
fn first_class(x: &[f64]) -> f64 {
    let k = x[0];
    apply(&|v| v * k, x).iter().sum::<f64>() + apply(&|v| v.sin(), x)[2]
}
#[differentiable]
fn running_max(x: &[f64]) -> f64 {
    let r: Vec<f64> = x
        .iter()
        .scan(f64::NEG_INFINITY, |m, v| {
            *m = m.max(*v);
            Some(*m)
        })
        .collect();
    r.iter().enumerate().map(|(i, v)| v * (i + 1) as f64).sum()
}
#[differentiable]
fn poly(x: f64) -> f64 {
    let c = [1.0, -2.0, 0.5, 3.0];
    let horner = c.iter().rev().fold(0.0, |acc, k| acc * x + k);
    let direct: f64 = c
        .iter()
        .enumerate()
        .map(|(i, k)| k * x.powi(i as i32))
        .sum();
    horner * direct
}
#[differentiable]
fn stats(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let var = x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let z: Vec<f64> = x.iter().map(|v| (v - mean) / var.sqrt()).collect();
    let mut s = z.clone();
    s.sort_by(|a, b| a.partial_cmp(b).unwrap());
    s[s.len() / 2] + z.iter().map(|v| v.abs()).fold(0.0, f64::max)
}

#[differentiable]
fn kinds_of_floats(x: f64) -> f64 {
    let (tiny, none, endless) = (x * 1e-310, 0.0 * x, x / 0.0);
    let normal = x.is_normal() && !tiny.is_normal() && !none.is_normal() && !endless.is_normal();
    let subnormal = tiny.is_subnormal() && !x.is_subnormal() && !none.is_subnormal();
    if normal && subnormal { x * x } else { x }
}
#[differentiable]
fn kinds_of_integers(x: f64) -> f64 {
    let bits = 7_u8.reverse_bits() as f64 + (-7_i32).reverse_bits() as f64;
    let powers =
        7_u64.checked_next_power_of_two().unwrap() + 8_u64.checked_next_power_of_two().unwrap();
    match 200_u8.checked_next_power_of_two() {
        None => x * bits * powers as f64,
        Some(_) => x,
    }
}
#[differentiable]
fn sorted_slices(x: &[f64]) -> f64 {
    let (rising, falling) = ([x[0], 2.0], [2.0, x[0]]);
    let by = rising.is_sorted_by(|a, b| a <= b) && !falling.is_sorted_by(|a, b| a <= b);
    let by_key = !rising.is_sorted_by_key(|a| -a) && falling.is_sorted_by_key(|a| -a);
    if by && by_key { x[0] * x[1] } else { x[2] }
}
#[differentiable]
fn parts_that_may_not_be(x: &[f64]) -> f64 {
    let (a, b) = x.split_at_checked(1).unwrap();
    let n = [1, 0, 3];
    let (rest, front) = (n.strip_prefix(&[1]).unwrap(), n.strip_suffix(&[3]).unwrap());
    match (
        x.split_at_checked(9),
        n.strip_prefix(&[9]),
        n.strip_suffix(&[1]),
    ) {
        (None, None, None) => a[0] * b[1] + x[rest[1]] * x[front[0]],
        _ => x[0],
    }
}
#[differentiable]
fn vectors_changed(x: f64) -> f64 {
    let mut v = Vec::from([x, 2.0, x * x]);
    v.extend_from_within(..2);
    let (last, none) = (v.pop_if(|a| *a > 1.0), v.pop_if(|a| *a > 1.0));
    let mut w = vec![1.0];
    w.clone_from(&v);
    w[0] = 3.0;
    let end = Vec::from(&v[1..]);
    v.iter().product::<f64>() * last.unwrap() * w[2] + none.unwrap_or(x) * end[1]
}
#[differentiable]
fn made_by_default(x: f64) -> f64 {
    let mut v: Vec<f64> = Default::default();
    v.push(x);
    let pair: (f64, usize) = Default::default();
    let mut option: Option<f64> = None;
    *option.get_or_insert_default() += x * x;
    *option.get_or_insert_default() *= 3.0;
    v[pair.1] + pair.0 + option.unwrap()
}
#[differentiable]
fn ordered_iterators(x: f64) -> f64 {
    let (a, b) = ([1, 2], [1, 3]);
    let smaller = a.iter().lt(b.iter()) && a.iter().le(a.iter()) && a.iter().cmp(b.iter()).is_lt();
    let larger = b.iter().gt(a.iter()) && a.iter().ge(a[..1].iter()) && a.iter().ne(b.iter());
    let unordered = [1.0, f64::NAN]
        .iter()
        .partial_cmp([1.0, x].iter())
        .is_none();
    let sorted = a.iter().is_sorted() && !(0..3).rev().is_sorted();
    if smaller && larger && unordered && sorted {
        x * x
    } else {
        x
    }
}
#[differentiable]
fn from_the_back(x: &[f64]) -> f64 {
    let mut iter = x.iter();
    iter.rfind(|v| **v < 1.0).unwrap() * iter.next_back().unwrap()
}
#[differentiable]
fn peeked_values(x: &[f64]) -> f64 {
    let mut iter = x.iter().peekable();
    let first = iter.next_if(|v| **v > 0.0).unwrap();
    let mut count = (1..4).peekable();
    let (no, one) = (count.next_if_eq(&9), count.next_if_eq(&1));
    match (no, one, count.next()) {
        (None, Some(1), Some(n)) => first * iter.next().unwrap() * x[n],
        _ => *first,
    }
}
#[differentiable]
fn repeated_calls(x: f64) -> f64 {
    let mut n = 1.0;
    let values = std::iter::repeat_with(|| {
        n += 1.0;
        n * x
    });
    values.take(3).map(|v| v * v).sum()
}
#[differentiable]
fn cells_changed(x: f64) -> f64 {
    use std::cell::{Cell, RefCell};
    let (c, d) = (Cell::new(x), Cell::new(2.0));
    c.swap(&d);
    d.update(|a| a * a);
    let (e, f) = (RefCell::new(vec![x]), RefCell::new(vec![2.0, x]));
    e.swap(&f);
    let old = f.replace_with(|v| vec![v[0] * 3.0]);
    let product: f64 = e.borrow().iter().product();
    c.get() * d.get() + product * old[0] * f.borrow()[0]
}
#[differentiable]
fn functions_in_a_list(x: f64) -> f64 {
    let all = [f64::sin as fn(f64) -> f64, f64::exp];
    all.iter().map(|f| f(x)).product()
}

#[differentiable]
fn no_maximum(x: &[f64]) -> f64 {
    *x.iter().skip(9).max_by(|a, b| a.total_cmp(b)).unwrap()
}
#[differentiable]
fn no_chunks(x: &[f64]) -> f64 {
    x.chunks(x.len() - 5).map(|c| c[0]).sum()
}
#[differentiable]
fn no_windows(x: &[f64]) -> f64 {
    x.windows(x.len() - 5).map(|c| c[0]).sum()
}
#[differentiable]
fn no_step(x: &[f64]) -> f64 {
    x.iter().step_by(x.len() - 5).sum()
}
#[differentiable]
fn too_large(x: &[f64]) -> f64 {
    x[0] * (250..=255u8).map(|i| i / 2).sum::<u8>() as f64
}
#[differentiable]
fn not_removed(x: &[f64]) -> f64 {
    x.to_vec().remove(x.len())
}
#[differentiable]
fn no_number(x: &[f64]) -> f64 {
    x.iter().find(|v| **v > 9.0).expect("no number").sin()
}
#[differentiable]
fn large_power(x: &[f64]) -> f64 {
    x[0] * x.len().pow(40) as f64
}
#[differentiable]
fn other_length(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    y.copy_from_slice(&x[1..]);
    y[0]
}

/// Functions that fail, and words that both the native panic and the error have.
macro_rules! check_faults {
    ($($f:ident $says:literal)*) => {
        mod failing {
            use super::*;
            $(#[test]
            fn $f() {
                let native = std::panic::catch_unwind(|| super::$f(X)).unwrap_err();
                let native = match native.downcast_ref::<String>() {
                    Some(text) => text,
                    None => *native.downcast_ref::<&str>().unwrap(),
                };
                assert!(native.contains($says), "native: {native}");
                let rule = Context::default().build_rrule::<super::$f>();
                let rule = rule.unwrap_or_else(|error| panic!("{error}"));
                let found = rule.value_and_gradient((X,)).unwrap_err().to_string();
                assert!(found.contains($says), "{found}");
            })*
        }
    };
}
check_faults! {
    no_maximum "called `Option::unwrap()` on a `None` value"
    no_chunks "chunk size must be non-zero"
    no_windows "window size must be non-zero"
    no_step "assertion failed: step != 0"
    too_large "attempt to add with overflow"
    not_removed "removal index"
    no_number "no number"
    large_power "attempt to multiply with overflow"
    other_length "copy_from_slice: source slice length"
}

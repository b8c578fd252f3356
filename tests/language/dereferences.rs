//! Types with a `Deref` of their own, and with an `Index` that gives lists.

use mooncake::prelude::*;
use std::ops::{Deref, DerefMut, Index, IndexMut};

check! {
    indexed_by_reference(0.7);
    matched_by_reference(0.7);
    matched_by_deref(0.7);
    rows_are_copied(0.5);
    rows_by_method(0.5);
    rows_are_changed(0.5);
    rows_by_function(0.5);
    rows_in_values(0.5);
    parts_of_rows(0.5);
    newtypes(Meters(0.7), &Meters(1.2));
    samples(&Samples { values: vec![0.5, 1.5, -0.7], scale: 2.0 }, 0.7);
    grown(Samples { values: vec![0.5, 1.5, -0.7], scale: 2.0 }, 0.7);
    changed(&mut Samples { values: vec![0.5, 1.5, -0.7], scale: 2.0 }, 0.7);
    lists_inside(0.7);
    chains(0.7);
    of_any_type(0.7);
    counted(0.7);
    behind_counts(std::rc::Rc::new(Meters(0.7)), 0.5);
    written_by_slice(0.7);
    fields_of_enums(0.7);
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Meters(f64);
#[differentiable]
impl Deref for Meters {
    type Target = f64;
    fn deref(&self) -> &f64 {
        &self.0
    }
}
#[differentiable]
impl DerefMut for Meters {
    fn deref_mut(&mut self) -> &mut f64 {
        &mut self.0
    }
}
#[differentiable]
fn half(x: &f64) -> f64 {
    0.5 * x
}
#[differentiable]
fn newtypes(a: Meters, b: &Meters) -> f64 {
    let mut c = Meters(2.0);
    *c += *a;
    *c = *c * **b;
    let d = a;
    a.sin() * b.powi(2) + *a + **b * (*b).sqrt() + *c + half(&a) + half(b) + d.max(0.1)
}

/// Whether a star is that of a reference or of the type is seen by the field: both have one of the name.
mod not_told {
    use super::*;
    use std::rc::Rc;

    #[derive(Differentiable, Clone)]
    struct Inner {
        v: f64,
    }
    #[derive(Differentiable, Clone)]
    struct Outer {
        v: f64,
        inner: Inner,
    }
    #[differentiable]
    impl Deref for Outer {
        type Target = Inner;
        fn deref(&self) -> &Inner {
            &self.inner
        }
    }
    type Lent<'a> = &'a Outer;
    type Shared = Rc<Outer>;

    #[differentiable]
    fn twice(outer: &Outer) -> f64 {
        let r = &outer;
        (**r).v
    }
    #[differentiable]
    fn of_rc(outer: &Rc<Outer>) -> f64 {
        (**outer).v
    }
    #[differentiable]
    fn of_box(outer: &Box<Outer>) -> f64 {
        (**outer).v
    }
    #[differentiable]
    fn of_clone(outer: Rc<Outer>) -> f64 {
        let other = outer.clone();
        (*other).v
    }
    #[differentiable]
    fn of_alias(outer: Lent<'_>) -> f64 {
        (*outer).v
    }
    #[differentiable]
    fn of_shared_alias(outer: Shared) -> f64 {
        (*outer).v
    }
    #[differentiable]
    fn told(outer: &Outer, shared: Rc<Outer>) -> f64 {
        (*outer).v + 10.0 * (**outer).v + 100.0 * (*shared).v + 1000.0 * (**shared).v
    }

    #[test]
    fn it_is_right_or_refused() {
        let outer = Outer {
            v: 1.0,
            inner: Inner { v: 2.0 },
        };
        let ctx = Context::default();
        macro_rules! refused {
            ($($f:ident)*) => {$(
                let error = ctx.build_rrule::<$f>().expect_err(stringify!($f)).to_string();
                assert!(error.contains("cannot tell"), "{error}");
            )*};
        }
        refused! { twice of_rc of_box of_clone of_alias of_shared_alias }
        let shared = Rc::new(outer.clone());
        assert_eq!(told(&outer, shared.clone()), 2121.0);
        test_rule::<told>(&ctx, (&outer, shared)).unwrap();
    }
}

#[derive(Differentiable)]
struct Triple([f64; 3]);
#[differentiable]
impl Deref for Triple {
    type Target = [f64; 3];
    fn deref(&self) -> &[f64; 3] {
        &self.0
    }
}
#[differentiable]
impl DerefMut for Triple {
    fn deref_mut(&mut self) -> &mut [f64; 3] {
        &mut self.0
    }
}
#[differentiable]
fn written_by_slice(x: f64) -> f64 {
    let mut a = Triple([x, x * x, 1.0]);
    a.as_mut_slice()[0] = 5.0 * x;
    a[0] * a[1]
}

#[derive(Differentiable)]
struct Pair(f64, f64);
#[derive(Differentiable)]
enum Either {
    Left(Pair),
    Right(Pair),
}
#[differentiable]
impl Deref for Either {
    type Target = Pair;
    fn deref(&self) -> &Pair {
        match self {
            Either::Left(pair) | Either::Right(pair) => pair,
        }
    }
}
#[differentiable]
fn fields_of_enums(x: f64) -> f64 {
    let a = Either::Left(Pair(x, 2.0 * x));
    let b = Either::Right(Pair(3.0 * x, x.sin()));
    a.0 * b.1 + a.1 * b.0
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Samples {
    values: Vec<f64>,
    scale: f64,
}
#[differentiable]
impl Deref for Samples {
    type Target = Vec<f64>;
    fn deref(&self) -> &Self::Target {
        &self.values
    }
}
#[differentiable]
impl DerefMut for Samples {
    fn deref_mut(&mut self) -> &mut Vec<f64> {
        &mut self.values
    }
}
#[differentiable]
impl Samples {
    fn total(&self) -> f64 {
        self.iter().sum::<f64>() * self.scale
    }
    fn doubled(mut self) -> Self {
        for x in self.iter_mut() {
            *x *= 2.0;
        }
        self
    }
}
#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
#[differentiable]
fn samples(s: &Samples, x: f64) -> f64 {
    let all: &Vec<f64> = s;
    s[0] * s.len() as f64
        + s.total()
        + norm(s)
        + norm(&s[1..]) * x
        + s.first().unwrap()
        + all[1]
        + (**s)[2]
}
#[differentiable]
fn scaled(x: &mut [f64], k: f64) {
    for x in x {
        *x *= k;
    }
}
#[differentiable]
fn grown(mut s: Samples, x: f64) -> f64 {
    s.push(x);
    s[1] = x * s[0];
    s[2..].reverse();
    s.swap(0, 1);
    scaled(&mut s, x);
    scaled(&mut s[1..], 2.0);
    let s = s.doubled();
    s.iter()
        .enumerate()
        .map(|(i, x)| x * (i + 1) as f64)
        .sum::<f64>()
        + s.total()
}
#[differentiable]
fn changed(s: &mut Samples, x: f64) -> f64 {
    s.push(x);
    for (i, v) in s.iter_mut().enumerate() {
        *v += i as f64 * x;
    }
    s.scale *= x;
    s.retain(|v| *v > 0.0);
    let copy = (**s).clone();
    copy.iter().sum::<f64>() * s.scale
}

/// What is behind it is a list, which is a value.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Three([f64; 3]);
#[differentiable]
impl Deref for Three {
    type Target = [f64; 3];
    fn deref(&self) -> &[f64; 3] {
        &self.0
    }
}
#[differentiable]
impl DerefMut for Three {
    fn deref_mut(&mut self) -> &mut [f64; 3] {
        &mut self.0
    }
}
#[differentiable]
fn lists_inside(x: f64) -> f64 {
    let mut a = Three([x, 2.0, 3.0]);
    let mut copy = *a;
    copy[0] = 7.0 * x;
    let held = (*a, 1.0);
    a[1] *= x;
    a.swap(0, 2);
    for v in a.iter_mut() {
        *v += x;
    }
    for v in &mut a[1..] {
        *v *= 2.0;
    }
    let (low, high) = a.split_at_mut(1);
    low[0] += high[0];
    copy[0] * a[0] + a[1] * held.0[1] + a.iter().sum::<f64>() + copy[2]
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Tagged<T> {
    inner: T,
    tag: usize,
}
#[differentiable]
impl<T> Deref for Tagged<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.inner
    }
}
#[differentiable]
impl<T> DerefMut for Tagged<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}
#[differentiable]
fn chains(x: f64) -> f64 {
    let mut t = Tagged::<Tagged<Samples>> {
        inner: Tagged::<Samples> {
            inner: Samples {
                values: vec![x, 2.0],
                scale: 3.0,
            },
            tag: 1,
        },
        tag: 2,
    };
    t.push(x * x);
    t.scale *= x;
    t[0] += 1.0;
    t.inner.tag += t.tag;
    t.total() * t.inner.tag as f64 + t.len() as f64 * x + t.values[1]
}
#[differentiable]
fn of_any_type(x: f64) -> f64 {
    let t = Tagged::<f64> { inner: x, tag: 3 };
    let v = Tagged::<[f64; 2]> {
        inner: [x, 2.0],
        tag: 1,
    };
    t.sin() * t.tag as f64 + *t + v[1] * v[0] + v.iter().product::<f64>()
}
/// `*` of an `Rc` is what is in it.
#[differentiable]
impl std::ops::Mul<f64> for Meters {
    type Output = f64;
    fn mul(self, k: f64) -> f64 {
        100.0 * self.0 * k
    }
}
#[differentiable]
fn behind_counts(way: std::rc::Rc<Meters>, k: f64) -> f64 {
    *way * k + **way * k
}
#[differentiable]
fn counted(x: f64) -> f64 {
    let shared = std::rc::Rc::new(Samples {
        values: vec![x, 2.0 * x],
        scale: 3.0,
    });
    let boxed = Box::new(Meters(x));
    shared[1] * shared.total() + boxed.exp() * boxed.0
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct M<const N: usize> {
    data: [[f64; N]; N],
}
#[differentiable]
impl<const N: usize> Index<usize> for M<N> {
    type Output = [f64; N];
    fn index(&self, i: usize) -> &[f64; N] {
        &self.data[i]
    }
}
#[differentiable]
impl<const N: usize> IndexMut<usize> for M<N> {
    fn index_mut(&mut self, i: usize) -> &mut [f64; N] {
        &mut self.data[i]
    }
}
#[differentiable]
impl<const N: usize> M<N> {
    fn row(&self, i: usize) -> &[f64; N] {
        &self.data[i]
    }
}
#[differentiable]
fn rows_are_copied(x: f64) -> f64 {
    let m = M {
        data: [[x, 1.0], [2.0, x]],
    };
    let mut r = m[0];
    r[0] = 5.0 * x;
    m.data[0][0] * r[0]
}
#[differentiable]
fn rows_by_method(x: f64) -> f64 {
    let m = M {
        data: [[x, 1.0], [2.0, x]],
    };
    let mut r = *m.row(0);
    r[0] = 5.0 * x;
    m.data[0][0] * r[0]
}
#[differentiable]
fn rows_are_changed(x: f64) -> f64 {
    let mut m = M {
        data: [[x, 1.0], [2.0, x]],
    };
    m[1][0] *= x;
    m[0] = [x * x, 2.0];
    let [a, b] = m[1];
    for v in m[0].iter_mut() {
        *v += a;
    }
    m[0][0] * m[1][0] + b * m[0][1]
}
#[differentiable]
fn first(m: &M<2>) -> &[f64; 2] {
    &m.data[0]
}
#[differentiable]
fn rows_by_function(x: f64) -> f64 {
    let m = M {
        data: [[x, 1.0], [2.0, x]],
    };
    let mut r = *first(&m);
    r[0] = 5.0 * x;
    let s = first(&m).clone();
    m.data[0][0] * r[0] + s[0]
}
#[differentiable]
fn rows_in_values(x: f64) -> f64 {
    let m = M {
        data: [[x, 1.0], [2.0, x]],
    };
    let mut p = (m[0], 1.0);
    p.0[0] = 7.0 * x;
    let mut l = [m[0], *m.row(1)];
    l[0][0] = 3.0 * x;
    let mut o = Some(m[1]);
    if let Some(r) = &mut o {
        r[1] = 2.0 * x;
    }
    m.data[0][0] * p.0[0] + m.data[1][1] * l[0][0] + o.unwrap()[1]
}
#[differentiable]
fn parts_of_rows(x: f64) -> f64 {
    let mut m = M {
        data: [[x, 1.0, 2.0], [2.0, x, 3.0], [x * x, 0.5, x]],
    };
    for v in m[0][1..].iter_mut() {
        *v *= x;
    }
    for v in &mut m[1][..2] {
        *v += x;
    }
    m[2].swap(0, 1);
    for pair in m[2].chunks_mut(2) {
        pair[0] *= x;
    }
    m[2].reverse();
    m[1][1..].copy_from_slice(&[x, 2.0 * x]);
    let (a, b) = m[0].split_at_mut(1);
    a[0] += b[1];
    (0..3)
        .map(|i| m[i].iter().map(|v| v * (i + 1) as f64).sum::<f64>())
        .product()
}

/// Counts how often it is indexed to be changed.
#[derive(Differentiable)]
struct Counted<T> {
    items: Vec<T>,
    changes: usize,
}
#[differentiable]
impl<T> Index<usize> for Counted<T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        &self.items[i]
    }
}
#[differentiable]
impl<T> IndexMut<usize> for Counted<T> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        self.changes += 1;
        &mut self.items[i]
    }
}
#[differentiable]
fn indexed_by_reference(x: f64) -> f64 {
    let items = vec![x, 2.0, 3.0 * x, 4.0];
    let mut l = Counted::<f64> { items, changes: 0 };
    let a = l[1];
    let (b, c) = (l[0], l[2]);
    let ref d = l[1];
    let e = *d;
    l[0] = l[0];
    l[3] += x;
    let ref mut f = l[0];
    *f += 1.0;
    a * b + c * e + l.changes as f64 * x + l[0]
}
#[differentiable]
fn matched_by_reference(x: f64) -> f64 {
    let items = vec![Some(x), None];
    let mut l = Counted::<Option<f64>> { items, changes: 0 };
    let a = match l[0] {
        Some(a) => a,
        None => 0.0,
    };
    let b = if let Some(ref b) = l[0] { *b } else { 1.0 };
    match l[0] {
        Some(ref mut c) => *c *= 2.0,
        None => {}
    }
    if let Some(c) = &mut l[0] {
        *c += b;
    }
    while let None = l[1] {
        l[1] = Some(a);
    }
    let Some(d) = l[0] else { return 0.0 };
    d * l.changes as f64 + l[1].unwrap()
}
/// Counts how often what it is to is changed.
#[derive(Differentiable)]
struct Watched {
    value: Option<f64>,
    changes: usize,
}
#[differentiable]
impl Deref for Watched {
    type Target = Option<f64>;
    fn deref(&self) -> &Option<f64> {
        &self.value
    }
}
#[differentiable]
impl DerefMut for Watched {
    fn deref_mut(&mut self) -> &mut Option<f64> {
        self.changes += 1;
        &mut self.value
    }
}
#[differentiable]
fn matched_by_deref(x: f64) -> f64 {
    let mut w = Watched {
        value: Some(x),
        changes: 0,
    };
    let a = *w;
    let b = match *w {
        Some(b) => b,
        None => 0.0,
    };
    let c = if let Some(ref c) = *w { *c } else { 0.0 };
    let before = w.changes as f64;
    if let Some(ref mut d) = *w {
        *d += 1.0;
    }
    if let Some(d) = &mut *w {
        *d *= c;
    }
    before + a.unwrap() * b + w.unwrap() * w.changes as f64
}

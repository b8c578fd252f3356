//! What the programs are made with: types, functions and methods, as users write them. The oracle calls them natively.
//! The tables at the end are all that the other modules know of the functions.

use crate::eval::{Place, Value};
use crate::program::T;
use mooncake::__private as mc;
use mooncake::{Differentiable, Float, differentiable, par_for, par_map, par_sum};
use std::cell::RefCell;
use std::rc::Rc;

/// `S { a, b, n }`
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct S {
    pub a: f64,
    pub b: (f64, f64),
    pub n: i64,
}

/// An enum with variants of every kind.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum E {
    One(f64),
    Two { x: f64, n: i64 },
    None,
}

/// A struct of what else there is.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct D {
    pub s: S,
    pub o: Option<f64>,
    pub v: Vec<f64>,
    pub e: E,
}

/// A recursive list.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum L {
    End,
    Node(f64, Box<L>),
}

/// What `dyn` is of.
#[differentiable]
pub trait Solid {
    fn size(&self, k: f64) -> f64;
    fn scale(&mut self, by: f64);
    fn twice(&self, k: f64) -> f64 {
        2.0 * self.size(k)
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Ball {
    pub r: f64,
}
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Brick {
    pub sides: (f64, f64),
    pub n: i64,
}
/// Without anything in it.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Point;

#[differentiable]
impl Solid for Ball {
    fn size(&self, k: f64) -> f64 {
        (self.r * k).sin() * self.r
    }
    fn scale(&mut self, by: f64) {
        self.r *= by;
    }
}
#[differentiable]
impl Solid for Brick {
    fn size(&self, k: f64) -> f64 {
        self.sides.0 * self.sides.1 + k * self.n as f64
    }
    fn scale(&mut self, by: f64) {
        self.sides = (self.sides.1, self.sides.0 * by);
        self.n = self.n % 3 + 1;
    }
    fn twice(&self, k: f64) -> f64 {
        self.size(k) - self.sides.0
    }
}
#[differentiable]
impl Solid for Point {
    fn size(&self, k: f64) -> f64 {
        0.5 * k
    }
    fn scale(&mut self, _by: f64) {}
}

#[differentiable]
pub fn bump(p: &mut f64, by: f64) {
    *p = p.sin() + by * *p;
}

#[differentiable]
pub fn shift(s: &mut S, by: f64) -> f64 {
    s.b.0 += by * s.a;
    s.a = s.b.1 - by;
    bump(&mut s.b.1, by);
    s.a
}

#[differentiable]
pub fn stretch(d: &mut D, by: f64) {
    shift(&mut d.s, by);
    if let Some(x) = &mut d.o {
        *x += by * d.s.a;
    }
    for x in d.v.iter_mut() {
        *x = x.tanh() * by;
    }
    match &mut d.e {
        E::One(x) => *x *= by,
        E::Two { x, n } if *n > 1 => {
            *x += 1.0;
            *n -= 1;
        }
        E::Two { x, .. } => d.o = Some(*x * by),
        E::None => d.e = E::One(by),
    }
}

#[differentiable]
pub fn mix(s: &mut [f64], by: f64) {
    let middle = s.len() / 2;
    let (left, right) = s.split_at_mut(middle);
    for (l, r) in left.iter_mut().zip(right.iter_mut()) {
        *l += by * *r;
        *r = r.sin() * *l;
    }
    for c in s.chunks_mut(2) {
        c[0] *= by;
        let last = c.len() - 1;
        c.swap(0, last);
    }
}

#[differentiable]
pub fn total(l: &L) -> f64 {
    match l {
        L::End => 0.25,
        L::Node(value, rest) => value.sin() - 0.5 * total(rest),
    }
}

#[differentiable]
pub fn grow(l: &mut L, by: f64) {
    match l {
        L::End => *l = L::Node(by, Box::new(L::End)),
        L::Node(value, rest) => {
            *value *= by;
            if by > 0.0 {
                grow(rest, *value);
            }
        }
    }
}

#[differentiable]
pub fn root(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

#[differentiable]
pub fn ratio(a: f64, b: f64) -> Result<f64, f64> {
    if b.abs() < 0.25 {
        return Err(a - b);
    }
    Ok(a / b)
}

#[differentiable]
pub fn both(a: f64, b: f64) -> Option<f64> {
    let left = root(a)?;
    Some(left * root(b)?)
}

#[differentiable]
pub fn chained(a: f64, b: f64) -> Result<f64, f64> {
    let first = ratio(a, b)?;
    let second = ratio(first, a)?;
    Ok(first + second)
}

#[differentiable]
pub fn combined(o: Option<f64>, k: f64) -> Option<f64> {
    let scaled = o.map(|x| x * k).filter(|x| *x < 0.75);
    scaled.or_else(|| root(k)).and_then(|x| both(x, 0.5 + x))
}

#[differentiable]
impl S {
    pub fn size(&self, k: f64) -> f64 {
        (self.a * k + self.b.0 * self.b.1).tanh()
    }
    pub fn turn(&mut self, by: f64) {
        self.b = (self.b.1 - by, self.b.0 * by);
    }
}

#[differentiable]
pub fn turned(s: S, e: E) -> S {
    match (s.n, e) {
        (0, E::One(x)) => S { a: x, ..s },
        (_, E::Two { x, n }) if n < 2 => S {
            b: (x * s.a, s.b.0),
            n,
            ..s
        },
        (n, _) => S { n: n % 2, ..s },
    }
}

#[differentiable]
pub fn weigh(d: &D, k: f64) -> f64 {
    let S {
        a, b: (left, _), ..
    } = d.s;
    let list: f64 = d.v.iter().map(|x| x * a).sum();
    let extra = match (&d.e, d.o) {
        (E::One(x), Some(o)) => x * o,
        (E::Two { x, .. }, _) => x + left,
        (_, o) => o.unwrap_or(0.5),
    };
    list * k + extra
}

#[differentiable]
pub fn rises(s: &[f64], k: f64) -> f64 {
    let steps = s.windows(2).map(|w| (w[1] - w[0]) * k);
    steps.filter(|step| *step > 0.0).sum::<f64>() + 0.5
}

/// Loops that threads may share, which read what is written before and after.
#[differentiable]
pub fn spread(s: &[f64], k: f64) -> f64 {
    let mut scaled = par_map(s, |x| x * k + 0.1);
    scaled.push(k);
    let weights = scaled.clone();
    let sum = par_sum(&scaled, |x| (x * weights[0]).sin() * k);
    par_for(&mut scaled, |i, v| *v = *v * sum + i as f64 * weights[i]);
    scaled[0] *= sum;
    par_sum(&scaled, |v| v.tanh() * weights[0]) * scaled[0]
}

#[differentiable]
pub fn stir(s: &mut [f64], by: f64) {
    let sum = par_sum(s, |x| x * by);
    par_for(s, |i, v| {
        if *v > 0.0 {
            *v = v.sin() * sum + 0.25 * i as f64;
        }
    });
}

#[differentiable]
pub fn blocks(s: &[f64]) -> f64 {
    let mut best = 0.25;
    'all: for (i, c) in s.chunks(2).enumerate() {
        for &v in c.iter().rev() {
            if v * best > 0.9 {
                break 'all;
            }
            if v < -0.8 {
                continue 'all;
            }
            best += v * (i as f64 + 0.5);
        }
        best *= 0.75;
    }
    best
}

#[differentiable]
pub fn halved(s: &[f64]) -> f64 {
    match s {
        [] => 0.5,
        [one] => one.sin(),
        [first, .., last] => {
            let (left, right) = s.split_at(s.len() / 2);
            halved(left) * last - halved(right) * first
        }
    }
}

#[differentiable]
pub fn sorted(s: &[f64], k: f64) -> f64 {
    let mut v = s.to_vec();
    v.push(k);
    v.sort_by(|a, b| b.partial_cmp(a).unwrap());
    v.insert(1, 0.5 * k);
    let last = v.len() - 1;
    v.swap(0, last);
    let taken = v.remove(last);
    v.retain(|x| *x < 0.9);
    v.iter().enumerate().map(|(i, x)| x * i as f64).sum::<f64>() - taken
}

#[differentiable]
pub fn scanned(s: &[f64], k: f64) -> f64 {
    let sums = s.iter().scan(k, |sum, x| {
        *sum = 0.5 * *sum + x;
        Some(*sum)
    });
    let pairs = sums.zip(s.iter().skip(1)).take_while(|(sum, _)| *sum < 1.5);
    pairs.fold(k, |product, (sum, x)| product * sum.cos() + x)
}

#[differentiable]
pub fn strided(s: &[f64], n: i64) -> f64 {
    let (length, step) = (s.len(), n.rem_euclid(3) as usize + 1);
    let mut i = length.saturating_sub(step);
    let mut sum = 0.25;
    while i < length {
        sum = sum * s[i] + s[(i * step + 1) % length];
        i += step;
    }
    let far = (0..length)
        .rev()
        .step_by(step)
        .max_by(|&i, &j| s[i].total_cmp(&s[j]));
    sum + far.map_or(0.5, |i| s[i] * sum)
}

#[differentiable]
pub fn graded(x: f64, n: i64) -> f64 {
    match (n, x) {
        (0, x) if x > 0.25 => x * x,
        (0 | 1, _) => x.sin(),
        (k @ 2..=3, x) => x * k as f64,
        (_, x) if x < 0.0 => -0.5 * x,
        _ => 0.75,
    }
}

#[differentiable]
pub fn spiral(x: f64, n: i64) -> f64 {
    let (mut r, mut k) = (x, 0);
    let found = 'out: {
        let turned = loop {
            k += 1;
            for i in 0..3 {
                if k * i > n {
                    break 'out r;
                }
                r = 0.5 * r + x.cos() * i as f64;
            }
            if k > 2 {
                break r * x;
            }
        };
        turned - r
    };
    found + r
}

#[derive(Clone, Debug, Differentiable)]
enum Tree {
    Leaf(f64),
    Fork(Box<Tree>, Box<Tree>),
}

#[differentiable]
fn plant(x: f64, fuel: i64) -> Tree {
    if fuel <= 0 || x > 1.5 {
        return Tree::Leaf(x);
    }
    let left = plant(0.5 * x, fuel - 1);
    Tree::Fork(Box::new(left), Box::new(plant(x + 0.25, fuel - 2)))
}

#[differentiable]
fn harvest(tree: &Tree) -> (f64, usize) {
    match tree {
        Tree::Leaf(x) => (x.tanh(), 1),
        Tree::Fork(left, right) => {
            let ((a, m), (b, n)) = (harvest(left), harvest(right));
            (a * b + a - b, m + n)
        }
    }
}

#[differentiable]
pub fn orchard(x: f64, n: i64) -> f64 {
    let (fruit, leaves) = harvest(&plant(x, n % 4));
    fruit / leaves as f64
}

#[differentiable]
fn even(x: f64, n: i64) -> f64 {
    if n <= 0 { x } else { odd(x.sin(), n - 1) * x }
}
#[differentiable]
fn odd(x: f64, n: i64) -> f64 {
    if n <= 0 {
        0.5
    } else {
        even(x - 0.5, n - 1) + x
    }
}
#[differentiable]
pub fn parity(x: f64, n: i64) -> f64 {
    even(x, n % 6)
}

#[differentiable]
pub fn shared(x: f64, y: f64) -> f64 {
    let cell = Rc::new(RefCell::new(x));
    let other = Rc::clone(&cell);
    let add = move |by: f64| {
        let mut v = other.borrow_mut();
        *v += by * y;
    };
    add(x);
    add(0.5);
    let now = *cell.borrow();
    now * x
}

#[differentiable]
pub fn swapped(x: f64, y: f64) -> (f64, f64) {
    let (mut a, mut b) = (x * y, vec![y, x]);
    std::mem::swap(&mut a, &mut b[1]);
    let old = std::mem::replace(&mut b[0], a + 1.0);
    let place = if x > y { &mut a } else { &mut b[1] };
    *place -= old;
    let rest = std::mem::take(&mut b);
    (a * old, rest[0] + rest[1] + b.len() as f64)
}

#[differentiable]
pub fn solids(x: f64, n: i64) -> f64 {
    let mut all: Vec<Box<dyn Solid>> = vec![Box::new(Point), Box::new(Ball { r: x })];
    if n > 1 {
        all.push(Box::new(Brick { sides: (x, 0.5), n }));
    }
    for solid in all.iter_mut() {
        solid.scale(x);
    }
    let last = &all[n.rem_euclid(5) as usize % all.len()];
    all.iter().map(|solid| solid.twice(0.25)).sum::<f64>() * last.size(x)
}

#[differentiable]
fn blend<F: Float>(a: F, b: F) -> F {
    if a < b { a * b.sin() } else { a - b }
}
#[derive(Clone, Copy, Debug, Differentiable)]
struct Duo<F> {
    left: F,
    right: F,
}
#[differentiable]
impl<F: Float> Duo<F> {
    fn new(left: F, right: F) -> Duo<F> {
        Duo { left, right }
    }
    fn blended(self) -> F {
        blend(self.left, self.right) + blend(self.right, self.left)
    }
}
#[differentiable]
pub fn duo(a: f64, b: f64) -> f64 {
    Duo::new(a, b).blended() * Duo { left: b, right: a }.left
}
#[differentiable]
pub fn single(a: f32, b: f32) -> f32 {
    Duo::new(a, b).blended() + blend(b, 0.5)
}

#[differentiable]
fn counter(start: f64) -> impl FnMut(f64) -> f64 {
    let mut sum = start;
    move |by| {
        sum += by * start;
        sum
    }
}
/// Twice a function that may change what it captures.
#[differentiable]
pub fn apply(f: &mut impl FnMut(f64) -> f64, x: f64) -> f64 {
    f(x) - 0.5 * f(0.25)
}
#[differentiable]
pub fn counted(x: f64, n: i64) -> f64 {
    let mut next = counter(x);
    let mut sum = apply(&mut next, 0.75);
    for _ in 0..n % 4 {
        sum *= next(0.5);
    }
    sum
}

#[differentiable]
pub fn asserted(x: f64, n: i64) -> f64 {
    assert!(n != 2, "two");
    if x > 1.0 {
        panic!("too large");
    }
    Some(x).filter(|x| *x > -1.0).expect("too small") * 0.5
}

/// Has std's traits by hand: equal to what is a little larger, ordered one way by `cmp` and the other way by `<`, and older with each clone.
#[derive(Debug, Differentiable)]
pub struct Own {
    pub value: f64,
    pub age: f64,
}
#[differentiable]
impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        self.value <= other.value && other.value < self.value + 0.75
    }
}
impl Eq for Own {}
#[allow(
    clippy::non_canonical_partial_ord_impl,
    reason = "what asks `<` and what asks `cmp` is to be told apart"
)]
#[differentiable]
impl PartialOrd for Own {
    fn partial_cmp(&self, other: &Own) -> Option<std::cmp::Ordering> {
        Some(other.value.total_cmp(&self.value))
    }
}
#[differentiable]
impl Ord for Own {
    fn cmp(&self, other: &Own) -> std::cmp::Ordering {
        self.value.total_cmp(&other.value)
    }
}
#[differentiable]
impl Clone for Own {
    fn clone(&self) -> Own {
        Own {
            value: self.value,
            age: 0.5 * self.age + 1.0,
        }
    }
}
#[differentiable]
fn own(s: &[f64]) -> Vec<Own> {
    let own = |x: &f64| Own {
        value: *x,
        age: 0.25,
    };
    s.iter().map(own).collect()
}
#[differentiable]
fn weighted(all: &[Own]) -> f64 {
    let terms = all.iter().enumerate();
    terms.map(|(i, o)| o.value * (o.age + i as f64)).sum()
}

#[allow(
    clippy::unnecessary_sort_by,
    reason = "`sort` asks `<`, which is something else"
)]
#[differentiable]
pub fn ranked(s: &[f64], k: f64) -> f64 {
    let mut all = own(s);
    all.sort();
    let sorted = weighted(&all);
    all.sort_by(|a, b| a.cmp(b));
    let ordered = weighted(&all);
    let (most, least) = (all.iter().max(), all.iter().min());
    let range = match (most, least) {
        (Some(most), Some(least)) => most.value - least.value * k,
        _ => 0.5,
    };
    let key = all.iter().max_by_key(|o| *o).map_or(k, |o| o.value.sin());
    sorted * k + ordered * range + key
}

#[differentiable]
pub fn matched(s: &[f64], k: f64) -> f64 {
    let mut all = own(s);
    let sought = own(&[k, 0.5 * k]);
    let mut sum = 0.25 * k;
    if all.contains(&sought[0]) {
        sum += 0.5 * k * k;
    }
    if all.starts_with(&sought[..1]) {
        sum *= 1.25;
    }
    if all.ends_with(&sought[..1]) {
        sum -= k.sin();
    }
    if let Some(rest) = all.strip_prefix(&sought[1..]) {
        sum += weighted(rest);
    }
    all.dedup();
    sum + weighted(&all)
}

#[differentiable]
pub fn renewed(s: &[f64], n: i64) -> f64 {
    let n = n.rem_euclid(4) as usize;
    let one = |value: f64| Own { value, age: 0.5 };
    let mut all = own(s);
    all.resize(n, one(0.75));
    let again: Vec<Own> = std::iter::repeat_n(one(s.len() as f64), n).collect();
    all.extend_from_slice(&again);
    let sum = weighted(&all);
    all[..n].fill(one(sum));
    sum - 0.5 * weighted(&all)
}

/// An iterator of the program's own.
#[derive(Clone, Debug, Differentiable)]
pub struct Halving {
    rest: f64,
    turns: i64,
}
#[differentiable]
impl Iterator for Halving {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        if self.turns <= 0 {
            return None;
        }
        self.turns -= 1;
        self.rest *= 0.5;
        Some(self.rest.cos())
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, None)
    }
}

#[differentiable]
pub fn stepped(k: f64, n: i64) -> f64 {
    let turns = n.rem_euclid(5);
    let steps = Halving { rest: k, turns };
    let sum: f64 = steps.clone().map(|x| x * k).sum();
    let last = steps.clone().skip(1).last().unwrap_or(0.5);
    let count = steps.clone().filter(|x| *x > 0.9).count();
    steps.fold(sum, |a, x| 0.5 * a + x) - last * count as f64
}

/// A function of values.
pub struct Function {
    pub name: &'static str,
    pub params: &'static [T],
    pub gives: T,
    pub callee: mc::Callee,
    pub native: fn(&mut dyn Iterator<Item = Value>) -> Value,
    /// Whether it may panic.
    pub faults: bool,
}

macro_rules! given {
    (Slice, $value:expr) => {
        &$value.floats()
    };
    (List, $value:expr) => {
        &$value.list()
    };
    (Deep, $value:expr) => {
        &$value.deep()
    };
    (Float, $value:expr) => {
        $value.float()
    };
    (Single, $value:expr) => {
        $value.single()
    };
    (Int, $value:expr) => {
        $value.int()
    };
    (Struct, $value:expr) => {
        $value.strukt()
    };
    (Option, $value:expr) => {
        $value.option()
    };
    (Enum, $value:expr) => {
        $value.variant()
    };
}

macro_rules! functions {
    ($($name:ident($($param:ident),*) -> $gives:ident $(, faults: $faults:literal)?;)*) => {
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            params: &[$(T::$param),*],
            gives: T::$gives,
            callee: <$name as mc::Callable>::callee,
            native: |args| {
                Value::$gives($name($(given!($param, args.next().expect("an argument"))),*))
            },
            faults: false $(|| $faults)?,
        }),*];
    };
}

functions! {
    total(List) -> Float;
    root(Float) -> Option;
    both(Float, Float) -> Option;
    combined(Option, Float) -> Option;
    ratio(Float, Float) -> Result;
    chained(Float, Float) -> Result;
    turned(Struct, Enum) -> Struct;
    weigh(Deep, Float) -> Float;
    rises(Slice, Float) -> Float;
    blocks(Slice) -> Float;
    halved(Slice) -> Float;
    sorted(Slice, Float) -> Float;
    scanned(Slice, Float) -> Float;
    strided(Slice, Int) -> Float;
    spread(Slice, Float) -> Float;
    graded(Float, Int) -> Float;
    spiral(Float, Int) -> Float;
    orchard(Float, Int) -> Float;
    parity(Float, Int) -> Float;
    shared(Float, Float) -> Float;
    swapped(Float, Float) -> Pair;
    solids(Float, Int) -> Float;
    duo(Float, Float) -> Float;
    single(Single, Single) -> Single;
    counted(Float, Int) -> Float;
    ranked(Slice, Float) -> Float;
    matched(Slice, Float) -> Float;
    renewed(Slice, Int) -> Float;
    stepped(Float, Int) -> Float;
    asserted(Float, Int) -> Float, faults: true;
}

/// The function of a name.
pub fn function(name: &str) -> &'static Function {
    let found = FUNCTIONS.iter().find(|f| f.name == name);
    found.unwrap_or_else(|| panic!("no function {name}"))
}

/// A function of a place that it changes, and a float.
pub struct Mutator {
    pub name: &'static str,
    pub place: T,
    /// None for a method.
    pub callee: Option<mc::Callee>,
    pub native: fn(Place<'_>, f64),
}

pub const MUTATORS: &[Mutator] = &[
    Mutator {
        name: "bump",
        place: T::Float,
        callee: Some(<bump as mc::Callable>::callee),
        native: |place, by| bump(place.float(), by),
    },
    Mutator {
        name: "shift",
        place: T::Struct,
        callee: Some(<shift as mc::Callable>::callee),
        native: |place, by| {
            shift(place.strukt(), by);
        },
    },
    Mutator {
        name: "turn",
        place: T::Struct,
        callee: None,
        native: |place, by| place.strukt().turn(by),
    },
    Mutator {
        name: "stretch",
        place: T::Deep,
        callee: Some(<stretch as mc::Callable>::callee),
        native: |place, by| stretch(place.deep(), by),
    },
    Mutator {
        name: "mix",
        place: T::Vec,
        callee: Some(<mix as mc::Callable>::callee),
        native: |place, by| mix(place.floats(), by),
    },
    Mutator {
        name: "stir",
        place: T::Vec,
        callee: Some(<stir as mc::Callable>::callee),
        native: |place, by| stir(place.floats(), by),
    },
    Mutator {
        name: "grow",
        place: T::List,
        callee: Some(<grow as mc::Callable>::callee),
        native: |place, by| grow(place.list(), by),
    },
    Mutator {
        name: "scale",
        place: T::Dyn,
        callee: None,
        native: |place, by| place.solid().scale(by),
    },
];

/// The mutator of a name.
pub fn mutator(name: &str) -> &'static Mutator {
    let found = MUTATORS.iter().find(|m| m.name == name);
    found.unwrap_or_else(|| panic!("no mutator {name}"))
}

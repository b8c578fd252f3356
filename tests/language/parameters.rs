//! Types and functions with const parameters, and constants that belong to types, in odd combinations.

use mooncake::Float;
use mooncake::prelude::*;
use std::marker::PhantomData;

check! {
    inferred_later(0.7);
    by_turbofish(0.7);
    types_in_capitals(0.7);
    of_other_integers(0.7);
    defaults_of_parameters(Small { x: [0.5, 1.5] }, 0.7);
    shadowed(0.7);
    in_closures([0.5, 1.5, -0.7]);
    declared_for_closures(0.7, &[0.5, 1.5, 2.5]);
    of_no_elements(0.7);
    implemented_once(0.7);
    behind_references(&[Row([1.0, 2.0]), Row([3.0, 4.0])], &mut Row([0.5, 0.25]));
    enums(Either::Many([0.5, 1.5, 2.5]), 0.7);
    phantoms(Sized { x: 0.5, of: PhantomData });
    recursive(&Tree { value: [1.0, 2.0], children: vec![Tree { value: [0.5, 0.1], children: vec![] }] });
    traits_with_parameters(0.7);
    behind_dyn(0.7);
    constants_of_types(0.7);
    constants_by_trait(0.7);
    constants_of_generic_types(0.7);
    variants_of_self(0.7);
    constants_that_are_structs(0.7);
    units_of_measure(Quantity(2.0), 0.7);
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Row<const N: usize>([f64; N]);

#[differentiable]
impl<const N: usize> Row<N> {
    fn zeros() -> Self {
        Row([0.0; N])
    }
    fn len(&self) -> usize {
        N
    }
    fn first<const K: usize>(&self) -> Row<K> {
        let mut out = Row::zeros();
        for i in 0..K.min(N) {
            out.0[i] = self.0[i];
        }
        out
    }
    fn sum(&self) -> f64 {
        self.0.iter().sum()
    }
}

#[differentiable]
fn force(t: f64, y: &[f64; 2], k: f64) -> [f64; 2] {
    [y[1] + t, -k * y[0]]
}
/// Several steps of Heun's method.
#[differentiable]
fn heun<const N: usize, F>(f: F, mut y: [f64; N], dt: f64) -> [f64; N]
where
    F: Fn(f64, &[f64; N]) -> [f64; N],
{
    for step in 0..4 {
        let t = dt * step as f64;
        let (before, mut next) = (f(t, &y), y);
        for i in 0..N {
            next[i] += dt * before[i];
        }
        let after = f(t + dt, &next);
        for i in 0..N {
            y[i] += 0.5 * dt * (before[i] + after[i]);
        }
    }
    y
}
#[differentiable]
fn at_a_list(f: impl Fn(&[f64; 2]) -> [f64; 2]) -> f64 {
    let [a, b] = f(&[1.0, 2.0]);
    a + b
}
#[differentiable]
fn in_place(f: impl Fn(&[f64; 2], &mut [f64; 2]), y: &mut [f64; 2]) {
    let mut change = [0.0; 2];
    f(y, &mut change);
    let next = [y[0] + change[0], y[1] * change[1]];
    f(&next, &mut change);
    *y = change;
}
#[differentiable]
fn twice(f: impl Fn(&mut [f64])) -> f64 {
    let mut a = vec![1.0, 2.0];
    f(&mut a);
    f(&mut a[1..]);
    a[0] + a[1]
}
#[differentiable]
fn squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}
#[differentiable]
fn of_all_kinds<F: Fn(&[f64]) -> f64>(f: &F, x: &[f64]) -> f64 {
    let y = vec![x[0], 2.0];
    f(x) * f(&y) + f(&x[1..]) + f(&[x[1]])
}
/// What a closure takes is declared where it is called, and not where it is written.
#[differentiable]
fn declared_for_closures(k: f64, x: &[f64]) -> f64 {
    let y = heun(|t, y| force(t, y, k), [1.0, 0.5], 0.1);
    let mut z = [k, 1.0];
    in_place(
        |y, d| {
            d[0] = y[1] * k;
            d[1] = -k * y[0];
        },
        &mut z,
    );
    let scaled = twice(|v| v[0] *= k);
    y[0] * z[1] + scaled + at_a_list(|y| force(0.5, y, k)) + of_all_kinds(&|v| squares(v), x)
}

/// What says how long they are comes after they are used.
#[differentiable]
fn inferred_later(x: f64) -> f64 {
    let mut a = Row::zeros();
    a.0[1] = x;
    let mut b = [0.0; 3];
    for (b, a) in b.iter_mut().zip(a.0.iter()) {
        *b += a * x;
    }
    let n = a.len();
    let full: Row<4> = a;
    let mut made = std::array::from_fn(|i| x * i as f64);
    made[0] = 2.0;
    let total: f64 = made.iter().sum();
    let pair: [f64; 2] = made;
    full.sum() + b[1] + n as f64 * x + total + pair[1]
}

#[differentiable]
fn times<const K: usize>(x: f64) -> f64 {
    x * K as f64
}
#[differentiable]
fn maybe<const SQUARE: bool>(x: f64) -> f64 {
    if SQUARE { x * x } else { x }
}
#[differentiable]
trait Scheme {
    fn step(x: f64) -> f64;
}
#[derive(Differentiable)]
struct RK4;
#[differentiable]
impl Scheme for RK4 {
    fn step(x: f64) -> f64 {
        x + x * x
    }
}
#[derive(Differentiable)]
struct Run(f64);
#[differentiable]
impl Run {
    fn by<S: Scheme>(&self) -> f64 {
        S::step(self.0)
    }
}
#[differentiable]
fn stepped<S: Scheme>(x: f64) -> f64 {
    S::step(x)
}
#[differentiable]
fn types_in_capitals(x: f64) -> f64 {
    stepped::<RK4>(x) * Run(x).by::<RK4>()
}

const FOUR: usize = 4;
#[differentiable]
fn by_turbofish(x: f64) -> f64 {
    let row = Row([x, 2.0 * x, 3.0 * x]);
    times::<3>(x) * times::<{ FOUR }>(x)
        + maybe::<true>(x)
        + maybe::<false>(x)
        + row.first::<2>().sum()
        + row.first::<{ FOUR }>().sum()
        + row.first::<{ FOUR - 3 }>().sum()
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Power<const P: i32, const BITS: u32>(f64);
#[differentiable]
impl<const P: i32, const BITS: u32> Power<P, BITS> {
    fn value(&self) -> f64 {
        self.0.powi(P) + (BITS as f64).ln()
    }
}
#[differentiable]
fn of_other_integers(x: f64) -> f64 {
    Power::<-2, 7>(x).value() + Power::<3, { u32::MAX }>(x).value()
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Small<T = f64, const N: usize = 2> {
    x: [T; N],
}
#[differentiable]
impl Small {
    fn sum(&self) -> f64 {
        self.x[0] + self.x[1]
    }
}
#[differentiable]
fn defaults_of_parameters(small: Small, x: f64) -> f64 {
    let other: Small<f64, 3> = Small { x: [x; 3] };
    small.sum() * other.x.iter().product::<f64>()
}

#[differentiable]
fn hidden<const N: usize>(x: [f64; N]) -> f64 {
    let length = N;
    let inner = |n: usize| (n + N) as f64;
    x[length - 1] * inner(1)
}
#[differentiable]
fn shadowed(x: f64) -> f64 {
    hidden([x, 2.0 * x])
}

#[differentiable]
fn pairs<const N: usize>(x: [f64; N]) -> [[f64; N]; N] {
    let product = |i: usize| -> [f64; N] { std::array::from_fn(|j| x[i] * x[(i + j) % N]) };
    std::array::from_fn(product)
}
#[differentiable]
fn in_closures(x: [f64; 3]) -> [[f64; 3]; 3] {
    pairs(x)
}

#[differentiable]
fn of_no_elements(x: f64) -> f64 {
    let none = Row::<0>::zeros();
    let lists: [[f64; 0]; 2] = [[0.0; 0]; 2];
    none.sum() + x * (lists.len() + lists[1].len()) as f64
}

#[differentiable]
trait Named {
    fn weight(&self) -> f64;
    fn twice(&self) -> f64 {
        2.0 * self.weight()
    }
}
#[differentiable]
impl Named for Row<2> {
    fn weight(&self) -> f64 {
        self.0[0] * self.0[1]
    }
}
#[differentiable]
impl Named for Row<3> {
    fn weight(&self) -> f64 {
        self.0[2].exp()
    }
}
#[differentiable]
fn implemented_once(x: f64) -> f64 {
    Row([x, 3.0]).twice() + Row([x, 3.0, x]).twice()
}

#[differentiable]
fn behind_references(rows: &[Row<2>], last: &mut Row<2>) -> f64 {
    for row in rows {
        for (a, b) in last.0.iter_mut().zip(row.0) {
            *a *= b;
        }
    }
    rows.iter().map(Row::sum).sum::<f64>() + last.sum()
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Either<const N: usize> {
    One(f64),
    Many([f64; N]),
    Nothing,
}
#[differentiable]
impl<const N: usize> Either<N> {
    fn sum(&self) -> f64 {
        match self {
            Self::One(x) => *x,
            Either::Many(x) => x.iter().sum(),
            Self::Nothing => 0.0,
        }
    }
}
#[differentiable]
fn enums(x: Either<3>, y: f64) -> f64 {
    let none: Either<3> = Either::Nothing;
    let many = if y > 0.0 { x } else { none };
    many.sum() * Either::<1>::One(y).sum()
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Sized<T, const N: usize> {
    x: T,
    of: PhantomData<[u8; N]>,
}
#[differentiable]
impl<T: Float, const N: usize> Sized<T, N> {
    fn grow<const M: usize>(self) -> Sized<T, M> {
        Sized {
            x: self.x * T::from_f64((M - N) as f64),
            of: PhantomData,
        }
    }
}
#[differentiable]
fn phantoms(x: Sized<f64, 2>) -> Sized<f64, 5> {
    x.grow::<4>().grow()
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Tree<const N: usize> {
    value: [f64; N],
    children: Vec<Tree<N>>,
}
#[differentiable]
impl<const N: usize> Tree<N> {
    fn total(&self) -> f64 {
        let own: f64 = self.value.iter().map(|x| x * x).sum();
        own + self
            .children
            .iter()
            .map(|child| child.total() * N as f64)
            .sum::<f64>()
    }
}
#[differentiable]
fn recursive(tree: &Tree<2>) -> f64 {
    tree.total()
}

#[differentiable]
trait Map<const IN: usize, const OUT: usize> {
    fn apply(&self, x: [f64; IN]) -> [f64; OUT];
}
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Summed(f64);
#[differentiable]
impl<const N: usize> Map<N, 1> for Summed {
    fn apply(&self, x: [f64; N]) -> [f64; 1] {
        [self.0 * x.iter().sum::<f64>()]
    }
}
#[differentiable]
fn mapped<const N: usize, M: Map<N, 1>>(map: &M, x: [f64; N]) -> f64 {
    map.apply(x)[0]
}
#[differentiable]
fn traits_with_parameters(x: f64) -> f64 {
    mapped(&Summed(x), [1.0, x, 2.0]) + mapped(&Summed(2.0), [x])
}

#[differentiable]
fn behind_dyn(x: f64) -> f64 {
    let all: Vec<Box<dyn Named>> = vec![Box::new(Row([x, 2.0])), Box::new(Row([1.0, x, x * x]))];
    all.iter().map(|one| one.twice()).sum()
}

#[differentiable]
trait Model {
    const GAIN: f64;
    const OFFSET: f64 = 0.5;
    const TWICE: f64 = 2.0 * Self::GAIN;
    const STEPS: usize = 3;

    fn run(&self, x: f64) -> f64 {
        (0..Self::STEPS).fold(x, |x, _| (Self::GAIN * x + Self::OFFSET).sin())
    }
}
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Slow(f64);
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Fast;
#[differentiable]
impl Model for Slow {
    const GAIN: f64 = 0.25;
    fn run(&self, x: f64) -> f64 {
        self.0 * x * Self::TWICE
    }
}
#[differentiable]
impl Model for Fast {
    const GAIN: f64 = 4.0 * Slow::GAIN + 0.1;
    const STEPS: usize = 2;
}
#[differentiable]
fn driven<M: Model>(model: &M, x: f64) -> f64 {
    let [first, ..] = [M::GAIN; 2];
    model.run(x) * first + <M as Model>::TWICE * x.powi(M::STEPS as i32)
}
#[differentiable]
fn constants_of_types(x: f64) -> f64 {
    driven(&Slow(x), x) + driven(&Fast, x)
}

#[differentiable]
trait Ring {
    const ZERO: Self;
    const ONE: Self;
    const LIMITS: (f64, [usize; 2]);
    fn plus(self, other: Self) -> Self;
}
#[differentiable]
impl Ring for f64 {
    const ZERO: f64 = 0.0;
    const ONE: Self = 1.0;
    const LIMITS: (f64, [usize; 2]) = (f64::EPSILON, [1, 2]);
    fn plus(self, other: f64) -> f64 {
        self + other
    }
}
#[differentiable]
impl<const N: usize> Ring for Row<N> {
    const ZERO: Self = Row([0.0; N]);
    const ONE: Self = Row([1.0; N]);
    const LIMITS: (f64, [usize; 2]) = (0.125, [N, N + 1]);
    fn plus(self, other: Self) -> Self {
        Row(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}
#[differentiable]
fn summed<R: Ring + Copy>(items: &[R]) -> R {
    items
        .iter()
        .fold(R::ZERO, |sum, &x| sum.plus(x))
        .plus(R::ONE)
}
#[differentiable]
fn limit<R: Ring>() -> f64 {
    R::LIMITS.0 * R::LIMITS.1[1] as f64
}
#[differentiable]
fn constants_by_trait(x: f64) -> f64 {
    summed(&[x, 2.0 * x])
        + summed(&[Row([x, 1.0]), Row([x * x, 0.5])]).sum()
        + x * (limit::<f64>() + limit::<Row<3>>())
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Scaled<T>(T);
#[differentiable]
impl<T: Ring + Copy> Scaled<T> {
    const COUNT: usize = 2;
    const UNIT: T = T::ONE;
    const LAST: usize = T::LIMITS.1[1];
    fn shifted(self) -> T {
        (0..Self::COUNT + Self::LAST).fold(self.0, |sum, _| sum.plus(Self::UNIT))
    }
}
#[differentiable]
fn constants_of_generic_types(x: f64) -> f64 {
    Scaled(x).shifted() * Scaled(Row([x])).shifted().0[0]
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum Side<T> {
    A,
    B,
    Of(T),
}
#[differentiable]
impl<T: Float> Side<T> {
    fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
            Self::Of(x) => Self::Of(-x),
        }
    }
    fn value(self) -> T {
        match self {
            Self::A => T::one(),
            Self::B => T::zero(),
            Self::Of(x) => x,
        }
    }
}
#[differentiable]
fn variants_of_self(x: f64) -> f64 {
    let side: Side<f64> = Side::<f64>::A;
    side.other().value() + side.value() * x + Side::Of(x).other().value() * 3.0
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Table {
    rows: [Row<2>; 2],
}
const TABLE: Table = Table {
    rows: [Row([1.0, 2.0]), Row([3.0, 4.0])],
};
#[differentiable]
fn constants_that_are_structs(x: f64) -> f64 {
    TABLE.rows[1].sum() * x
        + TABLE
            .rows
            .iter()
            .map(|row| (row.0[0] * x).sin())
            .sum::<f64>()
}

/// Exponents of units, as types.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Quantity<const LENGTH: i32, const TIME: i32>(f64);
#[differentiable]
impl<const LENGTH: i32, const TIME: i32> Quantity<LENGTH, TIME> {
    fn scaled(self, k: f64) -> Self {
        Quantity(self.0 * k)
    }
}
#[differentiable]
fn speed(way: Quantity<1, 0>, time: Quantity<0, 1>) -> Quantity<1, -1> {
    Quantity(way.0 / time.0)
}
#[differentiable]
fn units_of_measure(way: Quantity<1, 0>, seconds: f64) -> Quantity<1, -1> {
    speed(way.scaled(2.0), Quantity(seconds))
}

#[differentiable]
fn dot<const N: usize>(a: &[f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn public_functions_have_parameters() {
    let ctx = Context::default();
    test_rule::<dot<3>>(&ctx, (&[1.0, 2.0, 3.0], [0.5, -1.0, 2.0])).unwrap();
    test_rule::<maybe<true>>(&ctx, (0.7,)).unwrap();
    let rule = ctx.build_rrule::<dot<2>>().unwrap();
    let (y, (da, db)) = rule.value_and_gradient((&[1.0, 2.0], [3.0, 4.0])).unwrap();
    assert_eq!((y, &da[..], db), (11.0, &[3.0, 4.0][..], [1.0, 2.0]));
}

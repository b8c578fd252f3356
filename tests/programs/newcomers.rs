//! What a newcomer writes without a thought: helpers inside of functions, prints, ranges in variables, traits of numbers of one's own.

use mooncake::prelude::*;
use std::f64::consts::PI;
use std::ops::{Add, Div, Index, IndexMut, Mul, Neg, Range, Sub};

check! {
    of_two_modules(0.7);
    own_numbers(&[0.3, -0.4, 1.2]);
    single_numbers(&[0.3_f32, -0.4, 1.2]);
    constants_by_bounds(&[0.3, -0.4, 1.2]);
    kernels(0.7);
    grids(0.7);
    helpers(0.4);
    helpers_in_methods(0.4);
    printed(0.4);
    lists_of_slices(&[0.3, -0.4, 1.2]);
    ranges(&[0.3, -0.4, 1.2]);
    ranges_of_functions(&[0.3, -0.4, 1.2]);
    iterators_of_functions(&[0.3, -0.4, 1.2]);
    views(&[0.3, -0.4], 0.5, &[0.2]);
    energies(Spring { stiffness: 0.7 }, 0.4);
    functions_in_structs(&[0.3, -0.4, 1.2]);
    shapes_of_functions(1.5);
    iterators_of_methods(&[0.3, -0.4, 1.2]);
    chosen_iterators(&[0.3, -0.4, 1.2]);
    iterators_behind_references(&[0.3, -0.4, 1.2]);
    iterators_in_fields(&[0.3, -0.4, 1.2]);
    iterators_of_references(&[0.3, -0.4, 1.2]);
    well_energy(&Well { depth: [0.3, 0.7], at: 0.2 }, 0.4);
    well_shift(&mut Well { depth: [0.3, 0.7], at: 0.2 }, 0.4);
    well_new([0.3, 0.7], 0.2);
    well_level(&Well { depth: [0.3, 0.7], at: 0.2 }, 2.0);
    well_negated(Well { depth: [0.3, 0.7], at: 0.2 });
}

mod soft {
    use super::*;

    #[differentiable]
    pub trait Soft {
        fn exp(self) -> Self;
        fn twice(self) -> Self;
    }
    #[differentiable]
    impl Soft for f64 {
        fn exp(self) -> f64 {
            self + 1.0
        }
        fn twice(self) -> f64 {
            2.0 * self
        }
    }
    #[differentiable]
    pub fn softened(x: f64) -> f64 {
        x.twice() + Soft::exp(x)
    }
}
mod hard {
    use super::*;

    #[differentiable]
    pub trait Hard {
        fn exp(self) -> Self;
        fn thrice(self) -> Self;
    }
    #[differentiable]
    impl Hard for f64 {
        fn exp(self) -> f64 {
            self * 3.0
        }
        fn thrice(self) -> f64 {
            3.0 * self
        }
    }
    #[differentiable]
    pub fn hardened(x: f64) -> f64 {
        x.thrice() + x.exp() + Hard::exp(x)
    }
}

/// Each module has its own trait that gives floats an `exp`.
#[differentiable]
fn of_two_modules(x: f64) -> f64 {
    soft::softened(x) + hard::hardened(x) + x.exp()
}

#[differentiable]
trait Num:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + PartialOrd
{
    const ZERO: Self;
    fn max(self, o: Self) -> Self;
    fn abs(self) -> Self;
    fn root(self) -> Self;
}
#[differentiable]
impl Num for f32 {
    const ZERO: f32 = 0.0;
    fn max(self, o: f32) -> f32 {
        if self > o { self } else { o }
    }
    fn abs(self) -> f32 {
        if self < 0.0 { -self } else { self }
    }
    fn root(self) -> f32 {
        self.sqrt()
    }
}
#[differentiable]
impl Num for f64 {
    const ZERO: f64 = 0.0;
    fn max(self, o: f64) -> f64 {
        if self > o { self } else { o }
    }
    fn abs(self) -> f64 {
        if self < 0.0 { -self } else { self }
    }
    fn root(self) -> f64 {
        self.sqrt()
    }
}
#[differentiable]
fn norm<T: Num>(x: &[T]) -> T {
    x.iter().fold(T::ZERO, |a, b| a + *b * *b).root()
}
#[differentiable]
fn greater<T: Num>(a: T, b: T) -> T {
    a.max(b.abs())
}
#[differentiable]
fn own_numbers(x: &[f64]) -> f64 {
    PI.sqrt() * norm(x) + greater(x[0], x[1]) + x[1].abs() + x[2].max(2.0)
}
#[differentiable]
fn single_numbers(x: &[f32]) -> f32 {
    norm(x) * greater(x[0], x[1]) + x[1].abs()
}

/// Another trait with a `ZERO`.
#[differentiable]
trait Origin {
    const ZERO: Self;
    fn shifted(self) -> Self;
}
#[differentiable]
impl Origin for f64 {
    const ZERO: f64 = 0.5;
    fn shifted(self) -> f64 {
        self + 0.25
    }
}
#[differentiable]
fn from_origin<T: Origin + Add<Output = T>>(x: T) -> T {
    T::ZERO + x.shifted()
}
#[differentiable]
fn constants_by_bounds(x: &[f64]) -> f64 {
    from_origin(x[0]) * norm(x) + <f64 as Origin>::ZERO * x[1]
}

#[differentiable]
trait Kernel {
    fn at(&self, distance: f64) -> f64;
}
#[derive(Differentiable)]
struct Bell(f64);
#[differentiable]
impl Kernel for Bell {
    fn at(&self, distance: f64) -> f64 {
        (-distance * distance / self.0).exp()
    }
}
#[derive(Differentiable)]
struct Line(f64);
#[differentiable]
impl Kernel for Line {
    fn at(&self, distance: f64) -> f64 {
        distance * self.0
    }
}
#[differentiable]
fn summed<K: Kernel + ?Sized>(kernel: &K, x: f64) -> f64 {
    kernel.at(x) + kernel.at(2.0 * x)
}
#[differentiable]
fn of_any(kernel: &dyn Kernel, x: f64) -> f64 {
    summed(kernel, x) + kernel.at(x)
}
#[differentiable]
fn kernels(x: f64) -> f64 {
    let boxed: Box<dyn Kernel> = Box::new(Line(x));
    of_any(&Bell(x), x) + summed(&Line(2.0), x) + summed(&*boxed, x)
}

#[derive(Differentiable)]
struct Grid {
    width: usize,
    data: Vec<f64>,
}
#[differentiable]
impl Index<(usize, usize)> for Grid {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &Self::Output {
        &self.data[i * self.width + j]
    }
}
#[differentiable]
impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut Self::Output {
        &mut self.data[i * self.width + j]
    }
}
#[differentiable]
fn grids(x: f64) -> f64 {
    let mut grid = Grid {
        width: 2,
        data: vec![x, 1.0, 2.0, x],
    };
    grid[(0, 1)] += x * x;
    grid[(1, 0)] = grid[(0, 1)] * 2.0;
    grid[(1, 0)] + grid[(0, 0)]
}

/// Functions within functions need no attribute.
#[differentiable]
fn helpers(x: f64) -> f64 {
    fn outer(x: f64) -> f64 {
        fn inner(x: f64) -> f64 {
            x.sin()
        }
        2.0 * inner(x)
    }
    const fn two() -> usize {
        2
    }
    const TURNS: usize = two();
    let mut sum = 0.0;
    for i in 0..TURNS {
        fn weighed(x: f64, i: usize) -> f64 {
            x * i as f64
        }
        sum += weighed(x, i);
    }
    let copied = |y: f64| {
        fn copy<T: Clone>(x: &T) -> T {
            x.clone()
        }
        copy(&y) + outer(y)
    };
    sum + copied(x)
}

#[derive(Differentiable)]
struct Side(f64);
#[differentiable]
impl Side {
    fn area(&self) -> f64 {
        fn square(x: f64) -> f64 {
            x * x
        }
        square(self.0)
    }
}
#[differentiable]
fn helpers_in_methods(x: f64) -> f64 {
    fn square(x: f64) -> f64 {
        3.0 * x
    }
    Side(x).area() + square(x)
}

/// What is printed is computed, and passed over.
#[differentiable]
fn printed(x: f64) -> f64 {
    let mut turns = 0.0;
    let mut next = || {
        turns += 1.0;
        turns
    };
    println!("{} {:>8.3} {y} {x}", next(), x, y = next());
    eprint!("x");
    print!("{x}{}", { x });
    let (a, b) = dbg!(x * 2.0, next());
    dbg!();
    let list = vec![x, x];
    let list = dbg!(list);
    if x > 100.0 {
        println!("large");
    } else {
        eprintln!();
    }
    turns * a * b + list[1]
}

#[differentiable]
fn lists_of_slices(x: &[f64]) -> f64 {
    let a: [f64; 2] = x[0..2].try_into().unwrap();
    let b: &[f64; 2] = (&x[1..3]).try_into().unwrap();
    let c: Result<[f64; 2], _> = x.try_into();
    let all: [f64; 3] = x.to_vec().try_into().unwrap();
    let few: Result<[f64; 2], Vec<f64>> = vec![x[0]; 3].try_into();
    let rest = match few {
        Ok(_) => 0.0,
        Err(list) => list[1] * x[0],
    };
    a[0] * b[1] + a[1] + all[0] * all[1] + rest + if c.is_err() { x[0] } else { 0.0 }
}

#[differentiable]
fn ranges(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let (pair, rest, first) = (0..2, 1.., ..=1);
    for a in &mut v[pair.clone()] {
        *a *= 2.0;
    }
    let sum: f64 = v[rest].iter().sum();
    v[pair.clone()].swap(0, 1);
    let mut copy = vec![0.0; 2];
    copy.copy_from_slice(&v[pair.clone()]);
    v[first].reverse();
    sum * v[0] + copy[1] * v[pair][1]
}

#[differentiable]
fn span(n: usize) -> Range<usize> {
    0..n
}
#[differentiable]
fn part(x: &[f64], r: Range<usize>) -> f64 {
    x[r.start..].iter().sum::<f64>() * x[r].iter().map(|v| v * v).sum::<f64>()
}
#[differentiable]
fn ranges_of_functions(x: &[f64]) -> f64 {
    let all: Vec<Range<usize>> = vec![0..1, 1..3];
    let mut sum = part(x, span(2));
    for r in &all {
        sum += x[r.clone()].iter().map(|v| v * v).sum::<f64>();
    }
    for i in span(x.len()) {
        sum += x[i].sin();
    }
    sum
}

#[differentiable]
fn squares(x: &[f64]) -> impl Iterator<Item = f64> + '_ {
    x.iter().map(|v| v * v)
}
#[differentiable]
fn adder(a: f64) -> impl Fn(f64) -> f64 {
    move |x| a + x * a
}
#[differentiable]
fn iterators_of_functions(x: &[f64]) -> f64 {
    squares(x).sum::<f64>() + adder(x[0])(x[1])
}

#[derive(Differentiable)]
struct View<'a> {
    data: &'a [f64],
    scale: f64,
}
#[differentiable]
impl View<'_> {
    fn dot(&self, other: &View) -> f64 {
        self.data[0] * other.data[0] * self.scale
    }
}
#[differentiable]
fn trace(v: View) -> f64 {
    v.data.iter().sum::<f64>() * v.scale
}
/// A lifetime that is left out of a struct, alone and in tuples, lists and options.
#[differentiable]
fn traces(v: View, pair: (Option<&View>, &[f64])) -> f64 {
    let other: View = View {
        data: pair.1,
        scale: v.data[1],
    };
    let first = pair.0.map_or(0.0, |first| first.data[0]);
    let both: Vec<View> = vec![v, other];
    both[0].dot(&both[1]) + first * trace(View { ..both[1] })
}
#[differentiable]
fn views(x: &[f64], scale: f64, y: &[f64]) -> f64 {
    let other = View {
        data: y,
        scale: 2.0,
    };
    traces(View { data: x, scale }, (Some(&other), y)) + trace(View { data: x, scale })
}
#[test]
fn rules_of_views() {
    let ctx = Context::default();
    let (data, other) = ([0.3, -0.4], [0.2]);
    let view = || View {
        data: &data,
        scale: 0.5,
    };
    let rule = ctx.build_rrule::<trace>().unwrap();
    let (value, (gradient,)) = rule.value_and_gradient((view(),)).unwrap();
    assert_eq!(value, trace(view()));
    assert_eq!((gradient.data, gradient.scale), (vec![0.5; 2], 0.3 - 0.4));
    let rule = ctx.build_rrule::<traces>().unwrap();
    let pair = (Some(&view()), &other[..]);
    let (value, (gradient, _)) = rule.value_and_gradient((view(), pair)).unwrap();
    assert_eq!(value, traces(view(), pair));
    assert_eq!(gradient.data[0], 0.2 * 0.5);
}

/// A public function of a private type: rustc warns that nobody outside of the module can call it.
mod springs {
    use super::*;

    #[derive(Clone, Differentiable)]
    pub(super) struct Spring {
        pub stiffness: f64,
    }
    #[allow(private_interfaces)]
    #[differentiable]
    pub fn energy(spring: &Spring, x: f64) -> f64 {
        0.5 * spring.stiffness * x * x
    }
    #[allow(private_interfaces)]
    #[differentiable]
    pub fn relaxed<T: mooncake::Float>(
        spring: Spring,
        x: &[(Spring, T)],
        at: usize,
    ) -> Option<(Spring, T)> {
        let (stiffness, x) = (x[at].0.stiffness, x[at].1);
        (stiffness > 0.0).then_some((
            Spring {
                stiffness: stiffness * spring.stiffness,
            },
            x,
        ))
    }
}
use springs::Spring;

#[allow(private_interfaces)]
#[differentiable]
pub fn energies(spring: Spring, x: f64) -> f64 {
    let energy = springs::energy(&spring, x);
    match springs::relaxed(spring, &[(Spring { stiffness: x }, x)], 0) {
        Some((relaxed, x)) => energy + springs::energy(&relaxed, x),
        None => energy,
    }
}

/// A struct that is only for functions of this form.
#[derive(Clone, Differentiable)]
struct Pde<F>
where
    F: Fn(f64) -> f64,
{
    f: F,
    width: f64,
}
#[differentiable]
impl<F> Pde<F>
where
    F: Fn(f64) -> f64,
{
    fn new(f: F) -> Self {
        Pde { f, width: 0.5 }
    }
    fn at(&self, x: f64) -> f64 {
        (self.f)(x) / self.width
    }
    fn with<G: Fn(f64) -> f64>(&self, g: G) -> Pde<G> {
        Pde {
            f: g,
            width: self.width,
        }
    }
}
#[differentiable]
trait Rhs {
    fn rate(&self, x: f64) -> f64;
}
#[differentiable]
impl<F: Fn(f64) -> f64> Rhs for Pde<F> {
    fn rate(&self, x: f64) -> f64 {
        self.at(x) * self.width
    }
}
#[derive(Differentiable)]
struct Ode<'a, T: mooncake::Float, F: FnMut(&[T], &mut [T]) + Copy, const N: usize> {
    field: F,
    start: &'a [T],
    rates: [T; N],
}
#[differentiable]
impl<'a, T: mooncake::Float, F: FnMut(&[T], &mut [T]) + Copy, const N: usize> Ode<'a, T, F, N> {
    fn step(&mut self) -> T {
        (self.field)(self.start, &mut self.rates);
        self.rates[0] + self.rates[N - 1]
    }
}
#[derive(Differentiable)]
struct Smooth<I: Iterator<Item = f64>> {
    inner: I,
    last: f64,
}
#[differentiable]
impl<I: Iterator<Item = f64>> Iterator for Smooth<I> {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        let x = self.inner.next()?;
        self.last = 0.5 * self.last + x;
        Some(self.last)
    }
}
#[derive(Differentiable)]
enum Method<F: Fn(f64) -> f64, G>
where
    G: for<'x> Fn(&'x [f64]) -> &'x f64,
{
    Direct(F),
    Borrowed(G),
}
#[differentiable]
fn apply<F: Fn(f64) -> f64, G: Fn(&[f64]) -> &f64>(method: &Method<F, G>, x: f64) -> f64 {
    match method {
        Method::Direct(f) => f(x),
        Method::Borrowed(g) => *g(&[1.0, x]) * x,
    }
}
#[differentiable]
fn last(x: &[f64]) -> &f64 {
    &x[x.len() - 1]
}
#[differentiable]
fn summed_rates<F>(pde: &Pde<F>, x: &[f64]) -> f64
where
    F: Fn(f64) -> f64,
{
    x.iter().map(|x| pde.rate(*x) + (pde.f)(*x)).sum()
}
#[differentiable]
fn functions_in_structs(x: &[f64]) -> f64 {
    let literal = Pde {
        f: |y| y * x[0],
        width: 0.3,
    };
    let called = Pde::new(|y: f64| y.sin() + x[1]);
    let other = called.with(f64::cos);
    let copy = other.clone();
    let mut ode = Ode {
        field: |y: &[f64], rate: &mut [f64]| {
            rate[0] = y[0] * y[1];
            rate[1] = x[2];
        },
        start: x,
        rates: [0.0; 2],
    };
    let smooth = Smooth {
        inner: x.iter().map(|x| x * x),
        last: 0.0,
    };
    let mut methods = [Method::Direct(f64::exp), Method::Direct(f64::exp)];
    methods[1] = Method::Borrowed(last);
    let methods: f64 = methods.iter().map(|method| apply(method, x[1])).sum();
    summed_rates(&literal, x)
        + called.at(x[2]) * other.at(x[0])
        + copy.rate(x[1])
        + ode.step()
        + smooth.sum::<f64>()
        + methods
}

/// Rules of methods, by the functions that call them.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Well {
    depth: [f64; 2],
    at: f64,
}
#[differentiable]
impl Well {
    #[differentiable(function = well_new)]
    fn new(depth: [f64; 2], at: f64) -> Self {
        Well { depth, at }
    }
    #[differentiable(function = well_energy)]
    fn energy(&self, x: f64) -> f64 {
        self.depth[0] * (x - self.at).powi(2) + self.depth[1]
    }
    #[differentiable(function = well_shift)]
    fn shift(&mut self, by: f64) {
        self.at += by * self.depth[0];
    }
}
#[differentiable]
trait Level {
    type Height;
    fn level(&self, scale: f64) -> Self::Height;
}
#[differentiable]
impl Level for Well {
    type Height = (f64, f64);
    #[differentiable(function = well_level)]
    fn level(&self, scale: f64) -> Self::Height {
        (self.depth[0] * scale, self.at / scale)
    }
}
#[differentiable]
impl Neg for Well {
    type Output = Self;
    #[differentiable(function = well_negated)]
    fn neg(self) -> Self::Output {
        Well::new([-self.depth[0], -self.depth[1]], self.at)
    }
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Scaling<T>(T);
#[differentiable]
impl<T: mooncake::Float> Scaling<T> {
    #[differentiable(function = scaled)]
    fn scaled<const N: usize>(&self, (x, by): ([T; N], T)) -> T
    where
        T: Copy,
    {
        self.0 * x[N - 1] * by
    }
}
#[test]
fn rules_of_generic_methods() {
    let rule = Context::default().build_rrule::<scaled<f64, 2>>().unwrap();
    let scaling = Scaling(3.0);
    let (value, gradient) = rule
        .value_and_gradient((&scaling, ([1.0, 2.0], 0.5)))
        .unwrap();
    assert_eq!(value, scaling.scaled(([1.0, 2.0], 0.5)));
    assert_eq!(gradient, (ScalingGradient(1.0), ([0.0, 1.5], 6.0)));
}

#[differentiable]
fn bell(x: f64) -> impl Kernel {
    Bell(x)
}
#[differentiable]
fn parts(x: f64) -> (impl Kernel, Option<impl Fn(f64) -> f64>) {
    (Line(x), Some(move |y| y * x))
}
/// Results of which only a trait is said.
#[differentiable]
fn shapes_of_functions(x: f64) -> f64 {
    let (line, scaled) = parts(x);
    summed(&bell(x), 0.5) + line.at(x) + scaled.map_or(0.0, |scaled| scaled(x))
}

#[derive(Clone, Differentiable)]
struct Way {
    points: Vec<f64>,
}
#[differentiable]
impl Way {
    fn steps(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.windows(2).map(|pair| pair[1] - pair[0])
    }
    fn pairs<'a>(&'a self) -> impl Iterator<Item = (f64, &'a f64)> {
        self.steps().zip(&self.points)
    }
}
#[differentiable]
fn iterators_of_methods(x: &[f64]) -> f64 {
    let way = Way { points: x.to_vec() };
    way.steps().map(|step| step * step).sum::<f64>()
        + way.pairs().map(|(step, x)| step * x).sum::<f64>()
}

#[derive(Differentiable)]
struct Growing {
    value: f64,
    turns: usize,
}
#[differentiable]
impl Iterator for Growing {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        self.turns += 1;
        self.value *= 1.5;
        (self.turns < 5).then_some(self.value)
    }
}
/// Which iterator it is, is known when the program runs.
#[differentiable]
fn chosen(x: &[f64], which: usize) -> Box<dyn Iterator<Item = f64> + '_> {
    match which {
        0 => {
            return Box::new(Growing {
                value: x[0],
                turns: 0,
            });
        }
        1 => Box::new(chosen(x, 0).map(|x| x * 2.0)),
        2 => {
            let mut k = 0.0;
            Box::new(std::iter::from_fn(move || {
                k += 1.0;
                (k < 4.0).then_some(k * x[0])
            }))
        }
        3 => Box::new(std::iter::once(x[0]).chain(x.iter().map(|x| x.sin())).rev()),
        4 => {
            let first: Box<dyn Iterator<Item = f64>> = Box::new((0..3).map(|i| i as f64));
            Box::new(first.zip(x).map(|(a, b)| a * b))
        }
        5 => Box::new(vec![x[0], 2.0].into_iter()),
        6 => Box::new(std::iter::empty()),
        _ => Box::new(chosen(x, 5)),
    }
}
#[differentiable]
fn weighed(items: Box<dyn Iterator<Item = f64> + '_>) -> f64 {
    let mut sum = 0.0;
    for (i, x) in items.enumerate() {
        sum += i as f64 * x;
    }
    sum
}
#[differentiable]
fn chosen_iterators(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for which in 0..8 {
        sum += chosen(x, which).fold(1.0, |a, b| a + a * b);
    }
    let mut doubled = chosen(x, 1);
    sum += doubled.nth(1).unwrap() * doubled.next().unwrap();
    let largest = chosen(x, 3).take(2).skip(1).max_by(|a, b| a.total_cmp(b));
    sum + weighed(Box::new(x.iter().copied())) + weighed(chosen(x, 3)) + largest.unwrap()
}

#[differentiable]
fn first_above(items: &mut dyn Iterator<Item = f64>, limit: f64) -> f64 {
    let first = items.next().unwrap_or(0.5);
    for x in &mut *items {
        if x > limit {
            return x * first;
        }
    }
    first
}
#[differentiable]
fn exchanged(items: &mut Box<dyn Iterator<Item = f64>>, x: f64) -> f64 {
    let first = items.next().unwrap();
    *items = Box::new([x * first, 2.0 * x].into_iter());
    first
}
/// The iterator behind the reference goes on where the function left it.
#[differentiable]
fn iterators_behind_references(x: &[f64]) -> f64 {
    let mut squares = x.iter().map(|x| x * x);
    let mut sum = first_above(&mut squares, 0.1) * squares.next().unwrap_or(3.0);
    let mut boxed: Box<dyn Iterator<Item = f64>> = Box::new(Growing {
        value: x[0],
        turns: 2,
    });
    sum += exchanged(&mut boxed, x[2]) * first_above(&mut boxed, 10.0);
    sum += first_above(&mut *boxed, 10.0);
    let mut rest = x.iter().copied();
    sum + first_above(&mut rest, 1.0) * first_above(&mut rest.by_ref().rev(), 1.0)
}

#[derive(Differentiable)]
struct Counted<'a> {
    items: Box<dyn Iterator<Item = f64> + 'a>,
    turns: usize,
}
#[differentiable]
impl Iterator for Counted<'_> {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        self.turns += 1;
        self.items.next()
    }
}
#[differentiable]
fn iterators_in_fields(x: &[f64]) -> f64 {
    let mut counted = Counted {
        items: Box::new(x.iter().zip(x).map(|(a, b)| a * b)),
        turns: 0,
    };
    let first = counted.next().unwrap();
    let rest: f64 = counted.by_ref().map(|x| x.sin()).sum();
    let turns = counted.turns as f64;
    let mut parts: Vec<Box<dyn Iterator<Item = f64>>> = vec![
        Box::new(x.to_vec().into_iter()),
        Box::new(Growing {
            value: x[1],
            turns: 2,
        }),
    ];
    parts.push(Box::new(std::iter::repeat_n(x[0], 2)));
    let mut sum = first * rest + turns * x[0];
    for part in &mut parts {
        sum += part.next().unwrap();
    }
    sum * parts.into_iter().flatten().sum::<f64>()
        + Counted {
            items: Box::new(counted),
            turns: 4,
        }
        .count() as f64
}

#[differentiable]
fn slices(x: &[f64], overlap: bool) -> Box<dyn Iterator<Item = &[f64]> + '_> {
    match overlap {
        true => Box::new(x.windows(2)),
        false => Box::new(x.chunks(2)),
    }
}
#[differentiable]
fn marked<'a>(x: &'a [f64], all: bool) -> Box<dyn Iterator<Item = (usize, &'a f64)> + 'a> {
    let marked = x.iter().enumerate();
    if all {
        return Box::new(marked);
    }
    Box::new(marked.filter(|(_, x)| **x > 0.0))
}
#[differentiable]
fn changed<'a>(x: &'a mut [f64], back: bool) -> Box<dyn Iterator<Item = &'a mut f64> + 'a> {
    if back {
        Box::new(x.iter_mut().rev())
    } else {
        Box::new(x.iter_mut())
    }
}
#[differentiable]
fn iterators_of_references(x: &[f64]) -> f64 {
    let mut own = x.to_vec();
    for (i, x) in changed(&mut own, true).enumerate() {
        *x *= i as f64 + x.sin();
    }
    changed(&mut own, false).for_each(|x| *x *= 2.0);
    let mut sum = own.iter().sum::<f64>();
    for overlap in [true, false] {
        sum += slices(x, overlap)
            .map(|part| part[0] * part[part.len() - 1])
            .sum::<f64>();
        sum += marked(x, overlap).map(|(i, x)| i as f64 * x).sum::<f64>();
    }
    sum
}

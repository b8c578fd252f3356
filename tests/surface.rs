//! The whole language is read: these functions expand to trees that rustc accepts, and natively they are what they were.
#![allow(dead_code, unused, unnecessary_transmutes, clippy::all)]

use mooncake::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Point<T> {
    x: T,
    y: T,
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Plain {
    a: f64,
    n: usize,
}

#[derive(Differentiable, Clone, Debug)]
enum Shape {
    Circle { r: f64 },
    Square(f64),
    Empty,
}

#[derive(Differentiable, Clone, Copy, PartialEq)]
enum Axis {
    X,
    Y,
}

#[derive(Differentiable)]
enum List<T> {
    Cons(T, Box<List<T>>),
    Nil,
}

const SCALE: f64 = 2.0;
static TABLE: [f64; 3] = [1.0, 2.0, 3.0];

#[differentiable]
fn scalars(x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += (x * i as f64).sin() * SCALE + TABLE[i % 3];
    }
    let y;
    if s > 0.0 {
        y = s
    } else {
        y = -s
    }
    s.max(y) + f64::min(s, y) + f64::EPSILON + std::f64::consts::PI
}

#[differentiable]
fn generic<T: Float>(x: &[T], a: T) -> T {
    let mut sum = T::zero();
    for &v in x {
        sum += v * a.powi(2) + T::from_f64(0.5);
    }
    let z: Vec<T> = Vec::new();
    helper::<T>(sum) + helper(sum) + helper::<_>(sum)
}

#[differentiable]
fn helper<T>(x: T) -> T
where
    T: Float,
{
    x * x
}

#[differentiable]
fn apply<F: Fn(f64) -> f64, T>(f: F, x: f64, _t: T) -> f64 {
    f(x) + f(x + 1.0)
}

#[differentiable]
fn apply_impl(f: impl Fn(f64) -> f64, g: &dyn Fn(f64) -> f64, h: fn(f64) -> f64) -> f64 {
    f(1.0) + g(2.0) + h(3.0)
}

#[differentiable]
fn makes(a: f64) -> impl Fn(f64) -> f64 {
    move |x| a * x
}

#[differentiable]
fn boxed<'a>(a: &'a f64) -> Box<dyn Fn(f64) -> f64 + 'a> {
    Box::new(move |x| a * x)
}

#[differentiable]
fn part<'a>(x: &'a [f64], k: usize) -> &'a [f64] {
    &x[k..]
}

#[differentiable]
fn sized<const N: usize>(x: [f64; N], m: &[[f64; N]; 2]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += x[i] * m[0][i];
    }
    s
}

#[differentiable]
fn sum_all<I: Iterator<Item = f64>>(items: I) -> f64 {
    let mut total = 0.0;
    for x in items {
        total += x;
    }
    total
}

#[differentiable]
fn matching(shape: &Shape, axis: Axis, o: Option<f64>) -> f64 {
    let area = match shape {
        Shape::Circle { r } if *r > 1.0 => std::f64::consts::PI * r * r,
        Shape::Circle { r: radius } => *radius,
        Shape::Square(a @ 0.0..=1.0) => a * a,
        Shape::Square(a) => 2.0 * a,
        Shape::Empty => 0.0,
    };
    let k = match axis {
        Axis::X => 1.0,
        Axis::Y => 2.0,
    };
    let n = if axis == Axis::X { 3 } else { 4 };
    if let Some(v) = o
        && v > 0.0
        && let Some(w) = o
    {
        return v + w;
    }
    let Some(v) = o else { return k };
    let w = match o {
        Some(x) if x > 2.0 => x,
        Some(_) | None => 1.0,
    };
    let (a, ..) = (1.0, 2.0, 3.0);
    let [first, rest @ .., last] = [1.0, 2.0, 3.0, 4.0];
    let ok = matches!(shape, Shape::Circle { r } if *r > 0.0);
    area * k + v * w + a + first + last + rest.len() as f64
}

#[differentiable]
fn lists(list: &List<f64>) -> f64 {
    match list {
        List::Cons(x, rest) => x + lists(rest),
        List::Nil => 0.0,
    }
}

#[differentiable]
fn grow<T: Float>(x: T) -> List<T> {
    List::Cons(x, Box::new(List::Nil))
}

#[differentiable]
fn structs(p: Point<f64>, q: Plain) -> Point<f64> {
    let Plain { a, .. } = q;
    let r = Point { x: a, ..p };
    let Point { x, y: ref z } = r;
    let s = Plain { n: 3, ..q };
    Point {
        x: x + *z,
        y: p.y * s.a,
    }
}

#[differentiable]
fn collections(n: usize) -> f64 {
    let mut v = vec![1.0, 2.0];
    v.push(3.0);
    let mut w = vec![0.0; n];
    let mut g = Vec::with_capacity(n);
    g.extend(v.iter().map(|a| a * 2.0));
    let b = Box::new(4.0);
    let r = Rc::new(RefCell::new(1.0));
    let s = Rc::clone(&r);
    *s.borrow_mut() += *b;
    let c = Cell::new(2.0);
    c.set(c.get() + 1.0);
    let (left, right) = w.split_at_mut(1);
    left[0] = 1.0;
    right[0] = 2.0;
    let total = v
        .iter()
        .zip(&g)
        .filter(|(a, _)| **a > 1.0)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    let all: Vec<_> = (0..n).map(|i| i as f64).collect::<Vec<f64>>();
    let folded = all.iter().fold(0.0, |a, b| a + b);
    let mut a = 1.0;
    let mut t = 2.0;
    (a, t) = (t, a);
    (a, _) = (3.0, t);
    [v[0], w[0]] = [a, t];
    _ = a;
    std::mem::swap(&mut a, &mut t);
    let old = std::mem::replace(&mut a, 1.0);
    let grid = [[0.0; 3]; 2];
    total + folded + grid[0][1] + stop_gradient(old) + std::convert::identity(t)
}

#[differentiable]
fn flow(x: f64) -> Result<f64, String> {
    let y = 'a: {
        if x > 0.0 {
            break 'a x;
        }
        -x
    };
    let z = 'outer: loop {
        let mut i = 0;
        while i < 10 {
            i += 1;
            if i == 3 {
                continue;
            }
            if i as f64 > y {
                break 'outer i as f64;
            }
        }
        break 1.0;
    };
    assert!(z > 0.0, "z is {z}");
    assert_eq!(1 + 1, 2);
    debug_assert!(x.is_finite());
    let mut stack = vec![x];
    while let Some(top) = stack.pop() {
        if top > 100.0 {
            return Err(format!("too large: {top}"));
        }
    }
    let r: Result<f64, String> = Ok(z);
    let v = r?;
    if v < 0.0 {
        panic!("negative: {}", v);
    }
    Ok(v)
}

#[differentiable]
fn closures(x: f64) -> f64 {
    let mut count = 0.0;
    let mut add = |v: f64| count += v;
    add(x);
    add(2.0);
    let pair = |(a, b): (f64, f64), k: i32| -> f64 { a * b * k as f64 };
    let twice = |f: &dyn Fn(f64) -> f64, v| f(f(v));
    let fs: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|x| x), Box::new(f64::sin)];
    let g = square;
    apply_impl(|v| v * x, &|v| v + x, square)
        + pair((x, 2.0), 2)
        + twice(&|v| v * v, x)
        + fs[0](x)
        + (fs[1])(x)
        + g(x)
        + apply(square, 1.0, 2)
        + count
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn items(x: f64) -> f64 {
    use std::f64::consts::E;
    const K: f64 = 3.0;
    struct Local {
        v: f64,
    }
    #[differentiable]
    fn inner(x: f64) -> f64 {
        x + 1.0
    }
    let y = {
        const K: f64 = 4.0;
        #[differentiable]
        fn deeper(x: f64) -> f64 {
            x + K
        }
        deeper(x) * K
    };
    inner(x) * K * E + y
}

#[differentiable]
impl<T: Float> Point<T> {
    const DIM: usize = 2;
    fn new(x: T, y: T) -> Self {
        Self { x, y }
    }
    fn norm(&self) -> T {
        (self.x * self.x + self.y * self.y).sqrt()
    }
    fn scale(&mut self, k: T) {
        self.x *= k;
        self.y *= k;
    }
    fn map<F: Fn(T) -> T>(self, f: F) -> Point<T> {
        Point {
            x: f(self.x),
            y: f(self.y),
        }
    }
    fn dims(&self) -> usize {
        Self::DIM
    }
    fn twice<U: Float>(&self, u: U) -> U {
        fn local(x: f64) -> f64 {
            x
        }
        u + u
    }
    #[non_differentiable]
    fn bucket(&self) -> T {
        self.x.floor()
    }
}

#[differentiable]
impl<T: Float> std::ops::Add for Point<T> {
    type Output = Point<T>;
    fn add(self, other: Self) -> Self::Output {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

#[differentiable]
impl std::ops::Mul<&Point<f64>> for f64 {
    type Output = Point<f64>;
    fn mul(self, p: &Point<f64>) -> Point<f64> {
        Point {
            x: self * p.x,
            y: self * p.y,
        }
    }
}

#[differentiable]
trait Area: std::fmt::Debug {
    fn area(&self) -> f64;
    fn twice(&self) -> f64 {
        2.0 * self.area()
    }
    fn grow(&mut self, by: f64);
}

#[differentiable]
impl Area for Plain {
    fn area(&self) -> f64 {
        self.a
    }
    fn grow(&mut self, by: f64) {
        self.a += by;
    }
}

#[differentiable]
trait Model<T: Float> {
    fn eval(&self, x: T) -> T;
    fn zero() -> Self
    where
        Self: Sized;
}

#[derive(Differentiable)]
struct Fit<M: Area> {
    model: M,
}

#[differentiable]
impl<M: Area> Fit<M> {
    fn loss(&self) -> f64 {
        self.model.twice()
    }
}

#[differentiable]
fn dispatch(shapes: &[Box<dyn Area>], one: &dyn Area) -> f64 {
    let mut s = one.twice() + <Plain as Area>::area(&Plain { a: 1.0, n: 2 });
    for shape in shapes {
        s += shape.area();
    }
    s
}

#[differentiable]
fn methods(p: Point<f64>) -> f64 {
    let mut q = Point::new(1.0, 2.0) + p;
    q.scale(2.0);
    let r = 2.0 * &q;
    let f = Point::norm;
    f(&r) + Point::<f64>::norm(&q) + <Point<f64>>::norm(&q)
}

#[differentiable(overlay = smooth)]
fn rough(x: f64) -> f64 {
    println!("{x}");
    unsafe { std::mem::transmute::<u64, f64>(x.to_bits()) }
}

#[differentiable]
fn smooth(x: f64) -> f64 {
    x * x
}

#[non_differentiable]
fn bucket(x: f64) -> f64 {
    x.floor()
}

#[differentiable]
fn never(x: f64) -> ! {
    panic!("no")
}

macro_rules! scaled {
    ($name:ident, $ty:ty, $k:expr) => {
        #[differentiable]
        fn $name(x: $ty) -> $ty {
            x * $k
        }
    };
}
scaled!(tripled, f32, 3.0);

#[test]
fn functions_are_what_they_were() {
    assert_eq!(generic(&[1.0_f64], 2.0), 60.75);
    assert_eq!(items(1.0), 2.0 * 3.0 * std::f64::consts::E + 20.0);
    assert_eq!(sized([1.0, 2.0], &[[1.0, 1.0], [0.0, 0.0]]), 3.0);
    assert_eq!(rough(2.0), 2.0);
    assert_eq!(tripled(2.0), 6.0);
    assert_eq!(
        <generic::<f64> as DifferentiableFn>::native((&[1.0], 2.0)),
        60.75
    );
}

#[test]
fn instances_have_the_type_arguments() {
    let (source, arguments) = <generic<f32> as Callable>::callee();
    assert_eq!(format!("{arguments:?}"), "[f32]");
    assert_eq!(source.generics, 1);
    assert_eq!(format!("{:?}", (source.params[0].ty)()), "&[T0]");
    assert_eq!(format!("{:?}", (source.ret)()), "T0");
    assert_eq!(format!("{:?}", <generic as Callable>::callee().1), "[_]");
    assert_eq!(
        format!("{:?}", (<makes as Callable>::callee().0.ret)()),
        "_"
    );
    assert_eq!(
        format!("{:?}", (<never as Callable>::callee().0.ret)()),
        "!"
    );
}

#[test]
fn methods_are_collected() {
    use mooncake::__private::{Method, inventory};
    let mut found: Vec<String> = inventory::iter::<Method>
        .into_iter()
        .map(|m| {
            let source = (m.source)();
            let params: Vec<String> = source
                .params
                .iter()
                .map(|p| format!("{}", (p.ty)()))
                .collect();
            format!(
                "{} | {} | {} | {:?} | {}<{}>({}) -> {}",
                source.path,
                (m.owner)(),
                m.of_trait,
                m.receiver,
                source.name,
                source.generics,
                params.join(", "),
                (source.ret)()
            )
        })
        .collect();
    found.sort();
    let expected = [
        "surface::<Plain as Area>::area | Plain | Area | Shared | area<0>(Plain) -> f64",
        "surface::<Plain as Area>::grow | Plain | Area | Mut | grow<0>(&mut Plain, f64) -> ()",
        "surface::<Point<T> as std::ops::Add>::add | Point<T0> | Add | Value | add<1>(Point<T0>, Point<T0>) -> Point<T0>",
        "surface::<f64 as std::ops::Mul<&Point<f64>>>::mul | f64 | Mul | Value | mul<0>(f64, Point<f64>) -> Point<f64>",
        "surface::Area::area | dyn Area | Area | Shared | area<1>(T0) -> f64",
        "surface::Area::grow | dyn Area | Area | Mut | grow<1>(&mut T0, f64) -> ()",
        "surface::Area::twice | dyn Area | Area | Shared | twice<1>(T0) -> f64",
        "surface::Fit<M>::loss | Fit<T0> |  | Shared | loss<1>(Fit<T0>) -> f64",
        "surface::Model::eval | dyn Model | Model | Shared | eval<2>(T0, T1) -> T1",
        "surface::Model::zero | dyn Model | Model | None | zero<2>() -> T0",
        "surface::Point<T>::DIM | Point<T0> |  | None | DIM<1>() -> usize",
        "surface::Point<T>::bucket | Point<T0> |  | Shared | bucket<1>(Point<T0>) -> T0",
        "surface::Point<T>::dims | Point<T0> |  | Shared | dims<1>(Point<T0>) -> usize",
        "surface::Point<T>::map | Point<T0> |  | Value | map<1>(Point<T0>, _) -> Point<T0>",
        "surface::Point<T>::new | Point<T0> |  | None | new<1>(T0, T0) -> Point<T0>",
        "surface::Point<T>::norm | Point<T0> |  | Shared | norm<1>(Point<T0>) -> T0",
        "surface::Point<T>::scale | Point<T0> |  | Mut | scale<1>(&mut Point<T0>, T0) -> ()",
        "surface::Point<T>::twice | Point<T0> |  | Shared | twice<2>(Point<T0>, T1) -> T1",
    ];
    assert_eq!(found, expected);
}

/// What moves vectors behind references has no derivative either.
mod moved_without_derivative {
    use mooncake::prelude::*;
    use std::cell::RefCell;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Held {
        pub v: Vec<f64>,
        pub k: f64,
    }

    #[non_differentiable]
    pub fn keep(place: &mut Vec<f64>, v: &Vec<f64>) {
        *place = v.clone();
    }
    /// A value that owns numbers beside a function that it does not.
    #[derive(Differentiable)]
    pub struct Scaled {
        pub by: Vec<f64>,
        pub of: Box<dyn Fn(f64) -> f64>,
    }
    #[non_differentiable]
    pub fn replace(place: &mut Scaled, by: Vec<f64>) {
        *place = Scaled {
            by,
            of: Box::new(|x| 2.0 * x),
        };
    }

    #[non_differentiable]
    pub fn exchange(list: &mut Vec<Held>) {
        list.swap(0, 1);
    }
    #[non_differentiable]
    pub fn rearrange(
        (a, b): (&mut Vec<f64>, &mut Vec<f64>),
        list: &mut Vec<Vec<f64>>,
        option: &mut Option<Vec<f64>>,
        cell: &RefCell<Vec<f64>>,
        last: Vec<f64>,
    ) {
        std::mem::swap(a, b);
        list.reverse();
        list.push(last.clone());
        *option = option.take();
        cell.replace(last);
        let taken = std::mem::take(a);
        *a = taken;
    }

    #[differentiable]
    pub fn moved(x: &[f64]) -> f64 {
        let mut kept = vec![];
        keep(&mut kept, &x.to_vec());
        let mut scaled = Scaled {
            by: vec![x[0]],
            of: Box::new(|x| x),
        };
        replace(&mut scaled, x.to_vec());
        let scaled = (scaled.of)(scaled.by[1]);
        let held = |n: usize| Held {
            v: vec![x[n]],
            k: x[n + 1],
        };
        let mut list = vec![held(0), held(2)];
        exchange(&mut list);
        let (mut a, mut b) = (vec![x[0]], vec![x[1]]);
        let (mut all, mut option) = (vec![vec![x[2]], vec![x[3]]], Some(vec![x[0]]));
        let cell = RefCell::new(vec![x[1]]);
        rearrange(
            (&mut a, &mut b),
            &mut all,
            &mut option,
            &cell,
            vec![x[2] * 2.0],
        );
        let in_cell = cell.borrow()[0];
        let sums = list[0].v[0] + list[0].k + all[0][0] + all[1][0] + all[2][0];
        scaled + kept[0] + sums + a[0] + b[0] + option.unwrap()[0] + in_cell + x[0] * x[3]
    }
}

#[test]
fn what_is_moved_without_derivative_has_none() {
    use moved_without_derivative::moved;
    let x = [1.0, 2.0, 3.0, 4.0];
    let ctx = Context::default();
    let rule = ctx.build_rrule::<moved>().unwrap();
    let (value, (gradient,)) = rule.value_and_gradient((&x,)).unwrap();
    assert_eq!(value, moved(&x));
    assert_eq!(gradient, [4.0, 0.0, 0.0, 1.0]);
    let rule = ctx.build_frule::<moved>().unwrap();
    let (_, derivative) = rule.value_and_derivative((&x,), (&[1.0; 4],)).unwrap();
    assert_eq!(derivative, 5.0);
}

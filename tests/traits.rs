//! Traits: their methods by path, several traits with one name, default methods, and which of two methods is meant.

use mooncake::prelude::*;

#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Square {
    a: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Circle {
    r: f64,
}

#[differentiable]
trait Shape {
    fn area(&self) -> f64;
    fn scaled(&self, k: f64) -> f64 {
        k * self.area()
    }
    fn grow(&mut self, k: f64);
    fn unit() -> f64 {
        1.5
    }
}

#[differentiable]
impl Shape for Square {
    fn area(&self) -> f64 {
        self.a * self.a
    }
    fn grow(&mut self, k: f64) {
        self.a *= k;
    }
}

#[differentiable]
impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.r * self.r
    }
    fn scaled(&self, k: f64) -> f64 {
        2.0 * k * self.r
    }
    fn grow(&mut self, k: f64) {
        self.r += k;
    }
    fn unit() -> f64 {
        0.5
    }
}

#[differentiable]
fn largest<T: Shape>(shapes: &[T], k: f64) -> f64 {
    let mut found = T::unit();
    for shape in shapes {
        found = found.max(Shape::scaled(shape, k));
    }
    found + <T as Shape>::area(&shapes[0])
}

#[differentiable]
fn paths(x: f64) -> f64 {
    let (mut square, circle) = (Square { a: x }, Circle { r: x });
    Shape::grow(&mut square, x);
    Shape::area(&square) * Shape::area(&circle)
        + <Square as Shape>::area(&square)
        + <Circle as Shape>::scaled(&circle, x)
        + Shape::scaled(&square, 2.0)
        + Square::area(&square) * Square::unit() * <Circle as Shape>::unit()
        + largest(&[square.clone(), square], x)
        + largest(&[circle], x)
}

#[test]
fn methods_are_called_by_the_path_of_their_trait() {
    for ctx in [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ] {
        test_rule::<paths>(&ctx, (0.7,)).unwrap();
        test_rule::<paths>(&ctx, (-1.3,)).unwrap();
    }
}

/// Whatever has an area can be doubled.
#[differentiable(blanket)]
trait Doubled {
    fn doubled(&self) -> f64;
    fn quadrupled(&self) -> f64 {
        2.0 * self.doubled()
    }
}
#[differentiable]
impl<T: Shape> Doubled for T {
    fn doubled(&self) -> f64 {
        self.area() + self.scaled(0.5)
    }
}
#[differentiable]
fn sum<T: Doubled>(a: &T, b: &T) -> f64 {
    a.doubled() + Doubled::quadrupled(b)
}
#[differentiable]
fn blanket(x: f64) -> f64 {
    let (square, circle) = (Square { a: x }, Circle { r: x * x });
    square.doubled() * circle.quadrupled()
        + <Square as Doubled>::doubled(&square)
        + sum(&circle, &circle)
}

#[test]
fn an_impl_may_be_for_all_types_of_a_kind() {
    for ctx in [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ] {
        test_rule::<blanket>(&ctx, (0.7,)).unwrap();
    }
}

mod linear {
    use super::{Circle, Square};
    use mooncake::prelude::*;

    #[differentiable]
    pub trait Layer {
        fn run(&self, x: f64) -> f64;
        fn twice(&self, x: f64) -> f64 {
            2.0 * self.run(x)
        }
    }
    #[differentiable]
    impl Layer for Square {
        fn run(&self, x: f64) -> f64 {
            self.a * x
        }
    }

    #[differentiable]
    pub fn through(layer: &dyn Layer, x: f64) -> f64 {
        layer.run(x) + layer.twice(x)
    }
    #[differentiable]
    pub fn by_path(square: &Square, x: f64) -> f64 {
        Layer::run(square, x) + <Square as Layer>::twice(square, x)
    }
    #[differentiable]
    pub fn ambiguous(circle: &Circle, square: &Square, x: f64) -> f64 {
        square.run(x) + circle.r
    }
}

mod quadratic {
    use super::{Circle, Square};
    use mooncake::prelude::*;

    #[differentiable]
    pub trait Layer {
        fn run(&self, x: f64) -> f64;
        fn twice(&self, x: f64) -> f64 {
            3.0 * self.run(x)
        }
    }
    #[differentiable]
    impl Layer for Square {
        fn run(&self, x: f64) -> f64 {
            self.a * x * x
        }
    }
    #[differentiable]
    impl Layer for Circle {
        fn run(&self, x: f64) -> f64 {
            self.r + x * x
        }
        fn twice(&self, x: f64) -> f64 {
            self.run(x) * x
        }
    }

    #[differentiable]
    pub fn through(layer: &dyn Layer, x: f64) -> f64 {
        layer.run(x) + layer.twice(x)
    }
    #[differentiable]
    pub fn by_path(square: &Square, x: f64) -> f64 {
        Layer::run(square, x) + <Square as Layer>::twice(square, x)
    }
}

#[differentiable]
fn both(k: f64, x: f64) -> f64 {
    let (square, circle) = (Square { a: k }, Circle { r: k });
    linear::by_path(&square, x) - 10.0 * quadratic::by_path(&square, x)
        + 7.0 * linear::through(&square, x)
        + 11.0 * quadratic::through(&square, x)
        + 13.0 * quadratic::through(&circle, x)
        + linear::Layer::twice(&square, x) * quadratic::Layer::twice(&circle, x)
}

#[test]
fn traits_of_one_name_are_two_traits() {
    for ctx in [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ] {
        test_rule::<both>(&ctx, (0.7, 1.1)).unwrap();
    }
}

/// Only rustc knows which traits are in scope.
#[test]
fn a_method_that_may_be_that_of_either_trait_is_refused() {
    let error = Context::default().build_rrule::<linear::ambiguous>();
    let error = error.expect_err("it is ambiguous").to_string();
    assert!(
        error.contains("`Square` has a method `run` from the trait `traits::")
            && error.contains("name the trait"),
        "{error}"
    );
}

#[differentiable]
trait Named {
    fn weight(&self) -> f64 {
        1.5
    }
}

/// A trait has what its supertrait has.
#[differentiable]
trait Body: Named {
    fn volume(&self) -> f64;
    fn mass(&self) -> f64 {
        self.weight() * self.volume()
    }
}

#[differentiable]
impl Named for Square {}
#[differentiable]
impl Body for Square {
    fn volume(&self) -> f64 {
        self.a.powi(3)
    }
}
#[differentiable]
impl Named for Circle {
    fn weight(&self) -> f64 {
        self.r
    }
}
#[differentiable]
impl Body for Circle {
    fn volume(&self) -> f64 {
        4.0 * self.r
    }
}

#[differentiable]
fn bodies(bodies: &[Box<dyn Body>], x: f64) -> f64 {
    let mut total = Body::mass(&Square { a: x }) * Named::weight(&Circle { r: x });
    for body in bodies {
        total += body.mass();
    }
    total
}

#[test]
fn a_trait_may_have_a_differentiable_supertrait() {
    let bodies: Vec<Box<dyn Body>> = vec![Box::new(Square { a: 0.4 }), Box::new(Circle { r: 0.9 })];
    for ctx in [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ] {
        test_rule::<self::bodies>(&ctx, (&bodies, 0.7)).unwrap();
    }
}

/// A trait with an associated type, and combinators that are generic over it.
#[differentiable]
trait Kernel {
    type Param;
    fn value(&self, at: Self::Param) -> f64;
    fn start(&self) -> Self::Param;
}
#[derive(Clone, Debug, Differentiable)]
struct Squared;
#[differentiable]
impl Kernel for Squared {
    type Param = f64;
    fn value(&self, at: f64) -> f64 {
        at * at
    }
    fn start(&self) -> f64 {
        1.5
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Scaled<A>(A);
#[differentiable]
impl<A: Kernel> Kernel for Scaled<A> {
    type Param = (A::Param, f64);
    fn value(&self, at: Self::Param) -> f64 {
        self.0.value(at.0) * at.1
    }
    fn start(&self) -> Self::Param {
        (self.0.start(), 2.0)
    }
}
#[derive(Clone, Debug, Differentiable)]
struct AtStart<A>(A);
#[differentiable]
impl<A: Kernel> Kernel for AtStart<A> {
    type Param = f64;
    fn value(&self, at: Self::Param) -> f64 {
        self.0.value(self.0.start()) * at
    }
    fn start(&self) -> Self::Param {
        3.0
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Numbered<I>(I);
#[differentiable]
impl<I: Iterator<Item = f64>> Iterator for Numbered<I> {
    type Item = (I::Item, usize);
    fn next(&mut self) -> Option<Self::Item> {
        let x = self.0.next()?;
        Some((x * x, 2))
    }
}

#[differentiable]
fn combined(x: f64) -> f64 {
    let kernel = Scaled(Scaled(Squared));
    let mut total = kernel.value(((x, 2.0), x)) + AtStart(Squared).value(x);
    total += Scaled(Squared).start().1 * x;
    for (y, n) in Numbered([x, 0.5].iter().copied()) {
        total += y * n as f64;
    }
    total
}

#[test]
fn associated_types_of_generic_impls_may_be_written_through_self() {
    test_rule::<combined>(&Context::default(), (1.3,)).unwrap();
}

/// A trait whose methods have the names of those of `f64`, and that is in scope nowhere else.
mod elsewhere {
    use mooncake::prelude::*;

    #[differentiable]
    pub trait Bounds {
        fn min(&self) -> f64;
        fn sqrt(&self) -> f64 {
            4.0
        }
        fn powi(self, n: i32) -> f64;
    }
    #[differentiable]
    impl Bounds for f64 {
        fn min(&self) -> f64 {
            *self
        }
        fn powi(self, _: i32) -> f64 {
            self
        }
    }
}

#[differentiable]
fn of_floats_alone(q: &[f64]) -> f64 {
    let least = q[0].max(q[1]).min(1.0);
    let norm = q.iter().map(|q| q * q).sum::<f64>().sqrt();
    let greatest = q.iter().copied().fold(0.0, f64::max).sqrt();
    let roots = q.iter().map(|q| q.sqrt().powi(2)).sum::<f64>();
    least + norm * greatest.powi(3) + roots + elsewhere::Bounds::min(&q[0])
}

#[test]
fn traits_that_are_not_in_scope_do_not_disturb_methods_of_floats() {
    let x = [0.5f64, 0.7];
    let native = 0.7
        + 0.74f64.sqrt() * 0.7f64.sqrt().powi(3)
        + (0.5f64.sqrt().powi(2) + 0.7f64.sqrt().powi(2))
        + 0.5;
    assert!((of_floats_alone(&x) - native).abs() < 1e-15);
    test_rule::<of_floats_alone>(&Context::default(), (&x,)).unwrap();
}

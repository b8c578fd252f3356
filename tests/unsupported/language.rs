//! The forms of the language, and what is written beside them.

use crate::refused;
use mooncake::Float;
use mooncake::prelude::*;

/// A method whose `impl` is not differentiable
mod methods_of_the_program {
    use super::*;

    trait Twice {
        fn twice(self) -> Self;
    }
    impl Twice for f64 {
        fn twice(self) -> f64 {
            2.0 * self
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        x.sin().twice()
    }

    refused!(f);
}

/// A method that a trait provides, for a type whose `impl` of the trait is not differentiable: it may have a method of its own
mod provided_without_the_attribute {
    use super::*;

    #[differentiable]
    trait Shape {
        fn corners(&self) -> f64 {
            4.0
        }
    }

    #[derive(Differentiable)]
    struct Hexagon(f64);
    impl Shape for Hexagon {
        fn corners(&self) -> f64 {
            6.0
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * Hexagon(x).corners()
    }

    refused!(f);
}

/// A value that becomes a `dyn Trait`, and the `impl` of the trait is not differentiable
mod dynamic_without_the_attribute {
    use super::*;

    #[differentiable]
    trait Shape {
        fn area(&self) -> f64;
    }

    #[derive(Differentiable)]
    struct Square(f64);
    #[differentiable]
    impl Shape for Square {
        fn area(&self) -> f64 {
            self.0 * self.0
        }
    }

    #[derive(Differentiable)]
    struct Disc(f64);
    impl Shape for Disc {
        fn area(&self) -> f64 {
            3.14 * self.0 * self.0
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(x)), Box::new(Disc(x))];
        shapes.iter().map(|shape| shape.area()).sum()
    }

    refused!(f);
}

/// A method of the type's own `impl`, which is not differentiable, beside one of a trait of the same name
mod own_methods_without_the_attribute {
    use super::*;

    #[differentiable]
    trait Model {
        fn predict(&self, x: f64) -> f64;
    }

    #[derive(Differentiable)]
    struct Line(f64);
    impl Line {
        fn predict(&self, x: f64) -> f64 {
            self.0 * x
        }
    }
    #[differentiable]
    impl Model for Line {
        fn predict(&self, x: f64) -> f64 {
            (self.0 * x).tanh()
        }
    }

    #[differentiable]
    fn f(slope: f64) -> f64 {
        let line = Line(slope);
        line.predict(2.0) - Model::predict(&line, 2.0)
    }

    refused!(f);
}

/// A function of the type's own `impl`, which is not differentiable, beside one of a trait of the same name
mod own_functions_without_the_attribute {
    use super::*;

    #[differentiable]
    trait Unit {
        fn unit() -> f64;
    }

    #[derive(Differentiable)]
    struct Metre;
    impl Metre {
        fn unit() -> f64 {
            1.0
        }
    }
    #[differentiable]
    impl Unit for Metre {
        fn unit() -> f64 {
            100.0
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * Metre::unit() / <Metre as Unit>::unit()
    }

    refused!(f);
}

/// A method of a trait that calls the type's own of the same name, of a type with type parameters, and the `impl` of that is not differentiable
mod own_generic_methods_without_the_attribute {
    use super::*;

    #[differentiable]
    trait Shape {
        fn area(&self) -> f64;
    }

    #[derive(Differentiable)]
    struct Square<T>(T);
    impl<T: Copy + Into<f64>> Square<T> {
        fn area(&self) -> f64 {
            self.0.into() * self.0.into()
        }
    }
    #[differentiable]
    impl<T: Copy + Into<f64>> Shape for Square<T> {
        fn area(&self) -> f64 {
            self.area()
        }
    }

    #[differentiable]
    fn total<S: Shape>(shape: &S) -> f64 {
        2.0 * shape.area()
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        total(&Square(x))
    }

    refused!(f);
}

/// The copy of a box of a `dyn` value, for which the program implements `Clone`
mod copies_of_boxes {
    use super::*;

    #[differentiable]
    trait Shape {
        fn area(&self) -> f64;
        fn copy(&self) -> Box<dyn Shape>;
    }

    impl Clone for Box<dyn Shape> {
        fn clone(&self) -> Self {
            self.copy()
        }
    }

    #[derive(Differentiable)]
    struct Square(f64);
    #[differentiable]
    impl Shape for Square {
        fn area(&self) -> f64 {
            self.0 * self.0
        }
        fn copy(&self) -> Box<dyn Shape> {
            Box::new(Square(self.0))
        }
    }

    #[derive(Clone, Differentiable)]
    struct Scene {
        shapes: Vec<Box<dyn Shape>>,
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let scene = Scene {
            shapes: vec![Box::new(Square(x))],
        };
        let other = scene.clone();
        scene.shapes[0].area() + other.shapes[0].area()
    }

    refused!(f);
}

/// A method by the path of its trait whose `impl` is not differentiable, and std has an inherent method of the same name
mod methods_like_those_of_std {
    use super::*;

    trait Size {
        fn abs(self) -> f64;
    }
    impl Size for f64 {
        fn abs(self) -> f64 {
            2.0 * self
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        <f64 as Size>::abs(x)
    }

    refused!(f);
}

/// A method of a struct whose `impl` is not differentiable
mod methods_of_structs {
    use super::*;

    #[derive(Differentiable)]
    struct Disc(f64);
    impl Disc {
        fn area(&self) -> f64 {
            3.14 * self.0 * self.0
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        Disc(x).area()
    }

    refused!(f);
}

/// A constant of a type parameter, whose `impl` is not differentiable
mod constants_of_types {
    use super::*;

    #[differentiable]
    trait Model {
        const GAIN: f64;
    }

    #[derive(Differentiable)]
    struct Linear;
    impl Model for Linear {
        const GAIN: f64 = 2.0;
    }

    #[differentiable]
    fn driven<M: Model>(_: &M, x: f64) -> f64 {
        M::GAIN * x
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        driven(&Linear, x)
    }

    refused!(f);
}

/// A rule of a function whose const argument nothing says
mod missing_arguments {
    use super::*;

    #[differentiable]
    fn f<const N: usize>(x: f64) -> f64 {
        x * N as f64
    }

    refused!(f);
}

/// The sum of values of a type of one's own, whose `Sum` is not differentiable
mod sums {
    use super::*;

    #[derive(Differentiable, Clone, Copy)]
    struct Meters(f64);
    impl std::iter::Sum for Meters {
        fn sum<I: Iterator<Item = Meters>>(iter: I) -> Meters {
            Meters(iter.map(|way| way.0).sum())
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        [Meters(x), Meters(2.0)].into_iter().sum::<Meters>().0
    }

    refused!(f);
}

/// A method that a type argument has of its own and of a trait
/// Where the type is known, its own is meant; where it is a parameter, the trait's. Both are the same type here. A variable, a field or an element of a list is told by its written
/// type, a parameter of a closure is not.
mod methods_of_type_arguments {
    use super::*;

    #[differentiable]
    trait Area {
        fn area(&self) -> f64;
    }

    #[derive(Differentiable)]
    struct Square(f64);
    #[differentiable]
    impl Square {
        fn area(&self) -> f64 {
            1.0
        }
    }
    #[differentiable]
    impl Area for Square {
        fn area(&self) -> f64 {
            self.0 * self.0
        }
    }

    #[differentiable]
    fn doubled<T: Area>(shapes: &[T]) -> f64 {
        shapes.iter().map(|shape| shape.area()).sum()
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        doubled(&[Square(x)]) + Square(x).area()
    }

    refused!(f);
}

/// A function of a struct whose `impl` is not differentiable
mod functions_of_structs {
    use super::*;

    #[derive(Differentiable)]
    struct Disc(f64);
    impl Disc {
        fn unit() -> Disc {
            Disc(1.0)
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        Disc::unit().0 * x
    }

    refused!(f);
}

/// An operator whose `impl` is not differentiable
mod operators {
    use super::*;

    #[derive(Differentiable)]
    struct Meters(f64);
    impl std::ops::Sub for Meters {
        type Output = Meters;
        fn sub(self, other: Meters) -> Meters {
            Meters(self.0 - other.0)
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        (Meters(x) - Meters(1.0)).0
    }

    refused!(f);
}

/// An index whose `impl` is not differentiable
mod indices {
    use super::*;

    #[derive(Differentiable)]
    struct Grid(Vec<f64>);
    impl std::ops::Index<(usize, usize)> for Grid {
        type Output = f64;
        fn index(&self, at: (usize, usize)) -> &f64 {
            &self.0[at.0 + at.1]
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        Grid(vec![x, x])[(0, 1)]
    }

    refused!(f);
}

/// An iterator whose `impl` is not differentiable
mod iterators {
    use super::*;

    #[derive(Differentiable)]
    struct Count(usize);
    impl Iterator for Count {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            self.0 += 1;
            (self.0 < 5).then_some(self.0)
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut s = 0.0;
        for n in Count(0) {
            s += x * n as f64;
        }
        s
    }

    refused!(f);
}

/// A sum of what has a `Sum` of its own
mod sums_of_structs {
    use super::*;

    #[derive(Differentiable)]
    struct Point(f64);
    impl std::iter::Sum for Point {
        fn sum<I: Iterator<Item = Point>>(points: I) -> Point {
            Point(points.map(|p| p.0).sum())
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        vec![Point(x), Point(2.0)].into_iter().sum::<Point>().0
    }

    refused!(f);
}

/// A conversion whose `impl` is not differentiable
mod conversions {
    use super::*;

    #[derive(Differentiable)]
    struct Failed(i32);
    impl From<i32> for Failed {
        fn from(code: i32) -> Failed {
            Failed(code)
        }
    }

    #[differentiable]
    fn root(x: f64) -> Result<f64, i32> {
        if x < 0.0 { Err(1) } else { Ok(x.sqrt()) }
    }

    #[differentiable]
    fn f(x: f64) -> Result<f64, Failed> {
        Ok(2.0 * root(x)?)
    }

    refused!(f);
}

/// A `Default` that is derived, or written without `#[differentiable]`
mod defaults {
    use super::*;

    #[derive(Default, Differentiable)]
    struct Point {
        x: f64,
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        Point::default().x + x
    }

    refused!(f);
}

/// The default that `take` leaves behind
mod default_of_a_cell {
    use super::*;

    #[derive(Differentiable)]
    struct Point {
        x: f64,
    }
    impl Default for Point {
        fn default() -> Point {
            Point { x: 1.0 }
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut p = Point { x };
        let q = std::mem::take(&mut p);
        q.x + p.x
    }

    refused!(f);
}

/// The number of an enum's variant
mod casts_of_enums {
    use super::*;

    #[derive(Clone, Copy, Differentiable)]
    enum Order {
        First = 1,
        Second = 2,
    }

    #[differentiable]
    fn f(x: f64, order: Order) -> f64 {
        x.powi(order as i32)
    }

    refused!(f);
}

/// The address of a function
mod casts_of_functions {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let p: fn(f64) -> f64 = f64::sin;
        if p as usize == 0 { 0.0 } else { p(x) }
    }

    refused!(f);
}

/// Equality of functions
mod compared_functions {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let (p, q): (fn(f64) -> f64, fn(f64) -> f64) = (f64::sin, f64::cos);
        if p == q { x } else { p(x) }
    }

    refused!(f);
}

/// A method of the language itself as a value
mod methods_as_values {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let is_there: fn(&Option<f64>) -> bool = Option::is_some;
        if is_there(&Some(x)) { x } else { 0.0 }
    }

    refused!(f);
}

/// A text as a pattern, where there is also text with numbers in it
mod patterns_of_text {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        match &*format!("{x}") {
            "1" => x.sin(),
            _ => x.cos(),
        }
    }

    refused!(f);
}

/// A variant that is imported under another name
mod renamed_variants {
    use super::*;
    use Shape::Circle as Round;

    #[derive(Differentiable)]
    enum Shape {
        Circle(f64),
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        match Round(x) {
            Round(r) => r * r,
        }
    }

    refused!(f);
}

/// A constant struct of more than numbers, texts, lists and structs of them
mod associated_structs {
    use super::*;

    #[derive(Clone, Differentiable)]
    struct Line {
        points: Vec<f64>,
    }
    impl Line {
        const EMPTY: Line = Line { points: Vec::new() };
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        Line::EMPTY.points.len() as f64 * x
    }

    refused!(f);
}

/// What a type is to whose `Deref` is not differentiable
mod dereferenced_unseen {
    use super::*;
    use std::ops::Deref;

    #[derive(Differentiable)]
    struct Samples(Vec<f64>);
    impl Deref for Samples {
        type Target = Vec<f64>;
        fn deref(&self) -> &Vec<f64> {
            &self.0
        }
    }

    #[differentiable]
    fn f(samples: &Samples) -> f64 {
        samples[0].sin()
    }

    refused!(f);
}

/// `*` of a type with a `Deref` of its own, where nothing says whether it is a reference
mod dereferenced {
    use super::*;
    use std::ops::Deref;

    #[derive(Clone, Differentiable)]
    struct Meters(f64);
    #[differentiable]
    impl Deref for Meters {
        type Target = f64;
        fn deref(&self) -> &f64 {
            &self.0
        }
    }

    #[differentiable]
    fn f(ways: &[Meters]) -> f64 {
        ways.iter().map(|way| (**way).sqrt()).sum()
    }

    refused!(f);
}

/// `stop_gradient` of what others may change
mod stopped_places {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut y = x;
        let z = stop_gradient(&mut y);
        *z *= x;
        y
    }

    refused!(f);
}

/// An overlay with other parameters
mod overlays {
    use super::*;

    #[differentiable]
    fn general<T: Float>(x: T) -> T {
        x * x
    }

    #[differentiable(overlay = general)]
    fn f(x: f64) -> f64 {
        x
    }

    refused!(f);
}

/// A loop over an inclusive range up to the largest value of a type of 64 bits
mod whole_ranges {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut s = 0.0;
        for n in u64::MAX - 5..=u64::MAX {
            s += x * n as f64;
        }
        s
    }

    refused!(f, (1.0,));
}

/// A method that an `impl` for a pointer leaves out, where what it holds has one of its own
mod left_out {
    use super::*;

    #[differentiable]
    trait Solid {
        fn volume(&self) -> f64;
        fn weight(&self, density: f64) -> f64 {
            density * self.volume()
        }
    }

    #[derive(Differentiable)]
    struct Hollow(f64);
    #[differentiable]
    impl Solid for Hollow {
        fn volume(&self) -> f64 {
            self.0
        }
        fn weight(&self, density: f64) -> f64 {
            0.5 * density * self.0
        }
    }

    #[differentiable]
    impl<S: Solid + ?Sized> Solid for Box<S> {
        fn volume(&self) -> f64 {
            (**self).volume()
        }
    }

    #[differentiable]
    fn of_any<S: Solid>(solid: S) -> f64 {
        solid.weight(2.0)
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        of_any(Box::new(Hollow(x)))
    }

    refused!(f);
}

/// A method of a type's own by reference, and one of an operator by value
mod own_and_operator {
    use super::*;
    use std::ops::Mul;

    #[derive(Differentiable, Clone, Copy)]
    struct Twofold(f64);
    #[differentiable]
    impl Twofold {
        fn mul(&self, by: f64) -> f64 {
            self.0 * by + 1.0
        }
    }
    #[differentiable]
    impl Mul<f64> for Twofold {
        type Output = f64;
        fn mul(self, by: f64) -> f64 {
            self.0 * by
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        Twofold(x).mul(2.0)
    }

    refused!(f);
}

/// A function of a trait that is another for references, where it is not told which is meant
mod of_references {
    use super::*;

    #[differentiable]
    trait Gain {
        fn gain(self) -> f64;
    }
    #[differentiable]
    impl Gain for f64 {
        fn gain(self) -> f64 {
            self
        }
    }
    #[differentiable]
    impl Gain for &f64 {
        fn gain(self) -> f64 {
            2.0 * *self
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        [x].iter().map(|x| x.gain()).sum()
    }

    refused!(f);
}

/// A method of floats, where an inner block imports a trait with one of its name
mod imported_in_an_inner_block {
    use super::*;

    mod halves {
        pub trait Halves {
            fn sqrt(&self) -> f64;
        }
        impl Halves for f64 {
            fn sqrt(&self) -> f64 {
                self / 2.0
            }
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let r = &x;
        let root = {
            use halves::Halves;
            r.sqrt()
        };
        root + x
    }

    refused!(f);
}

/// A method of a trait that has the name of one of std's own, for a type argument
mod of_std_or_of_a_trait {
    use super::*;

    #[differentiable]
    trait Real {
        fn abs(self) -> Self;
    }
    #[differentiable]
    impl Real for f64 {
        fn abs(self) -> f64 {
            self.max(-self)
        }
    }

    #[differentiable]
    fn of_any<T: Real>(x: T, f: impl Fn(T) -> T) -> T {
        f(x).abs()
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        of_any(x, |x| 2.0 * x)
    }

    refused!(f);
}

/// What is computed first, where it is not told whether a reference is added
mod place_or_value_first {
    use super::*;

    #[differentiable]
    fn next(i: &mut usize) -> usize {
        *i += 1;
        *i - 1
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let (mut v, w) = (vec![x, 1.0], vec![x, 2.0]);
        let mut i = 0;
        v[next(&mut i)] += w.get(next(&mut i)).unwrap();
        v[0]
    }

    refused!(f);
}

/// A method of two traits, one called like a trait of std
mod of_a_trait_called_like_std {
    use super::*;

    #[derive(Differentiable)]
    struct Amount(f64);
    #[differentiable]
    trait Neg {
        fn neg(&self) -> f64;
    }
    #[differentiable]
    impl Neg for Amount {
        fn neg(&self) -> f64 {
            self.0 + 100.0
        }
    }
    #[differentiable]
    impl std::ops::Neg for Amount {
        type Output = f64;
        fn neg(self) -> f64 {
            self.0 * 3.0
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        Amount(x).neg()
    }

    refused!(f);
}

/// A method of a trait that has the name of one that std gives everywhere
mod of_the_prelude {
    use super::*;

    #[allow(dead_code, reason = "it is not in scope where `max` is called")]
    mod larger {
        use super::*;

        #[differentiable]
        pub trait Larger {
            fn max(self, other: Self) -> Self;
        }
        #[differentiable]
        impl Larger for usize {
            fn max(self, other: usize) -> usize {
                self + other
            }
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        x * 2_usize.max(3) as f64
    }

    refused!(f);
}

/// A `for` loop over a type with an `IntoIterator` of its own
mod own_items {
    use super::*;

    #[derive(Differentiable)]
    struct Ends(f64, f64);
    #[derive(Differentiable)]
    struct Countdown(f64);
    #[differentiable]
    impl Iterator for Countdown {
        type Item = f64;
        fn next(&mut self) -> Option<f64> {
            self.0 -= 1.0;
            (self.0 > 0.0).then_some(self.0)
        }
    }
    #[differentiable]
    impl IntoIterator for &Ends {
        type Item = f64;
        type IntoIter = Countdown;
        fn into_iter(self) -> Countdown {
            Countdown(self.0 + self.1)
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut sum = 0.0;
        for item in &Ends(x, 1.0) {
            sum += item;
        }
        sum
    }

    refused!(f);
}

/// An iterator, references to which are something else to iterate over
mod items_of_an_iterator {
    use super::*;

    #[derive(Differentiable, Clone)]
    struct Countdown(f64);
    #[differentiable]
    impl Iterator for Countdown {
        type Item = f64;
        fn next(&mut self) -> Option<f64> {
            self.0 -= 1.0;
            (self.0 > 0.0).then_some(self.0)
        }
    }
    #[differentiable]
    impl IntoIterator for &Countdown {
        type Item = f64;
        type IntoIter = Countdown;
        fn into_iter(self) -> Countdown {
            Countdown(10.0 * self.0)
        }
    }

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let steps = Countdown(x[0]);
        x.iter().zip(steps).map(|(a, b)| a * b).sum()
    }

    refused!(f);
}

/// A list of copies of what has a `Clone` of its own
mod own_clones {
    use super::*;

    #[derive(Differentiable)]
    struct Aged(f64);
    #[differentiable]
    impl Clone for Aged {
        fn clone(&self) -> Aged {
            Aged(self.0 + 1.0)
        }
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let all = vec![Aged(x); 3];
        all[0].0 * all[2].0
    }

    refused!(f);
}

/// A box of a `dyn` behind a reference, replaced
mod replaced_box {
    use super::*;

    #[differentiable]
    trait Curve {
        fn at(&self, x: f64) -> f64;
    }
    #[derive(Differentiable)]
    struct Line(f64);
    #[differentiable]
    impl Curve for Line {
        fn at(&self, x: f64) -> f64 {
            self.0 * x
        }
    }

    #[differentiable]
    fn renew(curve: &mut Box<dyn Curve>, x: f64) -> f64 {
        std::mem::replace(curve, Box::new(Line(x))).at(x)
    }

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut curve: Box<dyn Curve> = Box::new(Line(2.0));
        renew(&mut curve, x) + curve.at(x)
    }

    refused!(f);
}

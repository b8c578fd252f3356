//! `#[derive(Differentiable)]`: what is known about a type, and the form of its gradient.

use mooncake::__private::{Ty, Typed};
use mooncake::Differentiable;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

#[derive(Differentiable)]
#[allow(dead_code)]
struct Point<T> {
    x: T,
    y: T,
    name: &'static str,
    count: usize,
}

#[derive(Differentiable)]
#[allow(dead_code)]
struct Pair(f64, Vec<f32>);

macro_rules! float {
    () => {
        f64
    };
}

/// A field's type may be that of a macro, and a marker may name any type.
#[derive(Differentiable)]
#[allow(dead_code)]
struct Marked {
    x: float!(),
    of: PhantomData<*const char>,
}

#[derive(Differentiable)]
#[allow(dead_code)]
enum Shape {
    Circle { radius: f64 },
    Polygon(Vec<Point<f64>>),
    Empty,
}

#[derive(Differentiable, Clone, Copy, PartialEq, Debug)]
#[allow(dead_code)]
enum Colour {
    Red,
    Green,
}

#[derive(Differentiable)]
#[allow(dead_code)]
struct Node {
    value: f64,
    next: Option<Box<Self>>,
    friends: Vec<Rc<RefCell<Node>>>,
}

#[derive(Differentiable)]
#[allow(dead_code)]
struct View<'a, T: Clone> {
    data: &'a [T],
    scale: [f64; 2],
    colour: Colour,
    mark: PhantomData<T>,
}

#[mooncake::differentiable]
#[allow(dead_code, reason = "differentiable code calls it")]
trait Act {
    fn act(&self, x: f64) -> f64;
}

/// Types that are made inside differentiable functions only.
#[derive(Differentiable)]
#[allow(dead_code)]
struct Layers<'a> {
    acts: Vec<Box<dyn Act>>,
    first: &'a dyn Act,
    then: Box<dyn Fn(f64) -> f64>,
    into: &'a mut Vec<f64>,
    part: &'a mut [f64],
}

mod tree {
    #[derive(mooncake::Differentiable)]
    #[allow(dead_code)]
    pub enum Tree<T> {
        Leaf,
        Fork(Box<Tree<T>>, T, Box<Tree<T>>),
    }
}

#[test]
fn gradients_have_the_form_of_the_values() {
    let point = PointGradient::<f64> {
        x: 1.0,
        y: 2.0,
        name: (),
        count: (),
    };
    assert_eq!(point.clone(), point);
    assert_eq!(PairGradient::default(), PairGradient(0.0, vec![]));
    assert_eq!(ShapeGradient::default(), ShapeGradient::Empty);
    let shapes = [
        ShapeGradient::Circle { radius: 1.5 },
        ShapeGradient::Polygon(vec![point]),
    ];
    assert_ne!(shapes[0], shapes[1]);
    let _: <Colour as Typed>::Gradient = ();
    let _: <Vec<Colour> as Typed>::Gradient = ();
    let inner = Box::new(NodeGradient::default());
    let node = NodeGradient {
        value: 1.0,
        next: Some(inner),
        friends: vec![Rc::default()],
    };
    assert_eq!(format!("{:?}", node.next.unwrap().value), "0.0");
    let view = ViewGradient::<f64> {
        data: vec![1.0],
        scale: [0.0; 2],
        colour: (),
        mark: (),
    };
    assert_ne!(view, Default::default());
    let fork = tree::TreeGradient::<f64>::Fork(Box::default(), 1.0, Box::default());
    assert_ne!(fork, tree::TreeGradient::default());
}

#[test]
fn types_know_what_they_consist_of() {
    let fields = |ty: Ty, variant| {
        let fields = ty.fields(variant).into_iter();
        let fields = fields.map(|(name, ty)| format!("{name}: {ty}"));
        fields.collect::<Vec<String>>().join(", ")
    };
    let point = <Point<f32> as Typed>::ty();
    assert_eq!(point.to_string(), "Point<f32>");
    assert_eq!(fields(point, 0), "x: f32, y: f32, name: str, count: usize");
    assert_eq!(
        fields(<Shape as Typed>::ty(), 1),
        "0: Vec<Point<f64>>",
        "enums by variant"
    );
    let node = fields(<Node as Typed>::ty(), 0);
    assert_eq!(
        node,
        "value: f64, next: Option<Box<Node>>, friends: Vec<RefCell<Node>>"
    );
    let view = fields(<View<f64> as Typed>::ty(), 0);
    assert_eq!(
        view,
        "data: &mut [f64], scale: [f64; 2], colour: Colour, mark: ()"
    );
    let tree = <tree::Tree<f64> as Typed>::ty();
    assert_eq!(
        fields(tree, 1),
        "0: Box<Tree<f64>>, 1: f64, 2: Box<Tree<f64>>"
    );
    assert_ne!(<Colour as Typed>::ty(), <Shape as Typed>::ty());
}

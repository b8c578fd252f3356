//! Values of every type of the language in and out of compiled functions, with gradients of the same form.

#![allow(
    clippy::needless_range_loop,
    clippy::ptr_arg,
    clippy::too_many_arguments,
    clippy::vec_box
)]

use mooncake::prelude::*;
use mooncake::tangents::{
    add_to_primal, difference, dot, increment, normal, random_tangent, scale, zero_tangent,
};
use mooncake::{Const, Error, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

fn rule<F: DifferentiableFn>() -> RRule<F> {
    Context::default()
        .build_rrule::<F>()
        .unwrap_or_else(|e| panic!("{e}"))
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Point<T> {
    x: T,
    y: T,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Model {
    weights: Vec<f64>,
    bias: f64,
    degree: usize,
    origin: Point<f64>,
}

fn model() -> Model {
    Model {
        weights: vec![2.0, 3.0],
        bias: 0.5,
        degree: 2,
        origin: Point { x: 1.0, y: 4.0 },
    }
}

#[differentiable]
fn predict(point: Point<f64>, model: &Model) -> f64 {
    let mut y = model.bias * model.origin.x;
    for i in 0..model.degree {
        y += model.weights[i] * point.x;
    }
    y * point.y
}

#[test]
fn structs_have_structs_as_gradients() {
    let (point, model) = (Point { x: 10.0, y: 2.0 }, model());
    let rule = rule::<predict>();
    let (y, (dpoint, dmodel)) = rule.value_and_gradient((point.clone(), &model)).unwrap();
    assert_eq!(y, predict(point.clone(), &model));
    assert_eq!(dpoint, PointGradient { x: 10.0, y: 50.5 });
    let expected = ModelGradient {
        weights: vec![20.0, 20.0],
        bias: 2.0,
        degree: (),
        origin: PointGradient { x: 1.0, y: 0.0 },
    };
    assert_eq!(dmodel, expected);
    // Into places, which get the right form; and by reference for a parameter by value.
    let (mut dpoint, mut dmodel) = (PointGradient::default(), ModelGradient::default());
    let places = (&mut dpoint, &mut dmodel);
    let again = rule
        .value_and_gradient_into((&point, &model), places)
        .unwrap();
    assert_eq!((again, dmodel), (y, expected));
    // Constants.
    let (_, (dpoint, ())) = rule.value_and_gradient((&point, Const(&model))).unwrap();
    assert_eq!(dpoint, PointGradient { x: 10.0, y: 50.5 });
    let (_, ((), dmodel)) = rule.value_and_gradient((Const(point), &model)).unwrap();
    assert_eq!(dmodel.bias, 2.0);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Shape {
    Disc { centre: Point<f64>, radius: f64 },
    Box(f64, f64),
    Polygon(Vec<Point<f64>>),
    Empty,
}

#[differentiable]
fn area(shape: &Shape, scale: Option<f64>) -> f64 {
    let plain = match shape {
        Shape::Disc { radius, .. } => 3.0 * radius * radius,
        Shape::Box(a, b) => a * b,
        Shape::Polygon(points) => {
            let mut sum = 0.0;
            for point in points {
                sum += point.x * point.y;
            }
            sum
        }
        Shape::Empty => 0.0,
    };
    match scale {
        Some(s) => s * plain,
        None => plain,
    }
}

#[test]
fn enums_have_the_gradient_of_the_live_variant() {
    let rule = rule::<area>();
    let gradient = |shape: &Shape, scale| rule.value_and_gradient((shape, scale)).unwrap();
    let disc = Shape::Disc {
        centre: Point { x: 1.0, y: 1.0 },
        radius: 2.0,
    };
    let (y, (d, ds)) = gradient(&disc, Some(2.0));
    assert_eq!((y, ds), (24.0, Some(12.0)));
    let zero = PointGradient { x: 0.0, y: 0.0 };
    let expected = ShapeGradient::Disc {
        centre: zero,
        radius: 24.0,
    };
    assert_eq!(d, expected);
    let (y, (d, ds)) = gradient(&Shape::Box(3.0, 4.0), None);
    assert_eq!((y, d, ds), (12.0, ShapeGradient::Box(4.0, 3.0), None));
    let points = vec![Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }];
    let (_, (d, _)) = gradient(&Shape::Polygon(points), Some(1.0));
    let expected = [(2.0, 1.0), (4.0, 3.0)].map(|(x, y)| PointGradient { x, y });
    assert_eq!(d, ShapeGradient::Polygon(expected.to_vec()));
    assert_eq!(
        gradient(&Shape::Empty, Some(1.0)).1,
        (ShapeGradient::Empty, Some(0.0))
    );
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum List {
    Nil,
    Cons(f64, Box<List>),
}

#[differentiable]
fn product(list: &List) -> f64 {
    match list {
        List::Nil => 1.0,
        List::Cons(head, tail) => head * product(tail),
    }
}

#[differentiable]
fn longer(list: List, x: f64) -> List {
    List::Cons(x * x, Box::new(list))
}

#[test]
fn recursive_types() {
    let cons = |x, list| List::Cons(x, Box::new(list));
    let list = cons(2.0, cons(3.0, cons(5.0, List::Nil)));
    let (y, (d,)) = rule::<product>().value_and_gradient((&list,)).unwrap();
    let dcons = |x, list| ListGradient::Cons(x, Box::new(list));
    assert_eq!(y, 30.0);
    assert_eq!(d, dcons(15.0, dcons(10.0, dcons(6.0, ListGradient::Nil))));
    let rule = rule::<longer>();
    let (value, pullback) = rule.value_and_pullback((list.clone(), 7.0)).unwrap();
    assert_eq!(value, cons(49.0, list));
    let tail = dcons(1.0, dcons(2.0, dcons(3.0, ListGradient::Nil)));
    let (dlist, dx) = pullback(dcons(10.0, tail.clone()));
    assert_eq!((dlist, dx), (tail, 140.0));
}

#[differentiable]
fn rows(m: &Vec<Vec<f64>>, corner: [f64; 2]) -> f64 {
    let mut s = corner[0] * corner[1];
    for row in m {
        for x in row {
            s += x * x;
        }
    }
    s
}

#[differentiable]
fn points_sum(points: &[Point<f64>], pairs: &[(f64, usize)]) -> f64 {
    let mut s = 0.0;
    for p in points {
        s += p.x * p.y;
    }
    for i in 0..pairs.len() {
        s += pairs[i].0 * pairs[i].0;
    }
    s
}

#[test]
fn vectors_arrays_and_slices_of_anything() {
    let m = vec![vec![1.0, 2.0], vec![], vec![3.0]];
    let (y, (dm, dcorner)) = rule::<rows>().value_and_gradient((&m, [2.0, 5.0])).unwrap();
    assert_eq!((y, dcorner), (24.0, [5.0, 2.0]));
    assert_eq!(dm, [vec![2.0, 4.0], vec![], vec![6.0]]);
    let points = [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }];
    let pairs = vec![(5.0, 6)];
    let rule = rule::<points_sum>();
    let (y, (dpoints, dpairs)) = rule.value_and_gradient((&points, &pairs)).unwrap();
    assert_eq!(y, 39.0);
    assert_eq!(dpoints[1], PointGradient { x: 4.0, y: 3.0 });
    assert_eq!(dpairs, [(10.0, ())]);
}

#[differentiable]
fn grow(v: &mut Vec<f64>, p: &mut Point<f64>, x: f64) -> f64 {
    v[0] *= x;
    v.push(x * x);
    p.x += v[0];
    p.x * v[v.len() - 1]
}

#[differentiable]
fn turn(v: &mut Vec<f64>, p: &mut Point<f64>, x: f64) -> f64 {
    p.x += v[0] * x;
    v[1] *= p.y;
    p.x * v[1]
}

#[differentiable]
fn shift(points: &mut [Point<f64>], by: f64) {
    for i in 0..points.len() {
        points[i].x *= by;
    }
}

#[test]
fn what_is_behind_mut_is_changed_by_calls_and_unchanged_by_gradients() {
    let ctx = Context::default();
    let start = || (vec![2.0, 1.0], Point { x: 1.0, y: 8.0 });
    let (mut v, mut p) = start();
    let y = ctx
        .build_primal::<grow>()
        .unwrap()
        .call((&mut v, &mut p, 3.0));
    assert_eq!((y.unwrap(), &v), (63.0, &vec![6.0, 1.0, 9.0]));
    assert_eq!(p, Point { x: 7.0, y: 8.0 });
    let (mut v, mut p) = start();
    let rule = rule::<grow>();
    let (y, (dv, dp, dx)) = rule.value_and_gradient((&mut v, &mut p, 3.0)).unwrap();
    assert_eq!((y, &v), (63.0, &vec![2.0, 1.0]));
    assert_eq!(p, start().1);
    assert_eq!((dv, dx), (vec![27.0, 0.0], 2.0 * 9.0 + 7.0 * 6.0));
    assert_eq!(dp, PointGradient { x: 9.0, y: 0.0 });
    let mut points = [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }];
    let shift = self::rule::<shift>();
    let (_, pullback) = shift.pullback((&mut points, 2.0)).unwrap();
    let last = |x, y| PointGradient { x, y };
    let mut gradient = vec![last(1.0, 10.0), last(100.0, 0.0)];
    let mut by = 0.0;
    pullback.accumulate((), (&mut gradient, &mut by)).unwrap();
    assert_eq!(gradient, [last(2.0, 10.0), last(200.0, 0.0)]);
    assert_eq!((by, points[1].x), (301.0, 3.0));
    shift.value((&mut points, 2.0)).unwrap();
    assert_eq!(points[1].x, 6.0);
}

#[derive(Differentiable, Debug)]
struct Node {
    value: f64,
    next: Option<Rc<RefCell<Node>>>,
}

#[differentiable]
fn walk(start: Rc<RefCell<Node>>, steps: usize) -> f64 {
    let mut product = 1.0;
    let mut at = start;
    for _ in 0..steps {
        product *= at.borrow().value;
        let next = at.borrow().next.clone();
        match next {
            Some(node) => at = node,
            None => return product,
        }
    }
    product
}

#[test]
fn graphs_keep_their_form() {
    let node = |value| Rc::new(RefCell::new(Node { value, next: None }));
    let (a, b) = (node(2.0), node(3.0));
    a.borrow_mut().next = Some(b.clone());
    b.borrow_mut().next = Some(a.clone());
    let (y, (d, ())) = rule::<walk>().value_and_gradient((a.clone(), 5)).unwrap();
    assert_eq!(y, 72.0);
    let next = d.borrow().next.clone().unwrap();
    assert_eq!(
        (d.borrow().value, next.borrow().value),
        (3.0 * 72.0 / 2.0, 2.0 * 72.0 / 3.0)
    );
    assert!(Rc::ptr_eq(&d, next.borrow().next.as_ref().unwrap()));
    next.borrow_mut().next = None;
    b.borrow_mut().next = None;
}

#[differentiable]
fn meet(a: &Rc<RefCell<f64>>, b: &Rc<RefCell<f64>>, c: &Cell<f64>) -> f64 {
    *a.borrow_mut() *= 2.0;
    c.set(c.get() + 1.0);
    *a.borrow() * *b.borrow() * c.get()
}

#[test]
fn one_cell_passed_twice_is_one_object() {
    let ctx = Context::default();
    let (a, b, c) = (
        Rc::new(RefCell::new(3.0)),
        Rc::new(RefCell::new(5.0)),
        Cell::new(0.0),
    );
    let rule = ctx.build_rrule::<meet>().unwrap();
    let (y, (da, db, dc)) = rule.value_and_gradient((&a, &b, &c)).unwrap();
    assert_eq!(
        (y, *da.borrow(), *db.borrow(), dc.into_inner()),
        (30.0, 10.0, 6.0, 30.0)
    );
    let (y, (da, db, _)) = rule.value_and_gradient((&a, &a, &c)).unwrap();
    assert_eq!((y, *da.borrow()), (36.0, 24.0));
    assert!(Rc::ptr_eq(&da, &db));
    assert_eq!((*a.borrow(), c.get()), (3.0, 0.0));
    rule.value((&a, &b, &c)).unwrap();
    assert_eq!((*a.borrow(), c.get()), (6.0, 1.0));
}

#[differentiable]
fn split(x: f64, y: f64) -> Result<Point<f64>, f64> {
    if x > y {
        Ok(Point { x: x * y, y })
    } else {
        Err(x * x)
    }
}

#[differentiable]
fn powers(x: f64, n: usize) -> Vec<f64> {
    let mut all = Vec::new();
    let mut p = 1.0;
    for _ in 0..n {
        p *= x;
        all.push(p);
    }
    all
}

#[differentiable]
fn pair(x: &[f64]) -> (f64, Box<[f64; 2]>) {
    (x[0] * x[1], Box::new([x[0], x[1] * x[1]]))
}

#[test]
fn functions_return_values_of_every_type() {
    let ctx = Context::default();
    let split = rule::<split>();
    let (value, pullback) = split.value_and_pullback((3.0, 2.0)).unwrap();
    assert_eq!(value, Ok(Point { x: 6.0, y: 2.0 }));
    assert_eq!(pullback(Ok(PointGradient { x: 1.0, y: 10.0 })), (2.0, 13.0));
    let (value, pullback) = split.value_and_pullback((2.0, 3.0)).unwrap();
    assert_eq!((value, pullback(Err(1.0))), (Err(4.0), (4.0, 0.0)));
    // A cotangent of another variant.
    let (_, pullback) = split.pullback((2.0, 3.0)).unwrap();
    let error = pullback.apply(Ok(PointGradient::default())).unwrap_err();
    assert!(error.to_string().contains("another variant"), "{error}");
    let powers = rule::<powers>();
    let (value, pullback) = powers.value_and_pullback((2.0, 3)).unwrap();
    assert_eq!(value, [2.0, 4.0, 8.0]);
    assert_eq!(pullback(vec![1.0, 1.0, 1.0]), (1.0 + 4.0 + 12.0, ()));
    let error = powers.value_and_gradient((2.0, 3)).unwrap_err().to_string();
    assert!(error.contains("value_and_pullback"), "{error}");
    assert_eq!(
        ctx.build_primal::<self::powers>()
            .unwrap()
            .call((3.0, 2))
            .unwrap(),
        [3.0, 9.0]
    );
    let pair = rule::<pair>();
    let (value, pullback) = pair.value_and_pullback((&[2.0, 3.0],)).unwrap();
    assert_eq!(value, (6.0, Box::new([2.0, 9.0])));
    assert_eq!(
        pullback((1.0, Box::new([10.0, 100.0]))),
        (vec![13.0, 602.0],)
    );
}

#[differentiable]
fn risky(v: &mut Vec<f64>, at: usize) -> f64 {
    v[0] = 100.0;
    v[at] * 2.0
}

#[test]
fn an_error_leaves_arguments_as_they_were_and_gradients_unknown() {
    let mut v = vec![1.0, 2.0];
    let rule = rule::<risky>();
    assert!(rule.value((&mut v, 9)).is_err());
    assert_eq!(v, [1.0, 2.0]);
    let mut dv = vec![5.0, 5.0];
    let error = rule.value_and_gradient_into((&mut v, 9), (&mut dv, &mut ()));
    assert!(error.is_err());
    assert_eq!(v, [1.0, 2.0]);
    assert!(dv.iter().all(|x| x.is_nan()));
    rule.value_and_gradient_into((&mut v, 1), (&mut dv, &mut ()))
        .unwrap();
    assert_eq!(dv, [0.0, 2.0]);
    // A slice is a place for the gradient of a vector, if it has its length.
    let mut place = [0.0; 2];
    rule.value_and_gradient_into((&mut v, 1), (&mut place, &mut ()))
        .unwrap();
    assert_eq!(place, [0.0, 2.0]);
    let mut place = [0.0; 3];
    assert!(
        rule.value_and_gradient_into((&mut v, 1), (&mut place, &mut ()))
            .is_err()
    );
}

#[test]
fn rules_of_values_are_tested_like_others() {
    let ctx = Context::default();
    let check = |name: &str, result: mooncake::Result<()>| {
        result.unwrap_or_else(|error| panic!("{name}: {error}"));
    };
    let (point, model) = (Point { x: 10.0, y: 2.0 }, model());
    check(
        "predict",
        test_rule::<predict>(&ctx, (point.clone(), &model)),
    );
    check(
        "constant",
        test_rule::<predict>(&ctx, (point.clone(), Const(&model))),
    );
    check("reference", test_rule::<predict>(&ctx, (&point, &model)));
    let disc = Shape::Disc {
        centre: Point { x: 1.0, y: 1.0 },
        radius: 2.0,
    };
    check("area", test_rule::<area>(&ctx, (&disc, Some(1.5))));
    let polygon = Shape::Polygon(vec![Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }]);
    check("area", test_rule::<area>(&ctx, (&polygon, None)));
    let cons = |x, list| List::Cons(x, Box::new(list));
    let list = cons(2.0, cons(3.0, cons(5.0, List::Nil)));
    check("product", test_rule::<product>(&ctx, (&list,)));
    check("longer", test_rule::<longer>(&ctx, (list, 1.5)));
    let m = vec![vec![1.0, 2.0], vec![], vec![3.0]];
    check("rows", test_rule::<rows>(&ctx, (&m, [2.0, 5.0])));
    let mut points = [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }];
    check(
        "points",
        test_rule::<points_sum>(&ctx, (&points, &[(5.0, 6)])),
    );
    let (mut v, mut p) = (vec![2.0, 1.0], Point { x: 1.0, y: 8.0 });
    check("turn", test_rule::<turn>(&ctx, (&mut v, &mut p, 3.0)));
    check("shift", test_rule::<shift>(&ctx, (&mut points, 2.0)));
    check("split", test_rule::<split>(&ctx, (3.0, 2.0)));
    check("powers", test_rule::<powers>(&ctx, (1.5, 3)));
    check("pair", test_rule::<pair>(&ctx, (&[2.0, 3.0],)));
    check("risky", test_rule::<risky>(&ctx, (&mut v, 9)));
}

#[test]
fn tangents_have_the_form_of_gradients() {
    let frule = Context::default().build_frule::<predict>().unwrap();
    let (point, model) = (Point { x: 10.0, y: 2.0 }, model());
    let dpoint = PointGradient { x: 0.5, y: 1.0 };
    let dmodel = ModelGradient {
        weights: vec![1.0, 2.0],
        bias: 3.0,
        degree: (),
        origin: PointGradient { x: 4.0, y: 5.0 },
    };
    let args = (point, &model);
    let (y, dy) = frule
        .value_and_derivative(args.clone(), (dpoint.clone(), dmodel))
        .unwrap();
    // By the gradient: (10, 50.5) and weights (20, 20), bias 2, origin (1, 0).
    assert_eq!((y, dy), (101.0, 5.0 + 50.5 + 20.0 + 40.0 + 6.0 + 4.0));
    let (_, dy) = frule.value_and_derivative(args, (dpoint, ())).unwrap();
    assert_eq!(dy, 55.5);
    let frule = Context::default().build_frule::<rows>().unwrap();
    let m = vec![vec![1.0, 2.0], vec![3.0]];
    let dm = vec![vec![1.0, 0.0], vec![1.0]];
    let (_, dy) = frule
        .value_and_derivative((&m, [2.0, 5.0]), (dm, [1.0, 0.0]))
        .unwrap();
    assert_eq!(dy, 2.0 + 6.0 + 5.0);
    let frule = Context::default().build_frule::<powers>().unwrap();
    let (_, dy) = frule.value_and_derivative((2.0, 3), (1.0, ())).unwrap();
    assert_eq!(dy, [1.0, 4.0, 12.0]);
}

/// The laws of a vector space, of its inner product, and of the moves along it, for the tangents of a value.
fn laws<T: Value>(name: &str, value: &T) {
    let check = |law: &str, found: f64, expected: f64| {
        let near = (found - expected).abs() <= 1e-6 * expected.abs().max(1.0);
        assert!(near, "{name}: {law}: {found}, expected {expected}");
    };
    let random = |seed| random_tangent(value, normal(seed)).unwrap();
    let dot = |a: &T::Gradient, b: &T::Gradient| dot(a, b).unwrap();
    let norm = |a: &T::Gradient| dot(a, a);
    let plus = |a: &T::Gradient, b: &T::Gradient| {
        let mut sum = scale(1.0, a).unwrap();
        increment(&mut sum, b).unwrap();
        sum
    };
    let times = |factor: f64, a: &T::Gradient| scale(factor, a).unwrap();
    let distance = |a: &T::Gradient, b: &T::Gradient| norm(&plus(a, &times(-1.0, b)));
    let zero = zero_tangent(value).unwrap();
    let (x, y, z) = (random(1), random(2), random(3));
    assert!(norm(&x) > 0.0, "{name} has a tangent");
    check("x + 0 = x", distance(&plus(&x, &zero), &x), 0.0);
    check("x + y = y + x", distance(&plus(&x, &y), &plus(&y, &x)), 0.0);
    let sums = (plus(&plus(&x, &y), &z), plus(&x, &plus(&y, &z)));
    check("(x + y) + z = x + (y + z)", distance(&sums.0, &sums.1), 0.0);
    let sums = (
        times(0.5, &plus(&x, &y)),
        plus(&times(0.5, &x), &times(0.5, &y)),
    );
    check("a (x + y) = a x + a y", distance(&sums.0, &sums.1), 0.0);
    check("x · y = y · x", dot(&x, &y), dot(&y, &x));
    let sum = plus(&times(-2.0, &x), &y);
    check(
        "(a x + y) · z",
        dot(&sum, &z),
        -2.0 * dot(&x, &z) + dot(&y, &z),
    );
    check("x + x", distance(&plus(&x, &x), &times(2.0, &x)), 0.0);
    let mut twice = scale(1.0, &x).unwrap();
    increment(&mut twice, &x.clone()).unwrap();
    check("in place", distance(&twice, &times(2.0, &x)), 0.0);

    let moved = |by: f64, along: &T::Gradient| add_to_primal(value, by, along).unwrap();
    let from = |to: &T| difference(to, value).unwrap();
    check("p + 0 x = p", norm(&from(&moved(0.0, &x))), 0.0);
    check(
        "(p + a x) - p = a x",
        distance(&from(&moved(0.5, &x)), &times(0.5, &x)),
        0.0,
    );
    let there = add_to_primal(&moved(0.5, &x), 1.0, &y).unwrap();
    let sum = plus(&times(0.5, &x), &y);
    check(
        "(p + a x) + y = p + (a x + y)",
        distance(&from(&there), &sum),
        0.0,
    );
    check(
        "p - q = -(q - p)",
        {
            let q = moved(0.25, &y);
            distance(&from(&q), &times(-1.0, &difference(value, &q).unwrap()))
        },
        0.0,
    );
    check(
        "p is as it was",
        norm(&difference(value, &moved(0.0, &x)).unwrap()),
        0.0,
    );
}

fn circle(values: &[f64]) -> Rc<RefCell<Node>> {
    let node = |&value| Rc::new(RefCell::new(Node { value, next: None }));
    let nodes: Vec<Rc<RefCell<Node>>> = values.iter().map(node).collect();
    for i in 0..nodes.len() {
        nodes[i].borrow_mut().next = Some(nodes[(i + 1) % nodes.len()].clone());
    }
    nodes[0].clone()
}

#[test]
fn tangents_of_every_type_form_a_vector_space() {
    laws("f64", &1.5);
    laws("f32", &1.5f32);
    laws("Vec", &vec![1.0, 2.0, 3.0]);
    laws("a tuple", &(1.0, 2usize, (3.0f32, "text"), vec![4.0]));
    laws("Point", &Point { x: 10.0, y: 2.0 });
    laws(
        "Point<Vec>",
        &Point {
            x: vec![1.0],
            y: vec![],
        },
    );
    laws("Model", &model());
    let centre = Point { x: 1.0, y: 1.0 };
    laws(
        "Disc",
        &Shape::Disc {
            centre,
            radius: 2.0,
        },
    );
    laws("Polygon", &Shape::Polygon(vec![Point { x: 1.0, y: 2.0 }]));
    let cons = |x, list| List::Cons(x, Box::new(list));
    laws("List", &cons(2.0, cons(3.0, List::Nil)));
    laws("nested", &vec![vec![1.0, 2.0], vec![], vec![3.0]]);
    laws("[f64; 2]", &[1.0, 2.0]);
    laws("Box<[_]>", &vec![(5.0, 6)].into_boxed_slice());
    laws("Rc<[_]>", &Rc::<[f64]>::from([1.0, 2.0]));
    laws("Option", &Some(1.0));
    laws("Ok", &Ok::<Point<f64>, f64>(Point { x: 6.0, y: 2.0 }));
    laws("Err", &Err::<Point<f64>, f64>(4.0));
    laws("Rc", &Rc::new(model()));
    let shared = Rc::new(model());
    laws("an Rc held twice", &(shared.clone(), shared));
    laws("Cell", &Cell::new(1.0));
    laws("RefCell", &RefCell::new(vec![1.0, 2.0]));
    let cell = Rc::new(RefCell::new(1.0));
    laws(
        "one cell twice",
        &vec![cell.clone(), Rc::new(RefCell::new(2.0)), cell],
    );
    laws("a cell of one number", &Rc::new(Cell::new(1.0)));
    laws("a circle", &circle(&[1.0, 2.0, 3.0]));
    laws("a loop", &circle(&[1.0]));
    laws("Array", &Array::from_vec(vec![1.0f32, 2.0], [2, 1]));
    laws(
        "Array<f64>",
        &(
            Array::from_vec(vec![1.0, 2.0], [2]),
            Array::<u32>::zeros([3]),
        ),
    );
}

#[test]
fn what_is_held_twice_counts_once_and_stays_one() {
    let cell = Rc::new(RefCell::new(3.0));
    let both = (cell.clone(), cell.clone());
    let (a, b) = random_tangent(&both, || 2.0).unwrap();
    assert!(Rc::ptr_eq(&a, &b));
    let mut tangent = (a, b);
    assert_eq!(dot(&tangent, &tangent).unwrap(), 4.0);
    let (a, b) = add_to_primal(&both, 0.5, &tangent).unwrap();
    assert!(Rc::ptr_eq(&a, &b) && !Rc::ptr_eq(&a, &cell));
    assert_eq!((*a.borrow(), *cell.borrow()), (4.0, 3.0));
    // In place: whoever holds the cell sees it.
    let held = tangent.0.clone();
    let by = scale(3.0, &tangent).unwrap();
    increment(&mut tangent, &by).unwrap();
    assert_eq!(*held.borrow(), 8.0);
    // Another sharing is another form.
    let two = (Rc::new(RefCell::new(1.0)), Rc::new(RefCell::new(1.0)));
    for found in [
        increment(&mut tangent, &two),
        increment(&mut two.clone(), &tangent),
    ] {
        assert_eq!(
            found.unwrap_err().to_string(),
            "at `.1` tangents differ in form: one cell that is held twice, and two cells"
        );
    }
    assert_eq!(*held.borrow(), 8.0);
    // Crosswise: what is added is what was there before.
    let (mut a, b) = (
        (two.0.clone(), two.1.clone()),
        (two.1.clone(), two.0.clone()),
    );
    *two.1.borrow_mut() = 10.0;
    increment(&mut a, &b).unwrap();
    assert_eq!((*two.0.borrow(), *two.1.borrow()), (11.0, 11.0));
    // A circle stays one.
    let around = circle(&[1.0, 2.0]);
    let moved = add_to_primal(&around, 1.0, &random_tangent(&around, || 1.0).unwrap()).unwrap();
    let next = moved.borrow().next.clone().unwrap();
    assert_eq!((moved.borrow().value, next.borrow().value), (2.0, 3.0));
    assert!(Rc::ptr_eq(next.borrow().next.as_ref().unwrap(), &moved));
}

#[test]
fn tangents_of_another_form_are_refused_with_the_place() {
    #[track_caller]
    fn check<G: mooncake::Cotangent>(mut a: G, b: G, expected: &str) {
        for result in [dot(&a, &b).map(drop), increment(&mut a, &b)] {
            assert_eq!(result.unwrap_err().to_string(), expected);
        }
    }
    let zero = zero_tangent(&model()).unwrap();
    let mut longer = zero.clone();
    longer.weights.push(0.0);
    check(
        vec![zero.clone(), zero.clone()],
        vec![zero.clone(), longer.clone()],
        "at `[1].weights` tangents differ in form: 2 elements, and 3 elements",
    );
    let refused = add_to_primal(&model(), 1.0, &longer).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "at `.weights` tangents differ in form: 2 elements, and 3 elements"
    );
    check(
        ShapeGradient::Box(1.0, 2.0),
        ShapeGradient::Empty,
        "tangents differ in form: `Box`, and `Empty`",
    );
    let cons = |x, list| ListGradient::Cons(x, Box::new(list));
    check(
        cons(1.0, cons(1.0, ListGradient::Nil)),
        cons(1.0, ListGradient::Nil),
        "at `.1` tangents differ in form: `Cons`, and `Nil`",
    );
    check(
        (1.0, Some(2.0)),
        (1.0, None),
        "at `.1` tangents differ in form: `Some`, and `None`",
    );
    check(
        Array::<f32>::zeros([2, 3]),
        Array::zeros([3, 2]),
        "tangents differ in form: the shape [2, 3], and the shape [3, 2]",
    );
    let cell = Rc::new(RefCell::new(1.0));
    let borrowed = cell.borrow_mut();
    for error in [
        zero_tangent(&cell).map(drop).unwrap_err(),
        scale(1.0, &cell).map(drop).unwrap_err(),
        dot(&cell, &cell).map(drop).unwrap_err(),
        add_to_primal(&cell, 1.0, &cell).map(drop).unwrap_err(),
    ] {
        assert!(
            error.to_string().starts_with("a RefCell is borrowed"),
            "{error}"
        );
    }
    drop(borrowed);
    let slice: &[f64] = &[1.0];
    let error = add_to_primal(&slice, 1.0, &vec![1.0]).unwrap_err();
    assert!(error.to_string().contains("cannot be copied"), "{error}");
}

/// A step of gradient descent on values of every kind, by the difference that it makes.
#[test]
fn gradients_are_tangents() {
    let rule = rule::<predict>();
    let (point, model) = (Point { x: 10.0, y: 2.0 }, model());
    let (y, gradient) = rule.value_and_gradient((point.clone(), &model)).unwrap();
    let start = (point, model);
    let along = random_tangent(&start, normal(5)).unwrap();
    let at = |t: f64| {
        let (point, model) = add_to_primal(&start, t, &along).unwrap();
        rule.value((point, &model)).unwrap()
    };
    let (t, slope) = (1e-5, dot(&gradient, &along).unwrap());
    assert_eq!(at(0.0), y);
    assert!(((at(t) - at(-t)) / (2.0 * t) - slope).abs() < 1e-6 * slope.abs());
}

#[differentiable]
fn double(x: &mut f64, n: &mut usize, y: f64) -> f64 {
    *x = *x * *x * y;
    *n += 1;
    *x
}

#[differentiable]
fn swap(pair: &mut (f64, f64), list: &mut List) -> f64 {
    let first = pair.0;
    pair.0 = pair.1 * pair.1;
    pair.1 = first;
    match list {
        List::Nil => {}
        List::Cons(head, _) => {
            *head *= first;
        }
    }
    first
}

#[test]
fn tangents_behind_mut_are_those_of_the_final_contents() {
    let ctx = Context::default();
    let frule = ctx.build_frule::<grow>().unwrap();
    let (mut v, mut p) = (vec![2.0, 1.0], Point { x: 1.0, y: 8.0 });
    let (mut dv, mut dp) = (
        vec![1.0, 10.0],
        PointGradient {
            x: 100.0,
            y: 1000.0,
        },
    );
    let args = (&mut v, &mut p, 3.0);
    let (y, dy) = frule
        .value_and_derivative(args, (&mut dv, &mut dp, 1.0))
        .unwrap();
    // v = [2·3, 1, 3²], p.x = 1 + 6
    assert_eq!((y, &v, p.x), (63.0, &vec![6.0, 1.0, 9.0], 7.0));
    assert_eq!((dy, dv), (9.0 * 105.0 + 7.0 * 6.0, vec![5.0, 10.0, 6.0]));
    assert_eq!(
        dp,
        PointGradient {
            x: 105.0,
            y: 1000.0
        }
    );
    // Some of them stand still.
    let (mut v, mut dv) = (vec![2.0, 1.0], vec![1.0, 0.0]);
    let (_, dy) = frule
        .value_and_derivative((&mut v, &mut p, 3.0), (&mut dv, (), ()))
        .unwrap();
    assert_eq!((dy, dv), (27.0, vec![3.0, 0.0, 0.0]));
    let mut dp = PointGradient { x: 1.0, y: 2.0 };
    let (_, dy) = frule
        .value_and_derivative((Const(&mut v), &mut p, 3.0), ((), &mut dp, ()))
        .unwrap();
    assert_eq!((dy, dp), (9.0, PointGradient { x: 1.0, y: 2.0 }));

    let frule = ctx.build_frule::<double>().unwrap();
    let (mut x, mut n, mut dx) = (3.0, 4, 1.0);
    let tangents = (&mut dx, &mut (), 0.5);
    let (y, dy) = frule
        .value_and_derivative((&mut x, &mut n, 2.0), tangents)
        .unwrap();
    assert_eq!((y, dy, x, n, dx), (18.0, 16.5, 18.0, 5, 16.5));

    let frule = ctx.build_frule::<swap>().unwrap();
    let cons = |x| List::Cons(x, Box::new(List::Nil));
    let dcons = |x| ListGradient::Cons(x, Box::new(ListGradient::Nil));
    let (mut pair, mut list) = ((3.0, 5.0), cons(7.0));
    let (mut dpair, mut dlist) = ((1.0, 10.0), dcons(0.5));
    let (y, dy) = frule
        .value_and_derivative((&mut pair, &mut list), (&mut dpair, &mut dlist))
        .unwrap();
    assert_eq!((y, dy, pair, dpair), (3.0, 1.0, (25.0, 3.0), (100.0, 1.0)));
    assert_eq!((list, dlist), (cons(21.0), dcons(3.0 * 0.5 + 7.0)));
    // A tangent of another variant.
    let error = frule
        .value_and_derivative(
            (&mut pair, &mut cons(1.0)),
            (&mut dpair, &mut ListGradient::Nil),
        )
        .unwrap_err();
    assert!(error.to_string().contains("another variant"), "{error}");
}

#[test]
fn cells_have_one_tangent_which_is_that_of_the_final_contents() {
    let frule = Context::default().build_frule::<meet>().unwrap();
    let cell = |x: f64| Rc::new(RefCell::new(x));
    let (a, b, c) = (cell(3.0), cell(5.0), Cell::new(1.0));
    let (da, db) = (cell(1.0), cell(10.0));
    let tangents = (da.clone(), db.clone(), ());
    let (y, dy) = frule.value_and_derivative((&a, &b, &c), tangents).unwrap();
    assert_eq!(
        (y, dy, *a.borrow()),
        (60.0, 2.0 * 2.0 * 5.0 + 6.0 * 2.0 * 10.0, 6.0)
    );
    assert_eq!((*da.borrow(), *db.borrow()), (2.0, 10.0));
    // One cell in two arguments: one tangent in both, and not two.
    let tangents = (da.clone(), da.clone(), ());
    let (y, dy) = frule.value_and_derivative((&a, &a, &c), tangents).unwrap();
    assert_eq!(
        (y, dy, *da.borrow()),
        (12.0 * 12.0 * 3.0, 2.0 * 12.0 * 4.0 * 3.0, 4.0)
    );
    let error = frule
        .value_and_derivative((&a, &a, &c), (da, db, ()))
        .unwrap_err();
    assert!(
        error.to_string().starts_with("one cell has two tangents"),
        "{error}"
    );
}

#[test]
fn two_places_for_the_gradient_of_one_cell_hold_its_sum() {
    let rule = rule::<meet>();
    let cell = |x: f64| Rc::new(RefCell::new(x));
    let (a, c) = (cell(3.0), Cell::new(0.0));
    let (mut first, mut second, mut dc) = (cell(0.25), cell(0.5), RefCell::new(0.0));
    let (_, pullback) = rule.pullback((&a, &a, &c)).unwrap();
    pullback
        .accumulate(1.0, (&mut first, &mut second, &mut dc))
        .unwrap();
    // The final contents move the initial ones twice as far.
    assert_eq!(
        (*first.borrow(), Rc::ptr_eq(&first, &second)),
        (24.0 + 2.0 * 0.75, true)
    );
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Held {
    v: Vec<f64>,
    cell: Rc<RefCell<f64>>,
}

#[differentiable]
fn consume(mut rows: Vec<Vec<f64>>, mut pair: (f64, Box<f64>)) -> f64 {
    rows.swap(0, 1);
    rows[0][1] *= rows[1][0];
    let last = rows[0][1] * pair.0;
    rows[1].push(last);
    *pair.1 *= pair.0;
    rows[1][2] + *pair.1
}

#[differentiable]
fn consume_held(mut held: Held) -> f64 {
    held.v[0] *= 2.0;
    *held.cell.borrow_mut() *= held.v[0];
    held.v[0] * held.v[1]
}

#[test]
fn a_gradient_is_added_to_that_of_what_the_function_consumes() {
    let rule = rule::<consume>();
    let args = || (vec![vec![2.0, 3.0], vec![4.0, 5.0]], (7.0, Box::new(11.0)));
    let (_, (drows, dpair)) = rule.value_and_gradient(args()).unwrap();
    assert_eq!(drows, [[35.0, 0.0], [0.0, 14.0]]);
    let mut places = (vec![vec![0.5; 2]; 2], (0.25, Box::new(0.125)));
    let (_, pullback) = rule.pullback(args()).unwrap();
    let slots = (&mut places.0, &mut places.1);
    pullback.accumulate(1.0, slots).unwrap();
    assert_eq!(places.0, [[35.5, 0.5], [0.5, 14.5]]);
    assert_eq!(places.1, (dpair.0 + 0.25, Box::new(*dpair.1 + 0.125)));

    let ctx = Context::default();
    test_rule::<consume>(&ctx, args()).unwrap();
    let (v, cell) = (vec![1.0, 3.0], Rc::new(RefCell::new(0.5)));
    test_rule::<consume_held>(&ctx, (Held { v, cell },)).unwrap();
}

#[differentiable]
fn stretch(p: &mut Point<f64>) -> (f64, f64) {
    p.x *= p.y;
    (p.x, p.y)
}

#[test]
fn a_jacobian_finds_its_arguments_as_they_were() {
    let mut p = Point { x: 2.0, y: 3.0 };
    let (_, rows) = Context::default()
        .value_and_jacobian::<stretch>((&mut p,))
        .unwrap();
    assert_eq!(rows, [[3.0, 2.0], [0.0, 1.0]]);
    assert_eq!(p, Point { x: 2.0, y: 3.0 });
}

#[differentiable]
fn through_slice(x: f64, u: &mut [f64]) -> f64 {
    u[0] = x * x;
    u[0] * u[1]
}

#[differentiable]
fn through_vec(x: f64, u: &mut Vec<f64>) -> f64 {
    u[0] = x * x;
    u[0] * u[1]
}

#[differentiable]
fn through_point(x: f64, u: &mut Point<f64>) -> f64 {
    u.x = x * x;
    u.x * u.y
}

#[differentiable]
fn through_cell(x: f64, u: &Rc<RefCell<Point<f64>>>) -> f64 {
    u.borrow_mut().x = x * x;
    let y = u.borrow().y;
    u.borrow().x * y
}

#[differentiable]
fn scratch(x: f64, u: &mut [f64]) -> f64 {
    u[0] = x;
    x * x
}

/// Derivatives pass through memory whose own gradient is not asked for. Through slices they do not, which is an error that says
/// what to do; but what is only written may be constant.
#[test]
fn constant_memory_does_not_swallow_derivatives() {
    let ctx = Context::default();
    let p = || Point { x: 1.0, y: 5.0 };
    let cell = Rc::new(RefCell::new(p()));
    let expected = (45.0, (30.0, ()));
    let found = rule::<through_vec>().value_and_gradient((3.0, Const(&mut vec![1.0, 5.0])));
    assert_eq!(found.unwrap(), expected);
    let found = rule::<through_point>().value_and_gradient((3.0, Const(&mut p())));
    assert_eq!(found.unwrap(), expected);
    let found = rule::<through_cell>().value_and_gradient((3.0, Const(&cell)));
    assert_eq!(found.unwrap(), expected);
    test_rule::<through_vec>(&ctx, (3.0, Const(&mut vec![1.0, 5.0]))).unwrap();
    test_rule::<through_point>(&ctx, (3.0, Const(&mut p()))).unwrap();
    test_rule::<through_cell>(&ctx, (3.0, Const(&cell))).unwrap();
    test_rule::<scratch>(&ctx, (3.0, Const(&mut [0.0]))).unwrap();

    let rule = rule::<through_slice>();
    let refused = [
        rule.value_and_gradient((3.0, Const(&mut [1.0, 5.0]))).err(),
        rule.pullback((3.0, Const(&mut [1.0, 5.0]))).err(),
    ];
    for error in refused {
        let Some(Error::User(found)) = error else {
            panic!("expected a diagnostic, found {error:?}")
        };
        assert!(found.span.file.ends_with("values.rs"), "{}", found.span);
        assert!(found.message.ends_with(
            "stores values that depend on active parameters in `u`, which is marked constant, and reads them back"
        ));
        assert_eq!(
            found.help,
            "do not mark that argument `Const`: pass it as it is, and ignore its gradient if you do not need it"
        );
    }
    // What it says to do.
    let (y, (dx, _)) = rule.value_and_gradient((3.0, &mut [1.0, 5.0])).unwrap();
    assert_eq!((y, dx), (45.0, 30.0));
}

#[differentiable]
fn of_either(mut x: std::result::Result<f64, f64>, rc: Rc<Vec<f64>>, by: f64) -> f64 {
    if let Ok(x) = &mut x {
        *x *= by;
    }
    match x {
        Ok(x) | Err(x) => x * rc[0] * rc[1],
    }
}

/// What has another form stays as it is, and others who hold the place see nothing of what is added to it.
#[test]
fn a_gradient_is_added_to_what_has_its_form() {
    let rule = rule::<of_either>();
    let rc = Rc::new(vec![5.0, 7.0]);
    let add = |to: &mut (std::result::Result<f64, f64>, Rc<Vec<f64>>, f64)| {
        let (_, pullback) = rule.pullback((Ok(2.0), rc.clone(), 3.0)).unwrap();
        pullback.accumulate(1.0, (&mut to.0, &mut to.1, &mut to.2))
    };
    let held = Rc::new(vec![0.5, 0.25]);
    let mut places = (Ok(1.0), held.clone(), 0.125);
    add(&mut places).unwrap();
    assert_eq!(places, (Ok(106.0), Rc::new(vec![42.5, 30.25]), 70.125));
    assert_eq!(*held, [0.5, 0.25]);

    let mut places = (Err(1.0), held.clone(), 0.125);
    let error = add(&mut places).unwrap_err().to_string();
    assert!(error.contains("form"), "{error}");
    assert_eq!(places, (Err(1.0), held.clone(), 0.125));

    let mut places = (Ok(1.0), Rc::new(vec![0.5]), 0.125);
    let error = add(&mut places).unwrap_err().to_string();
    assert!(error.contains("elements"), "{error}");
    assert_eq!(*places.1, [0.5]);
}

type Cells = Vec<Rc<RefCell<f64>>>;

#[differentiable]
fn in_another_order(mut cells: Cells, swap: bool) -> f64 {
    if swap {
        cells.swap(0, 1);
    }
    *cells[0].borrow_mut() *= 3.0;
    *cells[0].borrow() * *cells[1].borrow()
}

/// What a cell's place holds is the cotangent of that cell's final content. Where the function has moved the cell nobody knows
/// which that is.
#[test]
fn gradients_of_cells_are_added_to_where_they_stay() {
    let rule = rule::<in_another_order>();
    let cells = |x, y| vec![Rc::new(RefCell::new(x)), Rc::new(RefCell::new(y))];
    let add = |swap, to: &mut Cells| {
        let (_, pullback) = rule.pullback((cells(2.0, 5.0), swap)).unwrap();
        pullback.accumulate(1.0, (to, &mut ()))
    };
    let mut place = cells(0.5, 0.25);
    let held = place[0].clone();
    add(false, &mut place).unwrap();
    assert_eq!(place, cells(15.0 + 3.0 * 0.5, 6.0 + 0.25));
    assert!(Rc::ptr_eq(&held, &place[0]));
    let error = add(true, &mut cells(0.5, 0.25)).unwrap_err().to_string();
    assert!(
        error.contains("whose cells the function has moved"),
        "{error}"
    );
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Couple {
    cell: Rc<RefCell<f64>>,
    other: Rc<RefCell<f64>>,
}

#[differentiable]
fn let_go(held: &mut Couple, x: f64) -> f64 {
    *held.cell.borrow_mut() *= x;
    let y = *held.cell.borrow();
    std::mem::swap(&mut held.cell, &mut held.other);
    held.other = Rc::new(RefCell::new(2.0 * x));
    y * *held.cell.borrow()
}
#[differentiable]
fn let_go_of_last(cells: &mut Cells, x: f64) -> f64 {
    *cells[0].borrow_mut() *= x;
    let last = cells.pop().unwrap();
    *last.borrow_mut() += 1.0;
    let y = *last.borrow();
    y * x
}

/// After the call nothing leads to the cell, but for others that hold it, and the pullback leads to it again.
#[test]
fn cells_that_arguments_let_go_of_are_restored() {
    let cell = |x| Rc::new(RefCell::new(x));
    let (a, b) = (cell(0.5), cell(1.5));
    let mut held = Couple {
        cell: a.clone(),
        other: b.clone(),
    };
    let rule = rule::<let_go>();
    let (y, pullback) = rule.value_and_pullback((&mut held, 2.0)).unwrap();
    assert_eq!((y, *a.borrow()), (1.5, 1.0));
    let (gradient, dx) = pullback(1.0);
    assert_eq!(
        (*gradient.cell.borrow(), *gradient.other.borrow(), dx),
        (3.0, 1.0, 0.75)
    );
    assert!(Rc::ptr_eq(&held.cell, &a) && Rc::ptr_eq(&held.other, &b));
    assert_eq!((*a.borrow(), *b.borrow()), (0.5, 1.5));

    let ctx = Context::default();
    test_rule::<let_go>(&ctx, (&mut held, 0.7)).unwrap();
    test_rule::<let_go_of_last>(&ctx, (&mut vec![b.clone(), a.clone()], 0.7)).unwrap();
    test_rule::<let_go_of_last>(&ctx, (&mut vec![a.clone(), a], 0.7)).unwrap();
}

/// A plain value of all that a row can have: numbers of every width, and fixed arrays of numbers, of tuples and of arrays.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Body {
    name: u8,
    fixed: bool,
    mass: f32,
    at: [f64; 3],
    spin: [[f32; 2]; 2],
    none: [u16; 0],
    charges: [(i16, f64); 2],
    origin: (f64, Unit),
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Unit;

fn bodies() -> Vec<Body> {
    let body = |i: u8| {
        let x = f64::from(i);
        Body {
            name: i,
            fixed: i == 1,
            mass: 1.5 + f32::from(i),
            at: [x, 0.5 * x, 1.0 - x],
            spin: [[0.5, f32::from(i)], [2.0, -1.0]],
            none: [],
            charges: [(i16::from(i), 0.25), (-2, x + 0.5)],
            origin: (0.1 * x, Unit),
        }
    };
    (0..5).map(body).collect()
}

#[differentiable]
fn energy(bodies: &[Body]) -> f64 {
    let mut sum = 0.0;
    for body in bodies {
        if body.fixed {
            continue;
        }
        let [x, y, z] = body.at;
        sum += body.mass as f64 * (x * y + z * z) * body.name as f64;
        for (i, row) in body.spin.iter().enumerate() {
            sum += (row[0] * row[1]) as f64 * x * i as f64;
        }
        for (count, charge) in body.charges {
            sum += count as f64 * charge * charge * body.origin.0;
        }
        sum += body.none.len() as f64;
    }
    sum
}

#[differentiable]
fn exchanged(bodies: &mut [Body]) -> f64 {
    bodies.swap(0, 1);
    let taken = bodies[2].at;
    bodies[3].at = [taken[1] * taken[0], taken[2], 1.0];
    bodies[4].spin[0] = bodies[3].spin[1];
    energy(bodies)
}

#[differentiable]
fn pairs_and_matrices(pairs: &[[f64; 2]], matrices: Vec<[[f64; 2]; 2]>, none: &[Unit]) -> f64 {
    let mut sum = none.len() as f64;
    for [a, b] in pairs {
        sum += a * b * b;
    }
    for m in &matrices {
        sum += m[0][0] * m[1][1] - m[0][1] * m[1][0];
    }
    sum
}

#[test]
fn rows_of_plain_values_go_in_and_out() {
    let ctx = Context::default();
    let tested = [
        test_rule::<energy>(&ctx, (&bodies()[..],)),
        test_rule::<energy>(&ctx, (&[][..],)),
        test_rule::<exchanged>(&ctx, (&mut bodies()[..],)),
        test_rule::<pairs_and_matrices>(
            &ctx,
            (
                &[[1.0, 2.0], [0.5, -1.5]][..],
                vec![[[1.0, 2.0], [3.0, 4.0]], [[0.5, 0.0], [0.25, -2.0]]],
                &[Unit, Unit][..],
            ),
        ),
    ];
    for tested in tested {
        tested.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn gradients_of_arrays_that_change_places_are_found() {
    let (mut native, mut given) = (bodies(), bodies());
    let rule = rule::<exchanged>();
    let (y, (gradient,)) = rule.value_and_gradient((&mut given[..],)).unwrap();
    assert_eq!(y, exchanged(&mut native[..]));
    assert_eq!(given, bodies());
    assert_eq!(rule.value((&mut given[..],)).unwrap(), y);
    assert_eq!(given, native);
    // What was in the third place comes twice, the fourth's own place in space not at all.
    assert_eq!(gradient[3].at, [0.0; 3]);
    let [a, b, c] = bodies()[2].at;
    let (mass, moved) = (
        f64::from(bodies()[2].mass),
        f64::from(bodies()[3].mass) * 3.0,
    );
    let spin = f64::from(bodies()[2].spin[1][0] * bodies()[2].spin[1][1]);
    let turned = f64::from(bodies()[3].spin[1][0] * bodies()[3].spin[1][1]);
    let expected = [
        2.0 * mass * b + spin + (moved * c + turned) * b,
        2.0 * mass * a + (moved * c + turned) * a,
        4.0 * mass * c + moved * a * b,
    ];
    for (found, expected) in gradient[2].at.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

/// A step of a program, in rows that hold one variant after another.
#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Step {
    Stay,
    Weighted { by: f64, flags: Vec<bool> },
    Mixed(Vec<f64>, f32, Option<f64>),
    Nested(Vec<Step>, [f64; 2]),
    Failed(Result<f64, Vec<f32>>, u8),
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plain,
    Doubled,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Layer {
    kind: Kind,
    rows: Vec<Vec<f64>>,
    steps: Vec<Step>,
    counts: Box<[u8]>,
}

fn steps() -> Vec<Step> {
    vec![
        Step::Weighted {
            by: 0.5,
            flags: vec![true, false, true],
        },
        Step::Mixed(vec![1.0, 2.0, 3.0], 0.25, None),
        Step::Stay,
        Step::Nested(
            vec![
                Step::Mixed(vec![], 2.0, Some(3.0)),
                Step::Nested(vec![], [0.5, 1.5]),
                Step::Failed(Err(vec![1.5, 0.5]), 3),
            ],
            [1.0, 2.0],
        ),
        Step::Failed(Ok(0.75), 2),
    ]
}

fn layers() -> Vec<Layer> {
    let layer = |kind: Kind, n: u8| Layer {
        kind,
        rows: (0..n).map(|i| vec![f64::from(i); usize::from(i)]).collect(),
        steps: steps(),
        counts: (0..n).collect(),
    };
    vec![
        layer(Kind::Plain, 3),
        layer(Kind::Doubled, 0),
        layer(Kind::Doubled, 4),
    ]
}

#[differentiable]
fn walked(steps: &[Step]) -> f64 {
    let mut x = 1.0;
    for step in steps {
        match step {
            Step::Stay => x += 1.0,
            Step::Weighted { by, flags } => {
                for flag in flags {
                    x = if *flag { x * by + 1.0 } else { x + by * by };
                }
            }
            Step::Mixed(terms, scale, last) => {
                x += terms.iter().map(|t| t * t * x).sum::<f64>() * *scale as f64;
                x *= last.unwrap_or(1.5);
            }
            Step::Nested(inner, [a, b]) => x += walked(inner) * a * b,
            Step::Failed(Ok(y), n) => x += y * y * *n as f64,
            Step::Failed(Err(terms), n) => x += (terms[0] * terms[*n as usize - 2]) as f64,
        }
    }
    x
}

#[differentiable]
fn through(layers: &[Layer], ragged: &[Vec<f64>], cubes: &Vec<Vec<Vec<f64>>>) -> f64 {
    let mut sum = 0.0;
    for layer in layers {
        let factor = match layer.kind {
            Kind::Plain => 1.0,
            Kind::Doubled => 2.0,
        };
        for (row, count) in layer.rows.iter().zip(&layer.counts) {
            sum += factor * row.iter().map(|x| x * x * x).sum::<f64>() * *count as f64;
        }
        sum += walked(&layer.steps);
    }
    for row in ragged {
        sum += row.iter().product::<f64>();
    }
    for row in cubes.iter().flatten() {
        sum += row.iter().map(|x| x * x).sum::<f64>();
    }
    sum
}

/// The steps change: vectors in them grow and change places, variants are others.
#[differentiable]
fn rewritten(steps: &mut Vec<Step>, mut owned: Vec<Vec<f64>>) -> f64 {
    steps.swap(0, 1);
    if let Step::Mixed(terms, ..) = &mut steps[0] {
        terms.push(terms[0] * terms[1]);
    }
    steps[2] = Step::Mixed(owned[0].clone(), 1.0, Some(owned[1][0]));
    owned.swap(0, 1);
    let (new, second) = (3.0 * owned[1][0], owned[0][1]);
    owned[0].push(new);
    owned.push(vec![second]);
    owned[1].truncate(1);
    walked(steps) * owned.iter().flatten().sum::<f64>()
}

#[test]
fn rows_of_vectors_and_enums_go_in_and_out() {
    let ctx = Context::default();
    let ragged = [vec![1.0, 2.0, 3.0], vec![], vec![0.5], vec![-1.0, 0.25]];
    let cubes = vec![vec![vec![1.0], vec![]], vec![], vec![vec![2.0, 3.0]]];
    let owned = vec![vec![0.5, 1.5], vec![2.0, -1.0]];
    let tested = [
        test_rule::<walked>(&ctx, (&steps()[..],)),
        test_rule::<walked>(&ctx, (&[][..],)),
        test_rule::<through>(&ctx, (&layers()[..], &ragged[..], &cubes)),
        test_rule::<rewritten>(&ctx, (&mut steps(), owned.clone())),
    ];
    for tested in tested {
        tested.unwrap_or_else(|error| panic!("{error}"));
    }
    let rule = rule::<through>();
    let (_, gradient) = rule
        .value_and_gradient((&layers()[..], &ragged[..], &cubes))
        .unwrap();
    assert_eq!(
        gradient.1,
        [vec![6.0, 3.0, 2.0], vec![], vec![1.0], vec![0.25, -1.0]]
    );
    assert_eq!(
        gradient.2,
        [vec![vec![2.0], vec![]], vec![], vec![vec![4.0, 6.0]]]
    );
    // Places that have held the gradient of something else.
    let mut kept = gradient;
    rule.value_and_gradient_into((&layers()[1..], &ragged[2..], &Vec::new()), &mut kept)
        .unwrap();
    assert_eq!((kept.0.len(), kept.2.len()), (2, 0));
    assert_eq!(kept.1, [vec![1.0], vec![0.25, -1.0]]);
    assert!(matches!(kept.0[0].steps[2], StepGradient::Stay));
}

/// Types that contain themselves through other types, so that their fields do not show it.
#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Term {
    Sum(Operands),
    Product(Operands),
    Same(Box<Term>),
    Number(f64, f64),
}
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Operands {
    left: Box<Term>,
    right: Boxed,
}
type Boxed = Box<Term>;
#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Chain {
    Next(Link),
    End(f64, f64),
}
type Link = Box<Chain>;
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Steps {
    x: f64,
    next: Result<Box<Steps>, f64>,
}

/// There are boxes in every variant.
#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Deep {
    Next(Box<Deep>),
    Twice(Box<Deep>, Box<Deep>),
    End(f64, Box<f64>, f64),
}

#[differentiable]
fn depth(deep: &Deep) -> f64 {
    match deep {
        Deep::Next(next) => 2.0 * depth(next),
        Deep::Twice(a, b) => depth(a) * depth(b),
        Deep::End(a, b, c) => a * **b * c,
    }
}
#[differentiable]
fn depths(deep: &[Deep]) -> f64 {
    let mut sum = 0.0;
    for deep in deep {
        sum += depth(deep);
    }
    sum
}

#[differentiable]
fn evaluated(term: &Term) -> f64 {
    match term {
        Term::Sum(of) => evaluated(&of.left) + evaluated(&of.right),
        Term::Product(of) => evaluated(&of.left) * evaluated(&of.right),
        Term::Same(term) => evaluated(term),
        Term::Number(a, b) => a * b,
    }
}
#[differentiable]
fn all_evaluated(terms: &[Term], chain: &[Chain], steps: &Vec<Steps>) -> f64 {
    let mut sum = 0.0;
    for term in terms {
        sum += evaluated(term);
    }
    for chain in chain {
        let mut at = chain;
        while let Chain::Next(next) = at {
            at = next;
        }
        if let Chain::End(a, b) = at {
            sum += a * b;
        }
    }
    for steps in steps {
        sum += steps.x
            * match &steps.next {
                Ok(next) => next.x,
                Err(y) => *y,
            };
    }
    sum
}
#[differentiable]
fn steps_of(x: f64) -> Steps {
    Steps {
        x,
        next: Ok(Box::new(Steps {
            x: x * x,
            next: Err(3.0 * x),
        })),
    }
}

/// The gradient of such a type begins as one of a variant that ends.
#[test]
fn types_may_contain_themselves_through_others() {
    let number = |x: f64| Term::Number(x, 2.0);
    let operands = Operands {
        left: Box::new(number(3.0)),
        right: Box::new(number(0.5)),
    };
    let terms = [
        number(1.0),
        Term::Product(operands.clone()),
        Term::Same(Box::new(Term::Sum(operands))),
    ];
    let chain = [
        Chain::End(2.0, 3.0),
        Chain::Next(Box::new(Chain::End(4.0, 5.0))),
    ];
    let steps = vec![
        Steps {
            x: 2.0,
            next: Err(7.0),
        },
        Steps {
            x: 3.0,
            next: Ok(Box::new(Steps {
                x: 5.0,
                next: Err(0.0),
            })),
        },
    ];
    let all = rule::<all_evaluated>();
    let (y, (of_terms, of_chain, of_steps)) = all
        .value_and_gradient((&terms[..], &chain[..], &steps))
        .unwrap();
    assert_eq!(y, 2.0 + 6.0 + 7.0 + 6.0 + 20.0 + 14.0 + 15.0);
    assert_eq!(of_terms[0], TermGradient::Number(2.0, 1.0));
    let TermGradient::Product(of) = &of_terms[1] else {
        panic!("{:?}", of_terms[1]);
    };
    assert_eq!(*of.left, TermGradient::Number(2.0, 3.0));
    assert_eq!(*of.right, TermGradient::Number(12.0, 3.0));
    assert_eq!(of_chain[0], ChainGradient::End(3.0, 2.0));
    assert_eq!((of_steps[0].x, &of_steps[0].next), (7.0, &Err(2.0)));
    assert_eq!(
        (of_steps[1].x, of_steps[1].next.as_ref().unwrap().x),
        (5.0, 3.0)
    );
    // Places of other variants.
    let mut kept = (of_terms, of_chain, of_steps);
    kept.0.reverse();
    kept.1.reverse();
    kept.2.reverse();
    all.value_and_gradient_into((&terms[..], &chain[..], &steps), &mut kept)
        .unwrap();
    assert_eq!(kept.0[0], TermGradient::Number(2.0, 1.0));
    assert_eq!((kept.2[0].x, &kept.2[0].next), (7.0, &Err(2.0)));
    let end = |a: f64| Deep::End(a, Box::new(3.0), 5.0);
    let deep = [
        end(1.0),
        Deep::Next(Box::new(end(2.0))),
        Deep::Twice(Box::new(end(0.5)), Box::new(Deep::Next(Box::new(end(1.0))))),
    ];
    let (y, (gradient,)) = rule::<depths>().value_and_gradient((&deep[..],)).unwrap();
    assert_eq!(y, 15.0 + 60.0 + 7.5 * 30.0);
    let of_end = |a: f64, b: f64, c: f64| DeepGradient::End(a, Box::new(b), c);
    assert_eq!(gradient[0], of_end(15.0, 5.0, 3.0));
    assert_eq!(
        gradient[1],
        DeepGradient::Next(Box::new(of_end(30.0, 20.0, 12.0)))
    );
    let forward = Context::default().build_frule::<steps_of>().unwrap();
    let (_, tangent) = forward.value_and_derivative((3.0,), (1.0,)).unwrap();
    let next = tangent.next.unwrap();
    assert_eq!((tangent.x, next.x, next.next), (1.0, 6.0, Err(3.0)));
    test_rule::<all_evaluated>(&Context::default(), (&terms[..], &chain[..], &steps)).unwrap();
}

/// Enums with so many variants of two fields.
macro_rules! wide {
    ($name:ident $sum:ident $weighted:ident: $($variant:ident $weight:literal)*) => {
        #[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
        enum $name {
            $($variant(f64, f64),)*
        }
        #[differentiable]
        fn $sum(values: &[$name]) -> f64 {
            let mut sum = 0.0;
            for value in values {
                sum += match value {
                    $($name::$variant(a, b) => $weight * a * b,)*
                };
            }
            sum
        }
        fn $weighted() -> Vec<($name, f64)> {
            vec![$(($name::$variant(2.0, 3.0), $weight)),*]
        }
    };
}
wide!(Most sum_of_most most: V0 1.0 V1 2.0 V2 3.0 V3 4.0 V4 5.0 V5 6.0 V6 7.0 V7 8.0 V8 9.0 V9 10.0 V10 11.0 V11 12.0 V12 13.0 V13 14.0 V14 15.0 V15 16.0 V16 17.0 V17 18.0 V18 19.0 V19 20.0 V20 21.0 V21 22.0 V22 23.0 V23 24.0 V24 25.0 V25 26.0 V26 27.0 V27 28.0 V28 29.0 V29 30.0 V30 31.0 V31 32.0);
wide!(More sum_of_more more: V0 1.0 V1 2.0 V2 3.0 V3 4.0 V4 5.0 V5 6.0 V6 7.0 V7 8.0 V8 9.0 V9 10.0 V10 11.0 V11 12.0 V12 13.0 V13 14.0 V14 15.0 V15 16.0 V16 17.0 V17 18.0 V18 19.0 V19 20.0 V20 21.0 V21 22.0 V22 23.0 V23 24.0 V24 25.0 V25 26.0 V26 27.0 V27 28.0 V28 29.0 V29 30.0 V30 31.0 V31 32.0 V32 33.0 V33 34.0);

/// How many fields an enum has decides how rows of it are passed, and nothing else.
#[test]
fn enums_may_have_many_fields() {
    let (values, weights): (Vec<Most>, Vec<f64>) = most().into_iter().unzip();
    let (sum, (gradient,)) = rule::<sum_of_most>()
        .value_and_gradient((&values[..],))
        .unwrap();
    assert_eq!(sum, 6.0 * weights.iter().sum::<f64>());
    assert!(matches!(gradient[0], MostGradient::V0(3.0, 2.0)));
    assert!(matches!(gradient[7], MostGradient::V7(24.0, 16.0)));
    assert!(matches!(gradient[31], MostGradient::V31(96.0, 64.0)));
    let (values, weights): (Vec<More>, Vec<f64>) = more().into_iter().unzip();
    let (sum, (gradient,)) = rule::<sum_of_more>()
        .value_and_gradient((&values[..],))
        .unwrap();
    assert_eq!(sum, 6.0 * weights.iter().sum::<f64>());
    assert!(matches!(gradient[0], MoreGradient::V0(3.0, 2.0)));
    assert!(matches!(gradient[33], MoreGradient::V33(102.0, 68.0)));
    test_rule::<sum_of_most>(
        &Context::default(),
        (&most().iter().map(|m| m.0).collect::<Vec<_>>()[..],),
    )
    .unwrap();
    test_rule::<sum_of_more>(
        &Context::default(),
        (&more().iter().map(|m| m.0).collect::<Vec<_>>()[..],),
    )
    .unwrap();
}

/// A list as deep as no stack is, through vectors.
#[test]
fn rows_within_rows_are_as_deep_as_they_are() {
    let mut steps = vec![Step::Nested(Vec::new(), [0.5, 1.0])];
    for _ in 0..20_000 {
        steps = vec![Step::Nested(steps, [1.0, 1.0])];
    }
    #[differentiable]
    fn first(steps: &[Step], x: f64) -> f64 {
        match &steps[0] {
            Step::Nested(_, [a, b]) => a * b * x,
            _ => x,
        }
    }
    let (y, (gradient, dx)) = rule::<first>()
        .value_and_gradient((&steps[..], 3.0))
        .unwrap();
    assert_eq!((y, dx), (3.0, 1.0));
    let StepGradient::Nested(inner, at) = &gradient[0] else {
        panic!("{:?}", gradient.len());
    };
    assert_eq!((inner.len(), *at), (1, [3.0, 3.0]));
    // Dropping them by recursion would need the stack.
    std::mem::forget((steps, gradient));
}

/// Nothing but floats: rows of it are passed where they are, and gradients are the shadows.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Mass {
    at: (f64, f64),
    mass: f64,
}

/// Rust's memory has it as objects do, but the gradient has no `count`.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Counted {
    x: f64,
    count: u64,
}

/// Twelve bytes in a row of Rust's, sixteen in objects.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Thin {
    a: f32,
    b: f32,
    c: f32,
}

/// Rust's memory may have the fields in another order than objects.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Mixed {
    small: f32,
    large: f64,
    fixed: bool,
}

/// Rows in every place of an argument, some with gradients that are not the shadows.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct System {
    counted: Vec<Counted>,
    masses: Vec<Mass>,
    more: Vec<Mass>,
    pairs: Vec<(f32, f32)>,
}

#[differentiable]
fn inertia(masses: &[Mass]) -> f64 {
    let mut sum = 0.0;
    for Mass { at: (x, y), mass } in masses {
        sum += mass * (x * x + y * y * y);
    }
    sum
}

#[differentiable]
fn of_rows(masses: &Vec<Mass>, counted: &[Counted], thin: &[Thin], mixed: &[Mixed]) -> f64 {
    let mut sum = inertia(masses);
    for one in counted {
        sum += one.x * one.x * one.count as f64;
    }
    for one in thin {
        sum += (one.a * one.b * one.c) as f64;
    }
    for one in mixed {
        if !one.fixed {
            sum += one.small as f64 * one.large;
        }
    }
    sum
}

#[differentiable]
fn of_system(system: &System, others: &[(f64, f64)]) -> f64 {
    let mut sum = inertia(&system.masses) + 2.0 * inertia(&system.more);
    for one in &system.counted {
        sum += one.x * one.count as f64;
    }
    for (a, b) in &system.pairs {
        sum += (a * b) as f64;
    }
    for (a, b) in others {
        sum += a * b * b;
    }
    sum
}

#[differentiable]
fn copies_of(
    masses: &Vec<Mass>,
    slice: &[Mass],
    shared: &Rc<[Mass]>,
) -> (Vec<Mass>, Vec<Mass>, f64) {
    (masses.clone(), slice.to_vec(), inertia(shared))
}

fn masses(count: u8) -> Vec<Mass> {
    let mass = |i: u8| Mass {
        at: (f64::from(i) + 0.5, 1.0 - f64::from(i)),
        mass: 2.0 + 0.25 * f64::from(i),
    };
    (0..count).map(mass).collect()
}

#[test]
fn rows_are_passed_where_they_are() {
    let ctx = Context::default();
    let counted = [Counted { x: 1.5, count: 3 }, Counted { x: -0.5, count: 2 }];
    let thin = [1.0, 2.0].map(|a| Thin { a, b: 0.5, c: 3.0 });
    let mixed = [false, true].map(|fixed| Mixed {
        small: 0.5,
        large: 4.0,
        fixed,
    });
    let system = System {
        counted: counted.to_vec(),
        masses: masses(3),
        more: masses(2),
        pairs: vec![(1.5, 2.0), (0.5, -1.0)],
    };
    let shared: Rc<[Mass]> = masses(3).into();
    let tested = [
        test_rule::<inertia>(&ctx, (&masses(4)[..],)),
        test_rule::<inertia>(&ctx, (&[][..],)),
        test_rule::<of_rows>(&ctx, (&masses(2), &counted[..], &thin[..], &mixed[..])),
        test_rule::<of_system>(&ctx, (&system, &[(1.5, 2.0), (0.5, 3.0)][..])),
        test_rule::<copies_of>(&ctx, (&masses(2), &masses(3)[..], &shared)),
    ];
    for tested in tested {
        tested.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn gradients_of_rows_are_written_where_the_caller_keeps_them() {
    let rule = rule::<inertia>();
    let given = masses(5);
    let expected: Vec<MassGradient> = { given.iter() }
        .map(|&Mass { at: (x, y), mass }| MassGradient {
            at: (2.0 * mass * x, 3.0 * mass * y * y),
            mass: x * x + y * y * y,
        })
        .collect();
    // Of another length before.
    let mut gradient = vec![expected[0].clone(); 2];
    rule.value_and_gradient_into((&given[..],), (&mut gradient,))
        .unwrap();
    assert_eq!(gradient, expected);
    // And again in the same memory.
    let kept = gradient.as_ptr();
    rule.value_and_gradient_into((&given[..],), (&mut gradient,))
        .unwrap();
    assert_eq!((gradient.as_ptr(), &gradient), (kept, &expected));
    let (y, pullback) = rule.value_and_pullback((&given[..],)).unwrap();
    let (pulled,) = pullback(1.0);
    assert_eq!((y, &pulled), (inertia(&given), &expected));
    assert_eq!(
        rule.value_and_gradient((Const(&given[..]),)).unwrap(),
        (y, ((),))
    );
}

#[differentiable]
fn inertia_of_all(masses: &Vec<Mass>) -> f64 {
    inertia(masses)
}

#[test]
fn rows_have_second_derivatives_where_they_are() {
    let ctx = Context::default();
    let given = masses(2);
    let (_, gradient, hessian) = ctx
        .value_gradient_and_hessian::<inertia_of_all>((&given,))
        .unwrap();
    assert_eq!(gradient.0.len(), 2);
    for (n, &Mass { at: (x, y), mass }) in given.iter().enumerate() {
        let own = [
            [2.0 * mass, 0.0, 2.0 * x],
            [0.0, 6.0 * mass * y, 3.0 * y * y],
            [2.0 * x, 3.0 * y * y, 0.0],
        ];
        for (i, row) in own.iter().enumerate() {
            assert_eq!(hessian[3 * n + i][3 * n..3 * n + 3], row[..], "{n} {i}");
            assert_eq!(hessian[3 * n + i][3 - 3 * n..6 - 3 * n], [0.0; 3]);
        }
    }
    // And with a gradient that is added to what is there.
    let rule = rule::<inertia_of_all>();
    let mut sum = gradient.0.clone();
    let (_, pullback) = rule.pullback((&given,)).unwrap();
    pullback.accumulate(2.0, (&mut sum,)).unwrap();
    for (sum, once) in sum.iter().zip(&gradient.0) {
        assert_eq!((sum.at.0, sum.mass), (3.0 * once.at.0, 3.0 * once.mass));
    }
    let (_, derivatives) = ctx.value_and_jacobian::<inertia_of_all>((&given,)).unwrap();
    assert_eq!(
        derivatives[0][0..3],
        [gradient.0[0].at.0, gradient.0[0].at.1, gradient.0[0].mass]
    );
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Tilt {
    by: f32,
    pair: (f64, u8),
    unit: Unit,
    inner: Mass,
}

/// Arguments that are numbers in all forms, and slices of numbers.
#[differentiable]
fn of_numbers(
    tilt: Tilt,
    shared: &Tilt,
    (a, n): (f64, i16),
    flag: bool,
    x: &[f64],
    weights: &[f32],
    counts: &[u32],
    b: &f64,
) -> f64 {
    let mut sum = tilt.by as f64 * shared.by as f64 + a * n as f64;
    sum += tilt.pair.0 * shared.pair.0 * shared.pair.1 as f64 + tilt.inner.at.1 * tilt.inner.mass;
    for i in 0..x.len() {
        sum += x[i] * x[i] * weights[i] as f64 * counts[i] as f64;
    }
    if flag {
        sum * b
    } else {
        sum / b + shared.inner.at.0
    }
}

#[test]
fn calls_of_numbers_give_what_other_calls_give() {
    let tilt = |x: f64| Tilt {
        by: x as f32,
        pair: (x + 1.0, 3),
        unit: Unit,
        inner: Mass {
            at: (x, 2.0 * x),
            mass: x - 1.0,
        },
    };
    let (x, weights, counts) = ([0.5, -1.5, 2.0], [1.0f32, 0.25, 3.0], [1, 2, 3]);
    let rule = rule::<of_numbers>();
    for flag in [true, false] {
        let shared = tilt(1.5);
        let args = (
            tilt(0.5),
            &shared,
            (0.75, -2),
            flag,
            &x,
            &weights,
            &counts,
            &2.5,
        );
        let native = of_numbers(args.0, args.1, args.2, flag, &x, &weights, &counts, &2.5);
        assert_eq!(rule.value(args).unwrap(), native);
        let (value, gradient) = rule.value_and_gradient(args).unwrap();
        let (again, pullback) = rule.value_and_pullback(args).unwrap();
        assert_eq!((value, again), (native, native));
        assert_eq!(gradient, pullback(1.0));
        // Some of them constant, and places of every kind.
        let (mut first, mut pair, mut dx, mut dw) =
            (TiltGradient::default(), (0.0, ()), [9.0; 3], vec![9.0; 3]);
        let value = rule
            .value_and_gradient_into(
                (
                    tilt(0.5),
                    Const(&shared),
                    (0.75, -2),
                    flag,
                    &x,
                    &weights,
                    &counts,
                    Const(&2.5),
                ),
                (
                    &mut first,
                    &mut (),
                    &mut pair,
                    &mut (),
                    &mut dx,
                    &mut dw[..],
                    &mut (),
                    &mut (),
                ),
            )
            .unwrap();
        assert_eq!(value, native);
        assert_eq!((first, pair), (gradient.0, gradient.2));
        assert_eq!((dx.to_vec(), dw), (gradient.4, gradient.5));
    }
}

#[differentiable]
fn last(x: &[f64], at: usize, k: f64) -> f64 {
    x[at] * k
}

#[differentiable]
fn rounded(x: f64) -> i64 {
    x as i64
}

#[test]
fn calls_of_numbers_say_what_is_wrong() {
    let rule = rule::<last>();
    let (mut dx, mut dk) = (vec![0.0; 2], 0.0);
    let error = rule
        .value_and_gradient_into((&[1.0, 2.0], 2, 3.0), (&mut dx, &mut (), &mut dk))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the len is 2 but the index is 2"),
        "{error}"
    );
    assert!(dk.is_nan() && dx.iter().all(|d| d.is_nan()), "{dx:?} {dk}");
    let error = rule
        .value_and_gradient_into((&[1.0, 2.0, 3.0], 2, 3.0), (&mut dx, &mut (), &mut dk))
        .unwrap_err();
    let expected = "argument 1 has 3 elements: expected a gradient of that length, found 2";
    assert!(error.to_string().contains(expected), "{error}");
    rule.value_and_gradient_into((&[1.0, 2.0], 1, 3.0), (&mut dx, &mut (), &mut dk))
        .unwrap();
    assert_eq!((dx, dk), (vec![0.0, 3.0], 2.0));
    let ctx = Context::default();
    let integer = ctx.build_rrule::<rounded>();
    let error = match integer {
        Ok(rule) => rule.value_and_gradient((1.5,)).map(drop).unwrap_err(),
        Err(error) => error,
    };
    assert!(error.to_string().contains("only a scalar float"), "{error}");
}

/// Reads `s` and calls itself: it stores nothing.
#[differentiable]
fn reads_and_recurs(s: &Vec<f64>, i: usize, k: f64) -> f64 {
    if i == 0 {
        k
    } else {
        s[0] * reads_and_recurs(s, i - 1, k * s[1])
    }
}

#[test]
fn a_vector_that_a_recursive_function_only_reads_may_be_constant() {
    let rule = Context::default()
        .build_rrule::<reads_and_recurs>()
        .unwrap();
    let s = vec![0.5, 3.0];
    let (y, ((), (), dk)) = rule.value_and_gradient((Const(&s), 2, 2.0)).unwrap();
    assert_eq!((y, dk), (4.5, 2.25));
    let (y, (ds, (), dk)) = rule.value_and_gradient((&s, 2, 2.0)).unwrap();
    assert_eq!((y, ds, dk), (4.5, vec![18.0, 3.0], 2.25));
}

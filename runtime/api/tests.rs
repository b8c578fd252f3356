//! Values in and out of compiled code, with functions written in IR: what stands where, and what comes back.

use super::call::Tables;
use super::derived::{Compiled, Derived, ProgramKind, activity};
use super::{Argument, Const, GradientSink, Returned};
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::ir::parse::parse_module;
use mooncake::Differentiable;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

fn compiled<P, A: Argument<P>>(text: &str, kind: ProgramKind) -> Arc<Compiled> {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}"));
    let derived = Derived::of_module(&Context::default(), module);
    derived
        .compiled(kind, &activity::<P, A>())
        .cloned()
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Value and gradient in one function.
fn gradient<P, R: Returned, A: Argument<P>>(text: &str, mut args: A) -> (R, A::Gradient)
where
    A::Gradient: GradientSink<A::Gradient>,
{
    let mut gradient = args.gradient();
    let compiled = compiled::<P, A>(text, ProgramKind::Combined);
    let (value, _) = compiled
        .value_and_gradient::<P, A, R, _>(&mut args, &mut gradient)
        .unwrap_or_else(|e| panic!("{e}"));
    (value, gradient)
}

/// The value, what `between` says of it and the arguments, then the gradient for a cotangent, added to `start`.
fn pullback<P, R: Returned, A: Argument<P>>(
    text: &str,
    args: &mut A,
    cotangent: &R::Cotangent,
    start: &mut impl GradientSink<A::Gradient>,
    between: impl FnOnce(&R, &A),
) -> Result<()> {
    let compiled = compiled::<P, A>(text, ProgramKind::Split);
    let host = compiled.host();
    let mut given = compiled.start(true);
    let mut tables = Tables::default();
    let value = compiled.forward::<P, A, R>((&mut given, &mut tables), args, &host)?;
    between(&value, args);
    compiled.pull_back::<P, A, R>(
        (&mut given, &mut tables),
        args,
        &host,
        cotangent,
        start,
        true,
    )
}

#[derive(Differentiable, Debug, Clone, PartialEq)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
    size: usize,
    counts: Vec<u32>,
}

fn layer() -> Layer {
    Layer {
        weights: vec![2.0, 3.0],
        bias: 0.5,
        size: 7,
        counts: vec![4],
    }
}

/// `x * weights[0] + bias * weights[1]`
const LAYER: &str = "
fn @f(%w: [mut f64], %n: usize, %b: f64, %size: usize, %c: [mut u32], %m: usize, %x: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %w0: f64 = load %w, %zero
    %w1: f64 = load %w, %one
    %a: f64 = mul %x, %w0
    %d: f64 = mul %b, %w1
    %y: f64 = add %a, %d
    return %y
}";

#[test]
fn structs_by_value_and_by_reference() {
    let expected = LayerGradient {
        weights: vec![10.0, 0.5],
        bias: 3.0,
        size: (),
        counts: (),
    };
    let model = layer();
    let (y, (dmodel, dx)) = gradient::<(&Layer, f64), f64, _>(LAYER, (&model, 10.0));
    assert_eq!((y, dx), (21.5, 2.0));
    assert_eq!(dmodel, expected);
    let (_, (dmodel, _)) = gradient::<(Layer, f64), f64, _>(LAYER, (&model, 10.0));
    assert_eq!(dmodel, expected);
    let (_, (dmodel, _)) = gradient::<(Layer, f64), f64, _>(LAYER, (layer(), 10.0));
    assert_eq!(dmodel, expected);
    let (_, ((), dx)) = gradient::<(&Layer, f64), f64, _>(LAYER, (Const(&model), 10.0));
    assert_eq!(dx, 2.0);
    let (_, (dmodel, ())) = gradient::<(&Layer, f64), f64, _>(LAYER, (&model, Const(10.0)));
    assert_eq!(dmodel, expected);
}

#[test]
fn gradients_go_into_places_of_another_length_and_are_added() {
    let model = layer();
    let mut into = LayerGradient {
        weights: vec![9.0; 5],
        ..LayerGradient::default()
    };
    let mut args = (&model, 10.0);
    let mut dx = 0.0;
    compiled::<(&Layer, f64), (&Layer, f64)>(LAYER, ProgramKind::Combined)
        .value_and_gradient::<(&Layer, f64), _, f64, _>(&mut args, &mut (&mut into, &mut dx))
        .unwrap();
    assert_eq!((&into.weights, into.bias, dx), (&vec![10.0, 0.5], 3.0, 2.0));
    let start = &mut (&mut into, &mut dx);
    pullback::<(&Layer, f64), f64, _>(LAYER, &mut args, &2.0, start, |&y, _| assert_eq!(y, 21.5))
        .unwrap();
    assert_eq!((into.weights, into.bias, dx), (vec![30.0, 1.5], 9.0, 6.0));
}

#[derive(Differentiable, Debug, Clone, PartialEq)]
enum Shape {
    Nothing,
    Disc { radius: f64 },
    Box(f64, f64),
}

/// The area: slots are tag, f64, f64.
const AREA: &str = "
fn @f(%tag: usize, %a: f64, %b: f64) -> f64 {
b0:
    %two: usize = 2
    %is_box: bool = eq %tag, %two
    branch %is_box, b1(), b2()
b1:
    %y: f64 = mul %a, %b
    jump b3(%y)
b2:
    %z: f64 = mul %a, %a
    jump b3(%z)
b3(%r: f64):
    return %r
}";

#[test]
fn enums_have_the_gradient_of_the_variant_that_is_alive() {
    let (y, (d,)) = gradient::<(Shape,), f64, _>(AREA, (Shape::Box(2.0, 3.0),));
    assert_eq!((y, d), (6.0, ShapeGradient::Box(3.0, 2.0)));
    let (y, (d,)) = gradient::<(&Shape,), f64, _>(AREA, (&Shape::Disc { radius: 3.0 },));
    assert_eq!((y, d), (9.0, ShapeGradient::Disc { radius: 6.0 }));
    let (y, (d,)) = gradient::<(&Shape,), f64, _>(AREA, (&Shape::Nothing,));
    assert_eq!((y, d), (0.0, ShapeGradient::Nothing));
}

/// `Option<Box<(f64, f64)>>`: the product.
const BOXED: &str = "
fn @f(%tag: usize, %p: ptr) -> f64 {
b0:
    %one: usize = 1
    %some: bool = eq %tag, %one
    branch %some, b1(), b2()
b1:
    %a: f64 = get.0 %p
    %b: f64 = get.8 %p
    %y: f64 = mul %a, %b
    jump b3(%y)
b2:
    %zero: f64 = 0.0
    jump b3(%zero)
b3(%r: f64):
    return %r
}";

#[test]
fn boxes_are_objects() {
    type P = (Option<Box<(f64, f64)>>,);
    let (y, (d,)) = gradient::<P, f64, _>(BOXED, (Some(Box::new((2.0, 5.0))),));
    assert_eq!((y, d), (10.0, Some(Box::new((5.0, 2.0)))));
    let (y, (d,)) = gradient::<P, f64, _>(BOXED, (None,));
    assert_eq!((y, d), (0.0, None));
}

/// `v[1][0] * v[0][1]` of vectors of vectors.
const NESTED: &str = "
fn @f(%p: ptr, %cap: usize, %len: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %q0: ptr = get.0 %p
    %n0: usize = get.8 %p
    %q1: ptr = get.24 %p
    %n1: usize = get.32 %p
    %r0: [mut f64] = view %q0, %n0
    %r1: [mut f64] = view %q1, %n1
    %a: f64 = load %r1, %zero
    %b: f64 = load %r0, %one
    %y: f64 = mul %a, %b
    return %y
}";

#[test]
fn vectors_of_vectors() {
    let v = vec![vec![1.0, 2.0], vec![3.0], vec![]];
    let expected = vec![vec![0.0, 3.0], vec![2.0], vec![]];
    let (y, (d,)) = gradient::<(Vec<Vec<f64>>,), f64, _>(NESTED, (v.clone(),));
    assert_eq!((y, &d), (6.0, &expected));
    let (y, (d,)) = gradient::<(&Vec<Vec<f64>>,), f64, _>(NESTED, (&v,));
    assert_eq!((y, &d), (6.0, &expected));
    let mut start = vec![vec![1.0, 1.0], vec![1.0], vec![]];
    pullback::<(&Vec<Vec<f64>>,), f64, _>(NESTED, &mut (&v,), &1.0, &mut (&mut start,), |_, _| ())
        .unwrap();
    assert_eq!(start, [vec![1.0, 4.0], vec![3.0], vec![]]);
    let mut wrong = vec![vec![1.0]];
    let error = pullback::<(&Vec<Vec<f64>>,), f64, _>(
        NESTED,
        &mut (&v,),
        &1.0,
        &mut (&mut wrong,),
        |_, _| (),
    )
    .unwrap_err();
    assert!(matches!(error, Error::Array(_)), "{error}");
}

/// Writes the sum of both to the first, and gives their product.
const CHANGED: &str = "
fn @f(%p: ptr) -> f64 {
b0:
    %a: f64 = get.0 %p
    %b: f64 = get.8 %p
    %s: f64 = add %a, %b
    %y: f64 = mul %a, %b
    set.0 %p, %s
    return %y
}";

#[test]
fn what_is_changed_is_changed_until_the_pullback() {
    let mut pair = (2.0, 5.0);
    let (y, (d,)) = gradient::<(&mut (f64, f64),), f64, _>(CHANGED, (&mut pair,));
    assert_eq!((y, d, pair), (10.0, (5.0, 2.0), (2.0, 5.0)));
    // A cotangent of the final contents.
    let mut start = (1.0, 0.0);
    let args = &mut (&mut pair,);
    pullback::<(&mut (f64, f64),), f64, _>(
        CHANGED,
        args,
        &1.0,
        &mut ((&mut start.0, &mut start.1),),
        |_, args| {
            assert_eq!(*args.0, (7.0, 5.0));
        },
    )
    .unwrap();
    assert_eq!((pair, start), ((2.0, 5.0), (6.0, 3.0)));
    // The same object in a cell, which others hold.
    let cell = Rc::new(RefCell::new((2.0, 5.0)));
    let mut start = Rc::new(RefCell::new((1.0, 0.0)));
    type P = (Rc<RefCell<(f64, f64)>>,);
    pullback::<P, f64, _>(
        CHANGED,
        &mut (cell.clone(),),
        &1.0,
        &mut (&mut start,),
        |_, _| {
            assert_eq!(*cell.borrow(), (7.0, 5.0));
        },
    )
    .unwrap();
    assert_eq!(*cell.borrow(), (2.0, 5.0));
    assert_eq!(*start.borrow(), (6.0, 3.0));
}

/// `a * b` of two cells.
const CELLS: &str = "
fn @f(%p: ptr, %q: ptr) -> f64 {
b0:
    %a: f64 = get.0 %p
    %b: f64 = get.0 %q
    %y: f64 = mul %a, %b
    return %y
}";

#[test]
fn a_shared_cell_is_one_object_with_one_gradient() {
    type P = (Rc<RefCell<f64>>, Rc<RefCell<f64>>);
    let (a, b) = (Rc::new(RefCell::new(3.0)), Rc::new(RefCell::new(4.0)));
    let (y, (da, db)) = gradient::<P, f64, _>(CELLS, (a.clone(), b));
    assert_eq!((y, *da.borrow(), *db.borrow()), (12.0, 4.0, 3.0));
    let (y, (da, db)) = gradient::<P, f64, _>(CELLS, (a.clone(), a));
    assert_eq!((y, *da.borrow(), *db.borrow()), (9.0, 6.0, 6.0));
    assert!(Rc::ptr_eq(&da, &db));
    let (x, z) = (Cell::new(3.0), Cell::new(4.0));
    let (y, (dx, dz)) = gradient::<(&Cell<f64>, &Cell<f64>), f64, _>(CELLS, (&x, &z));
    assert_eq!((y, dx.into_inner(), dz.into_inner()), (12.0, 4.0, 3.0));
    let (y, ((), dz)) = gradient::<(&Cell<f64>, &Cell<f64>), f64, _>(CELLS, (Const(&x), &z));
    assert_eq!((y, dz.into_inner()), (12.0, 3.0));
}

#[derive(Differentiable, Debug)]
struct Node {
    value: f64,
    next: Option<Rc<RefCell<Node>>>,
}

/// `value * next.next.value`: a node is (f64, (usize, ptr)).
const RING: &str = "
fn @f(%p: ptr) -> f64 {
b0:
    %a: f64 = get.0 %p
    %q: ptr = get.16 %p
    %r: ptr = get.16 %q
    %b: f64 = get.0 %r
    %y: f64 = mul %a, %b
    return %y
}";

#[test]
fn cycles_have_cyclic_gradients() {
    let node = |value| {
        let node = Node { value, next: None };
        Rc::new(RefCell::new(node))
    };
    let (a, b) = (node(3.0), node(5.0));
    a.borrow_mut().next = Some(b.clone());
    b.borrow_mut().next = Some(a.clone());
    let (y, (d,)) = gradient::<(Rc<RefCell<Node>>,), f64, _>(RING, (a.clone(),));
    assert_eq!((y, d.borrow().value), (9.0, 6.0));
    let next = d.borrow().next.clone().unwrap();
    assert_eq!(next.borrow().value, 0.0);
    let around = next.borrow().next.clone().unwrap();
    assert!(Rc::ptr_eq(&around, &d));
    a.borrow_mut().next = None;
    next.borrow_mut().next = None;
}

/// `(x, Box((x * x, 2 x)))`
const MADE: &str = "
fn @f(%x: f64) -> (f64, ptr) {
b0:
    %size: usize = 16
    %p: ptr = alloc %size
    %a: f64 = mul %x, %x
    %b: f64 = add %x, %x
    set.0 %p, %a
    set.8 %p, %b
    %y: (f64, ptr) = tuple %x, %p
    return %y
}";

#[test]
fn results_have_cotangents_of_their_form() {
    type R = (f64, Box<(f64, f64)>);
    let mut dx = 0.0;
    let cotangent = (1.0, Box::new((10.0, 100.0)));
    pullback::<(f64,), R, _>(MADE, &mut (3.0,), &cotangent, &mut (&mut dx,), |y, _| {
        assert_eq!(*y, (3.0, Box::new((9.0, 6.0))));
    })
    .unwrap();
    assert_eq!(dx, 1.0 + 10.0 * 6.0 + 100.0 * 2.0);
}

/// `[x, y]` as a vector.
const VECTOR: &str = "
fn @f(%x: f64, %y: f64) -> ([mut f64], usize) {
b0:
    %size: usize = 16
    %two: usize = 2
    %p: ptr = alloc %size
    set.0 %p, %x
    set.8 %p, %y
    %v: [mut f64] = view %p, %two
    %r: ([mut f64], usize) = tuple %v, %two
    return %r
}";

#[test]
fn vectors_are_returned() {
    let (mut dx, mut dy) = (0.0, 0.0);
    let mut run = |cotangent: &Vec<f64>| {
        let start = &mut (&mut dx, &mut dy);
        pullback::<(f64, f64), Vec<f64>, _>(VECTOR, &mut (3.0, 4.0), cotangent, start, |v, _| {
            assert_eq!(*v, [3.0, 4.0]);
        })
    };
    run(&vec![1.0, 2.0]).unwrap();
    let error = run(&vec![1.0]).unwrap_err().to_string();
    assert!(error.contains("1 elements, the value has 2"), "{error}");
    assert_eq!((dx, dy), (1.0, 2.0));
}

/// `*p = (slice as a vector)`, and gives its first element: pointers to what is borrowed.
const KEPT: &str = "
fn @f(%p: ptr, %x: [f64]) -> f64 {
b0:
    %zero: usize = 0
    %q: ptr = base %x
    set.0 %p, %q
    %r: ptr = get.0 %p
    %y: f64 = get.8 %r
    %z: f64 = mul %y, %y
    return %z
}";

#[test]
fn borrowed_slices_may_be_reached_by_pointers() {
    let x = [2.0, 3.0];
    let place = Box::new(0_usize);
    type P<'a> = (Box<usize>, &'a [f64]);
    let (y, (_, dx)) = gradient::<P, f64, _>(KEPT, (place.clone(), &x));
    assert_eq!((y, dx), (9.0, vec![0.0, 6.0]));
    let mut start = (Box::new(()), vec![1.0, 1.0]);
    pullback::<P, f64, _>(
        KEPT,
        &mut (place, &x),
        &1.0,
        &mut (&mut start.0, &mut start.1),
        |_, _| (),
    )
    .unwrap();
    assert_eq!(start.1, [1.0, 7.0]);
}

#[test]
fn functions_from_outside_are_refused() {
    let f: Box<dyn Fn(f64) -> f64> = Box::new(|x| x);
    let text = "fn @f(%tag: usize, %p: ptr) -> f64 {\nb0:\n    %y: f64 = 0.0\n    return %y\n}";
    type P = (Box<dyn Fn(f64) -> f64>,);
    let mut args = (f,);
    let error = compiled::<P, P>(text, ProgramKind::Combined)
        .value_and_gradient::<P, P, f64, _>(&mut args, &mut ((),))
        .unwrap_err();
    assert!(error.to_string().contains("from outside"), "{error}");
}

#[derive(Differentiable, Debug, Clone, Copy, PartialEq, Default)]
struct Line {
    slope: f64,
    order: u8,
    rise: f32,
}

/// `x[n] * slope + w[0] * rise + order`
const ON_A_LINE: &str = "
fn @f(%x: [f64], %n: usize, %slope: f64, %order: u8, %rise: f32, %w: [f64]) -> f64 {
b0:
    %length: usize = len %x
    %inside: bool = lt %n, %length
    assert %inside else index(%n, %length)
    %v: f64 = load %x, %n
    %zero: usize = 0
    %u: f64 = load %w, %zero
    %a: f64 = mul %v, %slope
    %r: f64 = cast %rise
    %b: f64 = mul %u, %r
    %c: f64 = add %a, %b
    %d: f64 = cast %order
    %y: f64 = add %c, %d
    return %y
}";

type OnALine = (&'static [f64], usize, Line, &'static [f64]);

/// The outcome of a call by way of the leaves, and that of the same call by way of words alone: with the gradient, or with what failed.
fn both_ways<A: Argument<OnALine>, S: GradientSink<A::Gradient>>(
    mut args: A,
    gradient: impl Fn() -> S,
) -> [(Result<f64>, S); 2] {
    let compiled = compiled::<OnALine, A>(ON_A_LINE, ProgramKind::Combined);
    let (mut first, mut second) = (gradient(), gradient());
    let leaves = compiled.value_and_gradient::<OnALine, A, f64, S>(&mut args, &mut first);
    let words = compiled.direct::<OnALine, A, f64, S, _>(&args, &mut second);
    [
        (leaves.map(|(value, _)| value), first),
        (words.unwrap().map(|(value, _)| value), second),
    ]
}

#[test]
fn calls_of_numbers_give_what_other_calls_give() {
    let (x, w): (&[f64], &[f64]) = (&[1.0, 2.0, 3.0], &[10.0]);
    let line = Line {
        slope: 4.0,
        order: 7,
        rise: 0.5,
    };
    let slope = || LineGradient {
        slope: 3.0,
        order: (),
        rise: 10.0,
    };
    let places = || (vec![9.0; 3], (), LineGradient::default(), vec![9.0]);
    for (value, gradient) in both_ways((x, 2, line, w), places) {
        assert_eq!(value.unwrap(), 24.0);
        assert_eq!(gradient, (vec![0.0, 0.0, 4.0], (), slope(), vec![0.5]));
    }
    let places = || (vec![9.0; 3], (), (), vec![9.0]);
    for (value, gradient) in both_ways((x, Const(2), Const(line), w), places) {
        assert_eq!(value.unwrap(), 24.0);
        assert_eq!(gradient, (vec![0.0, 0.0, 4.0], (), (), vec![0.5]));
    }
    let places = || ((), (), LineGradient::default(), ());
    for (value, gradient) in both_ways((Const(x), 2, line, Const(w)), places) {
        assert_eq!(value.unwrap(), 24.0);
        assert_eq!(gradient, ((), (), slope(), ()));
    }
    let places = || (vec![9.0; 3], (), (), ());
    for (value, gradient) in both_ways((x, 3, Const(line), Const(w)), places) {
        let error = value.unwrap_err().to_string();
        assert!(error.contains("index is 3"), "{error}");
        assert!(gradient.0.iter().all(|x| x.is_nan()), "{gradient:?}");
    }
}

#[test]
fn a_gradient_of_another_length_is_no_call_of_numbers() {
    let args: OnALine = (&[1.0, 2.0, 3.0], 2, Line::default(), &[10.0]);
    let compiled = compiled::<OnALine, OnALine>(ON_A_LINE, ProgramKind::Combined);
    for (of_x, of_w) in [(2, 1), (4, 1), (3, 2), (1, 3)] {
        let mut gradient = (
            vec![0.0; of_x],
            (),
            LineGradient::default(),
            vec![0.0; of_w],
        );
        assert!(
            compiled
                .direct::<OnALine, _, f64, _, _>(&args, &mut gradient)
                .is_none()
        );
    }
}

//! `dyn` values from outside: models of boxed layers, their gradients, and what cannot be passed.

use mooncake::{Const, Cotangent, DynGradient, Float, prelude::*};
use std::rc::Rc;

#[differentiable]
trait Layer {
    fn run(&self, x: &[f64]) -> Vec<f64>;
    fn penalty(&self) -> f64 {
        0.0
    }
    fn step(&mut self, _by: f64) {}
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Dense {
    weights: Vec<Vec<f64>>,
    bias: Vec<f64>,
}

#[differentiable]
impl Layer for Dense {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        let mut y = self.bias.clone();
        for (y, row) in y.iter_mut().zip(&self.weights) {
            for (w, x) in row.iter().zip(x) {
                *y += w * x;
            }
        }
        y
    }
    fn penalty(&self) -> f64 {
        self.weights
            .iter()
            .map(|row| row.iter().map(|w| w * w).sum::<f64>())
            .sum()
    }
    fn step(&mut self, by: f64) {
        for b in &mut self.bias {
            *b *= by;
        }
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Scale(f64);

#[differentiable]
impl Layer for Scale {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| self.0 * x).collect()
    }
    fn step(&mut self, by: f64) {
        self.0 += by;
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Tanh;

#[differentiable]
impl Layer for Tanh {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| x.tanh()).collect()
    }
}

/// Layers may hold layers.
#[derive(Differentiable)]
struct Twice(Box<dyn Layer>);

#[differentiable]
impl Layer for Twice {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        self.0.run(&self.0.run(x))
    }
    fn penalty(&self) -> f64 {
        2.0 * self.0.penalty()
    }
}

#[derive(Differentiable)]
struct Net {
    layers: Vec<Box<dyn Layer>>,
    shared: Rc<dyn Layer>,
    rate: f64,
}

#[differentiable]
fn loss(net: &Net, x: &[f64]) -> f64 {
    let mut h = x.to_vec();
    let mut penalty = net.shared.penalty();
    for layer in &net.layers {
        h = layer.run(&h);
        penalty += layer.penalty();
    }
    h = net.shared.run(&h);
    h.iter().map(|h| h * h).sum::<f64>() + net.rate * penalty
}

fn dense() -> Dense {
    Dense {
        weights: vec![vec![0.3, -0.2], vec![0.7, 0.4]],
        bias: vec![0.1, -0.5],
    }
}

fn net() -> Net {
    Net {
        layers: vec![
            Box::new(dense()),
            Box::new(Tanh),
            Box::new(Twice(Box::new(Scale(0.8)))),
            Box::new(dense()),
        ],
        shared: Rc::new(Scale(1.5)),
        rate: 0.25,
    }
}

fn contexts() -> [Context; 2] {
    [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ]
}

#[test]
fn a_model_of_boxed_layers_is_differentiated() {
    for ctx in contexts() {
        test_rule::<loss>(&ctx, (&net(), &[0.6, -0.9])).unwrap();
        test_rule::<loss>(&ctx, (&net(), Const(&[0.6, -0.9]))).unwrap();
    }
}

#[differentiable]
fn total(layers: &[Box<dyn Layer>]) -> f64 {
    layers.iter().map(|layer| layer.run(&[1.0, 2.0])[0]).sum()
}

#[test]
fn the_gradient_of_a_layer_has_the_type_of_the_layers_gradient() {
    let rule = Context::default().build_rrule::<total>().unwrap();
    let layers: Vec<Box<dyn Layer>> = vec![Box::new(Scale(3.0)), Box::new(Tanh), Box::new(dense())];
    let (value, (gradient,)) = rule.value_and_gradient((&layers,)).unwrap();
    assert!((value - (3.0 + 1f64.tanh() + 0.3 - 0.4 + 0.1)).abs() < 1e-15);
    assert_eq!(gradient[0].downcast_ref(), Some(&ScaleGradient(1.0)));
    assert_eq!(gradient[1].downcast_ref(), Some(&()));
    let expected = DenseGradient {
        weights: vec![vec![1.0, 2.0], vec![0.0, 0.0]],
        bias: vec![1.0, 0.0],
    };
    assert_eq!(gradient[2].downcast_ref(), Some(&expected));
    assert_eq!(gradient[2].downcast_ref::<ScaleGradient>(), None);
    // What was there is overwritten, also if it was of another type.
    let mut into = vec![
        DynGradient::new(7.0_f64),
        gradient[0].clone(),
        DynGradient::empty(),
    ];
    rule.value_and_gradient_into((&layers,), (&mut into,))
        .unwrap();
    assert_eq!(into, gradient);
    assert_eq!(format!("{:?}", gradient[0]), "ScaleGradient(1.0)");
}

#[differentiable]
fn by_reference(layer: &dyn Layer, x: f64) -> f64 {
    layer.run(&[x, x])[0] * x
}

#[differentiable]
fn stepped(layer: &mut dyn Layer, x: f64) -> f64 {
    layer.step(x);
    layer.run(&[x, 1.0])[0]
}

#[differentiable]
fn chosen(first: Box<dyn Layer>, x: f64) -> Box<dyn Layer> {
    match x > 0.0 {
        true => first,
        false => Box::new(Scale(2.0 * x)),
    }
}

#[test]
fn references_lend_and_results_are_given_back() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<by_reference>().unwrap();
    let (value, (gradient, dx)) = rule
        .value_and_gradient((&Scale(3.0) as &dyn Layer, 2.0))
        .unwrap();
    assert_eq!((value, dx), (12.0, 12.0));
    assert_eq!(gradient.downcast_ref(), Some(&ScaleGradient(4.0)));

    let mut scale = Scale(3.0);
    let rule = ctx.build_rrule::<stepped>().unwrap();
    assert_eq!(
        rule.value((&mut scale as &mut dyn Layer, 2.0)).unwrap(),
        10.0
    );
    assert_eq!(scale, Scale(5.0));
    let (value, (gradient, dx)) = rule
        .value_and_gradient((&mut scale as &mut dyn Layer, 2.0))
        .unwrap();
    assert_eq!((value, dx, scale), (14.0, 9.0, Scale(5.0)));
    assert_eq!(gradient.downcast_ref(), Some(&ScaleGradient(2.0)));

    let rule = ctx.build_rrule::<chosen>().unwrap();
    let given = || Box::new(Scale(3.0)) as Box<dyn Layer>;
    for x in [1.0, -1.0] {
        let (layer, pullback) = rule.value_and_pullback((given(), x)).unwrap();
        let expected = if x > 0.0 { 3.0 } else { -2.0 };
        assert_eq!(layer.run(&[1.0]), [expected]);
        let (dfirst, dx) = pullback(DynGradient::new(ScaleGradient(10.0)));
        assert_eq!(dx, if x > 0.0 { 0.0 } else { 20.0 });
        let expected = ScaleGradient(if x > 0.0 { 10.0 } else { 0.0 });
        assert_eq!(dfirst.downcast_ref(), Some(&expected));
    }
}

#[test]
fn directions_are_gradients() {
    let rule = Context::default().build_frule::<by_reference>().unwrap();
    let direction = DynGradient::new(ScaleGradient(0.5));
    let scale = Scale(3.0);
    let (value, derivative) = rule
        .value_and_derivative((&scale as &dyn Layer, 2.0), (direction, 0.0))
        .unwrap();
    assert_eq!((value, derivative), (12.0, 2.0));
}

#[test]
fn gradients_are_added_and_compared() {
    use mooncake::tangents::{add_to_primal, dot, increment, zero_tangent};
    let layers = || -> Vec<Box<dyn Layer>> { vec![Box::new(Scale(3.0)), Box::new(Tanh)] };
    let mut sum = zero_tangent(&layers()).unwrap();
    let gradient = vec![DynGradient::new(ScaleGradient(2.0)), DynGradient::new(())];
    increment(&mut sum, &gradient).unwrap();
    increment(&mut sum, &gradient).unwrap();
    assert_eq!(dot(&sum, &gradient).unwrap(), 8.0);
    let moved = add_to_primal(&layers(), 0.5, &gradient).unwrap();
    assert_eq!(moved[0].run(&[1.0]), [4.0]);
    let error = increment(&mut sum, &vec![DynGradient::new(()); 2]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("at `[0]` tangents differ in form"),
        "{error}"
    );
}

/// rustc alone knows it.
struct Foreign;
impl Layer for Foreign {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        x.to_vec()
    }
}

#[derive(Differentiable)]
struct Generic<T>(T);
#[differentiable]
impl<T: Float> Layer for Generic<T> {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| x * self.0.to_f64()).collect()
    }
}

#[test]
fn what_no_differentiable_impl_is_of_is_refused() {
    let rule = Context::default().build_rrule::<by_reference>().unwrap();
    for layer in [&Foreign as &dyn Layer, &Generic(1.0)] {
        let error = rule.value((layer, 1.0)).unwrap_err().to_string();
        assert!(
            error.contains("a `dyn Layer` that is a `dynamic::"),
            "{error}"
        );
        assert!(
            error.contains("write `#[differentiable]` before the `impl`"),
            "{error}"
        );
    }
}

/// A trait without methods that are required, and an `impl` that leaves all as they are.
#[differentiable]
trait Weighed {
    fn weight(&self) -> f64 {
        2.0
    }
}
#[differentiable]
impl Weighed for Scale {
    fn weight(&self) -> f64 {
        self.0
    }
}
#[differentiable]
impl Weighed for Tanh {}
#[derive(Differentiable)]
struct Pair<T> {
    _first: T,
}
#[differentiable]
impl<T> Weighed for Pair<T> {}

#[differentiable]
fn weights(x: f64) -> f64 {
    let all: [Box<dyn Weighed>; 3] = [
        Box::new(Scale(x)),
        Box::new(Tanh),
        Box::new(Pair { _first: x }),
    ];
    all.iter().map(|one| one.weight() * x).sum()
}

#[test]
fn an_empty_impl_has_the_methods_of_its_trait() {
    for ctx in contexts() {
        let rule = ctx.build_rrule::<weights>().unwrap();
        let (value, (dx,)) = rule.value_and_gradient((3.0,)).unwrap();
        assert_eq!((value, dx), (weights(3.0), 2.0 * 3.0 + 4.0));
    }
}

/// What is cloned is the `Rc`, as in native code.
#[differentiable]
fn shared_layers(x: f64) -> f64 {
    let scale: Rc<dyn Layer> = Rc::new(Scale(x));
    let layers = [scale.clone(), Rc::new(Scale(x * x)), scale];
    let again: Vec<Rc<dyn Layer>> = layers.iter().rev().cloned().collect();
    let all = layers.iter().chain(&again);
    all.map(|layer| layer.run(&[x])[0]).sum()
}

#[test]
fn an_rc_of_a_trait_is_cloned() {
    for ctx in contexts() {
        let rule = ctx.build_rrule::<shared_layers>().unwrap();
        let (value, (dx,)) = rule.value_and_gradient((2.0,)).unwrap();
        // 4 x² + 2 x³
        assert_eq!((value, dx), (shared_layers(2.0), 8.0 * 2.0 + 6.0 * 4.0));
    }
}

//! Second derivatives of functions of structs, enums, boxes, cells and `dyn` values.

use mooncake::Const;
use mooncake::Value;
use mooncake::prelude::*;
use mooncake::tangents::{add_to_primal, dot, normal, random_tangent};
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Activation {
    Identity,
    Scaled { by: f64, then: Box<Activation> },
    Table(Vec<f64>),
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Model {
    name: String,
    weights: Vec<f64>,
    rows: Vec<Vec<f64>>,
    pair: [f64; 2],
    bias: f64,
    activation: Activation,
    extra: Option<Box<f64>>,
}

#[differentiable]
impl Activation {
    fn apply(&self, x: f64) -> f64 {
        match self {
            Activation::Identity => x,
            Activation::Scaled { by, then } => then.apply(by * x * x),
            Activation::Table(at) => {
                let mut sum = 0.0;
                for (n, a) in at.iter().enumerate() {
                    sum += a * a * x.powi(n as i32 + 1);
                }
                sum
            }
        }
    }
}

#[differentiable]
fn loss(model: &Model, x: &[f64], scale: f64) -> f64 {
    let mut total = model.bias * model.bias * model.pair[0];
    for (w, x) in model.weights.iter().zip(x) {
        total += (w * x).sin() * w;
    }
    for row in &model.rows {
        let mut product = model.pair[1];
        for r in row {
            product *= r;
        }
        total += product;
    }
    if let Some(extra) = &model.extra {
        total *= **extra;
    }
    model.activation.apply(total) * scale
}

#[differentiable]
fn by_value(model: Model, x: f64) -> f64 {
    let mut model = model;
    model.weights[0] *= x;
    model.weights.push(model.bias);
    loss(&model, &[x, x * x, 1.0], 2.0)
}

#[differentiable]
fn in_place(model: &mut Model, x: f64) -> f64 {
    model.bias *= x * model.weights[1];
    model.rows[0][0] += model.bias;
    loss(model, &[x, 2.0], model.bias)
}

#[differentiable]
fn cells(a: &Rc<RefCell<f64>>, b: &Rc<RefCell<f64>>) -> f64 {
    let x = *a.borrow();
    *b.borrow_mut() *= x;
    let y = *b.borrow();
    x * y * y
}

fn model() -> Model {
    Model {
        name: "model".to_owned(),
        weights: vec![0.5, -0.7],
        rows: vec![vec![1.1, 0.4], vec![], vec![0.9]],
        pair: [0.3, -1.2],
        bias: 0.8,
        activation: Activation::Scaled {
            by: 0.7,
            then: Box::new(Activation::Table(vec![0.4, -0.3])),
        },
        extra: Some(Box::new(1.3)),
    }
}

/// Compares the product in every direction with differences of the gradient: by their inner products with random tangents.
fn check<T: Value>(
    value: &T,
    gradient: impl Fn(&T) -> T::Gradient,
    product: impl Fn(&T, &T::Gradient) -> (T::Gradient, T::Gradient),
) {
    let h = 1e-5;
    for seed in 0..5 {
        let direction = random_tangent(value, normal(seed)).unwrap();
        let probe = random_tangent(value, normal(100 + seed)).unwrap();
        let (found, along) = product(value, &direction);
        let at = |h: f64| {
            dot(
                &gradient(&add_to_primal(value, h, &direction).unwrap()),
                &probe,
            )
            .unwrap()
        };
        let expected = (at(h) - at(-h)) / (2.0 * h);
        let along = dot(&along, &probe).unwrap();
        assert!(
            (along - expected).abs() < 1e-6 * (1.0 + expected.abs()),
            "{along} {expected}"
        );
        assert_eq!(found, gradient(value));
    }
}

fn contexts() -> [Context; 2] {
    [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ]
}

#[test]
fn products_with_hessians_of_structs() {
    for ctx in contexts() {
        let (rule, hvp) = (
            ctx.build_rrule::<loss>().unwrap(),
            ctx.build_hvp::<loss>().unwrap(),
        );
        check(
            &(model(), vec![0.4, 1.5], 1.7),
            |(m, x, s)| rule.value_and_gradient((m, x, *s)).unwrap().1,
            |(m, x, s), (dm, dx, ds)| {
                let direction = (dm.clone(), &dx[..], *ds);
                let (_, g, h) = hvp.value_gradient_and_hvp((m, x, *s), direction).unwrap();
                (g, h)
            },
        );
        // Of the struct alone; the rest is constant, or does not move.
        check(
            &model(),
            |m| {
                rule.value_and_gradient((m, Const(&[0.4, 1.5]), 1.7))
                    .unwrap()
                    .1
                    .0
            },
            |m, dm| {
                let args = (m, Const(&[0.4, 1.5]), 1.7);
                let (_, g, h) = hvp
                    .value_gradient_and_hvp(args, (dm.clone(), (), ()))
                    .unwrap();
                (g.0, h.0)
            },
        );
        let (rule, hvp) = (
            ctx.build_rrule::<by_value>().unwrap(),
            ctx.build_hvp::<by_value>().unwrap(),
        );
        check(
            &model(),
            |m| rule.value_and_gradient((m, 0.6)).unwrap().1.0,
            |m, dm| {
                let (_, g, h) = hvp
                    .value_gradient_and_hvp((m, 0.6), (dm.clone(), ()))
                    .unwrap();
                (g.0, h.0)
            },
        );
    }
}

#[test]
fn what_is_changed_in_place_has_second_derivatives_too() {
    for ctx in contexts() {
        let (rule, hvp) = (
            ctx.build_rrule::<in_place>().unwrap(),
            ctx.build_hvp::<in_place>().unwrap(),
        );
        check(
            &model(),
            |m| rule.value_and_gradient((&mut m.clone(), 0.6)).unwrap().1.0,
            |m, dm| {
                let mut copy = m.clone();
                let (_, g, h) = hvp
                    .value_gradient_and_hvp((&mut copy, 0.6), (dm.clone(), ()))
                    .unwrap();
                // What the function writes is undone.
                assert_eq!(copy, *m);
                (g.0, h.0)
            },
        );
    }
}

#[test]
fn hessians_and_jacobians_are_in_the_order_of_the_tangents_floats() {
    let ctx = Context::default();
    let hvp = ctx.build_hvp::<loss>().unwrap();
    let model = model();
    let args = (&model, &[0.4, 1.5], 1.7);
    let (_, _, h) = ctx.value_gradient_and_hessian::<loss>(args).unwrap();
    // weights, rows, pair, bias, activation, extra; x; scale
    assert_eq!(h.len(), 2 + 3 + 2 + 1 + 3 + 1 + 2 + 1);
    for (i, row) in h.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            assert!((entry - h[j][i]).abs() < 1e-12 * (1.0 + entry.abs()));
        }
    }
    // A row is the product with a unit vector: that of the bias.
    let mut direction = random_tangent(&model, || 0.0).unwrap();
    direction.bias = 1.0;
    let (_, _, (row, dx, dscale)) = hvp
        .value_gradient_and_hvp(args, (direction, (), ()))
        .unwrap();
    assert_eq!(
        (row.weights, row.pair, row.bias),
        (h[7][..2].to_vec(), [h[7][5], h[7][6]], h[7][7])
    );
    assert_eq!((dx, dscale), (h[7][12..14].to_vec(), h[7][14]));
    let (_, (g, dx, dscale), _) = ctx.value_gradient_and_hessian::<loss>(args).unwrap();
    let (_, jacobian) = ctx.value_and_jacobian::<loss>(args).unwrap();
    assert_eq!(jacobian.len(), 1);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{a} {b}");
    close(jacobian[0][0], g.weights[0]);
    close(jacobian[0][7], g.bias);
    close(jacobian[0][13], dx[1]);
    close(jacobian[0][14], dscale);
}

#[differentiable]
trait Layer {
    fn run(&self, x: f64) -> f64;
}
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Power {
    w: Vec<f64>,
}
#[differentiable]
impl Layer for Power {
    fn run(&self, x: f64) -> f64 {
        self.w[0] * x * x + self.w[1] * self.w[1]
    }
}
#[derive(Differentiable)]
struct Network {
    layers: Vec<Box<dyn Layer>>,
    last: Rc<dyn Layer>,
}
#[differentiable]
fn network(network: &Network, x: f64) -> f64 {
    let x = network.layers.iter().fold(x, |x, layer| layer.run(x));
    network.last.run(x)
}

#[test]
fn dyn_values_have_second_derivatives() {
    let ctx = Context::default();
    let (rule, hvp) = (
        ctx.build_rrule::<network>().unwrap(),
        ctx.build_hvp::<network>().unwrap(),
    );
    let layer = |a: f64, b: f64| Power { w: vec![a, b] };
    check(
        &Network {
            layers: vec![Box::new(layer(0.5, 0.3)), Box::new(layer(-0.4, 1.2))],
            last: Rc::new(layer(0.9, 0.1)),
        },
        |n| rule.value_and_gradient((n, 0.8)).unwrap().1.0,
        |n, dn| {
            let direction = (dn.clone(), 0.0);
            let (_, g, h) = hvp.value_gradient_and_hvp((n, 0.8), direction).unwrap();
            (g.0, h.0)
        },
    );
}

#[test]
fn a_cell_has_one_second_derivative() {
    let ctx = Context::default();
    let cell = |x: f64| Rc::new(RefCell::new(x));
    let (a, b) = (cell(2.0), cell(3.0));
    // a (a b)²: ∂²/∂a² = 6 a b², ∂²/∂a∂b = 6 a² b, ∂²/∂b² = 2 a³
    let (y, _, h) = ctx.value_gradient_and_hessian::<cells>((&a, &b)).unwrap();
    assert_eq!((y, h), (72.0, vec![vec![108.0, 72.0], vec![72.0, 16.0]]));
    assert_eq!((*a.borrow(), *b.borrow()), (2.0, 3.0));
}

/// A variant that is a fixed array is copied where it is matched. Nothing that varies is in the copy of a constant one.
#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Filter {
    Scale(f64),
    Stencil([f64; 2]),
    Taps([usize; 2]),
}
#[differentiable]
fn gain(filter: &Filter) -> f64 {
    match filter {
        Filter::Scale(by) => *by,
        Filter::Stencil(taps) => taps[0] * taps[1],
        Filter::Taps(taps) => (taps[0] + taps[1]) as f64,
    }
}
#[differentiable]
fn filtered(filters: &[Filter], one: &Filter, y: f64) -> f64 {
    let mut x = y * y * gain(one);
    for filter in filters {
        x = gain(filter) * x * y;
    }
    x
}
/// The copy is changed, and then it varies.
#[differentiable]
fn changed(filter: &Filter, y: f64) -> f64 {
    let mut taps = match filter {
        Filter::Stencil(taps) => *taps,
        Filter::Scale(by) => [*by, 1.0],
        Filter::Taps(_) => [0.0; 2],
    };
    taps[1] *= y * y;
    taps[0] * taps[1]
}

#[test]
fn constant_enums_hold_fixed_arrays() {
    let ctx = Context::default();
    let filters = [
        Filter::Scale(2.0),
        Filter::Stencil([3.0, 0.5]),
        Filter::Taps([1, 3]),
    ];
    let (hessian, hvp) = (
        ctx.build_hessian::<filtered>().unwrap(),
        ctx.build_hvp::<filtered>().unwrap(),
    );
    let frule = ctx.build_frule::<filtered>().unwrap();
    for (one, gain) in filters.iter().zip([2.0, 1.5, 4.0]) {
        // 12 gain y⁵
        let (y, c) = (1.5_f64, 12.0 * gain);
        let expected = (c * y.powi(5), 5.0 * c * y.powi(4), 20.0 * c * y.powi(3));
        let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-13);
        let args = || (Const(&filters[..]), Const(one), y);
        let (value, _, h) = hessian.value_gradient_and_hessian(args()).unwrap();
        near(value, expected.0);
        near(h[0][0], expected.2);
        let (_, g, h) = hvp.value_gradient_and_hvp(args(), ((), (), 1.0)).unwrap();
        near(g.2, expected.1);
        near(h.2, expected.2);
        let args = || (&filters[..], one, y);
        let (_, g, h) = hvp.value_gradient_and_hvp(args(), ((), (), 1.0)).unwrap();
        near(g.2, expected.1);
        near(h.2, expected.2);
        let (_, dy) = frule.value_and_derivative(args(), ((), (), 1.0)).unwrap();
        near(dy, expected.1);
        let (_, dy) = frule.value_and_derivative(args(), ((), (), ())).unwrap();
        assert_eq!(dy, 0.0);
    }
    let hvp = ctx.build_hvp::<changed>().unwrap();
    for (filter, product) in filters.iter().zip([2.0, 1.5, 0.0]) {
        let (value, g, h) = hvp
            .value_gradient_and_hvp((Const(filter), 1.5), ((), 1.0))
            .unwrap();
        assert_eq!(
            (value, g.1, h.1),
            (2.25 * product, 3.0 * product, 2.0 * product)
        );
    }
}

/// Nothing but floats, which lie where Rust has them: tangents of a slice are read where they lie.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Body {
    x: f64,
    m: f64,
}
/// Integers, a bool, smaller floats and a fixed array: tangents are added to shadows, number by number.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Reading {
    is_late: bool,
    x: f64,
    group: u16,
    small: [f32; 3],
    m: f64,
}
/// Vectors and a variant: tangents are added to what is found at their addresses.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Track {
    xs: Vec<f64>,
    group: usize,
    m: Option<f64>,
}
#[differentiable]
fn of_bodies(bodies: &[Body]) -> f64 {
    bodies.iter().map(|body| body.x * body.x * body.m).sum()
}
#[differentiable]
fn of_readings(readings: &[Reading]) -> f64 {
    let mut sum = 0.0;
    for reading in readings {
        sum += reading.x * reading.x * reading.m * f64::from(reading.small[reading.group as usize]);
    }
    sum
}
#[differentiable]
fn of_tracks(tracks: &[Track]) -> f64 {
    let mut sum = 0.0;
    for track in tracks {
        sum += track.xs[track.group] * track.xs[track.group] * track.m.unwrap_or(2.0);
    }
    sum
}
/// Two slices, of which the second does not begin an argument.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Both<'a> {
    first: &'a [Body],
    second: &'a [Body],
}
#[differentiable]
fn of_both(both: &Both<'_>, more: Vec<Reading>) -> f64 {
    of_bodies(both.first) + 2.0 * of_bodies(both.second) + of_readings(&more)
}

/// x² m, its gradient, its derivative along (dx, dm), and the product of its Hessian with that.
fn square([x, m]: [f64; 2], [dx, dm]: [f64; 2]) -> (f64, [f64; 2], f64, [f64; 2]) {
    let gradient = [2.0 * x * m, x * x];
    let hvp = [2.0 * m * dx + 2.0 * x * dm, 2.0 * x * dx];
    (
        x * x * m,
        gradient,
        gradient[0] * dx + gradient[1] * dm,
        hvp,
    )
}

#[test]
fn slices_of_structs_have_directions() {
    let count = 100;
    let at = |n: usize| [n as f64 - 7.0, (n % 5) as f64 - 2.0];
    let along = |n: usize| [(n % 7) as f64 - 3.0, 4.0 - (n % 9) as f64];
    let expected: Vec<_> = (0..count).map(|n| square(at(n), along(n))).collect();
    let value: f64 = expected.iter().map(|one| one.0).sum();
    let derivative: f64 = expected.iter().map(|one| one.2).sum();
    let ctx = Context::default();

    let body = |[x, m]: [f64; 2]| Body { x, m };
    let change = |[x, m]: [f64; 2]| BodyGradient { x, m };
    let bodies: Vec<Body> = (0..count).map(|n| body(at(n))).collect();
    let moves: Vec<BodyGradient> = (0..count).map(|n| change(along(n))).collect();
    let frule = ctx.build_frule::<of_bodies>().unwrap();
    let found = frule.value_and_derivative((&bodies,), (&moves,)).unwrap();
    assert_eq!(found, (value, derivative));
    let several = vec![(&moves,), (&moves,), (&moves,)];
    let found = frule.value_and_derivatives((&bodies,), several).unwrap();
    assert_eq!(found, (value, vec![derivative; 3]));
    let hvp = ctx.build_hvp::<of_bodies>().unwrap();
    for _ in 0..2 {
        let (y, (gradient,), (product,)) =
            hvp.value_gradient_and_hvp((&bodies,), (&moves,)).unwrap();
        assert_eq!(y, value);
        for (n, one) in expected.iter().enumerate() {
            assert_eq!(
                (&gradient[n], &product[n]),
                (&change(one.1), &change(one.3)),
                "{n}"
            );
        }
    }
    let short = frule.value_and_derivative((&bodies,), (&moves[1..].to_vec(),));
    let message = short.unwrap_err().to_string();
    assert!(
        message.contains("99") && message.contains("100"),
        "{message}"
    );

    let reading = |n: usize| Reading {
        is_late: n.is_multiple_of(2),
        x: at(n)[0],
        group: (n % 3) as u16,
        small: [1.0; 3],
        m: at(n)[1],
    };
    let change = |[x, m]: [f64; 2], small: [f32; 3]| ReadingGradient {
        is_late: (),
        x,
        group: (),
        small,
        m,
    };
    let readings: Vec<Reading> = (0..count).map(reading).collect();
    let moves: Vec<_> = (0..count).map(|n| change(along(n), [0.0; 3])).collect();
    let frule = ctx.build_frule::<of_readings>().unwrap();
    let found = frule.value_and_derivative((&readings,), (&moves,)).unwrap();
    assert_eq!(found, (value, derivative));
    let hvp = ctx.build_hvp::<of_readings>().unwrap();
    let (y, (gradient,), (product,)) = hvp.value_gradient_and_hvp((&readings,), (&moves,)).unwrap();
    assert_eq!(y, value);
    for (n, one) in expected.iter().enumerate() {
        // The derivative by what is 1 is the value, and that along the direction is its derivative.
        let unit = |by: f64| std::array::from_fn(|k| if k == n % 3 { by as f32 } else { 0.0 });
        assert_eq!(gradient[n], change(one.1, unit(one.0)), "{n}");
        assert_eq!(product[n], change(one.3, unit(one.2)), "{n}");
    }

    let track = |n: usize| Track {
        xs: vec![at(n)[0]; 1 + n % 3],
        group: n % 3,
        m: Some(at(n)[1]),
    };
    let change = |n: usize, [x, m]: [f64; 2]| TrackGradient {
        xs: (0..1 + n % 3)
            .map(|k| if k == n % 3 { x } else { 0.0 })
            .collect(),
        group: (),
        m: Some(m),
    };
    let tracks: Vec<Track> = (0..count).map(track).collect();
    let moves: Vec<_> = (0..count).map(|n| change(n, along(n))).collect();
    let frule = ctx.build_frule::<of_tracks>().unwrap();
    let found = frule.value_and_derivative((&tracks,), (&moves,)).unwrap();
    assert_eq!(found, (value, derivative));
    let hvp = ctx.build_hvp::<of_tracks>().unwrap();
    let (y, (gradient,), (product,)) = hvp.value_gradient_and_hvp((&tracks,), (&moves,)).unwrap();
    assert_eq!(y, value);
    for (n, one) in expected.iter().enumerate() {
        assert_eq!(gradient[n], change(n, one.1), "{n}");
        assert_eq!(product[n], change(n, one.3), "{n}");
    }

    let ctx = Context::default();
    let both = Both {
        first: &bodies,
        second: &bodies[50..],
    };
    let change = |from: usize| -> Vec<BodyGradient> {
        let moves = (from..count).map(along);
        moves.map(|[x, m]| BodyGradient { x, m }).collect()
    };
    let moves = BothGradient {
        first: change(0),
        second: change(50),
    };
    let more = (
        vec![reading(0)],
        vec![ReadingGradient {
            is_late: (),
            x: 1.0,
            group: (),
            small: [0.0; 3],
            m: 0.0,
        }],
    );
    let last: f64 = expected[50..].iter().map(|one| one.2).sum();
    let derivative = derivative + 2.0 * last + 2.0 * at(0)[0] * at(0)[1];
    let frule = ctx.build_frule::<of_both>().unwrap();
    let args = || (&both, more.0.clone());
    let (_, found) = frule
        .value_and_derivative(args(), (moves.clone(), more.1.clone()))
        .unwrap();
    assert_eq!(found, derivative);
    let hvp = ctx.build_hvp::<of_both>().unwrap();
    let (_, _, (product, _)) = hvp.value_gradient_and_hvp(args(), (moves, more.1)).unwrap();
    for (n, one) in expected.iter().enumerate() {
        let [x, m] = one.3;
        assert_eq!(product.first[n], BodyGradient { x, m }, "{n}");
        if n >= 50 {
            assert_eq!(
                product.second[n - 50],
                BodyGradient {
                    x: 2.0 * x,
                    m: 2.0 * m
                },
                "{n}"
            );
        }
    }
}

//! Arrays in options, results, enums, structs, vectors and recursive types: as arguments, as fields, and made inside. Variants without
//! arrays have nothing in the arrays' place, and so have their cotangents. In f64 and in f32, and on the GPU.

use crate::devices;
use mooncake::prelude::*;
use mooncake::testing::test_rule;

/// The tests of one element type on one device.
macro_rules! holders {
    ($name:ident, $float:ident, $device:expr) => {
        mod $name {
            use super::*;

            /// Where arrays are; `None` if there is no such device.
            fn device() -> Option<Device> {
                $device
            }

            #[derive(Clone, Differentiable)]
            pub struct Layer {
                pub weights: Array<$float>,
                pub bias: Option<Array<$float>>,
            }

            #[derive(Clone, Differentiable)]
            pub enum Scale {
                None,
                Number($float),
                Each(Array<$float>),
                Both($float, Array<$float>),
            }

            #[derive(Clone, Differentiable)]
            pub enum Tree {
                Leaf(Array<$float>),
                Node(Box<Tree>, Box<Tree>),
            }

            #[differentiable]
            fn option(x: &Array<$float>, b: &Option<Array<$float>>) -> Array<$float> {
                match b {
                    Some(b) => (x * b).sum(),
                    None => (x * x).sum(),
                }
            }
            #[differentiable]
            fn layer(l: &Layer, x: &Array<$float>) -> Array<$float> {
                let y = x * &l.weights;
                match &l.bias {
                    Some(b) => (y + b).sin().sum(),
                    None => y.sin().sum(),
                }
            }
            #[differentiable]
            fn scaled(s: &Scale, x: &Array<$float>) -> Array<$float> {
                match s {
                    Scale::None => x.sin().sum(),
                    Scale::Number(n) => (x * *n).sin().sum(),
                    Scale::Each(a) => (x * a).sum(),
                    Scale::Both(n, a) => (x * a * *n).sum(),
                }
            }
            #[differentiable]
            fn made_inside(x: &Array<$float>, with: bool) -> Array<$float> {
                let y = if with { Some(x * 2.0) } else { None };
                match y {
                    Some(y) => (y * x).sum(),
                    None => x.sin().sum(),
                }
            }
            #[differentiable]
            fn result_inside(x: &Array<$float>, s: $float) -> Array<$float> {
                let y: Result<Array<$float>, $float> = if s > 1.0 { Ok(x * s) } else { Err(s * s) };
                match y {
                    Ok(y) => (y * x).sum(),
                    Err(s) => (x * s).sum(),
                }
            }
            #[differentiable]
            fn returned(x: &Array<$float>, s: $float) -> Option<Array<$float>> {
                if s > 1.0 { Some((x * s).sin()) } else { None }
            }
            #[differentiable]
            fn total(tree: &Tree) -> Array<$float> {
                match tree {
                    Tree::Leaf(x) => (x * x).sum(),
                    Tree::Node(left, right) => total(left) * total(right),
                }
            }
            #[derive(Clone, Differentiable)]
            pub struct Forest {
                pub tree: Tree,
                pub scale: Scale,
            }
            #[differentiable]
            fn forest(f: &Forest, x: &Array<$float>) -> Array<$float> {
                total(&f.tree) * scaled(&f.scale, x)
            }
            #[differentiable]
            fn result(y: &Result<Array<$float>, $float>, x: &Array<$float>) -> Array<$float> {
                match y {
                    Ok(y) => (x * y).sin().sum(),
                    Err(s) => (x * *s).sum(),
                }
            }
            #[allow(clippy::ptr_arg, reason = "a vector is what is tested")]
            #[differentiable]
            fn several(parts: &Vec<Option<Array<$float>>>, x: &Array<$float>) -> Array<$float> {
                let mut sum = x.sum();
                for part in parts.iter() {
                    match part {
                        Some(part) => sum += (part * x).sin().sum(),
                        None => sum *= 2.0,
                    }
                }
                sum
            }
            #[differentiable]
            fn last_of_loop(x: &Array<$float>, n: usize) -> Array<$float> {
                let mut last = None;
                for i in 0..n {
                    last = Some(x * (i as $float + 1.0));
                }
                match last {
                    Some(y) => (y * x).sum(),
                    None => x.sum(),
                }
            }

            fn array(seed: usize) -> Array<$float> {
                let data = (0..4).map(|n| 0.3 + 0.17 * ((n * 5 + seed * 3) % 7) as $float);
                Array::from_vec_on(&device().unwrap_or(Device::cpu()), data.collect(), [2, 2])
            }

            /// Runs a test on the device, in an ordinary context and, on the CPU, in debug mode.
            fn in_contexts(test: impl Fn(&Context) -> mooncake::Result<()>) {
                let Some(device) = device() else { return };
                for debug in [false, true] {
                    if debug && device.is_gpu() {
                        continue;
                    }
                    let ctx = Context::builder().device(device.clone()).debug(debug);
                    test(&ctx.build().unwrap())
                        .unwrap_or_else(|e| panic!("debug mode {debug}: {e}"));
                }
            }

            #[test]
            fn options_as_arguments() {
                for b in [Some(array(2)), None] {
                    in_contexts(|ctx| test_rule::<option>(ctx, (&array(1), &b)));
                }
            }
            #[test]
            fn options_as_fields() {
                for bias in [Some(array(2)), None] {
                    let l = Layer {
                        weights: array(3),
                        bias,
                    };
                    in_contexts(|ctx| test_rule::<layer>(ctx, (&l, &array(1))));
                }
            }
            #[test]
            fn enums_with_and_without_arrays() {
                let scales = [
                    Scale::None,
                    Scale::Number(0.7),
                    Scale::Each(array(2)),
                    Scale::Both(1.3, array(2)),
                ];
                for scale in scales {
                    in_contexts(|ctx| test_rule::<scaled>(ctx, (&scale, &array(1))));
                }
            }
            #[test]
            fn options_and_results_made_inside() {
                for with in [true, false] {
                    in_contexts(|ctx| test_rule::<made_inside>(ctx, (&array(1), with)));
                }
                for s in [0.5, 1.5] {
                    in_contexts(|ctx| test_rule::<result_inside>(ctx, (&array(1), s)));
                    in_contexts(|ctx| test_rule::<returned>(ctx, (&array(1), s)));
                }
            }
            #[test]
            fn recursive_enums() {
                let leaf = |n| Box::new(Tree::Leaf(array(n)));
                let pair = Tree::Node(leaf(1), Box::new(Tree::Node(leaf(2), leaf(3))));
                for tree in [Tree::Leaf(array(1)), pair] {
                    in_contexts(|ctx| test_rule::<total>(ctx, (&tree,)));
                }
            }
            #[test]
            fn enums_as_fields() {
                let leaf = |n| Box::new(Tree::Leaf(array(n)));
                for (tree, scale) in [
                    (Tree::Leaf(array(1)), Scale::None),
                    (Tree::Node(leaf(1), leaf(2)), Scale::Both(1.3, array(3))),
                    (Tree::Node(leaf(3), leaf(1)), Scale::Number(0.7)),
                ] {
                    let f = Forest { tree, scale };
                    in_contexts(|ctx| test_rule::<forest>(ctx, (&f, &array(2))));
                }
            }
            #[test]
            fn results_as_arguments() {
                for y in [Ok(array(2)), Err(0.7)] {
                    in_contexts(|ctx| test_rule::<result>(ctx, (&y, &array(1))));
                }
            }
            #[test]
            fn vectors_and_loops() {
                in_contexts(|ctx| {
                    test_rule::<several>(
                        ctx,
                        (&vec![None, Some(array(2)), None, Some(array(3))], &array(1)),
                    )
                });
                for n in [0, 1, 3] {
                    in_contexts(|ctx| test_rule::<last_of_loop>(ctx, (&array(1), n)));
                }
            }

            #[differentiable]
            fn network(x: &Array<$float>, w: &Array<$float>, s: $float) -> Array<$float> {
                let h = x.matmul(w).tanh() * s;
                h.map(|v| {
                    let c = [v, v * s];
                    c[0] * c[1]
                })
                .log_softmax(1)
                .sum_axis(0)
                .mean()
            }

            /// Products with Hessians in debug mode are those without.
            #[test]
            fn hessian_products_in_debug_mode() {
                let Some(device) = device() else { return };
                let (x, w, v) = (array(1), array(2), array(3));
                let product = |debug: bool| {
                    let ctx = Context::builder()
                        .device(device.clone())
                        .debug(debug)
                        .build()
                        .unwrap();
                    let rule = ctx.build_hvp::<network>().unwrap();
                    let (y, g, h) = rule
                        .value_gradient_and_hvp((&x, &w, 0.8), (&v, &x, 0.3))
                        .unwrap();
                    let mut all = vec![y.item().unwrap(), g.2, h.2];
                    for part in [g.0, g.1, h.0, h.1] {
                        all.extend(part.to_vec().unwrap());
                    }
                    all
                };
                let (debug, plain) = (product(true), product(false));
                for (a, b) in debug.iter().zip(&plain) {
                    assert!(
                        (a - b).abs() <= 4096.0 * $float::EPSILON * (1.0 + b.abs()),
                        "{debug:?}, {plain:?}"
                    );
                }
                assert!(plain[3..].iter().any(|x| x.abs() > 1e-3));
            }
        }
    };
}

holders!(double, f64, Some(Device::cpu()));
holders!(single, f32, Some(Device::cpu()));
holders!(single_on_a_gpu, f32, devices::gpu());

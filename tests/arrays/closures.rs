//! `map` closures as people write them: with locals of every kind of memory, loops, branches and helpers. Each is tested like a rule:
//! value against the native function, reverse against differences and against forward mode, f32 and f64; and its products with
//! Hessians against differences of gradients.

use mooncake::prelude::*;
use mooncake::testing::test_rule;

macro_rules! closures {
    ($t:ident) => {
        #[derive(Clone, Copy, Differentiable)]
        pub struct Fixed {
            pub scale: $t,
            pub parts: [$t; 3],
        }

        #[differentiable]
        pub fn first_and_last(parts: &[$t]) -> $t {
            parts[0] * parts[parts.len() - 1]
        }

        #[differentiable]
        pub fn total(parts: &[$t]) -> $t {
            let mut sum = 0.0;
            for (n, part) in parts.iter().enumerate() {
                sum += part * (n + 1) as $t;
            }
            sum
        }

        #[differentiable]
        pub fn polynomial(v: $t) -> $t {
            let powers = [1.0, v, v * v, v * v * v];
            powers[1] - 2.0 * powers[2] + 0.5 * powers[3]
        }

        #[differentiable]
        pub fn fixed_array(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| {
                let c = [v, v * v];
                c[0] + c[1]
            })
            .sum()
        }
        #[differentiable]
        pub fn vector(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| {
                let c = vec![v, v * v, v.sin()];
                c[0] * c[1] + c[2]
            })
            .sum()
        }
        #[differentiable]
        pub fn for_over_array(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| {
                let mut r = 1.0;
                for q in [v, v * v] {
                    r *= q + 0.5;
                }
                r
            })
            .sum()
        }
        #[differentiable]
        pub fn sum_of_iterator(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| [v, v * v].iter().sum::<$t>()).sum()
        }
        #[differentiable]
        pub fn slice_to_function(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| {
                let c = [v, v.cos(), v * v];
                first_and_last(&c) + total(&c)
            })
            .sum()
        }
        #[differentiable]
        pub fn field_of_struct(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let f = Fixed {
                    scale: v * s,
                    parts: [v, v * v, 1.0],
                };
                f.scale * f.parts[1] + f.parts[0] + f.parts[2]
            })
            .sum()
        }
        #[differentiable]
        pub fn nested(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| {
                let c = [[v, 2.0 * v], [v * v, 1.0]];
                let mut r = 0.0;
                for i in 0..2 {
                    for j in 0..2 {
                        r += c[i][j] * c[j][i];
                    }
                }
                r
            })
            .sum()
        }
        #[differentiable]
        pub fn pushed(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| {
                let mut c = Vec::new();
                let mut power = v;
                for _ in 0..3 {
                    c.push(power);
                    power *= v;
                }
                c[0] + c[1] * c[2]
            })
            .sum()
        }
        #[differentiable]
        pub fn tuple_with_array(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| {
                let t = (v, [v, v]);
                t.0 * t.1[1]
            })
            .sum()
        }
        #[differentiable]
        pub fn captured(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let c = [s, 1.0];
                c[0] * v + c[1]
            })
            .sum()
        }
        #[differentiable]
        pub fn overwritten(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let mut c = [v, s, v * s];
                for i in 1..3 {
                    c[i] *= c[i - 1];
                }
                c[0] = c[2].sin();
                c[0] + c[1]
            })
            .sum()
        }
        #[differentiable]
        pub fn chosen(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let c = [v, s * v, v * v];
                let n = if v > 0.0 { 2 } else { 1 };
                c[n] * c[0]
            })
            .sum()
        }
        #[differentiable]
        pub fn boxed(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let b = Box::new(v * s);
                let o = Some(v * v);
                *b + o.unwrap_or(0.0)
            })
            .sum()
        }
        #[differentiable]
        pub fn cell(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let c = std::cell::Cell::new(v);
                c.set(c.get() * s);
                c.set(c.get() * c.get());
                c.get()
            })
            .sum()
        }
        #[differentiable]
        pub fn of_a_function(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(polynomial).sum()
        }
        #[differentiable]
        pub fn powers(x: &Array<$t>, _s: $t) -> Array<$t> {
            x.map(|v| {
                let mut r = v;
                for _ in 0..3 {
                    r *= v;
                }
                r
            })
            .sum()
        }
        #[differentiable]
        pub fn halved(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let mut r = v * s + 3.0;
                while r > 0.7 {
                    r *= 0.5 + 0.05 * v;
                }
                r
            })
            .sum()
        }
        #[differentiable]
        pub fn newton(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let a = v * v + s * s + 1.0;
                let mut r = a;
                for _ in 0..12 {
                    r = 0.5 * (r + a / r);
                }
                r
            })
            .sum()
        }
        #[differentiable]
        pub fn local_closure(x: &Array<$t>, s: $t) -> Array<$t> {
            let square = |v: $t| v * v * s;
            x.map(|v| square(v) + v).sum()
        }
        #[differentiable]
        pub fn closure_within(x: &Array<$t>, s: $t) -> Array<$t> {
            x.map(|v| {
                let scaled = |q: $t| q * v * s;
                scaled(v) + scaled(2.0)
            })
            .sum()
        }
        #[differentiable]
        pub fn closures_of_closures(x: &Array<$t>, s: $t) -> Array<$t> {
            let shift = |v: $t| v + s;
            let square = |v: $t| shift(v) * shift(v);
            x.map(|v| square(v) * v).sum()
        }
        #[differentiable]
        pub fn captured_structures(x: &Array<$t>, s: $t) -> Array<$t> {
            let coefficients = [s, 2.0, s * s];
            let pair = (s, 0.5);
            let fixed = Fixed {
                scale: s,
                parts: [1.0, s, 3.0],
            };
            x.map(|v| {
                let mut r = 0.0;
                for c in coefficients {
                    r = r * v + c;
                }
                r * pair.0 + pair.1 + fixed.scale * fixed.parts[1] * v
            })
            .sum()
        }
    };
}

macro_rules! for_all {
    ($run:ident) => {
        $run!(
            fixed_array vector for_over_array sum_of_iterator slice_to_function field_of_struct nested pushed
            tuple_with_array captured overwritten chosen boxed cell of_a_function powers halved newton local_closure
            closure_within closures_of_closures captured_structures
        );
    };
}

mod single {
    use mooncake::prelude::*;
    closures!(f32);
}

mod double {
    use mooncake::prelude::*;
    closures!(f64);
}

const X: [f64; 5] = [0.5, -2.0, 1.25, -0.75, 0.0625];
const ALONG: [f64; 5] = [0.3, -1.0, 0.5, 2.0, 0.25];

fn context() -> Context {
    Context::builder().device(Device::cpu()).build().unwrap()
}

/// The GPU, if there is one; with `MOONCAKE_REQUIRE_GPU=1` there must be.
fn gpu() -> Option<Device> {
    match Device::gpu() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            let required = std::env::var("MOONCAKE_REQUIRE_GPU").is_ok_and(|v| v == "1");
            assert!(!required, "MOONCAKE_REQUIRE_GPU=1, but: {error}");
            eprintln!("not tested on a GPU: {error}");
            None
        }
    }
}

macro_rules! rules {
    ($($name:ident)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn f64_rule() {
                let x = Array::<f64>::from_vec_on(&Device::cpu(), X.to_vec(), [5]);
                test_rule::<double::$name>(&context(), (&x, 1.5)).unwrap();
            }
            #[test]
            fn f32_rule() {
                let x = X.iter().map(|&x| x as f32).collect();
                let x = Array::<f32>::from_vec_on(&Device::cpu(), x, [5]);
                test_rule::<single::$name>(&context(), (&x, 1.5)).unwrap();
            }
            #[test]
            fn f64_hessian_product() {
                let (ctx, cpu) = (context(), Device::cpu());
                let array = |numbers: [f64; 5]| Array::from_vec_on(&cpu, numbers.to_vec(), [5]);
                let hvp = ctx.build_hvp::<double::$name>().unwrap();
                let along = (&array(ALONG), 0.4);
                let (_, gradient, (hx, hs)) =
                    hvp.value_gradient_and_hvp((&array(X), 1.5), along).unwrap();
                let rule = ctx.build_rrule::<double::$name>().unwrap();
                let numbers = |(dx, ds): (Array<f64>, f64)| {
                    let mut all = dx.to_vec().unwrap();
                    all.push(ds);
                    all
                };
                let gradient_at = |step: f64| {
                    let moved = std::array::from_fn(|n| X[n] + step * ALONG[n]);
                    let (_, gradient) =
                        rule.value_and_gradient((&array(moved), 1.5 + step * 0.4)).unwrap();
                    numbers(gradient)
                };
                assert_eq!(numbers(gradient), gradient_at(0.0));
                let step = 1e-5;
                let sides = gradient_at(step).into_iter().zip(gradient_at(-step));
                for ((after, before), found) in sides.zip(numbers((hx, hs))) {
                    let expected = (after - before) / (2.0 * step);
                    let close = (found - expected).abs() <= 1e-7 * (1.0 + expected.abs());
                    assert!(close, "{found}, by differences {expected}");
                }
            }
            /// Gradient, tangent and the product with the Hessian, in f64.
            #[test]
            fn f64_on_the_gpu() {
                let Some(gpu) = gpu() else { return };
                let all = |device: Device| {
                    let ctx = Context::builder().device(device.clone()).build().unwrap();
                    let x = Array::<f64>::from_vec_on(&device, X.to_vec(), [5]);
                    let v = Array::<f64>::from_vec_on(&device, ALONG.to_vec(), [5]);
                    let hvp = ctx.build_hvp::<double::$name>().unwrap();
                    let (y, (dx, ds), (hx, hs)) = hvp.value_gradient_and_hvp((&x, 1.5), (&v, 0.4)).unwrap();
                    let mut all = vec![y.item().unwrap(), ds, hs];
                    all.extend(dx.to_vec().unwrap());
                    all.extend(hx.to_vec().unwrap());
                    all
                };
                for (found, expected) in all(gpu).into_iter().zip(all(Device::cpu())) {
                    let close = (found - expected).abs() <= 1e-12 * (1.0 + expected.abs());
                    assert!(close, "{found} on the GPU, {expected} on the CPU");
                }
            }
            #[test]
            fn on_the_gpu() {
                let Some(gpu) = gpu() else { return };
                let x: Vec<f32> = X.iter().map(|&x| x as f32).collect();
                let gradient = |device: Device| {
                    let ctx = Context::builder().device(device.clone()).build().unwrap();
                    let rule = ctx.build_rrule::<single::$name>().unwrap();
                    let x = Array::<f32>::from_vec_on(&device, x.clone(), [5]);
                    let (y, (dx, ds)) = rule.value_and_gradient((&x, 1.5)).unwrap();
                    let forward = ctx.build_frule::<single::$name>().unwrap();
                    let (_, dy) = forward.value_and_derivative((&x, 1.5), (&dx, 1.0)).unwrap();
                    let mut all = vec![y.item().unwrap(), ds, dy.item().unwrap()];
                    all.extend(dx.to_vec().unwrap());
                    all
                };
                let (found, expected) = (gradient(gpu), gradient(Device::cpu()));
                for (found, expected) in found.iter().zip(&expected) {
                    let close = (found - expected).abs() <= 1e-4 * (1.0 + expected.abs());
                    assert!(close, "{found} on the GPU, {expected} on the CPU");
                }
            }
            #[test]
            fn in_debug_mode() {
                let ctx = Context::builder().device(Device::cpu()).debug(true).build().unwrap();
                let x = Array::<f64>::from_vec_on(&Device::cpu(), X.to_vec(), [5]);
                test_rule::<double::$name>(&ctx, (&x, 1.5)).unwrap();
            }
        }
    )*};
}
for_all!(rules);

#[differentiable]
fn of_nothing(x: &Array<f64>, s: f64) -> f64 {
    let y = x.map(|_| {
        let mut kept = vec![0.5, 0.5, s];
        let length = kept.len();
        kept.insert(1 % (length + 1), 2.0);
        0.5
    });
    y.sum().to_scalar()
}

/// The reverse kernel has memory to work on, but reads neither elements nor cotangents: it is as large as the result all the same.
#[test]
fn a_closure_that_hangs_on_nothing_has_no_gradient() {
    let rule = context().build_rrule::<of_nothing>().unwrap();
    let x = Array::from_vec_on(&Device::cpu(), vec![1.0, 2.0], [2]);
    let (y, (dx, ds)) = rule.value_and_gradient((&x, 3.0)).unwrap();
    assert_eq!(y, 1.0);
    assert_eq!((dx.to_vec().unwrap(), ds), (vec![0.0; 2], 0.0));
}

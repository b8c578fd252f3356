//! A pack that panics: an error of the call, and the process lives on.
//!
//! A process of its own: a pack that has panicked is not used any further.

mod support;

use expect_test::expect;
use mooncake::Error;
use mooncake::prelude::*;
use support::{built, gelu_pack};

mod pack {
    use mooncake::prelude::*;

    #[differentiable]
    extern "pack" {
        pub fn fuse(x: f64) -> f64;
    }
    pub mod narrow {
        use mooncake::prelude::*;

        #[differentiable]
        extern "pack" {
            pub fn gelu(x: f32) -> f32;
            pub fn fuse(x: f32) -> f32;
        }
    }
}

#[differentiable]
fn careful(x: f64) -> f64 {
    if x > 1.0 { x } else { pack::fuse(x) }
}

#[differentiable]
fn careless(x: f64) -> f64 {
    1.0 + pack::fuse(x)
}

#[differentiable]
fn mapped(x: &Array<f32>) -> Array<f32> {
    x.map(pack::narrow::fuse).sum()
}

#[differentiable]
fn elsewhere(x: &Array<f32>) -> Array<f32> {
    x.map(pack::narrow::gelu).sum()
}

/// One test, because the pack is poisoned for the whole process: the steps are in order.
#[test]
fn a_panic_is_an_error_of_the_call() {
    let cpu = Device::cpu();
    let mut ctx = Context::builder().device(cpu.clone()).build().unwrap();
    ctx.load_pack(built("faulty-pack")).unwrap();
    let careful = ctx.build_rrule::<careful>().unwrap();
    let rule = ctx.build_rrule::<careless>().unwrap();
    let mapped = ctx.build_rrule::<mapped>().unwrap();
    let x = Array::from_vec_on(&cpu, vec![0.5, 0.25], [2]);
    assert_eq!(careful.value_and_gradient((2.0,)).unwrap(), (2.0, (1.0,)));
    assert_eq!(rule.value_and_gradient((0.5,)).unwrap(), (1.25, (1.0,)));
    let (y, (dx,)) = mapped.value_and_gradient((&x,)).unwrap();
    assert_eq!(
        (y.item().unwrap(), dx.to_vec().unwrap()),
        (0.3125, vec![1.0, 0.5])
    );

    // Native code is told by a panic of its own: it has no other way.
    assert_eq!(careless(0.5), 1.25);
    let natively = |call: &(dyn Fn() -> f64 + std::panic::RefUnwindSafe)| -> String {
        let panic = std::panic::catch_unwind(call).unwrap_err();
        *panic.downcast::<String>().unwrap()
    };
    let said = natively(&|| careless(2.0));
    assert_eq!(said, natively(&|| pack::fuse(0.5)), "poisoned");
    let panicked = rule.value_and_gradient((2.0,)).unwrap_err().to_string();
    assert_eq!(said, panicked);
    expect!["pack faulty-pack: `fuse` panicked: 2 is too much (the pack is not used any further in this process)"].assert_eq(&panicked);

    // What state the panic has left in the pack is unknown.
    let refused = |outcome: Result<(), Error>| {
        assert_eq!(outcome.unwrap_err().to_string(), panicked, "poisoned");
    };
    refused(rule.value_and_gradient((0.5,)).map(drop));
    refused(careful.value((0.5,)).map(drop));
    refused(
        mapped
            .value_and_gradient((&x,))
            .and_then(|(y, _)| y.item())
            .map(drop),
    );
    // Loaded again it is the same library.
    let mut again = Context::default();
    again.load_pack(built("faulty-pack")).unwrap();
    let rule = again.build_rrule::<careless>().unwrap();
    refused(rule.value_and_gradient((0.5,)).map(drop));

    // Other packs are as they were.
    let mut ctx = Context::builder().device(cpu).build().unwrap();
    ctx.load_pack(gelu_pack()).unwrap();
    let rule = ctx.build_rrule::<elsewhere>().unwrap();
    assert!(rule.value_and_gradient((&x,)).unwrap().0.item().is_ok());
}

//! `mooncake::gradient` and similar functions, as they are in differentiable functions. Inference types the two methods that they call
//! (`infer/derivatives.rs`).

use mooncake_macros::library;

#[library]
pub mod functions {
    fn gradient(f: _, x: _) -> _ {
        f.__value_and_gradient(x).1
    }
    fn value_and_gradient(f: _, x: _) -> _ {
        f.__value_and_gradient(x)
    }
    fn derivative(f: _, x: _) -> _ {
        f.__value_and_derivative(x, 1.0).1
    }
    fn hvp(f: _, x: _, direction: _) -> _ {
        let gradient = |x| f.__value_and_gradient(x).1;
        gradient.__value_and_derivative(x, direction).1
    }
    // The function that is differentiated. Its first parameter is the tuple of captures.
    fn apply(f: _, x: _) -> _ {
        f(x)
    }
}

//! What `mooncake::gradient` and its kin are in differentiable functions. The two methods that they call are forms of inference
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
    // The function that is differentiated: its first parameter is what it captures.
    fn apply(f: _, x: _) -> _ {
        f(x)
    }
}

//! The upstream corpus of Mooncake.jl as tests of ours: one for each row, named after its id, in reverse and in forward
//! mode through `test_rule`, the compiled primal compared with native Rust.
//!
//! The first line of a test's documentation is the upstream case; where that has no meaning in Rust, the next lines say
//! what is tested instead. `table` writes `tests/conformance/README.md` from these lines.

#![allow(
    clippy::all,
    reason = "the programs are what the corpus says, also where another form would be shorter"
)]

mod table;
mod tangents;
mod builtins;
mod memory;
mod devices;
mod transform;

/// Tests a rule; a failure shows which property broke.
macro_rules! check {
    ($f:ident $(::<$t:ty>)?, $args:expr) => {{
        let ctx = ::mooncake::Context::builder()
            .device(::mooncake::Device::cpu())
            .build()
            .unwrap();
        if let Err(error) = ::mooncake::testing::test_rule::<$f $(<$t>)?>(&ctx, $args) {
            panic!("{error}");
        }
    }};
}
pub(crate) use check;

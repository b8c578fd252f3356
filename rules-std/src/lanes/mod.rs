//! The elementary functions as expressions: what code computes that works on several elements at once, on the CPU in lanes and on GPUs.
//!
//! Each function is written once for f32 and once for f64, in rows of one name that only the `body` of the function's own row calls. Scalar code
//! and everything that has `native` code at hand goes on calling that, so it equals Rust's functions bit for bit.
//!
//! - **No branches**: both sides of a `select` are computed.
//! - **Rare arguments stand apart.** Where a function is expensive for arguments that hardly occur, the last operation is
//!   `select(usual, value, slow_f(x))`, and `slow_f` is native code, or WGSL. Who computes in lanes need call it only when `usual` is false for one
//!   of them.
//! - **No integers but bits.** Vectors cannot convert 64-bit integers to floats. Adding 1.5·2²³ to an f32, or 1.5·2⁵² to an f64, rounds it to an integer,
//!   which is then the lowest bits of the sum; a shift puts it into the exponent of another float.
//! - **Rounding counts.** Adding a large constant and subtracting it rounds; the sum of two numbers less one of them is what was lost. Drivers of GPUs
//!   would make other sums of it, so there sums of sums are kept from them (`mcx_keep`).
//! - **No operation is fused** into the text. Where a compiler contracts a multiplication and an addition, nothing breaks: the products that have to
//!   be exact are exact.
//!
//! The polynomials are those of Cephes (Moshier) and of FreeBSD's msun (Sun Microsystems). The accuracy is in the table of the crate's page.

pub mod exponential;
pub mod hyperbolic;
pub mod power;
pub mod trigonometric;

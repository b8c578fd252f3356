//! Names are paths: a method or a function of a program is never a row of a pack because it is called like one.
//!
//! For every row of every pack there is a program here with a method or a function of that name. What it computes is its own, or
//! the program is refused; the rules of packs never come into it.

mod support;

use mooncake::Type;
use mooncake::prelude::*;
use std::collections::BTreeSet;
use support::gelu_pack;

/// The packs that programs are tried with: all linked ones, and one that is loaded.
fn context() -> Context {
    let mut ctx = Context::builder().device(Device::cpu()).build().unwrap();
    ctx.load_pack(gelu_pack()).unwrap();
    ctx
}

/// The names of all rows, public and private, of all packs.
fn rows() -> BTreeSet<&'static str> {
    let ctx = context();
    let entries = ctx.registry().entries();
    entries.map(|entry| entry.row()).collect()
}

/// That the names in a table are those of all rows.
fn check_table(table: &[&'static str]) {
    let known: BTreeSet<&str> = table.iter().copied().collect();
    let rows = rows();
    let missing: Vec<_> = rows.difference(&known).collect();
    let extra: Vec<_> = known.difference(&rows).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "add to the table in tests/names.rs the rows {missing:?}, and take out {extra:?}, which are none"
    );
}

/// That a program with a method that is not differentiable is refused, with the advice.
fn check_refused(name: &str, on: &str, result: mooncake::Result<f64>) {
    let message = match result {
        Ok(value) => panic!("`{name}` of {on} was captured: {value}"),
        Err(error) => error.to_string(),
    };
    assert!(
        message.contains(&format!("nothing defines `{name}` for ({on}")),
        "`{name}` of {on}: {message}"
    );
    assert!(message.contains("before the trait"), "{message}");
}

/// The value of a program at an argument, as a gradient gives it.
macro_rules! tried {
    ($ctx:ident, $program:ty, $x:expr) => {
        $ctx.build_rrule::<$program>()
            .and_then(|rule| Ok(f64::from(rule.value_and_gradient(($x,))?.0)))
    };
}

/// Programs with a method of each name on `f64` and on `f32`.
macro_rules! on_floats {
    ($($name:ident)*) => {
        mod floats {
            $(pub mod $name {
                use mooncake::prelude::*;
                trait Own {
                    fn $name(self, by: Self) -> Self;
                }
                impl Own for f64 {
                    fn $name(self, by: f64) -> f64 { self * by }
                }
                impl Own for f32 {
                    fn $name(self, by: f32) -> f32 { self * by }
                }
                #[differentiable]
                pub fn double(x: f64) -> f64 { x.$name(4.0) }
                #[differentiable]
                pub fn single(x: f32) -> f32 { x.$name(4.0) }
                #[differentiable]
                pub fn by_path(x: f64) -> f64 { f64::$name(x, 4.0) }
                #[differentiable]
                pub fn by_trait(x: f64) -> f64 { <f64 as Own>::$name(x, 4.0) }
            })*
        }

        #[test]
        fn no_method_of_a_float_is_a_row() {
            let ctx = context();
            $(
                let name = stringify!($name);
                assert_eq!(floats::$name::double(3.0), 12.0);
                check_refused(name, "f64", tried!(ctx, floats::$name::double, 3.0));
                check_refused(name, "f32", tried!(ctx, floats::$name::single, 3.0));
                check_refused(name, "f64", tried!(ctx, floats::$name::by_path, 3.0));
                check_refused(name, "f64", tried!(ctx, floats::$name::by_trait, 3.0));
            )*
        }
    };
}

/// Programs with a method of each name on `Array`.
macro_rules! on_arrays {
    ($($name:ident)*) => {
        mod arrays {
            $(pub mod $name {
                use mooncake::prelude::*;
                trait Own {
                    fn $name(&self, by: f64) -> Array<f64>;
                }
                impl Own for Array<f64> {
                    fn $name(&self, by: f64) -> Array<f64> { self * by }
                }
                #[differentiable]
                pub fn method(x: &Array<f64>) -> Array<f64> { x.$name(4.0).sum() }
                #[differentiable]
                pub fn by_trait(x: &Array<f64>) -> Array<f64> { <Array<f64> as Own>::$name(x, 4.0).sum() }
            })*
        }

        #[test]
        fn no_method_of_an_array_is_a_row() {
            let ctx = context();
            let x = Array::from_vec(vec![1.0, 2.0], [2]);
            $(
                let name = stringify!($name);
                assert_eq!(arrays::$name::method(&x).item().unwrap(), 12.0);
                let method = ctx.build_rrule::<arrays::$name::method>();
                let method = method.and_then(|rule| rule.value_and_gradient((&x,))?.0.item());
                check_refused(name, "Array<f64>", method);
                let by_trait = ctx.build_rrule::<arrays::$name::by_trait>();
                let by_trait = by_trait.and_then(|rule| rule.value_and_gradient((&x,))?.0.item());
                check_refused(name, "Array<f64>", by_trait);
            )*
        }
    };
}

/// Free functions of each name.
macro_rules! functions {
    ($($name:ident)*) => {
        mod functions {
            $(pub mod $name {
                use mooncake::prelude::*;
                #[differentiable]
                fn $name(x: f64, by: f64) -> f64 { x * by + 1.0 }
                #[differentiable]
                pub fn program(x: f64) -> f64 { $name(x, 4.0) }
            })*
        }

        #[test]
        fn no_function_is_a_row() {
            let ctx = context();
            $(
                let rule = ctx.build_rrule::<functions::$name::program>().unwrap();
                let (y, (dx,)) = rule.value_and_gradient((3.0,)).unwrap();
                assert_eq!((y, dx), (13.0, 4.0), stringify!($name));
                let path = concat!("names::functions::", stringify!($name), "::", stringify!($name));
                assert!(!ctx.is_primitive(path, &[Type::F64; 2]), "{path}");
            )*
        }
    };
}

/// The names of all rows, by which of the two types have a method of that name themselves: rustc means that one.
macro_rules! rows {
    (both: $($both:ident)* ; floats: $($float:ident)* ; arrays: $($array:ident)* ; neither: $($neither:ident)*) => {
        on_floats! { $($array)* $($neither)* }
        on_arrays! { $($float)* $($neither)* }
        functions! { $($both)* $($float)* $($array)* $($neither)* }

        #[test]
        fn every_row_is_tried() {
            $(let _ = f64::$both;)*
            $(let _ = f64::$float;)*
            check_table(&[$(stringify!($both),)* $(stringify!($float),)* $(stringify!($array),)* $(stringify!($neither),)*]);
        }
    };
}

rows! {
    both: abs acos acosh asin asinh atan atan2 atanh cbrt ceil clamp copysign cos cosh exp exp2 exp_m1 floor fract hypot ln ln_1p
        log10 log2 max min mul_add powf powi recip round signum sin sinh sqrt tan tanh to_degrees to_radians trunc;
    floats: div_euclid log midpoint rem_euclid round_ties_even;
    arrays: broadcast_to cholesky concat det dot eigh expand_dims flip full gather inv item kron log_softmax logdet lstsq lu matmul max_axis
        mean narrow ndim norm pad qr reshape slogdet softmax solve solve_triangular solve_triangular_t squeeze sum sum_axis svd
        swap_axes t trace;
    neither: axpy gemm gemv ger getrf getrs nrm2 potrf potrs scal symm symv syrk trmm trmv trsm trsv
        accumulate add antisymmetric cofactors columns_over diagonal diagonal_matrix div divided_by_gaps equals expand expand_axis eye_like
        factors first full_like gaps gelu kron_left kron_right lower_half lu_inner lu_outer matmul_nt matmul_tn mirrored mish mul neg
        narrow_like normal_cdf numel or_zeros outer outside place qr_tangent rem reshape_like rows rows_back same_shape scatter_add share solve_factored
        solve_factored_t sub sum_to_scalar svd_tangent symmetrised times triangle twisted unbroadcast unless_square
}

#[test]
fn private_rows_are_of_their_pack_alone() {
    let ctx = context();
    let two = [Type::F64; 2];
    for name in [
        "share",
        "linalg::share",
        "equals",
        "std::equals",
        "first",
        "std::first",
    ] {
        assert!(!ctx.is_primitive(name, &two), "{name}");
        assert!(ctx.registry().declared(name, &two).is_empty(), "{name}");
    }
    assert!(ctx.is_primitive("linalg::private::share", &two));
    let arrays = [Type::array(Type::F64); 2];
    assert!(ctx.is_primitive("linalg::dot", &arrays) && !ctx.is_primitive("dot", &arrays));
    assert!(ctx.is_primitive("exp", &two[..1]) && ctx.is_primitive("std::exp", &two[..1]));
    assert!(ctx.is_primitive("gelu::gelu", &two[..1]) && !ctx.is_primitive("gelu", &two[..1]));
}

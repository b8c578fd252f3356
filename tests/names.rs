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
    arrays: arange broadcast_to cholesky concat cumsum det dot eigh expand_dims eye flip full gather insert_axis inv item kron log_softmax logdet lstsq lu matmul max_axis
        mean narrow ndim norm outer pad permute qr reshape roll scatter_add slogdet softmax solve solve_triangular solve_triangular_t squeeze sum sum_axis svd
        swap_axes t trace;
    neither: axpy gbmv gemm gemv ger getrf getri getrs lacpy nrm2 potrf potrs sbmv scal spmv spr symm symv syr2k syrk tbmv tbsv tpmv tpsv trmm trmv trsm trsv trtrs
        accumulate add antisymmetric broadcast_like cofactors cofactors_along columns_over diagonal diagonal_matrix div divided_by_gaps equals expand expand_axis eye_like
        factors first flatten full_like full_rank gaps gelu index_along kron_left kron_right lower_half lu_inner lu_outer matmul_nt matmul_tn max_or_nan merge_axes min_or_nan mirrored mish mul neg
        narrow_like normal_cdf numel of_vectors or_zeros outside place qr_tangent rem replace_axis reshape_like rows rows_back same_shape share slice_axis solve_factored
        solve_factored_t solve_t split_extent split_total sub sum_to_scalar svd_pullback svd_tangent symmetrised third_of_det times triangle twisted unbroadcast uncoupled unflatten unless_square unmerge_axes unpermute unslice_axis
        acos_lanes acosh_lanes angle arcsine_near_0 arctangent_near_0 asin_lanes asinh_lanes atan2_lanes atan_lanes atanh_lanes cbrt_lanes cos_lanes cosh_lanes
        cosine_near_0 exp2_lanes exp_lanes exp_m1_lanes exp_moderate exp_near_0 exp_parts half_angle hypot_lanes ln_1p_lanes ln_1p_positive ln_lanes ln_parts ln_split
        log10_lanes log2_lanes log2_of_base log2_parts log_lanes powf_lanes quarter_exp quotient reduced sin_lanes sine_near_0 sinh_lanes slow_cos slow_ln slow_ln_1p slow_log
        slow_log10 slow_log2 slow_powf slow_powi slow_sin slow_tan tan_lanes tangent_near_0 tanh_lanes upper_bits
}

/// Traits that are not differentiable, where rustc finds their methods before those of floats.
mod captures {
    use mooncake::__private::Value;
    use mooncake::prelude::*;

    pub trait Own {
        fn exp(&self) -> f64;
        fn powi(self, n: i32) -> f64;
        fn clamp(&mut self, low: f64, high: f64) -> f64;
    }
    impl Own for f64 {
        fn exp(&self) -> f64 {
            self * 2.0
        }
        fn powi(self, n: i32) -> f64 {
            self * f64::from(n)
        }
        fn clamp(&mut self, low: f64, high: f64) -> f64 {
            *self + low + high
        }
    }

    #[differentiable]
    pub fn through_a_reference(x: &f64) -> f64 {
        x.exp()
    }
    #[differentiable]
    pub fn of_elements(x: f64) -> f64 {
        [x].iter().map(|x| x.exp()).sum()
    }
    #[differentiable]
    pub fn exclusive(x: f64) -> f64 {
        let mut x = x;
        let y = &mut x;
        y.clamp(1.0, 2.0)
    }
    /// These are the float's own, whatever the trait has.
    #[differentiable]
    pub fn of_values(x: f64, y: &f64) -> f64 {
        x.exp() + x.clamp(0.5, 2.5) + y.powi(2) + f64::exp(*y)
    }

    #[differentiable]
    fn scaled<T: Own + Value>(x: T) -> f64 {
        x.powi(3)
    }
    #[differentiable]
    fn scaled_by_path<T: Own + Value>(x: T) -> f64 {
        T::powi(x, 3)
    }
    #[differentiable]
    pub fn bound(x: f64) -> f64 {
        scaled(x)
    }
    #[differentiable]
    pub fn bound_by_path(x: f64) -> f64 {
        scaled_by_path(x)
    }
    #[differentiable]
    fn of_floats<T: mooncake::Float + Value>(x: T) -> T {
        x.powi(3)
    }
    #[differentiable]
    pub fn bound_as_float(x: f64) -> f64 {
        of_floats(x)
    }
}

#[test]
fn methods_of_references_and_of_parameters_are_not_captured() {
    let ctx = context();
    assert_eq!(captures::through_a_reference(&3.0), 6.0);
    assert_eq!(captures::of_elements(3.0), 6.0);
    assert_eq!(captures::exclusive(3.0), 6.0);
    let says = |name: &str, result: mooncake::Result<f64>| {
        let message = result.unwrap_err().to_string();
        let expected = format!(
            "`f64` has an inherent method `{name}`, and a trait that is not differentiable has another for references"
        );
        assert!(message.contains(&expected), "{message}");
        assert!(message.contains("`Type::method(x)`"), "{message}");
    };
    says("exp", tried!(ctx, captures::through_a_reference, &3.0));
    says("exp", tried!(ctx, captures::of_elements, 3.0));
    says("clamp", tried!(ctx, captures::exclusive, 3.0));
    let rule = ctx.build_rrule::<captures::of_values>().unwrap();
    let (y, _) = rule.value_and_gradient((1.5, &0.75)).unwrap();
    assert_eq!(y, captures::of_values(1.5, &0.75));

    assert_eq!(
        (captures::bound(2.0), captures::bound_as_float(2.0)),
        (6.0, 8.0)
    );
    assert_eq!(captures::bound_by_path(2.0), 6.0);
    check_refused("powi", "f64", tried!(ctx, captures::bound, 2.0));
    check_refused("powi", "f64", tried!(ctx, captures::bound_by_path, 2.0));
    let rule = ctx.build_rrule::<captures::bound_as_float>().unwrap();
    assert_eq!(rule.value_and_gradient((2.0,)).unwrap(), (8.0, (12.0,)));
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

/// Traits of the program that are called like those of the library, and are not differentiable.
mod called_like_floats {
    use mooncake::prelude::*;

    pub mod float {
        use super::*;
        pub trait Float: Copy {
            fn exp(self) -> Self;
        }
        impl Float for f64 {
            fn exp(self) -> f64 {
                self * 3.0
            }
        }
        #[differentiable]
        pub fn tripled<T: Float>(x: T) -> T {
            x.exp()
        }
    }
    pub mod element {
        use super::*;
        pub trait FloatElement: Copy {
            fn exp(self) -> Self;
        }
        impl FloatElement for f64 {
            fn exp(self) -> f64 {
                self * 3.0
            }
        }
        #[differentiable]
        pub fn tripled<T: FloatElement>(x: T) -> T {
            x.exp()
        }
    }
    #[differentiable]
    pub fn of_the_library<T: mooncake::FloatElement>(x: T, more: &[T]) -> T {
        x.exp() + T::sin(x) + more[0].max(T::zero())
    }
}

#[test]
fn a_trait_called_float_is_not_taken_for_that_of_the_library() {
    use called_like_floats::{element, float, of_the_library};
    let ctx = context();
    assert_eq!((float::tripled(2.0), element::tripled(2.0)), (6.0, 6.0));
    check_refused("exp", "f64", tried!(ctx, float::tripled<f64>, 2.0));
    check_refused("exp", "f64", tried!(ctx, element::tripled<f64>, 2.0));
    let rule = ctx.build_rrule::<of_the_library<f64>>().unwrap();
    let (value, gradient) = rule.value_and_gradient((0.5, &[2.0])).unwrap();
    assert_eq!(value, of_the_library(0.5, &[2.0]));
    assert_eq!(gradient, (0.5f64.exp() + 0.5f64.cos(), vec![1.0]));
}

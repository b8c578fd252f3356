//! Methods of integers and slices that are written in the language itself.
//!
//! They are inlined into their callers like every function; their checks carry the place of the call. The macro's
//! output names the trait of differentiable functions, which stands further down the flow; nothing else here does.

use crate::differentiable;
use crate::front::tree::Source;
use crate::ir::Type;
use mooncake::DifferentiableFn;

/// The function that a method is; `None` if it is not one of these.
pub(super) fn method(name: &str, receiver: Type) -> Option<&'static Source> {
    let find = match receiver {
        Type::I8 => of_i8::find,
        Type::I16 => of_i16::find,
        Type::I32 => of_i32::find,
        Type::I64 => of_i64::find,
        Type::Isize => of_isize::find,
        Type::U8 => of_u8::find,
        Type::U16 => of_u16::find,
        Type::U32 => of_u32::find,
        Type::U64 => of_u64::find,
        Type::Usize => of_usize::find,
        Type::SliceMut(Type::F64) => slice_of_f64::find,
        Type::SliceMut(Type::F32) => slice_of_f32::find,
        Type::SliceMut(Type::I32) => slice_of_i32::find,
        Type::SliceMut(Type::I64) => slice_of_i64::find,
        Type::SliceMut(Type::U32) => slice_of_u32::find,
        Type::SliceMut(Type::Usize) => slice_of_usize::find,
        Type::SliceMut(Type::Bool) => slice_of_bool::find,
        _ => return None,
    };
    find(name)
}

/// Whether a function is one of these.
pub(super) fn contains(source: &Source) -> bool {
    source.path.starts_with(concat!(module_path!(), "::"))
}

macro_rules! integers {
    ($($module:ident $t:ty;)*) => {$(
        mod $module {
            use super::*;

            pub fn find(name: &str) -> Option<&'static Source> {
                match name {
                    "pow" => Some(pow::source()),
                    "clamp" => Some(clamp::source()),
                    _ => None,
                }
            }

            /// By squaring, as std does it: what overflows there overflows here.
            #[differentiable]
            fn pow(mut base: $t, mut exponent: u32) -> $t {
                let mut result: $t = 1;
                loop {
                    if exponent % 2 == 1 {
                        result *= base;
                    }
                    exponent /= 2;
                    if exponent == 0 {
                        return result;
                    }
                    base *= base;
                }
            }

            #[differentiable]
            fn clamp(x: $t, low: $t, high: $t) -> $t {
                assert!(low <= high, "assertion failed: min <= max");
                if x < low {
                    low
                } else if x > high {
                    high
                } else {
                    x
                }
            }
        }
    )*};
}
integers! { of_u8 u8; of_u16 u16; of_u32 u32; of_u64 u64; of_usize usize; }

macro_rules! signed_integers {
    ($($module:ident $unsigned:ident $t:ty;)*) => {$(
        mod $module {
            use super::*;

            pub fn find(name: &str) -> Option<&'static Source> {
                match name {
                    "signum" => Some(signum::source()),
                    "div_euclid" => Some(div_euclid::source()),
                    _ => $unsigned::find(name),
                }
            }

            #[differentiable]
            fn signum(x: $t) -> $t {
                (x > 0) as $t - (x < 0) as $t
            }

            #[differentiable]
            fn div_euclid(a: $t, b: $t) -> $t {
                let quotient = a / b;
                if a % b >= 0 {
                    quotient
                } else if b > 0 {
                    quotient - 1
                } else {
                    quotient + 1
                }
            }
        }
    )*};
}
integers! { all_i8 i8; all_i16 i16; all_i32 i32; all_i64 i64; all_isize isize; }
signed_integers! { of_i8 all_i8 i8; of_i16 all_i16 i16; of_i32 all_i32 i32; of_i64 all_i64 i64; of_isize all_isize isize; }

macro_rules! slices {
    ($($module:ident $t:ty;)*) => {$(
        mod $module {
            use super::*;

            pub fn find(name: &str) -> Option<&'static Source> {
                match name {
                    "fill" => Some(fill::source()),
                    "copy_from_slice" => Some(copy_from_slice::source()),
                    _ => None,
                }
            }

            #[differentiable]
            fn fill(y: &mut [$t], value: $t) {
                for element in y.iter_mut() {
                    *element = value;
                }
            }

            #[differentiable]
            #[allow(clippy::manual_memcpy, reason = "it is what defines it")]
            fn copy_from_slice(y: &mut [$t], x: &[$t]) {
                assert!(
                    x.len() == y.len(),
                    "copy_from_slice: source slice length does not match destination slice length"
                );
                for i in 0..x.len() {
                    y[i] = x[i];
                }
            }
        }
    )*};
}
slices! {
    slice_of_f64 f64; slice_of_f32 f32; slice_of_i32 i32; slice_of_i64 i64; slice_of_u32 u32; slice_of_usize usize; slice_of_bool bool;
}

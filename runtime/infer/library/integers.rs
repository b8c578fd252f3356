//! Methods of integers.

use super::source;
use crate::front::tree::Source;
use crate::ir::Type;
use mooncake::differentiable;

/// The method of an integer type.
pub(super) fn find(name: &str, ty: Type) -> Option<&'static Source> {
    let find = match ty {
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
        _ => return None,
    };
    find(name)
}

macro_rules! integers {
    ($($module:ident $t:ty;)*) => {$(
        mod $module {
            use super::*;

            pub fn find(name: &str) -> Option<&'static Source> {
                match name {
                    "pow" => source::<pow>(),
                    "clamp" => source::<clamp>(),
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
                    "signum" => source::<signum>(),
                    "div_euclid" => source::<div_euclid>(),
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

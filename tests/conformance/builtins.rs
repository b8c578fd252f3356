//! Section 3, builtins and intrinsics: each operation by itself, for both float types.

use super::check;
use mooncake::prelude::*;
use std::cell::Cell;

/// Functions of floats and points to test them at.
macro_rules! active {
    ($($(#[$doc:meta])* $name:ident($($x:ident),*) $body:expr, [$($point:expr),*];)*) => {$(
        mod $name {
            use super::*;
            #[differentiable]
            fn double($($x: f64),*) -> f64 {
                $body
            }
            #[differentiable]
            fn single($($x: f32),*) -> f32 {
                $body
            }
            $(#[$doc])*
            #[test]
            fn builtin_rule() {
                for ($($x,)*) in [$($point),*] {
                    check!(double, ($($x,)*));
                    check!(single, ($($x as f32,)*));
                }
            }
        }
    )*};
}

active! {
    /// `abs_float`
    abs_float(x) x.abs(), [(1.5,), (-2.5,)];
    /// `add_float`, `add_float_fast`
    add_float(x, y) x + y, [(1.5, 2.5)];
    /// `copysign_float`
    copysign_float(x, y) x.copysign(y), [(5.0, 4.0), (5.0, -3.0), (-5.0, 3.0)];
    /// `div_float`, `div_float_fast`
    div_float(x, y) x / y, [(5.0, 3.0), (-1.0, 0.5)];
    /// `fma_float`
    fma_float(x, y, z) x.mul_add(y, z), [(5.0, 4.0, 3.0)];
    /// `muladd_float`
    muladd_float(x, y, z) x * y + z, [(5.0, 4.0, 3.0)];
    /// `max_float`, `max_float_fast`
    max_float(x, y) x.max(y), [(5.0, 4.0), (4.0, 5.0)];
    /// `min_float`, `min_float_fast`
    min_float(x, y) x.min(y), [(5.0, 4.0), (4.0, 5.0)];
    /// `mul_float`, `mul_float_fast`
    mul_float(x, y) x * y, [(5.0, 4.0)];
    /// `neg_float`, `neg_float_fast`
    neg_float(x) -x, [(5.0,)];
    /// `sqrt_llvm`, `sqrt_llvm_fast`
    sqrt_llvm(x) x.sqrt(), [(5.0,)];
    /// `sub_float`, `sub_float_fast`
    sub_float(x, y) x - y, [(4.0, 1.0)];
    /// `rem_float`: no rule upstream (`rem_fast`)
    rem_float(x, y) x % y, [(5.0, 3.5), (-5.0, 3.5)];
    /// `floor_llvm`
    floor_llvm(x) x.floor() * x, [(4.1,)];
    /// `ceil_llvm`
    ceil_llvm(x) x.ceil() * x, [(4.1,)];
    /// `rint_llvm`
    rint_llvm(x) x.round_ties_even() * x, [(5.2,), (2.6,)];
    /// `trunc_llvm`
    trunc_llvm(x) x.trunc() * x, [(5.2,), (-2.6,)];
    /// `ifelse`
    ifelse(x, y) if x > y { x } else { y }, [(1.0, 2.0), (2.0, 1.0)];
    /// `lt_float`, `le_float`, `eq_float`, `ne_float`
    comparisons(x, y) {
        let n = (x < y) as u8 + (x <= y) as u8 + (x == y) as u8 + (x != y) as u8 + (x > y) as u8 + (x >= y) as u8;
        if n == 3 { x * y } else { x }
    }, [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0)];
}

#[differentiable]
fn fpext(x: f32) -> f64 {
    x as f64 * 2.0
}
/// `fpext`
#[test]
fn builtin_fpext() {
    check!(fpext, (0.7f32,));
}

#[differentiable]
fn fptrunc(x: f64) -> f32 {
    (x as f32) * 3.0
}
/// `fptrunc`
#[test]
fn builtin_fptrunc() {
    check!(fptrunc, (0.7,));
}

#[differentiable]
fn bitcast(x: f64) -> f64 {
    f64::from_bits(x.to_bits())
}
/// `bitcast`
/// The bits are integers: no derivative passes through them.
#[test]
fn builtin_bitcast() {
    let rule = Context::default().build_rrule::<bitcast>().unwrap();
    let (value, (gradient,)) = rule.value_and_gradient((5.0,)).unwrap();
    assert_eq!((value, gradient), (5.0, 0.0));
}

#[differentiable]
fn pointerref(x: &f64) -> f64 {
    *x * 2.0
}
/// `pointerref`
#[test]
fn builtin_pointerref() {
    check!(pointerref, (5.0,));
}

#[differentiable]
fn pointerset(p: &mut f64, x: f64) {
    *p = x.sin() + *p;
}
/// `pointerset`
#[test]
fn builtin_pointerset() {
    let mut p = 5.0;
    check!(pointerset, (&mut p, 1.0));
}

#[differentiable]
fn cell_swap(p: &Cell<f64>, x: f64) -> f64 {
    let old = p.replace(x);
    p.set(p.get() * old);
    p.get()
}
/// `atomic_pointerref`, `atomic_pointerset`, `atomic_pointerswap`
/// Without threads: a cell.
#[test]
fn builtin_atomic_pointers() {
    check!(cell_swap, (Cell::new(3.0), 2.0));
}

#[differentiable]
fn add_ptr(x: &[f64], n: usize) -> f64 {
    let part = &x[n..];
    part[0] * part[1]
}
/// `add_ptr`, `sub_ptr`, `unsafe_wrap`
#[test]
fn builtin_add_ptr() {
    check!(add_ptr, (vec![1.0, 2.0, 3.0], 1usize));
}

#[differentiable]
fn integers(a: i64, b: i64, u: u32, x: f64) -> f64 {
    let and = a & b;
    let or = a | b;
    let xor = a ^ b;
    let shifts = (a << 3) + (a >> 1) + (u >> 2) as i64;
    let arithmetic = (a + b) * (a - b) / 3 % 7;
    let wrapping = u
        .wrapping_mul(2_654_435_761)
        .wrapping_add(7)
        .wrapping_sub(3);
    let not = !a;
    let narrow = a as i32 as i64 + (a as u8) as i64 + (-a) as i16 as i64;
    let unsigned = (u / 3) as i64 + (u % 5) as i64;
    let compare = (a < b) as i64 + (a <= b) as i64 + (a == b) as i64 + (a != b) as i64;
    let n = and + or + xor + shifts + arithmetic + not + narrow + unsigned + compare;
    x * n as f64 + (wrapping % 11) as f64
}
/// `add_int and_int ashr_int … zext_int`: all integer intrinsics with operators
#[test]
fn builtin_integers() {
    check!(integers, (1234i64, -77i64, 99u32, 0.3));
}

#[differentiable]
fn bit_counts(u: u32, x: f64) -> f64 {
    let n = u.count_ones() + u.leading_zeros() + u.trailing_zeros() + u.swap_bytes() % 97;
    x * n as f64
}
/// `ctpop`, `ctlz`, `cttz`, `bswap_int`
#[test]
fn builtin_bit_counts() {
    check!(bit_counts, (0x00f0_1230u32, 0.3));
}

#[differentiable]
fn checked(a: i32, b: i32, x: f64) -> f64 {
    match a.checked_add(b) {
        Some(n) => x * n as f64,
        None => x,
    }
}
/// `checked_{s,u}{add,sub,mul,div,rem}_int`
#[test]
fn builtin_checked() {
    check!(checked, (1i32, 2i32, 0.3));
    check!(checked, (i32::MAX, 2i32, 0.3));
}

#[differentiable]
fn conversions(n: i32, u: u64, x: f64) -> f64 {
    let from_float = (x * 10.0) as i64 + (x * 10.0) as u8 as i64;
    x * (n as f64 + u as f64 + from_float as f64)
}
/// `sitofp`, `uitofp`, `fptosi`, `fptoui`
#[test]
fn builtin_conversions() {
    check!(conversions, (-3i32, 7u64, 0.37));
}

#[differentiable]
fn arraylen(x: &[f64]) -> f64 {
    x.len() as f64 * x[0]
}
/// `arraylen`, `sizeof`
#[test]
fn builtin_arraylen() {
    check!(arraylen, (vec![1.0, 2.0],));
}

#[differentiable]
fn tuple(x: f64, y: f64) -> ((f64, f64), f64) {
    let t = ((x, y), x * y);
    let ((a, _), b) = t;
    ((b, a), t.0.1)
}
/// `tuple`, `getfield`, `nfields`
#[test]
fn builtin_tuple() {
    check!(tuple, (1.5, 2.5));
}

#[differentiable]
fn apply_iterate(a: f64, rest: (f64, (f64, f64))) -> f64 {
    let (b, (c, d)) = rest;
    a * b + c * d
}
/// `_apply_iterate`
/// Splatting is taking tuples apart.
#[test]
fn builtin_apply_iterate() {
    check!(apply_iterate, (1.0, (2.0, (3.0, 4.0))));
}

#[differentiable]
fn throws(x: f64) -> f64 {
    if x > 1.0 {
        panic!("too large");
    }
    x * x
}
/// `throw`
/// An error on the forward pass, and the rule works again afterwards.
#[test]
fn builtin_throw() {
    check!(throws, (0.5,));
    let rule = Context::default().build_rrule::<throws>().unwrap();
    let error = rule.value_and_gradient((2.0,)).unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
    assert_eq!(rule.value_and_gradient((0.5,)).unwrap(), (0.25, (1.0,)));
}

#[differentiable]
fn repeated_get(x: &[f64], at: &[usize]) -> f64 {
    let mut s = 0.0;
    for &i in at {
        s += x[i] * x[i];
    }
    s
}
/// `getindex` with repeated indices `[1, 1]`, `[1, 2, 2]`
#[test]
fn builtin_getindex_repeated() {
    check!(repeated_get, (vec![1.0, 2.0, 3.0], vec![0usize, 0]));
    check!(repeated_get, (vec![1.0, 2.0, 3.0], vec![0usize, 1, 1]));
}

#[differentiable]
fn repeated_set(x: &mut [f64], at: &[usize], v: &[f64]) {
    for k in 0..at.len() {
        x[at[k]] = v[k];
    }
}
/// `setindex!` with repeated indices
/// The last write counts.
#[test]
fn builtin_setindex_repeated() {
    check!(
        repeated_set,
        (
            &mut vec![1.0, 2.0, 3.0],
            vec![1usize, 1, 2],
            vec![5.0, 6.0, 7.0]
        )
    );
}

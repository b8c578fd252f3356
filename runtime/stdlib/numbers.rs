//! Methods of numbers that are neither primitives nor rows of a pack.

use mooncake_macros::library;

#[library]
pub mod of_integers {
    use std::cmp::Ordering;

    // For elements of arrays: constants in their type, and what reverses the order of all numbers.
    fn __zero<T>(x: T) -> T {
        0 as T
    }
    fn __one<T>(x: T) -> T {
        1 as T
    }
    fn __reversed<T>(x: T) -> T {
        !x
    }

    // The separator of `join`.
    fn put_behind<T>(x: T, all: &mut Vec<_>) {
        all.push(x);
    }
    // By squaring, as std does it, so that the same products overflow.
    fn pow<T>(base: T, exponent: u32) -> T {
        let mut base = base;
        let mut exponent = exponent;
        let mut result = 1 as T;
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
    fn wrapping_pow<T>(base: T, exponent: u32) -> T {
        let mut result = 1 as T;
        for _ in 0..exponent {
            result = result.wrapping_mul(base);
        }
        result
    }
    fn checked_pow<T>(base: T, exponent: u32) -> Option<T> {
        let mut result = 1 as T;
        for _ in 0..exponent {
            result = result.checked_mul(base)?;
        }
        Some(result)
    }
    fn clamp<T>(x: T, low: T, high: T) -> T {
        assert!(low <= high, "min > max. min = {low:?}, max = {high:?}");
        if x < low {
            low
        } else if x > high {
            high
        } else {
            x
        }
    }
    fn cmp<T>(a: T, b: T) -> Ordering {
        if a < b {
            Ordering::Less
        } else if a == b {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
    fn partial_cmp<T>(a: T, b: T) -> Option<Ordering> {
        Some(a.cmp(b))
    }
    fn checked_add<T>(a: T, b: T) -> Option<T> {
        if a.add_overflows(b) {
            None
        } else {
            Some(a.wrapping_add(b))
        }
    }
    fn checked_sub<T>(a: T, b: T) -> Option<T> {
        if a.sub_overflows(b) {
            None
        } else {
            Some(a.wrapping_sub(b))
        }
    }
    fn checked_mul<T>(a: T, b: T) -> Option<T> {
        if a.mul_overflows(b) {
            None
        } else {
            Some(a.wrapping_mul(b))
        }
    }
    fn overflowing_add<T>(a: T, b: T) -> (T, bool) {
        (a.wrapping_add(b), a.add_overflows(b))
    }
    fn overflowing_sub<T>(a: T, b: T) -> (T, bool) {
        (a.wrapping_sub(b), a.sub_overflows(b))
    }
    fn overflowing_mul<T>(a: T, b: T) -> (T, bool) {
        (a.wrapping_mul(b), a.mul_overflows(b))
    }
    fn count_ones<T>(x: T) -> u32 {
        let mut x = x;
        let mut n = 0u32;
        while x != 0 {
            x &= x.wrapping_sub(1);
            n += 1;
        }
        n
    }
    fn count_zeros<T>(x: T) -> u32 {
        (!x).count_ones()
    }
    fn leading_zeros<T>(x: T) -> u32 {
        let mut n = 0u32;
        while n < (T::bits() as u32) && (x >> ((T::bits() as u32) - 1 - n)) & 1 == 0 {
            n += 1;
        }
        n
    }
    fn leading_ones<T>(x: T) -> u32 {
        (!x).leading_zeros()
    }
    fn trailing_zeros<T>(x: T) -> u32 {
        let mut n = 0u32;
        while n < (T::bits() as u32) && (x >> n) & 1 == 0 {
            n += 1;
        }
        n
    }
    fn trailing_ones<T>(x: T) -> u32 {
        (!x).trailing_zeros()
    }
    fn rotate_left<T>(x: T, n: u32) -> T {
        let n = n % (T::bits() as u32);
        if n == 0 {
            return x;
        }
        // For a negative number, copies of the sign bit are shifted in.
        let carried = (x >> ((T::bits() as u32) - n)) & !(!(0 as T) << n);
        (x << n) | carried
    }
    fn rotate_right<T>(x: T, n: u32) -> T {
        x.rotate_left((T::bits() as u32) - n % (T::bits() as u32))
    }
    fn swap_bytes<T>(x: T) -> T {
        if (T::bits() as u32) == 8 {
            return x;
        }
        let mut swapped = 0 as T;
        for i in 0..(T::bits() as u32) / 8 {
            swapped = (swapped << 8) | ((x >> (8 * i)) & (255u8 as T));
        }
        swapped
    }
    fn reverse_bits<T>(x: T) -> T {
        let mut rest = x;
        let mut reversed = 0 as T;
        for _ in 0..(T::bits() as u32) {
            reversed = (reversed << 1) | (rest & 1);
            rest >>= 1;
        }
        reversed
    }
    fn wrapping_shl<T>(x: T, n: u32) -> T {
        x << (n % (T::bits() as u32))
    }
    fn wrapping_shr<T>(x: T, n: u32) -> T {
        x >> (n % (T::bits() as u32))
    }
    fn checked_shl<T>(x: T, n: u32) -> Option<T> {
        if n < (T::bits() as u32) {
            Some(x << n)
        } else {
            None
        }
    }
    fn checked_shr<T>(x: T, n: u32) -> Option<T> {
        if n < (T::bits() as u32) {
            Some(x >> n)
        } else {
            None
        }
    }
    fn is_multiple_of<T>(a: T, b: T) -> bool {
        if b == 0 { a == 0 } else { a % b == 0 }
    }
    fn ilog2<T>(x: T) -> u32 {
        assert!(x > 0, "argument of integer logarithm must be positive");
        (T::bits() as u32) - 1 - x.leading_zeros()
    }
    fn ilog10<T>(x: T) -> u32 {
        assert!(x > 0, "argument of integer logarithm must be positive");
        let mut x = x;
        let mut n = 0u32;
        while x >= 10 {
            x /= 10;
            n += 1;
        }
        n
    }
    fn isqrt<T>(x: T) -> T {
        assert!(x >= 0, "argument of integer square root cannot be negative");
        let (mut low, mut high) = (0 as T, x);
        while low < high {
            let middle = low + (high - low) / 2 + (high - low) % 2;
            if middle <= x / middle {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }
}

// Indexing of slices by a number. Ranges have the same methods.
#[library]
pub mod of_indices {
    fn part_of(at: usize, slice: _) -> _ {
        if at < slice.len() {
            Some(&slice[at])
        } else {
            None
        }
    }
    fn place_of(at: usize, slice: _) -> _ {
        if at < slice.len() {
            Some(&mut slice[at])
        } else {
            None
        }
    }
}

#[library]
pub mod of_unsigned {
    fn div_euclid<T>(a: T, b: T) -> T {
        a / b
    }
    fn div_ceil<T>(a: T, b: T) -> T {
        let quotient = a / b;
        if a % b > 0 { quotient + 1 } else { quotient }
    }
    fn next_multiple_of<T>(a: T, b: T) -> T {
        let rest = a % b;
        if rest == 0 { a } else { a + (b - rest) }
    }
    fn checked_div<T>(a: T, b: T) -> Option<T> {
        if b == 0 { None } else { Some(a / b) }
    }
    fn checked_rem<T>(a: T, b: T) -> Option<T> {
        if b == 0 { None } else { Some(a % b) }
    }
    fn wrapping_div<T>(a: T, b: T) -> T {
        a / b
    }
    fn wrapping_rem<T>(a: T, b: T) -> T {
        a % b
    }
    fn saturating_add<T>(a: T, b: T) -> T {
        if a.add_overflows(b) {
            !(0 as T)
        } else {
            a.wrapping_add(b)
        }
    }
    fn saturating_mul<T>(a: T, b: T) -> T {
        if a.mul_overflows(b) {
            !(0 as T)
        } else {
            a.wrapping_mul(b)
        }
    }
    fn saturating_pow<T>(base: T, exponent: u32) -> T {
        let mut result = 1 as T;
        for _ in 0..exponent {
            result = result.saturating_mul(base);
        }
        result
    }
    fn checked_next_power_of_two<T>(x: T) -> Option<T> {
        let mut power = 1 as T;
        while power < x {
            power = power.checked_mul(2 as T)?;
        }
        Some(power)
    }
    fn is_power_of_two<T>(x: T) -> bool {
        x != 0 && x & (x - 1) == 0
    }
    fn next_power_of_two<T>(x: T) -> T {
        let mut ones = 0 as T;
        while x > 0 && ones < x - 1 {
            ones = ones * 2 + 1;
        }
        ones + 1
    }
}

#[library]
pub mod of_signed {
    fn signum<T>(x: T) -> T {
        (x > 0) as T - (x < 0) as T
    }
    fn unsigned_abs<T>(x: T) -> _ {
        x.wrapping_abs().cast_unsigned()
    }
    // The exact difference is less than 2 to the width, so it fits the unsigned type.
    fn abs_diff<T>(a: T, b: T) -> _ {
        if a < b {
            b.wrapping_sub(a).cast_unsigned()
        } else {
            a.wrapping_sub(b).cast_unsigned()
        }
    }
    fn is_positive<T>(x: T) -> bool {
        x > 0
    }
    fn is_negative<T>(x: T) -> bool {
        x < 0
    }
    fn div_euclid<T>(a: T, b: T) -> T {
        let quotient = a / b;
        if a % b >= 0 {
            quotient
        } else if b > 0 {
            quotient - 1
        } else {
            quotient + 1
        }
    }
    fn checked_div<T>(a: T, b: T) -> Option<T> {
        if b == 0 || b == -1 && (0 as T).sub_overflows(a) {
            None
        } else {
            Some(a / b)
        }
    }
    fn checked_rem<T>(a: T, b: T) -> Option<T> {
        if b == 0 || b == -1 && (0 as T).sub_overflows(a) {
            None
        } else {
            Some(a % b)
        }
    }
    fn checked_neg<T>(a: T) -> Option<T> {
        (0 as T).checked_sub(a)
    }
    fn checked_abs<T>(a: T) -> Option<T> {
        if a < 0 { a.checked_neg() } else { Some(a) }
    }
    fn wrapping_abs<T>(a: T) -> T {
        if a < 0 { a.wrapping_neg() } else { a }
    }
    fn wrapping_div<T>(a: T, b: T) -> T {
        if b == -1 { a.wrapping_neg() } else { a / b }
    }
    fn wrapping_rem<T>(a: T, b: T) -> T {
        if b == -1 { 0 as T } else { a % b }
    }
    // The largest number if the true result is positive, else the smallest.
    fn limit<T>(_like: T, is_negative: bool) -> T {
        let largest = !(0 as T) ^ ((1 as T) << ((T::bits() as u32) - 1));
        if is_negative { !largest } else { largest }
    }
    fn saturating_add<T>(a: T, b: T) -> T {
        if a.add_overflows(b) {
            a.limit(b < 0)
        } else {
            a.wrapping_add(b)
        }
    }
    fn saturating_sub<T>(a: T, b: T) -> T {
        if a.sub_overflows(b) {
            a.limit(b > 0)
        } else {
            a.wrapping_sub(b)
        }
    }
    fn saturating_mul<T>(a: T, b: T) -> T {
        if a.mul_overflows(b) {
            a.limit((a < 0) != (b < 0))
        } else {
            a.wrapping_mul(b)
        }
    }
}

#[library]
pub mod of_halves {
    use super::super::types::Half;

    // For elements of arrays.
    fn __zero(this: _) -> _ {
        0f32 as Half
    }
}

#[library]
pub mod of_floats {
    use std::cmp::Ordering;

    // For elements of arrays, as those of integers.
    fn __zero<T>(x: T) -> T {
        0.0 as T
    }
    fn __one<T>(x: T) -> T {
        1.0 as T
    }
    fn __reversed<T>(x: T) -> T {
        -x
    }

    // The separator of `join`.
    fn put_behind<T>(x: T, all: &mut Vec<_>) {
        all.push(x);
    }
    fn partial_cmp<T>(a: T, b: T) -> Option<Ordering> {
        if a < b {
            Some(Ordering::Less)
        } else if a == b {
            Some(Ordering::Equal)
        } else if a > b {
            Some(Ordering::Greater)
        } else {
            None
        }
    }
    fn is_normal<T>(x: T) -> bool {
        x.is_finite() && x.abs() >= T::min_positive_value()
    }
    fn is_subnormal<T>(x: T) -> bool {
        x != 0.0 && x.abs() < T::min_positive_value()
    }
    // Compares the bits; for negative numbers their order is reversed.
    fn total_cmp<T>(a: T, b: T) -> Ordering {
        let (x, y) = (a.to_bits(), b.to_bits());
        if a.is_sign_negative() {
            if b.is_sign_negative() {
                y.cmp(x)
            } else {
                Ordering::Less
            }
        } else if b.is_sign_negative() {
            Ordering::Greater
        } else {
            x.cmp(y)
        }
    }
}

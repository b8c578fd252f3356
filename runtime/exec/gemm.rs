//! Matrix multiplication on the CPU: the one place that calls the library for it.

use gemm_common::Parallelism;
use std::any::TypeId;

/// Products of so many multiplications and more are shared among threads.
const SHARED: usize = 1 << 21;

/// The numbers of the widest register of a machine.
const LANES: usize = 16;

/// Where the element of row i and column j of a matrix lies in a slice: at `i * row + j * column`.
#[derive(Clone, Copy, Debug)]
pub struct Strides {
    /// From one row to the next.
    pub row: usize,
    /// From one column to the next.
    pub column: usize,
}

/// `c = a · b` for a of m × k, b of k × n and a dense row-major c of m × n, in f32 or f64. Strides may be 0.
///
/// # Panics
///
/// If a slice is shorter than its strides reach, or `T` is neither f32 nor f64.
pub fn gemm<T: Copy + 'static>(
    (m, k, n): (usize, usize, usize),
    (a, at): (&[T], Strides),
    (b, bt): (&[T], Strides),
    c: &mut [T],
) {
    if m == 0 || n == 0 {
        return;
    }
    assert!(a.len() >= reach(m, k, at), "matrix a is too short");
    assert!(b.len() >= reach(k, n, bt), "matrix b is too short");
    assert!(c.len() >= m * n, "matrix c is too short");
    let [ra, ca, rb, cb, rc] =
        [at.row, at.column, bt.row, bt.column, n].map(|stride| stride as isize);
    // The library adds up each element in the same order for any number of threads.
    let threads = match m * k * n >= SHARED {
        true => Parallelism::Rayon(0),
        false => Parallelism::None,
    };
    // It computes columns, with lanes along them. The rows of c are the columns of its transpose, bᵀ · aᵀ; where they would not fill the lanes, the
    // columns of c are taken.
    let transposed = n >= LANES || n >= m;
    macro_rules! product {
        ($library:path, $ty:ty) => {{
            let multiply = $library();
            let (a, b) = (a.as_ptr().cast::<$ty>(), b.as_ptr().cast::<$ty>());
            let c = c.as_mut_ptr().cast::<$ty>();
            // SAFETY: T is this type of floats; the assertions above hold every element that the strides reach inside the slices; c is exclusive.
            unsafe {
                match transposed {
                    true => multiply(
                        n, m, k, c, rc, 1, false, b, rb, cb, a, ra, ca, 0.0, 1.0, false, false,
                        false, threads,
                    ),
                    false => multiply(
                        m, n, k, c, 1, rc, false, a, ca, ra, b, cb, rb, 0.0, 1.0, false, false,
                        false, threads,
                    ),
                }
            }
        }};
    }
    if TypeId::of::<T>() == TypeId::of::<f32>() {
        product!(gemm_f32::gemm::f32::get_gemm_fn, f32);
    } else {
        assert_eq!(TypeId::of::<T>(), TypeId::of::<f64>(), "floats only");
        product!(gemm_f64::gemm::f64::get_gemm_fn, f64);
    }
}

/// One more than the last position that a matrix of this size reads.
fn reach(rows: usize, columns: usize, strides: Strides) -> usize {
    match rows == 0 || columns == 0 {
        true => 0,
        false => (rows - 1) * strides.row + (columns - 1) * strides.column + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplies_with_any_strides() {
        let a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
        let (rows, columns) = (Strides { row: 3, column: 1 }, Strides { row: 1, column: 3 });
        let mut c = [f32::NAN; 4];
        gemm((2, 3, 2), (&a, rows), (&a, columns), &mut c);
        assert_eq!(c, [14.0, 32.0, 32.0, 77.0]);
        let same = Strides { row: 0, column: 0 };
        let mut c = [f64::NAN; 2];
        gemm((1, 4, 2), (&[2.0], same), (&[3.0], same), &mut c);
        assert_eq!(c, [24.0, 24.0]);
    }

    #[test]
    fn no_terms_give_zeros() {
        let none = Strides { row: 0, column: 1 };
        let mut c = [f32::NAN; 6];
        gemm((2, 0, 3), (&[], none), (&[], none), &mut c);
        assert_eq!(c, [0.0; 6]);
    }

    #[test]
    #[should_panic(expected = "matrix b is too short")]
    fn refuses_short_slices() {
        let dense = Strides { row: 2, column: 1 };
        gemm(
            (2, 2, 2),
            (&[1.0f32; 4], dense),
            (&[1.0; 3], dense),
            &mut [0.0; 4],
        );
    }
}

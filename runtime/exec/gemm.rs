//! Matrix multiplication on the CPU: the one place that calls the library for it.

use super::flush::flushed_if;
use super::threads;
use super::transpose::transpose;
use bytemuck::Pod;
use gemm_common::Parallelism;
use std::any::TypeId;

/// Products of so many multiplications and more are shared among threads.
const SHARED: usize = 1 << 20;

/// A thread's part of a product has at least so many rows or columns: each part copies what it multiplies into an order of its own.
const LEAST: usize = 64;

/// The numbers of the widest register of a machine.
const LANES: usize = 16;

/// The nearest cache keeps a line of memory in one of eight places, which depend on its address modulo 4,096. So of lines at multiples of this distance it
/// keeps 32 at most. With registers of 512 bits the library reads 48 side by side, and would fetch each of them again for every number in it.
const ALIASED: usize = 1 << 10;

/// A matrix of at most so many lines is not turned.
const LINES: usize = 16;

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
pub fn gemm<T: Pod + Send + Sync>(
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
    // The library computes columns, with lanes along them. The rows of c are the columns of its transpose, bᵀ · aᵀ.
    let transposed = match (bt.column == 1, at.row == 1) {
        // The lanes lie along what is next to each other in memory: what is not is copied first.
        (true, false) => true,
        (false, true) => false,
        (true, true) => n >= LANES || n >= m,
        // The smaller matrix is copied.
        (false, false) => n < 2 * m,
    };
    // The library adds up an element in an order that depends on k alone. So parts of c may be computed apart, as many as there are threads. (Left to
    // the library, the work of two threads took a quarter longer.)
    let (rows, columns) = match m * k * n >= SHARED {
        true => parts((m, n), threads::count()),
        false => (1, 1),
    };
    let (mut a, mut at, mut b, mut bt) = (a, at, b, bt);
    let copy = match transposed {
        _ if !has_widest_registers() => None,
        true => turned(b, (n, k), bt.column, bt.row),
        false => turned(a, (m, k), at.row, at.column),
    };
    if let Some(copy) = &copy {
        match transposed {
            true => (b, bt) = (copy, Strides { row: n, column: 1 }),
            false => (a, at) = (copy, Strides { row: 1, column: m }),
        }
    }
    let [ra, ca, rb, cb, rc] =
        [at.row, at.column, bt.row, bt.column, n].map(|stride| stride as isize);
    let height = m.div_ceil(rows);
    let width = n.div_ceil(columns).next_multiple_of(LANES);
    let is_single = TypeId::of::<T>() == TypeId::of::<f32>();
    macro_rules! product {
        ($library:path, $ty:ty) => {{
            let multiply = $library();
            let (a, b) = (a.as_ptr().cast::<$ty>(), b.as_ptr().cast::<$ty>());
            let operands = Operands(a, b, c.as_mut_ptr().cast::<$ty>());
            let part = |number: usize| {
                let Operands(a, b, c) = *operands.all();
                let (i, j) = (number / columns * height, number % columns * width);
                if i >= m || j >= n {
                    return;
                }
                let (m, n) = (height.min(m - i), width.min(n - j));
                // SAFETY: T is this type of floats; the assertions above hold every element that the strides reach inside the slices; c is
                // exclusive, and no two parts have an element in common.
                flushed_if(is_single, || unsafe {
                    let (a, b) = (a.add(i * at.row), b.add(j * bt.column));
                    let c = c.offset(i as isize * rc + j as isize);
                    match transposed {
                        true => multiply(
                            n, m, k, c, rc, 1, false, b, rb, cb, a, ra, ca, 0.0, 1.0, false, false,
                            false, Parallelism::None,
                        ),
                        false => multiply(
                            m, n, k, c, 1, rc, false, a, ca, ra, b, cb, rb, 0.0, 1.0, false, false,
                            false, Parallelism::None,
                        ),
                    }
                })
            };
            threads::share(rows * columns, part);
        }};
    }
    if is_single {
        product!(gemm_f32::gemm::f32::get_gemm_fn, f32);
    } else {
        assert_eq!(TypeId::of::<T>(), TypeId::of::<f64>(), "floats only");
        product!(gemm_f64::gemm::f64::get_gemm_fn, f64);
    }
}

/// Whether the library computes with registers of 512 bits. With others it reads no more lines side by side than the cache keeps.
fn has_widest_registers() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// The matrix of these lines, `stride` apart, with the numbers that have one position in their lines next to each other, where the library would be slow to copy
/// it so. `step` is from one number of a line to the next.
fn turned<T: Pod + Send + Sync>(
    from: &[T],
    (lines, length): (usize, usize),
    stride: usize,
    step: usize,
) -> Option<Vec<T>> {
    let is_aliased = stride > 0 && (stride * size_of::<T>()).is_multiple_of(ALIASED);
    if !is_aliased || step != 1 || lines <= LINES {
        return None;
    }
    let mut to = Vec::new();
    // The library can do without.
    to.try_reserve_exact(lines * length).ok()?;
    to.resize(lines * length, T::zeroed());
    transpose(from, &mut to, lines, stride);
    Some(to)
}

/// Where the elements of a, b and c are.
struct Operands<T>(*const T, *const T, *mut T);

// SAFETY: the threads of one product read a and b, which nobody writes meanwhile, and write parts of c that have no element in common.
unsafe impl<T> Sync for Operands<T> {}

impl<T> Operands<T> {
    /// All of them: a closure that names the fields would share the pointers, and not this.
    fn all(&self) -> &Self {
        self
    }
}

/// Into how many parts the rows and the columns of c are divided for so many threads.
fn parts((m, n): (usize, usize), threads: usize) -> (usize, usize) {
    let (mut rows, mut columns) = (1, 1);
    while rows * columns < threads {
        let (height, width) = (m / rows, n / columns);
        if height.max(width) < 2 * LEAST {
            break;
        }
        match height > width {
            true => rows *= 2,
            false => columns *= 2,
        }
    }
    (rows, columns)
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
    fn lines_at_aliased_distances_are_turned() {
        // Whole tiles, and what is left over in both directions; enough for several threads.
        for (lines, length, stride) in [(17, 40, 256), (32, 64, 1024), (300, 250, 512)] {
            let from: Vec<f32> = (0..lines * stride).map(|n| n as f32).collect();
            let to = turned(&from, (lines, length), stride, 1).expect("a copy");
            assert_eq!(to.len(), lines * length);
            for (n, &x) in to.iter().enumerate() {
                let (position, line) = (n / lines, n % lines);
                assert_eq!(x, from[line * stride + position], "{line}, {position}");
            }
        }
        assert_eq!(turned(&[1.0_f32; 99], (16, 6), 6, 1), None);
        assert_eq!(turned(&[1.0_f32; 6400], (16, 256), 256, 1), None);
    }

    #[test]
    fn every_layout_gives_the_same_product() {
        // Few and many rows and columns, terms at aliased distances and at others; sums of integers are exact.
        let sizes = [
            (3, 512, 130),
            (130, 512, 3),
            (20, 256, 50),
            (50, 256, 20),
            (64, 100, 64),
            (1, 512, 40),
        ];
        for (m, k, n) in sizes {
            let number = |n: usize| ((n * 7919) % 13) as f64 - 6.0;
            let [a, b] = [m * k, k * n].map(|count| (0..count).map(number).collect::<Vec<f64>>());
            // The same matrices, their columns one after another.
            let turn = |x: &[f64], rows: usize, columns: usize| -> Vec<f64> {
                (0..rows * columns)
                    .map(|n| x[n % rows * columns + n / rows])
                    .collect()
            };
            let (a_turned, b_turned) = (turn(&a, m, k), turn(&b, k, n));
            let dense = |column: usize| Strides {
                row: column,
                column: 1,
            };
            let across = |row: usize| Strides {
                row: 1,
                column: row,
            };
            let expected: Vec<f64> = (0..m * n)
                .map(|at| (0..k).map(|p| a[at / n * k + p] * b[p * n + at % n]).sum())
                .collect();
            for (a, at) in [(&a, dense(k)), (&a_turned, across(m))] {
                for (b, bt) in [(&b, dense(n)), (&b_turned, across(k))] {
                    let mut c = vec![f64::NAN; m * n];
                    gemm((m, k, n), (a, at), (b, bt), &mut c);
                    assert!(c == expected, "{m}, {k}, {n}, {at:?}, {bt:?}");
                }
            }
        }
    }

    #[test]
    fn no_terms_give_zeros() {
        let none = Strides { row: 0, column: 1 };
        let mut c = [f32::NAN; 6];
        gemm((2, 0, 3), (&[], none), (&[], none), &mut c);
        assert_eq!(c, [0.0; 6]);
    }

    #[test]
    fn no_element_depends_on_the_number_of_threads() {
        fn check<T: Pod + Send + Sync + PartialEq>(number: fn(f64) -> T) {
            let random = |count: usize| -> Vec<T> {
                let mut state = count as u64;
                let mut next = || {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    number((state >> 40) as f64 / f64::from(1 << 23) - 1.0)
                };
                (0..count).map(|_| next()).collect()
            };
            // Wide, high, with a remainder in every direction, with terms of several blocks.
            for size in [
                (256, 784, 256),
                (784, 256, 250),
                (131, 301, 517),
                (300, 2000, 130),
            ] {
                let (m, k, n) = size;
                let (a, b) = (random(m * k), random(k * n));
                let [dense, turned] = [(k, 1), (1, m)].map(|(row, column)| Strides { row, column });
                let [b_dense, b_turned] =
                    [(n, 1), (1, k)].map(|(row, column)| Strides { row, column });
                for (at, bt) in [(dense, b_dense), (turned, b_dense), (dense, b_turned)] {
                    let product = |threads: usize| {
                        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                        let mut c = random(m * n);
                        pool.build()
                            .unwrap()
                            .install(|| gemm(size, (&a, at), (&b, bt), &mut c));
                        c
                    };
                    let alone = product(1);
                    for threads in [2, 3, 4, 7] {
                        assert!(alone == product(threads), "{size:?} by {threads} threads");
                    }
                }
            }
        }
        check::<f32>(|x| x as f32);
        check::<f64>(|x| x);
    }

    #[test]
    fn parts_are_as_many_as_threads_where_they_are_large_enough() {
        assert_eq!(parts((256, 256), 1), (1, 1));
        assert_eq!(parts((256, 256), 2), (1, 2));
        assert_eq!(parts((784, 256), 2), (2, 1));
        assert_eq!(parts((1024, 1024), 16), (4, 4));
        assert_eq!(parts((10, 100), 16), (1, 1));
        assert_eq!(parts((10, 300), 16), (1, 4));
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

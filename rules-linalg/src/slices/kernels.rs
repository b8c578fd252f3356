//! The few operations on matrices that the routines are made of.

use crate::dense::{Number, Triangle};
use faer::linalg::matmul::{matmul, triangular};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place,
    solve_unit_upper_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, Mat, MatMut, MatRef};
use std::ops::Range;

pub(super) use faer::linalg::matmul::triangular::BlockStructure as Part;

/// All elements of a matrix.
pub(super) const ALL: Part = Part::Rectangular;

/// The triangle with its diagonal.
pub(super) fn half(lower: bool) -> Part {
    match lower {
        true => Part::TriangularLower,
        false => Part::TriangularUpper,
    }
}

/// The elements that a triangular matrix is read from.
pub(super) fn stored(triangle: Triangle) -> Part {
    match (triangle.lower, triangle.unit) {
        (lower, false) => half(lower),
        (true, true) => Part::StrictTriangularLower,
        (false, true) => Part::StrictTriangularUpper,
    }
}

/// The triangular matrix itself, its diagonal included.
fn structure(triangle: Triangle) -> Part {
    match (triangle.lower, triangle.unit) {
        (lower, false) => half(lower),
        (true, true) => Part::UnitTriangularLower,
        (false, true) => Part::UnitTriangularUpper,
    }
}

/// Which elements of column `j` are in a part, for so many rows.
fn rows_of(part: Part, j: usize, rows: usize) -> Range<usize> {
    match part {
        Part::Rectangular => 0..rows,
        Part::TriangularLower => j.min(rows)..rows,
        Part::StrictTriangularLower | Part::UnitTriangularLower => (j + 1).min(rows)..rows,
        Part::TriangularUpper => 0..(j + 1).min(rows),
        Part::StrictTriangularUpper | Part::UnitTriangularUpper => 0..j.min(rows),
    }
}

/// Changes each element of a part.
fn change<T>(mut c: MatMut<'_, T>, part: Part, mut f: impl FnMut(usize, usize, &mut T)) {
    for j in 0..c.ncols() {
        for i in rows_of(part, j, c.nrows()) {
            f(i, j, &mut c[(i, j)]);
        }
    }
}

/// `c := by · c`, on a part. A factor of 0 does not read.
pub(super) fn scale<T: Number>(c: MatMut<'_, T>, part: Part, by: T) {
    if by.is_zero() {
        change(c, part, |_, _, c| *c = T::zero());
    } else if !by.is_one() {
        change(c, part, |_, _, c| *c *= by);
    }
}

/// `c := a`, on a part.
pub(super) fn assign<T: Number>(c: MatMut<'_, T>, part: Part, a: MatRef<'_, T>) {
    change(c, part, |i, j, c| *c = a[(i, j)]);
}

/// `c := c + by · a`, on a part. A factor of 0 does not read.
pub(super) fn accumulate<T: Number>(c: MatMut<'_, T>, part: Part, by: T, a: MatRef<'_, T>) {
    if !by.is_zero() {
        change(c, part, |i, j, c| *c += by * a[(i, j)]);
    }
}

/// The sum of `a · b`, element by element, over a part.
pub(super) fn inner<T: Number>(a: MatRef<'_, T>, part: Part, b: MatRef<'_, T>) -> T {
    let mut sum = T::zero();
    for j in 0..a.ncols() {
        for i in rows_of(part, j, a.nrows()) {
            sum += a[(i, j)] * b[(i, j)];
        }
    }
    sum
}

/// `c := c + alpha · a · b`. A factor of 0 does not read.
pub(super) fn add_product<T: Number>(
    c: MatMut<'_, T>,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
) {
    if !alpha.is_zero() {
        matmul(c, Accum::Add, a, b, alpha, parallelism());
    }
}

/// `c := c + alpha · a · b` on a part of `c`, where only parts of `a` and `b` are not zero. A factor of 0 does not read.
pub(super) fn add_parts<T: Number>(
    (c, part): (MatMut<'_, T>, Part),
    alpha: T,
    (a, of_a): (MatRef<'_, T>, Part),
    (b, of_b): (MatRef<'_, T>, Part),
) {
    if alpha.is_zero() {
        return;
    }
    if part == ALL {
        triangular::matmul(c, part, Accum::Add, a, of_a, b, of_b, alpha, parallelism());
        return;
    }
    // On processors without AVX-512 the library (faer 0.24.4) writes elements beside the part as well: of a 3 × 3 product of a column and a row, that at
    // row 2 and column 0 where only the upper triangle was asked for.
    let mut whole = Mat::zeros(c.nrows(), c.ncols());
    add_parts((whole.as_mut(), ALL), alpha, (a, of_a), (b, of_b));
    accumulate(c, part, T::one(), whole.as_ref());
}

/// `a · b`
pub(super) fn product<T: Number>(a: MatRef<'_, T>, b: MatRef<'_, T>) -> Mat<T> {
    let mut c = Mat::zeros(a.nrows(), b.ncols());
    add_product(c.as_mut(), T::one(), a, b);
    c
}

/// `t · b`, for a triangle `t` of `a`.
pub(super) fn triangle_product<T: Number>(
    a: MatRef<'_, T>,
    triangle: Triangle,
    b: MatRef<'_, T>,
) -> Mat<T> {
    part_product(a, structure(triangle), b)
}

/// `p · b`, for a part `p` of `a`.
pub(super) fn part_product<T: Number>(a: MatRef<'_, T>, part: Part, b: MatRef<'_, T>) -> Mat<T> {
    let mut c = Mat::zeros(a.nrows(), b.ncols());
    add_parts((c.as_mut(), ALL), T::one(), (a, part), (b, ALL));
    c
}

/// `b := t⁻¹ · b`, for a triangle `t` of `a`. A zero on its diagonal is an error.
pub(super) fn solve<T: Number>(
    a: MatRef<'_, T>,
    triangle: Triangle,
    b: MatMut<'_, T>,
) -> Result<(), String> {
    let singular = |i: &usize| !triangle.unit && a[(*i, *i)].is_zero();
    if let Some(i) = (0..a.nrows()).find(singular) {
        return Err(format!(
            "the matrix is singular: element ({i}, {i}) of the triangle is 0"
        ));
    }
    match (triangle.lower, triangle.unit) {
        (true, false) => solve_lower_triangular_in_place(a, b, parallelism()),
        (true, true) => solve_unit_lower_triangular_in_place(a, b, parallelism()),
        (false, false) => solve_upper_triangular_in_place(a, b, parallelism()),
        (false, true) => solve_unit_upper_triangular_in_place(a, b, parallelism()),
    }
    Ok(())
}

/// The symmetric matrix of which a triangle is given.
pub(super) fn symmetric<T: Number>(a: MatRef<'_, T>, lower: bool) -> Mat<T> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| match (i >= j) == lower {
        true => a[(i, j)],
        false => a[(j, i)],
    })
}

/// For a triangle that a symmetric matrix is given by: adds to its cotangent `by` times what `s`, the cotangent of the whole matrix, makes of it.
/// An element off the diagonal stands in two places of the whole.
pub(super) fn accumulate_folded<T: Number>(d: MatMut<'_, T>, lower: bool, by: T, s: MatRef<'_, T>) {
    if by.is_zero() {
        return;
    }
    change(d, half(lower), |i, j, d| {
        *d += by
            * match i == j {
                true => s[(i, i)],
                false => s[(i, j)] + s[(j, i)],
            };
    });
}

/// A part of a matrix, zeros elsewhere.
pub(super) fn only<T: Number>(a: MatRef<'_, T>, part: Part) -> Mat<T> {
    let mut c = Mat::zeros(a.nrows(), a.ncols());
    assign(c.as_mut(), part, a);
    c
}

fn parallelism() -> faer::Par {
    faer::get_global_parallelism()
}

//! What a routine is called with: matrices and vectors in slices, and scalars, each with its place among the arguments.

use crate::dense::{Number, Real};
use faer::{MatMut, MatRef};
use mooncake_pack::{Cotangents, Tangents};

/// A matrix or a vector in a slice. A vector of n elements is read as a matrix of n × 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    /// The argument's name, for messages.
    pub name: &'static str,
    /// The argument's position.
    pub at: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The distance of columns, or of the elements of a vector.
    pub stride: usize,
    /// Whether it is a vector.
    pub is_vector: bool,
}

impl Operand {
    /// The height and the width of the column-major matrix that the slice holds: a vector is the only row of one.
    fn stored(&self) -> (usize, usize) {
        match self.is_vector {
            true => (1, self.rows),
            false => (self.rows, self.cols),
        }
    }

    /// An error unless a slice of this length holds the operand.
    fn check(&self, len: usize) -> Result<(), String> {
        let Operand { name, stride, .. } = self;
        let (height, width) = self.stored();
        if *stride < height.max(1) {
            return Err(match self.is_vector {
                true => format!("the increment of `{name}` is 0; expected at least 1"),
                false => format!(
                    "the leading dimension of `{name}` is {stride}; expected at least {}",
                    height.max(1)
                ),
            });
        }
        let needed = match height == 0 || width == 0 {
            true => Some(0),
            false => { stride.checked_mul(width - 1) }.and_then(|last| last.checked_add(height)),
        };
        match needed {
            Some(needed) if needed <= len => Ok(()),
            _ => Err(format!("`{name}` has {len} elements; {}", self.described())),
        }
    }

    /// What a slice of the operand has to hold.
    fn described(&self) -> String {
        match self.is_vector {
            true => format!(
                "expected a vector of {} elements with increment {}",
                self.rows, self.stride
            ),
            false => format!(
                "expected a matrix of {} × {} with leading dimension {}",
                self.rows, self.cols, self.stride
            ),
        }
    }

    /// The operand in a slice.
    pub fn read<'a, T>(&self, data: &'a [T]) -> Result<MatRef<'a, T>, String> {
        self.check(data.len())?;
        let (height, width) = self.stored();
        let view = MatRef::from_column_major_slice_with_stride(data, height, width, self.stride);
        Ok(transposed(view, self.is_vector))
    }

    /// The operand in a slice, to be written.
    pub fn write<'a, T>(&self, data: &'a mut [T]) -> Result<MatMut<'a, T>, String> {
        self.check(data.len())?;
        let (height, width) = self.stored();
        let view =
            MatMut::from_column_major_slice_with_stride_mut(data, height, width, self.stride);
        Ok(transposed_mut(view, self.is_vector))
    }

    /// The cotangent of an operand that is read, to be added to; for one that is overwritten, the cotangent of its final contents, to be turned into
    /// that of its initial contents. `None` if nobody wants it.
    pub fn cotangent<'a, T: Number>(
        &self,
        c: &dyn Shadows<'a, T>,
    ) -> Result<Option<MatMut<'a, T>>, String> {
        { c.shadow(self.at)? }.map(|d| self.write(d)).transpose()
    }

    /// The tangent of an operand that is read. `None` if it is zero.
    pub fn tangent<'a, T: Real>(&self, t: &Tangents<'a>) -> Result<Option<MatRef<'a, T>>, String> {
        { t.of::<T>(self.at)? }.map(|d| self.read(d)).transpose()
    }
}

/// A factor, which is an argument of the call or fixed by the routine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scalar<T> {
    /// Its value.
    pub value: T,
    /// The argument's position.
    pub at: Option<usize>,
}

impl<T: Number> Scalar<T> {
    /// The factor 1 of a routine without such an argument.
    pub fn one() -> Self {
        Scalar {
            value: num_traits::One::one(),
            at: None,
        }
    }

    /// Its cotangent, to be added to. `None` if nobody wants it.
    pub fn cotangent<'a>(&self, c: &dyn Shadows<'a, T>) -> Result<Option<&'a mut T>, String> {
        let wanted = self.at.map(|at| c.shadow(at)).transpose()?.flatten();
        Ok(wanted.and_then(|d| d.first_mut()))
    }
}

impl<T: Real> Scalar<T> {
    /// Its tangent. `None` if it is zero.
    pub fn tangent(&self, t: &Tangents) -> Result<Option<T>, String> {
        let given = self.at.map(|at| t.of::<T>(at)).transpose()?.flatten();
        Ok(given.and_then(|d| d.first().copied()))
    }
}

/// Where the cotangents of the arguments are.
pub(super) trait Shadows<'a, T> {
    /// That of the argument at a position, to be added to. `None` if nobody wants it.
    fn shadow(&self, at: usize) -> Result<Option<&'a mut [T]>, String>;
}

impl<'a, T: Real> Shadows<'a, T> for Cotangents<'a> {
    fn shadow(&self, at: usize) -> Result<Option<&'a mut [T]>, String> {
        self.of(at)
    }
}

/// The matrix, or its transpose.
pub(super) fn transposed<T>(matrix: MatRef<'_, T>, transpose: bool) -> MatRef<'_, T> {
    match transpose {
        true => matrix.transpose(),
        false => matrix,
    }
}

/// The matrix, or its transpose, to be written.
pub(super) fn transposed_mut<T>(matrix: MatMut<'_, T>, transpose: bool) -> MatMut<'_, T> {
    match transpose {
        true => matrix.transpose_mut(),
        false => matrix,
    }
}

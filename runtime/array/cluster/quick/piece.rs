//! Elements that go from one array to places of another, as `concat`, `roll` and the derivatives of slices have it: [`Piece`].
//!
//! For arrays of some hundred elements it takes longer to find out which element goes where than to move it. Where layouts are known before, so is
//! that.

use crate::array::cluster::unmade;
use crate::diag::Result;
use crate::ir::Type;
use bytemuck::Pod;
use std::ops::Add;

/// More rows than this are not worked out before.
const MOST_ROWS: usize = 1 << 10;

/// Which element of one array goes where in another one, counted from the first element of each.
pub struct Piece {
    ty: Type,
    /// Whether an element is added to what is there.
    adds: bool,
    /// Where each row begins: in the one array, and in the other.
    rows: Vec<(usize, usize)>,
    /// The elements of a row.
    count: usize,
    /// From an element of a row to the next: in the one array, and in the other.
    steps: (usize, usize),
}

impl Piece {
    /// The elements of an array of this shape. They lie in memory with the strides `from`, and go to places with the strides `to`.
    /// `None` if elements are to be added that are not of `f32` or `f64`, or if there are too many rows.
    pub fn new(
        ty: Type,
        shape: &[usize],
        from: &[usize],
        to: &[usize],
        adds: bool,
    ) -> Option<Piece> {
        if adds && !matches!(ty, Type::F32 | Type::F64) {
            return None;
        }
        // Axes that lie one after another in both arrays are one. The last is the row.
        let mut axes: Vec<(usize, (usize, usize))> = Vec::new();
        for ((&extent, &from), &to) in shape.iter().zip(from).zip(to) {
            match axes.last_mut() {
                _ if extent == 1 => {}
                Some((outer, steps)) if *steps == (from * extent, to * extent) => {
                    *outer *= extent;
                    *steps = (from, to);
                }
                _ => axes.push((extent, (from, to))),
            }
        }
        let (count, steps) = axes.pop().unwrap_or((1, (1, 1)));
        let rows = { axes.iter() }.try_fold(1usize, |rows, (extent, _)| rows.checked_mul(*extent));
        rows.filter(|&rows| rows <= MOST_ROWS)?;
        let mut rows = vec![(0, 0)];
        for (extent, (from, to)) in axes {
            let along =
                |&(a, b): &(usize, usize)| (0..extent).map(move |n| (a + n * from, b + n * to));
            rows = rows.iter().flat_map(along).collect();
        }
        if shape.contains(&0) {
            rows.clear();
        }
        Some(Piece {
            ty,
            adds,
            rows,
            count,
            steps,
        })
    }

    /// Moves the elements, or adds them. `from` is the first element of the one array in its memory, `to` that of the other one.
    pub fn put(
        &self,
        (source, from): (&[u8], usize),
        (target, to): (&mut [u8], usize),
    ) -> Result<()> {
        fn typed<T: Pod>(bytes: &[u8], first: usize) -> Option<&[T]> {
            bytemuck::try_cast_slice(bytes).ok()?.get(first..)
        }
        fn typed_mut<T: Pod>(bytes: &mut [u8], first: usize) -> Option<&mut [T]> {
            bytemuck::try_cast_slice_mut(bytes).ok()?.get_mut(first..)
        }
        macro_rules! rows {
            ($ty:ty, $row:path) => {
                match (typed::<$ty>(source, from), typed_mut::<$ty>(target, to)) {
                    (Some(source), Some(target)) => self.each_row(source, target, $row),
                    _ => None,
                }
            };
        }
        let done = match (self.adds, self.ty, self.ty.size()) {
            (true, Type::F32, _) => rows!(f32, sum),
            (true, Type::F64, _) => rows!(f64, sum),
            (false, _, Some(1)) => rows!(u8, copy),
            (false, _, Some(2)) => rows!(u16, copy),
            (false, _, Some(4)) => rows!(u32, copy),
            (false, _, Some(8)) => rows!(u64, copy),
            _ => None,
        };
        done.ok_or_else(unmade)
    }

    fn each_row<T: Copy>(
        &self,
        source: &[T],
        target: &mut [T],
        row: impl Fn(&[T], &mut [T], (usize, usize)),
    ) -> Option<()> {
        let (from, to) = self.steps;
        // From the first to behind the last.
        let reach = |step: usize| (self.count - 1) * step + 1;
        for &(a, b) in &self.rows {
            let source = source.get(a..a + reach(from))?;
            let target = target.get_mut(b..b + reach(to))?;
            row(source, target, self.steps);
        }
        Some(())
    }
}

fn copy<T: Copy>(source: &[T], target: &mut [T], steps: (usize, usize)) {
    match steps {
        (1, 1) => target.copy_from_slice(source),
        (0, 1) => target.fill(source[0]),
        (from, to) => {
            let places = (0..target.len()).step_by(to.max(1));
            places
                .enumerate()
                .for_each(|(n, place)| target[place] = source[n * from]);
        }
    }
}

fn sum<T: Copy + Add<Output = T>>(source: &[T], target: &mut [T], steps: (usize, usize)) {
    match steps {
        (1, 1) => {
            let pairs = target.iter_mut().zip(source);
            pairs.for_each(|(own, &other)| *own = *own + other);
        }
        (from, to) => {
            let places = (0..target.len()).step_by(to.max(1));
            places
                .enumerate()
                .for_each(|(n, place)| target[place] = target[place] + source[n * from]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put<T: Pod>(piece: &Piece, source: &[T], from: usize, target: &mut [T], to: usize) {
        let (source, target) = (
            bytemuck::cast_slice(source),
            bytemuck::cast_slice_mut(target),
        );
        piece.put((source, from), (target, to)).unwrap();
    }

    #[test]
    fn elements_go_where_strides_say() {
        // The transpose of a matrix to every second column of another one.
        let piece = Piece::new(Type::F32, &[3, 2], &[1, 3], &[5, 2], false).unwrap();
        let mut target = [0.0f32; 15];
        put(
            &piece,
            &[9.0f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            1,
            &mut target,
            1,
        );
        let expected = [
            0.0, 1.0, 0.0, 4.0, 0.0, 0.0, 2.0, 0.0, 5.0, 0.0, 0.0, 3.0, 0.0, 6.0, 0.0,
        ];
        assert_eq!(target, expected);
    }

    #[test]
    fn elements_are_added_where_they_go() {
        let piece = Piece::new(Type::F64, &[2], &[1], &[2], true).unwrap();
        let mut target = [1.0f64; 5];
        put(&piece, &[0.5, -0.25], 0, &mut target, 2);
        assert_eq!(target, [1.0, 1.0, 1.5, 1.0, 0.75]);
        let side_by_side = Piece::new(Type::F32, &[1, 3], &[7, 1], &[3, 1], true).unwrap();
        let mut target = [-0.0f32; 3];
        put(&side_by_side, &[1.0f32, -0.0, 0.0], 0, &mut target, 0);
        assert_eq!(
            target.map(f32::to_bits),
            [1.0f32, -0.0, 0.0].map(f32::to_bits)
        );
    }

    #[test]
    fn one_element_fills_a_row_and_no_elements_go_nowhere() {
        let piece = Piece::new(Type::U32, &[2, 2], &[1, 0], &[2, 1], false).unwrap();
        let mut target = [0u32; 4];
        put(&piece, &[7u32, 8], 0, &mut target, 0);
        assert_eq!(target, [7, 7, 8, 8]);
        let none = Piece::new(Type::U32, &[2, 0], &[1, 1], &[1, 1], false).unwrap();
        put(&none, &[0u32; 0], 0, &mut [], 0);
    }

    #[test]
    fn memory_that_is_too_short_is_an_error() {
        let piece = Piece::new(Type::F32, &[3], &[1], &[1], false).unwrap();
        let source = [0u8; 12];
        let mut target = [0u8; 12];
        assert!(piece.put((&source, 1), (&mut target, 0)).is_err());
        assert!(piece.put((&source, 0), (&mut target, 1)).is_err());
        assert!(piece.put((&source, 4), (&mut target, 0)).is_err());
        assert!(Piece::new(Type::U32, &[3], &[1], &[1], true).is_none());
    }
}

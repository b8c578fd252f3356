//! Small arrays of a call on the CPU: their elements lie one array after another in memory that belongs to the call.
//!
//! An array of eight elements takes some nanoseconds to compute. To allocate memory for it, to count references to that memory, and to
//! describe its shape anew takes longer than that. So kernels of clusters write small results into a [`Slab`], of which a call only takes more,
//! and equal [`Layout`]s are one. Whoever needs a [`Tensor`] gets a copy. Now and then the arrays that are still there are moved together
//! ([`Slab::put_in_order`]), so that a long loop takes as much memory as its state needs.

use super::backend::{Dims, View};
use super::cpu::memory;
use super::device::Device;
use super::tensor::Tensor;
use crate::diag::{Error, Result};
use crate::ir::Type;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// Arrays of at most so many bytes are small.
pub const SMALL: usize = 1 << 12;

/// How the elements of an array lie in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// The type of an element.
    pub ty: Type,
    /// Extents.
    pub shape: Dims,
    /// Steps in elements.
    pub strides: Dims,
    /// The bytes that they take, from the first element to the last.
    pub bytes: usize,
}

impl Layout {
    /// Elements of a type, with an extent and a step for each axis.
    pub fn new(ty: Type, shape: Dims, strides: Dims) -> Layout {
        let steps = shape.iter().zip(&strides);
        let elements = match shape.contains(&0) {
            true => 0,
            false => 1 + steps.map(|(n, step)| (n - 1) * step).sum::<usize>(),
        };
        let bytes = elements * ty.size().unwrap_or(8);
        Layout {
            ty,
            shape,
            strides,
            bytes,
        }
    }
    /// The one layout that is equal to this: layouts of plans and of small arrays are compared by their addresses. They stay as long as the process,
    /// which meets few shapes.
    pub fn kept(self) -> &'static Layout {
        static KEPT: Mutex<FxHashSet<&'static Layout>> =
            Mutex::new(FxHashSet::with_hasher(FxBuildHasher));
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layout) = kept.get(&self) {
            return layout;
        }
        let layout: &'static Layout = Box::leak(Box::new(self));
        kept.insert(layout);
        layout
    }
    /// The layout of a view, wherever it begins.
    pub fn of(view: &View) -> Layout {
        Layout::new(view.ty, view.shape.clone(), view.strides.clone())
    }
    /// Whether a view's elements lie like this.
    pub fn is_of(&self, view: &View) -> bool {
        // For one or two numbers a call of `memcmp` takes longer than the comparison.
        let same = |a: &[usize], b: &[usize]| a.len() == b.len() && a.iter().eq(b);
        self.ty == view.ty && same(&self.shape, &view.shape) && same(&self.strides, &view.strides)
    }
    /// The bytes of an element.
    pub fn size(&self) -> usize {
        self.ty.size().unwrap_or(8)
    }
    /// That of the same elements with other axes: which of its own each is; the others repeat.
    pub fn seen_as(&self, shape: &[usize], axes: &[Option<usize>]) -> Layout {
        let strides = axes
            .iter()
            .map(|axis| axis.map_or(0, |axis| self.strides[axis]));
        Layout::new(self.ty, shape.into(), strides.collect())
    }
    /// Whether arrays of this layout are small.
    pub fn is_small(&self) -> bool {
        self.bytes <= SMALL
    }
}

/// A small array.
#[derive(Clone, Copy, Debug)]
pub struct Small {
    /// How its elements lie.
    pub layout: &'static Layout,
    /// The word of the slab where they begin.
    pub at: usize,
}

/// The small arrays of a call.
#[derive(Default)]
pub struct Slab {
    words: Vec<u64>,
    /// The words that arrays have taken.
    taken: usize,
    /// The words of the arrays that were there when they were last moved together.
    kept: usize,
}

/// Arrays are moved together once so many words have been taken, and as many as were there the last time: so little time goes into it.
const SPENT: usize = 1 << 18;

/// A slab that has grown to more words is not kept for the next call.
const MOST_KEPT: usize = 1 << 20;

thread_local!(static KEPT: Cell<Vec<u64>> = const { Cell::new(Vec::new()) });

impl Drop for Slab {
    fn drop(&mut self) {
        if (1..=MOST_KEPT).contains(&self.words.len()) {
            // While a thread ends there is nobody to keep it.
            let _ = KEPT.try_with(|kept| kept.set(std::mem::take(&mut self.words)));
        }
    }
}

impl Slab {
    /// Room for an array of so many bytes: the word where it begins. There is something there already.
    #[inline]
    pub fn room(&mut self, bytes: usize) -> Result<usize> {
        let at = self.taken;
        let end = at.saturating_add(bytes.div_ceil(8));
        if end > self.words.len() {
            self.grow(end)?;
        }
        self.taken = end;
        Ok(at)
    }

    /// Whether it is time to put it in order.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.taken - self.kept > SPENT + self.kept
    }

    /// Moves these arrays together, which are all that somebody may still read, and takes back the room of all others.
    pub fn put_in_order<'s>(&mut self, arrays: impl Iterator<Item = &'s mut Small>) {
        let mut arrays: Vec<&mut Small> = arrays.collect();
        arrays.sort_unstable_by_key(|small| small.at);
        let mut end = 0;
        // What begins at one word is one array, perhaps with several orders of axes.
        for same in arrays.chunk_by_mut(|a, b| a.at == b.at) {
            let words = { same.iter() }.map(|small| small.layout.bytes.div_ceil(8));
            let (at, words) = (same[0].at, words.max().unwrap_or(0));
            debug_assert!(end <= at, "small arrays overlap");
            self.words.copy_within(at..at + words, end);
            same.iter_mut().for_each(|small| small.at = end);
            end += words;
        }
        (self.taken, self.kept) = (end, end);
    }

    /// Grows to so many words at least.
    #[cold]
    fn grow(&mut self, words: usize) -> Result<()> {
        if self.words.is_empty() {
            self.words = KEPT.try_with(Cell::take).unwrap_or_default();
        }
        let words = words.max(SMALL / 8);
        let more = words.saturating_sub(self.words.len());
        if self.words.try_reserve(more).is_err() {
            let message = format!("{} bytes of small arrays", words.saturating_mul(8));
            return Err(Error::Memory(message));
        }
        // All that the vector has reserved, which is at least twice as much as before.
        self.words.resize(self.words.capacity().max(words), 0);
        Ok(())
    }

    /// The bytes from a word on.
    pub fn bytes(&self, at: usize) -> &[u8] {
        bytemuck::cast_slice(&self.words[at..])
    }

    /// What was there before a word, and the bytes from it on, to be written.
    pub fn split(&mut self, at: usize) -> (&[u64], &mut [u8]) {
        let (before, from) = self.words.split_at_mut(at);
        (before, bytemuck::cast_slice_mut(from))
    }

    /// An array with the same number everywhere: its bits, zero-extended.
    pub fn filled(&mut self, layout: &'static Layout, bits: u64) -> Result<Small> {
        let size = layout.size();
        let at = self.room(size)?;
        self.split(at).1[..size].copy_from_slice(&bits.to_le_bytes()[..size]);
        Ok(Small { layout, at })
    }

    /// A small array as one that has its own memory.
    pub fn tensor(&self, small: &Small) -> Result<Tensor> {
        let layout = small.layout;
        let bytes = &self.bytes(small.at)[..layout.bytes];
        let view = View {
            buffer: memory::adopt_bytes(bytes)?,
            ty: layout.ty,
            offset: 0,
            shape: layout.shape.clone(),
            strides: layout.strides.clone(),
        };
        Ok(Tensor::of(&Device::cpu(), view))
    }

    /// The bits of an array's one element.
    pub fn item(&self, small: &Small) -> u64 {
        self.bits(small.at, small.layout.size())
    }

    /// The bits of an element of so many bytes, zero-extended.
    pub fn bits(&self, at: usize, size: usize) -> u64 {
        let mut word = [0; 8];
        word[..size].copy_from_slice(&self.bytes(at)[..size]);
        u64::from_le_bytes(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_comes_back() {
        let mut slab = Slab::default();
        let layout = Layout::new(
            Type::F32,
            Dims::from_slice(&[3, 2]),
            Dims::from_slice(&[1, 0]),
        )
        .kept();
        slab.room(5).unwrap();
        let at = slab.room(12).unwrap();
        let (before, bytes) = slab.split(at);
        assert_eq!(before.len(), 1);
        bytes[..12].copy_from_slice(bytemuck::cast_slice(&[1.0f32, 2.0, 3.0]));
        let small = Small { layout, at };
        let tensor = slab.tensor(&small).unwrap();
        let numbers = tensor.to_vec::<f32>().unwrap();
        assert_eq!(numbers, [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
        assert_eq!(slab.item(&small), u64::from(1.0f32.to_bits()));
    }

    #[test]
    fn what_is_still_there_moves_together() {
        let mut slab = Slab::default();
        let axes = |n: usize, step: usize| {
            let (shape, strides) = (Dims::from_slice(&[n]), Dims::from_slice(&[step]));
            Layout::new(Type::F64, shape, strides).kept()
        };
        let mut make = |number: f64, count: usize| {
            let layout = axes(count, 1);
            let at = slab.room(8 * count).unwrap();
            let numbers: Vec<f64> = (0..count).map(|n| number + n as f64).collect();
            slab.split(at).1[..8 * count].copy_from_slice(bytemuck::cast_slice(&numbers));
            Small { layout, at }
        };
        let (_, a, _, mut c, none) = (
            make(1.0, 5),
            make(2.0, 3),
            make(3.0, 2),
            make(4.0, 4),
            make(0.0, 0),
        );
        // The first element of `a`, twice, and all of it.
        let (mut first, mut a, mut none) = (
            Small {
                layout: axes(2, 0),
                at: a.at,
            },
            a,
            none,
        );
        assert!(!slab.is_full());
        slab.put_in_order([&mut c, &mut first, &mut none, &mut a].into_iter());
        assert_eq!([first.at, a.at, c.at, none.at], [0, 0, 3, 7]);
        let numbers = |small: &Small| slab.tensor(small).unwrap().to_vec::<f64>().unwrap();
        assert_eq!(numbers(&first), [2.0, 2.0]);
        assert_eq!(numbers(&a), [2.0, 3.0, 4.0]);
        assert_eq!(numbers(&c), [4.0, 5.0, 6.0, 7.0]);
        assert_eq!(slab.room(8).unwrap(), 7);
        slab.room(8 * (SPENT + 7)).unwrap();
        assert!(slab.is_full());
    }

    #[test]
    fn an_array_without_elements_takes_no_room() {
        let mut slab = Slab::default();
        let layout = Layout::new(
            Type::F64,
            Dims::from_slice(&[0, 2]),
            Dims::from_slice(&[2, 1]),
        )
        .kept();
        let at = slab.room(0).unwrap();
        let tensor = slab.tensor(&Small { layout, at }).unwrap();
        assert_eq!(tensor.shape(), [0, 2]);
        assert!(tensor.to_vec::<f64>().unwrap().is_empty());
    }
}

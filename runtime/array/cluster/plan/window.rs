//! Windows: the points of a kernel at which an array is there, as a part of a larger one.

use super::Axes;
use crate::array::backend::Dims;
use crate::array::cluster::nodes::Part;
use crate::kernel::PerAxis;
use smallvec::SmallVec;
use std::ops::Range;

/// An array that is there at some points alone.
pub struct Windowed {
    pub slot: usize,
    /// For each axis of the array the axis of the domain.
    pub axes: Axes,
    pub window: Window,
}

impl Windowed {
    /// How many elements behind its first one a kernel begins to read the array, whose elements lie in these steps.
    pub fn skipped(&self, strides: &Dims) -> usize {
        let skipped = self.axes.iter().zip(strides).map(|(axis, stride)| {
            let own = axis.and_then(|axis| self.window.bound(axis));
            own.map_or(0, |own| own.first.wrapping_mul(*stride))
        });
        // A step backwards wraps.
        skipped.fold(0, usize::wrapping_add)
    }
}

/// Whether a point is in a window: 1 or 0, in a type that the kernel computes with.
pub struct Inside {
    /// The bits of 1.
    pub one: u64,
    pub window: Window,
}

/// The points of a kernel at which an array has elements.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Window {
    /// Along some axes of the domain, in order.
    pub bounds: SmallVec<[Bound; 2]>,
}

/// Where an array has elements along an axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bound {
    /// The axis of the domain.
    axis: usize,
    /// The places along it.
    at: Range<usize>,
    /// Which place of the array is at the first of them.
    first: usize,
}

impl Window {
    fn bound(&self, axis: usize) -> Option<&Bound> {
        self.bounds.iter().find(|own| own.axis == axis)
    }
    /// The places along all axes of a domain.
    pub fn places(&self, domain: &Dims) -> PerAxis<Range<usize>> {
        let places = domain.iter().enumerate().map(|(axis, &extent)| {
            let own = self.bound(axis).map(|own| own.at.clone());
            own.unwrap_or(0..extent)
        });
        places.collect()
    }
    /// The bounds along the axes of an array.
    pub fn along(&self, axes: &Axes) -> Window {
        let own = { self.bounds.iter() }.filter(|own| axes.contains(&Some(own.axis)));
        Window {
            bounds: own.cloned().collect(),
        }
    }
    /// The points at which a part of a node is, along an axis of the domain, where this is the node's window. `None` if there are none.
    pub fn of_part(&self, part: &Part, axis: usize) -> Option<Window> {
        let (all, first) = match self.bound(axis) {
            Some(own) => (own.at.clone(), own.first),
            None => (0..usize::MAX, 0),
        };
        // Of the node's places, those that the window sees.
        let seen = first.max(part.at.start)..part.at.end.min(first.saturating_add(all.len()));
        if seen.is_empty() {
            return None;
        }
        let start = all.start + (seen.start - first);
        let own = Bound {
            axis,
            at: start..start + seen.len(),
            first: part.from + (seen.start - part.at.start),
        };
        let mut bounds = self.bounds.clone();
        bounds.retain(|other| other.axis != axis);
        bounds.push(own);
        bounds.sort_by_key(|own| own.axis);
        Some(Window { bounds })
    }
}

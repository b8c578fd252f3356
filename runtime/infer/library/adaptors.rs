//! Where iterators come from, and what makes one of another.

use mooncake_macros::library;

// Of slices; those of vectors and lists are theirs.
#[library]
pub mod of_slices {
    use super::super::types::{Chunks, Elements, ElementsMut, RChunks, Windows};

    fn iter(this: _) -> _ {
        Elements {
            slice: this,
            at: 0usize,
            end: this.len(),
        }
    }
    fn iter_mut(this: &mut [_]) -> _ {
        ElementsMut {
            slice: this,
            at: 0usize,
            end: this.len(),
        }
    }
    fn windows(this: _, size: usize) -> _ {
        assert!(size != 0, "window size must be non-zero");
        Windows {
            slice: this,
            size,
            at: 0usize,
            end: (this.len() + 1).saturating_sub(size),
        }
    }
    fn chunks(this: _, size: usize) -> _ {
        assert!(size != 0, "chunk size must be non-zero");
        Chunks {
            slice: this,
            size,
            at: 0usize,
            end: this.len(),
        }
    }
    fn chunks_mut(this: &mut [_], size: usize) -> _ {
        this.chunks(size)
    }
    fn chunks_exact(this: _, size: usize) -> _ {
        assert!(size != 0, "chunk size must be non-zero");
        Chunks {
            slice: this,
            size,
            at: 0usize,
            end: this.len() - this.len() % size,
        }
    }
    fn rchunks(this: _, size: usize) -> _ {
        assert!(size != 0, "chunk size must be non-zero");
        RChunks {
            slice: this,
            size,
            end: this.len(),
        }
    }
    fn rchunks_mut(this: &mut [_], size: usize) -> _ {
        this.rchunks(size)
    }
    fn chunks_exact_mut(this: &mut [_], size: usize) -> _ {
        this.chunks_exact(size)
    }
}

// Of vectors and lists that are given away, or of which `&` is written.
#[library]
pub mod of_owned {
    fn into_iter(this: _) -> _ {
        this.iter()
    }
}

// Of `&mut` of vectors and lists, and of slices that can change.
#[library]
pub mod of_mutable {
    fn into_iter(this: _) -> _ {
        this.iter_mut()
    }
}

// Of all that has a method `next`. An argument is an iterator or what one is made of.
#[library]
pub mod of_iterators {
    use super::super::types::{
        Chain, Cloned, Cycle, Enumerate, Filter, FilterMap, Flatten, Fuse, Inspect, Map, MapWhile,
        Peekable, Rev, Scan, Skip, SkipWhile, StepBy, Take, TakeWhile, Zip,
    };

    fn into_iter(this: _) -> _ {
        this
    }
    fn map(this: _, f: _) -> _ {
        Map {
            iter: this.into_iter(),
            f,
        }
    }
    fn filter(this: _, f: _) -> _ {
        Filter {
            iter: this.into_iter(),
            f,
        }
    }
    fn filter_map(this: _, f: _) -> _ {
        FilterMap {
            iter: this.into_iter(),
            f,
        }
    }
    fn enumerate(this: _) -> _ {
        Enumerate {
            iter: this.into_iter(),
            count: 0usize,
        }
    }
    // How two iterators are zipped is decided by the types of both: first by that of the second.
    fn zip(this: _, other: _) -> _ {
        other.into_iter().zip_behind(this.into_iter())
    }
    fn zip_behind(this: _, first: _) -> _ {
        Zip { a: first, b: this }
    }
    fn zip_before(this: _, second: _) -> _ {
        Zip { a: this, b: second }
    }
    fn take(this: _, n: usize) -> _ {
        Take {
            iter: this.into_iter(),
            n,
        }
    }
    fn skip(this: _, n: usize) -> _ {
        Skip {
            iter: this.into_iter(),
            n,
        }
    }
    fn step_by(this: _, step: usize) -> _ {
        assert!(step != 0, "assertion failed: step != 0");
        StepBy {
            iter: this.into_iter(),
            gap: step - 1,
            is_first: true,
        }
    }
    fn chain(this: _, other: _) -> _ {
        Chain {
            a: this.into_iter(),
            b: other.into_iter(),
            a_ended: false,
            b_ended: false,
        }
    }
    fn rev(this: _) -> _ {
        Rev {
            iter: this.into_iter(),
        }
    }
    fn take_while(this: _, f: _) -> _ {
        TakeWhile {
            iter: this.into_iter(),
            f,
            ended: false,
        }
    }
    fn skip_while(this: _, f: _) -> _ {
        SkipWhile {
            iter: this.into_iter(),
            f,
            started: false,
        }
    }
    fn map_while(this: _, f: _) -> _ {
        MapWhile {
            iter: this.into_iter(),
            f,
        }
    }
    fn inspect(this: _, f: _) -> _ {
        Inspect {
            iter: this.into_iter(),
            f,
        }
    }
    fn cloned(this: _) -> _ {
        Cloned {
            iter: this.into_iter(),
        }
    }
    fn copied(this: _) -> _ {
        this.cloned()
    }
    fn flatten(this: _) -> _ {
        Flatten {
            iter: this.into_iter(),
            front: None,
        }
    }
    fn flat_map(this: _, f: _) -> _ {
        this.map(f).flatten()
    }
    fn scan(this: _, state: _, f: _) -> _ {
        Scan {
            iter: this.into_iter(),
            state,
            f,
        }
    }
    fn peekable(this: _) -> _ {
        Peekable {
            iter: this.into_iter(),
            peeked: None,
        }
    }
    fn fuse(this: _) -> _ {
        Fuse {
            iter: this.into_iter(),
            ended: false,
        }
    }
    fn cycle(this: _) -> _ {
        let iter = this.into_iter();
        Cycle {
            original: iter.clone(),
            iter,
        }
    }
}

// Of iterators whose items can be asked for by position.
#[library]
pub mod of_indexed {
    fn zip_behind(this: _, first: _) -> _ {
        first.zip_before(this)
    }
}

// Of such in which no closure runs: the first iterator is asked once more than there are pairs if the second one is shorter.
#[library]
pub mod of_pure {
    use super::super::types::ZipAt;

    fn zip_before(this: _, second: _) -> _ {
        ZipAt {
            a: this,
            b: second,
            at: 0usize,
            end: this.len().min(second.len()),
        }
    }
}

// `std::iter`
#[library]
pub mod functions {
    use super::super::types::{FromFn, Once, Repeat, RepeatN, Successors};

    fn zip(a: _, b: _) -> _ {
        a.into_iter().zip(b)
    }
    fn once(item: _) -> _ {
        Once { item: Some(item) }
    }
    fn empty() -> _ {
        Once { item: None }
    }
    fn repeat(item: _) -> _ {
        Repeat { item }
    }
    fn repeat_n(item: _, n: usize) -> _ {
        RepeatN { item, n }
    }
    fn from_fn(f: _) -> _ {
        FromFn { f }
    }
    fn repeat_with(f: _) -> _ {
        FromFn { f: || Some(f()) }
    }
    fn successors(first: _, f: _) -> _ {
        Successors { item: first, f }
    }
}

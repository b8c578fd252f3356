//! Sources of iterators, and adaptors from one iterator to another.

use mooncake_macros::library;

// Of slices. Vectors and lists use them too.
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

// Of shared slices.
#[library]
pub mod of_shared {
    fn into_iter(this: _) -> _ {
        this.iter()
    }
}

// Of vectors, by value or behind an erased reference.
#[library]
pub mod of_owned {
    use super::super::types::Owned;

    fn into_iter(this: _) -> _ {
        let all = this.iter();
        Owned {
            slice: all.slice,
            at: all.at,
            end: all.end,
        }
    }
}

#[library]
pub mod of_owned_lists {
    use super::super::types::OwnedList;

    fn into_iter(this: _) -> _ {
        let all = this.iter();
        OwnedList {
            slice: all.slice,
            at: all.at,
            end: all.end,
        }
    }
}

// Of `&mut` of vectors and lists, and of mutable slices.
#[library]
pub mod of_mutable {
    fn into_iter(this: _) -> _ {
        this.iter_mut()
    }
}

// Of every type with a method `next`. An argument is an iterator or a type that can be turned into one.
#[library]
pub mod of_iterators {
    use super::super::types::{
        Chain, Cloned, Cycle, Enumerate, Filter, FilterMap, Flatten, Fuse, Inspect, Map, MapWhile,
        Peekable, Rev, Scan, Skip, SkipWhile, StepBy, Take, TakeWhile, ZipAt,
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
    fn zip(this: _, other: _) -> _ {
        (this.into_iter(), other.into_iter()).zipped()
    }
    fn zip_at(this: _, other: _) -> _ {
        ZipAt {
            a: this,
            b: other,
            at: 0usize,
            end: this.len().min(other.len()),
        }
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
        let mut iter = this.into_iter().fuse();
        let mut front = None;
        // This code never runs. It determines the type of the parts.
        if false {
            front = Some(iter.next().unwrap().into_iter());
        }
        Flatten { iter, front }
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
    // Of a `zip` by position, before its last item is taken: the longer iterator ends with the shorter one. A closure may panic for what is cut off.
    fn cut(this: &mut _, n: usize) {
        for _ in n..this.len() {
            this.next_back();
        }
    }
}

// Of slices.
#[library]
pub mod of_elements {
    fn skip(this: _, n: usize) -> _ {
        let mut rest = this;
        rest.at += n.min(rest.end - rest.at);
        rest
    }
}

#[library]
pub mod of_parts {
    use super::super::types::Part;

    fn take(this: _, n: usize) -> _ {
        Part {
            slice: this.slice,
            at: this.at,
            end: this.at + n.min(this.end - this.at),
        }
    }
}

#[library]
pub mod of_mutable_parts {
    use super::super::types::PartMut;

    fn take(this: _, n: usize) -> _ {
        PartMut {
            slice: this.slice,
            at: this.at,
            end: this.at + n.min(this.end - this.at),
        }
    }
}

// Of iterators that std asks for items even after their end.
#[library]
pub mod of_fused {
    fn fuse(this: _) -> _ {
        this
    }
}

// Of iterators that run no code of the program: a program cannot observe whether an item is taken.
#[library]
pub mod of_silent {
    fn cut(_this: &mut _, _n: usize) {}
}

// The types of both iterators decide how they are zipped.
#[library]
pub mod in_turn {
    use super::super::types::Zip;

    fn zipped(this: _) -> _ {
        Zip {
            a: this.0,
            b: this.1,
        }
    }
}

#[library]
pub mod by_position {
    fn zipped(this: _) -> _ {
        this.0.zip_at(this.1)
    }
}

// `std::iter`
#[library]
pub mod functions {
    use super::super::types::{FromFn, Once, Repeat, RepeatN, RepeatWith, Successors};

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
        RepeatWith { f }
    }
    fn successors(first: _, f: _) -> _ {
        Successors { item: first, f }
    }
}

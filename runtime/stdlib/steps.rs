//! The methods of each struct of the library: `next`, and, where std has them, `next_back`, `len` and `nth`.
//!
//! Positions are incremented without overflow checks, because they are below an end that is itself a number. `item_at` returns the item that `next` would
//! return after that many calls.

use mooncake_macros::library;

/// The methods of an iterator over the positions from `at` up to `end`, by the item at a position. Taking an item must not run code of the program, because
/// `nth` skips items.
macro_rules! by_position {
    ($module:ident, |$this:ident, $at:ident| $item:expr; $($more:tt)*) => {
        #[library]
        pub mod $module {
            fn next($this: &mut _) -> _ {
                let $at = $this.at;
                if $at < $this.end {
                    $this.at = $at.wrapping_add(1);
                    Some($item)
                } else {
                    None
                }
            }
            fn next_back($this: &mut _) -> _ {
                if $this.at < $this.end {
                    let $at = $this.end.wrapping_sub(1);
                    $this.end = $at;
                    Some($item)
                } else {
                    None
                }
            }
            fn nth($this: &mut _, n: usize) -> _ {
                if n < $this.end - $this.at {
                    $this.at += n;
                } else {
                    $this.at = $this.end;
                }
                $this.next()
            }
            fn item_at($this: &mut _, i: usize) -> _ {
                let $at = $this.at + i;
                $item
            }
            fn len($this: _) -> usize {
                $this.end - $this.at
            }
            $($more)*
        }
    };
}

by_position! { elements, |this, at| &this.slice[at];
    fn as_slice(this: _) -> _ {
        &this.slice[this.at..this.end]
    }
}
by_position! { elements_mut, |this, at| &mut this.slice[at]; }
by_position! { windows, |this, at| &this.slice[at..at + this.size]; }
// An inclusive range as a number of steps, so that it cannot overflow.
by_position! { counted, |this, at| this.first.wrapping_add(at as _); }

#[library]
pub mod chunks {
    fn next(this: &mut _) -> _ {
        let at = this.at;
        if at < this.end {
            let to = at + this.size.min(this.end - at);
            this.at = to;
            Some(&this.slice[at..to])
        } else {
            None
        }
    }
    fn next_back(this: &mut _) -> _ {
        if this.at < this.end {
            let rest = (this.end - this.at) % this.size;
            let to = this.end;
            let at = to - if rest == 0 { this.size } else { rest };
            this.end = at;
            Some(&this.slice[at..to])
        } else {
            None
        }
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        let at = this.at + i * this.size;
        &this.slice[at..at + this.size.min(this.end - at)]
    }
    fn len(this: _) -> usize {
        (this.end - this.at).div_ceil(this.size)
    }
    // The remainder of exact chunks, which end before it.
    fn remainder(this: _) -> _ {
        let length = this.slice.len();
        &this.slice[length - length % this.size..]
    }
}

#[library]
pub mod rchunks {
    fn next(this: &mut _) -> _ {
        if this.end != 0 {
            let to = this.end;
            let at = to - this.size.min(to);
            this.end = at;
            Some(&this.slice[at..to])
        } else {
            None
        }
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        let to = this.end - i * this.size;
        &this.slice[to - this.size.min(to)..to]
    }
    fn len(this: _) -> usize {
        this.end.div_ceil(this.size)
    }
}

#[library]
pub mod range {
    fn next(this: &mut _) -> _ {
        let x = this.start;
        if x < this.end {
            this.start = x.wrapping_add(1);
            Some(x)
        } else {
            None
        }
    }
    fn next_back(this: &mut _) -> _ {
        if this.start < this.end {
            let x = this.end.wrapping_sub(1);
            this.end = x;
            Some(x)
        } else {
            None
        }
    }
    fn nth(this: &mut _, n: usize) -> _ {
        if n < this.len() {
            this.start = this.start.wrapping_add(n as _);
        } else {
            this.start = this.end;
        }
        this.next()
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        this.start.wrapping_add(i as _)
    }
    fn len(this: _) -> usize {
        if this.start < this.end {
            this.end.wrapping_sub(this.start) as usize
        } else {
            0
        }
    }
    fn is_empty(this: _) -> bool {
        !(this.start < this.end)
    }
    fn contains(this: _, x: _) -> bool {
        this.start <= *x && *x < this.end
    }
    fn first_of(this: _) -> usize {
        this.start
    }
    fn end_of(this: _, _length: usize) -> usize {
        this.end
    }
}

// Counting up to the largest number of a type must not overflow. A range that has ended is an empty range.
#[library]
pub mod range_inclusive {
    use super::super::types::Counted;

    fn next(this: &mut _) -> _ {
        let x = this.start;
        if x < this.end {
            this.start = x.wrapping_add(1);
            Some(x)
        } else if x == this.end {
            this.start = 1;
            this.end = 0;
            Some(x)
        } else {
            None
        }
    }
    fn next_back(this: &mut _) -> _ {
        let x = this.end;
        if this.start < x {
            this.end = x.wrapping_sub(1);
            Some(x)
        } else if this.start == x {
            this.start = 1;
            this.end = 0;
            Some(x)
        } else {
            None
        }
    }
    fn into_iter(this: _) -> _ {
        let end = if this.start <= this.end {
            this.end.wrapping_sub(this.start) as usize + 1
        } else {
            0
        };
        Counted {
            first: this.start,
            at: 0usize,
            end,
        }
    }
    fn is_empty(this: _) -> bool {
        !(this.start <= this.end)
    }
    fn contains(this: _, x: _) -> bool {
        this.start <= *x && *x <= this.end
    }
    fn start(this: _) -> _ {
        this.start
    }
    fn end(this: _) -> _ {
        this.end
    }
    fn first_of(this: _) -> usize {
        this.start
    }
    fn end_of(this: _, _length: usize) -> usize {
        this.end + 1
    }
}

// A range without an end is longer than all others.
#[library]
pub mod range_from {
    fn next(this: &mut _) -> _ {
        let x = this.start;
        this.start = x + 1;
        Some(x)
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        let x = this.start + i as _;
        let _next = x + 1;
        x
    }
    fn contains(this: _, x: _) -> bool {
        this.start <= *x
    }
    fn first_of(this: _) -> usize {
        this.start
    }
    fn end_of(_this: _, length: usize) -> usize {
        length
    }
    fn len(_this: _) -> usize {
        usize::MAX
    }
}

#[library]
pub mod range_to {
    fn contains(this: _, x: _) -> bool {
        *x < this.end
    }
    fn first_of(_this: _) -> usize {
        0
    }
    fn end_of(this: _, _length: usize) -> usize {
        this.end
    }
}

#[library]
pub mod range_to_inclusive {
    fn contains(this: _, x: _) -> bool {
        *x <= this.end
    }
    fn first_of(_this: _) -> usize {
        0
    }
    fn end_of(this: _, _length: usize) -> usize {
        this.end + 1
    }
}

#[library]
pub mod range_full {
    fn first_of(_this: _) -> usize {
        0
    }
    fn end_of(_this: _, length: usize) -> usize {
        length
    }
}

// Indexing of slices by a range. Numbers have the same methods.
#[library]
pub mod of_ranges {
    fn part_of(this: _, slice: _) -> _ {
        let (first, end) = (this.first_of(), this.end_of(slice.len()));
        if first <= end && end <= slice.len() {
            Some(&slice[first..end])
        } else {
            None
        }
    }
    fn place_of(this: _, slice: _) -> _ {
        this.part_of(slice)
    }
    // Slicing of an array by a range.
    fn __along(this: _, array: _, axis: usize) -> _ {
        array.__slice_axis(axis, this.first_of(), this.end_of(array.dim(axis)), 1usize)
    }
    fn __put(this: _, part: _, array: _, axis: usize) -> _ {
        let end = this.end_of(array.dim(axis));
        array.__replace_axis(axis, this.first_of(), end, 1usize, part)
    }
    fn __slice(this: _, array: _) -> _ {
        this.__along(array, 0usize)
    }
    fn __replace(this: _, part: _, array: _) -> _ {
        this.__put(part, array, 0usize)
    }
    // See `arrays::of_extents`.
    fn __kept(this: _) -> usize {
        1
    }
}

#[library]
pub mod map {
    fn next(this: &mut _) -> _ {
        match this.iter.next() {
            Some(x) => Some((this.f)(x)),
            None => None,
        }
    }
    fn next_back(this: &mut _) -> _ {
        match this.iter.next_back() {
            Some(x) => Some((this.f)(x)),
            None => None,
        }
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        (this.f)(this.iter.item_at(i))
    }
    fn len(this: _) -> usize {
        this.iter.len()
    }
}

#[library]
pub mod filter {
    fn next(this: &mut _) -> _ {
        while let Some(x) = this.iter.next() {
            if (this.f)(&x) {
                return Some(x);
            }
        }
        None
    }
    fn next_back(this: &mut _) -> _ {
        while let Some(x) = this.iter.next_back() {
            if (this.f)(&x) {
                return Some(x);
            }
        }
        None
    }
}

#[library]
pub mod filter_map {
    fn next(this: &mut _) -> _ {
        while let Some(x) = this.iter.next() {
            let y = (this.f)(x);
            if y.is_some() {
                return y;
            }
        }
        None
    }
    fn next_back(this: &mut _) -> _ {
        while let Some(x) = this.iter.next_back() {
            let y = (this.f)(x);
            if y.is_some() {
                return y;
            }
        }
        None
    }
}

#[library]
pub mod enumerate {
    fn next(this: &mut _) -> _ {
        match this.iter.next() {
            Some(x) => {
                let n = this.count;
                this.count = n.wrapping_add(1);
                Some((n, x))
            }
            None => None,
        }
    }
    fn next_back(this: &mut _) -> _ {
        match this.iter.next_back() {
            Some(x) => Some((this.count + this.iter.len(), x)),
            None => None,
        }
    }
    fn nth(this: &mut _, n: usize) -> _ {
        match this.iter.nth(n) {
            Some(x) => {
                let at = this.count + n;
                this.count = at + 1;
                Some((at, x))
            }
            None => None,
        }
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        (this.count + i, this.iter.item_at(i))
    }
    fn len(this: _) -> usize {
        this.iter.len()
    }
}

// Of two iterators that are asked in turn.
#[library]
pub mod zip {
    fn next(this: &mut _) -> _ {
        match this.a.next() {
            Some(a) => match this.b.next() {
                Some(b) => Some((a, b)),
                None => None,
            },
            None => None,
        }
    }
    fn next_back(this: &mut _) -> _ {
        let (a, b) = (this.a.len(), this.b.len());
        for _ in b..a {
            this.a.next_back();
        }
        for _ in a..b {
            this.b.next_back();
        }
        match (this.a.next_back(), this.b.next_back()) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => None,
        }
    }
    fn len(this: _) -> usize {
        this.a.len().min(this.b.len())
    }
}

// Of two iterators whose items can be taken by position.
#[library]
pub mod zip_at {
    fn next(this: &mut _) -> _ {
        let at = this.at;
        if at < this.end {
            this.at = at.wrapping_add(1);
            Some((this.a.item_at(at), this.b.item_at(at)))
        } else {
            None
        }
    }
    fn next_back(this: &mut _) -> _ {
        this.a.cut(this.b.len());
        this.b.cut(this.a.len());
        if this.at < this.end {
            let at = this.end.wrapping_sub(1);
            this.end = at;
            Some((this.a.item_at(at), this.b.item_at(at)))
        } else {
            None
        }
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        let at = this.at + i;
        (this.a.item_at(at), this.b.item_at(at))
    }
    fn len(this: _) -> usize {
        this.end - this.at
    }
}

#[library]
pub mod take {
    fn next(this: &mut _) -> _ {
        if this.n != 0 {
            this.n = this.n.wrapping_sub(1);
            this.iter.next()
        } else {
            None
        }
    }
    fn next_back(this: &mut _) -> _ {
        if this.n != 0 {
            let n = this.n;
            this.n = n.wrapping_sub(1);
            let length = this.iter.len();
            this.iter.nth_back(length.saturating_sub(n))
        } else {
            None
        }
    }
    fn nth(this: &mut _, n: usize) -> _ {
        let left = this.n;
        if n < left {
            this.n = left - n - 1;
            this.iter.nth(n)
        } else {
            this.n = 0;
            if left > 0 {
                this.iter.nth(left - 1);
            }
            None
        }
    }
    fn len(this: _) -> usize {
        this.n.min(this.iter.len())
    }
}

#[library]
pub mod skip {
    fn next(this: &mut _) -> _ {
        if this.n != 0 {
            let n = this.n;
            this.n = 0;
            this.iter.nth(n)
        } else {
            this.iter.next()
        }
    }
    fn next_back(this: &mut _) -> _ {
        if this.len() > 0 {
            this.iter.next_back()
        } else {
            None
        }
    }
    fn len(this: _) -> usize {
        this.iter.len().saturating_sub(this.n)
    }
}

#[library]
pub mod step_by {
    fn next(this: &mut _) -> _ {
        let skipped = if this.is_first { 0 } else { this.gap };
        this.is_first = false;
        this.iter.nth(skipped)
    }
    fn next_back(this: &mut _) -> _ {
        let (length, step) = (this.iter.len(), this.gap + 1);
        let behind = if this.is_first {
            if length == 0 { 0 } else { (length - 1) % step }
        } else {
            length % step
        };
        this.iter.nth_back(behind)
    }
    fn len(this: _) -> usize {
        let (length, step) = (this.iter.len(), this.gap + 1);
        if this.is_first {
            length.div_ceil(step)
        } else {
            length / step
        }
    }
    // Slicing of an array by a range with steps: it ends at the last position that it reaches.
    fn __along(this: _, array: _, axis: usize) -> _ {
        let (first, end, step) = this.__places();
        array.__slice_axis(axis, first, end, step)
    }
    fn __put(this: _, part: _, array: _, axis: usize) -> _ {
        let (first, end, step) = this.__places();
        array.__replace_axis(axis, first, end, step, part)
    }
    fn __places(this: _) -> (usize, usize, usize) {
        let (count, step) = (this.len(), this.gap + 1);
        if count == 0 {
            (0, 0, step)
        } else {
            let first = this.iter.start;
            (first, first + (count - 1) * step + 1, step)
        }
    }
    fn __slice(this: _, array: _) -> _ {
        this.__along(array, 0usize)
    }
    fn __replace(this: _, part: _, array: _) -> _ {
        this.__put(part, array, 0usize)
    }
    // See `arrays::of_extents`.
    fn __kept(this: _) -> usize {
        1
    }
}

#[library]
pub mod chain {
    fn next(this: &mut _) -> _ {
        if !this.a_ended {
            let x = this.a.next();
            if x.is_some() {
                return x;
            }
            this.a_ended = true;
        }
        if this.b_ended { None } else { this.b.next() }
    }
    fn next_back(this: &mut _) -> _ {
        if !this.b_ended {
            let x = this.b.next_back();
            if x.is_some() {
                return x;
            }
            this.b_ended = true;
        }
        if this.a_ended {
            None
        } else {
            this.a.next_back()
        }
    }
    fn len(this: _) -> usize {
        this.a.len().saturating_add(this.b.len())
    }
}

#[library]
pub mod rev {
    fn next(this: &mut _) -> _ {
        this.iter.next_back()
    }
    fn next_back(this: &mut _) -> _ {
        this.iter.next()
    }
    fn nth(this: &mut _, n: usize) -> _ {
        this.iter.nth_back(n)
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        this.iter.item_at(this.iter.len() - 1 - i)
    }
    fn len(this: _) -> usize {
        this.iter.len()
    }
}

#[library]
pub mod take_while {
    fn next(this: &mut _) -> _ {
        if this.ended {
            return None;
        }
        match this.iter.next() {
            Some(x) => {
                if (this.f)(&x) {
                    Some(x)
                } else {
                    this.ended = true;
                    None
                }
            }
            None => None,
        }
    }
}

#[library]
pub mod skip_while {
    fn next(this: &mut _) -> _ {
        while let Some(x) = this.iter.next() {
            if this.started || !(this.f)(&x) {
                this.started = true;
                return Some(x);
            }
        }
        None
    }
}

#[library]
pub mod map_while {
    fn next(this: &mut _) -> _ {
        match this.iter.next() {
            Some(x) => (this.f)(x),
            None => None,
        }
    }
}

#[library]
pub mod inspect {
    fn next(this: &mut _) -> _ {
        match this.iter.next() {
            Some(x) => {
                (this.f)(&x);
                Some(x)
            }
            None => None,
        }
    }
    fn next_back(this: &mut _) -> _ {
        match this.iter.next_back() {
            Some(x) => {
                (this.f)(&x);
                Some(x)
            }
            None => None,
        }
    }
    fn len(this: _) -> usize {
        this.iter.len()
    }
}

#[library]
pub mod cloned {
    fn next(this: &mut _) -> _ {
        match this.iter.next() {
            Some(x) => Some(x.clone()),
            None => None,
        }
    }
    fn next_back(this: &mut _) -> _ {
        match this.iter.next_back() {
            Some(x) => Some(x.clone()),
            None => None,
        }
    }
    fn nth(this: &mut _, n: usize) -> _ {
        match this.iter.nth(n) {
            Some(x) => Some(x.clone()),
            None => None,
        }
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        this.iter.item_at(i).clone()
    }
    fn len(this: _) -> usize {
        this.iter.len()
    }
}

#[library]
pub mod flatten {
    fn next(this: &mut _) -> _ {
        loop {
            if let Some(front) = &mut this.front {
                let x = front.next();
                if x.is_some() {
                    return x;
                }
            }
            match this.iter.next() {
                Some(part) => this.front = Some(part.into_iter()),
                None => {
                    this.front = None;
                    return None;
                }
            }
        }
    }
}

#[library]
pub mod scan {
    fn next(this: &mut _) -> _ {
        match this.iter.next() {
            Some(x) => (this.f)(&mut this.state, x),
            None => None,
        }
    }
}

#[library]
pub mod peekable {
    fn next(this: &mut _) -> _ {
        match this.peeked.take() {
            Some(x) => x,
            None => this.iter.next(),
        }
    }
    fn peek(this: &mut _) -> _ {
        if this.peeked.is_none() {
            this.peeked = Some(this.iter.next());
        }
        match this.peeked {
            Some(x) => x,
            None => None,
        }
    }
    fn next_if_eq(this: &mut _, wanted: _) -> _ {
        this.next_if(|x| x == wanted)
    }
    fn next_if(this: &mut _, f: _) -> _ {
        match this.next() {
            Some(x) => {
                if f(&x) {
                    Some(x)
                } else {
                    this.peeked = Some(Some(x));
                    None
                }
            }
            None => {
                this.peeked = Some(None);
                None
            }
        }
    }
    fn len(this: _) -> usize {
        match this.peeked {
            Some(Some(_)) => this.iter.len().saturating_add(1),
            Some(None) => 0,
            None => this.iter.len(),
        }
    }
}

#[library]
pub mod fuse {
    fn next(this: &mut _) -> _ {
        if this.ended {
            return None;
        }
        let x = this.iter.next();
        this.ended = x.is_none();
        x
    }
    fn next_back(this: &mut _) -> _ {
        if this.ended {
            return None;
        }
        let x = this.iter.next_back();
        this.ended = x.is_none();
        x
    }
    fn item_at(this: &mut _, i: usize) -> _ {
        this.iter.item_at(i)
    }
    fn len(this: _) -> usize {
        if this.ended { 0 } else { this.iter.len() }
    }
}

#[library]
pub mod cycle {
    fn next(this: &mut _) -> _ {
        let x = this.iter.next();
        if x.is_some() {
            return x;
        }
        this.iter = this.original.clone();
        this.iter.next()
    }
}

#[library]
pub mod once {
    fn next(this: &mut _) -> _ {
        this.item.take()
    }
    fn next_back(this: &mut _) -> _ {
        this.item.take()
    }
    fn len(this: _) -> usize {
        this.item.is_some() as usize
    }
}

#[library]
pub mod repeat {
    fn next(this: &mut _) -> _ {
        Some(this.item.clone())
    }
    fn len(_this: _) -> usize {
        usize::MAX
    }
}

#[library]
pub mod repeat_n {
    fn next(this: &mut _) -> _ {
        if this.n != 0 {
            this.n = this.n.wrapping_sub(1);
            // The last item is the value itself, not a clone.
            Some(if this.n == 0 {
                this.item
            } else {
                this.item.clone()
            })
        } else {
            None
        }
    }
    fn next_back(this: &mut _) -> _ {
        this.next()
    }
    fn len(this: _) -> usize {
        this.n
    }
}

#[library]
pub mod from_fn {
    fn next(this: &mut _) -> _ {
        (this.f)()
    }
}

#[library]
pub mod repeat_with {
    fn next(this: &mut _) -> _ {
        Some((this.f)())
    }
    fn len(_this: _) -> usize {
        usize::MAX
    }
}

#[library]
pub mod successors {
    fn next(this: &mut _) -> _ {
        match this.item.take() {
            Some(x) => {
                this.item = (this.f)(&x);
                Some(x)
            }
            None => None,
        }
    }
}

//! Methods of slices and vectors that are not built in.

use mooncake_macros::library;

#[library]
pub mod of_slices {
    use std::cmp::Ordering;

    fn is_empty(this: _) -> bool {
        this.len() == 0
    }
    fn swap(this: &mut [_], i: usize, j: usize) {
        std::mem::swap(&mut this[i], &mut this[j]);
    }
    fn split_at(this: _, mid: usize) -> _ {
        assert!(mid <= this.len(), "mid > len");
        (&this[..mid], &this[mid..])
    }
    fn split_at_mut(this: &mut [_], mid: usize) -> _ {
        assert!(mid <= this.len(), "mid > len");
        (&mut this[..mid], &mut this[mid..])
    }
    fn first(this: _) -> _ {
        this.get(0usize)
    }
    fn last(this: _) -> _ {
        if this.is_empty() {
            None
        } else {
            Some(&this[this.len() - 1])
        }
    }
    fn first_mut(this: &mut [_]) -> _ {
        this.get_mut(0usize)
    }
    fn last_mut(this: &mut [_]) -> _ {
        if this.is_empty() {
            None
        } else {
            Some(&mut this[this.len() - 1])
        }
    }
    fn get(this: _, at: _) -> _ {
        at.part_of(this)
    }
    // As a list of a length that the program says. The error has no content here.
    fn try_into<const N: usize>(this: _) -> Result<[_; N], ()> {
        assert!(N > 0, "`try_into` a list without elements is not supported");
        if this.len() != N {
            return Err(());
        }
        let mut all = [this[0]; N];
        for i in 1..N {
            all[i] = this[i];
        }
        Ok(all)
    }
    fn get_mut(this: &mut [_], at: _) -> _ {
        at.place_of(this)
    }
    fn split_first(this: _) -> _ {
        if this.is_empty() {
            None
        } else {
            Some((&this[0], &this[1..]))
        }
    }
    fn split_last(this: _) -> _ {
        if this.is_empty() {
            None
        } else {
            let n = this.len() - 1;
            Some((&this[n], &this[..n]))
        }
    }
    fn split_first_mut(this: &mut [_]) -> _ {
        if this.is_empty() {
            None
        } else {
            let (first, rest) = this.split_at_mut(1);
            Some((&mut first[0], rest))
        }
    }
    fn split_last_mut(this: &mut [_]) -> _ {
        if this.is_empty() {
            None
        } else {
            let (rest, last) = this.split_at_mut(this.len() - 1);
            Some((&mut last[0], rest))
        }
    }
    fn contains(this: _, x: _) -> bool {
        for y in this {
            if *y == *x {
                return true;
            }
        }
        false
    }
    fn starts_with(this: _, other: _) -> bool {
        let n = other.len();
        n <= this.len() && other.equals_all(&this[..n])
    }
    fn ends_with(this: _, other: _) -> bool {
        let (n, m) = (this.len(), other.len());
        m <= n && other.equals_all(&this[n - m..])
    }
    // Of slices of equal length. A hand-written `==` is called on the elements of the first slice.
    fn equals_all(this: _, other: _) -> bool {
        for i in 0..this.len() {
            if this[i] != other[i] {
                return false;
            }
        }
        true
    }
    fn is_sorted(this: _) -> bool {
        for i in 1..this.len() {
            if !(this[i - 1] <= this[i]) {
                return false;
            }
        }
        true
    }
    fn is_sorted_by(this: _, f: _) -> bool {
        for i in 1..this.len() {
            if !f(&this[i - 1], &this[i]) {
                return false;
            }
        }
        true
    }
    fn is_sorted_by_key(this: _, f: _) -> bool {
        for i in 1..this.len() {
            if !(f(&this[i - 1]) <= f(&this[i])) {
                return false;
            }
        }
        true
    }
    fn split_at_checked(this: _, at: usize) -> _ {
        if at <= this.len() {
            Some(this.split_at(at))
        } else {
            None
        }
    }
    // Unlike in `starts_with`, std calls `==` on the elements of the slice here.
    fn strip_prefix(this: _, start: _) -> _ {
        let n = start.len();
        if n <= this.len() && this[..n].equals_all(start) {
            Some(&this[n..])
        } else {
            None
        }
    }
    fn strip_suffix(this: _, end: _) -> _ {
        let (n, m) = (this.len(), end.len());
        if m <= n && this[n - m..].equals_all(end) {
            Some(&this[..n - m])
        } else {
            None
        }
    }
    fn to_vec(this: _) -> Vec<_> {
        let mut all = Vec::with_capacity(this.len());
        for i in 0..this.len() {
            all.push(this[i].clone());
        }
        all
    }
    fn to_owned(this: _) -> _ {
        this.to_vec()
    }
    fn into_vec(this: _) -> _ {
        this.to_vec()
    }
    fn repeat(this: _, n: usize) -> Vec<_> {
        let mut all = Vec::with_capacity(this.len() * n);
        for _ in 0..n {
            all.extend_from_slice(this);
        }
        all
    }
    fn concat(this: _) -> Vec<_> {
        let mut all = Vec::new();
        for part in this {
            all.extend_from_slice(part);
        }
        all
    }
    fn join(this: _, separator: _) -> Vec<_> {
        let mut all = Vec::new();
        for i in 0..this.len() {
            if i > 0 {
                separator.put_behind(&mut all);
            }
            all.extend_from_slice(&this[i]);
        }
        all
    }
    fn put_behind(this: _, all: &mut Vec<_>) {
        all.extend_from_slice(this);
    }
    // The last element is the value itself, not a clone.
    fn fill(this: &mut [_], value: _) {
        let n = this.len();
        if n != 0 {
            for i in 0..n - 1 {
                this[i] = value.clone();
            }
            this[n - 1] = value;
        }
    }
    fn fill_with(this: &mut [_], f: _) {
        for i in 0..this.len() {
            this[i] = f();
        }
    }
    fn copy_from_slice(this: &mut [_], other: _) {
        assert!(
            this.len() == other.len(),
            "copy_from_slice: source slice length ({}) does not match destination slice length ({})",
            other.len(),
            this.len()
        );
        for i in 0..this.len() {
            this[i] = other[i];
        }
    }
    fn clone_from_slice(this: &mut [_], other: _) {
        assert!(
            this.len() == other.len(),
            "destination and source slices have different lengths"
        );
        for i in 0..this.len() {
            this[i] = other[i].clone();
        }
    }
    fn copy_within(this: &mut [_], from: _, to: usize) {
        let (first, end) = (from.first_of(), from.end_of(this.len()));
        let moved = this[first..end].to_vec();
        assert!(to <= this.len() - moved.len(), "dest is out of bounds");
        for i in 0..moved.len() {
            this[to + i] = moved[i];
        }
    }
    fn swap_with_slice(this: &mut [_], other: _) {
        assert!(
            this.len() == other.len(),
            "destination and source slices have different lengths"
        );
        for i in 0..this.len() {
            let x = this[i];
            this[i] = other[i];
            other[i] = x;
        }
    }
    fn reverse(this: &mut [_]) {
        let n = this.len();
        for i in 0..n / 2 {
            this.swap(i, n - 1 - i);
        }
    }
    fn rotate_left(this: &mut [_], n: usize) {
        assert!(n <= this.len(), "assertion failed: mid <= self.len()");
        this[..n].reverse();
        this[n..].reverse();
        this.reverse();
    }
    fn rotate_right(this: &mut [_], n: usize) {
        assert!(n <= this.len(), "assertion failed: k <= self.len()");
        this.rotate_left(this.len() - n);
    }
    // A merge sort: equal elements stay in their order.
    fn sort_by_less(this: &mut [_], is_less: _) {
        let n = this.len();
        let mut width = 1usize;
        while width < n {
            let before = this.elements();
            let mut start = 0usize;
            while start < n {
                let middle = n.min(start + width);
                let end = n.min(middle + width);
                let (mut i, mut j) = (start, middle);
                for k in start..end {
                    let takes_right = j < end && (i == middle || is_less(&before[j], &before[i]));
                    if takes_right {
                        this[k] = before[j];
                        j += 1;
                    } else {
                        this[k] = before[i];
                        i += 1;
                    }
                }
                start = end;
            }
            width *= 2;
        }
    }
    fn sort_by(this: &mut [_], f: _) {
        this.sort_by_less(|a, b| match f(a, b) {
            Ordering::Less => true,
            _ => false,
        });
    }
    // The elements are moved, not cloned.
    fn elements(this: _) -> Vec<_> {
        let mut all = Vec::with_capacity(this.len());
        for i in 0..this.len() {
            all.push(this[i]);
        }
        all
    }
    fn sort(this: &mut [_]) {
        this.sort_by_less(|a, b| *a < *b);
    }
    fn sort_by_key(this: &mut [_], f: _) {
        this.sort_by_less(|a, b| f(a) < f(b));
    }
    fn sort_by_cached_key(this: &mut [_], f: _) {
        this.sort_by_less(|a, b| f(a) < f(b));
    }
    fn sort_unstable(this: &mut [_]) {
        this.sort();
    }
    fn sort_unstable_by(this: &mut [_], f: _) {
        this.sort_by(f);
    }
    fn sort_unstable_by_key(this: &mut [_], f: _) {
        this.sort_by_key(f);
    }
    // As std does it, so that the same one of several equal elements is found.
    fn binary_search_by(this: _, f: _) -> Result<usize, usize> {
        let mut size = this.len();
        if size == 0 {
            return Err(0);
        }
        let mut base = 0usize;
        while size > 1 {
            let half = size / 2;
            let middle = base + half;
            base = match f(&this[middle]) {
                Ordering::Greater => base,
                _ => middle,
            };
            size -= half;
        }
        match f(&this[base]) {
            Ordering::Equal => Ok(base),
            Ordering::Less => Err(base + 1),
            Ordering::Greater => Err(base),
        }
    }
    fn binary_search(this: _, x: _) -> Result<usize, usize> {
        this.binary_search_by(|y| y.cmp(x))
    }
    fn binary_search_by_key(this: _, key: _, f: _) -> Result<usize, usize> {
        this.binary_search_by(|y| f(y).cmp(key))
    }
    fn partition_point(this: _, f: _) -> usize {
        let found = this.binary_search_by(|y| {
            if f(y) {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        });
        match found {
            Ok(at) => at,
            Err(at) => at,
        }
    }
}

#[library]
pub mod of_lists {
    fn map(this: _, f: _) -> _ {
        let mut all = this.filled_with(f(this[0]));
        for i in 1..this.len() {
            all[i] = f(this[i]);
        }
        all
    }
}

// Of `std::array`.
#[library]
pub mod functions_of_lists {
    fn from_fn<const N: usize>(f: _) -> [_; N] {
        // The result for the first element fills the list.
        assert!(
            N > 0,
            "`array::from_fn` of a list without elements is not supported"
        );
        let mut all = [f(0); N];
        for i in 1..N {
            all[i] = f(i);
        }
        all
    }
}

// Associated functions that are used as values.
#[library]
pub mod constructors {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    fn vec_new() -> Vec<_> {
        Vec::new()
    }
    fn vec_with_capacity(n: usize) -> Vec<_> {
        Vec::with_capacity(n)
    }
    fn box_new(value: _) -> _ {
        Box::new(value)
    }
    fn cell_new(value: _) -> _ {
        Cell::new(value)
    }
    fn refcell_new(value: _) -> _ {
        RefCell::new(value)
    }
    fn rc_new(value: _) -> _ {
        Rc::new(value)
    }
}

// Of `Cell`.
#[library]
pub mod of_plain_cells {
    fn update(this: _, f: _) {
        let new = f(this.get());
        this.set(new);
    }
    fn swap(this: _, other: _) {
        let content = this.get();
        this.set(other.get());
        other.set(content);
    }
}

// Of `RefCell`.
#[library]
pub mod of_cells {
    fn replace_with(this: _, f: _) -> _ {
        let mut place = this.borrow_mut();
        let new = f(&mut *place);
        std::mem::replace(&mut *place, new)
    }
    fn swap(this: _, other: _) {
        std::mem::swap(&mut *this.borrow_mut(), &mut *other.borrow_mut());
    }
}

#[library]
pub mod of_vectors {
    fn try_into<const N: usize>(this: Vec<_>) -> Result<[_; N], Vec<_>> {
        match this[..].try_into() {
            Ok(all) => Ok(all),
            Err(_) => Err(this),
        }
    }
    fn extend_from_within(this: &mut Vec<_>, part: _) {
        let again = this[..]
            .get(part)
            .expect("range out of range of the vector")
            .to_vec();
        this.extend(again);
    }
    fn pop_if(this: &mut Vec<_>, f: _) -> _ {
        match this.pop() {
            Some(last) => {
                let mut last = last;
                if f(&mut last) {
                    Some(last)
                } else {
                    this.push(last);
                    None
                }
            }
            None => None,
        }
    }
    fn clone_from(this: &mut Vec<_>, other: _) {
        this.clear();
        this.extend_from_slice(other);
    }
    fn insert(this: &mut Vec<_>, at: usize, x: _) {
        assert!(
            at <= this.len(),
            "insertion index (is {at}) should be <= len (is {})",
            this.len()
        );
        this.push(x);
        let mut i = this.len() - 1;
        while i > at {
            this.swap(i, i - 1);
            i -= 1;
        }
    }
    fn remove(this: &mut Vec<_>, at: usize) -> _ {
        assert!(
            at < this.len(),
            "removal index (is {at}) should be < len (is {})",
            this.len()
        );
        for i in at + 1..this.len() {
            this.swap(i - 1, i);
        }
        this.pop().unwrap()
    }
    fn swap_remove(this: &mut Vec<_>, at: usize) -> _ {
        assert!(
            at < this.len(),
            "swap_remove index (is {at}) should be < len (is {})",
            this.len()
        );
        this.swap(at, this.len() - 1);
        this.pop().unwrap()
    }
    fn extend(this: &mut Vec<_>, items: _) {
        let mut iter = items.into_iter();
        while let Some(x) = iter.next() {
            this.push(x);
        }
    }
    fn extend_from_slice(this: &mut Vec<_>, other: _) {
        for i in 0..other.len() {
            this.push(other[i].clone());
        }
    }
    fn append(this: &mut Vec<_>, other: _) {
        for i in 0..other.len() {
            this.push(other[i]);
        }
        other.clear();
    }
    fn resize(this: &mut Vec<_>, n: usize, value: _) {
        this.truncate(n);
        if this.len() < n {
            while this.len() < n - 1 {
                this.push(value.clone());
            }
            this.push(value);
        }
    }
    fn resize_with(this: &mut Vec<_>, n: usize, f: _) {
        this.truncate(n);
        while this.len() < n {
            this.push(f());
        }
    }
    fn split_off(this: &mut Vec<_>, at: usize) -> Vec<_> {
        assert!(
            at <= this.len(),
            "`at` split index (is {at}) should be <= len (is {})",
            this.len()
        );
        let tail = this[at..].elements();
        this.truncate(at);
        tail
    }
    fn drain(this: &mut Vec<_>, range: _) -> _ {
        let (first, end) = (range.first_of(), range.end_of(this.len()));
        let taken = this[first..end].elements();
        let length = this.len();
        for i in end..length {
            this.swap(first + i - end, i);
        }
        this.truncate(length - taken.len());
        taken.iter().take(taken.len())
    }
    fn retain(this: &mut Vec<_>, f: _) {
        let mut kept = 0usize;
        for i in 0..this.len() {
            if f(&this[i]) {
                this.swap(kept, i);
                kept += 1;
            }
        }
        this.truncate(kept);
    }
    fn retain_mut(this: &mut Vec<_>, f: _) {
        let mut kept = 0usize;
        for i in 0..this.len() {
            if f(&mut this[i]) {
                this.swap(kept, i);
                kept += 1;
            }
        }
        this.truncate(kept);
    }
    fn dedup(this: &mut Vec<_>) {
        let mut kept = 0usize;
        for i in 0..this.len() {
            if kept == 0 || this[i] != this[kept - 1] {
                this.swap(kept, i);
                kept += 1;
            }
        }
        this.truncate(kept);
    }
    fn dedup_by(this: &mut Vec<_>, same: _) {
        let mut kept = 0usize;
        for i in 0..this.len() {
            if kept == 0 || !same(&mut this[i], &mut this[kept - 1]) {
                this.swap(kept, i);
                kept += 1;
            }
        }
        this.truncate(kept);
    }
    fn dedup_by_key(this: &mut Vec<_>, key: _) {
        this.dedup_by(|a, b| key(a) == key(b));
    }
    fn reserve(this: &mut Vec<_>, _more: usize) {}
    fn reserve_exact(this: &mut Vec<_>, _more: usize) {}
    fn shrink_to_fit(this: &mut Vec<_>) {}
}

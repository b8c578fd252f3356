//! What the functions of `mooncake::parallel` are in derived code. The methods `…_parts` make the iterations from the receiver to before `to`, and several threads
//! may share them ([`roles`]): an iteration is a part of the elements, and how many parts there are depends on the number of elements alone, so that sums are the
//! same whoever adds them.
//!
//! Threads write to memory that the call has made, and never to what was there before: the reverse pass need not restore it, and what it needs of its values it
//! computes again.

use crate::front::tree::Source;
use crate::ir::Role;
use mooncake_macros::library;

/// What the parameters of these functions are to threads.
pub fn roles(source: &Source) -> Option<&'static [Role]> {
    use Role::{From, Own, Shared, To};
    match source.name {
        "__sum_parts" => Some(&[From, To, Shared, Own, Shared]),
        "__map_parts" | "__for_parts" => Some(&[From, To, Shared, Own, Own, Shared]),
        _ => None,
    }
}

#[library]
pub mod functions {
    fn par_map(x: _, f: _) -> Vec<_> {
        let mut all = Vec::new();
        // What is done depends on the type of the results.
        if false {
            all.push(f(&x[0]));
        }
        all.__par_map(x, f)
    }
    fn par_for(x: &mut [_], f: _) {
        x.__par_for(f)
    }
    fn par_sum(x: _, f: _) -> _ {
        let size = x.len().__size_of_parts();
        0usize.__sum_parts(x.len().div_ceil(size), size, x, f)
    }
}

#[library]
pub mod of_indices {
    // For so many elements.
    fn __size_of_parts(this: usize) -> usize {
        this.div_ceil(64).max(1)
    }
    fn __sum_parts(this: usize, to: usize, size: usize, x: _, f: _) -> _ {
        let mut total = 0.0;
        for part in this..to {
            let first = part * size;
            let mut sum = 0.0;
            for v in &x[first..(first + size).min(x.len())] {
                sum += f(v);
            }
            total += sum;
        }
        total
    }
    fn __map_parts(this: usize, to: usize, size: usize, x: _, results: &mut [_], f: _) {
        for part in this..to {
            let first = part * size;
            for i in first..(first + size).min(x.len()) {
                results[i] = f(&x[i]);
            }
        }
    }
    fn __for_parts(this: usize, to: usize, size: usize, x: _, results: &mut [_], f: _) {
        for part in this..to {
            let first = part * size;
            for i in first..(first + size).min(x.len()) {
                let mut v = x[i];
                f(i, &mut v);
                results[i] = v;
            }
        }
    }
}

/// Where the results are floats.
#[library]
pub mod of_vectors_of_floats {
    fn __par_map(_this: Vec<_>, x: _, f: _) -> Vec<_> {
        let mut results = vec![0.0; x.len()];
        let size = x.len().__size_of_parts();
        0usize.__map_parts(x.len().div_ceil(size), size, x, &mut results[..], f);
        results
    }
}

#[library]
pub mod of_vectors {
    fn __par_map(_this: Vec<_>, x: _, f: _) -> Vec<_> {
        x.iter().map(f).collect()
    }
}

#[library]
pub mod of_mutable_floats {
    fn __par_for(this: &mut [_], f: _) {
        let mut results = vec![0.0; this.len()];
        let size = this.len().__size_of_parts();
        0usize.__for_parts(
            this.len().div_ceil(size),
            size,
            &this[..],
            &mut results[..],
            f,
        );
        for i in 0..this.len() {
            this[i] = results[i];
        }
    }
}

#[library]
pub mod of_mutable {
    fn __par_for(this: &mut [_], f: _) {
        for i in 0..this.len() {
            f(i, &mut this[i]);
        }
    }
}

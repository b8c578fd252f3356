//! The functions of `mooncake::parallel`, as they are in derived code. A method `…_parts` runs the iterations from the receiver to before `to`, which
//! several threads may share ([`roles`]). An iteration handles a part of the elements. The number of parts depends only on the number of elements, so
//! sums do not depend on the number of threads.
//!
//! Threads write only to memory that the call has made, never to older memory. So the reverse pass need not restore it, and recomputes the values that it
//! needs.

use crate::front::tree::Source;
use crate::ir::Role;
use mooncake_macros::library;

/// The roles of the parameters of these functions for threads.
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
        // The type of the results decides what is done.
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
    // For this number of elements.
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

/// For results that are floats.
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

//! What the functions of `mooncake::parallel` are in derived code. The methods whose names begin with `__` make the iterations from the receiver to before
//! `to`, and several threads may share them ([`roles`]): an iteration is a part of the elements, and how many parts there are depends on the number of elements
//! alone, so that sums are the same whoever adds them.

use crate::front::tree::Source;
use crate::ir::Role;
use mooncake_macros::library;

/// What the parameters of these functions are to threads.
pub(in crate::infer) fn roles(source: &Source) -> Option<&'static [Role]> {
    match source.name {
        "__sum_parts" => Some(&[Role::From, Role::To, Role::Shared, Role::Own, Role::Shared]),
        _ => None,
    }
}

#[library]
pub mod functions {
    fn par_map(x: _, f: _) -> Vec<_> {
        x.iter().map(f).collect()
    }
    fn par_for(x: &mut [_], f: _) {
        for i in 0..x.len() {
            f(i, &mut x[i]);
        }
    }
    fn par_sum(x: _, f: _) -> _ {
        let size = x.len().div_ceil(64).max(1);
        0usize.__sum_parts(x.len().div_ceil(size), size, x, f)
    }
}

#[library]
pub mod of_indices {
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
}

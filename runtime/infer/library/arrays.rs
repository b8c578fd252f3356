//! Methods of arrays that other methods of arrays express. What they are natively is in `array`.

use mooncake_macros::library;

#[library]
pub mod of_arrays {
    fn shape(this: _) -> Vec<usize> {
        let mut shape = Vec::new();
        for axis in 0..this.ndim() {
            shape.push(this.dim(axis));
        }
        shape
    }
    fn len(this: _) -> usize {
        let mut count = 1usize;
        for axis in 0..this.ndim() {
            count *= this.dim(axis);
        }
        count
    }
    fn is_empty(this: _) -> bool {
        this.len() == 0
    }
    fn item(this: _) -> Result<_, ()> {
        Ok(this.to_scalar())
    }
    fn index_axis(this: _, axis: usize, at: usize) -> _ {
        this.narrow(axis, at, 1usize).squeeze(axis)
    }
    fn stack(this: _, other: _, axis: usize) -> _ {
        this.expand_dims(axis)
            .concat(&other.expand_dims(axis), axis)
    }
    fn roll(this: _, axis: usize, by: usize) -> _ {
        let n = this.dim(axis);
        if n == 0 {
            this.narrow(axis, 0usize, 0usize)
        } else {
            let cut = n - by % n;
            let first = this.narrow(axis, cut, n - cut);
            first.concat(&this.narrow(axis, 0usize, cut), axis)
        }
    }
    fn min_axis(this: _, axis: usize) -> _ {
        -(-this).max_axis(axis)
    }
    fn mean_axis(this: _, axis: usize) -> _ {
        let line = this.sum_axis(axis);
        let count = this.__numel() / line.__numel();
        line / count
    }
    fn var_axis(this: _, axis: usize) -> _ {
        let d = this - this.mean_axis(axis).expand_dims(axis);
        (&d * &d).mean_axis(axis)
    }
}

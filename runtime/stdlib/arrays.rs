//! Methods of arrays that are written with other methods of arrays. Their native versions are in `array`. A method asks its argument what to do with the
//! array where the argument may have several types: `axes.__line(this)` for an axis or a list of axes, `index.__slice(this)` for an index. `__name` is
//! the host operation `name`.

use mooncake_macros::library;

/// The method of arrays that a function of a program is, by the name of the function; empty if it is none that users know. What a closure in a method
/// computes is named where the closure is mapped.
pub fn method(function: &'static str) -> &'static str {
    let within = |module: &str| Some(function.split_once(module)?.1);
    let rest = within(concat!(module_path!(), "::of_arrays::"))
        .or_else(|| within(concat!(module_path!(), "::functions::")));
    let name = { rest.filter(|rest| !rest.contains('.')) }.and_then(|rest| rest.split('#').next());
    name.filter(|name| !name.starts_with("__")).unwrap_or("")
}

#[library]
pub mod of_arrays {
    use super::super::types::{Array, Half};

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
    fn to_vec(this: _) -> Result<_, ()> {
        Ok(this.__elements())
    }
    fn __elements(this: _) -> Vec<_> {
        let mut elements = Vec::new();
        elements.resize(this.len(), this.__numel().__zero());
        elements[..].__overwrite(&this.__flatten());
        elements
    }
    fn index_axis(this: _, axis: usize, at: usize) -> _ {
        this.narrow(axis, at, 1usize).squeeze(axis)
    }
    fn concat(this: _, others: _, axis: usize) -> _ {
        others.__join(this, axis)
    }
    fn __join(this: _, first: _, axis: usize) -> _ {
        first.__concat(this, axis)
    }
    fn stack(this: _, others: _, axis: usize) -> _ {
        others.__stack(this, axis)
    }
    fn __stack(this: _, first: _, axis: usize) -> _ {
        first
            .expand_dims(axis)
            .__concat(&this.expand_dims(axis), axis)
    }
    fn pad_with(this: _, axis: usize, before: usize, after: usize, value: _) -> _ {
        let whole = { this.pad(axis, before, after) }.map2(value, |z, v| if true { v } else { z });
        let end = before.wrapping_add(this.dim(axis));
        whole.__replace_axis(axis, before, end, 1usize, this)
    }
    fn to_bool(this: _) -> _ {
        this.map(|x| x != x.__zero())
    }
    fn roll(this: _, axis: usize, by: _) -> _ {
        let places = by as i64;
        let by = if (places < 0) == (by < 0) && places != i64::MIN {
            places
        } else {
            // An `i64` does not hold the number, or not its negative, which the derivative needs. What remains around the axis does as well.
            let n = this.dim(axis);
            if n == 0 {
                0i64
            } else if by < 0 {
                places.rem_euclid(n as i64)
            } else {
                (by as usize % n) as i64
            }
        };
        this.__roll(axis, by)
    }
    fn permute(this: _, axes: _) -> _ {
        axes.__order(this)
    }
    fn reshape(this: _, shape: _) -> _ {
        shape.__reshape(this)
    }
    fn broadcast_to(this: _, shape: _) -> _ {
        shape.__broadcast(this)
    }
    fn slice(this: _, index: _) -> _ {
        index.__slice(this)
    }
    fn with_slice(this: _, index: _, part: _) -> _ {
        let there = index.__slice(this);
        let part = there.map2(part, |x, p| if true { p } else { x });
        index.__replace(&part, this)
    }
    fn split(this: _, axis: usize, parts: _) -> Vec<_> {
        parts.__split(this, axis)
    }
    fn repeat(this: _, axis: usize, count: usize) -> _ {
        let extent = this.dim(axis);
        let mut shape = Vec::new();
        for k in 0..this.ndim() {
            shape.push(if k == axis {
                extent * count
            } else {
                this.dim(k)
            });
        }
        this.insert_axis(axis + 1, count).reshape(&shape)
    }
    fn tril(this: _, diagonal: i32) -> _ {
        let kept = this.__below(diagonal);
        kept.map2(this, |is_kept, x| if is_kept { x } else { x.__zero() })
    }
    fn triu(this: _, diagonal: i32) -> _ {
        let below = this.__below(diagonal.saturating_sub(1));
        below.map2(this, |is_below, x| if is_below { x.__zero() } else { x })
    }
    // True where the column is not to the right of this diagonal.
    fn __below(this: _, diagonal: i32) -> _ {
        let columns = this.ndim().wrapping_sub(1);
        let rows = columns.wrapping_sub(1);
        let rows = Array::<i32>::arange(this.dim(rows)).expand_dims(1usize);
        let columns = Array::<i32>::arange(this.dim(columns));
        columns.map2(&rows, |c, r| c.wrapping_sub(r) <= diagonal)
    }
    fn take(this: _, axis: usize, index: &Array<u32>) -> _ {
        let places = index.__flatten().__index_along(axis, this);
        this.gather(axis, &places).__unflatten(axis, index)
    }
    fn scatter_add(this: _, axis: usize, index: &Array<u32>, values: _) -> _ {
        let places = index.__index_along(axis, values);
        this + values.__scatter_add(axis, &places, this)
    }
    fn one_hot(this: _, count: usize) -> _ {
        let classes = Array::<u32>::arange(count);
        this.expand_dims(this.ndim()).map2(&classes, |a, b| a == b)
    }

    fn gt(this: _, other: _) -> _ {
        this.map2(other, |a, b| a > b)
    }
    fn ge(this: _, other: _) -> _ {
        this.map2(other, |a, b| a >= b)
    }
    fn lt(this: _, other: _) -> _ {
        this.map2(other, |a, b| a < b)
    }
    fn le(this: _, other: _) -> _ {
        this.map2(other, |a, b| a <= b)
    }
    fn eq_elements(this: _, other: _) -> _ {
        this.map2(other, |a, b| a == b)
    }
    fn ne_elements(this: _, other: _) -> _ {
        this.map2(other, |a, b| a != b)
    }
    fn is_nan(this: _) -> _ {
        this.map(|x| x != x)
    }
    fn select(this: _, a: _, b: _) -> _ {
        this.map3(a, b, |chosen, a, b| if chosen { a } else { b })
    }
    fn to_f16(this: _) -> _ {
        this.map(|x| x as Half)
    }
    fn to_f32(this: _) -> _ {
        this.map(|x| x as f32)
    }
    fn to_f64(this: _) -> _ {
        this.map(|x| x as f64)
    }
    fn to_i32(this: _) -> _ {
        this.map(|x| x as i32)
    }
    fn to_u32(this: _) -> _ {
        this.map(|x| x as u32)
    }

    fn outer(this: _, other: _) -> _ {
        this.__flatten().expand_dims(1usize) * other.__flatten()
    }
    fn cumprod(this: _, axis: usize) -> _ {
        let n = this.dim(axis);
        let one = this.narrow(axis, 0usize, 0usize);
        let mut products = one.__concat(this, axis);
        let mut reach = 1usize;
        while reach < n {
            let first = products.narrow(axis, 0usize, reach);
            let rest = products.narrow(axis, reach, n - reach);
            products = first.__concat(&(rest * products.narrow(axis, 0usize, n - reach)), axis);
            reach *= 2;
        }
        products
    }

    // Reductions: `…_of` reduces along one axis, the others along the axes that `axes` says.
    fn sum_axis(this: _, axes: _) -> _ {
        let (x, axis) = axes.__line(this);
        x.__sum_axis(axis)
    }
    fn max_axis(this: _, axes: _) -> _ {
        let (x, axis) = axes.__line(this);
        x.__max_axis(axis)
    }
    fn min_axis(this: _, axes: _) -> _ {
        let most = this.map(|x| x.__reversed()).max_axis(axes);
        most.map(|x| x.__reversed())
    }
    fn mean_axis(this: _, axes: _) -> _ {
        let line = this.sum_axis(axes);
        let count = this.__numel() / line.__numel();
        line / count
    }
    fn var_axis(this: _, axes: _) -> _ {
        let d = this - this.mean_keep(axes);
        (&d * &d).mean_axis(axes)
    }
    fn std_axis(this: _, axes: _) -> _ {
        this.var_axis(axes).sqrt()
    }
    // At 0 the derivative is 0, as that of `norm`.
    fn norm_axis(this: _, axes: _) -> _ {
        let squares = (this * this).sum_axis(axes);
        squares.map(|s| if s == 0.0 { 0.0 } else { s.sqrt() })
    }
    fn logsumexp_axis(this: _, axes: _) -> _ {
        let (x, axis) = axes.__line(this);
        if x.dim(axis) == 0 {
            x.__sum_axis(axis).ln()
        } else {
            let most = x.__max_axis(axis);
            // A shift on which the result does not depend. It must not be an infinity, and an infinity equals its half.
            let shift = stop_gradient(most).map(|m| if m == 0.0 || m * 0.5 != m { m } else { 0.0 });
            (x - shift.expand_dims(axis)).exp().__sum_axis(axis).ln() + shift
        }
    }
    fn prod_axis(this: _, axes: _) -> _ {
        let (x, axis) = axes.__line(this);
        let mut n = x.dim(axis);
        let mut x = x;
        while n > 1 {
            let half = n / 2;
            let pairs = x.narrow(axis, 0usize, half) * x.narrow(axis, half, half);
            x = pairs.__concat(&x.narrow(axis, 2 * half, n - 2 * half), axis);
            n = n - half;
        }
        if n == 0 {
            x.__sum_axis(axis).map(|none| none.__one())
        } else {
            x.squeeze(axis)
        }
    }
    fn argmax_axis(this: _, axes: _) -> _ {
        let (x, axis) = axes.__line(this);
        let most = x.__max_axis(axis).expand_dims(axis);
        x.map2(&most, |v, m| v == m || v != v).__first(axis)
    }
    fn argmin_axis(this: _, axes: _) -> _ {
        (-this).argmax_axis(axes)
    }
    // The first position along an axis at which a mask is true: of positions with all their bits turned over, the first is the greatest.
    fn __first(this: _, axis: usize) -> _ {
        let mut places = Array::<u32>::arange(this.dim(axis));
        for _ in axis + 1..this.ndim() {
            places = places.expand_dims(places.ndim());
        }
        let turned = this.map2(&places, |m, p| if m { !p } else { 0 });
        turned.__max_axis(axis).map(|p| !p)
    }
    fn any_axis(this: _, axes: _) -> _ {
        this.to_f32().sum_axis(axes).gt(0.0)
    }
    fn all_axis(this: _, axes: _) -> _ {
        (!this).to_f32().sum_axis(axes).eq_elements(0.0)
    }

    fn sum_keep(this: _, axes: _) -> _ {
        axes.__keep(this.sum_axis(axes), this)
    }
    fn max_keep(this: _, axes: _) -> _ {
        axes.__keep(this.max_axis(axes), this)
    }
    fn min_keep(this: _, axes: _) -> _ {
        axes.__keep(this.min_axis(axes), this)
    }
    fn mean_keep(this: _, axes: _) -> _ {
        axes.__keep(this.mean_axis(axes), this)
    }
    fn var_keep(this: _, axes: _) -> _ {
        axes.__keep(this.var_axis(axes), this)
    }
    fn std_keep(this: _, axes: _) -> _ {
        axes.__keep(this.std_axis(axes), this)
    }
    fn norm_keep(this: _, axes: _) -> _ {
        axes.__keep(this.norm_axis(axes), this)
    }
    fn logsumexp_keep(this: _, axes: _) -> _ {
        axes.__keep(this.logsumexp_axis(axes), this)
    }
    fn prod_keep(this: _, axes: _) -> _ {
        axes.__keep(this.prod_axis(axes), this)
    }
    fn argmax_keep(this: _, axes: _) -> _ {
        axes.__keep(this.argmax_axis(axes), this)
    }
    fn argmin_keep(this: _, axes: _) -> _ {
        axes.__keep(this.argmin_axis(axes), this)
    }
    fn any_keep(this: _, axes: _) -> _ {
        axes.__keep(this.any_axis(axes), this)
    }
    fn all_keep(this: _, axes: _) -> _ {
        axes.__keep(this.all_axis(axes), this)
    }
    fn prod(this: _) -> _ {
        this.__flatten().prod_axis(0usize)
    }
    fn amax(this: _) -> _ {
        this.__flatten().max_axis(0usize)
    }
    fn amin(this: _) -> _ {
        this.__flatten().min_axis(0usize)
    }
    fn argmax(this: _) -> _ {
        this.__flatten().argmax_axis(0usize)
    }
    fn argmin(this: _) -> _ {
        this.__flatten().argmin_axis(0usize)
    }
    fn var(this: _) -> _ {
        this.__flatten().var_axis(0usize)
    }
    fn std(this: _) -> _ {
        this.__flatten().std_axis(0usize)
    }
    fn logsumexp(this: _) -> _ {
        this.__flatten().logsumexp_axis(0usize)
    }
    fn any(this: _) -> _ {
        this.__flatten().any_axis(0usize)
    }
    fn all(this: _) -> _ {
        this.__flatten().all_axis(0usize)
    }
}

// Arrays of `bool`. In the IR they are arrays of `u32`, so the host gives one element as a number.
#[library]
pub mod of_masks {
    fn item(this: _) -> Result<_, ()> {
        Ok(this.to_u32().to_scalar() != 0)
    }
    fn to_vec(this: _) -> Result<_, ()> {
        let numbers = this.to_u32().__elements();
        Ok(numbers.iter().map(|number| *number != 0).collect())
    }
}

// One extent or axis.
#[library]
pub mod of_extents {
    fn __reshape(this: usize, array: _) -> _ {
        array.__to_shape([this])
    }
    fn __broadcast(this: usize, array: _) -> _ {
        array.__broadcast_to([this])
    }
    fn __order(this: usize, array: _) -> _ {
        array.__permute([this])
    }
    fn __line(this: usize, array: _) -> _ {
        (array, this)
    }
    fn __split(this: usize, array: _, axis: usize) -> Vec<_> {
        let extent = array.__split_extent(axis, this);
        let mut parts = Vec::new();
        for k in 0..this {
            parts.push(array.narrow(axis, k * extent, extent));
        }
        parts
    }
    fn __keep(this: usize, reduced: _, _array: _) -> _ {
        reduced.expand_dims(this)
    }
    fn __along(this: usize, array: _, axis: usize) -> _ {
        array.narrow(axis, this, 1usize).squeeze(axis)
    }
    fn __put(this: usize, part: _, array: _, axis: usize) -> _ {
        let part = part.expand_dims(axis);
        array.__replace_axis(axis, this, this.wrapping_add(1), 1usize, &part)
    }
    fn __slice(this: usize, array: _) -> _ {
        this.__along(array, 0usize)
    }
    fn __replace(this: usize, part: _, array: _) -> _ {
        this.__put(part, array, 0usize)
    }
    // How many axes are left of one that this takes a part of: see `of_1`.
    fn __kept(this: usize) -> usize {
        0
    }
}

// Lists of extents or axes.
#[library]
pub mod of_lists_of_extents {
    fn __reshape(this: _, array: _) -> _ {
        array.__to_shape(this)
    }
    fn __broadcast(this: _, array: _) -> _ {
        array.__broadcast_to(this)
    }
    fn __order(this: _, array: _) -> _ {
        array.__permute(this)
    }
    fn __line(this: _, array: _) -> _ {
        (
            array.__merge_axes(this),
            array.ndim().wrapping_sub(this.len()),
        )
    }
}

// Lists of arrays, of the extents of parts, and of axes.
#[library]
pub mod of_lists {
    fn __keep(this: _, reduced: _, array: _) -> _ {
        let mut reduced = reduced;
        for axis in 0..array.ndim() {
            if this.contains(&axis) {
                reduced = reduced.expand_dims(axis);
            }
        }
        reduced
    }
    fn __join(this: _, first: _, axis: usize) -> _ {
        let mut parts = Vec::new();
        parts.push(first.clone());
        for k in 0..this.len() {
            parts.push(this[k].clone());
        }
        parts.__joined(axis)
    }
    fn __stack(this: _, first: _, axis: usize) -> _ {
        let mut parts = Vec::new();
        parts.push(first.expand_dims(axis));
        for k in 0..this.len() {
            parts.push(this[k].expand_dims(axis));
        }
        parts.__joined(axis)
    }
    // Arrays are joined in pairs, so that each is copied only a few times.
    fn __joined(this: _, axis: usize) -> _ {
        let mut parts = this;
        while parts.len() > 1 {
            let mut pairs = Vec::new();
            for k in 0..parts.len() / 2 {
                pairs.push(parts[2 * k].__concat(&parts[2 * k + 1], axis));
            }
            if parts.len() % 2 == 1 {
                pairs.push(parts[parts.len() - 1].clone());
            }
            parts = pairs;
        }
        parts[0].clone()
    }
    fn __split(this: _, array: _, axis: usize) -> Vec<_> {
        let mut total = 0usize;
        for k in 0..this.len() {
            total = total.wrapping_add(this[k]);
        }
        let mut start = array.__split_total(axis, total) - total;
        let mut parts = Vec::new();
        for k in 0..this.len() {
            parts.push(array.narrow(axis, start, this[k]));
            start += this[k];
        }
        parts
    }
}

// Vectors of numbers, and of truth values.
#[library]
pub mod of_vectors {
    fn __array(this: _) -> _ {
        this[..].__from_slice()
    }
}
#[library]
pub mod of_vectors_of_bools {
    fn __array(this: _) -> _ {
        let mut numbers = Vec::new();
        for k in 0..this.len() {
            numbers.push(this[k] as u32);
        }
        numbers.__array().to_bool()
    }
}

// Shapes, and lists of axes, whose length is known at run time.
#[library]
pub mod of_shapes {
    use super::super::types::Array;

    // An array of that shape, with the element type of another array.
    fn __like(this: _, array: _) -> _ {
        let mut like = Array::scalar(array.__numel());
        for axis in 0..this.len() {
            like = like.insert_axis(axis, this[axis]);
        }
        like
    }
    fn __reshape(this: _, array: _) -> _ {
        array.__reshape_like(&this.__like(array))
    }
    fn __broadcast(this: _, array: _) -> _ {
        array.__broadcast_like(&this.__like(array))
    }
    // Each axis in turn is exchanged with the one that stands in its place.
    fn __order(this: _, array: _) -> _ {
        let mut order = Vec::new();
        for axis in 0..array.ndim() {
            order.push(axis);
        }
        let mut ordered = array.clone();
        for k in 0..this.len() {
            let mut place = k;
            while place < order.len() && order[place] != this[k] {
                place += 1;
            }
            if place < order.len() {
                ordered = ordered.swap_axes(k, place);
                order.swap(k, place);
            } else {
                // An axis that the array does not have, or that stands in the list before, is an error that shows the array itself.
                ordered = array.__permute([this[k], this[k]]);
            }
        }
        if this.len() < order.len() {
            ordered = array.__permute([]);
        }
        ordered
    }
    // Each axis in turn is merged with the last axis, which holds those before it in the list.
    fn __line(this: _, array: _) -> _ {
        let mut merged = array.expand_dims(array.ndim());
        for k in 0..this.len() {
            // An axis that the array does not have, or has been merged already, is an error that shows the array itself.
            if this[k] >= array.ndim() {
                merged = array.__merge_axes([this[k]]);
            }
            let mut axis = this[k];
            for j in 0..k {
                if this[j] == this[k] {
                    merged = array.__merge_axes([this[j], this[k]]);
                }
                if this[j] < this[k] {
                    axis -= 1;
                }
            }
            merged = merged.__merge_axes([merged.ndim() - 1, axis]);
        }
        (merged, array.ndim().wrapping_sub(this.len()))
    }
}

// Functions that make arrays in such a shape. (The host makes arrays in the shape of a list.)
#[library]
pub mod functions {
    use super::super::types::Array;

    fn from_vec(data: _, shape: _) -> _ {
        data.__array().reshape(shape)
    }
    fn zeros(shape: _) -> _ {
        let mut made = Array::zeros([]);
        for axis in 0..shape.len() {
            made = made.insert_axis(axis, shape[axis]);
        }
        made
    }
    fn ones(shape: _) -> _ {
        let mut made = Array::ones([]);
        for axis in 0..shape.len() {
            made = made.insert_axis(axis, shape[axis]);
        }
        made
    }
    fn full(shape: _, value: _) -> _ {
        let mut made = Array::scalar(value);
        for axis in 0..shape.len() {
            made = made.insert_axis(axis, shape[axis]);
        }
        made
    }
}

// Tuples of ranges and indices as a slice. First the indices pick their places, the last axis first, because an index removes its axis. Then the ranges
// cut what is left: so the part that they are put back into, by `with_slice` or by the gradient, is as small as can be.
#[library]
pub mod of_1 {
    fn __slice(this: _, array: _) -> _ {
        this.0.__along(array, 0usize)
    }
    fn __replace(this: _, part: _, array: _) -> _ {
        this.0.__put(part, array, 0usize)
    }
    fn __kept(this: _) -> usize {
        this.0.__kept()
    }
    fn __picks(this: _, array: _) -> _ {
        if this.0.__kept() == 0 {
            this.0.__along(array, 0usize)
        } else {
            array
        }
    }
    fn __picks_back(this: _, part: _, array: _) -> _ {
        if this.0.__kept() == 0 {
            this.0.__put(part, array, 0usize)
        } else {
            part
        }
    }
    fn __cuts(this: _, array: _) -> _ {
        if this.0.__kept() == 0 {
            array
        } else {
            this.0.__along(array, 0usize)
        }
    }
    fn __cuts_back(this: _, part: _, array: _) -> _ {
        if this.0.__kept() == 0 {
            part
        } else {
            this.0.__put(part, array, 0usize)
        }
    }
}

/// A longer tuple is its last field, and the tuple of the fields before it.
macro_rules! of_tuples {
    ($($name:ident: [$($first:tt)*] $last:tt $axis:literal;)*) => {$(
        #[library]
        pub mod $name {
            fn __slice(this: _, array: _) -> _ {
                this.__cuts(&this.__picks(array))
            }
            fn __replace(this: _, part: _, array: _) -> _ {
                let picked = this.__picks(array);
                this.__picks_back(&this.__cuts_back(part, &picked), array)
            }
            fn __kept(this: _) -> usize {
                ($(this.$first,)*).__kept() + this.$last.__kept()
            }
            fn __picks(this: _, array: _) -> _ {
                let picked = if this.$last.__kept() == 0 { &this.$last.__along(array, $axis) } else { array };
                ($(this.$first,)*).__picks(picked)
            }
            fn __picks_back(this: _, part: _, array: _) -> _ {
                let first = ($(this.$first,)*);
                if this.$last.__kept() == 0 {
                    let picked = this.$last.__along(array, $axis);
                    this.$last.__put(&first.__picks_back(part, &picked), array, $axis)
                } else {
                    first.__picks_back(part, array)
                }
            }
            fn __cuts(this: _, array: _) -> _ {
                let first = ($(this.$first,)*);
                let cut = first.__cuts(array);
                if this.$last.__kept() == 0 { cut } else { this.$last.__along(&cut, first.__kept()) }
            }
            fn __cuts_back(this: _, part: _, array: _) -> _ {
                let first = ($(this.$first,)*);
                if this.$last.__kept() == 0 {
                    first.__cuts_back(part, array)
                } else {
                    let part = this.$last.__put(part, &first.__cuts(array), first.__kept());
                    first.__cuts_back(&part, array)
                }
            }
        }
    )*};
}

of_tuples! {
    of_2: [0] 1 1usize;
    of_3: [0 1] 2 2usize;
    of_4: [0 1 2] 3 3usize;
    of_5: [0 1 2 3] 4 4usize;
    of_6: [0 1 2 3 4] 5 5usize;
}

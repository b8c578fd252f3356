//! The array operations that the host computes: their derivatives.
//!
//! Elementwise operations need no rule here: they are maps of scalar functions.

use mooncake_pack::{Case, Value, rule, scalar};

rule! {
    /// `a[.., m,k] · b[.., k,n]`; leading axes broadcast.
    fn matmul(a: array<T>, b: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["unbroadcast(matmul_nt(dy, b), a)", "unbroadcast(matmul_tn(a, dy), b)"],
        tangent: ["matmul(dx, b)", "matmul(a, dx)"],
    }
}

rule! {
    /// `a[.., m,k] · b[.., n,k]ᵀ`
    fn matmul_nt(a: array<T>, b: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["unbroadcast(matmul(dy, b), a)", "unbroadcast(matmul_tn(dy, a), b)"],
        tangent: ["matmul_nt(dx, b)", "matmul_nt(a, dx)"],
    }
}

rule! {
    /// `a[.., k,m]ᵀ · b[.., k,n]`
    fn matmul_tn(a: array<T>, b: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["unbroadcast(matmul_nt(b, dy), a)", "unbroadcast(matmul(a, dy), b)"],
        tangent: ["matmul_tn(dx, b)", "matmul_tn(a, dx)"],
    }
}

rule! {
    /// The transpose of a matrix.
    fn t(a: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["t(dy)"],
        tangent: ["t(dx)"],
    }
}

rule! {
    /// The same elements in another shape.
    fn reshape(a: array<T>, dims: shape) -> array<T> {
        context: Minimal,
        pullback: ["reshape_like(dy, a)", ""],
        tangent: ["reshape(dx, dims)", ""],
    }
}

rule! {
    /// `a` in the shape of `b`.
    fn reshape_like(a: array<T>, b: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["reshape_like(dy, a)", ""],
        tangent: ["reshape_like(dx, b)", ""],
    }
}

rule! {
    /// `a` repeated to the shape of `b`.
    fn broadcast_like(a: array<T>, b: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["unbroadcast(dy, a)", ""],
        tangent: ["broadcast_like(dx, b)", ""],
    }
}

rule! {
    /// All elements along one axis.
    fn flatten(a: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["reshape_like(dy, a)"],
        tangent: ["flatten(dx)"],
    }
}

rule! {
    /// The sum of all elements.
    fn sum(a: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["expand(dy, a)"],
        tangent: ["sum(dx)"],
    }
}

rule! {
    /// The mean of all elements. The one-element cotangent is divided, not the expanded one.
    fn mean(a: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["expand(dy / numel(a), a)"],
        tangent: ["mean(dx)"],
    }
}

rule! {
    /// The sums along an axis.
    fn sum_axis(a: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["expand_axis(dy, a, axis)", ""],
        tangent: ["sum_axis(dx, axis)", ""],
    }
}

rule! {
    /// The largest elements along an axis. Ties share evenly.
    fn max_axis(a: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: [
            "equals(a, expand_axis(y, a, axis)) * expand_axis(dy / sum_axis(equals(a, expand_axis(y, a, axis)), axis), a, axis)",
            "",
        ],
        tangent: [
            "sum_axis(dx * equals(a, expand_axis(y, a, axis)), axis) / sum_axis(equals(a, expand_axis(y, a, axis)), axis)",
            "",
        ],
    }
}

scalar! {
    /// 1 where two numbers are equal, else 0: which elements reach the maximum.
    private fn equals(a: T, b: T) -> T {
        domain: [(-2.0, -1.0), (1.0, 2.0)],
        context: Minimal,
        native: |a, b| if a == b { 1.0 } else { 0.0 },
        body: "select(a == b, 1, 0)",
        partials: ["0", "0"],
    }
}

rule! {
    /// A one-element array broadcast to the shape of another.
    fn expand(s: array<T>, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["reshape_like(sum(dy), s)", ""],
        tangent: ["expand(dx, like)", ""],
    }
}

rule! {
    /// An array repeated along an axis of another.
    fn expand_axis(a: array<T>, like: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["sum_axis(dy, axis)", "", ""],
        tangent: ["expand_axis(dx, like, axis)", "", ""],
    }
}

rule! {
    /// `out[.., i, ..] = a[.., index[.., i, ..], ..]`. Repeated indices accumulate.
    fn gather(a: array<T>, axis: usize, index: array<u32>) -> array<T> {
        context: Minimal,
        pullback: ["scatter_add(dy, axis, index, a)", "", ""],
        tangent: ["gather(dx, axis, index)", "", ""],
    }
}

rule! {
    /// Zeros in the shape of `like`, plus `g` added at the indices.
    fn scatter_add(g: array<T>, axis: usize, index: array<u32>, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["gather(dy, axis, index)", "", "", ""],
        tangent: ["scatter_add(dx, axis, index, like)", "", "", ""],
    }
}

rule! {
    /// `exp(a) / sum(exp(a))` along an axis.
    fn softmax(a: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["y * (dy - expand_axis(sum_axis(dy * y, axis), a, axis))", ""],
        tangent: ["y * (dx - expand_axis(sum_axis(dx * y, axis), a, axis))", ""],
    }
}

rule! {
    /// The logarithm of `softmax`, accurate where that is tiny.
    fn log_softmax(a: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["dy - exp(y) * expand_axis(sum_axis(dy, axis), a, axis)", ""],
        tangent: ["dx - expand_axis(sum_axis(dx * exp(y), axis), a, axis)", ""],
    }
}

rule! {
    /// The number of elements: a constant.
    fn numel(a: array<T>) -> T {
        context: Minimal,
        pullback: [""],
        tangent: [""],
    }
}

rule! {
    /// `g` summed over the axes along which `like` was broadcast to its shape.
    fn unbroadcast(g: array<T>, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["first(dy, g)", ""],
        tangent: ["unbroadcast(dx, like)", ""],
    }
}

scalar! {
    /// The first of two: mapped over arrays, it broadcasts one to the shape of both.
    private fn first(a: T, b: T) -> T {
        domain: [(-2.0, 2.0), (-2.0, 2.0)],
        context: Minimal,
        native: |a, _b| a,
        body: "a",
        partials: ["1", "0"],
    }
}

rule! {
    /// The sum of all elements as a host scalar.
    fn sum_to_scalar(g: array<T>) -> T {
        context: Minimal,
        pullback: ["full_like(dy, g)"],
        tangent: ["sum_to_scalar(dx)"],
    }
}

rule! {
    /// `a + b` of equal shapes.
    fn accumulate(a: array<T>, b: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["dy", "dy"],
        tangent: ["dx", "dx"],
    }
}

rule! {
    /// `a`, or zeros if it is absent.
    fn or_zeros(a: array<T>, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["dy", ""],
        tangent: ["dx", ""],
    }
}

rule! {
    /// `g`, which debug mode has found to have the shape of `like`.
    fn same_shape(g: array<T>, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["dy", ""],
        tangent: ["dx", ""],
    }
}

rule! {
    /// The one element as a host scalar.
    fn item(a: array<T>) -> T {
        context: Minimal,
        pullback: ["full_like(dy, a)"],
        tangent: ["item(dx)"],
    }
}

rule! {
    /// A scalar as an array in the shape of another.
    fn full_like(s: T, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["sum_to_scalar(dy)", ""],
        tangent: ["full_like(dx, like)", ""],
    }
}

rule! {
    /// The number of axes: a constant.
    fn ndim(a: array<T>) -> usize {
        context: Minimal,
        pullback: [""],
        tangent: [""],
    }
}

rule! {
    /// One value everywhere.
    fn full(s: T, dims: shape) -> array<T> {
        context: Minimal,
        pullback: ["sum_to_scalar(dy)", ""],
        tangent: ["full(dx, dims)", ""],
    }
}

rule! {
    /// `a` repeated along new leading axes and axes of extent 1.
    fn broadcast_to(a: array<T>, dims: shape) -> array<T> {
        context: Minimal,
        pullback: ["unbroadcast(dy, a)", ""],
        tangent: ["broadcast_to(dx, dims)", ""],
    }
}

rule! {
    /// The elements `start..start + count` along an axis.
    fn narrow(a: array<T>, axis: usize, start: usize, count: usize) -> array<T> {
        context: Minimal,
        pullback: ["place(dy, axis, start, a)", "", "", ""],
        tangent: ["narrow(dx, axis, start, count)", "", "", ""],
    }
}

rule! {
    /// As many elements from `start` on along an axis as `like` has.
    fn narrow_like(a: array<T>, axis: usize, start: usize, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["place(dy, axis, start, a)", "", "", ""],
        tangent: ["narrow_like(dx, axis, start, like)", "", "", ""],
    }
}

rule! {
    /// Zeros in the shape of `like`, but `g` from `start` on along an axis.
    fn place(g: array<T>, axis: usize, start: usize, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["narrow_like(dy, axis, start, g)", "", "", ""],
        tangent: ["place(dx, axis, start, like)", "", "", ""],
    }
}

rule! {
    /// Every `step`th element of `start..end` along an axis.
    fn slice_axis(a: array<T>, axis: usize, start: usize, end: usize, step: usize) -> array<T> {
        context: Minimal,
        pullback: ["unslice_axis(dy, axis, start, end, step, a)", "", "", "", ""],
        tangent: ["slice_axis(dx, axis, start, end, step)", "", "", "", ""],
    }
}

rule! {
    /// Zeros in the shape of `like`, but `g` at every `step`th place of `start..end` along an axis.
    fn unslice_axis(g: array<T>, axis: usize, start: usize, end: usize, step: usize, like: array<T>) -> array<T> {
        context: Minimal,
        pullback: ["slice_axis(dy, axis, start, end, step)", "", "", "", "", ""],
        tangent: ["unslice_axis(dx, axis, start, end, step, like)", "", "", "", "", ""],
    }
}

rule! {
    /// `a`, but `part` at every `step`th place of `start..end` along an axis.
    fn replace_axis(a: array<T>, axis: usize, start: usize, end: usize, step: usize, part: array<T>) -> array<T> {
        context: Minimal,
        pullback: [
            "replace_axis(dy, axis, start, end, step, full_like(0, part))", "", "", "", "",
            "slice_axis(dy, axis, start, end, step)",
        ],
        tangent: [
            "replace_axis(dx, axis, start, end, step, full_like(0, part))", "", "", "", "",
            "unslice_axis(dx, axis, start, end, step, a)",
        ],
    }
}

rule! {
    /// The axes in another order.
    fn permute(a: array<T>, axes: shape) -> array<T> {
        context: Minimal,
        pullback: ["unpermute(dy, axes)", ""],
        tangent: ["permute(dx, axes)", ""],
    }
}

rule! {
    /// The inverse of `permute`.
    fn unpermute(a: array<T>, axes: shape) -> array<T> {
        context: Minimal,
        pullback: ["permute(dy, axes)", ""],
        tangent: ["unpermute(dx, axes)", ""],
    }
}

rule! {
    /// Repeated along a new axis.
    fn insert_axis(a: array<T>, axis: usize, count: usize) -> array<T> {
        context: Minimal,
        pullback: ["sum_axis(dy, axis)", "", ""],
        tangent: ["insert_axis(dx, axis, count)", "", ""],
    }
}

rule! {
    /// An index of one axis in the shape in which `gather` reads an array along an axis: a constant.
    fn index_along(index: array<u32>, axis: usize, like: array<T>) -> array<u32> {
        context: Minimal,
        pullback: ["", "", ""],
        tangent: ["", "", ""],
    }
}

rule! {
    /// An axis replaced by the axes of an index.
    fn unflatten(a: array<T>, axis: usize, index: array<u32>) -> array<T> {
        context: Minimal,
        pullback: ["reshape_like(dy, a)", "", ""],
        tangent: ["unflatten(dx, axis, index)", "", ""],
    }
}

rule! {
    /// The listed axes as one, the last.
    fn merge_axes(a: array<T>, axes: shape) -> array<T> {
        context: Minimal,
        pullback: ["unmerge_axes(dy, a, axes)", ""],
        tangent: ["merge_axes(dx, axes)", ""],
    }
}

rule! {
    /// The inverse of `merge_axes`, in the shape of `like`.
    fn unmerge_axes(g: array<T>, like: array<T>, axes: shape) -> array<T> {
        context: Minimal,
        pullback: ["merge_axes(dy, axes)", "", ""],
        tangent: ["unmerge_axes(dx, like, axes)", "", ""],
    }
}

rule! {
    /// So many numbers from `s` on, each greater by 1.
    fn arange(s: T, n: usize) -> array<T> {
        context: Minimal,
        pullback: ["sum_to_scalar(dy)", ""],
        tangent: ["full_like(dx, y)", ""],
    }
}

rule! {
    /// A square matrix of zeros with `s` on the diagonal. (A sum over the numbers of elements divided by itself is over ones.)
    fn eye(s: T, n: usize) -> array<T> {
        context: Minimal,
        pullback: ["sum_to_scalar(dy * eye(numel(y) / numel(y), n))", ""],
        tangent: ["eye(dx, n)", ""],
    }
}

rule! {
    /// The sums of the elements up to each one along an axis.
    fn cumsum(a: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["flip(cumsum(flip(dy, axis), axis), axis)", ""],
        tangent: ["cumsum(dx, axis)", ""],
    }
}

rule! {
    /// The extent of each of so many equal parts along an axis: a constant.
    fn split_extent(a: array<T>, axis: usize, count: usize) -> usize {
        context: Minimal,
        pullback: ["", "", ""],
        tangent: ["", "", ""],
    }
}

rule! {
    /// The extent of an axis, if it is the total of the parts: a constant.
    fn split_total(a: array<T>, axis: usize, total: usize) -> usize {
        context: Minimal,
        pullback: ["", "", ""],
        tangent: ["", "", ""],
    }
}

rule! {
    /// Zeros added before and after along an axis.
    fn pad(a: array<T>, axis: usize, before: usize, after: usize) -> array<T> {
        context: Minimal,
        pullback: ["narrow_like(dy, axis, before, a)", "", "", ""],
        tangent: ["pad(dx, axis, before, after)", "", "", ""],
    }
}

rule! {
    /// One after the other along an axis.
    fn concat(a: array<T>, b: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["narrow_like(dy, axis, 0, a)", "narrow_like(dy, axis, dim(a, axis), b)", ""],
        tangent: ["place(dx, axis, 0, y)", "place(dx, axis, dim(a, axis), y)", ""],
    }
}

rule! {
    /// Two axes exchanged.
    fn swap_axes(a: array<T>, i: usize, j: usize) -> array<T> {
        context: Minimal,
        pullback: ["swap_axes(dy, i, j)", "", ""],
        tangent: ["swap_axes(dx, i, j)", "", ""],
    }
}

rule! {
    /// A new axis of extent 1.
    fn expand_dims(a: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["squeeze(dy, axis)", ""],
        tangent: ["expand_dims(dx, axis)", ""],
    }
}

rule! {
    /// Without an axis, which has extent 1.
    fn squeeze(a: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["expand_dims(dy, axis)", ""],
        tangent: ["squeeze(dx, axis)", ""],
    }
}

rule! {
    /// In the opposite order along an axis.
    fn flip(a: array<T>, axis: usize) -> array<T> {
        context: Minimal,
        pullback: ["flip(dy, axis)", ""],
        tangent: ["flip(dx, axis)", ""],
    }
}

rule! {
    /// Moved by so many places along an axis, cyclically.
    fn roll(a: array<T>, axis: usize, by: i64) -> array<T> {
        context: Minimal,
        pullback: ["roll(dy, axis, -by)", "", ""],
        tangent: ["roll(dx, axis, by)", "", ""],
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let a = || Value::array(&[2, 3]);
    let axis = |n: i64| Value::Int(n);
    let index = || Value::Indices(vec![2, 2], vec![0, 2, 1, 1]);
    let line = Value::Indices(vec![4], vec![2, 0, 1, 2]);
    vec![
        Case::new("matmul", [a(), Value::array(&[3, 4])]),
        Case::new("matmul_nt", [a(), Value::array(&[4, 3])]),
        Case::new("matmul_tn", [a(), Value::array(&[2, 4])]),
        Case::new("matmul", [Value::array(&[2, 2, 3]), Value::array(&[3, 2])]),
        Case::new("matmul", [a(), Value::array(&[3])]),
        Case::new(
            "matmul_nt",
            [Value::array(&[2, 1, 3]), Value::array(&[1, 2, 2, 3])],
        ),
        Case::new("matmul_tn", [Value::array(&[2]), Value::array(&[3])]),
        Case::new("t", [a()]),
        Case::new("reshape", [a(), Value::Shape(vec![3, 2])]),
        Case::new("reshape", [a(), Value::Shape(vec![6])]),
        Case::new("reshape_like", [a(), Value::array(&[3, 2])]),
        Case::new("broadcast_like", [Value::array(&[2, 1]), a()]),
        Case::new("flatten", [a()]),
        Case::new("sum", [a()]),
        Case::new("mean", [a()]),
        Case::new("sum_axis", [a(), axis(0)]),
        Case::new("sum_axis", [a(), axis(1)]),
        Case::new("max_axis", [a(), axis(0)]),
        Case::new("max_axis", [a(), axis(1)]),
        Case::new(
            "max_axis",
            [Value::Array(vec![1, 3], vec![2.0, 1.0, 2.0]), axis(1)],
        ),
        Case::new("expand", [Value::array(&[1]), a()]),
        Case::new("expand_axis", [Value::array(&[3]), a(), axis(0)]),
        Case::new("gather", [a(), axis(1), index()]),
        Case::new(
            "scatter_add",
            [Value::array(&[2, 2]), axis(1), index(), a()],
        ),
        Case::new("softmax", [a(), axis(1)]),
        Case::new("log_softmax", [a(), axis(1)]),
        Case::new("unbroadcast", [a(), Value::array(&[1, 3])]),
        Case::new("sum_to_scalar", [a()]),
        Case::new("accumulate", [a(), a()]),
        Case::new("item", [Value::array(&[1, 1])]),
        Case::new("numel", [a()]),
        Case::new("or_zeros", [a(), a()]),
        Case::new("same_shape", [a(), a()]),
        Case::new("ndim", [a()]),
        Case::new("full", [Value::Float(1.5), Value::Shape(vec![3, 2])]),
        Case::new(
            "broadcast_to",
            [Value::array(&[1, 3]), Value::Shape(vec![4, 2, 3])],
        ),
        Case::new("narrow", [a(), axis(1), axis(1), axis(2)]),
        Case::new("narrow", [a(), axis(0), axis(1), axis(0)]),
        Case::new(
            "narrow_like",
            [a(), axis(1), axis(1), Value::array(&[2, 2])],
        ),
        Case::new("place", [Value::array(&[2, 2]), axis(1), axis(1), a()]),
        Case::new("pad", [a(), axis(0), axis(1), axis(2)]),
        Case::new("concat", [a(), Value::array(&[2, 2]), axis(1)]),
        Case::new("concat", [a(), Value::array(&[1, 3]), axis(0)]),
        Case::new("swap_axes", [Value::array(&[2, 3, 4]), axis(0), axis(2)]),
        Case::new("expand_dims", [a(), axis(1)]),
        Case::new("squeeze", [Value::array(&[2, 1, 3]), axis(1)]),
        Case::new("flip", [a(), axis(1)]),
        Case::new("roll", [a(), axis(1), axis(-4)]),
        Case::new("slice_axis", [a(), axis(1), axis(0), axis(3), axis(2)]),
        Case::new("slice_axis", [a(), axis(0), axis(1), axis(1), axis(1)]),
        Case::new(
            "unslice_axis",
            [
                Value::array(&[2, 2]),
                axis(1),
                axis(0),
                axis(3),
                axis(2),
                a(),
            ],
        ),
        Case::new(
            "replace_axis",
            [
                a(),
                axis(1),
                axis(0),
                axis(3),
                axis(2),
                Value::array(&[2, 2]),
            ],
        ),
        Case::new(
            "permute",
            [Value::array(&[2, 3, 4]), Value::Shape(vec![2, 0, 1])],
        ),
        Case::new(
            "unpermute",
            [Value::array(&[2, 3, 4]), Value::Shape(vec![2, 0, 1])],
        ),
        Case::new("insert_axis", [a(), axis(1), axis(2)]),
        Case::new("index_along", [line, axis(1), a()]),
        Case::new("unflatten", [Value::array(&[3, 4]), axis(1), index()]),
        Case::new(
            "merge_axes",
            [Value::array(&[2, 3, 2]), Value::Shape(vec![2, 0])],
        ),
        Case::new(
            "unmerge_axes",
            [
                Value::array(&[3, 4]),
                Value::array(&[2, 3, 2]),
                Value::Shape(vec![2, 0]),
            ],
        ),
        Case::new("arange", [Value::Float(1.5), axis(3)]),
        Case::new("eye", [Value::Float(1.5), axis(3)]),
        Case::new("cumsum", [Value::array(&[2, 3, 2]), axis(1)]),
        Case::new("split_extent", [a(), axis(1), axis(3)]),
        Case::new("split_total", [a(), axis(1), axis(3)]),
        Case::new("full_like", [Value::Float(1.5), a()]),
    ]
}

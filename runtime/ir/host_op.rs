//! The array operations that the host computes itself: their names, and what they do with their arguments.

use super::Symbol;

/// Declares the array operations that the host computes itself.
macro_rules! host_ops {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// An array operation that the host computes itself, on every device. It has a primal here and a derivative in a pack.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum HostOp { $($(#[$doc])* $name,)* }
        impl HostOp {
            /// All of them.
            pub const ALL: &'static [HostOp] = &[$(HostOp::$name,)*];
            /// The name in IR.
            pub const fn name(self) -> &'static str { match self { $(HostOp::$name => $text,)* } }
            /// The operation of that name.
            pub fn from_name(name: &str) -> Option<HostOp> {
                HostOp::ALL.iter().copied().find(|op| op.name() == name)
            }
            /// The name as a symbol: packs give its rule under this name.
            pub const fn symbol(self) -> Symbol {
                Symbol::from_static(self.name())
            }
        }
    };
}

host_ops! {
    /// `a[m,k] · b[k,n] -> [m,n]`
    Matmul = "matmul";
    /// `a[m,k] · b[n,k]ᵀ -> [m,n]`
    MatmulNt = "matmul_nt";
    /// `a[k,m]ᵀ · b[k,n] -> [m,n]`
    MatmulTn = "matmul_tn";
    /// `a[m,n] -> [n,m]`
    Transpose = "t";
    /// `reshape(a, (d0, d1, …))`: a tuple of usize.
    Reshape = "reshape";
    /// `reshape_like(a, b)`: a in the shape of b.
    ReshapeLike = "reshape_like";
    /// `flatten(a)`: all elements along one axis.
    Flatten = "flatten";
    /// Sum of all elements: a 0-d array.
    Sum = "sum";
    /// Mean of all elements: a 0-d array.
    Mean = "mean";
    /// `sum_axis(a, axis)`: drops the axis.
    SumAxis = "sum_axis";
    /// `max_axis(a, axis)`: drops the axis. NaN if there is one.
    MaxAxis = "max_axis";
    /// `expand(s, like)`: a one-element array broadcast to the shape of `like`.
    Expand = "expand";
    /// `expand_axis(a, like, axis)`: the inverse of dropping `axis` of `like`: a repeated along it.
    ExpandAxis = "expand_axis";
    /// `gather(a, axis, index)`: `out[.., i, ..] = a[.., index[.., i, ..], ..]` (index: `array<u32>`, same number of dimensions as a; other extents equal).
    Gather = "gather";
    /// `scatter_add(g, axis, index, like)`: zeros in the shape of `like`, plus g added at the indices; repeated indices accumulate.
    ScatterAdd = "scatter_add";
    /// `softmax(a, axis)`
    Softmax = "softmax";
    /// `log_softmax(a, axis)`
    LogSoftmax = "log_softmax";
    /// The number of elements, as a float of the element type.
    Numel = "numel";
    /// The number of axes.
    Ndim = "ndim";
    /// `full(s, (d0, d1, …))`: one value everywhere, on the context's device.
    Full = "full";
    /// `broadcast_to(a, (d0, d1, …))`: repeated along new leading axes and axes of extent 1.
    BroadcastTo = "broadcast_to";
    /// `broadcast_like(a, b)`: repeated to the shape of b.
    BroadcastLike = "broadcast_like";
    /// `narrow(a, axis, start, count)`: the elements `start..start + count` along an axis.
    Narrow = "narrow";
    /// `narrow_like(a, axis, start, like)`: as many of them as `like` has.
    NarrowLike = "narrow_like";
    /// `place(g, axis, start, like)`: zeros in the shape of `like`, but g from `start` on along an axis.
    Place = "place";
    /// `pad(a, axis, before, after)`: zeros added along an axis.
    Pad = "pad";
    /// `concat(a, b, axis)`: one after the other along an axis.
    Concat = "concat";
    /// `swap_axes(a, i, j)`
    SwapAxes = "swap_axes";
    /// `expand_dims(a, axis)`: a new axis of extent 1.
    ExpandDims = "expand_dims";
    /// `squeeze(a, axis)`: without that axis, which has extent 1.
    Squeeze = "squeeze";
    /// `flip(a, axis)`: in the opposite order along an axis.
    Flip = "flip";
    /// `roll(a, axis, by)`: moved by so many places along an axis, cyclically; by: `i64`, but not the least of them, of which the derivative could not take the negative.
    Roll = "roll";
    /// `slice_axis(a, axis, start, end, step)`: every `step`th element of `start..end` along an axis.
    SliceAxis = "slice_axis";
    /// `unslice_axis(g, axis, start, end, step, like)`: zeros in the shape of `like`, but g where `slice_axis` reads.
    UnsliceAxis = "unslice_axis";
    /// `replace_axis(a, axis, start, end, step, part)`: a, but `part` where `slice_axis` reads.
    ReplaceAxis = "replace_axis";
    /// `permute(a, (i, j, …))`: the axes in another order: axis n of the result is axis i, j, … of a.
    Permute = "permute";
    /// `unpermute(a, (i, j, …))`: the inverse.
    Unpermute = "unpermute";
    /// `insert_axis(a, axis, count)`: repeated along a new axis.
    InsertAxis = "insert_axis";
    /// `index_along(index, axis, like)`: an index of one axis in the shape in which `gather` reads `like` along an axis, repeated along its other axes; an
    /// index of other shapes as it is.
    IndexAlong = "index_along";
    /// `unflatten(a, axis, index)`: the axis of a replaced by the axes of `index`.
    Unflatten = "unflatten";
    /// `merge_axes(a, (i, j, …))`: the listed axes as one, the last.
    MergeAxes = "merge_axes";
    /// `unmerge_axes(g, like, (i, j, …))`: the inverse, in the shape of `like`.
    UnmergeAxes = "unmerge_axes";
    /// `arange(s, n)`: s, s + 1, …: n elements, on the context's device.
    Arange = "arange";
    /// `eye(s, n)`: zeros, but s on the diagonal of n rows and columns, on the context's device.
    Eye = "eye";
    /// `cumsum(a, axis)`: the sums of the elements up to each one along an axis.
    Cumsum = "cumsum";
    /// `split_extent(a, axis, count) -> usize`: the extent of each of so many equal parts along an axis.
    SplitExtent = "split_extent";
    /// `split_total(a, axis, total) -> usize`: the extent of an axis, and an error unless it is the total of the parts.
    SplitTotal = "split_total";
    /// `dim(a, axis) -> usize`
    Dim = "dim";
    /// `unbroadcast(g, like)`: g summed over the axes along which `like` was broadcast to g's shape. Null stays null.
    Unbroadcast = "unbroadcast";
    /// `sum_to_scalar(g)`: the sum of all elements as a host scalar (waits for the device). Null gives 0.
    SumToScalar = "sum_to_scalar";
    /// `accumulate(a, b)`: a + b of equal shapes; either may be null.
    Accumulate = "accumulate";
    /// `or_zeros(a, like)`: a, or zeros in the shape of `like` if a is null; null if both are.
    OrZeros = "or_zeros";
    /// `item(a)`: the one element as a host scalar (waits for the device). That of a mask is a `u32`.
    Item = "item";
    /// `full_like(s, like)`: a scalar as an array in the shape of `like`.
    FullLike = "full_like";
    /// `same_shape(g, like)`: g, a cotangent or a tangent, and an error unless it has the shape of `like`. Null stays null. Debug mode.
    SameShape = "same_shape";
    /// `from_slice(x)`: the elements of a slice along one axis, on the context's device.
    FromSlice = "from_slice";
    /// `overwrite(x, a)`: writes the elements of a, which has one axis, over those of the slice x, which has as many. Null writes zeros.
    Overwrite = "overwrite";
}

impl HostOp {
    /// Whether the last argument is a shape, a tuple of extents, or a list of axes like one.
    pub fn takes_shape(self) -> bool {
        matches!(
            self,
            HostOp::Reshape
                | HostOp::BroadcastTo
                | HostOp::Full
                | HostOp::Permute
                | HostOp::Unpermute
                | HostOp::MergeAxes
                | HostOp::UnmergeAxes
        )
    }
    /// Whether it reads or writes memory of the program.
    pub fn is_of_memory(self) -> bool {
        matches!(self, HostOp::FromSlice | HostOp::Overwrite)
    }
    /// The argument of which the operation reads nothing but the shape, if there is one.
    pub fn shape_argument(self) -> Option<usize> {
        use HostOp::*;
        match self {
            Dim | Ndim | Numel => Some(0),
            Expand | ExpandAxis | BroadcastLike | ReshapeLike | UnmergeAxes | Unbroadcast
            | OrZeros | FullLike | SameShape => Some(1),
            IndexAlong | Unflatten => Some(2),
            NarrowLike | Place | ScatterAdd => Some(3),
            UnsliceAxis => Some(5),
            _ => None,
        }
    }
}

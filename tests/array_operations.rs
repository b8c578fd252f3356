//! Operations on arrays against JAX in double precision: values, gradients, forward mode and products with Hessians, for both float
//! types, on the CPU and, if there is one, on a GPU. `tests/array_operations/cases.py` has written what JAX says.

use mooncake::prelude::*;
use mooncake::{Const, FloatElement};
use serde_json::Value;

/// Declares functions of two arrays and of weights for their results, which are summed; and the same natively, without the weights.
macro_rules! operations {
    ($t:ident $cast:ident; $($name:ident = |$x:ident, $y:ident, $ids:ident| $result:expr;)*) => {
        use mooncake::prelude::*;
        $(
            #[differentiable]
            #[allow(unused_variables)]
            pub fn $name($x: &Array<$t>, $y: &Array<$t>, $ids: &Array<u32>, w: &Array<$t>) -> Array<$t> {
                ($result * w).sum()
            }
        )*
        /// The values natively.
        #[allow(unused_variables)]
        pub mod natively {
            use mooncake::prelude::*;
            $(pub fn $name($x: &Array<$t>, $y: &Array<$t>, $ids: &Array<u32>) -> Array<$t> { $result })*
        }
    };
}

macro_rules! all {
    ($t:ident $cast:ident) => {
        operations! {
            $t $cast;
            slice_ranges = |x, y, ids| x.slice((0..2, .., 2));
            slice_steps = |x, y, ids| x.slice((1, (0..4).step_by(3)));
            slice_open = |x, y, ids| x.slice((1.., ..2));
            slice_closed = |x, y, ids| x.slice((0..=1, ..=1));
            slice_none = |x, y, ids| x.slice((.., 1..1));
            slice_last = |x, y, ids| x.slice(1..);
            slice_transposed = |x, y, ids| x.t().slice((1.., 0..2));
            with_slice = |x, y, ids| x.with_slice((0..2, .., 2), y);
            with_steps = |x, y, ids| x.with_slice((1, (0..4).step_by(3)), y);
            with_number = |x, y, ids| x.with_slice(1, 0.5);
            t = |x, y, ids| x.t();
            swap_axes = |x, y, ids| x.swap_axes(0, 2);
            narrow = |x, y, ids| x.narrow(1, 1, 2);
            index_axis = |x, y, ids| x.index_axis(1, 1);
            expand_dims = |x, y, ids| x.expand_dims(1);
            squeeze = |x, y, ids| x.squeeze(1);
            flip = |x, y, ids| x.flip(0);
            roll = |x, y, ids| x.roll(1, 5);
            pad = |x, y, ids| x.pad(0, 2, 1);
            concat = |x, y, ids| x.concat(y, 0);
            concat_last = |x, y, ids| x.concat(y, x.ndim() - 1);
            stack = |x, y, ids| x.stack(y, 1);
            concat_list = |x, y, ids| x.concat(&[y, x], 1);
            stack_list = |x, y, ids| x.stack(&[y, y], 0);
            roll_back = |x, y, ids| x.roll(0, -4);
            pad_with = |x, y, ids| x.pad_with(0, 1, 2, 1.5) * y;
            split_list = |x, y, ids| x.split(1, [1, 2, 1])[1].clone();
            permute = |x, y, ids| x.permute([2, 0, 1]);
            reshape_list = |x, y, ids| x.reshape([3, 2]);
            reshape_transposed = |x, y, ids| x.t().reshape([2, 3]);
            reshape_flat = |x, y, ids| x.reshape(x.len());
            reshape_reversed = |x, y, ids| {
                let mut shape = x.shape().to_vec();
                shape.reverse();
                x.reshape(&shape)
            };
            broadcast_list = |x, y, ids| x.broadcast_to([2, 3]);
            broadcast_like = |x, y, ids| x.broadcast_to(y.shape());
            split = |x, y, ids| x.split(1, 2)[1].clone();
            repeat = |x, y, ids| x.repeat(0, 3);
            insert_axis = |x, y, ids| x.insert_axis(1, 3);
            tril = |x, y, ids| x.tril(0);
            tril_above = |x, y, ids| x.tril(1);
            triu = |x, y, ids| x.triu(0);
            triu_below = |x, y, ids| x.triu(-1);
            take_rows = |x, y, ids| x.take(0, ids);
            take_numbers = |x, y, ids| x.take(0, &ids.slice((0..0, 0)));
            take_line = |x, y, ids| x.take(0, &ids.reshape(4));
            gather = |x, y, ids| x.gather(1, ids);
            take_columns = |x, y, ids| x.take(1, ids);
            scatter = |x, y, ids| x.scatter_add(1, ids, y);
            scatter_rows = |x, y, ids| x.scatter_add(0, &ids.reshape(4), y);
            scatter_columns = |x, y, ids| x.scatter_add(1, &ids.reshape(4), y);
            one_hot = |x, y, ids| x * ids.one_hot(3).$cast();
            arange = |x, y, ids| x * Array::arange(3);
            eye = |x, y, ids| x.matmul(&Array::eye(3));
            made = |x, y, ids| {
                let ones = x * Array::zeros([2, 3]) + Array::ones([1, 3]);
                ones + Array::full([2, 1], 2.5) + Array::scalar(0.75) * x
            };
            made_like = |x, y, ids| {
                let shape = x.shape().to_vec();
                x * Array::ones(x.shape()) + Array::full(&shape, 1.5) - Array::zeros(shape)
            };
            from_numbers = |x, y, ids| {
                let (a, b) = (x.sum().to_scalar(), y.sum().to_scalar());
                x * a + Array::from_vec(vec![a, b, a * b], [3])
            };
            item = |x, y, ids| {
                let total = y.sum().item().unwrap();
                let more = if total > 0.0 { total } else { x.sum().to_scalar() };
                x * total.sin() + more
            };
            add = |x, y, ids| x + y;
            sub = |x, y, ids| x - y;
            mul = |x, y, ids| x * y;
            div = |x, y, ids| x / y;
            neg = |x, y, ids| -x;
            with_numbers = |x, y, ids| 2.0 - (3.0 * x + 1.5) / 4.0 + 0.5 / x;
            abs = |x, y, ids| x.abs();
            sqrt = |x, y, ids| x.sqrt();
            cbrt = |x, y, ids| x.cbrt();
            exp = |x, y, ids| x.exp();
            exp2 = |x, y, ids| x.exp2();
            exp_m1 = |x, y, ids| x.exp_m1();
            ln = |x, y, ids| x.ln();
            ln_1p = |x, y, ids| x.ln_1p();
            log2 = |x, y, ids| x.log2();
            log10 = |x, y, ids| x.log10();
            sin = |x, y, ids| x.sin();
            cos = |x, y, ids| x.cos();
            tan = |x, y, ids| x.tan();
            asin = |x, y, ids| x.asin();
            acos = |x, y, ids| x.acos();
            atan = |x, y, ids| x.atan();
            sinh = |x, y, ids| x.sinh();
            cosh = |x, y, ids| x.cosh();
            tanh = |x, y, ids| x.tanh();
            asinh = |x, y, ids| x.asinh();
            acosh = |x, y, ids| x.acosh();
            atanh = |x, y, ids| x.atanh();
            recip = |x, y, ids| x.recip();
            signum = |x, y, ids| x.signum();
            floor = |x, y, ids| x.floor();
            ceil = |x, y, ids| x.ceil();
            trunc = |x, y, ids| x.trunc();
            round = |x, y, ids| x.round();
            fract = |x, y, ids| x.fract();
            to_degrees = |x, y, ids| x.to_degrees();
            to_radians = |x, y, ids| x.to_radians();
            powi = |x, y, ids| x.powi(3);
            mapped = |x, y, ids| x.map(|v| if v > 0.0 { v * v.sin() } else { v.exp() });
            powf = |x, y, ids| x.abs().powf(y);
            atan2 = |x, y, ids| x.atan2(y);
            hypot = |x, y, ids| x.hypot(y);
            copysign = |x, y, ids| x.copysign(y);
            max = |x, y, ids| x.max(y);
            min = |x, y, ids| x.min(y);
            mul_add = |x, y, ids| x.mul_add(y, x);
            gt = |x, y, ids| x.gt(y).$cast();
            ge = |x, y, ids| x.ge(y).$cast();
            lt = |x, y, ids| x.lt(y).$cast();
            le = |x, y, ids| x.le(y).$cast();
            eq = |x, y, ids| x.eq_elements(y).$cast();
            ne = |x, y, ids| x.ne_elements(y).$cast();
            logic = |x, y, ids| (x.gt(0.0) & !y.gt(0.0) | (x.gt(1.0) ^ y.lt(1.0))).$cast();
            select = |x, y, ids| x.gt(y).select(&x.sin(), &(y * y));
            select_numbers = |x, y, ids| x.gt(0.5).select(&(x * x), 2.0) + x.gt(0.5).select(1.0, x);
            clamp = |x, y, ids| x.clamp(-1.0, 0.5);
            map2 = |x, y, ids| x.map2(y, |a, b| a.sin() * b + a);
            map3 = |x, y, ids| x.map3(y, &x.gt(0.0), |a, b, is| if is { a * a * b } else { b * 3.0 });
            casts = |x, y, ids| x * x.to_i32().$cast() + x.gt(0.0).to_u32().$cast();
            is_nan = |x, y, ids| x.is_nan().$cast();
            cast_floats = |x, y, ids| x.to_f32().to_f64().$cast() + x.to_f64().to_f32().$cast();
            sum_axis_0 = |x, y, ids| x.sum_axis(0);
            sum_axis_1 = |x, y, ids| x.sum_axis(1);
            sum_axes = |x, y, ids| x.sum_axis([0, 2]);
            sum_keep = |x, y, ids| x.sum_keep(1);
            sum_keeps = |x, y, ids| x.sum_keep([0, 2]);
            sum_all = |x, y, ids| x.sum();
            mean_axis_0 = |x, y, ids| x.mean_axis(0);
            mean_axis_1 = |x, y, ids| x.mean_axis(1);
            mean_axes = |x, y, ids| x.mean_axis([0, 2]);
            mean_keep = |x, y, ids| x.mean_keep(1);
            mean_keeps = |x, y, ids| x.mean_keep([0, 2]);
            mean_all = |x, y, ids| x.mean();
            prod_axis_0 = |x, y, ids| x.prod_axis(0);
            prod_axis_1 = |x, y, ids| x.prod_axis(1);
            prod_axes = |x, y, ids| x.prod_axis([0, 2]);
            prod_keep = |x, y, ids| x.prod_keep(1);
            prod_keeps = |x, y, ids| x.prod_keep([0, 2]);
            prod_all = |x, y, ids| x.prod();
            max_axis_0 = |x, y, ids| x.max_axis(0);
            max_axis_1 = |x, y, ids| x.max_axis(1);
            max_axes = |x, y, ids| x.max_axis([0, 2]);
            max_keep = |x, y, ids| x.max_keep(1);
            max_keeps = |x, y, ids| x.max_keep([0, 2]);
            max_all = |x, y, ids| x.amax();
            min_axis_0 = |x, y, ids| x.min_axis(0);
            min_axis_1 = |x, y, ids| x.min_axis(1);
            min_axes = |x, y, ids| x.min_axis([0, 2]);
            min_keep = |x, y, ids| x.min_keep(1);
            min_keeps = |x, y, ids| x.min_keep([0, 2]);
            min_all = |x, y, ids| x.amin();
            argmax_axis_0 = |x, y, ids| x.argmax_axis(0).$cast();
            argmax_axis_1 = |x, y, ids| x.argmax_axis(1).$cast();
            argmax_axes = |x, y, ids| x.argmax_axis([0, 2]).$cast();
            argmax_keep = |x, y, ids| x.argmax_keep(1).$cast();
            argmax_keeps = |x, y, ids| x.argmax_keep([0, 2]).$cast();
            argmax_all = |x, y, ids| x.argmax().$cast();
            argmin_axis_0 = |x, y, ids| x.argmin_axis(0).$cast();
            argmin_axis_1 = |x, y, ids| x.argmin_axis(1).$cast();
            argmin_axes = |x, y, ids| x.argmin_axis([0, 2]).$cast();
            argmin_keep = |x, y, ids| x.argmin_keep(1).$cast();
            argmin_keeps = |x, y, ids| x.argmin_keep([0, 2]).$cast();
            argmin_all = |x, y, ids| x.argmin().$cast();
            any_axis_0 = |x, y, ids| x.gt(0.0).any_axis(0).$cast();
            any_axis_1 = |x, y, ids| x.gt(0.0).any_axis(1).$cast();
            any_axes = |x, y, ids| x.gt(0.0).any_axis([0, 2]).$cast();
            any_keep = |x, y, ids| x.gt(0.0).any_keep(1).$cast();
            any_keeps = |x, y, ids| x.gt(0.0).any_keep([0, 2]).$cast();
            any_all = |x, y, ids| x.gt(0.0).any().$cast();
            all_axis_0 = |x, y, ids| x.gt(0.0).all_axis(0).$cast();
            all_axis_1 = |x, y, ids| x.gt(0.0).all_axis(1).$cast();
            all_axes = |x, y, ids| x.gt(0.0).all_axis([0, 2]).$cast();
            all_keep = |x, y, ids| x.gt(0.0).all_keep(1).$cast();
            all_keeps = |x, y, ids| x.gt(0.0).all_keep([0, 2]).$cast();
            all_all = |x, y, ids| x.gt(0.0).all().$cast();
            var_axis_0 = |x, y, ids| x.var_axis(0);
            var_axis_1 = |x, y, ids| x.var_axis(1);
            var_axes = |x, y, ids| x.var_axis([0, 2]);
            var_keep = |x, y, ids| x.var_keep(1);
            var_keeps = |x, y, ids| x.var_keep([0, 2]);
            var_all = |x, y, ids| x.var();
            std_axis_0 = |x, y, ids| x.std_axis(0);
            std_axis_1 = |x, y, ids| x.std_axis(1);
            std_axes = |x, y, ids| x.std_axis([0, 2]);
            std_keep = |x, y, ids| x.std_keep(1);
            std_keeps = |x, y, ids| x.std_keep([0, 2]);
            std_all = |x, y, ids| x.std();
            norm_axis_0 = |x, y, ids| x.norm_axis(0);
            norm_axis_1 = |x, y, ids| x.norm_axis(1);
            norm_axes = |x, y, ids| x.norm_axis([0, 2]);
            norm_keep = |x, y, ids| x.norm_keep(1);
            norm_keeps = |x, y, ids| x.norm_keep([0, 2]);
            norm_all = |x, y, ids| x.norm();
            logsumexp_axis_0 = |x, y, ids| x.logsumexp_axis(0);
            logsumexp_axis_1 = |x, y, ids| x.logsumexp_axis(1);
            logsumexp_axes = |x, y, ids| x.logsumexp_axis([0, 2]);
            logsumexp_keep = |x, y, ids| x.logsumexp_keep(1);
            logsumexp_keeps = |x, y, ids| x.logsumexp_keep([0, 2]);
            logsumexp_all = |x, y, ids| x.logsumexp();
            cumsum_0 = |x, y, ids| x.cumsum(0);
            cumsum_1 = |x, y, ids| x.cumsum(1);
            cumprod_0 = |x, y, ids| x.cumprod(0);
            cumprod_1 = |x, y, ids| x.cumprod(1);
            softmax_0 = |x, y, ids| x.softmax(0);
            softmax_1 = |x, y, ids| x.softmax(1);
            log_softmax_0 = |x, y, ids| x.log_softmax(0);
            log_softmax_1 = |x, y, ids| x.log_softmax(1);
            matmul = |x, y, ids| x.matmul(y);
            matmul_transposed = |x, y, ids| {
                let turned = y.swap_axes(y.ndim() - 2, y.ndim() - 1);
                x.swap_axes(x.ndim() - 2, x.ndim() - 1).matmul(&turned)
            };
            dot = |x, y, ids| x.dot(y);
            outer = |x, y, ids| x.outer(y);
            attention = |x, y, ids| {
                let scores = x.matmul(&y.swap_axes(1, 2));
                let mask = Array::<$t>::ones([3, 3]).tril(0).gt(0.0);
                mask.select(&scores, $t::NEG_INFINITY).softmax(2).matmul(y)
            };
        }
    };
}

mod double {
    all!(f64 to_f64);
}
mod single {
    all!(f32 to_f32);
}

/// A float type that is compared with JAX.
trait Compared: FloatElement + Into<f64> {
    /// How far a number may be from JAX's, as a part of the largest of its array.
    const TOLERANCE: f64;
    /// A unit in the last place of 1.
    const EPSILON: f64;
}
impl Compared for f64 {
    const TOLERANCE: f64 = 1e-11;
    const EPSILON: f64 = f64::EPSILON;
}
impl Compared for f32 {
    const TOLERANCE: f64 = 1e-5;
    const EPSILON: f64 = f32::EPSILON as f64;
}

/// What the derivations of a function give.
struct Found<T> {
    value: Array<T>,
    gradient: [Array<T>; 2],
    derivative: Array<T>,
    product: [Array<T>; 2],
}

/// A call: two arrays, places, weights, a direction.
struct Given<T> {
    x: Array<T>,
    y: Array<T>,
    ids: Array<u32>,
    w: Array<T>,
    dx: Array<T>,
    dy: Array<T>,
}

fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().expect("inf, -inf or nan"),
        other => other.as_f64().expect("a number"),
    }
}

/// What JAX says of an array.
enum Expected {
    /// All its elements.
    Elements(Vec<f64>),
    /// Of a large one the sum of its elements with weights, and the sum of the sizes of what is summed.
    Sum(f64, f64),
}

fn shape(value: &Value) -> Vec<usize> {
    let extents = value["shape"].as_array().expect("a shape").iter();
    let extents = extents.map(|n| n.as_u64().expect("an extent") as usize);
    extents.collect()
}

fn expected(value: &Value) -> Expected {
    match value["data"].as_array() {
        Some(data) => Expected::Elements(data.iter().map(number).collect()),
        None => Expected::Sum(number(&value["sum"]), number(&value["size"])),
    }
}

/// The elements of an argument. Those of a large one are numbers for a seed, as `cases.py` has them.
fn elements(value: &Value) -> Vec<f64> {
    let Some(seed) = value["seed"].as_u64() else {
        let data = value["data"].as_array().expect("a list").iter();
        return data.map(number).collect();
    };
    let count = shape(value).iter().product::<usize>() as u64;
    let numbers = (seed..seed + count).map(|i| 2 * (i * 7919 % 10_007));
    numbers.map(|n| (n as f64 - 10_007.0) / 4096.0).collect()
}

fn weight(i: usize) -> f64 {
    (1.0 + i as f64).cos()
}

/// How the elements of an argument lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// One after the other.
    Dense,
    /// As those of the array with all axes in the opposite order.
    Turned,
    /// Within a larger array.
    Part,
}

fn array<T: Compared>(device: &Device, value: &Value, layout: Layout) -> Array<T> {
    let data: Vec<T> = elements(value).into_iter().map(T::from_f64).collect();
    let shape = shape(value);
    let dense = Array::from_vec_on(&Device::cpu(), data, &shape);
    let array = match layout {
        Layout::Dense => dense,
        Layout::Turned => {
            let back: Vec<usize> = (0..shape.len()).rev().collect();
            let turned = dense.permute(&back);
            let data = turned.to_vec().expect("elements");
            let there = Array::from_vec_on(device, data, turned.shape());
            return there.permute(&back);
        }
        Layout::Part => (0..shape.len()).fold(dense, |x, axis| x.pad(axis, 1, 2)),
    };
    let there = array.to_device(device);
    match layout {
        Layout::Part => { (0..shape.len()).zip(shape) }
            .fold(there, |x, (axis, extent)| x.narrow(axis, 1, extent)),
        _ => there,
    }
}

/// The cases of one function.
fn cases(name: &str) -> Vec<Value> {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("array_operations/cases.json")).expect("JSON");
    let found: Vec<Value> = all
        .into_iter()
        .filter(|case| case["name"] == name)
        .collect();
    assert!(!found.is_empty(), "no case of {name}");
    found
}

/// Fails unless a number is JAX's, NaN and infinities too, as far as rounding allows where the numbers that it is made of have this size.
fn close<T: Compared>(what: &str, x: f64, y: f64, size: f64) {
    let same = x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= T::TOLERANCE * size;
    assert!(same, "{what}: {x}, JAX says {y}");
}

/// Functions whose products with Hessians are differences of equal terms, of about 1: what is left of these is rounding, and JAX's is another one. Their
/// products may be off by a few units in the last place of 1; all other numbers by the tolerance times the largest of their array alone.
const CANCELLED: &[&str] = &["softmax_", "logsumexp_", "norm_", "std_"];

/// Fails unless an array is JAX's. `terms`: the size of the terms that cancel each other in its elements.
fn same<T: Compared>(what: &str, found: &Array<T>, value: &Value, terms: f64) {
    let elements = found
        .to_vec()
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(found.shape(), shape(value), "{what}");
    let wide = elements.into_iter().map(Into::into);
    match expected(value) {
        Expected::Elements(data) => {
            let finite = data.iter().filter(|x| x.is_finite());
            let largest = finite.fold(0.0, |largest: f64, x| largest.max(x.abs()));
            let size = largest.max(terms * 4.0 * T::EPSILON / T::TOLERANCE);
            for (i, (x, y)) in wide.zip(data).enumerate() {
                close::<T>(&format!("{what}, element {i}"), x, y, size);
            }
        }
        Expected::Sum(sum, size) => {
            let terms = wide.enumerate().map(|(i, x)| x * weight(i));
            close::<T>(what, terms.sum(), sum, size);
        }
    }
}

/// Fails unless the one element is JAX's number, or its sum over an array with weights.
fn same_sum<T: Compared>(what: &str, found: &Array<T>, expected: &Expected) {
    let (sum, size) = match expected {
        Expected::Elements(data) => {
            let terms = data.iter().enumerate().map(|(i, x)| x * weight(i));
            let sum: f64 = terms.sum();
            (sum, sum.abs().max(1.0))
        }
        Expected::Sum(sum, size) => (*sum, *size),
    };
    let found = found
        .item()
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    close::<T>(what, found.into(), sum, size);
}

/// Functions whose derivatives are JAX's at NaN and infinities, too. Those of others are whatever formulas give there.
const SAME_AT_SPECIALS: &[&str] = &[
    "all_all",
    "any_all",
    "argmax_axis_1",
    "argmin_axis_1",
    "eq",
    "ge",
    "gt",
    "le",
    "logic",
    "logsumexp_all",
    "lt",
    "ne",
    "select",
    "select_numbers",
    "add",
    "sub",
    "neg",
    "max",
    "min",
    "is_nan",
];

/// Natively, these make arrays on the default device.
const ON_DEFAULT: &[&str] = &[
    "arange",
    "attention",
    "eye",
    "from_numbers",
    "made",
    "made_like",
];

/// The derivations of a function in a context.
type Derivations<T> = Box<dyn Fn(&Given<T>) -> mooncake::Result<Found<T>>>;

/// The parts of a case that are numbers.
const NUMBERS: [&str; 5] = ["args", "value", "gradient", "derivative", "product"];

/// Whether all numbers are finite. JSON has no others, so these are text.
fn all_finite(numbers: &Value) -> bool {
    match numbers {
        Value::String(_) => false,
        Value::Array(items) => items.iter().all(all_finite),
        Value::Object(fields) => fields.values().all(all_finite),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// Compares one function with JAX on a device.
fn compare<T: Compared>(
    name: &str,
    device: &Device,
    natively: fn(&Array<T>, &Array<T>, &Array<u32>) -> Array<T>,
    derivations: fn(&Context) -> mooncake::Result<Derivations<T>>,
) {
    let ctx = Context::builder().device(device.clone()).build().unwrap();
    let derive = derivations(&ctx).unwrap_or_else(|error| panic!("{name}: {error}"));
    let ctx = Context::builder()
        .device(device.clone())
        .debug(true)
        .build()
        .unwrap();
    let checked = derivations(&ctx).unwrap_or_else(|error| panic!("{name}: {error}"));
    // A GPU compiles kernels anew for each.
    let layouts = match device.is_gpu() {
        true => &[Layout::Dense, Layout::Part][..],
        false => &[Layout::Dense, Layout::Turned, Layout::Part],
    };
    for (n, case) in cases(name).iter().enumerate() {
        // Where elements lie is a matter of one case.
        let count = if n == 0 { layouts.len() } else { 1 };
        for layout in &layouts[..count] {
            let what = format!(
                "{name} of {} and {} ({layout:?}), of {} on {device}",
                case["args"][0],
                case["args"][1],
                std::any::type_name::<T>()
            );
            compare_case(&what, name, device, case, *layout, natively, &derive);
        }
        // Debug mode has nothing to say where all numbers are finite and there are some: the mean of nothing is 0 by 0.
        let some = !elements(&case["args"][0]).is_empty();
        if !device.is_gpu() && some && NUMBERS.iter().all(|part| all_finite(&case[part])) {
            let what = format!("{name} in debug mode");
            compare_case(&what, name, device, case, Layout::Dense, natively, &checked);
        }
    }
}

fn compare_case<T: Compared>(
    what: &str,
    name: &str,
    device: &Device,
    case: &Value,
    layout: Layout,
    natively: fn(&Array<T>, &Array<T>, &Array<u32>) -> Array<T>,
    derive: &Derivations<T>,
) {
    let what = |part: &str| format!("{part} of {what}");
    let value = expected(&case["value"]);
    let extents = shape(&case["value"]);
    let weights = (0..extents.iter().product()).map(|i| T::from_f64(weight(i)));
    let given = Given {
        x: array(device, &case["args"][0], layout),
        y: array(device, &case["args"][1], layout),
        ids: Array::from_vec_on(device, vec![2, 0, 1, 2], [2, 2]),
        w: Array::from_vec_on(device, weights.collect(), &extents),
        dx: array(device, &case["direction"][0], layout),
        dy: array(device, &case["direction"][1], layout),
    };
    if !ON_DEFAULT.contains(&name) || *device == Device::from_env().unwrap() {
        let found = natively(&given.x, &given.y, &given.ids);
        same(&what("value"), &found, &case["value"], 0.0);
    }
    let found = derive(&given).unwrap_or_else(|error| panic!("{}: {error}", what("derivation")));
    same_sum(&what("weighted sum"), &found.value, &value);
    // The value is compared all the same.
    let arguments = [0, 1].map(|n| elements(&case["args"][n]));
    let mut numbers: Vec<f64> = arguments.concat();
    if let Expected::Elements(data) = &value {
        numbers.extend(data);
    }
    if numbers.iter().any(|x| !x.is_finite()) && !SAME_AT_SPECIALS.contains(&name) {
        return;
    }
    // Compilers for GPUs may take `a − a` for 0, also where it is NaN, as it is where all elements are equal.
    if let Expected::Elements(data) = &value
        && device.is_gpu()
        && name.starts_with("std_")
        && data.contains(&0.0)
    {
        return;
    }
    for n in 0..2 {
        let (gradient, product) = (&case["gradient"][n], &case["product"][n]);
        let cancels = CANCELLED.iter().any(|start| name.starts_with(start));
        let terms = if cancels { 1.0 } else { 0.0 };
        same(&what("gradient"), &found.gradient[n], gradient, 0.0);
        same(&what("Hessian product"), &found.product[n], product, terms);
    }
    let derivative = match &case["derivative"] {
        large @ Value::Object(_) => expected(large),
        one => {
            let one = number(one);
            Expected::Sum(one, one.abs().max(1.0))
        }
    };
    same_sum(&what("derivative"), &found.derivative, &derivative);
}

/// The GPU, if there is one; with `MOONCAKE_REQUIRE_GPU=1` there must be.
fn gpu() -> Option<Device> {
    match Device::gpu() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            let required = std::env::var("MOONCAKE_REQUIRE_GPU").is_ok_and(|v| v == "1");
            assert!(!required, "MOONCAKE_REQUIRE_GPU=1, but: {error}");
            eprintln!("not tested on a GPU: {error}");
            None
        }
    }
}

/// What one function gives when it is derived.
macro_rules! derived {
    ($f:ty) => {
        |ctx| {
            let (hvp, frule) = (ctx.build_hvp::<$f>()?, ctx.build_frule::<$f>()?);
            Ok(Box::new(move |g| {
                let arguments = (&g.x, &g.y, Const(&g.ids), Const(&g.w));
                let (value, gradient, product) =
                    hvp.value_gradient_and_hvp(arguments, (&g.dx, &g.dy, (), ()))?;
                let (_, derivative) = frule
                    .value_and_derivative((&g.x, &g.y, &g.ids, &g.w), (&g.dx, &g.dy, (), ()))?;
                Ok(Found {
                    value,
                    gradient: [gradient.0, gradient.1],
                    derivative,
                    product: [product.0, product.1],
                })
            }))
        }
    };
}

macro_rules! tests {
    ($($group:ident: $($name:ident)*;)*) => {$(
        mod $group {
            use super::*;
            $(
                mod $name {
                    use super::*;
                    fn on(device: &Device) {
                        compare(stringify!($name), device, double::natively::$name, derived!(double::$name));
                        compare(stringify!($name), device, single::natively::$name, derived!(single::$name));
                    }
                    #[test]
                    fn on_the_cpu() {
                        on(&Device::cpu());
                    }
                    #[test]
                    fn on_the_gpu() {
                        gpu().iter().for_each(on);
                    }
                }
            )*
        }
    )*};
}
tests! {
    slices_and_orders:
        slice_ranges slice_steps slice_open slice_closed slice_none slice_last slice_transposed
        with_slice with_steps with_number t swap_axes narrow index_axis expand_dims squeeze flip
        roll roll_back pad pad_with concat concat_last concat_list stack stack_list permute reshape_list reshape_transposed reshape_flat
        reshape_reversed broadcast_list broadcast_like split split_list repeat insert_axis tril tril_above triu
        triu_below;
    by_place:
        take_rows take_columns take_numbers take_line gather scatter scatter_rows scatter_columns one_hot arange eye made made_like
        from_numbers item;
    arithmetic:
        add sub mul div neg with_numbers abs sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos
        tan asin acos atan sinh cosh tanh asinh acosh atanh recip signum floor ceil trunc round
        fract to_degrees to_radians powi mapped powf atan2 hypot copysign max min mul_add;
    choices:
        gt ge lt le eq ne logic select select_numbers clamp map2 map3 casts cast_floats is_nan;
    reductions:
        sum_axis_0 sum_axis_1 sum_axes sum_keep sum_keeps sum_all mean_axis_0 mean_axis_1 mean_axes
        mean_keep mean_keeps mean_all prod_axis_0 prod_axis_1 prod_axes prod_keep prod_keeps
        prod_all;
    extremes:
        max_axis_0 max_axis_1 max_axes max_keep max_keeps max_all min_axis_0 min_axis_1 min_axes
        min_keep min_keeps min_all argmax_axis_0 argmax_axis_1 argmax_axes argmax_keep argmax_keeps
        argmax_all argmin_axis_0 argmin_axis_1 argmin_axes argmin_keep argmin_keeps argmin_all
        any_axis_0 any_axis_1 any_axes any_keep any_keeps any_all all_axis_0 all_axis_1 all_axes
        all_keep all_keeps all_all;
    statistics:
        var_axis_0 var_axis_1 var_axes var_keep var_keeps var_all std_axis_0 std_axis_1 std_axes
        std_keep std_keeps std_all norm_axis_0 norm_axis_1 norm_axes norm_keep norm_keeps norm_all
        logsumexp_axis_0 logsumexp_axis_1 logsumexp_axes logsumexp_keep logsumexp_keeps
        logsumexp_all;
    scans_and_products:
        cumsum_0 cumsum_1 cumprod_0 cumprod_1 softmax_0 softmax_1 log_softmax_0 log_softmax_1 matmul matmul_transposed dot outer attention;
}

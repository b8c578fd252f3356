//! Array programs in few kernels: how many there are, and that they give what the operations give one by one (a debug context).

#[path = "support/devices.rs"]
mod common;

use common::devices;
use mooncake::ir::Type;
use mooncake::prelude::*;
use mooncake::testing::{Ran, kernels_run, submissions};

/// The programs, for one type of numbers.
macro_rules! programs {
    ($t:ident) => {
        #[differentiable]
        pub fn cosexp(x: &Array<$t>) -> $t {
            x.exp().cos().sum().to_scalar()
        }

        /// Twenty operations, and the sum.
        #[differentiable]
        pub fn chain(x: &Array<$t>) -> $t {
            let y = (x * 1.01 + 0.5).sin();
            let y = (&y * &y + 1.0).sqrt();
            let y = (y - x).tanh();
            let y = (y * 0.5).exp();
            let y = &y / (&y + 1.0);
            let y = (y + 0.1).ln();
            let y = (y * x).cos();
            ((y * 2.0 - 1.0).atan() * 0.9).sum().to_scalar()
        }

        #[differentiable]
        pub fn layer_norm(x: &Array<$t>, g: &Array<$t>, b: &Array<$t>) -> $t {
            let n = x.dim(1) as $t;
            let c = x - &(x.sum_axis(1) / n).expand_dims(1);
            let v = ((&c * &c).sum_axis(1) / n + 1e-5).sqrt().expand_dims(1);
            let y = c / v * g + b;
            (&y * &y).sum().to_scalar()
        }

        #[differentiable]
        pub fn cross_entropy(x: &Array<$t>, p: &Array<$t>) -> $t {
            -(x.log_softmax(1) * p).sum().to_scalar()
        }

        /// The loss of classes that are told by number.
        #[differentiable]
        pub fn labels(x: &Array<$t>, l: &Array<u32>) -> $t {
            -x.log_softmax(1).gather(1, l).mean().to_scalar()
        }

        /// Indices that are repeated along the other axis, and an array that is repeated.
        #[differentiable]
        pub fn embedded(x: &Array<$t>, l: &Array<u32>) -> $t {
            let y = (x * 0.5).exp() + x.sum_axis(0) * 0.1;
            let z = y.gather(0, l).sin();
            (&z * &z).sum().to_scalar() * (&y * &y).sum().to_scalar()
        }

        /// Neighbours on a ring.
        #[differentiable]
        pub fn ring(x: &Array<$t>) -> $t {
            let y = x.roll(0, 1) * x + x.roll(0, -2);
            (&y * &y).sum().to_scalar()
        }

        /// Differences of neighbours, as in the denoising of images.
        #[differentiable]
        pub fn variation(x: &Array<$t>) -> $t {
            let (n, m) = (x.dim(0), x.dim(1));
            let down = x.slice((1..n, ..)) - x.slice((0..n - 1, ..));
            let right = x.slice((.., 1..m)) - x.slice((.., 0..m - 1));
            ((&down * &down).sum() + (&right * &right).sum()).to_scalar()
        }

        /// Four neighbours, and zeros around the array.
        #[differentiable]
        pub fn laplacian(x: &Array<$t>) -> $t {
            let (n, m) = (x.dim(0), x.dim(1));
            let p = x.sin().pad(0, 1, 1).pad(1, 1, 1);
            let around = p.slice((0..n, 1..m + 1)) + p.slice((2..n + 2, 1..m + 1));
            let around = around + p.slice((1..n + 1, 0..m)) + p.slice((1..n + 1, 2..m + 2));
            let y = around - x * 4.0;
            (&y * &y).sum().to_scalar()
        }

        /// Computed arrays beside each other.
        #[differentiable]
        pub fn beside(x: &Array<$t>, y: &Array<$t>) -> $t {
            let z = (x * 2.0).concat(&(y + 1.0), 1);
            (z.sin() * &z).sum().to_scalar()
        }

        /// A step in the middle of an array, whose border stays.
        #[differentiable]
        pub fn border(x: &Array<$t>) -> $t {
            let n = x.dim(0);
            let middle = x.slice(1..n - 1);
            let new = &middle + (x.slice(2..n) - middle.sin()) * 0.1;
            let y = x.with_slice(1..n - 1, &new);
            (&y * &y).sum().to_scalar()
        }

        /// Some steps of a wave on a ring, and of heat between borders.
        #[differentiable]
        pub fn steps(x: &Array<$t>) -> $t {
            let n = x.dim(0);
            let (mut heat, mut wave) = (x.clone(), x * 0.5);
            for step in 0..4 {
                let middle = heat.slice(1..n - 1);
                let around = heat.slice(2..n) + heat.slice(0..n - 2);
                heat = heat.with_slice(1..n - 1, &(&middle + (around - &middle * 2.0) * 0.2));
                let around = wave.roll(0, 1) + wave.roll(0, -1) + wave.roll(1, step);
                wave = (around * 0.3 + &heat).sin();
            }
            (&heat * &wave).sum().to_scalar()
        }

        /// Rows of a table by number, with elementwise work before and after.
        #[differentiable]
        pub fn words(table: &Array<$t>, l: &Array<u32>) -> $t {
            let rows = (table * 0.5).sin().gather(0, l);
            (rows.tanh() * 2.0).sum().to_scalar()
        }

        /// The same with an index of one axis.
        #[differentiable]
        pub fn taken(table: &Array<$t>, l: &Array<u32>) -> $t {
            let rows = (table * 0.5).sin().take(0, l);
            (rows.tanh() * 2.0).sum().to_scalar()
        }

        /// Elements that an index chooses which is computed on the device.
        #[differentiable]
        pub fn computed_index(x: &Array<$t>, at: &Array<$t>) -> $t {
            let chosen = x.gather(0, &at.to_u32());
            (chosen * 2.0).exp().sum().to_scalar()
        }

        /// Rows that are the same, of which an index chooses one for each column.
        #[differentiable]
        pub fn repeated_rows(x: &Array<$t>, l: &Array<u32>) -> $t {
            let rows = x.exp().broadcast_to([3, x.dim(0)]);
            (rows * 2.0).gather(0, l).sum().to_scalar()
        }

        /// Reductions of integers: the places of the greatest elements, and how many elements are great.
        #[differentiable]
        pub fn counted(x: &Array<$t>) -> $t {
            let places = x.argmax_axis(1) + x.gt(0.5).to_u32().sum_axis(1);
            let odd = places.gt(3).expand_dims(1);
            odd.select(&(x * x), 0.0).sum().to_scalar()
        }

        #[differentiable]
        pub fn softmax_of_columns(x: &Array<$t>, w: &Array<$t>) -> $t {
            (x.softmax(0) * w).sum().to_scalar()
        }

        #[differentiable]
        pub fn log_sum_exp(x: &Array<$t>, g: &Array<$t>) -> $t {
            ((x.exp() * 2.0 + 1.0).sum_axis(1).ln() * g)
                .sum()
                .to_scalar()
        }

        #[differentiable]
        pub fn two_layers(x: &Array<$t>, w: &Array<$t>, b: &Array<$t>, v: &Array<$t>) -> $t {
            let h = (x.matmul(w) + b).tanh();
            let y = h.matmul(v);
            (&y * &y).mean().to_scalar()
        }

        /// Attention of two heads that looks back only.
        #[differentiable]
        pub fn attention(q: &Array<$t>, k: &Array<$t>, v: &Array<$t>) -> $t {
            let scores = q.matmul(&k.swap_axes(1, 2)) * 0.5;
            let mask = Array::<$t>::ones([6, 6]).tril(0).gt(0.0);
            let y = mask.select(&scores, $t::NEG_INFINITY).softmax(2).matmul(v);
            (&y * &y).sum().to_scalar()
        }

        #[differentiable]
        pub fn turned(x: &Array<$t>, y: &Array<$t>) -> $t {
            let z = x.t() * y;
            (z.sum_axis(0) * x.max_axis(1)).sum().to_scalar() * z.mean().to_scalar()
        }

        #[differentiable]
        pub fn cosexp_as_array(x: &Array<$t>) -> Array<$t> {
            x.exp().cos().sum()
        }

        #[differentiable]
        pub fn cross_entropy_as_array(x: &Array<$t>, p: &Array<$t>) -> Array<$t> {
            -(x.log_softmax(1) * p).sum()
        }

        /// A result of three axes, and one that is added to in a loop.
        #[differentiable]
        pub fn added(x: &Array<$t>) -> Array<$t> {
            let mut sum = x.narrow(0, 0, 1).sum().reshape([1, 1, 1]);
            for n in 0..x.dim(0) {
                sum += x.index_axis(0, n).sin().sum();
            }
            sum
        }

        /// A reduction that is a result, and that a kernel for points computes for itself.
        #[differentiable]
        pub fn exp_and_columns(x: &Array<$t>) -> (Array<$t>, Array<$t>, Array<$t>) {
            let (e, columns) = (x.exp(), x.t().sum_axis(1));
            let product = &e * &columns;
            (e, columns, product)
        }

        /// Parts of an argument and of what a kernel makes, and the argument with other axes.
        #[differentiable]
        pub fn parts(x: &Array<$t>, n: usize) -> (Array<$t>, Array<$t>, Array<$t>) {
            let e = x.exp();
            (x.index_axis(1, n), e.narrow(0, n, 2), x.t())
        }

        /// An extent that an element decides.
        #[differentiable]
        pub fn first_ones(x: &Array<$t>) -> $t {
            let count = x.max_axis(0).to_scalar() as usize;
            (x.narrow(0, 0, count) * 2.0).exp().sum().to_scalar()
        }

        #[differentiable]
        pub fn repeated(x: &Array<$t>, y: &Array<$t>) -> $t {
            let z = (x + &y.exp()).reshape([6, 2]);
            let mut s = z.narrow(0, 1, 4).sum_axis(1).flip(0).sum();
            for n in 0..3 {
                s = (s * z.index_axis(0, n).sum()).sin();
            }
            s.to_scalar()
        }

        #[differentiable]
        pub fn thin(x: &Array<$t>, y: &Array<$t>, m: &Array<$t>) -> $t {
            let outer = x.expand_dims(1).matmul(&y.expand_dims(0));
            let row = x.expand_dims(0).matmul(m);
            let column = m.matmul(&y.expand_dims(1));
            let numbers = x.matmul(m).matmul(y) + x.matmul(x) * m.matmul(y).sum();
            ((outer * m).sum() + (row.sin() * y).sum() + (column.t() * x).sum() + numbers)
                .to_scalar()
        }

        #[differentiable]
        pub fn recurrent(x: &Array<$t>, w: &Array<$t>, v: &Array<$t>) -> $t {
            let mut h = x.index_axis(0, 0).tanh();
            let mut s = 0.0;
            for n in 1..x.dim(0) {
                h = (x.index_axis(0, n).matmul(w) + h.matmul(v)).tanh();
                h = &h * &h.sum();
                s += h.sum().to_scalar();
            }
            s
        }

        #[differentiable]
        pub fn reshaped(x: &Array<$t>) -> $t {
            (x.exp().reshape([6, 2]) * 2.0).sum().to_scalar()
        }
    };
}

mod double {
    use mooncake::prelude::*;
    programs!(f64);
}

/// What a GPU holds.
mod single {
    use mooncake::prelude::*;
    programs!(f32);
}

fn array<T: Number>(device: &Device, shape: &[usize], seed: usize) -> Array<T> {
    let count: usize = shape.iter().product();
    let data = (0..count).map(|n| T::of(((n * 37 + seed * 11) % 101) as f64 / 50.0 - 1.0));
    Array::from_vec_on(device, data.collect(), shape)
}

/// A type of numbers that programs are tested with.
trait Number: mooncake::Element {
    /// What sums may differ by.
    const TOLERANCE: f64;
    fn of(x: f64) -> Self;
    fn double(self) -> f64;
}

impl Number for f64 {
    const TOLERANCE: f64 = 1e-12;
    fn of(x: f64) -> f64 {
        x
    }
    fn double(self) -> f64 {
        self
    }
}

impl Number for f32 {
    const TOLERANCE: f64 = 2e-5;
    fn of(x: f64) -> f32 {
        x as f32
    }
    fn double(self) -> f64 {
        self.into()
    }
}

/// How many kernels there were, and what else.
#[derive(Default, PartialEq, Debug)]
struct Count {
    kernels: usize,
    /// Those that make a matrix product and take its elements as they are made.
    of_products: usize,
    operations: Vec<String>,
}

impl Count {
    fn of(ran: &[Ran]) -> Count {
        let others = ran.iter().filter(|ran| !ran.is_kernel());
        Count {
            kernels: ran.iter().filter(|ran| ran.is_kernel()).count(),
            of_products: { ran.iter() }
                .filter(|ran| ran.to_string().starts_with("matmul of"))
                .count(),
            operations: others
                .map(|ran| ran.to_string().trim().to_owned())
                .collect(),
        }
    }
    /// At most so many kernels, and nothing else.
    #[track_caller]
    fn is_at_most(&self, kernels: usize) {
        let few = (1..=kernels).contains(&self.kernels);
        assert!(few && self.operations.is_empty(), "{self:?}");
    }
}

/// A result that is one number.
trait One {
    fn double(self) -> f64;
}
impl One for f32 {
    fn double(self) -> f64 {
        self.into()
    }
}
impl One for f64 {
    fn double(self) -> f64 {
        self
    }
}
impl<T: Number> One for Array<T> {
    fn double(self) -> f64 {
        Number::double(self.item().unwrap())
    }
}

macro_rules! arguments {
    ($device:expr, $(($shape:expr, $seed:expr)),+) => {
        ($(array($device, &$shape, $seed),)+)
    };
    ($device:expr, ($shape:expr, $seed:expr); $index:expr) => {
        WithIndex(array($device, &$shape, $seed), $index)
    };
}

/// Value and gradients in a plain context, twice, are those of a debug context; gives what ran.
macro_rules! kernels {
    ($device:expr, $function:path, $(($shape:expr, $seed:expr)),+ $(; $index:expr)?) => {{
        let device: &Device = $device;
        let context = |debug| Context::builder().device(device.clone()).debug(debug).build().unwrap();
        let one_by_one = context(true).build_rrule::<$function>().unwrap();
        let rule = context(false).build_rrule::<$function>().unwrap();
        let arguments = arguments!(device, $(($shape, $seed)),+ $(; $index)?);
        let (expected, gradients) = one_by_one.value_and_gradient(arguments.lent()).unwrap();
        let (expected, wanted) = (One::double(expected), gradients.numbers());
        let tolerance = |of: f64| arguments.tolerance() * of.abs().max(1.0);
        let mut count = Count::default();
        for _ in 0..2 {
            let (done, ran) = kernels_run(|| rule.value_and_gradient(arguments.lent()));
            let (value, found) = done.unwrap();
            let value = One::double(value);
            assert!((value - expected).abs() <= tolerance(expected), "{value} instead of {expected}");
            let scale = wanted.iter().fold(1.0f64, |a, x| a.max(x.abs()));
            for (n, (a, b)) in found.numbers().iter().zip(&wanted).enumerate() {
                assert!((a - b).abs() <= tolerance(scale), "element {n}: {a} instead of {b}");
            }
            count = Count::of(&ran);
        }
        count
    }};
}

/// Arguments.
trait Arrays {
    type Lent<'a>
    where
        Self: 'a;
    fn lent(&self) -> Self::Lent<'_>;
    fn tolerance(&self) -> f64;
}

/// Gradients.
trait Numbers {
    fn numbers(&self) -> Vec<f64>;
}

macro_rules! arrays {
    ($($name:ident)+) => {
        #[allow(non_snake_case)]
        impl<T: Number> Arrays for ($(arrays!(@ty $name),)+) {
            type Lent<'a> = ($(&'a arrays!(@ty $name),)+);
            fn lent(&self) -> Self::Lent<'_> {
                let ($($name,)+) = self;
                ($($name,)+)
            }
            fn tolerance(&self) -> f64 {
                T::TOLERANCE
            }
        }
        #[allow(non_snake_case)]
        impl<T: Number> Numbers for ($(arrays!(@ty $name),)+) {
            fn numbers(&self) -> Vec<f64> {
                let ($($name,)+) = self;
                let all = [$($name.to_vec().unwrap()),+].concat();
                all.into_iter().map(T::double).collect()
            }
        }
    };
    (@ty $name:ident) => { Array<T> };
}
/// An array, and an index.
struct WithIndex<T: Number>(Array<T>, Array<u32>);
impl<T: Number> Arrays for WithIndex<T> {
    type Lent<'a> = (&'a Array<T>, &'a Array<u32>);
    fn lent(&self) -> Self::Lent<'_> {
        (&self.0, &self.1)
    }
    fn tolerance(&self) -> f64 {
        T::TOLERANCE
    }
}
impl<T: Number> Numbers for (Array<T>, ()) {
    fn numbers(&self) -> Vec<f64> {
        let all = self.0.to_vec().unwrap();
        all.into_iter().map(T::double).collect()
    }
}
arrays!(A);
arrays!(A B);
arrays!(A B C);
arrays!(A B C D);

/// The same on all devices: f32 on all, and f64 on those that hold it.
macro_rules! on_devices {
    (|$device:ident, $module:ident| $body:block) => {{
        use double as $module;
        for $device in &devices() {
            if $device.holds(Type::F64) {
                $body
            }
        }
    }
    for $device in &devices() {
        use single as $module;
        $body
    }};
}

#[test]
fn integers_are_reduced_in_kernels() {
    on_devices!(|device, of| {
        for count in [
            kernels!(device, of::counted, ([6, 5], 1)),
            kernels!(device, of::counted, ([300, 1000], 2)),
        ] {
            assert_eq!(count.operations, ["operation arange"]);
            assert!(count.kernels <= 2, "{count:?}");
        }
    });
}

/// The derivative of an array that is moved around is one that is moved back, not parts that are put into zeros and added.
#[test]
fn what_is_rolled_is_rolled_back() {
    on_devices!(|device, of| {
        for shape in [[7, 1], [40, 3]] {
            let count = kernels!(device, of::ring, (shape, 1));
            // On the CPU a plan of small arrays moves the elements.
            let moved = if *device == Device::cpu() { 4 } else { 0 };
            assert_eq!(count.operations, vec!["operation roll"; moved]);
            assert!(count.kernels <= 3, "{count:?}");
        }
    });
}

/// Kernels read what is shifted, padded or put beside each other where it is, and so do their gradients.
#[test]
fn neighbours_are_read_where_they_are() {
    on_devices!(|device, of| {
        kernels!(device, of::ring, ([1500, 3], 1)).is_at_most(1);
        kernels!(device, of::variation, ([70, 33], 1)).is_at_most(4);
        kernels!(device, of::laplacian, ([70, 33], 1)).is_at_most(4);
        kernels!(device, of::beside, ([70, 33], 1), ([70, 20], 2)).is_at_most(2);
        kernels!(device, of::border, ([70, 33], 1)).is_at_most(4);
        // Two for each of four steps, two for each of their derivatives, and three outside of the loops.
        kernels!(device, of::steps, ([1500, 3], 1)).is_at_most(19);
    });
}

#[test]
fn elementwise_gradients_are_one_kernel() {
    on_devices!(|device, of| {
        kernels!(device, of::cosexp, ([1000], 1)).is_at_most(1);
        kernels!(device, of::chain, ([1001], 1)).is_at_most(1);
        kernels!(device, of::chain, ([30, 1, 7], 1)).is_at_most(1);
        // A result that is an array is no reason for more.
        kernels!(device, of::cosexp_as_array, ([1000], 1)).is_at_most(1);
        kernels!(device, of::added, ([5, 3], 1));
        // Enough for several threads.
        kernels!(device, of::cosexp, ([300, 1000], 1)).is_at_most(1);
    });
}

#[test]
fn normalised_rows_stay_in_a_kernel() {
    on_devices!(|device, of| {
        kernels!(device, of::layer_norm, ([33, 20], 1), ([20], 2), ([20], 3)).is_at_most(2);
        kernels!(device, of::cross_entropy, ([17, 9], 1), ([17, 9], 2)).is_at_most(3);
        kernels!(
            device,
            of::cross_entropy_as_array,
            ([17, 9], 1),
            ([17, 9], 2)
        )
        .is_at_most(3);
        kernels!(device, of::log_sum_exp, ([9, 31], 1), ([9], 2)).is_at_most(3);
        kernels!(device, of::softmax_of_columns, ([9, 31], 1), ([9, 31], 2)).is_at_most(3);
    });
}

/// The kernel reads through the index what the labels choose.
#[test]
fn classes_by_number_are_one_kernel_and_its_finish() {
    on_devices!(|device, of| {
        let index = |shape: &[usize], extent: usize| {
            let count: usize = shape.iter().product();
            let data = (0..count).map(|n| ((n * n + 3) % extent) as u32);
            Array::from_vec_on(device, data.collect(), shape)
        };
        for (shape, labels) in [([17, 9], [17, 1]), ([1, 2], [1, 1]), ([300, 70], [300, 1])] {
            let count = kernels!(device, of::labels, (shape, 1); index(&labels, shape[1]));
            count.is_at_most(2);
        }
        kernels!(device, of::embedded, ([9, 4], 1); index(&[1, 4], 9));
        kernels!(device, of::embedded, ([9, 4], 1); index(&[3, 4], 9));
        kernels!(device, of::embedded, ([9, 4], 1); index(&[30, 4], 9));
        kernels!(device, of::embedded, ([1, 4], 1); index(&[2, 4], 1));
    });
}

/// Rows of a table by number are read by the kernel that computes with them. Their gradient is added up by the kernel that computes it.
#[test]
fn chosen_rows_are_read_where_they_are_needed() {
    on_devices!(|device, of| {
        for (table, count) in [([9, 4], 5), ([3, 8], 20), ([70, 33], 40)] {
            let numbers = (0..count).map(|n| ((n * n + 3) % table[0]) as u32);
            let index = Array::from_vec_on(device, numbers.collect(), [count]);
            let line = index.clone();
            let index = index.insert_axis(1, table[1]);
            let ran = kernels!(device, of::words, (table, 1); index);
            // One for the table before, if more elements are chosen than it has; one for the sum, one that adds up, one for the table's gradient.
            ran.is_at_most(4);
            kernels!(device, of::taken, (table, 1); line).is_at_most(4);
        }
    });
}

/// An index that chooses among equal elements is looked at, too.
#[test]
fn an_index_of_repeated_elements_is_checked() {
    for device in devices() {
        let context = Context::builder().device(device.clone()).build().unwrap();
        let rule = context.build_rrule::<single::repeated_rows>().unwrap();
        let x: Array<f32> = array(&device, &[4], 1);
        let value = |wrong: u32| {
            let index = Array::from_vec_on(&device, vec![0, wrong, 1, 2], [1, 4]);
            rule.value((&x, &index))
        };
        let expected = value(1).unwrap();
        assert_eq!(value(2).unwrap(), expected);
        for _ in 0..2 {
            let error = value(3).unwrap_err().to_string();
            assert!(error.contains("gather: found index 3"), "{error}");
        }
    }
}

/// An index out of range is an error of the operation in the program, in the call that plans and in later ones; others stay right.
#[test]
fn wrong_classes_are_errors() {
    for device in devices() {
        let context = Context::builder().device(device.clone()).build().unwrap();
        let rule = context.build_rrule::<single::labels>().unwrap();
        let x: Array<f32> = array(&device, &[4, 3], 1);
        let labels = |wrong: u32| Array::from_vec_on(&device, vec![0, 2, wrong, 1], [4, 1]);
        let gradient = |wrong| {
            let (loss, (dx, ())) = rule.value_and_gradient((&x, &labels(wrong)))?;
            Ok::<_, mooncake::Error>((loss, dx.to_vec()?))
        };
        for _ in 0..2 {
            let error = gradient(3).unwrap_err().to_string();
            let expected = "expected indices below 3, the extent of axis 1";
            assert!(error.contains("gather: found index 3"), "{error}");
            assert!(error.contains(expected), "{error}");
            assert!(error.contains("tests/fusion.rs"), "{error}");
            let (loss, dx) = gradient(1).unwrap();
            assert!(loss.is_finite() && dx.iter().all(|x| x.is_finite()));
        }
    }
}

/// Nobody knows an index that is computed before the kernel reads it. What depends on it is the error, and nothing else.
#[test]
fn wrong_indices_that_are_computed_are_errors() {
    for device in devices() {
        let context = Context::builder().device(device.clone()).build().unwrap();
        let rule = context.build_rrule::<single::computed_index>().unwrap();
        let x: Array<f32> = array(&device, &[3, 4], 1);
        let at = |last: f32| {
            let numbers = vec![0.0, 2.0, 1.0, 1.0, 2.0, 0.0, 0.0, last];
            Array::from_vec_on(&device, numbers, [2, 4])
        };
        let gradient = |at: &Array<f32>| {
            let (sum, (dx, _)) = rule.value_and_gradient((&x, at))?;
            Ok::<_, mooncake::Error>((sum, dx.to_vec()?))
        };
        let (sum, dx) = gradient(&at(1.0)).unwrap();
        for wrong in [3.0, 1e9] {
            let error = gradient(&at(wrong)).unwrap_err().to_string();
            let expected = format!("gather: found index {wrong}");
            assert!(error.contains(&expected), "{error}");
            assert!(error.contains("tests/fusion.rs"), "{error}");
            assert_eq!(gradient(&at(1.0)).unwrap(), (sum, dx.clone()));
        }
    }
}

#[test]
fn between_matrix_products_are_few_kernels() {
    on_devices!(|device, of| {
        let (x, w, b, v) = ([8, 5], [5, 7], [7], [7, 3]);
        let count = kernels!(device, of::two_layers, (x, 1), (w, 2), (b, 3), (v, 4));
        assert!((1..=4).contains(&count.kernels), "{count:?}");
        let is_product = |name: &String| name.starts_with("operation matmul");
        // A GPU adds the bias and takes the activation where it makes the product.
        assert_eq!(count.of_products, usize::from(device.is_gpu()), "{count:?}");
        let products = count.operations.len() + count.of_products;
        assert_eq!(products, 6, "{count:?}");
        assert!(count.operations.iter().all(is_product), "{count:?}");
    });
}

/// Mask, softmax and their gradients are few kernels between six matrix products.
#[test]
fn attention_is_products_and_few_kernels() {
    on_devices!(|device, of| {
        let shape = [2, 6, 4];
        let count = kernels!(device, of::attention, (shape, 1), (shape, 2), (shape, 3));
        assert!((1..=5).contains(&count.kernels), "{count:?}");
        let is_product = |name: &&String| name.starts_with("operation matmul");
        let (products, others): (Vec<_>, Vec<_>) = count.operations.iter().partition(is_product);
        assert_eq!(products.len() + count.of_products, 6, "{count:?}");
        // The numbers of the rows and of the columns, which the mask compares.
        assert_eq!(others, ["operation arange"; 2], "{count:?}");
    });
}

/// What a GPU does for a gradient is submitted once, when the value is read.
#[test]
fn a_gradient_is_submitted_once() {
    macro_rules! count {
        ($device:expr, $function:path, $(($shape:expr, $seed:expr)),+) => {{
            let ctx = Context::builder().device($device.clone()).build().unwrap();
            let rule = ctx.build_rrule::<$function>().unwrap();
            let arguments = ($(array::<f32>($device, &$shape, $seed),)+);
            let call = || rule.value_and_gradient(arguments.lent()).map(drop);
            // The first call makes the plan; what the arrays' memory was used for before is submitted by then.
            for _ in 0..2 {
                call().unwrap();
            }
            let (done, count) = submissions(call);
            done.unwrap();
            assert_eq!(count, 1);
        }};
    }
    for device in devices().iter().filter(|device| device.is_gpu()) {
        count!(device, single::cosexp, ([1024], 1));
        count!(
            device,
            single::layer_norm,
            ([33, 20], 1),
            ([20], 2),
            ([20], 3)
        );
        let (x, w, b, v) = ([8, 5], [5, 7], [7], [7, 3]);
        count!(device, single::two_layers, (x, 1), (w, 2), (b, 3), (v, 4));
    }
}

#[test]
fn views_and_loops_are_right() {
    on_devices!(|device, of| {
        kernels!(device, of::turned, ([4, 6], 1), ([6, 4], 2));
        kernels!(device, of::repeated, ([3, 4], 1), ([4], 2));
        kernels!(device, of::repeated, ([3, 4], 1), ([1, 1], 2));
    });
}

#[test]
fn products_with_vectors_are_kernels() {
    on_devices!(|device, of| {
        let count = kernels!(device, of::thin, ([4], 1), ([5], 2), ([4, 5], 3));
        let is_product = |name: &String| name.starts_with("operation matmul");
        assert!(!count.operations.iter().any(is_product), "{count:?}");
        // Longer than a block, and no matrix at all.
        kernels!(device, of::thin, ([70], 1), ([301], 2), ([70, 301], 3));
        kernels!(device, of::thin, ([1], 1), ([1], 2), ([1, 1], 3));
        kernels!(device, of::thin, ([1], 1), ([5], 2), ([1, 5], 3));
    });
}

/// Small arrays are in memory of the call, large ones are not, and a loop may have both. One rule meets more shapes than it keeps at hand.
#[test]
fn arrays_of_any_size_are_right_in_loops() {
    on_devices!(|device, of| {
        let context = |debug| {
            let context = Context::builder().device(device.clone());
            context.debug(debug).build().unwrap()
        };
        let rule = context(false).build_rrule::<of::recurrent>().unwrap();
        let one_by_one = context(true).build_rrule::<of::recurrent>().unwrap();
        for n in [1, 2, 3, 5, 8, 40, 600, 2, 1] {
            let arguments = (
                array(device, &[4, n], 1),
                array(device, &[n, n], 2),
                array(device, &[n, n], 3),
            );
            let (expected, wanted) = one_by_one.value_and_gradient(arguments.lent()).unwrap();
            let (value, found) = rule.value_and_gradient(arguments.lent()).unwrap();
            let scale = wanted.numbers().iter().fold(1.0f64, |a, x| a.max(x.abs()));
            let tolerance = arguments.tolerance() * n as f64;
            let (value, expected) = (Number::double(value), Number::double(expected));
            assert!(
                (value - expected).abs() <= tolerance * expected.abs().max(1.0),
                "{n}"
            );
            for (a, b) in found.numbers().iter().zip(wanted.numbers()) {
                assert!(
                    (a - b).abs() <= tolerance * scale,
                    "{n}: {a} instead of {b}"
                );
            }
        }
    });
}

#[test]
fn results_of_other_axes_are_right() {
    on_devices!(|device, of| {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let rule = ctx.build_rrule::<of::exp_and_columns>().unwrap();
        let x = array(device, &[3, 4], 1);
        for _ in 0..2 {
            let (e, columns, product) = rule.value((&x,)).unwrap();
            let pairs = [
                (e, x.exp()),
                (columns, x.sum_axis(0)),
                (product, x.exp() * x.sum_axis(0)),
            ];
            for (found, expected) in pairs {
                let pairs = found
                    .to_vec()
                    .unwrap()
                    .into_iter()
                    .zip(expected.to_vec().unwrap());
                for (a, b) in pairs {
                    assert!((a - b).abs() < 1e-5, "{a} instead of {b} on {device}");
                }
            }
        }
    });
}

#[test]
fn results_may_be_parts() {
    on_devices!(|device, of| {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let rule = ctx.build_rrule::<of::parts>().unwrap();
        // Small ones are copied.
        for shape in [[3, 5], [4, 3], [300, 40]] {
            let x = array(device, &shape, 1);
            for n in [0, 1] {
                let (column, rows, turned) = rule.value((&x, n)).unwrap();
                let pairs = [
                    (column, x.index_axis(1, n)),
                    (rows, x.exp().narrow(0, n, 2)),
                    (turned, x.t()),
                ];
                for (found, expected) in pairs {
                    assert_eq!(found.shape(), expected.shape());
                    let numbers =
                        { found.to_vec().unwrap().into_iter() }.zip(expected.to_vec().unwrap());
                    for (a, b) in numbers {
                        assert!((a - b).abs() < 1e-5, "{a} instead of {b} on {device}");
                    }
                }
            }
        }
    });
}

#[test]
fn extents_may_depend_on_elements() {
    on_devices!(|device, of| {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let rule = ctx.build_rrule::<of::first_ones>().unwrap();
        for (data, count) in [
            ([1.0, 2.0, 3.0, 4.0], 4),
            ([1.0, 2.0, 0.0, 1.0], 2),
            ([1.0; 4], 1),
        ] {
            let x = Array::from_vec_on(device, data.to_vec(), [4]);
            let (y, (dx,)) = rule.value_and_gradient((&x,)).unwrap();
            let expected = of::first_ones(&x);
            assert!(
                (y - expected).abs() < 1e-5 * expected,
                "{y} instead of {expected}"
            );
            let moved = dx.to_vec().unwrap().iter().filter(|dx| **dx != 0.0).count();
            assert_eq!(moved, count, "on {device}");
        }
    });
}

#[test]
fn what_does_not_fit_is_said_as_ever() {
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let rule = ctx.build_rrule::<single::turned>().unwrap();
        for _ in 0..2 {
            let error = rule
                .value_and_gradient((&array(&device, &[4, 6], 1), &array(&device, &[4, 6], 2)))
                .unwrap_err();
            assert!(error.to_string().contains("[6, 4] and [4, 6]"), "{error}");
            rule.value_and_gradient((&array(&device, &[4, 6], 1), &array(&device, &[6, 4], 2)))
                .unwrap();
        }
    }
}

#[test]
fn kernels_can_be_seen() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let text = ctx
        .kernels::<double::cosexp>((&array(&Device::cpu(), &[1000], 1),))
        .unwrap();
    assert!(
        text.starts_with("kernel rows 1 columns 1000\n  input f64 steps 0 1\n"),
        "{text}"
    );
    assert!(text.contains("bytes 16008, operations "), "{text}");
}

/// The extents of a shape are numbers, not an object: what is before and after is one cluster.
#[test]
fn a_shape_is_no_object() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let normal = ctx.primal_ir::<double::reshaped>().unwrap();
    assert!(!normal.contains("alloc"), "{normal}");
    on_devices!(|device, of| {
        kernels!(device, of::reshaped, ([3, 4], 1)).is_at_most(3);
    });
}

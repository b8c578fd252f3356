//! What runs, for people who look for what is slow: `MOONCAKE_TRACE=1` prints a line for each kernel and for each operation that a plan leaves as it is
//! written, `MOONCAKE_TRACE=2` the kernel as well; [`watched`] collects what a call runs.

use super::products::is_product;
use crate::array::device::Device;
use crate::diag::Result;
use crate::exec::SiteOp;
use crate::ir::{HostOp, Symbol};
use crate::kernel::Kernel;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::OnceLock;
use std::time::Instant;

/// How much is printed.
fn level() -> u32 {
    static LEVEL: OnceLock<u32> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let set = std::env::var("MOONCAKE_TRACE").ok();
        set.and_then(|text| text.parse().ok()).unwrap_or(0)
    })
}

/// What has run.
#[derive(Clone, Debug)]
pub enum Ran {
    /// A kernel.
    Kernel {
        /// As text.
        text: String,
        /// The bytes that it reads and writes, if every element is moved once.
        bytes: usize,
        /// The scalar operations that it computes.
        operations: usize,
    },
    /// An operation that no kernel of a plan does. Those that move no elements do not count.
    Operation {
        /// What it is called in IR.
        name: &'static str,
        /// As of a kernel, for matrix products; 0 for others, which do not say.
        bytes: usize,
        /// As of a kernel, for matrix products: a multiplication and an addition each; 0 for others.
        operations: usize,
    },
}

impl Ran {
    /// Whether it is a kernel.
    pub fn is_kernel(&self) -> bool {
        matches!(self, Ran::Kernel { .. })
    }
    /// The bytes of a kernel or a matrix product; 0 of others, which do not say.
    pub fn bytes(&self) -> usize {
        match self {
            Ran::Kernel { bytes, .. } | Ran::Operation { bytes, .. } => *bytes,
        }
    }
    /// The scalar operations of a kernel or a matrix product; 0 of others, which do not say.
    pub fn operations(&self) -> usize {
        match self {
            Ran::Kernel { operations, .. } | Ran::Operation { operations, .. } => *operations,
        }
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ran::Kernel {
                text,
                bytes,
                operations,
            } => writeln!(f, "{text}bytes {bytes}, operations {operations}"),
            Ran::Operation { name, bytes: 0, .. } => writeln!(f, "operation {name}"),
            Ran::Operation {
                name,
                bytes,
                operations,
            } => {
                writeln!(f, "operation {name}")?;
                writeln!(f, "bytes {bytes}, operations {operations}")
            }
        }
    }
}

thread_local!(static WATCHED: RefCell<Option<Vec<Ran>>> = const { RefCell::new(None) });

/// What array programs run on this thread meanwhile.
pub fn watched<R>(work: impl FnOnce() -> R) -> (R, Vec<Ran>) {
    let before = WATCHED.replace(Some(Vec::new()));
    let done = work();
    let ran = WATCHED.replace(before);
    (done, ran.unwrap_or_default())
}

/// Whether someone looks at what runs.
pub fn is_on() -> bool {
    level() > 0 || WATCHED.with_borrow(Option::is_some)
}

/// Notes what has run, if someone watches.
pub fn note<I: IntoIterator<Item = Ran>>(what: impl FnOnce() -> I) {
    WATCHED.with_borrow_mut(|watched| {
        if let Some(ran) = watched {
            ran.extend(what());
        }
    });
}

thread_local!(static SUBMITTED: Cell<usize> = const { Cell::new(0) });

/// Commands are submitted to a device.
#[cfg(feature = "gpu")]
pub fn submission() {
    SUBMITTED.set(SUBMITTED.get() + 1);
}

/// How often this thread submits commands to a device meanwhile.
pub fn submissions<R>(work: impl FnOnce() -> R) -> (R, usize) {
    let before = SUBMITTED.get();
    let done = work();
    (done, SUBMITTED.get() - before)
}

/// Whether an operation is about shapes alone or gives the same elements in another order.
fn moves_nothing(op: HostOp) -> bool {
    use HostOp::*;
    matches!(
        op,
        Transpose
            | Reshape
            | ReshapeLike
            | Flatten
            | Expand
            | ExpandAxis
            | Full
            | FullLike
            | BroadcastTo
            | BroadcastLike
            | Narrow
            | NarrowLike
            | SliceAxis
            | SwapAxes
            | Permute
            | Unpermute
            | InsertAxis
            | IndexAlong
            | Unflatten
            | ExpandDims
            | Squeeze
            | Dim
            | Ndim
            | Numel
            | SplitExtent
            | SplitTotal
            | Item
            | OrZeros
            | SameShape
    )
}

/// Notes an operation that moves elements. Matrix products note themselves.
pub fn operation(op: HostOp) {
    if !moves_nothing(op) && !is_product(op) {
        unmeasured(op.name());
    }
}

/// Carries out an operation of a program that is part of no cluster, and prints how long that took, as for the operations of clusters.
pub fn alone<R>(
    device: impl FnOnce() -> Result<Device>,
    op: &SiteOp,
    run: impl FnOnce() -> Result<R>,
) -> Result<R> {
    if level() == 0 {
        return run();
    }
    let name = match op {
        SiteOp::Host(op) if !moves_nothing(*op) => Symbol::new(op.name()),
        SiteOp::Map(function) => function.function,
        // A cluster prints what it does, the function of a pack is called by the frame, and the others move nothing.
        SiteOp::Host(_) | SiteOp::SameShape(_) | SiteOp::Cluster(_) | SiteOp::Native(_) => {
            return run();
        }
    };
    written(&device()?, name, Symbol::new("no cluster"), run)
}

fn unmeasured(name: &'static str) {
    note(|| {
        [Ran::Operation {
            name,
            bytes: 0,
            operations: 0,
        }]
    });
}

/// A product of stacks of matrices.
#[derive(Clone, Copy)]
pub struct Product {
    /// How many pairs of matrices there are.
    pub count: usize,
    /// m, k and n: `m` by `k` times `k` by `n`.
    pub extents: (usize, usize, usize),
    /// The bytes of an element.
    pub size: usize,
}

impl Product {
    /// The bytes of the factors, and those of the product.
    fn bytes(self) -> (usize, usize) {
        let (m, k, n) = self.extents;
        let each = self.count * self.size;
        (each * (m * k + k * n), each * m * n)
    }
    fn operations(self) -> usize {
        let (m, k, n) = self.extents;
        2 * self.count * m * k * n
    }
}

/// Notes a product that is an operation of its own.
pub fn product(op: HostOp, product: Product) {
    note(|| {
        let (read, made) = product.bytes();
        [Ran::Operation {
            name: op.name(),
            bytes: read + made,
            operations: product.operations(),
        }]
    });
}

/// Notes a map of a scalar function that is no part of a kernel.
pub fn map(function: Symbol) {
    unmeasured(function.as_str());
}

/// What a kernel of a cluster does.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    pub kernel: &'a Kernel,
    /// The product that it makes and reads element by element, if it does.
    pub product: Option<Product>,
}

impl<'a> Work<'a> {
    /// That of a kernel which makes no product.
    pub fn of(kernel: &'a Kernel) -> Work<'a> {
        let product = None;
        Work { kernel, product }
    }
    fn bytes(self) -> usize {
        // It reads the factors, and not the product.
        let (read, made) = self.product.map_or((0, 0), Product::bytes);
        (self.kernel.bytes() + read).saturating_sub(made)
    }
    fn operations(self) -> usize {
        self.kernel.operations() + self.product.map_or(0, Product::operations)
    }
}

impl fmt::Display for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Product { count, extents, .. }) = self.product {
            let (m, k, n) = extents;
            writeln!(
                f,
                "matmul of {count} times [{m}, {k}] and [{k}, {n}], within"
            )?;
        }
        write!(f, "{}", self.kernel)
    }
}

/// Runs a kernel of a cluster, and prints how long that took, what it moved and what it computed.
pub fn kernel<R>(
    device: &Device,
    work: Work,
    cluster: Symbol,
    run: impl FnOnce() -> Result<R>,
) -> Result<R> {
    note(|| {
        [Ran::Kernel {
            text: work.to_string(),
            bytes: work.bytes(),
            operations: work.operations(),
        }]
    });
    if level() == 0 {
        return run();
    }
    let (done, seconds) = timed(device, run)?;
    let (kernel, product) = (work.kernel, work.product.map_or("", |_| "matmul in "));
    eprintln!(
        "mooncake: {cluster}: {product}rows {:?} columns {}, {} inputs, {} outputs, {:.1} us, {:.2} GB/s, {:.2} G operations/s",
        &kernel.rows[..],
        kernel.columns,
        kernel.inputs.len(),
        kernel.outputs.len(),
        seconds * 1e6,
        work.bytes() as f64 / seconds * 1e-9,
        work.operations() as f64 / seconds * 1e-9,
    );
    if level() > 1 {
        eprintln!("{work}");
    }
    Ok(done)
}

/// Does an operation that no kernel of a cluster does, and prints how long that took; of a matrix product also what it moved and computed.
pub fn written<R>(
    device: &Device,
    operation: Symbol,
    cluster: Symbol,
    run: impl FnOnce() -> Result<R>,
) -> Result<R> {
    if level() == 0 {
        return run();
    }
    let (timed, ran) = watched(|| timed(device, run));
    let sum = |of: fn(&Ran) -> usize| ran.iter().map(of).sum::<usize>();
    let (bytes, operations) = (sum(Ran::bytes), sum(Ran::operations));
    let (done, seconds) = timed?;
    let speed = match bytes {
        0 => String::new(),
        _ => format!(
            ", {:.2} GB/s, {:.2} G operations/s",
            bytes as f64 / seconds * 1e-9,
            operations as f64 / seconds * 1e-9
        ),
    };
    eprintln!(
        "mooncake: {cluster}: {operation}, {:.1} us{speed}",
        seconds * 1e6
    );
    note(|| ran);
    Ok(done)
}

/// What a run gives, and its own time: a device that works while the host goes on is waited for.
fn timed<R>(device: &Device, run: impl FnOnce() -> Result<R>) -> Result<(R, f64)> {
    device.backend().finish()?;
    let start = Instant::now();
    let done = run()?;
    device.backend().finish()?;
    Ok((done, start.elapsed().as_secs_f64()))
}

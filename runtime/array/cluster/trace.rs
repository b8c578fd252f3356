//! What runs, for people who look for what is slow: `MOONCAKE_TRACE=1` prints a line for each kernel and for each operation that a plan leaves as it is
//! written, `MOONCAKE_TRACE=2` the kernel as well; [`watched`] collects what a call runs.

use crate::array::device::Device;
use crate::diag::Result;
use crate::ir::Symbol;
use crate::kernel::Kernel;
use crate::registry::HostOp;
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
    /// An operation as it is written, by name: one that no kernel does, or any on a device. Those that move no elements do not count.
    Operation(&'static str),
}

impl Ran {
    /// Whether it is a kernel.
    pub fn is_kernel(&self) -> bool {
        matches!(self, Ran::Kernel { .. })
    }
    /// The bytes of a kernel; 0 of others, which do not say.
    pub fn bytes(&self) -> usize {
        match self {
            Ran::Kernel { bytes, .. } => *bytes,
            Ran::Operation(_) => 0,
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
            Ran::Operation(name) => writeln!(f, "operation {name}"),
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

/// Notes an operation, unless it is about shapes alone or gives the same elements in another order.
pub fn operation(op: HostOp) {
    use HostOp::*;
    let moves_nothing = matches!(
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
    );
    if !moves_nothing {
        note(|| [Ran::Operation(op.name())]);
    }
}

/// Notes a map of a scalar function that is no part of a kernel.
pub fn map(function: Symbol) {
    note(|| [Ran::Operation(function.as_str())]);
}

/// Runs a kernel of a cluster, and prints how long that took, what it moved and what it computed.
pub fn kernel<R>(
    device: &Device,
    kernel: &Kernel,
    cluster: Symbol,
    run: impl FnOnce() -> Result<R>,
) -> Result<R> {
    note(|| {
        [Ran::Kernel {
            text: kernel.to_string(),
            bytes: kernel.bytes(),
            operations: kernel.operations(),
        }]
    });
    if level() == 0 {
        return run();
    }
    let (done, seconds) = timed(device, run)?;
    eprintln!(
        "mooncake: {cluster}: rows {:?} columns {}, {} inputs, {} outputs, {:.1} us, {:.2} GB/s, {:.2} G operations/s",
        &kernel.rows[..],
        kernel.columns,
        kernel.inputs.len(),
        kernel.outputs.len(),
        seconds * 1e6,
        kernel.bytes() as f64 / seconds * 1e-9,
        kernel.operations() as f64 / seconds * 1e-9,
    );
    if level() > 1 {
        eprintln!("{kernel}");
    }
    Ok(done)
}

/// Does an operation of a cluster that no kernel does, and prints how long that took.
pub fn written<R>(
    device: &Device,
    operation: Symbol,
    cluster: Symbol,
    run: impl FnOnce() -> Result<R>,
) -> Result<R> {
    if level() == 0 {
        return run();
    }
    let (done, seconds) = timed(device, run)?;
    eprintln!("mooncake: {cluster}: {operation}, {:.1} us", seconds * 1e6);
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

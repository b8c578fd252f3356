//! Kernels of the kernel IR, computed by lanes.

use super::columns::Column;
use super::memory::own_bytes;
use crate::array::backend::{Buffer, KernelProgram};
use crate::diag::{Error, Result};
use crate::exec::{LaneKernel, Source};
use crate::ir::Type;
use smallvec::SmallVec;
use std::sync::Arc;

/// A kernel as machine code; the first call compiles it.
pub fn compiled(program: &KernelProgram) -> Result<Arc<LaneKernel>> {
    program.compiled(|| LaneKernel::compile(program.kernel.clone(), &program.registry))
}

/// The output of a kernel with one, in memory of its own.
pub fn run_one(kernel: &LaneKernel, sources: &[Source]) -> Result<Buffer> {
    let missing = || Error::Internal("a kernel without outputs".into());
    let (ty, count) = kernel.outputs().next().ok_or_else(missing)?;
    let mut column = Column::room(ty, count)?;
    kernel.run(sources, &mut [column.bytes()])?;
    Ok(column.adopt())
}

/// An array that nobody reads after a kernel. One of its outputs gets the memory.
pub struct Overwritten {
    pub input: usize,
    pub output: usize,
    pub buffer: Buffer,
}

/// The outputs of a kernel, each in memory of its own or in that of an array which it overwrites.
pub fn run(
    kernel: &LaneKernel,
    sources: &[Source],
    mut over: SmallVec<[Overwritten; 2]>,
) -> Result<SmallVec<[Buffer; 2]>> {
    let pairs = over.iter().map(|own| (own.input, own.output));
    let pairs: SmallVec<[(usize, usize); 2]> = pairs.collect();
    let mut rooms: SmallVec<[Room; 4]> = SmallVec::new();
    for (n, (ty, count)) in kernel.outputs().enumerate() {
        rooms.push(match over.iter().position(|own| own.output == n) {
            Some(at) => Room::Old(over.swap_remove(at).buffer, ty),
            None => Room::New(Column::room(ty, count)?),
        });
    }
    {
        let outputs = rooms.iter_mut().map(Room::bytes);
        let mut outputs = outputs.collect::<Result<SmallVec<[&mut [u8]; 4]>>>()?;
        kernel.run_over(sources, &pairs, &mut outputs)?;
    }
    Ok(rooms.into_iter().map(Room::adopt).collect())
}

/// Where an output is written.
enum Room {
    New(Column),
    Old(Buffer, Type),
}

impl Room {
    fn bytes(&mut self) -> Result<&mut [u8]> {
        let shared = || Error::Internal("a kernel overwrites an array that others read".into());
        match self {
            Room::New(column) => Ok(column.bytes()),
            Room::Old(buffer, ty) => own_bytes(buffer, *ty).ok_or_else(shared),
        }
    }
    fn adopt(self) -> Buffer {
        match self {
            Room::New(column) => column.adopt(),
            Room::Old(buffer, _) => buffer,
        }
    }
}

//! Kernels of the kernel IR, computed by lanes.

use super::columns::Column;
use crate::array::backend::{Buffer, KernelProgram};
use crate::diag::{Error, Result};
use crate::exec::{LaneKernel, Source};
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

/// The outputs of a kernel, each in memory of its own.
pub fn run(kernel: &LaneKernel, sources: &[Source]) -> Result<SmallVec<[Buffer; 2]>> {
    let mut columns: SmallVec<[Column; 4]> = { kernel.outputs() }
        .map(|(ty, count)| Column::room(ty, count))
        .collect::<Result<_>>()?;
    {
        let mut outputs: SmallVec<[&mut [u8]; 4]> = columns.iter_mut().map(Column::bytes).collect();
        kernel.run(sources, &mut outputs)?;
    }
    Ok(columns.into_iter().map(Column::adopt).collect())
}

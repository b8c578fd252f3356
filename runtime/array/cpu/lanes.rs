//! Kernels of the kernel IR, computed by lanes.

use super::columns::Column;
use super::memory;
use crate::array::backend::{Buffer, KernelInput, KernelProgram};
use crate::diag::Result;
use crate::exec::{LaneKernel, Source};
use smallvec::SmallVec;
use std::sync::Arc;

/// A kernel as machine code; the first call compiles it.
pub fn compiled(program: &KernelProgram) -> Result<Arc<LaneKernel>> {
    program.compiled(|| LaneKernel::compile(program.kernel.clone(), &program.registry))
}

/// The outputs of a kernel.
pub fn run(program: &KernelProgram, inputs: &[KernelInput]) -> Result<SmallVec<[Buffer; 2]>> {
    let compiled = compiled(program)?;
    let sources: SmallVec<[Source; 8]> = { inputs.iter() }
        .map(|input| match input {
            KernelInput::View(view) => Ok(Source {
                bytes: memory::bytes(view)?,
                start: view.offset,
            }),
            KernelInput::Scalar(bits, _) => Ok(Source {
                bytes: bytemuck::bytes_of(bits),
                start: 0,
            }),
        })
        .collect::<Result<_>>()?;
    let mut columns = rooms(program)?;
    fill(&compiled, &sources, &mut columns)?;
    Ok(columns.into_iter().map(Column::adopt).collect())
}

/// Memory for the outputs of a kernel.
pub fn rooms(program: &KernelProgram) -> Result<SmallVec<[Column; 4]>> {
    let kernel = &program.kernel;
    let outputs = 0..kernel.outputs.len();
    outputs
        .map(|n| Column::room(kernel.output_type(n), kernel.output_len(n)))
        .collect()
}

/// Computes the outputs of a kernel.
pub fn fill(kernel: &LaneKernel, sources: &[Source], outputs: &mut [Column]) -> Result<()> {
    let mut bytes: SmallVec<[&mut [u8]; 4]> = outputs.iter_mut().map(Column::bytes).collect();
    kernel.run(sources, &mut bytes)
}

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
    let kernel = &program.kernel;
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
    let mut columns: SmallVec<[Column; 4]> = (0..kernel.outputs.len())
        .map(|n| Column::room(kernel.output_type(n), kernel.output_len(n)))
        .collect::<Result<_>>()?;
    {
        let mut outputs: SmallVec<[&mut [u8]; 4]> = columns.iter_mut().map(Column::bytes).collect();
        compiled.run(&sources, &mut outputs)?;
    }
    Ok(columns.into_iter().map(Column::adopt).collect())
}

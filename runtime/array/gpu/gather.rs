//! Gather: elements picked by index.

use super::Gpu;
use super::map::{Compiled, Extras};
use crate::array::backend::{Buffer, IndexUse, Operand, View, failed, place};
use crate::codegen::gpu::Wgsl;
use crate::codegen::gpu::kernel::register;
use crate::diag::Result;
use crate::ir::Type;
use crate::kernel::Gather;

impl Gpu {
    /// `out[.., i, ..] = view[.., index[.., i, ..], ..]`: a map of what is read through the index.
    pub(super) fn gathered(
        &self,
        operation: &'static str,
        view: &View,
        axis: usize,
        index: &View,
    ) -> Result<Buffer> {
        if index.is_empty() {
            return self.empty();
        }
        if view.shape[axis] == 0 {
            return none_expected(operation, index.shape[axis], 0);
        }
        let ty = view.ty;
        let held = register(ty)?;
        let text = format!("fn gather(index: u32, x: {held}) -> {held} {{ return x; }}\n");
        let compiled = Compiled::new(Wgsl::by_hand("gather", text, &[Type::U32, ty], ty));
        let mut along = View {
            shape: index.shape.clone(),
            ..view.clone()
        };
        along.strides[axis] = 0;
        let gather = Gather {
            by: 0,
            step: view.strides[axis] as isize,
            extent: view.shape[axis],
        };
        let place = place();
        let own = IndexUse {
            operation,
            axis,
            place,
            order: 0,
        };
        let extras = Extras {
            gathers: vec![None, Some((gather, own))],
            ..Extras::default()
        };
        let operands = [Operand::View(index.clone()), Operand::View(along)];
        let mut made = self.map_compiled(&compiled, &operands, &index.shape, &extras)?;
        Ok(made.swap_remove(0))
    }
}

/// The error of indices where there are no elements.
fn none_expected(operation: &str, found: usize, extent: usize) -> Result<Buffer> {
    let message =
        format_args!("found {found} indices along an axis of extent {extent}: expected none");
    Err(failed(operation, message))
}

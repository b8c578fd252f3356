//! A device that computes nothing: arrays on it have shapes, and no elements.
//!
//! What operations do to shapes, and which shapes they refuse, is the same on every device (`tensor`). So a cluster learns its shapes here before
//! it is planned, without memory and without kernels for single operations, which a GPU's driver takes long to compile.

use super::backend::{
    Backend, Buffer, KernelInput, KernelProgram, MapProgram, Memory, Operand, Reduction, View,
};
use crate::diag::Result;
use crate::ir::Type;
use smallvec::SmallVec;
use std::sync::Arc;

/// The device.
#[derive(Debug)]
pub struct Rehearsal;

/// Memory without elements.
#[derive(Debug)]
struct Nothing;

impl Memory for Nothing {}

/// A buffer without elements.
pub fn nothing() -> Buffer {
    Arc::new(Nothing)
}

impl Backend for Rehearsal {
    fn name(&self) -> &str {
        "rehearsal"
    }
    fn holds(&self, _: Type) -> bool {
        true
    }
    fn upload(&self, _: &[u8]) -> Result<Buffer> {
        Ok(nothing())
    }
    /// Zeros: numbers that elements decide are no shapes.
    fn download(&self, view: &View) -> Result<Vec<u8>> {
        Ok(vec![0; view.len() * view.ty.size().unwrap_or(8)])
    }
    fn copy(&self, _: &View) -> Result<Buffer> {
        Ok(nothing())
    }
    fn map(
        &self,
        program: &MapProgram,
        _: &[Operand],
        _: &[usize],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        Ok(program.outputs.iter().map(|_| nothing()).collect())
    }
    fn kernel(&self, program: &KernelProgram, _: &[KernelInput]) -> Result<SmallVec<[Buffer; 2]>> {
        Ok(program.kernel.outputs.iter().map(|_| nothing()).collect())
    }
    fn matmul(&self, _: &View, _: &View) -> Result<Buffer> {
        Ok(nothing())
    }
    fn reduce(&self, _: Reduction, _: &View, _: Option<usize>) -> Result<Buffer> {
        Ok(nothing())
    }
    fn softmax(&self, _: &View, _: usize, _: bool) -> Result<Buffer> {
        Ok(nothing())
    }
    fn gather(&self, _: &'static str, _: &View, _: usize, _: &View) -> Result<Buffer> {
        Ok(nothing())
    }
    fn scatter_add(&self, _: &View, _: usize, _: &View, _: &[usize]) -> Result<Buffer> {
        Ok(nothing())
    }
}

//! A device that computes nothing: arrays on it have shapes, and no elements.
//!
//! What an operation does to shapes, and which shapes it refuses, is the same on every device (`tensor`). So a cluster does its operations here
//! before it is planned, and learns all shapes. That takes no memory, and a GPU's driver compiles no kernels for single operations, which takes
//! it long.

use super::backend::{
    Backend, Buffer, KernelInput, KernelProgram, MapProgram, Memory, Operand, Places, View,
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
        let outputs = program.kernel.outputs.iter();
        Ok(outputs.map(|_| nothing()).collect())
    }
    fn matmul(&self, _: &View, _: &View) -> Result<Buffer> {
        Ok(nothing())
    }
    fn gather(&self, _: &'static str, _: &View, _: usize, _: &View) -> Result<Buffer> {
        Ok(nothing())
    }
    fn place(&self, _: View, _: &View, _: Places, _: bool) -> Result<Buffer> {
        Ok(nothing())
    }
    fn concat(&self, _: &[&View], _: usize, _: &[usize]) -> Result<Buffer> {
        Ok(nothing())
    }
    fn cumsum(&self, _: &View, _: usize) -> Result<Buffer> {
        Ok(nothing())
    }
}

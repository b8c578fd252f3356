//! Elementwise kernels behind a safe call.

use super::Pool;
use super::Scalar;
use crate::codegen::cpu::{self, KernelCode};
use crate::diag::{Error, Result};
use crate::ir::{Module, Symbol, Type};
use crate::plugin::check_faults;
use crate::registry::Registry;
use smallvec::SmallVec;
use std::marker::PhantomData;
use std::sync::Arc;

/// A scalar function compiled into a loop over elements. Called from any thread, many at a time.
pub struct MapKernel {
    code: KernelCode,
    pool: Pool,
}

/// Elements for one input: the first, and the step from each to the next.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    ty: Type,
    address: usize,
    step: usize,
    /// How many elements can be read.
    count: usize,
    borrowed: PhantomData<&'a ()>,
}

/// Room for the elements of one output.
pub struct Output<'a> {
    ty: Type,
    address: usize,
    count: usize,
    borrowed: PhantomData<&'a mut ()>,
}

impl<'a> Input<'a> {
    /// The elements `0, step, 2 * step, …` of a slice; step 0 repeats the first.
    pub fn strided<T: Scalar>(elements: &'a [T], step: usize) -> Input<'a> {
        let count = match (elements.len(), step) {
            (0, _) => 0,
            (_, 0) => usize::MAX,
            (len, step) => (len - 1) / step + 1,
        };
        Input {
            ty: T::TYPE,
            address: elements.as_ptr() as usize,
            step: step * size_of::<T>(),
            count,
            borrowed: PhantomData,
        }
    }
    /// The scalar of type `ty` whose bits, zero-extended, are `word`: the same everywhere.
    pub fn word(word: &'a u64, ty: Type) -> Input<'a> {
        let unused = match cfg!(target_endian = "big") {
            true => size_of::<u64>() - ty.size().unwrap_or(size_of::<u64>()),
            false => 0,
        };
        Input {
            ty,
            address: word as *const u64 as usize + unused,
            step: 0,
            count: if ty.is_scalar() { usize::MAX } else { 0 },
            borrowed: PhantomData,
        }
    }
}

impl<'a> Output<'a> {
    /// The elements of a slice, one after another.
    pub fn dense<T: Scalar>(elements: &'a mut [T]) -> Output<'a> {
        Output {
            ty: T::TYPE,
            address: elements.as_mut_ptr() as usize,
            count: elements.len(),
            borrowed: PhantomData,
        }
    }
}

impl MapKernel {
    /// Compiles a scalar function of a module: scalars in, a scalar or a tuple of scalars out.
    pub fn compile(
        module: &Module,
        function: Symbol,
        registry: &Arc<Registry>,
    ) -> Result<MapKernel> {
        let code = cpu::compile_map(module, function, registry)?;
        Ok(MapKernel {
            code,
            pool: Pool::default(),
        })
    }
    /// The element types of the outputs.
    pub fn outputs(&self) -> &[Type] {
        &self.code.outputs
    }

    /// Applies the function to the first `n` elements of the inputs. Inputs and outputs have the kernel's types and at
    /// least `n` elements.
    pub fn run(&self, n: usize, inputs: &[Input<'_>], outputs: &mut [Output<'_>]) -> Result<()> {
        self.check(n, inputs, outputs)?;
        self.check_packs()?;
        let sources: SmallVec<[_; 8]> = inputs.iter().map(|i| [i.address, i.step]).collect();
        let targets: SmallVec<[_; 8]> = outputs.iter().map(|o| o.address).collect();
        let mut frame = self.pool.take();
        let outcome = frame.run_alone(&self.code.faults, |header| {
            // SAFETY: the code is alive as `self` is; every input and output has its type and `n` elements, which the
            // lifetimes keep borrowed; outputs are borrowed mutably, so none overlaps another slice.
            unsafe { (self.code.entry)(header, n, sources.as_ptr(), targets.as_ptr()) }
        });
        self.pool.give(frame);
        outcome?;
        self.check_packs()
    }

    fn check_packs(&self) -> Result<()> {
        check_faults(self.code.packs.iter().copied())
    }

    fn check(&self, n: usize, inputs: &[Input<'_>], outputs: &[Output<'_>]) -> Result<()> {
        let input_types = inputs.iter().map(|input| input.ty);
        let output_types = outputs.iter().map(|output| output.ty);
        let fits = input_types.eq(self.code.inputs.iter().copied())
            && output_types.eq(self.code.outputs.iter().copied())
            && inputs.iter().all(|input| input.count >= n)
            && outputs.iter().all(|output| output.count >= n);
        match fits {
            true => Ok(()),
            false => Err(Error::Internal(format!(
                "a kernel for {:?} -> {:?} was given other slices, or fewer than {n} elements",
                self.code.inputs, self.code.outputs
            ))),
        }
    }
}

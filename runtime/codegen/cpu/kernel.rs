//! Elementwise kernels: a loop around a scalar function.
//!
//! Each input has its own step in bytes, 0 for a value that is the same everywhere, so that one kernel serves every
//! broadcast of one axis. Outputs are dense.

use super::function::{Finish, define};
use super::function_of;
use super::leaves::{Leaves, machine_type};
use super::unit::{Unit, outputs};
use crate::diag::Result;
use crate::ir::Symbol;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, AbiParam, BlockArg, InstBuilder, MemFlagsData, types};
use cranelift_frontend::FunctionBuilder;
use cranelift_module::{FuncId, Module as _};

/// Compiles a scalar function of the module into an [`super::abi::Kernel`].
pub fn compile_kernel(unit: &mut Unit, name: Symbol) -> Result<FuncId> {
    let function = function_of(unit.module, name)?;
    let (inputs, outputs) = (
        machine_types(&function.param_types())?,
        machine_types(&outputs(function))?,
    );
    let mut signature = unit.jit.make_signature();
    signature.params = vec![AbiParam::new(types::I64); 4];
    signature.returns = vec![AbiParam::new(types::I32)];
    define(unit, None, signature, |lowering, params| {
        let b = &mut lowering.b;
        let (count, sources, targets) = (params[1], params[2], params[3]);
        let steps: Vec<_> = (0..inputs.len())
            .map(|i| word(b, sources, 2 * i + 1))
            .collect();
        let starts = (0..inputs.len()).map(|i| word(b, sources, 2 * i));
        let starts: Vec<_> = starts.collect();
        let targets: Vec<_> = (0..outputs.len()).map(|i| word(b, targets, i)).collect();
        let (header, inside, after, done) = (
            b.create_block(),
            b.create_block(),
            b.create_block(),
            b.create_block(),
        );
        for &ty in &outputs {
            b.append_block_param(after, ty);
        }

        let zero = b.ins().iconst(types::I64, 0);
        let entry_args = block_args(zero, &starts);
        let index = b.append_block_param(header, types::I64);
        let at: Vec<_> = starts
            .iter()
            .map(|_| b.append_block_param(header, types::I64))
            .collect();
        b.ins().jump(header, &entry_args);
        b.switch_to_block(header);
        let more = b.ins().icmp(IntCC::UnsignedLessThan, index, count);
        b.ins().brif(more, inside, &[], done, &[]);

        b.switch_to_block(inside);
        let flags = MemFlagsData::trusted();
        let args = inputs
            .iter()
            .zip(&at)
            .map(|(&ty, &address)| Leaves::from_slice(&[b.ins().load(ty, flags, address, 0)]));
        let args = args.collect();
        lowering.body(function, args, Finish::Continue(after))?;

        let b = &mut lowering.b;
        b.switch_to_block(after);
        let results = b.block_params(after).to_vec();
        for ((&value, &target), &ty) in results.iter().zip(&targets).zip(&outputs) {
            store_element(b, value, target, index, ty);
        }
        let one = b.ins().iconst(types::I64, 1);
        let next = b.ins().iadd(index, one);
        let moved: Vec<_> = at
            .iter()
            .zip(&steps)
            .map(|(&a, &s)| b.ins().iadd(a, s))
            .collect();
        let latch_args = block_args(next, &moved);
        b.ins().jump(header, &latch_args);
        b.switch_to_block(done);
        lowering.finish(&[], Finish::Return);
        Ok(())
    })
}

fn machine_types(types: &[crate::ir::Type]) -> Result<Vec<clif::Type>> {
    types.iter().map(|&ty| machine_type(ty)).collect()
}

fn word(b: &mut FunctionBuilder, base: clif::Value, index: usize) -> clif::Value {
    let flags = MemFlagsData::trusted();
    b.ins().load(types::I64, flags, base, 8 * index as i32)
}

fn block_args(first: clif::Value, rest: &[clif::Value]) -> Vec<BlockArg> {
    let all = std::iter::once(first).chain(rest.iter().copied());
    all.map(BlockArg::Value).collect()
}

fn store_element(
    b: &mut FunctionBuilder,
    value: clif::Value,
    base: clif::Value,
    index: clif::Value,
    ty: clif::Type,
) {
    let shift = b
        .ins()
        .iconst(types::I64, i64::from(ty.bytes().trailing_zeros()));
    let offset = b.ins().ishl(index, shift);
    let address = b.ins().iadd(base, offset);
    b.ins().store(MemFlagsData::trusted(), value, address, 0);
}

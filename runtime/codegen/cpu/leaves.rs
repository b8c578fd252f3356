//! Values as leaves: what the machine holds in one register or word.

use super::abi;
use crate::diag::{Error, Result};
use crate::ir::Type;
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use cranelift_frontend::FunctionBuilder;
use smallvec::SmallVec;

/// The registers that hold one value.
pub type Leaves = SmallVec<[clif::Value; 2]>;

/// The number of words that a value of this type takes among arguments and results.
pub fn words(ty: Type) -> usize {
    match ty {
        Type::Slice(_) | Type::SliceMut(_) => 2,
        Type::Tuple(fields) => fields.iter().map(|&field| words(field)).sum(),
        _ => 1,
    }
}

/// The machine types of a value's leaves.
pub fn leaf_types(ty: Type, leaves: &mut Vec<clif::Type>) -> Result<()> {
    match ty {
        Type::Slice(_) | Type::SliceMut(_) => leaves.extend([types::I64, types::I64]),
        Type::Tuple(fields) => fields.iter().try_for_each(|&t| leaf_types(t, leaves))?,
        single => leaves.push(machine_type(single)?),
    }
    Ok(())
}

/// The machine type of a type that has one leaf.
pub fn machine_type(ty: Type) -> Result<clif::Type> {
    use Type::*;
    Ok(match ty {
        Bool | I8 | U8 => types::I8,
        I16 | U16 | F16 => types::I16,
        I32 | U32 => types::I32,
        I64 | U64 | Isize | Usize | Array(_) | Ptr | Addr => types::I64,
        F32 => types::F32,
        F64 => types::F64,
        F32x4 => types::F32X4,
        F64x2 => types::F64X2,
        Tuple(_) | Slice(_) | SliceMut(_) | Infer(_) => {
            return Err(Error::Internal(format!("{ty} is not held in one register")));
        }
    })
}

/// A leaf's bits in a word, zero-extended.
pub fn to_word(b: &mut FunctionBuilder, value: clif::Value) -> clif::Value {
    let bits = match b.func.dfg.value_type(value) {
        types::F32 => b.ins().bitcast(types::I32, MemFlagsData::new(), value),
        types::F64 => b.ins().bitcast(types::I64, MemFlagsData::new(), value),
        _ => value,
    };
    match b.func.dfg.value_type(bits) {
        types::I64 => bits,
        _ => b.ins().uextend(types::I64, bits),
    }
}

/// The leaf of a type from its bits in a word.
pub fn from_word(b: &mut FunctionBuilder, word: clif::Value, ty: clif::Type) -> clif::Value {
    match ty {
        types::I64 => word,
        types::F64 => b.ins().bitcast(ty, MemFlagsData::new(), word),
        types::F32 => {
            let bits = b.ins().ireduce(types::I32, word);
            b.ins().bitcast(ty, MemFlagsData::new(), bits)
        }
        narrow => b.ins().ireduce(narrow, word),
    }
}

/// The leaves of a value whose words start at a byte offset of an address.
pub fn load_words(
    b: &mut FunctionBuilder,
    ty: Type,
    base: clif::Value,
    offset: &mut i32,
) -> Result<Leaves> {
    let mut machine = Vec::new();
    leaf_types(ty, &mut machine)?;
    let mut leaves = Leaves::new();
    for leaf in machine {
        let word = b
            .ins()
            .load(types::I64, MemFlagsData::trusted(), base, *offset);
        leaves.push(from_word(b, word, leaf));
        *offset += 8;
    }
    Ok(leaves)
}

/// Writes leaves as words from an address on.
pub fn store_words(b: &mut FunctionBuilder, leaves: &[clif::Value], base: clif::Value) {
    for (i, &leaf) in leaves.iter().enumerate() {
        let word = to_word(b, leaf);
        b.ins()
            .store(MemFlagsData::trusted(), word, base, i as i32 * 8);
    }
}

/// The values a fault shows are words too; there is room for these.
pub fn fault_values(leaves: &[clif::Value]) -> &[clif::Value] {
    &leaves[..leaves.len().min(abi::FAULT_VALUES)]
}

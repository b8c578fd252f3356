//! Primitive operations, one by one.

use super::abi;
use super::function::{Body, Lowering, int};
use super::lanes::little;
use super::leaves::{Leaves, machine_type};
use crate::diag::{Error, Result};
use crate::ir::{self, InstData, Op, Prim, Type};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    self as clif, BlockArg, InstBuilder, InstructionData, MemFlagsData, Opcode, types,
};
use cranelift_frontend::FunctionBuilder;
use smallvec::smallvec;
use std::mem::offset_of;

/// `a % b` of floats, as Rust has it.
extern "C" fn rem_f64(a: f64, b: f64) -> f64 {
    a % b
}

/// `a % b` of floats, as Rust has it.
extern "C" fn rem_f32(a: f32, b: f32) -> f32 {
    a % b
}

/// The register of which a value is a lane, and the number of the lane.
fn lane_of(b: &FunctionBuilder<'_>, value: clif::Value) -> Option<(clif::Value, u8)> {
    let inst = b.func.dfg.value_def(value).inst()?;
    match b.func.dfg.insts[inst] {
        InstructionData::BinaryImm8 {
            opcode: Opcode::Extractlane,
            arg,
            imm,
        } => Some((arg, imm)),
        _ => None,
    }
}

impl Lowering<'_, '_> {
    /// Lowers a primitive whose result has type `ty`.
    pub fn prim(&mut self, body: &Body, inst: &InstData, prim: Prim, ty: Type) -> Result<Leaves> {
        let args = &inst.args;
        let operand = args.first().map_or(ty, |&v| body.function.ty(v));
        let leaf = |n: usize| body.scalar(args[n]);
        let single = match prim {
            Prim::AddOverflows | Prim::SubOverflows | Prim::MulOverflows => {
                self.overflows(prim, operand, leaf(0)?, leaf(1)?)
            }
            Prim::Tuple => return body.all(args),
            Prim::Field(n) => return field(body, args[0], n as usize),
            Prim::Len => body.get(args[0])?[1],
            Prim::Load => {
                let place = self.place(body, inst, ty)?;
                self.load(body.is_constant(args[0]), ty, place)?
            }
            Prim::Store => {
                let (address, distance) = self.place(body, inst, body.function.ty(args[2]))?;
                let flags = MemFlagsData::trusted();
                self.b.ins().store(flags, leaf(2)?, address, distance);
                return Ok(Leaves::new());
            }
            Prim::Pack => self.pack(ty, &body.all(args)?)?,
            Prim::Lane(n) => {
                let lane = u8::try_from(n).unwrap_or(u8::MAX);
                let register = leaf(0)?;
                self.b.ins().extractlane(register, lane)
            }
            Prim::LoadLanes => {
                let place = self.place(body, inst, ty.lane())?;
                self.load(body.is_constant(args[0]), ty, place)?
            }
            Prim::StoreLanes => {
                let element = body.function.ty(args[2]).lane();
                let (address, distance) = self.place(body, inst, element)?;
                let flags = memory_flags(body.function.ty(args[2]));
                self.b.ins().store(flags, leaf(2)?, address, distance);
                return Ok(Leaves::new());
            }
            Prim::Subslice => {
                let element = operand.element().unwrap_or(operand);
                let start = self.element_address(element, body.get(args[0])?[0], leaf(1)?)?;
                return Ok(smallvec![start, leaf(2)?]);
            }
            Prim::Assert(fault) => {
                self.guard(body, leaf(0)?, fault, &args[1..], inst.span)?;
                return Ok(Leaves::new());
            }
            Prim::TapePush => self.tape_push(body, args[0])?,
            Prim::TapePop => self.tape_pop(body, args[0])?,
            Prim::Offset => self.b.ins().iadd(leaf(0)?, leaf(1)?),
            Prim::Peek(at) => {
                let (address, distance) = body.pointer(inst.result).unwrap_or((leaf(0)?, 0));
                let (ty, flags) = (machine_type(ty)?, self.tape_flags(ty));
                self.b.ins().load(ty, flags, address, distance + at as i32)
            }
            Prim::Alloc => self.alloc(body, args[0])?,
            // Memory of objects has no region: views of it are slices.
            Prim::Get(at) => {
                let (ty, flags) = (machine_type(ty)?, memory_flags(ty));
                self.b.ins().load(ty, flags, leaf(0)?, offset(at)?)
            }
            Prim::Set(at) => {
                let (value, flags) = (leaf(1)?, memory_flags(body.function.ty(args[1])));
                self.b.ins().store(flags, value, leaf(0)?, offset(at)?);
                return Ok(Leaves::new());
            }
            Prim::View => return body.all(args),
            Prim::Base => leaf(0)?,
            Prim::Poke(at) => {
                let (address, distance) = body.pointer(inst.result).unwrap_or((leaf(0)?, 0));
                let (value, flags) = (leaf(1)?, self.tape_flags(body.function.ty(args[1])));
                self.b
                    .ins()
                    .store(flags, value, address, distance + at as i32);
                return Ok(Leaves::new());
            }
            Prim::Add
            | Prim::Sub
            | Prim::Mul
            | Prim::Div
            | Prim::Rem
            | Prim::Neg
            | Prim::Sqrt
            | Prim::Abs
            | Prim::Floor
            | Prim::Ceil
            | Prim::Trunc
            | Prim::Copysign
            | Prim::Eq
            | Prim::Ne
            | Prim::Lt
            | Prim::Le
            | Prim::Gt
            | Prim::Ge
            | Prim::And
            | Prim::Or
            | Prim::Xor
            | Prim::Not
            | Prim::Shl
            | Prim::Shr
            | Prim::Select
            | Prim::Cast
            | Prim::Bitcast => {
                let leaves = body.all(args)?;
                self.scalar_prim(prim, operand, ty, &leaves)?
            }
        };
        Ok(smallvec![single])
    }

    /// A primitive on scalars in registers: `operand` is the type of its first argument, `ty` that of its result.
    pub fn scalar_prim(
        &mut self,
        prim: Prim,
        operand: Type,
        ty: Type,
        args: &[clif::Value],
    ) -> Result<clif::Value> {
        let b = &mut self.b;
        Ok(match prim {
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Rem => {
                self.arithmetic(prim, operand, args[0], args[1])
            }
            Prim::Neg => self.neg(operand, args[0]),
            Prim::Sqrt => b.ins().sqrt(args[0]),
            Prim::Abs => b.ins().fabs(args[0]),
            Prim::Floor => b.ins().floor(args[0]),
            Prim::Ceil => b.ins().ceil(args[0]),
            Prim::Trunc => b.ins().trunc(args[0]),
            Prim::Copysign => b.ins().fcopysign(args[0], args[1]),
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => {
                self.compare(prim, operand, args[0], args[1])
            }
            Prim::And => b.ins().band(args[0], args[1]),
            Prim::Or => b.ins().bor(args[0], args[1]),
            Prim::Xor => b.ins().bxor(args[0], args[1]),
            Prim::Not if operand == Type::Bool => {
                let one = int(b, types::I8, 1);
                b.ins().bxor(args[0], one)
            }
            Prim::Not => b.ins().bnot(args[0]),
            Prim::Shl => b.ins().ishl(args[0], args[1]),
            Prim::Shr if operand.is_signed() => b.ins().sshr(args[0], args[1]),
            Prim::Shr => b.ins().ushr(args[0], args[1]),
            Prim::Select => b.ins().select(args[0], args[1], args[2]),
            Prim::Cast => self.cast(operand, ty, args[0])?,
            Prim::Bitcast => self.bitcast(ty, args[0])?,
            other => {
                let text = other.mnemonic();
                return Err(Error::Internal(format!(
                    "`{text}` is no operation on scalars"
                )));
            }
        })
    }

    /// `add`, `sub`, `mul`, `div`, `rem` of two numbers of type `ty`.
    fn arithmetic(&mut self, prim: Prim, ty: Type, x: clif::Value, y: clif::Value) -> clif::Value {
        if let Some(&known) = self.checked.get(&(prim, x, y)) {
            return known;
        }
        let b = &mut self.b;
        match (prim, ty.lane().is_float()) {
            (Prim::Add, true) => b.ins().fadd(x, y),
            (Prim::Sub, true) => b.ins().fsub(x, y),
            (Prim::Mul, true) => b.ins().fmul(x, y),
            (Prim::Div, true) => b.ins().fdiv(x, y),
            (_, true) => self.float_rem(ty, x, y),
            (Prim::Add, false) => b.ins().iadd(x, y),
            (Prim::Sub, false) => b.ins().isub(x, y),
            (Prim::Mul, false) => b.ins().imul(x, y),
            (_, false) => self.divide(prim, ty, x, y),
        }
    }

    fn float_rem(&mut self, ty: Type, x: clif::Value, y: clif::Value) -> clif::Value {
        let (address, ty) = match ty {
            Type::F32 => (rem_f32 as *const () as usize, types::F32),
            _ => (rem_f64 as *const () as usize, types::F64),
        };
        self.call_native(address, &[x, y], ty)
    }

    /// Integer division that never traps: the divisor is guarded, but a pure operation may run before its guard, for
    /// values that nobody uses.
    fn divide(&mut self, prim: Prim, ty: Type, x: clif::Value, y: clif::Value) -> clif::Value {
        let b = &mut self.b;
        let machine = b.func.dfg.value_type(y);
        let zero = int(b, machine, 0);
        let is_zero = b.ins().icmp(IntCC::Equal, y, zero);
        let one = int(b, machine, 1);
        if !ty.is_signed() {
            let divisor = b.ins().select(is_zero, one, y);
            return match prim {
                Prim::Div => b.ins().udiv(x, divisor),
                _ => b.ins().urem(x, divisor),
            };
        }
        let minus_one = int(b, machine, -1);
        let is_minus_one = b.ins().icmp(IntCC::Equal, y, minus_one);
        let either = b.ins().bor(is_zero, is_minus_one);
        let divisor = b.ins().select(either, one, y);
        match prim {
            Prim::Div => {
                let quotient = b.ins().sdiv(x, divisor);
                let negated = b.ins().ineg(x);
                b.ins().select(is_minus_one, negated, quotient)
            }
            // x % 1 and x % -1 are both 0.
            _ => b.ins().srem(x, divisor),
        }
    }

    fn neg(&mut self, ty: Type, x: clif::Value) -> clif::Value {
        match ty.lane().is_float() {
            true => self.b.ins().fneg(x),
            false => self.b.ins().ineg(x),
        }
    }

    /// A comparison of two scalars, or of two registers of lanes.
    pub fn compare(&mut self, prim: Prim, ty: Type, x: clif::Value, y: clif::Value) -> clif::Value {
        let b = &mut self.b;
        if ty.is_float() {
            return b.ins().fcmp(float_condition(prim), x, y);
        }
        let condition = int_condition(prim);
        match ty.is_signed() {
            true => b.ins().icmp(condition, x, y),
            false => b.ins().icmp(condition.unsigned(), x, y),
        }
    }

    /// Whether an integer operation overflows. Its wrapped result is kept: the operation itself follows, as a rule.
    fn overflows(&mut self, prim: Prim, ty: Type, x: clif::Value, y: clif::Value) -> clif::Value {
        let b = &mut self.b;
        let (operation, (result, overflow)) = match (prim, ty.is_signed()) {
            (Prim::AddOverflows, true) => (Prim::Add, b.ins().sadd_overflow(x, y)),
            (Prim::AddOverflows, false) => (Prim::Add, b.ins().uadd_overflow(x, y)),
            (Prim::SubOverflows, true) => (Prim::Sub, b.ins().ssub_overflow(x, y)),
            (Prim::SubOverflows, false) => (Prim::Sub, b.ins().usub_overflow(x, y)),
            (_, true) => (Prim::Mul, b.ins().smul_overflow(x, y)),
            (_, false) => (Prim::Mul, b.ins().umul_overflow(x, y)),
        };
        self.checked.insert((operation, x, y), result);
        overflow
    }

    /// Rust's `as`: integers wrap, floats saturate to integers with NaN as 0.
    fn cast(&mut self, from: Type, to: Type, x: clif::Value) -> Result<clif::Value> {
        let target = machine_type(to)?;
        let source = self.b.func.dfg.value_type(x);
        let b = &mut self.b;
        Ok(match (from.is_float(), to.is_float()) {
            (true, true) if source.bits() < target.bits() => b.ins().fpromote(target, x),
            (true, true) if source.bits() > target.bits() => b.ins().fdemote(target, x),
            (true, true) => x,
            (false, true) => match from.is_signed() {
                true => b.ins().fcvt_from_sint(target, x),
                false => b.ins().fcvt_from_uint(target, x),
            },
            (true, false) => self.float_to_int(to, target, x),
            (false, false) if source.bits() > target.bits() => b.ins().ireduce(target, x),
            (false, false) if source.bits() == target.bits() => x,
            (false, false) => match from.is_signed() {
                true => b.ins().sextend(target, x),
                false => b.ins().uextend(target, x),
            },
        })
    }

    /// Integers below 32 bits are clamped from 32: the machine saturates to no less.
    fn float_to_int(&mut self, to: Type, target: clif::Type, x: clif::Value) -> clif::Value {
        let b = &mut self.b;
        let wide = if target.bits() < 32 {
            types::I32
        } else {
            target
        };
        let signed = to.is_signed();
        let value = match signed {
            true => b.ins().fcvt_to_sint_sat(wide, x),
            false => b.ins().fcvt_to_uint_sat(wide, x),
        };
        if wide == target {
            return value;
        }
        let clamped = match signed {
            true => {
                let max = int(b, wide, (1 << (target.bits() - 1)) - 1);
                let min = int(b, wide, -1 << (target.bits() - 1));
                let below = b.ins().smin(value, max);
                b.ins().smax(below, min)
            }
            false => {
                let max = int(b, wide, (1 << target.bits()) - 1);
                b.ins().umin(value, max)
            }
        };
        b.ins().ireduce(target, clamped)
    }

    fn bitcast(&mut self, to: Type, x: clif::Value) -> Result<clif::Value> {
        let target = machine_type(to)?;
        let found = self.b.func.dfg.value_type(x);
        Ok(match (found, target) {
            (found, target) if found == target => x,
            // The bits of an `f16` are the lower half of a `u32`.
            (types::I16, types::I32) => self.b.ins().uextend(target, x),
            (types::I32, types::I16) => self.b.ins().ireduce(target, x),
            _ => self.b.ins().bitcast(target, MemFlagsData::new(), x),
        })
    }

    /// A register of these lanes.
    fn pack(&mut self, ty: Type, lanes: &[clif::Value]) -> Result<clif::Value> {
        let (machine, b) = (machine_type(ty)?, &mut self.b);
        if lanes.iter().all(|lane| *lane == lanes[0]) {
            return Ok(b.ins().splat(machine, lanes[0]));
        }
        if let [low, high] = *lanes
            && let (Some((a, 1)), Some((c, 0))) = (lane_of(b, low), lane_of(b, high))
        {
            // The upper half of one register and the lower half of another.
            let [a, c] = [a, c].map(|register| b.ins().bitcast(types::I8X16, little(), register));
            let middle: Vec<u8> = (8..24).collect();
            let middle = b.func.dfg.immediates.push(middle.into());
            let bytes = b.ins().shuffle(a, c, middle);
            return Ok(b.ins().bitcast(machine, little(), bytes));
        }
        let first = b.ins().splat(machine, lanes[0]);
        let rest = (1..).zip(&lanes[1..]);
        Ok(rest.fold(first, |register, (n, &lane)| {
            b.ins().insertlane(register, lane, n)
        }))
    }

    fn element_address(
        &mut self,
        element: Type,
        base: clif::Value,
        index: clif::Value,
    ) -> Result<clif::Value> {
        let size = machine_type(element)?.bytes();
        let b = &mut self.b;
        let shift = int(b, types::I64, i64::from(size.trailing_zeros()));
        let offset = b.ins().ishl(index, shift);
        Ok(b.ins().iadd(base, offset))
    }

    /// Where an instruction reads or writes an element: an address and a distance from it.
    fn place(&mut self, body: &Body, inst: &InstData, element: Type) -> Result<(clif::Value, i32)> {
        if let Some(place) = body.pointer(inst.result) {
            return Ok(place);
        }
        let (base, index) = (body.get(inst.args[0])?[0], inst.args[1]);
        let (index, distance) = match based(body.function, index) {
            // The machine adds small distances by itself.
            Some((of, distance)) if distance.unsigned_abs() < 1 << 20 => (of, distance as i32),
            _ => (index, 0),
        };
        let size = machine_type(element)?.bytes() as i32;
        let address = self.element_address(element, base, body.scalar(index)?)?;
        Ok((address, distance * size))
    }

    fn load(
        &mut self,
        is_constant: bool,
        ty: Type,
        (address, distance): (clif::Value, i32),
    ) -> Result<clif::Value> {
        let flags = memory_flags(ty);
        // Not `can_move`: a load must stay behind its guard.
        let flags = match is_constant {
            true => flags
                .with_readonly()
                .with_alias_region(Some(self.constant_memory)),
            false => flags,
        };
        let ty = machine_type(ty)?;
        Ok(self.b.ins().load(ty, flags, address, distance))
    }

    fn tape_flags(&self, ty: Type) -> MemFlagsData {
        memory_flags(ty).with_alias_region(Some(self.tape_memory))
    }

    /// The size of a record or an object; so large that no memory can hold it if the product that gives it overflows.
    fn size(&mut self, body: &Body, size: ir::Value) -> Result<clif::Value> {
        let value = body.scalar(size)?;
        let Some(def) = body.function.def_inst(size) else {
            return Ok(value);
        };
        if def.op != Op::Prim(Prim::Mul) {
            return Ok(value);
        }
        let (x, y) = (body.scalar(def.args[0])?, body.scalar(def.args[1])?);
        let (product, overflow) = self.b.ins().umul_overflow(x, y);
        let largest = int(&mut self.b, types::I64, -1);
        Ok(self.b.ins().select(overflow, largest, product))
    }

    /// Bumps the top if the chunk has room for the record, else asks the executor.
    fn tape_push(&mut self, body: &Body, size: ir::Value) -> Result<clif::Value> {
        let stack = Stack {
            top: offset_of!(abi::Header, tape_top),
            end: offset_of!(abi::Header, tape_end),
            grow: offset_of!(abi::Header, tape_push),
            alignment: 8,
        };
        let size = self.size(body, size)?;
        Ok(self.bump(stack, size))
    }

    /// Bumps the top if the chunk has room for the object, else asks the executor. Memory above the top is zero.
    fn alloc(&mut self, body: &Body, size: ir::Value) -> Result<clif::Value> {
        let stack = Stack {
            top: offset_of!(abi::Header, object_top),
            end: offset_of!(abi::Header, object_end),
            grow: offset_of!(abi::Header, alloc),
            alignment: 16,
        };
        let size = self.size(body, size)?;
        Ok(self.bump(stack, size))
    }

    /// The address of that many bytes on top of a stack of the frame's. Leaves if there is no memory.
    fn bump(&mut self, stack: Stack, size: clif::Value) -> clif::Value {
        let (top, end) = (self.load_header(stack.top), self.load_header(stack.end));
        let room = self.b.ins().isub(end, top);
        let fits = self
            .b
            .ins()
            .icmp(IntCC::UnsignedLessThanOrEqual, size, room);
        let (fast, slow) = self.split(fits);
        let done = self.b.create_block();
        let address = self.b.append_block_param(done, types::I64);

        self.b.switch_to_block(slow);
        let grow = self.load_header(stack.grow);
        let (frame, ty) = (self.frame, types::I64);
        let fresh = self.call_address(grow, &[frame, size], ty);
        let (exit, found) = (self.exit(), [BlockArg::Value(fresh)]);
        self.b.ins().brif(fresh, done, &found, exit, &[]);

        // The room is a multiple of the alignment too.
        self.b.switch_to_block(fast);
        let rounded = self.round_up(size, stack.alignment);
        let next = self.b.ins().iadd(top, rounded);
        self.store_header(stack.top, next);
        self.b.ins().jump(done, &[BlockArg::Value(top)]);
        self.b.switch_to_block(done);
        address
    }

    /// Lowers the top if the record is in the current chunk and the peak is known, else asks the executor.
    fn tape_pop(&mut self, body: &Body, size: ir::Value) -> Result<clif::Value> {
        let size = body.scalar(size)?;
        let top = self.load_header(offset_of!(abi::Header, tape_top));
        let start = self.load_header(offset_of!(abi::Header, tape_start));
        let peak = self.load_header(offset_of!(abi::Header, tape_peak));
        let rounded = self.round_up(size, 8);
        let used = self.b.ins().isub(top, start);
        let b = &mut self.b;
        let here = b.ins().icmp(IntCC::UnsignedLessThanOrEqual, rounded, used);
        let (checked, slow) = self.split(here);
        self.b.switch_to_block(checked);
        let b = &mut self.b;
        let known = b.ins().icmp(IntCC::UnsignedLessThanOrEqual, top, peak);
        let fast = b.create_block();
        b.ins().brif(known, fast, &[], slow, &[]);
        let done = b.create_block();
        let address = b.append_block_param(done, types::I64);

        self.b.switch_to_block(slow);
        let pop = self.load_header(offset_of!(abi::Header, tape_pop));
        let (frame, ty) = (self.frame, types::I64);
        let found = self.call_address(pop, &[frame, rounded], ty);
        self.b.ins().jump(done, &[BlockArg::Value(found)]);

        self.b.switch_to_block(fast);
        let previous = self.b.ins().isub(top, rounded);
        self.store_header(offset_of!(abi::Header, tape_top), previous);
        self.b.ins().jump(done, &[BlockArg::Value(previous)]);
        self.b.switch_to_block(done);
        Ok(address)
    }

    /// The next multiple of a power of two.
    fn round_up(&mut self, size: clif::Value, alignment: i64) -> clif::Value {
        let b = &mut self.b;
        let low = int(b, types::I64, alignment - 1);
        let mask = int(b, types::I64, -alignment);
        let more = b.ins().iadd(size, low);
        b.ins().band(more, mask)
    }

    fn store_header(&mut self, offset: usize, word: clif::Value) {
        let (flags, frame) = (MemFlagsData::trusted(), self.frame);
        self.b.ins().store(flags, word, frame, offset as i32);
    }
}

/// Where in the frame's head the bounds of a stack's chunk are, and what to call when the chunk is full.
struct Stack {
    top: usize,
    end: usize,
    grow: usize,
    alignment: i64,
}

/// What the machine may rely on where a value of a type is read or written: scalars are aligned, registers of several floats are aligned as
/// one of them.
fn memory_flags(ty: Type) -> MemFlagsData {
    match ty.lanes() {
        Some(_) => MemFlagsData::new().with_notrap(),
        None => MemFlagsData::trusted(),
    }
}

/// A constant offset as the machine has it.
fn offset(bytes: u32) -> Result<i32> {
    i32::try_from(bytes)
        .map_err(|_| Error::Internal(format!("an object of more than {bytes} bytes")))
}

/// The leaves of one field of a tuple.
fn field(body: &Body, tuple: ir::Value, n: usize) -> Result<Leaves> {
    let Type::Tuple(fields) = body.function.ty(tuple) else {
        return Err(Error::Internal(format!(
            "field {n} of {tuple}, which is no tuple"
        )));
    };
    let mut start = Vec::new();
    for &ty in &fields[..n] {
        super::leaves::leaf_types(ty, &mut start)?;
    }
    let mut own = Vec::new();
    super::leaves::leaf_types(fields[n], &mut own)?;
    let leaves = body.get(tuple)?;
    Ok(Leaves::from_slice(
        &leaves[start.len()..start.len() + own.len()],
    ))
}

fn float_condition(prim: Prim) -> FloatCC {
    match prim {
        Prim::Eq => FloatCC::Equal,
        Prim::Ne => FloatCC::NotEqual,
        Prim::Lt => FloatCC::LessThan,
        Prim::Le => FloatCC::LessThanOrEqual,
        Prim::Gt => FloatCC::GreaterThan,
        _ => FloatCC::GreaterThanOrEqual,
    }
}

fn int_condition(prim: Prim) -> IntCC {
    match prim {
        Prim::Eq => IntCC::Equal,
        Prim::Ne => IntCC::NotEqual,
        Prim::Lt => IntCC::SignedLessThan,
        Prim::Le => IntCC::SignedLessThanOrEqual,
        Prim::Gt => IntCC::SignedGreaterThan,
        _ => IntCC::SignedGreaterThanOrEqual,
    }
}

/// An index as another one plus a constant.
fn based(function: &ir::Function, index: ir::Value) -> Option<(ir::Value, i64)> {
    let made = function.def_inst(index)?;
    let &[of, by] = &made.args[..] else {
        return None;
    };
    match (made.op, function.as_const(by)?) {
        (Op::Prim(Prim::Add), ir::Const::Int(by)) => Some((of, by)),
        (Op::Prim(Prim::Sub), ir::Const::Int(by)) => Some((of, by.checked_neg()?)),
        _ => None,
    }
}

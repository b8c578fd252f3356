//! Casts between `f16` and `f32`, written out: no machine that we compile for needs to know the type.
//!
//! Code generators work on what [`expanded`] gives. There an `f16` is 16 bits, which a `bitcast` takes out and puts in, and everything between
//! is arithmetic of `u32` and exact arithmetic of `f32`. So every device gives the same bits, whether it has 16-bit floats or not, and the crate
//! `half`, which the interpreter uses, gives the same. A test compares them.

use super::{Const, Function, Inst, Module, Op, Prim, Span, Type, Value};
use std::borrow::Cow;

/// The function with all casts from `f16` and to `f16` written out.
pub fn expanded(function: &Function) -> Cow<'_, Function> {
    if !has_casts(function) {
        return Cow::Borrowed(function);
    }
    let mut function = function.clone();
    for block in function.layout.clone() {
        let old = std::mem::take(&mut function.blocks[block].insts);
        let mut writer = Writer {
            function: &mut function,
            insts: Vec::with_capacity(old.len()),
            span: Span::NONE,
        };
        for inst in old {
            writer.copy(inst);
        }
        let insts = writer.insts;
        function.blocks[block].insts = insts;
    }
    Cow::Owned(function)
}

/// The module with all of its functions [`expanded`].
pub fn expanded_module(module: &Module) -> Cow<'_, Module> {
    if !module.functions.values().any(has_casts) {
        return Cow::Borrowed(module);
    }
    let mut module = module.clone();
    for function in module.functions.values_mut() {
        if let Cow::Owned(own) = expanded(function) {
            *function = own;
        }
    }
    Cow::Owned(module)
}

fn has_casts(function: &Function) -> bool {
    let mut insts = { function.blocks_in_order() }.flat_map(|(_, data)| &data.insts);
    insts.any(|&inst| cast(function, inst).is_some())
}

/// A conversion between the two types.
#[derive(Clone, Copy)]
enum Conversion {
    Widen,
    Narrow,
}

/// The conversion that an instruction is, if it is one.
fn cast(function: &Function, inst: Inst) -> Option<Conversion> {
    let row = &function.insts[inst];
    let Op::Prim(Prim::Cast) = row.op else {
        return None;
    };
    match (function.ty(row.args[0]), function.ty(row.result)) {
        (Type::F16, Type::F32) => Some(Conversion::Widen),
        (Type::F32, Type::F16) => Some(Conversion::Narrow),
        _ => None,
    }
}

/// Writes the instructions of a block anew.
struct Writer<'a> {
    function: &'a mut Function,
    insts: Vec<Inst>,
    span: Span,
}

impl Writer<'_> {
    /// An instruction; if it is a conversion, what that consists of. The last of these keeps the number of the conversion, and so its result.
    fn copy(&mut self, inst: Inst) {
        let (argument, span) = {
            let row = &self.function.insts[inst];
            (row.args.first().copied(), row.span)
        };
        self.span = span;
        if let (Some(conversion), Some(x)) = (cast(self.function, inst), argument) {
            let bits = match conversion {
                Conversion::Widen => self.widened(x),
                Conversion::Narrow => self.narrowed(x),
            };
            let row = &mut self.function.insts[inst];
            row.op = Op::Prim(Prim::Bitcast);
            row.args[0] = bits;
        }
        self.insts.push(inst);
    }

    /// The bits of an `f16` as an `f32`.
    fn widened(&mut self, x: Value) -> Value {
        let bits = self.prim(Prim::Bitcast, &[x], Type::U32);
        let sign = self.int2(Prim::And, bits, 0x8000);
        let sign = self.int2(Prim::Shl, sign, 16);
        let magnitude = self.int2(Prim::And, bits, 0x7fff);
        // Ten bits of a fraction become 23, and the exponent is counted from −127 instead of −15.
        let moved = self.int2(Prim::Shl, magnitude, 13);
        let normal = self.int2(Prim::Add, moved, 112 << 23);
        // The greatest exponent stays the greatest: infinity, and NaN, which is made quiet as machines do.
        let infinity = self.int2(Prim::Add, moved, 224 << 23);
        let nan = self.int2(Prim::Or, infinity, 0x0040_0000);
        // Without an exponent it is a multiple of the smallest number, which is no subnormal of `f32`.
        let count = self.prim(Prim::Cast, &[magnitude], Type::F32);
        let smallest = self.constant(Const::Float(f64::from(2f32.powi(-24))), Type::F32);
        let subnormal = self.prim(Prim::Mul, &[count, smallest], Type::F32);
        let subnormal = self.prim(Prim::Bitcast, &[subnormal], Type::U32);
        let finite = self.choose(Prim::Lt, magnitude, 0x0400, subnormal, normal);
        let other = self.choose(Prim::Gt, magnitude, 0x7c00, nan, infinity);
        let widened = self.choose(Prim::Ge, magnitude, 0x7c00, other, finite);
        self.prim(Prim::Or, &[widened, sign], Type::U32)
    }

    /// The bits of the `f16` nearest to an `f32`; of two, the even one.
    fn narrowed(&mut self, x: Value) -> Value {
        let bits = self.prim(Prim::Bitcast, &[x], Type::U32);
        let sign = self.int2(Prim::Shr, bits, 16);
        let sign = self.int2(Prim::And, sign, 0x8000);
        let magnitude = self.int2(Prim::And, bits, 0x7fff_ffff);
        // 13 bits are dropped. What is added before makes a carry if they are more than a half, or a half and the bit above is odd. The carry may
        // reach the exponent, also that of infinity.
        let dropped = self.int2(Prim::Shr, magnitude, 13);
        let odd = self.int2(Prim::And, dropped, 1);
        let moved = self.int2(Prim::Sub, magnitude, 112 << 23);
        let raised = self.int2(Prim::Add, moved, 0x0fff);
        let raised = self.prim(Prim::Add, &[raised, odd], Type::U32);
        let normal = self.int2(Prim::Shr, raised, 13);
        let subnormal = self.subnormal(magnitude);
        let finite = self.choose(Prim::Lt, magnitude, 113 << 23, subnormal, normal);
        let infinity = self.constant(Const::Int(0x7c00), Type::U32);
        let payload = self.int2(Prim::And, dropped, 0x03ff);
        let nan = self.int2(Prim::Or, payload, 0x7e00);
        let other = self.choose(Prim::Gt, magnitude, 255 << 23, nan, infinity);
        let narrowed = self.choose(Prim::Ge, magnitude, 143 << 23, other, finite);
        self.prim(Prim::Or, &[narrowed, sign], Type::U32)
    }

    /// How many times the smallest `f16` a number below the smallest normal one is. Nothing is rounded but the count, so it does not matter how a device
    /// rounds, nor whether it has subnormal numbers.
    fn subnormal(&mut self, magnitude: Value) -> Value {
        let number = self.prim(Prim::Bitcast, &[magnitude], Type::F32);
        let scale = self.constant(Const::Float(f64::from(2f32.powi(24))), Type::F32);
        let scaled = self.prim(Prim::Mul, &[number, scale], Type::F32);
        let whole = self.prim(Prim::Floor, &[scaled], Type::F32);
        let rest = self.prim(Prim::Sub, &[scaled, whole], Type::F32);
        let count = self.prim(Prim::Cast, &[whole], Type::I32);
        let count = self.prim(Prim::Bitcast, &[count], Type::U32);
        let odd = self.int2(Prim::And, count, 1);
        let next = self.int2(Prim::Add, count, 1);
        let rounded = self.prim(Prim::Add, &[count, odd], Type::U32);
        // A half goes to the even neighbour. Floats that are not negative are ordered as their bits are.
        let rest = self.prim(Prim::Bitcast, &[rest], Type::U32);
        let half = i64::from(0.5f32.to_bits());
        let down = self.choose(Prim::Lt, rest, half, count, rounded);
        self.choose(Prim::Gt, rest, half, next, down)
    }

    /// One of two numbers, as a comparison with a constant says.
    fn choose(&mut self, compare: Prim, x: Value, with: i64, yes: Value, no: Value) -> Value {
        let with = self.constant(Const::Int(with), Type::U32);
        let holds = self.prim(compare, &[x, with], Type::Bool);
        self.prim(Prim::Select, &[holds, yes, no], Type::U32)
    }

    /// An operation on a `u32` and a constant.
    fn int2(&mut self, prim: Prim, x: Value, constant: i64) -> Value {
        let constant = self.constant(Const::Int(constant), Type::U32);
        self.prim(prim, &[x, constant], Type::U32)
    }

    fn constant(&mut self, constant: Const, ty: Type) -> Value {
        self.append(Op::Const(constant), &[], ty)
    }

    fn prim(&mut self, prim: Prim, args: &[Value], ty: Type) -> Value {
        self.append(Op::Prim(prim), args, ty)
    }

    fn append(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let inst = self.function.make_inst(op, args, ty, self.span);
        self.insts.push(inst);
        self.function.insts[inst].result
    }
}

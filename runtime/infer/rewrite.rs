//! The typed function: every value has its type, every method and operator is what it means, and every guard that depends on a type
//! stands before its operation.

use super::library;
use super::methods::{Builtin, bits_type, builtin};
use super::unify::{Unifier, rust_name};
use super::{Program, no_such_function};
use crate::arena::Id;
use crate::diag::{Diagnostic, Span};
use crate::front::lower::{Callee, GenericFunction};
use crate::ir::build::{prim_type, substitute};
use crate::ir::eval::bits;
use crate::ir::expr::scalar_primitive;
use crate::ir::{Block, Const, Fault, Function, Inst, InstData, Op, Prim, Symbol, Type, Value};
use crate::registry::HostOp;
use std::collections::{BTreeMap, HashMap};

/// Makes the typed function of a generic one. `closures` are the names by [`Callee::Closure`].
pub(super) fn rewrite(
    generic: GenericFunction,
    types: &Unifier,
    closures: &[Symbol],
    program: &mut Program,
) -> Result<Function, Diagnostic> {
    let GenericFunction {
        mut function,
        callees,
    } = generic;
    function.ret = types.resolve(function.ret);
    for value in function.values.keys() {
        function.values[value].ty = types.resolve(function.values[value].ty);
    }
    let mut rewriter = Rewriter {
        function,
        callees,
        closures,
        program,
        block: Block::new(0),
        aliases: HashMap::new(),
    };
    for block in rewriter.function.layout.clone() {
        rewriter.block = block;
        for inst in std::mem::take(&mut rewriter.function.blocks[block].insts) {
            rewriter.inst(inst)?;
        }
    }
    let Rewriter {
        mut function,
        aliases,
        ..
    } = rewriter;
    substitute(&mut function, &aliases);
    Ok(function)
}

struct Rewriter<'a, 'r> {
    function: Function,
    callees: BTreeMap<Value, Callee>,
    closures: &'a [Symbol],
    program: &'a mut Program<'r>,
    /// Where instructions are appended.
    block: Block,
    /// Results that are another value now.
    aliases: HashMap<Value, Value>,
}

impl Rewriter<'_, '_> {
    fn inst(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let data = self.function.insts[inst].clone();
        let types: Vec<Type> = data.args.iter().map(|&v| self.function.ty(v)).collect();
        match data.op {
            // A literal is read as an f64.
            Op::Const(Const::Float(x)) if self.function.ty(data.result) == Type::F32 => {
                self.function.insts[inst].op = Op::Const(Const::Float(f64::from(x as f32)));
                self.keep(inst);
            }
            Op::Const(_) => self.keep(inst),
            Op::Prim(prim) => self.prim(inst, prim, &data, &types)?,
            Op::Map(name) => {
                let elements: Vec<Type> = types.iter().map(|&t| element(t)).collect();
                check_captures(&types, &data)?;
                let name = self.known_callee(name, &data, &elements)?;
                self.function.insts[inst].op = Op::Map(name);
                self.keep(inst);
            }
            Op::Call(name) if self.callees.contains_key(&data.result) => {
                let name = self.known_callee(name, &data, &types)?;
                self.function.insts[inst].op = Op::Call(name);
                self.keep(inst);
            }
            Op::Call(name) => self.method(inst, name, &data, &types)?,
        }
        self.check_known(&data)
    }

    /// Every value must have a type by now.
    fn check_known(&self, data: &InstData) -> Result<(), Diagnostic> {
        match is_known(self.function.ty(data.result)) {
            true => Ok(()),
            false => Err(Diagnostic::new(
                data.span,
                "the type of this expression could not be found",
            )
            .help("write the type where the value is bound")),
        }
    }

    fn known_callee(
        &mut self,
        name: Symbol,
        data: &InstData,
        types: &[Type],
    ) -> Result<Symbol, Diagnostic> {
        match self.callees.get(&data.result) {
            Some(&Callee::Closure(position)) => Ok(self.closures[position]),
            Some(Callee::Source(source)) => self.program.callee(source, types, data.span),
            None => Ok(name),
        }
    }

    fn keep(&mut self, inst: Inst) {
        self.function.blocks[self.block].insts.push(inst);
    }

    fn prim(
        &mut self,
        inst: Inst,
        prim: Prim,
        data: &InstData,
        types: &[Type],
    ) -> Result<(), Diagnostic> {
        let result = self.function.ty(data.result);
        if types.iter().any(|t| t.is_array()) && scalar_primitive(prim.mnemonic()).is_some() {
            return self.array_operator(inst, prim, data, types);
        }
        match (prim, &data.args[..]) {
            (Prim::Cast, &[arg]) if types[0] == result => {
                self.aliases.insert(data.result, arg);
            }
            (Prim::Cast, _) if !(types[0].is_scalar() && result.is_scalar()) => {
                return Err(Diagnostic::new(
                    data.span,
                    format!(
                        "`{}` cannot be cast to `{}` here",
                        rust_name(types[0]),
                        rust_name(result)
                    ),
                ));
            }
            // What the front end computes for itself has no place and cannot fail.
            (Prim::Add | Prim::Sub | Prim::Mul, &[a, b])
                if result.is_int() && data.span.is_known() =>
            {
                self.guard_overflow(prim, a, b, data.span);
                self.keep(inst);
            }
            (Prim::Div | Prim::Rem, &[a, b]) if result.is_int() && data.span.is_known() => {
                self.guard_division(prim, a, b, data.span);
                self.keep(inst);
            }
            (Prim::Neg, &[a]) if result.is_signed() => {
                let zero = self.int(0, result, data.span);
                let overflows = self.emit(Prim::SubOverflows, &[zero, a], data.span);
                self.deny(overflows, "attempt to negate with overflow", data.span);
                self.keep(inst);
            }
            (Prim::Shl | Prim::Shr, &[_, b]) => {
                let b = self.guard_shift(prim, b, result, data.span);
                self.function.insts[inst].args[1] = b;
                self.keep(inst);
            }
            _ => {
                // `prim_type` knows no arrays, and what rustc accepted otherwise fits.
                let fits = matches!(prim, Prim::Cast | Prim::Bitcast | Prim::Peek(_))
                    || prim_type(prim, types).is_some();
                if !fits {
                    return Err(refuse_types(prim.mnemonic(), types, data.span));
                }
                self.keep(inst);
            }
        }
        Ok(())
    }

    /// An operator of arrays is the map of the operator of their elements.
    fn array_operator(
        &mut self,
        inst: Inst,
        prim: Prim,
        data: &InstData,
        types: &[Type],
    ) -> Result<(), Diagnostic> {
        use Prim::*;
        match prim {
            Add | Sub | Mul | Div | Rem | Neg | Sqrt | Abs | Floor | Ceil | Trunc | Copysign => {
                self.function.insts[inst].op = Op::Map(Symbol::from_static(prim.mnemonic()));
                self.keep(inst);
                Ok(())
            }
            _ => Err(refuse_types(prim.mnemonic(), types, data.span)
                .help("write it inside `map`: `a.map(|v| if v < 0.0 { … } else { … })`")),
        }
    }

    fn method(
        &mut self,
        inst: Inst,
        name: Symbol,
        data: &InstData,
        types: &[Type],
    ) -> Result<(), Diagnostic> {
        if let Some(found) = types
            .first()
            .and_then(|&receiver| builtin(name.as_str(), receiver))
        {
            // On arrays only those that are primitives of the elements, and `clone`.
            self.expand(found, data, types);
            return Ok(());
        }
        if let Some(source) = types
            .first()
            .and_then(|&receiver| library::method(name.as_str(), receiver))
        {
            let name = self.program.callee(source, types, data.span)?;
            self.function.insts[inst].op = Op::Call(name);
            self.keep(inst);
            return Ok(());
        }
        let registry = self.program.registry;
        if registry.call_type(name, types).is_some() {
            self.keep(inst);
            return Ok(());
        }
        if types.iter().any(|t| t.is_array()) && HostOp::from_name(name.as_str()).is_none() {
            let elements: Vec<Type> = types.iter().map(|&t| element(t)).collect();
            let is_primitive = || prim_type(scalar_primitive(name.as_str())?, &elements);
            if is_primitive()
                .or_else(|| registry.call_type(name, &elements))
                .is_some()
            {
                self.function.insts[inst].op = Op::Map(name);
                self.keep(inst);
                return Ok(());
            }
        }
        if HostOp::from_name(name.as_str()).is_some() {
            return Err(refuse_types(name.as_str(), types, data.span));
        }
        Err(no_such_function(name.as_str(), types, data.span))
    }

    /// Replaces a built-in method by primitives.
    fn expand(&mut self, builtin: Builtin, data: &InstData, types: &[Type]) {
        use Prim::*;
        let (span, ty, args) = (data.span, types[0], &data.args[..]);
        let a = args[0];
        let result = match builtin {
            Builtin::Identity => a,
            Builtin::Prim(prim) => self.emit(prim, args, span),
            Builtin::Min => {
                let less = self.emit(Le, &[a, args[1]], span);
                self.emit(Select, &[less, a, args[1]], span)
            }
            Builtin::Max => {
                let less = self.emit(Gt, &[a, args[1]], span);
                self.emit(Select, &[less, a, args[1]], span)
            }
            Builtin::Abs => {
                let zero = self.int(0, ty, span);
                let overflows = self.emit(SubOverflows, &[zero, a], span);
                self.deny(overflows, "attempt to negate with overflow", span);
                let negative = self.emit(Lt, &[a, zero], span);
                let negated = self.emit(Neg, &[a], span);
                self.emit(Select, &[negative, negated, a], span)
            }
            Builtin::AbsDiff => {
                let less = self.emit(Lt, &[a, args[1]], span);
                let down = self.emit(Sub, &[a, args[1]], span);
                let up = self.emit(Sub, &[args[1], a], span);
                self.emit(Select, &[less, up, down], span)
            }
            Builtin::SaturatingSub => {
                let less = self.emit(Lt, &[a, args[1]], span);
                let (zero, difference) =
                    (self.int(0, ty, span), self.emit(Sub, &[a, args[1]], span));
                self.emit(Select, &[less, zero, difference], span)
            }
            Builtin::RemEuclid => self.rem_euclid(a, args[1], ty, span),
            Builtin::IsNan => self.emit(Ne, &[a, a], span),
            Builtin::IsFinite => self.compare_with_infinity(Lt, a, ty, span),
            Builtin::IsInfinite => self.compare_with_infinity(Eq, a, ty, span),
            Builtin::IsSignNegative | Builtin::IsSignPositive => {
                let one = self.constant(Const::Float(1.0), ty, span);
                let sign = self.emit(Copysign, &[one, a], span);
                let zero = self.constant(Const::Float(0.0), ty, span);
                let compare = if builtin == Builtin::IsSignNegative {
                    Lt
                } else {
                    Gt
                };
                self.emit(compare, &[sign, zero], span)
            }
            Builtin::ToBits => self.append(Op::Prim(Bitcast), &[a], bits_type(ty), span),
            Builtin::SinCos => {
                let [sin, cos] = ["sin", "cos"]
                    .map(|name| self.append(Op::Call(Symbol::from_static(name)), &[a], ty, span));
                self.emit(Tuple, &[sin, cos], span)
            }
            Builtin::Len => self.emit(Len, &[a], span),
            Builtin::IsEmpty => {
                let length = self.emit(Len, &[a], span);
                let zero = self.int(0, Type::Usize, span);
                self.emit(Eq, &[length, zero], span)
            }
            Builtin::Swap => self.swap(a, args[1], args[2], span),
        };
        self.aliases.insert(data.result, result);
    }

    /// Rust's: `a % b`, plus |b| where that is negative.
    fn rem_euclid(&mut self, a: Value, b: Value, ty: Type, span: Span) -> Value {
        use Prim::*;
        self.guard_division(Rem, a, b, span);
        let rest = self.emit(Rem, &[a, b], span);
        if !ty.is_signed() {
            return rest;
        }
        let zero = self.int(0, ty, span);
        let (negative, down) = (
            self.emit(Lt, &[rest, zero], span),
            self.emit(Lt, &[b, zero], span),
        );
        let (minus, plus) = (
            self.emit(Sub, &[rest, b], span),
            self.emit(Add, &[rest, b], span),
        );
        let shifted = self.emit(Select, &[down, minus, plus], span);
        self.emit(Select, &[negative, shifted, rest], span)
    }

    fn compare_with_infinity(&mut self, compare: Prim, a: Value, ty: Type, span: Span) -> Value {
        let size = self.emit(Prim::Abs, &[a], span);
        let infinity = self.constant(Const::Float(f64::INFINITY), ty, span);
        self.emit(compare, &[size, infinity], span)
    }

    fn swap(&mut self, slice: Value, i: Value, j: Value, span: Span) -> Value {
        let length = self.emit(Prim::Len, &[slice], span);
        for index in [i, j] {
            let inside = self.emit(Prim::Lt, &[index, length], span);
            self.emit(
                Prim::Assert(Fault::IndexOutOfBounds),
                &[inside, index, length],
                span,
            );
        }
        let (x, y) = (
            self.emit(Prim::Load, &[slice, i], span),
            self.emit(Prim::Load, &[slice, j], span),
        );
        self.emit(Prim::Store, &[slice, i, y], span);
        self.emit(Prim::Store, &[slice, j, x], span)
    }

    fn guard_overflow(&mut self, prim: Prim, a: Value, b: Value, span: Span) {
        let (test, text) = match prim {
            Prim::Add => (Prim::AddOverflows, "attempt to add with overflow"),
            Prim::Sub => (Prim::SubOverflows, "attempt to subtract with overflow"),
            _ => (Prim::MulOverflows, "attempt to multiply with overflow"),
        };
        let overflows = self.emit(test, &[a, b], span);
        self.deny(overflows, text, span);
    }

    fn guard_division(&mut self, prim: Prim, a: Value, b: Value, span: Span) {
        let ty = self.function.ty(a);
        let zero = self.int(0, ty, span);
        let divides = self.emit(Prim::Ne, &[b, zero], span);
        self.emit(Prim::Assert(Fault::DivisionByZero), &[divides], span);
        if ty.is_signed() {
            let lowest = self.int(i64::MIN >> (64 - bits(ty).unwrap_or(64)), ty, span);
            let minus_one = self.int(-1, ty, span);
            let is_lowest = self.emit(Prim::Eq, &[a, lowest], span);
            let is_minus_one = self.emit(Prim::Eq, &[b, minus_one], span);
            let overflows = self.emit(Prim::And, &[is_lowest, is_minus_one], span);
            let text = match prim {
                Prim::Div => "attempt to divide with overflow",
                _ => "attempt to calculate the remainder with overflow",
            };
            self.deny(overflows, text, span);
        }
    }

    /// The amount of a shift, checked, in the type of what is shifted.
    fn guard_shift(&mut self, prim: Prim, amount: Value, ty: Type, span: Span) -> Value {
        let amount_ty = self.function.ty(amount);
        let (zero, width) = (
            self.int(0, amount_ty, span),
            self.int(bits(ty).unwrap_or(64).into(), amount_ty, span),
        );
        let (low, high) = (
            self.emit(Prim::Ge, &[amount, zero], span),
            self.emit(Prim::Lt, &[amount, width], span),
        );
        let fits = self.emit(Prim::And, &[low, high], span);
        let text = match prim {
            Prim::Shl => "attempt to shift left with overflow",
            _ => "attempt to shift right with overflow",
        };
        self.emit(
            Prim::Assert(Fault::Overflow(Symbol::from_static(text))),
            &[fits],
            span,
        );
        match amount_ty == ty {
            true => amount,
            false => self.append(Op::Prim(Prim::Cast), &[amount], ty, span),
        }
    }

    /// Leaves with an overflow if the condition holds.
    fn deny(&mut self, condition: Value, text: &'static str, span: Span) {
        let fine = self.emit(Prim::Not, &[condition], span);
        self.emit(
            Prim::Assert(Fault::Overflow(Symbol::from_static(text))),
            &[fine],
            span,
        );
    }

    /// Appends a primitive on values of known types.
    fn emit(&mut self, prim: Prim, args: &[Value], span: Span) -> Value {
        let types: Vec<Type> = args.iter().map(|&v| self.function.ty(v)).collect();
        // A primitive that does not fit is found by the verifier, with its name.
        let ty = prim_type(prim, &types).unwrap_or(Type::UNIT);
        self.append(Op::Prim(prim), args, ty, span)
    }

    fn append(&mut self, op: Op, args: &[Value], ty: Type, span: Span) -> Value {
        self.function.append(self.block, op, args, ty, span)
    }

    fn constant(&mut self, value: Const, ty: Type, span: Span) -> Value {
        self.append(Op::Const(value), &[], ty, span)
    }

    fn int(&mut self, value: i64, ty: Type, span: Span) -> Value {
        self.constant(Const::Int(value), ty, span)
    }
}

/// A map hands its function numbers: what a closure captures is one.
fn check_captures(types: &[Type], data: &InstData) -> Result<(), Diagnostic> {
    match types[1..].iter().find(|ty| !ty.is_scalar()) {
        None => Ok(()),
        Some(&ty) => {
            let message = format!(
                "the closure of `map` captures a `{}`, but only numbers can be captured",
                rust_name(ty)
            );
            Err(Diagnostic::new(data.span, message).help(
                "bind the number to a name before the closure; arrays are combined with operators",
            ))
        }
    }
}

/// What a map hands to its function.
fn element(ty: Type) -> Type {
    match ty {
        Type::Array(element) => *element,
        other => other,
    }
}

fn is_known(ty: Type) -> bool {
    match ty {
        Type::Infer(_) => false,
        Type::Tuple(fields) => fields.iter().all(|&field| is_known(field)),
        Type::Slice(t) | Type::SliceMut(t) | Type::Array(t) => is_known(*t),
        _ => true,
    }
}

fn refuse_types(name: &str, types: &[Type], span: Span) -> Diagnostic {
    let types: Vec<String> = types.iter().map(|&ty| rust_name(ty)).collect();
    Diagnostic::new(
        span,
        format!("`{name}` does not take ({}) here", types.join(", ")),
    )
}

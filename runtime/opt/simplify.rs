//! Rewrites instructions into cheaper ones that give the same bits.
//!
//! Constants and neutral elements are the builder's rules ([`fold`]); the rules here make another instruction out of
//! one. No float is reassociated, distributed or contracted.

use super::aliases::Aliases;
use super::effects::Calls;
use crate::ir::build::{Folded, fold};
use crate::ir::flow::Flow;
use crate::ir::{Args, Const, Function, Inst, Op, Prim, Type, Value};

/// Folds and rewrites pure primitives, and the places of accesses to memory. Does not touch control flow and calls.
pub fn simplify(function: &mut Function, _calls: &Calls) -> bool {
    let mut aliases = Aliases::new(function);
    let mut changed = false;
    for &block in Flow::new(function).reverse_postorder() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            changed |= simplify_inst(function, &mut aliases, &mut kept, inst);
        }
        function.blocks[block].insts = kept;
    }
    aliases.apply(function) | changed
}

/// Rewrites one instruction until no rule applies, and appends it and the constants it needs.
fn simplify_inst(
    function: &mut Function,
    aliases: &mut Aliases,
    kept: &mut Vec<Inst>,
    inst: Inst,
) -> bool {
    for arg in &mut function.insts[inst].args {
        *arg = aliases.resolve(*arg);
    }
    let mut changed = false;
    while let Op::Prim(prim) = function.insts[inst].op {
        let data = &function.insts[inst];
        let (args, result) = (data.args.clone(), data.result);
        let ty = function.ty(result);
        match fold(function, prim, &args, ty) {
            Some(Folded::Value(value)) => {
                aliases.set(result, value);
                return true;
            }
            Some(Folded::Const(c)) => replace(function, inst, Op::Const(c), &[]),
            None => match rewrite(function, prim, &args) {
                Some(New(prim, operands)) => {
                    let args = materialise(function, kept, inst, &operands);
                    replace(function, inst, Op::Prim(prim), &args);
                }
                None => break,
            },
        }
        changed = true;
    }
    kept.push(inst);
    changed
}

fn replace(function: &mut Function, inst: Inst, op: Op, args: &[Value]) {
    function.insts[inst].op = op;
    function.insts[inst].args = Args::from_slice(args);
}

/// What an instruction becomes: a primitive and its operands.
struct New(Prim, Vec<Operand>);

#[derive(Clone, Copy)]
enum Operand {
    Value(Value),
    /// A constant of the type of this value.
    Const(Const, Value),
    /// The product of two values.
    Product(Value, Value),
    /// The sum of two values.
    Sum(Value, Value),
}
use Operand::Value as V;

/// Makes instructions for the constants and products among the operands.
fn materialise(
    function: &mut Function,
    kept: &mut Vec<Inst>,
    inst: Inst,
    operands: &[Operand],
) -> Args {
    let span = function.insts[inst].span;
    let mut make = |op, args: &[Value], like| {
        let new = function.make_inst(op, args, function.ty(like), span);
        kept.push(new);
        function.insts[new].result
    };
    let operand = |operand: &Operand| match *operand {
        Operand::Value(value) => value,
        Operand::Const(c, like) => make(Op::Const(c), &[], like),
        Operand::Product(a, b) => make(Op::Prim(Prim::Mul), &[a, b], a),
        Operand::Sum(a, b) => make(Op::Prim(Prim::Add), &[a, b], a),
    };
    operands.iter().map(operand).collect()
}

/// The rules. Each is exact: the equation stands above it.
fn rewrite(f: &Function, prim: Prim, args: &[Value]) -> Option<New> {
    commuted(f, prim, args)
        .or_else(|| negation(f, prim, args))
        .or_else(|| scaling(f, prim, args))
        .or_else(|| logic(f, prim, args))
        .or_else(|| integers(f, prim, args))
        .or_else(|| places(f, prim, args))
}

/// Constants stand on the right.
fn commuted(f: &Function, prim: Prim, args: &[Value]) -> Option<New> {
    let &[a, b] = args else { return None };
    if f.as_const(a).is_none() || f.as_const(b).is_some() {
        return None;
    }
    Some(New(mirrored(prim)?, vec![V(b), V(a)]))
}

/// The primitive that gives the same with its operands exchanged.
pub fn mirrored(prim: Prim) -> Option<Prim> {
    Some(match prim {
        Prim::Add
        | Prim::Mul
        | Prim::And
        | Prim::Or
        | Prim::Xor
        | Prim::Eq
        | Prim::Ne
        | Prim::AddOverflows
        | Prim::MulOverflows => prim,
        Prim::Lt => Prim::Gt,
        Prim::Gt => Prim::Lt,
        Prim::Le => Prim::Ge,
        Prim::Ge => Prim::Le,
        _ => return None,
    })
}

/// The operands of a value that is the result of `prim`.
fn operands(f: &Function, value: Value, prim: Prim) -> Option<&[Value]> {
    let inst = f.def_inst(value)?;
    (inst.op == Op::Prim(prim)).then_some(&inst.args[..])
}

/// Signs move to where they cost nothing. Exact: IEEE negation flips one bit, and rounding is symmetric.
fn negation(f: &Function, prim: Prim, args: &[Value]) -> Option<New> {
    let negated = |v: Value| operands(f, v, Prim::Neg).map(|args| args[0]);
    let negative = |v: Value| match f.as_const(v)? {
        Const::Float(x) if !x.is_nan() => Some(Operand::Const(Const::Float(-x), v)),
        _ => None,
    };
    match (prim, args) {
        // a + (-b) = a - b
        (Prim::Add, &[a, b]) => match (negated(a), negated(b)) {
            (_, Some(b)) => Some(New(Prim::Sub, vec![V(a), V(b)])),
            (Some(a), _) => Some(New(Prim::Sub, vec![V(b), V(a)])),
            _ => None,
        },
        // a - (-b) = a + b
        (Prim::Sub, &[a, b]) => Some(New(Prim::Add, vec![V(a), V(negated(b)?)])),
        // Not for integers: -MIN is MIN.
        (Prim::Mul | Prim::Div, &[a, b]) if f.ty(a).is_float() => match (negated(a), negated(b)) {
            // (-a) * (-b) = a * b
            (Some(a), Some(b)) => Some(New(prim, vec![V(a), V(b)])),
            // (-a) * c = a * (-c)
            (Some(a), None) if f.as_const(b).is_some() => Some(New(prim, vec![V(a), negative(b)?])),
            // (-a) * b = -(a * b): what is added takes the sign
            (Some(a), None) if prim == Prim::Mul => {
                Some(New(Prim::Neg, vec![Operand::Product(a, b)]))
            }
            (None, Some(b)) if prim == Prim::Mul => {
                Some(New(Prim::Neg, vec![Operand::Product(a, b)]))
            }
            _ => None,
        },
        // -(a * c) = a * (-c), and -((-a) * b) = a * b
        (Prim::Neg, &[a]) => {
            let &[x, y] = operands(f, a, Prim::Mul)? else {
                return None;
            };
            if let Some(c) = negative(y) {
                return Some(New(Prim::Mul, vec![V(x), c]));
            }
            match (negated(x), negated(y)) {
                (Some(x), _) => Some(New(Prim::Mul, vec![V(x), V(y)])),
                (_, Some(y)) => Some(New(Prim::Mul, vec![V(x), V(y)])),
                _ => None,
            }
        }
        // |-a| = |a|, ||a|| = |a|
        (Prim::Abs, &[a]) => {
            let inner = negated(a).or_else(|| Some(operands(f, a, Prim::Abs)?[0]))?;
            Some(New(Prim::Abs, vec![V(inner)]))
        }
        _ => None,
    }
}

/// Multiplications by special constants.
fn scaling(f: &Function, prim: Prim, args: &[Value]) -> Option<New> {
    let &[a, b] = args else { return None };
    let Const::Float(c) = f.as_const(b)? else {
        return None;
    };
    match prim {
        // a * -1 = -a, and the same for division
        Prim::Mul | Prim::Div if c == -1.0 => Some(New(Prim::Neg, vec![V(a)])),
        // a * 2 = a + a
        Prim::Mul if c == 2.0 => Some(New(Prim::Add, vec![V(a), V(a)])),
        // a / 2^k = a * 2^-k: both are the rounding of the same number. Kept to exponents that f32 has too.
        Prim::Div if is_power_of_two(c) => {
            let reciprocal = Operand::Const(Const::Float(1.0 / c), b);
            Some(New(Prim::Mul, vec![V(a), reciprocal]))
        }
        _ => None,
    }
}

/// Whether a float is ±2^k with |k| ≤ 120.
fn is_power_of_two(c: f64) -> bool {
    let mantissa = c.to_bits() & ((1 << 52) - 1);
    let exponent = c.abs().log2();
    mantissa == 0 && exponent.abs() <= 120.0
}

/// Accesses name the object or the slice itself, not a view or a place inside: then equal places look equal.
fn places(f: &Function, prim: Prim, args: &[Value]) -> Option<New> {
    let &[at, ref rest @ ..] = args else {
        return None;
    };
    let new = |prim, base: Value, rest: &[Value]| {
        let operands = std::iter::once(base).chain(rest.iter().copied());
        Some(New(prim, operands.map(V).collect()))
    };
    // The address from which `at` is a constant distance, and the sum with another one. The machine's offsets are i32.
    let inside = |more: u32| {
        let &[base, by] = operands(f, at, Prim::Offset)? else {
            return None;
        };
        let Const::Int(by) = f.as_const(by)? else {
            return None;
        };
        let sum = u32::try_from(by).ok()?.checked_add(more)?;
        (sum <= i32::MAX as u32).then_some((base, sum))
    };
    match prim {
        Prim::Get(n) => inside(n).and_then(|(base, sum)| new(Prim::Get(sum), base, rest)),
        Prim::Set(n) => inside(n).and_then(|(base, sum)| new(Prim::Set(sum), base, rest)),
        Prim::Peek(n) => inside(n).and_then(|(base, sum)| new(Prim::Peek(sum), base, rest)),
        Prim::Poke(n) => inside(n).and_then(|(base, sum)| new(Prim::Poke(sum), base, rest)),
        // (a + b) + c = a + (b + c)
        Prim::Offset => {
            let Const::Int(more) = f.as_const(rest[0])? else {
                return None;
            };
            let (base, sum) = inside(u32::try_from(more).ok()?)?;
            let sum = Operand::Const(Const::Int(sum.into()), rest[0]);
            Some(New(Prim::Offset, vec![V(base), sum]))
        }
        Prim::Load | Prim::Store => {
            // An element of a part, at a constant index, is one of the whole: neighbouring windows are seen to have elements in common.
            if let Some(&[whole, start, _]) = operands(f, at, Prim::Subslice)
                && f.as_const(rest[0]).is_some()
            {
                let place = [V(whole), Operand::Sum(start, rest[0])];
                let written = rest[1..].iter().copied().map(V);
                return Some(New(prim, place.into_iter().chain(written).collect()));
            }
            let &[address, _] = operands(f, at, Prim::View)? else {
                return None;
            };
            let ty = f.ty(at);
            // A view of a slice is the slice.
            if let Some(&[slice]) = operands(f, address, Prim::Base)
                && f.ty(slice).element() == ty.element()
                && (prim == Prim::Load || matches!(f.ty(slice), Type::SliceMut(_)))
            {
                return new(prim, slice, rest);
            }
            // An element at a constant index is a place of the object.
            let Const::Int(index) = f.as_const(rest[0])? else {
                return None;
            };
            let size = ty.element()?.size()?;
            let at = u32::try_from(index).ok()?.checked_mul(size as u32)?;
            match prim {
                _ if at > i32::MAX as u32 => None,
                Prim::Load => new(Prim::Get(at), address, &[]),
                _ => new(Prim::Set(at), address, &rest[1..]),
            }
        }
        _ => None,
    }
}

/// Negated conditions disappear into what they negate.
fn logic(f: &Function, prim: Prim, args: &[Value]) -> Option<New> {
    let inverted = |v: Value| operands(f, v, Prim::Not).map(|args| args[0]);
    match (prim, args) {
        (Prim::Not, &[a]) => {
            let inst = f.def_inst(a)?;
            let Op::Prim(comparison) = inst.op else {
                return None;
            };
            let &[x, y] = &inst.args[..] else { return None };
            Some(New(
                inverse(comparison, f.ty(x).is_float())?,
                vec![V(x), V(y)],
            ))
        }
        // if !c { a } else { b } = if c { b } else { a }
        (Prim::Select, &[c, a, b]) => Some(New(Prim::Select, vec![V(inverted(c)?), V(b), V(a)])),
        _ => None,
    }
}

/// The comparison that is true when this one is false. Floats may be unordered: theirs have none but (in)equality.
pub fn inverse(prim: Prim, is_float: bool) -> Option<Prim> {
    Some(match prim {
        Prim::Eq => Prim::Ne,
        Prim::Ne => Prim::Eq,
        Prim::Lt if !is_float => Prim::Ge,
        Prim::Ge if !is_float => Prim::Lt,
        Prim::Gt if !is_float => Prim::Le,
        Prim::Le if !is_float => Prim::Gt,
        _ => return None,
    })
}

/// Idempotence. Sums are not regrouped: their guards name the operands that the user wrote.
fn integers(f: &Function, prim: Prim, args: &[Value]) -> Option<New> {
    let &[a, b] = args else { return None };
    if !f.ty(a).is_int() {
        return None;
    }
    match prim {
        // a - a = a ^ a = 0 is `a & 0`, which folds
        Prim::Sub | Prim::Xor if a == b => {
            Some(New(Prim::And, vec![V(a), Operand::Const(Const::Int(0), a)]))
        }
        // a & a = a | a = a is `a + 0`, which folds
        Prim::And | Prim::Or if a == b => {
            Some(New(Prim::Add, vec![V(a), Operand::Const(Const::Int(0), a)]))
        }
        _ => None,
    }
}

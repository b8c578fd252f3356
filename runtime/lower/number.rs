//! Operators and methods of numbers, with the checks that Rust makes in debug builds.

use super::body::Body;
use super::{Lowered, malformed};
use crate::front::repr::repr;
use crate::front::tree::Binary;
use crate::front::ty::Ty;
use crate::front::typed::{Expr, Intrinsic};
use crate::ir::eval::bits;
use crate::ir::{Const, Fault, Prim, Symbol, Type, Value};

impl<'p> Body<'_, 'p> {
    /// A binary operator with a result of type `ty`.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value, ty: Ty) -> Value {
        let prim = primitive(op);
        let number = self.ty(a);
        if number.is_array() || self.ty(b).is_array() {
            let name = Symbol::from_static(prim.mnemonic());
            return self.b.map(name, &[a, b], repr(ty));
        }
        match prim {
            Prim::Add | Prim::Sub | Prim::Mul if number.is_int() => self.checked(prim, a, b),
            Prim::Div | Prim::Rem if number.is_int() => {
                self.guard_division(prim, a, b);
                self.prim(prim, &[a, b])
            }
            Prim::Shl | Prim::Shr => {
                let b = self.guard_shift(prim, b, number);
                self.prim(prim, &[a, b])
            }
            _ => self.prim(prim, &[a, b]),
        }
    }
    /// `add`, `sub`, `mul` of integers, checked.
    pub fn checked(&mut self, prim: Prim, a: Value, b: Value) -> Value {
        let (test, text) = match prim {
            Prim::Add => (Prim::AddOverflows, "attempt to add with overflow"),
            Prim::Sub => (Prim::SubOverflows, "attempt to subtract with overflow"),
            _ => (Prim::MulOverflows, "attempt to multiply with overflow"),
        };
        let overflows = self.prim(test, &[a, b]);
        self.deny(overflows, text);
        self.prim(prim, &[a, b])
    }
    /// `-a`
    pub fn negate(&mut self, a: Value) -> Value {
        let ty = self.ty(a);
        if ty.is_array() {
            return self.b.map(Symbol::from_static("neg"), &[a], ty);
        }
        if ty.is_int() {
            self.guard_negation(a);
        }
        self.prim(Prim::Neg, &[a])
    }
    fn guard_negation(&mut self, a: Value) {
        let zero = self.b.int(0, self.ty(a));
        let overflows = self.prim(Prim::SubOverflows, &[zero, a]);
        self.deny(overflows, "attempt to negate with overflow");
    }
    fn guard_division(&mut self, prim: Prim, a: Value, b: Value) {
        let ty = self.ty(a);
        let zero = self.b.int(0, ty);
        let divides = self.prim(Prim::Ne, &[b, zero]);
        let by_zero = match prim {
            Prim::Div => Fault::DivisionByZero,
            _ => Fault::Panic(Symbol::from_static(
                "attempt to calculate the remainder with a divisor of zero",
            )),
        };
        self.prim(Prim::Assert(by_zero), &[divides]);
        if ty.is_signed() {
            let lowest = self.b.int(i64::MIN >> (64 - bits(ty).unwrap_or(64)), ty);
            let minus_one = self.b.int(-1, ty);
            let is_lowest = self.prim(Prim::Eq, &[a, lowest]);
            let is_minus_one = self.prim(Prim::Eq, &[b, minus_one]);
            let overflows = self.prim(Prim::And, &[is_lowest, is_minus_one]);
            let text = match prim {
                Prim::Div => "attempt to divide with overflow",
                _ => "attempt to calculate the remainder with overflow",
            };
            self.deny(overflows, text);
        }
    }
    /// The amount of a shift, checked, in the type of the shifted value.
    fn guard_shift(&mut self, prim: Prim, amount: Value, ty: Type) -> Value {
        let found = self.ty(amount);
        let zero = self.b.int(0, found);
        let width = self.b.int(bits(ty).unwrap_or(64).into(), found);
        let low = self.prim(Prim::Ge, &[amount, zero]);
        let high = self.prim(Prim::Lt, &[amount, width]);
        let fits = self.prim(Prim::And, &[low, high]);
        let text = match prim {
            Prim::Shl => "attempt to shift left with overflow",
            _ => "attempt to shift right with overflow",
        };
        let fault = Fault::Overflow(Symbol::from_static(text));
        self.prim(Prim::Assert(fault), &[fits]);
        self.b.prim_to(Prim::Cast, &[amount], ty)
    }
    /// Faults with an overflow if the condition holds.
    fn deny(&mut self, condition: Value, text: &'static str) {
        let fine = self.prim(Prim::Not, &[condition]);
        let fault = Fault::Overflow(Symbol::from_static(text));
        self.prim(Prim::Assert(fault), &[fine]);
    }
    /// Faults with this text unless the condition holds.
    pub fn require(&mut self, condition: Value, text: &'static str) {
        let fault = Fault::Panic(Symbol::from_static(text));
        self.prim(Prim::Assert(fault), &[condition]);
    }

    /// A method of numbers, expressed with primitives.
    pub fn intrinsic(&mut self, expr: &'p Expr, method: Intrinsic, args: &'p [Expr]) -> Lowered {
        let values = self.exprs(args)?;
        self.b.span = expr.span;
        if let Intrinsic::Prim(prim) = method {
            return Ok(match values.iter().any(|&v| self.ty(v).is_array()) {
                true => {
                    let name = Symbol::from_static(prim.mnemonic());
                    self.b.map(name, &values, repr(expr.ty))
                }
                false => self.prim(prim, &values),
            });
        }
        match values[..] {
            [a] => self.of_one(method, a, expr),
            [a, b] => self.of_two(method, a, b),
            [a, low, high] if method == Intrinsic::Clamp => {
                let ordered = self.prim(Prim::Le, &[low, high]);
                let text = "min > max, or either was NaN. min = {:?}, max = {:?}";
                let fault = Fault::Panic(Symbol::from_static(text));
                self.prim(Prim::Assert(fault), &[ordered, low, high]);
                let clamp = Symbol::from_static("clamp");
                Ok(self.b.call(clamp, &values, self.ty(a)))
            }
            _ => malformed(format!("{method:?} of {} numbers", values.len())),
        }
    }
    fn of_one(&mut self, method: Intrinsic, a: Value, expr: &Expr) -> Lowered {
        use Prim::*;
        let ty = self.ty(a);
        Ok(match method {
            Intrinsic::Abs => {
                self.guard_negation(a);
                let zero = self.b.int(0, ty);
                let negative = self.prim(Lt, &[a, zero]);
                let negated = self.prim(Neg, &[a]);
                self.prim(Select, &[negative, negated, a])
            }
            Intrinsic::Unsigned | Intrinsic::Signed => self.b.prim_to(Cast, &[a], repr(expr.ty)),
            Intrinsic::IsNan => self.prim(Ne, &[a, a]),
            Intrinsic::IsFinite => self.compare_with_infinity(Lt, a),
            Intrinsic::IsInfinite => self.compare_with_infinity(Eq, a),
            Intrinsic::IsSignNegative | Intrinsic::IsSignPositive => {
                let (zero, one) = (self.b.float(0.0, ty), self.b.float(1.0, ty));
                let sign = self.prim(Copysign, &[one, a]);
                let compare = match method {
                    Intrinsic::IsSignNegative => Lt,
                    _ => Gt,
                };
                self.prim(compare, &[sign, zero])
            }
            Intrinsic::ToBits | Intrinsic::FromBits => self.b.prim_to(Bitcast, &[a], repr(expr.ty)),
            Intrinsic::SinCos => {
                let [sin, cos] =
                    ["sin", "cos"].map(|name| self.b.call(Symbol::from_static(name), &[a], ty));
                self.tuple(&[sin, cos])
            }
            _ => return malformed(format!("{method:?} of one number")),
        })
    }
    fn of_two(&mut self, method: Intrinsic, a: Value, b: Value) -> Lowered {
        use Prim::*;
        let ty = self.ty(a);
        Ok(match method {
            Intrinsic::Min => {
                let less = self.prim(Le, &[a, b]);
                self.prim(Select, &[less, a, b])
            }
            Intrinsic::Max => {
                let more = self.prim(Gt, &[a, b]);
                self.prim(Select, &[more, a, b])
            }
            Intrinsic::AbsDiff => {
                let less = self.prim(Lt, &[a, b]);
                let (down, up) = (self.prim(Sub, &[a, b]), self.prim(Sub, &[b, a]));
                self.prim(Select, &[less, up, down])
            }
            Intrinsic::SaturatingSub => {
                let less = self.prim(Lt, &[a, b]);
                let (zero, difference) = (self.b.int(0, ty), self.prim(Sub, &[a, b]));
                self.prim(Select, &[less, zero, difference])
            }
            Intrinsic::RemEuclid => {
                self.guard_division(Rem, a, b);
                let rest = self.prim(Rem, &[a, b]);
                if !ty.is_signed() {
                    return Ok(rest);
                }
                // As Rust defines it: `a % b`, plus |b| if that is negative.
                let zero = self.b.int(0, ty);
                let (negative, down) = (self.prim(Lt, &[rest, zero]), self.prim(Lt, &[b, zero]));
                let (minus, plus) = (self.prim(Sub, &[rest, b]), self.prim(Add, &[rest, b]));
                let shifted = self.prim(Select, &[down, minus, plus]);
                self.prim(Select, &[negative, shifted, rest])
            }
            _ => return malformed(format!("{method:?} of two numbers")),
        })
    }
    fn compare_with_infinity(&mut self, compare: Prim, a: Value) -> Value {
        let size = self.prim(Prim::Abs, &[a]);
        let infinity = self.b.constant(Const::Float(f64::INFINITY), self.ty(a));
        self.prim(compare, &[size, infinity])
    }
}

/// The primitive of an operator.
fn primitive(op: Binary) -> Prim {
    match op {
        Binary::Add => Prim::Add,
        Binary::Sub => Prim::Sub,
        Binary::Mul => Prim::Mul,
        Binary::Div => Prim::Div,
        Binary::Rem => Prim::Rem,
        Binary::And => Prim::And,
        Binary::Or => Prim::Or,
        Binary::Xor => Prim::Xor,
        Binary::Shl => Prim::Shl,
        Binary::Shr => Prim::Shr,
        Binary::Eq => Prim::Eq,
        Binary::Ne => Prim::Ne,
        Binary::Lt => Prim::Lt,
        Binary::Le => Prim::Le,
        Binary::Gt => Prim::Gt,
        Binary::Ge => Prim::Ge,
    }
}

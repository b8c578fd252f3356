//! What a call calls.

use super::{HostOp, Interned, Prim, Symbol, interned};
use std::fmt;
use std::sync::OnceLock;

/// What a call calls. Only the text format writes it as one name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callee {
    /// A function of the module, or an entry of a pack.
    Function(Symbol),
    /// A scalar function of a pack, together with its partial derivatives: `sin.with_partials(x) -> (y, ∂y/∂x)`.
    WithPartials(Symbol),
    /// An array operation of the host.
    Host(HostOp),
    /// The host's comparison of two shapes, in debug mode: `same_shape.cotangent.1.f(g, like) -> g`.
    SameShape(ShapeCheck),
    /// A part of a native rule.
    Native(&'static NativeName),
}

/// Which cotangent or tangent of which rule is compared with its array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShapeCheck {
    /// The rule that takes or gives it.
    pub rule: Symbol,
    /// Which of the rule's cotangents and tangents it is.
    pub checked: Checked,
}

/// Which cotangent or tangent of a rule. Arguments are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Checked {
    /// The cotangent that its pullback is given.
    Seed,
    /// The cotangent that its pullback gives this argument.
    Cotangent(usize),
    /// The tangent that it is given for this argument.
    Direction(usize),
    /// The tangent that it gives for this argument.
    Tangent(usize),
}

/// The parts of a native rule that derived code calls. For parameters x… and the result y of the entry,
///
/// - `f.rrule.101(x…) -> y` keeps a pullback in the frame of the call;
/// - `f.pullback.101(x…, arrays of y…, shadows…, seeds…) -> (x̅…)` takes the pullback that was kept last, as the pullback of a function of the
///   module takes its records from the tape;
/// - `f.frule.101(x…, ẋ…) -> (y, ẏ…)` is like the dual of a function of the module.
///
/// The digits say for each parameter whether it is active. Shadows, seeds, cotangents and tangents are those of `tangent`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NativePart {
    /// The forward half.
    Rrule,
    /// The reverse half.
    Pullback,
    /// The dual.
    Frule,
}

/// A part of a native rule, or the dual of that part: `f.pullback.101.dual.0110`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NativeName {
    /// The entry whose rule it is.
    pub entry: Symbol,
    /// The part.
    pub part: NativePart,
    /// For each parameter of the entry whether it is active.
    pub active: Vec<bool>,
    /// Of a dual: for each argument of the part whether it has a tangent.
    pub moving: Option<Vec<bool>>,
}

impl Callee {
    /// The part of the rule of a native entry, for these active parameters.
    pub fn native(entry: Symbol, part: NativePart, active: &[bool]) -> Callee {
        let active = active.to_vec();
        NativeName {
            entry,
            part,
            active,
            moving: None,
        }
        .callee()
    }
    /// The name of a function of the module or of an entry, if it is called for its value alone.
    pub fn function(self) -> Option<Symbol> {
        match self {
            Callee::Function(name) => Some(name),
            _ => None,
        }
    }
    /// The operation of the host that it is.
    pub fn host_op(self) -> Option<HostOp> {
        match self {
            Callee::Host(op) => Some(op),
            Callee::SameShape(_) => Some(HostOp::SameShape),
            Callee::Function(_) | Callee::WithPartials(_) | Callee::Native(_) => None,
        }
    }
    /// The operation of the host that it is, if that reads or writes memory of the program.
    pub fn memory_op(self) -> Option<HostOp> {
        self.host_op().filter(|op| op.is_of_memory())
    }
    /// The name under which packs give its rule, if they can.
    pub fn row(self) -> Option<Symbol> {
        match self {
            Callee::Function(name) => Some(name),
            Callee::Host(_) | Callee::SameShape(_) => self.host_op().map(HostOp::symbol),
            Callee::WithPartials(_) | Callee::Native(_) => None,
        }
    }
    /// What it is called in the text format, as one name.
    pub fn symbol(self) -> Symbol {
        match self {
            Callee::Function(name) => name,
            Callee::Host(op) => op.symbol(),
            _ => Symbol::new(&self.to_string()),
        }
    }
    /// Reads what [`fmt::Display`] writes.
    pub fn read(text: &str) -> Callee {
        let with_partials = || text.strip_suffix(WITH_PARTIALS).map(Symbol::new);
        let found = with_partials().map(Callee::WithPartials);
        let found = found.or_else(|| ShapeCheck::read(text).map(Callee::SameShape));
        let found = found.or_else(|| NativeName::read(text).map(NativeName::callee));
        found.unwrap_or_else(|| Symbol::new(text).into())
    }
}

/// The end of the name of a scalar function with its partial derivatives.
const WITH_PARTIALS: &str = ".with_partials";
/// Stands between the name of a part of a native rule and the digits that say which of its arguments have tangents.
const DUAL: &str = ".dual.";

/// What the name of a row or of a function means: no function of a program is called like an operation of the host.
impl From<Symbol> for Callee {
    fn from(name: Symbol) -> Callee {
        match HostOp::from_name(name.as_str()) {
            Some(op) => Callee::Host(op),
            None => Callee::Function(name),
        }
    }
}

/// The row that gives the rule of a primitive.
impl From<Prim> for Callee {
    fn from(prim: Prim) -> Callee {
        Callee::Function(Symbol::from_static(prim.mnemonic()))
    }
}

impl From<HostOp> for Callee {
    fn from(op: HostOp) -> Callee {
        Callee::Host(op)
    }
}

impl fmt::Display for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Function(name) => write!(f, "{name}"),
            Callee::WithPartials(name) => write!(f, "{name}{WITH_PARTIALS}"),
            Callee::Host(op) => f.write_str(op.name()),
            Callee::SameShape(ShapeCheck { rule, checked }) => {
                let (word, n) = checked.text();
                write!(f, "{}.{word}.{n}.{rule}", HostOp::SameShape.name())
            }
            Callee::Native(name) => {
                write!(f, "{}", name.entry)?;
                write!(f, "{}{}", name.part.mark(), digits(&name.active))?;
                match &name.moving {
                    Some(moving) => write!(f, "{DUAL}{}", digits(moving)),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Debug for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{self}")
    }
}

impl Checked {
    /// The word for it, and the argument; 0 if it belongs to none.
    fn text(self) -> (&'static str, usize) {
        match self {
            Checked::Seed => ("seed", 0),
            Checked::Cotangent(n) => ("cotangent", n),
            Checked::Direction(n) => ("direction", n),
            Checked::Tangent(n) => ("tangent", n),
        }
    }
}

impl ShapeCheck {
    fn read(text: &str) -> Option<ShapeCheck> {
        let mut parts = text.splitn(4, '.');
        if parts.next() != Some(HostOp::SameShape.name()) {
            return None;
        }
        let (word, n) = (parts.next()?, parts.next()?.parse().ok()?);
        let checked = match word {
            "seed" => Checked::Seed,
            "cotangent" => Checked::Cotangent(n),
            "direction" => Checked::Direction(n),
            "tangent" => Checked::Tangent(n),
            _ => return None,
        };
        let rule = Symbol::new(parts.next()?);
        Some(ShapeCheck { rule, checked })
    }
}

impl NativePart {
    fn mark(self) -> &'static str {
        match self {
            NativePart::Rrule => ".rrule.",
            NativePart::Pullback => ".pullback.",
            NativePart::Frule => ".frule.",
        }
    }
}

impl NativeName {
    /// A call of it.
    pub fn callee(self) -> Callee {
        static NAMES: OnceLock<Interned<NativeName>> = OnceLock::new();
        Callee::Native(interned(&NAMES, &self, |name| {
            Box::leak(Box::new(name.clone()))
        }))
    }
    /// The dual of this part, if these of its arguments have tangents.
    pub fn dual(&self, moving: &[bool]) -> Callee {
        NativeName {
            moving: Some(moving.to_vec()),
            ..self.clone()
        }
        .callee()
    }
    fn read(text: &str) -> Option<NativeName> {
        let (part, moving) = match text.rsplit_once(DUAL) {
            Some((part, moving)) => (part, Some(flags(moving)?)),
            None => (text, None),
        };
        let (rest, active) = part.rsplit_once('.')?;
        let parts = [NativePart::Rrule, NativePart::Pullback, NativePart::Frule];
        let (entry, part) = parts.into_iter().find_map(|part| {
            let entry = rest.strip_suffix(part.mark().trim_end_matches('.'))?;
            Some((entry, part))
        })?;
        Some(NativeName {
            entry: Symbol::new(entry),
            part,
            active: flags(active)?,
            moving,
        })
    }
}

/// `101`
fn digits(flags: &[bool]) -> String {
    let digits = flags.iter().map(|&flag| if flag { '1' } else { '0' });
    digits.collect()
}

/// Reads what [`digits`] writes.
fn flags(digits: &str) -> Option<Vec<bool>> {
    let flag = |digit| match digit {
        '0' => Some(false),
        '1' => Some(true),
        _ => None,
    };
    digits.chars().map(flag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_read_back() {
        let f = Symbol::new("pack::f");
        let part = |active: &[bool]| NativeName {
            entry: f,
            part: NativePart::Pullback,
            active: active.to_vec(),
            moving: None,
        };
        let check = |checked| Callee::SameShape(ShapeCheck { rule: f, checked });
        let all = [
            (Callee::Function(f), "pack::f"),
            (Callee::WithPartials(f), "pack::f.with_partials"),
            (Callee::Host(HostOp::Matmul), "matmul"),
            (Callee::Host(HostOp::SameShape), "same_shape"),
            (check(Checked::Seed), "same_shape.seed.0.pack::f"),
            (
                check(Checked::Cotangent(2)),
                "same_shape.cotangent.2.pack::f",
            ),
            (
                check(Checked::Direction(1)),
                "same_shape.direction.1.pack::f",
            ),
            (check(Checked::Tangent(3)), "same_shape.tangent.3.pack::f"),
            (part(&[true, false]).callee(), "pack::f.pullback.10"),
            (part(&[]).callee(), "pack::f.pullback."),
            (
                part(&[true, false]).dual(&[false, true, true]),
                "pack::f.pullback.10.dual.011",
            ),
            (
                Callee::Function(Symbol::new("f.pullback.12")),
                "f.pullback.12",
            ),
        ];
        for (callee, text) in all {
            assert_eq!(callee.to_string(), text);
            assert_eq!(Callee::read(text), callee);
        }
    }
}

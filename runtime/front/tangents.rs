//! The tangent of every type of the language, and its two parts.
//!
//! As in Mooncake, a tangent is split into *fdata* and *rdata*. Fdata is identified by an address and incremented in place: the contents of slices,
//! vectors, boxes and cells. Rdata is identified by its value and returned: floats, and tuples, structs and enums of them. A type has exactly one tangent
//! type. It follows from the type alone, and types behind an address are described by name, so a type that contains itself has a tangent type too.

use super::ty::{Dyn, Ty};
use super::types::Typed;
use crate::ir::Type;
use std::fmt;

/// The tangent of a type, or one half of it.
///
/// ```
/// use mooncake::tangent_type;
///
/// let tangent = tangent_type::<(f64, Vec<f64>, usize)>();
/// assert_eq!(tangent.to_string(), "(f64, Vec<f64>, NoTangent)");
/// assert_eq!(tangent.fdata().to_string(), "(NoFData, Vec<f64>, NoFData)");
/// assert_eq!(tangent.rdata().to_string(), "(f64, NoRData, NoRData)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TangentType {
    primal: Ty,
    part: TangentPart,
}

/// Which part of a tangent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum TangentPart {
    Both,
    Fdata,
    Rdata,
}

/// The tangent type of a type.
pub fn tangent_type<T: Typed>() -> TangentType {
    TangentType::of(T::ty())
}

/// Whether values of a type can share or contain themselves, so that walking over them needs a map of the addresses seen.
pub fn needs_identity_map<T: Typed>() -> bool {
    let is_cell = |ty| matches!(ty, Ty::Cell(..));
    holds(T::ty(), is_cell, &mut Vec::new())
}

/// Whether there may be cells in values of a type: also in what is chosen at run time, where the type does not say it.
pub(crate) fn may_hold_cells(ty: Ty) -> bool {
    let may_be_cell = |ty| matches!(ty, Ty::Cell(..) | Ty::Dyn(_));
    holds(ty, may_be_cell, &mut Vec::new())
}

/// Whether a type is such a one, or one of those in it is. `seen` holds the types that have been examined.
fn holds(ty: Ty, is_one: fn(Ty) -> bool, seen: &mut Vec<Ty>) -> bool {
    if seen.contains(&ty) {
        return false;
    }
    seen.push(ty);
    is_one(ty) || { parts(ty).into_iter() }.any(|part| holds(part, is_one, seen))
}

impl TangentType {
    pub(crate) fn of(primal: Ty) -> TangentType {
        let part = TangentPart::Both;
        TangentType { primal, part }
    }
    /// The part that is incremented in place.
    pub fn fdata(self) -> TangentType {
        let part = TangentPart::Fdata;
        TangentType { part, ..self }
    }
    /// The part that is returned.
    pub fn rdata(self) -> TangentType {
        let part = TangentPart::Rdata;
        TangentType { part, ..self }
    }
    /// Whether the part is empty.
    pub fn is_none(self) -> bool {
        !has(self.primal, self.part, &mut Vec::new())
    }
}

/// The types directly inside a type.
fn parts(ty: Ty) -> Vec<Ty> {
    match ty {
        Ty::Tuple(fields) => fields.to_vec(),
        Ty::Adt(adt, _) => {
            let variants = 0..adt.variants.len() as u32;
            let fields = variants.flat_map(|variant| ty.fields(variant));
            fields.map(|(_, field)| field).collect()
        }
        Ty::Closure(closure) => closure.captures.to_vec(),
        Ty::Slice(t) | Ty::SliceMut(t) | Ty::List(t, _) | Ty::Vec(t) | Ty::Array(t) => vec![*t],
        Ty::Boxed(t) | Ty::Mut(t) | Ty::Cell(t, _) | Ty::OpenList(t, _) => vec![*t],
        Ty::Never | Ty::Scalar(_) | Ty::Str | Ty::Item(_) | Ty::Dyn(_) => Vec::new(),
        Ty::Const(_) | Ty::Param(_) | Ty::Infer(_) => Vec::new(),
    }
}

/// Whether the content of the type is behind an address.
fn is_address(ty: Ty) -> bool {
    ty.element().is_some_and(|_| !matches!(ty, Ty::Array(_)))
        || matches!(ty, Ty::Boxed(_) | Ty::Mut(_) | Ty::Cell(_, _) | Ty::Dyn(_))
}

/// Whether a part of the tangent of a type is not empty. `seen` holds the types that are being examined: a type inside itself adds nothing.
fn has(ty: Ty, part: TangentPart, seen: &mut Vec<(Ty, TangentPart)>) -> bool {
    if seen.contains(&(ty, part)) {
        return false;
    }
    match ty {
        Ty::Scalar(ty) => ty.is_differentiable() && part != TangentPart::Fdata,
        Ty::Dyn(Dyn::Fn(..) | Dyn::Trait(_)) => part != TangentPart::Rdata,
        _ if is_address(ty) && part == TangentPart::Rdata => false,
        _ => {
            let inner = if is_address(ty) {
                TangentPart::Both
            } else {
                part
            };
            seen.push((ty, part));
            let found = parts(ty).into_iter().any(|t| has(t, inner, seen));
            seen.pop();
            found
        }
    }
}

impl fmt::Display for TangentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self.primal, self.part, &mut Vec::new()))
    }
}

impl fmt::Debug for TangentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn text(ty: Ty, part: TangentPart, open: &mut Vec<(Ty, TangentPart)>) -> String {
    if let (Ty::Adt(adt, _), true) = (ty, open.contains(&(ty, part))) {
        return adt.name.to_owned();
    }
    if !has(ty, part, &mut Vec::new()) {
        let none = match part {
            TangentPart::Both => "NoTangent",
            TangentPart::Fdata => "NoFData",
            TangentPart::Rdata => "NoRData",
        };
        return none.to_owned();
    }
    open.push((ty, part));
    let inner = if is_address(ty) {
        TangentPart::Both
    } else {
        part
    };
    let mut each = |ty: Ty| text(ty, inner, open);
    let text = match ty {
        Ty::Tuple([one]) => format!("({},)", each(*one)),
        Ty::Tuple(fields) => format!("({})", list(fields, &mut each)),
        Ty::Closure(closure) => format!("closure({})", list(closure.captures, &mut each)),
        Ty::Adt(adt, _) if !adt.is_enum => format!("{} {}", adt.name, fields(ty, 0, &mut each)),
        Ty::Adt(adt, _) => {
            let variants: Vec<String> = (0..adt.variants.len())
                .map(|n| {
                    let variant = adt.variants[n].name;
                    format!("{variant} {}", fields(ty, n as u32, &mut each))
                })
                .collect();
            format!("{} {{ {} }}", adt.name, variants.join(" | "))
        }
        Ty::Slice(t) | Ty::SliceMut(t) => format!("[{}]", each(*t)),
        Ty::List(t, n) => format!("[{}; {n}]", each(*t)),
        Ty::Vec(t) => format!("Vec<{}>", each(*t)),
        // As `tangent::widened`.
        Ty::Array(Ty::Scalar(Type::F16)) => "Array<f32>".to_owned(),
        Ty::Array(t) => format!("Array<{}>", each(*t)),
        Ty::Boxed(t) => format!("Box<{}>", each(*t)),
        Ty::Mut(t) => format!("&mut {}", each(*t)),
        Ty::Cell(t, _) => format!("RefCell<{}>", each(*t)),
        other => other.to_string(),
    };
    open.pop();
    text
}

fn list(types: &[Ty], each: &mut dyn FnMut(Ty) -> String) -> String {
    let types: Vec<String> = types.iter().map(|&ty| each(ty)).collect();
    types.join(", ")
}

fn fields(ty: Ty, variant: u32, each: &mut dyn FnMut(Ty) -> String) -> String {
    let fields: Vec<String> = ty
        .fields(variant)
        .into_iter()
        .map(|(name, ty)| format!("{name}: {}", each(ty)))
        .collect();
    match fields.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", fields.join(", ")),
    }
}

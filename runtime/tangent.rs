//! Tangents: which types have a derivative, where it lives, and in which order it is passed.
//!
//! A type's tangent is split as in Mooncake. **fdata** is identified by its address and incremented in place: the
//! shadow of a slice is another mutable slice. **rdata** is identified by its value and returned: the cotangent of a
//! float is a float, of an array an array (arrays are immutable, so their cotangents are values too). Integers and
//! bools have none.
//!
//! Tuples are passed flat: the *leaves* of a type, depth first. A transformed function takes the shadows of its active
//! parameters after the parameters, then the seeds of its result, and returns the cotangents of its active parameters.

use crate::ir::Type;

/// Where the derivative of a value lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// The type has no derivative.
    Nowhere,
    /// In memory that is incremented in place.
    Fdata,
    /// In a value that is passed and returned.
    Rdata,
}

/// Where the derivative of a value of type `ty`, which is not a tuple, lives.
pub fn home(ty: Type) -> Home {
    match ty {
        Type::Slice(t) | Type::SliceMut(t) if t.is_float() => Home::Fdata,
        Type::F32 | Type::F64 => Home::Rdata,
        Type::Array(t) if t.is_float() => Home::Rdata,
        _ => Home::Nowhere,
    }
}

/// The tangent type: the shadow's for fdata, the cotangent's for rdata, `()` for what has none.
pub fn tangent(ty: Type) -> Type {
    match ty {
        Type::Tuple(fields) => {
            Type::tuple(&fields.iter().map(|&t| tangent(t)).collect::<Vec<Type>>())
        }
        Type::Slice(&t) | Type::SliceMut(&t) if t.is_float() => Type::slice_mut(t),
        ty if home(ty) == Home::Rdata => ty,
        _ => Type::UNIT,
    }
}

/// The parts of a type that are not tuples, depth first.
pub fn leaves(ty: Type) -> Vec<Type> {
    match ty {
        Type::Tuple(fields) => fields.iter().flat_map(|&t| leaves(t)).collect(),
        ty => vec![ty],
    }
}

/// The types of the shadows that a reverse function takes: one for each active parameter with fdata.
pub fn shadows(params: &[Type], active: &[bool]) -> Vec<Type> {
    with_home(params, active, Home::Fdata)
        .map(tangent)
        .collect()
}

/// The types of the seeds that a reverse function takes: one for each leaf of the result with rdata.
pub fn seeds(ret: Type) -> Vec<Type> {
    leaves(ret)
        .into_iter()
        .filter(|&t| home(t) == Home::Rdata)
        .collect()
}

/// The types of the cotangents that a reverse function returns: one for each active parameter with rdata.
pub fn cotangents(params: &[Type], active: &[bool]) -> Vec<Type> {
    with_home(params, active, Home::Rdata).collect()
}

fn with_home(params: &[Type], active: &[bool], wanted: Home) -> impl Iterator<Item = Type> {
    params
        .iter()
        .zip(active)
        .filter(move |&(&t, &active)| active && home(t) == wanted)
        .map(|(&t, _)| t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_of_a_mixed_signature() {
        let params = [
            Type::slice(Type::F64),
            Type::slice_mut(Type::F32),
            Type::slice(Type::Usize),
            Type::F64,
            Type::array(Type::F32),
            Type::array(Type::U32),
            Type::I32,
        ];
        let all = [true; 7];
        let both = [Type::slice_mut(Type::F64), Type::slice_mut(Type::F32)];
        assert_eq!(shadows(&params, &all), both);
        assert_eq!(
            cotangents(&params, &all),
            [Type::F64, Type::array(Type::F32)]
        );
        assert_eq!(shadows(&params, &[false; 7]), []);
    }

    #[test]
    fn leaves_are_depth_first() {
        let inner = Type::tuple(&[Type::F32, Type::Bool]);
        let ty = Type::tuple(&[Type::F64, inner, Type::UNIT, Type::array(Type::F32)]);
        let flat = [Type::F64, Type::F32, Type::Bool, Type::array(Type::F32)];
        assert_eq!(leaves(ty), flat);
        assert_eq!(seeds(ty), [Type::F64, Type::F32, Type::array(Type::F32)]);
        let inner = Type::tuple(&[Type::F32, Type::UNIT]);
        let expected = Type::tuple(&[Type::F64, inner, Type::UNIT, Type::array(Type::F32)]);
        assert_eq!(tangent(ty), expected);
    }
}

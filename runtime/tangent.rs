//! Tangents: which types have a derivative, where it is stored, and in which order it is passed.
//!
//! A tangent is split as in Mooncake. **Fdata** is identified by its address and incremented in place: the shadow of a slice is another mutable
//! slice, and the shadow of a pointer is a pointer to an object of the same layout. **Rdata** is identified by its value and returned: the
//! cotangent of a float is a float, and the cotangent of an array is an array (arrays are immutable, so their cotangents are values). Integers
//! and bools have no tangent.
//!
//! Tuples are passed flat, as the *leaves* of a type, depth first. A derived function takes its parameters, then the shadows of the active
//! parameters, then the seeds of its result, and returns the cotangents of the active parameters.
//!
//! Objects refer to each other, and an object that refers to another one needs the shadow of that object when it is *created*. So a function that
//! passes addresses takes shadows in the forward half, too, and returns those of its result: see [`Sharing`], which all builders and callers of
//! derived functions use, and [`forward_result`].
//!
//! A shadow has the layout of its object: the cotangent of a float is at the place of the float, that of an array at the place of the array (null
//! means zero), and the shadow of a pointer at the place of the pointer. Before the pullback, shadows hold the cotangents of the final contents;
//! afterwards they hold those of the initial contents, and the caller's primal memory is as it was before the call. So in combined mode (one
//! function with value and gradient) only scalars and arrays of the result are valid, and fdata of the result has the seed zero.

use crate::ir::{Callee, Function, Module, Op, Prim, Symbol, Terminator, Type, Value};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

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
        // What an object holds is not known from its address.
        Type::Ptr => Home::Fdata,
        Type::F16 | Type::F32 | Type::F64 => Home::Rdata,
        Type::Array(t) if home(*t) == Home::Rdata => Home::Rdata,
        _ => Home::Nowhere,
    }
}

/// The tangent type: the type of the shadow for fdata, of the cotangent for rdata, and `()` for types without a derivative.
pub fn tangent(ty: Type) -> Type {
    match ty {
        Type::Tuple(fields) => {
            Type::tuple(&fields.iter().map(|&t| tangent(t)).collect::<Vec<Type>>())
        }
        Type::Slice(&t) | Type::SliceMut(&t) if t.is_float() => Type::slice_mut(t),
        ty if home(ty) == Home::Rdata => widened(ty),
        Type::Ptr => Type::Ptr,
        _ => Type::UNIT,
    }
}

/// The type of the cotangent, or of the tangent, of a value with rdata: that of the value, but `f32` for `f16`, which is only stored. So sums of cotangents
/// are not rounded to 16 bits, small ones do not become 0, and the derivative of a conversion is the cotangent as it is.
pub fn widened(ty: Type) -> Type {
    match ty {
        Type::F16 => Type::F32,
        Type::Array(Type::F16) => Type::array(Type::F32),
        other => other,
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
        .map(widened)
        .collect()
}

/// The types of the cotangents that a reverse function returns: one for each active parameter with rdata.
pub fn cotangents(params: &[Type], active: &[bool]) -> Vec<Type> {
    with_home(params, active, Home::Rdata)
        .map(widened)
        .collect()
}

/// The result of a function with value and gradient: the value, and the cotangents of the active parameters.
pub fn gradient_result(ret: Type, params: &[Type], active: &[bool]) -> Type {
    Type::tuple(&[&[ret], &cotangents(params, active)[..]].concat())
}

/// The parameters for which a gradient inside a program ([`DerivativeKind::Gradient`](crate::ir::DerivativeKind::Gradient)) takes shadows: the active
/// ones with fdata, and all pointers.
pub fn asked_shadows(params: &[Type], active: &[bool]) -> Vec<bool> {
    let types = params.iter().zip(active);
    types
        .map(|(&ty, &active)| home(ty) == Home::Fdata && (active || ty == Type::Ptr))
        .collect()
}

/// Whether some leaf has rdata: whether values of the type have cotangents.
pub fn has_rdata(ty: Type) -> bool {
    leaves(ty).into_iter().any(|t| home(t) == Home::Rdata)
}

/// The types of the shadows of a value: one for each leaf with fdata.
pub fn shadow_leaves(ty: Type) -> Vec<Type> {
    let leaves = leaves(ty).into_iter();
    let fdata = leaves.filter(|&t| home(t) == Home::Fdata);
    fdata.map(tangent).collect()
}

/// What the forward half of a function with this result returns, if it has active parameters or its caller wants
/// shadows: the result, and, where it has fdata, a tuple of it and the shadows of its leaves with fdata.
pub fn forward_result(ret: Type) -> Type {
    let shadows = shadow_leaves(ret);
    match shadows.is_empty() {
        true => ret,
        false => Type::tuple(&[&[ret], &shadows[..]].concat()),
    }
}

/// Which functions of a module pass addresses, so that their forward halves take or return shadows.
#[derive(Clone, Default, Debug)]
pub struct Sharing {
    params: BTreeMap<Symbol, Vec<bool>>,
    takes: BTreeSet<Symbol>,
}

impl Sharing {
    /// Analyses a module in normal form.
    pub fn new(module: &Module) -> Sharing {
        let mut sharing = Sharing::default();
        for (&name, function) in &module.functions {
            let types = function.param_types();
            let ptrs = types.iter().map(|&t| t == Type::Ptr).collect();
            sharing.params.insert(name, ptrs);
        }
        while module
            .functions
            .values()
            .fold(false, |changed, function| sharing.visit(function) | changed)
        {}
        sharing
    }
    /// For each parameter of a function: whether its memory may be reached by pointers. They are pointers themselves,
    /// and slices whose address is taken or which are returned.
    pub fn params(&self, function: Symbol) -> &[bool] {
        self.params.get(&function).map_or(&[], Vec::as_slice)
    }
    /// Whether the forward half of a function takes the shadows of its active parameters, those that the pullback takes.
    pub fn forward_takes_shadows(&self, function: Symbol) -> bool {
        self.takes.contains(&function)
    }
    /// The parameters that are active if these are asked for: as soon as one is, all those whose memory may be reached
    /// by pointers, for nobody can say which of it is which. Those not asked for get scratch shadows of zeros. Only
    /// parameters with tangents are active.
    pub fn active(&self, function: &Function, wanted: &[bool]) -> Vec<bool> {
        let types = function.param_types();
        let smooth = |n: usize| home(types[n]) != Home::Nowhere;
        let any = (0..wanted.len()).any(|n| wanted[n] && smooth(n));
        let shared = self.params(function.name);
        (0..wanted.len())
            .map(|n| smooth(n) && (wanted[n] || any && shared[n]))
            .collect()
    }

    /// One step of the fixpoint for a function; returns whether anything changed.
    fn visit(&mut self, function: &Function) -> bool {
        let marked = self.addressed(function);
        let is_fdata = |v: &Value| home(function.ty(*v)) == Home::Fdata;
        let params = function.params().iter();
        let shared: Vec<bool> = params
            .map(|&p| function.ty(p) == Type::Ptr || marked.contains(&p))
            .collect();
        let mut takes = (function.params().iter().zip(&shared)).any(|(p, &s)| s && is_fdata(p));
        for row in rows(function) {
            if let Op::Call(Callee::Function(name)) = row.op {
                takes |= self.takes.contains(&name) && row.args.iter().any(is_fdata);
            }
        }
        // Without parameters that have shadows, no shadows are passed.
        takes &= function.params().iter().any(is_fdata);
        let more = takes && self.takes.insert(function.name);
        self.params.insert(function.name, shared.clone()) != Some(shared) || more
    }
    /// The slices, and tuples with slices, whose address becomes a pointer or leaves the function.
    fn addressed(&self, function: &Function) -> FxHashSet<Value> {
        let mut marked = FxHashSet::default();
        let mut stack = Vec::new();
        for (_, data) in function.blocks_in_order() {
            if let Terminator::Return(value) = data.terminator {
                stack.push(value);
            }
        }
        for row in rows(function) {
            match row.op {
                Op::Prim(Prim::Base) => stack.push(row.args[0]),
                Op::Call(Callee::Function(name)) => {
                    let shared = self.params(name).iter().zip(&row.args);
                    stack.extend(shared.filter(|(s, _)| **s).map(|(_, &arg)| arg));
                }
                _ => {}
            }
        }
        while let Some(value) = stack.pop() {
            if !holds_slice(function.ty(value)) || !marked.insert(value) {
                continue;
            }
            match function.def_inst(value) {
                Some(row) if matches!(row.op, Op::Prim(_)) => stack.extend(&row.args),
                Some(_) => {}
                None => {
                    for (_, data) in function.blocks_in_order() {
                        for edge in data.terminator.edges() {
                            let params = function.blocks[edge.block].params.iter();
                            let passed = params.zip(&edge.args).filter(|(p, _)| **p == value);
                            stack.extend(passed.map(|(_, &arg)| arg));
                        }
                    }
                }
            }
        }
        marked
    }
}

fn rows(function: &Function) -> impl Iterator<Item = &crate::ir::InstData> {
    let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    insts.map(|&inst| &function.insts[inst])
}

fn holds_slice(ty: Type) -> bool {
    let slice = |t: &Type| matches!(t, Type::Slice(_) | Type::SliceMut(_));
    leaves(ty).iter().any(slice)
}

fn with_home(params: &[Type], active: &[bool], wanted: Home) -> impl Iterator<Item = Type> {
    params
        .iter()
        .zip(active)
        .filter(move |&(&t, &active)| active && home(t) == wanted)
        .map(|(&t, _)| t)
}

/// Whether a value of this type, which is not a tuple, can have a tangent in forward mode: a value of the same type, [`widened`]. That of
/// an address is the address of the shadow.
pub fn has_tangent(ty: Type) -> bool {
    match ty {
        Type::F16 | Type::F32 | Type::F64 | Type::Ptr | Type::Addr => true,
        Type::Slice(t) | Type::SliceMut(t) => t.is_float(),
        Type::Array(t) => has_tangent(*t),
        _ => false,
    }
}

/// The types of the tangents that a dual takes after the parameters: one for each active one, in order.
pub fn tangents(params: &[Type], active: &[bool], directions: usize) -> Vec<Type> {
    let types = params.iter().zip(active);
    let along_one: Vec<Type> = types
        .filter(|(_, a)| **a)
        .map(|(t, _)| widened(*t))
        .collect();
    along_one.repeat(directions)
}

/// What the dual of a function returns: `(y, ẏ₀…, ẏ₁…)`, along each direction a tangent for each leaf of y that can have one.
pub fn dual(ret: Type, directions: usize) -> Type {
    let tangents = leaves(ret).into_iter().filter(|&t| has_tangent(t));
    let along_one: Vec<Type> = tangents.map(widened).collect();
    let all = [ret].into_iter().chain(along_one.repeat(directions));
    Type::tuple(&all.collect::<Vec<Type>>())
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
    fn tangents_have_the_types_of_values() {
        let params = [Type::slice(Type::F64), Type::F32, Type::Ptr, Type::Usize];
        let active = [true, false, true, false];
        assert_eq!(tangents(&params, &active, 1), [params[0], Type::Ptr]);
        let twice = [params[0], Type::Ptr, params[0], Type::Ptr];
        assert_eq!(tangents(&params, &active, 2), twice);
        let ret = Type::tuple(&[Type::F64, Type::tuple(&[Type::Bool, Type::Ptr])]);
        assert_eq!(dual(ret, 1), Type::tuple(&[ret, Type::F64, Type::Ptr]));
        let twice = [ret, Type::F64, Type::Ptr, Type::F64, Type::Ptr];
        assert_eq!(dual(ret, 2), Type::tuple(&twice));
        assert!(!has_tangent(Type::slice(Type::U8)) && !has_tangent(Type::array(Type::U32)));
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

    #[test]
    fn addresses_are_followed_to_parameters() {
        let text = "
fn @f(%x: [f64], %y: [f64], %n: [usize], %p: ptr, %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %part: [f64] = subslice %x, %zero, %one
    %q: ptr = call @g(%part)
    %v: f64 = get.0 %q
    return %v
}
fn @g(%x: [f64]) -> ptr {
b0:
    %p: ptr = base %x
    return %p
}
fn @h(%x: [f64], %a: f64, %n: [usize]) -> f64 {
b0:
    %p: ptr = null
    %v: f64 = call @f(%x, %x, %n, %p, %a)
    return %v
}";
        let module = crate::ir::parse::parse_module(text).unwrap();
        let sharing = Sharing::new(&module);
        let [f, g, h] = ["f", "g", "h"].map(Symbol::new);
        assert_eq!(sharing.params(f), [true, false, false, true, false]);
        assert_eq!(sharing.params(g), [true]);
        assert_eq!(sharing.params(h), [true, false, false]);
        assert!(
            [f, g, h]
                .into_iter()
                .all(|f| sharing.forward_takes_shadows(f))
        );
        let function = &module.functions[&f];
        let only = |n: usize| std::array::from_fn::<bool, 5, _>(|k| k == n);
        let active = sharing.active(function, &only(4));
        assert_eq!(active, [true, false, false, true, true]);
        assert_eq!(sharing.active(function, &only(2)), [false; 5]);
    }

    #[test]
    fn forward_halves_return_shadows_of_fdata() {
        let ret = Type::tuple(&[
            Type::F64,
            Type::Ptr,
            Type::slice(Type::U32),
            Type::slice(Type::F32),
        ]);
        let all = Type::tuple(&[ret, Type::Ptr, Type::slice_mut(Type::F32)]);
        assert_eq!(forward_result(ret), all);
        assert_eq!(forward_result(Type::F64), Type::F64);
    }
}

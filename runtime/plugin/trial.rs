//! Calls of native rules for `mooncake pack check`: as compiled code makes them, but on memory in which a stray write is seen.

use super::invoke::{
    Callee, Loans, Made, MadeArrays, MadeElements, Pullback, Views, call_pullback, invoke, view,
};
use super::request::Functions;
use crate::diag::{Error, Result};
use crate::ir::Type;
use crate::registry::{NativeCode, NativeRule};
use crate::tangent::leaves;
use mooncake_pack::abi::View;
use std::ffi::c_void;

/// A value of a call: its elements, and the extents of an array. Integers and bools are passed as f64.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialValue {
    /// Extents; none for what is no array.
    pub shape: Vec<usize>,
    /// Elements; one of a scalar.
    pub values: Vec<f64>,
}

/// The outcome of a call of a primal, an `rrule` or an `frule`.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The results, tuples by their parts.
    pub results: Vec<TrialValue>,
    /// The arguments after the call.
    pub args: Vec<TrialValue>,
    /// The tangents of the results (of an `frule`), zeros where there are none.
    pub tangents: Vec<TrialValue>,
    /// The tangents of the arguments afterwards (of an `frule`).
    pub arg_tangents: Vec<Option<TrialValue>>,
    /// Whether the function wrote outside of its memory.
    pub strayed: bool,
}

/// The outcome of a call of a pullback.
#[derive(Clone, Debug, PartialEq)]
pub struct Back {
    /// The outcome of the `rrule`.
    pub forward: Outcome,
    /// For each argument its cotangent.
    pub cotangents: Vec<Option<TrialValue>>,
    /// The arguments after the pullback.
    pub args: Vec<TrialValue>,
    /// Whether the function wrote outside of its memory.
    pub strayed: bool,
}

/// A native rule, and arguments for it.
pub struct Trial<'a> {
    /// For messages.
    pub callee: Callee,
    /// The types of the parameters.
    pub params: &'a [Type],
    /// The type of the results.
    pub ret: Type,
    /// One for each parameter.
    pub args: &'a [TrialValue],
    /// Makes the calls that the rule asks for.
    pub functions: &'a dyn Functions,
}

impl Trial<'_> {
    /// Calls the primal.
    pub fn primal(&self, rule: &NativeRule) -> Result<Outcome> {
        let mut memory = TrialMemory::new(self, None);
        memory.forward(self, rule.primal, None, |_| true)
    }

    /// Calls the `frule` with these tangents, absent where there is none.
    pub fn frule(&self, frule: NativeCode, tangents: &[Option<TrialValue>]) -> Result<Outcome> {
        let mut memory = TrialMemory::new(self, Some(tangents));
        memory.forward(self, frule, None, |_| true)
    }

    /// Calls the `rrule` and its pullback. `seeds` makes the cotangents of the results; `cotangents` are what those of the arguments are
    /// before: for mutable slices the cotangents of their final contents. None are asked for where there is none.
    pub fn back(
        &self,
        rrule: NativeCode,
        seeds: impl FnOnce(&Outcome) -> Vec<TrialValue>,
        cotangents: &[Option<TrialValue>],
    ) -> Result<Back> {
        let mut memory = TrialMemory::new(self, None);
        let mut pullback = Pullback::none();
        let is_wanted = |n: usize| cotangents[n].is_some();
        let forward = memory.forward(self, rrule, Some(&mut pullback), is_wanted)?;
        let mut found = memory.back(
            self,
            rrule,
            pullback,
            &seeds(&forward),
            &forward,
            cotangents,
        )?;
        found.forward = forward;
        Ok(found)
    }

    /// Calls the `rrule` and drops its pullback uncalled.
    pub fn dropped(&self, rrule: NativeCode) -> Result<Outcome> {
        let mut pullback = Pullback::none();
        TrialMemory::new(self, None).forward(self, rrule, Some(&mut pullback), |_| true)
    }

    fn results(&self) -> Vec<Type> {
        match self.ret {
            Type::Tuple([]) => Vec::new(),
            ret => leaves(ret),
        }
    }
}

/// Elements between guard words.
struct Guarded {
    words: Vec<u64>,
    ty: Type,
    shape: Vec<usize>,
    len: usize,
}

/// The number of guard words on each side.
const MARGIN: usize = 8;
/// The content of a guard word: a NaN that no computation returns.
const CANARY: u64 = 0x7ff8_5afe_0005_a11e;

impl Guarded {
    fn new(ty: Type, value: &TrialValue) -> Guarded {
        let (size, len) = (ty.size().unwrap_or(8), value.values.len());
        let inner = (size * len).div_ceil(8);
        let mut guarded = Guarded {
            words: vec![CANARY; MARGIN + inner + MARGIN],
            ty,
            shape: value.shape.clone(),
            len,
        };
        for (i, &x) in value.values.iter().enumerate() {
            guarded.set(i, x);
        }
        guarded
    }

    fn zero(ty: Type) -> Guarded {
        let value = TrialValue {
            shape: Vec::new(),
            values: vec![0.0],
        };
        let mut guarded = Guarded::new(ty, &value);
        // Scalars are words, zero-extended.
        guarded.words[MARGIN] = 0;
        guarded
    }

    fn bytes(&self) -> &[u8] {
        let bytes: &[u8] = bytemuck::cast_slice(&self.words);
        &bytes[8 * MARGIN..]
    }

    fn set(&mut self, i: usize, x: f64) {
        let size = self.ty.size().unwrap_or(8);
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.words);
        let place = &mut bytes[8 * MARGIN + i * size..][..size];
        match (self.ty, size) {
            (Type::F32, _) => place.copy_from_slice(&(x as f32).to_ne_bytes()),
            (Type::F64, _) => place.copy_from_slice(&x.to_ne_bytes()),
            (_, 1) => place.copy_from_slice(&(x as i64 as u8).to_ne_bytes()),
            (_, 2) => place.copy_from_slice(&(x as i64 as u16).to_ne_bytes()),
            (_, 4) => place.copy_from_slice(&(x as i64 as u32).to_ne_bytes()),
            _ => place.copy_from_slice(&(x as i64).to_ne_bytes()),
        }
    }

    fn get(&self, i: usize) -> f64 {
        let size = self.ty.size().unwrap_or(8);
        let place = &self.bytes()[i * size..][..size];
        let mut wide = [0; 8];
        wide[..size].copy_from_slice(place);
        let bits = u64::from_le_bytes(wide);
        match self.ty {
            Type::F32 => f32::from_bits(bits as u32).into(),
            Type::F64 => f64::from_bits(bits),
            _ => bits as i64 as f64,
        }
    }

    fn value(&self) -> TrialValue {
        TrialValue {
            shape: self.shape.clone(),
            values: (0..self.len).map(|i| self.get(i)).collect(),
        }
    }

    /// Whether the guard words are unchanged.
    fn is_intact(&self) -> bool {
        let end = 8 * self.words.len() - 8 * MARGIN;
        let used = self.ty.size().unwrap_or(8) * self.len;
        let before = &self.words[..MARGIN];
        let whole = CANARY.to_ne_bytes();
        let after = self.bytes()[used..end].iter().enumerate();
        before.iter().all(|word| *word == CANARY) && { after }
            .all(|(i, byte)| *byte == whole[(used + i) % 8])
    }

    /// The same for a scalar, which has a word.
    fn is_intact_scalar(&self) -> bool {
        let (before, rest) = self.words.split_at(MARGIN);
        before.iter().chain(&rest[1..]).all(|word| *word == CANARY)
    }

    fn data(&mut self) -> *mut c_void {
        self.words[MARGIN..].as_mut_ptr().cast()
    }

    /// As an argument of this type, or as what belongs to one.
    fn view(&mut self, ty: Type) -> View {
        let (data, len) = (self.data(), self.len);
        match ty {
            Type::Array(element) => view::array(data, &self.shape, *element),
            Type::Slice(element) => view::slice(data, len, *element, false),
            Type::SliceMut(element) => view::slice(data, len, *element, true),
            ty => view::scalar(data.cast(), ty),
        }
    }
}

/// A value for each parameter that has one.
type Each = Vec<Option<Guarded>>;

/// All memory of one trial.
struct TrialMemory {
    args: Vec<Guarded>,
    tangents: Option<Each>,
}

fn element(ty: Type) -> Type {
    match ty {
        Type::Slice(element) | Type::SliceMut(element) | Type::Array(element) => *element,
        ty => ty,
    }
}

fn each(params: &[Type], values: &[Option<TrialValue>]) -> Each {
    let pairs = params.iter().zip(values);
    pairs
        .map(|(&ty, value)| value.as_ref().map(|value| Guarded::new(element(ty), value)))
        .collect()
}

fn views(params: &[Type], each: &mut Each) -> Views {
    let pairs = params.iter().zip(each);
    pairs
        .map(|(&ty, memory)| {
            memory
                .as_mut()
                .map_or(view::ABSENT, |memory| memory.view(ty))
        })
        .collect()
}

fn is_memory(ty: Type) -> bool {
    matches!(ty, Type::Slice(_) | Type::SliceMut(_) | Type::Array(_))
}

fn are_intact(each: &Each) -> bool {
    each.iter().flatten().all(Guarded::is_intact)
}

fn values(each: &Each) -> Vec<Option<TrialValue>> {
    each.iter()
        .map(|memory| memory.as_ref().map(Guarded::value))
        .collect()
}

impl TrialMemory {
    fn new(trial: &Trial, tangents: Option<&[Option<TrialValue>]>) -> TrialMemory {
        let args = trial.params.iter().zip(trial.args);
        TrialMemory {
            args: args
                .map(|(&ty, value)| Guarded::new(element(ty), value))
                .collect(),
            tangents: tangents.map(|tangents| each(trial.params, tangents)),
        }
    }

    fn args(&self) -> Vec<TrialValue> {
        self.args.iter().map(Guarded::value).collect()
    }

    fn forward(
        &mut self,
        trial: &Trial,
        code: NativeCode,
        pullback: Option<&mut Pullback>,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Outcome> {
        let types = trial.results();
        let mut places: Vec<Guarded> = types.iter().map(|&ty| Guarded::zero(element(ty))).collect();
        let mut moved: Vec<Guarded> = types.iter().map(|&ty| Guarded::zero(element(ty))).collect();
        let result = |(place, &ty): (&mut Guarded, &Type)| match ty {
            Type::Array(element) => view::to_be_made(*element),
            ty => view::scalar(place.data().cast(), ty),
        };
        let mut loans = Loans {
            args: { trial.params.iter().zip(&mut self.args).enumerate() }
                .map(|(n, (&ty, memory))| View {
                    active: (element(ty).is_float() && is_wanted(n)).into(),
                    ..memory.view(ty)
                })
                .collect(),
            results: places.iter_mut().zip(&types).map(result).collect(),
            ..Loans::default()
        };
        if let Some(tangents) = &mut self.tangents {
            loans.tangents = views(trial.params, tangents);
            let smooth = moved.iter_mut().zip(&types);
            loans.result_tangents = smooth
                .map(|(place, ty)| match element(*ty).is_float() {
                    true => result((place, ty)),
                    false => view::ABSENT,
                })
                .collect();
        }
        let mut made = MadeArrays::new();
        let (callee, functions) = (&trial.callee, trial.functions);
        // SAFETY: the registry has the address from a pack; all views are of memory of this function and of `self`, each of its own.
        unsafe { invoke(code, callee, &mut loans, pullback, functions, &mut made) }?;
        let mut made = made.into_iter();
        let strayed = !(self.args.iter().all(Guarded::is_intact)
            && self.tangents.as_ref().is_none_or(are_intact)
            && places.iter().chain(&moved).all(Guarded::is_intact_scalar));
        let results = read(&types, &places, &mut made)?;
        let tangents = match self.tangents.is_some() {
            true => read_tangents(&types, &moved, &results, &mut made),
            false => Vec::new(),
        };
        Ok(Outcome {
            results,
            args: self.args(),
            tangents,
            arg_tangents: self.tangents.as_ref().map(values).unwrap_or_default(),
            strayed,
        })
    }

    fn back(
        &mut self,
        trial: &Trial,
        code: NativeCode,
        pullback: Pullback,
        seeds: &[TrialValue],
        forward: &Outcome,
        cotangents: &[Option<TrialValue>],
    ) -> Result<Back> {
        let types = trial.results();
        let mut cotangents = each(trial.params, cotangents);
        let of_results = |values: &[TrialValue], wanted: fn(Type) -> bool| -> Each {
            let pairs = types.iter().zip(values);
            pairs
                .map(|(&ty, value)| wanted(ty).then(|| Guarded::new(element(ty), value)))
                .collect()
        };
        let mut seeds = of_results(seeds, |ty| element(ty).is_float());
        let mut results = of_results(&forward.results, is_memory);
        let arguments = trial.params.iter().zip(&mut self.args);
        let mut loans = Loans {
            args: arguments
                .map(|(&ty, memory)| match is_memory(ty) {
                    true => memory.view(ty),
                    false => view::ABSENT,
                })
                .collect(),
            results: views(&types, &mut results),
            seeds: views(&types, &mut seeds),
            cotangents: views(&mutable(trial.params), &mut cotangents),
            ..Loans::default()
        };
        // SAFETY: as in `forward`.
        unsafe { call_pullback(pullback, code, &trial.callee, &mut loans, trial.functions) }?;
        let intact = [&cotangents, &seeds, &results].into_iter().all(are_intact);
        Ok(Back {
            forward: forward.clone(),
            cotangents: values(&cotangents),
            args: self.args(),
            strayed: !(intact && self.args.iter().all(Guarded::is_intact)),
        })
    }
}

/// The cotangents of slices are written to, also of those that the function only reads.
fn mutable(params: &[Type]) -> Vec<Type> {
    let mutable = |ty: &Type| match ty {
        Type::Slice(element) => Type::SliceMut(element),
        ty => *ty,
    };
    params.iter().map(mutable).collect()
}

fn read(
    types: &[Type],
    places: &[Guarded],
    made: &mut <MadeArrays as IntoIterator>::IntoIter,
) -> Result<Vec<TrialValue>> {
    let pairs = types.iter().zip(places);
    pairs
        .map(|(ty, place)| match ty.is_array() {
            false => Ok(place.value()),
            true => match made.next().flatten() {
                Some(made) => Ok(elements(&made)),
                None => Err(Error::Internal("an array is missing".to_owned())),
            },
        })
        .collect()
}

/// The tangents of results: zeros for an array that was not made.
fn read_tangents(
    types: &[Type],
    places: &[Guarded],
    results: &[TrialValue],
    made: &mut <MadeArrays as IntoIterator>::IntoIter,
) -> Vec<TrialValue> {
    let rows = types.iter().zip(places).zip(results);
    rows.map(|((ty, place), result)| {
        let zeros = TrialValue {
            shape: result.shape.clone(),
            values: vec![0.0; result.values.len()],
        };
        match (ty.is_array(), element(*ty).is_float()) {
            (_, false) => zeros,
            (false, _) => place.value(),
            (true, _) => made.next().flatten().map_or(zeros, |made| elements(&made)),
        }
    })
    .collect()
}

fn elements(made: &Made) -> TrialValue {
    let values = match &made.elements {
        MadeElements::F32(data) => data.iter().map(|&x| x.into()).collect(),
        MadeElements::F64(data) => data.clone(),
        MadeElements::I32(data) => data.iter().map(|&x| x.into()).collect(),
        MadeElements::U32(data) => data.iter().map(|&x| x.into()).collect(),
    };
    TrialValue {
        shape: made.shape.to_vec(),
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_write_is_seen() {
        let value = TrialValue {
            shape: vec![3],
            values: vec![1.5, -2.0, 3.0],
        };
        for ty in [Type::F32, Type::F64, Type::I32] {
            let mut guarded = Guarded::new(ty, &value);
            assert!(guarded.is_intact());
            guarded.set(1, 7.0);
            assert!(guarded.is_intact() && guarded.get(1) == 7.0);
            guarded.set(3, 7.0);
            assert!(!guarded.is_intact(), "{ty}: behind");
            let mut guarded = Guarded::new(ty, &value);
            guarded.words[MARGIN - 1] = 0;
            assert!(!guarded.is_intact(), "{ty}: before");
        }
        let mut scalar = Guarded::zero(Type::F32);
        assert!(scalar.is_intact_scalar());
        scalar.set(2, 1.0);
        assert!(!scalar.is_intact_scalar());
    }
}

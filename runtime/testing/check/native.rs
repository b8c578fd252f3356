//! A native rule (`rrule`, `frule`) at its cases: called as compiled code calls it, on memory in which a stray write is seen.

use super::super::differences::{Estimate, Verdict, compare, derivative, near};
use super::super::entry::{doubled, epsilon, holds, wrong};
use super::super::random::Random;
use super::{Events, Run, THREADS, on_threads};
use crate::array::host::ArrayHost;
use crate::diag::{Error, Result, Span};
use crate::exec::AskedAlone;
use crate::ir::Type;
use crate::plugin::{Back, Callee, FloatControl, Outcome, Trial, TrialValue};
use crate::registry::{Entry, EntryKind, NativeCode, NativeRule};
use mooncake_pack::{Case, Value};

/// Whether a case's arguments are of an entry's types: arrays serve for slices too.
pub(super) fn fits(entry: &Entry, case: &Case) -> bool {
    let pairs = entry.params.iter().zip(&case.arguments);
    entry.params.len() == case.arguments.len() && { pairs }.all(|(ty, given)| match (ty, given) {
        (ty, Value::Float(_)) => ty.is_float(),
        (ty, Value::Int(i)) => holds(*ty, *i),
        (Type::Array(e) | Type::Slice(e) | Type::SliceMut(e), Value::Array(..)) => e.is_float(),
        (Type::Array(e) | Type::Slice(e) | Type::SliceMut(e), Value::Indices(..)) => e.is_int(),
        _ => false,
    })
}

/// Whether some parameter is a slice.
pub(super) fn has_slices(entry: &Entry) -> bool {
    let is_slice = |ty: &Type| matches!(ty, Type::Slice(_) | Type::SliceMut(_));
    entry.params.iter().any(is_slice)
}

impl Run<'_> {
    /// Tests the rule itself at the cases; gives their number.
    pub(super) fn native_rule(&self, rule: &NativeRule, events: Events) -> usize {
        for case in self.cases {
            let test = NativeTest::new(self, rule, case);
            self.step("native calls", events, || test.float_control());
            if !self.entry.effects.is_ordered() {
                self.step("native calls, repeated", events, || test.deterministic());
                self.step("native calls from four threads", events, || test.threads());
            }
            self.step("the memory that is lent", events, || test.memory());
            self.step("rrule and its pullback", events, || test.pullback());
            self.step("accumulation into cotangents", events, || {
                test.accumulates()
            });
            self.step("one cotangent at a time", events, || test.alone());
            self.step("frule against pullback", events, || test.frule());
            self.step("absent tangents", events, || test.absent_tangents());
        }
        self.cases.len()
    }
}

/// Makes the calls that rules ask for while they are tested.
const FUNCTIONS: AskedAlone = AskedAlone(|| Box::new(ArrayHost::new()));

/// One case of one entry.
struct NativeTest<'a> {
    entry: &'a Entry,
    rule: &'a NativeRule,
    /// The primal for f64, if there is one: what differences are taken of.
    oracle: (&'a Entry, &'a NativeRule),
    case: &'a Case,
    args: Vec<TrialValue>,
}

impl<'a> NativeTest<'a> {
    fn new(run: &'a Run, rule: &'a NativeRule, case: &'a Case) -> Self {
        let registry = run.ctx.registry();
        let wide = registry.find(run.entry.name, &doubled(&run.entry.params));
        let oracle = wide.and_then(|entry| match &entry.kind {
            EntryKind::Native(rule) => Some((&**entry, rule)),
            EntryKind::Scalar(_) | EntryKind::Array(_) => None,
        });
        NativeTest {
            entry: run.entry,
            rule,
            oracle: oracle.unwrap_or((run.entry, rule)),
            case,
            args: arguments(run.entry, case),
        }
    }

    fn wrong(&self, property: &'static str, message: String) -> Error {
        let message = format!("{message}, for {:?}", self.case.arguments);
        wrong(self.entry, property, message)
    }

    fn trial<'t>(&self, entry: &'t Entry, args: &'t [TrialValue]) -> Trial<'t> {
        Trial {
            callee: Callee {
                pack: entry.pack,
                name: entry.name,
                span: Span::NONE,
            },
            params: &entry.params,
            ret: entry.ret,
            args,
            functions: &FUNCTIONS,
        }
    }

    fn own(&self) -> Trial<'_> {
        self.trial(self.entry, &self.args)
    }

    /// The rrule, if there is one.
    fn rrule(&self) -> Option<NativeCode> {
        self.rule.rrule
    }

    /// For each argument something of its form, where it has floats.
    fn alike(&self, mut make: impl FnMut() -> f64) -> Vec<Option<TrialValue>> {
        let pairs = self.entry.params.iter().zip(&self.args);
        pairs
            .map(|(&ty, arg)| {
                element(ty).is_float().then(|| TrialValue {
                    shape: arg.shape.clone(),
                    values: arg.values.iter().map(|_| make()).collect(),
                })
            })
            .collect()
    }

    /// The cotangents that a pullback starts from: of mutable slices those of their final contents, of all else zeros.
    fn start(&self, random: &mut Random) -> Vec<Option<TrialValue>> {
        let mut start = self.alike(|| small(random));
        for (start, ty) in start.iter_mut().zip(&self.entry.params) {
            if let (Some(start), false) = (start, matches!(ty, Type::SliceMut(_))) {
                start.values.fill(0.0);
            }
        }
        start
    }

    /// The rule and its pullback from fixed cotangents.
    fn back(&self, rrule: NativeCode, start: &[Option<TrialValue>]) -> Result<Back> {
        self.own().back(rrule, seeds, start)
    }

    /// Everything that the functions give, as bits.
    fn bits(&self) -> Result<Vec<u64>> {
        let primal = self.own().primal(self.rule)?;
        let mut all: Vec<TrialValue> = { primal.results.into_iter() }.chain(primal.args).collect();
        if let Some(rrule) = self.rrule() {
            let back = self.back(rrule, &self.start(&mut Random::new(3)))?;
            all.extend(back.forward.results);
            all.extend(back.cotangents.into_iter().flatten());
            all.extend(back.args);
        }
        if let Some(frule) = self.rule.frule {
            let mut random = Random::new(5);
            let moved = self
                .own()
                .frule(frule, &self.alike(|| small(&mut random)))?;
            all.extend(moved.results.into_iter().chain(moved.tangents));
        }
        let bits = all.iter().flat_map(|value| {
            let shape = value.shape.iter().map(|&extent| extent as u64);
            shape.chain(value.values.iter().map(|x| x.to_bits()))
        });
        Ok(bits.collect())
    }

    fn float_control(&self) -> Result<()> {
        let before = FloatControl::read();
        let outcome = self.bits();
        let after = FloatControl::read();
        if after == before {
            return outcome.map(drop);
        }
        before.restore();
        Err(self.wrong(
            "rounding mode",
            format!("it changes how this thread computes with floats (rounding, denormals, traps): found {after}, expected {before}"),
        ))
    }

    fn deterministic(&self) -> Result<()> {
        let first = self.bits()?;
        match (0..3)
            .map(|_| self.bits())
            .find(|again| again.as_ref().ok() != Some(&first))
        {
            None => Ok(()),
            Some(Err(error)) => Err(error),
            Some(Ok(_)) => Err(self.wrong(
                "deterministic",
                "called again it gives other bits".to_owned(),
            )),
        }
    }

    fn threads(&self) -> Result<()> {
        let expected = self.bits()?;
        let found = on_threads(|| match self.bits() {
            Ok(found) => (found != expected).then_some(Ok(())),
            Err(error) => Some(Err(error)),
        });
        match found {
            None => Ok(()),
            Some(Err(error)) => Err(error),
            Some(Ok(())) => {
                let message = format!("while {THREADS} threads call it, it gives other bits");
                Err(self.wrong("thread safe", message))
            }
        }
    }

    /// Nothing is written to but results and mutable slices, and the rules give the primal's results.
    fn memory(&self) -> Result<()> {
        let primal = self.own().primal(self.rule)?;
        self.untouched("its primal", &primal)?;
        if let Some(rrule) = self.rrule() {
            let forward = self.own().dropped(rrule)?;
            self.untouched("its rrule", &forward)?;
            self.same("rrule", &forward, &primal)?;
        }
        if let Some(frule) = self.rule.frule {
            let mut random = Random::new(5);
            let tangents = self.alike(|| small(&mut random));
            let moved = self.own().frule(frule, &tangents)?;
            self.untouched("its frule", &moved)?;
            self.same("frule", &moved, &primal)?;
        }
        Ok(())
    }

    fn untouched(&self, who: &str, outcome: &Outcome) -> Result<()> {
        if outcome.strayed {
            let message = format!("{who} writes outside of the memory that it is lent");
            return Err(self.wrong("stray write", message));
        }
        let rows = self.entry.params.iter().zip(&self.args).zip(&outcome.args);
        for (i, ((ty, before), after)) in rows.enumerate() {
            if !matches!(ty, Type::SliceMut(_)) && !same_bits(before, after) {
                let message = format!("{who} writes to argument {i}, which it may only read");
                return Err(self.wrong("stray write", message));
            }
        }
        Ok(())
    }

    fn same(&self, property: &'static str, found: &Outcome, expected: &Outcome) -> Result<()> {
        let all = |outcome: &Outcome| -> Vec<TrialValue> {
            outcome
                .results
                .iter()
                .chain(&outcome.args)
                .cloned()
                .collect()
        };
        let (found, expected) = (all(found), all(expected));
        let tolerance = 256.0 * self.epsilon();
        let near = |(a, b): (&f64, &f64)| {
            (a - b).abs() <= tolerance * b.abs().max(1.0) || a == b || a.is_nan() && b.is_nan()
        };
        let fits = found.iter().zip(&expected).all(|(a, b)| {
            a.shape == b.shape && a.values.len() == b.values.len() && {
                a.values.iter().zip(&b.values)
            }
            .all(near)
        });
        match fits {
            true => Ok(()),
            false => Err(self.wrong(
                property,
                format!("it gives {found:?} (results, then arguments), the primal {expected:?}"),
            )),
        }
    }

    fn epsilon(&self) -> f64 {
        let all = self.entry.params.iter().map(|&ty| element(ty));
        match { all }.any(|ty| ty == Type::F32) {
            true => epsilon(Type::F32),
            false => epsilon(Type::F64),
        }
    }

    /// The pullback restores memory, writes nowhere else, and gives what differences say.
    fn pullback(&self) -> Result<()> {
        let Some(rrule) = self.rrule() else {
            return Ok(());
        };
        let mut random = Random::new(3);
        let start = self.start(&mut random);
        let back = self.back(rrule, &start)?;
        self.keeps_memory(&back)?;
        for _ in 0..4 {
            let direction = self.alike(|| small(&mut random));
            self.difference(&back, &start, &direction)?;
        }
        Ok(())
    }

    /// The pullback writes to no memory but what it is lent, and after it memory is as it was before the call.
    fn keeps_memory(&self, back: &Back) -> Result<()> {
        if back.strayed {
            let message = "its pullback writes outside of the memory that it is lent".to_owned();
            return Err(self.wrong("stray write", message));
        }
        for (i, (before, after)) in self.args.iter().zip(&back.args).enumerate() {
            if !same_bits(before, after) {
                return Err(self.wrong(
                    "restores",
                    format!(
                        "after its pullback argument {i} is {:?}, before the call it was {:?}",
                        after.values, before.values
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Each cotangent that is asked for alone is what it is beside the others: of the other arguments a program may ask no gradient.
    fn alone(&self) -> Result<()> {
        let Some(rrule) = self.rrule() else {
            return Ok(());
        };
        let start = self.start(&mut Random::new(3));
        let all = self.back(rrule, &start)?;
        let is_final = |n: usize| matches!(self.entry.params[n], Type::SliceMut(_));
        for (i, expected) in all.cotangents.iter().enumerate() {
            let Some(expected) = expected.as_ref().filter(|_| !is_final(i)) else {
                continue;
            };
            // The cotangents of what mutable slices hold in the end are there in any case: the gradient depends on them.
            let given = { start.iter().enumerate() }
                .map(|(n, start)| start.clone().filter(|_| n == i || is_final(n)));
            let given: Vec<Option<TrialValue>> = given.collect();
            let back = self.back(rrule, &given)?;
            self.keeps_memory(&back)?;
            let found = back.cotangents[i].as_ref();
            let tolerance = 64.0 * self.epsilon();
            let near = |(a, b): (&f64, &f64)| {
                near(*a, *b, tolerance * b.abs()) || a.is_nan() && b.is_nan()
            };
            let same = |found: &&TrialValue| found.values.iter().zip(&expected.values).all(near);
            if found.filter(same).is_none() {
                let found = found.map(|found| &found.values);
                return Err(self.wrong(
                    "active arguments",
                    format!(
                        "if the gradient is asked for argument {i} alone, its cotangent is {found:?}; if it is asked for all, {:?}",
                        expected.values
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Compares the gradient along a direction with differences of the primal.
    fn difference(
        &self,
        back: &Back,
        start: &[Option<TrialValue>],
        direction: &[Option<TrialValue>],
    ) -> Result<()> {
        let (entry, rule) = self.oracle;
        let weights = seeds(&back.forward);
        let f = |t: f64| {
            let mut moved = self.args.clone();
            for (arg, direction) in moved.iter_mut().zip(direction) {
                let Some(direction) = direction else { continue };
                let pairs = arg.values.iter_mut().zip(&direction.values);
                pairs.for_each(|(x, d)| *x += t * d);
            }
            let Ok(outcome) = self.trial(entry, &moved).primal(rule) else {
                return f64::NAN;
            };
            let results: f64 = outcome
                .results
                .iter()
                .zip(&weights)
                .map(|(a, b)| dot(a, b))
                .sum();
            let rows = entry.params.iter().zip(&outcome.args).zip(start);
            let memory = rows.map(|((ty, arg), start)| match (ty, start) {
                (Type::SliceMut(_), Some(start)) => dot(arg, start),
                _ => 0.0,
            });
            results + memory.sum::<f64>()
        };
        let oracle = match entry.params == self.entry.params {
            true => self.epsilon(),
            false => f64::EPSILON,
        };
        let estimate = derivative(f, oracle);
        let (mut found, mut scale) = (0.0, 0.0);
        for (cotangent, direction) in back.cotangents.iter().zip(direction) {
            if let (Some(cotangent), Some(direction)) = (cotangent, direction) {
                found += dot(cotangent, direction);
                let pairs = cotangent.values.iter().zip(&direction.values);
                scale += pairs.map(|(a, b)| (a * b).abs()).sum::<f64>();
            }
        }
        match compare(found, estimate, scale, self.epsilon()) {
            Verdict::Differs => {
                let Estimate { value, error } = estimate;
                Err(self.wrong(
                    "pullback",
                    format!("the derivative along a random direction is {found:e}, differences say {value:e} ± {error:.0e}"),
                ))
            }
            Verdict::Agrees | Verdict::Unknown => Ok(()),
        }
    }

    /// What cotangents are before is added to.
    fn accumulates(&self) -> Result<()> {
        let Some(rrule) = self.rrule() else {
            return Ok(());
        };
        let start = self.start(&mut Random::new(3));
        let plain = self.back(rrule, &start)?;
        let mut filled = start.clone();
        let mut random = Random::new(7);
        for (filled, ty) in filled.iter_mut().zip(&self.entry.params) {
            if let (Some(filled), false) = (filled, matches!(ty, Type::SliceMut(_))) {
                filled
                    .values
                    .iter_mut()
                    .for_each(|x| *x = small(&mut random));
            }
        }
        let added = self.back(rrule, &filled)?;
        let rows = self.entry.params.iter().zip(&plain.cotangents);
        let rows = rows.zip(&added.cotangents).zip(&filled);
        for (i, (((ty, plain), added), before)) in rows.enumerate() {
            let (Some(plain), Some(added), Some(before)) = (plain, added, before) else {
                continue;
            };
            if matches!(ty, Type::SliceMut(_)) {
                continue;
            }
            let tolerance = 64.0 * self.epsilon();
            let rows = plain.values.iter().zip(&added.values).zip(&before.values);
            let near = |((plain, added), before): ((&f64, &f64), &f64)| {
                let expected = plain + before;
                (added - expected).abs() <= tolerance * (plain.abs() + before.abs())
                    || expected.is_nan() && added.is_nan()
            };
            if !{ rows }.all(near) {
                return Err(self.wrong(
                    "accumulation",
                    format!("where the cotangent of argument {i} is {:?} before, its pullback makes it {:?}; expected it to add {:?}", before.values, added.values, plain.values),
                ));
            }
        }
        Ok(())
    }

    /// ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ for a random ẋ.
    fn frule(&self) -> Result<()> {
        let (Some(rrule), Some(frule)) = (self.rrule(), self.rule.frule) else {
            return Ok(());
        };
        let start = self.start(&mut Random::new(3));
        let back = self.back(rrule, &start)?;
        let mut random = Random::new(9);
        let direction = self.alike(|| small(&mut random));
        let moved = self.own().frule(frule, &direction)?;
        let mut terms = Vec::new();
        for (tangent, weight) in moved.tangents.iter().zip(seeds(&back.forward)) {
            terms.push(products(tangent, &weight));
        }
        let memory = self
            .entry
            .params
            .iter()
            .zip(&moved.arg_tangents)
            .zip(&start);
        for ((ty, tangent), start) in memory {
            if let (Type::SliceMut(_), Some(tangent), Some(start)) = (ty, tangent, start) {
                terms.push(products(tangent, start));
            }
        }
        let found: f64 = terms.iter().flatten().sum();
        let mut size: f64 = terms.iter().flatten().map(|x| x.abs()).sum();
        let mut expected = 0.0;
        for (cotangent, direction) in back.cotangents.iter().zip(&direction) {
            if let (Some(cotangent), Some(direction)) = (cotangent, direction) {
                let terms = products(cotangent, direction);
                expected += terms.iter().sum::<f64>();
                size += terms.iter().map(|x| x.abs()).sum::<f64>();
            }
        }
        match (found - expected).abs() <= 256.0 * self.epsilon() * size {
            true => Ok(()),
            false => Err(self.wrong(
                "tangent",
                format!("the derivative along a random direction is {found:e}, the pullback says {expected:e}"),
            )),
        }
    }

    /// A tangent that is absent is zero: whether one argument has a tangent, or all but one.
    fn absent_tangents(&self) -> Result<()> {
        let Some(frule) = self.rule.frule else {
            return Ok(());
        };
        let mut random = Random::new(13);
        let all = self.alike(|| small(&mut random));
        let zeros = self.alike(|| 0.0);
        // Memory that may be written has a tangent in any case.
        let stays =
            |n: usize| all[n].is_none() || matches!(self.entry.params[n], Type::SliceMut(_));
        let with = |given: &dyn Fn(usize) -> bool, absent: &dyn Fn(usize) -> Option<TrialValue>| {
            let tangents = all.iter().enumerate();
            let tangents = tangents.map(|(n, tangent)| match given(n) || stays(n) {
                true => tangent.clone(),
                false => absent(n),
            });
            self.own().frule(frule, &tangents.collect::<Vec<_>>())
        };
        let numbers = |outcome: &Outcome| -> Vec<f64> {
            let memory = outcome.arg_tangents.iter().enumerate();
            let memory = memory.filter(|&(n, _)| stays(n));
            let memory = memory.filter_map(|(_, tangent)| tangent.as_ref());
            let both = outcome.tangents.iter().chain(memory);
            both.flat_map(|tangent| tangent.values.clone()).collect()
        };
        let tolerance = 64.0 * self.epsilon();
        let near =
            |(a, b): (&f64, &f64)| near(*a, *b, tolerance * b.abs()) || a.is_nan() && b.is_nan();
        for i in (0..all.len()).filter(|&i| !stays(i)) {
            let sets: [&dyn Fn(usize) -> bool; 2] = [&|n| n == i, &|n| n != i];
            for given in sets {
                let found = with(given, &|_| None)?;
                let expected = with(given, &|n| zeros[n].clone())?;
                self.untouched("its frule", &found)?;
                let (found, expected) = (numbers(&found), numbers(&expected));
                if found.len() != expected.len() || !found.iter().zip(&expected).all(near) {
                    let absent: Vec<String> = { 0..all.len() }
                        .filter(|&n| !given(n) && !stays(n))
                        .map(|n| n.to_string())
                        .collect();
                    return Err(self.wrong(
                        "absent tangents",
                        format!(
                            "its frule gives the tangents {found:?} if those of the arguments {} are absent; with zeros in their place {expected:?}",
                            absent.join(", ")
                        ),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A case's arguments as they are lent.
fn arguments(entry: &Entry, case: &Case) -> Vec<TrialValue> {
    let pairs = entry.params.iter().zip(&case.arguments);
    pairs
        .map(|(ty, given)| {
            let (shape, values) = match given {
                Value::Float(x) => (Vec::new(), vec![*x]),
                Value::Int(i) => (Vec::new(), vec![*i as f64]),
                Value::Array(shape, data) => (shape.clone(), data.clone()),
                Value::Indices(shape, data) => {
                    (shape.clone(), data.iter().map(|&i| f64::from(i)).collect())
                }
                Value::Shape(_) => (Vec::new(), Vec::new()),
            };
            let values = match element(*ty) {
                Type::F32 => values.iter().map(|&x| f64::from(x as f32)).collect(),
                _ => values,
            };
            TrialValue { shape, values }
        })
        .collect()
}

/// The cotangents that results are given: always the same for the same results.
fn seeds(forward: &Outcome) -> Vec<TrialValue> {
    let mut random = Random::new(11);
    let results = forward.results.iter();
    results
        .map(|result| TrialValue {
            shape: result.shape.clone(),
            values: result.values.iter().map(|_| small(&mut random)).collect(),
        })
        .collect()
}

/// A random number that is an f32 too.
fn small(random: &mut Random) -> f64 {
    f64::from(random.signed() as f32)
}

fn element(ty: Type) -> Type {
    match ty {
        Type::Slice(element) | Type::SliceMut(element) | Type::Array(element) => *element,
        ty => ty,
    }
}

fn same_bits(a: &TrialValue, b: &TrialValue) -> bool {
    a.values.len() == b.values.len() && { a.values.iter().zip(&b.values) }
        .all(|(a, b)| a.to_bits() == b.to_bits())
}

fn products(a: &TrialValue, b: &TrialValue) -> Vec<f64> {
    a.values.iter().zip(&b.values).map(|(a, b)| a * b).collect()
}

fn dot(a: &TrialValue, b: &TrialValue) -> f64 {
    products(a, b).iter().sum()
}

//! Tests of a pack's entries, one by one.

use super::differences::{Estimate, Verdict, compare, derivative, near};
use super::programs::{Compiled, compile, interpret, normalised, verified};
use super::random::Random;
use crate::ad::{Mode, Request, forward, reverse};
use crate::array::host::ArrayHost;
use crate::array::{Array, Device, Element};
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::interp::Datum;
use crate::ir::build::Builder;
use crate::ir::eval::bits;
use crate::ir::{Const, Function, Module, Prim, Symbol, Type, Value};
use crate::plugin::call_with_partials;
use crate::registry::{ArrayRule, ContextKind, Entry, EntryKind, Registry, ScalarRule, canonical};
use crate::tangent::{has_tangent, leaves};
use mooncake_pack::{Case, Value as Given};
use std::sync::Arc;

/// The points at which [`test_scalar`] compares.
const POINTS: usize = 48;

/// Steps that a rule's IR may take.
const FUEL: u64 = 100_000;

/// Tests a scalar rule at points all over its domain: that its partials are those of differences, that its native
/// function for value and partials together agrees with its primal and with its partials, and its body with both, and
/// that the partials compile to what they mean, and that forward mode gives what the partials say.
pub fn test_scalar(ctx: &Context, entry: &Entry) -> Result<()> {
    test_scalar_at(ctx, entry, &[])
}

/// The same, and at further points.
pub(super) fn test_scalar_at(ctx: &Context, entry: &Entry, more: &[Vec<f64>]) -> Result<()> {
    let test = ScalarTest::new(ctx, entry)?;
    let mut settled = 0;
    for args in points(test.rule) {
        settled += usize::from(test.at(&args)?);
        if test.value(&args)?.is_nan() {
            let message = format!(
                "at {args:?}, which is in it, the function is NaN: choose one where it is a number"
            );
            return Err(wrong(entry, "domain", message));
        }
    }
    for args in more {
        test.at(args)?;
    }
    match 2 * settled >= POINTS {
        true => Ok(()),
        false => Err(wrong(
            entry,
            "domain",
            format!(
                "differences settle at {settled} of {POINTS} points: choose a domain away from poles"
            ),
        )),
    }
}

/// Tests the rule that a case calls, in f32 and on the CPU in f64 too: the value on a device against that on the CPU in
/// f64, the shapes and the values of the cotangents against differences, the tangents against the cotangents.
pub fn test_case(ctx: &Context, case: &Case, device: &Device) -> Result<()> {
    let registry = ctx.registry();
    // A pack's cases name its rows as the pack does, or by their path.
    let named = |entry: &Entry| match case.function.contains("::") {
        true => entry.name == canonical(case.function),
        false => entry.row() == case.function,
    };
    let mut tested = 0;
    for entry in registry
        .entries()
        .filter(|entry| named(entry) && fits(entry, case))
    {
        match &entry.kind {
            _ if is_double(entry) && device.is_gpu() => continue,
            EntryKind::Scalar(_) => {
                let args: Vec<f64> = case.arguments.iter().filter_map(number).collect();
                ScalarTest::new(ctx, entry)?.at(&args)?;
            }
            EntryKind::Array(_) | EntryKind::Native(_) => {
                GeneralTest::new(registry, entry, case, ContextKind::Default)?.run(device)?
            }
        }
        tested += 1;
    }
    match tested {
        0 => Err(Error::Rule {
            rule: case.function.to_owned(),
            property: "case",
            message: format!("no entry takes the arguments of {case:?}"),
        }),
        _ => Ok(()),
    }
}

/// Whether an entry takes floats of 64 bits, which not every GPU has: its cases run on the CPU alone.
pub(super) fn is_double(entry: &Entry) -> bool {
    entry.params.contains(&Type::F64) || entry.params.contains(&Type::array(Type::F64))
}

/// Points all over a rule's domain, always the same.
pub(super) fn points(rule: &ScalarRule) -> Vec<Vec<f64>> {
    let mut random = Random::new(1);
    let mut point = || {
        let domain = rule.domain.iter();
        domain
            .map(|&(low, high)| low + (high - low) * random.unit())
            .collect()
    };
    (0..POINTS).map(|_| point()).collect()
}

pub(super) fn wrong(entry: &Entry, property: &'static str, message: impl Into<String>) -> Error {
    let params: Vec<String> = entry.params.iter().map(Type::to_string).collect();
    Error::Rule {
        rule: format!("{}({})", entry.name, params.join(", ")),
        property,
        message: message.into(),
    }
}

/// Whether a case's arguments are of an entry's types.
pub(super) fn fits(entry: &Entry, case: &Case) -> bool {
    entry.params.len() == case.arguments.len()
        && entry
            .params
            .iter()
            .zip(&case.arguments)
            .all(|(ty, given)| match (ty, given) {
                (ty, Given::Float(_)) => ty.is_float(),
                (ty, Given::Int(i)) => holds(*ty, *i),
                (Type::Array(element), Given::Array(..)) => element.is_float(),
                (Type::Array(element), Given::Indices(..)) => **element == Type::U32,
                (Type::Tuple(dims), Given::Shape(shape)) => dims.len() == shape.len(),
                _ => false,
            })
}

/// Whether an integer or a bool of a type can be this number.
pub(super) fn holds(ty: Type, i: i64) -> bool {
    if ty == Type::Bool {
        return true;
    }
    match bits(ty) {
        // Those of `u64` above `i64::MAX` stand there by their bits.
        Some(64) => true,
        Some(bits) if ty.is_signed() => (-1 << (bits - 1)..1 << (bits - 1)).contains(&i),
        Some(bits) => (0..1 << bits).contains(&i),
        None => false,
    }
}

pub(super) fn number(given: &Given) -> Option<f64> {
    match given {
        Given::Float(x) => Some(*x),
        Given::Int(i) => Some(*i as f64),
        Given::Array(..) | Given::Indices(..) | Given::Shape(_) => None,
    }
}

/// The precision of a float type.
pub(super) fn epsilon(ty: Type) -> f64 {
    match ty {
        Type::F32 => f32::EPSILON.into(),
        _ => f64::EPSILON,
    }
}

/// The coarsest precision among the floats that an entry takes and gives.
pub(super) fn precision(entry: &Entry) -> f64 {
    let all = leaves(entry.ret);
    let types = all.iter().chain(&entry.params);
    let floats = types.map(|ty| ty.element().unwrap_or(*ty));
    let floats = floats.filter(|ty| ty.is_float());
    floats.map(epsilon).fold(f64::EPSILON, f64::max)
}

/// The same types with f64 for f32.
pub(super) fn doubled(types: &[Type]) -> Vec<Type> {
    let double = |ty: &Type| match ty {
        Type::F32 => Type::F64,
        Type::Array(Type::F32) => Type::array(Type::F64),
        Type::Slice(Type::F32) => Type::slice(Type::F64),
        Type::SliceMut(Type::F32) => Type::slice_mut(Type::F64),
        other => *other,
    };
    types.iter().map(double).collect()
}

/// A function that calls an entry.
pub(super) fn caller(entry: &Entry) -> Module {
    let mut b = Builder::new(Function::new(
        Symbol::new("primal"),
        &entry.params,
        entry.ret,
    ));
    let args = b.function.params().to_vec();
    let y = b.call(entry.name, &args, entry.ret);
    b.ret(y);
    Module::new(b.finish())
}

/// The partials of a scalar function from its arguments alone.
fn partials(entry: &Entry, rule: &ScalarRule) -> Module {
    let mut b = Builder::new(Function::new(
        Symbol::new("partials"),
        &entry.params,
        Type::UNIT,
    ));
    let mut args = b.function.params().to_vec();
    let y = b.call(entry.name, &args, entry.ret);
    args.push(y);
    let all = b.inline_straight_line(&rule.partials, &args);
    b.function.ret = b.function.ty(all);
    b.ret(all);
    Module::new(b.finish())
}

/// The dual of a module, along all its parameters.
pub(super) fn dual(module: &Module, registry: &Registry, kind: ContextKind) -> Result<Module> {
    let types = module.root().param_types();
    let moving: Vec<bool> = types.iter().map(|&ty| has_tangent(ty)).collect();
    forward(module, registry, kind, &moving, 1)
}

/// Arguments of the parameters' types.
pub(super) fn data(entry: &Entry, args: &[f64]) -> Vec<Datum> {
    let datum = |(&x, &ty): (&f64, &Type)| match ty {
        Type::F32 => Datum::float((x as f32).into()),
        Type::F64 => Datum::float(x),
        Type::Bool => Datum::Scalar(Const::Bool(x.round() != 0.0)),
        _ => Datum::Scalar(Const::Int(x.round() as i64)),
    };
    args.iter().zip(&entry.params).map(datum).collect()
}

/// A scalar rule and what it is compared with.
struct ScalarTest<'a> {
    registry: &'a Arc<Registry>,
    entry: &'a Entry,
    rule: &'a ScalarRule,
    primal: (Module, Compiled),
    partials: (Module, Compiled),
    /// From the arguments and the tangents of the floats among them.
    dual: (Module, Compiled),
    /// The same function in f64 if there is one, and its precision.
    oracle: (Compiled, f64),
    /// Of a function of f64: the partials from the arguments alone, and their dual, unless they call what has no derivative.
    second: Option<(Compiled, Compiled)>,
}

impl<'a> ScalarTest<'a> {
    fn new(ctx: &'a Context, entry: &'a Entry) -> Result<Self> {
        let EntryKind::Scalar(rule) = &entry.kind else {
            return Err(wrong(entry, "kind", "not a scalar rule: test its cases"));
        };
        let registry = ctx.registry();
        let compiled = |module: Module| -> Result<(Module, Compiled)> {
            verified(&module, registry)?;
            let compiled = compile(&module, registry)?;
            Ok((module, compiled))
        };
        let double = registry.find(entry.name, &doubled(&entry.params));
        let oracle = double.map_or(entry, |double| double);
        // Both types have the same text, and in f32 the derivative of a partial may be rounding errors alone.
        let partials = (entry.ret == Type::F64).then(|| partials(entry, rule));
        let second = match partials {
            Some(partials) => match dual(&partials, registry, ContextKind::Default) {
                Ok(dual) => Some((compiled(partials)?.1, compiled(dual)?.1)),
                Err(_) => None,
            },
            None => None,
        };
        Ok(ScalarTest {
            registry,
            entry,
            rule,
            second,
            primal: compiled(caller(entry))?,
            partials: compiled(Module::new(rule.partials.clone()))?,
            dual: compiled(dual(&caller(entry), registry, ContextKind::Default)?)?,
            oracle: (compiled(caller(oracle))?.1, epsilon(oracle.ret)),
        })
    }

    /// The function at a point; 0 if it gives no float.
    fn value(&self, args: &[f64]) -> Result<f64> {
        let value = self.primal.1.call(&data(self.entry, args))?;
        Ok(value.as_float().unwrap_or(0.0))
    }
    /// Tests at one point; says whether differences settle there.
    fn at(&self, args: &[f64]) -> Result<bool> {
        if args.len() != self.entry.params.len() {
            return Err(wrong(
                self.entry,
                "domain",
                format!("{} intervals", args.len()),
            ));
        }
        let mut data = data(self.entry, args);
        let y = self.both("value", &self.primal, &data)?;
        self.body(&data, &y)?;
        data.push(y.clone());
        let partials = match self.both("partials", &self.partials, &data)? {
            Datum::Tuple(partials) if partials.len() == args.len() => partials,
            other => {
                return Err(wrong(
                    self.entry,
                    "partials",
                    format!("not one for each argument: {other}"),
                ));
            }
        };
        data.pop();
        self.with_partials(&data, &y, &partials)?;
        self.dual(&data, &y, &partials)?;
        let mut settled = true;
        for (i, partial) in partials.iter().enumerate() {
            if let Some(partial) = partial.as_float() {
                settled &= self.difference(&data, i, partial)?;
            }
        }
        self.second(&data)?;
        Ok(settled)
    }

    /// The derivatives of the partials along a direction, of which Hessians are made, against differences of the partials.
    fn second(&self, data: &[Datum]) -> Result<()> {
        let Some((partials, dual)) = &self.second else {
            return Ok(());
        };
        let directions = data.iter().enumerate().filter_map(|(n, datum)| {
            let scale = datum.as_float()?.abs().clamp(0.1, 1e6);
            Some((n, [0.75, -1.5, 0.5][n % 3] * scale))
        });
        let directions: Vec<(usize, f64)> = directions.collect();
        let mut args = data.to_vec();
        args.extend(directions.iter().map(|(_, dx)| Datum::float(*dx)));
        let floats = |found: Datum| match found {
            Datum::Tuple(fields) => fields.iter().filter_map(Datum::as_float).collect(),
            _ => Vec::new(),
        };
        // The partials, and then the tangent of each.
        let tangents = match dual.call(&args)? {
            Datum::Tuple(mut all) => floats(Datum::Tuple(all.split_off(1))),
            found => {
                return Err(wrong(
                    self.entry,
                    "second derivative",
                    format!("it gives {found}"),
                ));
            }
        };
        for (i, &found) in tangents.iter().enumerate() {
            let f = |t: f64| {
                let mut moved = data.to_vec();
                for &(n, dx) in &directions {
                    moved[n] = Datum::float(data[n].as_float().unwrap_or(f64::NAN) + t * dx);
                }
                let partials = partials.call(&moved).map(floats);
                partials
                    .ok()
                    .and_then(|p| p.get(i).copied())
                    .unwrap_or(f64::NAN)
            };
            let estimate = derivative(f, f64::EPSILON);
            if compare(found, estimate, found.abs(), f64::EPSILON) == Verdict::Differs {
                let Estimate { value, error } = estimate;
                return Err(wrong(
                    self.entry,
                    "second derivative",
                    format!(
                        "at {data:?} the derivative of partial {i} along {directions:?} is {found:e}, differences of the partial say {value:e} ± {error:.0e}"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Interpreted and compiled: the same bits.
    fn both(
        &self,
        property: &'static str,
        what: &(Module, Compiled),
        data: &[Datum],
    ) -> Result<Datum> {
        let interpreted = interpret(&what.0, self.registry, data, FUEL)?;
        let compiled = what.1.call(data)?;
        // Datums compare by bits, which a NaN has several of.
        match interpreted == compiled || interpreted.to_string() == compiled.to_string() {
            true => Ok(compiled),
            false => Err(wrong(
                self.entry,
                property,
                format!("interpreted at {data:?} it gives {interpreted}, compiled {compiled}"),
            )),
        }
    }

    /// The native primal and the body agree.
    fn body(&self, data: &[Datum], y: &Datum) -> Result<()> {
        let (Some(body), Some(_)) = (&self.rule.body, self.rule.native) else {
            return Ok(());
        };
        let mut found = interpret(&Module::new(body.clone()), self.registry, data, FUEL)?;
        if let Datum::Tuple(fields) = &found
            && let [field] = &fields[..]
        {
            found = field.clone();
        }
        self.near("body", &format!("at {data:?} the body gives"), &found, y)
    }

    /// The native function for value and partials agrees with the primal and the partials.
    fn with_partials(&self, data: &[Datum], y: &Datum, partials: &[Datum]) -> Result<()> {
        let Some(native) = self.rule.with_partials else {
            return Ok(());
        };
        let args: Vec<f64> = data
            .iter()
            .map(|datum| match datum.scalar() {
                Ok(Const::Int(i)) => i as f64,
                _ => datum.as_float().unwrap_or(f64::NAN),
            })
            .collect();
        let (value, found) = call_with_partials(native, &self.entry.params, &args);
        let what = format!("at {data:?} the native function gives");
        self.near("with_partials", &what, &Datum::float(value), y)?;
        for (i, (found, partial)) in found.iter().zip(partials).enumerate() {
            if partial.as_float().is_some() {
                let what = format!("at {data:?} the native function gives, as partial {i},");
                self.near("with_partials", &what, &Datum::float(*found), partial)?;
            }
        }
        Ok(())
    }

    /// Forward mode along a direction: the sum of partials times tangents.
    fn dual(&self, data: &[Datum], y: &Datum, partials: &[Datum]) -> Result<()> {
        let mut args = data.to_vec();
        let (mut sum, mut size) = (0.0, 0.0);
        for (i, partial) in partials.iter().enumerate() {
            if let Some(partial) = partial.as_float() {
                let dx = [0.75, -1.5, 0.5][i % 3];
                args.push(Datum::float(dx));
                sum += partial * dx;
                size += (partial * dx).abs();
            }
        }
        let (value, dy) = match self.both("forward", &self.dual, &args)? {
            Datum::Tuple(found) if found.len() == 2 => (found[0].clone(), found[1].as_float()),
            found => return Err(wrong(self.entry, "forward", format!("it gives {found}"))),
        };
        self.near("forward", &format!("at {data:?} the dual gives"), &value, y)?;
        let near = |dy: f64| {
            let tolerance = 64.0 * epsilon(self.entry.ret) * size;
            near(dy, sum, tolerance) || dy.is_nan() && sum.is_nan()
        };
        match dy.is_some_and(near) {
            true => Ok(()),
            false => Err(wrong(
                self.entry,
                "forward",
                format!("at {data:?} the derivative is {dy:?}, the partials say {sum:e}"),
            )),
        }
    }

    /// Equal but for a few roundings.
    fn near(
        &self,
        property: &'static str,
        what: &str,
        found: &Datum,
        expected: &Datum,
    ) -> Result<()> {
        let (Some(a), Some(b)) = (found.as_float(), expected.as_float()) else {
            return Err(wrong(
                self.entry,
                property,
                format!("{what} {found}, expected {expected}"),
            ));
        };
        let epsilon = epsilon(self.entry.ret);
        let tolerance = 64.0 * epsilon * a.abs().max(b.abs()) + epsilon * epsilon;
        match near(a, b, tolerance) || a.is_nan() && b.is_nan() {
            true => Ok(()),
            false => Err(wrong(
                self.entry,
                property,
                format!("{what} {found}, expected {expected}"),
            )),
        }
    }

    /// Compares a partial with differences; says whether they settle.
    fn difference(&self, data: &[Datum], i: usize, partial: f64) -> Result<bool> {
        let Some(x) = data[i].as_float() else {
            return Ok(true);
        };
        let scale = x.abs().clamp(0.1, 1e6);
        let f = |t: f64| {
            let mut moved = data.to_vec();
            moved[i] = Datum::float(x + t * scale);
            let y = self.oracle.0.call(&moved).ok().and_then(|y| y.as_float());
            y.unwrap_or(f64::NAN)
        };
        let estimate = derivative(f, self.oracle.1);
        let found = partial * scale;
        match compare(found, estimate, found.abs(), epsilon(self.entry.ret)) {
            Verdict::Agrees => Ok(true),
            Verdict::Unknown => Ok(false),
            Verdict::Differs => {
                let Estimate { value, error } = estimate;
                Err(wrong(
                    self.entry,
                    "partials",
                    format!(
                        "at {data:?} partial {i} is {partial:e}, differences say {:e} ± {:.0e}",
                        value / scale,
                        error / scale
                    ),
                ))
            }
        }
    }
}

/// A rule over arrays at one case.
struct GeneralTest<'a> {
    entry: &'a Entry,
    case: &'a Case,
    primal: Compiled,
    /// The arguments that the pullback gives a cotangent for.
    active: Vec<usize>,
    pullback: Compiled,
    /// Values and tangents, from the arguments and the tangents of those that have one; `None` for a rule that forward mode cannot use.
    dual: Option<Compiled>,
    /// The same in f64.
    oracle: Option<(&'a Entry, Compiled)>,
}

/// One case of a rule over arrays, for the questions of `pack check`.
pub(super) struct CaseTest<'a> {
    ctx: &'a Context,
    entry: &'a Entry,
    case: &'a Case,
    test: GeneralTest<'a>,
}

impl<'a> CaseTest<'a> {
    /// Compiles the rule.
    pub(super) fn new(ctx: &'a Context, entry: &'a Entry, case: &'a Case) -> Result<Self> {
        let test = GeneralTest::new(ctx.registry(), entry, case, ContextKind::Default)?;
        Ok(CaseTest {
            ctx,
            entry,
            case,
            test,
        })
    }

    /// Results and cotangents on the CPU, as bits: to be compared with themselves.
    pub(super) fn bits(&self) -> Result<Vec<u64>> {
        self.test.bits()
    }

    /// What is wrong with the rule at this case.
    pub(super) fn wrong(&self, property: &'static str, message: String) -> Error {
        self.test.wrong(property, message)
    }

    /// The native function gives what the body says, if there are both.
    pub(super) fn body(&self) -> Result<()> {
        let (Some(body), true) = (body_of(self.entry), is_native(self.entry)) else {
            return Ok(());
        };
        let (mut b, args, _) = opened("body", self.entry, self.case, &[]);
        let y = b.inline_straight_line(body, &args);
        b.function.ret = self.entry.ret;
        b.ret(y);
        let module = Module::new(b.finish());
        verified(&module, self.ctx.registry())?;
        let body = compile(&module, self.ctx.registry())?;
        let (start, cpu) = (self.test.start(), Device::cpu());
        let expected = self.test.value(self.entry, &body, &start, &cpu)?;
        let found = self
            .test
            .value(self.entry, &self.test.primal, &start, &cpu)?;
        self.test.same(&found, &expected).map_err(|_| {
            let message = format!("the native function gives {found:?}, the body {expected:?}");
            self.wrong("body", message)
        })
    }

    /// What a minimal context derives from the body agrees with the pullback.
    pub(super) fn minimal(&self) -> Result<()> {
        if body_of(self.entry).is_none() || self.entry.context != ContextKind::Default {
            return Ok(());
        }
        let registry = self.ctx.registry();
        let kind = ContextKind::Minimal;
        GeneralTest::new(registry, self.entry, self.case, kind)?.run_forward(&Device::cpu())
    }
}

/// The body of a rule over arrays.
fn body_of(entry: &Entry) -> Option<&Function> {
    match &entry.kind {
        EntryKind::Scalar(_) => None,
        EntryKind::Array(rule) => rule.body.as_ref(),
        EntryKind::Native(rule) => rule.body.as_ref(),
    }
}

/// Whether a rule over arrays is machine code.
pub(super) fn is_native(entry: &Entry) -> bool {
    match &entry.kind {
        EntryKind::Scalar(_) => false,
        EntryKind::Array(rule) => rule.native.is_some(),
        EntryKind::Native(_) => true,
    }
}

/// Whether a rule has neither tangents nor a body that they are derived from: forward mode refuses it.
pub(super) fn is_reverse_only(entry: &Entry) -> bool {
    match &entry.kind {
        EntryKind::Scalar(_) => false,
        EntryKind::Array(rule) => rule.tangent.is_empty() && rule.body.is_none(),
        EntryKind::Native(rule) => rule.frule.is_none(),
    }
}

/// A float or an array of floats, on the host.
#[derive(Clone, Debug)]
struct Host {
    shape: Vec<usize>,
    data: Vec<f64>,
}

impl<'a> GeneralTest<'a> {
    /// The derivative that forward mode is asked for is that of a context of this kind.
    fn new(
        registry: &'a Arc<Registry>,
        entry: &'a Entry,
        case: &'a Case,
        kind: ContextKind,
    ) -> Result<Self> {
        let compiled = |module: Module| -> Result<Compiled> {
            verified(&module, registry)?;
            compile(&module, registry)
        };
        let caller = primal(entry, case);
        let rule = entry.context <= ContextKind::Default;
        let (pullback, active) = match &entry.kind {
            EntryKind::Array(general) if rule => pullback(entry, general, case),
            _ if rule => (derived(&caller, registry)?, smooth_arguments(entry)),
            _ => {
                let normal = normalised(&caller, registry, kind)?;
                (derived(&normal, registry)?, smooth_arguments(entry))
            }
        };
        let dual = match (&entry.kind, kind) {
            (_, ContextKind::Default) if is_reverse_only(entry) => None,
            (_, ContextKind::Default) if rule => Some(dual(&caller, registry, kind)?),
            _ => Some(dual(&normalised(&caller, registry, kind)?, registry, kind)?),
        };
        let dual = match dual {
            Some(dual) => Some(compiled(dual)?),
            None => None,
        };
        let double = registry.find(entry.name, &doubled(&entry.params));
        let oracle = match double {
            Some(double) => Some((&**double, compiled(primal(double, case))?)),
            None => None,
        };
        Ok(GeneralTest {
            entry,
            case,
            primal: compiled(caller)?,
            active,
            pullback: compiled(pullback)?,
            dual,
            oracle,
        })
    }

    /// The floats of the case.
    fn start(&self) -> Vec<Host> {
        let floats = self.case.arguments.iter().filter_map(|given| match given {
            Given::Float(x) => Some(Host {
                shape: vec![],
                data: vec![*x],
            }),
            Given::Array(shape, data) => Some(Host {
                shape: shape.clone(),
                data: data.clone(),
            }),
            Given::Int(_) | Given::Indices(..) | Given::Shape(_) => None,
        });
        floats.collect()
    }

    fn run(&self, device: &Device) -> Result<()> {
        let start = self.start();
        let values = self.value(self.entry, &self.primal, &start, device)?;
        let cpu = Device::cpu();
        let (oracle, program) = match &self.oracle {
            Some((entry, program)) => (*entry, program),
            None => (self.entry, &self.primal),
        };
        let expected = self.value(oracle, program, &start, &cpu)?;
        self.same(&values, &expected)?;
        let mut random = Random::new(3);
        let cotangents = self.cotangents(values, &mut random);
        let gradient = self.gradient(&start, &cotangents, device)?;
        for _ in 0..4 {
            let direction: Vec<Vec<f64>> = start
                .iter()
                .map(|host| {
                    host.data
                        .iter()
                        .map(|x| random.signed() * x.abs().max(0.1))
                        .collect()
                })
                .collect();
            let f = |t: f64| {
                let mut moved = start.clone();
                for (host, direction) in moved.iter_mut().zip(&direction) {
                    host.data
                        .iter_mut()
                        .zip(direction)
                        .for_each(|(x, d)| *x += t * d);
                }
                let values = self.value(oracle, program, &moved, &cpu);
                values.map_or(f64::NAN, |values| {
                    let smooth = smooth(oracle.ret, values);
                    products(&smooth, &cotangents).iter().sum()
                })
            };
            let estimate = derivative(f, precision(oracle));
            let terms = gradient.iter().flat_map(|host| &host.data);
            let products = terms.zip(direction.iter().flatten()).map(|(g, d)| g * d);
            let (found, scale) = products.fold((0.0, 0.0), |(s, a), t| (s + t, a + t.abs()));
            if compare(found, estimate, scale, precision(self.entry)) == Verdict::Differs {
                let Estimate { value, error } = estimate;
                return Err(self.wrong(
                    "pullback",
                    format!("the derivative along a random direction is {found:e}, differences say {value:e} ± {error:.0e}"),
                ));
            }
        }
        self.forward(&start, &cotangents, &gradient, &mut random, device)
    }

    /// Whether forward mode says what the pullback does.
    fn run_forward(&self, device: &Device) -> Result<()> {
        let (start, mut random) = (self.start(), Random::new(3));
        let values = self.value(self.entry, &self.primal, &start, device)?;
        let cotangents = self.cotangents(values, &mut random);
        let gradient = self.gradient(&start, &cotangents, device)?;
        self.forward(&start, &cotangents, &gradient, &mut random, device)
    }

    /// Random cotangents for the results that have one.
    fn cotangents(&self, values: Vec<Host>, random: &mut Random) -> Vec<Host> {
        let mut cotangents = smooth(self.entry.ret, values);
        for c in cotangents.iter_mut().flat_map(|host| &mut host.data) {
            *c = random.signed();
        }
        cotangents
    }

    /// Results and cotangents on the CPU, as bits.
    fn bits(&self) -> Result<Vec<u64>> {
        let (start, cpu) = (self.start(), Device::cpu());
        let values = self.value(self.entry, &self.primal, &start, &cpu)?;
        let cotangents = self.cotangents(values.clone(), &mut Random::new(3));
        let gradient = self.gradient(&start, &cotangents, &cpu)?;
        let all = values.iter().chain(&gradient);
        Ok(all
            .flat_map(|host| {
                let shape = host.shape.iter().map(|&extent| extent as u64);
                shape.chain(host.data.iter().map(|x| x.to_bits()))
            })
            .collect())
    }

    fn wrong(&self, property: &'static str, message: String) -> Error {
        wrong(
            self.entry,
            property,
            format!("{message}, for {:?}", self.case.arguments),
        )
    }

    /// The values on the device are those on the CPU in f64 but for rounding.
    fn same(&self, found: &[Host], expected: &[Host]) -> Result<()> {
        let tolerance = 256.0 * precision(self.entry);
        let near = |(&a, &b): (&f64, &f64)| near(a, b, tolerance * b.abs().max(1.0));
        let same =
            |(a, b): (&Host, &Host)| a.shape == b.shape && a.data.iter().zip(&b.data).all(near);
        match found.len() == expected.len() && found.iter().zip(expected).all(same) {
            true => Ok(()),
            false => Err(self.wrong("value", format!("found {found:?}, expected {expected:?}"))),
        }
    }

    /// The function's results.
    fn value(
        &self,
        entry: &Entry,
        program: &Compiled,
        start: &[Host],
        device: &Device,
    ) -> Result<Vec<Host>> {
        let host = ArrayHost::new();
        let args = self.data(entry, start, &host, device)?;
        let fields = match (program.call_on(&host, &args)?, entry.ret) {
            (Datum::Tuple(fields), Type::Tuple(_)) => fields,
            (one, _) => vec![one],
        };
        let read = |(y, ty): (&Datum, Type)| match read(y, ty, &host)? {
            Some(y) => Ok(y),
            None => Err(self.wrong("value", "a result is the absent array".to_owned())),
        };
        fields.iter().zip(leaves(entry.ret)).map(read).collect()
    }

    /// For each float argument its cotangent; zeros where there is none.
    fn gradient(&self, start: &[Host], cotangents: &[Host], device: &Device) -> Result<Vec<Host>> {
        let host = ArrayHost::new();
        let mut args = self.data(self.entry, start, &host, device)?;
        for (cotangent, ty) in cotangents.iter().zip(smooth_types(self.entry.ret)) {
            args.push(give(cotangent, ty, &host, device)?);
        }
        let found = match self.pullback.call_on(&host, &args)? {
            Datum::Tuple(found) => found,
            _ => Vec::new(),
        };
        let mut found = self.active.iter().zip(found).peekable();
        let mut gradient = Vec::new();
        let is_float = |ty: &Type| scalar_of(*ty).is_float();
        let params = self
            .entry
            .params
            .iter()
            .enumerate()
            .filter(|(_, ty)| is_float(ty));
        for ((i, &ty), start) in params.zip(start) {
            let own = found.next_if(|(active, _)| **active == i);
            let own = own
                .map(|(_, datum)| read(&datum, ty, &host))
                .transpose()?
                .flatten();
            let zeros = Host {
                shape: start.shape.clone(),
                data: vec![0.0; start.data.len()],
            };
            let own = own.unwrap_or(zeros);
            if own.shape != start.shape {
                let message = format!(
                    "the cotangent of argument {i} has the shape {:?}, the argument {:?}",
                    own.shape, start.shape
                );
                return Err(self.wrong("shape", message));
            }
            gradient.push(own);
        }
        Ok(gradient)
    }

    /// ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ for a random ẋ.
    fn forward(
        &self,
        start: &[Host],
        cotangents: &[Host],
        gradient: &[Host],
        random: &mut Random,
        device: &Device,
    ) -> Result<()> {
        let mut direction = start.to_vec();
        for x in direction.iter_mut().flat_map(|host| &mut host.data) {
            // Of f32, so that it is the same for every entry.
            *x = f64::from(random.signed() as f32);
        }
        let host = ArrayHost::new();
        let mut args = self.data(self.entry, start, &host, device)?;
        let types = self.entry.params.iter().filter(|ty| has_tangent(**ty));
        for (direction, &ty) in direction.iter().zip(types) {
            args.push(give(direction, ty, &host, device)?);
        }
        let Some(dual) = &self.dual else {
            return Ok(());
        };
        let found = match dual.call_on(&host, &args)? {
            Datum::Tuple(found) if found.len() == 1 + cotangents.len() => found,
            _ => {
                return Err(self.wrong(
                    "tangent",
                    "the number of tangents is not that of the floats of the result".to_owned(),
                ));
            }
        };
        let mut tangents = Vec::new();
        let types = smooth_types(self.entry.ret);
        for ((dy, ty), cotangent) in found[1..].iter().zip(types).zip(cotangents) {
            let dy = read(dy, ty, &host)?;
            let dy = dy.ok_or_else(|| {
                self.wrong("tangent", "a float of the result has no tangent".to_owned())
            })?;
            if dy.shape != cotangent.shape {
                let message = format!("of shape {:?}, expected {:?}", dy.shape, cotangent.shape);
                return Err(self.wrong("tangent", message));
            }
            tangents.push(dy);
        }
        let sides = [
            products(&tangents, cotangents),
            products(gradient, &direction),
        ];
        let [found, expected] = [0, 1].map(|i| sides[i].iter().sum::<f64>());
        let size: f64 = sides.iter().flatten().map(|t| t.abs()).sum();
        let tolerance = 256.0 * precision(self.entry) * size;
        match near(found, expected, tolerance) {
            true => Ok(()),
            false => Err(self.wrong(
                "tangent",
                format!("the derivative along a random direction is {found:e}, the pullback says {expected:e}"),
            )),
        }
    }

    /// The arguments that are not constants of the functions: floats, arrays, indices.
    fn data(
        &self,
        entry: &Entry,
        start: &[Host],
        host: &ArrayHost,
        device: &Device,
    ) -> Result<Vec<Datum>> {
        let mut start = start.iter();
        let mut args = Vec::new();
        for (given, &ty) in self.case.arguments.iter().zip(&entry.params) {
            match given {
                Given::Float(_) | Given::Array(..) => {
                    let floats = start
                        .next()
                        .ok_or_else(|| self.wrong("case", "floats are missing".to_owned()))?;
                    args.push(give(floats, ty, host, device)?);
                }
                Given::Indices(shape, data) => {
                    let array = Array::from_vec_on(device, data.clone(), &shape[..]);
                    args.push(Datum::Array(host.give(&array)?));
                }
                Given::Int(_) | Given::Shape(_) => {}
            }
        }
        Ok(args)
    }
}

fn scalar_of(ty: Type) -> Type {
    ty.element().unwrap_or(ty)
}

/// The results that have derivatives.
fn smooth(ret: Type, values: Vec<Host>) -> Vec<Host> {
    let values = values.into_iter().zip(leaves(ret));
    let smooth = values.filter(|(_, ty)| has_tangent(*ty));
    smooth.map(|(host, _)| host).collect()
}

/// Their types.
fn smooth_types(ret: Type) -> impl Iterator<Item = Type> {
    leaves(ret).into_iter().filter(|&ty| has_tangent(ty))
}

/// The products of numbers that correspond.
fn products(a: &[Host], b: &[Host]) -> Vec<f64> {
    let pairs = a
        .iter()
        .zip(b)
        .flat_map(|(a, b)| a.data.iter().zip(&b.data));
    pairs.map(|(a, b)| a * b).collect()
}

/// Hands floats to a call, as a scalar or as an array of a type.
fn give(floats: &Host, ty: Type, host: &ArrayHost, device: &Device) -> Result<Datum> {
    fn array<T: Element>(
        data: Vec<T>,
        floats: &Host,
        host: &ArrayHost,
        device: &Device,
    ) -> Result<Datum> {
        let array = Array::from_vec_on(device, data, &floats.shape[..]);
        host.give(&array).map(Datum::Array)
    }
    match ty {
        Type::Array(Type::F32) => array(
            floats.data.iter().map(|&x| x as f32).collect(),
            floats,
            host,
            device,
        ),
        Type::Array(_) => array(floats.data.clone(), floats, host, device),
        Type::F32 => Ok(Datum::float((floats.data[0] as f32).into())),
        _ => Ok(Datum::float(floats.data[0])),
    }
}

/// What a call gave; `None` for the absent array.
fn read(datum: &Datum, ty: Type, host: &ArrayHost) -> Result<Option<Host>> {
    fn array<T: Element + Into<f64>>(handle: u64, host: &ArrayHost) -> Result<Option<Host>> {
        let Some(array) = host.take::<T>(handle)? else {
            return Ok(None);
        };
        let data = array.to_vec()?.into_iter().map(Into::into).collect();
        Ok(Some(Host {
            shape: array.shape().to_vec(),
            data,
        }))
    }
    match (datum, ty) {
        (Datum::Array(handle), Type::Array(Type::F32)) => array::<f32>(*handle, host),
        (Datum::Array(handle), Type::Array(Type::I32)) => array::<i32>(*handle, host),
        (Datum::Array(handle), Type::Array(Type::U32)) => array::<u32>(*handle, host),
        (Datum::Array(handle), _) => array::<f64>(*handle, host),
        (datum, _) => {
            let x = datum.as_float().or_else(|| match datum.scalar() {
                Ok(Const::Int(i)) => Some(i as f64),
                Ok(Const::Bool(b)) => Some(b.into()),
                _ => None,
            });
            Ok(x.map(|x| Host {
                shape: vec![],
                data: vec![x],
            }))
        }
    }
}

/// A function of the case's floats, arrays and indices; its integers and shapes are constants.
fn opened(
    name: &str,
    entry: &Entry,
    case: &Case,
    extra: &[Type],
) -> (Builder, Vec<Value>, Vec<Value>) {
    let is_param = |given: &Given| !matches!(given, Given::Int(_) | Given::Shape(_));
    let given = || case.arguments.iter().zip(&entry.params);
    let mut types: Vec<Type> = given()
        .filter(|(g, _)| is_param(g))
        .map(|(_, &ty)| ty)
        .collect();
    types.extend(extra);
    let mut b = Builder::new(Function::new(Symbol::new(name), &types, Type::UNIT));
    let params = b.function.params().to_vec();
    let (own, extra) = params.split_at(params.len() - extra.len());
    let mut own = own.iter();
    let mut args = Vec::new();
    for (given, &ty) in given() {
        args.push(match given {
            Given::Int(i) if ty == Type::Bool => b.bool(*i != 0),
            Given::Int(i) => b.int(*i, ty),
            Given::Shape(dims) => {
                let dims: Vec<Value> = dims.iter().map(|&n| b.int(n as i64, Type::Usize)).collect();
                b.prim_to(Prim::Tuple, &dims, ty)
            }
            _ => own.next().copied().unwrap_or(params[0]),
        });
    }
    let extra = extra.to_vec();
    (b, args, extra)
}

fn primal(entry: &Entry, case: &Case) -> Module {
    let (mut b, args, _) = opened("primal", entry, case, &[]);
    let y = b.call(entry.name, &args, entry.ret);
    b.function.ret = entry.ret;
    b.ret(y);
    Module::new(b.finish())
}

/// The pullback of a module's root as it is derived: from the arguments and the seeds to the cotangents.
fn derived(module: &Module, registry: &Registry) -> Result<Module> {
    let types = module.root().param_types();
    let active: Vec<bool> = types.iter().map(|&ty| has_tangent(ty)).collect();
    let mode = Mode::Combined;
    let request = Request { active, mode };
    let mut gradient = reverse(module, registry, ContextKind::Default, &request)?;
    // The root gives its results too, before the cotangents.
    let root = gradient.root();
    let mut b = Builder::new(Function::new(
        Symbol::new("pullback"),
        &root.param_types(),
        Type::UNIT,
    ));
    let (name, ret) = (root.name, root.ret);
    let params = b.function.params().to_vec();
    let all = b.call(name, &params, ret);
    let count = match ret {
        Type::Tuple(fields) => fields.len() as u32,
        _ => 0,
    };
    let cotangents: Vec<Value> = (1..count).map(|n| b.prim(Prim::Field(n), &[all])).collect();
    let result = b.prim(Prim::Tuple, &cotangents);
    b.function.ret = b.function.ty(result);
    b.ret(result);
    let wrapper = b.finish();
    gradient.root = wrapper.name;
    gradient.insert(wrapper);
    Ok(gradient)
}

/// The arguments of an entry that have cotangents.
fn smooth_arguments(entry: &Entry) -> Vec<usize> {
    let params = entry.params.iter().enumerate();
    let smooth = params.filter(|(_, ty)| has_tangent(**ty));
    smooth.map(|(n, _)| n).collect()
}

/// The tuple of the cotangents that there are, and which arguments they belong to.
fn pullback(entry: &Entry, rule: &ArrayRule, case: &Case) -> (Module, Vec<usize>) {
    let seeds: Vec<Type> = smooth_types(entry.ret).collect();
    let (mut b, mut args, extra) = opened("pullback", entry, case, &seeds);
    let y = b.call(entry.name, &args, entry.ret);
    match entry.ret {
        Type::Tuple(fields) => {
            args.extend({ 0..fields.len() as u32 }.map(|n| b.prim(Prim::Field(n), &[y])));
        }
        _ => args.push(y),
    }
    args.extend(extra);
    let all = b.inline_straight_line(&rule.pullback, &args);
    let Type::Tuple(fields) = b.function.ty(all) else {
        return (Module::new(b.finish()), Vec::new());
    };
    let active: Vec<usize> = (0..fields.len())
        .filter(|&i| fields[i] != Type::UNIT)
        .collect();
    let found: Vec<Value> = active
        .iter()
        .map(|&i| b.prim(Prim::Field(i as u32), &[all]))
        .collect();
    let result = b.prim(Prim::Tuple, &found);
    b.function.ret = b.function.ty(result);
    b.ret(result);
    (Module::new(b.finish()), active)
}

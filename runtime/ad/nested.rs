//! Derivatives that programs ask for themselves.
//!
//! A module in normal form declares them ([`Derivative`]); [`define`] makes them functions of the module, by the two transforms. From then on
//! they are functions like all others: called for their value, and differentiated in forward mode by what is in them.
//!
//! In reverse mode the body of a gradient is not looked at. With ϕ(p, s̄) = s̄·f(p), a gradient is p, s̄ ↦ ∇ϕ = (s̄·∇f(p), f(p)): its Jacobian is
//! a Hessian, which is symmetric. So its pullback, the transposed Jacobian times cotangents, is its derivative along these cotangents (Pearlmutter, "Fast exact
//! multiplication by the Hessian", 1994), where the cotangent of `f(p)` stands for the tangent of `s̄` and the other way round. The parameters for which
//! the pullback is wanted may be others than those of the gradient: the Hessian's rows belong to the former, its columns to the latter. So `halves` takes the gradient with
//! respect to the former, and forward mode along the latter.

use super::reverse::{Halves, reverse};
use super::rule::{self, RuleLookup};
use super::{Mode, Request, forward, positions};
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::ir::build::{Builder, clean};
use crate::ir::{
    Callee, Derivative, DerivativeKind, Function, Module, Op, Prim, Symbol, Type, Value,
};
use crate::normalise::{inline_entries, inline_into, inline_small};
use crate::registry::{ContextKind, Registry};
use crate::tangent::{self, Home, Sharing};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Makes the derivative of a function of the module, under a name that the module declares.
pub fn define(
    module: &mut Module,
    registry: &Registry,
    kind: ContextKind,
    name: Symbol,
    derivative: &Derivative,
) -> Result<()> {
    let inner = Module {
        root: derivative.of,
        ..module.clone()
    };
    let function = match derivative.kind {
        DerivativeKind::Gradient => {
            let sharing = Sharing::new(&inner);
            let root = inner.root();
            let types = root.param_types();
            let taken = sharing.active(root, &derivative.active);
            let request = Request {
                active: derivative.active.clone(),
                mode: Mode::Combined,
            };
            let ret = root.ret;
            let mut made = reverse(&inner, registry, kind, &request)?;
            inline_entries(&mut made, registry, kind);
            let made = adopt(&mut module.functions, made, name);
            gradient(name, derivative, &types, ret, &taken, made)
        }
        DerivativeKind::Tangent => {
            let mut made = forward(&inner, registry, kind, &derivative.active, 1)?;
            let new = |name: &Symbol| !inner.functions.contains_key(name);
            without_partials(&mut made, registry, kind, &new);
            let made = adopt(&mut module.functions, made, name);
            // It may call itself by that name.
            let mut function = module.functions[&made].clone();
            function.name = name;
            function.derivative = Some(derivative.clone());
            function
        }
    };
    module.declared.remove(&name);
    module.insert(function);
    Ok(())
}

/// Replaces calls of functions that give partial derivatives along with the value by what rules say of them, in some of the functions: what is derived
/// once more has to see what they are.
fn without_partials(
    module: &mut Module,
    registry: &Registry,
    kind: ContextKind,
    of: &dyn Fn(&Symbol) -> bool,
) {
    let both = |callee: Callee, types: &[Type]| {
        let Callee::WithPartials(plain) = callee else {
            return None;
        };
        let entry = registry.rule(plain, types, kind)?;
        let partials = &rule::scalar(entry)?.partials;
        let ret = Type::tuple(&vec![entry.ret; types.len() + 1]);
        let mut b = Builder::new(Function::new(callee.symbol(), types, ret));
        let args = b.function.params().to_vec();
        let y = b.call(plain, &args, entry.ret);
        let values = args.iter().copied().chain([y]);
        let mut copies = partials.params().iter().copied().zip(values).collect();
        let mut all = vec![y];
        for n in 0..types.len() {
            all.push(rule::inline_output(&mut b, partials, n, &mut copies)?);
        }
        let all = b.prim(Prim::Tuple, &all);
        b.ret(all);
        Some(b.finish())
    };
    for function in module.functions.values_mut().filter(|f| of(&f.name)) {
        inline_into(function, &both);
        clean(function);
    }
}

/// `f.vjp(p…, shadows…, seed) -> (y, r…)`, which calls what reverse mode has made. That may take shadows of more slices, whose cotangents nobody asks for.
fn gradient(
    name: Symbol,
    derivative: &Derivative,
    types: &[Type],
    ret: Type,
    taken: &[bool],
    made: Symbol,
) -> Function {
    let asked = tangent::asked_shadows(types, &derivative.active);
    let mut params = types.to_vec();
    params.extend(tangent::shadows(types, &asked));
    params.push(ret);
    let ret = tangent::gradient_result(ret, types, &derivative.active);
    let mut b = Builder::new(Function::new(name, &params, ret));
    let params = b.function.params().to_vec();
    let (given, rest) = params.split_at(types.len());
    let mut rest = rest.iter().copied();
    let mut args = given.to_vec();
    for (n, &ty) in types.iter().enumerate() {
        let shadow = match asked[n] {
            true => rest.next(),
            false if tangent::home(ty) == Home::Fdata && taken[n] => {
                Some(b.zeros_like(given[n], tangent::tangent(ty)))
            }
            false => None,
        };
        args.extend(shadow.filter(|_| taken[n]));
    }
    args.extend(rest);
    let result = b.call(made, &args, ret);
    b.ret(result);
    let mut function = b.finish();
    function.derivative = Some(derivative.clone());
    function
}

/// The halves of a gradient in reverse mode: the forward half calls it, the pullback is its derivative along the cotangents.
pub(super) fn halves(
    lookup: RuleLookup,
    functions: &mut BTreeMap<Symbol, Function>,
    name: Symbol,
    callee: &Halves,
) -> Result<()> {
    let function = &lookup.module.functions[&name];
    let Some(derivative) = &function.derivative else {
        return Err(Error::Internal(format!("{name} is no derivative")));
    };
    let types = lookup.module.functions[&derivative.of].param_types();
    let pullback = Pullback {
        lookup,
        function,
        derivative,
        callee,
        parts: all_parts(&types, derivative),
        types,
    };
    let pullback = pullback.build(functions)?;
    functions.insert(pullback.name, pullback);
    let forward = forward_half(function, callee);
    functions.insert(forward.name, forward);
    Ok(())
}

/// `forward(p…)`, or `forward(p…, shadows…)`: the gradient itself.
fn forward_half(function: &Function, callee: &Halves) -> Function {
    let types = function.param_types();
    let mut params = types.clone();
    if callee.takes_shadows {
        params.extend(tangent::shadows(&types, &callee.active));
    }
    let mut b = Builder::new(Function::new(
        callee.forward.symbol(),
        &params,
        function.ret,
    ));
    let args = b.function.params()[..types.len()].to_vec();
    let result = b.call(function.name, &args, function.ret);
    b.ret(result);
    b.finish()
}

/// What the dual of a function is the derivative of, if the function is a gradient.
pub(super) fn dual_of(function: &Function, active: &[bool]) -> Option<Derivative> {
    let mut derivative = function.derivative.clone()?;
    derivative.along.push(active.to_vec());
    (derivative.kind == DerivativeKind::Gradient).then_some(derivative)
}

/// What a parameter of a gradient is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GradientParam {
    /// The n-th parameter of the function.
    Argument(usize),
    /// The shadow of the n-th.
    Shadow(usize),
    /// The cotangent of the value.
    Seed,
}

/// The forward passes of which something is a tangent: bit n is set for the n-th pass. No bit is set for values.
type Passes = usize;

/// A parameter of a gradient that has been differentiated: a part, or a tangent of one, or a tangent of a tangent.
type Parameter = (Passes, GradientParam);

/// The parameters of a gradient with respect to the active ones of a function's parameters.
fn parts(types: &[Type], active: &[bool]) -> Vec<Parameter> {
    let asked = tangent::asked_shadows(types, active);
    let given = (0..types.len()).map(GradientParam::Argument);
    let shadows = (0..types.len())
        .filter(|&n| asked[n])
        .map(GradientParam::Shadow);
    let all = given.chain(shadows).chain([GradientParam::Seed]);
    all.map(|part| (0, part)).collect()
}

/// The parameters of the dual of a function with these parameters, of which some have tangents.
fn with_tangents(parts: &[Parameter], moving: &[bool], pass: usize) -> Vec<Parameter> {
    let moving = parts.iter().zip(moving).filter(|(_, moves)| **moves);
    let tangents = moving.map(|(&(passes, part), _)| (passes | 1 << pass, part));
    parts.iter().copied().chain(tangents).collect()
}

/// The parameters of a gradient that has been differentiated along these of its parameters, one time after the other.
fn all_parts(types: &[Type], derivative: &Derivative) -> Vec<Parameter> {
    let mut all = parts(types, &derivative.active);
    for (pass, moving) in derivative.along.iter().enumerate() {
        all = with_tangents(&all, moving, pass);
    }
    all
}

/// The parameters whose cotangents a gradient with respect to these returns.
fn returned(types: &[Type], active: &[bool]) -> Vec<usize> {
    { 0..types.len() }
        .filter(|&n| active[n] && tangent::home(types[n]) == Home::Rdata)
        .collect()
}

/// Where it is among the leaves of all results, of which there are `1 + returned.len()` for each set of passes: the cotangent of a parameter, or the value.
fn place_of_result(passes: Passes, part: GradientParam, returned: &[usize]) -> Option<usize> {
    let first = passes * (1 + returned.len());
    match part {
        GradientParam::Argument(n) => {
            let at = returned.iter().position(|&other| other == n)?;
            Some(first + 1 + at)
        }
        GradientParam::Seed => Some(first),
        GradientParam::Shadow(_) => None,
    }
}

/// To the memory of which of its parameters a derivative writes: shadows alone, since a function whose derivative is taken changes nothing. `None` of other functions.
pub(super) fn written(module: &Module, function: &Function) -> Option<Vec<bool>> {
    let derivative = function.derivative.as_ref()?;
    Some(match derivative.kind {
        DerivativeKind::Gradient => {
            let types = module.functions.get(&derivative.of)?.param_types();
            let all = all_parts(&types, derivative).into_iter();
            all.map(|(_, part)| matches!(part, GradientParam::Shadow(_)))
                .collect()
        }
        DerivativeKind::Tangent => vec![false; function.params().len()],
    })
}

/// What makes the pullback of a gradient, or of one that forward mode has differentiated k times.
///
/// Its arguments and results are then numbers with k nilpotent parts: z = Σ zˢ εˢ over the sets s of passes, and w = ∇ϕ(z). With the cotangents w̄ˢ let ŵ be
/// Σ w̄ˢ times the ε of the passes that are not in s. As the pairing of w̄ and w is the coefficient of all ε in ⟨ŵ, ∇ϕ(z)⟩, the cotangent of zˢ is that part
/// of ∇²ϕ(z)·ŵ which belongs to the passes not in s: one more derivative, along ŵ.
struct Pullback<'a> {
    lookup: RuleLookup<'a>,
    /// The gradient.
    function: &'a Function,
    derivative: &'a Derivative,
    callee: &'a Halves,
    /// The types of the parameters of the function that is differentiated.
    types: Vec<Type>,
    /// What the gradient's parameters are.
    parts: Vec<Parameter>,
}

/// What the pullback is given.
struct PullbackArguments {
    /// The gradient's arguments.
    values: Vec<Value>,
    /// For each of them its shadow, if it has one.
    shadows: Vec<Option<Value>>,
    /// The cotangents of the results' leaves.
    cotangents: Vec<Value>,
}

impl Pullback<'_> {
    fn build(&self, functions: &mut BTreeMap<Symbol, Function>) -> Result<Function> {
        let (types, active) = (self.function.param_types(), &self.callee.active);
        let mut params = types.clone();
        params.extend(tangent::shadows(&types, active));
        params.extend(tangent::seeds(self.function.ret));
        let ret = Type::tuple(&tangent::cotangents(&types, active));
        let mut b = Builder::new(Function::new(self.callee.pullback.symbol(), &params, ret));
        let mut params = b.function.params().to_vec().into_iter();
        let values = params.by_ref().take(types.len()).collect();
        let has_shadow = |n: usize| active[n] && tangent::home(types[n]) == Home::Fdata;
        let given = PullbackArguments {
            values,
            shadows: { 0..types.len() }
                .map(|n| has_shadow(n).then(|| params.next()).flatten())
                .collect(),
            cotangents: params.collect(),
        };
        let wanted = self.wanted();
        let (all, along) = self.called(&given, &wanted);
        let mut args = Vec::new();
        for parameter in all {
            args.push(self.argument(&mut b, &given, parameter)?);
        }
        let (dual, result) = self.dual(functions, &wanted, &along)?;
        let results = b.call(dual, &args, result);
        let leaves = b.leaves(results);
        let made = returned(&self.types, &wanted);
        let mut found = Vec::new();
        for n in returned(&types, active) {
            let (passes, part) = self.parts[n];
            let others = self.others(passes) | self.last();
            let at = place_of_result(others, part, &made);
            found.extend(at.and_then(|at| leaves.get(at)));
        }
        let result = b.prim_to(Prim::Tuple, &found, ret);
        b.ret(result);
        Ok(b.finish())
    }

    /// The pass that is added.
    fn last(&self) -> Passes {
        1 << self.derivative.along.len()
    }
    /// The passes that are not among these, without the last one.
    fn others(&self, passes: Passes) -> Passes {
        (self.last() - 1) & !passes
    }
    fn place(&self, parameter: Parameter) -> Option<usize> {
        self.parts.iter().position(|&part| part == parameter)
    }
    /// The parameters of the function with respect to which the pullback takes the gradient: those of which a value or a tangent has a cotangent.
    fn wanted(&self) -> Vec<bool> {
        let mut wanted = vec![false; self.types.len()];
        for ((_, part), &active) in self.parts.iter().zip(&self.callee.active) {
            if let GradientParam::Argument(n) = *part {
                wanted[n] |= active;
            }
        }
        wanted
    }
    /// ŵ: the tangent, in the last pass, of what is a tangent of these passes.
    fn direction(
        &self,
        given: &PullbackArguments,
        passes: Passes,
        part: GradientParam,
    ) -> Option<Value> {
        let others = self.others(passes);
        match part {
            GradientParam::Argument(n) if tangent::home(self.types[n]) == Home::Fdata => {
                given.shadows[self.place((others, GradientParam::Shadow(n)))?]
            }
            _ => {
                let returned = returned(&self.types, &self.derivative.active);
                let at = place_of_result(others, part, &returned)?;
                given.cotangents.get(at).copied()
            }
        }
    }
    /// The parameters of the function that the pullback calls; and for each pass, the last included, which of the parameters before have tangents.
    fn called(
        &self,
        given: &PullbackArguments,
        wanted: &[bool],
    ) -> (Vec<Parameter>, Vec<Vec<bool>>) {
        let mut all = parts(&self.types, wanted);
        let mut along = Vec::new();
        for pass in 0..=self.derivative.along.len() {
            let moves = |&(passes, part): &Parameter| match part {
                GradientParam::Seed | GradientParam::Shadow(_) => true,
                GradientParam::Argument(_) if 1 << pass == self.last() => {
                    self.direction(given, passes, part).is_some()
                }
                GradientParam::Argument(n) if self.derivative.active[n] => true,
                GradientParam::Argument(_) => self.place((passes | 1 << pass, part)).is_some(),
            };
            let moving: Vec<bool> = all.iter().map(moves).collect();
            all = with_tangents(&all, &moving, pass);
            along.push(moving);
        }
        (all, along)
    }
    /// What the pullback passes for such a parameter.
    fn argument(
        &self,
        b: &mut Builder,
        given: &PullbackArguments,
        parameter: Parameter,
    ) -> Result<Value> {
        let (passes, part) = parameter;
        let before = (passes & !self.last(), part);
        let own = |parameter| self.place(parameter).map(|at| given.values[at]);
        // The gradient is called a second time here. The first call has left the cotangent of the initial contents in the shadow of a vector. If the function
        // changes the vector, the second call would take that for the cotangent of the final contents, so it gets zeros instead.
        let own_shadow = |n: usize| match self.types[n] {
            Type::SliceMut(_) => None,
            _ => own(before),
        };
        let found = match part {
            // Where the gradient along ŵ is added to: the shadows of what is a tangent of the other passes. Nobody looks at what is added elsewhere.
            GradientParam::Shadow(n) if before != parameter => {
                let at = self.place((self.others(before.0), GradientParam::Argument(n)));
                at.and_then(|at| given.shadows[at])
                    .or_else(|| own_shadow(n))
            }
            GradientParam::Shadow(n) => own_shadow(n),
            _ if before == parameter => own(parameter),
            _ => self.direction(given, before.0, part),
        };
        let ty = match part {
            GradientParam::Argument(n) => self.types[n],
            GradientParam::Shadow(n) => tangent::tangent(self.types[n]),
            GradientParam::Seed => self.lookup.module.functions[&self.derivative.of].ret,
        };
        match (found, ty, part) {
            (Some(value), Type::Slice(_), _) => Ok(b.slice_as(value, ty)),
            (Some(value), ..) => Ok(value),
            (None, Type::Ptr, _) => Err(Error::Internal(format!(
                "the pullback of {}: {parameter:?} has no memory",
                self.function.name
            ))),
            (
                None,
                Type::Slice(_) | Type::SliceMut(_),
                GradientParam::Argument(n) | GradientParam::Shadow(n),
            ) => Ok(b.zeros_like(given.values[n], ty)),
            (None, ..) => Ok(b.zero(ty)),
        }
    }

    /// The gradient with respect to the wanted parameters, differentiated as often as `along` is long; and the type of what that gives.
    fn dual(
        &self,
        functions: &mut BTreeMap<Symbol, Function>,
        wanted: &[bool],
        along: &[Vec<bool>],
    ) -> Result<(Symbol, Type)> {
        let RuleLookup {
            module,
            registry,
            kind,
        } = self.lookup;
        let mut of = Derivative {
            of: self.derivative.of,
            active: wanted.to_vec(),
            kind: DerivativeKind::Gradient,
            along: Vec::new(),
        };
        let known = |inner: &Module, of: &Derivative| {
            let mut all = inner.functions.values();
            all.find(|f| f.derivative.as_ref() == Some(of))
                .map(|f| f.name)
        };
        with_more(module, functions, |inner| {
            let mut name = match known(inner, &of) {
                Some(name) => name,
                None => {
                    let name = Symbol::new(&format!("{}.vjp{}", of.of, positions(wanted)));
                    define(inner, registry, kind, name, &of)?;
                    name
                }
            };
            let ret = module.functions[&of.of].ret;
            let mut result = tangent::gradient_result(ret, &self.types, wanted);
            for moving in along {
                of.along.push(moving.clone());
                result = tangent::dual(result, 1);
                name = match known(inner, &of) {
                    Some(name) => name,
                    None => {
                        inner.root = name;
                        let dual = forward(inner, registry, kind, moving, 1)?;
                        adopt(&mut inner.functions, dual, self.function.name)
                    }
                };
            }
            Ok((name, result))
        })
    }
}

/// Derives more from a module and from what has been derived of it so far, and adds what is new to the latter. The functions of the module stay what they are.
pub(super) fn with_more<T>(
    module: &Module,
    functions: &mut BTreeMap<Symbol, Function>,
    derive: impl FnOnce(&mut Module) -> Result<T>,
) -> Result<T> {
    let mut inner = module.clone();
    inner.functions.append(functions);
    let derived = derive(&mut inner)?;
    *functions = inner.functions;
    functions.retain(|name, function| module.functions.get(name) != Some(function));
    Ok(derived)
}

/// Adds the functions of a module to others, and gives the name of its root. Those that are not known yet get names that begin with `owner`, so that
/// nothing that is derived later is called like them.
pub(super) fn adopt(
    functions: &mut BTreeMap<Symbol, Function>,
    made: Module,
    owner: Symbol,
) -> Symbol {
    // A function is the same only if those are that it calls.
    let mut new: BTreeSet<Symbol> = BTreeSet::new();
    loop {
        let before = new.len();
        for (&name, function) in &made.functions {
            let is_new = functions.get(&name) != Some(function)
                || function.callees().iter().any(|callee| new.contains(callee));
            if is_new {
                new.insert(name);
            }
        }
        if new.len() == before {
            break;
        }
    }
    let mut names: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    for &name in &new {
        let last = name.as_str().rsplit('/').next().unwrap_or_default();
        let plain = Symbol::new(&format!("{owner}/{last}"));
        let others = (2..).map(|n| Symbol::new(&format!("{owner}/{last}#{n}")));
        let mut all = [plain].into_iter().chain(others);
        let free = all.find(|name| {
            !functions.contains_key(name) && !names.values().any(|other| other == name)
        });
        names.insert(name, free.unwrap_or(plain));
    }
    let rename = |name: Symbol| names.get(&name).copied().unwrap_or(name);
    let root = rename(made.root);
    for mut function in made.functions.into_values() {
        if new.contains(&function.name) {
            function.name = rename(function.name);
            function.rename_callees(rename);
            functions.insert(function.name, function);
        }
    }
    root
}

/// Replaces what a module declares as derivatives of its functions by these derivatives. `normal` gives the normal form of one of
/// the functions that are differentiated, as the root of a module; it is given the place that asks for the derivative too.
pub fn define_all(
    module: &mut Module,
    registry: &Registry,
    kind: ContextKind,
    mut normal: impl FnMut(Symbol, Span) -> Result<Module>,
) -> Result<()> {
    let mut places = FxHashMap::default();
    for function in module.functions.values() {
        for &inst in function.blocks_in_order().flat_map(|(_, data)| &data.insts) {
            let row = &function.insts[inst];
            if let Op::Call(Callee::Function(name)) = row.op {
                places.insert(name, row.span);
            }
        }
    }
    let declared = module.declared.clone().into_iter();
    let declared = declared.filter_map(|(name, signature)| Some((name, signature.derivative?)));
    for (name, mut derivative) in declared {
        module.declared.remove(&name);
        let Some(&span) = places.get(&name) else {
            continue;
        };
        let inner = normal(derivative.of, span)?.at_once();
        derivative.of = adopt(&mut module.functions, inner, name);
        define(module, registry, kind, name, &derivative)?;
    }
    Ok(())
}

/// Forgets what functions are derivatives of, and with that the functions that were there for nothing else. The small ones among the others become
/// part of their callers: that they are derivatives does not matter any more.
pub fn drop_unused_derivatives(module: &mut Module) {
    let mut left: Vec<Symbol> = { module.functions.values_mut() }
        .filter_map(|function| Some(function.derivative.take()?.of))
        .collect();
    let some = !left.is_empty();
    while let Some(name) = left.pop() {
        let mut others = module.functions.values();
        if name != module.root
            && !others.any(|other| other.name != name && other.callees().contains(&name))
            && let Some(gone) = module.functions.remove(&name)
        {
            left.extend(gone.callees());
        }
    }
    if some {
        inline_small(module);
    }
}

/// What to tell the user whose function takes its own derivative.
pub fn within_itself(span: Span) -> Diagnostic {
    let message = "a function takes a derivative of itself: what is differentiated here leads back to this place";
    Diagnostic::new(span, message)
        .help("how deep derivatives of derivatives are nested has to be known before the program runs: write a function for each of them")
}

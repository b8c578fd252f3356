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

use super::reverse::rule;
use super::reverse::{Callee, reverse};
use super::{Mode, Request, forward, positions};
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::ir::build::{Builder, clean};
use crate::ir::{Derivative, DerivativeKind, Function, Module, Op, Prim, Symbol, Type, Value};
use crate::normalise::{inline_entries, inline_into, inline_small};
use crate::registry::{ContextKind, Registry, WITH_PARTIALS};
use crate::tangent::{self, Home, Sharing};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
            let mut made = forward(&inner, registry, kind, &derivative.active)?;
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
    let both = |name: Symbol, types: &[Type]| {
        let plain = Symbol::new(name.as_str().strip_suffix(WITH_PARTIALS)?);
        let entry = registry.rule(plain, types, kind)?;
        let partials = &rule::scalar(entry)?.partials;
        let ret = Type::tuple(&vec![entry.ret; types.len() + 1]);
        let mut b = Builder::new(Function::new(name, types, ret));
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

/// For which of the parameters of a function its gradient is given shadows.
fn is_given(types: &[Type], active: &[bool]) -> Vec<bool> {
    let fdata = |ty: Type| tangent::home(ty) == Home::Fdata;
    let types = types.iter().zip(active);
    types
        .map(|(&ty, &active)| fdata(ty) && (active || ty == Type::Ptr))
        .collect()
}

/// `f.vjp(p…, shadows…, seed) -> (y, r…)`, which calls what reverse mode has made: that may take shadows of slices too, whose cotangents nobody
/// asks for.
fn gradient(
    name: Symbol,
    derivative: &Derivative,
    types: &[Type],
    ret: Type,
    taken: &[bool],
    made: Symbol,
) -> Function {
    let active = &derivative.active;
    let given = is_given(types, active);
    let mut params = types.to_vec();
    params.extend(tangent::shadows(types, &given));
    params.push(ret);
    let results = |active: &[bool]| {
        let cotangents = tangent::cotangents(types, active);
        Type::tuple(&[&[ret], &cotangents[..]].concat())
    };
    let mut b = Builder::new(Function::new(name, &params, results(active)));
    let params = b.function.params().to_vec();
    let mut shadows = params[types.len()..].iter().copied();
    let mut args = params[..types.len()].to_vec();
    for (n, &ty) in types.iter().enumerate() {
        let shadow = match given[n] {
            true => shadows.next(),
            false if taken[n] && tangent::home(ty) == Home::Fdata => {
                Some(scratch(&mut b, params[n]))
            }
            false => None,
        };
        args.extend(shadow.filter(|_| taken[n]));
    }
    args.extend(params.last());
    let all = b.call(made, &args, results(taken));
    let mut found = vec![b.prim(Prim::Field(0), &[all])];
    let mut next = 0;
    for (n, &ty) in types.iter().enumerate() {
        if taken[n] && tangent::home(ty) == Home::Rdata {
            next += 1;
            if active[n] {
                found.push(b.prim(Prim::Field(next), &[all]));
            }
        }
    }
    let result = b.prim(Prim::Tuple, &found);
    b.ret(result);
    let mut function = b.finish();
    function.derivative = Some(derivative.clone());
    function
}

/// Memory of zeros, as long as a slice.
fn scratch(b: &mut Builder, slice: Value) -> Value {
    let ty = b.function.ty(slice);
    let (Type::Slice(&element) | Type::SliceMut(&element)) = ty else {
        return slice;
    };
    let count = b.prim(Prim::Len, &[slice]);
    let size = b.int(element.size().unwrap_or(8) as i64, Type::Usize);
    let bytes = b.prim(Prim::Mul, &[count, size]);
    let address = b.prim(Prim::Alloc, &[bytes]);
    b.prim_to(Prim::View, &[address, count], Type::slice_mut(element))
}

/// Memory that does not change meanwhile, as a slice of this type.
fn seen_as(b: &mut Builder, slice: Value, ty: Type) -> Value {
    if !matches!(ty, Type::Slice(_)) {
        return slice;
    }
    let base = b.prim(Prim::Base, &[slice]);
    let count = b.prim(Prim::Len, &[slice]);
    b.prim_to(Prim::View, &[base, count], ty)
}

/// The halves of a gradient in reverse mode: the forward half calls it, the pullback is its derivative along the cotangents.
pub(super) fn halves(
    module: &Module,
    registry: &Registry,
    kind: ContextKind,
    functions: &mut BTreeMap<Symbol, Function>,
    name: Symbol,
    callee: &Callee,
) -> Result<()> {
    let function = &module.functions[&name];
    let Some(derivative) = &function.derivative else {
        return Err(Error::Internal(format!("{name} is no derivative")));
    };
    let forward_half = forward_half(function, callee);
    let pullback = Pullback {
        module,
        registry,
        kind,
        function,
        derivative,
        callee,
    };
    let pullback = pullback.build(functions)?;
    functions.insert(forward_half.name, forward_half);
    functions.insert(pullback.name, pullback);
    Ok(())
}

/// `forward(p…)`, or `forward(p…, shadows…)`: the gradient itself.
fn forward_half(function: &Function, callee: &Callee) -> Function {
    let types = function.param_types();
    let mut params = types.clone();
    if callee.takes_shadows {
        params.extend(tangent::shadows(&types, &callee.active));
    }
    let mut b = Builder::new(Function::new(callee.forward, &params, function.ret));
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

/// A parameter of a gradient.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The n-th of the function.
    Given(usize),
    /// The shadow of the n-th.
    Shadow(usize),
    /// The cotangent of the value.
    Seed,
}

/// Tangents of tangents: bit n is set for a tangent of the n-th forward pass. None is set for the value itself.
type Order = usize;

/// The parameters of a gradient with respect to the active ones of a function's parameters.
fn parts(types: &[Type], active: &[bool]) -> Vec<(Order, Part)> {
    let given = is_given(types, active);
    let all = (0..types.len()).map(Part::Given);
    let shadows = (0..types.len()).filter(|&n| given[n]).map(Part::Shadow);
    let all = all.chain(shadows).chain([Part::Seed]);
    all.map(|part| (0, part)).collect()
}

/// The parameters of the dual of a function with these parameters, of which some have tangents.
fn with_tangents(parts: &[(Order, Part)], moving: &[bool], pass: usize) -> Vec<(Order, Part)> {
    let moving = parts.iter().zip(moving).filter(|(_, moves)| **moves);
    let tangents = moving.map(|(&(order, part), _)| (order | 1 << pass, part));
    parts.iter().copied().chain(tangents).collect()
}

/// The parameters of a gradient that has been differentiated along these of its parameters, one time after the other.
fn all_parts(types: &[Type], derivative: &Derivative) -> Vec<(Order, Part)> {
    let mut all = parts(types, &derivative.active);
    for (pass, moving) in derivative.along.iter().enumerate() {
        all = with_tangents(&all, moving, pass);
    }
    all
}

/// To the memory of which of its parameters a derivative writes: shadows alone, since a function whose derivative is taken changes nothing. `None` of other functions.
pub(super) fn written(module: &Module, function: &Function) -> Option<Vec<bool>> {
    let derivative = function.derivative.as_ref()?;
    Some(match derivative.kind {
        DerivativeKind::Gradient => {
            let types = module.functions.get(&derivative.of)?.param_types();
            let all = all_parts(&types, derivative).into_iter();
            all.map(|(_, part)| matches!(part, Part::Shadow(_)))
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
    module: &'a Module,
    registry: &'a Registry,
    kind: ContextKind,
    function: &'a Function,
    derivative: &'a Derivative,
    callee: &'a Callee,
}

impl Pullback<'_> {
    fn build(&self, functions: &mut BTreeMap<Symbol, Function>) -> Result<Function> {
        let types = self.module.functions[&self.derivative.of].param_types();
        let asked = &self.derivative.active;
        let passes = self.derivative.along.len();
        let all_passes: Order = (1 << passes) - 1;
        // What the function takes, in order.
        let own_parts = all_parts(&types, self.derivative);
        let all = self.function.param_types();
        let active = &self.callee.active;
        let mut params = all.clone();
        params.extend(tangent::shadows(&all, active));
        params.extend(tangent::seeds(self.function.ret));
        let ret = Type::tuple(&tangent::cotangents(&all, active));
        let mut b = Builder::new(Function::new(self.callee.pullback, &params, ret));
        let params = b.function.params().to_vec();
        let (own, rest) = params.split_at(all.len());
        let own: Vec<Value> = own.to_vec();
        let mut rest = rest.iter().copied();
        let mut shadows = vec![None; own.len()];
        for n in 0..own.len() {
            if active[n] && tangent::home(all[n]) == Home::Fdata {
                shadows[n] = rest.next();
            }
        }
        // The cotangents of the results: of the value, then of the gradients that are returned, for each set of passes.
        let returned: Vec<usize> = { 0..types.len() }
            .filter(|&n| asked[n] && tangent::home(types[n]) == Home::Rdata)
            .collect();
        let seeds: Vec<Value> = rest.collect();
        let place = |wanted: (Order, Part)| own_parts.iter().position(|&part| part == wanted);
        // ŵ: the tangent of what is last.
        let direction = |order: Order, part: Part| {
            let rest = all_passes & !order;
            let result = |n: usize| seeds.get(rest * (1 + returned.len()) + n).copied();
            match part {
                Part::Seed => result(0),
                Part::Given(n) if tangent::home(types[n]) == Home::Rdata => {
                    let found = returned.iter().position(|&other| other == n)?;
                    result(1 + found)
                }
                Part::Given(n) => shadows[place((rest, Part::Shadow(n)))?],
                Part::Shadow(_) => None,
            }
        };
        // With respect to what the gradient is to be taken.
        let wanted: Vec<bool> = { 0..types.len() }
            .map(|n| {
                { own_parts.iter().zip(active) }
                    .any(|(&(_, part), &active)| active && part == Part::Given(n))
            })
            .collect();
        let mut made_parts = parts(&types, &wanted);
        let mut along = Vec::new();
        for pass in 0..=passes {
            let moves = |&(order, part): &(Order, Part)| match part {
                Part::Seed | Part::Shadow(_) => true,
                Part::Given(_) if pass == passes => direction(order, part).is_some(),
                Part::Given(n) if asked[n] => true,
                Part::Given(_) => place((order | 1 << pass, part)).is_some(),
            };
            let moving: Vec<bool> = made_parts.iter().map(moves).collect();
            made_parts = with_tangents(&made_parts, &moving, pass);
            along.push(moving);
        }
        let last: Order = 1 << passes;
        let mut args = Vec::new();
        for &(order, part) in &made_parts {
            let found = match part {
                // The gradient along ŵ goes to where the cotangents of the passes not in it are.
                Part::Shadow(n) if order & last != 0 => {
                    let at = place((all_passes & !order, Part::Given(n)));
                    at.and_then(|at| shadows[at])
                        .or_else(|| place((order & !last, part)).map(|at| own[at]))
                }
                _ if order & last != 0 => direction(order & !last, part),
                _ => place((order, part)).map(|at| own[at]),
            };
            let value = match (found, part) {
                (Some(value), Part::Given(n)) if order != 0 => seen_as(&mut b, value, types[n]),
                (Some(value), _) => value,
                (None, Part::Seed) => b.zero(self.module.functions[&self.derivative.of].ret),
                (None, Part::Given(n) | Part::Shadow(n)) => match types[n] {
                    Type::Ptr => {
                        return Err(Error::Internal(format!(
                            "the pullback of {}: no tangent of parameter {n}",
                            self.function.name
                        )));
                    }
                    Type::Slice(_) | Type::SliceMut(_) => {
                        let zeros = scratch(&mut b, own[n]);
                        match part {
                            Part::Given(_) => seen_as(&mut b, zeros, types[n]),
                            _ => zeros,
                        }
                    }
                    ty => b.zero(ty),
                },
            };
            args.push(value);
        }
        let (dual, result) = self.dual(functions, &types, &wanted, &along)?;
        let results = b.call(dual, &args, result);
        let leaves = leaves_of(&mut b, results);
        // The results of what was called: as those of the function, and one pass more.
        let made_returned: Vec<usize> = { 0..types.len() }
            .filter(|&n| wanted[n] && tangent::home(types[n]) == Home::Rdata)
            .collect();
        let mut found = Vec::new();
        for (n, &(order, part)) in own_parts.iter().enumerate() {
            if !active[n] || tangent::home(all[n]) != Home::Rdata {
                continue;
            }
            let first = (all_passes & !order | last) * (1 + made_returned.len());
            let at = match part {
                Part::Given(n) => { made_returned.iter() }
                    .position(|&other| other == n)
                    .map(|at| first + 1 + at),
                _ => Some(first),
            };
            found.extend(at.and_then(|at| leaves.get(at)));
        }
        let result = b.prim_to(Prim::Tuple, &found, ret);
        b.ret(result);
        Ok(b.finish())
    }

    /// The gradient with respect to the wanted parameters, differentiated as often as `along` is long; and the type of what that gives.
    fn dual(
        &self,
        functions: &mut BTreeMap<Symbol, Function>,
        types: &[Type],
        wanted: &[bool],
        along: &[Vec<bool>],
    ) -> Result<(Symbol, Type)> {
        let mut of = Derivative {
            of: self.derivative.of,
            active: wanted.to_vec(),
            kind: DerivativeKind::Gradient,
            along: Vec::new(),
        };
        // The functions of the module stay what they are.
        let mut inner = self.module.clone();
        inner.functions.append(functions);
        let known = |inner: &Module, of: &Derivative| {
            let mut all = inner.functions.values();
            all.find(|f| f.derivative.as_ref() == Some(of))
                .map(|f| f.name)
        };
        let mut name = match known(&inner, &of) {
            Some(name) => name,
            None => {
                let name = Symbol::new(&format!("{}.vjp{}", of.of, positions(wanted)));
                define(&mut inner, self.registry, self.kind, name, &of)?;
                name
            }
        };
        let primal = &self.module.functions[&self.derivative.of];
        let cotangents = tangent::cotangents(types, wanted);
        let mut result = Type::tuple(&[&[primal.ret], &cotangents[..]].concat());
        for moving in along {
            of.along.push(moving.clone());
            result = tangent::dual(result);
            name = match known(&inner, &of) {
                Some(name) => name,
                None => {
                    inner.root = name;
                    let dual = forward(&inner, self.registry, self.kind, moving)?;
                    adopt(&mut inner.functions, dual, self.function.name)
                }
            };
        }
        *functions = inner.functions;
        functions.retain(|name, function| self.module.functions.get(name) != Some(function));
        Ok((name, result))
    }
}

/// The leaves of a value, depth first.
fn leaves_of(b: &mut Builder, value: Value) -> Vec<Value> {
    let Type::Tuple(fields) = b.function.ty(value) else {
        return vec![value];
    };
    let mut leaves = Vec::new();
    for n in 0..fields.len() as u32 {
        let field = b.prim(Prim::Field(n), &[value]);
        leaves.extend(leaves_of(b, field));
    }
    leaves
}

/// Adds the functions of a module to others, and gives the name of its root. Those that are not known yet get names that begin with `owner`, so that
/// nothing that is derived later is called like them.
fn adopt(functions: &mut BTreeMap<Symbol, Function>, made: Module, owner: Symbol) -> Symbol {
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
    let mut names: HashMap<Symbol, Symbol> = HashMap::new();
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
    let mut places = HashMap::new();
    for function in module.functions.values() {
        for &inst in function.blocks_in_order().flat_map(|(_, data)| &data.insts) {
            let row = &function.insts[inst];
            if let Op::Call(name) = row.op {
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
pub fn settle(module: &mut Module) {
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

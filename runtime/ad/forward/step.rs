//! The forward rule of each operation: from the duals of its arguments to that of its result.

use super::super::rule::{self, at, scalar_function};
use super::{Derivation, DualKind};
use crate::ad::checked;
use crate::diag::{Diagnostic, Error, Result};
use crate::ir::build::Builder;
use crate::ir::{
    Callee, Const, Fault, Function, HostOp, NativeName, NativePart, Op, Prim, Symbol, Terminator,
    Type, Value,
};
use crate::registry::{ArrayRule, Effects, EntryKind, NativeRule, ScalarRule};
use crate::tangent::{self, has_tangent, leaves};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sums tangents of arrays.
const ACCUMULATE: Callee = Callee::Host(HostOp::Accumulate);
/// Makes a tangent that may be absent an array of zeros.
const OR_ZEROS: Callee = Callee::Host(HostOp::OrZeros);

/// A tangent: for each leaf of a value; `None` is zero, or a type without tangents.
pub(super) type Tangent = Vec<Option<Value>>;

/// A value and its tangents.
#[derive(Clone, Debug)]
pub(super) struct Dual {
    pub value: Value,
    /// Along each direction.
    pub tangents: Vec<Tangent>,
}

impl Dual {
    /// A value that is not a tuple, with its tangent along each direction.
    fn leaf(value: Value, tangents: impl IntoIterator<Item = Option<Value>>) -> Dual {
        let tangents = tangents.into_iter().map(|tangent| vec![tangent]).collect();
        Dual { value, tangents }
    }
    /// The tangent along a direction, of a value that is not a tuple.
    fn tangent(&self, direction: usize) -> Option<Value> {
        self.tangents[direction].first().copied().flatten()
    }
    /// Whether there is a tangent along some direction, of a value that is not a tuple.
    fn has_tangent(&self) -> bool {
        (self.tangents.iter()).any(|tangent| tangent.first().is_some_and(Option::is_some))
    }
    /// Whether all tangents are known to be zero.
    fn is_constant(&self) -> bool {
        self.tangents.iter().flatten().all(Option::is_none)
    }
}

/// A dual function under construction.
pub(super) struct Assembly<'a, 'd> {
    pub derivation: &'a mut Derivation<'d>,
    pub dual_kind: DualKind,
    /// The function whose dual it is, for messages.
    pub user: Symbol,
    pub b: Builder,
    /// Whether the instruction at hand runs whenever the function that was asked for does.
    pub certain: bool,
    /// Tangents of arrays that are certainly there.
    pub present: FxHashSet<Value>,
}

impl Assembly<'_, '_> {
    /// Builds an instruction and what computes its tangent.
    pub fn step(&mut self, op: Op, args: &[Dual], ty: Type) -> Result<Dual> {
        match op {
            // Null is the shadow of null.
            Op::Const(Const::Null) if is_address(ty) => {
                let null = self.b.constant(Const::Null, ty);
                Ok(Dual::leaf(null, self.directions().map(|_| Some(null))))
            }
            Op::Const(_) => Ok(self.constant(op, args, ty)),
            Op::Prim(prim) => self.prim(prim, args, ty),
            Op::Map(name) => self.map(name, args, ty),
            Op::Call(Callee::Function(name)) if self.is_derived(name, args) => {
                self.local_call(name, args, ty)
            }
            Op::Call(Callee::Native(part)) if self.has_dual(part, args) => {
                self.call_dual(part.dual(&moving(args)), args, ty)
            }
            Op::Call(callee) if let Some(access) = callee.memory_op() => {
                self.access(access, op, args, ty)
            }
            Op::Call(callee)
                if args.iter().all(Dual::is_constant) && !self.is_linked(callee, args) =>
            {
                Ok(self.constant(op, args, ty))
            }
            Op::Call(Callee::Native(_)) => {
                let types: Vec<Type> = args.iter().map(|a| self.ty(a.value)).collect();
                self.missing(rule::no_rule(op, &types, self.user, self.b.span))?;
                Ok(self.constant(op, args, ty))
            }
            Op::Call(callee) => self.entry(op, callee, args, ty),
        }
    }

    /// Whether a call of a function of a pack carries tangents to and from calls that are not seen here. What does not move has a tangent of
    /// zeros for it.
    fn is_linked(&self, callee: Callee, args: &[Dual]) -> bool {
        let types: Vec<Type> = args.iter().map(|a| self.ty(a.value)).collect();
        self.derivation.lookup.registry.effects(callee, &types) == Effects::Linked
    }

    /// Whether a call is of a function of the module that no rule of a pack stands for.
    fn is_derived(&self, name: Symbol, args: &[Dual]) -> bool {
        let types: Vec<Type> = args.iter().map(|a| self.ty(a.value)).collect();
        let lookup = self.derivation.lookup;
        lookup.is_derived(Callee::Function(name), &types)
    }
    fn prim(&mut self, prim: Prim, args: &[Dual], ty: Type) -> Result<Dual> {
        use Prim::*;
        let op = Op::Prim(prim);
        match prim {
            Add | Sub | Mul | Div | Rem | Neg | Sqrt | Abs | Floor | Ceil | Trunc | Copysign => {
                match args.iter().all(Dual::is_constant) {
                    true => Ok(self.constant(op, args, ty)),
                    false => self.entry(op, prim.into(), args, ty),
                }
            }
            Eq | Ne | Lt | Le | Gt | Ge | And | Or | Xor | Not | Shl | Shr | AddOverflows
            | SubOverflows | MulOverflows | Len | Assert(_) => Ok(self.constant(op, args, ty)),
            Pack | Lane(_) | LoadLanes | StoreLanes => {
                Err(self.internal("lanes are made after derivation".to_owned()))
            }
            Select => {
                let value = self.emit(op, args, ty);
                self.along_each(value, |a, d| {
                    let [x, y] = [&args[1], &args[2]];
                    if x.tangent(d).is_none() && y.tangent(d).is_none() {
                        return Ok(None);
                    }
                    let (x, y) = (a.solid(x, d)?, a.solid(y, d)?);
                    let ty = tangent::widened(ty);
                    Ok(Some(a.b.prim_to(Select, &[args[0].value, x, y], ty)))
                })
            }
            Cast | Bitcast => {
                let value = self.emit(op, args, ty);
                let floats =
                    ty.is_differentiable() && (prim == Cast || self.ty(args[0].value) == ty);
                let ty = tangent::widened(ty);
                self.along_each(value, |a, d| {
                    let tangent = args[0].tangent(d).filter(|_| floats);
                    Ok(tangent.map(|dx| a.b.prim_to(Cast, &[dx], ty)))
                })
            }
            Tuple => {
                let value = self.emit(op, args, ty);
                let tangent = |d: usize| {
                    let fields = args.iter().flat_map(|a| &a.tangents[d]);
                    fields.copied().collect()
                };
                let tangents = self.directions().map(tangent).collect();
                Ok(Dual { value, tangents })
            }
            Field(n) => {
                let Type::Tuple(fields) = self.ty(args[0].value) else {
                    return Err(self.internal(format!("field {n} of what is not a tuple")));
                };
                let before = fields[..n as usize].iter();
                let start: usize = before.map(|&t| leaves(t).len()).sum();
                let place = start..start + leaves(ty).len();
                let field = |tangent: &Tangent| tangent[place.clone()].to_vec();
                let tangents = args[0].tangents.iter().map(field).collect();
                let value = self.emit(op, args, ty);
                Ok(Dual { value, tangents })
            }
            // What is at an address: the same place in the shadow.
            Load | Subslice | Get(_) | Peek(_) | View | Offset => {
                let value = self.emit(op, args, ty);
                self.along_each(value, |a, d| {
                    let shadow = args[0].tangent(d).filter(|_| has_tangent(ty));
                    // Where there is nothing no number is read.
                    let shadow = shadow.filter(|&s| is_address(ty) || !a.is_nothing(s));
                    Ok(shadow.map(|shadow| {
                        let mut places = vec![shadow];
                        places.extend(args[1..].iter().map(|a| a.value));
                        a.b.prim_to(prim, &places, ty)
                    }))
                })
            }
            Base => {
                let value = self.emit(op, args, ty);
                self.along_each(value, |a, d| {
                    Ok(match has_tangent(a.ty(args[0].value)) {
                        true => args[0].tangent(d).map(|s| a.b.prim_to(Base, &[s], ty)),
                        // Memory without floats is its own shadow.
                        false => Some(value),
                    })
                })
            }
            Store | Set(_) | Poke(_) => {
                let value = self.emit(op, args, ty);
                let (stored, places) = args.split_last().ok_or_else(|| self.arity(op))?;
                self.along_each(value, |a, d| {
                    if let Some(shadow) = args[0].tangent(d)
                        && has_tangent(a.ty(stored.value))
                    {
                        let mut all = vec![shadow];
                        all.extend(places[1..].iter().map(|a| a.value));
                        all.push(a.solid(stored, d)?);
                        a.b.prim_to(prim, &all, ty);
                    }
                    Ok(None)
                })
            }
            // The shadow is another object, or another record. What is pushed last is popped first.
            Alloc | TapePush => {
                let value = self.emit(op, args, ty);
                self.along_each(value, |a, _| Ok(Some(a.emit(op, args, ty))))
            }
            TapePop => {
                let mut shadows: Vec<Option<Value>> = self
                    .directions()
                    .map(|_| Some(self.emit(op, args, ty)))
                    .collect();
                shadows.reverse();
                let value = self.emit(op, args, ty);
                Ok(Dual::leaf(value, shadows))
            }
        }
    }

    /// By the rule of an entry.
    fn entry(&mut self, op: Op, callee: Callee, args: &[Dual], ty: Type) -> Result<Dual> {
        let lookup = self.derivation.lookup;
        let types: Vec<Type> = args.iter().map(|a| self.ty(a.value)).collect();
        if let Callee::WithPartials(name) = callee
            && let Some((entry, _)) = lookup.registry.with_partials(name, &types)
            && let Some(rule) = rule::scalar(entry)
        {
            return self.with_partials(op, (name, rule), args, ty);
        }
        let name = callee.symbol();
        match lookup.of_pack(callee, &types).map(|e| &e.kind) {
            Some(EntryKind::Scalar(rule)) => self.scalar(op, name, rule, args, ty),
            Some(EntryKind::Array(rule)) => self.array_rule(op, name, rule, args, ty),
            Some(EntryKind::Native(rule)) => self.native(op, name, rule, args, ty),
            None if leaves(ty).into_iter().any(has_tangent) => {
                self.missing(rule::no_rule(op, &types, self.user, self.b.span))?;
                Ok(self.constant(op, args, ty))
            }
            None => Ok(self.constant(op, args, ty)),
        }
    }
    /// What has no rule does no harm where it does not run. So it is an error of the program, when that comes to it; an error of
    /// the derivation only where the function that was asked for always comes to it. Kernels have no way out.
    fn missing(&mut self, diagnostic: Diagnostic) -> Result<()> {
        if self.certain || self.dual_kind == DualKind::Elementwise {
            return Err(diagnostic.into());
        }
        let [message, help] = [&diagnostic.message, &diagnostic.help].map(|s| Symbol::new(s));
        let never = self.b.bool(false);
        self.b
            .prim(Prim::Assert(Fault::NoRule(message, help)), &[never]);
        Ok(())
    }

    /// ẏ = Σ ∂ᵢ ẋᵢ. Where a partial would take another call (the cosine of a sine) and the pack has a function that gives
    /// value and partials together, that one is called.
    fn scalar(
        &mut self,
        op: Op,
        name: Symbol,
        rule: &ScalarRule,
        args: &[Dual],
        ty: Type,
    ) -> Result<Dual> {
        let partials = &rule.partials;
        let active = |i: &usize| args[*i].has_tangent() && !rule::is_zero(partials, *i);
        let active: Vec<usize> = (0..args.len()).filter(active).collect();
        let calls = |i: usize| rule::dependencies(partials, i).1;
        let together = rule.with_partials.is_some() && active.iter().any(|&i| calls(i));
        let both = (together && self.dual_kind != DualKind::Elementwise).then(|| {
            let tuple = Type::tuple(&vec![ty; args.len() + 1]);
            self.emit(Op::Call(Callee::WithPartials(name)), args, tuple)
        });
        let value = match both {
            Some(both) => self.b.prim(Prim::Field(0), &[both]),
            None => self.emit(op, args, ty),
        };
        let mut copies = parameters(partials, args, &[value]);
        let mut sums = vec![None; self.directions().len()];
        let terms = active.len();
        for i in active {
            let partial = match both {
                Some(both) if calls(i) => {
                    let field = Prim::Field(i as u32 + 1);
                    Some(self.b.prim(field, &[both]))
                }
                _ => rule::inline_output(&mut self.b, partials, i, &mut copies),
            };
            let partial =
                partial.ok_or_else(|| self.internal(format!("{name} lacks a partial")))?;
            if self.is_checked() {
                let all: Vec<Value> = args.iter().map(|a| a.value).chain([value]).collect();
                let used = rule::dependencies(partials, i).0;
                let inputs: Vec<Value> = used.into_iter().map(|n| all[n]).collect();
                checked::guard_partial(&mut self.b, name, i, &inputs, Some(value), partial);
            }
            let of = Term {
                name,
                partials,
                argument: i,
                terms,
            };
            self.add_terms(&mut sums, partial, &args[i], of, ty);
        }
        Ok(Dual::leaf(value, sums))
    }
    /// Whether what rules give is guarded. Kernels are looked at from outside.
    fn is_checked(&self) -> bool {
        self.derivation.lookup.registry.is_checked() && self.dual_kind != DualKind::Elementwise
    }
    /// Adds the partial of an argument of a rule, times the argument's tangents, to the sums along the directions.
    fn add_terms(
        &mut self,
        sums: &mut [Option<Value>],
        partial: Value,
        arg: &Dual,
        of: Term<'_>,
        ty: Type,
    ) {
        for (d, sum) in sums.iter_mut().enumerate() {
            if let Some(dx) = arg.tangent(d) {
                *sum = Some(self.add_term(*sum, partial, dx, of, ty));
            }
        }
    }
    fn add_term(
        &mut self,
        sum: Option<Value>,
        partial: Value,
        dx: Value,
        of: Term<'_>,
        ty: Type,
    ) -> Value {
        let factor = self.b.function.as_const(partial);
        let negative = factor == Some(Const::Float(-1.0));
        let term = match negative || factor == Some(Const::Float(1.0)) {
            true => dx,
            false => {
                let term = rule::product(&mut self.b, partial, dx);
                if self.is_checked() {
                    checked::guard_term(
                        &mut self.b,
                        of.name,
                        of.argument,
                        true,
                        [partial, dx],
                        term,
                    );
                }
                // `x.powf(2.0)` moves along `x` at a negative `x` too, where the partial by the exponent is NaN; and `ln` of what a branch has set to 0
                // does not move. So that of `(x * x).sqrt()` at 0 is 0, where reverse mode, which goes the other way, says NaN. Arrays are as in JAX:
                // where an infinite partial is the only one, the product is NaN.
                let (partials, argument) = (of.partials, of.argument);
                let (is_guarded, unknown) = match self.dual_kind {
                    DualKind::Elementwise => (
                        rule::may_be_singular(partials, argument) && partials.params().len() > 2,
                        if of.terms > 1 { term } else { partial },
                    ),
                    _ => (rule::may_be_infinite(partials, argument), term),
                };
                match is_guarded {
                    true => rule::unless_zero(&mut self.b, dx, term, unknown),
                    false => term,
                }
            }
        };
        match (sum, negative) {
            (None, false) => term,
            (None, true) => self.b.prim_to(Prim::Neg, &[term], ty),
            (Some(sum), false) => self.b.prim_to(Prim::Add, &[sum, term], ty),
            (Some(sum), true) => self.b.prim_to(Prim::Sub, &[sum, term], ty),
        }
    }

    /// A scalar called together with its partials, which have tangents as well: those of the expressions for them.
    fn with_partials(
        &mut self,
        op: Op,
        (name, rule): (Symbol, &ScalarRule),
        args: &[Dual],
        ty: Type,
    ) -> Result<Dual> {
        let both = self.emit(op, args, ty);
        let mut sums = vec![None; self.directions().len()];
        let y = self.b.prim(Prim::Field(0), &[both]);
        let terms = args.iter().filter(|arg| arg.has_tangent()).count();
        for (i, arg) in args.iter().enumerate() {
            let partial = self.b.prim(Prim::Field(i as u32 + 1), &[both]);
            if !rule::is_zero(&rule.partials, i) {
                let of = Term {
                    name,
                    partials: &rule.partials,
                    argument: i,
                    terms,
                };
                self.add_terms(&mut sums, partial, arg, of, self.ty(y));
            }
        }
        let y = Dual::leaf(y, sums.iter().copied());
        let all: Vec<Dual> = args.iter().cloned().chain([y]).collect();
        let partials = self.inline(&rule.partials, &all)?;
        let tangents = sums.into_iter().zip(partials.tangents);
        Ok(Dual {
            value: both,
            tangents: { tangents }
                .map(|(sum, partials)| [sum].into_iter().chain(partials).collect())
                .collect(),
        })
    }

    /// By what each argument's tangent adds, or by the body.
    fn array_rule(
        &mut self,
        op: Op,
        name: Symbol,
        rule: &ArrayRule,
        args: &[Dual],
        ty: Type,
    ) -> Result<Dual> {
        let linked = self.is_linked(name.into(), args);
        let active: Vec<usize> = (0..args.len())
            .filter(|&i| linked || args[i].has_tangent())
            .filter(|&i| rule::is_given(&rule.pullback, i))
            .collect();
        if active.is_empty() {
            return Ok(self.constant(op, args, ty));
        }
        if rule.tangent.is_empty() {
            let Some(body) = &rule.body else {
                let types: Vec<Type> = args.iter().map(|a| self.ty(a.value)).collect();
                let error = rule::no_rule(op, &types, self.user, self.b.span);
                self.missing(error.help(
                    "its rule has a `pullback` only: forward mode needs its `tangent`; use reverse mode, or add it to the rule",
                ))?;
                return Ok(self.constant(op, args, ty));
            };
            return self.inline(body, args);
        }
        let value = self.emit(op, args, ty);
        let types = leaves(ty);
        let mut given: Vec<Value> = match ty {
            Type::Tuple(_) => { 0..types.len() as u32 }
                .map(|n| self.b.prim(Prim::Field(n), &[value]))
                .collect(),
            _ => vec![value],
        };
        let smooth: Vec<usize> = (0..types.len())
            .filter(|&n| tangent::has_rdata(types[n]))
            .collect();
        let mut tangents = vec![vec![None; types.len()]; self.directions().len()];
        for (d, sums) in tangents.iter_mut().enumerate() {
            for &i in &active {
                let Some(expression) = &rule.tangent[i] else {
                    continue;
                };
                let mut dx = self.solid(&args[i], d)?;
                if !takes_absent(expression) {
                    dx = self.whole(dx, args[i].value);
                }
                given.push(dx);
                let mut copies = parameters(expression, args, &given);
                given.pop();
                for (output, &n) in smooth.iter().enumerate() {
                    if !rule::is_given(expression, output) {
                        continue;
                    }
                    let term = rule::inline_output(&mut self.b, expression, output, &mut copies);
                    let term =
                        term.ok_or_else(|| self.internal("a rule lacks a tangent".to_owned()))?;
                    let ty = tangent::widened(types[n]);
                    sums[n] = Some(self.sum(sums[n], term, ty));
                }
            }
        }
        Ok(Dual { value, tangents })
    }
    /// The sum of tangents of one type.
    fn sum(&mut self, so_far: Option<Value>, term: Value, ty: Type) -> Value {
        match so_far {
            None => term,
            Some(sum) if ty.is_array() => self.b.call(ACCUMULATE, &[sum, term], ty),
            Some(sum) => self.b.prim_to(Prim::Add, &[sum, term], ty),
        }
    }

    /// An array from a slice, or into one: its tangent from the tangent of the slice, or into that.
    fn access(&mut self, access: HostOp, op: Op, args: &[Dual], ty: Type) -> Result<Dual> {
        let value = self.emit(op, args, ty);
        self.along_each(value, |a, d| match access {
            HostOp::FromSlice => {
                let smooth = tangent::has_rdata(ty);
                let tangent = args[0].tangent(d).filter(|_| smooth);
                let made = tangent.map(|dx| a.b.emit(op, &[dx], ty));
                a.present.extend(made);
                Ok(made)
            }
            _ => {
                let smooth = tangent::has_rdata(a.ty(args[1].value));
                if let Some(dx) = args[0].tangent(d).filter(|_| smooth) {
                    let da = a.solid(&args[1], d)?;
                    a.b.emit(op, &[dx, da], ty);
                }
                Ok(None)
            }
        })
    }

    /// By the `frule`, which takes and gives what the dual of a function of the module does.
    fn native(
        &mut self,
        op: Op,
        name: Symbol,
        rule: &NativeRule,
        args: &[Dual],
        ty: Type,
    ) -> Result<Dual> {
        if !args.iter().any(|a| self.moves(a)) && !self.is_linked(name.into(), args) {
            return Ok(self.constant(op, args, ty));
        }
        if rule.frule.is_none() {
            let types: Vec<Type> = args.iter().map(|a| self.ty(a.value)).collect();
            let error = rule::no_rule(op, &types, self.user, self.b.span);
            self.missing(error.help(
                "its rule has no `frule`, which forward mode needs: use reverse mode, or add one",
            ))?;
            return Ok(self.constant(op, args, ty));
        }
        self.guard_lengths(name, args);
        let dual = Callee::native(name, NativePart::Frule, &moving(args));
        self.call_dual(dual, args, ty)
    }

    /// Whether a part of a native rule has a dual, which is called even where nothing moves: the pullback that the dual of the forward half keeps is what
    /// the dual of the reverse half calls.
    fn has_dual(&self, part: &'static NativeName, args: &[Dual]) -> bool {
        let types: Vec<Type> = args.iter().map(|a| self.ty(a.value)).collect();
        let registry = self.derivation.lookup.registry;
        let part = registry.native_part(Callee::Native(part), &types);
        part.is_some_and(|call| call.rule.second.is_some() && call.part != NativePart::Frule)
    }

    /// One map for values and tangents.
    fn map(&mut self, name: Symbol, args: &[Dual], ty: Type) -> Result<Dual> {
        let op = Op::Map(name);
        let active = moving(args);
        if !active.contains(&true) {
            return Ok(self.constant(op, args, ty));
        }
        let of = |a: &Dual| self.ty(a.value).element().unwrap_or(self.ty(a.value));
        let types: Vec<Type> = args.iter().map(of).collect();
        let kernel = self.derivation.kernel(name, &types, &active);
        let kernel = match kernel.map_err(|error| at(error, self.b.span)) {
            Err(Error::User(diagnostic)) => {
                // Without a value there is no program.
                scalar_function(self.derivation.lookup, name, &types)?;
                self.missing(diagnostic)?;
                return Ok(self.constant(op, args, ty));
            }
            kernel => kernel?,
        };
        let Some(function) = kernel.function else {
            return Ok(self.constant(op, args, ty));
        };
        let mut all: Vec<Value> = args.iter().map(|a| a.value).collect();
        for d in self.directions() {
            for arg in args.iter().filter(|arg| arg.has_tangent()) {
                let dx = self.solid(arg, d)?;
                all.push(self.whole(dx, arg.value));
            }
        }
        let arrays: Vec<Type> = kernel.fields.iter().map(|&t| Type::array(t)).collect();
        let results = self.b.map(function, &all, Type::tuple(&arrays));
        let field = |a: &mut Self, n: usize| a.b.prim(Prim::Field(n as u32), &[results]);
        let value = match ty {
            Type::Tuple(fields) => {
                let fields: Vec<Value> = (0..fields.len()).map(|n| field(self, n)).collect();
                self.b.prim_to(Prim::Tuple, &fields, ty)
            }
            _ => field(self, 0),
        };
        let mut tangents = Vec::new();
        for places in &kernel.tangents {
            let tangent = places.iter().map(|place| place.map(|n| field(self, n)));
            let tangent: Tangent = tangent.collect();
            self.present.extend(tangent.iter().flatten());
            tangents.push(tangent);
        }
        Ok(Dual { value, tangents })
    }

    /// A call of a function of the module, or of its dual.
    fn local_call(&mut self, name: Symbol, args: &[Dual], ty: Type) -> Result<Dual> {
        if !args.iter().any(|a| self.moves(a)) && !self.derivation.always_dual(name) {
            return Ok(self.constant(Op::Call(Callee::Function(name)), args, ty));
        }
        let dual = self.derivation.dual(name, &moving(args));
        self.guard_lengths(name, args);
        self.call_dual(Callee::Function(dual), args, ty)
    }
    /// Whether an argument has a tangent that may be other than zero.
    fn moves(&self, arg: &Dual) -> bool {
        let mut tangents = self.directions().filter_map(|d| arg.tangent(d));
        tangents.any(|dx| !self.is_nothing(dx))
    }
    /// In debug mode, looks whether slices and their tangents are of one length.
    fn guard_lengths(&mut self, name: Symbol, args: &[Dual]) {
        if !self.is_checked() {
            return;
        }
        for (n, arg) in args.iter().enumerate() {
            for dx in self.directions().filter_map(|d| arg.tangent(d)) {
                checked::guard_length(&mut self.b, name, n, arg.value, dx);
            }
        }
    }
    /// A call of a dual: values and tangents in, values and tangents out.
    fn call_dual(&mut self, dual: Callee, args: &[Dual], ty: Type) -> Result<Dual> {
        let mut all: Vec<Value> = args.iter().map(|a| a.value).collect();
        for d in self.directions() {
            for arg in args.iter().filter(|arg| arg.has_tangent()) {
                all.push(self.solid(arg, d)?);
            }
        }
        let directions = self.directions().len();
        let results = self.b.call(dual, &all, tangent::dual(ty, directions));
        let value = self.b.prim(Prim::Field(0), &[results]);
        let mut next = 0;
        let mut tangents = Vec::new();
        for _ in self.directions() {
            let tangent = leaves(ty).into_iter().map(|leaf| {
                has_tangent(leaf).then(|| {
                    next += 1;
                    self.b.prim(Prim::Field(next), &[results])
                })
            });
            tangents.push(tangent.collect());
        }
        Ok(Dual { value, tangents })
    }

    /// Copies a straight-line function here, for these arguments.
    fn inline(&mut self, function: &Function, args: &[Dual]) -> Result<Dual> {
        let params = function.params().iter().copied();
        let mut duals: FxHashMap<Value, Dual> = params.zip(args.iter().cloned()).collect();
        let body = &function.blocks[function.entry()];
        for &inst in &body.insts {
            let row = &function.insts[inst];
            let args: Vec<Dual> = row.args.iter().map(|v| duals[v].clone()).collect();
            let dual = self.step(row.op, &args, function.ty(row.result))?;
            duals.insert(row.result, dual);
        }
        match body.terminator {
            Terminator::Return(value) => Ok(duals[&value].clone()),
            _ => Err(self.internal(format!("{} does not return", function.name))),
        }
    }

    /// The directions, by their numbers.
    pub fn directions(&self) -> std::ops::Range<usize> {
        0..self.derivation.directions
    }
    /// A value that is not a tuple, with what gives its tangent along each direction.
    fn along_each(
        &mut self,
        value: Value,
        mut tangent: impl FnMut(&mut Self, usize) -> Result<Option<Value>>,
    ) -> Result<Dual> {
        let tangents: Result<Vec<Option<Value>>> =
            self.directions().map(|d| tangent(self, d)).collect();
        Ok(Dual::leaf(value, tangents?))
    }
    /// The tangent along a direction as a value: zero where it is known to be.
    pub fn solid(&mut self, dual: &Dual, direction: usize) -> Result<Value> {
        match dual.tangent(direction) {
            Some(tangent) => Ok(tangent),
            None => self.zero(tangent::widened(self.ty(dual.value)), dual.value),
        }
    }
    /// The zero tangent of a value. Memory has none, unless it is the memory of nothing.
    pub fn zero(&mut self, ty: Type, value: Value) -> Result<Value> {
        match ty {
            ty if is_address(ty) && !self.is_nothing(value) => {
                let message = "this refers to memory that has a tangent, or to memory that has none: that of a constant, or what the function of a `derivative` captures";
                let help = "give the argument a tangent, which may be zero, in place of `Const` or `()`; within a `derivative`, let its function refer to a copy that it makes: `let own = own.to_vec();`";
                Err(Diagnostic::new(self.b.span, message).help(help).into())
            }
            ty if is_address(ty) => Ok(self.b.constant(Const::Null, ty)),
            _ => Ok(self.b.zero(ty)),
        }
    }
    /// Whether an address is known to lead to no memory. Null is its shadow.
    pub fn is_nothing(&self, value: Value) -> bool {
        let Some(row) = self.b.function.def_inst(self.b.resolve(value)) else {
            return false;
        };
        match row.op {
            Op::Const(c) => c == Const::Null,
            Op::Prim(prim) if within(prim) => self.is_nothing(row.args[0]),
            Op::Prim(Prim::Select) => row.args[1..].iter().all(|&v| self.is_nothing(v)),
            _ => false,
        }
    }
    /// The tangent of an array or a float, never absent.
    pub fn whole(&mut self, tangent: Value, value: Value) -> Value {
        let ty = tangent::widened(self.ty(value));
        if !ty.is_array() || self.present.contains(&tangent) {
            return tangent;
        }
        let whole = self.b.call(OR_ZEROS, &[tangent, value], ty);
        self.present.insert(whole);
        whole
    }

    pub fn ty(&self, value: Value) -> Type {
        self.b.function.ty(value)
    }
    fn emit(&mut self, op: Op, args: &[Dual], ty: Type) -> Value {
        let args: Vec<Value> = args.iter().map(|a| a.value).collect();
        self.b.emit(op, &args, ty)
    }
    /// The instruction as it is, without a tangent.
    pub fn constant(&mut self, op: Op, args: &[Dual], ty: Type) -> Dual {
        Dual {
            value: self.emit(op, args, ty),
            tangents: vec![vec![None; leaves(ty).len()]; self.directions().len()],
        }
    }
    pub fn internal(&self, message: String) -> Error {
        Error::Internal(format!("dual of {}: {message}", self.user))
    }
    fn arity(&self, op: Op) -> Error {
        self.internal(format!("{op:?} without arguments"))
    }
}

/// What a scalar rule adds to a tangent.
#[derive(Clone, Copy)]
struct Term<'r> {
    name: Symbol,
    partials: &'r Function,
    /// The argument whose partial it is.
    argument: usize,
    /// How many the tangent is the sum of.
    terms: usize,
}

/// Which arguments have a tangent along some direction.
fn moving(args: &[Dual]) -> Vec<bool> {
    args.iter().map(Dual::has_tangent).collect()
}

/// Whether values of a type are addresses of memory that can have a shadow.
pub(super) fn is_address(ty: Type) -> bool {
    matches!(ty, Type::Ptr | Type::Slice(_) | Type::SliceMut(_)) && has_tangent(ty)
}

/// Whether an operation gives what is within the memory of its first argument.
pub(super) fn within(prim: Prim) -> bool {
    use Prim::*;
    matches!(prim, Base | Load | Get(_) | View | Subslice | Offset)
}

/// The parameters of a rule's expression: the arguments, and more.
fn parameters(expression: &Function, args: &[Dual], more: &[Value]) -> FxHashMap<Value, Value> {
    let values = args.iter().map(|a| a.value).chain(more.iter().copied());
    expression.params().iter().copied().zip(values).collect()
}

/// Whether an expression over `dx`, its last parameter, gives the right thing for an absent array: `dx` and what is made
/// of it goes to operations of the host alone, which are linear, and none of which makes a number of it.
fn takes_absent(expression: &Function) -> bool {
    let mut tainted: FxHashSet<Value> = expression.params().last().copied().into_iter().collect();
    let insts = &expression.blocks[expression.entry()].insts;
    insts.iter().all(|&inst| {
        let row = &expression.insts[inst];
        if !row.args.iter().any(|v| tainted.contains(v)) {
            return true;
        }
        tainted.insert(row.result);
        match row.op {
            Op::Call(callee) => {
                let is_number = expression.ty(row.result).is_float();
                callee.host_op().is_some() && !is_number
            }
            Op::Prim(prim) => prim == Prim::Tuple,
            Op::Map(_) | Op::Const(_) => false,
        }
    })
}

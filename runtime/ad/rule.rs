//! How each operation carries derivatives: by a rule of the registry, or by its structure. Both modes take their rules from here.

use crate::ad::{nested, parallel};
use crate::arena::Id;
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::ir::build::{Builder, prim_type};
use crate::ir::{
    Args, Callee, Const, Function, HostOp, Inst, InstData, Module, Op, Prim, Symbol, Terminator,
    Type, Value,
};
use crate::registry::{
    ArrayRule, ContextKind, Entry, EntryKind, NativeRule, Registry, ScalarRule, left_out,
};
use crate::tangent;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What the derivation looks names up in.
#[derive(Clone, Copy)]
pub(in crate::ad) struct RuleLookup<'a> {
    pub module: &'a Module,
    pub registry: &'a Registry,
    pub kind: ContextKind,
}

/// How an instruction carries derivatives from its arguments to its result.
pub(in crate::ad) enum Rule {
    /// Not at all.
    None,
    /// y̅ times a partial for each argument.
    Scalar(Arc<Entry>),
    /// By a pullback.
    Array(Arc<Entry>),
    /// By the derivative of a scalar function, elementwise.
    Map,
    /// By the derived rule of a function in the module, or by a native rule, which has the same two halves.
    Call,
    /// From the memory's shadow.
    Load,
    /// To the memory's shadow.
    Store,
    /// A whole slice becomes an array: from the memory's shadow.
    FromSlice,
    /// An array overwrites a whole slice: to the memory's shadow.
    Overwrite,
    /// From the object's shadow.
    Get,
    /// To the object's shadow.
    Set,
    /// To the argument that was selected.
    Select,
    /// As it is, in another precision.
    Cast,
    /// Leaf by leaf.
    Tuple,
    /// To one leaf of the argument.
    Field,
    /// Nobody knows.
    Missing,
}

impl RuleLookup<'_> {
    /// How this instruction carries derivatives.
    pub fn rule(&self, function: &Function, inst: Inst) -> Rule {
        let data = &function.insts[inst];
        let smooth = tangent::has_rdata(function.ty(data.result));
        match data.op {
            Op::Const(_) => Rule::None,
            Op::Prim(prim) => self.prim(function, inst, prim, smooth),
            Op::Call(callee) if self.is_derived(callee, &argument_types(function, inst)) => {
                Rule::Call
            }
            Op::Call(Callee::Native(_)) => Rule::Missing,
            Op::Call(callee) if let Some(rule) = self.native(function, inst, callee) => {
                match rule.rrule {
                    Some(_) => Rule::Call,
                    None if smooth => Rule::Missing,
                    None => Rule::None,
                }
            }
            Op::Call(callee) if let Some(op) = callee.memory_op() => match op {
                HostOp::FromSlice if smooth => Rule::FromSlice,
                HostOp::FromSlice => Rule::None,
                _ => Rule::Overwrite,
            },
            Op::Call(_) | Op::Map(_) if !smooth => Rule::None,
            Op::Call(callee) => self.entry(function, inst, callee),
            Op::Map(_) => Rule::Map,
        }
    }
    /// The rule of a pack for a call.
    pub fn of_pack(&self, callee: Callee, types: &[Type]) -> Option<&Arc<Entry>> {
        match self.module.called(callee) {
            Some(function) => self.registry.replacing(function.path, types, self.kind),
            None => self.registry.rule(callee, types, self.kind),
        }
    }
    /// Whether a call is of a function of the module that no rule of a pack stands for.
    pub fn is_derived(&self, callee: Callee, types: &[Type]) -> bool {
        self.module.called(callee).is_some_and(|function| {
            let replacing = self.registry.replacing(function.path, types, self.kind);
            replacing.is_none()
        })
    }
    fn prim(&self, function: &Function, inst: Inst, prim: Prim, smooth: bool) -> Rule {
        use Prim::*;
        let data = &function.insts[inst];
        match prim {
            Store => Rule::Store,
            Set(_) => Rule::Set,
            _ if !smooth => Rule::None,
            Add | Sub | Mul | Div | Rem | Neg | Sqrt | Abs | Floor | Ceil | Trunc | Copysign => {
                self.entry(function, inst, prim.into())
            }
            Load => Rule::Load,
            Get(_) => Rule::Get,
            Select => Rule::Select,
            Cast if function.ty(data.args[0]).is_differentiable() => Rule::Cast,
            Bitcast if function.ty(data.args[0]) == function.ty(data.result) => Rule::Cast,
            Tuple => Rule::Tuple,
            Field(_) => Rule::Field,
            // Addresses: see `slices` and `objects`.
            Subslice | Alloc | Offset | View | Base => Rule::None,
            // From integers and bits.
            Cast | Bitcast => Rule::None,
            // Not floats, or not in a primal.
            Pack | Lane(_) | LoadLanes | StoreLanes => Rule::None,
            Eq | Ne | Lt | Le | Gt | Ge | And | Or | Xor | Not | Shl | Shr | AddOverflows
            | SubOverflows | MulOverflows | Len | Assert(_) | TapePush | TapePop | Peek(_)
            | Poke(_) => Rule::None,
        }
    }
    /// The rule in machine code of a call.
    pub fn native(&self, function: &Function, inst: Inst, callee: Callee) -> Option<&NativeRule> {
        let types = argument_types(function, inst);
        match &self.of_pack(callee, &types)?.kind {
            EntryKind::Native(rule) => Some(rule),
            EntryKind::Scalar(_) | EntryKind::Array(_) => None,
        }
    }
    /// The arguments of a call through which it may write to a slice: those that it takes as `&mut`, whatever they are in the caller.
    pub fn written(&self, function: &Function, inst: Inst) -> Vec<Value> {
        let data = &function.insts[inst];
        let Op::Call(callee) = data.op else {
            return Vec::new();
        };
        let own = self.module.called(callee);
        let given = argument_types(function, inst);
        let types = match self.of_pack(callee, &given) {
            Some(entry) if own.is_none() => &entry.params,
            _ => &given,
        };
        let module = self.module;
        let written = own.and_then(|f| nested::written(module, f).or_else(|| parallel::written(f)));
        { data.args.iter().zip(types).enumerate() }
            .filter(|(_, (_, ty))| matches!(ty, Type::SliceMut(_)))
            .filter(|(n, _)| written.as_ref().and_then(|written| written.get(*n)) != Some(&false))
            .map(|(_, (&value, _))| value)
            .collect()
    }
    /// What to tell the user about an active call without a rule.
    pub fn missing(&self, function: &Function, inst: Inst) -> Diagnostic {
        let diagnostic = missing(function, inst);
        match function.insts[inst].op {
            Op::Call(callee) if self.native(function, inst, callee).is_some() => diagnostic.help(
                "its rule has no `rrule`, which reverse mode needs: use forward mode, or add one",
            ),
            _ => diagnostic,
        }
    }
    fn entry(&self, function: &Function, inst: Inst, callee: Callee) -> Rule {
        let types = argument_types(function, inst);
        match self.of_pack(callee, &types) {
            Some(entry) if matches!(entry.kind, EntryKind::Scalar(_)) => {
                Rule::Scalar(entry.clone())
            }
            Some(entry) => Rule::Array(entry.clone()),
            None => Rule::Missing,
        }
    }
}

pub(in crate::ad) fn argument_types(function: &Function, inst: Inst) -> Vec<Type> {
    let args = &function.insts[inst].args;
    args.iter().map(|&v| function.ty(v)).collect()
}

/// The types of a map's scalar function's arguments.
pub(in crate::ad) fn element_types(function: &Function, inst: Inst) -> Vec<Type> {
    let types = argument_types(function, inst).into_iter();
    types.map(|ty| ty.element().unwrap_or(ty)).collect()
}

/// Which arguments of the instruction the result's derivative reaches.
pub(in crate::ad) fn reaches(rule: &Rule, function: &Function, inst: Inst) -> Vec<bool> {
    let smooth = |v: &Value| function.ty(*v).is_differentiable();
    let args = &function.insts[inst].args;
    match rule {
        Rule::None => vec![false; args.len()],
        Rule::Scalar(entry) => {
            let partials = &scalar(entry).map(|rule| &rule.partials);
            (0..args.len())
                .map(|i| partials.is_some_and(|p| !is_zero(p, i)))
                .collect()
        }
        Rule::Array(entry) => {
            let pullback = array_rule(entry).map(|rule| &rule.pullback);
            (0..args.len())
                .map(|i| pullback.is_some_and(|p| is_given(p, i)))
                .collect()
        }
        Rule::Select => vec![false, smooth(&args[1]), smooth(&args[2])],
        Rule::Store => vec![false, false, tangent::has_rdata(function.ty(args[2]))],
        Rule::Set | Rule::Overwrite => vec![false, tangent::has_rdata(function.ty(args[1]))],
        Rule::Load | Rule::Get | Rule::FromSlice => vec![false; args.len()],
        Rule::Map | Rule::Call | Rule::Cast | Rule::Tuple | Rule::Field | Rule::Missing => {
            args.iter().map(smooth).collect()
        }
    }
}

/// The scalar rule of an entry.
pub(in crate::ad) fn scalar(entry: &Entry) -> Option<&ScalarRule> {
    match &entry.kind {
        EntryKind::Scalar(rule) => Some(rule),
        EntryKind::Array(_) | EntryKind::Native(_) => None,
    }
}

/// The general rule of an entry.
pub(in crate::ad) fn array_rule(entry: &Entry) -> Option<&ArrayRule> {
    match &entry.kind {
        EntryKind::Scalar(_) | EntryKind::Native(_) => None,
        EntryKind::Array(rule) => Some(rule),
    }
}

/// The i-th value of the tuple that a straight-line function returns.
pub(in crate::ad) fn output(function: &Function, i: usize) -> Option<Value> {
    match function.blocks[function.entry()].terminator {
        Terminator::Return(tuple) => {
            let inst = function.def_inst(tuple)?;
            let is_tuple = inst.op == Op::Prim(Prim::Tuple);
            inst.args.get(i).copied().filter(|_| is_tuple)
        }
        _ => None,
    }
}

/// Whether the i-th output is the constant x.
pub(in crate::ad) fn is_constant(function: &Function, i: usize, x: f64) -> bool {
    let constant = output(function, i).and_then(|v| function.as_const(v));
    matches!(constant, Some(crate::ir::Const::Float(c)) if c == x)
}

/// Whether the i-th output is the constant 0.
pub(in crate::ad) fn is_zero(function: &Function, i: usize) -> bool {
    is_constant(function, i, 0.0)
}

/// Whether a pullback gives a cotangent for argument `i`.
pub(in crate::ad) fn is_given(function: &Function, i: usize) -> bool {
    output(function, i).is_some_and(|v| function.ty(v) != Type::UNIT)
}

/// Whether a partial derivative may be infinite or NaN where arguments and result are finite, as that of a square root at 0 is, or that of a power by its
/// exponent. Sums and products of finite numbers are finite, and so is what they are divided by an argument that is not zero: where it is zero, the result
/// of a function of one argument is not finite itself.
pub(in crate::ad) fn may_be_singular(partials: &Function, i: usize) -> bool {
    let params = partials.params();
    let is_binary = params.len() > 2;
    let is_result = |value: Value| params.last() == Some(&value);
    has_step(partials, i, |inst| match inst.op {
        Op::Call(_) | Op::Prim(Prim::Rem | Prim::Sqrt) => is_binary,
        Op::Prim(Prim::Div) => {
            let divisor = inst.args[1];
            let is_computed = partials.def_inst(divisor).is_some();
            is_computed && partials.as_const(divisor).is_none() || !is_binary && is_result(divisor)
        }
        _ => false,
    })
}

/// Whether a partial derivative may be infinite or NaN where the arguments are finite, whatever the result is: it divides by what is no constant, or is that
/// of a function of two arguments and calls a function.
pub(in crate::ad) fn may_be_infinite(partials: &Function, i: usize) -> bool {
    let is_binary = partials.params().len() > 2;
    has_step(partials, i, |inst| match inst.op {
        Op::Call(_) | Op::Prim(Prim::Rem | Prim::Sqrt) => is_binary,
        Op::Prim(Prim::Div) => partials.as_const(inst.args[1]).is_none(),
        _ => false,
    })
}

/// Whether the i-th output is computed with a step like this.
fn has_step(partials: &Function, i: usize, is_it: impl Fn(&InstData) -> bool) -> bool {
    let mut seen = vec![false; partials.values.len()];
    let mut stack: Vec<Value> = output(partials, i).into_iter().collect();
    while let Some(value) = stack.pop() {
        if !std::mem::replace(&mut seen[value.index()], true)
            && let Some(inst) = partials.def_inst(value)
        {
            if is_it(inst) {
                return true;
            }
            stack.extend(&inst.args);
        }
    }
    false
}

/// A partial times a tangent or cotangent, `moving`. Where the partial is a choice, the product is chosen: of the argument that `max` does not choose, the
/// partial is 0 whatever `moving` is, so an infinite one adds nothing to it. Likewise where `moving` is 0 on one way of a choice: what computes the way that a
/// `select` did not take adds nothing, whatever its partials are.
pub(in crate::ad) fn product(b: &mut Builder, partial: Value, moving: Value) -> Value {
    match choice(&b.function, moving) {
        Some(choice) => {
            let value = product(b, partial, choice.value);
            chosen(b, Choice { value, ..choice })
        }
        None => product_within(b, partial, moving, &mut FxHashMap::default()),
    }
}

/// A value that is 0 unless a condition is `if_true`.
#[derive(Clone, Copy)]
struct Choice {
    condition: Value,
    if_true: bool,
    value: Value,
}

/// The value as a choice between another one and 0, if it is one.
fn choice(function: &Function, value: Value) -> Option<Choice> {
    let is_zero = |value: Value| function.as_const(value) == Some(Const::Float(0.0));
    let [condition, yes, no] = ways(function, value)?;
    let (if_true, value) = match (is_zero(yes), is_zero(no)) {
        (false, true) => (true, yes),
        (true, false) => (false, no),
        _ => return None,
    };
    Some(Choice {
        condition,
        if_true,
        value,
    })
}

fn chosen(b: &mut Builder, choice: Choice) -> Value {
    let ty = b.function.ty(choice.value);
    let zero = b.zero(ty);
    let [yes, no] = match choice.if_true {
        true => [choice.value, zero],
        false => [zero, choice.value],
    };
    b.prim_to(Prim::Select, &[choice.condition, yes, no], ty)
}

/// The sum of two cotangents. If both are 0 on the same way of a choice, it is chosen likewise.
pub(in crate::ad) fn sum(b: &mut Builder, one: Value, other: Value) -> Value {
    let choices = (choice(&b.function, one), choice(&b.function, other));
    if let (Some(first), Some(second)) = choices
        && (first.condition, first.if_true) == (second.condition, second.if_true)
    {
        let value = sum(b, first.value, second.value);
        return chosen(b, Choice { value, ..first });
    }
    b.prim(Prim::Add, &[one, other])
}

/// The same; `known` are the products of parts of the partial.
fn product_within(
    b: &mut Builder,
    partial: Value,
    moving: Value,
    known: &mut FxHashMap<Value, Value>,
) -> Value {
    if let Some(&product) = known.get(&partial) {
        return product;
    }
    let ty = b.function.ty(moving);
    let chosen = ways(&b.function, partial).filter(|_| may_choose_zero(&b.function, partial));
    let product = match (chosen, b.function.as_const(partial)) {
        (Some([condition, yes, no]), _) => {
            let yes = product_within(b, yes, moving, known);
            let no = product_within(b, no, moving, known);
            b.prim_to(Prim::Select, &[condition, yes, no], ty)
        }
        (None, Some(Const::Float(1.0))) => moving,
        (None, Some(Const::Float(0.0))) => b.zero(ty),
        _ => b.prim_to(Prim::Mul, &[moving, partial], ty),
    };
    known.insert(partial, product);
    product
}

/// The condition of a choice, and what it chooses from.
fn ways(function: &Function, value: Value) -> Option<[Value; 3]> {
    let row = function.def_inst(value)?;
    match (row.op, &row.args[..]) {
        (Op::Prim(Prim::Select), &[condition, yes, no]) => Some([condition, yes, no]),
        _ => None,
    }
}

/// Whether a choice, perhaps among choices, is 0 on one way.
fn may_choose_zero(function: &Function, partial: Value) -> bool {
    let mut seen = FxHashSet::default();
    let mut open: Vec<Value> = ways(function, partial).map_or(vec![], |[_, yes, no]| vec![yes, no]);
    while let Some(value) = open.pop() {
        if function.as_const(value) == Some(Const::Float(0.0)) {
            return true;
        }
        if seen.insert(value)
            && let Some([_, yes, no]) = ways(function, value)
        {
            open.extend([yes, no]);
        }
    }
    false
}

/// The `product` of a partial that may be singular and a tangent or cotangent, `moving`; or 0 where that is zero and `unknown`, which is the product or the
/// partial, is NaN. An argument that does not move, and a result that does not matter, add nothing, whatever the partial is. Only NaN is replaced, so that the
/// derivative of the product by the tangent or cotangent stays what it is.
pub(in crate::ad) fn unless_zero(
    b: &mut Builder,
    moving: Value,
    product: Value,
    unknown: Value,
) -> Value {
    let ty = b.function.ty(product);
    let zero = b.zero(ty);
    let is_nan = b.prim_to(Prim::Ne, &[unknown, unknown], Type::Bool);
    let is_zero = b.prim_to(Prim::Eq, &[moving, zero], Type::Bool);
    let is_empty = b.prim_to(Prim::And, &[is_nan, is_zero], Type::Bool);
    b.prim_to(Prim::Select, &[is_empty, zero, product], ty)
}

/// Which parameters the i-th output of a straight-line function depends on, and whether it takes calls to compute it.
pub(in crate::ad) fn dependencies(function: &Function, i: usize) -> (Vec<usize>, bool) {
    let read = read_for(function, i, |_, _| true);
    let insts = &function.blocks[function.entry()].insts;
    let calls = insts.iter().map(|&inst| &function.insts[inst]);
    let mut calls = calls.filter(|inst| matches!(inst.op, Op::Call(_)));
    let takes_calls = calls.any(|inst| read[inst.result.index()]);
    (parameters(function, &read), takes_calls)
}

/// Those of the parameters of which more is read than the shape.
pub(in crate::ad) fn contents(function: &Function, i: usize) -> Vec<usize> {
    let reads_elements = |inst: &InstData, n: usize| {
        let host = match inst.op {
            Op::Call(callee) => callee.host_op(),
            _ => None,
        };
        host.and_then(HostOp::shape_argument) != Some(n)
    };
    parameters(function, &read_for(function, i, reads_elements))
}

/// Which values of a straight-line function are read for its i-th output, through those arguments of instructions that `follow` says.
fn read_for(function: &Function, i: usize, follow: impl Fn(&InstData, usize) -> bool) -> Vec<bool> {
    let mut read = vec![false; function.values.len()];
    let mut stack: Vec<Value> = output(function, i).into_iter().collect();
    while let Some(value) = stack.pop() {
        if !std::mem::replace(&mut read[value.index()], true)
            && let Some(inst) = function.def_inst(value)
        {
            let args = inst.args.iter().enumerate();
            stack.extend(args.filter(|(n, _)| follow(inst, *n)).map(|(_, v)| *v));
        }
    }
    read
}

/// The positions of the parameters among these values.
fn parameters(function: &Function, values: &[bool]) -> Vec<usize> {
    let params = function.params().iter().enumerate();
    let among = params.filter(|(_, v)| values[v.index()]);
    among.map(|(n, _)| n).collect()
}

/// Copies what the i-th output of a straight-line function needs to where the builder stands. `copies` holds the
/// parameters it depends on.
pub(in crate::ad) fn inline_output(
    b: &mut Builder,
    function: &Function,
    i: usize,
    copies: &mut FxHashMap<Value, Value>,
) -> Option<Value> {
    let wanted = output(function, i)?;
    let mut needed = vec![false; function.values.len()];
    needed[wanted.index()] = true;
    let insts = &function.blocks[function.entry()].insts;
    for &inst in insts.iter().rev() {
        let data = &function.insts[inst];
        if needed[data.result.index()] {
            data.args.iter().for_each(|v| needed[v.index()] = true);
        }
    }
    for &inst in insts {
        let data = &function.insts[inst];
        if needed[data.result.index()] && !copies.contains_key(&data.result) {
            let args: Option<Vec<Value>> =
                data.args.iter().map(|v| copies.get(v).copied()).collect();
            let copy = b.emit(data.op, &args?, function.ty(data.result));
            copies.insert(data.result, copy);
        }
    }
    copies.get(&wanted).copied()
}

/// The scalar function behind a map: of the module, or one that calls the pack's or does the primitive.
pub(in crate::ad) fn scalar_function(
    lookup: RuleLookup,
    name: Symbol,
    types: &[Type],
) -> Result<Function> {
    let function = lookup.module.functions.get(&name);
    if let Some(function) = function.filter(|_| lookup.is_derived(Callee::Function(name), types)) {
        return Ok(function.clone());
    }
    let prim = Prim::from_mnemonic(name.as_str());
    let ret = match prim {
        Some(prim) => prim_type(prim, types),
        None => { function.map(|function| function.ret) }
            .or_else(|| lookup.registry.call_type(name, types)),
    };
    let Some(ret) = ret else {
        let types: Vec<String> = types.iter().map(Type::to_string).collect();
        let message = format!(
            "`{name}({})` is mapped over arrays, but nothing defines it",
            types.join(", ")
        );
        return Err(Diagnostic::new(Span::NONE, message)
            .help("load the pack that has it")
            .into());
    };
    let mut b = Builder::new(Function::new(name, types, ret));
    let params: Args = b.function.params().into();
    let result = match prim {
        Some(prim) => b.prim(prim, &params),
        None => b.call(name, &params, ret),
    };
    b.ret(result);
    Ok(b.finish())
}

/// The same error, placed where the map stands if it has no place of its own.
pub(in crate::ad) fn at(error: Error, span: Span) -> Error {
    match error {
        Error::User(mut diagnostic) if !diagnostic.span.is_known() => {
            diagnostic.span = span;
            Error::User(diagnostic)
        }
        other => other,
    }
}

/// A value as messages name it.
pub(in crate::ad) fn user_name(function: &Function, value: Value) -> String {
    let position = function.params().iter().position(|&p| p == value);
    match (function.values[value].name, position) {
        (Some(name), _) => format!("`{name}`"),
        (None, Some(n)) => format!("parameter {}", n + 1),
        (None, None) => "a variable".to_owned(),
    }
}

/// What to tell the user who differentiates the rule of a function in machine code, or its `second`.
fn in_machine_code(entry: Symbol, is_second: bool, user: Symbol, span: Span) -> Diagnostic {
    let (order, derivative, wanted, second, instead) = match is_second {
        false => (
            "first",
            "its derivative",
            "second",
            "a `second`, which serves `hvp` (the derivative of a gradient) but not the gradient of a derivative, or ",
            "the gradient",
        ),
        true => (
            "second",
            "its second derivative",
            "third",
            "",
            "second derivatives",
        ),
    };
    let message = format!(
        "the rule of `{entry}` is {order} order: {derivative}, called in `{user}`, is machine code, which cannot be differentiated again"
    );
    Diagnostic::new(span, message).help(format!(
        "for {wanted} derivatives give `{entry}`, if it is a pack's, {second}a `pullback` and a `tangent` made of operations that have rules; if it is the program's, \
         an `overlay` in place of the rule; or take differences of {instead}"
    ))
}

/// What to tell the user about an active call without a rule.
pub(in crate::ad) fn missing(function: &Function, inst: Inst) -> Diagnostic {
    let data = &function.insts[inst];
    let types = argument_types(function, inst);
    no_rule(data.op, &types, function.name, data.span)
}

/// What to tell the user about an operation without a rule, called in `user` with active arguments.
pub(in crate::ad) fn no_rule(op: Op, types: &[Type], user: Symbol, span: Span) -> Diagnostic {
    let name = match op {
        Op::Call(callee) => callee.symbol().as_str(),
        Op::Map(name) => name.as_str(),
        Op::Prim(prim) => prim.mnemonic(),
        Op::Const(_) => "a constant",
    };
    if let Op::Call(Callee::Native(part)) = op {
        return in_machine_code(part.entry, part.moving.is_some(), user, span);
    }
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    let message = format!(
        "no rule gives the derivative of `{name}({})`, called in `{user}` with arguments that depend on active parameters",
        types.join(", "),
    );
    let left_out = left_out(name).map(|advice| format!("{advice}; or "));
    Diagnostic::new(span, message).help(format!(
        "{}load a pack that has a rule for `{name}`, write one (see `mooncake-pack`), mark the function that calls it \
         `#[non_differentiable]` or the parameters it depends on `Const` if the derivative is to be zero, or rewrite the call with functions \
         that have rules",
        left_out.unwrap_or_default()
    ))
}

//! Debug mode: guards around every rule.
//!
//! A rule gives finite numbers for finite ones. Guards say where one does not: after each call of a rule over numbers, for each
//! partial derivative, and for each contribution to a cotangent or a tangent. A rule over arrays takes a cotangent of the result's shape and
//! gives each argument one of the argument's shape, and likewise with tangents: its pullback and its tangents are wrapped in checks of
//! that (`same_shape`), and the array layer looks at the numbers. A derived function is called with shadows and tangents as long as
//! their slices (`guard_length`), and its pullback finds the records on the tape that its forward half has left (`guard_tape`).
//! What has types wrong is found by the verifier, which debug mode always runs.
//!
//! This module adds instructions and knows no derivative. Functions that are mapped over arrays stay as they are: they run
//! in kernels, and the array layer checks what those give.

use crate::ir::build::Builder;
use crate::ir::{
    Callee, Checked, Const, Effect, Fault, Function, Inst, InstData, Module, Op, Prim, ShapeCheck,
    Symbol, Type, Value,
};
use crate::registry::{EntryKind, Registry};
use crate::tangent;
use rustc_hash::FxHashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Adds an instruction and gives its result.
type Emit<'a> = dyn FnMut(Op, &[Value], Type) -> Value + 'a;

/// A value and its type.
type Typed = (Value, Type);

/// Guards the results of every rule over numbers that a normal module calls.
pub fn guard_primal(module: &mut Module, registry: &Registry) {
    let kernels = module.mapped();
    let own: FxHashSet<Symbol> = module.functions.keys().copied().collect();
    for (name, function) in &mut module.functions {
        if !kernels.contains(name) {
            guard_function(function, registry, &own);
        }
    }
}

/// Values that nothing depends on but one side of a `select`: what a formula computes there need not make sense, as in
/// `select(r == 0, 0, a / r)`.
fn one_sided(function: &Function) -> FxHashSet<Value> {
    let mut used_freely = FxHashSet::default();
    let mut one_sided = FxHashSet::default();
    for (_, data) in function.blocks_in_order().rev() {
        data.terminator.for_each_value(|v| {
            used_freely.insert(v);
        });
        for &inst in data.insts.iter().rev() {
            let row = &function.insts[inst];
            let select = row.op == Op::Prim(Prim::Select);
            let inherits = row.op.effect() == Effect::Pure
                && one_sided.contains(&row.result)
                && !used_freely.contains(&row.result);
            for (n, &arg) in row.args.iter().enumerate() {
                let found = match select && n > 0 || inherits {
                    true => &mut one_sided,
                    false => &mut used_freely,
                };
                found.insert(arg);
            }
        }
    }
    one_sided.retain(|v| !used_freely.contains(v));
    one_sided
}

fn guard_function(function: &mut Function, registry: &Registry, own: &FxHashSet<Symbol>) {
    let one_sided = one_sided(function);
    for block in function.layout.clone() {
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            function.blocks[block].insts.push(inst);
            let Some(name) = rule_of_numbers(function, inst, registry, own) else {
                continue;
            };
            let data = function.insts[inst].clone();
            if one_sided.contains(&data.result) {
                continue;
            }
            let (value, inputs) = (
                typed(function, data.result),
                all_typed(function, &data.args),
            );
            let emit =
                &mut |op, args: &[Value], ty| function.append(block, op, args, ty, data.span);
            let fields = match value.1 {
                Type::Tuple(fields) => fields,
                ty => {
                    if ty.is_float() {
                        guard(emit, &given(name), value, &inputs);
                    }
                    continue;
                }
            };
            for (n, &ty) in fields.iter().enumerate().filter(|(_, ty)| ty.is_float()) {
                let field = emit(Op::Prim(Prim::Field(n as u32)), &[value.0], ty);
                guard(emit, &given(name), (field, ty), &inputs);
            }
        }
    }
}

/// The name of the rule that an instruction calls, if it takes and gives numbers only. Whether what is in slices is finite is not known.
fn rule_of_numbers(
    function: &Function,
    inst: Inst,
    registry: &Registry,
    own: &FxHashSet<Symbol>,
) -> Option<Symbol> {
    let InstData { op, args, .. } = &function.insts[inst];
    let name = match *op {
        Op::Call(Callee::Function(name)) if !own.contains(&name) => name,
        Op::Call(Callee::Host(op)) => op.symbol(),
        Op::Prim(prim) => Symbol::from_static(prim.mnemonic()),
        Op::Const(_) | Op::Call(_) | Op::Map(_) => return None,
    };
    let types: Vec<Type> = args.iter().map(|&v| function.ty(v)).collect();
    let entry = registry.find(name, &types)?;
    let given = tangent::leaves(entry.ret);
    let is_of_numbers = match entry.kind {
        EntryKind::Scalar(_) => entry.ret.is_float(),
        EntryKind::Native(_) | EntryKind::Array(_) => {
            entry.params.iter().chain(&given).all(|ty| ty.is_scalar())
        }
    };
    is_of_numbers.then_some(name)
}

/// Guards value and partial derivatives that a native function gives together.
pub(super) fn guard_together(b: &mut Builder, op: Op, args: &[Value], result: Value) {
    let (Op::Call(Callee::WithPartials(name)), Type::Tuple(fields)) = (op, b.function.ty(result))
    else {
        return;
    };
    let inputs = all_typed(&b.function, args);
    for (n, &ty) in fields.iter().enumerate() {
        let value = (b.prim(Prim::Field(n as u32), &[result]), ty);
        let text = match n.checked_sub(1) {
            None => given(name),
            Some(n) => partial_text(name, n),
        };
        guard(
            &mut |op, args, ty| b.emit(op, args, ty),
            &text,
            value,
            &inputs,
        );
    }
}

/// Guards a partial derivative, computed from some of the rule's arguments and result. Where the result is not finite, as far as it is
/// not guarded yet, the partial need not be either.
pub(super) fn guard_partial(
    b: &mut Builder,
    name: Symbol,
    n: usize,
    inputs: &[Value],
    result: Option<Value>,
    partial: Value,
) {
    let (partial, inputs) = (typed(&b.function, partial), all_typed(&b.function, inputs));
    let result: Vec<Typed> = { result.iter() }.map(|&v| typed(&b.function, v)).collect();
    let text = partial_text(name, n);
    let emit = &mut |op, args: &[Value], ty| b.emit(op, args, ty);
    guard_among(emit, &text, partial, &inputs, &result);
}

/// Guards what a rule adds to a tangent: to the cotangent of an argument, or, with `forward`, to the tangent of its result.
pub(super) fn guard_term(
    b: &mut Builder,
    name: Symbol,
    n: usize,
    forward: bool,
    factors: [Value; 2],
    term: Value,
) {
    let (term, factors) = (typed(&b.function, term), all_typed(&b.function, &factors));
    let n = n + 1;
    let what = match forward {
        false => format!("gives its argument {n} the cotangent"),
        true => format!("gives, for its argument {n}, the tangent"),
    };
    let text = format!("debug: `{name}` {what} {{}}, which is {{}} times {{}}");
    let emit = &mut |op, args: &[Value], ty| b.emit(op, args, ty);
    guard(emit, &text, term, &factors);
}

fn given(name: Symbol) -> String {
    format!("debug: `{name}` gives {{}} for {{}}")
}

fn partial_text(name: Symbol, n: usize) -> String {
    format!(
        "debug: the partial derivative of `{name}` by its argument {} is {{}} for {{}}",
        n + 1
    )
}

fn typed(function: &Function, value: Value) -> Typed {
    (value, function.ty(value))
}

fn all_typed(function: &Function, values: &[Value]) -> Vec<Typed> {
    values.iter().map(|&v| typed(function, v)).collect()
}

/// Faults if a value is not finite though all its inputs are. The text's `{}` are the value and its inputs.
fn guard(emit: &mut Emit, text: &str, value: Typed, inputs: &[Typed]) {
    guard_among(emit, text, value, inputs, &[]);
}

/// As [`guard`], if these others are finite too.
fn guard_among(emit: &mut Emit, text: &str, value: Typed, inputs: &[Typed], others: &[Typed]) {
    let inputs: Vec<Typed> = inputs.iter().copied().filter(|i| i.1.is_float()).collect();
    let mut fine = is_finite(emit, value);
    for &input in inputs.iter().chain(others) {
        let known = is_finite(emit, input);
        let unknown = emit(Op::Prim(Prim::Not), &[known], Type::Bool);
        fine = emit(Op::Prim(Prim::Or), &[fine, unknown], Type::Bool);
    }
    let text = match inputs.len() {
        0 => text.replace(" for {}", ""),
        1 => text.to_owned(),
        _ => text.replace(" for {}", " for {} and {}"),
    };
    let mut args = vec![fine];
    for &shown in [value].iter().chain(inputs.iter().take(2)) {
        args.push(bits(emit, shown));
    }
    let fault = Fault::NotFinite(Symbol::new(&text));
    emit(Op::Prim(Prim::Assert(fault)), &args, Type::UNIT);
}

fn is_finite(emit: &mut Emit, (value, ty): Typed) -> Value {
    let infinity = emit(Op::Const(Const::Float(f64::INFINITY)), &[], ty);
    let size = emit(Op::Prim(Prim::Abs), &[value], ty);
    emit(Op::Prim(Prim::Lt), &[size, infinity], Type::Bool)
}

/// A float as an integer, for the fault to show.
fn bits(emit: &mut Emit, (value, ty): Typed) -> Value {
    let wide = match ty {
        Type::F64 => value,
        _ => emit(Op::Prim(Prim::Cast), &[value], Type::F64),
    };
    emit(Op::Prim(Prim::Bitcast), &[wide], Type::U64)
}

/// Guards that a slice which is passed to a function has a shadow, or tangent, of its length.
pub(super) fn guard_length(b: &mut Builder, name: Symbol, n: usize, slice: Value, shadow: Value) {
    if b.function.ty(slice).element().is_none() || b.function.ty(slice).is_array() {
        return;
    }
    // The builder would take their common origin for granted.
    let length = |b: &mut Builder, slice| b.inst(Op::Prim(Prim::Len), &[slice], Type::Usize);
    let (own, found) = (length(b, slice), length(b, shadow));
    let same = b.inst(Op::Prim(Prim::Eq), &[own, found], Type::Bool);
    let text = format!(
        "debug: `{name}` is called with a slice as argument {} whose derivative is of another length",
        n + 1
    );
    b.prim(Prim::Assert(Fault::Panic(Symbol::new(&text))), &[same]);
}

/// Marks each record on the tape with the function that it belongs to and its size, at its end. Who finds another record where its own
/// should be, or one that was taken already, says so: a call in between has left one, or has taken one too many.
pub fn guard_tape(module: &mut Module) {
    for (name, function) in &mut module.functions {
        mark_records(function, owner(*name));
    }
}

/// The number that stands for a function among all that one tape may hold records of: they may be of several modules. Both halves have one.
fn owner(name: Symbol) -> i64 {
    let mut hasher = DefaultHasher::new();
    name.as_str()
        .replacen(".pullback", ".forward", 1)
        .hash(&mut hasher);
    // No number is 0: it says that a record is taken.
    (hasher.finish() >> 34) as i64 + 1
}

fn mark_records(function: &mut Function, number: i64) {
    let name = function.name;
    let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    let spans = insts.map(|&inst| function.insts[inst].span);
    let somewhere = { spans }.find(|span| span.is_known());
    for block in function.layout.clone() {
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            let op = function.insts[inst].op;
            if !matches!(op, Op::Prim(Prim::TapePush | Prim::TapePop)) {
                function.blocks[block].insts.push(inst);
                continue;
            }
            let (record, mut span) = (function.insts[inst].result, function.insts[inst].span);
            if let Some(somewhere) = somewhere.filter(|_| !span.is_known()) {
                span = somewhere;
            }
            let emit = |function: &mut Function, op, args: &[Value], ty| {
                function.append(block, op, args, ty, span)
            };
            let int =
                |function: &mut Function, n, ty| emit(function, Op::Const(Const::Int(n)), &[], ty);
            let (seven, mask, eight) = (
                int(function, 7, Type::Usize),
                int(function, -8, Type::Usize),
                int(function, 8, Type::Usize),
            );
            let (own, taken) = (
                int(function, number << 32, Type::I64),
                int(function, 0, Type::I64),
            );
            let bytes = function.insts[inst].args[0];
            let up = emit(function, Op::Prim(Prim::Add), &[bytes, seven], Type::Usize);
            let end = emit(function, Op::Prim(Prim::And), &[up, mask], Type::Usize);
            let all = emit(function, Op::Prim(Prim::Add), &[end, eight], Type::Usize);
            let size = emit(function, Op::Prim(Prim::Cast), &[all], Type::I64);
            let mark = emit(function, Op::Prim(Prim::Add), &[own, size], Type::I64);
            function.insts[inst].args[0] = all;
            function.blocks[block].insts.push(inst);
            let place = emit(function, Op::Prim(Prim::Offset), &[record, end], Type::Addr);
            if op == Op::Prim(Prim::TapePush) {
                emit(
                    function,
                    Op::Prim(Prim::Poke(0)),
                    &[place, mark],
                    Type::UNIT,
                );
                continue;
            }
            let found = emit(function, Op::Prim(Prim::Peek(0)), &[place], Type::I64);
            let own = emit(function, Op::Prim(Prim::Eq), &[found, mark], Type::Bool);
            let text = format!(
                "debug: `{name}` does not find its record on the tape: a call has left one there, or has taken one too many"
            );
            let fault = Fault::Panic(Symbol::new(&text));
            emit(function, Op::Prim(Prim::Assert(fault)), &[own], Type::UNIT);
            emit(
                function,
                Op::Prim(Prim::Poke(0)),
                &[place, taken],
                Type::UNIT,
            );
        }
    }
}

/// The same rules for debug mode: those over arrays check the shapes of the cotangents and tangents that they take and give, and both
/// transforms guard what the others give.
pub fn checked_rules(registry: &Registry) -> Registry {
    let mut checked = Registry::default();
    for entry in registry.entries() {
        let mut entry = (**entry).clone();
        let (name, count) = (entry.name, entry.params.len());
        if let EntryKind::Array(rule) = &mut entry.kind {
            let leaves = tangent::leaves(entry.ret);
            rule.pullback = check_cotangents(name, &rule.pullback, count, &leaves);
            for (n, tangent) in rule.tangent.iter_mut().enumerate() {
                *tangent = { tangent.as_ref() }.map(|t| check_tangent(name, n, t, count, &leaves));
            }
        }
        // Every entry has a place of its own, as before.
        let _ = checked.insert(entry);
    }
    checked.replacing_as(registry).checked()
}

/// The value, checked to have the shape of another one if they are arrays.
fn same_shape(b: &mut Builder, rule: Symbol, checked: Checked, values: [Value; 2]) -> Value {
    let ty = b.function.ty(values[0]);
    let check = Callee::SameShape(ShapeCheck { rule, checked });
    match ty.is_array() && b.function.ty(values[1]) == ty {
        true => b.call(check, &values, ty),
        false => values[0],
    }
}

/// A function of the same parameters and result, still open.
fn reopened(function: &Function) -> (Builder, Vec<Value>) {
    let (types, ret) = (function.param_types(), function.ret);
    let b = Builder::new(Function::new(function.name, &types, ret));
    let params = b.function.params().to_vec();
    (b, params)
}

/// The parameters, from `count` on, that stand for those leaves of the result that can have a derivative.
fn smooth(leaves: &[Type], count: usize) -> Vec<usize> {
    let smooth = leaves.iter().enumerate();
    let smooth = smooth.filter(|(_, ty)| tangent::has_rdata(**ty));
    smooth.map(|(n, _)| count + n).collect()
}

/// A pullback, `(x…, y…, y̅…) -> (x̅…)`, that compares each y̅ with its y and each x̅ with its x.
fn check_cotangents(name: Symbol, pullback: &Function, count: usize, leaves: &[Type]) -> Function {
    let (mut b, mut params) = reopened(pullback);
    let Type::Tuple(types) = pullback.ret else {
        return pullback.clone();
    };
    for (n, y) in smooth(leaves, count).into_iter().enumerate() {
        let seed = count + leaves.len() + n;
        params[seed] = same_shape(&mut b, name, Checked::Seed, [params[seed], params[y]]);
    }
    let all = b.inline_straight_line(pullback, &params);
    let mut fields = Vec::new();
    for n in 0..types.len().min(count) {
        let field = b.prim(Prim::Field(n as u32), &[all]);
        fields.push(same_shape(
            &mut b,
            name,
            Checked::Cotangent(n + 1),
            [field, params[n]],
        ));
    }
    let tuple = b.prim(Prim::Tuple, &fields);
    b.ret(tuple);
    b.finish()
}

/// What the tangent of the n-th argument adds, `(x…, y…, ẋ) -> (ẏ…)`, compared: ẋ with x and each ẏ with its y.
fn check_tangent(
    name: Symbol,
    n: usize,
    tangent: &Function,
    count: usize,
    leaves: &[Type],
) -> Function {
    let (mut b, mut params) = reopened(tangent);
    let dx = count + leaves.len();
    let direction = [params[dx], params[n]];
    params[dx] = same_shape(&mut b, name, Checked::Direction(n + 1), direction);
    let all = b.inline_straight_line(tangent, &params);
    let mut moved = Vec::new();
    for (output, y) in smooth(leaves, count).into_iter().enumerate() {
        let tangent = b.prim(Prim::Field(output as u32), &[all]);
        moved.push(same_shape(
            &mut b,
            name,
            Checked::Tangent(n + 1),
            [tangent, params[y]],
        ));
    }
    let tuple = b.prim(Prim::Tuple, &moved);
    b.ret(tuple);
    b.finish()
}

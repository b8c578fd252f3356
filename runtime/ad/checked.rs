//! Debug mode: guards around every rule.
//!
//! A rule gives finite numbers for finite ones. Guards say where one does not: after each call of a scalar rule, for each
//! partial derivative, and for each contribution to a cotangent. A rule over arrays gives each argument a cotangent of the
//! argument's shape: its pullback is wrapped in a check of that (`same_shape`), and the array layer looks at the numbers.
//!
//! This module adds instructions and knows no derivative. Functions that are mapped over arrays stay as they are: they run
//! in kernels, and the array layer checks what those give.

use crate::ir::build::Builder;
use crate::ir::{
    Const, Effect, Fault, Function, Inst, InstData, Module, Op, Prim, Symbol, Type, Value,
};
use crate::registry::{EntryKind, HostOp, Registry, WITH_PARTIALS};
use std::collections::HashSet;

/// Adds an instruction and gives its result.
type Emit<'a> = dyn FnMut(Op, &[Value], Type) -> Value + 'a;

/// A value and its type.
type Typed = (Value, Type);

/// Guards the result of every scalar rule that a normal module calls.
pub fn guard_primal(module: &mut Module, registry: &Registry) {
    let kernels = mapped(module);
    let own: HashSet<Symbol> = module.functions.keys().copied().collect();
    for (name, function) in &mut module.functions {
        if !kernels.contains(name) {
            guard_function(function, registry, &own);
        }
    }
}

/// Values that nothing depends on but one side of a `select`: what a formula computes there need not make sense, as in
/// `select(r == 0, 0, a / r)`.
fn one_sided(function: &Function) -> HashSet<Value> {
    let mut used_freely = HashSet::new();
    let mut one_sided = HashSet::new();
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

fn guard_function(function: &mut Function, registry: &Registry, own: &HashSet<Symbol>) {
    let one_sided = one_sided(function);
    for block in function.layout.clone() {
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            function.blocks[block].insts.push(inst);
            let Some(name) = scalar_rule(function, inst, registry, own) else {
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
            guard(emit, &given(name), value, &inputs);
        }
    }
}

/// The functions that are mapped over arrays, and what those call.
fn mapped(module: &Module) -> HashSet<Symbol> {
    let all = module.functions.values();
    let insts =
        all.flat_map(|function| function.blocks_in_order().map(move |row| (function, row.1)));
    let ops = insts.flat_map(|(function, data)| data.insts.iter().map(|&i| function.insts[i].op));
    let mut stack: Vec<Symbol> = ops
        .filter_map(|op| match op {
            Op::Map(name) => Some(name),
            Op::Const(_) | Op::Prim(_) | Op::Call(_) => None,
        })
        .collect();
    let mut seen = HashSet::new();
    while let Some(name) = stack.pop() {
        if seen.insert(name)
            && let Some(function) = module.functions.get(&name)
        {
            stack.extend(super::callees(function));
        }
    }
    seen
}

/// The name of the scalar rule that an instruction calls.
fn scalar_rule(
    function: &Function,
    inst: Inst,
    registry: &Registry,
    own: &HashSet<Symbol>,
) -> Option<Symbol> {
    let InstData { op, args, .. } = &function.insts[inst];
    let name = match *op {
        Op::Call(name) if !own.contains(&name) => name,
        Op::Prim(prim) => Symbol::from_static(prim.mnemonic()),
        Op::Const(_) | Op::Call(_) | Op::Map(_) => return None,
    };
    let types: Vec<Type> = args.iter().map(|&v| function.ty(v)).collect();
    let entry = registry.find(name, &types)?;
    (matches!(entry.kind, EntryKind::Scalar(_)) && entry.ret.is_float()).then_some(name)
}

/// Guards value and partial derivatives that a native function gives together.
pub(super) fn guard_together(b: &mut Builder, op: Op, args: &[Value], result: Value) {
    let Op::Call(name) = op else {
        return;
    };
    let (Some(name), Type::Tuple(fields)) = (
        name.as_str().strip_suffix(WITH_PARTIALS),
        b.function.ty(result),
    ) else {
        return;
    };
    let inputs = all_typed(&b.function, args);
    for (n, &ty) in fields.iter().enumerate() {
        let value = (b.prim(Prim::Field(n as u32), &[result]), ty);
        let text = match n.checked_sub(1) {
            None => given(Symbol::new(name)),
            Some(n) => partial_text(Symbol::new(name), n),
        };
        guard(
            &mut |op, args, ty| b.emit(op, args, ty),
            &text,
            value,
            &inputs,
        );
    }
}

/// Guards a partial derivative, computed from some of the rule's arguments and result.
pub(super) fn guard_partial(
    b: &mut Builder,
    name: Symbol,
    n: usize,
    inputs: &[Value],
    partial: Value,
) {
    let (partial, inputs) = (typed(&b.function, partial), all_typed(&b.function, inputs));
    let text = partial_text(name, n);
    guard(
        &mut |op, args, ty| b.emit(op, args, ty),
        &text,
        partial,
        &inputs,
    );
}

/// Guards what a rule adds to the cotangent of an argument.
pub(super) fn guard_contribution(
    b: &mut Builder,
    name: Symbol,
    n: usize,
    factors: [Value; 2],
    term: Value,
) {
    let (term, factors) = (typed(&b.function, term), all_typed(&b.function, &factors));
    let text = format!(
        "debug: `{name}` gives its argument {} the cotangent {{}}, which is {{}} times {{}}",
        n + 1
    );
    guard(
        &mut |op, args, ty| b.emit(op, args, ty),
        &text,
        term,
        &factors,
    );
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
    let inputs: Vec<Typed> = inputs.iter().copied().filter(|i| i.1.is_float()).collect();
    let mut fine = is_finite(emit, value);
    for &input in &inputs {
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

/// The same rules for debug mode: those over arrays check the shapes of the cotangents they give, and both transforms
/// guard what the others give.
pub fn checked_rules(registry: &Registry) -> Registry {
    let mut checked = Registry::default();
    for entry in registry.entries() {
        let mut entry = (**entry).clone();
        if let EntryKind::General(rule) = &mut entry.kind {
            rule.pullback = check_shapes(&rule.pullback, entry.params.len());
        }
        // Every entry has a place of its own, as before.
        let _ = checked.insert(entry);
    }
    checked.checked()
}

/// A pullback whose i-th cotangent is compared with the i-th argument.
fn check_shapes(pullback: &Function, count: usize) -> Function {
    let mut b = Builder::new(Function::new(
        pullback.name,
        &pullback.param_types(),
        pullback.ret,
    ));
    let params = b.function.params().to_vec();
    let all = b.inline_straight_line(pullback, &params);
    let Type::Tuple(types) = pullback.ret else {
        return pullback.clone();
    };
    let same_shape = Symbol::from_static(HostOp::SameShape.name());
    let mut fields = Vec::new();
    for (i, &ty) in types.iter().enumerate().take(count) {
        let field = b.prim(Prim::Field(i as u32), &[all]);
        fields.push(match ty.is_array() {
            true => b.call(same_shape, &[field, params[i]], ty),
            false => field,
        });
    }
    let tuple = b.prim(Prim::Tuple, &fields);
    b.ret(tuple);
    b.finish()
}

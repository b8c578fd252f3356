//! What the reverse pass does for each instruction, and which primal values that takes.

use super::activity::Activity;
use super::primal::Primal;
use super::rule::{self, Rule};
use super::vjp::Vjp;
use super::{Callee, Derivation, Form, Kernel};
use crate::diag::Result;
use crate::ir::{Args, Block, Inst, Op, Prim, Symbol, Type, Value};
use crate::registry::{Entry, WITH_PARTIALS};
use std::collections::HashMap;
use std::sync::Arc;

/// A partial derivative, as the reverse pass gets it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Partial {
    /// The constant 1.
    One,
    /// A value that the forward pass computed together with the result.
    Native(Value),
    /// The n-th output of the rule's partials, computed in the reverse pass.
    Formula(usize),
}

/// The reverse of an instruction.
pub(super) enum Action {
    /// x̅ᵢ += y̅ · ∂ᵢ for each (xᵢ, ∂ᵢ).
    Scalar {
        entry: Arc<Entry>,
        args: Args,
        terms: Vec<(Value, Partial)>,
    },
    /// x̅ᵢ += the pullback's i-th output.
    General { entry: Arc<Entry>, args: Vec<usize> },
    /// x̅ᵢ += the derived kernel's output, summed over what xᵢ was broadcast along.
    Map(Arc<Vjp>),
    /// Calls the callee's pullback.
    Call(Callee),
    /// shadow[i] += y̅.
    Load,
    /// v̅ += shadow[i]; shadow[i] = 0; slice[i] = old.
    Store { old: Value },
    /// a̅ += select(c, y̅, 0); b̅ += select(c, 0, y̅).
    Select,
    /// x̅ += cast(y̅).
    Cast,
    /// Each leaf to its argument.
    Tuple,
    /// The leaves of one field, to those of the tuple.
    Field(u32),
}

/// The actions of a function.
pub(super) type Actions = HashMap<Inst, Action>;

/// Decides the reverse of every instruction. Adds to the forward pass what the reverse takes: the old values of memory
/// before stores, and partials where a native function gives them along with the value.
pub(super) fn plan(
    derivation: &mut Derivation,
    primal: &mut Primal,
    activity: &Activity,
    form: &Form,
) -> Result<Actions> {
    let mut actions = Actions::new();
    for block in primal.order().to_vec() {
        for inst in primal.function.blocks[block].insts.clone() {
            if let Some(action) = action(derivation, primal, activity, form, block, inst)? {
                actions.insert(inst, action);
            }
        }
    }
    primal.index();
    Ok(actions)
}

fn action(
    derivation: &mut Derivation,
    primal: &mut Primal,
    activity: &Activity,
    form: &Form,
    block: Block,
    inst: Inst,
) -> Result<Option<Action>> {
    let row = primal.function.insts[inst].clone();
    let active = activity.is_active(primal, row.result);
    let is_active = |v: &Value| activity.is_active(primal, *v);
    Ok(match activity.rule(inst) {
        Rule::Store => {
            let old = old_value(primal, block, inst);
            Some(Action::Store { old })
        }
        Rule::Call => {
            let callee = callee(derivation, primal, activity, inst)?;
            callee.map(Action::Call)
        }
        _ if !active => None,
        Rule::None => None,
        Rule::Missing => return Err(rule::missing(&primal.function, inst).into()),
        Rule::Scalar(entry) => {
            let wanted: Vec<usize> = (0..row.args.len())
                .filter(|&i| is_active(&row.args[i]))
                .collect();
            Some(scalar(primal, block, inst, entry, &wanted, form))
        }
        Rule::General(entry) => Some(Action::General {
            entry: entry.clone(),
            args: (0..row.args.len())
                .filter(|&i| is_active(&row.args[i]))
                .collect(),
        }),
        Rule::Map => {
            let Op::Map(name) = row.op else {
                return Ok(None);
            };
            Some(Action::Map(map(derivation, primal, activity, inst, name)?))
        }
        Rule::Load => Some(Action::Load),
        Rule::Select => Some(Action::Select),
        Rule::Cast => Some(Action::Cast),
        Rule::Tuple => Some(Action::Tuple),
        Rule::Field => match row.op {
            Op::Prim(Prim::Field(n)) => Some(Action::Field(n)),
            _ => None,
        },
    })
}

/// Loads what a store overwrites, before it does.
fn old_value(primal: &mut Primal, block: Block, store: Inst) -> Value {
    let row = primal.function.insts[store].clone();
    let ty = primal.ty(row.args[2]);
    insert_before(
        primal,
        block,
        store,
        Op::Prim(Prim::Load),
        &row.args[..2],
        ty,
    )
}

fn insert_before(
    primal: &mut Primal,
    block: Block,
    before: Inst,
    op: Op,
    args: &[Value],
    ty: Type,
) -> Value {
    let function = &mut primal.function;
    let span = function.insts[before].span;
    let inst = function.make_inst(op, args, ty, span);
    let insts = &mut function.blocks[block].insts;
    let at = insts
        .iter()
        .position(|&i| i == before)
        .unwrap_or(insts.len());
    insts.insert(at, inst);
    function.insts[inst].result
}

/// The reverse of a scalar call. Where a wanted partial would take another call (the cosine of a sine) and the pack has
/// a function that gives value and partials together, the forward pass calls that one.
fn scalar(
    primal: &mut Primal,
    block: Block,
    inst: Inst,
    entry: &Arc<Entry>,
    wanted: &[usize],
    form: &Form,
) -> Action {
    let row = primal.function.insts[inst].clone();
    let partials = rule::scalar(entry).map(|r| &r.partials);
    let is_one = |i: usize| partials.is_some_and(|p| rule::is_constant(p, i, 1.0));
    let is_zero = |i: usize| partials.is_some_and(|p| rule::is_constant(p, i, 0.0));
    let calls = |i: usize| partials.is_some_and(|p| rule::dependencies(p, i).1);
    let together = rule::scalar(entry).is_some_and(|r| r.with_partials.is_some());
    let native = match form {
        // Kernels run on devices that have no native functions.
        Form::Elementwise { .. } => None,
        _ if together && wanted.iter().any(|&i| calls(i)) => {
            Some(call_with_partials(primal, block, inst, entry))
        }
        _ => None,
    };
    let partial = |i: usize| match &native {
        _ if is_one(i) => Partial::One,
        Some(values) if calls(i) => Partial::Native(values[i]),
        _ => Partial::Formula(i),
    };
    let terms = wanted
        .iter()
        .filter(|&&i| !is_zero(i))
        .map(|&i| (row.args[i], partial(i)))
        .collect();
    Action::Scalar {
        entry: entry.clone(),
        args: row.args,
        terms,
    }
}

/// Replaces `y = call f(x…)` by `t = call f.with_partials(x…); y = field 0 t; ∂ᵢ = field i+1 t`, and gives the ∂ᵢ.
fn call_with_partials(primal: &mut Primal, block: Block, inst: Inst, entry: &Entry) -> Vec<Value> {
    let args = primal.function.insts[inst].args.clone();
    let tuple = Type::tuple(&vec![entry.ret; args.len() + 1]);
    let op = Op::Call(Symbol::new(&format!("{}{WITH_PARTIALS}", entry.name)));
    let together = insert_before(primal, block, inst, op, &args, tuple);
    let row = &mut primal.function.insts[inst];
    row.op = Op::Prim(Prim::Field(0));
    row.args = [together].into_iter().collect();
    (1..=args.len())
        .map(|i| {
            let op = Op::Prim(Prim::Field(i as u32));
            insert_before(primal, block, inst, op, &[together], entry.ret)
        })
        .collect()
}

/// The derived rule of a function that stays a call, and which of its parameters are active here. A call without
/// active arguments is left alone, unless it may write to memory, which the reverse pass must undo.
fn callee(
    derivation: &mut Derivation,
    primal: &Primal,
    activity: &Activity,
    inst: Inst,
) -> Result<Option<Callee>> {
    let row = &primal.function.insts[inst];
    let is_slice = |v: &Value| matches!(primal.ty(*v), Type::Slice(_) | Type::SliceMut(_));
    let mutable = |v: &Value| matches!(primal.ty(*v), Type::SliceMut(_));
    let active: Vec<bool> = row
        .args
        .iter()
        .map(|v| match is_slice(v) {
            true => activity.has_shadow(*v),
            false => activity.is_active(primal, *v),
        })
        .collect();
    if !activity.is_active(primal, row.result) && !row.args.iter().any(mutable) {
        return Ok(None);
    }
    match row.op {
        Op::Call(name) => derivation.callee(name, active).map(Some),
        _ => Ok(None),
    }
}

/// The derived kernel of an elementwise function.
fn map(
    derivation: &mut Derivation,
    primal: &Primal,
    activity: &Activity,
    inst: Inst,
    name: Symbol,
) -> Result<Arc<Vjp>> {
    let row = &primal.function.insts[inst];
    let is_active = |v: Value| activity.is_active(primal, v);
    let element = |&v: &Value| primal.ty(v).element().unwrap_or(primal.ty(v));
    let seeded = match primal.ty(row.result) {
        Type::Tuple(fields) => (0..fields.len())
            .map(|n| field(primal, row.result, n).is_some_and(is_active))
            .collect(),
        _ => vec![true],
    };
    let kernel = Kernel {
        name,
        types: row.args.iter().map(element).collect(),
        active: row.args.iter().map(|&v| is_active(v)).collect(),
        seeded,
    };
    let vjp = derivation.vjp(kernel);
    vjp.map_err(|error| super::vjp::at(error, row.span))
}

/// The value that is field `n` of a tuple, if an instruction reads it.
pub(super) fn field(primal: &Primal, tuple: Value, n: usize) -> Option<Value> {
    let op = Op::Prim(Prim::Field(n as u32));
    let insts = &primal.function.blocks[primal.def_block(tuple)].insts;
    insts
        .iter()
        .map(|&i| &primal.function.insts[i])
        .find(|row| row.op == op && row.args[0] == tuple)
        .map(|row| row.result)
}

impl Action {
    /// The primal values that the reverse of `inst` takes. `null` says whether the cotangent of an array may be absent.
    pub fn needs(&self, primal: &Primal, inst: Inst, null: &dyn Fn(Value) -> bool) -> Vec<Value> {
        let row = &primal.function.insts[inst];
        match self {
            Action::Scalar { entry, args, terms } => {
                let partials = rule::scalar(entry).map(|r| &r.partials);
                let mut needs = Vec::new();
                for (_, partial) in terms {
                    match partial {
                        Partial::One => {}
                        Partial::Native(value) => needs.push(*value),
                        Partial::Formula(i) => {
                            let used = partials.map(|p| rule::dependencies(p, *i).0);
                            let used = used.unwrap_or_default().into_iter();
                            needs.extend(used.map(|n| *args.get(n).unwrap_or(&row.result)));
                        }
                    }
                }
                needs
            }
            Action::General { entry, args } => {
                let Some(rule) = rule::general(entry) else {
                    return Vec::new();
                };
                let value = |n: usize| match n.cmp(&row.args.len()) {
                    std::cmp::Ordering::Less => Some(row.args[n]),
                    std::cmp::Ordering::Equal => Some(row.result),
                    std::cmp::Ordering::Greater => None,
                };
                let used = args
                    .iter()
                    .flat_map(|&i| rule::dependencies(&rule.pullback, i).0);
                used.filter_map(value)
                    .chain(null(row.result).then_some(row.result))
                    .collect()
            }
            Action::Map(vjp) => vjp.needs(primal, inst, null),
            Action::Call(_) => row.args.to_vec(),
            Action::Load => row.args.to_vec(),
            Action::Store { old } => vec![row.args[0], row.args[1], *old],
            Action::Select => vec![row.args[0]],
            Action::Cast | Action::Tuple | Action::Field(_) => Vec::new(),
        }
    }
    /// The values to whose cotangents the reverse adds.
    pub fn targets(&self, primal: &Primal, activity: &Activity, inst: Inst) -> Vec<Value> {
        let row = &primal.function.insts[inst];
        let active = |v: &&Value| activity.is_active(primal, **v);
        match self {
            Action::Scalar { terms, .. } => terms.iter().map(|(v, _)| *v).collect(),
            Action::Load => Vec::new(),
            Action::Store { .. } => row.args[2..].iter().filter(active).copied().collect(),
            Action::Select => row.args[1..].iter().filter(active).copied().collect(),
            Action::General { .. }
            | Action::Map(_)
            | Action::Call(_)
            | Action::Cast
            | Action::Tuple
            | Action::Field(_) => row.args.iter().filter(active).copied().collect(),
        }
    }
}

/// Whether the cotangent of an array may be absent when the reverse pass comes to the array's definition: it is certain
/// to be there only if some use in the same block always gives one.
pub(super) fn may_be_null(
    primal: &Primal,
    activity: &Activity,
    actions: &Actions,
    seeds_given: bool,
    value: Value,
) -> bool {
    if !primal.ty(value).is_array() {
        return false;
    }
    let block = primal.def_block(value);
    let gives = |inst: &Inst| {
        matches!(
            actions.get(inst),
            Some(Action::General { .. } | Action::Map(_))
        ) && actions[inst]
            .targets(primal, activity, *inst)
            .contains(&value)
    };
    let in_tuple = |t: Value| {
        let row = primal.function.def_inst(t);
        row.is_some_and(|row| row.op == Op::Prim(Prim::Tuple) && row.args.contains(&value))
    };
    let seeded = seeds_given
        && primal.end() == Some(block)
        && primal.returned().is_some_and(|r| r == value || in_tuple(r));
    let mut insts = primal.function.blocks[block].insts.iter();
    !(seeded || insts.any(gives))
}

//! What the reverse pass does for each instruction, and which primal values that takes.

use super::activity::Activity;
use super::objects::{own_memory, rereading_pays, written};
use super::primal::Primal;
use super::vjp::{Outcome, Vjp};
use super::{Derivation, DerivedKind, Halves, Kernel};
use crate::ad::rule::{self, Rule};
use crate::diag::{Diagnostic, Error, Result};
use crate::ir::{
    Args, Block, Callee, Function, HostOp, Inst, InstData, Op, Prim, Symbol, Type, Value,
};
use crate::registry::Entry;
use crate::tangent::{self, Home};
use rustc_hash::{FxHashMap, FxHashSet};
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
    Array {
        entry: Arc<Entry>,
        args: Vec<usize>,
        /// The leaves of the result.
        results: Vec<Value>,
    },
    /// x̅ᵢ += the derived kernel's output, summed over what xᵢ was broadcast along.
    Map(Arc<Vjp>),
    /// Calls the callee's pullback.
    Call {
        callee: Halves,
        /// Of a native rule the leaves of the result: its pullback gets the arrays among them.
        results: Vec<Value>,
    },
    /// shadow[i] += y̅.
    Load,
    /// v̅ += shadow[i]; shadow[i] = 0; slice[i] = old, if somebody can see it.
    Store { old: Option<Value> },
    /// shadow += y̅, for a whole slice.
    FromSlice,
    /// As a store, for a whole slice: a̅ += shadow; shadow = 0; slice = old.
    Overwrite { old: Option<Value> },
    /// shadow.n += y̅.
    Get(u32),
    /// As a store: v̅ += shadow.n; shadow.n = 0; object.n = old. Pointers and integers only have the last.
    Set { field: u32, old: Option<Value> },
    /// a̅ += select(c, y̅, 0); b̅ += select(c, 0, y̅).
    Select,
    /// x̅ += cast(y̅).
    Cast,
    /// Each leaf to its argument.
    Tuple,
    /// The leaves of one field, to those of the tuple.
    Field(u32),
    /// No rule: the forward pass faults here.
    Missing(Diagnostic),
}

/// The actions of a function.
pub(super) type Actions = FxHashMap<Inst, Action>;

/// Decides the reverse of every instruction. Adds to the forward pass what the reverse takes: the old values of memory
/// before stores, and partials where a native function gives them along with the value.
pub(super) fn plan(
    derivation: &mut Derivation,
    primal: &mut Primal,
    activity: &Activity,
    kind: &DerivedKind,
) -> Result<Actions> {
    let mut actions = Actions::default();
    let own = match rereading_pays(primal) {
        true => FxHashSet::default(),
        false => own_memory(primal),
    };
    for block in primal.order().to_vec() {
        for inst in primal.function.blocks[block].insts.clone() {
            let action = match activity.rule(inst) {
                Rule::Store | Rule::Set | Rule::Overwrite => {
                    write(primal, activity, &own, block, inst)
                }
                _ => action(derivation, primal, activity, kind, block, inst)?,
            };
            if let Some(action) = action {
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
    kind: &DerivedKind,
    block: Block,
    inst: Inst,
) -> Result<Option<Action>> {
    let row = primal.function.insts[inst].clone();
    let active = activity.is_active(primal, row.result);
    let is_active = |v: &Value| activity.is_active(primal, *v);
    Ok(match activity.rule(inst) {
        Rule::Store | Rule::Set | Rule::Overwrite => None,
        Rule::Call => {
            let callee = callee(derivation, primal, activity, kind, inst)?;
            callee.map(|callee| Action::Call {
                results: match callee.native {
                    true => results(primal, block, inst),
                    false => Vec::new(),
                },
                callee,
            })
        }
        Rule::Missing
            if is_half(&row.op) && row.args.iter().any(|v| varies(activity, primal, *v)) =>
        {
            let diagnostic = rule::missing(&primal.function, inst);
            Some(missing(derivation, primal, kind, block, diagnostic)?)
        }
        _ if !active => None,
        Rule::None => None,
        Rule::Missing => {
            let diagnostic = derivation.lookup.missing(&primal.function, inst);
            Some(missing(derivation, primal, kind, block, diagnostic)?)
        }
        Rule::Scalar(entry) => {
            let wanted: Vec<usize> = (0..row.args.len())
                .filter(|&i| is_active(&row.args[i]))
                .collect();
            Some(scalar(primal, block, inst, entry, &wanted, kind))
        }
        Rule::Array(entry) => Some(Action::Array {
            entry: entry.clone(),
            // An argument that the pullback gives nothing may vary all the same: it may be one whose shape alone is read. What a linked
            // pullback does it does also where nobody asks for what it gives.
            args: (0..row.args.len())
                .filter(|&i| is_active(&row.args[i]) || primal.is_linked(inst))
                .filter(|&i| {
                    let rule = rule::array_rule(entry);
                    rule.is_some_and(|rule| rule::is_given(&rule.pullback, i))
                })
                .collect(),
            results: results(primal, block, inst),
        }),
        Rule::Map => {
            let Op::Map(name) = row.op else {
                return Ok(None);
            };
            match map(derivation, primal, activity, inst, name) {
                Ok(vjp) => Some(Action::Map(vjp)),
                Err(Error::User(diagnostic)) => {
                    // Without a value there is no program.
                    let types = rule::element_types(&primal.function, inst);
                    rule::scalar_function(derivation.lookup, name, &types)?;
                    Some(missing(derivation, primal, kind, block, diagnostic)?)
                }
                Err(other) => return Err(other),
            }
        }
        Rule::Load => Some(Action::Load),
        Rule::FromSlice => Some(Action::FromSlice),
        Rule::Get => match row.op {
            Op::Prim(Prim::Get(field)) => Some(Action::Get(field)),
            _ => None,
        },
        Rule::Select => Some(Action::Select),
        Rule::Cast => Some(Action::Cast),
        Rule::Tuple => Some(Action::Tuple),
        Rule::Field => match row.op {
            Op::Prim(Prim::Field(n)) => Some(Action::Field(n)),
            _ => None,
        },
    })
}

/// What has no rule does no harm where it does not run. So it is an error of the program, when that comes to it; an error
/// of the derivation only where the function that was asked for always comes to it. Kernels have no way out.
fn missing(
    derivation: &Derivation,
    primal: &Primal,
    kind: &DerivedKind,
    block: Block,
    diagnostic: Diagnostic,
) -> Result<Action> {
    let root = primal.function.name == derivation.lookup.module.root;
    let always = |end| primal.flow.dominates(block, end);
    match matches!(kind, DerivedKind::Elementwise { .. }) || root && primal.end().is_none_or(always)
    {
        true => Err(diagnostic.into()),
        false => Ok(Action::Missing(diagnostic)),
    }
}

/// The reverse of writing to memory. What it overwrites is read before, unless the memory is the function's own.
fn write(
    primal: &mut Primal,
    activity: &Activity,
    own: &FxHashSet<Value>,
    block: Block,
    inst: Inst,
) -> Option<Action> {
    let row = primal.function.insts[inst].clone();
    let (&value, place) = row.args.split_last()?;
    let ty = primal.ty(value);
    let read = match row.op {
        Op::Prim(Prim::Set(field)) => Op::Prim(Prim::Get(field)),
        Op::Call(_) => Op::Call(HostOp::FromSlice.into()),
        _ => Op::Prim(Prim::Load),
    };
    let visible = !own.contains(&place[0]);
    let old = (visible && !is_first_write(primal, block, inst)).then(|| {
        match read_already(primal, block, inst, read, place) {
            Some(old) => old,
            None => insert_before(primal, block, inst, read, place, ty),
        }
    });
    let smooth = tangent::has_rdata(ty) && activity.has_shadow(place[0]);
    match read {
        _ if !visible && !smooth => None,
        Op::Prim(Prim::Get(field)) => Some(Action::Set { field, old }),
        Op::Call(_) => Some(Action::Overwrite { old }),
        _ => Some(Action::Store { old }),
    }
}

/// Whether a write gives a field of an object its first content: the block has made the object, and has done nothing with it since but write to it. What was
/// there before, nobody reads on the way back.
pub(super) fn is_first_write(primal: &Primal, block: Block, write: Inst) -> bool {
    let function = &primal.function;
    let object = function.insts[write].args[0];
    let insts = function.blocks[block].insts.iter();
    let mut before = insts.take_while(|&&inst| inst != write);
    let is_made = |&&inst: &&Inst| {
        function.insts[inst].result == object && function.insts[inst].op == Op::Prim(Prim::Alloc)
    };
    let is_set = matches!(function.insts[write].op, Op::Prim(Prim::Set(_)));
    is_set
        && before.any(|inst| is_made(&inst))
        && before.all(|&inst| {
            let row = &function.insts[inst];
            let is_set = matches!(row.op, Op::Prim(Prim::Set(_)));
            let others = &row.args[usize::from(is_set && row.args[0] == object)..];
            !others.contains(&object)
        })
}

/// The content of a place that a block has read in front of a write to it, with no other write between, as in `x[i] *= a`: so it is kept once.
fn read_already(
    primal: &Primal,
    block: Block,
    write: Inst,
    read: Op,
    place: &[Value],
) -> Option<Value> {
    let function = &primal.function;
    let insts = &function.blocks[block].insts;
    let at = insts.iter().position(|&inst| inst == write)?;
    for &inst in insts[..at].iter().rev() {
        let row = &function.insts[inst];
        let mut pairs = row.args.iter().zip(place);
        match row.op {
            op if op == read && pairs.all(|(&a, &b)| is_same(function, a, b)) => {
                return Some(row.result);
            }
            _ if !written(primal, inst).is_empty() => return None,
            _ => {}
        }
    }
    None
}

/// Whether two values are computed alike from the same values. Slices are viewed anew where they are used.
fn is_same(function: &Function, a: Value, b: Value) -> bool {
    let rows = (function.def_inst(a), function.def_inst(b));
    a == b
        || matches!(rows, (Some(x), Some(y)) if x.op == y.op
            && matches!(x.op, Op::Const(_) | Op::Prim(Prim::View | Prim::Offset | Prim::Base))
            && function.ty(a) == function.ty(b)
            && x.args.iter().zip(&y.args).all(|(&x, &y)| is_same(function, x, y)))
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

fn insert_after(
    primal: &mut Primal,
    block: Block,
    after: Inst,
    op: Op,
    args: &[Value],
    ty: Type,
) -> Value {
    let insts = &primal.function.blocks[block].insts;
    let next = insts.iter().skip_while(|&&i| i != after).nth(1).copied();
    if let Some(next) = next {
        return insert_before(primal, block, next, op, args, ty);
    }
    let function = &mut primal.function;
    let span = function.insts[after].span;
    function.append(block, op, args, ty, span)
}

/// The reverse of a scalar call. Where a wanted partial would take another call (the cosine of a sine) and the pack has
/// a function that gives value and partials together, the forward pass calls that one.
fn scalar(
    primal: &mut Primal,
    block: Block,
    inst: Inst,
    entry: &Arc<Entry>,
    wanted: &[usize],
    kind: &DerivedKind,
) -> Action {
    let row = primal.function.insts[inst].clone();
    let partials = rule::scalar(entry).map(|r| &r.partials);
    let is_one = |i: usize| partials.is_some_and(|p| rule::is_constant(p, i, 1.0));
    let is_zero = |i: usize| partials.is_some_and(|p| rule::is_constant(p, i, 0.0));
    let calls = |i: usize| partials.is_some_and(|p| rule::dependencies(p, i).1);
    let together = rule::scalar(entry).is_some_and(|r| r.with_partials.is_some());
    let native = match kind {
        // Kernels run on devices that have no native functions.
        DerivedKind::Elementwise { .. } => None,
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
    let op = Op::Call(Callee::WithPartials(entry.name));
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

/// The leaves of a call's result, which are fields if there are several.
fn results(primal: &mut Primal, block: Block, inst: Inst) -> Vec<Value> {
    let result = primal.function.insts[inst].result;
    let Type::Tuple(fields) = primal.ty(result) else {
        return vec![result];
    };
    let mut leaves = Vec::new();
    for (n, &ty) in fields.iter().enumerate() {
        let found = field(primal, result, n);
        let op = Op::Prim(Prim::Field(n as u32));
        leaves.push(found.unwrap_or_else(|| insert_after(primal, block, inst, op, &[result], ty)));
    }
    leaves
}

/// The derived rule of a function that stays a call, and which of its parameters are active here. A call without
/// active arguments is left alone, unless it may write to memory, which the reverse pass must undo.
fn callee(
    derivation: &mut Derivation,
    primal: &Primal,
    activity: &Activity,
    kind: &DerivedKind,
    inst: Inst,
) -> Result<Option<Halves>> {
    let row = &primal.function.insts[inst];
    let Op::Call(Callee::Function(name)) = row.op else {
        return Ok(None);
    };
    let shadowed = kind.is_shadowed() && derivation.passes_shadows(name);
    let mutable = |v: &Value| matches!(primal.ty(*v), Type::SliceMut(_) | Type::Ptr);
    let linked = primal.is_linked(inst);
    if !linked
        && !shadowed
        && !activity.is_active(primal, row.result)
        && !row.args.iter().any(mutable)
    {
        return Ok(None);
    }
    let function = derivation.lookup.module.functions.get(&name);
    let params = function.map_or(row.args.len(), |f| f.params().len());
    let is_native = function.is_none();
    let active = row.args[..params]
        .iter()
        .map(|v| match tangent::home(primal.ty(*v)) {
            Home::Fdata => activity.has_shadow(*v),
            Home::Rdata | Home::Nowhere => activity.is_active(primal, *v),
        })
        .collect();
    match is_native {
        true => Ok(Some(Halves::native(name, active))),
        false => derivation.callee(name, active, shadowed).map(Some),
    }
}

/// Whether an operation is a part of a native rule: derived code is derived again.
fn is_half(op: &Op) -> bool {
    matches!(op, Op::Call(Callee::Native(_)))
}

/// Whether a value or the memory that it leads to depends on active parameters.
fn varies(activity: &Activity, primal: &Primal, value: Value) -> bool {
    match tangent::home(primal.ty(value)) {
        Home::Fdata => activity.has_shadow(value),
        Home::Rdata | Home::Nowhere => activity.is_active(primal, value),
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
    let seeded = match primal.ty(row.result) {
        Type::Tuple(fields) => (0..fields.len())
            .map(|n| field(primal, row.result, n).is_some_and(is_active))
            .collect(),
        _ => vec![true],
    };
    let kernel = Kernel {
        name,
        types: rule::element_types(&primal.function, inst),
        active: row.args.iter().map(|&v| is_active(v)).collect(),
        seeded,
    };
    let vjp = derivation.vjp(kernel);
    vjp.map_err(|error| rule::at(error, row.span))
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

/// The primal value that is the n-th argument of an array rule's pullback: an argument or a result. What comes after them are cotangents.
fn pullback_argument(row: &InstData, results: &[Value], n: usize) -> Option<Value> {
    row.args.iter().chain(results).nth(n).copied()
}

impl Action {
    /// The primal arrays whose shapes the reverse of `inst` takes. `null` says whether the cotangent of an array may be absent: zeros in the array's
    /// shape stand for it then.
    pub fn shapes(&self, primal: &Primal, inst: Inst, null: &dyn Fn(Value) -> bool) -> Vec<Value> {
        let row = &primal.function.insts[inst];
        match self {
            Action::Array {
                entry,
                args,
                results,
            } => {
                let Some(rule) = rule::array_rule(entry) else {
                    return Vec::new();
                };
                let given = args.iter();
                let used = given.flat_map(|&i| rule::dependencies(&rule.pullback, i).0);
                let used = used.filter_map(|n| pullback_argument(row, results, n));
                let absent = results.iter().copied().filter(|&v| null(v));
                used.chain(absent).collect()
            }
            Action::Map(vjp) => vjp.shapes(primal, inst, null),
            _ => Vec::new(),
        }
    }
    /// The primal values that the reverse of `inst` takes.
    pub fn needs(&self, primal: &Primal, inst: Inst) -> Vec<Value> {
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
            Action::Array {
                entry,
                args,
                results,
            } => {
                let Some(rule) = rule::array_rule(entry) else {
                    return Vec::new();
                };
                let used = args.iter().flat_map(|&i| rule::contents(&rule.pullback, i));
                used.filter_map(|n| pullback_argument(row, results, n))
                    .collect()
            }
            Action::Map(vjp) => vjp.needs(primal, inst),
            Action::Call { callee, results } => {
                let mut needs = row.args.to_vec();
                needs.extend(results.iter().filter(|&&v| primal.ty(v).is_array()));
                if !callee.takes_shadows {
                    let shadows = row.args.iter().filter_map(|&v| primal.shadows.of(v));
                    needs.extend(shadows);
                }
                needs
            }
            Action::Load => vec![shadow_source(primal, row.args[0]), row.args[1]],
            Action::Store { old } => {
                let mut needs = vec![shadow_source(primal, row.args[0]), row.args[1]];
                needs.extend(old.iter().flat_map(|&old| [row.args[0], old]));
                needs
            }
            Action::FromSlice => vec![shadow_source(primal, row.args[0])],
            Action::Overwrite { old } => {
                let mut needs = vec![shadow_source(primal, row.args[0])];
                needs.extend(old.iter().flat_map(|&old| [row.args[0], old]));
                needs
            }
            Action::Get(_) => vec![shadow_source(primal, row.args[0])],
            Action::Set { old, .. } => {
                let mut needs = Vec::new();
                if let (true, Some(shadow)) = (
                    tangent::has_rdata(primal.ty(row.args[1])),
                    primal.shadows.of(row.args[0]),
                ) {
                    needs.push(shadow);
                }
                needs.extend(old.iter().flat_map(|&old| [row.args[0], old]));
                needs
            }
            Action::Select => vec![row.args[0]],
            Action::Cast | Action::Tuple | Action::Field(_) | Action::Missing(_) => Vec::new(),
        }
    }
    /// The values to whose cotangents the reverse adds.
    pub fn targets(&self, primal: &Primal, activity: &Activity, inst: Inst) -> Vec<Value> {
        let row = &primal.function.insts[inst];
        let active = |v: &&Value| activity.is_active(primal, **v);
        match self {
            Action::Scalar { terms, .. } => terms.iter().map(|(v, _)| *v).collect(),
            Action::Load | Action::FromSlice | Action::Get(_) | Action::Missing(_) => Vec::new(),
            Action::Set { .. } | Action::Overwrite { .. } => {
                row.args[1..].iter().filter(active).copied().collect()
            }
            Action::Store { .. } => row.args[2..].iter().filter(active).copied().collect(),
            Action::Select => row.args[1..].iter().filter(active).copied().collect(),
            Action::Array { .. }
            | Action::Map(_)
            | Action::Call { .. }
            | Action::Cast
            | Action::Tuple
            | Action::Field(_) => row.args.iter().filter(active).copied().collect(),
        }
    }
}

/// What the shadow of a slice or pointer is had from: a shadow that is a value, else the part of a parameter it is.
fn shadow_source(primal: &Primal, value: Value) -> Value {
    primal.shadows.of(value).unwrap_or(value)
}

/// Whether the cotangent of an array may be absent when the reverse pass comes to the array's definition: it is certain
/// to be there only if some use in the same block always gives one.
pub(super) fn may_be_null(
    primal: &Primal,
    actions: &Actions,
    seeds_given: bool,
    value: Value,
) -> bool {
    if !primal.ty(value).is_array() {
        return false;
    }
    let block = primal.def_block(value);
    let gives = |inst: &Inst| {
        let is_it = |n: usize| primal.function.insts[*inst].args[n] == value;
        match actions.get(inst) {
            Some(Action::Array { args, .. }) => args.iter().any(|&n| is_it(n)),
            Some(Action::Map(vjp)) => {
                let mut results = vjp.results.iter();
                results.any(|&(n, outcome)| outcome != Outcome::Zero && is_it(n))
            }
            _ => false,
        }
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

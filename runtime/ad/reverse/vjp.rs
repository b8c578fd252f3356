//! Derivatives of elementwise functions: the scalar function is derived like any other, and its result mapped.

use super::action::field;
use super::primal::Primal;
use super::{Derivation, DerivedKind, Kernel};
use crate::ad::rule::{output, scalar_function};
use crate::arena::Id;
use crate::diag::{Error, Result, Span};
use crate::ir::build::{remove_params, substitute};
use crate::ir::{Const, Function, Inst, Op, Prim, Symbol, Terminator, Type, Value, ValueDef};
use crate::registry::{EntryKind, Registry};
use crate::tangent;
use rustc_hash::FxHashMap;

/// The derivative of one elementwise function for one choice of active arguments.
pub(super) struct Vjp {
    /// The kernel; `None` if there is nothing to compute.
    pub function: Option<Symbol>,
    /// Its result types.
    pub fields: Vec<Type>,
    /// Its arguments.
    pub args: Vec<Argument>,
    /// The cotangent of each active argument, with the argument's position.
    pub results: Vec<(usize, Outcome)>,
    /// How many results the function has, and which have cotangents.
    pub seeded: Vec<bool>,
}

/// An argument of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// The n-th argument of the primal.
    Primal(usize),
    /// The result of the primal, which has one.
    Result,
    /// The cotangent of the n-th result.
    Seed(usize),
}

/// A cotangent that a map gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// None.
    Zero,
    /// The cotangent of the n-th result, as it is.
    Seed(usize),
    /// The n-th result of the kernel.
    Field(usize),
}

impl Vjp {
    /// What the reverse of a map takes: the kernel's arguments.
    pub fn needs(&self, primal: &Primal, inst: Inst) -> Vec<Value> {
        let row = &primal.function.insts[inst];
        let needs = self.args.iter().filter_map(|arg| match arg {
            Argument::Primal(n) => Some(row.args[*n]),
            Argument::Result => Some(row.result),
            Argument::Seed(_) => None,
        });
        needs.collect()
    }
    /// Whose shapes it takes: those of the arguments, and those of the results where their cotangents may be absent.
    pub fn shapes(&self, primal: &Primal, inst: Inst, null: &dyn Fn(Value) -> bool) -> Vec<Value> {
        let row = &primal.function.insts[inst];
        let args = self.results.iter().map(|(n, _)| row.args[*n]);
        let args = args.filter(|&v| primal.ty(v).is_array());
        let results = self.results_of(primal, row.result).into_iter().flatten();
        args.chain(results.filter(|&v| null(v))).collect()
    }
    /// The value of each result with a cotangent.
    pub fn results_of(&self, primal: &Primal, result: Value) -> Vec<Option<Value>> {
        let is_tuple = matches!(primal.ty(result), Type::Tuple(_));
        let value = |n: usize| match is_tuple {
            true => field(primal, result, n),
            false => Some(result),
        };
        let seeded = self.seeded.iter().enumerate();
        seeded
            .map(|(n, &s)| if s { value(n) } else { None })
            .collect()
    }
}

/// Derives a kernel.
pub(super) fn derive(derivation: &mut Derivation, wanted: &Kernel) -> Result<Vjp> {
    let Kernel {
        name,
        types,
        active,
        seeded,
    } = wanted;
    let function = scalar_function(derivation.lookup, *name, types)?;
    let kind = DerivedKind::Elementwise {
        active: active.clone(),
        seeded: seeded.clone(),
    };
    let mut kernel = super::derive(derivation, &function, &kind)?.remove(0);
    let seeds = (0..seeded.len()).filter(|&n| seeded[n]);
    let args = (0..types.len()).map(Argument::Primal);
    let mut args: Vec<Argument> = args.chain(seeds.map(Argument::Seed)).collect();
    let smooth = (0..types.len()).filter(|&i| active[i] && tangent::has_rdata(types[i]));
    let smooth: Vec<usize> = smooth.collect();
    let returned = output_anywhere(&kernel, smooth.len());
    let results = prune_results(&mut kernel, &args, &smooth);
    if let Some(returned) = returned {
        take_result(derivation.lookup.registry, &mut kernel, &mut args, returned);
    }
    prune_arguments(&mut kernel, &mut args);
    let Type::Tuple(fields) = kernel.ret else {
        return Err(Error::Internal(format!("{}: not a tuple", kernel.name)));
    };
    let function = match fields.is_empty() {
        true => None,
        false => Some(derivation.add_kernel(*name, kernel)),
    };
    Ok(Vjp {
        function,
        fields: fields.to_vec(),
        args,
        results,
        seeded: seeded.clone(),
    })
}

/// Takes out of the kernel's results those that need no computation.
fn prune_results(
    kernel: &mut Function,
    args: &[Argument],
    active: &[usize],
) -> Vec<(usize, Outcome)> {
    let mut kept: Vec<Value> = Vec::new();
    let mut results = Vec::new();
    for (n, &position) in active.iter().enumerate() {
        let Some(value) = output_anywhere(kernel, n) else {
            continue;
        };
        let param = kernel.params().iter().position(|&p| p == value);
        let outcome = match param.map(|p| args[p]) {
            Some(Argument::Seed(seed)) => Outcome::Seed(seed),
            _ if is_zero(kernel, value) => Outcome::Zero,
            _ => {
                kept.push(value);
                Outcome::Field(kept.len() - 1)
            }
        };
        results.push((position, outcome));
    }
    let types: Vec<Type> = kept.iter().map(|&v| kernel.ty(v)).collect();
    kernel.ret = Type::tuple(&types);
    for block in kernel.layout.clone() {
        if let Terminator::Return(_) = kernel.blocks[block].terminator {
            let op = Op::Prim(Prim::Tuple);
            let op = if kept.is_empty() {
                Op::Const(Const::Unit)
            } else {
                op
            };
            let tuple = kernel.append(block, op, &kept, kernel.ret, Span::NONE);
            kernel.blocks[block].terminator = Terminator::Return(tuple);
        }
    }
    super::super::sweep(kernel);
    results
}

/// The n-th value of the returned tuple, in whichever block it is returned.
fn output_anywhere(function: &Function, n: usize) -> Option<Value> {
    if function.layout.len() == 1 {
        return output(function, n);
    }
    let returned = function
        .blocks_in_order()
        .find_map(|(_, data)| match data.terminator {
            Terminator::Return(value) => Some(value),
            _ => None,
        });
    let row = function.def_inst(returned?)?;
    row.args
        .get(n)
        .copied()
        .filter(|_| row.op == Op::Prim(Prim::Tuple))
}

/// Lets the kernel take the primal's result, which it computes again, if it needs fewer of the primal's arguments then: `1 − y²` is the derivative of
/// the hyperbolic tangent, whatever its argument was made of.
fn take_result(
    registry: &Registry,
    kernel: &mut Function,
    args: &mut Vec<Argument>,
    returned: Value,
) {
    let mut taken = kernel.clone();
    let result = taken.add_param(taken.entry(), taken.ty(returned));
    substitute(&mut taken, &FxHashMap::from_iter([(returned, result)]));
    // A call stays though nobody reads its result, unless it is one of a scalar function of a pack, which has no effects here: see `ordered`.
    if let ValueDef::Inst(inst) = taken.values[returned].def
        && let Op::Call(name) = taken.insts[inst].op
    {
        let types: Vec<Type> = taken.insts[inst]
            .args
            .iter()
            .map(|&v| taken.ty(v))
            .collect();
        let entry = registry.entry(name, &types);
        if entry.is_some_and(|entry| matches!(entry.kind, EntryKind::Scalar(_))) {
            for block in taken.layout.clone() {
                taken.blocks[block].insts.retain(|&other| other != inst);
            }
        }
    }
    super::super::sweep(&mut taken);
    let is_used = used(&taken);
    let count = |used: &[bool], function: &Function| {
        let pairs = function.params().iter().zip(&*args);
        let primal = pairs.filter(|(_, arg)| matches!(arg, Argument::Primal(_)));
        primal.filter(|(param, _)| used[param.index()]).count()
    };
    if is_used[result.index()] && count(&is_used, &taken) < count(&used(kernel), kernel) {
        *kernel = taken;
        args.push(Argument::Result);
    }
}

fn is_zero(function: &Function, value: Value) -> bool {
    matches!(function.as_const(value), Some(Const::Float(0.0)))
}

/// Takes out the kernel's parameters that it does not use, but for a cotangent if it uses none: a map needs an array, whose shape is the result's.
fn prune_arguments(kernel: &mut Function, args: &mut Vec<Argument>) {
    let mut used = used(kernel);
    let params = kernel.params().to_vec();
    let seeds =
        || { params.iter().zip(&*args) }.filter(|(_, arg)| matches!(arg, Argument::Seed(_)));
    if !seeds().any(|(param, _)| used[param.index()])
        && let Some((param, _)) = seeds().next()
    {
        used[param.index()] = true;
    }
    let mut unused = params.iter().map(|p| !used[p.index()]);
    args.retain(|_| !unused.next().unwrap_or(false));
    remove_params(kernel, |v| params.contains(&v) && !used[v.index()]);
}

/// Which values of a function are read.
fn used(function: &Function) -> Vec<bool> {
    let mut used = vec![false; function.values.len()];
    for (_, data) in function.blocks_in_order() {
        data.terminator.for_each_value(|v| used[v.index()] = true);
        let args = data
            .insts
            .iter()
            .flat_map(|&inst| &function.insts[inst].args);
        args.for_each(|v| used[v.index()] = true);
    }
    used
}

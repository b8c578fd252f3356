//! Which values carry derivatives: those that depend on active parameters *and* influence the result or active memory.

use super::primal::Primal;
use crate::ad::rule::{Rule, RuleLookup, reaches, user_name};
use crate::arena::Id;
use crate::diag::{Diagnostic, Error, Result};
use crate::ir::{Inst, Op, Type, Value};
use crate::tangent;

/// What is known about derivatives of each value and instruction.
pub(super) struct Activity {
    /// Indexed by value: depends on an active parameter.
    varied: Vec<bool>,
    /// Indexed by value: influences the result or active memory.
    useful: Vec<bool>,
    /// Indexed by instruction.
    pub rules: Vec<Rule>,
}

impl Activity {
    /// Propagates from active parameters forwards and from results backwards until nothing changes. What a linked call gives varies, and what
    /// it takes is useful: other ends are not seen here. Memory is one cell
    /// per parameter, active if the parameter is; all objects together are one that is active if they have shadows.
    pub fn new(
        primal: &Primal,
        lookup: RuleLookup<'_>,
        active_params: &[bool],
    ) -> Result<Activity> {
        let function = &primal.function;
        let insts = (0..function.insts.len()).map(Inst::new);
        let rules: Vec<Rule> = insts.map(|i| lookup.rule(function, i)).collect();
        let reached: Vec<Vec<bool>> = (0..rules.len())
            .map(|i| reaches(&rules[i], function, Inst::new(i)))
            .collect();
        let mut activity = Activity {
            varied: vec![false; function.values.len()],
            useful: vec![false; function.values.len()],
            rules,
        };
        for (&param, &active) in function.params().iter().zip(active_params) {
            activity.varied[param.index()] = active && function.ty(param).is_differentiable();
        }
        for (slice, root) in &primal.roots {
            activity.varied[slice.index()] = activity.varied[root.index()];
        }
        for value in function.values.keys() {
            let address = tangent::home(function.ty(value)) == tangent::Home::Fdata;
            if address && primal.shadows.of(value).is_some() {
                activity.varied[value.index()] = true;
            }
        }
        while activity.forwards(primal, &reached) {}
        if let Some(value) = primal.returned() {
            activity.useful[value.index()] = function.ty(value).is_differentiable();
        }
        while activity.backwards(primal, &reached) {}
        activity.check_memory(primal, lookup)?;
        Ok(activity)
    }
    /// Whether a value has a cotangent; slices and pointers have shadows instead.
    pub fn is_active(&self, primal: &Primal, value: Value) -> bool {
        let at = value.index();
        at < self.varied.len()
            && self.varied[at]
            && self.useful[at]
            && tangent::has_rdata(primal.ty(value))
    }
    /// Whether a slice or pointer has a shadow.
    pub fn has_shadow(&self, slice: Value) -> bool {
        self.varied[slice.index()]
    }
    pub fn rule(&self, inst: Inst) -> &Rule {
        self.rules.get(inst.index()).unwrap_or(&Rule::None)
    }

    fn forwards(&mut self, primal: &Primal, reached: &[Vec<bool>]) -> bool {
        let function = &primal.function;
        let mut changed = false;
        for &block in primal.order() {
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let row = &function.insts[inst];
                let varied = match self.rules[inst.index()] {
                    _ if primal.is_linked(inst) => true,
                    Rule::Load | Rule::Get | Rule::FromSlice => self.varied[row.args[0].index()],
                    _ => (row.args.iter().zip(&reached[inst.index()]))
                        .any(|(arg, &reached)| reached && self.varied[arg.index()]),
                };
                let smooth = function.ty(row.result).is_differentiable();
                changed |= set(&mut self.varied, row.result, varied && smooth);
            }
            for edge in data.terminator.edges() {
                for (&param, arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                    let varied = self.varied[arg.index()];
                    changed |= set(&mut self.varied, param, varied);
                }
            }
        }
        changed
    }
    fn backwards(&mut self, primal: &Primal, reached: &[Vec<bool>]) -> bool {
        let function = &primal.function;
        let mut changed = false;
        for &block in primal.order().iter().rev() {
            let data = &function.blocks[block];
            for edge in data.terminator.edges() {
                for (param, &arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                    let useful = self.useful[param.index()];
                    changed |= set(&mut self.useful, arg, useful);
                }
            }
            for &inst in data.insts.iter().rev() {
                let row = &function.insts[inst];
                let useful = match self.rules[inst.index()] {
                    _ if primal.is_linked(inst) => {
                        let result = row.result;
                        let smooth = function.ty(result).is_differentiable();
                        changed |= set(&mut self.useful, result, smooth);
                        true
                    }
                    Rule::Store | Rule::Set | Rule::Overwrite => self.varied[row.args[0].index()],
                    Rule::Call => {
                        self.useful[row.result.index()]
                            || !tangent::shadow_leaves(primal.ty(row.result)).is_empty()
                            || self.writes_shadow(primal, inst)
                    }
                    _ => self.useful[row.result.index()],
                };
                for (&arg, &reached) in row.args.iter().zip(&reached[inst.index()]) {
                    changed |= set(&mut self.useful, arg, useful && reached);
                }
            }
        }
        changed
    }
    /// Whether a call may store to memory that has a shadow.
    fn writes_shadow(&self, primal: &Primal, inst: Inst) -> bool {
        let mutable = |v: &Value| matches!(primal.ty(*v), Type::SliceMut(_) | Type::Ptr);
        let args = &primal.function.insts[inst].args;
        args.iter().any(|v| mutable(v) && self.varied[v.index()])
    }

    /// A parameter that is marked constant has no shadow, so no derivative can pass through its memory. Objects have shadows wherever
    /// something varies.
    fn check_memory(&self, primal: &Primal, lookup: RuleLookup<'_>) -> Result<()> {
        let function = &primal.function;
        let insts = || {
            let blocks = primal.order().iter();
            blocks.flat_map(|&b| function.blocks[b].insts.iter().copied())
        };
        let read = |root: Value| {
            insts().any(|i| {
                let row = &function.insts[i];
                let from = |v: &Value| primal.roots.get(v) == Some(&root);
                match self.rules[i.index()] {
                    Rule::Load | Rule::FromSlice => {
                        from(&row.args[0]) && self.useful[row.result.index()]
                    }
                    Rule::Call => row.args.iter().any(from),
                    _ => false,
                }
            })
        };
        for inst in insts() {
            let row = &function.insts[inst];
            let object = |v: &Value| primal.ty(*v) == Type::Ptr && !self.varied[v.index()];
            if let Rule::Set = self.rules[inst.index()]
                && object(&row.args[0])
                && self.varied[row.args[1].index()]
            {
                return Err(Error::Internal(format!(
                    "derivative of {}: {} has no shadow, and what is stored there varies",
                    function.name, row.args[0]
                )));
            }
            for root in self.swallows(primal, lookup, inst) {
                if read(root) {
                    return Err(constant_memory(primal, inst, root).into());
                }
            }
        }
        Ok(())
    }
    /// The parameters without shadows into whose memory this instruction stores varied values.
    fn swallows(&self, primal: &Primal, lookup: RuleLookup<'_>, inst: Inst) -> Vec<Value> {
        let row = &primal.function.insts[inst];
        let varied = |v: &Value| self.varied[v.index()];
        let dead =
            |v: &&Value| matches!(primal.ty(**v), Type::SliceMut(t) if t.is_float()) && !varied(v);
        let root = |v: &Value| primal.roots.get(v).copied();
        let may_write = !matches!(row.op, Op::Call(name) if !primal.writes(name));
        match self.rules[inst.index()] {
            Rule::Store | Rule::Overwrite if row.args.last().is_some_and(varied) => {
                row.args.iter().filter(dead).filter_map(root).collect()
            }
            Rule::Call if row.args.iter().any(varied) && may_write => {
                let written = lookup.written(&primal.function, inst);
                written.iter().filter(dead).filter_map(root).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn constant_memory(primal: &Primal, inst: Inst, root: Value) -> Diagnostic {
    let function = &primal.function;
    let name = user_name(function, root);
    let message = format!(
        "`{}` stores values that depend on active parameters in {name}, which is marked constant, and reads them back",
        function.name
    );
    Diagnostic::new(function.insts[inst].span, message)
        .help("do not mark that argument `Const`: pass it as it is, and ignore its gradient if you do not need it")
}

fn set(table: &mut [bool], value: Value, to: bool) -> bool {
    to && !std::mem::replace(&mut table[value.index()], true)
}

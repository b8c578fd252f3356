//! Jump threading: a way through the graph that a later branch has decided already does not pass that branch.
//!
//! What gives an `Option` ends in a block that merges "some" and "none", and whoever looks at it branches on the tag at
//! once. Both ways into the merge know the tag, so each goes straight to where it leads. What the merge computes before it
//! branches is computed on each way, and what it defines has as many definitions: the function is rebuilt with variables
//! for these values.

use super::dce::dce;
use super::effects::Calls;
use super::simplify::simplify;
use super::straighten::merge_blocks;
use crate::ir::build::{Builder, Variable};
use crate::ir::eval::evaluate;
use crate::ir::flow::Flow;
use crate::ir::{Block, Const, Edge, Effect, Function, Module, Op, Terminator, Type, Value};
use crate::registry::Registry;
use std::collections::{HashMap, HashSet};

/// Merges with more instructions are not copied.
const MAX_MERGE: usize = 12;

/// One round for each level of nested adaptors; few are nested deeper.
const ROUNDS: usize = 32;

/// A way goes through that many merges at a time.
const MAX_WAY: usize = 8;

/// Threads jumps in all functions of a module in normal form, which it stays in. Before the AD transform, so that a loop that
/// counts is seen to count.
pub fn thread_jumps(mut module: Module, registry: &Registry) -> Module {
    let calls = Calls::new(&module, registry);
    for function in module.functions.values_mut() {
        thread(function, &calls);
    }
    module
}

/// Threads jumps. Functions in which no branch is decided stay as they are.
pub fn thread(function: &mut Function, calls: &Calls) -> bool {
    let mut changed = false;
    for _ in 0..ROUNDS {
        let plan = Plan::find(function, calls);
        if plan.decided.is_empty() {
            break;
        }
        *function = rebuild(function, &plan);
        merge_blocks(function);
        simplify(function, calls);
        dce(function, calls);
        changed = true;
    }
    changed
}

/// An edge: the block that it leaves and its position there.
type Exit = (Block, usize);

/// Which edges lead into a branch that they decide.
struct Plan {
    /// For each such edge the edge by which the block that it leads to is left.
    decided: HashMap<Exit, usize>,
    /// The blocks that these edges lead to.
    merges: HashSet<Block>,
}

impl Plan {
    fn find(function: &Function, calls: &Calls) -> Plan {
        let flow = Flow::new(function);
        let mut plan = Plan {
            decided: HashMap::new(),
            merges: HashSet::new(),
        };
        for &block in flow.reverse_postorder() {
            for (i, edge) in function.blocks[block].terminator.edges().enumerate() {
                // A header that is passed by on the first turn would be a header no longer.
                let predecessors = flow.predecessors(edge.block);
                let is_header = predecessors.iter().any(|&p| flow.dominates(edge.block, p));
                if is_header || !is_short(function, calls, edge.block) {
                    continue;
                }
                if let Some(out) = decision(function, edge) {
                    plan.decided.insert((block, i), out);
                    plan.merges.insert(edge.block);
                }
            }
        }
        plan
    }
}

/// Whether a block can be copied.
fn is_short(function: &Function, calls: &Calls, block: Block) -> bool {
    let insts = &function.blocks[block].insts;
    let is_pure = |inst| calls.effect(function, &function.insts[inst]) == Effect::Pure;
    insts.len() <= MAX_MERGE && insts.iter().all(|&inst| is_pure(inst))
}

/// By which edge the branch at the end of the block is left that `edge` leads to, if the edge's arguments say.
fn decision(function: &Function, edge: &Edge) -> Option<usize> {
    let block = &function.blocks[edge.block];
    let Terminator::Branch { condition, .. } = block.terminator else {
        return None;
    };
    let mut known: HashMap<Value, Const> = HashMap::new();
    for (&param, &arg) in block.params.iter().zip(&edge.args) {
        if let Some(c) = function.as_const(arg) {
            known.insert(param, c);
        }
    }
    let look = |known: &HashMap<Value, Const>, value: Value| {
        known
            .get(&value)
            .copied()
            .or_else(|| function.as_const(value))
    };
    for &inst in &block.insts {
        let data = &function.insts[inst];
        let Op::Prim(prim) = data.op else { continue };
        let args: Option<Vec<Const>> = data.args.iter().map(|&arg| look(&known, arg)).collect();
        let types: Vec<Type> = data.args.iter().map(|&arg| function.ty(arg)).collect();
        let found = args.and_then(|args| evaluate(prim, &args, &types, function.ty(data.result)));
        if let Some(c) = found {
            known.insert(data.result, c);
        }
    }
    match look(&known, condition)? {
        Const::Bool(true) => Some(0),
        _ => Some(1),
    }
}

/// The function with every decided edge leading to where the branch would.
fn rebuild(function: &Function, plan: &Plan) -> Function {
    let mut shell = Function::new(function.name, &function.param_types(), function.ret);
    for (&new, &old) in shell.params().to_vec().iter().zip(function.params()) {
        shell.values[new].name = function.values[old].name;
    }
    let params = shell.params().to_vec();
    let mut copy = Copy {
        function,
        plan,
        values: function.params().iter().copied().zip(params).collect(),
        variables: HashMap::new(),
        blocks: HashMap::new(),
        builder: Builder::new(shell),
    };
    copy.declare();
    for &block in Flow::new(function).reverse_postorder() {
        copy.builder.switch_to(copy.blocks[&block]);
        copy.insts(block);
        copy.end(block);
    }
    copy.builder.finish()
}

/// A copy of a function in the making.
struct Copy<'a> {
    function: &'a Function,
    plan: &'a Plan,
    values: HashMap<Value, Value>,
    /// For what merges define.
    variables: HashMap<Value, Variable>,
    blocks: HashMap<Block, Block>,
    builder: Builder,
}

impl Copy<'_> {
    /// Makes the blocks in the order in which they stand, and the variables.
    fn declare(&mut self) {
        let function = self.function;
        self.blocks.insert(function.entry(), self.builder.block());
        for &block in &function.layout[1..] {
            let new = self.builder.new_block();
            self.blocks.insert(block, new);
            let is_merge = self.plan.merges.contains(&block);
            for &param in &function.blocks[block].params {
                let ty = function.ty(param);
                let value = self.builder.add_param(new, ty);
                self.builder.function.values[value].name = function.values[param].name;
                self.values.insert(param, value);
                if is_merge {
                    let variable = self.builder.declare(ty);
                    self.variables.insert(param, variable);
                    self.builder.switch_to(new);
                    self.builder.define(variable, value);
                }
            }
            for &inst in function.blocks[block].insts.iter().filter(|_| is_merge) {
                let result = function.insts[inst].result;
                let variable = self.builder.declare(function.ty(result));
                self.variables.insert(result, variable);
            }
        }
    }
    /// A value as it is in the block at hand.
    fn value(&mut self, value: Value) -> Value {
        match self.variables.get(&value) {
            Some(&variable) => self.builder.read(variable),
            None => self.values[&value],
        }
    }
    fn all(&mut self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&value| self.value(value)).collect()
    }
    /// Gives a value its copy.
    fn set(&mut self, value: Value, copy: Value) {
        match self.variables.get(&value) {
            Some(&variable) => {
                let copy = self.builder.resolve(copy);
                self.builder.define(variable, copy);
            }
            None => {
                self.values.insert(value, copy);
            }
        }
    }
    /// Appends a block's instructions.
    fn insts(&mut self, block: Block) {
        let function = self.function;
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            let args = self.all(&data.args);
            self.builder.span = data.span;
            let copy = self.builder.inst(data.op, &args, function.ty(data.result));
            self.builder.function.values[copy].name = function.values[data.result].name;
            self.set(data.result, copy);
        }
    }
    /// Ends the block at hand as a block ends.
    fn end(&mut self, block: Block) {
        let function = self.function;
        match &function.blocks[block].terminator {
            Terminator::Missing => {}
            Terminator::Jump(_) => self.leave((block, 0), MAX_WAY),
            Terminator::Branch { condition, .. } => {
                let condition = self.value(*condition);
                // Where decided edges lead there are several ways in now, so no branch may go there directly.
                let sides = [0, 1].map(|_| self.builder.new_block());
                self.builder
                    .branch(condition, (sides[0], &[]), (sides[1], &[]));
                for (i, side) in sides.into_iter().enumerate() {
                    self.builder.seal(side);
                    self.builder.switch_to(side);
                    self.leave((block, i), MAX_WAY);
                }
            }
            Terminator::Return(value) => {
                let value = self.value(*value);
                self.builder.ret(value);
            }
            Terminator::Error(fault, values, span) => {
                let values = self.all(values);
                self.builder.span = *span;
                self.builder.error(*fault, &values);
            }
        }
    }
    /// Ends the block at hand by the way on which a block is left by an edge.
    fn leave(&mut self, exit: Exit, further: usize) {
        let function = self.function;
        let Some(edge) = function.blocks[exit.0].terminator.edges().nth(exit.1) else {
            return;
        };
        let args = self.all(&edge.args);
        match self.plan.decided.get(&exit) {
            Some(&out) if further > 0 => {
                let params = &function.blocks[edge.block].params;
                for (&param, arg) in params.iter().zip(args) {
                    self.set(param, arg);
                }
                self.insts(edge.block);
                self.leave((edge.block, out), further - 1);
            }
            _ => self.builder.jump(self.blocks[&edge.block], &args),
        }
    }
}

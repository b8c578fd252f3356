//! Jump threading: a way through the graph that a later branch has decided already does not pass that branch.
//!
//! What gives an `Option` ends in a block that merges "some" and "none", and whoever looks at it branches on the tag at
//! once. Both ways into the merge know the tag, so each goes straight to where it leads. What the merge computes before it
//! branches is computed on each way, and what it defines has as many definitions: the function is rebuilt with variables
//! for these values.
//!
//! A reverse pass branches on the same values as its forward pass, and both are one function: behind a merge, what leads there has
//! decided these branches as well.

use super::dce::dce;
use super::effects::Calls;
use super::gvn::gvn;
use super::nest::unnest;
use super::simplify::simplify;
use super::straighten::merge_blocks;
use crate::ir::build::{Builder, Variable};
use crate::ir::eval::evaluate;
use crate::ir::flow::Flow;
use crate::ir::{Block, Const, Edge, Effect, Function, Inst, Module, Op, Terminator, Type, Value};
use crate::registry::Registry;
use rustc_hash::{FxHashMap, FxHashSet};

/// Merges with more instructions are not copied.
const MAX_MERGE: usize = 12;

/// One round for each level of nested adaptors; few are nested deeper.
const ROUNDS: usize = 32;

/// A way goes through that many merges at a time.
const MAX_WAY: usize = 8;

/// Threads jumps in all functions of a module in normal form, which it stays in: before the AD transform, so that a loop that
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
        changed = true;
    }
    if changed {
        // Iterators that go together count together.
        gvn(function, calls);
        unnest(function);
        dce(function, calls);
    }
    changed
}

/// An edge: the block that it leaves and its position there.
type Exit = (Block, usize);

/// Which edges lead into a branch that they decide.
struct Plan {
    /// For each such edge the edge by which the block that it leads to is left.
    decided: FxHashMap<Exit, usize>,
    /// The blocks that these edges lead to.
    merges: FxHashSet<Block>,
}

impl Plan {
    fn find(function: &Function, calls: &Calls) -> Plan {
        let flow = Flow::new(function);
        let mut plan = Plan {
            decided: FxHashMap::default(),
            merges: FxHashSet::default(),
        };
        for &block in flow.reverse_postorder() {
            for (i, edge) in function.blocks[block].terminator.edges().enumerate() {
                // A header that is passed by on the first turn would be a header no longer.
                let predecessors = flow.predecessors(edge.block);
                let is_header = predecessors.iter().any(|&p| flow.dominates(edge.block, p));
                if is_header || !is_short(function, calls, edge.block) {
                    continue;
                }
                if let Some(out) = decision(function, edge, taken(function, &flow, block, edge)) {
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
    let insts = || {
        function.blocks[block]
            .insts
            .iter()
            .map(|&inst| &function.insts[inst])
    };
    let work = insts().filter(|inst| !matches!(inst.op, Op::Const(_)));
    work.count() <= MAX_MERGE && insts().all(|inst| calls.effect(function, inst) == Effect::Pure)
}

/// So many branches are remembered on a way.
const MAX_BRANCHES: usize = 8;

/// The conditions of the branches that any way along an edge has taken last, and which way it took them.
fn taken(function: &Function, flow: &Flow, from: Block, edge: &Edge) -> FxHashMap<Value, Const> {
    let mut known = FxHashMap::default();
    let mut learn = |block: Block, to: Block| {
        if let Terminator::Branch {
            condition,
            then,
            otherwise,
        } = &function.blocks[block].terminator
            && then.block != otherwise.block
        {
            known.insert(*condition, Const::Bool(then.block == to));
        }
    };
    learn(from, edge.block);
    let mut at = from;
    for _ in 0..MAX_BRANCHES {
        let Some(above) = flow.idom(at) else { break };
        if flow.predecessors(at) == [above] {
            learn(above, at);
        }
        at = above;
    }
    known
}

/// By which edge the branch at the end of the block is left that `edge` leads to, if what is known and the edge's arguments say.
fn decision(function: &Function, edge: &Edge, mut known: FxHashMap<Value, Const>) -> Option<usize> {
    let block = &function.blocks[edge.block];
    let Terminator::Branch { condition, .. } = block.terminator else {
        return None;
    };
    for (&param, &arg) in block.params.iter().zip(&edge.args) {
        if let Some(c) = function.as_const(arg) {
            known.insert(param, c);
        }
    }
    let look = |known: &FxHashMap<Value, Const>, value: Value| {
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
    let shell = function.shell();
    let params = shell.params().to_vec();
    let mut copy = Copy {
        function,
        plan,
        values: function.params().iter().copied().zip(params).collect(),
        variables: FxHashMap::default(),
        slices: FxHashMap::default(),
        blocks: FxHashMap::default(),
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
    values: FxHashMap<Value, Value>,
    /// For what merges define.
    variables: FxHashMap<Value, Variable>,
    /// The slices that merges define: they are made where they are used, for a variable of several slices would be a
    /// part of several objects.
    slices: FxHashMap<Value, Inst>,
    blocks: FxHashMap<Block, Block>,
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
                let ty = function.ty(result);
                if matches!(ty, Type::Slice(_) | Type::SliceMut(_)) {
                    self.slices.insert(result, inst);
                    continue;
                }
                let variable = self.builder.declare(ty);
                self.variables.insert(result, variable);
            }
        }
    }
    /// A value as it is in the block at hand.
    fn value(&mut self, value: Value) -> Value {
        if let Some(&inst) = self.slices.get(&value) {
            return self.copied(inst);
        }
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
            let result = function.insts[inst].result;
            if !self.slices.contains_key(&result) {
                let copy = self.copied(inst);
                self.set(result, copy);
            }
        }
    }
    fn copied(&mut self, inst: Inst) -> Value {
        let data = &self.function.insts[inst];
        let ty = self.function.ty(data.result);
        let args = self.all(&data.args);
        self.builder.span = data.span;
        let copy = self.builder.inst(data.op, &args, ty);
        self.builder.function.values[copy].name = self.function.values[data.result].name;
        copy
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::{Datum, Nothing, run};
    use crate::ir::flow::Loops;
    use crate::ir::parse::parse_module;
    use crate::ir::verify::verify;
    use crate::registry::Registry;

    /// Threads a function of a number; checks that its values stay, and gives it.
    fn threaded(text: &str, values: &[(i64, i64)]) -> Function {
        let module = parse_module(text).unwrap();
        let registry = Registry::default();
        let after = thread_jumps(module.clone(), &registry);
        verify(&after, &|_, _| None).unwrap();
        for &(given, expected) in values {
            for module in [&module, &after] {
                let given = Datum::Scalar(Const::Int(given));
                match run(module, &[given], &Nothing).unwrap() {
                    Datum::Scalar(found) => assert_eq!(found, Const::Int(expected), "{module}"),
                    other => panic!("{other:?}"),
                }
            }
        }
        after.root().clone()
    }

    fn counted_loops(function: &Function) -> usize {
        let loops = Loops::new(function, &Flow::new(function));
        loops
            .all()
            .filter(|(_, data)| data.counted.is_some())
            .count()
    }

    /// `while let Some(x) = range.next() { sum += x }`
    const WHILE_SOME: &str = "fn @f(%0: usize) -> usize {
        b0:
            %1: usize = 0
            %2: usize = 1
            jump b1(%1, %1)
        b1(%3: usize, %4: usize):
            %5: bool = lt %3, %0
            branch %5, b2, b3
        b2:
            %6: usize = add %3, %2
            jump b4(%2, %3, %6)
        b3:
            jump b4(%1, %1, %3)
        b4(%7: usize, %8: usize, %9: usize):
            %10: bool = eq %7, %2
            branch %10, b5, b6
        b5:
            %11: usize = add %4, %8
            jump b1(%9, %11)
        b6:
            return %4
        }";

    #[test]
    fn a_loop_over_options_counts() {
        let function = threaded(WHILE_SOME, &[(0, 0), (5, 10)]);
        assert_eq!(counted_loops(&function), 1, "{function}");
        assert_eq!(function.layout.len(), 4, "{function}");
    }

    /// The same where items are looked for: those that are even.
    #[test]
    fn a_loop_over_filtered_items_counts() {
        let function = threaded(
            "fn @f(%0: usize) -> usize {
             b0:
                 %1: usize = 0
                 %2: usize = 1
                 %3: usize = 2
                 jump b1(%1, %1)
             b1(%4: usize, %5: usize):
                 jump b2(%4)
             b2(%6: usize):
                 %7: bool = lt %6, %0
                 branch %7, b3, b4
             b3:
                 %8: usize = add %6, %2
                 %9: usize = rem %6, %3
                 %10: bool = eq %9, %1
                 branch %10, b5, b6
             b4:
                 jump b7(%1, %1, %6)
             b5:
                 jump b7(%2, %6, %8)
             b6:
                 jump b2(%8)
             b7(%11: usize, %12: usize, %13: usize):
                 %14: bool = eq %11, %2
                 branch %14, b8, b9
             b8:
                 %15: usize = add %5, %12
                 jump b1(%13, %15)
             b9:
                 return %5
             }",
            &[(0, 0), (5, 6), (6, 6), (7, 12)],
        );
        assert_eq!(counted_loops(&function), 1, "{function}");
    }

    /// One way into the merge knows the condition, the other does not; what the merge defines is used after the branches join.
    #[test]
    fn what_a_merge_defines_is_found_on_every_way() {
        let function = threaded(
            "fn @f(%0: usize) -> usize {
             b0:
                 %1: usize = 1
                 %2: usize = 3
                 %3: bool = lt %0, %2
                 branch %3, b1, b2
             b1:
                 jump b3(%1)
             b2:
                 %4: usize = rem %0, %2
                 jump b3(%4)
             b3(%5: usize):
                 %6: usize = add %5, %0
                 %7: bool = eq %5, %1
                 branch %7, b4, b5
             b4:
                 %8: usize = mul %6, %2
                 jump b6(%8)
             b5:
                 jump b6(%5)
             b6(%9: usize):
                 %10: usize = add %9, %6
                 return %10
             }",
            &[(0, 4), (2, 12), (3, 3), (4, 20), (5, 9)],
        );
        let branches = function
            .blocks_in_order()
            .filter(|(_, data)| matches!(data.terminator, Terminator::Branch { .. }));
        assert_eq!(branches.count(), 2, "{function}");
    }

    /// Both sides of the first branch lead to the block of the second one, which is not decided by that.
    #[test]
    fn a_branch_to_one_block_decides_nothing() {
        let function = threaded(
            "fn @f(%0: usize) -> usize {
             b0:
                 %1: usize = 1
                 %2: usize = 2
                 %3: bool = lt %0, %1
                 branch %3, b1(%1), b1(%2)
             b1(%4: usize):
                 branch %3, b2, b3
             b2:
                 return %4
             b3:
                 %5: usize = add %4, %4
                 return %5
             }",
            &[(0, 1), (1, 4)],
        );
        assert_eq!(function.layout.len(), 4, "{function}");
    }

    #[test]
    fn where_nothing_is_decided_nothing_changes() {
        let text = WHILE_SOME.replace("jump b4(%2, %3, %6)", "jump b4(%0, %3, %6)");
        let text = text.replace("jump b4(%1, %1, %3)", "jump b4(%0, %1, %3)");
        let module = parse_module(&text).unwrap();
        let registry = Registry::default();
        let after = thread_jumps(module.clone(), &registry);
        assert_eq!(after.to_string(), module.to_string());
    }
}

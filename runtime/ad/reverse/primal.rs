//! The function being differentiated, and where everything in it stands.
//!
//! Instructions and block parameters may be added to it while the derivation is planned; its graph never changes.

use super::objects::{MemoryClass, Shadows};
use crate::ad::ordered::Ordered;
use crate::arena::Id;
use crate::diag::{Error, Result};
use crate::ir::flow::{Counted, Flow, Loop, LoopData, Loops, argument, step};
use crate::ir::{Block, Callee, Function, HostOp, Inst, Symbol, Terminator, Type, Value, ValueDef};
use crate::registry::Effects;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The innermost loop around a place; `None` outside of all loops.
pub(super) type LoopScope = Option<Loop>;

/// A function of the normal form with its analyses.
pub(super) struct Primal {
    pub function: Function,
    pub flow: Flow,
    pub loops: Loops,
    /// The parameter that each slice is a part of.
    pub roots: FxHashMap<Value, Value>,
    /// The parameters among them to whose memory pointers may lead.
    shared: FxHashSet<Value>,
    /// The shadows of pointers and of slices at pointers.
    pub shadows: Shadows,
    /// The functions of the module that write nothing.
    readers: Arc<FxHashSet<Symbol>>,
    /// What instructions do besides computing. Those that the derivation adds do nothing more.
    effects: FxHashMap<Inst, Effects>,
    /// Indexed by instruction.
    blocks: Vec<Option<Block>>,
}

/// An integer that changes by the same number in each iteration of a loop. In iteration i, counted from 0, it is `start + i · step`, as its type wraps it.
pub(super) struct Induction {
    pub of: Loop,
    pub start: Value,
    pub step: i64,
}

impl Primal {
    /// Analyses a function. `roots` names the parameter behind every slice that is not at a pointer.
    pub fn new(
        function: Function,
        roots: FxHashMap<Value, Value>,
        shared: FxHashSet<Value>,
        shadows: Shadows,
        readers: Arc<FxHashSet<Symbol>>,
        ordered: &Ordered,
    ) -> Result<Primal> {
        let flow = Flow::new(&function);
        let loops = Loops::new(&function, &flow);
        let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
        let effects = insts.map(|&inst| (inst, ordered.of(&function, inst)));
        let mut primal = Primal {
            blocks: Vec::new(),
            effects: effects.filter(|(_, of)| of.is_ordered()).collect(),
            function,
            flow,
            loops,
            roots,
            shared,
            shadows,
            readers,
        };
        primal.index();
        primal.check_loops()?;
        Ok(primal)
    }
    /// Finds out again which block each instruction is in.
    pub fn index(&mut self) {
        self.blocks = vec![None; self.function.insts.len()];
        for (block, data) in self.function.blocks_in_order() {
            for &inst in &data.insts {
                self.blocks[inst.index()] = Some(block);
            }
        }
    }
    /// The blocks in reverse post-order.
    pub fn order(&self) -> &[Block] {
        self.flow.reverse_postorder()
    }
    /// The block that returns, if one does.
    pub fn end(&self) -> Option<Block> {
        let returns =
            |b: &&Block| matches!(self.function.blocks[**b].terminator, Terminator::Return(_));
        self.order().iter().find(returns).copied()
    }
    /// The value that the function returns, if it does.
    pub fn returned(&self) -> Option<Value> {
        match self.function.blocks[self.end()?].terminator {
            Terminator::Return(value) => Some(value),
            _ => None,
        }
    }
    /// The memory that a slice or pointer leads to.
    pub fn memory(&self, value: Value) -> Option<MemoryClass> {
        match (self.ty(value), self.roots.get(&value)) {
            (Type::Slice(_) | Type::SliceMut(_), Some(root)) if !self.shared.contains(root) => {
                Some(MemoryClass::Param(*root))
            }
            (Type::Slice(_) | Type::SliceMut(_) | Type::Ptr, _) => Some(MemoryClass::Objects),
            _ => None,
        }
    }
    /// The blocks to which ways lead from a block, itself among them.
    pub fn reachable(&self, from: Block) -> Vec<Block> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![from];
        while let Some(block) = stack.pop() {
            if seen.insert(block) {
                let edges = self.function.blocks[block].terminator.edges();
                stack.extend(edges.map(|edge| edge.block));
            }
        }
        seen.into_iter().collect()
    }
    /// Whether a call of a function can write to memory.
    pub fn writes(&self, callee: Callee) -> bool {
        match callee {
            Callee::Function(name) => !self.readers.contains(&name),
            _ => callee != Callee::Host(HostOp::FromSlice),
        }
    }
    /// Whether the order of what an instruction does matters.
    pub fn is_ordered(&self, inst: Inst) -> bool {
        self.effects.contains_key(&inst)
    }
    /// Whether an instruction has a derivative whatever becomes of its result: it carries derivatives to and from calls that are not seen here.
    pub fn is_linked(&self, inst: Inst) -> bool {
        self.effects.get(&inst) == Some(&Effects::Linked)
    }
    pub fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }
    /// Whether a value is a parameter of the function.
    pub fn is_param(&self, value: Value) -> bool {
        matches!(self.function.values[value].def, ValueDef::Param(b, _) if b == self.function.entry())
    }
    /// The block that an instruction is in.
    pub fn block_of(&self, inst: Inst) -> Block {
        self.blocks[inst.index()].unwrap_or(self.function.entry())
    }
    /// The block that defines a value.
    pub fn def_block(&self, value: Value) -> Block {
        match self.function.values[value].def {
            ValueDef::Param(block, _) => block,
            ValueDef::Inst(inst) => self.block_of(inst),
        }
    }
    /// The innermost loop around a block.
    pub fn scope(&self, block: Block) -> LoopScope {
        self.loops.of(block)
    }
    /// The innermost loop around a value's definition.
    pub fn def_scope(&self, value: Value) -> LoopScope {
        self.scope(self.def_block(value))
    }
    /// Whether `inner` is `outer` or inside of it.
    pub fn encloses(&self, outer: LoopScope, inner: LoopScope) -> bool {
        let Some(outer) = outer else { return true };
        self.around(inner).any(|l| l == outer)
    }
    /// The loops around a place, innermost first.
    pub fn around(&self, scope: LoopScope) -> impl Iterator<Item = Loop> + use<'_> {
        std::iter::successors(scope, |&l| self.loops[l].parent)
    }
    /// The innermost level around both.
    pub fn common(&self, a: LoopScope, b: LoopScope) -> LoopScope {
        self.around(a).find(|&l| self.encloses(Some(l), b))
    }
    /// The loop directly inside `outer` that contains `inner`; `None` if they are the same.
    pub fn child(&self, outer: LoopScope, inner: LoopScope) -> LoopScope {
        self.around(inner).take_while(|&l| Some(l) != outer).last()
    }
    pub fn data(&self, l: Loop) -> &LoopData {
        &self.loops[l]
    }
    pub fn parent(&self, l: Loop) -> LoopScope {
        self.loops[l].parent
    }
    pub fn counted(&self, l: Loop) -> Option<&Counted> {
        self.loops[l].counted.as_ref()
    }
    /// How a parameter of a loop's header changes, if it changes by the same number in each iteration. The loop need not be a counted one.
    pub fn induction(&self, value: Value) -> Option<Induction> {
        let ValueDef::Param(header, n) = self.function.values[value].def else {
            return None;
        };
        let of = self.headed(header)?;
        let passed = |from: Block| argument(&self.function, from, header, n as usize);
        let (start, next) = (passed(self.preheader(of))?, passed(self.latch(of))?);
        let step = step(&self.function, value, next)?;
        Some(Induction { of, start, step })
    }
    /// The loop that a block is the header of.
    pub fn headed(&self, block: Block) -> LoopScope {
        self.scope(block).filter(|&l| self.data(l).header == block)
    }
    /// The one source of the back edge.
    pub fn latch(&self, l: Loop) -> Block {
        self.data(l).latches[0]
    }
    /// The one block outside the loop that leads to its header.
    pub fn preheader(&self, l: Loop) -> Block {
        let data = self.data(l);
        let preds = self.flow.predecessors(data.header);
        let latch = self.latch(l);
        preds.iter().copied().find(|&p| p != latch).unwrap_or(latch)
    }
    /// Whether a block is in the loop.
    pub fn within(&self, l: Loop, block: Block) -> bool {
        self.loops.contains(l, block)
    }
    /// The edges out of the loop, from where and to where, but for those that only fail.
    pub fn exits(&self, l: Loop) -> Vec<(Block, Block)> {
        let leads = |b: Block| super::super::leads_on(&self.function.blocks[b].terminator);
        let blocks = self.data(l).blocks.iter();
        blocks
            .flat_map(|&x| {
                let edges = self.function.blocks[x].terminator.edges();
                edges.map(move |e| (x, e.block))
            })
            .filter(|&(_, e)| !self.within(l, e) && leads(e))
            .collect()
    }
    /// The loops that an edge leaves, innermost first.
    pub fn left(&self, from: Block, to: Block) -> Vec<Loop> {
        self.around(self.scope(from))
            .take_while(|&l| !self.within(l, to))
            .collect()
    }
    /// The block before, if there is only one.
    pub fn only_predecessor(&self, block: Block) -> Option<Block> {
        match *self.flow.predecessors(block) {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The normal form: one latch and one preheader.
    fn check_loops(&self) -> Result<()> {
        for (l, data) in self.loops.all() {
            let entering = self.flow.predecessors(data.header).len();
            if data.latches.len() != 1 || entering != 2 {
                let name = self.function.name;
                let header = data.header;
                return Err(Error::Internal(format!(
                    "{name}: {l} at {header} is not in normal kind: {} latches, {entering} edges to the header",
                    data.latches.len()
                )));
            }
        }
        Ok(())
    }
}

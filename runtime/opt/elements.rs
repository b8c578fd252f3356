//! Elements of slices that a loop accumulates in: `for k in 0..n { c[i] += a[k] * b[k]; }` reads and writes memory in each
//! iteration, which costs the primal latency and the reverse pass a tape, since each write destroys what was there.
//! The element becomes a variable of the loop, read in front of it and written behind it.
//!
//! Legal where the place is the same in all iterations, nothing in the loop may touch it in another way, and an access
//! in front of the loop shows that it exists. Where the loop fails, the element is written as well: after a fault, what
//! was written stays written. So guards in such loops become branches to blocks that write and fail.

use super::effects::Calls;
use super::licm::licm_before_derivation;
use super::memory::{Location, Regions};
use super::promote::promote;
use super::{bounds, gvn};
use crate::diag::Span;
use crate::ir::flow::{Flow, LoopData, Loops};
use crate::ir::{
    Block, Const, Edge, Effect, Function, Inst, Module, Op, Prim, Terminator, Type, Value,
};
use crate::registry::Registry;

/// Makes variables of elements in all functions of a module in normal form. Before the AD transform, whose reverse pass
/// is then without a tape for them.
pub fn promote_elements(mut module: Module, registry: &Registry) -> Module {
    let calls = Calls::new(&module, registry);
    for function in module.functions.values_mut() {
        if is_promising(function) {
            promote_in(function, &calls);
        }
    }
    module
}

/// Loops with more guards stay as they are: each guard becomes a block.
const MAX_GUARDS: usize = 8;

/// Elements are looked for as often as one is found, at most so often.
const MAX_CELLS: usize = 16;

/// Whether some loop both reads and writes slices.
fn is_promising(function: &Function) -> bool {
    let loops = Loops::new(function, &Flow::new(function));
    loops.all().any(|(_, data)| {
        let has = |prim: Prim| {
            let mut insts = data.blocks.iter().flat_map(|&b| &function.blocks[b].insts);
            insts.any(|&inst| function.insts[inst].op == Op::Prim(prim))
        };
        has(Prim::Load) && has(Prim::Store)
    })
}

/// Works on a copy in which equal places are equal values, outside of the loops that do not change them. The function
/// stays as it was written if there is nothing to gain.
fn promote_in(function: &mut Function, calls: &Calls) {
    let mut copy = function.clone();
    gvn(&mut copy, calls);
    licm_before_derivation(&mut copy, calls);
    bounds(&mut copy, calls);
    let mut found = 0;
    while found < MAX_CELLS
        && let Some(cell) = find(&copy, calls)
    {
        cell.rewrite(&mut copy);
        found += 1;
    }
    if found > 0 {
        promote(&mut copy, calls);
        *function = copy;
    }
}

/// An element of a slice, and the loop in which it is to be a variable.
struct Cell {
    slice: Value,
    index: Value,
    preheader: Block,
    /// The loop's blocks.
    blocks: Vec<Block>,
    /// The blocks to which the loop is left.
    exits: Vec<Block>,
}

/// An element that can be a variable, in the outermost loop that allows it.
fn find(function: &Function, calls: &Calls) -> Option<Cell> {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let parts = Regions::new(function, &flow, calls);
    let search = Search {
        function,
        calls,
        flow,
        parts,
    };
    loops.all().find_map(|(_, data)| search.in_loop(data))
}

struct Search<'a> {
    function: &'a Function,
    calls: &'a Calls<'a>,
    flow: Flow,
    parts: Regions,
}

impl Search<'_> {
    fn in_loop(&self, data: &LoopData) -> Option<Cell> {
        let function = self.function;
        let insts = || data.blocks.iter().flat_map(|&b| &function.blocks[b].insts);
        let effect = |inst: &Inst| self.calls.effect(function, &function.insts[*inst]);
        if insts().any(|inst| effect(inst) == Effect::Call)
            || insts().filter(|i| effect(i) == Effect::Guard).count() > MAX_GUARDS
        {
            return None;
        }
        let (preheader, exits) = self.surroundings(data)?;
        insts().find_map(|&inst| {
            let row = &function.insts[inst];
            let Some(Location::Element(slice, index)) = Location::of(function, row) else {
                return None;
            };
            let fits = row.op == Op::Prim(Prim::Store)
                && self.exists(preheader, slice, index)
                && insts().all(|&other| self.is_apart_or_same(other, slice, index));
            fits.then(|| Cell {
                slice,
                index,
                preheader,
                blocks: data.blocks.clone(),
                exits: exits.clone(),
            })
        })
    }
    /// The block in front of a loop and those behind it, which are entered from there only.
    fn surroundings(&self, data: &LoopData) -> Option<(Block, Vec<Block>)> {
        let inside = |b: &Block| data.blocks.contains(b);
        let entering = self.flow.predecessors(data.header).iter();
        let [preheader] = entering.filter(|b| !inside(b)).collect::<Vec<_>>()[..] else {
            return None;
        };
        let edges = data
            .blocks
            .iter()
            .flat_map(|&b| self.function.blocks[b].terminator.edges());
        let exits: Vec<Block> = edges.map(|e| e.block).filter(|b| !inside(b)).collect();
        let jumps = matches!(
            self.function.blocks[*preheader].terminator,
            Terminator::Jump(_)
        );
        let own = |&b: &Block| self.flow.predecessors(b).len() == 1;
        (jumps && exits.iter().all(own)).then_some((*preheader, exits))
    }
    /// Whether the element is certain to exist at the end of a block: it has been read or written before.
    fn exists(&self, at: Block, slice: Value, index: Value) -> bool {
        let same = |&inst: &Inst| {
            let place = Location::of(self.function, &self.function.insts[inst]);
            place == Some(Location::Element(slice, index))
        };
        let blocks = self.function.blocks_in_order();
        let mut before = blocks.filter(|&(b, _)| self.flow.dominates(b, at));
        before.any(|(_, data)| data.insts.iter().any(same))
    }
    /// Whether an instruction accesses this element by these values, or certainly does not touch it.
    fn is_apart_or_same(&self, inst: Inst, slice: Value, index: Value) -> bool {
        let place = Location::Element(slice, index);
        let other = Location::of(self.function, &self.function.insts[inst]);
        other.is_none_or(|other| {
            other == place || !self.parts.may_be_same(self.function, other, place)
        })
    }
}

impl Cell {
    /// Puts the element into an object of its own as long as the loop runs; [`promote`] makes a variable of that.
    fn rewrite(&self, function: &mut Function) {
        let ty = function
            .ty(self.slice)
            .element()
            .unwrap_or(function.ty(self.slice));
        let bytes = Const::Int(ty.size().unwrap_or(8) as i64);
        let at = self.preheader;
        let size = function.append(at, Op::Const(bytes), &[], Type::Usize, Span::NONE);
        let object = function.append(at, Op::Prim(Prim::Alloc), &[size], Type::Ptr, Span::NONE);
        let access = [self.slice, self.index];
        let value = function.append(at, Op::Prim(Prim::Load), &access, ty, Span::NONE);
        let set = Op::Prim(Prim::Set(0));
        function.append(at, set, &[object, value], Type::UNIT, Span::NONE);
        for &block in &self.exits {
            let insts = std::mem::take(&mut function.blocks[block].insts);
            self.write_back(function, block, object, ty);
            function.blocks[block].insts.extend(insts);
        }
        for &block in &self.blocks {
            self.rewrite_block(function, block, object, ty);
        }
    }
    /// Appends to a block that the element gets the object's content.
    fn write_back(&self, function: &mut Function, block: Block, object: Value, ty: Type) {
        let get = Op::Prim(Prim::Get(0));
        let value = function.append(block, get, &[object], ty, Span::NONE);
        let args = [self.slice, self.index, value];
        let store = Op::Prim(Prim::Store);
        function.append(block, store, &args, Type::UNIT, Span::NONE);
    }
    /// Lets a block access the object, and ends it at guards.
    fn rewrite_block(&self, function: &mut Function, block: Block, object: Value, ty: Type) {
        let terminator =
            std::mem::replace(&mut function.blocks[block].terminator, Terminator::Missing);
        let mut current = block;
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            let row = function.insts[inst].clone();
            if let Op::Prim(Prim::Assert(fault)) = row.op {
                let (next, failing) = (function.add_block(), function.add_block());
                function.blocks[current].terminator = Terminator::Branch {
                    condition: row.args[0],
                    then: Edge::new(next, []),
                    otherwise: Edge::new(failing, []),
                };
                self.write_back(function, failing, object, ty);
                let shown = row.args[1..].to_vec();
                function.blocks[failing].terminator = Terminator::Error(fault, shown, row.span);
                current = next;
                continue;
            }
            if row.args.starts_with(&[self.slice, self.index]) {
                let row = &mut function.insts[inst];
                match row.op {
                    Op::Prim(Prim::Load) => {
                        row.op = Op::Prim(Prim::Get(0));
                        row.args = [object].into_iter().collect();
                    }
                    Op::Prim(Prim::Store) => {
                        row.op = Op::Prim(Prim::Set(0));
                        row.args = [object, row.args[2]].into_iter().collect();
                    }
                    _ => {}
                }
            }
            function.blocks[current].insts.push(inst);
        }
        function.blocks[current].terminator = terminator;
    }
}

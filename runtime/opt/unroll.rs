//! Full unrolling of loops over small objects: what a `for` with a small constant number of turns does to the elements of a list of fixed
//! size becomes straight-line code, in which the places of the elements are constants. [`promote`] then makes variables of such a list.
//!
//! Code grows, so there are limits, which are constants of this file: a loop of more than [`MAX_TURNS`] turns stays, and so does one whose
//! copies have more than [`MAX_LOOP`] instructions together, loops inside it included; a function grows by at most [`MAX_FUNCTION`].
//! A loop that does not index small objects by its counter stays as well, whatever its size: copies would gain nothing.

use super::bounds::ends_by_order;
use super::copies::elide;
use super::effects::Calls;
use super::promote::promote;
use super::simplify::simplify;
use super::straighten::straighten;
use super::thread::thread;
use crate::diag::Span;
use crate::ir::build::{Folded, fold, substitute};
use crate::ir::eval::widen;
use crate::ir::flow::{Counted, Flow, LoopData, Loops};
use crate::ir::{Block, Const, Edge, Function, Inst, Module, Op, Prim, Terminator, Type, Value};
use crate::normalise::shape_graph;
use crate::registry::Registry;
use rustc_hash::{FxHashMap, FxHashSet};

/// Loops with more turns stay loops.
pub const MAX_TURNS: usize = 16;

/// Loops whose copies would have more instructions together, constants not counted, stay loops.
pub const MAX_LOOP: usize = 1024;

/// A function may grow by that many instructions.
pub const MAX_FUNCTION: usize = 4_000;

/// One round for each level of nested loops; few are nested deeper.
const ROUNDS: usize = 8;

/// Unrolls loops over small objects in all functions of a module in normal form, which it stays in, and makes variables of the objects.
/// Before the AD transform, so that small values have neither shadows nor a tape of addresses.
pub fn unroll_loops(mut module: Module, registry: &Registry) -> Module {
    let calls = Calls::new(&module, registry);
    for function in module.functions.values_mut() {
        unroll_function(function, &calls);
    }
    module
}

/// Makes variables of the objects of one function in normal form, and straight lines of its loops over small objects, before it becomes part of
/// its callers: what it knows of its objects it knows in all of them, and to find out is work for each copy otherwise. Objects that it takes or
/// gives stay until its callers know them.
pub fn settle_objects(function: &mut Function, calls: &Calls) {
    promote(function, calls);
    thread(function, calls);
    unroll_function(function, calls);
    elide(function, calls);
}

/// Unrolls the loops of a function, if afterwards every place in its small objects is a constant, or there are fewer objects. Otherwise it stays as it
/// is: its loops were too large for the limits, and copies would only make it longer.
fn unroll_function(function: &mut Function, calls: &Calls) {
    let before = (computed_places(function), objects(function));
    if before.0 == 0 {
        return;
    }
    let mut copy = function.clone();
    unroll_nests(&mut copy, calls);
    if computed_places(&copy) == 0 || objects(&copy) < before.1 {
        *function = copy;
    }
}

/// How many instructions are about a place in a small object that is known only when the program runs.
fn computed_places(function: &Function) -> usize {
    let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    let places = insts.filter_map(|&inst| place(function, inst));
    places
        .filter(|&place| function.as_const(place).is_none())
        .count()
}

/// What decides which part of a small object an instruction is about: the distance in bytes from its start, or the number of an element in a view of
/// constant length.
fn place(function: &Function, inst: Inst) -> Option<Value> {
    let inst = &function.insts[inst];
    match (inst.op, &inst.args[..]) {
        (Op::Prim(Prim::Offset), &[at, by]) if function.ty(at) == Type::Ptr => Some(by),
        (Op::Prim(Prim::Load | Prim::Store), &[slice, index, ..])
            if is_of_constant_length(function, slice) =>
        {
            Some(index)
        }
        _ => None,
    }
}

/// How many instructions make objects.
fn objects(function: &Function) -> usize {
    let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    insts
        .filter(|&&inst| function.insts[inst].op == Op::Prim(Prim::Alloc))
        .count()
}

/// Unrolls loops, the innermost first, until only those are left that stay.
fn unroll_nests(function: &mut Function, calls: &Calls) {
    let mut left = MAX_FUNCTION;
    for _ in 0..ROUNDS {
        if !unroll(function, &mut left) {
            break;
        }
        simplify(function, calls);
        straighten(function, calls);
        promote(function, calls);
        thread(function, calls);
        shape_graph(function);
    }
}

/// Unrolls the innermost of the loops over small objects. `left` is by how much the function may grow.
pub fn unroll(function: &mut Function, left: &mut usize) -> bool {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let plans: Vec<(&LoopData, Plan)> = loops
        .all()
        .filter_map(|(_, data)| Some((data, Plan::new(function, data)?)))
        .collect();
    let headers: FxHashSet<Block> = plans.iter().map(|(data, _)| data.header).collect();
    let mut aliases = FxHashMap::default();
    let mut gone: FxHashSet<Block> = FxHashSet::default();
    for (data, plan) in &plans {
        let is_innermost = !data.blocks[1..].iter().any(|b| headers.contains(b));
        if is_innermost && plan.size <= *left {
            *left -= plan.size;
            let preheader = flow.predecessors(data.header).iter();
            let outside = |b: &&Block| !data.blocks.contains(b);
            if let Some(&preheader) = preheader.clone().find(outside) {
                gone.extend(&data.blocks);
                Copies::new(function, data, preheader, &mut aliases).make(plan);
            }
        }
    }
    function.layout.retain(|block| !gone.contains(block));
    substitute(function, &aliases);
    !gone.is_empty()
}

/// A loop that is to be unrolled.
struct Plan {
    turns: usize,
    counted: Counted,
    /// The instructions of all copies.
    size: usize,
}

impl Plan {
    fn new(function: &Function, data: &LoopData) -> Option<Plan> {
        let counted = data.counted.clone()?;
        // Few, so that the product below does not overflow.
        let turns = turns(function, data.header, &counted).filter(|&turns| turns <= MAX_TURNS)?;
        let insts = data.blocks.iter().map(|&b| work(function, b));
        let size = insts.sum::<usize>() * turns;
        (size <= MAX_LOOP && indexes_objects(function, data)).then_some(Plan {
            turns,
            counted,
            size,
        })
    }
}

/// The number of a block's instructions, but for constants.
fn work(function: &Function, block: Block) -> usize {
    let insts = function.blocks[block].insts.iter();
    insts
        .filter(|&&inst| !matches!(function.insts[inst].op, Op::Const(_)))
        .count()
}

/// How often a loop runs, if that is a constant.
fn turns(function: &Function, header: Block, counted: &Counted) -> Option<usize> {
    let ty = function.ty(counted.induction);
    let constant = |value: Value| match function.as_const(value)? {
        Const::Int(c) => Some(widen(c, ty)),
        _ => None,
    };
    let distance = constant(counted.end)? - constant(counted.start)?;
    let step = i128::from(counted.step);
    let is_passed = distance.signum() == -step.signum();
    let turns = match is_passed {
        // A counter that is to be unequal to its end, and is beyond it, wraps around or fails.
        true if !ends_by_order(function, header) => return None,
        true => 0,
        false => (distance.abs() + step.abs() - 1) / step.abs(),
    };
    usize::try_from(turns).ok()
}

/// Whether what a loop counts decides which element of an object an instruction in it is about: one of an object that is addressed by bytes, or
/// of a view of constant length.
fn indexes_objects(function: &Function, data: &LoopData) -> bool {
    let mut counting: FxHashSet<Value> = FxHashSet::default();
    for &block in &data.blocks {
        let row = &function.blocks[block];
        let integers = row.params.iter().filter(|&&v| function.ty(v).is_int());
        counting.extend(integers);
        for &inst in &row.insts {
            if place(function, inst).is_some_and(|place| counting.contains(&place)) {
                return true;
            }
            let inst = &function.insts[inst];
            let counts = matches!(inst.op, Op::Prim(_))
                && function.ty(inst.result).is_int()
                && inst.args.iter().any(|arg| counting.contains(arg));
            if counts {
                counting.insert(inst.result);
            }
        }
    }
    false
}

fn is_of_constant_length(function: &Function, slice: Value) -> bool {
    function.def_inst(slice).is_some_and(|inst| {
        inst.op == Op::Prim(Prim::View) && function.as_const(inst.args[1]).is_some()
    })
}

/// The copies of a loop's turns in the making.
struct Copies<'a> {
    function: &'a mut Function,
    data: &'a LoopData,
    preheader: Block,
    /// What is read of the loop behind it.
    aliases: &'a mut FxHashMap<Value, Value>,
    /// The blocks that each turn has a copy of: the loop's, and those in which it fails.
    blocks: Vec<Block>,
    /// What the turn at hand has for the values of the loop.
    values: FxHashMap<Value, Value>,
    /// Constants stand in front of the first copy, each once.
    constants: FxHashMap<(Const, Type), Value>,
}

impl<'a> Copies<'a> {
    fn new(
        function: &'a mut Function,
        data: &'a LoopData,
        preheader: Block,
        aliases: &'a mut FxHashMap<Value, Value>,
    ) -> Copies<'a> {
        let mut blocks = data.blocks.clone();
        for &block in &data.blocks {
            for edge in function.blocks[block].terminator.edges() {
                let fails = matches!(
                    function.blocks[edge.block].terminator,
                    Terminator::Error(..)
                );
                if fails && block != data.header && !blocks.contains(&edge.block) {
                    blocks.push(edge.block);
                }
            }
        }
        Copies {
            function,
            data,
            preheader,
            aliases,
            blocks,
            values: FxHashMap::default(),
            constants: FxHashMap::default(),
        }
    }
    /// Puts the copies in the loop's place.
    fn make(mut self, plan: &Plan) {
        let header = self.data.header;
        let mut into = self.preheader;
        for _ in 0..plan.turns {
            let args = self.arguments(into);
            let copies = self.turn(args);
            self.lead(into, copies[&header]);
            self.leave(copies[&header], plan.counted.body, &copies);
            into = copies[&self.data.latches[0]];
        }
        // The header finds that the loop is over.
        let args = self.arguments(into);
        self.bind(args);
        let last = self.function.add_block();
        self.insts(header, last);
        self.lead(into, last);
        self.leave(last, plan.counted.exit, &FxHashMap::default());
        let params = self.function.blocks[header].params.clone();
        let insts = self.function.blocks[header].insts.clone();
        let results = insts.iter().map(|&inst| self.function.insts[inst].result);
        for value in params.into_iter().chain(results) {
            self.aliases.insert(value, self.values[&value]);
        }
    }
    /// What a block that leads to the header passes to it.
    fn arguments(&self, block: Block) -> Vec<Value> {
        let mut edges = self.function.blocks[block].terminator.edges();
        let edge = edges.find(|edge| edge.block == self.data.header);
        edge.map_or_else(Vec::new, |edge| edge.args.clone())
    }
    /// The header's parameters are these values now.
    fn bind(&mut self, args: Vec<Value>) {
        self.values.clear();
        let params = self.function.blocks[self.data.header]
            .params
            .iter()
            .copied();
        self.values.extend(params.zip(args));
    }
    /// Lets the edge from a block to the header lead to a copy of it, which takes nothing.
    fn lead(&mut self, block: Block, header: Block) {
        let original = self.data.header;
        let edges = self.function.blocks[block].terminator.edges_mut();
        for edge in edges.filter(|edge| edge.block == original) {
            *edge = Edge::new(header, []);
        }
    }
    /// Ends a copy of the header: the way it goes is known.
    fn leave(&mut self, copy: Block, to: Block, copies: &FxHashMap<Block, Block>) {
        let terminator = self.function.blocks[self.data.header].terminator.clone();
        if let Some(edge) = terminator.edges().find(|edge| edge.block == to) {
            let mut edge = edge.clone();
            edge.args.iter_mut().for_each(|v| *v = self.value(*v));
            edge.block = *copies.get(&edge.block).unwrap_or(&edge.block);
            self.function.blocks[copy].terminator = Terminator::Jump(edge);
        }
    }
    /// One turn, with these values for the header's parameters. Gives the copies of the blocks. Edges to the header stay.
    fn turn(&mut self, args: Vec<Value>) -> FxHashMap<Block, Block> {
        self.bind(args);
        let blocks = self.blocks.clone();
        let mut copies = FxHashMap::default();
        for &block in &blocks {
            let copy = self.function.add_block();
            copies.insert(block, copy);
            if block != self.data.header {
                for param in self.function.blocks[block].params.clone() {
                    let new = self.function.add_param(copy, self.function.ty(param));
                    self.function.values[new].name = self.function.values[param].name;
                    self.values.insert(param, new);
                }
            }
        }
        // In reverse post-order what dominates a use comes before it; arguments of edges are read when all is there.
        for &block in &blocks {
            self.insts(block, copies[&block]);
        }
        for &block in blocks.iter().filter(|&&b| b != self.data.header) {
            let mut terminator = self.function.blocks[block].terminator.clone();
            terminator.map_values(|v| self.value(v));
            for edge in terminator.edges_mut() {
                if edge.block != self.data.header {
                    edge.block = *copies.get(&edge.block).unwrap_or(&edge.block);
                }
            }
            self.function.blocks[copies[&block]].terminator = terminator;
        }
        copies
    }
    fn value(&self, value: Value) -> Value {
        *self.values.get(&value).unwrap_or(&value)
    }
    /// Copies a block's instructions, folded.
    fn insts(&mut self, block: Block, copy: Block) {
        for inst in self.function.blocks[block].insts.clone() {
            let data = self.function.insts[inst].clone();
            let ty = self.function.ty(data.result);
            let args: Vec<Value> = data.args.iter().map(|&v| self.value(v)).collect();
            let folded = match data.op {
                Op::Const(c) => Some(Folded::Const(c)),
                Op::Prim(prim) => fold(self.function, prim, &args, ty),
                Op::Call(_) | Op::Map(_) => None,
            };
            let new = match folded {
                Some(Folded::Value(value)) => value,
                Some(Folded::Const(c)) => self.constant(c, ty),
                None => {
                    let new = self.function.append(copy, data.op, &args, ty, data.span);
                    self.function.values[new].name = self.function.values[data.result].name;
                    new
                }
            };
            self.values.insert(data.result, new);
        }
    }
    fn constant(&mut self, c: Const, ty: Type) -> Value {
        let (function, at) = (&mut *self.function, self.preheader);
        let made = self.constants.entry((c, ty));
        *made.or_insert_with(|| function.append(at, Op::Const(c), &[], ty, Span::NONE))
    }
}

//! Which objects can be variables, and where their addresses go.
//!
//! An object can be if the function itself makes it, of constant size, and accesses it by constant places only. Its address may be passed
//! to a parameter of a block: that parameter then stands for variables of its own, which get the content of whichever object
//! comes in. Objects and parameters that are connected so are one *web* and have the same cells.
//!
//! A parameter's variables are a copy of the content, so there must be nobody left who sees a difference: either no path leads from the
//! parameter to another use of the address that came in, or nothing writes to the web from there on. The same holds where an address
//! leaves the function's sight at the end of its life (it is stored, returned or passed on): what leaves is the address of a copy.
//!
//! Two kinds of objects stay in memory: lists whose indices are known only at run time, and objects that are stored where other functions find
//! them. `tests/small_values.rs` has the programs in which no object may remain.

use crate::arena::Id;
use crate::ir::flow::Flow;
use crate::ir::{Block, Const, Function, Inst, Op, Prim, Terminator, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The places of an object that are accessed: their offsets and what they hold.
pub type Cells = BTreeMap<u32, Type>;

/// What makes an address: an instruction that makes an object, or a parameter of a block. An index.
pub type Node = usize;

/// The objects that can be replaced.
pub struct Objects {
    origins: Vec<Origin>,
    /// For each address that is known: its origin, and the distance from there.
    places: FxHashMap<Value, (Node, u32)>,
    /// By origin: the cells and the bytes, if it can be replaced.
    replaced: Vec<Option<(Cells, u32)>>,
}

#[derive(Clone, Copy)]
enum Origin {
    Alloc(Inst),
    Merge,
}

impl Objects {
    /// Finds them.
    pub fn find(function: &Function) -> Objects {
        let flow = Flow::new(function);
        let mut search = Search::new(function);
        search.walk(&flow);
        search.check_copies(&flow);
        search.finish()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.replaced.iter().all(Option::is_none)
    }
    /// The replaced object that an instruction makes.
    pub fn made(&self, function: &Function, inst: Inst) -> Option<Node> {
        self.whole(function.insts[inst].result)
    }
    /// The replaced object whose own address a value is.
    pub fn whole(&self, address: Value) -> Option<Node> {
        let (node, at) = self.place(address, 0)?;
        (at == 0).then_some(node)
    }
    /// The place of a replaced object that is so many bytes behind an address.
    pub fn place(&self, address: Value, at: u32) -> Option<(Node, u32)> {
        let &(node, start) = self.places.get(&address)?;
        self.replaced[node].as_ref().map(|_| (node, start + at))
    }
    /// The cells of a replaced object; none of others.
    pub fn cells(&self, node: Node) -> impl Iterator<Item = (u32, Type)> {
        let cells = self.replaced[node].iter().flat_map(|(cells, _)| cells);
        cells.map(|(&at, &ty)| (at, ty))
    }
    /// The bytes of a replaced object.
    pub fn bytes(&self, node: Node) -> u32 {
        self.replaced[node].as_ref().map_or(0, |&(_, bytes)| bytes)
    }
    /// All replaced objects.
    pub fn all(&self) -> impl Iterator<Item = Node> {
        (0..self.origins.len()).filter(|&node| self.replaced[node].is_some())
    }
}

/// A number of bytes that is known.
fn constant(function: &Function, value: Value) -> Option<u32> {
    match function.as_const(value)? {
        Const::Int(bytes) => u32::try_from(bytes).ok(),
        _ => None,
    }
}

struct Search<'a> {
    function: &'a Function,
    origins: Vec<Origin>,
    places: FxHashMap<Value, (Node, u32)>,
    /// By origin: another one of the same web, or itself.
    parents: Vec<Node>,
    /// By origin: whether its address is used in a way that keeps the object an object.
    failed: Vec<bool>,
    /// Reads and writes.
    accesses: Vec<Access>,
    /// Where addresses leave the function's sight, or are stored in another of these objects.
    escapes: Vec<Escape>,
}

struct Access {
    node: Node,
    at: u32,
    ty: Type,
    block: Block,
    is_write: bool,
}

struct Escape {
    node: Node,
    block: Block,
    /// The position in the block; that of the terminator is the number of instructions.
    position: usize,
    /// The object that it is stored in, if that is one of these.
    holder: Option<Node>,
}

impl<'a> Search<'a> {
    fn new(function: &'a Function) -> Search<'a> {
        Search {
            function,
            origins: Vec::new(),
            places: FxHashMap::default(),
            parents: Vec::new(),
            failed: Vec::new(),
            accesses: Vec::new(),
            escapes: Vec::new(),
        }
    }
    fn add(&mut self, address: Value, origin: Origin) {
        let node = self.origins.len();
        self.origins.push(origin);
        self.parents.push(node);
        self.failed.push(false);
        self.places.insert(address, (node, 0));
    }
    fn web(&self, mut node: Node) -> Node {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }
    fn join(&mut self, a: Node, b: Node) {
        let (a, b) = (self.web(a), self.web(b));
        self.parents[a] = b;
        self.failed[b] |= self.failed[a];
    }
    fn fail(&mut self, node: Node) {
        let web = self.web(node);
        self.failed[web] = true;
    }
    /// An address is used in a way that is not understood.
    fn give_up(&mut self, value: Value) {
        if let Some(&(node, _)) = self.places.get(&value) {
            self.fail(node);
        }
    }

    /// Takes note of all addresses, accesses and edges.
    fn walk(&mut self, flow: &Flow) {
        let function = self.function;
        // Definitions come before uses in this order.
        for &block in flow.reverse_postorder() {
            if block != function.entry() {
                for &param in &function.blocks[block].params {
                    if function.ty(param) == Type::Ptr {
                        self.add(param, Origin::Merge);
                    }
                }
            }
            for (position, &inst) in function.blocks[block].insts.iter().enumerate() {
                self.visit(block, position, inst);
            }
        }
        for &block in flow.reverse_postorder() {
            let data = &function.blocks[block];
            match &data.terminator {
                Terminator::Return(value) => self.escape(*value, block, data.insts.len(), None),
                Terminator::Error(_, values, _) => values.iter().for_each(|&v| self.give_up(v)),
                Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Missing => {}
            }
            for edge in data.terminator.edges() {
                for (&param, &arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                    self.pass(param, arg);
                }
            }
        }
    }
    fn visit(&mut self, block: Block, position: usize, inst: Inst) {
        let function = self.function;
        let data = &function.insts[inst];
        match (data.op, &data.args[..]) {
            (Op::Prim(Prim::Alloc), &[size]) => {
                if constant(function, size).is_some() {
                    self.add(data.result, Origin::Alloc(inst));
                }
            }
            (Op::Prim(Prim::Offset), &[at, by])
                if let Some(&(node, start)) = self.places.get(&at) =>
            {
                match constant(function, by).and_then(|by| start.checked_add(by)) {
                    Some(place) => {
                        self.places.insert(data.result, (node, place));
                    }
                    None => self.fail(node),
                }
            }
            (Op::Prim(Prim::Get(at)), &[p]) => {
                self.access(p, at, function.ty(data.result), block, false);
            }
            (Op::Prim(Prim::Set(at)), &[p, v]) => {
                let holder = self.places.get(&p).map(|place| place.0);
                self.escape(v, block, position, holder);
                self.access(p, at, function.ty(v), block, true);
            }
            (Op::Prim(Prim::Tuple) | Op::Call(_), args) => {
                args.iter()
                    .for_each(|&arg| self.escape(arg, block, position, None));
            }
            (_, args) => args.iter().for_each(|&arg| self.give_up(arg)),
        }
    }
    fn access(&mut self, address: Value, at: u32, ty: Type, block: Block, is_write: bool) {
        let Some(&(node, start)) = self.places.get(&address) else {
            return;
        };
        match start.checked_add(at) {
            Some(at) => self.accesses.push(Access {
                node,
                at,
                ty,
                block,
                is_write,
            }),
            None => self.fail(node),
        }
    }
    fn escape(&mut self, value: Value, block: Block, position: usize, holder: Option<Node>) {
        match self.places.get(&value) {
            Some(&(node, 0)) => self.escapes.push(Escape {
                node,
                block,
                position,
                holder,
            }),
            Some(&(node, _)) => self.fail(node),
            None => {}
        }
    }
    /// An edge passes a value to a parameter.
    fn pass(&mut self, param: Value, arg: Value) {
        let known = self.places.get(&arg).copied();
        match (self.places.get(&param).copied(), known) {
            (Some((merge, _)), Some((node, at))) => {
                self.join(node, merge);
                if at != 0 {
                    self.fail(node);
                }
            }
            (Some((merge, _)), None) if self.function.as_const(arg) != Some(Const::Null) => {
                self.fail(merge);
            }
            (None, Some((node, _))) => self.fail(node),
            (_, None) => {}
        }
    }

    /// Fails webs in which a copy would be told from what it is a copy of.
    fn check_copies(&mut self, flow: &Flow) {
        let is_open = |search: &Self, node| !search.failed[search.web(node)];
        let mut life = Life::default();
        for node in 0..self.origins.len() {
            if is_open(self, node) {
                life.open.insert(node);
            }
        }
        let has_copies = |node: &Node| matches!(self.origins[*node], Origin::Merge);
        let escapes = self.escapes.iter().any(|e| life.open.contains(&e.node));
        if !escapes && !life.open.iter().any(has_copies) {
            return;
        }
        life.find(self.function, flow, &self.places);
        let function = self.function;
        // Webs in which two addresses of one object are known at a time.
        let mut shared: FxHashSet<Node> = FxHashSet::default();
        for &block in flow.reverse_postorder() {
            for edge in function.blocks[block].terminator.edges() {
                let passed: Vec<Node> = (edge.args.iter())
                    .filter_map(|arg| Some(self.places.get(arg)?.0))
                    .collect();
                for &node in &passed {
                    let is_last = !life.enters(edge.block, node)
                        && passed.iter().filter(|&&other| other == node).count() == 1;
                    if is_open(self, node) && !is_last {
                        shared.insert(self.web(node));
                        if self.is_written_behind(edge.block, node) {
                            self.fail(node);
                        }
                    }
                }
            }
        }
        for i in 0..self.escapes.len() {
            let Escape {
                node,
                block,
                position,
                ..
            } = self.escapes[i];
            let insts = &function.blocks[block].insts;
            let is_return = position == insts.len();
            let web = self.web(node);
            if !is_return && (shared.contains(&web) || self.is_used_after(&life, i)) {
                self.fail(node);
            }
        }
    }
    /// Whether something writes to an object's web in a block or on a path from there.
    fn is_written_behind(&self, block: Block, node: Node) -> bool {
        let web = self.web(node);
        let writes = self.accesses.iter().filter(|access| access.is_write);
        let written: FxHashSet<Block> = writes
            .filter(|access| self.web(access.node) == web)
            .map(|access| access.block)
            .collect();
        let mut seen = FxHashSet::from_iter([block]);
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            if written.contains(&block) {
                return true;
            }
            for edge in self.function.blocks[block].terminator.edges() {
                if seen.insert(edge.block) {
                    open.push(edge.block);
                }
            }
        }
        false
    }
    /// Whether an address that escapes is used again, or escapes twice at once.
    fn is_used_after(&self, life: &Life, escape: usize) -> bool {
        let Escape {
            node,
            block,
            position,
            ..
        } = self.escapes[escape];
        let data = &self.function.blocks[block];
        let is_own = |value: &Value| self.places.get(value).is_some_and(|place| place.0 == node);
        let args = |inst: &Inst| &self.function.insts[*inst].args;
        let at_once = args(&data.insts[position]).iter().filter(|v| is_own(v));
        let mut used = at_once.count() > 1;
        let after = data.insts[position + 1..].iter();
        used |= after.flat_map(args).any(&is_own);
        data.terminator.for_each_value(|v| used |= is_own(&v));
        used || (data.terminator.edges()).any(|edge| life.enters(edge.block, node))
    }

    /// The webs that have not failed.
    fn finish(self) -> Objects {
        let count = self.origins.len();
        let mut webs: Vec<Web> = (0..count).map(|_| Web::default()).collect();
        for (node, origin) in self.origins.iter().enumerate() {
            let web = &mut webs[self.web(node)];
            match *origin {
                Origin::Alloc(inst) => {
                    let bytes = constant(self.function, self.function.insts[inst].args[0]);
                    web.bytes = web.bytes.max(bytes.unwrap_or(0));
                    web.is_made = true;
                }
                Origin::Merge => web.is_read = true,
            }
        }
        for access in &self.accesses {
            let web = &mut webs[self.web(access.node)];
            web.is_read |= !access.is_write;
            web.access(access.at, access.ty);
        }
        for escape in &self.escapes {
            let web = self.web(escape.node);
            webs[web].escapes = true;
        }
        // What is only written and leaves is best written where it is.
        let fits = |node: Node| {
            let web = &webs[self.web(node)];
            let is_failed = self.failed[self.web(node)];
            !is_failed && !web.overlaps && web.is_made && (web.is_read || !web.escapes)
        };
        // What is stored in a replaced object is seen better once that is gone.
        let held = self.escapes.iter().filter(|e| e.holder.is_some_and(fits));
        let held: FxHashSet<Node> = held.map(|e| self.web(e.node)).collect();
        let replaced = (0..count).map(|node| {
            let web = self.web(node);
            let is_replaced = fits(node) && !held.contains(&web);
            is_replaced.then(|| (webs[web].cells.clone(), webs[web].bytes))
        });
        Objects {
            replaced: replaced.collect(),
            origins: self.origins,
            places: self.places,
        }
    }
}

/// What is known about connected objects.
#[derive(Default)]
struct Web {
    cells: Cells,
    bytes: u32,
    /// An instruction makes one of them.
    is_made: bool,
    is_read: bool,
    escapes: bool,
    /// Two accesses are to parts of the same bytes, or of different types.
    overlaps: bool,
}

impl Web {
    /// Takes note of an access. Accesses that overlap must be to the same place and of the same type.
    fn access(&mut self, at: u32, ty: Type) {
        let size = |ty: Type| ty.size().unwrap_or(0) as u32;
        let end = at.checked_add(size(ty)).filter(|&end| end <= self.bytes);
        let apart = |(&other, &held): (&u32, &Type)| {
            (other, held) == (at, ty)
                || other + size(held) <= at
                || end.is_some_and(|end| end <= other)
        };
        match end.is_some() && self.cells.iter().all(apart) {
            true => drop(self.cells.insert(at, ty)),
            false => self.overlaps = true,
        }
    }
}

/// Where addresses of objects are still to be used.
#[derive(Default)]
struct Life {
    /// The origins that matter.
    open: FxHashSet<Node>,
    /// The blocks at whose start an address of that origin is still to be used.
    starts: FxHashSet<(Block, Node)>,
}

impl Life {
    fn enters(&self, block: Block, node: Node) -> bool {
        self.starts.contains(&(block, node))
    }
    fn find(&mut self, function: &Function, flow: &Flow, places: &FxHashMap<Value, (Node, u32)>) {
        let home = function.defining_blocks();
        let mut seen: FxHashSet<(Block, Value)> = FxHashSet::default();
        for (user, data) in function.blocks_in_order() {
            let mut visit = |value: Value| {
                let Some(&(node, _)) = places.get(&value) else {
                    return;
                };
                let mut open = vec![user];
                while let Some(block) = open.pop() {
                    let is_home = home[value.index()] == Some(block);
                    if is_home || !self.open.contains(&node) || !seen.insert((block, value)) {
                        continue;
                    }
                    self.starts.insert((block, node));
                    open.extend(flow.predecessors(block));
                }
            };
            for &inst in &data.insts {
                function.insts[inst].args.iter().for_each(|&v| visit(v));
            }
            data.terminator.for_each_value(visit);
        }
    }
}

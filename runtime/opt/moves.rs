//! Which arrays nobody reads after a cluster has read them.
//!
//! The array host keeps every array of a call until the call is over, because numbers in registers, in memory and on the tape stand for it. In a
//! loop that is too long: the arrays of all its steps would be in memory together. So a cluster is told which of its arguments its caller does
//! not read again ([`crate::ir::Function::moved`]); the host then frees their memory, or changes it where that spares a copy.
//!
//! An array has one **owner** if its number is in one value at a time: the result of an array operation, which is always a new number, or a
//! parameter of a block that every edge hands such an array over to. What goes anywhere else (the tape, memory, a tuple, another function) has
//! no owner, and stays until the call is over. What is returned goes to the caller.
//!
//! A loop may begin with an array that somebody else has, such as an argument of the function, and go on with arrays of its own. Before such a loop, and
//! where the same array goes past it, the array gets a second number, which has one owner; its elements are where they were.

use super::cluster::{is_array_operation, outline};
use super::fresh_name;
use crate::diag::Span;
use crate::ir::flow::{Flow, Loops};
use crate::ir::{
    Block, BlockData, Edge, Function, HostOp, Inst, Module, Op, Prim, Symbol, Terminator, Value,
    ValueDef,
};
use crate::registry::Registry;
use rustc_hash::{FxHashMap, FxHashSet};

/// Marks the parameters of clusters whose arguments are not read again. A single operation that is the last to read an array becomes a cluster.
pub fn moves(mut module: Module, registry: &Registry) -> Module {
    let names: Vec<Symbol> = module.functions.keys().copied().collect();
    for name in names {
        let mut function = module.functions[&name].clone();
        let moves = Moves::new(&module, &function, registry, true);
        let borrowed = moves.borrowed();
        let last = match borrowed.is_empty() {
            true => moves.last_reads(),
            false => {
                lend(&mut function, &borrowed);
                Moves::new(&module, &function, registry, false).last_reads()
            }
        };
        let mut made = Vec::new();
        for Last {
            block,
            inst,
            arrays,
        } in last
        {
            let cluster = match function.insts[inst].op {
                Op::Call(callee) if let Some(cluster) = module.called(callee) => {
                    let mut cluster = cluster.clone();
                    mark(&mut cluster, &function.insts[inst].args, &arrays);
                    cluster
                }
                _ => alone(&module, &mut function, &made, block, inst, &arrays),
            };
            made.push(cluster);
        }
        if !made.is_empty() || !borrowed.is_empty() {
            made.into_iter().for_each(|cluster| module.insert(cluster));
            module.insert(function);
        }
    }
    module
}

/// An array that somebody else has, and that goes where a loop hands over arrays of its own.
struct Borrowed {
    /// From which block to which one it goes.
    from: Block,
    to: Block,
    /// Which argument of the edge it is.
    index: usize,
}

/// Gives each array a second number, which goes there.
fn lend(function: &mut Function, borrowed: &[Borrowed]) {
    for &Borrowed { from, to, index } in borrowed {
        let edges = function.blocks[from].terminator.edges();
        let values: Vec<Value> = edges
            .filter(|edge| edge.block == to)
            .map(|edge| edge.args[index])
            .collect();
        for value in values {
            // It gives what it is given, and nothing for what is absent.
            let op = Op::Call(HostOp::BroadcastLike.into());
            let ty = function.ty(value);
            let second = function.append(from, op, &[value, value], ty, Span::NONE);
            for edge in function.blocks[from].terminator.edges_mut() {
                if edge.block == to && edge.args[index] == value {
                    edge.args[index] = second;
                }
            }
        }
    }
}

/// An instruction that is the last to read some arrays.
struct Last {
    block: Block,
    inst: Inst,
    arrays: Vec<Value>,
}

/// Marks the parameters of a cluster that get these arrays, when it is called with such arguments.
fn mark(cluster: &mut Function, args: &[Value], arrays: &[Value]) {
    cluster.moved = args.iter().map(|arg| arrays.contains(arg)).collect();
}

/// Makes a cluster of one operation, and calls it in its place.
fn alone(
    module: &Module,
    function: &mut Function,
    made: &[Function],
    block: Block,
    inst: Inst,
    arrays: &[Value],
) -> Function {
    let name = fresh_name(module, made, function.name, "arrays");
    let mut insts = Vec::new();
    let mut cluster = outline(function, &[inst], name, &mut insts);
    mark(&mut cluster, &function.insts[insts[0]].args, arrays);
    let own = &mut function.blocks[block].insts;
    if let Some(place) = own.iter().position(|&other| other == inst) {
        own.splice(place..=place, insts);
    }
    cluster
}

struct Moves<'a> {
    module: &'a Module,
    function: &'a Function,
    registry: &'a Registry,
    /// The arrays that each block reads and has from others.
    live_in: FxHashMap<Block, FxHashSet<Value>>,
    live_out: FxHashMap<Block, FxHashSet<Value>>,
    /// The arrays that have an owner.
    owned: FxHashSet<Value>,
    /// The edges that may borrow, if any may: the blocks from which and to which they lead.
    past: FxHashSet<(Block, Block)>,
}

impl<'a> Moves<'a> {
    /// Finds out who has which arrays. With `borrow`, edges past loops may hand over what somebody else has.
    fn new(
        module: &'a Module,
        function: &'a Function,
        registry: &'a Registry,
        borrow: bool,
    ) -> Moves<'a> {
        let mut moves = Moves {
            module,
            function,
            registry,
            live_in: FxHashMap::default(),
            live_out: FxHashMap::default(),
            owned: FxHashSet::default(),
            past: FxHashSet::default(),
        };
        let has_clusters = function.blocks_in_order().any(|(_, block)| {
            block
                .insts
                .iter()
                .any(|&inst| moves.cluster(inst).is_some())
        });
        if has_clusters && !function.clustered {
            if borrow {
                moves.past = past_loops(function);
            }
            moves.live();
            moves.own();
        }
        moves
    }

    fn is_array(&self, value: Value) -> bool {
        self.function.ty(value).is_array()
    }

    /// The cluster that an instruction calls.
    fn cluster(&self, inst: Inst) -> Option<&'a Function> {
        match self.function.insts[inst].op {
            Op::Call(callee) => self.module.called(callee).filter(|f| f.clustered),
            _ => None,
        }
    }

    /// Whether an instruction only reads the arrays that it is given, and gives new ones.
    fn only_reads(&self, inst: Inst) -> bool {
        let row = &self.function.insts[inst];
        self.cluster(inst).is_some()
            || is_array_operation(self.module, self.function, self.registry, row)
    }

    /// Whether a value is the number of a new array.
    fn is_new(&self, value: Value) -> bool {
        let ValueDef::Inst(inst) = self.function.values[value].def else {
            return false;
        };
        let row = &self.function.insts[inst];
        match row.op {
            Op::Prim(Prim::Field(n)) => match self.function.values[row.args[0]].def {
                ValueDef::Inst(made) => self.cluster(made).is_some_and(|f| gives_new(f, n)),
                ValueDef::Param(..) => false,
            },
            _ => self.only_reads(inst),
        }
    }

    /// The arrays among the arguments of an instruction that stand somewhere else afterwards, too.
    fn kept(&self, inst: Inst) -> Vec<Value> {
        let args = &self.function.insts[inst].args;
        if let Some(cluster) = self.cluster(inst) {
            let pairs = args.iter().zip(cluster.params());
            let kept = pairs.filter(|(_, param)| uses_in_tuples(cluster, **param) > 0);
            return kept.map(|(&arg, _)| arg).collect();
        }
        let row = &self.function.insts[inst];
        let arrays: Vec<Value> = self.arrays(args).collect();
        let is_free = || {
            self.only_reads(inst) || row.op == Op::Prim(Prim::Tuple) && self.is_returned(row.result)
        };
        match arrays.is_empty() || is_free() {
            true => Vec::new(),
            false => arrays,
        }
    }

    /// Whether nothing is done with a value but to return it, alone or within tuples: its arrays go to the caller then.
    fn is_returned(&self, value: Value) -> bool {
        self.function.blocks_in_order().all(|(_, data)| {
            let insts = data.insts.iter().map(|&inst| &self.function.insts[inst]);
            let mut uses = insts.filter(|row| row.args.contains(&value));
            let mut is_passed_on = false;
            for edge in data.terminator.edges() {
                is_passed_on |= edge.args.contains(&value);
            }
            !is_passed_on
                && uses.all(|row| row.op == Op::Prim(Prim::Tuple) && self.is_returned(row.result))
        })
    }

    fn arrays<'v>(&'v self, values: &'v [Value]) -> impl Iterator<Item = Value> + 'v {
        values.iter().copied().filter(|&value| self.is_array(value))
    }

    fn edges(&self, block: Block) -> impl Iterator<Item = &'a Edge> {
        self.function.blocks[block].terminator.edges()
    }

    /// The arrays that a block hands to others or to the caller. What is returned within a tuple is read when the tuple is, not when it is made.
    fn at_the_end(&self, block: &BlockData) -> impl Iterator<Item = Value> {
        let mut arrays = Vec::new();
        block
            .terminator
            .for_each_value(|value| self.within(value, &mut arrays));
        arrays.into_iter()
    }

    /// Finds the arrays in a value: itself, or what it was made of if it is a tuple that is made here.
    fn within(&self, value: Value, arrays: &mut Vec<Value>) {
        if self.is_array(value) {
            arrays.push(value);
        }
        let made = self.function.def_inst(value);
        if let Some(row) = made.filter(|row| row.op == Op::Prim(Prim::Tuple)) {
            row.args.iter().for_each(|&arg| self.within(arg, arrays));
        }
    }

    /// Which arrays are live where blocks begin and end.
    fn live(&mut self) {
        let mut reads: FxHashMap<Block, FxHashSet<Value>> = FxHashMap::default();
        let mut made: FxHashMap<Block, FxHashSet<Value>> = FxHashMap::default();
        for (block, data) in self.function.blocks_in_order() {
            let (mut own, mut read) = (FxHashSet::default(), FxHashSet::default());
            own.extend(self.arrays(&data.params));
            for &inst in &data.insts {
                let row = &self.function.insts[inst];
                read.extend(self.arrays(&row.args).filter(|v| !own.contains(v)));
                own.extend(self.arrays(&[row.result]));
            }
            read.extend(self.at_the_end(data).filter(|v| !own.contains(v)));
            reads.insert(block, read);
            made.insert(block, own);
        }
        loop {
            let mut changed = false;
            for &block in self.function.layout.iter().rev() {
                let mut out = FxHashSet::default();
                for edge in self.edges(block) {
                    out.extend(self.live_in.get(&edge.block).into_iter().flatten());
                }
                let mut live = reads[&block].clone();
                live.extend(out.iter().filter(|value| !made[&block].contains(value)));
                changed |= self.live_in.get(&block) != Some(&live);
                self.live_in.insert(block, live);
                self.live_out.insert(block, out);
            }
            if !changed {
                return;
            }
        }
    }

    /// Which arrays have an owner: all that may have one, less those of which something else is found.
    fn own(&mut self) {
        let entry = self.function.entry();
        let mut owned = FxHashSet::default();
        for (block, data) in self.function.blocks_in_order() {
            if block != entry {
                owned.extend(self.arrays(&data.params));
            }
            let results = data.insts.iter().map(|&i| self.function.insts[i].result);
            owned.extend(results.filter(|&v| self.is_array(v) && self.is_new(v)));
        }
        for (_, data) in self.function.blocks_in_order() {
            // What is returned goes to the caller, and is read no more here.
            for value in data.insts.iter().flat_map(|&inst| self.kept(inst)) {
                owned.remove(&value);
            }
        }
        loop {
            let before = owned.len();
            for &block in &self.function.layout {
                for edge in self.edges(block) {
                    self.hand_over(block, edge, &mut owned);
                }
            }
            if owned.len() == before {
                break;
            }
        }
        self.owned = owned;
    }

    /// Takes the owners away that an edge shows to be none.
    fn hand_over(&self, from: Block, edge: &Edge, owned: &mut FxHashSet<Value>) {
        let target = &self.function.blocks[edge.block];
        let borrows = self.past.contains(&(from, edge.block));
        for (&value, &param) in edge.args.iter().zip(&target.params) {
            if !self.is_array(value) || self.function.as_const(value).is_some() {
                continue;
            }
            if !borrows && !self.is_free(edge, value, owned) {
                owned.remove(&param);
            }
            if !owned.contains(&param) {
                owned.remove(&value);
            }
        }
    }
    /// Whether an array that an edge hands over has an owner, and stands nowhere else behind the edge.
    fn is_free(&self, edge: &Edge, value: Value, owned: &FxHashSet<Value>) -> bool {
        let times = edge.args.iter().filter(|&&arg| arg == value).count();
        let stays = self.live_in[&edge.block].contains(&value) || times > 1;
        !stays && owned.contains(&value)
    }

    /// The arrays that somebody else has, where all others that go there have an owner.
    fn borrowed(&self) -> Vec<Borrowed> {
        let mut borrowed = Vec::new();
        for &(from, to) in &self.past {
            let params = &self.function.blocks[to].params;
            for edge in self.edges(from).filter(|edge| edge.block == to) {
                for (index, (&value, param)) in edge.args.iter().zip(params).enumerate() {
                    let is_known = self.function.as_const(value).is_some();
                    if self.owned.contains(param)
                        && !is_known
                        && !self.is_free(edge, value, &self.owned)
                    {
                        borrowed.push(Borrowed { from, to, index });
                    }
                }
            }
        }
        borrowed.sort_by_key(|own| (own.from, own.to, own.index));
        borrowed
    }

    /// The instructions that are the last to read arrays which have an owner.
    fn last_reads(&self) -> Vec<Last> {
        let mut last = Vec::new();
        for (block, data) in self.function.blocks_in_order() {
            if self.owned.is_empty() {
                break;
            }
            let mut later = self.live_out[&block].clone();
            later.extend(self.at_the_end(data));
            for &inst in data.insts.iter().rev() {
                let args = &self.function.insts[inst].args;
                if self.only_reads(inst) {
                    let is_last = |v: &Value| self.owned.contains(v) && !later.contains(v);
                    let arrays: Vec<Value> = args.iter().copied().filter(is_last).collect();
                    if !arrays.is_empty() {
                        last.push(Last {
                            block,
                            inst,
                            arrays,
                        });
                    }
                }
                later.extend(self.arrays(args));
            }
        }
        last
    }
}

/// The edges that lead where others come from deeper within loops: to where a loop begins, and past one that has no turns.
fn past_loops(function: &Function) -> FxHashSet<(Block, Block)> {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let depth = |block: &Block| {
        let around = loops.all().filter(|(_, data)| data.blocks.contains(block));
        around.count()
    };
    let mut past = FxHashSet::default();
    for &to in &function.layout {
        let depths: Vec<(Block, usize)> = { flow.predecessors(to).iter() }
            .map(|from| (*from, depth(from)))
            .collect();
        let deepest = depths.iter().map(|&(_, depth)| depth).max();
        let others = depths.iter().filter(|&&(_, depth)| Some(depth) < deepest);
        past.extend(others.map(|&(from, _)| (from, to)));
    }
    past
}

/// How often a value of a cluster becomes part of a tuple.
fn uses_in_tuples(cluster: &Function, value: Value) -> usize {
    let insts = cluster.blocks[cluster.entry()].insts.iter();
    let tuples = insts.filter(|&&inst| cluster.insts[inst].op == Op::Prim(Prim::Tuple));
    let args = tuples.flat_map(|&inst| &cluster.insts[inst].args);
    args.filter(|&&arg| arg == value).count()
}

/// Whether the n-th result of a cluster is an array that stands nowhere else: it may be part of another result that is a tuple.
fn gives_new(cluster: &Function, n: u32) -> bool {
    let Terminator::Return(tuple) = cluster.blocks[cluster.entry()].terminator else {
        return false;
    };
    let results = cluster.def_inst(tuple).map_or(&[][..], |inst| &inst.args);
    let result = results.get(n as usize);
    result.is_some_and(|&result| uses_in_tuples(cluster, result) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_module;

    /// The marks of each cluster.
    fn marks(text: &str) -> Vec<(String, Vec<bool>)> {
        let registry = Registry::default();
        let module = moves(parse_module(text).unwrap(), &registry);
        let clusters = module.functions.values().filter(|f| f.clustered);
        clusters
            .map(|f| (f.name.to_string(), f.moved.clone()))
            .collect()
    }

    const CLUSTER: &str = "
        fn @step(%0: array<f64>, %1: array<f64>) -> (array<f64>,) clustered {
        b0:
            %2: array<f64> = call @accumulate(%0, %1)
            %3: (array<f64>,) = tuple %2
            return %3
        }
    ";

    /// The loop's array is handed from one iteration to the next; the argument of the function is not.
    #[test]
    fn a_loop_hands_its_array_on() {
        let text = format!(
            "{CLUSTER}
            fn @f(%0: array<f64>, %1: bool) -> array<f64> {{
            b0:
                %2: (array<f64>,) = call @first(%0, %0)
                %3: array<f64> = field.0 %2
                jump b1(%3)
            b1(%4: array<f64>):
                %5: (array<f64>,) = call @step(%4, %0)
                %6: array<f64> = field.0 %5
                branch %1, b1(%6), b2(%6)
            b2(%7: array<f64>):
                return %7
            }}
            {}",
            CLUSTER.replace("@step", "@first")
        );
        let step = |text: &str| {
            let mut found = marks(text).into_iter();
            found.find(|(name, _)| name == "step").unwrap().1
        };
        assert_eq!(step(&text), [true, false]);
        let pair = text
            .replace("array<f64> {", "(array<f64>, bool) {")
            .replace(
                "return %7",
                "%8: (array<f64>, bool) = tuple %7, %1\n return %8",
            );
        assert_eq!(step(&pair), [true, false]);
        // Memory may know it.
        let kept = text.replace(
            "return %7",
            "%8: (array<f64>, bool) = tuple %7, %1\n %9: array<f64> = field.0 %8\n return %9",
        );
        assert_eq!(step(&kept), [false; 0]);
    }

    fn text_of_rotated() -> String {
        format!(
            "{CLUSTER}
            fn @f(%0: array<f64>, %1: bool) -> array<f64> {{
            b0:
                branch %1, b1, b3(%0)
            b1:
                jump b2(%0)
            b2(%4: array<f64>):
                %6: (array<f64>,) = call @step(%4, %0)
                %7: array<f64> = field.0 %6
                branch %1, b2(%7), b3(%7)
            b3(%8: array<f64>):
                return %8
            }}"
        )
    }

    /// A loop that begins with the argument of the function owns what it goes on with. The argument gets a second number, once for each place.
    #[test]
    fn a_loop_owns_what_follows_an_argument() {
        let text = format!(
            "{CLUSTER}
            fn @f(%0: array<f64>, %1: bool) -> array<f64> {{
            b0:
                jump b1(%0, %0)
            b1(%4: array<f64>, %5: array<f64>):
                %6: (array<f64>,) = call @step(%4, %0)
                %7: array<f64> = field.0 %6
                branch %1, b1(%5, %7), b2(%5)
            b2(%8: array<f64>):
                return %8
            }}"
        );
        let registry = Registry::default();
        let module = moves(parse_module(&text).unwrap(), &registry);
        let marks =
            |module: &Module, name: &str| module.functions[&Symbol::new(name)].moved.clone();
        assert_eq!(marks(&module, "step"), [true, false]);
        let text = module.to_string();
        let second = "call @broadcast_like(%0, %0)";
        assert_eq!(text.matches(second).count(), 2, "{text}");
        // A loop that may have no turns.
        let rotated = text_of_rotated();
        let module = moves(parse_module(&rotated).unwrap(), &registry);
        assert_eq!(marks(&module, "step"), [true, false]);
        assert_eq!(module.to_string().matches(second).count(), 2, "{module}");
        // Where the turns do not own what they carry, there is no second number.
        let kept = format!(
            "{CLUSTER}
            fn @f(%0: array<f64>, %1: bool) -> array<f64> {{
            b0:
                jump b1(%0)
            b1(%4: array<f64>):
                %5: (array<f64>,) = call @step(%4, %0)
                branch %1, b1(%0), b2
            b2:
                return %0
            }}"
        );
        let module = moves(parse_module(&kept).unwrap(), &registry);
        assert!(!module.to_string().contains("broadcast_like"));
        assert_eq!(marks(&module, "step"), [false; 0]);
    }

    /// A tuple that is made before the array is read, and returned afterwards.
    #[test]
    fn what_is_returned_is_read_at_the_end() {
        let text = format!(
            "{CLUSTER}
            fn @f(%0: array<f64>) -> (array<f64>, array<f64>) {{
            b0:
                %1: (array<f64>,) = call @first(%0, %0)
                %2: array<f64> = field.0 %1
                %3: (array<f64>, array<f64>) = tuple %2, %0
                jump b1
            b1:
                %4: (array<f64>,) = call @step(%2, %0)
                return %3
            }}
            {}",
            CLUSTER.replace("@step", "@first")
        );
        let found = marks(&text);
        assert!(found.iter().all(|(_, moved)| moved.is_empty()), "{found:?}");
    }

    /// The array is a result, and part of another one.
    #[test]
    fn what_is_part_of_a_tuple_is_not_moved() {
        let text = "
            fn @two(%0: array<f64>) -> (array<f64>, (array<f64>, array<f64>)) clustered {
            b0:
                %1: array<f64> = call @accumulate(%0, %0)
                %2: (array<f64>, array<f64>) = tuple %1, %0
                %3: (array<f64>, (array<f64>, array<f64>)) = tuple %1, %2
                return %3
            }
            fn @step(%0: array<f64>) -> (array<f64>,) clustered {
            b0:
                %1: array<f64> = call @accumulate(%0, %0)
                %2: (array<f64>,) = tuple %1
                return %2
            }
            fn @f(%0: array<f64>) -> (array<f64>, array<f64>) {
            b0:
                %1: (array<f64>,) = call @first(%0)
                %2: array<f64> = field.0 %1
                %3: (array<f64>, (array<f64>, array<f64>)) = call @two(%2)
                %4: array<f64> = field.0 %3
                %5: (array<f64>, array<f64>) = field.1 %3
                %6: (array<f64>,) = call @step(%4)
                return %5
            }
        ";
        let first = text[text.find("fn @step").unwrap()..text.find("fn @f(").unwrap()].to_owned();
        let found = marks(&(text.to_owned() + &first.replace("@step", "@first")));
        assert!(found.iter().all(|(_, moved)| moved.is_empty()), "{found:?}");
    }

    #[test]
    fn what_is_read_again_or_kept_is_not_moved() {
        let program = |after: &str| {
            format!(
                "{CLUSTER}
                {}
                fn @f(%0: array<f64>) -> f64 {{
                b0:
                    %2: (array<f64>,) = call @first(%0, %0)
                    %3: array<f64> = field.0 %2
                    {after}
                }}",
                CLUSTER.replace("@step", "@first")
            )
        };
        let step = |after: &str| {
            let mut found = marks(&program(after)).into_iter();
            found.find(|(name, _)| name == "step").unwrap().1
        };
        let call = "%4: (array<f64>,) = call @step(%3, %0)\n %5: array<f64> = field.0 %4\n";
        let end = "%9: f64 = call @sum_to_scalar(%5)\n return %9";
        assert_eq!(step(&format!("{call}{end}")), [true, false]);
        let again = "%6: f64 = call @sum_to_scalar(%3)\n";
        assert_eq!(step(&format!("{call}{again}{end}")), [false; 0]);
        let pair = "%6: (array<f64>, f64) = tuple %3, %7\n %8: f64 = field.1 %6\n";
        let pair = &format!("%7: f64 = 1.0\n {pair}");
        assert_eq!(step(&format!("{call}{pair}{end}")), [false; 0]);
        assert_eq!(step(&format!("{pair}{call}{end}")), [false; 0]);
    }
}

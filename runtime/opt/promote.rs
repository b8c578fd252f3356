//! Scalar replacement of objects: an object that only this function knows, and only by constant places, is a set of
//! variables.
//!
//! An object that can be replaced (see `objects`) has one variable, zero at first, for each place that is accessed, and so has a
//! parameter of a block that takes its address. The function is rebuilt with these variables in SSA form; `get` is the
//! variable's value. What was hidden in one object (the address of another one, a counter) is visible then, so this repeats
//! until nothing is left to do, or the function has been rebuilt [`ROUNDS`] times.

use super::dce::remove_dead_values;
use super::effects::Calls;
use super::objects::{Node, Objects};
use super::simplify::simplify;
use crate::arena::Id;
use crate::ir::build::{Builder, Variable};
use crate::ir::flow::Flow;
use crate::ir::{Block, Edge, Function, Inst, InstData, Module, Op, Prim, Terminator, Type, Value};
use crate::registry::Registry;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Replaces objects by variables in all functions of a typed module. Before the AD transform, so that local structures
/// have no shadows.
pub fn promote_objects(mut module: Module, registry: &Registry) -> Module {
    let calls = Calls::new(&module, registry);
    for function in module.functions.values_mut() {
        promote(function, &calls);
    }
    module
}

/// Objects within objects are seen one level at a time. Nothing is nested deeper that is worth it.
const ROUNDS: usize = 32;

/// Replaces objects by variables. Functions without objects stay as they are.
pub fn promote(function: &mut Function, calls: &Calls) -> bool {
    let mut changed = false;
    for _ in 0..ROUNDS {
        if !has_objects(function) {
            return changed;
        }
        // Places become constant by folding, and what nobody reads does not keep an address in use.
        changed |= simplify(function, calls) | remove_dead_values(function, calls);
        let objects = Objects::find(function);
        if objects.is_empty() {
            return changed;
        }
        *function = rebuild(function, &objects);
        changed = true;
    }
    changed
}

fn has_objects(function: &Function) -> bool {
    let mut insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    insts.any(|&inst| function.insts[inst].op == Op::Prim(Prim::Alloc))
}

/// The function with variables for objects.
fn rebuild(function: &Function, objects: &Objects) -> Function {
    let shell = function.shell();
    let mut copy = Copy {
        function,
        objects,
        variables: BTreeMap::new(),
        values: function
            .params()
            .iter()
            .copied()
            .zip(shell.params().to_vec())
            .collect(),
        blocks: FxHashMap::default(),
        builder: Builder::new(shell),
    };
    copy.declare();
    let flow = Flow::new(function);
    let mut ended = vec![0; function.blocks.len()];
    for &block in flow.reverse_postorder() {
        copy.block(block);
        // A block is sealed as soon as all its predecessors are copied.
        for edge in function.blocks[block].terminator.edges() {
            let target = edge.block;
            ended[target.index()] += 1;
            if ended[target.index()] == flow.predecessors(target).len() {
                copy.builder.seal(copy.blocks[&target]);
            }
        }
    }
    copy.builder.finish()
}

/// A copy of a function in the making.
struct Copy<'a> {
    function: &'a Function,
    objects: &'a Objects,
    variables: BTreeMap<(Node, u32), Variable>,
    values: FxHashMap<Value, Value>,
    blocks: FxHashMap<Block, Block>,
    builder: Builder,
}

impl Copy<'_> {
    /// Makes the variables, and the blocks in the order in which they stand.
    fn declare(&mut self) {
        for object in self.objects.all() {
            for (at, ty) in self.objects.cells(object) {
                let variable = self.builder.declare(ty);
                self.variables.insert((object, at), variable);
            }
        }
        let function = self.function;
        self.blocks.insert(function.entry(), self.builder.block());
        for &block in &function.layout[1..] {
            let new = self.builder.new_block();
            self.blocks.insert(block, new);
            for &param in &function.blocks[block].params {
                self.param(new, param);
            }
        }
    }
    /// A parameter of a block: the content, if it is the address of a replaced object.
    fn param(&mut self, block: Block, param: Value) {
        let name = self.function.values[param].name;
        let Some(object) = self.objects.whole(param) else {
            let copy = (self.builder).add_param(block, self.function.ty(param));
            self.builder.function.values[copy].name = name;
            self.values.insert(param, copy);
            return;
        };
        self.builder.switch_to(block);
        for (at, ty) in self.objects.cells(object) {
            let content = self.builder.add_param(block, ty);
            self.builder.function.values[content].name = name;
            self.builder.define(self.variables[&(object, at)], content);
        }
    }
    fn block(&mut self, block: Block) {
        self.builder.switch_to(self.blocks[&block]);
        for &inst in &self.function.blocks[block].insts {
            self.inst(inst);
        }
        match &self.function.blocks[block].terminator {
            Terminator::Missing => {}
            Terminator::Jump(edge) => {
                let args = self.passed(edge);
                self.builder.jump(self.blocks[&edge.block], &args);
            }
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let args = [then, otherwise].map(|edge| self.passed(edge));
                let [a, b] = [then, otherwise].map(|edge| self.blocks[&edge.block]);
                self.builder
                    .branch(self.values[condition], (a, &args[0]), (b, &args[1]));
            }
            Terminator::Return(value) => {
                let value = self.value(*value);
                self.builder.ret(value);
            }
            Terminator::Error(fault, values, span) => {
                let values: Vec<Value> = values.iter().map(|v| self.values[v]).collect();
                self.builder.span = *span;
                self.builder.error(*fault, &values);
            }
        }
    }
    /// What an edge passes on: of a replaced object the content.
    fn passed(&mut self, edge: &Edge) -> Vec<Value> {
        let mut passed = Vec::new();
        let params = &self.function.blocks[edge.block].params;
        for (&param, &arg) in params.iter().zip(&edge.args) {
            match (self.objects.whole(param), self.objects.whole(arg)) {
                (None, _) => passed.push(self.values[&arg]),
                (Some(object), given) => {
                    for (at, ty) in self.objects.cells(object) {
                        passed.push(match given {
                            Some(given) => self.builder.read(self.variables[&(given, at)]),
                            // Nobody reads what is at no address.
                            None => self.builder.zero(ty),
                        });
                    }
                }
            }
        }
        passed
    }
    /// A value as it is used otherwise: of a replaced object, the address of an object with the same content.
    fn value(&mut self, value: Value) -> Value {
        let Some(object) = self.objects.whole(value) else {
            return self.values[&value];
        };
        let bytes = i64::from(self.objects.bytes(object));
        let bytes = self.builder.int(bytes, Type::Usize);
        let address = self.builder.prim(Prim::Alloc, &[bytes]);
        for (at, _) in self.objects.cells(object) {
            let content = self.builder.read(self.variables[&(object, at)]);
            self.builder.prim(Prim::Set(at), &[address, content]);
        }
        address
    }
    fn inst(&mut self, inst: Inst) {
        let data = &self.function.insts[inst];
        match self.replacement(inst, data) {
            Some(Replacement::Nothing) => {}
            Some(Replacement::Value(value)) => {
                self.values.insert(data.result, value);
            }
            None => {
                self.builder.span = data.span;
                let args: Vec<Value> = data.args.iter().map(|&arg| self.value(arg)).collect();
                let value = self
                    .builder
                    .inst(data.op, &args, self.function.ty(data.result));
                self.builder.function.values[value].name = self.function.values[data.result].name;
                self.values.insert(data.result, value);
            }
        }
    }
    /// What an instruction becomes that has to do with a replaced object.
    fn replacement(&mut self, inst: Inst, data: &InstData) -> Option<Replacement> {
        match (data.op, &data.args[..]) {
            (Op::Prim(Prim::Alloc), _) => {
                let object = self.objects.made(self.function, inst)?;
                for (at, ty) in self.objects.cells(object) {
                    let zero = self.builder.zero(ty);
                    self.builder.define(self.variables[&(object, at)], zero);
                }
                Some(Replacement::Nothing)
            }
            (Op::Prim(Prim::Offset), &[at, _]) => {
                self.objects.place(at, 0).map(|_| Replacement::Nothing)
            }
            (Op::Prim(Prim::Get(at)), &[p]) => {
                let variable = self.variables[&self.objects.place(p, at)?];
                Some(Replacement::Value(self.builder.read(variable)))
            }
            (Op::Prim(Prim::Set(at)), &[p, v]) => {
                let variable = self.variables[&self.objects.place(p, at)?];
                let value = self.value(v);
                let value = self.builder.resolve(value);
                self.builder.define(variable, value);
                Some(Replacement::Value(self.builder.unit()))
            }
            _ => None,
        }
    }
}

enum Replacement {
    /// It had no uses but those that go too.
    Nothing,
    Value(Value),
}

//! Scalar replacement of objects: an object that only this function knows, and only by constant places, is a set of
//! variables.
//!
//! An `alloc` of constant size whose address serves for `get` and `set` alone (also a constant number of bytes on) has
//! one variable, zero at first, for each place that is accessed. The function is rebuilt with these variables in SSA
//! form; `get` is the variable's value. What was hidden in one object (the address of another one, a counter) is visible
//! then, so this repeats until nothing is left to do.

use super::effects::Calls;
use super::simplify::simplify;
use crate::arena::Id;
use crate::ir::build::{Builder, Variable};
use crate::ir::flow::Flow;
use crate::ir::{
    Block, Const, Edge, Function, Inst, InstData, Module, Op, Prim, Terminator, Type, Value,
};
use crate::registry::Registry;
use std::collections::{BTreeMap, HashMap};

/// Replaces objects by variables in all functions of a typed module. Before the AD transform, so that local structures
/// have no shadows.
pub fn promote_objects(mut module: Module, registry: &Registry) -> Module {
    let calls = Calls::new(&module, registry);
    for function in module.functions.values_mut() {
        promote(function, &calls);
    }
    module
}

/// Replaces objects by variables. Functions without objects stay as they are.
pub fn promote(function: &mut Function, calls: &Calls) -> bool {
    let mut changed = false;
    loop {
        if !has_objects(function) {
            return changed;
        }
        // Places become constant by folding.
        let folded = simplify(function, calls);
        let objects = Objects::find(function);
        if objects.cells.is_empty() {
            return changed | folded;
        }
        *function = rebuild(function, &objects);
        changed = true;
    }
}

fn has_objects(function: &Function) -> bool {
    let mut insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    insts.any(|&inst| function.insts[inst].op == Op::Prim(Prim::Alloc))
}

/// The places of an object that are accessed: their offsets and what they hold.
type Cells = BTreeMap<u32, Type>;

/// The objects that can be replaced.
struct Objects {
    /// By the instruction that makes the object.
    cells: BTreeMap<Inst, Cells>,
    /// For each address of such an object (or of one that turned out to be none): the object and the distance.
    places: HashMap<Value, (Inst, u32)>,
}

impl Objects {
    fn find(function: &Function) -> Objects {
        let mut objects = Objects {
            cells: BTreeMap::new(),
            places: HashMap::new(),
        };
        // Definitions come before uses in this order.
        for &block in Flow::new(function).reverse_postorder() {
            for &inst in &function.blocks[block].insts {
                objects.visit(function, inst);
            }
            let terminator = &function.blocks[block].terminator;
            terminator.for_each_value(|value| objects.give_up(value));
        }
        objects
    }
    fn visit(&mut self, function: &Function, inst: Inst) {
        let data = &function.insts[inst];
        match (data.op, &data.args[..]) {
            (Op::Prim(Prim::Alloc), &[size]) => {
                if constant(function, size).is_some() {
                    self.cells.insert(inst, Cells::new());
                    self.places.insert(data.result, (inst, 0));
                }
            }
            (Op::Prim(Prim::Offset), &[at, by])
                if let Some(&(object, start)) = self.places.get(&at) =>
            {
                match constant(function, by).and_then(|by| start.checked_add(by)) {
                    Some(place) => {
                        self.places.insert(data.result, (object, place));
                    }
                    None => self.give_up(at),
                }
            }
            (Op::Prim(Prim::Get(at)), &[p]) => {
                self.access(function, p, at, function.ty(data.result))
            }
            (Op::Prim(Prim::Set(at)), &[p, v]) => {
                self.give_up(v);
                self.access(function, p, at, function.ty(v));
            }
            (_, args) => args.iter().for_each(|&arg| self.give_up(arg)),
        }
    }
    /// Takes note of an access. Accesses that overlap must be to the same place and of the same type.
    fn access(&mut self, function: &Function, address: Value, at: u32, ty: Type) {
        let Some(&(object, start)) = self.places.get(&address) else {
            return;
        };
        let Some(cells) = self.cells.get_mut(&object) else {
            return;
        };
        let size = |ty: Type| ty.size().unwrap_or(0) as u32;
        let bytes = constant(function, function.insts[object].args[0]).unwrap_or(0);
        let fits = start.checked_add(at).filter(|&at| {
            let end = at.checked_add(size(ty));
            let apart = |(&other, &held): (&u32, &Type)| {
                (other, held) == (at, ty)
                    || other + size(held) <= at
                    || end.is_some_and(|end| end <= other)
            };
            end.is_some_and(|end| end <= bytes) && cells.iter().all(apart)
        });
        match fits {
            Some(at) => {
                cells.insert(at, ty);
            }
            None => self.give_up(address),
        }
    }
    /// The address is used otherwise: the object stays.
    fn give_up(&mut self, value: Value) {
        if let Some((object, _)) = self.places.get(&value) {
            self.cells.remove(object);
        }
    }
    /// The place that an access of a replaced object is to.
    fn place(&self, address: Value, at: u32) -> Option<(Inst, u32)> {
        let &(object, start) = self.places.get(&address)?;
        self.cells
            .contains_key(&object)
            .then_some((object, start + at))
    }
}

/// A number of bytes that is known.
fn constant(function: &Function, value: Value) -> Option<u32> {
    match function.as_const(value)? {
        Const::Int(bytes) => u32::try_from(bytes).ok(),
        _ => None,
    }
}

/// The function with variables for objects.
fn rebuild(function: &Function, objects: &Objects) -> Function {
    let mut shell = Function::new(function.name, &function.param_types(), function.ret);
    for (&new, &old) in shell.params().to_vec().iter().zip(function.params()) {
        shell.values[new].name = function.values[old].name;
    }
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
        blocks: HashMap::new(),
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
    variables: BTreeMap<(Inst, u32), Variable>,
    values: HashMap<Value, Value>,
    blocks: HashMap<Block, Block>,
    builder: Builder,
}

impl Copy<'_> {
    /// Makes the variables, and the blocks in the order in which they stand.
    fn declare(&mut self) {
        for (&object, cells) in &self.objects.cells {
            for (&at, &ty) in cells {
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
                let copy = self.builder.add_param(new, function.ty(param));
                self.builder.function.values[copy].name = function.values[param].name;
                self.values.insert(param, copy);
            }
        }
    }
    fn block(&mut self, block: Block) {
        self.builder.switch_to(self.blocks[&block]);
        for &inst in &self.function.blocks[block].insts {
            self.inst(inst);
        }
        let mut terminator = self.function.blocks[block].terminator.clone();
        terminator.map_values(|value| self.values[&value]);
        let to = |edge: &Edge| self.blocks[&edge.block];
        match &terminator {
            Terminator::Missing => {}
            Terminator::Jump(edge) => self.builder.jump(to(edge), &edge.args),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let (a, b) = (to(then), to(otherwise));
                self.builder
                    .branch(*condition, (a, &then.args), (b, &otherwise.args));
            }
            Terminator::Return(value) => self.builder.ret(*value),
            Terminator::Error(fault, values, span) => {
                self.builder.span = *span;
                self.builder.error(*fault, values);
            }
        }
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
                let args: Vec<Value> = data.args.iter().map(|arg| self.values[arg]).collect();
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
                for (&at, &ty) in self.objects.cells.get(&inst)? {
                    let zero = self.builder.zero(ty);
                    self.builder.define(self.variables[&(inst, at)], zero);
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
                let value = self.builder.resolve(self.values[&v]);
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

//! Random programs on nodes that are linked at random: every aliasing and order of reads, writes, allocations, calls.

use super::*;
use crate::ir::build::{Builder, Variable};
use crate::ir::{Function, Op, Prim, Value};
use crate::opt::{promote_objects, unroll_loops};
use crate::testing::random::Random;

/// Where a node has what: two floats, two nodes, a number.
const FLOATS: [u32; 2] = [0, 8];
const LINKS: [u32; 2] = [16, 24];
const NUMBER: u32 = 32;
const SIZE: i64 = 40;

const LENGTH: usize = 3;
const NODES: usize = 4;

/// Nodes form rings, so only two steps of what is returned are looked at.
const SHAPES: &[Shape] = &[
    Shape {
        floats: &[0, 1],
        pointers: &[(2, 1), (3, 1)],
    },
    Shape {
        floats: &[0, 1],
        pointers: &[],
    },
];

struct Writer<'r> {
    random: &'r mut Random,
    b: Builder,
    floats: Vec<Variable>,
    nodes: Vec<Variable>,
    numbers: Vec<Value>,
    slices: Vec<Value>,
    /// How deep calls may still go; `None` where there are none.
    depth: Option<Value>,
    statements: usize,
}

fn ret() -> Type {
    Type::tuple(&[Type::F64, Type::Ptr])
}

fn program(random: &mut Random) -> Module {
    let (f64s, f, n) = (Type::slice_mut(Type::F64), Type::F64, Type::Usize);
    let calls = random.below(2) == 0;
    let params = [Type::Ptr, Type::Ptr, f64s, f64s, n, f, f];
    let root = function(random, "f", &params, calls, 18);
    let mut module = Module::new(root);
    if calls {
        let params = [Type::Ptr, f64s, n, f];
        let callee = function(random, "g", &params, true, 8);
        module.insert(callee);
    }
    module
}

fn function(
    random: &mut Random,
    name: &str,
    params: &[Type],
    calls: bool,
    statements: usize,
) -> Function {
    let b = Builder::new(Function::new(Symbol::new(name), params, ret()));
    let statements = 2 + random.below(statements);
    let mut writer = Writer {
        random,
        b,
        floats: Vec::new(),
        nodes: Vec::new(),
        numbers: Vec::new(),
        slices: Vec::new(),
        depth: None,
        statements,
    };
    for &param in &writer.b.function.params().to_vec() {
        let ty = writer.b.function.ty(param);
        let variable = writer.b.declare(ty);
        match ty {
            Type::Ptr => writer.nodes.push(variable),
            Type::F64 => writer.floats.push(variable),
            Type::Usize => writer.numbers.push(param),
            _ => writer.slices.push(param),
        }
        if !matches!(ty, Type::SliceMut(_)) {
            writer.b.define(variable, param);
        }
    }
    // Any path may change the second ones.
    let again = writer.float();
    let variable = writer.b.declare(Type::F64);
    writer.b.define(variable, again);
    writer.floats.push(variable);
    let node = writer.node();
    let variable = writer.b.declare(Type::Ptr);
    writer.b.define(variable, node);
    writer.nodes.push(variable);
    writer.depth = match calls {
        false => None,
        true if name == "f" => Some(writer.b.int(2, Type::Usize)),
        true => Some(writer.numbers[0]),
    };
    while writer.statements > 0 {
        writer.statement(0);
    }
    let (x, p) = (writer.float(), writer.node());
    let result = writer.b.prim(Prim::Tuple, &[x, p]);
    writer.b.ret(result);
    writer.b.finish()
}

impl Writer<'_> {
    fn float(&mut self) -> Value {
        let variable = self.random.choose(&self.floats);
        self.b.read(variable)
    }
    fn node(&mut self) -> Value {
        let variable = self.random.choose(&self.nodes);
        self.b.read(variable)
    }
    fn set_float(&mut self, value: Value) {
        let variable = self.random.choose(&self.floats);
        self.b.define(variable, value);
    }
    fn set_node(&mut self, value: Value) {
        let variable = self.random.choose(&self.nodes);
        self.b.define(variable, value);
    }
    fn index(&mut self, below: usize) -> Value {
        if self.random.below(2) == 0 {
            let number = self.random.choose(&self.numbers);
            let length = self.b.int(below as i64, Type::Usize);
            return self.b.prim(Prim::Rem, &[number, length]);
        }
        let i = self.random.below(below) as i64;
        self.b.int(i, Type::Usize)
    }
    /// A slice, and an index in it.
    fn place(&mut self) -> (Value, Value) {
        if self.random.below(2) == 0 {
            let slice = self.random.choose(&self.slices);
            return (slice, self.index(LENGTH));
        }
        let node = self.node();
        let two = self.b.int(2, Type::Usize);
        let floats = Type::slice_mut(Type::F64);
        let view = self.b.prim_to(Prim::View, &[node, two], floats);
        (view, self.index(2))
    }
    /// A pointer to two floats.
    fn floats_at(&mut self) -> Value {
        match self.random.below(4) {
            // Of the last slice alone, so that another one has only its parameter for a name.
            0 => {
                let last = self.slices[self.slices.len() - 1];
                let base = self.b.prim(Prim::Base, &[last]);
                let bytes = self.b.int(8, Type::Usize);
                self.b.prim(Prim::Offset, &[base, bytes])
            }
            _ => self.node(),
        }
    }
    fn statement(&mut self, depth: usize) {
        if self.statements == 0 {
            return;
        }
        self.statements -= 1;
        match self.random.below(16) {
            0 | 1 => {
                let (at, field) = (self.floats_at(), self.random.choose(&FLOATS));
                let value = self.b.prim_to(Prim::Get(field), &[at], Type::F64);
                self.set_float(value);
            }
            2 | 3 => {
                let (at, value) = (self.floats_at(), self.float());
                let field = self.random.choose(&FLOATS);
                self.b.prim(Prim::Set(field), &[at, value]);
            }
            4 => {
                let (at, field) = (self.node(), self.random.choose(&LINKS));
                let value = self.b.prim_to(Prim::Get(field), &[at], Type::Ptr);
                self.set_node(value);
            }
            5 | 6 => {
                let (at, value) = (self.node(), self.node());
                let field = self.random.choose(&LINKS);
                self.b.prim(Prim::Set(field), &[at, value]);
            }
            7 => self.new_node(),
            8 => {
                let ((slice, i), value) = (self.place(), self.float());
                self.b.prim(Prim::Store, &[slice, i, value]);
            }
            9 => {
                let (slice, i) = self.place();
                let value = self.b.prim(Prim::Load, &[slice, i]);
                self.set_float(value);
            }
            10 => {
                let at = self.node();
                match self.random.below(2) {
                    0 => {
                        let number = self.index(4);
                        self.b.prim(Prim::Set(NUMBER), &[at, number]);
                    }
                    _ => {
                        let (a, b) = (self.node(), self.node());
                        let odd = self.odd();
                        let node = self.b.prim(Prim::Select, &[odd, a, b]);
                        self.set_node(node);
                    }
                }
            }
            11 if depth < 2 => self.branch(depth),
            12 if depth < 2 => self.count(depth),
            13 if self.depth.is_some() => self.call(),
            _ => self.compute(),
        }
    }
    fn compute(&mut self) {
        let (a, b) = (self.float(), self.float());
        let product = self.b.prim(Prim::Mul, &[a, b]);
        let value = match self.random.below(3) {
            0 => self.b.prim(Prim::Add, &[a, b]),
            1 => product,
            _ => self.b.prim(Prim::Sub, &[product, a]),
        };
        let value = self.b.call(Symbol::new("sin"), &[value], Type::F64);
        self.set_float(value);
    }
    fn new_node(&mut self) {
        let size = self.b.int(SIZE, Type::Usize);
        let (l, r, x) = (self.node(), self.node(), self.float());
        let node = self.b.prim(Prim::Alloc, &[size]);
        for (field, value) in LINKS.into_iter().zip([l, r]) {
            let itself = self.random.below(4) == 0;
            let value = if itself { node } else { value };
            self.b.prim(Prim::Set(field), &[node, value]);
        }
        if self.random.below(2) == 0 {
            self.b.prim(Prim::Set(0), &[node, x]);
        }
        self.set_node(node);
    }
    /// Whether some number is odd.
    fn odd(&mut self) -> Value {
        let number = match self.random.below(2) {
            0 => {
                let node = self.node();
                self.b.prim_to(Prim::Get(NUMBER), &[node], Type::Usize)
            }
            _ => self.random.choose(&self.numbers),
        };
        let one = self.b.int(1, Type::Usize);
        let bit = self.b.prim(Prim::And, &[number, one]);
        self.b.prim(Prim::Eq, &[bit, one])
    }
    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
    }
    fn branch(&mut self, depth: usize) {
        let odd = self.odd();
        let [yes, no, after] = [(); 3].map(|_| self.b.new_block());
        self.b.branch(odd, (yes, &[]), (no, &[]));
        for block in [yes, no] {
            self.b.seal(block);
            self.b.switch_to(block);
            self.block(depth + 1);
            self.b.jump(after, &[]);
        }
        self.b.seal(after);
        self.b.switch_to(after);
    }
    /// A loop, counted or left by what is in memory.
    fn count(&mut self, depth: usize) {
        let counter = self.b.declare(Type::Usize);
        let zero = self.b.int(0, Type::Usize);
        self.b.define(counter, zero);
        let [header, body, out] = [(); 3].map(|_| self.b.new_block());
        self.b.jump(header, &[]);
        self.b.switch_to(header);
        let i = self.b.read(counter);
        let end = self.b.int(1 + self.random.below(3) as i64, Type::Usize);
        let mut more = self.b.prim(Prim::Lt, &[i, end]);
        if self.random.below(2) == 0 {
            let odd = self.odd();
            let first = self.b.prim(Prim::Eq, &[i, zero]);
            let go_on = self.b.prim(Prim::Or, &[odd, first]);
            more = self.b.prim(Prim::And, &[more, go_on]);
        }
        self.b.branch(more, (body, &[]), (out, &[]));
        self.b.seal(body);
        self.b.switch_to(body);
        self.numbers.push(i);
        self.block(depth + 1);
        self.numbers.pop();
        let one = self.b.int(1, Type::Usize);
        let i = self.b.prim(Prim::Add, &[i, one]);
        self.b.define(counter, i);
        self.b.jump(header, &[]);
        self.b.seal(header);
        self.b.seal(out);
        self.b.switch_to(out);
    }
    /// `if depth > 0 { (x, p) = g(node, slice, depth - 1, y) }`
    fn call(&mut self) {
        let Some(depth) = self.depth else { return };
        let zero = self.b.int(0, Type::Usize);
        let deeper = self.b.prim(Prim::Gt, &[depth, zero]);
        let [yes, after] = [(); 2].map(|_| self.b.new_block());
        self.b.branch(deeper, (yes, &[]), (after, &[]));
        self.b.seal(yes);
        self.b.switch_to(yes);
        let one = self.b.int(1, Type::Usize);
        let less = self.b.prim(Prim::Sub, &[depth, one]);
        let (node, x) = (self.node(), self.float());
        let slice = self.random.choose(&self.slices);
        let result = self
            .b
            .call(Symbol::new("g"), &[node, slice, less, x], ret());
        let x = self.b.prim(Prim::Field(0), &[result]);
        let node = self.b.prim(Prim::Field(1), &[result]);
        self.set_float(x);
        self.set_node(node);
        self.b.jump(after, &[]);
        self.b.seal(after);
        self.b.switch_to(after);
    }
}

fn heap(random: &mut Random) -> Heap {
    let mut objects = Vec::new();
    for _ in 0..NODES {
        let mut cells: Vec<Cell> = (0..2).map(|_| Cell::X(random.signed())).collect();
        cells.extend([(); 2].map(|_| Cell::P(Some(random.below(NODES)))));
        cells.push(Cell::N(random.below(4) as u64));
        objects.push(cells);
    }
    for _ in 0..2 {
        objects.push((0..LENGTH).map(|_| Cell::X(random.signed())).collect());
    }
    Heap {
        objects,
        args: vec![
            Given::P(random.below(NODES)),
            Given::P(random.below(NODES)),
            Given::Slice(NODES),
            Given::Slice(NODES + 1),
            Given::N(random.below(4) as u64),
            Given::X(random.signed()),
            Given::X(random.signed()),
        ],
        shapes: SHAPES,
    }
}

/// Without the pointer, so that value and gradient can be had in one function.
fn only_number(module: &mut Module) {
    let root = module.root_mut();
    root.ret = Type::F64;
    for block in root.layout.clone() {
        if let crate::ir::Terminator::Return(tuple) = root.blocks[block].terminator {
            let first = root.def_inst(tuple).map(|row| row.args[0]);
            let first = first.filter(|_| root.def_inst(tuple).is_some_and(is_tuple));
            let value = first.expect("a tuple is returned");
            root.blocks[block].terminator = crate::ir::Terminator::Return(value);
            root.blocks[block].insts.pop();
        }
    }
}

fn is_tuple(row: &crate::ir::InstData) -> bool {
    row.op == Op::Prim(Prim::Tuple)
}

/// `MOONCAKE_RANDOM_PROGRAMS=20000` tests more, `MOONCAKE_SEEDS=17..18` those.
#[test]
fn random_programs_on_linked_nodes() {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    let seeds = match std::env::var("MOONCAKE_SEEDS") {
        Ok(text) => {
            let (from, to) = text.split_once("..").unwrap();
            from.parse().unwrap()..to.parse().unwrap()
        }
        Err(_) => 0..number("MOONCAKE_RANDOM_PROGRAMS").unwrap_or(40_u64),
    };
    for seed in seeds {
        let mut random = Random::new(seed + 1);
        // Seeds that are near each other begin alike.
        (0..5).for_each(|_| {
            random.bits();
        });
        let mut module = program(&mut random);
        if random.below(2) == 0 {
            only_number(&mut module);
        }
        let heap = heap(&mut random);
        let wanted = match seed % 4 {
            0 => [false, false, true, true, false, false, true],
            1 if seed % 8 == 1 => [false; 7],
            _ => [true; 7],
        };
        // Both forms have their derivatives tested.
        let subject = match seed % 3 {
            0 => Subject::of(module, &wanted),
            _ => Subject::after(module, &wanted, |normal, registry| {
                unroll_loops(promote_objects(normal, registry), registry)
            }),
        };
        let checked = subject.check(&heap);
        checked.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{heap:?}"));
    }
}

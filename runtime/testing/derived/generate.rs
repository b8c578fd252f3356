//! The one generator of random programs in IR: straight code, branches, loops that count up, down and in strides, or end when a value says so, and what
//! [`Features`] ask for. The same seed gives the same program everywhere.

use crate::ir::build::{Builder, Variable};
use crate::ir::{Block, Fault, Function, Module, Prim, Symbol, Type, Value};
use crate::testing::random::Random;

/// What programs may have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// Memory is written.
    pub stores: bool,
    /// Loops are left early or go on early, and functions return early.
    pub jumps: bool,
    /// Indices are checked before they are used, as those of the language are.
    pub guards: bool,
    /// A function is called that calls itself.
    pub calls: bool,
    /// There are nodes that are linked at random: every aliasing and order of reads, writes and allocations.
    pub nodes: bool,
    /// There are arrays of floats as the language has them: copied, changed, and read, now and then by two addresses.
    pub lists: bool,
    /// What is returned.
    pub result: Returns,
}

/// What a program returns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Returns {
    #[default]
    Number,
    /// `(f64, (usize, f64))`
    Numbers,
    /// A number and a node.
    Node,
}

impl Returns {
    fn ty(self) -> Type {
        match self {
            Returns::Number => Type::F64,
            Returns::Numbers => Type::tuple(&[Type::F64, Type::tuple(&[Type::Usize, Type::F64])]),
            Returns::Node => Type::tuple(&[Type::F64, Type::Ptr]),
        }
    }
}

/// The length of all slices.
pub const LENGTH: usize = 4;

/// Where a node has what: two floats, two nodes, a number.
const FLOATS: [u32; 2] = [0, 8];
const LINKS: [u32; 2] = [16, 24];
const NUMBER: u32 = 32;
const NODE_SIZE: i64 = 40;

/// Writes `f(x: [f64], u: [mut f64], k: [usize], n: usize, a: f64, b: f64)`, with `p: ptr, q: ptr` after them if there are nodes. The numbers of `k`
/// are below [`LENGTH`].
pub fn program(seed: u64, features: Features) -> Module {
    let mut random = Random::new(seed);
    // Seeds that are near each other begin alike.
    for _ in 0..5 {
        random.bits();
    }
    let mut params = PARAMS.to_vec();
    if features.nodes {
        params.extend([Type::Ptr; 2]);
    }
    let ret = features.result.ty();
    let root = Writer::function("f", &params, ret, &mut random, features, 4..34);
    let mut module = Module::new(root);
    if features.calls {
        let (params, ret) = callee(features);
        module.insert(Writer::function(
            "g",
            &params,
            ret,
            &mut random,
            features,
            2..8,
        ));
    }
    module
}

/// The parameters of all programs.
pub const PARAMS: [Type; 6] = [
    Type::Slice(&Type::F64),
    Type::SliceMut(&Type::F64),
    Type::Slice(&Type::Usize),
    Type::Usize,
    Type::F64,
    Type::F64,
];

/// The signature of the function that is called: memory, how deep it may still call, a float, and perhaps a node.
fn callee(features: Features) -> (Vec<Type>, Type) {
    let memory = match features.stores {
        true => Type::slice_mut(Type::F64),
        false => Type::slice(Type::F64),
    };
    let params = [memory, Type::Usize, Type::F64];
    match features.nodes {
        true => ([&params[..], &[Type::Ptr]].concat(), Returns::Node.ty()),
        false => (params.to_vec(), Type::F64),
    }
}

/// Where `break` and `continue` of a loop go.
struct Around {
    out: Block,
    next: Block,
}

/// Writes one function.
struct Writer<'r> {
    random: &'r mut Random,
    features: Features,
    b: Builder,
    floats: Vec<Variable>,
    nodes: Vec<Variable>,
    /// Addresses of `LENGTH` floats.
    lists: Vec<Variable>,
    numbers: Vec<Value>,
    /// Slices of floats.
    slices: Vec<Value>,
    /// Those that are written to.
    mutable: Vec<Value>,
    /// Numbers below `LENGTH`.
    table: Option<Value>,
    around: Vec<Around>,
    /// How deep calls may still go.
    depth: Option<Value>,
    ret: Type,
    /// Statements that may still be written.
    budget: usize,
}

impl Writer<'_> {
    fn function(
        name: &str,
        params: &[Type],
        ret: Type,
        random: &mut Random,
        features: Features,
        size: std::ops::Range<usize>,
    ) -> Function {
        let budget = size.start + random.below(size.len());
        let mut writer = Writer {
            random,
            features,
            b: Builder::new(Function::new(Symbol::new(name), params, ret)),
            floats: Vec::new(),
            nodes: Vec::new(),
            lists: Vec::new(),
            numbers: Vec::new(),
            slices: Vec::new(),
            mutable: Vec::new(),
            table: None,
            around: Vec::new(),
            depth: None,
            ret,
            budget,
        };
        for param in writer.b.function.params().to_vec() {
            writer.take(param);
        }
        // Any path may change these.
        let quarter = writer.b.float(0.25, Type::F64);
        writer.add_float(quarter);
        if !writer.nodes.is_empty() {
            let node = writer.node();
            writer.add_node(node);
        }
        for _ in 0..if features.lists { 3 } else { 0 } {
            let (list, variable) = (writer.new_list(), writer.b.declare(Type::Ptr));
            writer.b.define(variable, list);
            writer.lists.push(variable);
        }
        writer.depth = match features.calls {
            false => None,
            true if name == "f" => Some(writer.b.int(2, Type::Usize)),
            true => Some(writer.numbers[0]),
        };
        while writer.budget > 0 {
            writer.statements(0);
        }
        writer.leave();
        writer.b.finish()
    }
    fn take(&mut self, param: Value) {
        match self.b.function.ty(param) {
            Type::F64 => self.add_float(param),
            Type::Ptr => self.add_node(param),
            Type::Usize => self.numbers.push(param),
            Type::Slice(&Type::Usize) => self.table = Some(param),
            Type::SliceMut(_) => {
                self.slices.push(param);
                self.mutable.push(param);
            }
            _ => self.slices.push(param),
        }
    }
    fn add_float(&mut self, value: Value) {
        let variable = self.b.declare(Type::F64);
        self.b.define(variable, value);
        self.floats.push(variable);
    }
    fn add_node(&mut self, value: Value) {
        let variable = self.b.declare(Type::Ptr);
        self.b.define(variable, value);
        self.nodes.push(variable);
    }
    fn leave(&mut self) {
        let value = self.expression(2);
        let value = match self.ret {
            Type::F64 => value,
            Type::Tuple([_, Type::Ptr]) => {
                let node = self.node();
                self.b.prim(Prim::Tuple, &[value, node])
            }
            _ => {
                let (other, count) = (self.float(), self.index());
                let inner = self.b.prim(Prim::Tuple, &[count, other]);
                self.b.prim(Prim::Tuple, &[value, inner])
            }
        };
        self.b.ret(value);
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }
    fn float(&mut self) -> Value {
        let variable = self.random.choose(&self.floats);
        self.b.read(variable)
    }
    fn set_float(&mut self, value: Value) {
        let variable = self.random.choose(&self.floats);
        self.b.define(variable, value);
    }
    fn node(&mut self) -> Value {
        let variable = self.random.choose(&self.nodes);
        self.b.read(variable)
    }
    fn set_node(&mut self, value: Value) {
        let variable = self.random.choose(&self.nodes);
        self.b.define(variable, value);
    }
    /// A number below `LENGTH`.
    fn index(&mut self) -> Value {
        if self.chance(30) {
            let i = self.random.below(LENGTH);
            return self.b.int(i as i64, Type::Usize);
        }
        let mut i = self.random.choose(&self.numbers);
        if self.chance(30) {
            let more = self.random.below(3) as i64;
            let more = self.b.int(more, Type::Usize);
            i = self.b.prim(Prim::Add, &[i, more]);
        }
        let length = self.b.int(LENGTH as i64, Type::Usize);
        let i = self.b.prim(Prim::Rem, &[i, length]);
        let table = self.table;
        match table {
            Some(table) if self.chance(30) => self.load(table, i),
            _ => i,
        }
    }
    fn checked(&mut self, slice: Value, i: Value) {
        if self.features.guards {
            let length = self.b.prim(Prim::Len, &[slice]);
            let inside = self.b.prim(Prim::Lt, &[i, length]);
            let guard = Prim::Assert(Fault::IndexOutOfBounds);
            self.b.prim(guard, &[inside, i, length]);
        }
    }
    fn load(&mut self, slice: Value, i: Value) -> Value {
        self.checked(slice, i);
        self.b.prim(Prim::Load, &[slice, i])
    }
    /// A value of moderate size, so that differences can follow.
    fn expression(&mut self, depth: usize) -> Value {
        if depth == 0 || self.chance(20) {
            return match self.random.below(5) {
                0 | 1 => {
                    let (slice, i) = (self.random.choose(&self.slices), self.index());
                    self.load(slice, i)
                }
                2 if self.chance(20) => {
                    let i = self.index();
                    self.b.prim_to(Prim::Cast, &[i], Type::F64)
                }
                _ => self.float(),
            };
        }
        let a = self.expression(depth - 1);
        match self.random.below(11) {
            0 => self.call("sin", a),
            1 => self.call("tanh", a),
            2 => self.call("atan", a),
            3 => {
                let s = self.call("cos", a);
                self.call("exp", s)
            }
            4 => {
                let x = self.random.choose(&[0.0, 1.0, -0.5, 0.75, -1.25]);
                let c = self.b.float(x, Type::F64);
                self.b.prim(Prim::Mul, &[a, c])
            }
            5 => {
                // A divisor away from zero.
                let b = self.expression(depth - 1);
                let square = self.b.prim(Prim::Mul, &[b, b]);
                let one = self.b.float(1.0, Type::F64);
                let divisor = self.b.prim(Prim::Add, &[square, one]);
                self.b.prim(Prim::Div, &[a, divisor])
            }
            6 => {
                let (b, c) = (self.expression(depth - 1), self.condition());
                self.b.prim(Prim::Select, &[c, a, b])
            }
            7 => {
                let b = self.expression(depth - 1);
                let t = self.call("tanh", b);
                self.b.prim(Prim::Mul, &[a, t])
            }
            8 => self.b.prim(Prim::Neg, &[a]),
            n => {
                let b = self.expression(depth - 1);
                let prim = if n == 9 { Prim::Sub } else { Prim::Add };
                self.b.prim(prim, &[a, b])
            }
        }
    }
    fn call(&mut self, name: &str, a: Value) -> Value {
        self.b.call(Symbol::new(name), &[a], Type::F64)
    }
    fn condition(&mut self) -> Value {
        if self.chance(50) {
            let x = self.float();
            let at = self.random.below(13) as f64 * 0.2 - 1.1;
            let at = self.b.float(at, Type::F64);
            let prim = self.random.choose(&[Prim::Lt, Prim::Ge]);
            return self.b.prim(prim, &[x, at]);
        }
        if !self.nodes.is_empty() && self.chance(50) {
            let (node, one) = (self.node(), self.b.int(1, Type::Usize));
            let number = self.b.prim_to(Prim::Get(NUMBER), &[node], Type::Usize);
            let bit = self.b.prim(Prim::And, &[number, one]);
            return self.b.prim(Prim::Eq, &[bit, one]);
        }
        let (i, j) = (self.index(), self.random.below(3) as i64);
        let j = self.b.int(j, Type::Usize);
        let prim = self.random.choose(&[Prim::Lt, Prim::Eq, Prim::Ne]);
        let c = self.b.prim(prim, &[i, j]);
        match self.chance(20) {
            true => self.b.prim(Prim::Not, &[c]),
            false => c,
        }
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(4) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth);
        }
    }
    fn statement(&mut self, depth: usize) {
        let has = self.features;
        // Calls in nested loops of functions that call would be too many.
        let deepest = if has.calls { 2 } else { 3 };
        match self.random.below(18) {
            0 => self.accumulate(),
            1 | 2 if has.stores => self.store(),
            3 if has.stores => self.accumulate_in_memory(),
            4 | 5 if depth < deepest => self.branch(depth),
            6 | 7 if depth < deepest => self.count(depth),
            8 if depth < deepest => self.repeat(depth),
            9 if has.jumps && !self.around.is_empty() => self.jump(),
            9 if has.jumps && self.chance(20) => self.way_out(),
            10 if has.calls => self.call_itself(),
            12..16 if has.nodes => self.change_node(),
            11..17 if has.lists => self.change_list(),
            _ => self.assign(),
        }
    }
    fn assign(&mut self) {
        let value = self.expression(2);
        self.set_float(value);
    }
    fn accumulate(&mut self) {
        let variable = self.random.choose(&self.floats);
        let (old, value) = (self.b.read(variable), self.expression(1));
        let new = self.b.prim(Prim::Add, &[old, value]);
        self.b.define(variable, new);
    }
    fn store(&mut self) {
        let (slice, i) = (self.random.choose(&self.mutable), self.index());
        let value = self.expression(2);
        self.checked(slice, i);
        self.b.prim(Prim::Store, &[slice, i, value]);
    }
    /// An element that was read before is added to, always or on some way only.
    fn accumulate_in_memory(&mut self) {
        let (slice, i) = (self.random.choose(&self.mutable), self.index());
        let seen = self.load(slice, i);
        self.set_float(seen);
        let condition = match self.chance(50) {
            true => self.condition(),
            false => self.b.bool(true),
        };
        let out = self.loop_to(
            |w| w.index(),
            |w| {
                let [add, after] = [(); 2].map(|()| w.b.new_block());
                w.b.branch(condition, (add, &[]), (after, &[]));
                w.enter(add);
                let (old, half) = (w.load(slice, i), w.b.float(0.5, Type::F64));
                let old = w.b.prim(Prim::Mul, &[old, half]);
                let more = w.expression(1);
                let sum = w.b.prim(Prim::Add, &[old, more]);
                w.b.prim(Prim::Store, &[slice, i, sum]);
                w.b.jump(after, &[]);
                w.enter(after);
            },
        );
        self.enter(out);
    }
    fn enter(&mut self, block: Block) {
        self.b.seal(block);
        self.b.switch_to(block);
    }
    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        let [yes, no, after] = [(); 3].map(|()| self.b.new_block());
        self.b.branch(condition, (yes, &[]), (no, &[]));
        self.enter(yes);
        self.statements(depth + 1);
        self.b.jump(after, &[]);
        self.enter(no);
        if self.chance(60) {
            self.statements(depth + 1);
        }
        self.b.jump(after, &[]);
        self.enter(after);
    }
    /// `for i in 0..end`; gives the block behind it.
    fn loop_to(
        &mut self,
        end: impl FnOnce(&mut Self) -> Value,
        body: impl FnOnce(&mut Self),
    ) -> Block {
        let end = end(self);
        let zero = self.b.int(0, Type::Usize);
        self.counted(
            zero,
            Prim::Lt,
            end,
            |w, i| {
                let one = w.b.int(1, Type::Usize);
                w.b.prim(Prim::Add, &[i, one])
            },
            body,
        )
    }
    /// A loop with a counter, which is a number of the body; gives the block behind it, which is open.
    fn counted(
        &mut self,
        start: Value,
        goes_on: Prim,
        end: Value,
        step: impl FnOnce(&mut Self, Value) -> Value,
        body: impl FnOnce(&mut Self),
    ) -> Block {
        let counter = self.b.declare(Type::Usize);
        self.b.define(counter, start);
        let [header, inside, next, out] = [(); 4].map(|()| self.b.new_block());
        self.b.jump(header, &[]);
        self.b.switch_to(header);
        let i = self.b.read(counter);
        let more = self.b.prim(goes_on, &[i, end]);
        self.b.branch(more, (inside, &[]), (out, &[]));
        self.enter(inside);
        self.numbers.push(i);
        self.around.push(Around { out, next });
        body(self);
        self.around.pop();
        self.numbers.pop();
        self.b.jump(next, &[]);
        self.enter(next);
        let i = step(self, i);
        self.b.define(counter, i);
        self.b.jump(header, &[]);
        self.b.seal(header);
        out
    }
    /// Up, down, in steps of two, or in strides that grow; to a constant or to a number of the program.
    fn count(&mut self, depth: usize) {
        let kind = self.random.below(4);
        let (low, high) = (self.random.below(2) as i64, self.random.below(5) as i64);
        let start = if kind == 1 { high + 2 } else { low };
        let start = self.b.int(start, Type::Usize);
        let end = match kind {
            1 => self.b.int(low, Type::Usize),
            _ if self.chance(30) => self.index(),
            _ => self.b.int(high, Type::Usize),
        };
        let goes_on = if kind == 1 { Prim::Gt } else { Prim::Lt };
        let step = |w: &mut Self, i: Value| {
            let one = w.b.int(1, Type::Usize);
            match kind {
                1 => w.b.prim(Prim::Sub, &[i, one]),
                2 => {
                    let two = w.b.int(2, Type::Usize);
                    w.b.prim(Prim::Add, &[i, two])
                }
                3 => {
                    let twice = w.b.prim(Prim::Add, &[i, i]);
                    w.b.prim(Prim::Add, &[twice, one])
                }
                _ => w.b.prim(Prim::Add, &[i, one]),
            }
        };
        let out = self.counted(start, goes_on, end, step, |w| w.statements(depth + 1));
        self.enter(out);
    }
    /// `loop` that ends when a value or a counter says so, at its begin, its end or in between.
    fn repeat(&mut self, depth: usize) {
        let counter = self.b.declare(Type::Usize);
        let zero = self.b.int(0, Type::Usize);
        self.b.define(counter, zero);
        let [header, body, next, out] = [(); 4].map(|()| self.b.new_block());
        self.b.jump(header, &[]);
        self.b.switch_to(header);
        if self.chance(50) {
            self.assign();
        }
        let i = self.b.read(counter);
        let most = 1 + self.random.below(3) as i64;
        let most = self.b.int(most, Type::Usize);
        let mut stop = self.b.prim(Prim::Ge, &[i, most]);
        if self.chance(60) {
            let condition = self.condition();
            stop = self.b.prim(Prim::Or, &[condition, stop]);
        }
        self.b.branch(stop, (out, &[]), (body, &[]));
        self.enter(body);
        self.numbers.push(i);
        self.around.push(Around { out, next });
        self.statements(depth + 1);
        self.around.pop();
        self.numbers.pop();
        self.b.jump(next, &[]);
        self.enter(next);
        let one = self.b.int(1, Type::Usize);
        let i = self.b.prim(Prim::Add, &[i, one]);
        self.b.define(counter, i);
        if self.chance(40) {
            let condition = self.condition();
            let again = self.b.new_block();
            self.b.branch(condition, (out, &[]), (again, &[]));
            self.enter(again);
        }
        self.b.jump(header, &[]);
        self.b.seal(header);
        self.enter(out);
    }
    /// `if c { …; break 'n }` or `continue 'n`.
    fn jump(&mut self) {
        let n = self.random.below(self.around.len());
        let target = match self.chance(50) {
            true => self.around[n].out,
            false => self.around[n].next,
        };
        self.where_condition_holds(|w| {
            if w.chance(50) {
                w.assign();
            }
            w.b.jump(target, &[]);
        });
    }
    /// `if c { return … }`
    fn way_out(&mut self) {
        self.where_condition_holds(Self::leave);
    }
    fn where_condition_holds(&mut self, there: impl FnOnce(&mut Self)) {
        let condition = self.condition();
        let [yes, no] = [(); 2].map(|()| self.b.new_block());
        self.b.branch(condition, (yes, &[]), (no, &[]));
        self.enter(yes);
        there(self);
        self.enter(no);
    }
    /// `if depth > 0 { (y, p) = g(memory, depth - 1, x, p) }`
    fn call_itself(&mut self) {
        let Some(depth) = self.depth else { return };
        let zero = self.b.int(0, Type::Usize);
        let deeper = self.b.prim(Prim::Gt, &[depth, zero]);
        let [yes, after] = [(); 2].map(|()| self.b.new_block());
        self.b.branch(deeper, (yes, &[]), (after, &[]));
        self.enter(yes);
        let one = self.b.int(1, Type::Usize);
        let less = self.b.prim(Prim::Sub, &[depth, one]);
        let memory = match self.features.stores {
            true => self.random.choose(&self.mutable),
            false => self.slices[0],
        };
        let mut args = vec![memory, less, self.float()];
        if self.features.nodes {
            args.push(self.node());
        }
        let ret = callee(self.features).1;
        let mut result = self.b.call(Symbol::new("g"), &args, ret);
        if self.features.nodes {
            let node = self.b.prim(Prim::Field(1), &[result]);
            self.set_node(node);
            result = self.b.prim(Prim::Field(0), &[result]);
        }
        let result = self.call("sin", result);
        self.set_float(result);
        self.b.jump(after, &[]);
        self.enter(after);
    }

    /// Something with nodes, in place.
    fn change_node(&mut self) {
        match self.random.below(9) {
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
            5 => {
                let (at, value) = (self.node(), self.node());
                let field = self.random.choose(&LINKS);
                self.b.prim(Prim::Set(field), &[at, value]);
            }
            6 => self.new_node(),
            7 => {
                let (a, b, condition) = (self.node(), self.node(), self.condition());
                let node = self.b.prim(Prim::Select, &[condition, a, b]);
                self.set_node(node);
                let number = self.index();
                self.b.prim(Prim::Set(NUMBER), &[a, number]);
            }
            _ => {
                // A node's floats as a slice.
                let (node, two) = (self.node(), self.b.int(2, Type::Usize));
                let ty = Type::slice_mut(Type::F64);
                let view = self.b.prim_to(Prim::View, &[node, two], ty);
                let (i, x) = (self.random.below(2) as i64, self.float());
                let i = self.b.int(i, Type::Usize);
                let seen = self.load(view, i);
                self.b.prim(Prim::Store, &[view, i, x]);
                self.set_float(seen);
            }
        }
    }
    /// Something with arrays of floats.
    fn change_list(&mut self) {
        let list = self.list();
        let list = match self.random.below(9) {
            0 => self.new_list(),
            // Two names of one array, which the language does not have.
            1 => list,
            2 => self.copy_list(list, LENGTH - 1),
            3 | 4 => {
                let (view, i, value) = (self.floats_of(list), self.index(), self.expression(1));
                self.checked(view, i);
                self.b.prim(Prim::Store, &[view, i, value]);
                return;
            }
            5 => {
                let (view, i) = (self.floats_of(list), self.index());
                let value = self.load(view, i);
                return self.set_float(value);
            }
            _ => self.copy_list(list, LENGTH),
        };
        let variable = self.random.choose(&self.lists);
        self.b.define(variable, list);
    }
    fn list(&mut self) -> Value {
        let variable = self.random.choose(&self.lists);
        self.b.read(variable)
    }
    /// The elements at the address of an array.
    fn floats_of(&mut self, list: Value) -> Value {
        let length = self.b.int(LENGTH as i64, Type::Usize);
        let ty = Type::slice_mut(Type::F64);
        self.b.prim_to(Prim::View, &[list, length], ty)
    }
    /// An array of zeros, by itself or within another one, but for one element.
    fn new_list(&mut self) -> Value {
        let twice = self.b.int(16 * LENGTH as i64, Type::Usize);
        let mut list = self.b.prim(Prim::Alloc, &[twice]);
        if self.chance(50) {
            let half = self.b.int(8 * LENGTH as i64, Type::Usize);
            list = self.b.prim(Prim::Offset, &[list, half]);
        }
        let (view, i, value) = (self.floats_of(list), self.index(), self.expression(1));
        self.b.prim(Prim::Store, &[view, i, value]);
        list
    }
    /// A new array with the first elements of another one.
    fn copy_list(&mut self, list: Value, count: usize) -> Value {
        let from = self.floats_of(list);
        let bytes = self.b.int(8 * LENGTH as i64, Type::Usize);
        let copy = self.b.prim(Prim::Alloc, &[bytes]);
        let to = self.floats_of(copy);
        let end = |w: &mut Self| w.b.int(count as i64, Type::Usize);
        let out = self.loop_to(end, |w| {
            let i = w.numbers[w.numbers.len() - 1];
            let value = w.b.prim(Prim::Load, &[from, i]);
            w.b.prim(Prim::Store, &[to, i, value]);
        });
        self.enter(out);
        copy
    }
    /// A pointer to two floats.
    fn floats_at(&mut self) -> Value {
        if self.chance(75) {
            return self.node();
        }
        // Of the last slice alone, so that another one has only its parameter for a name.
        let last = self.mutable[self.mutable.len() - 1];
        let base = self.b.prim(Prim::Base, &[last]);
        let bytes = self.b.int(8, Type::Usize);
        self.b.prim(Prim::Offset, &[base, bytes])
    }
    fn new_node(&mut self) {
        let size = self.b.int(NODE_SIZE, Type::Usize);
        let (left, right, x) = (self.node(), self.node(), self.float());
        let node = self.b.prim(Prim::Alloc, &[size]);
        for (field, value) in LINKS.into_iter().zip([left, right]) {
            let value = if self.chance(25) { node } else { value };
            self.b.prim(Prim::Set(field), &[node, value]);
        }
        if self.chance(50) {
            self.b.prim(Prim::Set(FLOATS[0]), &[node, x]);
        }
        self.set_node(node);
    }
}

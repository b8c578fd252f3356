//! Random programs: nested branches and loops of all kinds, memory that is read and written, early ways out.

use super::check::*;
use crate::ir::build::{Builder, Variable};
use crate::ir::{Block, Function, Module, Prim, Symbol, Type, Value};

/// xorshift64*: the same programs everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Where `break` and `continue` of a loop go.
struct Around {
    out: Block,
    next: Block,
}

/// Writes one function `f(x: [f64], u: [mut f64], k: [usize], a: f64, b: f64)`.
struct Writer {
    random: Random,
    b: Builder,
    floats: Vec<Variable>,
    counters: Vec<Variable>,
    around: Vec<Around>,
    /// Statements that may still be written.
    budget: usize,
    /// Whether memory may be written.
    stores: bool,
    /// What the function returns.
    ret: Type,
}

pub(super) const LENGTH: i64 = 4;

/// Some program; with these properties if they are given.
fn some_program(seed: u64, stores: Option<bool>, ret: Option<Type>) -> Module {
    let f64s = Type::slice(Type::F64);
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    // Seeds that are near each other begin alike.
    for _ in 0..5 {
        random.next();
    }
    let found = match random.below(3) {
        0 => Type::tuple(&[Type::F64, Type::tuple(&[Type::Usize, Type::F64])]),
        _ => Type::F64,
    };
    let ret = ret.unwrap_or(found);
    let params = [
        f64s,
        Type::slice_mut(Type::F64),
        Type::slice(Type::Usize),
        Type::F64,
        Type::F64,
    ];
    let function = Function::new(Symbol::new("f"), &params, ret);
    let found = random.chance(50);
    let stores = stores.unwrap_or(found);
    let budget = 4 + random.below(30);
    let mut writer = Writer {
        random,
        b: Builder::new(function),
        floats: Vec::new(),
        counters: Vec::new(),
        around: Vec::new(),
        budget,
        stores,
        ret,
    };
    writer.body();
    Module::new(writer.b.finish())
}

/// A program that writes to memory or not, and gives this.
pub(super) fn program(seed: u64, stores: bool, ret: Type) -> Module {
    some_program(seed, Some(stores), Some(ret))
}

impl Writer {
    fn param(&self, n: usize) -> Value {
        self.b.function.params()[n]
    }
    fn body(&mut self) {
        for n in 0..3 {
            let variable = self.b.declare(Type::F64);
            let value = match n {
                0 => self.param(3),
                1 => self.param(4),
                _ => self.b.float(0.25, Type::F64),
            };
            self.b.define(variable, value);
            self.floats.push(variable);
        }
        self.statements(0);
        self.leave();
    }
    fn leave(&mut self) {
        let value = self.expression(2);
        let value = match self.ret {
            Type::F64 => value,
            _ => {
                let other = self.float();
                let count = self.index();
                let inner = self.b.prim(Prim::Tuple, &[count, other]);
                self.b.prim(Prim::Tuple, &[value, inner])
            }
        };
        self.b.ret(value);
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
        match self.random.below(12) {
            0..=3 => self.assign(),
            4 if self.stores => self.store(),
            4 => self.accumulate(),
            5 => self.accumulate(),
            6 | 7 if depth < 3 => self.branch(depth),
            8 | 9 if depth < 3 => self.count(depth),
            10 if depth < 3 => self.repeat(depth),
            11 if !self.around.is_empty() => self.jump(),
            11 if self.random.chance(20) => self.way_out(),
            _ => self.assign(),
        }
    }

    fn float(&mut self) -> Value {
        let n = self.random.below(self.floats.len());
        self.b.read(self.floats[n])
    }
    /// An index below the length of all slices.
    fn index(&mut self) -> Value {
        let length = self.b.int(LENGTH, Type::Usize);
        if !self.counters.is_empty() && self.random.chance(70) {
            let n = self.random.below(self.counters.len());
            let mut i = self.b.read(self.counters[n]);
            if self.random.chance(30) {
                let more = self.b.int(self.random.below(3) as i64, Type::Usize);
                i = self.b.prim(Prim::Add, &[i, more]);
            }
            let i = self.b.prim(Prim::Rem, &[i, length]);
            if self.random.chance(30) {
                let table = self.param(2);
                return self.b.prim(Prim::Load, &[table, i]);
            }
            return i;
        }
        self.b
            .int(self.random.below(LENGTH as usize) as i64, Type::Usize)
    }
    /// A value of moderate size.
    fn expression(&mut self, depth: usize) -> Value {
        if depth == 0 || self.random.chance(20) {
            return match self.random.below(4) {
                0 => {
                    let (slice, i) = (self.param(0), self.index());
                    self.b.prim(Prim::Load, &[slice, i])
                }
                1 => {
                    let (slice, i) = (self.param(1), self.index());
                    self.b.prim(Prim::Load, &[slice, i])
                }
                _ => self.float(),
            };
        }
        let a = self.expression(depth - 1);
        match self.random.below(9) {
            0 => self.call("sin", a),
            1 => self.call("tanh", a),
            2 => {
                let s = self.call("cos", a);
                self.call("exp", s)
            }
            3 => {
                let c = self.b.float(0.75, Type::F64);
                self.b.prim(Prim::Mul, &[a, c])
            }
            4 => {
                let b = self.expression(depth - 1);
                let c = self.b.prim(Prim::Mul, &[b, b]);
                let one = self.b.float(1.0, Type::F64);
                let c = self.b.prim(Prim::Add, &[c, one]);
                self.b.prim(Prim::Div, &[a, c])
            }
            5 => {
                let b = self.expression(depth - 1);
                let c = self.condition();
                self.b.prim(Prim::Select, &[c, a, b])
            }
            6 => {
                let b = self.expression(depth - 1);
                let t = self.call("tanh", b);
                self.b.prim(Prim::Mul, &[a, t])
            }
            7 => {
                let b = self.expression(depth - 1);
                self.b.prim(Prim::Sub, &[a, b])
            }
            _ => {
                let b = self.expression(depth - 1);
                self.b.prim(Prim::Add, &[a, b])
            }
        }
    }
    fn call(&mut self, name: &str, a: Value) -> Value {
        self.b.call(Symbol::new(name), &[a], Type::F64)
    }
    fn condition(&mut self) -> Value {
        if !self.counters.is_empty() && self.random.chance(40) {
            let i = self.index();
            let c = self.b.int(1 + self.random.below(2) as i64, Type::Usize);
            return self.b.prim(Prim::Lt, &[i, c]);
        }
        let a = self.float();
        let c = self
            .b
            .float(self.random.below(13) as f64 * 0.2 - 1.1, Type::F64);
        self.b.prim(Prim::Lt, &[a, c])
    }

    fn assign(&mut self) {
        let value = self.expression(2);
        let n = self.random.below(self.floats.len());
        self.b.define(self.floats[n], value);
    }
    fn accumulate(&mut self) {
        let n = self.random.below(self.floats.len());
        let old = self.b.read(self.floats[n]);
        let value = self.expression(1);
        let new = self.b.prim(Prim::Add, &[old, value]);
        self.b.define(self.floats[n], new);
    }
    fn store(&mut self) {
        let (slice, i) = (self.param(1), self.index());
        let value = self.expression(2);
        self.b.prim(Prim::Store, &[slice, i, value]);
    }
    fn branch(&mut self, depth: usize) {
        let c = self.condition();
        let [yes, no, after] = [(); 3].map(|_| self.b.new_block());
        self.b.branch(c, (yes, &[]), (no, &[]));
        self.b.seal(yes);
        self.b.seal(no);
        self.b.switch_to(yes);
        self.statements(depth + 1);
        self.b.jump(after, &[]);
        self.b.switch_to(no);
        if self.random.chance(60) {
            self.statements(depth + 1);
        }
        self.b.jump(after, &[]);
        self.b.seal(after);
        self.b.switch_to(after);
    }
    /// `for i in from..to`, sometimes downwards or in steps.
    fn count(&mut self, depth: usize) {
        let down = self.random.chance(25);
        let step = 1 + self.random.below(2) as i64;
        let (low, high) = (self.random.below(2) as i64, self.random.below(5) as i64);
        let (from, to, step) = match down {
            true => (high + 2, low, -step),
            false => (low, high, step),
        };
        let counter = self.b.declare(Type::Usize);
        let start = self.b.int(from, Type::Usize);
        self.b.define(counter, start);
        let [header, body, next, out] = [(); 4].map(|_| self.b.new_block());
        self.b.jump(header, &[]);
        self.b.switch_to(header);
        let i = self.b.read(counter);
        let end = self.b.int(to, Type::Usize);
        let prim = if down { Prim::Gt } else { Prim::Lt };
        // Downwards in steps of two, the counter would pass below zero.
        let step = if down { -1 } else { step };
        let more = self.b.prim(prim, &[i, end]);
        self.b.branch(more, (body, &[]), (out, &[]));
        self.b.seal(body);
        self.b.switch_to(body);
        self.counters.push(counter);
        self.around.push(Around { out, next });
        self.statements(depth + 1);
        self.around.pop();
        self.counters.pop();
        self.b.jump(next, &[]);
        self.b.seal(next);
        self.b.switch_to(next);
        let i = self.b.read(counter);
        let step = self.b.int(step, Type::Usize);
        let i = self.b.prim(Prim::Add, &[i, step]);
        self.b.define(counter, i);
        self.b.jump(header, &[]);
        self.b.seal(header);
        self.b.seal(out);
        self.b.switch_to(out);
    }
    /// `loop` that ends when a value or a counter says so, at its begin, its end or in between.
    fn repeat(&mut self, depth: usize) {
        let counter = self.b.declare(Type::Usize);
        let start = self.b.int(0, Type::Usize);
        self.b.define(counter, start);
        let [header, body, next, out] = [(); 4].map(|_| self.b.new_block());
        self.b.jump(header, &[]);
        self.b.switch_to(header);
        if self.random.chance(50) {
            self.assign();
        }
        let mut stop = self.exhausted(counter);
        if self.random.chance(60) {
            let c = self.condition();
            stop = self.b.prim(Prim::Or, &[c, stop]);
        }
        self.b.branch(stop, (out, &[]), (body, &[]));
        self.b.seal(body);
        self.b.switch_to(body);
        self.counters.push(counter);
        self.around.push(Around { out, next });
        self.statements(depth + 1);
        self.around.pop();
        self.counters.pop();
        self.b.jump(next, &[]);
        self.b.seal(next);
        self.b.switch_to(next);
        let i = self.b.read(counter);
        let one = self.b.int(1, Type::Usize);
        let i = self.b.prim(Prim::Add, &[i, one]);
        self.b.define(counter, i);
        if self.random.chance(40) {
            let c = self.condition();
            let again = self.b.new_block();
            self.b.branch(c, (out, &[]), (again, &[]));
            self.b.seal(again);
            self.b.switch_to(again);
        }
        self.b.jump(header, &[]);
        self.b.seal(header);
        self.b.seal(out);
        self.b.switch_to(out);
    }
    fn exhausted(&mut self, counter: Variable) -> Value {
        let i = self.b.read(counter);
        let most = self.b.int(1 + self.random.below(3) as i64, Type::Usize);
        self.b.prim(Prim::Ge, &[i, most])
    }
    /// `if c { …; break 'n }` or `continue 'n`.
    fn jump(&mut self) {
        let c = self.condition();
        let [yes, no] = [(); 2].map(|_| self.b.new_block());
        self.b.branch(c, (yes, &[]), (no, &[]));
        self.b.seal(yes);
        self.b.seal(no);
        self.b.switch_to(yes);
        if self.random.chance(50) {
            self.assign();
        }
        let n = self.random.below(self.around.len());
        let target = match self.random.chance(50) {
            true => self.around[n].out,
            false => self.around[n].next,
        };
        self.b.jump(target, &[]);
        self.b.switch_to(no);
    }
    /// `if c { return … }`
    fn way_out(&mut self) {
        let c = self.condition();
        let [yes, no] = [(); 2].map(|_| self.b.new_block());
        self.b.branch(c, (yes, &[]), (no, &[]));
        self.b.seal(yes);
        self.b.seal(no);
        self.b.switch_to(yes);
        self.leave();
        self.b.switch_to(no);
    }
}

#[test]
fn random_programs() {
    let range = match std::env::var("MOONCAKE_SEEDS") {
        Ok(text) => {
            let (from, to) = text.split_once("..").unwrap();
            from.parse().unwrap()..to.parse().unwrap()
        }
        Err(_) => 0..150,
    };
    for seed in range {
        let module = some_program(seed, None, None);
        let args = [
            Arg::Floats(noise(LENGTH as usize, seed as usize)),
            Arg::Floats(noise(LENGTH as usize, seed as usize + 1)),
            Arg::Ints(vec![2, 0, 3, 0]),
            float(0.7),
            float(-0.3),
        ];
        let active = match seed % 4 {
            0 => [true, true, true, false, true],
            _ => [true; 5],
        };
        check_module(&module, &args, &active, &format!("seed {seed}"));
    }
}

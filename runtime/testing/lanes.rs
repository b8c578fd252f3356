//! Random loops whose bodies have operations of one kind side by side, and accesses that may or may not touch the same memory: with registers of
//! several floats they give the bits that they give without, interpreted and compiled.

use super::programs::{compile, interpret, optimised, verified};
use super::random::Random;
use crate::interp::Datum;
use crate::ir::eval::{from_bits, to_bits};
use crate::ir::parse::parse_module;
use crate::ir::{Callee, Const, Module, Type};
use crate::opt::optimise;
use crate::registry::Registry;
use std::fmt::Write;
use std::sync::Arc;

/// Elements beyond those that the counter goes through: indices are the counter plus less than this.
const MARGIN: usize = 16;

/// Memory of floats: a shared slice, one of the caller's, a part of that, one of an object, one of the caller's again, and the object by its address.
const MEMORY: [&str; 6] = ["x", "y", "part", "object", "z", "address"];

/// The body of a loop in the making.
struct Maker {
    random: Random,
    ty: Type,
    text: String,
    next: usize,
    /// The floats that are known.
    floats: Vec<String>,
    /// The words of the tape that have been written in this iteration.
    written: Vec<usize>,
}

impl Maker {
    fn emit(&mut self, ty: &str, what: &str) -> String {
        self.next += 1;
        let name = format!("v{}", self.next);
        writeln!(self.text, "    %{name}: {ty} = {what}").unwrap();
        name
    }
    fn float(&mut self, what: &str) -> String {
        let ty = self.ty.to_string();
        let name = self.emit(&ty, what);
        self.floats.push(name.clone());
        name
    }
    fn any(&mut self) -> String {
        let at = self.random.below(self.floats.len());
        self.floats[at].clone()
    }
    fn index(&mut self, distance: usize) -> String {
        let by = self.emit("usize", &distance.to_string());
        match self.random.below(3) {
            0 => {
                let sum = self.emit("usize", &format!("add %k, %{by}"));
                self.emit("usize", &format!("add %i, %{sum}"))
            }
            _ => {
                let sum = self.emit("usize", &format!("add %i, %{by}"));
                self.emit("usize", &format!("add %{sum}, %k"))
            }
        }
    }
    fn load(&mut self, slice: &str, distance: usize) -> String {
        if slice == "address" {
            let bytes = distance * self.ty.size().unwrap();
            return self.float(&format!("get.{bytes} %address"));
        }
        let index = self.index(distance);
        self.float(&format!("load %{slice}, %{index}"))
    }
    fn store(&mut self, slice: &str, distance: usize, value: &str) {
        if slice == "address" {
            let bytes = distance * self.ty.size().unwrap();
            writeln!(self.text, "    set.{bytes} %address, %{value}").unwrap();
            return;
        }
        let index = self.index(distance);
        writeln!(self.text, "    store %{slice}, %{index}, %{value}").unwrap();
    }
    fn arithmetic(&mut self, operation: usize, a: &str, b: &str) -> String {
        let (a, b) = match self.random.below(4) {
            0 => (b, a),
            _ => (a, b),
        };
        let text = match operation {
            0 => format!("add %{a}, %{b}"),
            1 => format!("mul %{a}, %{b}"),
            2 => format!("sub %{a}, %{b}"),
            3 => format!("div %{a}, %{b}"),
            4 => format!("neg %{a}"),
            _ => format!("abs %{a}"),
        };
        self.float(&text)
    }
    /// The same for several neighbours, step by step or lane by lane.
    fn side_by_side(&mut self) {
        let from = MEMORY[self.random.below(6)];
        let to = MEMORY[1 + self.random.below(5)];
        let (read, written) = (self.random.below(8), self.random.below(8));
        let (operation, other) = (self.random.below(6), self.any());
        let mut lanes: Vec<usize> = (0..4).collect();
        if self.random.below(2) == 0 {
            lanes.reverse();
        }
        if self.random.below(2) == 0 {
            let loads: Vec<String> = lanes.iter().map(|&n| self.load(from, read + n)).collect();
            let mut made = Vec::new();
            for load in &loads {
                made.push(self.arithmetic(operation, load, &other));
            }
            for (&n, value) in lanes.iter().zip(&made) {
                self.store(to, written + n, value);
            }
            return;
        }
        for n in lanes {
            let load = self.load(from, read + n);
            let value = self.arithmetic(operation, &load, &other);
            self.store(to, written + n, &value);
            if self.random.below(8) == 0 {
                self.anything();
            }
        }
    }
    fn anything(&mut self) {
        let slice = self.random.below(6);
        match self.random.below(7) {
            0 | 1 => {
                let distance = self.random.below(12);
                self.load(MEMORY[slice], distance);
            }
            2 => {
                let (value, distance) = (self.any(), self.random.below(12));
                self.store(MEMORY[slice.max(1)], distance, &value);
            }
            3 => {
                let (word, value) = (self.random.below(6), self.any());
                let bytes = word * self.ty.size().unwrap();
                writeln!(self.text, "    poke.{bytes} %record, %{value}").unwrap();
                self.written.push(word);
            }
            4 if !self.written.is_empty() => {
                let word = self.written[self.random.below(self.written.len())];
                self.float(&format!("peek.{} %record", word * self.ty.size().unwrap()));
            }
            _ => {
                let (a, b, operation) = (self.any(), self.any(), self.random.below(6));
                self.arithmetic(operation, &a, &b);
            }
        }
    }
}

/// A loop over `i = 0, 4, 8, …` below `n`; `k` is 0, 1 or 2, and nothing is known about it. It gives the sum of four floats of each iteration, or
/// of their absolute values.
fn program(seed: u64, absolute: bool) -> (Module, Type) {
    let mut random = Random::new(seed);
    let ty = [Type::F64, Type::F32][random.below(2)];
    let mut maker = Maker {
        random,
        ty,
        text: String::new(),
        next: 0,
        floats: vec!["c".to_owned()],
        written: Vec::new(),
    };
    for _ in 0..2 + maker.random.below(6) {
        match maker.random.below(3) {
            0 => maker.anything(),
            _ => maker.side_by_side(),
        }
    }
    let mut sum = "s".to_owned();
    for n in 0..4 {
        let mut term = maker.any();
        if absolute {
            term = maker.emit(&ty.to_string(), &format!("abs %{term}"));
        }
        let (a, b) = if n % 2 == 0 { (sum, term) } else { (term, sum) };
        sum = maker.emit(&ty.to_string(), &format!("add %{a}, %{b}"));
    }
    let (body, margin, size) = (&maker.text, MARGIN, ty.size().unwrap());
    let text = format!(
        "fn @f(%x: [{ty}], %y: [mut {ty}], %z: [mut {ty}], %c: {ty}, %k: usize, %n: usize) -> {ty} {{
b0:
    %zero: usize = 0
    %one: usize = 1
    %four: usize = 4
    %size: usize = {size}
    %margin: usize = {margin}
    %len: usize = add %n, %margin
    %bytes: usize = mul %len, %size
    %address: ptr = alloc %bytes
    %object: [mut {ty}] = view %address, %len
    %rest: usize = sub %len, %one
    %part: [mut {ty}] = subslice %y, %one, %rest
    %words: usize = 64
    %s0: {ty} = 0.5
    jump head(%zero, %s0)
head(%i: usize, %s: {ty}):
    %more: bool = lt %i, %n
    branch %more, b1, done
b1:
    %record: addr = tape_push %words
{body}    %popped: addr = tape_pop %words
    %j: usize = add %i, %four
    jump head(%j, %{sum})
done:
    return %s
}}"
    );
    (
        parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}")),
        ty,
    )
}

/// The bits that a program gives and leaves in memory; all NaNs are one.
fn bits(
    ty: Type,
    (n, k): (usize, usize),
    run: impl FnOnce(&[Datum]) -> crate::diag::Result<Datum>,
) -> Vec<u64> {
    let floats = |start: f64| {
        let numbers = (0..n + MARGIN).map(|i| Const::Float(start + 0.25 * i as f64));
        Datum::slice(numbers.collect())
    };
    let (y, z) = (floats(-2.0), floats(0.75));
    let args = [
        floats(1.0),
        y.clone(),
        z.clone(),
        Datum::float(-1.5),
        Datum::index(k),
        Datum::index(n),
    ];
    let result = run(&args).unwrap();
    let mut all = vec![result.scalar().unwrap()];
    for memory in [y, z] {
        let Datum::Slice(slice) = memory else {
            panic!("a slice")
        };
        all.extend(slice.elements());
    }
    let bits = |c: Const| match c {
        Const::Float(x) if x.is_nan() => u64::MAX,
        c => to_bits(c, ty).unwrap(),
    };
    all.into_iter().map(bits).collect()
}

#[test]
fn registers_of_several_floats_give_the_same_bits() {
    let registry = Arc::new(Registry::default());
    let mut with_registers = 0;
    for seed in 0..120 {
        let (module, ty) = program(seed, false);
        let after = optimised(&module, &registry).unwrap();
        with_registers += usize::from(after.to_string().contains("store_lanes"));
        let compiled = compile(&after, &registry).unwrap();
        for (n, k) in [(0, 0), (4, 1), (11, 2), (12, 0)] {
            let interpreted = |module: &Module| {
                bits(ty, (n, k), |args| {
                    interpret(module, &registry, args, 1 << 20)
                })
            };
            let expected = interpreted(&module);
            let place = format!("seed {seed}, {n} and {k}:\n{module}\n{after}");
            assert_eq!(interpreted(&after), expected, "interpreted, {place}");
            let found = bits(ty, (n, k), |args| compiled.call(args));
            assert_eq!(found, expected, "compiled, {place}");
        }
    }
    assert!(
        with_registers > 40,
        "{with_registers} of 120 have registers"
    );
}

#[test]
fn sums_in_parts_are_sums() {
    let registry = Arc::new(Registry::default());
    let mut carried = 0;
    for seed in 0..120 {
        let (module, ty) = program(seed, false);
        let (absolute, _) = program(seed, true);
        let no_calls = |_: Callee, _: &[Type], _: Type| false;
        let after = optimise(module.clone(), &registry, Some(&no_calls)).unwrap();
        verified(&after, &registry).unwrap();
        // A register among the parameters of a block.
        carried += usize::from(
            after.to_string().contains("f64x2)") || after.to_string().contains("f32x4)"),
        );
        let compiled = compile(&after, &registry).unwrap();
        for (n, k) in [(0, 0), (4, 1), (11, 2), (12, 0)] {
            let interpreted = |module: &Module| {
                bits(ty, (n, k), |args| {
                    interpret(module, &registry, args, 1 << 20)
                })
            };
            let (expected, found) = (interpreted(&module), interpreted(&after));
            let place = format!("seed {seed}, {n} and {k}:\n{module}\n{after}");
            assert_eq!(
                bits(ty, (n, k), |args| compiled.call(args)),
                found,
                "compiled, {place}"
            );
            assert_eq!(found[1..], expected[1..], "memory, {place}");
            let number = |bits: u64| match from_bits(bits, ty) {
                Const::Float(x) => x,
                other => panic!("{other:?}"),
            };
            let [found, expected, size] =
                [found[0], expected[0], interpreted(&absolute)[0]].map(number);
            let within = size * if ty == Type::F64 { 1e-14 } else { 1e-5 };
            let near = (found - expected).abs() <= within || !size.is_finite();
            assert!(near, "{found} instead of {expected} of {size}, {place}");
        }
    }
    assert!(carried > 60, "{carried} of 120 loops carry registers");
}

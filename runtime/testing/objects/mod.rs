//! The check for programs on objects: gradients in both modes, as derived and as optimised, against differences of
//! `Σ seed · result + Σ shadow · final contents`, on heaps of cells of eight bytes; memory must be restored.

mod random;
mod reverse;

use crate::ad::{Mode, Request, reverse as derive};
use crate::context::Context;
use crate::exec::{Address, Args, Halves, NoHost, Program, Scalar};
use crate::interp::{Datum, Interpreter, Packs};
use crate::ir::parse::parse_module;
use crate::ir::verify::verify;
use crate::ir::{Const, Module, Symbol, Type};
use crate::normalise::{LARGE, normalise};
use crate::opt::optimise;
use crate::registry::{ContextKind, Registry};
use crate::tangent::{self, Home, Sharing};
use std::sync::Arc;

/// What a cell of an object holds.
#[derive(Clone, Copy, Debug)]
pub enum Cell {
    X(f64),
    N(u64),
    /// The object of that number, or nothing.
    P(Option<usize>),
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub enum Given {
    X(f64),
    N(u64),
    /// The address of an object.
    P(usize),
    /// All cells of an object.
    Slice(usize),
}

/// Which cells of a result's object are floats and which pointers, and the shapes of what these lead to.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub floats: &'static [usize],
    pub pointers: &'static [(usize, usize)],
}

/// A program's input.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    pub objects: Vec<Vec<Cell>>,
    pub args: Vec<Given>,
    /// The shapes of results: a pointer that is returned leads to the first.
    pub shapes: &'static [Shape],
}

/// The weight of the n-th output of the k-th kind.
fn weight(k: usize, n: usize) -> f64 {
    0.5 + ((k * 31 + n * 17 + 5) as f64 * 0.618_033_988_75).fract()
}

/// Where a float is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    Arg(usize),
    Cell(usize, usize),
}

impl Heap {
    fn places(&self) -> Vec<(Place, f64)> {
        let mut places = Vec::new();
        for (n, arg) in self.args.iter().enumerate() {
            if let Given::X(x) = arg {
                places.push((Place::Arg(n), *x));
            }
        }
        for (n, cells) in self.objects.iter().enumerate() {
            for (k, cell) in cells.iter().enumerate() {
                if let Cell::X(x) = cell {
                    places.push((Place::Cell(n, k), *x));
                }
            }
        }
        places
    }
    fn with(&self, place: Place, x: f64) -> Heap {
        let mut heap = self.clone();
        match place {
            Place::Arg(n) => heap.args[n] = Given::X(x),
            Place::Cell(n, k) => heap.objects[n][k] = Cell::X(x),
        }
        heap
    }
}

/// What programs run on: compiled code or the interpreter. Addresses are words.
trait Machine {
    fn alloc(&mut self, bytes: usize) -> u64;
    fn read(&mut self, at: u64) -> u64;
    fn write(&mut self, at: u64, word: u64);
    /// Calls a root and gives the words of its result.
    fn call(&mut self, root: usize, args: &[Word]) -> Result<Vec<u64>, String>;
}

/// An argument as a machine takes it.
enum Word {
    Float(f64),
    Number(u64),
    Pointer(u64),
    /// Address and length.
    Slice(Type, u64, usize),
}

/// Compiled code.
struct Compiled {
    program: Arc<Program>,
    halves: Halves,
    words: Vec<usize>,
}

impl Machine for Compiled {
    fn alloc(&mut self, bytes: usize) -> u64 {
        self.halves.objects().alloc(bytes).unwrap().to_word()
    }
    fn read(&mut self, at: u64) -> u64 {
        self.halves.objects().read(Address::from_word(at)).unwrap()
    }
    fn write(&mut self, at: u64, word: u64) {
        let at = Address::from_word(at);
        self.halves.objects().write(at, word).unwrap();
    }
    fn call(&mut self, root: usize, words: &[Word]) -> Result<Vec<u64>, String> {
        let mut args = Args::new();
        for word in words {
            match *word {
                Word::Float(x) => args.scalar(x),
                Word::Number(n) => args.scalar(n as usize),
                Word::Pointer(at) => args.pointer(Address::from_word(at)),
                Word::Slice(Type::Slice(&Type::F64), at, length) => {
                    args.view::<f64>(Address::from_word(at), length);
                }
                Word::Slice(Type::SliceMut(&Type::F64), at, length) => {
                    args.view_mut::<f64>(Address::from_word(at), length);
                }
                Word::Slice(ty, ..) => return Err(format!("no arguments are of type {ty}")),
            }
        }
        let mut results = vec![0; self.words[root]];
        let done = { &mut self.halves }.call(&self.program, root, &args, &mut results, &NoHost);
        done.map(|_| results).map_err(|e| e.to_string())
    }
}

/// The interpreter.
struct Interpreted<'a> {
    interpreter: Interpreter<'a>,
    roots: Vec<Symbol>,
}

impl Interpreted<'_> {
    fn flatten(&mut self, datum: &Datum, words: &mut Vec<u64>) {
        match datum {
            Datum::Tuple(fields) => fields.iter().for_each(|f| self.flatten(f, words)),
            Datum::Scalar(Const::Float(x)) => words.push(x.to_bits()),
            Datum::Scalar(Const::Int(i)) => words.push(*i as u64),
            Datum::Ptr(at) => words.push(*at),
            Datum::Slice(slice) => {
                let base = self.interpreter.heap().base(slice, Type::F64).unwrap();
                words.extend([base, slice.len() as u64]);
            }
            _ => {}
        }
    }
}

impl Machine for Interpreted<'_> {
    fn alloc(&mut self, bytes: usize) -> u64 {
        self.interpreter.heap().alloc(bytes).unwrap()
    }
    fn read(&mut self, at: u64) -> u64 {
        let word = self.interpreter.heap().get(at, Type::U64).unwrap();
        word.usize().unwrap() as u64
    }
    fn write(&mut self, at: u64, word: u64) {
        let word = Datum::index(word as usize);
        let heap = self.interpreter.heap();
        heap.set(at, &word, Type::U64).unwrap();
    }
    fn call(&mut self, root: usize, words: &[Word]) -> Result<Vec<u64>, String> {
        let heap = self.interpreter.heap();
        let args: Result<Vec<Datum>, _> = words
            .iter()
            .map(|word| match *word {
                Word::Float(x) => Ok(Datum::float(x)),
                Word::Number(n) => Ok(Datum::index(n as usize)),
                Word::Pointer(at) => Ok(Datum::Ptr(at)),
                Word::Slice(_, at, length) => heap.view(at, length, Type::F64),
            })
            .collect();
        let args = args.map_err(|e| e.to_string())?;
        let result = self.interpreter.call(self.roots[root], &args);
        let result = result.map_err(|e| e.to_string())?;
        // What the last root leaves, nobody takes.
        if root + 1 == self.roots.len() && self.interpreter.tape_bytes() > 0 {
            return Err("something is left on the tape".to_owned());
        }
        let mut words = Vec::new();
        self.flatten(&result, &mut words);
        Ok(words)
    }
}

/// How a program is run.
enum Runner {
    Compiled(Arc<Program>, usize),
    Interpreted(Module, Vec<Symbol>, Arc<Registry>),
}

/// A machine with the objects of a heap and their shadows.
struct Run<'a> {
    machine: Box<dyn Machine + 'a>,
    objects: Vec<u64>,
    shadows: Vec<u64>,
}

impl Run<'_> {
    /// Shadows are the cotangents of the final contents.
    fn new<'a>(machine: Box<dyn Machine + 'a>, heap: &Heap) -> Run<'a> {
        let mut run = Run {
            machine,
            objects: Vec::new(),
            shadows: Vec::new(),
        };
        for shadow in [false, true] {
            let at: Vec<u64> = (heap.objects.iter())
                .map(|cells| run.machine.alloc(8 * cells.len()))
                .collect();
            for (n, cells) in heap.objects.iter().enumerate() {
                for (k, cell) in cells.iter().enumerate() {
                    let word = match *cell {
                        Cell::X(_) if shadow => weight(n, k).to_bits(),
                        Cell::N(_) if shadow => 0,
                        Cell::X(x) => x.to_bits(),
                        Cell::N(n) => n,
                        Cell::P(to) => to.map_or(0, |to| at[to]),
                    };
                    run.machine.write(at[n] + 8 * k as u64, word);
                }
            }
            match shadow {
                false => run.objects = at,
                true => run.shadows = at,
            }
        }
        run
    }
    fn word(&mut self, at: u64, cell: usize) -> u64 {
        self.machine.read(at + 8 * cell as u64)
    }
    fn float(&mut self, at: u64, cell: usize) -> f64 {
        f64::from_bits(self.word(at, cell))
    }
    fn set_float(&mut self, at: u64, cell: usize, x: f64) {
        self.machine.write(at + 8 * cell as u64, x.to_bits());
    }
    /// The arguments, or the shadows of those that are active.
    fn give(&self, heap: &Heap, types: &[Type], active: Option<&[bool]>) -> Vec<Word> {
        let at = match active {
            None => &self.objects,
            Some(_) => &self.shadows,
        };
        let mut words = Vec::new();
        for (n, (given, &ty)) in heap.args.iter().zip(types).enumerate() {
            if active.is_some_and(|active| !active[n] || tangent::home(ty) != Home::Fdata) {
                continue;
            }
            let ty = active.map_or(ty, |_| tangent::tangent(ty));
            words.push(match *given {
                Given::X(x) => Word::Float(x),
                Given::N(n) => Word::Number(n),
                Given::P(n) => Word::Pointer(at[n]),
                Given::Slice(n) => Word::Slice(ty, at[n], heap.objects[n].len()),
            });
        }
        words
    }
    /// Goes through the floats that results lead to: address, shadow's address, cell, weight.
    fn visit(
        &mut self,
        heap: &Heap,
        ret: Type,
        words: &[u64],
        shadows: &[u64],
        f: &mut dyn FnMut(&mut Self, u64, u64, usize, f64),
    ) {
        let (mut words, mut shadows) = (words.iter(), shadows.iter());
        let next = |words: &mut std::slice::Iter<u64>| words.next().copied().unwrap_or(0);
        let mut count = 0;
        for ty in tangent::leaves(ret) {
            let word = next(&mut words);
            match ty {
                Type::Ptr => {
                    let shadow = next(&mut shadows);
                    self.walk(heap, 0, word, shadow, &mut count, f);
                }
                Type::Slice(_) | Type::SliceMut(_) => {
                    let length = next(&mut words) as usize;
                    let shadow = next(&mut shadows);
                    next(&mut shadows);
                    for n in 0..length {
                        f(self, word, shadow, n, weight(70, n));
                    }
                }
                _ => {}
            }
        }
    }
    fn walk(
        &mut self,
        heap: &Heap,
        shape: usize,
        at: u64,
        shadow: u64,
        count: &mut usize,
        f: &mut dyn FnMut(&mut Self, u64, u64, usize, f64),
    ) {
        if at == 0 {
            return;
        }
        for &cell in heap.shapes[shape].floats {
            *count += 1;
            f(self, at, shadow, cell, weight(71, *count));
        }
        for &(cell, shape) in heap.shapes[shape].pointers {
            let to = self.word(at, cell);
            let shadow = match shadow {
                0 => 0,
                _ => self.word(shadow, cell),
            };
            self.walk(heap, shape, to, shadow, count, f);
        }
    }
    /// The objects of the heap, word by word.
    fn contents(&mut self, heap: &Heap) -> Vec<u64> {
        let mut words = Vec::new();
        for (n, cells) in heap.objects.iter().enumerate() {
            for k in 0..cells.len() {
                words.push(self.word(self.objects[n], k));
            }
        }
        words
    }
    /// The cotangents that shadows hold; those of pointers must lead where they did.
    fn cotangents(&mut self, heap: &Heap) -> Result<Vec<(Place, f64)>, String> {
        let mut found = Vec::new();
        for (n, cells) in heap.objects.iter().enumerate() {
            for (k, cell) in cells.iter().enumerate() {
                match *cell {
                    Cell::X(_) => found.push((Place::Cell(n, k), self.float(self.shadows[n], k))),
                    Cell::N(_) => {}
                    Cell::P(to) => {
                        let now = self.word(self.shadows[n], k);
                        if now != to.map_or(0, |to| self.shadows[to]) {
                            return Err(format!("the shadow of cell {k} of object {n} is lost"));
                        }
                    }
                }
            }
        }
        Ok(found)
    }
}

/// A program and its derivatives.
pub struct Subject {
    primal: Module,
    pub combined: Module,
    pub split: Module,
    active: Vec<bool>,
    registry: Arc<Registry>,
}

type Gradient = Vec<(Place, f64)>;

impl Subject {
    /// Parses and derives.
    pub fn new(text: &str, wanted: &[bool]) -> Subject {
        Subject::of(parse_module(text).unwrap(), wanted)
    }
    /// Derives a program.
    pub fn of(module: Module, wanted: &[bool]) -> Subject {
        Subject::after(module, wanted, |normal, _| normal)
    }
    /// Derives what becomes of a program's normal form; what the program means is what it means without that.
    pub fn after(
        module: Module,
        wanted: &[bool],
        pass: impl FnOnce(Module, &Registry) -> Module,
    ) -> Subject {
        let registry = Context::default().registry().clone();
        let check = |module: &Module| {
            if let Err(e) = verify(module, &|name, types| registry.call_type(name, types)) {
                panic!("{e}\n{module}");
            }
        };
        check(&module);
        let primal = normalise(module, &registry, ContextKind::Default, LARGE, &|_| {}).unwrap();
        let active = Sharing::new(&primal).active(primal.root(), wanted);
        let source = pass(primal.clone(), &registry);
        check(&source);
        let derived = |mode: Mode| {
            let active = wanted.to_vec();
            let request = Request { active, mode };
            let derived = derive(&source, &registry, ContextKind::Default, &request);
            let derived = derived.unwrap_or_else(|e| panic!("{e}\n{primal}"));
            check(&derived);
            derived
        };
        Subject {
            combined: derived(Mode::Combined),
            split: derived(Mode::Split),
            primal,
            active,
            registry,
        }
    }
    /// Checks both modes against differences: interpreted, compiled, optimised and compiled.
    pub fn check(&self, heap: &Heap) -> Result<(), String> {
        let primal = self.compiled(&self.primal, &[self.primal.root]);
        let expected = self.differences(&primal, heap);
        let pullback = self.split.root.as_str().replace(".forward", ".pullback");
        let halves = [self.split.root, Symbol::new(&pullback)];
        let gradient = [self.combined.root];
        let optimised = |m: &Module| optimise(m.clone(), &self.registry, None).unwrap();
        let (combined, split) = (optimised(&self.combined), optimised(&self.split));
        let runs = [
            (
                self.interpreted(&self.combined, &gradient),
                self.interpreted(&self.split, &halves),
                &self.split,
            ),
            (
                self.compiled(&self.combined, &gradient),
                self.compiled(&self.split, &halves),
                &self.split,
            ),
            (
                self.compiled(&combined, &gradient),
                self.compiled(&split, &halves),
                &split,
            ),
        ];
        for (whole, halves, text) in &runs {
            let run = || self.run_halves(halves, &primal, heap);
            self.twice(run, &expected, text)?;
            // In one function fdata has no seeds.
            if tangent::shadow_leaves(self.ret()).is_empty() {
                let run = || self.run_whole(whole, &primal, heap);
                self.twice(run, &expected, text)?;
            }
        }
        Ok(())
    }
    fn compiled(&self, module: &Module, roots: &[Symbol]) -> Runner {
        let program = Program::compile(module, &self.registry, roots);
        let program = program.unwrap_or_else(|e| panic!("{e}\n{module}"));
        Runner::Compiled(program, roots.len())
    }
    fn interpreted(&self, module: &Module, roots: &[Symbol]) -> Runner {
        Runner::Interpreted(module.clone(), roots.to_vec(), self.registry.clone())
    }
    /// Runs something on a fresh machine with the heap in it.
    fn with<R>(&self, runner: &Runner, heap: &Heap, f: impl FnOnce(&mut Run) -> R) -> R {
        match runner {
            Runner::Compiled(program, roots) => {
                let words = (0..*roots).map(|root| program.result_words(root));
                let machine = Compiled {
                    program: program.clone(),
                    halves: program.start(),
                    words: words.collect(),
                };
                f(&mut Run::new(Box::new(machine), heap))
            }
            Runner::Interpreted(module, roots, registry) => {
                let outside = Packs(registry);
                let machine = Interpreted {
                    interpreter: Interpreter::new(module, &outside),
                    roots: roots.clone(),
                };
                f(&mut Run::new(Box::new(machine), heap))
            }
        }
    }
    fn twice(
        &self,
        run: impl Fn() -> Result<Gradient, String>,
        expected: &Gradient,
        derived: &Module,
    ) -> Result<(), String> {
        let with_text = |e: String| format!("{e}\n{}\n{derived}", self.primal);
        let first = run().map_err(with_text)?;
        compare(expected, &first).map_err(with_text)?;
        let bits = |g: &Gradient| g.iter().map(|(_, x)| x.to_bits()).collect::<Vec<_>>();
        match bits(&run()?) == bits(&first) {
            true => Ok(()),
            false => Err(with_text("the second call differs".to_owned())),
        }
    }
    fn ret(&self) -> Type {
        self.primal.root().ret
    }
    fn types(&self) -> Vec<Type> {
        self.primal.root().param_types()
    }
    fn words(&self, ty: Type) -> usize {
        crate::codegen::cpu::words(ty)
    }

    /// The result's words, the final contents, and the sum of weights times floats of result, final contents, and what
    /// the result leads to.
    fn primal(&self, runner: &Runner, heap: &Heap) -> (Vec<u64>, Vec<u64>, f64) {
        self.with(runner, heap, |run| {
            let args = run.give(heap, &self.types(), None);
            let result = run.machine.call(0, &args).unwrap_or_else(|e| panic!("{e}"));
            let mut sum = 0.0;
            for (word, seed) in self.smooth(&result).into_iter().zip(self.seeds()) {
                sum += f64::from_bits(word) * seed;
            }
            for (n, cells) in heap.objects.iter().enumerate() {
                for (k, cell) in cells.iter().enumerate() {
                    if let Cell::X(_) = cell {
                        sum += weight(n, k) * run.float(run.objects[n], k);
                    }
                }
            }
            run.visit(
                heap,
                self.ret(),
                &result,
                &[],
                &mut |run, at, _, cell, w| {
                    sum += w * run.float(at, cell);
                },
            );
            let contents = run.contents(heap);
            (result, contents, sum)
        })
    }
    fn seeds(&self) -> Vec<f64> {
        let count = tangent::seeds(self.ret()).len();
        (0..count).map(|n| weight(99, n)).collect()
    }
    /// The words of the leaves with rdata.
    fn smooth(&self, words: &[u64]) -> Vec<u64> {
        let (mut found, mut at) = (Vec::new(), 0);
        for ty in tangent::leaves(self.ret()) {
            if tangent::home(ty) == Home::Rdata {
                found.push(words[at]);
            }
            at += self.words(ty);
        }
        found
    }
    fn differences(&self, program: &Runner, heap: &Heap) -> Gradient {
        let slope = |place: Place, x: f64, h: f64| {
            let at = |x: f64| self.primal(program, &heap.with(place, x)).2;
            (at(x + h) - at(x - h)) / (2.0 * h)
        };
        let places = heap.places().into_iter();
        places
            .filter(|(place, _)| !matches!(place, Place::Arg(n) if !self.active[*n]))
            .map(|(place, x)| {
                // Nothing looks at shadows.
                if let (Place::Cell(n, k), false) = (place, self.active.contains(&true)) {
                    return (place, weight(n, k));
                }
                let h = 2e-4 * x.abs().max(1.0);
                let (near, far) = (slope(place, x, h), slope(place, x, 2.0 * h));
                // Where a program is steep, differences say nothing.
                let steep = (near - far).abs() > 1e-4 * near.abs().max(1.0);
                let best = (4.0 * near - far) / 3.0;
                (place, if steep { f64::NAN } else { best })
            })
            .collect()
    }
    fn seeded(&self, run: &Run, heap: &Heap) -> Vec<Word> {
        let mut args = run.give(heap, &self.types(), None);
        args.extend(run.give(heap, &self.types(), Some(&self.active)));
        args.extend(self.seeds().into_iter().map(Word::Float));
        args
    }
    fn run_whole(&self, runner: &Runner, primal: &Runner, heap: &Heap) -> Result<Gradient, String> {
        let (value, ..) = self.primal(primal, heap);
        self.with(runner, heap, |run| {
            let before = run.contents(heap);
            let args = self.seeded(run, heap);
            let results = run.machine.call(0, &args)?;
            if results[..value.len()] != value {
                return Err("the value is wrong".to_owned());
            }
            self.gather(run, heap, &before, &results[value.len()..])
        })
    }
    fn run_halves(
        &self,
        runner: &Runner,
        primal: &Runner,
        heap: &Heap,
    ) -> Result<Gradient, String> {
        let (value, contents, _) = self.primal(primal, heap);
        let sharing = Sharing::new(&self.primal);
        self.with(runner, heap, |run| {
            let before = run.contents(heap);
            let mut args = run.give(heap, &self.types(), None);
            if sharing.forward_takes_shadows(self.primal.root) {
                args.extend(run.give(heap, &self.types(), Some(&self.active)));
            }
            let results = run.machine.call(0, &args)?;
            let (result, shadows) = results.split_at(value.len());
            if self.smooth(result) != self.smooth(&value) {
                return Err("the value is wrong".to_owned());
            }
            let now = run.contents(heap);
            let number = |cell: &Cell| !matches!(cell, Cell::P(_));
            let mut both = heap.objects.iter().flatten().zip(now.iter().zip(&contents));
            if both.any(|(cell, (a, b))| number(cell) && a != b) {
                return Err("the forward half leaves something else in memory".to_owned());
            }
            run.visit(
                heap,
                self.ret(),
                result,
                shadows,
                &mut |run, _, at, cell, w| {
                    if self.active.contains(&true) {
                        let so_far = run.float(at, cell);
                        run.set_float(at, cell, so_far + w);
                    }
                },
            );
            let args = self.seeded(run, heap);
            let cotangents = run.machine.call(1, &args)?;
            self.gather(run, heap, &before, &cotangents)
        })
    }
    /// The gradient in the order of the heap's places; memory must be as before.
    fn gather(
        &self,
        run: &mut Run,
        heap: &Heap,
        before: &[u64],
        cotangents: &[u64],
    ) -> Result<Gradient, String> {
        if run.contents(heap) != before {
            return Err("memory is not restored".to_owned());
        }
        let mut words = cotangents.iter();
        let mut all = Vec::new();
        for (n, given) in heap.args.iter().enumerate() {
            if let (Given::X(_), true) = (given, self.active[n]) {
                let word = words.next().ok_or("a cotangent is missing")?;
                all.push((Place::Arg(n), f64::from_bits(*word)));
            }
        }
        all.extend(run.cotangents(heap)?);
        Ok(all)
    }
}

fn compare(expected: &Gradient, found: &Gradient) -> Result<(), String> {
    if expected.len() != found.len() {
        return Err("the gradients have different lengths".to_owned());
    }
    let mut steep = 0;
    for ((place, e), (_, f)) in expected.iter().zip(found) {
        if e.is_nan() {
            steep += 1;
        } else if f.is_nan() || (e - f).abs() > 1e-7 * e.abs().max(f.abs()).max(1.0) {
            return Err(format!("{place:?}: differences give {e}, found {f}"));
        }
    }
    match 2 * steep > expected.len() {
        true => Err("the program is too steep".to_owned()),
        false => Ok(()),
    }
}

/// Checks a program with everything active.
pub fn check_heap(text: &str, heap: &Heap) -> Subject {
    let subject = Subject::new(text, &vec![true; heap.args.len()]);
    subject.check(heap).unwrap_or_else(|e| panic!("{e}"));
    subject
}

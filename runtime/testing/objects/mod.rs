//! The check for programs on objects: gradients in both modes, as derived and as optimised, against differences of
//! `Σ seed · result + Σ shadow · final contents`, on heaps of cells of eight bytes; memory must be restored.

mod random;
mod reverse;

use crate::ad::{Mode, Request, reverse as derive};
use crate::context::Context;
use crate::exec::{Address, Args, Halves, NoHost, Program, Scalar};
use crate::ir::parse::parse_module;
use crate::ir::verify::verify;
use crate::ir::{Module, Symbol, Type};
use crate::normalise::normalise;
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

/// A frame with the objects of a heap and their shadows.
struct Machine {
    halves: Halves,
    objects: Vec<Address>,
    shadows: Vec<Address>,
}

impl Machine {
    /// Shadows are the cotangents of the final contents.
    fn new(program: &Arc<Program>, heap: &Heap) -> Machine {
        let mut machine = Machine {
            halves: program.start(),
            objects: Vec::new(),
            shadows: Vec::new(),
        };
        for shadow in [false, true] {
            let at: Vec<Address> = (heap.objects.iter())
                .map(|cells| machine.halves.objects().alloc(8 * cells.len()).unwrap())
                .collect();
            for (n, cells) in heap.objects.iter().enumerate() {
                for (k, cell) in cells.iter().enumerate() {
                    let word = match *cell {
                        Cell::X(_) if shadow => weight(n, k).to_word(),
                        Cell::N(_) if shadow => 0,
                        Cell::X(x) => x.to_word(),
                        Cell::N(n) => n,
                        Cell::P(to) => to.map_or(0, |to| at[to].to_word()),
                    };
                    machine.write(at[n], k, word);
                }
            }
            match shadow {
                false => machine.objects = at,
                true => machine.shadows = at,
            }
        }
        machine
    }
    fn read<T: Scalar>(&mut self, at: Address, cell: usize) -> T {
        self.halves.objects().read(at.offset(8 * cell)).unwrap()
    }
    fn write<T: Scalar>(&mut self, at: Address, cell: usize, value: T) {
        let at = at.offset(8 * cell);
        self.halves.objects().write(at, value).unwrap();
    }
    /// The arguments, or the shadows of those that are active.
    fn give(&self, heap: &Heap, types: &[Type], active: Option<&[bool]>, args: &mut Args<'_>) {
        let at = match active {
            None => &self.objects,
            Some(_) => &self.shadows,
        };
        for (n, (given, &ty)) in heap.args.iter().zip(types).enumerate() {
            if active.is_some_and(|active| !active[n] || tangent::home(ty) != Home::Fdata) {
                continue;
            }
            match (*given, ty, active) {
                (Given::X(x), ..) => args.scalar(x),
                (Given::N(n), ..) => args.scalar(n as usize),
                (Given::P(n), ..) => args.pointer(at[n]),
                (Given::Slice(n), Type::Slice(&Type::F64), None) => {
                    args.view::<f64>(at[n], heap.objects[n].len());
                }
                (Given::Slice(n), Type::Slice(_), None) => {
                    args.view::<usize>(at[n], heap.objects[n].len());
                }
                (Given::Slice(n), ..) => args.view_mut::<f64>(at[n], heap.objects[n].len()),
            }
        }
    }
    /// The words of a call's results.
    fn call(&mut self, root: usize, args: &Args<'_>, words: usize) -> Vec<u64> {
        let mut results = vec![0; words];
        self.halves.call(root, args, &mut results, &NoHost).unwrap();
        results
    }
    /// Goes through the floats that results lead to: address, shadow's address, cell, weight.
    fn visit(
        &mut self,
        heap: &Heap,
        ret: Type,
        words: &[u64],
        shadows: &[u64],
        f: &mut dyn FnMut(&mut Self, Address, Address, usize, f64),
    ) {
        let (mut words, mut shadows) = (words.iter(), shadows.iter());
        let next = |words: &mut std::slice::Iter<u64>| words.next().copied().unwrap_or(0);
        let mut count = 0;
        for ty in tangent::leaves(ret) {
            let word = next(&mut words);
            match ty {
                Type::Ptr => {
                    let at = Address::from_word(word);
                    let shadow = Address::from_word(next(&mut shadows));
                    self.walk(heap, 0, at, shadow, &mut count, f);
                }
                Type::Slice(_) | Type::SliceMut(_) => {
                    let at = Address::from_word(word);
                    let length = next(&mut words) as usize;
                    let shadow = Address::from_word(next(&mut shadows));
                    next(&mut shadows);
                    for n in 0..length {
                        f(self, at, shadow, n, weight(70, n));
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
        at: Address,
        shadow: Address,
        count: &mut usize,
        f: &mut dyn FnMut(&mut Self, Address, Address, usize, f64),
    ) {
        if at.is_null() {
            return;
        }
        for &cell in heap.shapes[shape].floats {
            *count += 1;
            f(self, at, shadow, cell, weight(71, *count));
        }
        for &(cell, shape) in heap.shapes[shape].pointers {
            let to = self.read(at, cell);
            let shadow = match shadow.is_null() {
                true => shadow,
                false => self.read(shadow, cell),
            };
            self.walk(heap, shape, to, shadow, count, f);
        }
    }
    /// The objects of the heap, word by word.
    fn contents(&mut self, heap: &Heap) -> Vec<u64> {
        let mut words = Vec::new();
        for (n, cells) in heap.objects.iter().enumerate() {
            for k in 0..cells.len() {
                words.push(self.read(self.objects[n], k));
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
                    Cell::X(_) => found.push((Place::Cell(n, k), self.read(self.shadows[n], k))),
                    Cell::N(_) => {}
                    Cell::P(to) => {
                        let now: Address = self.read(self.shadows[n], k);
                        if now != to.map_or(Address::NULL, |to| self.shadows[to]) {
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
        let registry = Context::default().registry().clone();
        let check = |module: &Module| {
            if let Err(e) = verify(module, &|name, types| registry.call_type(name, types)) {
                panic!("{e}\n{module}");
            }
        };
        check(&module);
        let primal = normalise(module, &registry, ContextKind::Default).unwrap();
        let active = Sharing::new(&primal).active(primal.root(), wanted);
        let derived = |mode: Mode| {
            let active = wanted.to_vec();
            let request = Request {
                active,
                mode,
                checked: false,
            };
            let derived = derive(&primal, &registry, ContextKind::Default, &request);
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
    /// Checks both modes, as derived and optimised, against differences.
    pub fn check(&self, heap: &Heap) -> Result<(), String> {
        let primal = self.compile(&self.primal, &[self.primal.root]);
        let expected = self.differences(&primal, heap);
        for optimised in [false, true] {
            let form = |module: &Module| match optimised {
                false => module.clone(),
                true => optimise(module.clone(), &self.registry).unwrap(),
            };
            let combined = form(&self.combined);
            let split = form(&self.split);
            let program = self.compile(&combined, &[combined.root]);
            let pullback = split.root.as_str().replace(".forward", ".pullback");
            let halves = self.compile(&split, &[split.root, Symbol::new(&pullback)]);
            let takes = Sharing::new(&self.primal).forward_takes_shadows(self.primal.root);
            // Combined mode seeds no fdata.
            if tangent::shadow_leaves(self.ret()).is_empty() {
                let run = || self.combined(&program, &primal, heap);
                self.twice(run, &expected, &combined)?;
            }
            let run = || self.split(&halves, &primal, heap, takes);
            self.twice(run, &expected, &split)?;
        }
        Ok(())
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
    fn compile(&self, module: &Module, roots: &[Symbol]) -> Arc<Program> {
        Program::compile(module, &self.registry, roots).unwrap_or_else(|e| panic!("{e}\n{module}"))
    }
    fn words(&self, ty: Type) -> usize {
        crate::codegen::cpu::words(ty)
    }

    /// The result's words, the final contents, and the sum of weights times floats of result, final contents, and what
    /// the result leads to.
    fn primal(&self, program: &Arc<Program>, heap: &Heap) -> (Vec<u64>, Vec<u64>, f64) {
        let mut machine = Machine::new(program, heap);
        let mut args = Args::new();
        machine.give(heap, &self.types(), None, &mut args);
        let result = machine.call(0, &args, self.words(self.ret()));
        let mut sum = 0.0;
        for (word, seed) in self.smooth(&result).into_iter().zip(self.seeds()) {
            sum += f64::from_word(word) * seed;
        }
        for (n, cells) in heap.objects.iter().enumerate() {
            for (k, cell) in cells.iter().enumerate() {
                if let Cell::X(_) = cell {
                    sum += weight(n, k) * machine.read::<f64>(machine.objects[n], k);
                }
            }
        }
        machine.visit(heap, self.ret(), &result, &[], &mut |m, at, _, cell, w| {
            sum += w * m.read::<f64>(at, cell);
        });
        let contents = machine.contents(heap);
        (result, contents, sum)
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
    fn differences(&self, program: &Arc<Program>, heap: &Heap) -> Gradient {
        let slope = |place: Place, x: f64, h: f64| {
            let at = |x: f64| self.primal(program, &heap.with(place, x)).2;
            (at(x + h) - at(x - h)) / (2.0 * h)
        };
        let places = heap.places().into_iter();
        places
            .filter(|(place, _)| !matches!(place, Place::Arg(n) if !self.active[*n]))
            .map(|(place, x)| {
                let h = 2e-4 * x.abs().max(1.0);
                let (near, far) = (slope(place, x, h), slope(place, x, 2.0 * h));
                // Where a program is steep, differences say nothing.
                let steep = (near - far).abs() > 1e-4 * near.abs().max(1.0);
                let best = (4.0 * near - far) / 3.0;
                (place, if steep { f64::NAN } else { best })
            })
            .collect()
    }
    fn combined(
        &self,
        program: &Arc<Program>,
        primal: &Arc<Program>,
        heap: &Heap,
    ) -> Result<Gradient, String> {
        let (value, ..) = self.primal(primal, heap);
        let mut machine = Machine::new(program, heap);
        let before = machine.contents(heap);
        let mut args = Args::new();
        machine.give(heap, &self.types(), None, &mut args);
        machine.give(heap, &self.types(), Some(&self.active), &mut args);
        self.seeds().into_iter().for_each(|seed| args.scalar(seed));
        let words = self.words(program.result_type(0));
        let results = machine.call(0, &args, words);
        if results[..value.len()] != value {
            return Err("the value is wrong".to_owned());
        }
        self.gather(&mut machine, heap, &before, &results[value.len()..])
    }
    fn split(
        &self,
        program: &Arc<Program>,
        primal: &Arc<Program>,
        heap: &Heap,
        takes: bool,
    ) -> Result<Gradient, String> {
        let (value, contents, _) = self.primal(primal, heap);
        let mut machine = Machine::new(program, heap);
        let before = machine.contents(heap);
        let mut args = Args::new();
        machine.give(heap, &self.types(), None, &mut args);
        if takes {
            machine.give(heap, &self.types(), Some(&self.active), &mut args);
        }
        let words = self.words(program.result_type(0));
        let results = machine.call(0, &args, words);
        let (result, shadows) = results.split_at(value.len());
        if self.smooth(result) != self.smooth(&value) {
            return Err("the value is wrong".to_owned());
        }
        let now = machine.contents(heap);
        let number = |cell: &Cell| !matches!(cell, Cell::P(_));
        let same = heap.objects.iter().flatten().zip(now.iter().zip(&contents));
        if same
            .into_iter()
            .any(|(cell, (a, b))| number(cell) && a != b)
        {
            return Err("the forward half leaves something else in memory".to_owned());
        }
        machine.visit(
            heap,
            self.ret(),
            result,
            shadows,
            &mut |m, _, at, cell, w| {
                let so_far: f64 = m.read(at, cell);
                m.write(at, cell, so_far + w);
            },
        );
        let mut args = Args::new();
        machine.give(heap, &self.types(), None, &mut args);
        machine.give(heap, &self.types(), Some(&self.active), &mut args);
        self.seeds().into_iter().for_each(|seed| args.scalar(seed));
        let words = self.words(program.result_type(1));
        let cotangents = machine.call(1, &args, words);
        self.gather(&mut machine, heap, &before, &cotangents)
    }
    /// The gradient in the order of the heap's places; memory must be as before.
    fn gather(
        &self,
        machine: &mut Machine,
        heap: &Heap,
        before: &[u64],
        cotangents: &[u64],
    ) -> Result<Gradient, String> {
        if machine.contents(heap) != before {
            return Err("memory is not restored".to_owned());
        }
        let mut words = cotangents.iter();
        let mut all = Vec::new();
        for (n, given) in heap.args.iter().enumerate() {
            if let (Given::X(_), true) = (given, self.active[n]) {
                let word = words.next().ok_or("a cotangent is missing")?;
                all.push((Place::Arg(n), f64::from_word(*word)));
            }
        }
        all.extend(machine.cotangents(heap)?);
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
        } else if !((e - f).abs() <= 1e-7 * e.abs().max(f.abs()).max(1.0)) {
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

//! The check for programs in IR and their derivatives, on heaps of cells of eight bytes. All forms of a program give and leave the same, interpreted and
//! compiled, as derived and as optimised: to the bit. Reverse mode, in one function and in two halves, gives the gradient of
//! `Σ seed · result + Σ shadow · final contents` that differences say, restores memory and empties the tape. Forward mode agrees with reverse mode, along one
//! direction and several, and the dual of the gradient is a symmetric Hessian.

mod generate;
mod text;
mod straight;
mod maps;
mod loops;
mod nested;
mod calls;
mod errors;
mod objects;
mod random;
mod shrink;

use super::differences::{Verdict, compare, derivative, hangs_on_last_bits, near};
use crate::ad::{Mode, Request, forward, reverse as derive};
use crate::context::Context;
use crate::exec::{Address, Args, Halves, NoHost, Program, Scalar};
use crate::interp::{Datum, Interpreter, Packs};
use crate::ir::parse::parse_module;
use crate::ir::verify::verify;
use crate::ir::{Const, Module, Symbol, Type};
use crate::normalise::{LARGE, normalise};
use crate::opt::{elide_copies, optimise, promote_objects, unroll_loops};
use crate::registry::{ContextKind, Registry};
use crate::tangent::{self, Home, Sharing};
use crate::testing::programs::promoted;
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
pub enum Place {
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
    Number(Type, u64),
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
                Word::Number(Type::I32, n) => args.scalar(n as i32),
                Word::Number(Type::I64, n) => args.scalar(n as i64),
                Word::Number(Type::U32, n) => args.scalar(n as u32),
                Word::Number(_, n) => args.scalar(n as usize),
                Word::Pointer(at) => args.pointer(Address::from_word(at)),
                Word::Slice(Type::Slice(&Type::Usize), at, length) => {
                    args.view::<usize>(Address::from_word(at), length);
                }
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
            Datum::Scalar(Const::Bool(b)) => words.push(u64::from(*b)),
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
                Word::Number(_, n) => Ok(Datum::index(n as usize)),
                Word::Pointer(at) => Ok(Datum::Ptr(at)),
                Word::Slice(ty, at, length) => {
                    heap.view(at, length, ty.element().unwrap_or(Type::F64))
                }
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

/// A machine with the objects of a heap, and further layers of the same form: shadows, tangents.
struct Run<'a> {
    machine: Box<dyn Machine + 'a>,
    /// The addresses of the objects in each layer.
    layers: Vec<Vec<u64>>,
}

/// The floats of a layer.
type Layer<'a> = &'a dyn Fn(Place) -> f64;

/// The cotangents of the final contents; those of arguments are seeds.
fn weights(place: Place) -> f64 {
    match place {
        Place::Cell(n, k) => weight(n, k),
        Place::Arg(_) => 0.0,
    }
}

impl Run<'_> {
    fn new<'a>(machine: Box<dyn Machine + 'a>, heap: &Heap, layers: &[Layer]) -> Run<'a> {
        let mut run = Run {
            machine,
            layers: Vec::new(),
        };
        for layer in [None].into_iter().chain(layers.iter().map(Some)) {
            let at: Vec<u64> = (heap.objects.iter())
                .map(|cells| run.machine.alloc(8 * cells.len()))
                .collect();
            for (n, cells) in heap.objects.iter().enumerate() {
                for (k, cell) in cells.iter().enumerate() {
                    let word = match (*cell, layer) {
                        (Cell::X(_), Some(layer)) => layer(Place::Cell(n, k)).to_bits(),
                        (Cell::N(_), Some(_)) => 0,
                        (Cell::X(x), None) => x.to_bits(),
                        (Cell::N(n), None) => n,
                        (Cell::P(to), _) => to.map_or(0, |to| at[to]),
                    };
                    run.machine.write(at[n] + 8 * k as u64, word);
                }
            }
            run.layers.push(at);
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
    /// Arguments of these types in a layer. A float is that of the heap, or what the layer says.
    fn give(&self, heap: &Heap, types: &[Option<Type>], layer: usize, x: Layer) -> Vec<Word> {
        let at = &self.layers[layer];
        let mut words = Vec::new();
        for (n, (given, &ty)) in heap.args.iter().zip(types).enumerate() {
            let Some(ty) = ty else { continue };
            words.push(match *given {
                Given::X(value) if layer == 0 => Word::Float(value),
                Given::X(_) => Word::Float(x(Place::Arg(n))),
                Given::N(n) => Word::Number(ty, n),
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
                words.push(self.word(self.layers[0][n], k));
            }
        }
        words
    }
    /// The floats of a layer at these places, without the arguments.
    fn floats(&mut self, places: &[(Place, f64)], layer: usize) -> Vec<f64> {
        let mut found = Vec::new();
        for (place, _) in places {
            if let Place::Cell(n, k) = *place {
                found.push(self.float(self.layers[layer][n], k));
            }
        }
        found
    }
    /// The pointers of the shadows must lead where they did.
    fn shadows_are_linked(&mut self, heap: &Heap) -> Result<(), String> {
        for (n, cells) in heap.objects.iter().enumerate() {
            for (k, cell) in cells.iter().enumerate() {
                if let Cell::P(to) = *cell {
                    let now = self.word(self.layers[1][n], k);
                    if now != to.map_or(0, |to| self.layers[1][to]) {
                        return Err(format!("the shadow of cell {k} of object {n} is lost"));
                    }
                }
            }
        }
        Ok(())
    }
}

/// A program and its derivatives.
pub struct Subject {
    /// As it was written.
    module: Module,
    /// Its normal form.
    primal: Module,
    /// What is derived: the normal form, or what a pass makes of it.
    source: Module,
    pub combined: Module,
    pub split: Module,
    wanted: Vec<bool>,
    active: Vec<bool>,
    /// Whether all is tested that there is, or reverse mode as it is derived.
    thorough: bool,
    registry: Arc<Registry>,
}

/// For each place of the heap that is active, in order.
type Gradient = Vec<f64>;

/// What a program does: the bits of its value, the final contents, and the sum of weights times the floats of result, final contents, and what the result
/// leads to.
#[derive(Clone, PartialEq, Debug)]
struct Outcome {
    value: Vec<u64>,
    contents: Vec<u64>,
    objective: f64,
}

/// How many derivatives differences could be compared with, and of how many they say nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seen {
    pub compared: usize,
    pub unsettled: usize,
}

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
        Subject::with(Context::default().registry(), module, wanted, pass)
    }
    /// The same, with other rules.
    pub fn with(
        registry: &Arc<Registry>,
        module: Module,
        wanted: &[bool],
        pass: impl FnOnce(Module, &Registry) -> Module,
    ) -> Subject {
        let kind = ContextKind::Default;
        let primal = normalise(module.clone(), registry, kind, LARGE, &|_| {});
        let primal = primal.unwrap_or_else(|e| panic!("{e}\n{module}"));
        Subject::derived(registry, module, primal, wanted, pass)
    }
    /// Derives a program in normal form that has derivatives in it already: in reverse mode alone.
    pub fn of_derivatives(normal: Module, wanted: &[bool]) -> Subject {
        let registry = Context::default().registry().clone();
        Subject {
            thorough: false,
            ..Subject::derived(&registry, normal.clone(), normal, wanted, |normal, _| {
                normal
            })
        }
    }
    fn derived(
        registry: &Arc<Registry>,
        module: Module,
        primal: Module,
        wanted: &[bool],
        pass: impl FnOnce(Module, &Registry) -> Module,
    ) -> Subject {
        let registry = registry.clone();
        let kind = ContextKind::Default;
        let source = pass(primal.clone(), &registry);
        let check = |module: &Module| {
            if let Err(e) = verify(module, &|name, types| registry.call_type(name, types)) {
                panic!("{e}\n{module}");
            }
        };
        check(&module);
        check(&source);
        let derived = |mode: Mode| {
            let active = wanted.to_vec();
            let request = Request { active, mode };
            let derived = derive(&source, &registry, kind, &request);
            let derived = derived.unwrap_or_else(|e| panic!("{e}\n{primal}"));
            check(&derived);
            derived
        };
        Subject {
            combined: derived(Mode::Combined),
            split: derived(Mode::Split),
            active: Sharing::new(&primal).active(primal.root(), wanted),
            wanted: wanted.to_vec(),
            thorough: true,
            module,
            primal,
            source,
            registry,
        }
    }
    /// Checks everything; says how much differences could tell. More than half of it they must.
    pub fn check(&self, heap: &Heap) -> Result<Seen, String> {
        let checked = self.check_all(heap);
        let checked = checked.and_then(|seen| match seen.compared >= seen.unsettled {
            true => Ok(seen),
            false => Err("differences settle for less than half of the gradient".to_owned()),
        });
        checked.map_err(|error| format!("{error}\n{}", self.primal))
    }
    fn check_all(&self, heap: &Heap) -> Result<Seen, String> {
        let primal = self.forms_agree(heap)?;
        let pullback = self.split.root.as_str().replace(".forward", ".pullback");
        let halves = [self.split.root, Symbol::new(&pullback)];
        let run = |runner: &Runner, heap: &Heap| self.run_halves(runner, &primal, heap);
        let gradient = self.all_ways("the halves", &self.split, &halves, |r| run(r, heap))?;
        let compiled = self.compiled(&self.split, &halves);
        let again = |heap: &Heap| run(&compiled, heap).ok();
        let seen = self.compare(heap, &primal, &gradient, &again)?;
        // In one function fdata has no seeds.
        if tangent::shadow_leaves(self.ret()).is_empty() {
            let root = [self.combined.root];
            let run = |runner: &Runner| self.run_whole(runner, &primal, heap);
            let whole = self.all_ways("the gradient", &self.combined, &root, run)?;
            alike("the gradient and the halves", &whole, &gradient)?;
            if self.is_forward() {
                self.forward(heap, &primal, &gradient)?;
                self.second(heap, &gradient)?;
            }
        }
        Ok(seen)
    }
    /// Whether forward mode can be asked for: nothing that has a tangent stands still.
    fn is_forward(&self) -> bool {
        let types = self.types();
        let mut wanted = self.wanted.iter().zip(&types);
        self.thorough
            && wanted.all(|(wanted, ty)| *wanted || !tangent::has_tangent(*ty))
            && !types.contains(&Type::Ptr)
    }

    fn compiled(&self, module: &Module, roots: &[Symbol]) -> Runner {
        let program = Program::compile(module, &self.registry, roots);
        let program = program.unwrap_or_else(|e| panic!("{e}\n{module}"));
        Runner::Compiled(program, roots.len())
    }
    fn interpreted(&self, module: &Module, roots: &[Symbol]) -> Runner {
        Runner::Interpreted(module.clone(), roots.to_vec(), self.registry.clone())
    }
    /// What a derived module gives, as it is and optimised, interpreted and compiled, twice: the same bits of one module, and but for rounding the same of
    /// both.
    fn all_ways(
        &self,
        name: &str,
        module: &Module,
        roots: &[Symbol],
        run: impl Fn(&Runner) -> Result<Vec<f64>, String>,
    ) -> Result<Vec<f64>, String> {
        let optimised = || optimise(module.clone(), &self.registry, None).unwrap();
        let optimised = self.thorough.then(optimised);
        let mut all = Vec::new();
        let forms = [(module, "")].into_iter();
        for (module, form) in forms.chain(optimised.iter().map(|m| (m, ", optimised"))) {
            let text = |how: &'static str| move |e| format!("{name}{form}, {how}: {e}\n{module}");
            let found = run(&self.interpreted(module, roots)).map_err(text("interpreted"))?;
            let compiled = self.compiled(module, roots);
            for how in ["compiled", "compiled, again"] {
                let again = run(&compiled).map_err(text(how))?;
                same(&again, &found).map_err(text(how))?;
            }
            all.push(found);
        }
        let first = all.swap_remove(0);
        { all.iter() }.try_for_each(|other| alike(&format!("{name}, optimised"), other, &first))?;
        Ok(first)
    }
    /// Runs something on a fresh machine with the heap in it, and with these layers.
    fn run_on<R>(
        &self,
        runner: &Runner,
        heap: &Heap,
        layers: &[Layer],
        f: impl FnOnce(&mut Run) -> R,
    ) -> R {
        match runner {
            Runner::Compiled(program, roots) => {
                let words = (0..*roots).map(|root| program.result_words(root));
                let machine = Compiled {
                    program: program.clone(),
                    halves: program.start(),
                    words: words.collect(),
                };
                f(&mut Run::new(Box::new(machine), heap, layers))
            }
            Runner::Interpreted(module, roots, registry) => {
                let outside = Packs(registry);
                let machine = Interpreted {
                    interpreter: Interpreter::new(module, &outside).with_fuel(FUEL),
                    roots: roots.clone(),
                };
                f(&mut Run::new(Box::new(machine), heap, layers))
            }
        }
    }
    fn ret(&self) -> Type {
        self.primal.root().ret
    }
    fn types(&self) -> Vec<Type> {
        self.primal.root().param_types()
    }
    fn all_types(&self) -> Vec<Option<Type>> {
        self.types().into_iter().map(Some).collect()
    }
    /// The types of shadows, for the active parameters with fdata.
    fn shadow_types(&self) -> Vec<Option<Type>> {
        let is = |(n, ty): (usize, Type)| {
            (self.active[n] && tangent::home(ty) == Home::Fdata).then(|| tangent::tangent(ty))
        };
        self.types().into_iter().enumerate().map(is).collect()
    }
    /// The types of tangents, for the parameters that can have one.
    fn tangent_types(&self) -> Vec<Option<Type>> {
        let types = self.types().into_iter();
        types
            .map(|ty| Some(ty).filter(|ty| tangent::has_tangent(*ty)))
            .collect()
    }
    /// The places of the gradient.
    fn places(&self, heap: &Heap) -> Vec<(Place, f64)> {
        let is_active = |(place, _): &(Place, f64)| match place {
            Place::Arg(n) => self.active[*n],
            Place::Cell(n, _) => self.is_seen(heap, *n),
        };
        heap.places().into_iter().filter(is_active).collect()
    }
    /// Whether an object counts: the memory of a slice that is constant has no shadow, whatever is written to it.
    fn is_seen(&self, heap: &Heap, object: usize) -> bool {
        let mut args = heap.args.iter().zip(&self.active);
        !args.any(|(given, active)| !active && matches!(given, Given::Slice(n) if *n == object))
            || !self.active.contains(&true)
    }
    /// A number for each place of the gradient, as a layer.
    fn direction(&self, heap: &Heap, numbers: &[f64]) -> impl Fn(Place) -> f64 + use<> {
        let places = self.places(heap).into_iter().zip(numbers);
        let all: Vec<(Place, f64)> = places.map(|((place, _), x)| (place, *x)).collect();
        move |place| {
            { all.iter() }
                .find(|(p, _)| *p == place)
                .map_or(0.0, |(_, x)| *x)
        }
    }

    /// What the compiled program gives and leaves; so does each form of it. Fails where a program fails.
    fn forms_agree(&self, heap: &Heap) -> Result<Runner, String> {
        let (registry, normal) = (&self.registry, &self.primal);
        let runner = self.compiled(normal, &[normal.root]);
        if !self.thorough {
            return Ok(runner);
        }
        let expected = self.primal(&runner, heap);
        let optimised = optimise(normal.clone(), registry, None);
        let forms = [
            ("the program as it was written", Ok(self.module.clone())),
            ("the normal form", Ok(normal.clone())),
            ("the promoted form", promoted(normal, registry)),
            ("what is derived", Ok(self.source.clone())),
            (
                "the unrolled form",
                Ok(unroll_loops(
                    promote_objects(normal.clone(), registry),
                    registry,
                )),
            ),
            ("the optimised form", optimised),
        ];
        for (name, module) in forms {
            let module = module.map_err(|e| format!("{name}: {e}"))?;
            let found = self.primal(&self.interpreted(&module, &[module.root]), heap);
            if found != expected {
                return Err(format!(
                    "{name} gives {found:?}, compiled {expected:?}\n{module}"
                ));
            }
        }
        Ok(runner)
    }
    fn primal(&self, runner: &Runner, heap: &Heap) -> Outcome {
        let outcome = self.try_primal(runner, heap);
        outcome.unwrap_or_else(|e| panic!("{e}\n{}", self.primal))
    }
    /// Whether the program comes to its end, interpreted.
    fn runs(&self, heap: &Heap) -> bool {
        let runner = self.interpreted(&self.module, &[self.module.root]);
        self.try_primal(&runner, heap).is_ok()
    }
    fn try_primal(&self, runner: &Runner, heap: &Heap) -> Result<Outcome, String> {
        self.run_on(runner, heap, &[], |run| {
            let args = run.give(heap, &self.all_types(), 0, &weights);
            let result = run.machine.call(0, &args)?;
            let value = self.smooth(&result);
            let seeded = value.iter().zip(self.seeds());
            let mut objective: f64 = seeded
                .map(|(word, seed)| f64::from_bits(*word) * seed)
                .sum();
            for (place, _) in self.places(heap) {
                if let Place::Cell(n, k) = place {
                    objective += weight(n, k) * run.float(run.layers[0][n], k);
                }
            }
            let ret = self.ret();
            run.visit(heap, ret, &result, &[], &mut |run, at, _, cell, w| {
                objective += w * run.float(at, cell);
            });
            let cells = heap.objects.iter().flatten().zip(run.contents(heap));
            let numbers = cells.filter(|(cell, _)| !matches!(cell, Cell::P(_)));
            Ok(Outcome {
                contents: numbers.map(|(_, word)| canonical(word)).collect(),
                value: value.into_iter().map(canonical).collect(),
                // Of a NaN the text says nothing more.
                objective: if objective.is_nan() {
                    f64::MAX
                } else {
                    objective
                },
            })
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
            at += crate::codegen::cpu::words(ty);
        }
        found
    }
    /// How many words the result has.
    fn result_words(&self) -> usize {
        let leaves = tangent::leaves(self.ret()).into_iter();
        leaves.map(crate::codegen::cpu::words).sum()
    }

    fn seeded(&self, run: &Run, heap: &Heap) -> Vec<Word> {
        let mut args = run.give(heap, &self.all_types(), 0, &weights);
        args.extend(run.give(heap, &self.shadow_types(), 1, &weights));
        args.extend(self.seeds().into_iter().map(Word::Float));
        args
    }
    fn run_whole(&self, runner: &Runner, primal: &Runner, heap: &Heap) -> Result<Gradient, String> {
        let expected = self.primal(primal, heap);
        self.run_on(runner, heap, &[&weights], |run| {
            let before = run.contents(heap);
            let args = self.seeded(run, heap);
            let results = run.machine.call(0, &args)?;
            let (value, cotangents) = results.split_at(self.result_words());
            self.is_value(value, &expected)?;
            self.gather(run, heap, &before, cotangents)
        })
    }
    fn is_value(&self, result: &[u64], expected: &Outcome) -> Result<(), String> {
        let found = self.smooth(result).into_iter().map(canonical);
        match found.eq(expected.value.iter().copied()) {
            true => Ok(()),
            false => Err("the value is wrong".to_owned()),
        }
    }
    fn run_halves(
        &self,
        runner: &Runner,
        primal: &Runner,
        heap: &Heap,
    ) -> Result<Gradient, String> {
        let expected = self.primal(primal, heap);
        let sharing = Sharing::new(&self.primal);
        self.run_on(runner, heap, &[&weights], |run| {
            let before = run.contents(heap);
            let mut args = run.give(heap, &self.all_types(), 0, &weights);
            if sharing.forward_takes_shadows(self.primal.root) {
                args.extend(run.give(heap, &self.shadow_types(), 1, &weights));
            }
            let results = run.machine.call(0, &args)?;
            let (result, shadows) = results.split_at(self.result_words());
            self.is_value(result, &expected)?;
            let now = run.contents(heap);
            let cells = heap.objects.iter().flatten().zip(now);
            let numbers = cells.filter(|(cell, _)| !matches!(cell, Cell::P(_)));
            let now: Vec<u64> = numbers.map(|(_, word)| canonical(word)).collect();
            if now != expected.contents {
                return Err("the forward half leaves something else in memory".to_owned());
            }
            let ret = self.ret();
            run.visit(heap, ret, result, shadows, &mut |run, _, at, cell, w| {
                if self.active.contains(&true) {
                    let so_far = run.float(at, cell);
                    run.set_float(at, cell, so_far + w);
                }
            });
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
        run.shadows_are_linked(heap)?;
        let args = self.places(heap).into_iter();
        let count = args
            .filter(|(place, _)| matches!(place, Place::Arg(_)))
            .count();
        let args = cotangents.get(..count).ok_or("a cotangent is missing")?;
        let mut all: Gradient = args.iter().map(|word| f64::from_bits(*word)).collect();
        all.extend(run.floats(&self.places(heap), 1));
        Ok(all)
    }

    /// Compares a gradient with differences.
    fn compare(
        &self,
        heap: &Heap,
        primal: &Runner,
        gradient: &[f64],
        again: &dyn Fn(&Heap) -> Option<Gradient>,
    ) -> Result<Seen, String> {
        let places = self.places(heap);
        if places.len() != gradient.len() {
            return Err("the gradient has another length".to_owned());
        }
        let mut seen = Seen::default();
        for (i, (&(place, x), &found)) in places.iter().zip(gradient).enumerate() {
            let moved = |by: f64| heap.with(place, x + by);
            // Nothing looks at shadows.
            if let (Place::Cell(n, k), false) = (place, self.active.contains(&true)) {
                same(&[found], &[weight(n, k)])?;
                continue;
            }
            let estimate = derivative(|by| self.primal(primal, &moved(by)).objective, f64::EPSILON);
            match compare(found, estimate, found.abs().max(1.0), f64::EPSILON) {
                Verdict::Agrees => seen.compared += 1,
                Verdict::Unknown => seen.unsettled += 1,
                Verdict::Differs => {
                    let near_by = |by: f64| Some(again(&moved(by * x.abs().max(1.0)))?[i]);
                    if !hangs_on_last_bits(near_by, found, estimate.value) {
                        let expected = estimate.value;
                        return Err(format!(
                            "{place:?}: differences give {expected:e}, found {found:e}"
                        ));
                    }
                    seen.unsettled += 1;
                }
            }
        }
        Ok(seen)
    }

    /// Forward mode gives the value, and the gradient's product with a direction; along three directions, for the second of them the same.
    fn forward(&self, heap: &Heap, primal: &Runner, gradient: &[f64]) -> Result<(), String> {
        let expected = self.primal(primal, heap);
        let mask: Vec<bool> = self.tangent_types().iter().map(Option::is_some).collect();
        let dual = |directions: usize| {
            let kind = ContextKind::Default;
            let dual = forward(&self.source, &self.registry, kind, &mask, directions);
            dual.map_err(|e| format!("forward mode: {e}"))
        };
        let directions = [3, 4, 5].map(|seed| noise(gradient.len(), seed));
        let layers = directions.each_ref().map(|d| self.direction(heap, d));
        let run = |runner: &Runner, layers: &[Layer], which: usize| {
            self.run_on(runner, heap, layers, |run| {
                let mut args = run.give(heap, &self.all_types(), 0, &weights);
                for (n, layer) in layers.iter().enumerate() {
                    args.extend(run.give(heap, &self.tangent_types(), n + 1, layer));
                }
                let results = run.machine.call(0, &args)?;
                let (value, tangents) = results.split_at(self.result_words());
                self.is_value(value, &expected)?;
                let count = tangents.len() / layers.len();
                let tangents = tangents[which * count..][..count].iter();
                let mut all: Vec<f64> = tangents.map(|word| f64::from_bits(*word)).collect();
                all.extend(run.floats(&self.places(heap), which + 1));
                Ok(all)
            })
        };
        let one = dual(1)?;
        let tangents = self.all_ways("the dual", &one, &[one.root], |runner| {
            run(runner, &[&layers[1]], 0)
        })?;
        let three = dual(3)?;
        let all = [0, 1, 2].map(|n| &layers[n] as Layer);
        let second = self.all_ways(
            "the dual along three directions",
            &three,
            &[three.root],
            |r| run(r, &all, 1),
        )?;
        same(&second, &tangents).map_err(|e| format!("the second of three directions: {e}"))?;
        let cells = heap
            .places()
            .into_iter()
            .filter_map(|(place, _)| match place {
                Place::Cell(n, k) => Some(weight(n, k)),
                Place::Arg(_) => None,
            });
        let cotangents: Vec<f64> = self.seeds().into_iter().chain(cells).collect();
        equal(
            "forward and reverse",
            dot(&tangents, &cotangents),
            dot(gradient, &directions[1]),
        )
    }

    /// The dual of the gradient gives the gradient, and products with a symmetric matrix: along one direction and two.
    fn second(&self, heap: &Heap, gradient: &[f64]) -> Result<(), String> {
        let tangents = self.tangent_types().into_iter().map(|ty| ty.is_some());
        let shadows = self.shadow_types().into_iter().flatten().map(|_| true);
        let seeds = self.seeds().into_iter().map(|_| false);
        let mask: Vec<bool> = tangents.chain(shadows).chain(seeds).collect();
        let dual = |directions: usize| {
            let kind = ContextKind::Default;
            let dual = forward(&self.combined, &self.registry, kind, &mask, directions);
            dual.map_err(|e| format!("the dual of the gradient: {e}"))
        };
        let places = self.places(heap);
        let is_arg = |(place, _): &&(Place, f64)| matches!(place, Place::Arg(_));
        let args_in_it = places.iter().filter(is_arg).count();
        let zeros = |_: Place| 0.0;
        // The gradient, and its product with each direction.
        let run = |runner: &Runner, directions: &[Layer]| {
            let mut layers: Vec<Layer> = vec![&weights];
            for direction in directions {
                layers.extend([*direction, &zeros as Layer]);
            }
            self.run_on(runner, heap, &layers, |run| {
                let mut args = self.seeded(run, heap);
                for n in 0..directions.len() {
                    let at = 2 + 2 * n;
                    args.extend(run.give(heap, &self.tangent_types(), at, layers[at - 1]));
                    args.extend(run.give(heap, &self.shadow_types(), at + 1, &zeros));
                }
                let results = run.machine.call(0, &args)?;
                let (value, rest) = results.split_at(self.result_words());
                let floats: Vec<f64> = rest.iter().map(|word| f64::from_bits(*word)).collect();
                let mut all = floats[..args_in_it].to_vec();
                all.extend(run.floats(&self.places(heap), 1));
                // The tangents of the value's floats come before those of the cotangents.
                let (skipped, each) = (args_in_it, self.smooth(value).len() + args_in_it);
                for n in 0..directions.len() {
                    let end = skipped + (n + 1) * each;
                    all.extend(&floats[end - args_in_it..end]);
                    all.extend(run.floats(&places, 3 + 2 * n));
                }
                Ok(all)
            })
        };
        let [v, w] = [6, 7].map(|seed| noise(gradient.len(), seed));
        let layers = [&v, &w].map(|d| self.direction(heap, d));
        let one = dual(1)?;
        let products = self.all_ways("the dual of the gradient", &one, &[one.root], |runner| {
            let [of_v, of_w] = [0, 1].map(|n| run(runner, &[&layers[n] as Layer]));
            Ok([of_v?, of_w?].concat())
        })?;
        let count = gradient.len();
        let [found, of_v, _, of_w] = [0, 1, 2, 3].map(|n| &products[n * count..][..count]);
        alike("the dual of the gradient", found, gradient)?;
        equal("the Hessian is not symmetric", dot(of_v, &w), dot(of_w, &v))?;
        let two = dual(2)?;
        let both = self.all_ways(
            "the dual of the gradient along two directions",
            &two,
            &[two.root],
            |r| run(r, &[&layers[0], &layers[1]]),
        )?;
        let expected = [of_v, of_w].concat();
        same(&both[gradient.len()..], &expected)
            .map_err(|e| format!("the dual of the gradient along two directions: {e}"))
    }
}

/// Steps that no program needs.
const FUEL: u64 = 2_000_000;

/// Some numbers without pattern, in ±1.
pub fn noise(n: usize, seed: usize) -> Vec<f64> {
    let at = |i: usize| ((i * 7919 + seed * 104_729 + 17) as f64 * 0.618_033_988_75).fract();
    (0..n).map(|i| 2.0 * at(i) - 1.0).collect()
}

/// All NaNs are one.
fn canonical(word: u64) -> u64 {
    if f64::from_bits(word).is_nan() {
        u64::MAX
    } else {
        word
    }
}

/// The same bits.
fn same(found: &[f64], expected: &[f64]) -> Result<(), String> {
    let bits = |x: &[f64]| {
        x.iter()
            .map(|x| canonical(x.to_bits()))
            .collect::<Vec<u64>>()
    };
    match bits(found) == bits(expected) {
        true => Ok(()),
        false => Err(format!("found {found:?}, expected {expected:?}")),
    }
}

/// Sums in another order.
fn alike(name: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
    let finite = expected.iter().filter(|x| x.is_finite());
    let size = finite.fold(1.0f64, |a, x| a.max(x.abs()));
    let alike =
        |(a, b): (&f64, &f64)| near(*a, *b, 1e-9 * size) || !a.is_finite() && !b.is_finite();
    match found.len() == expected.len() && found.iter().zip(expected).all(alike) {
        true => Ok(()),
        false => Err(format!("{name}: {found:?}, expected {expected:?}")),
    }
}

fn dot(a: &[f64], b: &[f64]) -> (f64, f64) {
    let terms = a.iter().zip(b).map(|(a, b)| a * b);
    terms.fold((0.0, 0.0), |(sum, size), t| (sum + t, size + t.abs()))
}

/// Two sums of which at least one is not finite, or that are equal but for rounding.
fn equal(name: &str, a: (f64, f64), b: (f64, f64)) -> Result<(), String> {
    let size = a.1.max(b.1).max(1.0);
    match (a.0 - b.0).abs() <= 1e-9 * size || !a.0.is_finite() || !b.0.is_finite() {
        true => Ok(()),
        false => Err(format!("{name}: {:e} and {:e}", a.0, b.0)),
    }
}

/// Checks a program with everything active.
pub fn check_heap(text: &str, heap: &Heap) -> Subject {
    let subject = Subject::new(text, &vec![true; heap.args.len()]);
    subject.check(heap).unwrap_or_else(|e| panic!("{e}"));
    subject
}

//! The one check for all programs.

use crate::ad::{Mode, Request, reverse};
use crate::context::Context;
use crate::diag::Result;
use crate::interp::{Datum, Interpreter, Packs};
use crate::ir::parse::parse_module;
use crate::ir::verify::verify;
use crate::ir::{Const, Function, Module, Op, Prim, Symbol, Type};
use crate::normalise::{LARGE, normalise};
use crate::registry::{ContextKind, Registry};
use crate::tangent;

/// An argument of a test program.
#[derive(Clone, Debug)]
pub enum Arg {
    Float(f64),
    Int(i64),
    Floats(Vec<f64>),
    Ints(Vec<i64>),
}

impl Arg {
    fn datum(&self) -> Datum {
        match self {
            Arg::Float(x) => Datum::float(*x),
            Arg::Int(i) => Datum::Scalar(Const::Int(*i)),
            Arg::Floats(x) => Datum::floats(x),
            Arg::Ints(x) => Datum::slice(x.iter().map(|&i| Const::Int(i)).collect()),
        }
    }
    fn floats(&self) -> Vec<f64> {
        match self {
            Arg::Float(x) => vec![*x],
            Arg::Floats(x) => x.clone(),
            _ => Vec::new(),
        }
    }
    fn set(&mut self, i: usize, to: f64) {
        match self {
            Arg::Float(x) => *x = to,
            Arg::Floats(x) => x[i] = to,
            _ => {}
        }
    }
}

pub fn floats(x: &[f64]) -> Arg {
    Arg::Floats(x.to_vec())
}
pub fn float(x: f64) -> Arg {
    Arg::Float(x)
}

/// Some floats without pattern, in ±1.
pub fn noise(n: usize, seed: usize) -> Vec<f64> {
    let at = |i: usize| ((i * 7919 + seed * 104_729 + 17) as f64 * 0.618_033_988_75).fract();
    (0..n).map(|i| 2.0 * at(i) - 1.0).collect()
}

/// What the derived module looks like.
pub struct Derived {
    pub combined: Module,
    pub split: Module,
}

impl Derived {
    /// How many instructions of the gradient are this primitive.
    pub fn count(&self, prim: Prim) -> usize {
        count(self.combined.root(), |op| op == Op::Prim(prim))
    }
    /// How many instructions of the gradient are calls of this name.
    pub fn calls(&self, name: &str) -> usize {
        count(self.combined.root(), |op| op == Op::Call(Symbol::new(name)))
    }
    /// The number of loops of the gradient.
    pub fn loops(&self) -> usize {
        let f = self.combined.root();
        let flow = crate::ir::flow::Flow::new(f);
        crate::ir::flow::Loops::new(f, &flow).all().count()
    }
}

fn count(f: &Function, is: impl Fn(Op) -> bool) -> usize {
    let insts = f.blocks_in_order().flat_map(|(_, data)| &data.insts);
    insts.filter(|&&i| is(f.insts[i].op)).count()
}

pub fn registry() -> std::sync::Arc<Registry> {
    Context::default().registry().clone()
}

/// The normal form of a text.
pub fn normal(text: &str, registry: &Registry) -> Module {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&module, &|name, types| registry.call_type(name, types)).unwrap();
    normalise(module, registry, ContextKind::Default, LARGE, &|_| {}).unwrap()
}

/// Derives, and verifies what comes out.
pub fn derive(module: &Module, registry: &Registry, active: &[bool], mode: Mode) -> Result<Module> {
    let request = Request {
        active: active.to_vec(),
        mode,
    };
    let derived = reverse(module, registry, ContextKind::Default, &request)?;
    if let Err(error) = verify(&derived, &|name, types| registry.call_type(name, types)) {
        panic!("{error}\n{module}\n{derived}");
    }
    Ok(derived)
}

/// Checks a program with all its floats active.
pub fn check(text: &str, args: &[Arg]) -> Derived {
    check_active(text, args, &vec![true; args.len()])
}

/// Checks a program: gradients in both modes against central differences of
/// `Σ seed · result + Σ shadow · final memory`, memory restored, tape empty.
pub fn check_active(text: &str, args: &[Arg], active: &[bool]) -> Derived {
    let registry = registry();
    check_normal(normal(text, &registry), &registry, args, active, "")
}

/// Checks a program that is not in normal form yet.
pub fn check_module(module: &Module, args: &[Arg], active: &[bool], name: &str) -> Derived {
    let registry = registry();
    verify(module, &|name, types| registry.call_type(name, types)).unwrap();
    let module = normalise(
        module.clone(),
        &registry,
        ContextKind::Default,
        LARGE,
        &|_| {},
    )
    .unwrap();
    check_normal(module, &registry, args, active, name)
}

/// Checks a program in normal form.
pub fn check_normal(
    module: Module,
    registry: &Registry,
    args: &[Arg],
    active: &[bool],
    name: &str,
) -> Derived {
    let program = Program {
        module,
        registry,
        active,
        name,
    };
    let derived = Derived {
        combined: derive(&program.module, registry, active, Mode::Combined).unwrap(),
        split: derive(&program.module, registry, active, Mode::Split).unwrap(),
    };
    let expected = program.differences(args);
    let combined = program.combined(&derived.combined, args);
    program.compare(&expected, &combined, &derived.combined);
    let split = program.split(&derived.split, args);
    program.compare(&expected, &split, &derived.split);
    derived
}

struct Program<'a> {
    module: Module,
    registry: &'a Registry,
    active: &'a [bool],
    name: &'a str,
}

/// The weight of the n-th output of the k-th kind.
fn weight(k: usize, n: usize) -> f64 {
    0.5 + ((k * 31 + n * 17 + 5) as f64 * 0.618_033_988_75).fract()
}

impl Program<'_> {
    fn types(&self) -> Vec<Type> {
        self.module.root().param_types()
    }
    fn seeds(&self) -> Vec<f64> {
        let count = tangent::seeds(self.module.root().ret).len();
        (0..count).map(|n| weight(99, n)).collect()
    }
    fn is_active(&self, k: usize) -> bool {
        self.active[k] && tangent::home(self.types()[k]) != tangent::Home::Nowhere
    }
    /// The primal's result and final memory.
    fn primal(&self, args: &[Arg]) -> (Datum, Vec<Datum>) {
        let outside = Packs(self.registry);
        let data: Vec<Datum> = args.iter().map(Arg::datum).collect();
        let mut interpreter = Interpreter::new(&self.module, &outside);
        let y = interpreter.call(self.module.root, &data).unwrap();
        (y, data)
    }
    fn objective(&self, args: &[Arg]) -> f64 {
        let (y, data) = self.primal(args);
        let mut sum = 0.0;
        let results: Vec<f64> = leaves(&y).iter().filter_map(Datum::as_float).collect();
        for (seed, y) in self.seeds().iter().zip(results) {
            sum += seed * y;
        }
        for (k, datum) in data.iter().enumerate() {
            if let (true, Type::SliceMut(_)) = (self.is_active(k), self.types()[k]) {
                for (n, x) in elements(datum).iter().enumerate() {
                    sum += weight(k, n) * x;
                }
            }
        }
        sum
    }
    /// For each active argument, its derivative by central differences.
    fn differences(&self, args: &[Arg]) -> Vec<Vec<f64>> {
        let mut all = Vec::new();
        for k in 0..args.len() {
            let x = if self.is_active(k) {
                args[k].floats()
            } else {
                Vec::new()
            };
            let f32s = self.types()[k].element().unwrap_or(self.types()[k]) == Type::F32;
            let mut row = Vec::new();
            for (i, x) in x.into_iter().enumerate() {
                let h = if f32s { 1.0 / 256.0 } else { 2e-5 } * x.abs().max(1.0);
                let at = |to: f64| {
                    let mut moved = args.to_vec();
                    moved[k].set(i, to);
                    self.objective(&moved)
                };
                // Fourth order: the error of second order would show in steep programs.
                let slope = |h: f64| (at(x + h) - at(x - h)) / (2.0 * h);
                let (near, far) = (slope(h), slope(2.0 * h));
                let smooth = (near - far).abs() <= 1e-3 * near.abs().max(1.0);
                row.push(if smooth {
                    (4.0 * near - far) / 3.0
                } else {
                    f64::NAN
                });
            }
            all.push(row);
        }
        all
    }
    /// Shadows as they are passed: read-only memory's hold something already.
    fn shadows(&self, args: &[Arg]) -> Vec<Vec<f64>> {
        let mut shadows = Vec::new();
        for (k, ty) in self.types().into_iter().enumerate() {
            if self.is_active(k) && tangent::home(ty) == tangent::Home::Fdata {
                shadows.push((0..args[k].floats().len()).map(|n| weight(k, n)).collect());
            }
        }
        shadows
    }
    fn combined(&self, derived: &Module, args: &[Arg]) -> Vec<Vec<f64>> {
        let (y, _) = self.primal(args);
        let data: Vec<Datum> = args.iter().map(Arg::datum).collect();
        let shadows: Vec<Datum> = self
            .shadows(args)
            .iter()
            .map(|s| Datum::floats(s))
            .collect();
        let outside = Packs(self.registry);
        let mut interpreter = Interpreter::new(derived, &outside);
        let all = [data.clone(), shadows.clone(), self.seed_data()].concat();
        let result = interpreter
            .call(derived.root, &all)
            .unwrap_or_else(|e| panic!("{e}\n{}\n{derived}", self.module));
        assert_eq!(interpreter.tape_bytes(), 0, "left on the tape\n{derived}");
        let Datum::Tuple(fields) = result else {
            panic!("{result:?} is not a tuple");
        };
        assert_eq!(
            format!("{:?}", fields[0]),
            format!("{y:?}"),
            "value\n{derived}"
        );
        self.restored(args, &data, derived);
        self.gather(args, &shadows, &fields[1..])
    }
    fn split(&self, derived: &Module, args: &[Arg]) -> Vec<Vec<f64>> {
        let (y, after) = self.primal(args);
        let data: Vec<Datum> = args.iter().map(Arg::datum).collect();
        let shadows: Vec<Datum> = self
            .shadows(args)
            .iter()
            .map(|s| Datum::floats(s))
            .collect();
        let outside = Packs(self.registry);
        let mut interpreter = Interpreter::new(derived, &outside);
        let found = interpreter
            .call(derived.root, &data)
            .unwrap_or_else(|e| panic!("{e}\n{}\n{derived}", self.module));
        assert_eq!(format!("{found:?}"), format!("{y:?}"), "value\n{derived}");
        assert_eq!(
            format!("{data:?}"),
            format!("{after:?}"),
            "memory\n{derived}"
        );
        let pullback = derived.root.as_str().replace(".forward", ".pullback");
        let all = [data.clone(), shadows.clone(), self.seed_data()].concat();
        let result = interpreter
            .call(Symbol::new(&pullback), &all)
            .unwrap_or_else(|e| panic!("{e}\n{}\n{derived}", self.module));
        assert_eq!(interpreter.tape_bytes(), 0, "left on the tape\n{derived}");
        self.restored(args, &data, derived);
        let fields = match result {
            Datum::Tuple(fields) => fields,
            _ => Vec::new(),
        };
        self.gather(args, &shadows, &fields)
    }
    fn seed_data(&self) -> Vec<Datum> {
        self.seeds().into_iter().map(Datum::float).collect()
    }
    fn restored(&self, args: &[Arg], data: &[Datum], derived: &Module) {
        let before: Vec<Datum> = args.iter().map(Arg::datum).collect();
        assert_eq!(
            format!("{data:?}"),
            format!("{before:?}"),
            "memory is not restored\n{}\n{derived}",
            self.module
        );
    }
    /// The gradient by argument, without what the shadows of read-only memory held before.
    fn gather(&self, args: &[Arg], shadows: &[Datum], fields: &[Datum]) -> Vec<Vec<f64>> {
        let (mut shadows, mut fields) = (shadows.iter(), fields.iter());
        let mut all = Vec::new();
        for (k, ty) in self.types().into_iter().enumerate() {
            let row = match (self.is_active(k), tangent::home(ty)) {
                (true, tangent::Home::Fdata) => {
                    let held = |n: usize| match ty {
                        Type::Slice(_) => weight(k, n),
                        _ => 0.0,
                    };
                    let now = elements(shadows.next().unwrap());
                    now.iter().enumerate().map(|(n, x)| x - held(n)).collect()
                }
                (true, _) => vec![fields.next().unwrap().as_float().unwrap()],
                _ => Vec::new(),
            };
            all.push(row);
        }
        assert_eq!(all.len(), args.len());
        all
    }
    fn compare(&self, expected: &[Vec<f64>], found: &[Vec<f64>], derived: &Module) {
        let single = self
            .types()
            .iter()
            .any(|t| t.element().unwrap_or(*t) == Type::F32);
        let tolerance = if single { 3e-2 } else { 2e-6 };
        let (mut compared, mut steep) = (0, 0);
        for (k, (e, f)) in expected.iter().zip(found).enumerate() {
            assert_eq!(e.len(), f.len());
            for (i, (e, f)) in e.iter().zip(f).enumerate() {
                // At a kink, and where a program is steep, differences say nothing.
                if e.is_nan() || e.abs() > 1e6 {
                    steep += 1;
                    continue;
                }
                compared += 1;
                let close = (e - f).abs() <= tolerance * e.abs().max(f.abs()).max(1.0);
                assert!(
                    close,
                    "{}: argument {k}, element {i}: differences give {e}, found {f}\n{}\n{derived}",
                    self.name, self.module
                );
            }
        }
        assert!(compared >= steep, "{}: nothing was compared", self.name);
    }
}

fn leaves(datum: &Datum) -> Vec<Datum> {
    match datum {
        Datum::Tuple(fields) => fields.iter().flat_map(leaves).collect(),
        other => vec![other.clone()],
    }
}

fn elements(datum: &Datum) -> Vec<f64> {
    match datum {
        Datum::Slice(slice) => slice
            .elements()
            .iter()
            .map(|c| match c {
                Const::Float(x) => *x,
                _ => 0.0,
            })
            .collect(),
        _ => Vec::new(),
    }
}

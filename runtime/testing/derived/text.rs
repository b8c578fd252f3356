//! How programs that are written as text are checked: their arguments, and what their derivatives look like.

use super::{Cell, Given, Heap, Subject};
use crate::ad::{Mode, Request, reverse};
use crate::context::Context;
use crate::diag::Result;
use crate::ir::flow::{Flow, Loops};
use crate::ir::parse::parse_module;
use crate::ir::verify::verify;
use crate::ir::{Callee, Module, Op, Prim};
use crate::normalise::{LARGE, normalise};
use crate::registry::{ContextKind, Registry};

pub use super::noise;

/// An argument of a test program.
#[derive(Clone, Debug)]
pub enum Arg {
    Float(f64),
    Int(i64),
    Floats(Vec<f64>),
    Ints(Vec<i64>),
}

pub fn floats(x: &[f64]) -> Arg {
    Arg::Floats(x.to_vec())
}
pub fn float(x: f64) -> Arg {
    Arg::Float(x)
}

/// Arguments and the memory of slices among them.
fn heap(args: &[Arg]) -> Heap {
    let mut heap = Heap::default();
    for arg in args {
        let (given, cells): (_, Vec<Cell>) = match arg {
            Arg::Float(x) => (Given::X(*x), vec![]),
            Arg::Int(i) => (Given::N(*i as u64), vec![]),
            Arg::Floats(x) => (
                Given::Slice(heap.objects.len()),
                x.iter().copied().map(Cell::X).collect(),
            ),
            Arg::Ints(x) => (
                Given::Slice(heap.objects.len()),
                x.iter().map(|&i| Cell::N(i as u64)).collect(),
            ),
        };
        if let Given::Slice(_) = given {
            heap.objects.push(cells);
        }
        heap.args.push(given);
    }
    heap
}

impl Subject {
    /// How many instructions of the gradient are this primitive.
    pub fn count(&self, prim: Prim) -> usize {
        self.count_of(Op::Prim(prim))
    }
    /// How many instructions of the gradient are calls of this name.
    pub fn calls(&self, name: &str) -> usize {
        self.count_of(Op::Call(Callee::read(name)))
    }
    fn count_of(&self, op: Op) -> usize {
        let f = self.combined.root();
        let insts = f.blocks_in_order().flat_map(|(_, data)| &data.insts);
        insts.filter(|&&i| f.insts[i].op == op).count()
    }
    /// The number of loops of the gradient.
    pub fn loops(&self) -> usize {
        let f = self.combined.root();
        Loops::new(f, &Flow::new(f)).all().count()
    }
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
    let active = active.to_vec();
    let derived = reverse(
        module,
        registry,
        ContextKind::Default,
        &Request { active, mode },
    )?;
    if let Err(error) = verify(&derived, &|name, types| registry.call_type(name, types)) {
        panic!("{error}\n{module}\n{derived}");
    }
    Ok(derived)
}

/// Checks a program with all its floats active.
pub fn check(text: &str, args: &[Arg]) -> Subject {
    check_active(text, args, &vec![true; args.len()])
}

/// Checks a program.
pub fn check_active(text: &str, args: &[Arg], active: &[bool]) -> Subject {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check_module(module, args, active, "")
}

/// Checks a module, which a failure names.
pub fn check_module(module: Module, args: &[Arg], active: &[bool], name: &str) -> Subject {
    checked(Subject::of(module, active), args, name)
}

/// Checks reverse mode of a module in normal form that has derivatives in it.
pub fn check_derivatives(normal: Module, args: &[Arg], active: &[bool], name: &str) -> Subject {
    checked(Subject::of_derivatives(normal, active), args, name)
}

fn checked(subject: Subject, args: &[Arg], name: &str) -> Subject {
    let checked = subject.check(&heap(args));
    checked.unwrap_or_else(|e| panic!("{name}: {e}"));
    subject
}

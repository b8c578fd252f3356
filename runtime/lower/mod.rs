//! Lowering: from the typed tree to typed IR.
//!
//! Names become values, control flow becomes blocks, every check that Rust makes becomes a guard. Values are tuples of
//! leaves, as `front::repr` says; variables whose address is taken are objects, all others are in SSA form. Code that
//! cannot be reached is not lowered at all.
//!
//! **Slices.** In the language `&[T]` is one type, in the IR there are two: memory that never changes (`[T]`), and memory
//! that may change before or after (`[mut T]`), which derivatives have to save. Which one a value is follows from where it
//! comes from: a parameter `&[T]` of the root is the first; what views a vector, a list or a `&mut [T]` is the second, and
//! so is whatever is read from an object. A function is lowered once for each list of types that it is called with, as
//! infer's instances are by type parameters, and a variable that is given both kinds is of the second ([`thaw`]).

mod body;
mod control;
mod copy;
mod derivative;
mod dispatch;
mod expr;
mod iter;
mod number;
mod pattern;
mod place;
mod sequence;

use crate::diag::{Error, Result, Span};
use crate::front::repr::repr;
use crate::front::ty::Ty;
use crate::front::typed::{LocalId, Program};
use crate::ir::verify::roles_fit;
use crate::ir::{Function, Module, Op, Role, Signature, Symbol, Type};
use crate::registry::Registry;
use crate::stdlib;
use crate::tangent::leaves;
use body::Body;
use copy::Copying;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Lowers a program to a module.
pub fn lower(program: &Program, registry: &Registry) -> Result<Module> {
    let mut lowering = Lowering {
        program,
        registry,
        names: FxHashMap::default(),
        taken: BTreeSet::new(),
        queue: Vec::new(),
        derivatives: BTreeMap::new(),
    };
    let root = lowering.function(program.root)?;
    let params = root.params.iter().map(|&p| repr(root.locals[p].ty));
    let root = lowering.name(Job::Instance(program.root, params.collect(), false));
    let mut functions = BTreeMap::new();
    while let Some((name, job)) = lowering.queue.pop() {
        functions.insert(name, lowering.build(name, &job)?);
    }
    Ok(Module {
        root,
        functions,
        declared: lowering.derivatives,
    })
}

/// A function that the module needs.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Job {
    /// A function of the program for arguments of these types, and whether it is called where nothing has a derivative.
    Instance(Symbol, Vec<Type>, bool),
    /// An instance that only a dispatch function calls.
    Choice(Symbol, Vec<Type>, bool),
    /// A dispatch function, and whether it is called where nothing has a derivative.
    Dispatch(Symbol, bool),
    /// `(value) -> value`: a function that copies.
    Copy(Copying, Ty),
    /// `(buffer) -> buffer`: a function that enlarges the full buffer of a vector.
    Grow(Ty),
    /// A function that removes the derivative of a number, for maps over arrays.
    StopNumber(Type),
}

/// Why lowering an expression returned no value.
enum Stop {
    /// The expression diverges: the current block has its terminator.
    Diverged,
    /// A variable turned out to need special treatment. The function is lowered again with this knowledge.
    Again(LocalId),
    /// An error, of the user or of ours.
    Failed(Box<Error>),
}

/// A value, or why there is none.
type Lowered<T = crate::ir::Value> = std::result::Result<T, Stop>;

/// The error for a typed tree that elaboration must not produce.
fn malformed<T>(message: impl std::fmt::Display) -> Lowered<T> {
    let message = format!("the typed tree is not well formed: {message}");
    Err(Stop::Failed(Box::new(Error::Internal(message))))
}

/// What lowering a function needs, and the functions that it asks for.
struct Lowering<'p> {
    program: &'p Program,
    registry: &'p Registry,
    names: FxHashMap<Job, Symbol>,
    taken: BTreeSet<Symbol>,
    /// The functions that have a name and are not lowered yet.
    queue: Vec<(Symbol, Job)>,
    /// The derivatives that the program asks for.
    derivatives: BTreeMap<Symbol, Signature>,
}

impl<'p> Lowering<'p> {
    fn function(&self, name: Symbol) -> Result<&'p crate::front::typed::Function> {
        let found = self.program.functions.get(&name);
        found.ok_or_else(|| Error::Internal(format!("the program has no function {name:?}")))
    }
    /// The name of a function of the module. If it is new, it will be lowered.
    fn name(&mut self, job: Job) -> Symbol {
        if let Some(&name) = self.names.get(&job) {
            return name;
        }
        let base = match &job {
            Job::Instance(name, ..) | Job::Choice(name, ..) | Job::Dispatch(name, _) => {
                name.to_string()
            }
            Job::Copy(how, ty) => format!("{}.{ty}", how.name()),
            Job::Grow(ty) => format!("grow.{ty}"),
            Job::StopNumber(ty) => format!("stop.{ty}"),
        };
        let others = (2..).map(|n| Symbol::new(&format!("{base}#{n}")));
        let mut names = [Symbol::new(&base)].into_iter().chain(others);
        let name = names.find(|&name| self.taken.insert(name));
        let name = name.expect("one of infinitely many names is free");
        self.names.insert(job.clone(), name);
        self.queue.push((name, job));
        name
    }
    fn build(&mut self, name: Symbol, job: &Job) -> Result<Function> {
        match job {
            Job::Instance(function, params, constant) => {
                self.instance(name, *function, params, *constant)
            }
            Job::Choice(function, params, constant) => {
                let mut instance = self.instance(name, *function, params, *constant)?;
                instance.on_demand = true;
                Ok(instance)
            }
            Job::Dispatch(dispatch, constant) => self.dispatch(name, *dispatch, *constant),
            Job::Copy(how, ty) => self.copy(name, *how, *ty),
            Job::Grow(element) => self.grow(name, *element),
            Job::StopNumber(ty) => self.stop_number(name, *ty),
        }
    }
    fn instance(
        &mut self,
        name: Symbol,
        function: Symbol,
        params: &[Type],
        constant: bool,
    ) -> Result<Function> {
        let source = self.function(function)?;
        let method = stdlib::arrays::method(function.as_str());
        let mut careful = FxHashSet::default();
        loop {
            let function = Function::new(name, params, result_type(source.ret, params));
            let mut body = Body::new(self, function);
            body.constant = constant || source.is_constant;
            body.returns_constant = source.is_constant;
            body.careful = careful.clone();
            match body.function(source) {
                Ok(mut function) => {
                    let roles = source.parallel.map(<[Role]>::to_vec);
                    function.path = source.path;
                    function.parallel = roles.filter(|roles| roles_fit(&function, roles));
                    if source.is_library {
                        forget_places(&mut function, method);
                    }
                    return Ok(function);
                }
                Err(Stop::Again(local)) if careful.insert(local) => {}
                Err(stop) => return Err(error(stop)),
            }
        }
    }
}

/// The error that `lower` returns for a stop.
fn error(stop: Stop) -> Error {
    match stop {
        Stop::Failed(error) => *error,
        Stop::Diverged | Stop::Again(_) => {
            Error::Internal("lowering ended before its function".to_owned())
        }
    }
}

/// The type of the result of a function for arguments of these types. Immutable slices can only come from immutable slices.
fn result_type(ret: Ty, params: &[Type]) -> Type {
    let changes = |ty: &Type| matches!(ty, Type::SliceMut(_) | Type::Ptr);
    match params
        .iter()
        .flat_map(|&ty| leaves(ty))
        .any(|ty| changes(&ty))
    {
        true => thaw(repr(ret)),
        false => repr(ret),
    }
}

/// The type with all slices mutable, which accepts both kinds.
fn thaw(ty: Type) -> Type {
    match ty {
        Type::Slice(&element) => Type::slice_mut(element),
        Type::Tuple(fields) => {
            let fields: Vec<Type> = fields.iter().map(|&field| thaw(field)).collect();
            Type::tuple(&fields)
        }
        other => other,
    }
}

/// The functions of the library have no place that a user would know. When they are inlined, they take the place of the call. A method of arrays that
/// users call leaves its name.
fn forget_places(function: &mut Function, method: &'static str) {
    for inst in function.insts.keys() {
        let span = &mut function.insts[inst].span;
        *span = Span::NONE.in_method(span.method).in_method(method);
    }
    for block in function.blocks.keys() {
        if let crate::ir::Terminator::Error(_, _, span) = &mut function.blocks[block].terminator {
            *span = Span::NONE;
        }
    }
}

/// Removes unused constants, which are mostly values of statements.
fn drop_unused_constants(function: &mut Function) {
    let mut used = FxHashSet::default();
    for (_, data) in function.blocks_in_order() {
        for &inst in &data.insts {
            used.extend(function.insts[inst].args.iter().copied());
        }
        data.terminator.for_each_value(|value| {
            used.insert(value);
        });
    }
    for block in function.layout.clone() {
        let (rows, blocks) = (&function.insts, &mut function.blocks);
        blocks[block].insts.retain(|&inst| {
            let data = &rows[inst];
            !matches!(data.op, Op::Const(_)) || used.contains(&data.result)
        });
    }
}

//! Inference: the type of every expression, and the function that every name means.
//!
//! `check` walks the surface tree of each instance of a function in the order of its statements. Unknown types are variables of a union-find
//! (`unify`). What cannot be decided yet, such as a method of a value of unknown type, waits until more types are known. The results are the
//! [`Facts`] of the instance, from which `elaborate` writes the typed tree.
//!
//! All functions share one set of unknowns. A function whose result type cannot be written (`impl Fn`), or a closure that is passed on, is
//! checked where it is called, with the types that are known there.
//!
//! rustc has accepted the same source, so types that do not fit are rare. A common error is a function that no pack defines.
//!
//! | file | task |
//! | --- | --- |
//! | `check` | expressions and statements |
//! | `calls` | arguments and results of calls |
//! | `overloads` | which function a method name means, by rustc's order (`resolve::candidates`) |
//! | `operators` | operators, conversions, and sums into types of the program |
//! | `ref_kinds` | whether an expression is a reference |
//! | `patterns`, `coerce`, `iterators` | patterns, coercions, iterables of `for` loops |
//! | `dynamic` | `dyn` values: their types and tags |
//! | `derivatives` | derivatives that the program asks for |
//! | `unify` | unknown types |
//!
//! A const parameter is a type argument that is a number, `Ty::Const`. In the static source, numbers that no program uses stand for const
//! parameters (`front::types::hole`). An associated constant is a function without parameters; rustc evaluates it if it depends on nothing.

pub mod calls;
pub mod check;
pub mod coerce;
pub mod derivatives;
pub mod dynamic;
pub mod iterators;
pub mod operators;
pub mod overloads;
pub mod patterns;
pub mod ref_kinds;
pub mod unify;

use crate::diag::{Diagnostic, Error, Result, Span};
use crate::front::tree::{At, Body, Expr, ForwardingImpl, Method, Role, Source, implementors};
use crate::front::ty::{Dyn, RefKind, Ty};
use crate::ir::{Const, Symbol};
use crate::registry::{Registry, left_out};
use crate::resolve::builtins::ChosenMethod;
use crate::resolve::inherent;
use crate::stdlib;
use check::{Frame, Pending};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Mutex;
use unify::Unifier;

/// What is said where a program computes with the elements of an `Array<f16>`, and what to do.
pub const ONLY_STORED: (&str, &str) = (
    "elements of an `Array<f16>` are only stored: nothing is computed with them",
    "convert the array with `to_f32()` first, which reads it as it is in memory",
);

/// Why differentiable functions do not have this method of `Array`, and what to do; `None` if they have it. (`to_device` and `full_on` take a device,
/// and nothing gives one.)
pub fn not_inside(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "error" => (
            "inside differentiable functions an operation on arrays that fails ends the call with its error",
            "compute without the test: the call of the rule returns the error, with its place",
        ),
        "device" => (
            "differentiable functions run on one device, that of the context, and have no devices as values",
            "make arrays there with `Array::full`, `Array::zeros` or `Array::from_vec`, and move arguments with `to_device` before the call",
        ),
        _ => return None,
    })
}

/// Infers the types of a function for its type arguments, and of all functions that it calls. Then gives the session, and the position of the
/// function's instance, to `next`, on the same thread. With `overlays`, a function that has an overlay is what the overlay says: derivatives
/// see overlays, primals never do.
///
/// # Errors
/// [`Error::User`] with the place: a function that nothing defines, a method that the type does not have here, types that do not fit.
/// [`Error::Internal`] for what rustc would not have accepted: that is our bug.
pub fn infer<T: Send>(
    root: &'static Source,
    arguments: &[Ty],
    registry: &Registry,
    overlays: bool,
    next: impl FnOnce(&mut Session, usize) -> Result<T> + Send,
) -> Result<T> {
    let work = || {
        let mut session = Session::new(registry, overlays);
        let root = session.root(root, arguments)?;
        session.check_all()?;
        next(&mut session, root)
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(error) => Err(internal(format!("no thread to infer on: {error}"))),
        }
    })
}

/// The bytes of the stack on which inference runs: checks of functions whose results have no written type nest (an
/// iterator chain does so for each part), and users' threads are small.
const STACK: usize = 256 << 20;

/// The advice where inference fails on types that rustc has accepted.
pub const OTHERWISE: &str = "write the types of the values that meet here, or write it in another way; rustc accepts it, so please report it";

/// Everything that is known while a program is inferred.
pub struct Session<'r> {
    pub registry: &'r Registry,
    pub overlays: bool,
    pub types: Unifier,
    pub instances: Vec<Instance>,
    /// Finds the instance of a function by its type arguments and the types of its parameters.
    pub keys: FxHashMap<Key, usize>,
    pub closures: Vec<Lambda>,
    /// Methods, operators and fields that cannot be decided before more types are known.
    pub pending: Vec<Pending>,
    /// The function, closure and scopes that are being checked.
    pub frame: Frame,
    /// How deep checks are nested: a function without a written result type is checked where it is called.
    pub depth: u32,
    /// The methods of the program by name, in the order in which rustc prefers them.
    pub methods: FxHashMap<&'static str, Vec<&'static Method>>,
    /// The `impl`s of traits for pointers and references.
    pub forwarding_impls: Vec<&'static ForwardingImpl>,
    pub dynamic: dynamic::Dynamic,
}

pub type Key = (*const Source, Vec<Ty>, Vec<Ty>);

/// A function with its type arguments and the types of its parameters.
pub struct Instance {
    pub source: &'static Source,
    /// The function whose body is used: `source`, or its overlay.
    pub body: &'static Source,
    pub name: Symbol,
    pub arguments: Vec<Ty>,
    /// The types of its parameters. They are those of the arguments of the call.
    pub params: Vec<Ty>,
    pub ret: Ty,
    /// Where the program calls it, and by which name. Errors inside the library are reported there.
    pub called: (Span, &'static str),
    pub facts: Facts,
    pub state: State,
    /// Whether all functions that it calls have instances.
    pub linked: bool,
}

impl Instance {
    /// Moves an error inside the library to the place where the program calls the library.
    pub fn blamed(&self, mut error: Error) -> Error {
        if let (Error::User(diagnostic), true) = (&mut error, stdlib::contains(self.source)) {
            let (span, name) = self.called;
            diagnostic.span = span;
            diagnostic.message = format!("{}, which `{name}` needs", diagnostic.message);
        }
        error
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    Waiting,
    Running,
    Done,
}

/// What the check of an instance has found. The keys are addresses of nodes of the surface tree, which differ from each other by their ids.
#[derive(Default)]
pub struct Facts {
    /// The type of each expression.
    pub types: FxHashMap<usize, Ty>,
    pub locals: Vec<Local>,
    /// The types of expressions that were checked in advance, before the expression around them.
    pub checked: FxHashMap<usize, Ty>,
    /// The variable to which an expression refers.
    pub uses: FxHashMap<usize, usize>,
    /// The variable that a pattern binds.
    pub binds: FxHashMap<usize, usize>,
    /// The function that an expression calls.
    pub calls: FxHashMap<usize, Call>,
    /// The operands of an operator that a type of the program defines.
    pub operands: FxHashMap<usize, Vec<&'static Expr>>,
    /// For the right side of each `op=`: whether it is a reference.
    pub assigned: FxHashMap<usize, RefKind>,
    /// The types of the program whose `Deref` is used.
    pub derefs: Vec<Deref>,
    /// The `*` expressions that call one of these `Deref`s.
    pub dereferenced: FxHashSet<usize>,
    /// The meaning of each method call.
    pub methods: FxHashMap<usize, ChosenMethod>,
    /// The meaning of each call `Type::name(…)` of a function that a type of std, or `Array`, has by itself.
    pub constructors: FxHashMap<usize, Constructor>,
    /// The closure that an expression makes.
    pub closures: FxHashMap<usize, usize>,
    /// The `for` loops that become counted loops.
    pub counted: FxHashSet<usize>,
    /// The matched expressions that are places of type `[T]`, and no references.
    pub slice_places: FxHashSet<usize>,
}

/// The associated functions that types have by themselves.
#[derive(Clone, Copy)]
pub enum Constructor {
    /// A constant of a number type, such as `f64::zero()`.
    Constant(Const),
    /// The default value, which is also `Vec::new()` and `String::new()`.
    Default,
    /// `Vec::with_capacity(n)`
    Capacity,
    /// A box or a cell with the argument in it.
    Object,
    /// The argument itself: `Rc` is erased, and text has one type.
    Same,
    /// The argument as a number of another type.
    Number,
    /// A float with these bits.
    FromBits,
    /// A variant of an enum, without fields.
    Variant(u32),
    /// `Some(x)` or `Ok(x)`, for the library.
    Output,
    /// The functions of `Array` with these names.
    Arange,
    Eye,
    Zeros,
    Ones,
    Full,
    Scalar,
}

/// The `Deref` of a type of the program. The keys find its calls in [`Facts::calls`].
#[derive(Clone, Copy)]
pub struct Deref {
    pub ty: Ty,
    /// The type of the pointee.
    pub target: Ty,
    pub shared: usize,
    pub by_mut: Option<usize>,
}

/// A variable.
pub struct Local {
    pub name: &'static str,
    pub ty: Ty,
    /// Whether it is a reference.
    pub ref_kind: RefKind,
    /// The same for the elements of a list.
    pub element_kind: RefKind,
    /// Its type as the source writes it, with type parameters in it; `None` if the source does not say.
    pub written: Option<Ty>,
    /// The closure that declares it; `None` if the function itself does.
    pub owner: Option<usize>,
}

/// A call of a function. Its types may contain unknowns until everything is checked.
#[derive(Clone)]
pub struct Call {
    pub source: &'static Source,
    pub arguments: Vec<Ty>,
    pub params: Vec<Ty>,
    pub ret: Ty,
    pub span: Span,
    /// The instance, if the call needed its result type at once.
    pub instance: Option<usize>,
}

/// A closure expression in an instance.
pub struct Lambda {
    pub name: Symbol,
    pub instance: usize,
    pub lambda: &'static crate::front::tree::Lambda,
    pub params: Vec<Ty>,
    pub ret: Ty,
    /// The scopes that are visible in its body.
    pub scopes: Vec<check::Scope>,
    pub state: State,
}

impl<'r> Session<'r> {
    fn new(registry: &'r Registry, overlays: bool) -> Self {
        let mut methods: FxHashMap<&'static str, Vec<&'static Method>> = FxHashMap::default();
        for method in inventory::iter::<Method> {
            methods
                .entry((method.source)().name)
                .or_default()
                .push(method);
        }
        // Inherent methods hide those of traits. A trait's default methods are for types that have no method of their own.
        let is_declared = |method: &Method| matches!((method.owner)(), Ty::Dyn(Dyn::Trait(_)));
        for named in methods.values_mut() {
            named.sort_by_key(|method| (!method.of_trait.is_empty(), is_declared(method)));
        }
        Session {
            registry,
            overlays,
            types: Unifier::default(),
            instances: Vec::new(),
            keys: FxHashMap::default(),
            closures: Vec::new(),
            pending: Vec::new(),
            frame: Frame::default(),
            depth: 0,
            methods,
            forwarding_impls: inventory::iter::<ForwardingImpl>.into_iter().collect(),
            dynamic: dynamic::Dynamic::default(),
        }
    }

    /// The instance of the function that was asked for. Its slices are shared or mutable as they are declared.
    fn root(&mut self, source: &'static Source, arguments: &[Ty]) -> Result<usize> {
        let span = span_of(source, source.at);
        if arguments.iter().any(|&ty| self.types.is_open(ty)) {
            let name = source.name;
            return Err(Diagnostic::new(
                span,
                format!("the type and const arguments of `{name}` are not known"),
            )
            .help(format!(
                "write them where its rule is built: `build_rrule::<{name}<3>>()`"
            ))
            .into());
        }
        let given = |ty: Ty| ty.substitute(arguments);
        let params: Vec<Ty> = source
            .params
            .iter()
            .map(|param| given((param.ty)()))
            .collect();
        let ret = self.types.declare((source.ret)(), arguments);
        if params.iter().any(|&ty| self.types.is_open(ty)) {
            return Err(bug(
                span,
                format!("the types of the parameters of `{}` are open", source.name),
            ));
        }
        for &ty in params.iter().chain([&ret]) {
            self.admit(ty, &mut Vec::new());
        }
        self.instance(&Call {
            source,
            arguments: arguments.to_vec(),
            params,
            ret,
            span,
            instance: None,
        })
    }

    /// Notes which types the `dyn` values inside arguments may have. Their tags come first, in the order that calls know (`front::tree::implementors`).
    fn admit(&mut self, ty: Ty, seen: &mut Vec<Ty>) {
        for ty in ty.parts() {
            match ty {
                Ty::Dyn(Dyn::Trait(of)) => {
                    let all = implementors(of).into_iter().map(|one| (one.ty)());
                    self.dynamic.tags.insert(ty, all.collect());
                }
                Ty::Adt(adt, _) if !seen.contains(&ty) => {
                    seen.push(ty);
                    let variants = 0..adt.variants.len() as u32;
                    for (_, field) in variants.flat_map(|variant| ty.fields(variant)) {
                        self.admit(field, seen);
                    }
                }
                _ => {}
            }
        }
    }

    /// Checks instances until no call leads to a new one.
    fn check_all(&mut self) -> Result<()> {
        loop {
            if let Some(next) =
                (0..self.instances.len()).find(|&id| self.instances[id].state == State::Waiting)
            {
                self.check_instance(next)?;
                self.decide_pending()?;
            } else if let Some(next) =
                (0..self.instances.len()).find(|&id| !self.instances[id].linked)
            {
                self.link(next)?;
            } else if !self.link_dynamic()? {
                return Ok(());
            }
        }
    }

    /// Makes the instances of all functions that an instance calls.
    fn link(&mut self, id: usize) -> Result<()> {
        self.instances[id].linked = true;
        let facts = &self.instances[id].facts;
        let mut calls: Vec<Call> = facts.calls.values().cloned().collect();
        // The numbers in the names of instances follow this order.
        calls.sort_by_key(|call| (call.span, call.source.path));
        let missing = |call: &&Call| !is_pack(call.source) && call.instance.is_none();
        let mut missing = calls.iter().filter(missing);
        missing.try_for_each(|call| self.instance(call).map(|_| ()))
    }

    /// The instance that a call needs; its body is not checked yet.
    fn instance(&mut self, call: &Call) -> Result<usize> {
        let key = self.key(call);
        if let Some(&id) = self.keys.get(&key) {
            return Ok(id);
        }
        if self.instances.len() >= 20_000 {
            return Err(bug(
                call.span,
                "this function calls itself with ever new types",
            ));
        }
        let (_, arguments, params) = key.clone();
        let body = self.body(call.source, &arguments)?;
        let id = self.instances.len();
        let name = self.instance_name(call.source, &arguments, &params);
        self.keys.insert(key, id);
        self.instances.push(Instance {
            source: call.source,
            body,
            name,
            arguments,
            params,
            ret: call.ret,
            called: self.caller(call),
            facts: Facts::default(),
            state: State::Waiting,
            linked: false,
        });
        Ok(id)
    }
    /// The place of a call in the program, and the name of the function. For a call inside the library, it is the place where the program calls the
    /// library.
    fn caller(&self, call: &Call) -> (Span, &'static str) {
        match self.instances.get(self.frame.instance) {
            Some(caller) if stdlib::contains(caller.source) => caller.called,
            _ => (call.span, call.source.name),
        }
    }
    pub fn key(&self, call: &Call) -> Key {
        let all = |types: &[Ty]| types.iter().map(|&ty| self.types.finish(ty)).collect();
        (call.source, all(&call.arguments), all(&call.params))
    }
    /// The function whose body is differentiated: the function itself, or its overlay.
    fn body(&self, source: &'static Source, arguments: &[Ty]) -> Result<&'static Source> {
        match source.role {
            Role::Overlay(callee) if self.overlays => {
                let (other, given) = callee();
                let given: Vec<Ty> = given.iter().map(|ty| ty.substitute(arguments)).collect();
                match given == arguments && other.params.len() == source.params.len() {
                    true => Ok(other),
                    false => Err(Diagnostic::new(
                        span_of(source, source.at),
                        format!(
                            "`{}` cannot be the overlay of `{}`: it has other parameters",
                            other.name, source.name
                        ),
                    )
                    .help("give both the same parameters and type parameters")
                    .into()),
                }
            }
            _ => Ok(source),
        }
    }
    /// The name of an instance: the path of the function, or `path#n` for types other than those declared.
    fn instance_name(&self, source: &'static Source, arguments: &[Ty], params: &[Ty]) -> Symbol {
        // A function in `extern "pack"` calls a row of the registry. Its name must differ from that of the row.
        let path = match is_pack(source) {
            true => Symbol::new(&format!("{}.call", symbol(source))),
            false => match symbol(source) {
                // A crate may have the same name as a pack.
                path if !self.registry.named(path).is_empty() => {
                    Symbol::new(&format!("crate::{path}"))
                }
                path => path,
            },
        };
        let declared = source.params.iter().map(|param| (param.ty)());
        if arguments.is_empty() && declared.eq(params.iter().copied()) {
            return path;
        }
        let others = self
            .instances
            .iter()
            .filter(|other| std::ptr::eq(other.source, source));
        Symbol::new(&format!("{path}#{}", others.count() + 1))
    }
}

/// Whether a row of the registry defines a function.
pub fn is_pack(source: &Source) -> bool {
    matches!(source.body, Body::Pack(_) | Body::Rule)
}

/// A place in a source.
pub fn span_of(source: &Source, at: At) -> Span {
    Span {
        file: source.file,
        line: at.0,
        column: at.1,
        method: "",
    }
}

/// The name of a function in IR: its path. Functions that are nested in two different bodies may have the same path. Then all but the first one get their
/// line as a suffix.
pub fn symbol(source: &'static Source) -> Symbol {
    static FIRST: Mutex<BTreeMap<&'static str, At>> = Mutex::new(BTreeMap::new());
    let mut first = FIRST.lock().unwrap_or_else(|e| e.into_inner());
    let At(line, column) = *first.entry(source.path).or_insert(source.at);
    match source.at == At(line, column) {
        true => Symbol::new(source.path),
        false => Symbol::new(&format!("{}:{}:{}", source.path, source.at.0, source.at.1)),
    }
}

/// The error for a name that is neither a primitive, a host operation nor a row of a pack. The first of the types is that of the receiver.
pub fn no_such_function(name: &str, types: &[Ty], span: Span) -> Error {
    const COUNTED: &[&str] = &[
        "downgrade",
        "get_mut",
        "make_mut",
        "ptr_eq",
        "strong_count",
        "try_unwrap",
        "upgrade",
        "weak_count",
    ];
    let help = match types.first() {
        _ if COUNTED.contains(&name) => {
            "differentiable functions treat an `Rc` as the value inside: do without the count, and use an index instead of a weak reference"
        }
        _ if matches!(name, "try_from" | "try_into") => {
            "compare, and convert numbers with `as`; write lists of fixed length element by element"
        }
        Some(Ty::Array(_)) if inherent::inherent(types[0], true, name).is_some() => {
            "this method cannot be a value here: write a closure that calls it, `|x: &Array<f64>| x.…`"
        }
        receiver => advice(receiver.copied()),
    };
    let types: Vec<String> = types.iter().map(|&ty| stdlib::display_type(ty)).collect();
    let message = format!("nothing defines `{name}` for ({})", types.join(", "));
    let help = match left_out(name) {
        Some(advice) => format!("{advice}; or {help}"),
        None => help.to_owned(),
    };
    Diagnostic::new(span, message).help(help).into()
}

/// The error for a function in `extern "pack"` that no loaded pack defines; `known` are those of that name for other arguments.
pub fn no_such_row(name: &str, types: &[Ty], known: &[String], span: Span) -> Error {
    let types: Vec<String> = types.iter().map(|&ty| stdlib::display_type(ty)).collect();
    let message = format!(
        "no pack in force defines `{name}` for ({})",
        types.join(", ")
    );
    let help = match known {
        [] => "load the pack that defines it (`ctx.load_pack(path)`), or write a pack with a rule for it".to_owned(),
        known => format!(
            "declare it with the arguments that it takes: there is {}",
            known.join(", ")
        ),
    };
    Diagnostic::new(span, message).help(help).into()
}

/// The advice for a function that a type does not have.
pub fn advice(ty: Option<Ty>) -> &'static str {
    match ty {
        Some(Ty::Scalar(_) | Ty::Array(_)) | None => {
            "write `#[differentiable]` before the function, or before the trait and the `impl` that have it; a pack's function is declared in \
             `extern \"pack\"` and called by that name"
        }
        Some(Ty::Str) => {
            "differentiable functions pass text on, return and compare it, but do not compute with it: write literals, or make the text outside"
        }
        Some(ty @ Ty::Adt(adt, _)) if !stdlib::is_stdlib_type(adt) && !ty.is_try() => {
            "write `#[differentiable]` before the `impl` that has it, and before the trait if it is the method of one (an `impl` must name its trait by the trait's own name, not by one from `use … as …`)"
        }
        _ => {
            "write it out with loops and methods that are known, as a `#[differentiable]` function"
        }
    }
}

/// An internal error at a place in the user's source.
pub fn bug(span: Span, message: impl Into<String>) -> Error {
    internal(Diagnostic::new(span, message).to_string())
}

/// An internal error.
pub fn internal(message: impl Into<String>) -> Error {
    Error::Internal(message.into())
}

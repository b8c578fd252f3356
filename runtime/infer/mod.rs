//! Inference: from the surface tree to the typed tree.
//!
//! Two passes over the surface tree of every instance of a function. `check` finds the types: union-find over what is
//! unknown, in the order of the statements; what cannot be decided yet (a method of something of unknown type) waits. `elaborate` knows every type and writes
//! the typed tree, where every deref, borrow and coercion is explicit. Between the two stand the [`Facts`] of an instance.
//!
//! All functions share one set of unknowns: a function whose result cannot be written (`impl Fn`), or a closure that is
//! handed on, is checked where it is called, with what is known there.
//!
//! rustc has accepted the same source, so types that do not fit are rare; what is common is a function that no pack defines.

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
mod uniquify_nodes;

use crate::diag::{Diagnostic, Error, Result, Span};
use crate::front::tree::{At, Body, Expr, ForwardingImpl, Method, Role, Source, implementors};
use crate::front::ty::{Dyn, RefKind, Ty};
use crate::ir::Symbol;
use crate::registry::Registry;
use crate::resolve::builtins::ChosenMethod;
use crate::stdlib;
use check::{Frame, Pending};
use std::collections::{BTreeMap, HashMap};
use std::panic::resume_unwind;
use std::sync::Mutex;
use unify::Unifier;

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

/// What to do where types are not understood that rustc has accepted.
pub const OTHERWISE: &str = "write the types of the values that meet here, or write it in another way; rustc accepts it, so please report it";

/// Everything that is known while a program is inferred.
pub struct Session<'r> {
    pub registry: &'r Registry,
    pub overlays: bool,
    pub types: Unifier,
    pub instances: Vec<Instance>,
    /// The instance for a function, its type arguments and the types of its parameters.
    pub keys: HashMap<Key, usize>,
    pub closures: Vec<Lambda>,
    /// What waits for types to become known.
    pub pending: Vec<Pending>,
    /// Where the check is.
    pub frame: Frame,
    /// How many calls deep checks are nested.
    pub depth: u32,
    /// Methods of the program by name, those that go first before others.
    pub methods: HashMap<&'static str, Vec<&'static Method>>,
    /// The `impl`s for pointers.
    pub forwarding_impls: Vec<&'static ForwardingImpl>,
    pub dynamic: dynamic::Dynamic,
}

pub type Key = (*const Source, Vec<Ty>, Vec<Ty>);

/// A function for certain types.
pub struct Instance {
    pub source: &'static Source,
    /// What it is made of: `source`, or what is laid over it.
    pub body: &'static Source,
    pub name: Symbol,
    pub arguments: Vec<Ty>,
    /// The types of its parameters: of the arguments that it is given.
    pub params: Vec<Ty>,
    pub ret: Ty,
    /// Where the program calls it, and the name: what is wrong inside the library is said there.
    pub called: (Span, &'static str),
    pub facts: Facts,
    pub state: State,
    /// Whether the functions it calls have their instances.
    pub linked: bool,
}

impl Instance {
    /// An error in the library is where the program calls it.
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

/// What the check of an instance has found, by the addresses of the tree's nodes.
#[derive(Default)]
pub struct Facts {
    /// The type of each expression.
    pub types: HashMap<usize, Ty>,
    pub locals: Vec<Local>,
    /// Of expressions that are checked already and come again as part of another.
    pub checked: HashMap<usize, Ty>,
    /// The variable that an expression names.
    pub uses: HashMap<usize, usize>,
    /// The variable that a pattern binds.
    pub binds: HashMap<usize, usize>,
    /// The function that an expression calls.
    pub calls: HashMap<usize, Call>,
    /// The operands of an operator.
    pub operands: HashMap<usize, Vec<&'static Expr>>,
    /// Whether the right sides of `op=` are references.
    pub assigned: HashMap<usize, RefKind>,
    /// The types of the program that are dereferenced.
    pub derefs: Vec<Deref>,
    /// The `*` that call one of these.
    pub dereferenced: std::collections::HashSet<usize>,
    /// What a method is.
    pub methods: HashMap<usize, ChosenMethod>,
    /// The closure that an expression makes.
    pub closures: HashMap<usize, usize>,
    /// `for` loops that count.
    pub counted: std::collections::HashSet<usize>,
}

/// The `Deref` of a type of the program: its calls, by their keys.
#[derive(Clone, Copy)]
pub struct Deref {
    pub ty: Ty,
    /// What it is to.
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
    /// Whether its elements are.
    pub element_kind: RefKind,
    /// The position of the type parameter as which its type is written.
    pub parameter: Option<u32>,
    /// The closure it belongs to.
    pub owner: Option<usize>,
}

/// A call of a function: types may be open until all is checked.
#[derive(Clone)]
pub struct Call {
    pub source: &'static Source,
    pub arguments: Vec<Ty>,
    pub params: Vec<Ty>,
    pub ret: Ty,
    pub span: Span,
    /// The instance, if it had to be checked at once.
    pub instance: Option<usize>,
}

/// A closure expression in an instance.
pub struct Lambda {
    pub name: Symbol,
    pub instance: usize,
    pub lambda: &'static crate::front::tree::Lambda,
    pub params: Vec<Ty>,
    pub ret: Ty,
    /// The scopes around it.
    pub scopes: Vec<check::Scope>,
    pub state: State,
}

impl<'r> Session<'r> {
    fn new(registry: &'r Registry, overlays: bool) -> Self {
        let mut methods: HashMap<&'static str, Vec<&'static Method>> = HashMap::new();
        for method in inventory::iter::<Method> {
            methods
                .entry((method.source)().name)
                .or_default()
                .push(method);
        }
        // A type's own methods hide those of its traits; a trait's default methods are for types that have none of their own.
        let is_declared = |method: &Method| matches!((method.owner)(), Ty::Dyn(Dyn::Trait(_)));
        for named in methods.values_mut() {
            named.sort_by_key(|method| (!method.of_trait.is_empty(), is_declared(method)));
        }
        Session {
            registry,
            overlays,
            types: Unifier::default(),
            instances: Vec::new(),
            keys: HashMap::new(),
            closures: Vec::new(),
            pending: Vec::new(),
            frame: Frame::default(),
            depth: 0,
            methods,
            forwarding_impls: inventory::iter::<ForwardingImpl>.into_iter().collect(),
            dynamic: dynamic::Dynamic::default(),
        }
    }

    /// The instance that is asked for: its slices are what they are declared to be.
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

    /// What `dyn` values in values of a type may be, that come from outside: their tags are first, and in the order that calls know.
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

    /// Checks until nothing new is found.
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

    /// Makes the instances that an instance calls.
    fn link(&mut self, id: usize) -> Result<()> {
        self.instances[id].linked = true;
        let facts = &self.instances[id].facts;
        let mut calls: Vec<Call> = facts.calls.values().cloned().collect();
        // Names of instances are numbered in this order.
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
        let body = uniquify_nodes::uniquify_nodes(self.body(call.source, &arguments)?);
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
    /// The place of a call in the program, and what is called; the library's own calls are where it was called itself.
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
    /// What differentiation sees of a function.
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
    /// The path; `path#n` for types other than those declared.
    fn instance_name(&self, source: &'static Source, arguments: &[Ty], params: &[Ty]) -> Symbol {
        // What calls a row of the registry is not the row, whose name may be the path.
        let path = match is_pack(source) {
            true => Symbol::new(&format!("{}.call", symbol(source))),
            false => match symbol(source) {
                // A crate may be called like a pack.
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
    }
}

/// The name of a function in IR: its path. Functions inside the bodies of two others may have the same path; all but
/// the first that is seen get their line behind it.
pub fn symbol(source: &'static Source) -> Symbol {
    static FIRST: Mutex<BTreeMap<&'static str, At>> = Mutex::new(BTreeMap::new());
    let mut first = FIRST.lock().unwrap_or_else(|e| e.into_inner());
    let At(line, column) = *first.entry(source.path).or_insert(source.at);
    match source.at == At(line, column) {
        true => Symbol::new(source.path),
        false => Symbol::new(&format!("{}:{}:{}", source.path, source.at.0, source.at.1)),
    }
}

/// What to say of a name that is no primitive, no host operation and in no pack. The first of the types is the receiver's.
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
            "a value in an `Rc` is the value itself here: write it without the count, or with an index in place of a weak reference"
        }
        _ if matches!(name, "try_from" | "try_into") => {
            "compare, and convert numbers with `as`; write lists of fixed length element by element"
        }
        receiver => advice(receiver.copied()),
    };
    let types: Vec<String> = types.iter().map(|&ty| stdlib::display_type(ty)).collect();
    let message = format!("nothing defines `{name}` for ({})", types.join(", "));
    Diagnostic::new(span, message).help(help).into()
}

/// What to say of a function in `extern "pack"` that no pack in force has.
pub fn no_such_row(name: &str, types: &[Ty], span: Span) -> Error {
    let types: Vec<String> = types.iter().map(|&ty| stdlib::display_type(ty)).collect();
    let message = format!(
        "no pack in force defines `{name}` for ({})",
        types.join(", ")
    );
    let help =
        "load the pack that defines it (`ctx.load_pack(path)`), or write a pack with a rule for it";
    Diagnostic::new(span, message).help(help).into()
}

/// What to do about a function that a type does not have.
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
            "write `#[differentiable]` before the `impl` that has it"
        }
        _ => {
            "write it out with loops and methods that are known, as a `#[differentiable]` function"
        }
    }
}

/// A bug of ours, at a place in the user's source.
pub fn bug(span: Span, message: impl Into<String>) -> Error {
    internal(Diagnostic::new(span, message).to_string())
}

/// A bug of ours.
pub fn internal(message: impl Into<String>) -> Error {
    Error::Internal(message.into())
}

//! Elaboration: writes the typed tree of every instance, from the types and functions that inference has found.
//!
//! In the typed tree every deref, borrow and coercion is explicit. `==`, `<`, `clone` and `default` of types whose implementations are derived
//! are expanded part by part (`derived_traits`, `equality`, `order`). Scopes of `RefCell` guards are written into the tree (`guards`); the next
//! stage, `borrows`, removes them again.

mod counts;
mod derivatives;
mod equality;
mod expr;
mod guards;
mod interference;
mod method;
mod map;
mod order;
mod derived_traits;
mod pattern;
mod place;

use crate::diag::{Diagnostic, Result, Span};
use crate::front::repr::rule_types;
use crate::front::tree::{
    At, Block, Body, Expr as Tree, Lambda, Param, PatternKind, Role, Source,
    Statement as TreeStatement,
};
use crate::front::ty::{Closure, Dyn, Item, RefKind, Ty, intern};
use crate::front::typed::{
    Base, Borrow, Choice, Dispatch, Expr, ExprKind, Function, Local, LocalId, LoopId, Over,
    Pattern, Place, Program, Projection, Statement,
};
use crate::front::visit::{self, Visitor};
use crate::infer::check::{key, unknown};
use crate::infer::dynamic::dispatch_name;
use crate::infer::{Call, Instance, Session, bug, infer, internal, is_pack, span_of, symbol};
use crate::ir::{Symbol, Type};
use crate::plugin::program_rule;
use crate::registry::{Entry, Registry};
use crate::resolve::inherent::{self, ArrayMethod};
use crate::stdlib;
use crate::tangent;
use guards::Ends;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Infers the types of a function for its type arguments, and of all that it calls, and writes the typed tree. With `overlays`, functions that
/// have an overlay are what it says: derivatives see overlays, primals never do.
///
/// # Errors
/// [`Error::User`](crate::diag::Error::User) with the place of what this language does not accept.
pub fn elaborate(
    root: &'static Source,
    arguments: &[Ty],
    registry: &Registry,
    overlays: bool,
) -> Result<Program> {
    infer(root, arguments, registry, overlays, program)
}

/// Writes the typed tree of all instances that inference has checked.
fn program(session: &mut Session, root: usize) -> Result<Program> {
    let mut output = Output::default();
    for id in 0..session.instances.len() {
        let mut elaborator = Elaborator::new(session, id, &mut output);
        let function = elaborator.instance()?;
        output.functions.insert(function.name, function);
    }
    if let (Some(span), true) = (output.text_pattern, output.formats) {
        let message = "this `match` compares text, and the program makes text elsewhere, with `format!` or the like: derived code does not know what is in such a text";
        let refusal = Diagnostic::new(span, message);
        return Err(refusal
            .help("compare with `==`, which fails where a made text comes to it: `if kind == \"tanh\" { … } else if …`; or use an enum instead of text")
            .into());
    }
    let mut dispatches = BTreeMap::new();
    for (name, (ty, method)) in session.dynamic.dispatches.clone() {
        dispatches.insert(name, dispatch(session, ty, method, &mut output)?);
    }
    counts::check(session, &mut output, &dispatches)?;
    let mut program = Program {
        root: session.instances[root].name,
        functions: output.functions,
        dispatches,
        passed_on_guards: output.passed_on_guards,
    };
    close_types(&mut program, &output.captures);
    Ok(program)
}

/// What elaboration collects beside the function that it writes.
#[derive(Default)]
struct Output {
    functions: BTreeMap<Symbol, Function>,
    /// The types of the captures of each closure.
    captures: FxHashMap<Symbol, Vec<Ty>>,
    /// The calls of std whose closures are checked when all functions are written.
    open_calls: Vec<counts::Call>,
    /// The guards that are passed on, by `return`, in an argument or into a field.
    passed_on_guards: Vec<Borrow>,
    /// A place where a text is a pattern.
    text_pattern: Option<Span>,
    /// Whether the program makes text, with `format!` or the like.
    formats: bool,
}

/// The function that chooses a method by the tag of a `dyn` value.
fn dispatch(
    session: &mut Session,
    of: Ty,
    method: Option<&'static str>,
    output: &mut Output,
) -> Result<Dispatch> {
    let (mut params, ret) = match of {
        Ty::Dyn(Dyn::Fn(params, ret)) => (params.clone(), *ret),
        Ty::Dyn(Dyn::Trait(name)) => {
            let declared = crate::resolve::candidates::declared(
                &session.methods,
                name,
                method.unwrap_or_default(),
            );
            let source = declared
                .map(|method| (method.source)())
                .ok_or_else(|| internal("a dispatch of no method"))?;
            let params = source
                .params
                .iter()
                .skip(1)
                .map(|param| (param.ty)().slices_mut());
            (params.collect(), (source.ret)().slices_mut())
        }
        _ => return Err(internal("a dispatch of what is not dynamic")),
    };
    params.insert(0, of);
    let mut arms = Vec::new();
    for (tag, ty) in session
        .dynamic
        .tags
        .get(&of)
        .cloned()
        .unwrap_or_default()
        .into_iter()
        .enumerate()
    {
        let (function, receiver) = match (
            ty,
            session
                .dynamic
                .functions
                .get(&(of, ty, method.unwrap_or_default())),
        ) {
            // The closure is made only in code that is never reached.
            (Ty::Closure(closure), _) if !output.functions.contains_key(&closure.name) => continue,
            (Ty::Closure(closure), _) => (closure.name, Some(false)),
            (Ty::Item(_), Some(call)) if is_pack(call.source) => {
                (item_function(session, ty, &params[1..], ret, output)?, None)
            }
            (Ty::Item(_), Some(call)) => (callee(session, call)?, None),
            (Ty::Item(_), None) => (item_function(session, ty, &params[1..], ret, output)?, None),
            (_, Some(call)) => {
                let by_mut = matches!(call.params.first(), Some(Ty::Mut(_)));
                (callee(session, call)?, Some(by_mut))
            }
            (_, None) => continue,
        };
        arms.push(Choice {
            tag: tag as u32,
            ty,
            function,
            receiver,
        });
    }
    Ok(Dispatch { params, ret, arms })
}

/// A function for a method or constructor that is used as a value.
fn item_function(
    session: &mut Session,
    item: Ty,
    params: &[Ty],
    ret: Ty,
    output: &mut Output,
) -> Result<Symbol> {
    let name = Symbol::new(&format!("<{item}>#{}", output.functions.len()));
    let locals: Vec<Local> = params
        .iter()
        .map(|&ty| Local {
            name: "x",
            ty,
            in_memory: false,
        })
        .collect();
    let args: Vec<Expr> = params
        .iter()
        .enumerate()
        .map(|(id, &ty)| read_local(id, ty, Span::NONE))
        .collect();
    let kind = match item {
        Ty::Item(Item::Constructor(_, variant)) => ExprKind::Aggregate(variant, args),
        Ty::Item(Item::Source(source, _)) => {
            let name = source.body_name().unwrap_or_default();
            let row = pack_function(session, name, params, span_of(source, source.at))?;
            ExprKind::Rule(row.name, args)
        }
        Ty::Item(Item::Method(method, _) | Item::Overloaded(_, method, _)) => {
            let intrinsic = params
                .first()
                .and_then(|&ty| session.types.builtin(method.as_str(), ty));
            let of_array = match params.first() {
                Some(Ty::Array(_)) => inherent::array_method(method.as_str()),
                _ => None,
            };
            match (intrinsic, of_array) {
                (Some(crate::resolve::builtins::Builtin::Intrinsic(intrinsic)), _) => {
                    ExprKind::Intrinsic(intrinsic, args)
                }
                (_, Some(ArrayMethod::Elementwise(row))) => ExprKind::Map(row, args),
                (_, Some(ArrayMethod::Operation(row))) => ExprKind::Rule(row, args),
                (Some(_), None) => return Err(internal(format!("`{method}` as a value"))),
                (None, None) => ExprKind::Rule(own_method(method, params, Span::NONE)?, args),
            }
        }
        _ => return Err(internal("no function")),
    };
    let body = kind.of(ret, Span::NONE);
    let function = Function {
        name,
        path: name,
        span: Span::NONE,
        params: (0..locals.len()).collect(),
        locals,
        ret,
        body,
        is_constant: false,
        is_library: true,
        parallel: None,
        may_lend: true,
    };
    output.functions.insert(name, function);
    Ok(name)
}

/// The row for an inherent method of a float that is named by its path, as in `f64::sin`.
fn own_method(name: Symbol, types: &[Ty], span: Span) -> Result<Symbol> {
    let receiver = types.first().copied().unwrap_or(Ty::UNIT);
    let is_float = receiver.scalar().is_some_and(Type::is_float);
    let is_known = inherent::inherent(receiver, true, name.as_str()).is_some()
        || crate::infer::calls::OPERATORS.contains(&name.as_str());
    match is_float && is_known {
        true => Ok(name),
        false => Err(crate::infer::no_such_function(name.as_str(), types, span)),
    }
}

/// The row for a function in `extern "pack"`, for arguments of these types.
fn pack_function<'r>(
    session: &Session<'r>,
    name: &str,
    types: &[Ty],
    span: Span,
) -> Result<&'r Entry> {
    let crosses = |&ty: &Ty| match rule_types(&[ty]) {
        Some(types) => Ok(types[0]),
        None => {
            let message = format!("`{ty}` is not passed to `{name}`, which is a rule of its own");
            let help = "rules take numbers, arrays, slices of numbers, and tuples and structs of numbers and arrays: pass a `Vec` as a slice, and the parts of other types";
            Err(Diagnostic::new(span, message).help(help))
        }
    };
    let crossing = types.iter().map(crosses);
    let crossing = crossing.collect::<std::result::Result<Vec<Type>, Diagnostic>>()?;
    let rows = session.registry.declared(name, &crossing);
    match rows[..] {
        [row] => Ok(row),
        [] => {
            let known = session.registry.meant(name).map(|entry| {
                let params: Vec<String> = entry.params.iter().map(Type::to_string).collect();
                format!("`{}({})`", entry.name, params.join(", "))
            });
            let known: Vec<String> = known.collect();
            Err(crate::infer::no_such_row(name, types, &known, span))
        }
        [one, other, ..] => {
            let message = format!(
                "the packs {} and {} both define `{name}`",
                one.pack, other.pack
            );
            let help = format!(
                "say which is meant before the declaration: `#[pack = \"{}\"]`",
                one.name
                    .as_str()
                    .rsplit_once("::")
                    .map_or("std", |(pack, _)| pack)
            );
            Err(Diagnostic::new(span, message).help(help).into())
        }
    }
}

impl crate::front::tree::Source {
    /// The name of the pack's function, if this source is declared in `extern "pack"`.
    fn body_name(&self) -> Option<&'static str> {
        match self.body {
            Body::Pack(name) => Some(name),
            Body::Rule => {
                let At(line, column) = self.at;
                let name = program_rule(self.path, self.file, (line, column));
                name.map(|name| name.as_str())
            }
            _ => None,
        }
    }
}

/// The name of the instance that is called.
fn callee(session: &Session, call: &Call) -> Result<Symbol> {
    let id = call
        .instance
        .or_else(|| session.keys.get(&session.key(call)).copied());
    match id {
        Some(id) => Ok(session.instances[id].name),
        None => Err(unknown(call.span)),
    }
}

/// Writes the captures into the type of every closure.
fn close_types(program: &mut Program, captures: &FxHashMap<Symbol, Vec<Ty>>) {
    struct Close<'a>(&'a FxHashMap<Symbol, Vec<Ty>>);
    impl Visitor for Close<'_> {
        fn ty(&mut self, ty: &mut Ty) {
            *ty = closed(*ty, self.0);
        }
    }
    let mut close = Close(captures);
    for function in program.functions.values_mut() {
        close.ty(&mut function.ret);
        function
            .locals
            .iter_mut()
            .for_each(|local| close.ty(&mut local.ty));
        visit::expr(&mut function.body, &mut close);
    }
    for dispatch in program.dispatches.values_mut() {
        dispatch.params.iter_mut().for_each(|ty| close.ty(ty));
        close.ty(&mut dispatch.ret);
        dispatch
            .arms
            .iter_mut()
            .for_each(|arm| close.ty(&mut arm.ty));
    }
}

fn closed(ty: Ty, captures: &FxHashMap<Symbol, Vec<Ty>>) -> Ty {
    ty.map(&mut |ty| match ty {
        Ty::Closure(closure) => {
            let types = captures.get(&closure.name)?;
            let types: Vec<Ty> = types.iter().map(|&ty| closed(ty, captures)).collect();
            Some(closure_type(closure.name, &types))
        }
        _ => None,
    })
}

fn closure_type(name: Symbol, captures: &[Ty]) -> Ty {
    use std::sync::{Mutex, OnceLock};
    static ALL: OnceLock<Mutex<FxHashSet<&'static Closure>>> = OnceLock::new();
    let closure = Closure {
        name,
        captures: intern(captures),
    };
    let mut all = ALL
        .get_or_init(Default::default)
        .lock()
        .unwrap_or_else(|e| e.into_inner());
    if let Some(found) = all.get(&closure) {
        return Ty::Closure(found);
    }
    let closure: &'static Closure = Box::leak(Box::new(closure));
    all.insert(closure);
    Ty::Closure(closure)
}

/// A loop or labelled block around the current expression.
struct Loop {
    label: Option<&'static str>,
    is_loop: bool,
    id: LoopId,
    ty: Ty,
    /// The number of guard scopes around it.
    depth: usize,
}

/// Elaborates one instance.
struct Elaborator<'s, 'r> {
    session: &'s mut Session<'r>,
    id: usize,
    output: &'s mut Output,
    /// The variables of the instance and its closures. Those that inference knows come first.
    locals: Vec<Local>,
    /// The closure that declares each variable.
    owners: Vec<Option<usize>>,
    closure: Option<usize>,
    loops: Vec<Loop>,
    next_loop: LoopId,
    guards: guards::Guards,
    ret: Ty,
    /// The variables that the current function changes or takes the address of.
    changed: FxHashSet<LocalId>,
}

impl<'s, 'r> Elaborator<'s, 'r> {
    fn new(session: &'s mut Session<'r>, id: usize, output: &'s mut Output) -> Self {
        let rows = &session.instances[id].facts.locals;
        let owners = rows.iter().map(|local| local.owner).collect();
        let local = |local: &crate::infer::Local| Local {
            name: local.name,
            ty: session.types.finish(local.ty),
            in_memory: false,
        };
        let locals = rows.iter().map(local).collect();
        let ret = session.types.finish(session.instances[id].ret);
        Elaborator {
            session,
            id,
            output,
            locals,
            owners,
            closure: None,
            loops: Vec::new(),
            next_loop: 0,
            guards: guards::Guards::default(),
            ret,
            changed: FxHashSet::default(),
        }
    }
    fn row(&self) -> &Instance {
        &self.session.instances[self.id]
    }
    fn span(&self, at: At) -> Span {
        span_of(self.row().body, at)
    }
    fn refuse<T>(&self, at: At, message: impl Into<String>, help: &str) -> Result<T> {
        self.refuse_at(self.span(at), message, help)
    }
    fn refuse_at<T>(&self, span: Span, message: impl Into<String>, help: &str) -> Result<T> {
        let error = Diagnostic::new(span, message).help(help);
        Err(self.row().blamed(error.into()))
    }
    /// An internal error: rustc would not have accepted this.
    fn bug<T>(&self, at: At, message: impl Into<String>) -> Result<T> {
        Err(bug(self.span(at), message))
    }
    /// The type with all unknowns resolved.
    fn known(&self, ty: Ty, at: At) -> Result<Ty> {
        let ty = self.session.types.finish(ty);
        match self.session.types.is_open(ty) {
            false => Ok(ty),
            true => Err(unknown(self.span(at))),
        }
    }
    /// The type of an expression.
    fn ty(&self, expr: &'static Tree) -> Result<Ty> {
        match self.row().facts.types.get(&key(expr)) {
            Some(&ty) => self.known(ty, expr.at),
            None => Err(unknown(self.span(expr.at))),
        }
    }

    fn instance(&mut self) -> Result<Function> {
        let (source, body, name) = (self.row().source, self.row().body, self.row().name);
        let types = self.row().params.clone();
        let mut statements = Vec::new();
        let mut params = Vec::new();
        for (pattern, ty) in body.patterns.node()?.iter().zip(types) {
            let ty = self.known(ty, body.at)?;
            let name = match pattern.kind {
                PatternKind::Name(name, ..) => name,
                _ => "argument",
            };
            let local = self.temporary(name, ty);
            params.push(local);
            self.bind(pattern, Place::of(local), ty, &mut statements, None)?;
        }
        let ret = self.known(self.ret, body.at)?;
        let value = match &body.body {
            Body::Block(block) => {
                let block = block.node()?;
                self.scoped(Ends::Temporaries, |this| {
                    this.block(block, Some(ret), body.at)
                })?
            }
            Body::Pack(_) | Body::Rule => {
                let span = self.span(body.at);
                let name = body.body_name().unwrap_or_default();
                let locals = params.iter();
                let args = locals.map(|&local| read_local(local, self.locals[local].ty, span));
                self.pack_call(body, name, args.collect(), ret, body.at)?
            }
            Body::Required => {
                return self.bug(body.at, format!("`{}` has no body", body.name));
            }
        };
        let mut value = self.coerce(value, ret)?;
        for (param, statement) in body.params.iter().zip(&statements) {
            if let (
                RefKind::Value | RefKind::Unknown,
                Statement::Let(Pattern::Bind(local, false, None), ..),
            ) = (param.ref_kind, statement)
                && copies(self.locals[*local].ty)
                && !self.changed.contains(local)
                && !may_lend(source.ret_kind, ret)
            {
                move_out(*local, &mut value);
            }
        }
        let span = self.span(source.at);
        let body = ExprKind::Block(statements, Some(Box::new(value))).of(ret, span);
        let is_constant = matches!(source.role, Role::Constant);
        let (function, _) = self.function(name, span, params, body, is_constant, source.ret_kind);
        Ok(function)
    }
    /// Gives a function its own variables. Variables of the functions around it become fields of its first parameter, the captures of a closure. The
    /// second result says which ones.
    fn function(
        &mut self,
        name: Symbol,
        span: Span,
        params: Vec<LocalId>,
        mut body: Expr,
        is_constant: bool,
        ret_kind: RefKind,
    ) -> (Function, Vec<LocalId>) {
        let environment = self.closure.is_some().then(|| params[0]);
        let mut renumber = Renumber {
            owners: &self.owners,
            closure: self.closure,
            environment,
            changed: &self.changed,
            types: &self.locals,
            moves: false,
            own: params.clone(),
            captured: Vec::new(),
        };
        if let Some(closure) = self.closure {
            renumber.moves = self.session.closures[closure].lambda.moves;
        }
        visit::expr(&mut body, &mut renumber);
        let Renumber { own, captured, .. } = renumber;
        let locals = own
            .iter()
            .map(|&id| Local {
                name: self.locals[id].name,
                ty: self.locals[id].ty,
                in_memory: self.locals[id].in_memory,
            })
            .collect();
        let ret = body.ty;
        let path = match self.closure {
            Some(_) => name,
            None => symbol(self.row().source),
        };
        let function = Function {
            name,
            path,
            span,
            params: (0..params.len()).collect(),
            locals,
            ret,
            body,
            is_constant,
            is_library: stdlib::contains(self.row().source),
            parallel: stdlib::roles(self.row().source),
            may_lend: may_lend(ret_kind, ret),
        };
        (function, captured)
    }

    /// A closure: makes its function, and returns its value, the tuple of its captures.
    fn closure(&mut self, expr: &'static Tree, lambda: &'static Lambda) -> Result<Expr> {
        let id = match self.row().facts.closures.get(&key(expr)) {
            Some(&id) => id,
            None => return Err(unknown(self.span(expr.at))),
        };
        let name = self.session.closures[id].name;
        let (types, ret) = (
            self.session.closures[id].params.clone(),
            self.session.closures[id].ret,
        );
        let ret = self.known(ret, expr.at)?;
        let outer_loops = std::mem::take(&mut self.loops);
        let outer_changed = std::mem::take(&mut self.changed);
        let outer = self.closure.replace(id);
        let outer_ret = std::mem::replace(&mut self.ret, ret);
        let outer_scopes = self.guards.close_all();
        let built = (|| -> Result<_> {
            let environment = self.temporary("captures", Ty::UNIT);
            let mut params = vec![environment];
            let mut statements = Vec::new();
            for ((pattern, _), ty) in lambda.params.iter().zip(types) {
                let ty = self.known(ty, pattern.at)?;
                let local = self.temporary("argument", ty);
                params.push(local);
                self.bind(pattern, Place::of(local), ty, &mut statements, None)?;
            }
            let value = self.scoped(Ends::Temporaries, |this| this.value(lambda.body, ret))?;
            let body =
                ExprKind::Block(statements, Some(Box::new(value))).of(ret, self.span(expr.at));
            let span = self.span(expr.at);
            Ok(self.function(name, span, params, body, false, RefKind::Unknown))
        })();
        self.loops = outer_loops;
        let changed = std::mem::replace(&mut self.changed, outer_changed);
        self.closure = outer;
        self.ret = outer_ret;
        self.guards.reopen(outer_scopes);
        let (mut function, captured) = built?;
        let span = self.span(expr.at);
        let mut values = Vec::new();
        for local in captured {
            if lambda.moves {
                self.lose(local);
            }
            values.push(self.capture(local, changed.contains(&local), lambda.moves, span));
        }
        let types: Vec<Ty> = values.iter().map(|value| value.ty).collect();
        self.output.captures.insert(name, types);
        // The captures are written into the type of the closure at the end, everywhere.
        let ty = self.ty(expr)?;
        function.locals[0].ty = ty;
        self.output.functions.insert(name, function);
        Ok(ExprKind::Tuple(values).of(ty, span))
    }
    /// The capture of a variable by a closure.
    fn capture(&mut self, local: LocalId, changes: bool, moves: bool, span: Span) -> Expr {
        let ty = self.locals[local].ty;
        if changes && !moves {
            return self.address_of_local(local, span);
        }
        let kind = ExprKind::Read {
            place: Place::of(local),
            copy: moves && copies(ty),
        };
        let value = kind.of(ty, span);
        match changes {
            false => value,
            // The closure's own copy of the variable, which lives from call to call.
            true => ExprKind::NewObject(Box::new(value)).of(Ty::boxed(ty), span),
        }
    }

    /// A new variable of the current function.
    fn temporary(&mut self, name: &'static str, ty: Ty) -> LocalId {
        self.locals.push(Local {
            name,
            ty,
            in_memory: false,
        });
        self.owners.push(self.closure);
        self.locals.len() - 1
    }
    /// Binds a new variable to a value.
    fn hold(&mut self, value: Expr, statements: &mut Vec<Statement>) -> LocalId {
        let local = self.temporary("value", value.ty);
        let pattern = Pattern::Bind(local, false, None);
        statements.push(Statement::Let(pattern, Place::value(value), None));
        local
    }

    /// The name of the function that an expression calls, and the types of its parameters.
    fn call(&self, key: usize, at: At) -> Result<Call> {
        match self.row().facts.calls.get(&key) {
            Some(call) => Ok(call.clone()),
            None => Err(unknown(self.span(at))),
        }
    }
    /// A call of a function. The arguments have the types of its parameters.
    fn call_with(&mut self, call: &Call, args: Vec<Expr>, at: At) -> Result<Expr> {
        let span = self.span(at);
        if stdlib::contains(call.source) && !stdlib::contains(self.row().source) {
            let open = counts::Call::new(call.source.name, &args, span);
            self.output.open_calls.extend(open);
        }
        let ty = self.known(call.ret, at)?;
        if let Some(name) = call.source.body_name() {
            return self.pack_call(call.source, name, args, ty, at);
        }
        let name = callee(self.session, call)?;
        Ok(ExprKind::Call(name, args).of(ty, span))
    }
    /// A call of a function that the program declares in `extern "pack"` with result type `ret`.
    fn pack_call(
        &self,
        source: &Source,
        name: &'static str,
        args: Vec<Expr>,
        ret: Ty,
        at: At,
    ) -> Result<Expr> {
        let span = self.span(at);
        let types: Vec<Ty> = args.iter().map(|arg| arg.ty).collect();
        let row = pack_function(self.session, name, &types, span)?;
        let (symbol, found) = (row.name, row.ret);
        let declared = rule_types(&[ret]).map(|types| tangent::leaves(types[0]));
        if declared.is_none_or(|leaves| leaves != tangent::leaves(found)) {
            let (message, help) = match source.body {
                Body::Rule => (
                    format!("a function with a rule of its own cannot return a `{ret}`"),
                    "return numbers, arrays, or a tuple or a struct of these, or write to a `&mut [f64]` that is passed",
                ),
                _ => (
                    format!("the pack's `{name}` gives {found}, and is declared to give `{ret}`"),
                    "declare it with the result that `mooncake pack list` shows; a tuple or a struct stands for its fields in order",
                ),
            };
            return Err(Diagnostic::new(span, message).help(help).into());
        }
        // A local array can be written in IR, also where the declaration takes `&[T]`: the row would change it.
        let is_read = |param: &&Param| matches!((param.ty)(), Ty::Slice(_));
        let mut written = row.params.iter().zip(source.params);
        if row.params.len() == source.params.len()
            && let Some(n) =
                written.position(|(ty, param)| matches!(ty, Type::SliceMut(_)) && is_read(&param))
        {
            let message = format!(
                "the pack's `{name}` writes to its argument {}, and is declared to read it",
                n + 1
            );
            let help = "declare that parameter as `&mut [T]`";
            return Err(Diagnostic::new(span, message).help(help).into());
        }
        Ok(ExprKind::Rule(symbol, args).of(ret, span))
    }
    /// The arguments of a call, converted to the types of the parameters.
    fn arguments(&mut self, args: &'static [Tree], params: &[Ty], at: At) -> Result<Vec<Expr>> {
        let mut values = Vec::new();
        for (arg, &param) in args.iter().zip(params) {
            let param = self.known(param, at)?;
            values.push(self.value(arg, param)?);
        }
        Ok(values)
    }
    /// A call of a dispatch function.
    fn dispatch(
        &mut self,
        of: Ty,
        method: Option<&'static str>,
        args: Vec<Expr>,
        ret: Ty,
        span: Span,
    ) -> Expr {
        let name = dispatch_name(of, method);
        ExprKind::Call(name, args).of(ret, span)
    }

    fn enter(&mut self, label: Option<&'static str>, is_loop: bool, ty: Ty) -> LoopId {
        let id = self.next_loop;
        self.next_loop += 1;
        self.loops.push(Loop {
            label,
            is_loop,
            id,
            ty,
            depth: self.guards.depth(),
        });
        id
    }
    /// A loop around the current expression: its name, the type of its value, and the number of guard scopes around it.
    fn find_loop(&self, label: Option<&'static str>, at: At) -> Result<(LoopId, Ty, usize)> {
        let found = self.loops.iter().rev().find(|scope| match label {
            None => scope.is_loop,
            label => scope.label == label,
        });
        match found {
            Some(scope) => Ok((scope.id, scope.ty, scope.depth)),
            None => self.bug(at, "there is no such loop around this place"),
        }
    }

    /// A block. If a type is wanted, its value is converted to that type.
    fn block(&mut self, block: &'static Block, want: Option<Ty>, at: At) -> Result<Expr> {
        let mut statements = Vec::new();
        let mut diverges = false;
        self.guards.open(Ends::Variables);
        for statement in block.statements {
            diverges |= self.statement(statement, &mut statements)?;
        }
        let value = match block.value {
            Some(value) => Some(self.scoped(Ends::Early, |this| match want {
                Some(want) => this.value(value, want),
                None => this.rvalue(value),
            })?),
            None => None,
        };
        let scope = self.guards.close();
        let ty = match &value {
            Some(value) => value.ty,
            None if diverges => Ty::Never,
            None => Ty::UNIT,
        };
        let block = ExprKind::Block(statements, value.map(Box::new)).of(ty, self.span(at));
        Ok(guards::in_scope(scope, block, false))
    }
    /// A statement. Returns whether it diverges.
    fn statement(
        &mut self,
        statement: &'static TreeStatement,
        statements: &mut Vec<Statement>,
    ) -> Result<bool> {
        match statement {
            TreeStatement::Expr(expr) => {
                let value = self.scoped(Ends::Temporaries, |this| {
                    if this.is_guard(expr) {
                        // A value that is bound to `_` is a temporary.
                        this.stays(expr);
                    }
                    this.rvalue(expr)
                })?;
                let diverges = value.ty == Ty::Never;
                statements.push(Statement::Expr(value));
                Ok(diverges)
            }
            // Deferred initialisation: the first assignment initialises the variable.
            TreeStatement::Let(_, _, None, _) => Ok(false),
            TreeStatement::Let(pattern, ty, Some(value), otherwise) => {
                self.declared(pattern, value);
                let before = self.guards.count();
                self.guards.open(Ends::Temporaries);
                let (place, found) = match (ty, self.bound_type(pattern)) {
                    (Some(_), Some(declared)) => {
                        let declared = self.known(declared, pattern.at)?;
                        let value = self.value(value, declared)?;
                        let ty = value.ty;
                        (
                            Place::value(value),
                            if ty == Ty::Never { ty } else { declared },
                        )
                    }
                    _ => self.matched(value, pattern::says_ref_mut(pattern))?,
                };
                self.named(pattern, value);
                let scope = self.guards.close();
                let over: Vec<Over> = scope.into_iter().map(Over::Scope).collect();
                let otherwise = match otherwise {
                    Some(block) => {
                        // Guards that would live as long as the variables end there as well.
                        let made = (before..self.guards.count()).map(Over::Guard);
                        let over = over.iter().copied().chain(made).collect();
                        let block = self.block(block, None, value.at)?;
                        Some(guards::leave(over, block, true))
                    }
                    None => None,
                };
                if let Some(scope) = scope {
                    let enter = ExprKind::Enter(scope);
                    let (ty, span) = (Ty::UNIT, self.span(value.at));
                    statements.push(Statement::Expr(enter.of(ty, span)));
                }
                self.bind(pattern, place, found, statements, otherwise)?;
                if scope.is_some() {
                    let done = expr::unit(self.span(value.at));
                    statements.push(Statement::Expr(guards::leave(over, done, true)));
                }
                Ok(found == Ty::Never)
            }
        }
    }
    /// The type of the variable, if the pattern is a plain name.
    fn bound_type(&self, pattern: &'static crate::front::tree::Pattern) -> Option<Ty> {
        let id = *self.row().facts.binds.get(&key(pattern))?;
        let ty = self.row().facts.locals[id].ty;
        matches!(
            pattern.kind,
            crate::front::tree::PatternKind::Name(_, false, None)
        )
        .then_some(ty)
    }
}

/// Renumbers the variables of a function.
struct Renumber<'a> {
    owners: &'a [Option<usize>],
    closure: Option<usize>,
    environment: Option<LocalId>,
    changed: &'a FxHashSet<LocalId>,
    types: &'a [Local],
    moves: bool,
    own: Vec<LocalId>,
    captured: Vec<LocalId>,
}

impl Renumber<'_> {
    fn number(&mut self, local: LocalId) -> LocalId {
        position(&mut self.own, local)
    }
}

impl Visitor for Renumber<'_> {
    fn place(&mut self, place: &mut Place) {
        let Base::Local(local) = place.base else {
            return;
        };
        match self.environment {
            Some(environment) if self.owners[local] != self.closure => {
                let field = position(&mut self.captured, local) as u32;
                let ty = self.types[local].ty;
                let mut way = match (self.changed.contains(&local), self.moves) {
                    (false, _) => vec![Projection::Field(field, ty)],
                    (true, false) => vec![
                        Projection::Field(field, place::raw_mut(ty)),
                        Projection::Deref(ty),
                    ],
                    (true, true) => vec![
                        Projection::Field(field, Ty::boxed(ty)),
                        Projection::Deref(ty),
                    ],
                };
                way.append(&mut place.projections);
                place.projections = way;
                place.base = Base::Local(self.number(environment));
            }
            _ => place.base = Base::Local(self.number(local)),
        }
    }
    fn bound(&mut self, local: &mut LocalId) {
        *local = self.number(*local);
    }
}

/// Whether the result of a function may point into its arguments. `ret_kind` says how the result type is written.
fn may_lend(ret_kind: RefKind, ret: Ty) -> bool {
    ret_kind != RefKind::Value && copies(ret)
}

/// A value that a function owns, and reads only once and outside of loops, is moved instead of copied.
fn move_out(local: LocalId, body: &mut Expr) {
    struct Uses {
        local: LocalId,
        places: usize,
        loops: bool,
        moves: bool,
    }
    impl Visitor for Uses {
        fn place(&mut self, place: &mut Place) {
            let own = matches!(place.base, Base::Local(local) if local == self.local);
            self.places += usize::from(own);
        }
        fn expr(&mut self, expr: &mut Expr) {
            match &mut expr.kind {
                ExprKind::Loop(..) | ExprKind::While(..) | ExprKind::For(..) => self.loops = true,
                ExprKind::Read { place, copy } if self.moves && place.projections.is_empty() => {
                    if matches!(place.base, Base::Local(local) if local == self.local) {
                        *copy = false;
                    }
                }
                _ => {}
            }
        }
    }
    let mut uses = Uses {
        local,
        places: 0,
        loops: false,
        moves: false,
    };
    visit::expr(body, &mut uses);
    if uses.places == 1 && !uses.loops {
        uses.moves = true;
        visit::expr(body, &mut uses);
    }
}

fn position(all: &mut Vec<LocalId>, local: LocalId) -> usize {
    match all.iter().position(|&other| other == local) {
        Some(position) => position,
        None => {
            all.push(local);
            all.len() - 1
        }
    }
}

impl Place {
    pub(super) fn of(local: LocalId) -> Self {
        Place {
            base: Base::Local(local),
            projections: Vec::new(),
        }
    }
    pub(super) fn value(value: Expr) -> Self {
        Place {
            base: Base::Value(Box::new(value)),
            projections: Vec::new(),
        }
    }
    pub(super) fn then(mut self, step: Projection) -> Self {
        self.projections.push(step);
        self
    }
}

/// Whether reading a value of this type must copy it where Rust copies or moves it. Lists are addresses here, and so is what a closure owns and changes.
fn copies(ty: Ty) -> bool {
    fn contains(ty: Ty, seen: &mut Vec<Ty>) -> bool {
        match ty {
            // The captures of a closure are not known yet; it may own a variable that it changes.
            Ty::List(..) | Ty::Closure(_) => true,
            Ty::Tuple(fields) => fields.iter().any(|&field| contains(field, seen)),
            Ty::Adt(adt, _) if !seen.contains(&ty) => {
                seen.push(ty);
                let mut variants = 0..adt.variants.len() as u32;
                variants.any(|n| ty.fields(n).iter().any(|field| contains(field.1, seen)))
            }
            _ => false,
        }
    }
    contains(ty, &mut Vec::new())
}

/// The value of a variable.
fn read_local(local: LocalId, ty: Ty, span: Span) -> Expr {
    let kind = ExprKind::Read {
        place: Place::of(local),
        copy: false,
    };
    kind.of(ty, span)
}

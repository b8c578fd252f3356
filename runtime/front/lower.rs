//! A source, lowered to generic IR: names become values, control flow becomes blocks, every check that Rust makes
//! becomes a guard.
//!
//! Types are left to `infer`: what is not written is a fresh `Type::Infer`, and what must be equal is noted as an
//! [`Equation`]. What depends on types is therefore not decided here: whether `a + b` adds numbers or arrays, which
//! function a method names, whether an operation can overflow (`infer` guards it).
//!
//! Code that cannot be reached is not lowered at all, so every value in the result means something.

mod control;
mod expr;
mod iter;
mod place;

use super::tree::{At, Body, Expr, Param, Pattern, Source};
use crate::diag::{Diagnostic, Span};
use crate::ir::build::{Builder, Variable};
use crate::ir::{Block, Function, Op, Prim, Symbol, Type, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;

/// A function before inference, with the closures of its maps.
///
/// Parameters and result of the function have declared types. Every other value may have a type `Infer(n)`; type
/// variables are shared by all functions here. A literal without suffix is a constant of such a type.
#[derive(Debug)]
pub struct Generic {
    /// The function itself, then its closures, named `f.closure0`. A closure's parameters are the element, then the captures, which
    /// the map has as further arguments; its result type may be unknown too.
    pub functions: Vec<GenericFunction>,
    /// What must hold of the types beyond what the instructions say.
    pub equations: Vec<Equation>,
}

/// One function before inference.
#[derive(Debug)]
pub struct GenericFunction {
    /// A call or map that is not in `callees` names a method: the receiver is the first argument.
    pub function: Function,
    /// The callees of the calls and maps of known functions, by their results.
    pub callees: BTreeMap<Value, Callee>,
}

/// What a call or a map names.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// A differentiable function.
    Source(&'static Source),
    /// A closure, by its position in [`Generic::functions`].
    Closure(usize),
}

/// The name in IR of a function: its path. Functions inside the bodies of two others may have the same path; all but
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

/// Two types that must be equal; a `&mut [T]` may also be found where a `&[T]` is expected.
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    /// What is there.
    pub found: Type,
    /// What should be.
    pub expected: Type,
    /// Where it is.
    pub span: Span,
}

/// Lowers a function.
pub fn lower(source: &'static Source) -> Result<Generic, Diagnostic> {
    let mut lowering = Lowering {
        file: source.file,
        frames: Vec::new(),
        closures: Vec::new(),
        equations: Vec::new(),
        variables: 0,
    };
    let mut functions = vec![lowering.function(source)?];
    functions.append(&mut lowering.closures);
    Ok(Generic {
        functions,
        equations: lowering.equations,
    })
}

/// Why lowering an expression gave no value.
enum Stop {
    /// It never finishes: the current block has its terminator.
    Diverged,
    /// A mistake.
    Failed(Box<Diagnostic>),
}

/// A value, or why there is none.
type Lowered = Result<Value, Stop>;

struct Lowering {
    file: &'static str,
    /// The function, and the closures around the current place, innermost last.
    frames: Vec<Frame>,
    closures: Vec<GenericFunction>,
    equations: Vec<Equation>,
    variables: u32,
}

/// A function being built.
struct Frame {
    builder: Builder,
    ret: Type,
    scopes: Vec<HashMap<&'static str, Binding>>,
    loops: Vec<LoopScope>,
    callees: BTreeMap<Value, Callee>,
    /// Of a closure: the values of the enclosing function that are its further arguments.
    captures: Vec<Value>,
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum Binding {
    Variable(Variable),
    /// An element of a slice, as `iter_mut` gives it.
    Place {
        slice: Value,
        index: Value,
    },
}

/// A loop around the current place.
struct LoopScope {
    label: Option<&'static str>,
    /// Where `break` goes; its parameter is the loop's value, if there is one.
    exit: Block,
    /// Where `continue` goes.
    next: Block,
    breaks: bool,
    continues: bool,
}

impl Lowering {
    fn function(&mut self, source: &'static Source) -> Result<GenericFunction, Diagnostic> {
        let types: Vec<Type> = source.params.iter().map(|param| (param.ty)()).collect();
        self.open(symbol(source), &types, (source.ret)());
        let body = |lowering: &mut Self| match &source.body {
            Body::Block(block) => {
                lowering.bind_params(source.params)?;
                let value = lowering.block(block)?;
                lowering.set_span(source.at);
                lowering.ret(value);
                Err(Stop::Diverged)
            }
            Body::Pack(_) => {
                lowering.set_span(source.at);
                lowering.call_itself(source);
                Err(Stop::Diverged)
            }
        };
        match body(self) {
            Ok(()) | Err(Stop::Diverged) => Ok(self.close().0),
            Err(Stop::Failed(diagnostic)) => Err(*diagnostic),
        }
    }
    /// A pack's function, as a function: calls the pack's.
    fn call_itself(&mut self, source: &'static Source) {
        let args = self.builder().function.params().to_vec();
        let value = self.call_source(source, &args);
        self.ret(value);
    }
    fn bind_params(&mut self, params: &'static [Param]) -> Result<(), Stop> {
        let values = self.builder().function.params().to_vec();
        for (param, value) in params.iter().zip(values) {
            self.bind(&param.pattern, value);
        }
        Ok(())
    }

    /// Begins a function.
    fn open(&mut self, name: Symbol, params: &[Type], ret: Type) {
        self.frames.push(Frame {
            builder: Builder::new(Function::new(name, params, ret)),
            ret,
            scopes: vec![HashMap::new()],
            loops: Vec::new(),
            callees: BTreeMap::new(),
            captures: Vec::new(),
        });
    }
    /// Completes the innermost function; with it, what it captures.
    fn close(&mut self) -> (GenericFunction, Vec<Value>) {
        let frame = self.frames.pop().expect("a function is being built");
        let mut function = frame.builder.finish();
        drop_unused_constants(&mut function);
        let callees = frame.callees;
        (GenericFunction { function, callees }, frame.captures)
    }
    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is being built")
    }
    fn builder(&mut self) -> &mut Builder {
        &mut self.frame().builder
    }
    fn name(&mut self) -> Symbol {
        self.builder().function.name
    }

    /// Instructions that follow belong to this place.
    fn set_span(&mut self, at: At) {
        self.builder().span = self.span(at);
    }
    /// Instructions that follow are ours: no user wrote them, and their arithmetic needs no guards.
    fn unset_span(&mut self) {
        self.builder().span = Span::NONE;
    }
    /// The place of an expression.
    fn span(&self, at: At) -> Span {
        Span {
            file: self.file,
            line: at.0,
            column: at.1,
        }
    }
    fn fail<T>(&self, at: At, message: &str, help: &str) -> Result<T, Stop> {
        let diagnostic = Diagnostic::new(self.span(at), message).help(help);
        Err(Stop::Failed(Box::new(diagnostic)))
    }

    /// A type that is not known yet.
    fn fresh(&mut self) -> Type {
        self.variables += 1;
        Type::Infer(self.variables - 1)
    }
    fn ty(&mut self, value: Value) -> Type {
        self.builder().function.ty(value)
    }
    /// Notes that a value must have a type.
    fn expect(&mut self, value: Value, expected: Type) {
        let (found, span) = (self.ty(value), self.builder().span);
        self.equate(found, expected, span);
    }
    fn equate(&mut self, found: Type, expected: Type, span: Span) {
        if found != expected {
            let equation = Equation {
                found,
                expected,
                span,
            };
            self.equations.push(equation);
        }
    }

    /// Appends a primitive as it is: nothing is folded while types are unknown.
    fn prim(&mut self, prim: Prim, args: &[Value], ty: Type) -> Value {
        self.builder().inst(Op::Prim(prim), args, ty)
    }
    fn usize(&mut self, n: i64) -> Value {
        self.builder().int(n, Type::Usize)
    }
    fn ret(&mut self, value: Value) {
        let ret = self.frame().ret;
        self.expect(value, ret);
        self.builder().ret(value);
    }

    /// Runs `body` with a scope for its names.
    fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.frame().scopes.push(HashMap::new());
        let result = body(self);
        self.frame().scopes.pop();
        result
    }
    fn declare(&mut self, name: &'static str, binding: Binding) {
        let scope = self.frame().scopes.last_mut();
        scope.expect("a function has a scope").insert(name, binding);
    }
    /// Binds the names of a pattern to a value.
    fn bind(&mut self, pattern: &'static Pattern, value: Value) {
        let ty = self.ty(value);
        self.bind_as(pattern, value, ty);
    }
    /// Binds the names of a pattern to a value, with the type that was written for it.
    fn bind_as(&mut self, pattern: &'static Pattern, value: Value, ty: Type) {
        match pattern {
            Pattern::Wild => {}
            Pattern::Name(name) => {
                let variable = self.builder().declare(ty);
                self.builder().define(variable, value);
                self.label(value, name);
                self.declare(name, Binding::Variable(variable));
            }
            Pattern::Tuple(fields) => {
                for (n, field) in fields.iter().enumerate() {
                    let value = self.field(value, n as u32);
                    self.bind(field, value);
                }
            }
        }
    }
    /// Declares the names of a pattern without values: `let x;`
    fn bind_later(&mut self, pattern: &'static Pattern, ty: Option<Type>) {
        match pattern {
            Pattern::Wild => {}
            Pattern::Name(name) => {
                let ty = ty.unwrap_or_else(|| self.fresh());
                let variable = self.builder().declare(ty);
                self.declare(name, Binding::Variable(variable));
            }
            Pattern::Tuple(fields) => {
                for (n, field) in fields.iter().enumerate() {
                    let ty = match ty {
                        Some(Type::Tuple(types)) => types.get(n).copied(),
                        _ => None,
                    };
                    self.bind_later(field, ty);
                }
            }
        }
    }
    /// Gives a value the user's name for it, for messages and printing. Constants are shared: they have none.
    fn label(&mut self, value: Value, name: &str) {
        let function = &mut self.builder().function;
        if function.as_const(value).is_none() {
            function.values[value].name.get_or_insert(Symbol::new(name));
        }
    }
    /// Field `n` of a tuple.
    fn field(&mut self, tuple: Value, n: u32) -> Value {
        let ty = match self.ty(tuple) {
            Type::Tuple(fields) if (n as usize) < fields.len() => fields[n as usize],
            _ => self.fresh(),
        };
        self.prim(Prim::Field(n), &[tuple], ty)
    }

    /// What a name is bound to in the current function; a name of an enclosing one is captured.
    fn lookup(&mut self, name: &'static str) -> Option<Binding> {
        self.lookup_in(self.frames.len() - 1, name)
    }
    fn lookup_in(&mut self, depth: usize, name: &'static str) -> Option<Binding> {
        let frame = &self.frames[depth];
        if let Some(&found) = frame.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            return Some(found);
        }
        let outer = depth.checked_sub(1)?;
        let binding = self.lookup_in(outer, name)?;
        Some(self.capture(depth, name, binding))
    }
    /// Makes a variable of the enclosing function a further parameter of the closure at `depth`.
    fn capture(&mut self, depth: usize, name: &'static str, binding: Binding) -> Binding {
        let outer = &mut self.frames[depth - 1].builder;
        let value = read(outer, binding);
        let ty = outer.function.ty(value);
        let frame = &mut self.frames[depth];
        let (entry, current) = (frame.builder.function.entry(), frame.builder.block());
        let param = frame.builder.add_param(entry, ty);
        frame.builder.function.values[param].name = Some(Symbol::new(name));
        let variable = frame.builder.declare(ty);
        frame.builder.switch_to(entry);
        frame.builder.define(variable, param);
        frame.builder.switch_to(current);
        frame.captures.push(value);
        let binding = Binding::Variable(variable);
        frame.scopes[0].insert(name, binding);
        binding
    }
    /// The value of a name.
    fn local(&mut self, name: &'static str, at: At) -> Lowered {
        let Some(binding) = self.lookup(name) else {
            return self.fail(at, &format!("the variable `{name}` is not known here"), "");
        };
        self.set_span(at);
        let value = read(self.builder(), binding);
        self.label(value, name);
        Ok(value)
    }
}

/// The value of a binding at the end of the current block.
fn read(builder: &mut Builder, binding: Binding) -> Value {
    match binding {
        Binding::Variable(variable) => builder.read(variable),
        Binding::Place { slice, index } => {
            // A place is made only for a slice of known type.
            let element = builder.function.ty(slice).element();
            let ty = element.unwrap_or(Type::UNIT);
            builder.inst(Op::Prim(Prim::Load), &[slice, index], ty)
        }
    }
}

/// Drops the constants that nothing uses: the values of statements above all.
fn drop_unused_constants(function: &mut Function) {
    let mut used = HashSet::new();
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

/// Whether an expression is a number without a written type, so that a cast gives it one.
fn is_plain_literal(expr: &Expr, to: Type) -> bool {
    use super::tree::Kind;
    match &expr.kind {
        Kind::Int(_, None) => to.is_int(),
        Kind::Float(_, None) => to.is_float(),
        Kind::Neg(inner) => is_plain_literal(inner, to),
        _ => false,
    }
}

//! A function that is being built: its variables, and the basic operations that the other files use.

use super::copy::Copying;
use super::{Job, Lowered, Lowering, Stop, drop_unused_constants, thaw};
use crate::front::ty::Ty;
use crate::front::typed::{self, Local, LocalId, LoopId};
use crate::ir::build::{Builder, Variable};
use crate::ir::{Block, Const, Function, Prim, Symbol, Terminator, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function that is being built.
pub(super) struct Body<'l, 'p> {
    pub all: &'l mut Lowering<'p>,
    pub b: Builder,
    /// The state of the variables of the source.
    pub locals: &'p [Local],
    /// How many of the variables, counted from the first, are parameters that share lists with the caller.
    pub shared: usize,
    pub bindings: Vec<Binding>,
    pub loops: FxHashMap<LoopId, LoopScope>,
    /// Whether nothing that the function stores has a derivative: it is `#[non_differentiable]`, or called by a function that is.
    pub constant: bool,
    /// Whether nothing that it returns has one. What it calls may return what leads to memory, where all that is stored has none.
    pub returns_constant: bool,
    /// Variables that need special treatment: they are assigned mutable slices, or a shared list in them is changed.
    pub careful: FxHashSet<LocalId>,
    /// Variables whose lists are shared with the place to which they were bound.
    pub borrowed: FxHashSet<LocalId>,
    /// Whether an or-pattern is being lowered, whose alternatives bind a variable at several places.
    pub in_alternatives: bool,
}

/// How a variable is stored.
#[derive(Clone, Copy)]
pub(super) enum Binding {
    /// Not declared yet.
    Nowhere,
    /// As an SSA value.
    Variable(Variable),
    /// As an object; this is its address.
    Object(Variable),
    /// The variable is the address of an element of a slice of numbers, which is not computed yet.
    Element { slice: Value, index: Value },
}

/// A loop or labelled block around the current expression.
pub(super) struct LoopScope {
    /// The block to which `break` jumps. Its parameter is the value, if there is one.
    pub exit: Block,
    /// The block to which `continue` jumps.
    pub next: Block,
    pub breaks: bool,
    pub continues: bool,
}

impl<'l, 'p> Body<'l, 'p> {
    /// Begins a function.
    pub fn new(all: &'l mut Lowering<'p>, function: Function) -> Self {
        Body {
            all,
            b: Builder::new(function),
            locals: &[],
            shared: 0,
            bindings: Vec::new(),
            loops: FxHashMap::default(),
            constant: false,
            returns_constant: false,
            careful: FxHashSet::default(),
            borrowed: FxHashSet::default(),
            in_alternatives: false,
        }
    }
    /// Lowers a function of the program.
    pub fn function(mut self, source: &'p typed::Function) -> Lowered<Function> {
        self.locals = &source.locals;
        self.shared = if source.may_lend {
            0
        } else {
            source.params.len()
        };
        self.bindings = vec![Binding::Nowhere; source.locals.len()];
        self.b.span = source.span;
        let values = self.b.function.params().to_vec();
        for (&local, value) in source.params.iter().zip(values) {
            self.bind(local, value)?;
        }
        match self.expr(&source.body) {
            Ok(value) => {
                self.b.span = source.span;
                self.ret(value, source.ret)?;
            }
            Err(Stop::Diverged) => {}
            Err(stop) => return Err(stop),
        }
        Ok(self.finish())
    }
    /// Finishes the function.
    pub fn finish(self) -> Function {
        let mut function = self.b.finish();
        drop_unused_constants(&mut function);
        function
    }
    /// Returns from the function with a value.
    pub fn ret(&mut self, value: Value, ty: Ty) -> Lowered<()> {
        let value = match self.returns_constant {
            true => self.duplicate(value, ty, Copying::Stopped)?,
            false => value,
        };
        let value = self.fit(value, self.b.function.ret);
        self.b.ret(value);
        Ok(())
    }

    pub fn ty(&self, value: Value) -> Type {
        self.b.function.ty(value)
    }
    pub fn prim(&mut self, prim: Prim, args: &[Value]) -> Value {
        self.b.prim(prim, args)
    }
    pub fn usize(&mut self, n: usize) -> Value {
        self.b.int(n as i64, Type::Usize)
    }
    pub fn field(&mut self, tuple: Value, n: u32) -> Value {
        self.prim(Prim::Field(n), &[tuple])
    }
    pub fn tuple(&mut self, fields: &[Value]) -> Value {
        match fields {
            [] => self.b.unit(),
            _ => self.prim(Prim::Tuple, fields),
        }
    }
    /// The zero value of any type: 0, false, null.
    pub fn zero(&mut self, ty: Type) -> Value {
        match ty {
            Type::Tuple(fields @ [_, ..]) => {
                let fields: Vec<Value> = fields.iter().map(|&field| self.zero(field)).collect();
                self.tuple(&fields)
            }
            ty => self.b.zero(ty),
        }
    }
    /// Marks the next instructions as generated: no user wrote them.
    pub fn unset_span(&mut self) {
        self.b.span = crate::diag::Span::NONE;
    }
    /// Converts a value to a type that differs only in the mutability of slices.
    pub fn fit(&mut self, value: Value, wanted: Type) -> Value {
        let found = self.ty(value);
        match (found, wanted) {
            _ if found == wanted => value,
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                let fields: Vec<Value> = (0..b.len())
                    .map(|n| {
                        let field = self.field(value, n as u32);
                        self.fit(field, b[n])
                    })
                    .collect();
                self.tuple(&fields)
            }
            (Type::Slice(a) | Type::SliceMut(a), Type::Slice(b) | Type::SliceMut(b)) if a == b => {
                if self.b.function.as_const(value) == Some(Const::Null) {
                    return self.b.constant(Const::Null, wanted);
                }
                let base = self.prim(Prim::Base, &[value]);
                let length = self.prim(Prim::Len, &[value]);
                self.b.prim_to(Prim::View, &[base, length], wanted)
            }
            // The verifier will report types that do not fit.
            _ => value,
        }
    }
    /// Names a value as the user did, for messages and printing. Constants are shared and have no name.
    pub fn label(&mut self, value: Value, name: &str) {
        let value = self.b.resolve(value);
        let function = &mut self.b.function;
        if function.as_const(value).is_none() && !name.is_empty() {
            function.values[value].name.get_or_insert(Symbol::new(name));
        }
    }
    /// Calls a function of the module that is lowered after this one.
    pub fn call_job(&mut self, job: Job, args: &[Value], ret: Type) -> Value {
        let name = self.all.name(job);
        self.b.call(name, args, ret)
    }

    /// Initialises a variable where it is declared.
    pub fn bind(&mut self, local: LocalId, value: Value) -> Lowered<()> {
        let Some(&Local {
            name,
            ty,
            in_memory,
        }) = self.locals.get(local)
        else {
            return super::malformed(format!("there is no variable {local}"));
        };
        if !in_memory {
            return self.assign(local, value);
        }
        let variable = match self.bindings[local] {
            Binding::Object(variable) => variable,
            _ => self.b.declare(Type::Ptr),
        };
        let object = self.new_object(ty);
        self.b.define(variable, object);
        self.label(object, name);
        self.bindings[local] = Binding::Object(variable);
        self.store(object, 0, ty, value)
    }
    /// Assigns an SSA variable.
    pub fn assign(&mut self, local: LocalId, value: Value) -> Lowered<()> {
        let variable = match self.bindings[local] {
            Binding::Variable(variable) => variable,
            Binding::Nowhere => {
                let ty = match self.careful.contains(&local) {
                    true => thaw(self.ty(value)),
                    false => self.ty(value),
                };
                let variable = self.b.declare(ty);
                self.bindings[local] = Binding::Variable(variable);
                variable
            }
            _ => return super::malformed("a reference from a loop is assigned"),
        };
        let wanted = self.b.variable_type(variable);
        let found = self.ty(value);
        if found != wanted && wanted != thaw(wanted) {
            return Err(Stop::Again(local));
        }
        let value = self.fit(value, wanted);
        self.b.define(variable, value);
        self.label(value, self.locals[local].name);
        Ok(())
    }
    /// The object of a variable that is initialised after its declaration. It is allocated on entry.
    pub fn early_object(&mut self, local: LocalId) -> Variable {
        let variable = self.b.declare(Type::Ptr);
        let ty = self.locals[local].ty;
        self.on_entry(|this| {
            let object = this.new_object(ty);
            this.b.define(variable, object);
        });
        self.bindings[local] = Binding::Object(variable);
        variable
    }
    /// Appends instructions to the first block of the function. They must not branch, and may depend only on constants.
    pub fn on_entry<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let (entry, current) = (self.b.function.entry(), self.b.block());
        let end = &mut self.b.function.blocks[entry].terminator;
        let end = std::mem::replace(end, Terminator::Missing);
        self.b.switch_to(entry);
        let result = code(self);
        self.b.function.blocks[entry].terminator = end;
        self.b.switch_to(current);
        result
    }
}

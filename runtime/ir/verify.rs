//! The verifier: every invariant of `ir/mod.rs`, checked.
//!
//! Of a module:
//! - the root is in it, and every function stands under its own name.
//!
//! Of a function:
//! - the layout has an entry and names each block once; no edge leads to the entry, none to a block outside;
//! - every block has a terminator;
//! - each instruction is in one block, once; each value is the parameter or the result that its row says;
//! - an edge passes as many arguments as its target has parameters, of the same types;
//! - the definition of a value dominates each of its uses (uses in unreachable blocks are dominated by everything);
//! - types are known (no `Infer`), elements of slices and arrays are scalars;
//! - a constant is one of its type: integers in range, an `f32` without more digits than it has;
//! - a primitive's arguments fit it and its result is what `build::prim_type` says; `cast`, `bitcast` and `peek` are
//!   possible between their types; `select` chooses between what a register holds;
//! - a call takes the parameters of a function of the module, or of something outside that the caller knows, and gives
//!   its result; so does a map with the elements;
//! - what is returned has the function's result type;
//! - a function that says which of its arguments are moved says so of each, and is clustered;
//! - of a parallel function each parameter has a role, the first two and no other those of the range, which are `usize`; what is added to is a mutable
//!   slice of floats, what is touched one of bytes, all others are numbers and slices, and so are the leaves of tuples; what it returns is floats;
//! - a record that was popped from the tape is not read after something else may have been pushed.
//!
//! [`verify_generic`] checks all but the types, which inference has not found yet.

use super::build::prim_type;
use super::eval::{fits, widen};
use super::expr::map_type;
use super::flow::Flow;
use super::print::InstText;
use super::records;
use super::*;
use crate::arena::Id;
use crate::diag::{Error, Result};
use half::f16;
use rustc_hash::FxHashSet;

/// The type of a call of what is outside of the module with arguments of these types; `None` if there is no such thing.
pub type Externals<'a> = &'a dyn Fn(Callee, &[Type]) -> Option<Type>;

/// Checks a typed module. Errors name the function, the block, the instruction, the found and the expected.
pub fn verify(module: &Module, externals: Externals) -> Result<()> {
    let pushing = records::pushing(module);
    for function in checked_functions(module)? {
        let verifier = Verifier {
            module,
            function,
            externals,
        };
        verifier.structure()?;
        verifier.dominance()?;
        verifier.types()?;
        verifier.roles()?;
        if let Some((block, inst)) = records::read_too_late(function, &pushing) {
            let message = "it reads a popped record of the tape after something else may have been pushed there";
            return verifier.fail(At::Inst(block, inst), message);
        }
    }
    Ok(())
}

/// Checks a generic module: everything but types.
pub fn verify_generic(module: &Module) -> Result<()> {
    for function in checked_functions(module)? {
        let verifier = Verifier {
            module,
            function,
            externals: &|_, _| None,
        };
        verifier.structure()?;
        verifier.dominance()?;
    }
    Ok(())
}

fn checked_functions(module: &Module) -> Result<impl Iterator<Item = &Function>> {
    if !module.functions.contains_key(&module.root) {
        return internal(format!(
            "the module has no function {:?}, its root",
            module.root
        ));
    }
    for (name, function) in &module.functions {
        if *name != function.name {
            let message = format!(
                "function {:?} stands under the name {name:?}",
                function.name
            );
            return internal(message);
        }
    }
    Ok(module.functions.values())
}

fn internal<T>(message: String) -> Result<T> {
    Err(Error::Internal(message))
}

struct Verifier<'a> {
    module: &'a Module,
    function: &'a Function,
    externals: Externals<'a>,
}

/// Where a check is: for messages.
#[derive(Clone, Copy)]
enum At {
    Function,
    Block(Block),
    Inst(Block, Inst),
    Terminator(Block),
}

impl Verifier<'_> {
    fn fail<T>(&self, at: At, message: impl fmt::Display) -> Result<T> {
        let f = self.function;
        let place = match at {
            At::Function => String::new(),
            At::Block(block) => format!(", {block}"),
            At::Inst(block, inst) => format!(", {block}, `{}`", InstText(f, inst)),
            At::Terminator(block) => format!(", {block}, `{}`", f.blocks[block].terminator),
        };
        internal(format!("function {:?}{place}: {message}", f.name))
    }

    /// Ids name rows, rows agree with each other, edges lead somewhere.
    fn structure(&self) -> Result<()> {
        let f = self.function;
        let mut blocks = FxHashSet::default();
        if f.layout.is_empty() {
            return self.fail(
                At::Function,
                "expected an entry block, found an empty layout",
            );
        }
        for &block in &f.layout {
            if !f.blocks.contains(block) {
                return self.fail(
                    At::Function,
                    format!("{block} is in the layout but does not exist"),
                );
            }
            if !blocks.insert(block) {
                return self.fail(At::Block(block), "the block is in the layout twice");
            }
        }
        let mut insts = FxHashSet::default();
        for (block, data) in f.blocks_in_order() {
            for (i, &param) in data.params.iter().enumerate() {
                let def = ValueDef::Param(block, i as u32);
                self.defined(At::Block(block), param, def)?;
            }
            for &inst in &data.insts {
                if !f.insts.contains(inst) || !insts.insert(inst) {
                    let message = format!("{inst} does not exist or is in a block already");
                    return self.fail(At::Block(block), message);
                }
                for &arg in &f.insts[inst].args {
                    self.exists(block, arg)?;
                }
                self.defined(At::Block(block), f.insts[inst].result, ValueDef::Inst(inst))?;
            }
            self.edges(block, &data.terminator, &blocks)?;
        }
        Ok(())
    }
    fn exists(&self, block: Block, value: Value) -> Result<()> {
        match self.function.values.contains(value) {
            true => Ok(()),
            false => self.fail(At::Block(block), format!("{value} does not exist")),
        }
    }
    fn defined(&self, at: At, value: Value, def: ValueDef) -> Result<()> {
        let found = self
            .function
            .values
            .contains(value)
            .then(|| self.function.values[value].def);
        match found == Some(def) {
            true => Ok(()),
            false => self.fail(
                at,
                format!("{value} is defined as {def:?}, its row says {found:?}"),
            ),
        }
    }
    fn edges(
        &self,
        block: Block,
        terminator: &Terminator,
        blocks: &FxHashSet<Block>,
    ) -> Result<()> {
        let mut missing = None;
        terminator.for_each_value(|v| {
            if !self.function.values.contains(v) {
                missing = Some(v);
            }
        });
        if let Some(value) = missing {
            return self.exists(block, value);
        }
        if *terminator == Terminator::Missing {
            return self.fail(At::Block(block), "the block has no terminator");
        }
        for edge in terminator.edges() {
            let at = At::Terminator(block);
            if !blocks.contains(&edge.block) {
                return self.fail(at, format!("{} is not in the layout", edge.block));
            }
            if edge.block == self.function.entry() {
                return self.fail(at, "an edge leads to the entry block");
            }
            let expected = self.function.blocks[edge.block].params.len();
            if edge.args.len() != expected {
                let found = edge.args.len();
                let message = format!("{} expects {expected} arguments, found {found}", edge.block);
                return self.fail(at, message);
            }
        }
        Ok(())
    }

    /// Every use is dominated by the definition.
    fn dominance(&self) -> Result<()> {
        let f = self.function;
        let flow = Flow::new(f);
        // Where each value that exists is defined: the block, and 0 for parameters or one more than the place.
        let mut place: Vec<Option<(Block, usize)>> = vec![None; f.values.len()];
        for (block, data) in f.blocks_in_order() {
            for param in &data.params {
                place[param.index()] = Some((block, 0));
            }
            for (i, &inst) in data.insts.iter().enumerate() {
                place[f.insts[inst].result.index()] = Some((block, i + 1));
            }
        }
        let check = |at: At, block: Block, position: usize, value: Value| match place[value.index()]
        {
            None => self.fail(at, format!("{value} is used but in no block")),
            Some((other, defined)) if other == block => match defined < position {
                true => Ok(()),
                false => self.fail(at, format!("{value} is used before it is defined")),
            },
            Some((other, _)) if flow.dominates(other, block) => Ok(()),
            Some((other, _)) => {
                let message =
                    format!("{value} is defined in {other}, which does not dominate {block}");
                self.fail(at, message)
            }
        };
        for (block, data) in f.blocks_in_order() {
            for (i, &inst) in data.insts.iter().enumerate() {
                for &arg in &f.insts[inst].args {
                    check(At::Inst(block, inst), block, i + 1, arg)?;
                }
            }
            let mut result = Ok(());
            data.terminator.for_each_value(|v| {
                if result.is_ok() {
                    result = check(At::Terminator(block), block, usize::MAX, v);
                }
            });
            result?;
        }
        Ok(())
    }

    /// Every type is known and fits.
    fn types(&self) -> Result<()> {
        let f = self.function;
        if !is_well_formed(f.ret) {
            return self.fail(At::Function, format!("the result has the type {}", f.ret));
        }
        for (block, data) in f.blocks_in_order() {
            for &param in &data.params {
                let ty = f.ty(param);
                if !is_well_formed(ty) {
                    return self.fail(At::Block(block), format!("{param} has the type {ty}"));
                }
            }
            for &inst in &data.insts {
                self.instruction(At::Inst(block, inst), &f.insts[inst])?;
            }
            self.terminator(At::Terminator(block), &data.terminator)?;
        }
        Ok(())
    }
    /// Threads can share the iterations.
    fn roles(&self) -> Result<()> {
        let f = self.function;
        if !f.moved.is_empty() && (!f.clustered || f.moved.len() != f.params().len()) {
            let (found, expected) = (f.moved.len(), f.params().len());
            let message = format!(
                "expected a clustered function with {expected} marks of what is moved, found {found}"
            );
            return self.fail(At::Function, message);
        }
        let Some(roles) = &f.parallel else {
            return Ok(());
        };
        let params = f.params();
        if roles.len() != params.len() {
            let (found, expected) = (roles.len(), params.len());
            let message = format!("expected {expected} roles for threads, found {found}");
            return self.fail(At::Function, message);
        }
        for (n, (&role, &param)) in roles.iter().zip(params).enumerate() {
            if !role_fits(n, role, f.ty(param)) {
                let (ty, word) = (f.ty(param), role.word());
                let message = format!("{param} of type {ty} cannot be `{word}` to threads here");
                return self.fail(At::Function, message);
            }
        }
        match is_sum(f.ret) {
            true => Ok(()),
            false => self.fail(
                At::Function,
                format!("threads add floats, and cannot add {}", f.ret),
            ),
        }
    }
    fn terminator(&self, at: At, terminator: &Terminator) -> Result<()> {
        let f = self.function;
        match terminator {
            Terminator::Branch { condition, .. } => {
                self.expect(at, "the condition", Type::Bool, f.ty(*condition))?;
            }
            Terminator::Return(value) => self.expect(at, "the result", f.ret, f.ty(*value))?,
            Terminator::Missing | Terminator::Jump(_) | Terminator::Error(..) => {}
        }
        for edge in terminator.edges() {
            for (&param, &arg) in f.blocks[edge.block].params.iter().zip(&edge.args) {
                self.expect(
                    at,
                    &format!("argument {arg} for {param}"),
                    f.ty(param),
                    f.ty(arg),
                )?;
            }
        }
        Ok(())
    }
    fn instruction(&self, at: At, data: &InstData) -> Result<()> {
        let f = self.function;
        let types: SmallVec<[Type; 4]> = data.args.iter().map(|&v| f.ty(v)).collect();
        let ty = f.ty(data.result);
        if !is_well_formed(ty) {
            return self.fail(at, format!("the result has the type {ty}"));
        }
        let expected = match data.op {
            Op::Const(c) if constant_fits(c, ty) => Some(ty),
            Op::Const(_) => {
                return self.fail(at, format!("expected a constant of type {ty}"));
            }
            Op::Prim(
                prim @ (Prim::Cast
                | Prim::Bitcast
                | Prim::Peek(_)
                | Prim::Get(_)
                | Prim::View
                | Prim::LoadLanes),
            ) => converts(prim, &types, ty).then_some(ty),
            Op::Prim(prim) => prim_type(prim, &types),
            Op::Call(callee) => self.called(callee, &types),
            Op::Map(callee) => map_type(
                callee,
                &types,
                &|name, types| self.local(name, types),
                self.externals,
            ),
        };
        match expected {
            Some(expected) => self.expect(at, "the result", expected, ty),
            None => self.no_such(at, data.op, &types, ty),
        }
    }
    /// The result of a call; of one of a pack's scalar function with registers, lane by lane.
    fn called(&self, callee: Callee, types: &[Type]) -> Option<Type> {
        let lanes = types.iter().find_map(|ty| ty.lanes());
        let Some((_, count)) = lanes else {
            let local = callee.function().and_then(|name| self.local(name, types));
            return local.or_else(|| (self.externals)(callee, types));
        };
        let fits = |ty: &Type| ty.lanes().is_some_and(|(_, own)| own == count);
        let scalars: SmallVec<[Type; 4]> = types.iter().map(|ty| ty.lane()).collect();
        let result = (self.externals)(callee, &scalars).filter(|_| types.iter().all(fits));
        result.and_then(Type::in_lanes)
    }
    /// The result of a function of the module for arguments of these types.
    fn local(&self, name: Symbol, types: &[Type]) -> Option<Type> {
        let (params, ret) = self.signature(name)?;
        (params == types).then_some(ret)
    }
    fn signature(&self, name: Symbol) -> Option<(Vec<Type>, Type)> {
        if let Some(callee) = self.module.functions.get(&name) {
            return Some((callee.param_types(), callee.ret));
        }
        let declared = self.module.declared.get(&name)?;
        Some((declared.params.clone(), declared.ret))
    }
    fn no_such(&self, at: At, op: Op, types: &[Type], ty: Type) -> Result<()> {
        let found = Type::tuple(types);
        match op {
            Op::Call(Callee::Function(name)) if let Some((params, _)) = self.signature(name) => {
                let expected = Type::tuple(&params);
                self.fail(
                    at,
                    format!("expected arguments of types {expected}, found {found}"),
                )
            }
            Op::Call(callee) => self.fail(
                at,
                format!("nothing named `{callee}` takes arguments of types {found}"),
            ),
            Op::Map(name) => {
                let message = format!(
                    "no function of scalars `{name}` takes the elements of {found}, one an array at least"
                );
                self.fail(at, message)
            }
            Op::Prim(
                Prim::Cast
                | Prim::Bitcast
                | Prim::Peek(_)
                | Prim::Get(_)
                | Prim::View
                | Prim::LoadLanes,
            ) => self.fail(at, format!("cannot make {ty} of {found}")),
            Op::Prim(prim) => self.fail(
                at,
                format!(
                    "`{}` does not take arguments of types {found}",
                    prim.mnemonic()
                ),
            ),
            Op::Const(_) => Ok(()),
        }
    }
    fn expect(&self, at: At, what: &str, expected: Type, found: Type) -> Result<()> {
        match expected == found {
            true => Ok(()),
            false => self.fail(at, format!("{what}: expected {expected}, found {found}")),
        }
    }
}

/// Whether the types of a function allow that its parameters have these roles for threads.
pub fn roles_fit(function: &Function, roles: &[Role]) -> bool {
    let types = function.param_types();
    let mut all = types.iter().zip(roles).enumerate();
    roles.len() == types.len()
        && all.all(|(n, (&ty, &role))| role_fits(n, role, ty))
        && is_sum(function.ret)
}

/// Whether results of this type can be added.
fn is_sum(ret: Type) -> bool {
    leaves(ret).iter().all(|leaf| leaf.is_float())
}

/// Whether the n-th parameter of a parallel function may have this role.
fn role_fits(n: usize, role: Role, ty: Type) -> bool {
    let passes = |leaf: &Type| {
        let slice = matches!(leaf, Type::Slice(_) | Type::SliceMut(_));
        leaf.is_scalar() || slice
    };
    match (n, role) {
        (0, Role::From) | (1, Role::To) => ty == Type::Usize,
        (0 | 1, _) | (_, Role::From | Role::To) => false,
        (_, Role::Shared | Role::Own) => leaves(ty).iter().all(passes),
        (_, Role::Added) => matches!(ty, Type::SliceMut(element) if element.is_float()),
        (_, Role::Touched) => ty == Type::SliceMut(&Type::U8),
    }
}

/// The parts of a type that are not tuples.
fn leaves(ty: Type) -> Vec<Type> {
    match ty {
        Type::Tuple(fields) => fields.iter().flat_map(|&field| leaves(field)).collect(),
        leaf => vec![leaf],
    }
}

/// What `get` reads and `set` writes.
pub(super) fn is_stored(ty: Type) -> bool {
    ty.is_scalar() || ty.is_array() || ty == Type::Ptr
}

/// Known, and with scalars as elements.
fn is_well_formed(ty: Type) -> bool {
    match ty {
        Type::Infer(_) => false,
        Type::Tuple(fields) => fields.iter().all(|&field| is_well_formed(field)),
        Type::Slice(element) | Type::SliceMut(element) | Type::Array(element) => {
            element.is_scalar()
        }
        _ => true,
    }
}

fn constant_fits(c: Const, ty: Type) -> bool {
    match c {
        Const::Unit => ty == Type::UNIT,
        Const::Bool(_) => ty == Type::Bool,
        Const::Int(0) if ty == Type::Addr => true,
        Const::Int(i) => ty.is_int() && fits(widen(i, ty), ty),
        Const::Float(x) if ty == Type::F16 => x.is_nan() || f16::from_f64(x).to_f64() == x,
        Const::Float(x) if ty == Type::F32 => x.is_nan() || f64::from(x as f32) == x,
        Const::Float(_) => ty == Type::F64,
        Const::Null => matches!(
            ty,
            Type::Array(_) | Type::Slice(_) | Type::SliceMut(_) | Type::Ptr
        ),
    }
}

/// Whether a conversion to `ty` is possible.
fn converts(prim: Prim, types: &[Type], ty: Type) -> bool {
    let number = |t: Type| t.is_int() || t.is_float();
    match (prim, types) {
        (Prim::Cast, &[from]) => {
            let half = matches!(
                (from, ty),
                (Type::F16, Type::F16 | Type::F32) | (Type::F32, Type::F16)
            );
            let bool = from == Type::Bool && (ty.is_int() || ty == Type::Bool);
            number(from) && number(ty) || bool || half
        }
        (Prim::Bitcast, &[Type::F16]) => matches!(ty, Type::F16 | Type::U32),
        (Prim::Bitcast, &[from]) if ty == Type::F16 => from == Type::U32,
        (Prim::Bitcast, &[from]) => from.is_scalar() && ty.is_scalar() && from.size() == ty.size(),
        (Prim::Peek(_), &[from]) => from == Type::Addr && ty.lane().size().is_some(),
        (Prim::Get(_), &[from]) => from == Type::Ptr && is_stored(ty.lane()),
        (Prim::View, &[from, length]) => {
            from == Type::Ptr
                && length == Type::Usize
                && matches!(ty, Type::Slice(t) | Type::SliceMut(t) if t.is_scalar())
        }
        (Prim::LoadLanes, &[from, Type::Usize]) => {
            let element = ty.lanes().map(|(element, _)| element);
            matches!(from, Type::Slice(&t) | Type::SliceMut(&t) if Some(t) == element)
        }
        _ => false,
    }
}

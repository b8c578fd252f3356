//! Scalar functions by name, as programs that the devices map over arrays.
//!
//! A program remembers what each device has compiled it to, so the programs themselves are kept: those of names here for the
//! life of the process, those of a compiled program's sites with it.

use super::backend::MapProgram;
use super::device::Device;
use super::tensor::{self, Argument, Tensor};
use crate::context::Context;
use crate::diag::{Error, Result, Span};
use crate::ir::build::Builder;
use crate::ir::{Function, Module, Op, Prim, Symbol, Terminator, Type, Value};
use crate::registry::Registry;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// The program of a primitive whose operands and result have one type.
pub fn primitive(prim: Prim, ty: Type) -> Result<Arc<MapProgram>> {
    let arity = prim.arity().unwrap_or(0);
    named(prim.mnemonic(), &[ty; 3][..arity.min(3)], ty)
}

/// The program of a scalar function of the linked packs, or of a primitive, on arguments of these types.
pub fn named(name: &str, params: &[Type], ret: Type) -> Result<Arc<MapProgram>> {
    known(name, params, ret, |registry| {
        wrap(Symbol::new(name), params, ret, registry)
    })
}

/// The scalar functions of the linked packs.
pub fn linked() -> &'static Arc<Registry> {
    static LINKED: OnceLock<Arc<Registry>> = OnceLock::new();
    LINKED.get_or_init(|| Context::default().registry().clone())
}

/// A program that is kept, made when it is first asked for.
fn known(
    name: &str,
    params: &[Type],
    ret: Type,
    make: impl FnOnce(&Arc<Registry>) -> Result<MapProgram>,
) -> Result<Arc<MapProgram>> {
    type Key = (Symbol, Vec<Type>, Type);
    static PROGRAMS: OnceLock<Mutex<FxHashMap<Key, Arc<MapProgram>>>> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(Default::default);
    let key = (Symbol::new(name), params.to_vec(), ret);
    let mut programs = programs.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(found) = programs.get(&key) {
        return Ok(found.clone());
    }
    let program = Arc::new(make(linked())?);
    programs.insert(key, program.clone());
    Ok(program)
}

/// The program of a scalar function of primitives, which `build` writes. The name and the types say which function it is.
pub fn composed(
    name: &'static str,
    params: &[Type],
    ret: Type,
    build: impl FnOnce(&mut Builder, &[Value]) -> Value,
) -> Result<Arc<MapProgram>> {
    known(name, params, ret, |registry| {
        let symbol = Symbol::new(&format!("{WRAPPED}{name}"));
        let mut b = Builder::new(Function::new(symbol, params, ret));
        let args = b.function.params().to_vec();
        let result = build(&mut b, &args);
        b.ret(result);
        let module = Arc::new(Module::new(b.finish()));
        Ok(MapProgram::new(module, symbol, registry.clone()))
    })
}

/// The one output of a program.
pub fn apply(program: &MapProgram, arguments: &[Argument]) -> Result<Tensor> {
    tensor::first(tensor::map(program, arguments)?)
}

/// What the names of wrapped functions begin with.
const WRAPPED: &str = "map.";

/// The name of a program's function for users: that of the wrapped one; `map` for closures and for functions that the compiler has composed, of which
/// the place of the call says more.
pub fn shown(program: &MapProgram) -> &'static str {
    let name = program.function.as_str();
    match name.strip_prefix(WRAPPED) {
        // Compiled programs add the types.
        Some(wrapped) => wrapped.split('.').next().unwrap_or(wrapped),
        None if name.contains('.') => "map",
        None => name,
    }
}

/// A function that only calls `name`, as a program.
pub fn wrap(
    name: Symbol,
    params: &[Type],
    ret: Type,
    registry: &Arc<Registry>,
) -> Result<MapProgram> {
    let op = match Prim::from_mnemonic(name.as_str()) {
        Some(prim) => Op::Prim(prim),
        None if registry.find(name, params).is_some() => Op::Call(name.into()),
        None => return Err(unknown(name, params)),
    };
    // A name of its own: a function that called its own name would be recursive.
    let mut function = Function::new(Symbol::new(&format!("{WRAPPED}{name}")), params, ret);
    let entry = function.entry();
    let arguments = function.params().to_vec();
    let result = function.append(entry, op, &arguments, ret, Span::NONE);
    function.blocks[entry].terminator = Terminator::Return(result);
    let symbol = function.name;
    let module = Arc::new(Module::new(function));
    Ok(MapProgram::new(module, symbol, registry.clone()))
}

/// What a scalar function of a registry gives at many points, computed on a device: from a column of numbers for each
/// parameter a column for each output. `None` if arrays cannot hold a parameter's type.
pub fn at_points(
    device: &Device,
    program: &MapProgram,
    columns: &[Vec<f64>],
) -> Result<Option<Vec<Vec<f64>>>> {
    let params = program.module.functions[&program.function].param_types();
    let mut arguments = Vec::new();
    for (column, ty) in columns.iter().zip(params) {
        let shape = [column.len()];
        let tensor = match ty {
            Type::F32 => Tensor::from_vec(device, cast(column, |x| x as f32), &shape),
            Type::F64 => Tensor::from_vec(device, column.clone(), &shape),
            Type::I32 => Tensor::from_vec(device, cast(column, |x| x as i32), &shape),
            Type::U32 => Tensor::from_vec(device, cast(column, |x| x as u32), &shape),
            _ => return Ok(None),
        };
        arguments.push(Argument::Tensor(tensor?));
    }
    let outputs = tensor::map(program, &arguments)?;
    let read = |output: &Tensor| match output.ty() {
        Type::F32 => Ok(cast(&output.to_vec::<f32>()?, f64::from)),
        _ => output.to_vec::<f64>(),
    };
    outputs.iter().map(read).collect::<Result<_>>().map(Some)
}

fn cast<A: Copy, B>(column: &[A], cast: impl Fn(A) -> B) -> Vec<B> {
    column.iter().map(|&x| cast(x)).collect()
}

/// The error of a scalar function that no pack has.
pub fn unknown(name: Symbol, params: &[Type]) -> Error {
    let types: Vec<String> = params.iter().map(Type::to_string).collect();
    Error::Array(format!(
        "{name}: no pack in force defines this scalar function of ({})",
        types.join(", ")
    ))
}

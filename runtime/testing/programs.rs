//! IR run in two ways, on the same values: interpreted, and compiled.

use crate::ad::{Mode, Request, forward, reverse};
use crate::api::{Callable, pipeline};
use crate::array::Device;
use crate::array::backend::{KernelProgram, MapProgram};
use crate::array::host::ArrayHost;
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::exec::{Args, Host, NoHost, Program, Scalar};
use crate::interp::{Arrays, Datum, Interpreter, Packs, Slice};
use crate::ir::eval::{from_bits, to_bits};
use crate::ir::verify::verify;
use crate::ir::{Const, Function, Module, Symbol, Type, canonical};
use crate::kernel::{self, Elements, Kernel};
use crate::normalise::{LARGE, normalise};
use crate::opt::{
    Calls, elide_copies, promote_elements, promote_objects, settle_objects, unroll_loops,
};
use crate::registry::{ContextKind, Registry};
use std::sync::Arc;

/// Verifies a module whose calls go to this registry.
pub fn verified(module: &Module, registry: &Registry) -> Result<()> {
    verify(module, &|callee, types| registry.call_type(callee, types))
}

/// A function as it is lowered, and its normal form.
pub fn stages<F: Callable>(ctx: &Context) -> Result<(Module, Module)> {
    let typed = pipeline::typed(ctx, &F::callee(), false)?;
    let normal = pipeline::normal(ctx, typed.clone())?;
    Ok((typed, normal))
}

/// Interprets the root, within so many steps. Slices among the arguments are written to.
pub fn interpret(module: &Module, registry: &Registry, args: &[Datum], fuel: u64) -> Result<Datum> {
    let outside = Arrays::new(module, registry);
    let mut interpreter = Interpreter::new(module, &outside).with_fuel(fuel);
    let value = interpreter.call(module.root, args)?;
    match interpreter.tape_bytes() {
        0 => Ok(value),
        left => Err(Error::Internal(format!(
            "{left} bytes are left on the tape"
        ))),
    }
}

/// The root, a function of numbers of 32 bits, on every element of arrays on a device. Bits are given and come back.
pub fn mapped(
    device: &Device,
    module: &Module,
    registry: &Arc<Registry>,
    args: &[Vec<u32>],
) -> Result<Vec<u32>> {
    verified(module, registry)?;
    let program = MapProgram::new(Arc::new(module.clone()), module.root, registry.clone());
    device.map_bits(&program, args)
}

/// What a kernel reads: the elements of each input, and at which of them it begins.
pub type KernelMemory = [(Vec<Const>, usize)];

/// Verifies a kernel whose calls go to this registry.
pub fn verified_kernel(kernel: &Kernel, registry: &Registry) -> Result<()> {
    kernel::check(kernel, &|name, types| registry.call_type(name, types))
}

/// The outputs of a kernel, by the reference interpreter.
pub fn interpreted_kernel(
    kernel: &Kernel,
    registry: &Registry,
    inputs: &KernelMemory,
) -> Result<Vec<Vec<Const>>> {
    verified_kernel(kernel, registry)?;
    let (module, packs) = (Module::new((*kernel.body).clone()), Packs(registry));
    let scalar = |name: Symbol, args: &[Const], types: &[Type]| {
        let args: Vec<Datum> = args.iter().copied().map(Datum::Scalar).collect();
        let ret = registry.call_type(name, types)?;
        let made = Interpreter::new(&module, &packs).apply(name.into(), types, &args, ret);
        made.ok()?.scalar().ok()
    };
    let inputs = inputs
        .iter()
        .map(|(all, start)| Elements { all, start: *start });
    kernel::run(kernel, &inputs.collect::<Vec<_>>(), &scalar)
}

/// The outputs of a kernel on a device: in lanes on the CPU, as a shader on a GPU.
pub fn kernel_on(
    device: &Device,
    kernel: &Kernel,
    registry: &Arc<Registry>,
    inputs: &KernelMemory,
) -> Result<Vec<Vec<Const>>> {
    verified_kernel(kernel, registry)?;
    let program = KernelProgram::new(kernel.clone(), registry.clone());
    let pairs = inputs.iter().zip(&kernel.inputs);
    let words = pairs.map(|((all, start), input)| (bytes(all, input.ty), *start));
    let made = device.kernel_bytes(&program, &words.collect::<Vec<_>>())?;
    let outputs = made.into_iter().enumerate();
    Ok(outputs
        .map(|(n, bytes)| elements(&bytes, kernel.output_type(n)))
        .collect())
}

/// The bytes of elements, in words.
fn bytes(elements: &[Const], ty: Type) -> Vec<u64> {
    let size = ty.size().unwrap_or(8);
    let mut words = vec![0u64; (elements.len() * size).div_ceil(8)];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
    for (slot, &element) in bytes.chunks_exact_mut(size).zip(elements) {
        slot.copy_from_slice(&to_bits(element, ty).unwrap_or(0).to_le_bytes()[..size]);
    }
    words
}

/// The elements that these bytes are.
fn elements(bytes: &[u8], ty: Type) -> Vec<Const> {
    let read = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        from_bits(u64::from_le_bytes(word), ty)
    };
    bytes
        .chunks_exact(ty.size().unwrap_or(8))
        .map(read)
        .collect()
}

/// The shader of a kernel in its simplest form: no invocation takes several elements at a time, and each takes whole rows.
#[cfg(feature = "gpu")]
pub fn kernel_shader(kernel: &Kernel, registry: &Registry) -> Result<String> {
    use crate::codegen::gpu::{kernel as flat, rows, wgsl_function};
    verified_kernel(kernel, registry)?;
    let (workgroup, fuel) = (64, 0);
    if kernel.has_whole_rows() {
        let layout = rows::Layout {
            worker: rows::Worker::Thread,
            wide: false,
            stretches: false,
            interleaved: false,
            workgroup,
            fuel,
        };
        let arrays = vec![false; kernel.inputs.len()];
        let made = rows::row_kernel(kernel, &arrays, registry, layout)?;
        return Ok(made.text.as_str().to_owned());
    }
    let module = Module::new((*kernel.body).clone());
    let function = wgsl_function(&module, module.root, registry)?;
    let inputs = kernel.inputs.iter().enumerate();
    let mut windows = Vec::new();
    let inputs = inputs.map(|(slot, input)| {
        let window = input.window.as_ref().map(|window| {
            let extents = kernel.rows.iter().copied().chain([kernel.columns]);
            windows.push(kernel::ends(window, &extents.collect::<Vec<_>>()));
            windows.len() - 1
        });
        flat::Input {
            ty: input.ty,
            access: flat::Access::Strided,
            slot,
            by: input.gather.map(|gather| gather.by),
            window,
        }
    });
    let layout = flat::Layout {
        inputs: inputs.collect(),
        windows,
        axes: kernel.rows.len() + 1,
        vector: false,
        workgroup,
        blocks: false,
        fuel,
        totals: kernel.outputs.iter().map(|output| output.total()).collect(),
        grouped: false,
    };
    Ok(flat::map_kernel(&function, &layout)?.as_str().to_owned())
}

/// The module after the optimiser, verified.
pub fn optimised(module: &Module, registry: &Registry) -> Result<Module> {
    let optimised = crate::opt::optimise(module.clone(), registry, None)?;
    verified(&optimised, registry)?;
    Ok(optimised)
}

/// What one pass of the optimiser makes of the root, or `fuse_maps`, `if_convert` or `optimise` of the module; verified before and after.
pub fn passed(module: &Module, registry: &Registry, pass: &str) -> Result<Module> {
    use crate::opt::{
        bounds, dce, fuse_maps, gvn, hoist, if_convert, licm, optimise, rotate, simplify, stores,
        straighten,
    };
    verified(module, registry)?;
    let mut module = module.clone();
    let on_root: fn(&mut Function, &Calls) -> bool = match pass {
        "bounds" => bounds,
        "dce" => dce,
        "gvn" => gvn,
        "licm" => licm,
        "rotate" => rotate,
        "simplify" => simplify,
        "stores" => stores,
        "straighten" => straighten,
        "copies" => return Ok(elide_copies(module, registry)),
        "fuse_maps" => return Ok(fuse_maps(module)),
        "hoist" => return Ok(hoist(module)),
        "if_convert" => return Ok(if_convert(module, registry)),
        "optimise" => return optimise(module, registry, None),
        _ => return Err(Error::Internal(format!("no pass is called `{pass}`"))),
    };
    let (before, calls) = (canonical(&module), Calls::new(&module, registry));
    let changed = on_root(module.root_mut(), &calls);
    verified(&module, registry)?;
    match changed || canonical(&module) == before {
        true => Ok(module),
        false => Err(Error::Internal(format!(
            "`{pass}` changes something and does not say so"
        ))),
    }
}

/// What Cranelift is given for the root, in its own language.
pub fn clif(module: &Module, registry: &Arc<Registry>) -> Result<String> {
    crate::codegen::cpu::clif(module, registry)
}

/// The root as a function of a shader.
#[cfg(feature = "gpu")]
pub fn shader_function(module: &Module, registry: &Registry) -> Result<String> {
    let wgsl = crate::codegen::gpu::wgsl_function(module, module.root, registry)?;
    // What stands before it is the same for many functions.
    let start = wgsl.text.rfind("\nfn ").map_or(0, |at| at + 1);
    Ok(wgsl.text[start..].to_owned())
}

/// The normal form, made of functions whose objects are settled before they are inlined, verified.
pub fn normalised(module: &Module, registry: &Registry, kind: ContextKind) -> Result<Module> {
    let calls = Calls::new(module, registry);
    let settle = |function: &mut Function| settle_objects(function, &calls);
    let normal = normalise(module.clone(), registry, kind, LARGE, &settle)?;
    verified(&normal, registry)?;
    Ok(normal)
}

/// What is derived and compiled of a normal module: with variables for objects and for elements that loops accumulate in, and without copies that
/// nobody can tell from what they are copies of, verified.
pub fn promoted(normal: &Module, registry: &Registry) -> Result<Module> {
    let promoted = elide_copies(promote_objects(normal.clone(), registry), registry);
    let promoted = promote_elements(promoted, registry);
    verified(&promoted, registry)?;
    Ok(promoted)
}

/// A normal module with loops over small objects unrolled, verified.
pub fn unrolled(normal: &Module, registry: &Registry) -> Result<Module> {
    let unrolled = unroll_loops(promote_objects(normal.clone(), registry), registry);
    verified(&unrolled, registry)?;
    Ok(unrolled)
}

/// The reverse functions of a normal module, verified.
pub fn reverse_module(
    normal: &Module,
    registry: &Registry,
    kind: ContextKind,
    active: &[bool],
    mode: Mode,
) -> Result<Module> {
    let active = active.to_vec();
    let derived = reverse(normal, registry, kind, &Request { active, mode })?;
    verified(&derived, registry).map_err(|error| Error::Internal(format!("{error}\n{derived}")))?;
    Ok(derived)
}

/// The dual of a module, verified.
pub fn dual(
    module: &Module,
    registry: &Registry,
    kind: ContextKind,
    active: &[bool],
) -> Result<Module> {
    dual_along(module, registry, kind, active, 1)
}

/// The dual of a module along so many directions, verified.
pub fn dual_along(
    module: &Module,
    registry: &Registry,
    kind: ContextKind,
    active: &[bool],
    directions: usize,
) -> Result<Module> {
    let derived = forward(module, registry, kind, active, directions)?;
    verified(&derived, registry).map_err(|error| Error::Internal(format!("{error}\n{derived}")))?;
    Ok(derived)
}

/// The pullback that belongs to the forward half that is a module's root.
pub fn pullback_of(halves: &Module) -> Symbol {
    Symbol::new(&halves.root.as_str().replacen(".forward", ".pullback", 1))
}

/// Interprets the root and then its pullback, over one tape, and gives what both give. The slices that both take are
/// written to by both.
pub fn interpret_halves(
    halves: &Module,
    registry: &Registry,
    args: &[Datum],
    more: &[Datum],
    fuel: u64,
) -> Result<(Datum, Datum)> {
    let packs = Packs(registry);
    let mut interpreter = Interpreter::new(halves, &packs).with_fuel(fuel);
    let value = interpreter.call(halves.root, args)?;
    let all: Vec<Datum> = args.iter().chain(more).cloned().collect();
    let gradient = interpreter.call(pullback_of(halves), &all)?;
    match interpreter.tape_bytes() {
        0 => Ok((value, gradient)),
        left => Err(Error::Internal(format!(
            "{left} bytes are left on the tape"
        ))),
    }
}

/// Compiles the root.
pub fn compile(module: &Module, registry: &Arc<Registry>) -> Result<Compiled> {
    compile_roots(module, registry, &[module.root])
}

/// Compiles the root and its pullback.
pub fn compile_halves(halves: &Module, registry: &Arc<Registry>) -> Result<Compiled> {
    compile_roots(halves, registry, &[halves.root, pullback_of(halves)])
}

fn compile_roots(module: &Module, registry: &Arc<Registry>, roots: &[Symbol]) -> Result<Compiled> {
    let params = roots.iter().map(|root| match module.functions.get(root) {
        Some(function) => Ok(function.param_types()),
        None => Err(Error::Internal(format!(
            "the module has no function `{root}`"
        ))),
    });
    Ok(Compiled {
        params: params.collect::<Result<_>>()?,
        program: Program::compile(module, registry, roots)?,
    })
}

/// Roots, compiled.
pub struct Compiled {
    program: Arc<Program>,
    /// Of each root.
    params: Vec<Vec<Type>>,
}

impl Compiled {
    /// Calls it. Slices among the arguments are written to.
    pub fn call(&self, args: &[Datum]) -> Result<Datum> {
        self.call_on(&ArrayHost::new(), args)
    }
    /// Calls it with a host for its arrays, which are passed by the host's handles.
    pub(crate) fn call_on(&self, host: &dyn Host, args: &[Datum]) -> Result<Datum> {
        self.call_root(0, args, |words, results| {
            self.program.call(0, words, results, host).map(drop)
        })
    }
    /// Calls both halves on one frame: what [`interpret_halves`] does.
    pub fn call_halves(&self, args: &[Datum], more: &[Datum]) -> Result<(Datum, Datum)> {
        let mut halves = self.program.start();
        let value = self.call_root(0, args, |words, results| {
            halves.call(&self.program, 0, words, results, &NoHost)
        })?;
        let all: Vec<Datum> = args.iter().chain(more).cloned().collect();
        let gradient = self.call_root(1, &all, |words, results| {
            halves.call(&self.program, 1, words, results, &NoHost)
        })?;
        Ok((value, gradient))
    }

    /// Brings the arguments into machine form and what was written and returned back.
    fn call_root(
        &self,
        root: usize,
        args: &[Datum],
        call: impl FnOnce(&Args, &mut [u64]) -> Result<()>,
    ) -> Result<Datum> {
        let params = &self.params[root];
        if args.len() != params.len() {
            let (expected, found) = (params.len(), args.len());
            return Err(Error::Internal(format!(
                "expected {expected} arguments, found {found}"
            )));
        }
        let mut places = Vec::new();
        for (arg, &ty) in args.iter().zip(params) {
            places.push(Place::new(arg, ty)?);
        }
        let mut words = Args::new();
        for place in &mut places {
            place.give(&mut words);
        }
        let mut results = vec![0; self.program.result_words(root)];
        let outcome = call(&words, &mut results);
        drop(words);
        // What was written before a fault stays written.
        for (arg, place) in args.iter().zip(&places) {
            if let (Datum::Slice(slice), Place::Slice(buffer, true)) = (arg, place) {
                write_back(slice, &buffer.elements())?;
            }
        }
        outcome?;
        read(self.program.result_type(root), &mut results.into_iter())
    }
}

fn write_back(slice: &Slice, elements: &[Const]) -> Result<()> {
    for (i, &element) in elements.iter().enumerate() {
        slice.store(i, element)?;
    }
    Ok(())
}

/// An argument in machine form.
enum Place {
    Scalar(Box<dyn Buffer>),
    /// Whether it is written to.
    Slice(Box<dyn Buffer>, bool),
    /// The handle and the element type.
    Array(u64, Type),
}

impl Place {
    fn new(arg: &Datum, ty: Type) -> Result<Place> {
        let fail = || Error::Internal(format!("{arg} cannot be passed as {ty}"));
        match (arg, ty) {
            (Datum::Slice(slice), Type::Slice(element) | Type::SliceMut(element)) => {
                let buffer = buffer(&slice.elements(), *element).ok_or_else(fail)?;
                Ok(Place::Slice(buffer, matches!(ty, Type::SliceMut(_))))
            }
            (Datum::Array(handle), Type::Array(element)) => Ok(Place::Array(*handle, *element)),
            (Datum::Scalar(c), _) => buffer(&[*c], ty).map(Place::Scalar).ok_or_else(fail),
            _ => Err(fail()),
        }
    }
    fn give<'a>(&'a mut self, args: &mut Args<'a>) {
        match self {
            Place::Scalar(buffer) => buffer.give_first(args),
            Place::Slice(buffer, mutable) => buffer.give_slice(args, *mutable),
            Place::Array(handle, Type::F32) => args.array::<f32>(*handle),
            Place::Array(handle, Type::U32) => args.array::<u32>(*handle),
            Place::Array(handle, Type::I32) => args.array::<i32>(*handle),
            Place::Array(handle, _) => args.array::<f64>(*handle),
        }
    }
}

/// Elements of one type.
trait Buffer {
    fn give_first(&self, args: &mut Args<'_>);
    fn give_slice<'a>(&'a mut self, args: &mut Args<'a>, mutable: bool);
    fn elements(&self) -> Vec<Const>;
}

impl<T: Scalar> Buffer for Vec<T> {
    fn give_first(&self, args: &mut Args<'_>) {
        self.iter().take(1).for_each(|&x| args.scalar(x));
    }
    fn give_slice<'a>(&'a mut self, args: &mut Args<'a>, mutable: bool) {
        match mutable {
            true => args.slice_mut(self),
            false => args.slice(self),
        }
    }
    fn elements(&self) -> Vec<Const> {
        self.iter()
            .map(|x| from_bits(x.to_word(), T::TYPE))
            .collect()
    }
}

fn buffer(elements: &[Const], ty: Type) -> Option<Box<dyn Buffer>> {
    fn of<T: Scalar>(elements: &[Const]) -> Option<Box<dyn Buffer>> {
        let bits = elements
            .iter()
            .map(|&c| Some(T::from_word(to_bits(c, T::TYPE)?)));
        bits.collect::<Option<Vec<T>>>()
            .map(|buffer| Box::new(buffer) as Box<dyn Buffer>)
    }
    match ty {
        Type::Bool => of::<bool>(elements),
        Type::I8 => of::<i8>(elements),
        Type::I16 => of::<i16>(elements),
        Type::I32 => of::<i32>(elements),
        Type::I64 => of::<i64>(elements),
        Type::Isize => of::<isize>(elements),
        Type::U8 => of::<u8>(elements),
        Type::U16 => of::<u16>(elements),
        Type::U32 => of::<u32>(elements),
        Type::U64 => of::<u64>(elements),
        Type::Usize => of::<usize>(elements),
        Type::F32 => of::<f32>(elements),
        Type::F64 => of::<f64>(elements),
        _ => None,
    }
}

/// A result out of its words.
fn read(ty: Type, words: &mut impl Iterator<Item = u64>) -> Result<Datum> {
    match ty {
        Type::Tuple([]) => Ok(Datum::UNIT),
        Type::Tuple(fields) => {
            let fields: Result<Vec<Datum>> = fields.iter().map(|&ty| read(ty, words)).collect();
            fields.map(Datum::Tuple)
        }
        Type::Array(_) => match words.next() {
            Some(handle) => Ok(Datum::Array(handle)),
            None => Err(Error::Internal(
                "compiled code gave too few results".to_owned(),
            )),
        },
        _ if ty.is_scalar() => match words.next() {
            Some(word) => Ok(Datum::Scalar(from_bits(word, ty))),
            None => Err(Error::Internal(
                "compiled code gave too few results".to_owned(),
            )),
        },
        _ => Err(Error::Internal(format!("a result of type {ty}"))),
    }
}

//! Machine code for the CPU, by Cranelift.
//!
//! A module's roots and every function they call become machine code in memory of its own, which [`Code`] frees when
//! it is dropped. Values are flattened to **leaves**: a slice is an address and a length, a tuple its fields, `()`
//! nothing. Each function gets the frame of its call ([`abi::Header`]) as a hidden first argument and gives a status
//! before its results; a failed guard writes its site and values into the frame and returns, and so does every caller.
//! Scalar functions of packs are called directly, in registers. Array operations leave compiled code through the
//! frame, at a numbered [`Site`], and so do calls of functions that are only declared, and of those whose iterations several threads may share.
//!
//! Compiled code trusts the IR: that it verifies, and that every access is guarded.

pub mod abi;
mod call;
mod function;
mod kernel;
pub mod lanes;
mod leaves;
mod prims;
mod strides;
mod unit;

use crate::diag::{Error, Result, Span};
use crate::ir::half_floats;
use crate::ir::{Fault, HostOp, Module, NativePart, Role, ShapeCheck, Signature, Symbol, Type};
use crate::registry::{Entry, EntryKind, Kernel, NativeCall, NativeCode, NativeDual, Registry};
use cranelift_jit::JITModule;
use std::any::Any;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};

pub use lanes::is_in_lanes;
pub use leaves::words;

/// Compiled functions, and what they refer to by number.
pub struct Code {
    /// The compiled roots, in the order asked for.
    pub roots: Vec<Root>,
    /// Where compiled code asks its host for an array operation.
    pub sites: Vec<Site>,
    /// The functions that the module only declares.
    pub declared: Vec<(Symbol, Signature)>,
    /// The functions whose iterations several threads may share.
    pub parallel: Vec<Parallel>,
    /// Where compiled code can fail.
    pub faults: Vec<FaultSite>,
    /// The packs whose native functions are called.
    pub packs: Vec<Symbol>,
    // The roots' addresses point into it.
    _memory: Memory,
}

/// A compiled function that can be called from outside.
pub struct Root {
    /// Its name in the module.
    pub name: Symbol,
    /// Its parameters.
    pub params: Vec<Type>,
    /// Its result.
    pub ret: Type,
    /// The number of words that the result takes.
    pub words: usize,
    /// Valid as long as the [`Code`].
    pub entry: abi::Entry,
}

/// A compiled function whose iterations several threads may share.
pub struct Parallel {
    /// The function.
    pub root: Root,
    /// What its parameters are to them.
    pub roles: Vec<Role>,
    /// The floats of its results, of which the caller gets the sums.
    pub sums: Vec<LeafWord>,
    /// How long an iteration took a thread in the last call; zero before the first.
    pub nanoseconds: AtomicU64,
}

/// A compiled elementwise kernel.
pub struct KernelCode {
    /// The element types of the inputs.
    pub inputs: Vec<Type>,
    /// The element types of the outputs.
    pub outputs: Vec<Type>,
    /// Valid as long as the `KernelCode`.
    pub entry: abi::Kernel,
    /// Where the scalar function can fail.
    pub faults: Vec<FaultSite>,
    /// The packs whose native functions are called.
    pub packs: Vec<Symbol>,
    _memory: Memory,
}

/// A compiled kernel of the kernel IR.
pub struct LaneCode {
    /// How it is laid out.
    pub plan: lanes::Plan,
    /// Valid as long as the `LaneCode`.
    pub entry: abi::Lanes,
    /// The packs whose native functions are called.
    pub packs: Vec<Symbol>,
    _memory: Memory,
}

/// A guard in the source.
#[derive(Clone, Debug)]
pub struct FaultSite {
    /// What fails.
    pub fault: Fault,
    /// The types of the values it shows.
    pub types: Vec<Type>,
    /// Where.
    pub span: Span,
}

/// An operation that the host does for compiled code.
pub struct Site {
    /// What.
    pub op: SiteOp,
    /// By which name it is called.
    pub name: Symbol,
    /// The types of the arguments.
    pub params: Vec<Type>,
    /// The type of the result.
    pub ret: Type,
    /// Where.
    pub span: Span,
    /// The words of the arguments, and of the result.
    pub words: (usize, usize),
}

impl Site {
    /// A site where arguments of these types are given.
    pub fn new(op: SiteOp, name: Symbol, params: Vec<Type>, ret: Type, span: Span) -> Site {
        let counts = (params.iter().map(|&ty| words(ty)).sum(), words(ret));
        Site {
            op,
            name,
            params,
            ret,
            span,
            words: counts,
        }
    }
}

/// What a [`Site`] asks for.
pub enum SiteOp {
    /// An array operation.
    Host(HostOp),
    /// The comparison of a cotangent or a tangent with its array.
    SameShape(ShapeCheck),
    /// A scalar function on every element.
    Map(ScalarFunction),
    /// A function of array operations, as a whole.
    Cluster(ScalarFunction),
    /// A function of a pack, over slices and arrays.
    Native(Box<NativeSite>),
}

/// A native function and the values that it takes and gives.
pub struct NativeSite {
    /// What it does.
    pub role: NativeRole,
    /// Where it is.
    pub code: NativeCode,
    /// Whose it is.
    pub pack: Symbol,
    /// The function, for messages.
    pub name: Symbol,
    /// Which parameters are active; none for a primal.
    pub active: Vec<bool>,
    /// The arguments.
    pub params: Vec<LeafWord>,
    /// The results. Of a pullback, those of the primal; the words of arrays are among the arguments', scalars have none.
    pub results: Vec<LeafWord>,
    /// A pullback's shadows, or an `frule`'s tangents, one for each active parameter that has one.
    pub shadows: Vec<LeafWord>,
    /// The seeds of a pullback, one for each result that can have one.
    pub seeds: Vec<LeafWord>,
    /// The cotangents that a pullback gives, or the tangents that an `frule` gives.
    pub given: Vec<LeafWord>,
    /// Of a dual: for each of the part's arguments its tangent, if it has one.
    pub moved: Vec<Option<LeafWord>>,
    /// Of the dual of a pullback: the tangents of `given`.
    pub given_tangents: Vec<LeafWord>,
    /// Of a primal, what does the same on a device.
    pub kernel: Option<Arc<Kernel>>,
    /// Whether what it gives is looked at: debug mode.
    pub checked: bool,
}

/// What a native function does: see [`NativePart`](crate::ir::NativePart).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeRole {
    /// The results.
    Primal,
    /// The results, and a pullback.
    Rrule,
    /// Calls the pullback that was kept last.
    Pullback,
    /// The results and their tangents.
    Frule,
    /// The results, their tangents, and a pullback.
    RruleDual,
    /// Calls the pullback that was kept last, with tangents.
    PullbackDual,
}

impl NativeSite {
    /// A call of a primal.
    pub fn primal(entry: &Entry, code: NativeCode, checked: bool) -> NativeSite {
        NativeSite {
            role: NativeRole::Primal,
            code,
            pack: entry.pack,
            name: entry.name,
            active: vec![false; entry.params.len()],
            params: LeafWord::all(&entry.params),
            results: LeafWord::all(&[entry.ret]),
            shadows: Vec::new(),
            seeds: Vec::new(),
            given: Vec::new(),
            moved: Vec::new(),
            given_tangents: Vec::new(),
            kernel: match &entry.kind {
                EntryKind::Array(rule) => rule.kernel.clone(),
                EntryKind::Native(rule) => rule.kernel.clone(),
                EntryKind::Scalar(_) => None,
            },
            checked,
        }
    }

    /// A call of a part of a native rule; `None` if the pack does not have that part.
    pub fn part(call: &NativeCall, checked: bool) -> Option<NativeSite> {
        let rule = call.rule;
        let (role, code) = match call.part {
            NativePart::Rrule => (NativeRole::Rrule, rule.rrule?),
            NativePart::Pullback => (NativeRole::Pullback, rule.rrule?),
            NativePart::Frule => (NativeRole::Frule, rule.frule?),
        };
        let mut site = NativeSite::primal(call.entry, code, checked);
        (site.role, site.active) = (role, call.active.to_vec());
        let mut args = LeafWord::all(&call.params());
        let mut more = args.split_off(site.params.len());
        let given = LeafWord::all(&[call.ret()]);
        match role {
            NativeRole::Primal | NativeRole::Rrule => {}
            NativeRole::RruleDual | NativeRole::PullbackDual => return None,
            NativeRole::Frule => {
                site.shadows = more;
                site.given = given[site.results.len()..].to_vec();
            }
            NativeRole::Pullback => {
                let mut arrays = more.iter().copied().filter(|leaf| leaf.ty.is_array());
                let mut count = 0;
                for result in site.results.iter_mut().filter(|r| r.ty.is_array()) {
                    *result = arrays.next()?;
                    count += 1;
                }
                let shadows = crate::tangent::shadows(&call.entry.params, call.active);
                more.drain(..count);
                site.seeds = more.split_off(shadows.len());
                (site.shadows, site.given) = (more, given);
            }
        }
        Some(site)
    }
}

impl NativeSite {
    /// A call of the dual of a part of a native rule.
    pub fn dual(dual: &NativeDual, checked: bool) -> Option<NativeSite> {
        let mut site = NativeSite::part(&dual.call, checked)?;
        site.code = dual.call.rule.second?;
        let own = dual.call.params().len();
        let mut tangents = LeafWord::all(&dual.params()).split_off(own).into_iter();
        let moved = dual.moving.iter().map(|&moving| match moving {
            true => tangents.next(),
            false => None,
        });
        site.moved = moved.collect();
        let mut given = LeafWord::all(&[dual.ret()]);
        match dual.call.part {
            NativePart::Rrule => {
                site.role = NativeRole::RruleDual;
                site.given = given.split_off(site.results.len());
            }
            NativePart::Pullback => {
                site.role = NativeRole::PullbackDual;
                site.given_tangents = given.split_off(site.given.len());
            }
            NativePart::Frule => return None,
        }
        Some(site)
    }
}

/// A value that is not a tuple, among the words of arguments or results.
#[derive(Clone, Copy, Debug)]
pub struct LeafWord {
    /// Its type.
    pub ty: Type,
    /// The number of its first word.
    pub word: usize,
}

impl LeafWord {
    /// The leaves of values of these types, without units.
    pub fn all(types: &[Type]) -> Vec<LeafWord> {
        let mut word = 0;
        let leaves = types.iter().flat_map(|&ty| crate::tangent::leaves(ty));
        let leaf = |ty| {
            let leaf = LeafWord { ty, word };
            word += words(ty);
            leaf
        };
        leaves.filter(|ty| *ty != Type::UNIT).map(leaf).collect()
    }
}

/// A function that the host computes, with everything it calls: a scalar function of a map, or a cluster.
pub struct ScalarFunction {
    /// Holds `function` and the module functions it calls.
    pub module: Arc<Module>,
    /// Of a map: takes and returns scalars (or a tuple of them).
    pub function: Symbol,
    /// Resolves its other calls.
    pub registry: Arc<Registry>,
    /// What the host has made of it.
    pub made: OnceLock<Arc<dyn Any + Send + Sync>>,
}

/// Executable memory; freed when dropped.
struct Memory(Mutex<Option<JITModule>>);

impl Memory {
    fn new(jit: JITModule) -> Memory {
        Memory(Mutex::new(Some(jit)))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let jit = self.0.get_mut().unwrap_or_else(|e| e.into_inner()).take();
        if let Some(jit) = jit {
            // SAFETY: the addresses into this memory are fields of the structure that owns it and is being dropped;
            // its users hold a borrow of that structure for as long as a call runs.
            unsafe { jit.free_memory() }
        }
    }
}

/// Compiles functions of a typed module, and everything they call.
pub fn compile(module: &Module, registry: &Arc<Registry>, roots: &[Symbol]) -> Result<Code> {
    let module = &*half_floats::expanded_module(module);
    compile_in(unit::Unit::of_program(module, registry)?, roots)
}

/// The same, with each function more than 2 GiB away from the others.
#[cfg(test)]
pub fn compile_apart(module: &Module, registry: &Arc<Registry>, roots: &[Symbol]) -> Result<Code> {
    let mut unit = unit::Unit::of_program(module, registry)?;
    unit.jit = unit::new_jit_apart()?;
    compile_in(unit, roots)
}

fn compile_in(mut unit: unit::Unit<'_>, roots: &[Symbol]) -> Result<Code> {
    unit.parallel = Some(Vec::new());
    let ids = roots
        .iter()
        .map(|&name| function::compile_root(&mut unit, name))
        .collect::<Result<Vec<_>>>()?;
    function::compile_callees(&mut unit)?;
    let mut parallel = Vec::new();
    while let Some(name) = unit.parallel_function(parallel.len()) {
        parallel.push(function::compile_root(&mut unit, name)?);
        function::compile_callees(&mut unit)?;
    }
    unit.finish(roots, &ids, &parallel)
}

/// Compiles a scalar function of a module into a kernel that applies it to every element.
pub fn compile_map(
    module: &Module,
    function: Symbol,
    registry: &Arc<Registry>,
) -> Result<KernelCode> {
    let module = &*half_floats::expanded_module(module);
    let mut unit = unit::Unit::new(module, registry)?;
    let id = kernel::compile_kernel(&mut unit, function)?;
    function::compile_callees(&mut unit)?;
    unit.finish_kernel(function, id)
}

/// Compiles a kernel of the kernel IR.
pub fn compile_lanes(kernel: &crate::kernel::Kernel, registry: &Arc<Registry>) -> Result<LaneCode> {
    let kernel = crate::kernel::Kernel {
        body: Arc::new(half_floats::expanded(&kernel.body).into_owned()),
        ..kernel.clone()
    };
    let module = Module::new((*kernel.body).clone());
    let mut unit = unit::Unit::new(&module, registry)?;
    let plan = lanes::Plan::new(&kernel);
    let id = lanes::compile_lanes(&mut unit, &kernel, &plan)?;
    unit.finish_lanes(plan, id)
}

/// The machine code of the module's root, as text: for people who look for what is slow.
pub fn assembly(module: &Module, registry: &Arc<Registry>) -> Result<String> {
    let mut unit = unit::Unit::of_program(module, registry)?;
    unit.listing = Some(String::new());
    function::compile_root(&mut unit, module.root)?;
    function::compile_callees(&mut unit)?;
    Ok(unit.listing.unwrap_or_default())
}

/// What Cranelift is given for the module's root, as text in its language.
pub fn clif(module: &Module, registry: &Arc<Registry>) -> Result<String> {
    let mut unit = unit::Unit::of_program(module, registry)?;
    unit.clif = Some(String::new());
    function::compile_root(&mut unit, module.root)?;
    function::compile_callees(&mut unit)?;
    Ok(unit.clif.unwrap_or_default())
}

/// A function of the module by name.
fn function_of(module: &Module, name: Symbol) -> Result<&crate::ir::Function> {
    module
        .functions
        .get(&name)
        .ok_or_else(|| Error::Internal(format!("the module has no function @{name}")))
}

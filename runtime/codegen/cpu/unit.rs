//! One compilation: the functions declared so far, and the tables that compiled code refers to by number.

use super::leaves::{leaf_types, words};
use super::{
    Code, FaultSite, KernelCode, LaneCode, LeafWord, Memory, Parallel, Root, ScalarFunction, Site,
    SiteOp, abi,
};
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::ir::flow::{Flow, Loops};
use crate::ir::{
    BlockData, Fault, Function, HostOp, Module, Op, Prim, Signature as IrSignature, Symbol,
    Terminator, Type, Value,
};
use crate::registry::Registry;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

/// What is shared by the functions of one compilation.
pub struct Unit<'m> {
    pub module: &'m Module,
    pub registry: &'m Arc<Registry>,
    pub jit: JITModule,
    pub scratch: FunctionBuilderContext,
    /// The machine code so far, as text, if someone wants to read it.
    pub listing: Option<String>,
    /// What Cranelift is given so far, as text, if someone wants to read that.
    pub clif: Option<String>,
    /// Functions of the module that are called from compiled code.
    callees: FxHashMap<Symbol, FuncId>,
    /// Those of them that are not compiled yet.
    waiting: Vec<Symbol>,
    /// Functions that are called and only declared.
    declared: Vec<(Symbol, IrSignature)>,
    /// The parallel functions that are called. `None` if whoever runs the code has no threads for them: they are then functions like others.
    pub parallel: Option<Vec<Symbol>>,
    /// The packs whose native functions are called.
    pub packs: BTreeSet<Symbol>,
    faults: Vec<FaultSite>,
    sites: Vec<Site>,
    /// The module with a function for each name that is mapped but not in it. Made when the first map is seen.
    scalars: Option<Module>,
    /// Sites of maps, whose module is known at the end only.
    maps: Vec<(usize, Symbol)>,
}

impl<'m> Unit<'m> {
    /// An empty compilation of a module.
    pub fn new(module: &'m Module, registry: &'m Arc<Registry>) -> Result<Unit<'m>> {
        Unit::optimised(module, registry, "speed")
    }
    /// The same for functions that are compiled as they are, and not into the loops of a kernel.
    pub fn of_program(module: &'m Module, registry: &'m Arc<Registry>) -> Result<Unit<'m>> {
        Unit::optimised(module, registry, opt_level(module))
    }
    fn optimised(
        module: &'m Module,
        registry: &'m Arc<Registry>,
        opt_level: &'static str,
    ) -> Result<Unit<'m>> {
        Ok(Unit {
            module,
            registry,
            jit: new_jit(opt_level)?,
            scratch: FunctionBuilderContext::new(),
            listing: None,
            clif: None,
            callees: FxHashMap::default(),
            waiting: Vec::new(),
            declared: Vec::new(),
            parallel: None,
            packs: BTreeSet::new(),
            faults: Vec::new(),
            sites: Vec::new(),
            scalars: None,
            maps: Vec::new(),
        })
    }

    /// The compiled form of a module function, to be compiled later if it is not yet.
    pub fn callee(&mut self, function: &Function) -> Result<FuncId> {
        if let Some(&id) = self.callees.get(&function.name) {
            return Ok(id);
        }
        let signature = self.callee_signature(function)?;
        let id = self
            .jit
            .declare_anonymous_function(&signature)
            .map_err(internal)?;
        self.callees.insert(function.name, id);
        self.waiting.push(function.name);
        Ok(id)
    }

    /// A callee that is not compiled yet.
    pub fn next_callee(&mut self) -> Option<(Symbol, FuncId)> {
        let name = self.waiting.pop()?;
        Some((name, self.callees[&name]))
    }

    /// Frame and leaves in, status and leaves out.
    pub fn callee_signature(&self, function: &Function) -> Result<Signature> {
        let mut signature = self.jit.make_signature();
        let mut leaves = vec![types::I64];
        for ty in function.param_types() {
            leaf_types(ty, &mut leaves)?;
        }
        signature.params.extend(leaves.drain(..).map(AbiParam::new));
        leaves.push(types::I32);
        leaf_types(function.ret, &mut leaves)?;
        signature
            .returns
            .extend(leaves.drain(..).map(AbiParam::new));
        Ok(signature)
    }

    /// The number of a function that is only declared.
    pub fn declared(&mut self, name: Symbol, signature: &IrSignature) -> u32 {
        let known = self.declared.iter().position(|(other, _)| *other == name);
        let number = known.unwrap_or_else(|| {
            self.declared.push((name, signature.clone()));
            self.declared.len() - 1
        });
        number as u32
    }

    /// The number of a parallel function; `None` if it is called like any other.
    pub fn parallel(&mut self, function: &Function) -> Option<u32> {
        let known = self
            .parallel
            .as_mut()
            .filter(|_| function.parallel.is_some())?;
        let found = known.iter().position(|&other| other == function.name);
        let number = found.unwrap_or_else(|| {
            known.push(function.name);
            known.len() - 1
        });
        Some(number as u32)
    }
    /// The parallel function of a number.
    pub fn parallel_function(&self, number: usize) -> Option<Symbol> {
        self.parallel.as_ref()?.get(number).copied()
    }

    /// The number of a new fault site.
    pub fn fault(&mut self, fault: Fault, types: Vec<Type>, span: Span) -> u32 {
        self.faults.push(FaultSite { fault, types, span });
        self.faults.len() as u32 - 1
    }

    /// The number of a new site.
    pub fn site(
        &mut self,
        op: SiteOp,
        name: Symbol,
        params: Vec<Type>,
        ret: Type,
        span: Span,
    ) -> u32 {
        self.sites.push(Site::new(op, name, params, ret, span));
        self.sites.len() as u32 - 1
    }

    /// The number of a new site for a map.
    pub fn map_site(
        &mut self,
        name: Symbol,
        params: Vec<Type>,
        ret: Type,
        span: Span,
    ) -> Result<u32> {
        let function = self.scalar_function(name, &params, ret)?;
        self.maps.push((self.sites.len(), function));
        // Replaced by `resolve_maps`.
        let op = SiteOp::Host(HostOp::Accumulate);
        let site = self.site(op, name, params, ret, span);
        Ok(site)
    }

    /// The number of a new site for a cluster.
    pub fn cluster_site(
        &mut self,
        function: &Function,
        params: Vec<Type>,
        span: Span,
    ) -> Result<u32> {
        let mut own = function.clone();
        for inst in own.blocks[own.entry()].insts.clone() {
            let row = &own.insts[inst];
            if let Op::Map(name) = row.op {
                let types: Vec<Type> = row.args.iter().map(|&v| own.ty(v)).collect();
                let found = self.scalar_function(name, &types, own.ty(row.result))?;
                own.insts[inst].op = Op::Map(found);
            }
        }
        let module = self.module;
        self.scalars
            .get_or_insert_with(|| module.clone())
            .insert(own);
        self.maps.push((self.sites.len(), function.name));
        // Replaced by `resolve_maps`.
        let op = SiteOp::Host(HostOp::Accumulate);
        Ok(self.site(op, function.name, params, function.ret, span))
    }

    /// The scalar function of a map: in the module, or a new one that calls the entry or does the primitive.
    fn scalar_function(&mut self, name: Symbol, params: &[Type], ret: Type) -> Result<Symbol> {
        let module = self.module;
        let scalars = self.scalars.get_or_insert_with(|| module.clone());
        if module.functions.contains_key(&name) {
            return Ok(name);
        }
        let elements: Vec<Type> = params
            .iter()
            .map(|&ty| ty.element().unwrap_or(ty))
            .collect();
        let list: Vec<String> = elements.iter().map(|ty| ty.to_string()).collect();
        let wrapper = Symbol::new(&format!("map.{name}.{}", list.join(".")));
        if !scalars.functions.contains_key(&wrapper) {
            let result = ret.element().ok_or_else(|| {
                Error::Internal(format!("map of @{name} outside the module gives {ret}"))
            })?;
            scalars.insert(wrap(wrapper, name, &elements, result));
        }
        Ok(wrapper)
    }

    /// Gives the map sites their functions, now that all of them are known.
    fn resolve_maps(&mut self) {
        let Some(scalars) = self.scalars.take() else {
            return;
        };
        let module = Arc::new(scalars);
        for (site, function) in self.maps.drain(..) {
            let kind = match module.functions[&function].clustered {
                true => SiteOp::Cluster,
                false => SiteOp::Map,
            };
            self.sites[site].op = kind(ScalarFunction {
                module: module.clone(),
                function,
                registry: self.registry.clone(),
                made: OnceLock::new(),
            });
        }
    }

    /// Makes the code executable.
    pub fn finish(
        mut self,
        names: &[Symbol],
        ids: &[FuncId],
        parallel_ids: &[FuncId],
    ) -> Result<Code> {
        self.resolve_maps();
        self.jit.finalize_definitions().map_err(internal)?;
        let named = names.iter().zip(ids);
        let roots = named.map(|(&name, &id)| self.root(name, id));
        let roots = roots.collect::<Result<_>>()?;
        let mut parallel = Vec::new();
        for (name, &id) in self.parallel.take().into_iter().flatten().zip(parallel_ids) {
            let roles = &super::function_of(self.module, name)?.parallel;
            let root = self.root(name, id)?;
            parallel.push(Parallel {
                sums: LeafWord::all(&[root.ret]),
                root,
                roles: roles.clone().unwrap_or_default(),
                nanoseconds: AtomicU64::new(0),
            });
        }
        Ok(Code {
            roots,
            sites: self.sites,
            declared: self.declared,
            parallel,
            faults: self.faults,
            packs: self.packs.into_iter().collect(),
            _memory: Memory::new(self.jit),
        })
    }

    fn root(&self, name: Symbol, id: FuncId) -> Result<Root> {
        let function = super::function_of(self.module, name)?;
        let address = self.jit.get_finalized_function(id);
        Ok(Root {
            name,
            params: function.param_types(),
            ret: function.ret,
            words: words(function.ret),
            // SAFETY: `compile_root` made the function under this id with this signature.
            entry: unsafe { std::mem::transmute::<*const u8, abi::Entry>(address) },
        })
    }

    /// Makes a kernel over lanes executable.
    pub fn finish_lanes(mut self, plan: super::lanes::Plan, id: FuncId) -> Result<LaneCode> {
        self.jit.finalize_definitions().map_err(internal)?;
        let address = self.jit.get_finalized_function(id);
        Ok(LaneCode {
            plan,
            // SAFETY: `compile_lanes` made the function under this id with this signature.
            entry: unsafe { std::mem::transmute::<*const u8, abi::Lanes>(address) },
            packs: self.packs.into_iter().collect(),
            _memory: Memory::new(self.jit),
        })
    }

    /// Makes a kernel executable.
    pub fn finish_kernel(mut self, name: Symbol, id: FuncId) -> Result<KernelCode> {
        if let Some(site) = self
            .sites
            .iter()
            .find(|s| matches!(s.op, SiteOp::Native(_)))
        {
            let message = format!(
                "`{}` is machine code of a pack, called for each element of an array: maps call functions of numbers only",
                site.name
            );
            let help = "call it on the whole array, or in a loop over a slice";
            return Err(Diagnostic::new(site.span, message).help(help).into());
        }
        if !self.sites.is_empty() {
            return Err(Error::Internal(format!(
                "the kernel @{name} works on arrays"
            )));
        }
        self.jit.finalize_definitions().map_err(internal)?;
        let function = super::function_of(self.module, name)?;
        let address = self.jit.get_finalized_function(id);
        Ok(KernelCode {
            inputs: function.param_types(),
            outputs: outputs(function),
            // SAFETY: `compile_kernel` made the function under this id with this signature.
            entry: unsafe { std::mem::transmute::<*const u8, abi::Kernel>(address) },
            faults: self.faults,
            packs: self.packs.into_iter().collect(),
            _memory: Memory::new(self.jit),
        })
    }
}

/// The outputs of a kernel: the fields of the tuple the function returns, or the one value.
pub fn outputs(function: &Function) -> Vec<Type> {
    match function.ret {
        Type::Tuple(fields) => fields.to_vec(),
        single => vec![single],
    }
}

/// A function that only calls `name`.
fn wrap(wrapper: Symbol, name: Symbol, params: &[Type], ret: Type) -> Function {
    let mut function = Function::new(wrapper, params, ret);
    let op = match Prim::from_mnemonic(name.as_str()) {
        Some(prim) => Op::Prim(prim),
        None => Op::Call(name.into()),
    };
    let entry = function.entry();
    let args = function.params().to_vec();
    let result = function.append(entry, op, &args, ret, Span::NONE);
    function.blocks[entry].terminator = Terminator::Return(result);
    function
}

/// How much Cranelift optimises. What is not optimised stands in the order of the program, which is better for two kinds of code, in which there is nothing
/// to be moved:
/// - Long blocks without loops. The optimiser computes each value where it is needed, and what that needs before it: of two long chains, first the one and
///   then the other. The machine would compute them side by side if they stood so, as they do in the program. (400 products in two chains take 60 per cent
///   of the time, and half as long to compile.)
/// - Elementary functions of registers. The optimiser moves their constants, of which there are more than registers, out of loops, into memory. (The sum of
///   the cosines of exponentials takes three quarters of the time.)
fn opt_level(module: &Module) -> &'static str {
    let functions = || module.functions.values();
    let calls_in_lanes = |function: &Function| {
        let insts = { function.blocks_in_order() }.flat_map(|(_, data)| &data.insts);
        let mut rows = insts.map(|&inst| &function.insts[inst]);
        let is_register = |&arg: &Value| function.ty(arg).lanes().is_some();
        rows.any(|row| matches!(row.op, Op::Call(_)) && row.args.iter().any(is_register))
    };
    let is_long = |data: &BlockData| data.insts.len() > LONG_BLOCK;
    let has_loops = |function: &Function| {
        let flow = Flow::new(function);
        Loops::new(function, &flow).all().next().is_some()
    };
    let any_long = functions().any(|f| f.blocks_in_order().any(|(_, data)| is_long(data)));
    match functions().any(calls_in_lanes) || any_long && !functions().any(has_loops) {
        true => "none",
        false => "speed",
    }
}

/// Blocks of so many instructions are long.
const LONG_BLOCK: usize = 200;

/// Memory for code of this machine.
fn new_jit(opt_level: &'static str) -> Result<JITModule> {
    Ok(JITModule::new(jit_builder(opt_level)?))
}

fn jit_builder(opt_level: &'static str) -> Result<JITBuilder> {
    let flags = [
        ("opt_level", opt_level),
        ("enable_multi_ret_implicit_sret", "true"),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("unwind_info", "false"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
    ];
    JITBuilder::with_flags(&flags, cranelift_module::default_libcall_names()).map_err(internal)
}

/// The same, where each function is more than 2 GiB away from the others, as it may be in a process with large arrays.
#[cfg(test)]
pub fn new_jit_apart() -> Result<JITModule> {
    use cranelift_jit::{ArenaMemoryProvider, BranchProtection, JITMemoryKind, JITMemoryProvider};
    struct Apart(Vec<ArenaMemoryProvider>);
    impl JITMemoryProvider for Apart {
        fn allocate(
            &mut self,
            size: usize,
            align: u64,
            kind: JITMemoryKind,
        ) -> std::io::Result<*mut u8> {
            // Addresses only: memory is taken as far as it is used.
            let arena = ArenaMemoryProvider::new_with_size(3 << 30);
            let mut arena = arena.map_err(std::io::Error::other)?;
            let address = arena.allocate(size, align, kind)?;
            self.0.push(arena);
            Ok(address)
        }
        unsafe fn free_memory(&mut self) {
            for arena in &mut self.0 {
                // SAFETY: the caller promises that nobody uses the code any more.
                unsafe { JITMemoryProvider::free_memory(arena) }
            }
        }
        fn finalize(&mut self, protection: BranchProtection) -> cranelift_module::ModuleResult<()> {
            for arena in &mut self.0 {
                JITMemoryProvider::finalize(arena, protection)?;
            }
            Ok(())
        }
    }
    let mut builder = jit_builder("speed")?;
    builder.memory_provider(Box::new(Apart(Vec::new())));
    Ok(JITModule::new(builder))
}

/// What Cranelift refuses is a bug of ours.
pub fn internal(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("code generation: {error}"))
}

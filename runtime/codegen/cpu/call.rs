//! Calls: of module functions, of packs' functions, of the host.

use super::function::{Body, Lowering};
use super::lanes::scalar_in_lanes;
use super::leaves::{Leaves, leaf_types, load_words, machine_type, store_words};
use super::{NativeSite, SiteOp, abi};
use crate::codegen::scalars::has_mul_add;
use crate::diag::{Error, Result};
use crate::ir::{Callee, Function, InstData, Prim, Symbol, Type};
use crate::kernel::MUL_ADD;
use crate::registry::{Entry, EntryKind, NativeFn, ScalarRule};
use cranelift_codegen::ir::{
    self as clif, AbiParam, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, types,
};
use cranelift_module::Module as _;
use smallvec::smallvec;
use std::mem::offset_of;

/// Bodies of rules may use other rules, this deep. Deeper means that they use each other.
const INLINE_DEPTH: usize = 64;

impl Lowering<'_, '_> {
    /// Lowers a call by name.
    pub fn call(
        &mut self,
        body: &mut Body,
        inst: &InstData,
        callee: Callee,
        ty: Type,
    ) -> Result<Leaves> {
        if let Some(function) = self.unit.module.called(callee) {
            if function.clustered {
                let types = body.types(&inst.args);
                let site = self.unit.cluster_site(function, types, inst.span)?;
                return self.call_site(body, inst, site, ty);
            }
            if let Some(number) = self.unit.parallel(function) {
                let how = offset_of!(abi::Header, parallel);
                return self.call_outside(how, body, inst, number, ty);
            }
            return self.call_function(body, inst, function);
        }
        let (types, registry) = (body.types(&inst.args), self.unit.registry);
        if types.iter().any(|ty| ty.lanes().is_some()) {
            let args = body.all(&inst.args)?;
            return scalar_in_lanes(self, callee, &types, &args, ty);
        }
        let name = match callee {
            Callee::Function(name) => name,
            Callee::WithPartials(name) => {
                let entry = registry.find(name, &types);
                let entry = entry.ok_or_else(|| unknown(callee.symbol(), &types))?;
                return self.call_with_partials(body, inst, entry);
            }
            Callee::Host(op) => {
                return self.call_host(body, inst, SiteOp::Host(op), op.symbol(), ty);
            }
            Callee::SameShape(check) => {
                let op = SiteOp::SameShape(check);
                return self.call_host(body, inst, op, callee.symbol(), ty);
            }
            Callee::Native(_) => {
                let (entry, site) = if let Some(call) = registry.native_part(callee, &types) {
                    (call.entry, NativeSite::part(&call, registry.is_checked()))
                } else if let Some(dual) = registry.native_dual(callee, &types) {
                    let site = NativeSite::dual(&dual, registry.is_checked());
                    (dual.call.entry, site)
                } else {
                    return Err(unknown(callee.symbol(), &types));
                };
                let site = site.ok_or_else(|| unknown(callee.symbol(), &types))?;
                self.unit.packs.insert(entry.pack);
                let op = SiteOp::Native(Box::new(site));
                return self.call_host(body, inst, op, callee.symbol(), ty);
            }
        };
        if let Some(signature) = self.unit.module.declared.get(&name) {
            let number = self.unit.declared(name, signature);
            let how = offset_of!(abi::Header, on_demand);
            return self.call_outside(how, body, inst, number, ty);
        }
        if let Some(entry) = registry.find(name, &types) {
            return self.call_entry(body, inst, entry, ty);
        }
        if let Some(prim) = Prim::from_mnemonic(name.as_str()) {
            return self.prim(body, inst, prim, ty);
        }
        Err(unknown(name, &types))
    }

    /// Lowers a map over arrays: the host does it.
    pub fn map(
        &mut self,
        body: &mut Body,
        inst: &InstData,
        name: Symbol,
        ty: Type,
    ) -> Result<Leaves> {
        let types = body.types(&inst.args);
        let site = self.unit.map_site(name, types, ty, inst.span)?;
        self.call_site(body, inst, site, ty)
    }

    fn call_function(
        &mut self,
        body: &Body,
        inst: &InstData,
        function: &Function,
    ) -> Result<Leaves> {
        let id = self.unit.callee(function)?;
        let callee = self.unit.jit.declare_func_in_func(id, self.b.func);
        // Each function has memory of its own, which may be more than 2 GiB away: too far for the short form of a call.
        self.b.func.dfg.ext_funcs[callee].colocated = false;
        let mut args: Leaves = smallvec![self.frame];
        args.extend(body.all(&inst.args)?);
        let call = self.b.ins().call(callee, &args);
        let results = Leaves::from_slice(self.b.inst_results(call));
        self.check_status(results[0]);
        Ok(Leaves::from_slice(&results[1..]))
    }

    /// Calls a scalar function of a pack on scalars in registers.
    pub fn scalar_call(
        &mut self,
        callee: Callee,
        types: &[Type],
        args: &[clif::Value],
        ty: Type,
    ) -> Result<clif::Value> {
        if let Some(made) = self.instruction(callee, args) {
            return Ok(made);
        }
        let entry = self.unit.registry.entry(callee, types);
        match entry.map(|entry| (entry.pack, &entry.kind)) {
            Some((pack, EntryKind::Scalar(rule))) => match (rule.native, &rule.body) {
                (Some(NativeFn(address)), _) => {
                    self.unit.packs.insert(pack);
                    Ok(self.call_native(address, args, machine_type(ty)?))
                }
                (None, Some(body)) => {
                    let leaves = args.iter().map(|&arg| smallvec![arg]).collect();
                    Ok(self.inline(body, leaves)?[0])
                }
                (None, None) => Err(unknown(callee.symbol(), types)),
            },
            _ => Err(unknown(callee.symbol(), types)),
        }
    }

    /// What a function of packs gives for scalars or lanes, if the machine has it as an instruction.
    pub fn instruction(&mut self, callee: Callee, args: &[clif::Value]) -> Option<clif::Value> {
        let is_one = callee == MUL_ADD && has_mul_add();
        is_one.then(|| self.b.ins().fma(args[0], args[1], args[2]))
    }

    fn call_entry(
        &mut self,
        body: &mut Body,
        inst: &InstData,
        entry: &Entry,
        ty: Type,
    ) -> Result<Leaves> {
        match &entry.kind {
            EntryKind::Scalar(ScalarRule {
                native: Some(NativeFn(address)),
                ..
            }) => {
                self.unit.packs.insert(entry.pack);
                let args = body.all(&inst.args)?;
                let result = self.call_native(*address, &args, machine_type(ty)?);
                Ok(smallvec![result])
            }
            EntryKind::Scalar(rule) => match (&rule.body, Prim::from_mnemonic(entry.name.as_str()))
            {
                (Some(function), _) => self.inline_body(body, inst, function),
                (None, Some(prim)) => self.prim(body, inst, prim, ty),
                (None, None) => Err(unknown(entry.name, &entry.params)),
            },
            EntryKind::Native(rule) => {
                self.unit.packs.insert(entry.pack);
                let checked = self.unit.registry.is_checked();
                let site = NativeSite::primal(entry, rule.primal, checked);
                self.call_host(body, inst, SiteOp::Native(Box::new(site)), entry.name, ty)
            }
            EntryKind::Array(rule) => match (&rule.native, &rule.body) {
                (Some(native), _) => {
                    self.unit.packs.insert(entry.pack);
                    let checked = self.unit.registry.is_checked();
                    let site = NativeSite::primal(entry, *native, checked);
                    self.call_host(body, inst, SiteOp::Native(Box::new(site)), entry.name, ty)
                }
                (None, Some(function)) => self.inline_body(body, inst, function),
                (None, None) => Err(unknown(entry.name, &entry.params)),
            },
        }
    }

    fn inline_body(&mut self, body: &Body, inst: &InstData, callee: &Function) -> Result<Leaves> {
        if self.depth == INLINE_DEPTH {
            let name = callee.name;
            return Err(Error::Internal(format!("the body of @{name} uses itself")));
        }
        let args = inst
            .args
            .iter()
            .map(|&v| body.get(v).cloned())
            .collect::<Result<_>>()?;
        self.depth += 1;
        let leaves = self.inline(callee, args);
        self.depth -= 1;
        leaves
    }

    /// `f.with_partials(x…) -> (y, ∂…)`: the partials come back through a stack slot.
    fn call_with_partials(
        &mut self,
        body: &Body,
        inst: &InstData,
        entry: &Entry,
    ) -> Result<Leaves> {
        let EntryKind::Scalar(ScalarRule {
            with_partials: Some(NativeFn(address)),
            ..
        }) = entry.kind
        else {
            return Err(Error::Internal(format!(
                "@{} has no native partials",
                entry.name
            )));
        };
        self.unit.packs.insert(entry.pack);
        let ty = machine_type(entry.ret)?;
        let mut args = body.all(&inst.args)?;
        let count = args.len();
        let slot = self.stack_address(count * ty.bytes() as usize);
        args.push(slot);
        let mut leaves: Leaves = smallvec![self.call_native(address, &args, ty)];
        for i in 0..count as i32 {
            let at = i * ty.bytes() as i32;
            let flags = MemFlagsData::trusted();
            leaves.push(self.b.ins().load(ty, flags, slot, at));
        }
        Ok(leaves)
    }

    /// Calls a C function at a fixed address.
    pub fn call_native(
        &mut self,
        address: usize,
        args: &[clif::Value],
        ret: clif::Type,
    ) -> clif::Value {
        let address = self.b.ins().iconst(types::I64, address as i64);
        self.call_address(address, args, ret)
    }

    /// Calls a C function.
    pub fn call_address(
        &mut self,
        address: clif::Value,
        args: &[clif::Value],
        ret: clif::Type,
    ) -> clif::Value {
        let mut signature = self.unit.jit.make_signature();
        let dfg = &self.b.func.dfg;
        let params = args.iter().map(|&arg| AbiParam::new(dfg.value_type(arg)));
        signature.params.extend(params);
        signature.returns.push(AbiParam::new(ret));
        let signature = self.b.import_signature(signature);
        let call = self.b.ins().call_indirect(signature, address, args);
        self.b.inst_results(call)[0]
    }

    /// Asks the host for an operation.
    fn call_host(
        &mut self,
        body: &Body,
        inst: &InstData,
        op: SiteOp,
        name: Symbol,
        ty: Type,
    ) -> Result<Leaves> {
        let types = body.types(&inst.args);
        let site = self.unit.site(op, name, types, ty, inst.span);
        self.call_site(body, inst, site, ty)
    }

    /// Asks the host for the operation of a site.
    fn call_site(&mut self, body: &Body, inst: &InstData, site: u32, ty: Type) -> Result<Leaves> {
        self.call_outside(offset_of!(abi::Header, host), body, inst, site, ty)
    }

    /// Calls what has this number by way of the frame: arguments and results are words in stack slots.
    fn call_outside(
        &mut self,
        how: usize,
        body: &Body,
        inst: &InstData,
        number: u32,
        ty: Type,
    ) -> Result<Leaves> {
        let leaves = body.all(&inst.args)?;
        let args = self.stack_address(8 * leaves.len());
        store_words(&mut self.b, &leaves, args);
        let mut machine = Vec::new();
        leaf_types(ty, &mut machine)?;
        let results = self.stack_address(8 * machine.len());
        let function = self.load_header(how);
        let number = self.b.ins().iconst(types::I32, i64::from(number));
        let call = [self.frame, number, args, results];
        let status = self.call_address(function, &call, types::I32);
        self.check_status(status);
        load_words(&mut self.b, ty, results, &mut 0)
    }

    /// The address of that many bytes of this call's own.
    fn stack_address(&mut self, bytes: usize) -> clif::Value {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes.max(8) as u32, 3);
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }
}

fn unknown(name: Symbol, types: &[Type]) -> Error {
    let list: Vec<String> = types.iter().map(|ty| ty.to_string()).collect();
    let list = list.join(", ");
    Error::Internal(format!("nothing computes @{name}({list})"))
}

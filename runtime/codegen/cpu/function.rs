//! Functions: blocks, terminators, the ways in and out.

use super::leaves::{Leaves, fault_values, leaf_types, load_words, store_words, to_word};
use super::strides::Strides;
use super::unit::{Unit, internal};
use super::{abi, function_of};
use crate::diag::{Error, Result, Span};
use crate::ir::flow::{Flow, Loops};
use crate::ir::roots::{Root, Roots};
use crate::ir::{self, Const, Fault, Function, InstData, Op, Symbol, Terminator, Type};
use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{
    self as clif, AbiParam, AliasRegion, AliasRegionData, BlockArg, InstBuilder, MemFlagsData,
    types,
};
use cranelift_frontend::FunctionBuilder;
use cranelift_module::{FuncId, Module as _};
use half::f16;
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::offset_of;

/// Compiles a function of the module so that it can be called from outside ([`abi::Entry`]).
pub fn compile_root(unit: &mut Unit, name: Symbol) -> Result<FuncId> {
    let function = function_of(unit.module, name)?;
    let mut signature = unit.jit.make_signature();
    signature.params = vec![AbiParam::new(types::I64); 3];
    signature.returns = vec![AbiParam::new(types::I32)];
    define(unit, None, signature, |lowering, params| {
        // Other programs, and the iterations of others, call it, however deep.
        if function.on_demand || function.parallel.is_some() {
            lowering.guard_stack(function);
        }
        let (mut args, mut offset) = (Vec::new(), 0);
        for ty in function.param_types() {
            args.push(load_words(&mut lowering.b, ty, params[1], &mut offset)?);
        }
        lowering.body(function, args, Finish::Store(params[2]))
    })
}

/// Compiles the functions that compiled code calls, until all are.
pub fn compile_callees(unit: &mut Unit) -> Result<()> {
    while let Some((name, id)) = unit.next_callee() {
        let function = function_of(unit.module, name)?;
        let signature = unit.callee_signature(function)?;
        define(unit, Some(id), signature, |lowering, params| {
            lowering.guard_stack(function);
            let (mut args, mut rest) = (Vec::new(), &params[1..]);
            for ty in function.param_types() {
                let mut leaves = Vec::new();
                leaf_types(ty, &mut leaves)?;
                let (own, others) = rest.split_at(leaves.len());
                args.push(Leaves::from_slice(own));
                rest = others;
            }
            lowering.body(function, args, Finish::Return)
        })?;
    }
    Ok(())
}

/// Makes one machine function: `fill` gets its parameters, and ends every block.
pub fn define(
    unit: &mut Unit,
    id: Option<FuncId>,
    signature: clif::Signature,
    fill: impl FnOnce(&mut Lowering, &[clif::Value]) -> Result<()>,
) -> Result<FuncId> {
    let id = match id {
        Some(id) => id,
        None => unit
            .jit
            .declare_anonymous_function(&signature)
            .map_err(internal)?,
    };
    let mut context = Context::new();
    context.func.signature = signature;
    let mut scratch = std::mem::take(&mut unit.scratch);
    let mut lowering = Lowering::new(FunctionBuilder::new(&mut context.func, &mut scratch), unit);
    let params = lowering.enter();
    fill(&mut lowering, &params)?;
    lowering.leave();
    unit.scratch = scratch;
    if let Some(clif) = &mut unit.clif {
        clif.push_str(&context.func.display().to_string());
    }
    context.set_disasm(unit.listing.is_some());
    unit.jit
        .define_function(id, &mut context)
        .map_err(|error| Error::Internal(format!("code generation: {error:?}")))?;
    if let (Some(listing), Some(code)) = (&mut unit.listing, context.compiled_code()) {
        listing.push_str(code.vcode.as_deref().unwrap_or_default());
    }
    Ok(id)
}

/// How a body hands on what it returns.
#[derive(Clone, Copy)]
pub enum Finish {
    /// As words from this address on, and status 0.
    Store(clif::Value),
    /// In registers, after status 0.
    Return,
    /// As parameters of this block.
    Continue(clif::Block),
}

/// A machine function in the making.
pub struct Lowering<'a, 'm> {
    pub b: FunctionBuilder<'a>,
    pub unit: &'a mut Unit<'m>,
    /// The address of the call's frame.
    pub frame: clif::Value,
    /// Returns a status that is not zero.
    exit: clif::Block,
    /// Memory that does not change while the function runs; the tape. All other memory has no region.
    pub constant_memory: AliasRegion,
    pub tape_memory: AliasRegion,
    /// Sums, differences and products that an overflow check has computed in the current block.
    pub checked: FxHashMap<(ir::Prim, clif::Value, clif::Value), clif::Value>,
    /// How many bodies of rules are being inlined into each other.
    pub depth: usize,
}

/// The values and blocks of one function while it is lowered.
pub struct Body<'f> {
    pub function: &'f Function,
    values: Vec<Option<Leaves>>,
    blocks: FxHashMap<ir::Block, clif::Block>,
    /// Where slices come from, if this is all of a machine function and not inlined into one.
    roots: Option<Roots>,
    /// The addresses that loops carry, and what they are by their headers.
    strides: Strides,
    loops: Option<Loops>,
    pointers: FxHashMap<ir::Block, Vec<clif::Value>>,
}

impl<'f> Body<'f> {
    fn new(function: &'f Function) -> Self {
        Body {
            function,
            values: vec![None; function.values.len()],
            blocks: FxHashMap::default(),
            roots: None,
            strides: Strides::default(),
            loops: None,
            pointers: FxHashMap::default(),
        }
    }
    /// Whether a block is in the innermost loop of another one.
    fn is_within_loop(&self, outer: ir::Block, block: ir::Block) -> bool {
        let within = |loops: &Loops| loops.of(outer).is_some_and(|l| loops.contains(l, block));
        self.loops.as_ref().is_some_and(within)
    }
    /// Whether an edge leads out of a loop.
    fn leaves_loop(&self, from: ir::Block, to: ir::Block) -> bool {
        let leaves = |loops: &Loops| loops.of(from).is_some_and(|l| !loops.contains(l, to));
        self.loops.as_ref().is_some_and(leaves)
    }
    /// The pointer that a loop carries for an access to memory, and the distance from it.
    pub fn pointer(&self, access: ir::Value) -> Option<(clif::Value, i32)> {
        let (header, number, distance) = self.strides.access(access)?;
        Some((*self.pointers.get(&header)?.get(number)?, distance))
    }
    /// Whether nothing in the machine function writes to the slice's memory: it is part of a shared slice that the
    /// function was given. A view of an object may be followed by stores to the object.
    pub fn is_constant(&self, slice: ir::Value) -> bool {
        match self.roots.as_ref().map(|roots| roots.of(slice)) {
            Some(Root::Param(root)) => matches!(self.function.ty(root), Type::Slice(_)),
            _ => false,
        }
    }
    fn set(&mut self, value: ir::Value, leaves: Leaves) {
        self.values[crate::arena::Id::index(value)] = Some(leaves);
    }
    /// The leaves of a value that is defined.
    pub fn get(&self, value: ir::Value) -> Result<&Leaves> {
        self.values[crate::arena::Id::index(value)]
            .as_ref()
            .ok_or_else(|| {
                let name = self.function.name;
                Error::Internal(format!("@{name}: {value} is used before it is defined"))
            })
    }
    /// The one leaf of a scalar.
    pub fn scalar(&self, value: ir::Value) -> Result<clif::Value> {
        Ok(self.get(value)?[0])
    }
    /// The leaves of several values, one after another.
    pub fn all(&self, values: &[ir::Value]) -> Result<Leaves> {
        let mut leaves = Leaves::new();
        for &value in values {
            leaves.extend_from_slice(self.get(value)?);
        }
        Ok(leaves)
    }
    /// The types of several values.
    pub fn types(&self, values: &[ir::Value]) -> Vec<Type> {
        values.iter().map(|&v| self.function.ty(v)).collect()
    }
}

impl<'a, 'm> Lowering<'a, 'm> {
    fn new(mut b: FunctionBuilder<'a>, unit: &'a mut Unit<'m>) -> Self {
        let mut region = |user_id, description: &'static str| {
            b.func.dfg.alias_regions.insert(AliasRegionData {
                user_id,
                description: description.into(),
            })
        };
        let (constant_memory, tape_memory) = (region(0, "constant"), region(1, "tape"));
        let exit = b.create_block();
        b.set_cold_block(exit);
        Lowering {
            b,
            unit,
            frame: clif::Value::from_u32(0),
            exit,
            constant_memory,
            tape_memory,
            checked: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Starts the entry block and gives the parameters, the first of which is the frame.
    fn enter(&mut self) -> Vec<clif::Value> {
        let entry = self.b.create_block();
        self.b.append_block_params_for_function_params(entry);
        self.b.switch_to_block(entry);
        let params = self.b.block_params(entry).to_vec();
        self.frame = params[0];
        params
    }

    /// Adds the common way out after a failure: status 1 and zeros.
    fn leave(mut self) {
        self.b.switch_to_block(self.exit);
        let returns: Vec<_> = self
            .b
            .func
            .signature
            .returns
            .iter()
            .map(|r| r.value_type)
            .collect();
        let mut values = vec![self.b.ins().iconst(types::I32, 1)];
        values.extend(returns[1..].iter().map(|&ty| zero(&mut self.b, ty)));
        self.b.ins().return_(&values);
        self.b.seal_all_blocks();
        let target = self.unit.jit.isa().frontend_config();
        self.b.finalize(target);
    }

    /// Lowers a function here, with `args` for its parameters.
    pub fn body(&mut self, function: &Function, args: Vec<Leaves>, finish: Finish) -> Result<()> {
        let flow = Flow::new(function);
        let order = flow.reverse_postorder();
        let mut body = Body::new(function);
        body.roots = Some(Roots::new(function, &flow));
        let loops = Loops::new(function, &flow);
        body.strides = Strides::new(function, &flow, &loops);
        body.loops = Some(loops);
        for &block in &order[1..] {
            self.declare_block(&mut body, block)?;
        }
        for (&param, leaves) in function.params().iter().zip(args) {
            body.set(param, leaves);
        }
        for &block in order {
            if let Some(&target) = body.blocks.get(&block) {
                self.b.switch_to_block(target);
            }
            self.checked.clear();
            let invariants = self.rename_invariants(&mut body, &flow, block)?;
            for &inst in &function.blocks[block].insts {
                self.inst(&mut body, &function.insts[inst])?;
            }
            for (value, leaves) in invariants {
                body.set(value, leaves);
            }
            self.terminator(&body, block, finish)?;
        }
        Ok(())
    }

    fn declare_block(&mut self, body: &mut Body, block: ir::Block) -> Result<()> {
        let target = self.b.create_block();
        body.blocks.insert(block, target);
        for &param in &body.function.blocks[block].params {
            let mut machine = Vec::new();
            leaf_types(body.function.ty(param), &mut machine)?;
            let leaves = machine
                .into_iter()
                .map(|ty| self.b.append_block_param(target, ty));
            body.set(param, leaves.collect());
        }
        let pointers = body.strides.of(block).iter();
        let pointers = pointers.map(|_| self.b.append_block_param(target, types::I64));
        let pointers = pointers.collect();
        body.pointers.insert(block, pointers);
        Ok(())
    }

    /// What an edge passes from a block: the leaves of its arguments, and to a loop's header the pointers that the loop carries.
    fn edge_args(
        &mut self,
        body: &Body,
        from: ir::Block,
        edge: &ir::Edge,
    ) -> Result<Vec<BlockArg>> {
        let mut leaves = body.all(&edge.args)?;
        for (number, pointer) in body.strides.of(edge.block).iter().enumerate() {
            leaves.push(match body.is_within_loop(edge.block, from) {
                true => {
                    let now = body.pointers[&edge.block][number];
                    self.b.ins().iadd_imm_s(now, pointer.step)
                }
                false => {
                    let start = body.scalar(edge.args[pointer.induction])?;
                    let moved = self.b.ins().imul_imm_s(start, pointer.per);
                    let mut address = self.b.ins().iadd(body.get(pointer.base)?[0], moved);
                    for (&term, &factor) in &pointer.terms {
                        let bytes = self.b.ins().imul_imm_s(body.scalar(term)?, factor);
                        address = self.b.ins().iadd(address, bytes);
                    }
                    address
                }
            });
        }
        Ok(leaves.into_iter().map(BlockArg::Value).collect())
    }

    /// Lowers a straight-line function here and gives the leaves of what it returns.
    pub fn inline(&mut self, function: &Function, args: Vec<Leaves>) -> Result<Leaves> {
        let entry = &function.blocks[function.entry()];
        let Terminator::Return(result) = entry.terminator else {
            let name = function.name;
            return Err(Error::Internal(format!(
                "the body of @{name} is not straight-line"
            )));
        };
        let mut body = Body::new(function);
        for (&param, leaves) in function.params().iter().zip(args) {
            body.set(param, leaves);
        }
        for &inst in &entry.insts {
            self.inst(&mut body, &function.insts[inst])?;
        }
        body.get(result).cloned()
    }

    fn inst(&mut self, body: &mut Body, inst: &InstData) -> Result<()> {
        let ty = body.function.ty(inst.result);
        let leaves = match inst.op {
            Op::Const(c) => self.constant(c, ty)?,
            Op::Prim(prim) => self.prim(body, inst, prim, ty)?,
            Op::Call(callee) => self.call(body, inst, callee, ty)?,
            Op::Map(name) => self.map(body, inst, name, ty)?,
        };
        body.set(inst.result, leaves);
        Ok(())
    }

    fn constant(&mut self, c: Const, ty: Type) -> Result<Leaves> {
        if c == Const::Unit {
            return Ok(Leaves::new());
        }
        if let (Const::Null, Type::Slice(_) | Type::SliceMut(_)) = (c, ty) {
            let zero = int(&mut self.b, types::I64, 0);
            return Ok(Leaves::from_slice(&[zero, zero]));
        }
        let machine = super::leaves::machine_type(ty)?;
        let b = &mut self.b;
        let leaf = match (c, machine) {
            (Const::Float(x), types::F32) => b.ins().f32const(x as f32),
            (Const::Float(x), types::F64) => b.ins().f64const(x),
            (Const::Float(x), types::I16) => int(b, types::I16, f16::from_f64(x).to_bits().into()),
            (Const::Int(x), ty) if ty.is_int() => int(b, ty, x),
            (Const::Bool(x), types::I8) => int(b, types::I8, x as i64),
            (Const::Null, types::I64) => int(b, types::I64, 0),
            _ => {
                return Err(Error::Internal(format!(
                    "{c:?} is not a constant of type {ty}"
                )));
            }
        };
        Ok(Leaves::from_slice(&[leaf]))
    }

    /// Ends a block.
    fn terminator(&mut self, body: &Body, block: ir::Block, finish: Finish) -> Result<()> {
        match &body.function.blocks[block].terminator {
            Terminator::Missing => {
                let name = body.function.name;
                return Err(Error::Internal(format!("a block of @{name} has no end")));
            }
            Terminator::Jump(edge) => {
                let args = self.edge_args(body, block, edge)?;
                self.b.ins().jump(body.blocks[&edge.block], &args);
            }
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = body.scalar(*condition)?;
                self.branch(body, block, condition, [then, otherwise])?;
            }
            Terminator::Return(value) => {
                let leaves = body.get(*value)?.clone();
                self.finish(&leaves, finish);
            }
            Terminator::Error(fault, values, span) => self.fail(body, *fault, values, *span)?,
        }
        Ok(())
    }

    /// Goes on along the first edge if the condition holds, else along the second.
    ///
    /// This respects two properties of Cranelift. Its optimiser visits the second target of a branch first, and it stops moving invariants out
    /// of a loop once it has visited a block outside the loop. So the target that leaves the loop comes first. And its register allocator
    /// does not see the next iteration as a use: it writes a value that a loop carries to memory in each iteration, if the value is read
    /// after the loop and a call follows. So floats get another name where they leave a loop.
    fn branch(
        &mut self,
        body: &Body,
        block: ir::Block,
        mut condition: clif::Value,
        mut edges: [&ir::Edge; 2],
    ) -> Result<()> {
        let leaves = |edge: &ir::Edge| body.leaves_loop(block, edge.block);
        if leaves(edges[1]) && !leaves(edges[0]) {
            edges.reverse();
            condition = self.negated(condition);
        }
        let mut exits = Vec::new();
        let mut way = |this: &mut Self, edge: &ir::Edge| -> Result<(clif::Block, Vec<BlockArg>)> {
            let (target, args) = (body.blocks[&edge.block], this.edge_args(body, block, edge)?);
            if !leaves(edge) {
                return Ok((target, args));
            }
            let exit = this.b.create_block();
            exits.push((exit, target, args));
            Ok((exit, Vec::new()))
        };
        let (then, a) = way(self, edges[0])?;
        let (otherwise, b) = way(self, edges[1])?;
        self.b.ins().brif(condition, then, &a, otherwise, &b);
        for (exit, target, mut args) in exits {
            self.b.switch_to_block(exit);
            for arg in &mut args {
                if let BlockArg::Value(value) = arg {
                    *value = self.renamed(*value);
                }
            }
            self.b.ins().jump(target, &args);
        }
        Ok(())
    }

    /// In a loop of one block without calls, gives other names to the floats that it reads from outside. The reason is the same as in
    /// [`Lowering::branch`]: a float that is live across a call anywhere would be read from the stack and written back in each iteration.
    /// Returns the floats with their former leaves.
    fn rename_invariants(
        &mut self,
        body: &mut Body,
        flow: &Flow,
        block: ir::Block,
    ) -> Result<Vec<(ir::Value, Leaves)>> {
        let function = body.function;
        let data = &function.blocks[block];
        let insts = || data.insts.iter().map(|&inst| &function.insts[inst]);
        if !flow.predecessors(block).contains(&block) || insts().any(may_call) {
            return Ok(Vec::new());
        }
        let mut own: FxHashSet<ir::Value> = insts().map(|row| row.result).collect();
        own.extend(&data.params);
        let mut known = Vec::new();
        for &arg in insts().flat_map(|row| &row.args) {
            let is_read = function.ty(arg).is_float() && function.as_const(arg).is_none();
            if is_read && own.insert(arg) {
                let leaves = body.get(arg)?.clone();
                let renamed = self.renamed(leaves[0]);
                body.set(arg, Leaves::from_slice(&[renamed]));
                known.push((arg, leaves));
            }
        }
        Ok(known)
    }

    /// A float under a name of its own: adding −0 changes none. Other values are as they were.
    fn renamed(&mut self, value: clif::Value) -> clif::Value {
        let zero = match self.b.func.dfg.value_type(value) {
            types::F64 => self.b.ins().f64const(-0.0),
            types::F32 => self.b.ins().f32const(-0.0),
            _ => return value,
        };
        self.b.ins().fadd(value, zero)
    }

    /// Ends the block with the function's results.
    pub fn finish(&mut self, leaves: &[clif::Value], finish: Finish) {
        let b = &mut self.b;
        match finish {
            Finish::Store(results) => {
                store_words(b, leaves, results);
                let ok = b.ins().iconst(types::I32, 0);
                b.ins().return_(&[ok]);
            }
            Finish::Return => {
                let mut values = vec![b.ins().iconst(types::I32, 0)];
                values.extend_from_slice(leaves);
                b.ins().return_(&values);
            }
            Finish::Continue(block) => {
                let args: Vec<_> = leaves.iter().map(|&leaf| BlockArg::Value(leaf)).collect();
                b.ins().jump(block, &args);
            }
        }
    }

    /// Goes on only if the condition holds; else leaves with the fault.
    pub fn guard(
        &mut self,
        body: &Body,
        condition: clif::Value,
        fault: Fault,
        values: &[ir::Value],
        span: Span,
    ) -> Result<()> {
        let (next, cold) = self.split(condition);
        self.b.switch_to_block(cold);
        self.fail(body, fault, values, span)?;
        self.b.switch_to_block(next);
        Ok(())
    }

    /// Ends the block with a fault.
    fn fail(&mut self, body: &Body, fault: Fault, values: &[ir::Value], span: Span) -> Result<()> {
        let shown = body.all(values)?;
        let site = self.unit.fault(fault, body.types(values), span);
        self.note_fault(site, fault_values(&shown));
        self.b.ins().jump(self.exit, &[]);
        Ok(())
    }

    fn note_fault(&mut self, site: u32, shown: &[clif::Value]) {
        let (b, frame) = (&mut self.b, self.frame);
        let site = b.ins().iconst(types::I32, i64::from(site));
        let at = offset_of!(abi::Header, fault_site) as i32;
        b.ins().store(MemFlagsData::trusted(), site, frame, at);
        for (i, &leaf) in shown.iter().enumerate() {
            let word = to_word(b, leaf);
            let at = (offset_of!(abi::Header, fault_values) + 8 * i) as i32;
            b.ins().store(MemFlagsData::trusted(), word, frame, at);
        }
    }

    /// Ends the block: the first of the two new blocks if the condition holds, the second, unlikely one, if not.
    pub fn split(&mut self, condition: clif::Value) -> (clif::Block, clif::Block) {
        let (next, cold) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        let fails = self.negated(condition);
        self.b.ins().brif(fails, cold, &[], next, &[]);
        (next, cold)
    }

    /// The opposite of a condition.
    fn negated(&mut self, condition: clif::Value) -> clif::Value {
        let dfg = &self.b.func.dfg;
        let made = dfg.value_def(condition).inst().map(|inst| dfg.insts[inst]);
        match made {
            Some(clif::InstructionData::IntCompare { cond, args, .. }) => {
                self.b.ins().icmp(cond.complement(), args[0], args[1])
            }
            Some(clif::InstructionData::FloatCompare { cond, args, .. }) => {
                self.b.ins().fcmp(cond.complement(), args[0], args[1])
            }
            _ => self.b.ins().icmp_imm_s(IntCC::Equal, condition, 0),
        }
    }

    /// Leaves if a status is not zero: the failure is noted already.
    pub fn check_status(&mut self, status: clif::Value) {
        let next = self.b.create_block();
        self.b.ins().brif(status, self.exit, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// Leaves if recursion has used up the stack. The place is that of the function's first step.
    fn guard_stack(&mut self, function: &Function) {
        let mut steps = function.insts.iter().map(|(_, inst)| inst.span);
        let span = steps.find(|span| *span != Span::NONE);
        let limit = self.load_header(offset_of!(abi::Header, stack_limit));
        let sp = self.b.ins().get_stack_pointer(types::I64);
        let enough = self.b.ins().icmp(IntCC::UnsignedGreaterThan, sp, limit);
        let (next, cold) = self.split(enough);
        self.b.switch_to_block(cold);
        let site = self
            .unit
            .fault(Fault::TooDeep, Vec::new(), span.unwrap_or(Span::NONE));
        self.note_fault(site, &[]);
        self.b.ins().jump(self.exit, &[]);
        self.b.switch_to_block(next);
    }

    /// The block that leaves after a failure that is noted already.
    pub fn exit(&self) -> clif::Block {
        self.exit
    }

    /// A word of the frame's head.
    pub fn load_header(&mut self, offset: usize) -> clif::Value {
        let flags = MemFlagsData::trusted();
        self.b
            .ins()
            .load(types::I64, flags, self.frame, offset as i32)
    }
}

/// Whether an instruction may call something: as lowered, not as meant.
fn may_call(inst: &InstData) -> bool {
    use ir::Prim::{Alloc, Rem, TapePop, TapePush};
    match inst.op {
        Op::Const(_) => false,
        Op::Prim(prim) => matches!(prim, Alloc | Rem | TapePop | TapePush),
        Op::Call(_) | Op::Map(_) => true,
    }
}

/// An integer constant: its low bits.
pub fn int(b: &mut FunctionBuilder, ty: clif::Type, x: i64) -> clif::Value {
    let bits = match ty {
        types::I64 => x,
        _ => x & ((1 << ty.bits()) - 1),
    };
    b.ins().iconst(ty, bits)
}

fn zero(b: &mut FunctionBuilder, ty: clif::Type) -> clif::Value {
    match ty {
        types::F32 => b.ins().f32const(0.0),
        types::F64 => b.ins().f64const(0.0),
        ty => b.ins().iconst(ty, 0),
    }
}

//! Shadows of objects: made where the objects' addresses are, beside them.
//!
//! Memory that pointers lead to has its shadow nowhere but in the pointers' shadows, so each instruction that makes a
//! pointer, or a slice of what a pointer leads to, gets a twin that makes its shadow: another allocation, the same
//! field of the shadow object, the same place in it. Merges take shadows along as parameters. The twins are ordinary
//! instructions of the primal from then on: copied by the forward pass, kept or computed again for the reverse pass.

use super::primal::Primal;
use crate::diag::{Error, Result, Span};
use crate::ir::build::substitute;
use crate::ir::flow::Flow;
use crate::ir::roots::is_part;
use crate::ir::{
    Args, Block, Callee, Const, Function, HostOp, Inst, InstData, Module, Op, Prim, Symbol, Type,
    Value, ValueDef,
};
use crate::tangent::{self, Home, Sharing};
use rustc_hash::{FxHashMap, FxHashSet};

/// The shadows of a function's values.
#[derive(Default)]
pub(super) struct Shadows {
    /// For pointers, slices at pointers, and tuples of them: a shadow for each leaf that has fdata.
    leaves: FxHashMap<Value, Vec<Value>>,
    /// Whether the shadows of the active parameters are parameters too, after the others.
    pub taken: bool,
}

impl Shadows {
    /// The shadow of a pointer or slice, if it is a value of the primal.
    pub fn of(&self, value: Value) -> Option<Value> {
        match self.leaves.get(&value).map(Vec::as_slice) {
            Some(&[shadow]) => Some(shadow),
            _ => None,
        }
    }
    /// The shadows of a value's leaves with fdata.
    pub fn leaves(&self, value: Value) -> &[Value] {
        self.leaves.get(&value).map_or(&[], Vec::as_slice)
    }
}

/// Whether calls of a function need its derived form where there are shadows: it takes or returns some.
pub(super) fn passes_shadows(module: &Module, sharing: &Sharing, name: Symbol) -> bool {
    let returns = |f: &Function| !tangent::shadow_leaves(f.ret).is_empty();
    sharing.forward_takes_shadows(name) || module.functions.get(&name).is_some_and(returns)
}

/// Adds the shadows of a function whose parameters are `active`. Without `shadowed` nobody wants any.
pub(super) fn add_shadows(
    function: Function,
    module: &Module,
    sharing: &Sharing,
    active: &[bool],
    shadowed: bool,
) -> Result<(Function, Shadows)> {
    let mut twins = Twins {
        flow: Flow::new(&function),
        function,
        module,
        sharing,
        shadows: Shadows::default(),
    };
    twins.remake_results();
    if shadowed {
        twins.take(active);
        twins.add_params();
        for block in twins.flow.reverse_postorder().to_vec() {
            for inst in twins.function.blocks[block].insts.clone() {
                twins.inst(block, inst)?;
            }
        }
        twins.pass()?;
    }
    Ok((twins.function, twins.shadows))
}

struct Twins<'a> {
    function: Function,
    flow: Flow,
    module: &'a Module,
    sharing: &'a Sharing,
    shadows: Shadows,
}

impl Twins<'_> {
    /// Makes the slices that calls return anew from address and length, which can be kept.
    fn remake_results(&mut self) {
        let mut now = FxHashMap::default();
        let mut own = Vec::new();
        for block in self.function.layout.clone() {
            for inst in self.function.blocks[block].insts.clone() {
                let row = &self.function.insts[inst];
                let (slice, ty) = (row.result, self.function.ty(row.result));
                let from_call = matches!(row.op, Op::Call(_) | Op::Prim(Prim::Field(_)));
                if !from_call || !matches!(ty, Type::Slice(_) | Type::SliceMut(_)) {
                    continue;
                }
                let at = self.after(block, inst);
                let base = self.insert(block, at, Op::Prim(Prim::Base), &[slice], Type::Ptr);
                let len = self.insert(block, at + 1, Op::Prim(Prim::Len), &[slice], Type::Usize);
                let view = self.insert(block, at + 2, Op::Prim(Prim::View), &[base, len], ty);
                now.insert(slice, view);
                own.extend([(base, slice), (len, slice)]);
            }
        }
        substitute(&mut self.function, &now);
        for (value, slice) in own {
            if let ValueDef::Inst(inst) = self.function.values[value].def {
                self.function.insts[inst].args = Args::from_slice(&[slice]);
            }
        }
    }
    /// The shadows of the active parameters become parameters, if they are needed going forward.
    fn take(&mut self, active: &[bool]) {
        self.shadows.taken = self.sharing.forward_takes_shadows(self.function.name);
        if !self.shadows.taken {
            return;
        }
        let entry = self.function.entry();
        for (param, &active) in self.function.params().to_vec().into_iter().zip(active) {
            let ty = self.function.ty(param);
            if active && tangent::home(ty) == Home::Fdata {
                let shadow = self.function.add_param(entry, tangent::tangent(ty));
                self.shadows.leaves.insert(param, vec![shadow]);
            }
        }
    }
    /// The parameters of merges: pointers, and the tuples that are returned.
    fn add_params(&mut self) {
        let blocks = self.function.layout.clone();
        for block in blocks.into_iter().skip(1) {
            for param in self.function.blocks[block].params.clone() {
                let types = tangent::shadow_leaves(self.function.ty(param));
                let shadows = types.into_iter();
                let shadows = shadows.map(|ty| self.function.add_param(block, ty));
                let shadows = shadows.collect();
                self.shadows.leaves.insert(param, shadows);
            }
        }
    }
    /// Passes the shadows of what edges pass.
    fn pass(&mut self) -> Result<()> {
        for block in self.function.layout.clone() {
            let mut terminator = self.function.blocks[block].terminator.clone();
            for edge in terminator.edges_mut() {
                for arg in edge.args.clone() {
                    let shadows = self.shadows.leaves(arg);
                    if shadows.len() != tangent::shadow_leaves(self.function.ty(arg)).len() {
                        return Err(self.internal(arg));
                    }
                    edge.args.extend(shadows);
                }
            }
            self.function.blocks[block].terminator = terminator;
        }
        Ok(())
    }

    /// Gives an instruction its twin.
    fn inst(&mut self, block: Block, inst: Inst) -> Result<()> {
        let row = self.function.insts[inst].clone();
        let (result, ty) = (row.result, self.function.ty(row.result));
        let args = &row.args[..];
        let at = self.after(block, inst);
        let has_fdata = tangent::home(ty) == Home::Fdata;
        let shadows = match row.op {
            Op::Call(Callee::Function(name)) if passes_shadows(self.module, self.sharing, name) => {
                return self.call(block, inst, name);
            }
            // Null is the shadow of null.
            Op::Const(Const::Null) if has_fdata => {
                vec![self.insert(block, at, row.op, &[], tangent::tangent(ty))]
            }
            Op::Prim(Prim::Set(_)) if self.function.ty(args[1]) == Type::Ptr => {
                let args = [self.pointer(args[0])?, self.pointer(args[1])?];
                self.insert(block, at, row.op, &args, Type::UNIT);
                return Ok(());
            }
            Op::Prim(Prim::Alloc) => vec![self.insert(block, at, row.op, args, ty)],
            Op::Prim(Prim::Get(_)) if ty == Type::Ptr => {
                let object = self.pointer(args[0])?;
                vec![self.insert(block, at, row.op, &[object], ty)]
            }
            Op::Prim(Prim::Select) if ty == Type::Ptr => {
                let args = [args[0], self.pointer(args[1])?, self.pointer(args[2])?];
                vec![self.insert(block, at, row.op, &args, ty)]
            }
            Op::Prim(Prim::Offset) => {
                let args = [self.pointer(args[0])?, args[1]];
                vec![self.insert(block, at, row.op, &args, ty)]
            }
            Op::Prim(Prim::View) if has_fdata => {
                let args = [self.pointer(args[0])?, args[1]];
                vec![self.insert(block, at, row.op, &args, tangent::tangent(ty))]
            }
            Op::Prim(Prim::Base) => match self.shadows.of(args[0]) {
                Some(shadow) => vec![self.insert(block, at, row.op, &[shadow], ty)],
                // Of integers: nothing looks at it.
                None => vec![self.insert(block, at, Op::Const(Const::Null), &[], ty)],
            },
            Op::Prim(Prim::Subslice) => match self.shadows.of(args[0]) {
                Some(shadow) => {
                    let args = [shadow, args[1], args[2]];
                    vec![self.insert(block, at, row.op, &args, tangent::tangent(ty))]
                }
                None => return Ok(()),
            },
            Op::Prim(Prim::Tuple) => {
                let shadows = args.iter().flat_map(|&arg| self.shadows.leaves(arg));
                shadows.copied().collect()
            }
            Op::Prim(Prim::Field(n)) => {
                let Type::Tuple(fields) = self.function.ty(args[0]) else {
                    return Err(self.internal(result));
                };
                let count = |t: &Type| tangent::shadow_leaves(*t).len();
                let from = fields[..n as usize].iter().map(count).sum();
                let all = self.shadows.leaves(args[0]).iter();
                all.skip(from).take(count(&ty)).copied().collect()
            }
            _ if ty == Type::Ptr => return Err(self.internal(result)),
            _ => return Ok(()),
        };
        self.shadows.leaves.insert(result, shadows);
        Ok(())
    }
    /// `y = call f(p…)` becomes `t = call f(p…, shadows…); y = field 0 t; shadow = field n t`.
    fn call(&mut self, block: Block, inst: Inst, name: Symbol) -> Result<()> {
        let row = self.function.insts[inst].clone();
        let ty = self.function.ty(row.result);
        let mut args = row.args.to_vec();
        if self.sharing.forward_takes_shadows(name) {
            args.extend(row.args.iter().filter_map(|&arg| self.shadows.of(arg)));
        }
        let together = tangent::forward_result(ty);
        if together == ty {
            self.function.insts[inst].args = Args::from_vec(args);
            return Ok(());
        }
        let at = self.after(block, inst) - 1;
        let tuple = self.insert(block, at, row.op, &args, together);
        let result = &mut self.function.insts[inst];
        (result.op, result.args) = (Op::Prim(Prim::Field(0)), Args::from_slice(&[tuple]));
        let mut shadows = Vec::new();
        for (n, ty) in tangent::shadow_leaves(ty).into_iter().enumerate() {
            let field = Op::Prim(Prim::Field(n as u32 + 1));
            shadows.push(self.insert(block, at + 2 + n, field, &[tuple], ty));
        }
        self.shadows.leaves.insert(row.result, shadows);
        Ok(())
    }
    fn pointer(&self, value: Value) -> Result<Value> {
        self.shadows.of(value).ok_or_else(|| self.internal(value))
    }
    fn internal(&self, value: Value) -> Error {
        let name = self.function.name;
        Error::Internal(format!("derivative of {name}: {value} has no shadow"))
    }
    /// The place after an instruction.
    fn after(&self, block: Block, inst: Inst) -> usize {
        let insts = &self.function.blocks[block].insts;
        let found = insts.iter().position(|&i| i == inst);
        found.map_or(insts.len(), |at| at + 1)
    }
    fn insert(&mut self, block: Block, at: usize, op: Op, args: &[Value], ty: Type) -> Value {
        let inst = self.function.make_inst(op, args, ty, Span::NONE);
        self.function.blocks[block].insts.insert(at, inst);
        self.function.insts[inst].result
    }
}

/// The functions that write nothing.
pub(super) fn readers(module: &Module) -> FxHashSet<Symbol> {
    let mut readers: FxHashSet<Symbol> = module.functions.keys().copied().collect();
    loop {
        let writes = |function: &Function, inst: Inst| match function.insts[inst].op {
            Op::Prim(Prim::Store | Prim::Set(_)) => true,
            Op::Call(callee) if let Some(function) = module.called(callee) => {
                !readers.contains(&function.name)
            }
            Op::Call(callee) if let Some(op) = callee.memory_op() => op == HostOp::Overwrite,
            // A pack's function writes to the mutable slices that it is given.
            Op::Call(_) => {
                let mut args = function.insts[inst].args.iter();
                args.any(|&v| matches!(function.ty(v), Type::SliceMut(_)))
            }
            _ => false,
        };
        let writers: Vec<Symbol> = readers
            .iter()
            .copied()
            .filter(|name| {
                let function = &module.functions[name];
                let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
                { insts }.any(|&inst| writes(function, inst))
            })
            .collect();
        if writers.is_empty() {
            return readers;
        }
        writers.iter().for_each(|name| {
            readers.remove(name);
        });
    }
}

/// The addresses in memory that this run of the function has made itself. What it writes there it need not restore: its
/// callers do not know the memory before the call, and the reverse pass never reads it. Only the reverse passes of calls
/// could, so there is no such memory if objects are passed on.
pub(super) fn own_memory(primal: &Primal) -> FxHashSet<Value> {
    let function = &primal.function;
    let insts = || {
        let blocks = primal.order().iter();
        let insts = blocks.flat_map(|&b| &function.blocks[b].insts);
        insts.map(|&i| &function.insts[i])
    };
    let is_address = |v: &Value| {
        matches!(
            primal.ty(*v),
            Type::Ptr | Type::Slice(_) | Type::SliceMut(_)
        )
    };
    let in_objects = |v: &Value| is_address(v) && primal.memory(*v) == Some(MemoryClass::Objects);
    let has_reverse_pass =
        |row: &InstData| matches!(row.op, Op::Call(callee) if callee.memory_op().is_none());
    if insts().any(|row| has_reverse_pass(row) && row.args.iter().any(in_objects)) {
        return FxHashSet::default();
    }
    // Assumes the best and takes back what is not so until nothing changes.
    let mut own: FxHashSet<Value> = function.values.keys().filter(is_address).collect();
    own.retain(|&v| !primal.is_param(v));
    loop {
        let mut foreign = Vec::new();
        for row in insts().filter(|row| own.contains(&row.result)) {
            let is_own = match row.op {
                Op::Const(_) | Op::Prim(Prim::Alloc) => true,
                op if is_part(op) => own.contains(&row.args[0]),
                Op::Prim(Prim::Select) => row.args[1..].iter().all(|v| own.contains(v)),
                _ => false,
            };
            if !is_own {
                foreign.push(row.result);
            }
        }
        for &block in primal.order() {
            for edge in function.blocks[block].terminator.edges() {
                let params = function.blocks[edge.block].params.iter();
                let passed = params.zip(&edge.args);
                let wrong = passed.filter(|(p, a)| own.contains(p) && !own.contains(a));
                foreign.extend(wrong.map(|(&p, _)| p));
            }
        }
        if foreign.is_empty() {
            return own;
        }
        foreign.iter().for_each(|v| {
            own.remove(v);
        });
    }
}

/// Whether memory is restored although nobody outside knows it, so that the reverse pass can read it again (`save`): where a loop reads floats of
/// objects and does not write any, deeper than all writes. Then what is saved is a value for each write, and not for each read.
pub(super) fn rereading_pays(primal: &Primal) -> bool {
    let insts = |blocks: &[Block]| {
        let insts = blocks
            .iter()
            .flat_map(|&b| &primal.function.blocks[b].insts);
        insts.copied().collect::<Vec<Inst>>()
    };
    let writes = |inst: &Inst| written(primal, *inst).contains(&MemoryClass::Objects);
    let depth = |inst: Inst| primal.around(primal.scope(primal.block_of(inst))).count();
    let writing = insts(primal.order()).into_iter().filter(writes);
    let Some(deepest) = writing.map(depth).max() else {
        return false;
    };
    let reads = |inst: &Inst| {
        let row = &primal.function.insts[*inst];
        matches!(row.op, Op::Prim(Prim::Load | Prim::Get(_)))
            && primal.ty(row.result).is_float()
            && primal.memory(row.args[0]) == Some(MemoryClass::Objects)
    };
    primal.loops.all().any(|(_, data)| {
        let inside = insts(&data.blocks);
        !inside.iter().any(writes) && inside.iter().any(|i| reads(i) && depth(*i) > deepest)
    })
}

/// Memory, as far as it can be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum MemoryClass {
    /// That of a slice parameter to which no pointer leads.
    Param(Value),
    /// All other floats: those that pointers lead to.
    Objects,
    /// What else pointers lead to: addresses, lengths, integers. A place that holds a float never holds anything else.
    Links,
}

impl MemoryClass {
    /// What a function that knows an address may find there.
    fn behind(primal: &Primal, address: Value) -> Vec<MemoryClass> {
        match (primal.memory(address), primal.ty(address).element()) {
            (Some(MemoryClass::Objects), Some(element)) => {
                vec![MemoryClass::Objects.of(element)]
            }
            (Some(MemoryClass::Objects), None) => vec![MemoryClass::Objects, MemoryClass::Links],
            (class, _) => class.into_iter().collect(),
        }
    }
    /// The class of values of this type, in memory of which floats have this class.
    pub fn of(self, ty: Type) -> MemoryClass {
        match self {
            MemoryClass::Objects if !ty.is_float() => MemoryClass::Links,
            class => class,
        }
    }
}

/// The memory that an instruction may write.
pub(super) fn written(primal: &Primal, inst: Inst) -> Vec<MemoryClass> {
    let row = &primal.function.insts[inst];
    let mutable = |v: &&Value| matches!(primal.ty(**v), Type::SliceMut(_) | Type::Ptr);
    match row.op {
        Op::Prim(Prim::Set(_)) => vec![MemoryClass::Objects.of(primal.ty(row.args[1]))],
        Op::Call(name) if !primal.writes(name) => Vec::new(),
        Op::Prim(Prim::Store) => MemoryClass::behind(primal, row.args[0]),
        Op::Call(_) => {
            let args = row.args.iter().filter(mutable);
            args.flat_map(|&v| MemoryClass::behind(primal, v)).collect()
        }
        Op::Prim(_) | Op::Const(_) | Op::Map(_) => Vec::new(),
    }
}

/// The memory that an instruction may read.
pub(super) fn read(primal: &Primal, inst: Inst) -> Vec<MemoryClass> {
    let row = &primal.function.insts[inst];
    match row.op {
        Op::Prim(Prim::Load | Prim::Get(_)) => {
            let class = primal.memory(row.args[0]).into_iter();
            class.map(|class| class.of(primal.ty(row.result))).collect()
        }
        Op::Call(_) | Op::Map(_) => {
            let args = row.args.iter();
            args.flat_map(|&v| MemoryClass::behind(primal, v)).collect()
        }
        Op::Prim(_) | Op::Const(_) => Vec::new(),
    }
}

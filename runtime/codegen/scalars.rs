//! Scalar functions of packs and programs, written out as the instructions that they are made of: what kernels and loops compute in lanes.

use crate::ir::build::Builder;
use crate::ir::{
    Args, Callee, Const, Function, InstData, Module, Op, Prim, Symbol, Terminator, Type, Value,
};
use crate::kernel::MUL_ADD;
use crate::registry::{Entry, EntryKind, Registry};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// Scalar instructions of a kernel's body, each made once.
pub struct Writer<'a> {
    pub builder: Builder,
    registry: &'a Registry,
    /// Whether functions that packs give as WGSL stay calls.
    for_gpu: bool,
    /// Whether the machine multiplies and adds in one instruction, and there is a function for that.
    has_mul_add: bool,
    /// Whether a product and the sum that it is a term of are contracted to such an instruction. That is so within the elementary functions of
    /// `std`, whose accuracy is tested with contraction and without. What programs and other packs write is computed as they write it.
    contracts: bool,
    /// Values whose exponential is the first of these numbers divided by the second.
    pub quotients: FxHashMap<Value, (Value, Value)>,
    made: FxHashMap<(Op, Args, Type), Value>,
}

/// The leaves of a value.
pub type Leaves = SmallVec<[Value; 2]>;

impl<'a> Writer<'a> {
    pub fn new(name: &str, registry: &'a Registry, for_gpu: bool) -> Writer<'a> {
        let function = Function::new(Symbol::new(name), &[], Type::UNIT);
        let is_known = registry.entry(MUL_ADD, &[Type::F32; 3]).is_some();
        Writer {
            builder: Builder::new(function),
            registry,
            for_gpu,
            has_mul_add: is_known && !for_gpu && has_mul_add(),
            contracts: false,
            quotients: FxHashMap::default(),
            made: FxHashMap::default(),
        }
    }

    /// The body, which returns these values. What none of them needs is removed.
    pub fn finish(self, results: &[Value]) -> Function {
        let mut builder = self.builder;
        let types = results.iter().map(|&value| builder.function.ty(value));
        let tuple = Type::tuple(&types.collect::<Vec<_>>());
        let result = builder.inst(Op::Prim(Prim::Tuple), results, tuple);
        builder.function.ret = tuple;
        builder.ret(result);
        let mut function = builder.finish();
        drop_unused(&mut function);
        function
    }

    /// An instruction, or the one that does the same already.
    pub fn emit(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let key = (op, Args::from(args), ty);
        if let Some(&known) = self.made.get(&key) {
            return known;
        }
        let made = self.builder.emit(op, args, ty);
        self.made.insert(key, made);
        made
    }

    /// What a straight-line function returns.
    pub fn inline(
        &mut self,
        module: Option<&Module>,
        function: &Function,
        args: &[Leaves],
    ) -> Leaves {
        let mut copies: FxHashMap<Value, Leaves> = function
            .params()
            .iter()
            .copied()
            .zip(args.iter().cloned())
            .collect();
        let block = &function.blocks[function.entry()];
        let products = match self.contracts {
            true => contractible(function),
            false => FxHashSet::default(),
        };
        for &inst in &block.insts {
            let row = &function.insts[inst];
            let ty = function.ty(row.result);
            if products.contains(&row.result) {
                continue;
            }
            if let Some(made) = self.contracted(function, row, &products, &copies) {
                copies.insert(row.result, Leaves::from_elem(made, 1));
                continue;
            }
            let own: Vec<Leaves> = row.args.iter().map(|v| copies[v].clone()).collect();
            let made = match row.op {
                Op::Const(Const::Unit) => Leaves::new(),
                Op::Prim(Prim::Tuple) => own.concat().into(),
                Op::Prim(Prim::Field(n)) => {
                    let Type::Tuple(fields) = function.ty(row.args[0]) else {
                        continue;
                    };
                    let count = |fields: &[Type]| -> usize {
                        fields
                            .iter()
                            .map(|&ty| crate::tangent::leaves(ty).len())
                            .sum()
                    };
                    let (start, len) = (
                        count(&fields[..n as usize]),
                        count(&fields[n as usize..][..1]),
                    );
                    own[0][start..start + len].into()
                }
                Op::Call(callee) => self.call(module, callee, &own, ty),
                op => {
                    let args: Leaves = own.concat().into();
                    Leaves::from_elem(self.emit(op, &args, ty), 1)
                }
            };
            copies.insert(row.result, made);
        }
        match block.terminator {
            Terminator::Return(value) => copies[&value].clone(),
            _ => Leaves::new(),
        }
    }

    /// A sum or difference of which a term is one of these products, as one instruction.
    fn contracted(
        &mut self,
        function: &Function,
        row: &InstData,
        products: &FxHashSet<Value>,
        copies: &FxHashMap<Value, Leaves>,
    ) -> Option<Value> {
        let nth = row.args.iter().position(|arg| products.contains(arg))?;
        let product = function.def_inst(row.args[nth])?;
        let ty = function.ty(row.result);
        let mut of = |value: &Value, is_negative: bool| {
            let value = copies[value][0];
            match is_negative {
                true => self.emit(Op::Prim(Prim::Neg), &[value], ty),
                false => value,
            }
        };
        let is_difference = row.op == Op::Prim(Prim::Sub);
        // The machine writes the result over the first factor. The one that was computed last, as the rest of a polynomial, is less likely to be read again.
        let (x, y) = (product.args[0], product.args[1]);
        let a = of(&x.max(y), is_difference && nth == 1);
        let b = of(&x.min(y), false);
        let other = of(&row.args[1 - nth], is_difference && nth == 0);
        Some(self.emit(Op::Call(MUL_ADD), &[a, b, other], ty))
    }

    /// What a call of `exp` of `std` divides instead, if that is known of its argument.
    fn quotient(&self, entry: Option<&Arc<Entry>>, args: &[Value]) -> Option<(Value, Value)> {
        entry.filter(|entry| entry.is_of_std() && entry.name.as_str() == "exp")?;
        self.quotients.get(args.first()?).copied()
    }

    /// A call of a function of the module or of a pack. What a pack gives as IR is inlined, so that lanes compute it; a GPU has the pack's
    /// WGSL.
    pub fn call(
        &mut self,
        module: Option<&Module>,
        callee: Callee,
        args: &[Leaves],
        ty: Type,
    ) -> Leaves {
        if let Some(function) = module.and_then(|module| module.called(callee)) {
            return self.inline(module, function, args);
        }
        let flat: Leaves = args.concat().into();
        let types: Vec<Type> = flat.iter().map(|&v| self.builder.function.ty(v)).collect();
        let registry = self.registry;
        if let Callee::WithPartials(name) = callee
            && let Some(entry) = registry.find(name, &types)
            && let EntryKind::Scalar(rule) = &entry.kind
        {
            let y = self.call(None, Callee::Function(name), args, entry.ret);
            let all: Vec<Leaves> = args.iter().cloned().chain([y.clone()]).collect();
            let partials = self.inline(None, &rule.partials, &all);
            return y.into_iter().chain(partials).collect();
        }
        let entry = registry.entry(callee, &types);
        if let Some((numerator, denominator)) = self.quotient(entry, &flat) {
            let quotient = Op::Prim(Prim::Div);
            return Leaves::from_elem(self.emit(quotient, &[numerator, denominator], ty), 1);
        }
        let body = entry.filter(|entry| !(self.for_gpu && has_wgsl(entry)));
        let body = body.and_then(|entry| entry.body());
        let prim = callee
            .function()
            .and_then(|name| Prim::from_mnemonic(name.as_str()));
        match (body, prim) {
            (Some(body), _) => {
                let outer = self.contracts;
                self.contracts |= self.has_mul_add && entry.is_some_and(|entry| entry.is_of_std());
                let made = self.inline(None, body, args);
                self.contracts = outer;
                made
            }
            (None, Some(prim)) => Leaves::from_elem(self.emit(Op::Prim(prim), &flat, ty), 1),
            (None, None) => Leaves::from_elem(self.emit(Op::Call(callee), &flat, ty), 1),
        }
    }
}

/// The body of a kernel of the CPU that applies a scalar function of a module to the elements of its inputs at a point: an input for each parameter, an
/// output for each leaf of the result. `None` if kernels cannot compute the function.
pub fn point_function(module: &Module, registry: &Registry, name: Symbol) -> Option<Function> {
    if !is_straight(module, registry, name) {
        return None;
    }
    let function = &module.functions[&name];
    let mut writer = Writer::new("kernel", registry, false);
    let entry = writer.builder.function.entry();
    let params = function.param_types().into_iter().map(|ty| {
        let param = writer.builder.function.add_param(entry, ty);
        Leaves::from_elem(param, 1)
    });
    let params: Vec<Leaves> = params.collect();
    let results = writer.inline(Some(module), function, &params);
    Some(writer.finish(&results))
}

/// The products of floats that are a term of one sum or difference and are not read otherwise; of each sum or difference at most one.
fn contractible(function: &Function) -> FxHashSet<Value> {
    let block = &function.blocks[function.entry()];
    let rows = || block.insts.iter().map(|&inst| &function.insts[inst]);
    let mut uses: FxHashMap<Value, usize> = FxHashMap::default();
    let returned = match block.terminator {
        Terminator::Return(value) => Some(value),
        _ => None,
    };
    for value in rows()
        .flat_map(|row| row.args.iter().copied())
        .chain(returned)
    {
        *uses.entry(value).or_default() += 1;
    }
    let is_product = |value: &&Value| {
        let of = function.def_inst(**value);
        let is_mul = of.is_some_and(|inst| inst.op == Op::Prim(Prim::Mul));
        is_mul && function.ty(**value).is_float() && uses[value] == 1
    };
    let sums = rows().filter(|row| matches!(row.op, Op::Prim(Prim::Add | Prim::Sub)));
    let last = sums.filter_map(|row| row.args.iter().rfind(is_product));
    last.copied().collect()
}

/// Removes what the result does not need.
fn drop_unused(function: &mut Function) {
    let entry = function.entry();
    let mut used: FxHashSet<Value> = FxHashSet::default();
    function.blocks[entry].terminator.for_each_value(|v| {
        used.insert(v);
    });
    let mut kept = Vec::new();
    for inst in function.blocks[entry].insts.clone().into_iter().rev() {
        let row = &function.insts[inst];
        if used.contains(&row.result) {
            used.extend(row.args.iter().copied());
            kept.push(inst);
        }
    }
    kept.reverse();
    function.blocks[entry].insts = kept;
}

/// Functions call each other this deep at most.
const DEEP: usize = 16;

/// Whether a scalar function is a straight line of operations that kernels have.
pub fn is_straight(module: &Module, registry: &Registry, name: Symbol) -> bool {
    is_straight_line(module, registry, name, 0)
}

fn is_straight_line(module: &Module, registry: &Registry, name: Symbol, depth: usize) -> bool {
    let Some(function) = module.functions.get(&name) else {
        return false;
    };
    if function.layout.len() != 1 || depth > DEEP {
        return false;
    }
    let block = &function.blocks[function.entry()];
    let straight = block.insts.iter().all(|&inst| {
        let row = &function.insts[inst];
        let types: Vec<Type> = row.args.iter().map(|&v| function.ty(v)).collect();
        match row.op {
            Op::Const(c) => c != Const::Null,
            Op::Prim(prim) => is_scalar(prim),
            Op::Call(callee) if let Some(function) = module.called(callee) => {
                is_straight_line(module, registry, function.name, depth + 1)
            }
            Op::Call(callee) => is_scalar_call(registry, callee, &types),
            Op::Map(_) => false,
        }
    });
    straight && matches!(block.terminator, Terminator::Return(_))
}

fn is_scalar(prim: Prim) -> bool {
    use Prim::*;
    matches!(
        prim,
        Add | Sub
            | Mul
            | Div
            | Rem
            | Neg
            | Sqrt
            | Abs
            | Floor
            | Ceil
            | Trunc
            | Copysign
            | Eq
            | Ne
            | Lt
            | Le
            | Gt
            | Ge
            | And
            | Or
            | Xor
            | Not
            | Shl
            | Shr
            | Select
            | Cast
            | Bitcast
            | Tuple
            | Field(_)
    )
}

fn is_scalar_call(registry: &Registry, callee: Callee, types: &[Type]) -> bool {
    let (name, with_partials) = match callee {
        Callee::Function(name) => (name, false),
        Callee::WithPartials(name) => (name, true),
        Callee::Host(_) | Callee::SameShape(_) | Callee::Native(_) => return false,
    };
    match registry.find(name, types).map(|entry| &entry.kind) {
        Some(EntryKind::Scalar(_)) => true,
        _ if with_partials => false,
        Some(EntryKind::Array(rule)) => rule.native.is_none() && rule.body.is_some(),
        _ => Prim::from_mnemonic(name.as_str()).is_some_and(is_scalar),
    }
}

fn has_wgsl(entry: &Entry) -> bool {
    matches!(&entry.kind, EntryKind::Scalar(rule) if rule.wgsl.is_some())
}

/// Whether this machine has an instruction for [`MUL_ADD`](crate::kernel::MUL_ADD).
pub fn has_mul_add() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("fma") && std::is_x86_feature_detected!("avx");
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_arch = "aarch64");
}

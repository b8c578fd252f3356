//! Inlining: a function that is neither recursive nor a primitive in this context becomes part of its callers.

use super::LARGE;
use super::in_order::keep_in_order;
use super::loops::shape_graph;
use super::slices::split_slices;
use super::tuples::split_inner_tuples;
use crate::diag::Span;
use crate::ir::build::{clean, substitute};
use crate::ir::{
    Block, Callee, Edge, Function, Inst, Module, Op, Symbol, Terminator, Type, Value, ValueDef,
};
use crate::registry::{ContextKind, EntryKind, Registry};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Inlines all calls to functions of the module that do not call themselves, directly or through others, and to bodies of packs'
/// entries that are no primitive in this context. Functions on demand of more than `large` instructions stay, but for those that
/// kernels run: nobody there waits for what is not made yet. So do calls that would make a function too long. Functions that nothing reaches afterwards are dropped.
///
/// Functions that go through memory are brought into normal form and settled (see [`normalise`](super::normalise)) before they become
/// part of others.
///
/// What maps apply stays a function, with its own calls inlined: also the body of a pack's entry, which becomes a function of the module.
pub(super) fn inline_calls(
    module: &mut Module,
    registry: &Registry,
    kind: ContextKind,
    large: usize,
    settle: &dyn Fn(&mut Function),
) {
    for name in module.mapped() {
        if let Some(function) = module.functions.get_mut(&name) {
            function.on_demand = false;
        }
    }
    let mut done: BTreeMap<Symbol, Function> = BTreeMap::new();
    let recursive = recursive_functions(module);
    keep_in_order(module, registry, &recursive);
    let whole = inlined_whole(module);
    for name in callees_first(module) {
        let mut function = module.functions[&name].clone();
        let has_rule = |f: &Function| registry.replacing(f.path, &f.param_types(), kind).is_some();
        let stays = |f: &Function| {
            f.on_demand || f.parallel.is_some() || recursive.contains(&f.name) || has_rule(f)
        };
        let room = Cell::new(MOST_INLINED.saturating_sub(weight(&function)));
        let fits = |found: &Function| {
            let (weight, left) = (weight(found), room.get());
            let fits = weight <= left.max(LARGE) || whole.contains(&name);
            room.set(left.saturating_sub(if fits { weight } else { 0 }));
            fits
        };
        let inlined = |callee: Callee| done.get(&callee.function()?);
        let body = |callee: Callee, types: &[Type]| match inlined(callee) {
            Some(found) => (!stays(found) && fits(found)).then(|| found.clone()),
            None => body_outside(module, registry, kind, callee, types),
        };
        inline_into(&mut function, &body);
        clean(&mut function);
        if name != module.root && has_addresses(&function) {
            split_inner_tuples(&mut function);
            shape_graph(&mut function);
            split_slices(&mut function);
            clean(&mut function);
            settle(&mut function);
        }
        function.on_demand &= size(&function) > large;
        done.insert(name, function);
    }
    module.functions = done;
    take_mapped_bodies(module, registry, kind);
    drop_unreached(module);
}

/// Calls are inlined into a function until it is this heavy ([`weight`]). After that only small functions are inlined, and the other calls stay. Without
/// this bound the code would double with each function of a chain in which every function calls the next one twice.
const MOST_INLINED: usize = 4_000;

/// The functions into which everything is inlined: those that kernels run or threads share.
fn inlined_whole(module: &Module) -> BTreeSet<Symbol> {
    let shared = module.functions.values().filter(|f| f.parallel.is_some());
    let shared = module.reached(shared.map(|f| f.name));
    &module.mapped() | &shared
}

/// Where a map applies an entry that is no primitive in this context, the entry's body becomes a function of the module, with its own calls inlined.
fn take_mapped_bodies(module: &mut Module, registry: &Registry, kind: ContextKind) {
    let mut open: Vec<Symbol> = module.functions.keys().copied().collect();
    while let Some(name) = open.pop() {
        let function = &module.functions[&name];
        let mut applied = Vec::new();
        for &inst in function.blocks_in_order().flat_map(|(_, data)| &data.insts) {
            let row = &function.insts[inst];
            let Op::Map(entry) = row.op else { continue };
            let element = |&arg: &Value| function.ty(arg).element().unwrap_or(function.ty(arg));
            let types: Vec<Type> = row.args.iter().map(element).collect();
            if let Some(body) = body_outside(module, registry, kind, entry.into(), &types) {
                let types: Vec<String> = types.iter().map(Type::to_string).collect();
                let own = Symbol::new(&format!("{entry}.of.{}", types.join(".")));
                applied.push((inst, own, body));
            }
        }
        for (inst, own, mut body) in applied {
            if !module.has(own) {
                body.name = own;
                inline_into(&mut body, &|callee, types| {
                    body_outside(module, registry, kind, callee, types)
                });
                clean(&mut body);
                module.functions.insert(own, body);
                open.push(own);
            }
            if let Some(function) = module.functions.get_mut(&name) {
                function.insts[inst].op = Op::Map(own);
            }
        }
    }
}

/// Inlines the bodies of packs' entries that are no primitives in this context, in every function of a derived module. Rules are written with such
/// entries, and a second derivation must see what they do.
pub fn inline_entries(module: &mut Module, registry: &Registry, kind: ContextKind) {
    let names: Vec<Symbol> = module.functions.keys().copied().collect();
    for name in names {
        let mut function = module.functions[&name].clone();
        inline_into(&mut function, &|callee, types| {
            body_outside(module, registry, kind, callee, types)
        });
        clean(&mut function);
        module.functions.insert(name, function);
    }
    take_mapped_bodies(module, registry, kind);
}

/// Inlines rows in a module that is not derived any more: those over arrays that consist of IR only, and scalar functions whose integers are constants, as in
/// `x.powi(2)`, which becomes a product. Errors of array operations then have the place of the call, and the operations are computed together with those
/// around the call.
pub fn inline_rows(module: &mut Module, registry: &Registry) {
    let varies = |function: &Function, arg: Value| {
        function.ty(arg).is_int() && function.as_const(arg).is_none()
    };
    let body = |function: &Function, inst: Inst, callee: Callee, types: &[Type]| {
        let mut args = function.insts[inst].args.iter();
        let entry = registry.entry(callee, types)?;
        match &entry.kind {
            EntryKind::Scalar(rule) if types.iter().any(|ty| ty.is_int()) => {
                match args.any(|&arg| varies(function, arg)) {
                    true => None,
                    false => rule.body.clone(),
                }
            }
            EntryKind::Array(rule) if rule.native.is_none() => {
                let mut body = rule.body.clone()?;
                let method = callee.symbol().last_segment();
                for inst in body.insts.keys() {
                    let span = &mut body.insts[inst].span;
                    *span = span.in_method(method);
                }
                Some(body)
            }
            _ => None,
        }
    };
    let names: Vec<Symbol> = module.functions.keys().copied().collect();
    for name in names {
        let mut function = module.functions[&name].clone();
        inline_each(&mut function, &|function, inst, callee, types| {
            let is_outside = !module.has_called(callee);
            is_outside
                .then(|| body(function, inst, callee, types))
                .flatten()
        });
        clean(&mut function);
        module.functions.insert(name, function);
    }
}

/// Inlines small functions into their callers in a derived module, and removes functions that are no longer called. Derivatives that a program asks for
/// are calls of such functions until then.
pub fn inline_small(module: &mut Module) {
    let called = |module: &Module| -> BTreeSet<Symbol> {
        { module.functions.values() }
            .flat_map(|function| callees(module, function))
            .collect()
    };
    let before = called(module);
    let recursive = recursive_functions(module);
    for name in callees_first(module) {
        let mut function = module.functions[&name].clone();
        let is_small = |f: &&Function| {
            let stays = f.on_demand || f.clustered || f.parallel.is_some();
            !stays && !recursive.contains(&f.name) && size(f) <= LARGE
        };
        inline_into(&mut function, &|callee, _| {
            module.called(callee).filter(is_small).cloned()
        });
        clean(&mut function);
        module.functions.insert(name, function);
    }
    loop {
        let after = called(module);
        let count = module.functions.len();
        let root = module.root;
        let stays = |name: &Symbol| *name == root || !before.contains(name) || after.contains(name);
        module.functions.retain(|name, _| stays(name));
        if module.functions.len() == count {
            return;
        }
    }
}

/// Whether a function uses objects.
fn has_addresses(function: &Function) -> bool {
    let mut values = function.values.iter();
    values.any(|(_, data)| data.ty == Type::Ptr)
}

/// What a function adds to the time that its callers take to compile: its instructions, where an operation on arrays counts for several.
fn weight(function: &Function) -> usize {
    let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    let gives_array = |inst: &&Inst| function.ty(function.insts[**inst].result).is_array();
    size(function) + 7 * insts.filter(gives_array).count()
}

/// The number of instructions without constants.
fn size(function: &Function) -> usize {
    let insts = (function.blocks_in_order()).flat_map(|(_, data)| &data.insts);
    insts
        .filter(|&&inst| !matches!(function.insts[inst].op, Op::Const(_)))
        .count()
}

/// The body of a pack's entry, if the entry is no primitive in this context and its body is IR.
fn body_outside(
    module: &Module,
    registry: &Registry,
    kind: ContextKind,
    callee: Callee,
    types: &[Type],
) -> Option<Function> {
    if module.called(callee).is_some() || registry.rule(callee, types, kind).is_some() {
        return None;
    }
    match &registry.entry(callee, types)?.kind {
        EntryKind::Scalar(rule) => rule.body.clone(),
        EntryKind::Array(rule) => rule.body.clone(),
        EntryKind::Native(rule) => rule.body.clone(),
    }
}

/// Replaces calls until none is left that has a body here. The callees must not be recursive.
pub fn inline_into(function: &mut Function, body: &dyn Fn(Callee, &[Type]) -> Option<Function>) {
    inline_each(function, &|_, _, callee, types| body(callee, types));
}

/// The body of what an instruction of a function calls with arguments of these types, if it is to be inlined.
type BodyOf<'a> = &'a dyn Fn(&Function, Inst, Callee, &[Type]) -> Option<Function>;

/// As [`inline_into`], where the instruction decides.
fn inline_each(function: &mut Function, body: BodyOf) {
    let mut aliases = FxHashMap::default();
    // Blocks that are appended on the way (rests of split blocks, inlined bodies) are visited in their turn.
    let mut next = 0;
    while let Some(&block) = function.layout.get(next) {
        next += 1;
        let insts = function.blocks[block].insts.clone();
        for (position, inst) in insts.into_iter().enumerate() {
            let Op::Call(callee) = function.insts[inst].op else {
                continue;
            };
            let types: Vec<_> = function.insts[inst]
                .args
                .iter()
                .map(|&v| function.ty(v))
                .collect();
            if let Some(callee) = body(function, inst, callee, &types) {
                let result = inline_call(function, block, position, inst, &callee);
                aliases.insert(function.insts[inst].result, result);
                break;
            }
        }
    }
    substitute(function, &aliases);
}

/// Replaces the call at `position` of `block` by the callee's blocks; what followed it goes into a new block whose parameter is the
/// result. Returns that parameter.
fn inline_call(
    function: &mut Function,
    block: Block,
    position: usize,
    inst: Inst,
    callee: &Function,
) -> Value {
    let call = function.insts[inst].clone();
    let rest = function.add_block();
    let result = function.add_param(rest, function.ty(call.result));
    let after = function.blocks[block].insts.split_off(position + 1);
    function.blocks[block].insts.pop();
    function.blocks[rest].insts = after;
    function.blocks[rest].terminator =
        std::mem::replace(&mut function.blocks[block].terminator, Terminator::Missing);
    let copy = Copy {
        callee,
        call_span: call.span,
        rest,
    };
    let entry = copy.copy_into(function, &call.args);
    function.blocks[block].terminator = Terminator::Jump(Edge::new(entry, Vec::new()));
    result
}

/// A copy of a callee's blocks inside a caller.
struct Copy<'a> {
    callee: &'a Function,
    /// The place of the call.
    call_span: Span,
    /// The block to which returns jump.
    rest: Block,
}

impl Copy<'_> {
    /// Copies all blocks, with `args` for the parameters, and returns the copy of the entry.
    fn copy_into(&self, caller: &mut Function, args: &[Value]) -> Block {
        let callee = self.callee;
        let mut values: FxHashMap<Value, Value> = callee
            .params()
            .iter()
            .copied()
            .zip(args.iter().copied())
            .collect();
        let mut blocks = FxHashMap::default();
        // Names first: a block may use values and targets of a block that stands later in the layout.
        for (block, data) in callee.blocks_in_order() {
            let copy = caller.add_block();
            blocks.insert(block, copy);
            if block != callee.entry() {
                for &param in &data.params {
                    let new = caller.add_param(copy, callee.ty(param));
                    caller.values[new].name = callee.values[param].name;
                    values.insert(param, new);
                }
            }
            for &inst in &data.insts {
                let row = &callee.insts[inst];
                let span = row.span.inlined_at(self.call_span);
                let new = caller.append(copy, row.op, &[], callee.ty(row.result), span);
                caller.values[new].name = callee.values[row.result].name;
                values.insert(row.result, new);
            }
        }
        for (block, data) in callee.blocks_in_order() {
            let copy = blocks[&block];
            for &inst in &data.insts {
                let row = &callee.insts[inst];
                let ValueDef::Inst(new) = caller.values[values[&row.result]].def else {
                    continue;
                };
                caller.insts[new].args = row.args.iter().map(|v| values[v]).collect();
            }
            let mut terminator = data.terminator.clone();
            terminator.map_values(|v| values[&v]);
            terminator
                .edges_mut()
                .for_each(|edge| edge.block = blocks[&edge.block]);
            caller.blocks[copy].terminator = match terminator {
                Terminator::Return(value) => Terminator::Jump(Edge::new(self.rest, vec![value])),
                Terminator::Error(fault, values, span) if !span.is_known() => {
                    Terminator::Error(fault, values, self.call_span)
                }
                other => other,
            };
        }
        blocks[&callee.entry()]
    }
}

/// The functions of the module that a function calls or maps.
fn callees(module: &Module, function: &Function) -> BTreeSet<Symbol> {
    let mut callees = function.callees();
    callees.retain(|name| module.functions.contains_key(name));
    callees
}

/// All functions, each after those it calls (but for recursion).
fn callees_first(module: &Module) -> Vec<Symbol> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    // An explicit stack: chains of calls may be long.
    let mut stack: Vec<(Symbol, bool)> =
        module.functions.keys().map(|&name| (name, false)).collect();
    while let Some((name, entered)) = stack.pop() {
        if entered {
            order.push(name);
        } else if seen.insert(name) {
            stack.push((name, true));
            stack.extend(
                callees(module, &module.functions[&name])
                    .into_iter()
                    .map(|callee| (callee, false)),
            );
        }
    }
    order
}

/// The functions that can reach themselves by calls.
fn recursive_functions(module: &Module) -> BTreeSet<Symbol> {
    let direct: BTreeMap<Symbol, BTreeSet<Symbol>> = module
        .functions
        .iter()
        .map(|(&name, function)| (name, callees(module, function)))
        .collect();
    let reaches_itself = |name: Symbol| {
        let mut seen = BTreeSet::new();
        let mut stack: Vec<Symbol> = direct[&name].iter().copied().collect();
        while let Some(next) = stack.pop() {
            if seen.insert(next) {
                stack.extend(&direct[&next]);
            }
        }
        seen.contains(&name)
    };
    module
        .functions
        .keys()
        .copied()
        .filter(|&name| reaches_itself(name))
        .collect()
}

/// Drops the functions that the root does not reach any more.
fn drop_unreached(module: &mut Module) {
    let reached = module.reached([module.root]);
    module.functions.retain(|name, _| reached.contains(name));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_module;
    use crate::ir::print::canonical;

    fn inlined(text: &str) -> String {
        let mut module = parse_module(text).unwrap();
        inline_calls(
            &mut module,
            &Registry::default(),
            ContextKind::Default,
            super::super::LARGE,
            &|_| {},
        );
        canonical(&module).to_string()
    }

    #[test]
    fn small_functions_become_part_of_their_callers_and_others_stay() {
        let text = "fn @f(%0: f64) -> f64 {
             b0:
                 %1: f64 = call @g(%0)
                 %2: f64 = call @down(%1)
                 return %2
             }
             fn @g(%0: f64) -> f64 {
             b0:
                 %1: f64 = call @h(%0)
                 return %1
             }
             fn @h(%0: f64) -> f64 {
             b0:
                 %1: f64 = mul %0, %0
                 return %1
             }
             fn @down(%0: f64) -> f64 {
             b0:
                 %1: f64 = call @down(%0)
                 return %1
             }
             fn @root_too(%0: f64) -> f64 {
             b0:
                 return %0
             }";
        let mut module = parse_module(text).unwrap();
        inline_small(&mut module);
        let left: Vec<&str> = module.functions.keys().map(|name| name.as_str()).collect();
        // The last function was never called; it may be another root.
        assert_eq!(left, ["down", "f", "root_too"]);
        let text = canonical(&module).to_string();
        assert_eq!(text.matches("mul").count(), 1, "{text}");
        assert_eq!(text.matches("call @").count(), 2, "{text}");
    }

    #[test]
    fn a_chain_of_calls_becomes_one_function() {
        let text = inlined(
            "fn @f(%0: f64) -> f64 {
             b0:
                 %1: f64 = call @g(%0)
                 %2: f64 = call @g(%1)
                 return %2
             }
             fn @g(%0: f64) -> f64 {
             b0:
                 %1: f64 = call @h(%0)
                 return %1
             }
             fn @h(%0: f64) -> f64 {
             b0:
                 %1: f64 = mul %0, %0
                 return %1
             }",
        );
        assert_eq!(text.matches("fn ").count(), 1, "{text}");
        assert_eq!(text.matches("mul").count(), 2, "{text}");
        assert!(!text.contains("call"), "{text}");
    }

    #[test]
    fn recursive_functions_stay() {
        let text = inlined(
            "fn @f(%0: f64) -> f64 {
             b0:
                 %1: f64 = call @even(%0)
                 return %1
             }
             fn @even(%0: f64) -> f64 {
             b0:
                 %1: f64 = call @odd(%0)
                 return %1
             }
             fn @odd(%0: f64) -> f64 {
             b0:
                 %1: f64 = call @even(%0)
                 return %1
             }",
        );
        assert_eq!(text.matches("fn ").count(), 3, "{text}");
    }
}

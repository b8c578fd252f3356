//! Checks that records of the tape are read in time. A record that `tape_pop` returns can be read only until the next `tape_push`, which may be in
//! a called function.

use super::flow::Flow;
use super::{Block, Callee, Function, Inst, Module, Op, Prim, Symbol, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The functions that may push onto the tape, themselves or through calls. Functions that are only declared are taken to push.
pub(super) fn pushing(module: &Module) -> BTreeSet<Symbol> {
    let mut pushing: BTreeSet<Symbol> = module.declared.keys().copied().collect();
    let mut callers: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
    for function in module.functions.values() {
        for op in function.ops() {
            match op {
                Op::Prim(Prim::TapePush) => {
                    pushing.insert(function.name);
                }
                Op::Call(Callee::Function(name)) => {
                    callers.entry(name).or_default().push(function.name);
                }
                Op::Call(_) | Op::Prim(_) | Op::Const(_) | Op::Map(_) => {}
            }
        }
    }
    let mut stack: Vec<Symbol> = pushing.iter().copied().collect();
    while let Some(name) = stack.pop() {
        for &caller in callers.get(&name).into_iter().flatten() {
            if pushing.insert(caller) {
                stack.push(caller);
            }
        }
    }
    pushing
}

/// An instruction that reads a popped record, if something may have been pushed between the pop and the read. `None` if there is none.
pub(super) fn read_too_late(
    function: &Function,
    pushing: &BTreeSet<Symbol>,
) -> Option<(Block, Inst)> {
    let pops = |op: &Op| *op == Op::Prim(Prim::TapePop);
    let pushes = |op: &Op| match op {
        Op::Prim(prim) => *prim == Prim::TapePush,
        Op::Call(Callee::Function(name)) => pushing.contains(name),
        Op::Const(_) | Op::Call(_) | Op::Map(_) => false,
    };
    if !function.ops().any(|op| pops(&op)) || !function.ops().any(|op| pushes(&op)) {
        return None;
    }
    let flow = Flow::new(function);
    let records = Records::new(function, &flow);
    // For each block the pops whose records are no longer readable where it begins.
    let mut late: FxHashMap<Block, FxHashSet<Inst>> = FxHashMap::default();
    let mut changed = true;
    while changed {
        changed = false;
        for &block in flow.reverse_postorder() {
            let mut now = late.get(&block).cloned().unwrap_or_default();
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let row = &function.insts[inst];
                if pops(&row.op) {
                    now.remove(&inst);
                } else if pushes(&row.op) {
                    now.extend(&records.pops);
                } else if let Op::Prim(Prim::Peek(_)) = row.op
                    && records.of(row.args[0]).any(|pop| now.contains(&pop))
                {
                    return Some((block, inst));
                }
            }
            for edge in data.terminator.edges() {
                let next = late.entry(edge.block).or_default();
                let before = next.len();
                next.extend(&now);
                changed |= next.len() > before;
            }
        }
    }
    None
}

/// The pops whose records the addresses of a function lead to.
struct Records {
    pops: Vec<Inst>,
    of: FxHashMap<Value, BTreeSet<Inst>>,
}

impl Records {
    fn new(function: &Function, flow: &Flow) -> Records {
        let mut records = Records {
            pops: Vec::new(),
            of: FxHashMap::default(),
        };
        // Pairs of values of which the second may be an address in the record of the first.
        let mut moves = Vec::new();
        for &block in flow.reverse_postorder() {
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let row = &function.insts[inst];
                match row.op {
                    Op::Prim(Prim::TapePop) => {
                        records.pops.push(inst);
                        records.of.insert(row.result, BTreeSet::from([inst]));
                    }
                    Op::Prim(Prim::Offset) => moves.push((row.args[0], row.result)),
                    Op::Prim(Prim::Select) => {
                        moves.extend([(row.args[1], row.result), (row.args[2], row.result)]);
                    }
                    _ => {}
                }
            }
            for edge in data.terminator.edges() {
                let params = &function.blocks[edge.block].params;
                moves.extend(edge.args.iter().copied().zip(params.iter().copied()));
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to) in &moves {
                let Some(found) = records.of.get(&from).cloned() else {
                    continue;
                };
                let known = records.of.entry(to).or_default();
                let before = known.len();
                known.extend(found);
                changed |= known.len() > before;
            }
        }
        records
    }
    fn of(&self, address: Value) -> impl Iterator<Item = Inst> + '_ {
        self.of.get(&address).into_iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_module;
    use crate::ir::verify::verify;

    fn verified(body: &str) -> Result<(), String> {
        let text = format!(
            "fn @f(%n: usize, %c: bool) -> f64 {{\n{body}\n}}\nfn @pushes(%n: usize) -> usize {{\nb0:\n    %r: addr = tape_push %n\n    return %n\n}}\n\
             fn @through(%n: usize) -> usize {{\nb0:\n    %m: usize = call @pushes(%n)\n    return %m\n}}\n\
             fn @nothing(%n: usize) -> usize {{\nb0:\n    return %n\n}}\n"
        );
        let module = parse_module(&text).unwrap();
        verify(&module, &|_, _| None).map_err(|error| error.to_string())
    }
    fn is_too_late(body: &str) {
        let error = verified(body).unwrap_err();
        assert!(
            error.contains("after something else may have been pushed"),
            "{error}"
        );
    }

    #[test]
    fn a_record_is_read_before_anything_is_pushed() {
        let body = |between: &str| {
            format!(
                "b0:\n    %r: addr = tape_pop %n\n    {between}\n    %at: addr = offset %r, %n\n    %x: f64 = peek.8 %at\n    return %x"
            )
        };
        verified(&body("%m: usize = call @nothing(%n)")).unwrap();
        is_too_late(&body("%s: addr = tape_push %n"));
        is_too_late(&body("%m: usize = call @pushes(%n)"));
        is_too_late(&body("%m: usize = call @through(%n)"));
    }

    #[test]
    fn a_push_counts_for_the_iterations_after_it() {
        let body = |begin: &str, head: &str| {
            format!(
                "b0:\n    {begin}\n    jump b1(%r)\nb1(%q: addr):\n    {head}\n    %x: f64 = peek.0 %q\n    %m: usize = call @pushes(%n)\n    branch %c, b2, b3\n\
                 b2:\n    jump b1(%q)\nb3:\n    return %x"
            )
        };
        is_too_late(&body("%r: addr = tape_pop %n", "%t: usize = add %n, %n"));
        // A record that stays may be read at any time.
        verified(&body("%r: addr = tape_push %n", "%t: addr = tape_pop %n")).unwrap();
        let popped_again = "b0:\n    jump b1\nb1:\n    %r: addr = tape_pop %n\n    %x: f64 = peek.0 %r\n    %m: usize = call @pushes(%n)\n    branch %c, b1, b2\nb2:\n    return %x";
        verified(popped_again).unwrap();
    }
}

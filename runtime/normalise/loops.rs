//! The graph's shape: one return, no critical edges, loops with a preheader and one latch.

use crate::ir::build::clean;
use crate::ir::flow::{Flow, Loops};
use crate::ir::{Block, Edge, Function, Terminator, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gives the graph of a function the shape that `normalise` promises.
pub fn shape_graph(function: &mut Function) {
    clean(function);
    merge_chains(function);
    join_returns(function);
    join_loop_edges(function);
    split_critical_edges(function);
    clean(function);
}

/// Appends a block to its only predecessor where that one goes nowhere else: inlining leaves many such pairs, and straight-line code
/// should be one block.
fn merge_chains(function: &mut Function) {
    let flow = Flow::new(function);
    let mut aliases = FxHashMap::default();
    let mut gone = FxHashSet::default();
    for &block in flow.reverse_postorder() {
        if gone.contains(&block) {
            continue;
        }
        while let Terminator::Jump(edge) = &function.blocks[block].terminator {
            let target = edge.block;
            if target == block || flow.predecessors(target).len() != 1 {
                break;
            }
            let args = edge.args.clone();
            let data = std::mem::replace(
                &mut function.blocks[target],
                crate::ir::BlockData {
                    params: Vec::new(),
                    insts: Vec::new(),
                    terminator: Terminator::Missing,
                },
            );
            aliases.extend(data.params.into_iter().zip(args));
            function.blocks[block].insts.extend(data.insts);
            function.blocks[block].terminator = data.terminator;
            gone.insert(target);
        }
    }
    function.layout.retain(|block| !gone.contains(block));
    crate::ir::build::substitute(function, &aliases);
}

/// Sends all returns to one block that returns its parameter.
fn join_returns(function: &mut Function) {
    let returns: Vec<(Block, Value)> = function
        .blocks_in_order()
        .filter_map(|(block, data)| match data.terminator {
            Terminator::Return(value) => Some((block, value)),
            _ => None,
        })
        .collect();
    if returns.len() < 2 {
        return;
    }
    let join = function.add_block();
    let result = function.add_param(join, function.ret);
    function.blocks[join].terminator = Terminator::Return(result);
    for (block, value) in returns {
        function.blocks[block].terminator = Terminator::Jump(Edge::new(join, vec![value]));
    }
}

/// Gives each loop's header two predecessors: a preheader that goes nowhere else, and one latch that goes nowhere else.
fn join_loop_edges(function: &mut Function) {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    // A counted loop's latch must stay the block that adds the step: it is left alone if it is alone already.
    for (_, data) in loops.all() {
        let (inside, outside): (Vec<Block>, Vec<Block>) = flow
            .predecessors(data.header)
            .iter()
            .partition(|block| data.latches.contains(block));
        for sources in [outside, inside] {
            let alone = matches!(&sources[..], [one] if function.blocks[*one].terminator.edges().count() == 1);
            if !alone {
                redirect(function, &sources, data.header);
            }
        }
    }
}

/// Puts a new block with the header's parameters between `sources` and `target`.
fn redirect(function: &mut Function, sources: &[Block], target: Block) {
    let between = function.add_block();
    let types: Vec<_> = function.blocks[target]
        .params
        .iter()
        .map(|&v| function.ty(v))
        .collect();
    let params: Vec<Value> = types
        .into_iter()
        .map(|ty| function.add_param(between, ty))
        .collect();
    for &source in sources {
        for edge in function.blocks[source]
            .terminator
            .edges_mut()
            .filter(|edge| edge.block == target)
        {
            edge.block = between;
        }
    }
    function.blocks[between].terminator = Terminator::Jump(Edge::new(target, params));
}

/// Puts an empty block on every edge from a block with several successors to one with several predecessors.
fn split_critical_edges(function: &mut Function) {
    let flow = Flow::new(function);
    for block in function.layout.clone() {
        if function.blocks[block].terminator.edges().count() < 2 {
            continue;
        }
        let mut terminator =
            std::mem::replace(&mut function.blocks[block].terminator, Terminator::Missing);
        for edge in terminator
            .edges_mut()
            .filter(|edge| flow.predecessors(edge.block).len() > 1)
        {
            let between = function.add_block();
            let onwards = std::mem::replace(edge, Edge::new(between, Vec::new()));
            function.blocks[between].terminator = Terminator::Jump(onwards);
        }
        function.blocks[block].terminator = terminator;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_module;
    use crate::ir::verify::verify;

    /// The promises, checked from scratch.
    fn check(text: &str) -> Function {
        let mut module = parse_module(text).unwrap();
        shape_graph(module.root_mut());
        verify(&module, &|_, _| None).unwrap();
        let function = module.root().clone();
        let flow = Flow::new(&function);
        let returns = function
            .blocks_in_order()
            .filter(|(_, d)| matches!(d.terminator, Terminator::Return(_)));
        assert!(returns.count() <= 1, "{function}");
        for (block, data) in function.blocks_in_order() {
            assert!(flow.is_reachable(block), "{function}");
            if data.terminator.edges().count() > 1 {
                for edge in data.terminator.edges() {
                    assert_eq!(
                        flow.predecessors(edge.block).len(),
                        1,
                        "{block}\n{function}"
                    );
                }
            }
        }
        for (_, data) in Loops::new(&function, &flow).all() {
            assert_eq!(data.latches.len(), 1, "{function}");
            assert_eq!(flow.predecessors(data.header).len(), 2, "{function}");
            for &p in flow.predecessors(data.header) {
                assert_eq!(
                    function.blocks[p].terminator.edges().count(),
                    1,
                    "{function}"
                );
            }
        }
        function
    }

    #[test]
    fn a_while_loop_with_continue_and_two_returns() {
        check(
            "fn @f(%0: f64, %1: bool) -> f64 {
             b0:
                 branch %1, b1(%0), b4
             b1(%2: f64):
                 %3: bool = lt %2, %0
                 branch %3, b2, b3
             b2:
                 %4: f64 = mul %2, %2
                 branch %1, b1(%4), b1(%2)
             b3:
                 return %2
             b4:
                 return %0
             }",
        );
    }

    #[test]
    fn counted_loops_stay_counted() {
        let function = check(
            "fn @f(%0: usize) -> usize {
             b0:
                 %1: usize = 0
                 %2: usize = 1
                 jump b1(%1, %1)
             b1(%3: usize, %4: usize):
                 %5: bool = lt %3, %0
                 branch %5, b2, b3
             b2:
                 %6: usize = add %4, %3
                 %7: usize = add %3, %2
                 jump b1(%7, %6)
             b3:
                 return %4
             }",
        );
        let flow = Flow::new(&function);
        let loops = Loops::new(&function, &flow);
        assert!(
            loops.all().all(|(_, data)| data.counted.is_some()),
            "{function}"
        );
    }
}

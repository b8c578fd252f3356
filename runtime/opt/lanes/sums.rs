//! Sums that loops carry: `s = s + a`, several times in one block that is a loop by itself. In lanes each lane has a sum of its own, and the
//! sums are added behind the loop.

use super::{Block, Function, Inst, Op, Prim, Span, Terminator, Value, ValueDef};
use crate::ir::{Const, Edge};

/// What a loop adds to a float that it carries.
pub struct Sum {
    /// The parameter of the block, and its number.
    pub param: Value,
    pub index: usize,
    /// The additions or subtractions, in order.
    pub steps: Vec<Inst>,
    /// What each adds or subtracts.
    pub terms: Vec<Value>,
}

/// Longer sums are not followed.
const MAX_STEPS: usize = 64;

/// The sums of a block that ends with a branch to itself.
pub fn sums(function: &Function, block: Block) -> Vec<Sum> {
    let Some(own) = own_edge(function, block) else {
        return Vec::new();
    };
    let params = function.blocks[block].params.iter().zip(&own.args);
    let sum = |(index, (&param, &last)): (usize, (&Value, &Value))| {
        function.ty(param).in_lanes()?;
        let (mut steps, mut terms) = path(function, block, param, last)?;
        steps.reverse();
        terms.reverse();
        let sum = Sum {
            param,
            index,
            steps,
            terms,
        };
        is_used_for_this_alone(function, block, &sum).then_some(sum)
    };
    params.enumerate().filter_map(sum).collect()
}

/// The edge of a block to itself, if it has one beside another one.
fn own_edge(function: &Function, block: Block) -> Option<&Edge> {
    match &function.blocks[block].terminator {
        Terminator::Branch {
            then, otherwise, ..
        } => match (then.block == block, otherwise.block == block) {
            (true, false) => Some(then),
            (false, true) => Some(otherwise),
            _ => None,
        },
        _ => None,
    }
}

/// The steps from a value back to the parameter, and their terms, the last one first. All are additions, or all are subtractions.
fn path(
    function: &Function,
    block: Block,
    param: Value,
    last: Value,
) -> Option<(Vec<Inst>, Vec<Value>)> {
    let (mut steps, mut terms, mut value) = (Vec::new(), Vec::new(), last);
    let of_block = |value: Value| match function.values[value].def {
        ValueDef::Inst(inst) => function.blocks[block].insts.contains(&inst).then_some(inst),
        ValueDef::Param(..) => None,
    };
    let mut op = None;
    let is_step = |value: Value, op: Op| {
        value == param || of_block(value).is_some_and(|inst| function.insts[inst].op == op)
    };
    while value != param {
        let inst = of_block(value).filter(|_| steps.len() < MAX_STEPS)?;
        let row = &function.insts[inst];
        if op.is_some_and(|op| op != row.op) {
            return None;
        }
        op = Some(row.op);
        let (next, term) = match (row.op, &row.args[..]) {
            (Op::Prim(Prim::Add | Prim::Sub), &[a, b]) if is_step(a, row.op) => (a, b),
            (Op::Prim(Prim::Add), &[a, b]) if is_step(b, row.op) => (b, a),
            _ => return None,
        };
        steps.push(inst);
        terms.push(term);
        value = next;
    }
    (!steps.is_empty()).then_some((steps, terms))
}

/// Whether the steps are there for the sum only, and only the end of the block reads it.
fn is_used_for_this_alone(function: &Function, block: Block, sum: &Sum) -> bool {
    let results: Vec<Value> = sum
        .steps
        .iter()
        .map(|&s| function.insts[s].result)
        .collect();
    let Some((&last, between)) = results.split_last() else {
        return false;
    };
    let mut inside = vec![0; between.len() + 1];
    let mut elsewhere = false;
    let number = |value: Value| match value == sum.param {
        true => Some(0),
        false => between.iter().position(|&own| own == value).map(|n| n + 1),
    };
    for (other, data) in function.blocks_in_order() {
        for &inst in &data.insts {
            for &arg in &function.insts[inst].args {
                elsewhere |= arg == last;
                if let Some(n) = number(arg) {
                    inside[n] += 1;
                }
            }
        }
        let end: &Terminator = &data.terminator;
        end.for_each_value(|value| {
            elsewhere |= number(value).is_some() || value == last && other != block;
        });
    }
    let own = own_edge(function, block)
        .into_iter()
        .flat_map(|edge| &edge.args);
    let carried = own.filter(|&&arg| arg == last).count();
    !elsewhere && inside.iter().all(|&count| count == 1) && carried == 1
}

/// Lets the loop carry a register instead of the float: `total` is what it is after an iteration, `register` the parameter. It begins with the
/// float in the first lane. Behind the loop, the lanes are added.
pub fn carry(
    function: &mut Function,
    block: Block,
    sum: (Value, usize),
    register: Value,
    total: Value,
) {
    let ((param, index), ty) = (sum, function.ty(register));
    let Some((lane, count)) = ty.lanes() else {
        return;
    };
    for from in function.layout.clone() {
        let edges = function.blocks[from].terminator.edges();
        let given: Vec<Value> = edges
            .filter(|edge| edge.block == block && from != block)
            .map(|edge| edge.args[index])
            .collect();
        let mut packed = Vec::new();
        for first in given {
            // Adding −0 changes no number.
            let zero = Op::Const(Const::Float(-0.0));
            let zero = function.append(from, zero, &[], lane, Span::NONE);
            let mut lanes = vec![zero; count];
            lanes[0] = first;
            packed.push(function.append(from, Op::Prim(Prim::Pack), &lanes, ty, Span::NONE));
        }
        let edges = function.blocks[from].terminator.edges_mut();
        let mut packed = packed.into_iter();
        for edge in edges.filter(|edge| edge.block == block) {
            match from == block {
                true => {
                    edge.args[index] = param;
                    edge.args.push(total);
                }
                false => edge.args.extend(packed.next()),
            }
        }
    }
}

/// Where the loop is left, adds the lanes of each register to what `last` was, and passes that on.
pub fn leave(function: &mut Function, block: Block, sums: &[(Value, Value)]) {
    let edges = function.blocks[block].terminator.edges();
    let Some(exit) = edges.filter(|edge| edge.block != block).last().cloned() else {
        return;
    };
    let between = function.add_block();
    let mut args = exit.args.clone();
    for &(last, total) in sums {
        let Some((lane, count)) = function.ty(total).lanes() else {
            continue;
        };
        let mut take = |n: u32| {
            let op = Op::Prim(Prim::Lane(n));
            function.append(between, op, &[total], lane, Span::NONE)
        };
        let mut lanes: Vec<Value> = (0..count as u32).map(&mut take).collect();
        while lanes.len() > 1 {
            let upper = lanes.split_off(lanes.len() / 2);
            for (a, b) in lanes.iter_mut().zip(upper) {
                *a = function.append(between, Op::Prim(Prim::Add), &[*a, b], lane, Span::NONE);
            }
        }
        args.iter_mut()
            .filter(|arg| **arg == last)
            .for_each(|arg| *arg = lanes[0]);
    }
    function.blocks[between].terminator = Terminator::Jump(Edge::new(exit.block, args));
    for edge in function.blocks[block].terminator.edges_mut() {
        if edge.block != block {
            *edge = Edge::new(between, Vec::new());
        }
    }
    // Behind the loop in the layout as well.
    function.layout.retain(|&other| other != between);
    let at = function.layout.iter().position(|&other| other == block);
    let at = at.map_or(function.layout.len(), |at| at + 1);
    function.layout.insert(at, between);
}

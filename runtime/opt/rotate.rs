//! Loop rotation: a loop that tests before each iteration tests once before the first and then after each, which
//! saves a jump per iteration.
//!
//! The header's instructions are copied to the latch, which then branches back to the body or out. What the header
//! defines has two definitions from then on, so the body and the exit get parameters for it. This ends the form in
//! which the other passes recognise counted loops: it is the last pass.

use super::effects::Calls;
use crate::ir::flow::{Flow, LoopData, Loops};
use crate::ir::{Block, Edge, Effect, Function, Terminator, Value};
use rustc_hash::FxHashMap;

/// Headers with more instructions are not copied.
const MAX_HEADER: usize = 6;

/// Rotates loops that are left at their headers alone (or by failing) and whose headers are short and pure. The edge into the
/// rotated loop has a block of its own, which runs only if the loop does: invariant code can go there, guards too.
pub fn rotate(function: &mut Function, calls: &Calls) -> bool {
    let mut changed = false;
    // A loop that is followed by the header of another can be rotated only once that one is.
    while rotate_all(function, calls) {
        changed = true;
    }
    changed
}

/// Rotates those that have the form now. Turning one adds edges but no blocks, and changes neither what dominates what nor
/// the form of others.
fn rotate_all(function: &mut Function, calls: &Calls) -> bool {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let loops = loops.all();
    let loops: Vec<RotatableLoop> = loops
        .filter_map(|(_, data)| rotatable(function, &flow, calls, data))
        .collect();
    let mut users = Users::new(function, &loops);
    for rotatable in &loops {
        turn(function, &flow, &mut users, rotatable);
    }
    for rotatable in &loops {
        detour(function, rotatable.header, rotatable.body);
    }
    !loops.is_empty()
}

/// A loop that can be rotated.
struct RotatableLoop {
    header: Block,
    latch: Block,
    body: Block,
    exit: Block,
}

/// The loop's parts, if it has the form `header: …; branch c, body, exit` and one latch that jumps. Body and exit must be
/// entered from the header alone, because their parameters change.
fn rotatable(
    function: &Function,
    flow: &Flow,
    calls: &Calls,
    data: &LoopData,
) -> Option<RotatableLoop> {
    let header = &function.blocks[data.header];
    let Terminator::Branch {
        then, otherwise, ..
    } = &header.terminator
    else {
        return None;
    };
    let inside = |block: Block| data.blocks.contains(&block);
    let (body, exit) = match (inside(then.block), inside(otherwise.block)) {
        (true, false) => (then.block, otherwise.block),
        (false, true) => (otherwise.block, then.block),
        _ => return None,
    };
    let [latch] = data.latches[..] else {
        return None;
    };
    let is_pure = header
        .insts
        .iter()
        .all(|&inst| calls.effect(function, &function.insts[inst]) == Effect::Pure);
    let leaves_elsewhere = data.blocks[1..].iter().any(|&block| {
        let terminator = &function.blocks[block].terminator;
        let leads_out = |b: Block| {
            !inside(b) && !matches!(function.blocks[b].terminator, Terminator::Error(..))
        };
        matches!(terminator, Terminator::Return(_))
            || terminator.edges().any(|e| leads_out(e.block))
    });
    let entered_once = |block: Block| flow.predecessors(block).len() == 1;
    let jumps = matches!(function.blocks[latch].terminator, Terminator::Jump(_));
    let fits = is_pure
        && header.insts.len() <= MAX_HEADER
        && body != data.header
        && latch != data.header
        && jumps
        && !leaves_elsewhere
        && entered_once(body)
        && entered_once(exit);
    fits.then_some(RotatableLoop {
        header: data.header,
        latch,
        body,
        exit,
    })
}

/// The blocks that use what the headers of rotatable loops define.
struct Users(FxHashMap<Value, Vec<Block>>);

impl Users {
    fn new(function: &Function, loops: &[RotatableLoop]) -> Users {
        let headers = loops.iter().map(|rotatable| rotatable.header);
        let defined = headers.flat_map(|header| defined(function, header));
        let mut users = Users(defined.map(|value| (value, Vec::new())).collect());
        for &block in &function.layout {
            users.note(function, block);
        }
        users
    }
    /// Notes what a block uses now.
    fn note(&mut self, function: &Function, block: Block) {
        let mut note = |value: Value| {
            if let Some(blocks) = self.0.get_mut(&value)
                && blocks.last() != Some(&block)
            {
                blocks.push(block);
            }
        };
        let insts = function.blocks[block].insts.iter();
        insts
            .flat_map(|&inst| &function.insts[inst].args)
            .for_each(|&arg| note(arg));
        function.blocks[block].terminator.for_each_value(note);
    }
}

/// What a block defines: its parameters, then the results of its instructions.
fn defined(function: &Function, block: Block) -> Vec<Value> {
    let data = &function.blocks[block];
    let results = data.insts.iter().map(|&inst| function.insts[inst].result);
    data.params.iter().copied().chain(results).collect()
}

fn turn(function: &mut Function, flow: &Flow, users: &mut Users, rotatable: &RotatableLoop) {
    let defined = defined(function, rotatable.header);
    let body = inherit(function, flow, users, rotatable.body, &defined);
    let exit = inherit(function, flow, users, rotatable.exit, &defined);
    pass_on(function, rotatable.header, rotatable.body, &body);
    pass_on(function, rotatable.header, rotatable.exit, &exit);
    copy_header(function, rotatable);
    users.note(function, rotatable.latch);
}

/// Gives a block parameters for those of the header's values that are used in what it dominates, and lets these uses
/// read them. Returns the values.
fn inherit(
    function: &mut Function,
    flow: &Flow,
    users: &Users,
    block: Block,
    defined: &[Value],
) -> Vec<Value> {
    let mut needed = Vec::new();
    for &value in defined {
        let users = users.0.get(&value).into_iter().flatten().copied();
        let users: Vec<Block> = users.filter(|&user| flow.dominates(block, user)).collect();
        if users.is_empty() {
            continue;
        }
        let param = function.add_param(block, function.ty(value));
        function.values[param].name = function.values[value].name;
        let replaced = |v: Value| if v == value { param } else { v };
        for user in users {
            for i in 0..function.blocks[user].insts.len() {
                let inst = function.blocks[user].insts[i];
                let args = &mut function.insts[inst].args;
                args.iter_mut().for_each(|arg| *arg = replaced(*arg));
            }
            function.blocks[user].terminator.map_values(replaced);
        }
        needed.push(value);
    }
    needed
}

/// Passes values along the edges from `source` to `target`.
fn pass_on(function: &mut Function, source: Block, target: Block, values: &[Value]) {
    let edges = function.blocks[source].terminator.edges_mut();
    for edge in edges.filter(|edge| edge.block == target) {
        edge.args.extend(values);
    }
}

/// Ends the latch as the header ends, with the header's instructions before that and the latch's arguments for its
/// parameters.
fn copy_header(function: &mut Function, rotatable: &RotatableLoop) {
    let edge = match &function.blocks[rotatable.latch].terminator {
        Terminator::Jump(edge) => edge.clone(),
        _ => return,
    };
    let header = function.blocks[rotatable.header].clone();
    let mut copies: FxHashMap<Value, Value> =
        header.params.iter().copied().zip(edge.args).collect();
    let copied = |copies: &FxHashMap<Value, Value>, v: Value| *copies.get(&v).unwrap_or(&v);
    for inst in header.insts {
        let row = function.insts[inst].clone();
        let args: Vec<Value> = row.args.iter().map(|&v| copied(&copies, v)).collect();
        let ty = function.ty(row.result);
        let copy = function.append(rotatable.latch, row.op, &args, ty, row.span);
        copies.insert(row.result, copy);
    }
    let mut terminator = header.terminator;
    terminator.map_values(|v| copied(&copies, v));
    function.blocks[rotatable.latch].terminator = terminator;
}

/// Puts a block of its own on the edge from `source` to `target`, and in front of the target in the layout.
fn detour(function: &mut Function, source: Block, target: Block) {
    let block = function.add_block();
    let at = function.layout.iter().position(|&b| b == target);
    function.layout.pop();
    function.layout.insert(at.unwrap_or(0), block);
    let mut edges = function.blocks[source].terminator.edges_mut();
    let onward = edges
        .find(|edge| edge.block == target)
        .map(|edge| std::mem::replace(edge, Edge::new(block, Vec::new())));
    drop(edges);
    if let Some(onward) = onward {
        function.blocks[block].terminator = Terminator::Jump(onward);
    }
}

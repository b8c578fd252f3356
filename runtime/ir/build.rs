//! Building functions: a cursor that appends instructions, simplifies as it goes, and keeps variables in SSA form.
//!
//! Variables follow Braun et al., *Simple and Efficient Construction of Static Single Assignment Form* (CC 2013):
//! blocks are sealed once all their predecessors are known; a use in an unsealed block makes a provisional block
//! parameter, and trivial parameters are removed again. Unlike the paper's, this one walks with an explicit stack, so
//! that long functions do not exhaust the thread's.
//!
//! A value that turns out to be trivial is an alias of another one until `finish` rewrites its uses. Everything that
//! goes through the builder is resolved on the way; who compares values in between asks [`Builder::resolve`].

use super::eval::{evaluate, zero};
use super::flow::Flow;
use super::*;
use crate::arena::Id;
use half::f16;
use rustc_hash::FxHashMap;

id!(
    /// A mutable variable, as the source language and the adjoints have them.
    Variable,
    "v"
);

/// Appends instructions to one function, at the end of the current block.
///
/// Instructions are folded while they are built: constants, `x + 0` of integers, `x * 1`, `select` on a constant, `field` of a `tuple`. Only rewrites
/// that are exact for every float (NaN and −0 included) are made here.
///
/// Whatever is appended after a terminator without `switch_to` goes to a new, unreachable block.
pub struct Builder {
    /// The function so far.
    pub function: Function,
    /// Spans given to the instructions that follow.
    pub span: Span,
    current: Block,
    variables: Table<Variable, Type>,
    /// The value of a variable at the end (so far) of a block.
    definitions: FxHashMap<(Variable, Block), Value>,
    /// Indexed by block.
    graph: Vec<Node>,
    /// The provisional parameters by their values.
    merges: FxHashMap<Value, Merge>,
    /// The values that replace removed parameters.
    aliases: FxHashMap<Value, Value>,
    /// Constants by block, so that each is made once.
    constants: FxHashMap<(Block, Const, Type), Value>,
}

/// The state of a block while it is built.
#[derive(Default)]
struct Node {
    sealed: bool,
    /// One entry per edge into the block, and which of the source's edges it is.
    predecessors: Vec<(Block, usize)>,
    /// Provisional parameters of a block that is not sealed yet.
    incomplete: Vec<(Variable, Value)>,
    /// All provisional parameters ever made, in order.
    merges: Vec<Value>,
}

/// A provisional parameter: the value from each predecessor.
struct Merge {
    block: Block,
    /// As many as the block has predecessors, once it is sealed.
    operands: Vec<Value>,
    /// The provisional parameters that have this one as operand.
    users: Vec<Value>,
}

impl Builder {
    /// Starts at the end of the function's entry block. The blocks that exist already are sealed.
    pub fn new(function: Function) -> Self {
        let mut builder = Builder {
            current: function.entry(),
            span: Span::NONE,
            variables: Table::new(),
            definitions: FxHashMap::default(),
            graph: function.blocks.keys().map(|_| Node::default()).collect(),
            merges: FxHashMap::default(),
            aliases: FxHashMap::default(),
            constants: FxHashMap::default(),
            function,
        };
        for block in builder.function.layout.clone() {
            builder.graph[block.index()].sealed = true;
            builder.note_edges(block);
        }
        builder
    }
    /// The block that instructions are appended to.
    pub fn block(&self) -> Block {
        self.current
    }
    /// Continues at the end of `block`.
    pub fn switch_to(&mut self, block: Block) {
        self.current = block;
    }
    /// A new block, unsealed.
    pub fn new_block(&mut self) -> Block {
        self.graph.push(Node::default());
        self.function.add_block()
    }
    /// A new parameter of an (unsealed or predecessor-less) block.
    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        self.function.add_param(block, ty)
    }
    /// Declares that all predecessors of `block` are known.
    pub fn seal(&mut self, block: Block) {
        self.graph[block.index()].sealed = true;
        let incomplete = std::mem::take(&mut self.graph[block.index()].incomplete);
        self.complete(incomplete);
    }
    /// Whether the current block has its terminator.
    pub fn is_terminated(&self) -> bool {
        self.function.blocks[self.current].terminator != Terminator::Missing
    }
    /// The value that replaces `value`, if it turned out to be an alias.
    pub fn resolve(&self, mut value: Value) -> Value {
        while let Some(&next) = self.aliases.get(&value) {
            value = next;
        }
        value
    }

    /// A new variable.
    pub fn declare(&mut self, ty: Type) -> Variable {
        self.variables.push(ty)
    }
    /// The type of a variable.
    pub fn variable_type(&self, variable: Variable) -> Type {
        self.variables[variable]
    }
    /// Assigns the variable in the current block.
    pub fn define(&mut self, variable: Variable, value: Value) {
        self.definitions.insert((variable, self.current), value);
    }
    /// The variable's value here. On paths on which it was never defined it is zero (`Const::Null` for arrays).
    pub fn read(&mut self, variable: Variable) -> Value {
        let mut open = Vec::new();
        let found = self.find(variable, self.current, &mut open);
        self.complete(open);
        self.resolve(found)
    }

    /// A constant of the given type.
    pub fn constant(&mut self, c: Const, ty: Type) -> Value {
        self.reopen();
        let key = (self.current, c, ty);
        if let Some(&found) = self.constants.get(&key) {
            return found;
        }
        let value = self.inst(Op::Const(c), &[], ty);
        self.constants.insert(key, value);
        value
    }
    /// A float constant of type `ty` (f32 or f64); rounded to it.
    pub fn float(&mut self, x: f64, ty: Type) -> Value {
        let x = match ty {
            Type::F16 => f16::from_f64(x).into(),
            Type::F32 => (x as f32).into(),
            _ => x,
        };
        self.constant(Const::Float(x), ty)
    }
    /// An integer constant.
    pub fn int(&mut self, x: i64, ty: Type) -> Value {
        self.constant(Const::Int(x), ty)
    }
    /// A bool constant.
    pub fn bool(&mut self, x: bool) -> Value {
        self.constant(Const::Bool(x), Type::Bool)
    }
    /// `()`
    pub fn unit(&mut self) -> Value {
        self.constant(Const::Unit, Type::UNIT)
    }
    /// Zero of a type that a variable can have: 0, false, the null array.
    pub fn zero(&mut self, ty: Type) -> Value {
        self.constant(zero(ty), ty)
    }
    /// A primitive whose result type follows from its arguments (all but `cast`, `bitcast`, `peek`). If it does not,
    /// because the types do not fit or are not known yet, the result has the type of the first argument.
    pub fn prim(&mut self, prim: Prim, args: &[Value]) -> Value {
        let types: SmallVec<[Type; 3]> = args.iter().map(|&v| self.function.ty(v)).collect();
        let ty = prim_type(prim, &types).or(types.first().copied());
        self.prim_to(prim, args, ty.unwrap_or(Type::UNIT))
    }
    /// `cast`, `bitcast` or `peek` to a type; any primitive whose result type the caller knows.
    pub fn prim_to(&mut self, prim: Prim, args: &[Value], ty: Type) -> Value {
        let args: Args = args.iter().map(|&v| self.resolve(v)).collect();
        match fold(&self.function, prim, &args, ty) {
            Some(Folded::Value(value)) => value,
            Some(Folded::Const(c)) => self.constant(c, ty),
            None => self.inst(Op::Prim(prim), &args, ty),
        }
    }
    /// A call.
    pub fn call(&mut self, callee: impl Into<Callee>, args: &[Value], ret: Type) -> Value {
        self.inst(Op::Call(callee.into()), args, ret)
    }
    /// The leaves of a value, depth first: itself, if it is no tuple.
    pub fn leaves(&mut self, value: Value) -> Vec<Value> {
        let Type::Tuple(fields) = self.function.ty(value) else {
            return vec![value];
        };
        let mut leaves = Vec::new();
        for n in 0..fields.len() as u32 {
            let field = self.prim(Prim::Field(n), &[value]);
            leaves.extend(self.leaves(field));
        }
        leaves
    }
    /// Converts a slice to one of this type, of either mutability. A function that takes `[T]` may be given memory that could change, if nothing changes
    /// it meanwhile.
    pub fn slice_as(&mut self, slice: Value, ty: Type) -> Value {
        if self.function.ty(slice) == ty {
            return slice;
        }
        let base = self.prim(Prim::Base, &[slice]);
        let length = self.prim(Prim::Len, &[slice]);
        self.prim_to(Prim::View, &[base, length], ty)
    }
    /// New memory of zeros with the length of a slice, as a slice of this type.
    pub fn zeros_like(&mut self, slice: Value, ty: Type) -> Value {
        let size = ty.element().and_then(Type::size).unwrap_or_default();
        let length = self.prim(Prim::Len, &[slice]);
        let size = self.int(size as i64, Type::Usize);
        let bytes = self.prim(Prim::Mul, &[length, size]);
        let object = self.prim(Prim::Alloc, &[bytes]);
        self.prim_to(Prim::View, &[object, length], ty)
    }
    /// A map over arrays.
    pub fn map(&mut self, function: Symbol, args: &[Value], ret: Type) -> Value {
        self.inst(Op::Map(function), args, ret)
    }
    /// Any operation, without folding.
    pub fn inst(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        self.reopen();
        let args: Args = args.iter().map(|&v| self.resolve(v)).collect();
        self.function.append(self.current, op, &args, ty, self.span)
    }
    /// Any operation, with folding, for passes that copy instructions.
    pub fn emit(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        match op {
            Op::Const(c) => self.constant(c, ty),
            Op::Prim(prim) => self.prim_to(prim, args, ty),
            Op::Call(_) | Op::Map(_) => self.inst(op, args, ty),
        }
    }
    /// Copies the body of a one-block function here, with `args` for its parameters, and returns what it returns.
    /// For rule bodies, partials and pullbacks (all straight line). The copies are folded and get the builder's span.
    pub fn inline_straight_line(&mut self, function: &Function, args: &[Value]) -> Value {
        let mut copies: FxHashMap<Value, Value> = function
            .params()
            .iter()
            .copied()
            .zip(args.iter().copied())
            .collect();
        let body = &function.blocks[function.entry()];
        for &inst in &body.insts {
            let data = &function.insts[inst];
            let args: Args = data.args.iter().map(|v| copies[v]).collect();
            let copy = self.emit(data.op, &args, function.ty(data.result));
            copies.insert(data.result, copy);
        }
        match body.terminator {
            Terminator::Return(value) => self.resolve(copies[&value]),
            // This is no body of a rule: the registry accepts only bodies that return.
            _ => self.unit(),
        }
    }

    /// Ends the current block.
    pub fn jump(&mut self, block: Block, args: &[Value]) {
        self.terminate(Terminator::Jump(Edge::new(block, args)));
    }
    /// Ends the current block.
    pub fn branch(
        &mut self,
        condition: Value,
        then: (Block, &[Value]),
        otherwise: (Block, &[Value]),
    ) {
        self.terminate(Terminator::Branch {
            condition,
            then: Edge::new(then.0, then.1),
            otherwise: Edge::new(otherwise.0, otherwise.1),
        });
    }
    /// Ends the current block.
    pub fn ret(&mut self, value: Value) {
        self.terminate(Terminator::Return(value));
    }
    /// Ends the current block.
    pub fn error(&mut self, fault: Fault, values: &[Value]) {
        self.terminate(Terminator::Error(fault, values.to_vec(), self.span));
    }
    /// The function, complete: unreachable blocks removed from the layout, trivial parameters gone.
    pub fn finish(mut self) -> Function {
        let unsealed: Vec<Block> = self.function.layout.clone();
        for block in unsealed {
            self.seal(block);
        }
        self.place_merges();
        let aliases = std::mem::take(&mut self.aliases);
        substitute(&mut self.function, &aliases);
        clean(&mut self.function);
        self.function
    }

    /// Ends the current block with `terminator`, resolved.
    fn terminate(&mut self, mut terminator: Terminator) {
        self.reopen();
        terminator.map_values(|v| self.resolve(v));
        self.function.blocks[self.current].terminator = terminator;
        self.note_edges(self.current);
    }
    /// Continues in a block that nothing reaches if the current one is complete.
    fn reopen(&mut self) {
        if self.is_terminated() {
            self.current = self.new_block();
            self.graph[self.current.index()].sealed = true;
        }
    }
    /// Enters the edges out of a block at their targets.
    fn note_edges(&mut self, block: Block) {
        for (i, edge) in self.function.blocks[block].terminator.edges().enumerate() {
            self.graph[edge.block.index()].predecessors.push((block, i));
        }
    }

    /// The variable's value at the end of `block`; parameters made on the way, whose operands are still to be found,
    /// are added to `open`.
    fn find(
        &mut self,
        variable: Variable,
        block: Block,
        open: &mut Vec<(Variable, Value)>,
    ) -> Value {
        let mut at = block;
        let mut passed = Vec::new();
        let value = loop {
            if let Some(&value) = self.definitions.get(&(variable, at)) {
                break self.resolve(value);
            }
            let node = &self.graph[at.index()];
            if !node.sealed {
                let value = self.add_merge(variable, at);
                self.graph[at.index()].incomplete.push((variable, value));
                break value;
            }
            match node.predecessors[..] {
                // A cycle of single predecessors is unreachable, so any value will do for its variables.
                [(only, _)] if passed.len() <= self.function.blocks.len() => {
                    passed.push(at);
                    at = only;
                }
                [] | [_] => break self.hoisted_zero(self.variables[variable]),
                _ => {
                    let value = self.add_merge(variable, at);
                    open.push((variable, value));
                    break value;
                }
            }
        };
        for block in passed {
            self.definitions.insert((variable, block), value);
        }
        value
    }
    /// A provisional parameter, which from now on is the value of the variable in the block.
    fn add_merge(&mut self, variable: Variable, block: Block) -> Value {
        // The index is given by `place_merges`, when it is known which parameters stay.
        let value = self.function.values.push(ValueData {
            ty: self.variables[variable],
            def: ValueDef::Param(block, u32::MAX),
            name: None,
        });
        let merge = Merge {
            block,
            operands: Vec::new(),
            users: Vec::new(),
        };
        self.merges.insert(value, merge);
        self.graph[block.index()].merges.push(value);
        self.definitions.insert((variable, block), value);
        value
    }
    /// Finds the operands of these parameters and of all that this makes, then removes those that are trivial.
    fn complete(&mut self, mut open: Vec<(Variable, Value)>) {
        let mut completed = Vec::new();
        while let Some((variable, merge)) = open.pop() {
            let block = self.merges[&merge].block;
            let sources: Vec<Block> = self.graph[block.index()]
                .predecessors
                .iter()
                .map(|p| p.0)
                .collect();
            for source in sources {
                let operand = self.find(variable, source, &mut open);
                self.merge(merge).operands.push(operand);
                if let Some(used) = self.merges.get_mut(&operand) {
                    used.users.push(merge);
                }
            }
            completed.push(merge);
        }
        // Innermost last made, so most collapse in one go; the rest follows along the users.
        while let Some(merge) = completed.pop() {
            if !self.aliases.contains_key(&merge)
                && let Some(value) = self.trivial(merge)
            {
                self.aliases.insert(merge, value);
                let users = std::mem::take(&mut self.merge(merge).users);
                if let Some(other) = self.merges.get_mut(&value) {
                    other.users.extend(&users);
                }
                completed.extend(users);
            }
        }
    }
    fn merge(&mut self, value: Value) -> &mut Merge {
        self.merges
            .get_mut(&value)
            .expect("a provisional parameter")
    }
    /// The one value that a complete parameter can have, if there is only one. Equal constants are one value.
    fn trivial(&mut self, merge: Value) -> Option<Value> {
        let ty = self.function.ty(merge);
        let data = &self.merges[&merge];
        let complete = self.graph[data.block.index()].sealed
            && data.operands.len() == self.graph[data.block.index()].predecessors.len();
        if !complete {
            return None;
        }
        let mut found: Option<Value> = None;
        let mut constant = None;
        for &operand in &data.operands {
            let operand = self.resolve(operand);
            match found {
                _ if operand == merge => {}
                None => found = Some(operand),
                Some(other) if other == operand => {}
                Some(other) => {
                    constant = Some(self.function.as_const(operand)?);
                    if constant != self.function.as_const(other) {
                        return None;
                    }
                }
            }
        }
        match (constant, found) {
            (Some(c), _) => Some(self.hoisted(c, ty)),
            (None, Some(value)) => Some(value),
            // Its only operand is itself, so it was never defined.
            (None, None) => Some(self.hoisted_zero(ty)),
        }
    }
    /// A constant in the entry block, which can be used everywhere.
    fn hoisted(&mut self, c: Const, ty: Type) -> Value {
        let entry = self.function.entry();
        if let Some(&found) = self.constants.get(&(entry, c, ty)) {
            return found;
        }
        let inst = self.function.make_inst(Op::Const(c), &[], ty, Span::NONE);
        self.function.blocks[entry].insts.insert(0, inst);
        let value = self.function.insts[inst].result;
        self.constants.insert((entry, c, ty), value);
        value
    }
    /// The zero of a variable that was not given a value, usable everywhere.
    fn hoisted_zero(&mut self, ty: Type) -> Value {
        let Type::Tuple(fields @ [_, ..]) = ty else {
            return self.hoisted(zero(ty), ty);
        };
        let zeros: Args = fields
            .iter()
            .map(|&field| self.hoisted_zero(field))
            .collect();
        let inst = self
            .function
            .make_inst(Op::Prim(Prim::Tuple), &zeros, ty, Span::NONE);
        let entry = self.function.entry();
        let rows = &self.function.insts;
        let insts = &mut self.function.blocks[entry].insts;
        let is_last = |i: &Inst| zeros.contains(&rows[*i].result);
        let after = insts.iter().rposition(is_last).map_or(0, |i| i + 1);
        insts.insert(after, inst);
        self.function.insts[inst].result
    }
    /// Puts the parameters that stay at the end of their blocks' lists, and their operands on the edges.
    fn place_merges(&mut self) {
        for block in self.function.layout.clone() {
            let node = std::mem::take(&mut self.graph[block.index()]);
            let stays = |v: &&Value| !self.aliases.contains_key(v);
            let merges: Vec<Value> = node.merges.iter().filter(stays).copied().collect();
            for value in merges {
                let index = self.function.blocks[block].params.len() as u32;
                self.function.values[value].def = ValueDef::Param(block, index);
                self.function.blocks[block].params.push(value);
                for (&(source, edge), &operand) in
                    node.predecessors.iter().zip(&self.merges[&value].operands)
                {
                    let operand = self.resolve(operand);
                    let mut edges = self.function.blocks[source].terminator.edges_mut();
                    edges
                        .nth(edge)
                        .expect("an edge that was noted")
                        .args
                        .push(operand);
                }
            }
        }
    }
}

/// The result of folding an instruction.
pub enum Folded {
    /// A value that exists already.
    Value(Value),
    /// A constant of the result's type.
    Const(Const),
}

/// Simplifies a primitive; exact for every float.
pub fn fold(function: &Function, prim: Prim, args: &[Value], ty: Type) -> Option<Folded> {
    fold_constants(function, prim, args, ty)
        .map(Folded::Const)
        .or_else(|| identity(function, prim, args, ty))
}

/// Evaluates a primitive on constants. A NaN is left to the machine, because its sign is not predictable.
fn fold_constants(function: &Function, prim: Prim, args: &[Value], ty: Type) -> Option<Const> {
    let constants: Option<SmallVec<[Const; 3]>> =
        args.iter().map(|&v| function.as_const(v)).collect();
    let types: SmallVec<[Type; 3]> = args.iter().map(|&v| function.ty(v)).collect();
    if !ty.is_scalar() || !types.iter().all(|t| t.is_scalar()) {
        return None;
    }
    let value = evaluate(prim, &constants?, &types, ty)?;
    let is_nan = matches!(value, Const::Float(x) if x.is_nan());
    (!is_nan).then_some(value)
}

/// `x + 0` and similar identities.
fn identity(function: &Function, prim: Prim, args: &[Value], ty: Type) -> Option<Folded> {
    use Folded::Value as Same;
    let truth = |b| Some(Folded::Const(Const::Bool(b)));
    let is = |v: Value, c: Const| function.as_const(v) == Some(c);
    let is_int = args.first().is_some_and(|&a| function.ty(a).is_int());
    let zero = |v: Value| is_int && is(v, Const::Int(0));
    let one = |v: Value| is(v, Const::Float(1.0)) || is_int && is(v, Const::Int(1));
    let yes = |v: Value| is(v, Const::Bool(true));
    let no = |v: Value| is(v, Const::Bool(false));
    // Adding −0 changes no value; for subtraction it is +0.
    let add_zero = |v: Value| zero(v) || is(v, Const::Float(-0.0));
    let sub_zero = |v: Value| zero(v) || is(v, Const::Float(0.0));
    let inner = |v: Value, prim: Prim| {
        function
            .def_inst(v)
            .filter(|inst| inst.op == Op::Prim(prim))
            .map(|inst| &inst.args)
    };
    match (prim, args) {
        (Prim::Add, &[a, b]) if add_zero(b) => Some(Same(a)),
        (Prim::Add, &[a, b]) if add_zero(a) => Some(Same(b)),
        (Prim::Sub, &[a, b]) if sub_zero(b) => Some(Same(a)),
        (Prim::Mul | Prim::Div, &[a, b]) if one(b) => Some(Same(a)),
        (Prim::Mul, &[a, b]) if one(a) => Some(Same(b)),
        (Prim::Mul | Prim::And, &[a, b]) if zero(a) || zero(b) => {
            Some(Folded::Const(Const::Int(0)))
        }
        (Prim::Or | Prim::Xor | Prim::Shl | Prim::Shr, &[a, b]) if zero(b) => Some(Same(a)),
        (Prim::Or | Prim::Xor, &[a, b]) if zero(a) => Some(Same(b)),
        (Prim::Neg | Prim::Not, &[a]) => Some(Same(inner(a, prim)?[0])),
        (Prim::And, &[a, b]) if yes(b) || no(a) => Some(Same(a)),
        (Prim::And, &[a, b]) if yes(a) || no(b) => Some(Same(b)),
        (Prim::Or, &[a, b]) if no(b) || yes(a) => Some(Same(a)),
        (Prim::Or, &[a, b]) if no(a) || yes(b) => Some(Same(b)),
        (Prim::AddOverflows | Prim::SubOverflows, &[_, b]) if zero(b) => truth(false),
        (Prim::MulOverflows, &[a, b]) if [a, b].iter().any(|&v| zero(v) || one(v)) => truth(false),
        (Prim::Eq | Prim::Le | Prim::Ge, &[a, b]) if is_int && a == b => truth(true),
        (Prim::Ne | Prim::Lt | Prim::Gt, &[a, b]) if is_int && a == b => truth(false),
        (Prim::Select, &[c, a, b]) if yes(c) || a == b => Some(Same(a)),
        (Prim::Select, &[c, _, b]) if no(c) => Some(Same(b)),
        (Prim::Select, &[c, a, b]) if yes(a) && no(b) => Some(Same(c)),
        (Prim::Cast | Prim::Bitcast, &[a]) if function.ty(a) == ty && ty.is_scalar() => {
            Some(Same(a))
        }
        (Prim::Field(n), &[a]) => inner(a, Prim::Tuple)?.get(n as usize).map(|&v| Same(v)),
        (Prim::Len, &[a]) if is(a, Const::Null) => Some(Folded::Const(Const::Int(0))),
        (Prim::Len, &[a]) => match (inner(a, Prim::Subslice), inner(a, Prim::View)) {
            (Some(part), _) => Some(Same(part[2])),
            (_, view) => Some(Same(view?[1])),
        },
        (Prim::Base, &[a]) if is(a, Const::Null) => Some(Folded::Const(Const::Null)),
        (Prim::Base, &[a]) => Some(Same(inner(a, Prim::View)?[0])),
        // A slice taken apart and put together.
        (Prim::View, &[a, n]) => {
            let whole = inner(a, Prim::Base)?[0];
            (function.ty(whole) == ty && inner(n, Prim::Len)?[0] == whole).then_some(Same(whole))
        }
        (Prim::Offset, &[a, b]) if is(b, Const::Int(0)) => Some(Same(a)),
        (Prim::Assert(_), &[c, ..]) if yes(c) => Some(Folded::Const(Const::Unit)),
        _ => None,
    }
}

/// The result type of a primitive on arguments of these types; `None` if they do not fit. `cast`, `bitcast`, `peek`,
/// `get` and `view` have no type of their own: `None`.
pub fn prim_type(prim: Prim, args: &[Type]) -> Option<Type> {
    use Prim::*;
    let when = |fits: bool, ty: Type| fits.then_some(ty);
    let float = |t: Type| t.lane().is_float();
    let number = |t: Type| t.is_int() || float(t);
    match (prim, args) {
        (Add | Sub | Mul | Div, &[a, b]) => when(a == b && number(a), a),
        (Rem, &[a, b]) => when(a == b && (a.is_int() || a.is_float()), a),
        (Neg, &[a]) => when(number(a), a),
        (Sqrt | Abs | Floor | Ceil | Trunc, &[a]) => when(float(a), a),
        (Copysign, &[a, b]) => when(a == b && a.is_float(), a),
        (Eq | Ne | Lt | Le | Gt | Ge, &[a, b]) => {
            when(a == b && (number(a) || a == Type::Bool), Type::Bool)
        }
        (And | Or | Xor, &[a, b]) => when(a == b && (a.is_int() || a == Type::Bool), a),
        (Not, &[a]) => when(a.is_int() || a == Type::Bool, a),
        (Shl | Shr, &[a, b]) => when(a == b && a.is_int(), a),
        (AddOverflows | SubOverflows | MulOverflows, &[a, b]) => {
            when(a == b && a.is_int(), Type::Bool)
        }
        (Select, &[c, a, b]) => when(c == Type::Bool && a == b && a.size().is_some(), a),
        (Tuple, fields) => Some(Type::tuple(fields)),
        (Field(n), &[Type::Tuple(fields)]) => fields.get(n as usize).copied(),
        (Len, &[Type::Slice(_) | Type::SliceMut(_)]) => Some(Type::Usize),
        (Load, &[Type::Slice(t) | Type::SliceMut(t), Type::Usize]) => Some(*t),
        (Store, &[Type::SliceMut(t), Type::Usize, v]) => when(*t == v, Type::UNIT),
        (
            Subslice,
            &[
                s @ (Type::Slice(_) | Type::SliceMut(_)),
                Type::Usize,
                Type::Usize,
            ],
        ) => Some(s),
        (Pack, &[a, ..]) => {
            let lanes = a.in_lanes()?;
            let fits = lanes.lanes() == Some((a, args.len())) && args.iter().all(|&b| b == a);
            when(fits, lanes)
        }
        (Lane(n), &[a]) => {
            let (element, count) = a.lanes()?;
            when((n as usize) < count, element)
        }
        (StoreLanes, &[Type::SliceMut(t), Type::Usize, v]) => {
            when(t.in_lanes() == Some(v), Type::UNIT)
        }
        (Assert(_), &[Type::Bool, ..]) => Some(Type::UNIT),
        (TapePush | TapePop, &[Type::Usize]) => Some(Type::Addr),
        (Offset, &[at @ (Type::Addr | Type::Ptr), Type::Usize]) => Some(at),
        (Alloc, &[Type::Usize]) => Some(Type::Ptr),
        (Set(_), &[Type::Ptr, v]) => when(super::verify::is_stored(v.lane()), Type::UNIT),
        (Base, &[Type::Slice(_) | Type::SliceMut(_)]) => Some(Type::Ptr),
        (Poke(_), &[Type::Addr, v]) => when(v.lane().size().is_some(), Type::UNIT),
        // Their result is what the instruction says.
        (Cast | Bitcast | Peek(_) | Get(_) | View | LoadLanes, _) => None,
        // The wrong number of arguments, or types that do not fit.
        (
            Add | Sub | Mul | Div | Rem | Neg | Sqrt | Abs | Floor | Ceil | Trunc | Copysign | Eq
            | Ne | Lt | Le | Gt | Ge | And | Or | Xor | Not | Shl | Shr | AddOverflows
            | SubOverflows | MulOverflows | Select | Field(_) | Len | Load | Store | Subslice
            | Pack | Lane(_) | StoreLanes | Assert(_) | TapePush | TapePop | Offset | Poke(_)
            | Alloc | Set(_) | Base,
            _,
        ) => None,
    }
}

/// Removes unreachable blocks from the layout and trivial block parameters: those that are one value on every edge,
/// also where several pass each other on around a loop. Functions whose edges do not fit keep their parameters.
pub fn clean(function: &mut Function) {
    let flow = Flow::new(function);
    function.layout.retain(|&block| flow.is_reachable(block));
    let fits = |edge: &Edge| edge.args.len() == function.blocks[edge.block].params.len();
    if function
        .blocks_in_order()
        .all(|(_, data)| data.terminator.edges().all(fits))
    {
        remove_trivial_params(function, flow.reverse_postorder());
    }
}

/// Assumes of every parameter that it is the one value that an edge was seen to pass, until another edge passes something else. Then the
/// parameter is a value of its own, and those that seemed to be the same value by way of it are looked at again.
fn remove_trivial_params(function: &mut Function, order: &[Block]) {
    // A parameter is `None` until an edge was seen, then the one value it can be, then, if there are several, itself.
    let mut known: FxHashMap<Value, Option<Value>> = FxHashMap::default();
    for &block in &order[1..] {
        known.extend(function.blocks[block].params.iter().map(|&p| (p, None)));
    }
    // The parameters that have been seen to be a value.
    let mut same: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    let mut changed = !known.is_empty();
    while changed {
        changed = false;
        let blocks = order.iter().map(|&block| &function.blocks[block]);
        for edge in blocks.flat_map(|data| data.terminator.edges()) {
            for (&param, &arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                let Some(value) = known.get(&arg).copied().unwrap_or(Some(arg)) else {
                    continue;
                };
                match known[&param] {
                    Some(old) if old == value || old == param => continue,
                    None => {
                        known.insert(param, Some(value));
                        same.entry(value).or_default().push(param);
                    }
                    Some(old) => {
                        let again = same.remove(&old).into_iter().flatten();
                        known.extend(again.map(|other| (other, None)));
                        known.insert(param, Some(param));
                    }
                }
                changed = true;
            }
        }
    }
    let aliases: FxHashMap<Value, Value> = known
        .into_iter()
        .filter_map(|(param, value)| Some((param, value.filter(|&value| value != param)?)))
        .collect();
    if !aliases.is_empty() {
        remove_params(function, |param| aliases.contains_key(&param));
        substitute(function, &aliases);
    }
}

/// Removes the block parameters that `gone` names and the arguments for them; their uses remain.
pub fn remove_params(function: &mut Function, gone: impl Fn(Value) -> bool) {
    for block in function.layout.clone() {
        let mut terminator =
            std::mem::replace(&mut function.blocks[block].terminator, Terminator::Missing);
        for edge in terminator.edges_mut() {
            let mut params = function.blocks[edge.block].params.iter();
            edge.args
                .retain(|_| params.next().is_none_or(|&param| !gone(param)));
        }
        function.blocks[block].terminator = terminator;
    }
    // Only now: the edges were read against the old lists.
    for block in function.layout.clone() {
        let mut params = std::mem::take(&mut function.blocks[block].params);
        params.retain(|&param| !gone(param));
        for (i, &param) in params.iter().enumerate() {
            function.values[param].def = ValueDef::Param(block, i as u32);
        }
        function.blocks[block].params = params;
    }
}

/// Replaces every use of a key by what it leads to.
pub fn substitute(function: &mut Function, aliases: &FxHashMap<Value, Value>) {
    if aliases.is_empty() {
        return;
    }
    let resolve = |mut value: Value| {
        while let Some(&next) = aliases.get(&value) {
            value = next;
        }
        value
    };
    for block in function.layout.clone() {
        for i in 0..function.blocks[block].insts.len() {
            let inst = function.blocks[block].insts[i];
            function.insts[inst]
                .args
                .iter_mut()
                .for_each(|v| *v = resolve(*v));
        }
        function.blocks[block].terminator.map_values(resolve);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builder(params: &[Type], ret: Type) -> (Builder, Vec<Value>) {
        let b = Builder::new(Function::new(Symbol::new("f"), params, ret));
        let params = b.function.params().to_vec();
        (b, params)
    }

    /// `if c { v = x }` and a read behind it.
    fn one_armed(x: impl Fn(&mut Builder) -> Value, before: Option<f64>) -> (Function, Value) {
        let (mut b, params) = builder(&[Type::Bool], Type::F64);
        let v = b.declare(Type::F64);
        if let Some(before) = before {
            let before = b.float(before, Type::F64);
            b.define(v, before);
        }
        let (then, merge) = (b.new_block(), b.new_block());
        b.branch(params[0], (then, &[]), (merge, &[]));
        b.seal(then);
        b.switch_to(then);
        let x = x(&mut b);
        b.define(v, x);
        b.jump(merge, &[]);
        b.seal(merge);
        b.switch_to(merge);
        let read = b.read(v);
        b.ret(read);
        let f = b.finish();
        let Terminator::Return(value) = f.blocks[merge].terminator else {
            unreachable!()
        };
        (f, value)
    }

    #[test]
    fn two_values_merge_in_a_parameter() {
        let (f, value) = one_armed(|b| b.float(2.0, Type::F64), Some(1.0));
        let ValueDef::Param(block, 0) = f.values[value].def else {
            panic!("{f:?}")
        };
        let passed: Vec<_> = f
            .blocks_in_order()
            .flat_map(|(_, data)| data.terminator.edges())
            .filter(|edge| edge.block == block)
            .map(|edge| f.as_const(edge.args[0]))
            .collect();
        let floats = [1.0, 2.0].map(|x| Some(Const::Float(x)));
        assert_eq!(passed, floats);
    }

    #[test]
    fn equal_constants_need_no_parameter() {
        let (f, value) = one_armed(|b| b.float(0.0, Type::F64), None);
        assert_eq!(f.as_const(value), Some(Const::Float(0.0)));
        assert!(
            f.blocks_in_order()
                .skip(1)
                .all(|(_, data)| data.params.is_empty())
        );
    }

    /// The merge in the loop seems to give the value from before the loop until the edge back is seen.
    #[test]
    fn a_merge_of_what_a_loop_carries_needs_no_parameter() {
        let (mut b, params) = builder(&[Type::Bool, Type::F64], Type::F64);
        let [header, body, left, right, merge, exit] = [(); 6].map(|_| b.new_block());
        let carried = b.add_param(header, Type::F64);
        let merged = b.add_param(merge, Type::F64);
        b.jump(header, &[params[1]]);
        b.switch_to(header);
        b.branch(params[0], (body, &[]), (exit, &[]));
        b.switch_to(body);
        b.branch(params[0], (left, &[]), (right, &[]));
        for side in [left, right] {
            b.switch_to(side);
            b.jump(merge, &[carried]);
        }
        b.switch_to(merge);
        let next = b.prim(Prim::Mul, &[merged, params[1]]);
        b.jump(header, &[next]);
        b.switch_to(exit);
        b.ret(carried);
        for block in [header, body, left, right, merge, exit] {
            b.seal(block);
        }
        let f = b.finish();
        assert!(f.blocks[merge].params.is_empty(), "{f:?}");
        assert_eq!(f.blocks[header].params, [carried]);
        assert_eq!(f.def_inst(next).unwrap().args[0], carried);
    }

    #[test]
    fn an_undefined_variable_is_zero() {
        for (ty, zero) in [
            (Type::F32, Const::Float(0.0)),
            (Type::I32, Const::Int(0)),
            (Type::Bool, Const::Bool(false)),
            (Type::array(Type::F32), Const::Null),
            (Type::Addr, Const::Int(0)),
        ] {
            let (mut b, _) = builder(&[], ty);
            let v = b.declare(ty);
            let read = b.read(v);
            assert_eq!(b.function.as_const(read), Some(zero));
            assert_eq!(b.function.ty(read), ty);
        }
    }

    #[test]
    fn an_undefined_tuple_is_made_of_zeros() {
        let ty = Type::tuple(&[Type::F64, Type::Bool]);
        let (mut b, _) = builder(&[], ty);
        let v = b.declare(ty);
        let read = b.read(v);
        b.ret(read);
        let f = b.finish();
        assert_eq!(f.blocks[f.entry()].insts.len(), 3);
        assert_eq!(f.def_inst(read).unwrap().op, Op::Prim(Prim::Tuple));
    }

    /// `while c { if change { v = v + 1 } }; v`
    fn looping(change: bool) -> (Function, Value) {
        let (mut b, params) = builder(&[Type::Bool, Type::F64], Type::F64);
        let v = b.declare(Type::F64);
        b.define(v, params[1]);
        let [header, body, exit] = [(); 3].map(|_| b.new_block());
        b.jump(header, &[]);
        b.switch_to(header);
        b.branch(params[0], (body, &[]), (exit, &[]));
        b.seal(body);
        b.seal(exit);
        b.switch_to(body);
        let old = b.read(v);
        if change {
            let new = b.prim(Prim::Add, &[old, params[1]]);
            b.define(v, new);
        }
        b.jump(header, &[]);
        b.seal(header);
        b.switch_to(exit);
        let read = b.read(v);
        b.ret(read);
        let f = b.finish();
        let Terminator::Return(value) = f.blocks[exit].terminator else {
            unreachable!()
        };
        (f, value)
    }

    #[test]
    fn a_loop_that_changes_a_variable_has_a_parameter() {
        let (f, value) = looping(true);
        assert!(matches!(f.values[value].def, ValueDef::Param(_, 0)));
    }

    #[test]
    fn a_loop_that_only_reads_a_variable_has_none() {
        let (f, value) = looping(false);
        assert_eq!(value, f.params()[1]);
        assert!(
            f.blocks_in_order()
                .skip(1)
                .all(|(_, data)| data.params.is_empty())
        );
    }

    #[test]
    fn what_follows_a_terminator_is_dropped() {
        let (mut b, params) = builder(&[Type::F64], Type::F64);
        b.ret(params[0]);
        let dead = b.prim(Prim::Add, &[params[0], params[0]]);
        b.ret(dead);
        let f = b.finish();
        assert_eq!(f.layout, [f.entry()]);
        assert!(f.blocks[f.entry()].insts.is_empty());
    }

    #[test]
    fn an_unreachable_ring_ends() {
        let (mut b, _) = builder(&[], Type::UNIT);
        let unit = b.unit();
        b.ret(unit);
        let v = b.declare(Type::I32);
        let (one, two) = (b.new_block(), b.new_block());
        b.switch_to(one);
        b.jump(two, &[]);
        b.switch_to(two);
        b.jump(one, &[]);
        b.seal(one);
        b.seal(two);
        let read = b.read(v);
        assert_eq!(b.function.as_const(read), Some(Const::Int(0)));
    }

    #[test]
    fn long_chains_need_no_stack() {
        let (mut b, params) = builder(&[Type::Bool], Type::F64);
        let v = b.declare(Type::F64);
        for _ in 0..30_000 {
            let (left, merge) = (b.new_block(), b.new_block());
            b.branch(params[0], (left, &[]), (merge, &[]));
            b.seal(left);
            b.switch_to(left);
            b.jump(merge, &[]);
            b.seal(merge);
            b.switch_to(merge);
        }
        let read = b.read(v);
        b.ret(read);
        assert_eq!(b.finish().as_const(read), Some(Const::Float(0.0)));
    }

    #[test]
    fn constants_fold() {
        let (mut b, _) = builder(&[], Type::F64);
        let (two, three) = (b.float(2.0, Type::F64), b.float(3.0, Type::F64));
        let six = b.prim(Prim::Mul, &[two, three]);
        assert_eq!(b.function.as_const(six), Some(Const::Float(6.0)));
        let less = b.prim(Prim::Lt, &[two, three]);
        assert_eq!(b.function.as_const(less), Some(Const::Bool(true)));
        let int = b.prim_to(Prim::Cast, &[two], Type::I32);
        assert_eq!(b.function.as_const(int), Some(Const::Int(2)));
    }

    #[test]
    fn a_nan_is_left_to_the_machine() {
        let (mut b, _) = builder(&[], Type::F64);
        let zero = b.float(0.0, Type::F64);
        let nan = b.prim(Prim::Div, &[zero, zero]);
        assert_eq!(b.function.as_const(nan), None);
    }

    #[test]
    fn identities_are_exact() {
        let (mut b, params) = builder(&[Type::F64, Type::I32], Type::F64);
        let (x, n) = (params[0], params[1]);
        let (zero, minus_zero, one) = (
            b.float(0.0, Type::F64),
            b.float(-0.0, Type::F64),
            b.float(1.0, Type::F64),
        );
        assert_ne!(b.prim(Prim::Add, &[x, zero]), x, "-0 + 0 is 0");
        assert_eq!(b.prim(Prim::Add, &[x, minus_zero]), x);
        assert_eq!(b.prim(Prim::Sub, &[x, zero]), x);
        assert_ne!(b.prim(Prim::Sub, &[x, minus_zero]), x, "-0 - -0 is 0");
        assert_eq!(b.prim(Prim::Mul, &[one, x]), x);
        let product = b.prim(Prim::Mul, &[x, zero]);
        assert_eq!(
            b.function.as_const(product),
            None,
            "infinite, NaN, negative x"
        );
        let equal = b.prim(Prim::Eq, &[x, x]);
        assert_eq!(b.function.as_const(equal), None, "NaN differs from itself");
        let none = b.int(0, Type::I32);
        assert_eq!(b.prim(Prim::Add, &[none, n]), n);
        let product = b.prim(Prim::Mul, &[n, none]);
        assert_eq!(b.function.as_const(product), Some(Const::Int(0)));
        let negative = b.prim(Prim::Neg, &[x]);
        assert_eq!(b.prim(Prim::Neg, &[negative]), x);
        let pair = b.prim(Prim::Tuple, &[x, n]);
        assert_eq!(b.prim(Prim::Field(1), &[pair]), n);
    }

    #[test]
    fn inlining_folds_and_takes_the_span() {
        let (mut b, params) = builder(&[Type::F64, Type::F64], Type::F64);
        let product = b.prim(Prim::Mul, &[params[0], params[1]]);
        b.ret(product);
        let body = b.finish();
        let (mut b, params) = builder(&[Type::F64], Type::F64);
        let span = Span {
            file: "a.rs",
            line: 3,
            column: 4,
            method: "",
        };
        b.span = span;
        let one = b.float(1.0, Type::F64);
        assert_eq!(b.inline_straight_line(&body, &[params[0], one]), params[0]);
        let square = b.inline_straight_line(&body, &[params[0], params[0]]);
        assert_eq!(b.function.def_inst(square).unwrap().span, span);
    }

    #[test]
    fn types_of_primitives() {
        let (f, i, n) = (Type::F64, Type::I32, Type::Usize);
        assert_eq!(prim_type(Prim::Add, &[f, f]), Some(f));
        assert_eq!(prim_type(Prim::Add, &[f, i]), None);
        assert_eq!(prim_type(Prim::Add, &[Type::Bool, Type::Bool]), None);
        assert_eq!(prim_type(Prim::Lt, &[i, i]), Some(Type::Bool));
        assert_eq!(prim_type(Prim::Load, &[Type::slice_mut(f), n]), Some(f));
        assert_eq!(prim_type(Prim::Store, &[Type::slice(f), n, f]), None);
        assert_eq!(prim_type(Prim::Field(1), &[Type::tuple(&[f, i])]), Some(i));
        assert_eq!(prim_type(Prim::Field(2), &[Type::tuple(&[f, i])]), None);
        assert_eq!(prim_type(Prim::Select, &[Type::Bool, f, f]), Some(f));
        let slice = Type::slice(f);
        assert_eq!(prim_type(Prim::Select, &[Type::Bool, slice, slice]), None);
    }
}

//! Which values may vary with the active parameters, so that their tangents have to be carried along.

use super::super::rule::{RuleLookup, argument_types, reaches, user_name};
use super::super::{nested, parallel};
use super::Derivation;
use super::step::{is_address, within};
use crate::arena::Id;
use crate::diag::{Diagnostic, Result};
use crate::ir::flow::Flow;
use crate::ir::roots::is_part;
use crate::ir::{
    Block, Callee, Const, Function, Inst, NativeName, Op, Prim, Symbol, Terminator, Type, Value,
};
use crate::registry::Effects;
use crate::tangent::{self, has_tangent};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known about the values of one function.
pub(super) struct Activity {
    /// Indexed by value.
    varied: Vec<bool>,
    /// What leads to no memory whatever happens, indexed by value: null is its shadow.
    nothing: Vec<bool>,
    /// Parameters that the caller gives no tangent for, but whose memory holds one in between: their shadows are the dual's own.
    pub shadowed: Vec<Value>,
}

impl Activity {
    /// Propagates from the active parameters until nothing changes. The tape always has a shadow. New objects have one, too, unless they are
    /// [`constant_objects`](Activity::constant_objects).
    pub fn new(
        derivation: &Derivation,
        function: &Function,
        active: &[bool],
        flow: &Flow,
    ) -> Result<Activity> {
        let order = flow.reverse_postorder();
        let activity = Activity::propagated(derivation, function, active, flow, &[])?;
        let constant = activity.constant_objects(function, order);
        if !constant.is_empty()
            && let Ok(found) = Activity::propagated(derivation, function, active, flow, &constant)
            && found.mixed(function, order).next().is_none()
        {
            return Ok(found);
        }
        Ok(activity)
    }

    /// The same if these instructions make objects without shadows.
    fn propagated(
        derivation: &Derivation,
        function: &Function,
        active: &[bool],
        flow: &Flow,
        constant: &[Inst],
    ) -> Result<Activity> {
        let mut activity = Activity {
            varied: vec![false; function.values.len()],
            nothing: nothing(function, flow.reverse_postorder()),
            shadowed: Vec::new(),
        };
        for (&param, &active) in function.params().iter().zip(active) {
            activity.varied[param.index()] = active;
        }
        let mut reached = reached(derivation, function, flow.reverse_postorder());
        for inst in constant {
            reached[inst.index()] = Some(vec![false; function.insts[*inst].args.len()]);
        }
        loop {
            while activity.propagate(function, flow.reverse_postorder(), &reached) {}
            match activity.swallowed(derivation, function, flow.reverse_postorder())? {
                None => return Ok(activity),
                Some(param) => {
                    activity.varied[param.index()] = true;
                    activity.shadowed.push(param);
                }
            }
        }
    }
    /// Whether a value may have a tangent that is not zero, or has a shadow.
    pub fn varies(&self, value: Value) -> bool {
        self.varied[value.index()]
    }

    /// Whether a value leads to no memory whatever happens.
    pub fn is_nothing(&self, value: Value) -> bool {
        self.nothing[value.index()]
    }

    /// The parameters of blocks that are memory with a shadow on one way, and memory without one on another.
    fn mixed<'a>(
        &'a self,
        function: &'a Function,
        order: &'a [Block],
    ) -> impl Iterator<Item = Value> + 'a {
        let edges = order
            .iter()
            .flat_map(|&block| function.blocks[block].terminator.edges());
        let passed = edges.flat_map(|edge| {
            let params = function.blocks[edge.block].params.iter().copied();
            params.zip(edge.args.iter().copied())
        });
        passed
            .filter(|&(param, arg)| {
                is_address(function.ty(param))
                    && self.varies(param)
                    && !self.varies(arg)
                    && !self.is_nothing(arg)
            })
            .map(|(param, _)| param)
    }

    /// The instructions that make objects which need no shadow: a parameter of a block is such an object on one way and constant memory on another, nothing
    /// that varies is stored in the object, and its address is neither stored nor passed on nor returned. Matching a constant enum makes such objects: a fixed
    /// array in it is copied.
    fn constant_objects(&self, function: &Function, order: &[Block]) -> Vec<Inst> {
        let mixed: Vec<Value> = self.mixed(function, order).collect();
        if mixed.is_empty() {
            return Vec::new();
        }
        let mut memories = Memories::new(function, order);
        let mut found: Vec<Value> = mixed.into_iter().map(|v| memories.of(v)).collect();
        let mut made = Vec::new();
        for &block in order {
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let row = &function.insts[inst];
                if row.op == Op::Prim(Prim::Alloc) {
                    made.push((memories.of(row.result), inst));
                }
                // Whether the first argument is an address of which nobody else gets to know here, and where nothing that varies is stored.
                let is_kept = match row.op {
                    Op::Prim(Prim::Store | Prim::Set(_)) => {
                        !row.args.last().is_some_and(|&stored| self.varies(stored))
                    }
                    Op::Prim(prim) => within(prim) || prim == Prim::Len,
                    _ => false,
                };
                for &arg in &row.args[usize::from(is_kept)..] {
                    let memory = memories.of(arg);
                    found.retain(|&other| other != memory);
                }
            }
            if let Terminator::Return(value) = data.terminator {
                let memory = memories.of(value);
                found.retain(|&other| other != memory);
            }
        }
        made.retain(|(memory, _)| found.contains(memory));
        made.into_iter().map(|(_, inst)| inst).collect()
    }

    fn propagate(
        &mut self,
        function: &Function,
        order: &[Block],
        reached: &[Option<Vec<bool>>],
    ) -> bool {
        let mut changed = false;
        for &block in order {
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let row = &function.insts[inst];
                let varied = match &reached[inst.index()] {
                    None => true,
                    Some(reached) => (row.args.iter().zip(reached))
                        .any(|(&arg, &reached)| reached && self.varies(arg)),
                };
                changed |= varied && !self.varied[row.result.index()];
                self.varied[row.result.index()] |= varied;
            }
            for edge in data.terminator.edges() {
                for (&param, &arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                    changed |= self.varies(arg) && !self.varies(param);
                    self.varied[param.index()] |= self.varies(arg);
                }
            }
        }
        changed
    }

    /// Memory without a shadow cannot hold a tangent. What is only written there is lost on purpose; what is read again
    /// would silently have no derivative. This gives a slice of which that is true; of other memory it is an error.
    fn swallowed(
        &self,
        derivation: &Derivation,
        function: &Function,
        order: &[Block],
    ) -> Result<Option<Value>> {
        let mut memories = Memories::new(function, order);
        let constant = |v: &Value| {
            let ty = function.ty(*v);
            is_address(ty) && !self.varies(*v) && !self.is_nothing(*v)
        };
        let lookup = derivation.lookup;
        // Functions of the module, functions in machine code, and what the gradient calls of their rules.
        let touches_memory = |callee: Callee, inst| {
            lookup.module.called(callee).is_some()
                || lookup.native(function, inst, callee).is_some()
                || callee.memory_op().is_some()
                || matches!(callee, Callee::Native(NativeName { moving: None, .. }))
        };
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let mut written = Written::new(lookup);
        for &block in order {
            for &inst in &function.blocks[block].insts {
                let row = &function.insts[inst];
                match row.op {
                    Op::Prim(Prim::Load | Prim::Get(_)) if constant(&row.args[0]) => {
                        reads.push(row.args[0]);
                    }
                    Op::Prim(Prim::Store) if constant(&row.args[0]) && self.varies(row.args[2]) => {
                        writes.push((row.args[0], inst));
                    }
                    Op::Prim(Prim::Set(_))
                        if constant(&row.args[0]) && self.varies(row.args[1]) =>
                    {
                        writes.push((row.args[0], inst));
                    }
                    Op::Call(callee) if touches_memory(callee, inst) => {
                        let given = row.args.iter().copied().filter(|v| constant(v));
                        reads.extend(given.clone());
                        // What it writes to may have tangents, as shadows have: then it leaves the rest alone.
                        let mut is_written = |n: usize| match written.by(callee) {
                            Some(params) => params.get(n) == Some(&true),
                            None => true,
                        };
                        let mut all = row.args.iter().enumerate();
                        if row.args.iter().any(|&v| self.varies(v))
                            && all.any(|(n, v)| constant(v) && is_written(n))
                        {
                            let mutable = |v: &Value| !matches!(function.ty(*v), Type::Slice(_));
                            writes.extend(given.filter(mutable).map(|v| (v, inst)));
                        }
                    }
                    _ => {}
                }
            }
        }
        let read: Vec<Value> = reads.into_iter().map(|v| memories.of(v)).collect();
        let guilty = writes.into_iter().map(|(v, inst)| (memories.of(v), inst));
        let guilty: Vec<(Value, Inst)> = guilty.collect();
        let Some(&(memory, inst)) = guilty.iter().find(|(memory, _)| read.contains(memory)) else {
            return Ok(None);
        };
        let is_slice = |p: &Value| matches!(function.ty(*p), Type::SliceMut(_));
        let mut params = function.params().iter().copied().filter(is_slice);
        match params.find(|&p| memories.of(p) == memory) {
            Some(param) => Ok(Some(param)),
            None => Err(constant_memory(function, memory, inst).into()),
        }
    }
}

/// Which parameters of functions of the module lead to memory that the functions write to. Reverse mode asks only whether a function writes at all
/// (`objects::readers`): a pullback always does, but to shadows.
struct Written<'a> {
    lookup: RuleLookup<'a>,
    known: FxHashMap<Symbol, Vec<bool>>,
}

impl<'a> Written<'a> {
    fn new(lookup: RuleLookup<'a>) -> Self {
        Written {
            lookup,
            known: FxHashMap::default(),
        }
    }
    /// Those of a function; none if the module has no such function.
    fn by(&mut self, callee: Callee) -> Option<&Vec<bool>> {
        let name = self.lookup.module.called(callee)?.name;
        if !self.known.contains_key(&name) {
            let reached = self.lookup.module.reached([name]);
            for &name in &reached {
                let function = &self.lookup.module.functions[&name];
                let none = || vec![false; function.params().len()];
                self.known.entry(name).or_insert_with(none);
            }
            // From the assumption that none is, until nothing changes: they may call each other.
            let mut changed = true;
            while changed {
                changed = false;
                for &name in &reached {
                    let found = self.look(&self.lookup.module.functions[&name]);
                    changed |= self.known.insert(name, found.clone()) != Some(found);
                }
            }
        }
        self.known.get(&name)
    }
    /// What one function writes to, as far as it is known of those that it calls. An address that is read from memory counts as that memory, one that a call
    /// gives as the memory of its arguments.
    fn look(&self, function: &Function) -> Vec<bool> {
        let said = nested::written(self.lookup.module, function);
        if let Some(written) = said.or_else(|| parallel::written(function)) {
            return written;
        }
        let flow = Flow::new(function);
        let order = flow.reverse_postorder();
        let mut memories = Memories::new(function, order);
        let leads_on = |v: Value| leads(function.ty(v));
        for &inst in order
            .iter()
            .flat_map(|&block| &function.blocks[block].insts)
        {
            let row = &function.insts[inst];
            if leads_on(row.result) && !matches!(row.op, Op::Prim(Prim::Alloc)) {
                for &arg in row.args.iter().filter(|&&arg| leads_on(arg)) {
                    memories.join(arg, row.result);
                }
            }
        }
        let mut written = FxHashSet::default();
        for &inst in order
            .iter()
            .flat_map(|&block| &function.blocks[block].insts)
        {
            let row = &function.insts[inst];
            match row.op {
                Op::Prim(Prim::Store | Prim::Set(_)) => {
                    written.insert(memories.of(row.args[0]));
                    // An address that is stored leads there from now on.
                    if let Some(&stored) = row.args.last().filter(|&&stored| leads_on(stored)) {
                        written.insert(memories.of(stored));
                    }
                }
                Op::Call(callee) => {
                    let known = callee.function().and_then(|name| self.known.get(&name));
                    for (n, &arg) in row.args.iter().enumerate() {
                        let is_kept = known.and_then(|known| known.get(n)) == Some(&false);
                        if leads_on(arg) && !is_kept {
                            written.insert(memories.of(arg));
                        }
                    }
                }
                Op::Prim(_) | Op::Const(_) | Op::Map(_) => {}
            }
        }
        // What the forward half has left on the tape may lead anywhere.
        let values = (0..function.values.len()).map(Value::new);
        let mut left = values.filter(|&v| leads_on(v) && is_peeked(function, v));
        let anywhere = left.any(|v| written.contains(&memories.of(v)));
        let params = function.params().to_vec();
        { params.into_iter() }
            .map(|param| leads_on(param) && (anywhere || written.contains(&memories.of(param))))
            .collect()
    }
}

/// Whether a value was read from the tape.
fn is_peeked(function: &Function, value: Value) -> bool {
    { function.def_inst(value) }.is_some_and(|row| matches!(row.op, Op::Prim(Prim::Peek(_))))
}

/// Which values lead to no memory whatever happens: null, parts of it, and merges of nothing else. Of a tuple it is said of
/// all addresses in it.
fn nothing(function: &Function, order: &[Block]) -> Vec<bool> {
    let leads = |v: Value| leads(function.ty(v));
    // From the assumption that all are, until nothing changes.
    let values = (0..function.values.len()).map(Value::new);
    let mut nothing: Vec<bool> = values.map(leads).collect();
    for &param in function.params() {
        nothing[param.index()] = false;
    }
    let mut changed = true;
    while changed {
        changed = false;
        let mut refute = |nothing: &mut Vec<bool>, value: Value| {
            changed |= nothing[value.index()];
            nothing[value.index()] = false;
        };
        for &block in order {
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let row = &function.insts[inst];
                let is_nothing = |v: &Value| nothing[v.index()];
                let holds = match row.op {
                    Op::Const(Const::Null) => true,
                    Op::Prim(prim) if within(prim) => is_nothing(&row.args[0]),
                    Op::Prim(Prim::Field(_)) => is_nothing(&row.args[0]),
                    Op::Prim(Prim::Select) => row.args[1..].iter().all(is_nothing),
                    Op::Prim(Prim::Tuple) => row.args.iter().all(|v| !leads(*v) || is_nothing(v)),
                    _ => false,
                };
                if !holds {
                    refute(&mut nothing, row.result);
                }
            }
            for edge in data.terminator.edges() {
                for (&param, &arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                    if !nothing[arg.index()] {
                        refute(&mut nothing, param);
                    }
                }
            }
        }
    }
    nothing
}

/// Whether a value of this type leads to memory that can have a shadow.
fn leads(ty: Type) -> bool {
    tangent::leaves(ty).into_iter().any(is_address)
}

fn constant_memory(function: &Function, memory: Value, inst: Inst) -> Diagnostic {
    let name = user_name(function, memory);
    let message = format!(
        "`{}` stores values that depend on active parameters in {name}, which has no tangent, and reads them back",
        function.name
    );
    Diagnostic::new(function.insts[inst].span, message)
        .help("give that argument a tangent, which may be zero, in place of `Const` or `()`")
}

/// For each instruction the arguments through which its result may vary; `None` if the result has a tangent whatever the
/// arguments are.
fn reached(
    derivation: &Derivation,
    function: &Function,
    order: &[Block],
) -> Vec<Option<Vec<bool>>> {
    let mut reached = vec![Some(Vec::new()); function.insts.len()];
    for &block in order {
        for &inst in &function.blocks[block].insts {
            reached[inst.index()] = through(derivation, function, inst);
        }
    }
    reached
}

fn through(derivation: &Derivation, function: &Function, inst: Inst) -> Option<Vec<bool>> {
    let row = &function.insts[inst];
    let leaves = tangent::leaves(function.ty(row.result));
    let none = || Some(vec![false; row.args.len()]);
    if !leaves.into_iter().any(has_tangent) {
        return none();
    }
    let first = || Some((0..row.args.len()).map(|i| i == 0).collect());
    match row.op {
        Op::Const(_) => none(),
        Op::Prim(prim) => match prim {
            Prim::Alloc | Prim::TapePush | Prim::TapePop | Prim::Peek(_) => None,
            // The shadow of memory without floats is the memory itself.
            Prim::Base if !has_tangent(function.ty(row.args[0])) => None,
            Prim::Base | Prim::Load | Prim::Get(_) | Prim::View | Prim::Subslice | Prim::Offset => {
                first()
            }
            Prim::Select | Prim::Cast | Prim::Bitcast | Prim::Tuple | Prim::Field(_) => {
                Some(vec![true; row.args.len()])
            }
            _ => {
                let rule = derivation.lookup.rule(function, inst);
                Some(reaches(&rule, function, inst))
            }
        },
        Op::Call(callee) if callee.memory_op().is_some() => first(),
        Op::Call(_) if derivation.ordered.of(function, inst) == Effects::Linked => None,
        Op::Call(Callee::Function(name)) if derivation.always_dual(name) => None,
        Op::Call(callee)
            if (derivation.lookup).is_derived(callee, &argument_types(function, inst)) =>
        {
            Some(vec![true; row.args.len()])
        }
        Op::Call(_) | Op::Map(_) => {
            let rule = derivation.lookup.rule(function, inst);
            Some(reaches(&rule, function, inst))
        }
    }
}

/// Which slices and pointers may be into the same memory.
struct Memories {
    /// Another member of the same class, or itself; indexed by value.
    parents: Vec<Value>,
}

impl Memories {
    fn new(function: &Function, order: &[Block]) -> Memories {
        let parents = (0..function.values.len()).map(Id::new).collect();
        let mut memories = Memories { parents };
        for &block in order {
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let row = &function.insts[inst];
                if is_part(row.op) {
                    memories.join(row.args[0], row.result);
                }
            }
            for edge in data.terminator.edges() {
                for (&param, &arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                    let ty = function.ty(param);
                    if matches!(ty, Type::Slice(_) | Type::SliceMut(_) | Type::Ptr) {
                        memories.join(arg, param);
                    }
                }
            }
        }
        memories
    }
    /// The representative of a value's memory.
    fn of(&mut self, value: Value) -> Value {
        let mut root = value;
        while self.parents[root.index()] != root {
            root = self.parents[root.index()];
        }
        self.parents[value.index()] = root;
        root
    }
    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.of(a), self.of(b));
        self.parents[b.index()] = a;
    }
}

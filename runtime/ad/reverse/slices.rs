//! Which parameter each slice is a part of.
//!
//! The shadow of a slice is the same part of its parameter's shadow, so the reverse pass must be able to say which part
//! that is. Slices that are block parameters (`s = &s[1..]` in a loop) are replaced by their start and length, which
//! are integers like any other.

use crate::diag::{Error, Result, Span};
use crate::ir::{Block, Const, Function, Inst, Op, Prim, Type, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Rewrites slice block parameters and gives the root of each slice.
pub(super) fn by_root(function: &Function) -> Result<(Function, FxHashMap<Value, Value>)> {
    let function = function.clone();
    let roots = roots(&function)?;
    let entry = function.entry();
    let moving: Vec<(Block, Value)> = function
        .blocks_in_order()
        .filter(|(block, _)| *block != entry)
        .flat_map(|(block, data)| data.params.iter().map(move |&p| (block, p)))
        .filter(|(_, p)| is_slice(function.ty(*p)))
        .collect();
    if moving.is_empty() {
        return Ok((function, roots));
    }
    if let Some((_, param)) = moving.iter().find(|(_, p)| !roots.contains_key(p)) {
        return Err(not_a_part(&function, *param));
    }
    let mut offsets = Offsets {
        function,
        roots,
        places: FxHashMap::default(),
    };
    offsets.replace(&moving);
    Ok((offsets.function, offsets.roots))
}

fn is_slice(ty: Type) -> bool {
    matches!(ty, Type::Slice(_) | Type::SliceMut(_))
}

/// The parameter behind every slice value, by propagation until nothing changes.
fn roots(function: &Function) -> Result<FxHashMap<Value, Value>> {
    let mut roots: FxHashMap<Value, Value> = function
        .params()
        .iter()
        .filter(|&&p| is_slice(function.ty(p)))
        .map(|&p| (p, p))
        .collect();
    let mut changed = !roots.is_empty();
    while changed {
        changed = false;
        for (_, data) in function.blocks_in_order() {
            for &inst in &data.insts {
                let data = &function.insts[inst];
                if data.op == Op::Prim(Prim::Subslice)
                    && let Some(&root) = roots.get(&data.args[0])
                {
                    changed |= roots.insert(data.result, root).is_none();
                }
            }
            for edge in data.terminator.edges() {
                for (&param, arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                    if let Some(&root) = roots.get(arg) {
                        match roots.insert(param, root) {
                            None => changed = true,
                            Some(other) if other == root => {}
                            Some(_) => {
                                return Err(not_a_part(function, param));
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(roots)
}

/// Normal form has pointers there.
fn not_a_part(function: &Function, param: Value) -> Error {
    let name = function.name;
    Error::Internal(format!("{name}: {param} is not a part of one parameter"))
}

/// Where slices start in their roots.
struct Offsets {
    function: Function,
    roots: FxHashMap<Value, Value>,
    /// Start and length of each slice seen so far.
    places: FxHashMap<Value, (Value, Value)>,
}

impl Offsets {
    fn replace(&mut self, moving: &[(Block, Value)]) {
        for &(block, param) in moving {
            let start = self.function.add_param(block, Type::Usize);
            let length = self.function.add_param(block, Type::Usize);
            self.places.insert(param, (start, length));
        }
        for block in self.function.layout.clone() {
            let mut terminator = self.function.blocks[block].terminator.clone();
            for edge in terminator.edges_mut() {
                let added: Vec<Value> = moving
                    .iter()
                    .filter(|(target, _)| *target == edge.block)
                    .flat_map(|&(_, param)| {
                        let (start, length) = self.place(edge.args[self.position(param)]);
                        [start, length]
                    })
                    .collect();
                edge.args.extend(added);
            }
            self.function.blocks[block].terminator = terminator;
        }
        let mut now = FxHashMap::default();
        for &(block, param) in moving {
            let (start, length) = self.places[&param];
            let args = [self.roots[&param], start, length];
            let slice = self.insert(
                block,
                0,
                Op::Prim(Prim::Subslice),
                &args,
                self.function.ty(param),
            );
            self.roots.insert(slice, self.roots[&param]);
            now.insert(param, slice);
        }
        crate::ir::build::remove_params(&mut self.function, |p| now.contains_key(&p));
        crate::ir::build::substitute(&mut self.function, &now);
    }
    fn position(&self, param: Value) -> usize {
        match self.function.values[param].def {
            ValueDef::Param(_, index) => index as usize,
            ValueDef::Inst(_) => 0,
        }
    }
    /// Start and length of a slice, computed right after it.
    fn place(&mut self, slice: Value) -> (Value, Value) {
        if let Some(&found) = self.places.get(&slice) {
            return found;
        }
        let row = self.function.def_inst(slice).map(|row| row.args.clone());
        let place = match (self.function.values[slice].def, row.as_deref()) {
            (ValueDef::Inst(inst), Some(&[of, start, length])) => {
                let (outer, _) = self.place(of);
                let (block, at) = self.find(inst);
                let add = Op::Prim(Prim::Add);
                let sum = self.insert(block, at + 1, add, &[outer, start], Type::Usize);
                (sum, length)
            }
            // Only parameters are not parts of others.
            (ValueDef::Inst(_) | ValueDef::Param(..), _) => {
                let entry = self.function.entry();
                let zero = self.insert(entry, 0, Op::Const(Const::Int(0)), &[], Type::Usize);
                let length = self.insert(entry, 0, Op::Prim(Prim::Len), &[slice], Type::Usize);
                (zero, length)
            }
        };
        self.places.insert(slice, place);
        place
    }
    fn find(&self, inst: Inst) -> (Block, usize) {
        self.function
            .blocks_in_order()
            .find_map(|(block, data)| Some((block, data.insts.iter().position(|&i| i == inst)?)))
            .unwrap_or((self.function.entry(), 0))
    }
    fn insert(&mut self, block: Block, at: usize, op: Op, args: &[Value], ty: Type) -> Value {
        let inst = self.function.make_inst(op, args, ty, Span::NONE);
        self.function.blocks[block].insts.insert(at, inst);
        self.function.insts[inst].result
    }
}

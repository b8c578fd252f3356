//! Forward mode: from a function to its *dual*, which computes tangents along with values, line by line.
//!
//! The tangent of a value has the value's own type: of a float a float, of an array an array, of a slice another slice,
//! of a pointer a pointer to the object's shadow. Integers and bools have none. For flat parameters p… and result y,
//!
//! - `f.dual(p…, ṗ…) -> (y, ẏ…)`: ṗ… are the tangents of the active parameters, ẏ… those of the leaves of y that can have
//!   one, both in order. What f stores, its dual stores, and stores the tangents in the shadows.
//! - Elementwise: `f.jvp(x…, ẋ…) -> (y…, ẏ…)`, flat, for use in a map; ẏ only for results that vary.
//!
//! A tangent that is known to be zero does not exist: nothing is computed for it, so it cannot make NaN of an infinite
//! partial derivative. Between blocks only parameters that may vary (`activity`) take a tangent along. An absent array is
//! a zero tangent too.
//!
//! A dual may take tangents along several directions at once: `f.dual(p…, ṗ₀…, ṗ₁…) -> (y, ẏ₀…, ẏ₁…)`. The values, the control flow
//! and the partial derivatives are computed once for all of them.
//!
//! Every operation has a forward rule, also those that only the reverse transform makes: records on the tape are doubled,
//! one for the values and one for their tangents. So the output of either transform can be differentiated again; the
//! tangents of different transforms are different values, which nothing can confuse.
//!
//! One idea holds this together: a dual is built by `step`, from the duals of an instruction's arguments to that of its
//! result. A function is walked with it, and so are the bodies and the partial derivatives of rules.

mod activity;
mod assemble;
mod step;

use super::ordered::Ordered;
use super::rule::{RuleLookup, scalar_function};
use super::{nested, parallel, positions, unused};
use crate::diag::{Error, Result};
use crate::ir::{
    Callee, Function, Inst, Module, Op, Origin, OriginPart, Prim, Signature, Symbol, Type,
};
use crate::registry::{ContextKind, Effects, Registry};
use crate::tangent;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Derives the dual of the module's root, and of all that it calls, along so many directions. `active` says of each parameter of
/// the root whether it has tangents; parameters that cannot have one may be either.
pub fn forward(
    module: &Module,
    registry: &Registry,
    kind: ContextKind,
    active: &[bool],
    directions: usize,
) -> Result<Module> {
    let root = module.root();
    if active.len() != root.params().len() {
        return Err(Error::Internal(format!(
            "{} has {} parameters, but activity was given for {}",
            root.name,
            root.params().len(),
            active.len()
        )));
    }
    let types = root.param_types();
    let can = types.iter().zip(active);
    let active: Vec<bool> = can.map(|(&t, &a)| a && tangent::has_tangent(t)).collect();
    let mut derivation = Derivation::new(module, registry, kind, directions);
    let name = derivation.dual(root.name, &active);
    derivation.derive(name)
}

/// Along how many directions at once, at most, derivatives of a module are best taken. More than one share the values, but each has registers and
/// instructions of its own; and native rules take one tangent for each argument.
pub fn most_directions(module: &Module, registry: &Registry, kind: ContextKind) -> usize {
    let lookup = RuleLookup {
        module,
        registry,
        kind,
    };
    let mut insts = 0;
    // The arrays that go through one map.
    let mut mapped = 0;
    for function in module.functions.values() {
        for (_, data) in function.blocks_in_order() {
            insts += data.insts.len();
            let is_native = |&inst: &Inst| match function.insts[inst].op {
                Op::Call(callee) => {
                    matches!(callee, Callee::Native(_))
                        || lookup.native(function, inst, callee).is_some()
                }
                Op::Const(_) | Op::Prim(_) | Op::Map(_) => false,
            };
            if data.insts.iter().any(is_native) {
                return 1;
            }
            for &inst in &data.insts {
                if let Op::Map(_) = function.insts[inst].op {
                    mapped = mapped.max(function.insts[inst].args.len());
                }
            }
        }
    }
    let most = match mapped {
        0 => MOST_DIRECTIONS,
        // The gradient of a map takes its arrays, its result and the cotangent of that, and gives one array for each that it takes: so many with each tangent.
        _ => (MOST_ARRAYS / (2 * mapped + 2)).saturating_sub(1),
    };
    (MOST_INSTRUCTIONS / insts.max(1))
        .min(most)
        .clamp(1, MOST_DIRECTIONS)
}

/// Beyond eight directions there are no registers for more.
const MOST_DIRECTIONS: usize = 8;
/// The arrays of a kernel: adapters bind 32 buffers, of which one may be for faults.
const MOST_ARRAYS: usize = 31;
/// The instructions of a module, times its directions: compile time grows with them.
const MOST_INSTRUCTIONS: usize = 8_000;

/// Derives the dual of a function on demand, which [`forward`](fn@forward) has declared under this name.
pub fn on_demand(
    module: &Module,
    registry: &Registry,
    kind: ContextKind,
    name: Symbol,
    active: &[bool],
    dual: Symbol,
) -> Result<Module> {
    let mut derivation = Derivation::new(module, registry, kind, 1);
    derivation.duals.insert((name, active.to_vec()), dual);
    derivation.queue.push((name, active.to_vec(), dual));
    derivation.derive(dual)
}

/// For what a dual is derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DualKind {
    /// For the user: no array among its results is absent.
    Root,
    /// For other duals.
    Callee,
    /// For a map: flat results, and no native functions, which devices do not have.
    Elementwise,
}

/// The dual of an elementwise function.
#[derive(Clone, Debug)]
struct Kernel {
    /// `None` if none of the results varies.
    function: Option<Symbol>,
    /// The types of its results.
    fields: Vec<Type>,
    /// Along each direction, for each result of the function, which of the dual's results is its tangent.
    tangents: Vec<Vec<Option<usize>>>,
}

/// The work that is left and what it has given.
struct Derivation<'a> {
    lookup: RuleLookup<'a>,
    /// Along how many directions there are tangents.
    directions: usize,
    /// The functions of the module that touch the tape.
    taped: FxHashSet<Symbol>,
    /// What the functions do besides computing.
    ordered: Ordered<'a>,
    functions: BTreeMap<Symbol, Function>,
    duals: FxHashMap<(Symbol, Vec<bool>), Symbol>,
    kernels: FxHashMap<(Symbol, Vec<Type>, Vec<bool>), Kernel>,
    /// Functions, their active parameters, and the names of the duals.
    queue: Vec<(Symbol, Vec<bool>, Symbol)>,
    /// What is left for when a call comes to it.
    declared: BTreeMap<Symbol, Signature>,
}

impl<'a> Derivation<'a> {
    fn new(
        module: &'a Module,
        registry: &'a Registry,
        kind: ContextKind,
        directions: usize,
    ) -> Derivation<'a> {
        Derivation {
            directions,
            lookup: RuleLookup {
                module,
                registry,
                kind,
            },
            taped: taped(module),
            ordered: Ordered::new(module, registry),
            functions: BTreeMap::new(),
            duals: FxHashMap::default(),
            kernels: FxHashMap::default(),
            queue: Vec::new(),
            declared: BTreeMap::new(),
        }
    }
    /// Derives what is in the queue, and what it calls.
    fn derive(mut self, root: Symbol) -> Result<Module> {
        let module = self.lookup.module;
        while let Some((name, active, dual)) = self.queue.pop() {
            let function = &module.functions[&name];
            let dual_kind = match name == module.root && dual == root {
                true => DualKind::Root,
                false => DualKind::Callee,
            };
            let mut derived =
                assemble::derive(&mut self, function, dual, &active, dual_kind)?.function;
            derived.on_demand = function.on_demand;
            // Nothing that needs to know it differentiates derivatives along several directions.
            derived.derivative = match self.directions {
                1 => nested::dual_of(function, &active),
                _ => None,
            };
            derived.parallel = parallel::roles_of_dual(function, &active, self.directions);
            self.functions.insert(dual, derived);
        }
        Ok(super::with_callees(
            module,
            self.functions,
            self.declared,
            root,
        ))
    }
    /// The name of the dual of a function of the module. It is derived later if it is new: with all others, or on demand.
    fn dual(&mut self, name: Symbol, active: &[bool]) -> Symbol {
        let key = (name, active.to_vec());
        if let Some(&found) = self.duals.get(&key) {
            return found;
        }
        let function = &self.lookup.module.functions[&name];
        // The plain name is the first one's. On demand nobody knows which is first.
        let is_known = || self.duals.keys().any(|(other, _)| *other == name);
        let suffix = match function.on_demand || is_known() {
            true => positions(active),
            false => String::new(),
        };
        let dual = unused(self.lookup.module, &format!("{name}.dual{suffix}"));
        self.duals.insert(key, dual);
        match function.on_demand {
            true => {
                let mut params = function.param_types();
                params.extend(tangent::tangents(&params, active, self.directions));
                let ret = tangent::dual(function.ret, self.directions);
                let origin = Origin {
                    of: name,
                    active: active.to_vec(),
                    part: OriginPart::Dual,
                };
                let signature = Signature::on_demand(params, ret, origin);
                self.declared.insert(dual, signature);
            }
            false => self.queue.push((name, active.to_vec(), dual)),
        }
        dual
    }
    /// Whether a call must be of the dual even if no argument varies: the tape is doubled everywhere, new objects have
    /// shadows, and linked calls have tangents.
    fn always_dual(&self, name: Symbol) -> bool {
        let is_fdata = |t: &Type| tangent::has_tangent(*t) && !t.is_float() && !t.is_array();
        let ret = self.lookup.module.functions.get(&name).map(|f| f.ret);
        let leaves = ret.map(tangent::leaves).unwrap_or_default();
        let linked = self.ordered.of_function(name) == Effects::Linked;
        linked || self.taped.contains(&name) || leaves.iter().any(is_fdata)
    }
    /// The dual of an elementwise function, for element types and active arguments.
    fn kernel(&mut self, name: Symbol, types: &[Type], active: &[bool]) -> Result<Kernel> {
        let key = (name, types.to_vec(), active.to_vec());
        if let Some(found) = self.kernels.get(&key) {
            return Ok(found.clone());
        }
        let function = scalar_function(self.lookup, name, types)?;
        let suffix = match self.kernels.keys().any(|(other, ..)| *other == name) {
            true => format!("{}_{}", positions(active), self.kernels.len()),
            false => String::new(),
        };
        let dual = unused(self.lookup.module, &format!("{name}.jvp{suffix}"));
        let derived = assemble::derive(self, &function, dual, active, DualKind::Elementwise)?;
        let Type::Tuple(fields) = derived.function.ret else {
            return Err(Error::Internal(format!("{dual}: not a tuple")));
        };
        let varies = derived.tangents.iter().flatten().any(Option::is_some);
        if varies {
            self.functions.insert(dual, derived.function);
        }
        let kernel = Kernel {
            function: varies.then_some(dual),
            fields: fields.to_vec(),
            tangents: derived.tangents,
        };
        self.kernels.insert(key, kernel.clone());
        Ok(kernel)
    }
}

/// The functions that touch the tape, or call one that does.
fn taped(module: &Module) -> FxHashSet<Symbol> {
    let touches = |f: &Function| {
        let mut ops = f.blocks_in_order().flat_map(|(_, data)| &data.insts);
        ops.any(|&i| {
            matches!(
                f.insts[i].op,
                Op::Prim(Prim::TapePush | Prim::TapePop | Prim::Peek(_) | Prim::Poke(_))
            )
        })
    };
    let functions = || module.functions.values();
    let mut taped: FxHashSet<Symbol> = functions().filter(|f| touches(f)).map(|f| f.name).collect();
    loop {
        let calls = |f: &&Function| f.callees().iter().any(|name| taped.contains(name));
        let more: Vec<Symbol> = functions().filter(calls).map(|f| f.name).collect();
        let before = taped.len();
        taped.extend(more);
        if taped.len() == before {
            return taped;
        }
    }
}

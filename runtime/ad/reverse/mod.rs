//! Reverse mode: from a function to its forward pass and pullback, or to both in one.
//!
//! First a `Plan`: which values are active (`activity`), what the reverse of each instruction is (`action`), which
//! loops need no second pass (`tapeless_loops`), how the reverse finds its way (`control`), and how it gets the primal values it
//! needs (`save`). Then the functions are assembled in one go (`forward`, `backward`, `fetch`); nothing is edited while
//! it is translated. Adjoints are variables of the builder, so SSA form is its business.
//!
//! Conventions of the output, for flattened parameters p… and result type R:
//!
//! - Combined: `f.gradient(p…, shadows…, seeds…) -> (y, r…)`. Memory that the primal wrote is restored at the end.
//! - Split: `f.forward(p…) -> R` leaves its records on the tape, `f.pullback(p…, shadows…, seeds…) -> (r…)` pops them.
//!   Where pointers are passed it is `f.forward(p…, shadows…) -> (R, shadows…)`, see `tangent::Sharing`.
//! - Elementwise: `f.vjp(…) -> (…)`: what of the arguments and cotangents is used, to the cotangents to be computed.
//!
//! `shadows` are those of the active parameters with fdata, `seeds` one per leaf of R with rdata, `r…` the cotangents of
//! the active parameters with rdata; see `tangent`. The shadow of mutable memory holds the cotangent of the final
//! contents before and of the initial contents after. `p…` that pointers lead to are active as soon as one parameter is.

mod primal;
mod slices;
mod objects;
mod activity;
mod action;
mod vjp;
mod tapeless_loops;
mod control;
mod liveness;
mod save;
mod place_merges;
mod assemble;
mod fetch;
mod forward;
mod backward;
use super::ordered::Ordered;
use super::rule::RuleLookup;
use super::{Mode, Request, nested, parallel, positions, unused};
use crate::diag::{Error, Result};
use crate::ir::{
    Callee, DerivativeKind, Function, Module, NativePart, Origin, OriginPart, Signature, Symbol,
    Terminator, Type,
};
use crate::registry::{ContextKind, Registry};
use crate::tangent::{self, Sharing};
use primal::Primal;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;
use vjp::Vjp;

/// Derives the reverse functions of the module's root, and of all that it calls. Those of functions on demand are declared
/// only, for [`on_demand`] to make.
pub fn reverse(
    module: &Module,
    registry: &Registry,
    kind: ContextKind,
    request: &Request,
) -> Result<Module> {
    let mut derivation = Derivation::new(module, registry, kind);
    let root = module.root();
    if request.active.len() != root.params().len() {
        return Err(Error::Internal(format!(
            "{} has {} parameters, but activity was given for {}",
            root.name,
            root.params().len(),
            request.active.len()
        )));
    }
    let active = derivation.sharing.active(root, &request.active);
    let name = match request.mode {
        Mode::Combined => {
            let kind = DerivedKind::Gradient { active };
            let functions = derive(&mut derivation, root, &kind)?;
            let name = functions[0].name;
            derivation.add(functions);
            name
        }
        Mode::Split => derivation
            .callee(root.name, active, false)?
            .forward
            .symbol(),
    };
    derivation.derive_callees()?;
    Ok(derivation.finish(name))
}

/// Derives both halves of a function on demand, one of which [`reverse`](fn@reverse) has declared. The root is the forward half.
pub fn on_demand(
    module: &Module,
    registry: &Registry,
    kind: ContextKind,
    name: Symbol,
    active: &[bool],
    shadowed: bool,
) -> Result<Module> {
    let mut derivation = Derivation::new(module, registry, kind);
    let halves = derivation.named(name, active.to_vec(), shadowed);
    derivation.queue.push((name, halves.clone()));
    derivation.derive_callees()?;
    Ok(derivation.finish(halves.forward.symbol()))
}

/// What is derived, and for which parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
enum DerivedKind {
    /// One function.
    Gradient { active: Vec<bool> },
    /// Two functions of these names.
    Split {
        active: Vec<bool>,
        /// Whether objects have shadows: if something is active, or the caller wants those of the result.
        shadowed: bool,
        forward: Symbol,
        pullback: Symbol,
    },
    /// One function for use in a map: the cotangents, and last, if it is a float, the primal's result.
    Elementwise {
        active: Vec<bool>,
        /// For each leaf of the result: whether it has a cotangent.
        seeded: Vec<bool>,
    },
}

impl DerivedKind {
    fn active(&self) -> &[bool] {
        match self {
            DerivedKind::Gradient { active }
            | DerivedKind::Split { active, .. }
            | DerivedKind::Elementwise { active, .. } => active,
        }
    }
    /// Whether objects have shadows.
    fn is_shadowed(&self) -> bool {
        match self {
            DerivedKind::Split { shadowed, .. } => *shadowed,
            DerivedKind::Gradient { active } => active.contains(&true),
            DerivedKind::Elementwise { active, .. } => active.contains(&true),
        }
    }
    /// Whether forward and reverse are two functions.
    fn is_split(&self) -> bool {
        matches!(self, DerivedKind::Split { .. })
    }
}

/// The derived rule of a function of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Halves {
    pub forward: Callee,
    pub pullback: Callee,
    /// For each parameter.
    pub active: Vec<bool>,
    /// See [`Form::Split`].
    shadowed: bool,
    /// Whether the forward half takes the shadows too.
    pub takes_shadows: bool,
    /// Whether it is a native rule.
    native: bool,
}

impl Halves {
    /// The halves of a native rule.
    fn native(name: Symbol, active: Vec<bool>) -> Halves {
        Halves {
            forward: Callee::native(name, NativePart::Rrule, &active),
            pullback: Callee::native(name, NativePart::Pullback, &active),
            shadowed: active.contains(&true),
            takes_shadows: false,
            native: true,
            active,
        }
    }
}

/// All decisions about one function.
struct Plan {
    primal: Primal,
    kind: DerivedKind,
    activity: activity::Activity,
    actions: action::Actions,
    tapeless: tapeless_loops::TapelessLoops,
    control: control::Control,
    saved: save::Saved,
    merged: place_merges::Merges,
    liveness: liveness::Liveness,
    /// Whether what rules give is guarded.
    checked: bool,
}

/// The work that is left and what it has given.
struct Derivation<'a> {
    lookup: RuleLookup<'a>,
    sharing: Sharing,
    /// The functions that write nothing.
    readers: Arc<FxHashSet<Symbol>>,
    /// What the functions do besides computing.
    ordered: Ordered<'a>,
    functions: BTreeMap<Symbol, Function>,
    callees: FxHashMap<(Symbol, Vec<bool>, bool), Halves>,
    queue: Vec<(Symbol, Halves)>,
    /// What is left for when a call comes to it.
    declared: BTreeMap<Symbol, Signature>,
    vjps: FxHashMap<Kernel, Arc<Vjp>>,
    /// Whether what rules give is guarded.
    checked: bool,
}

/// Which derivative of an elementwise function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Kernel {
    name: Symbol,
    /// The types of its scalar arguments.
    types: Vec<Type>,
    active: Vec<bool>,
    /// For each result: whether it has a cotangent.
    seeded: Vec<bool>,
}

/// Derives one function.
fn derive(
    derivation: &mut Derivation,
    function: &Function,
    kind: &DerivedKind,
) -> Result<Vec<Function>> {
    // Of several the plan would take the first, and the rest would have no derivative.
    let ends = function.blocks_in_order();
    let returns = ends.filter(|(_, data)| matches!(data.terminator, Terminator::Return(_)));
    if returns.count() > 1 {
        return Err(Error::Internal(format!(
            "`{}` returns in several places: expected the normal form",
            function.name
        )));
    }
    let plan = plan(derivation, function, kind)?;
    assemble::assemble(&plan)
}

/// Decides everything about one function.
fn plan(derivation: &mut Derivation, function: &Function, kind: &DerivedKind) -> Result<Plan> {
    let (function, roots) = slices::by_root(function)?;
    let Derivation {
        lookup, sharing, ..
    } = &*derivation;
    let params = function.params().iter();
    let shared = params.zip(sharing.params(function.name));
    let shared = shared.filter(|(_, s)| **s).map(|(&p, _)| p).collect();
    let (function, shadows) = objects::add_shadows(
        function,
        lookup.module,
        sharing,
        kind.active(),
        kind.is_shadowed(),
    )?;
    let readers = derivation.readers.clone();
    let ordered = &derivation.ordered;
    let mut primal = Primal::new(function, roots, shared, shadows, readers, ordered)?;
    let activity = activity::Activity::new(&primal, *lookup, kind.active())?;
    let actions = action::plan(derivation, &mut primal, &activity, kind)?;
    let tapeless = match kind.is_split() {
        // The pullback alone knows the seeds.
        true => tapeless_loops::TapelessLoops::default(),
        false => tapeless_loops::tapeless_loops(&primal, &activity, &actions),
    };
    let control = control::Control::new(&mut primal, &activity, &actions, &tapeless);
    let saved = save::plan(&primal, &actions, &control, kind.is_split());
    let merged = place_merges::place_merges(&primal, &control, &saved, kind.is_split());
    let liveness = liveness::Liveness::new(&primal, &activity, &actions, &control);
    Ok(Plan {
        primal,
        kind: kind.clone(),
        activity,
        actions,
        tapeless,
        control,
        saved,
        merged,
        liveness,
        checked: derivation.checked && !matches!(kind, DerivedKind::Elementwise { .. }),
    })
}

impl<'a> Derivation<'a> {
    fn new(module: &'a Module, registry: &'a Registry, kind: ContextKind) -> Derivation<'a> {
        Derivation {
            lookup: RuleLookup {
                module,
                registry,
                kind,
            },
            sharing: Sharing::new(module),
            readers: objects::readers(module).into(),
            ordered: Ordered::new(module, registry),
            functions: BTreeMap::new(),
            callees: FxHashMap::default(),
            queue: Vec::new(),
            declared: BTreeMap::new(),
            vjps: FxHashMap::default(),
            checked: registry.is_checked(),
        }
    }
    fn add(&mut self, functions: Vec<Function>) {
        for function in functions {
            self.functions.insert(function.name, function);
        }
    }
    /// The derived rule of a function of the module. It is derived later if it is new: with all others, or on demand.
    fn callee(&mut self, name: Symbol, active: Vec<bool>, wanted: bool) -> Result<Halves> {
        let Some(function) = self.lookup.module.functions.get(&name) else {
            return Err(Error::Internal(format!("no function {name}")));
        };
        let active = self.sharing.active(function, &active);
        let shadowed = wanted || active.contains(&true);
        let key = (name, active.clone(), shadowed);
        if let Some(found) = self.callees.get(&key) {
            return Ok(found.clone());
        }
        let callee = self.named(name, active, shadowed);
        match function.on_demand {
            true => self.declare(function, &callee),
            false => self.queue.push((name, callee.clone())),
        }
        Ok(callee)
    }
    /// Names what is made of a function.
    fn named(&mut self, name: Symbol, active: Vec<bool>, shadowed: bool) -> Halves {
        let is_known = || self.callees.keys().any(|(other, ..)| *other == name);
        // The plain name is the first one's: in split mode the root's. On demand nobody knows which is first.
        let suffix = match self.lookup.module.functions[&name].on_demand || is_known() {
            true => suffix(&active, shadowed),
            false => String::new(),
        };
        let module = self.lookup.module;
        let callee = Halves {
            forward: Callee::Function(unused(module, &format!("{name}.forward{suffix}"))),
            pullback: Callee::Function(unused(module, &format!("{name}.pullback{suffix}"))),
            takes_shadows: shadowed && self.sharing.forward_takes_shadows(name),
            active,
            shadowed,
            native: false,
        };
        let key = (name, callee.active.clone(), shadowed);
        self.callees.insert(key, callee.clone());
        callee
    }
    /// Says what the halves of a function take and give, as `assemble` makes them.
    fn declare(&mut self, function: &Function, callee: &Halves) {
        let params = function.param_types();
        let shadows = tangent::shadows(&params, &callee.active);
        let taken = if callee.takes_shadows {
            &shadows[..]
        } else {
            &[]
        };
        let origin = Origin {
            of: function.name,
            active: callee.active.clone(),
            part: OriginPart::Half {
                shadowed: callee.shadowed,
            },
        };
        let forward = Signature::on_demand(
            [&params[..], taken].concat(),
            match callee.shadowed {
                true => tangent::forward_result(function.ret),
                false => function.ret,
            },
            origin.clone(),
        );
        let pullback = Signature::on_demand(
            [&params[..], &shadows, &tangent::seeds(function.ret)].concat(),
            Type::tuple(&tangent::cotangents(&params, &callee.active)),
            origin,
        );
        self.declared.insert(callee.forward.symbol(), forward);
        self.declared.insert(callee.pullback.symbol(), pullback);
    }
    /// Whether calls of a function take or return shadows.
    fn passes_shadows(&self, name: Symbol) -> bool {
        objects::passes_shadows(self.lookup.module, &self.sharing, name)
    }
    fn derive_callees(&mut self) -> Result<()> {
        while let Some((name, callee)) = self.queue.pop() {
            let function = &self.lookup.module.functions[&name];
            let asked = function.derivative.as_ref();
            if asked.is_some_and(|asked| asked.kind == DerivativeKind::Gradient) {
                nested::halves(self.lookup, &mut self.functions, name, &callee)?;
                continue;
            }
            if parallel::is_parallel(function, &callee) {
                parallel::halves(self.lookup, &mut self.functions, name, &callee)?;
                continue;
            }
            let kind = DerivedKind::Split {
                active: callee.active,
                shadowed: callee.shadowed,
                forward: callee.forward.symbol(),
                pullback: callee.pullback.symbol(),
            };
            let mut functions = derive(self, function, &kind)?;
            for derived in &mut functions {
                derived.on_demand = function.on_demand;
            }
            self.add(functions);
        }
        Ok(())
    }
    /// The derivative of an elementwise function.
    fn vjp(&mut self, kernel: Kernel) -> Result<Arc<Vjp>> {
        if let Some(found) = self.vjps.get(&kernel) {
            return Ok(found.clone());
        }
        let vjp = Arc::new(vjp::derive(self, &kernel)?);
        self.vjps.insert(kernel, vjp.clone());
        Ok(vjp)
    }
    /// Adds a kernel under a name of its own.
    fn add_kernel(&mut self, name: Symbol, mut kernel: Function) -> Symbol {
        let mut chosen = Symbol::new(&format!("{name}.vjp"));
        let mut n = 1;
        while self
            .functions
            .get(&chosen)
            .or_else(|| self.lookup.module.functions.get(&chosen))
            .is_some_and(|other| !same(other, &kernel))
        {
            n += 1;
            chosen = Symbol::new(&format!("{name}.vjp{n}"));
        }
        kernel.name = chosen;
        self.functions.insert(chosen, kernel);
        chosen
    }
    /// The derived functions and those of the original that they call.
    fn finish(self, root: Symbol) -> Module {
        super::with_callees(self.lookup.module, self.functions, self.declared, root)
    }
}

/// Whether two kernels are the same but for their names.
fn same(a: &Function, b: &Function) -> bool {
    let mut b = b.clone();
    b.name = a.name;
    *a == b
}

/// The end of a derived function's name: [`positions`], or that only objects are shadowed.
fn suffix(active: &[bool], shadowed: bool) -> String {
    match shadowed && !active.contains(&true) {
        true => "_shadows".to_owned(),
        false => positions(active),
    }
}

//! What the runtime knows about functions by name: the entries of all packs, and the signatures of the host's own
//! array operations.
//!
//! The registry holds primals, partial derivatives, pullbacks and tangents as data (IR and native functions). It does not know
//! how packs are loaded, how IR is derived, or how arrays are computed.
//!
//! **Names are paths.** A row of the pack `linalg` is `linalg::dot`. A row of the pack `std` is written without its pack (`exp` *is*
//! `std::exp`), because the primitives of the core (`mul`) name the same functions. A row that is private to its pack is
//! `linalg::private::share`: nothing but expressions of that pack resolves to it. No other name is ever taken for a row: a function or a
//! method of a program is not a row because it happens to be called like one.

use crate::ir::{Callee, Function, HostOp, Module, NativeName, NativePart, Symbol, Type};
use crate::tangent;
use std::sync::Arc;

/// In which contexts an entry is a primitive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ContextKind {
    /// What AD cannot do without.
    Minimal,
    /// `Minimal`, and the rules that exist for speed.
    Default,
    /// No context: entries that have a body and no rule.
    Derived,
}

/// What calls of a function do besides giving results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Effects {
    /// None: calls may be merged, moved, removed and repeated.
    #[default]
    Pure,
    /// Observable effects: calls keep their number and order, and the calls of derivatives run in the mirrored order.
    Ordered,
    /// Like ordered; in addition, what one call receives was sent by another, perhaps in another process. So each call has its derivative, whether or not
    /// its own arguments vary and its own results are used.
    Linked,
}

impl Effects {
    /// Whether the order of calls matters.
    pub fn is_ordered(self) -> bool {
        self >= Effects::Ordered
    }
}

/// The address of an `extern "C"` function in a pack that takes and returns floats of one type in registers:
/// `fn(T, …) -> T`, and for `with_partials` `fn(T, …, *mut T) -> T` where the pointer receives one partial per argument.
/// Packs are never unloaded, so it stays valid. Only `plugin` makes one; `plugin` also calls them for the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeFn(pub usize);

/// The address of a function that takes a `mooncake_pack::abi::Call`. It stays valid as packs are never unloaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeCode {
    /// The function.
    pub address: usize,
    /// The float type that `T` in the signature stands for.
    pub float: Type,
    /// The address that the function is passed as `data`: null for those of packs.
    pub data: usize,
}

/// A scalar function: T × … × T → T for T one of f32, f64.
#[derive(Clone, Debug)]
pub struct ScalarRule {
    /// Native primal. At least one of `native`, `body` is set, or the name is a primitive's mnemonic.
    pub native: Option<NativeFn>,
    /// Native value and all partials together.
    pub with_partials: Option<NativeFn>,
    /// Primal as straight-line IR over primitives and other scalars: (x…) -> T.
    pub body: Option<Function>,
    /// Straight-line IR: (x…, y) -> tuple of ∂y/∂x, one for each argument.
    pub partials: Function,
    /// WGSL text of the primal: for f32 a function of the entry's name with a `mc_` prefix; helper functions before it start with `mc_<name>_`.
    /// For f64 the names begin with `mc_<name>_f64` instead.
    pub wgsl: Option<String>,
    /// Where tests sample each argument.
    pub domain: Vec<(f64, f64)>,
}

/// A rule over arrays (and whatever scalars, indices and shapes go with them).
#[derive(Clone, Debug)]
pub struct ArrayRule {
    /// Primal as straight-line IR; without it and without `native` the host computes the function itself ([`HostOp`]).
    pub body: Option<Function>,
    /// Native primal, which is called even if there is a body.
    pub native: Option<NativeCode>,
    /// The primal on a device, for an entry with a native one.
    pub kernel: Option<Arc<Kernel>>,
    /// Straight-line IR: (x…, y…, ȳ…) -> tuple, for each argument its cotangent or `()`. The y are the leaves of the result, the ȳ
    /// the cotangents of those that can have one.
    pub pullback: Function,
    /// For each argument straight-line IR, (x…, y…, ẋ) -> (ẏ…): what its tangent adds to those of the leaves of the result that can have
    /// one, `()` where nothing; `None` if nothing at all. Empty if the rule does not say: then the body does.
    pub tangent: Vec<Option<Function>>,
}

/// A function in machine code whose first derivative is machine code, too. It has no higher derivatives, except by `second`.
#[derive(Clone, Debug)]
pub struct NativeRule {
    /// Primal as straight-line IR.
    pub body: Option<Function>,
    /// Native primal, which is called even if there is a body.
    pub primal: NativeCode,
    /// The primal on a device.
    pub kernel: Option<Arc<Kernel>>,
    /// Native primal that also returns a pullback. The frame of the call keeps the pullback until the reverse pass needs it.
    pub rrule: Option<NativeCode>,
    /// Native primal that also returns tangents.
    pub frule: Option<NativeCode>,
    /// The `rrule` along tangents, for second derivatives.
    pub second: Option<NativeCode>,
}

/// A compute shader of a pack's, with what the host has to know to run it.
#[derive(Debug)]
pub struct Kernel {
    /// WGSL with its bindings: parameters at 0, then the arrays among the arguments, then the results.
    pub text: String,
    /// Straight-line IR that computes the plan of a call. Its inputs are, for an array argument, the number of elements and [`Kernel::AXES`] extents, and
    /// for a number the number itself. Its result is a tuple of tuples: the parameters, the extents of each result, the workgroups.
    pub plan: Module,
    /// For each result the array argument that has its shape, counted among the arrays: then the plan says the number of elements alone.
    pub shaped_like: Vec<Option<usize>>,
    /// The text with bounds for its loops, made on first use.
    pub bounded: std::sync::OnceLock<(String, bool)>,
}

impl Kernel {
    /// The extents of an array that a plan knows.
    pub const AXES: usize = 8;
}

/// What an entry defines.
#[derive(Clone, Debug)]
pub enum EntryKind {
    /// A scalar function with partials.
    Scalar(ScalarRule),
    /// A rule over arrays.
    Array(ArrayRule),
    /// A function in machine code with rules in machine code.
    Native(NativeRule),
}

/// A call of the dual of a part of a native rule that has a `second`, for second derivatives.
///
/// Forward mode sees the halves of a native rule, `f.rrule.101` and `f.pullback.101`, as calls. If the rule has a `second`, both have duals: the
/// dual of the first keeps a pullback with tangents, and the dual of the second calls it with the tangents of all its arguments. Derived code
/// always contains both duals, even if no argument has a tangent, because one calls what the other keeps.
pub struct NativeDual<'a> {
    /// The part.
    pub call: NativeCall<'a>,
    /// For each of its arguments whether it has a tangent.
    pub moving: &'static [bool],
}

impl NativeDual<'_> {
    /// The types of the arguments.
    pub fn params(&self) -> Vec<Type> {
        let own = self.call.params();
        let tangents = tangent::tangents(&own, self.moving, 1);
        [own, tangents].concat()
    }
    /// The type of the result.
    pub fn ret(&self) -> Type {
        tangent::dual(self.call.ret(), 1)
    }
}

/// A call of a part of a native rule.
pub struct NativeCall<'a> {
    /// The entry.
    pub entry: &'a Arc<Entry>,
    /// The rule.
    pub rule: &'a NativeRule,
    /// Which part.
    pub part: NativePart,
    /// For each parameter: whether it is active.
    pub active: &'static [bool],
}

impl NativeCall<'_> {
    /// The types of the arguments.
    pub fn params(&self) -> Vec<Type> {
        let (own, ret) = (&self.entry.params, self.entry.ret);
        let more = match self.part {
            NativePart::Rrule => Vec::new(),
            NativePart::Pullback => {
                let leaves = tangent::leaves(ret).into_iter();
                let arrays = leaves.filter(|ty| ty.is_array());
                let mut more: Vec<Type> = arrays.collect();
                more.extend(tangent::shadows(own, self.active));
                more.extend(tangent::seeds(ret));
                more
            }
            NativePart::Frule => tangent::tangents(own, self.active, 1),
        };
        [&own[..], &more].concat()
    }
    /// The type of the result.
    pub fn ret(&self) -> Type {
        match self.part {
            NativePart::Rrule => self.entry.ret,
            NativePart::Pullback => {
                Type::tuple(&tangent::cotangents(&self.entry.params, self.active))
            }
            NativePart::Frule => tangent::dual(self.entry.ret, 1),
        }
    }
}

/// One function for one list of argument types, from one pack.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The function's path.
    pub name: Symbol,
    /// Its parameters' names, for messages.
    pub param_names: Vec<Symbol>,
    /// Its argument types.
    pub params: Vec<Type>,
    /// Its result type.
    pub ret: Type,
    /// Where it is a primitive.
    pub context: ContextKind,
    /// The pack it comes from.
    pub pack: Symbol,
    /// The effects of its calls. Only functions in machine code have effects.
    pub effects: Effects,
    /// The definition.
    pub kind: EntryKind,
}

/// The name of the pack to which rules in the program itself belong. The names of these rules are the paths of their functions.
pub const PROGRAM: &str = "program";

/// The pack whose rows are written without its name.
const STD: &str = "std";

/// The name of a row of a pack: `linalg::dot`, of `std` only `exp`; `linalg::private::share` if the row is private.
pub fn row_name(pack: &str, row: &str, private: bool) -> Symbol {
    match (pack, private) {
        (STD, false) => Symbol::new(row),
        (_, false) => Symbol::new(&format!("{pack}::{row}")),
        (_, true) => Symbol::new(&format!("{pack}::private::{row}")),
    }
}

/// What to do about a function of a pack that a feature of this crate brings, if this build leaves the feature out.
pub fn left_out(path: &str) -> Option<String> {
    let feature = match path.split_once("::") {
        Some(("linalg", _)) if !cfg!(feature = "rules-linalg") => "rules-linalg",
        None if !cfg!(feature = "rules-std") => "rules-std",
        _ => return None,
    };
    Some(format!(
        "switch on the feature `{feature}` of the crate `mooncake`, which this build leaves out: it brings functions like `{path}`"
    ))
}

/// The name that a path means outside the packs' own expressions: `std::exp` is `exp`.
pub fn canonical(path: &str) -> Symbol {
    match path.strip_prefix("std::") {
        Some(row) if !row.contains("::") => Symbol::new(row),
        _ => Symbol::new(path),
    }
}

/// Whether a name is that of a private row.
pub fn is_private(name: Symbol) -> bool {
    name.as_str().contains("::private::")
}

/// The name of a row in WGSL. Names there have no `::`, and two packs may each have a `share`.
pub fn wgsl_name(name: Symbol) -> String {
    format!("mc_{}", name.as_str().replace("::", "__"))
}

/// The suffix of the names in a row's WGSL for f64.
pub const WGSL_F64: &str = "_f64";

impl Entry {
    /// The primal as IR, if there is one.
    pub fn body(&self) -> Option<&Function> {
        match &self.kind {
            EntryKind::Scalar(rule) => rule.body.as_ref(),
            EntryKind::Array(rule) => rule.body.as_ref(),
            EntryKind::Native(rule) => rule.body.as_ref(),
        }
    }
    /// Whether it is a row of the pack `std`, by its name (see [`row_name`]).
    pub fn is_of_std(&self) -> bool {
        let pack = self.name.as_str().split_once("::");
        pack.is_none_or(|(pack, _)| pack == STD)
    }
    /// Whether only expressions of its pack may use it.
    pub fn is_private(&self) -> bool {
        is_private(self.name)
    }
    /// The row's name without its pack.
    pub fn row(&self) -> &'static str {
        let name = self.name.as_str();
        name.rsplit_once("::").map_or(name, |(_, row)| row)
    }
}

/// Whether parameters accept values of these types: the same types, or mutable slices where they only read.
fn are_read(params: &[Type], given: &[Type]) -> bool {
    let reads = |(param, given): (&Type, &Type)| match (param, given) {
        (Type::Slice(a), Type::SliceMut(b)) => a == b,
        (param, given) => param == given,
    };
    params.len() == given.len() && params.iter().zip(given).all(reads)
}

/// All entries in force.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: std::collections::BTreeMap<Symbol, Vec<Arc<Entry>>>,
    /// Rules of packs for functions of the pack `std` or of the program. In the default context they replace the derivation and the previous rule. The
    /// value is still computed by the function itself.
    replacing: std::collections::BTreeMap<Symbol, Vec<Arc<Entry>>>,
    /// Whether the results of rules are checked (debug mode).
    checked: bool,
}

impl Registry {
    /// The entry for a call, in any context. A parameter `[f64]` accepts `[mut f64]`.
    pub fn find(&self, name: Symbol, types: &[Type]) -> Option<&Arc<Entry>> {
        let entries = self.entries.get(&name)?;
        let exact = entries.iter().find(|entry| entry.params == types);
        exact.or_else(|| entries.iter().find(|entry| are_read(&entry.params, types)))
    }
    /// The entry that a call means, if it is for the value alone.
    pub fn entry(&self, callee: Callee, types: &[Type]) -> Option<&Arc<Entry>> {
        self.find(callee.row()?, types)
    }
    /// The entry for arguments with these leaves: a pack may take as several numbers what a program passes as a struct or a tuple, and vice versa. An
    /// entry with exactly these types is preferred.
    pub fn find_by_leaves(&self, name: Symbol, types: &[Type]) -> Option<&Arc<Entry>> {
        let leaves = |types: &[Type]| -> Vec<Type> {
            let leaves = types.iter().flat_map(|&ty| crate::tangent::leaves(ty));
            leaves.collect()
        };
        self.find(name, types).or_else(|| {
            let given = leaves(types);
            let mut entries = self.named(name).iter();
            entries.find(|entry| are_read(&leaves(&entry.params), &given))
        })
    }
    /// The entry for a call, if the call is a primitive in such a context.
    pub fn rule(
        &self,
        callee: impl Into<Callee>,
        types: &[Type],
        kind: ContextKind,
    ) -> Option<&Arc<Entry>> {
        let callee = callee.into();
        let find = |types: &[Type]| {
            let entry = self.entry(callee, types)?;
            (entry.context <= kind).then_some(entry)
        };
        // What moves elements of `f16` has the derivative of what moves those of `f32`: the rules compute with cotangents and tangents, and take no more
        // than the shape of the arrays.
        let moves = || {
            let wider: Vec<Type> = types.iter().map(|&ty| tangent::widened(ty)).collect();
            let is_moved = callee.host_op().is_some() && wider != types;
            if is_moved { find(&wider) } else { None }
        };
        let of_row = || find(types).or_else(moves);
        // A path outside of `std` is that of a function of the program, which the module knows.
        let of_std = callee.row().filter(|name| !name.as_str().contains("::"));
        let replacing = of_std.and_then(|name| self.replacing(name, types, kind));
        replacing.or_else(of_row)
    }
    /// The rule of a pack for an existing function, if it is in force in such a context.
    pub fn replacing(
        &self,
        path: Symbol,
        types: &[Type],
        kind: ContextKind,
    ) -> Option<&Arc<Entry>> {
        if kind != ContextKind::Default {
            return None;
        }
        let mut rules = self.replacing.get(&path)?.iter();
        rules.find(|entry| entry.params == types)
    }
    /// The rules of packs for an existing function, for all types.
    pub fn replacements(&self, name: Symbol) -> &[Arc<Entry>] {
        self.replacing.get(&name).map_or(&[], Vec::as_slice)
    }
    /// Takes over the rules for existing functions from another registry.
    pub fn replacing_as(mut self, other: &Registry) -> Registry {
        self.replacing = other.replacing.clone();
        self
    }
    /// Adds a rule for an existing function, and replaces a previous one.
    pub fn replace(&mut self, entry: Entry) {
        self.remove_replacing(entry.name, &entry.params);
        let rules = self.replacing.entry(entry.name).or_default();
        rules.push(Arc::new(entry));
    }
    /// Removes a rule for an existing function.
    pub fn remove_replacing(&mut self, name: Symbol, types: &[Type]) {
        if let Some(rules) = self.replacing.get_mut(&name) {
            rules.retain(|entry| entry.params != types);
        }
    }
    /// The entries of one name, for all types.
    pub fn named(&self, name: Symbol) -> &[Arc<Entry>] {
        self.entries.get(&name).map_or(&[], Vec::as_slice)
    }
    /// The entries that a declaration of a pack's function in a program may mean, `gelu` or `gelu::gelu`, for arguments of these types: one entry, none,
    /// or one from each of several packs.
    pub fn declared(&self, name: &str, types: &[Type]) -> Vec<&Arc<Entry>> {
        let mut names: Vec<Symbol> = self.meant(name).map(|entry| entry.name).collect();
        names.dedup();
        let found = names
            .into_iter()
            .map(|name| self.find_by_leaves(name, types));
        found.flatten().collect()
    }
    /// The entries of this name or path, for any arguments, that a declaration in a program may mean.
    pub fn meant(&self, name: &str) -> impl Iterator<Item = &Arc<Entry>> {
        let named = canonical(name);
        let is_path = name.contains("::");
        let means = move |entry: &&Arc<Entry>| match is_path {
            true => entry.name == named,
            false => entry.row() == name && entry.pack.as_str() != PROGRAM,
        };
        self.entries()
            .filter(means)
            .filter(|entry| !entry.is_private())
    }
    /// Whether the results of rules are checked.
    pub fn is_checked(&self) -> bool {
        self.checked
    }
    /// The same rules, with checked results.
    pub fn checked(mut self) -> Registry {
        self.checked = true;
        self
    }
    /// All entries, in order of name.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values().flatten()
    }
    /// Adds an entry. Returns the existing entry if the function is already defined.
    pub fn insert(&mut self, entry: Entry) -> Result<(), Arc<Entry>> {
        let mut known = self.named(entry.name).iter();
        if let Some(found) = known.find(|known| known.params == entry.params) {
            return Err(found.clone());
        }
        self.entries
            .entry(entry.name)
            .or_default()
            .push(Arc::new(entry));
        Ok(())
    }
    /// Removes an entry.
    pub fn remove(&mut self, name: Symbol, types: &[Type]) {
        if let Some(entries) = self.entries.get_mut(&name) {
            entries.retain(|entry| entry.params != types);
        }
    }
    /// The type of a call of what is outside of a module: of a pack's entry, of one with its partials, of a part of a native rule, or of a host operation.
    pub fn call_type(&self, callee: impl Into<Callee>, types: &[Type]) -> Option<Type> {
        let callee = callee.into();
        match callee {
            Callee::Function(name) => self.find(name, types).map(|entry| entry.ret),
            Callee::WithPartials(name) => {
                let (entry, _) = self.with_partials(name, types)?;
                Some(Type::tuple(&vec![entry.ret; types.len() + 1]))
            }
            Callee::Native(_) => {
                let part = self.native_part(callee, types).map(|call| call.ret());
                part.or_else(|| self.native_dual(callee, types).map(|dual| dual.ret()))
            }
            Callee::Host(op) => {
                let entry = self.find(op.symbol(), types).map(|entry| entry.ret);
                entry.or_else(|| op.result(types))
            }
            Callee::SameShape(_) => HostOp::SameShape.result(types),
        }
    }
    /// The entry of this name, and its native function that gives the partials too.
    pub fn with_partials(&self, name: Symbol, types: &[Type]) -> Option<(&Arc<Entry>, NativeFn)> {
        let entry = self.find(name, types)?;
        match &entry.kind {
            EntryKind::Scalar(rule) => Some((entry, rule.with_partials?)),
            EntryKind::Array(_) | EntryKind::Native(_) => None,
        }
    }
    /// The part of a native rule that a call means.
    pub fn native_part(&self, callee: Callee, types: &[Type]) -> Option<NativeCall<'_>> {
        let Callee::Native(name @ NativeName { moving: None, .. }) = callee else {
            return None;
        };
        self.native_call(name, types)
    }
    fn native_call(&self, name: &'static NativeName, types: &[Type]) -> Option<NativeCall<'_>> {
        let entry = self.find(name.entry, types.get(..name.active.len())?)?;
        let EntryKind::Native(rule) = &entry.kind else {
            return None;
        };
        let call = NativeCall {
            entry,
            rule,
            part: name.part,
            active: &name.active,
        };
        are_read(&call.params(), types).then_some(call)
    }
    /// The dual of a part of a native rule that a call means.
    pub fn native_dual(&self, callee: Callee, types: &[Type]) -> Option<NativeDual<'_>> {
        let Callee::Native(name) = callee else {
            return None;
        };
        let moving = &name.moving.as_ref()?[..];
        let call = self.native_call(name, types.get(..moving.len())?)?;
        let has_dual = call.rule.second.is_some() && call.part != NativePart::Frule;
        let dual = NativeDual { call, moving };
        (has_dual && are_read(&dual.params(), types)).then_some(dual)
    }
    /// The effects of a call of what is outside of a module, if it is an entry or a part of a native rule.
    pub fn effects(&self, callee: impl Into<Callee>, types: &[Type]) -> Effects {
        let callee = callee.into();
        let entry = match callee {
            Callee::Native(_) => {
                let part = self.native_part(callee, types);
                part.or_else(|| Some(self.native_dual(callee, types)?.call))
                    .map(|call| call.entry)
            }
            _ => self.entry(callee, types),
        };
        entry.map(|entry| entry.effects).unwrap_or_default()
    }
    /// Whether a call of what is outside of a module has no effect besides its result, and gives the same for the same arguments: it
    /// touches no memory, is not ordered, and is no half of a reverse pass.
    pub fn is_pure(&self, callee: Callee, types: &[Type]) -> bool {
        let memory = |ty: &Type| matches!(ty, Type::Slice(_) | Type::SliceMut(_) | Type::Ptr);
        !matches!(callee, Callee::Native(_))
            && !types.iter().any(memory)
            && self.call_type(callee, types).is_some()
            && !self.effects(callee, types).is_ordered()
    }
}

/// The methods of arrays that are rules of packs, besides [`HostOp`]s and scalar functions; and the paths of those.
pub const ARRAY_METHODS: &[(&str, &str)] = &[
    ("cholesky", "linalg::cholesky"),
    ("det", "linalg::det"),
    ("dot", "linalg::dot"),
    ("eigh", "linalg::eigh"),
    ("inv", "linalg::inv"),
    ("kron", "linalg::kron"),
    ("logdet", "linalg::logdet"),
    ("lstsq", "linalg::lstsq"),
    ("lu", "linalg::lu"),
    ("norm", "linalg::norm"),
    ("qr", "linalg::qr"),
    ("slogdet", "linalg::slogdet"),
    ("solve", "linalg::solve"),
    ("solve_triangular", "linalg::solve_triangular"),
    ("solve_triangular_t", "linalg::solve_triangular_t"),
    ("svd", "linalg::svd"),
    ("trace", "linalg::trace"),
];

/// The rule of a pack that a method of arrays is.
pub fn array_method(name: &str) -> Option<&'static str> {
    let found = ARRAY_METHODS.iter().find(|(method, _)| *method == name);
    found.map(|(_, path)| *path)
}

impl HostOp {
    /// The result type for arguments of these types; `None` if they do not fit.
    pub fn result(self, types: &[Type]) -> Option<Type> {
        use HostOp::*;
        let float = |t: &Type| matches!(t, Type::Array(e) if e.is_float());
        // An argument that only gives its shape may be an array of `f16` where the other is its cotangent.
        let shaped = |a: &Type, like: &Type| a == like || *a == tangent::widened(*like);
        // What is stored in 16 bits is not computed with.
        let number = |t: &Type| t.is_array() && t.element() != Some(Type::F16);
        match (self, types) {
            (Matmul | MatmulNt | MatmulTn | Accumulate, [a, b]) if float(a) && a == b => Some(*a),
            (SameShape | Unbroadcast | OrZeros | Expand, [a, b]) if float(a) && shaped(a, b) => {
                Some(*a)
            }
            (OrZeros, [a, b]) if *a == Type::array(Type::F16) && a == b => Some(*a),
            (Transpose, [a]) if a.is_array() => Some(*a),
            (Sum, [a]) if number(a) => Some(*a),
            (Mean, [a]) if float(a) => Some(*a),
            (Full, [s, Type::Tuple(dims)])
                if s.is_element() && dims.iter().all(|d| *d == Type::Usize) =>
            {
                Some(Type::array(*s))
            }
            (ReshapeLike | BroadcastLike, [a, b]) if a.is_array() && shaped(a, b) => Some(*a),
            (Flatten, [a]) if a.is_array() => Some(*a),
            (Numel, [a]) if a.is_array() => a.element(),
            (Ndim, [a]) if a.is_array() => Some(Type::Usize),
            (Narrow, [a, Type::Usize, Type::Usize, Type::Usize]) if a.is_array() => Some(*a),
            (SwapAxes, [a, Type::Usize, Type::Usize]) if a.is_array() => Some(*a),
            (ExpandDims | Squeeze, [a, Type::Usize]) if a.is_array() => Some(*a),
            (NarrowLike | Place, [a, Type::Usize, Type::Usize, b]) if float(a) && shaped(a, b) => {
                Some(*a)
            }
            (Pad, [a, Type::Usize, Type::Usize, Type::Usize]) if a.is_array() => Some(*a),
            (Concat, [a, b, Type::Usize]) if a.is_array() && a == b => Some(*a),
            (Flip, [a, Type::Usize]) if a.is_array() => Some(*a),
            (Roll, [a, Type::Usize, Type::I64]) if a.is_array() => Some(*a),
            (SliceAxis, [a, Type::Usize, Type::Usize, Type::Usize, Type::Usize])
                if a.is_array() =>
            {
                Some(*a)
            }
            (UnsliceAxis, [a, Type::Usize, Type::Usize, Type::Usize, Type::Usize, b])
                if float(a) && shaped(a, b) =>
            {
                Some(*a)
            }
            (ReplaceAxis, [a, Type::Usize, Type::Usize, Type::Usize, Type::Usize, b])
                if a.is_array() && a == b =>
            {
                Some(*a)
            }
            (InsertAxis, [a, Type::Usize, Type::Usize]) if a.is_array() => Some(*a),
            (IndexAlong, [a @ Type::Array(Type::U32), Type::Usize, b]) if b.is_array() => Some(*a),
            (Unflatten, [a, Type::Usize, b]) if a.is_array() && b.is_array() => Some(*a),
            (UnmergeAxes, [a, b, Type::Tuple(axes)])
                if a.is_array() && shaped(a, b) && axes.iter().all(|d| *d == Type::Usize) =>
            {
                Some(*a)
            }
            (
                Arange | Eye,
                [
                    s @ (Type::F32 | Type::F64 | Type::I32 | Type::U32),
                    Type::Usize,
                ],
            ) => Some(Type::array(*s)),
            (Cumsum | SumAxis | MaxAxis, [a, Type::Usize]) if number(a) => Some(*a),
            (SplitExtent, [a, Type::Usize, Type::Usize]) if a.is_array() => Some(Type::Usize),
            (SplitTotal, [a, Type::Usize, Type::Usize]) if a.is_array() => Some(Type::Usize),
            (Reshape | BroadcastTo | Permute | Unpermute | MergeAxes, [a, Type::Tuple(dims)])
                if a.is_array() && dims.iter().all(|d| *d == Type::Usize) =>
            {
                Some(*a)
            }
            (Softmax | LogSoftmax, [a, Type::Usize]) if float(a) => Some(*a),
            (ExpandAxis, [a, b, Type::Usize]) if float(a) && shaped(a, b) => Some(*a),
            (Gather, [a, Type::Usize, Type::Array(Type::U32)]) if a.is_array() => Some(*a),
            (ScatterAdd, [a, Type::Usize, Type::Array(Type::U32), b])
                if float(a) && shaped(a, b) =>
            {
                Some(*a)
            }
            (SumToScalar, [a]) if float(a) => a.element(),
            (Item, [a]) if number(a) => a.element(),
            (Dim, [a, Type::Usize]) if a.is_array() => Some(Type::Usize),
            (FromSlice, [Type::Slice(x) | Type::SliceMut(x)]) if x.is_element() => {
                Some(Type::array(**x))
            }
            (Overwrite, [Type::SliceMut(x), a]) if a.element() == Some(**x) && number(a) => {
                Some(Type::UNIT)
            }
            (FullLike, [s, a]) if s.is_float() && tangent::widened(*a).element() == Some(*s) => {
                Some(tangent::widened(*a))
            }
            _ => None,
        }
    }
}

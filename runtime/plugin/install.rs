//! From declarations to entries: the second half of the door.
//!
//! A registry is not changed but made anew, so that a pack that fails half-way leaves nothing behind. Packs that come
//! together (all linked ones) may use each other's functions in any order: first every signature is known, then
//! every expression is read. A name in an expression is a row of the same pack, private or not, or else what it means everywhere.

use super::signature::Instance;
use super::{Declaration, DeclarationKind, KernelText, Pack, fault, kernel, native, wgsl};
use crate::diag::{Result, Span, notice};
use crate::ir::expr::is_operation;
use crate::ir::parse::parse_expressions;
use crate::ir::verify::{Externals, verify};
use crate::ir::{
    Called, Callee, Function, HostOp, InstData, Module, Op, Prim, Symbol, Terminator, Type, Value,
};
use crate::registry::{
    ArrayRule, ContextKind, Entry, EntryKind, Kernel, NativeCode, NativeRule, Registry, ScalarRule,
    canonical, is_private, wgsl_name,
};
use crate::tangent;
use log::Level;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the user allows.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Leave out the entries that are wrong (a notice reports each) instead of refusing the pack.
    pub allow_partial: bool,
    /// Of two packs that define the same entry, the one named earlier here gives it.
    pub rank: Vec<String>,
}

/// A declaration with one choice of types.
struct Draft<'a> {
    pack: &'a Pack,
    rows: Arc<Rows>,
    declaration: &'a Declaration,
    /// Its name in the registry.
    name: Symbol,
    instance: Instance,
}

/// The names of a pack's rows in the registry, by their names in the pack.
#[derive(Default)]
struct Rows(BTreeMap<Symbol, Symbol>);

impl Rows {
    fn of(pack: &Pack) -> Rows {
        let rows = (pack.declarations.iter())
            .filter(|row| !row.is_for_existing())
            .map(|row| (row.signature.name, pack.row(row)));
        // A row that could not be read is meant nevertheless, and not another pack's of this name.
        let unread = pack.unread.iter().filter_map(|row| row.name);
        let unread = unread.map(|name| (name, pack.unread_row(name)));
        // Such a name means the operation, also if a faulty row has it.
        let named = |(name, _): &(Symbol, Symbol)| !is_operation(name.as_str());
        Rows(unread.chain(rows).filter(named).collect())
    }
    /// The meaning of a name in an expression of the pack; `None` for a private row of another pack.
    fn resolve(&self, name: Symbol) -> Option<Symbol> {
        match self.0.get(&name) {
            Some(&own) => Some(own),
            None => Some(canonical(name.as_str())).filter(|name| !is_private(*name)),
        }
    }
    /// What a call in an expression of the pack means: a row of the pack before an operation of the host.
    fn meant(&self, callee: Callee) -> Option<Callee> {
        self.resolve(callee.symbol()).map(Callee::from)
    }
    /// The function of an expression, with the name in every call resolved.
    fn resolved(&self, mut function: Function) -> Function {
        let insts: Vec<_> = (function.blocks_in_order())
            .flat_map(|(_, block)| block.insts.clone())
            .collect();
        for inst in insts {
            match &mut function.insts[inst].op {
                Op::Call(callee) => *callee = self.meant(*callee).unwrap_or(*callee),
                Op::Map(name) => *name = self.resolve(*name).unwrap_or(*name),
                Op::Const(_) | Op::Prim(_) => {}
            }
        }
        function
    }
}

/// A faulty row.
#[derive(Clone, Debug)]
pub struct WrongRow {
    /// The pack.
    pub pack: String,
    /// The row's name; `None` if the row could not be read.
    pub row: Option<Symbol>,
    /// What is wrong.
    pub message: String,
}

/// The registry with the entries of these packs added. A faulty row refuses all of them, unless the user allows partial packs; then a notice says what is
/// left out.
pub fn install(registry: &Registry, packs: &[Arc<Pack>], options: &Options) -> Result<Registry> {
    let (installed, wrong) = install_all(registry, packs, options)?;
    for WrongRow { pack, message, .. } in wrong {
        let error = fault(pack, message);
        match options.allow_partial {
            true => notice(Level::Warn, format_args!("left out: {error}")),
            false => return Err(error),
        }
    }
    Ok(installed)
}

/// The registry with the entries of these packs added, and the faulty rows, which are not added.
pub fn install_all(
    registry: &Registry,
    packs: &[Arc<Pack>],
    options: &Options,
) -> Result<(Registry, Vec<WrongRow>)> {
    let mut installed = registry.clone();
    let mut wrong = Vec::new();
    for pack in packs {
        wrong.extend(pack.unread.iter().map(|row| WrongRow {
            pack: pack.name.clone(),
            row: None,
            message: row.message.clone(),
        }));
    }
    let drafts = without_duplicates(&mut installed, drafts(packs), options)?;
    let known: BTreeMap<(Symbol, &[Type]), Type> = drafts
        .iter()
        .filter(|draft| !draft.declaration.is_for_existing())
        .map(|draft| {
            (
                (draft.name, draft.instance.params.as_slice()),
                draft.instance.ret,
            )
        })
        .collect();
    let base = installed.clone();
    let externals = |callee: Callee, types: &[Type]| {
        let new = callee
            .row()
            .and_then(|name| known.get(&(name, types)).copied());
        new.or_else(|| base.call_type(callee, types))
    };
    for draft in &drafts {
        let made = draft.entry(&externals);
        match made {
            Ok(entry) if draft.declaration.is_for_existing() => installed.replace(entry),
            Ok(entry) => {
                let replaced = installed.insert(entry);
                debug_assert!(replaced.is_ok(), "duplicates were sorted out before");
            }
            Err(message) => wrong.push(WrongRow {
                pack: draft.pack.name.clone(),
                row: Some(draft.declaration.signature.name),
                message,
            }),
        }
    }
    let is_wrong = |wrong: &[WrongRow], draft: &Draft| {
        let name = draft.declaration.signature.name;
        let is_it = |row: &WrongRow| row.pack == draft.pack.name && row.row == Some(name);
        wrong.iter().any(is_it)
    };
    for draft in &drafts {
        let of_itself = uses_itself(&installed, draft.name, &draft.instance.params);
        let found = of_itself.into_iter().chain(uses_ordered(&installed, draft));
        wrong.extend(found.map(|message| draft.wrong(message)));
    }
    // What uses a wrong row is wrong too, and so on. A wrong rule for an existing function leaves that function as it is.
    let mut left_out: BTreeSet<Symbol> = BTreeSet::new();
    loop {
        let before = left_out.len();
        let new = (drafts.iter())
            .filter(|draft| !draft.declaration.is_for_existing() && is_wrong(&wrong, draft));
        left_out.extend(new.map(|draft| draft.name));
        if left_out.len() == before {
            break;
        }
        let right = drafts.iter().filter(|draft| !is_wrong(&wrong, draft));
        let users: Vec<WrongRow> = right
            .filter_map(|draft| Some(draft.wrong(uses_wrong(&installed, draft, &left_out)?)))
            .collect();
        wrong.extend(users);
    }
    for draft in drafts.iter().filter(|draft| is_wrong(&wrong, draft)) {
        match draft.declaration.is_for_existing() {
            true => installed.remove_replacing(draft.name, &draft.instance.params),
            false => installed.remove(draft.name, &draft.instance.params),
        }
    }
    Ok((installed, wrong))
}

/// The fault of a row whose body uses the row itself, directly or through other bodies: it could never be expanded.
fn uses_itself(registry: &Registry, name: Symbol, params: &[Type]) -> Option<String> {
    let start = (name, params.to_vec());
    let mut seen = BTreeSet::new();
    let mut open = vec![start.clone()];
    while let Some((caller, types)) = open.pop() {
        let Some(body) = registry.find(caller, &types).and_then(|entry| entry.body()) else {
            continue;
        };
        for callee in callees(body) {
            let Some(row) = callee.callee.row() else {
                continue;
            };
            let callee = (row, callee.types);
            if callee == start {
                let through = match caller == name {
                    true => String::new(),
                    false => format!(", through `{caller}`"),
                };
                return Some(format!("its body uses the function itself{through}"));
            }
            if seen.insert(callee.clone()) {
                open.push(callee);
            }
        }
    }
    None
}

/// The fault of a row whose expressions have effects that the row does not declare: only the pullback and the tangents of an ordered function may be
/// ordered, and no map may be.
fn uses_ordered(registry: &Registry, draft: &Draft) -> Option<String> {
    let entry = draft.installed(registry)?;
    let callees = expressions(entry).into_iter().flat_map(callees);
    for Called {
        callee: name,
        types,
        is_mapped,
    } in callees
    {
        match (registry.effects(name, &types).is_ordered(), is_mapped) {
            (true, true) => {
                return Some(format!(
                    "its expressions map `{name}` over arrays, and `{name}` is ordered: the elements of an array have no order"
                ));
            }
            (true, false) if !entry.effects.is_ordered() => {
                return Some(format!(
                    "its expressions call `{name}`, which is ordered: only the expressions of a `native!` row that is ordered itself may call it"
                ));
            }
            _ => {}
        }
    }
    None
}

/// The fault of a row whose expressions use a row that is left out.
fn uses_wrong(registry: &Registry, draft: &Draft, left_out: &BTreeSet<Symbol>) -> Option<String> {
    let entry = draft.installed(registry)?;
    let callees = expressions(entry).into_iter().flat_map(callees);
    let mut wrong = callees.filter_map(|called| called.callee.row());
    let name = wrong.find(|name| left_out.contains(name))?;
    Some(format!(
        "its expressions use `{name}`, which is wrong itself"
    ))
}

/// All expressions of an entry, as functions.
fn expressions(entry: &Entry) -> Vec<&Function> {
    match &entry.kind {
        EntryKind::Scalar(rule) => rule.body.iter().chain([&rule.partials]).collect(),
        EntryKind::Array(rule) => {
            let tangents = rule.tangent.iter().flatten();
            tangents.chain(&rule.body).chain([&rule.pullback]).collect()
        }
        EntryKind::Native(rule) => rule.body.iter().collect(),
    }
}

/// The functions that a straight-line function calls and maps.
fn callees(function: &Function) -> impl Iterator<Item = Called> {
    let insts = (function.blocks_in_order()).flat_map(|(_, block)| &block.insts);
    insts.filter_map(|&inst| function.callee(inst))
}

fn drafts(packs: &[Arc<Pack>]) -> Vec<Draft<'_>> {
    let of = |pack: &'_ Pack| pack.declarations.len();
    let mut drafts = Vec::with_capacity(2 * packs.iter().map(|p| of(p)).sum::<usize>());
    for pack in packs {
        let rows = Arc::new(Rows::of(pack));
        for declaration in &pack.declarations {
            let instances = declaration.signature.instances();
            drafts.extend(instances.into_iter().map(|instance| Draft {
                pack,
                rows: rows.clone(),
                declaration,
                name: pack.row(declaration),
                instance,
            }));
        }
    }
    drafts
}

/// Refuses entries that are defined twice. Entries of packs that the user has ranked give way to the earlier rank.
fn without_duplicates<'a>(
    installed: &mut Registry,
    drafts: Vec<Draft<'a>>,
    options: &Options,
) -> Result<Vec<Draft<'a>>> {
    let rank = |pack: &str| options.rank.iter().position(|name| name == pack);
    let mut kept: BTreeMap<(Symbol, Vec<Type>, bool), Draft> = BTreeMap::new();
    for draft in drafts {
        let name = draft.name;
        let is_for_existing = draft.declaration.is_for_existing();
        let key = (name, draft.instance.params.clone(), is_for_existing);
        let before = kept.get(&key).map(|d| d.pack.name.clone());
        let known = match is_for_existing {
            true => installed.replacing(name, &key.1, ContextKind::Default),
            false => installed.find(name, &key.1),
        };
        let before = before.or_else(|| known.map(|e| e.pack.to_string()));
        let Some(before) = before else {
            kept.insert(key, draft);
            continue;
        };
        let signature = &draft.declaration.signature;
        if before == draft.pack.name {
            return Err(fault(&before, format!("`{signature}` is declared twice")));
        }
        match (rank(&before), rank(&draft.pack.name)) {
            (Some(old), Some(new)) if old < new => {}
            (Some(_), Some(_)) => {
                match is_for_existing {
                    true => installed.remove_replacing(name, &key.1),
                    false => installed.remove(name, &key.1),
                }
                kept.insert(key, draft);
            }
            _ => {
                let message = format!(
                    "`{signature}` is already defined by pack {before}: load only one of them, or rank them with Context::builder().rank([..])"
                );
                return Err(fault(&draft.pack.name, message));
            }
        }
    }
    Ok(kept.into_values().collect())
}

/// The most arguments, and the most results, of a function in machine code.
const MAX_NATIVE: usize = 64;

impl Draft<'_> {
    /// What has been made of it.
    fn installed<'r>(&self, registry: &'r Registry) -> Option<&'r Entry> {
        let params = &self.instance.params;
        let entry = match self.declaration.is_for_existing() {
            true => registry.replacing(self.name, params, ContextKind::Default),
            false => registry.find(self.name, params),
        };
        entry.map(Arc::as_ref)
    }
    fn wrong(&self, message: String) -> WrongRow {
        let signature = &self.declaration.signature;
        WrongRow {
            pack: self.pack.name.clone(),
            row: Some(signature.name),
            message: format!("`{signature}`: {message}"),
        }
    }
    fn entry(&self, externals: Externals) -> Result<Entry, String> {
        let signature = &self.declaration.signature;
        self.check_name()?;
        let own = match self.has_expressions() {
            true => &["y", "dy", "dx"][..],
            false => &[],
        };
        if let Some((name, _)) = signature
            .params
            .iter()
            .find(|(name, _)| own.contains(&name.as_str()))
        {
            return Err(format!(
                "`{signature}`: a parameter cannot be called `{name}`: in expressions that is the result's name"
            ));
        }
        let is_for_existing = self.declaration.is_for_existing();
        if is_for_existing {
            self.for_existing(externals)
                .map_err(|e| format!("`{signature}`: {e}"))?;
        } else if self.declaration.context == ContextKind::Default
            && self.declaration.body().is_empty()
        {
            return Err(format!(
                "`{signature}`: the context Default needs a `body`: without one the minimal context has nothing to derive"
            ));
        }
        let kind = match &self.declaration.kind {
            DeclarationKind::Scalar { .. } => self.scalar(externals).map(EntryKind::Scalar),
            DeclarationKind::Rule {
                body,
                pullback,
                tangent,
            } => match is_for_existing {
                true => Ok(()),
                false => self.host_or_body(body),
            }
                .and_then(|()| self.rule(body, None, pullback, tangent, externals))
                .map(EntryKind::Array),
            DeclarationKind::Native {
                body,
                pullback,
                tangent,
                primal,
                rrule,
                frule,
                second,
                kernel,
            } => self.native_types().and_then(|()| self.effects(kernel.is_some())).and_then(|()| {
                let kernel = self.kernel(kernel.as_ref())?;
                let ruled = rrule.is_some() || frule.is_some();
                match (ruled, !pullback.is_empty() || !tangent.is_empty()) {
                    (true, true) => Err(
                        "a derivative by `pullback` and `tangent` and one by `rrule` and `frule`: expected one of them".into(),
                    ),
                    (false, _) if self.is_expression_rule(pullback) => {
                        let rule = self.rule(body, Some(*primal), pullback, tangent, externals);
                        rule.map(|rule| EntryKind::Array(ArrayRule { kernel, ..rule }))
                    }
                    _ => {
                        let rules = [*rrule, *frule, *second];
                        let rule = self.native_rule(body, *primal, rules, externals);
                        rule.map(|rule| EntryKind::Native(NativeRule { kernel, ..rule }))
                    }
                }
            }),
        };
        Ok(Entry {
            name: self.name,
            param_names: signature.params.iter().map(|(name, _)| *name).collect(),
            params: self.instance.params.clone(),
            ret: self.instance.ret,
            context: self.declaration.context,
            pack: Symbol::new(&self.pack.name),
            effects: self.declaration.effects,
            kind: kind.map_err(|message| format!("`{signature}`: {message}"))?,
        })
    }

    /// The fault of a rule for an existing function, apart from its expressions: such a rule may define only a derivative.
    fn for_existing(&self, externals: Externals) -> Result<(), String> {
        let Declaration {
            signature,
            private,
            context,
            kind,
            ..
        } = self.declaration;
        if *private || *context != ContextKind::Default {
            return Err("a rule for a function that exists cannot be private, and its context is Default: leave out `private` and `context`".into());
        }
        let computes = match kind {
            DeclarationKind::Scalar {
                body,
                wgsl,
                native,
                with_partials,
                ..
            } => {
                let code = native.iter().chain(with_partials);
                !body.is_empty() || !wgsl.is_empty() || code.flatten().next().is_some()
            }
            DeclarationKind::Rule { body, .. } => !body.is_empty(),
            DeclarationKind::Native { .. } => true,
        };
        if computes {
            return Err("the function exists and computes its value itself: give its derivatives as expressions, and nothing else".into());
        }
        let path = signature.name.as_str();
        if path.split("::").next() == Some(&self.pack.short_name()) {
            return Err("a pack's own rows are written without its name".into());
        }
        let Instance { params, ret, .. } = &self.instance;
        match path.strip_prefix("std::") {
            Some(row) if externals(self.name.into(), params) != Some(*ret) => {
                Err(format!("the pack std has no `{row}` of this signature"))
            }
            None if externals(self.name.into(), params).is_some() => Err(format!(
                "`{path}` is a row of another pack, which has its own rule: rows are named by paths for functions of the pack std and of programs"
            )),
            _ => Ok(()),
        }
    }

    /// In expressions the name of a primitive means the primitive, so only the row of the primitive itself may have it. A row is either private or
    /// public, not both.
    fn check_name(&self) -> Result<(), String> {
        let row = self.declaration.signature.name;
        if self.name != row && is_operation(row.as_str()) {
            return Err(format!(
                "`{row}`: in expressions that is the operation `{row}` itself; choose another name"
            ));
        }
        match self.rows.0.get(&row) {
            Some(&known) if known != self.name => Err(format!(
                "`{row}` has private and public declarations: declare it private for all of its types, or for none"
            )),
            _ => Ok(()),
        }
    }

    /// Whether its derivative is written as expressions, in which the result and the tangents have names.
    fn has_expressions(&self) -> bool {
        match &self.declaration.kind {
            DeclarationKind::Scalar { .. } | DeclarationKind::Rule { .. } => true,
            DeclarationKind::Native {
                pullback, tangent, ..
            } => !pullback.is_empty() || !tangent.is_empty(),
        }
    }

    fn scalar(&self, externals: Externals) -> Result<ScalarRule, String> {
        let DeclarationKind::Scalar {
            domain,
            partials,
            body,
            wgsl,
            native,
            with_partials,
        } = &self.declaration.kind
        else {
            unreachable!("called for scalars only");
        };
        let Instance { float, params, ret } = &self.instance;
        if ret != float || !params.iter().all(|t| t.is_scalar()) {
            return Err("a scalar function takes scalars and returns a T".into());
        }
        if let Some(other) = params.iter().find(|t| t.is_float() && t != &float) {
            return Err(format!(
                "`scalar!` has floats of one type, here {float}, and there is an {other}: write a `rule!` or a `native!` for floats of both types"
            ));
        }
        let at = (*float == Type::F64) as usize;
        let row = self.declaration.signature.name.as_str();
        let is_prim = Prim::from_mnemonic(self.name.as_str()).is_some();
        let is_for_existing = self.declaration.is_for_existing();
        if native[at].is_none() && body.is_empty() && !is_prim && !is_for_existing {
            return Err(format!(
                "no primal for {float}: it needs `native` or `body`"
            ));
        }
        if (native[at].is_some() || with_partials[at].is_some()) && !native::callable(params) {
            return Err(format!(
                "a native function takes up to {} floats of one type, or a float and an i32",
                native::MAX_ARITY
            ));
        }
        if let Some((low, high)) = domain
            .iter()
            .find(|(low, high)| !(low.is_finite() && high.is_finite() && low <= high))
        {
            return Err(format!(
                "sampling range {low}..{high} is empty or not finite"
            ));
        }
        let [single, double] = wgsl::parts(wgsl);
        if !single.is_empty() {
            wgsl::check(row, params, single)?;
        }
        if !double.is_empty() && *float == Type::F64 {
            wgsl::check_f64(row, params, double)?;
        }
        let wgsl = [single, double][at];
        Ok(ScalarRule {
            native: native[at],
            with_partials: with_partials[at],
            body: self.body(body, externals)?,
            partials: self.expressions(
                "partials",
                &self.results(),
                partials,
                &self.cotangents(true),
                externals,
            )?,
            wgsl: (!wgsl.is_empty()).then(|| wgsl::renamed(wgsl, row, &wgsl_name(self.name))),
            domain: domain.clone(),
        })
    }

    /// Checks that a rule over arrays has a body, or that the host computes it.
    fn host_or_body(&self, body: &str) -> Result<(), String> {
        let Instance { params, ret, .. } = &self.instance;
        let host = HostOp::from_name(self.name.as_str());
        match (host, body.is_empty()) {
            (None, true) => {
                return Err(
                    "no primal: it needs `body`, since the host has no operation of this name"
                        .into(),
                );
            }
            (Some(_), false) => {
                return Err("the host computes this operation: it takes no `body`".into());
            }
            (Some(op), true) if op.result(params) != Some(*ret) => {
                return Err(match op.result(params) {
                    Some(found) => {
                        format!("the host's operation returns {found}, the signature says {ret}")
                    }
                    None => format!("the host's operation does not take {params:?}"),
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks the types that cross the boundary to machine code: numbers, slices of numbers, and arrays that devices can hold.
    fn native_types(&self) -> Result<(), String> {
        let Instance { params, ret, .. } = &self.instance;
        let results = tangent::leaves(*ret);
        let holds = |ty: &Type| match ty {
            Type::Array(t) => matches!(t, Type::F32 | Type::F64 | Type::I32 | Type::U32),
            Type::Slice(t) | Type::SliceMut(t) => t.is_scalar(),
            ty => ty.is_scalar(),
        };
        if let Some(ty) = params.iter().find(|ty| !holds(ty)) {
            return Err(format!(
                "a native function cannot take {ty}; it takes numbers, slices of numbers, and arrays of f32, f64, i32, u32"
            ));
        }
        let returned = |ty: &&Type| ty.is_array() && holds(ty) || ty.is_scalar();
        if let Some(ty) = results
            .iter()
            .find(|ty| **ty != Type::UNIT && !returned(ty))
        {
            return Err(format!(
                "a native function cannot return {ty}; it returns numbers, and arrays of f32, f64, i32, u32"
            ));
        }
        if results.iter().any(|ty| ty.is_array()) && !params.iter().any(|ty| ty.is_array()) {
            return Err(
                "no argument is an array, so nothing says on which device the result is".into(),
            );
        }
        match params.len().max(results.len()) {
            0..=MAX_NATIVE => Ok(()),
            count => Err(format!(
                "{count} arguments or results; at most {MAX_NATIVE}"
            )),
        }
    }

    /// A function with effects has only machine code, because nothing else can express its effects.
    fn effects(&self, has_kernel: bool) -> Result<(), String> {
        if !self.declaration.effects.is_ordered() {
            return Ok(());
        }
        match (has_kernel, self.declaration.body().is_empty()) {
            (false, true) => Ok(()),
            (true, _) => Err("an ordered function has no `kernel`: its effects happen where its machine code runs".into()),
            (false, false) => Err("an ordered function has no `body`: expressions have no effects".into()),
        }
    }

    /// The kernel of the primal, for this choice of types.
    fn kernel(&self, text: Option<&KernelText>) -> Result<Option<Arc<Kernel>>, String> {
        let Instance { params, ret, .. } = &self.instance;
        let names = self.declaration.signature.params.iter();
        let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        match text {
            None => Ok(None),
            Some(text) => kernel::read(text, &names, params, *ret)
                .map(|found| found.map(Arc::new))
                .map_err(|message| format!("kernel: {message}")),
        }
    }

    /// Whether the derivative of a function in machine code is given by expressions. Expressions cannot mention memory.
    fn is_expression_rule(&self, pullback: &[String]) -> bool {
        let slice = |ty: &Type| matches!(ty, Type::Slice(_) | Type::SliceMut(_));
        !pullback.is_empty() || !self.instance.params.iter().any(slice)
    }

    fn native_rule(
        &self,
        body: &str,
        primal: usize,
        [rrule, frule, second]: [Option<usize>; 3],
        externals: Externals,
    ) -> Result<NativeRule, String> {
        let Instance { float, params, ret } = &self.instance;
        let mut all = params.iter().copied().chain(tangent::leaves(*ret));
        if second.is_some() && (rrule.is_none() || all.any(Type::is_array)) {
            return Err(
                "`second` is for functions over numbers and slices that have an `rrule`".into(),
            );
        }
        let written = |ty: &Type| matches!(ty, Type::SliceMut(t) if t.is_float());
        let smooth = tangent::has_rdata(*ret) || params.iter().any(written);
        if smooth && rrule.is_none() {
            return Err("no derivative: it needs `rrule`, or, without slices, `pullback`".into());
        }
        let code = |address| NativeCode {
            address,
            float: *float,
            data: 0,
        };
        Ok(NativeRule {
            body: self.body(body, externals)?,
            primal: code(primal),
            kernel: None,
            rrule: rrule.map(code),
            frule: frule.map(code),
            second: second.map(code),
        })
    }

    fn rule(
        &self,
        body: &str,
        native: Option<usize>,
        pullback: &[String],
        tangent: &[String],
        externals: Externals,
    ) -> Result<ArrayRule, String> {
        let Instance { float, params, ret } = &self.instance;
        let derived = self.declaration.context == ContextKind::Derived;
        match (derived, pullback.is_empty() && tangent.is_empty()) {
            (true, true) if body.is_empty() => {
                return Err("no derivative: it needs `pullback`, or a `body` to derive".into());
            }
            (true, false) => {
                return Err("a function that is derived in every context takes no rule".into());
            }
            // With only a tangent, the gradient would silently be zero.
            (false, _) if pullback.is_empty() && tangent::has_rdata(*ret) => {
                return Err("no derivative: it needs `pullback`, or `rrule`".into());
            }
            _ => {}
        }
        let slice = |ty: &Type| matches!(ty, Type::Slice(_) | Type::SliceMut(_));
        if params.iter().any(slice) {
            return Err(
                "expressions have no word for slices: their derivatives need `rrule`".into(),
            );
        }
        let extra = [self.results(), self.seeds()].concat();
        Ok(ArrayRule {
            body: self.body(body, externals)?,
            native: native.map(|address| NativeCode {
                address,
                float: *float,
                data: 0,
            }),
            kernel: None,
            pullback: self.expressions(
                "pullback",
                &extra,
                pullback,
                &self.cotangents(false),
                externals,
            )?,
            tangent: (tangent.iter().zip(params).zip(pullback))
                .enumerate()
                .map(|(i, ((text, ty), pullback))| {
                    self.tangent(i, text, *ty, !pullback.is_empty(), externals)
                })
                .collect::<Result<_, String>>()?,
        })
    }

    /// The contribution of the tangent of the i-th argument to that of the result, as a function of the arguments, `y` and `dx`.
    fn tangent(
        &self,
        i: usize,
        text: &str,
        ty: Type,
        required: bool,
        externals: Externals,
    ) -> Result<Option<Function>, String> {
        let (signature, ret) = (&self.declaration.signature, self.instance.ret);
        let several = matches!(ret, Type::Tuple(_));
        let what = format!("tangent of `{}`", signature.params[i].0);
        match (text.is_empty(), required) {
            (true, true) => return Err(format!("{what}: missing, though there is a pullback")),
            (true, false) => return Ok(None),
            (false, _) => {}
        }
        let mut extra = self.results();
        extra.push(("dx".to_owned(), ty));
        let texts = [text.to_owned()];
        if !several {
            let expected = &[(ret, true)];
            let tangent = self.expressions(&what, &extra, &texts, expected, externals)?;
            return Ok(Some(tangent));
        }
        let mut tangent = self.parsed(&what, &extra, &texts, externals)?;
        unwrap_single(&mut tangent);
        spread(&mut tangent);
        let expected = self.seeds();
        let fits = |found: &[Type]| {
            let pairs = found.iter().zip(&expected);
            found.len() == expected.len() && { pairs }
                .all(|(found, (_, ty))| *found == Type::UNIT || found == ty)
        };
        match tangent.ret {
            Type::Tuple(found) if fits(found) => Ok(Some(tangent)),
            found => {
                let expected: Vec<Type> = expected.into_iter().map(|(_, ty)| ty).collect();
                let expected = Type::tuple(&expected);
                Err(format!(
                    "{what}: `{text}` is {found}; expected {expected}: what the tangent adds to the floats of the result, with () for those that it adds nothing to"
                ))
            }
        }
    }

    /// The leaves of the result: `y`, or `y.0`, `y.1`, … if there are several.
    fn results(&self) -> Vec<(String, Type)> {
        match self.instance.ret {
            Type::Tuple(fields) => { fields.iter().enumerate() }
                .map(|(n, &ty)| (format!("y.{n}"), ty))
                .collect(),
            one => vec![("y".to_owned(), one)],
        }
    }

    /// The cotangents of the leaves that can have one: `dy`, or `dy.0`, …
    fn seeds(&self) -> Vec<(String, Type)> {
        let results = self.results().into_iter();
        let smooth = results.filter(|(_, ty)| tangent::has_rdata(*ty));
        smooth.map(|(y, ty)| (format!("d{y}"), ty)).collect()
    }

    /// The type that each expression must have: that of the argument. `required` says that differentiable arguments must have an expression.
    fn cotangents(&self, required: bool) -> Vec<(Type, bool)> {
        self.instance
            .params
            .iter()
            .map(|t| (*t, required && t.is_differentiable()))
            .collect()
    }

    /// The primal as a function that returns its value.
    fn body(&self, text: &str, externals: Externals) -> Result<Option<Function>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let mut function = self.expressions(
            "body",
            &[],
            &[text.to_owned()],
            &[(self.instance.ret, true)],
            externals,
        )?;
        unwrap_single(&mut function);
        Ok(Some(function))
    }

    /// Expressions over the parameters and `extra`, as a function that returns their tuple.
    fn parsed(
        &self,
        what: &str,
        extra: &[(String, Type)],
        texts: &[String],
        externals: Externals,
    ) -> Result<Function, String> {
        let signature = &self.declaration.signature;
        let names = signature.params.iter().map(|(name, _)| name.as_str());
        let params: Vec<(&str, Type)> = names
            .zip(self.instance.params.iter().copied())
            .chain(extra.iter().map(|(name, ty)| (name.as_str(), *ty)))
            .collect();
        let texts: Vec<&str> = texts.iter().map(|t| t.trim()).collect();
        let kind = what.split(' ').next().unwrap_or(what);
        let name = Symbol::new(&format!("{}.{kind}", self.name));
        let meant = |callee: Callee, types: &[Type]| externals(self.rows.meant(callee)?, types);
        let function =
            parse_expressions(name, &params, &texts, &meant).map_err(|e| format!("{what}: {e}"))?;
        let function = self.rows.resolved(function);
        verify(&Module::new(function.clone()), externals).map_err(|e| format!("{what}: {e}"))?;
        Ok(function)
    }

    /// The same, with an expected type for each expression.
    fn expressions(
        &self,
        what: &str,
        extra: &[(String, Type)],
        texts: &[String],
        expected: &[(Type, bool)],
        externals: Externals,
    ) -> Result<Function, String> {
        let signature = &self.declaration.signature;
        let mut function = self.parsed(what, extra, texts, externals)?;
        convert_integers(&mut function, expected);
        let Type::Tuple(found) = function.ret else {
            return Err(format!("{what}: not a tuple but {}", function.ret));
        };
        for (i, ((text, found), (expected, required))) in
            texts.iter().zip(found).zip(expected).enumerate()
        {
            let param = signature
                .params
                .get(i)
                .filter(|_| matches!(what, "partials" | "pullback"))
                .map_or(String::new(), |(name, _)| format!(" of `{name}`"));
            let text = text.trim();
            if text.is_empty() && *required {
                return Err(format!("{what}{param}: missing"));
            }
            if !text.is_empty() && found != expected {
                return Err(format!(
                    "{what}{param}: `{text}` is {found}; expected {expected}"
                ));
            }
        }
        Ok(function)
    }
}

/// Where an expression is an integer and a float is expected, the function returns it as that float.
fn convert_integers(function: &mut Function, expected: &[(Type, bool)]) {
    let entry = function.entry();
    let Terminator::Return(given) = function.blocks[entry].terminator else {
        return;
    };
    let is_tuple = |inst: &&InstData| inst.op == Op::Prim(Prim::Tuple);
    let Some(mut fields) =
        { function.def_inst(given).filter(is_tuple) }.map(|tuple| tuple.args.clone())
    else {
        return;
    };
    let mut changed = false;
    for (field, &(ty, _)) in fields.iter_mut().zip(expected) {
        if function.ty(*field).is_int() && ty.is_float() {
            let cast = Op::Prim(Prim::Cast);
            *field = function.append(entry, cast, &[*field], ty, Span::NONE);
            changed = true;
        }
    }
    if changed {
        return_tuple(function, &fields);
    }
}

/// Has a function return the tuple of these values.
fn return_tuple(function: &mut Function, values: &[Value]) {
    let types: Vec<Type> = values.iter().map(|&value| function.ty(value)).collect();
    function.ret = Type::tuple(&types);
    let (entry, op) = (function.entry(), Op::Prim(Prim::Tuple));
    let tuple = function.append(entry, op, values, function.ret, Span::NONE);
    function.blocks[entry].terminator = Terminator::Return(tuple);
}

/// Makes a function that returns the result of a call return the tuple of its fields, because readers of the n-th field look for a tuple.
fn spread(function: &mut Function) {
    let entry = function.entry();
    let Terminator::Return(given) = function.blocks[entry].terminator else {
        return;
    };
    let is_tuple = |inst: &InstData| inst.op == Op::Prim(Prim::Tuple);
    let Type::Tuple(fields) = function.ty(given) else {
        return;
    };
    if function.def_inst(given).is_some_and(is_tuple) {
        return;
    }
    let mut values = Vec::new();
    for (n, &ty) in fields.iter().enumerate() {
        let op = Op::Prim(Prim::Field(n as u32));
        values.push(function.append(entry, op, &[given], ty, Span::NONE));
    }
    return_tuple(function, &values);
}

/// Makes a function that returns a tuple of one field return the field.
fn unwrap_single(function: &mut Function) {
    let entry = function.entry();
    let Terminator::Return(tuple) = function.blocks[entry].terminator else {
        return;
    };
    let Some(inst) = function.def_inst(tuple) else {
        return;
    };
    if let (Op::Prim(Prim::Tuple), [value]) = (inst.op, inst.args.as_slice()) {
        let value = *value;
        function.ret = function.ty(value);
        function.blocks[entry].terminator = Terminator::Return(value);
        let insts = function.blocks[entry].insts.clone();
        function.blocks[entry].insts = insts
            .into_iter()
            .filter(|&i| function.insts[i].result != tuple)
            .collect();
    }
}

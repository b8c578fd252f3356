//! Refuses effects where std leaves open how often it calls a closure.
//!
//! std documents the calls of most closures: `map` calls its closure once for each item that is taken. It does not document how many items the longer side of a
//! `zip` loses, which items `step_by` visits, or how often a sort compares, and that has changed between versions of std. There a closure must have no effect
//! that the program can observe. A closure without effects needs no rule, because the number of its calls does not show.
//!
//! A call has an effect if it calls an ordered host function, or if it writes to memory that its captures or arguments lead to. Memory is compared by its type: the
//! type of what a pointer points to, where the function and all functions that it calls write through that pointer. So a closure that only reads a cell has no
//! effect. A mutable reference to an iterator is an effect by itself, because the program sees which items are left.
//!
//! The captures of a closure are known only when the function that makes it has been elaborated. So calls are noted first, and checked at the end.

use super::Output;
use crate::diag::{Diagnostic, Result, Span};
use crate::front::repr::rule_types;
use crate::front::tree::Source;
use crate::front::ty::{Item, OPTION, Ty};
use crate::front::typed::{Base, Dispatch, Expr, ExprKind, Function, Place, Projection};
use crate::front::visit::{self, Visitor};
use crate::infer::{Instance, Session};
use crate::ir::Symbol;
use crate::registry::Registry;
use crate::stdlib;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A call by the program of a method about which std leaves something open.
pub(super) struct Call {
    method: &'static str,
    rule: Rule,
    args: Vec<Ty>,
    span: Span,
}

impl Call {
    /// A call to check; `None` if std documents how often this method calls closures.
    pub fn new(method: &'static str, args: &[Expr], span: Span) -> Option<Call> {
        Some(Call {
            method,
            rule: rule(method)?,
            args: args.iter().map(|arg| arg.ty).collect(),
            span,
        })
    }
}

/// Checks the calls that were noted.
pub(super) fn check(
    session: &Session,
    output: &mut Output,
    dispatches: &BTreeMap<Symbol, Dispatch>,
) -> Result<()> {
    let calls = std::mem::take(&mut output.open_calls);
    if calls.is_empty() {
        return Ok(());
    }
    let functions = output.functions.values_mut();
    let deeds = functions
        .map(|function| (function.name, deeds(function, session.registry)))
        .collect();
    for call in &calls {
        let effects = Effects {
            session,
            captures: &output.captures,
            dispatches,
            deeds: &deeds,
            of_state: matches!(call.rule, Rule::Back | Rule::Elements),
        };
        if let Some(message) = effects.refusal(call) {
            let help = "change the variables before or after, or collect the items into a `Vec` first: `let items: Vec<_> = … .collect();`";
            return Err(Diagnostic::new(call.span, message).help(help).into());
        }
    }
    Ok(())
}

/// What std leaves open about the closures of a call.
#[derive(Clone, Copy)]
enum Rule {
    /// Which items of a longer side are taken.
    Zip,
    /// Which items between two steps are visited.
    Steps,
    /// Which items are visited before the last one.
    Back,
    /// How many items of two iterators are taken.
    Iterators,
    /// How often elements are compared.
    Elements,
}

/// The rule for a method; `None` if std leaves nothing open.
fn rule(method: &str) -> Option<Rule> {
    const ELEMENTS: [&str; 8] = [
        "sort",
        "binary_search",
        "partition_point",
        "select_nth",
        "is_sorted",
        "max_by",
        "min_by",
        "dedup_by",
    ];
    let rule = match method {
        "zip" => Rule::Zip,
        "step_by" => Rule::Steps,
        "rev" | "next_back" | "nth_back" | "rfold" | "rfind" | "rposition" => Rule::Back,
        "eq" | "ne" | "cmp" | "partial_cmp" | "lt" | "le" | "gt" | "ge" => Rule::Iterators,
        _ if ELEMENTS.iter().any(|start| method.starts_with(start)) => Rule::Elements,
        _ => return None,
    };
    Some(rule)
}

/// Finds the effects of calls in the functions of a program.
struct Effects<'a, 'r> {
    session: &'a Session<'r>,
    captures: &'a FxHashMap<Symbol, Vec<Ty>>,
    dispatches: &'a BTreeMap<Symbol, Dispatch>,
    deeds: &'a FxHashMap<Symbol, Deeds>,
    /// Whether a change of what a closure owns is an effect: items would be other ones if it was called for some items more, before them.
    of_state: bool,
}

impl Effects<'_, '_> {
    /// Why a call is refused.
    fn refusal(&self, call: &Call) -> Option<String> {
        let name = call.method;
        let (&first, rest) = call.args.split_first()?;
        let of_iterator = |ty: Ty| self.of_iterator(ty, &mut Vec::new());
        let effects = "must not change captured variables, take items from a borrowed iterator, or have another effect";
        let message = match call.rule {
            Rule::Zip if of_iterator(first) => format!(
                "the first iterator of `zip` {effects}: std leaves open whether one item more is taken from it than there are pairs"
            ),
            Rule::Zip if rest.iter().any(|&ty| of_iterator(ty) && stdlib::skips(ty)) => format!(
                "a second iterator of `zip` that skips items {effects}: std leaves open whether items are skipped where no pair is left"
            ),
            Rule::Steps if of_iterator(first) => format!(
                "the iterator before `step_by` {effects}: std leaves open how many items are taken from it in advance"
            ),
            Rule::Back if stdlib::any_uneven(first, &mut |ty| of_iterator(ty)) => format!(
                "a `zip`, `chain`, `take`, `skip` or `step_by` before `{name}` {effects}: std leaves open which items are visited from the back"
            ),
            Rule::Iterators if call.args.iter().any(|&ty| of_iterator(ty)) => format!(
                "an iterator that `{name}` compares {effects}: std leaves open how many items are taken from it"
            ),
            Rule::Elements if rest.iter().any(|&ty| self.of_callee(ty, &mut Vec::new())) => {
                format!(
                    "the closure given to `{name}` must not change captured variables or have another effect: std leaves open how often it is called"
                )
            }
            Rule::Elements | Rule::Iterators if self.of_comparison(&call.args) => format!(
                "`{name}` calls a comparison that is written by hand and has an effect: std leaves open how often it is called"
            ),
            _ => return None,
        };
        Some(message)
    }
    /// Whether a program can observe that an item of an iterator is taken. `seen`: the `dyn` types that are being looked at.
    fn of_iterator(&self, ty: Ty, seen: &mut Vec<Ty>) -> bool {
        match ty {
            Ty::Mut(&inner) => stdlib::is_iterator(inner),
            Ty::Adt(adt, parts) if stdlib::is_stdlib_type(adt) => {
                let is_clone = |ty: Ty| matches!(ty, Ty::Adt(adt, _) if adt.by_hand.clone);
                let mut clones = ty.parts().into_iter().filter(|&ty| is_clone(ty));
                clones.any(|ty| self.of_methods(ty, &["clone"]))
                    || parts.iter().any(|&part| match part {
                        // The iterator that `flatten` is in.
                        Ty::Adt(adt, &[inner]) if *adt == OPTION => self.of_iterator(inner, seen),
                        // A `scan` owns the state that its closure changes.
                        Ty::Closure(closure) if stdlib::is_scan(adt) => {
                            self.of_function(closure.name, Some(1))
                        }
                        _ => self.of_iterator(part, seen) || self.of_callee(part, seen),
                    })
            }
            Ty::Adt(..) if stdlib::is_iterator(ty) => self.of_methods(ty, &["next", "next_back"]),
            _ => false,
        }
    }
    /// Whether a call of a value has an effect.
    fn of_callee(&self, ty: Ty, seen: &mut Vec<Ty>) -> bool {
        match ty {
            Ty::Mut(&inner) | Ty::Boxed(&inner) => self.of_callee(inner, seen),
            Ty::Item(Item::Source(source, _)) if self.is_ordered(source) => true,
            Ty::Dyn(_) if !seen.contains(&ty) => {
                seen.push(ty);
                self.behind(ty)
                    .into_iter()
                    .any(|ty| self.of_iterator(ty, seen) || self.of_callee(ty, seen))
            }
            ty => { self.functions(ty).into_iter() }.any(|name| self.of_function(name, None)),
        }
    }
    /// The functions that a call of a closure or of a function's name may run.
    fn functions(&self, ty: Ty) -> Vec<Symbol> {
        let named = |is: &dyn Fn(&Instance) -> bool| {
            let instances = self.session.instances.iter();
            let chosen = instances.filter(|instance| is(instance));
            chosen.map(|instance| instance.name).collect()
        };
        match ty {
            Ty::Closure(closure) => vec![closure.name],
            Ty::Item(Item::Source(source, _)) => {
                named(&|instance| std::ptr::eq(instance.source, source))
            }
            Ty::Item(Item::Method(name, _) | Item::Overloaded(_, name, _)) => {
                named(&|instance| instance.source.name == name.as_str())
            }
            _ => Vec::new(),
        }
    }
    /// Whether a source is a function of a pack that is ordered.
    fn is_ordered(&self, source: &Source) -> bool {
        let params: Vec<Ty> = source.params.iter().map(|param| (param.ty)()).collect();
        let types = rule_types(&params).unwrap_or_default();
        let name = source.body_name();
        let rows = name.map(|name| self.session.registry.declared(name, &types));
        { rows.into_iter().flatten() }.any(|row| row.effects.is_ordered())
    }
    /// Whether a comparison that is written by hand has an effect: of a type that is in the arguments, or in the keys that a closure among them gives.
    fn of_comparison(&self, args: &[Ty]) -> bool {
        const NAMES: [&str; 4] = ["eq", "partial_cmp", "cmp", "ne"];
        let mut compared = FxHashSet::default();
        for &ty in args {
            self.reach(ty, false, &mut compared);
            let functions = self.functions(ty);
            let deeds = functions.iter().filter_map(|name| self.deeds.get(name));
            deeds.for_each(|deeds| self.reach(deeds.ret, false, &mut compared));
        }
        let by_hand = |ty: Ty| matches!(ty, Ty::Adt(adt, _) if adt.by_hand.eq || adt.by_hand.ord);
        { compared.into_iter() }.any(|(ty, _)| by_hand(ty) && self.of_methods(ty, &NAMES))
    }
    /// Whether a method of the program with one of these names has an effect, beside a change of its receiver.
    fn of_methods(&self, receiver: Ty, names: &[&str]) -> bool {
        let is_of_receiver = |ty: Ty| match self.session.types.finish(ty) {
            Ty::Mut(&inner) => inner == receiver,
            ty => ty == receiver,
        };
        self.session.instances.iter().any(|instance| {
            names.contains(&instance.source.name)
                && instance
                    .params
                    .first()
                    .is_some_and(|&ty| is_of_receiver(ty))
                && self.of_function(instance.name, Some(0))
        })
    }
    /// Whether a function has an effect. `own`: a parameter that may be a mutable reference to something that the program does not see.
    fn of_function(&self, name: Symbol, own: Option<usize>) -> bool {
        let Some(deeds) = self.deeds.get(&name) else {
            return false;
        };
        let mut reached = FxHashSet::default();
        for (n, &ty) in deeds.params.iter().enumerate() {
            match ty {
                Ty::Mut(&inner) if own == Some(n) => self.reach(inner, false, &mut reached),
                ty => self.reach(ty, false, &mut reached),
            }
        }
        let (mut all, mut waiting) = (FxHashSet::from_iter([name]), vec![name]);
        while let Some(name) = waiting.pop() {
            let arms = self.dispatches.get(&name);
            let chosen = arms.into_iter().flat_map(|dispatch| &dispatch.arms);
            waiting.extend(
                chosen
                    .map(|arm| arm.function)
                    .filter(|&name| all.insert(name)),
            );
            let Some(deeds) = self.deeds.get(&name) else {
                continue;
            };
            if deeds.is_ordered
                || deeds
                    .written
                    .iter()
                    .any(|&ty| reached.contains(&(ty, true)))
            {
                return true;
            }
            waiting.extend(
                deeds
                    .called
                    .iter()
                    .copied()
                    .filter(|&name| all.insert(name)),
            );
        }
        false
    }
    /// The types in a value, and whether they are behind a pointer through which they can be changed.
    fn reach(&self, ty: Ty, behind: bool, reached: &mut FxHashSet<(Ty, bool)>) {
        if !reached.insert((ty, behind)) {
            return;
        }
        let mut within = |ty: Ty| self.reach(ty, behind, reached);
        match ty {
            Ty::Slice(&inner) | Ty::Vec(&inner) | Ty::List(&inner, _) => within(inner),
            Ty::Tuple(parts) => parts.iter().copied().for_each(within),
            Ty::Closure(closure) => {
                let captures = self.captures.get(&closure.name);
                captures.into_iter().flatten().copied().for_each(within);
            }
            Ty::Adt(adt, _) => {
                let variants = 0..adt.variants.len() as u32;
                let fields = variants.flat_map(|variant| ty.fields(variant));
                fields.for_each(|(_, field)| within(field));
            }
            // A variable that a closure owns and changes is a box, too.
            Ty::Boxed(&inner) => self.reach(inner, behind || self.of_state, reached),
            Ty::Mut(&inner) | Ty::SliceMut(&inner) | Ty::Cell(&inner, _) => {
                self.reach(inner, true, reached);
            }
            Ty::Dyn(_) => {
                { self.behind(ty).into_iter() }.for_each(|inner| self.reach(inner, true, reached))
            }
            _ => {}
        }
    }
    /// The types behind a `dyn` type.
    fn behind(&self, of: Ty) -> Vec<Ty> {
        let dispatches = self.dispatches.values();
        { dispatches.filter(|dispatch| dispatch.params[0] == of) }
            .flat_map(|dispatch| dispatch.arms.iter().map(|arm| arm.ty))
            .collect()
    }
}

/// What a function does itself.
struct Deeds {
    params: Vec<Ty>,
    ret: Ty,
    /// Whether it calls an ordered host function.
    is_ordered: bool,
    /// The types behind the pointers through which it writes.
    written: FxHashSet<Ty>,
    called: FxHashSet<Symbol>,
}

fn deeds(function: &mut Function, registry: &Registry) -> Deeds {
    let locals: Vec<Ty> = function.locals.iter().map(|local| local.ty).collect();
    let mut reader = Reader {
        registry,
        deeds: Deeds {
            params: function.params.iter().map(|&local| locals[local]).collect(),
            ret: function.ret,
            is_ordered: false,
            written: FxHashSet::default(),
            called: FxHashSet::default(),
        },
        locals,
    };
    visit::expr(&mut function.body, &mut reader);
    reader.deeds
}

struct Reader<'a> {
    registry: &'a Registry,
    locals: Vec<Ty>,
    deeds: Deeds,
}

impl Reader<'_> {
    fn wrote_behind(&mut self, pointer: Ty) {
        if let Ty::Mut(&inner) | Ty::SliceMut(&inner) = pointer {
            self.deeds.written.insert(inner);
        }
    }
    fn wrote(&mut self, place: &Place) {
        let mut ty = match &place.base {
            Base::Local(local) => self.locals[*local],
            Base::Value(value) => value.ty,
        };
        let mut behind = None;
        for step in &place.projections {
            let (inner, is_pointer) = match step {
                Projection::Field(_, inner) | Projection::Payload { ty: inner, .. } => {
                    (*inner, false)
                }
                Projection::Deref(inner) => (*inner, true),
                Projection::Borrow(borrow) => (borrow.content, true),
                Projection::Index(_, inner, _) => {
                    (*inner, matches!(ty, Ty::Slice(_) | Ty::SliceMut(_)))
                }
            };
            if is_pointer {
                behind = Some(inner);
            }
            ty = inner;
        }
        self.deeds.written.extend(behind);
    }
}

impl Visitor for Reader<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        match &expr.kind {
            ExprKind::Assign(place, _)
            | ExprKind::AssignBinary(_, place, _)
            | ExprKind::Push(place, _)
            | ExprKind::Pop(place)
            | ExprKind::Truncate(place, _) => self.wrote(place),
            ExprKind::Swap(a, b) => [a, b].iter().for_each(|a| self.wrote_behind(a.ty)),
            ExprKind::Replace(a, _) => self.wrote_behind(a.ty),
            ExprKind::Rule(name, args) => {
                let types: Vec<Ty> = args.iter().map(|arg| arg.ty).collect();
                types.iter().for_each(|&ty| self.wrote_behind(ty));
                self.deeds.is_ordered |= rule_types(&types)
                    .is_none_or(|types| self.registry.effects(*name, &types).is_ordered());
            }
            ExprKind::Call(name, _) | ExprKind::Map(name, _) | ExprKind::Derivative(_, name, _) => {
                self.deeds.called.insert(*name);
            }
            _ => {}
        }
    }
}

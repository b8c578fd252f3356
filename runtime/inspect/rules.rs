//! Which rule is chosen for each call, and why.

use crate::context::Context;
use crate::diag::Span;
use crate::ir::{Callee, Function, InstData, Module, Op, Type};
use crate::registry::{ContextKind, Entry, EntryKind};
use std::collections::BTreeMap;
use std::fmt;

/// How a call carries derivatives.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum How {
    /// By a rule of a pack, which is in force in contexts of this kind and larger ones.
    Primitive(ContextKind, &'static str),
    /// A pack has a rule, but not for this context: its body is differentiated instead.
    Body(&'static str),
    /// By a function of the program's own that is inlined.
    Inlined,
    /// By the derived rule of a function of the program's own: it is recursive.
    Derived,
    /// By the derived rule of a function of the program's own that is chosen at run time: derived when a call first comes to it.
    OnDemand,
    /// Element by element, by the derivative of a scalar function.
    Elementwise,
    /// No rule: an error if it is asked for a derivative.
    Missing,
}

/// One function for one list of argument types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleUsed {
    /// The call: `sin(f64)`.
    pub call: String,
    /// How it carries derivatives.
    pub how: How,
    /// In how many places it is called.
    pub count: usize,
    /// The first of them.
    pub place: Span,
}

/// The rules of a function's calls, in order of name. It prints as a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesUsed {
    /// One for each function and list of argument types.
    pub rows: Vec<RuleUsed>,
}

/// The rules for a typed module, whose normal form is given too.
pub(super) fn used(ctx: &Context, typed: &Module, normal: &Module) -> RulesUsed {
    let mut rows: BTreeMap<String, RuleUsed> = BTreeMap::new();
    for function in typed.functions.values() {
        for (_, block) in function.blocks_in_order() {
            for &inst in &block.insts {
                let data = &function.insts[inst];
                let Some((call, how)) = choose(ctx, typed, normal, function, data) else {
                    continue;
                };
                let row = rows.entry(call.clone()).or_insert(RuleUsed {
                    call,
                    how,
                    count: 0,
                    place: data.span,
                });
                row.count += 1;
            }
        }
    }
    RulesUsed {
        rows: rows.into_values().collect(),
    }
}

/// What answers an instruction; `None` for what has no derivative, and for what the transforms know by themselves.
fn choose(
    ctx: &Context,
    typed: &Module,
    normal: &Module,
    function: &Function,
    data: &InstData,
) -> Option<(String, How)> {
    let types: Vec<Type> = data.args.iter().map(|&v| function.ty(v)).collect();
    let smooth = function.ty(data.result).is_differentiable();
    let call = |name: Callee| {
        let types: Vec<String> = types.iter().map(Type::to_string).collect();
        format!("{name}({})", types.join(", "))
    };
    let by_rule = |callee: Callee| match { ctx.registry().rule(callee, &types, ctx.kind()) }
        .or_else(|| ctx.registry().entry(callee, &types))
    {
        Some(entry) if entry.context <= ctx.kind() => {
            How::Primitive(entry.context, entry.pack.as_str())
        }
        Some(entry) if has_body(entry) => How::Body(entry.pack.as_str()),
        _ => How::Missing,
    };
    match data.op {
        Op::Call(callee) if let Some(own) = typed.called(callee) => {
            let replacing = ctx.registry().replacing(own.path, &types, ctx.kind());
            let how = match (replacing, normal.called(callee)) {
                (Some(entry), _) => How::Primitive(entry.context, entry.pack.as_str()),
                (None, Some(function)) if function.on_demand => How::OnDemand,
                (None, Some(_)) => How::Derived,
                (None, None) => How::Inlined,
            };
            Some((call(callee), how))
        }
        _ if !smooth => None,
        Op::Call(callee) => Some((call(callee), by_rule(callee))),
        Op::Map(name) => Some((format!("map {}", call(name.into())), How::Elementwise)),
        Op::Prim(prim) => {
            let callee = Callee::from(prim);
            let known = ctx.registry().entry(callee, &types).is_some();
            known.then(|| (call(callee), by_rule(callee)))
        }
        Op::Const(_) => None,
    }
}

fn has_body(entry: &Entry) -> bool {
    match &entry.kind {
        EntryKind::Scalar(rule) => rule.body.is_some(),
        EntryKind::Array(rule) => rule.body.is_some(),
        EntryKind::Native(rule) => rule.body.is_some(),
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Primitive(kind, pack) => {
                let kind = match kind {
                    ContextKind::Minimal => "minimal",
                    ContextKind::Default => "default",
                    ContextKind::Derived => "derived",
                };
                write!(f, "rule of {pack} ({kind} context)")
            }
            How::Body(pack) => write!(
                f,
                "derived from the body in {pack}: its rule is for the default context"
            ),
            How::Inlined => f.write_str("inlined"),
            How::Derived => f.write_str("derived, called"),
            How::OnDemand => f.write_str("derived when a call comes to it"),
            How::Elementwise => f.write_str("derived, elementwise"),
            How::Missing => f.write_str("no rule"),
        }
    }
}

impl fmt::Display for RulesUsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.call.len()).max();
        let width = width.unwrap_or_default().max("call".len());
        writeln!(f, "{:width$}  times  by", "call")?;
        for RuleUsed {
            call,
            how,
            count,
            place,
        } in &self.rows
        {
            write!(f, "{call:width$}  {count:5}  {how}")?;
            match place.is_known() {
                true => writeln!(f, ", first at {place}")?,
                false => writeln!(f)?,
            }
        }
        Ok(())
    }
}

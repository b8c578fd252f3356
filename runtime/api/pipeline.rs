//! The pipeline, from a function's source to what is compiled. Read it aloud: every stage is one call.

use crate::ad::checked::{checked_rules, guard_primal, guard_tape};
use crate::ad::ordered::refuse_ordered_maps;
use crate::ad::seed::seed_within;
use crate::ad::{Mode, Request, forward, nested, reverse};
use crate::borrows::check_borrows;
use crate::codegen::cpu::is_in_lanes;
use crate::context::Context;
use crate::diag::{Diagnostic, Error, Result, Span, notice};
use crate::elaborate::elaborate;
use crate::front::tree::Instance;
use crate::ir::build::{Builder, clean};
use crate::ir::{Callee, Function, Module, Origin, OriginPart, Symbol, Type, verify::verify};
use crate::lower::lower;
use crate::normalise::{LARGE, inline_entries, inline_rows, normalise};
use crate::opt::{
    Calls, InLanes, cluster, elide_copies, fuse_maps, hoist, if_convert, moves, optimise,
    promote_elements, promote_objects, settle_objects, thread_jumps, unroll_loops,
};
use crate::registry::{ContextKind, Registry};
use crate::tangent::seeds;
use log::Level;
use std::borrow::Cow;

/// The function as it was written, typed. `overlays`: with the bodies that only derivatives see.
pub fn typed(ctx: &Context, function: &Instance, overlays: bool) -> Result<Module> {
    let elaborated = elaborate(function.0, &function.1, ctx.registry(), overlays)?;
    let program = check_borrows(elaborated)?;
    let typed = lower(&program, ctx.registry())?;
    check(ctx, &typed, "lowering")?;
    Ok(typed)
}

/// The normal form: typed, everything inlined that is not a primitive in this context, but for recursion and what is derived on demand.
pub fn normal(ctx: &Context, typed: Module) -> Result<Module> {
    normal_within(ctx, typed, &mut Vec::new())
}

/// As [`normal`], within the functions whose derivatives are being made.
fn normal_within(ctx: &Context, typed: Module, outer: &mut Vec<Symbol>) -> Result<Module> {
    let before = typed.asks_for_derivatives().then(|| typed.clone());
    let Large(large) = *ctx.attached(Large::default);
    check_rules_for(ctx, &typed)?;
    let typed = called_if_it_has_a_rule(ctx, typed);
    let calls = Calls::new(&typed, ctx.registry());
    let settle = |function: &mut Function| settle_objects(function, &calls);
    let normal = normalise(typed, ctx.registry(), ctx.kind(), large, &settle)?;
    refuse_ordered_maps(&normal, ctx.registry())?;
    let promoted = promote_objects(normal, ctx.registry());
    check(ctx, &promoted, "the promotion of objects")?;
    let threaded = thread_jumps(promoted, ctx.registry());
    check(ctx, &threaded, "threading jumps")?;
    let unrolled = unroll_loops(threaded, ctx.registry());
    check(ctx, &unrolled, "unrolling")?;
    let without_copies = elide_copies(unrolled, ctx.registry());
    check(ctx, &without_copies, "the elision of copies")?;
    let accumulating = promote_elements(without_copies, ctx.registry());
    check(ctx, &accumulating, "the promotion of elements")?;
    let mut fused = fuse_maps(hoist(accumulating));
    // The passes above can leave block parameters that are the same on every edge. The reverse pass would keep each of them.
    fused.functions.values_mut().for_each(clean);
    check(ctx, &fused, "fusion")?;
    if let Some(typed) = before {
        nested::define_all(&mut fused, ctx.registry(), ctx.kind(), |root, span| {
            if outer.contains(&root) {
                return Err(nested::within_itself(span).into());
            }
            let inner = Module {
                root,
                ..typed.clone()
            };
            outer.push(root);
            let inner = normal_within(ctx, inner, outer);
            outer.pop();
            inner
        })?;
        check(ctx, &fused, "derivatives within the program")?;
    }
    Ok(fused)
}

/// Compares the rules that packs give for functions of the program with these functions: an error if one takes another number of arguments or gives
/// another result, and a notice if all are for arguments of other types.
fn check_rules_for(ctx: &Context, typed: &Module) -> Result<()> {
    if ctx.kind() != ContextKind::Default {
        return Ok(());
    }
    for function in typed.functions.values() {
        let (path, types) = (function.path, function.param_types());
        let rules = ctx.registry().replacements(path);
        for rule in rules {
            let [rules, own] = match rule.params.len() == types.len() {
                true if rule.params == types && rule.ret != function.ret => {
                    [rule.ret, function.ret].map(|ty| format!("gives {ty}"))
                }
                true => continue,
                false => [rule.params.len(), types.len()].map(|n| match n {
                    1 => "takes 1 argument".to_owned(),
                    n => format!("takes {n} arguments"),
                }),
            };
            let pack = rule.pack;
            let message =
                format!("the rule of the pack `{pack}` for `{path}` {rules}, the function {own}");
            let help = "the row that is named by the path of a function has the function's parameters and result";
            return Err(Diagnostic::new(Span::NONE, message).help(help).into());
        }
        if !rules.is_empty() && rules.iter().all(|rule| rule.params != types) {
            let types = Type::tuple(&types);
            let message = format!(
                "the rules of packs for `{path}` are for arguments of other types than {types}, and are not used for these"
            );
            notice(Level::Warn, message);
        }
    }
    Ok(())
}

/// A module whose root has a rule of a pack gets another root, which calls it: rules are for calls.
fn called_if_it_has_a_rule(ctx: &Context, mut typed: Module) -> Module {
    let root = typed.root();
    let (name, types, ret) = (root.name, root.param_types(), root.ret);
    let rule = ctx.registry().replacing(root.path, &types, ctx.kind());
    if rule.is_none() {
        return typed;
    }
    let mut b = Builder::new(Function::new(
        Symbol::new(&format!("{name}.call")),
        &types,
        ret,
    ));
    let args = b.function.params().to_vec();
    let y = b.call(name, &args, ret);
    b.ret(y);
    let caller = b.finish();
    typed.root = caller.name;
    typed.functions.insert(caller.name, caller);
    typed
}

/// The function itself, to be compiled.
pub fn primal(ctx: &Context, normal: &Module) -> Result<Module> {
    finish(ctx, checked(ctx, normal).0.into_owned(), "normalisation")
}

/// Value and gradient as one function, the root: `(p…, shadows…, seeds…) -> (y, r…)`; and whether it makes its seed itself, and does not
/// take it.
pub fn gradient(ctx: &Context, normal: &Module, active: &[bool]) -> Result<(Module, bool)> {
    let mut derived = reverse_module(ctx, normal, active, Mode::Combined)?;
    let is_seeded = seed_within(&mut derived, normal.root().ret);
    Ok((finish(ctx, derived, "the reverse transform")?, is_seeded))
}

/// The forward half, the root: `(p…) -> y`; and beside it the pullback, `(p…, shadows…, seeds…) -> (r…)`.
pub fn halves(ctx: &Context, normal: &Module, active: &[bool]) -> Result<Module> {
    let derived = reverse_module(ctx, normal, active, Mode::Split)?;
    finish(ctx, derived, "the reverse transform")
}

/// What is derived, and the rules: in debug mode with guards.
fn checked<'a>(ctx: &'a Context, normal: &'a Module) -> (Cow<'a, Module>, Cow<'a, Registry>) {
    if !ctx.debug() {
        return (Cow::Borrowed(normal), Cow::Borrowed(ctx.registry()));
    }
    let mut guarded = normal.clone();
    guard_primal(&mut guarded, ctx.registry());
    let rules = checked_rules(ctx.registry());
    (Cow::Owned(guarded), Cow::Owned(rules))
}

/// The reverse functions as they are derived.
pub fn reverse_module(
    ctx: &Context,
    normal: &Module,
    active: &[bool],
    mode: Mode,
) -> Result<Module> {
    let request = Request {
        active: active.to_vec(),
        mode,
    };
    let (normal, registry) = checked(ctx, normal);
    let mut derived = reverse(&normal, &registry, ctx.kind(), &request)?;
    change_and_guard(ctx, &mut derived)?;
    Ok(derived)
}

/// What is done to reverse functions once they are derived.
fn change_and_guard(ctx: &Context, derived: &mut Module) -> Result<()> {
    Change::apply(ctx, derived);
    if ctx.debug() {
        check(ctx, derived, "the reverse transform")?;
        guard_tape(derived);
    }
    Ok(())
}

/// A function that one of the modules above only declares, derived: its halves, or its dual. And its roots.
pub fn on_demand(
    ctx: &Context,
    normal: &Module,
    name: Symbol,
    Origin { of, active, part }: &Origin,
) -> Result<(Module, Vec<Symbol>)> {
    let ((guarded, registry), kind) = (checked(ctx, normal), ctx.kind());
    match *part {
        OriginPart::Half { shadowed } => {
            let halves = reverse::on_demand(&guarded, &registry, kind, *of, active, shadowed);
            let mut halves = halves?;
            change_and_guard(ctx, &mut halves)?;
            let roots = vec![halves.root, pullback_name(&halves)];
            Ok((finish(ctx, halves, "the reverse transform")?, roots))
        }
        OriginPart::Dual => {
            let mut dual = forward::on_demand(&guarded, &registry, kind, *of, active, name)?;
            Change::apply(ctx, &mut dual);
            Ok((finish(ctx, dual, "the forward transform")?, vec![name]))
        }
    }
}

/// Value, gradient and their derivatives along so many directions of some parameters, the root: `(p…, shadows…, seeds…, ṗ…, tangents of
/// shadows…) -> ((y, r…), ẏ…, ṙ…)`, tangents of all kinds once for each direction; and whether it makes its seed itself.
pub fn hvp(
    ctx: &Context,
    normal: &Module,
    active: &[bool],
    along: &[bool],
    directions: usize,
) -> Result<(Module, bool)> {
    let mut gradient = reverse_module(ctx, &normal.clone().at_once(), active, Mode::Combined)?;
    let is_seeded = seed_within(&mut gradient, normal.root().ret);
    inline_entries(&mut gradient, ctx.registry(), ctx.kind());
    check(ctx, &gradient, "the reverse transform")?;
    let seeds = if is_seeded {
        0
    } else {
        seeds(normal.root().ret).len()
    };
    let shadows = gradient.root().params().len() - along.len() - seeds;
    let mut moving = along.to_vec();
    moving.extend(std::iter::repeat_n(true, shadows));
    moving.resize(gradient.root().params().len(), false);
    let derived = forward(&gradient, ctx.registry(), ctx.kind(), &moving, directions)?;
    let derived = finish(ctx, derived, "the forward transform of the gradient")?;
    Ok((derived, is_seeded))
}

/// Value and derivatives along so many directions, the root: `(p…, ṗ…) -> (y, ẏ…)`.
pub fn dual(ctx: &Context, normal: &Module, active: &[bool], directions: usize) -> Result<Module> {
    let derived = match directions {
        1 => dual_module(ctx, normal, active, 1)?,
        // What is derived on demand is derived along one direction.
        _ => dual_module(ctx, &normal.clone().at_once(), active, directions)?,
    };
    finish(ctx, derived, "the forward transform")
}

/// The dual as it is derived.
pub fn dual_module(
    ctx: &Context,
    normal: &Module,
    active: &[bool],
    directions: usize,
) -> Result<Module> {
    let (normal, registry) = checked(ctx, normal);
    let mut derived = forward(&normal, &registry, ctx.kind(), active, directions)?;
    Change::apply(ctx, &mut derived);
    Ok(derived)
}

/// Above which size functions on demand are derived apart from their callers.
pub struct Large(pub usize);

impl Default for Large {
    fn default() -> Large {
        Large(LARGE)
    }
}

/// What a test does to derived modules before they are compiled: breaks them, to see that it is noticed.
#[derive(Default)]
pub struct Change(Option<Box<dyn Fn(&mut Module) + Send + Sync>>);

impl Change {
    /// A change to every derived module.
    pub fn new(change: impl Fn(&mut Module) + Send + Sync + 'static) -> Change {
        Change(Some(Box::new(change)))
    }
    fn apply(ctx: &Context, derived: &mut Module) {
        if let Some(change) = &ctx.attached(Change::default).0 {
            change(derived);
        }
    }
}

fn finish(ctx: &Context, mut module: Module, stage: &str) -> Result<Module> {
    nested::drop_unused_derivatives(&mut module);
    check(ctx, &module, stage)?;
    inline_rows(&mut module, ctx.registry());
    check(ctx, &module, "inlining rows")?;
    let in_lanes =
        |callee: Callee, types: &[Type], ty: Type| is_in_lanes(callee, types, ty, ctx.registry());
    let fast: Option<InLanes> = match ctx.fast_math() {
        true => Some(&in_lanes),
        false => None,
    };
    let optimised = optimise(module, ctx.registry(), fast)?;
    check(ctx, &optimised, "optimisation")?;
    // Debug mode looks at every array that an operation gives.
    if ctx.debug() {
        return Ok(optimised);
    }
    let straight = if_convert(optimised, ctx.registry());
    check(ctx, &straight, "if-conversion")?;
    let clustered = moves(cluster(straight, ctx.registry()), ctx.registry());
    check(ctx, &clustered, "clustering")?;
    Ok(clustered)
}

/// Debug builds, and contexts in debug mode, verify what every stage gives.
fn check(ctx: &Context, module: &Module, stage: &str) -> Result<()> {
    if !cfg!(debug_assertions) && !ctx.debug() {
        return Ok(());
    }
    let externals = |callee: Callee, types: &[Type]| ctx.registry().call_type(callee, types);
    verify(module, &externals)
        .map_err(|error| Error::Internal(format!("after {stage}: {error}\n{module}")))
}

/// The name of the pullback that belongs to a forward half: `f.forward` has `f.pullback`.
pub fn pullback_name(halves: &Module) -> Symbol {
    Symbol::new(&halves.root.as_str().replacen(".forward", ".pullback", 1))
}

/// Every parameter that has a derivative.
pub fn all_active(normal: &Module) -> Vec<bool> {
    let types = normal.root().param_types();
    types.iter().map(|ty| ty.is_differentiable()).collect()
}

//! Rules in the program itself: functions with a rule of their own, as `#[differentiable(rrule = …, frule = …)]` registers them.
//!
//! They go through the same door as the native functions of packs: C functions that get a call. Here are the C functions, one of each kind
//! for every rule; what the macro writes for a rule is safe code on what the SDK makes of the call.

use crate::ir::{Symbol, Type};
use crate::registry::{
    ContextKind, Effects, Entry, EntryKind, NativeCode, NativeRule, PROGRAM, Registry,
};
use mooncake_pack::__private::{Given, run};
use mooncake_pack::abi::Call;
use mooncake_pack::{Cotangents, Outcome};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// A function of the program with a rule of its own. All of them are collected through `inventory`.
pub struct ProgramRule {
    /// As that of the function's source.
    pub path: &'static str,
    /// As that of the function's source.
    pub file: &'static str,
    /// Line and column of the function's name.
    pub at: (u32, u32),
    /// The names of the parameters.
    pub names: &'static [&'static str],
    /// The types of the leaves of each parameter.
    pub params: fn() -> Vec<Vec<Type>>,
    /// The types of the leaves of the result.
    pub ret: fn() -> Vec<Type>,
    /// Computes the results.
    pub primal: RuleCode,
    /// Computes the results and gives a pullback.
    pub rrule: Option<RuleCode>,
    /// Computes the results and their tangents.
    pub frule: Option<RuleCode>,
}

inventory::collect!(ProgramRule);

/// The code that the macro writes for a rule.
pub trait OwnRule: 'static {
    /// The function's name.
    const NAME: &'static str;
    /// Computes the results.
    fn primal(given: &Given<'_>) -> Outcome;
    /// Computes the results and gives a pullback.
    fn rrule(given: &Given<'_>) -> Outcome {
        let _ = given;
        Err("there is no `rrule`".to_owned())
    }
    /// Computes the results and their tangents.
    fn frule(given: &Given<'_>) -> Outcome {
        let _ = given;
        Err("there is no `frule`".to_owned())
    }
}

/// A C function of a rule, which only the host calls.
#[derive(Clone, Copy)]
pub struct RuleCode(unsafe extern "C" fn(*const Call) -> u32);

macro_rules! entries {
    ($($name:ident)*) => {$(
        /// The C function of this name of a rule.
        pub const fn $name<R: OwnRule>() -> RuleCode {
            unsafe extern "C" fn code<R: OwnRule>(call: *const Call) -> u32 {
                // SAFETY: the host passes the address of a call that lasts until this returns.
                unsafe { run(PROGRAM, R::NAME, call, |given| contained(|| R::$name(given))) }
            }
            RuleCode(code::<R>)
        }
    )*};
}
entries! { primal rrule frule }

/// A panic of the program's own function is only an error of the call. (A panic of a pack means that the pack is broken.)
fn contained(body: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(format!("panicked: {}", text.unwrap_or("without a message")))
    })
}

/// Passes a pullback to the host.
pub fn give_pullback<R: OwnRule>(
    given: &Given<'_>,
    pullback: impl for<'a> FnOnce(&Cotangents<'a>) -> Outcome + Send + 'static,
) -> Outcome {
    let kept = Kept(Some(pullback));
    let contained = move |back: &Cotangents<'_>| {
        let mut kept = kept;
        contained(|| match kept.0.take() {
            Some(pullback) => pullback(back),
            None => Ok(()),
        })
    };
    mooncake_pack::__private::give_pullback(given, PROGRAM, R::NAME, contained)
}

/// A pullback. A panic while it is dropped is contained, because there is no call any more that could report it.
struct Kept<P>(Option<P>);

impl<P> Drop for Kept<P> {
    fn drop(&mut self) {
        let _ = contained(|| {
            drop(self.0.take());
            Ok(())
        });
    }
}

/// The names of the program's rules in registries: their paths. If several functions have the same path, because they are nested in function bodies, all
/// but the first get their place as a suffix.
fn names() -> &'static BTreeMap<SourcePosition, Symbol> {
    static NAMES: OnceLock<BTreeMap<SourcePosition, Symbol>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut places: Vec<SourcePosition> = inventory::iter::<ProgramRule>
            .into_iter()
            .map(|rule| (rule.path, rule.file, rule.at))
            .collect();
        places.sort();
        let mut last = "";
        let named = places.into_iter().map(|place| {
            let (path, file, (line, column)) = place;
            let name = match path == last {
                true => Symbol::new(&format!("{path}:{file}:{line}:{column}")),
                false => Symbol::new(path),
            };
            last = path;
            (place, name)
        });
        named.collect()
    })
}

/// The path, the file, line and column.
type SourcePosition = (&'static str, &'static str, (u32, u32));

/// The name of the rule of the function whose source has this path and place.
pub fn program_rule(path: &'static str, file: &'static str, at: (u32, u32)) -> Option<Symbol> {
    names().get(&(path, file, at)).copied()
}

/// Adds the rules of the program.
pub fn add_program_rules(registry: &mut Registry) {
    for rule in inventory::iter::<ProgramRule> {
        let Some(name) = program_rule(rule.path, rule.file, rule.at) else {
            continue;
        };
        let (params, ret) = ((rule.params)(), (rule.ret)());
        let names = rule.names.iter().zip(&params);
        let entry = Entry {
            name,
            param_names: names
                .flat_map(|(name, leaves)| leaves.iter().map(|_| Symbol::new(name)))
                .collect(),
            params: params.concat(),
            ret: match ret[..] {
                [one] => one,
                _ => Type::tuple(&ret),
            },
            context: ContextKind::Minimal,
            pack: Symbol::from_static(PROGRAM),
            effects: Effects::Pure,
            kind: EntryKind::Native(NativeRule {
                body: None,
                primal: code(rule.primal),
                kernel: None,
                rrule: rule.rrule.map(code),
                frule: rule.frule.map(code),
                second: None,
            }),
        };
        // Two rules at the same place are the same rule.
        let _ = registry.insert(entry);
    }
}

/// Native code for the registry. The signature of a rule of the program contains no `T`.
fn code(RuleCode(function): RuleCode) -> NativeCode {
    NativeCode {
        address: function as usize,
        float: Type::F64,
        data: 0,
    }
}

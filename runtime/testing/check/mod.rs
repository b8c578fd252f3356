//! What `mooncake pack check` asks of a pack, rule by rule: everything that can be compared is compared.
//!
//! A rule that is wrong may do anything to the process, so the tool runs [`PackCheck::check`] in a child process for each
//! rule; nothing here starts processes. What is being done is said before it is done ([`Event::Step`]), so that the parent
//! knows where a child died.

mod array;
mod native;
mod scalar;

use super::entry::{fits, is_reverse_only, test_scalar_at};
use crate::array::Device;
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::ir::Symbol;
use crate::plugin::{self, Pack, check_faults, limit_memory};
use crate::registry::{ContextKind, Effects, Entry, EntryKind, ScalarRule, canonical};
use mooncake_pack::{Case, Value};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// A pack under test, in a context in which it stands for the linked pack of its name, if there is one.
pub struct PackCheck {
    ctx: Context,
    pack: Arc<Pack>,
    cases: Vec<Case>,
    /// Rows that could not be read, or not be put in force: the name, if it is known, and what is wrong.
    wrong: Vec<(Option<Symbol>, String)>,
}

/// A row of a pack under test.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name, without the pack's; empty if the row could not be read.
    pub name: String,
    /// Name and types.
    pub signature: String,
    /// What is wrong with the row itself; such a row cannot be tested.
    pub fault: Option<String>,
}

/// What a test says while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// What is done next.
    Step(String),
    /// What does not hold.
    Failed {
        /// One word or two: the property.
        property: String,
        /// Found and expected.
        message: String,
    },
    /// What was not tested, and why.
    Note(String),
    /// What has to be tested on a GPU was not, and why.
    NoGpu(String),
}

/// The adapter to test on, opened when it is first needed; or why there is none.
pub type Adapter<'a> = &'a (dyn Fn() -> Result<Device> + Sync);

/// Where events go.
pub type Events<'a> = &'a mut dyn FnMut(Event);

impl PackCheck {
    /// Loads a pack, and before it the packs whose functions it uses.
    pub fn load(path: &Path, others: &[PathBuf]) -> Result<PackCheck> {
        let others = others.iter().map(Pack::load).collect::<Result<Vec<_>>>()?;
        let pack = Pack::load(path)?;
        let (ctx, wrong) = Context::to_judge(&pack, &others)?;
        // Functions of packs can call each other.
        for pack in others.iter().chain([&pack]) {
            plugin::accept(pack, ctx.registry());
        }
        Ok(PackCheck {
            cases: pack.cases()?,
            wrong: wrong.into_iter().map(|w| (w.row, w.message)).collect(),
            ctx,
            pack,
        })
    }

    /// Limits the memory that this process may still have, in bytes; whether the system can.
    pub fn limit_memory(bytes: u64) -> bool {
        limit_memory(bytes)
    }

    /// The pack.
    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// The pack's rows in order of name. At the end stand those that could not be read, and the functions that a case calls and the pack does not have.
    pub fn rows(&self) -> Vec<Row> {
        let fault_of = |name: Symbol| {
            let found = self.wrong.iter().find(|(row, _)| *row == Some(name));
            found.map(|(_, message)| message.clone())
        };
        let mut rows: Vec<Row> = (self.pack.declarations.iter())
            .map(|declaration| Row {
                name: declaration.signature.name.to_string(),
                signature: declaration.signature.to_string(),
                fault: fault_of(declaration.signature.name),
            })
            .collect();
        let unread = self.wrong.iter().filter(|(row, _)| row.is_none());
        rows.extend(unread.map(|(_, message)| Row {
            name: String::new(),
            signature: String::new(),
            fault: Some(message.clone()),
        }));
        for case in &self.cases {
            if rows.iter().all(|row| row.name != case.function) {
                rows.push(Row {
                    name: case.function.to_string(),
                    signature: case.function.to_string(),
                    fault: Some("a case calls it, but the pack has no row of this name".into()),
                });
            }
        }
        rows
    }

    /// Tests the rule of that name, for all its types.
    pub fn check(&self, name: &str, adapter: Adapter, events: Events) {
        if name.contains("::") {
            return self.check_replacement(name, adapter, events);
        }
        let cases: Vec<&Case> = self.cases.iter().filter(|c| c.function == name).collect();
        let mut tested = 0;
        let mut unfit: Vec<&Case> = cases.clone();
        for entry in self.ctx.registry().entries() {
            if entry.pack.as_str() != self.pack.name || entry.row() != name {
                continue;
            }
            let fits = match &entry.kind {
                EntryKind::Native(_) => native::fits,
                EntryKind::Scalar(_) | EntryKind::Array(_) => fits,
            };
            if entry.effects == Effects::Linked {
                events(Event::Note(
                    "linked: not called, for what one call takes another gives; programs that make both test it".into(),
                ));
                tested += 1;
                continue;
            }
            unfit.retain(|case| !fits(entry, case));
            let cases: Vec<&Case> = cases.iter().copied().filter(|c| fits(entry, c)).collect();
            if let Some((i, n)) = always_equal(entry, &cases) {
                events(Event::Note(format!(
                    "arguments {i} and {n} are equal in every case: a rule that takes one for the other would pass"
                )));
            }
            if cases.is_empty() && is_part(entry) {
                events(Event::Note(
                    "a part of other rows' bodies, which test it".into(),
                ));
                tested += 1;
            }
            if entry.effects.is_ordered() && !cases.is_empty() {
                events(Event::Note(
                    "ordered: calls are not compared with each other, and not made from several threads".into(),
                ));
            }
            let run = Run {
                ctx: &self.ctx,
                entry,
                cases: &cases,
                adapter,
            };
            tested += run.all(events);
        }
        for case in unfit {
            let message = format!(
                "a case gives it {:?}, which are not the arguments that it takes",
                case.arguments
            );
            events(Event::Failed {
                property: "cases".into(),
                message,
            });
        }
        if tested == 0 {
            events(Event::Failed {
                property: "cases".into(),
                message: "no case calls it, so nothing is known of it: give the pack cases, `mooncake_pack::pack!(cases);`".into(),
            });
        }
    }
}

impl PackCheck {
    /// Tests a rule for a function that exists: the derivatives with the function of the pack `std` that they are for. A function of
    /// a program is not here, and neither are arrays to call one with.
    fn check_replacement(&self, name: &str, adapter: Adapter, events: Events) {
        let registry = self.ctx.registry();
        let rules = registry.replacements(canonical(name)).iter();
        for entry in rules.filter(|entry| entry.pack.as_str() == self.pack.name) {
            let own = registry.find(entry.name, &entry.params);
            let (EntryKind::Scalar(rule), Some(EntryKind::Scalar(own))) =
                (&entry.kind, own.map(|own| &own.kind))
            else {
                let function = name.rsplit("::").next().unwrap_or(name);
                let message = match own {
                    Some(_) => format!(
                        "not tested: there are no arrays to call `{name}` with; `test_rule` of a function in a program that calls it tests this rule"
                    ),
                    None => format!(
                        "not tested: the function that it is for is not here; in its program `test_rule::<{function}>(&ctx, args)` tests this rule"
                    ),
                };
                events(Event::Note(message));
                return;
            };
            let merged = Entry {
                kind: EntryKind::Scalar(ScalarRule {
                    partials: rule.partials.clone(),
                    domain: rule.domain.clone(),
                    with_partials: None,
                    ..own.clone()
                }),
                ..(**entry).clone()
            };
            let run = Run {
                ctx: &self.ctx,
                entry: &Arc::new(merged),
                cases: &[],
                adapter,
            };
            run.step("value, partials and differences", events, || {
                test_scalar_at(&self.ctx, run.entry, &[])
            });
        }
    }
}

/// Whether a row over numbers is there for the bodies of other rows alone: it has no derivative of its own to test.
fn is_part(entry: &Entry) -> bool {
    entry.is_private()
        && entry.context == ContextKind::Derived
        && entry.params.iter().all(|ty| ty.is_scalar())
}

/// The numbers of two array arguments, of more than one element, that are equal in every case.
fn always_equal(entry: &Entry, cases: &[&Case]) -> Option<(usize, usize)> {
    let is_equal = |i: usize, n: usize| {
        let mut cases = cases.iter();
        cases.all(|case| match (&case.arguments[i], &case.arguments[n]) {
            (Value::Array(_, a), Value::Array(_, b)) => a == b && a.len() > 1,
            _ => false,
        })
    };
    let all = 0..entry.params.len();
    let mut pairs = all.flat_map(|n| (0..n).map(move |i| (i, n)));
    pairs.find(|&(i, n)| !cases.is_empty() && is_equal(i, n))
}

/// One entry under test.
struct Run<'a> {
    ctx: &'a Context,
    entry: &'a Arc<Entry>,
    /// Those that call it.
    cases: &'a [&'a Case],
    adapter: Adapter<'a>,
}

impl Run<'_> {
    /// Tests all there is; gives on how many points or cases.
    fn all(&self, events: Events) -> usize {
        let before = self.panicked();
        if is_reverse_only(self.entry) {
            let note =
                "forward mode refuses it: it has neither tangents (`tangent`, `frule`) nor a body";
            events(Event::Note(note.into()));
        }
        let tested = match &self.entry.kind {
            EntryKind::Scalar(rule) => self.scalar(rule, events),
            EntryKind::Array(_) => self.array(events),
            EntryKind::Native(rule) => {
                let tested = self.native_rule(rule, events);
                // Programs take slices; a case by itself has none to give.
                if !native::has_slices(self.entry) {
                    self.array(events);
                }
                tested
            }
        };
        if before.is_none()
            && let Some(message) = self.panicked()
        {
            events(Event::Failed {
                property: "panics".into(),
                message,
            });
        }
        tested
    }

    /// Takes one step. After a panic of the pack nothing that it gives means anything, so the steps after that are not taken.
    fn step(&self, what: &str, events: Events, test: impl FnOnce() -> Result<()>) {
        if self.panicked().is_some() {
            return;
        }
        let types: Vec<String> = self.entry.params.iter().map(|ty| ty.to_string()).collect();
        events(Event::Step(format!("{what} for ({})", types.join(", "))));
        let outcome = test();
        if self.panicked().is_some() {
            return;
        }
        if let Err(error) = outcome {
            events(failed(error));
        }
    }

    /// The adapter; without one an event says so.
    fn device(&self, events: Events) -> Option<Device> {
        (self.adapter)()
            .map_err(|error| events(Event::NoGpu(error.to_string())))
            .ok()
    }

    /// The panic that the pack has reported, if it has.
    fn panicked(&self) -> Option<String> {
        match check_faults([self.entry.pack]) {
            Err(Error::Pack { message, .. }) => Some(message),
            Err(error) => Some(error.to_string()),
            Ok(()) => None,
        }
    }
}

/// Threads that call a rule at the same time.
const THREADS: usize = 4;
/// How often each of them does, at least.
const ROUNDS: usize = 50;
/// And how long, at least: threads that only take turns would not disturb each other.
const TOGETHER: Duration = Duration::from_millis(20);

/// What a test that is run again and again on several threads at once says first, if it says anything.
fn on_threads<T: Send>(test: impl Fn() -> Option<T> + Sync) -> Option<T> {
    let start = Barrier::new(THREADS);
    let run = || {
        start.wait();
        let began = Instant::now();
        let more = |round: &usize| *round < ROUNDS || began.elapsed() < TOGETHER;
        (0..).take_while(more).find_map(|_| test())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(run)).collect();
        let outcomes = threads.into_iter().map(|thread| thread.join());
        outcomes.filter_map(|outcome| outcome.ok().flatten()).next()
    })
}

fn failed(error: Error) -> Event {
    match error {
        Error::Rule {
            rule,
            property,
            message,
        } => Event::Failed {
            property: property.to_owned(),
            message: format!("{rule}: {message}"),
        },
        error => Event::Failed {
            property: "error".to_owned(),
            message: error.to_string(),
        },
    }
}

//! Rule packs: from a file, or from the program itself, to entries of the registry.
//!
//! A pack that is linked and a pack that is loaded go through the same door. What crosses it is text, numbers and the
//! addresses of C functions (the crate `mooncake-pack` defines the boundary); everything is checked before it is used:
//!
//! 1. [`file`]: the bytes of the file, before any of its code runs: format, architecture, completeness, the note;
//! 2. `image`: a sealed copy of those bytes is loaded, and gives its root module;
//! 3. `table`: the root's tables become [`Declaration`]s, plain data of ours;
//! 4. `install`: declarations become entries: signatures instantiated, expressions parsed and verified, [`wgsl`] through
//!    naga, names checked against what is there.
//!
//! Every fault is one line that names the pack and the entry. Loading a pack runs native code with the user's
//! rights: the checks contain accidents, they are no sandbox. A pack is never unloaded, because compiled code keeps
//! the addresses of its functions.
//!
//! This module does not know contexts, and it compiles and evaluates no IR.

mod fault;
mod file;
mod image;
mod install;
mod invoke;
mod kernel;
mod lock;
mod machine;
mod native;
mod program;
mod request;
mod root;
mod signature;
mod table;
mod trial;
mod wgsl;
#[cfg(test)]
mod tests;

pub use fault::check_faults;
pub use install::{Options, WrongRow, install, install_all};
pub use invoke::{
    Callee, Loans, Made, MadeArrays, MadeElements, Pullback, Views, call_pullback, dtype, failed,
    invoke, view, zeroed,
};
pub use lock::{Lock, hex};
pub use machine::{FloatControl, limit_memory};
#[cfg(target_arch = "x86_64")]
pub use machine::{set_sse_control, sse_control};
pub use native::{Site, accept, accepted, call_native, call_with_partials, watch_partials};
pub use program::{
    OwnRule, ProgramRule, RuleCode, add_program_rules, frule, give_pullback, primal, program_rule,
    rrule,
};
pub use request::{Answer, Functions, Kept, read_word, type_of};
pub use signature::Signature;
pub use trial::{Back, Outcome, Trial, TrialValue};

use crate::diag::{Error, Result};
use crate::ir::Symbol;
use crate::registry::{ContextKind, Effects, NativeFn, canonical, row_name};
use mooncake_pack::Case;
pub use mooncake_pack::abi::View;
use mooncake_pack::note::Description;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A pack: its origin, and its declarations.
#[derive(Debug)]
pub struct Pack {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence.
    pub licence: String,
    /// Its authors.
    pub authors: String,
    /// The compiler that built it.
    pub compiler: String,
    /// The boundary's version it was built for.
    pub abi: (u16, u16),
    /// The file it was loaded from; `None` if it is linked into this program.
    pub path: Option<PathBuf>,
    /// The SHA-256 of that file.
    pub sha256: Option<[u8; 32]>,
    /// The rows, in order of name.
    pub declarations: Vec<Declaration>,
    /// The rows that could not be read. A pack with such rows is refused, unless the user allows partial packs.
    pub unread: Vec<UnreadRow>,
    /// The root that the pack exports.
    root: root::Root,
}

/// A row that could not be read.
#[derive(Clone, PartialEq, Debug)]
pub struct UnreadRow {
    /// Its name, if its signature says one.
    pub name: Option<Symbol>,
    /// What is wrong.
    pub message: String,
}

/// A pack's file, judged without loading it.
#[derive(Clone, Debug)]
pub struct PackFile {
    /// The absolute path.
    pub path: PathBuf,
    /// The size in bytes.
    pub bytes: usize,
    /// The SHA-256.
    pub sha256: [u8; 32],
    /// The description that the pack gives of itself.
    pub note: Description,
    /// How many scalar functions, rules and native functions it has; `None` if the file does not say.
    pub rows: Option<[usize; 3]>,
    /// The libraries that the system's loader loads with it.
    pub needed: Vec<String>,
    /// Its requirements on the machine, in its own words; empty if it states none.
    pub wants: String,
    /// Whether this host can load it, or the reason why not.
    pub fits: std::result::Result<(), String>,
}

/// One row of a pack.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Name and types.
    pub signature: Signature,
    /// Its documentation.
    pub docs: String,
    /// Whether only expressions of its pack can use it.
    pub private: bool,
    /// The effects of its calls.
    pub effects: Effects,
    /// Where it is a primitive.
    pub context: ContextKind,
    /// Its definition.
    pub kind: DeclarationKind,
}

/// The definition of a row, as text and addresses.
#[derive(Clone, Debug)]
pub enum DeclarationKind {
    /// A scalar function.
    Scalar {
        /// Where tests sample each argument.
        domain: Vec<(f64, f64)>,
        /// One expression for each argument.
        partials: Vec<String>,
        /// An expression, or empty.
        body: String,
        /// WGSL text, or empty.
        wgsl: String,
        /// For f32 and for f64.
        native: [Option<NativeFn>; 2],
        /// For f32 and for f64.
        with_partials: [Option<NativeFn>; 2],
    },
    /// A rule over arrays.
    Rule {
        /// An expression, or empty.
        body: String,
        /// One expression for each argument.
        pullback: Vec<String>,
        /// One expression for each argument, or none at all.
        tangent: Vec<String>,
    },
    /// A function in machine code.
    Native {
        /// An expression, or empty.
        body: String,
        /// One expression for each argument, or none at all.
        pullback: Vec<String>,
        /// One expression for each argument, or none at all.
        tangent: Vec<String>,
        /// The address of the function.
        primal: usize,
        /// The address of the function that gives a pullback besides.
        rrule: Option<usize>,
        /// The address of the function that gives tangents besides.
        frule: Option<usize>,
        /// The address of the function that gives a pullback with tangents.
        second: Option<usize>,
        /// The primal on a device.
        kernel: Option<KernelText>,
    },
}

/// A compute shader, as the row declares it.
#[derive(Clone, Debug)]
pub struct KernelText {
    /// WGSL without its bindings.
    pub wgsl: String,
    /// `name = expression`
    pub params: Vec<String>,
    /// For each result its extents.
    pub shapes: Vec<String>,
    /// Up to three expressions.
    pub workgroups: String,
}

impl Pack {
    /// The prefix of its rows' names: the name of the package without the words that say it is a pack. `mooncake-rules-linalg` and `rules-linalg` become
    /// `linalg`.
    pub fn short_name(&self) -> String {
        let name = self.name.strip_prefix("mooncake-").unwrap_or(&self.name);
        let name = name.strip_prefix("rules-").unwrap_or(name);
        let name = name.strip_suffix("-pack").unwrap_or(name);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        name.replace(|c: char| !is_word(c), "_")
    }
    /// The name of one of its rows in the registry.
    fn row(&self, declaration: &Declaration) -> Symbol {
        let row = declaration.signature.name.as_str();
        if declaration.is_for_existing() {
            return canonical(row);
        }
        row_name(&self.short_name(), row, declaration.private)
    }
    /// The name in the registry of a row that could not be read. Nothing has it.
    fn unread_row(&self, name: Symbol) -> Symbol {
        row_name(&self.short_name(), name.as_str(), false)
    }
    /// The note of the pack in this file, if the file can be loaded. None of the pack's code runs.
    pub fn describe(path: impl AsRef<Path>) -> Result<Description> {
        let file = Pack::examine(path)?;
        file.fits
            .map_err(|message| fault(file.path.display(), message))?;
        Ok(file.note)
    }
    /// The description of the pack in this file without loading it, even if this host cannot load it. None of the pack's code runs.
    pub fn examine(path: impl AsRef<Path>) -> Result<PackFile> {
        image::examine(path.as_ref())
    }
    /// Loads the pack in this file, or gives the one that was loaded from the same bytes before. Its rules are in force
    /// only where [`Context::load_pack`](crate::Context::load_pack) puts them. Where the environment variable
    /// `MOONCAKE_PACK_LOCK` names a lock file, only packs that it has are loaded.
    pub fn load(path: impl AsRef<Path>) -> Result<Arc<Pack>> {
        Pack::load_locked(path, None)
    }
    /// The calls on which the pack's functions are tested; an error if they cannot be read.
    pub fn cases(&self) -> Result<Vec<Case>> {
        table::cases(&self.root, &self.name)
    }
    /// Loads the pack in this file if this lock has it; without one that of `MOONCAKE_PACK_LOCK` decides, if there is one.
    pub fn load_locked(path: impl AsRef<Path>, lock: Option<&Lock>) -> Result<Arc<Pack>> {
        let of_process = Lock::of_process()?;
        image::load(path.as_ref(), lock.or(of_process))
    }
}

impl Declaration {
    /// Whether it is a scalar function; otherwise it is a rule over arrays, or a function in machine code.
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, DeclarationKind::Scalar { .. })
    }
    /// Whether it is a rule for an existing function, which is named by its path: `std::hypot`, `my_crate::loss`.
    pub fn is_for_existing(&self) -> bool {
        self.signature.name.as_str().contains("::")
    }
    /// The function as an expression, or empty.
    fn body(&self) -> &str {
        match &self.kind {
            DeclarationKind::Scalar { body, .. }
            | DeclarationKind::Rule { body, .. }
            | DeclarationKind::Native { body, .. } => body,
        }
    }
    /// Its parts besides signature and derivative: first its effects, then `native f32 f64`, `with_partials f32 f64`, `body`, `wgsl`, or the part that
    /// computes it instead.
    pub fn parts(&self) -> Vec<String> {
        match &self.kind {
            DeclarationKind::Scalar {
                native,
                with_partials,
                body,
                wgsl,
                ..
            } => {
                let primal = native.iter().any(Option::is_some) || !body.is_empty();
                let given = |text: &str, name: &str| (!text.is_empty()).then(|| name.to_owned());
                [
                    (!primal).then(|| "machine operation".to_owned()),
                    for_floats("native", native),
                    for_floats("with_partials", with_partials),
                    given(body, "body"),
                    given(wgsl, "wgsl"),
                ]
                .into_iter()
                .flatten()
                .collect()
            }
            DeclarationKind::Rule { body, .. } if body.is_empty() => {
                vec!["host operation".to_owned()]
            }
            DeclarationKind::Rule { .. } => vec!["body".to_owned()],
            DeclarationKind::Native {
                body,
                rrule,
                frule,
                second,
                kernel,
                ..
            } => {
                let given = |given: bool, name: &str| given.then(|| name.to_owned());
                [
                    given(self.effects == Effects::Ordered, "ordered"),
                    given(self.effects == Effects::Linked, "linked"),
                    given(true, "native"),
                    given(rrule.is_some(), "rrule"),
                    given(frule.is_some(), "frule"),
                    given(second.is_some(), "second"),
                    given(kernel.is_some(), "kernel"),
                    given(!body.is_empty(), "body"),
                ]
                .into_iter()
                .flatten()
                .collect()
            }
        }
    }
}

/// The name of a part that may exist for each float type, with the types for which it exists.
fn for_floats(name: &str, given: &[Option<NativeFn>; 2]) -> Option<String> {
    let floats: Vec<&str> = given
        .iter()
        .zip([" f32", " f64"])
        .filter_map(|(given, float)| given.map(|_| float))
        .collect();
    (!floats.is_empty()).then(|| format!("{name}{}", floats.concat()))
}

/// The packs that are linked into this program, in order of name.
pub fn linked() -> Result<Vec<Arc<Pack>>> {
    static LINKED: OnceLock<Result<Vec<Arc<Pack>>>> = OnceLock::new();
    LINKED.get_or_init(read_linked).clone()
}

fn read_linked() -> Result<Vec<Arc<Pack>>> {
    let mut packs = mooncake_pack::linked()
        .map(|root| Ok(Arc::new(table::read(&root::Root::Rust(root), None)?)))
        .collect::<Result<Vec<Arc<Pack>>>>()?;
    let same = |pair: &&[Arc<Pack>]| pair[0].short_name() == pair[1].short_name();
    packs.sort_by_key(|pack| pack.short_name());
    if let Some(pair) = packs.windows(2).find(same) {
        return Err(fault(
            &pair[0].name,
            "two packs of this name are linked into the program",
        ));
    }
    packs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packs)
}

/// The error of a pack, in one line.
fn fault(pack: impl ToString, message: impl ToString) -> Error {
    let message = message.to_string();
    Error::Pack {
        pack: pack.to_string(),
        message: message
            .lines()
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("; "),
    }
}

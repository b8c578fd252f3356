//! A context: the rules in force, which of them are primitives, and values that later modules attach.
//!
//! A context is a value: cloning it is cheap, and loading a pack into one clone does not change the others. This module does not know devices;
//! the array layer attaches its device ([`Context::attached`]).

use crate::diag::{Error, Result, notice};
use crate::ir::Type;
use crate::plugin::{self, Lock, Options, Pack};
use crate::registry::{ContextKind, Registry, canonical};
use log::Level;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// The rules in force and where they run. Everything begins with one: it builds the rules of functions, and loads packs of rules.
///
/// `Context::default()` has the rules of the packs that are linked into the program, and its arrays are on the device that the environment
/// variable `MOONCAKE_DEVICE` names. [`Context::builder`] chooses otherwise.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn area(radius: f64) -> f64 {
///     std::f64::consts::PI * radius * radius
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let ctx = Context::builder().device(Device::cpu()).build()?;
/// let rule = ctx.build_rrule::<area>()?;
/// let (_value, (gradient,)) = rule.value_and_gradient((2.0,))?;
/// assert_eq!(gradient, 4.0 * std::f64::consts::PI);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Context {
    registry: Arc<Registry>,
    packs: Vec<Arc<Pack>>,
    options: Arc<Options>,
    lock: Option<Arc<Lock>>,
    kind: ContextKind,
    debug: bool,
    fast_math: bool,
    attached: Arc<Attached>,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packs: Vec<&str> = self.packs.iter().map(|pack| &*pack.name).collect();
        f.debug_struct("Context")
            .field("packs", &packs)
            .field("kind", &self.kind)
            .field("debug", &self.debug)
            .field("fast_math", &self.fast_math)
            .finish_non_exhaustive()
    }
}

/// Chooses what a [`Context`] is made of: `Context::builder()` begins, [`build`](ContextBuilder::build) ends.
///
/// ```
/// use mooncake::prelude::*;
///
/// # fn main() -> mooncake::Result<()> {
/// let ctx = Context::builder().device(Device::cpu()).debug(true).build()?;
/// assert_eq!(ctx.device().name(), "cpu");
/// # Ok(())
/// # }
/// ```
pub struct ContextBuilder {
    options: Options,
    lock: Option<PathBuf>,
    kind: ContextKind,
    debug: bool,
    fast_math: bool,
    attached: Attached,
}

/// Values that later modules attach, one for each type.
#[derive(Default)]
struct Attached(Mutex<FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Context {
    /// Starts from the defaults: the default rules of the linked packs, the best device.
    pub fn builder() -> ContextBuilder {
        ContextBuilder {
            options: Options::default(),
            lock: None,
            kind: ContextKind::Default,
            debug: false,
            fast_math: false,
            attached: Attached::default(),
        }
    }
    /// Whether a call of the function at this path (`gelu::gelu`) with arguments of these types is answered by a rule rather than
    /// derived. The functions of the pack `std` are meant by their names alone, too: `sin` is `std::sin`.
    pub fn is_primitive(&self, path: &str, types: &[Type]) -> bool {
        let (registry, path) = (&self.registry, canonical(path));
        registry.rule(path, types, self.kind).is_some()
            || registry.replacing(path, types, self.kind).is_some()
    }
    /// All rules in force.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }
    /// Which rules count as primitives.
    pub fn kind(&self) -> ContextKind {
        self.kind
    }
    /// Whether the results of all rules are checked; see [`ContextBuilder::debug`].
    pub fn debug(&self) -> bool {
        self.debug
    }
    /// Whether derived code may give other last bits than native Rust; see [`ContextBuilder::fast_math`].
    pub fn fast_math(&self) -> bool {
        self.fast_math
    }
    /// The value of type `T` attached to this context and its clones; made by `init` if there is none yet.
    pub(crate) fn attached<T: Any + Send + Sync>(&self, init: impl FnOnce() -> T) -> Arc<T> {
        self.attached.get_or_insert(init)
    }
    /// Loads a rule pack from a file (`libgelu_pack.so`), checks it, and puts its rules in force in this context.
    ///
    /// Loading runs the pack's native code with your rights. A pack is never unloaded; loading the same bytes again,
    /// here or in another context, does nothing twice.
    pub fn load_pack(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let pack = Pack::load_locked(path, self.lock.as_deref())?;
        self.put_in_force(pack.clone())?;
        plugin::accept(&pack, &self.registry);
        Ok(())
    }
    fn put_in_force(&mut self, pack: Arc<Pack>) -> Result<()> {
        let name = pack.short_name();
        match self.packs.iter().find(|known| known.short_name() == name) {
            Some(known) if Arc::ptr_eq(known, &pack) => return Ok(()),
            Some(known) => return Err(another(known, &pack)),
            None => {}
        }
        let registry = plugin::install(&self.registry, std::slice::from_ref(&pack), &self.options)?;
        self.registry = Arc::new(registry);
        self.packs.push(pack);
        Ok(())
    }
    /// The rules of all packs that contexts of this process have accepted. Native code, which has no context, calls these. A pack that conflicts with
    /// earlier ones is left out.
    pub(crate) fn of_process() -> Context {
        static KNOWN: Mutex<Option<(usize, Context)>> = Mutex::new(None);
        // The first context accepts the linked packs.
        let mut context = Context::default();
        let mut packs = plugin::accepted();
        packs.retain(|pack| pack.path.is_some());
        let mut known = KNOWN.lock().unwrap_or_else(|e| e.into_inner());
        if let Some((count, context)) = &*known
            && *count == packs.len()
        {
            return context.clone();
        }
        for pack in &packs {
            let has = |known: &Arc<Pack>| known.short_name() == pack.short_name();
            if context.packs.iter().any(has) {
                continue;
            }
            // Errors, and rows that are left out, were reported where the pack was put in force.
            let pack = std::slice::from_ref(pack);
            let installed = plugin::install_all(&context.registry, pack, &context.options);
            if let Ok((registry, _)) = installed {
                context.registry = Arc::new(registry);
                context.packs.extend_from_slice(pack);
            }
        }
        *known = Some((packs.len(), context.clone()));
        context
    }
    /// A context for judging a pack: with those of its rows that are right, with these other packs, and with the linked packs
    /// but for one of the same name, which the pack stands for. The rows of the pack that are wrong come with it.
    pub(crate) fn to_judge(
        pack: &Arc<Pack>,
        others: &[Arc<Pack>],
    ) -> Result<(Context, Vec<plugin::WrongRow>)> {
        let mut ctx = Context::builder().build()?;
        let named = |name: &str| name == pack.name || others.iter().any(|p| p.name == name);
        ctx.packs.retain(|linked| !named(&linked.name));
        ctx.packs.extend(others.iter().cloned());
        ctx.packs.push(pack.clone());
        let (registry, wrong) =
            plugin::install_all(&Registry::default(), &ctx.packs, &ctx.options)?;
        ctx.registry = Arc::new(registry);
        match wrong.iter().find(|row| row.pack != pack.name) {
            Some(row) => Err(Error::Pack {
                pack: row.pack.clone(),
                message: row.message.clone(),
            }),
            None => Ok((ctx, wrong)),
        }
    }
    /// The same rules with another choice of primitives.
    pub(crate) fn with_kind(mut self, kind: ContextKind) -> Self {
        self.kind = kind;
        self
    }
    /// The same context with other rules in force.
    #[cfg(test)]
    pub(crate) fn with_registry(mut self, registry: Registry) -> Self {
        self.registry = Arc::new(registry);
        self
    }
    /// The packs whose rules are in force: the linked ones in order of name, then the loaded ones in order of loading.
    pub fn packs(&self) -> &[Arc<Pack>] {
        &self.packs
    }
    /// The linked packs and their entries, determined once for the process.
    fn linked(options: &Options) -> Result<(Arc<Registry>, Vec<Arc<Pack>>)> {
        type Linked = (Arc<Registry>, Vec<Arc<Pack>>);
        static LINKED: OnceLock<Result<Linked>> = OnceLock::new();
        let work_out = |options: &Options| {
            let packs = plugin::linked()?;
            let mut registry = plugin::install(&Registry::default(), &packs, options)?;
            packs
                .iter()
                .for_each(|pack| plugin::accept(pack, &registry));
            plugin::add_program_rules(&mut registry);
            Ok((Arc::new(registry), packs))
        };
        match options.rank.is_empty() && !options.allow_partial {
            true => LINKED.get_or_init(|| work_out(options)).clone(),
            false => work_out(options),
        }
    }
}

/// Two packs of one name: most often the loadable form of a linked one, or another build of a loaded one.
fn another(known: &Pack, pack: &Pack) -> Error {
    let origin = |pack: &Pack| match &pack.path {
        Some(path) => path.display().to_string(),
        None => "linked into the program".to_owned(),
    };
    Error::Pack {
        pack: pack.name.clone(),
        message: format!(
            "a pack of this name is in force already: version {} ({}); not loaded: version {} ({})",
            known.version,
            origin(known),
            pack.version,
            origin(pack)
        ),
    }
}

/// The linked packs' rules. Should they not fit together, a notice of the level `Error` says so and no rule is in force; the
/// builder gives the same as an error.
impl Default for Context {
    fn default() -> Self {
        Context::builder().build().unwrap_or_else(|error| {
            notice(Level::Error, format_args!("no rules are in force: {error}"));
            Context {
                registry: Arc::default(),
                packs: Vec::new(),
                options: Arc::default(),
                lock: None,
                kind: ContextKind::Default,
                debug: false,
                fast_math: false,
                attached: Arc::default(),
            }
        })
    }
}

impl ContextBuilder {
    /// Only what AD cannot do without is a primitive; everything else is derived.
    pub fn minimal(mut self) -> Self {
        self.kind = ContextKind::Minimal;
        self
    }
    /// Checks what every rule gives: that numbers which are not finite come from numbers which are not, that the
    /// cotangents of arrays have their shapes. The error names the call, and which of value, partial derivative and
    /// cotangent it is. It costs time: arrays are read back after every operation.
    pub fn debug(mut self, debug: bool) -> Self {
        self.debug = debug;
        self
    }
    /// Lets the loops of derived code give other last bits than native Rust: elementary functions are computed two (`f64`) or four (`f32`) at a time,
    /// as arrays on the CPU do, each within 2 ulp of the exact value; and what a loop adds up is added in as many parts. Results are
    /// the same in every run. Off by default.
    ///
    /// ```
    /// use mooncake::prelude::*;
    ///
    /// #[differentiable]
    /// fn energy(x: &[f64]) -> f64 {
    ///     let mut sum = 0.0;
    ///     for i in 0..x.len() {
    ///         sum += x[i].exp().cos();
    ///     }
    ///     sum
    /// }
    ///
    /// # fn main() -> mooncake::Result<()> {
    /// let rule = Context::builder().fast_math(true).build()?.build_rrule::<energy>()?;
    /// let x: Vec<f64> = (0..100).map(|i| 0.02 * i as f64).collect();
    /// let (value, (gradient,)) = rule.value_and_gradient((&x,))?;
    /// assert!((value - energy(&x)).abs() < 1e-13 * 100.0);
    /// assert!((gradient[50] + 1_f64.exp() * 1_f64.exp().sin()).abs() < 1e-14);
    /// # Ok(())
    /// # }
    /// ```
    pub fn fast_math(mut self, fast_math: bool) -> Self {
        self.fast_math = fast_math;
        self
    }
    /// Which pack gives a function that several define by the same path: the one named earlier. `a::softplus` and `b::softplus` are two functions, and
    /// their packs load together. Packs whose names are the same in paths, such as `mooncake-special` and `rules-special`, need a rank if both
    /// define a `special::gamma`.
    pub fn rank(mut self, packs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.rank = packs.into_iter().map(Into::into).collect();
        self
    }
    /// Leaves out faulty entries of a pack, with a notice for each, instead of refusing the pack.
    pub fn allow_partial_packs(mut self) -> Self {
        self.options.allow_partial = true;
        self
    }
    /// Loads only packs that this lock file has, as `mooncake pack lock` wrote it; without one the environment variable
    /// `MOONCAKE_PACK_LOCK` names the file, if it is set. The packs that are linked into the program are part of it and
    /// need no lock.
    pub fn lock(mut self, path: impl Into<PathBuf>) -> Self {
        self.lock = Some(path.into());
        self
    }
    /// Attaches a value of a later module. The last one of each type counts.
    pub(crate) fn attach<T: Any + Send + Sync>(self, value: T) -> Self {
        self.attached.insert(value);
        self
    }
    /// The context.
    pub fn build(self) -> Result<Context> {
        let (registry, packs) = Context::linked(&self.options)?;
        let lock = self.lock.map(Lock::read).transpose()?.map(Arc::new);
        Ok(Context {
            lock,
            registry,
            packs,
            options: Arc::new(self.options),
            kind: self.kind,
            debug: self.debug,
            fast_math: self.fast_math,
            attached: Arc::new(self.attached),
        })
    }
}

impl Attached {
    fn insert<T: Any + Send + Sync>(&self, value: T) {
        let mut values = self.0.lock().unwrap_or_else(|e| e.into_inner());
        values.insert(TypeId::of::<T>(), Arc::new(value));
    }
    fn get_or_insert<T: Any + Send + Sync>(&self, init: impl FnOnce() -> T) -> Arc<T> {
        let mut values = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let value = values
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::new(init()));
        value
            .clone()
            .downcast()
            .expect("values are stored under their own type")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attached_values_are_shared_by_clones() {
        let ctx = Context::builder().attach(7_u32).build().unwrap();
        assert_eq!(*ctx.clone().attached(|| 8_u32), 7);
        assert_eq!(*ctx.attached(|| 1_u8), 1);
        assert_eq!(*ctx.clone().attached(|| 2_u8), 1);
    }

    #[test]
    fn the_builder_decides_the_kind() {
        let ctx = Context::builder().minimal().debug(true).build().unwrap();
        assert_eq!(ctx.kind(), ContextKind::Minimal);
        assert!(ctx.debug());
        assert!(!ctx.is_primitive("no_such_function", &[Type::F64]));
    }
}

//! Calling packs' functions from safe code: for the interpreter, for tests, and for the native form of functions that
//! a program declares in `extern "pack"`.
//!
//! Compiled code calls them directly. Here numbers travel as f64: an f32 and an i32 widen exactly.

use super::{Pack, fault};
use crate::ir::{Symbol, Type};
use crate::registry::{EntryKind, NativeFn, Registry};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};

/// The most arguments of a native function.
pub const MAX_ARITY: usize = 6;

/// Whether packs may have native functions of these argument types: up to [`MAX_ARITY`] floats of one type, or a float
/// and an i32.
pub(super) fn callable(params: &[Type]) -> bool {
    match params {
        [float, Type::I32] => float.is_float(),
        [first, rest @ ..] => {
            first.is_float() && rest.len() < MAX_ARITY && rest.iter().all(|t| t == first)
        }
        [] => false,
    }
}

/// Calls a function by address for one float type: `call!(f32, address, args, extra…)`.
macro_rules! call {
    ($t:ty, $address:expr, $args:expr, $int:expr $(, $extra:expr => $extra_ty:ty)?) => {{
        let (address, a) = ($address as *const (), $args.map(|x: f64| x as $t));
        // SAFETY (all arms): an address that a pack gave for a function of this signature; packs are never unloaded.
        macro_rules! go {
            ($f:ty, $call:expr) => {{
                let f = unsafe { std::mem::transmute::<*const (), $f>(address) };
                #[allow(clippy::redundant_closure_call)]
                let y: $t = $call(f);
                y as f64
            }};
        }
        type T = $t;
        match $int {
            (2, true) => go!(extern "C" fn(T, i32 $(, $extra_ty)?) -> T, |f: extern "C" fn(T, i32 $(, $extra_ty)?) -> T| f(a[0], $args[1] as i32 $(, $extra)?)),
            (1, _) => go!(extern "C" fn(T $(, $extra_ty)?) -> T, |f: extern "C" fn(T $(, $extra_ty)?) -> T| f(a[0] $(, $extra)?)),
            (2, _) => go!(extern "C" fn(T, T $(, $extra_ty)?) -> T, |f: extern "C" fn(T, T $(, $extra_ty)?) -> T| f(a[0], a[1] $(, $extra)?)),
            (3, _) => go!(extern "C" fn(T, T, T $(, $extra_ty)?) -> T, |f: extern "C" fn(T, T, T $(, $extra_ty)?) -> T| f(a[0], a[1], a[2] $(, $extra)?)),
            (4, _) => go!(extern "C" fn(T, T, T, T $(, $extra_ty)?) -> T, |f: extern "C" fn(T, T, T, T $(, $extra_ty)?) -> T| f(a[0], a[1], a[2], a[3] $(, $extra)?)),
            (5, _) => go!(extern "C" fn(T, T, T, T, T $(, $extra_ty)?) -> T, |f: extern "C" fn(T, T, T, T, T $(, $extra_ty)?) -> T| f(a[0], a[1], a[2], a[3], a[4] $(, $extra)?)),
            _ => go!(extern "C" fn(T, T, T, T, T, T $(, $extra_ty)?) -> T, |f: extern "C" fn(T, T, T, T, T, T $(, $extra_ty)?) -> T| f(a[0], a[1], a[2], a[3], a[4], a[5] $(, $extra)?)),
        }
    }};
}

/// The value of a pack's function with parameters of these types. NaN if it has other parameters.
pub fn call_native(function: NativeFn, params: &[Type], args: &[f64]) -> f64 {
    let Some((args, shape)) = prepare(params, args) else {
        return f64::NAN;
    };
    match params[0] {
        Type::F32 => call!(f32, function.0, args, shape),
        _ => call!(f64, function.0, args, shape),
    }
}

/// The value and the partials of a pack's function (a `with_partials`), whose parameters have these types.
pub fn call_with_partials(function: NativeFn, params: &[Type], args: &[f64]) -> (f64, Vec<f64>) {
    let Some((args, shape)) = prepare(params, args) else {
        return (f64::NAN, vec![f64::NAN; params.len()]);
    };
    let n = params.len();
    match params[0] {
        Type::F32 => {
            let mut partials = [0f32; MAX_ARITY];
            let y = call!(f32, function.0, args, shape, partials.as_mut_ptr() => *mut f32);
            (y, partials[..n].iter().map(|&p| p as f64).collect())
        }
        _ => {
            let mut partials = [0f64; MAX_ARITY];
            let y = call!(f64, function.0, args, shape, partials.as_mut_ptr() => *mut f64);
            (y, partials[..n].to_vec())
        }
    }
}

/// What a `with_partials` function did with its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The value.
    pub value: f64,
    /// The partials; `None` for one that was not written.
    pub partials: Vec<Option<f64>>,
    /// Whether it wrote outside of the memory for its partials.
    pub escaped: bool,
}

/// The number of guard words on each side of the partials in [`watch_partials`].
const MARGIN: usize = 64;

/// Calls a `with_partials` on memory in which a stray write is noticed: there are guard words on both sides.
pub fn watch_partials(function: NativeFn, params: &[Type], args: &[f64]) -> Option<Watched> {
    let (args, shape) = prepare(params, args)?;
    let n = params.len();
    macro_rules! watched {
        ($t:ty, $bits:ty, $canary:expr) => {{
            // A NaN that no computation returns.
            let canary = <$t>::from_bits($canary);
            let mut memory = [canary; MARGIN + MAX_ARITY + MARGIN];
            let value = call!($t, function.0, args, shape, memory[MARGIN..].as_mut_ptr() => *mut $t);
            let whole = |x: &$t| x.to_bits() == $canary;
            let (before, rest) = memory.split_at(MARGIN);
            let (partials, after) = rest.split_at(n);
            Watched {
                value,
                partials: partials.iter().map(|p| (!whole(p)).then_some(*p as f64)).collect(),
                escaped: !before.iter().chain(after).all(whole),
            }
        }};
    }
    Some(match params[0] {
        Type::F32 => watched!(f32, u32, 0x7fc5_a11e),
        _ => watched!(f64, u64, 0x7ff8_5afe_0005_a11e),
    })
}

/// The arguments in an array, and the shape of the call: its arity, and whether the last argument is an i32.
fn prepare(params: &[Type], args: &[f64]) -> Option<([f64; MAX_ARITY], (usize, bool))> {
    if !callable(params) || params.len() != args.len() {
        return None;
    }
    let mut padded = [0.0; MAX_ARITY];
    padded[..args.len()].copy_from_slice(args);
    Some((padded, (params.len(), params.last() == Some(&Type::I32))))
}

/// Functions by name and types, each with the pack it is from.
type Published = BTreeMap<(Symbol, Vec<Type>), Vec<(String, NativeFn)>>;

/// The native functions of all packs of this process.
static PUBLISHED: RwLock<Published> = RwLock::new(BTreeMap::new());
/// The packs that a context has accepted, in that order.
static ACCEPTED: Mutex<Vec<Arc<Pack>>> = Mutex::new(Vec::new());
/// How often native functions have been published. Addresses that were found earlier may be outdated.
static EPOCH: AtomicU64 = AtomicU64::new(0);

/// Notes that a context has accepted a pack, and makes its native functions in this registry known to [`native_by_name`]. A refused pack is not known to
/// anybody.
pub fn accept(pack: &Arc<Pack>, registry: &Registry) {
    let mut accepted = ACCEPTED.lock().unwrap_or_else(|e| e.into_inner());
    if accepted.iter().any(|known| Arc::ptr_eq(known, pack)) {
        return;
    }
    accepted.push(pack.clone());
    let mut published = PUBLISHED.write().unwrap_or_else(|e| e.into_inner());
    for entry in registry.entries() {
        if let EntryKind::Scalar(rule) = &entry.kind
            && let Some(function) = rule.native
            && entry.pack.as_str() == pack.name
            && !entry.is_private()
        {
            let key = (Symbol::new(entry.row()), entry.params.clone());
            let found = published.entry(key).or_default();
            found.push((pack.short_name(), function));
        }
    }
    EPOCH.fetch_add(1, Ordering::Release);
}

/// The packs that contexts of this process have accepted, in that order.
pub fn accepted() -> Vec<Arc<Pack>> {
    ACCEPTED.lock().unwrap_or_else(|e| e.into_inner()).clone()
}

/// A native call of a pack's function of numbers at one place of a program. It keeps the address until another pack is loaded.
pub struct Site {
    name: &'static str,
    epoch: AtomicU64,
    /// 0 if there is no native function of that name, or several.
    address: AtomicUsize,
}

impl Site {
    /// A call of the function of this name, which is not looked up yet.
    pub const fn new(name: &'static str) -> Site {
        Site {
            name,
            epoch: AtomicU64::new(u64::MAX),
            address: AtomicUsize::new(0),
        }
    }
    /// The function's value, if the packs of this process have one native function of that name. `None` also once a pack has panicked, because a function
    /// that panics answers NaN: the caller then compiles the call, and that gives the error.
    #[inline(always)]
    pub fn call<A: Numbers>(&self, args: A) -> Option<A::Value> {
        if self.epoch.load(Ordering::Acquire) != EPOCH.load(Ordering::Acquire) {
            self.look_up(A::TYPES);
        }
        match self.address.load(Ordering::Relaxed) {
            0 => None,
            _ if fault::any() => None,
            address => {
                let value = args.apply(NativeFn(address));
                (!fault::any()).then_some(value)
            }
        }
    }
    /// The epoch is written last: whoever reads it reads an address that is at least as new. A newer one is no harm.
    #[cold]
    #[inline(never)]
    fn look_up(&self, params: &[Type]) {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _held = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
        let epoch = EPOCH.load(Ordering::Acquire);
        let found = native_by_name(self.name, params).map_or(0, |function| function.0);
        self.address.store(found, Ordering::Relaxed);
        self.epoch.store(epoch, Ordering::Release);
    }
}

/// Arguments of a native function: up to [`MAX_ARITY`] floats of one type, or a float and an i32.
pub trait Numbers: sealed::Sealed {
    /// The type of the result.
    type Value;
    /// The types of its parameters.
    const TYPES: &'static [Type];
    /// Its value at these arguments.
    fn apply(self, function: NativeFn) -> Self::Value;
}

mod sealed {
    pub trait Sealed {}
}

/// Implements [`Numbers`] for a tuple.
macro_rules! numbers {
    ($float:ident: $($arg:ident: $ty:ident = $ir:ident),+) => {
        impl sealed::Sealed for ($($ty,)+) {}
        impl Numbers for ($($ty,)+) {
            type Value = $float;
            const TYPES: &'static [Type] = &[$(Type::$ir),+];
            #[inline(always)]
            fn apply(self, function: NativeFn) -> $float {
                let ($($arg,)+) = self;
                // SAFETY: an address that a pack gave for a function of this signature; packs are never unloaded.
                let function = unsafe {
                    std::mem::transmute::<*const (), extern "C" fn($($ty),+) -> $float>(function.0 as *const ())
                };
                function($($arg),+)
            }
        }
    };
    ($float:ident, $ir:ident) => {
        numbers! { $float: a: $float = $ir }
        numbers! { $float: a: $float = $ir, b: $float = $ir }
        numbers! { $float: a: $float = $ir, b: $float = $ir, c: $float = $ir }
        numbers! { $float: a: $float = $ir, b: $float = $ir, c: $float = $ir, d: $float = $ir }
        numbers! { $float: a: $float = $ir, b: $float = $ir, c: $float = $ir, d: $float = $ir, e: $float = $ir }
        numbers! { $float: a: $float = $ir, b: $float = $ir, c: $float = $ir, d: $float = $ir, e: $float = $ir, f: $float = $ir }
        numbers! { $float: a: $float = $ir, n: i32 = I32 }
    };
}
numbers!(f32, F32);
numbers!(f64, F64);

/// The native function of that name and those parameter types, whichever pack of this process has it: what a
/// differentiable program calls when it runs natively, where there is no context to ask. The error says what to do.
pub fn native_by_name(name: &str, params: &[Type]) -> Result<NativeFn, String> {
    let published = PUBLISHED.read().unwrap_or_else(|e| e.into_inner());
    let (of, row) = match name.rsplit_once("::") {
        Some((pack, row)) => (Some(pack), row),
        None => (None, name),
    };
    let found = published.get(&(Symbol::new(row), params.to_vec()));
    let is_meant = |pack: &str| of.is_none_or(|of| of == pack);
    let found: Vec<_> = { found.into_iter().flatten() }
        .filter(|(pack, _)| is_meant(pack))
        .collect();
    match found[..] {
        [(_, f)] => Ok(*f),
        [] => Err(format!(
            "no pack defines `{name}`: load it with Context::load_pack before it is called"
        )),
        [(a, _), (b, _), ..] => Err(format!(
            "`{name}` is defined by the packs {a} and {b}: write which of them is meant before the declaration, `#[pack = \"{a}\"]`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn fused(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
    extern "C" fn power(x: f64, n: i32) -> f64 {
        x.powi(n)
    }
    extern "C" fn product(x: f64, y: f64, partials: &mut [f64; 2]) -> f64 {
        *partials = [y, x];
        x * y
    }

    #[test]
    fn functions_are_called_with_their_own_types() {
        let f32s = [Type::F32; 3];
        assert_eq!(
            call_native(
                NativeFn(fused as *const () as usize),
                &f32s,
                &[2.0, 3.0, 4.0]
            ),
            10.0
        );
        let mixed = [Type::F64, Type::I32];
        assert_eq!(
            call_native(NativeFn(power as *const () as usize), &mixed, &[2.0, -3.0]),
            0.125
        );
        let both = call_with_partials(
            NativeFn(product as *const () as usize),
            &[Type::F64; 2],
            &[2.0, 5.0],
        );
        assert_eq!(both, (10.0, vec![5.0, 2.0]));
    }

    #[test]
    fn other_shapes_are_not_called() {
        assert!(callable(&[Type::F32; MAX_ARITY]) && !callable(&[Type::F32; MAX_ARITY + 1]));
        assert!(!callable(&[Type::F32, Type::F64]) && !callable(&[]) && !callable(&[Type::I32]));
        assert!(call_native(NativeFn(power as *const () as usize), &[Type::F64], &[]).is_nan());
    }
}

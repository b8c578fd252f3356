//! Functions of packs, called natively: they are compiled, once, with the rules of all packs that this process has loaded.
//!
//! Functions of numbers do not come here: `plugin` calls them by their addresses.

use super::derived::{Derived, Kind, activity};
use super::{Argument, DifferentiableFn, Returned, pipeline};
use crate::array::host::ArrayHost;
use crate::array::{Array, FloatElement, Tensor};
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::exec::{Args, Leaf, Program};
use crate::ir::build::Builder;
use crate::ir::{Function, Module, Symbol, Type};
use crate::registry::array_method;
use std::any::TypeId;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, LazyLock, RwLock};

/// What is made once for each key. What fails is tried again: a pack may be loaded in the meantime.
struct Once<K, V>(LazyLock<RwLock<HashMap<K, V>>>);

impl<K: Hash + Eq, V: Clone> Once<K, V> {
    const fn new() -> Self {
        Once(LazyLock::new(RwLock::default))
    }
    fn get(&self, key: K, make: impl FnOnce() -> Result<V>) -> Result<V> {
        let known = self.0.read().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = known.get(&key) {
            return Ok(found.clone());
        }
        drop(known);
        let made = make()?;
        let mut known = self.0.write().unwrap_or_else(|e| e.into_inner());
        Ok(known.entry(key).or_insert(made).clone())
    }
}

/// The value of a function that the program declares in `extern "pack"`.
///
/// # Panics
///
/// If no loaded pack defines it, or the pack's function fails, unless the result is an array: that carries the error. Native code has no
/// other way to be told.
pub fn call_pack<'a, F: DifferentiableFn>(args: F::Args<'a>) -> F::Output
where
    F::Args<'a>: Argument<F::Args<'a>>,
{
    static DECLARED: Once<TypeId, Arc<Derived>> = Once::new();
    let value = || {
        let derived = DECLARED.get(TypeId::of::<F>(), || {
            let derived = Derived::new(&Context::of_process(), &F::callee())?;
            Ok(Arc::new(derived))
        })?;
        let all = activity::<F::Args<'a>, F::Args<'a>>();
        derived.compiled(Kind::Primal, all)?.value(args)
    };
    value().unwrap_or_else(|error: Error| match F::Output::failed(&error) {
        Some(failed) => failed,
        None => panic!("{error}"),
    })
}

/// An argument of a pack's function: as its word in a call, and its type.
type Given<'a> = &'a dyn Fn(&ArrayHost) -> Result<(Type, u64)>;

/// The arrays that a pack's function gives.
fn call_rule(path: &'static str, arguments: &[Given<'_>]) -> Result<Vec<Tensor>> {
    static RULES: Once<(&str, Vec<Type>), Arc<Program>> = Once::new();
    let (host, mut args) = (ArrayHost::new(), Args::new());
    for argument in arguments {
        let (ty, word) = argument(&host)?;
        args.leaf(&Leaf::inside(ty, [word, 0]), None);
    }
    let program = RULES.get((path, args.types().to_vec()), || {
        compile(path, args.types())
    })?;
    let mut words = vec![0; program.result_words(0)];
    program.call(0, &args, &mut words, &host)?;
    words.iter().map(|&word| host.take_tensor(word)).collect()
}

/// A program that calls one function of a pack.
fn compile(path: &'static str, types: &[Type]) -> Result<Arc<Program>> {
    let (ctx, name) = (Context::of_process(), Symbol::new(path));
    let Some(ret) = ctx.registry().call_type(name, types) else {
        return Err(Error::Array(format!(
            "no pack in this process defines `{path}` for {}",
            Type::tuple(types)
        )));
    };
    let mut b = Builder::new(Function::new(Symbol::new("call"), types, ret));
    let args = b.function.params().to_vec();
    let y = b.call(name, &args, ret);
    b.ret(y);
    let normal = pipeline::normal(&ctx, Module::new(b.finish()))?;
    let primal = pipeline::primal(&ctx, &normal)?;
    Program::compile(&primal, ctx.registry(), &[primal.root])
}

/// Linear algebra. These are rules of the pack `rules-linalg`, in and outside differentiable functions.
impl<T: FloatElement> Array<T> {
    /// The inner product of two arrays of one shape: a 0-d array.
    pub fn dot(&self, other: &Array<T>) -> Array<T> {
        self.rule("dot", &[&self.given(), &other.given()])
    }
    /// The Euclidean norm of all elements: a 0-d array. At 0 its derivative is taken to be 0, the least subgradient.
    pub fn norm(&self) -> Array<T> {
        self.rule("norm", &[&self.given()])
    }
    fn given(&self) -> impl Fn(&ArrayHost) -> Result<(Type, u64)> {
        |host| Ok((Type::array(T::TYPE), host.give(self)?))
    }
    /// The one array that a method's rule gives.
    fn rule(&self, method: &str, arguments: &[Given<'_>]) -> Array<T> {
        let path = array_method(method).unwrap_or_default();
        let found = call_rule(path, arguments).and_then(|mut found| {
            let one = found.pop().filter(|_| found.is_empty());
            one.ok_or_else(|| Error::Internal(format!("`{path}` gives several arrays")))
        });
        Array::new(self.device(), found)
    }
}

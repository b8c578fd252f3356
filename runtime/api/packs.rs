//! Functions of packs, called natively: they are compiled, once, with the rules of all packs that this process has loaded.
//!
//! Functions of numbers do not come here: `plugin` calls them by their addresses.

use super::derived::Derived;
use super::{Argument, DifferentiableFn, Returned, pipeline};
use crate::array::host::ArrayHost;
use crate::array::{Array, FloatElement, Tensor};
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::exec::{Args, Leaf, PackFunction, PackFunctions, Program};
use crate::ir::build::Builder;
use crate::ir::{Function, Module, Symbol, Type};
use crate::registry::{
    Entry, EntryKind, Registry, array_method, canonical, is_private, left_out, row_name,
};
use rustc_hash::FxHashMap;
use std::any::TypeId;
use std::hash::Hash;
use std::sync::{Arc, LazyLock, RwLock};

/// What is made once for each key. What fails is tried again: a pack may be loaded in the meantime.
struct Once<K, V>(LazyLock<RwLock<FxHashMap<K, V>>>);

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
#[track_caller]
pub fn call_pack<'a, F: DifferentiableFn>(args: F::Args<'a>) -> F::Output
where
    F::Args<'a>: Argument<F::Args<'a>>,
{
    static DECLARED: Once<TypeId, Arc<Derived>> = Once::new();
    let value = || -> Result<F::Output> {
        let derived = DECLARED.get(TypeId::of::<F>(), || {
            let derived = Derived::new(&Context::of_process(), &F::callee())?;
            Ok(Arc::new(derived))
        })?;
        derived.value(args)
    };
    match value() {
        Ok(value) => value,
        Err(error) => match F::Output::failed(&error) {
            Some(failed) => failed,
            None => panic!("{error}"),
        },
    }
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
    let ctx = Context::of_process();
    let Some(ret) = ctx.registry().call_type(Symbol::new(path), types) else {
        return Err(undefined(path, types));
    };
    program(&ctx, Symbol::new(path), types, ret)
}

fn undefined(name: &str, types: &[Type]) -> Error {
    let left_out = left_out(name).map(|advice| format!(": {advice}"));
    Error::Array(format!(
        "no pack in this process defines `{name}` for {}{}",
        list(types),
        left_out.unwrap_or_default()
    ))
}

/// Types of arguments, for messages.
fn list(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    format!("({})", types.join(", "))
}

/// A program that calls one function.
fn program(ctx: &Context, name: Symbol, types: &[Type], ret: Type) -> Result<Arc<Program>> {
    let mut b = Builder::new(Function::new(Symbol::new("call"), types, ret));
    let args = b.function.params().to_vec();
    let y = b.call(name, &args, ret);
    b.ret(y);
    let normal = pipeline::normal(ctx, Module::new(b.finish()))?;
    let primal = pipeline::primal(ctx, &normal)?;
    Program::compile(&primal, ctx.registry(), &[primal.root])
}

inventory::submit! { PackFunctions(asked) }

/// The function that a native function means by a name.
fn asked(by: Symbol, name: &str, types: &[Type]) -> Result<PackFunction> {
    static FOUND: Once<(Symbol, String, Vec<Type>), PackFunction> = Once::new();
    FOUND.get((by, name.to_owned(), types.to_vec()), || {
        let ctx = Context::of_process();
        let (meant, ret) = meant(ctx.registry(), by, name, types)?;
        let is_ordered = |row: &Arc<Entry>| row.effects.is_ordered();
        if ctx.registry().effects(meant, types).is_ordered()
            && !ctx.registry().named(by).iter().any(is_ordered)
        {
            return Err(Error::Array(format!(
                "`{by}` is pure and calls `{meant}`, which is ordered: it must say `effects: ordered` itself"
            )));
        }
        let kernel = (ctx.registry().find(meant, types)).is_some_and(|entry| match &entry.kind {
            EntryKind::Array(rule) => rule.kernel.is_some(),
            EntryKind::Native(rule) => rule.kernel.is_some(),
            EntryKind::Scalar(_) => false,
        });
        Ok(PackFunction {
            program: program(&ctx, meant, types, ret)?,
            ret,
            has_kernel: kernel,
        })
    })
}

/// The row, or the operation of the host, that a name means in the pack of the function `by`, and what it gives.
fn meant(registry: &Registry, by: Symbol, name: &str, types: &[Type]) -> Result<(Symbol, Type)> {
    let own = by.as_str().split_once("::").map(|(pack, _)| pack);
    let own_rows = [false, true].map(|private| Some(row_name(own?, name, private)));
    let everybody = Some(canonical(name)).filter(|name| !is_private(*name));
    let candidates = match name.contains("::") {
        true => vec![everybody],
        false => vec![own_rows[0], own_rows[1], everybody],
    };
    let candidates: Vec<Symbol> = candidates.into_iter().flatten().collect();
    let given = |&name: &Symbol| registry.call_type(name, types).map(|ret| (name, ret));
    if let Some(found) = candidates.iter().find_map(given) {
        return Ok(found);
    }
    let others = candidates.iter().flat_map(|&name| registry.named(name));
    let others: Vec<String> = others.map(|entry| list(&entry.params)).collect();
    match others[..] {
        [] => Err(undefined(name, types)),
        _ => Err(Error::Array(format!(
            "`{name}` is not defined for {}; it is for {}",
            list(types),
            others.join(" and ")
        ))),
    }
}

/// Linear algebra. These are rules of the pack `mooncake-rules-linalg`, in and outside differentiable functions.
impl<T: FloatElement> Array<T> {
    /// The inner product of two arrays of one shape: a 0-d array.
    pub fn dot(&self, other: &Array<T>) -> Array<T> {
        self.rule("dot", &[&self.given(), &other.given()])
    }
    /// The Euclidean norm of all elements: a 0-d array. At 0 its derivative is taken to be 0, the least subgradient.
    pub fn norm(&self) -> Array<T> {
        self.rule("norm", &[&self.given()])
    }
    /// The lower triangular matrix `l` with `l · lᵀ = (a + aᵀ) / 2`. A matrix that is not positive definite is an error.
    pub fn cholesky(&self) -> Array<T> {
        self.rule("cholesky", &[&self.given()])
    }
    /// The factors of a square matrix with rows exchanged: `l · u = a[p]`, where `l` has a unit diagonal and `p[i]` is the row of `a` that became
    /// row `i`.
    pub fn lu(&self) -> (Array<T>, Array<T>, Array<u32>) {
        let [l, u, p] = self.rules("lu", &[&self.given()]);
        (self.of(l), self.of(u), Array::new(self.device(), p))
    }
    /// The reduced QR decomposition of a matrix with at least as many rows as columns: `q` has orthonormal columns, `r` is upper triangular.
    pub fn qr(&self) -> (Array<T>, Array<T>) {
        let [q, r] = self.rules("qr", &[&self.given()]);
        (self.of(q), self.of(r))
    }
    /// The reduced singular value decomposition, `a = u · diag(s) · vt`; singular values fall.
    pub fn svd(&self) -> (Array<T>, Array<T>, Array<T>) {
        let [u, s, vt] = self.rules("svd", &[&self.given()]);
        (self.of(u), self.of(s), self.of(vt))
    }
    /// The eigenvalues of `(a + aᵀ) / 2`, which rise, and its eigenvectors as columns.
    pub fn eigh(&self) -> (Array<T>, Array<T>) {
        let [w, v] = self.rules("eigh", &[&self.given()]);
        (self.of(w), self.of(v))
    }
    /// The `x` with `a · x = b` for a square matrix; `b` is a vector or a matrix of columns. A singular matrix is an error.
    pub fn solve(&self, b: &Array<T>) -> Array<T> {
        self.rule("solve", &[&self.given(), &b.given()])
    }
    /// The `x` with `t · x = b`, where `t` is the lower or the upper triangle of a square matrix; with `unit` its diagonal is taken to
    /// be 1. A zero on the diagonal is an error.
    pub fn solve_triangular(&self, b: &Array<T>, lower: bool, unit: bool) -> Array<T> {
        let arguments: [Given<'_>; 4] = [&self.given(), &b.given(), &flag(lower), &flag(unit)];
        self.rule("solve_triangular", &arguments)
    }
    /// The `x` with `tᵀ · x = b`: [`Array::solve_triangular`] with the transpose of the triangle.
    pub fn solve_triangular_t(&self, b: &Array<T>, lower: bool, unit: bool) -> Array<T> {
        let arguments: [Given<'_>; 4] = [&self.given(), &b.given(), &flag(lower), &flag(unit)];
        self.rule("solve_triangular_t", &arguments)
    }
    /// The `x` that makes `‖a · x − b‖` least, for a matrix of full rank with at least as many rows as columns.
    pub fn lstsq(&self, b: &Array<T>) -> Array<T> {
        self.rule("lstsq", &[&self.given(), &b.given()])
    }
    /// The inverse of a square matrix. A singular matrix is an error.
    pub fn inv(&self) -> Array<T> {
        self.rule("inv", &[&self.given()])
    }
    /// The determinant of a square matrix: a 0-d array.
    pub fn det(&self) -> Array<T> {
        self.rule("det", &[&self.given()])
    }
    /// The logarithm of the determinant of a square matrix: a 0-d array, −∞ for a singular matrix. A negative determinant is an error.
    pub fn logdet(&self) -> Array<T> {
        self.rule("logdet", &[&self.given()])
    }
    /// The sign of the determinant (0 for a singular matrix) and the logarithm of its size: two 0-d arrays.
    pub fn slogdet(&self) -> (Array<T>, Array<T>) {
        let [sign, log] = self.rules("slogdet", &[&self.given()]);
        (self.of(sign), self.of(log))
    }
    /// The sum of the diagonal of a square matrix: a 0-d array.
    pub fn trace(&self) -> Array<T> {
        self.rule("trace", &[&self.given()])
    }
    /// The Kronecker product of two matrices.
    pub fn kron(&self, other: &Array<T>) -> Array<T> {
        self.rule("kron", &[&self.given(), &other.given()])
    }
    fn given(&self) -> impl Fn(&ArrayHost) -> Result<(Type, u64)> {
        |host| Ok((Type::array(T::TYPE), host.give(self)?))
    }
    fn of(&self, found: Result<Tensor>) -> Array<T> {
        Array::new(self.device(), found)
    }
    /// The one array that a method's rule gives.
    fn rule(&self, method: &str, arguments: &[Given<'_>]) -> Array<T> {
        let [found] = self.rules(method, arguments);
        self.of(found)
    }
    /// The arrays that a method's rule gives; if it fails, each of them is its error.
    fn rules<const N: usize>(&self, method: &str, arguments: &[Given<'_>]) -> [Result<Tensor>; N] {
        let path = array_method(method).unwrap_or_default();
        match call_rule(path, arguments).map(<[Tensor; N]>::try_from) {
            Ok(Ok(found)) => found.map(Ok),
            Ok(Err(found)) => {
                let message = format!("`{path}` gives {} arrays, not {N}", found.len());
                std::array::from_fn(|_| Err(Error::Internal(message.clone())))
            }
            Err(error) => std::array::from_fn(|_| Err(error.clone())),
        }
    }
}

/// A bool as an argument.
fn flag(value: bool) -> impl Fn(&ArrayHost) -> Result<(Type, u64)> {
    move |_| Ok((Type::Bool, value.into()))
}

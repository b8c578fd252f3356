//! Inference: from generic functions to a typed module.
//!
//! [`infer`] finds the types (union-find, so that `let mut s = 0.0` takes `f32` where rustc would give it `f32`), decides which
//! function a method or an operator is, makes the guards that depend on types (integer overflow, division by zero), and adds every function
//! that is called, once for each list of argument types.
//!
//! rustc has accepted the same source, so types that do not fit are rare here; what is common is a function that no pack defines. Does not
//! know derivatives: whether a call has a rule is asked when a rule is built.

mod library;
mod methods;
mod rewrite;
mod solve;
mod unify;

use crate::diag::{Diagnostic, Result, Span};
use crate::front::lower::{Generic, lower, symbol};
use crate::front::tree::{Body, Source};
use crate::ir::{Function, Module, Op, Prim, Symbol, Type, ValueDef};
use crate::registry::Registry;
use std::collections::{BTreeMap, HashMap};

/// The typed module of a function and of all that it calls.
///
/// # Errors
/// [`Error::User`] with the place: a function that nothing defines, a method that the type does not have here, types that do not fit.
pub fn infer(root: &'static Source, registry: &Registry) -> Result<Module> {
    let mut program = Program {
        registry,
        functions: BTreeMap::new(),
        instances: HashMap::new(),
        queue: Vec::new(),
    };
    let types: Vec<Type> = root.params.iter().map(|param| (param.ty)()).collect();
    let name = program.instance(root, &types);
    while let Some((name, source, types)) = program.queue.pop() {
        program.add(name, source, &types)?;
    }
    Ok(Module {
        root: name,
        functions: program.functions,
    })
}

/// The functions found so far.
struct Program<'r> {
    registry: &'r Registry,
    functions: BTreeMap<Symbol, Function>,
    /// The name of a source for a list of argument types.
    instances: HashMap<(Symbol, Vec<Type>), Symbol>,
    /// Named, not inferred yet.
    queue: Vec<(Symbol, &'static Source, Vec<Type>)>,
}

impl Program<'_> {
    /// The function of a source for arguments of these types: its path, or `path#n` for types other than those declared.
    fn instance(&mut self, source: &'static Source, types: &[Type]) -> Symbol {
        let path = symbol(source);
        let key = (path, types.to_vec());
        if let Some(&name) = self.instances.get(&key) {
            return name;
        }
        let declared = source
            .params
            .iter()
            .map(|param| (param.ty)())
            .eq(types.iter().copied());
        let name = match declared {
            true => path,
            false => {
                let others = self
                    .instances
                    .keys()
                    .filter(|(other, _)| *other == path)
                    .count();
                Symbol::new(&format!("{path}#{}", others + 1))
            }
        };
        self.instances.insert(key, name);
        self.queue.push((name, source, types.to_vec()));
        name
    }

    /// Infers one function and its closures.
    fn add(&mut self, name: Symbol, source: &'static Source, types: &[Type]) -> Result<()> {
        let mut generic = lower(source)?;
        rename(&mut generic, name);
        specialise(&mut generic.functions[0].function, types);
        let types = solve::solve(&generic, self.registry)?;
        let closures: Vec<Symbol> = generic.functions.iter().map(|f| f.function.name).collect();
        for function in generic.functions {
            let mut typed = rewrite::rewrite(function, &types, &closures, self)?;
            if library::contains(source) {
                forget_places(&mut typed);
            }
            self.functions.insert(typed.name, typed);
        }
        Ok(())
    }

    /// The name to call a source by on arguments of these types: a pack's function, or one of the module.
    fn callee(
        &mut self,
        source: &'static Source,
        types: &[Type],
        span: Span,
    ) -> Result<Symbol, Diagnostic> {
        match source.body {
            Body::Block(_) => Ok(self.instance(source, types)),
            Body::Pack(name) => {
                let name = Symbol::new(name);
                match self.registry.call_type(name, types) {
                    Some(_) => Ok(name),
                    None => Err(no_such_function(name.as_str(), types, span)),
                }
            }
        }
    }
}

/// Our own functions have no place that a user would know: inlined, they take that of the call.
fn forget_places(function: &mut Function) {
    for inst in function.insts.keys() {
        function.insts[inst].span = Span::NONE;
    }
}

/// Names the function and its closures after the instance.
fn rename(generic: &mut Generic, name: Symbol) {
    let old = generic.functions[0].function.name;
    if old != name {
        for generic in &mut generic.functions {
            let tail = generic
                .function
                .name
                .as_str()
                .strip_prefix(old.as_str())
                .unwrap_or_default();
            generic.function.name = Symbol::new(&format!("{name}{tail}"));
        }
    }
}

/// Gives the parameters the types of the arguments: a `&mut [T]` may be passed for a `&[T]`, and then its memory can change while the
/// function runs, so its parts are `&mut [T]` as well.
fn specialise(function: &mut Function, types: &[Type]) {
    for (param, &ty) in function.params().to_vec().into_iter().zip(types) {
        function.values[param].ty = ty;
    }
    for block in function.layout.clone() {
        for inst in function.blocks[block].insts.clone() {
            let data = &function.insts[inst];
            if data.op == Op::Prim(Prim::Subslice) {
                debug_assert!(matches!(
                    function.values[data.result].def,
                    ValueDef::Inst(_)
                ));
                let (result, ty) = (data.result, function.ty(data.args[0]));
                function.values[result].ty = ty;
            }
        }
    }
}

/// What to say of a name that is no primitive, no host operation and in no pack.
fn no_such_function(name: &str, types: &[Type], span: Span) -> Diagnostic {
    let types: Vec<String> = types.iter().map(|&ty| unify::rust_name(ty)).collect();
    Diagnostic::new(span, format!("nothing defines `{name}` for ({})", types.join(", "))).help(
        "load the pack that defines it (`ctx.load_pack(path)`), write it as a `#[differentiable]` function, or write a pack with a rule for it",
    )
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::DifferentiableFn;
    use crate::differentiable;
    use crate::ir::verify::verify;
    use crate::normalise::normalise;
    use crate::{Array, Context};

    #[differentiable]
    fn mean_of_squares(x: &[f32], scale: f32) -> f32 {
        let mut s = 0.0;
        let mut n = 0;
        for &v in x {
            s += v * v * 2.0;
            n += 1;
        }
        s.sqrt() * scale.max(1.0) / n as f32
    }

    #[differentiable]
    fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * y[i];
        }
        s
    }

    #[differentiable]
    fn smooth(u: &mut [f64], steps: usize) -> (f64, usize) {
        let n = u.len();
        for _ in 0..steps {
            for i in 1..n - 1 {
                u[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
            }
        }
        (dot(&u[1..], &u[..n - 1]), n % 3)
    }

    #[differentiable]
    fn layer(x: &Array<f32>, w: &Array<f32>, b: &Array<f32>, slope: f32) -> Array<f32> {
        let h = (x.matmul(w) + b).map(|v| if v > 0.0 { v } else { slope * v });
        (2.0 * h.tanh()).sum_axis(1).reshape([2, 2]).mean()
    }

    fn module<F: DifferentiableFn>() -> Result<Module> {
        let ctx = Context::default();
        let registry = ctx.registry();
        let module = infer(F::source(), registry)?;
        let externals = |name: Symbol, types: &[Type]| registry.call_type(name, types);
        verify(&module, &externals).unwrap_or_else(|error| panic!("{error}\n{module}"));
        normalise(module.clone(), registry, ctx.kind())?;
        Ok(module)
    }

    #[test]
    fn literals_take_the_type_they_meet() {
        let module = module::<mean_of_squares>().unwrap();
        let function = module.root();
        let wide = function
            .values
            .iter()
            .filter(|(_, value)| value.ty == Type::F64)
            .count();
        assert_eq!(wide, 0, "{module}");
        let counters = function
            .values
            .iter()
            .filter(|(_, value)| value.ty == Type::I32)
            .count();
        assert!(counters > 0, "{module}");
    }

    #[test]
    fn a_mutable_slice_makes_an_instance_of_its_callee() {
        let module = module::<smooth>().unwrap();
        let names: Vec<_> = module
            .functions
            .keys()
            .map(|name| name.as_str().rsplit("::").next().unwrap())
            .collect();
        assert_eq!(names, ["dot#1", "smooth"], "{module}");
    }

    #[test]
    fn operators_on_arrays_are_maps() {
        let module = module::<layer>().unwrap();
        let text = module.to_string();
        for expected in [
            "call @matmul(",
            "map @add(",
            "map @mul(",
            "map @tanh(",
            "call @mean(",
            ".closure0(",
        ] {
            assert!(text.contains(expected), "no {expected} in\n{text}");
        }
    }

    #[differentiable]
    extern "pack" {
        fn defined_nowhere(x: f32) -> f32;
    }

    #[differentiable]
    fn calls_nothing(x: &Array<f32>) -> Array<f32> {
        x.map(|v| defined_nowhere(v) + 1.0)
    }

    #[test]
    fn what_nothing_defines_is_named() {
        let error = module::<calls_nothing>().unwrap_err().to_string();
        assert!(
            error.starts_with("nothing defines `defined_nowhere` for (f32)"),
            "{error}"
        );
        assert!(
            error.contains("x.map(|v| defined_nowhere(v) + 1.0)"),
            "{error}"
        );
        assert!(
            error.contains("help: load the pack that defines it"),
            "{error}"
        );
    }
}

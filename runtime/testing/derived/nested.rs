//! Derivatives that programs ask for, of random programs: reverse mode of a gradient, and of a gradient that forward mode has differentiated.

use super::generate::{Features, LENGTH, PARAMS, program};
use super::text::*;
use crate::ad::nested::define_all;
use crate::ir::build::Builder;
use crate::ir::{
    Derivative, DerivativeKind, Function, Module, Prim, Signature, Symbol, Type, Value,
};
use crate::normalise::{LARGE, normalise};
use crate::registry::{ContextKind, Registry};
use crate::tangent::{self, Home};
use std::collections::BTreeMap;

fn normal_form(module: Module, registry: &Registry) -> Module {
    normalise(module, registry, ContextKind::Default, LARGE, &|_| {}).unwrap()
}

/// `call`s a derivative of `of`, which the module is said to declare.
fn ask(
    b: &mut Builder,
    declared: &mut BTreeMap<Symbol, Signature>,
    of: Symbol,
    kind: DerivativeKind,
    active: &[bool],
    args: &[Value],
    ret: Type,
) -> Value {
    let name = Symbol::new(&format!("{of}.asked"));
    let signature = Signature {
        params: args.iter().map(|&arg| b.function.ty(arg)).collect(),
        ret,
        derivative: Some(Derivative {
            of,
            active: active.to_vec(),
            kind,
            along: Vec::new(),
        }),
        origin: None,
    };
    declared.insert(name, signature);
    b.call(name, args, ret)
}

fn sum(b: &mut Builder, terms: &[Value]) -> Value {
    let mut sum = b.float(0.0, Type::F64);
    for (n, &term) in terms.iter().enumerate() {
        let weight = b.float(0.5 + 0.3 * n as f64, Type::F64);
        let term = b.prim(Prim::Mul, &[weight, term]);
        sum = b.prim(Prim::Add, &[sum, term]);
    }
    // Not linear, so that there are cotangents of all sizes.
    let square = b.prim(Prim::Mul, &[sum, sum]);
    let tenth = b.float(0.1, Type::F64);
    let square = b.prim(Prim::Mul, &[square, tenth]);
    b.prim(Prim::Add, &[sum, square])
}

/// `g(p…)`: a sum of what the gradient of `f` with respect to some parameters is made of, and of its value.
fn of_a_gradient(inner: Module, active: &[bool], registry: &Registry) -> Module {
    let types = PARAMS;
    let mut declared = BTreeMap::new();
    let mut b = Builder::new(Function::new(Symbol::new("g"), &types, Type::F64));
    let params = b.function.params().to_vec();
    let mut args = params.clone();
    let mut shadows = Vec::new();
    for (n, &ty) in types.iter().enumerate() {
        if active[n] && tangent::home(ty) == Home::Fdata {
            let bytes = b.int(8 * LENGTH as i64, Type::Usize);
            let address = b.prim(Prim::Alloc, &[bytes]);
            let length = b.int(LENGTH as i64, Type::Usize);
            let shadow = b.prim_to(Prim::View, &[address, length], Type::slice_mut(Type::F64));
            args.push(shadow);
            shadows.push(shadow);
        }
    }
    args.push(b.float(1.0, Type::F64));
    let cotangents = tangent::cotangents(&types, active);
    let ret = Type::tuple(&[&[Type::F64], &cotangents[..]].concat());
    let kind = DerivativeKind::Gradient;
    let all = ask(&mut b, &mut declared, inner.root, kind, active, &args, ret);
    let mut terms: Vec<Value> = { 0..=cotangents.len() as u32 }
        .map(|n| b.prim(Prim::Field(n), &[all]))
        .collect();
    for shadow in shadows {
        for n in 0..LENGTH {
            let n = b.int(n as i64, Type::Usize);
            terms.push(b.prim(Prim::Load, &[shadow, n]));
        }
    }
    let y = sum(&mut b, &terms);
    b.ret(y);
    finished(b, declared, inner, registry)
}

/// The same numbers in memory of their own: nobody may know the memory of tangents otherwise.
fn copy(b: &mut Builder, slice: Value, mutable: bool) -> Value {
    let bytes = b.int(8 * LENGTH as i64, Type::Usize);
    let address = b.prim(Prim::Alloc, &[bytes]);
    let length = b.int(LENGTH as i64, Type::Usize);
    let ty = Type::slice_mut(Type::F64);
    let copy = b.prim_to(Prim::View, &[address, length], ty);
    for n in 0..LENGTH {
        let n = b.int(n as i64, Type::Usize);
        let item = b.prim(Prim::Load, &[slice, n]);
        b.prim(Prim::Store, &[copy, n, item]);
    }
    match mutable {
        true => copy,
        false => b.prim_to(Prim::View, &[address, length], Type::slice(Type::F64)),
    }
}

/// `h(p…)`: the value of `g` and its derivative along a direction that depends on the parameters too.
fn of_a_derivative(inner: Module, registry: &Registry) -> Module {
    let types = PARAMS;
    let mut declared = BTreeMap::new();
    let mut b = Builder::new(Function::new(Symbol::new("h"), &types, Type::F64));
    let params = b.function.params().to_vec();
    let (x, u, a, other) = (params[0], params[1], params[4], params[5]);
    let speed = b.prim(Prim::Mul, &[a, other]);
    let (dx, du) = (copy(&mut b, x, false), copy(&mut b, u, true));
    let args = [&params[..], &[dx, du, speed]].concat();
    let active = [true, true, false, false, true, false];
    let ret = Type::tuple(&[Type::F64, Type::F64]);
    let kind = DerivativeKind::Tangent;
    let all = ask(&mut b, &mut declared, inner.root, kind, &active, &args, ret);
    let terms = [0, 1].map(|n| b.prim(Prim::Field(n), &[all]));
    let y = sum(&mut b, &terms);
    b.ret(y);
    finished(b, declared, inner, registry)
}

fn finished(
    b: Builder,
    declared: BTreeMap<Symbol, Signature>,
    inner: Module,
    registry: &Registry,
) -> Module {
    let mut module = Module::new(b.finish());
    module.declared = declared;
    let mut module = normal_form(module, registry);
    let kind = ContextKind::Default;
    define_all(&mut module, registry, kind, |_, _| Ok(inner.clone())).unwrap();
    module
}

#[test]
fn gradients_of_random_programs() {
    let registry = registry();
    for seed in super::random::seeds(30) {
        let inner = program(
            seed,
            Features {
                jumps: true,
                ..Features::default()
            },
        );
        let inner = normal_form(inner, &registry);
        let n = seed as usize;
        let args = [
            Arg::Floats(noise(LENGTH, n)),
            Arg::Floats(noise(LENGTH, n + 1)),
            Arg::Ints(vec![2, 0, 3, 0]),
            Arg::Int(seed as i64 % 4),
            float(0.7),
            float(-0.3),
        ];
        // Of what the inner derivative is, and of what the outer one: the same, some of it, something else.
        let bit = |n: u64| (seed / 2) >> n & 1 == 0;
        let within = [bit(0), bit(1), false, false, bit(2), !bit(0)];
        let around = match seed % 3 {
            0 => [true; 6],
            1 => [bit(1), !bit(0), true, true, bit(3), true],
            _ => [!within[0], !within[1], true, true, !within[4], !within[5]],
        };
        let module = of_a_gradient(inner, &within, &registry);
        check_derivatives(module.clone(), &args, &around, &format!("seed {seed}"));
        if seed % 2 == 0 {
            let module = of_a_derivative(module, &registry);
            check_derivatives(module, &args, &around, &format!("seed {seed}, along"));
        }
    }
}

//! The standard pack against Rust's own functions, and its derivatives where they are a choice.

use super::random::Random;
use crate::context::Context;
use crate::interp::{Datum, Packs, run};
use crate::ir::{Module, Symbol, Type};
use crate::plugin::{call_native, call_with_partials};
use crate::registry::{EntryKind, Registry, ScalarRule};
use std::collections::{BTreeMap, BTreeSet};

type Function<T> = fn(&[T]) -> T;

/// A row for each function, in Rust.
macro_rules! rust {
    ($t:ty; $($name:ident($($x:ident),+) = $body:expr;)*) => {
        BTreeMap::from([$((
            stringify!($name),
            (|args: &[$t]| {
                let [$($x),+] = *args else { unreachable!("a function's own arity") };
                $body
            }) as Function<$t>,
        )),*])
    };
}

/// All functions of the standard pack that have native forms.
macro_rules! all {
    ($t:ty) => {
        rust! { $t;
            acos(x) = x.acos(); acosh(x) = x.acosh(); asin(x) = x.asin(); asinh(x) = x.asinh(); atan(x) = x.atan();
            atan2(a, b) = a.atan2(b); atanh(x) = x.atanh(); cbrt(x) = x.cbrt(); cos(x) = x.cos(); cosh(x) = x.cosh();
            div_euclid(a, b) = a.div_euclid(b); exp(x) = x.exp(); exp2(x) = x.exp2(); exp_m1(x) = x.exp_m1();
            fract(x) = x.fract(); hypot(a, b) = a.hypot(b); ln(x) = x.ln(); ln_1p(x) = x.ln_1p(); log(x, b) = x.log(b);
            log10(x) = x.log10(); log2(x) = x.log2(); max(a, b) = a.max(b); midpoint(a, b) = a.midpoint(b);
            min(a, b) = a.min(b); mul_add(x, a, b) = x.mul_add(a, b); powf(x, n) = x.powf(n);
            powi(x, n) = x.powi(n as i32); recip(x) = x.recip(); rem_euclid(a, b) = a.rem_euclid(b);
            round(x) = x.round(); round_ties_even(x) = x.round_ties_even(); signum(x) = x.signum(); sin(x) = x.sin();
            sinh(x) = x.sinh(); tan(x) = x.tan(); tanh(x) = x.tanh(); to_degrees(x) = x.to_degrees();
            to_radians(x) = x.to_radians();
        }
    };
}

fn registry() -> std::sync::Arc<Registry> {
    Context::default().registry().clone()
}

/// The scalar rules of the standard pack for one float type, with their parameters.
fn rules(registry: &Registry, float: Type) -> Vec<(&'static str, Vec<Type>, ScalarRule)> {
    let of_std = registry
        .entries()
        .filter(|e| e.pack.as_str() == "mooncake-rules-std" && e.ret == float);
    of_std
        .filter_map(|entry| match &entry.kind {
            EntryKind::Scalar(rule) => {
                Some((entry.name.as_str(), entry.params.clone(), rule.clone()))
            }
            EntryKind::Array(_) | EntryKind::Native(_) => None,
        })
        .collect()
}

/// Bit patterns over all exponents, and numbers of everyday size.
fn numbers(count: usize) -> impl Iterator<Item = f64> {
    let mut random = Random::new(count as u64);
    (0..count).map(move |i| match i % 3 {
        0 => f64::from_bits(random.bits()),
        1 => random.unit() * 8.0 - 4.0,
        _ => ((random.bits() >> 40) as f64 - 8e6) / 64.0,
    })
}

/// The same bits, or NaN both.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Compares every native function of one float type with Rust's, and `with_partials` with both.
macro_rules! compare {
    ($t:ident, $float:expr) => {
        let rust = all!($t);
        let mut seen = BTreeSet::new();
        for (name, params, rule) in rules(&registry(), $float) {
            let Some(native) = rule.native else { continue };
            // Rust has no such functions; clamp panics where ours is NaN.
            let row = name.strip_prefix("std::private::slow_").unwrap_or(name);
            seen.insert(row);
            let Some(expected) = rust.get(row) else {
                assert!(
                    ["std::private::equals", "std::private::first", "clamp"].contains(&name),
                    "no row for {name}"
                );
                continue;
            };
            let mut numbers = numbers(2000 * params.len());
            for _ in 0..2000 {
                let args: Vec<$t> = params
                    .iter()
                    .map(|ty| match (ty, numbers.next().unwrap_or_default()) {
                        (Type::I32, x) => (x as i32 % 40) as $t,
                        (_, x) => x as $t,
                    })
                    .collect();
                let wide: Vec<f64> = args.iter().map(|&x| f64::from(x)).collect();
                let (found, expected) = (
                    call_native(native, &params, &wide),
                    f64::from(expected(&args)),
                );
                assert!(
                    same(found, expected),
                    "{name}{args:?}: {found:e} and in Rust {expected:e}"
                );
                if let Some(both) = rule.with_partials {
                    let (y, _) = call_with_partials(both, &params, &wide);
                    assert!(
                        same(y, expected),
                        "{name}.with_partials{args:?}: {y:e} and in Rust {expected:e}"
                    );
                }
            }
        }
        let missing: Vec<_> = rust.keys().filter(|row| !seen.contains(*row)).collect();
        assert!(missing.is_empty(), "not in the pack: {missing:?}");
    };
}

#[test]
fn natives_are_rusts_functions_bit_for_bit() {
    compare!(f64, Type::F64);
    compare!(f32, Type::F32);
}

/// The partial derivatives of a function at a point, by its expressions.
fn partials(name: &str, args: &[f64]) -> Vec<f64> {
    let registry = registry();
    let types = match name {
        "powi" => vec![Type::F64, Type::I32],
        _ => vec![Type::F64; args.len()],
    };
    let entry = registry
        .find(Symbol::new(name), &types)
        .expect("a function of the pack");
    let EntryKind::Scalar(rule) = &entry.kind else {
        panic!("{name} is a scalar function")
    };
    let datum = |(&x, ty): (&f64, &Type)| match ty {
        Type::I32 => Datum::constant(crate::ir::Const::Int(x as i64), Type::I32),
        _ => Datum::float(x),
    };
    let mut values: Vec<Datum> = args.iter().zip(&types).map(datum).collect();
    let outside = Packs(&registry);
    let y = match (rule.native, crate::ir::Prim::from_mnemonic(name)) {
        (Some(native), _) => call_native(native, &types, args),
        (None, Some(prim)) => primitive(prim, args),
        (None, None) => panic!("{name} has no primal"),
    };
    values.push(Datum::float(y));
    match run(&Module::new(rule.partials.clone()), &values, &outside).expect("expressions evaluate")
    {
        Datum::Tuple(fields) => fields.iter().filter_map(Datum::as_float).collect(),
        _ => panic!("partials are a tuple"),
    }
}

fn primitive(prim: crate::ir::Prim, args: &[f64]) -> f64 {
    use crate::ir::Prim;
    match prim {
        Prim::Abs => args[0].abs(),
        Prim::Sqrt => args[0].sqrt(),
        Prim::Copysign => args[0].copysign(args[1]),
        Prim::Rem => args[0] % args[1],
        other => panic!("{} is smooth", other.mnemonic()),
    }
}

#[test]
fn corners_have_the_documented_derivatives() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let table: &[(&str, &[f64], &[f64])] = &[
        ("abs", &[0.0], &[0.0]),
        ("abs", &[-0.0], &[0.0]),
        ("abs", &[nan], &[nan]),
        ("sqrt", &[0.0], &[inf]),
        ("cbrt", &[0.0], &[inf]),
        ("copysign", &[-2.0, 3.0], &[-1.0, 0.0]),
        ("copysign", &[-2.0, -3.0], &[1.0, 0.0]),
        ("copysign", &[0.0, -0.0], &[-1.0, 0.0]),
        ("max", &[1.0, 1.0], &[0.5, 0.5]),
        ("max", &[0.0, -0.0], &[0.5, 0.5]),
        ("max", &[nan, 1.0], &[0.0, 1.0]),
        ("max", &[1.0, nan], &[1.0, 0.0]),
        ("min", &[1.0, 1.0], &[0.5, 0.5]),
        ("min", &[nan, 1.0], &[0.0, 1.0]),
        ("min", &[1.0, nan], &[1.0, 0.0]),
        ("clamp", &[0.5, -1.0, 1.0], &[1.0, 0.0, 0.0]),
        ("clamp", &[1.0, -1.0, 1.0], &[0.5, 0.0, 0.5]),
        ("clamp", &[-1.0, -1.0, 1.0], &[0.5, 0.5, 0.0]),
        ("clamp", &[9.0, -1.0, 1.0], &[0.0, 0.0, 1.0]),
        ("hypot", &[0.0, 0.0], &[0.0, 0.0]),
        ("hypot", &[3e200, 4e200], &[0.6, 0.8]),
        ("atan2", &[0.0, 0.0], &[nan, nan]),
        ("atan2", &[0.0, 2e200], &[5e-201, 0.0]),
        ("powf", &[0.0, 0.0], &[0.0, 0.0]),
        ("powf", &[0.0, 1.0], &[1.0, 0.0]),
        ("powf", &[0.0, 2.0], &[0.0, 0.0]),
        ("powf", &[0.0, 0.5], &[inf, 0.0]),
        ("powf", &[-2.0, 3.0], &[12.0, nan]),
        ("powi", &[0.0, 0.0], &[0.0]),
        ("powi", &[0.0, 1.0], &[1.0]),
        ("powi", &[-2.0, 3.0], &[12.0]),
        ("asin", &[1.0], &[inf]),
        ("acos", &[-1.0], &[-inf]),
        ("acosh", &[1.0], &[inf]),
        ("acosh", &[-2.0], &[nan]),
        ("sinh", &[700.0], &[700.0f64.cosh()]),
        ("asinh", &[1e300], &[1e-300]),
        ("atan", &[inf], &[0.0]),
        ("exp", &[-inf], &[0.0]),
        ("ln", &[0.0], &[inf]),
        ("rem", &[7.5, -2.0], &[1.0, 3.0]),
        ("rem_euclid", &[-7.5, 2.0], &[1.0, 4.0]),
        ("round", &[0.5], &[0.0]),
        ("signum", &[0.0], &[0.0]),
        ("fract", &[1.0], &[1.0]),
    ];
    for (name, args, expected) in table {
        let found = partials(name, args);
        let equal = |(a, b): (&f64, &f64)| {
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() < 1e-14 * b.abs()
        };
        let all = found.len() == expected.len() && found.iter().zip(*expected).all(equal);
        assert!(all, "{name}{args:?}: {found:?}, expected {expected:?}");
    }
}

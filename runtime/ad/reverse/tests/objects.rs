//! Memory that pointers lead to: objects that are shared, overwritten, passed on and returned.

use super::check::*;
use crate::ad::Mode;
use crate::ir::{Function, Module, Symbol, Type};

fn split(text: &str, active: &[bool]) -> Module {
    let registry = registry();
    derive(&normal(text, &registry), &registry, active, Mode::Split).unwrap()
}

fn signature<'m>(module: &'m Module, name: &str) -> (Vec<Type>, Type) {
    let function: &'m Function = &module.functions[&Symbol::new(name)];
    (function.param_types(), function.ret)
}

#[test]
fn a_returned_slice_comes_with_its_shadow() {
    let derived = split("fn @f(%x: [f64]) -> [f64] { b0: return %x }", &[true]);
    let (x, shadow) = (Type::slice(Type::F64), Type::slice_mut(Type::F64));
    let both = Type::tuple(&[x, shadow]);
    assert_eq!(signature(&derived, "f.forward"), (vec![x, shadow], both));
    let unit = Type::UNIT;
    assert_eq!(signature(&derived, "f.pullback"), (vec![x, shadow], unit));
    let inactive = split("fn @f(%x: [f64]) -> [f64] { b0: return %x }", &[false]);
    assert_eq!(signature(&inactive, "f.forward"), (vec![x], x));
}

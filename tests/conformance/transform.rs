//! Section 1: the programs of `generate_test_functions`.

use super::check;
use mooncake::Float;
use mooncake::prelude::*;
use std::cell::RefCell;

/// A value whose type is known at run time only.
#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Any {
    Nothing,
    Float(f64),
    Int(i64),
    Bool(bool),
    Vector(Vec<f64>),
}

/// A function as a value that is chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Function {
    Sin,
    Cos,
}

#[differentiable]
fn apply(f: Function, x: f64) -> f64 {
    match f {
        Function::Sin => x.sin(),
        Function::Cos => x.cos(),
    }
}

/// The cosine of whatever number it is: Julia's `cos` of an abstractly typed value.
#[differentiable]
fn cos_any(x: &Any) -> f64 {
    match x {
        Any::Float(x) => x.cos(),
        Any::Int(n) => (*n as f64).cos(),
        Any::Bool(b) => (*b as u8 as f64).cos(),
        Any::Vector(x) => x[0].cos(),
        Any::Nothing => panic!("the cosine of nothing"),
    }
}

#[differentiable]
fn const_tester() -> f64 {
    5.0f64.cos()
}
#[differentiable]
fn const_tester_non_differentiable() -> i64 {
    1
}
#[differentiable]
fn identity(x: f64) -> f64 {
    x
}
#[differentiable]
fn foo(x: f64) -> f64 {
    let y = x.sin();
    y.cos()
}
#[differentiable]
fn non_differentiable_foo(x: i64) -> i64 {
    let y = 5 * x;
    y + x
}
/// `non_differentiable_foo(5)`
/// The pullback has nothing to do and there is no tape.
#[test]
fn d005_non_differentiable_foo() {
    check!(non_differentiable_foo, (5,));
    let text = Context::default()
        .reverse_ir::<non_differentiable_foo>()
        .unwrap();
    assert!(!text.contains("tape"), "{text}");
    assert!(!text.contains("mul"), "{text}");
}

#[differentiable]
#[allow(unused_variables, clippy::let_unit_value)]
fn bar(x: f64, y: f64) -> f64 {
    let x1 = x.sin();
    let x2 = y.cos();
    let x3 = foo(x2);
    x3 + x2
}
#[differentiable]
#[allow(unused_variables)]
fn unused_expression(x: f64, n: usize) -> f64 {
    let types = [1.0, 2.0];
    let unused = types[n];
    x
}
/// `unused_expression(5.0, 1)`
/// The unused projection may fail, so it is still checked.
#[test]
fn d007_unused_expression() {
    check!(unused_expression, (5.0, 1usize));
    let rule = Context::default()
        .build_rrule::<unused_expression>()
        .unwrap();
    assert!(rule.value_and_gradient((5.0, 2usize)).is_err());
}

#[differentiable]
fn type_unstable_argument_eval(f: Function, x: f64) -> f64 {
    apply(f, x)
}
/// Upstream's `StructFoo`: a field of any type, one that may be missing.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct StructFoo {
    a: Any,
    b: Option<Vec<f64>>,
}

#[differentiable]
#[allow(unused_variables)]
fn abstractly_typed_unused_container(container: &StructFoo, y: f64) -> f64 {
    5.0 * y
}
/// `abstractly_typed_unused_container(StructFoo(5.0, [4.0]), 5.0)`
#[test]
fn d009_abstractly_typed_unused_container() {
    let container = StructFoo {
        a: Any::Float(5.0),
        b: Some(vec![4.0]),
    };
    check!(abstractly_typed_unused_container, (container, 5.0));
}

#[differentiable]
fn pi_node_tester(y: &RefCell<Any>) -> f64 {
    match &*y.borrow() {
        Any::Float(x) => x.sin(),
        Any::Int(n) => (*n as f64).cos(),
        _ => 0.0,
    }
}
#[differentiable]
fn arg_in_pi_node(x: &Any) -> f64 {
    if let Any::Bool(b) = x {
        return if *b { 1.0 } else { 2.0 };
    }
    cos_any(x)
}
#[differentiable]
fn intrinsic_tester(x: f64) -> f64 {
    5 as f64 * x
}
#[differentiable]
fn goto_tester(x: f64) -> f64 {
    let y = 'done: {
        if x > 1.0 {
            break 'done x.cos();
        }
        x.sin()
    };
    y * x
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct StableFoo {
    x: f64,
    y: &'static str,
}

#[differentiable]
fn new_tester(x: f64, y: &'static str) -> f64 {
    let foo = StableFoo { x, y };
    foo.x
}
#[differentiable]
fn new_tester_2(x: f64) -> f64 {
    let foo = StableFoo { x, y: "symbol" };
    foo.x * 2.0
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Maker {
    Float,
    Vector,
}

#[differentiable]
fn new_tester_3(which: &RefCell<Maker>) -> f64 {
    let made = match *which.borrow() {
        Maker::Float => Any::Float(5.0),
        Maker::Vector => Any::Vector(vec![5.0]),
    };
    cos_any(&made)
}
#[differentiable]
fn splatnew_tester(x: &RefCell<(f64, &'static str)>) -> f64 {
    let (a, b) = *x.borrow();
    let foo = StableFoo { x: a, y: b };
    foo.x.sin()
}
#[differentiable]
fn type_stable_getfield_tester_1(foo: &StableFoo) -> f64 {
    foo.x
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Tagged {
    x: f64,
    tag: i64,
}

#[differentiable]
fn type_stable_getfield_tester_2(foo: &Tagged) -> i64 {
    foo.tag
}
const GLOBAL_FLOAT: f64 = 5.0;
const GLOBAL_BOOL: bool = true;
static STATIC_FLOAT: f64 = 4.0;
const GLOBAL_LIST: [f64; 3] = [1.0, 2.0, 3.0];

#[differentiable]
fn globalref_tester() -> f64 {
    GLOBAL_FLOAT
}
#[differentiable]
fn globalref_tester_bool() -> bool {
    GLOBAL_BOOL
}
#[differentiable]
fn globalref_tester_2(use_float: bool) -> f64 {
    let v = if use_float {
        Any::Float(GLOBAL_FLOAT)
    } else {
        Any::Int(1)
    };
    match v {
        Any::Float(x) => x.sin(),
        Any::Int(n) => (n as f64).sin(),
        _ => 0.0,
    }
}
#[differentiable]
fn globalref_tester_3() -> f64 {
    GLOBAL_FLOAT.sin()
}
#[differentiable]
fn globalref_tester_4() -> f64 {
    const LOCAL: f64 = 2.5;
    LOCAL.sin()
}
#[differentiable]
fn globalref_tester_5() -> f64 {
    STATIC_FLOAT.cos()
}
#[differentiable]
fn globalref_tester_6() -> f64 {
    let mut s = 0.0;
    for x in GLOBAL_LIST {
        s += x;
    }
    s
}
#[differentiable]
fn type_unstable_tester_0(x: &RefCell<Any>) -> Any {
    x.borrow().clone()
}
#[differentiable]
fn type_unstable_tester(x: &RefCell<Any>) -> f64 {
    cos_any(&x.borrow())
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Real {
    Double(f64),
    Single(f32),
}

#[differentiable]
fn type_unstable_tester_2(x: &RefCell<Real>) -> f64 {
    match *x.borrow() {
        Real::Double(x) => x.cos(),
        Real::Single(x) => x.cos() as f64,
    }
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Foo {
    x: Any,
}

#[differentiable]
fn type_unstable_tester_3(x: &RefCell<Any>) -> Box<Foo> {
    Box::new(Foo {
        x: x.borrow().clone(),
    })
}
#[differentiable]
fn test_primitive_dynamic_dispatch(x: &[Any]) -> f64 {
    let mut out = 0.0;
    for v in x {
        out += cos_any(v);
    }
    out
}
#[differentiable]
fn type_unstable_function_eval(f: &RefCell<Function>, x: f64) -> f64 {
    apply(*f.borrow(), x)
}
#[differentiable]
fn phi_const_bool_tester(x: f64) -> f64 {
    let a = if x > 0.0 { true } else { false };
    (a as u8 as f64).cos()
}
#[differentiable]
fn phi_node_with_undefined_value(x: bool, y: f64) -> f64 {
    let v;
    let z;
    if x {
        v = y.sin();
        z = 1.0;
    } else {
        z = 2.0 * y;
        v = z.cos();
    }
    if x { v.cos() } else { z.sin() * v }
}
#[differentiable]
fn test_multiple_phinode_block(x: f64, n: usize) -> f64 {
    let mut a = 1.0;
    let mut b = x;
    let mut i = 1;
    while i < n {
        let c = b;
        b = 2.0 * a;
        a = c;
        i += 1;
    }
    a * b
}
#[differentiable]
fn unsafe_getindex(x: &[f64], at: usize, from: usize, to: usize) -> Vec<f64> {
    let mut out = Vec::new();
    for i in from..to {
        for j in at..at + 1 {
            out.push(x[j] * (i as f64));
        }
    }
    out
}
#[differentiable]
fn avoid_throwing_path_tester(x: f64) -> f64 {
    if x < 0.0 {
        panic!("a negative number");
    }
    x.sin()
}
#[differentiable]
fn simple_foreigncall_tester(text: &str) -> usize {
    string_length(text)
}
#[non_differentiable]
fn string_length(text: &str) -> usize {
    let _ = text;
    5
}
#[differentiable]
fn simple_foreigncall_tester_2(a: Maker, b: Maker) -> bool {
    a == b
}
#[differentiable]
fn no_primitive_inlining_tester(x: f64) -> f64 {
    let mut rows = vec![vec![0.0; 5]; 5];
    for i in 0..5 {
        for j in 0..5 {
            rows[i][j] = x * ((i + j) as f64);
        }
    }
    rows[4][4] + rows[1][0].sin()
}
#[differentiable]
fn varargs_tester_1(x: (f64,)) -> (f64,) {
    x
}
#[differentiable]
fn varargs_tester_2(x: (f64, i64)) -> (f64, i64) {
    x
}
#[differentiable]
fn varargs_tester_3(x: (f64, i64, f64)) -> (f64, i64, f64) {
    x
}
#[differentiable]
fn forwards_1(x: f64) -> (f64,) {
    varargs_tester_1((x,))
}
#[differentiable]
fn forwards_2(x: f64, y: i64) -> (f64, i64) {
    varargs_tester_2((x, y))
}
#[differentiable]
fn forwards_3(x: f64, y: i64, z: f64) -> (f64, i64, f64) {
    varargs_tester_3((x, y, z))
}
#[differentiable]
fn leading_1(x: f64, rest: (f64,)) -> (f64, (f64,)) {
    (x, rest)
}
#[differentiable]
fn leading_2(x: f64, rest: (f64, i64)) -> (f64, (f64, i64)) {
    (x, rest)
}
#[differentiable]
fn leading_3(x: f64, rest: (f64, i64, f64)) -> (f64, (f64, i64, f64)) {
    (x, rest)
}
#[differentiable]
#[allow(unused_variables)]
fn splats_1(x: f64, y: f64) -> f64 {
    let (first, (rest,)) = leading_1(x, (y,));
    first
}
#[differentiable]
fn splats_2(x: f64, y: f64) -> f64 {
    let (first, rest) = leading_2(x, (y, 4));
    first * rest.0
}
#[differentiable]
fn splats_3(x: f64, y: f64) -> f64 {
    let (_, rest) = leading_3(x, (y, 4, x * y));
    rest.2
}
#[differentiable]
fn product_1(x: (f64,)) -> f64 {
    let (a,) = x;
    a
}
#[differentiable]
fn product_2(x: (f64, i64)) -> f64 {
    let (a, b) = x;
    a * b as f64
}
#[differentiable]
fn product_3(x: (f64, i64, f64)) -> f64 {
    let (a, .., c) = x;
    a * c
}

#[differentiable]
fn unstable_splatting_tester(x: &RefCell<Vec<f64>>) -> f64 {
    match x.borrow().as_slice() {
        [] => 1.0,
        [a] => a.sin(),
        [a, b] => a * b,
        [a, rest @ ..] => a * rest[rest.len() - 1],
    }
}
#[differentiable]
fn inferred_const_tester(x: &RefCell<Any>) -> i64 {
    match *x.borrow() {
        Any::Nothing => 1,
        _ => 2,
    }
}
#[differentiable]
fn datatype_slot_tester(n: usize) -> bool {
    let types = [Maker::Float, Maker::Vector];
    types[n - 1] == Maker::Float
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Vectors {
    Double(Vec<f64>),
    Single(Vec<f32>),
}

#[differentiable]
fn test_union_of_arrays(x: &[f64], b: bool) -> f64 {
    let y = if b {
        Vectors::Double(x.to_vec())
    } else {
        let mut single = Vec::with_capacity(x.len());
        for v in x {
            single.push(*v as f32);
        }
        Vectors::Single(single)
    };
    let mut s = 0.0;
    match &y {
        Vectors::Double(y) => {
            for v in y {
                s += 5.0 * v;
            }
        }
        Vectors::Single(y) => {
            for v in y {
                s += 5.0 * (*v as f64);
            }
        }
    }
    s
}
#[differentiable]
fn test_union_of_types(x: &RefCell<Option<Maker>>) -> bool {
    matches!(*x.borrow(), Some(Maker::Float))
}
#[differentiable]
fn test_self_reference(a: f64, b: f64) -> f64 {
    if a < b {
        a * b
    } else {
        test_self_reference(b, a) + a
    }
}
#[differentiable]
fn test_recursive_sum(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut n = 0;
    while n < x.len() {
        s += x[n];
        n += 1;
    }
    s
}
#[differentiable]
fn test_recursive_sum_inner(x: &[f64]) -> f64 {
    if x.is_empty() {
        return 0.0;
    }
    let rest = x[1..].to_vec();
    x[0] + test_recursive_sum_inner(&rest)
}
/// `test_recursive_sum(randn(2))`
#[test]
fn d068_test_recursive_sum() {
    check!(test_recursive_sum, (vec![0.4, -0.7],));
    check!(test_recursive_sum_inner, (vec![0.4, -0.7],));
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct MulAddMul {
    alpha: f64,
    beta: f64,
}
#[differentiable]
impl MulAddMul {
    fn modify(&self, value: f64, out: &mut [f64], at: usize) {
        if self.beta == 0.0 {
            out[at] = self.alpha * value;
        } else {
            out[at] = self.alpha * value + self.beta * out[at];
        }
    }
}
#[differentiable]
fn modify(p: MulAddMul, value: f64, out: &mut [f64], at: usize) {
    p.modify(value, out, at);
}
/// `LinearAlgebra._modify!(MulAddMul(5.0, 4.0), 5.0, randn(5, 4), (5, 4))`
#[test]
fn d069_modify() {
    let mut out: Vec<f64> = (0..20).map(|i| 0.1 * i as f64).collect();
    check!(
        modify,
        (
            MulAddMul {
                alpha: 5.0,
                beta: 4.0
            },
            5.0,
            &mut out,
            19usize
        )
    );
}

#[differentiable]
fn getfield_tester(x: (f64, i64)) -> f64 {
    x.0
}
#[differentiable]
fn getfield_tester_2(x: (f64, i64)) -> i64 {
    x.1
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct FullyInit {
    x: f64,
    y: Vec<f64>,
}
#[differentiable]
fn setfield_tester_left(x: &mut FullyInit, new: f64) -> f64 {
    x.x = new;
    new
}
#[differentiable]
fn setfield_tester_right(x: &mut FullyInit, new: Vec<f64>) -> f64 {
    x.y = new;
    x.y[0] * x.x
}
/// `setfield_tester_left!(FullyInitMutableStruct(5.0, randn(3)), 4.0)`
#[test]
fn d072_setfield_tester_left() {
    let mut x = FullyInit {
        x: 5.0,
        y: vec![0.1, 0.2, 0.3],
    };
    check!(setfield_tester_left, (&mut x, 4.0));
}
/// `setfield_tester_right!(FullyInitMutableStruct(5.0, randn(3)), randn(5))`
#[test]
fn d073_setfield_tester_right() {
    let mut x = FullyInit {
        x: 5.0,
        y: vec![0.1, 0.2, 0.3],
    };
    check!(
        setfield_tester_right,
        (&mut x, vec![1.0, 2.0, 3.0, 4.0, 5.0])
    );
}

/// `C = α A B + β C` for C stored transposed (3 columns of 5), A 5×5, B 5×3, row by row.
#[differentiable]
fn gemm_into_adjoint(c: &mut [f64], a: &[f64], b: &[f64], alpha: f64, beta: f64) {
    for i in 0..5 {
        for j in 0..3 {
            let mut s = 0.0;
            for k in 0..5 {
                s += a[5 * i + k] * b[3 * k + j];
            }
            c[5 * j + i] = alpha * s + beta * c[5 * j + i];
        }
    }
}
fn noise(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| (seed + 1.7 * i as f64).sin()).collect()
}
/// `mul!(randn(3, 5)', randn(5, 5), randn(5, 3), 4.0, 3.0)`
#[test]
fn d074_mul_adjoint() {
    let mut c = noise(15, 0.1);
    check!(
        gemm_into_adjoint,
        (&mut c, noise(25, 0.2), noise(15, 0.3), 4.0, 3.0)
    );
}

#[differentiable]
fn digest(data: &[u32]) -> u32 {
    let mut h: u32 = 0x811c_9dc5;
    for v in data {
        h = (h ^ *v).wrapping_mul(0x0100_0193);
        h = (h << 7) | (h >> 25);
        h = !h & 0xffff_fff0 | (h & 0xf);
    }
    h
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Generator {
    state: u64,
}
#[differentiable]
impl Generator {
    fn new(seed: u64) -> Generator {
        Generator {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }
    fn next(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / 9007199254740992.0
    }
}
#[differentiable]
fn xoshiro(seed: u64, x: f64) -> f64 {
    let mut generator = Generator::new(seed);
    let a = generator.next();
    x * a + generator.next()
}
#[differentiable]
fn matmul(a: &Array<f32>, b: &Array<f32>) -> Array<f32> {
    a.matmul(b)
}
/// `*(randn(250, 500), randn(500, 250))`
/// Smaller, because differences are taken of every element.
#[test]
fn d077_matmul() {
    let device = Device::cpu();
    let data = |n: usize| (0..n).map(|i| (0.7 * i as f32).sin()).collect::<Vec<f32>>();
    let a = Array::from_vec(data(6 * 10), [6, 10]).to_device(&device);
    let b = Array::from_vec(data(10 * 5), [10, 5]).to_device(&device);
    check!(matmul, (&a, &b));
}

#[differentiable]
fn test_sin(x: f64) -> f64 {
    x.sin()
}
#[differentiable]
fn test_cos_sin(x: f64) -> f64 {
    x.sin().cos()
}
#[differentiable]
fn test_isbits_multiple_usage(x: f64) -> f64 {
    let y = x.sin();
    y * x
}
#[differentiable]
fn test_isbits_multiple_usage_2(x: f64) -> f64 {
    let y = x * x;
    let z = y * x;
    z * y
}
#[differentiable]
fn test_isbits_multiple_usage_3(x: f64) -> f64 {
    let y = x.sin();
    let z = x.cos();
    y * z * x
}
#[differentiable]
fn test_isbits_multiple_usage_4(x: f64) -> f64 {
    let y = if x > 0.0 { x.sin() } else { 5.0 };
    y * y * x
}
#[differentiable]
fn test_isbits_multiple_usage_5(x: f64) -> f64 {
    let y = x.sin();
    if x > 0.0 { y * y * x } else { y }
}
#[differentiable]
fn test_isbits_multiple_usage_phi(x: bool, y: f64) -> f64 {
    let z = if x { y } else { 1.0 };
    z * y
}
#[differentiable]
fn test_multiple_call_non_primitive(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..2 {
        y = foo(y);
    }
    y
}
#[differentiable]
fn test_multiple_pi_nodes(x: &RefCell<Any>) -> (f64, f64) {
    let v = x.borrow();
    let a = if let Any::Float(v) = *v { v } else { 0.0 };
    let b = match *v {
        Any::Float(v) => v.sin(),
        _ => 1.0,
    };
    (a, b)
}
#[differentiable]
fn test_multi_use_pi_node(x: &RefCell<Any>) -> f64 {
    let mut s = 0.0;
    for _ in 0..2 {
        if let Any::Float(v) = *x.borrow() {
            s += v * v;
        }
    }
    s
}
#[differentiable]
fn test_getindex(x: &[f64]) -> f64 {
    x[0]
}
#[differentiable]
fn test_mutation(x: &mut [f64]) -> f64 {
    x[0] = x[1].sin();
    x[0]
}
#[differentiable]
fn test_while_loop(x: f64) -> f64 {
    let mut x = x;
    let mut n = 3;
    while n > 0 {
        x = x.cos();
        n -= 1;
    }
    x
}
#[differentiable]
fn test_for_loop(x: f64) -> f64 {
    let mut x = x;
    for _ in 0..500 {
        x = x.sin();
    }
    x
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Mutable {
    x: f64,
}
#[differentiable]
fn test_mutable_struct_basic(x: f64) -> f64 {
    let foo = Box::new(Mutable { x });
    foo.x
}
#[differentiable]
fn test_mutable_struct_basic_sin(x: f64) -> f64 {
    let foo = Box::new(Foo { x: Any::Float(x) });
    match foo.x {
        Any::Float(x) => x.sin(),
        _ => 0.0,
    }
}
#[differentiable]
fn test_mutable_struct_setfield(x: f64) -> f64 {
    let mut foo = Box::new(Mutable { x: 1.0 });
    foo.x = x;
    foo.x
}
#[differentiable]
fn test_mutable_struct(x: f64) -> f64 {
    let mut foo = Box::new(Mutable { x });
    foo.x = foo.x.sin();
    foo.x * foo.x
}
#[differentiable]
fn test_struct_partial_init(a: f64) -> f64 {
    let foo = StructFoo {
        a: Any::Float(a),
        b: None,
    };
    match foo.a {
        Any::Float(a) => a,
        _ => 0.0,
    }
}
#[differentiable]
fn test_mutable_partial_init(a: f64) -> f64 {
    let mut foo = Box::new(StructFoo {
        a: Any::Nothing,
        b: None,
    });
    foo.a = Any::Float(a);
    match foo.a {
        Any::Float(a) => 2.0 * a,
        _ => 0.0,
    }
}
#[differentiable]
fn test_naive_mat_mul(c: &mut [f64], a: &[f64], b: &[f64], n: usize, m: usize) -> f64 {
    let k = b.len() / m;
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..m {
            c[m * i + j] = 0.0;
            for l in 0..k {
                c[m * i + j] += a[k * i + l] * b[m * l + j];
            }
            sum += c[m * i + j];
        }
    }
    sum
}
/// `test_naive_mat_mul!(randn(100, 50), randn(100, 30), randn(30, 50))`
/// Smaller, because differences are taken of every element.
#[test]
fn d100_test_naive_mat_mul() {
    let mut c = noise(20, 0.1);
    check!(
        test_naive_mat_mul,
        (&mut c, noise(12, 0.2), noise(15, 0.3), 4usize, 5usize)
    );
}

#[differentiable]
fn naive_mat_mul_aliased(a: &[f64], c: &mut [f64]) -> f64 {
    test_naive_mat_mul(c, a, a, 4, 4)
}
/// `(A, C) -> test_naive_mat_mul!(C, A, A)`
#[test]
fn d101_naive_mat_mul_aliased() {
    let mut c = noise(16, 0.4);
    check!(naive_mat_mul_aliased, (noise(16, 0.2), &mut c));
}

#[differentiable]
fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Diagonal {
    diag: Vec<f64>,
}
#[differentiable]
impl Diagonal {
    fn to_matrix(&self) -> Vec<f64> {
        let n = self.diag.len();
        let mut matrix = vec![0.0; n * n];
        for i in 0..n {
            matrix[n * i + i] = self.diag[i];
        }
        matrix
    }
}
#[differentiable]
fn test_diagonal_to_matrix(d: &Diagonal) -> Vec<f64> {
    d.to_matrix()
}
#[differentiable]
fn ldiv(out: &mut [f64], d: &Diagonal, x: &[f64]) {
    let n = d.diag.len();
    for i in 0..n {
        for j in 0..n {
            out[n * i + j] = x[n * i + j] / d.diag[i];
        }
    }
}
/// `ldiv!(randn(20, 20), Diagonal(randn(20)), randn(20, 20))`
#[test]
fn d104_ldiv() {
    let mut out = noise(9, 0.1);
    let diagonal = Diagonal {
        diag: vec![0.8, -1.5, 2.0],
    };
    check!(ldiv, (&mut out, diagonal, noise(9, 0.3)));
}

#[differentiable]
fn kron(out: &mut [f64], a: &[f64], b: &[f64], n: usize) {
    let nn = n * n;
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                for l in 0..n {
                    out[nn * (n * i + k) + n * j + l] = a[n * i + j] * b[n * k + l];
                }
            }
        }
    }
}
/// `LinearAlgebra._kron!(randn(25, 25), randn(5, 5), randn(5, 5))`
#[test]
fn d105_kron() {
    let mut out = noise(16, 0.1);
    check!(kron, (&mut out, noise(4, 0.2), noise(4, 0.3), 2usize));
}

#[differentiable]
fn kron_diagonal(out: &mut [f64], a: &Diagonal, b: &[f64]) {
    let n = a.diag.len();
    let nn = n * n;
    for i in 0..n {
        for k in 0..n {
            for l in 0..n {
                out[nn * (n * i + k) + n * i + l] = a.diag[i] * b[n * k + l];
            }
        }
    }
}
/// `kron!(randn(25, 25), Diagonal(randn(5)), randn(5, 5))`
#[test]
fn d106_kron_diagonal() {
    let mut out = noise(16, 0.1);
    check!(
        kron_diagonal,
        (
            &mut out,
            Diagonal {
                diag: vec![0.3, -0.9]
            },
            noise(4, 0.3)
        )
    );
}

#[differentiable]
fn test_mlp(x: &Array<f32>, w1: &Array<f32>, w2: &Array<f32>) -> Array<f32> {
    w2.matmul(&w1.matmul(x).tanh())
}
/// `test_mlp(randn(50, 20), randn(70, 50), randn(30, 70))`
#[test]
fn d107_test_mlp() {
    let device = Device::cpu();
    let data = |n: usize| {
        (0..n)
            .map(|i| 0.5 * (0.7 * i as f32).sin())
            .collect::<Vec<f32>>()
    };
    let x = Array::from_vec(data(5 * 2), [5, 2]).to_device(&device);
    let w1 = Array::from_vec(data(7 * 5), [7, 5]).to_device(&device);
    let w2 = Array::from_vec(data(3 * 7), [3, 7]).to_device(&device);
    check!(test_mlp, (&x, &w1, &w2));
}

#[differentiable]
fn test_handwritten_sum(x: &[f64]) -> f64 {
    let mut y = 0.0;
    let mut n = 0;
    while n < x.len() {
        y += x[n];
        n += 1;
    }
    y
}
#[differentiable]
fn naive_map_sin_cos_exp(y: &mut [f64], x: &[f64]) {
    let mut n = 0;
    while n < x.len() {
        y[n] = x[n].exp().cos().sin();
        n += 1;
    }
}
#[differentiable]
fn naive_map_negate(y: &mut [f64], x: &[f64]) {
    let mut n = 0;
    while n < x.len() {
        y[n] = -x[n];
        n += 1;
    }
}
#[differentiable]
fn test_from_slack(x: &[f64]) -> f64 {
    let mut y = 0.0;
    let mut n = 1;
    while n <= x.len() {
        if n % 2 == 0 {
            y += x[n - 1];
        }
        n += 1;
    }
    y
}
#[differentiable]
fn unstable_sum(x: &[f64]) -> f64 {
    let mut s = Any::Int(0);
    for v in x {
        s = match s {
            Any::Int(n) => Any::Float(n as f64 + v),
            Any::Float(s) => Any::Float(s + v),
            other => other,
        };
    }
    match s {
        Any::Float(s) => s,
        _ => 0.0,
    }
}
#[differentiable]
fn test_map(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(a, b)| a.exp() * b.sin()).collect()
}
#[differentiable]
fn broadcast_sin_cos_exp(x: &Array<f32>) -> Array<f32> {
    x.map(|v| v.exp().cos().sin()).sum()
}
/// `_broadcast_sin_cos_exp(randn(10, 10))`
#[test]
fn d114_broadcast_sin_cos_exp() {
    let x: Vec<f32> = (0..20).map(|i| (0.7 * i as f32).sin()).collect();
    check!(
        broadcast_sin_cos_exp,
        (&Array::from_vec(x, [4, 5]).to_device(&Device::cpu()),)
    );
}

#[differentiable]
fn map_sin_cos_exp(x: &[f64]) -> f64 {
    x.iter().map(|x| x.exp().cos().sin()).sum()
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct ArgumentError {
    message: &'static str,
    value: f64,
}
#[differentiable]
fn argument_error(x: f64) -> Result<f64, ArgumentError> {
    if x > 1.0 {
        return Err(ArgumentError {
            message: "hi",
            value: 2.0 * x,
        });
    }
    Ok(x)
}
#[differentiable]
fn test_small_union(x: &RefCell<Any>) -> f64 {
    match &*x.borrow() {
        Any::Float(x) => *x,
        Any::Vector(x) => x[0],
        _ => 0.0,
    }
}
mod named {
    use mooncake::prelude::*;
    #[differentiable]
    pub fn call(x: f64, y: f64) -> f64 {
        x.sin() * y
    }
    #[differentiable]
    pub fn sum_all(xs: &[f64]) -> f64 {
        let mut s = 0.0;
        for x in xs {
            s += x;
        }
        s
    }
}
#[differentiable]
fn inlinable_invoke_call(x: f64) -> f64 {
    named::call(x, 2.0)
}
#[differentiable]
fn inlinable_vararg_invoke_call(rows: (usize, usize), a: f64, b: f64, c: f64, d: f64) -> f64 {
    named::sum_all(&[a, b, c, d]) * (rows.0 as f64)
}
#[differentiable]
fn hvcat(rows: (usize, usize), a: f64, b: f64, c: f64, d: f64) -> [[f64; 2]; 2] {
    assert!(rows.0 == 2 && rows.1 == 2, "two rows of two");
    [[a, b], [c, d]]
}
#[differentiable]
fn generic_zero<T: Float>(x: T) -> T {
    T::zero() * x
}
#[differentiable]
fn partial_typevar_tester(x: f64) -> f64 {
    generic_zero(x)
}
#[differentiable]
fn typevar_tester() -> f64 {
    generic_zero::<f64>(1.0)
}
#[differentiable]
fn inplace_callee(x: &mut [f64]) {
    for v in x.iter_mut() {
        *v *= 2.0;
    }
}
#[differentiable]
fn inplace_invoke(x: &mut [f64]) {
    inplace_callee(x);
}
#[differentiable]
fn highly_nested_tuple(x: f64) -> ((((f64,), f64), f64), i64) {
    ((((x,), x), x), 1)
}
#[differentiable]
fn sig_argcount_mismatch(x: &[f64]) -> Vec<f64> {
    let mut y = vec![x[0]];
    y.extend_from_slice(&x[1..2]);
    y.extend_from_slice(&x[2..3]);
    y.push(x[3]);
    y
}
#[differentiable]
fn large_tuple_inference(x: &[f64; 1000]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v.cos();
    }
    s
}
/// `large_tuple_inference(NTuple{1000})`
/// The array stands for Julia's tuple of a thousand; compiled in bounded time.
#[test]
fn d127_large_tuple_inference() {
    let x: [f64; 1000] = std::array::from_fn(|i| (0.3 * i as f64).sin());
    let start = std::time::Instant::now();
    let rule = Context::default()
        .build_rrule::<large_tuple_inference>()
        .unwrap();
    let (_, (gradient,)) = rule.value_and_gradient((&x,)).unwrap();
    assert!(start.elapsed().as_secs() < 60, "compiling takes too long");
    assert_eq!(gradient.len(), 1000);
    for (g, x) in gradient.iter().zip(&x) {
        assert!((g + x.sin()).abs() < 1e-12);
    }
}

#[differentiable]
#[allow(unused_variables)]
fn regression_319(x: &[f64]) -> Vec<f64> {
    let unused = x[1..].to_vec();
    vec![1.0, 2.0]
}

/// The corpus, but for those above that ask for more than their rule.
macro_rules! rows {
    ($($(#[$doc:meta])* $id:ident: $f:ident $($args:expr),+;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $id() {
            $(check!($f, $args);)+
        }
    )*};
}

rows! {
    /// `const_tester()`
    d001_const_tester: const_tester ();
    /// `const_tester_non_differentiable()`
    d002_const_tester_non_differentiable: const_tester_non_differentiable ();
    /// `identity(5.0)`
    d003_identity: identity (5.0,);
    /// `foo(5.0)`
    d004_foo: foo (5.0,);
    /// `bar(5.0, 4.0)`
    d006_bar: bar (5.0, 4.0);
    /// `type_unstable_argument_eval(sin, 5.0)`
    d008_type_unstable_argument_eval: type_unstable_argument_eval (Function::Sin, 5.0);
    /// `pi_node_tester(Ref{Any}(5.0))`
    d010_pi_node_tester_float: pi_node_tester (RefCell::new(Any::Float(5.0)),);
    /// `pi_node_tester(Ref{Any}(5))`
    d011_pi_node_tester_int: pi_node_tester (RefCell::new(Any::Int(5)),);
    /// `arg_in_pi_node(false)`
    d012_arg_in_pi_node: arg_in_pi_node (Any::Bool(false),), (Any::Float(0.7),);
    /// `intrinsic_tester(5.0)`
    d013_intrinsic_tester: intrinsic_tester (5.0,);
    /// `goto_tester(5.0)`
    d014_goto_tester: goto_tester (5.0,), (0.5,);
    /// `new_tester(5.0, :hello)`
    d015_new_tester: new_tester (5.0, "hello");
    /// `new_tester_2(4.0)`
    d016_new_tester_2: new_tester_2 (4.0,);
    /// `new_tester_3(Ref{Any}(StructFoo))`
    /// The type that is constructed is chosen at run time.
    d017_new_tester_3: new_tester_3 (RefCell::new(Maker::Vector),);
    /// `splatnew_tester(Ref{Tuple}((5.0, :a)))`
    d018_splatnew_tester: splatnew_tester (RefCell::new((5.0, "a")),);
    /// `type_stable_getfield_tester_1(StableFoo(5.0, :hi))`
    d019_type_stable_getfield_tester_1: type_stable_getfield_tester_1 (StableFoo { x: 5.0, y: "hi" },);
    /// `type_stable_getfield_tester_2(StableFoo(5.0, :hi))`
    d020_type_stable_getfield_tester_2: type_stable_getfield_tester_2 (Tagged { x: 5.0, tag: 3 },);
    /// `globalref_tester()`
    d021_globalref_tester: globalref_tester ();
    /// `globalref_tester_bool()`
    d022_globalref_tester_bool: globalref_tester_bool ();
    /// `globalref_tester_2(true)`
    d023_globalref_tester_2_true: globalref_tester_2 (true,);
    /// `globalref_tester_2(false)`
    d024_globalref_tester_2_false: globalref_tester_2 (false,);
    /// `globalref_tester_3()`
    d025_globalref_tester_3: globalref_tester_3 ();
    /// `globalref_tester_4()`
    d026_globalref_tester_4: globalref_tester_4 ();
    /// `globalref_tester_5()`
    /// A static, read.
    d027_globalref_tester_5: globalref_tester_5 ();
    /// `globalref_tester_6()`
    d028_globalref_tester_6: globalref_tester_6 ();
    /// `type_unstable_tester_0(Ref{Any}(5.0))`
    d029_type_unstable_tester_0: type_unstable_tester_0 (RefCell::new(Any::Float(5.0)),);
    /// `type_unstable_tester(Ref{Any}(5.0))`
    d030_type_unstable_tester: type_unstable_tester (RefCell::new(Any::Float(5.0)),);
    /// `type_unstable_tester_2(Ref{Real}(5.0))`
    d031_type_unstable_tester_2: type_unstable_tester_2 (RefCell::new(Real::Double(5.0)),);
    /// `type_unstable_tester_3(Ref{Any}(5.0))`
    d032_type_unstable_tester_3: type_unstable_tester_3 (RefCell::new(Any::Float(5.0)),);
    /// `test_primitive_dynamic_dispatch(Any[5.0, false])`
    d033_test_primitive_dynamic_dispatch: test_primitive_dynamic_dispatch (vec![Any::Float(5.0), Any::Bool(false)],);
    /// `type_unstable_function_eval(Ref{Any}(sin), 5.0)`
    d034_type_unstable_function_eval: type_unstable_function_eval (RefCell::new(Function::Sin), 5.0);
    /// `phi_const_bool_tester(5.0)`
    d035_phi_const_bool_tester_positive: phi_const_bool_tester (5.0,);
    /// `phi_const_bool_tester(-5.0)`
    d036_phi_const_bool_tester_negative: phi_const_bool_tester (-5.0,);
    /// `phi_node_with_undefined_value(true, 4.0)`
    d037_phi_node_with_undefined_value_true: phi_node_with_undefined_value (true, 4.0);
    /// `phi_node_with_undefined_value(false, 4.0)`
    d038_phi_node_with_undefined_value_false: phi_node_with_undefined_value (false, 4.0);
    /// `test_multiple_phinode_block(3.0, 3)`
    d039_test_multiple_phinode_block: test_multiple_phinode_block (3.0, 3usize);
    /// `Base._unsafe_getindex(IndexLinear(), randn(5), 1, Slice(OneTo(1)))`
    d040_unsafe_getindex: unsafe_getindex (vec![0.3, -1.2, 0.8, 2.0, -0.1], 1usize, 1usize, 2usize);
    /// `avoid_throwing_path_tester(5.0)`
    d041_avoid_throwing_path_tester: avoid_throwing_path_tester (5.0,);
    /// `simple_foreigncall_tester("hello")`
    /// Text has no derivative and is not looked at: what is called is a constant function.
    d042_simple_foreigncall_tester: simple_foreigncall_tester ("hello",);
    /// `simple_foreigncall_tester_2(TypeVar, Type)`
    /// Types are values without derivative: those of an enum without data.
    d043_simple_foreigncall_tester_2: simple_foreigncall_tester_2 (Maker::Float, Maker::Vector);
    /// `no_primitive_inlining_tester(5.0)`
    d044_no_primitive_inlining_tester: no_primitive_inlining_tester (5.0,);
    /// `varargs_tester(5.0)`
    /// A variable number of arguments is a tuple.
    d045_varargs_tester: varargs_tester_1((5.0,),);
    /// `varargs_tester(5.0, 4)`
    d046_varargs_tester: varargs_tester_2 ((5.0, 4i64),);
    /// `varargs_tester(5.0, 4, 3.0)`
    d047_varargs_tester: varargs_tester_3 ((5.0, 4i64, 3.0),);
    /// `varargs_tester_2(5.0)`
    d048_varargs_tester_2: forwards_1 (5.0,);
    /// `varargs_tester_2(5.0, 4)`
    d049_varargs_tester_2: forwards_2 (5.0, 4i64);
    /// `varargs_tester_2(5.0, 4, 3.0)`
    d050_varargs_tester_2: forwards_3 (5.0, 4i64, 3.0);
    /// `varargs_tester_3(5.0, …)`, one more argument
    d051_varargs_tester_3: leading_1 (5.0, (4.0,));
    /// `varargs_tester_3(5.0, …)`, two more arguments
    d052_varargs_tester_3: leading_2 (5.0, (4.0, 3i64));
    /// `varargs_tester_3(5.0, …)`, three more arguments
    d053_varargs_tester_3: leading_3 (5.0, (4.0, 3i64, 2.0));
    /// `varargs_tester_4(5.0, …)`
    d054_varargs_tester_4: splats_1 (5.0, 4.0);
    /// `varargs_tester_4(5.0, 4, …)`
    d055_varargs_tester_4: splats_2 (5.0, 4.0);
    /// `varargs_tester_4(5.0, 4, 3.0, …)`
    d056_varargs_tester_4: splats_3 (5.0, 4.0);
    /// `splatting_tester(5.0)`
    d057_splatting_tester: product_1 ((5.0,),);
    /// `splatting_tester((5.0, 4))`
    d058_splatting_tester: product_2 ((5.0, 4i64),);
    /// `splatting_tester((5.0, 4, 3.0))`
    d059_splatting_tester: product_3 ((5.0, 4i64, 3.0),);
    /// `unstable_splatting_tester(Ref{Any}(…))`, a known failure upstream
    /// The number of parts is known at run time only: patterns of slices.
    d060_unstable_splatting_tester: unstable_splatting_tester (RefCell::new(vec![5.0]),), (RefCell::new(vec![5.0, 4.0]),), (RefCell::new(vec![5.0, 4.0, 3.0]),);
    /// `inferred_const_tester(Ref{Any}(nothing))`
    d061_inferred_const_tester: inferred_const_tester (RefCell::new(Any::Nothing),);
    /// `datatype_slot_tester(1)`
    d062_datatype_slot_tester: datatype_slot_tester (1usize,);
    /// `datatype_slot_tester(2)`
    d063_datatype_slot_tester: datatype_slot_tester (2usize,);
    /// `test_union_of_arrays(randn(5), true)`
    d064_test_union_of_arrays: test_union_of_arrays (vec![0.3, -1.2, 0.8, 2.0, -0.1], true);
    /// `test_union_of_types(Ref{Union{Type…}})`
    d065_test_union_of_types: test_union_of_types (RefCell::new(Some(Maker::Float)),);
    /// `test_self_reference(1.1, 1.5)`
    d066_test_self_reference: test_self_reference (1.1, 1.5);
    /// `test_self_reference(1.5, 1.1)`
    d067_test_self_reference: test_self_reference (1.5, 1.1);
    /// `getfield_tester((5.0, 5))`
    d070_getfield_tester: getfield_tester ((5.0, 5i64),);
    /// `getfield_tester_2((5.0, 5))`
    d071_getfield_tester_2: getfield_tester_2 ((5.0, 5i64),);
    /// `SHA.digest!(SHA2_256_CTX())`
    /// Integer and bit operations: a hash.
    d075_digest: digest (vec![1u32, 2, 3, 0xdead_beef],);
    /// `Xoshiro(123456)`
    d076_xoshiro: xoshiro (123_456u64, 2.0);
    /// `test_sin(1.0)`
    d078_test_sin: test_sin (1.0,);
    /// `test_cos_sin(2.0)`
    d079_test_cos_sin: test_cos_sin (2.0,);
    /// `test_isbits_multiple_usage(5.0)`
    d080_test_isbits_multiple_usage: test_isbits_multiple_usage (5.0,);
    /// `test_isbits_multiple_usage_2(5.0)`
    d081_test_isbits_multiple_usage_2: test_isbits_multiple_usage_2 (5.0,);
    /// `test_isbits_multiple_usage_3(4.1)`
    d082_test_isbits_multiple_usage_3: test_isbits_multiple_usage_3 (4.1,);
    /// `test_isbits_multiple_usage_4(5.0)`
    d083_test_isbits_multiple_usage_4: test_isbits_multiple_usage_4 (5.0,);
    /// `test_isbits_multiple_usage_5(4.1)`
    d084_test_isbits_multiple_usage_5: test_isbits_multiple_usage_5 (4.1,);
    /// `test_isbits_multiple_usage_phi(false, 1.1)`
    d085_test_isbits_multiple_usage_phi: test_isbits_multiple_usage_phi (false, 1.1);
    /// `test_isbits_multiple_usage_phi(true, 1.1)`
    d086_test_isbits_multiple_usage_phi: test_isbits_multiple_usage_phi (true, 1.1);
    /// `test_multiple_call_non_primitive(5.0)`
    d087_test_multiple_call_non_primitive: test_multiple_call_non_primitive (5.0,);
    /// `test_multiple_pi_nodes(Ref{Any}(5.0))`
    d088_test_multiple_pi_nodes: test_multiple_pi_nodes (RefCell::new(Any::Float(5.0)),);
    /// `test_multi_use_pi_node(Ref{Any}(5.0))`
    d089_test_multi_use_pi_node: test_multi_use_pi_node (RefCell::new(Any::Float(5.0)),);
    /// `test_getindex([1.0, 2.0])`
    d090_test_getindex: test_getindex (vec![1.0, 2.0],);
    /// `test_mutation!([1.0, 2.0])`
    d091_test_mutation: test_mutation (&mut vec![1.0, 2.0],);
    /// `test_while_loop(2.0)`
    d092_test_while_loop: test_while_loop (2.0,);
    /// `test_for_loop(3.0)`
    d093_test_for_loop: test_for_loop (3.0,);
    /// `test_mutable_struct_basic(5.0)`
    d094_test_mutable_struct_basic: test_mutable_struct_basic (5.0,);
    /// `test_mutable_struct_basic_sin(5.0)`
    d095_test_mutable_struct_basic_sin: test_mutable_struct_basic_sin (5.0,);
    /// `test_mutable_struct_setfield(4.0)`
    d096_test_mutable_struct_setfield: test_mutable_struct_setfield (4.0,);
    /// `test_mutable_struct(5.0)`
    d097_test_mutable_struct: test_mutable_struct (5.0,);
    /// `test_struct_partial_init(3.5)`
    /// A field that may be missing is an `Option`.
    d098_test_struct_partial_init: test_struct_partial_init (3.5,);
    /// `test_mutable_partial_init(3.3)`
    d099_test_mutable_partial_init: test_mutable_partial_init (3.3,);
    /// `sum(randn(32))`
    d102_sum: sum (noise(32, 0.1),);
    /// `test_diagonal_to_matrix(Diagonal(randn(30)))`
    d103_test_diagonal_to_matrix: test_diagonal_to_matrix (Diagonal { diag: noise(6, 0.1) },);
    /// `test_handwritten_sum(randn(128, 128))`
    d108_test_handwritten_sum: test_handwritten_sum (noise(128, 0.1),);
    /// `_naive_map_sin_cos_exp(randn(1024), randn(1024))`
    d109_naive_map_sin_cos_exp: naive_map_sin_cos_exp (&mut noise(24, 0.1), noise(24, 0.2));
    /// `_naive_map_negate(randn(1024), randn(1024))`
    d110_naive_map_negate: naive_map_negate (&mut noise(24, 0.1), noise(24, 0.2));
    /// `test_from_slack(randn(10_000))`
    d111_test_from_slack: test_from_slack (noise(100, 0.1),);
    /// `_sum(randn(1024))`
    d112_unstable_sum: unstable_sum (noise(40, 0.1),);
    /// `test_map(randn(1024), randn(1024))`
    d113_test_map: test_map (noise(20, 0.1), noise(20, 0.2));
    /// `_map_sin_cos_exp(randn(10, 10))`
    d115_map_sin_cos_exp: map_sin_cos_exp (noise(20, 0.1),);
    /// `ArgumentError("hi")`
    d116_argument_error: argument_error (0.5,), (5.0,);
    /// `test_small_union(Ref{Union{Float64, Vector{Float64}}}(5.0))`
    d117_test_small_union: test_small_union (RefCell::new(Any::Float(5.0)),);
    /// `test_small_union(Ref{Union{Float64, Vector{Float64}}}([1.0]))`
    d118_test_small_union: test_small_union (RefCell::new(Any::Vector(vec![1.0])),);
    /// `inlinable_invoke_call(5.0)`
    d119_inlinable_invoke_call: inlinable_invoke_call (5.0,);
    /// `inlinable_vararg_invoke_call((2, 2), 5.0, 4.0, 3.0, 2.0)`
    d120_inlinable_vararg_invoke_call: inlinable_vararg_invoke_call ((2usize, 2usize), 5.0, 4.0, 3.0, 2.0);
    /// `hvcat((2, 2), 3.0, 2.0, 0.0, 1.0)`
    d121_hvcat: hvcat ((2usize, 2usize), 3.0, 2.0, 0.0, 1.0);
    /// `partial_typevar_tester()`
    /// Rust has no types as values: a generic function with its parameter inferred.
    d122_partial_typevar_tester: partial_typevar_tester (3.0,);
    /// `typevar_tester()`
    /// Rust has no types as values: a generic function with its parameter written.
    d123_typevar_tester: typevar_tester ();
    /// `inplace_invoke!(randn(1024))`
    d124_inplace_invoke: inplace_invoke (&mut noise(24, 0.1),);
    /// `highly_nested_tuple(5.0)`
    d125_highly_nested_tuple: highly_nested_tuple (5.0,);
    /// `sig_argcount_mismatch(ones(4))`
    d126_sig_argcount_mismatch: sig_argcount_mismatch (vec![1.0; 4],);
    /// `regression_319(randn(3))`
    d128_regression_319: regression_319 (vec![0.1, 0.2, 0.3],);
}

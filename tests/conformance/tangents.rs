//! Section 2: the tangent of every kind of type, and its two halves.

use super::check;
use mooncake::prelude::*;
use mooncake::{Array, needs_identity_map, tangent_type};
use std::cell::RefCell;
use std::rc::Rc;

/// Types and their tangents, fdata and rdata.
macro_rules! types {
    ($($(#[$doc:meta])* $name:ident: $($t:ty => $tangent:literal, $fdata:literal, $rdata:literal),* $(,)?;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            $(
                let tangent = tangent_type::<$t>();
                assert_eq!(tangent.to_string(), $tangent, "tangent of {}", stringify!($t));
                assert_eq!(tangent.fdata().to_string(), $fdata, "fdata of {}", stringify!($t));
                assert_eq!(tangent.rdata().to_string(), $rdata, "rdata of {}", stringify!($t));
            )*
        }
    )*};
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Any {
    Float(f64),
    Vector(Vec<f64>),
    Int(i64),
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct StructFoo {
    a: f64,
    b: Option<Vec<f64>>,
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct NoForward {
    x: f64,
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct NoReverse {
    x: Vec<f64>,
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Stable<T> {
    x: f64,
    y: T,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Colour {
    Red,
    Green,
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Upper {
    data: Vec<Vec<f64>>,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Inner {
    x: f64,
    n: i64,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Big {
    a: Inner,
    b: Inner,
    c: (f64, bool),
}

types! {
    /// `sin`, types, `()`, `(1,)`, `(2, 3)`, strings, ranges of integers
    tangent_none:
        () => "NoTangent", "NoFData", "NoRData",
        (i64,) => "NoTangent", "NoFData", "NoRData",
        (i64, usize) => "NoTangent", "NoFData", "NoRData",
        &str => "NoTangent", "NoFData", "NoRData",
        String => "NoTangent", "NoFData", "NoRData",
        Colour => "NoTangent", "NoFData", "NoRData";
    /// `Float32`, `Float64`
    tangent_floats:
        f32 => "f32", "NoFData", "f32",
        f64 => "f64", "NoFData", "f64",
        &f64 => "f64", "NoFData", "f64";
    /// `Bool`, `Int8` to `Int64`, `UInt8` to `UInt64`
    tangent_integers:
        bool => "NoTangent", "NoFData", "NoRData",
        i8 => "NoTangent", "NoFData", "NoRData",
        i16 => "NoTangent", "NoFData", "NoRData",
        i32 => "NoTangent", "NoFData", "NoRData",
        i64 => "NoTangent", "NoFData", "NoRData",
        u8 => "NoTangent", "NoFData", "NoRData",
        u16 => "NoTangent", "NoFData", "NoRData",
        u32 => "NoTangent", "NoFData", "NoRData",
        u64 => "NoTangent", "NoFData", "NoRData";
    /// `[3.0, 2.0]`, `Float64[]`, `Memory{Float64}`
    tangent_vectors:
        Vec<f64> => "Vec<f64>", "Vec<f64>", "NoRData",
        &[f64] => "[f64]", "[f64]", "NoRData",
        &mut [f32] => "[f32]", "[f32]", "NoRData",
        [f64; 3] => "[f64; 3]", "[f64; 3]", "NoRData";
    /// `[1, 2]`
    /// No buffer of nothings: there is no tangent at all.
    tangent_integer_vectors:
        Vec<i64> => "NoTangent", "NoFData", "NoRData",
        Vec<Vec<bool>> => "NoTangent", "NoFData", "NoRData";
    /// `[[1.0], [1.0, 2.0]]`
    tangent_nested_vectors:
        Vec<Vec<f64>> => "Vec<Vec<f64>>", "Vec<Vec<f64>>", "NoRData",
        Vec<Option<Vec<f64>>> => "Vec<Option { None {} | Some { 0: Vec<f64> } }>", "Vec<Option { None {} | Some { 0: Vec<f64> } }>", "NoRData";
    /// `svec(5.0)`, `Any[5.0]`
    tangent_any:
        Any => "Any { Float { 0: f64 } | Vector { 0: Vec<f64> } | Int { 0: NoTangent } }", "Any { Float { 0: NoFData } | Vector { 0: Vec<f64> } | Int { 0: NoFData } }", "Any { Float { 0: f64 } | Vector { 0: NoRData } | Int { 0: NoRData } }";
    /// `(6.0, [1.0, 2.0])`, `(2.0, 3)`, `(3, 2.0)`, `(randn(10), 3)` and the named ones
    tangent_tuples:
        (f64, Vec<f64>) => "(f64, Vec<f64>)", "(NoFData, Vec<f64>)", "(f64, NoRData)",
        (f64, i64) => "(f64, NoTangent)", "NoFData", "(f64, NoRData)",
        (i64, f64) => "(NoTangent, f64)", "NoFData", "(NoRData, f64)",
        (Vec<f64>, i64) => "(Vec<f64>, NoTangent)", "(Vec<f64>, NoFData)", "NoRData",
        ((f64, (f64,)), bool) => "((f64, (f64,)), NoTangent)", "NoFData", "((f64, (f64,)), NoRData)";
    /// `StructFoo` (full and partial), `MutableFoo` (full and partial)
    tangent_structs:
        StructFoo => "StructFoo { a: f64, b: Option { None {} | Some { 0: Vec<f64> } } }", "StructFoo { a: NoFData, b: Option { None {} | Some { 0: Vec<f64> } } }", "StructFoo { a: f64, b: NoRData }",
        Box<StructFoo> => "Box<StructFoo { a: f64, b: Option { None {} | Some { 0: Vec<f64> } } }>", "Box<StructFoo { a: f64, b: Option { None {} | Some { 0: Vec<f64> } } }>", "NoRData";
    /// `StructNoFwds`
    tangent_struct_without_fdata:
        NoForward => "NoForward { x: f64 }", "NoFData", "NoForward { x: f64 }";
    /// `StructNoRvs`
    tangent_struct_without_rdata:
        NoReverse => "NoReverse { x: Vec<f64> }", "NoReverse { x: Vec<f64> }", "NoRData";
    /// `TypeStableMutableStruct{Float64}`
    tangent_generic_struct:
        Stable<f64> => "Stable { x: f64, y: f64 }", "NoFData", "Stable { x: f64, y: f64 }",
        Stable<i64> => "Stable { x: f64, y: NoTangent }", "NoFData", "Stable { x: f64, y: NoRData }",
        Stable<Vec<f64>> => "Stable { x: f64, y: Vec<f64> }", "Stable { x: NoFData, y: Vec<f64> }", "Stable { x: f64, y: NoRData }";
    /// `LowerTriangular`, `UpperTriangular`, `UnitLowerTriangular`, `UnitUpperTriangular`
    tangent_wrappers:
        Upper => "Upper { data: Vec<Vec<f64>> }", "Upper { data: Vec<Vec<f64>> }", "NoRData";
    /// circular struct, indirect circular array
    tangent_recursive:
        Node => "Node { value: f64, next: Option { None {} | Some { 0: Box<Node> } } }", "Node { value: NoFData, next: Option { None {} | Some { 0: Box<Node { value: f64, next: Option { None {} | Some { 0: Box<Node> } } }> } } }", "Node { value: f64, next: NoRData }";
    /// deeply nested tuples
    tangent_deep:
        (((((((f64,),),),),),),) => "(((((((f64,),),),),),),)", "NoFData", "(((((((f64,),),),),),),)";
    /// a big struct of plain data
    tangent_big:
        Big => "Big { a: Inner { x: f64, n: NoTangent }, b: Inner { x: f64, n: NoTangent }, c: (f64, NoTangent) }", "NoFData", "Big { a: Inner { x: f64, n: NoRData }, b: Inner { x: f64, n: NoRData }, c: (f64, NoRData) }";
    /// `P_union_nothing_float`, `P_union_nothing_array`, containers with unions in fields
    tangent_options:
        Option<f64> => "Option { None {} | Some { 0: f64 } }", "NoFData", "Option { None {} | Some { 0: f64 } }",
        Option<Vec<f64>> => "Option { None {} | Some { 0: Vec<f64> } }", "Option { None {} | Some { 0: Vec<f64> } }", "NoRData",
        Option<i64> => "NoTangent", "NoFData", "NoRData",
        Result<f64, Vec<f64>> => "Result { Ok { 0: f64 } | Err { 0: Vec<f64> } }", "Result { Ok { 0: NoFData } | Err { 0: Vec<f64> } }", "Result { Ok { 0: f64 } | Err { 0: NoRData } }";
    /// arrays on a device: their cotangents are values
    tangent_arrays:
        Array<f32> => "Array<f32>", "NoFData", "Array<f32>",
        Array<u32> => "NoTangent", "NoFData", "NoRData";
    /// `Ref`
    tangent_cells:
        Rc<RefCell<f64>> => "RefCell<f64>", "RefCell<f64>", "NoRData",
        &mut f64 => "&mut f64", "&mut f64", "NoRData";
}

/// `require_tangent_cache`
#[test]
fn tangent_identity_map() {
    assert!(needs_identity_map::<Vec<Rc<RefCell<f64>>>>());
    assert!(!needs_identity_map::<(f64, Vec<f64>)>());
    assert!(!needs_identity_map::<Node>());
}

#[differentiable]
fn wrapped(x: &Stable<Vec<f64>>, flag: Colour) -> Stable<f64> {
    let mut s = 0.0;
    for v in &x.y {
        s += v * x.x;
    }
    match flag {
        Colour::Red => Stable { x: s, y: x.x },
        Colour::Green => Stable { x: x.x, y: 2.0 * s },
    }
}
/// `_new_` of every kind of struct
#[test]
fn tangent_new() {
    let x = Stable {
        x: 0.7,
        y: vec![1.0, 2.0],
    };
    check!(wrapped, (x.clone(), Colour::Red));
    check!(wrapped, (x, Colour::Green));
}

#[differentiable]
fn list_sum(node: &Node) -> f64 {
    let rest = match &node.next {
        Some(next) => list_sum(next),
        None => 0.0,
    };
    node.value * node.value + rest
}
/// a linked list
#[test]
fn tangent_of_a_list() {
    let last = Node {
        value: 3.0,
        next: None,
    };
    let middle = Node {
        value: 2.0,
        next: Some(Box::new(last)),
    };
    check!(
        list_sum,
        (Node {
            value: 1.0,
            next: Some(Box::new(middle))
        },)
    );
}

#[derive(Clone, Debug, Differentiable)]
struct Link {
    value: f64,
    next: Option<Rc<RefCell<Link>>>,
}

#[differentiable]
fn around(start: &Rc<RefCell<Link>>, steps: usize) -> f64 {
    let mut at = start.clone();
    let mut s = 0.0;
    for _ in 0..steps {
        let v = at.borrow().value;
        s += v * v;
        let next = at.borrow().next.clone();
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    s
}
/// circular vector, circular struct
/// The graph is walked around twice: each node's cotangent accumulates.
#[test]
fn tangent_of_a_circle() {
    let a = Rc::new(RefCell::new(Link {
        value: 1.0,
        next: None,
    }));
    let b = Rc::new(RefCell::new(Link {
        value: 2.0,
        next: Some(a.clone()),
    }));
    a.borrow_mut().next = Some(b.clone());
    check!(around, (&a, 4usize));
    let rule = Context::default().build_rrule::<around>().unwrap();
    let (value, (gradient, ())) = rule.value_and_gradient((&a, 4usize)).unwrap();
    assert_eq!(value, 10.0);
    let next = gradient.borrow().next.clone().unwrap();
    assert_eq!((gradient.borrow().value, next.borrow().value), (4.0, 8.0));
    assert!(Rc::ptr_eq(next.borrow().next.as_ref().unwrap(), &gradient));
    next.borrow_mut().next = None;
    a.borrow_mut().next = None;
}

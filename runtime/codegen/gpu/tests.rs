//! Without a device: what is printed, and that naga accepts it in every kind of kernel.

use super::kernel::{Access, Input, Layout, map_kernel};
use super::*;
use crate::ir::parse::parse_module;
use crate::registry::{ContextKind, Effects};
use expect_test::expect;
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn function(text: &str) -> Result<Wgsl> {
    let module = parse_module(text).unwrap();
    wgsl_function(&module, module.root, &Registry::default())
}

/// naga accepts the function in kernels with every kind of access.
fn validate_kernels(wgsl: &Wgsl) {
    use Access::*;
    let vector = [Scalar, Constant, Flat, Row, Splat, Strided];
    let plain = [Scalar, Constant, Flat, Strided];
    for axes in 1..4 {
        for shift in 0..vector.len() {
            if wgsl.faults.is_empty() {
                validate_kernel(wgsl, axes, true, &vector, shift);
            }
            validate_kernel(wgsl, axes, false, &plain, shift);
        }
    }
}

fn validate_kernel(wgsl: &Wgsl, axes: usize, vector: bool, kinds: &[Access], shift: usize) {
    let accesses = wgsl.params.iter().enumerate().map(|(n, &ty)| match ty {
        Type::F32 | Type::F64 | Type::I32 | Type::U32 => kinds[(n + shift) % kinds.len()],
        _ => Access::Scalar,
    });
    let mut slots = 0;
    let inputs = accesses.zip(&wgsl.params).map(|(access, &ty)| {
        let slot = slots;
        slots += usize::from(access != Access::Scalar);
        Input {
            ty,
            access,
            slot,
            by: None,
            window: None,
        }
    });
    let layout = Layout {
        inputs: inputs.collect(),
        windows: Vec::new(),
        axes,
        vector,
        workgroup: 64,
        blocks: shift % 2 == 1,
        fuel: 60_000,
        totals: Vec::new(),
        grouped: false,
    };
    let kernel = map_kernel(wgsl, &layout).unwrap();
    let text = kernel.as_str();
    let module = naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(text)));
    let capabilities = match wgsl.wide {
        true => Capabilities::FLOAT64 | Capabilities::SHADER_INT64,
        false => Capabilities::empty(),
    };
    Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(text)));
}

/// `while c { if d { break } … }` around a loop that can leave both, and a merge that only some paths reach.
const LEAVES_TWO_LOOPS: &str = "fn @f(%0: f32, %1: i32) -> f32 {
    b0:
        %2: i32 = 0
        %3: i32 = 1
        %4: f32 = 2.0
        %5: f32 = 100.0
        jump outer(%2, %0)
    outer(%6: i32, %7: f32):
        %8: bool = lt %6, %1
        branch %8, start, done(%7)
    start:
        jump inner(%2, %7)
    inner(%9: i32, %10: f32):
        %11: bool = lt %9, %6
        branch %11, body, next
    body:
        %12: f32 = mul %10, %4
        %13: bool = gt %12, %5
        branch %13, far, on
    far:
        %14: f32 = neg %12
        jump done(%14)
    on:
        %15: i32 = add %9, %3
        %16: bool = eq %15, %1
        branch %16, again, stay
    again:
        %17: i32 = add %6, %3
        jump outer(%17, %12)
    stay:
        jump inner(%15, %12)
    next:
        %18: i32 = add %6, %3
        jump outer(%18, %10)
    done(%19: f32):
        return %19
    }";

#[test]
fn leaving_two_loops() {
    let wgsl = function(LEAVES_TWO_LOOPS).unwrap();
    validate_kernels(&wgsl);
    let module = parse_module(LEAVES_TWO_LOOPS).unwrap();
    let stmts = structure(module.root()).unwrap();
    let text = format!("{stmts:?}");
    for stmt in ["Loop", "Guard", "Break", "Continue"] {
        assert!(text.contains(stmt), "{stmt}: {text}");
    }
}

#[test]
fn guards_note_their_site() {
    let wgsl = function(
        "fn @f(%0: i32, %1: i32) -> f32 {
        b0:
            %2: bool = add_overflows %0, %1
            %3: bool = not %2
            assert %3 else overflow \"attempt to add with overflow\"
            %4: i32 = add %0, %1
            %5: f32 = cast %4
            return %5
        }",
    )
    .unwrap();
    validate_kernels(&wgsl);
    assert_eq!(wgsl.faults.len(), 1);
    assert_eq!(wgsl.faults[0].message, "attempt to add with overflow");
    assert!(wgsl.text.contains("mcx_fail(1u);"));
}

/// What is called for the third operand of a `select` alone is called where that is chosen.
#[test]
fn rare_arguments_are_computed_where_they_occur() {
    let text = "fn @f(%0: f32) -> f32 {
        b0:
            %1: f32 = 8192.0
            %2: bool = lt %0, %1
            %3: f32 = call @rare(%0)
            %4: f32 = select %2, %1, %3
            %5: f32 = call @rare(%4)
            %6: f32 = select %2, %5, %1
            return %6
        }";
    let rule = ScalarRule {
        native: None,
        with_partials: None,
        body: None,
        partials: parse_module(
            "fn @p(%x: f32, %y: f32) -> (f32,) {\nb0:\n%r: (f32,) = tuple %x\nreturn %r\n}",
        )
        .unwrap()
        .root()
        .clone(),
        wgsl: Some("fn mc_rare(x: f32) -> f32 { return x; }".to_owned()),
        domain: Vec::new(),
    };
    let mut registry = Registry::default();
    let entry = Entry {
        name: Symbol::new("rare"),
        param_names: Vec::new(),
        params: vec![Type::F32],
        ret: Type::F32,
        context: ContextKind::Default,
        pack: Symbol::new("test"),
        effects: Effects::Pure,
        kind: EntryKind::Scalar(rule),
    };
    registry.insert(entry).unwrap();
    let module = parse_module(text).unwrap();
    let wgsl = wgsl_function(&module, module.root, &registry).unwrap();
    validate_kernels(&wgsl);
    let start = wgsl.text.rfind("\nfn ").map_or(0, |at| at + 1);
    expect![[r#"
        fn fn0(v0: f32) -> f32 {
            let v1 = 8192.0f;
            let v2 = v0 < v1;
            var v4 = v1;
            if (!v2) { v4 = mc_rare(v0); }
            let v5 = mc_rare(v4);
            let v6 = select(v1, v5, v2);
            return v6;
        }

    "#]]
    .assert_eq(&wgsl.text[start..]);
}

#[test]
fn constants_are_exact() {
    let wgsl = function(
        "fn @f() -> f32 {
        b0:
            %0: f32 = inf
            %1: f32 = nan
            %2: f32 = 1e-40
            %3: f32 = -0.0
            %4: f32 = 3.4028234663852886e38
            %5: i32 = -2147483648
            %6: u32 = 4294967295
            %7: bool = true
            %8: f32 = 0.3333333432674408
            return %8
        }",
    )
    .unwrap();
    validate_kernels(&wgsl);
    for line in [
        "mcx_bits(2139095040u)",
        "mcx_bits(2143289344u)",
        "mcx_bits(71362u)",
        "= -0.0f;",
        "= 3.4028235e38f;",
        "= i32(-2147483648);",
        "= 4294967295u;",
        "= true;",
        "= 0.33333334f;",
    ] {
        assert!(wgsl.text.contains(line), "{line}\n{}", wgsl.text);
    }
}

/// Every scalar primitive, on every type that it takes, in one function each.
#[test]
fn naga_accepts_every_primitive() {
    let any = ["f32", "i32", "u32", "isize", "usize"];
    let mut cases: Vec<(&str, &str, &str)> = Vec::new();
    for ty in any {
        cases.extend(["add", "sub", "mul", "div", "rem"].map(|op| (op, ty, ty)));
        cases.extend(["eq", "ne", "lt", "le", "gt", "ge"].map(|op| (op, ty, "bool")));
    }
    for ty in &any[1..] {
        cases.extend(["and", "or", "xor", "shl", "shr"].map(|op| (op, *ty, *ty)));
        cases.extend(
            ["add_overflows", "sub_overflows", "mul_overflows"].map(|op| (op, *ty, "bool")),
        );
    }
    cases.push(("copysign", "f32", "f32"));
    cases.extend(
        ["and", "or", "xor", "eq", "ne", "lt", "le", "gt", "ge"].map(|op| (op, "bool", "bool")),
    );
    for (op, ty, ret) in cases {
        validate(&format!(
            "fn @f(%0: {ty}, %1: {ty}) -> {ret} {{\nb0:\n%2: {ret} = {op} %0, %1\nreturn %2\n}}"
        ));
    }
    let mut unary = vec![
        ("neg", "i32", "i32"),
        ("not", "bool", "bool"),
        ("not", "u32", "u32"),
        ("not", "i32", "i32"),
    ];
    unary.extend(["neg", "sqrt", "abs", "floor", "ceil", "trunc"].map(|op| (op, "f32", "f32")));
    for from in ["f32", "i32", "u32", "usize"] {
        unary.extend(["f32", "i32", "u32", "usize", "isize"].map(|to| ("cast", from, to)));
    }
    unary.extend([
        ("cast", "bool", "i32"),
        ("bitcast", "f32", "u32"),
        ("bitcast", "i32", "f32"),
    ]);
    for (op, from, to) in unary {
        validate(&format!(
            "fn @f(%0: {from}) -> {to} {{\nb0:\n%1: {to} = {op} %0\nreturn %1\n}}"
        ));
    }
    validate(
        "fn @f(%0: bool, %1: f32, %2: f32) -> f32 {\nb0:\n%3: f32 = select %0, %1, %2\nreturn %3\n}",
    );
}

/// naga accepts the function; in a kernel too, if its result can be stored.
fn validate(text: &str) {
    let wgsl = function(text).unwrap();
    if wgsl.ret != Type::Bool && wgsl.ret != Type::Usize && wgsl.ret != Type::Isize {
        return validate_kernels(&wgsl);
    }
    let text = [private(wgsl.wide, &wgsl.text), wgsl.text].concat();
    let module = naga::front::wgsl::parse_str(&text)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(&text)));
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(&text)));
}

#[test]
fn tuples_between_functions() {
    let wgsl = function(
        "fn @f(%0: f32) -> f32 {
        b0:
            %1: ((f32, bool), i32) = call @g(%0)
            %2: (f32, bool) = field.0 %1
            %3: f32 = field.0 %2
            return %3
        }
        fn @g(%0: f32) -> ((f32, bool), i32) {
        b0:
            %1: bool = true
            %2: (f32, bool) = tuple %0, %1
            %3: i32 = 1
            %4: ((f32, bool), i32) = tuple %2, %3
            return %4
        }",
    )
    .unwrap();
    validate_kernels(&wgsl);
}

/// The filetests have what is printed.
#[test]
fn naga_accepts_the_functions_of_the_filetests() {
    let text = include_str!("../../../tests/filetests/gpu/functions.ir");
    let accepted = text
        .split("; ---\n")
        .filter(|case| !case.contains("; refused:"));
    assert!(accepted.clone().count() > 5);
    accepted.for_each(|case| validate_kernels(&function(case).unwrap()));
}

#[test]
fn a_function_that_nobody_defines_is_refused() {
    let error = function("fn @f(%0: f32) -> f32 {\nb0:\n%1: f32 = call @bessel(%0)\nreturn %1\n}");
    let expected = "device gpu: nothing defines `bessel` for [f32]: run it on Device::cpu()";
    assert_eq!(error.unwrap_err().to_string(), expected);
}

#[test]
fn calls_in_a_packs_text() {
    let text = "fn mc_gelu_half(x: f32) -> f32 { return 0.5 * x; }\nfn mc_gelu(x: f32) -> f32 { return mc_gelu_half(x) * (1.0 + mc_erf (x)) + mcx_rem(x, 2.0) + xmc_no(x); }";
    assert_eq!(called(text), ["mc_erf", "mcx_rem"]);
}

/// The packs that are linked: every scalar function of one float type that has WGSL or a body, alone and with its partials.
#[test]
fn naga_accepts_every_scalar_of_the_linked_packs() {
    let registry = crate::context::Context::default().registry().clone();
    for ty in [Type::F32, Type::F64] {
        for entry in registry.entries() {
            if entry.params.iter().all(|&t| t == ty) {
                accepts_scalar(entry, ty, &registry);
            }
        }
    }
}

fn accepts_scalar(entry: &Entry, ty: Type, registry: &Registry) {
    {
        let EntryKind::Scalar(rule) = &entry.kind else {
            return;
        };
        // What treats rare arguments for the bodies of others, natively: kernels of maps have the text of those others.
        if entry.is_private() && rule.body.is_none() && rule.wgsl.is_none() {
            return;
        }
        let (name, n) = (entry.name, entry.params.len());
        let params: Vec<String> = (0..n).map(|i| format!("%{i}: {ty}")).collect();
        let args: Vec<String> = (0..n).map(|i| format!("%{i}")).collect();
        let (params, args) = (params.join(", "), args.join(", "));
        let tuple = vec![ty.to_string(); n + 1].join(", ");
        let op = match Prim::from_mnemonic(name.as_str()) {
            Some(_) => return,
            None => format!("call @\"{name}\"({args})"),
        };
        for text in [
            format!("fn @f({params}) -> {ty} {{\nb0:\n%y: {ty} = {op}\nreturn %y\n}}"),
            format!(
                "fn @f({params}) -> ({tuple}) {{\nb0:\n%y: ({tuple}) = call @\"{name}.with_partials\"({args})\nreturn %y\n}}"
            ),
        ] {
            let module = parse_module(&text).unwrap();
            let wgsl = wgsl_function(&module, module.root, registry)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            validate_kernels(&wgsl);
        }
    }
}

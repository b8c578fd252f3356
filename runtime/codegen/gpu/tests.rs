//! Without a device: what is printed, and that naga accepts it in every kind of kernel.

use super::kernel::{Access, Input, Layout, map_kernel};
use super::*;
use crate::ir::parse::parse_module;
use crate::registry::{ContextKind, Effects};
use expect_test::{Expect, expect};
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn function(text: &str) -> Result<Wgsl> {
    let module = parse_module(text).unwrap();
    wgsl_function(&module, module.root, &Registry::default())
}

/// The text of a function, without what stands before it.
fn check(text: &str, expected: Expect) {
    let wgsl = function(text).unwrap();
    validate_kernels(&wgsl);
    let start = wgsl.text.rfind("\nfn ").map_or(0, |at| at + 1);
    expected.assert_eq(&wgsl.text[start..]);
}

fn check_refused(text: &str, expected: Expect) {
    expected.assert_eq(&function(text).unwrap_err().to_string());
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
        }
    });
    let layout = Layout {
        inputs: inputs.collect(),
        axes,
        vector,
        workgroup: 64,
        blocks: shift % 2 == 1,
        fuel: 60_000,
        totals: Vec::new(),
        grouped: false,
    };
    let text = map_kernel(wgsl, &layout).unwrap();
    let module = naga::front::wgsl::parse_str(&text)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(&text)));
    let capabilities = match wgsl.wide {
        true => Capabilities::FLOAT64 | Capabilities::SHADER_INT64,
        false => Capabilities::empty(),
    };
    Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(&text)));
}

#[test]
fn straight_line() {
    check(
        "fn @f(%0: f32, %1: f32) -> (f32, f32) {
        b0:
            %2: f32 = mul %0, %1
            %3: f32 = 0.1
            %4: f32 = add %2, %3
            %5: (f32, f32) = tuple %4, %2
            return %5
        }",
        expect![[r#"
            fn fn0(v0: f32, v1: f32) -> Tuple2_f32_f32 {
                let v2 = v0 * v1;
                let v3 = 0.1f;
                let v4 = v2 + v3;
                let v5 = Tuple2_f32_f32(v4, v2);
                return v5;
            }

        "#]],
    );
}

#[test]
fn a_choice_comes_out_as_it_was_written() {
    check(
        "fn @f(%0: f32) -> f32 {
        b0:
            %1: f32 = 0.0
            %2: bool = lt %0, %1
            branch %2, b1, b2
        b1:
            %3: f32 = neg %0
            jump b3(%3)
        b2:
            jump b3(%0)
        b3(%4: f32):
            return %4
        }",
        expect![[r#"
            fn fn0(v0: f32) -> f32 {
                var v4: f32;
                let v1 = 0.0f;
                let v2 = v0 < v1;
                if (v2) {
                    let v3 = -v0;
                    v4 = v3;
                } else {
                    v4 = v0;
                }
                return v4;
            }

        "#]],
    );
}

#[test]
fn a_loop_with_one_exit() {
    check(
        "fn @power(%0: f32, %1: i32) -> f32 {
        b0:
            %2: i32 = 0
            %3: f32 = 1.0
            %12: i32 = 1
            jump b1(%2, %3)
        b1(%4: i32, %5: f32):
            %6: bool = lt %4, %1
            branch %6, b2, b3
        b2:
            %7: f32 = mul %5, %0
            %8: i32 = add %4, %12
            jump b1(%8, %7)
        b3:
            return %5
        }",
        expect![[r#"
            fn fn0(v0: f32, v1: i32) -> f32 {
                var v4: i32;
                var v5: i32;
                var v6: f32;
                let v2 = i32(0);
                let v3 = 1.0f;
                v4 = i32(1);
                v5 = v2;
                v6 = v3;
                loop {
                    if (mc_fuel == 0u) {
                        mcx_fail(1u);
                        return f32();
                    }
                    mc_fuel = mc_fuel - 1u;
                    let v7 = v5 < v1;
                    if (v7) {
                        let v8 = v6 * v0;
                        let v9 = v5 + v4;
                        v5 = v9;
                        v6 = v8;
                        continue;
                    } else {
                        break;
                    }
                }
                return v6;
            }

        "#]],
    );
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
fn short_circuits_note_their_targets() {
    check(
        "fn @f(%0: bool, %1: bool) -> f32 {
        b0:
            %2: f32 = 1.0
            %3: f32 = 2.0
            branch %0, b1, no
        b1:
            branch %1, yes, no
        yes:
            jump end(%2)
        no:
            jump end(%3)
        end(%4: f32):
            return %4
        }",
        expect![[r#"
            fn fn0(v0: bool, v1: bool) -> f32 {
                var go = 0u;
                var v2: f32;
                var v3: f32;
                var v4: f32;
                v2 = 1.0f;
                v3 = 2.0f;
                if (v0) {
                    if (v1) {
                        v4 = v2;
                        go = 4u;
                    } else {
                        go = 3u;
                    }
                } else {
                    go = 3u;
                }
                if (go == 3u) {
                    v4 = v3;
                    go = 4u;
                }
                return v4;
            }

        "#]],
    );
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

#[test]
fn sums_of_sums_are_kept() {
    check(
        "fn @whole(%0: f32) -> f32 {
        b0:
            %1: f32 = 3.0
            %2: f32 = 12582912.0
            %3: f32 = mul %0, %1
            %4: f32 = add %3, %2
            %5: f32 = sub %4, %2
            %6: f32 = mul %5, %1
            %7: f32 = add %6, %0
            return %7
        }",
        expect![[r#"
            fn fn0(v0: f32) -> f32 {
                let v1 = 3.0f;
                let v2 = 12582912.0f;
                let v3 = v0 * v1;
                let v4 = mcx_keep(v3 + v2);
                let v5 = v4 - v2;
                let v6 = v5 * v1;
                let v7 = v6 + v0;
                return v7;
            }

        "#]],
    );
}

/// NaN stays NaN: a minimum would be the bound.
#[test]
fn a_bound_compares_what_is_kept() {
    check(
        "fn @f(%0: f32) -> f32 {
        b0:
            %1: f32 = 89.0
            %2: bool = gt %0, %1
            %3: f32 = 89.0
            %4: f32 = select %2, %3, %0
            %5: bool = eq %4, %4
            %6: f32 = select %5, %4, %1
            return %6
        }",
        expect![[r#"
            fn fn0(v0: f32) -> f32 {
                let v1 = 89.0f;
                let v2 = mcx_keep(v0) > mcx_keep(v1);
                let v3 = 89.0f;
                let v4 = select(v0, v3, v2);
                let v5 = (bitcast<u32>(v4) & 0x7fffffffu) <= 0x7f800000u;
                let v6 = select(v1, v4, v5);
                return v6;
            }

        "#]],
    );
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
    let text = format!("{PRIVATE}{}", wgsl.text);
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

#[test]
fn doubles() {
    check(
        "fn @f(%0: f64, %1: f64) -> f64 {
        b0:
            %2: f64 = 1e300
            %3: f64 = inf
            %4: f64 = add %0, %2
            %5: f64 = sub %4, %4
            %6: u64 = bitcast %5
            %7: u64 = 52
            %8: u64 = shr %6, %7
            %9: f64 = cast %8
            %10: bool = ne %9, %3
            %11: f64 = select %10, %9, %1
            %12: f64 = rem %11, %1
            return %12
        }",
        expect![[r#"
            fn fn0(v0: f64, v1: f64) -> f64 {
                let v2 = 1e300lf;
                let v3 = mcx_bits_f64(9218868437227405312lu);
                let v4 = mcx_keep_f64(v0 + v2);
                let v5 = mcx_keep_f64(v4 - mcx_keep_f64(v4));
                let v6 = bitcast<u64>(v5);
                let v7 = 52lu;
                let v8 = v6 >> u32(v7);
                let v9 = f64(v8);
                let v10 = !(v9 == v3);
                let v11 = select(v1, v9, v10);
                let v12 = mcx_rem_f64(v11, v1);
                return v12;
            }

        "#]],
    );
}

#[test]
fn what_wgsl_cannot_do_is_refused() {
    check_refused(
        "fn @f(%0: u64) -> u64 {\nb0:\nreturn %0\n}",
        expect![
            "device gpu: values of type u64 do not exist in GPU kernels: run it on Device::cpu()"
        ],
    );
    check_refused(
        "fn @f(%0: f32) -> f32 {\nb0:\n%1: f32 = call @f(%0)\nreturn %1\n}",
        expect!["device gpu: `f` calls itself, which a GPU kernel cannot: run it on Device::cpu()"],
    );
    check_refused(
        "fn @f(%0: f32) -> f32 {\nb0:\n%1: f32 = call @bessel(%0)\nreturn %1\n}",
        expect!["device gpu: nothing defines `bessel` for [f32]: run it on Device::cpu()"],
    );
    check_refused(
        "fn @f(%0: usize) -> usize {\nb0:\n%1: usize = 4294967296\nreturn %1\n}",
        expect![
            "device gpu: the integer 4294967296 does not fit the 32 bits of GPU kernels: run it on Device::cpu()"
        ],
    );
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

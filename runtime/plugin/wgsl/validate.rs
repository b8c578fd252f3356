//! What naga says of WGSL. A scalar's parses and validates, is functions and constants under the entry's own names, and contains nothing that
//! is known to give wrong numbers; a compute shader has one entry point and the bindings that the host declares.

use crate::ir::Type;
use crate::registry::WGSL_F64;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Expression, MathFunction, Module, Scalar, ScalarKind, TypeInner};

fn parsed(text: &str) -> Result<(Module, ModuleInfo), String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|e| {
        let place = e.location(text).map_or(String::new(), |l| {
            format!("{}:{}: ", l.line_number, l.line_position)
        });
        format!("WGSL {place}{}", e.message())
    })?;
    let wide = Capabilities::FLOAT64 | Capabilities::SHADER_INT64;
    let info = Validator::new(ValidationFlags::all(), wide)
        .validate(&module)
        .map_err(|e| {
            let place = e.location(text).map_or(String::new(), |l| {
                format!("{}:{}: ", l.line_number, l.line_position)
            });
            format!("WGSL {place}{}", chain(e.as_inner()))
        })?;
    Ok((module, info))
}

/// Checks the text of a compute shader, which has so many arrays and one buffer of parameters.
pub fn check_kernel(text: &str, arrays: usize) -> Result<(), String> {
    let (module, _) = parsed(text)?;
    match &module.entry_points[..] {
        [entry] if entry.name == "main" && entry.stage == naga::ShaderStage::Compute => {}
        _ => return Err("WGSL: expected one entry point, `@compute … fn main`".to_owned()),
    }
    let bound = module.global_variables.iter();
    match bound.filter(|(_, v)| v.binding.is_some()).count() == arrays + 1 {
        true => Ok(()),
        false => Err("WGSL: a binding of its own; the host declares them".to_owned()),
    }
}

/// Checks the text of the function `name` with parameters of these types (floats stand for f32).
pub fn check(name: &str, params: &[Type], text: &str) -> Result<(), String> {
    check_floats(name, params, text, Scalar::F32)
}

/// Checks the text of the function `name` for f64, where it has the name `name_f64`.
pub fn check_f64(name: &str, params: &[Type], text: &str) -> Result<(), String> {
    let name = format!("{name}{WGSL_F64}");
    check_floats(&name, params, text, Scalar::F64)
}

fn check_floats(name: &str, params: &[Type], text: &str, float: Scalar) -> Result<(), String> {
    let (module, info) = parsed(text)?;
    only_functions(&module)?;
    own_names(name, &module)?;
    signature(name, params, &module, float)?;
    no_f64_builtins(&module, &info)
}

/// An error and what it comes from, on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |e| e.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

fn only_functions(module: &Module) -> Result<(), String> {
    match (
        module.entry_points.first(),
        module.global_variables.iter().next(),
        module.overrides.iter().next(),
    ) {
        (Some(entry), ..) => Err(format!(
            "WGSL: an entry point `{}`; a scalar is functions and constants only",
            entry.name
        )),
        (_, Some(_), _) => {
            Err("WGSL: a global variable; a scalar is functions and constants only".into())
        }
        (.., Some(_)) => Err("WGSL: an override; a scalar is functions and constants only".into()),
        _ => Ok(()),
    }
}

/// Kernels put the texts of many entries together: every name is `mc_<name>` or starts with `mc_<name>_`.
fn own_names(name: &str, module: &Module) -> Result<(), String> {
    let own = format!("mc_{name}");
    let functions = module.functions.iter().filter_map(|(_, f)| f.name.as_ref());
    let constants = module.constants.iter().filter_map(|(_, c)| c.name.as_ref());
    let types = module
        .types
        .iter()
        .filter(|(_, t)| matches!(t.inner, TypeInner::Struct { .. }))
        .filter_map(|(_, t)| t.name.as_ref());
    let foreign = |found: &&String| **found != own && !found.starts_with(&format!("{own}_"));
    match functions.chain(constants).chain(types).find(foreign) {
        Some(found) => Err(format!(
            "WGSL: the name `{found}`; expected names that start with `{own}`"
        )),
        None => Ok(()),
    }
}

fn signature(name: &str, params: &[Type], module: &Module, float: Scalar) -> Result<(), String> {
    let expected: Vec<_> = params
        .iter()
        .map(|&t| scalar_of(t, float))
        .collect::<Option<_>>()
        .ok_or("WGSL: an argument type that WGSL does not have")?;
    let own = format!("mc_{name}");
    let function = module
        .functions
        .iter()
        .map(|(_, f)| f)
        .find(|f| f.name.as_deref() == Some(&own))
        .ok_or(format!("WGSL: no function `{own}`"))?;
    let found: Vec<_> = function
        .arguments
        .iter()
        .map(|a| &module.types[a.ty].inner)
        .collect();
    let result = function.result.as_ref().map(|r| &module.types[r.ty].inner);
    let fits = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|(f, e)| **f == TypeInner::Scalar(*e))
        && result == Some(&TypeInner::Scalar(float));
    let name = if float == Scalar::F64 { "f64" } else { "f32" };
    match fits {
        true => Ok(()),
        false => {
            let list: Vec<_> = expected
                .iter()
                .map(|s| {
                    if s.kind == ScalarKind::Float {
                        name
                    } else {
                        "i32"
                    }
                })
                .collect();
            Err(format!(
                "WGSL: `{own}` has another signature; expected ({}) -> {name}",
                list.join(", ")
            ))
        }
    }
}

fn scalar_of(ty: Type, float: Scalar) -> Option<Scalar> {
    match ty {
        Type::F32 | Type::F64 => Some(float),
        Type::I32 => Some(Scalar::I32),
        Type::U32 => Some(Scalar::U32),
        Type::Bool => Some(Scalar::BOOL),
        _ => None,
    }
}

/// naga accepts `exp` of an f64, and drivers answer with garbage: SPIR-V's extended set has 16 and 32 bits only.
fn no_f64_builtins(module: &Module, info: &ModuleInfo) -> Result<(), String> {
    for (handle, function) in module.functions.iter() {
        for (expression, data) in function.expressions.iter() {
            let Expression::Math { fun, .. } = data else {
                continue;
            };
            let wide = info[handle][expression]
                .ty
                .inner_with(&module.types)
                .scalar()
                == Some(Scalar::F64);
            let exact = matches!(
                fun,
                MathFunction::Abs
                    | MathFunction::Sqrt
                    | MathFunction::Fma
                    | MathFunction::Min
                    | MathFunction::Max
                    | MathFunction::Floor
                    | MathFunction::Ceil
                    | MathFunction::Trunc
                    | MathFunction::Round
            );
            if wide && !exact {
                let fun = format!("{fun:?}").to_lowercase();
                return Err(format!(
                    "WGSL: `{fun}` of an f64 gives wrong numbers on real devices: write it out with + - * / sqrt fma"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn refuses(text: &str, message: Expect) {
        message.assert_eq(&check("f", &[Type::F32], text).unwrap_err());
    }

    #[test]
    fn good_text_is_accepted() {
        let text = "const mc_f_c: f32 = 2.0; fn mc_f_help(x: f32) -> f32 { return x * mc_f_c; } fn mc_f(x: f32) -> f32 { return mc_f_help(x); }";
        check("f", &[Type::F64], text).unwrap();
        check(
            "f",
            &[Type::F32, Type::I32],
            "fn mc_f(x: f32, n: i32) -> f32 { return x * f32(n); }",
        )
        .unwrap();
    }

    #[test]
    fn bad_text_is_refused() {
        refuses(
            "fn mc_f(x: f32) -> f32 { return x +; }",
            expect![[r#"WGSL 1:36: expected expression, found ";""#]],
        );
        refuses(
            "fn mc_f(x: f32) -> f32 { return true; }",
            expect![
                "WGSL 1:1: Function [0] 'mc_f' is invalid: The `return` expression Some([1]) does not match the declared return type Some([0])"
            ],
        );
        refuses(
            "fn f(x: f32) -> f32 { return x; }",
            expect!["WGSL: the name `f`; expected names that start with `mc_f`"],
        );
        refuses(
            "fn mc_f_g(x: f32) -> f32 { return x; }",
            expect!["WGSL: no function `mc_f`"],
        );
        refuses(
            "fn mc_f(x: f32, y: f32) -> f32 { return x; }",
            expect!["WGSL: `mc_f` has another signature; expected (f32) -> f32"],
        );
        refuses(
            "fn mc_f(x: f32) -> i32 { return 1; }",
            expect!["WGSL: `mc_f` has another signature; expected (f32) -> f32"],
        );
        refuses(
            "fn mc_f(x: f32) -> f32 { return f32(exp(f64(x))); }",
            expect![
                "WGSL: `exp` of an f64 gives wrong numbers on real devices: write it out with + - * / sqrt fma"
            ],
        );
        refuses(
            "var<private> mc_f_v: f32; fn mc_f(x: f32) -> f32 { return x; }",
            expect!["WGSL: a global variable; a scalar is functions and constants only"],
        );
        refuses(
            "@compute @workgroup_size(1) fn mc_f() {}",
            expect!["WGSL: an entry point `mc_f`; a scalar is functions and constants only"],
        );
        refuses(
            "override mc_f_o: f32; fn mc_f(x: f32) -> f32 { return x; }",
            expect!["WGSL: an override; a scalar is functions and constants only"],
        );
    }
}

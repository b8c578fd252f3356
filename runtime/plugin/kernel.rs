//! A compute shader of a pack's, checked: naga takes it with the bindings that it is going to have, and what it says of shapes and
//! workgroups are expressions over what the arguments are.

use super::KernelText;
use super::wgsl::check_kernel;
use crate::ir::parse::parse_expressions;
use crate::ir::verify::verify;
use crate::ir::{Callee, Function, Module, Symbol, Type};
use crate::registry::Kernel;
use crate::tangent::leaves;
use std::fmt::Write;
use std::sync::OnceLock;

/// The kernel of a function with these parameters; `None` if devices cannot hold one of the types.
pub(super) fn read(
    text: &KernelText,
    names: &[&str],
    params: &[Type],
    ret: Type,
) -> Result<Option<Kernel>, String> {
    let results = leaves(ret);
    if !results.iter().all(|ty| ty.is_array()) {
        return Err("all results must be arrays".to_owned());
    }
    if params.iter().chain(&results).any(|ty| is_wide(*ty)) {
        return Ok(None);
    }
    if text.shapes.len() != results.len() {
        return Err(format!(
            "{} shapes for {} results",
            text.shapes.len(),
            results.len()
        ));
    }
    let fields: Vec<(&str, &str)> = { text.params.iter() }
        .map(|param| match param.split_once('=') {
            Some((name, expression)) => Ok((name.trim(), expression)),
            None => Err(format!("parameter `{param}`: expected `name = expression`")),
        })
        .collect::<Result<_, String>>()?;
    let arrays = names.iter().zip(params).filter(|(_, ty)| ty.is_array());
    let arrays: Vec<&str> = arrays.map(|(name, _)| *name).collect();
    let shapes = text.shapes.iter().map(|shape| like(shape, &arrays));
    let shaped_like = shapes.collect::<Result<Vec<_>, _>>()?;
    let plan = plan(text, &fields, names, params)?;
    let wgsl = bindings(&fields, &plan, names, params, &results)? + &text.wgsl;
    let arrays = arrays.len() + results.len();
    check_kernel(&wgsl, arrays)?;
    Ok(Some(Kernel {
        text: wgsl,
        plan: Module::new(plan),
        shaped_like,
        bounded: OnceLock::new(),
    }))
}

/// The array argument, counted among the arrays, that has the shape of a result: `shape(a)`.
fn like(shape: &str, arrays: &[&str]) -> Result<Option<usize>, String> {
    let Some(name) = like_name(shape) else {
        return Ok(None);
    };
    match arrays.iter().position(|array| *array == name) {
        Some(found) => Ok(Some(found)),
        None => Err(format!(
            "`{}`: no argument `{name}` is an array",
            shape.trim()
        )),
    }
}

/// The name in `shape(name)`.
fn like_name(shape: &str) -> Option<&str> {
    let inside = shape.trim().strip_prefix("shape(")?.strip_suffix(')')?;
    Some(inside.trim())
}

/// Whether devices cannot hold numbers of this type.
fn is_wide(ty: Type) -> bool {
    match ty {
        Type::Slice(_) | Type::SliceMut(_) | Type::F64 => true,
        Type::Array(element) => *element == Type::F64,
        _ => false,
    }
}

/// The numbers that the plan needs about the arguments.
fn plan(
    text: &KernelText,
    fields: &[(&str, &str)],
    names: &[&str],
    params: &[Type],
) -> Result<Function, String> {
    let mut known: Vec<(String, Type)> = Vec::new();
    for (name, ty) in names.iter().zip(params) {
        match ty {
            Type::Array(_) => {
                known.push(((*name).to_owned(), Type::Usize));
                known.extend((0..Kernel::AXES).map(|n| (format!("{name}.{n}"), Type::Usize)));
            }
            ty => known.push(((*name).to_owned(), *ty)),
        }
    }
    let known: Vec<(&str, Type)> = known.iter().map(|(n, t)| (n.as_str(), *t)).collect();
    let tuple = |items: &str| match items.trim().trim_end_matches(',') {
        "" => "()".to_owned(),
        items => format!("({items},)"),
    };
    let all: Vec<&str> = fields.iter().map(|(_, expression)| *expression).collect();
    let mut texts = vec![tuple(&all.join(", "))];
    let extents = text.shapes.iter();
    texts.extend(extents.map(|shape| tuple(like_name(shape).unwrap_or(shape))));
    texts.push(tuple(&text.workgroups));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let nothing = |_: Callee, _: &[Type]| None;
    let plan = parse_expressions(Symbol::new("plan"), &known, &texts, &nothing)
        .map_err(|e| e.to_string())?;
    verify(&Module::new(plan.clone()), &nothing).map_err(|e| e.to_string())?;
    let Type::Tuple(parts) = plan.ret else {
        return Err(format!("the plan is {}", plan.ret));
    };
    // A number alone, as in `1`, is a float.
    let counts = parts[1..].iter().flat_map(|part| leaves(*part));
    if let Some(ty) = { counts }.find(|ty| !matches!(ty, Type::Usize | Type::F32 | Type::F64)) {
        return Err(format!(
            "an extent or a number of workgroups is {ty}; expected usize"
        ));
    }
    match parts.last().map(|part| leaves(*part).len()) {
        Some(1..=3) if parts.last() != Some(&Type::UNIT) => Ok(plan),
        _ => Err("expected the number of workgroups along one, two or three axes".to_owned()),
    }
}

/// The declarations in front of the text.
fn bindings(
    fields: &[(&str, &str)],
    plan: &Function,
    names: &[&str],
    params: &[Type],
    results: &[Type],
) -> Result<String, String> {
    let mut text = String::from("struct McParams { mc_operation: u32, ");
    let Type::Tuple(&[Type::Tuple(types), ..]) = plan.ret else {
        return Err("the plan has no parameters".to_owned());
    };
    for ((name, _), ty) in fields.iter().zip(types) {
        let ty = match ty {
            Type::Usize | Type::U32 | Type::Bool => "u32",
            Type::I32 => "i32",
            Type::F32 => "f32",
            other => {
                return Err(format!(
                    "the parameter `{name}` is {other}; expected usize, u32, i32, bool or f32"
                ));
            }
        };
        write!(text, "{name}: {ty}, ").map_err(|e| e.to_string())?;
    }
    // Everything is on the first line, so that errors have the line numbers of the pack's text.
    text += "} @group(0) @binding(0) var<uniform> params: McParams; ";
    let mut binding = 1;
    let mut array = |name: &str, access: &str, ty: &Type| {
        let element = ty.element().map_or(String::new(), |ty| ty.to_string());
        let line = format!(
            "@group(0) @binding({binding}) var<storage, {access}> {name}: array<{element}>; "
        );
        binding += 1;
        line
    };
    for (name, ty) in names.iter().zip(params).filter(|(_, ty)| ty.is_array()) {
        text += &array(name, "read", ty);
    }
    for (n, ty) in results.iter().enumerate() {
        let name = match results.len() {
            1 => "y".to_owned(),
            _ => format!("y{n}"),
        };
        text += &array(&name, "read_write", ty);
    }
    Ok(text)
}

//! C from the Rust source of the boundary: constants, structures with their comments, and the macros to write packs with.

use std::fmt::Write;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Expr, GenericArgument, Ident, Item, Lit, PathArguments, ReturnType, Token, Type,
};

/// The header.
pub fn header(source: &str, layouts: &[(&str, u64)]) -> String {
    let file = syn::parse_file(source).expect("the source of the boundary is Rust");
    let mut text = String::from(START);
    for item in &file.items {
        match item {
            Item::Const(constant) => text += &constant_text(constant),
            Item::Enum(names) => text += &enum_text(names),
            _ => {}
        }
    }
    text +=
        "\n/* The hashes of the layouts, by which both sides know that they mean the same. */\n";
    for (name, value) in layouts {
        writeln!(text, "#define MOONCAKE_{name} UINT64_C({value:#018x})").unwrap();
    }
    text.push('\n');
    let structs = structs(&file.items);
    for Struct { name, .. } in &structs {
        let name = c_name(name);
        writeln!(text, "typedef struct {name} {name};").unwrap();
    }
    for structure in &structs {
        text += &struct_text(structure);
    }
    text + include_str!("macros.h")
}

const START: &str = "\
/* The boundary between mooncake and its rule packs, for packs in C99.
 *
 * Generated from plugins/pack/src/abi.rs (BLESS=1 cargo test -p mooncake-pack). Do not edit.
 *
 * A pack is a shared library that contains one MOONCAKE_PACK(...). plugins/c-sample is one. Text is UTF-8 and lives, as
 * tables and rows do, as long as the process: packs are never unloaded. Pointers may be null, which means that there is
 * nothing. What a field means is above it; what has no meaning for a row is left 0.
 */
#ifndef MOONCAKE_PACK_H
#define MOONCAKE_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
";

/// `pub const NAME: u32 = 1;`, and ids as text. What is computed is not in the source as a number.
fn constant_text(constant: &syn::ItemConst) -> String {
    if !matches!(constant.vis, syn::Visibility::Public(_)) {
        return String::new();
    }
    let name = constant.ident.to_string();
    let docs = docs(&constant.attrs);
    match (&*constant.expr, &*constant.ty) {
        (Expr::Lit(literal), Type::Reference(_)) => match &literal.lit {
            // A symbol is not text to a C program.
            Lit::Str(text) if !text.value().contains('/') => String::new(),
            Lit::Str(text) => {
                let docs = comment(&docs, "");
                format!("\n{docs}#define MOONCAKE_{name}_ID {:?}\n", text.value())
            }
            _ => panic!("{name}: a constant that is no text"),
        },
        (Expr::Lit(literal), Type::Path(_)) => match &literal.lit {
            Lit::Int(number) => format!(
                "\n{}#define MOONCAKE_{name} {}u\n",
                comment(&docs, ""),
                number.base10_digits()
            ),
            _ => panic!("{name}: a constant that is no number"),
        },
        // The hashes of layouts are computed: the test brings their values.
        (_, Type::Path(path)) if path.path.is_ident("u64") => String::new(),
        _ => panic!("{name}: write the constant as a literal, so that the header can have it"),
    }
}

fn enum_text(names: &syn::ItemEnum) -> String {
    let mut text = String::new();
    for variant in &names.variants {
        let Some((_, Expr::Lit(value))) = &variant.discriminant else {
            panic!("{}: write its number", variant.ident);
        };
        let Lit::Int(number) = &value.lit else {
            panic!("{}: write its number", variant.ident);
        };
        let name = format!("{}_{}", names.ident, variant.ident).to_uppercase();
        let docs = comment(&docs(&variant.attrs), "");
        write!(
            text,
            "\n{docs}#define MOONCAKE_{name} {}u\n",
            number.base10_digits()
        )
        .unwrap();
    }
    text
}

/// A structure of `layout! { … }`.
struct Struct {
    attrs: Vec<Attribute>,
    name: Ident,
    fields: Vec<Field>,
}

struct Field {
    attrs: Vec<Attribute>,
    name: Ident,
    ty: Type,
}

impl Parse for Struct {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<Token![pub]>()?;
        input.parse::<Token![struct]>()?;
        let name = input.parse()?;
        let content;
        syn::braced!(content in input);
        let fields = fields(&content)?;
        Ok(Struct {
            attrs,
            name,
            fields,
        })
    }
}

/// Fields, and those that came later: `appended { … }`.
fn fields(input: ParseStream) -> syn::Result<Vec<Field>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        if input.peek(Ident) && !input.peek(Token![pub]) {
            let appended: Ident = input.parse()?;
            if appended != "appended" {
                return Err(syn::Error::new(appended.span(), "expected `appended`"));
            }
            let content;
            syn::braced!(content in input);
            found.extend(fields(&content)?);
            continue;
        }
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<Token![pub]>()?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<Token![,]>()?;
        found.push(Field { attrs, name, ty });
    }
    Ok(found)
}

fn structs(items: &[Item]) -> Vec<Struct> {
    let layout = items.iter().find_map(|item| match item {
        Item::Macro(call) if call.mac.path.is_ident("layout") => Some(&call.mac),
        _ => None,
    });
    let layout = layout.expect("the source has a `layout!` block");
    let all = |input: ParseStream| {
        let mut found = Vec::new();
        while !input.is_empty() {
            found.push(input.parse::<Struct>()?);
        }
        Ok(found)
    };
    layout
        .parse_body_with(all)
        .expect("structures as `layout!` takes them")
}

fn struct_text(structure: &Struct) -> String {
    let name = c_name(&structure.name);
    let mut text = format!(
        "\n{}struct {name} {{\n",
        comment(&docs(&structure.attrs), "")
    );
    for field in &structure.fields {
        text += &comment(&docs(&field.attrs), "    ");
        writeln!(
            text,
            "    {};",
            declaration(&field.ty, &c_field(&field.name))
        )
        .unwrap();
    }
    text + "};\n"
}

/// The declaration of something of a type.
fn declaration(ty: &Type, name: &str) -> String {
    match ty {
        Type::Ptr(pointer) => {
            let constant = if pointer.mutability.is_some() {
                ""
            } else {
                "const "
            };
            match &*pointer.elem {
                Type::Path(path) if path.path.is_ident("u8") => format!("{constant}char *{name}"),
                inner => declaration(inner, &format!("*{name}")).replacen("", constant, 1),
            }
        }
        Type::BareFn(function) => {
            let params: Vec<String> = function
                .inputs
                .iter()
                .map(|input| declaration(&input.ty, ""))
                .collect();
            let params = match params.is_empty() {
                true => "void".to_owned(),
                false => params
                    .iter()
                    .map(|p| p.trim_end())
                    .collect::<Vec<_>>()
                    .join(", "),
            };
            let inner = format!("(*{name})({params})");
            match &function.output {
                ReturnType::Default => format!("void {inner}"),
                ReturnType::Type(_, ret) => declaration(ret, &inner),
            }
        }
        Type::Path(path) => {
            let last = path.path.segments.last().expect("a path has a name");
            if let PathArguments::AngleBracketed(arguments) = &last.arguments {
                let Some(GenericArgument::Type(inner)) = arguments.args.first() else {
                    panic!("{name}: a type the header does not know");
                };
                assert!(
                    last.ident == "Option",
                    "{name}: a type the header does not know"
                );
                return declaration(inner, name);
            }
            format!("{} {name}", type_name(&last.ident))
        }
        _ => panic!("{name}: a type the header does not know"),
    }
}

fn type_name(name: &Ident) -> String {
    match name.to_string().as_str() {
        "c_void" => "void".into(),
        "usize" => "size_t".into(),
        "u8" | "u16" | "u32" | "u64" => {
            format!("uint{}_t", name.to_string().trim_start_matches('u'))
        }
        "i8" | "i16" | "i32" | "i64" => {
            format!("int{}_t", name.to_string().trim_start_matches('i'))
        }
        "f64" => "double".into(),
        "f32" => "float".into(),
        _ => c_name(name),
    }
}

/// A field's name, with `_` after what is a keyword of C.
fn c_field(name: &Ident) -> String {
    match name.to_string().as_str() {
        name @ ("float" | "double" | "int" | "long" | "short" | "char" | "void") => {
            format!("{name}_")
        }
        name => name.to_owned(),
    }
}

/// `ScalarEntry` is `mooncake_scalar_entry`.
fn c_name(name: &Ident) -> String {
    let mut text = String::from("mooncake");
    for c in name.to_string().chars() {
        if c.is_uppercase() {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}

fn docs(attrs: &[Attribute]) -> Vec<String> {
    let line = |attr: &Attribute| match &attr.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(plain(text.value().trim())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    attrs.iter().filter_map(line).collect()
}

/// Links to Rust items are their names.
fn plain(text: &str) -> String {
    text.replace("[`", "`")
        .replace("`]", "`")
        .replace("*/", "* /")
}

fn comment(lines: &[String], indent: &str) -> String {
    match lines {
        [] => String::new(),
        lines => format!(
            "{indent}/* {} */\n",
            lines
                .join(&format!("\n{indent} * "))
                .replace(" * \n", " *\n")
        ),
    }
}

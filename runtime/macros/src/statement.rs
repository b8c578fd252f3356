//! Blocks and statements.

use crate::expr;
use crate::pattern;
use crate::reader::{Reader, option};
use crate::types;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Block, Expr, Item, Local, Stmt};

/// Reads a block in a scope of its own.
pub fn block(reader: &mut Reader, block: &Block) -> TokenStream {
    reader.scoped(|reader| {
        // Items are visible in the whole block, also before they stand.
        for statement in &block.stmts {
            if let Stmt::Item(item) = statement {
                read_item(reader, item);
            }
        }
        statements(reader, &block.stmts)
    })
}

fn statements(reader: &mut Reader, written: &[Stmt]) -> TokenStream {
    let (value, written) = match written {
        [before @ .., Stmt::Expr(value, None)] => (Some(value), before),
        // `panic!("…")` at the end, without semicolon.
        [before @ .., Stmt::Macro(last)] if last.semi_token.is_none() => {
            let statements: Vec<_> = before.iter().filter_map(|s| statement(reader, s)).collect();
            let value = expr::invocation(reader, &last.mac);
            return finish(&statements, Some(value));
        }
        all => (None, all),
    };
    let statements: Vec<_> = written
        .iter()
        .filter_map(|s| statement(reader, s))
        .collect();
    let value = value.map(|value| expr::read(reader, value));
    finish(&statements, value)
}

fn finish(statements: &[TokenStream], value: Option<TokenStream>) -> TokenStream {
    let value = option(value.map(|value| quote!(&#value)));
    quote!(__mc::Block { statements: &[#(#statements),*], value: #value })
}

fn statement(reader: &mut Reader, statement: &Stmt) -> Option<TokenStream> {
    match statement {
        Stmt::Local(local) => Some(binding(reader, local)),
        Stmt::Item(_) => None,
        Stmt::Expr(value, _) => {
            let value = expr::read(reader, value);
            Some(quote!(__mc::Statement::Expr(#value)))
        }
        Stmt::Macro(statement) => {
            let value = expr::invocation(reader, &statement.mac);
            Some(quote!(__mc::Statement::Expr(#value)))
        }
    }
}

/// `let pattern: type = value;` The value is read before the names are declared.
fn binding(reader: &mut Reader, local: &Local) -> TokenStream {
    check_attributes(reader, &local.attrs);
    let (pattern, ty) = pattern::typed(&local.pat);
    let ty = option(ty.map(|ty| types::function(reader, ty)));
    let value = local.init.as_ref().map(|init| {
        if let Some((_, diverge)) = &init.diverge {
            reader.refuse(diverge, "`let … else` is not supported yet; write an `if`");
        }
        bound_value(reader, &init.expr)
    });
    let value = option(value);
    let pattern = pattern::read(reader, pattern);
    quote!(__mc::Statement::Let(#pattern, #ty, #value))
}

/// What `let` binds may not be a mutable reference to a variable: the variable would have two names.
fn bound_value(reader: &mut Reader, value: &Expr) -> TokenStream {
    if let Expr::Reference(reference) = value
        && reference.mutability.is_some()
        && matches!(*reference.expr, Expr::Path(_))
    {
        reader.refuse(
            value,
            "a mutable reference to a variable is not supported; use the variable itself, or `&mut x[..]` of a slice",
        );
    }
    expr::read(reader, value)
}

/// Items may stand in a body if they can be repeated elsewhere without changing their meaning.
fn read_item(reader: &mut Reader, item: &Item) {
    match item {
        Item::Const(_) | Item::Use(_) | Item::Type(_) => reader.add_item(item),
        other => reader.refuse(
            crate::first_token(other),
            "only `const`, `type` and `use` items are supported inside a differentiable function; \
             move this item out of the function",
        ),
    }
}

/// Attributes are for rustc; those that remove code are not understood here.
pub fn check_attributes(reader: &mut Reader, attributes: &[syn::Attribute]) {
    for attribute in attributes {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            reader.refuse(
                attribute,
                "conditional compilation inside a differentiable function is not supported; \
                 write `if cfg!(…)` or two functions",
            );
        }
    }
}

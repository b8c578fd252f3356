//! Blocks and statements.

use crate::pattern::{self, PatternContext};
use crate::reader::Reader;
use crate::tree::{Node, node};
use crate::{expr, invocation, types};
use quote::quote;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Item, ItemFn, Local, StaticMutability, Stmt, parse_quote};

/// Reads a block in a scope of its own. Its items are repeated around it, so that paths have the same meaning.
pub fn block(reader: &mut Reader, block: &Block) -> Node {
    let items: Vec<_> = items(block).collect();
    items.iter().for_each(|item| check_item(reader, item));
    let items = items
        .into_iter()
        .filter(|item| !matches!(item, Item::Macro(_)));
    let items: Vec<_> = items.collect();
    let block = body(reader, block);
    match items.is_empty() {
        true => block,
        false => Node::behind(&quote!(#(#items)*), block),
    }
}

/// The items in a block.
pub fn items(block: &Block) -> impl Iterator<Item = &Item> {
    block.stmts.iter().filter_map(|statement| match statement {
        Stmt::Item(item) => Some(item),
        _ => None,
    })
}

/// Allows an item in an inner block if it can be repeated elsewhere with the same meaning.
fn check_item(reader: &mut Reader, item: &Item) {
    match item {
        Item::Const(_) | Item::Type(_) | Item::Fn(_) | Item::Macro(_) => {}
        Item::Use(item) => reader.calls.note_import(item),
        Item::Static(item) if matches!(item.mutability, StaticMutability::None) => {}
        other => reader.refuse(
            crate::first_token(other),
            "this item is not supported in an inner block of a differentiable function; \
             move it to the outermost block of the function, or out of the function",
        ),
    }
}

/// Makes the functions that are declared in the body of a differentiable function differentiable too.
pub fn differentiate_functions(block: &mut Block) {
    struct Each;
    impl VisitMut for Each {
        fn visit_item_mut(&mut self, item: &mut Item) {
            if let Item::Fn(function) = item
                && is_ordinary(function)
            {
                function
                    .attrs
                    .push(parse_quote!(#[::mooncake::differentiable]));
            }
        }
    }
    Each.visit_block_mut(block);
}

/// Whether a function has no attribute of this library, and the macro could read it. A `const` function may be called by constants alone.
fn is_ordinary(function: &ItemFn) -> bool {
    let signature = &function.sig;
    let is_ours = |attribute: &Attribute| {
        let last = attribute.path().segments.last();
        last.is_some_and(|last| {
            last.ident == "differentiable" || last.ident == "non_differentiable"
        })
    };
    signature.constness.is_none()
        && signature.asyncness.is_none()
        && signature.unsafety.is_none()
        && signature.abi.is_none()
        && !function.attrs.iter().any(is_ours)
}

/// Reads a block without its items.
pub fn body(reader: &mut Reader, block: &Block) -> Node {
    reader.scoped(|reader| statements(reader, &block.stmts))
}

fn statements(reader: &mut Reader, written: &[Stmt]) -> Node {
    let mut value = None;
    let mut statements = Vec::new();
    for (i, statement) in written.iter().enumerate() {
        let is_last = i + 1 == written.len();
        let expr = match statement {
            Stmt::Local(local) => {
                statements.push(binding(reader, local));
                continue;
            }
            Stmt::Item(_) => continue,
            Stmt::Expr(written, semicolon) => {
                let expr = expr::read(reader, written);
                (expr, is_last && semicolon.is_none())
            }
            // `panic!("…")` at the end, without semicolon.
            Stmt::Macro(written) => {
                let expr = invocation::read(reader, &written.mac);
                (expr, is_last && written.semi_token.is_none())
            }
        };
        match expr {
            (expr, true) => value = Some(expr),
            (expr, false) => statements.push(node!(Expr, expr)),
        }
    }
    Node::block(statements, value)
}

/// `let pattern: type = value else { … };` The value is read before the names are declared.
fn binding(reader: &mut Reader, local: &Local) -> Node {
    let (pattern, ty) = pattern::typed(&local.pat);
    let ty = ty.map(|ty| types::node(reader, ty));
    let value = { local.init.as_ref() }.map(|init| expr::read(reader, &init.expr));
    let otherwise = local.init.as_ref().and_then(|init| init.diverge.as_ref());
    let place = match otherwise {
        Some(_) => PatternContext::Refutable,
        None => PatternContext::Irrefutable,
    };
    let otherwise = otherwise.and_then(|(_, otherwise)| match &**otherwise {
        syn::Expr::Block(written) => Some(block(reader, &written.block)),
        // No other statement exists.
        _ => None,
    });
    let pattern = pattern::read(reader, pattern, place);
    node!(Let, pattern, ty, value, otherwise)
}

/// Refuses attributes that remove code, because the macro cannot evaluate them.
pub fn check_attributes(reader: &mut Reader, block: &Block) {
    struct Check<'r>(&'r mut Reader);
    impl Visit<'_> for Check<'_> {
        fn visit_attribute(&mut self, attribute: &Attribute) {
            check_attribute(self.0, attribute);
        }
        // Items are passed to rustc unchanged.
        fn visit_item(&mut self, _: &Item) {}
    }
    visit::visit_block(&mut Check(reader), block);
}

/// Refuses an attribute that removes code.
pub fn check_attribute(reader: &mut Reader, attribute: &Attribute) {
    if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
        reader.refuse(
            attribute,
            "conditional compilation inside a differentiable function is not supported; \
             write `if cfg!(…)` or two functions",
        );
    }
}

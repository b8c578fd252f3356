//! Digests of method bodies, without references. `impl Add<&V> for V` and `impl Add for V` are usually the same function. If their digests are equal, it
//! does not matter which of the two an expression means.

use crate::forwarding;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprPath, Ident, Pat, PatIdent, Path, Signature, Type, UnOp};

/// The `BodyDigest` of a method of an `impl`.
pub fn method(signature: &Signature, block: &Block, owner: &Type, of_trait: &Path) -> TokenStream {
    if forwarding::forwards(signature, block, owner, of_trait) {
        return quote!(__mc::BodyDigest::Forwards);
    }
    let mut names = Bound::default();
    names.visit_block(block);
    let params: Vec<String> = forwarding::names(signature);
    let is_told = !params.iter().any(|param| names.0.contains(param));
    let mut without = Without {
        params: if is_told { params } else { Vec::new() },
        owner: forwarding::ident(owner).cloned(),
    };
    let mut block = block.clone();
    without.visit_block_mut(&mut block);
    text(&block)
}

/// The `BodyDigest` of a text.
pub fn text(written: &impl ToTokens) -> TokenStream {
    let mut hasher = DefaultHasher::new();
    written.to_token_stream().to_string().hash(&mut hasher);
    let hash = hasher.finish();
    quote!(__mc::BodyDigest::Text(#hash))
}

/// The names that a body binds.
#[derive(Default)]
struct Bound(HashSet<String>);

impl Visit<'_> for Bound {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        self.0.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}

/// Removes references, and replaces the names of parameters by their positions.
struct Without {
    params: Vec<String>,
    /// The name of the type `Self`.
    owner: Option<Ident>,
}

impl VisitMut for Without {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let inner = match expr {
            Expr::Reference(reference) => &reference.expr,
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => &unary.expr,
            Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => {
                &call.receiver
            }
            Expr::Paren(paren) => match &*paren.expr {
                Expr::Path(_)
                | Expr::Field(_)
                | Expr::MethodCall(_)
                | Expr::Call(_)
                | Expr::Index(_) => &paren.expr,
                _ => return,
            },
            _ => return,
        };
        *expr = (**inner).clone();
    }
    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        visit_mut::visit_expr_path_mut(self, path);
        if let Some(name) = path.path.get_ident() {
            let mut params = self.params.iter();
            if let Some(n) = params.position(|param| name == param) {
                path.path = Ident::new(&format!("__mc_{n}"), name.span()).into();
            }
        }
    }
    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        if let (Some(first), Some(owner)) = (path.segments.first_mut(), &self.owner)
            && first.ident == "Self"
        {
            first.ident = owner.clone();
        }
    }
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        visit_mut::visit_pat_mut(self, pattern);
        if let Pat::Reference(reference) = pattern {
            *pattern = (*reference.pat).clone();
        }
    }
}

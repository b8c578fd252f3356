//! What is known while a function is read: names in scope, items of its blocks, and the refusals so far.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::collections::HashSet;

/// Reads one function's body. Refusals are collected, so that the user sees all of them at once.
#[derive(Default)]
pub struct Reader {
    scopes: Vec<Scope>,
    error: Option<syn::Error>,
}

/// A block, a loop's body or a closure.
#[derive(Default)]
struct Scope {
    locals: HashSet<String>,
    /// `const` and `use` items of the block, repeated wherever a path is emitted: it is resolved outside the function.
    items: TokenStream,
}

impl Reader {
    /// Runs `read` in a new scope.
    pub fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let result = read(self);
        self.scopes.pop();
        result
    }
    /// Adds a variable to the innermost scope.
    pub fn declare(&mut self, name: String) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.locals.insert(name);
        }
    }
    /// Whether a variable of this name is in scope.
    pub fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.locals.contains(name))
    }
    /// Adds an item to the innermost scope.
    pub fn add_item(&mut self, item: impl quote::ToTokens) {
        if let Some(scope) = self.scopes.last_mut() {
            item.to_tokens(&mut scope.items);
        }
    }
    /// A function without captures that gives `value`, in which paths mean what they mean here.
    pub fn thunk(&self, value: TokenStream) -> TokenStream {
        let scopes = self
            .scopes
            .iter()
            .map(|scope| &scope.items)
            .filter(|items| !items.is_empty());
        // Nested, since an inner item may hide an outer one of the same name.
        let body = scopes
            .rev()
            .fold(value, |body, items| quote!({ #items #body }));
        quote!(|| #body)
    }
    /// Refuses `place`. Gives an expression that stands for it.
    pub fn refuse(&mut self, place: impl quote::ToTokens, message: impl std::fmt::Display) {
        let error = syn::Error::new_spanned(place, message);
        match &mut self.error {
            Some(first) => first.combine(error),
            None => self.error = Some(error),
        }
    }
    /// All refusals.
    pub fn into_error(self) -> Option<syn::Error> {
        self.error
    }
}

/// `At(line, column)` of a span.
pub fn at(span: Span) -> TokenStream {
    let (line, column) = match proc_macro::is_available() {
        true => (span.unwrap().line() as u32, span.unwrap().column() as u32),
        false => (0, 0),
    };
    quote!(__mc::At(#line, #column))
}

/// `Some(value)` or `None`, as tokens.
pub fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

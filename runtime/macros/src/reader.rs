//! The state while a function is read: names in scope, the meanings of types, and the refusals so far.

use crate::generics::Names;
use crate::own_methods::Calls;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::{BTreeMap, HashSet};

/// Reads one function. Refusals are collected, so that the user sees all of them at once.
#[derive(Default)]
pub struct Reader {
    /// The meanings of the names of type parameters.
    pub names: Names,
    scopes: Vec<HashSet<String>>,
    fresh: usize,
    error: Option<syn::Error>,
    checks: BTreeMap<String, TokenStream>,
    /// The calls of methods that are named like inherent methods of floats or arrays.
    pub calls: Calls,
    /// Whether a function or a method is called like those that create guards of cells.
    pub borrows: bool,
    /// The called functions that may be `mooncake::gradient` or a similar function, by their names: see `native.rs`.
    pub derivatives: Vec<syn::Path>,
    /// Whether the function is not compiled, so that rustc cannot be asked.
    pub is_library: bool,
}

impl Reader {
    /// A reader with these type parameters.
    pub fn new(names: Names) -> Reader {
        Reader {
            names,
            ..Reader::default()
        }
    }
    /// Runs `read` in a new scope.
    pub fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashSet::new());
        let result = read(self);
        self.scopes.pop();
        result
    }
    /// Adds a variable to the innermost scope.
    pub fn declare(&mut self, name: String) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name);
        }
    }
    /// Whether a variable of this name is in scope.
    pub fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.contains(name))
    }
    /// Notes that something of this name is called.
    pub fn calls_named(&mut self, name: &Ident) {
        self.borrows |= matches!(&*text(name), "borrow" | "borrow_mut");
    }
    /// A name that no program uses.
    pub fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("${}", self.fresh)
    }
    /// Adds a check for rustc: that a name means what the macro takes it for. There is one check for each key.
    pub fn check(&mut self, key: String, statements: impl FnOnce() -> TokenStream) {
        self.checks.entry(key).or_insert_with(statements);
    }
    /// All checks so far, as statements.
    pub fn take_checks(&mut self) -> TokenStream {
        let checks = std::mem::take(&mut self.checks).into_values();
        checks.chain(self.calls.checked()).collect()
    }
    /// Refuses `place`.
    pub fn refuse(&mut self, place: impl quote::ToTokens, message: impl std::fmt::Display) {
        self.fail(syn::Error::new_spanned(place, message));
    }
    /// Adds a refusal.
    pub fn fail(&mut self, error: syn::Error) {
        match &mut self.error {
            Some(first) => first.combine(error),
            None => self.error = Some(error),
        }
    }
    /// The result of `read`, if it refuses nothing. Otherwise its refusals are dropped.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let before = self.error.take();
        let result = read(self);
        let failed = std::mem::replace(&mut self.error, before);
        failed.is_none().then_some(result)
    }
    /// All refusals.
    pub fn into_error(self) -> Option<syn::Error> {
        self.error
    }
}

/// The line and the column of the start of a span.
pub fn line_and_column(span: Span) -> (u32, u32) {
    match proc_macro::is_available() {
        true => (span.unwrap().line() as u32, span.unwrap().column() as u32),
        false => (0, 0),
    }
}

/// `At(line, column)` of a span.
pub fn at(span: Span) -> TokenStream {
    let (line, column) = line_and_column(span);
    quote!(__mc::At(#line, #column))
}

/// A name as text, without `r#`.
pub fn text(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

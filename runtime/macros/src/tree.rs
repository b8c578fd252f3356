//! The surface tree as it is written: as text, which `mooncake` reads in `front/written.rs`.
//!
//! If the macro wrote a tree of constructors, rustc would find the type of each node, check its borrows and compute its value, which takes long. So the
//! macro writes nodes as text. Beside the text it writes, in the order in which the text needs them, the expressions that only rustc can resolve: types,
//! callees, constants.

use crate::reader::line_and_column;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::fmt::Write;

/// A node, or a part of one.
#[derive(Default)]
pub struct Node {
    text: String,
    resolved: Vec<TokenStream>,
}

/// A node of a form: the name of its constructor, and its parts.
macro_rules! node {
    ($form:ident $(, $part:expr)* $(,)?) => {
        crate::tree::Node::form(stringify!($form))$(.with($part))*
    };
}
pub(crate) use node;

impl Node {
    /// The beginning of a node: the name of its constructor, or another word that tells the reader what follows.
    pub fn form(name: &str) -> Node {
        Node::default().with(Word(name))
    }
    /// An expression or a pattern of this kind.
    pub fn at(place: Span, kind: Node) -> Node {
        let (line, column) = line_and_column(place);
        Node::default().with(Place(line, column)).with(kind)
    }
    /// An expression of this kind that has no place.
    pub fn nowhere(kind: Node) -> Node {
        Node::default().with(Place(0, 0)).with(kind)
    }
    /// A block.
    pub fn block(statements: Vec<Node>, value: Option<Node>) -> Node {
        Node::form("{").with(statements).with(value)
    }
    /// A block whose types, callees and constants rustc resolves where these items are in scope.
    pub fn behind(items: &TokenStream, block: Node) -> Node {
        let resolved = &block.resolved;
        Node {
            text: format!("items {}", block.text),
            resolved: vec![quote!(__mc::Resolved::Within({ #items &[#(#resolved),*] }))],
        }
    }
    /// What rustc resolves, as a variant of `Resolved`.
    fn resolved(kind: &str, value: TokenStream) -> Node {
        let kind: Ident = format_ident!("{kind}");
        Node {
            text: String::new(),
            resolved: vec![quote!(__mc::Resolved::#kind(#value))],
        }
    }
    /// The function that returns a type.
    pub fn ty(function: TokenStream) -> Node {
        Node::resolved("Ty", function)
    }
    /// The function that returns a differentiable function.
    pub fn callee(function: TokenStream) -> Node {
        Node::resolved("Callee", function)
    }
    /// The function that returns a constant.
    pub fn constant(function: TokenStream) -> Node {
        Node::resolved("Constant", function)
    }
    /// The function that returns a trait.
    pub fn of_trait(function: TokenStream) -> Node {
        Node::resolved("Trait", function)
    }
    /// A condition that rustc computes.
    pub fn condition(value: TokenStream) -> Node {
        Node::form("?").with(Node::resolved("Bool", value))
    }
    /// A text that rustc computes.
    pub fn text(value: TokenStream) -> Node {
        Node::form("?").with(Node::resolved("Str", value))
    }
    /// A number that rustc computes.
    pub fn number(value: TokenStream) -> Node {
        Node::form("?").with(Node::resolved("Int", quote!(#value as i128)))
    }
    /// The node with another part.
    pub fn with(mut self, part: impl Part) -> Node {
        part.write(&mut self);
        self
    }
    fn word(&mut self, word: impl std::fmt::Display) {
        let _ = write!(self.text, "{word} ");
    }
    /// The `Written` block or pattern.
    pub fn written(self) -> TokenStream {
        let (text, resolved) = (self.text, self.resolved);
        quote!(__mc::Written::new(#text, &[#(#resolved),*]))
    }
}

/// What stands in a node.
pub trait Part {
    /// Writes it.
    fn write(self, node: &mut Node);
}

/// A name that the reader knows.
pub struct Word<'a>(pub &'a str);

impl Part for Word<'_> {
    fn write(self, node: &mut Node) {
        node.word(self.0);
    }
}
impl Part for Node {
    fn write(self, node: &mut Node) {
        node.text.push_str(&self.text);
        node.resolved.extend(self.resolved);
    }
}
impl Part for bool {
    fn write(self, node: &mut Node) {
        node.word(u8::from(self));
    }
}
impl Part for u32 {
    fn write(self, node: &mut Node) {
        node.word(self);
    }
}
impl Part for i128 {
    fn write(self, node: &mut Node) {
        node.word(self);
    }
}
/// The text of a float gives the same float when it is read.
impl Part for f64 {
    fn write(self, node: &mut Node) {
        node.word(format_args!("{self:?}"));
    }
}
/// A line and a column.
struct Place(u32, u32);

impl Part for Place {
    fn write(self, node: &mut Node) {
        node.word(self.0);
        node.word(self.1);
    }
}
/// Its length in bytes, and the text.
impl Part for &str {
    fn write(self, node: &mut Node) {
        node.word(self.len());
        node.word(self);
    }
}
impl Part for String {
    fn write(self, node: &mut Node) {
        self.as_str().write(node);
    }
}
impl<P: Part> Part for Option<P> {
    fn write(self, node: &mut Node) {
        node.word(if self.is_some() { "+" } else { "-" });
        if let Some(part) = self {
            part.write(node);
        }
    }
}
impl<P: Part> Part for Vec<P> {
    fn write(self, node: &mut Node) {
        node.word(self.len());
        self.into_iter().for_each(|part| part.write(node));
    }
}
impl<P: Part, Q: Part> Part for (P, Q) {
    fn write(self, node: &mut Node) {
        self.0.write(node);
        self.1.write(node);
    }
}

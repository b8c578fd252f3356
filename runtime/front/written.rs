//! Reads blocks and patterns that the macro has written as text.
//!
//! A tree of constructors in the user's program would have to be checked by rustc, node for node. Text is one token. What only rustc can resolve stands
//! beside it, as [`Resolved`] values in the order in which the text needs them. The text is written in `macros/src/tree.rs`: forms by their names, then
//! their parts in the order of the fields; texts and lists begin with their length, and optional parts with `+` or `-`.

use super::tree::{
    Arm, At, Binary, Block, Callee, Constant, Expr, ExprKind, Lambda, Pattern, PatternKind,
    Statement, TraitFn, TyFn, WrittenTrait,
};
use crate::ir::Type;
use std::slice;
use std::str::FromStr;
use std::sync::OnceLock;

/// What rustc has resolved or computed.
#[derive(Debug)]
pub enum Resolved {
    /// A type.
    Ty(TyFn),
    /// A differentiable function.
    Callee(Callee),
    /// A constant.
    Constant(fn() -> Constant),
    /// A trait, if it is differentiable.
    Trait(TraitFn),
    /// A condition: `cfg!(…)`.
    Bool(bool),
    /// A text: `concat!(…)`.
    Str(&'static str),
    /// A number: `line!()`.
    Int(i128),
    /// What is resolved in a block that has items.
    Within(&'static [Resolved]),
}

/// A block or a pattern as it is written.
#[derive(Debug)]
pub struct Written<T: 'static> {
    text: &'static str,
    resolved: &'static [Resolved],
    node: OnceLock<Option<&'static T>>,
}

/// A text that was not written by the macro of this version.
#[derive(Clone, Copy, Debug)]
pub struct Unreadable;

impl<T: Read> Written<T> {
    /// The text of a node, and what is resolved in it.
    pub const fn new(text: &'static str, resolved: &'static [Resolved]) -> Self {
        Written {
            text,
            resolved,
            node: OnceLock::new(),
        }
    }
    /// A node that is there already, because the function was made at run time.
    pub fn of(node: &'static T) -> Self {
        Written {
            text: "",
            resolved: &[],
            node: OnceLock::from(Some(node)),
        }
    }
    /// The node: always the same, because inference knows nodes by their addresses.
    pub fn node(&self) -> Result<&'static T, Unreadable> {
        let read = || {
            let mut text = Text {
                rest: self.text,
                resolved: self.resolved.iter(),
            };
            let node = T::read(&mut text)?;
            let is_whole = text.rest.is_empty() && text.resolved.len() == 0;
            is_whole.then(|| &*Box::leak(Box::new(node)))
        };
        self.node.get_or_init(read).ok_or(Unreadable)
    }
}

/// What is still to be read.
#[doc(hidden)]
pub struct Text {
    rest: &'static str,
    resolved: slice::Iter<'static, Resolved>,
}

impl Text {
    fn word(&mut self) -> Option<&'static str> {
        let (word, rest) = self.rest.split_once(' ')?;
        self.rest = rest;
        Some(word)
    }
    fn number<N: FromStr>(&mut self) -> Option<N> {
        self.word()?.parse().ok()
    }
    fn many<T: Read>(&mut self) -> Option<Vec<T>> {
        let count: usize = self.number()?;
        (0..count).map(|_| T::read(self)).collect()
    }
}

/// A part of a node.
#[doc(hidden)]
pub trait Read: Sized + 'static {
    /// Reads it.
    fn read(text: &mut Text) -> Option<Self>;
}

impl<T: Read> Read for &'static T {
    fn read(text: &mut Text) -> Option<Self> {
        T::read(text).map(|node| &*Box::leak(Box::new(node)))
    }
}
impl<T: Read> Read for &'static [T] {
    fn read(text: &mut Text) -> Option<Self> {
        text.many().map(|nodes| &*nodes.leak())
    }
}
impl<T: Read> Read for Option<T> {
    fn read(text: &mut Text) -> Option<Self> {
        match text.word()? {
            "+" => T::read(text).map(Some),
            "-" => Some(None),
            _ => None,
        }
    }
}
impl<A: Read, B: Read> Read for (A, B) {
    fn read(text: &mut Text) -> Option<Self> {
        Some((A::read(text)?, B::read(text)?))
    }
}
impl Read for u32 {
    fn read(text: &mut Text) -> Option<Self> {
        text.number()
    }
}
impl Read for f64 {
    fn read(text: &mut Text) -> Option<Self> {
        text.number()
    }
}
/// What stands in the text as a word, or after `?` beside the text.
macro_rules! words {
    ($($variant:ident: $ty:ty, |$text:ident, $word:ident| $read:expr;)*) => {$(
        impl Read for $ty {
            fn read($text: &mut Text) -> Option<Self> {
                match $text.word()? {
                    "?" => resolved!($text, $variant),
                    $word => $read,
                }
            }
        }
    )*};
}

/// What stands beside the text.
macro_rules! resolved {
    ($text:ident, $variant:ident) => {
        match $text.resolved.next()? {
            Resolved::$variant(found) => Some(*found),
            _ => None,
        }
    };
    ($($variant:ident: $ty:ty;)*) => {$(
        impl Read for $ty {
            fn read(text: &mut Text) -> Option<Self> {
                resolved!(text, $variant)
            }
        }
    )*};
}

words! {
    Int: i128, |text, word| word.parse().ok();
    Bool: bool, |text, word| match word {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    Str: &'static str, |text, length| {
        let (found, rest) = text.rest.split_at_checked(length.parse().ok()?)?;
        text.rest = rest.strip_prefix(' ')?;
        Some(found)
    };
}
resolved! {
    Ty: TyFn;
    Callee: Callee;
    Constant: fn() -> Constant;
    Trait: TraitFn;
}

macro_rules! structs {
    ($($ty:ident { $($field:ident),* })*) => {$(
        impl Read for $ty {
            fn read(text: &mut Text) -> Option<Self> {
                $(let $field = Read::read(text)?;)*
                Some($ty { $($field),* })
            }
        }
    )*};
}
structs! {
    WrittenTrait { name, of }
    Pattern { at, kind }
    Expr { at, kind }
    Arm { pattern, guard, body }
    Lambda { params, ret, body, moves }
}

impl Read for At {
    fn read(text: &mut Text) -> Option<Self> {
        Some(At(Read::read(text)?, Read::read(text)?))
    }
}

impl Read for Block {
    fn read(text: &mut Text) -> Option<Self> {
        match text.word()? {
            "{" => Some(Block {
                statements: Read::read(text)?,
                value: Read::read(text)?,
            }),
            "items" => {
                let inner = resolved!(text, Within)?;
                let outer = std::mem::replace(&mut text.resolved, inner.iter());
                let block = Block::read(text)?;
                let inner = std::mem::replace(&mut text.resolved, outer);
                (inner.len() == 0).then_some(block)
            }
            _ => None,
        }
    }
}

/// Reads an enum by the names of its variants. Each has a function of its own: in one for all, the stack would need room for the parts of all at every level.
macro_rules! forms {
    ($ty:ident: $($unit:ident)* $(, $form:ident($($part:ident),*))*) => {
        // A variant that is not read is an error here.
        const _: fn(&$ty) = |node| match node {
            $($ty::$unit => {})*
            $($ty::$form(..) => {})*
        };
        forms!(only $ty: $($unit)* $(, $form($($part),*))*);
    };
    (only $ty:ident: $($unit:ident)* $(, $form:ident($($part:ident),*))*) => {
        impl Read for $ty {
            fn read(text: &mut Text) -> Option<Self> {
                match text.word()? {
                    $(stringify!($unit) => Some($ty::$unit),)*
                    $(stringify!($form) => {
                        fn form(text: &mut Text) -> Option<$ty> {
                            $(let $part = Read::read(text)?;)*
                            Some($ty::$form($($part),*))
                        }
                        form(text)
                    })*
                    _ => None,
                }
            }
        }
    };
}
forms!(only Type: Bool I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize F32 F64);
forms!(Binary: Add Sub Mul Div Rem And Or Xor Shl Shr Eq Ne Lt Le Gt Ge);
forms!(Statement: , Let(pattern, ty, value, otherwise), Expr(value));
forms!(PatternKind: Wild Rest,
    Name(name, by_mut, inner), Tuple(fields), Struct(ty, variant, fields), TupleStruct(ty, variant, fields), Slice(elements),
    Value(value), Range(from, to, inclusive), Or(cases), Ref(inner));
forms!(ExprKind: ,
    Float(value, ty), Int(value, ty), Bool(value), Str(value), Formatted(value), Local(name), Parameter(n, ty), Constant(value),
    Function(callee), MethodValue(ty, of_trait, name), Neg(value), Not(value), Binary(op, left, right), Lazy(is_and, left, right),
    Let(pattern, value), Assign(place, value), AssignBinary(op, place, value), Call(callee, args), CallValue(function, args),
    Method(name, of_trait, types, args), Associated(ty, of_trait, name, types, args), Struct(ty, variant, fields, base),
    Construct(ty, variant, args), Index(base, index), Range(from, to, inclusive), Field(base, name), Tuple(fields), List(elements),
    Repeat(value, count), VecList(elements), VecRepeat(value, count), Ref(is_mut, value), Deref(value), Cast(value, ty),
    If(condition, then, otherwise), Match(value, arms), Try(value), Closure(lambda), Block(label, block),
    While(label, condition, body), Loop(label, body), For(label, pattern, iterable, body), Break(label, value), Continue(label),
    Return(value), Assert(condition, text, values), Panic(text, values));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::tree::ExprKind;
    use crate::front::ty::Ty;

    /// `{ let é = cfg!(…); "a b" }`
    const TEXT: &str = "{ 1 Let 1 5 Name 2 é 0 - - + 1 9 Bool ? - + 2 1 Cast 2 1 Str 3 a b ";
    const RESOLVED: &[Resolved] = &[Resolved::Bool(true), Resolved::Ty(|| Ty::UNIT)];

    #[test]
    fn a_block_is_read_once() {
        static BLOCK: Written<Block> = Written::new(TEXT, RESOLVED);
        let block = BLOCK.node().unwrap();
        assert!(std::ptr::eq(block, BLOCK.node().unwrap()));
        let [Statement::Let(pattern, None, Some(value), None)] = block.statements else {
            panic!("{block:?}");
        };
        assert!(matches!(pattern.kind, PatternKind::Name("é", false, None)));
        assert!(matches!(value.kind, ExprKind::Bool(true)));
        let Some(Expr {
            kind: ExprKind::Cast(text, _),
            ..
        }) = block.value
        else {
            panic!("{block:?}");
        };
        assert!(matches!(text.kind, ExprKind::Str("a b")));
        assert_eq!(text.at, At(2, 1));
    }

    #[test]
    fn what_the_macro_did_not_write_is_unreadable() {
        let is_read = |text, resolved| Written::<Block>::new(text, resolved).node().is_ok();
        assert!(is_read(TEXT, RESOLVED));
        for (end, _) in TEXT.char_indices() {
            assert!(!is_read(&TEXT[..end], RESOLVED), "{end}");
        }
        for text in [
            "{ 0 - { 0 - ",
            "{ -1 - ",
            "{ 99999999999999999999 - ",
            "{ 0 + 1 1 Str 3 é ",
            "{ 0 + 1 1 Other ",
            "items { 0 - ",
        ] {
            assert!(!is_read(text, &[]), "{text}");
        }
        assert!(!is_read(TEXT, &RESOLVED[..1]));
        assert!(!is_read(TEXT, &[Resolved::Bool(true), Resolved::Int(1)]));
    }
}

//! Signatures as packs write them: `hypot(x: T, y: T) -> T`, `reshape(a: array<T>, dims: shape) -> array<T>`.
//!
//! `T` ranges over f32 and f64, `shape` over the tuples of up to [`MAX_DIMS`] extents; everything else is one type. Several results
//! are a tuple of types, none is `()`.

use crate::ir::{Symbol, Type};
use std::fmt;

/// The most extents that a `shape` has.
pub const MAX_DIMS: usize = 8;

/// A name, parameters and a result, over type patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The function.
    pub name: Symbol,
    /// Names and types of the parameters.
    pub params: Vec<(Symbol, Pattern)>,
    /// The results' types.
    pub ret: Returned,
}

/// The result of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returned {
    /// One result.
    One(Pattern),
    /// A tuple of results.
    Several(Vec<Pattern>),
}

/// A type that may contain `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `T`
    Float,
    /// `array<T>`
    FloatArray,
    /// `&[T]`, or, if it may be written to, `&mut [T]`
    FloatSlice(bool),
    /// `shape`
    Shape,
    /// A type.
    Fixed(Type),
}

/// One choice of types for a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// `T`
    pub float: Type,
    /// The parameters' types.
    pub params: Vec<Type>,
    /// The result's type.
    pub ret: Type,
}

impl Signature {
    /// Reads a signature.
    pub fn parse(text: &str) -> Result<Signature, String> {
        let wrong = |what: &str| format!("signature `{text}`: {what}");
        let (name, rest) = text.split_once('(').ok_or(wrong("expected `(`"))?;
        let (params, ret) = rest.rsplit_once("->").ok_or(wrong("expected `->`"))?;
        let params = params
            .trim()
            .strip_suffix(')')
            .ok_or(wrong("expected `)` before `->`"))?;
        let params = params
            .split(',')
            .filter(|param| !param.trim().is_empty())
            .map(|param| {
                let (name, ty) = param
                    .split_once(':')
                    .ok_or(wrong("expected `name: type`"))?;
                Ok((
                    identifier(name).ok_or(wrong("a parameter's name is not an identifier"))?,
                    Pattern::parse(ty).map_err(|e| wrong(&e))?,
                ))
            })
            .collect::<Result<Vec<_>, String>>()?;
        let ret = Returned::parse(ret).map_err(|e| wrong(&e))?;
        if ret.patterns().iter().any(Pattern::is_float)
            && !params.iter().any(|(_, pattern)| pattern.is_float())
        {
            return Err(wrong("no parameter says what T is"));
        }
        Ok(Signature {
            name: path(name).ok_or(wrong("the name is not an identifier"))?,
            params,
            ret,
        })
    }

    /// All choices of types.
    pub fn instances(&self) -> Vec<Instance> {
        let uses = |f: fn(&Pattern) -> bool| self.patterns().any(f);
        let floats: &[Type] = match uses(Pattern::is_float) {
            true => &[Type::F32, Type::F64],
            // Without a `T` there is one instance; its float is the result's.
            false if self.ret == Returned::One(Pattern::Fixed(Type::F32)) => &[Type::F32],
            false => &[Type::F64],
        };
        let dims = if uses(|p| *p == Pattern::Shape) {
            0..=MAX_DIMS
        } else {
            0..=0
        };
        let instance = |float: Type, dims: usize| Instance {
            float,
            params: self
                .params
                .iter()
                .map(|(_, p)| p.choose(float, dims))
                .collect(),
            ret: self.ret.choose(float, dims),
        };
        let mut all = Vec::new();
        for &float in floats {
            all.extend(dims.clone().map(|dims| instance(float, dims)));
        }
        all
    }

    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let params = self.params.iter().map(|(_, p)| p);
        params.chain(self.ret.patterns())
    }
}

impl Returned {
    fn parse(text: &str) -> Result<Returned, String> {
        let inner = text.trim().strip_prefix('(');
        let Some(inner) = inner.and_then(|t| t.strip_suffix(')')) else {
            return Pattern::parse(text).map(Returned::One);
        };
        let fields = inner.split(',').filter(|field| !field.trim().is_empty());
        fields
            .map(Pattern::parse)
            .collect::<Result<_, _>>()
            .map(Returned::Several)
    }

    /// Of each result.
    pub fn patterns(&self) -> &[Pattern] {
        match self {
            Returned::One(pattern) => std::slice::from_ref(pattern),
            Returned::Several(patterns) => patterns,
        }
    }

    fn choose(&self, float: Type, dims: usize) -> Type {
        match self {
            Returned::One(pattern) => pattern.choose(float, dims),
            Returned::Several(patterns) => {
                let fields: Vec<Type> = patterns.iter().map(|p| p.choose(float, dims)).collect();
                Type::tuple(&fields)
            }
        }
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Pattern, String> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let within = |start: &str, end: &str| text.strip_prefix(start)?.strip_suffix(end);
        if let Some(element) = within("array<", ">") {
            return match element {
                "T" => Ok(Pattern::FloatArray),
                element => scalar(element).map(|t| Pattern::Fixed(Type::array(t))),
            };
        }
        for (start, mutable) in [("&[", false), ("&mut[", true)] {
            match within(start, "]") {
                Some("T") => return Ok(Pattern::FloatSlice(mutable)),
                Some(element) => {
                    let element = scalar(element)?;
                    return Ok(Pattern::Fixed(slice(element, mutable)));
                }
                None => {}
            }
        }
        match text.as_str() {
            "T" => Ok(Pattern::Float),
            "shape" => Ok(Pattern::Shape),
            name => scalar(name).map(Pattern::Fixed),
        }
    }

    /// Whether it contains `T`.
    fn is_float(&self) -> bool {
        match self {
            Pattern::Float | Pattern::FloatArray | Pattern::FloatSlice(_) => true,
            Pattern::Shape | Pattern::Fixed(_) => false,
        }
    }

    fn choose(self, float: Type, dims: usize) -> Type {
        match self {
            Pattern::Float => float,
            Pattern::FloatArray => Type::array(float),
            Pattern::FloatSlice(mutable) => slice(float, mutable),
            Pattern::Shape => Type::tuple(&[Type::Usize; MAX_DIMS][..dims]),
            Pattern::Fixed(ty) => ty,
        }
    }
}

fn slice(element: Type, mutable: bool) -> Type {
    match mutable {
        true => Type::slice_mut(element),
        false => Type::slice(element),
    }
}

fn scalar(text: &str) -> Result<Type, String> {
    use Type::*;
    [Bool, I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize, F32, F64]
        .into_iter()
        .find(|t| t.to_string() == text)
        .ok_or_else(|| format!("unknown type `{text}`; expected `T`, `array<T>`, `shape`, or a type such as `i32` or `array<u32>`"))
}

/// Identifiers with `::` between them.
fn path(text: &str) -> Option<Symbol> {
    let parts: Option<Vec<Symbol>> = text.split("::").map(identifier).collect();
    let parts: Vec<&str> = parts?.into_iter().map(|part| part.as_str()).collect();
    Some(Symbol::new(&parts.join("::")))
}

fn identifier(text: &str) -> Option<Symbol> {
    let text = text.trim();
    let start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let valid = text.starts_with(start) && text.chars().all(|c| start(c) || c.is_ascii_digit());
    valid.then(|| Symbol::new(text))
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Float => f.write_str("T"),
            Pattern::FloatArray => f.write_str("array<T>"),
            Pattern::FloatSlice(false) => f.write_str("&[T]"),
            Pattern::FloatSlice(true) => f.write_str("&mut [T]"),
            Pattern::Shape => f.write_str("shape"),
            Pattern::Fixed(ty) => ty.fmt(f),
        }
    }
}

impl fmt::Display for Returned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let patterns = match self {
            Returned::One(pattern) => return pattern.fmt(f),
            Returned::Several(patterns) => patterns,
        };
        let texts: Vec<String> = patterns.iter().map(Pattern::to_string).collect();
        write!(f, "({})", texts.join(", "))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (i, (name, ty)) in self.params.iter().enumerate() {
            write!(f, "{}{name}: {ty}", if i == 0 { "" } else { ", " })?;
        }
        write!(f, ") -> {}", self.ret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expect: Expect) {
        let found = match Signature::parse(text) {
            Ok(signature) => {
                let instances = signature.instances();
                let list = |i: &Instance| format!("\n  {:?} -> {:?}", i.params, i.ret);
                format!(
                    "{signature}{}",
                    instances.iter().map(list).collect::<String>()
                )
            }
            Err(message) => message,
        };
        expect.assert_eq(&found);
    }

    #[test]
    fn signatures_are_read_and_instantiated() {
        check(
            "powi(x : T, n: i32,) -> T",
            expect![[r#"
                powi(x: T, n: i32) -> T
                  [f32, i32] -> f32
                  [f64, i32] -> f64"#]],
        );
        check(
            "gather(a: array < T >, axis: usize, index: array<u32>) -> array<T>",
            expect![[r#"
                gather(a: array<T>, axis: usize, index: array<u32>) -> array<T>
                  [array<f32>, usize, array<u32>] -> array<f32>
                  [array<f64>, usize, array<u32>] -> array<f64>"#]],
        );
        check(
            "only(x: f32) -> f32",
            expect![[r#"
                only(x: f32) -> f32
                  [f32] -> f32"#]],
        );
    }

    #[test]
    fn several_results_and_slices_are_read() {
        check(
            "lu(a: array<T>) -> (array<T>, array<u32>)",
            expect![[r#"
                lu(a: array<T>) -> (array<T>, array<u32>)
                  [array<f32>] -> (array<f32>, array<u32>)
                  [array<f64>] -> (array<f64>, array<u32>)"#]],
        );
        check(
            "axpy(alpha: T, x: &[T], y: &mut [T], at: &[usize]) -> ()",
            expect![[r#"
                axpy(alpha: T, x: &[T], y: &mut [T], at: [usize]) -> ()
                  [f32, [f32], [mut f32], [usize]] -> ()
                  [f64, [f64], [mut f64], [usize]] -> ()"#]],
        );
    }

    #[test]
    fn shapes_have_every_length() {
        let signature = Signature::parse("reshape(a: array<T>, dims: shape) -> array<T>").unwrap();
        assert_eq!(signature.instances().len(), 2 * (MAX_DIMS + 1));
    }

    #[test]
    fn wrong_signatures_say_what_was_expected() {
        check("f", expect!["signature `f`: expected `(`"]);
        check("f(x: T)", expect!["signature `f(x: T)`: expected `->`"]);
        check(
            "f(x: T -> T",
            expect!["signature `f(x: T -> T`: expected `)` before `->`"],
        );
        check(
            "f() -> T",
            expect!["signature `f() -> T`: no parameter says what T is"],
        );
        check(
            "f(x) -> T",
            expect!["signature `f(x) -> T`: expected `name: type`"],
        );
        check(
            "f(x: float) -> T",
            expect![
                "signature `f(x: float) -> T`: unknown type `float`; expected `T`, `array<T>`, `shape`, or a type such as `i32` or `array<u32>`"
            ],
        );
        check(
            "2f(x: T) -> T",
            expect!["signature `2f(x: T) -> T`: the name is not an identifier"],
        );
    }
}

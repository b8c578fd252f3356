//! The text format, read. Its writer is `print`; the expressions in which packs write their rules are in `expr`.
//!
//! ```text
//! fn @sum(%0: [f64], %1: f64) -> f64 {      ; the first function is the root
//! b0:                                       ; the entry: its parameters are the function's
//!     %2: usize = 0
//!     %3: f64 = 0.0
//!     %4: usize = len %0
//!     jump b1(%2, %3)
//! b1(%5: usize, %6: f64):                   ; block parameters
//!     %7: bool = lt %5, %4
//!     branch %7, b2, b3
//! b2:
//!     assert %7 else index(%5, %4)          ; no result: no name
//!     %8: f64 = load %0, %5
//!     %9: f64 = call @sin(%8)
//!     %10: f64 = add %6, %9
//!     %11: usize = 1
//!     %12: usize = add %5, %11
//!     jump b1(%12, %10)
//! b3:
//!     return %6
//! }
//! ```
//!
//! - A function is `fn @f(…) -> type {…}`, with `on_demand` before the brace if it is one of many to which a chosen value leads, `clustered` if
//!   the array host computes it as a whole, and then `moves(true, false)` if its callers do not read some of the arguments again. `known_as @path` says
//!   by which name packs know it, if it has another one;
//!   `declare @f(type, type) -> type` is one that is made when a call comes to it, and then says of what: `half_of @g(true, false)`, `half_of @g(false) shadowed`,
//!   `dual_of @g(true)`. Of a derivative that the program asks for it says before the brace, or
//!   at the end of the declaration, `gradient_of @g(true, false)` or `tangent_of @g(true, false)`: of which function, and which of its parameters are active.
//!   Where several threads may share the iterations of a function it says `parallel(from, to, shared, own, added, touched)` before the brace: what each of its parameters is to them.
//! - A **value** is `%` and a word; a **block** a word; a **symbol** `@name`, or `@"any name"` in quotes. Values and blocks may be used before the
//!   line that defines them, each is defined once in a function.
//! - An **instruction** is `%v: type = operation`, or the operation alone if its type is `()`. An operation is a constant, a primitive's mnemonic
//!   with its arguments (`field.1 %t`, `peek.8 %a`, `poke.0 %a, %v` carry their number; `assert %c else fault`), `call @f(…)` or `map @f(…)`.
//! - **Constants**: `1.0`, `-0.5e3`, `inf`, `-inf`, `nan`, `nan:0xfff8000000000001` (the bits of an f64); `12`, `-3`; `true`, `false`; `()`; `null`.
//!   A number with a point or exponent is a float constant, one without an integer constant: it must fit the type.
//! - **Faults**: `index(%i, %n)`, `slice(%from, %to, %n)`, `overflow "attempt to add with overflow"`, `division_by_zero`,
//!   `too_deep`, `panic "text"`, `no_rule "text" "help"`; the values in parentheses are those shown, there may be none.
//! - A block ends in `jump b(…)`, `branch %c, b(…), b(…)`, `return %v` or `error fault`; `missing` stands for an end that is not set.
//! - **Types**: `bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 addr`, `(a, b)`, `(a,)`, `()`, `[t]`, `[mut t]`, `array<t>`, `?3` (not inferred).
//! - A **comment** goes from `;` to the end of the line. Line breaks mean nothing.
//!
//! The parser checks names and forms; whether the function means anything is for `verify` to say.

use super::eval::fits;
pub use super::expr::parse_expressions;
use super::lex::{Cursor, Position, Token, error};
use super::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// An error in a text, and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// Found and expected.
    pub message: String,
}

type Result<T, E = ParseError> = std::result::Result<T, E>;

/// A name that a function of the module has means that function, whatever else it could mean.
fn prefer_own_functions(module: &mut Module) {
    let own: FxHashSet<Symbol> = { module.functions.keys() }
        .chain(module.declared.keys())
        .copied()
        .collect();
    for function in module.functions.values_mut() {
        for block in function.layout.clone() {
            for &inst in &function.blocks[block].insts {
                if let Op::Call(callee) = &mut function.insts[inst].op
                    && own.contains(&callee.symbol())
                {
                    *callee = Callee::Function(callee.symbol());
                }
            }
        }
    }
}

/// Reads a module; the first function is the root. `parse(print(m)) == m` up to the numbering of ids.
pub fn parse_module(text: &str) -> Result<Module> {
    let mut cursor = Cursor::new(text)?;
    let mut module = Module::new(function(&mut cursor)?);
    while *cursor.peek() != Token::End {
        let position = cursor.position();
        if cursor.accept_word("declare") {
            let (name, signature) = declaration(&mut cursor)?;
            is_new(&module, name, position)?;
            module.declared.insert(name, signature);
        } else {
            let function = function(&mut cursor)?;
            is_new(&module, function.name, position)?;
            module.insert(function);
        }
    }
    prefer_own_functions(&mut module);
    Ok(module)
}

fn is_new(module: &Module, name: Symbol, position: Position) -> Result<()> {
    match module.has(name) {
        true => error(position, format!("a second function `{name}`")),
        false => Ok(()),
    }
}

/// A name and where it stands.
type Name = (String, Position);

/// A block as it stands in the text.
struct RawBlock {
    label: Name,
    params: Vec<(Name, Type)>,
    insts: Vec<RawInst>,
    terminator: RawTerminator,
}

struct RawInst {
    op: Op,
    args: Vec<Name>,
    /// `None` for what has no name.
    result: Option<Name>,
    ty: Type,
}

enum RawTerminator {
    Missing,
    Jump(RawEdge),
    Branch(Name, RawEdge, RawEdge),
    Return(Name),
    Error(Fault, Vec<Name>),
}

type RawEdge = (Name, Vec<Name>);

fn function(cursor: &mut Cursor) -> Result<Function> {
    if !cursor.accept_word("fn") {
        return cursor.unexpected("`fn`");
    }
    let name = symbol(cursor)?;
    cursor.expect("(")?;
    let params = cursor.list(typed_value)?;
    cursor.expect("->")?;
    let ret = cursor.ty()?;
    let on_demand = cursor.accept_word("on_demand");
    let clustered = cursor.accept_word("clustered");
    let path = match cursor.accept_word("known_as") {
        true => symbol(cursor)?,
        false => name,
    };
    let moved = match cursor.accept_word("moves") {
        true => marks(cursor)?,
        false => Vec::new(),
    };
    let derivative = derivative(cursor)?;
    let parallel = parallel(cursor)?;
    cursor.expect("{")?;
    let mut blocks = Vec::new();
    while !cursor.accept("}") {
        blocks.push(raw_block(cursor)?);
    }
    let Some(entry) = blocks.first_mut() else {
        return error(cursor.position(), format!("function `{name}` has no block"));
    };
    if !entry.params.is_empty() {
        let message = "the entry block takes the function's parameters and names none itself";
        return error(entry.label.1, message);
    }
    entry.params = params;
    let mut function = Names::default().resolve(name, ret, &blocks)?;
    function.path = path;
    function.on_demand = on_demand;
    function.clustered = clustered;
    function.moved = moved;
    function.derivative = derivative;
    function.parallel = parallel;
    Ok(function)
}

/// `parallel(from, to, shared)`, if it is there.
fn parallel(cursor: &mut Cursor) -> Result<Option<Vec<Role>>> {
    if !cursor.accept_word("parallel") {
        return Ok(None);
    }
    cursor.expect("(")?;
    let roles = cursor.list(|cursor| {
        let mut all = Role::ALL.into_iter();
        match all.find(|role| cursor.accept_word(role.word())) {
            Some(role) => Ok(role),
            None => cursor.unexpected("`from`, `to`, `shared`, `own`, `added` or `touched`"),
        }
    })?;
    Ok(Some(roles))
}

/// `gradient_of @f(true, false)`, if it is there.
fn derivative(cursor: &mut Cursor) -> Result<Option<Derivative>> {
    let kind = if cursor.accept_word("gradient_of") {
        DerivativeKind::Gradient
    } else if cursor.accept_word("tangent_of") {
        DerivativeKind::Tangent
    } else {
        return Ok(None);
    };
    let of = symbol(cursor)?;
    let active = marks(cursor)?;
    let mut along = Vec::new();
    while cursor.accept_word("along") {
        along.push(marks(cursor)?);
    }
    Ok(Some(Derivative {
        of,
        active,
        kind,
        along,
    }))
}

/// `half_of @f(true, false)`, `half_of @f(false) shadowed` or `dual_of @f(true)`, if it is there.
fn origin(cursor: &mut Cursor) -> Result<Option<Origin>> {
    let is_half = cursor.accept_word("half_of");
    if !is_half && !cursor.accept_word("dual_of") {
        return Ok(None);
    }
    let (of, active) = (symbol(cursor)?, marks(cursor)?);
    let part = match is_half {
        true => OriginPart::Half {
            shadowed: cursor.accept_word("shadowed") || active.contains(&true),
        },
        false => OriginPart::Dual,
    };
    Ok(Some(Origin { of, active, part }))
}

fn marks(cursor: &mut Cursor) -> Result<Vec<bool>> {
    cursor.expect("(")?;
    cursor.list(|cursor| {
        if cursor.accept_word("true") {
            Ok(true)
        } else if cursor.accept_word("false") {
            Ok(false)
        } else {
            cursor.unexpected("`true` or `false`")
        }
    })
}

fn declaration(cursor: &mut Cursor) -> Result<(Symbol, Signature)> {
    let name = symbol(cursor)?;
    cursor.expect("(")?;
    let params = cursor.list(Cursor::ty)?;
    cursor.expect("->")?;
    let ret = cursor.ty()?;
    let (derivative, origin) = (derivative(cursor)?, origin(cursor)?);
    let signature = Signature {
        params,
        ret,
        derivative,
        origin,
    };
    Ok((name, signature))
}

fn raw_block(cursor: &mut Cursor) -> Result<RawBlock> {
    let label = word(cursor, "a block")?;
    let params = match cursor.accept("(") {
        true => cursor.list(typed_value)?,
        false => Vec::new(),
    };
    cursor.expect(":")?;
    let mut insts = Vec::new();
    loop {
        if let Some(terminator) = terminator(cursor)? {
            return Ok(RawBlock {
                label,
                params,
                insts,
                terminator,
            });
        }
        insts.push(instruction(cursor)?);
    }
}

fn terminator(cursor: &mut Cursor) -> Result<Option<RawTerminator>> {
    Ok(Some(if cursor.accept_word("missing") {
        RawTerminator::Missing
    } else if cursor.accept_word("jump") {
        RawTerminator::Jump(edge(cursor)?)
    } else if cursor.accept_word("branch") {
        let condition = value(cursor)?;
        cursor.expect(",")?;
        let then = edge(cursor)?;
        cursor.expect(",")?;
        RawTerminator::Branch(condition, then, edge(cursor)?)
    } else if cursor.accept_word("return") {
        RawTerminator::Return(value(cursor)?)
    } else if cursor.accept_word("error") {
        let (fault, values) = fault(cursor)?;
        RawTerminator::Error(fault, values)
    } else {
        return Ok(None);
    }))
}

fn edge(cursor: &mut Cursor) -> Result<RawEdge> {
    Ok((word(cursor, "a block")?, optional_values(cursor)?))
}

fn instruction(cursor: &mut Cursor) -> Result<RawInst> {
    let (result, ty) = match cursor.peek() {
        Token::Value(_) => {
            let (name, ty) = typed_value(cursor)?;
            cursor.expect("=")?;
            (Some(name), ty)
        }
        _ => (None, Type::UNIT),
    };
    let (op, args) = operation(cursor, ty)?;
    Ok(RawInst {
        op,
        args,
        result,
        ty,
    })
}

fn operation(cursor: &mut Cursor, ty: Type) -> Result<(Op, Vec<Name>)> {
    if let Some(c) = constant(cursor, ty)? {
        return Ok((Op::Const(c), Vec::new()));
    }
    let (name, position) = word(cursor, "an operation")?;
    let applied = |cursor: &mut Cursor| {
        let callee = symbol(cursor)?;
        cursor.expect("(")?;
        Ok((callee, cursor.list(value)?))
    };
    match name.as_str() {
        "call" => {
            applied(cursor).map(|(callee, args)| (Op::Call(Callee::read(callee.as_str())), args))
        }
        "map" => applied(cursor).map(|(callee, args)| (Op::Map(callee), args)),
        "assert" => {
            let condition = value(cursor)?;
            if !cursor.accept_word("else") {
                return cursor.unexpected("`else`");
            }
            let (fault, mut args) = fault(cursor)?;
            args.insert(0, condition);
            Ok((Op::Prim(Prim::Assert(fault)), args))
        }
        _ => match primitive(cursor, &name)? {
            Some(prim) => Ok((Op::Prim(prim), bare_values(cursor)?)),
            None => error(position, format!("unknown operation `{name}`")),
        },
    }
}

fn primitive(cursor: &mut Cursor, name: &str) -> Result<Option<Prim>> {
    Ok(Some(match name {
        "field" => Prim::Field(payload(cursor)?),
        "peek" => Prim::Peek(payload(cursor)?),
        "poke" => Prim::Poke(payload(cursor)?),
        "get" => Prim::Get(payload(cursor)?),
        "set" => Prim::Set(payload(cursor)?),
        "lane" => Prim::Lane(payload(cursor)?),
        _ => return Ok(Prim::from_mnemonic(name)),
    }))
}

/// `.8` after a mnemonic.
fn payload(cursor: &mut Cursor) -> Result<u32> {
    cursor.expect(".")?;
    let position = cursor.position();
    match cursor.take() {
        Token::Number(n) if n.parse::<u32>().is_ok() => Ok(n.parse().unwrap_or_default()),
        other => error(
            position,
            format!("expected a number of 32 bits, found {other}"),
        ),
    }
}

fn constant(cursor: &mut Cursor, ty: Type) -> Result<Option<Const>> {
    let position = cursor.position();
    let negative = cursor.accept("-");
    let c = match cursor.peek() {
        Token::Number(_) => number(cursor, ty, negative)?,
        Token::Word(w) if w == "inf" => {
            cursor.take();
            Const::Float(if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            })
        }
        _ if negative => return cursor.unexpected("a number"),
        Token::Word(w) if w == "nan" => {
            cursor.take();
            nan(cursor)?
        }
        Token::Mark("(") => {
            cursor.take();
            cursor.expect(")")?;
            Const::Unit
        }
        Token::Word(w) => {
            let c = match w.as_str() {
                "true" => Const::Bool(true),
                "false" => Const::Bool(false),
                "null" => Const::Null,
                _ => return Ok(None),
            };
            cursor.take();
            c
        }
        _ => return Ok(None),
    };
    match c {
        Const::Int(i) if ty.is_int() && !fits(eval::widen(i, ty), ty) => {
            error(position, format!("{i} does not fit {ty}"))
        }
        _ => Ok(Some(c)),
    }
}

/// `nan`, `nan:0x…`
fn nan(cursor: &mut Cursor) -> Result<Const> {
    if !cursor.accept(":") {
        return Ok(Const::Float(f64::NAN));
    }
    let position = cursor.position();
    let bits = match cursor.take() {
        Token::Number(n) => n
            .strip_prefix("0x")
            .and_then(|n| u64::from_str_radix(n, 16).ok()),
        _ => None,
    };
    match bits.map(f64::from_bits) {
        Some(x) if x.is_nan() => Ok(Const::Float(x)),
        _ => error(
            position,
            "expected the bits of a NaN: `0x` and hexadecimal digits",
        ),
    }
}

/// A number's text as a constant of a type.
fn number(cursor: &mut Cursor, ty: Type, negative: bool) -> Result<Const> {
    let position = cursor.position();
    let Token::Number(text) = cursor.take() else {
        return cursor.unexpected("a number");
    };
    match number_constant(&text, ty, negative) {
        Some(c) => Ok(c),
        None => error(position, format!("`{text}` is not a number that fits {ty}")),
    }
}

/// `text` is a float constant if it has a point or an exponent, and an integer if it begins with `0x`. An f32 is the number of that precision next to the
/// text, not next to its f64.
pub(super) fn number_constant(text: &str, ty: Type, negative: bool) -> Option<Const> {
    let digits = text.replace('_', "");
    let hexadecimal = digits.strip_prefix("0x");
    if hexadecimal.is_none() && text.contains(['.', 'e', 'E']) {
        let x: f64 = match ty {
            Type::F32 => digits.parse::<f32>().ok()?.into(),
            _ => digits.parse().ok()?,
        };
        return Some(Const::Float(if negative { -x } else { x }));
    }
    let magnitude: i128 = match hexadecimal {
        Some(_) if !ty.is_int() => return None,
        Some(digits) => i128::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    let i = if negative {
        magnitude.checked_neg()?
    } else {
        magnitude
    };
    let ok = match ty.is_int() {
        true => fits(i, ty),
        false => i64::try_from(i).is_ok(),
    };
    ok.then_some(Const::Int(i as i64))
}

fn fault(cursor: &mut Cursor) -> Result<(Fault, Vec<Name>)> {
    let (name, position) = word(cursor, "a fault")?;
    let fault = match name.as_str() {
        "index" => Fault::IndexOutOfBounds,
        "slice" => Fault::SliceOutOfBounds,
        "overflow" => Fault::Overflow(text(cursor)?),
        "division_by_zero" => Fault::DivisionByZero,
        "too_deep" => Fault::TooDeep,
        "panic" => Fault::Panic(text(cursor)?),
        "not_finite" => Fault::NotFinite(text(cursor)?),
        "no_rule" => Fault::NoRule(text(cursor)?, text(cursor)?),
        _ => return error(position, format!("unknown fault `{name}`")),
    };
    Ok((fault, optional_values(cursor)?))
}

fn text(cursor: &mut Cursor) -> Result<Symbol> {
    let position = cursor.position();
    match cursor.take() {
        Token::Text(text) => Ok(Symbol::new(&text)),
        other => error(
            position,
            format!("expected a text in quotes, found {other}"),
        ),
    }
}

fn symbol(cursor: &mut Cursor) -> Result<Symbol> {
    let position = cursor.position();
    match cursor.take() {
        Token::Symbol(name) => Ok(Symbol::new(&name)),
        other => error(position, format!("expected a name with `@`, found {other}")),
    }
}

fn word(cursor: &mut Cursor, what: &str) -> Result<Name> {
    let position = cursor.position();
    match cursor.take() {
        Token::Word(name) => Ok((name, position)),
        other => error(position, format!("expected {what}, found {other}")),
    }
}

fn value(cursor: &mut Cursor) -> Result<Name> {
    let position = cursor.position();
    match cursor.take() {
        Token::Value(name) => Ok((name, position)),
        other => error(position, format!("expected a value, found {other}")),
    }
}

fn typed_value(cursor: &mut Cursor) -> Result<(Name, Type)> {
    let name = value(cursor)?;
    cursor.expect(":")?;
    Ok((name, cursor.ty()?))
}

/// `(%0, %1)`, or nothing.
fn optional_values(cursor: &mut Cursor) -> Result<Vec<Name>> {
    match cursor.accept("(") {
        true => cursor.list(value),
        false => Ok(Vec::new()),
    }
}

/// `%0, %1`, or nothing. A value followed by `:` begins the next instruction.
fn bare_values(cursor: &mut Cursor) -> Result<Vec<Name>> {
    let mut values = Vec::new();
    let begins = |cursor: &Cursor| {
        matches!(cursor.peek(), Token::Value(_))
            && !matches!(cursor.peek_second(), Token::Mark(":"))
    };
    if begins(cursor) {
        values.push(value(cursor)?);
        while cursor.accept(",") {
            values.push(value(cursor)?);
        }
    }
    Ok(values)
}

/// The names of one function.
#[derive(Default)]
struct Names {
    values: FxHashMap<String, Value>,
    blocks: FxHashMap<String, Block>,
}

impl Names {
    /// First all definitions, then all uses.
    fn resolve(mut self, name: Symbol, ret: Type, raw: &[RawBlock]) -> Result<Function> {
        let mut function = Function::new(name, &[], ret);
        for (i, block) in raw.iter().enumerate() {
            let id = if i == 0 {
                function.entry()
            } else {
                function.add_block()
            };
            if self.blocks.insert(block.label.0.clone(), id).is_some() {
                return error(block.label.1, format!("a second block `{}`", block.label.0));
            }
            self.define(&mut function, id, block)?;
        }
        let mut inst = function.insts.keys();
        for (id, block) in function.layout.clone().into_iter().zip(raw) {
            for (raw, inst) in block.insts.iter().zip(&mut inst) {
                let args: Result<Args> = raw.args.iter().map(|name| self.value(name)).collect();
                function.insts[inst].args = args?;
            }
            function.blocks[id].terminator = self.terminator(&block.terminator)?;
        }
        Ok(function)
    }
    fn define(&mut self, function: &mut Function, id: Block, block: &RawBlock) -> Result<()> {
        for (name, ty) in &block.params {
            let value = function.add_param(id, *ty);
            self.define_value(name, value)?;
        }
        for inst in &block.insts {
            let value = function.append(id, inst.op, &[], inst.ty, Span::NONE);
            if let Some(name) = &inst.result {
                self.define_value(name, value)?;
            }
        }
        Ok(())
    }
    fn define_value(&mut self, name: &Name, value: Value) -> Result<()> {
        match self.values.insert(name.0.clone(), value) {
            None => Ok(()),
            Some(_) => error(name.1, format!("a second value `%{}`", name.0)),
        }
    }
    fn value(&self, name: &Name) -> Result<Value> {
        match self.values.get(&name.0) {
            Some(&value) => Ok(value),
            None => error(name.1, format!("nothing defines `%{}`", name.0)),
        }
    }
    fn values(&self, names: &[Name]) -> Result<Vec<Value>> {
        names.iter().map(|name| self.value(name)).collect()
    }
    fn edge(&self, (label, args): &RawEdge) -> Result<Edge> {
        match self.blocks.get(&label.0) {
            Some(&block) => Ok(Edge::new(block, self.values(args)?)),
            None => error(label.1, format!("there is no block `{}`", label.0)),
        }
    }
    fn terminator(&self, raw: &RawTerminator) -> Result<Terminator> {
        Ok(match raw {
            RawTerminator::Missing => Terminator::Missing,
            RawTerminator::Jump(target) => Terminator::Jump(self.edge(target)?),
            RawTerminator::Branch(condition, then, otherwise) => Terminator::Branch {
                condition: self.value(condition)?,
                then: self.edge(then)?,
                otherwise: self.edge(otherwise)?,
            },
            RawTerminator::Return(value) => Terminator::Return(self.value(value)?),
            RawTerminator::Error(fault, values) => {
                Terminator::Error(*fault, self.values(values)?, Span::NONE)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::print::canonical;
    use super::*;

    const SUM: &str = r#"
fn @sum(%x: [f64], %a: f64) -> f64 {
start:
    %zero: usize = 0
    %s0: f64 = -0.5
    %n: usize = len %x
    jump head(%zero, %s0)
head(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, body, done
body:                                  ; a comment
    assert %more else index(%i, %n)
    %xi: f64 = load %x, %i
    %y: f64 = call @"a b"(%xi)
    %s1: f64 = add %s, %y
    %one: usize = 1
    %i1: usize = add %i, %one
    jump head(%i1, %s1)
done:
    return %s
}

fn @"a b"(%x: f64) -> f64 {
b0:
    %c: f32 = 0.1
    %d: f64 = nan:0xfff8000000000001
    %e: (f64, bool) = call @pack::g(%x)
    %g: bool = field.1 %e
    %u: () = ()
    assert %g else overflow "attempt to add with overflow"
    error panic "say \"no\"\n"(%x)
}
"#;

    #[test]
    fn what_is_printed_reads_back() {
        let module = parse_module(SUM).unwrap();
        let text = module.to_string();
        let again = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(canonical(&module), canonical(&again));
        assert_eq!(again.to_string(), text);
    }

    #[test]
    fn functions_say_what_their_parameters_are_to_threads() {
        let text = "fn @f(%0: usize, %1: usize, %2: f64, %3: [mut f64], %4: [mut f64], %5: [mut u8]) -> () parallel(from, to, shared, own, added, touched) {\nb0:\n    %6: () = ()\n    return %6\n}\n";
        let module = parse_module(text).unwrap();
        assert_eq!(module.root().parallel, Some(Role::ALL.to_vec()));
        assert_eq!(module.to_string(), text);
        let error = parse_module(&text.replace("own", "mine")).unwrap_err();
        assert!(error.message.contains("`from`, `to`"), "{error}");
    }
    #[test]
    fn derivatives_say_what_they_are_of() {
        let text = "fn @f(%0: f64) -> (f64, f64) {\nb0:\n    %1: f64 = 1.0\n    %2: (f64, f64) = call @g.vjp(%0, %1)\n    return %2\n}\n\n\
                    fn @h(%0: f64, %1: f64) -> f64 gradient_of @g(true, false) along (true, false) along (false, true, true) {\nb0:\n    return %0\n}\n\n\
                    declare @g.jvp(f64, f64) -> (f64, f64) tangent_of @g(true)\n\n\
                    declare @g.vjp(f64, f64) -> (f64, f64) gradient_of @g(true)\n";
        let module = parse_module(text).unwrap();
        assert_eq!(module.to_string(), text);
        let h = module.functions[&Symbol::new("h")]
            .derivative
            .as_ref()
            .unwrap();
        assert_eq!(h.along, [vec![true, false], vec![false, true, true]]);
        let error = parse_module("fn @f() -> () tangent_of @g(maybe) {\nb0:\n    return %0\n}")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "1:29: expected `true` or `false`, found `maybe`"
        );
    }

    #[test]
    fn functions_that_are_made_later_are_declared() {
        let text = "fn @f(%0: f64) -> f64 on_demand {\nb0:\n    %1: f64 = call @g(%0)\n    return %1\n}\n\n\
                    declare @g(f64) -> f64\n";
        let module = parse_module(text).unwrap();
        assert_eq!(module.to_string(), text);
        crate::ir::verify::verify(&module, &|_, _| None).unwrap();
        for origin in [
            "half_of @h(true, false)",
            "half_of @h(false) shadowed",
            "dual_of @h(true)",
        ] {
            let text = format!("{} {origin}\n", text.trim_end());
            assert_eq!(parse_module(&text).unwrap().to_string(), text);
        }
        let twice = format!("{text}declare @g(f64) -> f64");
        let error = parse_module(&twice).unwrap_err();
        assert_eq!(error.to_string(), "8:1: a second function `g`");
    }

    #[test]
    fn the_canonical_form_is_the_one_that_is_read() {
        let module = canonical(&parse_module(SUM).unwrap());
        assert_eq!(parse_module(&module.to_string()).unwrap(), module);
    }

    #[test]
    fn an_f32_is_rounded_once() {
        let text = "fn @f() -> f32 { b0: %0: f32 = 0.1 return %0 }";
        let module = parse_module(text).unwrap();
        let f = module.root();
        let inst = f.blocks[f.entry()].insts[0];
        assert_eq!(f.insts[inst].op, Op::Const(Const::Float(0.1f32.into())));
        assert!(module.to_string().contains("%0: f32 = 0.1\n"));
    }

    #[test]
    fn errors_name_the_place_and_what_is_there() {
        for (text, expected) in [
            ("", "1:1: expected `fn`, found the end of the text"),
            ("fn @f() -> f64 {}", "1:18: function `f` has no block"),
            ("fn @f() -> g64 {", "1:12: unknown type `g64`"),
            (
                "fn @f() -> u8 {\nb0:\n  %0: u8 = 256\n  return %0\n}",
                "3:12: `256` is not a number that fits u8",
            ),
            (
                "fn @f() -> u8 {\nb0:\n  return %7\n}",
                "3:10: nothing defines `%7`",
            ),
            (
                "fn @f() -> u8 {\nb0:\n  jump b1\n}",
                "3:8: there is no block `b1`",
            ),
            (
                "fn @f() -> () {\nb0:\n  frobnicate %0\n}",
                "3:3: unknown operation `frobnicate`",
            ),
            (
                "fn @f() -> () {\nb0:\n  error panic \"x",
                "3:17: a text without closing quote",
            ),
        ] {
            assert_eq!(parse_module(text).unwrap_err().to_string(), expected);
        }
    }
}

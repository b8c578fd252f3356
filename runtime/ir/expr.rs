//! The expressions in which packs write their rules: `1 - y * y`, `select(x < 0, -dy, dy)`, `matmul_nt(dy, b)`.
//!
//! ```text
//! text       = {"let" name "=" expression "in"} expression
//! expression = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//! sum        = product {("+" | "-") product}
//! product    = unary {("*" | "/" | "%") unary}
//! unary      = "-" unary | field
//! field      = atom {"." number}
//! atom       = number | parameter | "pi" | "inf" | "nan" | "true" | "false"
//!            | path "(" [expression {"," expression}] ")" | "(" expression ")" | "(" [expression "," {expression ","}] ")"
//! path       = name {"::" name}
//! ```
//!
//! **Tuples** are what functions with several results give: `eigh(a).0` is the first of them, `(a, b)` is one, `()` is nothing. A parameter may
//! itself be called `y.0`.
//!
//! A **path** is a primitive's mnemonic (`select`, `sqrt`, `abs`, `copysign`, `and`, …), an entry of a pack, or an operation of the host.
//!
//! **`let`** names a value, which is then computed once: `let z = x * x in z * z + z`. The name is known from there to the end of the text; it
//! is none that is known before.
//!
//! **Bits.** `to_bits(x)` is the u32 with the bits of an f32, or the u64 with those of an f64; `from_bits(n)` is the float again. On the integers
//! `and`, `or`, `xor`, `shl` and `shr` work, comparisons, and `+` and `-`, which wrap around. Numbers may be hexadecimal there:
//! `from_bits(and(to_bits(x), 0x7fffffff))` is `abs(x)` in f32. A number of bits to shift by is below the width of the integer. Both are functions of
//! numbers, not of arrays.
//!
//! **Types.** Expressions have none written: the parameters have. A number takes the type of what it meets (`1 - y`, `max(x, 0)`), else that of the
//! first float among the parameters, so one text serves f32 and f64. An integer that meets a float is converted to it (`n * powi(x, n - 1)`).
//!
//! So is an f32 that meets an f64. `f32(x)` and `f64(x)` are a number in that type, where a text needs it. They are functions of numbers, not of
//! arrays.
//!
//! **Arrays.** An operator, or a function of scalars, with an array among its operands is applied to every element: a `map`,
//! in which scalars may stand beside arrays. Comparisons of arrays are refused, because there are no arrays of bools: a row of scalars that compares and
//! chooses is called with arrays instead.

use super::build::{Builder, prim_type};

use super::lex::{Cursor, Position, Token, error};
use super::parse::{ParseError, number_constant};
use super::verify::Externals;
use super::*;

type Result<T, E = ParseError> = std::result::Result<T, E>;

/// Expressions nest no deeper: the parser recurses.
const MAX_DEPTH: usize = 100;

/// Builds a straight-line function from expressions over named parameters: `1 - y * y`, `select(x < 0, -dy, dy)`, `matmul_nt(dy, b)`.
///
/// Literals take the type of the other operand. Operators and functions of scalars applied to arrays become `map`s. The function returns the
/// tuple of the expressions' values; an empty text gives `()` in its place. With one text it still returns a tuple of one.
pub fn parse_expressions(
    name: Symbol,
    params: &[(&str, Type)],
    texts: &[&str],
    externals: Externals,
) -> Result<Function> {
    let types: Vec<Type> = params.iter().map(|&(_, ty)| ty).collect();
    let mut writer = Writer {
        builder: Builder::new(Function::new(name, &types, Type::UNIT)),
        params,
        named: Vec::new(),
        float: default_float(&types),
        externals,
    };
    let mut values = Vec::new();
    for text in texts {
        values.push(writer.text(text)?);
    }
    let result = writer.builder.prim(Prim::Tuple, &values);
    writer.builder.function.ret = writer.builder.function.ty(result);
    writer.builder.ret(result);
    Ok(writer.builder.finish())
}

/// The type of a number that meets nothing.
fn default_float(types: &[Type]) -> Type {
    let scalar = |ty: &Type| ty.element().unwrap_or(*ty);
    types
        .iter()
        .map(scalar)
        .find(|ty| ty.is_float())
        .unwrap_or(Type::F64)
}

/// An expression, read.
struct Expr {
    position: Position,
    kind: ExprKind,
}

enum ExprKind {
    /// A number, its sign not included.
    Number(String),
    /// A parameter, what a `let` names, or `pi`, `inf`, `nan`, `true`, `false`.
    Name(String),
    /// A function or, by its mnemonic, an operator.
    Call(String, Vec<Expr>),
    /// Several values as one.
    Tuple(Vec<Expr>),
    /// One of several values.
    Field(Box<Expr>, u32),
}

impl Expr {
    /// Whether it has no type of its own.
    fn is_literal(&self) -> bool {
        match &self.kind {
            ExprKind::Number(_) => true,
            ExprKind::Call(name, args) => {
                matches!(name.as_str(), "neg" | "add" | "sub" | "mul" | "div" | "rem")
                    && args.iter().all(Expr::is_literal)
            }
            ExprKind::Name(_) | ExprKind::Tuple(_) | ExprKind::Field(..) => false,
        }
    }
    /// Whether it is a number that is written as no integer is, or is made of such.
    fn is_float_literal(&self) -> bool {
        match &self.kind {
            ExprKind::Number(text) => number_constant(text, Type::I64, false)
                .is_none_or(|constant| matches!(constant, Const::Float(_))),
            ExprKind::Call(_, args) => self.is_literal() && args.iter().any(Expr::is_float_literal),
            ExprKind::Name(_) | ExprKind::Tuple(_) | ExprKind::Field(..) => false,
        }
    }
}

/// A value with a name.
struct Let {
    position: Position,
    name: String,
    value: Expr,
}

/// What stands before the expression of a text. Elsewhere `let` and `in` are names like others.
fn lets(cursor: &mut Cursor) -> Result<Vec<Let>> {
    let mut lets = Vec::new();
    while matches!(cursor.peek_second(), Token::Word(_)) && cursor.accept_word("let") {
        let position = cursor.position();
        let Token::Word(name) = cursor.take() else {
            return error(position, "expected a name after `let`");
        };
        cursor.expect("=")?;
        let value = expression(cursor, 0)?;
        if !cursor.accept_word("in") {
            return cursor.unexpected("an operator or `in`");
        }
        lets.push(Let {
            position,
            name,
            value,
        });
    }
    Ok(lets)
}

fn expression(cursor: &mut Cursor, depth: usize) -> Result<Expr> {
    let operators = [
        ("<", "lt"),
        ("<=", "le"),
        (">", "gt"),
        (">=", "ge"),
        ("==", "eq"),
        ("!=", "ne"),
    ];
    let left = sum(cursor, depth)?;
    match operator(cursor, &operators) {
        Some((position, name)) => Ok(call(position, name, vec![left, sum(cursor, depth)?])),
        None => Ok(left),
    }
}

fn sum(cursor: &mut Cursor, depth: usize) -> Result<Expr> {
    left_associative(cursor, depth, &[("+", "add"), ("-", "sub")], product)
}

fn product(cursor: &mut Cursor, depth: usize) -> Result<Expr> {
    left_associative(
        cursor,
        depth,
        &[("*", "mul"), ("/", "div"), ("%", "rem")],
        unary,
    )
}

/// A chain of operators leans to the left, so its length is a depth.
fn left_associative(
    cursor: &mut Cursor,
    depth: usize,
    operators: &[(&str, &str)],
    operand: fn(&mut Cursor, usize) -> Result<Expr>,
) -> Result<Expr> {
    let mut left = operand(cursor, depth)?;
    let mut length = depth;
    while let Some((position, name)) = operator(cursor, operators) {
        length += 1;
        check_depth(cursor, length)?;
        left = call(position, name, vec![left, operand(cursor, length)?]);
    }
    Ok(left)
}

fn unary(cursor: &mut Cursor, depth: usize) -> Result<Expr> {
    check_depth(cursor, depth)?;
    let position = cursor.position();
    match cursor.accept("-") {
        true => Ok(call(position, "neg", vec![unary(cursor, depth + 1)?])),
        false => field(cursor, depth),
    }
}

fn field(cursor: &mut Cursor, depth: usize) -> Result<Expr> {
    let mut of = atom(cursor, depth)?;
    let mut length = depth;
    while cursor.accept(".") {
        length += 1;
        check_depth(cursor, length)?;
        let position = cursor.position();
        let number = match cursor.take() {
            Token::Number(text) => text.parse().ok(),
            _ => None,
        };
        let Some(n) = number else {
            return error(position, "expected the number of a result after `.`");
        };
        let (position, kind) = (of.position, ExprKind::Field(Box::new(of), n));
        of = Expr { position, kind };
    }
    Ok(of)
}

fn atom(cursor: &mut Cursor, depth: usize) -> Result<Expr> {
    let position = cursor.position();
    if cursor.accept("(") {
        return parenthesised(cursor, depth + 1, position);
    }
    let kind = match cursor.peek() {
        Token::Number(_) | Token::Word(_) => match cursor.take() {
            Token::Number(text) => ExprKind::Number(text),
            Token::Word(name) => {
                let path = path(cursor, name)?;
                match cursor.accept("(") {
                    true => {
                        ExprKind::Call(path, cursor.list(|cursor| expression(cursor, depth + 1))?)
                    }
                    false => ExprKind::Name(path),
                }
            }
            _ => return cursor.unexpected("an expression"),
        },
        _ => return cursor.unexpected("an expression"),
    };
    Ok(Expr { position, kind })
}

/// What follows a `(`: an expression, or a tuple.
fn parenthesised(cursor: &mut Cursor, depth: usize, position: Position) -> Result<Expr> {
    let mut items = Vec::new();
    if !cursor.accept(")") {
        let first = expression(cursor, depth)?;
        if !cursor.accept(",") {
            cursor.expect(")")?;
            return Ok(first);
        }
        items.push(first);
        items.extend(cursor.list(|cursor| expression(cursor, depth))?);
    }
    let kind = ExprKind::Tuple(items);
    Ok(Expr { position, kind })
}

/// A name and what follows it after `::`.
fn path(cursor: &mut Cursor, first: String) -> Result<String> {
    let mut path = first;
    while cursor.accept(":") {
        cursor.expect(":")?;
        match cursor.take() {
            Token::Word(name) => path = format!("{path}::{name}"),
            _ => return cursor.unexpected("a name after `::`"),
        }
    }
    Ok(path)
}

fn operator<'a>(cursor: &mut Cursor, operators: &[(&str, &'a str)]) -> Option<(Position, &'a str)> {
    let position = cursor.position();
    let found = operators.iter().find(|(mark, _)| cursor.accept(mark));
    found.map(|&(_, name)| (position, name))
}

fn call(position: Position, name: &str, args: Vec<Expr>) -> Expr {
    let kind = ExprKind::Call(name.to_owned(), args);
    Expr { position, kind }
}

fn check_depth(cursor: &Cursor, depth: usize) -> Result<()> {
    match depth > MAX_DEPTH {
        true => error(
            cursor.position(),
            format!("expressions nest deeper than {MAX_DEPTH}"),
        ),
        false => Ok(()),
    }
}

/// Turns expressions into instructions.
struct Writer<'a> {
    builder: Builder,
    params: &'a [(&'a str, Type)],
    /// What the `let`s of this text have named so far.
    named: Vec<(String, Value)>,
    /// The type of a number that meets nothing.
    float: Type,
    externals: Externals<'a>,
}

/// What a name means.
enum Known {
    Value(Value),
    Const(Const, Type),
}

/// What a call turns out to be.
struct Meaning {
    op: Op,
    ret: Type,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) -> Result<Value> {
        let mut cursor = Cursor::new(text)?;
        if *cursor.peek() == Token::End {
            return Ok(self.builder.unit());
        }
        let lets = lets(&mut cursor)?;
        let expr = expression(&mut cursor, 0)?;
        if *cursor.peek() != Token::End {
            return cursor.unexpected("an operator or the end of the text");
        }
        self.named.clear();
        for Let {
            position,
            name,
            value,
        } in lets
        {
            if self.known(&name, self.float).is_some() {
                return error(position, format!("`{name}` has a meaning here already"));
            }
            let value = self.value(&value, self.float)?;
            self.named.push((name, value));
        }
        self.value(&expr, self.float)
    }

    /// Builds an expression; if it has no type of its own, in the type `literal`.
    fn value(&mut self, expr: &Expr, literal: Type) -> Result<Value> {
        match &expr.kind {
            ExprKind::Number(text) => self.number(expr.position, text, literal),
            ExprKind::Name(name) => self.name(expr.position, name, literal),
            ExprKind::Call(name, args) if expr.is_literal() => {
                let args: Result<Vec<Value>> =
                    args.iter().map(|arg| self.value(arg, literal)).collect();
                self.finish_call(expr.position, name, &args?)
            }
            ExprKind::Call(name, args) => self.call(expr.position, name, args, literal),
            ExprKind::Tuple(items) if items.is_empty() => Ok(self.builder.unit()),
            ExprKind::Tuple(items) => {
                let items: Result<Vec<Value>> =
                    items.iter().map(|item| self.value(item, literal)).collect();
                Ok(self.builder.prim(Prim::Tuple, &items?))
            }
            ExprKind::Field(of, n) => self.field(expr.position, of, *n, literal),
        }
    }

    /// One of several values: a parameter of that name, or a field of a tuple.
    fn field(&mut self, position: Position, of: &Expr, n: u32, literal: Type) -> Result<Value> {
        if let ExprKind::Name(name) = &of.kind {
            let name = format!("{name}.{n}");
            if self.params.iter().any(|(param, _)| *param == name) {
                return self.name(position, &name, literal);
            }
        }
        let tuple = self.value(of, literal)?;
        let ty = self.builder.function.ty(tuple);
        match prim_type(Prim::Field(n), &[ty]) {
            Some(ty) => Ok(self.builder.prim_to(Prim::Field(n), &[tuple], ty)),
            None => error(position, format!("there is no result {n} of what is {ty}")),
        }
    }

    fn number(&mut self, position: Position, text: &str, ty: Type) -> Result<Value> {
        // `2` is a float where one is expected.
        let c = match number_constant(text, ty, false) {
            Some(Const::Int(_)) if ty.is_float() => {
                number_constant(&format!("{text}.0"), ty, false)
            }
            Some(Const::Float(_)) if !ty.is_float() => None,
            other => other,
        };
        match c {
            Some(c) => Ok(self.builder.constant(c, ty)),
            None => error(position, format!("`{text}` is not a number that fits {ty}")),
        }
    }

    fn name(&mut self, position: Position, name: &str, literal: Type) -> Result<Value> {
        match self.known(name, literal) {
            Some(Known::Value(value)) => Ok(value),
            Some(Known::Const(c, ty)) => Ok(self.builder.constant(c, ty)),
            None => {
                let params = self.params.iter().map(|(param, _)| *param);
                let params: Vec<&str> = params.collect();
                let message = format!(
                    "unknown name `{name}`: the parameters are {}",
                    params.join(", ")
                );
                error(position, message)
            }
        }
    }

    /// What a name means.
    fn known(&self, name: &str, literal: Type) -> Option<Known> {
        if let Some(i) = self.params.iter().position(|(param, _)| *param == name) {
            return Some(Known::Value(self.builder.function.params()[i]));
        }
        if let Some((_, value)) = self.named.iter().find(|(known, _)| known == name) {
            return Some(Known::Value(*value));
        }
        let ty = if literal.is_float() {
            literal
        } else {
            self.float
        };
        let float = |x| Some(Known::Const(Const::Float(x), ty));
        let truth = |b| Some(Known::Const(Const::Bool(b), Type::Bool));
        match name {
            "pi" if ty == Type::F32 => float(std::f32::consts::PI.into()),
            "pi" => float(std::f64::consts::PI),
            "inf" => float(f64::INFINITY),
            "nan" => float(f64::NAN),
            "true" => truth(true),
            "false" => truth(false),
            _ => None,
        }
    }

    /// A call among whose arguments at least one has a type of its own (or there is none). The literals come last,
    /// when it is known what they meet.
    fn call(
        &mut self,
        position: Position,
        name: &str,
        args: &[Expr],
        literal: Type,
    ) -> Result<Value> {
        let mut values: Vec<Option<Value>> = Vec::new();
        for arg in args {
            let value = match arg.is_literal() {
                true => None,
                false => Some(self.value(arg, literal)?),
            };
            values.push(value);
        }
        let literal = self.literal_type(name, args, &values, literal);
        let mut complete = Vec::new();
        for (arg, value) in args.iter().zip(values) {
            complete.push(match value {
                Some(value) => value,
                None => self.value(arg, literal)?,
            });
        }
        self.finish_call(position, name, &complete)
    }

    /// The type for the literal arguments: that of the first argument that has one, unless the function wants an
    /// index there (`sum_axis(a, 1)`, `powi(x, 2)`).
    fn literal_type(
        &self,
        name: &str,
        args: &[Expr],
        values: &[Option<Value>],
        outer: Type,
    ) -> Type {
        let scalar = |v: Value| {
            let ty = self.builder.function.ty(v);
            ty.element().unwrap_or(ty)
        };
        let typed = values.iter().flatten().map(|&v| scalar(v));
        let numbers: Vec<Type> = typed.filter(|ty| ty.is_float() || ty.is_int()).collect();
        // An integer among floats is converted to them, and so is a literal.
        let float = widest(numbers.iter().copied());
        if float.is_none() && is_arithmetic(name) && args.iter().any(Expr::is_float_literal) {
            return self.float;
        }
        let met = float.or(numbers.first().copied()).unwrap_or(outer);
        let fits_function = |ty: &Type| {
            let mut types = Vec::new();
            for (arg, value) in args.iter().zip(values) {
                let known = value.map(|v| self.builder.function.ty(v));
                types.push(known.unwrap_or(if arg.is_literal() { *ty } else { Type::UNIT }));
            }
            self.callee(name, &types).is_some()
        };
        [met, Type::Usize, Type::I32, Type::U32]
            .into_iter()
            .find(fits_function)
            .unwrap_or(met)
    }

    fn finish_call(&mut self, position: Position, name: &str, args: &[Value]) -> Result<Value> {
        let args = match is_arithmetic(name) {
            true => self.converted(args),
            false => args.to_vec(),
        };
        let types: Vec<Type> = args.iter().map(|&v| self.builder.function.ty(v)).collect();
        match self.callee(name, &types) {
            Some(Meaning { ret, .. }) if ret == Type::array(Type::Bool) => error(
                position,
                format!(
                    "`{name}` of arrays would be an array of bools, which there is not: write a private scalar row that compares and chooses, such as `gate(x: T, d: T) -> T` with the body `select(x > 0, d, 0)`, and call it with arrays"
                ),
            ),
            Some(Meaning { op, ret }) => Ok(self.builder.emit(op, &args, ret)),
            None => {
                let found: Vec<String> = types.iter().map(Type::to_string).collect();
                error(
                    position,
                    format!("no function `{name}` takes ({})", found.join(", ")),
                )
            }
        }
    }

    /// Scalars converted to the widest float type among the operands.
    fn converted(&mut self, args: &[Value]) -> Vec<Value> {
        let ty = |b: &Builder, v: Value| b.function.ty(v);
        let scalar = |t: Type| t.element().unwrap_or(t);
        let Some(float) = widest(args.iter().map(|&v| scalar(ty(&self.builder, v)))) else {
            return args.to_vec();
        };
        args.iter()
            .map(|&v| match ty(&self.builder, v) {
                from if from.is_int() || from == Type::F32 && float == Type::F64 => {
                    self.builder.prim_to(Prim::Cast, &[v], float)
                }
                _ => v,
            })
            .collect()
    }

    /// What `name` means for arguments of these types.
    fn callee(&self, name: &str, types: &[Type]) -> Option<Meaning> {
        if let Some(ret) = bits_type(name, types) {
            let op = Op::Prim(Prim::Bitcast);
            return Some(Meaning { op, ret });
        }
        if let Some(ret) = float_type(name, types) {
            let op = Op::Prim(Prim::Cast);
            return Some(Meaning { op, ret });
        }
        let symbol = Symbol::new(name);
        let on_arrays = types.iter().any(|ty| ty.is_array());
        if let Some(prim) = scalar_primitive(name)
            && !on_arrays
        {
            // The negative of an unsigned integer would wrap around.
            let is_unsigned = |ty: &Type| ty.is_int() && !ty.is_signed();
            if prim == Prim::Neg && types.iter().any(is_unsigned) {
                return None;
            }
            let op = Op::Prim(prim);
            return prim_type(prim, types).map(|ret| Meaning { op, ret });
        }
        let row = Callee::from(symbol);
        if let Some(ret) = (self.externals)(row, types) {
            let op = Op::Call(row);
            return Some(Meaning { op, ret });
        }
        if !on_arrays {
            return None;
        }
        let op = Op::Map(symbol);
        map_type(symbol, types, &|_, _| None, self.externals).map(|ret| Meaning { op, ret })
    }
}

/// The float type among these that holds all of them.
fn widest(types: impl Iterator<Item = Type>) -> Option<Type> {
    let float = |found: Option<Type>, ty: Type| match ty {
        Type::F64 => Some(ty),
        Type::F32 => found.or(Some(ty)),
        _ => found,
    };
    types.fold(None, float)
}

fn is_arithmetic(name: &str) -> bool {
    use Prim::*;
    matches!(
        Prim::from_mnemonic(name),
        Some(Add | Sub | Mul | Div | Rem | Eq | Ne | Lt | Le | Gt | Ge | Select)
    )
}

/// Whether a name is an operation of the machine in expressions, whatever rows there are.
pub fn is_operation(name: &str) -> bool {
    scalar_primitive(name).is_some() || matches!(name, "to_bits" | "from_bits" | "f32" | "f64")
}

/// The type that `f32` and `f64` give.
fn float_type(name: &str, types: &[Type]) -> Option<Type> {
    match (name, types) {
        (_, [ty]) if !ty.is_float() && !ty.is_int() => None,
        ("f32", [_]) => Some(Type::F32),
        ("f64", [_]) => Some(Type::F64),
        _ => None,
    }
}

/// The type that `to_bits` and `from_bits` give.
fn bits_type(name: &str, types: &[Type]) -> Option<Type> {
    match (name, types) {
        ("to_bits", [Type::F32]) => Some(Type::U32),
        ("to_bits", [Type::F64]) => Some(Type::U64),
        ("from_bits", [Type::U32]) => Some(Type::F32),
        ("from_bits", [Type::U64]) => Some(Type::F64),
        _ => None,
    }
}

/// The primitive of this mnemonic, if it computes a scalar from scalars.
pub fn scalar_primitive(name: &str) -> Option<Prim> {
    use Prim::*;
    Prim::from_mnemonic(name).filter(|prim| match prim {
        Add | Sub | Mul | Div | Rem | Neg | Sqrt | Abs | Floor | Ceil | Trunc | Copysign | Eq
        | Ne | Lt | Le | Gt | Ge | And | Or | Xor | Not | Shl | Shr | AddOverflows
        | SubOverflows | MulOverflows | Select => true,
        Cast | Bitcast | Tuple | Field(_) | Len | Load | Store | Subslice | Assert(_)
        | TapePush | TapePop | Offset | Peek(_) | Poke(_) | Alloc | Get(_) | Set(_) | View
        | Base | Pack | Lane(_) | LoadLanes | StoreLanes => false,
    })
}

/// The result type of the map of a function of scalars over arguments of these types: `local` knows the module's
/// functions, `externals` the packs'. `None` if there is no array among them or the function does not take their elements.
pub fn map_type(
    function: Symbol,
    types: &[Type],
    local: &dyn Fn(Symbol, &[Type]) -> Option<Type>,
    externals: Externals,
) -> Option<Type> {
    let elements: SmallVec<[Type; 4]> = types
        .iter()
        .map(|&ty| match ty {
            Type::Array(element) => *element,
            other => other,
        })
        .collect();
    if !types.iter().any(|ty| ty.is_array()) || !elements.iter().all(|ty| ty.is_scalar()) {
        return None;
    }
    let primitive = || prim_type(scalar_primitive(function.as_str())?, &elements);
    let result = local(function, &elements)
        .or_else(primitive)
        .or_else(|| externals(function.into(), &elements))?;
    match result {
        Type::Tuple(fields) if fields.iter().all(|ty| ty.is_scalar()) && !fields.is_empty() => {
            let arrays: Vec<Type> = fields.iter().map(|&ty| Type::array(ty)).collect();
            Some(Type::tuple(&arrays))
        }
        ty => ty.is_scalar().then(|| Type::array(ty)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::verify::verify;
    use super::*;
    use Type::{F32, F64, I32};

    /// What the tests know: two scalars, one function with an integer, two operations on arrays.
    fn known(callee: Callee, types: &[Type]) -> Option<Type> {
        match (callee.symbol().as_str(), types) {
            ("sin", &[t]) if t.is_float() => Some(t),
            ("powi", &[t, I32]) if t.is_float() => Some(t),
            ("matmul", &[a @ Type::Array(_), b]) if a == b => Some(a),
            ("sum_axis", &[a @ Type::Array(_), Type::Usize]) => Some(a),
            _ => None,
        }
    }

    /// The instructions of the expressions' function, one a line.
    fn check(params: &[(&str, Type)], texts: &[&str], expected: &str) {
        let f = parse_expressions(Symbol::new("f"), params, texts, &known).unwrap();
        let module = canonical(&Module::new(f));
        verify(&module, &known).unwrap();
        let text = module.to_string();
        let body: Vec<&str> = text.lines().skip(2).map(str::trim).collect();
        let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
        assert_eq!(body[..body.len() - 1], expected, "\n{text}");
    }

    #[test]
    fn literals_take_the_type_they_meet() {
        check(
            &[("y", F32)],
            &["1 - y * y"],
            "%1: f32 = mul %0, %0
             %2: f32 = 1.0
             %3: f32 = sub %2, %1
             %4: (f32,) = tuple %3
             return %4",
        );
    }

    #[test]
    fn an_integer_that_meets_a_float_literal_becomes_a_float() {
        check(
            &[("n", I32), ("x", F32)],
            &["0.5 * n"],
            "%2: f32 = 0.5
             %3: f32 = cast %0
             %4: f32 = mul %2, %3
             %5: (f32,) = tuple %4
             return %5",
        );
    }

    #[test]
    fn a_literal_alone_has_the_type_of_the_first_float() {
        check(
            &[("n", I32), ("x", F32)],
            &["-2 / 4", ""],
            "%2: f32 = 2.0
             %3: f32 = -2.0
             %4: f32 = 4.0
             %5: f32 = -0.5
             %6: () = ()
             %7: (f32, ()) = tuple %5, %6
             return %7",
        );
    }

    #[test]
    fn an_integer_is_converted_where_it_meets_a_float() {
        check(
            &[("x", F64), ("n", I32)],
            &["n * powi(x, n - 1)"],
            "%2: i32 = 1
             %3: i32 = sub %1, %2
             %4: f64 = call @powi(%0, %3)
             %5: f64 = cast %1
             %6: f64 = mul %5, %4
             %7: (f64,) = tuple %6
             return %7",
        );
    }

    #[test]
    fn a_literal_index_is_an_index() {
        let array = Type::array(F32);
        check(
            &[("a", array), ("x", F64)],
            &["sum_axis(a, 1)", "powi(x, 2)"],
            "%2: usize = 1
             %3: array<f32> = call @sum_axis(%0, %2)
             %4: i32 = 2
             %5: f64 = call @powi(%1, %4)
             %6: (array<f32>, f64) = tuple %3, %5
             return %6",
        );
    }

    #[test]
    fn functions_of_scalars_are_mapped_over_arrays() {
        let array = Type::array(F32);
        check(
            &[("a", array), ("b", array), ("x", F32)],
            &["sin(a) * (1 - b)", "select(x < 0, x, matmul(a, -b))"],
            "%3: array<f32> = map @sin(%0)
             %4: f32 = 1.0
             %5: array<f32> = map @sub(%4, %1)
             %6: array<f32> = map @mul(%3, %5)
             %7: f32 = 0.0
             %8: bool = lt %2, %7
             %9: array<f32> = map @neg(%1)
             %10: array<f32> = call @matmul(%0, %9)
             %11: array<f32> = map @select(%8, %2, %10)
             %12: (array<f32>, array<f32>) = tuple %6, %11
             return %12",
        );
    }

    #[test]
    fn several_values_are_a_tuple() {
        check(
            &[("a", F64), ("y.0", F64), ("y.1", I32)],
            &["(a, (y.0 + 1))", "(y.1, a).0", "()"],
            "%3: f64 = 1.0
             %4: f64 = add %1, %3
             %5: (f64, f64) = tuple %0, %4
             %6: (i32, f64) = tuple %2, %0
             %7: () = ()
             %8: ((f64, f64), i32, ()) = tuple %5, %2, %7
             return %8",
        );
    }

    #[test]
    fn constants_have_the_precision_of_their_type() {
        check(
            &[("x", F32)],
            &["x < inf", "pi"],
            "%1: f32 = inf
             %2: bool = lt %0, %1
             %3: f32 = 3.1415927
             %4: (bool, f32) = tuple %2, %3
             return %4",
        );
    }

    #[test]
    fn a_let_is_computed_once() {
        check(
            &[("x", F32), ("in", F32)],
            &[
                "let z = x * x in let w = z + in in w * w",
                "let t = (x, 2) in t.1",
            ],
            "%2: f32 = mul %0, %0
             %3: f32 = add %2, %1
             %4: f32 = mul %3, %3
             %5: f32 = 2.0
             %6: (f32, f32) = tuple %0, %5
             %7: (f32, f32) = tuple %4, %5
             return %7",
        );
    }

    #[test]
    fn bits_are_unsigned_integers_of_the_floats_width() {
        check(
            &[("x", F32), ("y", F64)],
            &[
                "from_bits(shl(to_bits(x) + 0x7f, 23))",
                "xor(to_bits(y), 0xffff_ffff_ffff_ffff) - 1",
            ],
            "%2: u32 = bitcast %0
             %3: u32 = 127
             %4: u32 = add %2, %3
             %5: u32 = 23
             %6: u32 = shl %4, %5
             %7: f32 = bitcast %6
             %8: u64 = bitcast %1
             %9: u64 = 18446744073709551615
             %10: u64 = xor %8, %9
             %11: u64 = 1
             %12: u64 = sub %10, %11
             %13: (f32, u64) = tuple %7, %12
             return %13",
        );
    }

    #[test]
    fn floats_of_both_types_meet_in_the_wider_one() {
        let ty = |text: &str| {
            let params = [("x", F64), ("y", F32), ("n", I32)];
            let function = parse_expressions(Symbol::new("f"), &params, &[text], &known).unwrap();
            function.ret
        };
        assert_eq!(ty("x * y"), Type::tuple(&[F64]));
        assert_eq!(ty("y + x * n"), Type::tuple(&[F64]));
        assert_eq!(ty("select(y < x, y, 1)"), Type::tuple(&[F32]));
        assert_eq!(ty("f32(x) * y"), Type::tuple(&[F32]));
        assert_eq!(ty("f64(n)"), Type::tuple(&[F64]));
    }

    #[test]
    fn errors_name_the_place() {
        let fail = |text: &str| {
            let params = [("x", F64), ("y", F32), ("n", Type::U32)];
            parse_expressions(Symbol::new("f"), &params, &[text], &known)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(fail("-n * x"), "1:1: no function `neg` takes (u32)");
        let a = [("a", Type::array(F64))];
        let choice = parse_expressions(Symbol::new("f"), &a, &["select(a > 0, a, 0 * a)"], &known);
        assert_eq!(
            choice.unwrap_err().to_string(),
            "1:10: `gt` of arrays would be an array of bools, which there is not: write a private scalar row that compares and chooses, such as `gate(x: T, d: T) -> T` with the body `select(x > 0, d, 0)`, and call it with arrays"
        );
        assert_eq!(
            fail("1 + z"),
            "1:5: unknown name `z`: the parameters are x, y, n"
        );
        assert_eq!(
            fail("x + (1 < y)"),
            "1:3: no function `add` takes (f64, bool)"
        );
        assert_eq!(fail("f32(1 < y)"), "1:1: no function `f32` takes (bool)");
        assert_eq!(fail("sin(x, x)"), "1:1: no function `sin` takes (f64, f64)");
        assert_eq!(
            fail("x +"),
            "1:4: expected an expression, found the end of the text"
        );
        assert_eq!(
            fail("x x"),
            "1:3: expected an operator or the end of the text, found `x`"
        );
        assert_eq!(fail("load(x)"), "1:1: no function `load` takes (f64)");
        assert_eq!(fail("x.0"), "1:1: there is no result 0 of what is f64");
        assert_eq!(
            fail("(x, y).2"),
            "1:1: there is no result 2 of what is (f64, f32)"
        );
        assert_eq!(
            fail("x.y"),
            "1:3: expected the number of a result after `.`"
        );
        assert_eq!(
            fail("let x = 1 in x"),
            "1:5: `x` has a meaning here already"
        );
        assert_eq!(
            fail("let z = x x"),
            "1:11: expected an operator or `in`, found `x`"
        );
        assert_eq!(
            fail("let 2 = x in x"),
            "1:5: expected an operator or the end of the text, found `2`"
        );
        assert_eq!(
            fail("to_bits(1 < x)"),
            "1:1: no function `to_bits` takes (bool)"
        );
        assert_eq!(
            fail("and(to_bits(y), 0x100000000)"),
            "1:17: `0x100000000` is not a number that fits u32"
        );
        assert_eq!(fail("x * 0x1"), "1:5: `0x1` is not a number that fits f64");
        let deep = "(".repeat(1000);
        assert_eq!(fail(&deep), "1:102: expressions nest deeper than 100");
    }
}

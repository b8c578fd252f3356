//! Programs as Rust.

use crate::program::{A, Ex, Exit, N, Name, Op, Program, St, T, U, X};
use std::fmt;

struct Local(Name);

impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            X => write!(f, "x"),
            U => write!(f, "u"),
            A => write!(f, "a"),
            N => write!(f, "(n as i64)"),
            n => write!(f, "v{n}"),
        }
    }
}

impl fmt::Display for Ex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (op, args) = match self {
            Ex::Float(x) => return write!(f, "{x:?}"),
            Ex::Int(n) => return write!(f, "{n}"),
            Ex::Bool(b) => return write!(f, "{b}"),
            Ex::Var(n, _) => return write!(f, "{}", Local(*n)),
            Ex::Node(op, args) => (op, &args[..]),
        };
        let all = args
            .iter()
            .map(Ex::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        match (*op, args) {
            (Op::Unary("neg"), [e]) => write!(f, "(-{e})"),
            (Op::Unary("not"), [e]) => write!(f, "(!{e})"),
            (Op::Unary("half"), [e]) => write!(f, "(0.5 * {e})"),
            (Op::Unary(name), [e]) => write!(f, "{e}.{name}()"),
            (Op::Binary(name @ ("max" | "min")), [a, b]) => write!(f, "{a}.{name}({b})"),
            (Op::Binary(name), [a, b]) => write!(f, "({a} {} {b})", symbol(name)),
            (Op::If, [c, a, b]) => write!(f, "(if {c} {{ {a} }} else {{ {b} }})"),
            (Op::ToFloat, [e]) => write!(f, "({e} as f64)"),
            (Op::ToSingle, [e]) => write!(f, "({e} as f32)"),
            (Op::ToInt, [e]) => write!(f, "({e} as i64)"),
            (Op::Pair, _) => write!(f, "({all})"),
            (Op::Struct, [a, b, n]) => write!(f, "S {{ a: {a}, b: {b}, n: {n} }}"),
            (Op::Some, _) => write!(f, "Some({all})"),
            (Op::None, _) => write!(f, "None"),
            (Op::Ok, _) => write!(f, "Ok({all})"),
            (Op::Err, _) => write!(f, "Err({all})"),
            (Op::One, _) => write!(f, "E::One({all})"),
            (Op::Two, [x, n]) => write!(f, "E::Two {{ x: {x}, n: {n} }}"),
            (Op::Empty, _) => write!(f, "E::None"),
            (Op::Cons, [value, rest]) => write!(f, "L::Node({value}, Box::new({rest}))"),
            (Op::End, _) => write!(f, "L::End"),
            (Op::List, _) => write!(f, "vec![{all}]"),
            (Op::Array, _) => write!(f, "[{all}]"),
            (Op::Slice(from, to), _) => write!(f, "&{all}[{from}..{to}]"),
            (Op::Clone, _) => write!(f, "{all}.clone()"),
            (Op::Field(name), [e]) => write!(f, "{e}.{name}"),
            (Op::At, [v, i]) => write!(f, "{v}[({i}) as usize % {v}.len()]"),
            (Op::Raw, [v, i]) => write!(f, "{v}[({i}) as usize]"),
            (Op::MatchOption(v), [o, a, b]) => {
                write!(f, "(match {o} {{ Some(v{v}) => {a}, None => {b} }})")
            }
            (Op::MatchResult(v, w), [o, a, b]) => {
                write!(f, "(match {o} {{ Ok(v{v}) => {a}, Err(v{w}) => {b} }})")
            }
            (Op::MatchEnum(v, n), [e, a, b, c]) => write!(
                f,
                "(match {e} {{ E::One(v{v}) => {a}, E::Two {{ x: v{v}, n: v{n} }} => {b}, E::None => {c} }})"
            ),
            (Op::MatchList(v, rest), [l, a, b]) => write!(
                f,
                "(match &{l} {{ L::Node(v{v}, v{rest}) => {{ let v{v} = *v{v}; {a} }}, L::End => {b} }})"
            ),
            (Op::Call(index, _), _) => write!(f, "h{index}({all})"),
            (Op::CallVar(name), _) => write!(f, "v{name}({all})"),
            (Op::Apply(v), [body, a, b]) => {
                write!(f, "{{ let f = |v{v}: f64| {body}; f({a}) + f({b}) }}")
            }
            (Op::Choose(v), [c, a, b]) => write!(
                f,
                "if {c} {{ Box::new(move |v{v}: f64| {a}) }} else {{ Box::new(move |v{v}: f64| {b}) }}"
            ),
            (Op::Chain(kind, v), [of, body]) => {
                write!(f, "{of}.iter().map(|&v{v}| {body})")?;
                match kind {
                    "sum" => write!(f, ".sum::<f64>()"),
                    "fold" => write!(f, ".fold(0.5, |s, e| s * 0.5 + e)"),
                    _ => write!(f, ".filter(|e| *e > 0.0).sum::<f64>()"),
                }
            }
            (Op::Lib("size"), [s, k]) => write!(f, "{s}.size({k})"),
            (Op::Lib("total"), [l]) if l.ty() == T::List => write!(f, "total(&{l})"),
            (Op::Lib(name), _) => write!(f, "{name}({all})"),
            (Op::Try, _) => write!(f, "{all}?"),
            other => write!(f, "{other:?}"),
        }
    }
}

fn symbol(name: &str) -> &'static str {
    match name {
        "add" => "+",
        "sub" => "-",
        "mul" => "*",
        "div" => "/",
        "rem" => "%",
        "lt" => "<",
        "le" => "<=",
        "eq" => "==",
        "and" => "&&",
        _ => "||",
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = |l: &Option<Name>| l.map_or(String::new(), |l| format!(" 'l{l}"));
        match self {
            Exit::Break(l) => write!(f, "break{}", label(l)),
            Exit::Continue(l) => write!(f, "continue{}", label(l)),
            Exit::Return(e) => write!(f, "return {e}"),
        }
    }
}

fn write_block(f: &mut fmt::Formatter<'_>, block: &[St], indent: usize) -> fmt::Result {
    block.iter().try_for_each(|s| s.write(f, indent))
}

impl St {
    fn write(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        let pad = "    ".repeat(indent);
        let l = |n: &Name| Local(*n);
        let line = match self {
            St::Let(n, T::Fun, e) => format!("let v{n}: Box<dyn Fn(f64) -> f64> = {e};"),
            St::Let(n, T::Int, e) => format!("let mut v{n}: i64 = {e};"),
            St::Let(n, _, e) => format!("let mut v{n} = {e};"),
            St::Closure(n, p, e) => format!("let v{n} = move |v{p}: f64| {e};"),
            St::Assign(n, e) => format!("{} = {e};", l(n)),
            St::Update(op, place, e) => format!("{place} {}= {e};", symbol(op)),
            St::Set(place, e) => format!("{place} = {e};"),
            St::Push(n, e) => format!("v{n}.push({e});"),
            St::Leave(c, exit) => format!("if {c} {{ {exit}; }}"),
            St::Call("turn", place, e) => format!("{place}.turn({e});"),
            St::Call(name, place, e) => format!("{name}(&mut {place}, {e});"),
            St::ForMut(n, of, from, e) => format!(
                "for p{n} in {}[{from}..].iter_mut() {{ let v{n} = *p{n}; *p{n} = {e}; }}",
                l(of)
            ),
            St::ForTurn(n, of, e) => format!("for v{n} in v{of}.iter_mut() {{ v{n}.turn({e}); }}"),
            St::LetElse(n, e, exit) => format!("let Some(v{n}) = {e} else {{ {exit} }};"),
            St::Mutating([g, p, r, v], body, a, b) => {
                let v = l(v);
                format!(
                    "let mut v{g} = |v{p}: f64| {{ {v} = {body}; {v} * v{p} }}; let mut v{r} = v{g}({a}) + v{g}({b});"
                )
            }
            St::If(c, a, b) => {
                writeln!(f, "{pad}if {c} {{")?;
                write_block(f, a, indent + 1)?;
                writeln!(f, "{pad}}} else {{")?;
                write_block(f, b, indent + 1)?;
                return writeln!(f, "{pad}}}");
            }
            St::While(n, c, b) => {
                writeln!(f, "{pad}let mut v{n} = 0;")?;
                writeln!(f, "{pad}'l{n}: while v{n} < 4 && {c} {{")?;
                writeln!(f, "{pad}    v{n} += 1;")?;
                write_block(f, b, indent + 1)?;
                return writeln!(f, "{pad}}}");
            }
            St::For(n, _, b) | St::ForEach(n, _, b) | St::IfSome(n, _, b) => {
                match self {
                    St::For(_, e, _) => writeln!(f, "{pad}'l{n}: for v{n} in 0..{e} {{")?,
                    St::ForEach(_, e, _) => writeln!(f, "{pad}'l{n}: for &v{n} in {e} {{")?,
                    St::IfSome(_, e, _) => writeln!(f, "{pad}if let Some(v{n}) = {e} {{")?,
                    _ => {}
                }
                write_block(f, b, indent + 1)?;
                return writeln!(f, "{pad}}}");
            }
            St::Pop(v, n, b) => {
                writeln!(
                    f,
                    "{pad}if v{v}.len() > 1 && let Some(v{n}) = v{v}.pop() {{"
                )?;
                write_block(f, b, indent + 1)?;
                return writeln!(f, "{pad}}}");
            }
            St::Drain(v, n, b, e) => {
                writeln!(f, "{pad}'l{n}: while let Some(v{n}) = v{v}.pop() {{")?;
                write_block(f, b, indent + 1)?;
                return writeln!(f, "{pad}}}\n{pad}v{v}.push({e});");
            }
        };
        writeln!(f, "{pad}{line}")
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, helper) in self.helpers.iter().enumerate() {
            let mut params: Vec<String> =
                helper.fuel.iter().map(|n| format!("v{n}: i64")).collect();
            params.extend(helper.params.iter().map(|n| format!("mut v{n}: f64")));
            let (ret, first) = match helper.gives {
                T::Option => ("Option<f64>", format!("Some(v{})", helper.params[0])),
                _ => ("f64", format!("v{}", helper.params[0])),
            };
            writeln!(f, "fn h{index}({}) -> {ret} {{", params.join(", "))?;
            if let Some(fuel) = helper.fuel {
                writeln!(f, "    if v{fuel} <= 0 {{ return {first}; }}")?;
            }
            write_block(f, &helper.body, 1)?;
            writeln!(f, "    {}\n}}", helper.value)?;
        }
        writeln!(
            f,
            "fn program(x: &[f64], u: &mut [f64], mut a: f64, n: usize) -> f64 {{"
        )?;
        write_block(f, &self.body, 1)?;
        writeln!(f, "    {}\n}}", self.value)
    }
}

//! The surface tree as Rust that means the same: what `emit` makes, as a user would write it.
//!
//! It knows the forms that random programs have. References are erased in the types of the tree, so the types that are
//! printed are those of owned values; every variable is `mut`.

use mooncake::__private::{
    Block, Body, Expr, ExprKind, Lambda, Pattern, PatternKind, Source, Statement, Ty, TyFn,
};
use mooncake::Type;

/// The last function and those that it needs: each may call itself and those before it.
pub fn functions(sources: &[&Source]) -> String {
    let mut text = String::new();
    for source in sources.iter().rev() {
        if text.is_empty() || text.contains(&format!("{}(", source.name)) {
            let before = if text.is_empty() { "" } else { "\n" };
            text = format!("{}{before}{text}", function(source));
        }
    }
    text
}

fn function(source: &Source) -> String {
    let (Body::Block(body), Ok(patterns)) = (&source.body, source.patterns.node()) else {
        unreachable!("random programs have bodies")
    };
    let body = body.node().expect("it was never text");
    let param = |(p, name): &(&mooncake::__private::Param, &Pattern)| match (p.ty)() {
        ty @ (Ty::Slice(_) | Ty::SliceMut(_)) => format!("{}: {ty}", pattern(name)),
        ty => format!("mut {}: {ty}", pattern(name)),
    };
    let params: Vec<_> = source.params.iter().zip(*patterns).collect();
    let params = join(&params, param);
    let (name, ret) = (source.name, (source.ret)());
    format!(
        "#[differentiable]\npub fn {name}({params}) -> {ret} {}\n",
        block(body, 0)
    )
}

fn join<V>(items: &[V], f: impl Fn(&V) -> String) -> String {
    items.iter().map(f).collect::<Vec<_>>().join(", ")
}

fn block(b: &Block, indent: usize) -> String {
    let mut lines: Vec<String> = b
        .statements
        .iter()
        .map(|s| statement(s, indent + 1))
        .collect();
    lines.extend(b.value.map(|e| expr(e, indent + 1)));
    let pad = "    ".repeat(indent);
    let lines = lines.iter().map(|line| format!("{pad}    {line}\n"));
    format!("{{\n{}{pad}}}", lines.collect::<String>())
}

fn statement(s: &Statement, indent: usize) -> String {
    match s {
        Statement::Let(to, ty, value, otherwise) => {
            let mut text = match to.kind {
                PatternKind::Name(..) => format!("let mut {}", pattern(to)),
                _ => format!("let {}", pattern(to)),
            };
            text += &match ty.map(|ty| ty()) {
                // The box is erased.
                Some(ty @ Ty::Dyn(_)) => format!(": Box<{ty}>"),
                Some(ty) => format!(": {ty}"),
                None => String::new(),
            };
            let otherwise = otherwise.as_ref();
            text += &match (value, otherwise) {
                (Some(e), None) => format!(" = {}", expr(e, indent)),
                (Some(e), Some(_)) => format!(" = {}", operand(e, indent)),
                (None, _) => String::new(),
            };
            text += &otherwise.map_or(String::new(), |b| format!(" else {}", block(b, indent)));
            text + ";"
        }
        Statement::Expr(e) => match e.kind {
            ExprKind::If(..) | ExprKind::For(..) | ExprKind::While(..) | ExprKind::Block(..) => {
                expr(e, indent)
            }
            _ => format!("{};", expr(e, indent)),
        },
    }
}

fn label(l: &Option<&str>) -> String {
    l.map_or(String::new(), |l| format!("'{l}: "))
}

fn expr(e: &Expr, indent: usize) -> String {
    let ex = |e: &Expr| expr(e, indent);
    let all = |args: &[Expr]| join(args, ex);
    let types = |types: &[TyFn]| match types {
        [] => String::new(),
        types => format!("::<{}>", join(types, |ty| ty().to_string())),
    };
    match &e.kind {
        ExprKind::Float(x, ty) => format!("{x:?}{}", suffix(*ty)),
        ExprKind::Int(n, ty) => format!("{n}{}", suffix(*ty)),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Local(name) => (*name).to_owned(),
        ExprKind::Neg(e) => format!("(-{})", ex(e)),
        ExprKind::Not(e) => format!("(!{})", ex(e)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", ex(a), op.symbol(), ex(b)),
        ExprKind::Lazy(true, a, b) => format!("({} && {})", ex(a), ex(b)),
        ExprKind::Lazy(false, a, b) => format!("({} || {})", ex(a), ex(b)),
        ExprKind::Let(p, e) => format!("let {} = {}", pattern(p), ex(e)),
        ExprKind::Assign(place, e) => format!("{} = {}", ex(place), ex(e)),
        ExprKind::AssignBinary(op, place, e) => format!("{} {}= {}", ex(place), op.symbol(), ex(e)),
        ExprKind::Call(callee, args) => format!("{}({})", callee().0.name, all(args)),
        ExprKind::CallValue(f, args) => format!("{}({})", ex(f), all(args)),
        ExprKind::Method(name, _, _, args) if name.contains("::") => {
            format!("std::{name}({})", all(args))
        }
        ExprKind::Method(name, _, generics, [on, args @ ..]) => {
            format!(
                "{}.{name}{}({})",
                operand(on, indent),
                types(generics),
                all(args)
            )
        }
        ExprKind::Associated(ty, _, name, _, args) => {
            let owner = match ty() {
                Ty::Boxed(_) => "Box",
                Ty::Cell(..) => "RefCell",
                // The one type that is erased.
                _ => "Rc",
            };
            format!("{owner}::{name}({})", all(args))
        }
        ExprKind::Struct(ty, variant, fields, None) => {
            let fields = join(fields, |(name, e)| format!("{name}: {}", ex(e)));
            format!("{} {{ {fields} }}", path(ty(), *variant))
        }
        ExprKind::Construct(ty, variant, []) => path(ty(), *variant),
        ExprKind::Construct(ty, variant, args) => {
            format!("{}({})", path(ty(), *variant), all(args))
        }
        ExprKind::Index(of, index) => format!("{}[{}]", operand(of, indent), ex(index)),
        ExprKind::Range(from, to, false) => {
            let end = |e: &Option<&'static Expr>| e.map_or(String::new(), |e| operand(e, indent));
            format!("{}..{}", end(from), end(to))
        }
        ExprKind::Field(of, name) => format!("{}.{name}", operand(of, indent)),
        ExprKind::Tuple(items) => format!("({})", all(items)),
        ExprKind::List(items) => format!("[{}]", all(items)),
        ExprKind::VecList(items) => format!("vec![{}]", all(items)),
        ExprKind::Ref(true, e) => format!("&mut {}", operand(e, indent)),
        ExprKind::Ref(false, e) => format!("&{}", operand(e, indent)),
        ExprKind::Deref(e) => format!("*{}", operand(e, indent)),
        ExprKind::Cast(e, ty) => format!("({} as {})", operand(e, indent), ty()),
        ExprKind::If(condition, then, otherwise) => {
            let otherwise = otherwise.map_or(String::new(), |e| format!(" else {}", ex(e)));
            format!("if {} {}{otherwise}", ex(condition), block(then, indent))
        }
        ExprKind::Match(e, arms) => {
            let pad = "    ".repeat(indent);
            let arm = |arm: &mooncake::__private::Arm| {
                let guard = arm.guard.as_ref();
                let guard = guard.map_or(String::new(), |e| format!(" if {}", ex(e)));
                let body = expr(&arm.body, indent + 1);
                format!("{pad}    {}{guard} => {body},\n", pattern(&arm.pattern))
            };
            let arms: String = arms.iter().map(arm).collect();
            format!("match {} {{\n{arms}{pad}}}", operand(e, indent))
        }
        ExprKind::Try(e) => format!("{}?", operand(e, indent)),
        ExprKind::Closure(lambda) => closure(lambda, indent),
        ExprKind::Block(l, b) => format!("{}{}", label(l), block(b, indent)),
        ExprKind::While(l, condition, body) => {
            format!(
                "{}while {} {}",
                label(l),
                ex(condition),
                block(body, indent)
            )
        }
        ExprKind::Loop(l, body) => format!("{}loop {}", label(l), block(body, indent)),
        ExprKind::For(l, to, of, body) => {
            let (to, of) = (pattern(to), operand(of, indent));
            format!("{}for {to} in {of} {}", label(l), block(body, indent))
        }
        ExprKind::Break(l, value) => {
            let l = l.map_or(String::new(), |l| format!(" '{l}"));
            let value = value.map_or(String::new(), |e| format!(" {}", ex(e)));
            format!("break{l}{value}")
        }
        ExprKind::Continue(l) => {
            format!("continue{}", l.map_or(String::new(), |l| format!(" '{l}")))
        }
        ExprKind::Return(value) => {
            format!(
                "return{}",
                value.map_or(String::new(), |e| format!(" {}", ex(e)))
            )
        }
        other => unreachable!("random programs have no {other:?}"),
    }
}

/// In parentheses, where what follows or precedes would otherwise be of a part of it.
fn operand(e: &Expr, indent: usize) -> String {
    let text = expr(e, indent);
    match e.kind {
        ExprKind::Deref(_)
        | ExprKind::Ref(..)
        | ExprKind::If(..)
        | ExprKind::Match(..)
        | ExprKind::Block(..)
        | ExprKind::Struct(..)
        | ExprKind::Closure(_) => format!("({text})"),
        _ => text,
    }
}

fn closure(lambda: &Lambda, indent: usize) -> String {
    let param = |(p, ty): &(Pattern, Option<TyFn>)| match ty {
        Some(ty) => format!("{}: {}", pattern(p), ty()),
        None => pattern(p),
    };
    let moves = if lambda.moves { "move " } else { "" };
    let params = join(lambda.params, param);
    format!("{moves}|{params}| {}", expr(lambda.body, indent))
}

fn pattern(p: &Pattern) -> String {
    match &p.kind {
        PatternKind::Wild => "_".to_owned(),
        PatternKind::Name(name, false, None) => (*name).to_owned(),
        PatternKind::Tuple(parts) => format!("({})", join(parts, pattern)),
        PatternKind::Struct(ty, variant, fields) => {
            let fields = join(fields, |(name, p)| format!("{name}: {}", pattern(p)));
            format!("{} {{ {fields} }}", path(ty(), *variant))
        }
        PatternKind::TupleStruct(ty, variant, []) => path(ty(), *variant),
        PatternKind::TupleStruct(ty, variant, parts) => {
            format!("{}({})", path(ty(), *variant), join(parts, pattern))
        }
        PatternKind::Value(e) => expr(e, 0),
        PatternKind::Or(parts) => parts.iter().map(pattern).collect::<Vec<_>>().join(" | "),
        PatternKind::Ref(p) => format!("&{}", pattern(p)),
        other => unreachable!("random programs have no {other:?}"),
    }
}

/// A struct or a variant by its name; those of std are in scope.
fn path(ty: Ty, variant: Option<&str>) -> String {
    match (ty, variant) {
        (Ty::Adt(adt, _), Some(variant)) if ["Option", "Result"].contains(&adt.name) => {
            variant.to_owned()
        }
        (Ty::Adt(adt, _), Some(variant)) => format!("{}::{variant}", adt.name),
        (Ty::Adt(adt, _), None) => adt.name.to_owned(),
        (ty, _) => ty.to_string(),
    }
}

fn suffix(ty: Option<Type>) -> String {
    ty.map_or(String::new(), |ty| ty.to_string())
}

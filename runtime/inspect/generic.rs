//! The surface tree as text: functions as they were written, before their types are known.
//!
//! It reads like Rust. Type parameters are `T0`, `T1`, …, what inference has to find is `_`, references that only read are not shown; the functions that are
//! called by name follow, methods do not: which they are is not known yet.

use crate::front::tree::{
    Arm, Block, Body, Constant, Expr, ExprKind, Instance, Lambda, Pattern, PatternKind, Role,
    Source, Statement,
};
use crate::front::ty::Ty;
use crate::ir::{Const, Type};
use std::fmt::Write;

/// A function and those that it calls by name.
pub fn generic(root: &Instance) -> String {
    let mut printer = Printer {
        out: String::new(),
        depth: 0,
        sources: vec![root.0],
    };
    let mut next = 0;
    while let Some(&source) = printer.sources.get(next) {
        if next > 0 {
            printer.out.push('\n');
        }
        printer.function(source);
        next += 1;
    }
    printer.out
}

struct Printer {
    out: String,
    /// How far lines are indented.
    depth: usize,
    /// The functions that have been met.
    sources: Vec<&'static Source>,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
    fn line(&mut self) {
        self.out.push('\n');
        self.out.push_str(&"    ".repeat(self.depth));
    }
    /// What `each` prints of all items, with commas between them.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        for (n, item) in items.into_iter().enumerate() {
            if n > 0 {
                self.text(", ");
            }
            each(self, item);
        }
    }
    fn ty(&mut self, ty: Ty) {
        let _ = write!(self.out, "{ty}");
    }
    /// The function, to be printed as well.
    fn name(&mut self, (source, arguments): Instance) {
        if !self
            .sources
            .iter()
            .any(|known| std::ptr::eq(*known, source))
        {
            self.sources.push(source);
        }
        self.text(source.name);
        let known = |ty: &Ty| !matches!(ty, Ty::Infer(_));
        if arguments.iter().any(known) {
            self.text("::<");
            self.list(arguments, Self::ty);
            self.text(">");
        }
    }

    fn function(&mut self, source: &'static Source) {
        match source.role {
            Role::Derived => {}
            Role::Constant => self.text("#[non_differentiable]\n"),
            Role::Overlay(callee) => {
                self.text("#[differentiable(overlay = ");
                self.name(callee());
                self.text(")]\n");
            }
        }
        if let Body::Pack(name) = source.body {
            let _ = write!(self.out, "extern \"pack\" {name:?} ");
        }
        let _ = write!(self.out, "fn {}", source.path);
        if source.generics > 0 {
            self.text("<");
            self.list(0..source.generics, |p, n| p.ty(Ty::Param(n)));
            self.text(">");
        }
        self.text("(");
        let patterns = source.patterns.node().copied().unwrap_or_default();
        self.list(source.params.iter().zip(patterns), |p, (param, pattern)| {
            p.pattern(pattern);
            p.text(": ");
            p.ty((param.ty)());
        });
        self.text(")");
        let ret = (source.ret)();
        if ret != Ty::UNIT {
            self.text(" -> ");
            self.ty(ret);
        }
        match &source.body {
            Body::Block(block) => {
                self.text(" ");
                match block.node() {
                    Ok(block) => self.block(block),
                    Err(_) => self.text("{ unreadable }"),
                }
            }
            Body::Rule => self.text(" { a rule of its own }"),
            Body::Pack(_) | Body::Required => self.text(";"),
        }
        self.out.push('\n');
    }

    fn block(&mut self, block: &'static Block) {
        if block.statements.is_empty() && block.value.is_none() {
            return self.text("{}");
        }
        self.text("{");
        self.depth += 1;
        for statement in block.statements {
            self.line();
            match statement {
                Statement::Let(pattern, ty, value, otherwise) => {
                    self.text("let ");
                    self.pattern(pattern);
                    if let Some(ty) = ty {
                        self.text(": ");
                        self.ty(ty());
                    }
                    if let Some(value) = value {
                        self.text(" = ");
                        self.expr(value);
                    }
                    if let Some(otherwise) = otherwise {
                        self.text(" else ");
                        self.block(otherwise);
                    }
                    self.text(";");
                }
                Statement::Expr(expr) => {
                    self.expr(expr);
                    self.text(";");
                }
            }
        }
        if let Some(value) = block.value {
            self.line();
            self.expr(value);
        }
        self.depth -= 1;
        self.line();
        self.text("}");
    }

    fn pattern(&mut self, pattern: &'static Pattern) {
        match &pattern.kind {
            PatternKind::Wild => self.text("_"),
            PatternKind::Rest => self.text(".."),
            PatternKind::Name(name, by_mut, inner) => {
                if *by_mut {
                    self.text("ref mut ");
                }
                self.text(name);
                if let Some(inner) = inner {
                    self.text(" @ ");
                    self.pattern(inner);
                }
            }
            PatternKind::Tuple(parts) => self.patterns("(", parts, ")"),
            PatternKind::Struct(ty, variant, fields) => {
                self.variant(ty(), *variant);
                self.text(" { ");
                self.list(*fields, |p, (name, pattern)| {
                    let _ = write!(p.out, "{name}: ");
                    p.pattern(pattern);
                });
                self.text(" }");
            }
            PatternKind::TupleStruct(ty, variant, parts) => {
                self.variant(ty(), *variant);
                if !parts.is_empty() {
                    self.patterns("(", parts, ")");
                }
            }
            PatternKind::Slice(parts) => self.patterns("[", parts, "]"),
            PatternKind::Value(value) => self.expr(value),
            PatternKind::Range(from, to, inclusive) => self.range(*from, *to, *inclusive),
            PatternKind::Or(patterns) => {
                for (n, pattern) in patterns.iter().enumerate() {
                    self.text(if n > 0 { " | " } else { "" });
                    self.pattern(pattern);
                }
            }
            PatternKind::Ref(inner) => {
                self.text("&");
                self.pattern(inner);
            }
        }
    }
    fn patterns(&mut self, open: &str, patterns: &'static [Pattern], close: &str) {
        self.text(open);
        self.list(patterns, Self::pattern);
        self.text(close);
    }
    fn variant(&mut self, ty: Ty, variant: Option<&str>) {
        self.ty(ty);
        if let Some(variant) = variant {
            let _ = write!(self.out, "::{variant}");
        }
    }

    /// An expression that something stands before or behind.
    fn operand(&mut self, expr: &'static Expr) {
        use ExprKind::*;
        let is_whole = matches!(
            expr.kind,
            Float(..)
                | Int(..)
                | Bool(_)
                | Str(_)
                | Local(_)
                | Parameter(..)
                | Constant(_)
                | Function(_)
                | Call(..)
                | CallValue(..)
                | Method(..)
                | Associated(..)
                | Construct(..)
                | Index(..)
                | Field(..)
                | Tuple(_)
                | List(_)
                | Repeat(..)
                | VecList(_)
                | VecRepeat(..)
                | Try(_)
        );
        match is_whole {
            true => self.expr(expr),
            false => {
                self.text("(");
                self.expr(expr);
                self.text(")");
            }
        }
    }
    fn exprs(&mut self, open: &str, exprs: &'static [Expr], close: &str) {
        self.text(open);
        self.list(exprs, Self::expr);
        self.text(close);
    }
    fn before(&mut self, operator: &str, operand: &'static Expr) {
        self.text(operator);
        self.operand(operand);
    }
    fn between(&mut self, left: &'static Expr, operator: &str, right: &'static Expr) {
        self.operand(left);
        let _ = write!(self.out, " {operator} ");
        self.operand(right);
    }
    fn assign(&mut self, place: &'static Expr, operator: &str, value: &'static Expr) {
        self.operand(place);
        let _ = write!(self.out, " {operator} ");
        self.expr(value);
    }
    fn range(&mut self, from: Option<&'static Expr>, to: Option<&'static Expr>, inclusive: bool) {
        from.into_iter().for_each(|from| self.operand(from));
        self.text(if inclusive { "..=" } else { ".." });
        to.into_iter().for_each(|to| self.operand(to));
    }
    fn turbofish(&mut self, types: &[crate::front::tree::TyFn]) {
        if !types.is_empty() {
            self.text("::<");
            self.list(types, |p, ty| p.ty(ty()));
            self.text(">");
        }
    }
    fn label(&mut self, label: Option<&str>) {
        if let Some(label) = label {
            let _ = write!(self.out, "'{label}: ");
        }
    }
    fn jump(&mut self, word: &str, label: Option<&str>, value: Option<&'static Expr>) {
        self.text(word);
        if let Some(label) = label {
            let _ = write!(self.out, " '{label}");
        }
        if let Some(value) = value {
            self.text(" ");
            self.expr(value);
        }
    }

    fn expr(&mut self, expr: &'static Expr) {
        match &expr.kind {
            ExprKind::Float(x, ty) => {
                let _ = write!(self.out, "{x:?}");
                self.suffix(*ty);
            }
            ExprKind::Int(n, ty) => {
                let _ = write!(self.out, "{n}");
                self.suffix(*ty);
            }
            ExprKind::Bool(b) => {
                let _ = write!(self.out, "{b}");
            }
            ExprKind::Str(text) => {
                let _ = write!(self.out, "{text:?}");
            }
            ExprKind::Formatted(text) => {
                let _ = write!(self.out, "format!({text:?})");
            }
            ExprKind::Local(name) => self.text(name),
            ExprKind::Parameter(n, _) => self.ty(Ty::Param(*n)),
            ExprKind::Constant(constant) => self.constant(&constant()),
            ExprKind::Function(callee) => self.name(callee()),
            ExprKind::MethodValue(ty, _, name) => self.variant(ty(), Some(name)),
            ExprKind::Neg(operand) => self.before("-", operand),
            ExprKind::Not(operand) => self.before("!", operand),
            ExprKind::Ref(by_mut, operand) => {
                self.before(if *by_mut { "&mut " } else { "&" }, operand)
            }
            ExprKind::Deref(operand) => self.before("*", operand),
            ExprKind::Binary(op, left, right) => self.between(left, op.symbol(), right),
            ExprKind::Lazy(true, left, right) => self.between(left, "&&", right),
            ExprKind::Lazy(false, left, right) => self.between(left, "||", right),
            ExprKind::Let(pattern, value) => {
                self.text("let ");
                self.pattern(pattern);
                self.text(" = ");
                self.operand(value);
            }
            ExprKind::Assign(place, value) => self.assign(place, "=", value),
            ExprKind::AssignBinary(op, place, value) => {
                self.assign(place, &format!("{}=", op.symbol()), value)
            }
            ExprKind::Call(callee, args) => {
                self.name(callee());
                self.exprs("(", args, ")");
            }
            ExprKind::CallValue(callee, args) => {
                self.operand(callee);
                self.exprs("(", args, ")");
            }
            ExprKind::Method(name, _, types, args) => {
                if let Some((receiver, args)) = args.split_first() {
                    self.operand(receiver);
                    let _ = write!(self.out, ".{name}");
                    self.turbofish(types);
                    self.exprs("(", args, ")");
                }
            }
            ExprKind::Associated(ty, of, name, types, args) => {
                match of {
                    Some(of) => {
                        let _ = write!(self.out, "<{} as {}>::{name}", ty(), of.name);
                    }
                    None => self.variant(ty(), Some(name)),
                }
                self.turbofish(types);
                self.exprs("(", args, ")");
            }
            ExprKind::Struct(ty, variant, fields, base) => {
                self.variant(ty(), *variant);
                self.text(" { ");
                self.list(*fields, |p, (name, value)| {
                    let _ = write!(p.out, "{name}: ");
                    p.expr(value);
                });
                if let Some(base) = base {
                    self.text(", ..");
                    self.operand(base);
                }
                self.text(" }");
            }
            ExprKind::Construct(ty, variant, args) => {
                self.variant(ty(), *variant);
                if !args.is_empty() {
                    self.exprs("(", args, ")");
                }
            }
            ExprKind::Index(base, index) => {
                self.operand(base);
                self.text("[");
                self.expr(index);
                self.text("]");
            }
            ExprKind::Range(from, to, inclusive) => self.range(*from, *to, *inclusive),
            ExprKind::Field(base, name) => {
                self.operand(base);
                let _ = write!(self.out, ".{name}");
            }
            ExprKind::Tuple([one]) => {
                self.text("(");
                self.expr(one);
                self.text(",)");
            }
            ExprKind::Tuple(fields) => self.exprs("(", fields, ")"),
            ExprKind::List(items) => self.exprs("[", items, "]"),
            ExprKind::VecList(items) => self.exprs("vec![", items, "]"),
            ExprKind::Repeat(item, count) => {
                self.text("[");
                self.expr(item);
                self.text("; ");
                self.ty(count());
                self.text("]");
            }
            ExprKind::VecRepeat(item, count) => {
                self.text("vec![");
                self.expr(item);
                self.text("; ");
                self.expr(count);
                self.text("]");
            }
            ExprKind::Cast(value, ty) => {
                self.operand(value);
                self.text(" as ");
                self.ty(ty());
            }
            ExprKind::If(condition, then, otherwise) => {
                self.text("if ");
                self.expr(condition);
                self.text(" ");
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.text(" else ");
                    self.expr(otherwise);
                }
            }
            ExprKind::Match(value, arms) => self.arms(value, arms),
            ExprKind::Try(value) => {
                self.operand(value);
                self.text("?");
            }
            ExprKind::Closure(lambda) => self.closure(lambda),
            ExprKind::Block(label, block) => {
                self.label(*label);
                self.block(block);
            }
            ExprKind::While(label, condition, block) => {
                self.label(*label);
                self.text("while ");
                self.expr(condition);
                self.text(" ");
                self.block(block);
            }
            ExprKind::Loop(label, block) => {
                self.label(*label);
                self.text("loop ");
                self.block(block);
            }
            ExprKind::For(label, pattern, iterable, block) => {
                self.label(*label);
                self.text("for ");
                self.pattern(pattern);
                self.text(" in ");
                self.expr(iterable);
                self.text(" ");
                self.block(block);
            }
            ExprKind::Break(label, value) => self.jump("break", *label, *value),
            ExprKind::Continue(label) => self.jump("continue", *label, None),
            ExprKind::Return(value) => self.jump("return", None, *value),
            ExprKind::Assert(condition, text, values) => {
                self.text("assert!(");
                self.expr(condition);
                self.text(", ");
                self.message(text, values);
            }
            ExprKind::Panic(text, values) => {
                self.text("panic!(");
                self.message(text, values);
            }
        }
    }
    /// The text of a panic, the values that it shows, and the closing parenthesis.
    fn message(&mut self, text: &str, values: &'static [Expr]) {
        let _ = write!(self.out, "{text:?}");
        for value in values {
            self.text(", ");
            self.expr(value);
        }
        self.text(")");
    }
    fn suffix(&mut self, ty: Option<Type>) {
        if let Some(ty) = ty {
            let _ = write!(self.out, "_{ty}");
        }
    }
    fn arms(&mut self, value: &'static Expr, arms: &'static [Arm]) {
        self.text("match ");
        self.expr(value);
        self.text(" {");
        self.depth += 1;
        for arm in arms {
            self.line();
            self.pattern(&arm.pattern);
            if let Some(guard) = &arm.guard {
                self.text(" if ");
                self.expr(guard);
            }
            self.text(" => ");
            self.expr(&arm.body);
            self.text(",");
        }
        self.depth -= 1;
        self.line();
        self.text("}");
    }
    fn closure(&mut self, lambda: &'static Lambda) {
        self.text(if lambda.moves { "move |" } else { "|" });
        self.list(lambda.params, |p, (pattern, ty)| {
            p.pattern(pattern);
            if let Some(ty) = ty {
                p.text(": ");
                p.ty(ty());
            }
        });
        self.text("| ");
        if let Some(ret) = lambda.ret {
            self.text("-> ");
            self.ty(ret());
            self.text(" ");
        }
        self.expr(lambda.body);
    }
    fn constant(&mut self, constant: &Constant) {
        match constant {
            Constant::Scalar(value, ty) => {
                let _ = match value {
                    Const::Float(x) => write!(self.out, "{x:?}_{ty}"),
                    Const::Int(n) => write!(self.out, "{n}_{ty}"),
                    Const::Bool(b) => write!(self.out, "{b}"),
                    Const::Unit | Const::Null => write!(self.out, "()"),
                };
            }
            Constant::Tuple(fields) => {
                self.text("(");
                self.list(fields, Self::constant);
                self.text(")");
            }
            Constant::List(items, _) => {
                self.text("[");
                self.list(items, Self::constant);
                self.text("]");
            }
            Constant::Str(text) => {
                let _ = write!(self.out, "{text:?}");
            }
            Constant::Variant(ty, name) => self.variant(*ty, Some(name)),
            Constant::Adt(Ty::Adt(adt, arguments), variant, fields) if adt.is_enum => {
                let variant = adt.variants.get(*variant as usize);
                self.variant(Ty::Adt(adt, arguments), variant.map(|variant| variant.name));
                if !fields.is_empty() {
                    self.text("(");
                    self.list(fields, Self::constant);
                    self.text(")");
                }
            }
            Constant::Adt(ty, _, fields) => {
                self.ty(*ty);
                self.text("(");
                self.list(fields, Self::constant);
                self.text(")");
            }
            Constant::Other(ty) => self.ty(*ty),
        }
    }
}

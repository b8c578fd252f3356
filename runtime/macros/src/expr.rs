//! Expressions.

use crate::path::{self, Target};
use crate::pattern::{self, PatternContext};
use crate::reader::{Reader, text};
use crate::tree::{Node, Word, node};
use crate::{invocation, literal, refuse, statement, types};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{
    Arm, BinOp, Expr, ExprAssign, ExprBinary, ExprBlock, ExprCall, ExprClosure, ExprForLoop,
    ExprIf, ExprMatch, ExprMethodCall, ExprPath, ExprRange, ExprRepeat, ExprStruct, ExprUnary,
    ExprWhile, Label, Lifetime, RangeLimits, ReturnType, UnOp,
};

/// Reads an expression.
pub fn read(reader: &mut Reader, expr: &Expr) -> Node {
    let expr = strip(expr);
    let kind = kind(reader, expr);
    // Messages about a method call point at the name of the method, and others at the start of the expression.
    let place = match expr {
        Expr::MethodCall(call) => call.method.span(),
        other => start(other),
    };
    Node::at(place, kind)
}

/// The expression without parentheses around it.
fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => strip(&inner.expr),
        Expr::Group(inner) => strip(&inner.expr),
        other => other,
    }
}

/// Stands for an expression that was refused.
fn nothing() -> Node {
    node!(Bool, false)
}

fn kind(reader: &mut Reader, expr: &Expr) -> Node {
    match expr {
        Expr::Lit(literal) => literal::kind(reader, &literal.lit),
        Expr::Path(path) => path_kind(reader, path),
        Expr::Unary(unary) => unary_kind(reader, unary),
        Expr::Binary(binary) => binary_kind(reader, binary),
        Expr::Assign(assign) => assign_kind(reader, assign),
        Expr::Call(call) => call_kind(reader, call),
        Expr::MethodCall(call) => method_kind(reader, call),
        Expr::Index(index) => {
            let (base, index) = (read(reader, &index.expr), read(reader, &index.index));
            node!(Index, base, index)
        }
        Expr::Range(range) => range_kind(reader, range),
        Expr::Field(field) => {
            let (base, name) = (read(reader, &field.base), pattern::member(&field.member));
            node!(Field, base, name)
        }
        Expr::Struct(written) => struct_kind(reader, written),
        Expr::Tuple(tuple) => {
            let fields = list(reader, &tuple.elems);
            node!(Tuple, fields)
        }
        Expr::Array(array) => {
            let elements = list(reader, &array.elems);
            node!(List, elements)
        }
        Expr::Repeat(repeat) => repeat_kind(reader, repeat),
        Expr::Reference(reference) => {
            let (is_mut, value) = (
                reference.mutability.is_some(),
                read(reader, &reference.expr),
            );
            node!(Ref, is_mut, value)
        }
        Expr::Cast(cast) => {
            let (value, ty) = (read(reader, &cast.expr), types::node(reader, &cast.ty));
            node!(Cast, value, ty)
        }
        Expr::Try(attempt) => {
            let value = read(reader, &attempt.expr);
            node!(Try, value)
        }
        Expr::Closure(closure) => closure_kind(reader, closure),
        Expr::If(conditional) => if_kind(reader, conditional),
        Expr::Match(written) => match_kind(reader, written),
        Expr::Let(condition) => {
            let value = read(reader, &condition.expr);
            let pattern = pattern::read(reader, &condition.pat, PatternContext::Refutable);
            node!(Let, pattern, value)
        }
        Expr::Block(block) => block_kind(reader, block),
        Expr::While(written) => while_kind(reader, written),
        Expr::Loop(written) => {
            let label = label(&written.label);
            let body = statement::block(reader, &written.body);
            node!(Loop, label, body)
        }
        Expr::ForLoop(written) => for_kind(reader, written),
        Expr::Break(jump) => {
            let (label, value) = (
                label_name(&jump.label),
                optional(reader, jump.expr.as_deref()),
            );
            node!(Break, label, value)
        }
        Expr::Continue(jump) => {
            let label = label_name(&jump.label);
            node!(Continue, label)
        }
        Expr::Return(jump) => {
            let value = optional(reader, jump.expr.as_deref());
            node!(Return, value)
        }
        Expr::Const(block) if reader.names.depends(block) => {
            reader.refuse(
                block,
                "a `const` block that depends on type or const parameters is not supported; write an associated constant, or leave out `const`",
            );
            nothing()
        }
        Expr::Const(block) => {
            let value = reader.names.erased_expr(&Expr::Const(block.clone()));
            let constant = Node::constant(path::constant_thunk(&value));
            node!(Constant, constant)
        }
        Expr::Macro(written) => invocation::kind(reader, &written.mac),
        other => {
            reader.refuse(other, refuse::expression(other));
            nothing()
        }
    }
}

/// Reads the expression if there is one.
fn optional(reader: &mut Reader, expr: Option<&Expr>) -> Option<Node> {
    expr.map(|expr| read(reader, expr))
}

/// Reads all expressions.
pub fn list<'a>(reader: &mut Reader, exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<Node> {
    exprs.into_iter().map(|expr| read(reader, expr)).collect()
}

fn label(label: &Option<Label>) -> Option<String> {
    label_name(&label.as_ref().map(|label| label.name.clone()))
}

fn label_name(name: &Option<Lifetime>) -> Option<String> {
    name.as_ref().map(|name| name.ident.to_string())
}

fn path_kind(reader: &mut Reader, path: &ExprPath) -> Node {
    match path::target(reader, path, false) {
        Target::Local(name) => node!(Local, name),
        Target::Parameter(n, ty) => node!(Parameter, n, ty),
        Target::Constructor(ty, variant) => node!(Construct, ty, variant, Vec::<Node>::new()),
        Target::Constant(constant) => node!(Constant, constant),
        Target::OfType(owner, of_trait, name) => {
            node!(
                Associated,
                owner,
                of_trait,
                name,
                Vec::<Node>::new(),
                Vec::<Node>::new()
            )
        }
        Target::Member(owner, of_trait, name, _) => {
            node!(MethodValue, owner, of_trait, name)
        }
        Target::Function(callee) => node!(Function, callee),
        Target::Method(..) | Target::Known(_) => {
            reader.refuse(
                path,
                "this function cannot be a value here; write a closure that calls it",
            );
            nothing()
        }
        Target::Refused => nothing(),
    }
}

fn call_kind(reader: &mut Reader, call: &ExprCall) -> Node {
    let target = match strip(&call.func) {
        Expr::Path(callee) => {
            let name = callee.path.segments.last();
            name.into_iter()
                .for_each(|name| reader.calls_named(&name.ident));
            path::target(reader, callee, true)
        }
        other => {
            let (function, args) = (read(reader, other), list(reader, &call.args));
            return node!(CallValue, function, args);
        }
    };
    let args = list(reader, &call.args);
    match target {
        Target::Local(name) => {
            let function = Node::at(start(&call.func), node!(Local, name));
            node!(CallValue, function, args)
        }
        Target::Constructor(ty, variant) => node!(Construct, ty, variant, args),
        Target::Member(owner, of_trait, name, types) => {
            node!(Associated, owner, of_trait, name, types, args)
        }
        Target::Method(of_trait, name, types) => {
            node!(Method, name, Some(of_trait), types, args)
        }
        Target::Known("identity") => {
            let value = optional(reader, call.args.first());
            node!(Block, None::<String>, Node::block(Vec::new(), value))
        }
        Target::Known(name) => {
            node!(Method, name, None::<String>, Vec::<Node>::new(), args)
        }
        Target::Function(callee) => node!(Call, callee, args),
        Target::Parameter(..) | Target::Constant(_) | Target::OfType(..) | Target::Refused => {
            nothing()
        }
    }
}

fn method_kind(reader: &mut Reader, call: &ExprMethodCall) -> Node {
    let name = text(&call.method);
    reader.calls_named(&call.method);
    if !reader.is_library {
        reader.calls.note(call);
    }
    let types = match &call.turbofish {
        Some(arguments) => path::turbofish(reader, arguments),
        None => Vec::new(),
    };
    let args = list(reader, std::iter::once(&*call.receiver).chain(&call.args));
    node!(Method, name, None::<String>, types, args)
}

fn struct_kind(reader: &mut Reader, written: &ExprStruct) -> Node {
    let (ty, variant) = path::constructor(reader, &written.path);
    let fields: Vec<_> = written
        .fields
        .iter()
        .map(|field| {
            let (name, value) = (pattern::member(&field.member), read(reader, &field.expr));
            (name, value)
        })
        .collect();
    let base = optional(reader, written.rest.as_deref());
    node!(Struct, ty, variant, fields, base)
}

fn repeat_kind(reader: &mut Reader, repeat: &ExprRepeat) -> Node {
    let value = read(reader, &repeat.expr);
    // A literal does not determine its type.
    let length = &repeat.len;
    let count = match reader.names.constant_of(length) {
        Some(_) => path::length(reader, length),
        None => path::length(reader, &syn::parse_quote!({ let n: usize = #length; n })),
    };
    node!(Repeat, value, count)
}

fn range_kind(reader: &mut Reader, range: &ExprRange) -> Node {
    let inclusive = matches!(range.limits, RangeLimits::Closed(_));
    let (from, to) = (
        optional(reader, range.start.as_deref()),
        optional(reader, range.end.as_deref()),
    );
    node!(Range, from, to, inclusive)
}

fn closure_kind(reader: &mut Reader, closure: &ExprClosure) -> Node {
    if let Some(token) = &closure.asyncness {
        reader.refuse(
            token,
            "asynchronous code cannot be differentiated; make the closure synchronous",
        );
    }
    reader.scoped(|reader| {
        let params: Vec<_> = closure
            .inputs
            .iter()
            .map(|param| {
                let (pattern, ty) = pattern::typed(param);
                let ty = ty.map(|ty| types::node(reader, ty));
                let pattern = pattern::read(reader, pattern, PatternContext::Irrefutable);
                (pattern, ty)
            })
            .collect();
        let ret = match &closure.output {
            ReturnType::Type(_, ty) => Some(types::node(reader, ty)),
            ReturnType::Default => None,
        };
        let body = read(reader, &closure.body);
        node!(Closure, params, ret, body, closure.capture.is_some())
    })
}

/// The names that the condition binds are in scope in the block.
fn if_kind(reader: &mut Reader, conditional: &ExprIf) -> Node {
    let (condition, then) = reader.scoped(|reader| {
        let condition = read(reader, &conditional.cond);
        (
            condition,
            statement::block(reader, &conditional.then_branch),
        )
    });
    let otherwise = conditional
        .else_branch
        .as_ref()
        .map(|(_, otherwise)| &**otherwise);
    let otherwise = optional(reader, otherwise);
    node!(If, condition, then, otherwise)
}

fn while_kind(reader: &mut Reader, written: &ExprWhile) -> Node {
    let label = label(&written.label);
    let (condition, body) = reader.scoped(|reader| {
        let condition = read(reader, &written.cond);
        (condition, statement::block(reader, &written.body))
    });
    node!(While, label, condition, body)
}

fn match_kind(reader: &mut Reader, written: &ExprMatch) -> Node {
    let value = read(reader, &written.expr);
    let arms: Vec<_> = written
        .arms
        .iter()
        .map(|arm| read_arm(reader, arm))
        .collect();
    node!(Match, value, arms)
}

fn read_arm(reader: &mut Reader, arm: &Arm) -> Node {
    reader.scoped(|reader| {
        let pattern = pattern::read(reader, &arm.pat, PatternContext::Refutable);
        let guard = arm.guard.as_ref().map(|(_, guard)| read(reader, guard));
        let body = read(reader, &arm.body);
        arm_of(pattern, guard, body)
    })
}

/// An arm of a `match`.
pub fn arm_of(pattern: Node, guard: Option<Node>, body: Node) -> Node {
    pattern.with(guard).with(body)
}

fn block_kind(reader: &mut Reader, written: &ExprBlock) -> Node {
    let label = label(&written.label);
    let block = statement::block(reader, &written.block);
    node!(Block, label, block)
}

fn for_kind(reader: &mut Reader, written: &ExprForLoop) -> Node {
    let label = label(&written.label);
    let iterable = read(reader, &written.expr);
    let (pattern, body) = reader.scoped(|reader| {
        let pattern = pattern::read(reader, &written.pat, PatternContext::Irrefutable);
        (pattern, statement::block(reader, &written.body))
    });
    node!(For, label, pattern, iterable, body)
}

fn unary_kind(reader: &mut Reader, unary: &ExprUnary) -> Node {
    let operand = read(reader, &unary.expr);
    match unary.op {
        UnOp::Neg(_) => node!(Neg, operand),
        UnOp::Not(_) => node!(Not, operand),
        _ => node!(Deref, operand),
    }
}

/// The operator, and whether it assigns; `None` for `&&` and `||`.
fn operator(op: &BinOp) -> Option<(&'static str, bool)> {
    let (name, assigns) = match op {
        BinOp::Add(_) => ("Add", false),
        BinOp::Sub(_) => ("Sub", false),
        BinOp::Mul(_) => ("Mul", false),
        BinOp::Div(_) => ("Div", false),
        BinOp::Rem(_) => ("Rem", false),
        BinOp::BitAnd(_) => ("And", false),
        BinOp::BitOr(_) => ("Or", false),
        BinOp::BitXor(_) => ("Xor", false),
        BinOp::Shl(_) => ("Shl", false),
        BinOp::Shr(_) => ("Shr", false),
        BinOp::Eq(_) => ("Eq", false),
        BinOp::Ne(_) => ("Ne", false),
        BinOp::Lt(_) => ("Lt", false),
        BinOp::Le(_) => ("Le", false),
        BinOp::Gt(_) => ("Gt", false),
        BinOp::Ge(_) => ("Ge", false),
        BinOp::AddAssign(_) => ("Add", true),
        BinOp::SubAssign(_) => ("Sub", true),
        BinOp::MulAssign(_) => ("Mul", true),
        BinOp::DivAssign(_) => ("Div", true),
        BinOp::RemAssign(_) => ("Rem", true),
        BinOp::BitAndAssign(_) => ("And", true),
        BinOp::BitOrAssign(_) => ("Or", true),
        BinOp::BitXorAssign(_) => ("Xor", true),
        BinOp::ShlAssign(_) => ("Shl", true),
        BinOp::ShrAssign(_) => ("Shr", true),
        _ => return None,
    };
    Some((name, assigns))
}

fn binary_kind(reader: &mut Reader, binary: &ExprBinary) -> Node {
    let (left, right) = (read(reader, &binary.left), read(reader, &binary.right));
    match operator(&binary.op) {
        Some((name, false)) => node!(Binary, Word(name), left, right),
        Some((name, true)) => node!(AssignBinary, Word(name), left, right),
        None => {
            let is_and = matches!(binary.op, BinOp::And(_));
            node!(Lazy, is_and, left, right)
        }
    }
}

/// `(a, _) = e` is `{ let (b, _) = e; a = b; }`, as Rust defines it.
fn assign_kind(reader: &mut Reader, assign: &ExprAssign) -> Node {
    let left = strip(&assign.left);
    if !is_destructuring(left) {
        let (place, value) = (read(reader, left), read(reader, &assign.right));
        return node!(Assign, place, value);
    }
    let value = read(reader, &assign.right);
    let mut parts = Vec::new();
    let pattern = destructured(reader, left, &mut parts);
    let none = None::<Node>;
    let mut statements = vec![node!(Let, pattern, none, Some(value), None::<Node>)];
    statements.extend(parts.into_iter().map(|(place, name, left)| {
        let value = Node::at(place, node!(Local, name));
        node!(Expr, Node::at(place, node!(Assign, left, value)))
    }));
    node!(Block, None::<String>, Node::block(statements, None))
}

fn is_destructuring(place: &Expr) -> bool {
    matches!(
        place,
        Expr::Infer(_) | Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Call(_)
    )
}

/// The pattern that splits a value like the places on the left side, and the name of the part for each place.
fn destructured(reader: &mut Reader, place: &Expr, parts: &mut Vec<(Span, String, Node)>) -> Node {
    let place = strip(place);
    let mut all = |reader: &mut Reader, places: &mut dyn Iterator<Item = &Expr>| {
        let places = places.map(|place| destructured(reader, place, parts));
        places.collect::<Vec<Node>>()
    };
    let shape = match place {
        Expr::Infer(_) => node!(Wild),
        Expr::Range(range) if range.start.is_none() && range.end.is_none() => node!(Rest),
        Expr::Tuple(tuple) => {
            let fields = all(reader, &mut tuple.elems.iter());
            node!(Tuple, fields)
        }
        Expr::Array(array) => {
            let elements = all(reader, &mut array.elems.iter());
            node!(Slice, elements)
        }
        Expr::Call(call) if let Expr::Path(path) = &*call.func => {
            let (ty, variant) = path::constructor(reader, &path.path);
            let fields = all(reader, &mut call.args.iter());
            node!(TupleStruct, ty, variant, fields)
        }
        Expr::Struct(written) => {
            let (ty, variant) = path::constructor(reader, &written.path);
            let fields = written.fields.iter().map(|field| {
                let name = pattern::member(&field.member);
                let pattern = destructured(reader, &field.expr, parts);
                (name, pattern)
            });
            let fields: Vec<_> = fields.collect();
            node!(Struct, ty, variant, fields)
        }
        place => {
            let (name, left) = (reader.fresh(), read(reader, place));
            parts.push((start(place), name.clone(), left));
            return pattern::name(start(place), &name);
        }
    };
    Node::at(start(place), shape)
}

/// The start of an expression. (The span of a whole expression is expensive, because it visits all tokens.)
pub fn start(expr: &Expr) -> Span {
    match expr {
        Expr::Array(e) => e.bracket_token.span.open(),
        Expr::Assign(e) => start(&e.left),
        Expr::Binary(e) => start(&e.left),
        Expr::Block(e) => match &e.label {
            Some(label) => label.name.apostrophe,
            None => e.block.brace_token.span.open(),
        },
        Expr::Call(e) => start(&e.func),
        Expr::Cast(e) => start(&e.expr),
        Expr::Field(e) => start(&e.base),
        Expr::Group(e) => start(&e.expr),
        Expr::If(e) => e.if_token.span,
        Expr::Index(e) => start(&e.expr),
        Expr::Lit(e) => e.lit.span(),
        Expr::Macro(e) => path::start(&e.mac.path),
        Expr::Match(e) => e.match_token.span,
        Expr::MethodCall(e) => start(&e.receiver),
        Expr::Paren(e) => e.paren_token.span.open(),
        Expr::Path(e) => match &e.qself {
            Some(qself) => qself.lt_token.span,
            None => path::start(&e.path),
        },
        Expr::Range(e) => match (&e.start, &e.limits) {
            (Some(from), _) => start(from),
            (None, limits) => limits.span(),
        },
        Expr::Reference(e) => e.and_token.span,
        Expr::Struct(e) => path::start(&e.path),
        Expr::Try(e) => start(&e.expr),
        Expr::Tuple(e) => e.paren_token.span.open(),
        Expr::Unary(e) => e.op.span(),
        Expr::Closure(e) => match &e.capture {
            Some(token) => token.span,
            None => e.or1_token.span,
        },
        Expr::While(e) => e.while_token.span,
        Expr::Loop(e) => e.loop_token.span,
        Expr::ForLoop(e) => e.for_token.span,
        Expr::Break(e) => e.break_token.span,
        Expr::Continue(e) => e.continue_token.span,
        Expr::Return(e) => e.return_token.span,
        Expr::Let(e) => e.let_token.span,
        Expr::Repeat(e) => e.bracket_token.span.open(),
        other => other.span(),
    }
}

//! Forwarding impls: an `impl` of a trait for a pointer or reference to a type that has the trait, such as `Rc<T>`, `&T` and `Box<T>` for `T: Trait`, or
//! `Box<dyn Trait>`. Pointers are erased in differentiable functions, so the methods of such an `impl` must only forward to those of the pointee.

use syn::{
    BinOp, Block, Expr, ExprPath, ExprUnary, FnArg, GenericArgument, Ident, ImplItemConst,
    ItemImpl, Pat, Path, PathArguments, Signature, Stmt, Type, TypeParamBound, UnOp,
    WherePredicate, parse_quote,
};

/// Whether an `impl` is of this kind.
pub fn is_forwarding(item: &ItemImpl, of_trait: &Path) -> bool {
    let last = |path: &Path| path.segments.last().map(|last| last.ident.clone());
    let is_it = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => last(&bound.path) == last(of_trait),
        _ => false,
    };
    let Some(content) = content(&item.self_ty) else {
        return false;
    };
    let mut params = item.generics.type_params();
    let mut clauses = { item.generics.where_clause.iter() }.flat_map(|clause| &clause.predicates);
    match content {
        Type::TraitObject(object) => object.bounds.iter().any(is_it),
        _ => {
            params.any(|param| {
                let name = &param.ident;
                *content == parse_quote!(#name) && param.bounds.iter().any(is_it)
            }) || clauses.any(|clause| match clause {
                WherePredicate::Type(clause) => {
                    clause.bounded_ty == *content && clause.bounds.iter().any(is_it)
                }
                _ => false,
            })
        }
    }
}

/// Whether a type is written as a pointer or reference to a `dyn Trait`.
pub fn is_to_dyn(ty: &Type) -> bool {
    matches!(content(ty), Some(Type::TraitObject(_)))
}

/// The type of the pointee of a reference or pointer.
fn content(ty: &Type) -> Option<&Type> {
    let path = match ty {
        Type::Reference(reference) => return Some(&reference.elem),
        Type::Path(path) => &path.path,
        _ => return None,
    };
    let last = path.segments.last()?;
    let holds = ["Rc", "Arc", "Box"].iter().any(|name| last.ident == name);
    match &last.arguments {
        PathArguments::AngleBracketed(list) if holds => match list.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the body of a method only forwards to the method of the pointee: `(**self).area(scale)`, `T::area(self, scale)`, `*self + *other`.
pub fn forwards(signature: &Signature, block: &Block, owner: &Type, of_trait: &Path) -> bool {
    let [Stmt::Expr(value, _)] = &block.stmts[..] else {
        return false;
    };
    let name = &signature.ident;
    let args: Vec<&Expr> = match bare(value) {
        Expr::MethodCall(call) => {
            let is_it = call.method == *name
                || *name == "from" && call.method == "into"
                || *name == "from_iter" && call.method == "collect";
            if !is_it {
                return false;
            }
            std::iter::once(&*call.receiver).chain(&call.args).collect()
        }
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if names_it(path, name, owner, of_trait) => call.args.iter().collect(),
            _ => return false,
        },
        Expr::Binary(binary) if operator(&binary.op) == Some(&*name.to_string()) => {
            vec![&*binary.left, &*binary.right]
        }
        Expr::Unary(unary) => match (&unary.op, &*name.to_string()) {
            (UnOp::Neg(_), "neg") | (UnOp::Not(_), "not") => vec![&*unary.expr],
            _ => return false,
        },
        _ => return false,
    };
    // Further derefs would lead beyond the pointee.
    let is_reference = { signature.receiver() }.is_some_and(|own| own.reference.is_some());
    let most = if is_reference { 2 } else { 1 };
    let params = names(signature);
    params.len() == args.len() && { params.iter().zip(args) }.all(|(param, arg)| {
        match viewed(arg) {
            Expr::Path(path) => {
                path.path.is_ident(param) && (param != "self" || steps(arg) <= most)
            }
            _ => false,
        }
    })
}

/// The names of the parameters of a function. A parameter with another pattern gets a name that cannot be written.
pub fn names(signature: &Signature) -> Vec<String> {
    let named = |input: &FnArg| match input {
        FnArg::Receiver(_) => "self".to_owned(),
        FnArg::Typed(param) => match &*param.pat {
            Pat::Ident(name) => name.ident.to_string(),
            _ => String::new(),
        },
    };
    signature.inputs.iter().map(named).collect()
}

/// The name of a type, or of the pointee of a reference.
pub fn ident(ty: &Type) -> Option<&Ident> {
    match (content(ty), ty) {
        (Some(content), _) => ident(content),
        (None, Type::Path(path)) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

/// Whether a path names the trait's method: `T::area`, `Area::area`, `<T as Area>::area`.
fn names_it(path: &ExprPath, name: &Ident, owner: &Type, of_trait: &Path) -> bool {
    let mut segments = path.path.segments.iter().rev();
    let is_named = segments.next().is_some_and(|last| last.ident == *name);
    let of = segments.next().map(|of| &of.ident);
    let of_trait = of_trait.segments.last().map(|last| &last.ident);
    let is_its = match &path.qself {
        Some(qself) => {
            let ty = &*qself.ty;
            let is_content =
                content(owner) == Some(ty) || ident(ty).is_some() && ident(ty) == ident(owner);
            is_content && (qself.position == 0 || of == of_trait)
        }
        None => of.is_some_and(|of| of == "Self" || [of_trait, ident(owner)].contains(&Some(of))),
    };
    is_named && is_its
}

/// The method of an operator.
fn operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "add",
        BinOp::Sub(_) => "sub",
        BinOp::Mul(_) => "mul",
        BinOp::Div(_) => "div",
        BinOp::Rem(_) => "rem",
        BinOp::BitAnd(_) => "bitand",
        BinOp::BitOr(_) => "bitor",
        BinOp::BitXor(_) => "bitxor",
        BinOp::Shl(_) => "shl",
        BinOp::Shr(_) => "shr",
        BinOp::AddAssign(_) => "add_assign",
        BinOp::SubAssign(_) => "sub_assign",
        BinOp::MulAssign(_) => "mul_assign",
        BinOp::DivAssign(_) => "div_assign",
        BinOp::RemAssign(_) => "rem_assign",
        BinOp::Eq(_) => "eq",
        _ => return None,
    })
}

/// Whether a constant is the one of the pointee: `T::GAIN`.
pub fn is_same(item: &ImplItemConst, owner: &Type, of_trait: &Path) -> bool {
    match &item.expr {
        Expr::Path(path) => names_it(path, &item.ident, owner, of_trait),
        _ => false,
    }
}

/// The number of derefs of a name in an expression, as far as it can be seen: `&**self` dereferences `self` once.
fn steps(expr: &Expr) -> isize {
    match expr {
        Expr::Paren(inner) => steps(&inner.expr),
        Expr::Reference(inner) => steps(&inner.expr) - 1,
        Expr::Unary(ExprUnary { expr, .. }) => steps(expr) + 1,
        Expr::MethodCall(call) => {
            let is_view = ["as_ref", "as_mut", "deref", "deref_mut"];
            let is_view = is_view.iter().any(|view| call.method == view);
            steps(&call.receiver) + isize::from(is_view)
        }
        _ => 0,
    }
}

/// An expression without outer `&` and `*`.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Reference(inner) => bare(&inner.expr),
        Expr::Unary(ExprUnary {
            op: UnOp::Deref(_),
            expr,
            ..
        }) => bare(expr),
        expr => expr,
    }
}

/// The same, also without methods that borrow or dereference.
fn viewed(expr: &Expr) -> &Expr {
    const VIEWS: [&str; 8] = [
        "as_ref",
        "as_mut",
        "deref",
        "deref_mut",
        "clone",
        "copied",
        "cloned",
        "into_iter",
    ];
    match bare(expr) {
        Expr::MethodCall(call) if VIEWS.iter().any(|view| call.method == view) => {
            viewed(&call.receiver)
        }
        expr => expr,
    }
}

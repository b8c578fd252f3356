//! An `impl` for what holds a value that has the trait itself: `Rc<T>`, `&T` and `Box<T>` of a `T: Trait`, `Box<dyn Trait>`. What they hold stands for
//! them in differentiable functions, so their methods may only do what its methods do.

use syn::{
    Expr, ExprUnary, FnArg, GenericArgument, ImplItemConst, ImplItemFn, ItemImpl, Pat, Path,
    PathArguments, Stmt, Type, TypeParamBound, UnOp, WherePredicate, parse_quote,
};

/// Whether an `impl` is for such a type.
pub fn is_held(item: &ItemImpl, of_trait: &Path) -> bool {
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

/// What a reference or a pointer holds.
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

/// Whether a method does what that of the same name does of what `self` holds: `(**self).area(scale)`, `T::area(self, scale)`.
pub fn forwards(item: &ImplItemFn) -> bool {
    let [Stmt::Expr(value, _)] = &item.block.stmts[..] else {
        return false;
    };
    let (name, receiver, args): (_, _, Vec<&Expr>) = match value {
        Expr::MethodCall(call) => (
            &call.method,
            Some(&*call.receiver),
            call.args.iter().collect(),
        ),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => match path.path.segments.last() {
                Some(last) => {
                    let mut args = call.args.iter();
                    (&last.ident, args.next(), args.collect())
                }
                None => return false,
            },
            _ => return false,
        },
        _ => return false,
    };
    let params = item.sig.inputs.iter().skip(1);
    let passes = |(param, arg): (&FnArg, &&Expr)| match (param, arg) {
        (FnArg::Typed(param), Expr::Path(arg)) => match &*param.pat {
            Pat::Ident(name) => arg.path.is_ident(&name.ident),
            _ => false,
        },
        _ => false,
    };
    *name == item.sig.ident
        && receiver.is_some_and(is_self)
        && params.len() == args.len()
        && params.zip(&args).all(passes)
}

/// Whether a constant is that of what is held: `T::GAIN`.
pub fn is_same(item: &ImplItemConst) -> bool {
    match &item.expr {
        Expr::Path(path) => {
            let last = path.path.segments.last();
            path.path.segments.len() > 1 && last.is_some_and(|last| last.ident == item.ident)
        }
        _ => false,
    }
}

/// Whether an expression is `self`, or what it holds.
fn is_self(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.is_ident("self"),
        Expr::Paren(inner) => is_self(&inner.expr),
        Expr::Reference(inner) => is_self(&inner.expr),
        Expr::Unary(ExprUnary {
            op: UnOp::Deref(_),
            expr,
            ..
        }) => is_self(expr),
        Expr::MethodCall(call) => {
            let views = ["as_ref", "as_mut", "deref", "deref_mut"];
            views.iter().any(|view| call.method == view) && is_self(&call.receiver)
        }
        _ => false,
    }
}

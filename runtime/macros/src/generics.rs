//! Type and const parameters, and types that are written outside of their scope.
//!
//! A source is one static, the same for all instances of a generic function. In its types, `__mc::Hole<i>` stands for the i-th parameter if it is a type,
//! `__mc::hole::usize(i)` if it is a constant, `__mc::Unknown` for a type that cannot be written there, and the type of the `impl` for `Self`. A parameter
//! that is a function or an iterator has a [`StandIn`].

use crate::{own_methods, types};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, GenericArgument, GenericParam, Generics, Ident, Lifetime, ParenthesizedGenericArguments,
    Path, PathArguments, Stmt, TraitBound, TraitBoundModifier, Type, TypeBareFn, TypeParam,
    TypeParamBound, TypePath, TypeReference, WherePredicate, parse_quote, parse_quote_spanned,
};

/// The meanings of the names of type parameters.
#[derive(Clone, Default)]
pub struct Names {
    meanings: HashMap<String, Meaning>,
    /// The number of holes.
    pub count: u32,
    /// The meaning of `Self`.
    pub own: Option<Own>,
    /// The bounds of type parameters, with their positions, that may have methods that the macro does not know.
    bounds: Vec<(u32, Path)>,
    /// The parameters that are functions or iterators.
    stand_ins: Vec<StandIn>,
    /// Where each type is written for the first time in the item, see [`Names::place`].
    places: Rc<RefCell<HashMap<String, Span>>>,
}

#[derive(Clone)]
enum Meaning {
    Hole(u32),
    Unknown,
    /// A const parameter and its type.
    Const(u32, Box<Type>),
}

/// The meaning of `Self`.
#[derive(Clone)]
pub struct Own {
    /// The type, with its parameters replaced.
    pub ty: Type,
    /// The trait of the `impl`, to which `Self::Output` belongs.
    pub of_trait: Option<Path>,
    /// What the `impl` gives associated types, with its parameters replaced; but for those that rustc alone can resolve.
    pub associated: Vec<(Ident, Type)>,
    /// Whether this is a trait, so that `Self` is any type.
    pub is_trait: bool,
    /// Whether there are parameters, or `Self` may be any type.
    pub is_generic: bool,
}

impl Names {
    /// Adds the parameters of a function. The types of functions and iterators cannot be written, so such parameters are unknown.
    pub fn add_function(&mut self, generics: &Generics) {
        for param in &generics.params {
            match param {
                GenericParam::Type(param) if is_unwritable(param, generics) => {
                    self.meanings
                        .insert(param.ident.to_string(), Meaning::Unknown);
                    let stand_in = StandIn::new(param, generics, u32::MAX);
                    self.stand_ins.extend(stand_in);
                }
                param => self.add_hole(param, generics),
            }
        }
    }
    /// Adds the parameters of an `impl` or a trait.
    pub fn add_owner(&mut self, generics: &Generics) {
        generics
            .params
            .iter()
            .for_each(|param| self.add_hole(param, generics));
    }
    fn add_hole(&mut self, param: &GenericParam, generics: &Generics) {
        let (name, hole) = match param {
            GenericParam::Type(param) => {
                let unknown = own_methods::unknown(bounds(param, generics));
                let unknown = unknown.into_iter().map(|bound| (self.count, bound));
                self.bounds.extend(unknown);
                let stand_in = StandIn::new(param, generics, self.count);
                self.stand_ins.extend(stand_in);
                (&param.ident, Meaning::Hole(self.count))
            }
            GenericParam::Const(param) => (
                &param.ident,
                Meaning::Const(self.count, Box::new(param.ty.clone())),
            ),
            GenericParam::Lifetime(_) => return,
        };
        self.count += 1;
        self.meanings.insert(name.to_string(), hole);
    }
    /// The bounds of type parameters that may have methods that the macro does not know.
    pub fn bounds(&self) -> &[(u32, Path)] {
        &self.bounds
    }
    /// The bound that says that a type parameter, or an `impl Trait`, is a function.
    pub fn function_bound(&self, ty: &Type) -> Option<ParenthesizedGenericArguments> {
        let of_bound = |bound: &TraitBound| match &bound.path.segments.last()?.arguments {
            PathArguments::Parenthesized(own) if is_called(&bound.path, FUNCTIONS) => {
                Some(own.clone())
            }
            _ => None,
        };
        match ty {
            Type::Reference(reference) => self.function_bound(&reference.elem),
            Type::Paren(inner) => self.function_bound(&inner.elem),
            Type::ImplTrait(object) => object.bounds.iter().find_map(|bound| match bound {
                TypeParamBound::Trait(bound) => of_bound(bound),
                _ => None,
            }),
            Type::Path(path) => {
                let mut own =
                    { self.stand_ins.iter() }.filter(|one| path.path.is_ident(&one.param));
                own.find_map(|one| one.bounds.iter().find_map(of_bound))
            }
            _ => None,
        }
    }
    /// Whether this name is a type parameter.
    pub fn is_type(&self, name: &str) -> bool {
        matches!(
            self.meanings.get(name),
            Some(Meaning::Hole(_) | Meaning::Unknown)
        )
    }
    /// The position and the type of the const parameter with this name.
    pub fn constant(&self, name: &str) -> Option<(u32, &Type)> {
        match self.meanings.get(name)? {
            Meaning::Const(n, ty) => Some((*n, ty)),
            _ => None,
        }
    }
    /// The position of the const parameter, if an expression is one: `N`, `{ N }`.
    pub fn constant_of(&self, value: &Expr) -> Option<u32> {
        const_name(value).and_then(|name| Some(self.constant(&name.to_string())?.0))
    }
    /// The ref kind of a type, with `Self` replaced.
    pub fn ref_kind(&self, ty: &Type) -> TokenStream {
        let own = self
            .own
            .as_ref()
            .filter(|_| matches!(ty, Type::Path(path) if path.path.is_ident("Self")));
        let is_parameter = |name: &Ident| self.is_type(&name.to_string());
        match own {
            Some(own) if own.is_trait => quote!(__mc::RefKind::Unknown),
            Some(own) => types::ref_kind(&own.ty, &|ty| self.erased(ty), &is_parameter),
            None => types::ref_kind(ty, &|ty| self.erased(ty), &is_parameter),
        }
    }
    /// The ref kind of the elements of a type.
    pub fn element_kind(&self, ty: &Type) -> TokenStream {
        match types::element(ty) {
            Some(element) => self.ref_kind(element),
            None => quote!(__mc::RefKind::Unknown),
        }
    }
    /// Where rustc is to report that this type is not supported: where the item first names it, or the type behind its references and in its lists. rustc
    /// prints one error for one place, so a type without its derive is one error in each item, however often the item names it.
    pub fn place(&self, written: &Type) -> Span {
        self.place_of(written, &self.erased(written))
    }
    fn place_of(&self, written: &Type, erased: &Type) -> Span {
        let name = types::named(erased).to_token_stream().to_string();
        let start = types::start(types::named(written));
        *self.places.borrow_mut().entry(name).or_insert(start)
    }
    /// The function that returns a type that is written in the item: `<T as Typed>::ty`.
    pub fn function(&self, ty: &Type) -> TokenStream {
        let erased = self.erased(ty);
        types::given(&erased, self.place_of(ty, &erased))
    }
    /// The type as it can be written in a static.
    pub fn erased(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        self.erase(|erase| erase.visit_type_mut(&mut ty));
        ty
    }
    /// The type erased, unless it mentions `Self` or an associated type of a parameter that has a [`StandIn`], which rustc resolves.
    pub fn erased_alone(&self, ty: &Type) -> Option<Type> {
        let mut found = Projections {
            names: self,
            found: false,
        };
        found.visit_type(ty);
        (!found.found).then(|| self.erased(ty))
    }
    /// The path with the types in its arguments erased.
    pub fn erased_path(&self, path: &Path) -> Path {
        let mut path = path.clone();
        self.erase(|erase| erase.visit_path_mut(&mut path));
        path
    }
    /// The condition with the types in it erased.
    pub fn erased_predicate(&self, predicate: &WherePredicate) -> WherePredicate {
        let mut predicate = predicate.clone();
        self.erase_condition(|erase| erase.visit_where_predicate_mut(&mut predicate));
        predicate
    }
    /// The expression with the types in it erased.
    pub fn erased_expr(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        self.erase(|erase| erase.visit_expr_mut(&mut expr));
        expr
    }
    fn erase(&self, visit: impl FnOnce(&mut Erase)) {
        let lifetime = Lifetime::new("'static", Span::call_site());
        visit(&mut Erase {
            names: self,
            lifetime,
            kept: None,
        });
    }
    /// The same for bounds, in which lifetimes of their own stay.
    fn erase_condition(&self, visit: impl FnOnce(&mut Erase)) {
        self.erase(|erase| {
            erase.kept = Some(Vec::new());
            visit(erase);
        });
    }
    /// An expression in which erased types are written, with the items that these types need.
    pub fn with_stand_ins(&self, expr: TokenStream) -> TokenStream {
        match self.stand_ins.is_empty() {
            true => expr,
            false => {
                let items = self.stand_ins();
                quote!({ #items #expr })
            }
        }
    }
    /// The items that erased types need.
    pub fn stand_ins(&self) -> TokenStream {
        let items = self.stand_ins.iter().map(|stand_in| {
            stand_in.items(&mut |bound| {
                self.erase_condition(|erase| erase.visit_trait_bound_mut(bound));
            })
        });
        items.collect()
    }
    /// The same names for type arguments that are omitted: nothing tells one from the other.
    pub fn omitted(mut self) -> Names {
        for meaning in self.meanings.values_mut() {
            match meaning {
                Meaning::Hole(n) | Meaning::Const(n, _) => *n = u32::MAX,
                Meaning::Unknown => {}
            }
        }
        for stand_in in &mut self.stand_ins {
            stand_in.position = u32::MAX;
        }
        self
    }
    fn meaning(&self, path: &Path) -> Option<&Meaning> {
        self.meanings.get(&path.segments.first()?.ident.to_string())
    }
    /// Whether the meaning of the tokens depends on type or const arguments.
    pub fn depends(&self, text: &impl ToTokens) -> bool {
        fn search(names: &Names, tokens: TokenStream) -> bool {
            tokens.into_iter().any(|token| match token {
                TokenTree::Ident(name) if name == "Self" => {
                    names.own.as_ref().is_some_and(|own| own.is_generic)
                }
                TokenTree::Ident(name) => names.meanings.contains_key(&name.to_string()),
                TokenTree::Group(group) => search(names, group.stream()),
                _ => false,
            })
        }
        search(self, text.to_token_stream())
    }
}

/// The name, if an expression is just a name: `N`, `{ N }`.
fn const_name(value: &Expr) -> Option<&Ident> {
    match value {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Paren(inner) => const_name(&inner.expr),
        Expr::Group(inner) => const_name(&inner.expr),
        Expr::Block(block) => match &block.block.stmts[..] {
            [Stmt::Expr(inner, None)] => const_name(inner),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a number can stand for const parameters of a type. Types with few values have none to spare.
fn has_holes(ty: &Type) -> bool {
    const TYPES: [&str; 6] = ["usize", "u64", "u32", "isize", "i64", "i32"];
    matches!(ty, Type::Path(path) if TYPES.iter().any(|name| path.path.is_ident(name)))
}

/// The value for an omitted const argument. An argument of a type with few values is never omitted, because no value could mark it.
pub fn unwritten(ty: &Type) -> TokenStream {
    match ty {
        ty if has_holes(ty) => quote!({ ::mooncake::__private::hole::#ty(u32::MAX) }),
        Type::Path(path) if path.path.is_ident("bool") => quote!(false),
        Type::Path(path) if path.path.is_ident("char") => quote!('0'),
        _ => quote!(0),
    }
}

/// The value that stands for the const parameter at a position.
pub fn const_hole(n: u32, ty: &Type, place: Span) -> Expr {
    match has_holes(ty) {
        true => parse_quote!({ __mc::hole::#ty(#n) }),
        false => {
            let message = "const parameters of types are integers of at least 32 bits; make it a field, or write one type for each value";
            parse_quote_spanned!(place=> { ::core::compile_error!(#message) })
        }
    }
}

/// Whether a bound says that a parameter is a function or an iterator.
pub fn is_unwritable(param: &TypeParam, generics: &Generics) -> bool {
    bounds(param, generics).any(|bound| {
        [FUNCTIONS, ITERATORS, "IntoIterator"]
            .iter()
            .any(|names| is_called(bound, names))
    })
}

const FUNCTIONS: &str = "Fn FnMut FnOnce";
const ITERATORS: &str = "Iterator DoubleEndedIterator ExactSizeIterator";

/// The traits that bound a parameter.
fn bounds<'a>(
    param: &'a TypeParam,
    generics: &'a Generics,
) -> impl Iterator<Item = &'a Path> + Clone {
    all_bounds(param, generics).filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(&bound.path),
        _ => None,
    })
}

/// The bounds of a parameter, in its declaration and in the `where` clause.
fn all_bounds<'a>(
    param: &'a TypeParam,
    generics: &'a Generics,
) -> impl Iterator<Item = &'a TypeParamBound> + Clone {
    let clauses = generics.where_clause.iter();
    let elsewhere = clauses.flat_map(|clause| &clause.predicates);
    let elsewhere = elsewhere.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => match &predicate.bounded_ty {
            Type::Path(ty) if ty.path.is_ident(&param.ident) => Some(&predicate.bounds),
            _ => None,
        },
        _ => None,
    });
    elsewhere.chain([&param.bounds]).flatten()
}

/// The type that stands for a parameter that is a function or an iterator. A struct may demand that its parameter is one, and a `Hole` is none. So the
/// macro writes a trait with the bounds of the parameter, and a reference to a `dyn` of this trait stands for the parameter.
#[derive(Clone)]
pub struct StandIn {
    param: Ident,
    position: u32,
    bounds: Vec<TraitBound>,
}

impl StandIn {
    /// The type for a parameter that is a function, or an iterator whose bound says what its items are. Other bounds are left out: references to
    /// functions are `Copy`, and nothing can be done about the others.
    pub fn new(param: &TypeParam, generics: &Generics, position: u32) -> Option<StandIn> {
        let is_called_or_asked = |bound: &TraitBound| {
            let last = bound.path.segments.last();
            let has_items = last.is_some_and(|last| !last.arguments.is_none());
            is_called(&bound.path, FUNCTIONS) || is_called(&bound.path, ITERATORS) && has_items
        };
        let mut bounds: Vec<TraitBound> = all_bounds(param, generics)
            .filter_map(|bound| match bound {
                TypeParamBound::Trait(bound) => Some(bound.clone()),
                _ => None,
            })
            .collect();
        let is_needed = bounds.iter().any(is_called_or_asked);
        bounds.retain(|bound| is_called_or_asked(bound) || is_called(&bound.path, "Send Sync"));
        is_needed.then(|| StandIn {
            param: param.ident.clone(),
            position,
            bounds,
        })
    }
    /// The name of the trait.
    fn name(&self) -> Ident {
        format_ident!("__Mc{}{}", self.param, self.position)
    }
    /// The type.
    pub fn ty(&self) -> Type {
        let name = self.name();
        let is_iterator = |bound: &TraitBound| is_called(&bound.path, ITERATORS);
        // Shared references to functions are functions. Only exclusive references to iterators are iterators.
        match self.bounds.iter().any(is_iterator) {
            true => parse_quote!(&'static mut dyn #name),
            false => parse_quote!(&'static dyn #name),
        }
    }
    /// The trait, with the types in its bounds replaced by `erase`.
    pub fn items(&self, erase: &mut dyn FnMut(&mut TraitBound)) -> TokenStream {
        let (name, position) = (self.name(), self.position);
        let bounds = self.bounds.iter().map(|bound| {
            let mut bound = bound.clone();
            erase(&mut bound);
            // What is an `Fn` is an `FnMut` and an `FnOnce` too.
            if is_called(&bound.path, FUNCTIONS)
                && let Some(last) = bound.path.segments.last_mut()
            {
                last.ident = Ident::new("Fn", last.ident.span());
            }
            bound
        });
        // Public, because code in other modules may write the types of which this is a part.
        quote! {
            #[allow(private_bounds)]
            pub trait #name: #(#bounds)+* {}
            #[diagnostic::do_not_recommend]
            impl __mc::TypeBehind for dyn #name {
                type Gradient = ();
                type BoxGradient = ();
                type RcGradient = ();
                fn shared() -> __mc::Ty {
                    <__mc::Hole<#position> as __mc::Typed>::ty()
                }
                fn mutable() -> __mc::Ty {
                    Self::shared()
                }
            }
        }
    }
}

/// Whether a parameter may be a type without a known size: `T: ?Sized`.
pub fn may_be_unsized(param: &TypeParam, generics: &Generics) -> bool {
    all_bounds(param, generics).any(|bound| match bound {
        TypeParamBound::Trait(bound) => matches!(bound.modifier, TraitBoundModifier::Maybe(_)),
        _ => false,
    })
}

/// The trait of a parameter's types, and their type in the language.
pub fn typed(param: &TypeParam, generics: &Generics) -> (TokenStream, TokenStream) {
    let name = &param.ident;
    match may_be_unsized(param, generics) {
        true => (
            quote!(::mooncake::__private::TypeBehind),
            quote!(<#name as ::mooncake::__private::TypeBehind>::shared()),
        ),
        false => (
            quote!(::mooncake::__private::Typed),
            quote!(<#name as ::mooncake::__private::Typed>::ty()),
        ),
    }
}

/// Whether a bound is a trait of std or of this library without methods named like those of a float.
pub fn is_known_bound(bound: &Path) -> bool {
    const TRAITS: &str = "Add AddAssign AsMut AsRef Borrow BorrowMut Clone Copy Debug Default Deref DerefMut Differentiable Display Div \
        DivAssign Eq From FromIterator Hash Index IndexMut Into Mul MulAssign Neg Not Ord PartialEq PartialOrd Product Rem \
        RemAssign Send Sized Sub SubAssign Sum Sync ToOwned Typed Unpin Value";
    is_called(bound, TRAITS)
}

fn is_called(bound: &Path, names: &str) -> bool {
    let last = bound.segments.last();
    last.is_some_and(|last| names.split_whitespace().any(|name| last.ident == name))
}

/// Replaces the parts of a type that a static cannot mention.
struct Erase<'a> {
    names: &'a Names,
    lifetime: Lifetime,
    /// In conditions: the lifetimes that stay, which are those of arguments of calls. `Fn(&f64)` is more than `Fn(&'static f64)`.
    kept: Option<Vec<Ident>>,
}

impl Erase<'_> {
    /// The replacement of a path, if it is replaced as a whole.
    fn replaced(&self, ty: &TypePath) -> Option<Type> {
        let (path, names) = (&ty.path, self.names);
        let (segments, first) = (path.segments.len(), path.segments.first()?);
        if let Some(qself) = &ty.qself {
            // An associated type of a type parameter is not known here.
            return match &*qself.ty {
                Type::Path(of) if of.qself.is_none() && self.is_any(&of.path) => Some(unknown()),
                _ => None,
            };
        }
        if first.ident == "Self" {
            let own = names.own.as_ref()?;
            return match (segments, &own.of_trait) {
                (1, _) => Some(own.ty.clone()),
                (2, Some(of_trait)) => {
                    let (ty, last) = (&own.ty, path.segments.last()?);
                    let mut associated = own.associated.iter();
                    if let Some((_, ty)) = associated.find(|(name, _)| *name == last.ident) {
                        return Some(ty.clone());
                    }
                    let of_trait = with_types(of_trait);
                    Some(parse_quote!(<#ty as #of_trait>::#last))
                }
                _ if own.is_trait => Some(unknown()),
                _ => None,
            };
        }
        let is_it = |stand_in: &&StandIn| path.is_ident(&stand_in.param);
        if let Some(stand_in) = names.stand_ins.iter().find(is_it) {
            return Some(stand_in.ty());
        }
        match names.meaning(path)? {
            Meaning::Hole(n) if segments == 1 => Some(parse_quote!(__mc::Hole<#n>)),
            Meaning::Const(..) => None,
            _ => Some(unknown()),
        }
    }
    /// `for<'a>`: where all lifetimes are erased, it is removed.
    fn enter(&mut self, lifetimes: &mut Option<syn::BoundLifetimes>) {
        match &mut self.kept {
            None => *lifetimes = None,
            Some(kept) => {
                let params = lifetimes.iter().flat_map(|bound| &bound.lifetimes);
                kept.extend(params.filter_map(|param| match param {
                    GenericParam::Lifetime(param) => Some(param.lifetime.ident.clone()),
                    _ => None,
                }));
            }
        }
    }
    /// Whether the path is a type parameter, or `Self` in a trait.
    fn is_any(&self, path: &Path) -> bool {
        let is_self =
            path.is_ident("Self") && self.names.own.as_ref().is_some_and(|own| own.is_trait);
        is_self || self.names.meaning(path).is_some()
    }
}

/// Looks for `Self` and for associated types of parameters with a [`StandIn`].
struct Projections<'a> {
    names: &'a Names,
    found: bool,
}

impl Visit<'_> for Projections<'_> {
    fn visit_type_path(&mut self, ty: &TypePath) {
        let first = ty.path.segments.first().map(|segment| &segment.ident);
        let mut stand_ins = self.names.stand_ins.iter();
        let is_projected =
            ty.path.segments.len() > 1 && stand_ins.any(|stand_in| first == Some(&stand_in.param));
        self.found |=
            ty.qself.is_some() || first.is_some_and(|first| first == "Self") || is_projected;
        visit::visit_type_path(self, ty);
    }
}

/// The trait that has the associated types of a trait's `impl`: for some traits of std their supertrait, as `Index` for `IndexMut`.
fn with_types(of_trait: &Path) -> Path {
    let Some(last) = of_trait.segments.last() else {
        return of_trait.clone();
    };
    let arguments = &last.arguments;
    match last.ident.to_string().as_str() {
        "IndexMut" => parse_quote!(::core::ops::Index #arguments),
        "DerefMut" => parse_quote!(::core::ops::Deref),
        "DoubleEndedIterator" | "ExactSizeIterator" => parse_quote!(::core::iter::Iterator),
        _ => of_trait.clone(),
    }
}

fn unknown() -> Type {
    parse_quote!(__mc::Unknown)
}

impl VisitMut for Erase<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let replaced = match ty {
            Type::Path(path) => self.replaced(path),
            Type::Infer(_) | Type::ImplTrait(_) => Some(unknown()),
            Type::Group(inner) => Some((*inner.elem).clone()),
            _ => None,
        };
        match replaced {
            // A group may contain any tokens.
            Some(other) if matches!(ty, Type::Group(_)) => {
                *ty = other;
                self.visit_type_mut(ty);
            }
            Some(other) => *ty = other,
            None => visit_mut::visit_type_mut(self, ty),
        }
    }
    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        if let GenericArgument::Type(Type::Path(ty)) = argument
            && let (None, Some(name)) = (&ty.qself, ty.path.get_ident())
            && let Some((n, of)) = self.names.constant(&name.to_string())
        {
            *argument = GenericArgument::Const(const_hole(n, of, name.span()));
        }
        visit_mut::visit_generic_argument_mut(self, argument);
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(name) = const_name(expr)
            && let Some((n, of)) = self.names.constant(&name.to_string())
        {
            *expr = const_hole(n, of, name.span());
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
    /// A path to a value that begins with a type: `T::one`, `Self::LIMIT`.
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        let owner = TypePath {
            qself: None,
            path: path
                .path
                .segments
                .first()
                .cloned()
                .map(Path::from)
                .unwrap_or(path.path.clone()),
        };
        if path.qself.is_none()
            && path.path.segments.len() > 1
            && let Some(owner) = self.replaced(&owner)
        {
            let rest = path.path.segments.iter().skip(1);
            *path = parse_quote!(<#owner>::#(#rest)::*);
            return;
        }
        visit_mut::visit_expr_path_mut(self, path);
    }
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if self.kept.is_none() {
            reference.lifetime = Some(self.lifetime.clone());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        let is_kept = self
            .kept
            .as_ref()
            .is_some_and(|kept| lifetime.ident == "_" || kept.contains(&lifetime.ident));
        if !is_kept {
            *lifetime = self.lifetime.clone();
        }
    }
    fn visit_trait_bound_mut(&mut self, bound: &mut TraitBound) {
        self.enter(&mut bound.lifetimes);
        visit_mut::visit_trait_bound_mut(self, bound);
    }
    fn visit_predicate_type_mut(&mut self, predicate: &mut syn::PredicateType) {
        self.enter(&mut predicate.lifetimes);
        visit_mut::visit_predicate_type_mut(self, predicate);
    }
    fn visit_type_bare_fn_mut(&mut self, function: &mut TypeBareFn) {
        self.enter(&mut function.lifetimes);
        visit_mut::visit_type_bare_fn_mut(self, function);
    }
}

/// The parameters as arguments, `<T, N>`, without lifetimes.
pub fn arguments(generics: &Generics) -> TokenStream {
    let names = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    });
    let names: Vec<_> = names.collect();
    match names.is_empty() {
        true => TokenStream::new(),
        false => quote!(<#(#names),*>),
    }
}

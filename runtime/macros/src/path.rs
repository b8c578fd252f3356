//! What a path in an expression or a pattern names. rustc knows; the macro tells by the way names are written, and rustc objects if it errs.
//!
//! | form | meaning |
//! | --- | --- |
//! | a name that is bound here | variable |
//! | `Upper` (with a lower-case letter), `Some`, `a::Point` | constructor |
//! | `Shape::Circle` | variant |
//! | `UPPER`, `m::UPPER` | constant |
//! | `Axis::X` | constant or variant: rustc tells |
//! | `Type::name`, `T::name`, `f64::name`, `<T as Trait>::name`, `Trait::name` | function of a type |
//! | `name`, `m::name` | differentiable function |

use crate::native;
use crate::reader::Reader;
use crate::refuse;
use crate::tree::Node;
use crate::types;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{ExprPath, Path, PathArguments, Type, TypePath, parse_quote};

/// The meaning of a path.
pub enum Target {
    /// A variable.
    Local(String),
    /// A const parameter: its position, and its type.
    Parameter(u32, Node),
    /// The type, and the variant if it is one.
    Constructor(Node, Option<String>),
    /// Its value.
    Constant(Node),
    /// A constant of a type that is known only for an instance: the type, the trait if it is written, and the name.
    OfType(Node, Option<Node>, String),
    /// The type, the trait if it is written, the name, and the type arguments of the function.
    Member(Node, Option<Node>, String, Vec<Node>),
    /// A method of a trait of std: the trait, the method, and its type arguments: `Clone::clone`.
    Method(String, String, Vec<Node>),
    /// A function with a special meaning: `mem::swap`.
    Known(&'static str),
    /// A differentiable function.
    Function(Node),
    /// The path was refused.
    Refused,
}

/// The free functions of std, and their names in the tree. Names with `::` have no receiver.
const KNOWN: &[(&str, &str, &str)] = &[
    ("mem", "swap", "mem::swap"),
    ("mem", "replace", "mem::replace"),
    ("mem", "take", "mem::take"),
    ("mem", "drop", "drop"),
    ("", "drop", "drop"),
    ("convert", "identity", "identity"),
    ("hint", "black_box", "identity"),
    ("cmp", "max", "max"),
    ("cmp", "min", "min"),
    ("iter", "zip", "iter::zip"),
    ("iter", "once", "iter::once"),
    ("iter", "empty", "iter::empty"),
    ("iter", "repeat", "iter::repeat"),
    ("iter", "repeat_n", "iter::repeat_n"),
    ("iter", "from_fn", "iter::from_fn"),
    ("iter", "repeat_with", "iter::repeat_with"),
    ("iter", "successors", "iter::successors"),
    ("array", "from_fn", "array::from_fn"),
    ("", "stop_gradient", "stop_gradient"),
    ("mooncake", "stop_gradient", "stop_gradient"),
    ("prelude", "stop_gradient", "stop_gradient"),
];

/// Traits whose functions are methods: `Clone::clone(&x)`. The first argument determines the type.
const TRAITS: &[&str] = &[
    "Add",
    "AddAssign",
    "AsMut",
    "AsRef",
    "Borrow",
    "BorrowMut",
    "Clone",
    "Default",
    "Deref",
    "DerefMut",
    "Div",
    "DivAssign",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Float",
    "From",
    "Into",
    "IntoIterator",
    "Iterator",
    "Mul",
    "MulAssign",
    "Neg",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Rem",
    "Sub",
    "SubAssign",
    "ToOwned",
];

/// Finds the meaning of a path in an expression.
pub fn target(reader: &mut Reader, path: &ExprPath, is_called: bool) -> Target {
    let Some(last) = path.path.segments.last() else {
        return Target::Refused;
    };
    let name = last.ident.to_string();
    if path.qself.is_none() && path.path.get_ident().is_some() && reader.is_local(&name) {
        return Target::Local(name);
    }
    if path.qself.is_none()
        && path.path.get_ident().is_some()
        && let Some((n, ty)) = reader.names.constant(&name)
    {
        let ty = ty.clone();
        return Target::Parameter(n, types::node(reader, &ty));
    }
    if let Some(qself) = &path.qself {
        return match starts_upper(&name) {
            true => constant(reader, path),
            false => {
                let (ty, of_trait) = qualified(reader, qself, &path.path);
                member(reader, Node::ty(reader.names.function(&ty)), of_trait, last)
            }
        };
    }
    if starts_upper(&name) && (is_called || is_camel(&name)) {
        let (ty, variant) = constructor(reader, &path.path);
        return Target::Constructor(ty, variant);
    }
    if starts_upper(&name) {
        return constant(reader, path);
    }
    let owner = owner(&path.path).map(|owner| owner.ident.to_string());
    let is_built_in = |owner: &str| types::is_primitive(owner) && names_built_in(&path.path);
    if owner
        .as_deref()
        .is_some_and(|owner| starts_upper(owner) || is_built_in(owner))
    {
        if owner.as_deref().is_some_and(types::is_primitive) {
            check_built_in(reader, &path.path);
        }
        if !is_called {
            check_operator(reader, &path.path, owner.as_deref().unwrap_or_default());
        }
        if is_called
            && let Some(owner) = owner.filter(|owner| TRAITS.contains(&owner.as_str()))
            && !matches!(name.as_str(), "default" | "from")
        {
            check_trait(reader, &without_last(&path.path), &owner);
            let arguments = type_arguments(reader, &last.arguments);
            return Target::Method(owner, name, arguments);
        }
        let owner = type_of(reader, &without_last(&path.path));
        return member(reader, owner, None, last);
    }
    let owner = owner.unwrap_or_default();
    let known = KNOWN
        .iter()
        .find(|(module, function, _)| *module == owner && *function == name);
    match known {
        Some((module, function, meaning)) => {
            check_std(reader, &path.path, module, function);
            Target::Known(meaning)
        }
        None if is_std(&path.path) => {
            reader.refuse(path, refuse::STD_FUNCTION);
            Target::Refused
        }
        None => {
            if native::may_be_a_derivative(&name) {
                reader.derivatives.push(path.path.clone());
            }
            Target::Function(Node::callee(callee(reader, &path.path)))
        }
    }
}

/// Makes rustc check that a path named like a function of std is that function: only then do both have the same type.
fn check_std(reader: &mut Reader, path: &Path, module: &str, function: &str) {
    let module = match (module, function) {
        ("", "drop") => "mem",
        (_, "stop_gradient") => return,
        _ => module,
    };
    let arguments = match (module, function) {
        ("iter", "zip") => quote!([u8; 1], [u8; 1]),
        ("iter", "from_fn") => quote!(u8, fn() -> ::core::option::Option<u8>),
        ("iter", "repeat_with") => quote!(u8, fn() -> u8),
        ("iter", "successors") => quote!(u8, fn(&u8) -> ::core::option::Option<u8>),
        ("array", "from_fn") => quote!(u8, 1, fn(usize) -> u8),
        _ => quote!(u8),
    };
    let mut written = path.clone();
    if let Some(last) = written.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    let (module, function) = (format_ident!("{module}"), format_ident!("{function}"));
    reader.check(quote!(#written).to_string(), || {
        quote_spanned!(start(path)=>
            __mc::one_function(::core::#module::#function::<#arguments>, #written::<#arguments>);
        )
    });
}

/// Whether a path like `f64::sqrt` may belong to the built-in type. `crate::f64::sqrt` belongs to a module.
fn names_built_in(path: &Path) -> bool {
    let first = path.segments.first().map(|first| first.ident.to_string());
    path.segments.len() == 2 || matches!(first.as_deref(), Some("std" | "core"))
}

/// The functions of traits of std that built-in types have for several type arguments. The path alone does not tell which is meant.
const OF_SEVERAL: &[&str] = &[
    "add",
    "add_assign",
    "as_mut",
    "as_ref",
    "bitand",
    "bitand_assign",
    "bitor",
    "bitor_assign",
    "bitxor",
    "bitxor_assign",
    "borrow",
    "borrow_mut",
    "div",
    "div_assign",
    "eq",
    "from",
    "ge",
    "gt",
    "into",
    "le",
    "lt",
    "mul",
    "mul_assign",
    "ne",
    "partial_cmp",
    "product",
    "rem",
    "rem_assign",
    "shl",
    "shl_assign",
    "shr",
    "shr_assign",
    "sub",
    "sub_assign",
    "sum",
    "to_int_unchecked",
    "try_from",
    "try_into",
];

/// Makes rustc check that `f64::sqrt` is the method of the type: in a path, a module or an alias of that name would come first.
fn check_built_in(reader: &mut Reader, path: &Path) {
    let Some(last) = path.segments.last() else {
        return;
    };
    let arguments = !last.arguments.is_none();
    if arguments || OF_SEVERAL.iter().any(|name| last.ident == name) {
        return;
    }
    let owner = without_last(path);
    reader.check(
        quote!(#path).to_string(),
        || quote_spanned!(start(path)=> __mc::called_like_a_built_in_type(<#owner>::#last, #path);),
    );
}

/// Makes rustc check that an operator's method as a value is the one of std: `f64::mul` may belong to any trait in scope, and `Mul::mul` to a trait with
/// the name of std's.
fn check_operator(reader: &mut Reader, path: &Path, owner: &str) {
    const OPERATORS: [(&str, &str); 6] = [
        ("add", "Add"),
        ("sub", "Sub"),
        ("mul", "Mul"),
        ("div", "Div"),
        ("rem", "Rem"),
        ("neg", "Neg"),
    ];
    let Some(last) = path.segments.last() else {
        return;
    };
    let Some((_, of)) = OPERATORS.iter().find(|(name, _)| last.ident == name) else {
        return;
    };
    if owner == *of {
        return check_trait(reader, &without_last(path), of);
    }
    if types::is_primitive(owner) {
        let (ty, of) = (without_last(path), format_ident!("{of}"));
        reader.check(format!("operator {}", quote!(#path)), || {
            quote_spanned!(start(path)=> __mc::called_like_an_operator(<#ty as ::core::ops::#of>::#last, #path);)
        });
    }
}

/// Makes rustc check that a trait of this name is the one of std.
fn check_trait(reader: &mut Reader, path: &Path, name: &str) {
    let module = match name {
        "AsMut" | "AsRef" | "From" | "Into" => "convert",
        "Borrow" | "BorrowMut" | "ToOwned" => "borrow",
        "Clone" => "clone",
        "Default" => "default",
        "DoubleEndedIterator" | "ExactSizeIterator" | "IntoIterator" | "Iterator" => "iter",
        "Ord" | "PartialEq" | "PartialOrd" => "cmp",
        _ => "ops",
    };
    let mut written = path.clone();
    if let Some(last) = written.segments.last_mut() {
        last.arguments = match module {
            "convert" => PathArguments::AngleBracketed(parse_quote!(<u8>)),
            "borrow" if name != "ToOwned" => PathArguments::AngleBracketed(parse_quote!(<u8>)),
            _ => PathArguments::None,
        };
    }
    let arguments = written.segments.last().map(|last| last.arguments.clone());
    let (module, ident) = (format_ident!("{module}"), format_ident!("{name}"));
    let known = match name {
        "Float" => quote!(::mooncake::Float),
        _ => quote!(::std::#module::#ident #arguments),
    };
    reader.check(quote!(#path).to_string(), || {
        quote_spanned!(start(path)=> {
            fn of_std<T: #known>() {
                fn called_like_a_trait_of_std<T: #written>() {}
                called_like_a_trait_of_std::<T>();
            }
        })
    });
}

/// Whether a path begins in the standard library. rustc would report that its functions are no types.
fn is_std(path: &Path) -> bool {
    let first = path.segments.first().map(|first| first.ident.to_string());
    path.segments.len() > 1 && matches!(first.as_deref(), Some("std" | "core" | "alloc"))
}

/// The type and the variant that the path of a struct names, in an expression or a pattern.
pub fn constructor(reader: &mut Reader, path: &Path) -> (Node, Option<String>) {
    let Some(last) = path.segments.last() else {
        return (
            Node::ty(reader.names.function(&parse_quote!(__mc::Unknown))),
            None,
        );
    };
    let name = last.ident.to_string();
    let some = Some(name.clone());
    let owner = owner(path);
    // `None::<f64>` has the arguments of the type.
    let arguments = &last.arguments;
    let is_open = arguments.is_none();
    match (name.as_str(), owner) {
        (variant, None) if is_variant_in_std(variant) => {
            let ty = match (variant, is_open) {
                (_, true) => return (Node::ty(like_std(path)), some),
                ("Some" | "None", _) => parse_quote!(::core::option::Option #arguments),
                _ => parse_quote!(::core::result::Result #arguments),
            };
            (Node::ty(reader.names.function(&ty)), some)
        }
        (_, Some(owner)) if starts_upper(&owner.ident.to_string()) => {
            let mut ty = without_last(path);
            // `Tree::Leaf::<f64>` means `Tree::<f64>::Leaf`.
            if let (PathArguments::AngleBracketed(_), Some(owner)) =
                (arguments, ty.segments.last_mut())
            {
                owner.arguments = arguments.clone();
            }
            (type_of(reader, &ty), some)
        }
        // A struct, or an imported variant of an enum: rustc knows. A value with named fields never belongs to std, whatever its name.
        _ if is_open && name != "PhantomData" && !reader.names.is_type(&name) && name != "Self" => {
            (Node::ty(made(reader, path)), some)
        }
        _ => (type_of(reader, path), None),
    }
}

/// The function that returns a differentiable function: rustc finds the enum that `#[differentiable]` has written beside it.
pub fn callee(reader: &Reader, path: &Path) -> TokenStream {
    let path = reader.names.erased_path(path);
    quote_spanned!(start(&path)=> <#path as __mc::Callable>::callee)
}

/// The function that returns a constant.
pub fn constant_thunk(value: &syn::Expr) -> TokenStream {
    use syn::spanned::Spanned;
    quote_spanned!(value.span()=> || __mc::ToConstant::to_constant(&#value))
}

fn constant(reader: &mut Reader, path: &ExprPath) -> Target {
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    if let Some((ty, of_trait)) = dependent_owner(reader, path) {
        return Target::OfType(ty, of_trait, last.unwrap_or_default());
    }
    let owner = owner(&path.path)
        .map(|owner| owner.ident.to_string())
        .unwrap_or_default();
    let value = reader.names.erased_expr(&syn::Expr::Path(path.clone()));
    Target::Constant(Node::constant(match starts_upper(&owner) {
        true => quote_spanned!(start(&path.path)=> || (&&&__mc::Named(#value, #last)).constant()),
        false => constant_thunk(&value),
    }))
}

/// The type of an associated constant, and the trait, if the type depends on type or const arguments. rustc knows no value then.
pub fn dependent_owner(reader: &mut Reader, path: &ExprPath) -> Option<(Node, Option<Node>)> {
    match &path.qself {
        Some(qself) if reader.names.depends(&qself.ty) => {
            let (ty, of_trait) = qualified(reader, qself, &path.path);
            Some((Node::ty(reader.names.function(&ty)), of_trait))
        }
        None if path.path.segments.len() > 1 => {
            let owner = without_last(&path.path);
            let depends = reader.names.depends(&owner);
            depends.then(|| (type_of(reader, &owner), None))
        }
        _ => None,
    }
}

/// The type of `<T as Trait>::name`, and the trait as it is written.
fn qualified(reader: &Reader, qself: &syn::QSelf, path: &Path) -> (Type, Option<Node>) {
    let ty = reader.names.erased(&qself.ty);
    let mut of_trait = path.clone();
    of_trait.segments = { of_trait.segments.into_iter() }
        .take(qself.position)
        .collect();
    let of_trait = of_trait.segments.last().cloned().map(|last| {
        let name = last.ident.to_string();
        let of = trait_of(&ty, &reader.names.erased_path(&of_trait));
        Node::default().with(name).with(Node::of_trait(of))
    });
    (ty, of_trait)
}

fn member(
    reader: &mut Reader,
    owner: Node,
    of_trait: Option<Node>,
    last: &syn::PathSegment,
) -> Target {
    let arguments = type_arguments(reader, &last.arguments);
    Target::Member(owner, of_trait, last.ident.to_string(), arguments)
}

/// The function that returns a trait of a type, if the trait is differentiable. See `NotFound`.
pub fn trait_of(ty: &Type, of_trait: &Path) -> TokenStream {
    let itself = hidden("trait", of_trait);
    quote!(|| {
        trait NoTrait {
            fn #itself() -> ::core::option::Option<&'static __mc::Trait> {
                ::core::option::Option::None
            }
        }
        impl<T> NoTrait for T {}
        struct Probe<T>(::core::marker::PhantomData<T>);
        impl<T: #of_trait> Probe<T> {
            fn found() -> ::core::option::Option<&'static __mc::Trait> {
                T::#itself()
            }
        }
        use __mc::NotFound as _;
        Probe::<#ty>::found()
    })
}

/// The name of the method with which a trait describes itself. It contains the name of the trait, because a trait also has the methods of its
/// supertraits.
pub fn hidden(what: &str, of_trait: &Path) -> Ident {
    let name = of_trait.segments.last();
    let name = name.map(|last| last.ident.to_string()).unwrap_or_default();
    format_ident!("__mc_{what}_{}", name.trim_start_matches("r#"))
}

/// `::<T, U>` as a list of types.
pub fn type_arguments(reader: &mut Reader, arguments: &PathArguments) -> Vec<Node> {
    match arguments {
        PathArguments::AngleBracketed(arguments) => turbofish(reader, arguments),
        _ => Vec::new(),
    }
}

/// `::<T, U>` as a list of types.
pub fn turbofish(
    reader: &mut Reader,
    arguments: &syn::AngleBracketedGenericArguments,
) -> Vec<Node> {
    let mut types = Vec::new();
    for argument in &arguments.args {
        match argument {
            syn::GenericArgument::Type(Type::Path(TypePath { qself: None, path }))
                if path
                    .get_ident()
                    .is_some_and(|name| is_constant(reader, name)) =>
            {
                types.push(length(reader, &parse_quote!(#path)));
            }
            syn::GenericArgument::Type(ty) => types.push(types::node(reader, ty)),
            syn::GenericArgument::Const(value) => types.push(length(reader, value)),
            syn::GenericArgument::Lifetime(_) => {}
            other => reader.refuse(other, "write the types and constants alone"),
        }
    }
    types
}

/// Whether a name among type arguments is a constant. Only its spelling tells. `FOUR` may be a type, as `RK4` is: the constant is written `{ FOUR }`.
fn is_constant(reader: &Reader, name: &Ident) -> bool {
    let name = name.to_string();
    let is_written_so = name.contains('_') && !name.contains(char::is_lowercase);
    reader.names.constant(&name).is_some() || is_written_so && !reader.names.is_type(&name)
}

/// A constant as a type argument.
pub fn length(reader: &Reader, value: &syn::Expr) -> Node {
    Node::ty(match reader.names.constant_of(value) {
        Some(n) => quote!(|| __mc::Ty::Param(#n)),
        None => {
            let value = reader.names.erased_expr(value);
            quote!(|| __mc::Parameter::ty(#value))
        }
    })
}

/// The type that a path in an expression names. Omitted type arguments are unknown.
fn type_of(reader: &mut Reader, path: &Path) -> Node {
    Node::ty(type_function(reader, path))
}

fn type_function(reader: &mut Reader, path: &Path) -> TokenStream {
    let last = path.segments.last();
    let name = last.map(|last| last.ident.to_string()).unwrap_or_default();
    let is_open = last.is_some_and(|last| last.arguments.is_none());
    if TRAITS.contains(&name.as_str()) {
        check_trait(reader, path, &name);
        return reader.names.function(&parse_quote!(__mc::Unknown));
    }
    if is_open && !reader.names.is_type(&name) && name != "Self" && !types::is_primitive(&name) {
        return match is_generic_in_std(&name) {
            true => quote_spanned!(start(path)=> || #path::__mc_std(__mc::OPEN)),
            false => open(reader, path),
        };
    }
    reader.names.function(&Type::Path(TypePath {
        qself: None,
        path: path.clone(),
    }))
}

/// A type of the user in an expression, where type arguments may be omitted.
fn open(reader: &Reader, path: &Path) -> TokenStream {
    let place = place(reader, path);
    let path = types::moved(path.to_token_stream(), place);
    quote_spanned!(place=> || #path::__mc_ty(__mc::OPEN))
}

/// See [`Names::place`](crate::generics::Names::place).
fn place(reader: &Reader, path: &Path) -> Span {
    reader.names.place(&Type::Path(TypePath {
        qself: None,
        path: path.clone(),
    }))
}

/// The type of a variant with the name of one of std's. It may belong to another enum.
fn like_std(path: &Path) -> TokenStream {
    quote_spanned!(start(path)=> || __mc::made(|it| {
        #[allow(irrefutable_let_patterns)]
        if let #path { .. } = it {}
        it.__mc_made_like_std()
    }))
}

/// The type of the value that a path constructs: a struct or a variant.
fn made(reader: &Reader, path: &Path) -> TokenStream {
    quote_spanned!(place(reader, path)=> || __mc::made(|it| {
        #[allow(irrefutable_let_patterns)]
        if let #path { .. } = it {}
        it.__mc_made()
    }))
}

/// Whether a variant in std's prelude has this name.
pub fn is_variant_in_std(name: &str) -> bool {
    matches!(name, "Some" | "None" | "Ok" | "Err")
}

/// Whether a type of std with parameters has this name.
pub fn is_generic_in_std(name: &str) -> bool {
    matches!(
        name,
        "Vec"
            | "Box"
            | "Rc"
            | "Arc"
            | "RefCell"
            | "Cell"
            | "Ref"
            | "RefMut"
            | "Option"
            | "Result"
            | "PhantomData"
    )
}

fn owner(path: &Path) -> Option<&syn::PathSegment> {
    path.segments.iter().rev().nth(1)
}

fn without_last(path: &Path) -> Path {
    let count = path.segments.len() - 1;
    Path {
        leading_colon: path.leading_colon,
        segments: path.segments.iter().take(count).cloned().collect(),
    }
}

/// Types, variants and constants.
pub fn starts_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Types and variants.
pub fn is_camel(name: &str) -> bool {
    starts_upper(name) && name.contains(char::is_lowercase)
}

/// The start of a path.
pub fn start(path: &Path) -> Span {
    use syn::spanned::Spanned;
    match (&path.leading_colon, path.segments.first()) {
        (Some(colon), _) => colon.span(),
        (None, Some(first)) => first.ident.span(),
        (None, None) => Span::call_site(),
    }
}

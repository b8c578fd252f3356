//! The functions of the program that a name can mean, and rustc's order among them.

use crate::front::tree::{self, Binary, Method, Receiver};
use crate::front::ty::{RefKind, Trait};
use rustc_hash::FxHashMap;

/// How a call names its function.
#[derive(Clone, Copy)]
pub enum CallSyntax {
    /// `x.name()`
    Method,
    /// `Type::name(x)`
    TypePath,
    /// `Type::name` or `Add::add` as a value. Which of the two was written is not kept.
    Value,
    /// `T::name(x)` of a type parameter: a method of any trait.
    ParameterPath,
    /// `<f64 as Trait>::name(x)` of a trait that is not differentiable: its name is all that is known of it.
    PlainTraitPath(&'static str),
    /// `Clone::clone(x)`, with a trait of std.
    StdTraitPath(&'static str),
    /// `<T as Trait>::name(x)`, `Trait::name(x)`
    TraitPath(&'static Trait),
}

impl CallSyntax {
    /// The trait in the path, if one is written.
    pub fn of(self) -> Option<&'static Trait> {
        match self {
            CallSyntax::TraitPath(of) => Some(of),
            CallSyntax::Method
            | CallSyntax::TypePath
            | CallSyntax::Value
            | CallSyntax::ParameterPath
            | CallSyntax::PlainTraitPath(_)
            | CallSyntax::StdTraitPath(_) => None,
        }
    }
    /// Whether the call may mean a method.
    pub fn allows(self, method: &Method) -> bool {
        match self {
            CallSyntax::TraitPath(of) => method.is_of(of),
            CallSyntax::StdTraitPath(name) | CallSyntax::PlainTraitPath(name) => {
                method.is_of_std(name)
            }
            CallSyntax::ParameterPath => !method.of_trait.is_empty(),
            CallSyntax::Method | CallSyntax::TypePath | CallSyntax::Value => true,
        }
    }
    /// Whether the call may mean an operator's method: the trait is written, or the bound of a type parameter gives it. For `x.add(y)` it is not known
    /// which traits are in scope.
    pub fn may_be_operator(self) -> bool {
        matches!(
            self,
            CallSyntax::ParameterPath | CallSyntax::StdTraitPath(_) | CallSyntax::Value
        )
    }
    pub fn is_dot(self) -> bool {
        matches!(self, CallSyntax::Method)
    }
}

/// The step of rustc's method probing that reaches a receiver, relative to the type without references. It also describes how a method takes its
/// receiver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AutorefStep {
    ByValue,
    ByRef,
    ByMutRef,
    /// By `&&`.
    ByRefToRef,
    /// In another way, or it is not known.
    Unknown,
}

impl AutorefStep {
    /// The step of a receiver with this ref kind.
    pub fn of_ref_kind(ref_kind: RefKind) -> AutorefStep {
        match ref_kind {
            // Methods of the pointee are found by dereferencing the pointer.
            RefKind::Value | RefKind::Pointer => AutorefStep::ByValue,
            RefKind::Reference => AutorefStep::ByRef,
            RefKind::Nested | RefKind::Unknown => AutorefStep::Unknown,
        }
    }
    /// The step of an inherent method of a type of std.
    pub fn of_receiver(receiver: Receiver) -> AutorefStep {
        match receiver {
            Receiver::Value => AutorefStep::ByValue,
            Receiver::Shared => AutorefStep::ByRef,
            Receiver::Mut => AutorefStep::ByMutRef,
            Receiver::None => AutorefStep::Unknown,
        }
    }
    pub fn of_method(method: &Method) -> AutorefStep {
        match (method.ref_kind, method.receiver) {
            // For a type parameter of an `impl`, and in traits, `Self` is the type.
            (RefKind::Value | RefKind::Unknown, Receiver::Value) => {
                let written = (method.source)().params.first().map(|param| param.ref_kind);
                match written {
                    Some(RefKind::Value | RefKind::Unknown) => AutorefStep::ByValue,
                    _ => AutorefStep::Unknown,
                }
            }
            (RefKind::Value | RefKind::Unknown, receiver) => AutorefStep::of_receiver(receiver),
            (RefKind::Reference, Receiver::Value) => AutorefStep::ByRef,
            (RefKind::Reference, Receiver::Shared) => AutorefStep::ByRefToRef,
            _ => AutorefStep::Unknown,
        }
    }
    /// Whether rustc tries `one` before `other`, or at the same time, for a receiver that is reached by this step.
    pub fn is_probed_before(self, one: AutorefStep, other: AutorefStep) -> bool {
        use AutorefStep::*;
        let order = match self {
            ByValue => [ByValue, ByRef, ByMutRef, ByRefToRef],
            ByRef => [ByRef, ByRefToRef, ByValue, ByMutRef],
            ByMutRef => [ByMutRef, ByValue, ByRef, ByRefToRef],
            ByRefToRef => [ByRefToRef, ByRef, ByValue, ByMutRef],
            Unknown => {
                let all = [ByValue, ByRef, ByMutRef, ByRefToRef];
                return all.iter().all(|seen| seen.is_probed_before(one, other));
            }
        };
        let rank = |taken| order.iter().position(|&place| place == taken);
        match (rank(one), rank(other)) {
            (Some(one), Some(other)) => one <= other,
            _ => false,
        }
    }
}

/// The traits of std whose methods the library calls.
pub const OF_STD: &[&str] = &[
    "Add",
    "AddAssign",
    "AsMut",
    "AsRef",
    "Clone",
    "Default",
    "Deref",
    "DerefMut",
    "Div",
    "DivAssign",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Extend",
    "From",
    "FromIterator",
    "Index",
    "IndexMut",
    "Into",
    "IntoIterator",
    "Iterator",
    "Mul",
    "MulAssign",
    "Neg",
    "Not",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Product",
    "Rem",
    "RemAssign",
    "Sub",
    "SubAssign",
    "Sum",
    "ToOwned",
];

/// The methods that traits in std's prelude give to types of std.
pub const PRELUDE: &[&str] = &[
    "as_mut",
    "as_ref",
    "clamp",
    "clone",
    "cmp",
    "into",
    "max",
    "min",
    "partial_cmp",
    "to_owned",
    "to_string",
];

/// Drops the functions whose parameters have other ref kinds than the arguments, as far as those are known. Functions that take references and functions
/// that take values have the same types here.
pub fn retain_fitting_ref_kinds(
    functions: &mut Vec<&'static Method>,
    ref_kinds: &[RefKind],
    seen: Option<AutorefStep>,
) {
    let probed = usize::from(seen.is_some());
    let takes = |method: &&'static Method| {
        let params = (method.source)().params.iter().map(|param| param.ref_kind);
        let mut pairs = params.zip(ref_kinds.iter().copied()).skip(probed);
        !pairs.any(|(a, b)| {
            let differ = a != b && a != RefKind::Unknown && b != RefKind::Unknown;
            let known = ![a, b].contains(&RefKind::Nested);
            differ && (known || a.is_reference() != b.is_reference())
        })
    };
    if functions.iter().any(takes) {
        functions.retain(takes);
    }
    let Some(seen) = seen else { return };
    let first = functions.iter().copied().find(|method| {
        let own = AutorefStep::of_method(method);
        let mut others = functions
            .iter()
            .filter(|other| !std::ptr::eq(**other, *method));
        others.all(|other| {
            let other = AutorefStep::of_method(other);
            seen.is_probed_before(own, other) && !seen.is_probed_before(other, own)
        })
    });
    functions.retain(|method| first.is_none_or(|first| std::ptr::eq(first, *method)));
}

/// Whether two functions differ only in references.
pub fn is_twin(one: &Method, other: &Method) -> bool {
    let (a, b) = ((one.source)(), (other.source)());
    let types = |source: &'static tree::Source| source.params.iter().map(|param| (param.ty)());
    let are_alike = (one.owner)() == (other.owner)() && (a.ret)() == (b.ret)();
    are_alike && a.generics == b.generics && types(a).eq(types(b))
}

/// Whether a method belongs to an `impl` of a trait of std.
pub fn is_of_std(method: &Method) -> bool {
    (method.implements)().is_none() && OF_STD.contains(&method.of_trait)
}

/// Whether a function has a body.
pub fn has_body(method: &Method) -> bool {
    !matches!((method.source)().body, tree::Body::Required)
}

/// Whether two methods belong to the same trait, as far as that is known.
pub fn is_one_trait(a: &Method, b: &Method) -> bool {
    match ((a.implements)(), (b.implements)()) {
        (Some(a), Some(b)) => a == b,
        (Some(of), None) => b.is_of(of),
        (None, Some(of)) => a.is_of(of),
        (None, None) => a.of_trait == b.of_trait,
    }
}

/// The name of a method's trait for messages.
pub fn trait_path(method: &Method) -> &'static str {
    match (method.implements)() {
        Some(of) => of.path.rsplitn(3, ':').last().unwrap_or(of.name),
        None => method.of_trait,
    }
}

/// The declaration of a method in a trait.
pub fn declared(
    methods: &FxHashMap<&'static str, Vec<&'static Method>>,
    of: &Trait,
    name: &str,
) -> Option<&'static Method> {
    let mut named = methods.get(name)?.iter().copied();
    named.find(|method| method.is_declared_by(of))
}

/// Whether a trait is the operator trait for this method name: `Mul` for `mul`. A trait of the program with a method `mul` is not.
pub fn is_operator(name: &str, of_trait: &str) -> bool {
    match name {
        "eq" => of_trait == "PartialEq",
        "partial_cmp" => of_trait == "PartialOrd",
        _ => of_trait.eq_ignore_ascii_case(&name.replace('_', "")),
    }
}

/// The method of an operator's trait.
pub fn operator_name(op: Binary) -> &'static str {
    match op {
        Binary::Add => "add",
        Binary::Sub => "sub",
        Binary::Mul => "mul",
        Binary::Div => "div",
        Binary::Rem => "rem",
        Binary::And => "bitand",
        Binary::Or => "bitor",
        Binary::Xor => "bitxor",
        Binary::Shl => "shl",
        Binary::Shr => "shr",
        Binary::Eq | Binary::Ne => "eq",
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => "partial_cmp",
    }
}

//! `dyn` values of differentiable traits from outside: `Box<dyn Layer>`, `Rc<dyn Layer>`, `&dyn Layer`.
//!
//! Compiled code tells the types behind a `dyn Layer` by their positions among the implementors of the trait (`front::tree::implementors`), which
//! the macro registers with what is known of their values. The gradient is that of the value, behind a type of its own.
//!
//! The attribute gives each trait hidden methods that return its description and the value behind a `dyn` of it (`exec/behind.rs`). Each
//! differentiable `impl` without type parameters registers its type.

use super::{
    Call, Copies, Cotangent, GradientSink, Reader, Result, Seen, Table, Value, Visit, deeper,
    refuse,
};
use crate::api::layout::value_layout;
use crate::api::{Differ, Duplicates, Linear, Results, Visitor, Zip, gradient_sink_itself};
use crate::diag::Error;
use crate::exec::{Behind, BehindMut};
use crate::front::tree::implementors;
use crate::front::ty::Trait;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId, type_name};
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::rc::Rc;
use std::sync::{Mutex, OnceLock};

/// The gradient of a `Box<dyn Layer>`: that of the value in it, whose type is that of the value's gradient.
///
/// ```
/// use mooncake::{DynGradient, prelude::*};
///
/// #[differentiable]
/// trait Layer {
///     fn run(&self, x: f64) -> f64;
/// }
/// #[derive(Differentiable)]
/// struct Dense {
///     w: f64,
/// }
/// #[differentiable]
/// impl Layer for Dense {
///     fn run(&self, x: f64) -> f64 {
///         (self.w * x).tanh()
///     }
/// }
/// #[differentiable]
/// fn through(layers: &[Box<dyn Layer>], x: f64) -> f64 {
///     layers.iter().fold(x, |x, layer| layer.run(x))
/// }
///
/// let rule = Context::default().build_rrule::<through>()?;
/// let layers: Vec<Box<dyn Layer>> = vec![Box::new(Dense { w: 0.5 }), Box::new(Dense { w: 2.0 })];
/// let (y, (gradient, dx)) = rule.value_and_gradient((&layers, 1.0))?;
/// let first: &DenseGradient = gradient[0].downcast_ref().unwrap();
/// assert!(first.w > 0.0 && dx > 0.0 && y > 0.0);
/// # Ok::<(), mooncake::Error>(())
/// ```
#[derive(Default)]
pub struct DynGradient(Option<Box<dyn AnyGradient>>);

impl DynGradient {
    /// The gradient of a value of a known type.
    pub fn new<G: Cotangent + PartialEq + Debug>(gradient: G) -> Self {
        DynGradient(Some(Box::new(gradient)))
    }
    /// The gradient, if it is of that type.
    pub fn downcast_ref<G: 'static>(&self) -> Option<&G> {
        self.0.as_ref()?.as_any().downcast_ref()
    }
    /// The gradient, if it is of that type.
    pub fn downcast_mut<G: 'static>(&mut self) -> Option<&mut G> {
        self.0.as_mut()?.as_any_mut().downcast_mut()
    }
    /// Makes it one of that type, if it is not.
    fn fit<G: Cotangent + PartialEq + Debug>(&mut self) -> Option<&mut G> {
        if self.downcast_ref::<G>().is_none() {
            *self = DynGradient::new(G::empty());
        }
        self.downcast_mut()
    }
}

/// A gradient of any type.
trait AnyGradient: Debug {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn boxed(&self) -> Box<dyn AnyGradient>;
    fn name(&self) -> &'static str;
    fn duplicate_part(&self, known: &mut Duplicates) -> Result<DynGradient>;
    fn zip_part(&mut self, with: &dyn AnyGradient, zip: &mut Zip) -> Result<(), Differ>;
    fn equals(&self, other: &dyn Any) -> bool;
    fn visit_part(&mut self, visitor: &mut Visitor<'_>);
}
impl<G: Cotangent + PartialEq + Debug> AnyGradient for G {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn boxed(&self) -> Box<dyn AnyGradient> {
        Box::new(self.clone())
    }
    fn name(&self) -> &'static str {
        type_name::<G>()
    }
    fn duplicate_part(&self, known: &mut Duplicates) -> Result<DynGradient> {
        deeper(|| self.duplicate(known)).map(DynGradient::new)
    }
    fn zip_part(&mut self, with: &dyn AnyGradient, zip: &mut Zip) -> Result<(), Differ> {
        match with.as_any().downcast_ref() {
            Some(with) => deeper(|| self.zip(with, zip)),
            None => Err(Differ::variants(self.name(), with.name())),
        }
    }
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
    fn visit_part(&mut self, visitor: &mut Visitor<'_>) {
        deeper(|| self.visit(visitor));
    }
}

impl Clone for DynGradient {
    fn clone(&self) -> Self {
        DynGradient(self.0.as_ref().map(|part| part.boxed()))
    }
}
impl PartialEq for DynGradient {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => a.equals(b.as_any()),
            (None, None) => true,
            _ => false,
        }
    }
}
impl Debug for DynGradient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(part) => part.fmt(f),
            None => f.write_str("()"),
        }
    }
}
impl Linear for DynGradient {
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
        match &self.0 {
            Some(part) => part.duplicate_part(known),
            None => Ok(DynGradient(None)),
        }
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        match (&mut self.0, &with.0) {
            (Some(a), Some(b)) => a.zip_part(&**b, zip),
            (None, None) => Ok(()),
            (Some(a), None) => Err(Differ::variants(a.name(), "()")),
            (None, Some(b)) => Err(Differ::variants("()", b.name())),
        }
    }
}
impl Visit for DynGradient {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        if let Some(part) = &mut self.0 {
            part.visit_part(visitor);
        }
    }
}
impl Cotangent for DynGradient {
    const ENDS: bool = true;
    fn empty() -> Self {
        DynGradient(None)
    }
}
impl GradientSink<DynGradient> for DynGradient {
    fn lend<'s>(&'s mut self, call: &mut Call<'s>) {
        gradient_sink_itself::lend(self, call);
    }
    fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
        gradient_sink_itself::read(self, results)
    }
    fn fail(&mut self, error: &Error) {
        gradient_sink_itself::fail(self, error);
    }
    fn get(&self) -> Self {
        self.clone()
    }
    fn put(&mut self, gradient: Self) -> Result<()> {
        *self = gradient;
        Ok(())
    }
}

/// A pointer to a `dyn` value that owns it.
#[derive(Clone, Copy)]
enum Owner {
    Box,
    Rc,
}

/// What can be done with values of a type that is known when the program runs.
trait Hooks: Send + Sync {
    fn id(&self) -> TypeId;
    fn size(&self) -> usize;
    fn encode(&self, value: &Behind<'_>, call: &mut Call<'_>) -> Result<()>;
    fn refresh(&self, value: &Behind<'_>, reader: &mut Reader<'_>) -> Result<()>;
    fn zero(&self, value: &Behind<'_>, seen: &mut Seen) -> DynGradient;
    fn visit(&self, value: BehindMut<'_>, visitor: &mut Visitor<'_>);
    fn update(&self, value: BehindMut<'_>, reader: &mut Reader<'_>) -> Result<()>;
    /// A value behind the pointer: a `Box<dyn Layer>`, say.
    fn decode(&self, owner: Owner, reader: &mut Reader<'_>) -> Result<Box<dyn Any>>;
    fn copy(&self, owner: Owner, value: &Behind<'_>, seen: &mut Copies) -> Result<Box<dyn Any>>;
    fn read(&self, gradient: &mut DynGradient, reader: &mut Reader<'_>) -> Result<()>;
    fn write(&self, gradient: &DynGradient, reader: &mut Reader<'_>) -> Result<()>;
}

struct Of<T> {
    boxed: fn(Box<T>) -> Box<dyn Any>,
    shared: fn(Rc<T>) -> Box<dyn Any>,
}

impl<T> Of<T> {
    fn own(&self, owner: Owner, value: T) -> Box<dyn Any> {
        match owner {
            Owner::Box => (self.boxed)(Box::new(value)),
            Owner::Rc => (self.shared)(Rc::new(value)),
        }
    }
}

impl<T: Value + 'static> Hooks for Of<T> {
    fn id(&self) -> TypeId {
        TypeId::of::<T>()
    }
    fn size(&self) -> usize {
        value_layout::<T>().size
    }
    fn encode(&self, value: &Behind<'_>, call: &mut Call<'_>) -> Result<()> {
        let value = value.get::<T>().ok_or_else(strange)?;
        deeper(|| value.encode(call))
    }
    fn refresh(&self, value: &Behind<'_>, reader: &mut Reader<'_>) -> Result<()> {
        let value = value.get::<T>().ok_or_else(strange)?;
        deeper(|| value.refresh(reader))
    }
    fn zero(&self, value: &Behind<'_>, seen: &mut Seen) -> DynGradient {
        match value.get::<T>() {
            Some(value) => DynGradient::new(deeper(|| value.zero(seen))),
            None => DynGradient::empty(),
        }
    }
    fn visit(&self, value: BehindMut<'_>, visitor: &mut Visitor<'_>) {
        if let Some(value) = value.get::<T>() {
            deeper(|| value.visit(visitor));
        }
    }
    fn update(&self, value: BehindMut<'_>, reader: &mut Reader<'_>) -> Result<()> {
        let value = value.get::<T>().ok_or_else(strange)?;
        *value = deeper(|| T::decode(reader))?;
        Ok(())
    }
    fn decode(&self, owner: Owner, reader: &mut Reader<'_>) -> Result<Box<dyn Any>> {
        Ok(self.own(owner, deeper(|| T::decode(reader))?))
    }
    fn copy(&self, owner: Owner, value: &Behind<'_>, seen: &mut Copies) -> Result<Box<dyn Any>> {
        let value = value.get::<T>().ok_or_else(strange)?;
        Ok(self.own(owner, deeper(|| value.copy(seen))?))
    }
    fn read(&self, gradient: &mut DynGradient, reader: &mut Reader<'_>) -> Result<()> {
        let gradient = gradient.fit().ok_or_else(strange)?;
        deeper(|| T::read(gradient, reader))
    }
    fn write(&self, gradient: &DynGradient, reader: &mut Reader<'_>) -> Result<()> {
        match (&gradient.0, gradient.downcast_ref()) {
            (_, Some(gradient)) => deeper(|| T::write(gradient, reader)),
            (None, _) => Ok(()),
            (Some(_), None) => Err(Reader::mismatch("one of another type")),
        }
    }
}

fn strange() -> Error {
    Error::Internal("a `dyn` value is of another type than its tag says".to_owned())
}

/// What the macro registers of a type that has a differentiable trait.
struct Values(Box<dyn Hooks>);

/// What is known of the values of a type, and how it becomes a `dyn`.
pub fn values_of<T: Value + 'static>(
    boxed: fn(Box<T>) -> Box<dyn Any>,
    shared: fn(Rc<T>) -> Box<dyn Any>,
) -> Box<dyn Any + Send + Sync> {
    Box::new(Values(Box::new(Of { boxed, shared })))
}

/// The answer for types that are no [`Value`]s.
pub trait NoValues {
    /// What is known of values.
    fn values() -> Option<Box<dyn Any + Send + Sync>> {
        None
    }
}
impl<T> NoValues for T {}

/// The types behind a `dyn` of the trait, in the order of their tags. Every value asks, so each thread remembers.
fn kinds(of: &'static Trait) -> &'static [Values] {
    thread_local! {
        // By where the trait's path is.
        static KNOWN: RefCell<Table<*const str, &'static [Values]>> = RefCell::default();
    }
    let key = std::ptr::from_ref(of.path);
    let known = KNOWN.with(|known| known.borrow().get(&key).copied());
    known.unwrap_or_else(|| {
        let kinds = all_kinds(of);
        KNOWN.with(|known| known.borrow_mut().insert(key, kinds));
        kinds
    })
}

/// The same for all threads, found once.
fn all_kinds(of: &'static Trait) -> &'static [Values] {
    static KINDS: OnceLock<Mutex<FxHashMap<&'static str, &'static [Values]>>> = OnceLock::new();
    let kinds = KINDS.get_or_init(Mutex::default);
    let mut kinds = kinds.lock().unwrap_or_else(|e| e.into_inner());
    kinds.entry(of.path).or_insert_with(|| {
        let found = implementors(of).into_iter().filter_map(|of| (of.values)());
        let found = found.filter_map(|values| values.downcast::<Values>().ok());
        Vec::leak(found.map(|values| *values).collect())
    })
}

fn by_type(of: &'static Trait, value: &Behind<'_>) -> Result<(usize, &'static dyn Hooks)> {
    let mut kinds = kinds(of).iter().enumerate();
    match kinds.find(|(_, values)| values.0.id() == value.id) {
        Some((tag, values)) => Ok((tag, &*values.0)),
        None => refuse(
            &format!(
                "a `dyn {}` that is a `{}` cannot be passed to a differentiable function",
                of.name, value.name
            ),
            "write `#[differentiable]` before the `impl` of the trait, for a type with `#[derive(Differentiable)]` and without type parameters",
        ),
    }
}
fn by_tag(of: &'static Trait, tag: usize) -> Result<&'static dyn Hooks> {
    match kinds(of).get(tag) {
        Some(values) => Ok(&*values.0),
        None => refuse(
            &format!(
                "a `dyn {}` cannot be returned whose type has parameters or borrows",
                of.name
            ),
            "return the value itself",
        ),
    }
}

/// What `Value` is for pointers to `dyn` values of a trait; the macro calls it.
pub mod itself {
    use super::*;

    /// See [`Value::encode`].
    pub fn encode(of: &'static Trait, value: &Behind<'_>, call: &mut Call<'_>) -> Result<()> {
        let (tag, hooks) = by_type(of, value)?;
        call.scalar(tag)?;
        call.object(hooks.size(), |call| hooks.encode(value, call))
    }
    /// See [`Value::refresh`].
    pub fn refresh(of: &'static Trait, value: &Behind<'_>, reader: &mut Reader<'_>) -> Result<()> {
        by_type(of, value)?.1.refresh(value, reader)
    }
    /// See [`Value::zero`]. Giving what has none is an error that says so.
    pub fn zero(of: &'static Trait, value: &Behind<'_>, seen: &mut Seen) -> DynGradient {
        match by_type(of, value) {
            Ok((_, hooks)) => hooks.zero(value, seen),
            Err(_) => DynGradient::empty(),
        }
    }
    /// See [`Visit::visit`].
    pub fn visit(of: &'static Trait, value: BehindMut<'_>, visitor: &mut Visitor<'_>) {
        let mut kinds = kinds(of).iter();
        if let Some(values) = kinds.find(|values| values.0.id() == value.id) {
            values.0.visit(value, visitor);
        }
    }
    /// Takes over what a call has changed behind a `&mut dyn`.
    pub fn update(of: &'static Trait, value: BehindMut<'_>, reader: &mut Reader<'_>) -> Result<()> {
        let hooks = by_tag(of, reader.scalar()?)?;
        reader.object(|reader| hooks.update(value, reader))
    }
    /// See [`Value::decode`], for a `Box`.
    pub fn take_box<P: 'static>(of: &'static Trait, reader: &mut Reader<'_>) -> Result<P> {
        decode(of, Owner::Box, reader)
    }
    /// See [`Value::decode`], for an `Rc`.
    pub fn take_rc<P: 'static>(of: &'static Trait, reader: &mut Reader<'_>) -> Result<P> {
        decode(of, Owner::Rc, reader)
    }
    fn decode<P: 'static>(of: &'static Trait, owner: Owner, reader: &mut Reader<'_>) -> Result<P> {
        let hooks = by_tag(of, reader.scalar()?)?;
        unpacked(reader.object(|reader| hooks.decode(owner, reader))?)
    }
    /// See [`Value::copy`], for a `Box`.
    pub fn copy_box<P: 'static>(
        of: &'static Trait,
        value: &Behind<'_>,
        seen: &mut Copies,
    ) -> Result<P> {
        unpacked(by_type(of, value)?.1.copy(Owner::Box, value, seen)?)
    }
    /// See [`Value::copy`], for an `Rc`.
    pub fn copy_rc<P: 'static>(
        of: &'static Trait,
        value: &Behind<'_>,
        seen: &mut Copies,
    ) -> Result<P> {
        unpacked(by_type(of, value)?.1.copy(Owner::Rc, value, seen)?)
    }
    fn unpacked<P: 'static>(value: Box<dyn Any>) -> Result<P> {
        value.downcast().map(|value| *value).map_err(|_| strange())
    }
    /// See [`Value::read`].
    pub fn read(
        of: &'static Trait,
        gradient: &mut DynGradient,
        reader: &mut Reader<'_>,
    ) -> Result<()> {
        let tag: usize = reader.scalar()?;
        let spot = reader.pointer()?;
        match kinds(of).get(tag) {
            Some(values) => reader.at(spot, |reader| values.0.read(gradient, reader)),
            // It has been made inside.
            None => Ok(()),
        }
    }
    /// See [`Value::write`].
    pub fn write(
        of: &'static Trait,
        gradient: &DynGradient,
        reader: &mut Reader<'_>,
    ) -> Result<()> {
        let tag: usize = reader.scalar()?;
        let spot = reader.pointer()?;
        match kinds(of).get(tag) {
            Some(values) => reader.at(spot, |reader| values.0.write(gradient, reader)),
            None => Ok(()),
        }
    }
    /// For references, which no call gives back and no test copies.
    pub fn no_reference<T>() -> Result<T> {
        super::super::no_reference()
    }
}

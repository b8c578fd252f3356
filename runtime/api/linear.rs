//! Arithmetic on tangents: the vector space that the tangents of a value form.
//!
//! Tangents, which gradients are too, have the form of their values: see
//! [`DifferentiableFn::Gradient`](crate::DifferentiableFn::Gradient). What is here works on all of them, in the words of
//! Mooncake.jl: [`zero_tangent`], [`random_tangent`], [`increment`], [`scale`], [`dot`], [`add_to_primal`], [`difference`]. A cell that is
//! held several times is one: it counts once, and what has the form of it holds one cell as often. Tangents of different form are an
//! error that says where they differ.
//!
//! ```
//! use mooncake::prelude::*;
//! use mooncake::tangents::{add_to_primal, dot, increment, scale};
//!
//! #[derive(Clone, Debug, PartialEq, Differentiable)]
//! struct Line {
//!     slope: f64,
//!     offsets: Vec<f64>,
//! }
//! #[differentiable]
//! fn error(line: &Line, x: f64) -> f64 {
//!     let y = line.slope * x + line.offsets[0];
//!     y * y
//! }
//!
//! # fn main() -> mooncake::Result<()> {
//! let rule = Context::default().build_rrule::<error>()?;
//! let mut line = Line { slope: 2.0, offsets: vec![1.0] };
//! let (_, (mut sum, _)) = rule.value_and_gradient((&line, 1.0))?;
//! let (_, (other, _)) = rule.value_and_gradient((&line, -1.0))?;
//! increment(&mut sum, &other)?;
//! assert_eq!(sum, LineGradient { slope: 8.0, offsets: vec![4.0] });
//! assert_eq!(dot(&sum, &scale(0.5, &sum)?)?, 40.0);
//! line = add_to_primal(&line, -0.125, &sum)?; // a step down the gradient
//! assert_eq!(line, Line { slope: 1.0, offsets: vec![0.5] });
//! let longer = LineGradient { slope: 0.0, offsets: vec![0.0; 2] };
//! let error = increment(&mut sum, &longer).unwrap_err();
//! assert_eq!(error.to_string(), "at `.offsets` tangents differ in form: 1 element, and 2 elements");
//! # Ok(())
//! # }
//! ```

use super::call::Table;
use super::value::{Copies, Cotangent, Seen, Value, deeper};
use super::visit::{Number, Visit, Visitor};
use crate::array::{Array, FloatElement};
use crate::diag::{Error, Result};
use std::any::Any;
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// The tangent zero of a value. A cell that the value holds several times has one tangent, held as often.
///
/// # Errors
/// If a `RefCell` in it is mutably borrowed.
///
/// ```
/// use mooncake::tangents::zero_tangent;
///
/// assert_eq!(zero_tangent(&(1.5, vec![1.0f32, 2.0], 3usize))?, (0.0, vec![0.0, 0.0], ()));
/// # Ok::<(), mooncake::Error>(())
/// ```
pub fn zero_tangent<T: Value>(value: &T) -> Result<T::Gradient> {
    let mut seen = Seen::default();
    let zero = value.zero(&mut seen);
    seen.complete().map(|()| zero)
}

/// A tangent of a value, of numbers that `next` gives, one for each float: [`normal`], or any generator.
///
/// # Errors
/// As for [`zero_tangent`].
///
/// ```
/// use mooncake::tangents::{normal, random_tangent};
///
/// let value = (1.5f64, vec![1.0f32, 2.0]);
/// let (dx, dy): (f64, Vec<f32>) = random_tangent(&value, normal(7))?;
/// assert_eq!(dy.len(), 2);
/// assert_eq!((dx, dy), random_tangent(&value, normal(7))?);
/// # Ok::<(), mooncake::Error>(())
/// ```
pub fn random_tangent<T: Value>(value: &T, mut next: impl FnMut() -> f64) -> Result<T::Gradient> {
    let mut tangent = zero_tangent(value)?;
    tangent.visit(&mut Visitor::new(&mut |number, _| match number {
        Number::F32(x) => *x = next() as f32,
        Number::F64(x) => *x = next(),
        Number::F32s(x) => {
            let data = (0..x.len()).map(|_| next() as f32).collect();
            *x = Array::from_vec_on(x.device(), data, x.shape());
        }
        Number::F64s(x) => {
            let data = (0..x.len()).map(|_| next()).collect();
            *x = Array::from_vec_on(x.device(), data, x.shape());
        }
        Number::F16s(_) | Number::Bits(_) => {}
    }));
    Ok(tangent)
}

/// Numbers of the standard normal distribution, always the same for a seed.
pub fn normal(seed: u64) -> impl FnMut() -> f64 {
    // splitmix64 (Steele, Lea, Flood 2014), and the polar form of Box and Muller.
    let mut state = seed;
    let mut uniform = move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    move || {
        // 1 - u is in (0, 1].
        let radius = (-2.0 * (1.0 - uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * uniform()).cos()
    }
}

/// Adds a tangent to another one, in place: in the cells that the other one holds.
///
/// # Errors
/// If they differ in form; then nothing is added.
///
/// ```
/// use mooncake::tangents::increment;
///
/// let mut sum = (1.0, vec![2.0, 3.0]);
/// increment(&mut sum, &(0.5, vec![1.0, 1.0]))?;
/// assert_eq!(sum, (1.5, vec![3.0, 4.0]));
/// let error = increment(&mut sum, &(0.5, vec![])).unwrap_err();
/// assert_eq!(error.to_string(), "at `.1` tangents differ in form: 2 elements, and 0 elements");
/// # Ok::<(), mooncake::Error>(())
/// ```
pub fn increment<G: Cotangent>(tangent: &mut G, by: &G) -> Result<()> {
    add(tangent, 1.0, by)
}

/// A tangent times a number, as a new one.
///
/// # Errors
/// If a `RefCell` in it is mutably borrowed.
///
/// ```
/// use mooncake::tangents::scale;
///
/// assert_eq!(scale(-2.0, &(1.0, Some(vec![0.5f32]), ()))?, (-2.0, Some(vec![-1.0]), ()));
/// # Ok::<(), mooncake::Error>(())
/// ```
pub fn scale<G: Cotangent>(factor: f64, tangent: &G) -> Result<G> {
    let mut scaled = tangent.duplicate(&mut Duplicates::default())?;
    scaled.visit(&mut Visitor::new(&mut |number, _| match number {
        Number::F32(x) => *x = (factor * f64::from(*x)) as f32,
        Number::F64(x) => *x *= factor,
        Number::F32s(x) => *x = &*x * factor as f32,
        Number::F64s(x) => *x = &*x * factor,
        Number::F16s(_) | Number::Bits(_) => {}
    }));
    Ok(scaled)
}

/// The inner product of two tangents: the sum over all floats. A cell that is held several times counts once.
///
/// # Errors
/// If they differ in form, or if an array carries an error.
///
/// ```
/// use mooncake::tangents::dot;
/// use std::{cell::RefCell, rc::Rc};
///
/// assert_eq!(dot(&(2.0, vec![3.0f32, 1.0]), &(0.5, vec![1.0, -1.0]))?, 3.0);
/// let cell = Rc::new(RefCell::new(3.0));
/// assert_eq!(dot(&(cell.clone(), cell.clone()), &(cell.clone(), cell))?, 9.0);
/// # Ok::<(), mooncake::Error>(())
/// ```
pub fn dot<G: Cotangent>(a: &G, b: &G) -> Result<f64> {
    let mut zip = Zip::new(Operation::Dot);
    let mut own = a.duplicate(&mut Duplicates::default())?;
    own.zip(b, &mut zip)?;
    Ok(zip.sum)
}

/// `value + factor · tangent`, as a new value: structs, enums, vectors, cells and graphs of them as they are, with other floats.
///
/// # Errors
/// If the tangent has not the form of the value's tangents, and for values that cannot be copied: those that hold references or
/// functions.
///
/// ```
/// use mooncake::tangents::add_to_primal;
///
/// let moved = add_to_primal(&(1.0, vec![2.0, 3.0], 4usize), 0.5, &(1.0, vec![0.0, 2.0], ()))?;
/// assert_eq!(moved, (1.5, vec![2.0, 4.0], 4));
/// # Ok::<(), mooncake::Error>(())
/// ```
pub fn add_to_primal<T: Value>(value: &T, factor: f64, tangent: &T::Gradient) -> Result<T> {
    let mut moved = value.copy(&mut Copies::default())?;
    let mut sum = floats_as_tangent(&mut moved)?;
    add(&mut sum, factor, tangent)?;
    put(&mut moved, take(&mut sum))?;
    Ok(moved)
}

/// The tangent that leads from a value to another one: `to - from`. What has no derivative is not compared.
///
/// # Errors
/// If the values differ in form, and for values that cannot be copied.
///
/// ```
/// use mooncake::tangents::difference;
///
/// assert_eq!(difference(&(1.0, Some(2.0), true), &(0.5, Some(3.0), false))?, (0.5, Some(-1.0), ()));
/// assert!(difference(&Some(1.0), &None).is_err());
/// # Ok::<(), mooncake::Error>(())
/// ```
pub fn difference<T: Value>(to: &T, from: &T) -> Result<T::Gradient> {
    let copy = |value: &T| value.copy(&mut Copies::default());
    let mut difference = floats_as_tangent(&mut copy(to)?)?;
    add(&mut difference, -1.0, &floats_as_tangent(&mut copy(from)?)?)?;
    Ok(difference)
}

fn add<G: Cotangent>(tangent: &mut G, factor: f64, by: &G) -> Result<()> {
    let mut compared = Zip::new(Operation::Compare);
    tangent.zip(by, &mut compared)?;
    let add = &mut Zip::new(Operation::Add(factor));
    // What both hold would be changed before it is read.
    match { compared.others.keys() }.any(|cell| compared.cells.contains_key(cell)) {
        true => tangent.zip(&by.duplicate(&mut Duplicates::default())?, add)?,
        false => tangent.zip(by, add)?,
    }
    Ok(())
}

/// The floats of a value, in the form of its tangent.
fn floats_as_tangent<T: Value>(value: &mut T) -> Result<T::Gradient> {
    let mut tangent = zero_tangent(value)?;
    put(&mut tangent, take(value))?;
    Ok(tangent)
}

/// A float, or an array of them.
enum Float {
    F32(f32),
    F64(f64),
    F32s(Array<f32>),
    F64s(Array<f64>),
}

fn take(whole: &mut impl Visit) -> Vec<Float> {
    let mut found = Vec::new();
    whole.visit(&mut Visitor::new(&mut |number, _| {
        found.push(match number {
            Number::F32(x) => Float::F32(*x),
            Number::F64(x) => Float::F64(*x),
            Number::F32s(x) => Float::F32s(x.clone()),
            Number::F64s(x) => Float::F64s(x.clone()),
            // Its tangent is an array of `f32`.
            Number::F16s(x) => Float::F32s(x.to_f32()),
            Number::Bits(_) => return,
        });
    }));
    found
}

/// Replaces the floats of a value or a tangent by those of a tangent or a value of its form.
fn put(whole: &mut impl Visit, floats: Vec<Float>) -> Result<()> {
    let (mut floats, mut fits) = (floats.into_iter(), true);
    whole.visit(&mut Visitor::new(&mut |number, _| match number {
        Number::Bits(_) => {}
        number => match (number, floats.next()) {
            (Number::F32(x), Some(Float::F32(new))) => *x = new,
            (Number::F64(x), Some(Float::F64(new))) => *x = new,
            (Number::F16s(x), Some(Float::F32s(new))) => *x = new.to_f16(),
            (Number::F32s(x), Some(Float::F32s(new))) => *x = new,
            (Number::F64s(x), Some(Float::F64s(new))) => *x = new,
            _ => fits = false,
        },
    }));
    match fits && floats.next().is_none() {
        true => Ok(()),
        false => Err(Error::Internal(
            "a value and its tangent have other floats".to_owned(),
        )),
    }
}

/// A copy of a tangent, but for its cells that are held in an `Rc`; and whether it has cells.
pub(super) fn own<G: Cotangent>(tangent: &G) -> Result<(G, bool)> {
    let mut known = Duplicates::shallow();
    let own = tangent.duplicate(&mut known)?;
    Ok((own, known.has_cells))
}

/// Adds to a tangent what another one holds outside of cells.
pub(super) fn add_own<G: Cotangent>(tangent: &mut G, by: &G) -> Result<()> {
    let mut zip = Zip::new(Operation::Add(1.0));
    zip.shallow = true;
    Ok(tangent.zip(by, &mut zip)?)
}

/// What the arithmetic does with each type of tangents.
pub trait Linear: Sized {
    /// A copy that shares nothing, with cells that are one in it where they are one here.
    #[doc(hidden)]
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self>;
    /// That of what an `Rc` holds.
    #[doc(hidden)]
    fn duplicate_rc(this: &Rc<Self>, known: &mut Duplicates) -> Result<Rc<Self>> {
        (**this).duplicate(known).map(Rc::new)
    }
    /// Goes through this tangent and another one in step.
    #[doc(hidden)]
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ>;
    /// Goes through as many items as there are others.
    #[doc(hidden)]
    fn zip_all(items: &mut [Self], with: &[Self], zip: &mut Zip) -> Result<(), Differ> {
        let pairs = items.iter_mut().zip(with).enumerate();
        { pairs }
            .try_for_each(|(i, (a, b))| a.zip(b, zip).map_err(|e| e.within(PathElement::Item(i))))
    }
    /// Goes through what two `Rc`s hold.
    #[doc(hidden)]
    fn zip_rc(this: &mut Rc<Self>, with: &Rc<Self>, zip: &mut Zip) -> Result<(), Differ>
    where
        Self: Clone,
    {
        match zip.step {
            Operation::Add(_) => Rc::make_mut(this).zip(with, zip),
            // Nothing changes: what is held twice stays so.
            Operation::Compare | Operation::Dot => (**this)
                .duplicate(&mut Duplicates::shallow())?
                .zip(with, zip),
        }
    }
}

/// The copies of cells.
#[derive(Default)]
pub struct Duplicates {
    /// By the cells' addresses.
    cells: Table<usize, Rc<dyn Any>>,
    /// Whether an `Rc` of a cell is copied as itself.
    shallow: bool,
    /// Whether it came to a cell.
    has_cells: bool,
}

impl Duplicates {
    /// Copies what is not in an `Rc` of a cell.
    fn shallow() -> Duplicates {
        Duplicates {
            shallow: true,
            ..Duplicates::default()
        }
    }
}

/// What happens to two tangents that are gone through in step.
pub struct Zip {
    step: Operation,
    sum: f64,
    /// The cells of each that were come to, with the other's.
    cells: Table<usize, usize>,
    others: Table<usize, usize>,
    /// Whether cells are left alone.
    shallow: bool,
}

#[derive(Clone, Copy)]
enum Operation {
    /// Nothing but the comparison of their forms.
    Compare,
    /// The second one, times this, is added to the first one.
    Add(f64),
    /// The products are summed up.
    Dot,
}

impl Zip {
    fn new(step: Operation) -> Zip {
        Zip {
            step,
            sum: 0.0,
            cells: Table::default(),
            others: Table::default(),
            shallow: false,
        }
    }
    /// The fields of both, to be gone through.
    #[doc(hidden)]
    pub fn fields(&mut self) -> ZippedFields<'_> {
        let done = Ok(());
        ZippedFields { zip: self, done }
    }
    /// Whether to go into two cells: they are new. Cells that are one here must be one there.
    fn enter(&mut self, cell: usize, other: usize) -> Result<bool, Differ> {
        let known = (
            self.cells.insert(cell, other),
            self.others.insert(other, cell),
        );
        match known {
            (None, None) => Ok(true),
            (Some(before), Some(_)) if before == other => Ok(false),
            _ => Err(Differ::new("one cell that is held twice, and two cells")),
        }
    }
}

/// The fields of two structs or tuples, which are gone through in step until they differ.
pub struct ZippedFields<'z> {
    zip: &'z mut Zip,
    done: Result<(), Differ>,
}

impl ZippedFields<'_> {
    /// Goes through a field of both.
    #[doc(hidden)]
    pub fn field<G: Linear>(&mut self, name: &'static str, a: &mut G, b: &G) {
        if self.done.is_ok() {
            let done = a.zip(b, self.zip);
            self.done = done.map_err(|e| e.within(PathElement::Field(name)));
        }
    }
    /// Whether they differed.
    #[doc(hidden)]
    pub fn done(self) -> Result<(), Differ> {
        self.done
    }
}

/// Two tangents are of different form, or cannot be worked with.
pub struct Differ {
    error: Error,
    /// From the inside.
    path: Vec<PathElement>,
}

enum PathElement {
    Field(&'static str),
    Item(usize),
}

impl Differ {
    fn new(what: impl std::fmt::Display) -> Differ {
        Error::Array(format!("tangents differ in form: {what}")).into()
    }
    fn lengths(a: usize, b: usize) -> Differ {
        let elements = |n: usize| match n {
            1 => "1 element".to_owned(),
            n => format!("{n} elements"),
        };
        Differ::new(format!("{}, and {}", elements(a), elements(b)))
    }
    /// They are of these variants.
    #[doc(hidden)]
    pub fn variants(a: &str, b: &str) -> Differ {
        Differ::new(format!("`{a}`, and `{b}`"))
    }
    fn within(mut self, place: PathElement) -> Differ {
        self.path.push(place);
        self
    }
}

impl From<Error> for Differ {
    fn from(error: Error) -> Differ {
        let path = Vec::new();
        Differ { error, path }
    }
}
impl From<Differ> for Error {
    fn from(Differ { error, path }: Differ) -> Error {
        let places = path.iter().rev().map(|place| match place {
            PathElement::Field(name) => format!(".{name}"),
            PathElement::Item(i) => format!("[{i}]"),
        });
        match (error, path.is_empty()) {
            (Error::Array(what), false) => {
                Error::Array(format!("at `{}` {what}", places.collect::<String>()))
            }
            (error, _) => error,
        }
    }
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Linear for $ty {
            fn duplicate(&self, _known: &mut Duplicates) -> Result<$ty> {
                Ok(*self)
            }
            fn zip(&mut self, with: &$ty, zip: &mut Zip) -> Result<(), Differ> {
                $ty::zip_all(std::slice::from_mut(self), std::slice::from_ref(with), zip)
            }
            fn zip_all(items: &mut [$ty], with: &[$ty], zip: &mut Zip) -> Result<(), Differ> {
                let pairs = items.iter_mut().zip(with);
                match zip.step {
                    Operation::Compare => {}
                    Operation::Add(factor) => pairs.for_each(|(a, b)| *a += (factor * f64::from(*b)) as $ty),
                    Operation::Dot => zip.sum += pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>(),
                }
                Ok(())
            }
        }
    )*};
}
floats! { f32 f64 }

impl<T: FloatElement> Linear for Array<T> {
    fn duplicate(&self, _known: &mut Duplicates) -> Result<Self> {
        Ok(self.clone())
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        if let Some(error) = self.error().or(with.error()) {
            return Err(error.clone().into());
        }
        if self.shape() != with.shape() {
            let (a, b) = (self.shape(), with.shape());
            return Err(Differ::new(format!("the shape {a:?}, and the shape {b:?}")));
        }
        match zip.step {
            Operation::Compare => Ok(()),
            Operation::Add(factor) => {
                *self = match factor == 1.0 {
                    true => &*self + with,
                    false => &*self + with * T::from_f64(factor),
                };
                self.error()
                    .map_or(Ok(()), |error| Err(error.clone().into()))
            }
            Operation::Dot => {
                let (a, b) = (self.to_vec()?, with.to_vec()?);
                let products = a.iter().zip(b).map(|(a, b)| a.to_f64() * b.to_f64());
                zip.sum += products.sum::<f64>();
                Ok(())
            }
        }
    }
}

impl Linear for () {
    fn duplicate(&self, _known: &mut Duplicates) -> Result<()> {
        Ok(())
    }
    fn zip(&mut self, _with: &(), _zip: &mut Zip) -> Result<(), Differ> {
        Ok(())
    }
}

impl<G: Linear> Linear for Vec<G> {
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
        deeper(|| self.iter().map(|item| item.duplicate(known)).collect())
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        match self.len() == with.len() {
            true => deeper(|| G::zip_all(self, with, zip)),
            false => Err(Differ::lengths(self.len(), with.len())),
        }
    }
}
impl<G: Linear, const N: usize> Linear for [G; N] {
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
        let items: Result<Vec<G>> = self.iter().map(|item| item.duplicate(known)).collect();
        let short = |_| Error::Internal("too few elements".to_owned());
        items?.try_into().map_err(short)
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        G::zip_all(self, with, zip)
    }
}
impl<G: Linear> Linear for Box<G> {
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
        deeper(|| (**self).duplicate(known).map(Box::new))
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        deeper(|| (**self).zip(with, zip))
    }
}
impl<G: Linear + Clone> Linear for Rc<G> {
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
        deeper(|| G::duplicate_rc(self, known))
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        deeper(|| G::zip_rc(self, with, zip))
    }
}

/// What is in a cell.
fn content<G>(cell: &RefCell<G>) -> Result<Ref<'_, G>> {
    cell.try_borrow().or_else(|_| super::value::borrowed())
}

impl<G: Cotangent> Linear for RefCell<G> {
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
        known.has_cells = true;
        content(self)?.duplicate(known).map(RefCell::new)
    }
    fn duplicate_rc(this: &Rc<Self>, known: &mut Duplicates) -> Result<Rc<Self>> {
        known.has_cells = true;
        if known.shallow {
            return Ok(this.clone());
        }
        let address = Rc::as_ptr(this).addr();
        if let Some(known) = known.cells.get(&address)
            && let Ok(known) = known.clone().downcast()
        {
            return Ok(known);
        }
        // First the cell, so that a cycle finds it.
        let copy = Rc::new(RefCell::new(G::empty()));
        known.cells.insert(address, copy.clone());
        copy.replace(content(this)?.duplicate(known)?);
        Ok(copy)
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        match zip.shallow {
            true => Ok(()),
            false => self.get_mut().zip(&*content(with)?, zip),
        }
    }
    fn zip_rc(this: &mut Rc<Self>, with: &Rc<Self>, zip: &mut Zip) -> Result<(), Differ> {
        if zip.shallow || !zip.enter(Rc::as_ptr(this).addr(), Rc::as_ptr(with).addr())? {
            return Ok(());
        }
        // While they are only compared, they may be one.
        let Operation::Add(_) = zip.step else {
            let mut own = content(this)?.duplicate(&mut Duplicates::shallow())?;
            return own.zip(&*content(with)?, zip);
        };
        match (this.try_borrow_mut(), with.try_borrow()) {
            (Ok(mut own), Ok(with)) => own.zip(&with, zip),
            _ => Ok(super::value::borrowed()?),
        }
    }
}

impl<G: Linear> Linear for Option<G> {
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
        self.as_ref().map(|some| some.duplicate(known)).transpose()
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        match (self, with) {
            (None, None) => Ok(()),
            (Some(a), Some(b)) => a.zip(b, zip),
            (Some(_), None) => Err(Differ::variants("Some", "None")),
            (None, Some(_)) => Err(Differ::variants("None", "Some")),
        }
    }
}
impl<G: Linear, H: Linear> Linear for Result<G, H> {
    fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
        Ok(match self {
            Ok(value) => Ok(value.duplicate(known)?),
            Err(error) => Err(error.duplicate(known)?),
        })
    }
    fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
        match (self, with) {
            (Ok(a), Ok(b)) => a.zip(b, zip),
            (Err(a), Err(b)) => a.zip(b, zip),
            (Ok(_), Err(_)) => Err(Differ::variants("Ok", "Err")),
            (Err(_), Ok(_)) => Err(Differ::variants("Err", "Ok")),
        }
    }
}

macro_rules! tuples {
    () => {};
    ($($A:ident $P:ident $n:tt),*) => {
        impl<$($A: Linear),*> Linear for ($($A,)*) {
            fn duplicate(&self, known: &mut Duplicates) -> Result<Self> {
                Ok(($(self.$n.duplicate(known)?,)*))
            }
            fn zip(&mut self, with: &Self, zip: &mut Zip) -> Result<(), Differ> {
                let mut fields = zip.fields();
                $(fields.field(stringify!($n), &mut self.$n, &with.$n);)*
                fields.done()
            }
        }
    };
}
super::for_tuples!(tuples);

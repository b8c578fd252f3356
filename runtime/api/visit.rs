//! The numbers that values and gradients are made of, one after the other: how tests move an argument in a direction, and how memory to which
//! gradients are added becomes zero.

use super::call::Table;
use super::value::deeper;
use crate::array::{Array, Element, FloatElement};
use crate::front::types::{TypeBehind, Typed, for_functions};
use crate::ir::Type;
use half::f16;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

/// A value or a gradient, as the numbers in it. Those of a value that have derivatives come in the order of those of its gradient.
pub trait Visit {
    /// Calls `visitor` with every number.
    #[doc(hidden)]
    fn visit(&mut self, visitor: &mut Visitor<'_>);
    /// Calls it with every number of all items: at once where that is quicker.
    #[doc(hidden)]
    fn visit_all(items: &mut [Self], visitor: &mut Visitor<'_>)
    where
        Self: Sized,
    {
        deeper(|| items.iter_mut().for_each(|item| item.visit(visitor)));
    }
    /// The same for what an `Rc` holds: nothing, if others hold it too and nobody may change it.
    #[doc(hidden)]
    fn visit_rc(this: &mut Rc<Self>, visitor: &mut Visitor<'_>) {
        if let Some(value) = Rc::get_mut(this) {
            value.visit(visitor);
        }
    }
}

/// Goes through the numbers of a value or a gradient. What is shared it visits once.
pub struct Visitor<'v> {
    seen: Table<usize, ()>,
    /// In how many cells we are.
    cells: usize,
    /// Whether all that happens is that floats become zero: nothing is called for them, nor for what has no derivative.
    clears: bool,
    /// Is called for floats outside of arrays, row by row, if it is there.
    rows: Option<&'v mut dyn FnMut(Row<'_>)>,
    leaf: &'v mut dyn FnMut(Number<'_>, bool),
}

/// Floats that are one after the other.
pub(super) enum Row<'a> {
    F32(&'a mut [f32]),
    F64(&'a mut [f64]),
}

/// A number, or an array of them.
pub enum Number<'a> {
    /// An `f32`.
    F32(&'a mut f32),
    /// An `f64`.
    F64(&'a mut f64),
    /// An array: a float of a value, but none of a tangent.
    F16s(&'a mut Array<f16>),
    /// An array.
    F32s(&'a mut Array<f32>),
    /// An array.
    F64s(&'a mut Array<f64>),
    /// The bits of a number without derivative, or the length of a vector, or which variant is alive.
    Bits(u64),
}

impl<'v> Visitor<'v> {
    /// Calls `leaf` with each number, and whether it is in a cell or behind a `&mut`.
    pub fn new(leaf: &'v mut dyn FnMut(Number<'_>, bool)) -> Self {
        Visitor {
            seen: Table::default(),
            cells: 0,
            clears: false,
            rows: None,
            leaf,
        }
    }
    /// Makes the floats zero. `nothing` is what is done with arrays.
    pub(super) fn clearing(nothing: &'v mut dyn FnMut(Number<'_>, bool)) -> Self {
        Visitor {
            clears: true,
            ..Visitor::new(nothing)
        }
    }
    /// Calls `leaf` with each array of floats, and `rows` with the other floats.
    pub(super) fn of_floats(
        leaf: &'v mut dyn FnMut(Number<'_>, bool),
        rows: &'v mut dyn FnMut(Row<'_>),
    ) -> Self {
        Visitor {
            rows: Some(rows),
            ..Visitor::new(leaf)
        }
    }
    /// Floats. Apart, so that the loops in which gradients are cleared are short.
    #[inline(never)]
    fn row(&mut self, row: Row<'_>) {
        match (&mut self.rows, row) {
            (Some(rows), row) => rows(row),
            (None, Row::F32(row)) => row.iter_mut().for_each(|x| self.number(Number::F32(x))),
            (None, Row::F64(row)) => row.iter_mut().for_each(|x| self.number(Number::F64(x))),
        }
    }
    /// The bits of a number without derivative, the length of a vector, or which variant of an enum is alive.
    #[inline]
    pub fn bits(&mut self, bits: u64) {
        if !self.clears {
            self.number(Number::Bits(bits));
        }
    }
    /// A number.
    fn number(&mut self, number: Number<'_>) {
        (self.leaf)(number, self.cells > 0);
    }
    /// What is in a cell, or may change for another reason.
    pub(crate) fn cell(&mut self, content: &mut impl Visit) {
        self.cells += 1;
        content.visit(self);
        self.cells -= 1;
    }
    /// Whether what is at this address was not visited before.
    fn enter(&mut self, address: usize) -> bool {
        self.seen.insert(address, ()).is_none()
    }
}

macro_rules! numbers {
    (@float $($ty:ident $number:ident;)*) => {$(
        impl Visit for $ty {
            #[inline]
            fn visit(&mut self, visitor: &mut Visitor<'_>) {
                match visitor.clears {
                    true => *self = 0.0,
                    false => visitor.row(Row::$number(std::slice::from_mut(self))),
                }
            }
            #[inline]
            fn visit_all(items: &mut [$ty], visitor: &mut Visitor<'_>) {
                match visitor.clears {
                    true => items.fill(0.0),
                    false => visitor.row(Row::$number(items)),
                }
            }
        }
    )*};
    (@array $($ty:ident)*) => {$(
        impl Visit for Array<$ty> {
            fn visit(&mut self, visitor: &mut Visitor<'_>) {
                for element in self.to_vec().unwrap_or_default() {
                    visitor.bits(Element::to_bits(element));
                }
            }
        }
    )*};
    ($($ty:ident)*) => {$(
        impl Visit for $ty {
            #[inline]
            fn visit(&mut self, visitor: &mut Visitor<'_>) {
                visitor.bits(*self as u64);
            }
        }
    )*};
}
numbers! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
numbers! { @float f32 F32; f64 F64; }
numbers! { @array i32 u32 bool }

impl<T: FloatElement> Visit for Array<T> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        Number::of_array(self)
            .into_iter()
            .for_each(|number| visitor.number(number));
    }
}

impl<'n> Number<'n> {
    /// An array of either type of floats.
    pub(super) fn of_array<T: FloatElement>(array: &'n mut Array<T>) -> Option<Number<'n>> {
        let array: &mut dyn Any = array;
        match T::TYPE {
            Type::F32 => array.downcast_mut().map(Number::F32s),
            _ => array.downcast_mut().map(Number::F64s),
        }
    }
}

impl Visit for Array<f16> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        visitor.number(Number::F16s(self));
    }
}

/// What has no numbers, or none that could be changed.
macro_rules! nothing {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[allow(coherence_leak_check, reason = "no type is both `fn(A)` and `fn(&A)`")]
        impl<$($generics)*> Visit for $ty {
            fn visit(&mut self, _visitor: &mut Visitor<'_>) {}
        }
    )*};
}
nothing! {
    [] String; [] str;
    [T: ?Sized] &T; [T: ?Sized] &mut T; [T: ?Sized] PhantomData<T>;
    [T] dyn Iterator<Item = T> + '_;
}
macro_rules! functions {
    ([$($bound:tt)*] [$($param:tt)*] [$($ty:tt)*]) => {
        nothing! {
            [$($bound)* R] fn($($param)*) -> R;
            [$($bound)* R] dyn Fn($($param)*) -> R + '_;
            [$($bound)* R] dyn FnMut($($param)*) -> R + '_;
            [$($bound)* R] dyn FnOnce($($param)*) -> R + '_;
        }
    };
}
for_functions! { functions }

impl<T: Visit> Visit for [T] {
    #[inline]
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        visitor.bits(self.len() as u64);
        T::visit_all(self, visitor);
    }
}
impl<T: Visit> Visit for Vec<T> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self[..].visit(visitor);
    }
}
impl<T: Visit, const N: usize> Visit for [T; N] {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self[..].visit(visitor);
    }
}
impl<T: Visit + ?Sized> Visit for Box<T> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        deeper(|| (**self).visit(visitor));
    }
}
impl<T: Visit + ?Sized> Visit for Rc<T> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        deeper(|| T::visit_rc(self, visitor));
    }
}
impl<T: Visit> Visit for RefCell<T> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        visitor.cell(self.get_mut());
    }
    fn visit_rc(this: &mut Rc<Self>, visitor: &mut Visitor<'_>) {
        if visitor.enter(Rc::as_ptr(this).addr())
            && let Ok(mut content) = this.try_borrow_mut()
        {
            visitor.cell(&mut *content);
        }
    }
}
impl<T: Visit + Copy> Visit for Cell<T> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        visitor.cell(self.get_mut());
    }
    fn visit_rc(this: &mut Rc<Self>, visitor: &mut Visitor<'_>) {
        if visitor.enter(Rc::as_ptr(this).addr()) {
            let mut content = this.get();
            visitor.cell(&mut content);
            this.set(content);
        }
    }
}
impl<T: Visit> Visit for Option<T> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        visitor.bits(self.is_some().into());
        self.iter_mut().for_each(|value| value.visit(visitor));
    }
}
impl<T: Visit, E: Visit> Visit for Result<T, E> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        visitor.bits(self.is_ok().into());
        match self {
            Ok(value) => value.visit(visitor),
            Err(error) => error.visit(visitor),
        }
    }
}
macro_rules! tuples {
    ($($A:ident $P:ident $n:tt),*) => {
        #[allow(unused_variables, reason = "the empty tuple")]
        impl<$($A: Visit),*> Visit for ($($A,)*) {
            fn visit(&mut self, visitor: &mut Visitor<'_>) {
                $(self.$n.visit(visitor);)*
            }
        }
    };
}
super::for_tuples!(tuples);

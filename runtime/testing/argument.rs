//! Arguments that a test owns: it changes them, and lends them again and again.

use super::leaves::Numbers;
use super::part::Part;
use crate::api::{
    Activity, Argument, Call, Const, Copies, Cotangent, GradientSink, InRc, Reader, Seen, Value,
    Visit, Visitor, argument_itself as itself, reference,
};
use crate::array::Array;
use crate::diag::Result;
use crate::front::tangents::tangent_type;
use crate::ir::Symbol;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ops::Range;
use std::rc::Rc;

/// An argument that a rule can be tested on: all that a rule can be called with. What the function takes by `&` may also be
/// given by value.
#[diagnostic::on_unimplemented(
    message = "no rule can be tested with `{Self}` for a parameter of type `{P}`",
    note = "arguments are a tuple, also of one: `(&x,)`; `Const(x)` marks one as constant"
)]
pub trait TestArgument<P> {
    /// The argument's data.
    type Owned: Owned;
    /// A copy of the data. Cells that arguments share are one in the copies.
    fn own(&self, copies: &mut Copies) -> Result<Self::Owned>;
}

/// Data of arguments. As [`Visit`] it has the floats that carry cotangents, and all bits.
pub trait Owned: Visit + Sized + 'static {
    /// Its cotangent.
    type Gradient: GradientSink<Self::Gradient> + Cotangent;
    /// Says which of the parameters it stands for are active.
    fn activity(activity: &mut Activity);
    /// Adds it to a call.
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()>;
    /// A cotangent of the right shape.
    fn gradient(&self, seen: &mut Seen) -> Self::Gradient;
    /// Takes over what a call has changed.
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()>;
    /// A copy.
    fn copy(&self, copies: &mut Copies) -> Result<Self>;
    /// Whether it holds slices or arrays that another argument can be given as well.
    fn lends(&mut self) -> bool {
        Numbers::of(self).is_ok_and(|numbers| numbers.has_arrays())
    }
    /// The arguments one by one, if it is a tuple of them.
    fn parts(&mut self) -> Vec<&mut dyn Part> {
        Vec::new()
    }
    /// A cotangent of the right shape, of zeros. Cells that arguments share have one.
    fn zeros(&self) -> Self::Gradient {
        self.gradient(&mut Seen::default())
    }
    /// A copy of what has been copied before, and could be.
    fn again(&self) -> Self {
        let copy = self.copy(&mut Copies::default());
        copy.unwrap_or_else(|error| unreachable!("it was copied before: {error}"))
    }
}

/// Data that can be lent as a parameter of type `P` to a native function.
pub trait Lend<'b, P> {
    /// The parameter.
    fn lend(&'b mut self) -> P;
}

/// Data lent to a rule, for whatever parameters: the call compares types.
pub struct Lent<'b, O>(pub &'b mut O);

impl<P, O: Owned> Argument<P> for Lent<'_, O> {
    type Gradient = O::Gradient;
    fn activity(activity: &mut Activity) {
        O::activity(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        self.0.encode(call)
    }
    fn gradient(&self) -> O::Gradient {
        self.0.zeros()
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.0.update(reader)
    }
}

/// Data lent to a rule, with one memory for the shared slices of two arguments.
pub struct Aliased<'b, O> {
    /// The arguments.
    pub args: &'b mut O,
    /// The flat parameters that the two stand for.
    pub leaves: [Range<usize>; 2],
}

impl<P, O: Owned> Argument<P> for Aliased<'_, O> {
    type Gradient = O::Gradient;
    fn activity(activity: &mut Activity) {
        O::activity(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        self.args.encode(call)?;
        let [from, to] = self.leaves.clone();
        call.share(from, to);
        Ok(())
    }
    fn gradient(&self) -> O::Gradient {
        self.args.zeros()
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.args.update(reader)
    }
}

/// Passed by value.
pub struct Own<T>(pub(super) T);

/// Passed by reference.
pub struct Shared<T>(pub(super) T);

/// Passed by mutable reference.
pub struct Mutable<T>(pub(super) T);

/// A slice.
pub struct Slice<T>(pub(super) Vec<T>);

/// A slice that the function may write to.
pub struct SliceMut<T>(pub(super) Vec<T>);

/// Text.
#[derive(Clone, Copy)]
pub struct Text(&'static str);

/// Marked as constant: its floats carry no cotangents.
pub struct Fixed<T>(T);

macro_rules! visits {
    ($($wrapper:ident |$value:ident, $visitor:ident| $visit:expr;)*) => {$(
        impl<T: Value> Visit for $wrapper<T> {
            fn visit(&mut self, $visitor: &mut Visitor<'_>) {
                let $value = &mut self.0;
                $visit;
            }
        }
    )*};
}
visits! {
    Own |value, visitor| value.visit(visitor);
    Shared |value, visitor| value.visit(visitor);
    Mutable |value, visitor| visitor.cell(value);
    Slice |values, visitor| values.visit(visitor);
    SliceMut |values, visitor| visitor.cell(values);
}

impl<T: Value<Gradient: GradientSink<T::Gradient>> + 'static> Owned for Own<T> {
    type Gradient = T::Gradient;
    fn activity(activity: &mut Activity) {
        itself::activity::<T>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        itself::encode(&self.0, call)
    }
    fn gradient(&self, seen: &mut Seen) -> T::Gradient {
        self.0.zero(seen)
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        itself::update(&self.0, reader)
    }
    fn copy(&self, copies: &mut Copies) -> Result<Self> {
        self.0.copy(copies).map(Own)
    }
}

impl<T: Value<Gradient: GradientSink<T::Gradient>> + 'static> Owned for Shared<T> {
    type Gradient = T::Gradient;
    fn activity(activity: &mut Activity) {
        itself::activity::<T>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        self.0.give_argument(true, call)
    }
    fn gradient(&self, seen: &mut Seen) -> T::Gradient {
        self.0.zero(seen)
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        itself::update(&self.0, reader)
    }
    fn copy(&self, copies: &mut Copies) -> Result<Self> {
        self.0.copy(copies).map(Shared)
    }
    fn lends(&mut self) -> bool {
        let has_slices = !tangent_type::<T>().fdata().is_none();
        has_slices || Numbers::of(self).is_ok_and(|numbers| numbers.has_arrays())
    }
}

impl<T: Value<Gradient: GradientSink<T::Gradient>> + 'static> Owned for Mutable<T> {
    type Gradient = T::Gradient;
    fn activity(activity: &mut Activity) {
        reference::place_activity::<T>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        reference::give_place(&self.0, call)
    }
    fn gradient(&self, seen: &mut Seen) -> T::Gradient {
        self.0.zero(seen)
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        reference::update_place(&mut self.0, reader)
    }
    fn copy(&self, copies: &mut Copies) -> Result<Self> {
        self.0.copy(copies).map(Mutable)
    }
    fn lends(&mut self) -> bool {
        false
    }
}

impl<T: Value<SliceGradient: GradientSink<T::SliceGradient>> + 'static> Owned for Slice<T> {
    type Gradient = T::SliceGradient;
    fn activity(activity: &mut Activity) {
        reference::slice_activity::<T>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        reference::give_slice(&self.0[..], call)
    }
    fn gradient(&self, seen: &mut Seen) -> T::SliceGradient {
        self.0.zero(seen)
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        reference::update_slice(&self.0[..], reader)
    }
    fn copy(&self, copies: &mut Copies) -> Result<Self> {
        self.0.copy(copies).map(Slice)
    }
    fn lends(&mut self) -> bool {
        true
    }
}

impl<T: Value<SliceGradient: GradientSink<T::SliceGradient>> + 'static> Owned for SliceMut<T> {
    type Gradient = T::SliceGradient;
    fn activity(activity: &mut Activity) {
        reference::slice_activity::<T>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        reference::give_slice_mut(&mut self.0[..], call)
    }
    fn gradient(&self, seen: &mut Seen) -> T::SliceGradient {
        self.0.zero(seen)
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        reference::update_slice_mut(&mut self.0[..], reader)
    }
    fn copy(&self, copies: &mut Copies) -> Result<Self> {
        self.0.copy(copies).map(SliceMut)
    }
    fn lends(&mut self) -> bool {
        false
    }
}

impl Visit for Text {
    fn visit(&mut self, _visitor: &mut Visitor<'_>) {}
}
impl Owned for Text {
    type Gradient = ();
    fn activity(activity: &mut Activity) {
        itself::activity::<&str>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        itself::encode(&self.0, call)
    }
    fn gradient(&self, _seen: &mut Seen) {}
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        itself::update(&self.0, reader)
    }
    fn copy(&self, _copies: &mut Copies) -> Result<Self> {
        Ok(*self)
    }
}

impl<O: Owned> Visit for Fixed<O> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let Ok(numbers) = Numbers::of(&mut self.0) else {
            return;
        };
        numbers.bits.into_iter().for_each(|bits| visitor.bits(bits));
    }
}
impl<O: Owned> Owned for Fixed<O> {
    type Gradient = ();
    fn activity(activity: &mut Activity) {
        let start = activity.len();
        O::activity(activity);
        activity.deactivate_from(start);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        call.constant(|call| self.0.encode(call))
    }
    fn gradient(&self, _seen: &mut Seen) {}
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.0.update(reader)
    }
    fn copy(&self, copies: &mut Copies) -> Result<Self> {
        self.0.copy(copies).map(Fixed)
    }
}

impl<'b, T: Clone> Lend<'b, T> for Own<T> {
    fn lend(&'b mut self) -> T {
        self.0.clone()
    }
}
impl<'b, T> Lend<'b, &'b T> for Shared<T> {
    fn lend(&'b mut self) -> &'b T {
        &self.0
    }
}
impl<'b, T> Lend<'b, &'b mut T> for Mutable<T> {
    fn lend(&'b mut self) -> &'b mut T {
        &mut self.0
    }
}
impl<'b, T> Lend<'b, &'b [T]> for Slice<T> {
    fn lend(&'b mut self) -> &'b [T] {
        &self.0
    }
}
impl<'b, T> Lend<'b, &'b mut [T]> for SliceMut<T> {
    fn lend(&'b mut self) -> &'b mut [T] {
        &mut self.0
    }
}
impl<'b, 'a> Lend<'b, &'a str> for Text {
    fn lend(&'b mut self) -> &'a str {
        self.0
    }
}
impl<'b, P, O: Lend<'b, P>> Lend<'b, P> for Fixed<O> {
    fn lend(&'b mut self) -> P {
        self.0.lend()
    }
}

fn copy_all<T: Value>(values: &[T], copies: &mut Copies) -> Result<Vec<T>> {
    values.iter().map(|value| value.copy(copies)).collect()
}

impl<P, A: TestArgument<P>> TestArgument<P> for Const<A> {
    type Owned = Fixed<A::Owned>;
    fn own(&self, copies: &mut Copies) -> Result<Self::Owned> {
        self.0.own(copies).map(Fixed)
    }
}
impl TestArgument<&str> for &str {
    type Owned = Text;
    fn own(&self, _copies: &mut Copies) -> Result<Text> {
        Ok(Text(Symbol::new(self).as_str()))
    }
}

/// What is passed, and how it may be given.
macro_rules! arguments {
    ($([$($generics:tt)*] $param:ty, $argument:ty => $owned:ident<$t:ty>, |$x:ident, $copies:ident| $copy:expr;)*) => {$(
        impl<$($generics)*> TestArgument<$param> for $argument
        where
            $owned<$t>: Owned,
        {
            type Owned = $owned<$t>;
            fn own(&self, $copies: &mut Copies) -> Result<Self::Owned> {
                let $x = self;
                $copy.map($owned)
            }
        }
    )*};
}
arguments! {
    ['a, T: Value] T, &'a T => Own<T>, |x, copies| T::copy(x, copies);
    ['a, T: Value] &'a T, T => Shared<T>, |x, copies| x.copy(copies);
    ['a, T: Value] &'a T, &'a T => Shared<T>, |x, copies| T::copy(x, copies);
    ['a, T: Value] &'a mut T, &'a mut T => Mutable<T>, |x, copies| T::copy(x, copies);
    ['a, T: Value] &'a [T], Vec<T> => Slice<T>, |x, copies| copy_all(x, copies);
    ['a, T: Value, const N: usize] &'a [T], [T; N] => Slice<T>, |x, copies| copy_all(x, copies);
    ['a, T: Value] &'a [T], &'a [T] => Slice<T>, |x, copies| copy_all(x, copies);
    ['a, T: Value] &'a [T], &'a Vec<T> => Slice<T>, |x, copies| copy_all(x, copies);
    ['a, T: Value, const N: usize] &'a [T], &'a [T; N] => Slice<T>, |x, copies| copy_all(*x, copies);
    ['a, T: Value] &'a mut [T], &'a mut [T] => SliceMut<T>, |x, copies| copy_all(x, copies);
    ['a, T: Value] &'a mut [T], &'a mut Vec<T> => SliceMut<T>, |x, copies| copy_all(x, copies);
    ['a, T: Value, const N: usize] &'a mut [T], &'a mut [T; N] => SliceMut<T>, |x, copies| copy_all(*x, copies);
}

/// What a value does as a test's argument for a parameter of its own type. There is no one `impl` for all values: tuples are arguments field
/// by field.
macro_rules! values {
    ($([$($generics:tt)*] $ty:ty;)*) => {
        arguments! { $([$($generics)*] $ty, $ty => Own<$ty>, |x, copies| x.copy(copies);)* }
    };
}
values! {
    [] bool; [] i8; [] i16; [] i32; [] i64; [] isize; [] u8; [] u16; [] u32; [] u64; [] usize; [] f32; [] f64;
    [] Array<f32>; [] Array<f64>; [] Array<i32>; [] Array<u32>; [] Array<bool>;
    [] String;
    [T: ?Sized + 'static] PhantomData<T>;
    [T: Value] Vec<T>;
    [T: Value, const N: usize] [T; N];
    [T: Value] Option<T>;
    [T: Value, E: Value] std::result::Result<T, E>;
    [T: Value] Box<T>;
    [T: Value] Box<[T]>;
    [T: InRc + ?Sized] Rc<T>;
    [T: Value + 'static] RefCell<T>;
    [T: Value + Copy + 'static] Cell<T>;
}

/// For the values with `#[derive(Differentiable)]`.
pub fn own_value<T: Value>(value: &T, copies: &mut Copies) -> Result<Own<T>> {
    value.copy(copies).map(Own)
}

macro_rules! tuples {
    ($($A:ident $P:ident $n:tt),*) => {
        #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple")]
        impl<$($A: TestArgument<$P>, $P),*> TestArgument<($($P,)*)> for ($($A,)*) {
            type Owned = ($($A::Owned,)*);
            fn own(&self, copies: &mut Copies) -> Result<Self::Owned> {
                Ok(($(self.$n.own(copies)?,)*))
            }
        }
        #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple")]
        impl<$($A: Owned),*> Owned for ($($A,)*)
        where
            ($($A::Gradient,)*): GradientSink<($($A::Gradient,)*)> + Cotangent,
        {
            type Gradient = ($($A::Gradient,)*);
            fn activity(activity: &mut Activity) {
                $($A::activity(activity);)*
            }
            fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                $(self.$n.encode(call)?;)*
                Ok(())
            }
            fn gradient(&self, seen: &mut Seen) -> Self::Gradient {
                ($(self.$n.gradient(seen),)*)
            }
            fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
                $(self.$n.update(reader)?;)*
                Ok(())
            }
            fn copy(&self, copies: &mut Copies) -> Result<Self> {
                Ok(($(self.$n.copy(copies)?,)*))
            }
            fn parts(&mut self) -> Vec<&mut dyn Part> {
                vec![$(&mut self.$n),*]
            }
        }
        #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple")]
        impl<'b, $($A: Lend<'b, $P>, $P),*> Lend<'b, ($($P,)*)> for ($($A,)*) {
            fn lend(&'b mut self) -> ($($P,)*) {
                ($(self.$n.lend(),)*)
            }
        }
    };
}
crate::api::for_tuples!(tuples);

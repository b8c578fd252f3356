//! Arguments that a test owns: it changes them, and lends them again and again.

use super::leaves::Leaves;
use super::part::{Both, Part};
use crate::api::{
    Activity, Argument, Call, Const, Cotangent, Number, Reader, Returned, Seen, Tangent, Value,
    Visit, Visitor, give_shared_slice, give_slice_mut,
};
use crate::array::Array;
use crate::array::FloatElement;
use crate::diag::Result;
use std::cell::{Cell, RefCell};

/// An argument that a rule can be tested on: all that a rule can be called with.
pub trait TestArgument<P>: Argument<P> {
    /// The argument's data.
    type Owned: Owned;
    /// A copy of the data.
    fn own(&self) -> Self::Owned;
}

/// Data of arguments. As [`Leaves`] it has the floats that carry cotangents, and all bits.
pub trait Owned: Visit + Clone + 'static {
    /// Its cotangent.
    type Gradient: Cotangent;
    /// Says which of the parameters it stands for are active.
    fn activity(activity: &mut Activity);
    /// Adds it to a call.
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()>;
    /// A cotangent of the right shape.
    fn gradient(&self) -> Self::Gradient;
    /// Takes over what a call has changed.
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()>;
    /// For each float that carries a cotangent, whether the function may overwrite it.
    fn mutable(&self, out: &mut Vec<bool>);
    /// The arguments one by one, if it is a tuple of them.
    fn parts(&mut self) -> Vec<&mut dyn Part> {
        Vec::new()
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
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        self.0.give(call)
    }
    fn gradient(&self) -> O::Gradient {
        self.0.gradient()
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.0.update(reader)
    }
}

/// Data like that of the arguments, whose floats are the tangents of theirs.
pub struct Direction<'b, O>(pub &'b mut O);

impl<P, A, O: Owned> Tangent<P, A> for Direction<'_, O> {
    fn activity(activity: &mut Activity) {
        O::activity(activity);
    }
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        let mut active = Activity::default();
        O::activity(&mut active);
        call.keep(&active);
        self.0.give(call)
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.0.update(reader)
    }
}

/// Data lent to a rule, with one memory for two of its slices.
pub struct Aliased<'b, O> {
    /// The arguments.
    pub args: &'b mut O,
    /// What is passed for both slices.
    pub both: &'b dyn Both,
    /// The addresses of the two.
    pub places: [usize; 2],
}

impl<P, O: Owned> Argument<P> for Aliased<'_, O> {
    type Gradient = O::Gradient;
    fn activity(activity: &mut Activity) {
        O::activity(activity);
    }
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        self.args.give(call)?;
        self.both.share(self.places, call);
        Ok(())
    }
    fn gradient(&self) -> O::Gradient {
        self.args.gradient()
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.args.update(reader)
    }
}

/// Passed by value.
#[derive(Clone)]
pub struct Plain<T>(pub(super) T);

/// Passed by reference.
#[derive(Clone)]
pub struct Shared<T>(pub(super) T);

/// Passed by reference, to be changed.
#[derive(Clone)]
pub struct Exclusive<T>(T);

/// A slice that the function may write to.
#[derive(Clone)]
pub struct Mutable<T>(pub(super) T);

/// Marked as constant: its floats carry no cotangents.
#[derive(Clone)]
pub struct Fixed<T>(T);

macro_rules! delegate_visit {
    ($($wrapper:ident),*) => {$(
        impl<T: Visit> Visit for $wrapper<T> {
            fn visit(&mut self, visitor: &mut Visitor<'_>) {
                self.0.visit(visitor);
            }
        }
    )*};
}
delegate_visit!(Plain, Shared, Exclusive, Mutable);

impl<T: Visit> Visit for Fixed<T> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let mut bits = Vec::new();
        self.0.visit(&mut Visitor::new(&mut |number| match number {
            Number::F32(x) => bits.push(x.to_bits().into()),
            Number::F64(x) => bits.push(x.to_bits()),
            // Nothing changes arrays in place.
            Number::F32s(_) | Number::F64s(_) => {}
            Number::Bits(x) => bits.push(x),
        }));
        { bits.into_iter() }.for_each(|x| visitor.number(Number::Bits(x)));
    }
}

impl<P, A: TestArgument<P>> TestArgument<P> for Const<A> {
    type Owned = Fixed<A::Owned>;
    fn own(&self) -> Self::Owned {
        Fixed(self.0.own())
    }
}

impl<O: Owned> Owned for Fixed<O> {
    type Gradient = ();
    fn activity(activity: &mut Activity) {
        let start = activity.len();
        O::activity(activity);
        activity.deactivate_from(start);
    }
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        call.constant(|call| self.0.give(call))
    }
    fn gradient(&self) {}
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.0.update(reader)
    }
    fn mutable(&self, _out: &mut Vec<bool>) {}
}

impl<'b, P, O: Lend<'b, P>> Lend<'b, P> for Fixed<O> {
    fn lend(&'b mut self) -> P {
        self.0.lend()
    }
}

/// Pushes `mutable` for each float that carries a cotangent.
fn mark(value: &impl Leaves, mutable: bool, out: &mut Vec<bool>) {
    let mut floats = Vec::new();
    // What cannot be read fails where its floats are asked for.
    if value.floats(&mut floats).is_ok() {
        out.extend(floats.iter().map(|_| mutable));
    }
}

/// Data that is passed as an argument of type `$argument` for a parameter of that type.
macro_rules! owned {
    ($($owned:ty, $gradient:ident, $argument:ty, $b:lifetime $lent:ty, |$x:ident| $lend:expr, |$value:ident, $call:ident| $give:expr, $mutable:literal;)*) => {$(
        impl<T: Value + Clone + 'static> Owned for $owned {
            type Gradient = T::$gradient;
            fn activity(activity: &mut Activity) {
                <$argument as Argument<$argument>>::activity(activity);
            }
            fn give<'s>(&'s mut self, $call: &mut Call<'s>) -> Result<()> {
                let $value = self;
                $give
            }
            fn gradient(&self) -> Self::Gradient {
                let $x = self;
                let mut copy = $x.clone();
                let $x = &mut copy;
                Argument::<$argument>::gradient(&$lend)
            }
            fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
                let $x = self;
                Argument::<$argument>::update(&mut $lend, reader)
            }
            fn mutable(&self, out: &mut Vec<bool>) {
                mark(self, $mutable, out);
            }
        }
        impl<$b, T: Value + Clone> Lend<$b, $lent> for $owned {
            fn lend(&$b mut self) -> $lent {
                let $x = self;
                $lend
            }
        }
    )*};
}
owned! {
    Shared<T>, Gradient, &T, 'b &'b T, |x| &x.0, |x, call| x.0.give_argument(true, call), false;
    Exclusive<T>, Gradient, &mut T, 'b &'b mut T, |x| &mut x.0, |x, call| call.place(&x.0), true;
    Vec<T>, SliceGradient, &[T], 'b &'b [T], |x| &x[..], |x, call| give_shared_slice(x, call), false;
    Mutable<Vec<T>>, SliceGradient, &mut [T], 'b &'b mut [T], |x| &mut x.0[..], |x, call| give_slice_mut(&mut x.0, call), true;
}

impl<T: Value + Clone + 'static> Owned for Plain<T> {
    type Gradient = T::Gradient;
    fn activity(activity: &mut Activity) {
        <&T as Argument<T>>::activity(activity);
    }
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        self.0.give_argument(false, call)
    }
    fn gradient(&self) -> T::Gradient {
        Argument::<T>::gradient(&&self.0)
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        Argument::<T>::update(&mut &self.0, reader)
    }
    fn mutable(&self, out: &mut Vec<bool>) {
        mark(self, false, out);
    }
}
impl<'b, T: Value + Clone> Lend<'b, T> for Plain<T> {
    fn lend(&'b mut self) -> T {
        self.0.clone()
    }
}

impl<T: Value + Clone + 'static> TestArgument<T> for &T {
    type Owned = Plain<T>;
    fn own(&self) -> Plain<T> {
        Plain((*self).clone())
    }
}
impl<'a, T: Value + Clone + 'static> TestArgument<&'a T> for &'a T {
    type Owned = Shared<T>;
    fn own(&self) -> Shared<T> {
        Shared((*self).clone())
    }
}
impl<'a, T: Value + Clone + 'static> TestArgument<&'a mut T> for &'a mut T {
    type Owned = Exclusive<T>;
    fn own(&self) -> Exclusive<T> {
        Exclusive((**self).clone())
    }
}

macro_rules! slices {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<'a, T: Value + Clone + 'static, $($generics)*> TestArgument<&'a [T]> for &'a $ty {
            type Owned = Vec<T>;
            fn own(&self) -> Vec<T> {
                self.to_vec()
            }
        }
        impl<'a, T: Value + Clone + 'static, $($generics)*> TestArgument<&'a mut [T]> for &'a mut $ty {
            type Owned = Mutable<Vec<T>>;
            fn own(&self) -> Mutable<Vec<T>> {
                Mutable(self.to_vec())
            }
        }
    )*};
}
slices! { [] [T]; [] Vec<T>; [const N: usize] [T; N]; }

/// Values for parameters of their own type. The derive macro writes the same for structs and enums that can be cloned.
macro_rules! values {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> TestArgument<$ty> for $ty {
            type Owned = Plain<$ty>;
            fn own(&self) -> Plain<$ty> {
                own_value(self)
            }
        }
    )*};
}
/// A copy of a value.
pub fn own_value<T: Value + Clone>(value: &T) -> Plain<T> {
    Plain(value.clone())
}
values! {
    [] bool; [] i8; [] i16; [] i32; [] i64; [] isize; [] u8; [] u16; [] u32; [] u64; [] usize; [] f32; [] f64;
    [] Array<f32>; [] Array<f64>; [] Array<i32>; [] Array<u32>;
    [T: Value + Clone + 'static] Vec<T>;
    [T: Value + Clone + 'static, const N: usize] [T; N];
    [T: Value + Clone + 'static] Option<T>;
    [T: Value + Clone + 'static, E: Value + Clone + 'static] std::result::Result<T, E>;
    [T: Value + Clone + 'static] Box<T>;
    [T: Value + Clone + 'static] Box<[T]>;
    [T: Value + Clone + 'static] RefCell<T>;
    [T: Value + Copy + 'static] Cell<T>;
}

macro_rules! tuples {
    ($($A:ident $P:ident $n:tt),*) => {
        #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple")]
        impl<$($A: TestArgument<$P>, $P),*> TestArgument<($($P,)*)> for ($($A,)*) {
            type Owned = ($($A::Owned,)*);
            fn own(&self) -> Self::Owned {
                ($(self.$n.own(),)*)
            }
        }
        #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple")]
        impl<$($A: Owned),*> Owned for ($($A,)*) {
            type Gradient = ($($A::Gradient,)*);
            fn activity(activity: &mut Activity) {
                $($A::activity(activity);)*
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                $(self.$n.give(call)?;)*
                Ok(())
            }
            fn gradient(&self) -> Self::Gradient {
                ($(self.$n.gradient(),)*)
            }
            fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
                $(self.$n.update(reader)?;)*
                Ok(())
            }
            fn mutable(&self, out: &mut Vec<bool>) {
                $(self.$n.mutable(out);)*
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

/// A result that a rule can be tested on.
pub trait TestOutput: Value + Leaves {
    /// A cotangent of the right shape, of floats that `next` gives.
    fn cotangent(&self, next: &mut dyn FnMut() -> f64) -> <Self as Returned>::Cotangent;
    /// Whether it is one float: what a gradient is taken of.
    fn is_single_float(&self) -> bool;
}

impl<T: Value + Clone> TestOutput for T {
    fn cotangent(&self, next: &mut dyn FnMut() -> f64) -> T::Gradient {
        fn fill<E: FloatElement>(array: &mut Array<E>, next: &mut dyn FnMut() -> f64) {
            let data = (0..array.len()).map(|_| E::from_f64(next())).collect();
            *array = Array::from_vec_on(array.device(), data, array.shape());
        }
        let mut cotangent = self.zero(&mut Seen::default());
        cotangent.visit(&mut Visitor::new(&mut |number| match number {
            Number::F32(x) => *x = next() as f32,
            Number::F64(x) => *x = next(),
            Number::F32s(x) => fill(x, next),
            Number::F64s(x) => fill(x, next),
            Number::Bits(_) => {}
        }));
        cotangent
    }
    fn is_single_float(&self) -> bool {
        T::one(Some(self)).is_ok()
    }
}

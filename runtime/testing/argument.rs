//! Arguments that a test owns: it changes them, and lends them again and again.

use super::leaves::{Leaves, Traits};
use super::part::{Both, Part};
use crate::api::{
    Activity, Argument, Call, Const, Cotangent, Reader, Returned, Slot, Tangent, Value,
};
use crate::array::Array;
use crate::diag::Result;

/// An argument that a rule can be tested on: all that a rule can be called with.
pub trait TestArgument<P>: Argument<P> {
    /// The argument's data.
    type Owned: Owned;
    /// A copy of the data.
    fn own(&self) -> Self::Owned;
}

/// Data of arguments. As [`Leaves`] it has the floats that carry cotangents, and all bits.
pub trait Owned: Leaves + Clone + 'static {
    /// Its cotangent.
    type Gradient: Slot<Self::Gradient> + Cotangent + Leaves + Clone;
    /// Says which of the parameters it stands for are active.
    fn activity(activity: &mut Activity);
    /// Adds it to a call.
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()>;
    /// A cotangent of the right shape.
    fn gradient(&self) -> Self::Gradient;
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
    fn update(&mut self, _reader: &mut Reader<'_>) -> Result<()> {
        Ok(())
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
    fn update(&mut self, _reader: &mut Reader<'_>) -> Result<()> {
        Ok(())
    }
}

/// Passed by reference.
#[derive(Clone)]
pub struct Shared<T>(pub(super) T);

/// A slice that the function may write to.
#[derive(Clone)]
pub struct Mutable<T>(pub(super) T);

/// Marked as constant: its floats carry no cotangents.
#[derive(Clone)]
pub struct Fixed<T>(T);

macro_rules! delegate_leaves {
    ($($wrapper:ident),*) => {$(
        impl<T: Leaves> Leaves for $wrapper<T> {
            fn floats(&self, out: &mut Vec<f64>) -> Result<()> {
                self.0.floats(out)
            }
            fn set_floats(&mut self, from: &mut dyn Iterator<Item = f64>) -> Result<()> {
                self.0.set_floats(from)
            }
            fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
                self.0.bits(out)
            }
            fn describe(&self, traits: &mut Traits) {
                self.0.describe(traits);
            }
            fn shapes(&self, out: &mut Vec<Vec<usize>>) {
                self.0.shapes(out);
            }
        }
    )*};
}
delegate_leaves!(Shared, Mutable);

impl<T: Leaves> Leaves for Fixed<T> {
    fn floats(&self, _out: &mut Vec<f64>) -> Result<()> {
        Ok(())
    }
    fn set_floats(&mut self, _from: &mut dyn Iterator<Item = f64>) -> Result<()> {
        Ok(())
    }
    fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
        self.0.bits(out)
    }
    fn describe(&self, traits: &mut Traits) {
        self.0.describe(traits);
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

macro_rules! scalars {
    ($($ty:ident),*) => {$(
        scalars!(@own $ty, $ty, $ty, |x| x);
        scalars!(@own Shared<$ty>, &'a $ty, $ty, |x| x.0);
        scalars!(@slice $ty, &'a [$ty]);
        scalars!(@slice $ty, &'a Vec<$ty>);
        scalars!(@slice $ty, &'a [$ty; N], const N: usize);
        scalars!(@slice_mut $ty, &'a mut [$ty]);
        scalars!(@slice_mut $ty, &'a mut Vec<$ty>);
        scalars!(@slice_mut $ty, &'a mut [$ty; N], const N: usize);
        impl TestArgument<$ty> for $ty {
            type Owned = $ty;
            fn own(&self) -> $ty {
                *self
            }
        }
        impl<'a> TestArgument<&'a $ty> for &'a $ty {
            type Owned = Shared<$ty>;
            fn own(&self) -> Shared<$ty> {
                Shared(**self)
            }
        }
        impl<'b> Lend<'b, $ty> for $ty {
            fn lend(&'b mut self) -> $ty {
                *self
            }
        }
        impl<'b> Lend<'b, &'b $ty> for Shared<$ty> {
            fn lend(&'b mut self) -> &'b $ty {
                &self.0
            }
        }
        impl Owned for Vec<$ty> {
            type Gradient = <&'static [$ty] as Argument<&'static [$ty]>>::Gradient;
            fn activity(activity: &mut Activity) {
                <&[$ty] as Argument<&[$ty]>>::activity(activity);
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                call.slice(self)
            }
            fn gradient(&self) -> Self::Gradient {
                Argument::<&[$ty]>::gradient(&&self[..])
            }
            fn mutable(&self, out: &mut Vec<bool>) {
                mark(self, false, out);
            }
        }
        impl Owned for Mutable<Vec<$ty>> {
            type Gradient = <Vec<$ty> as Owned>::Gradient;
            fn activity(activity: &mut Activity) {
                <Vec<$ty> as Owned>::activity(activity);
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                call.slice_mut(&mut self.0)
            }
            fn gradient(&self) -> Self::Gradient {
                Owned::gradient(&self.0)
            }
            fn mutable(&self, out: &mut Vec<bool>) {
                mark(self, true, out);
            }
        }
        impl<'b> Lend<'b, &'b [$ty]> for Vec<$ty> {
            fn lend(&'b mut self) -> &'b [$ty] {
                self
            }
        }
        impl<'b> Lend<'b, &'b mut [$ty]> for Mutable<Vec<$ty>> {
            fn lend(&'b mut self) -> &'b mut [$ty] {
                &mut self.0
            }
        }
    )*};
    (@own $owned:ty, $argument:ty, $ty:ident, |$x:ident| $value:expr) => {
        impl Owned for $owned {
            type Gradient = <$ty as Argument<$ty>>::Gradient;
            fn activity(activity: &mut Activity) {
                <$ty as Argument<$ty>>::activity(activity);
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                let $x = self.clone();
                call.scalar::<$ty>($value)
            }
            fn gradient(&self) -> Self::Gradient {
                Default::default()
            }
            fn mutable(&self, out: &mut Vec<bool>) {
                mark(self, false, out);
            }
        }
    };
    (@slice $ty:ident, $argument:ty $(, $generics:tt $N:ident : $usize:ty)?) => {
        impl<'a, $($generics $N: $usize)?> TestArgument<&'a [$ty]> for $argument {
            type Owned = Vec<$ty>;
            fn own(&self) -> Vec<$ty> {
                self.to_vec()
            }
        }
    };
    (@slice_mut $ty:ident, $argument:ty $(, $generics:tt $N:ident : $usize:ty)?) => {
        impl<'a, $($generics $N: $usize)?> TestArgument<&'a mut [$ty]> for $argument {
            type Owned = Mutable<Vec<$ty>>;
            fn own(&self) -> Mutable<Vec<$ty>> {
                Mutable(self.to_vec())
            }
        }
    };
}
scalars!(
    bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64
);

macro_rules! arrays {
    ($($ty:ident),*) => {$(
        impl Owned for Shared<Array<$ty>> {
            type Gradient = <Array<$ty> as Argument<Array<$ty>>>::Gradient;
            fn activity(activity: &mut Activity) {
                <Array<$ty> as Argument<Array<$ty>>>::activity(activity);
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                call.array(&self.0)
            }
            fn gradient(&self) -> Self::Gradient {
                Argument::<Array<$ty>>::gradient(&self.0)
            }
            fn mutable(&self, out: &mut Vec<bool>) {
                mark(self, false, out);
            }
        }
        arrays!(@argument $ty, Array<$ty>, &'a Array<$ty>);
        arrays!(@argument $ty, &'a Array<$ty>, &'a Array<$ty>);
        arrays!(@argument $ty, Array<$ty>, Array<$ty>);
        impl<'b> Lend<'b, &'b Array<$ty>> for Shared<Array<$ty>> {
            fn lend(&'b mut self) -> &'b Array<$ty> {
                &self.0
            }
        }
        impl<'b> Lend<'b, Array<$ty>> for Shared<Array<$ty>> {
            fn lend(&'b mut self) -> Array<$ty> {
                self.0.clone()
            }
        }
    )*};
    (@argument $ty:ident, $param:ty, $argument:ty) => {
        impl<'a> TestArgument<$param> for $argument {
            type Owned = Shared<Array<$ty>>;
            fn own(&self) -> Shared<Array<$ty>> {
                Shared(Array::clone(self))
            }
        }
    };
}
arrays!(f32, f64, i32, u32);

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
    fn is_single_float(&self) -> bool {
        false
    }
}

macro_rules! outputs {
    (floats $($float:ident),*; others $($other:ty),*;) => {
        $(
            impl TestOutput for $float {
                fn cotangent(&self, next: &mut dyn FnMut() -> f64) -> $float {
                    next() as $float
                }
                fn is_single_float(&self) -> bool {
                    true
                }
            }
            impl TestOutput for Array<$float> {
                fn cotangent(&self, next: &mut dyn FnMut() -> f64) -> Array<$float> {
                    let data: Vec<$float> = (0..self.len()).map(|_| next() as $float).collect();
                    Array::from_vec_on(self.device(), data, self.shape())
                }
                fn is_single_float(&self) -> bool {
                    self.len() == 1
                }
            }
        )*
        $(
            impl TestOutput for $other {
                fn cotangent(&self, _next: &mut dyn FnMut() -> f64) {}
            }
        )*
    };
}
outputs! {
    floats f32, f64;
    others (), bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, Array<i32>, Array<u32>;
}

macro_rules! output_tuples {
    () => {};
    ($($A:ident $P:ident $n:tt),*) => {
        impl<$($A: TestOutput),*> TestOutput for ($($A,)*) {
            fn cotangent(&self, next: &mut dyn FnMut() -> f64) -> <Self as Returned>::Cotangent {
                ($(self.$n.cotangent(next),)*)
            }
        }
    };
}
crate::api::for_tuples!(output_tuples);

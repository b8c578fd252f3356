//! `+ - * /` and unary `-`: arrays with arrays and with scalars, by value and by reference, broadcasting.

use super::element::{Element, FloatElement, NumberElement};
use super::{Array, tensor::Argument};
use crate::ir::Prim;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// An array or a scalar among the operands of an elementwise operation.
pub trait MapArgument<T> {
    /// The operand; an error if it is an array in error state.
    #[doc(hidden)]
    fn argument(&self) -> crate::Result<Argument>;
}

impl<T: Element> MapArgument<T> for T {
    fn argument(&self) -> crate::Result<Argument> {
        Ok(Argument::Scalar(self.to_bits(), T::TYPE))
    }
}
impl<T: Element> MapArgument<T> for Array<T> {
    fn argument(&self) -> crate::Result<Argument> {
        Ok(Argument::Tensor(self.tensor()?.clone()))
    }
}
impl<T: Element> MapArgument<T> for &Array<T> {
    fn argument(&self) -> crate::Result<Argument> {
        (*self).argument()
    }
}

/// One operator with an array on the left.
macro_rules! operator {
    ($trait:ident $method:ident $assign:ident $assign_method:ident $bound:ident $prim:ident) => {
        impl<T: $bound, R: MapArgument<T>> $trait<R> for Array<T> {
            type Output = Array<T>;
            fn $method(self, right: R) -> Array<T> {
                (&self).$method(right)
            }
        }
        impl<T: $bound, R: MapArgument<T>> $trait<R> for &Array<T> {
            type Output = Array<T>;
            fn $method(self, right: R) -> Array<T> {
                self.elementwise(Prim::$prim.mnemonic(), &[self.argument(), right.argument()])
            }
        }
        impl<T: $bound, R: MapArgument<T>> $assign<R> for Array<T> {
            fn $assign_method(&mut self, right: R) {
                *self = (&*self).$method(right);
            }
        }
        scalar_left!($trait $method $bound $prim f32);
        scalar_left!($trait $method $bound $prim f64);
    };
}

/// One operator with a scalar on the left: for each type by itself, since `T` is not ours to implement it for.
macro_rules! scalar_left {
    ($trait:ident $method:ident $bound:ident $prim:ident $t:ident) => {
        impl $trait<Array<$t>> for $t {
            type Output = Array<$t>;
            fn $method(self, right: Array<$t>) -> Array<$t> {
                self.$method(&right)
            }
        }
        impl $trait<&Array<$t>> for $t {
            type Output = Array<$t>;
            fn $method(self, right: &Array<$t>) -> Array<$t> {
                right.elementwise(Prim::$prim.mnemonic(), &[self.argument(), right.argument()])
            }
        }
    };
}

operator!(Add add AddAssign add_assign NumberElement Add);
operator!(Sub sub SubAssign sub_assign NumberElement Sub);
operator!(Mul mul MulAssign mul_assign NumberElement Mul);
operator!(Div div DivAssign div_assign FloatElement Div);
scalar_left!(Add add Element Add i32);
scalar_left!(Sub sub Element Sub i32);
scalar_left!(Mul mul Element Mul i32);
scalar_left!(Add add Element Add u32);
scalar_left!(Sub sub Element Sub u32);
scalar_left!(Mul mul Element Mul u32);

impl<T: FloatElement> Neg for Array<T> {
    type Output = Array<T>;
    fn neg(self) -> Array<T> {
        -&self
    }
}
impl<T: FloatElement> Neg for &Array<T> {
    type Output = Array<T>;
    fn neg(self) -> Array<T> {
        self.elementwise(Prim::Neg.mnemonic(), &[self.argument()])
    }
}

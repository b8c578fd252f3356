//! Comparisons, masks, choices between arrays, functions of several arrays, other element types.

use super::backend::{MapProgram, failed};
use super::device::Device;
use super::element::{Element, FloatElement, NumberElement};
use super::operators::MapArgument;
use super::tensor::{Argument, Tensor, broadcast_together};
use super::{Array, kernels};
use crate::diag::{Result, notice};
use crate::ir::{Prim, Type};
use half::f16;
use log::Level;
use std::ops::{BitAnd, BitOr, BitXor, Not};
use std::sync::{Arc, Mutex, PoisonError};

/// Says, once for each method, that a native closure leaves the GPU on which its arrays are.
pub(super) fn on_the_host(method: &'static str, device: &Device) {
    static SAID_OF: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    if !device.is_gpu() {
        return;
    }
    let mut said_of = SAID_OF.lock().unwrap_or_else(PoisonError::into_inner);
    if !said_of.contains(&method) {
        said_of.push(method);
        notice(
            Level::Warn,
            format_args!(
                "`{method}` with a native closure runs on the host: use it inside a differentiable function to run it on {device}"
            ),
        );
    }
}

impl<T: Element> Array<T> {
    /// A scalar function of this array and others.
    pub(super) fn computed<U: Element>(
        &self,
        program: Result<Arc<MapProgram>>,
        arguments: &[Result<Argument>],
    ) -> Array<U> {
        let compute = || {
            let arguments: Vec<Argument> = arguments.iter().cloned().collect::<Result<_>>()?;
            kernels::apply(&*program?, &arguments)
        };
        Array::new(self.device(), compute())
    }
    fn compared(&self, name: &'static str, prim: Prim, other: &impl MapArgument<T>) -> Array<bool> {
        if T::TYPE == Type::F16 {
            let message = "found elements of type f16, which are only stored: convert them with to_f32() first";
            return Array::new(self.device(), Err(failed(name, message)));
        }
        let program = kernels::composed(name, &[T::TYPE; 2], Type::U32, |b, x| {
            let holds = b.prim(prim, x);
            b.prim_to(Prim::Cast, &[holds], Type::U32)
        });
        self.computed(program, &[self.argument(), other.argument()])
    }
    /// Where the elements equal those of another array, or a number. (`==` compares whole arrays.) NaN equals nothing.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0], [2]);
    /// assert_eq!(x.eq_elements(2.0).to_vec()?, [false, true]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn eq_elements(&self, other: impl MapArgument<T>) -> Array<bool> {
        self.compared("eq_elements", Prim::Eq, &other)
    }
    /// Where the elements differ from those of another array, or from a number. NaN differs from all.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0], [2]);
    /// assert_eq!(x.ne_elements(2.0).to_vec()?, [true, false]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn ne_elements(&self, other: impl MapArgument<T>) -> Array<bool> {
        self.compared("ne_elements", Prim::Ne, &other)
    }
    /// A Rust function of the elements of two arrays that broadcast together, on the host, as [`map`](Array::map).
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// let y = Array::from_vec(vec![10.0, 0.0], [2]);
    /// assert_eq!(x.map2(&y, |a, b| a * a + b).to_vec()?, [11.0, 4.0, 19.0, 16.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn map2<U: Element, R: Element>(
        &self,
        other: &Array<U>,
        f: impl Fn(T, U) -> R,
    ) -> Array<R> {
        let compute = || {
            let tensors = [self.tensor()?, other.tensor()?];
            let shape = broadcast_together("map2", &tensors)?;
            on_the_host("map2", self.device());
            let [a, b] = tensors.map(|t| t.broadcast_to("map2", &shape));
            let (a, b) = (a?.to_vec::<T>()?, b?.to_vec::<U>()?);
            let data = a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect();
            Tensor::from_vec(self.device(), data, &shape)
        };
        Array::new(self.device(), compute())
    }
    /// A Rust function of the elements of three arrays that broadcast together, on the host, as [`map`](Array::map).
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0], [2]);
    /// assert_eq!(x.map3(&x, &x, |a, b, c| a * b + c).to_vec()?, [2.0, 6.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn map3<U: Element, V: Element, R: Element>(
        &self,
        second: &Array<U>,
        third: &Array<V>,
        f: impl Fn(T, U, V) -> R,
    ) -> Array<R> {
        let compute = || {
            let tensors = [self.tensor()?, second.tensor()?, third.tensor()?];
            let shape = broadcast_together("map3", &tensors)?;
            on_the_host("map3", self.device());
            let [a, b, c] = tensors.map(|t| t.broadcast_to("map3", &shape));
            let (a, b, c) = (a?.to_vec::<T>()?, b?.to_vec::<U>()?, c?.to_vec::<V>()?);
            let all = a.into_iter().zip(b).zip(c);
            let data = all.map(|((a, b), c)| f(a, b, c)).collect();
            Tensor::from_vec(self.device(), data, &shape)
        };
        Array::new(self.device(), compute())
    }
}

/// Order.
impl<T: NumberElement> Array<T> {
    /// Where the elements are greater than those of another array, or than a number. Nothing is greater than NaN, or less.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0], [3]);
    /// assert_eq!(x.gt(2.0).to_vec()?, [false, false, true]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn gt(&self, other: impl MapArgument<T>) -> Array<bool> {
        self.compared("gt", Prim::Gt, &other)
    }
    /// Where the elements are at least those of another array, or a number.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0], [3]);
    /// assert_eq!(x.ge(2.0).to_vec()?, [false, true, true]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn ge(&self, other: impl MapArgument<T>) -> Array<bool> {
        self.compared("ge", Prim::Ge, &other)
    }
    /// Where the elements are less than those of another array, or than a number.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0], [3]);
    /// assert_eq!(x.lt(2.0).to_vec()?, [true, false, false]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn lt(&self, other: impl MapArgument<T>) -> Array<bool> {
        self.compared("lt", Prim::Lt, &other)
    }
    /// Where the elements are at most those of another array, or a number.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0], [3]);
    /// assert_eq!(x.le(2.0).to_vec()?, [true, true, false]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn le(&self, other: impl MapArgument<T>) -> Array<bool> {
        self.compared("le", Prim::Le, &other)
    }
}

/// Other element types, as by `as`; bools are 0 and 1. f64 lives on the host if the device cannot hold it.
impl<T: Element> Array<T> {
    fn converted<U: Element>(&self) -> Array<U> {
        match T::TYPE == U::TYPE {
            // `map` of nothing would copy.
            true => Array::new(self.device(), self.tensor().cloned()),
            // Every `f16` is an `f32`, so nothing is rounded twice.
            false if T::TYPE == Type::F16 && U::TYPE != Type::F32 => self.to_f32().converted(),
            false => self.computed(
                kernels::named("cast", &[T::TYPE], U::TYPE),
                &[self.argument()],
            ),
        }
    }
    /// Where the elements are not 0.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// assert_eq!(Array::<u32>::arange(2).to_bool().to_vec()?, [false, true]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn to_bool(&self) -> Array<bool> {
        self.compared("to_bool", Prim::Ne, &T::ZERO)
    }
    /// The elements as `f32`.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// assert_eq!(Array::<u32>::arange(2).to_f32().to_vec()?, [0.0f32, 1.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn to_f32(&self) -> Array<f32> {
        self.converted()
    }
    /// The elements as `f64`.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// assert_eq!(Array::<u32>::arange(2).to_f64().to_vec()?, [0.0f64, 1.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn to_f64(&self) -> Array<f64> {
        self.converted()
    }
    /// The elements as `i32`; floats towards zero.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// assert_eq!(Array::from_vec(vec![1.5, -1.5], [2]).to_i32().to_vec()?, [1, -1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn to_i32(&self) -> Array<i32> {
        self.converted()
    }
    /// The elements as `u32`; floats towards zero, negative ones are 0.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// assert_eq!(Array::from_vec(vec![1.5, -1.5], [2]).to_u32().to_vec()?, [1, 0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn to_u32(&self) -> Array<u32> {
        self.converted()
    }
}

/// Less memory.
impl Array<f32> {
    /// The elements in 16 bits, each the nearest [`f16`](crate::f16), of two the even one: a number that is too large is infinity. Operations that
    /// compute take the array after [`to_f32`](Array::to_f32), and read it as it is in memory.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![0.1f32, 1.5, 1e6], [3]).to_f16();
    /// assert_eq!(x.to_f32().to_vec()?, [0.099975586, 1.5, f32::INFINITY]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn to_f16(&self) -> Array<f16> {
        self.converted()
    }
}

/// Choices by masks.
impl Array<bool> {
    /// Where this mask is true the elements of `a`, elsewhere those of `b`: arrays that broadcast together with the mask, or numbers. What is
    /// not chosen gets the cotangent 0. An operation before it may still make NaN of that (0 times the infinite slope of `sqrt` at 0), so choose what
    /// goes into such an operation, not what comes out of it.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![4.0, -1.0], [2]);
    /// let positive = x.gt(0.0);
    /// let root = positive.select(&x, 1.0).sqrt();
    /// assert_eq!(positive.select(&root, 0.0).to_vec()?, [2.0, 0.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn select<T: Element>(&self, a: impl MapArgument<T>, b: impl MapArgument<T>) -> Array<T> {
        let types = [Type::U32, T::TYPE, T::TYPE];
        let program = kernels::composed("select", &types, T::TYPE, |b, x| {
            let zero = b.zero(Type::U32);
            let chosen = b.prim(Prim::Ne, &[x[0], zero]);
            b.prim(Prim::Select, &[chosen, x[1], x[2]])
        });
        self.computed(program, &[self.argument(), a.argument(), b.argument()])
    }
    fn combined(&self, prim: Prim, other: Result<Argument>) -> Array<bool> {
        let program = kernels::primitive(prim, Type::U32);
        self.computed(program, &[self.argument(), other])
    }
}

macro_rules! logic {
    ($($trait:ident $method:ident $prim:ident;)*) => {$(
        impl<R: MapArgument<bool>> $trait<R> for Array<bool> {
            type Output = Array<bool>;
            fn $method(self, right: R) -> Array<bool> {
                self.combined(Prim::$prim, right.argument())
            }
        }
        impl<R: MapArgument<bool>> $trait<R> for &Array<bool> {
            type Output = Array<bool>;
            fn $method(self, right: R) -> Array<bool> {
                self.combined(Prim::$prim, right.argument())
            }
        }
    )*};
}
logic! {
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
}
impl Not for Array<bool> {
    type Output = Array<bool>;
    fn not(self) -> Array<bool> {
        !&self
    }
}
impl Not for &Array<bool> {
    type Output = Array<bool>;
    fn not(self) -> Array<bool> {
        self.combined(Prim::Xor, true.argument())
    }
}

/// Tests of floats.
impl<T: FloatElement> Array<T> {
    /// Where the elements are NaN.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![0.0, f64::NAN], [2]);
    /// assert_eq!(x.is_nan().to_vec()?, [false, true]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn is_nan(&self) -> Array<bool> {
        self.compared("is_nan", Prim::Ne, self)
    }
}

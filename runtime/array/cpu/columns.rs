//! Elements of a type that is known at run time, as kernels take and give them.

use super::memory::{adopt, elements, room};
use super::unsupported;
use super::walk::Walk;
use crate::array::backend::{Buffer, View};
use crate::diag::Result;
use crate::exec::{Input, Output};
use crate::ir::Type;
use half::f16;

/// Declares the three forms with a variant for each element type.
macro_rules! columns {
    ($($variant:ident $t:ident,)*) => {
        /// Elements that we own.
        pub enum Column { $(#[doc = stringify!($t)] $variant(Vec<$t>),)* }

        /// Elements that we read.
        #[derive(Clone, Copy)]
        pub enum Slice<'a> { $(#[doc = stringify!($t)] $variant(&'a [$t]),)* }

        /// Room for elements.
        pub enum Part<'a> { $(#[doc = stringify!($t)] $variant(&'a mut [$t]),)* }

        impl Column {
            /// Elements to be overwritten.
            pub fn room(ty: Type, count: usize) -> Result<Column> {
                match ty {
                    $(Type::$variant => room(count).map(Column::$variant),)*
                    other => Err(unsupported(other)),
                }
            }
            /// As a buffer, without a copy.
            pub fn adopt(self) -> Buffer {
                match self { $(Column::$variant(elements) => adopt(elements),)* }
            }
            /// The bytes of the elements.
            pub fn bytes(&mut self) -> &mut [u8] {
                match self { $(Column::$variant(elements) => bytemuck::cast_slice_mut(elements),)* }
            }
            /// The elements.
            pub fn slice(&self) -> Slice<'_> {
                match self { $(Column::$variant(elements) => Slice::$variant(elements),)* }
            }
            /// Consecutive parts of `length` elements; the last may be shorter.
            pub fn parts(&mut self, length: usize) -> Vec<Part<'_>> {
                match self {
                    $(Column::$variant(elements) => {
                        elements.chunks_mut(length).map(Part::$variant).collect()
                    })*
                }
            }
        }

        impl<'a> Slice<'a> {
            /// The elements behind a view, from its offset on.
            pub fn of(view: &'a View) -> Result<Slice<'a>> {
                match view.ty {
                    $(Type::$variant => elements(view).map(Slice::$variant),)*
                    other => Err(unsupported(other)),
                }
            }
            /// The elements `start, start + step, …` as an input of a kernel.
            pub fn input(self, start: usize, step: usize) -> Input<'a> {
                match self { $(Slice::$variant(all) => Input::strided(&all[start..], step),)* }
            }
            /// The elements `start..start + count` of a walk's operand, one after another.
            pub fn gather(
                self,
                walk: &Walk,
                operand: usize,
                start: usize,
                count: usize,
            ) -> Result<Column> {
                match self {
                    $(Slice::$variant(all) => {
                        let mut out: Vec<$t> = room(count)?;
                        let step = walk.stride(operand);
                        walk.runs(start, count, |at, positions, run| {
                            for (k, out) in out[at..at + run].iter_mut().enumerate() {
                                *out = all[positions[operand] + k * step];
                            }
                        });
                        Ok(Column::$variant(out))
                    })*
                }
            }
        }

        impl Part<'_> {
            /// Room for `count` elements from the `at`-th on.
            pub fn output(&mut self, at: usize, count: usize) -> Output<'_> {
                match self { $(Part::$variant(room) => Output::dense(&mut room[at..at + count]),)* }
            }
        }
    };
}

columns! {
    F16 f16,
    F32 f32,
    F64 f64,
    I32 i32,
    U32 u32,
}

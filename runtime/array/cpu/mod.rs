//! The CPU as a device: loops over strided memory on all cores, compiled kernels for maps, a library for matrices.
//!
//! It computes at once and waits for nothing. No result depends on the number of threads.

pub mod columns;
mod index;
pub mod lanes;
mod map;
mod matmul;
pub mod memory;
pub mod pool;
mod scan;
mod walk;

use super::backend::{Backend, Buffer, MapProgram, Operand, Places, View};
use crate::diag::{Error, Result};
use crate::exec::transpose::transpose;
use crate::ir::Type;
use memory::{adopt, adopt_bytes, elements, room};
use pool::Pooled;
use smallvec::SmallVec;
use std::ops::Add;
use walk::{Walk, in_parts_of};

/// The CPU.
#[derive(Debug)]
pub struct Cpu;

/// A number that arrays hold.
pub trait Number: Pooled + PartialOrd {
    /// Addition; integers wrap.
    fn plus(self, other: Self) -> Self;
}

/// A float that arrays hold.
pub trait Float: Number + Add<Output = Self> {
    /// Zero.
    const ZERO: Self;
}

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Number for $t {
            fn plus(self, other: Self) -> Self { self + other }
        }
        impl Float for $t {
            const ZERO: Self = 0.0;
        }
    )*};
}
floats!(f32 f64);

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Number for $t {
            fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
        }
    )*};
}
integers!(i32 u32);

/// Runs an expression with `$t` naming the Rust type of a float element type.
macro_rules! with_float {
    ($ty:expr, $t:ident => $body:expr) => {
        match $ty {
            Type::F32 => {
                type $t = f32;
                $body
            }
            Type::F64 => {
                type $t = f64;
                $body
            }
            other => Err($crate::array::cpu::unsupported(other)),
        }
    };
}

/// Runs an expression with `$t` naming the Rust type of an element type.
macro_rules! with_number {
    ($ty:expr, $t:ident => $body:expr) => {
        match $ty {
            Type::I32 => { type $t = i32; $body }
            Type::U32 => { type $t = u32; $body }
            float => with_float!(float, $t => $body),
        }
    };
}

/// Runs an expression that only moves elements with `$t` naming the Rust type of an element type.
macro_rules! with_element {
    ($ty:expr, $t:ident => $body:expr) => {
        match $ty {
            Type::F16 => { type $t = half::f16; $body }
            number => with_number!(number, $t => $body),
        }
    };
}

fn unsupported(ty: Type) -> Error {
    Error::Array(format!(
        "the CPU does not compute this with elements of type {ty}"
    ))
}

impl Backend for Cpu {
    fn name(&self) -> &str {
        "cpu"
    }
    fn holds(&self, ty: Type) -> bool {
        ty.is_element()
    }
    fn most_bytes(&self) -> usize {
        memory::HELD.most()
    }
    fn upload(&self, bytes: &[u8]) -> Result<Buffer> {
        adopt_bytes(bytes)
    }
    fn download(&self, view: &View) -> Result<Vec<u8>> {
        with_element!(view.ty, T => Ok(bytemuck::cast_slice(&dense::<T>(view)?).to_vec()))
    }
    fn copy(&self, view: &View) -> Result<Buffer> {
        with_element!(view.ty, T => dense::<T>(view).map(adopt))
    }
    fn map(
        &self,
        program: &MapProgram,
        inputs: &[Operand],
        shape: &[usize],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        map::map(program, inputs, shape)
    }
    fn matmul(&self, a: &View, b: &View) -> Result<Buffer> {
        with_float!(a.ty, T => matmul::matmul::<T>(a, b).map(adopt))
    }
    fn gather(
        &self,
        operation: &'static str,
        view: &View,
        axis: usize,
        index: &View,
    ) -> Result<Buffer> {
        with_element!(view.ty, T => index::gather::<T>(operation, view, axis, index).map(adopt))
    }
    fn place(&self, whole: View, part: &View, places: Places, add: bool) -> Result<Buffer> {
        match add {
            true => with_float!(part.ty, T => {
                index::put_placed::<T>(whole, part, places, |value, sum| sum + value)
            }),
            false => with_element!(part.ty, T => {
                index::put_placed::<T>(whole, part, places, |value, _| value)
            }),
        }
    }
    fn concat(&self, parts: &[&View], axis: usize, shape: &[usize]) -> Result<Buffer> {
        let ty = parts.first().map_or(Type::F32, |part| part.ty);
        with_element!(ty, T => index::concat::<T>(parts, axis, shape).map(adopt))
    }
    fn cumsum(&self, view: &View, axis: usize) -> Result<Buffer> {
        with_number!(view.ty, T => scan::cumsum::<T>(view, axis).map(adopt))
    }
}

/// An error of `operation` if an index is not below the extent of an axis.
pub fn check_indices(operation: &str, axis: usize, extent: usize, index: &View) -> Result<()> {
    index::check(operation, axis, extent, index)
}

/// The elements in the opposite order along an axis, dense.
pub fn flip(view: &View, axis: usize) -> Result<Buffer> {
    with_element!(view.ty, T => scan::flip::<T>(view, axis).map(adopt))
}

/// Zeros in `shape`, but the view's elements at these places.
pub fn place(view: &View, places: Places, shape: &[usize]) -> Result<Buffer> {
    with_float!(view.ty, T => index::place::<T>(view, places, shape).map(adopt))
}

/// The view's elements in row-major order.
pub fn dense<T: Pooled>(view: &View) -> Result<Vec<T>> {
    let values = elements::<T>(view)?;
    if view.is_dense() {
        let mut out: Vec<T> = room(view.len())?;
        out.copy_from_slice(&values[..view.len()]);
        return Ok(out);
    }
    let mut out: Vec<T> = room(view.len())?;
    let walk = Walk::new(&view.shape, [(0, &view.strides[..])]);
    if let Some((_, columns, stride)) = walk.as_transpose().filter(|_| !out.is_empty()) {
        transpose(values, &mut out, columns, stride);
        return Ok(out);
    }
    let (walk, inner) = walk.with_longer_runs();
    let (each, stride) = (inner.len(), walk.stride(0));
    in_parts_of(&mut out, each, 1, |start, part| {
        for (n, &own) in inner.iter().enumerate() {
            walk.runs(start / each, part.len() / each, |at, positions, run| {
                let from = &values[positions[0] + own..];
                let to = &mut part[at * each + n..];
                match (each, stride) {
                    (1, 0) => to[..run].fill(from[0]),
                    (1, 1) => to[..run].copy_from_slice(&from[..run]),
                    (_, 0) => {
                        { to.iter_mut().step_by(each).take(run) }.for_each(|to| *to = from[0])
                    }
                    _ => {
                        let to = to.iter_mut().step_by(each).take(run);
                        to.zip(from.iter().step_by(stride))
                            .for_each(|(to, &from)| *to = from);
                    }
                }
            });
        }
    });
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_short_runs_are_the_same_on_any_number_of_threads() {
        let shape = [30, 70, 9, 5];
        let count = shape.iter().product::<usize>();
        assert!(count > walk::PARALLEL);
        let all: Vec<f64> = (0..count).map(|n| n as f64).collect();
        let mut view = View::dense(adopt(all), Type::F64, &shape);
        for (axes, extents) in [
            ([1, 0, 3, 2], [70, 30, 5, 9]),
            ([1, 2, 0, 3], [70, 9, 30, 5]),
        ] {
            let strides = crate::array::backend::dense_strides(&shape);
            view.shape = extents.into();
            view.strides = axes.iter().map(|&axis| strides[axis]).collect();
            let position = |n: usize| {
                let digits = crate::array::backend::dense_strides(&extents);
                let steps = (0..4).map(|k| n / digits[k] % extents[k] * view.strides[k]);
                steps.sum::<usize>() as f64
            };
            let expected: Vec<f64> = (0..count).map(position).collect();
            for threads in [1, 2, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let made = pool.build().unwrap().install(|| dense::<f64>(&view));
                assert!(made.unwrap() == expected, "{axes:?}, {threads} threads");
            }
        }
    }
}

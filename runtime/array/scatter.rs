//! Elements added up where an index says, as a kernel of the kernel IR: the operation by itself, as `reduce` does it for sums.
//!
//! The kernel goes through the elements in the order of memory. Its result lies in memory as the elements do, so its axes may have another order there
//! than in its shape.

use super::backend::{Buffer, Dims, KernelInput, View, dense_strides, failed};
use super::cpu::{self, memory};
use super::kept::{Kept, MOST_KEPT, Single, Table, misplaced};
use super::reduce::Runs;
use super::shape::Axes;
use crate::diag::Result;
use crate::exec::{LaneKernel, Source};
use crate::ir::build::Builder;
use crate::ir::{Function, Op, Prim, Symbol, Type};
use crate::kernel::{Input, Output, PerAxis, Scatter};
use smallvec::SmallVec;
use std::sync::Arc;

/// Zeros in `shape`, plus each element of `view` at its index along `axis`. `view` and `index` have one shape, which differs from `shape` along `axis` only.
/// Elements with one index are added in their order.
pub fn scatter_add(
    runs: Runs,
    view: &View,
    axis: usize,
    index: &View,
    shape: &[usize],
) -> Result<View> {
    if view.is_empty() {
        return runs.zeros(view.ty, shape);
    }
    if shape[axis] == 0 {
        let found = index.shape[axis];
        let message =
            format_args!("found {found} indices along an axis of extent 0: expected none");
        return Err(failed("scatter_add", message));
    }
    let view = &*runs.readable(view)?;
    // Neighbours in memory are last. Repeated elements take no memory at all.
    let mut order: SmallVec<[usize; 4]> = (0..shape.len()).filter(|&own| own != axis).collect();
    order.sort_by_key(|&axis| match view.strides[axis] {
        0 => std::cmp::Reverse(usize::MAX),
        stride => std::cmp::Reverse(stride),
    });
    let of_order = |all: &Dims| -> Dims { order.iter().map(|&axis| all[axis]).collect() };
    let strides = [of_order(&view.strides), of_order(&index.strides)];
    let mut rows = Axes::new(&of_order(&view.shape), &[&strides[0], &strides[1]]);
    if rows.extents.is_empty() {
        rows.extents.push(1);
        rows.strides.iter_mut().for_each(|own| own.push(0));
    }
    let steps = |n: usize, view: &View| -> PerAxis<isize> {
        let all = rows.strides[n].iter().chain([&view.strides[axis]]);
        all.map(|&stride| stride as isize).collect()
    };
    let steps = [steps(0, view), steps(1, index)];
    let is_across = view.strides[axis] > 1 && rows.strides[0].last() == Some(&1);
    let key = Key {
        ty: view.ty,
        on_host: matches!(runs, Runs::Host),
        rows: rows.extents.iter().copied().collect(),
        columns: view.shape[axis],
        steps,
        scatter: Scatter {
            by: 1,
            extent: shape[axis],
            across: is_across,
        },
    };
    let buffer = match (TABLE.kernel(&key)?, runs) {
        (Kept::Lanes(kernel), Runs::Host) => on_host(&kernel, view, axis, index, shape[axis])?,
        (Kept::Program(program), Runs::On(backend)) => {
            let inputs = [KernelInput::View(view), KernelInput::View(index)];
            backend.kernel(&program, &inputs)?.swap_remove(0)
        }
        _ => return Err(misplaced()),
    };
    order.insert(if is_across { 0 } else { order.len() }, axis);
    let extents: Dims = order.iter().map(|&axis| shape[axis]).collect();
    let mut strides = Dims::from_elem(0, shape.len());
    for (&axis, stride) in order.iter().zip(dense_strides(&extents)) {
        strides[axis] = stride;
    }
    Ok(View {
        buffer,
        ty: view.ty,
        offset: 0,
        shape: shape.into(),
        strides,
    })
}

/// Runs the kernel on memory of the host. The error of an index that is out of range names its place.
fn on_host(
    kernel: &LaneKernel,
    view: &View,
    axis: usize,
    index: &View,
    extent: usize,
) -> Result<Buffer> {
    let mut sources: SmallVec<[Source; 2]> = SmallVec::new();
    for view in [view, index] {
        sources.push(Source {
            bytes: memory::bytes(view)?,
            start: view.offset,
        });
    }
    cpu::lanes::run_one(kernel, &sources).or_else(|error| {
        cpu::check_indices("scatter_add", axis, extent, index)?;
        Err(error)
    })
}

/// What a kernel is known by.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    ty: Type,
    on_host: bool,
    rows: PerAxis<usize>,
    columns: usize,
    /// Of the elements and of the indices.
    steps: [PerAxis<isize>; 2],
    scatter: Scatter,
}

static TABLE: Table<Key, Type> = Table::new(MOST_KEPT);

impl Single for Key {
    type Key = Key;
    type Operation = Type;

    fn key(&self) -> &Key {
        self
    }
    fn operation(&self) -> Type {
        self.ty
    }
    fn on_host(&self) -> bool {
        self.on_host
    }
    fn extents(&self) -> (PerAxis<usize>, usize, Vec<Input>) {
        let types = [self.ty, Type::U32].into_iter();
        let inputs = types.zip(&self.steps).map(|(ty, steps)| Input {
            ty,
            steps: steps.clone(),
            window: None,
            gather: None,
        });
        (self.rows.clone(), self.columns, inputs.collect())
    }
    fn outputs(&self) -> Vec<Output> {
        vec![Output::Scattered(self.scatter)]
    }
    /// The element of the first input.
    fn body(&self) -> Result<Arc<Function>> {
        let tuple = Type::tuple(&[self.ty]);
        let params = [self.ty, Type::U32];
        let mut b = Builder::new(Function::new(Symbol::new("kernel"), &params, tuple));
        let x = b.function.params()[0];
        let result = b.inst(Op::Prim(Prim::Tuple), &[x], tuple);
        b.ret(result);
        Ok(Arc::new(b.finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::cpu::dense;
    use rayon::ThreadPoolBuilder;

    fn view(data: &[f64], shape: &[usize], strides: &[usize]) -> View {
        View {
            buffer: memory::adopt(data.to_vec()),
            ty: Type::F64,
            offset: 1,
            shape: shape.into(),
            strides: strides.into(),
        }
    }

    /// Where all elements of a view are, in row-major order.
    fn places(view: &View) -> Vec<usize> {
        let mut at = vec![view.offset];
        for (&extent, &stride) in view.shape.iter().zip(&view.strides) {
            let steps = |&at: &usize| (0..extent).map(move |n| at + n * stride);
            at = at.iter().flat_map(steps).collect();
        }
        at
    }

    /// The definition, one element after another.
    fn by_definition(view: &View, axis: usize, index: &View, shape: &[usize]) -> Vec<f64> {
        let data = memory::bytes(view).unwrap();
        let data: &[f64] = bytemuck::cast_slice(data);
        let indices = memory::bytes(index).unwrap();
        let indices: &[u32] = bytemuck::cast_slice(indices);
        let mut sums = vec![0.0; shape.iter().product()];
        let strides = dense_strides(shape);
        for (n, (at, by)) in places(view).into_iter().zip(places(index)).enumerate() {
            let (mut rest, mut to) = (n, indices[by] as usize * strides[axis]);
            for k in (0..shape.len()).rev() {
                let own = rest % view.shape[k];
                to += if k == axis { 0 } else { own * strides[k] };
                rest /= view.shape[k];
            }
            sums[to] += data[at];
        }
        sums
    }

    #[test]
    fn elements_of_all_kinds_of_views_are_added_where_their_index_says() -> Result<()> {
        // Of each view the shape, the strides, and those of the indices.
        let views: [(&[usize], &[usize], &[usize]); 12] = [
            (&[1], &[1], &[1]),
            (&[9000], &[1], &[1]),
            (&[9000], &[0], &[1]),
            (&[300], &[2], &[0]),
            (&[7, 30], &[30, 1], &[30, 1]),
            (&[7, 30], &[1, 7], &[30, 1]),
            (&[40, 300], &[300, 1], &[1, 0]),
            (&[40, 300], &[300, 1], &[0, 1]),
            (&[40, 300], &[1, 40], &[0, 1]),
            (&[4, 1, 300], &[300, 0, 1], &[300, 300, 1]),
            (&[5, 6, 7], &[42, 7, 1], &[42, 7, 1]),
            (&[5, 6, 7], &[1, 35, 5], &[0, 1, 0]),
        ];
        let data: Vec<f64> = (0..20_000)
            .map(|n| (n * 7919 % 1000) as f64 * 0.37)
            .collect();
        for (shape, strides, of_index) in views {
            for axis in 0..shape.len() {
                for extent in [1, 5, 1000] {
                    let values = view(&data, shape, strides);
                    let indices = (0..20_000u32).map(|n| n.wrapping_mul(2_654_435_761) % extent);
                    let index = View {
                        buffer: memory::adopt(indices.collect::<Vec<u32>>()),
                        ty: Type::U32,
                        ..view(&[], shape, of_index)
                    };
                    let mut to = shape.to_vec();
                    to[axis] = extent as usize;
                    let found = scatter_add(Runs::Host, &values, axis, &index, &to)?;
                    assert_eq!(found.shape[..], to[..]);
                    let expected = by_definition(&values, axis, &index, &to);
                    let found = dense::<f64>(&found)?;
                    assert!(
                        found == expected,
                        "{shape:?} {strides:?} {of_index:?} {axis} {extent}"
                    );
                }
            }
        }
        Ok(())
    }

    #[test]
    fn sums_do_not_depend_on_the_number_of_threads() {
        let data: Vec<f64> = (0..400_001).map(|n| 1.0 / (n + 1) as f64).collect();
        let values = view(&data, &[1000, 400], &[400, 1]);
        let indices: Vec<u32> = (0..400_001).map(|n| n * 31 % 17).collect();
        let index = View {
            buffer: memory::adopt(indices),
            ty: Type::U32,
            ..values.clone()
        };
        for axis in 0..2 {
            let mut shape = [1000, 400];
            shape[axis] = 17;
            let sums = || {
                let made = scatter_add(Runs::Host, &values, axis, &index, &shape).unwrap();
                dense::<f64>(&made).unwrap()
            };
            let with = |threads| {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                pool.unwrap().install(sums)
            };
            assert!(with(1) == with(3));
        }
    }

    #[test]
    fn indices_out_of_range_are_errors() {
        let values = view(&[0.0, 1.0, 2.0, 3.0], &[3], &[1]);
        let index = View {
            buffer: memory::adopt(vec![7u32, 0, 9, 1]),
            ty: Type::U32,
            ..values.clone()
        };
        let error = |extent| {
            let made = scatter_add(Runs::Host, &values, 0, &index, &[extent]);
            made.unwrap_err().to_string()
        };
        assert_eq!(
            error(9),
            "scatter_add: found index 9 at [1]: expected indices below 9, the extent of axis 0"
        );
        assert_eq!(
            error(0),
            "scatter_add: found 3 indices along an axis of extent 0: expected none"
        );
        // More sums than there is memory for.
        assert!(error(1 << 45).contains("memory"));
    }
}

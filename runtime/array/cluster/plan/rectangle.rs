//! The kernel for the points of a domain: which axes are its rows and which its columns.

use crate::ir::Function;
use crate::kernel::{Input, Kernel, Output};
use std::ops::Range;
use std::sync::Arc;

/// The kernel of a rectangle whose axes are those of a domain, with axes joined that lie one after the other in all inputs. Inputs have their steps and
/// their windows along the axes of the domain.
pub fn rectangle(
    domain: &[usize],
    reduced: Option<usize>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    body: Arc<Function>,
) -> Kernel {
    // Axes in the order of the outputs; the reduced one is last.
    let mut order: Vec<usize> = (0..domain.len())
        .filter(|&axis| Some(axis) != reduced)
        .collect();
    let columns = match reduced {
        Some(axis) => Some(axis),
        None => order.pop(),
    };
    let line = |axis: usize| Line::new(domain[axis], axis, &inputs);
    let mut rows: Vec<Line> = Vec::new();
    let mut join = |line: Line| {
        if line.extent == 1 {
            return;
        }
        match rows.last_mut().filter(|outer| outer.joins(&line)) {
            Some(outer) => {
                let extent = outer.extent * line.extent;
                *outer = Line { extent, ..line };
            }
            None => rows.push(line),
        }
    };
    for &axis in &order {
        join(line(axis));
    }
    let mut last = Line::of_one(inputs.len());
    if let Some(axis) = columns {
        last = line(axis);
        if reduced.is_none() {
            join(last.clone());
            last = rows.pop().unwrap_or(last);
        }
    }
    if rows.is_empty() {
        rows.push(Line::of_one(inputs.len()));
    }
    let lines = || rows.iter().chain([&last]);
    let inputs = inputs.into_iter().enumerate().map(|(n, input)| {
        let is_smaller = lines().any(|line| line.windows[n].is_some());
        let window = lines().map(|line| line.windows[n].clone().unwrap_or(0..line.extent));
        Input {
            ty: input.ty,
            steps: lines().map(|line| line.steps[n]).collect(),
            window: is_smaller.then(|| window.collect()),
            gather: input.gather,
        }
    });
    Kernel {
        inputs: inputs.collect(),
        rows: rows.iter().map(|line| line.extent).collect(),
        columns: last.extent,
        outputs,
        body,
    }
}

/// An axis of a kernel in the making.
#[derive(Clone)]
struct Line {
    extent: usize,
    /// The steps of the inputs.
    steps: Vec<isize>,
    /// Where the inputs have elements, if not everywhere.
    windows: Vec<Option<Range<usize>>>,
}

impl Line {
    fn new(extent: usize, axis: usize, inputs: &[Input]) -> Line {
        let windows = inputs.iter().map(|input| {
            let own = input.window.as_ref()?[axis].clone();
            (own != (0..extent)).then_some(own)
        });
        Line {
            extent,
            steps: inputs.iter().map(|input| input.steps[axis]).collect(),
            windows: windows.collect(),
        }
    }
    fn of_one(inputs: usize) -> Line {
        Line {
            extent: 1,
            steps: vec![0; inputs],
            windows: vec![None; inputs],
        }
    }
    /// Whether this axis and one inside it are one axis for all inputs.
    fn joins(&self, inner: &Line) -> bool {
        let extent = inner.extent as isize;
        let mut steps = self.steps.iter().zip(&inner.steps);
        let mut windows = self.windows.iter().chain(&inner.windows);
        windows.all(Option::is_none) && steps.all(|(&a, &b)| a == b * extent)
    }
}

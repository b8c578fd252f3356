//! A rule pack of discrete Fourier transforms, over one axis or all axes of an array.
//!
//! A complex array is a pair of arrays of one shape, its real and its imaginary part. `rustfft` computes, in any size. The transform is
//! linear, so its derivative along a tangent is the transform of the tangent, and its pullback is the transform with the
//! other sign: both are expressions over the functions of this pack and have derivatives of any order.
//!
//! On a GPU a kernel transforms lines of 2 to 2048 elements whose number is a power of two, for f32; the rest is moved to the host.

#![deny(missing_docs)]

mooncake_pack::pack!(cases);

use mooncake_pack::{ArrayOut, ArrayView, Case, Outcome, Value, native, rule};
use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftNum, FftPlanner};

/// What a kernel has to know of the axis: arrays of up to four axes are transformed on the device.
macro_rules! axis_extent {
    () => {
        "select(axis == 0, re.0, select(axis == 1, re.1, select(axis == 2, re.2, select(axis == 3, re.3, 1))))"
    };
    ($name:literal) => {
        concat!($name, " = ", axis_extent!())
    };
}
macro_rules! axis_stride {
    ($name:literal) => {
        concat!(
            $name,
            " = select(axis == 0, re.1 * re.2 * re.3, select(axis == 1, re.2 * re.3, select(axis == 2, re.3, 1 + 0 * re)))"
        )
    };
}
/// One workgroup for each line; none, which leaves the transform to the host, where the kernel cannot do it: for other sizes, more axes or
/// lines, or parts of different shapes.
macro_rules! along_axis {
    () => {
        concat!(
            "select(re.0 * re.1 * re.2 * re.3 == re, select(re.0 == im.0, select(re.1 == im.1, select(re.2 == im.2, select(re == im, ",
            "select(2048 % select(re > 0, ",
            axis_extent!(),
            ", 1) == 0, select(",
            axis_extent!(),
            " > 1, select(re < 65536 * ",
            axis_extent!(),
            ", re / select(re > 0, ",
            axis_extent!(),
            ", 1), 0), 0), 0), 0), 0), 0), 0), 0)"
        )
    };
}

native! {
    /// `Σⱼ x[j] exp(−2πi jk / n)` over an axis, for each `k`: the forward transform, not scaled.
    fn fft_axis(re: array<T>, im: array<T>, axis: usize) -> (array<T>, array<T>) {
        primal: fft_axis,
        pullback: ["back_axis(dy.0, dy.1, axis).0", "back_axis(dy.0, dy.1, axis).1", ""],
        tangent: ["fft_axis(dx, 0 * im, axis)", "fft_axis(0 * re, dx, axis)", ""],
        kernel: {
            wgsl: concat!("const SIGN = -1.0;", include_str!("line.wgsl")),
            params: [axis_extent!("n"), axis_stride!("stride")],
            shapes: ["shape(re)", "shape(re)"],
            workgroups: along_axis!(),
        },
    }
}

native! {
    /// `Σₖ x[k] exp(+2πi jk / n)` over an axis, for each `j`: the backward transform, not scaled.
    fn back_axis(re: array<T>, im: array<T>, axis: usize) -> (array<T>, array<T>) {
        primal: back_axis,
        pullback: ["fft_axis(dy.0, dy.1, axis).0", "fft_axis(dy.0, dy.1, axis).1", ""],
        tangent: ["back_axis(dx, 0 * im, axis)", "back_axis(0 * re, dx, axis)", ""],
        kernel: {
            wgsl: concat!("const SIGN = 1.0;", include_str!("line.wgsl")),
            params: [axis_extent!("n"), axis_stride!("stride")],
            shapes: ["shape(re)", "shape(re)"],
            workgroups: along_axis!(),
        },
    }
}

native! {
    /// The forward transform over all axes, not scaled.
    fn fft(re: array<T>, im: array<T>) -> (array<T>, array<T>) {
        primal: fft,
        pullback: ["back(dy.0, dy.1).0", "back(dy.0, dy.1).1"],
        tangent: ["fft(dx, 0 * im)", "fft(0 * re, dx)"],
        kernel: {
            wgsl: concat!("const SIGN = -1.0;", include_str!("line.wgsl")),
            params: ["n = re", "stride = 1 + 0 * re"],
            shapes: ["shape(re)", "shape(re)"],
            // Of one line alone.
            workgroups: "select(re.0 == re, select(im.0 == im, select(re == im, select(2048 % select(re > 0, re, 1) == 0, 1, 0), 0), 0), 0)",
        },
    }
}

native! {
    /// The backward transform over all axes, not scaled: `back(fft(x))` is `x` times its number of elements.
    fn back(re: array<T>, im: array<T>) -> (array<T>, array<T>) {
        primal: back,
        pullback: ["fft(dy.0, dy.1).0", "fft(dy.0, dy.1).1"],
        tangent: ["back(dx, 0 * im)", "back(0 * re, dx)"],
        kernel: {
            wgsl: concat!("const SIGN = 1.0;", include_str!("line.wgsl")),
            params: ["n = re", "stride = 1 + 0 * re"],
            shapes: ["shape(re)", "shape(re)"],
            // Of one line alone.
            workgroups: "select(re.0 == re, select(im.0 == im, select(re == im, select(2048 % select(re > 0, re, 1) == 0, 1, 0), 0), 0), 0)",
        },
    }
}

rule! {
    /// The inverse of `fft`: the backward transform over all axes, divided by the number of elements.
    fn ifft(re: array<T>, im: array<T>) -> (array<T>, array<T>) {
        body: "(back(re, im).0 / numel(re), back(re, im).1 / numel(re))",
    }
}

rule! {
    /// The forward transform of a real array over all axes.
    fn rfft(x: array<T>) -> (array<T>, array<T>) {
        body: "fft(x, 0 * x)",
    }
}

/// A float that rustfft transforms.
pub(crate) trait Real: FftNum + mooncake_pack::Element {}
impl Real for f32 {}
impl Real for f64 {}

fn fft_axis<T: Real>(
    re: ArrayView<T>,
    im: ArrayView<T>,
    axis: usize,
    out_re: ArrayOut<T>,
    out_im: ArrayOut<T>,
) -> Outcome {
    transform(
        re,
        im,
        Axes::One(axis),
        FftDirection::Forward,
        out_re,
        out_im,
    )
}

fn back_axis<T: Real>(
    re: ArrayView<T>,
    im: ArrayView<T>,
    axis: usize,
    out_re: ArrayOut<T>,
    out_im: ArrayOut<T>,
) -> Outcome {
    transform(
        re,
        im,
        Axes::One(axis),
        FftDirection::Inverse,
        out_re,
        out_im,
    )
}

fn fft<T: Real>(
    re: ArrayView<T>,
    im: ArrayView<T>,
    out_re: ArrayOut<T>,
    out_im: ArrayOut<T>,
) -> Outcome {
    transform(re, im, Axes::All, FftDirection::Forward, out_re, out_im)
}

fn back<T: Real>(
    re: ArrayView<T>,
    im: ArrayView<T>,
    out_re: ArrayOut<T>,
    out_im: ArrayOut<T>,
) -> Outcome {
    transform(re, im, Axes::All, FftDirection::Inverse, out_re, out_im)
}

/// Over which axes a transform goes.
enum Axes {
    All,
    One(usize),
}

fn transform<T: Real>(
    re: ArrayView<T>,
    im: ArrayView<T>,
    axes: Axes,
    direction: FftDirection,
    out_re: ArrayOut<T>,
    out_im: ArrayOut<T>,
) -> Outcome {
    let shape = re.shape();
    if shape != im.shape() {
        return Err(format!(
            "the real part has the shape {shape:?}, the imaginary part {:?}",
            im.shape()
        ));
    }
    let axes = match axes {
        Axes::All => 0..shape.len(),
        Axes::One(axis) if axis < shape.len() => axis..axis + 1,
        Axes::One(axis) => return Err(format!("no axis {axis} in an array of shape {shape:?}")),
    };
    let pairs = re.data().iter().zip(im.data());
    let mut data: Vec<Complex<T>> = pairs.map(|(&re, &im)| Complex { re, im }).collect();
    let mut planner = FftPlanner::new();
    for axis in axes {
        along(&mut data, shape, axis, |line| {
            planner.plan_fft(line.len(), direction).process(line);
        });
    }
    let (re, im) = (out_re.allocate(shape)?, out_im.allocate(shape)?);
    for ((re, im), x) in re.iter_mut().zip(im).zip(data) {
        (*re, *im) = (x.re, x.im);
    }
    Ok(())
}

/// Applies a function to every line of an array in the direction of an axis.
fn along<T: Copy>(data: &mut [T], shape: &[usize], axis: usize, mut f: impl FnMut(&mut [T])) {
    if data.is_empty() {
        return;
    }
    let (n, stride) = (shape[axis], shape[axis + 1..].iter().product::<usize>());
    let mut line = Vec::with_capacity(n);
    for start in (0..data.len()).filter(|i| (i / stride).is_multiple_of(n)) {
        line.clear();
        line.extend((0..n).map(|k| data[start + k * stride]));
        f(&mut line);
        (0..n).for_each(|k| data[start + k * stride] = line[k]);
    }
}

/// Calls on which the rules of this pack are tested.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for shape in [&[4][..], &[7], &[1], &[3, 4], &[2, 3, 2]] {
        let (re, im) = (Value::array(shape), Value::array(shape));
        for name in ["fft", "back", "ifft"] {
            cases.push(Case::new(name, [re.clone(), im.clone()]));
        }
        cases.push(Case::new("rfft", [re.clone()]));
        for name in ["fft_axis", "back_axis"] {
            let axis = Value::Int(shape.len() as i64 - 1);
            cases.push(Case::new(name, [re.clone(), im.clone(), axis]));
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_axis_are_visited_once() {
        for axis in 0..3 {
            let mut data: Vec<usize> = (0..24).collect();
            let mut lines = Vec::new();
            along(&mut data, &[2, 3, 4], axis, |line| {
                lines.push(line.to_vec());
                line.iter_mut().for_each(|x| *x += 100);
            });
            assert_eq!(lines.len(), 24 / [2, 3, 4][axis]);
            let steps = lines
                .iter()
                .flat_map(|line| line.windows(2).map(|w| w[1] - w[0]));
            assert!(steps.into_iter().all(|step| step == [12, 4, 1][axis]));
            assert_eq!(data, (100..124).collect::<Vec<_>>());
        }
    }
}

//! Every operation against plain loops, on views of all kinds; and what happens when something fails.
//!
//! Without an adapter these tests say so and pass; with `MOONCAKE_REQUIRE_GPU=1` they fail.

use super::*;
use crate::array::backend::{Dims, dense_strides};
use crate::array::reduce::{self, Runs};
use crate::array::scatter::scatter_add;
use crate::array::{Array, Device};
use crate::codegen::gpu::KernelText;
use crate::ir::parse::parse_module;
use crate::kernel::random::{self, Random, random_kernel};
use crate::kernel::{Combine, Kernel, parse_kernel};
use crate::registry::Registry;
use half::f16;
use mooncake_shaders::Tile;

/// The device that the tests of this file share.
pub fn gpu() -> Option<Arc<Gpu>> {
    match Gpu::shared() {
        Ok(gpu) => Some(gpu),
        Err(error) if std::env::var_os("MOONCAKE_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("SKIPPED, no GPU: {error}");
            None
        }
    }
}

/// Numbers that look random and are the same everywhere, in (-1, 1).
fn numbers(n: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    (0..n)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        })
        .collect()
}

/// What tests are done with: f32, and f64 where the device holds it.
trait Real: Copy + PartialEq + fmt::Debug + fmt::Display + bytemuck::Pod {
    const TYPE: Type;
    /// What a tolerance for f32 is for this type.
    const FINER: f64;
    fn of(x: f64) -> Self;
    fn wide(self) -> f64;
}

impl Real for f32 {
    const TYPE: Type = Type::F32;
    const FINER: f64 = 1.0;
    fn of(x: f64) -> f32 {
        x as f32
    }
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Real for f64 {
    const TYPE: Type = Type::F64;
    const FINER: f64 = 1e-7;
    fn of(x: f64) -> f64 {
        x
    }
    fn wide(self) -> f64 {
        self
    }
}

/// Whether tests with f64 can run. What an adapter with f64 gets wrong fails them.
pub fn holds_f64(gpu: &Gpu) -> bool {
    if !gpu.wide {
        eprintln!("SKIPPED for f64: {} does not have it", gpu.name);
        return false;
    }
    assert!(gpu.holds(Type::F64));
    true
}

/// The same numbers as `numbers`, and for f64 with more bits.
fn reals<T: Real>(n: usize, seed: u32) -> Vec<T> {
    let fine = numbers(n, seed + 1000);
    { numbers(n, seed).into_iter().zip(fine) }
        .map(|(x, more)| match T::TYPE {
            Type::F32 => T::of(x.into()),
            _ => T::of(f64::from(x) + f64::from(more) * 1e-8),
        })
        .collect()
}

/// A view together with what it should hold.
#[derive(Clone, Debug)]
struct Sample<T = f32> {
    view: View,
    data: Vec<T>,
}

/// The elements of a view into `memory`, by the definition of a view.
fn elements<T: Real>(memory: &[T], view: &View) -> Vec<T> {
    let mut out = Vec::with_capacity(view.len());
    for i in 0..view.len() {
        let (mut rest, mut at) = (i, view.offset);
        for (&extent, &stride) in view.shape.iter().zip(&view.strides).rev() {
            at += rest % extent * stride;
            rest /= extent;
        }
        out.push(memory[at]);
    }
    out
}

fn upload(gpu: &Gpu, data: &[f32]) -> Buffer {
    gpu.upload(bytemuck::cast_slice(data)).unwrap()
}

fn sample(gpu: &Gpu, memory: &[f32], offset: usize, shape: &[usize], strides: &[usize]) -> Sample {
    sample_of(gpu, memory, offset, shape, strides)
}

fn sample_of<T: Real>(
    gpu: &Gpu,
    memory: &[T],
    offset: usize,
    shape: &[usize],
    strides: &[usize],
) -> Sample<T> {
    let view = View {
        buffer: gpu.upload(bytemuck::cast_slice(memory)).unwrap(),
        ty: T::TYPE,
        offset,
        shape: Dims::from_slice(shape),
        strides: Dims::from_slice(strides),
    };
    let data = elements(memory, &view);
    Sample { view, data }
}

/// A dense view of these extents, and others of the same extents: transposed, with gaps and an offset, repeated.
fn samples<T: Real>(gpu: &Gpu, shape: &[usize], seed: u32) -> Vec<Sample<T>> {
    let n: usize = shape.iter().product();
    let memory = reals(4 * n + 64, seed);
    let dense = dense_strides(shape);
    let reversed: Vec<usize> = shape.iter().rev().copied().collect();
    let transposed: Vec<usize> = dense_strides(&reversed).iter().rev().copied().collect();
    let gaps: Vec<usize> = dense.iter().map(|s| 2 * s).collect();
    let mut repeated = dense.clone();
    if let Some(first) = repeated.first_mut() {
        *first = 0;
    }
    let mut flat = dense.clone();
    if let Some(last) = flat.last_mut() {
        *last = 0;
    }
    [
        (0, &dense[..]),
        (4, &dense),
        (3, &dense),
        (0, &transposed),
        (8, &transposed),
        (5, &gaps),
        (0, &repeated),
        (4, &flat),
        (7, &vec![0; shape.len()]),
    ]
    .into_iter()
    .map(|(offset, strides)| sample_of(gpu, &memory, offset, shape, strides))
    .collect()
}

fn floats(gpu: &Gpu, buffer: Buffer, shape: &[usize]) -> Vec<f32> {
    found(gpu, buffer, shape)
}

fn found<T: Real>(gpu: &Gpu, buffer: Buffer, shape: &[usize]) -> Vec<T> {
    let view = View::dense(buffer, T::TYPE, shape);
    bytemuck::pod_collect_to_vec(&gpu.download(&view).unwrap())
}

#[track_caller]
fn assert_close<T: Real>(found: &[T], expected: &[T], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let tolerance = tolerance * T::FINER;
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        let (f, e) = (f.wide(), e.wide());
        let close = (f - e).abs() <= tolerance * (1.0 + e.abs());
        assert!(
            close || (f.is_nan() && e.is_nan()) || f == e,
            "{what}: element {i}: found {f}, expected {e}"
        );
    }
}

fn program(text: &str) -> MapProgram {
    let module = parse_module(text).unwrap();
    let root = module.root;
    MapProgram::new(Arc::new(module), root, Arc::new(Registry::default()))
}

const SHAPES: &[&[usize]] = &[
    &[],
    &[0],
    &[1],
    &[7],
    &[1024],
    &[3, 5],
    &[4, 8],
    &[5, 1],
    &[1, 6],
    &[2, 0],
    &[3, 5, 0],
    &[0, 3, 5],
    &[65, 33],
    &[3, 4, 5],
    &[2, 3, 4, 5],
    &[1, 8, 1, 4],
];

#[test]
fn copies_of_views() {
    let Some(gpu) = gpu() else { return };
    check_copies::<f32>(&gpu);
    if holds_f64(&gpu) {
        check_copies::<f64>(&gpu);
    }
}

fn check_copies<T: Real>(gpu: &Gpu) {
    for shape in SHAPES {
        for Sample { view, data } in samples::<T>(gpu, shape, 1) {
            let copy = gpu.copy(&view).unwrap();
            assert_eq!(found::<T>(gpu, copy, shape), data, "{view:?}");
            let bytes = gpu.download(&view).unwrap();
            assert_eq!(
                bytemuck::pod_collect_to_vec::<u8, T>(&bytes),
                data,
                "{view:?}"
            );
        }
    }
}

#[test]
fn maps_of_views_and_scalars() {
    let Some(gpu) = gpu() else { return };
    check_maps::<f32>(&gpu);
    if holds_f64(&gpu) {
        check_maps::<f64>(&gpu);
    }
}

/// A program that is written for f32, for another type.
fn program_of<T: Real>(text: &str) -> MapProgram {
    program(&text.replace("f32", &T::TYPE.to_string()))
}

/// A number as an operand.
fn number<T: Real>(x: T) -> Operand {
    let bits = match T::TYPE {
        Type::F32 => (x.wide() as f32).to_bits().into(),
        _ => x.wide().to_bits(),
    };
    Operand::Scalar(bits, T::TYPE)
}

fn check_maps<T: Real>(gpu: &Gpu) {
    let program = program_of::<T>(
        "fn @f(%0: f32, %1: f32, %2: f32) -> (f32, f32) {
        b0:
            %3: f32 = mul %0, %2
            %4: f32 = add %3, %1
            %5: f32 = sub %0, %1
            %6: (f32, f32) = tuple %4, %5
            return %6
        }",
    );
    let scalar = number(T::of(3.0));
    for shape in SHAPES {
        for a in samples::<T>(gpu, shape, 2) {
            for b in samples::<T>(gpu, shape, 3) {
                let inputs = [
                    Operand::View(a.view.clone()),
                    Operand::View(b.view.clone()),
                    scalar.clone(),
                ];
                let mut made = gpu.map(&program, &inputs, shape).unwrap();
                let pairs = a.data.iter().zip(&b.data);
                let pairs = pairs.map(|(a, b)| (a.wide(), b.wide()));
                let second: Vec<T> = pairs.clone().map(|(a, b)| T::of(a - b)).collect();
                let first: Vec<T> = pairs.map(|(a, b)| T::of(a * 3.0 + b)).collect();
                let what = format!("{:?} {:?}", a.view, b.view);
                assert_close(&found(gpu, made.remove(1), shape), &second, 0.0, &what);
                assert_close(&found(gpu, made.remove(0), shape), &first, 1e-6, &what);
            }
        }
    }
}

#[test]
fn one_buffer_several_times() {
    let Some(gpu) = gpu() else { return };
    let program =
        program("fn @f(%0: f32, %1: f32) -> f32 {\nb0:\n%2: f32 = mul %0, %1\nreturn %2\n}");
    let x = sample(&gpu, &numbers(64, 4), 0, &[8, 8], &[8, 1]);
    let t = x.view.clone().swap_axes(0, 1);
    let made = gpu.map(
        &program,
        &[Operand::View(x.view.clone()), Operand::View(t)],
        &[8, 8],
    );
    let expected: Vec<f32> = (0..64)
        .map(|i| x.data[i] * x.data[i % 8 * 8 + i / 8])
        .collect();
    assert_eq!(floats(&gpu, made.unwrap().remove(0), &[8, 8]), expected);
}

#[test]
fn maps_with_control_flow() {
    let Some(gpu) = gpu() else { return };
    // x^n for x >= 0, -1 below; n counted in a loop.
    let program = program(
        "fn @f(%0: f32, %1: i32) -> f32 {
        b0:
            %2: f32 = 0.0
            %3: bool = lt %0, %2
            branch %3, no, start
        no:
            %4: f32 = -1.0
            return %4
        start:
            %5: i32 = 0
            %6: i32 = 1
            %7: f32 = 1.0
            jump head(%5, %7)
        head(%8: i32, %9: f32):
            %10: bool = lt %8, %1
            branch %10, body, done
        body:
            %11: f32 = mul %9, %0
            %12: i32 = add %8, %6
            jump head(%12, %11)
        done:
            return %9
        }",
    );
    for (n, len) in [(0, 5), (3, 100), (40, 1000)] {
        let x = sample(&gpu, &numbers(len, 5), 0, &[len], &[1]);
        let inputs = [Operand::View(x.view), Operand::Scalar(n, Type::I32)];
        let made = gpu.map(&program, &inputs, &[len]).unwrap().remove(0);
        let expected: Vec<f32> = x
            .data
            .iter()
            .map(|&x| if x < 0.0 { -1.0 } else { x.powi(n as i32) })
            .collect();
        assert_close(&floats(&gpu, made, &[len]), &expected, 1e-5, "power");
    }
}

#[test]
fn leaving_two_loops_at_once() {
    let Some(gpu) = gpu() else { return };
    // Doubles x until it passes 100; gives the number of the outer and inner iterations then, as 100 · outer + inner.
    let program = program(
        "fn @f(%0: f32) -> f32 {
        b0:
            %1: f32 = 0.0
            %2: f32 = 1.0
            %3: f32 = 3.0
            %4: f32 = 100.0
            jump outer(%1, %0)
        outer(%5: f32, %6: f32):
            %7: bool = lt %5, %3
            branch %7, start, never
        start:
            jump inner(%1, %6)
        inner(%8: f32, %9: f32):
            %10: bool = lt %8, %3
            branch %10, body, next
        body:
            %11: f32 = add %9, %9
            %12: bool = gt %11, %4
            branch %12, far, on
        far:
            %13: f32 = mul %5, %4
            %14: f32 = add %13, %8
            jump done(%14)
        on:
            %15: f32 = add %8, %2
            jump inner(%15, %11)
        next:
            %16: f32 = add %5, %2
            jump outer(%16, %9)
        never:
            %17: f32 = -1.0
            jump done(%17)
        done(%18: f32):
            return %18
        }",
    );
    let native = |x: f32| {
        let mut x = x;
        for outer in 0..3 {
            for inner in 0..3 {
                x += x;
                if x > 100.0 {
                    return (100 * outer + inner) as f32;
                }
            }
        }
        -1.0
    };
    let data: Vec<f32> = (0..200).map(|i| i as f32 * 0.37).collect();
    let x = sample(&gpu, &data, 0, &[200], &[1]);
    let made = gpu
        .map(&program, &[Operand::View(x.view)], &[200])
        .unwrap()
        .remove(0);
    let expected: Vec<f32> = data.iter().map(|&x| native(x)).collect();
    assert_eq!(floats(&gpu, made, &[200]), expected);
}

/// Comparisons, selections and conversions of NaN, infinities and zeros are Rust's.
#[test]
fn special_values() {
    let Some(gpu) = gpu() else { return };
    let special = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        1.5,
        -1.5,
        3e9,
        -3e9,
        5e9,
    ];
    let pairs: Vec<(f32, f32)> = special
        .iter()
        .flat_map(|&a| special.map(|b| (a, b)))
        .collect();
    let (a, b): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
    let shape = [pairs.len()];
    let inputs =
        [a, b].map(|data| Operand::View(View::dense(upload(&gpu, &data), Type::F32, &shape)));
    let compare = |op: &str, negated: bool| {
        let result = if negated { "%4" } else { "%3" };
        program(&format!(
            "fn @f(%0: f32, %1: f32) -> i32 {{\nb0:\n%3: bool = {op} %0, %1\n%4: bool = not %3\n%5: i32 = cast {result}\nreturn %5\n}}"
        ))
    };
    type Compare = fn(f32, f32) -> bool;
    let cases: [(&str, Compare); 6] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
    ];
    for (op, native) in cases {
        for negated in [false, true] {
            let made = gpu
                .map(&compare(op, negated), &inputs, &shape)
                .unwrap()
                .remove(0);
            let bytes = gpu.download(&View::dense(made, Type::I32, &shape)).unwrap();
            let found: Vec<i32> = bytemuck::pod_collect_to_vec(&bytes);
            for (&(a, b), found) in pairs.iter().zip(found) {
                assert_eq!(
                    found != 0,
                    native(a, b) != negated,
                    "{op} of {a}, {b}, negated: {negated}"
                );
            }
        }
    }
    type Bits = fn(f32) -> u32;
    let unary: [(&str, &str, Bits); 4] = [
        ("cast", "i32", |x| x as i32 as u32),
        ("cast", "u32", |x| x as u32),
        ("floor", "f32", |x| x.floor().to_bits()),
        ("trunc", "f32", |x| x.trunc().to_bits()),
    ];
    for (op, ret, native) in unary {
        let program = program(&format!(
            "fn @f(%0: f32) -> {ret} {{\nb0:\n%1: {ret} = {op} %0\nreturn %1\n}}"
        ));
        let made = gpu.map(&program, &inputs[..1], &shape).unwrap().remove(0);
        let bytes = gpu.download(&View::dense(made, Type::U32, &shape)).unwrap();
        let found: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
        for (&(a, _), found) in pairs.iter().zip(found) {
            let both_nan = f32::from_bits(found).is_nan()
                && f32::from_bits(native(a)).is_nan()
                && ret == "f32";
            assert!(
                found == native(a) || both_nan,
                "{op} of {a} to {ret}: found {found}, expected {}",
                native(a)
            );
        }
    }
}

#[test]
fn remainders_are_exact() {
    let Some(gpu) = gpu() else { return };
    let program =
        program("fn @f(%0: f32, %1: f32) -> f32 {\nb0:\n%2: f32 = rem %0, %1\nreturn %2\n}");
    let a: Vec<f32> = numbers(1000, 6)
        .iter()
        .enumerate()
        .map(|(i, x)| x * 10f32.powi(i as i32 % 30 - 10))
        .collect();
    let b: Vec<f32> = numbers(1000, 7).iter().map(|x| x * 3.0).collect();
    let inputs =
        [&a, &b].map(|data| Operand::View(View::dense(upload(&gpu, data), Type::F32, &[1000])));
    let made = gpu.map(&program, &inputs, &[1000]).unwrap().remove(0);
    let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a % b).collect();
    assert_eq!(floats(&gpu, made, &[1000]), expected);
}

/// `a · b` in double precision.
fn product<T: Real>(a: &[T], b: &[T], m: usize, k: usize, n: usize) -> Vec<T> {
    let mut out = vec![T::of(0.0); m * n];
    for i in 0..m {
        for j in 0..n {
            let terms = (0..k).map(|l| a[i * k + l].wide() * b[l * n + j].wide());
            out[i * n + j] = T::of(terms.sum::<f64>());
        }
    }
    out
}

/// A batch of one matrix.
fn alone(view: &View) -> View {
    let mut view = view.clone();
    view.shape.insert(0, 1);
    view.strides.insert(0, 0);
    view
}

fn check_matmul(gpu: &Gpu, m: usize, k: usize, n: usize) {
    check_matmul_of::<f32>(gpu, m, k, n);
    if holds_f64(gpu) {
        check_matmul_of::<f64>(gpu, m, k, n);
    }
}

fn check_matmul_of<T: Real>(gpu: &Gpu, m: usize, k: usize, n: usize) {
    for a in samples::<T>(gpu, &[m, k], 8) {
        for b in samples::<T>(gpu, &[k, n], 9) {
            let made = gpu.matmul(&alone(&a.view), &alone(&b.view)).unwrap();
            let expected = product(&a.data, &b.data, m, k, n);
            let what = format!("{:?} · {:?}", a.view, b.view);
            assert_close(
                &found(gpu, made, &[m, n]),
                &expected,
                1e-5 * (k as f64).sqrt().max(1.0),
                &what,
            );
        }
    }
}

#[test]
fn matrix_products() {
    let Some(gpu) = gpu() else { return };
    for (m, k, n) in [
        (1, 1, 1),
        (0, 3, 2),
        (2, 0, 3),
        (3, 4, 0),
        (4, 4, 4),
        (8, 8, 8),
        (7, 9, 5),
        (16, 12, 20),
        (1, 100, 1),
        (33, 17, 65),
        (64, 64, 64),
    ] {
        check_matmul(&gpu, m, k, n);
    }
}

/// Does something on a device with the kernels of each kind of tile: those that suit other adapters are as right on this one, if slower.
fn on_each_tile(mut check: impl FnMut(&Gpu)) {
    if gpu().is_none() {
        return;
    }
    let mut other = Gpu::open().unwrap();
    let own = other.profile.tile;
    for (tile, large) in [
        (Tile::Register, usize::MAX),
        (Tile::Shared, usize::MAX),
        // Large tiles for every product of f32.
        (Tile::Shared, 0),
        (own, usize::MAX),
    ] {
        other.profile.tile = tile;
        other.profile.large_tiles = large;
        check(&other);
    }
}

#[test]
fn matrix_products_of_all_kinds() {
    on_each_tile(|gpu| {
        for (m, k, n) in [
            (1, 1, 1),
            (2, 0, 3),
            (7, 9, 5),
            (16, 12, 40),
            (65, 70, 66),
            (128, 300, 8),
            (130, 37, 260),
        ] {
            check_matmul(gpu, m, k, n);
        }
    });
}

/// A kernel that takes the elements of a product as they are made gives what it gives of a product in memory, bit for bit.
#[test]
fn kernels_of_products() {
    on_each_tile(|gpu| {
        check_kernels_of_products::<f32>(gpu);
        // Subgroups exchange f32.
        if gpu.profile.tile == Tile::Register && holds_f64(gpu) {
            check_kernels_of_products::<f64>(gpu);
        }
    });
}

/// The same where the kernel reads and writes elements of 16 bits.
#[test]
fn kernels_of_products_with_halves() {
    if gpu().is_none() {
        return;
    }
    let mut other = Gpu::open().unwrap();
    if !other.holds(Type::F16) {
        eprintln!("SKIPPED for f16: {} does not have it", other.name);
        return;
    }
    for (tile, n, steps) in [
        (Tile::Register, 36, "0 1"),
        (Tile::Shared, 36, "36 1"),
        (Tile::Shared, 36, "1 0"),
        (Tile::Register, 7, "7 1"),
    ] {
        other.profile.tile = tile;
        let (m, k) = (9, 12);
        let text = format!(
            "kernel rows {m} columns {n}
  input f32 steps {n} 1
  input f16 steps {steps}
  output points
  output points
fn @body(%0: f32, %1: f16) -> (f16, f32) {{
b0:
    %2: f32 = cast %1
    %3: f32 = mul %0, %2
    %4: f16 = cast %3
    %5: (f16, f32) = tuple %4, %3
    return %5
}}
"
        );
        let registry = crate::context::Context::default().registry().clone();
        let program = KernelProgram::new(parse_kernel(&text).unwrap(), registry);
        let matrix = |rows: usize, columns: usize, seed| {
            let data = reals::<f32>(rows * columns, seed);
            let shape = [1, rows, columns];
            sample_of(&other, &data, 0, &shape, &dense_strides(&shape)).view
        };
        let (a, b) = (matrix(m, k, 61), matrix(k, n, 62));
        let data: Vec<f16> = (0..m * n).map(|n| f16::from_f32(n as f32 * 0.37)).collect();
        let buffer = other.upload(bytemuck::cast_slice(&data)).unwrap();
        let halves = View::dense(buffer, Type::F16, &[m * n]);
        let product = View::dense(other.matmul(&a, &b).unwrap(), Type::F32, &[1, m, n]);
        let apart = [KernelInput::View(&product), KernelInput::View(&halves)];
        let apart = other.kernel(&program, &apart).unwrap();
        let inputs = [KernelInput::Product(&a, &b), KernelInput::View(&halves)];
        let job = other.job(&a, &b).unwrap();
        let within = other.done_with(&job, &program, &inputs).unwrap().unwrap();
        for (output, ty) in [Type::F16, Type::F32].into_iter().enumerate() {
            let read = |buffer: &Buffer| {
                let view = View::dense(buffer.clone(), ty, &[m * n]);
                other.download(&view).unwrap()
            };
            assert_eq!(read(&within[output]), read(&apart[output]), "{text}");
        }
    }
}

/// Where kernels can neither load nor store 16 bits, arrays of f16 are in the host's memory.
#[test]
fn an_adapter_without_16_bits_holds_no_halves() {
    if gpu().is_none() {
        return;
    }
    let mut other = Gpu::open().unwrap();
    other.halves = false;
    assert!(!other.holds(Type::F16));
    let device = Device::of_gpu(other);
    let x = Array::from_vec_on(&device, vec![1.0f32, 1e-7, 70000.0], [3]);
    let stored = x.to_f16().flip(0);
    let expected = [70000.0, 1e-7, 1.0].map(f16::from_f32);
    assert_eq!(stored.to_vec().unwrap(), expected);
    let sum = (stored.to_f32() + x.flip(0)).to_vec().unwrap();
    assert_eq!(sum, [f32::INFINITY, expected[1].to_f32() + 1e-7, 2.0]);
}

fn check_kernels_of_products<T: Real>(gpu: &Gpu) {
    let ty = T::TYPE;
    // A bias for each column, an array the other way round, one element for each row, a number, and arrays that lie as the product does.
    let body = format!(
        "fn @body(%0: {ty}, %1: {ty}, %2: {ty}, %3: {ty}, %4: {ty}) -> ({ty}, {ty}) {{
b0:
    %5: {ty} = add %0, %1
    %6: {ty} = mul %5, %2
    %7: {ty} = mul %6, %4
    %8: {ty} = sub %7, %3
    %9: ({ty}, {ty}) = tuple %8, %0
    return %9
}}
"
    );
    for (number, (batch, m, k, n)) in [
        (1, 1, 3, 1),
        (1, 40, 7, 6),
        (3, 9, 12, 36),
        (2, 33, 20, 65),
        (2, 20, 0, 36),
        // The k axis is cut into pieces.
        (1, 16, 1030, 64),
    ]
    .into_iter()
    .enumerate()
    {
        let among = [[0, 0, 1], [m * n, 1, m], [m, 1, 0], [0, 0, 0]];
        let alike = [[m * n, n, 1]; 4];
        let reads = |steps: [[usize; 3]; 4]| {
            let line = |s: [usize; 3]| format!("  input {ty} steps {} {} {}\n", s[0], s[1], s[2]);
            let lines: String = [[m * n, n, 1]].into_iter().chain(steps).map(line).collect();
            format!("kernel rows {batch} {m} columns {n}\n{lines}")
        };
        let flat = format!("  input {ty} steps 0 1\n").repeat(5);
        let flat = format!("kernel rows 1 columns {}\n{flat}", batch * m * n);
        let outputs = "  output points\n  output points\n";
        let registry = crate::context::Context::default().registry().clone();
        for (kind, head) in [reads(among), reads(alike), flat].into_iter().enumerate() {
            // Every other kernel reads all that lie alike; each has one of three kinds of factors.
            if kind > 0 && number % 4 != kind {
                continue;
            }
            let kernel = parse_kernel(&format!("{head}{outputs}{body}")).unwrap();
            let program = KernelProgram::new(kernel, registry.clone());
            let memory = reals::<T>(batch * m * n + 4, 51);
            let factors = [
                (0, ([m, k], [k, n])),
                (4, ([k, m], [n, k])),
                (3, ([m, k], [n, k])),
            ];
            let (offset, (a_shape, b_shape)) = factors[(number + kind) % 3];
            let turned = |shape: [usize; 2], is: bool, seed| {
                let data = reals::<T>(batch * shape[0] * shape[1], seed);
                let own = [batch, shape[0], shape[1]];
                let strides = dense_strides(&own);
                let view = sample_of(gpu, &data, 0, &own, &strides).view;
                if is { view.swap_axes(1, 2) } else { view }
            };
            let a = turned(a_shape, a_shape != [m, k], 52);
            let b = turned(b_shape, b_shape != [k, n], 53);
            let extents = [batch * m * n];
            let array = sample_of(gpu, &memory, offset, &extents, &[1]).view;
            let others = [(); 4].map(|()| KernelInput::View(&array));
            let product = View::dense(gpu.matmul(&a, &b).unwrap(), ty, &[batch, m, n]);
            let all = |first| -> Vec<KernelInput> {
                let mut all = vec![first];
                all.extend(others);
                all
            };
            let apart = gpu.kernel(&program, &all(KernelInput::View(&product)));
            let inputs = all(KernelInput::Product(&a, &b));
            let job = gpu.job(&a, &b).unwrap();
            let within = gpu.done_with(&job, &program, &inputs).unwrap();
            let joins = gpu.joins_products(ty, batch, (m, k, n));
            let is_for_subgroups =
                gpu.profile.tile == Tile::Subgroup && ty == Type::F32 && m >= 8 && n >= 32;
            assert_eq!(joins, k < 1000 && !is_for_subgroups, "{head}");
            assert_eq!(within.is_some(), joins, "{head}");
            let made = gpu.kernel(&program, &inputs).unwrap();
            for (made, apart) in made.into_iter().zip(apart.unwrap()) {
                let [made, apart] = [made, apart].map(|own| found::<T>(gpu, own, &extents));
                assert_eq!(made, apart, "{head} {offset}");
            }
        }
    }
}

/// A batch of matrices in memory that holds NaN everywhere else: rows or columns are contiguous and begin at multiples of four.
fn among_nans(gpu: &Gpu, batch: usize, m: usize, n: usize, by_columns: bool, seed: u32) -> Sample {
    let (lines, length) = match by_columns {
        true => (n, m),
        false => (m, n),
    };
    let pitch = length.next_multiple_of(4) + 4;
    let each = lines * pitch + 8;
    let mut memory = vec![f32::NAN; 4 + batch * each];
    let data = numbers(batch * lines * length, seed);
    for (line, from) in data.chunks(length.max(1)).enumerate() {
        let at = 4 + line / lines * each + line % lines * pitch;
        memory[at..at + length].copy_from_slice(from);
    }
    let strides = match by_columns {
        true => [each, 1, pitch],
        false => [each, pitch, 1],
    };
    sample(gpu, &memory, 4, &[batch, m, n], &strides)
}

/// Kernels that read groups of four read beyond the end of rows and columns.
#[test]
fn what_lies_beside_a_matrix_does_not_count() {
    if gpu().is_none() {
        return;
    }
    let mut other = Gpu::open().unwrap();
    let (own, wide) = (other.profile.tile, other.wide);
    for (tile, large, wide) in [
        (Tile::Register, usize::MAX, wide),
        (Tile::Shared, usize::MAX, wide),
        (Tile::Shared, 0, wide),
        (own, usize::MAX, wide),
        (own, usize::MAX, false),
    ] {
        (other.profile.tile, other.wide) = (tile, wide);
        other.profile.large_tiles = large;
        // The last ones have a k axis that is cut into pieces.
        for (batch, m, k, n) in [
            (1, 9, 5, 33),
            (3, 17, 7, 66),
            (2, 20, 36, 72),
            (1, 17, 1030, 65),
            (2, 16, 515, 64),
        ] {
            for (a_by_columns, b_by_columns) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                let a = among_nans(&other, batch, m, k, a_by_columns, 20);
                let b = among_nans(&other, batch, k, n, b_by_columns, 21);
                let made = other.matmul(&a.view, &b.view).unwrap();
                let pairs = a.data.chunks(m * k).zip(b.data.chunks(k * n));
                let expected: Vec<f32> = pairs.flat_map(|(a, b)| product(a, b, m, k, n)).collect();
                assert_close(
                    &floats(&other, made, &[batch, m, n]),
                    &expected,
                    1e-5 * (k as f64).sqrt(),
                    &format!("{tile:?} {:?} · {:?}", a.view, b.view),
                );
            }
        }
    }
}

#[test]
fn one_matrix_for_a_whole_batch() {
    let Some(gpu) = gpu() else { return };
    let (batch, m, k, n) = (3, 17, 9, 35);
    let memory = numbers(batch * m * k, 30);
    let a = sample(&gpu, &memory, 0, &[batch, m, k], &[m * k, k, 1]);
    let b = sample(&gpu, &numbers(k * n, 31), 0, &[batch, k, n], &[0, n, 1]);
    let made = gpu.matmul(&a.view, &b.view).unwrap();
    let pairs = a.data.chunks(m * k).zip(b.data.chunks(k * n));
    let expected: Vec<f32> = pairs.flat_map(|(a, b)| product(a, b, m, k, n)).collect();
    let found = floats(&gpu, made, &[batch, m, n]);
    assert_close(&found, &expected, 1e-5, "a batch");
}

#[test]
fn a_product_along_more_than_a_loop_may_run() {
    let Some(gpu) = gpu() else { return };
    let k = 70_000;
    let a = sample(&gpu, &numbers(2 * k, 10), 0, &[2, k], &[k, 1]);
    let b = sample(&gpu, &numbers(3 * k, 11), 0, &[k, 3], &[3, 1]);
    let made = gpu.matmul(&alone(&a.view), &alone(&b.view)).unwrap();
    assert_close(
        &floats(&gpu, made, &[2, 3]),
        &product(&a.data, &b.data, 2, k, 3),
        1e-3,
        "long",
    );
}

/// All elements of a view, or those along an axis, as one; dense.
fn reduce(gpu: &Gpu, combine: Combine, view: &View, axis: Option<usize>) -> Result<Buffer> {
    let made = match axis {
        Some(axis) => reduce::along(Runs::On(gpu), combine, view, axis)?,
        None => reduce::total(Runs::On(gpu), combine, view)?,
    };
    gpu.copy(&made)
}

fn softmax(gpu: &Gpu, view: &View, axis: usize, log: bool) -> Buffer {
    let made = reduce::softmax(Runs::On(gpu), view, axis, log).unwrap();
    gpu.copy(&made).unwrap()
}

/// A reduction by its definition.
fn reduced<T: Real>(op: Combine, data: &[T], shape: &[usize], axis: usize) -> Vec<T> {
    let (outer, extent): (usize, usize) = (shape[..axis].iter().product(), shape[axis]);
    let inner: usize = shape[axis + 1..].iter().product();
    let mut out = Vec::new();
    for o in 0..outer {
        for i in 0..inner {
            let line = (0..extent).map(|a| data[(o * extent + a) * inner + i].wide());
            out.push(T::of(match op {
                Combine::Sum => line.sum::<f64>(),
                Combine::Max => line
                    .reduce(|a, b| if a > b || a.is_nan() { a } else { b })
                    .unwrap(),
            }));
        }
    }
    out
}

fn without(shape: &[usize], axis: usize) -> Vec<usize> {
    let mut shape = shape.to_vec();
    shape.remove(axis);
    shape
}

fn check_reductions(gpu: &Gpu, shapes: &[&[usize]]) {
    check_reductions_of::<f32>(gpu, shapes);
    if holds_f64(gpu) {
        check_reductions_of::<f64>(gpu, shapes);
    }
}

fn check_reductions_of<T: Real>(gpu: &Gpu, shapes: &[&[usize]]) {
    for shape in shapes {
        for s in samples::<T>(gpu, shape, 12) {
            for op in [Combine::Sum, Combine::Max] {
                let what = format!("{op:?} of {:?}", s.view);
                for axis in (0..shape.len()).filter(|&a| op == Combine::Sum || shape[a] > 0) {
                    let made = reduce(gpu, op, &s.view, Some(axis)).unwrap();
                    let expected = reduced(op, &s.data, shape, axis);
                    assert_close(
                        &found(gpu, made, &without(shape, axis)),
                        &expected,
                        1e-4,
                        &format!("{what} along {axis}"),
                    );
                }
                if op == Combine::Sum || !s.data.is_empty() {
                    let made = reduce(gpu, op, &s.view, None).unwrap();
                    let expected = reduced(op, &s.data, &[s.data.len()], 0);
                    assert_close(&found(gpu, made, &[]), &expected, 1e-4, &what);
                }
            }
        }
    }
}

#[test]
fn reductions() {
    let Some(gpu) = gpu() else { return };
    check_reductions(&gpu, SHAPES);
    check_reductions(
        &gpu,
        &[
            &[5000],
            &[2, 5000],
            &[5000, 2],
            &[3, 1000, 2],
            &[17, 16, 19],
        ],
    );
}

#[test]
fn reductions_and_softmax_in_workgroups() {
    if gpu().is_none() {
        return;
    }
    let mut other = Gpu::open().unwrap();
    other.profile.reduce_in_groups = !other.profile.reduce_in_groups;
    check_reductions(&other, &[&[1], &[3, 5], &[5000], &[3, 4099], &[4, 1000, 2]]);
    check_softmax(&other, &[&[1], &[3, 5], &[5, 300], &[300, 5]]);
}

/// Invocations whose stretches of rows are interleaved.
#[test]
fn reductions_of_interleaved_stretches() {
    if gpu().is_none() {
        return;
    }
    let mut other = Gpu::open().unwrap();
    other.profile.reduce_in_groups = false;
    other.profile.map_blocks = false;
    check_reductions(&other, &[&[1], &[3, 5], &[5000], &[4099, 3], &[4, 1000, 2]]);
}

/// Quotients as they are on devices that do not round them: corrected, and right for the largest divisors.
#[test]
fn corrected_quotients() {
    if gpu().is_none() {
        return;
    }
    let mut other = Gpu::open().unwrap();
    other.pipelines = pipelines::Pipelines::new(None, true);
    let program = program(
        "fn @f(%0: f32, %1: f32) -> f32 {
b0:
    %2: f32 = div %0, %1
    return %2
}
",
    );
    let values = [
        0.0,
        -0.0,
        1.0,
        -3.0,
        7e20,
        3e38,
        -2e38,
        1e-20,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    let mut numerators: Vec<f32> = values.iter().flat_map(|&a| [a; 11]).collect();
    let mut divisors = values.repeat(values.len());
    numerators.extend(numbers(1000, 20));
    divisors.extend(numbers(1000, 21));
    let shape = [numerators.len()];
    let inputs = [&numerators, &divisors].map(|data| {
        let sample = sample(&other, data, 0, &shape, &[1]);
        Operand::View(sample.view)
    });
    let made = other.map(&program, &inputs, &shape).unwrap().swap_remove(0);
    let found = floats(&other, made, &shape);
    for ((&a, &b), found) in numerators.iter().zip(&divisors).zip(found) {
        let exact = a / b;
        // Subnormal quotients are the device's affair.
        if exact.abs() < f32::MIN_POSITIVE && exact != 0.0 {
            continue;
        }
        let off = (found.to_bits() as i64 - exact.to_bits() as i64).abs();
        let is_same = found.is_nan() && exact.is_nan();
        assert!(
            is_same || off <= 1,
            "{a:e} / {b:e} = {found:e}, expected {exact:e}"
        );
    }
}

/// What is used again and again is kept although there is free memory of other sizes.
#[test]
fn memory_that_is_free_for_long_goes_first() {
    if gpu().is_none() {
        return;
    }
    let gpu = Gpu::open().unwrap();
    lock(&gpu.pool).kept = 0;
    let make = |bytes| gpu.write(&vec![0; bytes]).unwrap();
    drop([make(1 << 20), make(1 << 20)]);
    let ids = [3 << 19; 4].map(|bytes| make(bytes).id());
    assert_eq!(ids, [ids[0]; 4]);
}

/// Lines as a whole and in pieces.
#[test]
fn running_sums() {
    if gpu().is_none() {
        return;
    }
    let mut other = Gpu::open().unwrap();
    for (spread, limit) in [(1, 60_000), (1 << 18, 60_000), (1, 100)] {
        other.profile.reduce_spread = spread;
        other.profile.loop_limit = limit;
        check_running_sums::<f32>(&other);
        if holds_f64(&other) {
            check_running_sums::<f64>(&other);
        }
    }
}

fn check_running_sums<T: Real>(gpu: &Gpu) {
    for (shape, axis) in [
        (&[1][..], 0),
        (&[5], 0),
        (&[0, 3], 1),
        (&[3, 0], 1),
        (&[7, 3], 0),
        (&[3, 1000], 1),
        (&[1000, 3], 0),
        (&[2, 333, 5], 1),
        (&[4099], 0),
    ] {
        let inner: usize = shape[axis + 1..].iter().product();
        // Half a unit in the last place for each addition, and a little for sums that are smaller than their terms.
        let tolerance = 1e-6 + 6e-8 * shape[axis] as f64;
        for s in samples::<T>(gpu, shape, 19) {
            let made = gpu.cumsum(&s.view, axis).unwrap();
            let mut expected: Vec<f64> = s.data.iter().map(|x| x.wide()).collect();
            for n in 0..expected.len() {
                if !(n / inner).is_multiple_of(shape[axis]) {
                    expected[n] += expected[n - inner];
                }
            }
            let expected: Vec<T> = expected.into_iter().map(T::of).collect();
            assert_close(
                &found(gpu, made, shape),
                &expected,
                tolerance,
                &format!("{:?} along {axis}", s.view),
            );
        }
    }
}

#[test]
fn the_maximum_is_nan_if_there_is_one() {
    let Some(gpu) = gpu() else { return };
    for len in [1, 5, 40, 1000] {
        for at in [0, len / 2, len - 1] {
            let mut data = numbers(len, 13);
            data[at] = f32::NAN;
            let x = sample(&gpu, &data, 0, &[len], &[1]);
            let made = reduce(&gpu, Combine::Max, &x.view, None).unwrap();
            assert!(floats(&gpu, made, &[])[0].is_nan(), "{at} of {len}");
            if holds_f64(&gpu) {
                let data: Vec<f64> = data.into_iter().map(f64::from).collect();
                let x = sample_of(&gpu, &data, 0, &[len], &[1]);
                let made = reduce(&gpu, Combine::Max, &x.view, None).unwrap();
                assert!(found::<f64>(&gpu, made, &[])[0].is_nan(), "{at} of {len}");
            }
        }
    }
}

#[test]
fn sums_reproduce() {
    let Some(gpu) = gpu() else { return };
    let x = sample(&gpu, &numbers(100_000, 14), 0, &[100_000], &[1]);
    let sum = || {
        floats(
            &gpu,
            reduce(&gpu, Combine::Sum, &x.view, None).unwrap(),
            &[],
        )[0]
        .to_bits()
    };
    let first = sum();
    assert!((0..5).all(|_| sum() == first));
}

fn check_softmax(gpu: &Gpu, shapes: &[&[usize]]) {
    check_softmax_of::<f32>(gpu, shapes);
    if holds_f64(gpu) {
        check_softmax_of::<f64>(gpu, shapes);
    }
}

fn check_softmax_of<T: Real>(gpu: &Gpu, shapes: &[&[usize]]) {
    for shape in shapes {
        for axis in 0..shape.len() {
            for s in samples::<T>(gpu, shape, 15) {
                let inner: usize = shape[axis + 1..].iter().product();
                let scaled = s.data.clone();
                for log in [false, true] {
                    let made = softmax(gpu, &s.view, axis, log);
                    let mut expected = vec![T::of(0.0); scaled.len()];
                    for i in 0..scaled.len() {
                        let line = i / (inner * shape[axis]) * inner * shape[axis] + i % inner;
                        let others = (0..shape[axis]).map(|a| scaled[line + a * inner].wide());
                        let sum: f64 = others.map(f64::exp).sum();
                        let log_of = scaled[i].wide() - sum.ln();
                        expected[i] = T::of(if log { log_of } else { log_of.exp() });
                    }
                    assert_close(
                        &found(gpu, made, shape),
                        &expected,
                        2e-6,
                        &format!("{:?} {axis} {log}", s.view),
                    );
                }
            }
        }
    }
}

#[test]
fn softmax_along_each_axis() {
    let Some(gpu) = gpu() else { return };
    check_softmax(
        &gpu,
        &[
            &[1],
            &[10],
            &[0],
            &[3, 7],
            &[64, 10],
            &[2, 3, 4],
            &[2, 0, 3],
            &[3, 5, 0],
        ],
    );
}

#[test]
fn softmax_is_stable_and_accurate() {
    let Some(gpu) = gpu() else { return };
    let x = sample(
        &gpu,
        &[1000.0, 999.0, -1000.0, 0.0, -1e30, -88.0, -89.0, 1e-3],
        0,
        &[2, 4],
        &[4, 1],
    );
    let found = floats(&gpu, softmax(&gpu, &x.view, 1, false), &[2, 4]);
    assert_close(
        &found[..4],
        &[0.731_058_6, 0.268_941_43, 0.0, 0.0],
        1e-6,
        "large",
    );
    assert_eq!(found[4], 0.0);
    let logs = floats(&gpu, softmax(&gpu, &x.view, 1, true), &[2, 4]);
    assert_close(
        &logs[..3],
        &[-0.313_261_7, -1.313_261_7, -2_000.313_2],
        1e-6,
        "logarithms",
    );
}

fn indices(gpu: &Gpu, data: &[u32], shape: &[usize]) -> View {
    View::dense(
        gpu.upload(bytemuck::cast_slice(data)).unwrap(),
        Type::U32,
        shape,
    )
}

fn picks(n: usize, extent: usize) -> Vec<u32> {
    numbers(n, 16)
        .iter()
        .map(|x| ((x + 1.0) * 0.5 * extent as f32) as u32 % extent.max(1) as u32)
        .collect()
}

#[test]
fn gather_and_scatter() {
    let Some(gpu) = gpu() else { return };
    // One invocation adds up a row, or several share it.
    let mut other = Gpu::open().unwrap();
    other.profile.reduce_in_groups = !other.profile.reduce_in_groups;
    for gpu in [&*gpu, &other] {
        check_picks::<f32>(gpu);
        if holds_f64(gpu) {
            check_picks::<f64>(gpu);
        }
    }
}

fn check_picks<T: Real>(gpu: &Gpu) {
    for (shape, axis, count) in [
        (&[5][..], 0, 7),
        (&[1], 0, 1),
        (&[6, 10], 1, 1),
        (&[6, 10], 0, 3),
        (&[6, 10], 1, 40),
        (&[3, 4, 5], 1, 6),
        (&[3, 4, 5], 0, 20),
        (&[3, 4, 5], 2, 2),
        (&[4, 3], 1, 0),
        (&[3, 4, 5], 2, 0),
        (&[100, 8], 0, 300),
        // Several copies of the sums.
        (&[3, 4], 0, 200),
    ] {
        let mut picked = shape.to_vec();
        picked[axis] = count;
        let n: usize = picked.iter().product();
        let (extent, inner): (usize, usize) = (shape[axis], shape[axis + 1..].iter().product());
        let index = picks(n, extent);
        let view = indices(gpu, &index, &picked);
        // Where in `shape` the n-th pick is.
        let target =
            |i: usize| (i / (inner * count) * extent + index[i] as usize) * inner + i % inner;
        for s in samples::<T>(gpu, shape, 17) {
            let made = gpu.gather("gather", &s.view, axis, &view).unwrap();
            let expected: Vec<T> = (0..n).map(|i| s.data[target(i)]).collect();
            assert_eq!(found::<T>(gpu, made, &picked), expected, "{:?}", s.view);
        }
        for s in samples::<T>(gpu, &picked, 18) {
            let made = scatter_add(Runs::On(gpu), &s.view, axis, &view, shape).unwrap();
            let made = gpu.copy(&made).unwrap();
            let mut expected = vec![0.0; shape.iter().product()];
            (0..n).for_each(|i| expected[target(i)] += s.data[i].wide());
            let expected: Vec<T> = expected.into_iter().map(T::of).collect();
            assert_close(
                &found(gpu, made, shape),
                &expected,
                1e-6,
                &format!("{:?}", s.view),
            );
        }
    }
}

#[test]
fn more_picks_than_a_loop_may_have() {
    let Some(gpu) = gpu() else { return };
    let n = 70_001;
    let index = indices(&gpu, &vec![2; n], &[n]);
    let ones = sample(&gpu, &[1.0], 0, &[n], &[0]);
    let made = scatter_add(Runs::On(&*gpu), &ones.view, 0, &index, &[4]).unwrap();
    assert_eq!(floats(&gpu, made.buffer, &[4]), [0.0, 0.0, n as f32, 0.0]);
}

#[test]
fn parts_are_placed_and_joined() {
    let Some(gpu) = gpu() else { return };
    check_parts::<f32>(&gpu);
    if holds_f64(&gpu) {
        check_parts::<f64>(&gpu);
    }
}

fn check_parts<T: Real>(gpu: &Gpu) {
    // The shape of the whole; the axis, the first place and the step; how many places.
    for (shape, (axis, start, step), count) in [
        (&[7][..], (0, 2, 2), 3),
        (&[7], (0, 0, 1), 7),
        (&[4, 6], (0, 1, 2), 2),
        (&[4, 6], (1, 5, 1), 1),
        (&[3, 5, 4], (1, 1, 3), 2),
        (&[3, 5, 4], (2, 0, 1), 0),
        (&[2, 3, 2, 3], (2, 1, 1), 1),
    ] {
        let places = Places { axis, start, step };
        let mut small = shape.to_vec();
        small[axis] = count;
        let inner: usize = shape[axis + 1..].iter().product();
        let at = |n: usize| {
            let (outer, rest) = (n / (inner * count), n % (inner * count));
            (outer * shape[axis] + start + rest / inner * step) * inner + rest % inner
        };
        for whole in samples::<T>(gpu, shape, 41) {
            for part in samples::<T>(gpu, &small, 42) {
                for add in [false, true] {
                    let view = whole.view.clone();
                    let made = gpu.place(view, &part.view, places, add).unwrap();
                    let mut expected = whole.data.clone();
                    for (n, &x) in part.data.iter().enumerate() {
                        let before = expected[at(n)].wide();
                        expected[at(n)] = match add {
                            true => T::of(before + x.wide()),
                            false => x,
                        };
                    }
                    let views = (&whole.view, &part.view);
                    let found = found::<T>(gpu, made, shape);
                    match add {
                        true => assert_close(&found, &expected, 1e-6, &format!("{views:?}")),
                        false => assert_eq!(found, expected, "{views:?}"),
                    }
                    // Others have the memory, so that it stays as it was.
                    let buffer = gpu.copy(&whole.view).unwrap();
                    assert_eq!(self::found::<T>(gpu, buffer, shape), whole.data);
                }
            }
        }
        // The parts behind and before as well.
        let [first, middle, last] = [0, 1, 2].map(|n: usize| {
            let mut part = small.clone();
            part[axis] = n + 1;
            samples::<T>(gpu, &part, 43 + n as u32)
        });
        let mut joined = small.clone();
        joined[axis] = 6;
        for ((a, b), c) in first.iter().zip(&middle).zip(&last) {
            let views = [&a.view, &b.view, &c.view];
            let made = gpu.concat(&views, axis, &joined).unwrap();
            let outer: usize = shape[..axis].iter().product();
            let mut expected = Vec::new();
            for o in 0..outer {
                for (part, n) in [(a, 1), (b, 2), (c, 3)] {
                    expected.extend_from_slice(&part.data[o * n * inner..(o + 1) * n * inner]);
                }
            }
            assert_eq!(found::<T>(gpu, made, &joined), expected);
        }
    }
}

#[test]
fn memory_that_nobody_else_has_is_updated_where_it_is() {
    let Some(gpu) = gpu() else { return };
    let whole = sample(&gpu, &numbers(6, 44), 0, &[6], &[1]);
    let part = sample(&gpu, &[5.0, 7.0], 0, &[2], &[1]);
    let places = Places {
        axis: 0,
        start: 1,
        step: 3,
    };
    let view = View::dense(gpu.copy(&whole.view).unwrap(), Type::F32, &[6]);
    let memory = Arc::as_ptr(&view.buffer).addr();
    let kept = view.clone();
    let made = gpu.place(view, &part.view, places, false).unwrap();
    assert_ne!(Arc::as_ptr(&made).addr(), memory);
    let updated = gpu.place(kept, &part.view, places, false).unwrap();
    assert_eq!(Arc::as_ptr(&updated).addr(), memory);
    let expected = floats(&gpu, made, &[6]);
    assert_eq!(floats(&gpu, updated, &[6]), expected);
    assert_eq!(
        (expected[1], expected[4], expected[0]),
        (5.0, 7.0, whole.data[0])
    );
}

/// Operations that cannot fail take no place in the report, which has 1,024.
#[test]
fn more_operations_than_the_report_has_words() {
    let Some(gpu) = gpu() else { return };
    let x = sample(&gpu, &numbers(4, 19), 0, &[4], &[1]);
    let double = program("fn @f(%0: f32) -> f32 {\nb0:\n%1: f32 = add %0, %0\nreturn %1\n}");
    for _ in 0..1100 {
        gpu.map(&double, &[Operand::View(x.view.clone())], &[4])
            .unwrap();
    }
    let index = indices(&gpu, &[3, 0, 1, 2], &[4]);
    let made = gpu.gather("gather", &x.view, 0, &index).unwrap();
    let expected = [x.data[3], x.data[0], x.data[1], x.data[2]];
    assert_eq!(floats(&gpu, made, &[4]), expected);
}

#[test]
fn large_arrays() {
    let Some(gpu) = gpu() else { return };
    let n = 65_535 * 64 + 4099;
    let x = sample(&gpu, &numbers(n, 19), 0, &[n], &[1]);
    let double = program("fn @f(%0: f32) -> f32 {\nb0:\n%1: f32 = add %0, %0\nreturn %1\n}");
    let made = gpu
        .map(&double, &[Operand::View(x.view.clone())], &[n])
        .unwrap()
        .remove(0);
    let expected: Vec<f32> = x.data.iter().map(|x| x + x).collect();
    assert!(floats(&gpu, made, &[n]) == expected);

    let total = floats(
        &gpu,
        reduce(&gpu, Combine::Sum, &x.view, None).unwrap(),
        &[],
    )[0];
    let exact: f64 = x.data.iter().map(|&x| f64::from(x)).sum();
    assert!((f64::from(total) - exact).abs() < 0.05, "{total} {exact}");

    let index: Vec<u32> = (0..n as u32).rev().collect();
    let made = gpu
        .gather("gather", &x.view, 0, &indices(&gpu, &index, &[n]))
        .unwrap();
    let expected: Vec<f32> = x.data.iter().rev().copied().collect();
    assert!(floats(&gpu, made, &[n]) == expected);

    let rows = n / 2;
    let shape = [rows, 2];
    let pairs = View {
        shape: Dims::from_slice(&shape),
        strides: Dims::from_slice(&[2, 1]),
        ..x.view
    };
    let made = reduce(&gpu, Combine::Max, &pairs, Some(1)).unwrap();
    let expected: Vec<f32> = x.data.chunks_exact(2).map(|p| p[0].max(p[1])).collect();
    assert!(floats(&gpu, made, &[rows]) == expected);
}

#[test]
fn many_operations_before_one_read() {
    let Some(gpu) = gpu() else { return };
    let next = program("fn @f(%0: f32, %1: f32) -> f32 {\nb0:\n%2: f32 = add %0, %1\nreturn %2\n}");
    let mut x = View::dense(upload(&gpu, &[0.0; 10]), Type::F32, &[10]);
    for _ in 0..1000 {
        let one = View::dense(upload(&gpu, &[1.0]), Type::F32, &[1])
            .broadcast_to(&[10])
            .unwrap();
        let made = gpu
            .map(&next, &[Operand::View(x), Operand::View(one)], &[10])
            .unwrap()
            .remove(0);
        x = View::dense(made, Type::F32, &[10]);
    }
    assert_eq!(floats(&gpu, x.buffer, &[10]), [1000.0; 10]);
}

#[test]
fn operations_from_several_threads() {
    let Some(gpu) = gpu() else { return };
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let gpu = &gpu;
            scope.spawn(move || {
                for round in 0..20 {
                    let x = sample(gpu, &numbers(3000, seed + 4 * round), 0, &[3000], &[1]);
                    let made = reduce(gpu, Combine::Sum, &x.view, None).unwrap();
                    let expected = reduced(Combine::Sum, &x.data, &[3000], 0);
                    assert_close(&floats(gpu, made, &[]), &expected, 1e-4, "sum");
                }
            });
        }
    });
}

fn read(gpu: &Gpu, buffer: &Buffer, n: usize) -> Result<Vec<u8>> {
    gpu.download(&View::dense(buffer.clone(), Type::F32, &[n]))
}

/// A device of its own, so that other tests do not meet its errors.
fn own_gpu() -> Option<Gpu> {
    gpu().map(|_| Gpu::open().unwrap())
}

#[test]
fn an_index_out_of_range_makes_what_follows_from_it_an_error() {
    let Some(gpu) = own_gpu() else { return };
    let x = sample(&gpu, &[1.0, 2.0, 3.0], 0, &[3], &[1]);
    let before = reduce(&gpu, Combine::Sum, &x.view, None).unwrap();
    let bad = gpu
        .gather("gather", &x.view, 0, &indices(&gpu, &[0, 7], &[2]))
        .unwrap();
    let follows = reduce(
        &gpu,
        Combine::Sum,
        &View::dense(bad.clone(), Type::F32, &[2]),
        None,
    )
    .unwrap();
    let message =
        "gather: found index 7 along an axis of extent 3: expected an index below the extent";
    assert_eq!(read(&gpu, &follows, 1).unwrap_err().to_string(), message);
    assert_eq!(read(&gpu, &bad, 2).unwrap_err().to_string(), message);
    let later = reduce(&gpu, Combine::Sum, &View::dense(bad, Type::F32, &[2]), None);
    assert_eq!(later.unwrap_err().to_string(), message);
    assert_eq!(floats(&gpu, before, &[]), [6.0]);
    let good = gpu
        .gather("gather", &x.view, 0, &indices(&gpu, &[2, 0], &[2]))
        .unwrap();
    assert_eq!(floats(&gpu, good, &[2]), [3.0, 1.0]);
    let scatter = |picked: &[u32], extent| {
        scatter_add(
            Runs::On(&gpu),
            &x.view,
            0,
            &indices(&gpu, picked, &[3]),
            &[extent],
        )
    };
    let bad = scatter(&[0, 1, 9], 5).unwrap().buffer;
    let message =
        "scatter_add: found index 9 along an axis of extent 5: expected an index below the extent";
    assert_eq!(read(&gpu, &bad, 5).unwrap_err().to_string(), message);
    assert!(scatter(&[0, 1, 2], 0).is_err());
}

/// Arrays that were made after a fault and do not depend on it are good, also when the fault is not known yet; and there may be more
/// faults at a time than the report has words.
#[test]
fn a_fault_touches_nothing_else() {
    let Some(gpu) = own_gpu() else { return };
    let x = sample(&gpu, &[1.0, 2.0, 3.0], 0, &[3], &[1]);
    let pick = |picks: &[u32]| {
        let made = gpu.gather("gather", &x.view, 0, &indices(&gpu, picks, &[picks.len()]));
        made.unwrap()
    };
    let sum = |buffer: &Buffer| {
        let view = View::dense(buffer.clone(), Type::F32, &[2]);
        reduce(&gpu, Combine::Sum, &view, None).unwrap()
    };
    let (bad, good, worse) = (pick(&[0, 7]), pick(&[2, 1]), pick(&[5, 9]));
    let (of_bad, of_good) = (sum(&bad), sum(&good));
    assert_eq!(floats(&gpu, of_good, &[]), [5.0]);
    assert_eq!(floats(&gpu, good, &[2]), [3.0, 2.0]);
    let index = |found: Result<Vec<u8>>| {
        let message = found.unwrap_err().to_string();
        message.split(' ').nth(3).unwrap().to_owned()
    };
    assert_eq!(index(read(&gpu, &bad, 2)), "7");
    assert_eq!(index(read(&gpu, &of_bad, 1)), "7");
    assert_eq!(index(read(&gpu, &worse, 2)), "9");
    let many: Vec<Buffer> = (0..2500).map(|n| pick(&[n % 4, 0])).collect();
    for (n, buffer) in many.iter().enumerate() {
        let found = read(&gpu, buffer, 2);
        assert_eq!(found.is_err(), n % 4 == 3, "{n}");
    }
}

#[test]
fn a_guard_that_fails_is_an_error_with_its_message() {
    let Some(gpu) = own_gpu() else { return };
    let program = program(
        "fn @f(%0: f32) -> f32 {
        b0:
            %1: f32 = 0.0
            %2: bool = ge %0, %1
            assert %2 else panic \"negative\"
            %3: f32 = sqrt %0
            return %3
        }",
    );
    let run = |data: &[f32]| {
        let x = View::dense(upload(&gpu, data), Type::F32, &[data.len()]);
        gpu.map(&program, &[Operand::View(x)], &[data.len()])
            .unwrap()
            .remove(0)
    };
    assert_eq!(floats(&gpu, run(&[4.0, 9.0, 0.0]), &[3]), [2.0, 3.0, 0.0]);
    let bad = run(&[4.0, -9.0, 0.0]);
    assert_eq!(read(&gpu, &bad, 3).unwrap_err().to_string(), "negative");
    assert_eq!(floats(&gpu, run(&[1.0]), &[1]), [1.0]);
}

#[test]
fn an_endless_loop_is_an_error() {
    let Some(gpu) = own_gpu() else { return };
    let program = program(
        "fn @f(%0: f32) -> f32 {
        b0:
            jump b1(%0)
        b1(%1: f32):
            %2: f32 = 1.0
            %3: bool = ne %1, %2
            branch %3, b2, b3
        b2:
            jump b1(%1)
        b3:
            return %1
        }",
    );
    let x = View::dense(upload(&gpu, &[2.0]), Type::F32, &[1]);
    let made = gpu
        .map(&program, &[Operand::View(x)], &[1])
        .unwrap()
        .remove(0);
    let found = read(&gpu, &made, 1).unwrap_err().to_string();
    assert!(
        found.starts_with("a loop in a GPU kernel ran for longer than the device allows"),
        "{found}"
    );
}

#[test]
fn what_does_not_fit_is_an_error_at_once() {
    let Some(gpu) = own_gpu() else { return };
    let one = View::dense(upload(&gpu, &[1.0]), Type::F32, &[1]);
    let n = gpu.limits.max_storage_buffer_binding_size as usize / 4 + 1;
    let error = gpu.copy(&one.broadcast_to(&[n]).unwrap()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("expected at most"), "{message}");
    let endless = one.broadcast_to(&[1 << 40]).unwrap();
    let message = reduce(&gpu, Combine::Sum, &endless, None)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("expected at most 4294967295 elements"),
        "{message}"
    );
    assert_eq!(floats(&gpu, one.buffer, &[1]), [1.0]);
}

#[test]
fn a_refused_kernel_is_an_error_at_once() {
    let Some(gpu) = own_gpu() else { return };
    let text = "@compute @workgroup_size(64) fn main() { let x: f32 = 1i; }".to_owned();
    let shape = pipelines::Shape {
        reads: 0,
        writes: 0,
    };
    let error = gpu
        .pipelines
        .get(&gpu.device, "wrong", KernelText::checked(text), 0, shape)
        .unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("device gpu: the kernel of wrong was refused:"),
        "{message}"
    );
    let x = upload(&gpu, &[1.0]);
    assert_eq!(floats(&gpu, x, &[1]), [1.0]);
}

#[test]
fn an_error_that_the_device_calls_back_with_spoils_what_was_made_since() {
    let Some(gpu) = own_gpu() else { return };
    let before = upload(&gpu, &[1.0]);
    assert_eq!(floats(&gpu, before.clone(), &[1]), [1.0]);
    let since = upload(&gpu, &[2.0]);
    // Longer than the buffer: refused by validation, asynchronously.
    gpu.queue
        .write_buffer(gpu.memory(&since).unwrap().buffer(), 0, &[0; 1024]);
    assert!(matches!(read(&gpu, &since, 1), Err(Error::Device { .. })));
    assert_eq!(floats(&gpu, before, &[1]), [1.0]);
    assert_eq!(floats(&gpu, upload(&gpu, &[3.0]), &[1]), [3.0]);
}

#[test]
fn what_the_host_writes_is_submitted_before_it_is_much() {
    let Some(gpu) = own_gpu() else { return };
    let count = 1 << 20;
    let mut kept = Vec::new();
    for n in 0..20 {
        let made = upload(&gpu, &vec![n as f32; count]);
        assert!(lock(&gpu.recorder).unsubmitted <= super::recorder::MOST_UNSUBMITTED);
        if n % 7 == 0 {
            kept.push((made, n as f32));
        }
    }
    assert!(lock(&gpu.recorder).unsubmitted < 20 * 4 * count);
    for (made, n) in kept {
        assert!(floats(&gpu, made, &[count]).iter().all(|&x| x == n));
    }
}

#[test]
fn a_lost_device_is_an_error_and_another_can_be_opened() {
    let Some(gpu) = own_gpu() else { return };
    let x = upload(&gpu, &[1.0]);
    assert!(!gpu.is_lost());
    gpu.device.destroy();
    assert!(matches!(read(&gpu, &x, 1), Err(Error::Device { .. })));
    assert!(gpu.is_lost());
    assert!(gpu.upload(&[0; 4]).is_err());
    let again = Gpu::open().unwrap();
    assert_eq!(floats(&again, upload(&again, &[2.0]), &[1]), [2.0]);
}

#[test]
fn arrays_of_another_device_are_refused() {
    let (Some(gpu), Some(other)) = (gpu(), own_gpu()) else {
        return;
    };
    let x = View::dense(upload(&other, &[1.0]), Type::F32, &[1]);
    let message = reduce(&gpu, Combine::Sum, &x, None)
        .unwrap_err()
        .to_string();
    assert!(message.contains("to_device"), "{message}");
}

/// A steady loop uses the same buffers again and again.
#[test]
fn buffers_are_reused() {
    let Some(gpu) = own_gpu() else { return };
    let double = program("fn @f(%0: f32) -> f32 {\nb0:\n%1: f32 = add %0, %0\nreturn %1\n}");
    let x = View::dense(upload(&gpu, &numbers(5000, 20)), Type::F32, &[5000]);
    let mut names = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let made = gpu
            .map(&double, &[Operand::View(x.clone())], &[5000])
            .unwrap()
            .remove(0);
        names.insert(gpu.memory(&made).unwrap().id());
    }
    assert_eq!(names.len(), 1);
}

/// Runs a kernel on the GPU and by the interpreter.
#[track_caller]
fn same_kernel(gpu: &Gpu, kernel: &Kernel, random: &mut Random) {
    random::same(kernel, random, |memory| {
        let registry = crate::context::Context::default().registry().clone();
        let program = KernelProgram::new(kernel.clone(), registry);
        let operands: Vec<Operand> = { memory.iter().zip(&kernel.inputs) }
            .map(|(own, input)| {
                let words = own.bytes();
                let bytes: &[u8] = bytemuck::cast_slice(&words);
                let is_one = input.steps.iter().all(|&step| step == 0) && input.gather.is_none();
                match is_one && own.start == 0 {
                    // As the numbers of a program are given.
                    true if own.ty == Type::F64 => Operand::Scalar(words[0], own.ty),
                    true => Operand::Scalar(words[0] & u64::from(u32::MAX), own.ty),
                    false => Operand::View(View {
                        buffer: gpu.upload(&bytes[..size(own.ty) * own.all.len()]).unwrap(),
                        ty: own.ty,
                        offset: own.start,
                        shape: Dims::new(),
                        strides: Dims::new(),
                    }),
                }
            })
            .collect();
        let inputs: Vec<KernelInput> = { operands.iter() }
            .map(|operand| match operand {
                Operand::View(view) => KernelInput::View(view),
                Operand::Scalar(bits, ty) => KernelInput::Scalar(*bits, *ty),
            })
            .collect();
        let buffers = gpu.kernel(&program, &inputs).unwrap();
        { buffers.into_iter().enumerate() }
            .map(|(n, buffer)| {
                let ty = kernel.output_type(n);
                let view = View::dense(buffer, ty, &[kernel.output_len(n)]);
                random::numbers(&gpu.download(&view).unwrap(), ty)
            })
            .collect()
    });
}

#[test]
fn random_kernels_give_what_the_interpreter_gives() {
    let Some(gpu) = gpu() else { return };
    let mut other = Gpu::open().unwrap();
    other.profile.reduce_in_groups = !other.profile.reduce_in_groups;
    let types = match holds_f64(&gpu) {
        true => &[Type::F32, Type::F64][..],
        false => &[Type::F32],
    };
    for gpu in [&*gpu, &other] {
        for seed in 0..random::count() {
            let mut random = Random(seed * 77 + 3);
            let kernel = random_kernel(&mut random, types, gpu.holds(Type::F16));
            same_kernel(gpu, &kernel, &mut random);
        }
    }
}

/// Rows that are cut into stretches, rows that a workgroup takes, and totals of many elements.
#[test]
fn large_kernels_give_what_the_interpreter_gives() {
    let Some(gpu) = gpu() else { return };
    let mut other = Gpu::open().unwrap();
    other.profile.reduce_in_groups = !other.profile.reduce_in_groups;
    let body = |outputs: &str, ret: &str, rest: &str| {
        format!(
            "{outputs}fn @body(%0: f32, %1: f32) -> {ret} {{\nb0:\n    %2: f32 = mul %0, %1\n{rest}}}\n"
        )
    };
    let sums = body(
        "  output rows\n  output rows\n",
        "(f32, f32)",
        "    %3: f32 = call @row.sum(%2)\n    %4: f32 = call @row.max(%2)\n    %5: (f32, f32) = tuple %3, %4\n    return %5\n",
    );
    let softmax = body(
        "  output points\n  output rows\n  output total max\n  output total sum of rows\n",
        "(f32, f32, f32, f32)",
        "    %3: f32 = call @row.max(%2)\n    %4: f32 = sub %2, %3\n    %5: f32 = call @exp2(%4)\n    %6: f32 = call @row.sum(%5)\n    %7: f32 = div %5, %6\n    %8: (f32, f32, f32, f32) = tuple %7, %6, %7, %3\n    return %8\n",
    );
    let totals = body(
        "  output points\n  output total sum\n  output total max\n",
        "(f32, f32, f32)",
        "    %3: (f32, f32, f32) = tuple %2, %2, %2\n    return %3\n",
    );
    for (extents, steps) in [
        ((3, 5001), "5001 1"),
        ((3, 5001), "1 3"),
        ((2, 8192), "8192 1"),
        ((5000, 9), "9 1"),
        ((5000, 300), "1 5000"),
    ] {
        for text in [&sums, &softmax, &totals] {
            let (rows, columns) = extents;
            let head = format!(
                "kernel rows {rows} columns {columns}\n  input f32 steps {steps}\n  input f32 steps 1 0\n"
            );
            let text = format!("{head}{text}");
            for gpu in [&*gpu, &other] {
                same_kernel(gpu, &parse_kernel(&text).unwrap(), &mut Random(11));
                if holds_f64(gpu) {
                    let kernel = parse_kernel(&text.replace("f32", "f64")).unwrap();
                    same_kernel(gpu, &kernel, &mut Random(11));
                }
            }
        }
    }
}

/// An adapter that has f64 computes with it what it should.
#[test]
fn f64_is_trusted() {
    let Some(gpu) = gpu() else { return };
    assert_eq!(gpu.holds(Type::F64), gpu.wide);
}

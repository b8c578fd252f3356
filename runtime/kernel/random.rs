//! Random kernels, and the comparison of those who run them with the interpreter.

use super::{
    Combine, Elements, Gather, Input, Kernel, Level, Output, PerAxis, Scatter, check, parse_kernel,
    run,
};
use crate::arena::Id;
use crate::ir::build::Builder;
use crate::ir::eval::{from_bits, to_bits};
use crate::ir::{Callee, Const, Function, Op, Prim, Symbol, Type, Value};
use half::f16;
use std::sync::Arc;

/// How many kernels a test draws.
pub fn count() -> u64 {
    let told = std::env::var("MOONCAKE_RANDOM_KERNELS").ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(150)
}

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % below
    }
    pub fn float(&mut self) -> f64 {
        // So fine that what rounding makes of two numbers is hardly ever in another order than they are.
        self.next(1 << 24) as f64 / (1 << 22) as f64 - 2.0
    }
}

/// What the test's kernels call: natively and by the interpreter.
fn scalar(name: Symbol, args: &[Const], types: &[Type]) -> Option<Const> {
    let ([Const::Float(x)], [ty]) = (args, types) else {
        return None;
    };
    let f32_of = |x: f64, f: fn(f32) -> f32| f64::from(f(x as f32));
    Some(Const::Float(match (name.as_str(), ty) {
        ("exp2", Type::F32) => f32_of(*x, f32::exp2),
        ("exp2", _) => x.exp2(),
        _ => return None,
    }))
}

/// The bytes of numbers, aligned for all of them.
pub fn bytes(elements: &[Const], ty: Type) -> Vec<u64> {
    let size = ty.size().unwrap();
    let mut words = vec![0u64; (elements.len() * size).div_ceil(8)];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
    for (slot, &c) in bytes.chunks_mut(size).zip(elements) {
        slot.copy_from_slice(&to_bits(c, ty).unwrap().to_le_bytes()[..size]);
    }
    words
}

pub fn numbers(bytes: &[u8], ty: Type) -> Vec<f64> {
    let read = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        match from_bits(u64::from_le_bytes(word), ty) {
            Const::Float(x) => x,
            Const::Int(n) => n as f64,
            other => panic!("{other:?}"),
        }
    };
    bytes.chunks(ty.size().unwrap()).map(read).collect()
}

/// The memory of an input.
pub struct Memory {
    /// Its type.
    pub ty: Type,
    /// The elements.
    pub all: Vec<Const>,
    /// The element of the first point.
    pub start: usize,
}

impl Memory {
    /// The bytes, in words.
    pub fn bytes(&self) -> Vec<u64> {
        bytes(&self.all, self.ty)
    }
}

/// Runs a kernel by the interpreter and by `run`, which gives the numbers of each output, on the same memory.
#[track_caller]
pub fn same(kernel: &Kernel, random: &mut Random, run_it: impl FnOnce(&[Memory]) -> Vec<Vec<f64>>) {
    let externals = |callee: Callee, types: &[Type]| {
        scalar(callee.symbol(), &[Const::Float(0.0)], types).map(|_| types[0])
    };
    check(kernel, &externals).unwrap();
    let text = kernel.to_string();
    assert_eq!(parse_kernel(&text).unwrap().to_string(), text);
    let mut memory = Vec::new();
    for (n, input) in kernel.inputs.iter().enumerate() {
        let (mut low, mut high) = (0isize, 0isize);
        let extents = input.extents(&kernel.rows, kernel.columns);
        let steps = extents.into_iter().zip(input.steps.iter().copied());
        let index = input.gather.map(|gather| (gather.extent, gather.step));
        for (extent, step) in steps.chain(index) {
            let reach = (extent as isize - 1) * step;
            low += reach.min(0);
            high += reach.max(0);
        }
        let before = random.next(6) * random.next(2);
        // What every index of this input is below.
        let gathers = kernel.inputs.iter().filter_map(|input| input.gather);
        let gathers = gathers.map(|gather| (gather.by, gather.extent));
        let scatters = kernel.scatter().map(|scatter| (scatter.by, scatter.extent));
        let bounds = gathers.chain(scatters).filter(|(by, _)| *by == n);
        let bound = bounds.map(|(_, extent)| extent).min().unwrap_or(1);
        let element = |random: &mut Random| match input.ty {
            Type::U32 => Const::Int(random.next(bound) as i64),
            Type::F32 => Const::Float(f64::from(random.float() as f32)),
            Type::F16 => Const::Float(f16::from_f64(random.float()).into()),
            _ => Const::Float(random.float()),
        };
        let count = before + (high - low + 1) as usize;
        let all = (0..count).map(|_| element(random));
        memory.push(Memory {
            ty: input.ty,
            all: all.collect(),
            start: before + -low as usize,
        });
    }
    let elements: Vec<Elements> = { memory.iter() }
        .map(|own| Elements {
            all: &own.all,
            start: own.start,
        })
        .collect();
    let expected = run(kernel, &elements, &scalar).unwrap();
    let outputs = run_it(&memory);
    assert_eq!(outputs.len(), kernel.outputs.len());
    for (n, found) in outputs.iter().enumerate() {
        let wanted: Vec<f64> = { expected[n].iter() }
            .map(|c| match c {
                Const::Float(x) => *x,
                Const::Int(n) => *n as f64,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found.len(), wanted.len());
        let finite = wanted.iter().filter(|x| x.is_finite());
        let scale = finite.fold(1.0f64, |a, x| a.max(x.abs()));
        let tolerance = scale
            * match kernel.output_type(n) {
                // Two numbers next to each other may be rounded to different elements.
                Type::F16 => 1e-3,
                Type::F32 => 2e-5,
                Type::I32 | Type::U32 => 0.0,
                _ => 1e-12,
            };
        for (i, (a, b)) in found.iter().zip(&wanted).enumerate() {
            let equal = a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance;
            assert!(
                equal,
                "output {n}, element {i}: {a} instead of {b}\n{kernel}"
            );
        }
    }
}

/// Steps of every kind along the axes of the rows and along the columns.
fn random_steps(random: &mut Random, rows: &[usize], columns: usize) -> PerAxis<isize> {
    let extents = rows.iter().copied().chain([columns]);
    let mut extents: Vec<(usize, usize)> = extents.enumerate().collect();
    if random.next(3) == 0 {
        extents.reverse();
    }
    let mut steps = PerAxis::from_elem(0, extents.len());
    let mut step = 1 + (random.next(5) == 0) as isize;
    for &(axis, extent) in extents.iter().rev() {
        match random.next(6) {
            0 => {}
            1 => {
                steps[axis] = -step;
                step *= extent as isize;
            }
            _ => {
                steps[axis] = step;
                step *= extent as isize;
            }
        }
    }
    steps
}

/// A kernel of a few operations, inputs of every kind of steps, read through indices or not, up to three reductions one after another, or a scattered
/// output. It computes with floats of one of these types; where that is `f32`, elements may be stored in 16 bits, if `halves` says so. Some kernels count:
/// they reduce integers too.
pub fn random_kernel(random: &mut Random, types: &[Type], halves: bool) -> Kernel {
    let ty = types[random.next(types.len())];
    let is_half = |random: &mut Random| halves && ty == Type::F32 && random.next(4) == 0;
    let axes = 1 + random.next(2);
    let extent = |random: &mut Random| [1, 2, 3, 4, 5, 7, 8, 17, 70][random.next(9)];
    // Long bodies along many columns are computed in several loops.
    let is_long = random.next(4) == 0;
    let counts = random.next(3) == 0;
    let rows: PerAxis<usize> = (0..axes).map(|_| extent(random)).collect();
    let columns = match is_long {
        true => 64 + random.next(40),
        false => extent(random),
    };
    let mut inputs: Vec<Input> = Vec::new();
    let mut indices: Vec<usize> = Vec::new();
    let count = 1 + random.next(5);
    for n in 0..count {
        // A body computes with one number at least: the last input.
        let is_index = n + 1 < count && random.next(4) == 0;
        let gather = match indices.len() {
            0 => None,
            count => (random.next(2) == 0).then(|| Gather {
                by: indices[random.next(count)],
                step: [0, 1, 1, -1, 4, 7][random.next(6)],
                extent: 1 + random.next(6),
            }),
        };
        if is_index {
            indices.push(n);
        }
        inputs.push(Input {
            ty: match is_index {
                true => Type::U32,
                false if is_half(random) => Type::F16,
                false => ty,
            },
            steps: random_steps(random, &rows, columns),
            window: None,
            gather,
        });
    }
    let types: Vec<Type> = inputs.iter().map(|input| input.ty).collect();
    let mut b = Builder::new(Function::new(Symbol::new("body"), &types, Type::UNIT));
    let mut values: Vec<Value> = Vec::new();
    let mut integers: Vec<Value> = Vec::new();
    for (param, own) in b.function.params().to_vec().into_iter().zip(types) {
        match own {
            Type::U32 => {}
            Type::F16 => values.push(b.prim_to(Prim::Cast, &[param], ty)),
            _ => values.push(param),
        }
    }
    for _ in 0..2 + random.next(if is_long { 80 } else { 9 }) {
        let pick = |random: &mut Random| values[random.next(values.len())];
        let (x, y) = (pick(random), pick(random));
        values.push(match random.next(if counts { 11 } else { 10 }) {
            0 => b.prim(Prim::Add, &[x, y]),
            1 => b.prim(Prim::Mul, &[x, y]),
            2 => b.prim(Prim::Sub, &[x, y]),
            3 => {
                let a = b.prim(Prim::Abs, &[x]);
                let one = b.float(1.0, ty);
                let a = b.prim(Prim::Add, &[a, one]);
                b.prim(Prim::Div, &[y, a])
            }
            4 => {
                let c = b.prim(Prim::Lt, &[x, y]);
                let d = b.float(random.float(), ty);
                b.prim(Prim::Select, &[c, x, d])
            }
            5 => {
                let c = b.prim(Prim::Ge, &[x, y]);
                let n = b.prim(Prim::Not, &[c]);
                b.prim(Prim::Select, &[n, y, x])
            }
            6 => {
                let bound = b.float(1.0, ty);
                let size = b.prim(Prim::Abs, &[x]);
                let c = b.prim(Prim::Lt, &[size, bound]);
                let slow = b.call(Symbol::new("exp2"), &[y], ty);
                b.prim(Prim::Select, &[c, x, slow])
            }
            7 => b.prim(Prim::Copysign, &[x, y]),
            10 => {
                let whole = [Type::I32, Type::U32][random.next(2)];
                let condition = b.prim(Prim::Lt, &[x, y]);
                // Of type u32 these are numbers from both ends, whose sums go round.
                let numbers = [0; 2].map(|_| {
                    let number = random.next(9) as i64 - 4;
                    let number = match whole {
                        Type::U32 => i64::from(number as u32),
                        _ => number,
                    };
                    b.int(number, whole)
                });
                let number = b.prim(Prim::Select, &[condition, numbers[0], numbers[1]]);
                let combine = Combine::ALL[random.next(2)];
                let one = b.call(combine.callee(), &[number], whole);
                integers.extend([number, one]);
                let low = b.int(127, whole);
                let low = b.prim(Prim::And, &[one, low]);
                b.prim_to(Prim::Cast, &[low], ty)
            }
            n => {
                let combine = Combine::ALL[n - 8];
                let scaled = b.float(0.125, ty);
                let x = b.prim(Prim::Mul, &[x, scaled]);
                b.call(combine.callee(), &[x], ty)
            }
        });
    }
    let mut kernel = Kernel {
        rows,
        columns,
        inputs,
        outputs: Vec::new(),
        body: Arc::new(b.function.clone()),
    };
    // Levels are known once there is a body.
    let known = kernel.known();
    let mut results = Vec::new();
    let plain = indices.iter().find(|&&n| kernel.inputs[n].gather.is_none());
    let scatters = kernel.phases() == 0 && random.next(2) == 0;
    if let Some(&by) = plain.filter(|_| scatters) {
        kernel.outputs.push(Output::Scattered(Scatter {
            by,
            extent: 1 + random.next(6),
            across: random.next(2) == 0,
        }));
        results.extend(values.last());
    }
    let count = if results.is_empty() {
        1 + random.next(4)
    } else {
        0
    };
    for _ in 0..count {
        let value = match integers.len() {
            count if count > 0 && random.next(3) == 0 => integers[random.next(count)],
            _ => values[values.len() - 1 - random.next(values.len().min(4))],
        };
        let is_point = known[value.index()].level == Level::Point;
        kernel.outputs.push(match random.next(4) {
            0 if is_point || random.next(2) == 0 => Output::Total(Combine::ALL[random.next(2)]),
            0 => Output::RowTotal(Combine::ALL[random.next(2)]),
            1 if !is_point => Output::Rows,
            1 => Output::Across,
            _ => Output::Points,
        });
        results.push(value);
    }
    for (result, output) in results.iter_mut().zip(&kernel.outputs) {
        let is_float = b.function.ty(*result).is_float();
        if is_float && output.total().is_none() && output.scatter().is_none() && is_half(random) {
            *result = b.prim_to(Prim::Cast, &[*result], Type::F16);
        }
    }
    let types: Vec<Type> = results.iter().map(|&v| b.function.ty(v)).collect();
    let tuple = b.inst(Op::Prim(Prim::Tuple), &results, Type::tuple(&types));
    b.function.ret = b.function.ty(tuple);
    b.ret(tuple);
    kernel.body = Arc::new(b.finish());
    let is_flat = |output: &Output| matches!(output, Output::Points | Output::Total(_));
    if kernel.phases() == 0 && kernel.outputs.iter().all(is_flat) {
        random_windows(random, &mut kernel);
    }
    kernel
}

/// Gives windows to some inputs that are read without an index.
fn random_windows(random: &mut Random, kernel: &mut Kernel) {
    let extents = kernel.rows.iter().copied().chain([kernel.columns]);
    let extents: Vec<usize> = extents.collect();
    let indices: Vec<usize> = { kernel.inputs.iter() }
        .filter_map(|input| Some(input.gather?.by))
        .collect();
    for (n, input) in kernel.inputs.iter_mut().enumerate() {
        if input.gather.is_some() || indices.contains(&n) || random.next(2) == 0 {
            continue;
        }
        let window = extents.iter().map(|&extent| match random.next(3) {
            0 => 0..extent,
            _ => {
                let start = random.next(extent);
                start..start + 1 + random.next(extent - start)
            }
        });
        input.window = Some(window.collect());
    }
}

//! Kernels compiled for lanes against the reference interpreter.

use super::*;
use crate::context::Context;
use crate::ir::build::Builder;
use crate::ir::eval::{from_bits, to_bits};
use crate::ir::{Const, Function, Op, Prim, Symbol, Value};
use crate::kernel::{self, Elements, Input, PerAxis, check, parse_kernel};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % below
    }
    fn float(&mut self) -> f64 {
        self.next(4001) as f64 / 1000.0 - 2.0
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
fn bytes(elements: &[Const], ty: Type) -> Vec<u64> {
    let size = ty.size().unwrap();
    let mut words = vec![0u64; (elements.len() * size).div_ceil(8)];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
    for (slot, &c) in bytes.chunks_mut(size).zip(elements) {
        slot.copy_from_slice(&to_bits(c, ty).unwrap().to_le_bytes()[..size]);
    }
    words
}

fn numbers(bytes: &[u8], ty: Type) -> Vec<f64> {
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

/// Runs a kernel both ways on the same numbers.
#[track_caller]
fn same(kernel: &Kernel, random: &mut Random) {
    let externals =
        |name: Symbol, types: &[Type]| scalar(name, &[Const::Float(0.0)], types).map(|_| types[0]);
    check(kernel, &externals).unwrap();
    let text = kernel.to_string();
    assert_eq!(parse_kernel(&text).unwrap().to_string(), text);
    let extents: Vec<usize> = kernel
        .rows
        .iter()
        .copied()
        .chain([kernel.columns])
        .collect();
    let mut memory = Vec::new();
    for input in &kernel.inputs {
        let (mut low, mut high) = (0isize, 0isize);
        for (&extent, &step) in extents.iter().zip(&input.steps) {
            let reach = (extent as isize - 1) * step;
            low += reach.min(0);
            high += reach.max(0);
        }
        let rounded = |x: f64| {
            if input.ty == Type::F32 {
                f64::from(x as f32)
            } else {
                x
            }
        };
        let all: Vec<Const> = (0..high - low + 1)
            .map(|_| Const::Float(rounded(random.float())))
            .collect();
        memory.push((bytes(&all, input.ty), all, -low as usize));
    }
    let elements: Vec<Elements> = memory
        .iter()
        .map(|(_, all, start)| Elements { all, start: *start })
        .collect();
    let expected = kernel::run(kernel, &elements, &scalar).unwrap();
    let compiled = LaneKernel::compile(kernel.clone(), Context::default().registry()).unwrap();
    let sources: Vec<Source> = memory
        .iter()
        .map(|(words, _, start)| Source {
            bytes: bytemuck::cast_slice(words),
            start: *start,
        })
        .collect();
    let mut room: Vec<Vec<u64>> = (0..kernel.outputs.len())
        .map(|n| {
            vec![0; (kernel.output_len(n) * kernel.output_type(n).size().unwrap()).div_ceil(8)]
        })
        .collect();
    let mut outputs: Vec<&mut [u8]> = (room.iter_mut().enumerate())
        .map(|(n, words)| {
            let size = kernel.output_len(n) * kernel.output_type(n).size().unwrap();
            &mut bytemuck::cast_slice_mut(words)[..size]
        })
        .collect();
    compiled.run(&sources, &mut outputs).unwrap();
    for (n, output) in outputs.iter().enumerate() {
        let ty = kernel.output_type(n);
        let found = numbers(output, ty);
        let wanted: Vec<f64> = expected[n]
            .iter()
            .map(|c| match c {
                Const::Float(x) => *x,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found.len(), wanted.len());
        let scale = wanted
            .iter()
            .filter(|x| x.is_finite())
            .fold(1.0f64, |a, x| a.max(x.abs()));
        let tolerance = scale * if ty == Type::F32 { 2e-5 } else { 1e-12 };
        for (i, (a, b)) in found.iter().zip(&wanted).enumerate() {
            let equal = a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance;
            assert!(
                equal,
                "output {n}, element {i}: {a} instead of {b}, {:?}\n{kernel}",
                compiled.code.plan
            );
        }
    }
}

/// A kernel of a few operations, inputs of every kind of steps, up to three reductions one after another.
fn random_kernel(random: &mut Random) -> Kernel {
    let ty = [Type::F32, Type::F64][random.next(2)];
    let axes = 1 + random.next(2);
    let extent = |random: &mut Random| [1, 2, 3, 4, 5, 7, 8, 17, 70][random.next(9)];
    let rows: PerAxis<usize> = (0..axes).map(|_| extent(random)).collect();
    let columns = extent(random);
    let inputs: Vec<Input> = (0..1 + random.next(3))
        .map(|_| {
            let mut extents: Vec<(usize, usize)> =
                rows.iter().copied().chain([columns]).enumerate().collect();
            if random.next(3) == 0 {
                extents.reverse();
            }
            let mut steps = PerAxis::from_elem(0, axes + 1);
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
            Input { ty, steps }
        })
        .collect();
    let types = vec![ty; inputs.len()];
    let mut b = Builder::new(Function::new(Symbol::new("body"), &types, Type::UNIT));
    let mut values: Vec<Value> = b.function.params().to_vec();
    for _ in 0..2 + random.next(9) {
        let pick = |random: &mut Random| values[random.next(values.len())];
        let (x, y) = (pick(random), pick(random));
        values.push(match random.next(10) {
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
        body: b.function.clone(),
    };
    // Levels are known once there is a body.
    let known = kernel.known();
    let mut results = Vec::new();
    for _ in 0..1 + random.next(4) {
        let value = values[values.len() - 1 - random.next(values.len().min(4))];
        let is_point = known[crate::arena::Id::index(value)].level == kernel::Level::Point;
        kernel.outputs.push(match random.next(4) {
            0 if is_point || random.next(2) == 0 => Output::Total(Combine::ALL[random.next(2)]),
            0 => Output::RowTotal(Combine::ALL[random.next(2)]),
            1 if !is_point => Output::Rows,
            _ => Output::Points,
        });
        results.push(value);
    }
    let tuple = b.inst(
        Op::Prim(Prim::Tuple),
        &results,
        Type::tuple(&vec![ty; results.len()]),
    );
    b.function.ret = b.function.ty(tuple);
    b.ret(tuple);
    kernel.body = b.finish();
    kernel
}

#[test]
fn random_kernels_give_what_the_interpreter_gives() {
    let count = std::env::var("MOONCAKE_RANDOM_KERNELS")
        .ok()
        .and_then(|n| n.parse().ok());
    for seed in 0..count.unwrap_or(150) {
        let mut random = Random(seed * 77 + 3);
        let kernel = random_kernel(&mut random);
        same(&kernel, &mut random);
    }
}

#[test]
fn large_kernels_are_shared_among_threads_and_reproduce() {
    let kernel = parse_kernel(
        "kernel rows 1 columns 300001\n  input f32 steps 0 1\n  output points\n  output total sum\n\
         fn @body(%0: f32) -> (f32, f32) {\nb0:\n    %1: f32 = mul %0, %0\n    %2: (f32, f32) = tuple %1, %0\n    return %2\n}\n",
    );
    same(&kernel.unwrap(), &mut Random(5));
}

//! Kernels compiled for lanes against the reference interpreter.

use super::*;
use crate::context::Context;
use crate::kernel::parse_kernel;
use crate::kernel::random::{self, Memory, Random, count, numbers, random_kernel};

/// Runs a kernel both ways on the same numbers.
#[track_caller]
fn same(kernel: &Kernel, random: &mut Random) {
    random::same(kernel, random, |memory| run(kernel, memory));
}

fn run(kernel: &Kernel, memory: &[Memory]) -> Vec<Vec<f64>> {
    let compiled = LaneKernel::compile(kernel.clone(), Context::default().registry()).unwrap();
    let words: Vec<Vec<u64>> = memory.iter().map(Memory::bytes).collect();
    let sources: Vec<Source> = { memory.iter().zip(&words) }
        .map(|(own, words)| Source {
            bytes: bytemuck::cast_slice(words),
            start: own.start,
        })
        .collect();
    let size = |n: usize| kernel.output_len(n) * kernel.output_type(n).size().unwrap();
    let mut room: Vec<Vec<u64>> = (0..kernel.outputs.len())
        .map(|n| vec![0; size(n).div_ceil(8)])
        .collect();
    let mut outputs: Vec<&mut [u8]> = { room.iter_mut().enumerate() }
        .map(|(n, words)| &mut bytemuck::cast_slice_mut(words)[..size(n)])
        .collect();
    compiled.run(&sources, &mut outputs).unwrap();
    { outputs.iter().enumerate() }
        .map(|(n, output)| numbers(output, kernel.output_type(n)))
        .collect()
}

#[test]
fn random_kernels_give_what_the_interpreter_gives() {
    for seed in 0..count() {
        let mut random = Random(seed * 77 + 3);
        let kernel = random_kernel(&mut random, &[Type::F32, Type::F64], true);
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

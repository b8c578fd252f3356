//! Kernels compiled for lanes against the reference interpreter.

use super::*;
use crate::context::Context;
use crate::ir::Const;
use crate::kernel::parse_kernel;
use crate::kernel::random::{self, Memory, Random, count, numbers, random_kernel};

/// Runs a kernel both ways on the same numbers.
#[track_caller]
fn same(kernel: &Kernel, random: &mut Random) {
    random::same(kernel, random, |memory| run(kernel, memory));
}

fn run(kernel: &Kernel, memory: &[Memory]) -> Vec<Vec<f64>> {
    let compiled = LaneKernel::compile(kernel.clone(), Context::default().registry()).unwrap();
    run_compiled(&compiled, kernel, memory)
}

fn run_compiled(compiled: &LaneKernel, kernel: &Kernel, memory: &[Memory]) -> Vec<Vec<f64>> {
    run_over(compiled, kernel, memory, &[])
}

/// The same with some inputs in the memory of outputs.
fn run_over(
    compiled: &LaneKernel,
    kernel: &Kernel,
    memory: &[Memory],
    over: &[(usize, usize)],
) -> Vec<Vec<f64>> {
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
    for &(input, output) in over {
        let own = &memory[input];
        room[output] = random::bytes(&own.all[own.start..], own.ty);
    }
    let mut outputs: Vec<&mut [u8]> = { room.iter_mut().enumerate() }
        .map(|(n, words)| &mut bytemuck::cast_slice_mut(words)[..size(n)])
        .collect();
    compiled.run_over(&sources, over, &mut outputs).unwrap();
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

#[test]
fn few_points_that_cost_much_are_shared_in_smaller_pieces() {
    let mut text = String::from(
        "kernel rows 1 columns 20001\n  input f64 steps 0 1\n  output points\n  output total sum\n\
         fn @body(%0: f64) -> (f64, f64) {\nb0:\n",
    );
    for n in 0..40 {
        text += &format!("    %{}: f64 = mul %{n}, %0\n", n + 1);
    }
    text += "    %41: (f64, f64) = tuple %40, %2\n    return %41\n}\n";
    let kernel = parse_kernel(&text).unwrap();
    let compiled = LaneKernel::compile(kernel.clone(), Context::default().registry()).unwrap();
    assert!(compiled.is_shared);
    assert!(compiled.pieces.len() > 20_001 / TILE + 1);
    random::same(&kernel, &mut Random(11), |memory| {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| run_compiled(&compiled, &kernel, memory))
        };
        let alone = on(1);
        assert_eq!(on(2), alone);
        assert_eq!(on(5), alone);
        alone
    });
}

/// A kernel that sums rows and takes their maxima.
fn reductions(rows: usize, columns: usize, steps: [usize; 2]) -> Kernel {
    let [of_row, of_column] = steps;
    let kernel = parse_kernel(&format!(
        "kernel rows {rows} columns {columns}\n  input f32 steps {of_row} {of_column}\n  output rows\n  output rows\n\
         fn @body(%0: f32) -> (f32, f32) {{\nb0:\n    %1: f32 = call @row.sum(%0)\n    %2: f32 = call @row.max(%0)\n\
         \x20   %3: (f32, f32) = tuple %1, %2\n    return %3\n}}\n",
    ));
    kernel.unwrap()
}

#[test]
fn long_rows_are_computed_in_parts() {
    for (n, (rows, columns)) in [(1, PART + 1), (3, 2 * TILE), (2, 5 * TILE + 77)]
        .into_iter()
        .enumerate()
    {
        same(
            &reductions(rows, columns, [columns, 1]),
            &mut Random(n as u64),
        );
    }
    for (n, (rows, columns)) in [
        (2, PART_ACROSS + 1),
        (7, 3 * DEPTH),
        (STRIP + 9, 4 * DEPTH + 5),
    ]
    .into_iter()
    .enumerate()
    {
        same(&reductions(rows, columns, [1, rows]), &mut Random(n as u64));
    }
}

#[test]
fn the_code_of_a_kernel_is_that_of_others_of_its_form() {
    let first = reductions(3, 300, [300, 1]);
    let compiled = LaneKernel::compile(first, Context::default().registry()).unwrap();
    let mut random = Random(9);
    for (rows, columns, space) in [(2, 256, 0), (5, 1000, 3), (70, 20_001, 0)] {
        let other = reductions(rows, columns, [columns + space, 1]);
        let resized = compiled.resized(&other.rows, columns, &other.inputs, None);
        let resized = resized.unwrap();
        random::same(&other, &mut random, |memory| {
            run_compiled(&resized, &other, memory)
        });
    }
    for (rows, columns, steps) in [
        (3, 255, [255, 1]),
        (1, 300, [300, 1]),
        (3, 300, [1, 3]),
        (3, 300, [600, 2]),
        (3, 300, [0, 1]),
    ] {
        let other = reductions(rows, columns, steps);
        let resized = compiled.resized(&other.rows, columns, &other.inputs, None);
        assert!(resized.is_none(), "{other}");
    }
}

#[test]
fn lanes_compare_and_convert_unsigned_numbers_as_rust_does() {
    let kernel = parse_kernel(
        "kernel rows 1 columns 11\n  input u32 steps 0 1\n  input f32 steps 0 1\n  input u32 steps 0 0\n\
         \x20 output points\n  output points\n  output points\n  output points\n\
         fn @body(%0: u32, %1: f32, %2: u32) -> (u32, f32, u32, f32) {\nb0:\n\
         %3: bool = lt %0, %2\n%4: u32 = cast %3\n%5: f32 = cast %0\n%6: u32 = cast %1\n%7: f32 = select %3, %5, %1\n\
         %8: (u32, f32, u32, f32) = tuple %4, %5, %6, %7\nreturn %8\n}\n",
    )
    .unwrap();
    let whole = [
        0,
        1,
        1 << 23,
        (1 << 24) + 1,
        (1 << 31) - 1,
        1 << 31,
        (1 << 31) + 1,
        (1 << 31) + 129,
        u32::MAX - 128,
        u32::MAX - 127,
        u32::MAX,
    ];
    let floats = [
        0.0,
        -0.0,
        -1.5,
        0.9,
        2147483648.0,
        4294967040.0,
        4294967296.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        3e9,
    ];
    let bound = (1u32 << 31) + 1;
    let input = |ty: Type, all: Vec<Const>| Memory { ty, all, start: 0 };
    let unsigned = |n: u32| Const::Int(n.into());
    let memory = [
        input(Type::U32, whole.map(unsigned).into()),
        input(Type::F32, floats.map(|x| Const::Float(x.into())).into()),
        input(Type::U32, vec![unsigned(bound)]),
    ];
    let found = run(&kernel, &memory);
    for (n, (&u, &x)) in whole.iter().zip(&floats).enumerate() {
        let chosen = if u < bound { u as f32 } else { x };
        let expected = [
            f64::from(u8::from(u < bound)),
            f64::from(u as f32),
            f64::from(x as u32),
            f64::from(chosen),
        ];
        let found: Vec<f64> = found.iter().map(|output| output[n]).collect();
        let is_same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
        assert!(
            found.iter().zip(&expected).all(is_same),
            "{u}, {x}: {found:?}, not {expected:?}"
        );
    }
}

/// Squares of numbers of a type.
fn squares(ty: Type, columns: usize) -> Kernel {
    let kernel = parse_kernel(&format!(
        "kernel rows 1 columns {columns}\n  input {ty} steps 0 1\n  output points\n\
         fn @body(%0: {ty}) -> ({ty}) {{\nb0:\n    %1: {ty} = mul %0, %0\n    %2: ({ty}) = tuple %1\n    return %2\n}}\n",
    ));
    kernel.unwrap()
}

/// Of few elements and of many, which threads share.
#[test]
fn subnormal_results_are_zero_in_f32_alone() {
    for columns in [3, 400_000] {
        let run = |ty, x: f64| {
            let memory = Memory {
                ty,
                all: vec![Const::Float(x); columns],
                start: 0,
            };
            let results = run(&squares(ty, columns), &[memory]);
            assert!(results[0].iter().all(|&y| y == results[0][0]));
            results[0][0]
        };
        let flushed = run(Type::F32, 1e-20);
        match cfg!(target_arch = "x86_64") {
            true => assert_eq!(flushed, 0.0),
            false => assert!(flushed == 0.0 || flushed == f64::from(1e-20_f32 * 1e-20)),
        }
        assert_eq!(run(Type::F32, 1e-18), f64::from(1e-18_f32 * 1e-18));
        assert_eq!(run(Type::F64, 1e-160), 1e-160 * 1e-160);
        assert_ne!(std::hint::black_box(1e-20_f32) * 1e-20, 0.0);
    }
}

/// Each output in the memory of an input where that is possible.
#[test]
fn results_in_the_memory_of_inputs_are_the_same() {
    let mut tried = 0;
    for seed in 0..4 * count() {
        let mut random = Random(seed * 31 + 7);
        let kernel = random_kernel(&mut random, &[Type::F32, Type::F64], true);
        let compiled = LaneKernel::compile(kernel.clone(), Context::default().registry()).unwrap();
        let mut over: Vec<(usize, usize)> = Vec::new();
        for &(input, output) in compiled.overwrites() {
            if over.iter().all(|own| own.0 != input && own.1 != output) {
                over.push((input, output));
            }
        }
        tried += usize::from(!over.is_empty());
        random::same(&kernel, &mut random, |memory| {
            let found = run_over(&compiled, &kernel, memory, &over);
            let apart = run_compiled(&compiled, &kernel, memory);
            assert_eq!(bits(&found), bits(&apart), "{over:?}\n{kernel}");
            found
        });
    }
    assert!(tried > 10, "{tried} kernels overwrite an input");
}

fn bits(outputs: &[Vec<f64>]) -> Vec<Vec<u64>> {
    let outputs = outputs.iter();
    outputs
        .map(|output| output.iter().map(|x| x.to_bits()).collect())
        .collect()
}

#[test]
fn an_input_that_lies_otherwise_is_not_overwritten() {
    let kernel = outer_products(5, 6, [6, 1]);
    let compiled = LaneKernel::compile(kernel, Context::default().registry()).unwrap();
    assert_eq!(compiled.overwrites(), [(0, 0), (0, 1), (3, 0), (3, 1)]);
    let transposed = outer_products(6, 6, [1, 6]);
    let compiled = LaneKernel::compile(transposed, Context::default().registry()).unwrap();
    assert!(compiled.overwrites().is_empty());
    let mut output = [0u64; 18];
    let wrong = compiled.run_over(
        &[Source {
            bytes: &[],
            start: 0,
        }; 5],
        &[(0, 0)],
        &mut [bytemuck::cast_slice_mut(&mut output), &mut []],
    );
    assert!(wrong.is_err());
}

/// Two sums of a matrix and of an outer product.
fn outer_products(rows: usize, columns: usize, [of_row, of_column]: [usize; 2]) -> Kernel {
    let kernel = parse_kernel(&format!(
        "kernel rows {rows} columns {columns}\n  input f32 steps {of_row} {of_column}\n  input f32 steps 1 0\n\
         \x20 input f32 steps 0 1\n  input f32 steps {of_row} {of_column}\n  input f32 steps 1 0\n  output points\n  output points\n\
         fn @body(%0: f32, %1: f32, %2: f32, %3: f32, %4: f32) -> (f32, f32) {{\nb0:\n    %5: f32 = mul %2, %2\n\
         \x20   %6: f32 = mul %1, %5\n    %7: f32 = add %0, %6\n    %8: f32 = mul %4, %5\n    %9: f32 = add %3, %8\n\
         \x20   %10: (f32, f32) = tuple %7, %9\n    return %10\n}}\n",
    ));
    kernel.unwrap()
}

/// Two products of a matrix, read by rows or by columns, and a vector.
fn matrix_vector(rows: usize, columns: usize, [of_row, of_column]: [usize; 2]) -> Kernel {
    let kernel = parse_kernel(&format!(
        "kernel rows {rows} columns {columns}\n  input f32 steps 0 1\n  input f32 steps {of_row} {of_column}\n\
         \x20 input f32 steps 1 0\n  output rows\n  output rows\n\
         fn @body(%0: f32, %1: f32, %2: f32) -> (f32, f32) {{\nb0:\n    %3: f32 = mul %0, %0\n\
         \x20   %4: f32 = mul %1, %3\n    %5: f32 = call @row.sum(%4)\n    %6: f32 = mul %2, %4\n    %7: f32 = call @row.max(%6)\n\
         \x20   %8: f32 = add %5, %2\n    %9: (f32, f32) = tuple %8, %7\n    return %9\n}}\n",
    ));
    kernel.unwrap()
}

/// The gradient of relu behind a sum with a bias, as it is and summed: an output across, and one of rows that waits for it.
fn relu_gradient(rows: usize, columns: usize) -> Kernel {
    let kernel = parse_kernel(&format!(
        "kernel rows {rows} columns {columns}\n  input f32 steps 1 {rows}\n  input f32 steps 1 0\n  input f32 steps 1 {rows}\n\
         \x20 output points across\n  output rows\n\
         fn @body(%0: f32, %1: f32, %2: f32) -> (f32, f32) {{\nb0:\n    %3: f32 = add %0, %1\n    %4: f32 = 0.0\n\
         \x20   %5: bool = gt %3, %4\n    %6: bool = lt %3, %4\n    %7: f32 = 1.0\n    %8: f32 = select %6, %4, %7\n\
         \x20   %9: f32 = select %5, %8, %4\n    %10: f32 = mul %2, %9\n    %11: f32 = call @row.sum(%10)\n\
         \x20   %12: (f32, f32) = tuple %10, %11\n    return %12\n}}\n",
    ));
    kernel.unwrap()
}

#[test]
fn rows_and_columns_beside_others_are_computed_as_alone() {
    for rows in 1..10 {
        for columns in [1, 3, 4, 9, 70, 300] {
            let mut random = Random((rows * 1000 + columns) as u64);
            let steps = [columns, 1];
            same(&outer_products(rows, columns, steps), &mut random);
            same(&matrix_vector(rows, columns, steps), &mut random);
            same(&matrix_vector(columns, rows, [1, columns]), &mut random);
            same(&relu_gradient(columns, rows), &mut random);
        }
    }
    // Fewer rows give the same bits.
    for columns in [9, 70, 300] {
        let kernel = matrix_vector(9, columns, [columns, 1]);
        let compiled = LaneKernel::compile(kernel.clone(), Context::default().registry()).unwrap();
        random::same(&kernel, &mut Random(columns as u64), |memory| {
            let all = run_compiled(&compiled, &kernel, memory);
            for rows in 2..9 {
                let fewer = matrix_vector(rows, columns, [columns, 1]);
                let resized = compiled.resized(&fewer.rows, columns, &fewer.inputs, None);
                let found = run_compiled(&resized.unwrap(), &fewer, memory);
                for (found, all) in bits(&found).iter().zip(bits(&all)) {
                    assert_eq!(found[..], all[..rows]);
                }
            }
            all
        });
    }
}

#[test]
fn threads_share_the_rows_along_which_lanes_lie() {
    let kernel = relu_gradient(150, 200);
    let compiled = LaneKernel::compile(kernel.clone(), Context::default().registry()).unwrap();
    assert_eq!(compiled.code.plan.along, Along::Rows);
    assert!(compiled.is_shared && compiled.pieces.len() == 3);
    same(&kernel, &mut Random(3));
}

#[test]
fn a_select_of_a_zero_keeps_the_bits_of_the_other_value() {
    let kernel = parse_kernel(
        "kernel rows 1 columns 9\n  input f32 steps 0 1\n  output points\n  output points\n  output points\n\
         fn @body(%0: f32) -> (f32, f32, f32) {\nb0:\n    %1: f32 = 0.0\n    %2: f32 = -0.0\n    %3: bool = gt %0, %1\n\
         \x20   %4: f32 = select %3, %0, %1\n    %5: f32 = select %3, %1, %0\n    %6: f32 = select %3, %0, %2\n\
         \x20   %7: (f32, f32, f32) = tuple %4, %5, %6\n    return %7\n}\n",
    );
    let kernel = kernel.unwrap();
    let floats = [
        0.0,
        -0.0,
        1.5,
        -1.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        2.0,
        -0.0,
    ];
    let memory = Memory {
        ty: Type::F32,
        all: floats.map(Const::Float).into(),
        start: 0,
    };
    let found = run(&kernel, &[memory]);
    for (n, x) in floats.into_iter().enumerate() {
        let is_above = x > 0.0;
        let expected = [
            if is_above { x } else { 0.0 },
            if is_above { 0.0 } else { x },
            if is_above { x } else { -0.0 },
        ];
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found[n].to_bits(), expected.to_bits(), "{x}");
        }
    }
}

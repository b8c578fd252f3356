//! Programs of collectives, as lists of steps that a differentiable function goes through; and the same with all ranks in one process.

use mooncake::prelude::*;

/// What every rank and the simulation know of a program.
#[derive(Clone, Debug)]
struct Program {
    steps: Vec<usize>,
    /// The root of each step.
    roots: Vec<usize>,
}

mod arrays {
    use mooncake::prelude::*;
    #[differentiable]
    #[pack = "mpi"]
    extern "pack" {
        pub fn allreduce_sum(x: &Array<f64>) -> Array<f64>;
        pub fn allreduce_max(x: &Array<f64>) -> Array<f64>;
        pub fn reduce_sum(x: &Array<f64>, root: usize) -> Array<f64>;
        pub fn broadcast(x: &Array<f64>, root: usize) -> Array<f64>;
        pub fn gather(x: &Array<f64>, root: usize) -> Array<f64>;
        pub fn scatter(x: &Array<f64>, root: usize) -> Array<f64>;
        pub fn allgather(x: &Array<f64>) -> Array<f64>;
        pub fn reduce_scatter(x: &Array<f64>) -> Array<f64>;
        pub fn send(x: &Array<f64>, to: usize, tag: i32) -> f64;
        pub fn recv(like: &Array<f64>, from: usize, tag: i32) -> Array<f64>;
        pub fn halo_exchange(x: &Array<f64>, width: usize, periodic: bool) -> Array<f64>;
        pub fn halo_sum(x: &Array<f64>, width: usize, periodic: bool) -> Array<f64>;
        pub fn barrier();
        pub fn rank() -> usize;
        pub fn size() -> usize;
    }
}

mod numbers {
    use mooncake::prelude::*;
    #[differentiable]
    #[pack = "mpi"]
    extern "pack" {
        pub fn allreduce_sum(x: f64) -> f64;
        pub fn allreduce_max(x: f64) -> f64;
        pub fn reduce_sum(x: f64, root: usize) -> f64;
        pub fn broadcast(x: f64, root: usize) -> f64;
        pub fn send(x: f64, to: usize, tag: i32) -> f64;
        pub fn recv(like: f64, from: usize, tag: i32) -> f64;
        pub fn rank() -> usize;
        pub fn size() -> usize;
    }
}

mod slices {
    use mooncake::prelude::*;
    #[differentiable]
    #[pack = "mpi"]
    extern "pack" {
        pub fn allreduce_sum(x: &mut [f64]);
        pub fn allreduce_max(x: &mut [f64]);
        pub fn reduce_sum(x: &mut [f64], root: usize);
        pub fn broadcast(x: &mut [f64], root: usize);
        pub fn gather(x: &[f64], out: &mut [f64], root: usize);
        pub fn scatter(x: &[f64], out: &mut [f64], root: usize);
        pub fn allgather(x: &[f64], out: &mut [f64]);
        pub fn reduce_scatter(x: &[f64], out: &mut [f64]);
        pub fn send(x: &[f64], to: usize, tag: i32);
        pub fn recv(x: &mut [f64], from: usize, tag: i32);
        pub fn halo_exchange(x: &mut [f64], width: usize, periodic: bool);
        pub fn rank() -> usize;
        pub fn size() -> usize;
    }
}

mod single {
    use mooncake::prelude::*;
    #[differentiable]
    #[pack = "mpi"]
    extern "pack" {
        pub fn allreduce_sum(x: &Array<f32>) -> Array<f32>;
        pub fn halo_exchange(x: &Array<f32>, width: usize, periodic: bool) -> Array<f32>;
        pub fn broadcast(x: f32, root: usize) -> f32;
    }
}

/// The steps, and how many there are of each form.
const SUM: usize = 0;
const MAX: usize = 1;
const REDUCE: usize = 2;
const BROADCAST: usize = 3;
const RING: usize = 4;
const GATHER: usize = 5;
const ALLGATHER: usize = 6;
const HALO: usize = 7;
// And 8, a halo that is not periodic.

const STEPS: usize = 9;
const NUMBER_STEPS: usize = 5;

/// How many numbers a rank has.
const N: usize = 3;

/// Between steps: something that differs from rank to rank and is not linear.
#[differentiable]
fn between(x: f64, rank: usize) -> f64 {
    (x * 0.7 + 0.1 * (rank as f64 + 1.0)).sin() + 0.2 * x
}

#[differentiable]
fn on_arrays(x: &Array<f64>, steps: &[usize], roots: &[usize]) -> Array<f64> {
    let (rank, size) = (arrays::rank(), arrays::size());
    let mut x = x * 1.0;
    for i in 0..steps.len() {
        let (step, root) = (steps[i], roots[i] % size);
        if step == SUM {
            x = arrays::allreduce_sum(&x);
        } else if step == MAX {
            x = arrays::allreduce_max(&x);
        } else if step == REDUCE {
            x = arrays::reduce_sum(&x, root) + &x;
        } else if step == BROADCAST {
            x = arrays::broadcast(&x, root) * &x;
        } else if step == RING {
            arrays::send(&(&x * 2.0), (rank + 1) % size, 3);
            arrays::barrier();
            let y = arrays::recv(&x, (rank + size - 1) % size, 3);
            x = &x * &y;
        } else if step == GATHER {
            let all = arrays::gather(&x, root);
            x = arrays::scatter(&all.sin(), root);
        } else if step == ALLGATHER {
            let all = arrays::allgather(&x);
            x = arrays::reduce_scatter(&all.sin());
        } else {
            let wide = arrays::halo_exchange(&x, 1, step == HALO);
            x = arrays::halo_sum(&(&wide * &wide), 1, step == HALO);
        }
        x = (&x * 0.7 + 0.1 * (rank as f64 + 1.0)).sin() + &x * 0.2;
    }
    (&x * &x * (0.5 + rank as f64)).sum()
}

#[differentiable]
fn on_numbers(x: f64, steps: &[usize], roots: &[usize]) -> f64 {
    let (rank, size) = (numbers::rank(), numbers::size());
    let mut x = x;
    for i in 0..steps.len() {
        let (step, root) = (steps[i], roots[i] % size);
        if step == SUM {
            x = numbers::allreduce_sum(x);
        } else if step == MAX {
            x = numbers::allreduce_max(x);
        } else if step == REDUCE {
            x += numbers::reduce_sum(x, root);
        } else if step == BROADCAST {
            x *= numbers::broadcast(x, root);
        } else {
            // The first rank sends before it receives, the others the other way round.
            let (next, previous) = ((rank + 1) % size, (rank + size - 1) % size);
            if rank == 0 {
                numbers::send(2.0 * x, next, 3);
                x *= numbers::recv(0.0, previous, 3);
            } else {
                let y = numbers::recv(0.0, previous, 3);
                numbers::send(2.0 * x, next, 3);
                x *= y;
            }
        }
        x = between(x, rank);
    }
    x * x * (0.5 + rank as f64)
}

#[differentiable]
fn on_slices(x: &[f64], steps: &[usize], roots: &[usize]) -> f64 {
    let (rank, size, n) = (slices::rank(), slices::size(), x.len());
    let mut x = x.to_vec();
    for i in 0..steps.len() {
        let (step, root) = (steps[i], roots[i] % size);
        if step == SUM {
            slices::allreduce_sum(&mut x);
        } else if step == MAX {
            slices::allreduce_max(&mut x);
        } else if step == REDUCE {
            let mut sum = x.clone();
            slices::reduce_sum(&mut sum, root);
            for j in 0..n {
                x[j] += sum[j];
            }
        } else if step == BROADCAST {
            let mut own = x.clone();
            slices::broadcast(&mut own, root);
            for j in 0..n {
                x[j] *= own[j];
            }
        } else if step == RING {
            let mut sent = x.clone();
            for j in 0..n {
                sent[j] *= 2.0;
            }
            slices::send(&sent, (rank + 1) % size, 3);
            slices::recv(&mut sent, (rank + size - 1) % size, 3);
            for j in 0..n {
                x[j] *= sent[j];
            }
        } else if step == GATHER {
            let mut all = vec![0.0; n * size];
            slices::gather(&x, &mut all, root);
            for j in 0..n * size {
                all[j] = all[j].sin();
            }
            slices::scatter(&all, &mut x, root);
        } else if step == ALLGATHER {
            let mut all = vec![0.0; n * size];
            slices::allgather(&x, &mut all);
            for j in 0..n * size {
                all[j] = all[j].sin();
            }
            slices::reduce_scatter(&all, &mut x);
        } else {
            let mut wide = vec![0.0; n + 2];
            for j in 0..n {
                wide[j + 1] = x[j];
            }
            slices::halo_exchange(&mut wide, 1, step == HALO);
            for j in 0..n {
                x[j] = wide[j] * wide[j] + wide[j + 1] + wide[j + 2] * wide[j + 2];
            }
        }
        for j in 0..n {
            x[j] = between(x[j], rank);
        }
    }
    let mut loss = 0.0;
    for j in 0..n {
        loss += x[j] * x[j] * (0.5 + rank as f64);
    }
    loss
}

/// All ranks in one process: `x` has `n` numbers of each. `wide_halo` is how arrays use a halo, else how slices do. The sum of all losses.
#[differentiable]
fn whole(x: &[f64], size: usize, wide_halo: bool, steps: &[usize], roots: &[usize]) -> f64 {
    let n = x.len() / size;
    let mut x = x.to_vec();
    for i in 0..steps.len() {
        let (step, root) = (steps[i], roots[i] % size);
        let old = x.clone();
        for rank in 0..size {
            for j in 0..n {
                let own = old[rank * n + j];
                let mut sum = 0.0;
                let mut max = old[j];
                for other in 0..size {
                    sum += old[other * n + j];
                    if old[other * n + j] > max {
                        max = old[other * n + j];
                    }
                }
                let mut y = own;
                if step == SUM {
                    y = sum;
                } else if step == MAX {
                    y = max;
                } else if step == REDUCE {
                    if rank == root {
                        y = sum + own;
                    }
                } else if step == BROADCAST {
                    y = old[root * n + j] * own;
                } else if step == RING {
                    y = own * 2.0 * old[(rank + size - 1) % size * n + j];
                } else if step == GATHER {
                    y = own.sin();
                } else if step == ALLGATHER {
                    // Every rank has the sines of all, and this one gets the sum of its own from all of them.
                    y = own.sin() * size as f64;
                } else {
                    let periodic = step == HALO;
                    // The elements are those of one long line.
                    let (at, all) = (rank * n + j, size * n);
                    let has_left = periodic || at > 0;
                    let has_right = periodic || at + 1 < all;
                    let left = old[(at + all - 1) % all];
                    let right = old[(at + 1) % all];
                    if wide_halo {
                        // An element's square comes back from each neighbour that has it in its halo.
                        let mut copies = 1.0;
                        if j == 0 && has_left {
                            copies += 1.0;
                        }
                        if j + 1 == n && has_right {
                            copies += 1.0;
                        }
                        y = own * own * copies;
                    } else {
                        y = own;
                        if has_left {
                            y += left * left;
                        }
                        if has_right {
                            y += right * right;
                        }
                    }
                }
                x[rank * n + j] = between(y, rank);
            }
        }
    }
    let mut loss = 0.0;
    for rank in 0..size {
        for j in 0..n {
            let y = x[rank * n + j];
            loss += y * y * (0.5 + rank as f64);
        }
    }
    loss
}

/// Numbers that every rank makes alike.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = (self.0)
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.0 >> 33
    }
    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }
    /// Between −1 and 1.
    fn float(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 30) as f64 - 1.0
    }
}

fn close(found: f64, expected: f64, what: &str, program: &Program) {
    let tolerance = 1e-9 * expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= tolerance,
        "rank {}: {what} of {program:?}: found {found:e}, expected {expected:e}",
        arrays::rank()
    );
}

/// What a rank finds: its loss, its gradient, its derivative along its direction, and its part of the Hessian product.
struct Found {
    loss: f64,
    gradient: Vec<f64>,
    derivative: f64,
    product: Vec<f64>,
    /// The loss a little further and a little back along the direction.
    moved: [f64; 2],
}

/// The step of a difference.
const H: f64 = 1e-5;

/// Compares what this rank finds with the whole.
fn compare(found: &Found, x: &[f64], v: &[f64], wide_halo: bool, program: &Program) {
    let (rank, size) = (arrays::rank(), arrays::size());
    let n = x.len() / size;
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let hvp = ctx.build_hvp::<whole>().unwrap();
    let args = (x, size, wide_halo, &program.steps[..], &program.roots[..]);
    let (total, gradient, product) = hvp
        .value_gradient_and_hvp(args, (v, (), (), (), ()))
        .unwrap();
    close(
        numbers::allreduce_sum(found.loss),
        total,
        "the loss",
        program,
    );
    for j in 0..n {
        let at = rank * n + j;
        close(found.gradient[j], gradient.0[at], "the gradient", program);
        close(
            found.product[j],
            product.0[at],
            "the Hessian product",
            program,
        );
    }
    let along: f64 = gradient.0.iter().zip(v).map(|(g, v)| g * v).sum();
    let derivative = numbers::allreduce_sum(found.derivative);
    close(derivative, along, "the derivative", program);
    let [further, back] = found.moved.map(numbers::allreduce_sum);
    let difference = (further - back) / (2.0 * H);
    assert!(
        (difference - along).abs() <= 1e-5 * along.abs().max(1.0) + 1e-9 * total.abs() / H,
        "rank {rank}: differences of {program:?}: found {difference:e}, expected {along:e}"
    );
}

/// This rank's part.
fn part(all: &[f64]) -> &[f64] {
    let n = all.len() / arrays::size();
    &all[arrays::rank() * n..][..n]
}

fn moved(x: &[f64], v: &[f64], by: f64) -> Vec<f64> {
    x.iter().zip(v).map(|(x, v)| x + by * v).collect()
}

struct Rules {
    arrays: (RRule<on_arrays>, FRule<on_arrays>, Hvp<on_arrays>),
    numbers: (RRule<on_numbers>, FRule<on_numbers>, Hvp<on_numbers>),
    slices: (RRule<on_slices>, FRule<on_slices>, Hvp<on_slices>),
}

impl Rules {
    fn new(ctx: &Context) -> mooncake::Result<Rules> {
        Ok(Rules {
            arrays: (ctx.build_rrule()?, ctx.build_frule()?, ctx.build_hvp()?),
            numbers: (ctx.build_rrule()?, ctx.build_frule()?, ctx.build_hvp()?),
            slices: (ctx.build_rrule()?, ctx.build_frule()?, ctx.build_hvp()?),
        })
    }

    fn arrays(&self, x: &[f64], v: &[f64], p: &Program) -> mooncake::Result<Found> {
        let of = |data: &[f64]| Array::from_vec_on(&Device::cpu(), data.to_vec(), [data.len()]);
        let (steps, roots) = (&p.steps[..], &p.roots[..]);
        let (rrule, frule, hvp) = &self.arrays;
        let (a, da) = (of(x), of(v));
        let number = |loss: Array<f64>| -> mooncake::Result<f64> { Ok(loss.to_vec()?[0]) };
        let (loss, gradient) = rrule.value_and_gradient((&a, steps, roots))?;
        let (_, derivative) = frule.value_and_derivative((&a, steps, roots), (&da, (), ()))?;
        let (_, _, product) = hvp.value_gradient_and_hvp((&a, steps, roots), (&da, (), ()))?;
        let at = |by: f64| number(rrule.value((&of(&moved(x, v, by)), steps, roots))?);
        Ok(Found {
            loss: number(loss)?,
            gradient: gradient.0.to_vec()?,
            derivative: number(derivative)?,
            product: product.0.to_vec()?,
            moved: [at(H)?, at(-H)?],
        })
    }

    fn numbers(&self, x: f64, v: f64, p: &Program) -> mooncake::Result<Found> {
        let (steps, roots) = (&p.steps[..], &p.roots[..]);
        let (rrule, frule, hvp) = &self.numbers;
        let (loss, gradient) = rrule.value_and_gradient((x, steps, roots))?;
        let (_, derivative) = frule.value_and_derivative((x, steps, roots), (v, (), ()))?;
        let (_, _, product) = hvp.value_gradient_and_hvp((x, steps, roots), (v, (), ()))?;
        let at = |by: f64| rrule.value((x + by * v, steps, roots));
        Ok(Found {
            loss,
            gradient: vec![gradient.0],
            derivative,
            product: vec![product.0],
            moved: [at(H)?, at(-H)?],
        })
    }

    fn slices(&self, x: &[f64], v: &[f64], p: &Program) -> mooncake::Result<Found> {
        let (steps, roots) = (&p.steps[..], &p.roots[..]);
        let (rrule, frule, hvp) = &self.slices;
        let (loss, gradient) = rrule.value_and_gradient((x, steps, roots))?;
        let (_, derivative) = frule.value_and_derivative((x, steps, roots), (v, (), ()))?;
        let (_, _, product) = hvp.value_gradient_and_hvp((x, steps, roots), (v, (), ()))?;
        let at = |by: f64| rrule.value((&moved(x, v, by)[..], steps, roots));
        Ok(Found {
            loss,
            gradient: gradient.0,
            derivative,
            product: product.0,
            moved: [at(H)?, at(-H)?],
        })
    }
}

#[differentiable]
fn in_single(x: &Array<f32>, y: f32) -> Array<f32> {
    let wide = single::halo_exchange(x, 1, true);
    single::allreduce_sum(&(&wide * single::broadcast(y, 0))).sum()
}

/// Half the width crosses as well.
fn single_precision() {
    let (rank, size) = (arrays::rank(), arrays::size());
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let x = Array::from_vec_on(&Device::cpu(), vec![1.0f32, rank as f32], [2]);
    let rule = ctx.build_rrule::<in_single>().unwrap();
    let (_, (dx, dy)) = rule.value_and_gradient((&x, 0.5 + rank as f32)).unwrap();
    // Each loss has the sum over all ranks, in which each element is twice, times the 0.5 of the first rank.
    let size = size as f32;
    assert_eq!(dx.to_vec().unwrap(), vec![size; 2]);
    let numbers: f32 = (0..size as usize)
        .map(|rank| 2.0 * (1.0 + rank as f32))
        .sum();
    let expected = if rank == 0 { size * numbers } else { 0.0 };
    assert_eq!(dy, expected);
}

/// What every rank does.
pub fn run() {
    let size = arrays::size();
    let mut random = Random(7);
    let mut programs: Vec<Program> = Vec::new();
    for step in 0..STEPS {
        let roots = vec![random.below(4)];
        let steps = vec![step];
        programs.push(Program { steps, roots });
    }
    for _ in 0..24 {
        let length = 1 + random.below(6);
        programs.push(Program {
            steps: (0..length).map(|_| random.below(STEPS)).collect(),
            roots: (0..length).map(|_| random.below(4)).collect(),
        });
    }
    let contexts = [false, true].map(|debug| {
        let builder = Context::builder().device(Device::cpu()).debug(debug);
        Rules::new(&builder.build().unwrap()).unwrap()
    });
    for (n, program) in programs.iter().enumerate() {
        let x: Vec<f64> = (0..N * size).map(|_| random.float()).collect();
        let v: Vec<f64> = (0..N * size).map(|_| random.float()).collect();
        let (own, along) = (part(&x), part(&v));
        // Debug mode is slow: it takes its turn.
        let rules = &contexts[usize::from(n % 4 == 3)];
        let found = rules.arrays(own, along, program).unwrap();
        compare(&found, &x, &v, true, program);
        let found = rules.slices(own, along, program).unwrap();
        compare(&found, &x, &v, false, program);
        let mut program = program.clone();
        program
            .steps
            .iter_mut()
            .for_each(|step| *step %= NUMBER_STEPS);
        let found = rules.numbers(own[0], along[0], &program).unwrap();
        let firsts = |all: &[f64]| -> Vec<f64> { all.iter().copied().step_by(N).collect() };
        compare(&found, &firsts(&x), &firsts(&v), true, &program);
    }
    single_precision();
    println!(
        "rank {} of {size}: {} programs agree",
        arrays::rank(),
        3 * programs.len()
    );
}

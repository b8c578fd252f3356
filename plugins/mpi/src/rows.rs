//! The functions of arrays and numbers. Their derivatives are expressions over rows of this pack: adjoints are collectives too, and have adjoints.

use crate::collective::Number;
use crate::world::World;
use mooncake_pack::{ArrayOut, ArrayView, Float, Outcome, native};

native! {
    /// The number of this process, from 0.
    fn rank() -> usize {
        primal: rank,
    }
}
native! {
    /// How many processes there are.
    fn size() -> usize {
        primal: size,
    }
}
native! {
    /// Waits until all ranks are here.
    fn barrier() {
        effects: ordered,
        primal: barrier,
    }
}

fn rank(out: &mut usize) -> Outcome {
    *out = World::with(|world| Ok(world.rank))?;
    Ok(())
}
fn size(out: &mut usize) -> Outcome {
    *out = World::with(|world| Ok(world.size))?;
    Ok(())
}
fn barrier() -> Outcome {
    World::with(|world| world.barrier())
}

native! {
    /// The sum over all ranks, element by element, on every rank.
    fn allreduce_sum(x: array<T>) -> array<T> {
        effects: ordered,
        primal: allreduce_sum,
        pullback: ["allreduce_sum(dy)"],
        tangent: ["allreduce_sum(dx)"],
    }
}
native! {
    /// The sum over all ranks, on every rank.
    fn allreduce_sum(x: T) -> T {
        effects: ordered,
        primal: allreduce_sum_number,
        pullback: ["allreduce_sum(dy)"],
        tangent: ["allreduce_sum(dx)"],
    }
}

fn allreduce_sum<T: Number>(x: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let out = out.allocate_any(x.shape())?;
    World::with(|world| world.allreduce_sum(x.data(), out))
}
fn allreduce_sum_number<T: Number>(x: T, out: &mut T) -> Outcome {
    World::with(|world| world.allreduce_sum(&[x], std::slice::from_mut(out)))
}

native! {
    /// The largest over all ranks, element by element, on every rank; NaN if one is NaN. The cotangent goes to the first rank that has the largest.
    fn allreduce_max(x: array<T>) -> array<T> {
        effects: ordered,
        primal: allreduce_max,
        pullback: ["allreduce_sum(dy) * first_with_max(x, y)"],
        tangent: ["allreduce_sum(first_with_max(x, y) * dx)"],
    }
}
native! {
    /// The largest over all ranks, on every rank; NaN if one is NaN. The cotangent goes to the first rank that has the largest.
    fn allreduce_max(x: T) -> T {
        effects: ordered,
        primal: allreduce_max_number,
        pullback: ["allreduce_sum(dy) * first_with_max(x, y)"],
        tangent: ["allreduce_sum(first_with_max(x, y) * dx)"],
    }
}
native! {
    /// 1 where this rank is the first that has the maximum, 0 elsewhere.
    private fn first_with_max(x: array<T>, max: array<T>) -> array<T> {
        effects: ordered,
        primal: first_with_max,
        pullback: ["", ""],
        tangent: ["", ""],
    }
}
native! {
    /// 1 where this rank is the first that has the maximum, 0 elsewhere.
    private fn first_with_max(x: T, max: T) -> T {
        effects: ordered,
        primal: first_with_max_number,
        pullback: ["", ""],
        tangent: ["", ""],
    }
}

fn allreduce_max<T: Number>(x: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let out = out.allocate_any(x.shape())?;
    World::with(|world| world.allreduce_max(x.data(), out))
}
fn allreduce_max_number<T: Number>(x: T, out: &mut T) -> Outcome {
    World::with(|world| world.allreduce_max(&[x], std::slice::from_mut(out)))
}
fn first_with_max<T: Number>(x: ArrayView<T>, max: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let out = out.allocate_any(x.shape())?;
    World::with(|world| world.first_with_max(x.data(), max.data(), out))
}
fn first_with_max_number<T: Number>(x: T, max: T, out: &mut T) -> Outcome {
    World::with(|world| world.first_with_max(&[x], &[max], std::slice::from_mut(out)))
}

native! {
    /// The sum over all ranks at the root, and zeros elsewhere.
    fn reduce_sum(x: array<T>, root: usize) -> array<T> {
        effects: ordered,
        primal: reduce_sum,
        pullback: ["broadcast(dy, root)", ""],
        tangent: ["reduce_sum(dx, root)", ""],
    }
}
native! {
    /// The sum over all ranks at the root, and 0 elsewhere.
    fn reduce_sum(x: T, root: usize) -> T {
        effects: ordered,
        primal: reduce_sum_number,
        pullback: ["broadcast(dy, root)", ""],
        tangent: ["reduce_sum(dx, root)", ""],
    }
}
native! {
    /// What the root has, on every rank. Elsewhere `x` says the shape.
    fn broadcast(x: array<T>, root: usize) -> array<T> {
        effects: ordered,
        primal: broadcast,
        pullback: ["reduce_sum(dy, root)", ""],
        tangent: ["broadcast(dx, root)", ""],
    }
}
native! {
    /// What the root has, on every rank.
    fn broadcast(x: T, root: usize) -> T {
        effects: ordered,
        primal: broadcast_number,
        pullback: ["reduce_sum(dy, root)", ""],
        tangent: ["broadcast(dx, root)", ""],
    }
}

fn reduce_sum<T: Number>(x: ArrayView<T>, root: usize, out: ArrayOut<T>) -> Outcome {
    let out = out.allocate_any(x.shape())?;
    World::with(|world| world.reduce_sum(x.data(), root, out))
}
fn reduce_sum_number<T: Number>(x: T, root: usize, out: &mut T) -> Outcome {
    World::with(|world| world.reduce_sum(&[x], root, std::slice::from_mut(out)))
}
fn broadcast<T: Number>(x: ArrayView<T>, root: usize, out: ArrayOut<T>) -> Outcome {
    let out = out.allocate_any(x.shape())?;
    out.copy_from_slice(x.data());
    World::with(|world| world.broadcast(out, root))
}
fn broadcast_number<T: Number>(x: T, root: usize, out: &mut T) -> Outcome {
    *out = x;
    World::with(|world| world.broadcast(std::slice::from_mut(out), root))
}

native! {
    /// At the root the arrays of all ranks along a new first axis, elsewhere an array whose first extent is 0.
    fn gather(x: array<T>, root: usize) -> array<T> {
        effects: ordered,
        primal: gather,
        pullback: ["scatter_like(dy, x, root)", ""],
        tangent: ["gather(dx, root)", ""],
    }
}
native! {
    /// To each rank what the root has at its number along the first axis. Elsewhere `x` is not read.
    fn scatter(x: array<T>, root: usize) -> array<T> {
        effects: ordered,
        primal: scatter,
        pullback: ["gather_like(dy, x, root)", ""],
        tangent: ["scatter(dx, root)", ""],
    }
}
native! {
    /// What `gather` gives at the root, and zeros in the shape of `like` elsewhere: the adjoint of `scatter`.
    private fn gather_like(x: array<T>, like: array<T>, root: usize) -> array<T> {
        effects: ordered,
        primal: gather_like,
        pullback: ["scatter_like(dy, x, root)", "", ""],
        tangent: ["gather_like(dx, like, root)", "", ""],
    }
}
native! {
    /// What `scatter` gives, in the shape of `like`: the adjoint of `gather`.
    private fn scatter_like(x: array<T>, like: array<T>, root: usize) -> array<T> {
        effects: ordered,
        primal: scatter_like,
        pullback: ["gather_like(dy, x, root)", "", ""],
        tangent: ["scatter_like(dx, like, root)", "", ""],
    }
}

/// The shape of the arrays of so many ranks along a new first axis.
fn stacked(count: usize, shape: &[usize]) -> Vec<usize> {
    [&[count], shape].concat()
}

fn gather<T: Number>(x: ArrayView<T>, root: usize, out: ArrayOut<T>) -> Outcome {
    World::with(|world| {
        let count = if world.rank == root { world.size } else { 0 };
        let out = out.allocate_any(&stacked(count, x.shape()))?;
        world.gather(x.data(), root, out)
    })
}
fn scatter<T: Number>(x: ArrayView<T>, root: usize, out: ArrayOut<T>) -> Outcome {
    World::with(|world| {
        let shape = world.scattered_shape(x.shape(), root)?;
        let out = out.allocate_any(&shape)?;
        world.scatter(x.data(), root, out)
    })
}
fn gather_like<T: Number>(
    x: ArrayView<T>,
    like: ArrayView<T>,
    root: usize,
    out: ArrayOut<T>,
) -> Outcome {
    let out = out.allocate(like.shape())?;
    World::with(|world| world.gather(x.data(), root, out))
}
fn scatter_like<T: Number>(
    x: ArrayView<T>,
    like: ArrayView<T>,
    root: usize,
    out: ArrayOut<T>,
) -> Outcome {
    let out = out.allocate_any(like.shape())?;
    World::with(|world| world.scatter(x.data(), root, out))
}

native! {
    /// The arrays of all ranks along a new first axis, on every rank.
    fn allgather(x: array<T>) -> array<T> {
        effects: ordered,
        primal: allgather,
        pullback: ["reduce_scatter(dy)"],
        tangent: ["allgather(dx)"],
    }
}
native! {
    /// To each rank the sum over all ranks of what is at its number along the first axis.
    fn reduce_scatter(x: array<T>) -> array<T> {
        effects: ordered,
        primal: reduce_scatter,
        pullback: ["allgather(dy)"],
        tangent: ["reduce_scatter(dx)"],
    }
}

fn allgather<T: Number>(x: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    World::with(|world| {
        let out = out.allocate_any(&stacked(world.size, x.shape()))?;
        world.allgather(x.data(), out)
    })
}
fn reduce_scatter<T: Number>(x: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    World::with(|world| {
        let rest = x.shape().get(1..).unwrap_or_default();
        let out = out.allocate_any(rest)?;
        world.reduce_scatter(x.data(), out)
    })
}

native! {
    /// Sends an array to a rank; gives 0. The adjoint receives the cotangent from there.
    fn send(x: array<T>, to: usize, tag: i32) -> T {
        effects: linked,
        primal: send,
        pullback: ["recv(x, to, tag)", "", ""],
        tangent: ["send(dx, to, tag)", "", ""],
    }
}
native! {
    /// Sends a number to a rank; gives 0. The adjoint receives the cotangent from there.
    fn send(x: T, to: usize, tag: i32) -> T {
        effects: linked,
        primal: send_number,
        pullback: ["recv(x, to, tag)", "", ""],
        tangent: ["send(dx, to, tag)", "", ""],
    }
}
native! {
    /// Receives an array of the shape of `like` from a rank. The adjoint sends the cotangent there.
    fn recv(like: array<T>, from: usize, tag: i32) -> array<T> {
        effects: linked,
        primal: recv,
        pullback: ["send_back(dy, from, tag)", "", ""],
        tangent: ["recv(dx, from, tag)", "", ""],
    }
}
native! {
    /// Receives a number from a rank. The adjoint sends the cotangent there.
    fn recv(like: T, from: usize, tag: i32) -> T {
        effects: linked,
        primal: recv_number,
        pullback: ["send(dy, from, tag)", "", ""],
        tangent: ["recv(dx, from, tag)", "", ""],
    }
}
native! {
    /// Sends an array to a rank; gives zeros in its shape, the cotangent of what `recv` only takes the shape of.
    private fn send_back(x: array<T>, to: usize, tag: i32) -> array<T> {
        effects: linked,
        primal: send_back,
        pullback: ["recv(x, to, tag)", "", ""],
        tangent: ["send_back(dx, to, tag)", "", ""],
    }
}
fn send<T: Number>(x: ArrayView<T>, to: usize, tag: i32, out: &mut T) -> Outcome {
    *out = T::ZERO;
    World::with(|world| world.send(x.data(), to, tag))
}
fn send_number<T: Number>(x: T, to: usize, tag: i32, out: &mut T) -> Outcome {
    *out = T::ZERO;
    World::with(|world| world.send(&[x], to, tag))
}
fn send_back<T: Number>(x: ArrayView<T>, to: usize, tag: i32, out: ArrayOut<T>) -> Outcome {
    out.allocate(x.shape())?;
    World::with(|world| world.send(x.data(), to, tag))
}
fn recv<T: Number>(like: ArrayView<T>, from: usize, tag: i32, out: ArrayOut<T>) -> Outcome {
    let out = out.allocate_any(like.shape())?;
    World::with(|world| world.recv(out, from, tag))
}
fn recv_number<T: Number>(_: T, from: usize, tag: i32, out: &mut T) -> Outcome {
    World::with(|world| world.recv(std::slice::from_mut(out), from, tag))
}

native! {
    /// The strip of this rank, with `width` rows of the neighbours' before and after it: rank `r` has the rows after those of rank `r − 1`. At the first and the last rank
    /// there are zeros there, or, if it is `periodic`, each other's rows.
    fn halo_exchange(x: array<T>, width: usize, periodic: bool) -> array<T> {
        effects: ordered,
        primal: halo_exchange,
        pullback: ["halo_sum(dy, width, periodic)", "", ""],
        tangent: ["halo_exchange(dx, width, periodic)", "", ""],
    }
}
native! {
    /// The adjoint of `halo_exchange`: the array without its first and last `width` rows, which are added to the strips of the ranks that they are of.
    fn halo_sum(x: array<T>, width: usize, periodic: bool) -> array<T> {
        effects: ordered,
        primal: halo_sum,
        pullback: ["halo_exchange(dy, width, periodic)", "", ""],
        tangent: ["halo_sum(dx, width, periodic)", "", ""],
    }
}

/// The rows of an array, and the elements of one.
fn rows<T: Float>(x: ArrayView<T>) -> Result<(usize, usize), String> {
    match x.shape().split_first() {
        Some((&rows, rest)) => Ok((rows, rest.iter().product())),
        None => Err("expected an array of rows, found one of a single element".into()),
    }
}

fn halo_exchange<T: Number>(
    x: ArrayView<T>,
    width: usize,
    periodic: bool,
    out: ArrayOut<T>,
) -> Outcome {
    let (count, row) = rows(x)?;
    let mut shape = x.shape().to_vec();
    shape[0] = count + 2 * width;
    let out = out.allocate(&shape)?;
    let halo = width * row;
    out[halo..halo + x.data().len()].copy_from_slice(x.data());
    World::with(|world| world.halo_exchange(out, halo, periodic))
}
fn halo_sum<T: Number>(x: ArrayView<T>, width: usize, periodic: bool, out: ArrayOut<T>) -> Outcome {
    let (count, row) = rows(x)?;
    let mut shape = x.shape().to_vec();
    shape[0] = count.saturating_sub(2 * width);
    let out = out.allocate(&shape)?;
    let mut all = x.data().to_vec();
    let halo = width * row;
    World::with(|world| world.halo_sum(&mut all, halo, periodic))?;
    out.copy_from_slice(&all[halo..halo + out.len()]);
    Ok(())
}

//! The functions of slices. Two forms: one that changes a slice where it is, and one that writes what comes of one slice to another. All but the
//! maximum are linear, and that is linear once it is known who has it; so one description of each ([`Change`], [`Flow`]) gives primal, `rrule`,
//! `frule` and `second`.

use crate::collective::Number;
use crate::world::World;
use mooncake_pack::{Cotangents, Outcome, Tangents, native};

/// What is done to a slice in place.
#[derive(Clone, Copy)]
enum Change {
    Sum,
    Max,
    SumAt(usize),
    FromRoot(usize),
    Halo(usize, bool),
}

impl Change {
    /// `before` is a copy of the slice.
    fn apply<T: Number>(self, before: &[T], x: &mut [T]) -> Outcome {
        World::with(|world| match self {
            Change::Sum => world.allreduce_sum(before, x),
            Change::Max => world.allreduce_max(before, x),
            Change::SumAt(root) => world.reduce_sum(before, root, x),
            Change::FromRoot(root) => world.broadcast(x, root),
            Change::Halo(halo, periodic) => world.halo_exchange(x, halo, periodic),
        })
    }
    /// What becomes of a tangent where the slice was `before` and is `after`.
    fn tangent<T: Number>(self, before: &[T], after: &[T], dx: &mut [T]) -> Outcome {
        match self {
            Change::Max => {
                mask(before, after, dx)?;
                Change::Sum.apply(&Copied::of(dx), dx)
            }
            linear => linear.apply(&Copied::of(dx), dx),
        }
    }
    /// What becomes of a cotangent.
    fn adjoint<T: Number>(self, before: &[T], after: &[T], dx: &mut [T]) -> Outcome {
        match self {
            Change::Sum => Change::Sum.apply(&Copied::of(dx), dx),
            Change::Max => {
                Change::Sum.apply(&Copied::of(dx), dx)?;
                mask(before, after, dx)
            }
            Change::SumAt(root) => Change::FromRoot(root).apply(&[], dx),
            Change::FromRoot(root) => Change::SumAt(root).apply(&Copied::of(dx), dx),
            Change::Halo(halo, periodic) => World::with(|world| world.halo_sum(dx, halo, periodic)),
        }
    }
}

/// Leaves what is at the first rank that has the maximum, and makes the rest zero.
fn mask<T: Number>(before: &[T], after: &[T], dx: &mut [T]) -> Outcome {
    let mut first = vec![T::ZERO; dx.len()];
    World::with(|world| world.first_with_max(before, after, &mut first))?;
    for (dx, &first) in dx.iter_mut().zip(&first) {
        if first == T::ZERO {
            *dx = T::ZERO;
        }
    }
    Ok(())
}

/// A copy of a slice, in memory that is used again for the next one: what a fresh page costs is more than the copy.
struct Copied<T: Number>(Vec<T>);

/// How many copies' memory is kept.
const KEPT: usize = 4;

impl<T: Number> Copied<T> {
    fn of(x: &[T]) -> Copied<T> {
        let mut kept = T::kept().lock().unwrap_or_else(|e| e.into_inner());
        let fits = kept.iter().position(|memory| memory.capacity() >= x.len());
        let mut memory = fits.map(|at| kept.swap_remove(at)).unwrap_or_default();
        drop(kept);
        memory.clear();
        memory.extend_from_slice(x);
        Copied(memory)
    }
}

impl<T: Number> Drop for Copied<T> {
    fn drop(&mut self) {
        let mut kept = T::kept().lock().unwrap_or_else(|e| e.into_inner());
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(std::mem::take(&mut self.0));
    }
}

impl<T: Number> std::ops::Deref for Copied<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

/// What a slice, and its tangent if it has one, were before a call that changed them.
struct Before<T: Number> {
    memory: Copied<T>,
    tangent: Option<Copied<T>>,
}

impl<T: Number> Before<T> {
    fn of(memory: &[T], tangent: Option<&[T]>) -> Before<T> {
        Before {
            memory: Copied::of(memory),
            tangent: tangent.map(Copied::of),
        }
    }
    /// Puts both back, as a pullback must: the slice is that argument of the call.
    fn restore(&self, memory: &mut [T], c: &Cotangents, argument: usize) -> Outcome {
        memory.copy_from_slice(&self.memory);
        let Some(before) = &self.tangent else {
            return Ok(());
        };
        if let Some(tangent) = c.memory_tangent::<T>(argument)? {
            tangent.copy_from_slice(before);
        }
        Ok(())
    }
}

fn change_primal<T: Number>(change: Change, x: &mut [T]) -> Outcome {
    change.apply(&Copied::of(x), x)
}

fn change_rrule<T: Number>(
    change: Change,
    x: &mut [T],
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let before = Before::of(x, None);
    change.apply(&before.memory, x)?;
    Ok(move |c: &Cotangents| {
        let memory = c.memory::<T>(0)?;
        if let Some(dx) = c.of::<T>(0)? {
            change.adjoint(&before.memory, memory, dx)?;
        }
        before.restore(memory, c, 0)
    })
}

fn change_frule<T: Number>(change: Change, x: &mut [T], t: &Tangents) -> Outcome {
    let before = Copied::of(x);
    change.apply(&before, x)?;
    match t.memory::<T>(0)? {
        Some(dx) => change.tangent(&before, x, dx),
        None => Ok(()),
    }
}

fn change_second<T: Number>(
    change: Change,
    x: &mut [T],
    t: &Tangents,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let dx = t.memory::<T>(0)?;
    let before = Before::of(x, dx.as_deref());
    change.apply(&before.memory, x)?;
    if let Some(dx) = dx {
        change.tangent(&before.memory, x, dx)?;
    }
    Ok(move |c: &Cotangents| {
        let memory = c.memory::<T>(0)?;
        for dx in [c.of::<T>(0)?, c.tangent_of::<T>(0)?].into_iter().flatten() {
            change.adjoint(&before.memory, memory, dx)?;
        }
        before.restore(memory, c, 0)
    })
}

/// Declares functions that change a slice in place.
macro_rules! changes {
    ($(
        $(#[doc = $doc:literal])*
        fn $name:ident($($arg:ident: $ty:ty),*) = $change:expr;
    )*) => {$(
        native! {
            $(#[doc = $doc])*
            fn $name(x: &mut [T] $(, $arg: $ty)*) {
                effects: ordered,
                primal: $name::primal,
                rrule: $name::rrule,
                frule: $name::frule,
                second: $name::second,
            }
        }
        mod $name {
            use super::*;
            pub fn primal<T: Number>(x: &mut [T] $(, $arg: $ty)*) -> Outcome {
                change_primal($change, x)
            }
            pub fn rrule<T: Number>(
                x: &mut [T] $(, $arg: $ty)*
            ) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
                change_rrule($change, x)
            }
            pub fn frule<T: Number>(x: &mut [T] $(, $arg: $ty)*, t: &Tangents) -> Outcome {
                change_frule($change, x, t)
            }
            pub fn second<T: Number>(
                x: &mut [T] $(, $arg: $ty)*, t: &Tangents
            ) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
                change_second($change, x, t)
            }
        }
    )*};
}
changes! {
    /// Each element becomes its sum over all ranks.
    fn allreduce_sum() = Change::Sum;
    /// Each element becomes the largest over all ranks; NaN if one is NaN. The cotangent goes to the first rank that has the largest.
    fn allreduce_max() = Change::Max;
    /// At the root each element becomes its sum over all ranks, elsewhere zero.
    fn reduce_sum(root: usize) = Change::SumAt(root);
    /// The slice becomes what the root has.
    fn broadcast(root: usize) = Change::FromRoot(root);
    /// The first and the last `width` elements become what the neighbours have next to them; at the first and the last rank they stay as they are, or, if it is `periodic`,
    /// become each other's.
    fn halo_exchange(width: usize, periodic: bool) = Change::Halo(width, periodic);
}

/// How one slice comes of another.
#[derive(Clone, Copy)]
enum Flow {
    Gather(usize),
    Scatter(usize),
    AllGather,
    ReduceScatter,
}

impl Flow {
    fn apply<T: Number>(self, x: &[T], out: &mut [T]) -> Outcome {
        World::with(|world| match self {
            Flow::Gather(root) => world.gather(x, root, out),
            Flow::Scatter(root) => world.scatter(x, root, out),
            Flow::AllGather => world.allgather(x, out),
            Flow::ReduceScatter => world.reduce_scatter(x, out),
        })
    }
    /// Adds to the cotangent of what was read what comes of that of what was written, which becomes zero where something was written.
    fn adjoint<T: Number>(self, dx: Option<&mut [T]>, count: usize, dout: &mut [T]) -> Outcome {
        let mut back = vec![T::ZERO; count];
        let rank = World::with(|world| Ok(world.rank))?;
        let (adjoint, writes, reads) = match self {
            Flow::Gather(root) => (Flow::Scatter(root), rank == root, true),
            Flow::Scatter(root) => (Flow::Gather(root), true, rank == root),
            Flow::AllGather => (Flow::ReduceScatter, true, true),
            Flow::ReduceScatter => (Flow::AllGather, true, true),
        };
        adjoint.apply(dout, &mut back)?;
        if let (Some(dx), true) = (dx, reads) {
            dx.iter_mut().zip(&back).for_each(|(dx, &x)| *dx = *dx + x);
        }
        if writes {
            dout.fill(T::ZERO);
        }
        Ok(())
    }
}

fn flow_rrule<T: Number>(
    flow: Flow,
    x: &[T],
    out: &mut [T],
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let before = Before::of(out, None);
    flow.apply(x, out)?;
    Ok(move |c: &Cotangents| {
        let count = c.argument::<&[T]>(0)?.len();
        before.restore(c.memory(1)?, c, 1)?;
        match c.of::<T>(1)? {
            Some(dout) => flow.adjoint(c.of::<T>(0)?, count, dout),
            None => Ok(()),
        }
    })
}

/// The tangent of what is read, zeros if it has none.
fn moved<T: Number>(x: &[T], t: &Tangents) -> Result<Vec<T>, String> {
    let given = t.of::<T>(0)?;
    Ok(given.map_or_else(|| vec![T::ZERO; x.len()], <[T]>::to_vec))
}

fn flow_frule<T: Number>(flow: Flow, x: &[T], out: &mut [T], t: &Tangents) -> Outcome {
    flow.apply(x, out)?;
    match t.memory::<T>(1)? {
        Some(dout) => flow.apply(&moved(x, t)?, dout),
        None => Ok(()),
    }
}

fn flow_second<T: Number>(
    flow: Flow,
    x: &[T],
    out: &mut [T],
    t: &Tangents,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let dout = t.memory::<T>(1)?;
    let before = Before::of(out, dout.as_deref());
    flow.apply(x, out)?;
    if let Some(dout) = dout {
        flow.apply(&moved(x, t)?, dout)?;
    }
    Ok(move |c: &Cotangents| {
        let count = c.argument::<&[T]>(0)?.len();
        before.restore(c.memory(1)?, c, 1)?;
        if let Some(dout) = c.of::<T>(1)? {
            flow.adjoint(c.of::<T>(0)?, count, dout)?;
        }
        match c.tangent_of::<T>(1)? {
            Some(dout) => flow.adjoint(c.tangent_of::<T>(0)?, count, dout),
            None => Ok(()),
        }
    })
}

/// Declares functions that write what comes of one slice to another.
macro_rules! flows {
    ($(
        $(#[doc = $doc:literal])*
        fn $name:ident($($arg:ident: $ty:ty),*) = $flow:expr;
    )*) => {$(
        native! {
            $(#[doc = $doc])*
            fn $name(x: &[T], out: &mut [T] $(, $arg: $ty)*) {
                effects: ordered,
                primal: $name::primal,
                rrule: $name::rrule,
                frule: $name::frule,
                second: $name::second,
            }
        }
        mod $name {
            use super::*;
            pub fn primal<T: Number>(x: &[T], out: &mut [T] $(, $arg: $ty)*) -> Outcome {
                $flow.apply(x, out)
            }
            pub fn rrule<T: Number>(
                x: &[T], out: &mut [T] $(, $arg: $ty)*
            ) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
                flow_rrule($flow, x, out)
            }
            pub fn frule<T: Number>(x: &[T], out: &mut [T] $(, $arg: $ty)*, t: &Tangents) -> Outcome {
                flow_frule($flow, x, out, t)
            }
            pub fn second<T: Number>(
                x: &[T], out: &mut [T] $(, $arg: $ty)*, t: &Tangents
            ) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
                flow_second($flow, x, out, t)
            }
        }
    )*};
}
flows! {
    /// At the root `out` becomes the slices of all ranks, one after the other; elsewhere it is left alone and may be empty.
    fn gather(root: usize) = Flow::Gather(root);
    /// `out` becomes this rank's part of what the root has in `x`; elsewhere `x` is not read and may be empty.
    fn scatter(root: usize) = Flow::Scatter(root);
    /// `out` becomes the slices of all ranks, one after the other, on every rank.
    fn allgather() = Flow::AllGather;
    /// `out` becomes the sum over all ranks of the part of `x` that has this rank's number.
    fn reduce_scatter() = Flow::ReduceScatter;
}

native! {
    /// Sends a slice to a rank. The adjoint receives the cotangent from there.
    fn send(x: &[T], to: usize, tag: i32) {
        effects: linked,
        primal: send_primal,
        rrule: send_rrule,
        frule: send_frule,
        second: send_second,
    }
}
native! {
    /// Receives a slice from a rank. The adjoint sends the cotangent there.
    fn recv(x: &mut [T], from: usize, tag: i32) {
        effects: linked,
        primal: recv_primal,
        rrule: recv_rrule,
        frule: recv_frule,
        second: recv_second,
    }
}

fn send_primal<T: Number>(x: &[T], to: usize, tag: i32) -> Outcome {
    World::with(|world| world.send(x, to, tag))
}
/// Receives a cotangent and adds it to where one is wanted.
fn receive_into<T: Number>(
    dx: Option<&mut [T]>,
    count: usize,
    (from, tag): (usize, i32),
) -> Outcome {
    let mut back = vec![T::ZERO; count];
    World::with(|world| world.recv(&mut back, from, tag))?;
    for (dx, &x) in dx.into_iter().flatten().zip(&back) {
        *dx = *dx + x;
    }
    Ok(())
}
fn send_rrule<T: Number>(
    x: &[T],
    to: usize,
    tag: i32,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    send_primal(x, to, tag)?;
    Ok(move |c: &Cotangents| {
        let count = c.argument::<&[T]>(0)?.len();
        receive_into(c.of::<T>(0)?, count, (to, tag))
    })
}
fn send_frule<T: Number>(x: &[T], to: usize, tag: i32, t: &Tangents) -> Outcome {
    send_primal(x, to, tag)?;
    send_primal(&moved(x, t)?, to, tag)
}
fn send_second<T: Number>(
    x: &[T],
    to: usize,
    tag: i32,
    t: &Tangents,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    send_frule(x, to, tag, t)?;
    Ok(move |c: &Cotangents| {
        let count = c.argument::<&[T]>(0)?.len();
        receive_into(c.of::<T>(0)?, count, (to, tag))?;
        receive_into(c.tangent_of::<T>(0)?, count, (to, tag))
    })
}

fn recv_primal<T: Number>(x: &mut [T], from: usize, tag: i32) -> Outcome {
    World::with(|world| world.recv(x, from, tag))
}
/// Receives a tangent; where there is no room for it, it is read all the same.
fn receive_tangent<T: Number>(
    dx: Option<&mut [T]>,
    count: usize,
    (from, tag): (usize, i32),
) -> Outcome {
    let mut lost = vec![T::ZERO; if dx.is_some() { 0 } else { count }];
    recv_primal(dx.unwrap_or(&mut lost), from, tag)
}
/// Sends a cotangent, which becomes zero: what was there before is overwritten.
fn send_from<T: Number>(dx: Option<&mut [T]>, count: usize, (to, tag): (usize, i32)) -> Outcome {
    match dx {
        Some(dx) => {
            send_primal(dx, to, tag)?;
            dx.fill(T::ZERO);
            Ok(())
        }
        None => send_primal(&vec![T::ZERO; count], to, tag),
    }
}
fn recv_rrule<T: Number>(
    x: &mut [T],
    from: usize,
    tag: i32,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let before = Before::of(x, None);
    recv_primal(x, from, tag)?;
    Ok(move |c: &Cotangents| {
        before.restore(c.memory(0)?, c, 0)?;
        send_from(c.of::<T>(0)?, before.memory.len(), (from, tag))
    })
}
fn recv_frule<T: Number>(x: &mut [T], from: usize, tag: i32, t: &Tangents) -> Outcome {
    recv_primal(x, from, tag)?;
    receive_tangent(t.memory::<T>(0)?, x.len(), (from, tag))
}
fn recv_second<T: Number>(
    x: &mut [T],
    from: usize,
    tag: i32,
    t: &Tangents,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let dx = t.memory::<T>(0)?;
    let before = Before::of(x, dx.as_deref());
    recv_primal(x, from, tag)?;
    receive_tangent(dx, x.len(), (from, tag))?;
    Ok(move |c: &Cotangents| {
        before.restore(c.memory(0)?, c, 0)?;
        let count = before.memory.len();
        send_from(c.of::<T>(0)?, count, (from, tag))?;
        send_from(c.tangent_of::<T>(0)?, count, (from, tag))
    })
}

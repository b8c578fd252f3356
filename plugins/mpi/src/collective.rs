//! The operations on memory. Each compares first what the ranks are about to do, and then calls MPI; what is wrong with the arguments of one rank
//! is an error of all.

use crate::world::{Function, Intent, Patience, World, too_many};
use mooncake_pack::Float;
use mpi::collective::SystemOperation;
use mpi::traits::*;
use std::ffi::c_int;
use std::sync::Mutex;

/// The numbers that cross: `f32` and `f64`.
pub trait Number: Float + Equivalence + Send {
    /// Integers in the order of these numbers, NaN above all others.
    type Key: Equivalence + Ord + Copy + Default;
    /// The integer of a number.
    fn key(self) -> Self::Key;
    /// The number of an integer.
    fn of(key: Self::Key) -> Self;
    /// Memory for copies.
    fn kept() -> &'static Mutex<Vec<Vec<Self>>>;
}

macro_rules! number {
    ($float:ident, $int:ident, $unsigned:ident) => {
        impl Number for $float {
            type Key = $int;
            fn key(self) -> $int {
                let bits = match self.is_nan() {
                    true => $float::NAN.abs().to_bits() as $int,
                    false => self.to_bits() as $int,
                };
                // Of negative numbers the order of the bits is the other way round.
                bits ^ ((bits >> ($int::BITS - 1)) as $unsigned >> 1) as $int
            }
            fn of(key: $int) -> $float {
                let bits = key ^ ((key >> ($int::BITS - 1)) as $unsigned >> 1) as $int;
                $float::from_bits(bits as $unsigned)
            }
            fn kept() -> &'static Mutex<Vec<Vec<$float>>> {
                static KEPT: Mutex<Vec<Vec<$float>>> = Mutex::new(Vec::new());
                &KEPT
            }
        }
    };
}
number!(f32, i32, u32);
number!(f64, i64, u64);

/// What is wrong with a number of elements, or with the number of a rank.
fn fits(count: usize) -> Option<String> {
    (count > c_int::MAX as usize).then(|| too_many(count))
}

fn is_rank(world: &World, root: usize) -> Option<String> {
    let size = world.size;
    (root >= size).then(|| format!("the root is rank {root} of {size}"))
}

impl World {
    fn intent<T>(function: Function, count: usize, detail: usize) -> Intent {
        Intent {
            function,
            width: size_of::<T>(),
            count,
            detail,
        }
    }

    /// `out[i] = Σ x[i]` over the ranks.
    pub fn allreduce_sum<T: Number>(&mut self, x: &[T], out: &mut [T]) -> Result<(), String> {
        self.agree(
            World::intent::<T>(Function::allreduce_sum, x.len(), 0),
            fits(x.len()),
        )?;
        self.comm.all_reduce_into(x, out, SystemOperation::sum());
        Ok(())
    }

    /// `out[i]` is the largest `x[i]` of all ranks; NaN if one has NaN there.
    pub fn allreduce_max<T: Number>(&mut self, x: &[T], out: &mut [T]) -> Result<(), String> {
        self.agree(
            World::intent::<T>(Function::allreduce_max, x.len(), 0),
            fits(x.len()),
        )?;
        // What MPI makes of NaN is its own business; integers have none.
        let own: Vec<T::Key> = x.iter().map(|&x| x.key()).collect();
        let mut all = vec![T::Key::default(); own.len()];
        let op = SystemOperation::max();
        self.comm.all_reduce_into(&own[..], &mut all[..], op);
        out.iter_mut()
            .zip(&all)
            .for_each(|(out, &key)| *out = T::of(key));
        Ok(())
    }

    /// 1 where this rank is the first whose `x` is the maximum, 0 elsewhere.
    pub fn first_with_max<T: Number>(
        &mut self,
        x: &[T],
        max: &[T],
        out: &mut [T],
    ) -> Result<(), String> {
        let intent = World::intent::<T>(Function::first_with_max, x.len(), 0);
        let differ = (x.len() != max.len()).then(|| {
            let (x, max) = (x.len(), max.len());
            format!("{x} numbers and {max} maxima")
        });
        self.agree(intent, differ)?;
        let (rank, size) = (self.rank as i32, self.size as i32);
        let has = x.iter().zip(max).map(|(x, max)| x.key() == max.key());
        let own: Vec<i32> = has.map(|has| if has { rank } else { size }).collect();
        let mut first = vec![0; own.len()];
        let op = SystemOperation::min();
        self.comm.all_reduce_into(&own[..], &mut first[..], op);
        for (out, &first) in out.iter_mut().zip(&first) {
            *out = if first == rank { T::ONE } else { T::ZERO };
        }
        Ok(())
    }

    /// At the root the sum over the ranks, elsewhere zeros.
    pub fn reduce_sum<T: Number>(
        &mut self,
        x: &[T],
        root: usize,
        out: &mut [T],
    ) -> Result<(), String> {
        let fault = fits(x.len()).or_else(|| is_rank(self, root));
        self.agree(
            World::intent::<T>(Function::reduce_sum, x.len(), root),
            fault,
        )?;
        let (process, op) = (
            self.comm.process_at_rank(root as i32),
            SystemOperation::sum(),
        );
        match self.rank == root {
            true => process.reduce_into_root(x, out, op),
            false => {
                process.reduce_into(x, op);
                out.fill(T::ZERO);
            }
        }
        Ok(())
    }

    /// What the root has there, on every rank.
    pub fn broadcast<T: Number>(&mut self, x: &mut [T], root: usize) -> Result<(), String> {
        let fault = fits(x.len()).or_else(|| is_rank(self, root));
        self.agree(
            World::intent::<T>(Function::broadcast, x.len(), root),
            fault,
        )?;
        self.comm.process_at_rank(root as i32).broadcast_into(x);
        Ok(())
    }

    /// At the root `out` has the `x` of all ranks, one after the other; elsewhere it is left alone.
    pub fn gather<T: Number>(&mut self, x: &[T], root: usize, out: &mut [T]) -> Result<(), String> {
        let all = x.len().saturating_mul(self.size);
        let is_root = self.rank == root;
        let short = (is_root && out.len() != all)
            .then(|| format!("{} numbers have room for the {all} of all ranks", out.len()));
        let fault = fits(all).or_else(|| is_rank(self, root)).or(short);
        self.agree(World::intent::<T>(Function::gather, x.len(), root), fault)?;
        let process = self.comm.process_at_rank(root as i32);
        match is_root {
            true => process.gather_into_root(x, out),
            false => process.gather_into(x),
        }
        Ok(())
    }

    /// Each rank gets its part of what the root has in `x`; elsewhere `x` is not read.
    pub fn scatter<T: Number>(
        &mut self,
        x: &[T],
        root: usize,
        out: &mut [T],
    ) -> Result<(), String> {
        let all = out.len().saturating_mul(self.size);
        let is_root = self.rank == root;
        let short = (is_root && x.len() != all)
            .then(|| format!("{} numbers for {all} of all ranks", x.len()));
        let fault = fits(all).or_else(|| is_rank(self, root)).or(short);
        self.agree(
            World::intent::<T>(Function::scatter, out.len(), root),
            fault,
        )?;
        let process = self.comm.process_at_rank(root as i32);
        match is_root {
            true => process.scatter_into_root(x, out),
            false => process.scatter_into(out),
        }
        Ok(())
    }

    /// The extents of the array that the root scatters, without the first, which is the number of ranks.
    pub fn scattered_shape(&mut self, shape: &[usize], root: usize) -> Result<Vec<usize>, String> {
        const MOST: usize = 32;
        let fault = match (self.rank == root, shape.split_first()) {
            _ if root >= self.size => is_rank(self, root),
            (true, Some((&first, rest))) if first == self.size && rest.len() < MOST => None,
            (true, _) => Some(format!(
                "the root has an array of shape {shape:?}; its first extent must be the number of ranks, {}",
                self.size
            )),
            (false, _) => None,
        };
        let intent = Intent {
            function: Function::scatter,
            width: 0,
            count: 0,
            detail: root,
        };
        self.agree(intent, fault)?;
        let mut extents = [0u64; MOST];
        if self.rank == root {
            extents[0] = shape.len() as u64;
            let pairs = extents[1..].iter_mut().zip(&shape[1..]);
            pairs.for_each(|(to, &extent)| *to = extent as u64);
        }
        let process = self.comm.process_at_rank(root as i32);
        process.broadcast_into(&mut extents[..]);
        let rest = &extents[1..extents[0] as usize];
        Ok(rest.iter().map(|&extent| extent as usize).collect())
    }

    /// The `x` of all ranks, one after the other, on every rank.
    pub fn allgather<T: Number>(&mut self, x: &[T], out: &mut [T]) -> Result<(), String> {
        let all = x.len().saturating_mul(self.size);
        let short = (out.len() != all)
            .then(|| format!("{} numbers have room for the {all} of all ranks", out.len()));
        self.agree(
            World::intent::<T>(Function::allgather, x.len(), 0),
            fits(all).or(short),
        )?;
        self.comm.all_gather_into(x, out);
        Ok(())
    }

    /// The sum over the ranks of the part of `x` that has this rank's number.
    pub fn reduce_scatter<T: Number>(&mut self, x: &[T], out: &mut [T]) -> Result<(), String> {
        let all = out.len().saturating_mul(self.size);
        let short = (x.len() != all).then(|| format!("{} numbers for {all} of all ranks", x.len()));
        self.agree(
            World::intent::<T>(Function::reduce_scatter, x.len(), 0),
            fits(x.len()).or(short),
        )?;
        let op = SystemOperation::sum();
        self.comm.reduce_scatter_block_into(x, out, op);
        Ok(())
    }

    /// Sends to the ranks before and after this one, and receives as much from them. Where there is no such rank what is received stays as it is.
    fn with_neighbours<T: Number>(
        &self,
        periodic: bool,
        [to_previous, to_next]: [&[T]; 2],
        [from_previous, from_next]: [&mut [T]; 2],
    ) {
        let (rank, size) = (self.rank, self.size);
        let previous = (rank > 0 || periodic).then(|| (rank + size - 1) % size);
        let next = (rank + 1 < size || periodic).then(|| (rank + 1) % size);
        const UP: i32 = 1;
        const DOWN: i32 = 2;
        let waits = |way| format!("has waited for the halo {way} a neighbour");
        let process = |rank: usize| self.comm.process_at_rank(rank as i32);
        let mut patience = Patience::new(self);
        mpi::request::scope(|scope| {
            let mut requests = Vec::new();
            if let Some(rank) = previous {
                let process = process(rank);
                requests.push(process.immediate_receive_into_with_tag(scope, from_previous, UP));
            }
            if let Some(rank) = next {
                let process = process(rank);
                requests.push(process.immediate_receive_into_with_tag(scope, from_next, DOWN));
            }
            let mut sent = Vec::new();
            if let Some(rank) = previous {
                sent.push(process(rank).immediate_send_with_tag(scope, to_previous, DOWN));
            }
            if let Some(rank) = next {
                sent.push(process(rank).immediate_send_with_tag(scope, to_next, UP));
            }
            for request in requests {
                patience.wait_for(request, || waits("from"));
            }
            for request in sent {
                patience.wait_for(request, || waits("to"));
            }
        });
    }

    /// What is wrong with a halo of so many elements on both sides of a strip of so many.
    fn narrow(halo: usize, strip: usize) -> Option<String> {
        (halo > strip).then(|| {
            format!("a halo of {halo} elements, and a strip of {strip}: neighbours have no more to give than their strip")
        })
    }

    /// Fills the first and the last `halo` elements with what the neighbours have next to them. Without a neighbour they stay as they are.
    pub fn halo_exchange<T: Number>(
        &mut self,
        x: &mut [T],
        halo: usize,
        periodic: bool,
    ) -> Result<(), String> {
        let strip = x.len().saturating_sub(2 * halo);
        let fault = fits(x.len()).or_else(|| World::narrow(halo, strip));
        // Strips may be of different lengths; halos may not.
        self.agree(
            World::intent::<T>(Function::halo_exchange, halo, usize::from(periodic)),
            fault,
        )?;
        let (before, rest) = x.split_at_mut(halo);
        let (own, after) = rest.split_at_mut(strip);
        self.with_neighbours(
            periodic,
            [&own[..halo], &own[strip - halo..]],
            [before, after],
        );
        Ok(())
    }

    /// The adjoint of [`halo_exchange`](World::halo_exchange): adds the first and last `halo` elements to where the neighbours have them from, and makes
    /// them zero. Without a neighbour they stay as they are.
    pub fn halo_sum<T: Number>(
        &mut self,
        x: &mut [T],
        halo: usize,
        periodic: bool,
    ) -> Result<(), String> {
        let strip = x.len().saturating_sub(2 * halo);
        let fault = fits(x.len()).or_else(|| World::narrow(halo, strip));
        self.agree(
            World::intent::<T>(Function::halo_sum, halo, usize::from(periodic)),
            fault,
        )?;
        let mut come = [vec![T::ZERO; halo], vec![T::ZERO; halo]];
        let (before, rest) = x.split_at_mut(halo);
        let (own, after) = rest.split_at_mut(strip);
        let [from_previous, from_next] = &mut come;
        self.with_neighbours(periodic, [before, after], [from_previous, from_next]);
        let add = |to: &mut [T], from: &[T]| {
            to.iter_mut().zip(from).for_each(|(to, &x)| *to = *to + x);
        };
        add(&mut own[..halo], &come[0]);
        add(&mut own[strip - halo..], &come[1]);
        if self.rank > 0 || periodic {
            before.fill(T::ZERO);
        }
        if self.rank + 1 < self.size || periodic {
            after.fill(T::ZERO);
        }
        Ok(())
    }

    /// All ranks come here before one leaves.
    pub fn barrier(&mut self) -> Result<(), String> {
        let intent = Intent {
            function: Function::barrier,
            width: 0,
            count: 0,
            detail: 0,
        };
        self.agree(intent, None)?;
        self.comm.barrier();
        Ok(())
    }

    /// Sends numbers to a rank, without waiting until they are received.
    pub fn send<T: Number>(&mut self, x: &[T], to: usize, tag: i32) -> Result<(), String> {
        self.is_other_end(to, tag)?;
        let mut bytes = Vec::with_capacity(HEADER + size_of_val(x));
        bytes.extend((size_of::<T>() as u64).to_ne_bytes());
        bytes.extend((x.len() as u64).to_ne_bytes());
        for x in x {
            match size_of::<T>() {
                4 => bytes.extend((x.to_f64() as f32).to_ne_bytes()),
                _ => bytes.extend(x.to_f64().to_ne_bytes()),
            }
        }
        self.post(bytes, to, tag)
    }

    /// Receives as many numbers as there is room for.
    pub fn recv<T: Number>(&mut self, out: &mut [T], from: usize, tag: i32) -> Result<(), String> {
        self.is_other_end(from, tag)?;
        let bytes = self.take(from, tag);
        let word = |at: usize| {
            let bytes = bytes.get(at..at + 8)?.try_into().ok()?;
            Some(u64::from_ne_bytes(bytes) as usize)
        };
        let (width, count) = (word(0).unwrap_or(0), word(8).unwrap_or(0));
        if (width, count) != (size_of::<T>(), out.len()) {
            return Err(format!(
                "rank {} expects {} f{} from rank {from} with tag {tag}, and gets {count} f{}",
                self.rank,
                out.len(),
                8 * size_of::<T>(),
                8 * width
            ));
        }
        let numbers = bytes[HEADER..].chunks_exact(width);
        for (out, bytes) in out.iter_mut().zip(numbers) {
            *out = T::from_f64(match bytes {
                &[a, b, c, d] => f64::from(f32::from_ne_bytes([a, b, c, d])),
                bytes => f64::from_ne_bytes(bytes.try_into().unwrap_or_default()),
            });
        }
        Ok(())
    }

    /// An error if there is no such rank, or no such tag.
    fn is_other_end(&self, rank: usize, tag: i32) -> Result<(), String> {
        match (is_rank(self, rank), (0..=MAX_TAG).contains(&tag)) {
            (Some(_), _) => Err(format!("there is no rank {rank} of {}", self.size)),
            (None, false) => Err(format!("the tag {tag} is not between 0 and {MAX_TAG}")),
            (None, true) => Ok(()),
        }
    }
}

/// The bytes before the numbers of a message: the width of one, and how many there are.
const HEADER: usize = 16;

/// The largest tag that every MPI has.
const MAX_TAG: i32 = 32767;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_the_numbers() {
        let all = [
            f64::NEG_INFINITY,
            -2.5,
            -1e-310,
            -0.0,
            0.0,
            1e-310,
            3.0,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(all.is_sorted_by_key(|x| x.key()));
        for x in all {
            assert_eq!(f64::of(x.key()).to_bits(), x.to_bits());
            assert_eq!(f32::of((x as f32).key()).to_bits(), (x as f32).to_bits());
        }
        assert_eq!((-f64::NAN).key(), f64::NAN.key());
    }
}

//! The processes: initialisation, who takes part in a call, and how the others learn of a fault.
//!
//! Every call goes through [`World::with`], one at a time. Before a collective the ranks compare what they are about to do
//! ([`World::agree`]): a collective that some ranks do not call, or call with other sizes, is an error of all of them, or ends
//! the job, and never a hang or a wrong number.

use mpi::collective::SystemOperation;
use mpi::environment::{self, Threading};
use mpi::ffi;
use mpi::request::{Request, Scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::ffi::{c_int, c_void};
use std::io::Write;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// What a rank is about to do, for the comparison with the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Intent {
    /// The function.
    pub function: Function,
    /// The bytes of a number: 4 or 8, 0 without numbers.
    pub width: usize,
    /// How many numbers, if all ranks must have as many.
    pub count: usize,
    /// The root, 1 for a halo that is periodic, or 0.
    pub detail: usize,
}

/// Declares the functions that ranks call together.
macro_rules! functions {
    ($($name:ident)*) => {
        /// A function that all ranks call together.
        #[allow(non_camel_case_types, reason = "they are the names of rows")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Function { $($name),* }
        const FUNCTIONS: &[&str] = &[$(stringify!($name)),*];
    };
}
functions! {
    allreduce_sum allreduce_max first_with_max reduce_sum broadcast gather scatter allgather reduce_scatter
    halo_exchange halo_sum barrier
}

/// The processes that take part.
pub struct World {
    /// Of this pack alone, so that its messages are never taken for the program's.
    pub comm: SimpleCommunicator,
    /// This process.
    pub rank: usize,
    /// The number of processes.
    pub size: usize,
    /// How long others are waited for.
    timeout: Duration,
    /// Whether ranks compare what they are about to do.
    compares: bool,
    /// Messages on their way, with the memory that they are sent from.
    pending: Vec<Pending>,
}

/// A message on its way.
struct Pending {
    request: ffi::MPI_Request,
    /// Read by MPI until the request is complete.
    _data: Vec<u8>,
}

// SAFETY: handles of MPI are numbers or addresses that any thread may use at a level of at least `Serialized`, which `start` makes
// sure of; the mutex lets one thread at a time use them.
unsafe impl Send for World {}

static WORLD: Mutex<Option<World>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<World>> {
    WORLD.lock().unwrap_or_else(|e| e.into_inner())
}

/// The MPI that this pack was built against.
pub const BUILT: &str = env!("MOONCAKE_MPI_BUILT");

/// Name and major version in what an MPI library says of itself: `Open MPI v4.1.4, package: …`, `MPICH Version: 4.0.2 …`.
fn identity(text: &str) -> Option<(&'static str, u32)> {
    let name = ["Open MPI", "Intel", "MPICH"]
        .into_iter()
        .find(|name| text.contains(name))?;
    let rest = &text[text.find(name)? + name.len()..];
    let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let major = digits[..end.unwrap_or(digits.len())].parse().ok()?;
    Some((name, major))
}

/// An error if the library in the process is not of the kind that the pack was built against: their types differ.
fn check_library(found: &str, built: &str) -> Result<(), String> {
    match (identity(found), identity(built)) {
        (Some(found), Some(built)) if found == built => Ok(()),
        (_, None) => Ok(()),
        _ => Err(format!(
            "this pack is built against {built}, and the process has {}: build the pack again where it runs, with that MPI's `mpicc` first in PATH",
            found.split(',').next().unwrap_or_default().trim()
        )),
    }
}

impl World {
    /// Calls a function with the world, which is started by the first call.
    pub fn with<R>(call: impl FnOnce(&mut World) -> Result<R, String>) -> Result<R, String> {
        let mut world = lock();
        if environment::is_finalized() {
            return Err(
                "MPI is finalised: functions of this pack cannot be called any more".into(),
            );
        }
        if world.is_none() {
            *world = Some(World::start()?);
        }
        match world.as_mut() {
            Some(world) => {
                world.progress();
                call(world)
            }
            None => Err("MPI has not started".into()),
        }
    }

    fn start() -> Result<World, String> {
        let library = environment::library_version()
            .map_err(|_| "the MPI library says its version in no known text".to_owned())?;
        check_library(&library, BUILT)?;
        // A program that has started MPI ends it too.
        let started = environment::initialize_with_threading(Threading::Serialized);
        if let Some((universe, _)) = started {
            // `at_exit` ends MPI: a static is never dropped, and what lives in `main` could be dropped too early.
            std::mem::forget(universe);
            register_exit();
        }
        if environment::threading_support() < Threading::Serialized {
            return Err(
                "MPI was started for one thread only: call `mpi::initialize_with_threading(Threading::Serialized)`, or leave it to this pack to start MPI"
                    .into(),
            );
        }
        let comm = SimpleCommunicator::world().duplicate();
        let seconds = |name: &str| std::env::var(name).ok()?.parse::<f64>().ok();
        let timeout = seconds("MOONCAKE_MPI_TIMEOUT").unwrap_or(60.0);
        Ok(World {
            rank: comm.rank() as usize,
            size: comm.size() as usize,
            comm,
            timeout: Duration::try_from_secs_f64(timeout).unwrap_or(Duration::MAX),
            compares: std::env::var("MOONCAKE_MPI_CHECK").as_deref() != Ok("0"),
            pending: Vec::new(),
        })
    }

    /// Compares with the other ranks what they are about to do. `fault` says what is wrong with the arguments here; then, and where intents
    /// differ, it is an error of all ranks. Ranks that do not come at all end the job.
    pub fn agree(&self, intent: Intent, fault: Option<String>) -> Result<(), String> {
        if let (Some(fault), true) = (&fault, self.size == 1 || !self.compares) {
            return Err(fault.clone());
        }
        if self.size == 1 || !self.compares {
            return Ok(());
        }
        let own = [
            intent.function as i64,
            intent.width as i64,
            intent.count as i64,
            intent.detail as i64,
            i64::from(fault.is_some()),
        ];
        // The largest of each number, and the smallest.
        let mut sent = [0i64; 10];
        for (i, &x) in own.iter().enumerate() {
            (sent[i], sent[5 + i]) = (x, -x);
        }
        let mut all = [0i64; 10];
        let name = FUNCTIONS[intent.function as usize];
        mpi::request::scope(|scope| {
            let op = SystemOperation::max();
            let request = self
                .comm
                .immediate_all_reduce_into(scope, &sent[..], &mut all[..], op);
            let waits = || format!("has waited in {name} for the other ranks");
            Patience::new(self).wait_for(request, waits);
        });
        let same = (0..4).all(|i| all[i] == -all[5 + i]);
        if same && all[4] == 0 {
            return Ok(());
        }
        let mut rows = vec![0i64; 5 * self.size];
        self.comm.all_gather_into(&own[..], &mut rows[..]);
        match fault {
            Some(fault) => Err(fault),
            None if same => {
                let is_guilty = |row: &&[i64]| row[4] != 0;
                let guilty = rows.chunks(5).position(|row| is_guilty(&row));
                Err(format!(
                    "rank {} refuses its arguments of {name}, and says why",
                    guilty.unwrap_or_default()
                ))
            }
            None => Err(disagreement(&rows)),
        }
    }

    /// Lets messages on their way proceed, and forgets those that have arrived.
    fn progress(&mut self) {
        self.pending.retain_mut(|pending| {
            let mut done = 0;
            // SAFETY: a request that MPI gave and that is not complete yet.
            unsafe { ffi::MPI_Test(&mut pending.request, &mut done, ffi::RSMPI_STATUS_IGNORE) };
            done == 0
        });
    }

    /// Sends bytes without waiting for the receiver.
    pub fn post(&mut self, data: Vec<u8>, to: usize, tag: i32) -> Result<(), String> {
        let count = c_int::try_from(data.len()).map_err(|_| too_many(data.len()))?;
        // SAFETY: `data` is neither moved in memory nor written to until the request is complete; handles are valid.
        let request = unsafe {
            let mut request = ffi::RSMPI_REQUEST_NULL;
            let (address, ty) = (data.as_ptr().cast(), ffi::RSMPI_UINT8_T);
            let comm = self.comm.as_raw();
            ffi::MPI_Isend(address, count, ty, to as c_int, tag, comm, &mut request);
            request
        };
        let _data = data;
        self.pending.push(Pending { request, _data });
        self.progress();
        Ok(())
    }

    /// The bytes of the next message from a rank with this tag.
    pub fn take(&mut self, from: usize, tag: i32) -> Vec<u8> {
        let mut patience = Patience::new(self);
        loop {
            let source = self.comm.process_at_rank(from as i32);
            if let Some((message, status)) = source.immediate_matched_probe_with_tag(tag) {
                let mut data = vec![0u8; status.count(u8::equivalent_datatype()) as usize];
                message.matched_receive_into(&mut data[..]);
                return data;
            }
            self.progress();
            patience.wait(|| {
                format!("has waited in recv for a message with tag {tag} from rank {from}")
            });
        }
    }

    /// Ends all ranks.
    fn abort(&self, why: &str) -> ! {
        say(format!(
            "mooncake-mpi: rank {} of {} {why}: it ends the job",
            self.rank, self.size
        ));
        self.comm.abort(1)
    }
}

/// What to say of a number of elements that MPI has no numbers for.
pub fn too_many(count: usize) -> String {
    format!(
        "{count} numbers at once; MPI takes at most {} bytes in a message",
        c_int::MAX
    )
}

/// Who calls what.
fn disagreement(rows: &[i64]) -> String {
    let says = |(rank, row): (usize, &[i64])| {
        let name = *FUNCTIONS.get(row[0] as usize).unwrap_or(&"(unknown)");
        let what = match row[1] {
            0 => String::new(),
            width => format!(" of {} f{}", row[2], 8 * width),
        };
        let detail = match (name, row[3]) {
            ("reduce_sum" | "broadcast" | "gather" | "scatter", root) => {
                format!(" with root {root}")
            }
            ("halo_exchange" | "halo_sum", 1) => " that is periodic".to_owned(),
            _ => String::new(),
        };
        format!("rank {rank} calls {name}{what}{detail}")
    };
    let mut all: Vec<String> = rows.chunks(5).enumerate().map(says).collect();
    if all.len() > 8 {
        // The first, and the first that differs from it.
        let differs = |row: &[i64]| row[..4] != rows[..4];
        let other = rows.chunks(5).position(differs).unwrap_or(1);
        all = vec![all[0].clone(), all[other].clone()];
    }
    format!("the ranks do not call the same: {}", all.join(", "))
}

/// Writes a line to stderr at once: what several ranks write piece by piece is mixed.
fn say(line: String) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Waiting for others, but not for ever.
pub struct Patience {
    place: (usize, usize),
    began: Instant,
    timeout: Duration,
    rounds: u32,
}

impl Patience {
    pub fn new(world: &World) -> Patience {
        Patience {
            place: (world.rank, world.size),
            began: Instant::now(),
            timeout: world.timeout,
            rounds: 0,
        }
    }
    /// Waits until a request is complete.
    pub fn wait_for<'a, D: ?Sized, S: Scope<'a>>(
        &mut self,
        mut request: Request<'a, D, S>,
        what: impl Fn() -> String,
    ) {
        while let Err(open) = request.test() {
            request = open;
            self.wait(&what);
        }
    }
    /// Waits a little, and ends the job if that was too often. At first the processor is kept: the others may be there already. Later it is offered to
    /// others at every look: where something else runs too, the rank that is waited for may be one that has no processor. To sleep
    /// instead is worse: with a program that computes on each core, `examples/heat.rs` takes three times as long, as a rank that sleeps comes back late.
    pub fn wait(&mut self, what: impl Fn() -> String) {
        self.rounds += 1;
        if self.rounds < 64 {
            return std::hint::spin_loop();
        }
        std::thread::yield_now();
        if self.rounds.is_multiple_of(64) && self.began.elapsed() > self.timeout {
            let (rank, size) = self.place;
            let seconds = self.timeout.as_secs_f64();
            say(format!(
                "mooncake-mpi: rank {rank} of {size} {} for {seconds} s (MOONCAKE_MPI_TIMEOUT): it ends the job",
                what()
            ));
            SimpleCommunicator::world().abort(1)
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn register_exit() {
    unsafe extern "C" {
        fn on_exit(function: extern "C" fn(c_int, *mut c_void), data: *mut c_void) -> c_int;
    }
    extern "C" fn exits(status: c_int, _: *mut c_void) {
        at_exit(status);
    }
    // SAFETY: glibc's function of this signature. Packs are never unloaded, so what is registered stays there.
    unsafe { on_exit(exits, std::ptr::null_mut()) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn register_exit() {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    // What the process ends with is not known here: a rank that fails is waited for until the others lose patience.
    extern "C" fn exits() {
        at_exit(0);
    }
    // SAFETY: C's function of this signature. Packs are never unloaded, so what is registered stays there.
    unsafe { atexit(exits) };
}

/// Ends MPI with the process. A process that fails ends the others: they would wait for it for ever.
fn at_exit(status: c_int) {
    if environment::is_finalized() {
        return;
    }
    let mut held = WORLD.try_lock().ok();
    let world = held.as_mut().and_then(|world| world.as_mut());
    match (status, world) {
        (0, Some(world)) => {
            let mut patience = Patience::new(world);
            while !world.pending.is_empty() {
                world.progress();
                patience.wait(|| "has waited at its end for a message that nobody receives".into());
            }
        }
        (0, None) => {}
        (_, Some(world)) => world.abort(&format!("ends with exit code {status}")),
        (_, None) => {
            say(format!(
                "mooncake-mpi: a rank ends with exit code {status}: it ends the job"
            ));
            SimpleCommunicator::world().abort(status)
        }
    }
    // SAFETY: MPI was started, is not finalised, and nothing of it is used any more.
    unsafe { ffi::MPI_Finalize() };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_told_apart() {
        let open = "Open MPI v4.1.4, package: Debian Open MPI, ident: 4.1.4";
        let mpich = "MPICH Version:      4.0.2\nMPICH Release date: …";
        assert_eq!(identity(open), Some(("Open MPI", 4)));
        assert_eq!(identity(mpich), Some(("MPICH", 4)));
        assert_eq!(check_library(open, "Open MPI 4.1.2"), Ok(()));
        assert_eq!(check_library(open, "an unknown MPI"), Ok(()));
        assert_eq!(
            check_library(open, "MPICH 4.0.2").unwrap_err(),
            "this pack is built against MPICH 4.0.2, and the process has Open MPI v4.1.4: build the pack again where it runs, with that MPI's `mpicc` first in PATH"
        );
        assert!(check_library(mpich, "Open MPI 4.1.4").is_err());
        assert!(check_library("something else", "Open MPI 4.1.4").is_err());
        assert_ne!(identity(BUILT), None, "{BUILT}");
    }

    #[test]
    fn the_message_says_who_calls_what() {
        let rows = [
            [Function::allreduce_sum as i64, 8, 3, 0, 0],
            [Function::broadcast as i64, 4, 2, 1, 0],
            [Function::barrier as i64, 0, 0, 0, 0],
        ];
        assert_eq!(
            disagreement(rows.as_flattened()),
            "the ranks do not call the same: rank 0 calls allreduce_sum of 3 f64, rank 1 calls broadcast of 2 f32 with root 1, rank 2 calls barrier"
        );
    }
}

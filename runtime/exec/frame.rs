//! The frame of one call: what compiled code sees of it, the tape and the objects behind it, and the way to the host.

use super::arena::Arena;
use super::elements;
use super::native::NativeCall;
use super::parallel::Shared;
use super::pool::Home;
use super::tape::Tape;
use super::{Address, Host, Limits, Program, SiteOp, Stats, fault, stack};
use crate::codegen::cpu::abi::{FAULT_VALUES, Header, NO_FAULT};
use crate::codegen::cpu::{FaultSite, Parallel, words};
use crate::diag::{Error, Result};
use crate::ir::{HostOp, Type};
use crate::plugin::Pullback;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// The state of one call. Compiled code has its address, and reads and writes the header.
#[repr(C)]
pub struct Frame {
    /// First, so that its address is the frame's.
    header: Header,
    tape: Tape,
    arena: Arena,
    /// What `rrule`s have given and the reverse pass has not come to.
    pullbacks: Vec<Pullback>,
    /// What failed outside compiled code.
    error: Option<Error>,
    /// Set while compiled code runs.
    running: Option<Running>,
    /// Whether it runs iterations that threads share already: those within them run in order.
    is_shared: bool,
    /// Whose it is if it is large.
    pub home: Home,
}

/// What compiled code may ask for while it runs. The pointers are valid for that time: [`Frame::run`] has borrowed
/// what they point to.
#[derive(Clone, Copy)]
struct Running {
    program: NonNull<Program>,
    host: NonNull<dyn Host>,
    /// The program that was called from outside: it knows who makes what is declared.
    first: NonNull<Program>,
}

// SAFETY: the pointers in the header are to the frame's own chunks, and `running` is set only during a call, which
// borrows the frame mutably.
unsafe impl Send for Frame {}

impl Frame {
    /// A frame without records and objects.
    pub fn new(limits: Limits) -> Box<Frame> {
        Box::new(Frame {
            header: Header {
                tape_top: 0,
                tape_start: 0,
                tape_end: 0,
                tape_peak: 0,
                stack_limit: 0,
                tape_push,
                tape_pop,
                object_top: 0,
                object_end: 0,
                alloc,
                host,
                on_demand,
                parallel,
                fault_site: NO_FAULT,
                fault_values: [0; FAULT_VALUES],
            },
            tape: Tape::new(limits.tape),
            arena: Arena::new(limits.objects),
            pullbacks: Vec::new(),
            error: None,
            running: None,
            is_shared: false,
            home: Home::new(),
        })
    }

    /// Forgets the records and the objects of the last call.
    pub fn reset(&mut self) {
        self.tape.reset(&mut self.header);
        self.arena.reset(&mut self.header);
    }

    /// How many bytes it holds, in use or not.
    pub fn bytes(&self) -> usize {
        self.tape.bytes() + self.arena.bytes()
    }

    /// Drops the pullbacks that nobody has called, the last first. When a call ends it does not wait for the next one.
    pub fn drop_pullbacks(&mut self) {
        while self.pullbacks.pop().is_some() {}
    }

    /// A new object.
    pub fn alloc(&mut self, bytes: usize) -> Result<usize> {
        self.arena.alloc(&mut self.header, bytes).ok_or_else(|| {
            let used = self.stats().object_bytes;
            let size = match bytes {
                // What compiled code asks for when the size overflows.
                usize::MAX => "endless".to_owned(),
                _ => format!("of {bytes} bytes"),
            };
            Error::Memory(format!(
                "the objects of the call take {used} bytes, and one that is {size} does not fit: work on parts of the data"
            ))
        })
    }

    /// Whether that many bytes from the address on belong to objects of this call.
    pub fn contains(&self, at: Address, bytes: usize) -> bool {
        self.bytes_from(at).is_some_and(|there| bytes <= there)
    }
    /// How many bytes of objects there are from the address on, one after the other.
    pub fn bytes_from(&self, at: Address) -> Option<usize> {
        self.arena.bytes_from(&self.header, at.0)
    }

    /// What was used since the last `reset`.
    pub fn stats(&self) -> Stats {
        Stats {
            tape_bytes: self.tape.peak(&self.header),
            object_bytes: self.arena.in_use(&self.header),
        }
    }

    /// Whether the tape is as it was when the call began.
    pub fn balance(&self, function: &str) -> Result<()> {
        match self.tape.in_use(&self.header) {
            0 if !self.pullbacks.is_empty() => {
                let left = self.pullbacks.len();
                Err(Error::Internal(format!(
                    "`{function}` leaves {left} pullbacks of native rules"
                )))
            }
            0 => Ok(()),
            left => Err(Error::Internal(format!(
                "`{function}` leaves {left} bytes on the tape"
            ))),
        }
    }

    /// Runs compiled code of a program on this frame: `enter` calls it with the address of the header and gives its status.
    pub fn run(
        &mut self,
        program: &Program,
        host: &dyn Host,
        enter: impl FnOnce(*mut Header) -> u32,
    ) -> Result<()> {
        // SAFETY: only the lifetime changes; the pointer is gone before this function returns.
        let host: &'static dyn Host = unsafe { std::mem::transmute::<&dyn Host, _>(host) };
        self.running = Some(Running {
            program: NonNull::from(program),
            host: NonNull::from(host),
            first: NonNull::from(program),
        });
        let done = self.run_alone(&program.code.faults, enter);
        self.running = None;
        done
    }

    /// The same for code that asks nothing of anybody.
    pub fn run_alone(
        &mut self,
        faults: &[FaultSite],
        enter: impl FnOnce(*mut Header) -> u32,
    ) -> Result<()> {
        self.header.stack_limit = stack::limit();
        self.header.fault_site = NO_FAULT;
        match enter((&raw mut *self).cast()) {
            0 => Ok(()),
            _ => Err(self.failure(faults)),
        }
    }

    /// Why compiled code gave up.
    #[cold]
    fn failure(&mut self, faults: &[FaultSite]) -> Error {
        if let Some(error) = self.error.take() {
            return error;
        }
        match faults.get(self.header.fault_site as usize) {
            Some(site) => Error::Fault(fault::diagnostic(site, &self.header.fault_values)),
            None => Error::Internal("compiled code failed without saying why".to_owned()),
        }
    }

    /// What compiled code is told of an outcome.
    fn status(&mut self, done: Result<()>) -> u32 {
        match done {
            Ok(()) => 0,
            Err(error) => {
                self.error = Some(error);
                1
            }
        }
    }

    fn call_host(&mut self, site: u32, args: *const u64, results: *mut u64) -> Result<()> {
        let gone = || Error::Internal(format!("the program has no site {site}"));
        let Running { program, host, .. } = self.running.ok_or_else(gone)?;
        // SAFETY: whoever has set `running` holds both borrows for as long as compiled code runs, which has called this.
        let (program, host) = unsafe { (program.as_ref(), host.as_ref()) };
        let site = program.code.sites.get(site as usize).ok_or_else(gone)?;
        let (count, count_out) = site.words;
        // SAFETY: compiled code has laid out the words of these types in stack slots of its own; results are written
        // there as zeros first because reading uninitialised memory is not allowed.
        let (args, results) = unsafe {
            std::ptr::write_bytes(results, 0, count_out);
            (
                std::slice::from_raw_parts(args, count),
                std::slice::from_raw_parts_mut(results, count_out),
            )
        };
        // Compiled code cannot be unwound.
        catch_unwind(AssertUnwindSafe(|| match &site.op {
            SiteOp::Native(native) => {
                let call = NativeCall {
                    native,
                    site,
                    args,
                    host,
                };
                // SAFETY: the words are compiled code's, which may read the memory behind slices, and write it if they are mutable.
                unsafe { call.run(results, &mut self.pullbacks) }
            }
            // SAFETY: as above; what is written to is the program's own memory, which no other reference is into while it runs.
            SiteOp::Host(HostOp::FromSlice) => unsafe {
                results[0] = elements::from_slice(site, args, host)?;
                Ok(())
            },
            // SAFETY: as above.
            SiteOp::Host(HostOp::Overwrite) => unsafe { elements::overwrite(site, args, host) },
            SiteOp::Host(_) | SiteOp::SameShape(_) | SiteOp::Map(_) | SiteOp::Cluster(_) => {
                host.call(site, args, results)
            }
        }))
        .unwrap_or_else(|_| Err(Error::Internal("a panic in an array operation".to_owned())))
    }

    /// Calls a function that the running program declares, on this frame.
    fn call_on_demand(&mut self, number: u32, args: *const u64, results: *mut u64) -> Result<()> {
        let gone = || Error::Internal(format!("the program declares no function {number}"));
        let caller = self.running.ok_or_else(gone)?;
        // SAFETY: whoever has set `running` holds both borrows for as long as compiled code runs, which has called this.
        let (program, first) = unsafe { (caller.program.as_ref(), caller.first.as_ref()) };
        // Compiled code cannot be unwound.
        let linked = catch_unwind(AssertUnwindSafe(|| program.linked(number as usize, first)));
        let panic = |_| Error::Internal("a panic while a function was made".to_owned());
        let (callee, root) = linked.map_err(panic)?.ok_or_else(gone)??;
        callee.check_packs()?;
        self.running = Some(Running {
            program: NonNull::from(&*callee),
            ..caller
        });
        let entry = callee.code.roots[root].entry;
        // SAFETY: `callee` is alive until this returns. Compiled code has laid out the words of the types that it knows the function by,
        // which `linked` has compared, and room for its results.
        let status = unsafe { entry((&raw mut *self).cast(), args, results) };
        let outcome = match status {
            0 => callee.check_packs(),
            _ => Err(self.failure(&callee.code.faults)),
        };
        self.running = Some(caller);
        outcome
    }
}

impl Frame {
    /// Calls a parallel function of the running program.
    fn call_parallel(&mut self, number: u32, args: *const u64, results: *mut u64) -> Result<()> {
        let gone = || Error::Internal(format!("the program has no parallel function {number}"));
        let Running { program, host, .. } = self.running.ok_or_else(gone)?;
        // SAFETY: whoever has set `running` holds both borrows for as long as compiled code runs, which has called this.
        let (program, host) = unsafe { (program.as_ref(), host.as_ref()) };
        let function = program
            .code
            .parallel
            .get(number as usize)
            .ok_or_else(gone)?;
        if self.is_shared {
            return self.run_part(function, program, args, results);
        }
        // SAFETY: compiled code has laid out the words of these types, and room for the results, which are written as zeros first
        // because reading uninitialised memory is not allowed.
        let call = unsafe {
            std::ptr::write_bytes(results, 0, function.root.words);
            Shared::new(
                function,
                program,
                std::slice::from_raw_parts(args, words(Type::tuple(&function.root.params))),
            )
        };
        self.is_shared = true;
        // Compiled code cannot be unwound.
        let done = catch_unwind(AssertUnwindSafe(|| call.run(self, host)));
        self.is_shared = false;
        let panic = |_| Error::Internal("a panic while threads shared iterations".to_owned());
        let sums = done.map_err(panic)??;
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(sums.as_ptr(), results, sums.len()) };
        Ok(())
    }

    /// Runs iterations of a parallel function of the running program on this frame.
    pub fn run_part(
        &mut self,
        function: &Parallel,
        program: &Program,
        args: *const u64,
        results: *mut u64,
    ) -> Result<()> {
        // SAFETY: the words are those that compiled code has laid out for this function, of which `Shared` changes only where a range begins and ends, and
        // the address of memory that is added to, for that of a copy.
        match unsafe { (function.root.entry)((&raw mut *self).cast(), args, results) } {
            0 => Ok(()),
            _ => Err(self.failure(&program.code.faults)),
        }
    }

    /// The same on a frame of a thread's own.
    pub fn run_part_apart(
        &mut self,
        function: &Parallel,
        program: &Program,
        host: &dyn Host,
        args: *const u64,
        results: *mut u64,
    ) -> Result<()> {
        self.is_shared = true;
        let root = &function.root;
        // SAFETY: as for `run_part`.
        let done = self.run(program, host, |header| unsafe {
            (root.entry)(header, args, results)
        });
        self.is_shared = false;
        done.and_then(|()| program.check_packs())
    }
}

/// The frame of a header, and its header apart from the rest.
///
/// # Safety
/// The header must be that of a frame on which compiled code runs, and that code must be waiting for the caller.
unsafe fn frame<'a>(header: *mut Header) -> &'a mut Frame {
    // SAFETY: `Frame::run` has passed the address of the whole frame, of which the header is the first field.
    unsafe { &mut *header.cast::<Frame>() }
}

unsafe extern "C" fn tape_push(header: *mut Header, bytes: usize) -> usize {
    // SAFETY: compiled code calls this with the frame it was given.
    let frame = unsafe { frame(header) };
    match frame.tape.push(&mut frame.header, bytes) {
        Some(address) => address,
        None => {
            let more = if bytes == usize::MAX {
                "endless"
            } else {
                "too large"
            };
            let used = frame.stats().tape_bytes;
            frame.error = Some(Error::Memory(format!(
                "the tape holds {used} bytes, and a record that is {more} ({bytes} bytes) does not fit: work on parts of the data"
            )));
            0
        }
    }
}

unsafe extern "C" fn tape_pop(header: *mut Header, bytes: usize) -> usize {
    // SAFETY: compiled code calls this with the frame it was given.
    let frame = unsafe { frame(header) };
    frame.tape.pop(&mut frame.header, bytes)
}

unsafe extern "C" fn alloc(header: *mut Header, bytes: usize) -> usize {
    // SAFETY: compiled code calls this with the frame it was given.
    let frame = unsafe { frame(header) };
    frame.alloc(bytes).unwrap_or_else(|error| {
        frame.error = Some(error);
        0
    })
}

unsafe extern "C" fn host(
    header: *mut Header,
    site: u32,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: compiled code calls this with the frame it was given.
    let frame = unsafe { frame(header) };
    let done = frame.call_host(site, args, results);
    frame.status(done)
}

unsafe extern "C" fn parallel(
    header: *mut Header,
    number: u32,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: compiled code calls this with the frame it was given.
    let frame = unsafe { frame(header) };
    let done = frame.call_parallel(number, args, results);
    frame.status(done)
}

unsafe extern "C" fn on_demand(
    header: *mut Header,
    number: u32,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: compiled code calls this with the frame it was given.
    let frame = unsafe { frame(header) };
    let done = frame.call_on_demand(number, args, results);
    frame.status(done)
}

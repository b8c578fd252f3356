//! The GPU, through wgpu: Vulkan, Metal or DX12, software adapters included.
//!
//! Nothing waits before a host value is asked for: operations are recorded and submitted in batches (`recorder`), their
//! results are buffers from a pool (`pool`). Kernels are compiled once (`pipelines`). `adapter` knows which sizes suit which
//! class of adapter; the other files say how an operation becomes dispatches of kernels. There is one queue, and it runs in order: that is why
//! no operation here synchronises anything.
//!
//! Elements are f32, i32 or u32, and f64 where the adapter has it and computes with it what it should (`trust`).

mod adapter;
mod gather;
mod map;
mod matmul;
mod pipelines;
mod place;
mod pool;
mod recorder;
mod rows;
mod scan;
mod shader;
mod store;
mod trust;
#[cfg(test)]
mod double;
#[cfg(test)]
mod tests;

use super::backend::{
    Backend, Buffer, KernelInput, KernelProgram, MapProgram, Operand, Places, ShaderCall, View,
    dense_strides,
};
use crate::diag::{Error, Result};
use crate::ir::Type;
use adapter::Profile;
use mooncake_shaders::Scalar;
use pipelines::Pipelines;
use pool::{GpuMemory, Pool, lock};
use recorder::{Events, Recorder};
use smallvec::SmallVec;
use std::any::Any;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use store::Store;

/// An adapter's device.
pub struct Gpu {
    name: String,
    /// Distinguishes devices in what programs remember.
    id: u64,
    device: wgpu::Device,
    queue: wgpu::Queue,
    limits: wgpu::Limits,
    profile: Profile,
    /// Whether the adapter is software.
    software: bool,
    /// Whether kernels may have numbers of 64 bits.
    wide: bool,
    /// Whether kernels may load and store elements of 16 bits.
    halves: bool,
    /// Whether it computes with f64 what it should, once that was asked.
    trusted: OnceLock<bool>,
    /// One zero, of any type.
    zero: OnceLock<Buffer>,
    pipelines: Pipelines,
    pool: Arc<Mutex<Pool>>,
    events: Arc<Mutex<Events>>,
    recorder: Mutex<Recorder>,
}

impl Gpu {
    /// The process's GPU, opened at the first call; opened again if the device was lost since.
    pub fn shared() -> Result<Arc<Gpu>> {
        static SHARED: Mutex<Option<Result<Arc<Gpu>>>> = Mutex::new(None);
        let mut shared = lock(&SHARED);
        match &*shared {
            Some(Ok(gpu)) if gpu.is_lost() => {}
            Some(found) => return found.clone(),
            None => {}
        }
        shared.insert(Gpu::open().map(Arc::new)).clone()
    }

    /// An error if there is no adapter but software.
    pub fn find_hardware() -> Result<()> {
        static FOUND: OnceLock<Result<()>> = OnceLock::new();
        FOUND.get_or_init(adapter::find_hardware).clone()
    }

    /// Whether the adapter is software.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// A device of its own on the best adapter.
    pub fn open() -> Result<Gpu> {
        Gpu::open_with(store::folder().as_deref())
    }

    /// `kept`: the folder of compiled kernels.
    fn open_with(kept: Option<&Path>) -> Result<Gpu> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let opened = adapter::open()?;
        let store = kept.and_then(|folder| Store::open(&opened.device, &opened.info, folder));
        let limits = opened.device.limits();
        let events = Arc::new(Mutex::new(Events::default()));
        listen(&opened.device, &events);
        Ok(Gpu {
            name: opened.name,
            id: OPENED.fetch_add(1, Ordering::Relaxed),
            pipelines: Pipelines::new(store, !opened.software),
            pool: Arc::new(Mutex::new(Pool::new(&limits))),
            recorder: Mutex::new(Recorder::new(&opened.device)),
            events,
            limits,
            profile: opened.profile,
            software: opened.software,
            wide: opened.wide,
            halves: opened.halves,
            trusted: OnceLock::new(),
            zero: OnceLock::new(),
            device: opened.device,
            queue: opened.queue,
        })
    }

    /// The memory behind a buffer of this device.
    fn memory<'a>(&self, buffer: &'a Buffer) -> Result<&'a GpuMemory> {
        let any: &dyn Any = &**buffer;
        any.downcast_ref::<GpuMemory>()
            .filter(|memory| memory.is_from(&self.pool))
            .ok_or_else(|| {
                Error::Array(format!(
                    "an array of another device in an operation on {}: move it with `to_device`",
                    self.name
                ))
            })
    }

    /// Refuses a view whose indices need more than 32 bits. (It repeats its elements: no buffer is as large as that.)
    fn countable(&self, view: &View) -> Result<()> {
        match u32::try_from(view.len()) {
            Ok(_) => Ok(()),
            Err(_) => Err(self.trouble(&format!(
                "an operation on an array of shape {:?}: expected at most {} elements: work on parts of it, or on Device::cpu()",
                &view.shape[..],
                u32::MAX
            ))),
        }
    }

    /// The view with its elements one after another: itself, or a copy.
    fn dense(&self, view: &View) -> Result<View> {
        match view.is_dense() {
            // A view without elements counts as dense whatever its strides are.
            true => Ok(View {
                strides: dense_strides(&view.shape),
                ..view.clone()
            }),
            false => Ok(View::dense(self.copy(view)?, view.ty, &view.shape)),
        }
    }

    /// Extents of a dispatch of that many workgroups: a second dimension where one is too short.
    fn spread(&self, groups: u64) -> [u32; 3] {
        let most = u64::from(self.limits.max_compute_workgroups_per_dimension);
        let across = groups.clamp(1, most);
        [across as u32, groups.div_ceil(across).max(1) as u32, 1]
    }
}

/// What is copied from the host to the device and back has a multiple of so many bytes.
const WORD: usize = 4;

/// The bytes of an element.
fn size(ty: Type) -> usize {
    ty.size().unwrap_or(4)
}

/// What the kernels that are written by hand call the type of floats.
fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::F64 => Scalar::F64,
        _ => Scalar::F32,
    }
}

/// What the device calls back with is kept until the next read.
fn listen(device: &wgpu::Device, events: &Arc<Mutex<Events>>) {
    let kept = events.clone();
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        lock(&kept).error.get_or_insert_with(|| error.to_string());
    }));
    let kept = events.clone();
    device.set_device_lost_callback(move |_, message| {
        lock(&kept).lost.get_or_insert(message);
    });
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gpu({})", self.name)
    }
}

impl Backend for Gpu {
    fn name(&self) -> &str {
        &self.name
    }
    fn holds(&self, ty: Type) -> bool {
        match ty {
            Type::F32 | Type::I32 | Type::U32 => true,
            Type::F64 => self.holds_f64(),
            Type::F16 => self.halves,
            _ => false,
        }
    }
    fn most_bytes(&self) -> usize {
        lock(&self.pool).most() as usize
    }
    fn upload(&self, bytes: &[u8]) -> Result<Buffer> {
        if !matches!(bytes, [0, 0] | [0, 0, 0, 0] | [0, 0, 0, 0, 0, 0, 0, 0]) {
            return Ok(Arc::new(self.write(bytes)?));
        }
        // Zeros everywhere in some shape are asked for in every iteration of some loops.
        if let Some(zero) = self.zero.get() {
            return Ok(zero.clone());
        }
        let zero = self.write(&[0; 8])?;
        Ok(self.zero.get_or_init(|| Arc::new(zero)).clone())
    }
    fn download(&self, view: &View) -> Result<Vec<u8>> {
        let view = self.dense(view)?;
        let memory = self.memory(&view.buffer)?;
        let size = size(view.ty);
        let (start, bytes) = (view.offset * size, view.len() * size);
        // Words are copied, whatever the elements are.
        let first = start / WORD * WORD;
        let end = (start + bytes).next_multiple_of(WORD);
        let mut read = self.read(memory, first, end - first)?;
        read.truncate(start + bytes - first);
        Ok(read.split_off(start - first))
    }
    fn is_lost(&self) -> bool {
        // The callback that tells of it is made while polling.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.alive().is_err()
    }
    fn copy(&self, view: &View) -> Result<Buffer> {
        self.copy_view(view)
    }
    fn map(
        &self,
        program: &MapProgram,
        inputs: &[Operand],
        shape: &[usize],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        self.map_program(program, inputs, shape)
    }
    fn kernel(
        &self,
        program: &KernelProgram,
        inputs: &[KernelInput],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        for input in inputs {
            if let KernelInput::View(view) = input {
                self.countable(view)?;
            }
        }
        let operands: Option<SmallVec<[Operand; 8]>> =
            inputs.iter().map(KernelInput::operand).collect();
        match operands {
            Some(operands) => self.run_kernel(program, &operands),
            None => self.product_kernel(program, inputs),
        }
    }
    fn most_arrays(&self) -> usize {
        // One of the bindings may be the report of faults.
        self.limits.max_storage_buffers_per_shader_stage as usize - 1
    }
    fn finish(&self) -> Result<()> {
        self.wait()
    }
    fn shader(&self, call: &ShaderCall) -> Result<SmallVec<[Buffer; 2]>> {
        self.run_shader(call)
    }
    fn matmul(&self, a: &View, b: &View) -> Result<Buffer> {
        self.countable(a)?;
        self.countable(b)?;
        self.matrix_product(a, b)
    }
    fn joins_products(&self, ty: Type, batch: usize, extents: (usize, usize, usize)) -> bool {
        self.tiling(ty, batch, extents).is_joined()
    }
    fn gather(
        &self,
        operation: &'static str,
        view: &View,
        axis: usize,
        index: &View,
    ) -> Result<Buffer> {
        self.countable(view)?;
        self.countable(index)?;
        self.gathered(operation, view, axis, index)
    }
    fn place(&self, whole: View, part: &View, places: Places, add: bool) -> Result<Buffer> {
        self.countable(&whole)?;
        self.placed(whole, part, places, add)
    }
    fn concat(&self, parts: &[&View], axis: usize, shape: &[usize]) -> Result<Buffer> {
        parts.iter().try_for_each(|part| self.countable(part))?;
        self.joined(parts, axis, shape)
    }
    fn cumsum(&self, view: &View, axis: usize) -> Result<Buffer> {
        self.countable(view)?;
        self.running_sums(view, axis)
    }
}

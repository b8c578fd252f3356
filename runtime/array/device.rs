//! Where arrays live and operations on them run.

use super::backend::{
    Backend, Buffer, KernelInput, KernelProgram, MapProgram, Operand, Places, View,
};
use super::cpu::Cpu;
#[cfg(feature = "gpu")]
use super::gpu::Gpu;
use super::rehearsal::Rehearsal;
use crate::context::{Context, ContextBuilder};
use crate::diag::{Error, Result, notice};
use crate::exec::Source;
use crate::ir::Type;
use crate::kernel::Input;
use log::Level;
use smallvec::SmallVec;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A device: the CPU, or a GPU. Clones name the same device.
///
/// ```
/// use mooncake::prelude::*;
///
/// # fn main() -> mooncake::Result<()> {
/// // The CPU is always there; `Device::gpu()` is an error that says why where there is no GPU.
/// let device = Device::gpu().unwrap_or(Device::cpu());
/// let x = Array::from_vec_on(&device, vec![1.0f32, 2.0], [2]);
/// assert_eq!((&x + &x).to_vec()?, [2.0, 4.0]);
/// // Arrays of different devices do not meet: move one.
/// let there = x.to_device(&Device::cpu());
/// assert_eq!(there.device().name(), "cpu");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Device {
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Cpu,
    /// A GPU, or what stands for one.
    Gpu(Arc<dyn Backend>),
    Missing(Arc<Missing>),
}

/// The environment variable that chooses the default device.
const VARIABLE: &str = "MOONCAKE_DEVICE";
/// Where a name from this variable was found, in an error.
const IN_VARIABLE: &str = " in MOONCAKE_DEVICE";

impl Device {
    /// The CPU: always there.
    pub fn cpu() -> Device {
        Device { kind: Kind::Cpu }
    }

    /// The GPU: the best adapter there is, a software adapter if there is no other; then a notice says so. An error
    /// that says why if there is none. Opened once in a process, and again after it was lost.
    #[cfg(feature = "gpu")]
    pub fn gpu() -> Result<Device> {
        let gpu = Gpu::shared()?;
        if gpu.is_software() {
            static NOTE: OnceLock<()> = OnceLock::new();
            NOTE.get_or_init(|| {
                notice(
                    Level::Warn,
                    format_args!(
                        "the GPU is a software adapter: {} (the CPU itself is faster)",
                        gpu.name()
                    ),
                )
            });
        }
        Ok(Device {
            kind: Kind::Gpu(gpu),
        })
    }

    /// An error: this build has no GPUs.
    #[cfg(not(feature = "gpu"))]
    pub fn gpu() -> Result<Device> {
        Err(Error::Device {
            device: "gpu".to_owned(),
            message: "this program was built without GPUs: turn the feature `gpu` of mooncake on, or use Device::cpu()".to_owned(),
        })
    }

    /// The GPU if there is one in hardware, else the CPU; then a notice says so, once in a process: one line on stderr, or, if the
    /// program has a logger (the crate `log`), a record with the target `mooncake`.
    pub fn auto() -> Device {
        #[cfg(feature = "gpu")]
        let gpu = Gpu::find_hardware().and_then(|()| Device::gpu());
        #[cfg(not(feature = "gpu"))]
        let gpu = Device::gpu();
        gpu.unwrap_or_else(|reason| {
            static NOTE: OnceLock<()> = OnceLock::new();
            NOTE.get_or_init(|| {
                let reason = one_line(&reason);
                notice(Level::Info, format_args!("running on the CPU: {reason}"));
            });
            Device::cpu()
        })
    }

    /// What the environment variable `MOONCAKE_DEVICE` asks for: `auto` (also if it is not set or empty), `gpu` or `cpu`.
    pub fn from_env() -> Result<Device> {
        match std::env::var(VARIABLE) {
            Ok(name) if !name.is_empty() => Device::named(&name, IN_VARIABLE),
            Ok(_) | Err(std::env::VarError::NotPresent) => Ok(Device::auto()),
            Err(std::env::VarError::NotUnicode(name)) => {
                Device::named(&name.to_string_lossy(), IN_VARIABLE)
            }
        }
    }

    /// The device called `auto`, `gpu` or `cpu`.
    pub fn by_name(name: &str) -> Result<Device> {
        Device::named(name, "")
    }

    fn named(name: &str, place: &'static str) -> Result<Device> {
        match name {
            "auto" => Ok(Device::auto()),
            "gpu" => Device::gpu(),
            "cpu" => {
                static NOTE: OnceLock<()> = OnceLock::new();
                NOTE.get_or_init(|| notice(Level::Info, "running on the CPU: it was asked for"));
                Ok(Device::cpu())
            }
            other => Err(Error::UnknownDevice {
                name: other.to_owned(),
                place,
            }),
        }
    }

    /// The device of arrays for which none is named: [`from_env`](Device::from_env), read once in a process, and again after
    /// the device was lost. If the environment asks for a device that is not there, everything made on this one is in
    /// error state and says so.
    pub fn default_device() -> &'static Device {
        static DEFAULT: Mutex<Option<&'static Device>> = Mutex::new(None);
        let mut default = DEFAULT.lock().unwrap_or_else(PoisonError::into_inner);
        match *default {
            Some(device) if !device.backend().is_lost() => device,
            // A device is lost rarely enough to leak a few bytes each time.
            _ => default.insert(Box::leak(Box::new(Device::from_env().unwrap_or_else(
                |error| Device {
                    kind: Kind::Missing(Arc::new(Missing(error))),
                },
            )))),
        }
    }

    /// All devices of this machine, the GPU first if there is one.
    pub fn available() -> Vec<Device> {
        Device::gpu().into_iter().chain([Device::cpu()]).collect()
    }

    /// What users call it: `cpu`, or the adapter's name.
    pub fn name(&self) -> &str {
        self.backend().name()
    }

    /// Whether this is a GPU.
    pub fn is_gpu(&self) -> bool {
        matches!(self.kind, Kind::Gpu(_))
    }

    /// Whether arrays of this type live and compute here, and not in the host's memory.
    #[doc(hidden)]
    pub fn holds(&self, ty: Type) -> bool {
        self.backend().holds(ty)
    }

    /// The most bytes of large arrays that there were at once since this was last asked.
    #[doc(hidden)]
    pub fn most_bytes(&self) -> usize {
        self.backend().most_bytes()
    }

    /// A GPU that a test has opened.
    #[cfg(all(test, feature = "gpu"))]
    pub(super) fn of_gpu(gpu: super::gpu::Gpu) -> Device {
        Device {
            kind: Kind::Gpu(Arc::new(gpu)),
        }
    }

    /// A device on which arrays have shapes and no elements.
    pub(super) fn rehearsal() -> Device {
        Device {
            kind: Kind::Gpu(Arc::new(Rehearsal)),
        }
    }

    /// Who does the work.
    pub(super) fn backend(&self) -> &dyn Backend {
        match &self.kind {
            Kind::Cpu => &Cpu,
            Kind::Gpu(backend) => &**backend,
            Kind::Missing(missing) => &**missing,
        }
    }

    /// Who does the work on elements of type `ty`: the CPU if the device cannot hold them, and a notice says so.
    pub(super) fn backend_for(&self, ty: Type) -> &dyn Backend {
        if self.backend().holds(ty) {
            return self.backend();
        }
        static NOTE: OnceLock<()> = OnceLock::new();
        NOTE.get_or_init(|| {
            notice(
                Level::Warn,
                format_args!(
                    "arrays of {ty} run on the CPU: {} cannot hold them",
                    self.name()
                ),
            )
        });
        &Cpu
    }

    /// Whether it is the CPU.
    pub(super) fn is_cpu(&self) -> bool {
        matches!(self.kind, Kind::Cpu)
    }

    /// A function of numbers on every element of arrays, whose bits are given and come back.
    pub(crate) fn map_bits(&self, program: &MapProgram, args: &[Vec<u32>]) -> Result<Vec<u32>> {
        let function = &program.module.functions[&program.function];
        let shape = [args.first().map_or(0, Vec::len)];
        let operand = |(bits, ty): (&Vec<u32>, Type)| {
            let buffer = self.backend().upload(bytemuck::cast_slice(bits))?;
            Ok(Operand::View(View::dense(buffer, ty, &shape)))
        };
        let operands: Vec<Operand> = { args.iter().zip(function.param_types()) }
            .map(operand)
            .collect::<Result<_>>()?;
        let made = self.backend().map(program, &operands, &shape)?;
        let view = View::dense(made[0].clone(), program.outputs[0], &shape);
        Ok(bytemuck::pod_collect_to_vec(
            &self.backend().download(&view)?,
        ))
    }

    /// What a kernel makes of the bytes of its inputs, each with the element at which it begins.
    pub(crate) fn kernel_bytes(
        &self,
        program: &KernelProgram,
        inputs: &[(Vec<u64>, usize)],
    ) -> Result<Vec<Vec<u8>>> {
        let kernel = &program.kernel;
        let buffers = match self.is_cpu() {
            true => {
                let sources = inputs.iter().map(|(words, start)| Source {
                    bytes: bytemuck::cast_slice(words),
                    start: *start,
                });
                let sources: Vec<Source> = sources.collect();
                super::cpu::lanes::run(
                    &*super::cpu::lanes::compiled(program)?,
                    &sources,
                    SmallVec::new(),
                )?
            }
            false => {
                let view = |((words, start), input): (&(Vec<u64>, usize), &Input)| {
                    let buffer = self.backend().upload(bytemuck::cast_slice(words))?;
                    let mut view = View::dense(buffer, input.ty, &[]);
                    view.offset = *start;
                    Ok(view)
                };
                let views = inputs.iter().zip(&kernel.inputs).map(view);
                let views: Vec<View> = views.collect::<Result<_>>()?;
                let inputs: Vec<KernelInput> = views.iter().map(KernelInput::View).collect();
                self.backend().kernel(program, &inputs)?
            }
        };
        let read = |(n, buffer)| {
            let view = View::dense(buffer, kernel.output_type(n), &[kernel.output_len(n)]);
            self.backend().download(&view)
        };
        buffers.into_iter().enumerate().map(read).collect()
    }

    /// Whether elements of this type are in the host's memory.
    pub(super) fn is_host_for(&self, ty: Type) -> bool {
        match &self.kind {
            Kind::Cpu => true,
            Kind::Gpu(backend) => !backend.holds(ty),
            Kind::Missing(_) => false,
        }
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Cpu, Kind::Cpu) => true,
            (Kind::Gpu(a), Kind::Gpu(b)) => Arc::ptr_eq(a, b),
            (Kind::Missing(a), Kind::Missing(b)) => Arc::ptr_eq(a, b),
            (Kind::Cpu | Kind::Gpu(_) | Kind::Missing(_), _) => false,
        }
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error's first line.
fn one_line(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or("").to_owned()
}

/// The device that the environment asks for and that is not there: whatever it is asked to do, it says why.
#[derive(Debug)]
struct Missing(Error);

impl Missing {
    fn refuse<T>(&self) -> Result<T> {
        Err(self.0.clone())
    }
}

impl Backend for Missing {
    fn name(&self) -> &str {
        "no device"
    }
    fn holds(&self, _: Type) -> bool {
        true
    }
    fn upload(&self, _: &[u8]) -> Result<Buffer> {
        self.refuse()
    }
    fn download(&self, _: &View) -> Result<Vec<u8>> {
        self.refuse()
    }
    fn copy(&self, _: &View) -> Result<Buffer> {
        self.refuse()
    }
    fn map(&self, _: &MapProgram, _: &[Operand], _: &[usize]) -> Result<SmallVec<[Buffer; 2]>> {
        self.refuse()
    }
    fn kernel(&self, _: &KernelProgram, _: &[KernelInput]) -> Result<SmallVec<[Buffer; 2]>> {
        self.refuse()
    }
    fn matmul(&self, _: &View, _: &View) -> Result<Buffer> {
        self.refuse()
    }
    fn gather(&self, _: &'static str, _: &View, _: usize, _: &View) -> Result<Buffer> {
        self.refuse()
    }
    fn place(&self, _: View, _: &View, _: Places, _: bool) -> Result<Buffer> {
        self.refuse()
    }
    fn concat(&self, _: &[&View], _: usize, _: &[usize]) -> Result<Buffer> {
        self.refuse()
    }
    fn cumsum(&self, _: &View, _: usize) -> Result<Buffer> {
        self.refuse()
    }
}

impl Context {
    /// Where this context's arrays are made and its programs run.
    pub fn device(&self) -> &'static Device {
        self.attached(|| Chosen(Device::default_device())).0
    }
}

impl ContextBuilder {
    /// Runs array programs there. Arrays that a differentiable function makes are there, too; called natively, the function makes them on the default
    /// device, the one that `MOONCAKE_DEVICE` names.
    pub fn device(self, device: Device) -> Self {
        self.attach(Chosen(device.interned()))
    }
}

/// A context's device.
struct Chosen(&'static Device);

impl Device {
    /// This device for the life of the process. There are as many as the machine has, whatever the number of contexts.
    fn interned(self) -> &'static Device {
        static DEVICES: Mutex<Vec<&'static Device>> = Mutex::new(Vec::new());
        let mut devices = DEVICES.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = devices.iter().find(|device| ***device == self) {
            return found;
        }
        let device: &'static Device = Box::leak(Box::new(self));
        devices.push(device);
        device
    }
}

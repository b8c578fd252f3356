//! Which adapter runs the kernels, and which sizes suit it.

use crate::diag::{Error, Result};
use mooncake_shaders::Tile;

/// An open device with what is known about it.
pub struct Opened {
    /// The adapter's name and how it is driven.
    pub name: String,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub profile: Profile,
    pub software: bool,
    /// Whether kernels may have numbers of 64 bits.
    pub wide: bool,
    /// Whether kernels may load and store elements of 16 bits.
    pub halves: bool,
    pub info: wgpu::AdapterInfo,
}

/// What kernels with f64 need: f64, and integers for the bits of one.
const WIDE: wgpu::Features = wgpu::Features::SHADER_F64.union(wgpu::Features::SHADER_INT64);

/// What kernels with elements of f16 need. They compute in f32: integers of 16 bits are enough to load and store what is in memory, on more adapters
/// than have floats of 16 bits, and with all bits of a NaN.
const HALVES: wgpu::Features = wgpu::Features::SHADER_I16;

/// Sizes that depend on the class of the adapter. On a software adapter an invocation is a lane of a CPU's vector unit: few large pieces
/// of work without barriers win. On hardware it is the other way round.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Invocations in a workgroup of an elementwise kernel.
    pub map_workgroup: u32,
    /// Whether a workgroup of an elementwise kernel takes neighbouring elements.
    pub map_blocks: bool,
    /// Workgroups over which an elementwise kernel strides.
    pub map_groups: u64,
    /// Steps of an invocation below which another workgroup is not worth starting.
    pub map_steps: u64,
    /// Iterations that all loops of one invocation together may have. Mesa's llvmpipe ends them after 65,535 without a word.
    pub loop_limit: u32,
    /// How matrices are multiplied.
    pub tile: Tile,
    /// Tiles of a product below which its k axis is cut into pieces, to occupy the adapter.
    pub busy_tiles: usize,
    /// Large tiles from which on a product has such, where [`Profile::tile`] is [`Tile::Shared`].
    pub large_tiles: usize,
    /// Invocations over which a reduction is spread.
    pub reduce_spread: usize,
    /// Whether workgroups with shared memory do reductions.
    pub reduce_in_groups: bool,
}

impl Profile {
    /// `lanes`: the invocations of a subgroup; `eight`: whether they are eight, and subgroups have operations.
    ///
    /// An elementwise kernel has workgroups of one subgroup: of several, one goes through all of its elements before the next begins, and each
    /// reads the same pages of memory again. That is three times slower.
    fn software(lanes: u32, eight: bool) -> Profile {
        let lanes = lanes.clamp(4, 64);
        Profile {
            map_workgroup: lanes,
            map_blocks: true,
            map_groups: u64::from(4096 / lanes),
            map_steps: 4,
            loop_limit: 60_000,
            tile: if eight {
                Tile::Subgroup
            } else {
                Tile::Register
            },
            busy_tiles: 32,
            large_tiles: usize::MAX,
            reduce_spread: 4096,
            reduce_in_groups: false,
        }
    }
    fn hardware() -> Profile {
        Profile {
            map_workgroup: 256,
            map_blocks: false,
            map_groups: 16_384,
            map_steps: 1,
            loop_limit: 1 << 24,
            tile: Tile::Shared,
            busy_tiles: 256,
            large_tiles: 192,
            reduce_spread: 1 << 18,
            reduce_in_groups: true,
        }
    }
    /// `sizes`: the fewest and the most invocations of a subgroup; `has_subgroups`: whether subgroups have operations.
    fn of(kind: wgpu::DeviceType, sizes: (u32, u32), has_subgroups: bool) -> Profile {
        match kind {
            wgpu::DeviceType::Cpu => Profile::software(sizes.1, has_subgroups && sizes == (8, 8)),
            wgpu::DeviceType::DiscreteGpu
            | wgpu::DeviceType::IntegratedGpu
            | wgpu::DeviceType::VirtualGpu
            | wgpu::DeviceType::Other => Profile::hardware(),
        }
    }
    fn of_adapter(adapter: &wgpu::Adapter) -> Profile {
        let info = adapter.get_info();
        let has_subgroups = adapter.features().contains(wgpu::Features::SUBGROUP);
        let sizes = (info.subgroup_min_size, info.subgroup_max_size);
        Profile::of(info.device_type, sizes, has_subgroups)
    }
}

/// Opens the fastest adapter.
pub fn open() -> Result<Opened> {
    let adapter = fastest()?;
    let info = adapter.get_info();
    let (device, queue) = request(&adapter)?;
    Ok(Opened {
        name: describe(&info),
        wide: device.features().contains(WIDE),
        halves: device.features().contains(HALVES),
        device,
        queue,
        profile: Profile::of_adapter(&adapter),
        software: is_software(&info),
        info,
    })
}

/// An error if the fastest adapter is software.
pub fn find_hardware() -> Result<()> {
    let info = fastest()?.get_info();
    match is_software(&info) {
        true => Err(trouble(
            "gpu",
            &format!(
                "the only adapter is {}, which is slower than the CPU (MOONCAKE_DEVICE=gpu takes it all the same)",
                describe(&info)
            ),
        )),
        false => Ok(()),
    }
}

/// The fastest adapter, by its kind. Others than those of Vulkan, Metal and DX12 are not asked: OpenGL's talk to displays.
fn fastest() -> Result<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends &= wgpu::Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    adapters
        .into_iter()
        .filter(|adapter| {
            let downlevel = adapter.get_downlevel_capabilities();
            downlevel
                .flags
                .contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
        })
        .min_by_key(|adapter| rank(adapter.get_info().device_type))
        .ok_or_else(|| trouble("gpu", "no adapter for Vulkan, Metal or DX12 was found"))
}

fn is_software(info: &wgpu::AdapterInfo) -> bool {
    info.device_type == wgpu::DeviceType::Cpu
}

fn rank(kind: wgpu::DeviceType) -> u32 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

fn describe(info: &wgpu::AdapterInfo) -> String {
    let software = match is_software(info) {
        true => ", software",
        false => "",
    };
    format!("{} ({}{software})", info.name, info.backend)
}

/// All that the adapter allows. No feature is needed; those of use are asked for where they are.
fn request(adapter: &wgpu::Adapter) -> Result<(wgpu::Device, wgpu::Queue)> {
    let mut features = wgpu::Features::SUBGROUP | wgpu::Features::PIPELINE_CACHE | HALVES;
    if adapter.features().contains(WIDE) {
        features |= WIDE;
    }
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("mooncake"),
        required_features: adapter.features() & features,
        required_limits: adapter.limits(),
        experimental_features: wgpu::ExperimentalFeatures::disabled(),
        memory_hints: wgpu::MemoryHints::Performance,
        trace: wgpu::Trace::Off,
    };
    pollster::block_on(adapter.request_device(&descriptor))
        .map_err(|error| trouble(&adapter.get_info().name, &error.to_string()))
}

/// What went wrong with a device, in one line.
pub fn trouble(device: &str, message: &str) -> Error {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    Error::Device {
        device: device.to_owned(),
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu, Other, VirtualGpu};

    #[test]
    fn workgroups_suit_the_class_of_the_adapter() {
        for kind in [DiscreteGpu, IntegratedGpu, VirtualGpu, Other] {
            let profile = Profile::of(kind, (32, 32), true);
            assert_eq!(profile.tile, Tile::Shared, "{kind:?}");
            assert!(profile.reduce_in_groups && !profile.map_blocks, "{kind:?}");
            assert_eq!(profile.map_workgroup, 256, "{kind:?}");
        }
        for (sizes, has_subgroups, lanes, tile) in [
            ((8, 8), true, 8, Tile::Subgroup),
            ((8, 8), false, 8, Tile::Register),
            ((4, 4), true, 4, Tile::Register),
            ((0, 0), false, 4, Tile::Register),
        ] {
            let profile = Profile::of(Cpu, sizes, has_subgroups);
            assert_eq!(profile.tile, tile, "{sizes:?}");
            assert_eq!(profile.map_workgroup, lanes, "{sizes:?}");
            // Mesa ends the loops of an invocation after 65,535 iterations.
            assert!(profile.loop_limit < 65_535 && !profile.reduce_in_groups);
        }
    }

    #[test]
    fn software_is_the_last_choice() {
        let mut kinds = [Cpu, Other, VirtualGpu, IntegratedGpu, DiscreteGpu];
        kinds.sort_by_key(|&kind| rank(kind));
        assert_eq!(kinds, [DiscreteGpu, IntegratedGpu, VirtualGpu, Other, Cpu]);
    }
}

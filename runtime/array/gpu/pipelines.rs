//! Compiled kernels and bind groups, each made once.
//!
//! All kernels have one shape of interface: binding 0 is the parameters (a window into the ring of the recorder, moved by a dynamic
//! offset), then come buffers that are read, then buffers that are written. So a layout is two numbers, and a bind group is a layout and a list of buffers.

use super::adapter::trouble;
use super::pool::{GpuMemory, lock};
use super::store::Store;
use crate::codegen::gpu::KernelText;
use crate::diag::Result;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex};

/// A compiled kernel.
#[derive(Debug)]
pub struct Pipeline {
    pub pipeline: wgpu::ComputePipeline,
    shape: Shape,
    layout: wgpu::BindGroupLayout,
}

/// How many buffers a kernel reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    pub reads: usize,
    pub writes: usize,
}

/// The bytes of parameters that a kernel may have.
pub const PARAMETER_BYTES: u64 = 2048;

/// Bind groups kept.
const GROUPS: usize = 4096;

type GroupKey = (Shape, SmallVec<[u64; 8]>);

/// What has been made so far, on one device.
pub struct Pipelines {
    /// What earlier processes have made.
    pub store: Option<Store>,
    /// Whether quotients of f32 are corrected.
    rough: bool,
    by_text: Mutex<FxHashMap<(KernelText, u32), Arc<Pipeline>>>,
    layouts: Mutex<FxHashMap<Shape, wgpu::BindGroupLayout>>,
    groups: Mutex<FxHashMap<GroupKey, wgpu::BindGroup>>,
}

impl Pipelines {
    /// `rough`: whether the device's quotients of f32 are corrected.
    pub fn new(store: Option<Store>, rough: bool) -> Pipelines {
        Pipelines {
            store,
            rough,
            by_text: Mutex::default(),
            layouts: Mutex::default(),
            groups: Mutex::default(),
        }
    }

    /// The kernel of this text, whose entry point is `main`. `invocations` is the value of the constant of that name, 0 if the text has none.
    pub fn get(
        &self,
        device: &wgpu::Device,
        name: &str,
        text: KernelText,
        invocations: u32,
        shape: Shape,
    ) -> Result<Arc<Pipeline>> {
        let key = (text, invocations);
        if let Some(found) = lock(&self.by_text).get(&key) {
            return Ok(found.clone());
        }
        let layout = self.layout(device, shape);
        let cache = self.store.as_ref().map(Store::cache);
        let invoked = (invocations > 0).then(|| ("invocations", f64::from(invocations)));
        let constants = invoked.into_iter().chain(key.0.constants(self.rough));
        let constants: SmallVec<[(&str, f64); 2]> = constants.collect();
        let made = Arc::new(make(
            device, name, &key.0, &constants, shape, layout, cache,
        )?);
        if let Some(store) = &self.store {
            store.note();
        }
        lock(&self.by_text).insert(key, made.clone());
        Ok(made)
    }

    fn layout(&self, device: &wgpu::Device, shape: Shape) -> wgpu::BindGroupLayout {
        let make = || {
            let entries: Vec<_> = (0..1 + shape.reads + shape.writes)
                .map(|binding| wgpu::BindGroupLayoutEntry {
                    binding: binding as u32,
                    visibility: wgpu::ShaderStages::COMPUTE,
                    ty: wgpu::BindingType::Buffer {
                        ty: match binding {
                            0 => wgpu::BufferBindingType::Uniform,
                            _ => wgpu::BufferBindingType::Storage {
                                read_only: binding <= shape.reads,
                            },
                        },
                        has_dynamic_offset: binding == 0,
                        min_binding_size: None,
                    },
                    count: None,
                })
                .collect();
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: None,
                entries: &entries,
            })
        };
        lock(&self.layouts)
            .entry(shape)
            .or_insert_with(make)
            .clone()
    }

    /// The bind group of these buffers; `report` comes last if there is one.
    pub fn group(
        &self,
        device: &wgpu::Device,
        pipeline: &Pipeline,
        ring: &wgpu::Buffer,
        buffers: &[&GpuMemory],
        report: Option<&wgpu::Buffer>,
    ) -> wgpu::BindGroup {
        let key = (pipeline.shape, buffers.iter().map(|b| b.id()).collect());
        let mut groups = lock(&self.groups);
        if let Some(found) = groups.get(&key) {
            return found.clone();
        }
        if groups.len() >= GROUPS {
            groups.clear();
        }
        let window = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: ring,
            offset: 0,
            size: wgpu::BufferSize::new(PARAMETER_BYTES),
        });
        let stored = buffers.iter().map(|b| b.buffer()).chain(report);
        let entries: Vec<_> = std::iter::once(window)
            .chain(stored.map(|buffer| buffer.as_entire_binding()))
            .enumerate()
            .map(|(binding, resource)| wgpu::BindGroupEntry {
                binding: binding as u32,
                resource,
            })
            .collect();
        let made = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.layout,
            entries: &entries,
        });
        groups.insert(key, made.clone());
        made
    }

    /// Lets go of the buffers that bind groups hold.
    pub fn forget_groups(&self) {
        lock(&self.groups).clear();
    }
}

fn make(
    device: &wgpu::Device,
    name: &str,
    text: &KernelText,
    constants: &[(&str, f64)],
    shape: Shape,
    layout: wgpu::BindGroupLayout,
    cache: Option<&wgpu::PipelineCache>,
) -> Result<Pipeline> {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let module = text.module(device, name);
    let arrangement = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(name),
        layout: Some(&arrangement),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants,
            zero_initialize_workgroup_memory: false,
        },
        cache,
    });
    match pollster::block_on(scope.pop()) {
        None => Ok(Pipeline {
            pipeline,
            shape,
            layout,
        }),
        Some(error) => Err(trouble(
            "gpu",
            &format!("the kernel of {name} was refused: {error}"),
        )),
    }
}

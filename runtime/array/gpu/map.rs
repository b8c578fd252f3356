//! Elementwise kernels: which kind of kernel a call needs, and its parameters.

use super::Gpu;
use super::matmul::Joined;
use super::pipelines::{Pipeline, Shape};
use super::pool::lock;
use super::recorder::{Check, Step};
use crate::array::backend::{
    Buffer, Dims, IndexUse, KernelProgram, MapProgram, Operand, View, is_dense,
};
use crate::array::shape::Axes;
use crate::codegen::gpu::kernel::{Access, Input, Layout, map_kernel, outputs, register};
use crate::codegen::gpu::{Wgsl, memory, wgsl_function};
use crate::diag::{Diagnostic, Error, Result};
use crate::ir::{Module, Type};
use crate::kernel::{self, Combine, Gather, Kernel, PerAxis};
use crate::registry::Registry;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// What a [`MapProgram`] remembers: the function's text, and the kernels made of it, by device and layout.
pub(super) struct Compiled {
    function: Wgsl,
    faults: Arc<Vec<Diagnostic>>,
    kernels: Mutex<FxHashMap<(u64, Layout), Arc<Pipeline>>>,
}

impl Compiled {
    pub(super) fn new(function: Wgsl) -> Compiled {
        Compiled {
            faults: Arc::new(function.faults.clone()),
            kernels: Mutex::default(),
            function,
        }
    }

    fn of(program: &MapProgram) -> Result<Arc<Compiled>> {
        let compile = || {
            let function = wgsl_function(&program.module, program.function, &program.registry)?;
            let compiled: Arc<dyn Any + Send + Sync> = Arc::new(Compiled::new(function));
            Ok(compiled)
        };
        let kept = program.gpu.get_or_init(compile).clone()?;
        kept.downcast()
            .map_err(|_| Error::Internal("the GPU's part of a map program is not the GPU's".into()))
    }

    fn kernel(&self, gpu: &Gpu, layout: &Layout) -> Result<Arc<Pipeline>> {
        let key = (gpu.id, layout.clone());
        if let Some(found) = lock(&self.kernels).get(&key) {
            return Ok(found.clone());
        }
        let text = map_kernel(&self.function, layout)?;
        let shape = Shape {
            reads: layout.slots(),
            writes: outputs(self.function.ret).len()
                + usize::from(self.function.memory)
                + usize::from(!self.faults.is_empty() || layout.has_indices()),
        };
        let most = gpu.limits.max_storage_buffers_per_shader_stage as usize;
        if shape.reads + shape.writes > most {
            return Err(gpu.trouble(&format!(
                "an elementwise function with {} arrays: expected at most {most}: write it in several steps, or run it on Device::cpu()",
                shape.reads + shape.writes
            )));
        }
        let made = gpu
            .pipelines
            .get(&gpu.device, &self.function.name, text, 0, shape)?;
        lock(&self.kernels).insert(key, made.clone());
        Ok(made)
    }
}

impl Gpu {
    /// `program` on every element.
    pub(super) fn map_program(
        &self,
        program: &MapProgram,
        inputs: &[Operand],
        shape: &[usize],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        let compiled = Compiled::of(program)?;
        if compiled.function.wide {
            self.must_hold_f64()?;
        }
        self.map_compiled(&compiled, inputs, shape, &Extras::default())
    }

    /// A kernel that is a map, and totals of one.
    pub(super) fn flat_kernel(
        &self,
        flat: &Flat,
        program: &KernelProgram,
        inputs: &[Operand],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        let kernel = &program.kernel;
        let shape: Dims = { kernel.rows.iter() }
            .copied()
            .chain([kernel.columns])
            .collect();
        let operands: Vec<Operand> = { inputs.iter().zip(&kernel.inputs) }
            .map(|(operand, input)| match operand {
                // A negative step wraps, here and in the shader's numbers of 32 bits: the places that it leads to are right.
                Operand::View(view) => Operand::View(View {
                    shape: shape.clone(),
                    strides: input.steps.iter().map(|&step| step as usize).collect(),
                    ..view.clone()
                }),
                number => number.clone(),
            })
            .collect();
        let gathers = kernel.inputs.iter().zip(&program.uses);
        let extras = Extras {
            totals: kernel.outputs.iter().map(|output| output.total()).collect(),
            gathers: gathers.map(|(input, own)| input.gather.zip(*own)).collect(),
            windows: match kernel.has_windows() {
                true => &kernel.inputs,
                false => &[],
            },
        };
        self.map_compiled(&flat.map, &operands, &shape, &extras)
    }

    /// The elements of a view, one after another: a map of the identity.
    pub(super) fn copy_view(&self, view: &View) -> Result<Buffer> {
        let ty = view.ty;
        let held = register(ty)?;
        let text = format!("fn same(x: {held}) -> {held} {{ return x; }}\n");
        let compiled = Compiled::new(Wgsl::by_hand("same", text, &[ty], ty));
        let operands = [Operand::View(view.clone())];
        let extras = Extras::default();
        let mut made = self.map_compiled(&compiled, &operands, &view.shape, &extras)?;
        Ok(made.swap_remove(0))
    }

    /// So many zeros.
    pub(super) fn zeros(&self, ty: Type, count: usize) -> Result<Buffer> {
        let held = register(ty)?;
        let text = format!("fn zero() -> {held} {{ return {held}(); }}\n");
        let compiled = Compiled::new(Wgsl::by_hand("zero", text, &[], ty));
        let mut made = self.map_compiled(&compiled, &[], &[count], &Extras::default())?;
        Ok(made.swap_remove(0))
    }

    pub(super) fn map_compiled(
        &self,
        compiled: &Compiled,
        inputs: &[Operand],
        shape: &[usize],
        extras: &Extras,
    ) -> Result<SmallVec<[Buffer; 2]>> {
        let (function, totals) = (&compiled.function, &extras.totals);
        if inputs
            .iter()
            .map(Operand::ty)
            .ne(function.params.iter().copied())
        {
            return Err(Error::Internal(format!(
                "a map of ({:?}) on {inputs:?}",
                function.params
            )));
        }
        let has_totals = totals.iter().any(Option::is_some);
        let mut plan = Plan::new(inputs, shape, !function.faults.is_empty(), extras)?;
        let elements: usize = shape.iter().product();
        let results = outputs(function.ret).len();
        if elements == 0 {
            return (0..results).map(|_| self.empty()).collect();
        }
        let mut groups = self.map_groups(plan.steps as u64, function.loops);
        if function.memory {
            groups = groups.min(self.most_groups_with_memory());
        }
        let groups = self.spread(groups);
        // One workgroup may always join what its invocations have: that costs less than another dispatch.
        let grouped = has_totals && (self.profile.reduce_in_groups || groups == [1; 3]);
        let workers = groups[0] as usize
            * groups[1] as usize
            * match grouped {
                true => 1,
                false => self.profile.map_workgroup as usize,
            };
        let bytes = |(n, ty): (usize, Type)| {
            let count = match totals.get(n) {
                Some(Some(_)) => workers,
                _ => elements,
            };
            ty.size().map_or(0, |size| count * size)
        };
        let types = outputs(function.ret);
        let mut outputs: SmallVec<[usize; 2]> =
            { types.iter().copied().enumerate() }.map(bytes).collect();
        if function.memory {
            outputs.push(self.memory_of(groups));
        }
        let fuel = match function.loops {
            true => self.profile.loop_limit,
            false => 0,
        };
        let layout = Layout {
            inputs: plan.inputs,
            axes: plan.axes,
            windows: plan.ends,
            vector: plan.vector,
            workgroup: self.profile.map_workgroup,
            blocks: self.profile.map_blocks,
            fuel,
            totals: totals.clone(),
            grouped,
        };
        let buffers = plan.slots.iter().map(|view| self.memory(&view.buffer));
        let mut checks = std::mem::take(&mut plan.checks);
        if !compiled.faults.is_empty() {
            checks.push((1, Check::Guards(compiled.faults.clone())));
        }
        let step = Step {
            pipeline: compiled.kernel(self, &layout)?,
            inputs: buffers.collect::<Result<_>>()?,
            update: None,
            outputs,
            params: plan.words,
            checks,
            groups,
        };
        let made = self.run(step)?.into_iter().take(results).enumerate();
        let finished = made.map(|(n, memory)| match totals.get(n) {
            Some(&Some(combine)) => self.of_parts(combine, memory, types[n], (workers, 1)),
            _ => Ok(memory as Buffer),
        });
        finished.collect()
    }

    /// The bytes that the invocations of a dispatch have as memory.
    fn memory_of(&self, groups: [u32; 3]) -> usize {
        let invocations = groups[0] as usize * groups[1] as usize;
        invocations * self.profile.map_workgroup as usize * memory::BYTES
    }
    /// The workgroups whose memory fits: a quarter GiB, or what the adapter can bind.
    fn most_groups_with_memory(&self) -> u64 {
        let most = self.limits.max_storage_buffer_binding_size.min(256 << 20);
        let bytes = u64::from(self.profile.map_workgroup) * memory::BYTES as u64;
        (most / bytes).max(1)
    }

    /// Workgroups for that many steps: few that stride, but no invocation strides for longer than loops may run. One step for each
    /// invocation if the function has loops of its own.
    fn map_groups(&self, steps: u64, loops: bool) -> u64 {
        let one_each = steps.div_ceil(self.profile.map_workgroup.into());
        if loops {
            return one_each;
        }
        let least = one_each.div_ceil(self.profile.loop_limit.into());
        let wanted = one_each.div_ceil(self.profile.map_steps);
        wanted.min(self.profile.map_groups.max(least))
    }

    /// A buffer for an array without elements.
    pub(super) fn empty(&self) -> Result<Buffer> {
        Ok(Arc::new(self.write(&[])?))
    }
}

/// A kernel that is a map, and totals of one, as a [`KernelProgram`] remembers it.
///
/// [`KernelProgram`]: crate::array::backend::KernelProgram
pub struct Flat {
    map: Compiled,
    /// Kernels of matrix products that compute the map of each element as they make it.
    joined: Mutex<FxHashMap<Joined, Arc<Pipeline>>>,
}

impl Flat {
    pub fn new(kernel: &Kernel, registry: &Registry) -> Result<Flat> {
        let module = Module::new((*kernel.body).clone());
        let function = wgsl_function(&module, kernel.body.name, registry)?;
        Ok(Flat {
            map: Compiled::new(function),
            joined: Mutex::default(),
        })
    }
    /// Whether it has numbers of 64 bits.
    pub fn is_wide(&self) -> bool {
        self.map.function.wide
    }
    /// What is mapped.
    pub fn function(&self) -> &Wgsl {
        &self.map.function
    }
    pub(super) fn joined(&self) -> &Mutex<FxHashMap<Joined, Arc<Pipeline>>> {
        &self.joined
    }
}

/// What a kernel has besides a map.
#[derive(Default)]
pub(super) struct Extras<'k> {
    /// For each output that is a total, how it is combined.
    pub totals: Vec<Option<Combine>>,
    /// For each input that is gathered: how, and by whom. The strides of its view are those besides the index.
    pub gathers: Vec<Option<(Gather, IndexUse)>>,
    /// The kernel's inputs, if some of them have elements within a window alone.
    pub windows: &'k [kernel::Input],
}

impl<'k> Extras<'k> {
    fn window(&self, input: usize) -> Option<&'k [Range<usize>]> {
        self.windows.get(input)?.window.as_deref()
    }
    fn gather(&self, input: usize) -> Option<(Gather, IndexUse)> {
        self.gathers.get(input).copied().flatten()
    }
}

/// How a call's inputs are read.
struct Plan<'a> {
    inputs: Vec<Input>,
    axes: usize,
    vector: bool,
    steps: usize,
    words: Vec<u32>,
    /// The windows of inputs, each once.
    windows: Vec<&'a [Range<usize>]>,
    /// The axes along which each of them ends.
    ends: Vec<PerAxis<bool>>,
    /// The views behind the bindings.
    slots: Vec<&'a View>,
    /// Of the indices, with the words that they have among those of the inputs; once the plan is filled, among all.
    checks: SmallVec<[(usize, Check); 1]>,
}

impl<'a> Plan<'a> {
    fn new(
        operands: &'a [Operand],
        shape: &[usize],
        can_fail: bool,
        extras: &Extras<'a>,
    ) -> Result<Plan<'a>> {
        let views: Vec<&View> = operands
            .iter()
            .filter_map(|operand| match operand {
                Operand::View(view) => Some(view),
                Operand::Scalar(..) => None,
            })
            .collect();
        let strides: Vec<&[usize]> = views.iter().map(|view| &view.strides[..]).collect();
        let has_windows = !extras.windows.is_empty();
        let mut axes = match has_windows {
            // Axes along which windows end are no part of longer ones, and the kernel has joined the others.
            true => Axes {
                extents: shape.into(),
                strides: strides.iter().map(|&own| own.into()).collect(),
            },
            false => Axes::new(shape, &strides),
        };
        if axes.extents.is_empty() {
            axes.extents.push(1);
            axes.strides.iter_mut().for_each(|own| own.push(1));
        }
        // The padding after the last element is no index.
        let is_whole = || {
            axes.extents
                .last()
                .is_some_and(|last| last.is_multiple_of(4))
        };
        let has_indices = extras.gathers.iter().any(Option::is_some);
        let vector = !can_fail
            && !has_windows
            && rows_of_four(&axes, &views)
            && (!has_indices || is_whole());
        let mut plan = Plan {
            inputs: Vec::new(),
            axes: axes.extents.len(),
            vector,
            steps: 0,
            words: Vec::new(),
            windows: Vec::new(),
            ends: Vec::new(),
            slots: Vec::new(),
            checks: SmallVec::new(),
        };
        plan.fill(operands, &axes, extras)?;
        Ok(plan)
    }

    fn fill(&mut self, operands: &'a [Operand], axes: &Axes, extras: &Extras<'a>) -> Result<()> {
        let width = if self.vector { 4 } else { 1 };
        let elements: usize = axes.extents.iter().product();
        self.steps = elements.div_ceil(width);
        let mut words = Vec::new();
        let mut strides = axes.strides.iter();
        for (n, operand) in operands.iter().enumerate() {
            match operand {
                Operand::Scalar(bits, ty) => {
                    words.extend(scalar_words(*bits, *ty)?);
                    let window = self.window(extras.window(n));
                    self.inputs.push(Input {
                        ty: *ty,
                        access: Access::Scalar,
                        slot: 0,
                        by: None,
                        window,
                    });
                }
                Operand::View(view) => {
                    let own = strides.next().map_or(&[][..], |own| own);
                    match extras.window(n) {
                        Some(window) => self.view_within(view, own, window, &mut words),
                        None => self.view(view, own, &axes.extents, extras.gather(n), &mut words),
                    }
                }
            }
        }
        self.words = vec![word(self.steps), 0];
        if extras.totals.iter().any(Option::is_some) && self.vector {
            self.words.push(word(elements));
        }
        let mut inputs = self.inputs.iter();
        if !self.windows.is_empty() || inputs.any(|input| input.access.has_coordinates()) {
            let (last, rest) = axes.extents.split_last().unwrap_or((&1, &[]));
            if let [_, middle @ ..] = rest {
                self.words.extend(middle.iter().map(|&extent| word(extent)));
                self.words.push(word(last / width));
            }
        }
        for window in &self.windows {
            let ends = kernel::ends(window, &axes.extents);
            let ended = window.iter().zip(&ends).filter(|&(_, &ends)| ends);
            let words = ended.flat_map(|(own, _)| [word(own.start), word(own.len())]);
            self.words.extend(words);
            self.ends.push(ends);
        }
        let first = self.words.len();
        self.checks.iter_mut().for_each(|(at, _)| *at += first);
        self.words.extend(words);
        Ok(())
    }

    fn view(
        &mut self,
        view: &'a View,
        strides: &[usize],
        extents: &[usize],
        gather: Option<(Gather, IndexUse)>,
        words: &mut Vec<u32>,
    ) {
        let (&last, outer) = strides.split_last().unwrap_or((&1, &[]));
        let offset = view.offset;
        let fours = |list: &[usize]| list.iter().all(|n| n % 4 == 0);
        let aligned = !self.vector || offset.is_multiple_of(4);
        let width = if self.vector { 4 } else { 1 };
        let access = match gather {
            None if strides.iter().all(|&s| s == 0) => Access::Constant,
            None if is_dense(extents, strides) && aligned => Access::Flat,
            None if self.vector && last == 1 && aligned && fours(outer) => Access::Row,
            None if self.vector && last == 0 => Access::Splat,
            None => Access::Strided,
            Some((gather, _)) => {
                let index = self.inputs[gather.by].access;
                let is_splat = matches!(index, Access::Scalar | Access::Constant | Access::Splat);
                let in_fours = aligned && fours(outer) && gather.step % 4 == 0;
                match last {
                    1 if self.vector && is_splat && in_fours => Access::Row,
                    0 if self.vector && is_splat => Access::Splat,
                    _ => Access::Strided,
                }
            }
        };
        if let Some((gather, own)) = gather {
            let check = Check::Index(own, gather.extent);
            self.checks.push((words.len(), check));
            let step = match access {
                Access::Row => gather.step / 4,
                _ => gather.step,
            };
            words.extend([0, word(gather.extent), step as i32 as u32]);
        }
        match access {
            Access::Scalar => {}
            Access::Constant => words.push(word(offset)),
            Access::Flat => words.push(word(offset / width)),
            Access::Row => {
                words.push(word(offset / 4));
                words.extend(outer.iter().map(|&s| word(s / 4)));
            }
            Access::Splat => {
                words.push(word(offset));
                words.extend(outer.iter().map(|&s| word(s)));
            }
            Access::Strided => {
                words.push(word(offset));
                words.extend(strides.iter().map(|&s| word(s)));
            }
        }
        let wide = self.vector && matches!(access, Access::Flat | Access::Row);
        let slot = self.slot(view, wide);
        self.inputs.push(Input {
            ty: view.ty,
            access,
            slot,
            by: gather.map(|(gather, _)| gather.by),
            window: None,
        });
    }

    /// A view with elements within a window alone. Its offset is that of the window's first point. Counted from the first point of all, it may be negative,
    /// and wraps.
    fn view_within(
        &mut self,
        view: &'a View,
        strides: &[usize],
        window: &'a [Range<usize>],
        words: &mut Vec<u32>,
    ) {
        let starts = window.iter().zip(strides);
        let before = starts.fold(0, |all: usize, (own, &step)| {
            all.wrapping_add(own.start.wrapping_mul(step))
        });
        words.push(word(view.offset.wrapping_sub(before)));
        words.extend(strides.iter().map(|&step| word(step)));
        let slot = self.slot(view, false);
        let window = self.window(Some(window));
        self.inputs.push(Input {
            ty: view.ty,
            access: Access::Strided,
            slot,
            by: None,
            window,
        });
    }

    /// The number of a window among those of the kernel.
    fn window(&mut self, window: Option<&'a [Range<usize>]>) -> Option<usize> {
        let window = window?;
        let known = self.windows.iter().position(|&other| other == window);
        Some(known.unwrap_or_else(|| {
            self.windows.push(window);
            self.windows.len() - 1
        }))
    }

    /// A binding that another input has already, if it reads the same buffer in the same way.
    fn slot(&mut self, view: &'a View, wide: bool) -> usize {
        let vector = self.vector;
        let found = self.inputs.iter().find(|input| {
            let other_wide = vector && matches!(input.access, Access::Flat | Access::Row);
            input.access != Access::Scalar
                && other_wide == wide
                && input.ty == view.ty
                && Arc::ptr_eq(&self.slots[input.slot].buffer, &view.buffer)
        });
        if let Some(input) = found {
            return input.slot;
        }
        self.slots.push(view);
        self.slots.len() - 1
    }
}

/// Whether groups of four elements along the last axis never cross its end; or, where there is one axis only, whether they may, because all
/// inputs are read in order from aligned memory (whose padding is read, and written, for the rest).
fn rows_of_four(axes: &Axes, views: &[&View]) -> bool {
    let last = axes.extents[axes.extents.len() - 1];
    if last.is_multiple_of(4) {
        return true;
    }
    let in_order =
        |(own, view): (&Dims, &&View)| own[0] == 0 || (own[0] == 1 && view.offset % 4 == 0);
    axes.extents.len() == 1 && axes.strides.iter().zip(views).all(in_order)
}

/// Indices and extents fit 32 bits: no buffer is as large as that.
pub fn word(n: usize) -> u32 {
    n as u32
}

/// The words of a number: two of 64 bits, the lower first.
pub fn scalar_words(bits: u64, ty: Type) -> Result<SmallVec<[u32; 2]>> {
    Ok(match ty {
        Type::F64 => smallvec![bits as u32, (bits >> 32) as u32],
        _ => smallvec![scalar_word(bits, ty)?],
    })
}

fn scalar_word(bits: u64, ty: Type) -> Result<u32> {
    match ty {
        Type::Usize => u32::try_from(bits).map_err(|_| {
            Error::Array(format!(
                "the number {bits} in a GPU kernel: expected one of 32 bits: pass a float, or run it on Device::cpu()"
            ))
        }),
        Type::Isize => i32::try_from(bits as i64).map(|x| x as u32).map_err(|_| {
            Error::Array(format!(
                "the number {} in a GPU kernel: expected one of 32 bits: pass a float, or run it on Device::cpu()",
                bits as i64
            ))
        }),
        _ => Ok(bits as u32),
    }
}

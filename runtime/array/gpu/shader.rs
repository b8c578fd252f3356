//! Compute shaders of packs.

use super::Gpu;
use super::pipelines::Shape;
use super::recorder::{Check, Step};
use crate::array::backend::{Buffer, ShaderCall, View};
use crate::codegen::gpu::{KernelText, bounded};
use crate::diag::{Diagnostic, Result, Span};
use smallvec::SmallVec;
use std::sync::Arc;

/// Iterations that the loops of one invocation have together: some drivers end them silently a little later, with a wrong number.
const FUEL: u32 = 60_000;

impl Gpu {
    /// Runs a compute shader of a pack's.
    pub(super) fn run_shader(&self, call: &ShaderCall) -> Result<SmallVec<[Buffer; 2]>> {
        let (inputs, outputs) = (call.inputs.len(), call.outputs.len());
        let most = self.limits.max_compute_workgroups_per_dimension;
        if call.groups.iter().any(|&n| n > most) {
            return Err(self.trouble(&format!(
                "the kernel of `{}` asks for {:?} workgroups: expected at most {most} along an axis",
                call.name, call.groups
            )));
        }
        let make = || with_bounds(&call.kernel.text, inputs + outputs + 1);
        let (text, loops) = call.kernel.bounded.get_or_init(make);
        let shape = Shape {
            reads: inputs,
            writes: outputs + usize::from(*loops),
        };
        let whole: Vec<View> = { call.inputs.iter() }
            .map(|view| match view.offset {
                0 => self.dense(view),
                _ => Ok(View::dense(self.copy_of(view)?, view.ty, &view.shape)),
            })
            .collect::<Result<_>>()?;
        let name = call.name.as_str();
        let step = Step {
            pipeline: self.pipelines.get(
                &self.device,
                name,
                KernelText::checked(text.clone()),
                0,
                shape,
            )?,
            inputs: { whole.iter() }
                .map(|view| self.memory(&view.buffer))
                .collect::<Result<_>>()?,
            update: None,
            outputs: call.outputs.iter().copied().collect(),
            params: std::iter::once(0)
                .chain(call.params.iter().copied())
                .collect(),
            checks: { loops.then(|| (0, Check::Guards(Arc::new(vec![too_long(name)])))) }
                .into_iter()
                .collect(),
            groups: call.groups,
        };
        let made = self.run(step)?;
        Ok(made.into_iter().map(|memory| memory as Buffer).collect())
    }

    fn copy_of(&self, view: &View) -> Result<Buffer> {
        use crate::array::backend::Backend;
        self.copy(view)
    }
}

fn too_long(name: &str) -> Diagnostic {
    let message = format!("a loop in the kernel of `{name}` ran for longer than the device allows");
    Diagnostic::new(Span::NONE, message)
        .help("run it on Device::cpu(), or spread the loop over more workgroups in the pack")
}

/// The text in which each loop counts down and reports when it has run for too long, and whether it has loops. The report is at this binding.
fn with_bounds(text: &str, binding: usize) -> (String, bool) {
    let guard = " if (mc_fuel == 0u) { mc_fail(); break; } mc_fuel = mc_fuel - 1u;";
    let Some(mut bounded) = bounded(text, guard) else {
        return (text.to_owned(), false);
    };
    bounded += &format!(
        "\nvar<private> mc_fuel: u32 = {FUEL}u;\n\
         @group(0) @binding({binding}) var<storage, read_write> mc_report: array<atomic<u32>>;\n\
         fn mc_fail() {{ atomicMax(&mc_report[params.mc_operation], 1u); }}\n"
    );
    (bounded, true)
}

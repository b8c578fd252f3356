//! The text of a kernel, with what is known of it.

use super::ROUGH;
use super::kernel::element;
use crate::diag::Result;
use crate::ir::Type;
use mooncake_shaders::Scan;

/// What of a kernel is checked while it runs. Checks cost: drivers unroll no loop whose iterations are counted, and compare each index with an extent. A
/// matrix product on a real GPU takes twice as long with them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Checks {
    /// Indices are limited to their arrays, and loops end.
    All,
    /// Indices are.
    Indices,
    /// Nothing.
    Nothing,
}

/// The text of a kernel, and what of it is checked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KernelText {
    text: String,
    checks: Checks,
}

impl KernelText {
    /// A text of which nothing is known.
    pub fn checked(text: String) -> KernelText {
        let checks = Checks::All;
        KernelText { text, checks }
    }

    /// A text of this module's around functions. `is_known`: nothing in the functions can run for ever or reach outside of an array. Then the only loops are
    /// this module's, which count to a bound.
    pub(super) fn around(text: String, is_known: bool) -> KernelText {
        let checks = match is_known {
            true => Checks::Indices,
            false => Checks::All,
        };
        KernelText { text, checks }
    }

    /// A text of the crate `mooncake_shaders`, by itself or with functions of which all is known: its loops count to a bound, and whatever is in its arrays,
    /// it reads and writes inside of them.
    pub(super) fn sound(text: String) -> KernelText {
        let checks = Checks::Nothing;
        KernelText { text, checks }
    }

    /// The constants that the device decides. `rough`: whether its quotients are corrected.
    pub fn constants(&self, rough: bool) -> Option<(&'static str, f64)> {
        let asks = self.text.contains(&format!("override {ROUGH}"));
        asks.then(|| (ROUGH, f64::from(u8::from(rough))))
    }

    /// As WGSL.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The shader module of the text.
    pub fn module(&self, device: &wgpu::Device, name: &str) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(self.text.as_str().into()),
        };
        let checks = wgpu::ShaderRuntimeChecks {
            bounds_checks: self.checks != Checks::Nothing,
            force_loop_bounding: self.checks == Checks::All,
            ..wgpu::ShaderRuntimeChecks::checked()
        };
        // SAFETY: only texts that this module knows have less than all checks: their loops end, and where indices are not checked, all are in range.
        unsafe { device.create_shader_module_trusted(descriptor, checks) }
    }
}

/// The kernel of running sums of elements of this type.
pub fn scan_text(kind: Scan, ty: Type) -> Result<KernelText> {
    Ok(KernelText::sound(mooncake_shaders::scan(
        kind,
        element(ty)?,
    )))
}

//! The text of a kernel, with what is known of it.

use super::ROUGH;
use super::kernel::element;
use crate::diag::Result;
use crate::ir::Type;
use mooncake_shaders::Scan;

/// The text of a kernel, and whether a driver must be told to check what it does.
///
/// Checks cost: an index of shared memory is compared with the extent before each use, and every loop counts its iterations, so that drivers unroll none.
/// A matrix product on a real GPU takes twice as long with them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KernelText {
    text: String,
    is_sound: bool,
}

impl KernelText {
    /// A text of which nothing is known: indices are checked, and loops end.
    pub fn checked(text: String) -> KernelText {
        KernelText {
            text,
            is_sound: false,
        }
    }

    /// A text of this module's, or of the crate `mooncake_shaders`. It has nothing in it that a pack has written, and no loops or memory of a
    /// user's function: its loops count to a bound, and it reads and writes inside of its arrays, whatever is in them. An index that is data is limited to
    /// the extent first.
    pub(super) fn sound(text: String) -> KernelText {
        KernelText {
            text,
            is_sound: true,
        }
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
        if !self.is_sound {
            return device.create_shader_module(descriptor);
        }
        let checks = wgpu::ShaderRuntimeChecks {
            bounds_checks: false,
            force_loop_bounding: false,
            ..wgpu::ShaderRuntimeChecks::checked()
        };
        // SAFETY: `sound` is called by this module alone, for texts that it has made: all loops end, and no index is out of range.
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

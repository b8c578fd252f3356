//! Compiled kernels as bytes, for a later process.
//!
//! A driver is given back what it has made, and it may do anything if it gets something else. So the bytes are sealed: [`Kept::seal`] puts their SHA-256
//! before them, and [`Kept::open`] gives none that were changed, cut short or written by something else. The driver's version is
//! in the bytes themselves, and wgpu compares it.

use sha2::{Digest, Sha256};

/// What sealed bytes begin with. The number changes with the format.
const MARK: &[u8] = b"mooncake pipelines 1\n";

/// What a driver has made of kernels, in this process or in an earlier one.
pub struct Kept(Vec<u8>);

impl Kept {
    /// What is in sealed bytes; `None` if they are not as [`seal`](Kept::seal) made them.
    pub fn open(sealed: &[u8]) -> Option<Kept> {
        let (sum, data) = sealed.strip_prefix(MARK)?.split_at_checked(32)?;
        let kept = Kept(data.to_vec());
        (kept.sum() == sum).then_some(kept)
    }

    /// What a cache holds now. `None` where there is no way to tell.
    pub fn of(cache: &wgpu::PipelineCache) -> Option<Kept> {
        cache.get_data().map(Kept)
    }

    /// Its SHA-256.
    pub fn sum(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// The bytes to be written.
    pub fn seal(&self) -> Vec<u8> {
        [MARK, &self.sum()[..], &self.0].concat()
    }

    /// The same with one byte changed.
    #[cfg(test)]
    pub fn changed(&self, at: usize) -> Kept {
        let mut bytes = self.0.clone();
        bytes[at] ^= 1;
        Kept(bytes)
    }
}

/// A cache in which a device finds the pipelines that it has made, and those that an earlier one has kept. A device that cannot use these begins without
/// them.
pub fn pipeline_cache(device: &wgpu::Device, kept: Option<&Kept>) -> wgpu::PipelineCache {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let made = create(device, kept);
    match pollster::block_on(scope.pop()) {
        None => made,
        Some(_) => create(device, None),
    }
}

fn create(device: &wgpu::Device, kept: Option<&Kept>) -> wgpu::PipelineCache {
    let descriptor = wgpu::PipelineCacheDescriptor {
        label: Some("mooncake"),
        data: kept.map(|kept| &kept.0[..]),
        fallback: true,
    };
    // SAFETY: the data must be what `PipelineCache::get_data` gave. `Kept` is made by that, or from bytes whose checksum says that `seal` wrote them, and
    // that is given nothing else. For which adapter and driver they are is in wgpu's own header, which it checks.
    unsafe { device.create_pipeline_cache(&descriptor) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_bytes_are_opened_only_whole() {
        let sealed = Kept(vec![1, 2, 3]).seal();
        assert_eq!(Kept::open(&sealed).unwrap().0, [1, 2, 3]);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(Kept::open(&changed).is_none(), "byte {at}");
            assert!(Kept::open(&sealed[..at]).is_none(), "{at} bytes");
        }
        assert!(Kept::open(&[sealed, vec![0]].concat()).is_none());
    }
}

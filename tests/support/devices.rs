//! The devices that tests run on.

use mooncake::Device;

/// The CPU and, if there is one, a GPU.
pub fn devices() -> Vec<Device> {
    [Device::cpu()].into_iter().chain(gpu()).collect()
}

/// A GPU. Without an adapter this says so; `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
pub fn gpu() -> Option<Device> {
    match Device::gpu() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            let required = std::env::var("MOONCAKE_REQUIRE_GPU").is_ok_and(|v| v == "1");
            assert!(!required, "MOONCAKE_REQUIRE_GPU=1, but: {error}");
            eprintln!("not tested on a GPU: {error}");
            None
        }
    }
}

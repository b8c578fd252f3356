//! `mooncake devices`: what arrays can run on here.

use super::pack::print;
use mooncake::Device;

/// Lists the devices of this machine and says which one programs use.
pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    let devices = Device::available();
    let lines = devices.iter().map(|device| {
        let kind = if device.is_gpu() { "gpu" } else { "cpu" };
        format!("{kind}  {}\n", device.name())
    });
    print(&lines.collect::<String>())?;
    if !devices.iter().any(Device::is_gpu)
        && let Err(reason) = Device::gpu()
    {
        print(&format!("no gpu: {}\n", first_line(&reason.to_string())))?;
    }
    let asked = std::env::var("MOONCAKE_DEVICE").unwrap_or_default();
    let asked = if asked.is_empty() { "auto" } else { &asked };
    print(&format!(
        "MOONCAKE_DEVICE={asked}: programs run on {}\n",
        Device::from_env()?.name()
    ))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

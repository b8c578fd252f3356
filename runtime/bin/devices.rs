//! `mooncake devices`: what arrays can run on here.

use mooncake::Device;

/// Lists the devices of this machine and says which one programs use.
pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    for device in Device::available() {
        let kind = if device.is_gpu() { "gpu" } else { "cpu" };
        println!("{kind}  {}", device.name());
    }
    if let Err(reason) = Device::gpu() {
        println!("no gpu: {}", first_line(&reason.to_string()));
    }
    let asked = std::env::var("MOONCAKE_DEVICE").unwrap_or_else(|_| "auto".to_owned());
    println!(
        "MOONCAKE_DEVICE={asked}: programs run on {}",
        Device::from_env()?.name()
    );
    Ok(())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

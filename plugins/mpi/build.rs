//! Records which MPI the pack is built against, for the check when it runs and for `mooncake pack info`.
use std::io::Write;
use std::process::{Command, Stdio};

/// Macros by which MPI libraries say who they are, after a mark that is found in what the preprocessor gives.
const QUESTION: &str = r#"
#include <mpi.h>
#if defined(OPEN_MPI)
BUILT_AGAINST "Open MPI" OMPI_MAJOR_VERSION . OMPI_MINOR_VERSION . OMPI_RELEASE_VERSION
#elif defined(I_MPI_VERSION)
BUILT_AGAINST "Intel MPI" I_MPI_VERSION
#elif defined(MPICH_VERSION)
BUILT_AGAINST "MPICH" MPICH_VERSION
#endif
"#;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=MPICC");
    let built = answer().unwrap_or_else(|| "an unknown MPI".to_owned());
    println!("cargo::rustc-env=MOONCAKE_MPI_BUILT={built}");
}

fn answer() -> Option<String> {
    let compiler = std::env::var("MPICC").unwrap_or_else(|_| "mpicc".into());
    let mut child = Command::new(compiler)
        .args(["-E", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(QUESTION.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).replace('\n', " ");
    let (_, found) = text.split_once("BUILT_AGAINST")?;
    let mut parts = found
        .split('"')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let (name, version) = (parts.next()?, parts.next()?);
    let version = version.split('#').next()?.replace(' ', "");
    Some(format!("{name} {version}"))
}

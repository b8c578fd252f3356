//! `mooncake pack`: what a rule pack says of itself.

use mooncake::{Declaration, Pack};
use mooncake_pack::note::Description;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What to show.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Shows a pack's note: none of the pack's code runs
    Info {
        /// The library, for example target/release/libgelu_pack.so
        path: PathBuf,
    },
    /// Loads a pack (its code runs, with your rights) and lists what it defines
    List {
        /// The library, for example target/release/libgelu_pack.so
        path: PathBuf,
    },
}

/// Runs the subcommand.
pub fn run(command: &Command) -> Result<(), Box<dyn std::error::Error>> {
    match command {
        Command::Info { path } => print(&info(&Pack::describe(file(path))?)),
        Command::List { path } => {
            let pack = Pack::load(file(path))?;
            print(&list(&pack))?;
            match pack.faults.as_slice() {
                [] => Ok(()),
                faults => {
                    Err(format!("pack {}: not readable: {}", pack.name, faults.join("; ")).into())
                }
            }
        }
    }
}

/// On the command line a bare name is a file of the current folder, never one to search for.
pub fn file(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

fn info(note: &Description) -> String {
    let given = |text: &str| match text {
        "" => "(not stated)".to_owned(),
        text => text.to_owned(),
    };
    let panics = match note.panic_aborts {
        true => "abort",
        false => "unwind",
    };
    [
        ("pack", format!("{} {}", note.name, note.version)),
        ("licence", given(&note.licence)),
        ("authors", given(&note.authors)),
        ("compiler", given(&note.compiler)),
        ("boundary", format!("{}.{}", note.major, note.minor)),
        ("panics", panics.to_owned()),
    ]
    .map(|(what, found)| format!("{what:<9} {found}\n"))
    .concat()
}

fn list(pack: &Pack) -> String {
    let (name, version, count) = (&pack.name, &pack.version, pack.declarations.len());
    let head = format!("{name} {version}: {count} entries\n");
    let entries = pack.declarations.iter().map(entry);
    std::iter::once(head).chain(entries).collect()
}

fn entry(declaration: &Declaration) -> String {
    let kind = match declaration.is_scalar() {
        true => "scalar",
        false => "rule",
    };
    format!(
        "{}\n    {}\n    {kind}, {:?}: {}\n",
        declaration.signature,
        declaration.docs.lines().next().unwrap_or_default().trim(),
        declaration.context,
        declaration.parts().join(", ")
    )
}

/// To stdout, whose reader may have seen enough (`| head`).
pub fn print(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(e.into()),
        _ => Ok(()),
    }
}

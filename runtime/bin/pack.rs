//! `mooncake pack`: looks at rule packs, tests, locks and begins them.

mod check;
mod new;

use mooncake::testing::check::{PackCheck, Row};
use mooncake::{Declaration, Lock, Pack, PackFile};
use mooncake_pack::abi;
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What to do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Shows what a pack's file says: none of the pack's code runs
    Info {
        /// The library, for example target/release/libgelu_pack.so
        path: PathBuf,
    },
    /// Loads a pack (its code runs, with your rights) and lists what it defines, bad rows included
    List {
        /// The library, for example target/release/libgelu_pack.so
        path: PathBuf,
    },
    /// Tests every rule of a pack, each in a process of its own, and compares everything with everything
    Check(check::Options),
    /// Writes the SHA-256 of packs into a lock file: where it is in force, no other packs are loaded
    #[command(after_help = LOCK_HELP)]
    Lock {
        /// The libraries
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// The lock file; packs that it has already stay in it
        #[arg(long, default_value = "mooncake.lock")]
        file: PathBuf,
    },
    /// Writes a new pack in Rust that passes `mooncake pack check`
    New(new::Options),
    /// One child process of `check`
    #[command(hide = true)]
    CheckChild(check::ChildOptions),
}

const LOCK_HELP: &str = "\
Examples:
  mooncake pack lock target/release/libgelu_pack.so
  mooncake pack lock --file packs.lock packs/*.so

A program uses the lock with Context::builder().lock(\"mooncake.lock\"), or where MOONCAKE_PACK_LOCK names it.";

/// Runs the subcommand.
pub fn run(command: &Command) -> Result<(), Box<dyn std::error::Error>> {
    match command {
        Command::Info { path } => print(&info(&Pack::examine(file(path))?)),
        Command::List { path } => list(&file(path)),
        Command::Check(options) => check::run(options),
        Command::Lock { paths, file } => lock(paths, file),
        Command::New(options) => new::run(options),
        Command::CheckChild(options) => check::child(options),
    }
}

/// On the command line a bare name is a file of the current folder, never one to search for.
pub fn file(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

fn info(file: &PackFile) -> String {
    let note = &file.note;
    let given = |text: &str| match text {
        "" => "(not stated)".to_owned(),
        text => text.to_owned(),
    };
    let panics = match note.panic_aborts {
        true => "abort",
        false => "unwind",
    };
    let own = (abi::MAJOR, abi::MINOR);
    let boundary = match (note.major, note.minor) == own {
        true => format!("{}.{}", own.0, own.1),
        false => format!(
            "{}.{} (this host: {}.{})",
            note.major, note.minor, own.0, own.1
        ),
    };
    let rows = match file.rows {
        None => "(not stated)".to_owned(),
        Some([scalar, rules, native]) => {
            format!("{scalar} scalar functions, {rules} rules, {native} native functions")
        }
    };
    let needs = match file.needed.is_empty() {
        true => "no further library".to_owned(),
        false => file.needed.join(", "),
    };
    let wants = match file.wants.as_str() {
        "" => "nothing more".to_owned(),
        wants => wants.to_owned(),
    };
    let loads = match &file.fits {
        Ok(()) => "yes".to_owned(),
        Err(message) => format!("no: {message}"),
    };
    [
        ("pack", format!("{} {}", note.name, note.version)),
        ("licence", given(&note.licence)),
        ("authors", given(&note.authors)),
        ("compiler", given(&note.compiler)),
        ("boundary", boundary),
        ("panics", panics.to_owned()),
        ("bytes", file.bytes.to_string()),
        ("sha256", mooncake::hex(&file.sha256)),
        ("rows", rows),
        ("needs", needs),
        ("wants", wants),
        ("loads", loads),
    ]
    .map(|(what, found)| format!("{what:<9} {found}\n"))
    .concat()
}

fn list(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let check = PackCheck::load(path, &[])?;
    let (pack, rows) = (check.pack(), check.rows());
    let head = format!("{} {}: {} entries\n", pack.name, pack.version, rows.len());
    // The rows that could not be read are after the declarations.
    let declarations = pack
        .declarations
        .iter()
        .map(Some)
        .chain(std::iter::repeat(None));
    let entries = rows.iter().zip(declarations);
    let entries = entries.map(|(row, declaration)| entry(row, declaration));
    print(&std::iter::once(head).chain(entries).collect::<String>())?;
    match rows.iter().filter(|row| row.fault.is_some()).count() {
        0 => Ok(()),
        bad => Err(format!(
            "pack {}: {bad} of {} entries are bad",
            pack.name,
            rows.len()
        )
        .into()),
    }
}

fn entry(row: &Row, declaration: Option<&Declaration>) -> String {
    let mut text = match declaration {
        Some(declaration) => declared(declaration),
        None => "(not readable)\n".to_owned(),
    };
    if let Some(fault) = &row.fault {
        text += &format!("    BAD: {fault}\n");
    }
    text
}

fn declared(declaration: &Declaration) -> String {
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

fn lock(paths: &[PathBuf], lock_file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut lock = match lock_file.exists() {
        true => Lock::read(lock_file)?,
        false => Lock::new(lock_file),
    };
    let (mut said, mut names) = (String::new(), BTreeSet::new());
    for path in paths {
        let pack = Pack::examine(file(path))?;
        if !names.insert(pack.note.name.clone()) {
            let name = &pack.note.name;
            return Err(format!(
                "two of these files are packs called `{name}`, and a lock has one pack of each name"
            )
            .into());
        }
        if let Err(message) = &pack.fits {
            return Err(format!("pack {}: {message}", pack.note.name).into());
        }
        lock.insert(&pack);
        let (note, sha256) = (&pack.note, mooncake::hex(&pack.sha256));
        said += &format!("locked {} {}: {sha256}\n", note.name, note.version);
    }
    lock.write()
        .map_err(|e| format!("cannot write {}: {e}", lock_file.display()))?;
    print(&said)
}

/// To stdout, whose reader may have seen enough (`| head`).
pub fn print(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(e.into()),
        _ => Ok(()),
    }
}

//! `mooncake pack new`: writes a pack in Rust that builds, and passes `mooncake pack check`.

use std::path::{Path, PathBuf};

/// The new pack.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Options {
    /// The pack's name, which is that of its crate: lower-case letters, digits and `-`
    name: String,
    /// Where the pack's folder is made [default: ./NAME]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// A folder that has the crate mooncake-pack, such as plugins/pack of a checkout, instead of its published version
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// The published version of mooncake-pack to write against
    #[arg(long, default_value = "1", conflicts_with = "path")]
    version: String,
}

const HELP: &str = "\
Examples:
  mooncake pack new activations
  mooncake pack new activations --path ../mooncake/plugins/pack

Then:
  cd activations
  cargo build --release --workspace
  mooncake pack check target/release/libactivations_pack.so";

/// The files of a pack: the path below its folder, and the text, in which `NAME`, `CRATE` and `DEPENDENCY` are filled in.
const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("new/Cargo.toml.txt")),
    ("src/lib.rs", include_str!("new/lib.rs.txt")),
    ("pack/Cargo.toml", include_str!("new/pack.toml.txt")),
    ("pack/src/lib.rs", include_str!("new/pack.rs.txt")),
    ("README.md", include_str!("new/README.md.txt")),
    (".gitignore", "/target\n"),
];

/// Writes the pack.
pub fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let name = &options.name;
    good_name(name)?;
    let folder = options
        .folder
        .clone()
        .unwrap_or_else(|| PathBuf::from(name));
    if folder.exists() {
        return Err(format!("{} exists already", folder.display()).into());
    }
    let dependency = dependency(options)?;
    let words = [
        ("CRATE", name.replace('-', "_")),
        ("DEPENDENCY", dependency),
        ("NAME", name.clone()),
    ];
    for (path, text) in FILES {
        let text = words.iter().fold((*text).to_owned(), |text, (word, with)| {
            text.replace(word, with)
        });
        write(&folder.join(path), &text)?;
    }
    let library = libloading::library_filename(format!("{}_pack", words[0].1));
    super::print(&format!(
        "the pack {name} is in {0}; next:\n  cd {1}\n  cargo build --release --workspace\n  mooncake pack check target/release/{2}\n",
        folder.display(),
        quoted(&folder),
        library.to_string_lossy()
    ))
}

/// The words that no crate can have as its name.
const KEYWORDS: &str = include_str!("new/keywords.txt");

fn good_name(name: &str) -> Result<(), String> {
    let is_good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    let wrong = |why: &str| Err(format!("`{name}` cannot be a pack's name: {why}"));
    if !starts || !name.chars().all(is_good) || name.ends_with('-') || name.contains("--") {
        return wrong(
            "expected lower-case letters, digits and single `-` between them, a letter first, such as `my-rules`",
        );
    }
    if name.len() > 43 {
        return wrong("it has more than 43 characters");
    }
    if KEYWORDS.split_whitespace().any(|word| word == name) {
        return wrong(
            "it is a keyword of Rust, and a crate needs a name that can be written in paths",
        );
    }
    // The loadable form is the crate `NAME-pack`.
    match name.ends_with("-pack")
        || ["std", "linalg", "core", "alloc", "test", "mooncake"].contains(&name)
    {
        true => wrong("it is taken, or ends in `-pack`, as the crate of the loadable form does"),
        false => Ok(()),
    }
}

fn dependency(options: &Options) -> Result<String, String> {
    let Some(path) = &options.path else {
        return match semver::VersionReq::parse(&options.version) {
            Ok(_) => Ok(format!("{:?}", options.version)),
            Err(error) => Err(format!("`{}` is no version: {error}", options.version)),
        };
    };
    let absolute = path
        .canonicalize()
        .map_err(|e| format!("{}: {e}", path.display()))?;
    let manifest = std::fs::read_to_string(absolute.join("Cargo.toml"))
        .map_err(|e| format!("{}: {e}", path.join("Cargo.toml").display()))?;
    let is_sdk = |line: &str| line.trim() == "name = \"mooncake-pack\"";
    match manifest.lines().any(is_sdk) {
        true => Ok(format!("{{ path = {:?} }}", absolute.display().to_string())),
        false => Err(format!(
            "{} is not the crate mooncake-pack: expected the folder plugins/pack of a checkout",
            path.display()
        )),
    }
}

/// A path as a shell takes it: in quotes where it has other characters than those of plain names.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/\\:._-+".contains(c);
    match path.chars().all(is_plain) {
        true => path,
        false if cfg!(windows) => format!("\"{path}\""),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|e| format!("cannot write {}: {e}", path.display()))
}

//! Lock files: which packs may be loaded, by the SHA-256 of their files.
//!
//! A lock decides before anything is read out of a file: bytes that it does not name are not parsed and not loaded. It is
//! text that people review: one `[[pack]]` for each pack, with name, version and SHA-256.

use super::{PackFile, fault};
use crate::diag::{Error, Result};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The environment variable that names the lock of all contexts that have none of their own.
const LOCK_VARIABLE: &str = "MOONCAKE_PACK_LOCK";

/// The packs that may be loaded.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    path: PathBuf,
    packs: Vec<Locked>,
}

/// One pack of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Locked {
    name: String,
    version: String,
    /// In hexadecimal.
    sha256: String,
}

impl Lock {
    /// Reads a lock file.
    pub fn read(path: impl AsRef<Path>) -> Result<Lock> {
        let path = path.as_ref();
        let wrong = |what: String| Error::Pack {
            pack: path.display().to_string(),
            message: format!("the lock file cannot be used: {what}"),
        };
        let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
        Ok(Lock {
            path: path.to_owned(),
            packs: packs(&text).map_err(wrong)?,
        })
    }

    /// An empty lock, to be written to this file.
    pub fn new(path: impl Into<PathBuf>) -> Lock {
        Lock {
            path: path.into(),
            packs: Vec::new(),
        }
    }

    /// Locks a pack: to these bytes, whatever the lock said of a pack of this name before.
    pub fn insert(&mut self, pack: &PackFile) {
        self.packs.retain(|locked| locked.name != pack.note.name);
        self.packs.push(Locked {
            name: pack.note.name.clone(),
            version: pack.note.version.clone(),
            sha256: hex(&pack.sha256),
        });
        self.packs.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Writes the lock to its file.
    pub fn write(&self) -> std::io::Result<()> {
        std::fs::write(&self.path, self.to_string())
    }

    /// The lock that `MOONCAKE_PACK_LOCK` names, read once for the process.
    pub(super) fn of_process() -> Result<Option<&'static Lock>> {
        static LOCK: OnceLock<Result<Option<Lock>>> = OnceLock::new();
        let read = || match std::env::var_os(LOCK_VARIABLE) {
            Some(path) if !path.is_empty() => Lock::read(path).map(Some),
            _ => Ok(None),
        };
        match LOCK.get_or_init(read) {
            Ok(lock) => Ok(lock.as_ref()),
            Err(error) => Err(error.clone()),
        }
    }

    /// Whether a file of these bytes may be loaded; if not, why, with the name that its note may have.
    pub(super) fn permit(&self, sha256: &[u8; 32], name: Option<&str>, path: &Path) -> Result<()> {
        let found = hex(sha256);
        if self.packs.iter().any(|locked| locked.sha256 == found) {
            return Ok(());
        }
        let lock = self.path.display();
        let known = name.and_then(|name| self.packs.iter().find(|locked| locked.name == name));
        let shown = name.map_or(path.display().to_string(), str::to_owned);
        let command = self.command(path);
        Err(match known {
            Some(locked) => fault(
                shown,
                format!(
                    "it differs from its lock {lock}: SHA-256 {found}, locked {} (version {}): if the change is meant, run `{command}`",
                    locked.sha256, locked.version
                ),
            ),
            None => fault(
                shown,
                format!(
                    "the lock {lock} does not have it: SHA-256 {found}: if it is meant to be used, run `{command}`"
                ),
            ),
        })
    }

    /// The command that locks the pack in this file here.
    fn command(&self, path: &Path) -> String {
        let (lock, path) = (self.path.display(), path.display());
        format!("mooncake pack lock --file {lock} {path}")
    }
}

/// What a lock file says.
fn packs(text: &str) -> std::result::Result<Vec<Locked>, String> {
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| no_toml(text, &error))?;
    match table.get("version").and_then(toml::Value::as_integer) {
        Some(1) => {}
        Some(other) => return Err(format!("it has version {other}; this host reads version 1")),
        None => return Err("it has no `version = 1`".into()),
    }
    let Some(packs) = table.get("pack") else {
        return Ok(Vec::new());
    };
    let packs = packs.as_array().ok_or("`pack` is not a list of tables")?;
    packs.iter().map(locked).collect()
}

/// One line: where the text is no TOML, and why.
fn no_toml(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    let why: Vec<&str> = error.message().lines().collect();
    format!("line {line} is not TOML: {}", why.join(" "))
}

fn locked(pack: &toml::Value) -> std::result::Result<Locked, String> {
    let text = |key: &str| {
        let value = pack.get(key).and_then(toml::Value::as_str);
        value
            .map(str::to_owned)
            .ok_or(format!("a pack has no text `{key}`"))
    };
    let locked = Locked {
        name: text("name")?,
        version: text("version")?,
        sha256: text("sha256")?.to_ascii_lowercase(),
    };
    let digits = |text: &str| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    match digits(&locked.sha256) {
        true => Ok(locked),
        false => Err(format!(
            "the SHA-256 of `{}` has not 64 hexadecimal digits",
            locked.name
        )),
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# Which rule packs may be loaded. Written by `mooncake pack lock`; a pack that differs is refused."
        )?;
        writeln!(f, "version = 1")?;
        for Locked {
            name,
            version,
            sha256,
        } in &self.packs
        {
            let text = |text: &str| toml::Value::from(text).to_string();
            writeln!(
                f,
                "\n[[pack]]\nname = {}\nversion = {}\nsha256 = {}",
                text(name),
                text(version),
                text(sha256)
            )?;
        }
        Ok(())
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn wrong(text: &str, message: Expect) {
        message.assert_eq(&packs(text).unwrap_err());
    }

    #[test]
    fn a_lock_is_read_as_it_was_written() {
        let locked = |name: &str, digit: &str| Locked {
            name: name.into(),
            version: "1.0.0".into(),
            sha256: digit.repeat(64),
        };
        let lock = Lock {
            path: "sample.lock".into(),
            packs: vec![locked("a", "0"), locked("with \"quotes\" \\", "f")],
        };
        assert_eq!(packs(&lock.to_string()).unwrap(), lock.packs);
        assert_eq!(packs("version = 1").unwrap(), []);
    }

    #[test]
    fn a_wrong_lock_says_what_is_wrong() {
        wrong("", expect!["it has no `version = 1`"]);
        wrong(
            "version = 2",
            expect!["it has version 2; this host reads version 1"],
        );
        wrong(
            "version = 1\npack = 3",
            expect!["`pack` is not a list of tables"],
        );
        wrong(
            "version = 1\n[[pack]]\nname = \"a\"",
            expect!["a pack has no text `version`"],
        );
        wrong(
            "version = 1\n[[pack]]\nname = \"a\"\nversion = \"1\"\nsha256 = \"12\"",
            expect!["the SHA-256 of `a` has not 64 hexadecimal digits"],
        );
        wrong(
            "version = = 1",
            expect!["line 1 is not TOML: extra `=`, expected nothing"],
        );
        wrong(
            "version = 1\n[[pack",
            expect!["line 2 is not TOML: unclosed array table, expected `]]`"],
        );
    }
}

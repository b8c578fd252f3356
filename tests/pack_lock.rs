//! Lock files: a pack that differs from its lock, or that the lock does not have, is not loaded, and the bytes are not even parsed.
#![cfg(unix)]

mod support;

use mooncake::Lock;
use mooncake::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{built_c, gelu_pack};

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("locks")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn tool(args: &[&str], paths: &[&Path], lock: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mooncake"));
    command.arg("pack").args(args).args(paths);
    match lock {
        Some(lock) => command.env("MOONCAKE_PACK_LOCK", lock),
        None => command.env_remove("MOONCAKE_PACK_LOCK"),
    };
    command.output().unwrap()
}

/// A lock that the tool has written of these packs.
fn locked(folder: &Path, packs: &[&Path]) -> PathBuf {
    let lock = folder.join("mooncake.lock");
    let output = tool(&["lock", "--file", lock.to_str().unwrap()], packs, None);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    lock
}

fn refused(lock: &Path, pack: &Path) -> String {
    let mut ctx = Context::builder().lock(lock).build().unwrap();
    ctx.load_pack(pack).expect_err("not locked").to_string()
}

#[test]
fn a_locked_pack_is_loaded_and_others_are_not() {
    let folder = folder("loaded");
    let lock = locked(&folder, &[gelu_pack()]);
    let mut ctx = Context::builder().lock(&lock).build().unwrap();
    ctx.load_pack(gelu_pack()).unwrap();
    let other = built_c("plugins/c-sample/c_sample.c", "not_locked", &[]);
    let error = refused(&lock, &other);
    assert!(
        error.starts_with("pack c-sample: the lock ")
            && error.contains(" does not have it: SHA-256 "),
        "{error}"
    );
    // Another build of a pack.
    let mut bytes = std::fs::read(gelu_pack()).unwrap();
    bytes.push(0);
    let changed = folder.join("libgelu.so");
    std::fs::write(&changed, bytes).unwrap();
    let error = refused(&lock, &changed);
    assert!(
        error.starts_with("pack gelu: it differs from its lock "),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn a_lock_keeps_what_it_has() {
    let folder = folder("kept");
    let sample = built_c("plugins/c-sample/c_sample.c", "kept", &[]);
    locked(&folder, &[&sample]);
    let lock = locked(&folder, &[gelu_pack()]);
    locked(&folder, &[gelu_pack()]);
    let text = std::fs::read_to_string(&lock).unwrap();
    let names: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("name = "))
        .collect();
    assert_eq!(names, ["name = \"c-sample\"", "name = \"gelu\""]);
    assert_eq!(Lock::read(&lock).unwrap().to_string(), text);
}

#[test]
fn two_packs_of_one_name_are_not_locked_together() {
    let folder = folder("twice");
    let lock = folder.join("mooncake.lock");
    let sample = built_c("plugins/c-sample/c_sample.c", "twice", &[]);
    let again = built_c("plugins/c-sample/c_sample.c", "twice_again", &[]);
    let output = tool(
        &["lock", "--file", lock.to_str().unwrap()],
        &[&sample, &again],
        None,
    );
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && !lock.exists());
    assert_eq!(
        said,
        "mooncake: two of these files are packs called `c-sample`, and a lock has one pack of each name\n"
    );
}

#[test]
fn the_environment_locks_every_program() {
    let folder = folder("environment");
    let sample = built_c("plugins/c-sample/c_sample.c", "environment", &[]);
    let lock = locked(&folder, &[&sample]);
    assert!(tool(&["list"], &[&sample], Some(&lock)).status.success());
    let output = tool(&["list"], &[gelu_pack()], Some(&lock));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("pack gelu: the lock "), "{said}");
    // The advice names the lock that is in force, and not the usual one.
    let advice = format!("run `mooncake pack lock --file {} ", lock.display());
    assert!(said.contains(&advice), "{said}");
    // A lock that cannot be read permits nothing.
    let output = tool(&["list"], &[&sample], Some(&folder.join("none.lock")));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("none.lock: the lock file cannot be used: "),
        "{said}"
    );
    // And `check` is under the lock too.
    let output = tool(&["check", "--device", "cpu"], &[gelu_pack()], Some(&lock));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("      refused: pack gelu: the lock "),
        "{said}"
    );
}

#[test]
fn a_lock_that_cannot_be_read_is_an_error_of_the_builder() {
    let path = folder("unreadable").join("bad.lock");
    std::fs::write(&path, "version = 3\n").unwrap();
    let Err(error) = Context::builder().lock(&path).build() else {
        panic!("a lock of another version");
    };
    let error = error.to_string();
    assert!(
        error
            .ends_with("the lock file cannot be used: it has version 3; this host reads version 1"),
        "{error}"
    );
}

/// A generator of places and bits.
struct Flips(u64);

impl Flips {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
    /// The bytes with one to four bits flipped.
    fn flipped(&mut self, whole: &[u8]) -> Vec<u8> {
        let mut bytes = whole.to_vec();
        for _ in 0..=self.next(4) {
            let at = self.next(bytes.len());
            bytes[at] ^= 1 << self.next(8);
        }
        match bytes == whole {
            true => self.flipped(whole),
            false => bytes,
        }
    }
}

/// 10,000 packs with flipped bits, under a lock: an error of one line each, and nothing is loaded.
#[test]
fn no_flipped_bit_gets_past_a_lock() {
    let folder = folder("flipped");
    let sample = built_c("plugins/c-sample/c_sample.c", "flipped", &[]);
    let ctx = Context::builder()
        .lock(locked(&folder, &[&sample]))
        .build()
        .unwrap();
    let (whole, path) = (
        std::fs::read(&sample).unwrap(),
        folder.join("libflipped.so"),
    );
    let mut flips = Flips(1);
    for _ in 0..10_000 {
        std::fs::write(&path, flips.flipped(&whole)).unwrap();
        let error = ctx
            .clone()
            .load_pack(&path)
            .expect_err("a flipped bit")
            .to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(" lock "), "{error}");
    }
}

/// What became of packs with flipped bits that went through `pack check`: how many passed.
fn checked(folder: &Path, whole: &[u8], seed: u64, count: usize) -> usize {
    let path = folder.join(format!("libflipped{seed}.so"));
    let (mut flips, mut right) = (Flips(seed), 0);
    for round in 0..count {
        std::fs::write(&path, flips.flipped(whole)).unwrap();
        let args = [
            "check",
            "--json",
            "--rule",
            "cube",
            "--device",
            "cpu",
            "--timeout",
            "10",
            "--jobs",
            "1",
        ];
        let output = tool(&args, &[&path], None);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{seed}, {round}: {:?}: {said}",
            output.status
        );
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        right += usize::from(report["ok"] == true);
    }
    right
}

/// Packs with flipped bits through `pack check`, which has no lock to go by: whatever they do, the tool says so and lives on. How many
/// is in `MOONCAKE_FLIPS`; 40 if it is not set, 1,000 in CI with the release build. 10,000 take half an hour of one core there.
#[test]
fn flipped_bits_never_end_the_tool() {
    let folder = folder("checked");
    let sample = built_c("plugins/c-sample/c_sample.c", "checked", &[]);
    let whole = std::fs::read(&sample).unwrap();
    let count = std::env::var("MOONCAKE_FLIPS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(40);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let right: usize = std::thread::scope(|scope| {
        let shares = (0..threads).map(|n| count / threads + usize::from(n < count % threads));
        let runs: Vec<_> = { shares.enumerate() }
            .map(|(n, share)| {
                let (folder, whole) = (&folder, &whole);
                scope.spawn(move || checked(folder, whole, 2 + n as u64, share))
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).sum()
    });
    println!("{right} of {count} passed the check");
    assert!(right < count, "not one of {count} flips was noticed");
}

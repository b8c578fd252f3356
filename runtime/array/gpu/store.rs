//! Compiled kernels on disk, so that a process need not compile those that an earlier one has compiled.
//!
//! There is one file for each adapter, in the user's folder for caches or where `MOONCAKE_CACHE` says; `off` means that there is none. A file that is
//! damaged or for another driver is as good as none, and one that cannot be written is no error: all of that costs time alone. Files are written beside
//! their place and renamed, so that nobody reads half of one.
//!
//! Some drivers keep what they compile by themselves (Mesa's do). To those the cache gives little, and costs little.

use super::pool::lock;
use crate::codegen::gpu::cache::{Kept, pipeline_cache};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// A file larger than this is not read any more, and so begins anew: drivers never let go of a pipeline.
const LARGEST: u64 = 64 << 20;
/// Saving takes at most this part of the time.
const SHARE: u32 = 20;
/// What a process that was killed has left beside a file is removed after that long.
const STALE: Duration = Duration::from_secs(3600);

/// A device's cache of pipelines, and the file where it is kept.
pub struct Store {
    cache: wgpu::PipelineCache,
    file: PathBuf,
    state: Mutex<State>,
}

struct State {
    /// Pipelines made since the last time.
    unsaved: usize,
    /// The checksum of what is in the file, as far as is known; `None` if it is of no use.
    saved: Option<[u8; 32]>,
    /// Not to be saved again before.
    next: Instant,
}

impl Store {
    /// The cache of a device, in a folder. `None` if the device has none.
    pub fn open(device: &wgpu::Device, info: &wgpu::AdapterInfo, folder: &Path) -> Option<Store> {
        if !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let file = folder.join(wgpu::util::pipeline_cache_key(info)?);
        let kept = read(&file);
        Some(Store {
            cache: pipeline_cache(device, kept.as_ref()),
            state: Mutex::new(State {
                unsaved: 0,
                saved: kept.map(|kept| kept.sum()),
                next: Instant::now(),
            }),
            file,
        })
    }

    pub fn cache(&self) -> &wgpu::PipelineCache {
        &self.cache
    }

    /// A pipeline was made.
    pub fn note(&self) {
        lock(&self.state).unsaved += 1;
    }

    /// Saves the pipelines that are new, unless that was done just now.
    pub fn save_now_and_then(&self) {
        let mut state = lock(&self.state);
        let start = Instant::now();
        if state.unsaved > 0 && start >= state.next {
            self.save(&mut state);
            state.next = Instant::now() + start.elapsed() * SHARE;
        }
    }

    fn save(&self, state: &mut State) {
        state.unsaved = 0;
        let Some(kept) = Kept::of(&self.cache) else {
            return;
        };
        // If nothing has changed, all pipelines were in it.
        let sum = Some(kept.sum());
        if sum != state.saved && write(&self.file, &kept.seal()).is_ok() {
            state.saved = sum;
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        if state.unsaved > 0 {
            self.save(&mut state);
        }
    }
}

fn read(file: &Path) -> Option<Kept> {
    if fs::metadata(file).ok()?.len() > LARGEST {
        return None;
    }
    Kept::open(&fs::read(file).ok()?)
}

fn write(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
        remove_stale(folder);
    }
    // Several devices of a process may write at the same time.
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let beside = file.with_extension(format!("{}.{number}.tmp", std::process::id()));
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Removes what processes have left that were killed while they wrote.
fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let is_stale = |changed: SystemTime| changed.elapsed().is_ok_and(|age| age > STALE);
        let changed = entry.metadata().and_then(|found| found.modified());
        if entry.path().extension().is_some_and(|end| end == "tmp") && changed.is_ok_and(is_stale) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Where files are kept, by the environment; `None` for nowhere.
pub fn folder() -> Option<PathBuf> {
    folder_by(&|name| std::env::var_os(name).filter(|value| !value.is_empty()))
}

fn folder_by(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    match variable("MOONCAKE_CACHE") {
        Some(set) if set == "off" => return None,
        Some(set) => return Some(set.into()),
        None => {}
    }
    let below = |name: &str, path: &str| Some(PathBuf::from(variable(name)?).join(path));
    match () {
        _ if cfg!(windows) => below("LOCALAPPDATA", "mooncake/cache"),
        _ if cfg!(target_os = "macos") => below("HOME", "Library/Caches/mooncake"),
        _ => below("XDG_CACHE_HOME", "mooncake").or_else(|| below("HOME", ".cache/mooncake")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Gpu;
    use super::*;
    use crate::array::backend::{Backend, View};
    use crate::array::reduce::{self, Runs};
    use crate::ir::Type;
    use crate::kernel::Combine;

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn the_folder_is_the_one_that_the_environment_names() {
        let with = |set: &'static [(&str, &str)]| {
            folder_by(&move |name| {
                let found = set.iter().find(|(set, _)| *set == name);
                found.map(|(_, value)| value.into())
            })
        };
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[("HOME", "/u")]), path("/u/.cache/mooncake"));
        let both = with(&[("HOME", "/u"), ("XDG_CACHE_HOME", "/c")]);
        assert_eq!(both, path("/c/mooncake"));
        let own = with(&[("HOME", "/u"), ("MOONCAKE_CACHE", "/m")]);
        assert_eq!(own, path("/m"));
        assert_eq!(with(&[("HOME", "/u"), ("MOONCAKE_CACHE", "off")]), None);
    }

    /// A device with a kernel, and a folder.
    fn run_in(folder: &Path) -> Option<Gpu> {
        super::super::tests::gpu()?;
        let gpu = Gpu::open_with(Some(folder)).unwrap();
        let ones = gpu.upload(bytemuck::cast_slice(&[1.0f32; 8])).unwrap();
        let ones = View::dense(ones, Type::F32, &[8]);
        let sum = reduce::total(Runs::On(&gpu), Combine::Sum, &ones).unwrap();
        let bytes = gpu.download(&sum).unwrap();
        assert_eq!(bytes, 8.0f32.to_le_bytes());
        Some(gpu)
    }

    fn saved(gpu: &Gpu) -> Option<[u8; 32]> {
        lock(&gpu.pipelines.store.as_ref()?.state).saved
    }

    #[test]
    fn a_later_device_begins_with_what_an_earlier_one_has_made() {
        let folder = scratch("devices");
        let Some(first) = run_in(&folder) else { return };
        if first.pipelines.store.is_none() {
            eprintln!("SKIPPED: {} keeps no pipelines", first.name());
            return;
        }
        let sum = saved(&first);
        assert!(sum.is_some());
        drop(first);
        let mut files = fs::read_dir(&folder).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        let open = || Gpu::open_with(Some(&folder)).unwrap();
        assert_eq!(saved(&open()), sum);

        let whole = fs::read(&file).unwrap();
        // The header of wgpu: a mark, two versions, the backend, and whose it is: another adapter's, another driver's.
        let kept = Kept::open(&whole).unwrap();
        let (adapter, driver) = (kept.changed(17).seal(), kept.changed(32).seal());
        for damaged in [
            &b""[..],
            b"what is that",
            &whole[..whole.len() - 1],
            &adapter,
            &driver,
        ] {
            fs::write(&file, damaged).unwrap();
            let gpu = run_in(&folder).unwrap();
            assert_eq!(saved(&gpu), sum);
            drop(gpu);
            assert_eq!(fs::read(&file).unwrap(), whole);
        }

        // A file that has grown too large is not read.
        let opened = fs::File::options().write(true).open(&file).unwrap();
        opened.set_len(LARGEST + 1).unwrap();
        assert_eq!(saved(&open()), None);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_no_error() {
        let folder = scratch("no_folder");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("file");
        fs::write(&file, "").unwrap();
        run_in(&file.join("below"));
        fs::remove_dir_all(&folder).unwrap();
    }

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("mooncake-{name}-{}", std::process::id()))
    }

    #[test]
    fn a_file_is_written_whole_and_what_was_left_is_removed() {
        let folder = scratch("store");
        let file = folder.join("adapter");
        fs::create_dir_all(&folder).unwrap();
        let left = folder.join("adapter.1.tmp");
        fs::write(&left, "half").unwrap();
        let old = SystemTime::now() - 2 * STALE;
        let opened = fs::File::options().write(true).open(&left).unwrap();
        opened.set_modified(old).unwrap();
        let fresh = folder.join("adapter.2.tmp");
        fs::write(&fresh, "half").unwrap();
        write(&file, b"first").unwrap();
        write(&file, b"second").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"second");
        let mut names: Vec<_> = { fs::read_dir(&folder).unwrap() }
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["adapter", "adapter.2.tmp"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}

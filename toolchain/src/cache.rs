//! The private, versioned cache: one directory per entry, which exists only if complete.
//!
//! An entry is built in a temporary directory, gets a manifest of its files' SHA-256 sums, and is renamed
//! into place, so that a reader sees a complete entry or none. The manifest is verified on every use: a
//! truncated or altered entry is removed and built again. Two processes that need the same entry wait for
//! each other on a lock file; where locks do not work, the later rename fails and that process uses the
//! other's entry.

use std::fs::{self, DirBuilder, File};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use sha2::{Digest, Sha256};

use crate::error::{Error, IoContext};

/// Name of the manifest inside an entry.
const MANIFEST: &str = "SHA256SUMS";

/// Age from which a temporary directory is assumed to belong to a process that died.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// The directory of all build results: `$WARPFOLD_CACHE/<version>`, or `$XDG_CACHE_HOME/warpfold/<version>` (or below
/// `~/.cache`), or, where that cannot be written, `warpfold-<user>/<version>` in the temporary directory. Mode 0700, owned
/// by the user.
#[derive(Clone, Debug)]
pub struct Cache {
    base: PathBuf,
    root: PathBuf,
}

impl Cache {
    /// Opens the user's cache and creates it where it is missing.
    ///
    /// # Errors
    /// [`Error::Cache`] if the directory belongs to another user, [`Error::Io`] if it cannot be created.
    pub fn open() -> Result<Cache, Error> {
        Cache::open_at(Cache::location()?)
    }

    /// Why the temporary directory has the cache, if it has.
    pub fn instead_of_own() -> Option<String> {
        if named().is_some() {
            return None;
        }
        match own() {
            Ok(own) if is_writable(&own) => None,
            Ok(own) => Some(format!("{} cannot be written", own.display())),
            Err(reason) => Some(reason),
        }
    }

    /// Opens a cache below `base`.
    ///
    /// # Errors
    /// As [`Cache::open`].
    pub fn open_at(base: PathBuf) -> Result<Cache, Error> {
        let root = Cache::root_of(&base);
        DirBuilder::new().recursive(true).mode(0o700).create(&base).at("create", &base)?;
        check_base(&base)?;
        private_dir(&root)?;
        let cache = Cache { base, root };
        cache.sweep();
        Ok(cache)
    }

    /// The directory of this version below a base.
    pub(crate) fn root_of(base: &Path) -> PathBuf {
        base.join(env!("CARGO_PKG_VERSION"))
    }

    /// The directory of this version.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Writes a file at `path` below the root and returns its full path. The file is replaced as a whole,
    /// even if other processes do the same; a process that has it open still reads the old content.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be written.
    pub fn put(&self, path: impl AsRef<Path>, content: &[u8]) -> Result<PathBuf, Error> {
        let file = self.root.join(path);
        let same_size = fs::metadata(&file).is_ok_and(|metadata| metadata.len() == content.len() as u64);
        if same_size && fs::read(&file).is_ok_and(|old| old == content) {
            return Ok(file);
        }
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).at("create", folder)?;
        }
        let scratch = self.scratch()?;
        let fresh = scratch.path().join("file");
        fs::write(&fresh, content).at("write", &fresh)?;
        fs::rename(&fresh, &file).at("rename into", &file)?;
        Ok(file)
    }

    /// The directory that holds the versions.
    pub(crate) fn base(&self) -> &Path {
        &self.base
    }

    /// The entry of this `kind` for these `inputs`; `build` fills its directory if it does not exist. The
    /// inputs must be everything that the content depends on: sources, options, versions of tools.
    ///
    /// # Errors
    /// Those of `build`, and [`Error::Io`] if a file operation fails.
    pub fn keep(
        &self,
        kind: &str,
        inputs: &[&str],
        build: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        self.entry(kind, &Key::new(kind).with_all(inputs.iter().copied()), build)
    }

    /// The base directory of the cache, which need not exist.
    ///
    /// # Errors
    /// [`Error::Io`] if the working directory, to which `WARPFOLD_CACHE` may be relative, is unknown.
    pub fn location() -> Result<PathBuf, Error> {
        if let Some(path) = named() {
            return std::path::absolute(&path).at("resolve", Path::new(&path));
        }
        let user = current_user().map_or(String::from("user"), |user| user.to_string());
        let temporary = || std::env::temp_dir().join(format!("warpfold-{user}"));
        Ok(own().ok().filter(|own| is_writable(own)).unwrap_or_else(temporary))
    }

    /// A private directory on the cache's file system, removed when dropped.
    pub(crate) fn scratch(&self) -> Result<tempfile::TempDir, Error> {
        let parent = self.root.join("tmp");
        private_dir(&parent)?;
        tempfile::TempDir::new_in(&parent).at("create a directory in", &parent)
    }

    /// The entry `kind/key`; if it does not exist, `build` fills the directory that it is given.
    pub(crate) fn entry(
        &self,
        kind: &str,
        key: &Key,
        build: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let entry = self.root.join(kind).join(key.hex());
        if verified(&entry) {
            return Ok(entry);
        }
        let _lock = self.lock(kind, key)?;
        if verified(&entry) {
            return Ok(entry);
        }
        let scratch = self.scratch()?;
        let fresh = scratch.path().join("entry");
        private_dir(&fresh)?;
        build(&fresh)?;
        write_manifest(&fresh)?;
        private_dir(&self.root.join(kind))?;
        publish(&fresh, &entry, scratch.path())?;
        Ok(entry)
    }

    /// The entry `kind/key` if it exists. It is used now, for [`Cache::trim`].
    pub(crate) fn kept(&self, kind: &str, key: &Key) -> Option<PathBuf> {
        let entry = self.root.join(kind).join(key.hex());
        if !verified(&entry) {
            return None;
        }
        // Best effort: otherwise it is removed earlier.
        let _ = File::open(entry.join(MANIFEST)).and_then(|file| file.set_modified(SystemTime::now()));
        Some(entry)
    }

    /// Removes entries of a kind until they take no more than so many bytes, those first that were made or used least
    /// recently. Programs that have opened files of theirs keep them.
    pub(crate) fn trim(&self, kind: &str, most: u64) {
        let Ok(entries) = fs::read_dir(self.root.join(kind)) else { return };
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = entries
            .flatten()
            .map(|entry| {
                let files = fs::read_dir(entry.path()).into_iter().flatten().flatten();
                let bytes = files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
                let used = fs::metadata(entry.path().join(MANIFEST)).and_then(|file| file.modified());
                (used.unwrap_or(SystemTime::UNIX_EPOCH), bytes, entry.path())
            })
            .collect();
        entries.sort();
        let mut bytes: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, length, path) in entries {
            if bytes <= most {
                break;
            }
            let _ = fs::remove_dir_all(path);
            bytes -= length;
        }
    }

    /// Makes other builders of the same entry wait. Best effort: without it the rename still keeps entries
    /// complete.
    fn lock(&self, kind: &str, key: &Key) -> Result<File, Error> {
        let dir = self.root.join("locks");
        private_dir(&dir)?;
        // One file for each kind and first byte of a key, to bound their number. Builders of different
        // entries may wait for each other unnecessarily.
        let path = dir.join(format!("{kind}-{}", &key.hex()[..2]));
        let file = File::create(&path).at("create", &path)?;
        let _ = file.lock();
        Ok(file)
    }

    /// Removes temporary directories of processes that died.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(self.root.join("tmp")) else { return };
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|time| SystemTime::now().duration_since(time).ok());
            if age.is_some_and(|age| age > STALE) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Renames a finished entry into place; an entry that another process put there first stays.
fn publish(fresh: &Path, entry: &Path, scratch: &Path) -> Result<(), Error> {
    let first = fs::rename(fresh, entry);
    if first.is_ok() || verified(entry) {
        return Ok(());
    }
    // The existing entry is damaged: move it away and try again.
    let _ = fs::rename(entry, scratch.join("damaged"));
    match fs::rename(fresh, entry) {
        Err(error) if !verified(entry) => Err(error).at("rename into", entry),
        _ => Ok(()),
    }
}

/// The SHA-256 of everything that a result depends on. Each input is hashed with its length, so that
/// different lists of inputs have different keys.
pub(crate) struct Key(Sha256);

impl Key {
    pub(crate) fn new(purpose: &str) -> Key {
        Key(Sha256::new()).with(purpose.as_bytes())
    }

    pub(crate) fn with(mut self, input: &[u8]) -> Key {
        self.0.update((input.len() as u64).to_le_bytes());
        self.0.update(input);
        self
    }

    pub(crate) fn with_all<'a>(self, inputs: impl IntoIterator<Item = &'a str>) -> Key {
        inputs.into_iter().fold(self, |key, input| key.with(input.as_bytes()))
    }

    pub(crate) fn hex(&self) -> String {
        hex(self.0.clone())
    }
}

/// The SHA-256 of a file's bytes, in lower-case hexadecimal.
///
/// # Errors
/// [`Error::Io`] if it cannot be read.
pub fn file_sha256(path: &Path) -> Result<String, Error> {
    let mut file = File::open(path).at("open", path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block).at("read", path)? {
            0 => return Ok(hex(hash)),
            length => hash.update(&block[..length]),
        }
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write_manifest(dir: &Path) -> Result<(), Error> {
    let mut lines = String::new();
    for entry in fs::read_dir(dir).at("read", dir)? {
        let path = entry.at("read", dir)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        lines.push_str(&format!("{}  {name}\n", file_sha256(&path)?));
    }
    let manifest = dir.join(MANIFEST);
    fs::write(&manifest, lines).at("write", &manifest)
}

/// Whether `entry` exists and every file has the sum in its manifest.
fn verified(entry: &Path) -> bool {
    let Ok(manifest) = fs::read_to_string(entry.join(MANIFEST)) else { return false };
    !manifest.is_empty()
        && manifest.lines().all(|line| {
            line.split_once("  ")
                .is_some_and(|(sum, name)| file_sha256(&entry.join(name)).is_ok_and(|found| found == sum))
        })
}

/// Creates `path` with mode 0700 if it does not exist, and checks that it belongs to the user.
pub(crate) fn private_dir(path: &Path) -> Result<(), Error> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).at("create", path)?;
    let metadata = fs::metadata(path).at("examine", path)?;
    // A link of another user's would choose which directory is used.
    let link = fs::symlink_metadata(path).at("examine", path)?;
    let user = current_user().unwrap_or(metadata.uid());
    if let Some(owner) = [link.uid(), metadata.uid()].into_iter().find(|owner| *owner != user) {
        let reason = format!("it belongs to user {owner}, you are user {user}; {BASE_HINT}");
        return Err(Error::Cache { path: path.to_path_buf(), reason });
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).at("make private", path)?;
    }
    Ok(())
}

const BASE_HINT: &str = "set WARPFOLD_CACHE to a directory of your own";

/// Other users may share the base directory, but none may replace the private directories below.
fn check_base(base: &Path) -> Result<(), Error> {
    const OTHERS_WRITE: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    let metadata = fs::metadata(base).at("examine", base)?;
    let (owner, mode) = (metadata.uid(), metadata.permissions().mode());
    let user = current_user().unwrap_or(owner);
    let reason = if owner != user && owner != 0 {
        format!("it belongs to user {owner}, you are user {user}; {BASE_HINT}")
    } else if mode & OTHERS_WRITE != 0 && mode & STICKY == 0 {
        format!("other users can write to it (mode {:03o}); `chmod go-w` it, or {BASE_HINT}", mode & 0o777)
    } else {
        return Ok(());
    };
    Err(Error::Cache { path: base.to_path_buf(), reason })
}

/// What `WARPFOLD_CACHE` says.
fn named() -> Option<std::ffi::OsString> {
    std::env::var_os("WARPFOLD_CACHE").filter(|path| !path.is_empty())
}

/// The folder in the user's home.
fn own() -> Result<PathBuf, String> {
    let folders = etcetera::base_strategy::Xdg::new().map_err(|error| error.to_string())?;
    Ok(folders.cache_dir().join("warpfold"))
}

/// Whether files can be made in a folder, or the folder itself where it is missing.
fn is_writable(folder: &Path) -> bool {
    let there = folder.ancestors().find(|ancestor| ancestor.exists());
    there.is_some_and(|there| {
        there.is_dir() && rustix::fs::access(there, rustix::fs::Access::WRITE_OK).is_ok()
    })
}

fn current_user() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|process| process.uid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn temporary() -> (tempfile::TempDir, Cache) {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open_at(dir.path().join("cache")).unwrap();
        (dir, cache)
    }

    #[test]
    fn a_base_that_other_users_control_is_rejected() {
        use std::os::unix::fs::{chown, symlink};
        let dir = tempfile::tempdir().unwrap();
        let mode = |mode| fs::set_permissions(dir.path(), fs::Permissions::from_mode(mode)).unwrap();
        let open = || Cache::open_at(dir.path().to_path_buf()).map(drop).map_err(|error| error.to_string());
        for (bits, accepted) in [(0o700, true), (0o755, true), (0o1777, true), (0o777, false), (0o775, true)]
        {
            mode(bits);
            assert_eq!(open().is_ok(), accepted, "{bits:o}");
        }
        mode(0o777);
        assert!(open().unwrap_err().contains("WARPFOLD_CACHE"));
        if current_user() != Some(0) {
            eprintln!("the rest is skipped: only root can give a directory to another user");
            return;
        }
        mode(0o1777);
        let root = dir.path().join(env!("CARGO_PKG_VERSION"));
        fs::remove_dir_all(&root).unwrap();
        let other = tempfile::tempdir().unwrap();
        symlink(other.path(), &root).unwrap();
        std::os::unix::fs::lchown(&root, Some(1234), None).unwrap();
        let error = open().unwrap_err();
        assert!(error.contains("belongs to user 1234"), "{error}");
        fs::remove_file(&root).unwrap();
        chown(dir.path(), Some(1234), None).unwrap();
        assert!(open().unwrap_err().contains("belongs to user 1234"));
    }

    fn put(text: &'static str) -> impl FnOnce(&Path) -> Result<(), Error> {
        move |dir| fs::write(dir.join("a"), text).at("write", dir)
    }

    #[test]
    fn builds_once_and_keeps_it_private() {
        let (_dir, cache) = temporary();
        let key = Key::new("test").with(b"x");
        let entry = cache.entry("k", &key, put("one")).unwrap();
        let again = cache.entry("k", &key, |_| panic!("built twice")).unwrap();
        assert_eq!(entry, again);
        assert_eq!(fs::read_to_string(entry.join("a")).unwrap(), "one");
        for dir in [cache.root(), &entry, entry.parent().unwrap()] {
            assert_eq!(fs::metadata(dir).unwrap().permissions().mode() & 0o777, 0o700, "{}", dir.display());
        }
    }

    #[test]
    fn a_truncated_altered_or_half_removed_entry_is_built_again() {
        let (_dir, cache) = temporary();
        let key = Key::new("test");
        let damages: [fn(&Path); 4] = [
            |entry| fs::write(entry.join("a"), "").unwrap(),
            |entry| fs::write(entry.join("a"), "two").unwrap(),
            |entry| fs::remove_file(entry.join("a")).unwrap(),
            |entry| fs::write(entry.join(MANIFEST), "").unwrap(),
        ];
        for damage in damages {
            damage(&cache.entry("k", &key, put("one")).unwrap());
            let entry = cache.entry("k", &key, put("one")).unwrap();
            assert_eq!(fs::read_to_string(entry.join("a")).unwrap(), "one");
        }
    }

    #[test]
    fn what_was_used_least_recently_is_removed_first() {
        let (_dir, cache) = temporary();
        let keys = [0u8, 1, 2].map(|n| Key::new("test").with(&[n]).hex());
        for (n, key) in keys.iter().enumerate() {
            let entry = cache.entry("k", &Key::new("test").with(&[n as u8]), put("one")).unwrap();
            assert_eq!(entry.file_name().unwrap().to_str(), Some(&**key));
            let made = SystemTime::UNIX_EPOCH + Duration::from_secs(n as u64);
            File::open(entry.join(MANIFEST)).unwrap().set_modified(made).unwrap();
        }
        let left = || keys.each_ref().map(|key| cache.root().join("k").join(key).exists());
        let bytes = 3 + fs::metadata(cache.root().join("k").join(&keys[0]).join(MANIFEST)).unwrap().len();
        assert!(cache.kept("k", &Key::new("test").with(&[0])).is_some());
        assert!(cache.kept("k", &Key::new("test").with(&[3])).is_none());
        for (most, expected) in [
            (3 * bytes, [true, true, true]),
            (3 * bytes - 1, [true, false, true]),
            (bytes, [true, false, false]),
            (0, [false; 3]),
        ] {
            cache.trim("k", most);
            assert_eq!(left(), expected, "{most}");
        }
    }

    #[test]
    fn a_failed_build_leaves_nothing() {
        let (_dir, cache) = temporary();
        let key = Key::new("test");
        let failure = |_: &Path| Err(Error::Input { name: "x".into(), reason: "y".into() });
        assert!(cache.entry("k", &key, failure).is_err());
        assert!(!cache.root().join("k").join(key.hex()).exists());
        assert_eq!(fs::read_dir(cache.root().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn builders_of_one_entry_wait_for_the_first() {
        let (_dir, cache) = temporary();
        let built = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let entry = cache.entry("k", &Key::new("test"), |dir| {
                        built.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(50));
                        put("one")(dir)
                    });
                    assert_eq!(fs::read_to_string(entry.unwrap().join("a")).unwrap(), "one");
                });
            }
        });
        assert_eq!(built.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_file_is_put_and_replaced() {
        let (_dir, cache) = temporary();
        let file = cache.put("a/b", b"one").unwrap();
        assert_eq!(file, cache.root().join("a/b"));
        let mut open = File::open(&file).unwrap();
        for content in [&b"one"[..], b"two", b"", b"two"] {
            assert_eq!(cache.put("a/b", content).unwrap(), file);
            assert_eq!(fs::read(&file).unwrap(), content);
        }
        let mut old = String::new();
        open.read_to_string(&mut old).unwrap();
        assert_eq!(old, "one");
        assert_eq!(fs::read_dir(cache.root().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn keys_depend_on_the_boundaries_of_inputs() {
        let key = |inputs: &[&str]| Key::new("test").with_all(inputs.iter().copied()).hex();
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["ab"]), key(&["ab", ""]));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
    }
}

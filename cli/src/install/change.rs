//! The changes of an installation: planned and checked as a whole, then applied step by step.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::manifest::{Content, Entry, MANIFEST_PATH, Manifest};
use crate::{error::Error, package};

/// What is written to a path.
#[derive(Clone, Debug)]
pub enum Source {
    /// These bytes, with this mode.
    Bytes(Vec<u8>, u32),
    /// A copy of this file, with this mode.
    Copy(PathBuf, u32),
    /// A link to this path.
    Link(PathBuf),
}

/// The files below a prefix, by path: relative to the prefix, or absolute for a link elsewhere.
pub type WantedFiles = BTreeMap<PathBuf, Source>;

/// The changes that lead from the installed files to the wanted ones.
#[derive(Debug)]
pub struct Change {
    prefix: PathBuf,
    old: Manifest,
    new: Manifest,
    write: Vec<(PathBuf, Source)>,
    replaced: usize,
    same: usize,
    remove: Vec<PathBuf>,
    /// No longer wanted, but changed since they were installed: they stay.
    kept: Vec<PathBuf>,
}

impl Change {
    /// Compares the present files with the wanted ones. An error lists all files that would be overwritten.
    pub fn plan(prefix: &Path, version: &str, wanted: WantedFiles) -> Result<Change, Error> {
        let old = Manifest::read(prefix)?.unwrap_or_default();
        let mut change = Change {
            prefix: prefix.into(),
            new: Manifest { version: version.into(), entries: Vec::new(), folders: old.folders.clone() },
            old,
            write: Vec::new(),
            replaced: 0,
            same: 0,
            remove: Vec::new(),
            kept: Vec::new(),
        };
        let mut foreign = Vec::new();
        for (path, source) in wanted {
            let content = source.content()?;
            match Content::at(&prefix.join(&path))? {
                None => change.write.push((path.clone(), source)),
                Some(present) if !change.old.lists(&path, &present) => {
                    let why = match change.old.lists_path(&path) {
                        true => "changed since it was installed",
                        false => "not installed by warpfold",
                    };
                    foreign.push(format!("  {} ({why})", prefix.join(&path).display()));
                }
                Some(present) if present == content => change.same += 1,
                Some(_) => {
                    change.replaced += 1;
                    change.write.push((path.clone(), source));
                }
            }
            change.new.entries.push(Entry { path, content });
        }
        if !foreign.is_empty() {
            return Err(Error::Usage(format!(
                "nothing was changed, because these files would be overwritten:\n{}\nmove them away, or choose another \
                 --prefix",
                foreign.join("\n")
            )));
        }
        for entry in &change.old.entries {
            if change.new.lists_path(&entry.path) || change.remove.contains(&entry.path) {
                continue;
            }
            match Content::at(&prefix.join(&entry.path))? {
                None => {}
                Some(present) if change.old.lists(&entry.path, &present) => {
                    change.remove.push(entry.path.clone());
                }
                Some(_) if change.kept.contains(&entry.path) => {}
                Some(_) => change.kept.push(entry.path.clone()),
            }
        }
        Ok(change)
    }

    /// Files that were installed and changed since, and stay.
    pub fn kept(&self) -> impl Iterator<Item = PathBuf> {
        self.kept.iter().map(|path| self.prefix.join(path))
    }

    /// Whether there is nothing to change.
    pub fn is_empty(&self) -> bool {
        self.write.is_empty() && self.remove.is_empty() && self.new.entries == self.old.entries
    }

    /// Applies the changes. From before the first change until after the last, the manifest lists both the
    /// files to be written and those to be removed, so that an interrupted run can be repeated or undone.
    pub fn apply(mut self) -> Result<(), Error> {
        self.check_writable()?;
        let manifest = self.prefix.join(MANIFEST_PATH);
        if !self.new.entries.is_empty() {
            let paths = self.write.iter().map(|(path, _)| self.prefix.join(path));
            for path in paths.chain([manifest.clone()]).collect::<Vec<_>>() {
                path.parent().into_iter().for_each(|folder| self.add_missing_folders(folder));
            }
            self.make_folders()?;
            let mut both = self.new.clone();
            let old = self.old.entries.iter().filter(|entry| !self.new.entries.contains(entry));
            both.entries.extend(old.cloned());
            write_manifest(&self.prefix, &both)?;
        }
        for (path, source) in &self.write {
            source.write(&self.prefix.join(path))?;
        }
        for path in &self.remove {
            remove(&self.prefix.join(path))?;
        }
        match self.new.entries.is_empty() {
            false => write_manifest(&self.prefix, &self.new)?,
            true => remove(&manifest)?,
        }
        self.remove_empty_folders();
        Ok(())
    }

    /// Checks, before anything is changed, that all folders are writable.
    fn check_writable(&self) -> Result<(), Error> {
        let paths =
            self.write.iter().map(|(path, _)| path).chain(&self.remove).map(|path| self.prefix.join(path));
        let mut tried: Vec<PathBuf> = Vec::new();
        for path in paths.chain([self.prefix.join(MANIFEST_PATH)]) {
            let Some(folder) = path.ancestors().skip(1).find(|folder| folder.is_dir()) else { continue };
            if tried.iter().any(|done| done == folder) {
                continue;
            }
            tried.push(folder.into());
            if let Err(error) = tempfile::tempfile_in(folder) {
                let hint = match error.kind() {
                    io::ErrorKind::PermissionDenied => {
                        "; run it with sudo, or choose folders of your own (`--prefix`, `--cuda-link`)"
                    }
                    _ => "",
                };
                let folder = folder.display();
                return Err(Error::Usage(format!(
                    "nothing was changed: {folder} cannot be written to ({error}){hint}"
                )));
            }
        }
        Ok(())
    }

    /// Adds a folder and its parents, as far as they do not exist, to the folders of the manifest.
    fn add_missing_folders(&mut self, folder: &Path) {
        let missing: Vec<PathBuf> =
            folder.ancestors().take_while(|folder| !folder.exists()).map(Into::into).collect();
        for folder in missing.into_iter().rev() {
            if !self.new.folders.contains(&folder) {
                self.new.folders.push(folder);
            }
        }
    }

    fn make_folders(&self) -> Result<(), Error> {
        for folder in &self.new.folders {
            match fs::create_dir(folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                // A folder of an earlier installation whose parent is gone: nothing is written there now.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                made => made.map_err(|source| Error::Write { path: folder.clone(), source })?,
            }
        }
        Ok(())
    }

    /// Removes the folders that are empty; `remove_dir` fails for the others.
    fn remove_empty_folders(&self) {
        for folder in self.new.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, verb: &str, path: &Path, suffix: &str| {
            writeln!(f, "  {verb} {}{suffix}", self.prefix.join(path).display())
        };
        for (path, source) in &self.write {
            let verb = if self.old.lists_path(path) { "replace" } else { "write" };
            match source {
                Source::Link(target) => list(f, verb, path, &format!(" -> {}", target.display()))?,
                Source::Bytes(..) | Source::Copy(..) => list(f, verb, path, "")?,
            }
        }
        self.remove.iter().try_for_each(|path| list(f, "remove", path, ""))?;
        self.kept.iter().try_for_each(|path| list(f, "keep", path, ", which was changed"))?;
        let new = self.write.len() - self.replaced;
        write!(
            f,
            "{new} new, {} replaced, {} unchanged, {} removed",
            self.replaced,
            self.same,
            self.remove.len()
        )
    }
}

impl Source {
    fn content(&self) -> Result<Content, Error> {
        Ok(match self {
            Source::Bytes(bytes, _) => {
                Content::Sha256(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
            }
            Source::Copy(path, _) => Content::Sha256(toolchain::file_sha256(path)?),
            Source::Link(target) => Content::Link(target.clone()),
        })
    }

    fn write(&self, path: &Path) -> Result<(), Error> {
        let failed = |source| Error::Write { path: path.into(), source };
        match self {
            Source::Bytes(bytes, mode) => {
                package::replace(path, *mode, |file| io::Write::write_all(file, bytes))
            }
            Source::Copy(from, mode) => {
                let mut from =
                    fs::File::open(from).map_err(|source| Error::Read { path: from.into(), source })?;
                package::replace(path, *mode, |file| io::copy(&mut from, file).map(drop))
            }
            Source::Link(target) => {
                let folder = path.parent().unwrap_or(Path::new("/"));
                let scratch =
                    tempfile::Builder::new().prefix(".warpfold-").tempdir_in(folder).map_err(failed)?;
                let fresh = scratch.path().join("link");
                symlink(target, &fresh).and_then(|()| fs::rename(&fresh, path)).map_err(failed)
            }
        }
    }
}

fn write_manifest(prefix: &Path, manifest: &Manifest) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(manifest).unwrap_or_default() + "\n";
    package::replace(&prefix.join(MANIFEST_PATH), 0o644, |file| io::Write::write_all(file, text.as_bytes()))
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(|source| Error::Write { path: path.into(), source }),
    }
}

//! What an installation changes: decided as a whole, refused as a whole, then done step by step.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::manifest::{Content, Entry, Manifest, PLACE};
use crate::{error::Error, package};

/// Where the bytes of a place come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// These bytes, with this mode.
    Bytes(Vec<u8>, u32),
    /// A copy of this file, with this mode.
    Copy(PathBuf, u32),
    /// A link to this path.
    Link(PathBuf),
}

/// What is to be below a prefix, by place: relative, or absolute for a link elsewhere.
pub type Wanted = BTreeMap<PathBuf, Source>;

/// How a prefix becomes what is wanted.
#[derive(Debug)]
pub struct Change {
    prefix: PathBuf,
    old: Manifest,
    new: Manifest,
    write: Vec<(PathBuf, Source)>,
    replaced: usize,
    same: usize,
    remove: Vec<PathBuf>,
    /// Changed by others since they were put there, and wanted no more.
    left: Vec<PathBuf>,
}

impl Change {
    /// Compares what is there with what is wanted. An error names everything that is in the way.
    pub fn plan(prefix: &Path, version: &str, wanted: Wanted) -> Result<Change, Error> {
        let old = Manifest::read(prefix)?.unwrap_or_default();
        let mut change = Change {
            prefix: prefix.into(),
            new: Manifest { version: version.into(), entries: Vec::new(), folders: old.folders.clone() },
            old,
            write: Vec::new(),
            replaced: 0,
            same: 0,
            remove: Vec::new(),
            left: Vec::new(),
        };
        let mut foreign = Vec::new();
        for (place, source) in wanted {
            let content = source.content()?;
            match Content::at(&prefix.join(&place))? {
                None => change.write.push((place.clone(), source)),
                Some(there) if !change.old.owns(&place, &there) => {
                    let why =
                        if change.old.knows(&place) { "changed since it was installed" } else { "not ours" };
                    foreign.push(format!("  {} ({why})", prefix.join(&place).display()));
                }
                Some(there) if there == content => change.same += 1,
                Some(_) => {
                    change.replaced += 1;
                    change.write.push((place.clone(), source));
                }
            }
            change.new.entries.push(Entry { path: place, content });
        }
        if !foreign.is_empty() {
            return Err(Error::Usage(format!(
                "nothing was changed, because these would be overwritten:\n{}\nmove them away, or choose another \
                 --prefix",
                foreign.join("\n")
            )));
        }
        for entry in &change.old.entries {
            if change.new.knows(&entry.path) || change.remove.contains(&entry.path) {
                continue;
            }
            match Content::at(&prefix.join(&entry.path))? {
                None => {}
                Some(there) if change.old.owns(&entry.path, &there) => change.remove.push(entry.path.clone()),
                Some(_) if change.left.contains(&entry.path) => {}
                Some(_) => change.left.push(entry.path.clone()),
            }
        }
        Ok(change)
    }

    /// What has been installed and changed since, and stays.
    pub fn left(&self) -> impl Iterator<Item = PathBuf> {
        self.left.iter().map(|path| self.prefix.join(path))
    }

    /// Whether all is as it should be.
    pub fn is_nothing(&self) -> bool {
        self.write.is_empty() && self.remove.is_empty() && self.new.entries == self.old.entries
    }

    /// Carries it out. What is written and what is to be removed stand in the manifest from before the first
    /// change to after the last, so that a run that was cut off can be repeated or undone.
    pub fn apply(mut self) -> Result<(), Error> {
        self.refuse_unwritable()?;
        let manifest = self.prefix.join(PLACE);
        if !self.new.entries.is_empty() {
            let places = self.write.iter().map(|(place, _)| self.prefix.join(place));
            for path in places.chain([manifest.clone()]).collect::<Vec<_>>() {
                path.parent().into_iter().for_each(|folder| self.note_missing(folder));
            }
            self.make_folders()?;
            let mut both = self.new.clone();
            let old = self.old.entries.iter().filter(|entry| !self.new.entries.contains(entry));
            both.entries.extend(old.cloned());
            write_manifest(&self.prefix, &both)?;
        }
        for (place, source) in &self.write {
            source.put(&self.prefix.join(place))?;
        }
        for place in &self.remove {
            remove(&self.prefix.join(place))?;
        }
        match self.new.entries.is_empty() {
            false => write_manifest(&self.prefix, &self.new)?,
            true => remove(&manifest)?,
        }
        self.remove_empty_folders();
        Ok(())
    }

    /// Finds out before anything is changed whether all folders can be written to.
    fn refuse_unwritable(&self) -> Result<(), Error> {
        let places = self
            .write
            .iter()
            .map(|(place, _)| place)
            .chain(&self.remove)
            .map(|place| self.prefix.join(place));
        let mut tried: Vec<PathBuf> = Vec::new();
        for path in places.chain([self.prefix.join(PLACE)]) {
            let Some(folder) = path.ancestors().skip(1).find(|folder| folder.is_dir()) else { continue };
            if tried.iter().any(|done| done == folder) {
                continue;
            }
            tried.push(folder.into());
            if let Err(error) = tempfile::tempfile_in(folder) {
                let cure = match error.kind() {
                    io::ErrorKind::PermissionDenied => {
                        "; run it with sudo, or choose folders of your own (`--prefix`, `--cuda-link`)"
                    }
                    _ => "",
                };
                let folder = folder.display();
                return Err(Error::Usage(format!(
                    "nothing was changed: {folder} cannot be written to ({error}){cure}"
                )));
            }
        }
        Ok(())
    }

    /// Adds a folder and those that it is in to the list of ours, where they are not there yet.
    fn note_missing(&mut self, folder: &Path) {
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
                // One of an earlier installation, below a folder that is gone: nothing is put there now.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                made => made.map_err(|source| Error::Write { path: folder.clone(), source })?,
            }
        }
        Ok(())
    }

    /// A folder that holds something of others refuses to go, and stays.
    fn remove_empty_folders(&self) {
        for folder in self.new.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, verb: &str, place: &Path, what: &str| {
            writeln!(f, "  {verb} {}{what}", self.prefix.join(place).display())
        };
        for (place, source) in &self.write {
            let verb = if self.old.knows(place) { "replace" } else { "write" };
            match source {
                Source::Link(target) => list(f, verb, place, &format!(" -> {}", target.display()))?,
                Source::Bytes(..) | Source::Copy(..) => list(f, verb, place, "")?,
            }
        }
        self.remove.iter().try_for_each(|place| list(f, "remove", place, ""))?;
        self.left.iter().try_for_each(|place| list(f, "leave", place, ", which was changed"))?;
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

    fn put(&self, path: &Path) -> Result<(), Error> {
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
    package::replace(&prefix.join(PLACE), 0o644, |file| io::Write::write_all(file, text.as_bytes()))
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(|source| Error::Write { path: path.into(), source }),
    }
}

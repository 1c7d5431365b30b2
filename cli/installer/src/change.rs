//! The changes of an installation: planned and checked as a whole, then applied step by step.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use crate::{
    Error,
    cuda_link::{CudaLink, TOOLKIT_LINK},
    manifest::{Entry, MANIFEST_PATH, Manifest},
    prefix::{Prefix, Source},
};

/// The wanted state of a prefix.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The files, by path below the prefix.
    pub files: BTreeMap<PathBuf, Source>,
    /// Those of the files that are left out where another file is.
    pub unless_present: Vec<PathBuf>,
    /// Installed files below this folder stay as they are.
    pub keep: Option<PathBuf>,
    /// The link to CUDA's tools, outside the prefix; it exists afterwards.
    pub cuda_link: Option<PathBuf>,
}

/// The changes that lead from the installed files to the wanted ones.
#[derive(Debug)]
pub struct Change {
    prefix: Prefix,
    old: Manifest,
    new: Manifest,
    write: Vec<(PathBuf, Source)>,
    replaced: usize,
    same: usize,
    remove: Vec<PathBuf>,
    /// No longer wanted, but changed since they were installed: they stay.
    kept: Vec<PathBuf>,
    /// Left out, because another file is there.
    left_out: Vec<PathBuf>,
    make_link: Option<CudaLink>,
    remove_link: Option<CudaLink>,
}

impl Change {
    /// Compares the present files with the wanted ones; `remove_link` is a link to CUDA's tools that is removed.
    /// An error lists all files that would be overwritten.
    pub fn plan(
        prefix: Prefix,
        version: &str,
        wanted: Wanted,
        remove_link: Option<CudaLink>,
    ) -> Result<Change, Error> {
        let old = Manifest::read(&prefix)?.unwrap_or_default();
        let mut change = Change {
            new: Manifest {
                version: version.into(),
                entries: Vec::new(),
                folders: old.folders.clone(),
                cuda_link: wanted
                    .cuda_link
                    .clone()
                    .or(old.cuda_link.clone().filter(|_| wanted.keep.is_some())),
            },
            prefix,
            old,
            write: Vec::new(),
            replaced: 0,
            same: 0,
            remove: Vec::new(),
            kept: Vec::new(),
            left_out: Vec::new(),
            make_link: None,
            remove_link,
        };
        let mut foreign = Vec::new();
        for (path, source) in wanted.files {
            let content = source.content()?;
            match change.prefix.content(&path)? {
                None => change.write.push((path.clone(), source)),
                Some(present)
                    if !change.old.lists(&path, &present) && wanted.unless_present.contains(&path) =>
                {
                    change.left_out.push(path);
                    continue;
                }
                Some(present) if !change.old.lists(&path, &present) => {
                    let why = match change.old.lists_path(&path) {
                        true => "changed since it was installed",
                        false => "not installed by warpfold",
                    };
                    foreign.push(format!("  {} ({why})", change.prefix.join(&path).display()));
                }
                Some(present) if present == content => change.same += 1,
                Some(_) => {
                    change.replaced += 1;
                    change.write.push((path.clone(), source));
                }
            }
            change.new.entries.push(Entry { path, content });
        }
        if let Some(path) = wanted.cuda_link {
            let link = CudaLink::new(path, &change.prefix, change.new.lists_path(Path::new(TOOLKIT_LINK)));
            match link.present()? {
                None => change.make_link = Some(link),
                Some(target) if link.is_ours(&target) => change.same += 1,
                Some(_) => foreign.push(format!("  {} (not a link made by warpfold)", link.path.display())),
            }
        }
        if !foreign.is_empty() {
            return Err(Error::Rejected(format!(
                "nothing was changed, because these files would be overwritten:\n{}\nmove them away, or choose another \
                 --prefix",
                foreign.join("\n")
            )));
        }
        for entry in &change.old.entries {
            let settled = [&change.remove, &change.kept, &change.left_out]
                .iter()
                .any(|paths| paths.contains(&entry.path));
            if settled || change.new.lists_path(&entry.path) {
                continue;
            }
            let present = change.prefix.content(&entry.path)?;
            let stays = wanted.keep.as_ref().is_some_and(|folder| entry.path.starts_with(folder));
            match present {
                None => {}
                Some(_) if stays => {
                    change.same += 1;
                    change.new.entries.push(entry.clone());
                }
                Some(present) if change.old.lists(&entry.path, &present) => {
                    change.remove.push(entry.path.clone());
                }
                Some(_) => change.kept.push(entry.path.clone()),
            }
        }
        change.new.entries.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(change)
    }

    /// Files that were installed and changed since, and stay.
    pub fn kept(&self) -> impl Iterator<Item = PathBuf> {
        self.kept.iter().map(|path| self.prefix.join(path))
    }

    /// Files that were not written, because another file is there.
    pub fn left_out(&self) -> impl Iterator<Item = PathBuf> {
        self.left_out.iter().map(|path| self.prefix.join(path))
    }

    /// Whether there is nothing to change.
    pub fn is_empty(&self) -> bool {
        let links = self.make_link.iter().chain(&self.remove_link).count();
        links == 0 && self.write.is_empty() && self.remove.is_empty() && self.new.entries == self.old.entries
    }

    /// Applies the changes, after a check that all folders can be written to. From before the first change until after the last, the manifest lists both the
    /// files to be written and those to be removed, so that an interrupted run can be repeated or undone.
    ///
    /// # Errors
    ///
    /// A file that cannot be written or removed.
    pub fn apply(mut self) -> Result<(), Error> {
        self.check_writable()?;
        let manifest = Path::new(MANIFEST_PATH);
        if !self.new.entries.is_empty() {
            self.prefix.create()?;
            let paths: Vec<_> = self.write.iter().map(|(path, _)| path.clone()).collect();
            for path in paths.iter().map(PathBuf::as_path).chain([manifest]) {
                self.make_folders(path)?;
            }
            let mut both = self.new.clone();
            let old = self.old.entries.iter().filter(|entry| !self.new.entries.contains(entry));
            both.entries.extend(old.cloned());
            write_manifest(&self.prefix, &both)?;
        }
        for (path, source) in &self.write {
            self.prefix.write(path, source)?;
        }
        // Links to the tools come last and go first.
        if let Some(link) = &self.remove_link {
            link.remove()?;
        }
        for path in &self.remove {
            self.prefix.remove(path)?;
        }
        match self.new.entries.is_empty() {
            false => write_manifest(&self.prefix, &self.new)?,
            true => self.prefix.remove(manifest)?,
        }
        if let Some(link) = &self.make_link {
            link.make()?;
        }
        self.new.folders.iter().rev().for_each(|folder| self.prefix.remove_empty_folder(folder));
        Ok(())
    }

    /// Checks, before anything is changed, that all folders are writable.
    fn check_writable(&self) -> Result<(), Error> {
        let paths = self.write.iter().map(|(path, _)| path.as_path());
        let paths = paths.chain(self.remove.iter().map(PathBuf::as_path)).chain([Path::new(MANIFEST_PATH)]);
        let mut tried: Vec<PathBuf> = Vec::new();
        for path in paths {
            let folder = self.prefix.existing_parent(path);
            if !tried.contains(&folder) {
                self.prefix.check_writable(&folder)?;
                tried.push(folder);
            }
        }
        self.make_link.iter().chain(&self.remove_link).try_for_each(CudaLink::check_writable)
    }

    /// Creates the folders of a path, and adds those that were missing to the manifest's.
    fn make_folders(&mut self, path: &Path) -> Result<(), Error> {
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        while let Some(folder) = folders.pop() {
            if !folder.as_os_str().is_empty()
                && self.prefix.create_folder(folder)?
                && !self.new.folders.iter().any(|made| made == folder)
            {
                self.new.folders.push(folder.into());
            }
        }
        Ok(())
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
        for (verb, link) in [("write", &self.make_link), ("remove", &self.remove_link)] {
            link.iter().try_for_each(|link| writeln!(f, "  {verb} {link}"))?;
        }
        let new = self.write.len() - self.replaced + self.make_link.iter().count();
        write!(
            f,
            "{new} new, {} replaced, {} unchanged, {} removed",
            self.replaced,
            self.same,
            self.remove.len() + self.remove_link.iter().count()
        )
    }
}

fn write_manifest(prefix: &Prefix, manifest: &Manifest) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(manifest).unwrap_or_default() + "\n";
    prefix.write(Path::new(MANIFEST_PATH), &Source::Bytes(text.into_bytes(), 0o644))
}

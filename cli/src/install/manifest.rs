//! The list of installed files: only these are ever replaced or removed.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The manifest's path below the prefix.
pub const MANIFEST_PATH: &str = "share/warpfold/manifest.json";

/// The files that were installed below a prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the package.
    pub version: String,
    /// While a file is being replaced, its path is listed twice: either content is ours.
    pub entries: Vec<Entry>,
    /// Folders that were created, each after its parent.
    pub folders: Vec<PathBuf>,
}

/// An installed file or link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Below the prefix; absolute for a link that is elsewhere.
    pub path: PathBuf,
    /// Its content.
    #[serde(flatten)]
    pub content: Content,
}

/// The content of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// A file whose bytes have this sum.
    Sha256(String),
    /// A symbolic link to this path.
    Link(PathBuf),
    /// A folder, or something else that is never ours.
    #[serde(skip)]
    Other,
}

impl Manifest {
    /// Reads the manifest of a prefix; none if nothing is installed.
    pub fn read(prefix: &Path) -> Result<Option<Manifest>, Error> {
        let path = prefix.join(MANIFEST_PATH);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|source| Error::Read { path: path.clone(), source })?,
        };
        let invalid = |reason: String| {
            Error::Usage(format!(
                "{} is not a list of installed files ({reason}), so warpfold does not know which files it installed. \
                 Remove this file and warpfold's files by hand",
                path.display()
            ))
        };
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        match manifest.entries.iter().find(|entry| !entry.is_valid()) {
            Some(entry) => Err(invalid(format!("`{}` leads out of the prefix", entry.path.display()))),
            None => Ok(Some(manifest)),
        }
    }

    /// The files that are missing below the prefix, and those changed since they were installed.
    pub fn differences(&self, prefix: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Error> {
        let (mut missing, mut changed) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            let path = prefix.join(&entry.path);
            match Content::at(&path)? {
                None => missing.push(path),
                Some(present) if !self.lists(&entry.path, &present) => changed.push(path),
                Some(_) => {}
            }
        }
        Ok((missing, changed))
    }

    /// Whether this content was installed at this path.
    pub fn lists(&self, path: &Path, content: &Content) -> bool {
        self.entries.iter().any(|entry| entry.path == path && entry.content == *content)
    }

    /// Whether something was installed at this path.
    pub fn lists_path(&self, path: &Path) -> bool {
        self.entries.iter().any(|entry| entry.path == path)
    }
}

impl Entry {
    fn is_valid(&self) -> bool {
        let below = self.path.components().all(|component| matches!(component, Component::Normal(_)));
        below || (self.path.is_absolute() && matches!(self.content, Content::Link(_)))
    }
}

impl Content {
    /// The present content of a path; none if nothing is there.
    pub fn at(path: &Path) -> Result<Option<Content>, Error> {
        let read = |source| Error::Read { path: path.into(), source };
        let kind = match fs::symlink_metadata(path) {
            Err(error) if is_absent(&error) => return Ok(None),
            found => found.map_err(read)?.file_type(),
        };
        Ok(Some(if kind.is_symlink() {
            Content::Link(fs::read_link(path).map_err(read)?)
        } else if kind.is_file() {
            Content::Sha256(toolchain::file_sha256(path)?)
        } else {
            Content::Other
        }))
    }
}

/// Nothing is there, or a parent is not a folder.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), None);
        let manifest = Manifest {
            version: "1.2.3".into(),
            entries: vec![
                Entry { path: "a/b".into(), content: Content::Sha256("12".into()) },
                Entry { path: "/c".into(), content: Content::Link("/d".into()) },
            ],
            folders: vec!["a".into()],
        };
        let path = folder.path().join(MANIFEST_PATH);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, serde_json::to_string(&manifest).unwrap()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), Some(manifest));
    }

    #[test]
    fn a_manifest_with_paths_outside_the_prefix_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(MANIFEST_PATH);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for entry in [
            r#"{"path": "../x", "sha256": "1"}"#,
            r#"{"path": "/etc/passwd", "sha256": "1"}"#,
            r#"{"path": "a/../../x", "link": "y"}"#,
            r#"{"path": "a"}"#,
        ] {
            fs::write(&path, format!(r#"{{"version": "1", "entries": [{entry}], "folders": []}}"#)).unwrap();
            let error = Manifest::read(folder.path()).unwrap_err().to_string();
            assert!(error.contains("by hand"), "{error}");
        }
    }
}

//! The list of what was installed: the only thing that says which files are ours.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Where it lies below the prefix.
pub const PLACE: &str = "share/warpfold/manifest.json";

/// What was installed below a prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the package.
    pub version: String,
    /// A place may be there twice while it is being replaced: then either content is ours.
    pub entries: Vec<Entry>,
    /// Folders that were made for it, each after the one it is in.
    pub folders: Vec<PathBuf>,
}

/// One place and what was put there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Below the prefix; absolute for a link that is elsewhere.
    pub path: PathBuf,
    /// What it holds.
    #[serde(flatten)]
    pub content: Content,
}

/// What a place holds.
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
    /// That of a prefix; none where nothing is installed.
    pub fn read(prefix: &Path) -> Result<Option<Manifest>, Error> {
        let path = prefix.join(PLACE);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|source| Error::Read { path: path.clone(), source })?,
        };
        let broken = |reason: String| {
            Error::Usage(format!(
                "{} is no list of installed files ({reason}): whose they are cannot be told. Remove it and the files \
                 that you know to be warpfold's by hand",
                path.display()
            ))
        };
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        match manifest.entries.iter().find(|entry| !entry.is_sound()) {
            Some(entry) => Err(broken(format!("`{}` leads out of the prefix", entry.path.display()))),
            None => Ok(Some(manifest)),
        }
    }

    /// What is missing below the prefix, and what was changed since it was put there.
    pub fn differences(&self, prefix: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Error> {
        let (mut missing, mut changed) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            let path = prefix.join(&entry.path);
            match Content::at(&path)? {
                None => missing.push(path),
                Some(there) if !self.owns(&entry.path, &there) => changed.push(path),
                Some(_) => {}
            }
        }
        Ok((missing, changed))
    }

    /// Whether this is what was put there.
    pub fn owns(&self, path: &Path, content: &Content) -> bool {
        self.entries.iter().any(|entry| entry.path == path && entry.content == *content)
    }

    /// Whether something was put there.
    pub fn knows(&self, path: &Path) -> bool {
        self.entries.iter().any(|entry| entry.path == path)
    }
}

impl Entry {
    fn is_sound(&self) -> bool {
        let below = self.path.components().all(|part| matches!(part, Component::Normal(_)));
        below || (self.path.is_absolute() && matches!(self.content, Content::Link(_)))
    }
}

impl Content {
    /// What is at a path now; none where nothing is.
    pub fn at(path: &Path) -> Result<Option<Content>, Error> {
        let read = |source| Error::Read { path: path.into(), source };
        let kind = match fs::symlink_metadata(path) {
            Err(error) if absent(&error) => return Ok(None),
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

/// Nothing is there, or what should be a folder on the way is none.
fn absent(error: &io::Error) -> bool {
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
        let path = folder.path().join(PLACE);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, serde_json::to_string(&manifest).unwrap()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), Some(manifest));
    }

    #[test]
    fn a_manifest_that_leads_elsewhere_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(PLACE);
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

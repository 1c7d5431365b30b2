//! The list of installed files: only these are ever replaced or removed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{
    Error,
    prefix::{Content, Prefix, is_below},
};

/// The manifest's path below the prefix.
pub const MANIFEST_PATH: &str = "share/warpfold/manifest.json";

/// The files that were installed below a prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the package.
    pub version: String,
    /// While a file is being replaced, its path is listed twice: either content is ours.
    pub entries: Vec<Entry>,
    /// Folders below the prefix that were created, each after its parent.
    pub folders: Vec<PathBuf>,
    /// The link to CUDA's tools that was made outside the prefix. Only reported: an option names the link that
    /// is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuda_link: Option<PathBuf>,
}

/// An installed file or link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Below the prefix.
    pub path: PathBuf,
    /// Its content.
    #[serde(flatten)]
    pub content: Content,
}

impl Manifest {
    /// Reads the manifest of a prefix; none if nothing is installed.
    pub fn read(prefix: &Prefix) -> Result<Option<Manifest>, Error> {
        let path = Path::new(MANIFEST_PATH);
        let Some(text) = prefix.read(path)? else { return Ok(None) };
        let invalid = |reason: String| {
            Error::Rejected(format!(
                "{} is not a list of installed files ({reason}), so warpfold does not know which files it installed. \
                 Remove this file and warpfold's files by hand",
                prefix.join(path).display()
            ))
        };
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        let mut paths = manifest.entries.iter().map(|entry| &entry.path).chain(&manifest.folders);
        match paths.find(|path| !is_below(path)) {
            Some(path) => Err(invalid(format!("`{}` leads out of the prefix", path.display()))),
            None => Ok(Some(manifest)),
        }
    }

    /// The files that are missing below the prefix, and those changed since they were installed.
    pub fn differences(&self, prefix: &Prefix) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Error> {
        let (mut missing, mut changed) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            match prefix.content(&entry.path)? {
                None => missing.push(prefix.join(&entry.path)),
                Some(present) if !self.lists(&entry.path, &present) => changed.push(prefix.join(&entry.path)),
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_manifest_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = Prefix::open(folder.path(), false).unwrap();
        assert_eq!(Manifest::read(&prefix).unwrap(), None);
        let manifest = Manifest {
            version: "1.2.3".into(),
            entries: vec![
                Entry { path: "a/b".into(), content: Content::Sha256("12".into()) },
                Entry { path: "c".into(), content: Content::Link("/d".into()) },
            ],
            folders: vec!["a".into()],
            cuda_link: Some("/e".into()),
        };
        let path = folder.path().join(MANIFEST_PATH);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, serde_json::to_string(&manifest).unwrap()).unwrap();
        assert_eq!(Manifest::read(&prefix).unwrap(), Some(manifest));
    }

    #[test]
    fn a_manifest_with_paths_outside_the_prefix_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = Prefix::open(folder.path(), false).unwrap();
        let path = folder.path().join(MANIFEST_PATH);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for (entries, folders) in [
            (r#"{"path": "../x", "sha256": "1"}"#, ""),
            (r#"{"path": "/etc/passwd", "sha256": "1"}"#, ""),
            (r#"{"path": "/usr/local/cuda", "link": "/x"}"#, ""),
            (r#"{"path": "a/../../x", "link": "y"}"#, ""),
            (r#"{"path": "", "link": "y"}"#, ""),
            (r#"{"path": "a"}"#, ""),
            ("", r#""/etc""#),
            ("", r#""a/../..""#),
        ] {
            let text = format!(r#"{{"version": "1", "entries": [{entries}], "folders": [{folders}]}}"#);
            fs::write(&path, text).unwrap();
            let error = Manifest::read(&prefix).unwrap_err().to_string();
            assert!(error.contains("by hand"), "{error}");
        }
    }

    #[test]
    fn a_manifest_that_is_not_a_small_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = Prefix::open(folder.path(), false).unwrap();
        let path = folder.path().join(MANIFEST_PATH);
        fs::create_dir_all(&path).unwrap();
        assert!(Manifest::read(&prefix).unwrap_err().to_string().contains("not a file"));
        fs::remove_dir(&path).unwrap();
        fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(Manifest::read(&prefix).unwrap_err().to_string().contains("1 MiB"));
    }
}

//! The folder that is installed into. Every path is resolved below it: a link or `..` that leads out of it is an
//! error, whatever the manifest says and whoever else writes to the folder.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Component, Path, PathBuf},
};

use cap_std::{
    ambient_authority,
    fs::{Dir, OpenOptions, Permissions, PermissionsExt},
};
use output_files::FileError;
use sha2::{Digest, Sha256};

use crate::Error;

/// The largest manifest that is read, in bytes; one of ours has a few thousand.
const LARGEST_MANIFEST: u64 = 1 << 20;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

/// An open folder.
#[derive(Debug)]
pub struct Prefix {
    path: PathBuf,
    /// None while the folder does not exist.
    folder: Option<Dir>,
}

impl Prefix {
    /// Opens the folder, which need not exist. As root, only one that no other user can write to, unless
    /// `trusted`: whoever can write there decides which programs root runs from there.
    pub fn open(path: &Path, trusted: bool) -> Result<Prefix, Error> {
        let read = |source| FileError::Read { path: path.into(), source };
        let folder = match Dir::open_ambient_dir(path, ambient_authority()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            folder => Some(folder.map_err(read)?),
        };
        if !trusted && nix::unistd::geteuid().is_root() {
            check_owner(path)?;
        }
        Ok(Prefix { path: path.into(), folder })
    }

    /// The full path of a file below.
    pub fn join(&self, path: &Path) -> PathBuf {
        self.path.join(path)
    }

    /// Creates the folder itself, with its parents.
    pub fn create(&mut self) -> Result<(), Error> {
        if self.folder.is_none() {
            let failed = |source| FileError::Write { path: self.path.clone(), source };
            fs::create_dir_all(&self.path).map_err(failed)?;
            self.folder = Some(Dir::open_ambient_dir(&self.path, ambient_authority()).map_err(failed)?);
        }
        Ok(())
    }

    /// The text of a small file; none if there is no such file.
    pub fn read(&self, path: &Path) -> Result<Option<String>, Error> {
        let text = self.folder().and_then(|folder| {
            // A FIFO would block; it is opened only if it is a file.
            if !folder.symlink_metadata(path)?.is_file() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
            }
            let mut text = String::new();
            let mut file = io::Read::take(folder.open(path)?, LARGEST_MANIFEST + 1);
            io::Read::read_to_string(&mut file, &mut text)?;
            match text.len() as u64 > LARGEST_MANIFEST {
                true => Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 1 MiB")),
                false => Ok(text),
            }
        });
        match text {
            Err(error) if is_absent(&error) => Ok(None),
            text => text.map(Some).map_err(|source| self.error(path, source, reading)),
        }
    }

    /// The present content of a path; none if nothing is there.
    pub fn content(&self, path: &Path) -> Result<Option<Content>, Error> {
        let content = self.folder().and_then(|folder| {
            let kind = folder.symlink_metadata(path)?.file_type();
            Ok(if kind.is_symlink() {
                Content::Link(folder.read_link_contents(path)?)
            } else if kind.is_file() {
                let mut hash = HashWriter(Sha256::new());
                io::copy(&mut folder.open(path)?, &mut hash)?;
                Content::Sha256(hex(hash.0))
            } else {
                Content::Other
            })
        });
        match content {
            Err(error) if is_absent(&error) => Ok(None),
            content => content.map(Some).map_err(|source| self.error(path, source, reading)),
        }
    }

    /// The nearest folder to a path that exists.
    pub fn existing_parent(&self, path: &Path) -> PathBuf {
        let exists = |folder: &Path| {
            folder.as_os_str().is_empty() || self.folder().is_ok_and(|prefix| prefix.is_dir(folder))
        };
        path.ancestors().skip(1).find(|folder| exists(folder)).unwrap_or(Path::new("")).into()
    }

    /// An error if a file cannot be created in this folder.
    pub fn check_writable(&self, folder: &Path) -> Result<(), Error> {
        if self.folder.is_none() {
            let parent = self.path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
            return check_ambient_writable(parent);
        }
        let scratch = folder.join(scratch_name());
        let tried = self.folder().and_then(|prefix| {
            prefix.open_with(&scratch, OpenOptions::new().write(true).create_new(true))?;
            prefix.remove_file(&scratch)
        });
        tried.map_err(|source| not_writable(&self.join(folder), &source))
    }

    /// Creates a folder whose parent exists. False if there is one.
    pub fn create_folder(&self, path: &Path) -> Result<bool, Error> {
        match self.folder().and_then(|folder| folder.create_dir(path)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            made => made.map(|()| true).map_err(|source| self.error(path, source, writing)),
        }
    }

    /// Creates or replaces a file or link atomically: a reader finds the old content or the new one.
    pub fn write(&self, path: &Path, source: &Source) -> Result<(), Error> {
        let scratch = path.with_file_name(scratch_name());
        let written = self.folder().and_then(|folder| {
            let file = |mode: u32, write: &dyn Fn(&mut cap_std::fs::File) -> io::Result<()>| {
                let mut file = folder.open_with(&scratch, OpenOptions::new().write(true).create_new(true))?;
                write(&mut file)?;
                file.set_permissions(Permissions::from_mode(mode))
            };
            match source {
                Source::Bytes(bytes, mode) => file(*mode, &|file| io::Write::write_all(file, bytes))?,
                Source::Copy(from, mode) => {
                    let from = fs::File::open(from)?;
                    file(*mode, &|file| io::copy(&mut &from, file).map(drop))?;
                }
                Source::Link(target) => folder.symlink_contents(target, &scratch)?,
            }
            folder.rename(&scratch, folder, path)
        });
        written.map_err(|source| {
            let _ = self.folder().and_then(|folder| folder.remove_file(&scratch));
            self.error(path, source, writing)
        })
    }

    /// Removes a file or link, if it is there.
    pub fn remove(&self, path: &Path) -> Result<(), Error> {
        match self.folder().and_then(|folder| folder.remove_file(path)) {
            Err(error) if is_absent(&error) => Ok(()),
            removed => removed.map_err(|source| self.error(path, source, writing)),
        }
    }

    /// Removes a folder if it is empty.
    pub fn remove_empty_folder(&self, path: &Path) {
        let _ = self.folder().and_then(|folder| folder.remove_dir(path));
    }

    fn folder(&self) -> io::Result<&Dir> {
        self.folder.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn error(&self, path: &Path, source: io::Error, operation: fn(PathBuf, io::Error) -> Error) -> Error {
        if leads_out(&source) {
            return Error::Rejected(format!(
                "{} leads out of {}: a folder on the way is a link; remove it, or choose another --prefix",
                self.join(path).display(),
                self.path.display()
            ));
        }
        operation(self.join(path), source)
    }
}

fn reading(path: PathBuf, source: io::Error) -> Error {
    FileError::Read { path, source }.into()
}

fn writing(path: PathBuf, source: io::Error) -> Error {
    FileError::Write { path, source }.into()
}

/// Whether a path names something below the prefix, without `..`.
pub fn is_below(path: &Path) -> bool {
    path.components().next().is_some()
        && path.components().all(|component| matches!(component, Component::Normal(_)))
}

/// An error if a file cannot be created in this folder, which exists.
pub fn check_ambient_writable(folder: &Path) -> Result<(), Error> {
    tempfile::tempfile_in(folder).map(drop).map_err(|source| not_writable(folder, &source))
}

fn not_writable(folder: &Path, error: &io::Error) -> Error {
    let folder = folder.display();
    let hint = match error.kind() {
        _ if leads_out(error) => "; a folder on the way is a link out of the prefix",
        io::ErrorKind::PermissionDenied => {
            "; run it with sudo, or choose folders of your own (`--prefix`, `--cuda-link`)"
        }
        _ => "",
    };
    Error::Rejected(format!("nothing was changed: {folder} cannot be written to ({error}){hint}"))
}

/// cap-std's error for a path that leads out of the folder comes from no system call.
fn leads_out(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

/// Nothing is there, or a parent is not a folder.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn scratch_name() -> String {
    format!(".warpfold-{}", std::process::id())
}

/// An error if a user other than root can write to a folder, or can replace it.
fn check_owner(path: &Path) -> Result<(), Error> {
    const OTHERS_WRITE: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    for folder in path.ancestors() {
        let Ok(metadata) = fs::metadata(folder) else { continue };
        let (owner, mode) = (metadata.uid(), metadata.mode());
        // In a sticky folder, such as /tmp, only the owner of an entry replaces it.
        let shared = mode & OTHERS_WRITE != 0 && (folder == path || mode & STICKY == 0);
        let problem = match owner {
            0 if !shared => continue,
            0 => "every user can write to it".to_string(),
            _ => format!("it belongs to user {owner}"),
        };
        return Err(Error::Rejected(format!(
            "nothing was changed: {}: {problem}, and so can change what root installs and runs there. Run it as that \
             user, choose a --prefix that belongs to root, or add --trust-prefix",
            folder.display()
        )));
    }
    Ok(())
}

struct HashWriter(Sha256);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Source {
    /// The content of a path once this is written.
    pub fn content(&self) -> Result<Content, Error> {
        Ok(match self {
            Source::Bytes(bytes, _) => {
                let mut hash = Sha256::new();
                hash.update(bytes);
                Content::Sha256(hex(hash))
            }
            Source::Copy(path, _) => Content::Sha256(toolchain::file_sha256(path)?),
            Source::Link(target) => Content::Link(target.clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    use super::*;

    /// A prefix, and a folder beside it that must stay as it is.
    fn folders() -> (tempfile::TempDir, Prefix) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["prefix", "elsewhere"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("elsewhere/file"), "theirs").unwrap();
        let prefix = Prefix::open(&folder.path().join("prefix"), false).unwrap();
        (folder, prefix)
    }

    #[test]
    fn nothing_outside_the_prefix_is_read_or_changed() {
        let (folder, prefix) = folders();
        symlink("../elsewhere", folder.path().join("prefix/link")).unwrap();
        symlink(folder.path().join("elsewhere"), folder.path().join("prefix/absolute")).unwrap();
        let absolute = folder.path().join("elsewhere/file");
        for path in
            [Path::new("link/file"), Path::new("absolute/file"), Path::new("../elsewhere/file"), &absolute]
        {
            let errors = [
                prefix.read(path).map(drop),
                prefix.content(path).map(drop),
                prefix.write(path, &Source::Bytes(b"ours".to_vec(), 0o644)),
                prefix.write(path, &Source::Link("x".into())),
                prefix.remove(path),
                prefix.create_folder(&path.with_file_name("new")).map(drop),
            ];
            for error in errors {
                let error = error.unwrap_err().to_string();
                assert!(error.contains("leads out of"), "{}: {error}", path.display());
            }
            prefix.remove_empty_folder(path.parent().unwrap());
        }
        let held: Vec<_> =
            fs::read_dir(folder.path().join("elsewhere")).unwrap().map(Result::unwrap).collect();
        assert_eq!(held.len(), 1);
        assert_eq!(fs::read(&absolute).unwrap(), b"theirs");
    }

    #[test]
    fn files_and_links_are_written_with_their_mode_and_replaced_whole() {
        let (folder, prefix) = folders();
        let path = Path::new("file");
        for (bytes, mode) in [("one", 0o644), ("another", 0o755)] {
            let source = Source::Bytes(bytes.into(), mode);
            prefix.write(path, &source).unwrap();
            assert_eq!(prefix.content(path).unwrap(), Some(source.content().unwrap()));
            let metadata = fs::metadata(prefix.join(path)).unwrap();
            assert_eq!(metadata.mode() & 0o777, mode);
        }
        let copy = Source::Copy(folder.path().join("elsewhere/file"), 0o644);
        prefix.write(path, &copy).unwrap();
        assert_eq!(fs::read(prefix.join(path)).unwrap(), b"theirs");
        prefix.write(path, &Source::Link("/nowhere".into())).unwrap();
        assert_eq!(prefix.content(path).unwrap(), Some(Content::Link("/nowhere".into())));
        assert_eq!(fs::read_dir(&prefix.path).unwrap().count(), 1, "scratch files stay");
    }

    #[test]
    fn root_rejects_a_prefix_of_another_user() {
        if !nix::unistd::geteuid().is_root() {
            eprintln!("skipped: only root can give a folder to another user");
            return;
        }
        let (folder, prefix) = folders();
        chown(&prefix.path, Some(1234), None).unwrap();
        let error = Prefix::open(&prefix.path, false).unwrap_err().to_string();
        assert!(error.contains("belongs to user 1234") && error.contains("--trust-prefix"), "{error}");
        let below = Prefix::open(&prefix.join(Path::new("below")), false).unwrap_err().to_string();
        assert!(below.contains("belongs to user 1234"), "{below}");
        Prefix::open(&prefix.path, true).unwrap();
        let shared = folder.path().join("shared");
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
        let error = Prefix::open(&shared, false).unwrap_err().to_string();
        assert!(error.contains("every user can write"), "{error}");
    }
}

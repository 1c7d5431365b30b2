//! The link outside the prefix through which clang finds CUDA's tools. It always leads to a path below the prefix,
//! so that it can be recognised; only the command line names a link that is made or removed.

use output_files::FileError;
use std::{
    fmt, fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::{
    Error,
    prefix::{Prefix, check_ambient_writable},
};

/// The folder of CUDA's tools below the prefix, if they were downloaded.
pub const CUDA_FOLDER: &str = "lib/warpfold/cuda";

/// The link below the prefix to a toolkit that was found elsewhere.
pub const TOOLKIT_LINK: &str = "lib/warpfold/cuda-toolkit";

/// Where clang looks for CUDA.
pub const DEFAULT: &str = "/usr/local/cuda";

/// A link to CUDA's tools.
#[derive(Clone, Debug)]
pub struct CudaLink {
    /// Where it is.
    pub path: PathBuf,
    target: PathBuf,
    ours: [PathBuf; 2],
}

impl CudaLink {
    /// A link to the tools of a prefix: to the downloaded ones, or to a toolkit that was found elsewhere.
    pub fn new(path: PathBuf, prefix: &Prefix, toolkit: bool) -> CudaLink {
        let ours = [CUDA_FOLDER, TOOLKIT_LINK].map(|name| prefix.join(Path::new(name)));
        CudaLink { path, target: ours[usize::from(toolkit)].clone(), ours }
    }

    /// What is at the path: the target of a link, an empty path for anything else, or nothing.
    pub fn present(&self) -> Result<Option<PathBuf>, FileError> {
        match fs::read_link(&self.path) {
            Ok(target) => Ok(Some(target)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(Some(PathBuf::new())),
            Err(source) => Err(FileError::Read { path: self.path.clone(), source }),
        }
    }

    /// Whether a link to this path leads to the prefix's tools.
    pub fn is_ours(&self, target: &Path) -> bool {
        self.ours.iter().any(|ours| ours == target)
    }

    /// An error if the link's folder cannot be written to.
    pub fn check_writable(&self) -> Result<(), Error> {
        check_ambient_writable(self.folder())
    }

    /// Makes the link.
    pub fn make(&self) -> Result<(), FileError> {
        symlink(&self.target, &self.path)
            .map_err(|source| FileError::Write { path: self.path.clone(), source })
    }

    /// Removes the link, if it still is ours.
    pub fn remove(&self) -> Result<(), FileError> {
        if !self.present()?.is_some_and(|target| self.is_ours(&target)) {
            return Ok(());
        }
        fs::remove_file(&self.path).map_err(|source| FileError::Write { path: self.path.clone(), source })
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }
}

impl fmt::Display for CudaLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.path.display(), self.target.display())
    }
}

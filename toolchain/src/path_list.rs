//! Variables of the environment that list folders, separated by colons.

use std::{
    env,
    ffi::{OsStr, OsString},
    path::Path,
};

use crate::Error;

/// The value of a path variable of the environment, such as `LD_LIBRARY_PATH`, with a folder in front.
///
/// An empty variable lists no folder: it does not become an empty entry, which would mean the current folder.
///
/// # Errors
/// [`Error::Input`] if the folder's name contains a colon, which such a list cannot express.
pub fn prepended(variable: &str, folder: &Path) -> Result<OsString, Error> {
    join(variable, folder, env::var_os(variable).as_deref())
}

fn join(variable: &str, folder: &Path, current: Option<&OsStr>) -> Result<OsString, Error> {
    let current = current.filter(|current| !current.is_empty());
    let folders = [folder.to_path_buf()].into_iter().chain(current.into_iter().flat_map(env::split_paths));
    env::join_paths(folders).map_err(|_| Error::Input {
        name: variable.to_string(),
        reason: format!(
            "{} contains a colon, which separates the folders of this variable; use another folder (WARPFOLD_CACHE \
             chooses the cache)",
            folder.display()
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_put_in_front() {
        let list = |current: Option<&str>| join("X", Path::new("/a"), current.map(OsStr::new)).unwrap();
        assert_eq!(list(None), "/a");
        assert_eq!(list(Some("")), "/a");
        assert_eq!(list(Some("/b:/c")), "/a:/b:/c");
        // The user's own entry for the current folder stays.
        assert_eq!(list(Some("/b:")), "/a:/b:");
    }

    #[test]
    fn a_folder_with_a_colon_is_rejected() {
        let error = join("LD_LIBRARY_PATH", Path::new("/a:b"), None).unwrap_err().to_string();
        assert!(error.contains("LD_LIBRARY_PATH") && error.contains("/a:b"), "{error}");
    }
}

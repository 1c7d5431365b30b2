//! Files that are written: a file is replaced at once, so that a full disk or an error leaves the old one, and no file is
//! written that is also read.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use terminal_text::name;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be written.
    #[error("cannot write {}: {source}", name(path.display()))]
    Write {
        /// Its path, or that of its folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be read.
    #[error("cannot read {}: {source}", name(path.display()))]
    Read {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is to be written and is also read.
    #[error("{} would replace the input {}; name another file", name(output.display()), name(input.display()))]
    ReplacesInput {
        /// The file as it is named where it is written.
        output: PathBuf,
        /// The file as it is named where it is read.
        input: PathBuf,
    },
    /// It is to be written twice.
    #[error("{} is to be written by two options; name another file for one", name(output.display()))]
    WrittenTwice {
        /// Its path.
        output: PathBuf,
    },
}

/// Writes a file at once: nobody sees a part of it, and if not all of it can be written, the old one stays. What is no
/// ordinary file, such as a pipe, is written to.
///
/// # Errors
///
/// A file that cannot be written.
pub fn replace(path: &Path, text: &[u8]) -> Result<(), FileError> {
    let failed = |source| FileError::Write { path: path.into(), source };
    // A link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    match fs::metadata(&target) {
        Ok(found) if !found.is_file() => fs::write(&target, text).map_err(failed),
        found => {
            let mode = found.ok().map(|found| found.permissions().mode() & 0o7777);
            let write = |file: &mut File| {
                file.write_all(text)?;
                // A disk may say only now that it is full.
                file.sync_data()
            };
            whole(&target, mode, write).map_err(failed)
        }
    }
}

/// Whether a name is that of standard output, which may be a file that is written on.
pub fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Creates or replaces a file: a reader finds the old content or the new one. Without a `mode` a new file has that of
/// every new file.
///
/// # Errors
///
/// A file that cannot be written.
pub fn whole(
    path: &Path,
    mode: Option<u32>,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let any = fs::Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().prefix(".warpfold-").permissions(any).tempfile_in(folder)?;
    write(file.as_file_mut())?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    }
    file.persist(path)?;
    Ok(())
}

/// Checks files that will be written, none of them twice, and files that are read.
///
/// # Errors
///
/// A file that is written is also read, or written by another option: something would be lost.
pub fn check_distinct<'p>(
    outputs: impl IntoIterator<Item = &'p Path>,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), FileError> {
    let outputs: Vec<&Path> = outputs.into_iter().filter(|output| !is_standard_output(output)).collect();
    let inputs: Vec<&Path> = inputs.into_iter().collect();
    for (index, output) in outputs.iter().enumerate() {
        let stdin = Path::new("/dev/stdin");
        let read = |input: &&&Path| is_same(if **input == Path::new("-") { stdin } else { input }, output);
        if let Some(input) = inputs.iter().find(read) {
            return Err(FileError::ReplacesInput { output: output.into(), input: (*input).into() });
        }
        if outputs[..index].iter().any(|other| is_same(other, output)) {
            return Err(FileError::WrittenTwice { output: output.into() });
        }
    }
    Ok(())
}

/// Whether two names are the same ordinary file's, also through links; a file need not be there yet.
fn is_same(first: &Path, second: &Path) -> bool {
    match (fs::metadata(first), fs::metadata(second)) {
        (Ok(first), Ok(second)) => {
            first.is_file() && (first.dev(), first.ino()) == (second.dev(), second.ino())
        }
        (Err(_), Err(_)) => new_file(first).is_some_and(|first| Some(first) == new_file(second)),
        _ => false,
    }
}

/// The name of a file that is not there in a folder that is.
fn new_file(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_replaced_with_its_mode_behind_its_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let failed = whole(&file, None, |_| Err(io::Error::other("full")));
        assert!(failed.is_err() && fs::read(&file).unwrap() == b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "scratch files stay");
    }

    #[test]
    fn outputs_are_no_inputs_and_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link, new) =
            (folder.path().join("file"), folder.path().join("link"), folder.path().join("new"));
        fs::write(&file, "").unwrap();
        symlink("file", &link).unwrap();
        let check = |outputs: &[&Path], inputs: &[&Path]| {
            check_distinct(outputs.iter().copied(), inputs.iter().copied()).map_err(|error| error.to_string())
        };
        assert_eq!(check(&[&new], &[&file]), Ok(()));
        assert!(check(&[&link], &[&file]).unwrap_err().contains("would replace the input"));
        assert!(check(&[&new, &folder.path().join("./new")], &[]).unwrap_err().contains("by two options"));
        let standard_output = Path::new("-");
        assert_eq!(check(&[standard_output, standard_output], &[standard_output]), Ok(()));
    }
}

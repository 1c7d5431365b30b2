//! The prebuilt device runtime plus the files to use it; the same in a folder, in an archive and installed. An archive
//! has the program, too.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use output_files::FileError;
use serde_json::json;
use toolchain::{ARCHIVE, BITCODE, DeviceCode, Prebuilt, RUNTIME_FOLDER, Tools};

use crate::Error;

/// The version of the packages that are made, which is warpfold's.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The file with the package's version and the tools that built it.
const METADATA: &str = Prebuilt::METADATA;

/// The program in an archive.
const PROGRAM: &str = "bin/warpfold";

/// The configuration file for clang, below the prefix: how it compiles device code.
pub const CLANG_CONFIG: &str = "share/warpfold/clang.cfg";

/// The text files, by path, with placeholders `@NAME@`.
const TEMPLATES: [(&str, &str); 4] = [
    ("lib/cmake/warpfold/warpfold-config.cmake", include_str!("warpfold-config.cmake")),
    ("lib/cmake/warpfold/warpfold-config-version.cmake", include_str!("warpfold-config-version.cmake")),
    ("lib/pkgconfig/warpfold.pc", include_str!("warpfold.pc")),
    ("share/warpfold/NOTICE", include_str!("NOTICE")),
];

/// The largest file of the runtime, in bytes; the bitcode has about half a million.
const LARGEST: u64 = 64 << 20;

/// The largest program, in bytes; with its symbols it has about fifty million.
const LARGEST_PROGRAM: u64 = 512 << 20;

/// The files of a package.
#[derive(Debug, PartialEq, Eq)]
pub struct Package {
    /// The version of the runtime inside.
    pub version: String,
    /// The contents, by path below the prefix.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Every path of a package, in order.
fn paths() -> Vec<String> {
    let runtime = [BITCODE, ARCHIVE].map(|name| format!("{RUNTIME_FOLDER}/{name}"));
    let others = [METADATA, CLANG_CONFIG, Prebuilt::REDUCTIONS, "include/warpfold.h"]
        .into_iter()
        .chain(TEMPLATES.map(|(path, _)| path));
    let mut paths: Vec<String> = runtime.into_iter().chain(others.map(String::from)).collect();
    paths.sort();
    paths
}

impl Package {
    /// Builds the runtime, which takes half a minute, or takes it from the cache. A program of an archive takes the files of
    /// the archive.
    ///
    /// # Errors
    ///
    /// Tools that are missing, and a build that fails.
    pub fn build(tools: &Tools) -> Result<Package, Error> {
        let read = |path: PathBuf| fs::read(&path).map_err(|source| FileError::Read { path, source });
        if let Some(prebuilt) = tools.prebuilt() {
            let file = |name: String| Ok((name.clone(), read(prebuilt.prefix().join(name))?));
            return Ok(Package {
                version: VERSION.into(),
                files: paths().into_iter().map(file).collect::<Result<_, Error>>()?,
            });
        }
        let library = device_library::openmp_library(tools)?;
        let (rustc, llvm) = (tools.rust()?.rustc.version.to_string(), tools.llvm.version.to_string());
        let [major, minor] = [0, 1].map(|part| VERSION.split('.').nth(part).unwrap_or("0"));
        let words = [
            ("@VERSION@", VERSION),
            ("@MAJOR@", major),
            ("@MINOR@", minor),
            ("@RUSTC@", &format!("rustc {rustc}")),
            ("@LLVM@", &llvm),
            ("@CLANG@", &tools.llvm.version.major.to_string()),
        ];
        let filled_in =
            |text: &str| words.iter().fold(text.to_string(), |text, (word, by)| text.replace(word, by));
        let mut files = BTreeMap::new();
        for name in [BITCODE, ARCHIVE] {
            files.insert(format!("{RUNTIME_FOLDER}/{name}"), read(library.join(name))?);
        }
        files.insert(Prebuilt::REDUCTIONS.into(), read(device_library::runtime_bitcode(tools)?)?);
        files.insert(CLANG_CONFIG.into(), DeviceCode::Program.clang_config().into());
        files.insert("include/warpfold.h".into(), device_library::c_header().into_bytes());
        files.extend(TEMPLATES.map(|(path, text)| (path.to_string(), filled_in(text).into_bytes())));
        let metadata = json!({ "version": VERSION, "rustc": rustc, "llvm": llvm });
        files.insert(METADATA.into(), format!("{metadata:#}\n").into_bytes());
        Ok(Package { version: VERSION.into(), files })
    }

    /// Reads an archive that [`Package::archive`] made.
    ///
    /// # Errors
    ///
    /// An archive with other or missing files, and one that is damaged.
    pub fn read(path: &Path) -> Result<Package, Error> {
        let file = File::open(path).map_err(|source| FileError::Read { path: path.into(), source })?;
        unpack(file).map_err(|reason| Error::Package { path: path.into(), reason })
    }

    /// All files and the program `warpfold`, packed as one archive. The same files give the same bytes.
    ///
    /// # Errors
    ///
    /// A program that cannot be read.
    pub fn archive(&self, program: &Path) -> Result<Vec<u8>, Error> {
        let program =
            fs::read(program).map_err(|source| FileError::Read { path: program.to_path_buf(), source })?;
        let files = self.files.iter().map(|(path, content)| (path.as_str(), content, 0o644));
        let all: Vec<_> = [(PROGRAM, &program, 0o755)].into_iter().chain(files).collect();
        let packed = || -> io::Result<Vec<u8>> {
            let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
            for (path, content, mode) in &all {
                let mut header = tar::Header::new_gnu();
                header.set_size(content.len() as u64);
                header.set_mode(*mode);
                header.set_mtime(0);
                archive.append_data(
                    &mut header,
                    format!("warpfold-{}/{path}", self.version),
                    &content[..],
                )?;
            }
            archive.into_inner()?.finish()
        };
        packed().map_err(|error| Error::Rejected(format!("the archive cannot be packed: {error}")))
    }

    /// Writes all files below a folder. Other files there stay.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        for (path, content) in &self.files {
            let path = folder.join(path);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(|source| FileError::Write { path: parent.into(), source })?;
            replace(&path, |file| file.write_all(content))?;
        }
        Ok(())
    }
}

/// Creates or replaces a file of a package, which everybody may read.
fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), FileError> {
    output_files::whole(path, Some(0o644), write)
        .map_err(|source| FileError::Write { path: path.into(), source })
}

fn unpack(archive: impl Read) -> Result<Package, String> {
    let known = paths();
    let mut files = BTreeMap::new();
    // Nothing is written while reading, and only the files of the list above are accepted.
    let limit = LARGEST * known.len() as u64 + LARGEST_PROGRAM;
    let mut archive = tar::Archive::new(GzDecoder::new(archive).take(limit));
    for entry in archive.entries().map_err(|error| error.to_string())? {
        let mut entry = entry.map_err(|error| error.to_string())?;
        let path = entry.path().map_err(|error| error.to_string())?.into_owned();
        let inside: PathBuf = path.components().skip(1).collect();
        if inside == Path::new(PROGRAM) && entry.header().entry_type().is_file() {
            // It is for those who unpack the archive.
            continue;
        }
        let Some(name) = known.iter().find(|known| Path::new(known) == inside) else {
            return Err(format!("`{}` is not a file of the package", path.display()));
        };
        if !entry.header().entry_type().is_file() || entry.size() > LARGEST {
            return Err(format!("`{}` is not a file, or too large", path.display()));
        }
        let mut content = Vec::new();
        entry.by_ref().take(LARGEST).read_to_end(&mut content).map_err(|error| error.to_string())?;
        if content.len() as u64 != entry.size() || files.insert(name.clone(), content).is_some() {
            return Err(format!("`{}` is incomplete, or contained twice", path.display()));
        }
    }
    // gzip's checksum follows the last file.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(|error| error.to_string())?;
    if let Some(path) = known.iter().find(|path| !files.contains_key(*path)) {
        return Err(format!("`{path}` is missing"));
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&files[METADATA]).map_err(|error| format!("{METADATA}: {error}"))?;
    match metadata["version"].as_str() {
        Some(version) => Ok(Package { version: version.to_string(), files }),
        None => Err(format!("{METADATA} has no version")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> Package {
        let mut files: BTreeMap<_, _> =
            paths().into_iter().map(|path| (path.clone(), path.into_bytes())).collect();
        files.insert(METADATA.into(), br#"{"version": "1.2.3"}"#.to_vec());
        Package { version: "1.2.3".into(), files }
    }

    #[test]
    fn an_archive_is_read_back_and_is_always_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar.gz");
        let program = folder.path().join("program");
        fs::write(&program, "not read").unwrap();
        fs::write(&path, package().archive(&program).unwrap()).unwrap();
        let first = fs::read(&path).unwrap();
        assert_eq!(Package::read(&path).unwrap(), package());
        fs::write(&path, package().archive(&program).unwrap()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), first);
    }

    #[test]
    fn archives_with_other_missing_or_incomplete_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar.gz");
        let program = folder.path().join("program");
        fs::write(&program, "not read").unwrap();
        let rejection = |package: &Package| {
            fs::write(&path, package.archive(&program).unwrap()).unwrap();
            Package::read(&path).unwrap_err().to_string()
        };
        let mut other = package();
        other.files.insert("lib/other".into(), vec![]);
        assert!(
            rejection(&other).contains("`warpfold-1.2.3/lib/other` is not a file of the package"),
            "{}",
            rejection(&other)
        );
        let mut fewer = package();
        fewer.files.remove("include/warpfold.h");
        assert!(rejection(&fewer).contains("`include/warpfold.h` is missing"));
        let mut unversioned = package();
        unversioned.files.insert(METADATA.into(), b"{}".to_vec());
        assert!(rejection(&unversioned).contains("no version"));

        fs::write(&path, package().archive(&program).unwrap()).unwrap();
        let whole = fs::read(&path).unwrap();
        for length in [0, 10, whole.len() / 2, whole.len() - 9] {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(Package::read(&path).is_err(), "{length} of {} bytes", whole.len());
        }
    }

    #[test]
    fn links_in_archives_are_rejected() {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        archive.append_link(&mut header, "w/include/warpfold.h", "/etc/passwd").unwrap();
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&archive.into_inner().unwrap()).unwrap();
        let error = unpack(&packed.finish().unwrap()[..]).unwrap_err();
        assert!(error.contains("not a file"), "{error}");
    }
}

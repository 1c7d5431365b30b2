//! The prebuilt device runtime and what makes it usable: the same files in a folder, in an archive, installed.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde_json::json;
use toolchain::{ARCHIVE, BITCODE, RUNTIME_FOLDER, Tools};

use crate::error::Error;

/// This program's version: that of the packages it makes.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the package says about itself.
const ABOUT: &str = "share/warpfold/package.json";

/// The files that are texts, by their place.
const TEXTS: [(&str, &str); 4] = [
    ("lib/cmake/warpfold/warpfold-config.cmake", include_str!("warpfold-config.cmake")),
    ("lib/cmake/warpfold/warpfold-config-version.cmake", include_str!("warpfold-config-version.cmake")),
    ("lib/pkgconfig/warpfold.pc", include_str!("warpfold.pc")),
    ("share/warpfold/NOTICE", include_str!("NOTICE")),
];

/// Bytes that a file of an archive may have; the bitcode has about half a million.
const LARGEST: u64 = 64 << 20;

/// Relative places and contents of all files.
#[derive(Debug, PartialEq, Eq)]
pub struct Package {
    /// The version of the runtime inside.
    pub version: String,
    /// By place below the prefix.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Every place of a package, in order.
fn places() -> Vec<String> {
    let runtime = [BITCODE, ARCHIVE].map(|name| format!("{RUNTIME_FOLDER}/{name}"));
    let others = [ABOUT, "include/warpfold.h"].into_iter().chain(TEXTS.map(|(place, _)| place));
    let mut places: Vec<String> = runtime.into_iter().chain(others.map(String::from)).collect();
    places.sort();
    places
}

impl Package {
    /// Builds the runtime, or takes it from the cache.
    pub fn build(tools: &Tools) -> Result<Package, Error> {
        let library = device_library::openmp_library(tools)?;
        let (rustc, llvm) = (tools.rust.rustc.version.to_string(), tools.llvm.version.to_string());
        let [major, minor] = [0, 1].map(|part| VERSION.split('.').nth(part).unwrap_or("0"));
        let words = [
            ("@VERSION@", VERSION),
            ("@MAJOR@", major),
            ("@MINOR@", minor),
            ("@RUSTC@", &format!("rustc {rustc}")),
            ("@LLVM@", &llvm),
            ("@CLANG@", &tools.llvm.version.major.to_string()),
        ];
        let filled =
            |text: &str| words.iter().fold(text.to_string(), |text, (word, by)| text.replace(word, by));
        let mut files = BTreeMap::new();
        for name in [BITCODE, ARCHIVE] {
            let path = library.join(name);
            let content = fs::read(&path).map_err(|source| Error::Read { path, source })?;
            files.insert(format!("{RUNTIME_FOLDER}/{name}"), content);
        }
        files.insert("include/warpfold.h".into(), device_library::c_header().into_bytes());
        files.extend(TEXTS.map(|(place, text)| (place.to_string(), filled(text).into_bytes())));
        let about = json!({ "version": VERSION, "rustc": rustc, "llvm": llvm });
        files.insert(ABOUT.into(), format!("{about:#}\n").into_bytes());
        Ok(Package { version: VERSION.into(), files })
    }

    /// Reads an archive that [`Package::archive`] wrote. One with other files, or with fewer, is refused.
    pub fn read(path: &Path) -> Result<Package, Error> {
        let file = File::open(path).map_err(|source| Error::Read { path: path.into(), source })?;
        unpack(file).map_err(|reason| Error::Package { path: path.into(), reason })
    }

    /// Writes all files as one archive: the same bytes for the same files.
    pub fn archive(&self, path: &Path) -> Result<(), Error> {
        let write = |file: &mut File| -> io::Result<()> {
            let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::best()));
            for (place, content) in &self.files {
                let mut header = tar::Header::new_gnu();
                header.set_size(content.len() as u64);
                header.set_mode(0o644);
                header.set_mtime(0);
                archive.append_data(
                    &mut header,
                    format!("warpfold-{}/{place}", self.version),
                    &content[..],
                )?;
            }
            archive.into_inner()?.finish()?.flush()
        };
        replace(path, 0o644, write)
    }

    /// Writes all files below a folder. Others that are there stay.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        for (place, content) in &self.files {
            let path = folder.join(place);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(|source| Error::Write { path: parent.into(), source })?;
            replace(&path, 0o644, |file| file.write_all(content))?;
        }
        Ok(())
    }
}

/// Makes or replaces a file at once: who reads it finds the old one or the new one.
pub fn replace(path: &Path, mode: u32, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = || -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".warpfold-").tempfile_in(folder)?;
        write(file.as_file_mut())?;
        file.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
        file.persist(path)?;
        Ok(())
    };
    made().map_err(|source| Error::Write { path: path.into(), source })
}

fn unpack(archive: impl Read) -> Result<Package, String> {
    let known = places();
    let mut files = BTreeMap::new();
    // Nothing is written while reading; each file has a place in the list above, or the archive is refused.
    let limit = LARGEST * known.len() as u64;
    let mut archive = tar::Archive::new(GzDecoder::new(archive).take(limit));
    for entry in archive.entries().map_err(|error| error.to_string())? {
        let mut entry = entry.map_err(|error| error.to_string())?;
        let path = entry.path().map_err(|error| error.to_string())?.into_owned();
        let place: PathBuf = path.components().skip(1).collect();
        let Some(place) = known.iter().find(|known| Path::new(known) == place) else {
            return Err(format!("`{}` does not belong into it", path.display()));
        };
        if !entry.header().entry_type().is_file() || entry.size() > LARGEST {
            return Err(format!("`{}` is no file, or a very large one", path.display()));
        }
        let mut content = Vec::new();
        entry.by_ref().take(LARGEST).read_to_end(&mut content).map_err(|error| error.to_string())?;
        if content.len() as u64 != entry.size() || files.insert(place.clone(), content).is_some() {
            return Err(format!("`{}` is cut short, or there twice", path.display()));
        }
    }
    // The sum of all bytes stands behind the last file.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(|error| error.to_string())?;
    if let Some(place) = known.iter().find(|place| !files.contains_key(*place)) {
        return Err(format!("it lacks `{place}`"));
    }
    let about: serde_json::Value =
        serde_json::from_slice(&files[ABOUT]).map_err(|error| format!("{ABOUT}: {error}"))?;
    match about["version"].as_str() {
        Some(version) => Ok(Package { version: version.to_string(), files }),
        None => Err(format!("{ABOUT} says no version")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> Package {
        let mut files: BTreeMap<_, _> =
            places().into_iter().map(|place| (place.clone(), place.into_bytes())).collect();
        files.insert(ABOUT.into(), br#"{"version": "1.2.3"}"#.to_vec());
        Package { version: "1.2.3".into(), files }
    }

    #[test]
    fn an_archive_is_read_back_and_is_always_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar.gz");
        package().archive(&path).unwrap();
        let first = fs::read(&path).unwrap();
        assert_eq!(Package::read(&path).unwrap(), package());
        package().archive(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), first);
    }

    #[test]
    fn archives_of_other_files_or_cut_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar.gz");
        let refused = |package: &Package| {
            package.archive(&path).unwrap();
            Package::read(&path).unwrap_err().to_string()
        };
        let mut other = package();
        other.files.insert("lib/other".into(), vec![]);
        assert!(
            refused(&other).contains("`warpfold-1.2.3/lib/other` does not belong"),
            "{}",
            refused(&other)
        );
        let mut fewer = package();
        fewer.files.remove("include/warpfold.h");
        assert!(refused(&fewer).contains("lacks `include/warpfold.h`"));
        let mut silent = package();
        silent.files.insert(ABOUT.into(), b"{}".to_vec());
        assert!(refused(&silent).contains("no version"));

        package().archive(&path).unwrap();
        let whole = fs::read(&path).unwrap();
        for length in [0, 10, whole.len() / 2, whole.len() - 9] {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(Package::read(&path).is_err(), "{length} of {} bytes", whole.len());
        }
    }

    #[test]
    fn links_in_archives_are_refused() {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        archive.append_link(&mut header, "w/include/warpfold.h", "/etc/passwd").unwrap();
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&archive.into_inner().unwrap()).unwrap();
        let error = unpack(&packed.finish().unwrap()[..]).unwrap_err();
        assert!(error.contains("no file"), "{error}");
    }
}

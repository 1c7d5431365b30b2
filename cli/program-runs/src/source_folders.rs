//! The folders that a program was compiled in, from its own debugging information. The user runs the program, so it may
//! name them, unlike device code, which can come from anywhere.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use object::read::{Object, ObjectSection, elf::ElfFile64};

/// Compile units that are looked at.
const MOST_UNITS: usize = 1 << 12;

/// The working folders of the compiler, and the folders of the main source files, of all compile units; none for a
/// program without debugging information.
pub fn read(program: &[u8]) -> BTreeSet<PathBuf> {
    folders(program).unwrap_or_default()
}

fn folders(program: &[u8]) -> Option<BTreeSet<PathBuf>> {
    let file = ElfFile64::<object::LittleEndian>::parse(program).ok()?;
    let section = |id: SectionId| {
        let section = file.section_by_name(id.name());
        let data = section.and_then(|section| section.data().ok()).unwrap_or_default();
        Ok::<_, gimli::Error>(EndianSlice::new(data, LittleEndian))
    };
    let dwarf = Dwarf::load(section).ok()?;
    let mut headers = dwarf.units();
    let mut found = BTreeSet::new();
    for _ in 0..MOST_UNITS {
        let Ok(Some(header)) = headers.next() else { break };
        let Ok(unit) = dwarf.unit(header) else { continue };
        let folder = path(unit.comp_dir).unwrap_or(Path::new(""));
        let source = folder.join(path(unit.name).unwrap_or(Path::new("")));
        found.extend([Some(folder), source.parent()].into_iter().flatten().map(Path::to_path_buf));
    }
    // The whole file system is no place to compile in.
    found.retain(|folder| folder.is_absolute() && folder.parent().is_some());
    Some(found)
}

fn path(name: Option<EndianSlice<'_, LittleEndian>>) -> Option<&Path> {
    name.map(|name| Path::new(OsStr::from_bytes(name.slice())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_was_compiled_here() {
        let program = std::fs::read(std::env::current_exe().expect("this program")).expect("a file");
        let folders = read(&program);
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(folders.iter().any(|folder| here.starts_with(folder)), "{here:?} is in none of {folders:?}");
        assert!(!folders.contains(Path::new("/")));
    }

    #[test]
    fn other_files_name_no_folders() {
        for bytes in [&b""[..], b"#!/bin/sh\n", b"\x7fELF\x02\x01\x01", &[0; 4096]] {
            assert!(read(bytes).is_empty());
        }
    }
}

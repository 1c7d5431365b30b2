//! The library's file: its symbols are those of NVIDIA's, in both versions.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use object::{Object, ObjectSymbol, elf, read::elf::ElfFile64};
use toolchain::Tools;
use warpfold_cudart::file::{self, Version};

/// What the library defines besides the interface.
const OURS: [&str; 2] = ["warpfold_cudart_definitions", "warpfold_cudart_major"];

/// The library as the linker made it, beside the tests.
fn built() -> Vec<u8> {
    let deps = std::env::current_exe().unwrap().parent().map(PathBuf::from).unwrap();
    fs::read(deps.join("libwarpfold_cudart.so")).expect("cargo builds the library before its tests")
}

/// The symbols that a library defines.
fn symbols(library: &[u8]) -> BTreeSet<String> {
    let parsed = ElfFile64::<object::LittleEndian>::parse(library).unwrap();
    let defined = parsed.dynamic_symbols().filter(|symbol| !symbol.is_undefined());
    defined
        .map(|symbol| symbol.name().unwrap().to_owned())
        .filter(|name| !name.starts_with("libcudart"))
        .collect()
}

/// NVIDIA's library of CUDA 13, which `warpfold setup` installs.
fn theirs() -> Option<PathBuf> {
    let tools = Tools::find().unwrap();
    let library = tools.cuda_dir().map(|cuda| cuda.join("lib").join(Version::V13.file_name()));
    let found = library.ok().filter(|path| path.is_file());
    if found.is_none() {
        eprintln!("skipped: NVIDIA's CUDA runtime library is not installed (warpfold setup)");
    }
    found
}

#[test]
fn every_symbol_of_both_versions_is_there_and_no_other() {
    // The names of CUDA 12.9's library.
    let mut wanted: BTreeSet<String> = include_str!("libcudart-12.txt").lines().map(String::from).collect();
    let ours = symbols(&built());
    let missing: Vec<&String> = wanted.difference(&ours).collect();
    assert_eq!(missing, [""; 0], "version 12");
    let Some(theirs) = theirs() else { return };
    wanted.extend(symbols(&fs::read(theirs).unwrap()));
    wanted.extend(OURS.map(String::from));
    assert_eq!(ours, wanted);
}

#[test]
fn the_file_has_the_name_the_number_and_the_symbols_version_of_its_version() {
    let library = built();
    for (version, major) in [(Version::V12, 12_u32), (Version::V13, 13)] {
        let file = file::of_version(&library, version).unwrap();
        let parsed = ElfFile64::<object::LittleEndian>::parse(&*file).unwrap();
        let dynamic = parsed.elf_dynamic_table().unwrap();
        let name = dynamic.iter().find(|entry| entry.tag == elf::DT_SONAME).unwrap();
        let name = dynamic.string(name).unwrap();
        assert_eq!(name, version.file_name().as_bytes());

        let endian = object::LittleEndian;
        let versions = parsed.elf_section_table().versions(endian, &*file).unwrap().expect("it has versions");
        for symbol in parsed.dynamic_symbols().filter(|symbol| !symbol.is_undefined()) {
            let index = versions.version_index(endian, symbol.index());
            let version = versions.version(index.index()).unwrap().expect("the version is defined");
            assert_eq!(version.name(), name, "{:?}", symbol.name());
        }
        let number = parsed.dynamic_symbols().find(|symbol| symbol.name() == Ok(OURS[1])).unwrap();
        let address = number.address();
        let bytes = parsed
            .segments()
            .find_map(|segment| object::ObjectSegment::data_range(&segment, address, 4).ok().flatten());
        assert_eq!(bytes, Some(&major.to_le_bytes()[..]));
    }
    assert!(file::of_version(&[], Version::V12).is_err());
    let damaged = library.iter().map(|&byte| if byte == b'l' { b'm' } else { byte }).collect::<Vec<u8>>();
    assert!(file::of_version(&damaged, Version::V12).is_err());
}

/// A program that asks for its version, linked with `library`; what it prints with ours in its place.
fn version_seen(linked: &Path, version: Version, arguments: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("version.c");
    let text = "#include <stdio.h>\nint cudaRuntimeGetVersion(int *);\n\
                int main(void) { int v; return cudaRuntimeGetVersion(&v) || printf(\"%d\\n\", v) < 0; }\n";
    fs::write(&source, text).unwrap();
    let program = folder.path().join("version");
    let clang = Tools::find().unwrap().clang().unwrap();
    let compiled = Command::new(&clang.path)
        .arg(&source)
        .arg(linked)
        .args(arguments)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    fs::write(folder.path().join(version.file_name()), file::of_version(&built(), version).unwrap()).unwrap();
    let output = Command::new(&program).env("LD_LIBRARY_PATH", folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn programs_that_were_linked_with_either_library_run_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    for (version, number) in [(Version::V12, "12090\n"), (Version::V13, "13000\n")] {
        let ours = folder.path().join(version.file_name());
        fs::write(&ours, file::of_version(&built(), version).unwrap()).unwrap();
        assert_eq!(version_seen(&ours, version, &[]), (number.to_owned(), String::new()));
    }
    let Some(theirs) = theirs() else { return };
    let arguments = ["-Wl,--allow-shlib-undefined"];
    assert_eq!(version_seen(&theirs, Version::V13, &arguments), ("13000\n".to_owned(), String::new()));
}

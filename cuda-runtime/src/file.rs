//! The library's file under the names of both versions of CUDA.
//!
//! Programs that were linked with NVIDIA's library want symbols of the version `libcudart.so.13` or `libcudart.so.12`
//! (as the dynamic linker knows versions), which rustc cannot define. So the file is changed in place: the name and the
//! major version are replaced, and version definitions are added where the library has room for them.

use std::ops::Range;

use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, elf, read::elf::ElfFile64};

/// A major version of CUDA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// CUDA 12
    V12,
    /// CUDA 13
    V13,
}

impl Version {
    /// Both versions.
    pub const ALL: [Version; 2] = [Version::V12, Version::V13];

    /// The library's file name, which is also the version of its symbols.
    pub const fn file_name(self) -> &'static str {
        match self {
            Version::V12 => "libcudart.so.12",
            Version::V13 => "libcudart.so.13",
        }
    }

    const fn major(self) -> u32 {
        match self {
            Version::V12 => 12,
            Version::V13 => 13,
        }
    }
}

/// The version that the linker gives the library.
const BUILT: Version = Version::V13;

/// The index of the version in the file. Smaller ones are those of the C library's versions.
const INDEX: u16 = 0x1000;

/// Bytes of a definition of a version (`Elf64_Verdef`), and with its name (`Elf64_Verdaux`).
const VERSION: usize = 20;
const DEFINITION: usize = VERSION + 8;

/// Bytes of a section's header (`Elf64_Shdr`).
const SECTION: usize = 64;

/// The section whose header is replaced.
const COMMENT: &str = ".comment";

/// Room for the definitions of the file itself and of its symbols' version.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "a symbol of the file")]
pub static warpfold_cudart_definitions: [u64; 2 * DEFINITION / 8] = [1; 2 * DEFINITION / 8];

/// The file of a version, given the library as the linker made it.
///
/// # Errors
///
/// What is missing in the file.
pub fn of_version(library: &[u8], version: Version) -> Result<Vec<u8>, String> {
    let mut file = library.to_vec();
    let parsed = ElfFile64::<LittleEndian>::parse(library).map_err(|error| error.to_string())?;
    let missing = |what: &str| format!("the runtime library has no {what}");

    let section = |name: &str| -> Result<Range<usize>, String> {
        let found = parsed.section_by_name(name).and_then(|section| section.file_range());
        let (start, size) = found.ok_or_else(|| missing(name))?;
        Ok(start as usize..(start + size) as usize)
    };
    let symbol = |name: &str| {
        let found = parsed.dynamic_symbols().find(|symbol| symbol.name() == Ok(name));
        found.map(|symbol| symbol.address()).ok_or_else(|| missing(name))
    };
    // Where the file has what is at an address.
    let at_address = |address: u64| {
        let found = parsed.sections().find_map(|section| {
            let (start, size) = section.file_range()?;
            let offset = address.checked_sub(section.address()).filter(|&offset| offset < size)?;
            Some((start + offset) as usize)
        });
        found.ok_or_else(|| missing("data at an address"))
    };

    // Both names are equally long.
    let strings = section(".dynstr")?;
    let built = BUILT.file_name().as_bytes();
    let found = library[strings.clone()]
        .windows(built.len() + 1)
        .position(|bytes| bytes.split_last().is_some_and(|(&end, text)| end == 0 && text == built));
    let name = found.ok_or_else(|| missing("name"))?;
    file[strings.start + name..][..built.len()].copy_from_slice(version.file_name().as_bytes());

    let major = at_address(symbol("warpfold_cudart_major")?)?;
    file[major..major + 4].copy_from_slice(&version.major().to_le_bytes());

    let address = symbol("warpfold_cudart_definitions")?;
    let definitions = at_address(address)?;
    let hash = elf::hash(version.file_name().as_bytes());
    for (at, flags, index, next) in [(0, elf::VER_FLG_BASE.0, 1, DEFINITION), (DEFINITION, 0, INDEX, 0)] {
        let definition = [
            elf::VER_DEF_CURRENT.to_le_bytes(),
            flags.to_le_bytes(),
            index.to_le_bytes(),
            // One name.
            1_u16.to_le_bytes(),
        ];
        let words = [hash, VERSION as u32, next as u32, name as u32, 0].map(u32::to_le_bytes);
        let bytes: Vec<u8> = definition.concat().into_iter().chain(words.concat()).collect();
        file[definitions + at..][..DEFINITION].copy_from_slice(&bytes);
    }

    // The numbers of symbols' versions are in the order of the symbols, whose first one is none.
    let numbers = section(".gnu.version")?;
    for symbol in parsed.dynamic_symbols().filter(|symbol| !symbol.is_undefined()) {
        file[numbers.start + 2 * symbol.index().0..][..2].copy_from_slice(&INDEX.to_le_bytes());
    }

    // The entry that is replaced tells how many relocations are of the simplest kind, which saves looking.
    let entries = section(".dynamic")?;
    let replaced = elf::DT_RELACOUNT.0.to_le_bytes();
    let entry = file[entries].chunks_exact_mut(16).find(|entry| entry[..8] == replaced);
    let entry = entry.ok_or_else(|| missing("entry for version definitions"))?;
    entry[..8].copy_from_slice(&elf::DT_VERDEF.0.to_le_bytes());
    entry[8..].copy_from_slice(&address.to_le_bytes());

    // Linkers find the definitions by a section. One that is not loaded, the linker's comment, gives its place.
    let replaced = parsed.section_by_name(COMMENT).ok_or_else(|| missing(COMMENT))?;
    let of_strings = parsed.section_by_name(".dynstr").ok_or_else(|| missing(".dynstr"))?;
    let header = parsed.elf_header().e_shoff.get(LittleEndian) as usize + SECTION * replaced.index().0;
    let name = file[header..][..4].to_vec();
    let fields = [
        &name[..],
        &elf::SHT_GNU_VERDEF.0.to_le_bytes(),
        &elf::SHF_ALLOC.0.to_le_bytes(),
        &address.to_le_bytes(),
        &(definitions as u64).to_le_bytes(),
        &(2 * DEFINITION as u64).to_le_bytes(),
        &(of_strings.index().0 as u32).to_le_bytes(),
        // How many definitions there are.
        &2_u32.to_le_bytes(),
        &8_u64.to_le_bytes(),
        // Definitions differ in size.
        &0_u64.to_le_bytes(),
    ];
    file[header..][..SECTION].copy_from_slice(&fields.concat());
    Ok(file)
}

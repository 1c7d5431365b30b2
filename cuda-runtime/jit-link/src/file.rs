//! The library's file under the names of both versions of CUDA.

use object::{LittleEndian, Object, ObjectSection, read::elf::ElfFile64};

/// The library's name in CUDA 12 and in CUDA 13, which is the one that the linker gives it.
pub const NAMES: [&str; 2] = ["libnvJitLink.so.12", "libnvJitLink.so.13"];

/// The file of a name, given the library as the linker made it: both names are equally long.
///
/// # Errors
///
/// A file that is not the library.
pub fn of_name(library: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let missing = || "the library of the linker has no name".to_owned();
    let parsed = ElfFile64::<LittleEndian>::parse(library).map_err(|error| error.to_string())?;
    let strings = parsed.section_by_name(".dynstr").and_then(|section| section.file_range());
    let (start, size) = strings.ok_or_else(missing)?;
    let strings = library.get(start as usize..(start + size) as usize).ok_or_else(missing)?;
    let built = [NAMES[1].as_bytes(), &[0]].concat();
    let at = strings.windows(built.len()).position(|bytes| bytes == built).ok_or_else(missing)?;
    let mut file = library.to_vec();
    file[start as usize + at..][..name.len()].copy_from_slice(name.as_bytes());
    Ok(file)
}

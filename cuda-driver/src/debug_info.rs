//! Debugging information of the files that the process was loaded from.

use std::{fs, path::Path};

use gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use object::read::{Object, ObjectSection, elf::ElfFile64};

/// The largest file that is read.
const MOST_FILE: u64 = 1 << 28;

/// An ELF file, and its debugging information.
pub(crate) type File<'a> = ElfFile64<'a, object::LittleEndian>;
pub(crate) type FileDwarf<'a> = Dwarf<EndianSlice<'a, LittleEndian>>;

/// Calls a function with a file and its debugging information, if it can be read.
pub(crate) fn with_file<R>(
    path: &Path,
    use_it: impl FnOnce(&File<'_>, FileDwarf<'_>) -> Option<R>,
) -> Option<R> {
    let about = fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > MOST_FILE {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    let file = File::parse(&*bytes).ok()?;
    let section = |id: SectionId| {
        let section = file.section_by_name(id.name());
        let data = section.and_then(|section| section.data().ok()).unwrap_or_default();
        Ok::<_, gimli::Error>(EndianSlice::new(data, LittleEndian))
    };
    use_it(&file, Dwarf::load(section).ok()?)
}

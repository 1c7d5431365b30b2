//! What programs link while they run: PTX, cubins, fat binaries, and files of the host's linker that hold these.

use object::{
    LittleEndian, elf,
    read::{
        archive::ArchiveFile,
        elf::{FileHeader, SectionHeader},
    },
};

use super::{budget::Budget, contents::Error, form::Form, read::read_within, text};

/// The section of host objects that holds fat binaries, one behind the other.
const FATBINS: &str = ".nv_fatbin";

/// Bytes of a fat binary's header, and where the length of the rest is in it.
const FATBIN_HEADER: usize = 16;
const FATBIN_LENGTH: usize = 8;

/// The form of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// PTX, one unit or several.
    Text,
    /// A cubin or a fat binary.
    Image,
    /// An object file of the host.
    Object,
    /// An archive of such files, or of cubins.
    Archive,
}

/// The PTX of an input, for a device of compute capability `sm`. Archives may have members without any: what a program
/// needs of these, linking misses.
pub(crate) fn link_input(input: Input, bytes: &[u8], sm: u32) -> Result<Vec<String>, Error> {
    let mut budget = Budget::from_env()?;
    let mut texts = Vec::new();
    match input {
        Input::Text => texts = text::units(bytes, &mut budget)?,
        Input::Image => image(bytes, sm, &mut budget, &mut texts)?,
        Input::Object => object(bytes, sm, &mut budget, &mut texts)?,
        Input::Archive => {
            budget.spend("length", bytes.len())?;
            let damaged =
                |error: object::Error| Error::Damaged(format!("the archive cannot be read: {error}"));
            let archive = ArchiveFile::parse(bytes).map_err(damaged)?;
            for member in archive.members() {
                let member = member.map_err(damaged)?.data(bytes).map_err(damaged)?;
                match object(member, sm, &mut budget, &mut texts) {
                    Err(Error::NoPtx | Error::Foreign(_) | Error::OtherDevice { .. }) => {}
                    outcome => outcome?,
                }
            }
        }
    }
    Ok(texts)
}

fn image(bytes: &[u8], sm: u32, budget: &mut Budget, texts: &mut Vec<String>) -> Result<(), Error> {
    texts.extend(read_within(bytes, sm, budget)?.units.into_iter().map(|unit| unit.text));
    Ok(())
}

/// The images of a host object; a cubin is one itself.
fn object(bytes: &[u8], sm: u32, budget: &mut Budget, texts: &mut Vec<String>) -> Result<(), Error> {
    if Form::of(bytes) != Form::Elf {
        return image(bytes, sm, budget, texts);
    }
    let section = elf::FileHeader64::<LittleEndian>::parse(bytes).and_then(|header| {
        let sections = header.sections(LittleEndian, bytes)?;
        let found = sections.section_by_name(LittleEndian, FATBINS.as_bytes());
        found.map(|(_, section)| section.data(LittleEndian, bytes)).transpose()
    });
    let section = section.map_err(|error| Error::Damaged(format!("it cannot be read: {error}")))?;
    let Some(mut rest) = section else { return image(bytes, sm, budget, texts) };
    while let Some(length) = rest.get(FATBIN_LENGTH..).and_then(|bytes| bytes.first_chunk()) {
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let whole = length.checked_add(FATBIN_HEADER).filter(|&whole| whole <= rest.len());
        let Some(whole) = whole else {
            return Err(Error::Damaged(format!("a fat binary of {length} bytes does not fit {FATBINS}")));
        };
        image(&rest[..whole], sm, budget, texts)?;
        // Fat binaries are aligned to eight bytes.
        rest = rest.get(whole.next_multiple_of(8)..).unwrap_or_default();
    }
    Ok(())
}

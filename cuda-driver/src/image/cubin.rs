//! Cubins: ELF files of machine code, with PTX in sections of their own.

use object::{
    LittleEndian, elf,
    read::elf::{FileHeader, SectionHeader, Sym},
};

use super::{
    contents::{Contents, Error, Unit},
    lines, text,
};

type Header = elf::FileHeader64<LittleEndian>;

/// `e_machine` of NVIDIA's device code.
const MACHINE: u16 = 190;

/// ABI version since which the architecture is in the second byte of `e_flags`; before, it was in the first.
const NEW_ABI: u8 = 8;

/// Where `ptxas` puts its input when line information is requested; a hash may follow.
const DEBUG_SECTION: &str = ".nv_debug_ptx_txt";

pub(super) fn read(image: &[u8], sm: u32) -> Result<Contents, Error> {
    let damaged = |error: object::Error| Error::Damaged(error.to_string());
    let header = Header::parse(image).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    if header.e_machine.get(endian).0 != MACHINE {
        return Err(Error::Foreign(format!("an ELF file for machine {}", header.e_machine.get(endian).0)));
    }
    check_architecture(header.e_ident.abi_version, header.e_flags.get(endian).0, sm)?;

    let sections = header.sections(endian, image).map_err(damaged)?;
    let symbols = sections.symbols(endian, image, elf::SHT_SYMTAB).map_err(damaged)?;
    let mut sources = lines::read(image, &sections, &symbols);
    let (mut added, mut debug) = (Vec::<Unit>::new(), Vec::<Unit>::new());
    for section in sections.iter() {
        if section.sh_type(endian) != elf::SHT_PROGBITS {
            continue;
        }
        let name = sections.section_name(endian, section).map_err(damaged)?;
        let bytes = section.data(endian, image).map_err(damaged)?;
        if name.starts_with(DEBUG_SECTION.as_bytes()) {
            let name = String::from_utf8_lossy(name);
            for text in text::units(bytes) {
                // Lines count from the section's start, where its first unit is. Other units have the same
                // source.
                let sources = sources.take(&name, &text);
                debug.push(Unit { text, sources });
            }
        } else if text::is_ptx(bytes) {
            added.extend(text::units(bytes).into_iter().map(Unit::from));
        }
    }

    let mut machine_code = Vec::new();
    for symbol in symbols.iter() {
        if symbol.st_type() == elf::STT_FUNC && !symbol.is_undefined(endian) {
            let name = symbol.name(endian, symbols.strings()).map_err(damaged)?;
            machine_code.push(String::from_utf8_lossy(name).into_owned());
        }
    }

    // A section that was added on purpose is complete, with comments and line information.
    let mut units: Vec<Unit> = Vec::new();
    for unit in if added.is_empty() { debug } else { added } {
        if !unit.text.trim().is_empty() && units.iter().all(|known| known.text != unit.text) {
            units.push(unit);
        }
    }
    if units.is_empty() { Err(Error::NoPtx) } else { Ok(Contents { units, machine_code }) }
}

/// Machine code runs on devices of its major version and at least its minor one.
fn check_architecture(abi_version: u8, flags: u32, device: u32) -> Result<(), Error> {
    let built_for = if abi_version >= NEW_ABI { flags >> 8 & 0xff } else { flags & 0xff };
    if runs_on(built_for, device) {
        return Ok(());
    }
    Err(Error::OtherDevice { device, found: format!("it holds machine code for sm_{built_for}") })
}

/// Whether machine code for one compute capability runs on a device of another.
pub(super) fn runs_on(built_for: u32, device: u32) -> bool {
    built_for / 10 == device / 10 && built_for <= device
}

//! Cubins: ELF files of machine code, with PTX in sections of their own.

use std::collections::{HashMap, HashSet};

use object::{
    LittleEndian, elf,
    read::elf::{FileHeader, SectionHeader, Sym, SymbolTable},
};

use super::{
    budget::Budget,
    contents::{Contents, Error, MachineCode, Unit},
    lines, text,
};

type Header = elf::FileHeader64<LittleEndian>;

/// `e_machine` of NVIDIA's device code.
const MACHINE: u16 = 190;

/// ABI version since which the architecture is in the second byte of `e_flags`; before, it was in the first.
const NEW_ABI: u8 = 8;

/// Where `ptxas` puts its input when line information is requested; a hash may follow.
const DEBUG_SECTION: &str = ".nv_debug_ptx_txt";

/// Attributes of all functions: each has a format, a kind, and two bytes that are the length of what follows in one format
/// and a value in the others.
const ATTRIBUTES: &str = ".nv.info";
const WITH_LENGTH: u8 = 4;
/// The kind that states the registers of a function: the index of its symbol, and their number.
const REGISTERS: u8 = 0x2f;

pub(super) fn read(image: &[u8], sm: u32, budget: &mut Budget) -> Result<Contents, Error> {
    let header = Header::parse(image).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    if header.e_machine.get(endian).0 != MACHINE {
        return Err(Error::Foreign(format!("an ELF file for machine {}", header.e_machine.get(endian).0)));
    }
    check_architecture(header.e_ident.abi_version, header.e_flags.get(endian).0, sm)?;

    let sections = header.sections(endian, image).map_err(damaged)?;
    let symbols = sections.symbols(endian, image, elf::SHT_SYMTAB).map_err(damaged)?;
    let mut names = Vec::new();
    for section in sections.iter() {
        let name = sections.section_name(endian, section).map_err(damaged)?;
        budget.spend("section names", name.len() + size_of::<&[u8]>())?;
        names.push(name);
    }
    let mut sources = lines::read(image, &sections, &names, &symbols, budget)?;
    let (mut added, mut debug) = (Vec::<Unit>::new(), Vec::<Unit>::new());
    for (section, name) in sections.iter().zip(&names) {
        if section.sh_type(endian) != elf::SHT_PROGBITS {
            continue;
        }
        let bytes = section.data(endian, image).map_err(damaged)?;
        // Sections may share their bytes: each is paid for.
        budget.spend("sections", bytes.len())?;
        if name.starts_with(DEBUG_SECTION.as_bytes()) {
            let name = String::from_utf8_lossy(name);
            for text in text::units(bytes, budget)? {
                // Lines count from the section's start, where its first unit is. Other units have the same
                // source.
                let sources = sources.take(&name, &text, budget)?;
                debug.push(Unit { text, sources });
            }
        } else if text::is_ptx(bytes) {
            added.extend(text::units(bytes, budget)?.into_iter().map(Unit::from));
        }
    }

    // A section that was added on purpose is complete, with comments and line information.
    let units = different(if added.is_empty() { debug } else { added });
    Budget::check_units(units.len())?;
    let mut known = HashMap::new();
    for (section, name) in sections.iter().zip(&names) {
        if *name == ATTRIBUTES.as_bytes() {
            let bytes = section.data(endian, image).map_err(damaged)?;
            budget.spend("attributes", bytes.len())?;
            known.extend(registers(bytes));
        }
    }
    let machine_code = functions(&symbols, &known, budget)?;
    if units.is_empty() { Err(Error::NoPtx) } else { Ok(Contents { units, machine_code }) }
}

fn damaged(error: object::Error) -> Error {
    Error::Damaged(error.to_string())
}

/// The units with a text, each text once.
fn different(units: Vec<Unit>) -> Vec<Unit> {
    let mut known = HashSet::new();
    let new: Vec<bool> =
        units.iter().map(|unit| !unit.text.trim().is_empty() && known.insert(&unit.text)).collect();
    units.into_iter().zip(new).filter_map(|(unit, new)| new.then_some(unit)).collect()
}

/// The functions that there is machine code of.
fn functions(
    symbols: &SymbolTable<'_, Header>,
    registers: &HashMap<u32, u32>,
    budget: &mut Budget,
) -> Result<Vec<MachineCode>, Error> {
    let mut functions = Vec::new();
    for (index, symbol) in (0..).zip(symbols.iter()) {
        if symbol.st_type() == elf::STT_FUNC && !symbol.is_undefined(LittleEndian) {
            let name = symbol.name(LittleEndian, symbols.strings()).map_err(damaged)?;
            budget.spend("symbols", name.len() + size_of::<MachineCode>())?;
            let name = String::from_utf8_lossy(name).into_owned();
            functions.push(MachineCode { name, registers: registers.get(&index).copied() });
        }
    }
    Ok(functions)
}

/// The registers of functions, by the index of their symbol, from a section of attributes. Of a damaged one, what comes
/// before the damage.
fn registers(mut bytes: &[u8]) -> HashMap<u32, u32> {
    let mut known = HashMap::new();
    while let [format, kind, low, high, rest @ ..] = bytes {
        let length = if *format == WITH_LENGTH { usize::from(u16::from_le_bytes([*low, *high])) } else { 0 };
        let Some((value, after)) = rest.split_at_checked(length) else { break };
        if let (REGISTERS, &[a, b, c, d, e, f, g, h]) = (*kind, value) {
            known.insert(u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        }
        bytes = after;
    }
    known
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

//! Writes images for the emulator alone: ELF files with PTX that have what linkers and LLVM's host runtime
//! expect of machine code.

use ptx_emulator::LoadError;

use super::device_library::link;

/// Types of sections.
pub(super) const PROGBITS: u32 = 1;
pub(super) const SYMTAB: u32 = 2;
pub(super) const STRTAB: u32 = 3;
pub(super) const RELA: u32 = 4;

/// Flag of a section that is loaded into memory.
const ALLOC: u64 = 2;

/// Types of files: to be linked, and to be loaded.
const RELOCATABLE: u16 = 1;
pub(super) const EXECUTABLE: u16 = 2;

/// Suffix of the name of a kernel's environment structure, and its size. LLVM's host runtime reads the
/// kernel's execution mode and limits from it, out of the image.
const ENVIRONMENT: &str = "_kernel_environment";
const ENVIRONMENT_BYTES: usize = 48;

const SYMBOL_BYTES: u64 = 24;

/// Bindings and types of symbols.
const GLOBAL: u8 = 0x10;
const WEAK: u8 = 0x20;
const NO_TYPE: u8 = 0;
const OBJECT: u8 = 1;
const FUNCTION: u8 = 2;

/// A section of an ELF file.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    pub name: String,
    pub kind: u32,
    pub flags: u64,
    pub contents: Vec<u8>,
    /// The number of the section that this one refers to.
    pub link: u32,
}

/// A relocatable file with one unit's PTX, as an assembler writes it. It has the unit's symbols, because
/// linkers take members of archives by symbol.
///
/// # Errors
///
/// PTX that cannot be read.
pub fn relocatable(name: &str, ptx: &str, sm: u32) -> Result<Vec<u8>, LoadError> {
    let mut symbols = Symbols::new();
    for declared in ptx_emulator::declarations(name, ptx.as_bytes())? {
        let binding = if declared.weak && declared.defined { WEAK } else { GLOBAL };
        let (kind, section) = match (declared.defined, declared.function) {
            (false, _) => (NO_TYPE, 0),
            (true, true) => (FUNCTION, 1),
            (true, false) => (OBJECT, 1),
        };
        symbols.add(&declared.name, binding | kind, section, 0, 0);
    }
    let mut sections = vec![section(1, ptx)];
    symbols.finish(&mut sections);
    Ok(elf(RELOCATABLE, 190, 8, flags(sm), &sections))
}

/// An executable file with the PTX of all units, as a linker writes it. Each unit comes with its name.
///
/// # Errors
///
/// Units that conflict, or a function that no unit defines: see [`ptx_emulator::Program::link`].
pub fn executable(units: &[(String, String)], sm: u32) -> Result<Vec<u8>, LoadError> {
    let texts: Vec<(&str, &[u8])> = units.iter().map(|(name, ptx)| (&name[..], ptx.as_bytes())).collect();
    let program = link("image", &texts)?;
    let (mut environments, mut symbols) = (Vec::new(), Symbols::new());
    for kernel in program.kernels() {
        let name = format!("{}{ENVIRONMENT}", kernel.name);
        let Some(environment) = program.initial_bytes(&name) else { continue };
        let mut environment = environment.to_vec();
        environment.resize(ENVIRONMENT_BYTES, 0);
        symbols.add(&name, GLOBAL | OBJECT, 1, environments.len() as u64, ENVIRONMENT_BYTES as u64);
        environments.extend(environment);
    }
    let name = ".nv.global.init".to_owned();
    let mut sections = vec![Section { name, kind: PROGBITS, flags: ALLOC, contents: environments, link: 0 }];
    sections.extend(units.iter().zip(1..).map(|((_, ptx), number)| section(number, ptx)));
    symbols.finish(&mut sections);
    Ok(elf(EXECUTABLE, 190, 8, flags(sm), &sections))
}

/// A symbol table with its names.
struct Symbols {
    table: Vec<u8>,
    names: Vec<u8>,
}

impl Symbols {
    fn new() -> Symbols {
        Symbols { table: vec![0; SYMBOL_BYTES as usize], names: vec![0] }
    }

    fn add(&mut self, name: &str, info: u8, section: u16, value: u64, size: u64) {
        self.table.extend((self.names.len() as u32).to_le_bytes());
        self.table.extend([info, 0]);
        self.table.extend(section.to_le_bytes());
        self.table.extend([value, size].map(u64::to_le_bytes).concat());
        self.names.extend(name.bytes().chain([0]));
    }

    /// Adds the table to a file's sections.
    fn finish(self, sections: &mut Vec<Section>) {
        let strings = sections.len() as u32 + 2;
        let section = |name: &str, kind, contents, link| {
            let name = name.to_owned();
            Section { name, kind, contents, link, ..Section::default() }
        };
        sections.push(section(".symtab", SYMTAB, self.table, strings));
        sections.push(section(".strtab", STRTAB, self.names, 0));
    }
}

/// A section with a unit's PTX, which ends with a NUL.
fn section(number: u32, ptx: &str) -> Section {
    let contents = ptx.bytes().chain([0]).collect();
    Section { name: format!(".warpfold.ptx.{number}"), kind: PROGBITS, contents, ..Section::default() }
}

/// The flags of an ELF file for an architecture, as of ABI version 8.
fn flags(sm: u32) -> u32 {
    0x0600_0004 | sm << 8
}

/// An ELF file with these sections, numbered from 1; after the last comes the section with their names.
pub(super) fn elf(kind: u16, machine: u16, abi_version: u8, flags: u32, sections: &[Section]) -> Vec<u8> {
    let names = Section { name: ".shstrtab".to_owned(), kind: STRTAB, ..Section::default() };
    let mut name_bytes = vec![0];
    let mut body = vec![0; 64];
    let mut headers = vec![0; 64];
    for section in sections.iter().chain([&names]) {
        let name_at = name_bytes.len() as u32;
        name_bytes.extend(section.name.bytes().chain([0]));
        let contents = if section.name == names.name { &name_bytes } else { &section.contents };
        headers.extend([name_at, section.kind].map(u32::to_le_bytes).concat());
        let (at, length) = (body.len() as u64, contents.len() as u64);
        headers.extend([section.flags, 0, at, length].map(u64::to_le_bytes).concat());
        // All symbols but the first are global.
        let (link, info) = match section.kind {
            RELA => (0, section.link),
            SYMTAB => (section.link, 1),
            _ => (section.link, 0),
        };
        headers.extend([link, info].map(u32::to_le_bytes).concat());
        let entry = if matches!(section.kind, SYMTAB | RELA) { SYMBOL_BYTES } else { 0 };
        headers.extend([8, entry].map(u64::to_le_bytes).concat());
        body.extend(contents);
        body.resize(body.len().next_multiple_of(8), 0);
    }
    let count = sections.len() as u16 + 2;
    let mut start = b"\x7fELF\x02\x01\x01\x41".to_vec();
    start.extend([abi_version, 0, 0, 0, 0, 0, 0, 0]);
    start.extend([kind, machine].map(u16::to_le_bytes).concat());
    start.extend(1u32.to_le_bytes());
    start.extend([0u64, 0, body.len() as u64].map(u64::to_le_bytes).concat());
    start.extend(flags.to_le_bytes());
    start.extend([64u16, 56, 0, 64, count, count - 1].map(u16::to_le_bytes).concat());
    body[..64].copy_from_slice(&start);
    [body, headers].concat()
}

//! Source locations of the PTX in a cubin.
//!
//! The PTX that `ptxas` keeps has lost its `.loc` directives. Two line tables in the cubin together replace
//! them: one maps addresses in the machine code to source lines, the other maps the same addresses to lines
//! of the PTX.

use std::collections::HashMap;

use gimli::{DebugLine, DebugLineOffset, EndianSlice, LineProgramHeader, LittleEndian};
use object::{
    elf,
    read::elf::{Rela, SectionHeader, SectionTable, Sym, SymbolTable},
};
use ptx_emulator::LineTable;

/// The header of a cubin.
type Header = elf::FileHeader64<object::LittleEndian>;

/// The tables: from addresses to the source, and to lines of PTX, whose "file" is the section that it is in.
const TO_SOURCE: &str = ".debug_line";
const TO_PTX: &str = ".nv_debug_line_sass";

/// Bits of an address that are an offset in a function's section; those above are the section's number.
const OFFSET_BITS: u32 = 40;

/// Bytes of an address.
const ADDRESS: usize = 8;

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// The line that a table gives for the machine code from an address up to another.
struct AddressRange {
    start: u64,
    end: u64,
    file: u32,
    line: u32,
}

/// A line table of the cubin, with all its units.
#[derive(Default)]
struct CubinLines {
    files: Vec<String>,
    ranges: Vec<AddressRange>,
}

/// Source locations of the sections of PTX.
pub(super) struct SourceLocations {
    files: Vec<String>,
    /// Of each section, by its name: line of the PTX, number of the source file, line in it.
    sections: HashMap<String, Vec<(u32, u32, u32)>>,
}

/// Reads both tables. Of damaged ones, it takes what can be read.
pub(super) fn read(
    image: &[u8],
    sections: &SectionTable<'_, Header>,
    symbols: &SymbolTable<'_, Header>,
) -> SourceLocations {
    let mut source = table(image, sections, symbols, TO_SOURCE).unwrap_or_default();
    let ptx = table(image, sections, symbols, TO_PTX).unwrap_or_default();
    source.ranges.sort_by_key(|range| range.start);
    let mut found: HashMap<String, Vec<(u32, u32, u32)>> = HashMap::new();
    for range in &ptx.ranges {
        let after = source.ranges.partition_point(|known| known.start <= range.start);
        let known = after.checked_sub(1).map(|at| &source.ranges[at]);
        if let Some(known) = known.filter(|known| range.start < known.end && known.line != 0) {
            let section = found.entry(ptx.files[range.file as usize].clone()).or_default();
            section.push((range.line, known.file, known.line));
        }
    }
    SourceLocations { files: source.files, sections: found }
}

impl SourceLocations {
    /// The locations of the text that the section of this name begins with.
    pub fn take(&mut self, section: &str, text: &str) -> LineTable {
        let Some(mut lines) = self.sections.remove(section) else { return LineTable::default() };
        lines.sort_by_key(|&(line, _, _)| line);
        lines.dedup_by_key(|&mut (line, _, _)| line);
        // An empty line is where a `.loc` was: all lines between empty lines have one location, also those of
        // instructions that the machine code does not have.
        let (mut filled, mut next, mut last) = (Vec::new(), 0, None);
        for (number, line) in (1..).zip(text.lines()) {
            while let Some(&(at, file, line)) = lines.get(next).filter(|known| known.0 <= number) {
                next += 1;
                last = (at == number).then_some((file, line)).or(last);
            }
            if line.trim().is_empty() {
                last = None;
            }
            filled.extend(last.map(|(file, line)| (number, file, line)));
        }
        LineTable::new(self.files.clone(), filled)
    }
}

fn table(
    image: &[u8],
    sections: &SectionTable<'_, Header>,
    symbols: &SymbolTable<'_, Header>,
    name: &str,
) -> Option<CubinLines> {
    let (index, section) = sections.section_by_name(object::LittleEndian, name.as_bytes())?;
    let mut bytes = section.data(object::LittleEndian, image).ok()?.to_vec();
    // Addresses are not relocated yet: each function's code begins at 0 of a section of its own.
    for other in sections.iter() {
        if other.sh_info(object::LittleEndian) as usize != index.0 {
            continue;
        }
        let Ok(Some((relocations, _))) = other.rela(object::LittleEndian, image) else { continue };
        for relocation in relocations {
            let symbol =
                relocation.symbol(object::LittleEndian, false).and_then(|at| symbols.symbol(at).ok());
            let at = usize::try_from(relocation.r_offset(object::LittleEndian)).ok();
            let address = at.and_then(|at| bytes.get_mut(at..)?.first_chunk_mut::<ADDRESS>());
            let (Some(symbol), Some(address)) = (symbol, address) else { continue };
            let offset = symbol
                .st_value(object::LittleEndian)
                .wrapping_add(relocation.r_addend(object::LittleEndian) as u64);
            let section = u64::from(symbol.st_shndx(object::LittleEndian).0);
            *address = (section << OFFSET_BITS | offset & ((1 << OFFSET_BITS) - 1)).to_le_bytes();
        }
    }
    let mut table = CubinLines::default();
    let lines = DebugLine::new(&bytes, LittleEndian);
    let mut start = 0;
    while let Ok(program) = lines.program(DebugLineOffset(start), ADDRESS as u8, None, None) {
        start = start.saturating_add(program.header().unit_length()).saturating_add(4);
        table.add(program);
    }
    Some(table)
}

impl CubinLines {
    fn add(&mut self, program: gimli::IncompleteLineProgram<Slice<'_>>) {
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let mut rows = program.rows();
        let mut open: Option<AddressRange> = None;
        while let Ok(Some((header, row))) = rows.next_row() {
            if let Some(mut range) = open.take() {
                range.end = row.address();
                self.ranges.extend((range.start < range.end).then_some(range));
            }
            if row.end_sequence() {
                continue;
            }
            let file = *numbers.entry(row.file_index()).or_insert_with(|| {
                self.files.push(path(header, row.file_index()));
                self.files.len() as u32 - 1
            });
            let line = row.line().map_or(0, |line| u32::try_from(line.get()).unwrap_or(0));
            open = Some(AddressRange { start: row.address(), end: 0, file, line });
        }
    }
}

/// A file's name with its folder.
fn path(header: &LineProgramHeader<Slice<'_>>, file: u64) -> String {
    let text = |value| match value {
        gimli::AttributeValue::String(text) => String::from_utf8_lossy(Slice::slice(&text)).into_owned(),
        _ => String::new(),
    };
    let Some(entry) = header.file(file) else { return "?".to_owned() };
    let name = text(entry.path_name());
    match entry.directory(header).map(text) {
        Some(folder) if !folder.is_empty() && !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name,
    }
}

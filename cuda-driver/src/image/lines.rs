//! Source locations of the PTX in a cubin.
//!
//! The PTX that `ptxas` keeps has lost its `.loc` directives. Two line tables in the cubin together replace
//! them: one maps addresses in the machine code to source lines, the other maps the same addresses to lines
//! of the PTX.

use std::{collections::HashMap, sync::Arc};

use gimli::{
    AttributeValue, DebugLine, DebugLineOffset, EndianSlice, FileEntry, LineInstruction, LineProgram,
    LineProgramHeader, LineRow, LittleEndian, Reader,
};
use object::{
    SectionIndex, elf,
    read::elf::{Rela, SectionHeader, SectionTable, Sym, SymbolTable},
};
use ptx_emulator::LineTable;

use super::{budget::Budget, contents::Error};

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

/// The longest name of a file that is kept, as Linux has it.
const MOST_NAME: usize = 4096;

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

/// A line of PTX, the number of a source file, and the line in it.
type Location = (u32, u32, u32);

/// Source locations of the sections of PTX.
pub(super) struct SourceLocations {
    files: Arc<[String]>,
    /// Of each section, by its name.
    sections: HashMap<String, Vec<Location>>,
}

/// Reads both tables. Of damaged ones, it takes what can be read; what is too large is an error. `names` are
/// those of the sections.
pub(super) fn read(
    image: &[u8],
    sections: &SectionTable<'_, Header>,
    names: &[&[u8]],
    symbols: &SymbolTable<'_, Header>,
    budget: &mut Budget,
) -> Result<SourceLocations, Error> {
    let mut table = |name: &str| match names.iter().position(|known| *known == name.as_bytes()) {
        Some(at) => table(image, sections, SectionIndex(at), symbols, budget),
        None => Ok(CubinLines::default()),
    };
    let (mut source, ptx) = (table(TO_SOURCE)?, table(TO_PTX)?);
    source.ranges.sort_by_key(|range| range.start);
    let mut found: Vec<Vec<Location>> = ptx.files.iter().map(|_| Vec::new()).collect();
    let mut at = 0;
    for range in &ptx.ranges {
        let starts_by = |at: usize| source.ranges.get(at).is_some_and(|known| known.start <= range.start);
        let is_last = |at: usize| starts_by(at) && !starts_by(at + 1);
        // Both tables mostly ascend: it is the same as before, or the next one.
        if !is_last(at) {
            at += 1;
        }
        if !is_last(at) {
            at = source.ranges.partition_point(|known| known.start <= range.start).saturating_sub(1);
        }
        let known = Some(at).filter(|&at| starts_by(at)).map(|at| &source.ranges[at]);
        if let Some(known) = known.filter(|known| range.start < known.end && known.line != 0) {
            budget.spend("line table", size_of::<Location>())?;
            found[range.file as usize].push((range.line, known.file, known.line));
        }
    }
    let mut sections: HashMap<String, Vec<Location>> = HashMap::new();
    for (name, locations) in ptx.files.into_iter().zip(found) {
        sections.entry(name).or_default().extend(locations);
    }
    Ok(SourceLocations { files: source.files.into(), sections })
}

impl SourceLocations {
    /// The locations of the text that the section of this name begins with.
    pub fn take(&mut self, section: &str, text: &str, budget: &mut Budget) -> Result<LineTable, Error> {
        let Some(mut lines) = self.sections.remove(section) else { return Ok(LineTable::default()) };
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
            if let Some((file, line)) = last {
                budget.spend("line table", size_of::<Location>())?;
                filled.push((number, file, line));
            }
        }
        Ok(LineTable::new(self.files.clone(), filled))
    }
}

/// Reads the table in a section.
fn table(
    image: &[u8],
    sections: &SectionTable<'_, Header>,
    index: SectionIndex,
    symbols: &SymbolTable<'_, Header>,
    budget: &mut Budget,
) -> Result<CubinLines, Error> {
    let mut table = CubinLines::default();
    let section = sections.section(index).and_then(|section| section.data(object::LittleEndian, image));
    let Ok(bytes) = section else { return Ok(table) };
    budget.spend("line table", bytes.len())?;
    let mut bytes = bytes.to_vec();
    // Addresses are not relocated yet: each function's code begins at 0 of a section of its own.
    for other in sections.iter() {
        if other.sh_info(object::LittleEndian) as usize != index.0 {
            continue;
        }
        let Ok(Some((relocations, _))) = other.rela(object::LittleEndian, image) else { continue };
        budget.spend("relocations", size_of_val(relocations))?;
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
    let lines = DebugLine::new(&bytes, LittleEndian);
    let mut start = 0;
    while let Some(header_bytes) = header_bytes(bytes.get(start..).unwrap_or_default()) {
        // Each name takes two bytes or more, and an entry in memory; a list that grows is copied.
        let entries = 2 * size_of::<FileEntry<Slice<'_>, usize>>();
        budget.check("line table", header_bytes.saturating_mul(entries))?;
        let Ok(program) = lines.program(DebugLineOffset(start), ADDRESS as u8, None, None) else { break };
        start = start.saturating_add(program.header().unit_length()).saturating_add(4);
        table.add(program.header(), budget)?;
    }
    Ok(table)
}

/// Bytes of the lists of files in the header of the table's unit that begins here, as its header says.
fn header_bytes(unit: &[u8]) -> Option<usize> {
    let mut unit = EndianSlice::new(unit, LittleEndian);
    let (_, format) = unit.read_initial_length().ok()?;
    if unit.read_u16().ok()? >= 5 {
        unit.skip(2).ok()?;
    }
    unit.read_length(format).ok()
}

/// A unit whose list of files is that of its header: the instruction that adds one is not in use any more.
struct Program<'h, 'a>(&'h LineProgramHeader<Slice<'a>>);

impl<'a> LineProgram<Slice<'a>> for Program<'_, 'a> {
    fn header(&self) -> &LineProgramHeader<Slice<'a>> {
        self.0
    }

    fn add_file(&mut self, _: FileEntry<Slice<'a>>) {}
}

impl CubinLines {
    /// Adds the lines of a unit as far as they can be read.
    fn add(&mut self, header: &LineProgramHeader<Slice<'_>>, budget: &mut Budget) -> Result<(), Error> {
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let (mut instructions, mut row) = (header.instructions(), LineRow::new(header));
        let mut open: Option<AddressRange> = None;
        let (mut without_code, mut last_file) = (false, None);
        while let Ok(Some(instruction)) = instructions.next_instruction(header) {
            let Ok(new) = row.execute(instruction, &mut Program(header)) else { break };
            if let LineInstruction::SetAddress(address) = instruction {
                // An address that is not taken over is that of code that a linker has removed.
                without_code = row.address() != address;
            }
            if !new {
                continue;
            }
            if !without_code {
                if let Some(mut range) = open.take() {
                    range.end = row.address();
                    if range.start < range.end {
                        self.push(range, budget)?;
                    }
                }
                if !row.end_sequence() {
                    let index = row.file_index();
                    let known = last_file.filter(|&(last, _)| last == index).map(|(_, number)| number);
                    let file = match known.or_else(|| numbers.get(&index).copied()) {
                        Some(number) => number,
                        None => {
                            let number = self.add_file(header, index, budget)?;
                            numbers.insert(index, number);
                            number
                        }
                    };
                    last_file = Some((index, file));
                    let line = row.line().map_or(0, |line| u32::try_from(line.get()).unwrap_or(0));
                    open = Some(AddressRange { start: row.address(), end: 0, file, line });
                }
            }
            without_code &= !row.end_sequence();
            row.reset(header);
        }
        Ok(())
    }

    /// Adds a range, to the last one if that goes on.
    fn push(&mut self, range: AddressRange, budget: &mut Budget) -> Result<(), Error> {
        match self.ranges.last_mut() {
            Some(last) if (last.end, last.file, last.line) == (range.start, range.file, range.line) => {
                last.end = range.end;
            }
            _ => {
                budget.spend("line table", size_of::<AddressRange>())?;
                self.ranges.push(range);
            }
        }
        Ok(())
    }

    /// Adds the name of a file; returns its number.
    fn add_file(
        &mut self,
        header: &LineProgramHeader<Slice<'_>>,
        index: u64,
        budget: &mut Budget,
    ) -> Result<u32, Error> {
        let name = path(header, index);
        // It is in two lists: its name, and its number.
        budget.spend("line table", name.len() + 2 * size_of::<String>())?;
        self.files.push(name);
        Ok(self.files.len() as u32 - 1)
    }
}

/// A file's name with its folder; no name where it is too long.
fn path(header: &LineProgramHeader<Slice<'_>>, file: u64) -> String {
    let text = |value| match value {
        AttributeValue::String(text) if Slice::slice(&text).len() <= MOST_NAME => {
            String::from_utf8_lossy(Slice::slice(&text)).into_owned()
        }
        _ => String::new(),
    };
    let Some(entry) = header.file(file) else { return "?".to_owned() };
    let name = text(entry.path_name());
    match entry.directory(header).map(text) {
        Some(folder) if !folder.is_empty() && !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name,
    }
}

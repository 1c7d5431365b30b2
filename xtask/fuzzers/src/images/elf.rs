//! Writes ELF files, also such as no linker writes: with sections that share their bytes.

pub const PROGBITS: u32 = 1;
pub const SYMTAB: u32 = 2;
pub const STRTAB: u32 = 3;
pub const RELA: u32 = 4;
pub const NOBITS: u32 = 8;

/// Machines of device code and of the host's.
pub const DEVICE: u16 = 190;
pub const HOST: u16 = 62;

const HEADER: usize = 64;

/// A section.
#[derive(Clone, Default)]
pub struct Section {
    pub name: Vec<u8>,
    pub kind: u32,
    pub contents: Vec<u8>,
    pub link: u32,
    pub info: u32,
    /// The number of the section whose bytes it has instead of its own.
    pub shared: Option<usize>,
}

impl Section {
    pub fn new(name: &str, kind: u32, contents: Vec<u8>) -> Section {
        Section { name: name.as_bytes().to_vec(), kind, contents, ..Section::default() }
    }
}

/// A symbol of a function: its name's offset, and its section.
pub fn symbol(name: u32, section: u16) -> Vec<u8> {
    let mut symbol = name.to_le_bytes().to_vec();
    symbol.extend([0x12, 0x10]);
    symbol.extend(section.to_le_bytes());
    symbol.extend([0; 16]);
    symbol
}

/// A relocation of eight bytes to a symbol.
pub fn relocation(at: u64, symbol: u64) -> Vec<u8> {
    [at, symbol << 32 | 2, 0].map(u64::to_le_bytes).concat()
}

/// A file with these sections, numbered from 1; after them comes the one with their names.
pub fn file(machine: u16, abi_version: u8, flags: u32, sections: &[Section]) -> Vec<u8> {
    let mut names = vec![0];
    let name_offsets: Vec<u32> = sections
        .iter()
        .map(|section| {
            names.extend(section.name.iter().chain(&[0]));
            (names.len() - section.name.len() - 1) as u32
        })
        .collect();
    names.extend(b".shstrtab\0");
    let name_of_names = names.len() as u32 - 10;
    let mut body = vec![0; HEADER];
    let mut places = Vec::new();
    for contents in sections.iter().map(|section| &section.contents).chain([&names]) {
        places.push((body.len() as u64, contents.len() as u64));
        body.extend(contents);
        body.resize(body.len().next_multiple_of(8), 0);
    }
    let (count, at) = (sections.len() + 2, body.len() as u64);
    let header = |name: u32, kind: u32, (start, bytes): (u64, u64), link: u32, info: u32| {
        let entry = if matches!(kind, SYMTAB | RELA) { 24u64 } else { 0 };
        let words = [0u64, 0, start, bytes].map(u64::to_le_bytes).concat();
        let ends = [link, info].map(u32::to_le_bytes).concat();
        [[name, kind].map(u32::to_le_bytes).concat(), words, ends, [8, entry].map(u64::to_le_bytes).concat()]
            .concat()
    };
    let many = count >= 0xff00;
    let (large_count, large_names) = if many { (count as u64, count as u32 - 1) } else { (0, 0) };
    body.extend(header(0, 0, (0, large_count), large_names, 0));
    for (number, (section, name)) in sections.iter().zip(name_offsets).enumerate() {
        let place = places[section.shared.map_or(number, |shared| shared - 1)];
        body.extend(header(name, section.kind, place, section.link, section.info));
    }
    body.extend(header(name_of_names, STRTAB, places[sections.len()], 0, 0));
    let mut start = b"\x7fELF\x02\x01\x01\x41".to_vec();
    start.extend([abi_version, 0, 0, 0, 0, 0, 0, 0]);
    start.extend([2, machine].map(u16::to_le_bytes).concat());
    start.extend(1u32.to_le_bytes());
    start.extend([0, 0, at].map(u64::to_le_bytes).concat());
    start.extend(flags.to_le_bytes());
    let (count, names) = if many { (0, 0xffff) } else { (count as u16, count as u16 - 1) };
    start.extend([64, 56, 0, 64, count, names].map(u16::to_le_bytes).concat());
    body[..HEADER].copy_from_slice(&start);
    body
}

//! Makes images, whole ones and then damaged ones.

use super::elf::{self, DEVICE, HOST, NOBITS, PROGBITS, RELA, STRTAB, SYMTAB, Section};
use super::line_table::line_table;
use super::ptx;
use crate::random::Random;

/// The section in which assemblers keep PTX.
const DEBUG_TEXT: &str = ".nv_debug_ptx_txt";

/// Inputs of which one is a bomb: small for what it asks for.
const BOMBS: usize = 512;

/// The input of a number.
pub fn input(files: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    let mut random = Random::new(seed, number);
    let random = &mut random;
    if random.one_in(BOMBS) {
        return bomb(random);
    }
    let mut image = match random.below(16) {
        0 if !files.is_empty() => random.pick(files).clone(),
        0 => ptx::unit("k", random).into_bytes(),
        1 => host_program(random),
        2..=6 => fat_binary(random),
        _ => cubin(random),
    };
    for _ in 0..[0, 0, 0, 1, 1, 2, 4, 8][random.below(8)] {
        damage(&mut image, random);
    }
    image
}

/// Changes a few bytes; most numbers of headers are aligned.
fn damage(image: &mut Vec<u8>, random: &mut Random) {
    const NUMBERS: [u64; 9] = [0, 1, 24, 64, 0xffff, 1 << 31, 1 << 32, 1 << 63, u64::MAX];
    let length = image.len();
    let at = random.below(length);
    // The headers of sections are at the end, those of files and entries at the start.
    let at = match random.below(3) {
        0 => at.min(random.below(192)),
        1 => length - 1 - random.below(length.min(1024)),
        _ => at,
    };
    let number = match random.below(3) {
        0 => *random.pick(&NUMBERS),
        1 => length as u64 - random.below(length) as u64,
        _ => random.below(1 << 16) as u64,
    };
    let bytes = number.to_le_bytes();
    match random.below(6) {
        0 => image[at] ^= 1 << random.below(8),
        1 => image[at] = random.next() as u8,
        2 | 3 => {
            let (at, size) = if random.one_in(2) { (at & !7, 8) } else { (at & !3, 4) };
            image[at..].iter_mut().zip(&bytes[..size]).for_each(|(to, from)| *to = *from);
        }
        4 if length > 64 => image.truncate(at.max(16)),
        _ => drop(image.drain(at..(at + random.below(16)).min(length - 1).max(at))),
    }
    if image.is_empty() {
        image.push(0);
    }
}

/// A text as an assembler keeps it: lines end with NUL.
fn kept(text: &str) -> Vec<u8> {
    text.replace('\n', "\0").into_bytes()
}

/// A cubin of one to three kernels, `k` first, with what compilers put into one.
fn cubin(random: &mut Random) -> Vec<u8> {
    let kernels = ["k", "l", "m"];
    let count = 1 + random.below(3);
    let (mut names, mut symbols, mut sections) = (vec![0], vec![0; 24], Vec::new());
    for (number, kernel) in kernels[..count].iter().enumerate() {
        symbols.extend(elf::symbol(names.len() as u32, number as u16 + 1));
        names.extend(kernel.bytes().chain([0]));
        sections.push(Section::new(&format!(".text.{kernel}"), PROGBITS, vec![0; 128]));
    }
    // Texts in sections of their own, or all in one.
    let texts: Vec<String> = kernels[..count].iter().map(|kernel| ptx::unit(kernel, random)).collect();
    let mut ptx_names = Vec::new();
    if random.one_in(3) {
        ptx_names.push(DEBUG_TEXT.to_owned());
        sections.push(Section::new(DEBUG_TEXT, PROGBITS, kept(&texts.concat())));
    } else {
        for (number, text) in texts.iter().enumerate() {
            ptx_names.push(format!("{DEBUG_TEXT}.{number}"));
            sections.push(Section::new(&ptx_names[number], PROGBITS, kept(text)));
        }
    }
    if random.one_in(4) {
        sections.push(Section::new(".ptx", PROGBITS, ptx::unit("k", random).into_bytes()));
    }
    if random.one_in(8) {
        sections.push(Section::new(".bss", NOBITS, Vec::new()));
    }
    let lines = !random.one_in(4);
    let tables = if lines { &[".debug_line", ".nv_debug_line_sass"][..] } else { &[] };
    for name in tables {
        let (mut bytes, mut relocations) = (Vec::new(), Vec::new());
        for symbol in 1..=count {
            let files: Vec<&[u8]> = match *name {
                ".debug_line" => {
                    (0..1 + random.below(3)).map(|_| random.pick(&ptx::FILES).as_bytes()).collect()
                }
                _ => vec![ptx_names[(symbol - 1).min(ptx_names.len() - 1)].as_bytes()],
            };
            let table = line_table(&files, random.below(40), random);
            relocations.extend(elf::relocation(bytes.len() as u64 + table.address, symbol as u64));
            bytes.extend(table.bytes);
        }
        sections.push(Section::new(name, PROGBITS, bytes));
        let table = sections.len() as u32;
        let symbols = table + 1 + if *name == ".debug_line" { 3 } else { 1 };
        let section = Section::new(&format!(".rela{name}"), RELA, relocations);
        sections.push(Section { link: symbols, info: table, ..section });
    }
    if random.one_in(8) && !sections.is_empty() {
        let number = 1 + random.below(sections.len());
        let shared = Some(1 + random.below(sections.len()));
        sections.push(Section { shared, ..sections[number - 1].clone() });
    }
    finish(sections, symbols, names, random)
}

/// Adds symbols, and makes a cubin for one of some devices.
fn finish(mut sections: Vec<Section>, symbols: Vec<u8>, names: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let symbol_section = sections.len() as u32 + 1;
    for section in sections.iter_mut().filter(|section| section.kind == RELA) {
        section.link = symbol_section;
    }
    sections.push(Section { link: symbol_section + 1, info: 1, ..Section::new(".symtab", SYMTAB, symbols) });
    sections.push(Section::new(".strtab", STRTAB, names));
    let (abi_version, flags) = if random.one_in(4) { (7, 0x0050_005a) } else { (8, 0x0600_5a04) };
    elf::file(DEVICE, abi_version, flags, &sections)
}

/// An entry of a fat binary: PTX or a cubin, perhaps packed.
fn entry(kind: u16, sm: u32, plain: &[u8], random: &mut Random) -> Vec<u8> {
    let (flags, mut data) = match random.below(3) {
        0 => (0u64, plain.to_vec()),
        1 => (0x2000, lz4_flex::block::compress(plain)),
        _ => {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            (0x8000, ruzstd::encoding::compress_to_vec(plain, level))
        }
    };
    let (used, unpacked) = if flags == 0 { (0, 0) } else { (data.len() as u32, plain.len() as u64) };
    data.resize(data.len().next_multiple_of(8), 0);
    let mut bytes = [kind, 0x101].map(u16::to_le_bytes).concat();
    bytes.extend(64u32.to_le_bytes());
    bytes.extend((data.len() as u64).to_le_bytes());
    bytes.extend([used, 0, 0, sm, 0, 0].map(u32::to_le_bytes).concat());
    bytes.extend([flags, 0, unpacked].map(u64::to_le_bytes).concat());
    bytes.extend(data);
    bytes
}

fn packed(entries: &[Vec<u8>]) -> Vec<u8> {
    let entries = entries.concat();
    let mut bytes = 0xba55_ed50_u32.to_le_bytes().to_vec();
    bytes.extend([1u16, 16].map(u16::to_le_bytes).concat());
    bytes.extend((entries.len() as u64).to_le_bytes());
    bytes.extend(entries);
    bytes
}

fn fat_binary(random: &mut Random) -> Vec<u8> {
    let entries: Vec<Vec<u8>> = (0..1 + random.below(3))
        .map(|_| {
            let sm = *random.pick(&[52, 80, 90, 90, 100]);
            match random.one_in(2) {
                true => {
                    let units: String = (0..1 + random.below(2)).map(|_| ptx::unit("k", random)).collect();
                    entry(1, sm, units.as_bytes(), random)
                }
                false => {
                    let cubin = cubin(random);
                    entry(2, sm, &cubin, random)
                }
            }
        })
        .collect();
    packed(&entries)
}

/// An executable with packages of images, as LLVM's linker makes it.
fn host_program(random: &mut Random) -> Vec<u8> {
    let mut packages = Vec::new();
    for _ in 0..1 + random.below(4) {
        let triple = random.word(&["nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa"]);
        let texts = ["triple", triple, "arch", random.word(&["sm_90", "sm_80", "gfx90a", "\u{1b}[31m"])];
        let bytes: Vec<u8> = texts.map(|text| format!("{text}\0")).concat().into();
        let mut at = 104;
        let starts = texts.map(|text| {
            at += text.len() as u64 + 1;
            at - text.len() as u64 - 1
        });
        let length = (104 + bytes.len() as u64).next_multiple_of(8);
        let end = packages.len() + length as usize;
        packages.extend([0xad10_ff10_u32, 1].map(u32::to_le_bytes).concat());
        packages.extend([length, 32, 40].map(u64::to_le_bytes).concat());
        packages.extend([1 + random.below(2) as u16, 1, 0, 0].map(u16::to_le_bytes).concat());
        packages.extend([72, 2, length, 0].map(u64::to_le_bytes).concat());
        packages.extend(starts.map(u64::to_le_bytes).concat());
        packages.extend(bytes);
        packages.resize(end, 0);
    }
    elf::file(HOST, 0, 0, &[Section::new(".llvm.offloading", PROGBITS, packages)])
}

/// An image that is small for what it asks for.
fn bomb(random: &mut Random) -> Vec<u8> {
    let text = |random: &mut Random| ptx::unit("k", random);
    let many = 1 << (4 + random.below(12));
    let names = b"\0k\0".to_vec();
    let symbols = [vec![0; 24], elf::symbol(1, 1)].concat();
    match random.below(7) {
        // Sections that share one text.
        0 => {
            let text = text(random) + "//" + &"x".repeat(1 << (8 + random.below(12)));
            let first = Section::new(random.word(&[".ptx", DEBUG_TEXT]), PROGBITS, text.into_bytes());
            let other = Section { shared: Some(1), contents: Vec::new(), ..first.clone() };
            let sections: Vec<Section> = [first].into_iter().chain(vec![other; many]).collect();
            finish(sections, symbols, names, random)
        }
        // Tables of relocations that share their bytes.
        1 => {
            let table = line_table(&[b"k.c"], 10, random);
            let relocations = elf::relocation(table.address, 1).repeat(1 << (4 + random.below(13)));
            let first = Section { info: 2, ..Section::new(".rela.debug_line", RELA, relocations) };
            let other = Section { shared: Some(3), contents: Vec::new(), ..first.clone() };
            let mut sections = vec![Section::new(".ptx", PROGBITS, text(random).into_bytes())];
            sections.extend([Section::new(".debug_line", PROGBITS, table.bytes), first]);
            sections.extend(vec![other; many]);
            finish(sections, symbols, names, random)
        }
        // Long line tables, and long lists of files.
        2 => {
            let names_of_files = vec![&b"x.c"[..]; 1 << random.below(14)];
            let bytes = line_table(&names_of_files, 1 << (10 + random.below(13)), random).bytes;
            let mut sections = vec![Section::new(DEBUG_TEXT, PROGBITS, kept(&text(random)))];
            sections.extend(
                [".debug_line", ".nv_debug_line_sass"]
                    .map(|name| Section::new(name, PROGBITS, bytes.clone())),
            );
            finish(sections, symbols, names, random)
        }
        // Symbols that share a long name.
        3 => {
            let names = [b"\0".to_vec(), vec![b'k'; 1 << (8 + random.below(12))], b"\0".to_vec()].concat();
            let symbols = [vec![0; 24], elf::symbol(1, 1).repeat(many)].concat();
            let sections = vec![Section::new(".ptx", PROGBITS, text(random).into_bytes())];
            finish(sections, symbols, names, random)
        }
        // Many units.
        4 => {
            let units: String = (0..many * 4).map(|unit| format!(".version 8.3\n//{unit}\n")).collect();
            packed(&[entry(1, 80, units.as_bytes(), random)])
        }
        // Data that unpack to much more.
        5 => {
            let text =
                text(random) + &random.word(&[" ", "//\n", "x", "\0"]).repeat(1 << (10 + random.below(17)));
            packed(&[entry(1, 80, text.as_bytes(), random)])
        }
        // Many entries, and none for the device.
        _ => packed(&vec![entry(3, 1, b"", random); many]),
    }
}

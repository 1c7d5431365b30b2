//! Tests with images that are made here, whole and damaged.

use super::write::{PROGBITS, RELA, STRTAB, SYMTAB, Section};
use super::{budget::Budget, contents::Contents, form::Form, read::read_within, *};
use crate::Status;

use ptx_emulator::LineTable;

const PTX: &str = ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n";

fn elf(machine: u16, abi_version: u8, flags: u32, sections: &[Section]) -> Vec<u8> {
    write::elf(write::EXECUTABLE, machine, abi_version, flags, sections)
}

fn section(name: &str, kind: u32, contents: Vec<u8>, link: u32) -> Section {
    Section { name: name.to_owned(), kind, flags: 0, contents, link }
}

/// A cubin for sm_90 with the kernels' symbols.
fn cubin(sections: &[(&str, &[u8])], kernels: &[&str]) -> Vec<u8> {
    let (mut names, mut symbols) = (vec![0], vec![0; 24]);
    for kernel in kernels {
        symbols.extend((names.len() as u32).to_le_bytes());
        // A global function that is a kernel, in a section of its own, the first of all.
        symbols.extend([0x12, 0x10, (symbols.len() / 24) as u8, 0]);
        symbols.extend([0; 16]);
        names.extend(kernel.bytes().chain([0]));
    }
    let number = |wanted: &str| {
        let at = sections.iter().position(|(name, _)| Some(*name) == wanted.strip_prefix(".rela"));
        at.map_or(0, |at| at as u32 + 1)
    };
    let kind = |name: &str| if name.starts_with(".rela") { RELA } else { PROGBITS };
    let given = sections.iter().map(|&(name, bytes)| section(name, kind(name), bytes.to_vec(), number(name)));
    let mut all: Vec<Section> = given.collect();
    all.push(section(".symtab", SYMTAB, symbols, all.len() as u32 + 2));
    all.push(section(".strtab", STRTAB, names, 0));
    elf(190, 8, 0x0600_5a04, &all)
}

/// PTX as ptxas keeps it: lines that end with a NUL.
fn debug_text(ptx: &str) -> Vec<u8> {
    ptx.replace('\n', "\0").into_bytes()
}

/// A line table of one file, for code from an address that is to be filled in: each line and its bytes of
/// code; and where in the table that address is.
fn line_table(file: &str, rows: &[(u8, u8)]) -> (Vec<u8>, u64) {
    let mut program = vec![0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut before = 1;
    for &(line, bytes) in rows {
        // Advance the line, a row, advance the address.
        program.extend([3, line.wrapping_sub(before) & 0x7f, 1, 2, bytes]);
        before = line;
    }
    program.extend([0, 1, 1]);
    // Instructions of one byte, statements, special opcodes from 10 on; no folders.
    let mut header = vec![1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0];
    header.extend(file.bytes().chain([0; 5]));
    let mut table = 3u16.to_le_bytes().to_vec();
    table.extend((header.len() as u32).to_le_bytes());
    table.extend(header);
    let address = 4 + table.len() as u64 + 3;
    table.extend(program);
    ([&(table.len() as u32).to_le_bytes()[..], &table].concat(), address)
}

const TEXT_OF_TWO: &str = ".version 8.3\n.target sm_90\n.address_size 64\n\
    .visible .entry k() {\n\nmov.u32 %r1, 0;\ntrap;\n\nret; }\n\n\
    .visible .entry l() {\n\nret; }\n";

/// A cubin of two kernels, the code of both at 0 of its section, with line tables.
fn cubin_with_lines() -> Vec<u8> {
    // Of the lines of PTX that have a position, one has no machine code.
    let ptx = [&[(6, 16), (9, 16)][..], &[(13, 16)]].map(|rows| line_table(".nv_debug_ptx_txt.1", rows));
    let source = [line_table("/k.c", &[(5, 16), (6, 16)]), line_table("/l.c", &[(9, 16)])];
    let relocations = |[(first, k), (_, l)]: &[(Vec<u8>, u64); 2]| {
        let one = |at: u64, symbol: u64| [at, symbol << 32 | 2, 0].map(u64::to_le_bytes).concat();
        [one(*k, 1), one(first.len() as u64 + l, 2)].concat()
    };
    let bytes = |[(first, _), (second, _)]: &[(Vec<u8>, u64); 2]| [&first[..], second].concat();
    let sections: [(&str, &[u8]); 7] = [
        (".text.k", &[0; 32]),
        (".text.l", &[0; 16]),
        (".nv_debug_ptx_txt.1", &debug_text(TEXT_OF_TWO)),
        (".debug_line", &bytes(&source)),
        (".rela.debug_line", &relocations(&source)),
        (".nv_debug_line_sass", &bytes(&ptx)),
        (".rela.nv_debug_line_sass", &relocations(&ptx)),
    ];
    cubin(&sections, &["k", "l"])
}

#[test]
fn two_line_tables_map_ptx_to_source_lines() {
    let image = read(&cubin_with_lines(), 90).unwrap();
    let files = ["/k.c", "/l.c"].map(String::from).to_vec();
    let lines = vec![(6, 0, 5), (7, 0, 5), (9, 0, 6), (13, 1, 9)];
    let [unit] = &image.units[..] else { panic!("{image:?}") };
    assert_eq!(unit.sources, LineTable::new(files, lines));
}

/// Reads an image that may take 1 MiB, in a time that only a reader without limits exceeds.
fn read_small(image: &[u8]) -> Result<Contents, Error> {
    let begin = std::time::Instant::now();
    let result = read_within(image, 90, &mut Budget::new(1 << 20));
    assert!(begin.elapsed().as_secs() < 20, "{:?} for {} bytes", begin.elapsed(), image.len());
    result
}

fn too_large(image: &[u8]) -> &'static str {
    match read_small(image) {
        Err(Error::TooLarge { what, limit: 0x10_0000 }) => what,
        other => panic!("{:?}", other.map(|contents| contents.units.len())),
    }
}

/// The headers of an image whose sections, relocations and names of symbols share their bytes.
fn with_shared_bytes(mut image: Vec<u8>, first: usize) -> Vec<u8> {
    let number = |image: &[u8], at: usize| u64::from_le_bytes(*image[at..].first_chunk().unwrap()) as usize;
    let (headers, last) = (number(&image, 40), usize::from(image[60]) | usize::from(image[61]) << 8);
    let shared: [u8; 16] = *image[headers + 64 * first + 24..].first_chunk().unwrap();
    for section in first..last - 3 {
        image[headers + 64 * section + 24..][..16].copy_from_slice(&shared);
    }
    image
}

#[test]
fn sections_that_share_a_text_are_paid_for_each() {
    let text = format!("{PTX}//{}", "x".repeat(40_000));
    let few = vec![(".ptx", text.as_bytes()); 2];
    assert_eq!(read_small(&cubin(&few, &[])).unwrap().units.len(), 1);
    let sections: Vec<(&str, &[u8])> =
        [(".ptx", text.as_bytes())].into_iter().chain(vec![(".ptx", &b""[..]); 3000]).collect();
    assert_eq!(too_large(&with_shared_bytes(cubin(&sections, &[]), 1)), "sections");
}

#[test]
fn relocations_that_many_sections_share_are_paid_for_each() {
    let relocations = [0u64, 1 << 32 | 2, 0].map(u64::to_le_bytes).concat().repeat(1000);
    let mut sections: Vec<(&str, &[u8])> = vec![(".debug_line", &[0; 64]), (".ptx", PTX.as_bytes())];
    sections.push((".rela.debug_line", &relocations));
    sections.extend(vec![(".rela.debug_line", &b""[..]); 3000]);
    assert_eq!(too_large(&with_shared_bytes(cubin(&sections, &["k"]), 3)), "relocations");
}

#[test]
fn symbols_that_share_a_long_name_are_paid_for_each() {
    let name = "k".repeat(20_000);
    let names = [&[&name[..]], &vec![""; 5000][..]].concat();
    let mut image = cubin(&[(".ptx", PTX.as_bytes())], &names);
    assert!(read_small(&image).is_ok());
    let table = image.windows(24).position(|symbol| symbol[4..6] == [0x12, 0x10]).unwrap();
    for symbol in 0..5001 {
        image[table + 24 * symbol..][..4].copy_from_slice(&1u32.to_le_bytes());
    }
    assert_eq!(too_large(&image), "symbols");
}

#[test]
fn rows_and_names_of_line_tables_are_paid_for() {
    let rows: Vec<(u8, u8)> = (0..50_000).map(|row| (1 + (row % 2) as u8, 1)).collect();
    let image =
        |table: &[u8]| cubin(&[(".nv_debug_ptx_txt", &debug_text(PTX)), (".debug_line", table)], &["k"]);
    assert!(read_small(&image(&line_table("/k.c", &rows[..1000]).0)).is_ok());
    assert_eq!(too_large(&image(&line_table("/k.c", &rows).0)), "line table");
    // A header that claims to be longer than a list of its files may be.
    let (mut table, _) = line_table("/k.c", &[]);
    table.extend(vec![0; 100_000]);
    let length = table.len() as u32 - 4;
    table[..4].copy_from_slice(&length.to_le_bytes());
    table[6..10].copy_from_slice(&(length - 6).to_le_bytes());
    assert_eq!(too_large(&image(&table)), "line table");
}

#[test]
fn many_units_are_told_apart_in_linear_time_up_to_a_number() {
    let units = |count: usize| -> Vec<u8> {
        (0..count).flat_map(|unit| format!(".version 8.3\n//{unit}\n").into_bytes()).collect()
    };
    let image = |count| fat_binary(&[entry(1, 80, &units(count), Packing::None)]);
    let begin = std::time::Instant::now();
    assert_eq!(read(&image(60_000), 90).unwrap().units.len(), 60_000);
    let error = read(&image(400_000), 90).unwrap_err();
    assert_eq!(error, Error::TooManyUnits { units: 400_000, limit: 65_536 });
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}

#[test]
fn packed_entries_are_paid_for_unpacked() {
    let text = PTX.to_owned() + &" ".repeat(900_000);
    for packing in [Packing::Lz4, Packing::Zstd] {
        assert!(read_small(&fat_binary(&[entry(1, 80, text.as_bytes(), packing)])).is_ok());
        let text = text.repeat(2);
        assert_eq!(too_large(&fat_binary(&[entry(1, 80, text.as_bytes(), packing)])), "compressed entry");
    }
    let message = Error::TooLarge { what: "PTX", limit: 1 << 20 }.to_string();
    assert!(message.contains("WARPFOLD_IMAGE_LIMIT"), "{message}");
}

#[test]
fn names_in_messages_are_escaped() {
    let message = Error::FunctionWithoutPtx { function: "f\x1b[31m\ng".to_owned() }.to_string();
    assert!(message.contains("`f\\u{1b}[31m g`"), "{message}");
}

/// How an entry of a fat binary is packed.
#[derive(Clone, Copy)]
enum Packing {
    None,
    Lz4,
    Zstd,
}

fn entry(kind: u16, sm: u32, plain: &[u8], packing: Packing) -> Vec<u8> {
    let (flags, mut data) = match packing {
        Packing::None => (0x11u64, plain.to_vec()),
        Packing::Lz4 => (0x2011, lz4_flex::block::compress(plain)),
        Packing::Zstd => {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            (0x8011, ruzstd::encoding::compress_to_vec(plain, level))
        }
    };
    let (used, unpacked) = match packing {
        Packing::None => (0, 0),
        _ => (data.len() as u32, plain.len() as u64),
    };
    data.resize(data.len().next_multiple_of(8), 0);
    let mut bytes = [kind.to_le_bytes(), 0x101u16.to_le_bytes()].concat();
    bytes.extend(64u32.to_le_bytes());
    bytes.extend((data.len() as u64).to_le_bytes());
    bytes.extend([used, 0, 0, sm, 0, 0].map(u32::to_le_bytes).concat());
    bytes.extend([flags, 0, unpacked].map(u64::to_le_bytes).concat());
    [bytes, data].concat()
}

fn fat_binary(entries: &[Vec<u8>]) -> Vec<u8> {
    let entries = entries.concat();
    let mut bytes = form::FATBIN.to_vec();
    bytes.extend([1u16, 16].map(u16::to_le_bytes).concat());
    bytes.extend((entries.len() as u64).to_le_bytes());
    [bytes, entries].concat()
}

fn texts(contents: Result<Contents, Error>) -> Vec<String> {
    contents.expect("the image holds PTX").units.into_iter().map(|unit| unit.text).collect()
}

fn units(image: &[u8]) -> Vec<String> {
    texts(read(image, 90))
}

#[test]
fn ptx_is_found_where_compilers_leave_it() {
    let other = PTX.replace("k()", "l()");
    let image = cubin(&[(".text.k", b"code"), (".nv_debug_ptx_txt", &debug_text(PTX))], &["k"]);
    assert_eq!(
        read(&image, 90),
        Ok(Contents {
            units: vec![PTX.trim_end().to_owned().into()],
            machine_code: vec![MachineCode { name: "k".to_owned(), registers: None }]
        })
    );
    // The registers of the first symbol after an attribute without a length, and of none after the damage.
    let attributes = [3, 0x50, 0xff, 0xff, 4, 0x2f, 8, 0, 1, 0, 0, 0, 40, 0, 0, 0, 4, 0x2f, 8, 0, 1];
    let image = cubin(&[(".nv.info", &attributes), (".nv_debug_ptx_txt", &debug_text(PTX))], &["k"]);
    let code = MachineCode { name: "k".to_owned(), registers: Some(40) };
    assert_eq!(read(&image, 90).map(|contents| contents.machine_code), Ok(vec![code]));
    // One section for each unit, and one section with two units, one of them twice.
    let image = cubin(
        &[(".nv_debug_ptx_txt.1", &debug_text(PTX)), (".nv_debug_ptx_txt.2", &debug_text(&other))],
        &[],
    );
    assert_eq!(units(&image), [PTX.trim_end(), other.trim_end()]);
    let together = [debug_text(PTX), debug_text(&other), debug_text(PTX)].concat();
    assert_eq!(units(&cubin(&[(".nv_debug_ptx_txt.1", &together)], &[])), [PTX.trim_end(), other.trim_end()]);
    // A section of another name, which beats the debugger's.
    let added = [b"// made by hand\n", other.as_bytes(), b"\0"].concat();
    let image = cubin(&[(".ptx", &added), (".nv_debug_ptx_txt", &debug_text(PTX))], &[]);
    assert_eq!(units(&image), [format!("// made by hand\n{}", other.trim_end())]);
}

#[test]
fn images_that_cannot_run_have_different_errors() {
    let status = |image: &[u8], sm| read(image, sm).unwrap_err().status();
    let with_ptx = &[section(".ptx", PROGBITS, PTX.as_bytes().to_vec(), 0)];
    assert_eq!(read(&cubin(&[(".text.k", b"code")], &["k"]), 90), Err(Error::NoPtx));
    assert_eq!(status(&elf(62, 0, 0, with_ptx), 90), Status::INVALID_IMAGE);
    assert_eq!(status(&elf(190, 8, 0x5a04, with_ptx), 80), Status::NO_BINARY_FOR_GPU);
    assert_eq!(status(&elf(190, 8, 0x5a04, with_ptx), 100), Status::NO_BINARY_FOR_GPU);
    assert_eq!(status(&fat_binary(&[]), 90), Status::NO_BINARY_FOR_GPU);
    // The same minor version or a later one, by either way to write the architecture.
    assert!(read(&elf(190, 8, 0x5604, with_ptx), 89).is_ok());
    assert!(read(&elf(190, 7, 0x0056_0556, with_ptx), 86).is_ok());
    assert!(read(&elf(190, 7, 0x0056_0556, with_ptx), 80).is_err());
}

#[test]
fn the_best_entry_of_a_fat_binary_is_taken() {
    let ptx = |sm: u32| PTX.trim_end().replace("sm_90", &format!("sm_{sm}"));
    let cubin = cubin(&[(".nv_debug_ptx_txt", &debug_text(&ptx(61)))], &["k"]);
    for packing in [Packing::None, Packing::Lz4, Packing::Zstd] {
        let text = |sm| entry(1, sm, ptx(sm).as_bytes(), packing);
        let image = fat_binary(&[text(70), entry(2, 90, &cubin, packing), text(80), text(100)]);
        assert_eq!(units(&image), [ptx(80)]);
        assert_eq!(texts(read(&image, 75)), [ptx(70)]);
        assert_eq!(units(&fat_binary(&[text(100), entry(2, 90, &cubin, packing)])), [ptx(61)]);
    }
}

#[test]
fn what_unpacks_to_another_size_is_damaged() {
    for packing in [Packing::Lz4, Packing::Zstd] {
        for size in [0u64, 1, PTX.len() as u64 - 1, PTX.len() as u64 + 1, 1 << 27, 1 << 40, u64::MAX] {
            let mut entry = entry(1, 90, PTX.as_bytes(), packing);
            entry[56..64].copy_from_slice(&size.to_le_bytes());
            assert_eq!(read(&fat_binary(&[entry]), 90).map_err(|e| e.status()), Err(Status::INVALID_IMAGE));
        }
    }
}

/// Images of every form.
fn samples() -> Vec<Vec<u8>> {
    let cubin = cubin(&[(".text.k", b"code"), (".nv_debug_ptx_txt", &debug_text(PTX))], &["k"]);
    let fat = |packing| fat_binary(&[entry(1, 80, PTX.as_bytes(), packing), entry(2, 90, &cubin, packing)]);
    vec![cubin.clone(), cubin_with_lines(), fat(Packing::None), fat(Packing::Lz4), fat(Packing::Zstd)]
}

/// Reads an image from a slice and from its address, which must agree where both end well and the headers do not say that
/// the image goes on behind the slice: what is there is another input, which differs from run to run.
fn read_both(image: &[u8]) -> bool {
    let direct = read(image, 90);
    // Room behind the image that is there but not the image's, so that a pointer has something to run into.
    let mut padded = image.to_vec();
    padded.resize(image.len() + 4096, 0);
    // SAFETY: an image followed by NUL is a C string at least; where headers lie, /proc is mounted in tests.
    let copied = unsafe { read_from_memory(padded.as_ptr()) };
    let is_inside = copied.as_ref().is_ok_and(|copied| copied.len() <= image.len());
    let through_memory = copied.and_then(|image| read(&image, 90));
    if let (Ok(direct), Ok(through_memory)) = (&direct, &through_memory)
        && is_inside
        && Form::of(image) != Form::Text
    {
        assert_eq!(direct, through_memory);
    }
    direct.is_ok()
}

#[test]
fn images_are_read_from_their_address_alone() {
    for image in samples() {
        // SAFETY: the images are whole.
        let copied = unsafe { read_from_memory(image.as_ptr()) };
        assert_eq!(copied.as_deref(), Ok(&*image));
    }
    let text = std::ffi::CString::new(PTX).unwrap();
    // SAFETY: this is a C string.
    let copied = unsafe { read_from_memory(text.as_ptr().cast()) };
    assert_eq!(copied.as_deref(), Ok(PTX.as_bytes()));
    for short in [c"", c"\x7f", c"\x7fEL"] {
        // SAFETY: as above.
        let copied = unsafe { read_from_memory(short.as_ptr().cast()) };
        assert_eq!(copied.as_deref(), Ok(short.to_bytes()));
    }
}

/// Damaged images end in an error or in PTX, never in a panic or a fault.
#[test]
fn damage_is_an_error() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    for image in samples() {
        assert!(read_both(&image));
        for end in 0..image.len() {
            read_both(&image[..end]);
        }
        let mut survived = 0;
        for _ in 0..2000 {
            let mut damaged = image.clone();
            for _ in 0..=below(3) {
                let at = below(damaged.len());
                match below(4) {
                    0 => damaged[at] = [0, 1, 0x7f, 0x80, 0xff][below(5)],
                    1 => damaged[at] ^= 1 << below(8),
                    // A number that lies by far: headers are full of them.
                    2 if at + 8 <= damaged.len() => damaged[at..at + 8].fill(0xff),
                    _ => drop(damaged.drain(at..(at + below(16)).min(image.len() - 64).max(at))),
                }
            }
            survived += u32::from(read_both(&damaged));
        }
        assert!((1..2000).contains(&survived), "the damage should be of every degree: {survived}");
    }
}

#[test]
fn images_that_are_written_can_be_read() {
    let other = PTX.replace("k()", "l()");
    let object = relocatable("a", PTX, 90).expect("it is PTX");
    assert_eq!(ptx(&object, 90), Ok(vec![PTX.trim_end().to_owned()]));
    assert!(relocatable("a", "not PTX", 90).is_err());
    let units = [("a".to_owned(), PTX.to_owned()), ("b".to_owned(), other.clone())];
    let image = executable(&units, 86).expect("it links");
    assert_eq!(ptx(&image, 86), Ok(vec![PTX.trim_end().to_owned(), other.trim_end().to_owned()]));
    assert!(matches!(ptx(&image, 90), Err(Error::OtherDevice { .. })));
    let lacks = PTX.replace("{ ret; }", "{ call f; ret; }").replace(".visible", ".extern .func f;\n.visible");
    let error = executable(&[("a".to_owned(), lacks)], 90).unwrap_err();
    assert_eq!(error.undefined.as_deref(), Some("f"));
}

/// A package as LLVM's linker makes it: header, entry, two properties and their texts.
fn package(triple: &str, architecture: &str, kind: u16) -> Vec<u8> {
    let texts: Vec<u8> =
        ["triple", triple, "arch", architecture].map(|text| format!("{text}\0")).concat().into();
    let start = |number: usize| {
        let ends = texts.iter().enumerate().filter(|(_, byte)| **byte == 0).map(|(at, _)| at + 1);
        104 + [0].into_iter().chain(ends).nth(number).unwrap_or_default() as u64
    };
    let length = (104 + texts.len() as u64).next_multiple_of(8);
    let mut bytes = [0xad10_ff10_u32, 1].map(u32::to_le_bytes).concat();
    bytes.extend([length, 32, 40].map(u64::to_le_bytes).concat());
    bytes.extend([kind, 1, 0, 0].map(u16::to_le_bytes).concat());
    bytes.extend([72, 2, length, 0].map(u64::to_le_bytes).concat());
    bytes.extend([start(0), start(1), start(2), start(3)].map(u64::to_le_bytes).concat());
    bytes.extend(texts);
    bytes.resize(length as usize, 0);
    bytes
}

#[test]
fn images_in_an_executable_are_listed() {
    let with = |packages: &[u8]| {
        let sections = [section(".llvm.offloading", PROGBITS, packages.to_vec(), 0)];
        elf(62, 0, 0, &sections)
    };
    let all = [
        package("nvptx64-nvidia-cuda", "sm_80", 1),
        package("amdgcn-amd-amdhsa", "gfx90a", 1),
        package("nvptx64-nvidia-cuda", "sm_90a", 2),
    ];
    let found = embedded(&with(&all.concat()));
    let image = |architecture: &str, bitcode| Embedded { architecture: architecture.to_owned(), bitcode };
    assert_eq!(found, [image("sm_80", false), image("sm_90a", true)]);
    assert!(found[0].runs_on(80) && found[0].runs_on(86) && !found[0].runs_on(90));
    assert!(found[1].runs_on(80) && !image("sm_90a", false).runs_on(80));
    assert!(embedded(b"#!/bin/sh").is_empty() && embedded(&elf(62, 0, 0, &[])).is_empty());
    // Damage of any kind leaves less to list.
    let all = all.concat();
    for at in 0..all.len() {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut damaged = all.clone();
            damaged[at] = byte;
            assert!(embedded(&with(&damaged)).len() <= 3);
        }
        embedded(&with(&all[..at]));
    }
}

//! Line tables in the form of DWARF.

use crate::random::Random;

/// A table of one unit, and where in it the address is that a relocation fills in.
pub struct LineTable {
    pub bytes: Vec<u8>,
    pub address: u64,
}

fn uleb(mut value: u64, out: &mut Vec<u8>) {
    loop {
        let byte = value as u8 & 0x7f;
        value >>= 7;
        out.push(if value == 0 { byte } else { byte | 0x80 });
        if value == 0 {
            return;
        }
    }
}

fn extended(code: u8, operand: &[u8], out: &mut Vec<u8>) {
    out.push(0);
    uleb(operand.len() as u64 + 1, out);
    out.push(code);
    out.extend(operand);
}

/// The lists of folders and files of a header.
fn names(version: u16, files: &[&[u8]], out: &mut Vec<u8>) {
    let folder = b"/nowhere/at all";
    if version < 5 {
        out.extend(folder);
        out.extend([0, 0]);
        for file in files {
            out.extend(*file);
            out.extend([0, 0, 0, 0]);
        }
        out.push(0);
        return;
    }
    // Each entry is a path as a string; that of a file has the number of its folder behind it.
    out.extend([1, 1, 8, 1]);
    out.extend(folder);
    out.extend([0, 2, 1, 8, 2, 0xf]);
    uleb(files.len() as u64, out);
    for file in files {
        out.extend(*file);
        out.extend([0, 0]);
    }
}

/// The instructions between the address and the end: some that are like a compiler's, and any others.
fn instruction(files: usize, wild: bool, random: &mut Random, out: &mut Vec<u8>) {
    match random.below(if wild { 16 } else { 6 }) {
        0..=2 => out.push(10 + random.below(240) as u8),
        3 => out.extend([3, random.below(12) as u8, 1]),
        4 => out.extend([2, random.below(64) as u8]),
        5 => out.extend([4, random.below(files + 1) as u8, 1]),
        6 => {
            out.push(4);
            uleb(random.next() >> random.below(64), out);
        }
        7 => {
            out.push(2);
            uleb(random.next() >> random.below(64), out);
        }
        8 => {
            out.push(3);
            uleb(random.next() >> random.below(64), out);
        }
        9 => extended(3, b"more.c\0\0\0\0", out),
        10 => extended(2, &(random.next() >> random.below(64)).to_le_bytes(), out),
        11 => extended(1, &[], out),
        12 => extended(random.below(256) as u8, &[0; 5][..random.below(6)], out),
        13 => out.extend([9, 1, 0]),
        14 => out.push(8),
        _ => out.extend([5, 1, 6]),
    }
}

/// A table of some files, with so many instructions.
pub fn line_table(files: &[&[u8]], instructions: usize, random: &mut Random) -> LineTable {
    let version = *random.pick(&[2, 3, 3, 4, 5]);
    let mut header = vec![1];
    if version >= 4 {
        header.push(1);
    }
    // Statements, special opcodes from 10 on, and how many operands the others have.
    header.extend([1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1]);
    names(version, files, &mut header);
    let mut unit = version.to_le_bytes().to_vec();
    if version >= 5 {
        unit.extend([8, 0]);
    }
    unit.extend((header.len() as u32).to_le_bytes());
    unit.extend(header);
    let address = 4 + unit.len() as u64 + 3;
    extended(2, &[0; 8], &mut unit);
    unit.push(1);
    let wild = random.one_in(4);
    for _ in 0..instructions {
        instruction(files.len(), wild, random, &mut unit);
    }
    extended(1, &[], &mut unit);
    LineTable { bytes: [&(unit.len() as u32).to_le_bytes()[..], &unit].concat(), address }
}

//! Fat binaries: PTX and cubins for several architectures, each perhaps compressed.
//!
//! A header (magic, u16 version, u16 own size, u64 size of what follows) and entries, each with a header of
//! its own. The fields that are read here were found by looking at what CUDA 13's `fatbinary` writes.

use bitflags::bitflags;
use std::{borrow::Cow, io::Read};

use super::{
    budget::Budget,
    contents::{Contents, Error},
    cubin, text,
};

/// Bytes of the header of a fat binary.
pub(super) const HEADER: usize = 16;

/// Bytes of an entry's header, at least.
const ENTRY: usize = 64;

/// Kinds of entries.
const PTX: u16 = 1;
const ELF: u16 = 2;

bitflags! {
    /// How an entry is compressed, among its other flags.
    #[derive(Clone, Copy, Debug)]
    struct EntryFlags: u64 {
        const LZ4 = 0x2000;
        const ZSTD = 0x8000;
    }
}

struct Entry<'a> {
    kind: u16,
    /// The compute capability, 90 for 9.0.
    sm: u32,
    flags: EntryFlags,
    /// Size of the data, uncompressed; 0 where they are not compressed.
    plain_bytes: u64,
    data: &'a [u8],
}

pub(super) fn read(image: &[u8], sm: u32, budget: &mut Budget) -> Result<Contents, Error> {
    let entries = entries(image, budget)?;
    // PTX runs on its architecture and every later one: the latest that runs is the best.
    let best_ptx =
        entries.iter().filter(|entry| entry.kind == PTX && entry.sm <= sm).max_by_key(|entry| entry.sm);
    if let Some(entry) = best_ptx {
        let units = text::units(&entry.plain(budget)?, budget)?.into_iter().map(Into::into).collect();
        return Ok(Contents { units, machine_code: Vec::new() });
    }
    let best_elf = entries
        .iter()
        .filter(|entry| entry.kind == ELF && cubin::runs_on(entry.sm, sm))
        .max_by_key(|entry| entry.sm);
    match best_elf {
        Some(entry) => cubin::read(&entry.plain(budget)?, sm, budget),
        None => {
            let name = |entry: &Entry<'_>| match entry.kind {
                PTX => format!("PTX for sm_{}", entry.sm),
                ELF => format!("machine code for sm_{}", entry.sm),
                other => format!("an entry of kind {other}"),
            };
            let found = listed(entries.iter().map(name), entries.len());
            Err(Error::OtherDevice { device: sm, found: format!("it holds {found}") })
        }
    }
}

/// A few of `all` names, and how many more there are.
fn listed(names: impl Iterator<Item = String>, all: usize) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = names.take(SHOWN).collect();
    match all {
        0 => "nothing".to_owned(),
        1..=SHOWN => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), more - SHOWN),
    }
}

fn entries<'a>(image: &'a [u8], budget: &mut Budget) -> Result<Vec<Entry<'a>>, Error> {
    let cut = || Error::Damaged("a fat binary ends before its header says so".into());
    let header = u64::from(u16_at(image, 6).ok_or_else(cut)?);
    let bytes = u64_at(image, 8).ok_or_else(cut)?;
    let mut rest = part(image, header, bytes).ok_or_else(cut)?;
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let entry = entry(rest);
        let (entry, length) =
            entry.ok_or_else(|| Error::Damaged("an entry of a fat binary is cut off".into()))?;
        budget.spend("entries", size_of::<Entry<'_>>())?;
        entries.push(entry);
        rest = &rest[length..];
    }
    Ok(entries)
}

/// The first entry, and how long it is with its header.
fn entry(bytes: &[u8]) -> Option<(Entry<'_>, usize)> {
    let header = u32_at(bytes, 4)?;
    if (header as usize) < ENTRY {
        return None;
    }
    let padded = u64_at(bytes, 8)?;
    let mut data = part(bytes, header.into(), padded)?;
    let length = header as usize + data.len();
    // The data of compressed entries are padded.
    let used = u32_at(bytes, 16)?;
    if used != 0 {
        data = data.get(..used as usize)?;
    }
    let entry = Entry {
        kind: u16_at(bytes, 0)?,
        sm: u32_at(bytes, 28)?,
        flags: EntryFlags::from_bits_truncate(u64_at(bytes, 40)?),
        plain_bytes: u64_at(bytes, 56)?,
        data,
    };
    Some((entry, length))
}

impl Entry<'_> {
    /// The data, uncompressed.
    fn plain(&self, budget: &mut Budget) -> Result<Cow<'_, [u8]>, Error> {
        if self.flags.is_empty() {
            return Ok(Cow::Borrowed(self.data));
        }
        let bytes = usize::try_from(self.plain_bytes).unwrap_or(usize::MAX);
        budget.spend("compressed entry", bytes)?;
        let plain = if self.flags.contains(EntryFlags::ZSTD) {
            zstd(self.data, bytes)
        } else {
            lz4(self.data, bytes)
        };
        plain
            .map(Cow::Owned)
            .map_err(|error| Error::Damaged(format!("an entry of a fat binary does not unpack: {error}")))
    }
}

fn zstd(data: &[u8], bytes: usize) -> Result<Vec<u8>, String> {
    let decoder = ruzstd::decoding::StreamingDecoder::new(data).map_err(|error| error.to_string())?;
    let mut plain = Vec::new();
    // Reading one byte more than announced detects longer data without using more memory.
    decoder.take(bytes as u64 + 1).read_to_end(&mut plain).map_err(|error| error.to_string())?;
    if plain.len() == bytes {
        Ok(plain)
    } else {
        Err(format!("it is not {bytes} bytes long, as its header says"))
    }
}

fn lz4(data: &[u8], bytes: usize) -> Result<Vec<u8>, String> {
    /// A byte of LZ4 stands for at most this many.
    const MOST: usize = 255;
    if bytes > data.len().saturating_mul(MOST) {
        return Err(format!("{} bytes cannot hold the {bytes} it announces", data.len()));
    }
    let plain = lz4_flex::block::decompress(data, bytes).map_err(|error| error.to_string())?;
    if plain.len() == bytes {
        Ok(plain)
    } else {
        Err(format!("it is not {bytes} bytes long, as its header says"))
    }
}

/// `bytes` bytes from `start` on.
fn part(image: &[u8], start: u64, bytes: u64) -> Option<&[u8]> {
    let end = start.checked_add(bytes)?;
    image.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes)
}

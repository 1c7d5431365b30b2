//! Images in the program's memory, of which only the address is known.

use std::{
    borrow::Cow,
    ffi::{CStr, c_char},
    fs::File,
    os::unix::fs::FileExt,
};

use object::{LittleEndian, elf, read::elf::FileHeader};

use super::{
    budget::Budget,
    contents::Error,
    fatbin,
    form::{self, Form},
};

/// The image that `start` points to. Its length follows from its own headers, or from the NUL behind a text.
///
/// # Safety
///
/// `start` points to an image that is whole and does not change during `'a`, or to a C string. Where `/proc`
/// is mounted, an image whose headers lead out of readable memory is an error nevertheless.
pub(crate) unsafe fn read_from_memory<'a>(start: *const u8) -> Result<Cow<'a, [u8]>, Error> {
    let (memory, budget) = (Memory::open(start), Budget::from_env()?);
    // SAFETY: the caller promises an image or a C string: both have a first byte, and a string that begins
    // like an image goes on after it.
    let magic = unsafe { magic(start) };
    match Form::of(magic.as_slice()) {
        Form::Text => {
            // SAFETY: what is not an image is a C string, by the caller's promise.
            Ok(Cow::Borrowed(unsafe { CStr::from_ptr(start.cast::<c_char>()) }.to_bytes()))
        }
        Form::Elf => Ok(Cow::Owned(elf(&memory, &budget)?)),
        Form::Fatbin => Ok(Cow::Owned(fat_binary(&memory, &budget)?)),
        Form::Wrapper => {
            /// The structure: u32 magic, u32 version, pointer to the fat binary.
            const POINTER: usize = 8;
            let wrapper = memory.bytes(0, POINTER + 8)?;
            let target = fatbin::u64_at(&wrapper, POINTER).unwrap_or(0) as *const u8;
            if target.is_null() {
                return Err(Error::Damaged("its pointer to a fat binary is null".into()));
            }
            Ok(Cow::Owned(fat_binary(&Memory::open(target), &budget)?))
        }
    }
}

/// The first bytes, up to four, stopping after a NUL: a shorter text need not have more.
///
/// # Safety
///
/// `start` points to an image or a C string.
unsafe fn magic(start: *const u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    for at in 0..4 {
        // SAFETY: no byte before was the NUL that ends a string.
        let byte = unsafe { start.add(at).read() };
        bytes.push(byte);
        if byte == 0 {
            break;
        }
    }
    bytes
}

/// An ELF file, as far as its headers and sections reach.
fn elf(memory: &Memory, budget: &Budget) -> Result<Vec<u8>, Error> {
    type Header = elf::FileHeader64<LittleEndian>;
    let damaged = || Error::Damaged("the headers of an ELF file contradict each other".into());
    let start = memory.bytes(0, size_of::<Header>())?;
    let header = Header::parse(start.as_slice()).map_err(|error| Error::Damaged(error.to_string()))?;
    let endian = LittleEndian;
    let table = |at: u64, count: u16, size: u16| at.checked_add(u64::from(count) * u64::from(size));
    let (sections_at, size) = (header.e_shoff.get(endian), header.e_shentsize.get(endian));
    let sections_end = table(sections_at, header.e_shnum.get(endian), size).ok_or_else(damaged)?;
    let segments_end =
        table(header.e_phoff.get(endian), header.e_phnum.get(endian), header.e_phentsize.get(endian));
    let mut end = sections_end.max(segments_end.ok_or_else(damaged)?).max(size_of::<Header>() as u64);
    // Section headers lie anywhere, also behind or before the sections.
    if usize::from(size) == size_of::<elf::SectionHeader64<LittleEndian>>() {
        let headers = memory.bytes(sections_at, (sections_end - sections_at) as usize)?;
        for header in headers.chunks_exact(size.into()) {
            const SH_TYPE: usize = 4;
            const SH_OFFSET: usize = 24;
            const SH_SIZE: usize = 32;
            let field = |at| fatbin::u64_at(header, at).unwrap_or(0);
            if field(SH_TYPE) as u32 != elf::SHT_NOBITS.0 {
                end = end.max(field(SH_OFFSET).checked_add(field(SH_SIZE)).ok_or_else(damaged)?);
            }
        }
    }
    memory.bytes(0, bounded(end, budget)?)
}

fn fat_binary(memory: &Memory, budget: &Budget) -> Result<Vec<u8>, Error> {
    let start = memory.bytes(0, fatbin::HEADER)?;
    if !start.starts_with(&form::FATBIN) {
        return Err(Error::Damaged("a pointer to a fat binary leads elsewhere".into()));
    }
    let header = u64::from(u16::from_le_bytes([start[6], start[7]]));
    let bytes = fatbin::u64_at(&start, 8).and_then(|bytes| bytes.checked_add(header));
    memory.bytes(0, bounded(bytes.unwrap_or(u64::MAX), budget)?)
}

fn bounded(bytes: u64, budget: &Budget) -> Result<usize, Error> {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    budget.check("length", bytes).map(|()| bytes)
}

/// Bytes that are copied at a time.
const PIECE: usize = 1 << 20;

/// The process's memory from an address on.
struct Memory {
    start: *const u8,
    /// The kernel's view, in which an address without memory is an error; not there without `/proc`.
    checked: Option<File>,
}

impl Memory {
    fn open(start: *const u8) -> Memory {
        Memory { start, checked: File::open("/proc/self/mem").ok() }
    }

    /// A copy of `bytes` bytes from `at` on.
    fn bytes(&self, at: u64, bytes: usize) -> Result<Vec<u8>, Error> {
        let outside = || Error::Damaged("its headers lead out of the program's memory".into());
        let address = (self.start as u64).checked_add(at).ok_or_else(outside)?;
        address.checked_add(bytes as u64).filter(|&end| end <= i64::MAX as u64).ok_or_else(outside)?;
        let mut copy = Vec::new();
        match &self.checked {
            // Piece by piece, so that a length that is wrong ends where the memory does.
            Some(file) => {
                while copy.len() < bytes {
                    let before = copy.len();
                    copy.resize(bytes.min(before + PIECE), 0);
                    let read = file.read_exact_at(&mut copy[before..], address + before as u64);
                    read.map_err(|_| outside())?;
                }
            }
            None => {
                copy.resize(bytes, 0);
                // SAFETY: the image is whole by the promise of `read_from_memory`, so what its headers say
                // of it is there; a fresh vector does not overlap it.
                unsafe { std::ptr::copy_nonoverlapping(address as *const u8, copy.as_mut_ptr(), bytes) }
            }
        }
        Ok(copy)
    }
}

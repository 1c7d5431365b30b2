//! Which memory of the host this process may access, so that an invalid address ends in an error.
//!
//! The answer holds until the process changes its mappings. Where the host does not tell, everything counts as
//! accessible.

use super::address_space::HOST_END;
use super::error::MemoryError;

/// What is to be done with a range of host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostAccess {
    /// To read it.
    Read,
    /// To write it.
    Write,
}

/// A range of addresses with the same permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub start: u64,
    pub end: u64,
    pub writable: bool,
}

/// The readable memory of this process at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostMappings(Option<Vec<Mapping>>);

/// Ranges up to this size are checked by the host's page tables, in 0.8 µs and 16 µs for this size; larger ones
/// by the list of mappings, in some 30 µs.
const BY_PAGES: u64 = 256 << 10;

/// Checks that this process can access a range of its own memory in this way.
///
/// # Errors
///
/// [`MemoryError::NotHostMemory`], [`MemoryError::NotMapped`] or [`MemoryError::ReadOnly`].
pub fn check_host(start: u64, bytes: u64, access: HostAccess) -> Result<(), MemoryError> {
    if bytes <= BY_PAGES && pages_are_accessible(start, bytes, access) {
        return Ok(());
    }
    HostMappings::read().check(start, bytes, access)
}

impl HostMappings {
    /// Asks the host.
    pub fn read() -> HostMappings {
        HostMappings(std::fs::read("/proc/self/maps").ok().map(|text| parse(&text)))
    }

    /// The mappings, sorted and merged; none where the host does not tell.
    pub(crate) fn list(&self) -> Option<&[Mapping]> {
        self.0.as_deref()
    }

    /// As [`check_host`], at that moment.
    ///
    /// # Errors
    ///
    /// Those of [`check_host`].
    pub fn check(&self, start: u64, bytes: u64, access: HostAccess) -> Result<(), MemoryError> {
        let end = start.checked_add(bytes).filter(|&end| end <= HOST_END);
        let end = end.ok_or(MemoryError::NotHostMemory { address: start, bytes })?;
        let Some(mappings) = &self.0 else { return Ok(()) };
        let mut at = start;
        for mapping in &mappings[mappings.partition_point(|mapping| mapping.end <= start)..] {
            if at >= end || mapping.start > at {
                break;
            }
            if access == HostAccess::Write && !mapping.writable {
                return Err(MemoryError::ReadOnly { address: at });
            }
            at = mapping.end;
        }
        if at < end { Err(MemoryError::NotMapped { address: at }) } else { Ok(()) }
    }
}

/// Reads `/proc/self/maps`. Lines that are not understood, and what cannot be read, are left out.
fn parse(text: &[u8]) -> Vec<Mapping> {
    let mut mappings: Vec<Mapping> = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let mut words = line.split(|&byte| byte == b' ').map(|word| std::str::from_utf8(word).unwrap_or(""));
        let (range, permissions) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let Some((start, end)) = range.split_once('-') else { continue };
        let [Ok(start), Ok(end)] = [start, end].map(|address| u64::from_str_radix(address, 16)) else {
            continue;
        };
        // Pages of the kernel's own, such as its clock, are readable in part only.
        if !permissions.starts_with('r') || line.windows(3).any(|word| word == b" [v") {
            continue;
        }
        let writable = permissions[1..].starts_with('w');
        match mappings.last_mut() {
            Some(last) if last.end == start && last.writable == writable => last.end = end,
            _ => mappings.push(Mapping { start, end, writable }),
        }
    }
    mappings
}

/// Whether the host's kernel can make all pages of a range accessible, and has done so; false also where it
/// does not know.
#[cfg(target_os = "linux")]
fn pages_are_accessible(start: u64, bytes: u64, access: HostAccess) -> bool {
    use rustix::mm::{Advice, madvise};

    const PAGE: u64 = 4096;
    let advice = match access {
        HostAccess::Read => Advice::LinuxPopulateRead,
        HostAccess::Write => Advice::LinuxPopulateWrite,
    };
    let first = start & !(PAGE - 1);
    let Some(length) = start.checked_add(bytes).map(|end| end.next_multiple_of(PAGE) - first) else {
        return false;
    };
    let first = std::ptr::without_provenance_mut(first as usize);
    // SAFETY: this advice changes neither contents nor permissions; a range that is not mapped is an error.
    unsafe { madvise(first, length as usize, advice) }.is_ok()
}

#[cfg(not(target_os = "linux"))]
fn pages_are_accessible(_start: u64, _bytes: u64, _access: HostAccess) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &[u8] = b"1000-2000 r--p 00000000 00:00 0\n\
        2000-3000 rw-p 00000000 00:00 0 [heap]\n3000-4000 rw-p 00000000 00:00 0 /a file\n\
        5000-6000 ---p 00000000 00:00 0\n6000-7000 r-xp 00000000 00:00 0\nnonsense\n7000-8000 r--p 00000000 00:00 0 [vvar]\n";

    #[test]
    fn a_range_is_checked_against_all_mappings_that_it_touches() {
        let mappings = HostMappings(Some(parse(MAPS)));
        let check = |start, bytes, access| mappings.check(start, bytes, access);
        assert_eq!(check(0x1000, 0x3000, HostAccess::Read), Ok(()));
        assert_eq!(check(0x2800, 0x1800, HostAccess::Write), Ok(()));
        let read_only = Err(MemoryError::ReadOnly { address: 0x1fff });
        assert_eq!(check(0x1fff, 2, HostAccess::Write), read_only);
        for (start, bytes, address) in [
            (0xfff, 2, 0xfff),
            (0x3fff, 2, 0x4000),
            (0x5000, 1, 0x5000),
            (0x7000, 1, 0x7000),
            (0x9000, 1, 0x9000),
        ] {
            let missing = Err(MemoryError::NotMapped { address });
            assert_eq!(check(start, bytes, HostAccess::Read), missing, "{start:#x}");
        }
        for (start, bytes) in [(u64::MAX, 2), (HOST_END - 1, 2), (1, u64::MAX)] {
            let beyond = Err(MemoryError::NotHostMemory { address: start, bytes });
            assert_eq!(check(start, bytes, HostAccess::Read), beyond);
        }
    }

    #[test]
    fn memory_of_this_process() {
        let mut variable = vec![0u8; 3 << 20];
        static CONSTANT: [u8; 64] = [7; 64];
        let constant = CONSTANT.as_ptr() as u64;
        for bytes in [1, 100, 1 << 20, 3 << 20] {
            assert_eq!(check_host(variable.as_mut_ptr() as u64, bytes, HostAccess::Write), Ok(()));
        }
        assert_eq!(check_host(constant, 64, HostAccess::Read), Ok(()));
        let read_only = Err(MemoryError::ReadOnly { address: constant });
        assert_eq!(check_host(constant, 64, HostAccess::Write), read_only);
        let missing = Err(MemoryError::NotMapped { address: 0x1000 });
        assert_eq!(check_host(0x1000, 64, HostAccess::Read), missing);
    }
}

//! How much memory the host has, and sizes as text.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The part of the host's memory that the emulated driver takes at most, unless a limit is set: 3/4.
const PARTS: (u64, u64) = (3, 4);

/// The most that is taken where the host does not tell how much there is.
const UNKNOWN: u64 = 4 << 30;

/// The host memory that the emulated driver may take unless a limit is set: a part of the physical memory, or
/// of what the process's control groups allow.
pub(crate) fn default_limit() -> u64 {
    let smallest = physical().into_iter().chain(control_groups()).min();
    smallest.map_or(UNKNOWN, |bytes| bytes / PARTS.1 * PARTS.0)
}

/// Bytes of physical memory.
fn physical() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Limits of the process's control groups and of those around them, of either version.
fn control_groups() -> Vec<u64> {
    let text = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut limits = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let group = PathBuf::from(format!("{root}{path}"));
        for folder in group.ancestors().take_while(|folder| folder.starts_with(Path::new(root))) {
            let limit = fs::read_to_string(folder.join(file)).unwrap_or_default();
            limits.extend(limit.trim().parse::<u64>());
        }
    }
    limits
}

/// Bytes as text: a number, or a number with `K`, `M`, `G` or `T` for powers of 1024.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    let (digits, shift) = match text.as_bytes().last()?.to_ascii_uppercase() {
        b'K' => (&text[..text.len() - 1], 10),
        b'M' => (&text[..text.len() - 1], 20),
        b'G' => (&text[..text.len() - 1], 30),
        b'T' => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift).filter(|&bytes| bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("1", Some(1)),
            ("512M", Some(512 << 20)),
            ("3g", Some(3 << 30)),
            ("2T", Some(2 << 40)),
            ("10k", Some(10 << 10)),
            ("0", None),
            ("", None),
            ("M", None),
            ("1.5G", None),
            ("-1", None),
            ("99999999999999T", None),
            ("4 G", None),
        ] {
            assert_eq!(parse_size(text), bytes, "{text}");
        }
    }

    #[test]
    fn the_default_is_less_than_the_host_has() {
        let physical = physical().expect("the host says how much it has");
        let limit = default_limit();
        assert!(limit > 0 && limit < physical, "{limit} of {physical}");
    }
}

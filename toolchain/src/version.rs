//! Versions of tools, parsed from the output of `--version`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A version number; missing numbers are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Version {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
    /// Third number.
    pub patch: u32,
}

impl Version {
    /// `major.minor.patch`.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }

    /// Parses the version at the start of `text`: `22.1.8-rust-1.97.0-nightly` is 22.1.8.
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim_start();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let mut numbers = text[..end].split('.');
        let major = numbers.next()?.parse().ok()?;
        let mut next = || match numbers.next() {
            None | Some("") => Some(0),
            Some(number) => number.parse().ok(),
        };
        Some(Version { major, minor: next()?, patch: next()? })
    }

    /// Parses the version after the first `marker` in `text`.
    pub fn after(text: &str, marker: &str) -> Option<Version> {
        let start = text.find(marker)? + marker.len();
        Version::parse(&text[start..])
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_tools_are_parsed() {
        let rustc = "rustc 1.96.0 (ac68faa20 2026-05-25)\nrelease: 1.96.0\nLLVM version: 22.1.8\n";
        assert_eq!(Version::after(rustc, "release: "), Some(Version::new(1, 96, 0)));
        assert_eq!(Version::after(rustc, "LLVM version: "), Some(Version::new(22, 1, 8)));
        assert_eq!(
            Version::after("Debian LLVM version 22.1.8\n", "LLVM version "),
            Some(Version::new(22, 1, 8))
        );
        let ptxas = "Cuda compilation tools, release 13.5, V13.5.37\nBuild x";
        assert_eq!(Version::after(ptxas, ", V"), Some(Version::new(13, 5, 37)));
        assert_eq!(Version::parse("1.97.0-nightly (abc)"), Some(Version::new(1, 97, 0)));
        assert_eq!(Version::parse("22.1"), Some(Version::new(22, 1, 0)));
        assert_eq!(Version::parse("LLVM"), None);
        assert_eq!(Version::parse("99999999999.1"), None);
    }

    #[test]
    fn orders_by_number_not_by_text() {
        assert!(Version::new(22, 1, 10) > Version::new(22, 1, 9));
        assert!(Version::new(100, 0, 0) > Version::new(22, 9, 9));
    }
}

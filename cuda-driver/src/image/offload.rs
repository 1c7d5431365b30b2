//! The device images that LLVM's linker put into an executable or a shared library.

use object::{
    LittleEndian, elf,
    read::elf::{FileHeader, SectionHeader},
};

use super::cubin::runs_on;

/// The section that holds them.
const SECTION: &str = ".llvm.offloading";

/// The first word of each package, and the only version.
const MAGIC: u32 = 0xad10_ff10;
const VERSION: u32 = 1;

/// The kind of images that are bitcode.
const BITCODE: u16 = 2;

/// Properties of an image that are read at most.
const MOST_PROPERTIES: u64 = 64;

/// Bytes of a property that are read at most; longer ones are empty.
const MOST_TEXT: usize = 64;

/// A device image in an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// The architecture that was passed to the compiler: `sm_90`.
    pub architecture: String,
    /// Whether it is bitcode, which the program compiles when it starts.
    pub bitcode: bool,
}

impl Embedded {
    /// Whether it runs on a device of compute capability `sm` (90 for 9.0).
    pub fn runs_on(&self, sm: u32) -> bool {
        let digits: String =
            self.architecture.trim_start_matches("sm_").chars().take_while(char::is_ascii_digit).collect();
        self.bitcode || digits.parse().is_ok_and(|built_for| runs_on(built_for, sm))
    }
}

/// The images for NVIDIA's devices in an executable. Of a damaged one, it lists what can be read.
pub fn embedded(executable: &[u8]) -> Vec<Embedded> {
    let mut found = Vec::new();
    let mut rest = section(executable).unwrap_or_default();
    // Packages follow one another, each with its length.
    while let Some((image, length)) = package(rest) {
        found.extend(image);
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

fn section(executable: &[u8]) -> Option<&[u8]> {
    let header = elf::FileHeader64::<LittleEndian>::parse(executable).ok()?;
    let sections = header.sections(LittleEndian, executable).ok()?;
    let (_, section) = sections.section_by_name(LittleEndian, SECTION.as_bytes())?;
    section.data(LittleEndian, executable).ok()
}

/// The image of the first package, if it is for one of NVIDIA's devices, and how long the package is.
fn package(bytes: &[u8]) -> Option<(Option<Embedded>, usize)> {
    let word = |at: u64| -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes)
    };
    let text = |at: u64| -> Option<String> {
        let text = bytes.get(usize::try_from(at).ok()?..)?;
        let length = text.iter().take(MOST_TEXT).position(|&byte| byte == 0).unwrap_or(0);
        Some(String::from_utf8_lossy(&text[..length]).into_owned())
    };
    if word(0)? != u64::from(VERSION) << 32 | u64::from(MAGIC) {
        return None;
    }
    let (length, entry) = (word(8)?, word(16)?);
    let kind = word(entry)? as u16;
    let (properties, count) = (word(entry.checked_add(8)?)?, word(entry.checked_add(16)?)?);
    let mut image = Embedded { architecture: String::new(), bitcode: kind == BITCODE };
    let mut ours = false;
    for number in 0..count.min(MOST_PROPERTIES) {
        let at = properties.checked_add(16 * number)?;
        let value = word(at.checked_add(8)?)?;
        match &*text(word(at)?)? {
            "triple" => ours = text(value)?.starts_with("nvptx"),
            "arch" => image.architecture = text(value)?,
            _ => {}
        }
    }
    // A length of 0 would never end.
    let length = usize::try_from(length).ok().filter(|&length| length > 0)?;
    Some((ours.then_some(image), length))
}

//! The form of an image, from its first bytes.

/// The first bytes of a fat binary, and of a structure that points to one.
pub(super) const FATBIN: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();
const WRAPPER: [u8; 4] = 0x4662_43b1_u32.to_le_bytes();

/// The form of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Elf,
    Fatbin,
    /// A structure that points to a fat binary, as compilers put it into executables.
    Wrapper,
    Text,
}

impl Form {
    /// The form of the image that begins with these bytes.
    pub(super) fn of(start: &[u8]) -> Form {
        match start.first_chunk() {
            Some(b"\x7fELF") => Form::Elf,
            Some(&FATBIN) => Form::Fatbin,
            Some(&WRAPPER) => Form::Wrapper,
            _ => Form::Text,
        }
    }
}

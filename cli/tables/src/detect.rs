//! Which format an input has: what its content says, then its name.
//!
//! Raw values are read only where the name or the user says so: any bytes can be raw values, a text as well.

use std::{path::Path, str::FromStr};

use crate::number;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text: one record per line, cells separated by commas or another character.
    Csv,
    /// Values one after the other, in this machine's byte order.
    Raw,
    /// A NumPy array.
    Npy,
    /// NumPy arrays in a zip archive.
    Npz,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 5] = [Format::Csv, Format::Raw, Format::Npy, Format::Npz, Format::Parquet];

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Raw => "raw",
            Format::Npy => "npy",
            Format::Npz => "npz",
            Format::Parquet => "parquet",
        }
    }

    /// What it is, as a line of help without a full stop.
    pub fn description(self) -> &'static str {
        match self {
            Format::Csv => "Text: one record per line, cells separated by commas or another character",
            Format::Raw => "Values one after the other, in this machine's byte order",
            Format::Npy => "A NumPy array",
            Format::Npz => "NumPy arrays in a zip archive",
            Format::Parquet => "Apache Parquet",
        }
    }
}

impl FromStr for Format {
    type Err = String;

    /// The format of a name; the error lists all names.
    fn from_str(text: &str) -> Result<Format, String> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            format!("unknown format '{text}'; known formats: {}", Format::ALL.map(Format::name).join(", "))
        })
    }
}

/// Numbers of a text that are looked at.
const LOOKED_AT: usize = 1000;

/// The format of an input that begins with `head` and has this name (without a suffix of compression).
///
/// # Errors
///
/// The end of a sentence that begins with the input's name: why the format is not clear, and what to do.
pub fn format(head: &[u8], name: &Path) -> Result<Format, String> {
    let suffix = name.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default().to_ascii_lowercase();
    let magic = match head {
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Some(Format::Npy),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Format::Npz),
        [b'P', b'A', b'R', b'1', ..] => Some(Format::Parquet),
        _ => None,
    };
    match (magic, suffix.as_str()) {
        (Some(format), _) => Ok(format),
        (None, "npy" | "npz" | "parquet") => Err(format!(
            "is not a {suffix} file, whatever its name says: --format says what it is (csv, raw)"
        )),
        (None, "raw" | "bin") if is_numbers_as_text(head) => Err(
            "is named like raw values, but looks like numbers as text: say --format csv for text, or --format raw"
                .into(),
        ),
        (None, "raw" | "bin") => Ok(Format::Raw),
        _ if head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]) => {
            Err("is UTF-16 text: convert it to UTF-8, for example by `iconv -f UTF-16 -t UTF-8`".into())
        }
        _ if is_text(head) => Ok(Format::Csv),
        _ => Err("is neither text nor a file of NumPy or Parquet: for raw values, say --format raw --type T".into()),
    }
}

/// Whether the bytes are text: no control characters but those of lines and tabs.
fn is_text(head: &[u8]) -> bool {
    !head.iter().any(|byte| matches!(byte, 0..0x20 | 0x7F) && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C))
}

/// Whether the bytes are numbers as text.
pub fn is_numbers_as_text(head: &[u8]) -> bool {
    if !is_text(head) {
        return false;
    }
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|');
    // The last one may be cut.
    let whole = head.iter().rposition(is_separator).unwrap_or(head.len());
    let mut words =
        head[..whole].split(is_separator).filter(|word| !word.is_empty()).take(LOOKED_AT).peekable();
    words.peek().is_some() && words.all(|word| number::Guess::default().see(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_comes_before_the_name() {
        let of = |head: &[u8], name: &str| format(head, Path::new(name));
        assert_eq!(of(b"1\n2\n", "-"), Ok(Format::Csv));
        assert_eq!(of(b"", "x"), Ok(Format::Csv));
        assert_eq!(of(b"a;b\n", "x.dat"), Ok(Format::Csv));
        assert_eq!(of(b"\x93NUMPY\x01\0", "x.csv"), Ok(Format::Npy));
        assert_eq!(of(b"PAR1\x15", "x"), Ok(Format::Parquet));
        assert_eq!(of(b"PK\x03\x04", "x"), Ok(Format::Npz));
        assert_eq!(of(&[0, 1, 2, 3], "x.BIN"), Ok(Format::Raw));
        assert!(of(b"12\n13\n", "x.raw").unwrap_err().contains("--format csv"));
        assert!(of(&[0, 1, 2, 3], "x").unwrap_err().contains("--format raw"));
        assert!(of(b"1\n", "x.npy").unwrap_err().contains("not a npy"));
        assert!(of(b"\xFF\xFE1\0", "x.csv").unwrap_err().contains("iconv"));
    }

    #[test]
    fn numbers_as_text_are_recognised() {
        for text in ["1\n2\n3", "1.5,2e3\r\n-4,nan\n", "12345678", " 7\t8\n"] {
            assert!(is_numbers_as_text(text.as_bytes()), "{text}");
        }
        for bytes in [&b""[..], b"\n", b"abc\n1\n", &[0x31, 0, 0, 0], &1.5_f64.to_ne_bytes()] {
            assert!(!is_numbers_as_text(bytes), "{bytes:?}");
        }
    }
}

//! Inputs that are compressed as a whole: gzip and zstd.

use std::{io, path::Path};

use flate2::read::MultiGzDecoder;

use super::source::Source;

/// A compression of a whole file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compression {
    Gzip,
    Zstd,
}

/// The largest window of a zstd frame, as a power of two: what is kept in memory. `zstd` itself has this limit.
const WINDOW_LOG: u32 = 27;

impl Compression {
    /// The compression whose magic number `head` starts with.
    pub fn of(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1F, 0x8B, 0x08, ..] => Some(Compression::Gzip),
            // A frame, or a frame to be skipped.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Compression::Zstd),
            _ => None,
        }
    }

    /// The compression that a name ends with.
    pub fn of_name(name: &Path) -> Option<Compression> {
        match name.extension()?.to_str()? {
            "gz" => Some(Compression::Gzip),
            "zst" | "zstd" => Some(Compression::Zstd),
            _ => None,
        }
    }

    /// The source of the unpacked bytes, which are produced as they are read. Its size is that of the packed
    /// bytes, for a progress bar; it is no file any more.
    pub fn unpack(self, mut source: Source) -> io::Result<Source> {
        let packed = std::mem::replace(&mut source.reader, Box::new(io::empty()));
        source.reader = match self {
            Compression::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::new(packed)?;
                decoder.window_log_max(WINDOW_LOG)?;
                Box::new(decoder)
            }
        };
        source.path = None;
        Ok(source)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::write::GzEncoder;

    use super::*;

    fn unpacked(packed: Vec<u8>) -> io::Result<String> {
        let compression = Compression::of(&packed).expect("a magic number");
        let mut text = String::new();
        compression.unpack(Source::of("x", io::Cursor::new(packed)))?.reader.read_to_string(&mut text)?;
        Ok(text)
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn streams_of_several_members_are_unpacked_whole() {
        assert_eq!(unpacked([gzip(b"1\n"), gzip(b"2\n")].concat()).unwrap(), "1\n2\n");
        let frame = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
        let skipped = [0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 7, 7];
        assert_eq!(unpacked([&frame(b"1\n")[..], &skipped, &frame(b"2\n")].concat()).unwrap(), "1\n2\n");
    }

    #[test]
    fn an_incomplete_file_is_an_error() {
        let text = "123456\n".repeat(1000);
        for packed in [gzip(text.as_bytes()), zstd::encode_all(text.as_bytes(), 1).unwrap()] {
            assert!(unpacked(packed[..packed.len() / 2].to_vec()).is_err());
        }
    }
}

//! Inputs that are compressed as a whole: gzip and zstd; with the feature `archives`, bzip2 and xz, too.

use std::{io, path::Path};

use flate2::read::MultiGzDecoder;

use crate::source::Source;

/// A compression of a whole file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compression {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

/// The largest window of a zstd frame, as a power of two: what is kept in memory. `zstd` itself has this limit.
const WINDOW_LOG: u32 = 27;

/// The most memory for an xz stream, in KiB: `xz -9` makes streams that need 64 MiB.
#[cfg(feature = "archives")]
const XZ_LIMIT_KIB: u32 = 1 << 17;

impl Compression {
    /// The compression whose magic number `head` starts with.
    pub fn of(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1F, 0x8B, 0x08, ..] => Some(Compression::Gzip),
            // A frame, or a frame to be skipped.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Compression::Zstd),
            // A block, or the end of an empty stream: text may begin with the first four bytes.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Some(Compression::Bzip2)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            _ => None,
        }
    }

    /// The compression that a name ends with.
    pub fn of_name(name: &Path) -> Option<Compression> {
        match name.extension()?.to_str()? {
            "gz" => Some(Compression::Gzip),
            "zst" | "zstd" => Some(Compression::Zstd),
            "bz2" => Some(Compression::Bzip2),
            "xz" => Some(Compression::Xz),
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
            #[cfg(feature = "archives")]
            Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(packed)),
            #[cfg(feature = "archives")]
            Compression::Xz => {
                // It reads single bytes.
                let packed = io::BufReader::new(packed);
                Box::new(Xz(lzma_rust2::XzReader::new_mem_limit(packed, true, XZ_LIMIT_KIB)))
            }
            #[cfg(not(feature = "archives"))]
            Compression::Bzip2 | Compression::Xz => {
                return Err(io::Error::other(
                    "it is packed by bzip2 or xz, and this program was built without the feature `archives`: unpack it \
                     first, or build with `--features archives`",
                ));
            }
        };
        source.path = None;
        Ok(source)
    }
}

/// An xz stream whose errors say what a person can do.
#[cfg(feature = "archives")]
struct Xz<R: io::Read>(lzma_rust2::XzReader<R>);

#[cfg(feature = "archives")]
impl<R: io::Read> io::Read for Xz<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => io::Error::other(format!(
                "its xz stream needs more than {} MiB of memory: pack it with `xz -9` or less",
                XZ_LIMIT_KIB >> 10
            )),
            _ => error,
        })
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
        #[cfg(feature = "archives")]
        for pack in [bzip2, xz] {
            assert_eq!(unpacked([pack(b"1\n"), pack(b""), pack(b"2\n")].concat()).unwrap(), "1\n2\n");
            assert_eq!(unpacked(pack(b"")).unwrap(), "");
        }
        let frame = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
        let skipped = [0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 7, 7];
        assert_eq!(unpacked([&frame(b"1\n")[..], &skipped, &frame(b"2\n")].concat()).unwrap(), "1\n2\n");
    }

    #[cfg(feature = "archives")]
    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[cfg(feature = "archives")]
    fn xz(text: &[u8]) -> Vec<u8> {
        let options = lzma_rust2::XzOptions::with_preset(1);
        let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[cfg(not(feature = "archives"))]
    #[test]
    fn what_cannot_be_unpacked_names_the_feature() {
        for packed in [&b"BZh91AY&SY"[..], b"\xFD7zXZ\0"] {
            let error = unpacked(packed.to_vec()).unwrap_err();
            assert!(error.to_string().contains("--features archives"), "{error}");
        }
    }

    #[test]
    fn text_that_begins_like_a_packed_file_is_none() {
        assert_eq!(Compression::of(b"BZh91,2\n3,4\n"), None);
    }

    /// The header of a block says how much memory it needs.
    #[cfg(feature = "archives")]
    #[test]
    fn an_xz_stream_that_needs_too_much_memory_is_an_error() {
        let mut options = lzma_rust2::XzOptions::with_preset(1);
        options.lzma_options.dict_size = 1 << 28;
        let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
        encoder.write_all(b"1\n").unwrap();
        let error = unpacked(encoder.finish().unwrap()).unwrap_err();
        assert!(error.to_string().contains("more than 128 MiB of memory"), "{error}");
    }

    #[test]
    fn an_incomplete_file_is_an_error() {
        let text = "123456\n".repeat(1000);
        #[cfg_attr(not(feature = "archives"), expect(unused_mut, reason = "the feature adds files"))]
        let mut all = vec![gzip(text.as_bytes()), zstd::encode_all(text.as_bytes(), 1).unwrap()];
        #[cfg(feature = "archives")]
        all.extend([bzip2(text.as_bytes()), xz(text.as_bytes())]);
        for packed in all {
            assert!(unpacked(packed[..packed.len() / 2].to_vec()).is_err());
        }
    }
}

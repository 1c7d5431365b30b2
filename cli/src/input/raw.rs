//! Raw input: values one after the other, in this machine's byte order.

use std::io::{ErrorKind, Read};

use codegen_shim::Scalar;

use super::source::{InputError, Source, Values};

/// Reads raw values.
pub struct RawReader {
    source: Source,
    ty: Scalar,
    consumed: u64,
}

impl RawReader {
    /// Reads values of type `ty` from `source`. A file whose size is not a multiple of the type's is an
    /// error.
    pub fn new(source: Source, ty: Scalar) -> Result<RawReader, InputError> {
        let reader = RawReader { source, ty, consumed: 0 };
        match reader.source.size {
            Some(bytes) if bytes % u64::from(ty.size()) != 0 => Err(reader.ragged(bytes)),
            _ => Ok(reader),
        }
    }

    fn ragged(&self, bytes: u64) -> InputError {
        let size = u64::from(self.ty.size());
        InputError::Ragged { name: self.source.name.clone(), bytes, size, ty: self.ty }
    }
}

impl Values for RawReader {
    fn fill(&mut self, piece: &mut [u8]) -> Result<usize, InputError> {
        let mut filled = 0;
        while filled < piece.len() {
            match self.source.reader.read(&mut piece[filled..]) {
                Ok(0) => break,
                Ok(bytes) => filled += bytes,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(InputError::Read { name: self.source.name.clone(), source }),
            }
        }
        self.consumed += filled as u64;
        // A pipe's size is known only at its end: an incomplete value there is an error, and not ignored.
        if filled % self.ty.size() as usize != 0 {
            return Err(self.ragged(self.consumed));
        }
        Ok(filled)
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(bytes: &'static [u8], size: Option<u64>) -> Source {
        Source { name: "x".into(), size, reader: Box::new(bytes) }
    }

    #[test]
    fn pieces_are_whole_values() {
        let mut reader = RawReader::new(source(&[1; 20], None), Scalar::I32).unwrap();
        let mut piece = [0; 16];
        assert_eq!(reader.fill(&mut piece).unwrap(), 16);
        assert_eq!(reader.fill(&mut piece).unwrap(), 4);
        assert_eq!(reader.fill(&mut piece).unwrap(), 0);
        assert_eq!(reader.consumed(), 20);
    }

    #[test]
    fn an_incomplete_value_is_an_error_in_files_and_pipes() {
        assert!(matches!(
            RawReader::new(source(&[1; 7], Some(7)), Scalar::I32),
            Err(InputError::Ragged { .. })
        ));
        let mut pipe = RawReader::new(source(&[1; 7], None), Scalar::I32).unwrap();
        let error = pipe.fill(&mut [0; 16]).unwrap_err().to_string();
        assert!(error.contains("7 bytes"), "{error}");
    }
}

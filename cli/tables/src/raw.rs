//! Raw input: values one after the other, in this machine's byte order.

use std::sync::atomic::Ordering;

use crate::{
    error::InputError,
    kind::{Meaning, ValueKind},
    number,
    source::{Source, fill},
    table::{Batch, Column, Request, Table, Values},
};

/// Bytes of a batch, rounded down to whole values.
const BATCH_BYTES: usize = 1 << 20;

/// The values of a raw file: one column.
pub struct RawTable {
    source: Source,
    /// One for each request: the same.
    kinds: Vec<ValueKind>,
    skip_missing: bool,
    /// Bytes of values in all, if that is known.
    values_bytes: Option<u64>,
    /// Bytes of values so far.
    read: u64,
}

impl RawTable {
    /// Reads raw values. `is_packed` says that the source's size is not that of the values.
    ///
    /// # Errors
    ///
    /// No type, a column, or a file whose size is not a multiple of the type's.
    pub fn open(source: Source, request: &Request, is_packed: bool) -> Result<RawTable, InputError> {
        let wrong = |problem: &str| InputError::Format { name: source.name.clone(), problem: problem.into() };
        let kind = request
            .kind
            .ok_or_else(|| wrong("has raw values, which do not tell their type: add --type T"))?;
        if kind.meaning != Meaning::Number {
            return Err(wrong("has raw values, whose truth values are bytes: say --type u8 --result u64"));
        }
        if request.columns.iter().flatten().any(|column| *column != Column::Index(1)) {
            return Err(wrong("has raw values, which have no columns: leave out --column and COLUMN:"));
        }
        let size = source.size.filter(|_| !is_packed);
        let kinds = vec![kind; request.columns.len()];
        let table =
            RawTable { source, kinds, skip_missing: request.skip_missing, values_bytes: size, read: 0 };
        match size {
            Some(bytes) if bytes % u64::from(kind.ty.size()) != 0 => Err(table.ragged(bytes)),
            _ => Ok(table),
        }
    }

    fn ragged(&self, bytes: u64) -> InputError {
        let ty = self.kinds[0].ty;
        InputError::Ragged { name: self.source.name.clone(), bytes, size: u64::from(ty.size()), ty }
    }
}

impl Table for RawTable {
    fn kinds(&self) -> &[ValueKind] {
        &self.kinds
    }

    fn next(&mut self) -> Result<Option<Batch>, InputError> {
        let (ty, size) = (self.kinds[0].ty, self.kinds[0].ty.size() as usize);
        let mut bytes = vec![0; BATCH_BYTES / size * size];
        let filled = fill(&mut self.source.reader, &mut bytes).map_err(|e| self.source.failed(e))?;
        bytes.truncate(filled);
        self.read += filled as u64;
        // A pipe's size is known only at its end: an incomplete value there is an error, and not ignored.
        if !filled.is_multiple_of(size) {
            return Err(self.ragged(self.read));
        }
        if filled == 0 {
            return Ok(None);
        }
        let missing = if self.skip_missing { number::remove_nans(ty, &mut bytes) } else { 0 };
        Ok(Some(vec![Values { bytes, missing }; self.kinds.len()]))
    }

    fn count(&self) -> Option<Vec<u64>> {
        let size = self.values_bytes?;
        Some(vec![size / u64::from(self.kinds[0].ty.size()); self.kinds.len()])
    }

    fn consumed(&self) -> u64 {
        self.source.consumed.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use codegen_shim::Type;

    use super::*;

    fn open(bytes: Vec<u8>, size: Option<u64>) -> Result<RawTable, InputError> {
        let source = Source { size, ..Source::of("x", Cursor::new(bytes)) };
        let request = Request {
            columns: vec![None],
            format: None,
            kind: Some(ValueKind::number(Type::I32)),
            header: false,
            delimiter: None,
            skip_missing: false,
            warn: |_| {},
        };
        RawTable::open(source, &request, false)
    }

    #[test]
    fn batches_are_whole_values() {
        let mut table = open(vec![1; BATCH_BYTES + 20], None).unwrap();
        let mut length = || table.next().unwrap().map(|batch| batch[0].bytes.len());
        assert_eq!([length(), length(), length()], [Some(BATCH_BYTES), Some(20), None]);
        assert_eq!(table.consumed(), BATCH_BYTES as u64 + 20);
    }

    #[test]
    fn an_incomplete_value_is_an_error_in_files_and_pipes() {
        assert!(matches!(open(vec![1; 7], Some(7)), Err(InputError::Ragged { .. })));
        let error = open(vec![1; 7], None).unwrap().next().unwrap_err().to_string();
        assert!(error.contains("7 bytes"), "{error}");
    }
}

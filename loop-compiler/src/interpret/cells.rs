//! Arrays of cells.

use super::value::{self, Value};
use crate::ir::Position;
use crate::ir::located::Located;
use crate::ir::types::Scalar;

/// An array, or the same member of all elements of an array of structures.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// The type of a cell.
    pub scalar: Scalar,
    /// One for each subscript; none of a scalar.
    pub extents: Vec<u64>,
    /// The cells in row-major order, each in little-endian order.
    pub bytes: Vec<u8>,
}

impl Cells {
    /// Cells of zeros, whose bytes are subtracted from `left`.
    pub(super) fn zeros(scalar: Scalar, extents: Vec<u64>, left: &mut u64) -> Result<Cells, Located> {
        let bytes = extents.iter().try_fold(scalar.size() as u64, |bytes, extent| bytes.checked_mul(*extent));
        let Some(bytes) = bytes.filter(|bytes| bytes <= left) else {
            let what = format!("an array of the extents {extents:?} exceeds the memory's limit");
            return Err(Located::new(
                Position::default(),
                what,
                "give smaller sizes or a greater `Options::memory`",
            ));
        };
        *left -= bytes;
        Ok(Cells { scalar, extents, bytes: vec![0; bytes as usize] })
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.scalar.size()
    }

    /// Whether an extent is 0.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The value of a cell, by its number in row-major order, which is less than [`Cells::len`].
    pub fn value(&self, index: usize) -> Value {
        let size = self.scalar.size();
        value::load(&self.bytes[index * size..][..size], self.scalar)
    }

    pub(super) fn store(&mut self, index: usize, value: Value) {
        let size = self.scalar.size();
        value::store(value, self.scalar, &mut self.bytes[index * size..][..size]);
    }
}

/// The subscripts of a cell from its number in row-major order.
pub fn subscripts(mut index: u64, extents: &[u64]) -> Vec<i64> {
    let mut subscripts = vec![0; extents.len()];
    for (subscript, extent) in subscripts.iter_mut().zip(extents).rev() {
        let extent = (*extent).max(1);
        *subscript = (index % extent) as i64;
        index /= extent;
    }
    subscripts
}

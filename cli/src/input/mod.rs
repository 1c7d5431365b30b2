//! Input of numbers: a raw file or one column of a CSV file, read in pieces of bounded size.

mod csv;
mod raw;
mod source;

pub use csv::{Column, CsvReader};
pub use raw::RawReader;
pub use source::{InputError, Source, Values};

//! Tables of numbers in files: text, raw values, NumPy and Parquet. Their columns are read in batches of bounded size.
//!
//! [`open()`] takes several files as one sequence (`files.rs`), [`Share`] the part of it that one of several processes reads
//! (`division.rs`). Of each file, `open.rs` finds the format (`detect.rs`), unpacks a compressed file (`compressed.rs`) and
//! makes the reader of the format, one file each.

mod compressed;
mod csv;
mod detect;
mod division;
mod error;
mod files;
mod kind;
mod npy;
mod number;
mod open;
#[cfg(feature = "parquet")]
mod parquet;
mod raw;
mod source;
mod table;

pub use self::{
    detect::Format,
    division::Share,
    error::InputError,
    files::{expand, names, open},
    kind::{Meaning, Unit, ValueKind},
    open::Opened,
    table::{Batch, Column, Request, Table, Values},
};

//! Input of numbers: tables whose columns are read in batches of bounded size.
//!
//! [`open()`] takes several files as one sequence (`files.rs`), [`Share`] a part of it (`division.rs`). Of each, `open.rs` finds the format (`detect.rs`), unpacks a
//! compressed file (`compressed.rs`) and makes the reader of the format, one file each.

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
    kind::{Meaning, ValueKind},
    open::Opened,
    table::{Batch, Column, Request, Table},
};

//! Reductions that are generated from a specification: a list of variables with operators, by name. Those whose
//! operators are Rust types are in `typed`.

mod columns;
mod feed;
mod partial;
mod reduction;

pub use columns::ColumnReduction;
pub use feed::Feed;
pub use partial::PartialRecord;
pub use reduction::{Finalize, GeneratedReduction, Options, Run};

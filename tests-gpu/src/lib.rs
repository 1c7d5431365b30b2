//! Whole programs, with the same test body on every device there is.

pub mod golden;

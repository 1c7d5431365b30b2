//! Example programs: each file in `src/bin` is a complete program.
//!
//! `cargo run -p examples --bin foo_bar`

//! What a reader would copy: each program in `src/bin` stands for itself.
//!
//! `cargo run -p examples --bin foo_bar`

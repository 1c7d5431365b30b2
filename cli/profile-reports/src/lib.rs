//! Reports on profiles: what would limit the kernels of a program on a GPU, and where, from the emulator's exact counts.

mod html;
mod json;
mod machine_code;
mod report;
mod text;

pub use self::report::Report;

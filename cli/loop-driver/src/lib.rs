//! The driver of the loop compiler: files are read through clang, their regions are analysed, made cheaper and parallel, and
//! what is made of them is compared with the original.

mod analysed;
mod check;
mod driver;
mod dump;
mod error;
mod passes;
mod strictness;
mod verify;

pub use self::{
    analysed::Analysed,
    check::check_equality,
    driver::Driver,
    dump::Step,
    error::Error,
    passes::{Passed, Passes, list as list_passes},
    strictness::check_strictness,
    verify::{Verdicts, Verified, sarif_log},
};

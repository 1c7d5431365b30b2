//! Random programs, compiled for the host and for the device, that must agree.
//!
//! A program is a few functions of LLVM IR without undefined behaviour (`ast`, `generate`), run by 64
//! threads with different inputs. It has phases, plain functions that host and device share; between two phases
//! the threads of the device exchange values (shuffles, votes, shared memory, atomics), which the host's driver
//! `host.c` does by its definition. Host and device compile it at -O0 and -O2, and all outputs must be the same
//! bits (`differ`). A program that differs is made smaller (`reduce`) and written to a folder.

mod ast;
mod differ;
mod generate;
mod print;
mod reduce;

pub use differ::{Difference, Levels, Options, Refusal, Summary, Target, run};

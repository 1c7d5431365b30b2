//! Random programs in LLVM IR that are compiled for the host and for the device and must give the same bits.
//!
//! A program is a few functions without undefined behaviour (`ast`, `generate`, `print`), run by 64 threads with
//! different inputs. It has phases, which are plain functions, the same on host and device. Between two phases the
//! device's threads exchange values (shuffles, votes, shared memory, atomics); the host's driver `host.c` computes the
//! same by definition. Host and device compile it at -O0 and -O2, and all outputs must be the same
//! bits (`differ`). A program that differs is made smaller (`reduce`) and written to a folder.

mod ast;
mod differ;
mod generate;
mod print;
mod recorded;
mod reduce;
mod replay;

pub use differ::{Difference, Levels, Options, Rejection, Summary, Target, run};
pub use replay::replay;

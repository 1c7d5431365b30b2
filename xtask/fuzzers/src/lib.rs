//! Fuzzers: hostile input for the emulator, its driver and the loop compiler.
//!
//! An input depends on a seed and a number only, so every run can be repeated. Child processes try the inputs
//! one by one and write the number of the current one to a file. The parent process watches the files: when a
//! child hangs or crashes, it keeps the input and starts another child after it.
//!
//! A target is a `Target` in the list of `campaign`. Each file uses only files above it in this list:
//!
//! | file | what is in it |
//! |---|---|
//! | `random`, `memory` | random numbers; an allocator that counts |
//! | `target` | what a target is |
//! | `driver_calls/` | the target *driver-calls*: calls of the emulated driver |
//! | `ptx/` | the target *ptx*: texts that are loaded and launched |
//! | `images/` | the target *images*: device images that the driver loads |
//! | `loops` | the target *loops*: files of loops |
//! | `c/` | the target *c*: files of C and clang's syntax trees |
//! | `campaign` | which inputs are tried, and the list of targets |
//! | `trial` | tries an input |
//! | `progress` | how far a child process is |
//! | `child` | a child process |
//! | `supervise` | the parent process |

mod c;
mod campaign;
mod child;
mod driver_calls;
mod images;
mod loops;
mod memory;
mod progress;
mod ptx;
mod random;
mod supervise;
mod target;
mod trial;

use std::path::{Path, PathBuf};
use std::process::Command;

pub use campaign::{Campaign, TARGET_NAMES};
pub use memory::CountingAllocator;

/// Tries all inputs in child processes, and prints a summary. `child` makes the command of a process with a number, which
/// calls [`run_child`] with the same number and file.
///
/// # Errors
///
/// Inputs that fail, and what cannot be read, written or started.
pub fn run(campaign: &Campaign, child: &dyn Fn(u64, &Path) -> Result<Command, String>) -> Result<(), String> {
    make_folder(campaign)?;
    supervise::run(campaign, child)
}

/// Tries the inputs of the child process with this number, and writes to a file how far it is.
///
/// # Errors
///
/// What cannot be read or written.
pub fn run_child(campaign: &Campaign, number: u64, progress: &Path) -> Result<(), String> {
    make_folder(campaign)?;
    child::run(campaign, number, progress)
}

/// Tries files instead of generated inputs, and prints what each did.
///
/// # Errors
///
/// The first that fails.
pub fn try_files(campaign: &Campaign, files: &[PathBuf]) -> Result<(), String> {
    let fuzzer = campaign.open()?;
    for path in files {
        let input = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        match trial::run(&*fuzzer, &input, campaign.seed) {
            Ok(outcome) => println!("{}: {outcome:?}", path.display()),
            Err(problem) => return Err(format!("{}: {problem}", path.display())),
        }
    }
    Ok(())
}

fn make_folder(campaign: &Campaign) -> Result<(), String> {
    std::fs::create_dir_all(&campaign.crashes).map_err(|e| format!("{}: {e}", campaign.crashes.display()))
}

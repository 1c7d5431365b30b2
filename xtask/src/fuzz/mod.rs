//! `cargo xtask fuzz`: hostile input.
//!
//! An input depends on a seed and a number only, so every run can be repeated. Child processes try the inputs
//! one by one and write the number of the current one to a file. This process watches the files: when a
//! child hangs or crashes, it keeps the input and starts another child after it.
//!
//! A target is a [`Target`](target::Target) in the list of `options`. Each file uses only files above it in
//! this list:
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
//! | `options` | the options, and the list of targets |
//! | `trial` | tries an input |
//! | `progress` | how far a child process is |
//! | `child` | a child process |
//! | `supervise` | the parent process |

mod c;
mod child;
mod driver_calls;
mod images;
mod loops;
mod memory;
mod options;
mod progress;
mod ptx;
mod random;
mod supervise;
mod target;
mod trial;

use std::io::Write;

pub use options::Options;

/// Runs the command.
pub fn run(options: &Options) -> Result<(), String> {
    if !options.files.is_empty() {
        return files(options);
    }
    if options.show {
        let input = options.open()?.input(options.seed, options.first);
        return std::io::stdout().write_all(&input).map_err(|e| e.to_string());
    }
    std::fs::create_dir_all(options.folder()).map_err(|e| format!("{}: {e}", options.folder().display()))?;
    match (options.child, &options.progress) {
        (Some(number), Some(progress)) => child::run(options, number, progress),
        _ => supervise::run(options),
    }
}

/// Tries files.
fn files(options: &Options) -> Result<(), String> {
    let fuzzer = options.open()?;
    for path in &options.files {
        let input = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        match trial::run(&*fuzzer, &input, options.seed) {
            Ok(outcome) => println!("{}: {outcome:?}", path.display()),
            Err(problem) => return Err(format!("{}: {problem}", path.display())),
        }
    }
    Ok(())
}

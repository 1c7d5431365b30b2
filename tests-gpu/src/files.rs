//! The emulator's PTX test files on a device: a GPU must give the same results as the emulator.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expectations::{Arg, read, show};

use crate::Fixture;

#[path = "../../ptx-emulator/tests/expectations/mod.rs"]
mod expectations;

/// The folder of the files: `WARPFOLD_PTX_FILES`, or their folder in the source tree.
fn folder() -> PathBuf {
    let source = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../ptx-emulator/tests/ptx");
    std::env::var_os("WARPFOLD_PTX_FILES").map_or_else(source, PathBuf::from)
}

/// The architecture number of a text's target, without a letter after it.
fn target(text: &str) -> u32 {
    let after = text.split_once(".target sm_").map_or("", |(_, rest)| rest);
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..digits].parse().unwrap_or(0)
}

/// Every run that must succeed leaves the expected memory. Runs that must fault are left out: on a GPU they
/// would end the context, and a GPU does not detect everything that the emulator detects.
pub fn of_the_emulator(fixture: &Fixture) {
    let mut paths: Vec<_> = std::fs::read_dir(folder())
        .expect("the folder exists")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let (mut problems, mut done) = (String::new(), 0);
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("readable");
        let (runs, rejection) = read(&text);
        if rejection.is_some() || target(&text) > fixture.sm() || runs.iter().all(|run| run.fault.is_some()) {
            continue;
        }
        for run in runs.iter().filter(|run| run.fault.is_none() && !run.in_order_only) {
            // The last line names a kernel that does not end.
            println!("{name}:{}", run.line);
            // Loaded again, so that the module's variables have their initial values.
            let kernels = match fixture.try_load_ptx(&text) {
                Ok(kernels) => kernels,
                Err(error) => {
                    let _ = writeln!(problems, "{name}:{}: {error}", run.line);
                    continue;
                }
            };
            let buffers: HashMap<&str, _> =
                run.buffers.iter().map(|(name, bytes)| (name.as_str(), fixture.upload(bytes))).collect();
            let parameters: Vec<Vec<u8>> = run
                .args
                .iter()
                .map(|arg| match arg {
                    Arg::Buffer(name) => {
                        buffers[name.as_str()].as_device_ptr().as_raw().to_le_bytes().to_vec()
                    }
                    Arg::Bytes(bytes) => bytes.clone(),
                })
                .collect();
            if let Err(error) = kernels.launch(&run.kernel, run.grid, run.block, run.shared, &parameters) {
                let _ = writeln!(problems, "{name}:{}: {error}", run.line);
                continue;
            }
            done += 1;
            for (buffer, wanted, ty) in &run.outs {
                let mut found = buffers[buffer.as_str()].as_host_vec().expect("the buffer is there");
                // A buffer may be longer than the part that is compared.
                found.truncate(wanted.len());
                if found != *wanted {
                    let (found, wanted) = (show(&found, ty), show(wanted, ty));
                    let (at, pair) = found
                        .iter()
                        .zip(&wanted)
                        .enumerate()
                        .find(|(_, (a, b))| a != b)
                        .expect("a difference");
                    let _ = writeln!(
                        problems,
                        "{name}:{}: {buffer}[{at}] is {}, expected {}",
                        run.line, pair.0, pair.1
                    );
                }
            }
        }
    }
    println!("{done} runs");
    assert!(problems.is_empty(), "\n{problems}");
    assert!(done > 0, "no file was run");
}

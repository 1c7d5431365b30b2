//! OpenMP programs as users write them: stock clang, stock LLVM host runtime, our device runtime, and the
//! emulated driver in place of NVIDIA's.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, os::unix::fs::symlink};

use toolchain::{OffloadJob, OptLevel, Tools};

const SUM: &str = include_str!("../programs/sum.c");
const DISTRIBUTE: &str = include_str!("../programs/distribute.c");
const REDUCE: &str = include_str!("../programs/reduce.c");

/// The four ways in which clang builds an offloading program.
const MODES: [(OptLevel, bool); 4] =
    [(OptLevel::O0, false), (OptLevel::O0, true), (OptLevel::O2, false), (OptLevel::O2, true)];

/// A folder with the emulated driver under the name that libomptarget opens.
fn driver() -> PathBuf {
    let library = env::current_exe().expect("the test knows itself").with_file_name("libwarpfold_cuda.so");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver");
    fs::create_dir_all(&folder).expect("a folder");
    for name in ["libcuda.so", "libcuda.so.1"] {
        let link = folder.join(name);
        if fs::read_link(&link).ok().as_deref() != Some(&*library) {
            let fresh = folder.join(format!("{name}.{}", std::process::id()));
            symlink(&library, &fresh).expect("a link");
            fs::rename(&fresh, &link).expect("a link");
        }
    }
    folder
}

/// Compiles and runs a program; what it printed. Offloading is mandatory: nothing runs on the host instead.
fn run(name: &str, text: &str, (opt, lto): (OptLevel, bool), environment: &[(&str, &str)]) -> String {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    let library = codegen_shim::openmp_library(&tools).unwrap_or_else(|error| panic!("{error}"));
    let job = OffloadJob { units: &[(name, text)], sm: 90, opt, lto, options: &[] };
    let program = tools.offload_program(&job, &library).unwrap_or_else(|error| panic!("{error}"));
    let output = Command::new(program)
        .env("LD_LIBRARY_PATH", driver())
        .env("OMP_TARGET_OFFLOAD", "MANDATORY")
        .envs(environment.iter().copied())
        .output()
        .expect("the program starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name} {opt} lto {lto} {environment:?}: {}\n{out}{err}", output.status);
    out.into_owned()
}

#[test]
fn a_sum_over_teams_is_right_in_every_build_mode() {
    for mode in MODES {
        assert_eq!(run("sum.c", SUM, mode, &[]), "500500.0\n", "{mode:?}");
    }
}

#[test]
fn reductions_of_all_shapes_are_right() {
    for mode in MODES {
        assert_eq!(run("reduce.c", REDUCE, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

#[test]
fn the_order_in_which_blocks_and_warps_run_does_not_show() {
    for (mode, seed) in [(MODES[0], "1"), (MODES[2], "1"), (MODES[3], "2")] {
        let printed = run("reduce.c", REDUCE, mode, &[("WARPFOLD_SEED", seed)]);
        assert_eq!(printed, "0 failures\n", "{mode:?}, seed {seed}");
    }
}

/// LLVM lets all threads but the first of a block exit where teams have no parallel region.
#[test]
fn a_thread_that_is_alone_in_its_block_reduces_over_teams() {
    // Other modes build this program in generic mode, which the runtime has not yet.
    assert_eq!(run("distribute.c", DISTRIBUTE, (OptLevel::O2, true), &[]), "0 failures\n");
}

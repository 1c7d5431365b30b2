//! Builds OpenMP programs with stock clang and flang, and runs them with the emulated driver.

use std::{
    env, fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use toolchain::{OffloadBuild, OptLevel, Tools};

/// A build mode: the optimisation level, and whether with link-time optimisation.
pub type Mode = (OptLevel, bool);

/// The four build modes of clang.
pub const MODES: [Mode; 4] =
    [(OptLevel::O0, false), (OptLevel::O0, true), (OptLevel::O2, false), (OptLevel::O2, true)];

/// The result of a run.
#[derive(Debug)]
pub struct RunResult {
    /// Its exit status; none after a timeout.
    pub status: Option<ExitStatus>,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

/// A folder with the emulated driver that cargo built for the running test, under the name that libomptarget
/// opens.
pub fn driver() -> PathBuf {
    let library = env::current_exe().expect("the test's path").with_file_name("libwarpfold_cuda.so");
    let folder = library.with_file_name("emulated-driver");
    name_driver(&library, &folder).expect("links in a folder beside the test");
    folder
}

/// Links the names of NVIDIA's driver in a folder to a library. Several threads and processes may do so at
/// the same time: each makes temporary links and renames them.
fn name_driver(library: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for name in ["libcuda.so", "libcuda.so.1"] {
        let link = folder.join(name);
        if fs::read_link(&link).ok().as_deref() != Some(library) {
            let fresh = tempfile::tempdir_in(folder)?;
            symlink(library, fresh.path().join(name))?;
            fs::rename(fresh.path().join(name), &link)?;
        }
    }
    Ok(())
}

/// Compiles a program with this project's device runtime. The language follows from the extension of the
/// name.
///
/// # Errors
///
/// The tools' messages, if they fail.
pub fn compile(name: &str, text: &str, (opt, lto): Mode, options: &[String]) -> Result<PathBuf, String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let library = device_library::openmp_library(&tools).map_err(|error| error.to_string())?;
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let build = OffloadBuild { units: &[(name, text)], sm: 90, opt, lto, options: &options };
    tools.offload_program(&build, &library).map_err(|error| error.to_string())
}

/// [`compile`], for tests.
///
/// # Panics
///
/// With the tools' messages, if they fail.
pub fn build(name: &str, text: &str, mode: Mode) -> PathBuf {
    compile(name, text, mode, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs a program on the emulator, with a time limit. Offloading is mandatory: nothing runs on the host
/// instead.
pub fn run(program: &Path, environment: &[(&str, &str)], time_limit: Duration) -> RunResult {
    run_with(Some(&driver()), program, environment, time_limit)
}

/// As [`run`], with the driver in a folder, or the machine's own.
pub fn run_with(
    driver: Option<&Path>,
    program: &Path,
    environment: &[(&str, &str)],
    time_limit: Duration,
) -> RunResult {
    let mut command = Command::new(program);
    command
        .envs(driver.map(|driver| ("LD_LIBRARY_PATH", driver)))
        .env("OMP_TARGET_OFFLOAD", "MANDATORY")
        .envs(environment.iter().copied());
    run_command(command, time_limit)
}

/// Runs a command with a time limit, after which it is killed.
///
/// # Panics
///
/// If the program does not start, or its output cannot be kept.
pub fn run_command(mut command: Command, time_limit: Duration) -> RunResult {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| fs::File::create(folder.path().join(name)).expect("a file");
    let mut child = command.stdout(file("out")).stderr(file("err")).spawn().expect("the program starts");
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("it can be asked") {
            None if start.elapsed() < time_limit => std::thread::sleep(Duration::from_millis(5)),
            None => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            status => break status,
        }
    };
    let read = |name: &str| {
        String::from_utf8_lossy(&fs::read(folder.path().join(name)).expect("it is there")).into_owned()
    };
    RunResult { status, out: read("out"), err: read("err") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_can_link_the_driver_at_the_same_time() {
        let home = tempfile::tempdir().expect("a folder");
        for round in 0..50 {
            let (library, folder) = (Path::new("library.so"), home.path().join(round.to_string()));
            std::thread::scope(|scope| {
                let all: Vec<_> = (0..8).map(|_| scope.spawn(|| name_driver(library, &folder))).collect();
                for one in all {
                    one.join().expect("no panic").expect("links");
                }
            });
            let mut names: Vec<_> = fs::read_dir(&folder)
                .expect("a folder")
                .map(|entry| entry.expect("an entry").file_name())
                .collect();
            names.sort();
            assert_eq!(names, ["libcuda.so", "libcuda.so.1"]);
            assert_eq!(fs::read_link(folder.join("libcuda.so.1")).expect("a link"), library);
        }
    }
}

//! Host instructions of programs on the emulator, counted by valgrind's callgrind: the same on every run, whatever
//! else the machine does. Another `warpfold`, such as one of an earlier version, is counted beside this one.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::json;
use toolchain::{OffloadBuild, OptLevel, Tools};

use crate::{overhead::driver_folder, report::Report};

/// Programs: name, level, source. Each takes seconds under valgrind.
const PROGRAMS: [(&str, OptLevel, &str); 4] = [
    (
        "sum of 2^20 doubles, -O2",
        OptLevel::O2,
        "#include <stdlib.h>
int main(void) {
  int n = 1 << 20;
  double *a = malloc(n * sizeof *a), s = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[:n])
  for (int i = 0; i < n; i++) s += a[i];
  return s != 0.5 * n * (n - 1.0);
}
",
    ),
    (
        "generic mode, -O0",
        OptLevel::O0,
        "int main(void) {
  double s = 0;
#pragma omp target teams num_teams(4) map(tofrom : s) reduction(+ : s)
  {
    double t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int i = 0; i < 20000; i++) t += i * 0.5;
    s += t;
  }
  return s == 0;
}
",
    ),
    (
        "atomics, -O2",
        OptLevel::O2,
        "int main(void) {
  int h[64] = {0};
#pragma omp target teams distribute parallel for map(tofrom : h) num_teams(8) thread_limit(128)
  for (int i = 0; i < 200000; i++)
#pragma omp atomic
    h[(i * 7) & 63]++;
  return h[5] != 3125;
}
",
    ),
    (
        "10 000 empty kernels, -O2",
        OptLevel::O2,
        "int main(void) {
  for (int i = 0; i < 10000; i++) {
#pragma omp target
    {}
  }
}
",
    ),
];

/// Rows of the data file that is reduced.
const ROWS: u32 = 1_000_000;

/// Counts the instructions of every program, with each `warpfold`: this one first.
pub fn count(programs: &[&Path]) -> Result<Report, Box<dyn Error>> {
    let tools = Tools::find()?;
    let library = device_library::openmp_library(&tools)?;
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("rows.csv");
    let text = (1..=ROWS).fold(String::new(), |mut text, row| {
        let _ = writeln!(text, "{row}");
        text
    });
    fs::write(&data, text)?;
    let drivers = copied_drivers(programs, folder.path())?;

    let mut rows: Vec<(&str, Vec<u64>)> = Vec::new();
    for (name, opt, source) in PROGRAMS {
        let build = OffloadBuild { units: &[("program.c", source)], sm: 90, opt, lto: false, options: &[] };
        let program = tools.offload_program(&build, &library)?;
        let count = |driver: &PathBuf| {
            let libraries = toolchain::prepended("LD_LIBRARY_PATH", driver)?;
            let mut command = valgrind(&program);
            command.env("OMP_TARGET_OFFLOAD", "MANDATORY").env("LD_LIBRARY_PATH", libraries);
            collected(command)
        };
        rows.push((name, drivers.iter().map(count).collect::<Result<_, _>>()?));
    }
    let count = |program: &&Path| {
        const REDUCE: [&str; 7] = ["reduce", "--device", "emulator", "--op", "sum", "--type", "i64"];
        // The first run builds device code.
        Command::new(program).args(REDUCE).arg(&data).output()?;
        let mut command = valgrind(program);
        command.args(REDUCE).arg(&data);
        collected(command)
    };
    rows.push(("reduce, 10^6 rows of CSV", programs.iter().map(count).collect::<Result<_, _>>()?));
    Ok(report(&rows))
}

/// Copies the driver of each program, or a driver, into a folder: installing that of another program replaces it.
pub fn copied_drivers(programs: &[&Path], folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let numbered = programs.iter().enumerate();
    numbered.map(|(number, program)| copied_driver(program, &folder.join(number.to_string()))).collect()
}

fn copied_driver(warpfold: &Path, to: &Path) -> Result<PathBuf, Box<dyn Error>> {
    fs::create_dir(to)?;
    let is_driver = warpfold.to_string_lossy().contains(".so");
    let driver =
        if is_driver { warpfold.to_path_buf() } else { driver_folder(warpfold)?.join("libcuda.so.1") };
    for name in ["libcuda.so.1", "libcuda.so"] {
        fs::copy(&driver, to.join(name))?;
    }
    Ok(to.to_path_buf())
}

fn valgrind(program: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).stdin(Stdio::null());
    command
}

/// The count that valgrind prints; the program must succeed.
fn collected(mut command: Command) -> Result<u64, Box<dyn Error>> {
    let output =
        command.output().map_err(|error| format!("cannot run valgrind (Debian: valgrind): {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    match count.filter(|_| output.status.success()) {
        Some(count) => Ok(count),
        None => Err(format!("{:?} ended with {}: {text}", command.get_args(), output.status).into()),
    }
}

fn report(rows: &[(&str, Vec<u64>)]) -> Report {
    let mut lines = vec![format!("{:28} {:>16}", "program", "host instructions")];
    for (name, counts) in rows {
        let mut line = format!("{name:28} {:>16}", counts[0]);
        for base in &counts[1..] {
            let _ = write!(line, " {:>8.4} of {base}", counts[0] as f64 / *base as f64);
        }
        lines.push(line);
    }
    let json: BTreeMap<_, _> = rows.iter().cloned().collect();
    let json = json!({ "version": env!("CARGO_PKG_VERSION"), "host_instructions": json });
    Report { lines, json, failure: None }
}

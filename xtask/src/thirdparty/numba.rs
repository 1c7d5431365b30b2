//! numba-cuda's own tests.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::suite::{Outcomes, Setup, Stop, fetch, output};

/// Packages besides numba-cuda that its tests use.
const PACKAGES: &str = "cffi ml_dtypes psutil filecheck pytest";

/// The version of numba that the tests run with.
const NUMBA: &str = "0.68.1";

/// Folders of tests below the package's.
const FOLDERS: [&str; 6] = ["cudadrv", "cudapy", "nocuda", "doc_examples", "nrt", "core"];

/// A module that needs CuPy, whose packages contain NVIDIA's runtime library.
const NEEDS_CUPY: &str = "test_cupy_bfloat16_interop";

/// Seconds that a module of tests may take.
const PATIENCE: &str = "600";

/// Runs the tests of a module but those that further arguments name, without the beginning that all names share.
const RUNNER: &str = "
import sys, unittest
def tests_of(suite):
    for test in suite:
        yield from tests_of(test) if isinstance(test, unittest.TestSuite) else [test]
suite = unittest.defaultTestLoader.loadTestsFromName(sys.argv[1])
kept = [test for test in tests_of(suite) if test.id().removeprefix('numba.cuda.tests.') not in sys.argv[2:]]
unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(kept))
";

/// What stands between the name of a test and its outcome.
const OUTCOME: &str = ") ... ";

/// Runs each module of tests in a process of its own: after a kernel that fails, a context cannot be used any more.
pub(super) fn run(setup: &Setup) -> Result<Outcomes, Stop> {
    let python = installed(&setup.folder, setup.version)?;
    let mut outcomes = Outcomes::new();
    for (folder, file) in modules(&setup.folder)? {
        if setup.filter.is_some_and(|filter| !format!("{folder}.{file}").contains(filter)) {
            continue;
        }
        let module = format!("numba.cuda.tests.{folder}.{file}");
        let mut command = Command::new("timeout");
        command
            .args([PATIENCE, "env"])
            .arg(format!("LD_PRELOAD={}", setup.driver.join("libnvJitLink.so.13").display()))
            .arg(&python)
            .args(["-W", "ignore", "-c", RUNNER, &module])
            .args(&setup.skipped)
            .current_dir(&setup.folder)
            .env("LD_LIBRARY_PATH", &setup.driver);
        let (text, _) = output(&mut command)?;
        let found = read(&text);
        if found.is_empty() && !text.contains("Ran 0 tests") && !text.contains("skipped") {
            outcomes.insert(format!("{folder}.{file}"), false);
        }
        outcomes.extend(found);
    }
    Ok(outcomes)
}

/// The Python in which a version of numba-cuda is installed.
fn installed(folder: &Path, version: &str) -> Result<PathBuf, Stop> {
    let environment = folder.join("environment");
    let python = environment.join("bin/python");
    let wanted = format!("numba-cuda[cu13]=={version} numba=={NUMBA} {PACKAGES}");
    let stamp = environment.join("packages.txt");
    if fs::read_to_string(&stamp).ok().as_deref() == Some(&*wanted) {
        return Ok(python);
    }
    fetch(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    fetch(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(wanted.split(' ')))?;
    super::suite::write(&stamp, &wanted)?;
    Ok(python)
}

/// The folders and names of modules of tests.
fn modules(folder: &Path) -> Result<Vec<(&'static str, String)>, Stop> {
    let broken = |what: String| Stop::Broken(format!("the tests of numba-cuda were not found: {what}"));
    let libraries =
        fs::read_dir(folder.join("environment/lib")).map_err(|error| broken(error.to_string()))?;
    let packages = libraries.flatten().map(|entry| entry.path().join("site-packages"));
    let tests =
        packages.map(|packages| packages.join("numba_cuda/numba/cuda/tests")).find(|tests| tests.is_dir());
    let tests = tests.ok_or_else(|| broken("no folder of tests".into()))?;
    let mut found = Vec::new();
    for folder in FOLDERS {
        let entries = fs::read_dir(tests.join(folder)).map_err(|error| broken(error.to_string()))?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let modules = names.filter_map(|name| name.strip_suffix(".py").map(String::from));
        let mut tests: Vec<String> =
            modules.filter(|name| name.starts_with("test_") && name != NEEDS_CUPY).collect();
        tests.sort();
        found.extend(tests.into_iter().map(|name| (folder, name)));
    }
    Ok(found)
}

/// The outcomes in what Python's test runner prints: a test's name, its class in parentheses, and how it ended. Reports
/// of the emulator may come before the end.
fn read(text: &str) -> Outcomes {
    let mut outcomes = Outcomes::new();
    let mut running: Option<String> = None;
    for line in text.lines() {
        let mut rest = line;
        if let Some((name, after)) = line.split_once(OUTCOME)
            && let Some((_, class)) = name.split_once(" (numba.cuda.tests.")
        {
            // Behind the class may be the values of a part of the test.
            running = class.split(')').next().map(String::from);
            rest = after;
        }
        let passed = match rest.trim() {
            "ok" | "expected failure" => true,
            "FAIL" | "ERROR" | "unexpected success" => false,
            _ => continue,
        };
        if let Some(name) = running.take() {
            *outcomes.entry(name).or_insert(true) &= passed;
        }
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_also_behind_reports() {
        let text = "test_a (numba.cuda.tests.cudapy.test_x.T.test_a) ... ok\n\
                    test_b (numba.cuda.tests.cudapy.test_x.T.test_b) ... warpfold: a report\n  of two lines\nERROR\n\
                    test_c (numba.cuda.tests.cudapy.test_x.T.test_c) ... skipped 'why'\n\
                    test_d (numba.cuda.tests.cudapy.test_x.T.test_d) ... expected failure\n\
                    test_e (numba.cuda.tests.cudapy.test_x.T.test_e) ... \n  \
                    test_e (numba.cuda.tests.cudapy.test_x.T.test_e) (n=(1, 2)) ... ERROR\n\
                    ERROR: test_b (numba.cuda.tests.cudapy.test_x.T.test_b)\n";
        let outcomes = read(text);
        let seen: Vec<_> = outcomes.iter().map(|(name, passed)| (&name[name.len() - 1..], *passed)).collect();
        assert_eq!(seen, [("a", true), ("b", false), ("d", true), ("e", false)]);
    }
}

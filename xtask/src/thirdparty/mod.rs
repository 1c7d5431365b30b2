//! Runs tests and programs of other projects, as published, on the emulated driver; and device code by clang
//! 19.
//!
//! None of them is in this repository: a suite is fetched from its registry in one pinned version, checked by
//! the registry's client or by a checksum, and kept in `target/thirdparty`. A list beside this file names the
//! tests of a suite that do not pass, with reasons.

mod clang19;
mod crates;
mod llvm;
mod numba;
mod suite;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    time::Instant,
};

use crate::{readme, so};
use suite::{Outcomes, Setup, Stop};

/// Options of `cargo xtask thirdparty`.
#[derive(clap::Args)]
pub struct Options {
    /// Suites to run: cust, cudarc, llvm, clang19, numba [default: all]
    names: Vec<String>,
    /// Only tests of LLVM and numba: those whose path matches this regular expression, or modules with this in their name
    #[arg(long, value_name = "REGEX")]
    filter: Option<String>,
    /// Print the outcome of every test
    #[arg(long)]
    verbose: bool,
}

/// A test suite of another project.
struct Suite {
    name: &'static str,
    version: &'static str,
    licence: &'static str,
    /// The tests that do not pass: lines of test, `fails` or `skipped`, and the reason.
    expected: &'static str,
    run: fn(&Setup) -> Result<Outcomes, Stop>,
}

const SUITES: [Suite; 5] = [
    Suite {
        name: "cust",
        version: "0.3.2",
        licence: "MIT OR Apache-2.0",
        expected: include_str!("cust.tsv"),
        run: crates::cust,
    },
    Suite {
        name: "cudarc",
        version: "0.19.10",
        licence: "MIT OR Apache-2.0",
        expected: include_str!("cudarc.tsv"),
        run: crates::cudarc,
    },
    Suite {
        name: "llvm",
        version: "19.1.7 (tests), 22.1 (compiler and host runtime)",
        licence: "Apache-2.0 WITH LLVM-exception",
        expected: include_str!("llvm.tsv"),
        run: llvm::run,
    },
    Suite {
        name: "clang19",
        version: "19.1 (compiler of device code)",
        licence: "Apache-2.0 WITH LLVM-exception",
        expected: "",
        run: clang19::run,
    },
    Suite {
        name: "numba",
        version: "0.30.4",
        licence: "BSD-2-Clause",
        expected: include_str!("numba.tsv"),
        run: numba::run,
    },
];

/// Unpacks clang 19 and its device runtime below a folder, if necessary; returns LLVM's folder there.
pub fn clang_19(folder: &Path) -> Result<PathBuf, String> {
    clang19::unpacked(folder).map_err(|stop| match stop {
        Stop::Absent(reason) | Stop::Broken(reason) => reason,
    })
}

/// Runs the suites; an error if an outcome is not the expected one.
pub fn run(options: &Options) -> Result<(), String> {
    if let Some(unknown) = options.names.iter().find(|name| SUITES.iter().all(|suite| suite.name != **name)) {
        return Err(format!("no suite `{unknown}`; there are {}", SUITES.map(|suite| suite.name).join(", ")));
    }
    let root = env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| readme::workspace_root().join("target"), PathBuf::from)
        .join("thirdparty");
    let driver = so::build_and_install(Some(&root.join("driver")), true)?;
    let mut unexpected = 0;
    for suite in
        SUITES.iter().filter(|s| options.names.is_empty() || options.names.iter().any(|n| n == s.name))
    {
        println!("{} {} ({})", suite.name, suite.version, suite.licence);
        let expected = expectations(suite.expected)?;
        let skipped = expected.iter().filter(|(_, (fails, _))| !fails).map(|(&test, _)| test).collect();
        let folder = root.join(suite.name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let setup = Setup {
            folder,
            driver: driver.clone(),
            version: suite.version,
            skipped,
            filter: options.filter.as_deref(),
        };
        let started = Instant::now();
        let outcomes = match (suite.run)(&setup) {
            Ok(outcomes) => outcomes,
            Err(Stop::Absent(reason)) => {
                println!("  skipped: {reason}");
                continue;
            }
            Err(Stop::Broken(reason)) => return Err(format!("{}: {reason}", suite.name)),
        };
        let found = unexpected_outcomes(&expected, &outcomes);
        for (test, passed) in outcomes.iter().filter(|_| options.verbose) {
            println!("  {} {test}", if *passed { "passes" } else { "fails " });
        }
        found.iter().for_each(|line| println!("  {line}"));
        let passed = outcomes.values().filter(|passed| **passed).count();
        println!(
            "  {passed} of {} tests pass, {} fail, {} are not run: {:.0} s",
            outcomes.len(),
            outcomes.len() - passed,
            setup.skipped.len(),
            started.elapsed().as_secs_f64()
        );
        unexpected += found.len();
    }
    match unexpected {
        0 => Ok(()),
        _ => Err(format!("{unexpected} outcomes differ from the lists in xtask/src/thirdparty")),
    }
}

/// The tests of a list: whether they fail (or are skipped), and why.
fn expectations(list: &'static str) -> Result<BTreeMap<&'static str, (bool, &'static str)>, String> {
    list.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [test, "fails", why] if !why.is_empty() => Ok((test, (true, why))),
            [test, "skipped", why] if !why.is_empty() => Ok((test, (false, why))),
            _ => Err(format!("`{line}` is not a test, `fails` or `skipped`, and a reason")),
        })
        .collect()
}

/// Unexpected outcomes, one line each. A listed test without an outcome is accepted: it may have been
/// filtered out.
fn unexpected_outcomes(expected: &BTreeMap<&str, (bool, &str)>, outcomes: &Outcomes) -> Vec<String> {
    let lines = outcomes.iter().filter_map(|(test, passed)| match (passed, expected.get(&**test)) {
        (false, None) => Some(format!("{test} fails, but should pass")),
        (true, Some((_, why))) => Some(format!("{test} passes, but is listed to fail: {why}")),
        _ => None,
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_can_be_read() {
        for suite in &SUITES {
            expectations(suite.expected).unwrap_or_else(|error| panic!("{}: {error}", suite.name));
        }
        assert!(expectations("a test that fails").is_err());
        assert!(expectations("a\tfails\t").is_err());
    }

    #[test]
    fn unlisted_failures_and_listed_passes_are_unexpected() {
        let expected =
            expectations("b\tfails\tno textures\nc\tfails\tno time\nd\tskipped\ttoo slow\n").unwrap();
        let outcomes = [("a", false), ("b", false), ("c", true), ("e", true)];
        let outcomes = outcomes.map(|(test, passed)| (test.to_owned(), passed)).into();
        let found = unexpected_outcomes(&expected, &outcomes);
        assert_eq!(found, ["a fails, but should pass", "c passes, but is listed to fail: no time"]);
    }
}

//! Schedules: each file of `tests/scheduled` has its schedules performed, and the loops that are parallel then
//! privatized; both are compared with its `.expected` file, and executed.
//!
//! Lines that begin with `//!` are those of `tests/privatized.rs`, and
//!
//! | line | meaning |
//! |---|---|
//! | `//! given n=8` | sizes that the schedule is performed for |
//!
//! `WARPFOLD_BLESS=1` writes the expected files.

#[path = "common/directives.rs"]
mod directives;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use directives::Directives;
use loop_compiler::{
    AnalysisError, Options,
    interpret::{self, IterationOrder},
    ir::Region,
    notation::{parse, print},
    privatize::{Choice, Copies, marked, privatize},
    report::FloatOrder,
    schedule::{self, Mark, simd},
    transform::Setting,
    verify::verify,
};

fn files() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scheduled");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().unwrap() == "loops").collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

fn check(region: &Region, directives: &Directives, context: &str) {
    verify(region).unwrap_or_else(|error| panic!("{context}: {error}"));
    for order in (0..20).map(IterationOrder::Interleaved).chain([IterationOrder::Sequential]) {
        let mut memory = directives::memory(region, directives);
        if let Some(workers) = directives.copies.as_deref().and_then(|copies| copies.strip_prefix("workers="))
        {
            memory.set_values("workers", [workers.parse().unwrap()]);
        }
        let options = interpret::Options { order, ..interpret::Options::default() };
        let counts = interpret::run(region, &mut memory, &options)
            .unwrap_or_else(|error| panic!("{context}: {error}"));
        assert!(
            directives.bytes.is_none_or(|wanted| wanted == counts.private_bytes),
            "{context}: {}",
            counts.private_bytes
        );
        for (_, name, values) in &directives.expect {
            assert_eq!(
                memory.values(name).unwrap(),
                *values,
                "{context}: {name}\n{}",
                print(std::slice::from_ref(region))
            );
        }
    }
}

/// The region as its schedules say, and with private copies.
fn performed(region: &Region, directives: &Directives) -> Result<[Region; 2], AnalysisError> {
    let options = Options {
        sizes: directives.given.iter().map(|(name, value)| (name.clone(), *value as i64)).collect(),
        // A busy machine is slower.
        time: Duration::from_secs(60),
        ..Options::default()
    };
    let order = FloatOrder::Free;
    let scheduled = schedule::apply(region, Setting { order, options: &options })?;
    let choice = Choice {
        loops: marked(&scheduled),
        copies: if directives.copies.is_some() { Copies::Workers } else { Copies::Iterations },
        atomic: schedule::marked(&scheduled, Mark::Atomic),
        order,
        least_work: None,
        is_tested: false,
        omitted: BTreeSet::new(),
    };
    let privatized = privatize(&scheduled, &choice, &Options { time: options.time, ..Options::default() })?;
    Ok([scheduled, simd(&privatized.region)])
}

#[test]
fn schedules_are_performed_or_rejected() {
    let (mut checked, mut rejected) = (0, 0);
    for (path, text) in files() {
        let directives = directives::directives(&text);
        let mut printed = String::new();
        for region in parse(&text, &path.display().to_string()).unwrap_or_else(|error| panic!("{error}")) {
            let context = format!("{} @{}", path.display(), region.function);
            match (performed(&region, &directives), &directives.rejected) {
                (Ok(stages), None) => {
                    for (stage, name) in stages.iter().zip(["scheduled", "with private copies"]) {
                        printed += &format!("// {name}\n{}", print(std::slice::from_ref(stage)));
                        if name == "with private copies" || marked(stage).is_empty() {
                            check(stage, &directives, &format!("{context} {name}"));
                            checked += 1;
                        }
                    }
                }
                (Err(error), Some(reason)) if error.to_string().contains(reason) => {
                    printed += &format!("// {error}\n");
                    rejected += 1;
                }
                (Err(error), reason) => panic!("{context}: {error}, and not {reason:?}"),
                (Ok([scheduled, _]), Some(reason)) => {
                    panic!("{context} is not rejected: {reason}\n{}", print(&[scheduled]))
                }
            }
        }
        let expected = path.with_extension("expected");
        if std::env::var_os("WARPFOLD_BLESS").is_some() {
            fs::write(&expected, &printed).unwrap();
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(printed, wanted, "{}", path.display());
    }
    assert!(checked >= 8 && rejected >= 4, "{checked} {rejected}");
}

/// Treebeard's nest, as it is written in `tests/loops/trees.loops`.
#[test]
fn treebeards_schedule_yields_its_nest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = fs::read_to_string(folder.join("scheduled/treebeard.loops")).unwrap();
    let directives = directives::directives(&text);
    let [scheduled, _] = performed(&parse(&text, "").unwrap()[0], &directives).unwrap();
    let wanted = fs::read_to_string(folder.join("loops/trees.loops")).unwrap();
    let wanted = print(&parse(&wanted, "").unwrap()[..1]);
    assert_eq!(print(&[scheduled]), wanted);
}

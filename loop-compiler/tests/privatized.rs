//! Loops that are marked parallel, privatized: each file of `tests/privatized` is privatized, compared with its
//! `.expected` file, and executed.
//!
//! Lines that begin with `//!` are those of `tests/loops.rs`, and
//!
//! | line | meaning |
//! |---|---|
//! | `//! copies workers=3` | copies for so many workers, and not for each iteration |
//! | `//! copies parts` | copies for parts of the loop |
//! | `//! copies atomic` | a copy for each iteration, which is added to the target atomically |
//! | `//! bytes 16` | the private memory that the execution needs |
//! | `//! rejected flow` | the loop is rejected, for a reason in which this occurs |
//!
//! `WARPFOLD_BLESS=1` writes the expected files.

#[path = "common/directives.rs"]
mod directives;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use directives::Directives;
use loop_compiler::{
    Options, interpret,
    interpret::IterationOrder,
    ir::Region,
    notation::{parse, print},
    privatize::{Choice, Copies, marked, privatize},
    report::FloatOrder,
    verify::verify,
};

fn files() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/privatized");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().unwrap() == "loops").collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

fn choice(region: &Region, directives: &Directives) -> Choice {
    let loops = marked(region);
    let atomic = match directives.copies.as_deref() {
        Some("atomic") => loops.clone(),
        _ => BTreeSet::new(),
    };
    let copies = match directives.copies.as_deref() {
        None | Some("atomic") => Copies::Iterations,
        Some("columns") => Copies::Columns,
        Some(_) => Copies::Workers,
    };
    let order = match directives.copies.as_deref() {
        Some("columns" | "chunks") => FloatOrder::Fixed,
        _ => FloatOrder::Free,
    };
    Choice { loops, copies, atomic, order, least_work: None, is_tested: false, omitted: BTreeSet::new() }
}

fn executed(region: &Region, directives: &Directives, order: IterationOrder) -> Result<u64, String> {
    let mut memory = directives::memory(region, directives);
    if let Some(workers) = directives.copies.as_deref().and_then(|copies| copies.strip_prefix("workers=")) {
        memory.set_values("workers", [workers.parse().unwrap()]);
    }
    let options = interpret::Options { order, ..interpret::Options::default() };
    let counts = interpret::run(region, &mut memory, &options).map_err(|error| error.to_string())?;
    for (_, name, values) in &directives.expect {
        let found = memory.values(name).unwrap();
        if found != *values {
            return Err(format!("{name} is {found:?}, and not {values:?}"));
        }
    }
    Ok(counts.private_bytes)
}

#[test]
fn marked_loops_are_privatized_and_right_in_any_order() {
    let mut checked = 0;
    for (path, text) in files() {
        let directives = directives::directives(&text);
        let mut printed = String::new();
        for region in parse(&text, &path.display().to_string()).unwrap_or_else(|error| panic!("{error}")) {
            let context = format!("{} @{}", path.display(), region.function);
            let privatized = privatize(&region, &choice(&region, &directives), &Options::default());
            let privatized = match (privatized, &directives.rejected) {
                (Ok(privatized), None) => privatized,
                (Err(error), Some(reason)) if error.to_string().contains(reason) => {
                    checked += 1;
                    continue;
                }
                (Err(error), _) => panic!("{context}: {error}"),
                (Ok(_), Some(reason)) => panic!("{context} is not rejected: {reason}"),
            };
            printed += &print(std::slice::from_ref(&privatized.region));
            verify(&privatized.region).unwrap_or_else(|error| panic!("{context}: {error}\n{printed}"));
            for order in (0..20).map(IterationOrder::Interleaved).chain([IterationOrder::Sequential]) {
                match executed(&privatized.region, &directives, order) {
                    Ok(bytes) => assert!(
                        directives.bytes.is_none_or(|wanted| wanted == bytes),
                        "{context}: {bytes} bytes\n{printed}"
                    ),
                    Err(error) => panic!("{context} {order:?}: {error}\n{printed}"),
                }
                checked += 1;
            }
        }
        let expected = path.with_extension("expected");
        if std::env::var_os("WARPFOLD_BLESS").is_some() {
            fs::write(&expected, &printed).unwrap();
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(printed, wanted, "{}", path.display());
    }
    assert!(checked > 200, "{checked}");
}

/// Without one of the copies, iterations meet.
#[test]
fn leaving_out_a_copy_is_a_race() {
    let mut races = 0;
    for (path, text) in files() {
        let directives = directives::directives(&text);
        if directives.rejected.is_some() {
            continue;
        }
        for region in parse(&text, "").unwrap() {
            let choice = choice(&region, &directives);
            let analysis = loop_compiler::analyze(&region, &Options::default()).unwrap();
            let chosen = choice.loops.iter().map(|index| &analysis.loops[*index]);
            let arrays: BTreeSet<String> =
                chosen.flat_map(|looped| looped.reduced.iter().chain(&looped.privatized)).cloned().collect();
            for array in arrays {
                let choice = Choice { omitted: BTreeSet::from([array.clone()]), ..choice.clone() };
                let privatized = privatize(&region, &choice, &Options::default()).unwrap();
                let context = format!("{} @{}: {array}", path.display(), region.function);
                let found = executed(&privatized.region, &directives, IterationOrder::Interleaved(1));
                let error = found.expect_err(&context);
                assert!(error.contains("a race in the loop over "), "{context}: {error}");
                races += 1;
            }
        }
    }
    assert!(races >= 8, "{races}");
}

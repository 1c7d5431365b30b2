//! The files in `tests/loops`: each is parsed, printed, verified and executed.
//!
//! Lines that begin with `//!` say what is executed and expected:
//!
//! | line | meaning |
//! |---|---|
//! | `//! sizes n=8 m=2` | values of integer parameters, where the function has them |
//! | `//! set a = 1 2 3` | values of an array's first cells |
//! | `//! expect a = 1 2` | all cells of an array afterwards; `expect @Name a = …` in one function only |
//! | `//! race a` | with interleaved iterations every function has a race on the array |

#[path = "common/directives.rs"]
mod directives;

use std::fs;
use std::path::{Path, PathBuf};

use directives::{directives, memory};
use loop_compiler::interpret::{IterationOrder, Memory, Options, Sizes, run};
use loop_compiler::notation::{parse, print};

fn files() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn printing_a_parsed_file_restores_it() {
    for (path, text) in files() {
        let regions = parse(&text, &path.display().to_string()).unwrap_or_else(|error| panic!("{error}"));
        let printed = print(&regions);
        let bare: Vec<&str> = text.lines().filter(|line| !line.starts_with("//")).collect();
        assert_eq!(printed, bare.join("\n") + "\n", "{}", path.display());
    }
}

#[test]
fn the_examples_of_the_documentation_are_printed_as_they_are_written() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/loops-notation.md");
    let text = fs::read_to_string(page).unwrap();
    let examples: Vec<&str> =
        text.split("```loops\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let regions =
            parse(example, "docs/loops-notation.md").unwrap_or_else(|error| panic!("{error}\n{example}"));
        let bare: Vec<&str> = example.lines().filter(|line| !line.starts_with("//")).collect();
        assert_eq!(print(&regions), bare.join("\n") + "\n");
    }
}

#[test]
fn results_are_as_expected_in_any_order() {
    let mut checked = 0;
    for (path, text) in files() {
        let directives = directives(&text);
        for region in parse(&text, "").unwrap() {
            let mut orders = vec![IterationOrder::Sequential];
            if directives.race.is_none() {
                orders.extend((0..20).map(IterationOrder::Interleaved));
            }
            for order in orders {
                let mut memory = memory(&region, &directives);
                let context = format!("{} @{} {order:?}", path.display(), region.function);
                let options = Options { order, ..Options::default() };
                run(&region, &mut memory, &options).unwrap_or_else(|error| panic!("{context}: {error}"));
                for (function, name, values) in &directives.expect {
                    if function.as_ref().is_some_and(|function| *function != region.function) {
                        continue;
                    }
                    if let Some(found) = memory.values(name) {
                        assert_eq!(found, *values, "{context}: {name}");
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn races_are_found_in_every_order() {
    let mut races = 0;
    for (path, text) in files() {
        let directives = directives(&text);
        let Some(name) = &directives.race else { continue };
        for region in parse(&text, "").unwrap() {
            for seed in 0..20 {
                let mut memory = memory(&region, &directives);
                let options = Options { order: IterationOrder::Interleaved(seed), ..Options::default() };
                let context = format!("{} @{}", path.display(), region.function);
                let error = run(&region, &mut memory, &options).expect_err(&context);
                assert!(error.what.starts_with("a race in the loop over "), "{context}: {error}");
                assert!(error.what.contains(&format!("`{name}`[")), "{context}: {error}");
                races += 1;
            }
        }
    }
    assert_eq!(races, 6 * 20);
}

#[test]
fn large_sums_agree_with_their_legalized_forms() {
    for (name, sizes) in [("reduce_vector", [("n", 4096)]), ("nested", [("n", 4096)])] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/loops/{name}.loops"));
        for region in parse(&fs::read_to_string(path).unwrap(), "").unwrap() {
            let mut memory = Memory::new(&region, &Sizes::of(sizes), &Options::default()).unwrap();
            memory.fill(7);
            memory.set_values("result_1", [0.0; 4]);
            let sum: f64 = memory.values("arr").unwrap().iter().sum();
            run(
                &region,
                &mut memory,
                &Options { order: IterationOrder::Interleaved(3), ..Options::default() },
            )
            .unwrap();
            if let Some(result) = memory.values("result") {
                assert_eq!(result, [sum], "{name} @{}", region.function);
            }
        }
    }
}

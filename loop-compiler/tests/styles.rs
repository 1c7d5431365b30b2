//! C as people write it: in `tests/styles` each loop says whether it is parallel, by who wrote it. No loop is found parallel that is
//! not, and of those that are so many are found.

mod common;

use std::{fs, path::Path};

use loop_compiler::{Class, Options, analyze, assumed, c};

/// The part of the parallel loops that is found. It only grows.
const FOUND: f64 = 0.85;

/// The classes of a file's loops by line, and whether they hold only if arrays do not overlap, which is tested at run time.
fn classes(path: &Path) -> Vec<(u32, Class, bool)> {
    let clang = Path::new("clang-22");
    let input = c::Input { clang, file: path, arguments: &[], auto: true, assume_distinct: false };
    let file = c::read(&input).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut found = Vec::new();
    for tree in file.regions.iter().filter_map(|region| region.tree.as_ref().ok()) {
        let options = Options::default();
        let tree = assumed(tree, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let Ok(analysis) = analyze(&tree, &options) else { continue };
        let is_tested = !tree.overlaps.is_empty();
        found.extend(analysis.loops.iter().map(|looped| (looped.at.line, looped.class, is_tested)));
    }
    found
}

#[test]
fn loops_are_what_their_comments_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/styles");
    let mut files = Vec::new();
    for style in fs::read_dir(&folder).unwrap() {
        let style = style.unwrap().path();
        files.extend(fs::read_dir(style).unwrap().map(|file| file.unwrap().path()));
    }
    files.sort();
    assert!(files.len() >= 200, "{} files", files.len());
    let found = common::in_parallel(&files, |path| classes(path));
    let (mut wrong, mut parallel, mut detected) = (Vec::new(), 0, 0);
    for (path, found) in files.iter().zip(found) {
        let text = fs::read_to_string(path).unwrap();
        for (index, line) in text.lines().enumerate() {
            let Some((_, truth)) = line.split_once("// truth: ") else { continue };
            let at = index as u32 + 1;
            let loops = || found.iter().filter(|(line, ..)| *line == at);
            let is_parallel = |class: &Class| !matches!(class, Class::Scan | Class::Sequential);
            match truth.trim() {
                "parallel" => {
                    parallel += 1;
                    detected += usize::from(loops().any(|(_, class, _)| is_parallel(class)));
                }
                "sequential" | "scan" => {
                    let is_wrong = loops().any(|(_, class, is_tested)| is_parallel(class) && !is_tested);
                    wrong.extend(is_wrong.then(|| format!("{}:{at}: {}", path.display(), line.trim())));
                }
                other => panic!("{}:{at}: {other}", path.display()),
            }
        }
    }
    assert!(wrong.is_empty(), "parallel, but not in truth:\n{}", wrong.join("\n"));
    let recall = f64::from(detected as u32) / f64::from(parallel as u32);
    println!("{} files, {detected} of {parallel} parallel loops: {recall:.3}", files.len());
    assert!(recall >= FOUND, "{detected} of {parallel} parallel loops are found: {recall:.3}");
}

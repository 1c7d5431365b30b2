//! LLVM's OpenMP optimisations work on programs that are linked with the runtime.
//!
//! Each file of `openmp_opt` is a program with one kernel or more, compiled at -O2. Comments at the ends of
//! its lines list the numbers of the remarks that the passes must make, and no others. Lines before the
//! program that begin with `//=` describe the kernels' PTX:
//!
//! | line | meaning |
//! |---|---|
//! | `calls NAME...` | the functions that kernels call, by the ends of their names, directly or through others; or `nothing` |
//! | `none TEXT`, `some TEXT`, `at most N TEXT` | how many of the kernels' lines hold the text |
//! | `fails with OPTION` | with this option of LLVM, which disables an optimisation, the description is wrong |

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{openmp, tools};

/// Line and number of a remark: 12, `OMP120`.
type Remark = (usize, String);

/// The description of a program.
#[derive(Debug, Default)]
struct Expected {
    remarks: BTreeSet<Remark>,
    calls: BTreeSet<String>,
    /// A text, and how many lines may hold it.
    counts: Vec<(String, std::ops::RangeInclusive<usize>)>,
    /// Options with which the description is wrong.
    fails_with: Vec<String>,
}

impl Expected {
    fn of(source: &str) -> Expected {
        let mut expected = Expected::default();
        for (line, number) in source.lines().zip(1..) {
            if let Some(text) = line.strip_prefix("//= ") {
                expected.read(text);
            } else if let Some((_, remarks)) = line.split_once(" // OMP") {
                let numbers = format!("OMP{remarks}");
                expected.remarks.extend(numbers.split(' ').map(|code| (number, code.to_string())));
            }
        }
        assert!(!expected.fails_with.is_empty(), "no option with which the description is wrong");
        expected
    }

    fn read(&mut self, text: &str) {
        let (word, rest) = text.split_once(' ').unwrap_or_else(|| panic!("`{text}` is not complete"));
        match word {
            "calls" => {
                self.calls = rest.split(' ').filter(|name| *name != "nothing").map(String::from).collect();
            }
            "none" => self.counts.push((rest.to_string(), 0..=0)),
            "some" => self.counts.push((rest.to_string(), 1..=usize::MAX)),
            "at" => {
                let (most, part) =
                    rest.strip_prefix("most ").and_then(|rest| rest.split_once(' ')).expect(text);
                self.counts.push((part.to_string(), 0..=most.parse().expect(text)));
            }
            "fails" => self.fails_with.push(rest.strip_prefix("with ").expect(text).to_string()),
            _ => panic!("`{text}` is not understood"),
        }
    }

    /// The differences, a line each.
    fn differences(&self, found: &Found) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let (kernels, calls) = kernels(&found.ptx);
        for (number, code) in found.remarks.difference(&self.remarks) {
            lines.push(format!("line {number}: {code} is not expected"));
        }
        for (number, code) in self.remarks.difference(&found.remarks) {
            lines.push(format!("line {number}: no {code}"));
        }
        let named = |call: &str| self.calls.iter().find(|name| call.ends_with(name.as_str()));
        lines.extend(calls.iter().filter(|call| named(call).is_none()).map(|call| format!("calls {call}")));
        let called: BTreeSet<&String> = calls.iter().filter_map(|call| named(call)).collect();
        let missing = self.calls.iter().filter(|name| !called.contains(name));
        lines.extend(missing.map(|name| format!("does not call {name}")));
        for (text, allowed) in &self.counts {
            let count = kernels.lines().filter(|line| line.contains(text.as_str())).count();
            if !allowed.contains(&count) {
                lines.push(format!("{count} lines with `{text}`"));
            }
        }
        lines
    }
}

/// What clang reports and generates for a program.
struct Found {
    remarks: BTreeSet<Remark>,
    ptx: String,
}

/// The kernels' text, and the names of all functions that they call, directly or through others.
fn kernels(ptx: &str) -> (String, BTreeSet<String>) {
    let mut kernels = Vec::new();
    let mut bodies = BTreeMap::new();
    for part in ptx.split("\n}\n") {
        // Declarations and variables of the module come before the first.
        let entry = part.rfind(".entry ").map(|at| at + ".entry ".len());
        if let Some(start) = entry {
            kernels.push(&part[start..]);
        } else if let Some(open) = part.find("\n{")
            && let Some(start) = part[..open].rfind(".func ")
        {
            // `.func f(`, `.func  (.param .b32 func_retval0) f(`, `.func f()`
            let head = part[start + ".func ".len()..open].trim_start();
            let head = head.strip_prefix('(').map_or(head, |rest| rest.split_once(')').expect("results").1);
            bodies.insert(head.trim_start().split(['(', '\n']).next().expect("a name").trim(), &part[open..]);
        }
    }
    assert!(!kernels.is_empty(), "no kernel in\n{ptx}");
    let mut known = BTreeSet::new();
    let mut texts = kernels.clone();
    while let Some(text) = texts.pop() {
        for name in text.lines().filter_map(callee) {
            if known.insert(name.to_string()) {
                texts.extend(bodies.get(name));
            }
        }
    }
    (kernels.join("\n"), known)
}

/// `call.uni (retval0), malloc, (param0);` is `malloc`; none for a call through a pointer.
fn callee(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("call.uni ").or_else(|| line.split_once("call "))?;
    let name =
        rest.split(", ").find(|part| !part.trim_start().starts_with('('))?.trim_end_matches(';').trim();
    (!name.starts_with('%')).then_some(name)
}

/// Compiles a program, as a user does; `None` where NVIDIA's assembler is missing.
fn compile(source: &Path, option: Option<&str>) -> Option<Found> {
    let clang = tools().clang().unwrap_or_else(|error| panic!("{error}"));
    let cuda = match tools().cuda_dir() {
        Ok(cuda) => cuda,
        Err(error) => {
            println!("not tried: {error}");
            return None;
        }
    };
    let library = tools().offload_library(&openmp(), &[]).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a folder");
    let name = source.file_name().expect("a name").to_str().expect("a plain name");
    fs::copy(source, folder.path().join(name)).expect("the program");
    let mut command = Command::new(&clang.path);
    command
        .current_dir(folder.path())
        .env("LIBRARY_PATH", library)
        .args(["-O2", "-fopenmp", "--offload-arch=sm_90", "--offload-device-only", "-c", "-save-temps"])
        .args(["-fno-caret-diagnostics", "-Rpass=openmp-opt", "-Rpass-missed=openmp-opt"])
        .args(["-Rpass-analysis=openmp-opt", name])
        .arg(format!("--cuda-path={}", cuda.display()));
    if let Some(option) = option {
        command.args(["-mllvm", option]);
    }
    let output = command.output().expect("clang runs");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {messages}");
    // `spmdized.c:12:1: remark: Transformed … [OMP120] [-Rpass=openmp-opt]`; remarks on the runtime's
    // own lines are ignored.
    let remark = |line: &str| {
        let location = line.split_once(name)?.1;
        let number = location.strip_prefix(':')?.split(':').next()?.parse().ok()?;
        let code = line.rsplit_once(" [OMP")?.1.split(']').next()?;
        Some((number, format!("OMP{code}")))
    };
    let mut files = fs::read_dir(folder.path()).expect("the folder").flatten().map(|entry| entry.path());
    let ptx = files.find(|path| path.extension().is_some_and(|end| end == "s")).expect("PTX");
    Some(Found {
        remarks: messages.lines().filter_map(remark).collect(),
        ptx: fs::read_to_string(ptx).expect("text"),
    })
}

/// The programs and their descriptions.
fn programs() -> Vec<(PathBuf, Expected)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openmp_opt");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a program");
        (path, Expected::of(&text))
    };
    files.into_iter().map(read).collect()
}

#[test]
fn remarks_and_code_are_as_described() {
    let mut wrong = Vec::new();
    for (path, expected) in programs() {
        let Some(found) = compile(&path, None) else { return };
        let lines = expected.differences(&found);
        wrong.extend(lines.into_iter().map(|line| format!("{}: {line}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_disabled_optimisation_is_noticed() {
    for (path, expected) in programs() {
        for option in &expected.fails_with {
            let Some(found) = compile(&path, Some(option)) else { return };
            let lines = expected.differences(&found);
            println!("{} with {option}: {lines:?}", path.display());
            assert!(!lines.is_empty(), "{} is as described with {option}", path.display());
        }
    }
}

#[test]
fn calls_are_followed() {
    let ptx = "\
.extern .func (.param .b32 r) malloc\n(\n)\n;\n.weak .entry k(\n)\n{\n\tcall.uni (retval0), one, (param0);\n\
\t@%p1 call %rd1, (param0), prototype_0;\n\tret;\n}\n\
.func  (.param .b32 r) one(\n\t.param .b32 x\n)\n{\n\tcall.uni two, ();\n}\n.func two() // -- two\n{\n\tcall (r), malloc, (x);\n}\n\
.func three()\n{\n\tcall.uni four, ();\n}\n";
    let (text, calls) = kernels(ptx);
    assert!(text.starts_with("k(\n"), "{text}");
    assert_eq!(calls, BTreeSet::from(["one", "two", "malloc"].map(String::from)));
}

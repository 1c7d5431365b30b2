//! The tables of exported symbols against what LLVM and clang call.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use common::{ALL_INTERFACES, signature, tools};
use device_rt::abi::{ABSENT, Symbol, symbols};

fn all() -> Vec<Symbol> {
    symbols(&ALL_INTERFACES)
}

/// LLVM's shared library, which has the names of all functions that its passes know.
fn library() -> PathBuf {
    let llvm = &tools().llvm;
    let opt = llvm.dir.join(format!("opt{}", llvm.suffix));
    let output = Command::new("ldd").arg(&opt).output().expect("ldd runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains("libLLVM")).unwrap_or_else(|| panic!("{text}"));
    let path = line.split_whitespace().find(|word| word.starts_with('/')).unwrap_or_else(|| panic!("{line}"));
    PathBuf::from(path)
}

/// The names of runtime functions in a file: strings between zeros.
fn names(file: &[u8]) -> BTreeSet<String> {
    file.split(|&byte| byte == 0)
        .filter(|text| text.starts_with(b"__kmpc_") && text.len() < 100)
        .filter_map(|text| std::str::from_utf8(text).ok())
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .map(String::from)
        .collect()
}

#[test]
fn what_llvm_knows_is_exported_or_absent_for_a_reason() {
    let known = names(&fs::read(library()).expect("LLVM's library"));
    assert!(known.len() > 100, "{known:?}");
    let table: BTreeSet<String> = all().iter().map(|symbol| symbol.name.to_string()).collect();
    let absent: BTreeSet<String> = ABSENT.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(absent.intersection(&table).collect::<Vec<_>>(), Vec::<&String>::new(), "both");
    let missing: Vec<_> =
        known.iter().filter(|name| !table.contains(*name) && !absent.contains(*name)).collect();
    assert!(missing.is_empty(), "neither exported nor listed as absent: {missing:?}");
    let unknown: Vec<_> = absent.difference(&known).collect();
    assert!(unknown.is_empty(), "listed as absent, and unknown to LLVM: {unknown:?}");
}

/// The device code that clang makes of a program of `tests-gpu`, without the runtime.
fn device_ir(program: &str, level: &str) -> String {
    let llvm = &tools().llvm;
    let output = Command::new(llvm.dir.join(format!("clang{}", llvm.suffix)))
        .args([level, "-fopenmp", "-fopenmp-version=60", "--offload-arch=sm_90", "--offload-device-only"])
        .args(["-nogpulib", "--cuda-feature=+ptx83", "-Wno-everything", "-S", "-emit-llvm", "-o", "-"])
        .arg(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests-gpu").join(program))
        .output()
        .expect("clang runs");
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// LLVM recognises a function by its name and its type: with another type it would not optimise calls of it.
#[test]
fn types_are_those_of_the_calls_that_clang_makes() {
    let programs = ["generic.c", "library.c", "loops.c", "reduce.c", "schedules.c", "sync.c", "tasks.c"];
    let table: BTreeMap<String, String> =
        all().iter().map(|symbol| (symbol.name.to_string(), symbol.llvm())).collect();
    let mut seen = BTreeSet::new();
    for program in programs {
        for level in ["-O0", "-O2"] {
            let ir = device_ir(&format!("programs/{program}"), level);
            for (name, called) in ir.lines().filter(|line| line.starts_with("declare ")).map(signature) {
                if let Some(expected) = table.get(&name) {
                    assert_eq!(&called, expected, "{name} in {program} at {level}");
                    seen.insert(name);
                } else {
                    let ours = ["__kmpc_", "omp_", "ompx_"].iter().any(|start| name.starts_with(start));
                    assert!(!ours, "{name} in {program} at {level} is not declared");
                }
            }
        }
    }
    assert!(seen.len() > 80, "only {} functions were seen: {seen:?}", seen.len());
}

/// The structs of the interface as clang's LLVM IR has them, for each version of LLVM that was tried. A new version whose
/// structs are others needs a look at `device-rt/src/abi/layout.rs`.
#[test]
fn structs_are_those_that_the_runtime_knows() {
    let configuration = |major: u32| match major {
        // The last one is the number of records of the reduction buffer, which LLVM 23 does not have.
        22 => "{ i8, i8, i8, i32, i32, i32, i32, i32, i32 }",
        _ => "{ i8, i8, i8, i32, i32, i32, i32, i32 }",
    };
    let version = tools().llvm.version;
    let ir = device_ir("recorded/teams.c", "-O1");
    let structs: BTreeMap<&str, &str> =
        ir.lines().filter_map(|line| line.strip_prefix("%struct.")?.split_once(" = type ")).collect();
    let known = [
        ("ident_t", "{ i32, i32, i32, i32, ptr }"),
        ("DynamicEnvironmentTy", "{ i16 }"),
        ("KernelEnvironmentTy", "{ %struct.ConfigurationEnvironmentTy, ptr, ptr }"),
        ("ConfigurationEnvironmentTy", configuration(version.major)),
    ];
    let others: Vec<_> = known.iter().filter(|(name, fields)| structs.get(name) != Some(fields)).collect();
    assert!(others.is_empty(), "LLVM {version}: expected {others:?}, found {structs:?}");
}

//! The device bitcode: it exports what the table says, needs nothing, and cannot panic.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::{runtime, tools};
use device_rt::{EXPORT_NAMES, EXPORTS, SOURCES};

/// The runtime as LLVM IR text.
fn ir() -> String {
    let llvm = &tools().llvm;
    let output = Command::new(llvm.dir.join(format!("llvm-dis{}", llvm.suffix)))
        .arg(runtime())
        .args(["-o", "-"])
        .output()
        .expect("llvm-dis runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Name and type of each function that the IR defines and others see.
fn defined(ir: &str) -> BTreeMap<String, String> {
    let visible = ir.lines().filter(|line| line.starts_with("define ") && !line.contains(" internal "));
    visible.map(signature).collect()
}

/// `define noundef range(i32 0, 2) i32 @f(ptr noundef %a, i16 signext %b) …` is `f`, `i32 (ptr, i16)`.
fn signature(line: &str) -> (String, String) {
    let (head, rest) = line.split_once('@').expect("a name");
    let (name, rest) = rest.split_once('(').expect("parameters");
    let returns = head.split_whitespace().next_back().expect("a type");
    let mut depth = 0;
    let end = rest.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    let parameters = &rest[..end.expect("an end")];
    let types: Vec<&str> = parameters.split(", ").filter_map(|one| one.split_whitespace().next()).collect();
    (name.to_string(), format!("{returns} ({})", types.join(", ")))
}

#[test]
fn the_table_is_what_the_bitcode_exports() {
    let table: BTreeMap<String, String> =
        EXPORTS.iter().map(|export| (export.name.to_string(), export.ty.to_string())).collect();
    assert_eq!(table.len(), EXPORTS.len(), "a name stands twice");
    assert_eq!(defined(&ir()), table);
    assert!(EXPORTS.iter().map(|export| export.name).eq(EXPORT_NAMES.iter().copied()));
    assert!(EXPORTS.iter().all(|export| !export.doc.is_empty()));
}

#[test]
fn only_intrinsics_are_left_to_find() {
    let ir = ir();
    let others: Vec<&str> =
        ir.lines().filter(|line| line.starts_with("declare ") && !line.contains(" @llvm.")).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn there_is_no_panic_no_stack_and_no_architecture() {
    let ir = ir();
    for absent in
        ["llvm.trap", "unreachable", "alloca", "panic", "target-cpu", "target-features", "addrspace(5)"]
    {
        assert!(!ir.contains(absent), "{absent} in\n{ir}");
    }
}

#[test]
fn whatever_calls_back_is_convergent() {
    let ir = ir();
    let groups: BTreeMap<&str, bool> = ir
        .lines()
        .filter_map(|line| line.strip_prefix("attributes "))
        .filter_map(|line| line.split_once(" = "))
        .map(|(number, list)| (number, list.contains("convergent")))
        .collect();
    let is_convergent = |line: &str| {
        line.contains(" convergent ")
            || line.split([' ', ',']).any(|word| groups.get(word).copied().unwrap_or_default())
    };
    let definitions: Vec<&str> = ir.lines().filter(|line| line.starts_with("define ")).collect();
    assert!(
        definitions.iter().all(|line| is_convergent(line) || line.contains("@__warpfold_anchor")),
        "{ir}"
    );
    let calls: Vec<&str> = ir.lines().filter(|line| line.contains(" call ") && !line.contains('@')).collect();
    assert!(calls.len() > 20, "{calls:?}");
    assert!(calls.iter().all(|line| is_convergent(line)), "{calls:?}");
}

#[test]
fn the_source_list_is_the_directory() {
    fn walk(dir: &Path, files: &mut Vec<String>) {
        for entry in fs::read_dir(dir).expect("a directory").flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => walk(&path, files),
                false => {
                    let inside = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("inside");
                    files.push(inside.to_str().expect("a plain name").to_string());
                }
            }
        }
    }
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    files.sort();
    assert_eq!(SOURCES.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>(), files);
}

//! The C header is C and C++, and what clang makes of it is what the bitcode has.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use common::tools;
use device_rt::{Export, Kind, OPENMP_EXPORTS, REDUCTION_EXPORTS};

/// Compiles `source` after the header; what clang prints.
fn clang(name: &str, source: &str, options: &[&str]) -> String {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("warpfold.h"), device_rt::c_header()).expect("written");
    fs::write(dir.path().join(name), format!("#include \"warpfold.h\"\n{source}")).expect("written");
    let clang = tools().clang().unwrap_or_else(|error| panic!("{error}"));
    let strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffreestanding"];
    let output = Command::new(&clang.path)
        .current_dir(dir.path())
        .args(strict)
        .args(options)
        .arg(name)
        .output()
        .expect("clang runs");
    assert!(output.status.success(), "{options:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn all() -> Vec<Export> {
    [REDUCTION_EXPORTS, OPENMP_EXPORTS].concat()
}

#[test]
fn it_is_c_and_cpp_on_host_and_device() {
    for target in ["x86_64-pc-linux-gnu", "nvptx64-nvidia-cuda"] {
        let target = format!("--target={target}");
        clang("use.c", "", &["-std=c11", &target, "-fsyntax-only"]);
        clang("use.cpp", "", &["-std=c++17", &target, "-fsyntax-only"]);
    }
}

/// Types, `convergent` and C linkage, in C and in C++. The bitcode's own are compared with the table elsewhere.
#[test]
fn clang_makes_the_tables_types_of_the_declarations() {
    let exports = all();
    let is_function = |export: &&Export| matches!(export.kind, Kind::Function { .. });
    let uses: String = exports
        .iter()
        .enumerate()
        .map(|(index, export)| match export.kind {
            Kind::Function { .. } => {
                format!("void *use{index}(void) {{ return (void *)&{}; }}\n", export.name)
            }
            Kind::Variable { .. } => {
                format!("unsigned char use{index}(void) {{ return {}[0]; }}\n", export.name)
            }
        })
        .collect();
    for (name, standard) in [("use.c", "-std=c11"), ("use.cpp", "-std=c++17")] {
        let options = [standard, "--target=nvptx64-nvidia-cuda", "-O0", "-S", "-emit-llvm", "-o", "-"];
        let ir = clang(name, &uses, &options);
        let convergent: Vec<&str> = ir
            .lines()
            .filter(|line| line.starts_with("attributes ") && line.contains(" convergent "))
            .filter_map(|line| line.split_whitespace().nth(1))
            .collect();
        let mut found = BTreeMap::new();
        for line in ir.lines().filter(|line| line.starts_with("declare ")) {
            let (symbol, ty) = common::signature(line);
            let group = line.rsplit(' ').next().expect("attributes");
            assert!(convergent.contains(&group), "{line}");
            found.insert(symbol, ty);
        }
        let table: BTreeMap<String, String> = exports
            .iter()
            .filter(is_function)
            .map(|export| (export.name.to_string(), export.llvm()))
            .collect();
        assert_eq!(found, table, "{standard}");
        for export in exports.iter().filter(|export| !is_function(export)) {
            let variable = ir.lines().find(|line| line.starts_with(&format!("@{} = ", export.name)));
            let variable = variable.unwrap_or_else(|| panic!("no {} in\n{ir}", export.name));
            assert_eq!(common::variable(variable).1, export.llvm(), "{variable}");
        }
    }
}

/// The sizes that the runtime and libomptarget have.
#[test]
fn structures_and_sizes_are_those_of_the_runtime() {
    let rows = [1, 15, 16, 17, 132, 1000];
    let sizes: String = rows
        .iter()
        .map(|&rows| {
            let bytes = device_rt::reduce::slots_header_bytes(rows);
            format!("_Static_assert(WARPFOLD_SLOTS_HEADER_BYTES({rows}) == {bytes}, \"\");\n")
        })
        .collect();
    let bytes = device_rt::reduce::WORKSPACE_HEADER_BYTES;
    let source = format!(
        "{sizes}
_Static_assert(WARPFOLD_WORKSPACE_HEADER_BYTES == {bytes}, \"\");
_Static_assert(sizeof(warpfold_kernel_environment) == 48, \"\");
_Static_assert(__builtin_offsetof(warpfold_kernel_environment, location) == 32, \"\");
_Static_assert(sizeof(warpfold_launch_environment) == 16, \"\");
"
    );
    clang("sizes.c", &source, &["-std=c11", "--target=nvptx64-nvidia-cuda", "-fsyntax-only"]);
}

/// A reader of the header alone learns who calls, what is ordered and who holds the result.
#[test]
fn every_function_has_a_contract_and_every_line_fits() {
    for export in all() {
        assert!(export.meaning.ends_with(['.', ':']) && export.meaning.len() < 110, "{}", export.name);
        if let Kind::Function { contract, .. } = export.kind {
            for says in [contract.callers, contract.orders, contract.result] {
                assert!(
                    !says.is_empty() && !says.ends_with('.') && !says.contains("*/"),
                    "{}: {says}",
                    export.name
                );
            }
        }
    }
    let header = device_rt::c_header();
    let long: Vec<&str> = header.lines().filter(|line| line.len() > 115).collect();
    assert!(long.is_empty(), "{long:?}");
}

//! The C header is valid C and C++, and its declarations have the types of the bitcode.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::mem::offset_of;
use std::process::Command;

use common::tools;
use device_rt::abi::layout::{
    KernelEnvironment, LaunchEnvironment, WORKSPACE_HEADER_BYTES, slots_header_bytes,
};
use device_rt::abi::{Interface, Symbol, SymbolKind, symbols};

/// Compiles `source` after the header; returns what clang prints.
fn clang(name: &str, source: &str, options: &[&str]) -> String {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("warpfold.h"), device_library::c_header()).expect("written");
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

/// The symbols that the header declares.
fn declared() -> Vec<Symbol> {
    symbols(&[Interface::Kernels, Interface::Compilers])
}

#[test]
fn it_is_c_and_cpp_on_host_and_device() {
    for target in ["x86_64-pc-linux-gnu", "nvptx64-nvidia-cuda"] {
        let target = format!("--target={target}");
        clang("use.c", "", &["-std=c11", &target, "-fsyntax-only"]);
        clang("use.cpp", "", &["-std=c++17", &target, "-fsyntax-only"]);
    }
}

/// Types, `convergent` and C linkage, in C and in C++. Another test compares the bitcode's with the tables.
#[test]
fn declarations_have_the_types_of_the_tables() {
    let symbols = declared();
    let is_function = |symbol: &&Symbol| matches!(symbol.kind, SymbolKind::Function { .. });
    let uses: String = symbols
        .iter()
        .enumerate()
        .map(|(index, symbol)| match symbol.kind {
            SymbolKind::Function { .. } => {
                format!("void *use{index}(void) {{ return (void *)&{}; }}\n", symbol.name)
            }
            SymbolKind::Variable { .. } => {
                format!("unsigned char use{index}(void) {{ return {}[0]; }}\n", symbol.name)
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
        let table: BTreeMap<String, String> = symbols
            .iter()
            .filter(is_function)
            .map(|symbol| (symbol.name.to_string(), symbol.llvm()))
            .collect();
        assert_eq!(found, table, "{standard}");
        for symbol in symbols.iter().filter(|symbol| !is_function(symbol)) {
            let variable = ir.lines().find(|line| line.starts_with(&format!("@{} = ", symbol.name)));
            let variable = variable.unwrap_or_else(|| panic!("no {} in\n{ir}", symbol.name));
            assert_eq!(common::variable(variable).1, symbol.llvm(), "{variable}");
        }
    }
}

/// Sizes and offsets of the header's structures are those of `device_rt::abi::layout`.
#[test]
fn structures_and_sizes_are_those_of_the_runtime() {
    let rows = [1, 15, 16, 17, 132, 1000];
    let sizes: String = rows
        .iter()
        .map(|&rows| {
            let bytes = slots_header_bytes(rows);
            format!("_Static_assert(WARPFOLD_SLOTS_HEADER_BYTES({rows}) == {bytes}, \"\");\n")
        })
        .collect();
    let header =
        format!("_Static_assert(WARPFOLD_WORKSPACE_HEADER_BYTES == {WORKSPACE_HEADER_BYTES}, \"\");\n");
    macro_rules! layout {
        ($ty:ident $c:literal: $($field:ident $member:literal),*) => {
            [
                format!("_Static_assert(sizeof({}) == {}, \"\");\n", $c, size_of::<$ty>()),
                $(format!(
                    "_Static_assert(__builtin_offsetof({}, {}) == {}, \"\");\n",
                    $c, $member, offset_of!($ty, $field)
                )),*
            ]
            .concat()
        };
    }
    let kernel = layout!(
        KernelEnvironment "warpfold_kernel_environment":
        use_generic_state_machine "use_generic_state_machine",
        may_use_nested_parallelism "may_use_nested_parallelism", exec_mode "exec_mode",
        min_threads "min_threads", max_threads "max_threads", min_teams "min_teams", max_teams "max_teams",
        reduction_data_size "reduction_data_size", reduction_buffer_length "reduction_buffer_length",
        ident "location", dynamic "dynamic"
    );
    let launch = layout!(
        LaunchEnvironment "warpfold_launch_environment":
        delivered "control[0]", tickets "control[1]", reduction_buffer "reduction_buffer"
    );
    let source = [sizes, header, kernel, launch].concat();
    clang("sizes.c", &source, &["-std=c11", "--target=nvptx64-nvidia-cuda", "-fsyntax-only"]);
}

/// The header states for each function who calls it, what it orders and who holds the result.
#[test]
fn every_function_has_a_contract_and_every_line_fits() {
    for symbol in declared() {
        assert!(symbol.meaning.ends_with(['.', ':']) && symbol.meaning.len() < 110, "{}", symbol.name);
        if let SymbolKind::Function { contract, .. } = symbol.kind {
            for text in [contract.callers, contract.orders, contract.result] {
                assert!(
                    !text.is_empty() && !text.ends_with('.') && !text.contains("*/"),
                    "{}: {text}",
                    symbol.name
                );
            }
        }
    }
    let header = device_library::c_header();
    let long: Vec<&str> = header.lines().filter(|line| line.len() > 115).collect();
    assert!(long.is_empty(), "{long:?}");
}

//! The device bitcode: it exports what the tables declare, needs nothing, and cannot panic.

mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use common::{ALL_INTERFACES, openmp, reductions, signature, tools, variable};
use device_rt::abi::layout::TEAM_STATE_BYTES;
use device_rt::abi::{Interface, symbols};

/// Bitcode as LLVM IR text.
fn ir(bitcode: PathBuf) -> String {
    let llvm = &tools().llvm;
    let output = Command::new(llvm.dir.join(format!("llvm-dis{}", llvm.suffix)))
        .arg(bitcode)
        .args(["-o", "-"])
        .output()
        .expect("llvm-dis runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Name and type of each function and variable that the IR defines and exports.
fn defined(ir: &str) -> BTreeMap<String, String> {
    let visible = |line: &&str| !line.contains(" internal ") && !line.contains(" private ");
    let functions = ir.lines().filter(|line| line.starts_with("define ")).filter(visible).map(signature);
    let variables = ir
        .lines()
        .filter(|line| line.starts_with('@') && !line.starts_with("@llvm."))
        .filter(|line| !line.contains(" = external "));
    functions.chain(variables.filter(visible).map(variable)).collect()
}

#[test]
fn the_bitcode_exports_what_the_tables_declare() {
    fn check(bitcode: PathBuf, interfaces: &[Interface]) {
        let symbols = symbols(interfaces);
        let table: BTreeMap<String, String> =
            symbols.iter().map(|symbol| (symbol.name.to_string(), symbol.llvm())).collect();
        assert_eq!(table.len(), symbols.len(), "a name is declared twice");
        let defined = defined(&ir(bitcode));
        let only = |one: &BTreeMap<String, String>, other: &BTreeMap<String, String>| -> Vec<String> {
            let differs = one.iter().filter(|(name, ty)| other.get(*name) != Some(ty));
            differs.map(|(name, ty)| format!("{name}: {ty}")).collect()
        };
        let (extra, missing) = (only(&defined, &table), only(&table, &defined));
        assert!(extra.is_empty() && missing.is_empty(), "bitcode {extra:#?}, table {missing:#?}");
    }
    check(reductions(), &[Interface::Kernels]);
    check(openmp(), &ALL_INTERFACES);
}

#[test]
fn the_version_is_that_of_the_package() {
    let text = format!(
        "@__warpfold_version = weak protected addrspace(4) constant [16 x i8] c\"{}\\00",
        env!("CARGO_PKG_VERSION")
    );
    let ir = ir(openmp());
    assert!(ir.contains(&text), "{text}");
    let used = ir.lines().find(|line| line.starts_with("@llvm.used")).expect("llvm.used");
    assert!(used.contains("@__warpfold_version"), "{used}");
}

#[test]
fn only_intrinsics_and_the_drivers_functions_are_undefined() {
    let drivers = ["@__assertfail(", "@free(", "@malloc(", "@vprintf("];
    let known = |line: &str| line.contains(" @llvm.") || drivers.iter().any(|name| line.contains(name));
    let ir = ir(openmp());
    let others: Vec<&str> = ir.lines().filter(|line| line.starts_with("declare ") && !known(line)).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn there_is_no_panic_no_stack_and_no_architecture() {
    let text = ir(reductions());
    for absent in ["llvm.trap", "unreachable", "alloca", "addrspace(5)"] {
        assert!(!text.contains(absent), "{absent} in\n{text}");
    }
    for text in [text, ir(openmp())] {
        for absent in ["panic", "target-cpu", "target-features"] {
            assert!(!text.contains(absent), "{absent} in\n{text}");
        }
    }
}

#[test]
fn whatever_calls_back_is_convergent() {
    // Every reduction calls back; from other functions LLVM drops the attribute where it is not needed.
    calls_back_convergently(&ir(reductions()), true);
    calls_back_convergently(&ir(openmp()), false);
}

/// Functions of the reductions that neither call back nor wait.
const CALL_NOTHING: [&str; 2] = ["@__warpfold_anchor(", "@can_block_reduce("];

fn calls_back_convergently(ir: &str, everywhere: bool) {
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
        definitions.iter().all(|line| !everywhere
            || is_convergent(line)
            || CALL_NOTHING.iter().any(|name| line.contains(name))),
        "{ir}"
    );
    // Copies of registers, and the marks of arch/copies.ll, call nobody.
    let is_move = |line: &str| {
        ["asm \"mov.b", "asm \"neg.s", "asm sideeffect \"\""].iter().any(|asm| line.contains(asm))
    };
    let calls: Vec<&str> =
        ir.lines().filter(|line| line.contains(" call ") && !line.contains('@') && !is_move(line)).collect();
    assert!(calls.len() > 20, "{calls:?}");
    assert!(calls.iter().all(|line| is_convergent(line)), "{calls:?}");
}

/// Sizes and offsets that the `.ll` files repeat, where the table of symbols does not show them.
#[test]
fn llvm_ir_has_the_offsets_of_the_layouts() {
    let text = |name: &str| {
        let file = device_library::OPENMP_SOURCES.iter().find(|(path, _)| *path == name);
        file.unwrap_or_else(|| panic!("no {name}")).1
    };
    let state = text("src/arch/state.ll");
    let bytes = format!("addrspace(3) global [{TEAM_STATE_BYTES} x i8]");
    assert!(state.contains(&bytes) && text("src/arch/openmp_only/llvm_used.ll").contains(&bytes), "{bytes}");
}

#[test]
fn each_build_has_its_own_files() {
    let has = |sources: &[(&str, &str)], part: &str| sources.iter().any(|(path, _)| path.contains(part));
    let (kernels, openmp) = (device_library::KERNEL_SOURCES, device_library::OPENMP_SOURCES);
    assert!(has(kernels, "/kernels_only/") && !has(kernels, "/openmp_only/"));
    assert!(has(openmp, "/openmp_only/") && !has(openmp, "/kernels_only/"));
    assert!(
        [kernels, openmp]
            .iter()
            .all(|sources| has(sources, "src/lib.rs") && has(sources, "src/reduce/grid.rs"))
    );
}

//! Regions as functions of C programs, compiled by clang and executed: what tests need besides `loop_compiler::check`.

#![allow(dead_code, reason = "each test uses a part")]

use std::{path::Path, process::Command};

use loop_compiler::{
    c,
    check::{self, Agreement},
    interpret::Memory,
    ir::Region,
};

pub use loop_compiler::check::{Case, execute as ran_by};

const HEADERS: [&str; 5] = ["complex.h", "math.h", "stdbool.h", "stddef.h", "stdint.h"];

/// Compiles the cases as one program, executes it, and returns the memory of each case.
///
/// # Errors
///
/// What clang or the program says, with all labels.
pub fn by_clang(cases: &[Case], options: &[&str], folder: &Path, stem: &str) -> Result<Vec<Memory>, String> {
    compiled(cases, options, folder, stem)?;
    ran(cases, &[], folder, stem)
}

/// Compiles the cases as one program.
pub fn compiled(cases: &[Case], options: &[&str], folder: &Path, stem: &str) -> Result<(), String> {
    // Names of types are the source's.
    let text = |case: &Case| {
        let mut region = case.region.clone();
        region.variables.iter_mut().for_each(|variable| variable.declared_type.clear());
        c::print(&region, 2)
    };
    compiled_by(Command::new("clang-22"), cases, &text, options, folder, stem)
}

/// Compiles the cases, with texts of their bodies, as one program.
pub fn compiled_by(
    mut compiler: Command,
    cases: &[Case],
    text: &dyn Fn(&Case) -> String,
    options: &[&str],
    folder: &Path,
    stem: &str,
) -> Result<(), String> {
    let headers: String = HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect();
    compiler.arg("-std=gnu2x").args(options);
    check::compile(compiler, cases, &headers, text, &folder.join(stem))
}

/// Executes a compiled program.
pub fn ran(
    cases: &[Case],
    environment: &[(&str, &str)],
    folder: &Path,
    stem: &str,
) -> Result<Vec<Memory>, String> {
    let mut command = Command::new(folder.join(stem));
    command.envs(environment.iter().copied());
    Ok(ran_by(command, cases)?.0)
}

/// The cases in groups of at most so many, each in its order.
pub fn groups(mut cases: Vec<Case>, most: usize) -> Vec<Vec<Case>> {
    let mut groups = Vec::new();
    while !cases.is_empty() {
        let rest = cases.split_off(cases.len().min(most));
        groups.push(std::mem::replace(&mut cases, rest));
    }
    groups
}

/// Values that differ by more than rounding in another order explains.
pub fn difference(original: &Region, expected: &Memory, found: &Memory) -> Option<String> {
    check::difference(original, expected, found, Agreement::Rounded(&[]))
}

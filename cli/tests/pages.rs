//! The examples of the documentation are true: each command is run, and its output compared.

#[path = "common/page.rs"]
mod page;

#[test]
fn reducing_data_files() {
    page::run("docs/reduce.md");
}

#[test]
fn several_gpus() {
    page::run("docs/machines.md");
}

#[test]
fn wrong_code_of_the_compiler() {
    page::run("docs/pitfalls.md");
}

#[test]
fn openmp_programs() {
    page::run("docs/openmp.md");
}

#[test]
fn rust_programs() {
    page::run("docs/rust.md");
}

#[test]
fn cuda_programs() {
    page::run("docs/cuda.md");
}

#[test]
fn programs_of_the_driver_api() {
    page::run("docs/cuda-driver.md");
}

#[test]
fn a_reduction_for_compiler_writers() {
    page::run("docs/compilers.md");
}

#[test]
fn openmp_directives() {
    page::run("docs/directives.md");
}

#[test]
fn loops() {
    page::run("docs/loops.md");
}

#[test]
fn simplified_reductions() {
    page::run("docs/loops-reference.md");
}

#[test]
fn checks() {
    page::run("docs/checks.md");
}

#[test]
fn profiles() {
    page::run("docs/profile.md");
}

#[test]
fn build_systems() {
    page::run("docs/ci.md");
}

#[test]
fn loops_in_their_notation() {
    page::run("docs/loops-notation.md");
}

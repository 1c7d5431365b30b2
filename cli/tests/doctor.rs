//! `warpfold doctor`: what it says for people and for programs.

mod common;

use std::{fs, process::Command};

use common::{command, folder, make, text, warpfold};

/// A library in place of the host's OpenMP runtime, with or without the function that the newer ones have.
fn libomp(newer: bool) -> tempfile::TempDir {
    let name = if newer { "omp_get_devices_memspace" } else { "omp_get_num_threads" };
    let folder = folder(&[("omp.c", &format!("int {name}(void) {{ return 1; }}\n"))]);
    let mut clang = Command::new("clang-22");
    let made =
        clang.current_dir(folder.path()).args(["-shared", "-fPIC", "omp.c", "-o", "libomp.so.5"]).status();
    assert!(made.expect("it starts").success());
    folder
}

#[test]
fn the_same_is_said_as_lines_and_as_json() {
    let folder = folder(&[]);
    let lines = text(&warpfold(folder.path(), &["doctor"]).stdout);
    let output = warpfold(folder.path(), &["doctor", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(json["ready"], true);
    let tools = json["tools"].as_array().expect("a list");
    let rustc = tools.iter().find(|tool| tool["name"] == "rustc with library source").expect("a tool");
    assert_eq!((&rustc["status"], &rustc["required"]), (&"found".into(), &true.into()));
    assert!(lines.contains(rustc["path"].as_str().expect("a path")), "{lines}");
    let isl = tools.iter().find(|tool| tool["name"] == "isl").expect("a library");
    assert_eq!((&isl["status"], &isl["required"]), (&"found".into(), &false.into()));
    assert!(isl["path"].as_str().is_some_and(|path| path.contains("/libisl.so")), "{isl}");
    for key in ["device_runtime", "cuda", "host_openmp", "device", "cache"] {
        let said = json[key]["text"].as_str().unwrap_or_else(|| panic!("no {key}: {json}"));
        assert!(lines.lines().any(|line| line.ends_with(said)), "{said}: {lines}");
    }
    make(folder.path(), &["doctor", "--json=doctor.json"]);
    let written = fs::read(folder.path().join("doctor.json")).expect("a file");
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&written).expect("JSON"), json);
}

#[test]
fn an_old_openmp_runtime_of_the_host_is_a_problem() {
    for newer in [false, true] {
        let libomp = libomp(newer);
        let mut doctor = command(libomp.path(), &["doctor", "--json"]);
        let output = doctor.env("LD_LIBRARY_PATH", libomp.path()).output().expect("it starts");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
        let found = &json["host_openmp"];
        assert_eq!(found["problem"], !newer, "{json}");
        let path = libomp.path().canonicalize().expect("a folder").join("libomp.so.5");
        assert_eq!(found["path"].as_str(), path.to_str());
        let said = found["text"].as_str().expect("text");
        assert_eq!(
            said.contains("omp_default_mem_space, abort") && said.contains("libomp5-22"),
            !newer,
            "{said}"
        );
    }
}

/// What the warning says: a program that clang 22 compiles aborts if, and only if, the library that it loads is old.
#[test]
fn a_program_with_memory_spaces_aborts_where_doctor_says_so() {
    let source = "#include <omp.h>\nint main(void) {\n  omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, \
                  0, 0);\n  return a == omp_null_allocator;\n}\n";
    let folder = folder(&[("spaces.c", source)]);
    let output = warpfold(folder.path(), &["doctor", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    let mut clang = Command::new("clang-22");
    let made = clang.current_dir(folder.path()).args(["-fopenmp", "spaces.c", "-o", "program"]).status();
    assert!(made.expect("it starts").success());
    let status = Command::new(folder.path().join("program")).output().expect("it starts").status;
    assert_eq!(status.success(), json["host_openmp"]["problem"] == false, "{status}: {json}");
}

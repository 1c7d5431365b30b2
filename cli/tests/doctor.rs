//! `warpfold doctor`: what it says for people and for programs; the cache, completions and manual pages.

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

#[test]
fn a_home_that_cannot_be_written_has_its_cache_elsewhere() {
    let (home, temporary) = (folder(&[("file", "")]), folder(&[]));
    let run = |arguments: &[&str], cache: &str| {
        let mut command = command(home.path(), arguments);
        // There can be no folder below a file, not even for root.
        command.env("XDG_CACHE_HOME", home.path().join("file")).env("TMPDIR", temporary.path());
        command.env("WARPFOLD_CACHE", cache).output().expect("it starts")
    };
    let output = run(&["config", "--cache-dir"], "");
    let (said, note) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success() && said.contains(&*temporary.path().to_string_lossy()), "{said}{note}");
    assert!(
        note.contains("cannot be written") && note.contains("WARPFOLD_CACHE names another folder"),
        "{note}"
    );
    // A folder that is named is the one.
    let named = home.path().join("named");
    let output = run(&["config", "--cache-dir"], &named.to_string_lossy());
    assert!(text(&output.stdout).contains("named") && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn the_cache_is_listed_and_emptied_without_the_tools() {
    let cache = folder(&[]);
    let old = cache.path().join("0.0.1/ptx");
    let tools = cache.path().join("cuda/13");
    for (folder, bytes) in [(&old, 2048), (&tools, 1024)] {
        fs::create_dir_all(folder).expect("a folder");
        fs::write(folder.join("file"), vec![0; bytes]).expect("a file");
    }
    let run = |arguments: &[&str]| {
        let output = command(cache.path(), arguments).env("WARPFOLD_CACHE", cache.path()).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout)
    };
    let listed = run(&["cache"]);
    assert!(
        listed.contains("3.00 KiB") && listed.contains("0.0.1/ptx") && listed.contains("cuda"),
        "{listed}"
    );
    assert!(run(&["cache", "--clear"]).contains("removed 2.00 KiB"));
    assert!(!old.exists() && tools.exists());
    assert!(run(&["cache", "--clear=all"]).contains("removed 1.00 KiB"));
    assert!(!tools.exists());
}

#[test]
fn completions_and_manual_pages_name_the_commands() {
    let folder = folder(&[]);
    for shell in ["bash", "zsh", "fish"] {
        let output = warpfold(folder.path(), &["completions", shell]);
        let script = text(&output.stdout);
        assert!(output.status.success() && script.contains("parallelize"), "{shell}: {script}");
    }
    make(folder.path(), &["completions", "--manual-pages", "man"]);
    let page = |name: &str| fs::read_to_string(folder.path().join("man").join(name)).expect("a page");
    assert!(page("warpfold.1").contains("warpfold\\-reduce(1)"), "{}", page("warpfold.1"));
    assert!(page("warpfold-parallelize.1").contains("assume"), "{}", page("warpfold-parallelize.1"));
    assert!(!folder.path().join("man/warpfold-stand-in.1").exists(), "a hidden command");
}

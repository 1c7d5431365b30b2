//! The programs of `examples/openmp`, built and run by the commands in their first lines, at -O0 and -O2.

mod common;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("examples").join("openmp")
}

/// The programs' sources, by name.
fn sources() -> BTreeSet<String> {
    let names = fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name in UTF-8"));
    names.filter(|name| [".c", ".cpp", ".f90"].iter().any(|ending| name.ends_with(ending))).collect()
}

/// Builds a program with these options and runs it, in order and with a seed. Its output must be that of its
/// `.out` file.
fn check(source: &str, options: &[&str]) -> Result<(), String> {
    let warpfold = || Command::new(env!("CARGO_BIN_EXE_warpfold"));
    let (name, language) = source.rsplit_once('.').expect("a source has an ending");
    let (compiler, libraries) = match language {
        "c" => ("cc", &["-lm"][..]),
        "cpp" => ("c++", &[][..]),
        _ => ("fc", &[][..]),
    };
    let built = tempfile::tempdir().map_err(|error| error.to_string())?;
    let program = built.path().join(name);
    let mut compile = warpfold();
    compile.arg(compiler).args(options).arg(folder().join(source)).arg("-o").arg(&program).args(libraries);
    output(&mut compile).map_err(|message| format!("{source} {options:?} is not built: {message}"))?;

    let expected = fs::read_to_string(folder().join(format!("{name}.out"))).map_err(|e| e.to_string())?;
    // Unoptimised programs take ten times as long.
    let orders = [&[][..], &["--seed", "5"]];
    let orders = if options.contains(&"-O0") { &orders[1..] } else { &orders[..] };
    for order in orders {
        let printed = output(warpfold().arg("run").args(*order).arg(&program))
            .map_err(|message| format!("{source} {options:?} {order:?}: {message}"))?;
        if printed != expected {
            return Err(format!("{source} {options:?} {order:?} prints\n{printed}instead of\n{expected}"));
        }
    }
    Ok(())
}

/// Standard output, or status and all output if the command fails.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command.env_remove("OMP_TARGET_OFFLOAD").output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr))),
    }
}

/// Checks programs in a mode and reports every failure: all, or in the tests of a change every second one, of which `first`
/// is the first.
fn check_all(first: usize, options: &[&str]) {
    // flang has no such option.
    let takes = |source: &str, option: &str| !(source.ends_with(".f90") && option.ends_with("offload-lto"));
    let options_of = |source: &str| -> Vec<&str> {
        options.iter().copied().filter(|option| takes(source, option)).collect()
    };
    let sources = sources().into_iter().skip(if common::is_nightly() { 0 } else { first });
    let sources = sources.step_by(if common::is_nightly() { 1 } else { 2 });
    let failures: Vec<_> = sources.filter_map(|source| check(&source, &options_of(&source)).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn examples_print_their_output_optimised() {
    check_all(0, &["-O2"]);
}

/// Each file by itself, as the other mode of compilation; without ptxas, which takes longer than all the rest.
#[test]
fn examples_print_their_output_unoptimised() {
    check_all(1, &["-O0", "-fno-offload-lto", "--emulator"]);
}

#[test]
fn examples_print_their_output_in_other_modes() {
    if !common::is_nightly() {
        return eprintln!("skipped: other modes are for `cargo xtask test nightly`");
    }
    check_all(0, &["-O2", "-fno-offload-lto"]);
    check_all(0, &["-O0", "-foffload-lto"]);
}

#[test]
fn every_example_has_output_commands_and_a_row_in_the_table() {
    let read = |name: &str| fs::read_to_string(folder().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let table = read("README.md");
    for source in sources() {
        let (name, language) = source.rsplit_once('.').expect("a source has an ending");
        assert!(!read(&format!("{name}.out")).is_empty(), "{name}.out is empty");
        let compiler = if language == "f90" {
            "fc"
        } else if language == "cpp" {
            "c++"
        } else {
            "cc"
        };
        let commands =
            [format!("warpfold {compiler} -O2 {source} -o {name}"), format!("&& warpfold run ./{name}")];
        let head: Vec<_> = read(&source).lines().take(4).map(String::from).collect();
        for command in commands {
            assert!(head.iter().any(|line| line.contains(&command)), "{source} does not contain `{command}`");
        }
        assert!(table.contains(&format!("| [{source}]({source}) |")), "README.md has no row for {source}");
    }
}

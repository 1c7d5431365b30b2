//! Crates that call the driver: their tests, the examples in their documentation, and their programs.

use std::{fs, path::Path, path::PathBuf, process::Command};

use super::suite::{Outcomes, Setup, Stop, fetch, link, output, wheels, write};

/// cust: unit tests and the examples in its documentation.
pub fn cust(setup: &Setup) -> Result<Outcomes, Stop> {
    let sources = sources(setup, "cust")?;
    // cust is published without a lock file.
    write(&sources.join("Cargo.lock"), include_str!("cust.lock"))?;
    // Its build script looks for these two files.
    let cuda = setup.folder.join("cuda");
    link(&setup.driver.join("libcuda.so.1"), &cuda.join("lib64/libcuda.so"))?;
    fs::create_dir_all(cuda.join("include")).map_err(|error| Stop::Broken(error.to_string()))?;
    write(&cuda.join("include/cuda.h"), "")?;
    let cargo = |kind: &str| {
        let mut cargo = cargo(setup, &sources, "test");
        cargo.arg(kind).env("CUDA_LIBRARY_PATH", &cuda).env("LD_LIBRARY_PATH", &setup.driver);
        cargo
    };
    let mut outcomes = tests(cargo("--lib").args(["--", "--test-threads=1"]))?;
    outcomes.extend(tests(&mut cargo("--doc"))?);
    Ok(outcomes)
}

/// cudarc: unit tests and example programs, some with kernels compiled by NVRTC.
pub fn cudarc(setup: &Setup) -> Result<Outcomes, Stop> {
    const EXAMPLES: [&str; 11] = [
        "01-allocate",
        "02-copy",
        "03-launch-kernel",
        "04-streams",
        "05-device-repr",
        "06-threading",
        "09-constant-memory",
        "10-function-attributes",
        "12-context-config",
        "matmul-kernel",
        "nvrtc-compile",
    ];
    let sources = sources(setup, "cudarc")?;
    let python = setup.folder.join("nvrtc");
    wheels(&python, include_str!("nvrtc.txt"))?;
    let nvrtc = python.join("nvidia/cu13/lib");
    link(&nvrtc.join("libnvrtc.so.13"), &nvrtc.join("libnvrtc.so"))?;
    let libraries =
        std::env::join_paths([&setup.driver, &nvrtc]).map_err(|error| Stop::Broken(error.to_string()))?;
    let cargo = |command: &str| {
        let mut cargo = cargo(setup, &sources, command);
        cargo.args(["--no-default-features", "--features", "std,driver,nvrtc,dynamic-loading,cuda-12080"]);
        cargo.env("LD_LIBRARY_PATH", &libraries);
        cargo
    };
    let mut skips = vec!["--test-threads=1", "--exact"];
    skips.extend(setup.skipped.iter().flat_map(|test| ["--skip", test]));
    let mut outcomes = tests(cargo("test").args(["--lib", "--"]).args(skips))?;
    let build = EXAMPLES.iter().flat_map(|example| ["--example", example]);
    if let (text, false) = output(cargo("build").args(build))? {
        return Err(Stop::Broken(format!("the examples are not built:\n{text}")));
    }
    for example in EXAMPLES {
        let (_, passed) = output(cargo("run").args(["--example", example]))?;
        outcomes.insert(format!("example {example}"), passed);
    }
    Ok(outcomes)
}

/// A crate's sources as published: cargo fetches and checks them; they are copied so that nothing is written
/// into the registry.
fn sources(setup: &Setup, name: &str) -> Result<PathBuf, Stop> {
    let copy = setup.folder.join(format!("{name}-{}", setup.version));
    if copy.join("Cargo.toml").is_file() {
        return Ok(copy);
    }
    let user = setup.folder.join("fetch");
    fs::create_dir_all(user.join("src")).map_err(|error| Stop::Broken(error.to_string()))?;
    let version = setup.version;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nedition = \"2024\"\n\n[dependencies]\n\
         {name} = {{ version = \"={version}\", default-features = false }}\n\n[workspace]\n"
    );
    write(&user.join("Cargo.toml"), &manifest)?;
    write(&user.join("src/lib.rs"), "")?;
    let mut metadata = Command::new(env!("CARGO"));
    metadata
        .args(["metadata", "--quiet", "--format-version=1", "--manifest-path"])
        .arg(user.join("Cargo.toml"));
    let text = fetch(&mut metadata)?;
    let metadata: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| Stop::Broken(format!("cargo metadata: {error}")))?;
    let found = metadata["packages"].as_array().into_iter().flatten().find(|package| package["name"] == name);
    let manifest = found
        .and_then(|package| package["manifest_path"].as_str())
        .ok_or_else(|| Stop::Broken(format!("cargo metadata does not list {name}")))?;
    let from = Path::new(manifest).parent().expect("a manifest lies in a folder");
    fetch(Command::new("cp").args(["-r", "--"]).arg(from).arg(&copy))?;
    Ok(copy)
}

fn cargo(setup: &Setup, sources: &Path, command: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(sources).args([command, "--locked", "--target-dir"]);
    cargo.arg(setup.folder.join("target")).env_remove("RUST_BACKTRACE").env("CARGO_TERM_COLOR", "never");
    // Settings of this program's build do not apply.
    cargo.env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS").env_remove("RUSTC_WRAPPER");
    cargo
}

/// Runs a command that runs Rust tests; the outcomes that it prints.
pub fn tests(command: &mut Command) -> Result<Outcomes, Stop> {
    let (text, _) = output(command)?;
    let outcomes = outcomes(&text);
    match outcomes.is_empty() {
        true => Err(Stop::Broken(format!("no test ran:\n{text}"))),
        false => Ok(outcomes),
    }
}

/// Reads lines such as `test NAME ... ok`; output of the test may come between name and outcome.
fn outcomes(text: &str) -> Outcomes {
    let mut outcomes = Outcomes::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let rest = match line.strip_prefix("test ").and_then(|line| line.split_once(" ... ")) {
            Some((name, rest)) => {
                open = Some(name.strip_suffix(" - should panic").unwrap_or(name).to_owned());
                rest
            }
            None => line,
        };
        let passed = match rest {
            _ if rest.ends_with("ok") => true,
            _ if rest.ends_with("FAILED") => false,
            _ => continue,
        };
        if let Some(name) = open.take() {
            outcomes.insert(name, passed);
        }
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_from_the_lines_of_tests() {
        let text = "running 3 tests\ntest a::b ... ok\ntest c - should panic ... ok\ntest d ... ignored, two GPUs\n\
                    test src/lib.rs - x (line 3) ... FAILED\ntest e ... printed\nok\n\ntest result: FAILED. 3 passed\n";
        let found: Vec<_> = outcomes(text).into_iter().collect();
        let expected = [("a::b", true), ("c", true), ("e", true), ("src/lib.rs - x (line 3)", false)];
        assert_eq!(found, expected.map(|(name, passed)| (name.to_owned(), passed)));
    }
}

//! `warpfold reduce`: output and errors.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn warpfold(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpfold"));
    command.args(arguments).env("WARPFOLD_DEVICE", "emulator").stdin(Stdio::null());
    command
}

/// Runs the command with `input` on its standard input.
fn with_input(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Fails if the program stops reading because of an error.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The message of a command that must fail, and must not panic.
fn failure(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "succeeded: {}", String::from_utf8_lossy(&output.stdout));
    assert!(!text.contains("panicked"), "{text}");
    assert!(output.status.code().is_some(), "ended by a signal");
    text
}

/// A file that is removed when the test ends.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, contents: &[u8]) -> Temporary {
        let path = std::env::temp_dir().join(format!("warpfold-{}-{name}", std::process::id()));
        fs::write(&path, contents).unwrap();
        Temporary(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_column_of_text_from_a_pipe() {
    let text: String = (1..=100_000).map(|i| format!("{i}\n")).collect();
    let arguments = ["reduce", "--op", "sum,min,max", "--type", "i64", "--format", "csv", "-"];
    let output = with_input(warpfold(&arguments), text.as_bytes());
    assert_eq!(stdout(&output), "sum 5000050000\nmin 1\nmax 100000\n");
}

#[test]
fn raw_files_of_every_type() {
    let bytes: Vec<u8> = (1..=1000_i32).flat_map(|i| (-i).to_ne_bytes()).collect();
    let file = Temporary::new("i32", &bytes);
    let output = warpfold(&["reduce", "--op", "sum,max", "--type", "i32", file.path()]).output().unwrap();
    assert_eq!(stdout(&output), "sum -500500\nmax -1\n");

    let bytes: Vec<u8> = [0.1_f32, 0.2, 16777216.0].iter().flat_map(|v| v.to_ne_bytes()).collect();
    let file = Temporary::new("f32", &bytes);
    let output = warpfold(&["reduce", "--op", "min,max", "--type", "f32", file.path()]).output().unwrap();
    assert_eq!(stdout(&output), "min 0.1\nmax 16777216\n");

    let bytes: Vec<u8> = [1e300_f64, 0.1].iter().flat_map(|v| v.to_ne_bytes()).collect();
    let file = Temporary::new("f64", &bytes);
    let output = warpfold(&["reduce", "--op", "sum,min", "--type", "f64", file.path()]).output().unwrap();
    assert_eq!(stdout(&output), "sum 1e300\nmin 0.1\n");
}

#[test]
fn empty_input_gives_the_initial_values() {
    let output = warpfold(&["reduce", "--op", "sum,min", "--type", "i32", "/dev/null"]).output().unwrap();
    assert_eq!(stdout(&output), "sum 0\nmin 2147483647\n");
    let output = warpfold(&["reduce", "--op", "sum,max", "--type", "f64", "/dev/null"]).output().unwrap();
    assert_eq!(stdout(&output), "sum 0\nmax NaN\n");
}

#[test]
fn narrow_numbers_wide_results_and_indices() {
    let text = b"3\n-7\n100\n-7\n100\n";
    let arguments = ["reduce", "--op", "+,product,argmin,argmax,any", "--type", "i8", "--result", "i64"];
    let lines = [&arguments[..], &["--format", "csv", "-"]].concat();
    let output = stdout(&with_input(warpfold(&lines), text));
    assert_eq!(output, "sum 189\nproduct 1470000\nargmin -7 at 1\nargmax 100 at 2\nany 1\n");
    let json = [&arguments[..], &["--format", "csv", "--json", "-"]].concat();
    let output = stdout(&with_input(warpfold(&json), text));
    assert!(output.contains(r#""argmin":{"index":1,"value":-7}"#), "{output}");
    let empty = stdout(&with_input(warpfold(&lines), b""));
    assert_eq!(empty, "sum 0\nproduct 1\nargmin none\nargmax none\nany 0\n");
    let half = ["reduce", "--op", "sum,max", "--type", "f16", "--format", "csv", "-"];
    assert_eq!(stdout(&with_input(warpfold(&half), b"0.5\n2048\n")), "sum 2048\nmax 2048\n");
    let lossy = ["reduce", "--op", "sum", "--type", "i64", "--result", "i8", "--format", "csv", "-"];
    assert!(failure(&with_input(warpfold(&lossy), b"1\n")).contains("array 0 has elements of type i64"));
}

/// Indices continue from one piece of the input to the next; this input has two pieces.
#[test]
fn indices_continue_from_piece_to_piece() {
    let mut bytes = vec![1_u8; (8 << 20) + 10];
    bytes[(8 << 20) + 3] = 0;
    let file = Temporary::new("indices.bin", &bytes);
    let arguments = ["reduce", "--op", "argmin", "--type", "u8", file.path()];
    let output = stdout(&warpfold(&arguments).output().unwrap());
    assert_eq!(output, format!("argmin 0 at {}\n", (8 << 20) + 3));
}

#[test]
fn a_named_column_as_json() {
    let file = Temporary::new("prices.csv", b"item;price\nnut;0.25\nbolt; 1.5\n");
    let arguments = [
        "reduce",
        "--op",
        "sum,max",
        "--type",
        "f64",
        "--column",
        "price",
        "--delimiter",
        ";",
        "--json",
        file.path(),
    ];
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&warpfold(&arguments).output().unwrap())).unwrap();
    assert_eq!(json["results"]["sum"], 1.75);
    assert_eq!(json["results"]["max"], 1.5);
    assert_eq!(json["count"], 2);
    assert_eq!(json["type"], "f64");
}

#[test]
fn counts_are_written_for_every_launch() {
    // Three pieces: 20 MiB in pieces of 8.
    let file = Temporary::new("zeros", &vec![0; 20 << 20]);
    let counts = Temporary::new("counts.json", b"");
    let option = format!("--counts={}", counts.path());
    let arguments = ["reduce", "--op", "sum", "--type", "i32", &option, file.path()];
    assert_eq!(stdout(&warpfold(&arguments).output().unwrap()), "sum 0\n");
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&counts.0).unwrap()).unwrap();
    let launches = json["launches"].as_array().unwrap();
    assert_eq!(launches.len(), 3);
    for (launch, bytes) in launches.iter().zip([8 << 20, 8 << 20, 4 << 20]) {
        assert_eq!(launch["kernel"], "warpfold_reduce");
        // Every sector of the piece once, plus the slots and the record.
        let sectors = launch["global_sectors"].as_u64().unwrap();
        assert!((bytes / 32..bytes / 32 + 20_000).contains(&sectors), "{sectors} sectors for {bytes} bytes");
        for name in ["thread_instructions", "warp_instructions", "barriers", "shuffles", "atomics"] {
            assert!(launch[name].as_u64().unwrap() > 0, "{name}");
        }
        // These are not counted yet, and are null.
        assert!(launch["block_reductions"].is_null() && launch["parallel_regions"].is_null());
    }
}

#[test]
fn errors_name_the_input_and_the_reason() {
    let ragged = Temporary::new("ragged", &[0; 7]);
    let text = Temporary::new("text.csv", b"1\n2\nthree\n");
    let cases: [(&[&str], &[&str]); 9] = [
        (&["--op", "sum", "--type", "i32", "/no/such/file"], &["/no/such/file", "cannot open"]),
        (&["--op", "sum", "--type", "i32", "/"], &["cannot open", "folder"]),
        (&["--op", "sum", "--type", "i32", ragged.path()], &["7 bytes", "multiple of the 4"]),
        (&["--op", "sum", "--type", "i32", text.path()], &["line 3", "'three'", "i32"]),
        (
            &["--op", "sum", "--type", "i32", "--column", "price", text.path()],
            &["price", "first line has: 1"],
        ),
        (&["--op", "sum", "--type", "i32", "--column", "2", text.path()], &["line 1", "column 2"]),
        (&["--op", "sum", "--type", "int", text.path()], &["int", "i8, i16, i32, i64, i128"]),
        (&["--op", "sum,mean", "--type", "i32", text.path()], &["mean", "sum, product, min, max"]),
        (&["--op", "sum,sum", "--type", "i32", text.path()], &["sum", "twice"]),
    ];
    for (arguments, expected) in cases {
        let mut command = warpfold(&["reduce"]);
        let message = failure(&command.args(arguments).output().unwrap());
        for part in expected {
            assert!(message.contains(part), "{arguments:?}: no '{part}' in: {message}");
        }
    }
}

#[test]
fn an_incomplete_value_in_a_pipe_is_an_error() {
    let output = with_input(warpfold(&["reduce", "--op", "sum", "--type", "i64", "-"]), &[0; 12]);
    assert!(failure(&output).contains("12 bytes"));
    assert!(output.stdout.is_empty());
}

#[test]
fn a_missing_toolchain_is_reported_with_a_hint() {
    let file = Temporary::new("one", &[0; 8]);
    let cache = std::env::temp_dir().join(format!("warpfold-empty-cache-{}", std::process::id()));
    for variable in ["WARPFOLD_DEVICE_RUSTC", "WARPFOLD_LLVM_BIN"] {
        let mut command = warpfold(&["reduce", "--op", "sum", "--type", "i64", file.path()]);
        command.env(variable, "/nowhere").env("WARPFOLD_CACHE", &cache);
        let message = failure(&command.output().unwrap());
        assert!(message.contains("/nowhere") && message.contains("hint"), "{message}");
    }
    let _ = fs::remove_dir_all(cache);
}

#[test]
fn a_fault_of_the_emulator_is_reported() {
    let file = Temporary::new("steps", &[0; 8000]);
    let mut command = warpfold(&["reduce", "--op", "sum", "--type", "i64", file.path()]);
    let message = failure(&command.env("WARPFOLD_STEP_LIMIT", "50").output().unwrap());
    for part in ["warpfold_reduce", "TIMEOUT", "limit of 50"] {
        assert!(message.contains(part), "no '{part}' in: {message}");
    }
}

#[test]
fn a_missing_gpu_is_reported() {
    let file = Temporary::new("gpu", &[0; 8]);
    let output = warpfold(&["reduce", "--op", "sum", "--type", "i64", "--device", "cuda", file.path()])
        .output()
        .unwrap();
    if output.status.success() {
        println!("skipped: this machine has a GPU");
        return;
    }
    assert!(failure(&output).contains("libcuda"));
}

#[test]
fn a_full_disk_and_a_closed_pipe_are_errors() {
    let file = Temporary::new("full", &[0; 8]);
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let reduce = ["reduce", "--op", "sum", "--type", "i64", file.path()];
    let output = warpfold(&reduce).stdout(full()).stderr(Stdio::piped()).output().unwrap();
    assert!(failure(&output).contains("standard output"));

    let output = warpfold(&reduce).arg("--counts=/dev/full").output().unwrap();
    assert!(failure(&output).contains("/dev/full"));
    assert!(output.stdout.is_empty(), "a result was printed though the run failed");

    // Neither stream can be written: only the exit status shows the error.
    let status = warpfold(&reduce).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(1));

    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = warpfold(&reduce).stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert!(failure(&output).contains("standard output"));
}

#[test]
fn paths_for_other_builds() {
    let output = warpfold(&["config", "--cuda-link-dir"]).output().unwrap();
    let folder = stdout(&output);
    assert!(Path::new(folder.trim_end()).join("lib64/libcuda.so").is_file(), "{folder}");
    let output = warpfold(&["config", "--driver-dir"]).output().unwrap();
    let folder = PathBuf::from(stdout(&output).trim_end());
    // Both names lead to a library that any program may load.
    for name in ["libcuda.so", "libcuda.so.1"] {
        // SAFETY: this is the library just written, whose constructors do nothing.
        let library = unsafe { libloading::Library::new(folder.join(name)) }.unwrap();
        // SAFETY: the symbol is looked up, and never read.
        assert!(unsafe { library.get::<*const u8>(b"warpfold_emulated_driver\0") }.is_ok());
    }
    let output = warpfold(&["config", "--openmp-dir"]).output().unwrap();
    let folder = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
    assert!(folder.join("libomptarget-nvptx.bc").is_file() && folder.join("libompdevice.a").is_file());
    assert!(!warpfold(&["config"]).output().unwrap().status.success());
}

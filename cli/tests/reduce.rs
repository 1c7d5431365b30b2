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
    let output = warpfold(&["reduce", "--op", "sum,max", "--type", "i32", "--format", "raw", file.path()])
        .output()
        .unwrap();
    assert_eq!(stdout(&output), "sum -500500\nmax -1\n");

    let bytes: Vec<u8> = [0.1_f32, 0.2, 16777216.0].iter().flat_map(|v| v.to_ne_bytes()).collect();
    let file = Temporary::new("f32", &bytes);
    let output = warpfold(&["reduce", "--op", "min,max", "--type", "f32", "--format", "raw", file.path()])
        .output()
        .unwrap();
    assert_eq!(stdout(&output), "min 0.1\nmax 16777216\n");

    let bytes: Vec<u8> = [1e300_f64, 0.1].iter().flat_map(|v| v.to_ne_bytes()).collect();
    let file = Temporary::new("f64", &bytes);
    let output = warpfold(&["reduce", "--op", "sum,min", "--type", "f64", "--format", "raw", file.path()])
        .output()
        .unwrap();
    assert_eq!(stdout(&output), "sum 1e300\nmin 0.1\n");
}

#[test]
fn empty_input_has_a_sum_and_no_minimum() {
    let output = warpfold(&["reduce", "--op", "sum,min", "--type", "i32", "/dev/null"]).output().unwrap();
    assert_eq!(stdout(&output), "sum 0\nmin none\n");
    let output = warpfold(&["reduce", "--op", "sum,max", "--type", "f64", "/dev/null"]).output().unwrap();
    assert_eq!(stdout(&output), "sum 0\nmax none\n");
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
    assert_eq!(stdout(&with_input(warpfold(&half), b"0.5\n2048\n")), "sum 2048.5\nmax 2048\n");
    let lossy = ["reduce", "--op", "sum", "--type", "i64", "--result", "i8", "--format", "csv", "-"];
    assert!(failure(&with_input(warpfold(&lossy), b"1\n")).contains("--result i8 does not have every value"));
}

/// Indices continue from one piece of the input to the next; this input has two pieces.
#[test]
fn indices_continue_from_piece_to_piece() {
    let mut bytes = vec![1_u8; (8 << 20) + 10];
    bytes[(8 << 20) + 3] = 0;
    let file = Temporary::new("indices.bin", &bytes);
    let arguments = ["reduce", "--op", "argmin", "--type", "u8", "--format", "raw", file.path()];
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
    let column = &json["columns"][0];
    assert_eq!(column["results"]["sum"], 1.75);
    assert_eq!(column["results"]["max"], 1.5);
    assert_eq!((&column["count"], &column["missing"]), (&2.into(), &0.into()));
    assert_eq!((&column["column"], &column["type"]), (&"price".into(), &"f64".into()));
}

#[test]
fn counts_are_written_for_every_launch() {
    // Three pieces: 20 MiB in pieces of 8.
    let file = Temporary::new("zeros", &vec![0; 20 << 20]);
    let counts = Temporary::new("counts.json", b"");
    let option = format!("--counts={}", counts.path());
    let arguments = ["reduce", "--op", "sum", "--type", "i32", "--format", "raw", &option, file.path()];
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
        (
            &["--op", "sum", "--type", "i32", "--format", "raw", ragged.path()],
            &["7 bytes", "multiple of the 4"],
        ),
        (&["--op", "sum", "--type", "i32", text.path()], &["line 3", "'three'", "i32"]),
        (&["--op", "sum", "--type", "i32", "--column", "price", text.path()], &["price", "it has: 1"]),
        (&["--op", "sum", "--type", "i32", "--column", "2", text.path()], &["line 1", "column 2"]),
        (&["--op", "sum", "--type", "int", text.path()], &["int", "i8, i16, i32, i64, i128"]),
        (&["--op", "sum,mode", "--type", "i32", text.path()], &["mode", "sum, product, min, max", "median"]),
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
    let output =
        with_input(warpfold(&["reduce", "--op", "sum", "--type", "i64", "--format", "raw", "-"]), &[0; 12]);
    assert!(failure(&output).contains("12 bytes"));
    assert!(output.stdout.is_empty());
}

#[test]
fn a_missing_toolchain_is_reported_with_a_hint() {
    let file = Temporary::new("one", &[0; 8]);
    let cache = std::env::temp_dir().join(format!("warpfold-empty-cache-{}", std::process::id()));
    for variable in ["WARPFOLD_DEVICE_RUSTC", "WARPFOLD_LLVM_BIN"] {
        let mut command =
            warpfold(&["reduce", "--op", "sum", "--type", "i64", "--format", "raw", file.path()]);
        command.env(variable, "/nowhere").env("WARPFOLD_CACHE", &cache);
        let message = failure(&command.output().unwrap());
        assert!(message.contains("/nowhere") && message.contains("hint"), "{message}");
    }
    let _ = fs::remove_dir_all(cache);
}

#[test]
fn a_fault_of_the_emulator_is_reported() {
    let file = Temporary::new("steps", &[0; 8000]);
    let mut command = warpfold(&["reduce", "--op", "sum", "--type", "i64", "--format", "raw", file.path()]);
    let message = failure(&command.env("WARPFOLD_STEP_LIMIT", "50").output().unwrap());
    for part in ["warpfold_reduce", "TIMEOUT", "limit of 50"] {
        assert!(message.contains(part), "no '{part}' in: {message}");
    }
}

#[test]
fn a_missing_gpu_is_reported() {
    let file = Temporary::new("gpu", &[0; 8]);
    let output = warpfold(&[
        "reduce",
        "--op",
        "sum",
        "--type",
        "i64",
        "--format",
        "raw",
        "--device",
        "cuda",
        file.path(),
    ])
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
    let reduce = ["reduce", "--op", "sum", "--type", "i64", "--format", "raw", file.path()];
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

/// The command on the emulator, which must succeed.
fn reduced(arguments: &[&str]) -> String {
    stdout(&warpfold(&[&["reduce"], arguments].concat()).output().unwrap())
}

/// The message of the command, which must fail.
fn rejected(arguments: &[&str]) -> String {
    failure(&warpfold(&[&["reduce"], arguments].concat()).output().unwrap())
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn text_is_never_read_as_raw_values_without_a_word() {
    // The bytes are two values of i64, too.
    let digits = b"1\n2\n3\n4\n5\n6\n7\n8\n";
    for name in ["numbers", "numbers.txt", "numbers.dat"] {
        let file = Temporary::new(name, digits);
        assert_eq!(reduced(&["--op", "sum", "--type", "i64", file.path()]), "sum 36\n", "{name}");
    }
    let raw = Temporary::new("numbers.raw", digits);
    let message = rejected(&["--op", "sum", "--type", "i64", raw.path()]);
    assert!(message.contains("numbers as text") && message.contains("--format csv"), "{message}");
    let output = warpfold(&["reduce", "--op", "count", "--type", "i64", "--format", "raw", raw.path()])
        .output()
        .unwrap();
    assert_eq!(stdout(&output), "count 2\n");
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(warning.contains("warning") && warning.contains("--format csv"), "{warning}");

    let binary = Temporary::new("numbers.bin", &[1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(reduced(&["--op", "sum", "--type", "i32", binary.path()]), "sum 3\n");
    let unclear = Temporary::new("unclear", &[1, 0, 0, 0]);
    assert!(rejected(&["--op", "sum", "--type", "i32", unclear.path()]).contains("--format raw"));
    assert!(rejected(&["--op", "sum", binary.path()]).contains("--type T"));
}

#[test]
fn moments_are_those_of_the_definition() {
    // Large numbers that differ little: the sum of squares less the square of the sum has no correct digit.
    let values: Vec<f64> = (0..200_000).map(|i| 1e9 + f64::from(i % 1000)).collect();
    let text: String = values.iter().map(|value| format!("{value}\n")).collect();
    let count = values.len() as f64;
    let mean = 1e9 + 499.5;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let expected = [
        count,
        mean,
        squares / (count - 1.0),
        (squares / (count - 1.0)).sqrt(),
        squares / count,
        (squares / count).sqrt(),
    ];
    let operators = "count,mean,var,stddev,pvar,pstddev";
    for ty in ["auto", "f64", "i64", "i128", "u128", "u32"] {
        let output = with_input(warpfold(&["reduce", "--op", operators, "--type", ty, "-"]), text.as_bytes());
        let output = stdout(&output);
        let found = output.lines().map(|line| line.split_once(' ').unwrap().1.parse::<f64>().unwrap());
        for (found, expected) in found.zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-12, "{ty}: {found} instead of {expected}");
        }
        assert_eq!(output.lines().count(), expected.len());
    }
    let few =
        |text: &str| stdout(&with_input(warpfold(&["reduce", "--op", operators, "-"]), text.as_bytes()));
    assert_eq!(few("4\n"), "count 1\nmean 4\nvar none\nstddev none\npvar 0\npstddev 0\n");
    assert_eq!(few(""), "count 0\nmean none\nvar none\nstddev none\npvar none\npstddev none\n");
    assert_eq!(few("1\nNaN\n").lines().nth(2), Some("var NaN"));
}

/// Pieces are combined as threads are: this input has two pieces.
#[test]
fn moments_of_several_pieces() {
    let values = (0..1_500_000).map(|i| (i % 1000) as f64);
    let file = Temporary::new("moments.bin", &values.flat_map(f64::to_ne_bytes).collect::<Vec<_>>());
    let output = reduced(&["--op", "mean,pvar,sum", "--type", "f64", file.path()]);
    assert_eq!(output, "mean 499.5\npvar 83333.25\nsum 749250000\n");
}

#[test]
fn an_overflow_of_a_sum_is_an_error_unless_it_may_wrap() {
    let sum = |ty: &str, text: &str, more: &[&str]| {
        let arguments = [&["reduce", "--op", "sum", "--type", ty], more, &["-"]].concat();
        with_input(warpfold(&arguments), text.as_bytes())
    };
    // The running sum leaves the type, and the result does not.
    assert_eq!(stdout(&sum("i8", "100\n100\n-100\n", &[])), "sum 100\n");
    assert_eq!(stdout(&sum("u64", "18446744073709551615\n", &[])), "sum 18446744073709551615\n");
    let most = "170141183460469231731687303715884105727";
    assert_eq!(stdout(&sum("i128", &format!("{most}\n1\n-1\n"), &[])), format!("sum {most}\n"));
    assert_eq!(stdout(&sum("i128", "-5\n3\n", &[])), "sum -2\n");
    let cases = [
        ("i32", "2147483647\n1\n".to_owned(), "sum 2147483648 is not a value of i32: add --result i64"),
        ("i64", format!("{0}\n{0}\n", i64::MIN), "add --result i128"),
        (
            "u64",
            format!("{}\n1\n", u64::MAX),
            "18446744073709551616 is not a value of u64: add --result u128",
        ),
        ("i128", format!("{most}\n1\n"), "--type f64"),
        ("u128", format!("{}\n1\n", u128::MAX), "--wrapping"),
    ];
    for (ty, text, expected) in cases {
        let message = failure(&sum(ty, &text, &[]));
        assert!(message.contains(expected), "{ty}: {message}");
        assert!(sum(ty, &text, &["--wrapping"]).status.success(), "{ty}");
    }
    assert_eq!(stdout(&sum("i32", "2147483647\n1\n", &["--wrapping"])), "sum -2147483648\n");
    assert_eq!(stdout(&sum("i32", "2147483647\n1\n", &["--result", "i64"])), "sum 2147483648\n");
    // A mean does not overflow.
    let mean = with_input(warpfold(&["reduce", "--op", "mean", "--type", "i8", "-"]), b"127\n127\n");
    assert_eq!(stdout(&mean), "mean 127\n");
}

#[test]
fn an_overflow_of_a_product_is_an_error_unless_it_may_wrap() {
    let product = |ty: &str, text: &str, more: &[&str]| {
        let arguments = [&["reduce", "--op", "product", "--type", ty], more, &["-"]].concat();
        with_input(warpfold(&arguments), text.as_bytes())
    };
    let half = "-9223372036854775808\n";
    let most = i128::MIN;
    let cases = [
        ("i8", "-2\n64\n".to_owned(), "-128".to_owned()),
        ("i64", format!("{half}1\n"), i64::MIN.to_string()),
        ("i64", format!("{half}{half}{half}{half}0\n"), "0".into()),
        ("i128", format!("{half}{half}2\n-1\n"), most.to_string()),
        (
            "u128",
            format!("{}\n{}\n", u64::MAX, u64::MAX),
            (u128::from(u64::MAX) * u128::from(u64::MAX)).to_string(),
        ),
        ("u8", "3\n5\n17\n".into(), "255".into()),
    ];
    for (ty, text, expected) in cases {
        assert_eq!(stdout(&product(ty, &text, &[])), format!("product {expected}\n"), "{ty}: {text}");
    }
    let overflows = [
        ("i8", "2\n64\n".to_owned(), "128 is not a value of i8: add --result i32"),
        ("i64", format!("{half}-1\n"), "add --result i128"),
        ("i128", format!("{half}{half}-2\n-1\n"), "--type f64"),
        ("u128", format!("{}\n{}\n2\n", u64::MAX, u64::MAX), "more than 128 bits"),
        ("u128", format!("{}\n{}\n", 1_u128 << 64, 1_u128 << 64), "more than 128 bits"),
        ("u128", format!("{}\n{}\n", (1_u128 << 65) + 1, u64::MAX), "more than 128 bits"),
    ];
    for (ty, text, expected) in overflows {
        let message = failure(&product(ty, &text, &[]));
        assert!(message.contains(expected), "{ty}: {message}");
        assert!(product(ty, &text, &["--wrapping"]).status.success(), "{ty}");
    }
    assert_eq!(stdout(&product("i8", "2\n64\n", &["--wrapping"])), "product -128\n");
    // Many threads: 2^100 from a hundred twos among ones.
    let text: String = (0..5000).map(|i| if i % 50 == 7 { "2\n" } else { "1\n" }).collect();
    assert_eq!(stdout(&product("i8", &text, &["--result", "i128"])), format!("product {}\n", 1_u128 << 100));
}

#[test]
fn several_columns_in_one_pass() {
    let file = Temporary::new("shop.csv", b"item,price,qty\nnut,0.25,4\nbolt,1.5,\nnail,,7\n");
    let operators = ["--op", "price:sum,qty:max,price:max,qty:mean,3:count", "--skip-missing"];
    let output = reduced(&[&operators[..], &[file.path()]].concat());
    assert_eq!(output, "price:sum 1.75\nqty:max 7\nprice:max 1.5\nqty:mean 5.5\n3:count 2\n");
    let json: serde_json::Value =
        serde_json::from_str(&reduced(&[&operators[..], &["--json", file.path()]].concat())).unwrap();
    let columns = json["columns"].as_array().unwrap();
    let types: Vec<_> = columns.iter().map(|column| &column["type"]).collect();
    assert_eq!(types, ["f64", "i64", "i64"]);
    assert_eq!((&columns[1]["missing"], &columns[1]["results"]["max"]), (&1.into(), &7.into()));
    let message = rejected(&["--op", "price:sum", file.path()]);
    assert!(message.contains("line 4, column 2: the cell is empty; --skip-missing"), "{message}");
    let message = rejected(&["--op", "sum", file.path()]);
    assert!(message.contains("3 columns") && message.contains("item, price, qty"), "{message}");
    let output = reduced(&["--op", "price:max,max", "--column", "qty", "--skip-missing", file.path()]);
    assert_eq!(output, "price:max 1.5\nmax 7\n");
}

#[test]
fn compressed_text_is_unpacked() {
    let text: String = (1..=100_000).map(|i| format!("{i}\n")).collect();
    for (name, bytes) in [
        ("n.csv.gz", gzip(text.as_bytes())),
        ("n.csv.zst", zstd::encode_all(text.as_bytes(), 3).unwrap()),
        ("n.csv.bz2", bzip2(text.as_bytes())),
        ("n.csv.xz", xz(text.as_bytes())),
    ] {
        let file = Temporary::new(name, &bytes);
        assert_eq!(reduced(&["--op", "sum", file.path()]), "sum 5000050000\n", "{name}");
        let output = with_input(warpfold(&["reduce", "--op", "sum", "-"]), &bytes);
        assert_eq!(stdout(&output), "sum 5000050000\n", "{name} from a pipe");
        let cut = Temporary::new(name, &bytes[..bytes.len() / 2]);
        assert!(rejected(&["--op", "sum", cut.path()]).contains("cannot read"), "{name}");
    }
    let raw = Temporary::new("n.bin.gz", &gzip(&[1, 0, 0, 0, 2, 0, 0, 0]));
    assert_eq!(reduced(&["--op", "sum", "--type", "i32", raw.path()]), "sum 3\n");
}

/// Small files that unpack to much more than the limit of the address space that the program gets.
#[test]
fn what_unpacks_to_much_is_read_in_bounded_memory() {
    const LIMIT_KIB: usize = 1 << 20;
    let line = vec![b'7'; LIMIT_KIB << 10];
    let zeros = gzip(&vec![0; LIMIT_KIB << 11]);
    let cases = [
        ("line.csv.gz", gzip(&line), "", "more than 16 MiB"),
        ("line.csv.zst", zstd::encode_all(&line[..], 1).unwrap(), "", "more than 16 MiB"),
        ("line.csv.bz2", bzip2(&line[..32 << 20]), "", "more than 16 MiB"),
        ("line.csv.xz", xz(&line[..32 << 20]), "", "more than 16 MiB"),
        ("zeros.bin.gz", zeros, "count 268435456\n", ""),
    ];
    for (name, bytes, output, error) in cases {
        let file = Temporary::new(name, &bytes);
        let command =
            format!("ulimit -v {LIMIT_KIB}; exec \"$0\" reduce --op count --type f64 {}", file.path());
        let result =
            Command::new("bash").args(["-c", &command, env!("CARGO_BIN_EXE_warpfold")]).output().unwrap();
        if error.is_empty() {
            assert_eq!(stdout(&result), output, "{name}");
        } else {
            let message = failure(&result);
            assert!(message.contains(error), "{name}: {message}");
        }
    }
}

/// A file of NumPy, version 1.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    let length = (header.len() as u16).to_le_bytes();
    [&b"\x93NUMPY\x01\0"[..], &length, header.as_bytes(), data].concat()
}

/// An archive of arrays: the name, the type of the elements, their number, the bytes, and whether they are packed.
fn archive(arrays: &[(&str, &str, usize, Vec<u8>, bool)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, descr, length, data, is_packed) in arrays {
        let method =
            if *is_packed { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        archive.start_file(format!("{name}.npy"), options).unwrap();
        archive.write_all(&npy(descr, &format!("({length},)"), data)).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// An archive of two arrays of i32: `a` with 3 elements, and `b`, packed, with half a million.
fn npz() -> Vec<u8> {
    let data = |values: i32| (0..values).flat_map(i32::to_le_bytes).collect();
    archive(&[("a", "'<i4'", 3, data(3), false), ("b", "'<i4'", 500_000, data(500_000), true)])
}

#[test]
fn arrays_of_numpy() {
    let floats: Vec<u8> = [0.5_f64, f64::NAN, 2.5].into_iter().flat_map(f64::to_le_bytes).collect();
    let file = Temporary::new("a.npy", &npy("'<f8'", "(3,)", &floats));
    assert_eq!(reduced(&["--op", "sum,count", "--skip-missing", file.path()]), "sum 3\ncount 2\n");
    assert_eq!(reduced(&["--op", "sum", file.path()]), "sum NaN\n");
    let message = rejected(&["--op", "sum", "--type", "i32", file.path()]);
    assert!(message.contains("type f64, not i32"), "{message}");
    // The content counts, not the name; compressed as a whole, too.
    let packed = Temporary::new("a.dat", &gzip(&npy("'|u1'", "(2, 2)", &[1, 2, 3, 4])));
    assert_eq!(reduced(&["--op", "sum,2:sum", packed.path()]), "sum 10\n2:sum 6\n");
    let complex: Vec<u8> = [1.0_f64, 2.0, 3.0, -1.0].into_iter().flat_map(f64::to_le_bytes).collect();
    let file = Temporary::new("c.npy", &npy("'<c16'", "(2,)", &complex));
    assert_eq!(reduced(&["--op", "sum,product,mean", file.path()]), "sum 4+1i\nproduct 5+5i\nmean 2+0.5i\n");

    let bytes = npz();
    let file = Temporary::new("ab.npz", &bytes);
    let operators = ["--op", "a:sum,b:max,b:count", file.path()];
    assert_eq!(reduced(&operators), "a:sum 3\nb:max 499999\nb:count 500000\n");
    assert!(rejected(&["--op", "sum", file.path()]).contains("arrays are: a, b"));
    assert!(rejected(&["--op", "c:sum", file.path()]).contains("no column 'c'; it has: a, b"));
    // A bit of the stored array changes: its checksum does not fit.
    let mut damaged = bytes.clone();
    let header = damaged.windows(6).position(|window| window == b"\x93NUMPY").unwrap();
    let data = header + damaged[header..].iter().position(|&byte| byte == b'\n').unwrap() + 1;
    damaged[data] ^= 1;
    let file = Temporary::new("damaged.npz", &damaged);
    assert!(rejected(&["--op", "a:sum", file.path()]).contains("checksum"));
    let output = with_input(warpfold(&["reduce", "--op", "a:sum", "-"]), &bytes);
    assert!(failure(&output).contains("must be a file"));
}

/// Writes a Parquet file with a required, a nullable, an unsigned and a text column, in two row groups.
fn parquet_file(path: &Path, compression: parquet::basic::Compression) {
    use parquet::{
        data_type::{ByteArrayType, DoubleType, Int32Type},
        file::{properties::WriterProperties, writer::SerializedFileWriter},
        schema::parser::parse_message_type,
    };
    let schema = "message m { required double price; optional int32 qty; required int32 id (INTEGER(32,false)); \
                  required binary name (STRING); }";
    let properties = WriterProperties::builder().set_compression(compression).build();
    let schema = parse_message_type(schema).unwrap().into();
    let mut writer =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, properties.into()).unwrap();
    for group in 0..2 {
        let mut rows = writer.next_row_group().unwrap();
        let mut column = rows.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&[0.5, 1.5, f64::from(group)], None, None).unwrap();
        column.close().unwrap();
        let mut column = rows.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&[-4, 7], Some(&[1, 0, 1]), None).unwrap();
        column.close().unwrap();
        let mut column = rows.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&[-1, 1, 2], None, None).unwrap();
        column.close().unwrap();
        let mut column = rows.next_column().unwrap().unwrap();
        column
            .typed::<ByteArrayType>()
            .write_batch(&["a".into(), "b".into(), "c".into()], None, None)
            .unwrap();
        column.close().unwrap();
        rows.close().unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn columns_of_parquet() {
    use parquet::basic::{Compression, ZstdLevel};
    let file = Temporary::new("shop.parquet", b"");
    let all = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for compression in all {
        parquet_file(&file.0, compression);
        let output = reduced(&["--op", "price:sum,qty:sum,qty:count,id:max", "--skip-missing", file.path()]);
        assert_eq!(output, "price:sum 5\nqty:sum 6\nqty:count 4\nid:max 4294967295\n", "{compression}");
    }
    let message = rejected(&["--op", "qty:sum", file.path()]);
    assert!(message.contains("column 'qty', row 2 is null; --skip-missing"), "{message}");
    assert!(rejected(&["--op", "name:count", file.path()]).contains("String in column 'name'"));
    assert!(rejected(&["--op", "x:sum", file.path()]).contains("it has: price, qty, id, name"));
    assert!(rejected(&["--op", "sum", file.path()]).contains("has 4 columns"));
}

/// Damaged files end in an error, or in results; never in a panic, a signal or a hang.
#[test]
fn damaged_files_are_errors() {
    let file = Temporary::new("damaged", b"");
    parquet_file(&file.0, parquet::basic::Compression::SNAPPY);
    let parquet = fs::read(&file.0).unwrap();
    let array = npy("[('n', '<i4'), ('x', '<f8')]", "(2,)", &[1; 24]);
    let text = b"a,\"b\"\r\n1,\"2\"\n".repeat(20);
    let files = [
        (parquet, "price:count,qty:count", 3),
        (npz(), "a:count,b:count", 4000),
        (array, "n:count,x:count", 1),
        (gzip(&text), "b:count", 1),
        (zstd::encode_all(&text[..], 1).unwrap(), "b:count", 1),
        (bzip2(&text), "b:count", 1),
        (xz(&text), "b:count", 1),
    ];
    for (whole, operators, step) in files {
        let mut failures = 0;
        for at in (0..whole.len()).step_by(step) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&file.0, bytes).unwrap();
            let output =
                warpfold(&["reduce", "--op", operators, "--skip-missing", file.path()]).output().unwrap();
            if !output.status.success() {
                failure(&output);
                failures += 1;
            }
        }
        assert!(failures > 20, "{operators}: {failures}");
    }
}

#[test]
fn types_are_listed_as_they_work() {
    let message = rejected(&["--op", "sum", "--type", "[f32;2]", "/dev/null"]);
    let listed = message.split_once("known types: auto, ").unwrap().1.lines().next().unwrap().to_owned();
    for ty in listed.split(", ") {
        let text = if ty == "bool" { "1\ntrue\n" } else { "1\n2\n" };
        let output =
            with_input(warpfold(&["reduce", "--op", "sum,count", "--type", ty, "-"]), text.as_bytes());
        let sum = match ty {
            "bool" => "2",
            ty if ty.starts_with("complex") => "3+0i",
            _ => "3",
        };
        assert_eq!(stdout(&output), format!("sum {sum}\ncount 2\n"), "{ty}");
    }
    let output = with_input(warpfold(&["reduce", "--op", "var", "--type", "complex<f64>", "-"]), b"1\n");
    assert!(failure(&output).contains("var is not defined for complex<f64>"));
}

#[test]
fn results_do_not_depend_on_the_number_of_cores() {
    let text: String = (0..300_000).map(|i| format!("{}.{}\n", i % 977, i)).collect();
    let file = Temporary::new("cores.csv", text.as_bytes());
    let on = |cpus: &str| {
        let arguments =
            ["-c", cpus, env!("CARGO_BIN_EXE_warpfold"), "reduce", "--op", "sum,mean,var", file.path()];
        stdout(&Command::new("taskset").args(arguments).env("WARPFOLD_DEVICE", "emulator").output().unwrap())
    };
    assert_eq!(on("0"), reduced(&["--op", "sum,mean,var", file.path()]));
}

/// Runs a command of the shell on a terminal; its output is all that the terminal gets.
fn terminal(command: &str) -> Output {
    Command::new("script").args(["-qefc", command, "/dev/null"]).stdin(Stdio::null()).output().unwrap()
}

/// Messages have colours on a terminal, but not if the environment says so. (`CI` tells clap that a log shows the
/// colours of any terminal.)
#[test]
fn colours_are_left_out_on_request() {
    for (variable, has_colours) in [("TERM=xterm", true), ("NO_COLOR=1", false), ("TERM=dumb", false)] {
        let program = env!("CARGO_BIN_EXE_warpfold");
        let output = terminal(&format!(
            "env -u NO_COLOR -u CI TERM=xterm {variable} {program} reduce --op nonsense x"
        ));
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.contains("unknown operator"), "{shown}");
        assert_eq!(shown.contains('\u{1b}'), has_colours, "{variable}: {shown:?}");
    }
}

/// A terminal shows a bar after a second; the bar of a packed file is about its own bytes.
#[test]
fn a_terminal_shows_progress() {
    let text: String = (0..400_000).map(|i| format!("{i}\n")).collect();
    let on_terminal = |bytes: &[u8]| {
        let file = Temporary::new(&format!("progress-{}", bytes.len()), bytes);
        // The second half comes after a pause.
        let slowly = format!(
            "{{ head -c {0} {1}; sleep 1.5; tail -c +{0} {1} | tail -c +2; }}",
            bytes.len() / 2,
            file.path()
        );
        let command = format!("{slowly} | {} reduce --op count -", env!("CARGO_BIN_EXE_warpfold"));
        stdout(&terminal(&command))
    };
    for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes())] {
        let shown = on_terminal(&bytes);
        assert!(shown.contains("count 400000"), "{shown}");
        let whole = format!("{:.2} MiB", bytes.len() as f64 / f64::from(1 << 20));
        assert!(shown.contains("iB/s") && shown.contains(&whole), "no {whole} in {shown}");
    }
}

/// Writes a Parquet file of one row group. A column is the text of its type in a schema, and a function that writes it.
fn parquet_columns(
    schema: parquet::schema::types::TypePtr,
    path: &Path,
    write: &[&dyn Fn(&mut parquet::file::writer::SerializedColumnWriter)],
) {
    let mut writer = parquet::file::writer::SerializedFileWriter::new(
        File::create(path).unwrap(),
        schema,
        Default::default(),
    )
    .unwrap();
    let mut rows = writer.next_row_group().unwrap();
    for write in write {
        let mut column = rows.next_column().unwrap().unwrap();
        write(&mut column);
        column.close().unwrap();
    }
    rows.close().unwrap();
    writer.close().unwrap();
}

/// Sums of values whose type is narrow are right, or errors; never what is left of them in the type.
#[test]
fn sums_of_narrow_types_are_right_or_errors() {
    use parquet::data_type::{BoolType, Int32Type};
    let file = Temporary::new("narrow.parquet", b"");
    let schema = "message m { required boolean a; optional boolean b; required int32 s (INTEGER(8,true)); \
                  required int32 u (INTEGER(16,false)); }";
    let schema = parquet::schema::parser::parse_message_type(schema).unwrap();
    parquet_columns(
        schema.into(),
        &file.0,
        &[
            &|column| {
                column.typed::<BoolType>().write_batch(&[true; 300], None, None).unwrap();
            },
            &|column| {
                let levels = [&[0][..], &[1; 299]].concat();
                column.typed::<BoolType>().write_batch(&[true; 299], Some(&levels), None).unwrap();
            },
            &|column| {
                column.typed::<Int32Type>().write_batch(&[127; 300], None, None).unwrap();
            },
            &|column| {
                column.typed::<Int32Type>().write_batch(&[65_535; 300], None, None).unwrap();
            },
        ],
    );
    let operators = "a:sum,b:sum,s:sum,u:sum,a:mean,b:min,a:product,b:argmax";
    let expected = "a:sum 300\nb:sum 299\ns:sum 38100\nu:sum 19660500\na:mean 1\nb:min 1\na:product 1\n\
                    b:argmax 1 at 0\n";
    assert_eq!(reduced(&["--op", operators, "--skip-missing", file.path()]), expected);
    assert_eq!(reduced(&["--op", "a:sum", "--wrapping", file.path()]), "a:sum 300\n");
    // The type of the numbers is requested, and does not have the sum.
    assert!(rejected(&["--op", "a:sum", "--type", "u8", file.path()]).contains("add --result u32"));
    for (name, descr, bytes, sum) in [
        ("b.npy", "'|b1'", vec![1; 300], "300"),
        ("i8.npy", "'|i1'", vec![127; 300], "the sum 38100 is not a value of i8: add --result i32"),
        ("u8.npy", "'|u1'", vec![1; 300], "the sum 300 is not a value of u8: add --result u32"),
        ("u16.npy", "'<u2'", vec![0xFF; 600], "the sum 19660500 is not a value of u16: add --result u32"),
        ("f16.npy", "'<f2'", [0, 0x78].repeat(300), "9830400"),
    ] {
        let file = Temporary::new(name, &npy(descr, "(300,)", &bytes));
        match sum.parse::<f64>() {
            Ok(_) => assert_eq!(reduced(&["--op", "sum", file.path()]), format!("sum {sum}\n"), "{name}"),
            Err(_) => assert!(rejected(&["--op", "sum", file.path()]).contains(sum), "{name}"),
        }
    }
    let raw = Temporary::new("i16.bin", &i16::MIN.to_ne_bytes().repeat(2));
    assert!(rejected(&["--op", "sum", "--type", "i16", raw.path()]).contains("-65536 is not a value of i16"));
    assert!(rejected(&["--op", "sum", "--type", "bool", raw.path()]).contains("--type u8"));
    let text = "true\nFalse\n".repeat(300);
    let output = with_input(warpfold(&["reduce", "--op", "sum,any,all,max", "-"]), text.as_bytes());
    assert_eq!(stdout(&output), "sum 300\nany 1\nall 0\nmax 1\n");
    let output = with_input(warpfold(&["reduce", "--op", "sum", "-"]), b"true\n1\n");
    assert!(failure(&output).contains("column 1: '1' is not a value of bool; --type bool takes"));
}

/// Decimals, 16-bit floats and times of Parquet and NumPy.
#[test]
fn what_is_no_plain_number_is_read_exactly_or_rejected_with_a_reason() {
    use parquet::{
        basic::{ConvertedType, Repetition, Type as Physical},
        data_type::{ByteArrayType, FixedLenByteArrayType, Int32Type, Int64Type, Int96, Int96Type},
        schema::{parser::parse_message_type, types::Type},
    };
    let file = Temporary::new("kinds.parquet", b"");
    let schema = "message m { required int32 price (DECIMAL(9,2)); required binary total (DECIMAL(38,3)); \
                  required fixed_len_byte_array(2) half (FLOAT16); required int64 at (TIMESTAMP(MICROS,true)); \
                  required int32 day (DATE); required int32 noon (TIME(MILLIS,false)); required int96 old; \
                  required binary name (STRING); }";
    let total = |value: i128| value.to_be_bytes().to_vec();
    let seconds: [i64; 2] = [1_700_000_000_000_001, -1];
    let mut old = [Int96::new(); 2];
    // 1970-01-01T00:00:00.000000005 and, the day before, one nanosecond before midnight.
    old[0].set_data(5, 0, 2_440_588);
    let last = 86_399_999_999_999_u64;
    old[1].set_data(last as u32, (last >> 32) as u32, 2_440_587);
    parquet_columns(
        parse_message_type(schema).unwrap().into(),
        &file.0,
        &[
            &|column| {
                column.typed::<Int32Type>().write_batch(&[-5, 999_999_999], None, None).unwrap();
            },
            &|column| {
                let values = [total(10_i128.pow(37)), vec![0xFF, 0x00]].map(Into::into);
                column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
            },
            &|column| {
                let values = [vec![0x00, 0x3C], vec![0xFF, 0x7B]].map(|bytes| bytes.into());
                let values = values.map(|bytes: parquet::data_type::ByteArray| bytes.into());
                column.typed::<FixedLenByteArrayType>().write_batch(&values, None, None).unwrap();
            },
            &|column| {
                column.typed::<Int64Type>().write_batch(&seconds, None, None).unwrap();
            },
            &|column| {
                column.typed::<Int32Type>().write_batch(&[19_782, -1], None, None).unwrap();
            },
            &|column| {
                column.typed::<Int32Type>().write_batch(&[86_399_999, 1], None, None).unwrap();
            },
            &|column| {
                column.typed::<Int96Type>().write_batch(&old, None, None).unwrap();
            },
            &|column| {
                column.typed::<ByteArrayType>().write_batch(&["a".into(), "b".into()], None, None).unwrap();
            },
        ],
    );
    let output = reduced(&[
        "--op",
        "price:sum,price:min,price:argmax,price:mean,price:pstddev,price:any,total:sum,total:min,half:sum,half:max,\
         at:min,at:argmax,at:count,day:max,noon:max,old:max,old:min",
        file.path(),
    ]);
    let expected = "price:sum 9999999.94\nprice:min -0.05\nprice:argmax 9999999.99 at 1\nprice:mean 4999999.97\n\
                    price:pstddev 5000000.02\nprice:any 1\ntotal:sum 9999999999999999999999999999999999.744\n\
                    total:min -0.256\nhalf:sum 65505\nhalf:max 65504\nat:min 1969-12-31T23:59:59.999999Z\n\
                    at:argmax 2023-11-14T22:13:20.000001Z at 0\nat:count 2\nday:max 2024-02-29\n\
                    noon:max 23:59:59.999\nold:max 1970-01-01T00:00:00.000000005\n\
                    old:min 1969-12-31T23:59:59.999999999\n";
    assert_eq!(output, expected);
    let json: serde_json::Value =
        serde_json::from_str(&reduced(&["--op", "price:sum,price:argmin,day:min", "--json", file.path()]))
            .unwrap();
    assert_eq!(json["columns"][0]["results"]["sum"], "9999999.94");
    assert_eq!(json["columns"][0]["results"]["argmin"]["value"], "-0.05");
    assert_eq!(json["columns"][1]["results"]["min"], "1969-12-31");
    assert_eq!(reduced(&["--op", "at:sum", "--type", "i64", file.path()]), "at:sum 1700000000000000\n");
    for (arguments, expected) in [
        (&["--op", "at:sum"][..], "--type i64 takes the numbers that stand for the times"),
        (&["--op", "price:product"], "the result has other digits than the column"),
        (&["--op", "price:sum", "--result", "i64"], "is for numbers, not for values of type decimal"),
        (&["--op", "price:sum", "--type", "f64"], "values of type decimal with scale 2, not f64"),
        (&["--op", "name:count"], "columns of numbers are: price, total, half, at, day, noon, old"),
    ] {
        let message = rejected(&[arguments, &[file.path()]].concat());
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }

    // Old files state these types in another form only.
    let column = |name, converted| {
        let builder =
            Type::primitive_type_builder(name, Physical::INT32).with_repetition(Repetition::REQUIRED);
        let scale = if converted == ConvertedType::DECIMAL { (9, 1) } else { (-1, -1) };
        builder.with_converted_type(converted).with_precision(scale.0).with_scale(scale.1).build().unwrap()
    };
    let fields = vec![column("u", ConvertedType::UINT_32).into(), column("d", ConvertedType::DECIMAL).into()];
    let schema = Type::group_type_builder("m").with_fields(fields).build().unwrap();
    let write = |column: &mut parquet::file::writer::SerializedColumnWriter| {
        column.typed::<Int32Type>().write_batch(&[-1, 15], None, None).unwrap();
    };
    parquet_columns(schema.into(), &file.0, &[&write, &write]);
    assert_eq!(reduced(&["--op", "u:max,d:sum", file.path()]), "u:max 4294967295\nd:sum 1.4\n");

    let days: Vec<u8> = [1_i64, i64::MIN, -1].into_iter().flat_map(i64::to_le_bytes).collect();
    let file = Temporary::new("days.npy", &npy("'<M8[D]'", "(3,)", &days));
    assert_eq!(
        reduced(&["--op", "min,argmax,count", "--skip-missing", file.path()]),
        "min 1969-12-31\nargmax 1970-01-02 at 0\ncount 2\n"
    );
    assert!(rejected(&["--op", "min", file.path()]).contains("NaT, no time; --skip-missing"));
    let file = Temporary::new("years.npy", &npy("'<M8[Y]'", "(3,)", &days));
    assert!(rejected(&["--op", "min", file.path()]).contains(".astype('datetime64[s]')"));
}

#[test]
fn operators_are_those_of_every_chosen_column() {
    let file = Temporary::new("columns.csv", b"price,qty\n0.5,4\n1.5,7\n");
    let expected = "price:sum 2\nprice:max 1.5\nqty:sum 11\nqty:max 7\n";
    assert_eq!(reduced(&["--op", "sum,max", "--column", "price,qty", file.path()]), expected);
    assert_eq!(reduced(&["--op", "sum,max", "--column", "price", "--column", "qty", file.path()]), expected);
    let output = reduced(&["--op", "min,2:max,count", "--column", "qty,price", file.path()]);
    assert_eq!(output, "qty:min 4\nprice:min 0.5\n2:max 7\nqty:count 2\nprice:count 2\n");
    let message = rejected(&["--op", "sum", "--column", "qty,qty", file.path()]);
    assert!(message.contains("sum is requested twice for column 'qty'"), "{message}");
}

#[test]
fn several_files_are_one_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("b.csv", b"item,price\nsaw,7\n");
    write("a.csv", b"price,item\n5,nut\n-3,nail\n");
    write("c.csv.gz", &gzip(b"price\n100\n"));
    let operators = ["--op", "sum,argmax,count", "--column", "price"];
    let output = reduced(&[&operators[..], &[&path("*.csv*")]].concat());
    assert_eq!(output, "sum 109\nargmax 100 at 3\ncount 4\n");
    let output = reduced(&[&operators[..], &[&path("c.csv.gz"), &path("?.csv"), &path("b.csv")]].concat());
    assert_eq!(output, "sum 116\nargmax 100 at 0\ncount 5\n");
    let first = path("a.csv");
    let together = [&["reduce"], &operators[..], &[&first, "-"]].concat();
    assert_eq!(stdout(&with_input(warpfold(&together), b"price\n1\n")), "sum 3\nargmax 5 at 0\ncount 3\n");

    let failures = |files: &[&str], expected: &[&str]| {
        let files: Vec<_> = files.iter().map(|name| path(name)).collect();
        let files: Vec<_> = files.iter().map(String::as_str).collect();
        let message = rejected(&[&operators[..], &files].concat());
        for part in expected {
            assert!(message.contains(part), "{files:?}: no '{part}' in {message}");
        }
    };
    write("d.csv", b"cost\n1\n");
    write("e.csv", b"price\n1.5\n");
    write("n.npy", &npy("[('price', '<f8')]", "(1,)", &[0; 8]));
    failures(&["a.csv", "d.csv"], &["d.csv has no column 'price'; it has: cost"]);
    failures(&["a.csv", "e.csv"], &["e.csv, line 2, column 1: '1.5' is not a value of i64", "--type f64"]);
    failures(&["a.csv", "n.npy"], &["n.npy has values of type f64 in column 'price', but ", "a.csv has i64"]);
    failures(&["a.csv", "none.csv"], &["cannot open", "none.csv"]);
    failures(&["*.parquet"], &["*.parquet matches no file"]);
    write("big.csv", b"price\n127\n");
    let message = rejected(&[&operators[..], &["--type", "i8", &path("a.csv"), &path("big.csv")]].concat());
    assert!(message.contains("a.csv and 1 more, column 'price': the sum 129"), "{message}");
    let output = reduced(&["--op", "price:max", "--type", "f64", &path("e.csv"), &path("n.npy")]);
    assert_eq!(output, "price:max 1.5\n");
    let json = format!("--json={}", path("a.csv"));
    let message = rejected(&[&operators[..], &[&json, &path("*.csv")]].concat());
    assert!(message.contains("would replace the input"), "{message}");
}

/// The median as NumPy defines it, of the sorted values.
#[test]
fn medians_are_those_of_sorted_values() {
    fn median(values: &[f64]) -> String {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        match sorted.len() {
            0 => "none".into(),
            _ if values.iter().any(|value| value.is_nan()) => "NaN".into(),
            length => ((sorted[(length - 1) / 2] + sorted[length / 2]) / 2.0).to_string(),
        }
    }
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let floats: [(&str, &[f64]); 9] = [
        ("odd", &[3.0, -1.5, 2.0]),
        ("even", &[4.0, 1.0, 3.0, 2.5]),
        ("same", &[7.0, 7.0, 7.0, 7.0]),
        ("some_nan", &[1.0, nan, 2.0]),
        ("infinite", &[inf, 1.0, -inf, inf]),
        ("opposite", &[inf, -inf]),
        ("zeros", &[0.0, -0.0, -0.0]),
        ("one", &[-2.25]),
        ("none", &[]),
    ];
    let many: Vec<f64> = (0..20_000).map(|i| f64::from((i * 7919) % 20_011) / 8.0 - 1000.0).collect();
    let all: Vec<_> = floats.into_iter().chain([("many", &many[..])]).collect();
    let mut arrays = Vec::new();
    for (name, values) in &all {
        let bytes = |bits: &dyn Fn(f64) -> Vec<u8>| values.iter().flat_map(|value| bits(*value)).collect();
        arrays.push((*name, "'<f8'", values.len(), bytes(&|value| value.to_le_bytes().into()), false));
    }
    arrays.push(("i1", "'|i1'", 4, vec![0x80, 0x7F, 0xFF, 2], false));
    arrays.push(("u8", "'<u8'", 3, [u64::MAX, u64::MAX - 1, 0].map(u64::to_le_bytes).concat(), false));
    arrays.push(("f4", "'<f4'", 2, [0.1_f32, 0.1].map(f32::to_le_bytes).concat(), false));
    arrays.push(("b", "'|b1'", 4, vec![1, 0, 0, 1], false));
    let file = Temporary::new("medians.npz", &archive(&arrays));
    let operators: Vec<_> = arrays.iter().map(|(name, ..)| format!("{name}:median")).collect();
    let mut expected: String =
        all.iter().map(|(name, values)| format!("{name}:median {}\n", median(values))).collect();
    expected += "i1:median 0.5\nu8:median 18446744073709551614\nf4:median 0.1\nb:median 0.5\n";
    assert_eq!(reduced(&["--op", &operators.join(","), file.path()]), expected);

    let text: String = (0..5001).map(|i| format!("{}\n", (i * 7919) % 5003)).collect();
    let mut sorted: Vec<_> = (0..5001).map(|i| (i * 7919) % 5003).collect();
    sorted.sort_unstable();
    let output = with_input(warpfold(&["reduce", "--op", "count,median,max", "-"]), text.as_bytes());
    assert_eq!(stdout(&output), format!("count 5001\nmedian {}\nmax {}\n", sorted[2500], sorted[5000]));
    let output = with_input(warpfold(&["reduce", "--op", "median", "--type", "complex<f64>", "-"]), b"1\n");
    assert!(failure(&output).contains("median is not defined for complex<f64>"));
}

/// The order depends on the values alone: not on the GPU, nor on where files and pieces begin.
#[test]
fn reproducible_results_have_the_same_bits_everywhere() {
    // Two pieces of 8 MiB and a part of one.
    let numbers: Vec<f64> = (0..2_500_001u64)
        .map(|i| {
            let bits = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((bits >> 20) as f64 - 8e12) * 2f64.powi((bits % 40) as i32 - 60)
        })
        .collect();
    let raw = |numbers: &[f64]| numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>();
    let whole = Temporary::new("reproducible.raw", &raw(&numbers));
    let parts = [0..1, 1..1_000_003, 1_000_003..numbers.len()];
    let parts = parts
        .map(|range| Temporary::new(&format!("reproducible-{}.raw", range.start), &raw(&numbers[range])));
    let reduced = |more: &[&str]| {
        let options = ["reduce", "--op", "sum,min,argmax,mean,var", "--type", "f64", "--reproducible"];
        stdout(&warpfold(&[&options, more].concat()).output().unwrap())
    };
    let expected = reduced(&[whole.path()]);
    let sum =
        host_rt::canonical::reduce(host_rt::Sum, numbers.len() as u64, |i| numbers[i as usize]).unwrap();
    assert!(expected.starts_with(&format!("sum {sum}\n")), "{expected}, {sum}");
    for gpu in ["b200", "a100", "v100"] {
        assert_eq!(reduced(&["--sm", gpu, whole.path()]), expected, "{gpu}");
    }
    let [one, two, three] = parts.each_ref().map(Temporary::path);
    assert_eq!(reduced(&[one, two, three]), expected);
    // On several devices it is the only order.
    let options = ["reduce", "--op", "sum,min,argmax,mean,var", "--type", "f64", "--device", "emulator:all"];
    for devices in [&["--devices", "2"][..], &["--sm", "h200,v100,a100"]] {
        let several = warpfold(&[&options, devices, &[one, two, three]].concat()).output().unwrap();
        assert_eq!(stdout(&several), expected, "{devices:?}");
    }
}

#[test]
fn a_device_is_chosen_by_its_number() {
    let numbers = Temporary::new("devices.csv", b"1\n2\n");
    let on = |device: &str| {
        let options =
            ["reduce", "--op", "sum", "--sm", "h200,a100", "--json", "--device", device, numbers.path()];
        warpfold(&options).output().unwrap()
    };
    let names = ["emulator", "emulator:1", "emulator:all"].map(|device| stdout(&on(device)));
    let expected = ["\"H200 (emulated)\"", "\"A100 (emulated)\"", "\"H200 (emulated), A100 (emulated)\""];
    assert!(names.iter().zip(expected).all(|(name, expected)| name.contains(expected)), "{names:?}");
    // The variable means the same as the option.
    let options = ["reduce", "--op", "sum", "--sm", "h200,a100", "--json", numbers.path()];
    let all = warpfold(&options).env("WARPFOLD_DEVICE", "emulator:all").output().unwrap();
    assert!(stdout(&all).contains(expected[2]), "{all:?}");
    let all = warpfold(&options).env("WARPFOLD_DEVICE", "all").output().unwrap();
    assert!(stdout(&all).contains("\"sum\":3"), "{all:?}");
    for (device, message) in
        [("emulator:2", "opening device 2"), ("emulator:x", "'x' is neither a number nor all")]
    {
        let output = on(device);
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{output:?}");
    }
}

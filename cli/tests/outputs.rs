//! What commands write: files replace old ones at once or not at all and are never read as well, and standard output that
//! takes nothing is an error. Names of files and columns stay on their line, whatever they hold.

mod common;

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::Write as _,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::Path,
    process::{Command, Output, Stdio},
};

use common::{command, folder, text, warpfold};

const NUMBERS: &str = "x,y\n1,4\n2,5\n3,6\n";

const LOOP: &str = "void f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * a[i];\n\
                    #pragma endscop\n}\n";

const KERNEL: &str = ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";

/// Everything that writes a file: the command, in which `OUT` stands for its name.
const WRITERS: [&[&str]; 14] = [
    &["reduce", "--op", "x:sum", "--json=OUT", "in.csv"],
    &["reduce", "--op", "x:sum", "--counts=OUT", "in.csv"],
    &["reduce", "--op", "x:sum", "--profile=OUT", "in.csv"],
    &["reduce", "--op", "x:sum", "--check", "--report-file=OUT", "in.csv"],
    &["check", "--report-file=OUT", "kernel.ptx"],
    &["check", "--report=sarif", "--report-file=OUT", "kernel.ptx"],
    &["bench", "--sizes=64", "--types=i32", "--rounds=1", "--json=OUT"],
    &["doctor", "--json=OUT"],
    &["emit", "header", "--output=OUT"],
    &["emit", "runtime", "--output=OUT"],
    &["emit", "callbacks", "s=sum:f64", "--output=OUT"],
    &["parallelize", "--report=json", "--report-file=OUT", "a.c"],
    &["parallelize", "-oOUT", "a.c"],
    &["stand-in", "ptxas", "-arch", "sm_90", "-o", "OUT", "kernel.ptx"],
];

fn inputs() -> tempfile::TempDir {
    folder(&[("in.csv", NUMBERS), ("a.c", LOOP), ("kernel.ptx", KERNEL)])
}

fn words<'w>(writer: &[&'w str], out: &str) -> Vec<String> {
    writer.iter().map(|word: &&'w str| word.replace("OUT", out)).collect()
}

/// Runs a command on the emulator.
fn run(folder: &Path, words: &[String]) -> Output {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    command(folder, &words).env("WARPFOLD_DEVICE", "emulator").output().expect("it starts")
}

/// The names in a folder that nobody gave.
fn left(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    names.map(|name| text(name.as_bytes())).filter(|name| name.starts_with('.')).collect()
}

#[test]
fn files_are_replaced_at_once() {
    for writer in WRITERS {
        let folder = inputs();
        let path = folder.path();
        fs::write(path.join("out"), "old\n").expect("a file");
        // Who has the old file keeps it.
        fs::hard_link(path.join("out"), path.join("kept")).expect("a link");
        let output = run(path, &words(writer, "out"));
        assert!(output.status.success(), "{writer:?}: {}", text(&output.stderr));
        assert_eq!(fs::read_to_string(path.join("kept")).expect("a file"), "old\n", "{writer:?}");
        assert_ne!(fs::read(path.join("out")).expect("a file"), b"old\n", "{writer:?}");
        assert_eq!(left(path), Vec::<String>::new(), "{writer:?}");
    }
}

/// A limit of the size of files stands for a full disk.
#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = inputs();
    let path = folder.path();
    for writer in [
        &["reduce", "--op", "x:sum", "--json=OUT", "in.csv"][..],
        &["reduce", "--op", "x:sum", "--counts=OUT", "in.csv"],
        &["doctor", "--json=OUT"],
        &["emit", "header", "--output=OUT"],
        &["parallelize", "--report=json", "--report-file=OUT", "a.c"],
        &["parallelize", "-oOUT", "a.c"],
    ] {
        // What is built once may be as large as it likes.
        assert!(run(path, &words(writer, "first")).status.success(), "{writer:?}");
        fs::write(path.join("out"), "old\n").expect("a file");
        let output = Command::new("bash")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "bash", env!("CARGO_BIN_EXE_warpfold")])
            .args(words(writer, "out"))
            .current_dir(path)
            .env("WARPFOLD_DEVICE", "emulator")
            .output()
            .expect("bash");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{writer:?}: {said}");
        assert!(said.contains("cannot write out: ") && said.contains("File too large"), "{writer:?}: {said}");
        assert_eq!(fs::read_to_string(path.join("out")).expect("a file"), "old\n", "{writer:?}");
        assert_eq!(left(path), Vec::<String>::new(), "{writer:?}");
    }
}

#[test]
fn a_new_file_has_the_mode_of_new_files_and_an_old_one_keeps_its_own() {
    let folder = inputs();
    let script = "umask 027; \"$0\" doctor --json=new; touch old; chmod 604 old; \"$0\" doctor --json=old; stat -c %a new old";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_warpfold")])
        .current_dir(folder.path())
        .output()
        .expect("bash");
    assert!(text(&output.stdout).ends_with("640\n604\n"), "{output:?}");
}

#[test]
fn what_is_read_is_not_written() {
    let folder = inputs();
    let path = folder.path();
    std::os::unix::fs::symlink("in.csv", path.join("link.csv")).expect("a link");
    fs::hard_link(path.join("in.csv"), path.join("same.csv")).expect("a link");
    fs::write(path.join("s.txt"), "kind race\n").expect("a file");
    fs::write(path.join("own.c"), "void own(double *into, const double *from) { *into += *from; }\n")
        .expect("a file");
    fs::copy("/bin/true", path.join("program")).expect("a program");
    for (written, command) in [
        ("in.csv", &["reduce", "--op", "x:sum", "--json=in.csv", "in.csv"][..]),
        ("link.csv", &["reduce", "--op", "x:sum", "--json=link.csv", "in.csv"]),
        ("in.csv", &["reduce", "--op", "x:sum", "--counts=in.csv", "same.csv"]),
        ("./in.csv", &["reduce", "--op", "x:sum", "--profile=./in.csv", "in.csv"]),
        ("in.csv", &["reduce", "--op", "x:sum", "--check", "--report-file=in.csv", "in.csv"]),
        ("kernel.ptx", &["check", "--report-file=kernel.ptx", "kernel.ptx"]),
        ("s.txt", &["check", "--suppressions=s.txt", "--report-file=s.txt", "kernel.ptx"]),
        ("program", &["run", "--counts=program", "./program"]),
        ("program", &["run", "--record=program", "./program"]),
        ("program", &["run", "--check", "--report-file=program", "./program"]),
        ("program", &["profile", "--json=program", "./program"]),
        ("program", &["profile", "--html=program", "./program"]),
        ("own.c", &["emit", "callbacks", "s=user(own.c:own=0):f64", "-o", "own.c"]),
        ("a.c", &["parallelize", "-o", "a.c", "a.c"]),
        ("a.c", &["parallelize", "--report=json", "--report-file=a.c", "a.c"]),
    ] {
        let names = ["in.csv", "kernel.ptx", "s.txt", "program", "own.c", "a.c"];
        let before = names.map(|name| fs::read(path.join(name)).expect("a file"));
        let output = warpfold(path, command);
        let said = text(&output.stderr);
        assert!(!output.status.success(), "{command:?}");
        assert!(said.contains(&format!("{written} would replace the input ")), "{command:?}: {said}");
        assert!(said.contains("; name another file"), "{command:?}: {said}");
        assert!(names.map(|name| fs::read(path.join(name)).expect("a file")) == before, "{command:?}");
    }
    // Standard input is a file here.
    let reduce = ["reduce", "--op", "x:sum", "--json=in.csv", "-"];
    let input = File::open(path.join("in.csv")).expect("a file");
    let output = command(path, &reduce).stdin(input).output().expect("it starts");
    assert!(text(&output.stderr).contains("in.csv would replace the input -"), "{output:?}");
    // Of two outputs one would be lost.
    let twice = ["reduce", "--op", "x:sum", "--json=new", "--counts=./new", "in.csv"];
    let output = warpfold(path, &twice);
    assert!(text(&output.stderr).contains("./new is to be written by two options"), "{output:?}");
    assert!(!path.join("new").exists());
}

/// Commands that write to standard output.
const PRINTERS: [&[&str]; 16] = [
    &["--version"],
    &["--help"],
    &["reduce", "--help"],
    &["reduce", "--op", "x:sum", "in.csv"],
    &["reduce", "--op", "x:sum", "--json", "in.csv"],
    &["reduce", "--op", "x:sum", "--json=/dev/stdout", "in.csv"],
    &["bench", "--sizes=64", "--types=i32", "--rounds=1"],
    &["doctor"],
    &["setup", "--dry-run"],
    &["config", "--driver-dir"],
    &["emit", "header"],
    &["emit", "callbacks", "s=sum:f64"],
    &["parallelize", "a.c"],
    &["parallelize", "a.c", "-o", "-"],
    &["check", "--report=json", "kernel.ptx"],
    &["cc", "--help"],
];

#[test]
fn standard_output_that_takes_nothing_is_an_error() {
    let folder = inputs();
    for printer in PRINTERS {
        for (stream, reason) in [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")] {
            let output = Command::new("bash")
                .args(["-c", &format!("exec \"$0\" \"$@\" {stream}"), env!("CARGO_BIN_EXE_warpfold")])
                .args(printer)
                .current_dir(folder.path())
                .env("WARPFOLD_DEVICE", "emulator")
                .stderr(Stdio::piped())
                .output()
                .expect("bash");
            let said = text(&output.stderr);
            assert!(!output.status.success(), "{printer:?} {stream}: {said}");
            let expected = format!("cannot write to standard output: {reason}");
            assert!(said.contains(&expected), "{printer:?} {stream}: {said}");
        }
    }
    // What writes nothing there needs none.
    let silent = "exec \"$0\" parallelize a.c --target cpu -o b.c >&-";
    let output = Command::new("bash")
        .args(["-c", silent, env!("CARGO_BIN_EXE_warpfold")])
        .current_dir(folder.path())
        .output()
        .expect("bash");
    assert!(output.status.success(), "{output:?}");
}

/// What programs and kernels print is lost with a message of theirs, too.
#[test]
fn what_kernels_print_is_not_lost_in_silence() {
    let ptx = ".version 8.0\n.target sm_70\n.address_size 64\n.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n\
               .global .align 1 .b8 said[4] = {104, 105, 10, 0};\n.visible .entry prints() {\n.reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n\
               mov.u64 %rd1, said;\ncvta.global.u64 %rd2, %rd1;\nmov.u64 %rd1, 0;\n{\n.param .b64 f;\n.param .b64 a;\n.param .b32 r;\n\
               st.param.b64 [f], %rd2;\nst.param.b64 [a], %rd1;\ncall.uni (r), vprintf, (f, a);\nld.param.b32 %r1, [r];\n}\nret;\n}\n";
    let folder = folder(&[("prints.ptx", ptx)]);
    let run = |stream: &str| {
        let script = format!("exec \"$0\" \"$@\" {stream}");
        let words = ["-c", &script, env!("CARGO_BIN_EXE_warpfold"), "check", "--block=1", "prints.ptx"];
        Command::new("bash").args(words).current_dir(folder.path()).output().expect("bash")
    };
    let output = run("");
    assert!(output.status.success() && output.stdout == b"hi\n", "{output:?}");
    for stream in [">&-", ">/dev/full"] {
        let output = run(stream);
        let said = text(&output.stderr);
        assert!(!output.status.success(), "{stream}: {said}");
        assert!(said.contains("standard output: what kernels have printed is lost"), "{stream}: {said}");
    }
    // A program writes where it would without this one.
    let script = "exec \"$0\" run /bin/echo words >&-";
    let words = ["-c", script, env!("CARGO_BIN_EXE_warpfold")];
    let output = Command::new("bash").args(words).output().expect("bash");
    assert!(text(&output.stderr).contains("write error: Bad file descriptor"), "{output:?}");
}

/// Names that would be other lines, colours, or the ends of strings.
fn names() -> Vec<Vec<u8>> {
    let forged = b"a.c:1: region in f\n  line 1: warning: forged\n.c".to_vec();
    let others =
        [&b"a\"b.c"[..], b"a\\b.c", b"a b'c.c", b"tab\there.c", b"\x1b[31mred.c", b"what??'.c", b"%s$(x).c"];
    let encoded = [&b"latin-\xe4.c"[..], b"\xff\xfe\xe2\x28.c", "\u{e4}\u{65e5}.c".as_bytes()];
    [forged].into_iter().chain(others.into_iter().chain(encoded).map(<[u8]>::to_vec)).collect()
}

/// How many lines a command writes of a file with this name; none of them is forged, and none commands a terminal.
fn lines(name: &OsStr, words: &[&str]) -> usize {
    let folder = folder(&[]);
    fs::write(folder.path().join(name), LOOP).expect("a file");
    let mut command = command(folder.path(), words);
    let output = command.arg(name).env("WARPFOLD_DEVICE", "emulator").output().expect("it starts");
    let all = text(&output.stdout) + &text(&output.stderr);
    let obeyed = |c: char| c.is_control() && c != '\n';
    assert!(!all.contains(obeyed) && !all.contains("\n  line 1: warning"), "{name:?} {words:?}: {all}");
    all.lines().count()
}

#[test]
fn names_stay_on_their_line() {
    for words in [
        &["parallelize"][..],
        &["parallelize", "--check=2"],
        &["parallelize", "--explain=3"],
        &["parallelize", "--times", "--report=html", "-oz"],
        &["parallelize", "--dump=classes"],
        &["parallelize", "--emit=mlir"],
        // It is no such input.
        &["reduce", "--op=sum", "--type=f64"],
        &["reduce", "--op=sum", "--type=f64", "--format=npy"],
        &["check", "--kernel=k"],
        &["run"],
        &["profile"],
    ] {
        let usual = lines(OsStr::new("a.c"), words);
        assert!(usual > 0, "{words:?}");
        for name in names() {
            assert_eq!(lines(OsStr::from_bytes(&name), words), usual, "{words:?} {:?}", text(&name));
        }
    }
    // The names of columns, in results and in errors.
    let folder = folder(&[("in.csv", "\"a\nsum 5\",\"b\x1b[31m\"\n1,2\n3,4\n")]);
    let printed = |op: &str| {
        let output = warpfold(folder.path(), &["reduce", "--op", op, "--format=csv", "in.csv"]);
        text(&output.stdout) + &text(&output.stderr)
    };
    assert_eq!(printed("a\nsum 5:sum"), "a\\u{a}sum 5:sum 4\n");
    assert_eq!(printed("b\x1b[31m:sum"), "b\\u{1b}[31m:sum 6\n");
    assert_eq!(
        printed("none\nof:sum"),
        "warpfold: in.csv has no column 'none\\u{a}of'; it has: a\\u{a}sum 5, b\\u{1b}[31m\n"
    );
}

/// Files of every name are checked, and their names are strings of C in `#line` directives.
#[test]
fn files_of_every_name_are_made_and_checked() {
    let source = "#include \"beside.h\"\n#include <stdio.h>\nvoid f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
                  a[i] = FACTOR * a[i];\n#pragma endscop\n}\nint main(void) { puts(__FILE__); return __LINE__; }\n";
    for name in names() {
        let folder = folder(&[("beside.h", "#define FACTOR 2\n")]);
        let path = folder.path();
        let name = OsStr::from_bytes(&name);
        fs::write(path.join(name), source).expect("a file");
        let parallelize = |words: &[&str]| {
            let mut command = command(path, &["parallelize"]);
            command.args(words).arg(name).output().expect("it starts")
        };
        let output = parallelize(&["--check=2", "--strict"]);
        let said = text(&output.stderr);
        assert!(output.status.success(), "{name:?}: {said}");
        assert!(said.ends_with(":4: checked with 2 inputs and 3 seeds: equal\n"), "{name:?}: {said}");
        let output = parallelize(&["--target=cpu", "--lines", "-omade.c"]);
        assert!(output.status.success(), "{name:?}: {}", text(&output.stderr));
        for (compiler, standard) in [("clang-22", "gnu17"), ("gcc", "c11")] {
            let compiled = Command::new(compiler)
                .args(["-w", "-fopenmp", &format!("-std={standard}"), "made.c", "-o", "made"])
                .current_dir(path)
                .output()
                .expect("a compiler");
            assert!(compiled.status.success(), "{name:?}: {}", text(&compiled.stderr));
            let output = Command::new(path.join("made")).output().expect("it starts");
            assert_eq!(output.stdout, [name.as_bytes(), b"\n"].concat(), "{compiler}");
            assert_eq!(output.status.code(), Some(9), "{name:?}: the line");
        }
    }
}

/// A file that is written on stays the same one.
#[test]
fn standard_output_is_written_on() {
    let folder = inputs();
    let mut out = File::create(folder.path().join("out")).expect("a file");
    out.write_all(b"before\n").expect("it is written");
    let before = out.metadata().expect("a file").ino();
    let words = ["parallelize", "--report", "--report-file=/dev/stdout", "a.c"];
    let status = command(folder.path(), &words).stdout(out).status().expect("it starts");
    assert!(status.success());
    let path = folder.path().join("out");
    assert_eq!(fs::metadata(&path).expect("a file").ino(), before);
    assert!(fs::read_to_string(&path).expect("a file").starts_with("before\na.c: 1 region"));
}

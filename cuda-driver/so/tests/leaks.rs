//! `WARPFOLD_CHECK_LEAKS`: what a program allocates on the device, and what its kernels allocate from the device heap,
//! and do not free is reported when the context, or the process, ends.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use common::{Folder, succeed};

/// Threads allocate blocks of 16, 17 and 18 bytes, and the first thread's can be freed.
const PTX: &str = ".version 8.3
.target sm_80
.address_size 64
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 address);
.global .align 8 .b64 slots[32];
.visible .entry take()
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<5>;
    mov.u32 %r1, %tid.x;
    cvt.u64.u32 %rd1, %r1;
    add.s64 %rd2, %rd1, 16;
    {
    .param .b64 a; .param .b64 r;
    st.param.b64 [a], %rd2;
    call.uni (r), malloc, (a);
    ld.param.b64 %rd3, [r];
    }
    mov.u64 %rd4, slots;
    mad.lo.u64 %rd4, %rd1, 8, %rd4;
    st.global.b64 [%rd4], %rd3;
    ret;
}
.visible .entry give()
{
    .reg .b64 %rd<2>;
    ld.global.b64 %rd1, [slots];
    {
    .param .b64 a;
    st.param.b64 [a], %rd1;
    call.uni free, (a);
    }
    ret;
}
";

struct Program {
    folder: Folder,
    image: PathBuf,
    program: PathBuf,
}

impl Program {
    fn new() -> Program {
        let folder = Folder::new();
        let (image, program) = (folder.file("leak.ptx", PTX), folder.path().join("leak"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/leak.c");
        let mut clang = Command::new("clang-22");
        clang.args(["-O1", "-gline-tables-only", "-Wall", "-Werror", "-o"]).arg(&program).arg(source);
        succeed(clang.arg("-L").arg(folder.path()).arg("-lcuda"));
        Program { folder, image, program }
    }

    /// What it writes to standard error, and to the file of JSON.
    fn run(&self, check: &str, threads: &str, letters: &str) -> (String, String) {
        let faults = self.folder.path().join("faults");
        let _ = fs::remove_file(&faults);
        let mut command = self.folder.command(&self.program);
        command.arg(&self.image).args([threads, letters]).env("WARPFOLD_FAULT_JSON", &faults);
        let output = succeed(command.env("WARPFOLD_CHECK_LEAKS", check));
        assert_eq!(output.stdout, b"done\n");
        (
            String::from_utf8_lossy(&output.stderr).into_owned(),
            fs::read_to_string(&faults).unwrap_or_default(),
        )
    }
}

#[test]
fn blocks_that_are_not_freed_are_reported_once_at_the_end() {
    let program = Program::new();
    for (letters, sentence, at_site) in [
        // The process ends with the context alive.
        ("s", "3 blocks of the device heap were never freed, 51 bytes in all", "3 of them, 51 bytes in all"),
        ("r", "3 blocks of the device heap were never freed, 51 bytes in all", "3 of them, 51 bytes in all"),
        ("fs", "2 blocks of the device heap were never freed, 35 bytes in all", "2 of them, 35 bytes in all"),
    ] {
        let (text, json) = program.run("1", "3", letters);
        assert_eq!(text.matches("never freed").count(), 1, "{letters}: {text}");
        assert!(text.starts_with(&format!("warpfold: {sentence}\n")), "{letters}: {text}");
        for part in [at_site, "of kernel take", "in `take`: call.uni (r), malloc, (a);"] {
            assert!(text.contains(part), "{letters}: {text}");
        }
        let [line] = json.lines().collect::<Vec<_>>()[..] else { panic!("{json}") };
        assert!(line.contains("\"kind\":\"leak\"") && line.contains(sentence), "{line}");
    }
}

#[test]
fn device_and_managed_memory_that_is_not_freed_is_reported_once_with_its_line() {
    let program = Program::new();
    // The process ends with the context alive, or without it.
    for letters in ["fsddm", "fsddmr", "fsdxddmh"] {
        let (text, json) = program.run("1", "1", letters);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "warpfold: 3 allocations of device memory were never freed, 2200 bytes in all");
        assert!(lines[1].starts_with("  2 of them, 2000 bytes in all, allocated at "), "{letters}: {text}");
        assert!(lines[2].starts_with("  200 bytes, allocated at "), "{letters}: {text}");
        assert!(lines[1..].iter().all(|line| line.contains("programs/leak.c:")), "{letters}: {text}");
        assert_eq!(lines.len(), 3, "{letters}: {text}");
        let [line] = json.lines().collect::<Vec<_>>()[..] else { panic!("{json}") };
        assert!(line.contains("\"kind\":\"leak\"") && line.contains("\"memory\":\"device\""), "{line}");
    }
}

#[test]
fn nothing_is_reported_without_the_check_or_when_all_is_freed() {
    let program = Program::new();
    for (check, threads, letters) in [
        ("0", "3", "r"),
        ("", "3", "s"),
        ("1", "1", "fr"),
        ("1", "1", "fs"),
        ("1", "1", "fsdxh"),
        ("0", "1", "sd"),
    ] {
        assert_eq!(program.run(check, threads, letters), (String::new(), String::new()), "{letters}");
    }
}

use std::os::unix::process::ExitStatusExt;

use super::*;

const RACE: &str = "//! fault data-race\n//! note One.\nint main(void) {\n  sum += 1; //~ //faulty\n  //fixed: one += 1;\n\
                    }\n";

fn program(kind: &str) -> Program {
    Program::new("openmp/race.c", &RACE.replace("data-race", kind)).expect("a program")
}

fn one(tool: Tool, text: &str) -> PeerReport {
    let reports = read(tool, "race.c", text);
    assert_eq!(reports.len(), 1, "{reports:?}");
    reports.into_iter().next().expect("it is there")
}

const TSAN: &str = "==================
WARNING: ThreadSanitizer: data race (pid=12)
  Write of size 4 at 0x7ffd by thread T5:
    #0 memcpy <null> (program+0x66d1a) (BuildId: 25f6)
    #1 region.omp_outlined /home/a/race.c:4:7 (program+0xe9632) (BuildId: 25f6)
    #2 __kmp_invoke_microtask <null> (libomp.so.5+0xe0678)

  Previous read of size 4 at 0x7ffd by main thread:
    #0 region /home/a/race.c (program+0xe960a) (BuildId: 25f6)

  Location is heap block of size 16 at 0x7f00 allocated by main thread:
    #0 main /home/a/race.c:3:7 (program+0xe9632)

  Thread T5 (tid=3, running) created by main thread at:
    #0 pthread_create <null> (program+0x649ba)
SUMMARY: ThreadSanitizer: data race /home/a/race.c:4:7 in region
==================
";

#[test]
fn reports_of_races_have_the_lines_of_both_sides() {
    let report = one(Tool::ThreadSanitizer, TSAN);
    // The compiler gave the second side no line.
    assert_eq!((&*report.name, report.kinds, report.lines), ("data race", vec!["data-race"], vec![4]));
    let both = TSAN.replace("race.c (program", "race.c:5:1 (program");
    assert_eq!(one(Tool::ThreadSanitizer, &both).lines, [4, 5]);
    // Another file of a similar name, and one side in OpenMP's library.
    let other = TSAN.replace("/race.c:4", "/trace.c:4");
    assert!(one(Tool::ThreadSanitizer, &other).lines.is_empty());
    let runtime = TSAN.replace("#0 memcpy <null> (program+", "#0 <null> <null> (/usr/lib/libomp.so.5+");
    assert_eq!(read(Tool::ThreadSanitizer, "race.c", &runtime), []);

    let helgrind = "==7== Possible data race during write of size 4 at 0x1F by thread #3\n==7== Locks held: none\n\
                    ==7==    at 0x4009F3: region.omp_outlined (race.c:4)\n==7==    by 0x48B31F8: ??? (in /usr/lib/libomp.so.5)\n\
                    ==7== \n==7== This conflicts with a previous read of size 4 by thread #1\n==7== Locks held: none\n\
                    ==7==    at 0x4009F3: region.omp_outlined (race.c:6)\n==7==  Address 0x1F is on thread #1's stack\n\
                    ==7==    at 0x4009F3: main (race.c:1)\n";
    let report = one(Tool::Helgrind, helgrind);
    assert_eq!((report.kinds, report.lines), (vec!["data-race"], vec![4, 6]));
}

#[test]
fn reports_of_memory_have_the_line_of_the_access() {
    let asan = "==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x50 at pc 0x55 bp 0x7f sp 0x7f\n\
                READ of size 4 at 0x50 thread T1\n    #0 0x7f in f(int, int) /a/race.c:4:50\n    #1 0x7f in main /a/race.c:1:1\n\n\
                0x50 is located 0 bytes after 16-byte region [0x40,0x50)\nallocated by thread T0 here:\n    \
                #0 0x55 in malloc (/a/program+0x1)\n    #1 0x7f in main /a/race.c:2:3\n\nSUMMARY: AddressSanitizer: x\n";
    let report = one(Tool::AddressSanitizer, asan);
    assert_eq!((report.kinds, report.lines), (vec!["out-of-bounds"], vec![4]));
    let kinds =
        |name: &str| one(Tool::AddressSanitizer, &asan.replace("heap-buffer-overflow on", name)).kinds;
    assert_eq!(kinds("heap-use-after-free on"), ["use-after-free"]);
    assert_eq!(kinds("attempting double-free on"), ["use-after-free"]);
    assert_eq!(kinds("SEGV on unknown"), ["out-of-bounds", "use-after-free"]);
    assert!(kinds("stack-overflow on").is_empty());
    let ubsan = "/a/race.c:4:14: runtime error: load of misaligned address 0x7b for type 'int', which\n0x7b: note: pointer\n";
    let report = one(Tool::AddressSanitizer, ubsan);
    assert_eq!((report.kinds, report.lines), (vec!["misaligned"], vec![4]));

    let memcheck = "==8== Thread 2:\n==8== Invalid read of size 4\n==8==    at 0x485: region (race.c:4)\n\
                    ==8==  Address 0x11 is 0 bytes inside a block of size 16 free'd\n==8==    at 0x484: free (in /v.so)\n\
                    ==8==    by 0x485: region (race.c:6)\n";
    let report = one(Tool::Memcheck, memcheck);
    assert_eq!((report.kinds, report.lines), (vec!["use-after-free"], vec![4]));
    let report = one(
        Tool::Memcheck,
        &memcheck.replace("inside a block of size 16 free'd", "after a block of size 16 alloc'd"),
    );
    assert_eq!(report.kinds, ["out-of-bounds"]);
}

#[test]
fn undefined_values_are_traced() {
    let msan = "==5==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x55 in printf (/a/program+0x3)\n    \
                #1 0x55 in main /a/race.c:12:3\n\n  Uninitialized value was stored to memory at\n    #0 0x55 in f /a/race.c:4:5\n\
                \n  Uninitialized value was created by an allocation of 'a' in the stack frame\n    #0 0x55 in f /a/race.c:2:5\n\n\
                SUMMARY: MemorySanitizer: use-of-uninitialized-value /a/race.c:12:3 in main\n";
    let report = one(Tool::MemorySanitizer, msan);
    assert_eq!((report.kinds, report.lines), (vec!["uninitialised"], vec![12, 4, 2]));
    let of_runtime =
        msan.replace("#0 0x55 in printf (/a/program+0x3)", "#0 0x7f  (/usr/lib/libomptarget.so.22.1+0x3)");
    assert_eq!(read(Tool::MemorySanitizer, "race.c", &of_runtime), []);

    let memcheck = "==8== Conditional jump or move depends on uninitialised value(s)\n==8==    at 0x4A: printf (printf.c:33)\n\
                    ==8==    by 0x10: main (race.c:12)\n==8==  Uninitialised value was created by a stack allocation\n\
                    ==8==    at 0x10: f (race.c:2)\n==8== \n==8== Process terminating\n==8==    at 0x10: f (race.c:3)\n";
    let report = one(Tool::Memcheck, memcheck);
    assert_eq!((report.kinds, report.lines), (vec!["uninitialised"], vec![12, 2]));
}

#[test]
fn a_report_is_the_fault_if_kind_and_lines_are() {
    let judged = |kind: &str, variant, status: Option<i32>, err: &str| {
        let status = status.map(std::process::ExitStatus::from_raw);
        let result = RunResult { status, out: String::new(), err: err.to_owned() };
        judge(Tool::ThreadSanitizer, &program(kind), variant, &result)
    };
    let other = |lines: &str| Outcome::Other(format!("data race, lines {lines}"));
    let nothing = |how: &str| Outcome::Nothing(how.to_owned());
    assert_eq!(judged("data-race", Variant::Faulty, Some(66 << 8), TSAN), Outcome::Fault);
    assert_eq!(judged("data-race", Variant::Twin, Some(66 << 8), TSAN), other("[4]"));
    assert_eq!(judged("barrier", Variant::Faulty, Some(66 << 8), TSAN), other("[4]"));
    let elsewhere = TSAN.replace("race.c (program", "race.c:6:1 (program");
    assert_eq!(judged("data-race", Variant::Faulty, Some(0), &elsewhere), other("[4, 6]"));
    assert_eq!(judged("uninitialised", Variant::Faulty, Some(0), &elsewhere), other("[4, 6]"));
    assert_eq!(judged("data-race", Variant::Faulty, None, ""), nothing("it does not end"));
    assert_eq!(judged("data-race", Variant::Twin, Some(0), ""), nothing(""));
    let failed = judged("data-race", Variant::Twin, Some(1 << 8), "error\n\n");
    assert_eq!(failed, Outcome::NotRun("exit status: 1: error".to_owned()));
    assert_eq!(
        judged("data-race", Variant::Faulty, Some(1 << 8), "error\n\n"),
        nothing("exit status: 1: error")
    );
}

#[test]
fn programs_with_one_team_differ_in_the_clause_only() {
    let text = "#pragma omp target teams num_teams(n / 2) thread_limit(64)\nint n = omp_get_num_teams();\nnum_teams(4)\n";
    let one = "#pragma omp target teams num_teams(1) thread_limit(64)\nint n = omp_get_num_teams();\nnum_teams(1)\n";
    assert_eq!(with_one_team(text), one);
}

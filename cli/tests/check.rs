//! Checks: `warpfold run --check`, `warpfold check` and `warpfold reduce --check`, with planted faults of
//! `tests-gpu/faults` and their correct twins.

mod common;

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    process::{Output, Stdio},
};

use common::{command, made, make, text, warpfold};
use serde_json::Value;

/// A race that no run in order shows: teams that are not in order write the same variable.
const TICKET: &str = r#"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int ticket = 0, last = 0;
#pragma omp target teams num_teams(4) map(tofrom : ticket, last)
  {
    int mine;
#pragma omp atomic capture
    mine = ticket++;
    if (mine != omp_get_team_num()) last = mine;
  }
  puts("done");
  return argc > 1 ? atoi(argv[1]) : 0;
}
"#;

/// The text of a planted fault, or of its twin (`tests-gpu/src/faults.rs`). Lines keep their numbers.
fn planted(path: &str, faulty: bool) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests-gpu/faults");
    let all = fs::read_to_string(folder.join(path)).expect("a planted fault");
    let line = |line: &str| {
        let only_faulty = line.trim_end().strip_suffix("//faulty");
        let only_fixed = line.trim_start().strip_prefix("//fixed: ");
        match (only_faulty, only_fixed) {
            (Some(line), _) if faulty => line.to_owned(),
            (_, Some(line)) if !faulty => line.to_owned(),
            (None, None) => line.to_owned(),
            _ => String::new(),
        }
    };
    all.lines().map(|text| line(text) + "\n").collect()
}

/// A folder with the planted fault `race`, compiled, and its twin.
fn race() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, faulty) in [("race", true), ("twin", false)] {
        let source = format!("{name}.c");
        fs::write(folder.path().join(&source), planted("openmp/sum_without_reduction.c", faulty))
            .expect("a file");
        make(folder.path(), &["cc", "-O2", "-gline-tables-only", &source, "-o", name]);
    }
    folder
}

/// A folder with planted faults of PTX.
fn kernels(files: &[(&str, bool)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, faulty) in files {
        let text = planted(&format!("ptx/{name}.ptx"), *faulty);
        fs::write(folder.path().join("kernel.ptx"), text).expect("a file");
    }
    folder
}

#[track_caller]
fn status(output: &Output, expected: i32) -> String {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(expected), "{message}{}", text(&output.stdout));
    message
}

fn last_line(message: &str) -> &str {
    message.lines().last().unwrap_or_default()
}

/// The document in a file.
fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join(name)).expect("a file")).expect("JSON")
}

fn kinds(document: &Value) -> Vec<&str> {
    let findings = document["findings"].as_array().expect("findings");
    findings.iter().map(|finding| finding["kind"].as_str().expect("a kind")).collect()
}

#[test]
fn a_race_is_reported_where_it_is_asked_for() {
    let folder = race();
    let run = |words: &[&str]| warpfold(folder.path(), &[&["run"], words].concat());
    for options in [&["--check"][..], &["--check=race"], &["--check=all"], &["--check=init, race"]] {
        let output = run(&[options, &["./race"]].concat());
        let message = status(&output, 125);
        assert!(message.starts_with("warpfold: race.c:10: data race: "), "{message}");
        assert!(last_line(&message).ends_with("data-race)"), "{message}");
        assert!(text(&output.stdout).starts_with("sum "), "the program's output: {output:?}");
    }
    for options in [&["--check=init"][..], &["--check=lane,barrier,memory"]] {
        let message = status(&run(&[options, &["./race"]].concat()), 0);
        assert_eq!(message, "warpfold: no findings\n", "{options:?}");
    }
    assert_eq!(status(&run(&["./race"]), 0), "", "nothing is checked");
    assert_eq!(status(&run(&["--check", "./twin"]), 0), "warpfold: no findings\n");
    // The variable is the option.
    let output = command(folder.path(), &["run", "./race"]).env("WARPFOLD_CHECK", "race").output();
    status(&output.expect("it starts"), 125);
    let output = command(folder.path(), &["run", "./race"]).env("WARPFOLD_CHECK", "").output();
    assert_eq!(status(&output.expect("it starts"), 0), "");
}

/// Sends itself the signal that it is given, before its only launch if another argument follows.
const KILLED: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  if (argc > 2) kill(getpid(), atoi(argv[1]));
  int x = 0;
#pragma omp target map(tofrom : x)
  x = 1;
  printf("%d\n", x);
  fflush(stdout);
  if (argc > 1) kill(getpid(), atoi(argv[1]));
  _exit(3);
}
"#;

/// What a program would have done after it was killed was not checked.
#[test]
fn a_program_that_was_killed_is_not_said_to_be_clean() {
    let (folder, _) = made(&[("killed.c", KILLED)], &["cc", "-O1", "killed.c", "-o", "killed"]);
    let run = |words: &[&str]| warpfold(folder.path(), &[&["run"], words].concat());
    assert_eq!(status(&run(&["--check", "./killed"]), 3), "warpfold: no findings\n");
    for (number, name, hint) in [
        ("9", "SIGKILL", "; perhaps the host ran out of memory"),
        ("11", "SIGSEGV", ""),
        ("6", "SIGABRT", ""),
    ] {
        let expected = 128 + number.parse::<i32>().expect("a number");
        for (arguments, printed) in [(&[number][..], "1\n"), (&[number, "early"], "")] {
            let output = run(&[&["--check", "./killed"], arguments].concat());
            let why = format!("the program was killed by {name}{hint}");
            let message = status(&output, expected);
            assert_eq!(
                message,
                format!(
                    "warpfold: ./killed: {why}\nwarpfold: no findings; the checks are not complete: {why}\n"
                )
            );
            assert_eq!(text(&output.stdout), printed);
            let message = status(&run(&[&["./killed"], arguments].concat()), expected);
            assert_eq!(message, format!("warpfold: ./killed: {why}\n"), "without checks");
        }
        // In a shell, which goes on and ends with a status of its own.
        let script = format!("./killed {number}; exit $?");
        let message = status(&run(&["--check", "sh", "-c", &script]), expected);
        let why =
            format!("the program ended with status {expected}, as if {name} had killed a process of it");
        assert!(last_line(&message).ends_with(&format!("not complete: {why}")), "{message}");
    }
    // Reports for programs, and a run that is not the first.
    let report = ["--check", "--report=json", "--report-file=found.json", "./killed", "11"];
    status(&run(&report), 139);
    assert_eq!(json(folder.path(), "found.json")["incomplete"], "the program was killed by SIGSEGV");
    let report = ["--check", "--report=sarif", "--report-file=found.sarif", "./killed", "11"];
    status(&run(&report), 139);
    let log = json(folder.path(), "found.sarif");
    let text = &log["runs"][0]["results"][0]["message"]["text"];
    assert_eq!(text, "The checks are not complete: the program was killed by SIGSEGV");
    let script = "test -n \"$WARPFOLD_SEED\" && exec ./killed 11; exit 0";
    let message = status(&run(&["--check", "--schedules=2", "sh", "-c", script]), 139);
    assert!(
        last_line(&message).ends_with("not complete: with seed 1 the program was killed by SIGSEGV"),
        "{message}"
    );
}

/// Without `warpfold run` a program ends with its own status.
#[test]
fn the_variable_works_for_any_program() {
    let folder = race();
    let driver = text(&warpfold(folder.path(), &["config", "--driver-dir"]).stdout);
    let run = |checks: &str| {
        let mut command = std::process::Command::new(folder.path().join("race"));
        command.env("LD_LIBRARY_PATH", driver.trim()).env("OMP_TARGET_OFFLOAD", "MANDATORY");
        command.env("WARPFOLD_CHECK", checks).current_dir(folder.path());
        command.output().expect("it starts")
    };
    for checks in ["race", "all", "race,lane"] {
        let message = status(&run(checks), 0);
        assert!(message.starts_with("warpfold: race.c:10: data race: "), "{message}");
    }
    for checks in ["lane,barrier,memory", "init", ""] {
        assert_eq!(status(&run(checks), 0), "", "{checks}");
    }
    let message = text(&run("races").stderr);
    let expected =
        "WARPFOLD_CHECK: unknown check 'races'; the checks are race, init, lane, barrier and memory, or all";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn reports_are_written_for_programs() {
    let folder = race();
    let run = |words: &[&str]| warpfold(folder.path(), &[&["run", "--check"], words, &["./race"]].concat());
    let message = status(&run(&["--report=json", "--report-file=found.json"]), 125);
    assert!(message.starts_with("warpfold: race.c:10: "), "the text is written besides: {message}");
    let document = json(folder.path(), "found.json");
    assert!(kinds(&document).iter().all(|kind| *kind == "data-race"), "{document}");
    let finding = &document["findings"][0];
    assert_eq!(
        (&document["runs"], &document["suppressed"], &finding["runs"]),
        (&1.into(), &0.into(), &1.into())
    );
    assert_eq!(finding["first_seed"], Value::Null);
    assert_eq!(finding["sides"].as_array().map(Vec::len), Some(2));
    assert!(finding["report"].as_str().is_some_and(|report| report.contains("race.c:10: ")), "{finding}");

    // Behind the program's output.
    let output = run(&["--report=json"]);
    let shown = text(&output.stdout);
    let (first, rest) = shown.split_once('\n').expect("lines");
    assert!(first.starts_with("sum "), "{shown}");
    assert_eq!(serde_json::from_str::<Value>(rest).expect("JSON"), document);

    status(&run(&["--report=sarif", "--report-file=found.sarif"]), 125);
    let log = json(folder.path(), "found.sarif");
    assert_eq!(log["version"], "2.1.0");
    let run_of = &log["runs"][0];
    assert_eq!(run_of["tool"]["driver"]["name"], "warpfold");
    let rules = run_of["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in run_of["results"].as_array().expect("results") {
        let rule = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!((&rules[rule]["id"], &result["ruleId"]), (&"data-race".into(), &"data-race".into()));
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "race.c", "relative to the folder");
        assert_eq!(location["region"]["startLine"], 10);
        let related = result["relatedLocations"].as_array().expect("both sides");
        assert!(related.len() == 2 && related[1]["message"]["text"].is_string(), "{result}");
    }

    for format in [&["--report-file=found.txt"][..], &["--report=text", "--report-file=found.txt"]] {
        let message = status(&run(&[format, &["--color=always"]].concat()), 125);
        assert!(message.contains("\u{1b}["), "{message}");
        let written = fs::read_to_string(folder.path().join("found.txt")).expect("a file");
        assert!(written.starts_with("warpfold: race.c:10: ") && !written.contains('\u{1b}'), "{written}");
        assert_eq!(last_line(&written), last_line(&message));
    }
    // A report of nothing is one, too.
    let output =
        warpfold(folder.path(), &["run", "--check", "--report=json", "--report-file=none.json", "./twin"]);
    status(&output, 0);
    assert!(kinds(&json(folder.path(), "none.json")).is_empty());
}

#[test]
fn faults_have_the_kinds_of_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, kind) in [
        ("partly_filled_array", "uninitialised"),
        ("free_before_kernel", "use-after-free"),
        ("one_past_the_end", "out-of-bounds"),
        ("barrier_in_one_branch", "barrier"),
        ("packed_records", "misaligned"),
        ("lock_taken_twice", "livelock"),
    ] {
        fs::write(folder.path().join("fault.c"), planted(&format!("openmp/{name}.c"), true)).expect("a file");
        make(folder.path(), &["cc", "-O2", "-gline-tables-only", "fault.c", "-o", "fault"]);
        let options = ["--check", "--step-limit=2000000", "--report=json", "--report-file=found.json"];
        let output = warpfold(folder.path(), &[&["run"], &options[..], &["./fault"]].concat());
        status(&output, 125);
        let document = json(folder.path(), "found.json");
        assert!(
            !kinds(&document).is_empty() && kinds(&document).iter().all(|it| *it == kind),
            "{name}: {document}"
        );
        // A suppressed fault does not set the status, which is then the program's.
        fs::write(folder.path().join("known"), format!("{kind} fault.c:*\n")).expect("a file");
        let output = warpfold(
            folder.path(),
            &[&["run", "--suppressions=known"], &options[..2], &["./fault"]].concat(),
        );
        assert_ne!(output.status.code(), Some(125), "{name}");
        assert!(
            text(&output.stderr).ends_with("warpfold: no findings, 1 suppressed\n"),
            "{name}: {output:?}"
        );
    }
}

#[test]
fn several_schedules_find_what_some_show() {
    let folder = common::folder(&[("ticket.c", TICKET)]);
    make(folder.path(), &["cc", "-O2", "-gline-tables-only", "ticket.c", "-o", "ticket"]);
    let run = |words: &[&str]| warpfold(folder.path(), &[&["run", "--check"], words].concat());
    assert_eq!(status(&run(&["./ticket"]), 0), "warpfold: no findings\n");
    let output = run(&["--schedules", "8", "--report=json", "--report-file=found.json", "./ticket"]);
    let message = status(&output, 125);
    assert_eq!(text(&output.stdout), "done\n", "the first run's only");
    assert_eq!(message.matches("warpfold: ticket.c:12: data race: ").count(), 1, "{message}");
    let document = json(folder.path(), "found.json");
    assert_eq!((kinds(&document), &document["runs"]), (vec!["data-race"], &8.into()));
    let finding = &document["findings"][0];
    let (runs, seed) =
        (finding["runs"].as_u64().expect("runs"), finding["first_seed"].as_u64().expect("a seed"));
    assert!(runs < 8, "not in order: {finding}");
    let line = format!("\n  in {runs} of 8 runs, the first with seed {seed}\n");
    assert!(message.contains(&line), "{line}: {message}");
    assert_eq!(last_line(&message), "warpfold: 1 finding in 8 runs (1 data-race)");
    // The seed shows it.
    status(&run(&["--seed", &seed.to_string(), "./ticket"]), 125);
    // Without a report the status is the program's.
    fs::write(folder.path().join("known"), "data-race ticket.c:12\n").expect("a file");
    let message = status(&run(&["--schedules=3", "--suppressions=known", "./ticket", "7"]), 7);
    assert_eq!(message, "warpfold: no findings in 3 runs, 1 suppressed\n");
}

#[test]
fn every_schedule_reads_a_file_from_its_start() {
    let folder =
        common::folder(&[("in", "one\ntwo\n"), ("word.sh", "read line; echo \"$line\" >> read; cat > rest")]);
    let run = |input: Stdio| {
        let mut command = command(folder.path(), &["run", "--check", "--schedules=3", "sh", "word.sh"]);
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let output = run(File::open(folder.path().join("in")).expect("a file").into()).wait_with_output();
    status(&output.expect("its output"), 0);
    assert_eq!(fs::read_to_string(folder.path().join("read")).expect("a file"), "one\none\none\n");
    fs::remove_file(folder.path().join("read")).expect("it is there");
    let mut child = run(Stdio::piped());
    child.stdin.take().expect("a pipe").write_all(b"one\ntwo\n").expect("it is read");
    status(&child.wait_with_output().expect("its output"), 0);
    assert_eq!(fs::read_to_string(folder.path().join("read")).expect("a file"), "one\n\n\n");
}

#[test]
fn a_later_run_that_fails_is_noted() {
    let folder = common::folder(&[("second.sh", "test -z \"$WARPFOLD_SEED\"")]);
    let output = warpfold(folder.path(), &["run", "--check", "--schedules=3", "sh", "second.sh"]);
    let message = status(&output, 1);
    assert!(
        message.starts_with("warpfold: with seed 1 the program ended with exit status: 1\n"),
        "{message}"
    );
    assert!(!message.contains("seed 2"), "{message}");
}

#[test]
fn known_findings_are_suppressed() {
    let folder = race();
    let run = |known: &str| {
        fs::write(folder.path().join("known"), known).expect("a file");
        warpfold(folder.path(), &["run", "--check", "--suppressions", "known", "./race"])
    };
    for known in
        ["data-race race.c:*", "* *:10", "data-race kernel:__omp_offloading_*", "* *race.c:10 race.c:*"]
    {
        let message = status(&run(known), 0);
        assert!(
            message.starts_with("warpfold: no findings, ") && message.ends_with(" suppressed\n"),
            "{message}"
        );
    }
    let message = status(&run("# known\n\nuninitialised race.c:10\ndata-race race.c:11 # wrong line\n"), 125);
    for line in
        ["known:3: `uninitialised race.c:10` suppressed nothing", "known:4: `data-race race.c:11` suppressed"]
    {
        assert!(message.contains(line), "{line}: {message}");
    }
    assert!(last_line(&message).starts_with("warpfold: ") && !message.contains(" suppressed\n"), "{message}");
    let mut variable = command(folder.path(), &["run", "--check", "./race"]);
    fs::write(folder.path().join("known"), "data-race race.c:*").expect("a file");
    status(&variable.env("WARPFOLD_CHECK_SUPPRESSIONS", "known").output().expect("it starts"), 0);
    // It is not used without --check, and no error.
    let mut variable = command(folder.path(), &["run", "./race"]);
    status(&variable.env("WARPFOLD_CHECK_SUPPRESSIONS", "known").output().expect("it starts"), 0);

    for (known, said) in [
        ("data-race race.c:1\nrace race.c:1\n", "known:2: unknown kind `race`"),
        ("data-race race.c\n", "known:1: `race.c` is not FILE:LINE"),
        (&*"* a:1\n".repeat(10_001), "known:10001: there are more than 10000 suppressions"),
        (&*"#".repeat((1 << 20) + 1), "known: a file of suppressions has at most 1048576 bytes"),
    ] {
        let message = status(&run(known), 125);
        assert!(message.starts_with("warpfold: ") && message.contains(said), "{message}");
    }
    fs::write(folder.path().join("known"), b"\xff\xfe").expect("a file");
    let output = warpfold(folder.path(), &["run", "--check", "--suppressions", "known", "./race"]);
    assert!(status(&output, 125).contains("cannot read known: "), "{output:?}");
    let output = warpfold(folder.path(), &["run", "--check", "--suppressions", "nowhere", "./race"]);
    assert!(status(&output, 125).contains("cannot read nowhere: "), "{output:?}");
}

#[test]
fn wrong_options_are_errors() {
    let folder = common::folder(&[]);
    for (words, said) in [
        (&["--check=races", "true"][..], "the checks are race, init, lane, barrier and memory, or all"),
        (&["--check=", "true"], "the checks are race"),
        (&["--check", "--schedules=0", "true"], "--schedules"),
        (&["--check", "--schedules=2", "--seed=1", "true"], "cannot be used with"),
        (&["--check", "--schedules=2", "--record=x", "true"], "cannot be used with"),
        (&["--check", "--schedules=2", "--replay=x", "true"], "cannot be used with"),
        (&["--check", "--report=xml", "true"], "xml"),
        (&["--schedules=2", "true"], "--schedules needs --check"),
        (&["--report=json", "true"], "--report needs --check"),
        (&["--report-file=x", "true"], "--report-file needs --check"),
        (&["--suppressions=x", "true"], "--suppressions needs --check"),
        (&["--check", "--report-file=nowhere/x", "true"], "cannot write nowhere/x"),
    ] {
        let output = warpfold(folder.path(), &[&["run"], words].concat());
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.contains(said), "{words:?}: {message}");
    }
}

#[test]
fn kernels_of_a_file_are_checked() {
    for (name, block, arguments, kind) in [
        ("shared_histogram", "64", &["buffer:32"][..], "data-race"),
        ("undefined_index", "", &[], "uninitialised"),
        ("barrier_odd_count", "", &[], "barrier"),
        ("two_barriers", "", &[], "deadlock"),
        ("global_past_the_end", "", &[], "out-of-bounds"),
        ("misaligned_u64", "", &[], "misaligned"),
    ] {
        for faulty in [true, false] {
            let folder = kernels(&[(name, faulty)]);
            // What its directives ask for, unless it is given here.
            let source = planted(&format!("ptx/{name}.ptx"), faulty);
            let directives = |word: &str| {
                let found = source.lines().filter_map(|line| line.strip_prefix("//! ")?.strip_prefix(word));
                found.map(|rest| rest.trim().to_owned()).collect::<Vec<_>>()
            };
            let launch = directives("launch ").remove(0);
            let shape: Vec<&str> = launch.split(' ').collect();
            let mut words = vec!["check".to_owned(), "kernel.ptx".to_owned(), format!("--grid={}", shape[0])];
            words.push(format!("--block={}", if block.is_empty() { shape[1] } else { block }));
            words.push(format!("--shared={}", shape.get(2).unwrap_or(&"0")));
            if arguments.is_empty() {
                for argument in directives("argument ") {
                    let (what, number) = argument.split_once(' ').expect("two words");
                    let bytes = 4 * number.parse::<u64>().expect("a number");
                    words.push(match what {
                        "u32" => format!("--argument=u32:{number}"),
                        "words" => format!("--argument=buffer:{bytes}:index"),
                        "undefined" => format!("--argument=buffer:{bytes}:undefined"),
                        _ => format!("--argument=buffer:{bytes}"),
                    });
                }
            }
            words.extend(arguments.iter().map(|spec| format!("--argument={spec}")));
            words.extend(["--report=json".to_owned(), "--report-file=found.json".to_owned()]);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = warpfold(folder.path(), &words);
            let message = status(&output, if faulty { 125 } else { 0 });
            let document = json(folder.path(), "found.json");
            let found = kinds(&document);
            if faulty {
                assert!(!found.is_empty() && found.iter().all(|it| *it == kind), "{name}: {message}");
            } else {
                assert_eq!(message, "warpfold: no findings\n", "{name}");
            }
        }
    }
}

#[test]
fn lines_of_ptx_are_positions() {
    let folder = kernels(&[("shared_histogram", true)]);
    let source = planted("ptx/shared_histogram.ptx", true);
    let marked: Vec<usize> =
        (1..).zip(source.lines()).filter(|(_, line)| line.ends_with("//~")).map(|(line, _)| line).collect();
    let [first, second] = marked[..] else { panic!("two lines take part") };
    let check = |words: &[&str]| {
        let words = [&["check", "kernel.ptx", "--block=64", "--argument=buffer:32"], words].concat();
        warpfold(folder.path(), &words)
    };
    let output = check(&["--schedules=3", "--report=sarif"]);
    assert!(status(&output, 125).ends_with("warpfold: 1 finding in 3 runs (1 data-race)\n"));
    let log: Value = serde_json::from_slice(&output.stdout).expect("SARIF");
    let result = &log["runs"][0]["results"][0];
    let mut lines: Vec<u64> = result["relatedLocations"]
        .as_array()
        .expect("both sides")
        .iter()
        .map(|side| {
            assert_eq!(side["physicalLocation"]["artifactLocation"]["uri"], "kernel.ptx");
            side["physicalLocation"]["region"]["startLine"].as_u64().expect("a line")
        })
        .collect();
    lines.sort_unstable();
    assert_eq!(lines, [first as u64, second as u64]);
    fs::write(folder.path().join("known"), format!("data-race kernel.ptx:{second} kernel.ptx:{first}"))
        .expect("a file");
    assert_eq!(status(&check(&["--suppressions=known"]), 0), "warpfold: no findings, 1 suppressed\n");
}

#[test]
fn arguments_reach_the_kernel() {
    let ptx = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry other() { ret; }
.visible .entry given(.param .u8 a, .param .s16 b, .param .u32 c, .param .f32 d, .param .f64 e, .param .u64 words,
    .param .u64 zeros) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>; .reg .b16 %h<4>;
  ld.param.u8 %r0, [a];
  setp.ne.u32 %p, %r0, 255;
  @%p trap;
  ld.param.s16 %r0, [b];
  setp.ne.s32 %p, %r0, -2;
  @%p trap;
  ld.param.u32 %r0, [c];
  setp.ne.u32 %p, %r0, 0xdeadbeef;
  @%p trap;
  ld.param.f32 %f0, [d];
  setp.ne.f32 %p, %f0, 0f3FC00000;
  @%p trap;
  ld.param.f64 %fd0, [e];
  setp.ne.f64 %p, %fd0, 0dC004000000000000;
  @%p trap;
  ld.param.u64 %rd0, [words];
  ld.global.u32 %r0, [%rd0+12];
  setp.ne.u32 %p, %r0, 3;
  @%p trap;
  ld.param.u64 %rd0, [zeros];
  ld.global.u32 %r0, [%rd0+12];
  setp.ne.u32 %p, %r0, 0;
  @%p trap;
  ret;
}
";
    let folder = common::folder(&[("kernel.ptx", ptx)]);
    let check = |words: &[&str]| warpfold(folder.path(), &[&["check", "kernel.ptx"], words].concat());
    let given = [
        "--kernel=given",
        "--argument=u8:0xff",
        "--argument=i16:-2",
        "--argument=u32:0xdeadbeef",
        "--argument=f32:1.5",
        "--argument=f64:-2.5",
        "--argument=buffer:16:index",
        "--argument=buffer:16",
    ];
    assert_eq!(status(&check(&given), 0), "warpfold: no findings\n");
    let mut wrong = given;
    wrong[2] = "--argument=i16:2";
    let message = status(&check(&wrong), 125);
    assert!(message.contains("`trap`") && message.ends_with("warpfold: 1 finding (1 trap)\n"), "{message}");

    for (words, said) in [
        (&[][..], "kernel.ptx has several kernels: add `--kernel` with one of given, other"),
        (&["--kernel=none"], "none"),
        (&given[..3], "given takes parameters of (1, 2, 4, 4, 8, 8, 8) bytes"),
        (&["--kernel=other", "--schedules=5", "--argument=u8:1"], "other takes parameters of () bytes"),
    ] {
        let message = status(&check(words), 1);
        assert!(message.starts_with("warpfold: ") && message.contains(said), "{words:?}: {message}");
        assert_eq!(message.matches("warpfold: ").count(), 1, "{words:?}: {message}");
    }
    for words in [&["--argument=u8:256"], &["--grid=0"], &["--block=1,2,3,4"], &["--argument=buffer:8:ones"]]
    {
        assert_eq!(check(words).status.code(), Some(2), "{words:?}");
    }
    let message = status(&check(&["--kernel=other", "--block=5000"]), 1);
    assert!(message.contains("launching other with 1x1x1 block(s) of 5000x1x1 threads"), "{message}");
    // A module that the driver rejects is a report.
    fs::write(folder.path().join("wrong.ptx"), ptx.replace("trap", "trapped")).expect("a file");
    let message = status(&warpfold(folder.path(), &["check", "wrong.ptx"]), 125);
    assert!(message.ends_with("warpfold: 1 finding (1 refused-module)\n"), "{message}");
    for (name, bytes) in
        [("nul.ptx", &b".version 8.0\0"[..]), ("binary.ptx", b"\xff\xff"), ("empty.ptx", b"")]
    {
        fs::write(folder.path().join(name), bytes).expect("a file");
        let output = warpfold(folder.path(), &["check", name]);
        let message = text(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(1 | 125)) && message.starts_with("warpfold: "),
            "{message}"
        );
    }
    assert!(
        status(&warpfold(folder.path(), &["check", "nowhere.ptx"]), 1).contains("cannot read nowhere.ptx")
    );
}

#[test]
fn a_kernel_that_does_not_end_is_reported() {
    let ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry spin() {\nL: bra L;\n}\n";
    let folder = common::folder(&[("spin.ptx", ptx)]);
    let message = status(&warpfold(folder.path(), &["check", "spin.ptx", "--step-limit=10000"]), 125);
    assert!(message.ends_with("warpfold: 1 finding (1 livelock)\n"), "{message}");
    let output = warpfold(folder.path(), &["check", "spin.ptx", "--timeout=1", "--schedules=3"]);
    let message = status(&output, 124);
    assert!(message.contains("interrupted") && message.contains("PTX line 5"), "{message}");
    assert!(message.contains("reached its limit of 1 s (`--timeout`) and was ended\n"), "{message}");
    let summary = "1 finding in 1 run (1 interrupted); the checks are not complete: the program was ended";
    assert_eq!(last_line(&message), format!("warpfold: {summary}"));
}

#[test]
fn reductions_are_checked() {
    let folder = common::folder(&[("in.csv", "1\n2\n3\n")]);
    let reduce = |words: &[&str]| {
        let words = [&["reduce", "--device=emulator", "--op=sum,min"], words, &["in.csv"]].concat();
        warpfold(folder.path(), &words)
    };
    for check in ["--check", "--check=race,init"] {
        let output = reduce(&[check]);
        assert_eq!(status(&output, 0), "warpfold: no findings\n", "{check}");
        assert_eq!(text(&output.stdout), "sum 6\nmin 1\n");
    }
    assert_eq!(reduce(&["--check=races"]).status.code(), Some(2));
    let output = reduce(&["--check", "--schedules=3", "--report=json", "--report-file=found.json"]);
    assert_eq!(status(&output, 0), "warpfold: no findings in 3 runs\n");
    assert_eq!(text(&output.stdout), "sum 6\nmin 1\n", "the results of the first run only");
    let found = fs::read_to_string(folder.path().join("found.json")).expect("a report");
    assert!(found.contains("\"runs\": 3"), "{found}");
    assert!(status(&reduce(&["--schedules=3"]), 1).contains("--schedules needs --check"));
    // A launch that fails is a report, which is said once.
    let mut command =
        command(folder.path(), &["reduce", "--check", "--device=emulator", "--op=sum", "in.csv"]);
    let output = command.env("WARPFOLD_STEP_LIMIT", "10").output().expect("it starts");
    let message = status(&output, 125);
    assert_eq!(message.matches("reached its limit").count(), 1, "{message}");
}

/// What is read several times is a file.
#[test]
fn input_of_several_schedules_is_a_file() {
    let folder = common::folder(&[("in.csv", "1\n2\n3\n")]);
    let words = ["reduce", "--device=emulator", "--op=sum", "--type=i64", "--check", "--schedules=2", "-"];
    let run = |input: Stdio| command(folder.path(), &words).stdin(input).output().expect("it starts");
    let file = File::open(folder.path().join("in.csv")).expect("the input");
    let output = run(file.into());
    assert_eq!(status(&output, 0), "warpfold: no findings in 2 runs\n");
    assert_eq!(text(&output.stdout), "sum 6\n");
    assert!(status(&run(Stdio::piped()), 1).contains("give it as a file, not through a pipe"));
}

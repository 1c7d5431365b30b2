//! Each program of the conformance suite that is not marked `whole`, in two build modes, and tests of the suite itself. `cargo xtask
//! conformance` runs the whole suite.

use std::time::Instant;

use tests_gpu::checked::{self, Campaign};
use tests_gpu::conformance::{self, Build, MODES, Outcome, Program, Settings};
use tests_gpu::{offload, single_construct};

fn settings() -> Settings {
    let parallel = std::thread::available_parallelism().map_or(1, usize::from);
    Settings {
        driver: Some(offload::driver()),
        parallel,
        options: Vec::new(),
        keep: None,
        engines: false,
        verbose: false,
    }
}

/// Some programs in both engines, nightly all that run with every change. `cargo xtask conformance --engines` runs all.
#[test]
fn engines_count_the_same() {
    const PROGRAMS: [&str; 2] = ["sum.c", "library.c"];
    let programs = conformance::programs(&conformance::folder()).expect("the programs can be read");
    let mut builds = conformance::quick_builds(&programs);
    builds.retain(|build| {
        let is_optimised = MODES[build.mode].0.starts_with("O2");
        is_nightly() || is_optimised && PROGRAMS.contains(&&*build.program.name)
    });
    let start = Instant::now();
    let outcomes = conformance::run(&builds, &Settings { engines: true, ..settings() });
    let report = conformance::report(&builds, &outcomes, start.elapsed());
    assert!(outcomes.iter().all(|outcome| outcome.failures.is_empty()), "{report}");
    assert!(builds.len() >= PROGRAMS.len(), "{report}");
}

#[test]
fn each_program_passes_unoptimised_and_optimised() {
    let programs = conformance::programs(&conformance::folder()).expect("the programs can be read");
    let builds = conformance::quick_builds(&programs);
    let start = Instant::now();
    let outcomes = conformance::run(&builds, &settings());
    let report = conformance::report(&builds, &outcomes, start.elapsed());
    println!("{report}");
    assert!(outcomes.iter().all(|outcome| outcome.failures.is_empty()), "{report}");
    let often = programs.iter().filter(|program| !program.whole).count();
    assert_eq!(builds.len(), 2 * often, "{report}");
}

/// Whether there is time for all.
fn is_nightly() -> bool {
    std::env::var_os("WARPFOLD_NIGHTLY").is_some()
}

/// One in 48 of the single-construct programs; nightly one in sixteen.
#[test]
fn single_construct_programs_pass() {
    let programs = single_construct::programs();
    let mut builds = conformance::all_builds(&programs);
    let mut number = 0;
    builds.retain_mut(|build| {
        build.orders.truncate(1);
        number += 1;
        let rest = number % if is_nightly() { 32 } else { 96 };
        rest == 1 || rest == 18
    });
    let start = Instant::now();
    let outcomes = conformance::run(&builds, &settings());
    let report = conformance::report(&builds, &outcomes, start.elapsed());
    assert!(outcomes.iter().all(|outcome| outcome.failures.is_empty()), "{report}");
    assert!(builds.len() > 10, "{report}");
}

fn checked_settings() -> checked::CampaignSettings {
    let Settings { parallel, .. } = settings();
    let driver = offload::driver();
    checked::CampaignSettings {
        driver,
        parallel,
        options: Vec::new(),
        seeds: 1,
        folder: None,
        verbose: false,
    }
}

/// Some programs at -O2 under the checks, in order and with a seed: nothing is reported. `cargo xtask conformance
/// --check` runs all.
#[test]
fn some_programs_pass_under_the_checks() {
    const PROGRAMS: [&str; 6] = ["reduce.c", "sum.c", "tasks.c", "chunks.c", "operators.c", "promoted.c"];
    let some = if is_nightly() { &PROGRAMS[..] } else { &PROGRAMS[..3] };
    let programs = conformance::programs(&conformance::folder()).expect("the programs can be read");
    let mut builds = conformance::all_builds(&programs);
    builds.retain(|build| some.contains(&&*build.program.name) && MODES[build.mode].0 == "O2");
    let start = Instant::now();
    let campaign = checked::run(&builds, &checked_settings()).expect("a campaign");
    let judged = campaign.judge(&builds);
    let report = campaign.report(&judged, start.elapsed().as_secs_f64());
    assert!(judged.groups.is_empty() && judged.failures.is_empty(), "{report}");
    assert_eq!(campaign.runs.len(), 2 * some.len(), "{report}");
}

/// A program with a data race at line 6, and what is known of it.
fn racy(directive: &str) -> Program {
    let text = format!(
        "{directive}\n#include <stdio.h>\nint main(void) {{\n  int sum = 0;\n  _Pragma(\"omp target parallel \
         num_threads(64) map(tofrom : sum)\")\n  sum++;\n  puts(\"0 failures\");\n  return 0;\n}}\n"
    );
    Program::read("racy.c", &text).expect("valid directives")
}

fn judged(program: &Program, settings: &checked::CampaignSettings) -> (Campaign, checked::Judged) {
    let build = Build { program, mode: 2, orders: vec![0, 2] };
    let campaign = checked::run(std::slice::from_ref(&build), settings).expect("a campaign");
    let judged = campaign.judge(&[build]);
    (campaign, judged)
}

#[test]
fn reports_of_the_checks_are_grouped_and_may_be_known() {
    let (campaign, unknown) = judged(&racy("//! note Nothing is known."), &checked_settings());
    let report = campaign.report(&unknown, 1.0);
    let found =
        |kind: &str| unknown.groups.iter().any(|group| group.kind == kind && group.lines == ["racy.c:6"; 2]);
    assert!(found("data-race") && unknown.failures.is_empty(), "{report}");
    assert!(
        report.contains("2 REPORTED") && report.contains("racy.c O2 in order; racy.c O2 seed 1"),
        "{report}"
    );

    let (campaign, known) =
        judged(&racy("//! reports O2 data-race 6 because of a test"), &checked_settings());
    let report = campaign.report(&known, 1.0);
    assert!(known.groups.is_empty() && !known.known.is_empty() && report.contains("2 known"), "{report}");

    let (_, other) = judged(&racy("//! reports O2 uninitialised 6 because of a test"), &checked_settings());
    assert!(!other.groups.is_empty());
    assert!(other.failures[0].contains("no uninitialised at lines [6], which is listed because of a test"));
}

#[test]
fn an_interrupted_campaign_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = |seeds| checked::CampaignSettings {
        seeds,
        folder: Some(folder.path().to_owned()),
        ..checked_settings()
    };
    // Seconds come back with all their digits.
    let seconds = 1.156_402_723_999_999_9;
    assert_eq!(serde_json::from_str::<f64>(&serde_json::to_string(&seconds).unwrap()).unwrap(), seconds);
    let program = racy("//! note Nothing is known.");
    let (first, _) = judged(&program, &kept(0));
    assert_eq!((first.runs.len(), first.earlier), (1, 0));
    // A line that was cut short counts for nothing.
    let path = folder.path().join(checked::RESULTS);
    let text = std::fs::read_to_string(&path).expect("results");
    std::fs::write(&path, format!("{text}{}", &text[..text.len() / 2])).expect("results");
    let (second, _) = judged(&program, &kept(1));
    assert_eq!((second.runs.len(), second.earlier), (2, 1));
    assert_eq!(first.runs[0], second.runs[0]);
    let (third, _) = judged(&program, &kept(1));
    assert_eq!((third.earlier, &third.runs), (2, &second.runs));
    let changed = racy("//! note It is another program.");
    assert_eq!(judged(&changed, &kept(1)).0.earlier, 0);
}

/// The outcome of a program in one mode and one order.
fn outcome(text: &str) -> Outcome {
    let program = Program::read("program.c", text).expect("valid directives");
    let build = Build { program: &program, mode: program.modes[0], orders: vec![program.orders[0]] };
    conformance::run(&[build], &settings()).remove(0)
}

/// Programs that pass are copied if requested.
#[test]
fn passing_programs_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings { keep: Some(folder.path().to_owned()), ..settings() };
    for (name, line, kept) in [("right.c", "0 failures", true), ("wrong.c", "1 failures", false)] {
        let text = format!("#include <stdio.h>\nint main(void) {{ puts(\"{line}\"); return 0; }}\n");
        let program = Program::read(name, &text).expect("valid directives");
        conformance::run(&[Build { program: &program, mode: 0, orders: vec![0] }], &settings);
        let at = folder.path().join(name.replace(".c", "-O0"));
        assert_eq!((at.exists(), at.with_extension("expected").exists()), (kept, kept), "{name}");
    }
    let expected = std::fs::read_to_string(folder.path().join("right-O0.expected")).expect("text");
    assert_eq!(expected, "0 failures\n");
}

/// The only failure.
fn failure(text: &str) -> String {
    let Outcome { passed, failures, known, .. } = outcome(text);
    assert_eq!((passed, known, failures.len()), (0, 0, 1), "{text}: {failures:?}");
    failures[0].clone()
}

#[test]
fn a_program_passes_if_its_output_is_the_expected_one() {
    let print =
        |line: &str| format!("#include <stdio.h>\nint main(void) {{ puts(\"{line}\"); return 0; }}\n");
    assert_eq!(outcome(&print("0 failures")).passed, 1);
    assert_eq!(outcome(&print("12 checks, 0 failures")).checks, 12);
    for line in ["0 checks, 0 failures", "1 failures", "12 checks, 1 failures", "", "0 failures\\n0 failures"]
    {
        assert!(failure(&print(line)).starts_with("program.c O0 in-order: "), "{line}");
    }
    assert_eq!(outcome(&format!("//! prints hello, world\n{}", print("hello, world"))).passed, 1);
    let other = failure(&format!("//! prints hello\n{}", print("hello, world")));
    assert!(other.contains("it printed\nhello, world\ninstead of\nhello\n"), "{other}");
}

#[test]
fn a_program_that_fails_hangs_or_is_not_built_is_reported() {
    let text = "#include <stdio.h>\nint main(void) { puts(\"0 failures\"); return 3; }\n";
    assert!(failure(text).contains("exit status: 3"));
    let text = "//! seconds 1\nint main(void) { for (volatile int i = 0;; i++); }\n";
    assert!(failure(text).contains("it did not end in 1 s"));
    assert!(failure("int main(void) { return none; }\n").contains("it is not built: "));
    // A report of the emulated driver, after which the program continues.
    let text =
        "#include <stdio.h>\nint main(void) { puts(\"0 failures\"); fputs(\"warpfold: no\\n\", stderr); }\n";
    assert!(failure(text).contains("a report"));
}

#[test]
fn a_known_failure_is_an_error_only_when_it_passes() {
    let mark = "//! fails O0 O2 because of something\n";
    let Outcome { passed, failures, known, .. } = outcome(&format!("{mark}int main(void) {{ return 1; }}\n"));
    assert_eq!((passed, known, failures), (0, 1, Vec::new()));
    let passes = format!("{mark}#include <stdio.h>\nint main(void) {{ puts(\"0 failures\"); return 0; }}\n");
    assert!(failure(&passes).contains("passes, but is listed to fail because of something"));
}

#[test]
fn directives_are_read() {
    let text = "//! note Something.\n//! whole\n//! modes O2 O2-lto\n//! orders random\n//! options -DA -DB=1\n\
                //! environment A=1 B=2\n//! seconds 7\n//! prints a\n//! prints  b\n\n//! modes O0\n";
    let program = Program::read("program.cpp", text).expect("valid directives");
    assert_eq!((&program.modes[..], &program.orders[..]), (&[2, 3][..], &[2][..]));
    assert_eq!(program.options, ["-DA", "-DB=1"]);
    assert_eq!(program.environment, [("A", "1"), ("B", "2")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert!(program.whole);
    assert_eq!((program.time_limit.as_secs(), program.prints.as_deref()), (7, Some("a\n b\n")));

    let fortran = Program::read("program.f90", "!! environment A=1\nend\n").expect("valid directives");
    assert_eq!((fortran.modes.len(), fortran.environment.len()), (2, 1));
    assert_eq!(Program::read("program.c", "int x;\n").expect("there are none").modes.len(), MODES.len());
    for wrong in [
        "modes O7",
        "orders backwards",
        "seconds soon",
        "environment A",
        "fails O0",
        "fails O9 because",
        "reports O0 data-race 1",
        "reports O0 data-race x because of y",
        "reports O0 because of y",
        "x",
    ] {
        let output = Program::read("program.c", &format!("//! {wrong}\n")).expect_err(wrong);
        assert!(output.starts_with(&format!("program.c: `{wrong}`: ")), "{output}");
    }
}

//! The planted faults: programs with one known fault each (`tests-gpu/faults`), and their twins without it.
//!
//! Every third of the OpenMP programs is built and run, and all others. `FAULTS=all` takes all, `FAULTS=NAME,NAME` these;
//! `FAULT_SEEDS=N` is the number of seeds (1), and `FAULT_LEVELS=all` compiles OpenMP programs without optimisation, too.

use std::path::PathBuf;

use tests_gpu::{
    faults::{self, Argument, Built, Devices, Directives, HostStep, Language, Program, Report, Variant},
    offload::{self, RunResult},
};
use toolchain::Tools;

fn devices() -> Devices {
    Devices { driver: offload::driver(), launcher: PathBuf::from(env!("CARGO_BIN_EXE_launch-faults")) }
}

fn all() -> Vec<Program> {
    faults::programs(&faults::folder()).unwrap_or_else(|error| panic!("{error}"))
}

/// The programs that `FAULTS` names, or those of every change.
fn selected() -> Vec<Program> {
    let names = std::env::var("FAULTS").unwrap_or_default();
    let mut programs = all();
    let mut number = 0;
    programs.retain(|program| match &names[..] {
        "" if program.language() == Language::OpenMp => {
            number += 1;
            number % 3 == 1
        }
        "" | "all" => true,
        names => names.split(',').any(|name| [program.stem(), &program.name].contains(&name)),
    });
    assert!(!programs.is_empty(), "there is no program of these names");
    programs
}

fn seeds() -> u32 {
    std::env::var("FAULT_SEEDS").map_or(1, |seeds| seeds.parse().expect("FAULT_SEEDS is a number"))
}

fn passes(failures: &[String]) {
    assert!(failures.is_empty(), "{} programs failed\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_language_and_kind_has_programs() {
    let programs = all();
    let of = |language| programs.iter().filter(|program| program.language() == language).count();
    assert!(of(Language::Ptx) >= 28, "{} in PTX", of(Language::Ptx));
    assert!(of(Language::Rust) >= 14, "{} in Rust", of(Language::Rust));
    for language in [Language::Ptx, Language::Rust] {
        for kind in faults::KINDS {
            let found =
                programs.iter().any(|program| program.language() == language && program.fault() == kind);
            assert!(found, "{language:?} has no {kind}");
        }
    }
}

/// NVIDIA's assembler accepts both variants: they are valid PTX.
#[test]
fn ptxas_accepts_the_kernels() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    if let Err(error) = tools.ptxas() {
        return eprintln!("skipped: {error}");
    }
    let mut programs = selected();
    programs.retain(|program| program.language() != Language::OpenMp);
    passes(&faults::for_each(&programs, |program| {
        // They differ in a line.
        let nightly = std::env::var_os("WARPFOLD_NIGHTLY").map(|_| Variant::Faulty);
        for variant in [Some(Variant::Twin), nightly].into_iter().flatten() {
            let Built::Ptx(ptx) = faults::build(program, variant, program.levels()[0])? else { continue };
            tools.ptxas_check(&ptx, 90).map_err(|why| format!("{} {variant}: {why}", program.name))?;
        }
        Ok(())
    }));
}

#[test]
fn every_fault_is_reported_and_no_twin() {
    let devices = devices();
    let thorough = std::env::var("FAULT_LEVELS").is_ok_and(|levels| levels == "all");
    passes(&faults::for_each(&selected(), |program| {
        let levels = program.levels();
        faults::run_all(
            &devices,
            program,
            if thorough { levels } else { &levels[levels.len() - 1..] },
            seeds(),
        )
    }));
}

const RACE: &str = "//! fault data-race\n//! note Something.\n//! launch 1 64 //faulty\n//fixed: //! launch 1 32 8\n\
                    //! argument zeros 64\n//! argument u32 7\n//! prints 1 2\n//! prints 3\n.entry k(\n  st; //~\n  \
                    ld; //~ //faulty\n//fixed:   ld.relaxed;\nret;\n";

#[test]
fn variants_differ_in_the_lines_of_one() {
    let program = Program::new("ptx/race.ptx", RACE).expect("a program");
    let (faulty, twin) = (program.variant(Variant::Faulty), program.variant(Variant::Twin));
    let line = |text: &str, number: usize| text.lines().nth(number - 1).expect("a line").to_owned();
    assert_eq!((line(&faulty, 11), line(&faulty, 12)), ("  ld; //~".into(), String::new()));
    assert_eq!((line(&twin, 11), line(&twin, 12)), (String::new(), "  ld.relaxed;".into()));
    assert_eq!(program.marked_lines(), [10, 11]);
    assert_eq!((program.stem(), program.kernels()), ("race", vec!["k".to_owned()]));
    let launch = |threads, shared| HostStep::Launch { kernel: None, stream: 0, blocks: 1, threads, shared };
    let Directives { steps, arguments, prints, .. } = program.directives(Variant::Twin).expect("directives");
    assert_eq!((steps, prints), (vec![launch(32, 8)], vec![1, 2, 3]));
    assert_eq!(arguments, [Argument::Zeros(64), Argument::Number(7)]);
    assert_eq!(program.directives(Variant::Faulty).expect("directives").steps, [launch(64, 0)]);

    let fortran = "!! fault barrier\n!! note One.\ncall a() !~ !faulty\n  !fixed: call b()\n";
    let program = Program::new("openmp/x.f90", fortran).expect("a program");
    assert_eq!(program.marked_lines(), [3]);
    assert!(program.variant(Variant::Twin).ends_with("\n\ncall b()\n"));
}

#[test]
fn programs_that_lack_something_are_rejected() {
    for (from, to, why) in [
        ("fault data-race", "fault race", "the kinds are "),
        ("//! fault data-race\n", "", "no directive `fault`"),
        ("note Something.", "note", "no directive `note`"),
        ("//~", "", "no line of the faulty program is marked"),
        ("prints 1 2\n//! prints 3", "options", "kernels have launches and printed words"),
        ("zeros 64", "zeros 2", "not a buffer for the printed words"),
        ("launch 1 64", "launch 1", "two or three numbers"),
        ("//! launch 1 64", "//! kernel j\n//! launch 1 64", "there is no kernel j"),
        ("u32 7", "f32 7", "no such kind of argument"),
        ("u32 7", "u32 -7", "not a number"),
        ("//! prints", "//! expects", "no such directive"),
    ] {
        let error = Program::new("ptx/race.ptx", &RACE.replace(from, to)).expect_err(why);
        assert!(error.contains(why), "{error}");
    }
    assert!(Program::new("ptx/race.txt", RACE).is_err());
}

/// What a run of a variant is judged as, if its reports are these.
fn judged(program: &Program, variant: Variant, reports: &[&str], out: &str) -> Result<(), String> {
    use std::os::unix::process::ExitStatusExt;
    let status = Some(std::process::ExitStatus::from_raw(0));
    let reports = reports
        .iter()
        .map(|report| Report::read(program, &Built::Ptx(RACE.to_owned()), report).expect("a report"))
        .collect();
    let result = RunResult { status, out: out.to_owned(), err: String::new() };
    faults::judge(program, variant, &faults::Observed { result, reports })
}

#[test]
fn reports_are_compared_with_kind_and_lines() {
    let program = Program::new("ptx/race.ptx", RACE).expect("a program");
    let race = |first: u32, second: &str| {
        format!(
            "{{\"kind\":\"data-race\",\"message\":\"m\",\"kernel\":\"k\",\"count\":3,\"sides\":[\
             {{\"access\":\"write\",\"line\":{first},\"source\":null,\"block\":[0,0,0],\"thread\":[1,0,0]}},\
             {{\"access\":\"read\",{second}}}]}}"
        )
    };
    let faulty = |reports: &[&str]| judged(&program, Variant::Faulty, reports, "");
    let right = race(10, "\"line\":11,\"source\":null");
    assert_eq!(faulty(&[&right]), Ok(()));
    assert_eq!(faulty(&[&right, &race(10, "\"line\":null,\"source\":null")]), Ok(()));
    let wrong_line = race(9, "\"line\":11,\"source\":null");
    let wrong_kind = right.replace("data-race", "barrier");
    let nowhere = "{\"kind\":\"data-race\",\"message\":\"m\",\"kernel\":\"k\",\"sides\":[]}";
    for (reports, why) in [
        (vec![], "nothing was reported"),
        (vec![&wrong_line[..]], "names the lines [Some(9), Some(11)]"),
        (vec![&right, &wrong_kind], "a report of barrier"),
        (vec![nowhere], "names no line"),
    ] {
        let error = faulty(&reports).expect_err(why);
        assert!(
            error.starts_with("expected data-race at lines [10, 11], but") && error.contains(why),
            "{error}"
        );
        assert!(reports.iter().all(|report| error.contains(report)), "{error}");
    }

    let twin = |reports: &[&str], out| judged(&program, Variant::Twin, reports, out);
    assert_eq!(twin(&[], "1 2 3 4\n"), Ok(()));
    for (reports, out, why) in [
        (vec![&right[..]], "1 2 3\n", "no report"),
        (vec![], "1 2\n", "the words"),
        (vec![], "1 2 x\n", "the words"),
    ] {
        let error = twin(&reports, out).expect_err(why);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn lines_are_those_of_the_source() {
    let text = RACE.replace(".entry k", "pub unsafe extern \"ptx-kernel\" fn k");
    let program = Program::new("rust/race.rs", &text).expect("a program");
    let ptx = "\t.loc\t1 11 5 // src/lib.rs:11:5\n\tld.b32;\n\t.loc\t3 17 5 // src/arch/barrier.rs:17:5 @[ \
               src/rust_api/thread.rs:112:5 @[ src/lib.rs:18:5 ] ]\n\tmov;\n\tbar.sync 0;\n\t.loc\t3 7 5 // src/x.rs:7:5\n\
               \tret;\n";
    let built = Built::Ptx(ptx.to_owned());
    let source =
        |file: &str, line: u32| format!("\"line\":7,\"source\":{{\"file\":\"{file}\",\"line\":{line}}}");
    let report = |side: &str| format!("{{\"kind\":\"data-race\",\"sides\":[{{{side}}}]}}");
    let lines = |side: &str| Report::read(&program, &built, &report(side)).expect("a report").lines;
    assert_eq!(lines(&source("/race/src/lib.rs", 10)), [Some(10)]);
    assert_eq!(lines(&source("/other/src/lib.rs", 10)), [None]);
    assert_eq!(lines("\"line\":2,\"source\":null"), [Some(11)]);
    assert_eq!(lines("\"line\":5,\"source\":null"), [Some(18)]);
    assert_eq!(lines("\"line\":7,\"source\":null"), [None]);
    let library = source("/rustc/library/core/src/ptr/mod.rs", 99);
    let inlined = "\"inlined_at\":[{\"file\":\"/race/src/lib.rs\",\"line\":11}]";
    assert_eq!(lines(&format!("{library},{inlined}")), [Some(11)]);
    let place = format!("{{\"kind\":\"data-race\",\"place\":{{{library},{inlined}}}}}");
    assert_eq!(Report::read(&program, &built, &place).expect("a report").lines, [Some(11)]);

    let program = Program::new("openmp/race.c", "//! fault data-race\n//! note One.\nx; //~ //faulty\n");
    let (program, built) = (program.expect("a program"), Built::Executable(PathBuf::new()));
    let lines = |side: &str| Report::read(&program, &built, &report(side)).expect("a report").lines;
    assert_eq!(lines(&source("/folder/race.c", 3)), [Some(3)]);
    assert_eq!(lines(&source("race.c", 3)), [Some(3)]);
    assert_eq!(lines(&source("trace.c", 3)), [None]);
    assert_eq!(lines("\"line\":7,\"source\":null"), [None]);
}

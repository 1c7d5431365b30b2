//! Other tools on some of the planted faults (`tests-gpu/src/peers`): those that are installed build the programs, and
//! report what `cargo xtask faults` counts.

use std::time::Duration;

use tests_gpu::{
    faults::{self, Program, Variant},
    peers::{Installed, Outcome, PEERS, Peer},
};

const TIME_LIMIT: Duration = Duration::from_secs(60);

fn program(name: &str) -> Program {
    let all = faults::programs(&faults::folder()).unwrap_or_else(|error| panic!("{error}"));
    all.into_iter().find(|program| program.name == name).expect("a program of this name")
}

/// Each tool that is installed reports the fault of the program, and of the twin only if it is said to.
fn report(peer: &str, name: &str, of_twin: bool) {
    let installed = Installed::find().unwrap_or_else(|error| panic!("{error}"));
    let peer: &Peer = PEERS.iter().find(|known| known.name == peer).expect("a tool of this name");
    if let Err(why) = installed.usable(peer) {
        return eprintln!("skipped: {}: {why}", peer.name);
    }
    let program = program(name);
    // What is reported once ends the runs; on a busy machine threads may take turns, and then nothing is.
    let examine = |variant, runs| installed.examine(peer, &program, variant, runs, TIME_LIMIT);
    assert_eq!(examine(Variant::Faulty, 40), Outcome::Fault, "{name} by {}", peer.name);
    match examine(Variant::Twin, if of_twin { 40 } else { 5 }) {
        Outcome::Nothing(how) if !of_twin && how.is_empty() => {}
        Outcome::Other(_) if of_twin => {}
        outcome => panic!("the twin of {name} by {}: {outcome:?}", peer.name),
    }
}

#[test]
fn thread_sanitizer_reports_races() {
    report("tsan, 1 team", "openmp/sum_without_reduction.c", false);
}

/// Archer does not order teams and what follows them.
#[test]
fn thread_sanitizer_reports_the_end_of_several_teams() {
    report("tsan", "openmp/sum_without_reduction.c", true);
}

#[test]
fn address_sanitizer_reports_accesses() {
    report("asan", "openmp/packed_records.c", false);
}

/// On the host as a target, mapped data have memory of their own.
#[test]
fn sanitizers_see_memory_of_the_target() {
    report("asan, target", "openmp/short_section.c", false);
    report("msan, target", "openmp/map_alloc_of_input.c", false);
}

#[test]
fn what_cannot_be_built_says_why() {
    let installed = Installed::find().unwrap_or_else(|error| panic!("{error}"));
    let peer = PEERS.iter().find(|peer| peer.name == "asan").expect("a tool of this name");
    if let Err(why) = installed.usable(peer) {
        return eprintln!("skipped: {why}");
    }
    let examine = |program: &Program| installed.examine(peer, program, Variant::Twin, 1, TIME_LIMIT);
    let Outcome::NotRun(why) = examine(&program("openmp/histogram.f90")) else { panic!("it was run") };
    assert_eq!(why, "flang 22 has no sanitizers");
    let broken = "//! fault data-race\n//! note One.\nint main(void) { //~ //faulty\n";
    let broken = Program::new("openmp/broken.c", broken).expect("a program");
    let Outcome::NotRun(why) = examine(&broken) else { panic!("it was run") };
    assert!(why.contains("error"), "{why}");
}

//! Profiles: what is counted of which source line. Each kernel varies one factor, in one line of a source file `k.cu`.

use std::sync::Arc;

use ptx_emulator::{
    Counts, LaunchConfig, LaunchOptions, LaunchProfile, LineProfile, Machine, MachineDescription, Program,
};

/// Instructions of a kernel with a pointer in `%rd1`, the thread's index in its block in `%r1`, and 64 KiB at the pointer.
/// A line that begins with `#N` stands for line N of the source.
fn launch(body: &str, config: &LaunchConfig) -> (LaunchProfile, Counts) {
    let mut ptx = String::from(
        ".version 8.3\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n.shared .align 16 .b8 tile[16384];\n\
         .visible .entry k(.param .u64 p) {\n\
         .reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .pred %p<9>; .reg .f32 %f<20>;\n.loc 1 1 0\n\
         ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n",
    );
    for line in body.lines().map(str::trim) {
        match line.strip_prefix('#').and_then(|line| line.split_once(' ')) {
            Some((number, code)) => ptx.push_str(&format!(".loc 1 {number} 0\n{code}\n")),
            None => ptx.push_str(&format!("{line}\n")),
        }
    }
    ptx.push_str(".loc 1 99 0\nret;\n}\n");
    let program =
        Arc::new(Program::load("k", ptx.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{ptx}")));
    let machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program).expect("it fits");
    let buffer = machine.alloc(64 << 10).expect("memory");
    machine.set_profiling(true);
    let options = LaunchOptions::default();
    let mut execution =
        machine.begin(&module, "k", config, &buffer.to_le_bytes(), &options).expect("it begins");
    while !execution.run(&machine, 1000).unwrap_or_else(|fault| panic!("{fault}")) {}
    (execution.take_profile().expect("it was profiled"), execution.report().counts)
}

fn line(profile: &LaunchProfile, number: u32) -> &LineProfile {
    let mut found = profile.lines.iter().filter(|line| line.line == number && line.file == "k.cu");
    let line = found.next().unwrap_or_else(|| panic!("line {number} of {:?}", profile.lines));
    assert!(found.next().is_none(), "line {number} is there once");
    line
}

/// The address of element `%r2` of four bytes.
const ELEMENT: &str = "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;";

#[test]
fn sectors_follow_the_stride_of_their_line() {
    for (stride, sectors) in [(1, 4), (2, 8), (4, 16), (8, 32), (16, 32)] {
        let body = format!(
            "mul.lo.u32 %r2, %r1, {stride};\n{ELEMENT}\n#7 ld.global.u32 %r3, [%rd3];\n#8 st.global.u32 [%rd1], 1;"
        );
        let (profile, counts) = launch(&body, &LaunchConfig::linear(1, 64));
        let loads = &line(&profile, 7).counters;
        assert_eq!((loads.load_requests, loads.load_sectors), (2, 2 * sectors), "stride {stride}");
        assert_eq!((loads.load_bytes, loads.ideal_sectors), (256, 8), "stride {stride}");
        let stores = &line(&profile, 8).counters;
        assert_eq!((stores.store_requests, stores.store_sectors, stores.load_sectors), (2, 2, 0));
        assert_eq!(counts.global_sectors, profile.total.load_sectors + profile.total.store_sectors);
        // The store is to a sector that was read.
        assert_eq!(profile.touched_sectors, 2 * sectors, "stride {stride}");
    }
}

#[test]
fn passes_follow_the_banks_of_their_line() {
    for (stride, passes) in [(1, 1), (2, 2), (4, 4), (32, 32), (33, 1), (0, 1)] {
        let body = format!(
            "mul.lo.u32 %r2, %r1, {};\nmov.u32 %r3, tile;\nadd.u32 %r4, %r3, %r2;\n#5 st.shared.u32 [%r4], %r1;",
            stride * 4
        );
        let (profile, counts) = launch(&body, &LaunchConfig::linear(1, 32));
        let stores = &line(&profile, 5).counters;
        assert_eq!((stores.shared_requests, stores.shared_passes, stores.ideal_passes), (1, passes, 1));
        assert_eq!(counts.shared_passes, passes, "stride {stride}");
    }
}

#[test]
fn lanes_that_part_show_at_the_branch() {
    for (lanes, divergent) in [(0, 0), (1, 1), (16, 1), (31, 1), (32, 0)] {
        let body = format!(
            "setp.lt.u32 %p1, %r1, {lanes};\n#4 @!%p1 bra LATER;\n#5 add.u32 %r5, %r1, 1;\n#6 LATER: mov.u32 %r6, 0;"
        );
        let (profile, counts) = launch(&body, &LaunchConfig::linear(1, 32));
        let branch = &line(&profile, 4).counters;
        assert_eq!((branch.branches, branch.divergent_branches), (1, divergent), "{lanes} lanes");
        let guarded: u64 = profile
            .lines
            .iter()
            .filter(|line| line.line == 5)
            .map(|line| line.counters.thread_instructions)
            .sum();
        assert_eq!(guarded, lanes, "{lanes} lanes");
        assert_eq!(counts.thread_instructions, profile.total.thread_instructions);
        assert_eq!(counts.warp_instructions, profile.total.warp_instructions);
        assert_eq!(profile.longest.instructions, profile.total.warp_instructions, "one warp");
    }
}

#[test]
fn an_indexed_branch_diverges_where_lanes_choose_differently() {
    for (choice, branches, divergent) in [("and.b32 %r2, %r1, 1", 2, 1), ("mov.u32 %r2, 1", 1, 0)] {
        let body = format!(
            "{choice};\nT: .branchtargets A, B;\n#4 brx.idx %r2, T;\nA: add.u32 %r3, %r1, 1;\nB: mov.u32 %r4, 0;"
        );
        let (profile, _) = launch(&body, &LaunchConfig::linear(1, 32));
        let branch = &line(&profile, 4).counters;
        assert_eq!((branch.branches, branch.divergent_branches), (branches, divergent), "{choice}");
    }
}

#[test]
fn atomics_show_how_many_share_an_address() {
    for (addresses, turns) in [(32, 1), (8, 4), (1, 32)] {
        let body = format!(
            "rem.u32 %r2, %r1, {addresses};\n{ELEMENT}\n#9 red.global.add.u32 [%rd3], 1;\n\
             #10 atom.shared.add.u32 %r4, [tile], 1;"
        );
        let (profile, counts) = launch(&body, &LaunchConfig::linear(3, 64));
        let global = line(&profile, 9);
        let counters = &global.counters;
        assert_eq!((counters.atomics, counters.atomic_requests), (3 * 64, 6));
        assert_eq!((counters.atomic_addresses, counters.atomic_turns), (6 * addresses, 6 * turns));
        assert_eq!(global.hottest, 3 * 64 / addresses, "{addresses} addresses");
        assert_eq!((counters.load_rounds, counters.round_loads), (0, 0), "nobody waits for it");
        assert_eq!(line(&profile, 10).counters.atomic_turns, 6 * 32);
        assert_eq!(counts.atomics, profile.total.atomics);
        assert_eq!(counts.global_sectors, profile.total.atomic_sectors);
        assert_eq!(counts.shared_passes, profile.total.shared_passes);
    }
}

#[test]
fn barriers_are_counted_at_their_line() {
    let (profile, counts) = launch("#3 bar.sync 0;\n#4 bar.sync 0;", &LaunchConfig::linear(2, 96));
    assert_eq!([3, 4].map(|number| line(&profile, number).counters.barriers), [6, 6]);
    assert_eq!((counts.barriers, profile.longest.barriers), (12, 2));
}

#[test]
fn rounds_of_loads_are_those_of_the_longest_warp() {
    let wide = "ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1+4]; ld.global.u32 %r4, [%rd1+8];";
    let (profile, _) = launch(&format!("#3 {wide}"), &LaunchConfig::linear(1, 64));
    let loads = &line(&profile, 3).counters;
    assert_eq!((loads.load_rounds, loads.round_loads, loads.round_bytes), (2, 6, 6 * 128));
    assert_eq!(profile.longest.rounds, 1);
    // The second warp loads five times, one after the other.
    let chain = "setp.lt.u32 %p1, %r1, 32; @%p1 bra END; mov.u32 %r5, 0;\n\
        #4 LOOP: ld.global.u32 %r2, [%rd1]; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 5; @%p2 bra LOOP;\nEND:";
    let (profile, _) = launch(&format!("{chain} mov.u32 %r6, 0;"), &LaunchConfig::linear(4, 64));
    assert_eq!(line(&profile, 4).counters.load_rounds, 20);
    assert_eq!(profile.longest.rounds, 5);
}

/// Real code, in several schedules: what lines have adds up to what a launch counts without a profile.
#[test]
fn a_profile_adds_up_to_the_counts_without_one() {
    let text = include_bytes!("ptx/sum.ptx");
    let program = Arc::new(Program::load("sum", text).expect("it loads"));
    let kernel = program.kernels().next().expect("a kernel").clone();
    for seed in [None, Some(1)] {
        let run = |profiled: bool| {
            let machine = Machine::new(MachineDescription::h200());
            let module = machine.load(&program).expect("it fits");
            machine.set_profiling(profiled);
            let buffer = machine.alloc(1 << 20).expect("memory");
            let mut params = vec![0; kernel.param_bytes as usize];
            for param in &kernel.params {
                let value = if param.size == 8 { buffer } else { 1000 };
                let bytes = &value.to_le_bytes()[..param.size as usize];
                params[param.offset as usize..][..bytes.len()].copy_from_slice(bytes);
            }
            let options = LaunchOptions { seed, ..LaunchOptions::default() };
            let config = LaunchConfig::linear(5, 128);
            let begun = machine.begin(&module, &kernel.name, &config, &params, &options);
            let mut execution = begun.expect("it begins");
            while !execution.run(&machine, 100).unwrap_or_else(|fault| panic!("{fault}")) {}
            (execution.report().counts, execution.take_profile())
        };
        let ((counts, profile), (plain, none)) = (run(true), run(false));
        assert!(none.is_none());
        assert_eq!(counts, plain, "a profile changes nothing");
        let total = profile.expect("a profile").total;
        assert_eq!(total.warp_instructions, counts.warp_instructions);
        assert_eq!(total.classes.iter().sum::<u64>(), counts.warp_instructions);
        assert_eq!(total.thread_instructions, counts.thread_instructions);
        let sectors = total.load_sectors + total.store_sectors + total.atomic_sectors;
        assert_eq!(sectors, counts.global_sectors);
        assert_eq!((total.shared_passes, total.barriers), (counts.shared_passes, counts.barriers));
    }
}

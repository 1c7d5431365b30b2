//! Data races: programs with one, and the same programs with the synchronisation that they lack.

use std::sync::Arc;

use ptx_emulator::{
    Checks, Finding, FindingKind, LaunchConfig, LaunchOptions, Machine, MachineDescription, OperationOrder,
    Program,
};

/// Two kernels' worth of registers around a body; `%buf` is the first parameter, `%t` the thread, `%b` the block.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 p) {{\n\
         .reg .b32 %r<16>; .reg .b32 %t, %b; .reg .b64 %rd<16>; .reg .b64 %buf, %mine, %next; .reg .pred %p<8>;\n\
         .shared .align 4 .b8 words[4096];\n\
         ld.param.u64 %buf, [p];\nmov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\n{body}\nret;\n}}\n"
    )
}

struct Device {
    machine: Machine,
    buffer: u64,
}

impl Device {
    fn new() -> Device {
        let machine = Machine::new(MachineDescription::default());
        machine.set_checks(Checks::RACES);
        let buffer = machine.alloc(1 << 16).expect("memory");
        machine.fill(buffer, &[0], 1 << 16).expect("inside");
        Device { machine, buffer }
    }

    fn launch(&self, body: &str, grid: u32, block: u32, seed: Option<u64>, order: Option<OperationOrder>) {
        let program = Arc::new(
            Program::load("test", kernel(body).as_bytes()).unwrap_or_else(|e| panic!("{e}\n{body}")),
        );
        let module = self.machine.load(&program).expect("loaded");
        let options = LaunchOptions { seed, ..LaunchOptions::default() };
        let config = LaunchConfig::linear(grid, block);
        let mut execution = self
            .machine
            .begin(&module, "k", &config, &self.buffer.to_le_bytes(), &options)
            .unwrap_or_else(|fault| panic!("{fault}"));
        if let Some(order) = order {
            execution.set_order(order);
        }
        while !execution.run(&self.machine, 100).unwrap_or_else(|fault| panic!("{fault}")) {}
    }
}

fn findings(body: &str, grid: u32, block: u32) -> Vec<Finding> {
    let mut all = Vec::new();
    for seed in [None, Some(1), Some(2), Some(3)] {
        let device = Device::new();
        device.launch(body, grid, block, seed, None);
        all.extend(device.machine.take_findings());
    }
    all
}

#[track_caller]
fn races(body: &str, grid: u32, block: u32) {
    let found = findings(body, grid, block);
    assert!(found.len() >= 4, "a schedule without a race: {found:#?}");
    assert!(found.iter().all(|finding| finding.kind == FindingKind::DataRace));
}

#[track_caller]
fn races_not(body: &str, grid: u32, block: u32) {
    let found = findings(body, grid, block);
    assert!(found.is_empty(), "{found:#?}");
}

/// Each thread stores a word of shared memory and loads that of thread `t ^ other`.
fn neighbours(other: u32, between: &str) -> String {
    format!(
        "mov.u64 %rd1, words;\nmul.wide.u32 %rd2, %t, 4;\nadd.u64 %rd3, %rd1, %rd2;\nst.shared.u32 [%rd3], %t;\n\
         {between}\n\
         xor.b32 %r1, %t, {other};\nmul.wide.u32 %rd4, %r1, 4;\nadd.u64 %rd5, %rd1, %rd4;\nld.shared.u32 %r2, [%rd5];\n\
         add.u64 %rd6, %buf, %rd2;\nsetp.ne.u32 %p1, %b, 0;\n@%p1 ret;\nst.global.u32 [%rd6], %r2;"
    )
}

#[test]
fn shared_memory_needs_a_barrier() {
    for other in [1, 32] {
        races(&neighbours(other, ""), 2, 64);
        races_not(&neighbours(other, "bar.sync 0;"), 2, 64);
        races_not(&neighbours(other, "barrier.sync 3, 64;"), 2, 64);
    }
    races_not(&neighbours(1, "bar.warp.sync -1;"), 2, 64);
    races(&neighbours(32, "bar.warp.sync -1;"), 2, 64);
    // A shuffle orders no memory.
    races(&neighbours(1, "shfl.sync.bfly.b32 %r3, %t, 1, 31, -1;"), 2, 64);
    // Barriers of halves of the block.
    races(&neighbours(32, "shr.u32 %r3, %t, 5;\nbarrier.sync %r3, 32;"), 2, 64);
    races_not(&neighbours(32, "shr.u32 %r3, %t, 6;\nbarrier.sync %r3, 64;"), 1, 128);
}

/// Block 0 stores a word and then a flag; block 1 loads both, the word only if the flag is set.
fn message(store: &str, load: &str) -> String {
    format!(
        "setp.ne.u32 %p1, %t, 0;\n@%p1 ret;\nadd.u64 %rd1, %buf, 128;\nsetp.eq.u32 %p2, %b, 1;\n@%p2 bra reader;\n\
         mov.u32 %r1, 7;\nst.global.u32 [%buf], %r1;\n{store}\nret;\n\
         reader:\n{load}\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra reader;\nld.global.u32 %r3, [%buf];\nst.global.u32 [%buf+256], %r3;"
    )
}

#[test]
fn messages_between_blocks_need_release_and_acquire_of_the_device() {
    let right = [
        ("st.release.gpu.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r2, [%rd1];"),
        (
            "fence.acq_rel.gpu;\nst.relaxed.gpu.global.u32 [%rd1], 1;",
            "ld.relaxed.gpu.global.u32 %r2, [%rd1];\nfence.acq_rel.gpu;",
        ),
        ("membar.gl;\nst.volatile.global.u32 [%rd1], 1;", "ld.volatile.global.u32 %r2, [%rd1];\nmembar.gl;"),
        (
            "atom.release.gpu.global.exch.b32 %r4, [%rd1], 1;",
            "atom.acquire.gpu.global.or.b32 %r2, [%rd1], 0;",
        ),
        ("red.release.sys.global.add.u32 [%rd1], 1;", "ld.acquire.sys.global.u32 %r2, [%rd1];"),
    ];
    for (store, load) in right {
        races_not(&message(store, load), 2, 32);
    }
    let wrong = [
        ("st.relaxed.gpu.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r2, [%rd1];"),
        ("st.release.gpu.global.u32 [%rd1], 1;", "ld.relaxed.gpu.global.u32 %r2, [%rd1];"),
        ("st.release.cta.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r2, [%rd1];"),
        ("st.release.gpu.global.u32 [%rd1], 1;", "ld.acquire.cta.global.u32 %r2, [%rd1];"),
        (
            "fence.acq_rel.cta;\nst.relaxed.gpu.global.u32 [%rd1], 1;",
            "ld.relaxed.gpu.global.u32 %r2, [%rd1];\nfence.acq_rel.gpu;",
        ),
        ("st.volatile.global.u32 [%rd1], 1;", "ld.volatile.global.u32 %r2, [%rd1];"),
        ("membar.gl;\nst.global.u32 [%rd1], 1;", "ld.volatile.global.u32 %r2, [%rd1];\nmembar.gl;"),
    ];
    for (store, load) in wrong {
        races(&message(store, load), 2, 32);
    }
}

/// Every block stores a slot; the last one to count itself loads all of them.
fn last_block(before: &str, count: &str, after: &str) -> String {
    format!(
        "mul.wide.u32 %rd2, %b, 128;\nmul.wide.u32 %rd3, %t, 4;\nadd.u64 %rd4, %buf, 4096;\nadd.u64 %rd4, %rd4, %rd2;\n\
         add.u64 %rd4, %rd4, %rd3;\nst.global.u32 [%rd4], %t;\nbar.sync 0;\n\
         setp.ne.u32 %p1, %t, 0;\n@%p1 bra wait;\n{before}\n{count}\n{after}\nst.shared.u32 [words], %r1;\n\
         wait:\nbar.sync 0;\nld.shared.u32 %r2, [words];\nsetp.ne.u32 %p2, %r2, 3;\n@%p2 ret;\n\
         mul.wide.u32 %rd5, %t, 128;\nadd.u64 %rd6, %buf, %rd5;\nsetp.gt.u32 %p3, %t, 3;\n@%p3 ret;\n\
         ld.global.u32 %r3, [%rd6+4096];\nst.global.u32 [%rd6+1024], %r3;"
    )
}

#[test]
fn the_last_block_needs_fences_on_both_sides() {
    let relaxed = "atom.relaxed.gpu.global.add.u32 %r1, [%buf], 1;";
    races_not(&last_block("", "atom.acq_rel.gpu.global.add.u32 %r1, [%buf], 1;", ""), 4, 32);
    races_not(&last_block("membar.gl;", relaxed, "membar.gl;"), 4, 32);
    races(&last_block("", relaxed, "membar.gl;"), 4, 32);
    races(&last_block("membar.gl;", relaxed, ""), 4, 32);
    races(&last_block("fence.acq_rel.cta;", relaxed, "fence.acq_rel.gpu;"), 4, 32);
}

#[test]
fn atomics_race_with_plain_accesses_only() {
    races("ld.global.u32 %r1, [%buf];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%buf], %r1;", 1, 2);
    races_not("atom.global.add.u32 %r1, [%buf], 1;", 4, 64);
    races(
        "atom.global.add.u32 %r1, [%buf], 1;\nld.global.u32 %r2, [%buf];\nst.global.u32 [%buf + 256], %r2;",
        4,
        64,
    );
    races_not("atom.global.add.u32 %r1, [%buf], 1;\nld.relaxed.gpu.global.u32 %r2, [%buf];", 4, 64);
    races("red.cta.global.add.u32 [%buf], 1;", 2, 32);
    races_not("red.cta.global.add.u32 [%buf], 1;", 1, 64);
    // Of other sizes.
    races(
        "setp.eq.u32 %p1, %t, 0;\n@%p1 red.global.add.u64 [%buf], 1;\n@!%p1 red.global.add.u32 [%buf], 1;",
        1,
        2,
    );
    // Neighbouring bytes, but not the same ones.
    races_not("cvt.u64.u32 %rd1, %t;\nadd.u64 %rd1, %rd1, %buf;\nst.global.u8 [%rd1], %t;", 1, 64);
    races(
        "cvt.u64.u32 %rd1, %t;\nadd.u64 %rd1, %rd1, %buf;\nst.global.u8 [%rd1], %t;\nld.global.u32 %r1, [%buf];\n\
         atom.global.add.u32 %r1, [%buf + 256], %r1;",
        1,
        64,
    );
}

#[test]
fn every_reader_counts() {
    let body = |readers: u32, between: &str| {
        format!(
            "setp.lt.u32 %p1, %t, {readers};\n@%p1 ld.global.u32 %r1, [%buf];\n{between}\nsetp.eq.u32 %p2, %t, 0;\n\
             @%p2 st.global.u32 [%buf], %t;\nmul.wide.u32 %rd1, %t, 4;\nadd.u64 %rd1, %rd1, %buf;\n\
             @%p1 st.global.u32 [%rd1 + 1024], %r1;"
        )
    };
    for readers in [2, 3, 5, 31, 64] {
        races(&body(readers, ""), 1, 64);
        races_not(&body(readers, "bar.sync 0;"), 1, 64);
    }
    races_not(&body(1, ""), 1, 64);
    races_not(&body(32, "bar.warp.sync -1;"), 1, 64);
    races(&body(33, "bar.warp.sync -1;"), 1, 64);
}

/// Thread 0 adds to a word that all threads of the block have loaded.
fn loaded_by_all(rest: &str) -> String {
    format!(
        "ld.global.u32 %r1, [%buf];\nadd.u32 %r2, %r1, 1;\nsetp.ne.u32 %p1, %t, 0;\nmul.wide.u32 %rd1, %t, 4;\n\
         add.u64 %mine, %buf, %rd1;\n{rest}"
    )
}

#[test]
fn reads_count_once_their_values_are_used() {
    let [store, mine] = ["st.global.u32 [%buf], %r2;", "st.global.u32 [%mine + 1024], %r2;"];
    // Only thread 0 uses what it has read: by a branch or by a guard.
    races_not(&loaded_by_all(&format!("@%p1 bra done;\n{store}\ndone:")), 1, 64);
    races_not(&loaded_by_all(&format!("@!%p1 {store}")), 1, 64);
    races_not(&loaded_by_all(&format!("@!%p1 {store}\nbar.sync 0;\nadd.u32 %r3, %r2, %r2;")), 1, 64);
    // All use it: afterwards, before, in a branch, after a barrier that comes too late, in one warp of two.
    races(&loaded_by_all(&format!("@!%p1 {store}\n{mine}")), 1, 64);
    races(&loaded_by_all(&format!("{mine}\n@!%p1 {store}")), 1, 64);
    races(&loaded_by_all(&format!("setp.eq.u32 %p2, %r1, 7;\n@!%p1 {store}\n@%p2 bra done;\ndone:")), 1, 64);
    races(&loaded_by_all(&format!("@!%p1 {store}\nbar.sync 0;\n{mine}")), 1, 64);
    let second = "setp.lt.u32 %p3, %t, 32;\n@%p3 bra done;";
    races(&loaded_by_all(&format!("@!%p1 {store}\n{second}\n{mine}\ndone:")), 1, 64);
    races(&loaded_by_all(&format!("{second}\n{mine}\ndone:\n@!%p1 {store}")), 1, 64);
    races_not(&loaded_by_all(&format!("bar.sync 0;\n@!%p1 {store}\n{mine}")), 1, 64);
    // Through an address, an atomic, a shuffle, a call's argument.
    let address = "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd2, %mine;";
    races(&loaded_by_all(&format!("@!%p1 {store}\n{address}\nld.global.u32 %r4, [%rd3 + 2048];")), 1, 64);
    races(&loaded_by_all(&format!("@!%p1 {store}\nred.global.add.u32 [%buf + 4096], %r1;")), 1, 64);
    let shuffle = "shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;";
    races(&loaded_by_all(&format!("@!%p1 {store}\n{shuffle}")), 1, 64);
    // The thread that stores is in another block, and comes after the readers have exited.
    let other = "setp.ne.u32 %p4, %b, 1;\n@%p4 bra done;";
    races_not(&loaded_by_all(&format!("{other}\n@!%p1 {store}\ndone:")), 2, 64);
    races(&loaded_by_all(&format!("{mine}\n{other}\n@!%p1 {store}\ndone:")), 2, 64);
}

/// A read whose value is not used hides no other read of the thread, or of one before it.
#[test]
fn reads_that_do_not_count_hide_no_others() {
    let again = "ld.global.u32 %r6, [%buf];\nst.global.u32 [%mine + 1024], %r6;";
    let unused = "ld.global.u32 %r7, [%buf];";
    for body in
        [format!("{again}\n{unused}"), format!("{unused}\n{again}"), format!("{again}\n{unused}\n{again}")]
    {
        races(&loaded_by_all(&format!("{body}\n@!%p1 st.global.u32 [%buf], %t;")), 1, 64);
        races(&loaded_by_all(&format!("@!%p1 st.global.u32 [%buf], %t;\n{body}")), 1, 64);
    }
    races_not(&loaded_by_all(&format!("{unused}\n@!%p1 st.global.u32 [%buf], %t;")), 1, 64);
    // Thread 32 reads after a barrier what thread 1 has read before it; thread 64 writes without it.
    let body = "setp.eq.u32 %p2, %t, 1;\n@%p2 ld.global.u32 %r6, [%buf];\n@%p2 st.global.u32 [%mine + 1024], %r6;\n\
                setp.ge.u32 %p3, %t, 64;\n@%p3 bra write;\nbar.sync 1, 64;\nsetp.eq.u32 %p4, %t, 32;\n\
                @%p4 ld.global.u32 %r7, [%buf];\nbra done;\nwrite: setp.eq.u32 %p5, %t, 64;\n\
                @%p5 st.global.u32 [%buf], %t;\ndone:";
    races(&loaded_by_all(body), 1, 96);
}

#[test]
fn launches_of_two_streams_race_unless_something_orders_them() {
    let store = "mul.wide.u32 %rd1, %t, 4;\nadd.u64 %rd1, %rd1, %buf;\nst.global.u32 [%rd1], %t;";
    let load = "mul.wide.u32 %rd1, %t, 4;\nadd.u64 %rd1, %rd1, %buf;\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+1024], %r1;";
    let order =
        |stream, number, after: &[(u64, u64)]| Some(OperationOrder { stream, number, after: after.to_vec() });
    for (after, expected) in [(&[(0, 5)][..], 1), (&[(0, 5), (1, 1)], 0), (&[(0, 5), (2, 1)], 1)] {
        let device = Device::new();
        // The fill of the buffer was told no order: it comes before whatever is told none, either.
        device.machine.set_host_order(order(0, 5, &[]));
        device.machine.fill(device.buffer, &[0], 1 << 16).expect("inside");
        device.machine.take_findings();
        device.launch(store, 1, 64, None, order(1, 1, &[(0, 5)]));
        device.launch(load, 1, 64, None, order(2, 1, after));
        assert_eq!(device.machine.take_findings().len(), expected, "{after:?}");
    }
    let device = Device::new();
    device.launch(store, 1, 64, None, None);
    device.launch(load, 1, 64, None, None);
    assert!(device.machine.take_findings().is_empty());
    // The host copies while the kernel may run.
    device.launch(store, 1, 64, None, order(1, 1, &[(u64::MAX, 100)]));
    device.machine.set_host_order(order(2, 1, &[(u64::MAX, 100)]));
    device.machine.read(device.buffer, &mut [0; 256]).expect("inside");
    let found = device.machine.take_findings();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].sides[0].access, found[0].sides[1].place.is_none()), ("write", true));
}

/// A launch that acquires what one of another stream has released comes after it, as the user of a lock does: by a fence
/// behind a relaxed access, or by an access that acquires. A read alone, or a fence of the block, is not enough.
#[test]
fn a_launch_comes_after_another_one_whose_release_it_acquires() {
    let order = |stream| Some(OperationOrder { stream, number: 1, after: vec![(u64::MAX, 100)] });
    let first = |only: &str, body: &str| format!("setp.ne.u32 %p2, %t, 0;\n@%p2 bra {only};\n{body}{only}:");
    let store = first(
        "done",
        "st.global.u32 [%buf], 7;\nfence.acq_rel.gpu;\natom.global.exch.b32 %r1, [%buf+64], 1;\n",
    );
    for (acquire, expected) in [
        ("atom.global.exch.b32 %r1, [%buf+64], 2;\nfence.acq_rel.gpu;\n", 0),
        ("ld.acquire.gpu.global.u32 %r1, [%buf+64];\n", 0),
        ("ld.relaxed.gpu.global.u32 %r1, [%buf+64];\n", 1),
        ("ld.relaxed.gpu.global.u32 %r1, [%buf+64];\nfence.acq_rel.cta;\n", 1),
        ("ld.acquire.gpu.global.u32 %r1, [%buf+68];\n", 1),
    ] {
        let device = Device::new();
        device.launch(&store, 1, 32, None, order(1));
        let write = first("done", &format!("{acquire}st.global.u32 [%buf], 8;\n"));
        device.launch(&write, 1, 32, None, order(2));
        let found = device.machine.take_findings();
        assert_eq!(found.len(), expected, "{acquire}: {found:#?}");
    }
}

/// Runs a kernel with the check of uninitialised memory on a buffer that nobody wrote, apart from its first 64 bytes;
/// copies `read` bytes from its start to the host. What was found, or the kind of the fault.
fn uninitialised(body: &str, read: usize) -> Result<Vec<Finding>, String> {
    let mut machine = Machine::new(MachineDescription::default());
    machine.set_checks(Checks::all());
    let buffer = machine.alloc(1 << 16).expect("memory");
    machine.fill(buffer, &[1], 64).expect("inside");
    let program =
        Arc::new(Program::load("test", kernel(body).as_bytes()).unwrap_or_else(|e| panic!("{e}\n{body}")));
    let module = machine.load(&program).expect("loaded");
    let config = LaunchConfig::linear(1, 32);
    let launched = machine.launch(&module, "k", &config, &buffer.to_le_bytes(), &LaunchOptions::default());
    launched.map_err(|fault| fault.kind.name().to_owned())?;
    machine.read(buffer, &mut vec![0; read]).expect("inside");
    Ok(machine.take_findings())
}

#[test]
fn what_was_computed_from_memory_that_nobody_wrote_is_reported() {
    let none = |body: &str| assert_eq!(uninitialised(body, 4096), Ok(Vec::new()), "{body}");
    let one = |body: &str| {
        let found = uninitialised(body, 4096).expect("no fault");
        assert_eq!(found.len(), 1, "{body}\n{found:#?}");
        assert_eq!(found[0].kind, FindingKind::Uninitialised);
    };
    let fault = |body: &str| {
        assert_eq!(uninitialised(body, 4096), Err("uninitialised".to_owned()), "{body}");
    };
    let own = "mul.wide.u32 %rd1, %t, 4;\nadd.u64 %mine, %buf, %rd1;\n";
    // Copies of it, and of padding, are no mistake; memory that is read by nobody is none, either.
    none("");
    none(&format!("{own}ld.global.u32 %r1, [%mine+1024];\nst.global.u32 [%mine+2048], %r1;"));
    none(&format!(
        "{own}setp.lt.u32 %p1, %t, 16;\n@%p1 ld.global.u32 %r1, [%mine];\n@%p1 add.u32 %r1, %r1, 1;\n@%p1 st.global.u32 [%mine+128], %r1;"
    ));
    one(&format!(
        "{own}ld.global.u32 %r1, [%mine+1024];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%mine+2048], %r1;"
    ));
    one(&format!(
        "{own}ld.global.f32 %r1, [%mine+1024];\nadd.f32 %r1, %r1, 0f3f800000;\nst.global.f32 [%mine+2048], %r1;"
    ));
    // Beyond what the host copies.
    assert_eq!(
        uninitialised(
            &format!(
                "{own}ld.global.u32 %r1, [%mine+1024];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%mine+8192], %r1;"
            ),
            4096
        ),
        Ok(Vec::new())
    );
    // Computed in one place, copied to another.
    one(&format!(
        "{own}ld.global.u32 %r1, [%mine+8192];\nmul.lo.u32 %r1, %r1, 3;\nst.global.u32 [%mine+16384], %r1;\nld.global.u32 %r2, [%mine+16384];\nst.global.u32 [%mine+2048], %r2;"
    ));
    fault(&format!(
        "{own}ld.global.u32 %r1, [%mine+1024];\nsetp.eq.u32 %p1, %r1, 5;\n@%p1 st.global.u32 [%mine], %r1;"
    ));
    fault(&format!("{own}ld.global.u64 %rd3, [%buf+1024];\nld.global.u32 %r1, [%rd3];"));
    // Shared memory.
    one(
        "mul.wide.u32 %rd1, %t, 4;\nmov.u64 %rd2, words;\nadd.u64 %rd2, %rd2, %rd1;\nld.shared.u32 %r1, [%rd2];\nadd.u32 %r1, %r1, 1;\nadd.u64 %rd3, %buf, %rd1;\nst.global.u32 [%rd3], %r1;",
    );
    none(
        "mul.wide.u32 %rd1, %t, 4;\nmov.u64 %rd2, words;\nadd.u64 %rd2, %rd2, %rd1;\nst.shared.u32 [%rd2], %t;\nld.shared.u32 %r1, [%rd2];\nadd.u32 %r1, %r1, 1;\nadd.u64 %rd3, %buf, %rd1;\nst.global.u32 [%rd3], %r1;",
    );
}

#[test]
fn bytes_of_a_word_are_defined_one_by_one() {
    let own = "mul.wide.u32 %rd1, %t, 8;\nadd.u64 %mine, %buf, %rd1;\n";
    let body = |take: &str| {
        format!(
            "{own}st.global.u8 [%mine+1024], %t;\nst.global.u32 [%mine+1028], %t;\nld.global.u64 %rd3, [%mine+1024];\n\
             {take}\nst.global.u64 [%mine+2048], %rd4;"
        )
    };
    let found = |take: &str| uninitialised(&body(take), 4096).expect("no fault").len();
    for defined in [
        "and.b64 %rd4, %rd3, 0xff;\nadd.u64 %rd4, %rd4, 1;",
        "shr.u64 %rd4, %rd3, 32;\nadd.u64 %rd4, %rd4, 1;",
        "cvt.u64.u8 %rd4, %rd3;\nadd.u64 %rd4, %rd4, 1;",
        "bfe.u64 %rd4, %rd3, 32, 32;\nmul.lo.u64 %rd4, %rd4, 3;",
        "mov.b64 {%r1, %r2}, %rd3;\nadd.u32 %r2, %r2, 1;\nmov.b64 %rd4, {%r1, %r2};",
        "mov.b64 {%r1, %r2}, %rd3;\nprmt.b32 %r3, %r1, 0, 0x4440;\nadd.u32 %r3, %r3, 1;\ncvt.u64.u32 %rd4, %r3;",
        "mov.u64 %rd4, %rd3;",
        "or.b64 %rd4, %rd3, 0x7fffff00;\nand.b64 %rd4, %rd4, 0xffff;",
    ] {
        assert_eq!(found(defined), 0, "{defined}");
    }
    for undefined in [
        "add.u64 %rd4, %rd3, 1;",
        "shr.u64 %rd4, %rd3, 8;\nadd.u64 %rd4, %rd4, 1;",
        "mov.b64 {%r1, %r2}, %rd3;\nadd.u32 %r1, %r1, 1;\nmov.b64 %rd4, {%r1, %r2};",
        "bfe.u64 %rd4, %rd3, 4, 8;\nadd.u64 %rd4, %rd4, 1;",
    ] {
        assert_eq!(found(undefined), 1, "{undefined}");
    }
}

/// LLVM's atomics of one byte: a load of the word around it, then compare-and-swap until no other thread was faster.
#[test]
fn loops_of_compare_and_swap_may_begin_with_a_plain_load() {
    let body = |base: &str| {
        format!(
            "ld.global.u32 %r1, [%buf+8];\n{base}\nagain:\nadd.u32 %r2, %r1, 1;\n\
             atom.relaxed.sys.global.cas.b32 %r3, [%rd4], %r1, %r2;\nsetp.ne.u32 %p1, %r3, %r1;\nmov.u32 %r1, %r3;\n\
             @%p1 bra again;"
        )
    };
    races_not(&body("add.s64 %rd4, %buf, 8;"), 2, 32);
    races_not(&body("add.s64 %rd5, %buf, 16;\nmov.b64 %rd6, %rd5;\nadd.s64 %rd4, %rd6, -8;"), 2, 32);
    // An atomic store to another byte of the word, too.
    races_not(
        &format!(
            "cvt.u64.u32 %rd1, %t;\nst.relaxed.sys.global.u8 [%buf+9], 1;\n{}",
            body("add.s64 %rd4, %buf, 8;")
        ),
        2,
        32,
    );
    // Of a word of which one half is known, LLVM loads the other.
    let half = |at: u32| {
        format!(
            "ld.global.u16 %r1, [%buf+{at}];\nshl.b32 %r4, %r1, 16;\nagain:\nor.b32 %r2, %r4, 5;\n\
             atom.relaxed.sys.global.cas.b32 %r3, [%buf+8], %r4, %r2;\nsetp.ne.u32 %p1, %r3, %r4;\n\
             and.b32 %r4, %r3, -65536;\nsetp.eq.u32 %p2, %r3, 5;\nnot.pred %p2, %p2;\nand.pred %p1, %p1, %p2;\n\
             @%p1 bra again;"
        )
    };
    races_not(&half(10), 2, 32);
    races(&format!("red.global.add.u32 [%buf+12], 1;\n{}", half(12)), 2, 32);
    // The load of another address than the compare-and-swap's is none of its loop.
    races(&format!("red.global.add.u32 [%buf+8], 1;\n{}", body("add.s64 %rd4, %buf, 12;")), 2, 32);
}

/// A reduction of a warp that is not whole: lanes that are thrown away read lanes that do not exist.
#[test]
fn undefined_values_of_other_lanes_do_not_count() {
    let mut machine = Machine::new(MachineDescription::default());
    machine.set_checks(Checks::all());
    let buffer = machine.alloc(256).expect("memory");
    let body = "shfl.sync.down.b32 %r2, %t, 16, 31, -1;\nsetp.lt.u32 %p1, %t, %r2;\nselp.b32 %r3, %t, %r2, %p1;\n\
                setp.lt.u32 %p2, %t, 2;\nselp.b32 %r4, %r3, 7, %p2;\nmul.wide.u32 %rd1, %t, 4;\nadd.u64 %rd2, %buf, %rd1;\n\
                st.global.u32 [%rd2], %r4;";
    let program =
        Arc::new(Program::load("test", kernel(body).as_bytes()).unwrap_or_else(|e| panic!("{e}\n{body}")));
    let module = machine.load(&program).expect("loaded");
    let config = LaunchConfig::linear(1, 18);
    machine
        .launch(&module, "k", &config, &buffer.to_le_bytes(), &LaunchOptions::default())
        .unwrap_or_else(|fault| panic!("{fault}"));
    let mut values = [0; 18 * 4];
    machine.read(buffer, &mut values).expect("inside");
    assert_eq!(machine.take_findings(), Vec::new());
    assert_eq!((values[0], values[4], values[8]), (0, 1, 7));
}

/// What LLVM makes of an atomic update of two bytes: a word of which they are the first half is loaded, and exchanged.
/// `load` is the register that is loaded from, `fresh` makes the word that is stored.
/// A thousand blocks wait for one that computes: that is no livelock, however often they look.
#[test]
fn one_block_may_compute_while_many_wait() {
    let body = "setp.ne.u32 %p1, %b, 0;\n@%p1 bra wait;\nmov.u32 %r1, 0;\n\
                compute:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 2000;\n@%p2 bra compute;\n\
                st.release.gpu.global.b32 [%buf], %r1;\nbra done;\n\
                wait:\nld.acquire.gpu.global.b32 %r2, [%buf];\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra wait;\ndone:";
    let device = Device::new();
    device.launch(body, 1056, 1, Some(1), None);
    assert!(device.machine.take_findings().is_empty());
}

fn exchange_of_two_bytes(load: &str, fresh: &str) -> String {
    format!(
        "mov.u64 %mine, %buf;\nld.global.b32 %r1, [{load}];\n\
         again:\nadd.u32 %r2, %r1, 1;\nand.b32 %r2, %r2, 0xffff;\nand.b32 %r3, %r1, 0xffff0000;\n{fresh}\n\
         atom.relaxed.sys.global.cas.b32 %r5, [%buf], %r1, %r4;\nsetp.ne.u32 %p1, %r5, %r1;\n\
         mov.u32 %r1, %r5;\n@%p1 bra again;"
    )
}

/// The word may end beyond the allocation, as long as its other bytes stay as they are; other accesses may not.
#[test]
fn words_are_exchanged_around_the_last_bytes() {
    let right = "or.b32 %r4, %r2, %r3;";
    let run = |body: &str, checks| {
        let mut machine = Machine::new(MachineDescription::default());
        machine.set_checks(if checks { Checks::all() } else { Checks::empty() });
        let buffer = machine.alloc(2).expect("memory");
        machine.write(buffer, &7u16.to_le_bytes()).expect("inside");
        let program = Arc::new(Program::load("test", kernel(body).as_bytes()).expect("the program is right"));
        let module = machine.load(&program).expect("loaded");
        let config = LaunchConfig::linear(2, 64);
        let launched =
            machine.launch(&module, "k", &config, &buffer.to_le_bytes(), &LaunchOptions::default());
        launched.map_err(|fault| fault.kind.name()).map(|_| {
            let mut bytes = [0; 2];
            machine.read(buffer, &mut bytes).expect("inside");
            (u16::from_le_bytes(bytes), machine.take_findings().len())
        })
    };
    for checks in [false, true] {
        assert_eq!(run(&exchange_of_two_bytes("%buf", right), checks), Ok((7 + 128, 0)), "{checks}");
        // The same address in another register: a load like any other.
        assert_eq!(run(&exchange_of_two_bytes("%mine", right), checks), Err("out-of-bounds"));
        let wrong = "xor.b32 %r4, %r1, 0x10001;";
        assert_eq!(run(&exchange_of_two_bytes("%buf", wrong), checks), Err("out-of-bounds"));
    }
}

/// A location that every thread reads after two others, and then writes. If neighbours do not have neighbouring locations
/// there are far too many sets of readers to keep them all: no race is lost. What the readers of a block have done before
/// its barrier is in order.
#[test]
fn no_race_is_lost_for_want_of_memory() {
    const CELLS: u64 = 1 << 19;
    let launched = |far: u64, near: u64, factor: u64, barrier: &str| {
        let device = Device { buffer: 0, ..Device::new() };
        let buffer = device.machine.alloc(4 * CELLS).expect("memory");
        device.machine.fill(buffer, &[0], 4 * CELLS).expect("inside");
        let device = Device { buffer, ..device };
        let location = |after: u64| {
            format!(
                "add.u32 %r4, %r1, {after}; mul.lo.u32 %r7, %r4, {factor}; and.b32 %r7, %r7, {};
                 mul.wide.u32 %rd2, %r7, 4; add.s64 %rd2, %buf, %rd2;",
                CELLS - 1
            )
        };
        let body = format!(
            "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r1, %r1, 1024, %r2; mov.u32 %r3, {CELLS};
             {of_far} setp.lt.u32 %p1, %r4, %r3; @%p1 ld.global.u32 %r5, [%rd2];
             {of_near} setp.lt.u32 %p2, %r4, %r3; @%p2 ld.global.u32 %r6, [%rd2];
             add.u32 %r5, %r5, %r6; setp.eq.u32 %p1, %r5, 77; @%p1 trap;
             {barrier}
             {of_own}
             ld.global.u32 %r5, [%rd2]; setp.eq.u32 %p1, %r5, 77; @%p1 trap;
             st.global.u32 [%rd2], %r5; ret;",
            of_far = location(far),
            of_near = location(near),
            of_own = location(0),
        );
        device.launch(&format!("mov.u32 %r5, 0; mov.u32 %r6, 0; {body}"), 512, 1024, None, None);
        let dropped = device.machine.take_dropped_readers();
        (device.machine.take_findings(), dropped)
    };
    for factor in [1, 40_503] {
        let (found, dropped) = launched(CELLS / 2, CELLS / 2 - 1024, factor, "");
        assert_eq!(dropped, factor > 1, "the limit is reached");
        let mut counts: Vec<u64> = found.iter().map(|finding| finding.count).collect();
        counts.sort();
        assert_eq!(counts, [CELLS / 2, CELLS / 2 + 1024], "{found:#?}");
        assert!(found.iter().all(|finding| finding.kind == FindingKind::DataRace));
    }
    // With a barrier, only the first thread of each block writes what a thread of another block has read.
    for factor in [1, 40_503] {
        let (found, dropped) = launched(1, 0, factor, "bar.sync 0;");
        let counts: Vec<u64> = found.iter().map(|finding| finding.count).collect();
        assert!(!dropped && counts == [511], "{factor} {dropped}: {found:#?}");
    }
}

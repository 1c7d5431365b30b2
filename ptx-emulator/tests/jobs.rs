//! Several blocks at a time: jobs on host threads, resident blocks on multiprocessors, the host at the same
//! time.

use std::sync::Arc;

use ptx_emulator::{
    FaultKind, LaunchConfig, LaunchOptions, LaunchReport, LoadedModule, Machine, MachineDescription, Program,
};

const SUM: &[u8] = include_bytes!("ptx/sum.ptx");

/// Kernels whose blocks wait for each other or for the host.
const MEET: &[u8] = b"
.version 8.3
.target sm_80
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);

// Every thread adds 1 to counter p[0], and exchanges p[1]; all blocks wait until p[0] is `count`.
.visible .entry rendezvous(.param .u64 p, .param .u32 count)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [p];
    ld.param.u32 %r0, [count];
    atom.release.gpu.global.add.u32 %r1, [%rd0], 1;
again:
    ld.acquire.gpu.global.u32 %r2, [%rd0];
    setp.lt.u32 %p0, %r2, %r0;
    @%p0 bra again;
    ret;
}

// p[block] = %smid, p[grid] = %nsmid
.visible .entry sm_ids(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd0, [p];
    mov.u32 %r0, %ctaid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.u64 %rd1, %rd0, %rd1;
    mov.u32 %r1, %smid;
    st.global.u32 [%rd1], %r1;
    mov.u32 %r0, %nctaid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.u64 %rd1, %rd0, %rd1;
    mov.u32 %r1, %nsmid;
    st.global.u32 [%rd1], %r1;
    ret;
}

// Waits for p[0] to be 1; then p[1] = 1.
.visible .entry wait(.param .u64 p)
{
    .reg .pred %p<1>;
    .reg .b32 %r<1>;
    .reg .b64 %rd<1>;
    ld.param.u64 %rd0, [p];
again:
    ld.volatile.global.u32 %r0, [%rd0];
    setp.ne.u32 %p0, %r0, 1;
    @%p0 bra again;
    st.global.u32 [%rd0+4], %r0;
    ret;
}

// p[0] = 1
.visible .entry release(.param .u64 p)
{
    .reg .b64 %rd<1>;
    ld.param.u64 %rd0, [p];
    st.volatile.global.u32 [%rd0], 1;
    ret;
}

// Block 7 traps, the others wait for ever.
.visible .entry trap7(.param .u64 p)
{
    .reg .pred %p<1>;
    .reg .b32 %r<1>;
    mov.u32 %r0, %ctaid.x;
    setp.eq.u32 %p0, %r0, 7;
    @%p0 trap;
again:
    bra.uni again;
}

// p[block] = malloc(100), after it was written
.visible .entry take(.param .u64 p)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [p];
    mov.u32 %r0, %ctaid.x;
    mul.wide.u32 %rd1, %r0, 8;
    add.u64 %rd1, %rd0, %rd1;
    {
    .param .b64 n;
    .param .b64 r;
    st.param.b64 [n], 100;
    call.uni (r), malloc, (n);
    ld.param.b64 %rd2, [r];
    }
    st.u32 [%rd2+96], %r0;
    st.global.u64 [%rd1], %rd2;
    ret;
}
";

/// A machine with 2 multiprocessors, each of which holds 2 blocks of 1024 threads.
fn small() -> MachineDescription {
    MachineDescription { multiprocessors: 2, ..MachineDescription::h200() }
}

struct Ready {
    machine: Machine,
    module: LoadedModule,
    memory: u64,
}

fn ready(description: MachineDescription, text: &[u8], bytes: u64) -> Ready {
    let machine = Machine::new(description);
    let module = machine.load(&Arc::new(Program::load("test", text).expect("it is right"))).expect("it fits");
    let memory = machine.alloc(bytes).expect("memory");
    Ready { machine, module, memory }
}

impl Ready {
    fn words(&self, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; count * 4];
        self.machine.read(self.memory, &mut bytes).expect("inside");
        bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
    }
}

fn jobs(jobs: u32) -> LaunchOptions {
    LaunchOptions { jobs, ..LaunchOptions::default() }
}

#[test]
fn jobs_share_the_blocks_and_counts_are_exact() {
    let run = |jobs| -> (u32, LaunchReport) {
        let elements = 1u32 << 18;
        let mut r = ready(small(), SUM, u64::from(elements) * 4 + 4);
        r.machine.fill(r.memory + 4, &3u32.to_le_bytes(), u64::from(elements)).expect("inside");
        let input = r.machine.alloc(u64::from(elements) * 4).expect("memory");
        r.machine.fill(input, &3u32.to_le_bytes(), u64::from(elements)).expect("inside");
        let mut params = Vec::new();
        params.extend(r.memory.to_le_bytes());
        params.extend(input.to_le_bytes());
        params.extend((elements / 4).to_le_bytes());
        let config = LaunchConfig::linear(100, 96);
        let report =
            r.machine.launch(&r.module, "sum", &config, &params, &self::jobs(jobs)).expect("it runs");
        (r.words(1)[0], report)
    };
    let alone = run(1);
    assert_eq!(alone.0, 3 << 18);
    for jobs in [0, 2, 3, 8] {
        assert_eq!(run(jobs), alone, "{jobs} jobs");
    }
}

/// As many blocks as fit the machine are resident together, however many jobs there are; one more is not.
#[test]
fn resident_blocks_wait_for_each_other() {
    for (jobs, seed) in [(1, None), (2, None), (3, None), (7, None), (1, Some(5))] {
        for (blocks, fits) in [(4u32, true), (5, false)] {
            let mut r = ready(small(), MEET, 8);
            let mut params = r.memory.to_le_bytes().to_vec();
            params.extend((blocks * 1024).to_le_bytes());
            let options = LaunchOptions { jobs, seed, step_limit: 3_000_000, ..LaunchOptions::default() };
            let config = LaunchConfig::linear(blocks, 1024);
            let result = r.machine.launch(&r.module, "rendezvous", &config, &params, &options);
            match result {
                Ok(report) => {
                    assert!(fits, "{jobs} jobs, seed {seed:?}");
                    assert_eq!(report.counts.atomics, u64::from(blocks) * 1024);
                    assert_eq!(r.words(1), [blocks * 1024]);
                }
                Err(fault) => {
                    assert!(!fits, "{jobs} jobs, seed {seed:?}: {fault}");
                    assert!(matches!(fault.kind, FaultKind::StepLimit(_)), "{fault}");
                }
            }
        }
    }
}

#[test]
fn blocks_are_spread_over_the_multiprocessors() {
    let run = |options: &LaunchOptions| {
        let mut r = ready(small(), MEET, 4096);
        let config = LaunchConfig::linear(9, 1024);
        r.machine.launch(&r.module, "sm_ids", &config, &r.memory.to_le_bytes(), options).expect("it runs");
        r.words(10)
    };
    // In order, one block at a time: 4 residency indices, used again in the order in which blocks end.
    assert_eq!(run(&LaunchOptions::default()), [0, 1, 0, 1, 0, 1, 0, 1, 0, 2]);
    for options in [jobs(3), LaunchOptions { seed: Some(1), ..LaunchOptions::default() }] {
        let found = run(&options);
        assert_eq!(found[9], 2);
        assert!(found[..9].iter().all(|&sm| sm < 2), "{found:?}");
        assert!(found[..9].contains(&0) && found[..9].contains(&1), "{found:?}");
    }
}

#[test]
fn a_fault_of_one_job_ends_all() {
    for jobs in 1..4 {
        let mut r = ready(small(), MEET, 8);
        let config = LaunchConfig::linear(64, 32);
        let options = LaunchOptions { jobs, ..LaunchOptions::default() };
        let fault = r
            .machine
            .launch(&r.module, "trap7", &config, &r.memory.to_le_bytes(), &options)
            .expect_err("block 7 traps");
        assert_eq!((fault.kind, fault.block), (FaultKind::Trap, [7, 0, 0]), "{jobs} jobs");
    }
}

#[test]
fn the_step_limit_holds_for_all_jobs_together() {
    let mut r = ready(small(), MEET, 8);
    let config = LaunchConfig::linear(6, 32);
    let options = LaunchOptions { jobs: 3, step_limit: 100_000, ..LaunchOptions::default() };
    let fault = r
        .machine
        .launch(&r.module, "wait", &config, &r.memory.to_le_bytes(), &options)
        .expect_err("nothing releases it");
    assert_eq!(fault.kind, FaultKind::StepLimit(100_000));
}

#[test]
fn a_seed_takes_precedence_over_jobs() {
    let run = |jobs| {
        let mut r = ready(small(), MEET, 4096);
        let options = LaunchOptions { seed: Some(3), jobs, ..LaunchOptions::default() };
        let config = LaunchConfig::linear(40, 512);
        r.machine.launch(&r.module, "sm_ids", &config, &r.memory.to_le_bytes(), &options).expect("it runs");
        r.machine.digest()
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn jobs_allocate_while_others_access() {
    let blocks = 500usize;
    let mut r = ready(small(), MEET, blocks as u64 * 8);
    let config = LaunchConfig::linear(blocks as u32, 1);
    r.machine
        .launch(&r.module, "take", &config, &r.memory.to_le_bytes(), &jobs(4))
        .expect("the heap is large enough");
    let words = r.words(blocks * 2);
    let mut addresses: Vec<u64> = words.chunks(2).map(|w| u64::from(w[0]) | u64::from(w[1]) << 32).collect();
    for (block, &address) in addresses.iter().enumerate() {
        let mut last = [0; 4];
        r.machine.read(address + 96, &mut last).expect("it is live");
        assert_eq!(u32::from_le_bytes(last), block as u32);
    }
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), blocks);
}

/// A running kernel sees what a host thread writes: host memory is shared in both directions.
#[test]
fn the_host_releases_a_kernel() {
    let mut r = ready(small(), MEET, 8);
    let shared = r.machine.alloc_host(8).expect("memory");
    let Ready { machine, module, .. } = &mut r;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            // SAFETY: the machine keeps the memory until it is freed, and all access it atomically.
            let flag = unsafe { std::sync::atomic::AtomicU32::from_ptr(shared as *mut u32) };
            flag.store(1, std::sync::atomic::Ordering::Release);
        });
        let config = LaunchConfig::linear(3, 32);
        machine
            .launch(module, "wait", &config, &shared.to_le_bytes(), &jobs(2))
            .expect("the host releases it");
    });
}

#[test]
fn registers_decide_how_many_blocks_fit() {
    let text = b".version 8.3\n.target sm_80\n.address_size 64\n\
        .visible .entry few() .maxnreg 8 { ret; }\n.visible .entry any() { ret; }\n";
    let mut program = Program::load("test", text).expect("it is right");
    assert!(program.set_registers("any", 128) && !program.set_registers("none", 1));
    let machine = Machine::new(MachineDescription::h200());
    let blocks = |name: &str| {
        let kernel = program.kernel(name).expect("it is there");
        (kernel.registers, machine.occupancy(kernel, 256, 0))
    };
    assert_eq!((blocks("few"), blocks("any")), ((8, 8), (128, 2)));
}

#[test]
fn an_interruption_says_where_the_launch_was() {
    for jobs in [1, 3] {
        let Ready { machine, module, memory: address } = ready(small(), MEET, 8);
        let params: Vec<u8> = address.to_le_bytes().into();
        let config = LaunchConfig::linear(4, 64);
        let run = || {
            let options = LaunchOptions { jobs, ..LaunchOptions::default() };
            let mut execution = machine.begin(&module, "wait", &config, &params, &options)?;
            while !execution.run(&machine, 1 << 15)? {}
            Ok::<_, Box<ptx_emulator::Fault>>(())
        };
        let fault = std::thread::scope(|scope| {
            let running = scope.spawn(run);
            std::thread::sleep(std::time::Duration::from_millis(20));
            machine.interrupt("enough");
            running.join().expect("it does not panic").expect_err("it never ends by itself")
        });
        assert_eq!(fault.kind, FaultKind::Interrupted("enough".into()));
        assert_eq!(fault.kind.name(), "interrupted");
        let place = fault.place.as_ref().expect("it has run");
        assert_eq!(place.function, "wait");
        assert!(fault.lanes.is_empty() || fault.lanes.len() == 2, "{fault}");
        assert!(
            fault.to_string().contains("thread (0,0,0)") || fault.to_string().contains("thread (32,0,0)")
        );
        // A later launch ends before it begins.
        let fault = run().expect_err("the machine stays interrupted");
        assert_eq!((fault.kind, fault.place), (FaultKind::Interrupted("enough".into()), None));
    }
}

const EMPTY: &[u8] = b".version 8.3
.target sm_80
.address_size 64
.visible .entry empty() { ret; }";

/// The most blocks of one dimension: a launch of them takes minutes.
fn very_many() -> LaunchConfig {
    LaunchConfig::linear(i32::MAX as u32, 1)
}

#[test]
fn each_block_counts_as_a_step_at_least() {
    let program = Arc::new(Program::load("empty", EMPTY).expect("it is right"));
    for jobs in [1, 2] {
        let mut machine = Machine::new(small());
        let module = machine.load(&program).expect("it fits");
        let options = LaunchOptions { step_limit: 100_000, jobs, ..LaunchOptions::default() };
        let fault =
            machine.launch(&module, "empty", &very_many(), &[], &options).expect_err("too many blocks");
        assert_eq!(fault.kind, FaultKind::StepLimit(100_000));
    }
}

#[test]
fn a_launch_of_very_many_tiny_blocks_is_interrupted() {
    let program = Arc::new(Program::load("empty", EMPTY).expect("it is right"));
    for jobs in [1, 3] {
        let machine = Machine::new(small());
        let module = machine.load(&program).expect("it fits");
        let options = LaunchOptions { jobs, ..LaunchOptions::default() };
        let mut execution = machine.begin(&module, "empty", &very_many(), &[], &options).expect("it starts");
        let fault = std::thread::scope(|scope| {
            let running = scope.spawn(|| -> Result<(), Box<ptx_emulator::Fault>> {
                while !execution.run(&machine, 1 << 20)? {}
                Ok(())
            });
            std::thread::sleep(std::time::Duration::from_millis(20));
            let since = std::time::Instant::now();
            machine.interrupt("enough");
            let ended = running.join().expect("it does not panic");
            assert!(since.elapsed().as_secs() < 30, "{:?}", since.elapsed());
            ended.expect_err("it has too many blocks to end in time")
        });
        assert_eq!(fault.kind, FaultKind::Interrupted("enough".into()));
    }
}

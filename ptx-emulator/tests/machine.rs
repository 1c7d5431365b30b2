//! The machine as its host sees it: memory, modules, launches in steps, observers and memory models.

use std::ptr::NonNull;
use std::sync::Arc;

use ptx_emulator::{
    AccessKind, BarrierArrival, FaultKind, HostAccess, LaneGroupChoice, LaunchConfig, LaunchOptions, Machine,
    MachineDescription, MemoryError, MemoryEvent, MemoryModel, NoObserver, Observer, PlainMemory, Program,
    Space,
};

const BLOCKS: &[u8] = include_bytes!("ptx/blocks.ptx");

fn program(text: &[u8]) -> Arc<Program> {
    Arc::new(Program::load("test", text).expect("the program is right"))
}

#[test]
fn memory_is_checked() {
    let machine = Machine::new(MachineDescription { memory_bytes: 1 << 20, ..MachineDescription::h200() });
    let a = machine.alloc(1000).expect("memory");
    let b = machine.alloc(1000).expect("memory");
    assert!(a.is_multiple_of(256) && b.is_multiple_of(256) && b >= a + 1000);
    machine.fill(a, &[1, 2, 3], 300).expect("inside");
    let mut back = [0; 902];
    machine.read(a, &mut back).expect("inside");
    assert_eq!(back[..6], [1, 2, 3, 1, 2, 3]);
    assert_eq!(back[897..], [1, 2, 3, 0, 0]);
    machine.copy(b, a, 1000).expect("inside");
    assert!(matches!(machine.read(a + 999, &mut [0; 2]), Err(MemoryError::OutOfBounds { .. })));
    assert!(matches!(machine.write(a + 1000, &[0]), Err(MemoryError::OutOfBounds { .. })));
    assert!(matches!(machine.alloc(1 << 20), Err(MemoryError::OutOfMemory { available: 1046576, .. })));
    assert_eq!(machine.alloc(0), Err(MemoryError::Empty));
    assert_eq!(machine.allocation(a + 10), Some((a, 1000)));
    assert!(matches!(machine.free(a + 1), Err(MemoryError::NotAnAllocation { .. })));
    machine.free(a).expect("it is live");
    assert!(matches!(machine.free(a), Err(MemoryError::NotAnAllocation { .. })));
    let gone = machine.read(a + 4, &mut [0; 4]).expect_err("it was freed").to_string();
    assert!(gone.contains("at byte 4 of 1000 bytes that were freed"), "{gone}");
    assert_eq!(machine.memory_usage(), (1000, 1 << 20));
}

/// No process of the host has an address from 2^47 on.
#[test]
fn device_addresses_are_not_host_addresses() {
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program(BLOCKS)).expect("it fits");
    let global = machine.alloc(1).expect("memory");
    // A shared, a local and a parameter address as generic ones, and the address of a function.
    let text = b".version 8.3\n.target sm_80\n.address_size 64\n.func f() { ret; }\n\
        .visible .entry k(.param .u64 out) {\n.reg .b64 %a, %o;\n.shared .b32 s;\n.local .b32 l;\n\
        ld.param.u64 %o, [out];\n\
        cvta.shared.u64 %a, s;\nst.global.u64 [%o], %a;\n\
        cvta.local.u64 %a, l;\nst.global.u64 [%o+8], %a;\n\
        mov.b64 %a, f;\nst.global.u64 [%o+16], %a;\nret;\n}\n";
    let other = machine.load(&program(text)).expect("it fits");
    let out = machine.alloc(24).expect("memory");
    let config = LaunchConfig::linear(1, 1);
    machine.launch(&other, "k", &config, &out.to_le_bytes(), &LaunchOptions::default()).expect("it runs");
    let mut found = [0; 24];
    machine.read(out, &mut found).expect("inside");
    let found = found.chunks(8).map(|b| u64::from_le_bytes(b.try_into().expect("eight bytes")));
    for address in found.chain([global, out]) {
        assert!((1 << 47..1 << 48).contains(&address), "{address:#x}");
    }
    machine.unload(&module).expect("it is loaded");
}

/// The address space is 127 TiB; after more than that has been allocated and freed, addresses are used again.
#[test]
fn the_address_space_does_not_run_out() {
    let description = MachineDescription { memory_bytes: 1 << 33, ..MachineDescription::h200() };
    let machine = Machine::new(description);
    let kept = machine.alloc(1).expect("memory");
    for _ in 0..(1 << 14) + 100 {
        let big = machine.alloc(1 << 33).err();
        assert!(big.is_some(), "one byte is in use");
        let big = machine.alloc((1 << 33) - 1).expect("memory");
        assert!(big > kept && big + (1 << 33) <= 1 << 48, "{big:#x}");
        machine.free(big).expect("it is live");
    }
}

/// `conflicts` stores to the first words of its argument, here in host memory.
#[test]
fn kernels_access_shared_host_memory() {
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program(BLOCKS)).expect("it fits");
    let run = |machine: &mut Machine, address: u64| {
        let config = LaunchConfig::linear(1, 32);
        let options = LaunchOptions::default();
        machine.launch(&module, "conflicts", &config, &address.to_le_bytes(), &options).map(|_| ())
    };
    let device = machine.alloc(4096).expect("memory");
    run(&mut machine, device).expect("it runs");
    let mut expected = vec![0u8; 4096];
    machine.read(device, &mut expected).expect("inside");
    assert_ne!(expected, [0; 4096]);

    let mut own = vec![0u64; 512];
    let (start, address) =
        (NonNull::new(own.as_mut_ptr().cast::<u8>()).expect("a vector"), own.as_ptr() as u64);
    run(&mut machine, address).expect_err("it is not shared yet");
    // SAFETY: the vector lives until the end, and is looked at only when nothing runs.
    unsafe { machine.map_host(start, 4096, HostAccess::Write) }.expect("it is free");
    // SAFETY: as above; it fails.
    let again = unsafe { machine.map_host(start.add(4088), 4096, HostAccess::Write) };
    assert!(matches!(again, Err(MemoryError::AlreadyMapped { .. })));
    assert_eq!(machine.allocation(address + 8), Some((address, 4096)));
    let usage = machine.memory_usage();
    run(&mut machine, address).expect("it is shared");
    let bytes = |own: &[u64]| own.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>();
    assert!(bytes(&own) == expected);
    assert_eq!(machine.memory_usage(), usage);

    // A clone has its own bytes at the same address.
    let other = machine.clone();
    other.write(address, &[9; 8]).expect("inside");
    assert_ne!(own[0], 0x0909_0909_0909_0909);
    assert!(matches!(machine.free(address), Err(MemoryError::NotAnAllocation { .. })));
    machine.unmap_host(address).expect("it is mapped");
    run(&mut machine, address).expect_err("it is no longer shared");

    own.fill(0);
    // SAFETY: the kernel uses only the vector.
    unsafe { machine.unify_host(true) };
    run(&mut machine, address).expect("all memory is shared");
    assert!(bytes(&own) == expected);
    let null = run(&mut machine, 0).expect_err("nothing is there").to_string();
    assert!(null.contains("near the null address"), "{null}");
    // SAFETY: as above.
    unsafe { machine.unify_host(false) };
    run(&mut machine, address).expect_err("it is no longer shared");

    let managed = machine.alloc_host(4096).expect("memory");
    assert!(managed < 1 << 47 && managed.is_multiple_of(4096));
    run(&mut machine, managed).expect("it is shared");
    // SAFETY: the machine keeps this memory until it is freed.
    let seen = unsafe { std::slice::from_raw_parts(managed as *const u8, 4096) };
    assert!(seen == expected);
    machine.free(managed).expect("it is live");
    run(&mut machine, managed).expect_err("it was freed");
}

#[test]
fn use_after_free_in_a_kernel() {
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program(BLOCKS)).expect("it fits");
    let a = machine.alloc(256).expect("memory");
    machine.free(a).expect("it is live");
    let config = LaunchConfig::linear(1, 32);
    let fault = machine
        .launch(&module, "conflicts", &config, &a.to_le_bytes(), &LaunchOptions::default())
        .expect_err("the buffer is gone");
    assert!(matches!(fault.kind, FaultKind::UseAfterFree(_)));
    assert!(fault.kind.to_string().contains("256 bytes that were freed"), "{fault}");
}

#[test]
fn variables_have_addresses_and_values() {
    let text = b".version 8.3\n.target sm_80\n.address_size 64\n\
        .visible .global .align 4 .u32 five = 5;\n\
        .visible .global .align 8 .u64 pointers[3] = {five, generic(five)+4, f};\n\
        .visible .global .align 1 .b8 packed[10] = {7, 0xFF(five), 0xFF00(five), 0xFF0000(five), 1, -1};\n\
        .visible .const .align 8 .f64 half = 0d3FE0000000000000;\n\
        .visible .global .f32 list[2] = {0f3F800000, 2.5};\n\
        .func f() { ret; }\n";
    let machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program(text)).expect("it fits");
    let read = |name: &str| {
        let (address, size) = module.global(name).expect("it is declared");
        let mut bytes = vec![0; size as usize];
        machine.read(address, &mut bytes).expect("it is there");
        (address, bytes)
    };
    let (five, bytes) = read("five");
    assert_eq!(bytes, 5u32.to_le_bytes());
    let (_, pointers) = read("pointers");
    assert_eq!(pointers[..8], five.to_le_bytes());
    assert_eq!(pointers[8..16], (five + 4).to_le_bytes());
    let address = five.to_le_bytes();
    assert_eq!(read("packed").1, [7, address[0], address[1], address[2], 1, 255, 0, 0, 0, 0]);
    assert_eq!(read("half").1, 0.5f64.to_le_bytes());
    assert_eq!(read("list").1[4..], 2.5f32.to_le_bytes());
    machine.unload(&module).expect("it is loaded");
    assert_eq!(machine.memory_usage().0, 0);
}

/// Found by the fuzzer: eight bytes of address were to fill all of a word of 16.
#[test]
fn an_address_in_a_word_of_16_bytes_is_followed_by_zeros() {
    let machine = Machine::new(MachineDescription::h200());
    let text = b".version 8.7\n.target sm_90\n.address_size 64\n.visible .global .align 4 .b8 of[8];\n\
        .visible .global .align 16 .b128 table[2] = {of, 7};\n.visible .entry k() { ret; }\n";
    let module = machine.load(&program(text)).expect("it fits");
    let [of, table] = ["of", "table"].map(|name| module.global(name).expect("a variable").0);
    let mut words = [0; 32];
    machine.read(table, &mut words).expect("inside");
    let words: Vec<u64> =
        words.chunks(8).map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes"))).collect();
    assert_eq!(words, [of, 0, 7, 0]);
}

#[test]
fn programs_for_newer_gpus_are_rejected() {
    let machine = Machine::new(MachineDescription::v100());
    let e = machine.load(&program(BLOCKS)).expect_err("it is for sm_80").to_string();
    assert!(e.contains("test is for sm_80, the machine is sm_70"), "{e}");
}

#[test]
fn occupancy_follows_the_limits() {
    let machine = Machine::new(MachineDescription::h200());
    let program = program(BLOCKS);
    let kernel = program.kernel("last_team").expect("it is there");
    assert_eq!(machine.occupancy(kernel, 1024, 0), 2);
    assert_eq!(machine.occupancy(kernel, 32, 0), 32);
    assert_eq!(machine.occupancy(kernel, 128, 100 << 10), 2);
    assert_eq!(machine.occupancy(kernel, 2000, 0), 0);
    assert_eq!(machine.occupancy(kernel, 32, 228 << 10), 0);
}

/// A machine with `last_team` ready to run.
fn last_team(seed: Option<u64>) -> (Machine, ptx_emulator::Execution, u64) {
    let machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program(BLOCKS)).expect("it fits");
    let a = machine.alloc(64).expect("memory");
    let config = LaunchConfig { grid: [5, 2, 1], block: [33, 1, 1], dynamic_shared: 0 };
    let options = LaunchOptions { seed, switch_every: seed.map(|_| 3), ..LaunchOptions::default() };
    let execution =
        machine.begin(&module, "last_team", &config, &a.to_le_bytes(), &options).expect("it is allowed");
    (machine, execution, a)
}

/// Lane 0 arrives at the barrier by a separate call, after the other lanes: the lanes reconverge, also where
/// the warp's turn ends with that very step.
#[test]
fn lanes_that_reach_a_barrier_by_separate_calls_reconverge_for_every_turn_length() {
    let text = r#"
.version 8.3
.target sm_80
.address_size 64
.func meet()
{
    .reg .b32 %r<3>;
    mov.u32 %r1, %tid.x;
    add.u32 %r2, %r1, %r1;
    bar.sync 0;
    ret;
}
.visible .entry test(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.b64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.eq.b32 %p1, %r1, 0;
    @%p1 bra $first;
    bra.uni $all;
$all:
    call.uni meet, ();
    ret;
$first:
    atom.global.add.u32 %r2, [%rd1], 1;
    bra.uni $all;
}
"#;
    let program = Arc::new(Program::load("test", text.as_bytes()).expect("it is right"));
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program).expect("it fits");
    let out = machine.alloc(4).expect("memory");
    let config = LaunchConfig::linear(1, 64);
    for turn in 1..40 {
        for groups in [LaneGroupChoice::Lowest, LaneGroupChoice::Any] {
            let options = LaunchOptions { switch_every: Some(turn), groups, ..LaunchOptions::default() };
            let ended = machine.launch(&module, "test", &config, &out.to_le_bytes(), &options);
            assert!(
                ended.is_ok(),
                "{turn} {groups:?}: {}",
                ended.err().map_or(String::new(), |e| e.to_string())
            );
        }
    }
}

#[test]
fn same_seed_same_run() {
    let trace = |seed| {
        let (machine, mut execution, _) = last_team(Some(seed));
        let mut trace = Vec::new();
        while !execution.step(&machine, &mut PlainMemory, &mut NoObserver).expect("no fault") {
            trace.push((execution.digest(), machine.digest()));
        }
        (trace, execution.report())
    };
    assert_eq!(trace(1), trace(1));
    assert_ne!(trace(1).0, trace(2).0);
}

#[test]
fn a_clone_continues_as_the_original_does() {
    let (machine, mut execution, a) = last_team(Some(9));
    for _ in 0..100 {
        assert!(!execution.step(&machine, &mut PlainMemory, &mut NoObserver).expect("no fault"));
    }
    let (other_machine, mut other) = (machine.clone(), execution.clone());
    assert_eq!((execution.digest(), machine.digest()), (other.digest(), other_machine.digest()));
    let report = execution.finish(&machine, &mut PlainMemory, &mut NoObserver).expect("no fault");
    assert_ne!(machine.digest(), other_machine.digest());
    assert_eq!(other.finish(&other_machine, &mut PlainMemory, &mut NoObserver).expect("no fault"), report);
    assert_eq!((execution.digest(), machine.digest()), (other.digest(), other_machine.digest()));
    let mut sum = [0; 4];
    machine.read(a + 4, &mut sum).expect("it is there");
    assert_eq!(u32::from_le_bytes(sum), 4785);
}

#[derive(Default)]
struct Witness {
    loads: usize,
    stores: usize,
    atomics: usize,
    arrivals: usize,
    completions: usize,
    blocks: (usize, usize),
    kernels: (usize, usize),
    fences: usize,
}

impl Observer for Witness {
    fn access(&mut self, kind: AccessKind, event: &MemoryEvent) {
        assert!(matches!(event.space, Space::Global | Space::Shared) && event.thread < 33);
        match kind {
            AccessKind::Load => self.loads += 1,
            AccessKind::Store => self.stores += 1,
            AccessKind::Atomic => self.atomics += 1,
        }
    }
    fn barrier_arrive(&mut self, _: BarrierArrival) {
        self.arrivals += 1;
    }
    fn barrier_complete(&mut self, _: u64, _: u32, _: bool) {
        self.completions += 1;
    }
    fn block_begin(&mut self, _: u64) {
        self.blocks.0 += 1;
    }
    fn block_end(&mut self, _: u64) {
        self.blocks.1 += 1;
    }
    fn kernel_begin(&mut self, _: &str) {
        self.kernels.0 += 1;
    }
    fn kernel_end(&mut self) {
        self.kernels.1 += 1;
    }
    fn fence(&mut self, _: &MemoryEvent, lanes: u32) {
        self.fences += lanes.count_ones() as usize;
    }
}

/// Behaves as the plain model, lane by lane, and counts accesses.
#[derive(Default)]
struct Passing {
    loads: usize,
    stores: usize,
    atomics: usize,
}

impl MemoryModel for Passing {
    fn load(&mut self, _: &MemoryEvent, memory: &[u8], value: &mut [u8]) {
        self.loads += 1;
        value.copy_from_slice(memory);
    }
    fn store(&mut self, _: &MemoryEvent, memory: &mut [u8], value: &[u8]) {
        self.stores += 1;
        memory.copy_from_slice(value);
    }
    fn atomic(&mut self, _: &MemoryEvent, memory: &mut [u8], update: &mut dyn FnMut(&mut [u8])) {
        self.atomics += 1;
        update(memory);
    }
}

#[test]
fn everything_goes_through_model_and_observer() {
    let (machine, mut execution, _) = last_team(None);
    let (mut model, mut witness) = (Passing::default(), Witness::default());
    let report = execution.finish(&machine, &mut model, &mut witness).expect("no fault");
    // Ten blocks of 33 threads: all read `last`, the first thread of each reads its sum, ten fold.
    assert_eq!(witness.loads, 330 + 10 + 10);
    assert_eq!(witness.stores, 10 + 10 + 10);
    assert_eq!(witness.atomics, 330 + 10 + 10);
    assert_eq!((model.loads, model.stores, model.atomics), (witness.loads, witness.stores, witness.atomics));
    assert_eq!((witness.arrivals, witness.completions), (60, 30));
    assert_eq!((witness.blocks, witness.kernels), ((10, 10), (1, 1)));
    assert_eq!(witness.fences, 10 + 10);
    assert_eq!((report.counts.atomics, report.counts.barriers), (350, 60));
    let (machine, mut execution, _) = last_team(None);
    let plain = execution.finish(&machine, &mut PlainMemory, &mut NoObserver).expect("no fault");
    assert_eq!(plain, report);
}

/// An observer that is not active; an event would be an error.
struct Inactive;

impl Observer for Inactive {
    const ACTIVE: bool = false;
    fn access(&mut self, _: AccessKind, _: &MemoryEvent) {
        panic!("an access");
    }
    fn fence(&mut self, _: &MemoryEvent, _: u32) {
        panic!("a fence");
    }
}

#[test]
fn an_inactive_observer_gets_no_events_under_any_memory_model() {
    let (machine, mut execution, _) = last_team(None);
    let mut model = Passing::default();
    execution.finish(&machine, &mut model, &mut Inactive).expect("no fault");
    assert_eq!(model.atomics, 350);
    let (machine, mut execution, _) = last_team(None);
    execution.finish(&machine, &mut PlainMemory, &mut Inactive).expect("no fault");
}

/// With a seed, as many blocks are resident as fit the machine, and all of them nest calls deeply at the same
/// time.
#[test]
fn fewer_blocks_are_resident_if_their_frames_take_too_much_memory() {
    let registers: String = (0..3000).map(|n| format!("mov.b64 %rd{n}, {n};\n")).collect();
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n\
         .func f {{ .reg .b64 %rd<3000>;\n{registers}bar.sync 0;\nret; }}\n\
         .visible .entry k() {{ call f; ret; }}\n"
    );
    let program = program(text.as_bytes());
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program).unwrap();
    let mut launch = |block_memory| {
        let options = LaunchOptions { seed: Some(1), block_memory, ..LaunchOptions::default() };
        machine.launch(&module, "k", &LaunchConfig::linear(40, 64), &[], &options)
    };
    // A block takes 1.5 MB.
    assert_eq!(launch(8 << 20).expect("a few at a time").counts.barriers, 80);
    let fault = launch(1 << 20).expect_err("not even one").to_string();
    assert!(fault.contains("need more than the 1048576 bytes of host memory"), "{fault}");
}

/// A lock that is still held when the variables before are freed would block for ever.
#[test]
fn a_program_whose_variables_do_not_fit_is_rejected_and_leaves_nothing() {
    let text = b".version 7.8\n.target sm_70\n.address_size 64\n.visible .global .align 8 .b8 a[1024];\n\
                 .visible .global .align 8 .b8 b[1048576];\n";
    let program = Arc::new(Program::load("large", text.as_slice()).unwrap());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let description = MachineDescription { memory_bytes: 1 << 20, ..MachineDescription::h200() };
        let machine = Machine::new(description);
        let error = machine.load(&program).unwrap_err().to_string();
        sender.send((error, machine.memory_usage().0)).unwrap();
    });
    let (error, used) = receiver.recv_timeout(std::time::Duration::from_secs(20)).expect("it does not block");
    assert_eq!((error.as_str(), used), ("not enough memory for the variables of large", 0));
}

/// A compiler of machine code knows the stack of a kernel unless a function may be called below itself: directly, or through a
/// pointer, as far as the sizes of parameters and results tell what it may point to.
#[test]
fn kernels_in_which_functions_may_be_called_below_themselves_are_known() {
    let text = b".version 8.3\n.target sm_80\n.address_size 64\n\
        .func leaf(.param .b32 x) { .local .b8 l[32]; ret; }\n\
        .func twice(.param .b32 x) { .param .b32 a; call leaf, (a); call leaf, (a); ret; }\n\
        .func (.param .b32 y) same(.param .b64 f) {\n.reg .b64 %f;\nld.param.b64 %f, [f];\n\
        p: .callprototype _ (.param .b32 _);\n{ .param .b32 x; st.param.b32 [x], 1; call %f, (x), p; }\nret;\n}\n\
        .func again(.param .b32 x) {\n.reg .b64 %f;\nmov.b64 %f, again;\n\
        { .param .b64 f; .param .b32 y; st.param.b64 [f], %f; call (y), same, (f); }\nret;\n}\n\
        .visible .entry direct() { { .param .b32 x; st.param.b32 [x], 1; call twice, (x); } ret; }\n\
        .visible .entry pointer() {\n.reg .b64 %f;\nmov.b64 %f, leaf;\n\
        { .param .b64 f; .param .b32 y; st.param.b64 [f], %f; call (y), same, (f); }\nret;\n}\n";
    let recursing = |text: &[u8], name: &str| {
        program(text).kernels().find(|kernel| kernel.name == name).expect("a kernel").recurses
    };
    assert!(!recursing(text, "direct"));
    // What it calls may be `again`, which calls `same`.
    assert!(recursing(text, "pointer"));
    let text = String::from_utf8_lossy(text).replace("mov.b64 %f, again", "mov.b64 %f, twice");
    assert!(!recursing(text.as_bytes(), "pointer"));
    let text = text.replace(
        "{ .param .b32 a; call leaf, (a); call leaf, (a); ret; }",
        "{ .param .b32 a; call leaf, (a); call twice, (a); ret; }",
    );
    assert!(recursing(text.as_bytes(), "direct"));
    // Only where they do is the stack counted.
    let machine = Machine::new(MachineDescription::h200());
    let bytes = |text: &[u8], kernel: &str| {
        let mut machine = machine.clone();
        let module = machine.load(&program(text)).expect("it fits");
        let config = LaunchConfig::linear(1, 32);
        machine
            .launch(&module, kernel, &config, &[], &LaunchOptions::default())
            .expect("it runs")
            .counts
            .stack_bytes
    };
    let text = text.replace("call twice, (a); ret; }", "ret; }");
    assert_eq!(bytes(text.as_bytes(), "pointer"), 0);
    let text = text.replace("mov.b64 %f, twice", "mov.b64 %f, again");
    assert!(bytes(text.as_bytes(), "pointer") >= 32);
}

/// Host and device access a managed variable at one address, also through its name.
#[test]
fn managed_variables_are_memory_of_the_host() {
    let text = b".version 8.3\n.target sm_80\n.address_size 64\n\
        .visible .global .attribute(.managed) .align 4 .u32 counter = 5;\n\
        .visible .global .align 8 .u64 pointer = generic(counter);\n\
        .visible .entry k() {\n.reg .b32 %r;\n.reg .b64 %a;\n\
        ld.global.u32 %r, [counter];\nadd.u32 %r, %r, 1;\nst.global.u32 [counter], %r;\n\
        ld.global.u64 %a, [pointer];\nld.u32 %r, [%a];\nadd.u32 %r, %r, 10;\nst.u32 [%a], %r;\nret;\n}\n";
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program(text)).expect("it fits");
    let managed: Vec<(u64, u64)> = module.managed().collect();
    let (address, bytes) = module.global("counter").expect("a variable");
    assert_eq!((managed, bytes), (vec![(address, 4)], 4));
    assert!(
        address < Machine::HOST_END && module.global("pointer").expect("a variable").0 >= Machine::HOST_END
    );
    let counter: *mut u32 = std::ptr::with_exposed_provenance_mut(address as usize);
    // SAFETY: the module is loaded, and nothing else accesses its variable now.
    assert_eq!(unsafe { counter.read() }, 5);
    // SAFETY: as above.
    unsafe { counter.write(7) };
    machine
        .launch(&module, "k", &LaunchConfig::linear(1, 1), &[], &LaunchOptions::default())
        .expect("it runs");
    // SAFETY: as above.
    assert_eq!(unsafe { counter.read() }, 18);
    machine.unload(&module).expect("it was loaded");
    assert_eq!(machine.allocation(address), None);

    let wrong = ".version 8.3\n.target sm_80\n.address_size 64\n.const .attribute(.managed) .u32 c = 5;\n";
    let error = Program::load("test", wrong.as_bytes()).expect_err("it is rejected").to_string();
    assert!(error.contains("only global memory is managed"), "{error}");
}

/// All blocks of a cooperative launch are resident, in every order, and meet at the address in two special registers.
#[test]
fn blocks_of_a_cooperative_launch_meet() {
    // Each block adds to a counter and waits until all have.
    let text = b".version 8.3\n.target sm_80\n.address_size 64\n\
        .visible .entry k(.param .u64 out) {\n.reg .pred %p;\n.reg .b32 %r<5>;\n.reg .b64 %a, %h, %o, %b;\n\
        mov.u32 %r1, %envreg1;\nmov.u32 %r2, %envreg2;\ncvt.u64.u32 %h, %r1;\ncvt.u64.u32 %a, %r2;\n\
        shl.b64 %h, %h, 32;\nor.b64 %a, %a, %h;\n\
        atom.add.release.gpu.global.u32 %r3, [%a+4], 1;\nmov.u32 %r4, %nctaid.x;\n\
        again: ld.acquire.gpu.global.u32 %r3, [%a+4];\nsetp.lt.u32 %p, %r3, %r4;\n@%p bra again;\n\
        ld.param.u64 %o, [out];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %b, %r1, 4;\nadd.s64 %o, %o, %b;\n\
        st.global.u32 [%o], %r3;\nret;\n}\n";
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program(text)).expect("it fits");
    let blocks = 300;
    let config = LaunchConfig::linear(blocks, 1);
    let one = LaunchOptions { resident_blocks: Some(1), step_limit: 1 << 24, ..LaunchOptions::default() };
    for options in [
        one.clone(),
        LaunchOptions { reverse_blocks: true, ..one.clone() },
        LaunchOptions { seed: Some(4), ..one.clone() },
        LaunchOptions { jobs: 3, ..one.clone() },
        LaunchOptions { block_memory: 4096, ..one.clone() },
        LaunchOptions { switch_every: Some(1), ..one.clone() },
    ] {
        let meeting = machine.alloc(8).expect("memory");
        let out = machine.alloc(4 * u64::from(blocks)).expect("memory");
        let options = LaunchOptions { cooperative: Some(meeting), ..options };
        let done = machine.launch(&module, "k", &config, &out.to_le_bytes(), &options);
        done.expect("it runs");
        let mut counts = vec![0; 4 * blocks as usize];
        machine.read(out, &mut counts).expect("inside");
        assert!(counts.chunks(4).all(|count| count == blocks.to_le_bytes()), "{options:?}");
    }
    // 132 multiprocessors hold 32 blocks each.
    let config = LaunchConfig::linear(132 * 32 + 1, 1);
    let options = LaunchOptions { cooperative: Some(0), ..one };
    let fault = machine.launch(&module, "k", &config, &[0; 8], &options).expect_err("too many blocks");
    assert!(fault.to_string().contains("4225 blocks; the machine holds 4224"), "{fault}");
}

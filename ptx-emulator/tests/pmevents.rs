//! Profiler events are counted by number, once for each warp that executes them.

use std::sync::Arc;

use ptx_emulator::{LaunchConfig, LaunchOptions, Machine, MachineDescription, Program};

#[test]
fn events_are_counted() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n\
                .reg .pred %p; .reg .b32 %r;\n\
                mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0;\n\
                pmevent 3;\n@%p pmevent 15;\npmevent.mask 0x8001;\nret;\n}\n";
    let program = Arc::new(Program::load("events", text.as_bytes()).unwrap_or_else(|e| panic!("{e}")));
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program).expect("it fits");
    // Two blocks of two warps.
    let config = LaunchConfig::linear(2, 64);
    let report = machine.launch(&module, "k", &config, &[], &LaunchOptions::default()).expect("no fault");
    let mut expected = [0; 16];
    (expected[0], expected[3], expected[15]) = (4, 4, 6);
    assert_eq!(report.counts.pmevents, expected);
}

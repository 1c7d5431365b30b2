//! Launches with and without shortcuts: the host's vector instructions, and accesses of whole rows at once.

use std::sync::Arc;

use ptx_emulator::{Counts, LaunchConfig, LaunchOptions, Machine, MachineDescription, Program};

/// What a launch of the kernel `k` leaves in three buffers, its counts, or the text of its fault.
fn outcome(
    text: &str,
    offsets: [u64; 3],
    threads: u32,
    shortcuts: bool,
) -> (Vec<Vec<u8>>, Result<Counts, String>) {
    let program = Arc::new(Program::load("m", text.as_bytes()).expect("the program is right"));
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program).expect("memory");
    let mut parameters = Vec::new();
    let mut buffers = Vec::new();
    for (number, offset) in offsets.into_iter().enumerate() {
        let bytes: Vec<u8> = (0..1024u32).map(|i| (i * 37 + number as u32 * 11) as u8).collect();
        let buffer = machine.alloc(1024).expect("memory");
        machine.write(buffer, &bytes).expect("it exists");
        parameters.extend((buffer + offset).to_le_bytes());
        buffers.push(buffer);
    }
    let options = LaunchOptions { shortcuts, ..LaunchOptions::default() };
    let result = machine.launch(&module, "k", &LaunchConfig::linear(1, threads), &parameters, &options);
    let contents = buffers.iter().map(|&buffer| {
        let mut bytes = vec![0; 1024];
        machine.read(buffer, &mut bytes).expect("it exists");
        bytes
    });
    (contents.collect(), result.map(|report| report.counts).map_err(|fault| fault.to_string()))
}

fn kernel(ty: &str, wide: bool, scale: u32, space: &str, order: &str, guard: &str) -> String {
    let (class, register) = if wide { ("b64", "%rd9") } else { ("b32", "%r9") };
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)
{{
.reg .b64 %rd<12>; .reg .b32 %r<12>; .reg .pred %p<4>;
ld.param.u64 %rd1, [a];
ld.param.u64 %rd2, [b];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, {scale};
add.s64 %rd1, %rd1, %rd3;
add.s64 %rd2, %rd2, %rd3;
setp.ne.u32 %p1, %r1, 5;
mov.{class} {register}, 1;
{guard} ld{order}{space}.{ty} {register}, [%rd1+4];
{guard} st{order}{space}.{ty} [%rd2+-4], {register};
ret;
}}
"
    )
}

/// Rows and what is no row: other sizes, strides, alignments, orders, some lanes only, rows that leave the buffer.
#[test]
fn shortcuts_change_nothing() {
    let mut rows = 0;
    for (ty, wide, size) in [
        ("u32", false, 4),
        ("f32", false, 4),
        ("u64", true, 8),
        ("s32", true, 4),
        ("u16", false, 2),
        ("u8", false, 1),
    ] {
        for scale in [size, size * 2, 0] {
            for (space, order) in
                [("", ""), (".global", ""), (".global", ".volatile"), (".global", ".relaxed.gpu")]
            {
                for guard in ["", "@%p1"] {
                    let text = kernel(ty, wide, scale, space, order, guard);
                    for threads in [32, 64, 20] {
                        for offsets in [
                            [0, 64, 0],
                            [4, 4, 0],
                            [60, 132, 0],
                            // From another offset to a sector.
                            [20, 76, 0],
                            // Up to the end and beyond it, and below the start.
                            [1024 - 4 - 32 * u64::from(size), 64, 0],
                            [1024 - 32 * u64::from(size), 64, 0],
                            [64, 1028 - 32 * u64::from(size), 0],
                            [64, 1032 - 32 * u64::from(size), 0],
                            [64, 0, 0],
                            // Misaligned.
                            [2, 66, 0],
                        ] {
                            let with = outcome(&text, offsets, threads, true);
                            let without = outcome(&text, offsets, threads, false);
                            assert_eq!(with, without, "{threads} threads, offsets {offsets:?}:\n{text}");
                            rows += u32::from(with.1.is_ok());
                        }
                    }
                }
            }
        }
    }
    assert!(rows > 2000, "{rows} launches without a fault");
}

/// Stores to constant memory and of undefined values are faults of rows as of others.
#[test]
fn faults_of_rows_are_those_of_others() {
    let text = kernel("u32", false, 4, ".global", "", "")
        .replace("mov.b32 %r9, 1;", "")
        .replace("ld.global.u32", "@!%p1 ld.global.u32");
    let with = outcome(&text, [0, 64, 0], 32, true);
    assert!(with.1.as_ref().is_err_and(|fault| fault.contains("undefined")), "{:?}", with.1);
    assert_eq!(with, outcome(&text, [0, 64, 0], 32, false));
}

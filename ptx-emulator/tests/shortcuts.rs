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

/// A kernel whose lanes of a mask copy elements from global memory to an inner space and back, `scale` bytes apart.
fn copies(
    element: &str,
    registers: &str,
    scale: u64,
    inner: &str,
    at: u64,
    mask: u32,
    by_branch: bool,
) -> String {
    let (variable, space) = match inner {
        "shared" => ("add.s64 %rd6, %rd6, %rd3;", ".shared"),
        "generic" => ("add.s64 %rd6, %rd6, %rd3; cvta.shared.u64 %rd6, %rd6;", ""),
        _ => ("", ".local"),
    };
    let memory = if inner == "local" { "own" } else { "ours" };
    let (guard, skip) = if by_branch { ("", "@!%p1 bra") } else { ("@%p1", "//") };
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)
{{
.reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .pred %p<4>;
.shared .align 16 .b8 ours[1024];
.local .align 16 .b8 own[64];
ld.param.u64 %rd1, [a];
ld.param.u64 %rd2, [b];
mov.u32 %r1, %tid.x;
and.b32 %r2, %r1, 31;
shr.u32 %r3, {mask}, %r2;
and.b32 %r3, %r3, 1;
setp.ne.u32 %p1, %r3, 0;
mul.wide.u32 %rd3, %r1, {scale};
add.s64 %rd1, %rd1, %rd3;
add.s64 %rd2, %rd2, %rd3;
mov.u64 %rd6, {memory};
{variable}
{skip} first;
{guard} ld.global.{element} {registers}, [%rd1];
{guard} st{space}.{element} [%rd6+{at}], {registers};
first:
bar.sync 0;
{skip} second;
{guard} ld{space}.{element} {registers}, [%rd6+{at}];
{guard} st.global.{element} [%rd2], {registers};
second:
ret;
}}
"
    )
}

/// Accesses of shared, local and generic memory, of several elements, and by lanes that diverge.
#[test]
fn shortcuts_change_no_copies() {
    let (mut completed, mut faults) = (0, 0);
    for (element, registers, size) in [
        ("u8", "%r9", 1),
        ("u16", "%r9", 2),
        ("u32", "%r9", 4),
        ("b64", "%rd9", 8),
        ("v2.f32", "{%r9, %r10}", 8),
        ("v2.b64", "{%rd9, %rd10}", 16),
        ("v4.b32", "{%r9, %r10, %r11, %r12}", 16),
    ] {
        for scale in [size, 2 * size, 0] {
            for inner in ["shared", "local", "generic"] {
                // Aligned, at the end, beyond it, and misaligned.
                for at in [0, size, 1024 - 32 * size, 1032 - 32 * size, 1] {
                    for mask in [u32::MAX, u32::MAX - 1, 0x5555_5555, 0xffff, 0x80, 0] {
                        for by_branch in [false, true] {
                            let text = copies(element, registers, scale, inner, at, mask, by_branch);
                            for threads in [32, 20, 48] {
                                let with = outcome(&text, [0, 0, 0], threads, true);
                                let without = outcome(&text, [0, 0, 0], threads, false);
                                assert_eq!(with, without, "{threads} threads:\n{text}");
                                *(if with.1.is_ok() { &mut completed } else { &mut faults }) += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(completed > 5000 && faults > 1000, "{completed} launches without a fault, {faults} with one");
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

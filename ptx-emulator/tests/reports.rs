//! The complete text of faults.

use std::sync::Arc;

use ptx_emulator::{
    Fault, LaneState, LaunchConfig, LaunchOptions, Machine, MachineDescription, Program, Quote,
};

/// The fault of a launch of the kernel `k` with 40 threads and the address of a buffer of 16 bytes.
fn fault(body: &str) -> Box<Fault> {
    let head = ".version 7.4\n.target sm_80\n.address_size 64\n";
    let program = Program::load("m", format!("{head}{body}").as_bytes()).expect("the program is right");
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&Arc::new(program)).expect("memory");
    let buffer = machine.alloc(16).expect("memory").to_le_bytes();
    let config = LaunchConfig::linear(1, 40);
    machine.launch(&module, "k", &config, &buffer, &LaunchOptions::default()).expect_err("a fault")
}

/// A report without the addresses of the buffer and of its end.
fn text(fault: &Fault) -> String {
    let mut said = fault.to_string();
    if let Some((_, base)) = said.split_once("allocated at 0x") {
        let digits: String = base.chars().take_while(char::is_ascii_hexdigit).collect();
        let base = u64::from_str_radix(&digits, 16).expect("an address");
        for (address, name) in [(base, "BASE"), (base + 16, "END")] {
            said = said.replace(&format!("{address:#x}"), name).replace(&address.to_string(), name);
        }
    }
    said
}

const DIVERGED: &str = r#".func store(.param .b64 to)
{
.reg .b64 %rd<2>; .reg .b32 %r<2>;
ld.param.b64 %rd1, [to];
.loc 1 5 9
st.b32 [%rd1], %r1;
ret;
}
.visible .entry k(.param .u64 p)
{
.reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p<2>;
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x;
setp.gt.u32 %p1, %r1, 3;
@!%p1 bra $out;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd1, %rd1, %rd2;
.loc 1 9 3
{ .param .b64 a; st.param.b64 [a], %rd1; call store, (a); }
$out:
bar.sync 0;
ret;
}
.file 1 "k.c"
"#;

#[test]
fn a_report_has_location_values_calls_and_lanes() {
    let body = DIVERGED.replace("st.b32 [%rd1], %r1", "mov.b32 %r1, 7; st.b32 [%rd1], %r1");
    let mut fault = fault(&body);
    fault.quote(|source| {
        assert_eq!(source.line, 5);
        Quote::Line("    *to = 7;\n".into())
    });
    let expected = "\
kernel k: an access of 4 bytes of global memory at END, 0 bytes past the end of the 16 bytes
  allocated at BASE
  in block (0,0,0) thread (4,0,0), lane 4 of warp 0
  at PTX line 9 in `store`: st.b32 [%rd1], %r1;
  from k.c:5:9
    | *to = 7;
  %rd1 = END (END)
  %r1 = 0x7 (7, f32 1e-44)
  called from k.c:9:3, PTX line 22 in `k`: call store, (a);
  warp 0 lanes 0x0000000f are at PTX line 24 in `k`: bar.sync 0;
  warp 0 lanes 0xfffffff0 are at PTX line 9 in `store`: st.b32 [%rd1], %r1;";
    assert_eq!(text(&fault), expected, "\n{fault}");
    assert_eq!(fault.kind.name(), "out-of-bounds");
    assert_eq!((fault.warp, fault.lane, fault.depth, fault.calls.len()), (0, 4, 1, 1));
    assert_eq!(fault.lanes[0].state, LaneState::Ready);
}

#[test]
fn undefined_values_are_named() {
    let said = text(&fault(DIVERGED));
    assert!(said.starts_with("kernel k: an undefined value reached a store\n"), "{said}");
    assert!(said.contains("\n  %r1 = undefined\n"), "{said}");
}

/// Very long names and lines.
#[test]
fn a_report_fits_a_screen() {
    let long = "x".repeat(100_000);
    let file = format!("{}\u{1b}[31m\t", "f".repeat(100_000));
    let body = DIVERGED
        .replace("store", &format!("s{long}"))
        .replace("%rd1", &format!("%rd{long}"))
        .replace(".reg .b64", &format!(".reg .b64 %rd{long}; .reg .b64"))
        .replace("k.c", &file);
    let mut fault = fault(&body);
    fault.quote(|_| Quote::Line(format!("\u{1b}[0m{long}")));
    let said = fault.to_string();
    assert!(said.lines().count() <= 24, "{said}");
    for line in said.lines() {
        assert!(line.chars().count() <= 110 && !line.contains(char::is_control), "{line}");
    }
}

/// Lanes that are all at different instructions, in all warps of a large block.
#[test]
fn lane_groups_beyond_the_limit_are_counted() {
    let body = ".visible .entry k(.param .u64 p)
{
.reg .pred %p<2>; .reg .b32 %r<4>;
mov.u32 %r1, %laneid;
$t: .branchtargets $a, $b, $c, $d, $e, $f, $g;
min.u32 %r1, %r1, 6;
brx.idx %r1, $t;
$a: barrier.sync 1; ret;
$b: barrier.sync 2; ret;
$c: barrier.sync 3; ret;
$d: barrier.sync 4; ret;
$e: barrier.sync 5; ret;
$f: barrier.sync 6; ret;
$g: barrier.sync 7; ret;
}
";
    let fault = fault(body);
    assert_eq!((fault.kind.name(), fault.lanes.len()), ("deadlock", 14));
    let said = fault.to_string();
    assert!(said.contains("\n  warp 0 lanes 0x00000001 wait for the block at PTX line"), "{said}");
    assert!(said.ends_with("\n  … and 10 more"), "{said}");
    assert!(said.lines().count() <= 24, "{said}");
}

//! The complete text of faults.

use std::path::Path;
use std::sync::Arc;

use ptx_emulator::{
    Cause, Fault, LaneState, LaunchConfig, LaunchOptions, Machine, MachineDescription, Program, Quote,
    ReportStyle, Space,
};

/// The fault of a launch of the kernel `k` with 40 threads and the address of a buffer of 16 bytes.
fn fault(body: &str) -> Box<Fault> {
    fault_of("k", body)
}

/// As [`fault`], of another kernel.
fn fault_of(kernel: &str, body: &str) -> Box<Fault> {
    let head = ".version 7.4\n.target sm_80\n.address_size 64\n";
    let program = Program::load("m", format!("{head}{body}").as_bytes()).expect("the program is right");
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&Arc::new(program)).expect("memory");
    let buffer = machine.alloc(16).expect("memory").to_le_bytes();
    let config = LaunchConfig::linear(1, 40);
    machine.launch(&module, kernel, &config, &buffer, &LaunchOptions::default()).expect_err("a fault")
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
k.c:5:9: an access of 4 bytes of global memory at END, 0 bytes past the end of the 16 bytes
  allocated at BASE
      5 | *to = 7;
  called from k.c:9:3
  in kernel k, block (0,0,0) thread (4,0,0), lane 4 of warp 0
  at PTX line 9 in `store`: st.b32 [%rd1], %r1;
  from k.c:5:9
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

/// The same fault for a person: in words of the source, wrapped.
#[test]
fn a_brief_report_has_only_what_the_source_names() {
    let body = DIVERGED
        .replace("st.b32 [%rd1], %r1", "mov.b32 %r1, 7; st.b32 [%rd1], %r1")
        .replace("k.c", "/project/dir/k.c");
    let mut fault = fault(&body);
    fault.quote(|_| Quote::Line("    *to = 7;\n".into()));
    fault.notes.push("a note of the host's".into());
    let near = fault.memory.clone().expect("the buffer");
    assert_eq!((near.bytes, near.parameters, near.parameter_count), (16, vec![0], 1));
    let brief = |columns| {
        let style = ReportStyle { verbose: false, columns, folder: Some(Path::new("/project")) };
        let said = fault.report(&style);
        assert!(said.lines().all(|line| line.chars().count() <= columns.clamp(40, 110)), "{said}");
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let expected = format!(
        "dir/k.c:5:9: an access of 4 bytes of global memory at {:#x}, 0 bytes past the end of the 16 bytes allocated at \
         {:#x} 5 | *to = 7; called from dir/k.c:9:3 in kernel k, block (0,0,0) thread (4,0,0) a note of the host's",
        near.address + 16,
        near.address
    );
    assert_eq!(brief(110), expected);
    assert_eq!(brief(72), expected);
    assert!(brief(1).starts_with("dir/k.c:5:9: an access"));
}

/// Threads that wait for each other are shown by line, not by lane; a region's runtime has lines of its own.
#[test]
fn a_brief_report_of_a_deadlock_says_where_the_threads_are() {
    let kernel = "__omp_offloading_1_2__ZN4Grid4fillIfEEvT__l5";
    let body = format!(
        ".visible .entry {kernel}(.param .u64 p)
{{
.reg .pred %p<2>; .reg .b32 %r<4>;
mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 32;
@%p1 bra $a;
.loc 1 7 1
mov.u32 %r2, 1;
.loc 2 17 5
barrier.sync 2, 64;
ret;
$a:
.loc 1 9 3
barrier.sync 1, 64;
ret;
}}
.file 1 \"grid.cpp\"
.file 2 \"/runtime/src/barrier.rs\"
"
    );
    let fault = fault_of(kernel, &body);
    let said = fault.report(&ReportStyle { verbose: false, columns: 110, folder: None });
    for part in [
        "in the target region at line 5 of `Grid::fill<float>`, block (0,0,0)",
        "\n  32 threads: wait for the block at grid.cpp:9:3",
        "\n  8 threads: wait for the block at grid.cpp:7:1",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("PTX") && !said.contains("%r"), "{said}");
}

/// Code of the runtime that was inlined has no call: the line before it is the program's.
#[test]
fn a_fault_in_the_runtime_names_the_line_of_the_program_before_it() {
    let kernel = "__omp_offloading_1_2_main_l3";
    let body = format!(
        ".visible .entry {kernel}(.param .u64 p)
{{
.reg .b64 %rd<2>;
.loc 1 4 7
mov.b64 %rd1, 8;
.loc 2 66 1
st.global.u32 [%rd1], 1;
ret;
}}
.file 1 \"lock.c\"
.file 2 \"/runtime/src/atomic.rs\"
"
    );
    let mut fault = fault_of(kernel, &body);
    fault.quote(|source| Quote::Line(format!("line {}", source.line)));
    let said = fault.report(&ReportStyle { verbose: false, columns: 110, folder: None });
    let expected = "\
lock.c:4:7: an access of 4 bytes of global memory at 0x8, near the null address
      4 | line 4
  or shortly after it, in the OpenMP runtime (/runtime/src/atomic.rs:66:1)
  in the target region at line 3 of `main`, block (0,0,0) thread (0,0,0)";
    assert_eq!(said, expected);
}

/// What explains an access: the address in itself says it only to people who know the address space.
#[test]
fn causes_are_told() {
    let kernel = "__omp_offloading_1_2_main_l3";
    let body = |access: &str| {
        format!(
            ".extern .func (.param .b64 r) malloc(.param .b64 bytes);
.visible .entry {kernel}(.param .u64 p)
{{
.reg .b64 %rd<8>; .reg .b32 %r<4>;
ld.param.u64 %rd1, [p];
{access}
ret;
}}
"
        )
    };
    let cause = |access: &str| {
        let fault = fault_of(kernel, &body(access));
        let said = fault.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        (fault.cause, said)
    };
    for space in ["local", "shared"] {
        let (cause, said) = cause(&format!("cvta.to.{space}.u64 %rd2, %rd1; ld.{space}.u32 %r1, [%rd2];"));
        assert!(matches!(cause, Some(Cause::OtherSpace { space: Space::Global, .. })), "{said}");
        assert!(said.contains("points to global memory, or memory of the host: the compiler"), "{said}");
    }
    let here = 7u32;
    let (found, said) = cause(&format!("mov.u64 %rd2, {}; ld.u32 %r1, [%rd2];", &raw const here as usize));
    assert_eq!(found, Some(Cause::HostMemory), "{said}");
    assert!(said.contains("this is memory of the host: is a `map` clause missing?"), "{said}");
    let (found, said) = cause(
        "{ .param .b64 a; .param .b64 r; mov.u64 %rd3, 16777216; st.param.b64 [a], %rd3; call.uni (r), malloc, (a); \
         ld.param.b64 %rd2, [r]; } st.u32 [%rd2+8192], 1;",
    );
    assert_eq!(found, Some(Cause::HeapFull { bytes: 8 << 20 }), "{said}");
    assert!(said.contains("has returned null before: the device heap of 8388608 bytes was full"), "{said}");
    let (found, _) = cause("ld.local.u32 %r1, [%rd1];");
    assert!(matches!(found, Some(Cause::OtherSpace { space: Space::Global, .. })));
    for plain in ["mov.u64 %rd2, 16; st.u32 [%rd2], 1;", "mov.u64 %rd2, -16; ld.shared.u32 %r1, [%rd2];"] {
        let (found, said) = cause(plain);
        assert_eq!(found, None, "{plain}: {said}");
    }
}

#[test]
fn undefined_values_are_named() {
    let said = text(&fault(DIVERGED));
    assert!(said.starts_with("k.c:5:9: an undefined value reached a store\n"), "{said}");
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
    assert!(said.lines().count() <= 32, "{said}");
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
    assert!(said.lines().count() <= 32, "{said}");
}

/// Two buffers, an address that is nearer to the second one, and the way it is computed from the first.
#[test]
fn an_address_belongs_to_the_buffer_that_it_is_computed_from() {
    let body = |steps: &str| {
        format!(
            ".visible .entry k(.param .u64 p, .param .u64 q)
{{
.reg .b64 %rd<9>; .reg .b32 %r<4>; .reg .pred %p<2>;
ld.param.u64 %rd1, [p];
ld.param.u64 %rd2, [q];
mov.u64 %rd5, 4000;
mov.u32 %r1, 1;
setp.eq.u32 %p1, %r1, 1;
{steps}
st.global.u32 [%rd4], %r1;
ret;
}}
"
        )
    };
    let cases = [
        // The plain sum, and a multiple of an index.
        ("add.s64 %rd4, %rd1, %rd5;", Some(0)),
        ("cvta.to.global.u64 %rd3, %rd1; add.s64 %rd4, %rd5, %rd3;", Some(0)),
        ("mad.wide.u32 %rd4, %r1, 4000, %rd1;", Some(0)),
        ("mad.lo.s64 %rd4, %rd5, 1, %rd1;", Some(0)),
        // A register that is changed in place, as in a loop.
        ("mov.u64 %rd4, %rd1; add.s64 %rd4, %rd4, 2000; add.s64 %rd4, %rd4, 2000;", Some(0)),
        // Either pointer: the nearest buffer.
        ("selp.b64 %rd3, %rd1, %rd2, %p1; add.s64 %rd4, %rd3, %rd5;", None),
        // A product of pointers is none.
        ("mul.lo.s64 %rd3, %rd2, 0; add.s64 %rd3, %rd3, %rd1; add.s64 %rd4, %rd3, %rd5;", Some(0)),
        // The second buffer, before its start.
        ("sub.s64 %rd4, %rd2, 352;", Some(1)),
    ];
    for (steps, parameter) in cases {
        let head = ".version 7.4\n.target sm_80\n.address_size 64\n";
        let program =
            Program::load("m", format!("{head}{}", body(steps)).as_bytes()).expect("the program is right");
        let mut machine = Machine::new(MachineDescription::h200());
        let module = machine.load(&Arc::new(program)).expect("memory");
        let buffers = [machine.alloc(16).expect("memory"), machine.alloc(16).expect("memory")];
        assert_eq!(buffers[1] - buffers[0], 4352);
        let parameters: Vec<u8> = buffers.iter().flat_map(|buffer| buffer.to_le_bytes()).collect();
        let config = LaunchConfig::linear(1, 1);
        let fault = machine
            .launch(&module, "k", &config, &parameters, &LaunchOptions::default())
            .expect_err("a fault");
        let memory = fault.memory.clone().expect("a buffer");
        let (place, own) = match parameter {
            Some(0) => (format!("3984 bytes past the end of the 16 bytes allocated at {:#x}", buffers[0]), 0),
            _ => (format!("352 bytes before the start of the 16 bytes allocated at {:#x}", buffers[1]), 1),
        };
        assert!(fault.kind.to_string().ends_with(&place), "{steps}: {}", fault.kind);
        assert_eq!((memory.address, memory.parameters), (buffers[own], vec![own as u32]), "{steps}");
    }
}

//! `warpfold profile`: programs that vary one factor each change the line and the bound where the model says; the formats
//! of the report.

mod common;

use std::{fs, path::Path, process::Output};

use common::{command, folder, text, warpfold};
use serde_json::Value;

/// A kernel of PTX with a pointer in `%rd1`, the thread's index in the grid in `%r1` and in its block in `%r2`. A line
/// that begins with `#N` is of line N of the source.
fn ptx(body: &str) -> String {
    let mut ptx = String::from(
        ".version 8.3\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n.shared .align 16 .b8 tile[32768];\n\
         .visible .entry k(.param .u64 p) {\n\
         .reg .b64 %rd<99>; .reg .b32 %r<99>; .reg .pred %p<9>; .reg .f32 %f<99>;\n.loc 1 1 0\n\
         ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n\
         mad.lo.u32 %r1, %r3, %r4, %r2;\n",
    );
    for line in body.lines().map(str::trim) {
        match line.strip_prefix('#').and_then(|line| line.split_once(' ')) {
            Some((number, code)) => ptx.push_str(&format!(".loc 1 {number} 0\n{code}\n")),
            None => ptx.push_str(&format!("{line}\n")),
        }
    }
    ptx + ".loc 1 99 0\nret;\n}\n"
}

/// Whether machine code counts. ptxas removes what is there only to be counted.
#[derive(Clone, Copy, PartialEq)]
enum Count {
    Ptx,
    MachineCode,
}

/// Profiles a launch of a kernel of PTX, with a buffer.
fn profile(folder: &Path, options: &[&str], shape: [u32; 2], buffer: u32, count: Count) -> Output {
    let program = env!("CARGO_BIN_EXE_warpfold");
    let [blocks, threads] = shape;
    let launch = [
        format!("--grid={blocks}"),
        format!("--block={threads}"),
        format!("--argument=buffer:{buffer}"),
        "k.ptx".to_owned(),
    ];
    let launch: Vec<&str> = launch.iter().map(String::as_str).collect();
    let words = [&["profile"][..], options, &[program, "launch-kernel"], &launch].concat();
    let mut command = command(folder, &words);
    if count == Count::Ptx {
        command.env("WARPFOLD_PTXAS", "none");
    }
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

/// The only kernel of a launch's report, from counts of PTX.
fn report(body: &str, shape: [u32; 2], buffer: u32) -> Value {
    counted(body, shape, buffer, Count::Ptx)
}

/// The same from either counts.
fn counted(body: &str, shape: [u32; 2], buffer: u32, count: Count) -> Value {
    let folder = folder(&[("k.ptx", &ptx(body))]);
    profile(folder.path(), &["--json", "report.json"], shape, buffer, count);
    let report = fs::read_to_string(folder.path().join("report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["kernels"].as_array().map(Vec::len), Some(1), "{report}");
    report["kernels"][0].clone()
}

/// The line with the largest share of the bound.
fn first_line(kernel: &Value) -> &Value {
    &kernel["lines"][0]
}

fn count(of: &Value, name: &str) -> u64 {
    of["counts"][name].as_u64().unwrap_or_else(|| panic!("{name} in {of}"))
}

fn microseconds(of: &Value, name: &str) -> f64 {
    of["times"][name].as_f64().unwrap_or_else(|| panic!("{name} in {of}")) * 1e6
}

/// A full grid of an H200: 64 warps on each of 132 multiprocessors.
const FULL: [u32; 2] = [1056, 256];

/// With 100 instructions a warp, 64 warps take 0.81 µs to issue. 32 lanes that are S words apart need 4 S sectors, up to
/// 32: for 8448 warps 0.24 µs of memory with S = 1, 0.49 with 2 and 0.97 with 4.
#[test]
fn stride_makes_memory_the_bound() {
    for (stride, bound, sectors) in [(1, "issue", 4), (2, "issue", 8), (4, "memory", 16), (8, "memory", 32)] {
        let work = "add.u32 %r9, %r9, %r1;\n".repeat(90);
        let body = format!(
            "mul.lo.u32 %r5, %r1, {stride};\nmul.wide.u32 %rd2, %r5, 4; add.u64 %rd3, %rd1, %rd2;\n\
             #7 ld.global.u32 %r6, [%rd3];\n#8 mov.u32 %r9, 0;\n{work}"
        );
        let kernel = report(&body, FULL, 9 << 20);
        assert_eq!(kernel["bound"], bound, "stride {stride}: {}", kernel["times"]);
        let line = kernel["lines"].as_array().and_then(|all| all.iter().find(|line| line["line"] == 7));
        let line = line.expect("line 7");
        assert_eq!(count(line, "load_sectors"), sectors * count(line, "load_requests"), "stride {stride}");
        let named = if bound == "memory" { 7 } else { 8 };
        assert_eq!(first_line(&kernel)["line"], named, "stride {stride}");
        let expected = 8448.0 * sectors as f64 * 32.0 / (4.8e6 * 0.925);
        assert!((microseconds(&kernel, "memory") / expected - 1.0).abs() < 0.01, "{}", kernel["times"]);
    }
}

/// A store and eleven instructions take three cycles of four schedulers; its banks are busy for as many cycles as passes.
#[test]
fn conflicts_of_banks_make_shared_memory_the_bound() {
    for (stride, bound) in [(1, "issue"), (2, "issue"), (4, "shared memory"), (32, "shared memory")] {
        let work = "add.u32 %r9, %r9, %r1;\n".repeat(11);
        let access = format!("#5 st.shared.u32 [%r7], %r2;\n#6 {work}").repeat(50);
        let body = format!(
            "and.b32 %r5, %r2, 31; mul.lo.u32 %r5, %r5, {};\nmov.u32 %r6, tile; add.u32 %r7, %r6, %r5; mov.u32 %r9, 0;\n\
             {access}",
            stride * 4
        );
        let kernel = report(&body, FULL, 64);
        assert_eq!(kernel["bound"], bound, "stride {stride}: {}", kernel["times"]);
        let named = if bound == "issue" { 6 } else { 5 };
        assert_eq!(first_line(&kernel)["line"], named, "stride {stride}");
        let passes = kernel["counts"]["passes_per_request"].as_f64().expect("a number");
        assert_eq!(passes, f64::from(stride), "stride {stride}");
    }
}

/// Where lanes of a warp part, it issues both ways: 200 instructions instead of 100.
#[test]
fn divergence_shows_at_its_branch_and_doubles_the_issue() {
    let way = |line: u32| format!("#{line} {}", "add.u32 %r9, %r9, %r1;\n".repeat(100));
    let times: Vec<f64> = [0, 1, 16, 31, 32]
        .into_iter()
        .map(|lanes| {
            let body = format!(
                "and.b32 %r5, %r2, 31; mov.u32 %r9, 0;\nsetp.lt.u32 %p1, %r5, {lanes};\n#4 @%p1 bra OTHER;\n{}\
                 #6 bra.uni END;\nOTHER:\n{}#8 END: mov.u32 %r10, 0;",
                way(5),
                way(7)
            );
            let kernel = report(&body, FULL, 64);
            assert_eq!(kernel["bound"], "issue", "{lanes} lanes");
            let branch = kernel["lines"].as_array().and_then(|all| all.iter().find(|line| line["line"] == 4));
            let diverges = u64::from(lanes != 0 && lanes != 32);
            let branch = branch.expect("line 4");
            assert_eq!(count(branch, "divergent_branches"), diverges * 8448, "{lanes} lanes");
            microseconds(&kernel, "issue")
        })
        .collect();
    for parted in &times[1..4] {
        assert!((1.7..2.0).contains(&(parted / times[0])), "{times:?}");
    }
    assert!((times[4] / times[0] - 1.0).abs() < 0.05, "{times:?}");
}

/// Atomics on one address come one a cycle. 270336 of them on N addresses are 270336 / N; four sectors a warp, read and
/// written, take the second-level cache 0.24 µs, or 477 cycles.
#[test]
fn atomics_on_few_addresses_are_the_bound() {
    for (addresses, bound) in [(1, "atomics"), (512, "atomics"), (1024, "memory"), (4096, "memory")] {
        let body = format!(
            "rem.u32 %r5, %r1, {addresses}; mul.wide.u32 %rd2, %r5, 4; add.u64 %rd3, %rd1, %rd2;\n\
             #12 red.global.add.u32 [%rd3], 1;"
        );
        let kernel = report(&body, FULL, 16 << 10);
        let sectors = count(&kernel, "atomic_sectors");
        let expected = if addresses == 1 { "atomics" } else { bound };
        assert_eq!(kernel["bound"], expected, "{addresses}: {} {sectors}", kernel["times"]);
        let line = first_line(&kernel);
        assert_eq!((line["line"].as_u64(), count(line, "atomics")), (Some(12), 270_336));
        assert_eq!(line["atomics_on_one_address"], 270_336 / addresses, "{addresses} addresses");
        assert!((microseconds(&kernel, "atomics") - 270_336.0 / addresses as f64 / 1980.0).abs() < 1e-3);
    }
}

/// 64 warps arrive at a barrier in 135 cycles; four schedulers issue 8.4 instructions of each in that time.
#[test]
fn barriers_are_the_bound_up_to_eight_instructions_between_them() {
    for (between, bound) in [(2, "barrier"), (7, "barrier"), (8, "issue"), (20, "issue")] {
        let work = "add.u32 %r9, %r9, %r1;\n".repeat(between);
        let body = format!("mov.u32 %r9, 0;\n{}", format!("#3 bar.sync 0;\n#4 {work}").repeat(100));
        let kernel = report(&body, FULL, 64);
        assert_eq!(kernel["bound"], bound, "{between}: {}", kernel["times"]);
        let named = if bound == "barrier" { 3 } else { 4 };
        assert_eq!(first_line(&kernel)["line"], named, "{between} instructions");
        assert_eq!(kernel["longest_warp"]["barriers"], 100);
    }
}

/// 16 warps on each multiprocessor, with N loads of 128 bytes each in flight: 2 KiB N, of 7.9 KiB that the bandwidth takes.
#[test]
fn loads_in_flight_decide_between_latency_and_memory() {
    for (loads, bound) in [(1, "latency"), (2, "latency"), (8, "memory"), (16, "memory")] {
        // Each round's address depends on the loads of the one before.
        let load = |n: usize| format!("ld.global.u32 %r{}, [%rd3+{}];\n", 20 + n, n * 512 * 4 * 132);
        let sum = |n: usize| format!("or.b32 %r9, %r9, %r{};\n", 20 + n);
        let round = format!(
            "#6 {}#7 mov.u32 %r9, 0; {}cvt.u64.u32 %rd4, %r9; add.u64 %rd3, %rd3, %rd4; add.u64 %rd3, %rd3, {};\n",
            (0..loads).map(load).collect::<String>(),
            (0..loads).map(sum).collect::<String>(),
            loads * 512 * 4 * 132
        );
        let body = format!("mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n{}", round.repeat(20));
        let kernel = report(&body, [132, 512], (20 * loads * 512 * 4 * 132) as u32);
        assert_eq!(kernel["bound"], bound, "{loads}: {}", kernel["times"]);
        assert_eq!(kernel["loads_in_flight"], loads as f64, "{loads} loads");
        assert_eq!(kernel["bytes_in_flight"], (16 * 128 * loads) as f64, "{loads} loads");
        assert_eq!(kernel["longest_warp"]["rounds_of_loads"], 20);
        assert_eq!(first_line(&kernel)["line"], 6, "{loads} loads");
    }
}

/// Values that a thread keeps take registers, as ptxas allocates them; more than 32 leave fewer than 8 blocks of 256.
#[test]
fn registers_limit_the_blocks_of_a_multiprocessor() {
    for values in [4, 30, 80] {
        let load = |n: usize| format!("ld.global.f32 %f{n}, [%rd3+{}];\n", n * 4096);
        let store = |n: usize| format!("st.global.f32 [%rd3+{}], %f{};\n", n * 4096, values - 1 - n);
        let body = format!(
            "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;\n{}bar.sync 0;\n{}",
            (0..values).map(load).collect::<String>(),
            (0..values).map(store).collect::<String>()
        );
        let kernel = counted(&body, [1, 256], 1 << 20, Count::MachineCode);
        let registers = &kernel["registers"];
        assert!(
            registers["source"].as_str().is_some_and(|source| source.starts_with("ptxas")),
            "{registers}"
        );
        let count = registers["count"].as_u64().expect("a number");
        assert!(count as usize >= values, "{registers}");
        let by_registers = 65536 / ((count * 32).next_multiple_of(256) * 8);
        let occupancy = &kernel["occupancy"];
        assert_eq!(occupancy["blocks"], by_registers.min(8), "{occupancy}");
        let limit = if by_registers < 8 { "registers" } else { "threads" };
        assert_eq!(occupancy["limit"], limit, "{occupancy}");
        assert_eq!(limit == "registers", count > 32, "{registers}");
        assert!(values != 4 || count <= 32, "{registers}");
    }
}

/// ptxas removes additions whose sum nobody uses, and unrolls the loop.
#[test]
fn machine_code_is_counted_where_there_is_a_ptxas() {
    let unused = "add.u32 %r9, %r9, %r1;\n".repeat(10);
    let body = format!(
        "mov.u32 %r9, 0; mov.u32 %r10, 0; mov.u32 %r6, tile;\n#5 LOOP: st.volatile.shared.u32 [%r6], %r10;\n{unused}\
         add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 1000; @%p1 bra LOOP;"
    );
    let [of_ptx, of_code] = [Count::Ptx, Count::MachineCode].map(|count| counted(&body, FULL, 64, count));
    let per_warp = |kernel: &Value, of: &str| kernel["instructions_per_warp"][of].as_f64();
    let all = per_warp(&of_ptx, "all").expect("a number");
    assert_eq!((all.round(), per_warp(&of_ptx, "machine_code")), (14_009.0, None));
    let executed = per_warp(&of_code, "machine_code").expect("a number");
    assert!((1000.0..4000.0).contains(&executed), "{executed}");
    let fewer = microseconds(&of_code, "issue") / microseconds(&of_ptx, "issue");
    assert!((fewer / (executed / all) - 1.0).abs() < 0.01, "{fewer} {executed} {all}");
}

const SMALL: &str = "mul.wide.u32 %rd2, %r1, 8; add.u64 %rd3, %rd1, %rd2;\n#7 ld.global.u32 %r6, [%rd3];\n\
    #8 st.shared.u32 [tile], %r6;\n#9 bar.sync 0;\n#10 red.global.add.u32 [%rd1], 1;";

#[test]
fn the_text_says_what_limits_a_kernel_and_where() {
    let folder = folder(&[("k.ptx", &ptx(SMALL))]);
    let output = command(
        folder.path(),
        &[
            "profile",
            "--gpu=a100",
            env!("CARGO_BIN_EXE_warpfold"),
            "launch-kernel",
            "--grid=2",
            "--block=64",
            "--argument=buffer:1024",
            "k.ptx",
        ],
    )
    .env("WARPFOLD_PTXAS", "none")
    .output()
    .expect("it starts");
    let said = text(&output.stderr);
    let expected = include_str!("profile/small.txt");
    assert_eq!(said, expected, "cli/tests/profile/small.txt is to be\n{said}");
}

/// Names come from the program: they are shown, and nothing of them is obeyed.
#[test]
fn the_page_is_one_file_that_runs_nothing_of_the_program() {
    let hostile = ptx(SMALL).replace("k.cu", "<script>alert(1)&.cu");
    let folder = folder(&[("k.ptx", &hostile)]);
    profile(folder.path(), &["--html", "page.html"], [2, 64], 1024, Count::MachineCode);
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;alert(1)&amp;.cu"), "{page}");
    for foreign in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign} in {page}");
    }
    for plot in ["Time by part", "Instructions of a warp", "Bytes in flight", "Blocks that fit"] {
        assert!(page.contains(plot), "{plot} in {page}");
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn reductions_are_profiled_in_their_own_process() {
    let folder = folder(&[("n.csv", "1\n2\n3\n")]);
    let run = |arguments: &[&str]| {
        let output = warpfold(folder.path(), arguments);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let reduce = ["reduce", "--op=sum", "--device=emulator"];
    let (status, printed, said) = run(&[&reduce[..], &["--profile", "n.csv"]].concat());
    assert_eq!((status, printed.trim()), (Some(0), "sum 6"), "{said}");
    assert!(said.starts_with("profile: 1 launch, ") && said.contains("registers (ptxas"), "{said}");
    let (status, ..) = run(&[&reduce[..], &["--profile=r.json", "n.csv"]].concat());
    let report = fs::read_to_string(folder.path().join("r.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!((status, &report["kernels"][0]["launches"]), (Some(0), &Value::from(1)));
    let (status, _, said) = run(&[&reduce[..], &["--profile", "--check", "n.csv"]].concat());
    assert_ne!(status, Some(0));
    assert!(said.contains("cannot be used with"), "{said}");
    let bench = ["bench", "--device=emulator", "--sizes=1000", "--types=i32", "--rounds=1"];
    let (status, _, said) = run(&[&bench[..], &["--profile"]].concat());
    assert!(status == Some(0) && said.contains("`warpfold_reduce`: 1 block of"), "{said}");
}

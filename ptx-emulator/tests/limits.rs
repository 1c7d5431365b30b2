//! Time and memory of loading are bounded by the length of the text, whatever it contains; those of a launch
//! by its options.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use ptx_emulator::{LaunchConfig, LaunchOptions, LoadError, Machine, MachineDescription, Program};

/// The most bytes of memory that loading takes for each byte of text, and in addition.
const FACTOR: usize = 96;
const BASE: usize = 1 << 20;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is passed on to the system's allocator unchanged; counting touches no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(LIVE.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller's promises are those of `System.alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(LIVE.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller's promises are those of `System.alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    // Large allocations grow in place, or their pages move: there are never two copies.
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), Relaxed);
        PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
        // SAFETY: the caller's promises are those of `System.realloc`.
        unsafe { System.realloc(old, layout, bytes) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are those of `System.dealloc`.
        unsafe { System.dealloc(old, layout) }
    }
}

/// The counters belong to the process: one test at a time.
static TURN: Mutex<()> = Mutex::new(());

/// Loads a text and compares the memory that this takes with the text's length.
fn load(what: &str, text: &[u8]) -> Result<Program, LoadError> {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let start = Instant::now();
    let result = Program::load("m", text);
    let (taken, time) = (PEAK.load(Relaxed) - before, start.elapsed());
    assert!(taken <= FACTOR * text.len() + BASE, "{what}: {taken} bytes for {} of text", text.len());
    // Far beyond what a busy machine needs; anything quadratic would take hours.
    assert!(time.as_secs() < 60, "{what}: {time:?}");
    if let Err(e) = &result {
        assert!(e.line > 0 && e.column > 0 && e.message.chars().count() < 400, "{what}: {e}");
    }
    result
}

const HEAD: &str = ".version 8.3\n.target sm_90\n.address_size 64\n";

fn kernel(body: &str) -> String {
    format!(
        "{HEAD}.visible .entry k()\n{{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n{body}\nret;\n}}\n"
    )
}

/// `unit`, repeated to a length of `bytes`.
fn much(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes / unit.len())
}

/// Numbered text.
fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

#[test]
fn the_longest_text() {
    let _turn = TURN.lock();
    let long = 32 << 20;
    for (what, text, message) in [
        ("blanks", much(" \n", long - HEAD.len()), ""),
        ("semicolons", much(";", long - HEAD.len()), ""),
        ("words", much("a ", long - HEAD.len()), "expected a declaration"),
        ("too long", much(" ", long), "longer than"),
    ] {
        check(what, &format!("{HEAD}{text}"), message);
    }
}

fn check(what: &str, text: &str, message: &str) {
    match load(what, text.as_bytes()) {
        Ok(_) => assert_eq!(message, "", "{what} was not rejected"),
        Err(e) => assert!(!message.is_empty() && e.message.contains(message), "{what}: {e}"),
    }
}

/// The shortest form of each construct, repeated to a few megabytes.
#[test]
fn dense_texts() {
    let _turn = TURN.lock();
    let m = 2 << 20;
    let enough = "too ";
    for (what, text, message) in [
        ("instructions", kernel(&much("ret;", m)), ""),
        ("operands", kernel(&format!("mov.b32 {};", much("a,", m))), "expected an operand"),
        ("names", kernel(&format!("mov.b32 {}a;", much("a,", m))), " operands, found"),
        ("numbers", kernel(&format!("mov.b32 {}1;", much("1,", m))), " operands, found"),
        ("vector", kernel(&format!("mov.b32 {{{}1}}, 1;", much("1,", m))), "not supported"),
        ("vectors", kernel(&format!("mov.b32 {}1;", much("{1},", m))), " operands, found"),
        ("scopes", kernel(&much("{}", m)), ""),
        ("scopes with registers", kernel(&much("{.reg .b32 %a;}", m)), enough),
        ("scopes with labels", kernel(&much("{a:}", m)), ""),
        ("registers", kernel(&many(1_000_000, |n| format!(".reg .b32 a{n};"))), enough),
        (
            "registers in one line",
            kernel(&format!(".reg .b32 a{};", many(1_000_000, |n| format!(",b{n}")))),
            enough,
        ),
        ("ranges", kernel(&many(100_000, |n| format!(".reg .b32 a{n}<9>;"))), ""),
        ("a range", kernel(".reg .b32 %q<4294967295>; mov.b32 %q99999999, 1;"), ""),
        ("labels", kernel(&many(1_000_000, |n| format!("a{n}:"))), ""),
        ("a table", kernel(&format!("a: t: .branchtargets {}a; brx.idx %r1, t;", much("a,", m))), ""),
        ("tables", kernel(&format!("a: {}", many(100_000, |n| format!("t{n}:.branchtargets a;")))), ""),
        ("prototypes", kernel(&many(100_000, |n| format!("t{n}:.callprototype _;"))), ""),
        ("positions", kernel(&many(300_000, |n| format!(".loc 1 {n} 1\nret;"))), ""),
        (
            "positions in a long name",
            format!(
                "{}.file 1 \"{}\"\n",
                kernel(&many(100_000, |n| format!(
                    ".loc 1 {n} 1, function_name s+{n}, inlined_at 1 {n} 2\nret;"
                ))),
                much("f", m)
            ),
            "",
        ),
        (
            "names in one string",
            format!(
                "{}.section .debug_str {{ s: .b8 {}0 }}\n",
                kernel(&many(100_000, |n| format!(
                    ".loc 1 1 1, function_name s+{n}, inlined_at 1 2 2\nret;"
                ))),
                much("65,", m)
            ),
            "",
        ),
        (
            "string labels",
            format!("{HEAD}.section .debug_str {{ {} }}", many(300_000, |n| format!("s{n}:"))),
            "",
        ),
        ("files", format!("{HEAD}{}", many(100_000, |n| format!(".file {n} \"\"\n"))), ""),
        ("bytes", format!("{HEAD}.global .b8 a[] = {{{}1}};", much("1,", 20 << 20)), ""),
        ("addresses", format!("{HEAD}.global .b64 a[] = {{{}a}};", much("a,", m)), ""),
        ("byte addresses", format!("{HEAD}.global .b8 a[] = {{{}1(a)}};", much("1(a),", m)), ""),
        ("variables", format!("{HEAD}{}", many(200_000, |n| format!(".global .b8 a{n};"))), ""),
        ("functions", format!("{HEAD}{}", many(100_000, |n| format!(".func a{n};"))), "too many functions"),
        ("bodies", format!("{HEAD}{}", many(16_000, |n| format!(".func a{n}{{}}"))), ""),
        ("kernels", format!("{HEAD}{}", many(16_000, |n| format!(".entry a{n}{{}}"))), ""),
        (
            "aliases",
            format!("{HEAD}.func f;{}", many(200_000, |n| format!(".alias a{n},f;"))),
            "not a function",
        ),
        (
            "declared aliases",
            format!("{HEAD}.func f{{}}{}", many(200_000, |n| format!(".func a{n};.alias a{n},f;"))),
            "",
        ),
        ("constants", kernel(&many(200_000, |n| format!("mov.b32 %r1,{n};"))), enough),
        (
            "parameters",
            format!("{HEAD}.entry k({}.param .b8 a){{}}", many(100_000, |n| format!(".param .b8 a{n},"))),
            "64 KiB",
        ),
        ("calls", kernel(&format!("call f,({}a);", much("a,", m))), "not declared"),
        ("nested braces", kernel(&much("{", m)), enough),
        ("closed braces", kernel(&format!("{}{}", much("{", m / 2), much("}", m / 2))), enough),
        ("a long name", kernel(&format!(".reg .b32 {};", much("a", m))), ""),
        ("a long unknown name", kernel(&format!("mov.b32 %r1, {};", much("a", m))), "is not"),
        ("a long opcode", kernel(&format!("{} %r1;", much("a.", m))), "not supported"),
        ("a long number", kernel(&format!("mov.b32 %r1, {};", much("9", m))), "is not a number"),
        ("a long string", format!("{HEAD}.file 1 \"{}\"", much("a", m)), ""),
        ("pragmas", format!("{HEAD}{}", much(".pragma \"\";", m)), ""),
        ("sections", format!("{HEAD}{}", much(".section a{}", m)), ""),
        ("guards", kernel(&much("@%p1 ret;", m)), ""),
        ("declared again", format!("{HEAD}{}", much(".func f;", m)), ""),
    ] {
        check(what, &text, message);
    }
}

/// Sizes near the ends of their types.
#[test]
fn extreme_sizes() {
    let _turn = TURN.lock();
    let global = |text: &str| format!("{HEAD}{text}");
    for (what, text, message) in [
        ("array", global(".global .b8 a[18446744073709551615];"), "is larger than"),
        ("array of arrays", global(".global .b8 a[4294967296][4294967296];"), "is larger than"),
        ("array that wraps", global(".global .b64 a[2305843009213693952];"), "is larger than"),
        ("empty array", global(".global .b8 a[0];"), ""),
        ("alignment", global(".global .align 2147483648 .b8 a;"), "power of two"),
        ("alignment of zero", global(".global .align 0 .b8 a;"), "power of two"),
        ("shared", global(".shared .b8 a[4294967296];"), "is larger than"),
        (
            "shared sums",
            global(&many(64, |n| format!(".shared .b8 a{n}[1000000];"))),
            "too much shared memory",
        ),
        ("parameter", global(".entry k(.param .b8 a[4294967296]) { ret; }"), "is larger than"),
        ("function parameter", global(".func k(.param .b8 a[1073741824]) { ret; }"), "64 KiB"),
        ("no threads", global(".entry k() .maxntid 0 { ret; }"), "at least one thread"),
        ("no required threads", global(".entry k() .reqntid 0, 1, 1 { ret; }"), "at least one thread"),
        ("many threads", global(".entry k() .maxntid 4294967295, 4294967295, 4294967295 { ret; }"), ""),
        ("local", kernel(".local .b8 a[1073741824];"), "local memory"),
        ("locals", kernel(&many(3000, |n| format!(".local .b8 a{n}[1000];"))), "local memory"),
        ("version", HEAD.replace("8.3", "99.9"), "99.9"),
        ("version of words", HEAD.replace("8.3", "new"), "needs a number"),
        ("target", HEAD.replace("sm_90", "sm_4294967296"), "does not name an sm_"),
        ("line", kernel(".loc 4294967296 4294967296 4294967296\nret;"), ""),
    ] {
        check(what, &text, message);
    }
}

#[test]
fn bytes_that_are_not_text() {
    let _turn = TURN.lock();
    let whole = kernel("mov.b32 %r1, 1;");
    assert!(load("line ends", whole.replace('\n', "\r\n").as_bytes()).is_ok());
    let e = load("bad bytes", b".version 8.3\n.target sm_90\n\xff\xfe").expect_err("no text");
    assert_eq!((e.line, e.column), (3, 1), "{e}");
    let mut bad = whole.clone().into_bytes();
    bad.truncate(bad.len() - 3);
    bad.extend(vec![0xff; 4 << 20]);
    assert!(load("many bad bytes", &bad).is_err());
    // A NUL ends the text; what follows is not read.
    let mut tail = whole.clone().into_bytes();
    tail.extend(b"\0\xff}}}");
    assert!(load("a tail", &tail).is_ok());
    let e = load("nothing", b"").expect_err("nothing");
    assert_eq!((e.line, e.column), (1, 1));
    for length in 0..whole.len() - 2 {
        let _ = load("a part", &whole.as_bytes()[..length]);
    }
}

/// Runs the only kernel with one thread and little memory; returns the launch's fault, if any.
fn run(body: &str) -> String {
    let program = match Program::load("m", body.as_bytes()) {
        Ok(program) => Arc::new(program),
        Err(e) => return e.to_string(),
    };
    let mut machine =
        Machine::new(MachineDescription { memory_bytes: 16 << 20, ..MachineDescription::h200() });
    let module = machine.load(&program).expect("the program fits");
    let kernel = program.kernels().last().expect("a kernel");
    let params = vec![0; kernel.param_bytes as usize];
    let options = LaunchOptions { step_limit: 1_000_000, ..LaunchOptions::default() };
    match machine.launch(&module, &kernel.name, &LaunchConfig::linear(1, 1), &params, &options) {
        Ok(_) => "ok".into(),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn launches() {
    let _turn = TURN.lock();
    let cycle = ".func g; .func f { call g; ret; } .func g { call f; ret; }";
    let registers = many(3000, |n| format!("mov.b64 %rd{n}, {n};"));
    for (what, text, says) in [
        ("call cycle", format!("{HEAD}{cycle} .entry k {{ call f; ret; }}"), "calls are nested"),
        (
            "call cycle with registers",
            format!(
                "{HEAD}.func f {{ .reg .b64 %rd<3000>; {registers} call f; }} .entry k {{ call f; ret; }}"
            ),
            "limit of",
        ),
        ("alloca", kernel("alloca.u64 %rd1, 9223372036854775808; ret;"), "local memory"),
        ("alloca of all", kernel("alloca.u64 %rd1, 18446744073709551615; ret;"), "local memory"),
        ("allocas", kernel("$l: alloca.u64 %rd1, 4096; bra $l;"), "local memory"),
        ("a loop", kernel("$l: bra $l;"), "limit"),
        ("address", kernel("mov.b64 %rd1, -1; ld.b64 %rd2, [%rd1];"), "8 bytes"),
        (
            "offset",
            kernel("mov.b64 %rd1, -1; ld.v2.b64 {%rd2, %rd3}, [%rd1+9223372036854775807];"),
            "16 bytes",
        ),
    ] {
        let before = LIVE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let said = run(&text);
        let taken = PEAK.load(Relaxed) - before;
        assert!(said.contains(says), "{what}: {said}");
        assert!(taken < 5 << 30, "{what}: {taken} bytes");
    }
}

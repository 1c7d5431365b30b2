//! System calls: `vprintf`, `malloc`, `free`, `__assertfail`.

use std::ffi::CString;
use std::sync::Arc;

use ptx_emulator::{
    FaultKind, LaunchConfig, LaunchOptions, LoadedModule, Machine, MachineDescription, Program,
};

const PTX: &str = r#"
.version 8.3
.target sm_90
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 address);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c) .noreturn;

.visible .func (.param .b32 r) own(.param .b64 format, .param .b64 arguments) {
    .reg .b32 %r<2>;
    mov.b32 %r1, 77;
    st.param.b32 [r], %r1;
    ret;
}

.visible .entry print(.param .u64 format, .param .u64 arguments, .param .u64 result) {
    .reg .b64 %rd<4>; .reg .b32 %r<3>;
    ld.param.b64 %rd1, [format];
    ld.param.b64 %rd2, [arguments];
    ld.param.b64 %rd3, [result];
    {
    .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd1;
    st.param.b64 [b], %rd2;
    call.uni (c), vprintf, (a, b);
    ld.param.b32 %r1, [c];
    }
    st.global.b32 [%rd3], %r1;
    ret;
}

.global .align 1 .b8 hello[18] = {98,108,111,99,107,32,37,100,32,108,97,110,101,32,37,115,10,0};
.shared .align 1 .b8 word[4];

// printf("block %d lane %s\n", ctaid, word) with the arguments in local memory and the word in shared memory,
// by the function whose address is taken.
.visible .entry print_spaces() {
    .local .align 8 .b8 depot[16];
    .reg .b64 %rd<6>; .reg .b32 %r<6>; .reg .b16 %h<2>; .reg .pred %p<2>;
    mov.u32 %r1, %tid.x;
    setp.ne.u32 %p1, %r1, 0;
    mov.u64 %rd1, word;
    @%p1 bra $wait;
    mov.b16 %h1, 104;
    st.shared.b8 [word], %h1;
    mov.b16 %h1, 105;
    st.shared.b8 [word+1], %h1;
    mov.b16 %h1, 0;
    st.shared.b8 [word+2], %h1;
$wait:
    bar.sync 0;
    mov.u32 %r2, %ctaid.x;
    mov.u64 %rd2, depot;
    st.local.b32 [%rd2], %r2;
    cvta.shared.u64 %rd1, %rd1;
    st.local.b64 [%rd2+8], %rd1;
    cvta.local.u64 %rd3, %rd2;
    mov.u64 %rd4, hello;
    cvta.global.u64 %rd4, %rd4;
    mov.u64 %rd5, vprintf;
    {
    .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd4;
    st.param.b64 [b], %rd3;
    proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _);
    call (c), %rd5, (a, b), proto;
    }
    ret;
}

// Each thread: rounds times malloc(8 + 8 * tid) into slots[thread], fill with the thread's number, check,
// free.
.visible .entry heap(.param .u32 rounds, .param .u64 bad) {
    .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<4>;
    ld.param.b32 %r1, [rounds];
    ld.param.b64 %rd8, [bad];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mad.lo.s32 %r5, %r3, %r4, %r2;
    cvt.u64.u32 %rd1, %r5;
    shl.b64 %rd2, %rd1, 3;
    add.s64 %rd2, %rd2, 8;
$again:
    {
    .param .b64 a; .param .b64 r;
    st.param.b64 [a], %rd2;
    call.uni (r), malloc, (a);
    ld.param.b64 %rd3, [r];
    }
    setp.eq.s64 %p1, %rd3, 0;
    @%p1 bra $none;
    add.s64 %rd4, %rd3, %rd2;
    mov.b64 %rd5, %rd3;
$fill:
    st.b64 [%rd5], %rd1;
    add.s64 %rd5, %rd5, 8;
    setp.lt.u64 %p2, %rd5, %rd4;
    @%p2 bra $fill;
    mov.b64 %rd5, %rd3;
$check:
    ld.b64 %rd6, [%rd5];
    setp.eq.s64 %p3, %rd6, %rd1;
    @!%p3 red.global.add.u32 [%rd8], 1;
    add.s64 %rd5, %rd5, 8;
    setp.lt.u64 %p2, %rd5, %rd4;
    @%p2 bra $check;
    {
    .param .b64 a;
    st.param.b64 [a], %rd3;
    call.uni free, (a);
    }
$next:
    sub.s32 %r1, %r1, 1;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra $again;
    ret;
$none:
    red.global.add.u32 [%rd8+4], 1;
    bra $next;
}

.visible .entry take(.param .u64 bytes, .param .u64 out) {
    .reg .b64 %rd<4>;
    ld.param.b64 %rd1, [bytes];
    ld.param.b64 %rd2, [out];
    {
    .param .b64 a; .param .b64 r;
    st.param.b64 [a], %rd1;
    call.uni (r), malloc, (a);
    ld.param.b64 %rd3, [r];
    }
    st.global.b64 [%rd2], %rd3;
    ret;
}

.visible .entry give(.param .u64 address) {
    .reg .b64 %rd<4>;
    ld.param.b64 %rd1, [address];
    {
    .param .b64 a;
    st.param.b64 [a], %rd1;
    call.uni free, (a);
    }
    ret;
}

.visible .entry touch(.param .u64 address) {
    .reg .b64 %rd<4>;
    ld.param.b64 %rd1, [address];
    ld.b64 %rd2, [%rd1];
    ret;
}

.global .align 1 .b8 file[4] = {97,46,99,0};
.visible .entry fail(.param .u32 who) {
    .reg .b64 %rd<6>; .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.b32 %r1, [who];
    mov.u32 %r2, %tid.x;
    setp.ne.u32 %p1, %r1, %r2;
    @%p1 ret;
    mov.u64 %rd2, file;
    cvta.global.u64 %rd2, %rd2;
    {
    .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 c;
    st.param.b64 [m], %rd2;
    st.param.b64 [f], %rd2;
    st.param.b32 [l], 12;
    st.param.b64 [n], 0;
    st.param.b64 [c], 1;
    call.uni __assertfail, (m, f, l, n, c);
    }
    trap;
}
"#;

fn load(ptx: &str) -> (Machine, LoadedModule) {
    let program = Arc::new(Program::load("system.ptx", ptx.as_bytes()).expect("it is right"));
    let machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program).expect("it fits");
    (machine, module)
}

fn launch(
    machine: &mut Machine,
    module: &LoadedModule,
    kernel: &str,
    shape: (u32, u32),
    params: &[u8],
    seed: Option<u64>,
) -> Result<(), FaultKind> {
    let options = LaunchOptions { seed, ..LaunchOptions::default() };
    let config = LaunchConfig::linear(shape.0, shape.1);
    machine.launch(module, kernel, &config, params, &options).map(drop).map_err(|fault| fault.kind)
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// A random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// An argument of a conversion.
#[derive(Clone, Debug)]
enum Value {
    Int(i32),
    Long(i64),
    Double(f64),
    Text(CString),
    Pointer(u64),
}

/// One conversion, formatted by the host's `snprintf`.
fn host(format: &CString, stars: &[i32], value: &Value) -> Vec<u8> {
    let mut out = vec![0u8; 1 << 17];
    let at = out.as_mut_ptr().cast();
    let size = out.len();
    macro_rules! print {
        ($value:expr) => {
            // SAFETY: the buffer has the size given, the format ends with NUL, and the arguments are those
            // that its conversion takes.
            unsafe {
                match *stars {
                    [] => libc::snprintf(at, size, format.as_ptr(), $value),
                    [a] => libc::snprintf(at, size, format.as_ptr(), a, $value),
                    [a, b] => libc::snprintf(at, size, format.as_ptr(), a, b, $value),
                    _ => panic!("at most two"),
                }
            }
        };
    }
    let length = match value {
        Value::Int(v) => print!(*v),
        Value::Long(v) => print!(*v),
        Value::Double(v) => print!(*v),
        Value::Text(v) => print!(v.as_ptr()),
        Value::Pointer(v) => print!(*v),
    };
    let length = usize::try_from(length).expect("the format is right");
    assert!(length < size, "{format:?}");
    out.truncate(length);
    out
}

fn random_double(random: &mut Random) -> f64 {
    match random.below(6) {
        0 => f64::from_bits(random.next()),
        1 => random.pick(&[0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 1e-5, 999999.5, 1e100, f64::NAN, -f64::NAN]),
        2 => random.pick(&[f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, 5e-324, f64::MAX]),
        3 => (random.below(2_000_001) as f64 - 1e6) / 8.0,
        4 => (random.below(200_001) as f64 - 1e5) / 1000.0,
        _ => f64::from_bits(random.next() & 0x000f_ffff_ffff_ffff),
    }
}

#[test]
fn printf_formats_as_the_host_does() {
    let (mut machine, module) = load(PTX);
    let format_at = machine.alloc(4096).expect("memory");
    let arguments_at = machine.alloc(4096).expect("memory");
    let texts_at = machine.alloc(4096).expect("memory");
    let result_at = machine.alloc(4).expect("memory");
    let mut random = Random(1);
    for round in 0..6000 {
        let (mut format, mut arguments, mut texts, mut wanted) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut count = 0;
        for _ in 0..=random.below(3) {
            let mut spec = "%".to_owned();
            for flag in ["-", "+", " ", "#", "0"] {
                if random.below(4) == 0 {
                    spec += flag;
                }
            }
            let mut stars = Vec::new();
            match random.below(4) {
                0 => spec += &random.below(40).to_string(),
                1 if random.below(2) == 0 => {
                    spec += "*";
                    stars.push(random.below(61) as i32 - 30);
                }
                _ => {}
            }
            match random.below(4) {
                0 => spec += &format!(".{}", random.below(30)),
                1 if random.below(2) == 0 => {
                    spec += ".*";
                    stars.push(random.below(40) as i32 - 5);
                }
                2 if random.below(4) == 0 => spec += ".",
                _ => {}
            }
            let word = random.next() >> random.below(64);
            let (tail, value) = match random.below(8) {
                0 | 1 => {
                    let length = random.pick(&["", "h", "hh"]);
                    (
                        format!("{length}{}", random.pick(&["d", "i", "u", "x", "X", "o"])),
                        Value::Int(word as i32),
                    )
                }
                2 => {
                    let length = random.pick(&["l", "ll", "z", "t", "j"]);
                    (
                        format!("{length}{}", random.pick(&["d", "i", "u", "x", "X", "o"])),
                        Value::Long(word as i64),
                    )
                }
                3 => ("c".into(), Value::Int(1 + (word % 127) as i32)),
                4 => {
                    let text = (0..random.below(20)).map(|_| 1 + random.below(255) as u8).collect::<Vec<_>>();
                    ("s".into(), Value::Text(CString::new(text).expect("no NUL")))
                }
                5 => ("p".into(), Value::Pointer(word)),
                _ => {
                    let conversion = random.pick(&["f", "F", "e", "E", "g", "G", "a", "A"]);
                    (conversion.into(), Value::Double(random_double(&mut random)))
                }
            };
            // glibc 2.36 writes `1.E+06` for `%#G` of 999999.5, where rounding adds a digit.
            if tail == "g" || tail == "G" {
                spec = spec.replace('#', "");
            }
            spec += &tail;
            wanted.extend(host(&CString::new(spec.clone()).expect("no NUL"), &stars, &value));
            count += 1 + stars.len() as i32;
            for star in stars {
                arguments.resize(arguments.len().next_multiple_of(4), 0xee);
                arguments.extend(star.to_le_bytes());
            }
            if let Value::Int(v) = value {
                arguments.resize(arguments.len().next_multiple_of(4), 0xee);
                arguments.extend(v.to_le_bytes());
            } else {
                arguments.resize(arguments.len().next_multiple_of(8), 0xee);
                arguments.extend(match &value {
                    Value::Long(v) => v.to_le_bytes(),
                    Value::Double(v) => v.to_le_bytes(),
                    Value::Pointer(v) => v.to_le_bytes(),
                    Value::Text(_) => (texts_at + texts.len() as u64).to_le_bytes(),
                    Value::Int(_) => unreachable!(),
                });
            }
            if let Value::Text(text) = &value {
                texts.extend_from_slice(text.as_bytes_with_nul());
            }
            format.extend(spec.as_bytes());
            if random.below(2) == 0 {
                format.extend(b" 100%% ");
                wanted.extend(b" 100% ");
            }
        }
        let shown = String::from_utf8_lossy(&format).into_owned();
        format.push(0);
        machine.write(format_at, &format).expect("it fits");
        machine.write(arguments_at, &arguments).expect("it fits");
        machine.write(texts_at, &texts).expect("it fits");
        let params = words(&[format_at, arguments_at, result_at]);
        launch(&mut machine, &module, "print", (1, 1), &params, None).expect("it prints");
        let output = machine.take_output();
        assert_eq!(
            String::from_utf8_lossy(&output.text),
            String::from_utf8_lossy(&wanted),
            "round {round}: {shown} with {arguments:02x?}"
        );
        assert_eq!((output.text, output.dropped), (wanted, 0), "round {round}: {shown}");
        let mut result = [0; 4];
        machine.read(result_at, &mut result).expect("it is there");
        assert_eq!(i32::from_le_bytes(result), count, "round {round}: {shown}");
    }
}

/// Rust's own formatting rejects some of these.
#[test]
fn the_greatest_precisions_and_widths_print_as_on_the_host() {
    let (mut machine, module) = load(PTX);
    let at = [
        machine.alloc(64).expect("memory"),
        machine.alloc(8).expect("memory"),
        machine.alloc(4).expect("memory"),
    ];
    for value in [0.0, -1.5, 0.00015, 2.5e300, 5e-324, f64::MAX, f64::INFINITY] {
        for conversion in ["f", "e", "g", "#g", "a"] {
            for number in [1099, 1100, 1101, 65532, 65533, 65534, 65535] {
                let (flag, letter) = conversion.split_at(conversion.len() - 1);
                for spec in [format!("%{flag}.{number}{letter}"), format!("%{flag}{number}.{number}{letter}")]
                {
                    let format = CString::new(spec.clone()).expect("no NUL");
                    machine.write(at[0], format.as_bytes_with_nul()).expect("it fits");
                    machine.write(at[1], &value.to_le_bytes()).expect("it fits");
                    launch(&mut machine, &module, "print", (1, 1), &words(&at), None).expect("it prints");
                    let wanted = host(&format, &[], &Value::Double(value));
                    assert!(machine.take_output().text == wanted, "{spec} of {value}");
                }
            }
        }
    }
}

/// Prints one format with zeros as arguments.
fn print(format: &[u8]) -> (Vec<u8>, i32) {
    let (mut machine, module) = load(PTX);
    let format_at = machine.alloc(format.len() as u64).expect("memory");
    machine.write(format_at, format).expect("it fits");
    let arguments_at = machine.alloc(4096).expect("memory");
    let result_at = machine.alloc(4).expect("memory");
    let params = words(&[format_at, arguments_at, result_at]);
    launch(&mut machine, &module, "print", (1, 1), &params, None).expect("it prints");
    let mut result = [0; 4];
    machine.read(result_at, &mut result).expect("it is there");
    (machine.take_output().text, i32::from_le_bytes(result))
}

#[test]
fn unusual_formats() {
    assert_eq!(print(b"\0"), (b"".to_vec(), 0));
    assert_eq!(print(b"%s|%.3s|%p\0"), (b"(null)||(nil)".to_vec(), 3));
    // An unknown conversion is printed as text.
    assert_eq!(print(b"%y %\0"), (b"%y %".to_vec(), 0));
    assert_eq!(print(b"%n%d\0"), (b"%n0".to_vec(), 1));
    // From the 33rd argument on, conversions are text.
    let (text, count) = print(&[b"%d".repeat(33), vec![0]].concat());
    assert_eq!((text, count), ([b"0".repeat(32), b"%d".to_vec()].concat(), 32));
    assert_eq!(print(b"%#g|%#.0e|%#.0f|%#x\0"), (b"0.00000|0.e+00|0.|0".to_vec(), 4));
    // Extreme widths are bounded.
    assert_eq!(print(b"%99999999999d\0").0.len(), 65535);
    assert_eq!(print(&[b"%65535d".repeat(32), vec![0]].concat()).0.len(), 1 << 20);
}

#[test]
fn no_format_is_an_error_code_and_bad_ones_are_faults() {
    let (mut machine, module) = load(PTX);
    let result_at = machine.alloc(4).expect("memory");
    launch(&mut machine, &module, "print", (1, 1), &words(&[0, 0, result_at]), None).expect("it runs");
    let mut result = [0; 4];
    machine.read(result_at, &mut result).expect("it is there");
    assert_eq!(i32::from_le_bytes(result), -1);
    // A format without its NUL.
    let at = machine.alloc(3).expect("memory");
    machine.write(at, b"abc").expect("it fits");
    let fault = launch(&mut machine, &module, "print", (1, 1), &words(&[at, 0, result_at]), None);
    assert!(matches!(fault, Err(FaultKind::OutOfBounds(_))), "{fault:?}");
}

#[test]
fn arguments_may_lie_in_any_space() {
    for seed in [None, Some(1), Some(2)] {
        let (mut machine, module) = load(PTX);
        launch(&mut machine, &module, "print_spaces", (2, 3), &[], seed).expect("it prints");
        let text = String::from_utf8(machine.take_output().text).expect("it is ASCII");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines.concat(), ["block 0 lane hi".repeat(3), "block 1 lane hi".repeat(3)].concat());
    }
}

#[test]
fn the_oldest_output_is_dropped() {
    let (mut machine, module) = load(PTX);
    machine.set_output_limit(1000);
    launch(&mut machine, &module, "print_spaces", (1000, 1), &[], None).expect("it prints");
    let output = machine.take_output();
    assert!(output.text.ends_with(b"block 999 lane hi\n"), "{output:?}");
    assert_eq!(output.dropped as usize + output.text.iter().filter(|&&b| b == b'\n').count(), 1000);
    assert!(output.text.len() < 1000);
}

#[test]
fn a_program_s_own_definition_takes_precedence() {
    let own = PTX
        .replace(".extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);", "")
        .replace(") own(", ") vprintf(");
    let (mut machine, module) = load(&own);
    let result_at = machine.alloc(4).expect("memory");
    launch(&mut machine, &module, "print", (1, 1), &words(&[0, 0, result_at]), None).expect("it runs");
    let mut result = [0; 4];
    machine.read(result_at, &mut result).expect("it is there");
    assert_eq!(i32::from_le_bytes(result), 77);
    assert_eq!(machine.take_output().text, b"");
}

#[test]
fn system_calls_with_other_parameters_are_rejected() {
    let text = PTX.replace("malloc(.param .b64 bytes)", "malloc(.param .b32 bytes)");
    let error = Program::load("m", text.as_bytes()).expect_err("a parameter is too small").to_string();
    assert!(
        error.contains("m:6:") && error.contains("the system call `malloc` has other parameters"),
        "{error}"
    );
}

#[test]
fn heap_under_load() {
    for seed in 0..24 {
        let (mut machine, module) = load(PTX);
        let bad = machine.alloc(8).expect("memory");
        let used = machine.memory_usage().0;
        let params = [[5, 0, 0, 0, 0, 0, 0, 0].to_vec(), words(&[bad])].concat();
        launch(&mut machine, &module, "heap", (6, 45), &params, Some(seed)).expect("it runs");
        let mut counts = [0; 8];
        machine.read(bad, &mut counts).expect("it is there");
        assert_eq!(counts, [0; 8], "wrong contents, failed allocations with seed {seed}");
        assert_eq!(machine.heap_usage(), (0, 8 << 20));
        assert_eq!(machine.memory_usage().0, used);
        // On a heap that is too small for all at once some allocations fail, and it is empty again
        // afterwards.
        machine.set_heap_limit(4096);
        launch(&mut machine, &module, "heap", (6, 45), &params, Some(seed)).expect("it runs");
        machine.read(bad, &mut counts).expect("it is there");
        assert_eq!(counts[..4], [0; 4]);
        assert_eq!(machine.heap_usage(), (0, 4096));
    }
}

#[test]
fn heap_ends_and_lives_on() {
    let (mut machine, module) = load(PTX);
    let out = machine.alloc(8).expect("memory");
    let take = |machine: &mut Machine, bytes: u64| {
        launch(machine, &module, "take", (1, 1), &words(&[bytes, out]), None).expect("it runs");
        let mut address = [0; 8];
        machine.read(out, &mut address).expect("it is there");
        u64::from_le_bytes(address)
    };
    assert_eq!(take(&mut machine, (8 << 20) + 1), 0);
    assert_eq!(take(&mut machine, u64::MAX), 0);
    let all = take(&mut machine, 8 << 20);
    assert!(all != 0 && all % 16 == 0);
    assert_eq!(take(&mut machine, 1), 0);
    // Another launch can access it up to its last byte, and no further; the host cannot free it.
    let end = all + (8 << 20);
    launch(&mut machine, &module, "touch", (1, 1), &words(&[end - 8]), None).expect("it lives on");
    let fault = launch(&mut machine, &module, "touch", (1, 1), &words(&[end]), None);
    assert!(matches!(fault, Err(FaultKind::OutOfBounds(_))), "{fault:?}");
    assert!(machine.free(all).is_err());

    launch(&mut machine, &module, "give", (1, 1), &words(&[all]), None).expect("it is freed");
    let fault = launch(&mut machine, &module, "touch", (1, 1), &words(&[all]), None);
    assert!(matches!(&fault, Err(FaultKind::UseAfterFree(text)) if text.contains("were freed")), "{fault:?}");
    launch(&mut machine, &module, "give", (1, 1), &words(&[0]), None).expect("null may be freed");
    for wrong in [all, out, 12345, all + 16] {
        let fault = launch(&mut machine, &module, "give", (1, 1), &words(&[wrong]), None);
        assert!(matches!(&fault, Err(FaultKind::BadFree(text)) if text.contains("`free` of")), "{fault:?}");
    }
    take(&mut machine, 100);
    assert_eq!(machine.heap_usage().0, 112);
    machine.clear_heap();
    assert_eq!(machine.heap_usage().0, 0);
}

#[test]
fn assertions() {
    let (mut machine, module) = load(PTX);
    launch(&mut machine, &module, "fail", (2, 8), &[9, 0, 0, 0], None).expect("no assertion fails");
    let fault = launch(&mut machine, &module, "fail", (2, 8), &[5, 0, 0, 0], None);
    let text = "a.c:12: ?: block: [0,0,0], thread: [5,0,0] Assertion `a.c` failed.";
    assert_eq!(fault, Err(FaultKind::Assertion(text.into())));
}

#[test]
fn heap_allocations_are_tracked_on_request() {
    let (mut machine, module) = load(PTX);
    let out = machine.alloc(8).expect("memory");
    let take = |machine: &mut Machine, bytes| {
        let params = words(&[bytes, out]);
        launch(machine, &module, "take", (1, 1), &params, None).expect("it runs");
        let mut address = [0; 8];
        machine.read(out, &mut address).expect("it is there");
        u64::from_le_bytes(address)
    };
    take(&mut machine, 24);
    assert_eq!(machine.heap_allocations(), []);
    machine.track_heap_allocations(true);
    let (first, second) = (take(&mut machine, 100), take(&mut machine, 7));
    let blocks = machine.heap_allocations();
    let known: Vec<_> = blocks.iter().map(|b| (b.address, b.bytes, &b.kernel[..])).collect();
    assert_eq!(known, [(first, 100, "take"), (second, 7, "take")]);
    let text = blocks[0].to_string();
    assert!(text.contains("block (0,0,0) thread (0,0,0) of kernel take"), "{text}");
    assert!(text.contains("in `take`: call.uni (r), malloc, (a);"), "{text}");

    launch(&mut machine, &module, "give", (1, 1), &words(&[first]), None).expect("it is freed");
    assert_eq!(machine.heap_allocations().len(), 1);
    assert_eq!(machine.clone().heap_allocations(), machine.heap_allocations());
    machine.clear_heap();
    assert_eq!(machine.heap_allocations(), []);
    take(&mut machine, 8);
    machine.track_heap_allocations(false);
    assert_eq!(machine.heap_allocations(), []);
    // An allocation that fails is not tracked.
    machine.track_heap_allocations(true);
    assert_eq!(take(&mut machine, 1 << 30), 0);
    assert_eq!(machine.heap_allocations(), []);
}

/// A kernel that prints one format for ever, with zeros as arguments.
const PRINT_FOR_EVER: &str = "
.version 8.3
.target sm_90
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.visible .entry print(.param .u64 format, .param .u64 arguments) {
    .reg .b64 %rd<3>;
    ld.param.b64 %rd1, [format];
    ld.param.b64 %rd2, [arguments];
$again:
    {
    .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd1;
    st.param.b64 [b], %rd2;
    call.uni (c), vprintf, (a, b);
    }
    bra $again;
}
";

/// How often a format is printed within 10 000 steps.
fn prints_within_limit(format: &[u8], argument: u64, jobs: u32) -> u64 {
    let (mut machine, module) = load(PRINT_FOR_EVER);
    machine.set_output_limit(0);
    let format_at = machine.alloc(format.len() as u64).expect("memory");
    machine.write(format_at, format).expect("it fits");
    let arguments_at = machine.alloc(256).expect("memory");
    machine.write(arguments_at, &words(&[argument; 32])).expect("it fits");
    let options = LaunchOptions { step_limit: 10_000, jobs, ..LaunchOptions::default() };
    let params = words(&[format_at, arguments_at]);
    let fault = machine
        .launch(&module, "print", &LaunchConfig::linear(2, 1), &params, &options)
        .expect_err("it never ends by itself");
    assert_eq!(fault.kind, FaultKind::StepLimit(10_000));
    let output = machine.take_output();
    output.dropped + u64::from(!output.text.is_empty())
}

#[test]
fn what_a_call_of_printf_costs_counts_as_steps() {
    let tiny = 1e-300f64.to_bits();
    for jobs in [1, 2] {
        // Four instructions for each call.
        assert!(prints_within_limit(b"%d\n\0", 0, jobs) > 2000);
        // A megabyte of output, of format, and of digits that are not printed.
        for (format, argument) in [
            ([b"%65535d".repeat(32), vec![0]].concat(), 0),
            (vec![b'a'; 1 << 20], 0),
            ([b"%.65535g".repeat(32), vec![0]].concat(), tiny),
        ] {
            let mut format = format;
            format.push(0);
            let calls = prints_within_limit(&format, argument, jobs);
            assert!((1..=4).contains(&calls), "{calls} calls");
        }
    }
}

/// Steps that a job has not taken yet are there for output, too.
#[test]
fn jobs_share_the_steps_that_output_costs() {
    let (mut machine, module) = load(PTX);
    let options = LaunchOptions { step_limit: 1 << 20, jobs: 2, ..LaunchOptions::default() };
    let format = [b"%65535d".repeat(16), vec![0]].concat();
    let format_at = machine.alloc(format.len() as u64).expect("memory");
    machine.write(format_at, &format).expect("it fits");
    let arguments_at = machine.alloc(256).expect("memory");
    let result_at = machine.alloc(4).expect("memory");
    let params = words(&[format_at, arguments_at, result_at]);
    let config = LaunchConfig::linear(32, 1);
    machine.launch(&module, "print", &config, &params, &options).expect("32 MiB cost half of the steps");
    assert_eq!(machine.take_output().text.len(), 32 * 16 * 65535);
}

//! Programs of several PTX texts. What is expected is what nvlink 13.5 does with the same texts, unless a
//! comment says otherwise.

use std::sync::Arc;

use ptx_emulator::{
    LaunchConfig, LaunchOptions, LoadError, Machine, MachineDescription, Program, split_units,
};

const HEAD: &str = ".version 8.3\n.target sm_90\n.address_size 64\n";

/// Links texts without their head, named `a`, `b`, ….
fn link(texts: &[&str]) -> Result<Program, LoadError> {
    let texts: Vec<String> = texts.iter().map(|t| format!("{HEAD}{t}")).collect();
    let names = ["a", "b", "c", "d"];
    let named: Vec<_> = names.iter().copied().zip(texts.iter().map(|t| t.as_bytes())).collect();
    Program::link("program", &named)
}

/// Runs a kernel with one parameter, the address of 16 words, and returns these.
fn run(program: &Arc<Program>, kernel: &str, config: LaunchConfig) -> [u32; 16] {
    run_with(program, kernel, config, &[], None)
}

fn run_with(
    program: &Arc<Program>,
    kernel: &str,
    config: LaunchConfig,
    more: &[u8],
    seed: Option<u64>,
) -> [u32; 16] {
    let mut machine = Machine::new(MachineDescription::h200());
    let module = machine.load(program).expect("it fits");
    let out = machine.alloc(64).expect("memory");
    let params = [&out.to_le_bytes(), more].concat();
    let options = LaunchOptions { seed, ..LaunchOptions::default() };
    machine.launch(&module, kernel, &config, &params, &options).unwrap_or_else(|fault| panic!("{fault}"));
    let mut bytes = [0; 64];
    machine.read(out, &mut bytes).expect("it is there");
    std::array::from_fn(|i| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four bytes")))
}

/// Two translation units of C++ that use each other's functions, variables, pointers and shared memory.
#[test]
fn two_files_compiled_by_clang() {
    let units = [
        [include_str!("link/one_O0.ptx"), include_str!("link/two_O0.ptx")],
        [include_str!("link/one_O2.ptx"), include_str!("link/two_O2.ptx")],
    ];
    for (one, two) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let one = ("one", units[one][0].as_bytes());
        let two = ("two", units[two][1].as_bytes());
        for texts in [vec![one, two], vec![two, one], vec![one, two, one, two]] {
            let program = Arc::new(Program::link("both", &texts).unwrap_or_else(|e| panic!("{e}")));
            let config = LaunchConfig::linear(1, 1);
            for seed in [None, Some(3)] {
                let first = run_with(&program, "first", config, &5u32.to_le_bytes(), seed);
                assert_eq!(
                    first[..9].iter().map(|&w| w as i32).collect::<Vec<_>>(),
                    [10, 30, 5 - 1000, 2 + 50, 2, 16, 1005 + 100, 5, 30]
                );
                let second = run_with(&program, "second", config, &5u32.to_le_bytes(), seed);
                assert_eq!(
                    second[..6].iter().map(|&w| w as i32).collect::<Vec<_>>(),
                    [1005, 20, 16 + 5 - 1000, 500, 7, 2]
                );
            }
        }
    }
}

/// A kernel that returns the first word of `name`, in a state space.
fn reads(kernel: &str, space: &str, name: &str) -> String {
    format!(
        ".visible .entry {kernel}(.param .u64 out) {{ .reg .b32 %r; .reg .b64 %d; ld.param.b64 %d, [out]; \
         ld.{space}.b32 %r, [{name}]; st.global.b32 [%d], %r; ret; }}\n"
    )
}

/// A kernel that returns what a function returns for 20.
fn calls(kernel: &str, function: &str) -> String {
    format!(
        ".visible .entry {kernel}(.param .u64 out) {{ .reg .b32 %r; .reg .b64 %d; .param .b32 a; .param .b32 r; \
         ld.param.b64 %d, [out]; st.param.b32 [a], 20; call (r), {function}, (a); ld.param.b32 %r, [r]; \
         st.global.b32 [%d], %r; ret; }}\n"
    )
}

/// A function that adds a number.
fn adds(linkage: &str, function: &str, number: u32) -> String {
    format!(
        "{linkage} .func (.param .b32 r) {function}(.param .b32 a) {{ .reg .b32 %r; ld.param.b32 %r, [a]; \
         add.s32 %r, %r, {number}; st.param.b32 [r], %r; ret; }}\n"
    )
}

/// A declaration of such a function.
fn adder(linkage: &str, function: &str) -> String {
    format!("{linkage} .func (.param .b32 r) {function}(.param .b32 a);\n")
}

/// What the kernels `k` and `l` return.
fn results(texts: &[&str]) -> [u32; 2] {
    let program = Arc::new(link(texts).unwrap_or_else(|e| panic!("{e}")));
    ["k", "l"].map(|kernel| run(&program, kernel, LaunchConfig::linear(1, 1))[0])
}

#[test]
fn which_variable_is_used() {
    let (k, l) = (reads("k", "global", "x"), reads("l", "global", "x"));
    for (one, two, expected) in [
        (".visible .global .b32 x = 1;", ".extern .global .b32 x;", [1, 1]),
        (".extern .global .b32 x;", ".visible .global .b32 x = 1;", [1, 1]),
        (".visible .global .b32 x = 1;", ".extern .global .b32 x[];", [1, 1]),
        (".visible .global .b32 x[4] = {1};", ".extern .global .b32 x[];", [1, 1]),
        (".visible .global .b32 x = 1;", ".weak .global .b32 x = 2;", [1, 1]),
        (".weak .global .b32 x = 1;", ".visible .global .b32 x = 2;", [2, 2]),
        (".weak .global .b32 x = 1;", ".weak .global .b32 x = 2;", [1, 1]),
        (".visible .global .b32 x = 1;", ".extern .global .align 16 .b32 x;", [1, 1]),
        (".visible .global .align 8 .b64 x = 1;", ".extern .global .align 8 .b32 x[2];", [1, 1]),
        (".common .global .b32 x;", ".common .global .b32 x[4];", [0, 0]),
        (".common .global .b32 x = 3;", ".common .global .b32 x;", [3, 3]),
        (".common .global .b32 x;", ".visible .global .b32 x[2] = {3, 4};", [3, 3]),
        (".common .global .b32 x;", ".weak .global .b32 x = 4;", [4, 4]),
        (".global .b32 x = 1;", ".global .b32 x = 2;", [1, 2]),
        (".global .b32 x = 1;", ".visible .global .b32 x = 2;", [1, 2]),
    ] {
        assert_eq!(results(&[&format!("{one}\n{k}"), &format!("{two}\n{l}")]), expected, "{one} {two}");
        let turned = [expected[1], expected[0]];
        if !(one.starts_with(".weak") && two.starts_with(".weak")) {
            let texts = [format!("{two}\n{k}"), format!("{one}\n{l}")];
            assert_eq!(results(&[&texts[0], &texts[1]]), turned, "{two} {one}");
        }
    }
}

#[test]
fn common_variables_are_as_large_as_the_largest() {
    let texts = [
        ".common .global .align 4 .b32 x;\n.visible .entry k() { ret; }",
        ".common .global .align 512 .b32 x[100];",
        ".common .global .align 16 .b32 x[2];",
    ];
    let program = Arc::new(link(&texts).expect("they fit"));
    let machine = Machine::new(MachineDescription::h200());
    let module = machine.load(&program).expect("it fits");
    let (address, size) = module.global("x").expect("it is there");
    assert_eq!((address % 512, size), (0, 400));
}

#[test]
fn which_function_is_used() {
    let (k, l) = (calls("k", "f"), calls("l", "f"));
    for (one, two, expected) in [
        (adds(".visible", "f", 1), adder(".extern", "f"), [21, 21]),
        (adds(".weak", "f", 1), adder(".extern", "f"), [21, 21]),
        (adds(".visible", "f", 1), adds(".weak", "f", 2), [21, 21]),
        (adds(".weak", "f", 1), adds(".visible", "f", 2), [22, 22]),
        (adds(".weak", "f", 1), adds(".weak", "f", 2), [21, 21]),
        (adds("", "f", 1), adds("", "f", 2), [21, 22]),
        (adds("", "f", 1), adds(".visible", "f", 2), [21, 22]),
        (adder("", "f") + &adds("", "f", 1), adder(".visible", "f") + &adds(".visible", "f", 2), [21, 22]),
        (
            adds(".visible", "g", 5) + &adder(".visible", "f") + ".alias f, g;\n",
            adder(".extern", "f"),
            [25, 25],
        ),
        (
            adder(".extern", "f"),
            adds(".visible", "g", 5) + &adder(".visible", "f") + ".alias f, g;\n",
            [25, 25],
        ),
        // An alias names the definition that is used.
        (
            adds(".weak", "g", 5) + &adder("", "f") + ".alias f, g;\n",
            adds(".visible", "g", 6) + &adder("", "f") + ".alias f, g;\n",
            [26, 26],
        ),
    ] {
        assert_eq!(results(&[&format!("{one}{k}"), &format!("{two}{l}")]), expected, "{one} {two}");
    }
}

#[test]
fn shared_variables_of_two_texts() {
    // Each kernel returns the address of its shared variable.
    let kernel = |kernel: &str, name: &str| {
        format!(
            ".visible .entry {kernel}(.param .u64 out) {{ .reg .b32 %r<3>; .reg .b64 %d<3>; \
             ld.param.b64 %d1, [out]; mov.u64 %d2, {name}; cvt.u32.u64 %r1, %d2; st.global.b32 [%d1], %r1; ret; }}\n"
        )
    };
    let (k, l) = (kernel("k", "x"), kernel("l", "x"));
    for (one, two, same, bytes) in [
        (".weak .shared .b32 x[5];", ".weak .shared .b32 x[5];", true, 20),
        (".weak .shared .b32 x[5];", ".visible .shared .b32 x[5];", true, 20),
        (".visible .shared .b32 x[5];", ".extern .shared .b32 x[5];", true, 20),
        (".visible .shared .b32 x[5];", ".extern .shared .b32 x[];", true, 20),
        (".shared .b32 x[5];", ".shared .b32 x[5];", false, 40),
        (".extern .shared .b32 x[];", ".extern .shared .align 16 .b8 x[];", true, 0),
        (
            ".extern .shared .b32 x[];\n.shared .b32 y[3];",
            ".extern .shared .b8 x[];\n.shared .b8 z;",
            true,
            16,
        ),
    ] {
        let results = results(&[&format!("{one}\n{k}"), &format!("{two}\n{l}")]);
        assert_eq!(results[0] == results[1], same, "{one} {two}: {results:?}");
        let program = link(&[&format!("{one}\n{k}"), &format!("{two}\n{l}")]).expect("as before");
        let most = program.kernels().map(|k| k.static_shared_bytes).max();
        assert!(most <= Some(bytes), "{one} {two}: {most:?}");
    }
    // Arrays without a length are the dynamic shared memory of the block, all at one address, whatever their
    // names.
    let one = format!(".extern .shared .b32 x[];\n.shared .b32 y[3];\n{}", kernel("k", "x"));
    let two = format!(".extern .shared .b32 z[];\n.shared .b32 y[9];\n{}", kernel("l", "z"));
    let [x, z] = results(&[&one, &two]);
    assert_eq!(x, z);
    assert!(x >= 48, "{x}");
}

#[test]
fn conflicts_are_reported() {
    let var = |text: &str| format!("{text}\n");
    for (one, two, message) in [
        (
            var(".visible .global .b32 x;"),
            var(".visible .global .b32 x;"),
            "b:4:23: `x` is defined here and in a",
        ),
        (
            var(".visible .global .b32 x;"),
            var(".extern .global .b32 x[2];"),
            "`x` has 8 bytes here and 4 in a",
        ),
        (var(".weak .global .b32 x;"), var(".weak .global .b32 x[2];"), "`x` has 8 bytes here and 4 in a"),
        (var(".weak .shared .b32 x;"), var(".weak .shared .b32 x[2];"), "`x` has 8 bytes here and 4 in a"),
        (
            var(".common .global .b32 x[4];"),
            var(".visible .global .b32 x = 1;"),
            "`x` has 4 bytes here and 16 in a",
        ),
        (
            var(".visible .global .b32 x = 1;"),
            var(".common .global .b32 x[4];"),
            "`x` has 16 bytes here and 4 in a",
        ),
        (
            var(".visible .const .b32 x;"),
            var(".extern .global .b32 x;"),
            "`x` is in another state space in a",
        ),
        (var(".visible .shared .b32 x;"), var(".extern .global .b32 x;"), "another state space in a"),
        (
            adds(".visible", "x", 1),
            var(".extern .global .b32 x;"),
            "`x` is a variable here and a function in a",
        ),
        (adds(".visible", "f", 1), adds(".visible", "f", 1) + " ", "`f` is defined here and in a"),
        (adds(".visible", "f", 1), var(".extern .func f();"), "`f` has other parameters in a"),
        (
            adds(".weak", "f", 1),
            var(".visible .func f(.param .b64 a) { ret; }"),
            "`f` has other parameters in a",
        ),
        (
            var(".visible .entry k() { ret; }"),
            var(".visible .entry k() { exit; }"),
            "`k` is defined here and in a",
        ),
        (
            var(".visible .entry k() { ret; }"),
            var(".extern .func k();"),
            "`k` is a function here and a kernel in a",
        ),
        (
            adds(".visible", "g", 1) + &adder(".weak", "f") + ".alias f, g;",
            adds(".visible", "f", 2),
            "`f` is defined here and in a",
        ),
        (var(".extern .shared .b32 x[4];"), var(""), "a:4:22: `x` is declared but not defined"),
        // A function that is local to its text is no definition for another text.
        (adds("", "f", 1), adder(".extern", "f") + &calls("k", "f"), "b:5:"),
    ] {
        // The comment keeps the texts different: equal texts are linked once.
        match link(&[&one, &format!("{two}// two")]) {
            Ok(_) => panic!("{one} {two} was not rejected"),
            Err(error) => assert!(error.to_string().contains(message), "{error}, expected {message}"),
        }
    }
    // What no kernel reaches may be undefined.
    let dead = adder(".extern", "f") + &calls("k", "f").replace(".entry", ".func");
    link(&[&dead, ".visible .entry k2() { ret; }"]).expect("nothing calls it");
}

#[test]
fn targets() {
    let text = |sm: &str, name: &str| {
        format!(".version 8.6\n.target {sm}\n.address_size 64\n.visible .entry {name}() {{ ret; }}\n")
    };
    let of = |sms: &[&str]| {
        let texts: Vec<String> = sms.iter().enumerate().map(|(n, sm)| text(sm, &format!("k{n}"))).collect();
        let names = ["a", "b", "c"];
        let texts: Vec<(&str, &[u8])> =
            names.iter().copied().zip(texts.iter().map(|t| t.as_bytes())).collect();
        Program::link("p", &texts).map(|p| p.target_sm())
    };
    assert_eq!(of(&["sm_80", "sm_90", "sm_70"]), Ok(90));
    assert_eq!(of(&["sm_80", "sm_90a"]), Ok(90));
    for sms in [&["sm_90a", "sm_100"][..], &["sm_90a", "sm_100a"], &["sm_80", "sm_100", "sm_90a"]] {
        let error = of(sms).expect_err("nothing runs both").to_string();
        assert!(error.contains("only for sm_90a") || error.contains("only for sm_100a"), "{error}");
    }
}

#[test]
fn kernels_of_all_texts() {
    let kernel = |linkage: &str, name: &str| format!("{linkage} .entry {name}() {{ ret; }}\n");
    let one = kernel(".visible", "k") + &kernel(".weak", "w");
    let two = kernel("", "l") + &kernel(".weak", "w");
    let program = link(&[&one, &two]).expect("they fit");
    let names: Vec<&str> = program.kernels().map(|k| &k.name[..]).collect();
    assert_eq!(names, ["k", "w", "l"]);
}

#[test]
fn addresses_in_initial_values() {
    let one = ".visible .global .b64 pointers[3] = {generic(x)+4, f, generic(s)};\n.extern .global .b32 x[2];\n\
        .extern .func f();\n.weak .shared .b32 s[2];\n";
    let two = ".visible .global .b32 x[2] = {7, 8};\n.visible .func f() { trap; }\n.weak .shared .b32 s[2];\n\
        .extern .global .b64 pointers[3];\n\
        .visible .entry k(.param .u64 out) { .reg .b32 %r; .reg .b64 %d<4>; ld.param.b64 %d1, [out]; \
        ld.global.b64 %d2, [pointers]; ld.b32 %r, [%d2]; st.global.b32 [%d1], %r; \
        ld.global.b64 %d2, [pointers+16]; st.b32 [%d2], %r; ld.shared.b32 %r, [s]; st.global.b32 [%d1+4], %r; \
        ld.global.b64 %d2, [pointers+8]; mov.b64 %d3, f; sub.s64 %d3, %d3, %d2; st.global.b64 [%d1+8], %d3; ret; }";
    let program = Arc::new(link(&[one, two]).unwrap_or_else(|e| panic!("{e}")));
    assert_eq!(run(&program, "k", LaunchConfig::linear(1, 1))[..4], [8, 8, 0, 0]);
}

/// Frames keep the alignment of their variables and parameters, wherever the caller's frame ends.
#[test]
fn frames_are_aligned() {
    let one = ".visible .func (.param .b32 r) f(.param .align 128 .b8 p[128]) {\n.local .align 256 .b8 big[4];\n\
        .reg .b64 %d<3>; .reg .b32 %r<4>; mov.u64 %d1, big; cvt.u32.u64 %r1, %d1; and.b32 %r1, %r1, 255; \
        mov.b64 %d2, p; cvt.u32.u64 %r2, %d2; and.b32 %r2, %r2, 127; add.s32 %r1, %r1, %r2; \
        ld.param.b32 %r3, [p+124]; add.s32 %r1, %r1, %r3; st.param.b32 [r], %r1; ret; }";
    let two = ".extern .func (.param .b32 r) f(.param .align 128 .b8 p[128]);\n\
        .visible .entry k(.param .u64 out) .reqnctapercluster 1, 1, 1 { .local .align 4 .b8 odd[20];\n\
        .reg .b64 %d; .reg .b32 %r; .param .b32 r; .param .align 128 .b8 p[128];\n\
        ld.param.b64 %d, [out]; st.param.b32 [p+124], 6; call (r), f, (p); ld.param.b32 %r, [r]; \
        st.global.b32 [%d], %r; ret; }";
    let program = Arc::new(link(&[one, two]).unwrap_or_else(|e| panic!("{e}")));
    assert_eq!(run(&program, "k", LaunchConfig::linear(1, 1))[0], 6);
}

#[test]
fn faults_name_the_text() {
    let one = ".extern .func f();\n.visible .entry k() {\ncall f;\nret; }";
    let two = "\n\n.file 1 \"two.c\"\n.visible .func f() {\n.loc 1 33 5\ntrap; }";
    for texts in [[one, two], [two, one]] {
        let program = Arc::new(link(&texts).expect("they fit"));
        let mut machine = Machine::new(MachineDescription::h200());
        let module = machine.load(&program).expect("it fits");
        let options = LaunchOptions::default();
        let fault = machine.launch(&module, "k", &LaunchConfig::linear(1, 1), &[], &options);
        let text = fault.expect_err("it traps").to_string();
        let (first, second) = if texts[0] == one { ("a", "b") } else { ("b", "a") };
        for wanted in [
            &format!("at PTX line 9 of {second} in `f`: trap")[..],
            "two.c:33:5",
            "in `f`",
            &format!("line 6 of {first}"),
        ] {
            assert!(text.contains(wanted), "{text}\nlacks {wanted}");
        }
    }
}

#[test]
fn units_of_one_text() {
    let (one, two) = (format!("// first\n{HEAD}\n"), format!("  {HEAD}.versions\n"));
    assert_eq!(split_units(&format!("{one}{two}")), [&one, &two]);
    assert_eq!(split_units(&one), [&one]);
    assert_eq!(split_units(""), [""]);
    assert_eq!(split_units("no PTX\n"), ["no PTX\n"]);
    assert_eq!(Program::link("p", &[]).expect_err("nothing is there").message, "there is no PTX here");
}

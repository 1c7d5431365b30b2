//! Load errors: their messages and positions.

use ptx_emulator::Program;

/// Loads a kernel with this body.
fn load(body: &str) -> Result<Program, ptx_emulator::LoadError> {
    let registers = ".reg .pred %p<4>;\n.reg .b16 %rs<4>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;";
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{{\n{registers}\n{body}\nret;\n}}\n"
    );
    Program::load("test.ptx", text.as_bytes())
}

#[test]
fn instructions() {
    for (body, message) in [
        ("add.rz.f16 %rs1, %rs1, %rs1;", "`.rz` is not supported here in `add.rz.f16"),
        ("div.bf16 %rs1, %rs1, %rs1;", "this type is not supported in `div.bf16"),
        ("add.rz.rm.f32 %r1, %r1, %r1;", "`.rm` is not supported here"),
        ("min.rn.f32 %r1, %r1, %r1;", "`.rn` is not supported here"),
        ("add.ftz.f64 %rd1, %rd1, %rd1;", "`.ftz` is not supported here"),
        ("ex2.f32 %r1, %r1;", "a rounding or `.approx` is missing"),
        ("ex2.approx.f64 %rd1, %rd1;", "this type is not supported"),
        ("max.abs.f32 %r1, %r1, %r1;", "`.abs` needs"),
        ("mul.s32 %r1, %r1, %r1;", "`.lo`, `.hi` or `.wide` is missing"),
        ("cvt.rn.e4m3x2.f32 %rs1, %r1, %r1;", "`.satfinite` is missing"),
        ("cvt.rs.f16x2.f32 %r1, %r1, %r1, %r1;", "the operands do not fit"),
        ("cvt.relu.s32.f32 %r1, %r1;", "these qualifiers do not fit the types"),
        ("add.s32 %r1, %r1, %rd1;", "`%rd1` has the wrong size"),
        ("add.s32 %r1, %r1, %r9;", "`%r9` is not a register"),
        ("add.s32 %r1, %r1;", "expected 3 operands, found 2"),
        ("add.s32.quickly %r1, %r1, %r1;", "`.quickly` is not supported here"),
        ("add %r1, %r1, %r1;", "names no type"),
        ("@%r1 bra $x;", "`%r1` is not a predicate register"),
        ("bra $nowhere;", "label `$nowhere` does not exist"),
        ("$l: $l: ret;", "label `$l` appears twice"),
        ("call.uni nobody;", "`nobody` is not declared"),
        ("call.uni k;", "kernels cannot be called"),
        (
            "{ .param .b32 x; q: .callprototype ()_(.param .b64 _); call %rd1, (x), q; }",
            "4 bytes for a parameter of 8",
        ),
        ("ld.global.b64 %r1, [%rd1];", "the destination has the wrong size"),
        ("ld.global.b32 %r1, [a];", "the symbol is in another space"),
        ("ld.global.v2.b32 %r1, [%rd1];", "the vector has the wrong length"),
        ("ld.global.b128 %rd1, [%rd1];", "the vector has the wrong length"),
        (".reg .b128 %q; add.s64 %rd1, %q, %rd1;", "`%q` has the wrong size"),
        ("match.any.b32 %r1, %r1;", "`.sync` is missing"),
        ("ld.release.gpu.global.b32 %r1, [%rd1];", "this memory order is not supported here"),
        ("ld.relaxed.global.b32 %r1, [%rd1];", "this memory order is not supported here"),
        ("st.acquire.gpu.global.b32 [%rd1], %r1;", "this memory order is not supported here"),
        ("ld.global.L2::whatever.b32 %r1, [%rd1];", "`.L2::whatever` is not supported here"),
        ("ld.global.L2::cache_hint.b32 %r1, [%rd1];", "this operand is not supported"),
        ("fence.relaxed.gpu;", "a fence cannot have this memory order"),
        ("red.global.exch.b32 [%rd1], %r1;", "this atomic operation is not supported"),
        ("atom.global.add.noftz.f32 %r1, [%rd1], %r1;", "`.noftz` is not supported here"),
        ("red.global.max.noftz.f16 [%rd1], %rs1;", "this atomic operation exists for vectors only"),
        ("red.global.add.v2.u32 [%rd1], {%r1, %r1};", "this type is not supported"),
        ("pmevent 16;", "an event from 0 to 15"),
        ("cp.async.bulk.commit_group;", "`cp.async.bulk.commit_group` is not supported: bulk copies"),
        (
            "tex.1d.v4.f32.s32 {%r1, %r1, %r1, %r1}, [t, {%r1}];",
            "`tex.1d.v4.f32.s32` is not supported: textures",
        ),
        (
            "mbarrier.init.shared.b64 [%rd1], %r1;",
            "`mbarrier.init.shared.b64` is not supported: barrier objects in memory",
        ),
        ("vadd.u32.u32.u32 %r1, %r1, %r1;", "the instruction is not supported"),
        ("mov.u32 %r1, %pm0;", "`%pm0` is not"),
        ("wgmma.fence.sync.aligned;", "`wgmma.fence.sync.aligned` is not supported: tensor cores"),
        (".reg .b32 %x; .reg .b64 %x;", "`%x` is declared twice"),
        (".local .b8 big[2000000];", "more than 1048576 bytes of local memory"),
        (
            "tex.2d.v4.f32.f32 {%r1,%r1,%r1,%r1}, [%rd1, {%r1, %r2}];",
            "`tex.2d.v4.f32.f32` is not supported: textures",
        ),
    ] {
        match load(body) {
            Ok(_) => panic!("{body} was not rejected"),
            Err(e) => {
                assert!(e.message.contains(message), "{body}: {e}, expected {message}");
                assert_eq!(e.line, 10, "{body}: {e}");
                assert!(e.message.chars().count() < 400, "{e}");
            }
        }
    }
}

#[test]
fn modules() {
    let head = ".version 8.3\n.target sm_90\n.address_size 64\n";
    for (text, message) in [
        ("".to_owned(), "1:1: there is no PTX here"),
        ("int main() {}".into(), "1:1: PTX starts with `.version`"),
        (".version 8.3\n.target sm_90\n.address_size 32\n".into(), "3:1: only 64-bit"),
        (".version 8.3\n.target gpu\n".into(), "`gpu` is not known"),
        (format!("{head}.global .b32 a;\n.global .b32 a;"), "5:14: `a` is declared twice"),
        (format!("{head}.extern .global .b32 a;"), "4:22: `a` is declared but not defined"),
        (format!("{head}.global .b64 a = b;"), "`b` is not declared"),
        (format!("{head}.global .b8 a[2] = {{1, 2, 3}};"), "more initial values"),
        (format!("{head}.global .b8 a[99999999999];"), "is larger than"),
        (format!("{head}.shared .b8 a[99999999];"), "too much shared memory"),
        (format!("{head}.visible .entry k() {{ ret;"), "expected `}`, found the end of the text"),
        (format!("{head}.func f() {{ ret; }}\n.func f() {{ ret; }}"), "5:7: `f` is defined twice"),
        (format!("{head}.func f();\n.func f(.param .b32 x) {{ ret; }}"), "declared with other parameters"),
        (
            format!("{head}.extern .func f();\n.visible .entry k() {{\ncall f;\nret; }}"),
            "6:1: `f` is declared but not defined: link it with the PTX that defines it",
        ),
        (
            format!("{head}.func f();\n.visible .entry k() {{ .reg .b64 %d;\nmov.b64 %d, f; ret; }}"),
            "6:1: `f` is declared but not defined",
        ),
        (format!("{head}.extern .func f();\n.global .b64 p = f;"), "5:14: `f` is declared but not defined"),
        (
            format!("{head}.visible .entry k() .explicitcluster .reqnctapercluster 1, 2 {{ ret; }}"),
            "4:60: clusters of several blocks are not supported",
        ),
        (format!("{head}/* open"), "4:1: unterminated comment"),
        (format!("{head}.file 1 \"open\n"), "4:9: unterminated string"),
        (format!("{head}\u{1F600}"), "unexpected character"),
        (format!("{head}.visible .entry k(.param .b8 a[70000]) {{ ret; }}"), "more than 64 KiB"),
        (
            format!("{head}.func f() {{ {} ret; {} }}", "{".repeat(100_000), "}".repeat(100_000)),
            "nested too deeply",
        ),
    ] {
        match Program::load("m", text.as_bytes()) {
            Ok(_) => panic!("{text} was not rejected"),
            Err(e) => assert!(e.to_string().contains(message), "{e}, expected {message}"),
        }
    }
}

/// Text that would take quadratic time or memory if it were handled naively.
#[test]
fn large_texts_are_bounded() {
    let head = ".version 8.3\n.target sm_90\n.address_size 64\n";
    let table = "$a,".repeat(20_000);
    let branches = "brx.idx %r1, $t;\n".repeat(20_000);
    let many: String = (0..20_000).map(|n| format!(".visible .entry k{n}() {{ ret; }}\n")).collect();
    let externs: String =
        (0..100_000).map(|n| format!(".extern .global .b32 e{n};\n.global .b32 e{n};\n")).collect();
    let body = |body: &str| format!("{head}.visible .entry k() {{ .reg .b32 %r<9>;\n{body}\nret; }}");
    let start = std::time::Instant::now();
    for (text, message) in [
        (body(&format!("$t: .branchtargets {table} $a;\n$a:\n{branches}")), "too many branch targets"),
        (format!("{head}{many}"), "too many functions"),
        (format!("{head}{externs}"), ""),
        (
            body(&format!(".reg .b32 %q<4000000000>; mov.b32 %q{}, 1;", "1".repeat(1_000_000))),
            "is not a register",
        ),
        (body(&"{".repeat(1_000_000)), "nested too deeply"),
        (body(&format!("mov.b32 %r1, {};", "-".repeat(1_000_000))), "expected a number"),
        (format!("{head}.global .b8 a[4] = {}1{};", "{".repeat(1_000_000), "}".repeat(1_000_000)), ""),
    ] {
        match Program::load("m", text.as_bytes()) {
            Ok(_) => assert_eq!(message, ""),
            Err(e) => assert!(!message.is_empty() && e.message.contains(message), "{e}, expected {message}"),
        }
    }
    // Seconds even where the machine is busy; quadratic handling of any of these would take hours.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

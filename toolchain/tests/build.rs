//! Builds of small crates and modules with the tools of this machine.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use toolchain::{Cache, ClangBuild, DeviceCrate, Error, Input, OptLevel, PtxBuild, Tools};

/// The tools with the user's cache, so that `core` is not built on every run.
fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| Tools::find().unwrap_or_else(|error| panic!("{error}")))
}

const LIB: &str = r#"#![no_std]
mod part;
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
unsafe extern "C" { fn from_ir(x: u32) -> u32; }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn twice(x: u32) -> u32 { part::add(unsafe { from_ir(x) }, x) }
#[unsafe(no_mangle)]
pub extern "C" fn hidden(x: u32) -> u32 { x }
"#;
const PART: &str = "pub fn add(a: u32, b: u32) -> u32 { [a, b].iter().sum() }";
const IR: &str = "define i32 @from_ir(i32 %x) alwaysinline { ret i32 %x }\n";

fn krate<'a>(sources: &'a [(&'a str, &'a str)], exports: &'a [&'a str]) -> DeviceCrate<'a> {
    DeviceCrate { name: "tiny", edition: "2024", sources, exports, dependencies: &[] }
}

fn tiny() -> PathBuf {
    let sources = [("src/lib.rs", LIB), ("src/part.rs", PART), ("src/part.ll", IR)];
    tools().device_bitcode(&krate(&sources, &["twice"])).unwrap_or_else(|error| panic!("{error}"))
}

const KERNEL: &str = r#"
target triple = "nvptx64-nvidia-cuda"
declare i32 @twice(i32)
define ptx_kernel void @k(ptr %p) {
  %x = load i32, ptr %p
  %y = call i32 @twice(i32 %x)
  store i32 %y, ptr %p
  ret void
}
"#;

fn kernel(opt: OptLevel) -> String {
    let modules = [Input::Ir(KERNEL), Input::Bitcode(&tiny())];
    tools()
        .ptx(&PtxBuild { modules: &modules, keep: &["k"], sm: 90, opt })
        .unwrap_or_else(|error| panic!("{error}"))
}

fn input_error(result: Result<PathBuf, Error>) -> String {
    match result {
        Err(error @ Error::Input { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn rust_and_ir_are_linked_to_one_file_that_defines_the_exports_only() {
    let path = tiny();
    assert!(path.ends_with("tiny.bc"));
    assert_eq!(path, tiny(), "built twice");
    let llvm = &tools().llvm;
    let nm = std::process::Command::new(llvm.dir.join(format!("llvm-nm{}", llvm.suffix)))
        .args(["--extern-only", "--just-symbol-name"])
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&nm.stdout).trim(), "twice");
}

#[test]
fn a_damaged_result_is_built_again() {
    let sources = [("src/lib.rs", LIB), ("src/part.rs", PART), ("src/part.ll", IR)];
    let build = krate(&sources, &["twice", "hidden"]);
    let path = tools().device_bitcode(&build).unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(fs::read(tools().device_bitcode(&build).unwrap()).unwrap(), whole);
}

#[test]
fn undefined_symbols_are_named() {
    let without_ir = [("src/lib.rs", LIB), ("src/part.rs", PART)];
    let error = input_error(tools().device_bitcode(&krate(&without_ir, &["twice"])));
    assert!(error.contains("tiny") && error.contains("undefined: from_ir"), "{error}");
}

const USER: &str = r#"#![no_std]
#![feature(abi_ptx)]
use core::mem::MaybeUninit;
#[inline(always)]
fn block(value: u32) -> u32 {
    #[unsafe(link_section = ".shared")]
    static mut WORD: MaybeUninit<[u32; 8]> = MaybeUninit::uninit();
    let word = (&raw mut WORD).cast::<u32>();
    unsafe { word.write_volatile(value); word.read_volatile() }
}
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn user(p: *mut u32) {
    unsafe { *p = block(tiny::twice(middle::pass(*p))) }
}
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn other(p: *mut u32) { unsafe { *p = 1 } }
"#;
const MIDDLE: &str = "#![no_std]\n#[inline(never)]\npub fn pass(x: u32) -> u32 { tiny::hidden(x) + 1 }\n";

#[test]
fn a_crate_of_kernels_builds_on_other_crates() {
    let sources = [("src/lib.rs", LIB), ("src/part.rs", PART), ("src/part.ll", IR)];
    let tiny = krate(&sources, &[]);
    let middle = DeviceCrate { name: "middle", sources: &[("src/lib.rs", MIDDLE)], ..tiny };
    let middle = DeviceCrate { dependencies: &[tiny], ..middle };
    let user = DeviceCrate {
        name: "user",
        edition: "2024",
        sources: &[("src/lib.rs", USER)],
        exports: &["user"],
        dependencies: &[tiny, middle],
    };
    let module = tools().device_module(&user).unwrap_or_else(|error| panic!("{error}"));
    for (opt, calls) in [(OptLevel::O0, true), (OptLevel::O2, false)] {
        let build = PtxBuild { modules: &[Input::Bitcode(&module)], keep: &["user"], sm: 90, opt };
        let text = tools().ptx(&build).unwrap_or_else(|error| panic!("{error}"));
        assert!(text.contains(".entry user(") && text.matches(".entry").count() == 1, "{text}");
        assert_eq!(text.contains("twice("), calls, "{text}");
        assert!(!text.contains("other(") && !text.contains(".extern"), "{text}");
        assert!(text.contains(".shared .align 4 .b8") && text.contains("[32]"), "{text}");
        assert!(calls || text.contains("ld.volatile.shared"), "{text}");
    }

    // A change of a dependency changes the crate.
    let part = "pub fn add(a: u32, b: u32) -> u32 { a + b }";
    let changed = [("src/lib.rs", LIB), ("src/part.rs", part), ("src/part.ll", IR)];
    let other = krate(&changed, &[]);
    let middle = DeviceCrate { dependencies: &[other], ..middle };
    let again = DeviceCrate { dependencies: &[other, middle], ..user };
    assert_ne!(tools().device_module(&again).unwrap(), module);

    let error = input_error(tools().device_module(&DeviceCrate { dependencies: &[tiny, middle], ..user }));
    assert!(error.contains("two different crates have the name tiny"), "{error}");
}

#[test]
fn shared_memory_with_an_initial_value_is_rejected() {
    let source = USER.replace("MaybeUninit<[u32; 8]> = MaybeUninit::uninit()", "[u32; 8] = [1; 8]");
    let sources = [("src/lib.rs", LIB), ("src/part.rs", PART), ("src/part.ll", IR)];
    let tiny = krate(&sources, &[]);
    let middle = DeviceCrate { name: "middle", sources: &[("src/lib.rs", MIDDLE)], ..tiny };
    let user = DeviceCrate {
        name: "user",
        edition: "2024",
        sources: &[("src/lib.rs", &source)],
        exports: &["user"],
        dependencies: &[tiny, DeviceCrate { dependencies: &[tiny], ..middle }],
    };
    let error = input_error(tools().device_module(&user));
    assert!(error.contains("is in shared memory, which cannot have an initial value"), "{error}");
}

#[test]
fn an_undefined_export_is_named() {
    let sources = [("src/lib.rs", LIB), ("src/part.rs", PART), ("src/part.ll", IR)];
    let error = input_error(tools().device_bitcode(&krate(&sources, &["twice", "thrice"])));
    assert!(error.contains("thrice"), "{error}");
}

#[test]
fn the_compilers_diagnostics_are_reported() {
    let sources = [("src/lib.rs", "#![no_std]\nfn broken( {}")];
    let error = tools().device_bitcode(&krate(&sources, &["f"])).unwrap_err();
    assert!(matches!(error, Error::Command { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("rustc") && text.contains("src/lib.rs:2"), "{text}");
}

#[test]
fn calls_are_inlined_with_optimisation_only() {
    for (opt, calls) in [(OptLevel::O0, true), (OptLevel::O2, false), (OptLevel::O3, false)] {
        let text = kernel(opt);
        assert!(
            text.contains(".entry k(") && text.contains(".target sm_90") && text.contains(".version 7.8"),
            "{text}"
        );
        assert_eq!(text.contains("call"), calls, "{opt}\n{text}");
        assert!(!text.contains(".extern") && !text.contains("hidden"), "{opt}\n{text}");
    }
}

#[test]
fn invalid_ptx_jobs_are_rejected() {
    let build = PtxBuild { modules: &[Input::Ir(KERNEL)], keep: &["k"], sm: 90, opt: OptLevel::O2 };
    let rejected = [
        PtxBuild { modules: &[], ..build },
        PtxBuild { keep: &[], ..build },
        PtxBuild { keep: &["a,b"], ..build },
        PtxBuild { sm: 61, ..build },
        PtxBuild { sm: 9000, ..build },
    ];
    for build in rejected {
        assert!(matches!(tools().ptx(&build), Err(Error::Input { .. })), "{build:?}");
    }
    let broken = tools().ptx(&PtxBuild { modules: &[Input::Ir("define void @k( {")], ..build }).unwrap_err();
    assert!(matches!(broken, Error::Command { .. }), "{broken}");
}

#[test]
fn llvm_supports_every_supported_architecture() {
    let modules =
        [Input::Ir("target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k() { ret void }")];
    for sm in (0..200).filter(|sm| toolchain::ptx_version(*sm).is_some()) {
        let text = tools().ptx(&PtxBuild { modules: &modules, keep: &["k"], sm, opt: OptLevel::O0 }).unwrap();
        assert!(text.contains(&format!(".target sm_{sm}")), "{text}");
    }
}

#[test]
fn c_kernels_compile_without_cuda_and_link() {
    let source = "extern unsigned twice(unsigned);\n\
                  __attribute__((nvptx_kernel)) void k(unsigned *p) { p[N] = twice(*p); }";
    for opt in [OptLevel::O0, OptLevel::O2] {
        let build = ClangBuild { source, sm: 90, opt, options: &["-DN=3"] };
        let text = match tools().clang_ptx(&build, &[Input::Bitcode(&tiny())], &["k"]) {
            Err(error @ Error::ToolMissing { .. }) => return println!("not run: {error}"),
            other => other.unwrap_or_else(|error| panic!("{error}")),
        };
        assert!(text.contains(".entry k("), "{text}");
    }
    let build = ClangBuild { source: "int f( {", sm: 90, opt: OptLevel::O2, options: &[] };
    let error = tools().clang_ir(&build).unwrap_err().to_string();
    assert!(error.contains("kernels.c:1"), "{error}");
}

#[test]
fn ptxas_reports_and_rejects() {
    let report = match tools().ptxas_check(&kernel(OptLevel::O2), 90) {
        Err(error @ Error::ToolMissing { .. }) => return println!("not run: {error}"),
        other => other.unwrap_or_else(|error| panic!("{error}")),
    };
    let uses = report.function("k").expect("k");
    assert!(uses.registers > 0 && uses.stack == 0, "{uses:?}");
    let error = tools().ptxas_check(".version 7.8\n.target sm_90\nnonsense", 90).unwrap_err();
    assert!(matches!(&error, Error::Command { .. }) && error.to_string().contains("line 3"), "{error}");
}

#[test]
fn several_builders_share_one_cache() {
    let dir = tempfile::tempdir().unwrap();
    let modules =
        [Input::Ir("target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k() { ret void }")];
    let build = PtxBuild { modules: &modules, keep: &["k"], sm: 90, opt: OptLevel::O2 };
    let texts: Vec<String> = std::thread::scope(|scope| {
        let build = || {
            let cache = Cache::open_at(dir.path().join("cache")).unwrap();
            Tools::find_with(cache).unwrap().ptx(&build).unwrap()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(build)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(texts.windows(2).all(|pair| pair[0] == pair[1]));
    let entries = fs::read_dir(dir.path().join("cache").join(env!("CARGO_PKG_VERSION")).join("ptx")).unwrap();
    assert_eq!(entries.count(), 1);
}

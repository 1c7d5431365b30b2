//! Linked with callbacks and optimised, the runtime leaves the code that one would write by hand.

mod common;

use std::process::Command;

use common::{I32_SUM, count, instructions, ptx, tools};
use toolchain::OptLevel;

const KERNELS: [&str; 5] = ["warp", "block", "grid", "partial", "finalize"];

#[test]
fn callbacks_are_inlined_and_nothing_is_left_in_local_memory() {
    for opt in [OptLevel::O2, OptLevel::O3] {
        let text = ptx(I32_SUM, &KERNELS, 90, opt);
        for kernel in KERNELS {
            let code = instructions(&text, kernel);
            println!("{opt} {kernel}: {} instructions", code.len());
            assert_eq!(count(&code, "call"), 0, "{opt} {kernel}\n{text}");
        }
        for absent in [".local", ".func", ".extern", "trap", ", debug"] {
            assert!(!text.contains(absent), "{opt}: {absent} in\n{text}");
        }
    }
}

#[test]
fn a_full_warp_takes_exactly_five_shuffles() {
    let text = ptx(I32_SUM, &KERNELS, 90, OptLevel::O2);
    let code = instructions(&text, "warp");
    assert_eq!(count(&code, "shfl.sync.down.b32"), 5, "{text}");
    assert_eq!(count(&code, "bar"), 0, "{text}");
    let offsets: Vec<&str> =
        code.iter().filter(|line| line.contains("shfl")).map(|line| operand(line, 2)).collect();
    assert_eq!(offsets, ["16", "8", "4", "2", "1"]);
}

fn operand(line: &str, index: usize) -> &str {
    line.split_once(char::is_whitespace)
        .map_or("", |(_, operands)| operands)
        .split(',')
        .nth(index)
        .unwrap_or("")
        .trim()
}

/// Without `inline(always)` LLVM makes a function of an entry that is called more than once, with the list in
/// memory.
#[test]
fn an_entry_that_is_called_twice_is_inlined_twice() {
    let start = I32_SUM.find("define ptx_kernel void @block(").expect("the kernel");
    let end = start + I32_SUM[start..].find("\n}\n").expect("its end") + 3;
    let another = I32_SUM[start..end].replace("@block(", "@another(");
    for opt in [OptLevel::O0, OptLevel::O2] {
        let text = ptx(&format!("{I32_SUM}\n{another}"), &["block", "another"], 90, opt);
        for kernel in ["block", "another"] {
            let calls: Vec<_> =
                instructions(&text, kernel).into_iter().filter(|line| line.contains("__warpfold")).collect();
            assert!(calls.is_empty(), "{opt} {kernel}: {calls:?}");
        }
    }
}

#[test]
fn no_data_is_touched_atomically() {
    let text = ptx(I32_SUM, &KERNELS, 90, OptLevel::O2);
    for kernel in KERNELS {
        let code = instructions(&text, kernel);
        let tickets = usize::from(kernel == "grid");
        assert_eq!(count(&code, "atom"), tickets, "{kernel}\n{text}");
        // It orders the records; there is no fence beside it.
        assert_eq!(count(&code, "atom.acq_rel.gpu.global.inc.u32"), tickets, "{kernel}\n{text}");
        assert_eq!(count(&code, "fence"), 0, "{kernel}\n{text}");
        assert_eq!(count(&code, "red"), 0, "{kernel}\n{text}");
    }
}

/// Slots that multiprocessors share are taken and given back by atomics on their control words: these are all, and the
/// records themselves are touched by plain loads and stores.
#[test]
fn slots_have_atomics_on_control_words_alone() {
    let declarations = "
declare void @__warpfold_slots_accumulate(ptr, i32, i32, ptr, ptr, ptr, ptr, ptr) convergent
declare i32 @__warpfold_slots_finalize(ptr, i32, i32, ptr, ptr, ptr, ptr, ptr) convergent
declare i32 @__warpfold_slots_reduce(ptr, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr) convergent
";
    let kernel = |name: &str, call: &str| {
        format!(
            "define ptx_kernel void @{name}(ptr %workspace, ptr %in, ptr %result) convergent {{
  %value = alloca i32
  %list = alloca [1 x ptr]
  store ptr %value, ptr %list
  %mine = load i32, ptr %in
  store i32 %mine, ptr %value
  {call} convergent
  %left = load i32, ptr %value
  store i32 %left, ptr %result
  ret void
}}
"
        )
    };
    let kernels = [
        kernel(
            "add",
            "call void @__warpfold_slots_accumulate(ptr %workspace, i32 8, i32 4, ptr %list, ptr @shfl, ptr @iwcpy, ptr @lgcpy, ptr @lgred)",
        ),
        kernel(
            "fold",
            "%r = call i32 @__warpfold_slots_finalize(ptr %workspace, i32 8, i32 4, ptr %list, ptr @shfl, ptr @iwcpy, ptr @glcpy, ptr @glred)",
        ),
        kernel(
            "both",
            "%r = call i32 @__warpfold_slots_reduce(ptr %workspace, i32 8, i32 4, ptr %list, ptr @shfl, ptr @iwcpy, ptr @lgcpy, ptr @lgred, ptr @glcpy, ptr @glred)",
        ),
    ];
    let lgred = I32_SUM.replace("@glred(", "@lgred(");
    let start = lgred.find("define internal void @lgred(").expect("the callback");
    let end = start + lgred[start..].find("\n}\n").expect("its end") + 3;
    let text = format!("{I32_SUM}{declarations}{}{}", &lgred[start..end], kernels.concat());
    let text = ptx(&text, &["add", "fold", "both"], 90, OptLevel::O2);
    for (kernel, updates) in
        [("add", ["or", "or", "and"].as_slice()), ("fold", &[]), ("both", &["or", "or", "and", "inc"])]
    {
        let code = instructions(&text, kernel);
        let updates_memory = |line: &&&str| {
            line.split_whitespace().any(|word| word.starts_with("atom.") || word.starts_with("red."))
        };
        let atomics: Vec<&&str> = code.iter().filter(updates_memory).collect();
        for line in &atomics {
            assert!(line.contains(".u32") || line.contains(".b32"), "{kernel}: {line}");
        }
        assert_eq!(atomics.len(), updates.len(), "{kernel}: {atomics:?}\n{text}");
        for update in updates {
            assert!(
                atomics.iter().any(|line| line.contains(&format!(".{update}."))),
                "{kernel}: {update}: {atomics:?}"
            );
        }
    }
}

#[test]
fn barriers_are_those_of_the_source_and_no_more() {
    for opt in [OptLevel::O0, OptLevel::O2, OptLevel::O3] {
        let text = ptx(I32_SUM, &KERNELS, 90, opt);
        // A pair in each inter-warp copy, of the block stage and of the fold; between them the barrier by
        // which all threads learn whether theirs is the last block.
        let expected = match opt {
            OptLevel::O0 => [("block", 0), ("grid", 0), ("partial", 0), ("finalize", 0)],
            _ => [("block", 2), ("grid", 4), ("partial", 2), ("finalize", 2)],
        };
        for (kernel, barriers) in expected {
            assert_eq!(count(&instructions(&text, kernel), "bar.sync"), barriers, "{opt} {kernel}\n{text}");
            let votes = usize::from(kernel == "grid");
            assert_eq!(
                count(&instructions(&text, kernel), "bar.red.or.pred"),
                votes,
                "{opt} {kernel}\n{text}"
            );
        }
        if opt == OptLevel::O0 {
            assert_eq!(count(&instructions(&text, "iwcpy"), "bar.sync"), 2, "{text}");
        }
    }
}

#[test]
fn ptxas_accepts_every_architecture_and_level() {
    for sm in [80, 90] {
        for opt in [OptLevel::O0, OptLevel::O2, OptLevel::O3] {
            let text = ptx(I32_SUM, &KERNELS, sm, opt);
            let report = match tools().ptxas_check(&text, sm) {
                Ok(report) => report,
                Err(error @ toolchain::Error::ToolMissing { .. }) => {
                    println!("not checked with ptxas: {error}");
                    return;
                }
                Err(error) => panic!("sm_{sm} {opt}: {error}\n{text}"),
            };
            for kernel in KERNELS {
                let uses = report.function(kernel).expect(kernel);
                println!(
                    "sm_{sm} {opt} {kernel}: {} registers, {} bytes shared",
                    uses.registers, uses.shared
                );
                if opt != OptLevel::O0 {
                    assert_eq!(
                        (uses.stack, uses.spill_stores, uses.spill_loads),
                        (0, 0, 0),
                        "sm_{sm} {opt} {kernel}"
                    );
                }
            }
            assert!(opt == OptLevel::O0 || report.warnings.is_empty(), "{:?}", report.warnings);
        }
    }
}

/// ptxas leaves the PTX in a cubin if the PTX has a line directive. Kernels without line information lose the
/// directives of what is inlined into them; the anchor has one.
#[test]
fn the_anchor_keeps_the_ptx_in_the_cubin() {
    let ptxas = match tools().ptxas() {
        Ok(ptxas) => ptxas,
        Err(error) => return println!("not checked with ptxas: {error}"),
    };
    let with: Vec<&str> = KERNELS.into_iter().chain(["__warpfold_anchor"]).collect();
    for sm in [80, 90] {
        for (keep, kept) in [(&KERNELS[..], false), (&with[..], true)] {
            let text = ptx(I32_SUM, keep, sm, OptLevel::O2);
            assert_eq!(text.contains(".loc"), kept, "{text}");
            let dir = tempfile::tempdir().expect("a directory");
            let (source, cubin) = (dir.path().join("a.ptx"), dir.path().join("a.cubin"));
            std::fs::write(&source, &text).expect("written");
            let status = Command::new(&ptxas.path)
                .arg(format!("-arch=sm_{sm}"))
                .arg("-o")
                .args([&cubin, &source])
                .status()
                .expect("ptxas runs");
            assert!(status.success(), "sm_{sm}, anchor {kept}\n{text}");
            let cubin = std::fs::read(cubin).expect("a cubin");
            let section = b".nv_debug_ptx_txt";
            assert_eq!(cubin.windows(section.len()).any(|bytes| bytes == section), kept, "sm_{sm}");
        }
    }
}

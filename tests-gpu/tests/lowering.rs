//! docs/lowering.md shows the files that the cases run, and NVIDIA's assembler accepts them.

use host_rt::OptLevel;
use tests_gpu::lowering;
use toolchain::Tools;

const PAGE: &str = include_str!("../../docs/lowering.md");

/// The texts of the page's code blocks of this language.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("```{language}\n");
    PAGE.split(&start).skip(1).map(|rest| rest.split("\n```").next().expect("an end")).collect()
}

/// The sections of a file between `[name]` and `[end]`; `comment` is the start of a comment.
fn sections(file: &'static str, comment: &str) -> Vec<&'static str> {
    let end = format!("{comment} [end]");
    file.split(&end)
        .filter_map(|section| section.rsplit_once(&format!("{comment} [")))
        .map(|(_, section)| section.split_once("]\n").expect("a name").1.trim_end())
        .collect()
}

#[test]
fn the_page_shows_what_is_run() {
    // The first block is the source that is lowered; it is in the file's first comment.
    let c = blocks("c");
    let source: Vec<String> = c[0].lines().map(|line| format!("//   {line}")).collect();
    assert!(lowering::C.contains(&source.join("\n")), "{source:?}");
    assert_eq!(c[1..], sections(lowering::C, "//"));
    assert_eq!(blocks("llvm"), sections(lowering::IR, ";"));
}

#[test]
fn ptxas_accepts_the_kernels() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    for opt in [OptLevel::O0, OptLevel::O2] {
        for ptx in [lowering::c_ptx(&tools, 90, opt), lowering::ir_ptx(&tools, 90, opt)] {
            tools.ptxas_check(&ptx, 90).unwrap_or_else(|error| panic!("{opt:?}: {error}\n{ptx}"));
            // Optimised code has no list in memory and no calls.
            let gone = !ptx.contains(".local") && !ptx.contains("call");
            assert!(opt == OptLevel::O0 || gone, "{ptx}");
        }
    }
}

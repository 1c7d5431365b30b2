//! The profile of a launch: its counts by source line.

use std::collections::BTreeMap;

use super::collector::Collector;
use super::counters::{Counters, WarpTotals};
use crate::fault::{is_of_runtime, own_position};
use crate::launch::LaunchConfig;
use crate::program::{Kernel, Program};
use crate::source::SourceLocation;
use crate::target_region::TargetRegion;
use crate::text::printable;

/// What the instructions of a source line did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineProfile {
    /// The source file; without source positions, the name of the PTX text.
    pub file: String,
    /// The line there.
    pub line: u32,
    /// Whether it is a line of PTX.
    pub ptx: bool,
    /// Whether it is of the OpenMP runtime.
    pub runtime: bool,
    /// The inlined function that the line belongs to, if that is known.
    pub function: Option<String>,
    /// The text of the line, if somebody has read it.
    pub text: Option<String>,
    /// Its counts.
    pub counters: Counters,
    /// The most atomics on one address of global memory.
    pub hottest: u64,
}

/// How often a line of a program's text was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TextLine {
    /// The PTX text, by its number in the program.
    pub text: u32,
    /// The line in it, from 1 on.
    pub line: u32,
    /// Executions by warps; if it has several instructions, of the one with most.
    pub executions: u64,
}

/// What a launch did, by source line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LaunchProfile {
    /// The kernel's symbol.
    pub kernel: String,
    /// The name of its program.
    pub program: String,
    /// The function of the source that an OpenMP target region is in, and its line.
    pub region: Option<(String, u32)>,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Bytes of shared memory of a block, dynamic ones included.
    pub shared_bytes: u32,
    /// 32-bit registers of a thread, as machine code states them.
    pub registers: Option<u32>,
    /// All counts.
    pub total: Counters,
    /// The lines that were executed, by file and line.
    pub lines: Vec<LineProfile>,
    /// The lines of PTX that were executed, by text and line.
    pub text_lines: Vec<TextLine>,
    /// Sectors of 32 bytes of global memory that were accessed at all.
    pub touched_sectors: u64,
    /// The largest counts of a warp.
    pub longest: WarpTotals,
}

impl LaunchProfile {
    pub(crate) fn new(
        program: &Program,
        kernel: &Kernel,
        config: &LaunchConfig,
        collector: Collector,
    ) -> LaunchProfile {
        let (sites, touched_sectors, longest) = collector.finish();
        let mut total = Counters::default();
        let mut lines: BTreeMap<_, LineProfile> = BTreeMap::new();
        let mut text_lines: BTreeMap<_, u64> = BTreeMap::new();
        for site in sites {
            total += &site.counters;
            let place = (program.unit_number(site.pc), program.instruction_text(site.pc).0);
            let executions = text_lines.entry(place).or_default();
            *executions = site.counters.warp_instructions.max(*executions);
            let (source, text) = position(program, &kernel.name, site.pc);
            let (ptx, runtime) = (text.is_some(), is_of_runtime(&kernel.name, &source));
            let SourceLocation { file, line, function, .. } = source;
            let key = (file.clone(), line, function.clone());
            let new = || LineProfile {
                file,
                line,
                ptx,
                runtime,
                function,
                text,
                counters: Counters::default(),
                hottest: 0,
            };
            let known = lines.entry(key).or_insert_with(new);
            known.counters += &site.counters;
            known.hottest = known.hottest.max(site.hottest);
        }
        LaunchProfile {
            kernel: kernel.name.clone(),
            program: program.name().to_owned(),
            region: TargetRegion::of(&kernel.name).map(|region| (region.function, region.line)),
            grid: config.grid,
            block: config.block,
            shared_bytes: kernel.static_shared_bytes + config.dynamic_shared,
            registers: kernel.registers_known.then_some(kernel.registers),
            total,
            lines: lines.into_values().collect(),
            text_lines: text_lines
                .into_iter()
                .map(|((text, line), executions)| TextLine { text, line, executions })
                .collect(),
            touched_sectors,
            longest,
        }
    }
}

/// The source position of an instruction: of the program's own source, if it was inlined there. Without one, its line in
/// the PTX, with the text.
fn position(program: &Program, kernel: &str, pc: u32) -> (SourceLocation, Option<String>) {
    let (first, inlined) = program.source(pc);
    let known = || first.iter().chain(&inlined).filter(|source| source.line != 0);
    let own = own_position(kernel, first.as_ref(), &inlined).or_else(|| known().next());
    match own {
        Some(source) => (source.clone(), None),
        None => {
            let (line, text) = program.instruction_text(pc);
            let file = program.unit_name(pc).unwrap_or(program.name()).to_owned();
            (SourceLocation { file, line, column: 0, function: None }, Some(printable(text)))
        }
    }
}

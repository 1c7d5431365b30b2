//! The machine code that ptxas makes of PTX, and how many of its instructions an execution of the PTX takes.
//!
//! ptxas notes for each machine instruction the line of PTX that it comes from. So counts of PTX lines say how often
//! machine code is executed, block by block. Most lines do not say it of the block that their instruction is in: ptxas
//! computes values again where they are used, moves them out of loops and guards what was a branch. What accesses memory or
//! synchronises stays where it was, and stands for its block; else the branch at its end, and lines that are executed less
//! than most. If ptxas has unrolled a loop, the block with most copies of a line has all its executions; blocks with equally
//! many share them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

use crate::error::IoContext;
use crate::process::{command, run};
use crate::ptx_check::{PtxasReport, parse};
use crate::tool::{PTXAS_HINT, missing};
use crate::{Error, Purpose, Tools};

/// Machine instructions that stay in the block of their PTX instruction.
const FIXED: [&str; 15] = [
    "LD", "LDG", "LDS", "LDL", "ST", "STG", "STS", "STL", "ATOM", "ATOMG", "ATOMS", "SHFL", "BAR", "VOTE",
    "REDUX",
];
/// The PTX instructions that they are made of; ptxas adds loads and stores of its own.
const FIXED_PTX: [&str; 9] = ["ld", "st", "atom", "red", "shfl", "bar", "barrier", "vote", "redux"];

/// Machine code of a PTX text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineCode {
    /// What ptxas says of its functions.
    pub report: PtxasReport,
    /// Machine instructions of each function, padding included.
    pub instructions: HashMap<String, u32>,
    blocks: Vec<CodeBlock>,
    /// For each line that may stand for a block: how often it occurs in a block that has it most often, and the number of
    /// such blocks.
    copies: HashMap<u32, (f64, u32)>,
}

/// Machine instructions without a branch among them.
#[derive(Clone, Debug, Default, PartialEq)]
struct CodeBlock {
    instructions: u32,
    /// Lines of PTX of instructions that stay in their block, each with how often it occurs: an instruction of two shuffles
    /// of a line is a half.
    fixed: BTreeMap<u32, f64>,
    /// The line of the conditional branch at the end.
    branch: Option<u32>,
    /// The lines of instructions that are not guarded, each with how often the same instruction was made of it.
    lines: BTreeMap<u32, u32>,
}

impl Tools {
    /// Assembles `ptx` for `sm_<sm>`, so that it can be linked if `is_part`, and reads the machine code.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] without ptxas or nvdisasm beside it, [`Error::Command`] if one of them fails.
    pub fn machine_code(&self, ptx: &str, sm: u32, is_part: bool) -> Result<MachineCode, Error> {
        let ptxas = self.ptxas()?;
        let disassembler = ptxas.path.with_file_name("nvdisasm");
        if !disassembler.is_file() {
            return Err(missing("nvdisasm beside ptxas", Purpose::PtxCheck, &[], PTXAS_HINT));
        }
        let scratch = self.cache.scratch()?;
        let (source, code) = (scratch.path().join("module.ptx"), scratch.path().join("module.cubin"));
        fs::write(&source, ptx).at("write", &source)?;
        let arch = format!("-arch=sm_{sm}");
        let mut assemble = command(&ptxas.path);
        assemble.args(["-v", "--generate-line-info", &arch]).args(is_part.then_some("-c"));
        let report = run(assemble.arg("-o").args([&code, &source]))?;
        let listing = run(command(disassembler).args(["-gp", "-c"]).arg(&code))?;
        let report = parse(&String::from_utf8_lossy(&report.stderr));
        Ok(MachineCode::read(ptx, &String::from_utf8_lossy(&listing.stdout), report))
    }
}

impl MachineCode {
    fn read(ptx: &str, listing: &str, report: PtxasReport) -> MachineCode {
        let operations: Vec<Vec<&str>> = ptx.lines().map(operations).collect();
        let operations_of =
            |line: u32| operations.get((line as usize).wrapping_sub(1)).map_or(&[][..], Vec::as_slice);
        let diverged: HashSet<&str> = listing
            .lines()
            .filter(|line| line.contains("BRA.DIV"))
            .filter_map(|line| line.split_once("`(")?.1.split(')').next())
            .collect();

        let mut all = MachineCode { report, ..MachineCode::default() };
        let mut block = Reading::default();
        let (mut function, mut line, mut is_diverged) = (None, 0, false);
        for text in listing.lines() {
            let trimmed = text.trim();
            if let Some(name) = text.strip_prefix(".text.") {
                function = name.strip_suffix(':').map(str::to_owned);
                block.end(&mut all);
                is_diverged = false;
            } else if let Some(place) = trimmed.strip_prefix("//## File \".nv_debug_ptx_txt\", line ") {
                line = place.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
            } else if let Some(label) = text.strip_prefix('.').and_then(|label| label.strip_suffix(':')) {
                block.end(&mut all);
                block.label = Some(format!(".{label}"));
                // Such code goes back by a branch; what follows is like it, or the next function.
                is_diverged |= diverged.contains(format!(".{label}").as_str());
            } else if let (Some(name), Some((guard, instruction))) = (&function, instruction(trimmed)) {
                *all.instructions.entry(name.clone()).or_default() += 1;
                let operation = instruction.split([' ', '.']).next().unwrap_or_default();
                let branches = matches!(operation, "BRA" | "EXIT" | "RET" | "CALL" | "BRX" | "JMP");
                if is_diverged {
                    is_diverged = !(branches && guard.is_none());
                    continue;
                }
                block.add((line, operations_of(line)), guard, instruction, operation);
                if branches {
                    block.end(&mut all);
                }
            }
        }
        block.end(&mut all);
        all
    }

    /// The warp instructions of machine code, if each line of PTX is executed so often by warps. An estimate: it was at most 7 %
    /// off where a GPU has counted them (docs/profile.md).
    pub fn executed(&self, by_line: &HashMap<u32, u64>) -> f64 {
        let of_line = |line: &u32| by_line.get(line).copied().unwrap_or(0) as f64;
        let shared = |line: u32, times: f64| match self.copies.get(&line) {
            Some(&(most, blocks)) if times == most => of_line(&line) / (most * f64::from(blocks)),
            _ => 0.0,
        };
        let executions = |block: &CodeBlock| {
            if !block.fixed.is_empty() {
                let of_fixed = block.fixed.iter().map(|(&line, &times)| shared(line, times));
                return of_fixed.sum::<f64>() / block.fixed.len() as f64;
            }
            // A value that ptxas computes again is of a line that is executed less, or more, than the block.
            let mut of_lines: Vec<f64> = block.lines.keys().map(of_line).collect();
            of_lines.sort_by(f64::total_cmp);
            let lower = of_lines.get(of_lines.len() / 4).copied().unwrap_or(0.0);
            block.branch.map_or(lower, |line| shared(line, block.unrolled()).min(lower))
        };
        self.blocks.iter().map(|block| executions(block) * f64::from(block.instructions)).sum()
    }
}

impl CodeBlock {
    /// How often most lines occur in the block.
    fn unrolled(&self) -> f64 {
        let mut times: Vec<u32> = self.lines.values().copied().collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or(1).into()
    }
}

/// A block that is read.
#[derive(Default)]
struct Reading {
    label: Option<String>,
    block: CodeBlock,
    /// How often an operation was made of a line.
    times: HashMap<(u32, String), u32>,
    /// Whether it does nothing and is never left, as the padding after a function.
    is_padding: bool,
}

impl Reading {
    fn add(&mut self, (line, ptx): (u32, &[&str]), guard: Option<&str>, instruction: &str, operation: &str) {
        let to_itself = |label: &String| instruction.contains(&format!("`({label})"));
        let is_first = self.block.instructions == 0;
        self.is_padding = operation == "NOP" && (is_first || self.is_padding)
            || operation == "BRA"
                && guard.is_none()
                && is_first
                && self.label.as_ref().is_some_and(to_itself);
        self.block.instructions += 1;
        if guard.is_some() {
            if operation == "BRA" && ptx.contains(&"bra") {
                self.block.branch = Some(line);
            }
            return;
        }
        if ptx.is_empty() {
            return;
        }
        let of_line = ptx.iter().filter(|ptx| FIXED_PTX.contains(ptx)).count();
        if FIXED.contains(&operation) && of_line > 0 {
            *self.block.fixed.entry(line).or_default() += 1.0 / of_line as f64;
        }
        let name = instruction.split(' ').next().unwrap_or_default();
        let times = self.times.entry((line, name.to_owned())).or_default();
        *times += 1;
        let most = self.block.lines.entry(line).or_default();
        *most = (*most).max(*times);
    }

    fn end(&mut self, all: &mut MachineCode) {
        let Reading { block, is_padding, .. } = std::mem::take(self);
        if block.instructions == 0 || is_padding {
            return;
        }
        let branch = block.branch.map(|line| (line, block.unrolled()));
        for (line, times) in block.fixed.iter().map(|(&line, &times)| (line, times)).chain(branch) {
            let (most, blocks) = all.copies.entry(line).or_default();
            if times > *most {
                (*most, *blocks) = (times, 0);
            }
            *blocks += u32::from(times == *most);
        }
        all.blocks.push(block);
    }
}

/// The operations of a line of PTX, up to their first point: `ld` of `@%p1 ld.global.b32 %r1, [%rd1];`. Inline assembly may
/// have several in a line.
fn operations(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or_default();
    // What follows the last semicolon is no statement.
    let mut statements: Vec<&str> = code.split(';').collect();
    statements.pop();
    statements.into_iter().filter_map(operation).collect()
}

fn operation(statement: &str) -> Option<&str> {
    let code = statement.trim_start_matches(['{', '}', ' ', '\t']);
    let code = match code.strip_prefix('@') {
        Some(guarded) => guarded.split_once([' ', '\t'])?.1.trim_start(),
        None => code,
    };
    let is_instruction = code.starts_with(|first: char| first.is_ascii_lowercase());
    is_instruction.then(|| code.split(['.', ' ', '\t']).next())?
}

/// Guard and text of `/*0140*/              @!P0 BRA `(.L_x_53) ;`; `@!PT` and `@PT` are none.
fn instruction(line: &str) -> Option<(Option<&str>, &str)> {
    let (address, code) = line.strip_prefix("/*")?.split_once("*/")?;
    if !address.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let code = code.split_once(';')?.0.trim();
    match code.strip_prefix('@') {
        Some(guarded) => {
            let (guard, code) = guarded.split_once(' ')?;
            Some(((guard != "PT").then_some(guard), code.trim_start()))
        }
        None => Some((None, code)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = ".visible .entry k()
{
	mov.u32 %r1, %tid.x;
	setp.gt.u32 %p1, %r1, 3;
	@%p1 bra $L2;
$L1:
	ld.global.b32 %r3, [%rd1];
	add.s32 %r2, %r2, %r3;
	setp.ne.s32 %p2, %r2, 0; @%p2 bra $L1;
$L2:
	shfl.sync.down.b32 %r4, %r2, 1, 31, -1;
	ret;
}
";

    /// The loop is unrolled twice, and computes `%tid` again; the shuffle has code for diverged warps.
    const LISTING: &str = r#"
.text.k:
	//## File ".nv_debug_ptx_txt", line 2
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File ".nv_debug_ptx_txt", line 3
        /*0010*/                   S2R R25, SR_TID.X ;
	//## File ".nv_debug_ptx_txt", line 5
        /*0020*/              @!P0 BRA `(.L_x_2) ;
.L_x_1:
	//## File ".nv_debug_ptx_txt", line 7
        /*0030*/                   LDG.E R3, desc[UR6][R2.64] ;
        /*0040*/                   LDG.E R4, desc[UR6][R2.64+0x4] ;
	//## File ".nv_debug_ptx_txt", line 3
        /*0050*/                   S2R R25, SR_TID.X ;
	//## File ".nv_debug_ptx_txt", line 8
        /*0060*/                   IADD3 R2, R3, R4, R2 ;
	//## File ".nv_debug_ptx_txt", line 9
        /*0070*/               @P1 BRA `(.L_x_1) ;
.L_x_2:
	//## File ".nv_debug_ptx_txt", line 11
        /*0080*/                   BRA.DIV UR4, `(.L_x_3) ;
        /*0090*/                   SHFL.DOWN PT, R5, R2, 0x1, 0x1f ;
	//## File ".nv_debug_ptx_txt", line 12
        /*00a0*/                   EXIT ;
.L_x_3:
	//## File ".nv_debug_ptx_txt", line 11
        /*00b0*/                   WARPSYNC.COLLECTIVE R8, `(.L_x_4) ;
.L_x_4:
        /*00c0*/                   SHFL.DOWN P0, R9, R2, R13, R15 ;
        /*00d0*/                   BRA `(.L_x_2) ;
.L_x_5:
        /*00e0*/                   BRA `(.L_x_5);
        /*00f0*/                   NOP;
"#;

    fn executed(by_line: &[(u32, u64)]) -> f64 {
        let code = MachineCode::read(PTX, LISTING, PtxasReport::default());
        assert_eq!(code.instructions["k"], 16);
        code.executed(&by_line.iter().copied().collect())
    }

    #[test]
    fn blocks_are_executed_as_often_as_what_stays_in_them() {
        // 10 warps, 60 iterations in all, which are 30 of the unrolled loop.
        let lines = [(3, 10), (4, 10), (5, 10), (7, 60), (8, 60), (9, 120), (11, 10), (12, 10)];
        assert_eq!(executed(&lines), f64::from(3 * 10 + 5 * 30 + 3 * 10));
    }

    #[test]
    fn code_that_is_not_executed_does_not_count() {
        assert_eq!(executed(&[(3, 10), (4, 10), (5, 10), (11, 10), (12, 10)]), f64::from(3 * 10 + 3 * 10));
        assert_eq!(executed(&[]), 0.0);
    }

    #[test]
    fn instructions_of_ptx_have_an_operation() {
        let none: &[&str] = &[];
        for (line, found) in [
            ("\t@%p1 ld.global.b32 %r1, [%rd1]; // a;", &["ld"][..]),
            ("\tbar.sync \t0;", &["bar"]),
            ("\tret;", &["ret"]),
            (
                "{ .reg .pred p; shfl.sync.down.b32 r0|p, %r1, 1, 31, -1; @p add.f32 %f1, %f1, r0; }",
                &["shfl", "add"],
            ),
            ("{", none),
            ("\t.reg .b32 %r<2>;", none),
            ("$L1:", none),
            ("\tcall.uni ", none),
            ("// ld.global;", none),
        ] {
            assert_eq!(operations(line), found, "{line}");
        }
    }
}

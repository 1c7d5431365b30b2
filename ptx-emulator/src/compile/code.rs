//! Compiled functions, and when they are compiled.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::abi::Entry;
use super::translate::{Lanes, SYMBOL, Translation, translate};
use super::variation::{Flow, Variation};
use crate::program::Program;
use crate::registers::{Class, Register};

/// Makes machine code of the host.
pub trait HostCompiler: Send + Sync + fmt::Debug {
    /// The shared library that was made of a module of LLVM IR before, if it is kept.
    fn find(&self, ir: &str) -> Option<PathBuf>;

    /// Compiles a module of LLVM IR to a shared library and returns its path; or says why it cannot.
    ///
    /// The library is loaded into this process: it must be what this compiler made of this text.
    fn compile(&self, ir: &str) -> Result<PathBuf, String>;
}

/// Code of a function for some lanes.
#[derive(Debug)]
pub(crate) struct Code {
    _library: Library,
    pub entry: Entry,
    pub lanes: Lanes,
    /// Its number among all codes of the program.
    pub number: u32,
    flow: Flow,
    /// The first instruction of the function.
    start: u32,
    /// Instructions of the longest basic block.
    pub longest_block: u32,
    /// The accesses that look for an allocation where the last one was: instruction, and bytes of all lanes.
    pub caches: Vec<(u32, u64)>,
    /// The same by instruction: an instruction that code has twice has two.
    caches_by_instruction: Vec<(u32, usize)>,
    /// Of each instruction, where it is among the basic blocks, and the registers that a scalar stands for in front of it.
    positions: Vec<BlockPosition>,
    scalars: Vec<OnceLock<Scalars>>,
    /// Of each instruction, whether scalars stand for the same registers in front of it and behind it.
    keeps_scalars: Vec<OnceLock<bool>>,
    /// How often lanes could not enter because a register varied in another way than claimed, and how often they did.
    pub mismatches: AtomicU32,
    pub entered: AtomicU32,
}

/// Where an instruction is: the number of the basic block that begins with it, if one does, and where its block ends.
#[derive(Clone, Copy, Debug)]
struct BlockPosition {
    begins: Option<u32>,
    end: u32,
}

/// Registers that a scalar stands for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scalars {
    /// Register, stride, and whether it is used later.
    pub registers: Box<[(Register, i64, bool)]>,
    /// Predicates that are used later and the same in all lanes.
    pub predicates: Box<[u32]>,
}

impl Code {
    /// The number of the basic block that begins with an instruction.
    #[inline]
    pub fn block_at(&self, pc: u32) -> Option<u32> {
        self.positions.get((pc - self.start) as usize)?.begins
    }

    /// The instruction behind the basic block of an instruction.
    #[inline]
    pub fn block_end(&self, pc: u32) -> u32 {
        self.positions[(pc - self.start) as usize].end
    }

    /// The numbers of an instruction's caches.
    pub fn caches_of(&self, pc: u32) -> impl Iterator<Item = usize> + '_ {
        let first = self.caches_by_instruction.partition_point(|&(at, _)| at < pc);
        let of_pc = self.caches_by_instruction[first..].iter().take_while(move |(at, _)| *at == pc);
        of_pc.map(|&(_, number)| number)
    }

    /// Whether scalars stand for the same registers in front of an instruction and behind it.
    #[inline]
    pub fn keeps_scalars(&self, pc: u32) -> bool {
        let keeps = || self.scalars(pc).registers == self.scalars(pc + 1).registers;
        *self.keeps_scalars[(pc - self.start) as usize].get_or_init(keeps)
    }

    /// What scalars stand for in front of an instruction.
    pub fn scalars(&self, pc: u32) -> &Scalars {
        self.scalars[(pc - self.start) as usize].get_or_init(|| {
            if self.lanes != Lanes::All {
                return Scalars::default();
            }
            let block = self.flow.blocks.partition_point(|block| block.start <= pc) - 1;
            let mut state = self.flow.state(block);
            let start = self.flow.blocks[block].start;
            (start..pc).for_each(|pc| self.flow.step(&mut state, pc));
            let live = self.flow.live_at(block, pc);
            let live = |register| self.flow.is_in(&live, register);
            let registers =
                self.flow.variations(&state).filter_map(|(register, variation): (_, Variation)| {
                    Some((register, variation.stride()?, live(register)))
                });
            let predicates = self.flow.uniform_predicates(&state).filter(|&reg| live((Class::Pred, reg)));
            Scalars { registers: registers.collect(), predicates: predicates.collect() }
        })
    }
}

/// Code of one function for one kind of lanes, once there is some.
#[derive(Debug, Default)]
struct Slot {
    /// Instructions that the interpreter has executed in its place.
    interpreted: AtomicU64,
    /// How far it has come: see [`Request`].
    requested: AtomicU8,
    /// `None` if it cannot be compiled.
    code: OnceLock<Option<Code>>,
}

/// The compiled functions of a program.
#[derive(Debug, Default)]
pub(crate) struct CompiledFunctions {
    functions: Box<[[Slot; 4]]>,
    codes: AtomicU32,
    /// Why functions were not compiled.
    failures: Mutex<Vec<String>>,
}

/// The kinds of code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeKind {
    /// For all lanes of blocks whose threads follow each other along one axis in each warp.
    Linear,
    /// For all lanes of any block.
    All,
    /// For some lanes.
    Some,
    /// For one lane.
    One,
}

impl CodeKind {
    fn lanes(self) -> Lanes {
        match self {
            CodeKind::Linear | CodeKind::All => Lanes::All,
            CodeKind::Some => Lanes::Some,
            CodeKind::One => Lanes::One,
        }
    }
}

impl CompiledFunctions {
    pub fn new(functions: usize) -> CompiledFunctions {
        CompiledFunctions {
            functions: (0..functions).map(|_| Default::default()).collect(),
            ..Default::default()
        }
    }

    /// The code of a function, if there is some.
    #[inline]
    pub fn get(&self, function: u32, kind: CodeKind) -> Option<&Code> {
        self.functions[function as usize][kind as usize].code.get()?.as_ref()
    }

    /// Why functions were not compiled.
    pub fn failures(&self) -> Vec<String> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes that the interpreter has executed instructions of a function. Returns what is worth its time now, once for
    /// each.
    pub fn note(
        &self,
        program: &Program,
        function: u32,
        kind: CodeKind,
        instructions: u64,
    ) -> Option<Request> {
        let slot = &self.functions[function as usize][kind as usize];
        let executed = slot.interpreted.fetch_add(instructions, Ordering::Relaxed) + instructions;
        let requested = slot.requested.load(Ordering::Relaxed);
        if executed < ENOUGH_TO_FIND || requested > Request::Compile as u8 {
            return None;
        }
        let next = match requested {
            0 => Request::Find,
            _ if executed >= enough_to_compile(program, function) => Request::Compile,
            _ => return None,
        };
        let exchanged =
            slot.requested.compare_exchange(requested, next as u8 + 1, Ordering::Relaxed, Ordering::Relaxed);
        exchanged.is_ok().then_some(next)
    }
}

/// What is done to get code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Loads code that an earlier run has made.
    Find,
    /// Compiles it.
    Compile,
}

/// Instructions, executed by the interpreter, that take about as long as translating a function.
const ENOUGH_TO_FIND: u64 = 300_000;

/// Instructions that the interpreter executes in the time that it takes to compile a function: so the time is at most
/// doubled, whatever the program does next. (On one core of a Xeon with AVX-512 `llc` takes 20 ms and about 0.5 ms for each
/// instruction of code for all lanes, the interpreter 25 ns.)
fn enough_to_compile(program: &Program, function: u32) -> u64 {
    let range = program.function_range(program.linked.functions[function as usize].start);
    1_000_000 + 20_000 * u64::from(range.end - range.start)
}

/// Loads or compiles the code of a function for some lanes, if there is none yet.
pub(crate) fn compile(
    compiled: &CompiledFunctions,
    program: &Arc<Program>,
    function: u32,
    kind: CodeKind,
    compiler: &dyn HostCompiler,
    request: Request,
) {
    let slot = &compiled.functions[function as usize][kind as usize];
    if slot.code.get().is_some() {
        return;
    }
    let code = match build(compiled, program, function, kind, compiler, request) {
        Ok(Some(code)) => Some(code),
        Ok(None) => return,
        Err(why) => {
            let name = &program.linked.functions[function as usize].name;
            let failures = &mut compiled.failures.lock().unwrap_or_else(PoisonError::into_inner);
            failures.push(format!("{name}: {why}"));
            None
        }
    };
    // Another thread may have been faster.
    let _ = slot.code.set(code);
}

fn build(
    compiled: &CompiledFunctions,
    program: &Arc<Program>,
    function: u32,
    kind: CodeKind,
    compiler: &dyn HostCompiler,
    request: Request,
) -> Result<Option<Code>, String> {
    let lanes = kind.lanes();
    let flow = Flow::new(program, function as usize, lanes == Lanes::All, kind == CodeKind::Linear);
    let flow = flow.ok_or("the function is too large")?;
    let kernels = program.linked.kernel_functions.iter().zip(&program.linked.kernels);
    let parameters = kernels.filter(|(number, _)| **number == function).map(|(_, kernel)| kernel.param_bytes);
    let Translation { text, caches } = translate(&flow, lanes, parameters.min().unwrap_or(0));
    let path = match (compiler.find(&text), request) {
        (Some(path), _) => path,
        (None, Request::Find) => return Ok(None),
        (None, Request::Compile) => compiler.compile(&text)?,
    };
    // SAFETY: the library is what the compiler made of the text, which has no initialisers.
    // (Functions that it lacks, where the processor lacks an instruction, are found missing now.)
    let library = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) }.map_err(|e| e.to_string())?;
    // SAFETY: the text defines the symbol with this type.
    let entry = unsafe { library.get::<Entry>(SYMBOL.as_bytes()) };
    let entry = *entry.map_err(|e| e.to_string())?;
    let number = compiled.codes.fetch_add(1, Ordering::Relaxed);
    let count = flow.blocks.last().map_or(0, |block| block.end) - flow.function().start;
    let longest_block = flow.blocks.iter().map(|block| block.end - block.start).max().unwrap_or(0);
    let start = flow.function().start;
    let place = |pc| {
        let begins = flow.block_at(pc).map(|block| block as u32);
        let after = flow.blocks.partition_point(|block| block.start <= pc);
        BlockPosition { begins, end: flow.blocks[after - 1].end }
    };
    let positions = (start..start + count).map(place).collect();
    let scalars = (0..count).map(|_| OnceLock::new()).collect();
    let keeps_scalars = (0..count).map(|_| OnceLock::new()).collect();
    let mut caches_by_instruction: Vec<(u32, usize)> =
        caches.iter().enumerate().map(|(number, &(pc, _))| (pc, number)).collect();
    caches_by_instruction.sort_unstable();
    let (mismatches, entered) = Default::default();
    Ok(Some(Code {
        _library: library,
        entry,
        lanes,
        number,
        flow,
        start,
        longest_block,
        caches,
        caches_by_instruction,
        positions,
        scalars,
        keeps_scalars,
        mismatches,
        entered,
    }))
}

//! Whether what is made of a region computes what the region does.
//!
//! Small inputs are drawn. The original, compiled by clang and executed on each, is the reference. What is made of it is
//! executed by the interpreter, with the iterations of parallel loops interleaved at random and a log of all accesses that
//! finds races, and, compiled, with each number of threads or on each device that is given.
//!
//! | file | what is in it |
//! |---|---|
//! | `inputs` | sizes, extents and values with which a region is defined |
//! | `program` | regions as functions of a C program |
//! | `process` | programs within limits of time and output |
//! | `executed` | a region and what is made of it, executed by the interpreter |
//! | `difference` | whether two memories hold the same |

mod difference;
mod executed;
mod inputs;
mod process;
mod program;

use std::{collections::BTreeMap, ops::Range, path::Path, process::Command};

use self::{executed::made_memory, program::execute_some};
use crate::{
    interpret::{self, IterationOrder, Memory, Options},
    ir::{Region, VariableId, located::Located},
    rules::FloatOrder,
};

pub use self::{
    difference::{Agreement, difference},
    executed::{Counterexample, Executed, counterexample, executed, is_changed},
    inputs::parameters,
    program::{Case, Overlap, compile, execute, input, output},
};

/// Instructions of the interpreter for one execution.
const STEPS: u64 = 10_000_000;

/// Inputs that differ in the last bit, of each input.
const NEARBY: u64 = 2;

/// Workers, for each seed of the interleavings another number.
const WORKERS: [i128; 3] = [3, 2, 7];

/// What is made of a region.
#[derive(Clone, Copy, Debug)]
pub struct Made<'m> {
    /// The region with parallel loops.
    pub region: &'m Region,
    /// The variable of the region that is the number of workers.
    pub workers: Option<VariableId>,
    /// The region as C.
    pub text: &'m str,
    /// Whether the interpreter executes it as the device or the threads do.
    pub interleaved: bool,
}

/// A region to be checked.
pub struct Check<'c> {
    /// The original.
    pub original: &'c Region,
    /// The original as C.
    pub text: &'c str,
    /// What is made of it.
    pub made: Made<'c>,
    /// What stands before both in a program.
    pub before: &'c str,
    /// How floats agree, and which values they have.
    pub order: FloatOrder,
    /// Whether floats that programs compute have the bits of the original, if the order says so.
    pub exact: bool,
    /// Sizes that are given.
    pub sizes: &'c BTreeMap<String, i64>,
    /// How many inputs there are.
    pub inputs: usize,
    /// A folder for programs.
    pub folder: &'c Path,
    /// The compiler of the original, with options.
    pub reference: &'c dyn Fn() -> Command,
    /// The compiler of what is made, with options.
    pub compiler: &'c dyn Fn() -> Command,
    /// How a program of it is executed, each with its name.
    pub runs: &'c dyn Fn(&Path) -> Vec<(String, Command)>,
}

/// What a check finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is equal.
    Equal {
        /// The inputs.
        inputs: usize,
        /// The interleavings of each.
        seeds: usize,
    },
    /// The first difference: the input, the execution, and what is wrong.
    Different(String),
    /// Why it cannot be checked.
    Unchecked(String),
}

impl Check<'_> {
    /// Checks the region.
    pub fn run(&self) -> Verdict {
        let options = Options { steps: STEPS, unknown_calls: true, ..Options::default() };
        let cases = match inputs::inputs(self.original, self.inputs, self.sizes, self.order, &options) {
            Ok(cases) => cases,
            Err(reason) => return Verdict::Unchecked(reason),
        };
        let count = cases.len();
        let (own, mut all) = (0..count, cases.clone());
        all.extend(inputs::overlapping(self.original, &cases));
        let mut compiled = self.compile_original(&all);
        if compiled.is_err() && all.len() > count {
            all.truncate(count);
            compiled = self.compile_original(&all);
        }
        let expected = match compiled.and_then(|()| self.execute_original(&all, own.clone())) {
            Ok(expected) => expected,
            Err(reason) => return Verdict::Unchecked(reason),
        };
        let nearby = self.nearby(&all, own.clone());
        let seeds = if self.made.interleaved { WORKERS.len() } else { 0 };
        // The interpreter executes what is parallel without the conditions in front of it.
        let is_usual =
            |case: &Case| !case.is_extreme && interpret::has_assumed(self.original, &case.memory, &options);
        let usual = cases.iter().zip(&expected).zip(&nearby).filter(|((case, _), _)| is_usual(case));
        for ((case, expected), nearby) in usual {
            for seed in 0..seeds {
                match self.interleaved(case, seed, &options) {
                    Ok((found, computed)) => {
                        let agreement = Agreement::Rounded(nearby);
                        let difference =
                            difference(self.original, expected, &found, agreement).filter(|_| computed);
                        if let Some(difference) = difference {
                            return differs(case, &format!("in interleaving {seed}, {difference}"));
                        }
                    }
                    Err(error) if interpret::is_limit(&error) => {
                        return Verdict::Unchecked(format!("with {}: {error}", case.label));
                    }
                    Err(error) => return differs(case, &error.to_string()),
                }
            }
        }
        let made = self.compile_made(&all);
        if let Err(different) = made.and_then(|()| self.executed(&all, own, &expected, &nearby)) {
            return Verdict::Different(different);
        }
        let overlapping = count..all.len();
        // An original that does not end with them says nothing.
        let mut inputs = count;
        if !overlapping.is_empty()
            && let Ok(expected) = self.execute_original(&all, overlapping.clone())
        {
            inputs = all.len();
            let nearby = self.nearby(&all, overlapping.clone());
            if let Err(different) = self.executed(&all, overlapping, &expected, &nearby) {
                return Verdict::Different(different);
            }
        }
        Verdict::Equal { inputs, seeds }
    }

    fn compile_original(&self, cases: &[Case]) -> Result<(), String> {
        let program = self.folder.join("original");
        compile((self.reference)(), cases, self.before, &|_| self.text.to_owned(), &program)
            .map_err(|error| reason(&error))
    }

    /// The memories after the original.
    fn execute_original(&self, cases: &[Case], which: Range<usize>) -> Result<Vec<Memory>, String> {
        execute_some(Command::new(self.folder.join("original")), cases, which).map_err(|error| reason(&error))
    }

    fn compile_made(&self, cases: &[Case]) -> Result<(), String> {
        let program = self.folder.join("made");
        compile((self.compiler)(), cases, self.before, &|_| self.made.text.to_owned(), &program)
            .map_err(|error| format!("it is not compiled: {}", reason(&error)))
    }

    /// For each input the memories after the original on inputs that differ in the last bit; none if floats keep their
    /// order, or if the original does not end with them.
    fn nearby(&self, cases: &[Case], which: Range<usize>) -> Vec<Vec<Memory>> {
        let mut nearby = vec![Vec::new(); which.len()];
        if self.order == FloatOrder::Kept {
            return nearby;
        }
        for seed in 0..NEARBY {
            let perturbed = |case: &Case| {
                let mut memory = case.memory.clone();
                memory.perturb(seed);
                Case { memory, ..case.clone() }
            };
            let cases: Vec<Case> = cases.iter().map(perturbed).collect();
            if let Ok(memories) = self.execute_original(&cases, which.clone()) {
                nearby.iter_mut().zip(memories).for_each(|(nearby, memory)| nearby.push(memory));
            }
        }
        nearby
    }

    /// The memory after an interleaving, and whether all that it has was computed.
    fn interleaved(&self, case: &Case, seed: usize, options: &Options) -> Result<(Memory, bool), Located> {
        let workers = self.made.workers.map(|workers| (workers, WORKERS[seed]));
        let mut memory = made_memory(self.original, self.made.region, workers, case, options)?;
        let order = IterationOrder::Interleaved(seed as u64);
        let options = Options { order, ..options.clone() };
        let counts = interpret::run(self.made.region, &mut memory, &options)?;
        Ok((memory, counts.unknown_calls == 0))
    }

    /// Executes the program of what is made.
    fn executed(
        &self,
        cases: &[Case],
        which: Range<usize>,
        expected: &[Memory],
        nearby: &[Vec<Memory>],
    ) -> Result<(), String> {
        let program = self.folder.join("made");
        let mut first: Option<Vec<Memory>> = None;
        for (name, command) in (self.runs)(&program) {
            let found = execute_some(command, cases, which.clone())
                .map_err(|error| format!("{name}: {}", reason(&error)))?;
            for (place, case) in cases[which.clone()].iter().enumerate() {
                let difference =
                    self.difference(&expected[place], &found[place], &nearby[place]).or_else(|| {
                        // The order that is fixed does not depend on the number of threads.
                        let other = first.as_ref().filter(|_| self.order == FloatOrder::Fixed)?;
                        let difference =
                            difference(self.original, &other[place], &found[place], Agreement::Bits)?;
                        Some(format!("{difference} as with another number of threads"))
                    });
                if let Some(difference) = difference {
                    return Err(format!("with {}, {name}: {difference}", case.label));
                }
            }
            first.get_or_insert(found);
        }
        Ok(())
    }

    fn difference(&self, expected: &Memory, found: &Memory, nearby: &[Memory]) -> Option<String> {
        let exact = self.exact && self.order == FloatOrder::Kept;
        let agreement = if exact { Agreement::Bits } else { Agreement::Rounded(nearby) };
        difference(self.original, expected, found, agreement)
    }
}

fn differs(case: &Case, what: &str) -> Verdict {
    Verdict::Different(format!("with {}, {what}", case.label))
}

/// What matters of a compiler's or a program's messages, in a line: what is missing, or the first error.
fn reason(messages: &str) -> String {
    let missing = messages.split_once("undefined reference to `").and_then(|(_, rest)| rest.split_once('\''));
    if let Some((name, _)) = missing {
        return format!("it calls `{name}`, which is only declared");
    }
    let mut lines = messages.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().find(|line| line.contains("error: ")).or(lines.next());
    first.unwrap_or_default().trim().to_owned()
}

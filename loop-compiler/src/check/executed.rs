//! A region executed by the interpreter, beside what is made of it.

use std::collections::BTreeMap;

use super::{
    difference::{Agreement, difference},
    inputs,
    program::Case,
};
use crate::{
    interpret::{self, Counts, IterationOrder, Memory, Options, Sizes},
    ir::{Node, Region, VariableId, located::Located, walk},
    rules::FloatOrder,
};

/// What an execution leaves.
#[derive(Debug)]
pub struct Executed {
    /// The input: sizes, or its number.
    pub label: String,
    /// What the execution of what is made took.
    pub counts: Counts,
    /// The memory after it.
    pub memory: Memory,
    /// The first value that is another one than after the original, as a sentence.
    pub difference: Option<String>,
}

/// Workers of parallel loops.
const WORKERS: i128 = 3;

/// Executes a region in sequence and what is made of it with the iterations of parallel loops interleaved, both on the same
/// input; sizes are drawn where they are not given.
///
/// # Errors
///
/// Why the region cannot be executed, or what is wrong with what is made of it: a race, an element that does not exist.
pub fn executed(
    original: &Region,
    made: &Region,
    workers: Option<VariableId>,
    sizes: &BTreeMap<String, i64>,
    order: FloatOrder,
) -> Result<Executed, String> {
    let options = Options::default();
    let mut cases = inputs::inputs(original, 1, sizes, order, &options)?;
    let case = cases.pop().ok_or("no input is drawn")?;
    let (expected, nearby) = in_sequence(original, &case, &options)?;
    let mut memory = made_memory(original, made, workers.map(|workers| (workers, WORKERS)), &case, &options)
        .map_err(|error| error.to_string())?;
    let options = Options { order: IterationOrder::Interleaved(0), ..options };
    let counts = interpret::run(made, &mut memory, &options).map_err(|error| error.to_string())?;
    let difference = difference(original, &expected, &memory, agreement(order, &nearby));
    Ok(Executed { label: case.label, counts, memory, difference })
}

/// The memory after a region in sequence, and that after it on an input that differs in the last bit, if it ends with that.
fn in_sequence(region: &Region, case: &Case, options: &Options) -> Result<(Memory, Vec<Memory>), String> {
    let mut expected = case.memory.clone();
    interpret::run(region, &mut expected, options).map_err(|error| error.to_string())?;
    let mut nearby = case.memory.clone();
    nearby.perturb(0);
    let nearby = interpret::run(region, &mut nearby, options).map(|_| nearby);
    Ok((expected, nearby.into_iter().collect()))
}

fn agreement(order: FloatOrder, nearby: &[Memory]) -> Agreement<'_> {
    match order {
        FloatOrder::Kept => Agreement::Bits,
        _ => Agreement::Rounded(nearby),
    }
}

/// Whether a region changes a variable, or elements of it.
pub fn is_changed(region: &Region, variable: VariableId) -> bool {
    walk(&region.body).flat_map(Node::changed).any(|changed| changed == variable)
}

/// The memory of what is made of a region, before it is executed with so many workers.
pub(super) fn made_memory(
    original: &Region,
    made: &Region,
    workers: Option<(VariableId, i128)>,
    case: &Case,
    options: &Options,
) -> Result<Memory, Located> {
    let mut sizes = Sizes::of(workers.map(|(workers, count)| (made.variable(workers).name.as_str(), count)));
    for (variable, members, cells) in case.memory.iter().filter(|(.., cells)| !cells.extents.is_empty()) {
        sizes.extents.insert(original.full_name(variable, members), cells.extents.clone());
    }
    let mut memory = Memory::new(made, &sizes, options)?;
    memory.copy_common(&case.memory);
    Ok(memory)
}

/// An input for which what is made of a region computes something else, or has a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The input, and what is wrong, as a sentence.
    pub what: String,
    /// Arrays of integers whose values decide which elements are accessed, if it is only wrong for some of them.
    pub depends_on: Vec<String>,
}

/// Interleavings of each input.
const SEEDS: u64 = 2;

/// Instructions of the interpreter for one of these executions; inputs that take more are left out.
const SHORT: u64 = 1_000_000;

/// Looks for an input for which what is made of a region computes something else than the region in sequence, as its parallel
/// loops are executed; first with different elements wherever elements are chosen by values.
///
/// # Errors
///
/// Why the region cannot be executed.
pub fn counterexample(
    original: &Region,
    made: &Region,
    sizes: &BTreeMap<String, i64>,
    wanted: usize,
    order: FloatOrder,
) -> Result<Option<Counterexample>, String> {
    let options = Options { unknown_calls: true, steps: SHORT, ..Options::default() };
    let cases = inputs::inputs(original, wanted, sizes, order, &options)?;
    // Several copies of what is executed once.
    let options = Options { steps: 16 * SHORT, ..options };
    let is_usual =
        |case: &&Case| !case.is_extreme && interpret::has_assumed(original, &case.memory, &options);
    let cases: Vec<Case> = cases.iter().filter(is_usual).cloned().collect();
    let chosen: Vec<(Case, Vec<String>)> =
        cases.iter().filter_map(|case| inputs::with_different_elements(case, &options)).collect();
    for (case, _) in &chosen {
        if let Some(what) = differs_for(original, made, case, order, &options)? {
            return Ok(Some(Counterexample { what, depends_on: Vec::new() }));
        }
    }
    for case in &cases {
        if let Some(what) = differs_for(original, made, case, order, &options)? {
            let depends_on = chosen.first().map(|(_, names)| names.clone()).unwrap_or_default();
            return Ok(Some(Counterexample { what, depends_on }));
        }
    }
    match cases.is_empty() {
        true => Err("no input that is drawn has what is assumed of it".into()),
        false => Ok(None),
    }
}

/// What is wrong for one input.
fn differs_for(
    original: &Region,
    made: &Region,
    case: &Case,
    order: FloatOrder,
    options: &Options,
) -> Result<Option<String>, String> {
    let (expected, nearby) = in_sequence(original, case, options)?;
    for seed in 0..SEEDS {
        let options = Options { order: IterationOrder::Interleaved(seed), ..options.clone() };
        let mut memory =
            made_memory(original, made, None, case, &options).map_err(|error| error.to_string())?;
        let found = match interpret::run(made, &mut memory, &options) {
            Err(error) if interpret::is_limit(&error) => return Err(error.to_string()),
            // Arrays are as large as the original needs them, which may stop at a condition.
            Err(error) if interpret::is_outside(&error) => None,
            Err(error) => Some(error.what),
            Ok(counts) => difference(original, &expected, &memory, agreement(order, &nearby))
                .filter(|_| counts.unknown_calls == 0),
        };
        if let Some(found) = found {
            return Ok(Some(format!("with {}, {found}", case.label)));
        }
    }
    Ok(None)
}

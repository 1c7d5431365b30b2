//! Regions as functions of a C program: the program reads the memory of each from its standard input, executes them, and
//! writes the memory to its standard output.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    ops::Range,
    path::Path,
    process::Command,
    time::Duration,
};

use super::process::{self, Finished};
use crate::{
    analysis::program::Program,
    c,
    interpret::{Cells, Memory},
    ir::{Node, Reference, Region, Step, Storage, VariableId, walk},
};

/// How long a compiler may take for a program, and a program for its cases.
const TIME: Duration = Duration::from_secs(120);

/// A region, and the memory before it is executed.
#[derive(Clone, Debug)]
pub struct Case {
    /// What messages call it.
    pub label: String,
    /// The region.
    pub region: Region,
    /// The memory.
    pub memory: Memory,
    /// Whether values are the extremes of their types.
    pub is_extreme: bool,
    /// Pointers into the same memory.
    pub overlap: Option<Overlap>,
}

impl Case {
    /// A region with memory of its own for each variable.
    pub fn new(label: String, region: Region, memory: Memory) -> Case {
        Case { label, region, memory, is_extreme: false, overlap: None }
    }
}

/// Two pointers into the same memory, as a program may call a function.
#[derive(Clone, Copy, Debug)]
pub struct Overlap {
    /// The one.
    pub first: VariableId,
    /// The other one.
    pub second: VariableId,
    /// By how many bytes the second is behind the first.
    pub bytes: i64,
}

/// Options without which compilers compute something else than what the tree says: integers wrap around, as they do in the
/// interpreter, and no operation is fused with another.
const OPTIONS: [&str; 4] = ["-w", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"];

/// Compiles the cases, with texts of their bodies behind what they need, as one program.
///
/// # Errors
///
/// What the compiler says, with all labels.
pub fn compile(
    mut compiler: Command,
    cases: &[Case],
    before: &str,
    text: &dyn Fn(&Case) -> String,
    program: &Path,
) -> Result<(), String> {
    let mut source = format!("{before}#include <stdio.h>\n#include <stdlib.h>\n");
    for (index, case) in cases.iter().enumerate() {
        let _ = write!(source, "// {}\n{}", case.label, function(case, &text(case), index));
    }
    // All, or those from one to before another.
    let count = cases.len();
    let _ = writeln!(source, "int main(int count, char **numbers) {{");
    let _ = writeln!(source, "  int first = count > 2 ? atoi(numbers[1]) : 0;");
    let _ = writeln!(source, "  int end = count > 2 ? atoi(numbers[2]) : {count};");
    for index in 0..count {
        let _ = writeln!(source, "  if (first <= {index} && {index} < end)\n    region_{index}();");
    }
    source += "  return 0;\n}\n";
    let file = program.with_extension("c");
    fs::write(&file, source).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    compiler.args(OPTIONS).arg(&file).arg("-o").arg(program).arg("-lm");
    let Finished { status, err, .. } = process::run(&mut compiler, Vec::new(), 0, TIME)?;
    if status.success() { Ok(()) } else { failed(cases, &err) }
}

fn failed<T>(cases: &[Case], what: &str) -> Result<T, String> {
    let labels: Vec<_> = cases.iter().map(|case| case.label.as_str()).collect();
    Err(format!("{what}\nin a program of {}", labels.join(", ")))
}

/// Executes some of the cases of a compiled program; the memory of each.
pub(super) fn execute_some(
    mut command: Command,
    cases: &[Case],
    which: Range<usize>,
) -> Result<Vec<Memory>, String> {
    command.args([which.start, which.end].map(|number| number.to_string()));
    execute(command, &cases[which]).map(|(memories, _)| memories)
}

/// Executes a compiled program; the memory of each case, and what the program says on standard error.
///
/// # Errors
///
/// How the program ended, if not with success, and what it said.
pub fn execute(mut command: Command, cases: &[Case]) -> Result<(Vec<Memory>, String), String> {
    let input = input(cases);
    let bytes = input.len();
    let Finished { status, out, err } = process::run(&mut command, input, bytes + 1, TIME)?;
    if !status.success() {
        return failed(cases, &format!("the program ended with {status}: {err}"));
    }
    Ok((output(cases, &out)?, err))
}

/// What a compiled program reads: the memory of each case, in order.
pub fn input(cases: &[Case]) -> Vec<u8> {
    cases.iter().flat_map(|case| case.memory.iter()).flat_map(|(.., cells)| cells.bytes.clone()).collect()
}

/// The memory of each case from what a compiled program wrote.
///
/// # Errors
///
/// If the number of bytes is another than the program reads.
pub fn output(cases: &[Case], out: &[u8]) -> Result<Vec<Memory>, String> {
    if out.len() != input(cases).len() {
        return failed(cases, "the program wrote another number of bytes than it read");
    }
    let mut rest = out;
    let mut memories = Vec::new();
    for case in cases {
        let mut memory = case.memory.clone();
        for (variable, members, cells) in case.memory.iter() {
            let (bytes, after) = rest.split_at(cells.bytes.len());
            let members: Vec<&str> = members.iter().map(String::as_str).collect();
            if let Some(to) = memory.bytes_mut(variable, &members) {
                to.copy_from_slice(bytes);
            }
            rest = after;
        }
        memories.push(memory);
    }
    Ok(memories)
}

/// A scalar or an array of scalars in a variable.
struct Leaf<'c> {
    members: &'c [String],
    /// Subscripts before the first member, between the members, and after the last.
    subscripts: Vec<usize>,
    cells: &'c Cells,
}

/// The function of a case, which reads and writes the variables in the memory's order.
fn function(case: &Case, body: &str, index: usize) -> String {
    let shapes = shapes(&case.region);
    let mut variables: BTreeMap<VariableId, Vec<Leaf<'_>>> = BTreeMap::new();
    for (variable, members, cells) in case.memory.iter() {
        let shape = shapes.get(&(variable, members.to_vec()));
        let subscripts = shape.cloned().unwrap_or_else(|| vec![cells.extents.len()]);
        variables.entry(variable).or_default().push(Leaf { members, subscripts, cells });
    }
    let mut text = format!("static void region_{index}(void) {{\n");
    let (mut reads, mut writes) = (String::new(), String::new());
    // Pointers that the original declares have the name of a structure.
    let mut named: BTreeMap<String, Vec<(&Leaf<'_>, usize, usize)>> = BTreeMap::new();
    for (variable, leaves) in &variables {
        let members = leaves.iter().filter(|leaf| !leaf.members.is_empty());
        if let Some(structure) = structure_name(&case.region.variable(*variable).declared_type) {
            named.entry(structure).or_default().extend(members.map(|leaf| (leaf, 1, leaf.subscripts[0])));
        }
    }
    named.retain(|_, leaves| !leaves.is_empty());
    for (name, leaves) in &named {
        let members = members(leaves);
        let _ = match name.starts_with("struct ") {
            true => writeln!(text, "  {name} {members};"),
            false => writeln!(text, "  typedef struct {members} {name};"),
        };
    }
    if let Some(Overlap { bytes, .. }) = case.overlap {
        let all: usize = case.memory.iter().map(|(.., cells)| cells.bytes.len()).sum();
        let bytes = bytes.unsigned_abs() + all as u64;
        let _ = writeln!(text, "  static _Alignas(64) char both_memory[{bytes}];");
    }
    for (variable, leaves) in &variables {
        let name = &case.region.variable(*variable).name;
        let structure = structure_name(&case.region.variable(*variable).declared_type);
        let structure = structure.filter(|name| named.contains_key(name));
        let parts: Vec<(&Leaf<'_>, usize, usize)> = leaves.iter().map(|leaf| (leaf, 0, 0)).collect();
        let declaration = |name: &str| declaration(name, &parts, structure.as_deref());
        let is_pointer =
            matches!(case.region.variable(*variable).storage, Storage::Parameter | Storage::Pointer);
        let overlap = case.overlap.filter(|overlap| [overlap.first, overlap.second].contains(variable));
        if let Some(Overlap { first, bytes, .. }) = overlap {
            let place = if (*variable == first) == (bytes < 0) { bytes.unsigned_abs() } else { 0 };
            let _ = writeln!(text, "  static {};", declaration(&format!("{name}_memory")));
            let _ =
                writeln!(text, "  __typeof__({name}_memory[0]) *{name} = (void *) (both_memory + {place});");
        } else if is_pointer
            && leaves.iter().all(|leaf| leaf.subscripts.first().is_some_and(|count| *count > 0))
        {
            // As the function has it: a pointer, which OpenMP's clauses copy.
            let memory = format!("{name}_memory");
            let _ = writeln!(text, "  static {};", declaration(&memory));
            let _ = writeln!(text, "  __typeof__({memory}[0]) *{name} = {memory};");
        } else {
            let _ = writeln!(text, "  static {};", declaration(name));
        }
        for leaf in leaves {
            let (loops, cell) = each_cell(name, leaf);
            let _ = writeln!(reads, "  {loops}if (fread(&{cell}, sizeof {cell}, 1, stdin) != 1) exit(1);");
            let _ = writeln!(writes, "  {loops}if (fwrite(&{cell}, sizeof {cell}, 1, stdout) != 1) exit(1);");
        }
    }
    // Loops of the original may use iterators of the function, which the tree's loops declare.
    let named = |name: &str| variables.keys().any(|variable| case.region.variable(*variable).name == name);
    let loops = Program::new(&case.region, BTreeMap::new()).loops.into_iter();
    let iterators: BTreeMap<_, _> = loops
        .filter(|facts| facts.node.declares)
        .map(|facts| case.region.variable(facts.node.iterator))
        .map(|variable| (&*variable.name, variable.scalar))
        .collect();
    // What the tree stores is as the original has it.
    let stores = |name: &str| {
        let targets = walk(&case.region.body).filter_map(Node::target);
        targets
            .filter(|target| target.path.is_empty())
            .any(|target| case.region.variable(target.variable).name == name)
    };
    let changed = case.region.changed_for_nobody.iter().filter(|(name, _)| !stores(name));
    let changed: Vec<&(String, String)> = changed.collect();
    let is_changed = |name: &str| changed.iter().any(|(other, _)| other == name);
    for (name, scalar) in iterators.into_iter().filter(|(name, _)| !named(name) && !is_changed(name)) {
        let _ = writeln!(text, "  {} {name};", scalar.c_name());
    }
    let (mut before, mut after) = (String::new(), String::new());
    let defined = &case.region.defined_before;
    let names = changed.iter().map(|(name, type_name)| (name, type_name));
    let names: BTreeSet<_> =
        names.chain(defined.iter().map(|(name, type_name, _)| (name, type_name))).collect();
    for (name, type_name) in names {
        if named(name) && stores(name) {
            continue;
        }
        if named(name) {
            // The other program may leave it as it is.
            let _ = writeln!(before, "  __typeof__({name}) {name}_before = {name};");
            let _ = writeln!(after, "  {name} = {name}_before;");
        } else {
            let _ = writeln!(text, "  {};", c::declaration(type_name, name));
        }
    }
    for (name, _, value) in defined {
        let _ = writeln!(before, "  {name} = {value};");
    }
    text + &reads + &before + body + &after + &writes + "}\n"
}

/// The name of a structure in a declared type: of `const struct body *restrict` `struct body`. `double` looks like one, too.
fn structure_name(declared: &str) -> Option<String> {
    let words = declared.split(['*', '[', '(']).next()?.split_whitespace();
    let name: Vec<&str> = words.filter(|word| !matches!(*word, "const" | "static" | "restrict")).collect();
    let is_name = |word: &str| word.chars().all(|c| c == '_' || c.is_alphanumeric());
    match name[..] {
        ["struct", tag] if is_name(tag) => Some(format!("struct {tag}")),
        [word] if is_name(word) => Some(word.to_owned()),
        _ => None,
    }
}

/// How C declares a part of a variable, of a structure by its name if that is known; of each leaf, so many members and
/// subscripts are those of parts around.
fn declaration(name: &str, leaves: &[(&Leaf<'_>, usize, usize)], structure: Option<&str>) -> String {
    let (first, level, before) = leaves[0];
    let own = first.subscripts[level];
    let extent =
        |at: usize| leaves.iter().map(|(leaf, ..)| leaf.cells.extents[before + at]).max().unwrap_or(0);
    let extents: String = (0..own).map(|at| format!("[{}]", extent(at))).collect();
    if first.members.len() == level {
        return format!("{} {name}{extents}", first.cells.scalar.c_name());
    }
    match structure {
        Some(structure) => format!("{structure} {name}{extents}"),
        None => {
            let inside: Vec<_> =
                leaves.iter().map(|(leaf, level, before)| (*leaf, level + 1, before + own)).collect();
            format!("struct {} {name}{extents}", members(&inside))
        }
    }
}

/// The members of a structure with these leaves, in braces.
fn members(leaves: &[(&Leaf<'_>, usize, usize)]) -> String {
    let mut members: BTreeMap<&str, Vec<(&Leaf<'_>, usize, usize)>> = BTreeMap::new();
    for leaf in leaves {
        members.entry(&leaf.0.members[leaf.1 - 1]).or_default().push(*leaf);
    }
    let members: String =
        members.iter().map(|(name, leaves)| declaration(name, leaves, None) + "; ").collect();
    format!("{{ {members}}}")
}

/// Loops over the cells of a leaf, and the cell.
fn each_cell(name: &str, leaf: &Leaf<'_>) -> (String, String) {
    let (mut loops, mut cell, mut next) = (String::new(), format!("({name}"), 0);
    for (level, subscripts) in leaf.subscripts.iter().enumerate() {
        if level > 0 {
            let _ = write!(cell, ".{}", leaf.members[level - 1]);
        }
        for _ in 0..*subscripts {
            let _ = write!(
                loops,
                "for (long at_{next} = 0; at_{next} < {}; at_{next}++) ",
                leaf.cells.extents[next]
            );
            let _ = write!(cell, "[at_{next}]");
            next += 1;
        }
    }
    (loops, cell + ")")
}

/// By variable and members: the subscripts before the first member, between the members, and after the last.
fn shapes(region: &Region) -> BTreeMap<(VariableId, Vec<String>), Vec<usize>> {
    let of = |reference: &Reference| {
        let mut subscripts = vec![0];
        for step in &reference.path {
            match step {
                Step::Index(_) => subscripts.last_mut().into_iter().for_each(|last| *last += 1),
                Step::Member(_) => subscripts.push(0),
            }
        }
        ((reference.variable, reference.members().map(str::to_owned).collect()), subscripts)
    };
    walk(&region.body).flat_map(Node::references).map(of).collect()
}

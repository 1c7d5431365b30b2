//! Regions as functions of a C program: the program reads the memory of each from its standard input, executes them, and
//! writes the memory to its standard output.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    thread,
};

use loop_compiler::{
    c,
    interpret::{Cells, Memory},
    tree::{Expression, Node, Reference, Region, Step, Storage, VariableId},
    types::Scalar,
};

/// A region, and the memory before it is executed.
pub struct Case {
    pub label: String,
    pub region: Region,
    pub memory: Memory,
}

const HEADERS: [&str; 7] =
    ["complex.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h"];

/// Compiles the cases as one program, executes it, and returns the memory of each case.
///
/// # Errors
///
/// What clang or the program says, with all labels.
pub fn by_clang(cases: &[Case], options: &[&str], folder: &Path, stem: &str) -> Result<Vec<Memory>, String> {
    compiled(cases, options, folder, stem)?;
    ran(cases, &[], folder, stem)
}

/// Compiles the cases as one program.
pub fn compiled(cases: &[Case], options: &[&str], folder: &Path, stem: &str) -> Result<(), String> {
    // Names of types are the source's.
    let text = |case: &Case| {
        let mut region = case.region.clone();
        region.variables.iter_mut().for_each(|variable| variable.declared_type.clear());
        c::print(&region, 2)
    };
    compiled_by(Command::new("clang-22"), cases, &text, options, folder, stem)
}

/// Compiles the cases, with texts of their bodies, as one program.
pub fn compiled_by(
    mut compiler: Command,
    cases: &[Case],
    text: &dyn Fn(&Case) -> String,
    options: &[&str],
    folder: &Path,
    stem: &str,
) -> Result<(), String> {
    let mut program: String = HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect();
    for (index, case) in cases.iter().enumerate() {
        let _ = write!(program, "// {}\n{}", case.label, function(case, text(case), index));
    }
    program += "int main(void) {\n";
    for index in 0..cases.len() {
        let _ = writeln!(program, "  region_{index}();");
    }
    program += "  return 0;\n}\n";
    let (source, executable) = (folder.join(format!("{stem}.c")), folder.join(stem));
    fs::write(&source, program).unwrap();
    let compiled = compiler
        .args(["-std=gnu2x", "-w", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"])
        .args(options)
        .arg(&source)
        .arg("-o")
        .arg(&executable)
        .arg("-lm")
        .output()
        .unwrap();
    if !compiled.status.success() {
        return failed(cases, &String::from_utf8_lossy(&compiled.stderr));
    }
    Ok(())
}

fn failed<T>(cases: &[Case], what: &str) -> Result<T, String> {
    let labels: Vec<_> = cases.iter().map(|case| case.label.as_str()).collect();
    Err(format!("{what}\nin a program of {}", labels.join(", ")))
}

/// Executes a compiled program.
pub fn ran(
    cases: &[Case],
    environment: &[(&str, &str)],
    folder: &Path,
    stem: &str,
) -> Result<Vec<Memory>, String> {
    let mut command = Command::new(folder.join(stem));
    command.envs(environment.iter().copied());
    Ok(ran_by(command, cases)?.0)
}

/// Executes a compiled program; the memory of each case, and what the program says on standard error.
pub fn ran_by(mut command: Command, cases: &[Case]) -> Result<(Vec<Memory>, String), String> {
    let mut input = Vec::new();
    for case in cases {
        case.memory.iter().for_each(|(.., cells)| input.extend_from_slice(&cells.bytes));
    }
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let ended = child.wait_with_output().unwrap();
    let written = writer.join().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    if !ended.status.success() || written.is_err() {
        return failed(cases, &format!("the program ended with {}: {said}", ended.status));
    }
    let mut rest = ended.stdout.as_slice();
    let mut memories = Vec::new();
    for case in cases {
        let mut memory = case.memory.clone();
        for (variable, members, cells) in case.memory.iter() {
            let Some((bytes, after)) = rest.split_at_checked(cells.bytes.len()) else {
                return failed(cases, "the program wrote too few bytes");
            };
            let members: Vec<&str> = members.iter().map(String::as_str).collect();
            memory.bytes_mut(variable, &members).unwrap().copy_from_slice(bytes);
            rest = after;
        }
        memories.push(memory);
    }
    assert!(rest.is_empty(), "the program wrote {} bytes too many", rest.len());
    Ok((memories, said))
}

/// A scalar or an array of scalars in a variable.
struct Leaf<'c> {
    members: &'c [String],
    /// Subscripts before the first member, between the members, and after the last.
    subscripts: Vec<usize>,
    cells: &'c Cells,
}

/// The function of a case, which reads and writes the variables in the memory's order.
fn function(case: &Case, body: String, index: usize) -> String {
    let shapes = shapes(&case.region);
    let mut variables: BTreeMap<VariableId, Vec<Leaf<'_>>> = BTreeMap::new();
    for (variable, members, cells) in case.memory.iter() {
        let shape = shapes.get(&(variable, members.to_vec()));
        let subscripts = shape.cloned().unwrap_or_else(|| vec![cells.extents.len()]);
        variables.entry(variable).or_default().push(Leaf { members, subscripts, cells });
    }
    let mut text = format!("static void region_{index}(void) {{\n");
    let (mut reads, mut writes) = (String::new(), String::new());
    for (variable, leaves) in &variables {
        let name = &case.region.variable(*variable).name;
        let parts: Vec<(&Leaf<'_>, usize, usize)> = leaves.iter().map(|leaf| (leaf, 0, 0)).collect();
        let is_pointer =
            matches!(case.region.variable(*variable).storage, Storage::Parameter | Storage::Pointer);
        if is_pointer && leaves[0].subscripts[0] > 0 {
            // As the function has it: a pointer, which OpenMP's clauses copy.
            let memory = format!("{name}_memory");
            let _ = writeln!(text, "  static {};", declaration(&memory, &parts));
            let _ = writeln!(text, "  __typeof__({memory}[0]) *{name} = {memory};");
        } else {
            let _ = writeln!(text, "  static {};", declaration(name, &parts));
        }
        for leaf in leaves {
            let (loops, cell) = each_cell(name, leaf);
            let _ = writeln!(reads, "  {loops}if (fread(&{cell}, sizeof {cell}, 1, stdin) != 1) exit(1);");
            let _ = writeln!(writes, "  {loops}if (fwrite(&{cell}, sizeof {cell}, 1, stdout) != 1) exit(1);");
        }
    }
    text + &reads + &body + &writes + "}\n"
}

/// How C declares a part of a variable; of each leaf, so many members and subscripts are those of parts around.
fn declaration(name: &str, leaves: &[(&Leaf<'_>, usize, usize)]) -> String {
    let (first, level, before) = leaves[0];
    let own = first.subscripts[level];
    let extent =
        |at: usize| leaves.iter().map(|(leaf, ..)| leaf.cells.extents[before + at]).max().unwrap_or(0);
    let extents: String = (0..own).map(|at| format!("[{}]", extent(at))).collect();
    if first.members.len() == level {
        return format!("{} {name}{extents}", first.cells.scalar.c_name());
    }
    let mut members: BTreeMap<&str, Vec<(&Leaf<'_>, usize, usize)>> = BTreeMap::new();
    for (leaf, level, before) in leaves {
        members.entry(&leaf.members[*level]).or_default().push((leaf, level + 1, before + own));
    }
    let members: String = members.iter().map(|(name, leaves)| declaration(name, leaves) + "; ").collect();
    format!("struct {{ {members}}} {name}{extents}")
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
    let mut found = BTreeMap::new();
    let mut add = |reference: &Reference| {
        let mut subscripts = vec![0];
        for step in &reference.path {
            match step {
                Step::Index(_) => *subscripts.last_mut().unwrap() += 1,
                Step::Member(_) => subscripts.push(0),
            }
        }
        found.insert((reference.variable, reference.members().map(str::to_owned).collect()), subscripts);
    };
    visit(&region.body, &mut add);
    found
}

fn visit(nodes: &[Node], add: &mut impl FnMut(&Reference)) {
    let value = |expression: &Expression, add: &mut dyn FnMut(&Reference)| {
        expression.visit_reads(&mut |reference| add(reference));
    };
    for node in nodes {
        match node {
            Node::Loop(looped) => {
                [&looped.lower, &looped.condition, &looped.step]
                    .into_iter()
                    .for_each(|part| value(part, add));
                visit(&looped.body, add);
            }
            Node::If(guard) => {
                value(&guard.condition, add);
                visit(&guard.then, add);
                visit(&guard.otherwise, add);
            }
            Node::Statement(statement) => {
                add(&statement.target);
                statement.target.subscripts().for_each(|subscript| value(subscript, add));
                value(&statement.value, add);
            }
            Node::Declaration(declaration) => declaration.value.iter().for_each(|part| value(part, add)),
            Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => {}
        }
    }
}

/// The cases in groups of at most so many, each in its order.
pub fn groups(mut cases: Vec<Case>, most: usize) -> Vec<Vec<Case>> {
    let mut groups = Vec::new();
    while !cases.is_empty() {
        let rest = cases.split_off(cases.len().min(most));
        groups.push(std::mem::replace(&mut cases, rest));
    }
    groups
}

/// Values that differ by more than rounding in another order explains; variables are compared by name.
pub fn difference(original: &Region, expected: &Memory, found: &Memory) -> Option<String> {
    for (variable, members, cells) in expected.iter() {
        let name = &original.variable(variable).name;
        let name = members.iter().fold(name.clone(), |name, member| name + "." + member);
        let (Some(wanted), Some(values)) = (expected.values(&name), found.values(&name)) else {
            return Some(format!("`{name}` is missing"));
        };
        let epsilon = match cells.scalar {
            Scalar::Float { bits: 32 } | Scalar::Complex { bits: 32 } => f64::from(f32::EPSILON),
            Scalar::Float { .. } | Scalar::Complex { .. } => f64::EPSILON,
            _ => 0.0,
        };
        let most =
            wanted.iter().filter(|value| value.is_finite()).fold(1.0f64, |most, value| most.max(value.abs()));
        // Some hundred additions, each with half a unit in the last place.
        let bound = 200.0 * epsilon * most;
        for (index, (wanted, value)) in wanted.iter().zip(&values).enumerate() {
            let equal =
                wanted == value || wanted.is_nan() && value.is_nan() || (wanted - value).abs() <= bound;
            if !equal {
                return Some(format!("`{name}` at {index} is {value}, and not {wanted}"));
            }
        }
    }
    None
}

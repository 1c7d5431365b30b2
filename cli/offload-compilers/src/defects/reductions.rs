//! Reductions of arrays and structs whose size is not a multiple of 4 bytes.
//!
//! clang moves a private copy from lane to lane in parts of 8, 4, 2 and 1 bytes. A part of 2 or 1 bytes of an array, struct
//! or class comes back as 4 bytes, and clang stores all of them: behind the end of the copy. LLVM removes such a store.
//! Whether a program has one depends on its types, so clang is asked: its IR before any optimisation shows it.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};

use super::text::{directive, without_comments};
use crate::arguments::takes_word;

/// The type in LLVM IR of a private copy behind whose end clang stores, if a file of C or C++ has one. `compiler` has what
/// the compilation needs besides `arguments`, of which `source` is one. A file that does not compile has none: clang will
/// say why.
pub fn stored_behind(mut compiler: Command, arguments: &[OsString], source: &OsStr) -> Option<String> {
    compiler
        .args(reading(arguments, source))
        .args(["--offload-device-only", "-S", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes", "-w"])
        .args(["-o", "-"])
        .stderr(Stdio::null());
    let output = compiler.output().ok()?;
    stored_behind_in(&String::from_utf8_lossy(&output.stdout))
}

/// The arguments without other files and outputs.
fn reading(arguments: &[OsString], source: &OsStr) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let word = argument.to_string_lossy();
        match &*word {
            "-o" | "-MF" | "-MT" | "-MQ" | "-Xlinker" => {
                arguments.next();
            }
            option if takes_word(option) => {
                kept.extend([argument].into_iter().chain(arguments.next()).cloned());
            }
            "-c" | "-S" | "-E" | "-emit-llvm" => {}
            word if word.starts_with("-M") || word.starts_with("-l") || word.starts_with("-o") => {}
            word if word.starts_with('-') || argument == source => kept.push(argument.clone()),
            _ => {}
        }
    }
    kept
}

/// As [`stored_behind`], of LLVM IR.
fn stored_behind_in(ir: &str) -> Option<String> {
    let mut functions = ir.split("\ndefine ").filter(|text| {
        let line = text.lines().next().unwrap_or_default();
        line.contains("_omp_reduction_shuffle_and_reduce_func")
    });
    functions.find_map(|function| {
        // Parts of 1 and 2 bytes, what came back of them, and the types of copies by the addresses of their parts.
        let (mut narrow, mut shuffled) = (HashSet::new(), HashSet::new());
        let mut types: HashMap<&str, &str> = HashMap::new();
        for line in function.lines().map(str::trim).take_while(|line| *line != "}") {
            let words: Vec<&str> = line.split([' ', ',', '(', ')']).filter(|word| !word.is_empty()).collect();
            match &words[..] {
                [name, "=", "alloca", ..] => {
                    let ty = line.split_once("alloca ").and_then(|(_, rest)| rest.rsplit_once(", align"));
                    types.extend(ty.map(|(ty, _)| (*name, ty)));
                }
                [name, "=", "getelementptr", .., "ptr", base, _, _] => {
                    let ty = types.get(base).copied();
                    types.extend(ty.map(|ty| (*name, ty)));
                }
                [name, "=", "sext" | "zext", "i8" | "i16", _, "to", "i32", ..] => {
                    narrow.insert(*name);
                }
                [name, "=", "call", "i32", "@__kmpc_shuffle_int32", "i32", part, ..]
                    if narrow.contains(part) =>
                {
                    shuffled.insert(*name);
                }
                ["store", "i32", value, "ptr", place, ..] if shuffled.contains(value) => {
                    return Some(types.get(place).copied().unwrap_or("an unknown type").to_owned());
                }
                _ => {}
            }
        }
        None
    })
}

/// The lines of directives that may reduce arrays or structs: with a user's operator, or of a variable that the text
/// subscripts.
pub fn candidates(text: &str) -> Vec<usize> {
    let text = without_comments(text);
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(directive) = directive(line, &mut lines) else { continue };
        if directive.trim_start().starts_with("declare") {
            continue;
        }
        let clauses =
            directive.split("reduction").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('('));
        if clauses
            .filter_map(|clause| clause.split_once(':'))
            .any(|(operator, list)| may_be_wide(&text, operator, list))
        {
            found.push(number + 1);
        }
    }
    found
}

fn may_be_wide(text: &str, operator: &str, list: &str) -> bool {
    let operator = operator.rsplit(',').next().unwrap_or_default().trim();
    if !["+", "-", "*", "&", "|", "^", "&&", "||", "and", "or", "min", "max"].contains(&operator) {
        return true;
    }
    let variables = list.split(')').next().unwrap_or_default();
    variables.contains('[') || variables.split(',').any(|variable| is_subscripted(text, variable.trim()))
}

/// Whether the text has the name with a bracket behind it.
fn is_subscripted(text: &str, name: &str) -> bool {
    let part_of_a_name = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            !text[..at].ends_with(part_of_a_name) && text[at + name.len()..].trim_start().starts_with('[')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_that_may_reduce_arrays_and_structs_are_found() {
        let found = |directive: &str| candidates(&format!("char c[3], d;\n{directive}\nfor (;;) c [0]++;\n"));
        for directive in [
            "#pragma omp target teams reduction(+:c)",
            "#pragma omp parallel reduction(+ : x) reduction(max: d, c)",
            "#pragma omp parallel reduction(task, + : x[:3])",
            "# pragma omp parallel for \\\n reduction(merge : x)",
        ] {
            assert_eq!(found(directive), [2], "{directive}");
        }
        for directive in [
            "#pragma omp parallel reduction(+ : d)",
            "#pragma omp parallel firstprivate(c)",
            "#pragma omp declare reduction(add : T : f(omp_out)) initializer(g(omp_priv[0]))",
            "// #pragma omp parallel reduction(+ : c)",
        ] {
            assert!(found(directive).is_empty(), "{directive}");
        }
    }

    #[test]
    fn what_clang_reads_are_the_arguments_without_outputs_and_other_files() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let kept = reading(
            &words("-O2 -c -I include a.c -DX=1 b.c m.o -lm -o out -MD -MF deps -Xclang -x -x c"),
            OsStr::new("b.c"),
        );
        assert_eq!(kept, words("-O2 -I include -DX=1 b.c -Xclang -x -x c"));
    }
}

//! The nests of `tests/nests`: reductions and classes of loops are those that their comments say.

mod common;

use std::{collections::BTreeMap, fs, path::Path};

use loop_compiler::{Options, analyze};

/// What the comments of one line say.
#[derive(Debug, Default)]
struct Expected {
    loops: Vec<String>,
    reduction: Option<String>,
    no_reduction: Option<String>,
    rejected: Option<String>,
}

/// The rule of a comment's word.
fn rule_of(word: &str) -> &str {
    match word {
        "operator" => "operators",
        "recurrence" | "read" => "scans",
        rule => rule,
    }
}

fn expected(text: &str) -> BTreeMap<u32, Expected> {
    let mut lines = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//") else { continue };
        let mut found = Expected::default();
        for part in comment.split(';') {
            let Some((key, value)) = part.split_once(':') else { continue };
            let value = value.trim().to_string();
            match key.trim() {
                "loop" => found.loops = value.split(',').map(|class| class.trim().to_string()).collect(),
                "reduction" => found.reduction = Some(value),
                "no reduction" => found.no_reduction = Some(value),
                "rejected" => found.rejected = Some(value),
                _ => continue,
            }
        }
        lines.insert(index as u32 + 1, found);
    }
    lines
}

/// Differences between a nest's comments and its analysis, and how many reductions it has and how many are found.
fn differences(path: &Path, definitions: &[&str]) -> (Vec<String>, usize, usize) {
    let text = fs::read_to_string(path).unwrap();
    let expected = expected(&text);
    let mut found = Vec::new();
    let (mut reductions, mut detected) = (0, 0);
    let file = match common::read(path, definitions) {
        Ok(file) => file,
        Err(error) => return (vec![error.to_string()], 0, 0),
    };
    let mut loops: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    let mut statements: BTreeMap<u32, Vec<(Option<&str>, String)>> = BTreeMap::new();
    let rejected: Vec<_> = file
        .regions
        .iter()
        .filter(|region| region.tree.is_err())
        .map(|region| region.bytes.clone())
        .collect();
    let is_inside = |bytes: &std::ops::Range<usize>| {
        rejected.iter().any(|around| around.start < bytes.start && bytes.end <= around.end)
    };
    // Loops of what is rejected as a whole have no comments.
    for region in file.regions.iter().filter(|region| !is_inside(&region.bytes)) {
        let rejected = expected.get(&region.at.line).and_then(|line| line.rejected.clone());
        match (&region.tree, rejected) {
            (Err(rejection), Some(rule)) if rejection.rule.name() == rule => {}
            (Err(rejection), rejected) => found.push(format!("rejected: {rejection}; expected {rejected:?}")),
            (Ok(_), Some(rule)) => found.push(format!("not rejected: {rule}")),
            (Ok(tree), None) => match analyze(tree, &Options::default()) {
                Ok(analysis) => {
                    for looped in &analysis.loops {
                        loops.entry(looped.at.line).or_default().push(looped.class.name());
                    }
                    for statement in &analysis.statements {
                        let reduction = statement.reduction.map(|operator| operator.name());
                        let reason =
                            statement.reason.as_ref().map(|(rule, _)| rule.name()).unwrap_or_default();
                        statements.entry(statement.at.line).or_default().push((reduction, reason.into()));
                    }
                }
                Err(error) => found.push(error.to_string()),
            },
        }
    }
    for (line, expected) in &expected {
        let classes = loops.remove(line).unwrap_or_default();
        if classes != expected.loops {
            found.push(format!("line {line}: loops are {classes:?}; expected {:?}", expected.loops));
        }
        let stored = statements.remove(line).unwrap_or_default();
        let operators: Vec<_> = stored.iter().filter_map(|(operator, _)| *operator).collect();
        reductions += usize::from(expected.reduction.is_some());
        detected += usize::from(
            operators.first().copied() == expected.reduction.as_deref() && expected.reduction.is_some(),
        );
        if operators.first().copied() != expected.reduction.as_deref() {
            found.push(format!(
                "line {line}: the reduction is {operators:?} {stored:?}; expected {:?}",
                expected.reduction
            ));
        }
        if let Some(rule) = &expected.no_reduction
            && !stored.iter().any(|(_, reason)| reason == rule_of(rule))
        {
            found.push(format!("line {line}: the reason is {stored:?}; expected {rule}"));
        }
    }
    for (line, classes) in loops {
        found.push(format!("line {line}: loops {classes:?} without a comment"));
    }
    for (line, stored) in statements {
        if stored.iter().any(|(operator, _)| operator.is_some()) {
            found.push(format!("line {line}: a reduction {stored:?} without a comment"));
        }
    }
    (found, reductions, detected)
}

#[test]
fn reductions_and_classes_are_the_expected_ones() {
    let nests = common::nests(&[]);
    let found = common::in_parallel(&nests, |path| differences(path, &["-DVARIABLE"]));
    let (mut wrong, mut reductions, mut detected) = (Vec::new(), 0, 0);
    for (path, (found, of_nest, of_analysis)) in nests.iter().zip(found) {
        reductions += of_nest;
        detected += of_analysis;
        wrong.extend(found.into_iter().map(|difference| format!("{}: {difference}", common::name(path))));
    }
    println!("{} nests, {detected} of {reductions} reductions", nests.len());
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

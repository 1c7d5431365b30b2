//! Everything that is known of one line, in sentences.

use std::fmt::Write;

use super::{
    RegionReport, Report,
    remark::{self, remarks},
};
use crate::{
    Class,
    decide::search::Considered,
    parallelize::{Alternative, Searched},
    transform::{
        simplify::Simplification,
        strategies::{InnermostReduction, Strategy},
    },
};

impl Report {
    /// What is known of the loops and statements of a line of a file; `None` if nothing is.
    pub fn explain(&self, line: u32) -> Option<String> {
        let mut out = String::new();
        for file in &self.files {
            let mut sentences = Vec::new();
            for region in &file.regions {
                sentences.extend(self.sentences(region, line));
            }
            if !sentences.is_empty() {
                let _ = writeln!(out, "{}:{line}: {}", file.name(), file.line(line).trim());
                for sentence in sentences {
                    let _ = writeln!(out, "- {sentence}");
                }
            }
        }
        (!out.is_empty()).then_some(out)
    }

    /// The lines of which something is known, for a hint.
    pub fn known_lines(&self) -> Vec<u32> {
        let mut lines: Vec<u32> = self
            .regions()
            .flat_map(|region| {
                let analysis = region.analysis();
                let loops = analysis.loops.iter().map(|looped| looped.at.line);
                let statements = analysis.statements.iter().map(|statement| statement.at.line);
                let rejected = region.outcome.as_ref().err().map(|rejection| rejection.at.line);
                loops.chain(statements).chain(rejected).chain([region.at.line]).collect::<Vec<_>>()
            })
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    fn sentences(&self, region: &RegionReport, line: u32) -> Vec<String> {
        let analysis = region.analysis();
        let mut sentences = Vec::new();
        for (index, looped) in analysis.loops.iter().enumerate().filter(|(_, looped)| looped.at.line == line)
        {
            let place = match looped.depth {
                0 => "is an outermost loop of its region".to_string(),
                depth => format!("stands inside {}", super::counted(depth, "other loop")),
            };
            sentences.push(format!(
                "Loop `{}` {place}; its class is {}.",
                looped.iterator,
                looped.class.name()
            ));
            sentences.extend(region.alternative(index).map(costs));
            let nest = region.searched.iter().filter(|nest| nest.index == index);
            sentences.extend(nest.flat_map(forms));
            sentences.extend(remark::divided(region, index).map(sentence));
            sentences.extend(remark::left(region).map(|left| format!("The region {}.", left.text)));
            if looped.class == Class::Parallel {
                sentences.push("No two of its iterations touch the same element with a write.".into());
            }
            sentences.extend(remark::loop_remarks(region, index, looped).into_iter().map(sentence));
            let innermost = region.innermost.iter().filter(|reduction| reduction.index == index);
            sentences.extend(innermost.flat_map(strategies));
            let carried =
                analysis.statements.iter().filter(|statement| statement.carried_by.contains(&index));
            for statement in carried {
                let Some(operator) = statement.reduction else { continue };
                sentences.push(format!(
                    "It carries {} into `{}` (line {}).",
                    remark::reduction_name(operator),
                    statement.target,
                    statement.at.line
                ));
            }
        }
        for statement in analysis.statements.iter().filter(|statement| statement.at.line == line) {
            match remark::statement_remark(region, statement, self.order) {
                Some(remark) => sentences.push(sentence(remark)),
                None => sentences.push(format!("The store to `{}` accumulates nothing.", statement.target)),
            }
            let around = analysis.loops.iter().enumerate().filter(|(index, looped)| {
                (looped.at.line..=region.loop_text(*index).last_line).contains(&line)
                    && looped.privatized.contains(&statement.target)
            });
            for (_, looped) in around {
                sentences.push(format!(
                    "In loop `{}` (line {}) `{}` can be private to each thread.",
                    looped.iterator, looped.at.line, statement.target
                ));
            }
            let obstacles = analysis.loops.iter().filter(|looped| {
                looped.obstacle.as_ref().is_some_and(|found| found.from.line == line || found.to.line == line)
            });
            for looped in obstacles.filter(|looped| looped.at.line != line) {
                sentences.push(format!(
                    "It keeps the order of loop `{}` (line {}): {}.",
                    looped.iterator,
                    looped.at.line,
                    remark::cause(looped)
                ));
            }
        }
        for report in region.simplified.iter().filter(|report| report.at.line == line) {
            sentences.extend(simplification(report));
        }
        // The region as a whole: at its first line, and where it was rejected.
        let rejected = region.outcome.as_ref().err().is_some_and(|rejection| rejection.at.line == line);
        let whole = remarks(region, self.order).into_iter();
        if region.at.line == line {
            let loops = super::counted(analysis.loops.len(), "loop");
            sentences.push(match region.outcome.is_ok() {
                true => format!("A region with {loops} begins here; it ends in line {}.", region.last_line),
                false => "A region begins here that is left as it is.".into(),
            });
        }
        if region.at.line == line || rejected {
            let of_region = |remark: &remark::Remark| remark.at == region.at || region.outcome.is_err();
            sentences.extend(whole.filter(|remark| of_region(remark)).map(sentence));
        } else if !sentences.is_empty() {
            sentences.extend(whole.take(1).filter(|remark| remark.at == region.at).map(sentence));
        }
        sentences.dedup();
        sentences
    }
}

/// Whether a reduction takes less work, and the vectors that were looked at.
fn simplification(report: &Simplification) -> Vec<String> {
    let mut lines = vec![match &report.outcome {
        Ok(_) => capitalized(remark::work(report)) + ".",
        Err(rejection) => format!("The reduction into `{}` is not simplified: {rejection}.", report.target),
    }];
    if !report.faces.is_empty() {
        let of = |(dimension, count): (usize, &usize)| format!("{count} of dimension {dimension}");
        let faces: Vec<String> = report.faces.iter().enumerate().rev().map(of).collect();
        lines.push(format!(
            "What it combines are points ({}) with {}: {}.",
            report.coordinates.join(", "),
            super::counted(report.faces.iter().sum(), "face"),
            faces.join(", ")
        ));
    }
    for candidate in &report.candidates {
        let vector: Vec<String> = candidate.vector.iter().map(ToString::to_string).collect();
        let verdict = match &candidate.rejected {
            Some(reason) => format!("is rejected: {reason}"),
            None => "is possible".into(),
        };
        lines.push(format!(
            "Reuse along ({}) for points of degree {} {verdict}.",
            vector.join(", "),
            candidate.depth
        ));
    }
    lines
}

/// The forms of a nest that were considered, the cheapest first.
fn forms(nest: &Searched) -> Vec<String> {
    const MOST: usize = 12;
    let form = |form: &Considered| {
        let copies = match form.memory > 0.0 {
            true => format!(
                ", {:.0} bytes of copies, of which {:.0} elements are combined",
                form.memory, form.aggregations
            ),
            false => String::new(),
        };
        let taken = match &form.rejected {
            Some(rejection) => format!("not possible: {rejection}"),
            None if form.steps == nest.steps => "chosen".into(),
            None => "not chosen".into(),
        };
        format!("{}: {}{copies} ({taken}).", form.schedule(), super::time(form.time))
    };
    let mut lines: Vec<String> = nest.considered.iter().take(MOST).map(form).collect();
    if nest.considered.len() > MOST {
        lines.push(format!("{} more forms cost more.", nest.considered.len() - MOST));
    }
    lines
}

/// What strategies would make of an innermost reduction.
fn strategies(reduction: &InnermostReduction) -> Vec<String> {
    // Neighbours that are not possible for the same reason share a line.
    let same = |(_, one): &(_, Result<_, String>), (_, other): &(_, Result<_, String>)| {
        one.as_ref().err().is_some_and(|why| other.as_ref().err() == Some(why))
    };
    let each = reduction.strategies.chunk_by(same).map(|together| match &together[0] {
        // A thread has no columns.
        (strategy @ Strategy::InnerParallel { .. }, Ok(takes)) if reduction.machine == "GPU" => {
            format!("As `{}`, {takes}.", strategy.name())
        }
        (strategy, Ok(takes)) => format!("As `{strategy}`, {takes}."),
        (_, Err(why)) => {
            let names: Vec<_> =
                together.iter().map(|(strategy, _)| format!("`{}`", strategy.name())).collect();
            let are = if names.len() == 1 { "is" } else { "are" };
            format!("{} {are} not possible: {why}.", super::listed(&names))
        }
    });
    let chosen = format!(
        "Chosen on a {}, unless --strategy or a directive says otherwise: {}.",
        reduction.machine, reduction.chosen
    );
    each.chain([chosen]).collect()
}

/// What a loop costs in order and in parallel.
fn costs(alternative: &Alternative) -> String {
    let sequential = super::time(alternative.sequential);
    let chosen = if alternative.chosen { "chosen" } else { "not chosen" };
    match &alternative.parallel {
        Ok(parallel) => {
            let how = match alternative.strategy {
                "teams" => " with a team for each iteration, whose threads divide the loops inside".into(),
                "parts" => " in parts, each with a thread that updates the result atomically".into(),
                "copies" => " with copies of what is updated for each team".into(),
                "scan" => format!(" in parts, with {:.0} bytes of totals", alternative.memory),
                _ if alternative.memory > 0.0 => format!(" with {:.0} bytes of copies", alternative.memory),
                _ => String::new(),
            };
            let parallel = super::time(*parallel);
            format!("In order it takes about {sequential}, in parallel {parallel}{how} ({chosen}).")
        }
        Err(rejection) => {
            format!("In order it takes about {sequential}; it is not made parallel ({rejection}).")
        }
    }
}

/// A remark with its hint as a sentence.
fn sentence(remark: remark::Remark) -> String {
    let text = capitalized(remark.text);
    match remark.hint {
        Some(hint) => format!("{text}. What helps: {hint}."),
        None => format!("{text}."),
    }
}

/// A text that begins with a capital.
fn capitalized(mut text: String) -> String {
    if let Some(first) = text.get(..1) {
        text.replace_range(..1, &first.to_uppercase());
    }
    text
}

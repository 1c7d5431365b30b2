//! The report for programs: JSON with fixed keys.

use serde::Serialize;

use super::{RegionReport, Report, remark};
use crate::{check::Verdict, transform::simplify::Simplification};

#[derive(Serialize)]
struct Document<'r> {
    scops: Vec<Scop<'r>>,
}

#[derive(Serialize)]
struct Scop<'r> {
    file: &'r str,
    function: &'r str,
    line: u32,
    status: &'static str,
    reason: Option<String>,
    statements: Vec<Statement<'r>>,
    loops: Vec<Loop<'r>>,
    simplified: Vec<Simplified>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Check<'r>>,
}

#[derive(Serialize)]
struct Statement<'r> {
    line: u32,
    target: &'r str,
    reduction: Option<&'static str>,
    reason: Option<String>,
}

#[derive(Serialize)]
struct Loop<'r> {
    line: u32,
    iterator: &'r str,
    depth: usize,
    status: &'static str,
    privatized: Vec<&'r str>,
    chosen: bool,
    strategy: Option<&'static str>,
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divided: Option<Parts<'r>>,
}

/// A loop that is several on a device. Times are the model's, in nanoseconds.
#[derive(Serialize)]
struct Parts<'r> {
    loops: usize,
    read_again: &'r [String],
    time: f64,
    undivided: f64,
}

/// What a check has found.
#[derive(Serialize)]
struct Check<'r> {
    status: &'static str,
    inputs: usize,
    seeds: usize,
    reason: Option<&'r str>,
}

/// A reduction with less work than as it was written.
#[derive(Serialize)]
struct Simplified {
    line: u32,
    from_degree: usize,
    to_degree: usize,
    operations_before: Option<u64>,
    operations_after: Option<u64>,
}

impl Report {
    /// The report as JSON, with a line end.
    pub fn to_json(&self) -> String {
        let scops =
            self.files.iter().flat_map(|file| file.regions.iter().map(|region| scop(&file.path, region)));
        let document = Document { scops: scops.collect() };
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn scop<'r>(file: &'r str, region: &'r RegionReport) -> Scop<'r> {
    let analysis = region.analysis();
    let rejection = region.outcome.as_ref().err();
    let statements = analysis.statements.iter().map(|statement| Statement {
        line: statement.at.line,
        target: &statement.target,
        reduction: statement.reduction.map(|operator| operator.name()),
        reason: statement.reason.as_ref().map(|(rule, reason)| format!("{rule}: {reason}")),
    });
    let loops = analysis.loops.iter().enumerate().map(|(index, looped)| Loop {
        line: looped.at.line,
        iterator: &looped.iterator,
        depth: looped.depth,
        status: looped.class.name(),
        privatized: looped.reduced.iter().chain(&looped.privatized).map(String::as_str).collect(),
        chosen: region.alternative(index).is_some_and(|alternative| alternative.chosen),
        strategy: region
            .alternative(index)
            .filter(|alternative| alternative.chosen)
            .map(|alternative| alternative.strategy),
        reason: (looped.obstacle.is_some() || looped.reason.is_some()).then(|| remark::cause(looped)),
        divided: region.divided.iter().find(|nest| nest.index == index).map(|nest| Parts {
            loops: nest.loops,
            read_again: &nest.read_again,
            time: nest.time.round(),
            undivided: nest.undivided.round(),
        }),
    });
    Scop {
        file,
        function: &region.function,
        line: region.at.line,
        status: match rejection {
            Some(_) => "refused",
            None if region.is_transformed() => "transformed",
            None => "unchanged",
        },
        reason: rejection
            .or(region.plan.as_ref().and_then(|plan| plan.as_ref().err()))
            .map(ToString::to_string),
        statements: statements.collect(),
        loops: loops.collect(),
        simplified: region.simplified.iter().filter_map(simplified).collect(),
        check: region.check.as_ref().map(check),
    }
}

fn simplified(report: &Simplification) -> Option<Simplified> {
    let (before, after) = report.operations.unzip();
    Some(Simplified {
        line: report.at.line,
        from_degree: report.from_degree,
        to_degree: *report.outcome.as_ref().ok()?,
        operations_before: before,
        operations_after: after,
    })
}

fn check(verdict: &Verdict) -> Check<'_> {
    let (status, inputs, seeds, reason) = match verdict {
        Verdict::Equal { inputs, seeds } => ("equal", *inputs, *seeds, None),
        Verdict::Different(what) => ("different", 0, 0, Some(what.as_str())),
        Verdict::Unchecked(why) => ("unchecked", 0, 0, Some(why.as_str())),
    };
    Check { status, inputs, seeds, reason }
}

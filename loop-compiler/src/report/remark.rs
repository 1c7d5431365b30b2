//! Sentences about regions, loops and statements, for all formats.

use super::{FloatOrder, RegionReport, quoted};
use crate::annotations::missing_clauses;
use crate::{
    Class, Dependence, LoopReport, StatementReport,
    ir::{Position, ReductionOperator},
    rules::Rule,
    transform::simplify::Simplification,
};

/// How much a remark matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// What was found.
    Finding,
    /// What keeps a loop or statement from being more.
    Obstacle,
    /// A region is left alone, or a directive lacks a clause.
    Warning,
    /// The input is wrong.
    Wrong,
}

/// A sentence about a place in the source.
#[derive(Clone, Debug)]
pub(super) struct Remark {
    pub at: Position,
    pub severity: Severity,
    /// The rule that it follows from, if one forbids something.
    pub rule: Option<Rule>,
    pub text: String,
    pub hint: Option<String>,
    /// Other places, and what is there.
    pub related: Vec<(Position, String)>,
}

impl Remark {
    fn new(at: Position, severity: Severity, rule: Option<Rule>, text: String) -> Remark {
        Remark { at, severity, rule, text, hint: None, related: Vec::new() }
    }
}

/// All remarks on a region, in the order of the source; those on the region as a whole come first.
pub(super) fn remarks(region: &RegionReport, order: FloatOrder) -> Vec<Remark> {
    let mut remarks = Vec::new();
    match &region.outcome {
        Err(rejection) => {
            let rule = rejection.rule;
            // Some reasons have a hint of their own.
            let (reason, hint) = match rejection.reason.split_once("; hint: ") {
                Some((reason, hint)) => (reason, Some(hint)),
                None => (rejection.reason.as_str(), rule.hint()),
            };
            let text = format!("rejected: {rule}: {reason}");
            let mut remark = Remark::new(rejection.at, Severity::Warning, Some(rule), text);
            remark.hint = hint.map(String::from);
            remarks.push(remark);
        }
        Ok(analysis) => {
            let loops = analysis.loops.iter().enumerate();
            remarks.extend(loops.flat_map(|(index, looped)| loop_remarks(region, index, looped)));
            remarks.extend((0..analysis.loops.len()).filter_map(|index| divided(region, index)));
            // What a loop's remark says already is not said of its statement again.
            let is_said = |statement: &&StatementReport| {
                let reason = statement.reason.as_ref();
                reason.is_some() && analysis.loops.iter().any(|looped| looped.reason.as_ref() == reason)
            };
            let statements = analysis.statements.iter().filter(|statement| !is_said(statement));
            remarks.extend(statements.filter_map(|statement| statement_remark(region, statement, order)));
            remarks.extend(region.simplified.iter().filter_map(simplified_remark));
        }
    }
    remarks.sort_by_key(|remark| remark.at);
    remarks.splice(
        0..0,
        overlaps(region)
            .into_iter()
            .chain(assumed(region))
            .chain(apart_by_type(region))
            .chain(declared_lengths(region)),
    );
    remarks.extend(left(region));
    remarks.extend(impossible(region));
    remarks
}

/// Why a region stays as it is for a target.
pub(super) fn left(region: &RegionReport) -> Option<Remark> {
    let rejection = region.plan.as_ref()?.as_ref().err()?;
    let text = format!("stays as it is: {rejection}");
    Some(Remark::new(rejection.at, Severity::Warning, Some(rejection.rule), text))
}

/// Why a directive cannot be performed.
fn impossible(region: &RegionReport) -> Option<Remark> {
    let rejection = region.impossible.as_ref()?;
    let text = format!("a directive cannot be performed: {rejection}");
    Some(Remark::new(rejection.at, Severity::Wrong, Some(rejection.rule), text))
}

/// Why a nest is several kernels on a device, although they read arrays again.
pub(super) fn divided(region: &RegionReport, index: usize) -> Option<Remark> {
    let nest = region.divided.iter().find(|nest| nest.index == index)?;
    let looped = &region.analysis().loops[index];
    let why = if nest.is_atomic { ", which updates elements atomically" } else { "" };
    let text = format!(
        "loop `{}` becomes {} loops for the device, of which several read {}: they take about {}, and the loop as it \
         is written {}{why}",
        looped.iterator,
        nest.loops,
        quoted(&nest.read_again),
        super::time(nest.time),
        super::time(nest.undivided),
    );
    let mut remark = Remark::new(looped.at, Severity::Finding, None, text);
    remark.hint = Some("a schedule keeps it as one".into());
    Some(remark)
}

/// What must not overlap for the results to hold.
fn overlaps(region: &RegionReport) -> Option<Remark> {
    let pair = |(first, second): &(String, String)| match first == second {
        true => format!("the rows of `{first}`"),
        false => format!("`{first}` and `{second}`"),
    };
    let text = match &region.overlaps[..] {
        [] => return None,
        [only] => format!("holds if {} do not overlap", pair(only)),
        all => {
            let pairs: Vec<_> = all.iter().map(pair).collect();
            format!("holds if these do not overlap: {}", pairs.join("; "))
        }
    };
    let mut remark = Remark::new(region.at, Severity::Finding, Some(Rule::Aliasing), text);
    remark.hint = Rule::Aliasing.hint().map(String::from);
    Some(remark)
}

/// What has to be true of sizes for the classes to hold.
fn assumed(region: &RegionReport) -> Option<Remark> {
    let conditions: Vec<_> = region.assumed.iter().map(|condition| format!("`{condition}`")).collect();
    let text = format!("holds if {}", conditions.join(" and "));
    (!conditions.is_empty()).then(|| Remark::new(region.at, Severity::Finding, Some(Rule::Subscripts), text))
}

/// What is taken not to overlap by C's rule of types.
fn apart_by_type(region: &RegionReport) -> Option<Remark> {
    let pairs: Vec<_> =
        region.apart_by_type.iter().map(|(first, second)| format!("`{first}` and `{second}`")).collect();
    let text = format!("by their types these do not overlap: {}", pairs.join("; "));
    (!pairs.is_empty()).then(|| Remark::new(region.at, Severity::Finding, None, text))
}

/// What is moved to a device although the elements that are accessed are not known.
fn declared_lengths(region: &RegionReport) -> Option<Remark> {
    let names: Vec<_> = region.declared_lengths.iter().map(|name| format!("`{name}`")).collect();
    let text = format!("holds if {} has as many elements as it is declared with", names.join(" and "));
    (!names.is_empty()).then(|| Remark::new(region.at, Severity::Finding, Some(Rule::Model), text))
}

/// The remarks on a loop: what it needs, or what keeps its order, and whether a directive is wrong.
pub(super) fn loop_remarks(region: &RegionReport, index: usize, looped: &LoopReport) -> Vec<Remark> {
    let annotation = annotation(region, index, looped);
    // It names the dependence, too.
    if annotation.as_ref().is_some_and(|remark| remark.severity == Severity::Wrong) {
        return annotation.into_iter().collect();
    }
    let mut remarks = Vec::new();
    let name = match &*looped.iterator {
        "" => "the loop".to_string(),
        iterator => format!("loop `{iterator}`"),
    };
    match looped.class {
        Class::Parallel => {}
        Class::Reduction | Class::Private | Class::ReductionAndPrivate => {
            let text = format!("{name} is parallel with {}", copies(looped));
            remarks.push(Remark::new(looped.at, Severity::Finding, None, text));
        }
        Class::Scan | Class::Sequential => {
            let class = if looped.class == Class::Scan { "a scan" } else { "sequential" };
            let rule = looped.reason.as_ref().map_or(Rule::Dependences, |(rule, _)| *rule);
            let text = format!("{name} is {class}: {}", cause(looped));
            let mut remark = Remark::new(looped.at, Severity::Obstacle, Some(rule), text);
            remark.hint = rule.hint().map(String::from);
            remark.related = related(looped.obstacle.as_ref());
            remarks.push(remark);
        }
    }
    remarks.extend(annotation);
    remarks
}

/// What a loop with private copies copies, and why.
pub(super) fn copies(looped: &LoopReport) -> String {
    let mut parts = Vec::new();
    if !looped.reduced.is_empty() {
        parts.push(format!("private copies of {} that are combined afterwards", quoted(&looped.reduced)));
    }
    if !looped.privatized.is_empty() {
        let they = if looped.privatized.len() == 1 { "it" } else { "them" };
        parts.push(format!(
            "a private {} for each thread: every iteration writes {they} before it reads {they}",
            quoted(&looped.privatized)
        ));
    }
    parts.join(", and with ")
}

/// What keeps a loop's order.
pub(super) fn cause(looped: &LoopReport) -> String {
    let reason = looped.reason.as_ref().map(|(rule, reason)| format!("{rule}: {reason}"));
    match (&looped.obstacle, reason) {
        (Some(dependence), Some(reason)) => format!("{dependence}; {reason}"),
        (Some(dependence), None) => dependence.to_string(),
        (None, Some(reason)) => reason,
        (None, None) => "iterations depend on each other".into(),
    }
}

fn related(obstacle: Option<&Dependence>) -> Vec<(Position, String)> {
    let Some(dependence) = obstacle else { return Vec::new() };
    let (first, second) = dependence.verbs();
    vec![
        (dependence.from, format!("{first} `{}`", dependence.array)),
        (dependence.to, format!("{second} it in a later iteration")),
    ]
}

/// What is wrong with a directive that executes the loop in parallel.
fn annotation(region: &RegionReport, index: usize, looped: &LoopReport) -> Option<Remark> {
    if !looped.annotated {
        return None;
    }
    let name = &looped.iterator;
    let rule = Some(Rule::Annotations);
    let directive = if region.in_notation { "`par.for`" } else { "a directive" };
    if matches!(looped.class, Class::Scan | Class::Sequential) {
        let text = format!("{directive} makes loop `{name}` parallel, but it is not: {}", cause(looped));
        let mut remark = Remark::new(looped.at, Severity::Wrong, rule, text);
        remark.hint = match region.in_notation {
            true => Some("write `for`".into()),
            false => Rule::Annotations.hint().map(String::from),
        };
        remark.related = related(looped.obstacle.as_ref());
        return Some(remark);
    }
    let source = region.loop_text(index);
    let (mut reduced, private) = missing_clauses(&source.pragmas, looped);
    // `reduce` combines whatever loops are parallel.
    reduced.retain(|name| !region.in_notation || source.stored.iter().any(|stored| is_part(name, stored)));
    let all: Vec<_> = reduced.iter().chain(&private).cloned().collect();
    if all.is_empty() {
        return None;
    }
    let text =
        format!("{directive} makes loop `{name}` parallel, which needs private copies of {}", quoted(&all));
    let mut remark = Remark::new(looped.at, Severity::Warning, rule, text);
    let hint = match (region.in_notation, reduced.is_empty(), private.is_empty()) {
        (true, false, true) => "combine them by `reduce`",
        (true, true, _) => "declare them inside the loop",
        (true, false, false) => "combine by `reduce`, and declare the others inside the loop",
        (false, _, true) => "add a `reduction` clause",
        (false, true, false) => "add a `private` or `lastprivate` clause",
        (false, false, false) => "add the clauses `reduction` and `private`",
    };
    remark.hint = Some(hint.into());
    Some(remark)
}

/// Whether a name is that of a variable or of one of its members.
fn is_part(name: &str, variable: &str) -> bool {
    name.strip_prefix(variable).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The remark on a statement: its reduction, or why it is none.
pub(super) fn statement_remark(
    region: &RegionReport,
    statement: &StatementReport,
    order: FloatOrder,
) -> Option<Remark> {
    let target = &statement.target;
    if let Some(operator) = statement.reduction {
        let text = format!(
            "{} into `{target}`, carried by {}{}",
            reduction_name(operator),
            carriers(region, statement),
            order_remark(statement, order)
        );
        return Some(Remark::new(statement.at, Severity::Finding, None, text));
    }
    let (rule, reason) = statement.reason.as_ref()?;
    let text = format!("the update of `{target}` is no reduction: {rule}: {reason}");
    let mut remark = Remark::new(statement.at, Severity::Obstacle, Some(*rule), text);
    remark.hint = rule.hint().map(String::from);
    Some(remark)
}

/// The remark on a reduction's work: that there is less of it, or, where results share some, why there is not.
fn simplified_remark(report: &Simplification) -> Option<Remark> {
    match &report.outcome {
        Ok(_) => Some(Remark::new(report.at, Severity::Finding, None, work(report))),
        Err(rejection) if !report.candidates.is_empty() => {
            let text = format!("the reduction into `{}` is not simplified: {rejection}", report.target);
            Some(Remark::new(report.at, Severity::Finding, Some(rejection.rule), text))
        }
        Err(_) => None,
    }
}

/// The work of a simplified reduction, before and after.
pub(super) fn work(report: &Simplification) -> String {
    let (from, to) =
        (report.from_degree, report.outcome.as_ref().map_or(report.from_degree, |degree| *degree));
    let operations = match report.operations {
        Some((before, after)) => {
            format!("{after} operations instead of {before}, of degree {to} instead of {from}")
        }
        None => format!("operations of degree {to} instead of {from}"),
    };
    let rounding = match report.subtracts {
        true => {
            "; it subtracts what it has added, so that large values leave rounding errors in small results"
        }
        false => "",
    };
    let first = if report.is_distributed { "distributed and simplified" } else { "simplified" };
    format!("{first}, the reduction into `{}` takes {operations}{rounding}", report.target)
}

/// `a + reduction`, `an argmin reduction`.
pub(super) fn reduction_name(operator: ReductionOperator) -> String {
    let article = if operator.name().starts_with('a') { "an" } else { "a" };
    format!("{article} `{operator}` reduction")
}

/// The loops that carry a reduction.
pub(super) fn carriers(region: &RegionReport, statement: &StatementReport) -> String {
    let loops = &region.analysis().loops;
    let carriers = statement.carried_by.iter().filter_map(|index| loops.get(*index));
    let carriers: Vec<_> =
        carriers.map(|looped| format!("loop `{}` (line {})", looped.iterator, looped.at.line)).collect();
    super::listed(&carriers)
}

/// What the order of floating-point operations asks for.
pub(super) fn order_remark(statement: &StatementReport, order: FloatOrder) -> &'static str {
    match (statement.depends_on_order, order) {
        (false, _) | (true, FloatOrder::Free) => "",
        (true, FloatOrder::Kept) => "; may be reordered only with --order free or -ffast-math",
        (true, FloatOrder::Fixed) => "; combined in the one order of --order fixed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependences_are_sentences() {
        let at = |line| Position { line, column: 1 };
        let dependence =
            |kind, distance| Dependence { array: "a".into(), from: at(3), to: at(4), kind, distance };
        let said = |kind, distance| dependence(kind, distance).to_string();
        assert_eq!(
            said("flow", Some(1)),
            "line 3 writes `a`, and line 4 reads it at least 1 iteration later (flow dependence)"
        );
        assert_eq!(
            said("anti", None),
            "line 3 reads `a`, and line 4 overwrites it in a later iteration (anti dependence)"
        );
        assert!(said("output", Some(2)).contains("line 4 overwrites it at least 2 iterations later"));
    }
}

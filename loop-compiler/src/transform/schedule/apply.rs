//! The steps of schedules, performed.

use std::collections::BTreeMap;

use super::{
    Step,
    loops::{change, count, loops_in},
    vectorize,
};
use crate::{
    analysis::AnalysisError,
    ir::{
        BinaryOperator, Expression, ExpressionKind, Node, Position, Region, Storage, VariableId,
        arithmetic::{add, divide, multiply, number, subtract},
        notation,
    },
    rules::{Rejection, Rule},
    transform::{self, Setting, Tile, loop_at},
};

/// Performs the schedules of a region.
///
/// # Errors
///
/// A schedule that cannot be read, that names what there is not, or of which a step is not legal.
pub fn apply(region: &Region, setting: Setting<'_>) -> Result<Region, AnalysisError> {
    let mut out = region.clone();
    // From the last loop to the first: numbers of loops before stay.
    for index in (0..count(region)).rev() {
        let Some(node) = loop_at(&out, index) else { continue };
        let schedules = node.attributes.schedules.clone();
        if schedules.is_empty() {
            continue;
        }
        let (at, inside) = (node.at, 1 + loops_in(&node.body));
        change(&mut out, index, |looped| looped.attributes.schedules.clear());
        let mut nest =
            Nest { begin: index, behind: count(&out) - index - inside, at, setting, names: BTreeMap::new() };
        for schedule in schedules {
            let steps = schedule.or_else(|what| nest.wrong("the schedule", what))?.steps;
            let moves = |step: &Step| !matches!(step, Step::Parallel(_) | Step::Mark(..));
            if nest.names.is_empty() && steps.iter().any(moves) {
                let owned = transform::own_iterators(&out, index, "the schedule")?;
                nest.behind += owned.added;
                (out, nest.names) = (owned.region, owned.names);
            }
            for step in steps {
                out = nest.step(&out, &step)?;
            }
        }
    }
    vectorize::accumulated(&out, setting)
}

/// The loops that a schedule speaks of.
struct Nest<'s> {
    /// The first one's number; what it becomes has numbers from there, too.
    begin: usize,
    /// The number of loops behind those.
    behind: usize,
    at: Position,
    setting: Setting<'s>,
    /// What iterators are called now that were declared before their loops.
    names: BTreeMap<String, String>,
}

impl Nest<'_> {
    fn wrong<T>(
        &self,
        step: impl std::fmt::Display,
        what: impl std::fmt::Display,
    ) -> Result<T, AnalysisError> {
        Err(AnalysisError::Rejected(Rejection::new(Rule::Schedules, self.at, format!("{step}: {what}"))))
    }

    fn name(region: &Region, index: usize) -> &str {
        loop_at(region, index).map_or("", |node| region.variable(node.iterator).name.as_str())
    }

    fn step(&self, region: &Region, step: &Step) -> Result<Region, AnalysisError> {
        let loops: Vec<usize> = (self.begin..count(region) - self.behind).collect();
        let (text, step) = (format!("`{step}`"), &self.renamed(step));
        let named = |name: &String| -> Result<Vec<usize>, AnalysisError> {
            let found: Vec<usize> =
                loops.iter().copied().filter(|index| Nest::name(region, *index) == name).collect();
            if found.is_empty() {
                let mut names: Vec<_> =
                    loops.iter().map(|index| format!("`{}`", Nest::name(region, *index))).collect();
                names.dedup();
                return self
                    .wrong(step, format!("there is no loop `{name}`; loops are {}", names.join(", ")));
            }
            Ok(found)
        };
        let mut out = region.clone();
        match step {
            Step::Tile { name, size, outer, inner } => {
                let size = self.size(region, step, size)?;
                let tile = Tile { size, outer: outer.clone(), inner: inner.clone() };
                for index in named(name)?.into_iter().rev() {
                    out = transform::tile(&out, index, &tile, &text, self.setting)?;
                }
            }
            Step::Distribute(name) => {
                for index in named(name)?.into_iter().rev() {
                    out = transform::distribute(&out, index, &text, self.setting)?;
                }
            }
            Step::Reorder(names) => {
                names.iter().try_for_each(|name| named(name).map(|_| ()))?;
                let bands = bands(region, &loops, names);
                if bands.is_empty() {
                    return self.wrong(step, "these loops are not inside each other");
                }
                for band in bands.into_iter().rev() {
                    out = transform::reorder(&out, &band, &text, self.setting)?;
                }
            }
            Step::Parallel(name) => {
                for index in named(name)? {
                    change(&mut out, index, |looped| looped.parallel = true);
                }
            }
            Step::Mark(mark, _) if !mark.is_directed() => {
                return self.wrong(step, "only strategies of innermost loops leave it");
            }
            Step::Mark(mark, name) => {
                for index in named(name)? {
                    change(&mut out, index, |looped| _ = looped.attributes.marks.insert(*mark));
                }
            }
        }
        Ok(out)
    }

    /// The step with the names that iterators have now.
    fn renamed(&self, step: &Step) -> Step {
        let own = |name: &String| self.names.get(name).unwrap_or(name).clone();
        match step {
            Step::Tile { name, size, outer, inner } => {
                Step::Tile { name: own(name), size: size.clone(), outer: outer.clone(), inner: inner.clone() }
            }
            Step::Reorder(names) => Step::Reorder(names.iter().map(own).collect()),
            Step::Distribute(name) => Step::Distribute(own(name)),
            Step::Parallel(name) => Step::Parallel(own(name)),
            Step::Mark(mark, name) => Step::Mark(*mark, own(name)),
        }
    }

    /// The size of a tile: an expression of numbers and of sizes.
    fn size(&self, region: &Region, step: &Step, text: &str) -> Result<Expression, AnalysisError> {
        let sizes: Vec<(VariableId, String)> = region
            .variables
            .iter()
            .enumerate()
            .filter(|(_, variable)| {
                variable.extents.is_empty()
                    && variable.scalar.is_integer()
                    && variable.storage != Storage::Region
            })
            .map(|(place, variable)| (VariableId(place), variable.name.clone()))
            .collect();
        let declared: String = sizes.iter().map(|(_, name)| format!("`{name}`: index, ")).collect();
        let function = format!("func @size({declared}`the size`: index) {{ `the size` = {text} }}");
        let unknown = || {
            let names: Vec<_> = sizes.iter().map(|(_, name)| format!("`{name}`")).collect();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            format!(
                "`{text}` is no size: it is made of numbers, + - * / and the sizes of the region, which are {names}"
            )
        };
        let parsed = notation::parse(&function, "").ok().and_then(|mut regions| regions.pop());
        let Some(parsed) = parsed else { return self.wrong(step, unknown()) };
        let value = match &parsed.body[..] {
            [Node::Statement(statement)] => {
                let value = |id: VariableId| {
                    let name = &parsed.variable(id).name;
                    let (id, _) = sizes.iter().find(|(_, size)| size == name)?;
                    Some(crate::ir::arithmetic::long(crate::ir::arithmetic::value_of(
                        *id,
                        region.variable(*id).scalar,
                    )))
                };
                in_sizes(&statement.value, &value)
            }
            _ => None,
        };
        value.map_or_else(|| self.wrong(step, unknown()), Ok)
    }
}

fn in_sizes(value: &Expression, size: &dyn Fn(VariableId) -> Option<Expression>) -> Option<Expression> {
    Some(match &value.kind {
        ExpressionKind::Integer(value) => number(*value),
        ExpressionKind::Read(read) => size(read.variable)?,
        ExpressionKind::Cast(inner) => in_sizes(inner, size)?,
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (in_sizes(left, size)?, in_sizes(right, size)?);
            match operator {
                BinaryOperator::Add => add(left, right),
                BinaryOperator::Subtract => subtract(left, right),
                BinaryOperator::Multiply => multiply(left, right),
                BinaryOperator::Divide => divide(left, right),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Loops of these names, each inside another one of them, in the order of the names.
fn bands(region: &Region, loops: &[usize], names: &[String]) -> Vec<Vec<usize>> {
    let program = crate::analysis::program::Program::new(region, BTreeMap::new());
    let name = |index: usize| region.variable(program.loops[index].node.iterator).name.as_str();
    let around = |index: usize| &program.loops[index].around;
    let mut found = Vec::new();
    for innermost in loops {
        let chain: Vec<usize> = around(*innermost).iter().copied().chain([*innermost]).collect();
        let chain: Vec<usize> = chain.into_iter().filter(|index| loops.contains(index)).collect();
        if !names.iter().any(|one| one == name(*innermost)) {
            continue;
        }
        let band: Option<Vec<usize>> =
            names.iter().map(|one| chain.iter().copied().find(|index| name(*index) == one)).collect();
        found.extend(band);
    }
    found
}

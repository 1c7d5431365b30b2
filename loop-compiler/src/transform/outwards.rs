//! Independent loops of perfect nests, moved outwards, so that a device has a thread for each element of a result and each
//! thread keeps the order of its sums; and such sums in parts, so that there are more threads.

use std::ops::Range;

use crate::{
    analysis::{
        Analyses, AnalysisError, Options,
        classes::Class,
        program::{Access, Program},
    },
    cost::policy::ITERATIONS_OF_PART,
    decide::kernels::distance,
    ir::{Expression, Node, Region, loops, types::Scalar},
    rules::FloatOrder,
    transform::{self, Setting, Tile, tile},
};

const STEP: &str = "moving independent loops outwards";

/// Regions that do the same with independent loops in front of others: of the loops as they are, and of loops that are
/// divided into as many as their dependences allow. Only those that differ.
pub(crate) fn variants(
    region: &Region,
    order: FloatOrder,
    options: &Options,
) -> Result<Vec<Region>, AnalysisError> {
    let setting = Setting { order, options };
    let region = transform::with_own_iterators(region, options, STEP, |_| true)?;
    let region = transform::sunk(&region).unwrap_or(region);
    let outwards = |region: &Region| transform::of_each_nest(region, |alone| moved(alone, setting));
    let mut variants = Vec::new();
    variants.extend(outwards(&region)?);
    if let Some(apart) = transform::divided(&region, |_| true, setting)? {
        variants.push(outwards(&apart)?.unwrap_or(apart));
    }
    Ok(variants)
}

/// The region with independent loops in front of others in each perfect nest; none if that changes nothing.
///
/// A loop is independent if nothing depends on anything in another of its iterations when it is the outermost of its nest.
fn moved(region: &Region, setting: Setting<'_>) -> Result<Option<Region>, AnalysisError> {
    let mut out: Option<Region> = None;
    for nest in nests(region, setting.options).into_iter().filter(|nest| nest.len() > 1) {
        let current = out.as_ref().unwrap_or(region);
        let free = transform::independent(current, nest.clone(), STEP, setting)?;
        let rest = nest.filter(|index| !free.contains(index)).collect::<Vec<_>>();
        let order: Vec<usize> = free.into_iter().chain(rest).collect();
        if order.is_sorted() {
            continue;
        }
        let reordered = transform::reorder(current, &order, STEP, setting);
        if let Some(reordered) = transform::possible(reordered)? {
            out = Some(reordered);
        }
    }
    Ok(out)
}

/// The region with the innermost loops of nests in parts of [`ITERATIONS_OF_PART`] iterations, of which each element of the result has
/// several threads then; and those nests, which have one loop more. `wanted` says of a nest, by its first loop, whether it
/// may be divided.
pub(crate) fn in_parts(
    region: &Region,
    wanted: &dyn Fn(usize) -> bool,
    order: FloatOrder,
    options: &Options,
) -> Result<(Region, Vec<Range<usize>>), AnalysisError> {
    let setting = Setting { order, options };
    let (mut first, mut found) = (0, Vec::new());
    let out = transform::of_each_nest(region, |alone| {
        let mut out: Option<Region> = None;
        // Loops before a nest keep their numbers.
        for nest in nests(alone, options).into_iter().rev().filter(|nest| wanted(first + nest.start)) {
            let current = out.as_ref().unwrap_or(alone);
            if let Some(made) = nest_in_parts(current, nest.clone(), setting)? {
                out = Some(made);
                found.push(first + nest.start..first + nest.end);
            }
        }
        first += loops(&alone.body).count();
        Ok(out)
    })?;
    found.sort_by_key(|nest| nest.start);
    Ok((out.unwrap_or_else(|| region.clone()), found))
}

/// None if the innermost loop reduces into other elements than those of the loops around it, or if neighbouring threads
/// would access distant elements.
fn nest_in_parts(
    region: &Region,
    nest: Range<usize>,
    setting: Setting<'_>,
) -> Result<Option<Region>, AnalysisError> {
    let (innermost, around) = (nest.end - 1, nest.start..nest.end - 1);
    if around.is_empty() {
        return Ok(None);
    }
    let known = Analyses::new(region, setting.options);
    let Some(classified) = transform::possible(known.classified())? else { return Ok(None) };
    let program = &classified.detection.program;
    let has_loops = program.loops.iter().any(|other| other.around.contains(&innermost));
    let Some(neighbours) = around.clone().next_back().filter(|_| !has_loops) else { return Ok(None) };
    let mut inside = program.accesses.iter().filter(|access| access.around.contains(&innermost));
    let is_near = |access: &Access<'_>| distance(access, neighbours).is_some_and(|moves| moves.abs() <= 1);
    if !inside.all(|access| access.subscripts.is_empty() || is_near(access)) {
        return Ok(None);
    }
    let class = |index: usize| classified.classes[index].class;
    if class(innermost) != Class::Reduction || around.clone().any(|index| class(index) != Class::Parallel) {
        return Ok(None);
    }
    let size = Expression::integer(ITERATIONS_OF_PART, Scalar::LONG);
    let part = Tile { size, outer: region.unused_name("part"), inner: None };
    let tiled = tile(region, innermost, &part, STEP, setting);
    let Some(tiled) = transform::possible(tiled)? else { return Ok(None) };
    let order: Vec<usize> = std::iter::once(innermost).chain(around).chain([innermost + 1]).collect();
    transform::possible(transform::reorder(&tiled, &order, STEP, setting))
}

/// The loops of each perfect nest, by number.
pub(crate) fn nests(region: &Region, options: &Options) -> Vec<Range<usize>> {
    let program = Program::new(region, options.sizes.clone());
    let mut nests: Vec<Range<usize>> = Vec::new();
    for (index, looped) in program.loops.iter().enumerate() {
        let around = looped.around.last().map(|around| program.loops[*around].node);
        let direct = around.is_some_and(|around| matches!(around.body[..], [Node::Loop(_)]));
        match nests.last_mut() {
            Some(last) if direct && last.end == index => last.end = index + 1,
            _ => nests.push(index..index + 1),
        }
    }
    nests
}

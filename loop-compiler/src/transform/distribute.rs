//! Distribution: a loop for each part of a body.

use super::{
    nodes,
    nodes::{of_each_nest, replace},
    proof::Proof,
    reorder::movable,
    setting::{Setting, possible, rejected},
};
use crate::{
    analysis::{AnalysisError, failed},
    ir::{Loop, Node, Region, loops, walk},
    isl::Formula,
};

/// The region with a loop for each node of a loop's body; `step` is for messages.
///
/// # Errors
///
/// If a dependence would be turned around, or a variable would end with the part that declares it.
pub fn distribute(
    region: &Region,
    index: usize,
    step: &str,
    setting: Setting<'_>,
) -> Result<Region, AnalysisError> {
    let proof = Proof::new(region, setting)?;
    movable(&proof, index, step)?;
    let places = Places::new(&proof, index);
    proof.keeps_order(index, step, |from, to| places.swapped(from, to))?;
    let node = proof.program.loops[index].node;
    let joined = joined_by_declarations(node);
    if let Some(place) = (1..node.body.len()).find(|place| joined[*place]) {
        let what = "a variable that a part of the body declares is used in another one";
        return rejected(crate::rules::Rule::Liveness, node.body[place].at(), step, what);
    }
    Ok(in_ranges(region, index, &(0..node.body.len()).map(|place| place..place + 1).collect::<Vec<_>>()))
}

/// The region with a loop for each part of a loop's body, as many as the dependences allow; `None` if it is one.
///
/// # Errors
///
/// If the loop cannot be moved, or the analysis fails.
pub fn parts(region: &Region, index: usize, setting: Setting<'_>) -> Result<Option<Region>, AnalysisError> {
    if nodes::loop_at(region, index).is_none_or(|node| node.body.len() < 2) {
        return Ok(None);
    }
    let proof = Proof::new(region, setting)?;
    let step = "the loop's distribution";
    movable(&proof, index, step)?;
    let node = proof.program.loops[index].node;
    let places = Places::new(&proof, index);
    // Whether a node stays with the one before.
    let mut joined = joined_by_declarations(node);
    for (from, to) in proof.pairs(index) {
        let (Some(later), Some(earlier)) = (places.of(from), places.of(to)) else { continue };
        if earlier >= later || joined[earlier + 1..=later].iter().all(|joined| *joined) {
            continue;
        }
        let Some(condition) = places.swapped(from, to) else { continue };
        let obstacle = proof.obstacle(index, (from, to), &condition);
        if obstacle.map_err(failed(region.at))?.is_some() {
            joined[earlier + 1..=later].fill(true);
        }
    }
    let begins = (0..node.body.len()).filter(|place| !joined[*place]);
    let begins: Vec<usize> = begins.chain([node.body.len()]).collect();
    let ranges: Vec<_> = begins.windows(2).map(|pair| pair[0]..pair[1]).collect();
    Ok((ranges.len() > 1).then(|| in_ranges(region, index, &ranges)))
}

/// The region with the loops of nests divided into as many as their dependences allow, the innermost first; none if that
/// changes nothing. `wanted` says of a nest, by its outermost loop, whether it is to be divided.
pub(crate) fn divided(
    region: &Region,
    wanted: impl Fn(&Loop) -> bool,
    setting: Setting<'_>,
) -> Result<Option<Region>, AnalysisError> {
    of_each_nest(region, |alone| {
        let mut out: Option<Region> = None;
        if alone.body.iter().filter_map(Node::as_loop).any(&wanted) {
            for index in (0..loops(&alone.body).count()).rev() {
                // Loops before this one keep their numbers.
                let divided = parts(out.as_ref().unwrap_or(alone), index, setting);
                if let Some(divided) = possible(divided)?.flatten() {
                    out = Some(divided);
                }
            }
        }
        Ok(out)
    })
}

fn in_ranges(region: &Region, index: usize, ranges: &[std::ops::Range<usize>]) -> Region {
    let mut out = region.clone();
    let Some(node) = nodes::loop_at(region, index) else { return out };
    let loops = ranges
        .iter()
        .map(|range| Node::Loop(Loop { body: node.body[range.clone()].to_vec(), ..node.clone() }));
    replace(&mut out, index, loops.collect());
    out
}

/// For each node whether it uses a variable that is declared before it in the body, or stands between two that share one.
fn joined_by_declarations(node: &Loop) -> Vec<bool> {
    let mut joined = vec![false; node.body.len()];
    for (place, one) in node.body.iter().enumerate() {
        let Node::Declaration(declaration) = one else { continue };
        let last = (place + 1..node.body.len())
            .rev()
            .find(|other| nodes::uses(&node.body[*other..=*other], declaration.variable));
        if let Some(last) = last {
            joined[place + 1..=last].fill(true);
        }
    }
    joined
}

/// Which node of a loop's body each access belongs to.
struct Places<'p, 'r> {
    proof: &'p Proof<'r>,
    index: usize,
    /// For each node the number of the statement after its last.
    ends: Vec<usize>,
    first: usize,
}

impl<'p, 'r> Places<'p, 'r> {
    fn new(proof: &'p Proof<'r>, index: usize) -> Places<'p, 'r> {
        let statements = &proof.program.statements;
        // Statements are numbered in the order of the text; a loop's bounds stand in front of its body.
        let inside =
            |statement: &crate::analysis::program::StatementFacts<'_>| statement.around.contains(&index);
        let first = statements.iter().position(inside).unwrap_or(statements.len());
        let mut next = first;
        let ends = proof.program.loops[index].node.body.iter().map(|node| {
            next += statements_of(node);
            next
        });
        Places { ends: ends.collect(), proof, index, first }
    }

    fn of(&self, access: usize) -> Option<usize> {
        let statement = self.proof.program.accesses[access].statement;
        (statement >= self.first).then(|| self.ends.partition_point(|end| *end <= statement))
    }

    /// When an access of an earlier iteration, in a later node, would come after the other.
    fn swapped(&self, from: usize, to: usize) -> Option<Formula> {
        match (self.of(from), self.of(to)) {
            (Some(from), Some(to)) if from <= to => None,
            (Some(_), Some(_)) => Some(self.proof.program.earlier(self.index, 'a', 'b')),
            // The loop's own bounds are read again before each part.
            _ => Some(Formula::True),
        }
    }
}

/// How many statements of [`crate::analysis::program::Program`] a node is.
fn statements_of(node: &Node) -> usize {
    let is_one = |node: &&Node| {
        matches!(node, Node::Loop(_) | Node::If(_) | Node::Statement(_) | Node::Declaration(_))
    };
    walk(std::slice::from_ref(node)).filter(is_one).count()
}

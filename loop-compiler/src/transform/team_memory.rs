//! Copies inside of a kernel: in the memory of a team's block where a schedule says so, otherwise on the device's heap.
//!
//! C for devices has no arrays of run-time length, so that the copies' sizes have to be constants there, and of a loop whose
//! trip count is no constant there are as many copies as a team has threads.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    cost::{estimate::Declared, policy::BYTES_OF_BLOCK},
    decide::kernels,
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopId, Node, Region, VariableId,
        arithmetic::{constant, number},
    },
    rules::{Rejection, Rule},
    transform::{substituted, team_copies},
};

/// How a team's threads share copies.
pub(crate) struct Team<'t> {
    /// The variable that says how many workers there are.
    pub workers: Option<VariableId>,
    /// Threads of a team: the workers inside of a kernel.
    pub threads: u32,
    /// Where the loops begin whose copies are in the memory of the block.
    pub shared: &'t BTreeSet<LoopId>,
}

/// The region with copies as arrays of a team where they are to be, which compilers put into the memory of its block: copies
/// of what a team's loop reduces into, or one of each [array that a team's threads update](team_copies) where the loop over
/// teams says so. With the threads of the teams of such a kernel, by its loop's place.
///
/// # Errors
///
/// Copies whose size is not a constant, or too large, or that belong to no team.
pub(crate) fn placed(region: &Region, team: &Team<'_>) -> Result<(Region, BTreeMap<LoopId, u32>), Rejection> {
    let mut placer = Placer { team, out: region.clone(), threads: BTreeMap::new(), bytes: 0 };
    let body = placer.outside(&region.body)?;
    Ok((Region { body, ..placer.out }, placer.threads))
}

struct Placer<'t> {
    team: &'t Team<'t>,
    out: Region,
    threads: BTreeMap<LoopId, u32>,
    /// Bytes in the memory of the block.
    bytes: i128,
}

impl Placer<'_> {
    fn outside(&mut self, nodes: &[Node]) -> Result<Vec<Node>, Rejection> {
        let mut out = nodes.to_vec();
        for (place, node) in out.iter_mut().enumerate() {
            match node {
                Node::Loop(looped) if looped.parallel => {
                    let has_copies = place > 0 && matches!(nodes[place - 1], Node::Private(_));
                    if has_copies && self.team.shared.contains(&looped.id) {
                        return self.wrong(
                            looped,
                            "its copies belong to all teams; make a loop around it parallel, too",
                        );
                    }
                    if let Some(workers) = self.team.workers {
                        let threads = number(i128::from(self.team.threads));
                        looped.body = substituted(&looped.body, workers, &threads);
                    }
                    self.bytes = 0;
                    looped.body = self.inside(&looped.body)?;
                    if !has_copies
                        && self.team.shared.contains(&looped.id)
                        && kernels::parallel_loop(&looped.body).is_some()
                    {
                        self.one_copy(looped);
                    }
                }
                _ => node.bodies_mut().try_for_each(|body| {
                    *body = self.outside(body)?;
                    Ok(())
                })?,
            }
        }
        Ok(out)
    }

    /// Gives teams one copy of each array that their threads update, if that is possible.
    fn one_copy(&mut self, teams: &mut Loop) {
        if let Some(updated) = team_copies::updated(&self.out, teams) {
            team_copies::add(&mut self.out, teams, &updated);
            self.threads.insert(teams.id, team_copies::threads(&updated));
        }
    }

    fn inside(&mut self, nodes: &[Node]) -> Result<Vec<Node>, Rejection> {
        let mut out = nodes.to_vec();
        for place in 0..out.len() {
            match &out[place] {
                Node::Private(private) => {
                    let variable = private.variable;
                    let mut behind = nodes[place..].iter().filter_map(Node::as_loop);
                    let Some(looped) = behind.find(|looped| looped.parallel) else { continue };
                    if self.copies(variable, looped, &mut out)? {
                        out[place] = Node::Declaration(Declaration { variable, value: None, at: looped.at });
                    }
                }
                other => out[place] = other.clone().try_map_bodies(|body| self.inside(&body))?,
            }
        }
        Ok(out)
    }

    /// Whether the copies of a loop go to the memory of the block; their sizes are constants then.
    fn copies(&mut self, variable: VariableId, looped: &Loop, nodes: &mut [Node]) -> Result<bool, Rejection> {
        let extents: Vec<Expression> =
            self.out.variable(variable).extents.iter().flatten().cloned().collect();
        let mut sizes: Vec<Option<i128>> = Vec::new();
        {
            let declarations = nodes.iter().filter_map(|node| match node {
                Node::Declaration(declaration) => Some((declaration.variable, declaration.value.as_ref()?)),
                _ => None,
            });
            let declared: Declared<'_> = declarations.collect::<BTreeMap<_, _>>();
            sizes.extend(extents.iter().map(|extent| exact(extent, &declared)));
        }
        if sizes.iter().skip(1).any(Option::is_none) {
            return self.wrong(
                looped,
                "the size of a copy has to be a constant there; tile the loops with constant sizes",
            );
        }
        if !self.team.shared.contains(&looped.id) {
            return Ok(false);
        }
        let count = match (sizes[0], &extents[0].kind) {
            (Some(count), _) => count,
            (None, ExpressionKind::Read(read)) => {
                let threads = i128::from(self.team.threads);
                for node in nodes {
                    if let Node::Declaration(declaration) = node
                        && declaration.variable == read.variable
                    {
                        declaration.value = Some(number(threads));
                    }
                }
                threads
            }
            _ => return self.wrong(looped, "the number of its copies is not known"),
        };
        let scalar = self.out.variable(variable).scalar;
        let elements: i128 = sizes.iter().skip(1).flatten().product::<i128>() * count;
        self.bytes += elements * scalar.size() as i128;
        if self.bytes > BYTES_OF_BLOCK {
            let what = format!(
                "the copies take {} bytes, and a block has {BYTES_OF_BLOCK} for them; use smaller tiles",
                self.bytes
            );
            return self.wrong(looped, &what);
        }
        let int = |size: i128| Some(Expression::integer(size, crate::ir::types::Scalar::INT));
        let sizes = std::iter::once(Some(count)).chain(sizes.into_iter().skip(1));
        let described = &mut self.out.variables[variable.0];
        described.extents = sizes.clone().map(|size| size.and_then(int)).collect();
        if !described.declared_type.is_empty() {
            described.declared_type.extend(sizes.flatten().map(|size| format!("[{size}]")));
        }
        Ok(true)
    }

    fn wrong<T>(&self, looped: &Loop, what: &str) -> Result<T, Rejection> {
        let name = &self.out.variable(looped.iterator).name;
        let name = name.strip_suffix("_part").unwrap_or(name);
        let reason = format!("copies for loop `{name}` inside of a kernel: {what}");
        Err(Rejection::new(Rule::Schedules, looped.at, reason))
    }
}

/// The integer that an expression of constants and of variables that are declared is.
fn exact(value: &Expression, declared: &Declared<'_>) -> Option<i128> {
    match &value.kind {
        ExpressionKind::Integer(_) => constant(value),
        ExpressionKind::Read(read) if read.path.is_empty() => exact(declared.get(&read.variable)?, declared),
        ExpressionKind::Cast(inner) if value.scalar.is_integer() => exact(inner, declared),
        ExpressionKind::Select(condition, then, otherwise) => match exact(condition, declared)? {
            0 => exact(otherwise, declared),
            _ => exact(then, declared),
        },
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (exact(left, declared)?, exact(right, declared)?);
            let truth = |holds: bool| Some(i128::from(holds));
            match operator {
                BinaryOperator::Add => left.checked_add(right),
                BinaryOperator::Subtract => left.checked_sub(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                BinaryOperator::Divide => left.checked_div(right),
                BinaryOperator::Less => truth(left < right),
                BinaryOperator::LessEqual => truth(left <= right),
                BinaryOperator::Greater => truth(left > right),
                BinaryOperator::GreaterEqual => truth(left >= right),
                BinaryOperator::LogicalAnd => truth(left != 0 && right != 0),
                _ => None,
            }
        }
        _ => None,
    }
}

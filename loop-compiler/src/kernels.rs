//! The loops that are a kernel of a device, and what it takes.
//!
//! There are two forms. Each iteration of a kernel's loops is a thread's; or it is a team's, whose threads divide the loops
//! inside among themselves and reduce together. Threads are better where there are enough iterations, and where
//! neighbouring iterations access neighbouring elements; teams where few iterations have much to do, or where the
//! iterations of the loop inside are the ones that access neighbouring elements.

use std::{cell::OnceCell, collections::BTreeSet};

use crate::{
    affine::Case,
    analysis::{Analysis, AnalysisError, Options, analysis_of},
    arithmetic::constant,
    c,
    classes::Class,
    estimate::{Estimate, Values},
    machine::{Device, Machine},
    privatize::{Choice, Copies, privatize, trips},
    program::{Access, Program},
    rules::{FloatOrder, Rejection, Rule},
    tree::{Loop, Node, Region, Store},
};

/// What the kernels of a region are chosen by.
pub(crate) struct Kernels<'m, 'r> {
    pub region: &'r Region,
    pub order: FloatOrder,
    pub machine: &'m Machine,
    pub options: &'m Options,
    pub program: &'m Program<'r>,
    /// Of the region, made where it is needed.
    pub analysis: &'m OnceCell<Analysis>,
    /// The value of sizes.
    pub assumed: f64,
}

/// A kernel.
pub(crate) struct Kernel {
    /// Nanoseconds.
    pub cost: f64,
    /// Its parallel loops, by number.
    pub loops: BTreeSet<usize>,
    /// Bytes of copies.
    pub memory: f64,
    /// How the loops are parallel.
    pub strategy: &'static str,
}

/// The loops, parallel on a device.
pub(crate) fn choice(loops: BTreeSet<usize>, order: FloatOrder) -> Choice {
    let (atomic, omitted) = (BTreeSet::new(), BTreeSet::new());
    Choice { loops, copies: Copies::Device, atomic, order, least_work: None, omitted }
}

impl Kernels<'_, '_> {
    /// The best kernel whose outermost loop this one is: alone, or with those inside that it may be collapsed with, and
    /// with threads or teams. `times` are those of each loop in order.
    pub fn best(
        &self,
        index: usize,
        iterators: &mut Values,
        times: &[f64],
    ) -> Result<Result<Kernel, Rejection>, AnalysisError> {
        let Some(device) = self.machine.device else {
            let reason = "the machine is no device";
            return Ok(Err(Rejection::new(Rule::Model, self.program.loops[index].node.at, reason)));
        };
        let mut best: Result<Kernel, Rejection> =
            Err(Rejection::new(Rule::Model, self.program.loops[index].node.at, "it is no kernel"));
        let mut loops = BTreeSet::new();
        let mut next = Some(index);
        let mut iterations = 1.0;
        let mut around = Vec::new();
        while let Some(innermost) = next {
            let node = self.program.loops[innermost].node;
            let trips = self.trips(node, iterators);
            iterations *= trips.max(1.0);
            loops.insert(innermost);
            let middle = self.value(&node.lower, iterators).unwrap_or(0.0)
                + constant(&node.step).unwrap_or(1) as f64 * trips / 2.0;
            match self.of_threads(&device, &loops, innermost, iterations, times[index], iterators)? {
                Ok(kernel) if best.as_ref().is_ok_and(|best| best.cost < kernel.cost) => {}
                Ok(kernel) => best = Ok(kernel),
                Err(rejection) => {
                    if best.is_err() {
                        best = Err(rejection);
                    }
                    break;
                }
            }
            iterators.insert(node.iterator, middle);
            around.push(node.iterator);
            let time = best.as_ref().map_or(f64::INFINITY, |best| best.cost);
            let whole = times[index] / iterations;
            if let Some(kernel) =
                self.of_teams(&device, &loops, innermost, iterations, whole, time, iterators, times)?
            {
                best = Ok(kernel);
            }
            next = matches!(&node.body[..], [Node::Loop(_)]).then_some(innermost + 1);
        }
        for iterator in around {
            iterators.remove(&iterator);
        }
        Ok(best)
    }

    /// A thread for each iteration.
    fn of_threads(
        &self,
        device: &Device,
        loops: &BTreeSet<usize>,
        innermost: usize,
        iterations: f64,
        sequential: f64,
        iterators: &Values,
    ) -> Result<Result<Kernel, Rejection>, AnalysisError> {
        let at = self.program.loops[innermost].node.at;
        let rejected = |rule: Rule, reason: &str| Ok(Err(Rejection::new(rule, at, reason)));
        let made = match privatize(self.region, &choice(loops.clone(), self.order), self.options) {
            Ok(made) => made,
            Err(AnalysisError::Rejected(rejection)) => return Ok(Err(rejection)),
            Err(error) => return Err(error),
        };
        let (passes, strategy) = (made.passes(), made.strategy());
        let privatized = made.region;
        let copies = self.estimate(&privatized).copies(iterators);
        if loops.len() > 1 && (!copies.is_empty() || !are_collapsed(&privatized, loops.len())) {
            return rejected(Rule::Model, "the loops are not one kernel");
        }
        if !c::is_controlled_by_host(&privatized, &privatized.body) {
            return rejected(
                Rule::Model,
                "the host would need values that the region computes on the device",
            );
        }
        let cells: f64 = copies.iter().map(|(count, _)| count).sum();
        let memory: f64 = copies.iter().map(|(count, size)| count * size).sum();
        if memory > self.machine.memory {
            return rejected(Rule::Limits, &format!("its copies take about {:.1} GB", memory / 1e9));
        }
        let atomic = if has_atomics(&privatized.body) { self.machine.atomic } else { 0.0 };
        let slow = device.slower * (self.reach(device, innermost) + atomic);
        let workers = if copies.is_empty() { iterations } else { iterations.min(f64::from(device.workers)) };
        let parallel = workers.min(self.machine.threads);
        let cost = passes * (self.machine.fork + sequential * slow / parallel) + self.machine.copy * cells;
        Ok(Ok(Kernel { cost, loops: loops.clone(), memory, strategy }))
    }

    /// A team for each iteration, if that takes less than `limit`; `whole` is what an iteration takes in order.
    #[expect(clippy::too_many_arguments, reason = "what is known of the loops around")]
    fn of_teams(
        &self,
        device: &Device,
        loops: &BTreeSet<usize>,
        innermost: usize,
        iterations: f64,
        whole: f64,
        limit: f64,
        iterators: &Values,
        times: &[f64],
    ) -> Result<Option<Kernel>, AnalysisError> {
        let inside = self.program.loops.iter().enumerate();
        let inside = inside.filter(|(_, other)| other.around.last() == Some(&innermost));
        // Without copies an iteration does what it does in order, but for the loops that threads divide.
        let mut own = whole * device.slower;
        let mut together = Vec::new();
        for (index, facts) in inside {
            let threads = self.trips(facts.node, iterators).clamp(1.0, f64::from(device.team));
            let alone = times[index] * device.slower;
            let time = |atomic: f64| alone * (self.reach(device, index) + atomic) / threads + device.region;
            if time(0.0) < alone {
                own += time(0.0) - alone;
                together.push((index, time(self.machine.atomic) - time(0.0)));
            }
        }
        let teams = iterations.min((self.machine.threads / f64::from(device.team)).max(1.0));
        let cost = |own: f64| self.machine.fork + own * iterations / teams;
        if together.is_empty() || cost(own) >= limit {
            return Ok(None);
        }
        let analysis = analysis_of(self.region, self.options, self.analysis)?;
        together
            .retain(|(index, _)| matches!(analysis.loops[*index].class, Class::Parallel | Class::Reduction));
        let all: BTreeSet<usize> =
            loops.iter().copied().chain(together.iter().map(|(index, _)| *index)).collect();
        if all.len() == loops.len() {
            return Ok(None);
        }
        let privatized = match privatize(self.region, &choice(all.clone(), self.order), self.options) {
            Ok(privatized) => privatized.region,
            Err(AnalysisError::Rejected(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        if has_atomics(&privatized.body) {
            own += together.iter().map(|(_, atomic)| atomic).sum::<f64>();
        }
        let possible = are_collapsed(&privatized, loops.len())
            && self.estimate(&privatized).copies(iterators).is_empty()
            && c::is_controlled_by_host(&privatized, &privatized.body)
            && c::is_same_for_team(&privatized.body);
        let cost = cost(own);
        Ok((possible && cost < limit).then_some(Kernel { cost, loops: all, memory: 0.0, strategy: "teams" }))
    }

    /// How much longer a statement takes if so many neighbouring threads have the iterations of a loop: they share what they
    /// access if it is the same element, or the next one.
    fn reach(&self, device: &Device, innermost: usize) -> f64 {
        let accesses: Vec<_> = self
            .program
            .accesses
            .iter()
            .filter(|access| access.around.contains(&innermost) && !access.subscripts.is_empty())
            .collect();
        let is_near = |access: &&&Access<'_>| {
            let mut subscripts = access.subscripts.iter().rev();
            let moves = |subscript: &Option<Vec<Case>>| match subscript.as_deref() {
                Some([only]) => only.value.coefficient(innermost),
                _ => 2,
            };
            let last = subscripts.next().map_or(0, moves);
            last.abs() <= 1 && subscripts.all(|subscript| moves(subscript) == 0)
        };
        let near = accesses.iter().filter(is_near).count() as f64;
        let all = (accesses.len() as f64).max(1.0);
        (near + device.distant * (all - near)).max(all) / all
    }

    fn trips(&self, node: &Loop, iterators: &Values) -> f64 {
        trips(node).and_then(|trips| self.value(&trips, iterators)).unwrap_or(8.0).max(0.0)
    }

    fn value(&self, expression: &crate::tree::Expression, iterators: &Values) -> Option<f64> {
        self.estimate(self.region).value(expression, iterators, &Default::default())
    }

    fn estimate<'e>(&'e self, region: &'e Region) -> Estimate<'e> {
        Estimate {
            region,
            options: self.options,
            assumed: self.assumed,
            threads: self.machine.threads,
            known: self.region.variables.len(),
        }
    }
}

/// Whether so many loops, one inside the other, are one kernel.
fn are_collapsed(region: &Region, number: usize) -> bool {
    fn find(nodes: &[Node]) -> Option<&Loop> {
        nodes.iter().find_map(|node| match node {
            Node::Loop(looped) if looped.parallel => Some(looped),
            Node::Loop(looped) => find(&looped.body),
            Node::If(guard) => find(&guard.then).or_else(|| find(&guard.otherwise)),
            _ => None,
        })
    }
    find(&region.body).is_some_and(|looped| c::collapsed(looped) == number)
}

/// Whether elements of arrays are reduced into by several threads.
pub(crate) fn has_atomics(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(looped) => has_atomics(&looped.body),
        Node::If(guard) => has_atomics(&guard.then) || has_atomics(&guard.otherwise),
        Node::Statement(statement) => {
            matches!(statement.store, Store::Reduce { .. }) && !statement.target.path.is_empty()
        }
        _ => false,
    })
}

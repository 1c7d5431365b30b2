//! The loops that are a kernel of a device, and what it takes.
//!
//! There are two forms. Each iteration of a kernel's loops is a thread's; or it is a team's, whose threads divide the loops
//! inside among themselves and reduce together. Threads are better where there are enough iterations, and where
//! neighbouring iterations access neighbouring elements; teams where few iterations have much to do, or where the
//! iterations of the loop inside are the ones that access neighbouring elements. A team has the size that is best, if its
//! threads reduce.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{
        Analyses, AnalysisError, Options,
        affine::Case,
        classes::Class,
        program::{Access, Program},
    },
    c,
    cost::{
        estimate::{Estimate, Values},
        machine::{Device, Machine},
        policy::UNKNOWN_TRIPS,
    },
    ir::{Loop, Node, Region, Store, arithmetic::constant, loops, walk, walk_into},
    rules::{FloatOrder, Rejection, Rule},
    transform::{
        invariant_elements,
        privatize::{Choice, Copies, Privatized, privatize_classified, trips},
    },
};

/// What the kernels of a region are chosen by.
pub(crate) struct Kernels<'m, 'r> {
    pub region: &'r Region,
    pub order: FloatOrder,
    pub machine: &'m Machine,
    pub options: &'m Options,
    pub program: &'m Program<'r>,
    /// What is known of the region.
    pub known: &'m Analyses<'r>,
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
    /// Whether threads update elements atomically.
    pub is_atomic: bool,
    /// The innermost loops that the threads of a team divide to reduce, by number: how many threads, and how many iterations
    /// are assumed.
    pub teams: BTreeMap<usize, (u32, f64)>,
}

/// How an innermost reduction is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// By one thread.
    Thread,
    /// By so many threads of a team, which reduce so many iterations at each step.
    Steps(u32),
    /// By so many threads of a team, which reduce once.
    Accumulators(u32),
}

/// See [`Kernels::around`].
struct Around {
    iterators: Values,
    /// How often the kernel is launched.
    launches: f64,
    /// The iterations of its loops.
    iterations: f64,
}

/// The loops, parallel on a device.
pub(crate) fn choice(loops: BTreeSet<usize>, order: FloatOrder) -> Choice {
    let (atomic, omitted) = (BTreeSet::new(), BTreeSet::new());
    Choice { loops, copies: Copies::Device, atomic, order, least_work: None, is_tested: false, omitted }
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

    /// The region with these loops parallel.
    fn privatized(&self, loops: &BTreeSet<usize>) -> Result<Privatized, AnalysisError> {
        privatize_classified(self.known.classified()?, &choice(loops.clone(), self.order), self.options)
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
        let made = match self.privatized(loops) {
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
        let is_atomic = has_atomics(&privatized.body);
        let atomic = match is_atomic {
            true => self.machine.atomic * self.updates(&privatized, innermost, iterators),
            false => 0.0,
        };
        let slow = device.slower * (self.reach(device, innermost) + atomic);
        let workers = if copies.is_empty() { iterations } else { iterations.min(f64::from(device.workers)) };
        let parallel = workers.min(self.machine.threads);
        let cost = passes * (self.machine.fork + sequential * slow / parallel) + self.machine.copy * cells;
        Ok(Ok(Kernel { cost, loops: loops.clone(), memory, strategy, is_atomic, teams: BTreeMap::new() }))
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
        let inside: Vec<usize> = inside
            .filter(|(_, other)| other.around.last() == Some(&innermost))
            .map(|(index, _)| index)
            .collect();
        // Without copies an iteration does what it does in order, but for the loops that threads divide.
        let with_size = |size: u32| {
            let mut own = whole * device.slower;
            let mut together = Vec::new();
            for index in &inside {
                let alone = times[*index] * device.slower;
                let time = |atomic: f64| {
                    let each = alone * (self.reach(device, *index) + atomic);
                    let trips = self.trips(self.program.loops[*index].node, iterators);
                    each / trips.clamp(1.0, f64::from(size)) + device.region_of(size)
                };
                if time(0.0) < alone {
                    own += time(0.0) - alone;
                    together.push((*index, time(self.machine.atomic) - time(0.0)));
                }
            }
            (self.of_all_teams(own, iterations, size), own, together)
        };
        let known = |size: u32| (size, with_size(size));
        let best = device.team_sizes().map(known).min_by(|(_, one), (_, other)| one.0.total_cmp(&other.0));
        let Some((mut size, (mut cost, mut own, mut together))) = best else { return Ok(None) };
        if together.is_empty() || cost >= limit {
            return Ok(None);
        }
        let analysis = self.known.analysis()?;
        let class = |index: usize| analysis.loops[index].class;
        if !together.iter().any(|(index, _)| class(*index) == Class::Reduction) {
            // Nothing says how many threads there are.
            size = device.team;
            (cost, own, together) = with_size(size);
        }
        together.retain(|(index, _)| matches!(class(*index), Class::Parallel | Class::Reduction));
        let all: BTreeSet<usize> =
            loops.iter().copied().chain(together.iter().map(|(index, _)| *index)).collect();
        if all.len() == loops.len() || cost >= limit {
            return Ok(None);
        }
        let privatized = match self.as_teams(&all, loops.len(), iterators)? {
            Ok(privatized) => privatized,
            Err(_) => return Ok(None),
        };
        let is_atomic = has_atomics(&privatized.body);
        if is_atomic {
            own += together.iter().map(|(_, atomic)| atomic).sum::<f64>();
        }
        let cost = self.of_all_teams(own, iterations, size);
        let reductions = together.iter().filter(|(index, _)| class(*index) == Class::Reduction);
        let teams = reductions
            .map(|(index, _)| (*index, (size, self.trips(self.program.loops[*index].node, iterators))))
            .collect();
        let kernel = Kernel { cost, loops: all, memory: 0.0, strategy: "teams", is_atomic, teams };
        Ok((cost < limit).then_some(kernel))
    }

    /// What a kernel takes whose teams, of so many threads each, have so many iterations, each of which takes a team so long.
    fn of_all_teams(&self, own: f64, iterations: f64, size: u32) -> f64 {
        let teams = iterations.min((self.machine.threads / f64::from(size)).max(1.0));
        self.machine.fork + own * iterations / teams
    }

    /// The region with a kernel of these loops, of which the first so many are those of teams; or why there is none.
    fn as_teams(
        &self,
        loops: &BTreeSet<usize>,
        collapsed: usize,
        iterators: &Values,
    ) -> Result<Result<Region, Rejection>, AnalysisError> {
        let privatized = match self.privatized(loops) {
            Ok(privatized) => privatized.region,
            Err(AnalysisError::Rejected(rejection)) => return Ok(Err(rejection)),
            Err(error) => return Err(error),
        };
        let at = loops.first().map_or(self.region.at, |index| self.program.loops[*index].node.at);
        let rejected = |reason: &str| Ok(Err(Rejection::new(Rule::Model, at, reason)));
        if !are_collapsed(&privatized, collapsed) {
            return rejected("the loops are not one kernel");
        }
        if !self.estimate(&privatized).copies(iterators).is_empty() {
            return rejected("each thread of a team would need copies");
        }
        if !c::is_controlled_by_host(&privatized, &privatized.body) {
            return rejected("the host would need values that the region computes on the device");
        }
        if !c::is_same_for_team(&privatized.body) {
            return rejected("a condition or a bound uses what one thread of a team stores");
        }
        Ok(Ok(privatized))
    }

    /// The best kernel that executes an innermost loop in one of some forms, with the form, or why there is none; `times` are
    /// those of each loop in order.
    pub fn in_form(
        &self,
        index: usize,
        forms: &[Form],
        times: &[f64],
    ) -> Result<Result<(Form, Kernel), Rejection>, AnalysisError> {
        let facts = &self.program.loops[index];
        let rejected = |reason: &str| Ok(Err(Rejection::new(Rule::Schedules, facts.node.at, reason)));
        let Some(device) = self.machine.device else { return rejected("the machine is no device") };
        let analysis = self.known.analysis()?;
        let mut best: Option<(Form, Kernel)> = None;
        let mut reason = None;
        // The loops directly around each other, from the one around the innermost loop outwards.
        for begin in (0..facts.around.len()).rev() {
            let rows = &facts.around[begin..];
            let first = self.program.loops[rows[0]].node;
            if !matches!(analysis.loops[rows[0]].class, Class::Parallel | Class::Private)
                || (rows.len() > 1 && !matches!(&first.body[..], [Node::Loop(_)]))
            {
                break;
            }
            let Around { iterators, launches, iterations } = self.around(index, begin);
            let loops: BTreeSet<usize> = rows.iter().copied().collect();
            let whole = times[rows[0]] / iterations;
            let mut as_teams = None;
            for form in forms {
                let kernel = match *form {
                    Form::Thread => {
                        let time = times[rows[0]];
                        self.of_threads(&device, &loops, rows[rows.len() - 1], iterations, time, &iterators)?
                    }
                    Form::Steps(size) | Form::Accumulators(size) => {
                        let all: BTreeSet<usize> = loops.iter().copied().chain([index]).collect();
                        let possible = match as_teams.take() {
                            Some(known) => known,
                            None => self.as_teams(&all, loops.len(), &iterators)?.and_then(|privatized| {
                                let reason = "several threads would update one element atomically";
                                match has_atomics(&privatized.body) {
                                    true => Err(Rejection::new(Rule::Schedules, facts.node.at, reason)),
                                    false => Ok(()),
                                }
                            }),
                        };
                        as_teams.insert(possible).clone().map(|()| {
                            let trips = self.trips(facts.node, &iterators);
                            let alone = times[index] * device.slower;
                            let regions = match form {
                                Form::Steps(_) => (trips / f64::from(size)).ceil(),
                                _ => 1.0,
                            };
                            let own = whole * device.slower - alone
                                + alone * self.reach(&device, index) / trips.clamp(1.0, f64::from(size))
                                + regions * device.region_of(size);
                            let cost = self.of_all_teams(own, iterations, size);
                            let teams = BTreeMap::from([(index, (size, trips))]);
                            let (memory, strategy, is_atomic) = (0.0, "teams", false);
                            Kernel { cost, loops: all, memory, strategy, is_atomic, teams }
                        })
                    }
                };
                match kernel {
                    Ok(kernel) => {
                        let cost = kernel.cost * launches;
                        if best.as_ref().is_none_or(|(_, best)| cost < best.cost) {
                            best = Some((*form, Kernel { cost, ..kernel }));
                        }
                    }
                    Err(rejection) => {
                        reason = reason.or(Some(rejection));
                        break;
                    }
                }
            }
        }
        match (best, reason) {
            (Some(found), _) => Ok(Ok(found)),
            (None, Some(rejection)) => Ok(Err(rejection)),
            (None, None) if facts.around.is_empty() => {
                rejected("there is no loop around it whose iterations could be those of threads or teams")
            }
            (None, None) => rejected("the iterations of the loop around it depend on each other"),
        }
    }

    /// What is assumed of the loops around a loop, of which those from one on are a kernel.
    fn around(&self, index: usize, begin: usize) -> Around {
        let mut around = Around { iterators: Values::new(), launches: 1.0, iterations: 1.0 };
        for (place, outer) in self.program.loops[index].around.iter().enumerate() {
            let node = self.program.loops[*outer].node;
            let trips = self.trips(node, &around.iterators);
            let times = if place < begin { &mut around.launches } else { &mut around.iterations };
            *times *= trips.max(1.0);
            let middle = self.value(&node.lower, &around.iterators).unwrap_or(0.0)
                + constant(&node.step).unwrap_or(1) as f64 * trips / 2.0;
            around.iterators.insert(node.iterator, middle);
        }
        around
    }

    /// Sectors of memory that are accessed for each iteration of a loop by a warp whose threads have neighbouring iterations
    /// of that loop, or of one around it.
    pub fn sectors(&self, of_threads: usize, inside: usize) -> f64 {
        let warp = self.machine.device.map_or(1.0, |device| f64::from(device.warp));
        // What stays the same in the inner loop is in a register.
        let accesses = self.program.accesses.iter().filter(|access| {
            access.around.last() == Some(&inside)
                && !access.subscripts.is_empty()
                && distance(access, inside) != Some(0)
        });
        let of_access = |access: &Access<'_>| match distance(access, of_threads) {
            Some(0) => 1.0 / warp,
            Some(1 | -1) => access.reference.scalar.size() as f64 / self.machine.line_bytes,
            _ => 1.0,
        };
        accesses.map(of_access).sum()
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
        let is_near =
            |access: &&&Access<'_>| distance(access, innermost).is_some_and(|moves| moves.abs() <= 1);
        let near = accesses.iter().filter(is_near).count() as f64;
        let all = (accesses.len() as f64).max(1.0);
        (near + device.distant * (all - near)).max(all) / all
    }

    /// How many of the statements of a thread update an element atomically, where others combine in a variable of the
    /// thread before.
    fn updates(&self, privatized: &Region, innermost: usize, iterators: &Values) -> f64 {
        let once = invariant_elements::updated_once(privatized);
        let node = self.program.loops[innermost].node;
        match &node.body[..] {
            [Node::Loop(inside)] if !in_innermost(&once.body, &has_atomics) => {
                1.0 / self.trips(inside, iterators).max(1.0)
            }
            _ => 1.0,
        }
    }

    fn trips(&self, node: &Loop, iterators: &Values) -> f64 {
        trips(node).and_then(|trips| self.value(&trips, iterators)).unwrap_or(UNKNOWN_TRIPS).max(0.0)
    }

    fn value(&self, expression: &crate::ir::Expression, iterators: &Values) -> Option<f64> {
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

/// By how many elements an access moves from one iteration of a loop to the next, if that is along its last dimension.
pub(crate) fn distance(access: &Access<'_>, looped: usize) -> Option<i128> {
    let mut subscripts = access.subscripts.iter().rev();
    let moves = |subscript: &Option<Vec<Case>>| match subscript.as_deref() {
        Some([only]) => Some(only.value.coefficient(looped)),
        _ => None,
    };
    let last = subscripts.next().map_or(Some(0), moves)?;
    subscripts.all(|subscript| moves(subscript) == Some(0)).then_some(last)
}

/// Whether so many loops, one inside the other, are one kernel.
fn are_collapsed(region: &Region, number: usize) -> bool {
    parallel_loop(&region.body).is_some_and(|looped| c::collapsed(looped) == number)
}

/// The first outermost parallel loop of nodes.
pub(crate) fn parallel_loop(nodes: &[Node]) -> Option<&Loop> {
    loops(nodes).find(|looped| looped.parallel)
}

/// Whether elements of arrays are reduced into by several threads.
pub(crate) fn has_atomics(nodes: &[Node]) -> bool {
    walk(nodes).any(|node| match node {
        Node::Statement(statement) => {
            matches!(statement.store, Store::Reduce { .. }) && !statement.target.path.is_empty()
        }
        _ => false,
    })
}

/// Whether the body of one of the innermost sequential loops is such.
fn in_innermost(nodes: &[Node], is_such: &dyn Fn(&[Node]) -> bool) -> bool {
    let has_loop = |looped: &Loop| looped.body.iter().any(|node| matches!(node, Node::Loop(_)));
    let is_innermost = |looped: &Loop| !has_loop(looped) && !looped.parallel;
    walk_into(nodes, |node| !node.as_loop().is_some_and(is_innermost))
        .filter_map(Node::as_loop)
        .any(|looped| is_innermost(looped) && is_such(&looped.body))
}

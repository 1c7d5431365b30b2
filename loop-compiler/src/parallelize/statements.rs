//! The choice of parallel loops by a model that counts statements; kernels of a device have a model of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::made::Alternative;
use crate::{
    analysis::{
        Analyses, AnalysisError, Description, Options,
        closed_form::has_closed_form,
        program::{LoopFacts, Program},
    },
    cost::{
        estimate::{Estimate, Values},
        machine::Machine,
        policy::{AS_SEQUENTIAL, ASSUMED_SIZES, TIMES_OF_NEIGHBOURS, UNKNOWN_TRIPS},
    },
    decide::kernels::{self, Form, Kernels},
    ir::{Expression, LoopId, Node, Region, arithmetic::constant},
    rules::{FloatOrder, Rejection, Rule},
    transform::{
        self,
        privatize::{Choice, Copies, privatize_classified, trips},
        strategies::OnDevice,
    },
};

/// What the model chooses.
#[derive(Clone, Default)]
pub(super) struct Chosen {
    pub alternatives: Vec<Alternative>,
    pub loops: Vec<usize>,
    /// See [`kernels::Kernel::teams`].
    pub teams: BTreeMap<usize, (u32, f64)>,
    pub cost: f64,
}

pub(super) fn chosen(
    region: &Region,
    order: FloatOrder,
    machine: &Machine,
    options: &Options,
) -> Result<Chosen, AnalysisError> {
    with_model(region, order, machine, options, |_, chosen| Ok(chosen))
}

/// What is made of the model of a region, and of what it chooses.
pub(super) fn with_model<T>(
    region: &Region,
    order: FloatOrder,
    machine: &Machine,
    options: &Options,
    make: impl FnOnce(&Model<'_, '_>, Chosen) -> Result<T, AnalysisError>,
) -> Result<T, AnalysisError> {
    let Description { program, .. } = Description::of(region, options)?;
    let known = Analyses::new(region, options);
    let mut model = Model {
        region,
        order,
        machine,
        options,
        program: &program,
        alternatives: Vec::new(),
        teams: BTreeMap::new(),
        next: 0,
        known: &known,
        assumed: ASSUMED_SIZES[0],
    };
    model.alternatives = (0..program.loops.len())
        .map(|index| Alternative {
            index,
            sequential: 0.0,
            parallel: Ok(0.0),
            memory: 0.0,
            chosen: false,
            strategy: "parallel",
            best: 0.0,
            is_atomic: false,
        })
        .collect();
    let mut loops = Vec::new();
    let cost = model.body(&region.body, &mut BTreeMap::new(), &mut loops)?.best;
    if machine.device.is_none() {
        model.leave_beside_sequential(&mut loops);
    }
    let mut teams = model.teams.clone();
    teams.retain(|index, _| loops.contains(index));
    let chosen = Chosen { alternatives: model.alternatives.clone(), loops, teams, cost };
    make(&model, chosen)
}

pub(super) fn choice(
    loops: BTreeSet<usize>,
    order: FloatOrder,
    device: bool,
    least_work: Option<u64>,
) -> Choice {
    let copies = match (device, order) {
        (true, FloatOrder::Fixed) => Copies::Columns,
        (true, _) => return kernels::choice(loops, order),
        (false, _) => Copies::Workers,
    };
    let (atomic, omitted) = (BTreeSet::new(), BTreeSet::new());
    Choice { loops, copies, atomic, order, least_work, is_tested: false, omitted }
}

pub(super) struct Model<'m, 'r> {
    region: &'r Region,
    order: FloatOrder,
    machine: &'m Machine,
    options: &'m Options,
    program: &'m Program<'r>,
    alternatives: Vec<Alternative>,
    /// See [`Kernel::teams`].
    teams: BTreeMap<usize, (u32, f64)>,
    next: usize,
    known: &'m Analyses<'r>,
    /// The value of sizes in the present nest.
    assumed: f64,
}

/// A loop's time: in order, and as its body's best loops are chosen.
struct Inside {
    sequential: f64,
    best: f64,
    chosen: Vec<usize>,
}

/// What a body takes: sequential, and as it is chosen.
#[derive(Clone, Copy, Default)]
struct Cost {
    sequential: f64,
    best: f64,
}

impl<'r> Model<'_, 'r> {
    fn body(
        &mut self,
        nodes: &'r [Node],
        iterators: &mut Values,
        chosen: &mut Vec<usize>,
    ) -> Result<Cost, AnalysisError> {
        let mut cost = Cost::default();
        let mut add = |sequential: f64, best: f64| {
            cost.sequential += sequential;
            cost.best += best;
        };
        for node in nodes {
            match node {
                Node::Loop(_) => {
                    let one = self.looped(iterators, chosen)?;
                    add(one.sequential, one.best);
                }
                Node::Statement(_) | Node::Declaration(_) => {
                    add(self.machine.statement, self.machine.statement)
                }
                _ => {
                    for branch in node.bodies() {
                        let one = self.body(branch, iterators, chosen)?;
                        add(one.sequential, one.best);
                    }
                }
            }
        }
        Ok(cost)
    }

    fn looped(&mut self, iterators: &mut Values, chosen: &mut Vec<usize>) -> Result<Cost, AnalysisError> {
        let index = self.next;
        let cost = self.next_loop(iterators, chosen)?;
        self.alternatives[index].best = cost.best;
        Ok(cost)
    }

    fn next_loop(&mut self, iterators: &mut Values, chosen: &mut Vec<usize>) -> Result<Cost, AnalysisError> {
        let index = self.next;
        self.next += 1;
        if self.program.loops[index].around.is_empty() {
            self.assumed = self.assumed_of(index);
        }
        let node = self.program.loops[index].node;
        let trips =
            trips(node).and_then(|trips| self.value(&trips, iterators)).unwrap_or(UNKNOWN_TRIPS).max(0.0);
        let lower = self.value(&node.lower, iterators).unwrap_or(0.0);
        let step = constant(&node.step).unwrap_or(1) as f64;
        iterators.insert(node.iterator, lower + step * trips / 2.0);
        let mut inside = Vec::new();
        let body = self.body(&node.body, iterators, &mut inside)?;
        iterators.remove(&node.iterator);
        let executed = if self.machine.device.is_none() && has_closed_form(node) { 1.0 } else { trips };
        let sequential = executed * body.sequential;
        let inner = executed * body.best;
        self.alternatives[index].sequential = sequential;
        if self.machine.device.is_some() {
            let here = Inside { sequential, best: inner, chosen: inside };
            return self.on_device(index, iterators, here, chosen);
        }
        let choice = choice(BTreeSet::from([index]), self.order, false, None);
        let classified = self.known.classified();
        let alone = classified.and_then(|known| privatize_classified(known, &choice, self.options));
        let own = &mut self.alternatives[index];
        match alone {
            Err(AnalysisError::Rejected(rejection)) => own.parallel = Err(rejection),
            Err(error) => return Err(error),
            Ok(_) if transform::has_break(&node.body) => {
                let reason = "a `break` leaves it, perhaps at once: other threads would execute in vain what comes after; \
                              a schedule may make it parallel";
                own.parallel = Err(Rejection::new(Rule::Model, node.at, reason));
            }
            Ok(privatized) => {
                let cells = self.estimate(&privatized.region).copies(iterators);
                let workers = self.machine.threads.min(trips.max(1.0));
                let copies: f64 = cells.iter().map(|(count, _)| count).sum();
                let memory: f64 = cells.iter().map(|(count, size)| count * size).sum();
                let own = &mut self.alternatives[index];
                own.memory = memory;
                own.strategy = privatized.strategy();
                let atomic =
                    if kernels::has_atomics(&privatized.region.body) { self.machine.atomic } else { 1.0 };
                let passes = privatized.passes();
                let cost =
                    passes * (self.machine.fork + sequential * atomic / workers) + self.machine.copy * copies;
                own.parallel = Ok(cost);
                if memory > self.machine.memory {
                    let reason = format!("its copies take about {:.1} GB", memory / 1e9);
                    own.parallel = Err(Rejection::new(Rule::Limits, node.at, reason));
                } else if cost < sequential.min(inner) {
                    chosen.push(index);
                    return Ok(Cost { sequential, best: cost });
                }
            }
        }
        chosen.extend(inside);
        Ok(Cost { sequential, best: inner })
    }

    /// Leaves nests sequential beside others that stay sequential on the same arrays and take at least half as long.
    fn leave_beside_sequential(&mut self, loops: &mut Vec<usize>) {
        let program = self.program;
        let is_in = |index: usize, nest: usize| index == nest || program.loops[index].around.contains(&nest);
        let arrays_in = |nest: usize| -> BTreeSet<usize> {
            let inside = program.accesses.iter().filter(|access| access.around.contains(&nest));
            inside.filter(|access| !access.reference.path.is_empty()).map(|access| access.array).collect()
        };
        let nests = (0..program.loops.len()).filter(|index| program.loops[*index].around.is_empty());
        let gains = |index: usize| {
            let Alternative { sequential, parallel, .. } = &self.alternatives[index];
            parallel.as_ref().is_ok_and(|cost| *cost <= sequential * AS_SEQUENTIAL)
        };
        let (parallel, sequential): (Vec<_>, Vec<_>) =
            nests.partition(|nest| loops.iter().any(|index| is_in(*index, *nest) && gains(*index)));
        for nest in parallel {
            let (own, changed) = (arrays_in(nest), program.arrays_changed_in(nest));
            let shares = |other: &&usize| {
                let (others, changed_there) = (arrays_in(**other), program.arrays_changed_in(**other));
                others.iter().any(|array| changed.contains(array))
                    || own.iter().any(|array| changed_there.contains(array))
            };
            let beside: f64 =
                sequential.iter().filter(shares).map(|other| self.alternatives[*other].sequential).sum();
            if TIMES_OF_NEIGHBOURS * beside >= self.alternatives[nest].sequential {
                let reason =
                    "loops beside it stay sequential on the same arrays, and take at least half as long";
                self.alternatives[nest].parallel =
                    Err(Rejection::new(Rule::Model, program.loops[nest].node.at, reason));
                loops.retain(|index| !is_in(*index, nest));
            }
        }
    }

    /// The value of sizes in the nest of an outermost loop. A loop over parts and the one inside a part count as one.
    fn assumed_of(&self, outermost: usize) -> f64 {
        let loops = &self.program.loops;
        let inside = loops.iter().filter(|other| other.around.contains(&outermost));
        let places = |other: &LoopFacts<'_>| {
            let around: BTreeSet<LoopId> = other.around.iter().map(|index| loops[*index].node.id).collect();
            around.len() - usize::from(around.contains(&other.node.id))
        };
        let depth = inside.map(places).max().unwrap_or_default();
        ASSUMED_SIZES[depth.min(ASSUMED_SIZES.len() - 1)]
    }

    fn kernels(&self, assumed: f64) -> Kernels<'_, 'r> {
        Kernels {
            region: self.region,
            order: self.order,
            machine: self.machine,
            options: self.options,
            program: self.program,
            known: self.known,
            assumed,
        }
    }

    /// Nanoseconds of each loop, in order.
    fn times(&self) -> Vec<f64> {
        self.alternatives.iter().map(|alternative| alternative.sequential).collect()
    }

    /// What is made of the strategies of the region's innermost reductions on a device.
    pub fn on_device_of<T>(
        &self,
        region: &Region,
        make: impl FnOnce(OnDevice<'_>, &Kernels<'_, 'r>) -> Result<T, AnalysisError>,
    ) -> Result<T, AnalysisError> {
        let times = self.times();
        let kernel = |index: usize, forms: &[Form]| {
            let around = &self.program.loops[index].around;
            let assumed = self.assumed_of(around.first().copied().unwrap_or(index));
            self.kernels(assumed).in_form(index, forms, &times)
        };
        let Some(device) = self.machine.device else {
            let reason = "the machine is no device";
            return Err(AnalysisError::Rejected(Rejection::new(Rule::Model, region.at, reason)));
        };
        let analysis = self.known.analysis()?;
        let on_device = OnDevice { region, analysis, order: self.order, device, kernel: &kernel };
        make(on_device, &self.kernels(self.assumed))
    }

    /// A loop on a device.
    fn on_device(
        &mut self,
        index: usize,
        iterators: &mut Values,
        inside: Inside,
        chosen: &mut Vec<usize>,
    ) -> Result<Cost, AnalysisError> {
        let Inside { sequential, best, chosen: chosen_inside } = inside;
        let found = self.kernels(self.assumed).best(index, iterators, &self.times())?;
        let own = &mut self.alternatives[index];
        match found {
            Err(rejection) => own.parallel = Err(rejection),
            Ok(kernel) => {
                own.parallel = Ok(kernel.cost);
                own.memory = kernel.memory;
                own.strategy = kernel.strategy;
                own.is_atomic = kernel.is_atomic;
                if kernel.cost < sequential.min(best) {
                    self.teams.retain(|inside, _| !kernel.loops.contains(inside));
                    self.teams.extend(kernel.teams);
                    chosen.extend(kernel.loops);
                    return Ok(Cost { sequential, best: kernel.cost });
                }
            }
        }
        chosen.extend(chosen_inside);
        Ok(Cost { sequential, best })
    }

    fn value(&self, expression: &Expression, iterators: &Values) -> Option<f64> {
        self.estimate(self.region).value(expression, iterators, &BTreeMap::new())
    }

    /// What is assumed of a region that is made of this one: variables that were added say how many threads there are.
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

//! The choice of parallel loops for a machine, and the region as C with OpenMP's directives.
//!
//! Each loop that [`privatize`] makes parallel is an alternative; their costs are compared by a model of the machine. What
//! is chosen is executed in parallel only if, at run time, the arrays do not overlap, there is enough work, more than one
//! worker and memory for the copies; otherwise the original loops are.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{AnalysisError, Options},
    arithmetic::constant,
    bounds, c,
    isl::{Context, IslError},
    privatize::{Choice, Copies, privatize, trips},
    program::Program,
    rules::{FloatOrder, Rejection, Rule},
    split::split,
    tree::{BinaryOperator, Expression, ExpressionKind, Node, Region, Storage, VariableId},
};

/// What a machine needs for what, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// The name.
    pub name: &'static str,
    /// Threads that are assumed for the choice.
    pub threads: f64,
    /// A parallel loop's begin and end.
    pub fork: f64,
    /// A statement of an iteration.
    pub statement: f64,
    /// Setting an element of a copy and combining it.
    pub copy: f64,
    /// Bytes that copies may take.
    pub memory: f64,
    /// Statements that a parallel loop has to execute at least.
    pub least_work: u64,
}

/// A CPU of some cores.
pub const CPU: Machine = Machine {
    name: "cpu",
    threads: 8.0,
    fork: 6_000.0,
    statement: 0.7,
    copy: 1.5,
    memory: 1e9,
    least_work: 40_000,
};

/// The value that sizes are assumed to have for the choice, unless they are given: in a nest of one loop, of two, and so on.
pub const ASSUMED_SIZES: [f64; 4] = [1e6, 1e4, 1e3, 300.0];

/// A loop as an alternative.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The loop, by number.
    pub index: usize,
    /// Nanoseconds of one execution of the loop, in order.
    pub sequential: f64,
    /// In parallel, or why it is no alternative.
    pub parallel: Result<f64, Rejection>,
    /// Bytes of copies.
    pub memory: f64,
    /// Whether it is chosen.
    pub chosen: bool,
    /// How: `parallel`, or `privatized` with copies.
    pub strategy: &'static str,
}

/// A region for a machine.
#[derive(Clone, Debug)]
pub struct Parallelized {
    /// The loops, in the order of the region.
    pub alternatives: Vec<Alternative>,
    /// The region with parallel loops; none if no loop is chosen.
    pub region: Option<Region>,
    /// The variable that is set to the number of threads, if it is needed.
    pub workers: Option<VariableId>,
    /// Conditions in C under which arrays do not overlap.
    distinct: Vec<String>,
}

/// Chooses parallel loops of a region for a machine.
///
/// # Errors
///
/// If isl is missing, and if nothing may be parallel because of the region as a whole.
pub fn parallelize(
    region: &Region,
    order: FloatOrder,
    machine: &Machine,
    options: &Options,
) -> Result<Parallelized, AnalysisError> {
    let failed = |error: IslError| match error {
        IslError::Missing(_) => AnalysisError::Library(error),
        error => {
            AnalysisError::Rejected(Rejection::new(Rule::Limits, region.at, format!("too complex: {error}")))
        }
    };
    let context = Context::new(options.operations, options.time).map_err(failed)?;
    let mut program = Program::new(region, options.sizes.clone());
    split(&mut program, &context).map_err(failed)?;
    let mut model = Model {
        region,
        order,
        machine,
        options,
        program: &program,
        alternatives: Vec::new(),
        next: 0,
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
        })
        .collect();
    let mut chosen = Vec::new();
    model.body(&region.body, &mut BTreeMap::new(), &mut chosen)?;
    let mut parallelized =
        Parallelized { alternatives: model.alternatives, region: None, workers: None, distinct: Vec::new() };
    if chosen.is_empty() {
        return Ok(parallelized);
    }
    if let Some(Node::Declaration(declaration)) =
        region.body.iter().find(|node| matches!(node, Node::Declaration(_)))
    {
        let reason = "the region declares a variable outside of all loops, which would end with it; \
                      declare it before the region";
        return Err(AnalysisError::Rejected(Rejection::new(Rule::Model, declaration.at, reason)));
    }
    parallelized.distinct = distinct(&program, &context).map_err(failed)?.map_err(AnalysisError::Rejected)?;
    let choice = choice(chosen.iter().copied().collect(), order, Some(machine.least_work));
    let privatized = privatize(region, &choice, options)?;
    for index in chosen {
        parallelized.alternatives[index].chosen = true;
    }
    parallelized.workers = privatized.workers;
    parallelized.region = Some(privatized.region);
    Ok(parallelized)
}

fn choice(loops: BTreeSet<usize>, order: FloatOrder, least_work: Option<u64>) -> Choice {
    let copies = if order == FloatOrder::Fixed { Copies::Parts } else { Copies::Workers };
    Choice { loops, copies, atomic: false, order, least_work, omitted: BTreeSet::new() }
}

impl Parallelized {
    /// The region as C, with `#line` directives if a file is named; `original` is the region that it was made from.
    pub fn text(&self, original: &Region, file: Option<&str>) -> Option<String> {
        let region = self.region.as_ref()?;
        let mut out = String::from("{\n");
        if let Some(workers) = self.workers {
            let name = &region.variable(workers).name;
            out += "#ifdef _OPENMP\n  extern int omp_get_max_threads(void);\n";
            out += &format!("  long {name} = omp_get_max_threads();\n#else\n  long {name} = 1;\n#endif\n");
        }
        if self.distinct.is_empty() {
            out += &c::print_lines(region, 2, file);
        } else {
            out += &format!("  if ({}) {{\n", self.distinct.join("\n      && "));
            out += &c::print_lines(region, 4, file);
            out += "  } else {\n";
            out += &c::print_lines(original, 4, file);
            out += "  }\n";
        }
        Some(out + "}\n")
    }
}

struct Model<'m, 'r> {
    region: &'r Region,
    order: FloatOrder,
    machine: &'m Machine,
    options: &'m Options,
    program: &'m Program<'r>,
    alternatives: Vec<Alternative>,
    next: usize,
    /// The value of sizes in the present nest.
    assumed: f64,
}

/// Values of iterators and variables.
type Values = BTreeMap<VariableId, f64>;

/// What variables are declared with.
type Declared<'t> = BTreeMap<VariableId, &'t Expression>;

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
                Node::If(guard) => {
                    for branch in [&guard.then, &guard.otherwise] {
                        let one = self.body(branch, iterators, chosen)?;
                        add(one.sequential, one.best);
                    }
                }
                Node::Statement(_) | Node::Declaration(_) => {
                    add(self.machine.statement, self.machine.statement)
                }
                _ => {}
            }
        }
        Ok(cost)
    }

    fn looped(&mut self, iterators: &mut Values, chosen: &mut Vec<usize>) -> Result<Cost, AnalysisError> {
        let index = self.next;
        self.next += 1;
        let loops = &self.program.loops;
        if loops[index].around.is_empty() {
            let inside = loops.iter().filter(|other| other.around.contains(&index));
            let depth = inside.map(|other| other.around.len()).max().unwrap_or_default();
            self.assumed = ASSUMED_SIZES[depth.min(ASSUMED_SIZES.len() - 1)];
        }
        let node = self.program.loops[index].node;
        let trips = trips(node).and_then(|trips| self.value(&trips, iterators)).unwrap_or(8.0).max(0.0);
        let lower = self.value(&node.lower, iterators).unwrap_or(0.0);
        let step = constant(&node.step).unwrap_or(1) as f64;
        iterators.insert(node.iterator, lower + step * trips / 2.0);
        let mut inside = Vec::new();
        let body = self.body(&node.body, iterators, &mut inside)?;
        iterators.remove(&node.iterator);
        let sequential = trips * body.sequential;
        let inner = trips * body.best;
        let alone = privatize(self.region, &choice(BTreeSet::from([index]), self.order, None), self.options);
        let own = &mut self.alternatives[index];
        own.sequential = sequential;
        match alone {
            Err(AnalysisError::Rejected(rejection)) => own.parallel = Err(rejection),
            Err(error) => return Err(error),
            Ok(privatized) => {
                let cells = cells(&privatized.region, self.assumed, &|expression, declared| {
                    self.value_in(&privatized.region, expression, iterators, declared)
                });
                let workers = self.machine.threads.min(trips.max(1.0));
                let copies: f64 = cells.iter().map(|(count, _)| count).sum();
                let memory: f64 = cells.iter().map(|(count, size)| count * size).sum();
                let own = &mut self.alternatives[index];
                own.memory = memory;
                own.strategy = if cells.is_empty() { "parallel" } else { "privatized" };
                let cost = self.machine.fork + sequential / workers + self.machine.copy * copies;
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

    fn value(&self, expression: &Expression, iterators: &Values) -> Option<f64> {
        self.value_in(self.region, expression, iterators, &BTreeMap::new())
    }

    /// The value of an expression for the assumed sizes.
    fn value_in(
        &self,
        region: &Region,
        expression: &Expression,
        iterators: &Values,
        declared: &Declared<'_>,
    ) -> Option<f64> {
        let part = |part: &Expression| self.value_in(region, part, iterators, declared);
        Some(match &expression.kind {
            ExpressionKind::Integer(value) => *value as f64,
            ExpressionKind::Float(value) => *value,
            ExpressionKind::Iterator(id) => *iterators.get(id)?,
            ExpressionKind::Read(read) if !read.path.is_empty() => return None,
            ExpressionKind::Read(read) => {
                let variable = region.variable(read.variable);
                if let Some(value) = declared.get(&read.variable) {
                    return part(value);
                }
                match (iterators.get(&read.variable), self.options.sizes.get(&variable.name)) {
                    (Some(value), _) => *value,
                    (None, Some(size)) => *size as f64,
                    (None, None) if read.variable.0 >= self.region.variables.len() => self.machine.threads,
                    (None, None) => self.assumed,
                }
            }
            ExpressionKind::Cast(inner) => part(inner)?,
            ExpressionKind::Unary(crate::tree::UnaryOperator::Negate, inner) => -part(inner)?,
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (part(left)?, part(right)?);
                let truth = |holds: bool| f64::from(u8::from(holds));
                match operator {
                    BinaryOperator::Add => left + right,
                    BinaryOperator::Subtract => left - right,
                    BinaryOperator::Multiply => left * right,
                    BinaryOperator::Divide => left / right,
                    BinaryOperator::Less => truth(left < right),
                    BinaryOperator::LessEqual => truth(left <= right),
                    BinaryOperator::Greater => truth(left > right),
                    BinaryOperator::GreaterEqual => truth(left >= right),
                    BinaryOperator::Equal => truth(left == right),
                    BinaryOperator::LogicalAnd => truth(left != 0.0 && right != 0.0),
                    BinaryOperator::LogicalOr => truth(left != 0.0 || right != 0.0),
                    _ => return None,
                }
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                if part(condition)? != 0.0 {
                    part(then)?
                } else {
                    part(otherwise)?
                }
            }
            _ => return None,
        })
    }
}

/// For each private memory its elements and the bytes of one.
fn cells(
    region: &Region,
    unknown: f64,
    value: &dyn Fn(&Expression, &Declared<'_>) -> Option<f64>,
) -> Vec<(f64, f64)> {
    fn visit<'t>(nodes: &'t [Node], declared: &mut Declared<'t>, found: &mut Vec<VariableId>) {
        for node in nodes {
            match node {
                Node::Loop(looped) => visit(&looped.body, declared, found),
                Node::If(guard) => {
                    visit(&guard.then, declared, found);
                    visit(&guard.otherwise, declared, found);
                }
                Node::Declaration(declaration) => {
                    declared.extend(declaration.value.as_ref().map(|value| (declaration.variable, value)));
                }
                Node::Private(private) => found.push(private.variable),
                _ => {}
            }
        }
    }
    let (mut declared, mut found) = (BTreeMap::new(), Vec::new());
    visit(&region.body, &mut declared, &mut found);
    let size = |id: VariableId| {
        let variable = region.variable(id);
        let extents = variable.extents.iter().flatten();
        let count: f64 = extents.map(|extent| value(extent, &declared).unwrap_or(unknown)).product();
        (count, variable.scalar.size() as f64)
    };
    found.into_iter().map(size).collect()
}

/// Conditions under which the arrays of a region do not overlap, or why there are none.
fn distinct(
    program: &Program<'_>,
    context: &std::rc::Rc<Context>,
) -> Result<Result<Vec<String>, Rejection>, IslError> {
    let mut ends: BTreeMap<&String, (String, String)> = BTreeMap::new();
    let region = program.region;
    for name in region.overlaps.iter().flat_map(|(first, second)| [first, second]) {
        if ends.contains_key(name) {
            continue;
        }
        let unknown = || {
            let reason = format!(
                "which elements of `{name}` are accessed is not known, so that it cannot be checked whether it overlaps \
                 with others; declare it restrict, or pass --assume-distinct"
            );
            Ok(Err(Rejection::new(Rule::Aliasing, region.at, reason)))
        };
        let Some(array) = program.arrays.iter().position(|array| array.name == *name) else {
            return unknown();
        };
        let described = &program.arrays[array];
        let variable = region.variable(described.variable);
        if !described.members.is_empty() {
            return unknown();
        }
        let accesses: Vec<usize> =
            (0..program.accesses.len()).filter(|access| program.accesses[*access].array == array).collect();
        let bounds = bounds::everywhere(program, context, &accesses)?;
        let (mut first, mut last) = (variable.name.clone(), variable.name.clone());
        for (place, bounds) in bounds.into_iter().enumerate() {
            let declared = variable.extents.get(place).cloned().flatten();
            let owns = matches!(variable.storage, Storage::Global | Storage::Local);
            let bounds = bounds.or_else(|| {
                let extent = declared.filter(|_| owns)?;
                let end = crate::arithmetic::subtract(extent, crate::arithmetic::number(1));
                Some((crate::arithmetic::number(0), end))
            });
            let Some((least, greatest)) = bounds else { return unknown() };
            first += &format!("[{}]", c::value(region, &least));
            last += &format!("[{}]", c::value(region, &greatest));
        }
        let address = |text: &str| format!("(__UINTPTR_TYPE__) {text}");
        ends.insert(name, (address(&format!("&{first}")), address(&format!("(&{last} + 1)"))));
    }
    let conditions = region.overlaps.iter().map(|(first, second)| {
        let ((first, past_first), (second, past_second)) = (&ends[first], &ends[second]);
        format!("({past_first} <= {second} || {past_second} <= {first})")
    });
    Ok(Ok(conditions.collect()))
}

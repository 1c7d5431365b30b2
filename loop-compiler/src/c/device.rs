//! The loop tree for a device: each outermost parallel loop is a kernel, private memory lives on the device only, and what
//! stands between kernels is executed by one thread of the device where it concerns arrays that the region changes, and
//! otherwise by the host.
//!
//! Arrays are mapped around the region. Scalars belong to the host: those that a kernel sets are mapped by it.

use std::{
    collections::{BTreeMap, BTreeSet},
    slice,
};

use super::{
    dimensions::is_first_alone,
    openmp,
    print::{Printer, printer},
};
use crate::{
    ir::{
        BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopId, Mark, Node, Pairing, Private,
        ReduceDimension, Reference, Region, Search, Statement, Step, Storage, Store, VariableId,
        arithmetic::{add, constant, multiply},
        compare::stripped,
        reads,
        types::Scalar,
        walk, walk_into,
    },
    transform::{self, has_break, in_expression},
};

/// Prints a region's body with the parallel loops as kernels of a device, where the arrays are mapped; with `#line`
/// directives if a file is named. `team_threads` says how many threads teams have, by the loop of their kernel, where that is
/// not OpenMP's choice.
pub fn print_device(
    region: &Region,
    team_threads: &BTreeMap<LoopId, u32>,
    indent: usize,
    file: Option<&str>,
) -> String {
    let mut printer = printer(region, file);
    printer.team_threads.clone_from(team_threads);
    printer.device = true;
    printer.mapped = changed(region);
    printer.nodes(&region.body, indent);
    printer.with_reductions(indent)
}

/// Arrays and structures that a region changes, and that exist before it.
fn changed(region: &Region) -> BTreeSet<VariableId> {
    let mut uses = Uses::default();
    uses.nodes(&region.body);
    uses.arrays_set
}

/// Whether the host can control the execution of nodes around kernels: it needs no values of those arrays.
pub(crate) fn is_controlled_by_host(region: &Region, nodes: &[Node]) -> bool {
    let changed = changed(region);
    let is_free = |node: &Node| !node.expressions().into_iter().any(|value| reads_any(value, &changed));
    walk_into(nodes, |node| !node.is_parallel()).filter(|node| has_kernel(node)).all(|node| match node {
        Node::Loop(looped) => is_free(node) && (looped.parallel || !has_break(&looped.body)),
        Node::If(_) => is_free(node),
        _ => true,
    })
}

/// Whether the threads of each team take the same way through what one of them executes: no condition and no bound there
/// uses what is stored there.
///
/// LLVM 22 makes all threads execute such code and one of them its stores, without a barrier in front: late threads read
/// what is stored later.
pub(crate) fn is_same_for_team(nodes: &[Node]) -> bool {
    walk_into(nodes, |node| !node.is_parallel()).all(|node| match node {
        Node::Loop(looped) if looped.parallel && has_parallel_inside(looped) => {
            let mut stored = BTreeSet::from([looped.iterator]);
            stored_by_one(&looped.body, &mut stored);
            is_free_of(&looped.body, &stored)
        }
        _ => true,
    })
}

/// What one thread of a team stores, but for variables whose value is the same in all iterations.
fn stored_by_one(nodes: &[Node], stored: &mut BTreeSet<VariableId>) {
    for node in walk_into(nodes, |node| !node.is_parallel()) {
        match node {
            Node::Statement(statement) => _ = stored.insert(statement.target.variable),
            Node::Declaration(declaration) => {
                let reads = declaration.value.iter().flat_map(Expression::reads);
                let mut reads = reads.collect::<Vec<_>>().into_iter();
                let varies = |read: &Reference| !read.path.is_empty() || stored.contains(&read.variable);
                if reads.any(varies) {
                    stored.insert(declaration.variable);
                }
            }
            _ => {}
        }
    }
}

fn is_free_of(nodes: &[Node], stored: &BTreeSet<VariableId>) -> bool {
    // One thread alone executes what is updated.
    let is_other = |node: &Node| node.is_parallel() || is_apart(node) && updates(node);
    walk_into(nodes, |node| !is_other(node)).all(|node| match node {
        Node::Loop(_) | Node::If(_) => {
            is_other(node) || !node.expressions().into_iter().any(|value| reads_any(value, stored))
        }
        _ => true,
    })
}

fn has_kernel(node: &Node) -> bool {
    walk(slice::from_ref(node))
        .any(|node| node.is_parallel() || matches!(node, Node::ReduceDimension(_) | Node::Private(_)))
}

fn reads_any(value: &Expression, variables: &BTreeSet<VariableId>) -> bool {
    value.reads().iter().any(|read| variables.contains(&read.variable))
}

/// What nodes use.
#[derive(Default)]
struct Uses {
    declared: BTreeSet<VariableId>,
    /// Arrays and structures that are set, and those that are used.
    arrays_set: BTreeSet<VariableId>,
    arrays: BTreeSet<VariableId>,
    /// Scalars that are set.
    scalars_set: BTreeSet<VariableId>,
}

impl Uses {
    fn node(&mut self, node: &Node) {
        self.nodes(slice::from_ref(node));
    }

    fn nodes(&mut self, nodes: &[Node]) {
        walk(nodes).for_each(|node| self.one(node));
    }

    fn one(&mut self, node: &Node) {
        self.declared.extend(node.declared());
        for read in node.reads() {
            if !read.path.is_empty() && !self.declared.contains(&read.variable) {
                self.arrays.insert(read.variable);
            }
        }
        match node {
            Node::Loop(looped) => self.scalars_set.extend((!looped.declares).then_some(looped.iterator)),
            Node::Statement(Statement { target, .. }) if !self.declared.contains(&target.variable) => {
                let variable = target.variable;
                if target.path.is_empty() {
                    self.scalars_set.insert(variable);
                } else {
                    self.arrays_set.insert(variable);
                    self.arrays.insert(variable);
                }
            }
            Node::ReduceDimension(reduce) => {
                self.arrays.insert(reduce.source);
                match reduce.target {
                    Some(target) if reduce.mapped.is_empty() => self.scalars_set.insert(target),
                    target => self.arrays_set.insert(target.unwrap_or(reduce.source)),
                };
            }
            _ => {}
        }
    }
}

impl Printer<'_> {
    /// Nodes outside of kernels.
    pub(super) fn host_nodes(&mut self, nodes: &[Node], indent: usize) {
        let mut begin = 0;
        while begin < nodes.len() {
            match &nodes[begin] {
                Node::Private(_) => {
                    let end = begin
                        + nodes[begin..].iter().take_while(|node| matches!(node, Node::Private(_))).count();
                    self.device_memory(&nodes[begin..end], &nodes[end..], indent);
                    return;
                }
                Node::Declaration(declaration) => {
                    self.host_declaration(declaration, indent);
                    begin += 1;
                }
                Node::ReduceDimension(reduce) => {
                    self.device_reduction(reduce, indent);
                    begin += 1;
                }
                node if has_kernel(node) => {
                    self.node(node, indent);
                    begin += 1;
                }
                _ => {
                    let other = |node: &&Node| !has_kernel(node) && !matches!(node, Node::Declaration(_));
                    let end = begin + nodes[begin..].iter().take_while(other).count();
                    self.one_thread(&nodes[begin..end], indent);
                    begin = end;
                }
            }
        }
    }

    /// Private memory, and what stands behind it.
    fn device_memory(&mut self, memory: &[Node], rest: &[Node], indent: usize) {
        let memory: Vec<&Private> = memory
            .iter()
            .filter_map(|node| match node {
                Node::Private(private) => Some(private),
                _ => None,
            })
            .collect();
        for private in &memory {
            self.private(private, None, indent);
            let text = format!("if (!{}) __builtin_abort();", self.name(private.variable));
            self.line(indent, &text);
        }
        self.on_device(&memory, indent, |printer, indent| printer.host_nodes(rest, indent));
        for private in memory.iter().rev() {
            let text = format!("__builtin_free({});", self.name(private.variable));
            self.line(indent, &text);
        }
    }

    /// What is inside uses private memory, which has no contents on the host.
    pub(super) fn on_device(
        &mut self,
        memory: &[&Private],
        indent: usize,
        inside: impl FnOnce(&mut Self, usize),
    ) {
        let parts = memory.iter().map(|private| {
            let variable = self.region.variable(private.variable);
            let count = variable.extents.first().and_then(Option::as_ref);
            let value = count.map_or("1".into(), |count| self.value(count));
            self.mapped.insert(private.variable);
            // clang 22 makes wrong code of `?:` in a clause.
            let count = self.fresh(&format!("{}_count", variable.name));
            self.line(indent, &format!("long {count} = {value};"));
            format!("{}[0:{count}]", variable.name)
        });
        let parts: Vec<String> = parts.collect();
        self.line(indent, &format!("#pragma omp target data map(alloc: {})", parts.join(", ")));
        self.line(indent, "{");
        inside(self, indent + 2);
        self.line(indent, "}");
    }

    /// A declaration whose value may be on the device.
    fn host_declaration(&mut self, declaration: &Declaration, indent: usize) {
        let value = declaration.value.as_ref().filter(|value| reads_any(value, &self.mapped));
        let Some(value) = value else {
            self.node(&Node::Declaration(declaration.clone()), indent);
            return;
        };
        let declared = self.declared(declaration.variable);
        self.line(indent, &format!("{declared};"));
        let name = self.name(declaration.variable).to_string();
        self.line(indent, &format!("#pragma omp target map(tofrom: {name})"));
        let outer = std::mem::replace(&mut self.by_one_thread, true);
        let text = format!("{name} = {};", self.value(value));
        self.by_one_thread = outer;
        self.line(indent, &text);
    }

    /// Nodes without parallel loops.
    fn one_thread(&mut self, nodes: &[Node], indent: usize) {
        let mut uses = Uses::default();
        uses.nodes(nodes);
        let outer = std::mem::replace(&mut self.in_kernel, true);
        if uses.arrays.is_disjoint(&self.mapped) {
            self.nodes(nodes, indent);
        } else {
            let scalars = self.scalars(&uses, &[]);
            self.line(indent, &format!("#pragma omp target{scalars}"));
            self.line(indent, "{");
            let outer = std::mem::replace(&mut self.by_one_thread, true);
            self.nodes(nodes, indent + 2);
            self.by_one_thread = outer;
            self.line(indent, "}");
        }
        self.in_kernel = outer;
    }

    /// The clause for scalars that are set, but for some.
    fn scalars(&self, uses: &Uses, except: &[VariableId]) -> String {
        let set = uses.scalars_set.iter().filter(|id| !except.contains(id) && !uses.declared.contains(id));
        let names: Vec<&str> = set.map(|id| self.name(*id)).collect();
        if names.is_empty() { String::new() } else { format!(" map(tofrom: {})", names.join(", ")) }
    }

    /// The directive of a kernel: with loops inside that are parallel, too, its iterations are those of teams.
    pub(super) fn kernel(&mut self, looped: &Loop) -> String {
        let reduced: Vec<VariableId> = openmp::reductions(looped).iter().map(|(id, _)| *id).collect();
        let mut uses = Uses::default();
        uses.node(&Node::Loop(looped.clone()));
        let collapse = self.collapse(looped);
        let reductions = self.reductions(looped);
        let scalars = self.scalars(&uses, &reduced);
        self.by_one_thread = has_parallel_inside(looped);
        self.of_regions = used_together(body_of_kernel(looped));
        let threads = if self.by_one_thread { "" } else { " parallel for" };
        let copies = self.team_threads.get(&looped.id).filter(|_| self.by_one_thread);
        let limit = match copies.map(|threads| i128::from(*threads)).or(team_size(&looped.body)) {
            Some(size) => format!(" thread_limit({size})"),
            None => String::new(),
        };
        format!("#pragma omp target teams distribute{threads}{collapse}{limit}{reductions}{scalars}")
    }

    /// A loop that loads neighbouring elements into an array of their number, as one load; whether it is one.
    pub(super) fn loads(&mut self, looped: &Loop, indent: usize) -> bool {
        let [Node::Statement(statement)] = &looped.body[..] else { return false };
        let ExpressionKind::Read(from) = &statement.value.kind else { return false };
        let Some(Some(count)) = self.region.variable(statement.target.variable).extents.first() else {
            return false;
        };
        let Some(count) = constant(count) else { return false };
        let first = Expression::integer(0, Scalar::INT);
        let first =
            from.map_subscripts(|index| without_zeros(&in_expression(index, looped.iterator, &first)));
        let bytes = count * from.scalar.size() as i128;
        let text = format!(
            "__builtin_memcpy({}, __builtin_assume_aligned(&{}, {bytes}), {bytes});",
            self.name(statement.target.variable),
            self.reference(&first)
        );
        self.line(indent, &text);
        true
    }

    /// The directive of a loop whose iterations are those of a team's threads.
    pub(super) fn together(&mut self, looped: &Loop) -> String {
        let reductions = self.reductions(looped);
        let collapse = self.collapse(looped);
        self.by_one_thread = false;
        let own = self.own_values(slice::from_ref(&Node::Loop(looped.clone())));
        format!("#pragma omp parallel for{collapse}{reductions}{own}")
    }

    /// The clause for values that each thread of a team needs.
    fn own_values(&self, nodes: &[Node]) -> String {
        let mut uses = Uses::default();
        uses.nodes(nodes);
        let pointers = uses.arrays.iter().filter(|id| self.is_pointer(**id));
        // The thread that goes on with a loop around may store its iterator before others have read it.
        let iterators = self.of_team.iter().filter(|id| transform::uses(nodes, **id));
        let names: Vec<&str> = pointers.chain(iterators).map(|id| self.name(*id)).collect();
        // clang 22 gives threads a copy of a pointer that it has not set, if the source declares a length in its type; of
        // others one that each access reads.
        match names.is_empty() {
            true => String::new(),
            false => format!(" firstprivate({})", names.join(", ")),
        }
    }

    /// Nodes that one thread of a team executes. Of those that store what others of them read, a region of one thread: LLVM
    /// has all threads execute the others, with a barrier behind stores, but none before (docs/pitfalls.md).
    pub(super) fn of_one_thread(&mut self, nodes: &[Node], indent: usize) {
        let with_team = |node: &Node| has_parallel(slice::from_ref(node));
        for between in nodes.chunk_by(|first, second| with_team(first) == with_team(second)) {
            // The next iteration of a loop around may begin while threads still read for this one.
            let others = if self.of_team.is_empty() { between } else { nodes };
            for part in between.chunk_by(|first, second| is_apart(first) == is_apart(second)) {
                if !is_apart(&part[0]) || !self.stores_what_is_read(part, others) {
                    part.iter().for_each(|node| self.node(node, indent));
                    continue;
                }
                let own = self.own_values(part);
                self.line(indent, &format!("#pragma omp parallel num_threads(1){own}"));
                self.line(indent, "{");
                self.by_one_thread = false;
                part.iter().for_each(|node| self.node(node, indent + 2));
                self.by_one_thread = true;
                self.line(indent, "}");
            }
        }
    }

    /// Whether nodes store to memory that other nodes read which one thread executes, too. What a statement that is not in
    /// a loop reads for itself LLVM moves to the store, and what decides which loops of the team are executed is not stored
    /// ([`is_same_for_team`]).
    fn stores_what_is_read(&self, part: &[Node], others: &[Node]) -> bool {
        let stored = |nodes: &[Node]| {
            let mut uses = Uses::default();
            uses.nodes(nodes);
            let is_shared = |id: &&VariableId| self.of_regions.contains(id);
            let scalars = uses.scalars_set.iter().filter(is_shared).copied();
            uses.arrays_set.iter().copied().chain(scalars).collect::<BTreeSet<VariableId>>()
        };
        part.iter().any(|store| {
            let stored = stored(slice::from_ref(store));
            others.iter().any(|reader| {
                let is_own = std::ptr::eq(reader, store) && matches!(store, Node::Statement(_));
                let reader = slice::from_ref(reader);
                !is_own && !has_parallel(reader) && !read_by(reader).is_disjoint(&stored)
            })
        })
    }

    /// A structure for what threads find, with the reduction of its name.
    pub(super) fn search(&mut self, id: VariableId, search: &Search, indent: usize) {
        let name = self.name(id).to_owned();
        let members = search.members.iter();
        let members: String =
            members.map(|(member, scalar, _)| format!("{} {member}; ", scalar.c_name())).collect();
        let begin: Vec<String> = search.members.iter().map(|(.., begin)| self.value(begin)).collect();
        let begin = begin.join(", ");
        self.line(indent, &format!("struct {name} {{ {members}}} {name};"));
        let is_better = self.value(&search.is_better);
        let text = format!(
            "#pragma omp declare reduction({name}: struct {name}: omp_out = {is_better} ? omp_in : omp_out) \
             initializer(omp_priv = {{ {begin} }})"
        );
        self.line(indent, &text);
    }

    fn collapse(&mut self, looped: &Loop) -> String {
        self.covered = collapsed(looped) - 1;
        if self.covered > 0 { format!(" collapse({})", self.covered + 1) } else { String::new() }
    }

    /// Whether a variable is a pointer to rows whose lengths are known at run time only.
    fn is_pointer_to_rows(&self, id: VariableId) -> bool {
        let is_constant = |extent: &Option<Expression>| extent.as_ref().and_then(constant).is_some();
        self.is_pointer(id) && !self.region.variable(id).extents.iter().skip(1).all(is_constant)
    }

    /// Whether an array is accessed through a pointer.
    fn is_pointer(&self, id: VariableId) -> bool {
        let variable = self.region.variable(id);
        let is_object = variable.extents.first().is_none_or(Option::is_some)
            && matches!(variable.storage, Storage::Global | Storage::Local);
        !is_object && variable.storage != Storage::Region
    }

    /// An element of such rows without arrays in between, for which clang 22 would make a copy of the pointer that it has
    /// not set; with the rest of the reference.
    pub(super) fn flat<'p>(&self, reference: &'p Reference) -> Option<(String, &'p [Step])> {
        let variable = self.region.variable(reference.variable);
        let rank = variable.extents.len();
        if !self.is_pointer_to_rows(reference.variable) || reference.path.len() < rank {
            return None;
        }
        let (subscripts, rest) = reference.path.split_at(rank);
        let mut place: Option<Expression> = None;
        for (step, extent) in subscripts.iter().zip(&variable.extents) {
            let Step::Index(index) = step else { return None };
            place = Some(match (place, extent) {
                (None, _) => index.clone(),
                (Some(place), extent) => add(multiply(place, extent.clone()?), index.clone()),
            });
        }
        let name = &variable.name;
        let element = match variable.declared_type.split(['(', '[', '*']).next() {
            Some(written) if !written.trim().is_empty() => written.trim(),
            _ => variable.scalar.c_name(),
        };
        Some((format!("(({element} *) {name})[{}]", self.value(&place?)), rest))
    }

    /// A reduction of a dimension: a thread for each element behind it.
    fn device_reduction(&mut self, reduce: &ReduceDimension, indent: usize) {
        let outer = std::mem::replace(&mut self.in_kernel, true);
        let scalar = reduce.target.filter(|_| reduce.mapped.is_empty());
        let is_one_row = reduce.ranges.iter().all(|range| range.as_ref().is_some_and(is_first_alone));
        if reduce.pairing == Pairing::Neighbours && is_one_row {
            // The threads of one team.
            self.line(indent, "#pragma omp target");
            self.line(indent, "{");
            self.reduce_dimension(reduce, Some("parallel for"), indent + 2);
            self.line(indent, "}");
        } else if let Some(target) = scalar {
            let text = format!("#pragma omp target map(tofrom: {})", self.name(target));
            self.line(indent, &text);
            self.line(indent, "{");
            self.reduce_dimension(reduce, None, indent + 2);
            self.line(indent, "}");
        } else {
            self.reduce_dimension(reduce, Some("target teams distribute parallel for"), indent);
        }
        self.in_kernel = outer;
    }
}

/// Whether there are parallel loops inside those that are one kernel.
fn has_parallel_inside(looped: &Loop) -> bool {
    has_parallel(body_of_kernel(looped))
}

/// What the loops execute that are one kernel.
fn body_of_kernel(looped: &Loop) -> &[Node] {
    let mut innermost = looped;
    for _ in 1..collapsed(looped) {
        let [Node::Loop(inner)] = &innermost.body[..] else { break };
        innermost = inner;
    }
    &innermost.body
}

/// Whether all threads of a team execute a loop.
fn has_parallel(nodes: &[Node]) -> bool {
    walk(nodes).any(|node| match node {
        Node::ReduceDimension(reduce) => reduce.pairing != Pairing::Neighbours,
        _ => node.is_parallel(),
    })
}

/// Whether a region of one thread may execute a node of a team.
fn is_apart(node: &Node) -> bool {
    let is_possible = !matches!(node, Node::Declaration(_) | Node::Private(_) | Node::Break(_));
    let one = slice::from_ref(node);
    is_possible && !has_parallel(one) && !has_break(one)
}

/// Whether a loop or a condition stores to arrays that it reads.
fn updates(node: &Node) -> bool {
    if !matches!(node, Node::Loop(_) | Node::If(_)) {
        return false;
    }
    let mut uses = Uses::default();
    uses.node(node);
    !read_by(slice::from_ref(node)).is_disjoint(&uses.arrays_set)
}

/// What nodes read.
fn read_by(nodes: &[Node]) -> BTreeSet<VariableId> {
    let updated = walk(nodes).filter_map(|node| match node {
        Node::Statement(statement) if statement.store != Store::Assign => Some(statement.target.variable),
        _ => None,
    });
    reads(nodes).map(|read| read.variable).chain(updated).collect()
}

/// The variables that loops use which all threads of a team execute.
fn used_together(nodes: &[Node]) -> BTreeSet<VariableId> {
    let mut used = BTreeSet::new();
    for node in walk_into(nodes, |node| !node.is_parallel()) {
        if let Node::Loop(looped) = node
            && looped.parallel
        {
            used.extend(read_by(&looped.body));
            let mut uses = Uses::default();
            uses.nodes(&looped.body);
            used.extend(uses.scalars_set);
        }
    }
    used
}

/// A value to which nothing is added that is 0.
fn without_zeros(value: &Expression) -> Expression {
    match &value.kind {
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if constant(stripped(right)) == Some(0) => {
            without_zeros(left)
        }
        _ => value.map_operands(without_zeros),
    }
}

/// The threads of a team, as the loops say whose iterations they are.
fn team_size(nodes: &[Node]) -> Option<i128> {
    let is_of_lanes = |node: &Node| matches!(node, Node::Loop(looped) if looped.parallel && looped.attributes.has(Mark::Lanes));
    let sizes = walk_into(nodes, |node| !is_of_lanes(node)).filter_map(|node| match node {
        Node::Loop(looped) if is_of_lanes(node) => match &looped.condition.kind {
            ExpressionKind::Binary(_, _, count) => constant(count),
            _ => None,
        },
        _ => None,
    });
    sizes.max()
}

/// How many loops, each the only node of the one around it, are parallel and have bounds of their own.
pub(crate) fn collapsed(looped: &Loop) -> usize {
    let mut around = vec![looped.iterator];
    let mut looped = looped;
    while let [Node::Loop(inner)] = &looped.body[..] {
        let own = !inner.bounds().into_iter().flat_map(Expression::variables).any(|id| around.contains(&id));
        if !inner.parallel || !inner.declares || !own {
            break;
        }
        around.push(inner.iterator);
        looped = inner;
    }
    around.len()
}

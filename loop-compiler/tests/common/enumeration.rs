//! Classes of loops by enumeration: a region is executed at small sizes, every access is recorded, and two iterations
//! depend on each other if they touched the same cell and one stored.
//!
//! Which accesses belong to a reduction is read from the tree alone: those of an update to the cell that it stores, and
//! the condition of an `if` that compares the cell.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use loop_compiler::{
    Analysis, Class,
    interpret::{self, Access},
    ir::{Declaration, If, Loop, Node, Reference, Region, Statement, Storage, VariableId},
};

/// A cell of memory.
type Cell = (VariableId, Vec<String>, Vec<i64>);

/// One access.
struct Event {
    cell: usize,
    write: bool,
    /// The reduction of which the access is a member, if it is.
    group: Option<usize>,
    /// The loops around, by address, and their iterations.
    iterations: Vec<(usize, i128)>,
    /// The executions of the loops around: which entry of the loop.
    at: usize,
}

/// What is seen of one region.
pub struct Enumeration {
    events: Vec<Event>,
    /// Loops in the order of the tree.
    loops: Vec<usize>,
    /// Variables that are declared inside loops, and around which.
    declared: HashMap<VariableId, Vec<usize>>,
    cells: Vec<Cell>,
    region_variables: BTreeSet<VariableId>,
}

fn address<T>(node: &T) -> usize {
    std::ptr::from_ref(node) as usize
}

/// The loops of a tree, in its order.
fn collect<'t>(nodes: &'t [Node], around: &mut Vec<usize>, found: &mut Enumeration, ifs: &mut Vec<&'t If>) {
    for node in nodes {
        match node {
            Node::Loop(looped) => {
                found.loops.push(address(looped));
                around.push(address(looped));
                collect(&looped.body, around, found, ifs);
                around.pop();
            }
            Node::If(guard) => {
                ifs.push(guard);
                collect(&guard.then, around, found, ifs);
                collect(&guard.otherwise, around, found, ifs);
            }
            Node::Declaration(declaration) => {
                found.declared.insert(declaration.variable, around.clone());
            }
            _ => {}
        }
    }
}

/// Executes a region with every integer parameter set to `size`, and records its accesses. The analysis says which
/// statements are reductions, and of which operator.
pub fn enumerate(region: &Region, analysis: &Analysis, size: i64) -> Result<Enumeration, String> {
    let options = interpret::Options { steps: 3_000_000, ..interpret::Options::default() };
    let mut memory =
        crate::common::filled_memory(region, size, &options).map_err(|error| error.to_string())?;
    let mut found = Enumeration {
        events: Vec::new(),
        loops: Vec::new(),
        declared: HashMap::new(),
        cells: Vec::new(),
        region_variables: BTreeSet::new(),
    };
    let mut ifs = Vec::new();
    collect(&region.body, &mut Vec::new(), &mut found, &mut ifs);
    for (index, variable) in region.variables.iter().enumerate() {
        if variable.storage == Storage::Region {
            found.region_variables.insert(VariableId(index));
        }
    }
    let (groups, guarded) = groups(region, analysis, &ifs);
    let mut cells: HashMap<Cell, usize> = HashMap::new();
    let mut pending: Vec<usize> = Vec::new();
    let mut record = |access: &Access<'_, '_>| {
        let cell = (access.variable, access.members.to_vec(), access.subscripts.to_vec());
        let next = cells.len();
        let cell = *cells.entry(cell).or_insert(next);
        let node = node_address(access.node);
        let mut group = groups.get(&(node, access.variable)).copied();
        let iterations: Vec<_> =
            access.iterators.iter().map(|(looped, value)| (address::<Loop>(looped), *value)).collect();
        let at = found.events.len();
        // A load of a statement belongs to its reduction only if the statement stores the same cell.
        if let (Some(_), true, Node::Statement(_)) = (group, access.write, access.node) {
            let accumulates = pending.is_empty()
                || guarded.contains(&node)
                || pending.iter().any(|load| found.events[*load].cell == cell);
            for load in pending.drain(..) {
                let load: &mut Event = &mut found.events[load];
                if load.cell != cell {
                    load.group = None;
                }
            }
            if !accumulates {
                group = None;
            }
        } else if let (Some(_), false, Node::Statement(_)) = (group, access.write, access.node) {
            pending.push(at);
        }
        found.events.push(Event { cell, write: access.write, group, iterations, at });
    };
    interpret::observe(region, &mut memory, &options, &mut record).map_err(|error| error.to_string())?;
    let mut named: Vec<_> = cells.into_iter().collect();
    named.sort_by_key(|(_, index)| *index);
    found.cells = named.into_iter().map(|(cell, _)| cell).collect();
    Ok(found)
}

fn node_address(node: &Node) -> usize {
    match node {
        Node::Loop(looped) => address(looped),
        Node::If(guard) => address(guard),
        Node::Statement(statement) => address(statement),
        Node::Declaration(declaration) => address(declaration),
        other => address(other),
    }
}

/// By node and variable: the reduction of which the node's accesses to the variable are members.
/// Also, the statements whose condition reads the target in their place.
fn groups(
    region: &Region,
    analysis: &Analysis,
    ifs: &[&If],
) -> (HashMap<(usize, VariableId), usize>, BTreeSet<usize>) {
    let mut guarded = BTreeSet::new();
    let mut names: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut groups = HashMap::new();
    let mut statements = Vec::new();
    let mut declarations = Vec::new();
    fn all<'t>(nodes: &'t [Node], found: &mut Vec<&'t Statement>, declared: &mut Vec<&'t Declaration>) {
        for node in nodes {
            match node {
                Node::Loop(looped) => all(&looped.body, found, declared),
                Node::If(guard) => {
                    all(&guard.then, found, declared);
                    all(&guard.otherwise, found, declared);
                }
                Node::Statement(statement) => found.push(statement),
                Node::Declaration(declaration) => declared.push(declaration),
                _ => {}
            }
        }
    }
    all(&region.body, &mut statements, &mut declarations);
    for (statement, report) in statements.iter().zip(&analysis.statements) {
        let Some(operator) = report.combines else { continue };
        let next = names.len();
        let group = *names.entry((report.target.clone(), operator.name())).or_insert(next);
        groups.insert((address(*statement), statement.target.variable), group);
        // Loads of local variables that pass the target's value on.
        let mut values = vec![&statement.value];
        while let Some(value) = values.pop() {
            value.visit_reads(&mut |reference| {
                for declaration in
                    declarations.iter().filter(|declaration| declaration.variable == reference.variable)
                {
                    if let Some(value) = &declaration.value {
                        groups.insert((address(*declaration), statement.target.variable), group);
                        values.push(value);
                    }
                }
            });
        }
        // The condition of `if (x > m) m = x;`.
        for guard in ifs.iter().filter(|guard| guard.otherwise.is_empty()) {
            let own = guard
                .then
                .iter()
                .any(|node| matches!(node, Node::Statement(other) if std::ptr::eq(other, *statement)));
            let arg = matches!(operator.name(), "min" | "max" | "argmin" | "argmax" | "first");
            if own && arg && reads(guard, &statement.target) {
                groups.insert((address(*guard), statement.target.variable), group);
                guarded.insert(address(*statement));
            }
        }
    }
    (groups, guarded)
}

fn reads(guard: &If, target: &Reference) -> bool {
    let mut found = false;
    guard.condition.visit_reads(&mut |reference| found |= reference.variable == target.variable);
    found
}

/// The accesses of one entry of a loop, by cell, each with its iteration.
type Entry<'e> = BTreeMap<usize, Vec<(i128, &'e Event)>>;

/// The class of a loop, as far as the execution shows it; `None` where the loop had no two iterations.
pub fn class(found: &Enumeration, index: usize) -> Option<Class> {
    let looped = found.loops[index];
    // By entry of the loop (the iterations around) and by cell: the accesses.
    let mut entries: BTreeMap<Vec<i128>, Entry<'_>> = BTreeMap::new();
    let mut several = false;
    for event in &found.events {
        let Some(depth) = event.iterations.iter().position(|(other, _)| *other == looped) else { continue };
        let variable = found.cells[event.cell].0;
        let declared_inside = found.declared.get(&variable).is_some_and(|around| around.contains(&looped));
        let outer: Vec<i128> = event.iterations[..depth].iter().map(|(_, value)| *value).collect();
        let iteration = event.iterations[depth].1;
        let entry = entries.entry(outer).or_default();
        several |= entry.values().flatten().any(|(other, _)| *other != iteration);
        if !declared_inside {
            entry.entry(event.cell).or_default().push((iteration, event));
        }
    }
    if !several {
        return None;
    }
    let mut variables_private: BTreeSet<(VariableId, Vec<String>)> = BTreeSet::new();
    let mut reduction = false;
    let mut obstacles: BTreeSet<(VariableId, Vec<String>)> = BTreeSet::new();
    for entry in entries.values() {
        for (cell, accesses) in entry {
            let key = (found.cells[*cell].0, found.cells[*cell].1.clone());

            for (first, a) in accesses {
                let conflicts = accesses.iter().filter(|(second, b)| second != first && (a.write || b.write));
                for (_, b) in conflicts {
                    if a.group.is_some() && a.group == b.group {
                        reduction = true;
                    } else {
                        obstacles.insert(key.clone());
                    }
                }
            }
        }
    }
    for key in &obstacles {
        let private = entries.values().all(|entry| is_private(found, entry, key, looped));
        if !private {
            return Some(Class::Sequential);
        }
        variables_private.insert(key.clone());
    }
    // Reductions on arrays that are private anyway are of no loop.
    if reduction && !obstacles.is_empty() {
        reduction = entries.values().any(|entry| {
            entry.iter().any(|(cell, accesses)| {
                let key = (found.cells[*cell].0, found.cells[*cell].1.clone());
                !obstacles.contains(&key)
                    && accesses
                        .iter()
                        .any(|(i, a)| accesses.iter().any(|(j, b)| i != j && (a.write || b.write)))
            })
        });
    }
    Some(match (reduction, variables_private.is_empty()) {
        (false, true) => Class::Parallel,
        (true, true) => Class::Reduction,
        (false, false) => Class::Private,
        (true, false) => Class::ReductionAndPrivate,
    })
}

/// Whether each iteration writes a cell before it reads it, where another writes it, and the last iteration writes all.
fn is_private(
    found: &Enumeration,
    entry: &Entry<'_>,
    key: &(VariableId, Vec<String>),
    looped: usize,
) -> bool {
    let of_key =
        || entry.iter().filter(|(cell, _)| found.cells[**cell].0 == key.0 && found.cells[**cell].1 == key.1);
    for (_, accesses) in of_key() {
        let mut written: BTreeSet<i128> = BTreeSet::new();
        for (iteration, event) in accesses {
            let others = accesses.iter().any(|(other, e)| other != iteration && e.write);
            if !event.write && others && !written.contains(iteration) {
                return false;
            }
            if event.write {
                written.insert(*iteration);
            }
        }
    }
    let read_outside = found.events.iter().any(|event| {
        let cell = &found.cells[event.cell];
        !event.write
            && cell.0 == key.0
            && cell.1 == key.1
            && !event.iterations.iter().any(|(other, _)| *other == looped)
    });
    if found.region_variables.contains(&key.0) && !read_outside {
        return true;
    }
    // The last iteration that writes, in the order of execution.
    let writes = of_key().flat_map(|(_, accesses)| accesses).filter(|(_, event)| event.write);
    let last = writes.max_by_key(|(_, event)| event.at).map(|(iteration, _)| *iteration);
    of_key().all(|(_, accesses)| {
        let written = accesses.iter().any(|(_, event)| event.write);
        !written || accesses.iter().any(|(iteration, event)| event.write && Some(*iteration) == last)
    })
}

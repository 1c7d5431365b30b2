//! What of a loop's body the totals need.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{Expression, If, Loop, Node, Region, Statement, VariableId};

/// The running value of a loop, as the last pass has it.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    /// What holds it.
    pub own: VariableId,
    /// Of a linear recurrence the product of the factors, which only the first pass computes.
    pub factor: Option<VariableId>,
    /// Whether a condition on it is part of how it is combined: `if (a[i] > m) m = a[i];`.
    pub guarded: bool,
}

/// The nodes of a part that compute its totals; `shared` is the memory besides what is declared in them that belongs to the
/// part alone.
///
/// # Errors
///
/// Why the totals need more than what the part begins with.
pub(crate) fn for_totals(
    region: &Region,
    nodes: &[Node],
    values: &[Running],
    memory: &BTreeSet<VariableId>,
) -> Result<Vec<Node>, String> {
    if !is_plain(nodes) {
        return Err("a loop inside is left early, or has copies of its own".into());
    }
    let mut roots = BTreeSet::new();
    for value in values {
        roots.extend([Some(value.own), value.factor].into_iter().flatten());
    }
    let mut own = roots.clone();
    own.extend(memory);
    declared(nodes, &mut own);
    let mut computed: BTreeSet<VariableId> = values.iter().map(|value| value.own).collect();
    loop {
        let before = computed.len();
        computed_from(nodes, &mut computed);
        if computed.len() == before {
            break;
        }
    }
    let mut slice = Slice { values, needed: roots.clone(), computed, own };
    loop {
        let before = slice.needed.len();
        slice.grow(nodes);
        if slice.needed.len() == before {
            break;
        }
    }
    let kept = slice.kept(nodes);
    let mut local = memory.clone();
    declared(&kept, &mut local);
    let mut carriers = BTreeMap::new();
    Uses { region, values, roots: &roots, local: &local }.check(&kept, &mut carriers)?;
    Ok(kept)
}

/// The nodes without what only totals need.
pub(crate) fn without_factors(nodes: &[Node], values: &[Running]) -> Vec<Node> {
    let factors: BTreeSet<VariableId> = values.iter().filter_map(|value| value.factor).collect();
    let keeps = |node: &Node| match node {
        Node::Statement(statement) => !factors.contains(&statement.target.variable),
        _ => true,
    };
    filtered(nodes, &keeps)
}

/// The nodes that are kept, in bodies that are kept.
fn filtered(nodes: &[Node], keeps: &dyn Fn(&Node) -> bool) -> Vec<Node> {
    let kept = nodes.iter().filter(|node| keeps(node));
    kept.map(|node| match node {
        Node::Loop(looped) => Node::Loop(Loop { body: filtered(&looped.body, keeps), ..looped.clone() }),
        Node::If(guard) => Node::If(If {
            then: filtered(&guard.then, keeps),
            otherwise: filtered(&guard.otherwise, keeps),
            ..guard.clone()
        }),
        other => other.clone(),
    })
    .collect()
}

/// Whether nodes are loops in order, guards, statements and declarations only.
fn is_plain(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Loop(looped) => !looped.parallel && is_plain(&looped.body),
        Node::If(guard) => is_plain(&guard.then) && is_plain(&guard.otherwise),
        Node::Statement(_) | Node::Declaration(_) => true,
        Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => false,
    })
}

fn declared(nodes: &[Node], found: &mut BTreeSet<VariableId>) {
    for node in nodes {
        match node {
            Node::Loop(looped) => declared(&looped.body, found),
            Node::If(guard) => {
                declared(&guard.then, found);
                declared(&guard.otherwise, found);
            }
            Node::Declaration(declaration) => {
                found.insert(declaration.variable);
            }
            _ => {}
        }
    }
}

/// Adds the variables of a part whose declarations use what is known to be computed from running values.
fn computed_from(nodes: &[Node], computed: &mut BTreeSet<VariableId>) {
    for node in nodes {
        match node {
            Node::Loop(looped) => computed_from(&looped.body, computed),
            Node::If(guard) => {
                computed_from(&guard.then, computed);
                computed_from(&guard.otherwise, computed);
            }
            Node::Declaration(declaration)
                if declaration.value.as_ref().is_some_and(|value| uses(value, computed)) =>
            {
                computed.insert(declaration.variable);
            }
            _ => {}
        }
    }
}

fn uses(value: &Expression, variables: &BTreeSet<VariableId>) -> bool {
    let mut uses = false;
    value.visit_reads(&mut |read| uses |= variables.contains(&read.variable));
    uses
}

struct Slice<'v> {
    values: &'v [Running],
    needed: BTreeSet<VariableId>,
    /// Running values, and variables that are declared with what is computed from them.
    computed: BTreeSet<VariableId>,
    /// The part's own variables.
    own: BTreeSet<VariableId>,
}

impl Slice<'_> {
    fn keeps(&self, node: &Node) -> bool {
        match node {
            Node::Loop(looped) => looped.body.iter().any(|node| self.keeps(node)),
            Node::If(guard) => guard.then.iter().chain(&guard.otherwise).any(|node| self.keeps(node)),
            Node::Statement(statement) => {
                self.needed.contains(&statement.target.variable) && !self.is_result(statement)
            }
            Node::Declaration(declaration) => {
                let is_root = self.values.iter().any(|value| value.own == declaration.variable);
                self.needed.contains(&declaration.variable) && !is_root
            }
            _ => false,
        }
    }

    /// Whether a statement stores what is computed from a running value elsewhere: nothing that is accumulated reads it, as
    /// the loop would be no scan.
    fn is_result(&self, statement: &Statement) -> bool {
        !self.own.contains(&statement.target.variable) && uses(&statement.value, &self.computed)
    }

    fn kept(&self, nodes: &[Node]) -> Vec<Node> {
        filtered(nodes, &|node| self.keeps(node))
    }

    /// Adds what the nodes that are kept read.
    fn grow(&mut self, nodes: &[Node]) {
        for node in nodes {
            if !self.keeps(node) {
                continue;
            }
            match node {
                Node::Loop(looped) => {
                    [&looped.lower, &looped.condition, &looped.step]
                        .into_iter()
                        .for_each(|part| self.read(part));
                    self.grow(&looped.body);
                }
                Node::If(guard) => {
                    self.read(&guard.condition);
                    self.grow(&guard.then);
                    self.grow(&guard.otherwise);
                }
                Node::Statement(statement) => {
                    statement.target.subscripts().for_each(|subscript| self.read(subscript));
                    self.read(&statement.value);
                }
                Node::Declaration(declaration) => {
                    declaration.value.iter().for_each(|value| self.read(value));
                }
                _ => {}
            }
        }
    }

    fn read(&mut self, value: &Expression) {
        value.visit_reads(&mut |read| {
            self.needed.insert(read.variable);
        });
    }
}

/// What the nodes that are kept must not use.
struct Uses<'u> {
    region: &'u Region,
    values: &'u [Running],
    roots: &'u BTreeSet<VariableId>,
    local: &'u BTreeSet<VariableId>,
}

impl Uses<'_> {
    /// `carriers`: variables that hold what is computed from a running value, with that.
    fn check(&self, nodes: &[Node], carriers: &mut BTreeMap<VariableId, VariableId>) -> Result<(), String> {
        for node in nodes {
            match node {
                Node::Loop(looped) => {
                    for part in [&looped.lower, &looped.condition, &looped.step] {
                        self.is_free(part, carriers)?;
                    }
                    self.check(&looped.body, carriers)?;
                }
                Node::If(guard) => {
                    let used = self.used(&guard.condition, carriers);
                    let is_form =
                        |own: &VariableId| self.values.iter().any(|value| value.own == *own && value.guarded);
                    if !used.iter().all(is_form) || used.len() > 1 {
                        return Err(self.decides(&used));
                    }
                    self.check(&guard.then, carriers)?;
                    self.check(&guard.otherwise, carriers)?;
                }
                Node::Statement(statement) => {
                    let target = statement.target.variable;
                    for subscript in statement.target.subscripts() {
                        self.is_free(subscript, carriers)?;
                    }
                    let own = |used: &VariableId| *used == target;
                    let used = self.used(&statement.value, carriers);
                    if !used.iter().all(own) {
                        return Err(self.decides(&used));
                    }
                    if !self.roots.contains(&target) && !self.local.contains(&target) {
                        let name = &self.region.variable(target).name;
                        return Err(format!(
                            "what is accumulated is computed from `{name}`, to which the loop stores"
                        ));
                    }
                }
                Node::Declaration(declaration) => {
                    let Some(value) = &declaration.value else { continue };
                    let used = self.used(value, carriers);
                    match (used.len(), used.first()) {
                        (0, _) => {}
                        // One, through which the running value reaches its own update.
                        (1, Some(own)) if carriers.is_empty() => {
                            carriers.insert(declaration.variable, *own);
                        }
                        _ => return Err(self.decides(&used)),
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The running values that an expression uses.
    fn used(&self, value: &Expression, carriers: &BTreeMap<VariableId, VariableId>) -> BTreeSet<VariableId> {
        let mut used = BTreeSet::new();
        value.visit_reads(&mut |read| {
            let is_own = self.values.iter().any(|value| value.own == read.variable);
            used.extend(is_own.then_some(read.variable));
            used.extend(carriers.get(&read.variable));
        });
        used
    }

    fn is_free(&self, value: &Expression, carriers: &BTreeMap<VariableId, VariableId>) -> Result<(), String> {
        let used = self.used(value, carriers);
        if used.is_empty() { Ok(()) } else { Err(self.decides(&used)) }
    }

    fn decides(&self, used: &BTreeSet<VariableId>) -> String {
        let name = used.first().map_or("", |own| &self.region.variable(*own).name);
        let name = name.strip_suffix("_own").unwrap_or(name);
        format!("what is accumulated depends on the intermediate values of `{name}`")
    }
}

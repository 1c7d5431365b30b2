//! What of a loop's body the totals need.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Declaration, Expression, Node, Region, Statement, VariableId, walk};

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
    own.extend(declared(nodes).map(|declaration| declaration.variable));
    let mut computed: BTreeSet<VariableId> = values.iter().map(|value| value.own).collect();
    loop {
        let before = computed.len();
        for declaration in declared(nodes) {
            if declaration.value.as_ref().is_some_and(|value| uses(value, &computed)) {
                computed.insert(declaration.variable);
            }
        }
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
    local.extend(declared(&kept).map(|declaration| declaration.variable));
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
    let kept = nodes.iter().filter(|node| keeps(node)).cloned();
    kept.map(|node| node.map_bodies(|body| filtered(&body, keeps))).collect()
}

/// Whether nodes are sequential loops, guards, statements and declarations only.
fn is_plain(nodes: &[Node]) -> bool {
    walk(nodes).all(|node| match node {
        Node::Loop(looped) => !looped.parallel,
        Node::If(_) | Node::Statement(_) | Node::Declaration(_) => true,
        Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => false,
    })
}

fn declared(nodes: &[Node]) -> impl Iterator<Item = &Declaration> {
    walk(nodes).filter_map(|node| match node {
        Node::Declaration(declaration) => Some(declaration),
        _ => None,
    })
}

fn uses(value: &Expression, variables: &BTreeSet<VariableId>) -> bool {
    value.reads().iter().any(|read| variables.contains(&read.variable))
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
            Node::Statement(statement) => {
                self.needed.contains(&statement.target.variable) && !self.is_result(statement)
            }
            Node::Declaration(declaration) => {
                let is_root = self.values.iter().any(|value| value.own == declaration.variable);
                self.needed.contains(&declaration.variable) && !is_root
            }
            _ => node.children().any(|inside| self.keeps(inside)),
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
        for node in nodes.iter().filter(|node| self.keeps(node)).collect::<Vec<_>>() {
            self.needed.extend(node.reads().into_iter().map(|read| read.variable));
            node.bodies().into_iter().for_each(|body| self.grow(body));
        }
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
        for node in walk(nodes) {
            match node {
                Node::Loop(looped) => {
                    looped.bounds().into_iter().try_for_each(|bound| self.is_free(bound, carriers))?;
                }
                Node::If(guard) => {
                    let used = self.used(&guard.condition, carriers);
                    let is_form =
                        |own: &VariableId| self.values.iter().any(|value| value.own == *own && value.guarded);
                    if !used.iter().all(is_form) || used.len() > 1 {
                        return Err(self.decides(&used));
                    }
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
        for read in value.reads() {
            let is_own = self.values.iter().any(|value| value.own == read.variable);
            used.extend(is_own.then_some(read.variable));
            used.extend(carriers.get(&read.variable));
        }
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

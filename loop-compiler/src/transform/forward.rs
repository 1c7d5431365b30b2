//! Forward substitution: integers that the region declares once, in place of their names in subscripts, bounds of loops and
//! conditions.
//!
//! Of `long row = y * w; … a[row + x]` the subscript is `y * w + x` then, which the analysis knows to be a row and a column.
//! Only values are moved that stay the same while their name is visible: of iterators, constants, and scalars that the region
//! does not change. A declaration whose name nothing uses any more is left out.
//!
//! And declarations in loops that alone use them: `const double x = a[i][k]; for (j …) c[i][j] += x * b[k][j];` is a perfect
//! nest with `x` inside.

use std::collections::BTreeSet;

use super::nodes::{substituted_in, substituted_in_subscripts, uses};
use crate::cost::policy::{OPERATIONS_OF_NAME, REPEATED_OPERATIONS};
use crate::ir::{
    Declaration, Expression, ExpressionKind, Loop, Node, Reference, Region, Storage, VariableId, convert,
    rewrite, walk,
};

/// The region with values in place of names.
pub(crate) fn forwarded(region: &Region) -> Region {
    let mut known = Vec::new();
    Unchanged::of(region).named(&region.body, &mut known);
    if known.is_empty() {
        return region.clone();
    }
    let body = substituted_in_subscripts(&region.body, &known);
    let names = known.iter().map(|(variable, _)| *variable);
    let unused = names.filter(|variable| !uses(&body, *variable)).collect();
    Region { body: without(&body, &unused), ..region.clone() }
}

/// Nodes without what only sets variables of `made` that nothing reads.
pub(super) fn without_unread(nodes: Vec<Node>, made: &BTreeSet<VariableId>) -> Vec<Node> {
    let sets = |node: &Node| match node {
        Node::Declaration(declared) => Some(declared.variable),
        Node::Statement(statement) => Some(statement.target.variable),
        _ => None,
    };
    let mut nodes = nodes;
    loop {
        let mut unread = made.clone();
        for node in walk(&nodes) {
            let subscripts =
                node.target().into_iter().flat_map(Reference::subscripts).flat_map(Expression::reads);
            for read in node.reads().into_iter().chain(subscripts) {
                if sets(node) != Some(read.variable) {
                    unread.remove(&read.variable);
                }
            }
        }
        if !walk(&nodes).any(|node| sets(node).is_some_and(|set| unread.contains(&set))) {
            return nodes;
        }
        nodes = rewrite(nodes, &mut |node| match sets(&node) {
            Some(set) if unread.contains(&set) => Vec::new(),
            _ => vec![node],
        });
    }
}

/// The region with declarations between two loops in the inner one, where nothing else uses them; none if that changes nothing.
pub(crate) fn sunk(region: &Region) -> Option<Region> {
    let body = Unchanged::of(region).sunk(&region.body);
    (body != region.body).then(|| Region { body, ..region.clone() })
}

/// A variable, and the members on the way to what is accessed.
type Array = (VariableId, Vec<String>);

/// Nodes without the declarations of these variables.
fn without(nodes: &[Node], unused: &BTreeSet<VariableId>) -> Vec<Node> {
    rewrite(nodes.to_vec(), &mut |node| match node {
        Node::Declaration(declared) if unused.contains(&declared.variable) => Vec::new(),
        other => vec![other],
    })
}

/// What a region does not change.
struct Unchanged<'r> {
    region: &'r Region,
    /// What statements store into.
    stored: BTreeSet<Array>,
}

impl<'r> Unchanged<'r> {
    fn of(region: &'r Region) -> Self {
        let stored = walk(&region.body).filter_map(Node::target).map(Reference::array).collect();
        Unchanged { region, stored }
    }

    /// Whether a variable has the value of its declaration wherever it is visible, and nowhere else.
    fn is_single(&self, id: VariableId) -> bool {
        let variable = self.region.variable(id);
        variable.storage == Storage::Region
            && variable.extents.is_empty()
            && !self.stored.contains(&(id, Vec::new()))
            && !self.region.used_after.contains(&id)
    }

    /// Whether a store into another array may change an element, where nothing has been checked.
    fn may_overlap(&self, read: &Reference) -> bool {
        let mut name = self.region.variable(read.variable).name.clone();
        read.members().for_each(|member| name.extend([".", member]));
        let is_it = |other: &str| {
            other.strip_prefix(&*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        self.region.overlaps.iter().any(|(first, second)| is_it(first) || is_it(second))
    }

    /// Whether a value is the same wherever its iterators are: of integers that nothing may change, or with loads from memory
    /// that no store overlaps.
    fn stays(&self, value: &Expression, loads: bool) -> bool {
        match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Iterator(_) => true,
            ExpressionKind::Float(_) | ExpressionKind::Imaginary(_) => loads,
            ExpressionKind::Read(read) => {
                // What a name was given from memory, as in `w = m->columns`, is not loaded again in every iteration.
                let is_size = read.path.is_empty()
                    && read.scalar.is_integer()
                    && self.region.variable(read.variable).storage != Storage::Region
                    && !self.may_overlap(read);
                (loads || is_size)
                    && !self.stored.contains(&read.array())
                    && read.subscripts().all(|subscript| self.stays(subscript, loads))
            }
            ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Cast(_)
            | ExpressionKind::Select(..) => {
                value.operands().into_iter().all(|operand| self.stays(operand, loads))
            }
            ExpressionKind::Call(..) => false,
        }
    }

    /// The names of integers, with their values, in which names of before are replaced.
    fn named(&self, nodes: &[Node], known: &mut Vec<(VariableId, Expression)>) {
        for node in walk(nodes) {
            let Node::Declaration(Declaration { variable, value: Some(value), .. }) = node else { continue };
            let scalar = self.region.variable(*variable).scalar;
            let value = convert::convert(substituted_in(value, known), scalar);
            let is_name = scalar.is_integer() && self.is_single(*variable);
            if is_name && self.stays(&value, false) && operations(&value) <= OPERATIONS_OF_NAME {
                known.push((*variable, value));
            }
        }
    }

    fn sunk(&self, nodes: &[Node]) -> Vec<Node> {
        let [declared @ .., Node::Loop(inner)] = nodes else {
            return nodes.iter().map(|node| self.with_sunk(node)).collect();
        };
        let may_sink = |node: &Node| match node {
            Node::Declaration(Declaration { variable, value: Some(value), .. }) => {
                self.is_single(*variable)
                    && self.stays(value, true)
                    && operations(value) <= REPEATED_OPERATIONS
                    && !inner.bounds().into_iter().any(|bound| bound.mentions(*variable))
            }
            _ => false,
        };
        if !declared.iter().all(may_sink) {
            return nodes.iter().map(|node| self.with_sunk(node)).collect();
        }
        let body: Vec<Node> = declared.iter().chain(&inner.body).cloned().collect();
        vec![Node::Loop(Loop { body: self.sunk(&body), ..inner.clone() })]
    }

    fn with_sunk(&self, node: &Node) -> Node {
        node.clone().map_bodies(|body| self.sunk(&body))
    }
}

fn operations(value: &Expression) -> usize {
    value.walk().count()
}

//! Changes of trees: nodes in place of others, and expressions in place of others.

use super::{
    expression::Expression,
    names::Position,
    node::{If, Loop, Node, Store},
};

impl Node {
    /// Nodes under a condition.
    pub fn guarded(condition: Expression, then: Vec<Node>, at: Position) -> Node {
        Node::either(condition, then, Vec::new(), at)
    }

    /// Nodes under a condition, and others if it does not hold.
    pub fn either(condition: Expression, then: Vec<Node>, otherwise: Vec<Node>, at: Position) -> Node {
        Node::If(If { condition, then, otherwise, at })
    }

    /// The bodies inside: a loop's, or the branches of a guard.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Vec<Node>> {
        let [first, second] = match self {
            Node::Loop(looped) => [Some(&mut looped.body), None],
            Node::If(guard) => [Some(&mut guard.then), Some(&mut guard.otherwise)],
            _ => [None, None],
        };
        first.into_iter().chain(second)
    }

    /// The node with what `change` makes of its bodies.
    #[must_use]
    pub fn map_bodies(mut self, mut change: impl FnMut(Vec<Node>) -> Vec<Node>) -> Node {
        self.bodies_mut().for_each(|body| *body = change(std::mem::take(body)));
        self
    }

    /// The node with what `change` makes of its bodies, or the first error.
    pub fn try_map_bodies<E>(
        mut self,
        mut change: impl FnMut(Vec<Node>) -> Result<Vec<Node>, E>,
    ) -> Result<Node, E> {
        self.bodies_mut().try_for_each(|body| {
            *body = change(std::mem::take(body))?;
            Ok(())
        })?;
        Ok(self)
    }

    /// Changes the expressions of the node itself: bounds, conditions, subscripts of what is stored to, values.
    pub fn change_expressions(&mut self, mut change: impl FnMut(&Expression) -> Expression) {
        let mut all = |values: &mut dyn Iterator<Item = &mut Expression>| {
            values.for_each(|value| *value = change(value));
        };
        match self {
            Node::Loop(Loop { lower, condition, step, .. }) => all(&mut [lower, condition, step].into_iter()),
            Node::If(guard) => all(&mut [&mut guard.condition].into_iter()),
            Node::Statement(statement) => {
                statement.target = statement.target.map_subscripts(&mut change);
                if let Store::Reduce { init, .. } = &mut statement.store {
                    *init = change(init);
                }
                statement.value = change(&statement.value);
            }
            Node::Declaration(declaration) => all(&mut declaration.value.iter_mut()),
            Node::Break(_) | Node::Private(_) => {}
            Node::ReduceDimension(reduce) => {
                all(&mut reduce.indices.iter_mut());
                all(&mut reduce.ranges.iter_mut().flatten().flat_map(|(begin, end)| [begin, end]));
                all(&mut reduce.init.iter_mut());
            }
        }
    }
}

/// Nodes with what `change` makes of each, those inside first.
pub fn rewrite(nodes: Vec<Node>, change: &mut dyn FnMut(Node) -> Vec<Node>) -> Vec<Node> {
    let inside = |node: Node, change: &mut dyn FnMut(Node) -> Vec<Node>| {
        let node = node.map_bodies(|body| rewrite(body, change));
        change(node)
    };
    nodes.into_iter().flat_map(|node| inside(node, change)).collect()
}

/// Changes nodes and those inside, each before what is inside it.
pub fn for_each_mut(nodes: &mut [Node], change: &mut dyn FnMut(&mut Node)) {
    for node in nodes {
        change(node);
        node.bodies_mut().for_each(|body| for_each_mut(body, change));
    }
}

/// Changes loops among nodes and inside them, each before those inside it.
pub fn for_each_loop_mut(nodes: &mut [Node], mut change: impl FnMut(&mut Loop)) {
    for_each_mut(nodes, &mut |node| {
        if let Node::Loop(looped) = node {
            change(looped);
        }
    });
}

/// Nodes with what `change` makes of their expressions, and of those inside.
pub fn map_expressions(nodes: &[Node], mut change: impl FnMut(&Expression) -> Expression) -> Vec<Node> {
    let mut out = nodes.to_vec();
    for_each_mut(&mut out, &mut |node| node.change_expressions(&mut change));
    out
}

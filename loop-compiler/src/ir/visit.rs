//! Visits of nodes and expressions. A question about a tree is an iterator over these, not a function for each kind of node.

use super::{
    expression::{BinaryOperator, Expression, ExpressionKind, Reference},
    names::{Position, VariableId},
    node::{Loop, Node, Store},
};

impl Node {
    /// The bodies inside: a loop's, or the branches of a guard.
    pub fn bodies(&self) -> [&[Node]; 2] {
        match self {
            Node::Loop(looped) => [&looped.body, &[]],
            Node::If(guard) => [&guard.then, &guard.otherwise],
            _ => [&[], &[]],
        }
    }

    /// The nodes directly inside.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = &Node> {
        self.bodies().into_iter().flatten()
    }

    /// The expressions of the node itself, not of those inside: bounds, conditions, subscripts of what is stored to, values. The
    /// initial value of a [`Store::Reduce`] is none of them: it stands for what its target holds before.
    pub fn expressions(&self) -> Vec<&Expression> {
        match self {
            Node::Loop(looped) => looped.bounds().to_vec(),
            Node::If(guard) => vec![&guard.condition],
            Node::Statement(statement) => statement.target.subscripts().chain([&statement.value]).collect(),
            Node::Declaration(declaration) => declaration.value.iter().collect(),
            Node::Break(_) | Node::Private(_) => Vec::new(),
            Node::ReduceDimension(reduce) => {
                let ranges = reduce.ranges.iter().flatten().flat_map(|(begin, end)| [begin, end]);
                reduce.indices.iter().chain(ranges).chain(&reduce.init).collect()
            }
        }
    }

    /// The initial value of a reduction into an element.
    pub fn init(&self) -> Option<&Expression> {
        match self {
            Node::Statement(statement) => match &statement.store {
                Store::Reduce { init, .. } => Some(init),
                _ => None,
            },
            _ => None,
        }
    }

    /// What the node's own expressions read, in the order of execution.
    pub fn reads(&self) -> Vec<&Reference> {
        self.expressions().into_iter().flat_map(Expression::reads).collect()
    }

    /// What a statement stores to.
    pub fn target(&self) -> Option<&Reference> {
        match self {
            Node::Statement(statement) => Some(&statement.target),
            _ => None,
        }
    }

    /// What a statement stores to, and what the node's own expressions read.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.target().into_iter().chain(self.reads())
    }

    /// What the node itself declares.
    pub fn declared(&self) -> Option<VariableId> {
        match self {
            Node::Loop(looped) => looped.declares.then_some(looped.iterator),
            Node::Declaration(declaration) => Some(declaration.variable),
            Node::Private(private) => Some(private.variable),
            Node::If(_) | Node::Statement(_) | Node::Break(_) | Node::ReduceDimension(_) => None,
        }
    }

    /// The variables that the node itself changes, or whose elements it changes.
    pub fn changed(&self) -> impl Iterator<Item = VariableId> {
        let [first, second] = match self {
            Node::Loop(looped) => [Some(looped.iterator), None],
            Node::Statement(statement) => [Some(statement.target.variable), None],
            Node::Declaration(declaration) => [Some(declaration.variable), None],
            Node::Private(private) => [Some(private.variable), None],
            Node::ReduceDimension(reduce) => [reduce.target, Some(reduce.source)],
            Node::If(_) | Node::Break(_) => [None, None],
        };
        first.into_iter().chain(second)
    }

    /// The loop that it is.
    pub fn as_loop(&self) -> Option<&Loop> {
        match self {
            Node::Loop(looped) => Some(looped),
            _ => None,
        }
    }

    /// Whether it is a parallel loop.
    pub fn is_parallel(&self) -> bool {
        self.as_loop().is_some_and(|looped| looped.parallel)
    }

    /// Where it begins.
    pub fn at(&self) -> Position {
        match self {
            Node::Loop(looped) => looped.at,
            Node::If(guard) => guard.at,
            Node::Statement(statement) => statement.at,
            Node::Declaration(declaration) => declaration.at,
            Node::Break(at) => *at,
            Node::Private(private) => private.at,
            Node::ReduceDimension(reduce) => reduce.at,
        }
    }
}

impl Loop {
    /// Its first value, its condition and its step.
    pub fn bounds(&self) -> [&Expression; 3] {
        [&self.lower, &self.condition, &self.step]
    }

    /// Whether iterations differ in the trip counts of the loops directly inside: their bounds depend on the iterator. Loops
    /// further inside are tiles more often than triangles.
    pub(crate) fn is_uneven(&self) -> bool {
        walk_iteration(&self.body).any(|node| match node {
            Node::Loop(inner) => {
                [&inner.lower, &inner.condition].into_iter().any(|bound| bound.mentions(self.iterator))
            }
            _ => false,
        })
    }

    /// Whether this loop gives parts of an uneven loop to its iterations: contiguous ones, whose bounds it declares.
    pub(crate) fn has_uneven_parts(&self) -> bool {
        let declares =
            |id| self.body.iter().any(|node| matches!(node, Node::Declaration(d) if d.variable == id));
        self.body.iter().any(|node| match node {
            Node::Loop(inner) => {
                let bounds = [&inner.lower, &inner.condition].into_iter();
                bounds.flat_map(Expression::reads).any(|read| declares(read.variable)) && inner.is_uneven()
            }
            _ => false,
        })
    }
}

/// Nodes and those inside, each before what is inside it.
pub fn walk(nodes: &[Node]) -> impl Iterator<Item = &Node> {
    walk_into(nodes, |_| true)
}

/// The nodes of an iteration: [`walk`], but for what is inside loops.
pub fn walk_iteration(nodes: &[Node]) -> impl Iterator<Item = &Node> {
    walk_into(nodes, |node| !matches!(node, Node::Loop(_)))
}

/// As [`walk`], but only into nodes that `into` takes.
pub fn walk_into(nodes: &[Node], into: impl Fn(&Node) -> bool) -> impl Iterator<Item = &Node> {
    let mut left = vec![nodes.iter()];
    std::iter::from_fn(move || {
        while let Some(last) = left.last_mut() {
            let Some(node) = last.next() else {
                left.pop();
                continue;
            };
            if into(node) {
                let [first, second] = node.bodies();
                left.extend([second.iter(), first.iter()]);
            }
            return Some(node);
        }
        None
    })
}

/// Loops among nodes and inside them, each before those inside it.
pub fn loops(nodes: &[Node]) -> impl Iterator<Item = &Loop> {
    walk(nodes).filter_map(Node::as_loop)
}

/// As [`loops`], each with the place of the one directly around it.
pub fn loops_with_outer(nodes: &[Node]) -> Vec<(&Loop, Option<usize>)> {
    fn add<'n>(nodes: &'n [Node], outer: Option<usize>, found: &mut Vec<(&'n Loop, Option<usize>)>) {
        for node in nodes {
            let mut inside = outer;
            if let Node::Loop(looped) = node {
                inside = Some(found.len());
                found.push((looped, outer));
            }
            node.bodies().into_iter().for_each(|body| add(body, inside, found));
        }
    }
    let mut found = Vec::new();
    add(nodes, None, &mut found);
    found
}

/// What nodes and those inside read, in the order of the text.
pub fn reads(nodes: &[Node]) -> impl Iterator<Item = &Reference> {
    walk(nodes).flat_map(Node::reads)
}

/// What the first iteration of a body accesses, whatever conditions say.
pub fn first_accesses(nodes: &[Node]) -> Vec<&Reference> {
    let mut found = Vec::new();
    for node in nodes {
        let is_iteration = matches!(node, Node::Statement(_) | Node::Declaration(_) | Node::If(_));
        if !is_iteration {
            break;
        }
        found.extend(node.expressions().into_iter().flat_map(Expression::first_reads));
        found.extend(node.target());
        if walk_iteration(std::slice::from_ref(node)).any(|inside| matches!(inside, Node::Break(_))) {
            break;
        }
    }
    found
}

impl Expression {
    /// The operands, and of a read its subscripts.
    pub fn operands(&self) -> Vec<&Expression> {
        match &self.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Imaginary(_)
            | ExpressionKind::Iterator(_) => Vec::new(),
            ExpressionKind::Read(reference) => reference.subscripts().collect(),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Cast(operand) => vec![operand],
            ExpressionKind::Binary(_, left, right) => vec![left, right],
            ExpressionKind::Select(condition, then, otherwise) => vec![condition, then, otherwise],
            ExpressionKind::Call(_, arguments) => arguments.iter().collect(),
        }
    }

    /// The expression and its operands, each before its own.
    pub fn walk(&self) -> impl Iterator<Item = &Expression> {
        let mut left = vec![self];
        std::iter::from_fn(move || {
            let next = left.pop()?;
            left.extend(next.operands().into_iter().rev());
            Some(next)
        })
    }

    /// What is read, what subscripts read first.
    pub fn reads(&self) -> Vec<&Reference> {
        fn add<'e>(value: &'e Expression, found: &mut Vec<&'e Reference>) {
            value.operands().into_iter().for_each(|operand| add(operand, found));
            if let ExpressionKind::Read(reference) = &value.kind {
                found.push(reference);
            }
        }
        let mut found = Vec::new();
        add(self, &mut found);
        found
    }

    /// What is read whatever conditions say, what subscripts read first.
    pub fn first_reads(&self) -> Vec<&Reference> {
        let mut found: Vec<&Reference> =
            self.certain().into_iter().flat_map(Expression::first_reads).collect();
        if let ExpressionKind::Read(reference) = &self.kind {
            found.push(reference);
        }
        found
    }

    /// The operands that are computed whatever the others are.
    fn certain(&self) -> Vec<&Expression> {
        match &self.kind {
            ExpressionKind::Binary(BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr, first, _)
            | ExpressionKind::Select(first, ..) => vec![first],
            _ => self.operands(),
        }
    }

    /// The iterators, in subscripts, too.
    pub fn iterators(&self) -> impl Iterator<Item = VariableId> {
        self.walk().filter_map(|value| match &value.kind {
            ExpressionKind::Iterator(id) => Some(*id),
            _ => None,
        })
    }

    /// The iterators, and the variables that it reads or whose elements it reads.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> {
        self.walk().filter_map(|value| match &value.kind {
            ExpressionKind::Iterator(id) => Some(*id),
            ExpressionKind::Read(read) => Some(read.variable),
            _ => None,
        })
    }

    /// Whether it has a variable or iterator.
    pub fn mentions(&self, variable: VariableId) -> bool {
        self.variables().any(|id| id == variable)
    }
}

impl Reference {
    /// Whether it has a variable or iterator.
    pub fn mentions(&self, variable: VariableId) -> bool {
        self.variable == variable || self.subscripts().any(|subscript| subscript.mentions(variable))
    }
}

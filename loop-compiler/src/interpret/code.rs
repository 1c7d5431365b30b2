//! A region to instructions of a stack machine, so that the iterations of a parallel loop can be interleaved.

use super::slots::{Slots, accumulates};
use super::value::{self, Value};
use super::vectors;
use crate::ir::convert::operator_types;
use crate::ir::located::Located;
use crate::ir::operators;
use crate::ir::types::Scalar;
use crate::ir::verify::{MAXIMUM_DEPTH, MAXIMUM_NESTING};
use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, Loop, Node, Position, ReduceDimension, ReductionOperator,
    Reference, Region, Step, Store, UnaryOperator, VariableId,
};

/// A region as instructions; the last is [`Op::End`].
pub struct Code<'t> {
    pub instructions: Vec<Instruction<'t>>,
    pub sites: Vec<Site<'t>>,
    pub slots: Slots,
    /// For each slot whether a reduction with an initial value goes into it: then it is noted which cells were set.
    pub starts: Vec<bool>,
}

pub struct Instruction<'t> {
    pub op: Op<'t>,
    pub at: Position,
    /// Whether it computes a subscript, an extent or a loop's header.
    pub address: bool,
}

/// A place of the tree that accesses a slot.
pub struct Site<'t> {
    pub node: Option<&'t Node>,
    pub reference: Option<&'t Reference>,
    pub slot: usize,
    /// How many of the loops around count for the access.
    pub depth: usize,
}

/// An instruction. Comments say what it takes from the stack and what it leaves there, the top last.
pub enum Op<'t> {
    /// → value
    Push(Value),
    /// → the value of the iterator of the loop of this depth.
    Iterator(usize),
    /// subscripts → number of the cell
    Address(usize),
    /// cell → value
    Load(usize),
    /// cell, value → cell, value, old
    LoadTarget(usize),
    /// cell, value →
    Store(usize),
    /// cell, init if there is one, value →
    Reduce {
        site: usize,
        operator: ReductionOperator,
        starts: bool,
    },
    /// operand → result
    Unary(UnaryOperator, Scalar),
    /// left, right → result
    Binary(BinaryOperator, Scalar),
    /// value, old → new
    Update {
        operator: BinaryOperator,
        target: Scalar,
        left: Scalar,
        scalar: Scalar,
        computed_in: Scalar,
    },
    /// value → value
    Convert {
        from: Scalar,
        to: Scalar,
    },
    /// value → 0 or 1
    Truth,
    /// arguments → result
    Call {
        name: &'t str,
        types: Vec<Scalar>,
        scalar: Scalar,
    },
    Jump(usize),
    /// condition →
    JumpUnless(usize),
    /// first value →
    Enter {
        nest: &'t Loop,
        slot: Option<usize>,
        /// See [`super::Counts::vector_operations`] and [`super::Counts::transposed_tiles`].
        vector: u64,
        transposed: u64,
    },
    /// step →
    Next {
        scalar: Scalar,
    },
    Leave {
        slot: Option<usize>,
    },
    /// Keeps the iterator's value for a task.
    Gather,
    /// Starts the tasks at the next instruction; goes on there when all are over.
    Fork(usize),
    /// Ends a task, or the execution.
    End,
    /// extents →
    Allocate {
        variable: VariableId,
        private: bool,
        fill: Option<Value>,
    },
    /// init if there is one, indices, begins and ends →
    ReduceDimension {
        reduce: &'t ReduceDimension,
        source: usize,
        target: Option<usize>,
    },
}

/// The instructions of a region.
pub fn region(region: &Region, interleaved: bool) -> Result<Code<'_>, Located> {
    let mut compiler = Compiler::new(region, interleaved)?;
    compiler.body(&region.body)?;
    compiler.op(Op::End);
    Ok(compiler.finish())
}

/// The instructions of an expression outside of all loops, whose value stays on the stack.
pub fn expression<'t>(region: &'t Region, expression: &'t Expression) -> Result<Code<'t>, Located> {
    let mut compiler = Compiler::new(region, false)?;
    compiler.expression(expression, 0)?;
    compiler.op(Op::End);
    Ok(compiler.finish())
}

struct Compiler<'t> {
    region: &'t Region,
    interleaved: bool,
    instructions: Vec<Instruction<'t>>,
    sites: Vec<Site<'t>>,
    slots: Slots,
    starts: Vec<bool>,
    /// Iterators of the loops around.
    iterators: Vec<VariableId>,
    /// For each of these loops the jumps that leave it.
    breaks: Vec<Vec<usize>>,
    node: Option<&'t Node>,
    /// Of the loops around, how many count for accesses of the node.
    depth: usize,
    at: Position,
    address: bool,
    nesting: usize,
}

type Compiled = Result<(), Located>;

impl<'t> Compiler<'t> {
    fn new(region: &'t Region, interleaved: bool) -> Result<Compiler<'t>, Located> {
        let slots = Slots::of(region)?;
        Ok(Compiler {
            region,
            interleaved,
            instructions: Vec::new(),
            sites: Vec::new(),
            starts: vec![false; slots.list.len()],
            slots,
            iterators: Vec::new(),
            breaks: Vec::new(),
            node: None,
            depth: 0,
            at: region.at,
            address: false,
            nesting: 0,
        })
    }

    fn finish(self) -> Code<'t> {
        Code { instructions: self.instructions, sites: self.sites, slots: self.slots, starts: self.starts }
    }

    fn op(&mut self, op: Op<'t>) -> usize {
        self.instructions.push(Instruction { op, at: self.at, address: self.address });
        self.instructions.len() - 1
    }

    fn here(&self) -> usize {
        self.instructions.len()
    }

    /// Makes the jump of an instruction lead here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.instructions[jump].op {
            Op::Jump(target) | Op::JumpUnless(target) | Op::Fork(target) => *target = here,
            _ => {}
        }
    }

    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, Located> {
        Err(Located::new(self.at, what, "verify the tree first"))
    }

    /// What is compiled by `body` computes addresses.
    fn addressing(&mut self, body: impl FnOnce(&mut Self) -> Compiled) -> Compiled {
        let outer = std::mem::replace(&mut self.address, true);
        let result = body(self);
        self.address = outer;
        result
    }

    fn body(&mut self, nodes: &'t [Node]) -> Compiled {
        if self.nesting > MAXIMUM_NESTING {
            return self.wrong(format!("more than {MAXIMUM_NESTING} bodies in each other"));
        }
        self.nesting += 1;
        for node in nodes {
            self.node = Some(node);
            self.depth = self.iterators.len();
            self.compile(node)?;
        }
        self.nesting -= 1;
        Ok(())
    }

    fn compile(&mut self, node: &'t Node) -> Compiled {
        match node {
            Node::Loop(nest) => self.counted(node, nest),
            Node::If(guard) => {
                self.at = guard.at;
                self.expression(&guard.condition, 0)?;
                let skip = self.op(Op::JumpUnless(0));
                self.body(&guard.then)?;
                if guard.otherwise.is_empty() {
                    self.land(skip);
                    return Ok(());
                }
                let end = self.op(Op::Jump(0));
                self.land(skip);
                self.body(&guard.otherwise)?;
                self.land(end);
                Ok(())
            }
            Node::Statement(statement) => {
                self.at = statement.at;
                let target = &statement.target;
                let site = self.address(target, 0)?;
                let value = &statement.value;
                match &statement.store {
                    Store::Assign => {
                        self.typed(value, target.scalar)?;
                        self.op(Op::Store(site));
                    }
                    Store::Update { operator, computed_in } => {
                        self.expression(value, 0)?;
                        let Some(types) = operator_types(*operator, target.scalar, value.scalar) else {
                            return self.wrong("an update of types that have no such operator");
                        };
                        if types.right != value.scalar || types.result != *computed_in {
                            return self.wrong("an update is not computed in the type that C says");
                        }
                        self.op(Op::LoadTarget(site));
                        let scalar = operand_type(types.left, types.right);
                        self.op(Op::Update {
                            operator: *operator,
                            target: target.scalar,
                            left: types.left,
                            scalar,
                            computed_in: *computed_in,
                        });
                        self.op(Op::Store(site));
                    }
                    Store::Reduce { operator, init } => {
                        let starts = !accumulates(target, init);
                        if starts {
                            self.typed(init, target.scalar)?;
                            self.starts[self.sites[site].slot] = true;
                        }
                        self.typed(value, target.scalar)?;
                        self.op(Op::Reduce { site, operator: *operator, starts });
                    }
                }
                Ok(())
            }
            Node::Declaration(declaration) => {
                self.at = declaration.at;
                let variable = self.variable(declaration.variable)?;
                self.extents(declaration.variable)?;
                self.op(Op::Allocate { variable: declaration.variable, private: false, fill: None });
                if let Some(value) = &declaration.value {
                    if variable != 0 {
                        return self.wrong("an array has a value");
                    }
                    let Some(slot) = self.slots.whole(declaration.variable) else {
                        return self.wrong("a structure has a value");
                    };
                    let site = self.site(None, slot);
                    self.op(Op::Address(site));
                    self.typed(value, self.slots.list[slot].scalar)?;
                    self.op(Op::Store(site));
                }
                Ok(())
            }
            Node::Break(at) => {
                self.at = *at;
                let jump = self.op(Op::Jump(0));
                match self.breaks.last_mut() {
                    Some(breaks) => breaks.push(jump),
                    None => return self.wrong("`break` is in no loop, or leaves a parallel one"),
                }
                Ok(())
            }
            Node::Private(private) => {
                self.at = private.at;
                self.variable(private.variable)?;
                self.extents(private.variable)?;
                let scalar = self.region.variable(private.variable).scalar;
                let mut fill = None;
                if let Some(operator) = private.operator {
                    let identity = operators::identity(operator, scalar);
                    fill = identity.and_then(|identity| value::literal(&identity.kind, identity.scalar));
                    if fill.is_none() {
                        return self.wrong(format!("\"{operator}\" has no identity of {scalar}"));
                    }
                }
                self.op(Op::Allocate { variable: private.variable, private: true, fill });
                Ok(())
            }
            Node::ReduceDimension(reduce) => {
                self.at = reduce.at;
                self.reduce_dimension(reduce)
            }
        }
    }

    /// The rank of a variable that exists.
    fn variable(&self, variable: VariableId) -> Result<usize, Located> {
        match self.region.variables.get(variable.0) {
            Some(variable) => Ok(variable.extents.len()),
            None => self.wrong("a variable does not exist"),
        }
    }

    fn extents(&mut self, variable: VariableId) -> Compiled {
        let region = self.region;
        for extent in &region.variable(variable).extents {
            let Some(extent) = extent else {
                return self.wrong("memory of a body has an extent that is not known");
            };
            self.addressing(|compiler| compiler.integer(extent, 0))?;
        }
        Ok(())
    }

    fn counted(&mut self, node: &'t Node, nest: &'t Loop) -> Compiled {
        self.at = nest.at;
        if self.variable(nest.iterator)? != 0 {
            return self.wrong("an iterator is an array");
        }
        let scalar = self.region.variable(nest.iterator).scalar;
        if !matches!(scalar, Scalar::Integer { .. }) {
            return self.wrong("an iterator is not an integer");
        }
        let slot = if nest.declares { None } else { self.slots.whole(nest.iterator) };
        let parallel = nest.parallel && self.interleaved;
        self.addressing(|compiler| compiler.typed(&nest.lower, scalar))?;
        let (vector, transposed) = (vectors::operations(nest), vectors::transposed(nest));
        self.op(Op::Enter { nest, slot, vector, transposed });
        self.iterators.push(nest.iterator);
        let head = self.here();
        self.addressing(|compiler| compiler.expression(&nest.condition, 0))?;
        let exit = self.op(Op::JumpUnless(0));
        if parallel {
            self.op(Op::Gather);
            self.step(nest, scalar)?;
            self.op(Op::Jump(head));
            self.land(exit);
            let fork = self.op(Op::Fork(0));
            // A break would leave the task's own code.
            let outer = std::mem::take(&mut self.breaks);
            self.body(&nest.body)?;
            self.breaks = outer;
            self.op(Op::End);
            self.land(fork);
        } else {
            self.breaks.push(Vec::new());
            self.body(&nest.body)?;
            (self.at, self.node, self.depth) = (nest.at, Some(node), self.iterators.len() - 1);
            self.step(nest, scalar)?;
            self.op(Op::Jump(head));
            self.land(exit);
            for jump in self.breaks.pop().unwrap_or_default() {
                self.land(jump);
            }
        }
        self.at = nest.at;
        self.iterators.pop();
        self.op(Op::Leave { slot });
        Ok(())
    }

    fn step(&mut self, nest: &'t Loop, scalar: Scalar) -> Compiled {
        self.addressing(|compiler| compiler.integer(&nest.step, 0))?;
        self.op(Op::Next { scalar });
        Ok(())
    }

    fn reduce_dimension(&mut self, reduce: &'t ReduceDimension) -> Compiled {
        let rank = self.variable(reduce.source)?;
        let index = matches!(reduce.operator, ReductionOperator::ArgMin | ReductionOperator::ArgMax);
        let mapped = |rank: usize, mapped: usize| mapped < rank && mapped != reduce.dimension;
        let fits = reduce.dimension < rank
            && reduce.indices.len() == reduce.dimension
            && reduce.ranges.len() == rank - reduce.dimension - 1
            && reduce.mapped.iter().all(|dimension| mapped(rank, *dimension))
            && !matches!(reduce.operator, ReductionOperator::First | ReductionOperator::Last)
            && !(index && (reduce.init.is_some() || reduce.target.is_none()));
        if !fits {
            return self.wrong("the reduction of a dimension does not fit its source");
        }
        let Some(source_slot) = self.slots.whole(reduce.source) else {
            return self.wrong("the dimension of a structure is reduced");
        };
        let source = self.site(None, source_slot);
        let mut target = None;
        if let Some(variable) = reduce.target {
            let same_rank = self.variable(variable)? == reduce.mapped.len();
            let Some(slot) = self.slots.whole(variable).filter(|_| same_rank) else {
                return self.wrong("the target of a reduced dimension is not of its rank");
            };
            let (from, to) = (self.slots.list[source_slot].scalar, self.slots.list[slot].scalar);
            if if index { !matches!(to, Scalar::Integer { .. }) } else { from != to } {
                return self.wrong("the target of a reduced dimension is not of its type");
            }
            target = Some(self.site(None, slot));
        }
        if let Some(init) = &reduce.init {
            self.typed(init, self.slots.list[source_slot].scalar)?;
        }
        for index in &reduce.indices {
            self.addressing(|compiler| compiler.integer(index, 0))?;
        }
        for (begin, end) in reduce.ranges.iter().flatten() {
            self.addressing(|compiler| compiler.integer(begin, 0))?;
            self.addressing(|compiler| compiler.integer(end, 0))?;
        }
        self.op(Op::ReduceDimension { reduce, source, target });
        Ok(())
    }

    fn site(&mut self, reference: Option<&'t Reference>, slot: usize) -> usize {
        self.sites.push(Site { node: self.node, reference, slot, depth: self.depth });
        self.sites.len() - 1
    }

    /// Leaves the number of a reference's cell on the stack.
    fn address(&mut self, reference: &'t Reference, depth: usize) -> Result<usize, Located> {
        let outer = self.at;
        if reference.at != Position::default() {
            self.at = reference.at;
        }
        for step in &reference.path {
            if let Step::Index(subscript) = step {
                self.addressing(|compiler| compiler.integer(subscript, depth + 1))?;
            }
        }
        let Some(slot) = self.slots.find(reference) else {
            return self.wrong("a reference has no memory");
        };
        let site = self.site(Some(reference), slot);
        self.op(Op::Address(site));
        self.at = outer;
        Ok(site)
    }

    fn typed(&mut self, expression: &'t Expression, scalar: Scalar) -> Compiled {
        if expression.scalar != scalar {
            return self.wrong(format!("a value is {}, where {scalar} is needed", expression.scalar));
        }
        self.expression(expression, 0)
    }

    fn integer(&mut self, expression: &'t Expression, depth: usize) -> Compiled {
        if !expression.scalar.is_integer() {
            return self.wrong(format!("a value is {}, where an integer is needed", expression.scalar));
        }
        self.expression(expression, depth)
    }

    fn expression(&mut self, expression: &'t Expression, depth: usize) -> Compiled {
        if depth > MAXIMUM_DEPTH {
            return self.wrong(format!("the expression is more than {MAXIMUM_DEPTH} deep"));
        }
        match &expression.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Imaginary(_) => {
                let Some(value) = value::literal(&expression.kind, expression.scalar) else {
                    return self.wrong("a number has no value");
                };
                self.op(Op::Push(value));
            }
            ExpressionKind::Iterator(variable) => match self.loop_of(*variable) {
                Some(depth) => {
                    self.op(Op::Iterator(depth));
                }
                None => return self.wrong("an iterator is not of a loop around"),
            },
            ExpressionKind::Read(reference) => {
                if reference.scalar != expression.scalar {
                    return self.wrong("a read is not of its reference's type");
                }
                if let Some(depth) = self.loop_of(reference.variable).filter(|_| reference.path.is_empty()) {
                    self.op(Op::Iterator(depth));
                } else {
                    let site = self.address(reference, depth)?;
                    let load = self.op(Op::Load(site));
                    if reference.at != Position::default() {
                        self.instructions[load].at = reference.at;
                    }
                }
            }
            ExpressionKind::Unary(operator, operand) => {
                self.expression(operand, depth + 1)?;
                self.op(Op::Unary(*operator, operand.scalar));
            }
            ExpressionKind::Binary(operator, left, right) => {
                self.expression(left, depth + 1)?;
                if matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr) {
                    return self.short(*operator == BinaryOperator::LogicalOr, right, depth);
                }
                self.expression(right, depth + 1)?;
                self.op(Op::Binary(*operator, operand_type(left.scalar, right.scalar)));
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                self.expression(condition, depth + 1)?;
                let skip = self.op(Op::JumpUnless(0));
                self.expression(then, depth + 1)?;
                let end = self.op(Op::Jump(0));
                self.land(skip);
                self.expression(otherwise, depth + 1)?;
                self.land(end);
            }
            ExpressionKind::Cast(operand) => {
                self.expression(operand, depth + 1)?;
                self.op(Op::Convert { from: operand.scalar, to: expression.scalar });
            }
            ExpressionKind::Call(name, arguments) => {
                for argument in arguments {
                    self.expression(argument, depth + 1)?;
                }
                let types = arguments.iter().map(|argument| argument.scalar).collect();
                self.op(Op::Call { name, types, scalar: expression.scalar });
            }
        }
        Ok(())
    }

    /// `&&` or `||`, whose left side is on the stack: the right one is evaluated only if it decides.
    fn short(&mut self, or: bool, right: &'t Expression, depth: usize) -> Compiled {
        let unless = self.op(Op::JumpUnless(0));
        if or {
            self.op(Op::Push(Value::Integer(1)));
        } else {
            self.expression(right, depth + 1)?;
            self.op(Op::Truth);
        }
        let end = self.op(Op::Jump(0));
        self.land(unless);
        if or {
            self.expression(right, depth + 1)?;
            self.op(Op::Truth);
        } else {
            self.op(Op::Push(Value::Integer(0)));
        }
        self.land(end);
        Ok(())
    }

    fn loop_of(&self, variable: VariableId) -> Option<usize> {
        self.iterators.iter().rposition(|iterator| *iterator == variable)
    }
}

/// The type in which a binary operator computes: the left operand's, or the complex one's.
fn operand_type(left: Scalar, right: Scalar) -> Scalar {
    if matches!(right, Scalar::Complex { .. }) { right } else { left }
}

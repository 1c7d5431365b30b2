//! Whether a tree is well formed: names, scopes, ranks, types, and what each construct asks for.

use std::collections::HashMap;

use crate::ir::convert;
use crate::ir::located::Located;
use crate::ir::operators;
use crate::ir::types::Scalar;
use crate::ir::{
    BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Pairing, Position, Private,
    ReduceDimension, ReductionOperator, Reference, Region, Statement, Step, Storage, Store, VariableId,
};

/// How deep expressions may be.
pub const MAXIMUM_DEPTH: usize = 200;

/// How many bodies of loops and guards may be in each other.
pub const MAXIMUM_NESTING: usize = 100;

/// How many dimensions an array may have.
pub const MAXIMUM_RANK: usize = 64;

/// Checks a tree.
///
/// Names are unique in their scope, references have as many subscripts as dimensions, and all conversions of C are
/// in the tree: what [`convert::operator_types`] says of an operator's operands holds.
///
/// # Errors
///
/// The first thing that is wrong, in the order of the tree.
pub fn verify(region: &Region) -> Result<(), Located> {
    verified(region, false)
}

/// As [`verify`], of a region between passes: a `break` may leave a parallel loop, which has no private copies yet, and subscripts
/// may be wider than their types, where compilers shall know that nothing wraps around.
///
/// # Errors
///
/// See [`verify`].
pub(crate) fn verify_between_passes(region: &Region) -> Result<(), Located> {
    verified(region, true)
}

fn verified(region: &Region, is_between_passes: bool) -> Result<(), Located> {
    let mut verifier = Verifier {
        region,
        is_between_passes,
        visible: vec![false; region.variables.len()],
        names: HashMap::new(),
        loops: Vec::new(),
        calls: HashMap::new(),
        members: HashMap::new(),
        structures: HashMap::new(),
        at: region.at,
        nesting: 0,
    };
    verifier.region()
}

/// Why a string cannot be a name.
pub fn name_problem(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("a name is empty")
    } else if name.chars().any(|character| character.is_control() || character == '`') {
        Some("a name has a backquote or a control character")
    } else {
        None
    }
}

/// A number of things.
fn count(number: usize, thing: &str) -> String {
    match (number, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "index") => format!("{number} indices"),
        _ => format!("{number} {thing}s"),
    }
}

struct Verifier<'r> {
    /// See [`verify_between_passes`].
    is_between_passes: bool,
    region: &'r Region,
    /// For each variable whether it may be named here.
    visible: Vec<bool>,
    names: HashMap<&'r str, VariableId>,
    /// The loops around: iterators, and whether they are parallel.
    loops: Vec<(VariableId, bool)>,
    /// Functions that are called, and whether their types are those that the notation knows.
    calls: HashMap<&'r str, (Vec<Scalar>, Scalar, bool)>,
    /// Members of structures: the shape and the type of their first reference.
    members: HashMap<Members<'r>, (Vec<bool>, Scalar)>,
    /// Whether a variable is used as a structure.
    structures: HashMap<VariableId, bool>,
    /// The place of the statement that is checked.
    at: Position,
    nesting: usize,
}

/// The members behind a variable.
type Members<'r> = (VariableId, Vec<&'r str>);

type Checked = Result<(), Located>;

impl<'r> Verifier<'r> {
    fn wrong(&self, what: impl Into<String>, hint: impl Into<String>) -> Checked {
        Err(Located::new(self.at, what, hint))
    }

    fn name(&self, variable: VariableId) -> &'r str {
        self.region.variables.get(variable.0).map_or("?", |variable| variable.name.as_str())
    }

    fn region(&mut self) -> Checked {
        let region = self.region;
        if let Some(problem) = name_problem(&region.function) {
            return self.wrong(format!("the function: {problem}"), "give it a name");
        }
        for (index, variable) in region.variables.iter().enumerate() {
            if let Some(problem) = name_problem(&variable.name) {
                return self.wrong(format!("variable {index}: {problem}"), "give it another name");
            }
            if variable.declared_type.chars().any(char::is_control) {
                let what = format!("the type of `{}` has a control character", variable.name);
                return self.wrong(what, "write it in one line");
            }
            if variable.extents.len() > MAXIMUM_RANK {
                let what = format!("`{}` has more than {MAXIMUM_RANK} dimensions", variable.name);
                return self.wrong(what, "join some of them");
            }
            self.scalar(variable.scalar)?;
            if variable.storage != Storage::Region {
                self.declare(VariableId(index))?;
            }
        }
        for variable in region.variables.iter().filter(|variable| variable.storage != Storage::Region) {
            for extent in variable.extents.iter().flatten() {
                self.sizes_only(extent, &variable.name)?;
                self.integer(extent, "an extent")?;
            }
        }
        self.body(&region.body)
    }

    /// The extents of a parameter are made of constants and of parameters that are integers.
    fn sizes_only(&self, extent: &Expression, name: &str) -> Checked {
        let mut wrong = false;
        extent.visit_reads(&mut |reference| {
            let variable = self.region.variables.get(reference.variable.0);
            wrong |= variable.is_none_or(|variable| {
                !variable.extents.is_empty()
                    || !variable.scalar.is_integer()
                    || variable.storage == Storage::Region
            });
        });
        let what = format!("an extent of `{name}` reads what is not a size");
        if wrong { self.wrong(what, "extents are made of numbers and integer parameters") } else { Ok(()) }
    }

    fn scalar(&self, scalar: Scalar) -> Checked {
        let known = match scalar {
            Scalar::Bool | Scalar::Half(_) => true,
            Scalar::Integer { bits, .. } => matches!(bits, 8 | 16 | 32 | 64 | 128),
            Scalar::Float { bits } | Scalar::Complex { bits } => matches!(bits, 32 | 64),
        };
        if known { Ok(()) } else { self.wrong(format!("there is no type {scalar}"), "see `Scalar`") }
    }

    // Names.

    /// Makes a variable visible.
    fn declare(&mut self, variable: VariableId) -> Checked {
        let Some(declared) = self.region.variables.get(variable.0) else {
            return self
                .wrong("a declared variable is not in the region's list", "add it with `Region::add`");
        };
        if self.names.insert(&declared.name, variable).is_some() {
            let what = format!("`{}` is declared already", declared.name);
            return self.wrong(what, "choose another name");
        }
        self.visible[variable.0] = true;
        Ok(())
    }

    /// Makes a variable of a body visible up to the end of the body.
    fn declare_in_body(&mut self, variable: VariableId, scope: &mut Vec<VariableId>) -> Checked {
        self.declare(variable)?;
        scope.push(variable);
        if self.region.variable(variable).storage == Storage::Region {
            return Ok(());
        }
        let what =
            format!("`{}` is declared in a body, but not a variable of the region", self.name(variable));
        self.wrong(what, "its storage is `Storage::Region`")
    }

    fn leave(&mut self, scope: Vec<VariableId>) {
        for variable in scope {
            self.names.remove(self.name(variable));
            self.visible[variable.0] = false;
        }
    }

    fn visible(&self, variable: VariableId) -> Checked {
        if self.visible.get(variable.0).copied().unwrap_or_default() {
            return Ok(());
        }
        let what = format!("`{}` is not declared here", self.name(variable));
        self.wrong(what, "declare it as a parameter or in a body around its use")
    }

    fn is_iterator(&self, variable: VariableId) -> bool {
        self.loops.iter().any(|(iterator, _)| *iterator == variable)
    }

    // Nodes.

    fn body(&mut self, nodes: &'r [Node]) -> Checked {
        if self.nesting > MAXIMUM_NESTING {
            return self.wrong(
                format!("more than {MAXIMUM_NESTING} bodies in each other"),
                "join loops or conditions",
            );
        }
        self.nesting += 1;
        let mut scope = Vec::new();
        for node in nodes {
            self.node(node, &mut scope)?;
        }
        self.leave(scope);
        self.nesting -= 1;
        Ok(())
    }

    fn node(&mut self, node: &'r Node, scope: &mut Vec<VariableId>) -> Checked {
        match node {
            Node::Loop(nest) => {
                self.at = nest.at;
                self.counted(nest)
            }
            Node::If(guard) => {
                self.at = guard.at;
                self.expression(&guard.condition, 0)?;
                self.body(&guard.then)?;
                self.body(&guard.otherwise)
            }
            Node::Statement(statement) => {
                self.at = statement.at;
                self.statement(statement)
            }
            Node::Declaration(declaration) => {
                self.at = declaration.at;
                self.declaration(declaration, scope)
            }
            Node::Break(at) => {
                self.at = *at;
                match self.loops.last() {
                    None => self.wrong("`break` is in no loop", "put it into the loop that it leaves"),
                    Some((_, true)) if !self.is_between_passes => {
                        let what = "`break` leaves a parallel loop";
                        self.wrong(what, "its other iterations may run already: make it a `for`")
                    }
                    Some(_) => Ok(()),
                }
            }
            Node::Private(private) => {
                self.at = private.at;
                self.private(private, scope)
            }
            Node::ReduceDimension(reduce) => {
                self.at = reduce.at;
                self.reduce_dimension(reduce)
            }
        }
    }

    fn counted(&mut self, nest: &'r Loop) -> Checked {
        let mut scope = Vec::new();
        self.expression(&nest.lower, 0)?;
        if nest.declares {
            self.declare_in_body(nest.iterator, &mut scope)?;
        } else {
            self.visible(nest.iterator)?;
        }
        let iterator = self.region.variable(nest.iterator);
        let name = &iterator.name;
        if !iterator.extents.is_empty() || !matches!(iterator.scalar, Scalar::Integer { .. }) {
            return self.wrong(format!("the iterator `{name}` is not an integer"), "declare it as `index`");
        }
        if self.is_iterator(nest.iterator) {
            return self
                .wrong(format!("`{name}` is the iterator of a loop around this one"), "use another one");
        }
        if nest.lower.scalar != iterator.scalar {
            let what =
                format!("`{name}` is {}, and starts from a value of {}", iterator.scalar, nest.lower.scalar);
            return self.wrong(what, "convert the value");
        }
        self.integer(&nest.step, "the step")?;
        if matches!(nest.step.kind, ExpressionKind::Integer(0)) {
            return self.wrong(format!("the step of `{name}` is 0"), "the loop would not end");
        }
        self.loops.push((nest.iterator, nest.parallel));
        self.expression(&nest.condition, 0)?;
        self.body(&nest.body)?;
        self.loops.pop();
        self.leave(scope);
        Ok(())
    }

    fn declaration(&mut self, declaration: &'r Declaration, scope: &mut Vec<VariableId>) -> Checked {
        if let Some(value) = &declaration.value {
            self.expression(value, 0)?;
        }
        self.extents_in_body(declaration.variable)?;
        self.declare_in_body(declaration.variable, scope)?;
        let variable = self.region.variable(declaration.variable);
        match &declaration.value {
            Some(_) if !variable.extents.is_empty() => {
                let what = format!("`{}` has dimensions and a value", variable.name);
                self.wrong(what, "set its elements in a loop")
            }
            Some(value) => self.same("the value", value.scalar, &variable.name, variable.scalar),
            None => Ok(()),
        }
    }

    fn private(&mut self, private: &'r Private, scope: &mut Vec<VariableId>) -> Checked {
        self.extents_in_body(private.variable)?;
        self.declare_in_body(private.variable, scope)?;
        let variable = self.region.variable(private.variable);
        if variable.extents.is_empty() {
            let what = format!("the private memory `{}` has no dimension", variable.name);
            return self.wrong(what, "give it one for each loop that it is private to");
        }
        let Some(operator) = private.operator else { return Ok(()) };
        if operators::identity(operator, variable.scalar).is_some() {
            return Ok(());
        }
        let what = format!("\"{operator}\" has no identity of {}", variable.scalar);
        self.wrong(what, "private memory is filled with the identity of +, *, min, max, &, |, ^, && or ||")
    }

    fn extents_in_body(&mut self, variable: VariableId) -> Checked {
        let Some(variable) = self.region.variables.get(variable.0) else {
            return self
                .wrong("a declared variable is not in the region's list", "add it with `Region::add`");
        };
        for extent in &variable.extents {
            match extent {
                Some(extent) => self.integer(extent, "an extent")?,
                None => {
                    let what = format!("an extent of `{}` is not known", variable.name);
                    return self.wrong(what, "memory of a body has all its extents");
                }
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &'r Statement) -> Checked {
        let target = &statement.target;
        self.reference(target, 0)?;
        let name = self.name(target.variable);
        if self.is_iterator(target.variable) {
            return self
                .wrong(format!("`{name}` is the iterator of a loop"), "only the loop changes its iterator");
        }
        self.expression(&statement.value, 0)?;
        let value = statement.value.scalar;
        match &statement.store {
            Store::Assign => self.same("the value", value, name, target.scalar),
            Store::Update { operator, computed_in } => {
                self.update(*operator, *computed_in, target.scalar, value)
            }
            Store::Reduce { operator, init } => {
                use ReductionOperator::{ArgMax, ArgMin, First, Last};
                if matches!(operator, ArgMin | ArgMax | First | Last) {
                    let what = format!("\"{operator}\" needs the place of each value");
                    return self.wrong(what, "`reduce` has the operators +, *, min, max, &, |, ^, && and ||");
                }
                self.applies(*operator, target.scalar)?;
                self.expression(init, 0)?;
                self.same("the value", value, name, target.scalar)?;
                self.same("the initial value", init.scalar, name, target.scalar)
            }
        }
    }

    fn update(
        &self,
        operator: BinaryOperator,
        computed_in: Scalar,
        target: Scalar,
        value: Scalar,
    ) -> Checked {
        let symbol = operator.symbol();
        if operator.is_comparison()
            || matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
        {
            return self
                .wrong(format!("`{symbol}` cannot update"), "updates are += -= *= /= %= <<= >>= &= |= ^=");
        }
        match convert::operator_types(operator, target, value) {
            Some(types) if types.right == value && types.result == computed_in => Ok(()),
            Some(types) => {
                let what = format!(
                    "`{symbol}=` of {target} and {value} is computed in {}, not in {computed_in}",
                    types.result
                );
                self.wrong(what, "convert the value")
            }
            None => self
                .wrong(format!("`{symbol}=` is not defined for {target} and {value}"), "convert the value"),
        }
    }

    fn applies(&self, operator: ReductionOperator, scalar: Scalar) -> Checked {
        if operators::applies(operator, scalar) {
            return Ok(());
        }
        let what = format!("\"{operator}\" does not reduce {scalar}");
        self.wrong(what, "bits are of integers, an order is of real numbers, sums are not of bool")
    }

    fn same(&self, what: &str, scalar: Scalar, name: &str, wanted: Scalar) -> Checked {
        if scalar == wanted {
            return Ok(());
        }
        self.wrong(format!("{what} is {scalar}, and `{name}` is {wanted}"), "convert the value")
    }

    fn reduce_dimension(&mut self, reduce: &'r ReduceDimension) -> Checked {
        self.visible(reduce.source)?;
        let source = self.region.variable(reduce.source);
        let (rank, dimension) = (source.extents.len(), reduce.dimension);
        let name = &source.name;
        if dimension >= rank {
            let what = format!("`{name}` has {}, and no dimension {dimension}", count(rank, "dimension"));
            return self.wrong(what, "dimensions are counted from 0");
        }
        if reduce.indices.len() != dimension {
            let (given, before) = (count(reduce.indices.len(), "index"), count(dimension, "dimension"));
            let what = format!("{given} for the {before} before");
            return self.wrong(what, "give an index for each dimension before the reduced one");
        }
        if reduce.ranges.len() != rank - dimension - 1 {
            let (has, wants) = (reduce.ranges.len(), rank - dimension - 1);
            let what = format!("{} for the {} behind", count(has, "range"), count(wants, "dimension"));
            return self
                .wrong(what, "give a range for each dimension behind the reduced one, or none at all");
        }
        for index in &reduce.indices {
            self.integer(index, "an index")?;
        }
        for (begin, end) in reduce.ranges.iter().flatten() {
            self.integer(begin, "a range's begin")?;
            self.integer(end, "a range's end")?;
        }
        if let Some(init) = &reduce.init {
            self.expression(init, 0)?;
        }
        self.applies(reduce.operator, source.scalar)?;
        if matches!(reduce.operator, ReductionOperator::First | ReductionOperator::Last) {
            let what = format!("\"{}\" is no operator of a dimension", reduce.operator);
            return self.wrong(what, "which iterations have stored a value is not known any more");
        }
        let index = matches!(reduce.operator, ReductionOperator::ArgMin | ReductionOperator::ArgMax);
        if index && reduce.init.is_some() {
            let what = format!("\"{}\" has no initial value", reduce.operator);
            return self.wrong(what, "its target is set to the index of the first such element");
        }
        match reduce.target {
            Some(_) if reduce.pairing != Pairing::InOrder => {
                return self.wrong("a tree has a target", "use `reduce_dimension_inplace`");
            }
            Some(target) => self.reduce_dimension_to(reduce, target, index)?,
            None if index => {
                let what = format!("\"{}\" in place would store an index among the values", reduce.operator);
                return self.wrong(what, "give it a target: `reduce_dimension(target, …)`");
            }
            None if reduce.init.is_some() && reduce.pairing != Pairing::InOrder => {
                return self.wrong("a tree has an initial value", "combine it with the result");
            }
            None if !reduce.mapped.is_empty() => {
                return self.wrong("the form in place has no target to map dimensions to", "leave `map` out");
            }
            None => {}
        }
        match &reduce.init {
            Some(init) => self.same("the initial value", init.scalar, name, source.scalar),
            None => Ok(()),
        }
    }

    fn reduce_dimension_to(
        &mut self,
        reduce: &'r ReduceDimension,
        target: VariableId,
        index: bool,
    ) -> Checked {
        self.visible(target)?;
        let (source, target) = (self.region.variable(reduce.source), self.region.variable(target));
        if reduce.target == Some(reduce.source) {
            let what = format!("`{}` is target and source", source.name);
            return self.wrong(what, "use `reduce_dimension_inplace`");
        }
        if self.is_iterator(reduce.target.unwrap_or(reduce.source)) {
            let what = format!("`{}` is the iterator of a loop", target.name);
            return self.wrong(what, "only the loop changes its iterator");
        }
        if reduce.mapped.len() != target.extents.len() {
            let what = format!(
                "{} of the source mapped to the {} of `{}`",
                count(reduce.mapped.len(), "dimension"),
                target.extents.len(),
                target.name
            );
            return self.wrong(what, "name the dimensions of the source that index the target: `map [0, 2]`");
        }
        for (place, mapped) in reduce.mapped.iter().enumerate() {
            if *mapped >= source.extents.len()
                || *mapped == reduce.dimension
                || reduce.mapped[..place].contains(mapped)
            {
                let what = format!("dimension {mapped} of `{}` cannot index the target", source.name);
                return self.wrong(what, "each mapped dimension is another one, and not the reduced one");
            }
        }
        let behind = reduce.dimension + 1;
        for (place, range) in reduce.ranges.iter().enumerate() {
            let constant = |expression: &Expression, wanted| matches!(expression.kind, ExpressionKind::Integer(value) if value == wanted);
            if let Some((begin, end)) = range
                && !reduce.mapped.contains(&(behind + place))
                && !(constant(begin, 0) && constant(end, 1))
            {
                let what =
                    format!("dimension {} of `{}` does not index the target", behind + place, source.name);
                return self.wrong(what, "only its index 0 is read: its range is 0 to 1");
            }
        }
        if index {
            if matches!(target.scalar, Scalar::Integer { .. }) {
                return Ok(());
            }
            let what = format!(
                "\"{}\" stores an index, and `{}` is {}",
                reduce.operator, target.name, target.scalar
            );
            return self.wrong(what, "its target is of an integer type");
        }
        self.same(&format!("`{}`", source.name), source.scalar, &target.name, target.scalar)
    }

    // Expressions.

    fn integer(&mut self, expression: &'r Expression, what: &str) -> Checked {
        self.expression(expression, 0)?;
        if expression.scalar.is_integer() {
            return Ok(());
        }
        self.wrong(format!("{what} is {}", expression.scalar), "convert it: `i64(…)`")
    }

    fn reference(&mut self, reference: &'r Reference, depth: usize) -> Checked {
        let outer = self.at;
        if reference.at != Position::default() {
            self.at = reference.at;
        }
        self.visible(reference.variable)?;
        let variable = self.region.variable(reference.variable);
        let name = &variable.name;
        let steps = &reference.path;
        let leading = steps.iter().position(|step| matches!(step, Step::Member(_))).unwrap_or(steps.len());
        let rank = variable.extents.len();
        if leading != rank {
            let (rank_text, given) = (count(rank, "dimension"), count(leading, "subscript"));
            let what = format!("`{name}` has {rank_text}, and is given {given}");
            let hint = if rank == 0 { "it is a scalar" } else { "give one for each dimension" };
            return self.wrong(what, hint);
        }
        for subscript in reference.subscripts() {
            self.expression(subscript, depth + 1)?;
            if !subscript.scalar.is_integer() {
                let what = format!("a subscript of `{name}` is {}", subscript.scalar);
                return self.wrong(what, "convert it: `i64(…)`");
            }
        }
        self.scalar(reference.scalar)?;
        let members: Vec<&str> = reference.members().collect();
        if let Some(problem) = members.iter().find_map(|member| name_problem(member)) {
            return self.wrong(format!("a member of `{name}`: {problem}"), "give it another name");
        }
        let shape: Vec<bool> = steps[leading..].iter().map(|step| matches!(step, Step::Member(_))).collect();
        let whole = members.is_empty();
        if whole {
            self.same("the reference", reference.scalar, name, variable.scalar)?;
        }
        let seen =
            self.members.entry((reference.variable, members)).or_insert((shape.clone(), reference.scalar));
        if *seen != (shape, reference.scalar) {
            return self
                .wrong(format!("members of `{name}` have two types or ranks"), "references agree on both");
        }
        if *self.structures.entry(reference.variable).or_insert(!whole) == whole {
            return self.wrong(format!("`{name}` is a structure, and used as a whole"), "name a member");
        }
        self.at = outer;
        Ok(())
    }

    fn expression(&mut self, expression: &'r Expression, depth: usize) -> Checked {
        if depth > MAXIMUM_DEPTH {
            let what = format!("the expression is more than {MAXIMUM_DEPTH} deep");
            return self.wrong(what, "name parts of it by declarations");
        }
        let scalar = expression.scalar;
        self.scalar(scalar)?;
        match &expression.kind {
            ExpressionKind::Integer(value) if convert::fits(*value, scalar) => Ok(()),
            ExpressionKind::Integer(value) => {
                self.wrong(format!("the number {value} is not a value of {scalar}"), "give it another type")
            }
            ExpressionKind::Float(value) => match scalar {
                Scalar::Float { .. } if convert::float_fits(*value, scalar) => Ok(()),
                _ => self.wrong(format!("the number {value:?} is not a value of {scalar}"), "round it first"),
            },
            ExpressionKind::Imaginary(value) => match scalar {
                Scalar::Complex { bits }
                    if value.is_finite() && convert::float_fits(*value, Scalar::Float { bits }) =>
                {
                    Ok(())
                }
                _ => {
                    self.wrong(format!("the number {value:?}j is not a value of {scalar}"), "round it first")
                }
            },
            ExpressionKind::Iterator(variable) => {
                if !self.is_iterator(*variable) {
                    let what = format!("`{}` is not the iterator of a loop around", self.name(*variable));
                    return self.wrong(what, "read it as a variable");
                }
                self.typed(scalar == self.region.variable(*variable).scalar, "an iterator", scalar)
            }
            ExpressionKind::Read(reference) => {
                self.reference(reference, depth)?;
                if self.is_iterator(reference.variable) {
                    let what =
                        format!("`{}` is read as a variable in its own loop", self.name(reference.variable));
                    return self.wrong(what, "there it is `ExpressionKind::Iterator`");
                }
                self.typed(scalar == reference.scalar, "a read", scalar)
            }
            ExpressionKind::Unary(operator, operand) => {
                self.expression(operand, depth + 1)?;
                let types = convert::unary_types(*operator, operand.scalar);
                let what = format!("`{}` of {}", convert::unary_symbol(*operator), operand.scalar);
                self.typed(types == Some((operand.scalar, scalar)), &what, scalar)
            }
            ExpressionKind::Binary(operator, left, right) => {
                self.expression(left, depth + 1)?;
                self.expression(right, depth + 1)?;
                let types = convert::operator_types(*operator, left.scalar, right.scalar);
                let types = types.map(|types| (types.left, types.right, types.result));
                let what = format!("`{}` of {} and {}", operator.symbol(), left.scalar, right.scalar);
                self.typed(types == Some((left.scalar, right.scalar, scalar)), &what, scalar)
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                for part in [condition, then, otherwise] {
                    self.expression(part, depth + 1)?;
                }
                let types = [then.scalar, otherwise.scalar, convert::common(then.scalar, otherwise.scalar)];
                let what = format!("`?:` of {} and {}", then.scalar, otherwise.scalar);
                self.typed(types == [scalar; 3], &what, scalar)
            }
            ExpressionKind::Cast(operand) => self.expression(operand, depth + 1),
            ExpressionKind::Call(name, arguments) => {
                for argument in arguments {
                    self.expression(argument, depth + 1)?;
                }
                self.call(name, arguments, scalar)
            }
        }
    }

    fn typed(&self, right: bool, what: &str, scalar: Scalar) -> Checked {
        if right || self.is_between_passes {
            return Ok(());
        }
        self.wrong(
            format!("{what} is not {scalar}"),
            "C's conversions are `ExpressionKind::Cast` in the tree",
        )
    }

    /// A function has the same types in all calls, unless the notation knows it for several.
    fn call(&mut self, name: &'r str, arguments: &[Expression], scalar: Scalar) -> Checked {
        if let Some(problem) = name_problem(name) {
            return self.wrong(format!("a function: {problem}"), "give it a name");
        }
        let types: Vec<Scalar> = arguments.iter().map(|argument| argument.scalar).collect();
        let known = convert::known_signature(name, &types) == Some((types.clone(), scalar));
        let here = (types, scalar, known);
        let first = self.calls.entry(name).or_insert_with(|| here.clone());
        if *first == here || first.2 && known {
            return Ok(());
        }
        self.wrong(format!("`{name}` is called with two lists of types"), "a function of C has one")
    }
}

//! The loop tree as C, its parallel loops with OpenMP's directives; `device` has those for a device.
//!
//! Private memory is allocated, and freed at the end of its body. A guard whose branch begins with private memory is taken
//! only if there is enough of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use super::{openmp, types};
use crate::annotations::{declared_reductions, reduction_identifier, replaces};
use crate::ir::arithmetic::constant;
use crate::ir::types::Scalar;
use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, If, Loop, LoopAttributes, LoopId, Node, Pairing, Position,
    Private, ReductionOperator, Reference, Region, Statement, Step, Store, UnaryOperator, Variable,
    VariableId,
};
use crate::transform::schedule::{Mark, Schedule};

/// The name of a function that the printer knows: see [`Printer::elements_to_alignment`].
pub(crate) const ELEMENTS_TO_ALIGNMENT: &str = "elements_to_alignment";

/// Whether a region is C without directives: no private memory, no reductions that run in parallel, and none of
/// dimensions.
pub fn is_printable(region: &Region) -> bool {
    fn all(nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Loop(looped) => all(&looped.body),
            Node::If(guard) => all(&guard.then) && all(&guard.otherwise),
            Node::Statement(statement) => !matches!(statement.store, Store::Reduce { .. }),
            Node::Declaration(_) | Node::Break(_) => true,
            Node::Private(_) | Node::ReduceDimension(_) => false,
        })
    }
    all(&region.body)
}

/// Prints a region's body, each line indented by so many columns.
pub fn print(region: &Region, indent: usize) -> String {
    print_lines(region, indent, None)
}

/// An expression of a region.
pub fn value(region: &Region, expression: &Expression) -> String {
    printer(region, None).value(expression)
}

/// A use of variables that nothing uses any more, so that compilers do not warn of them.
pub(crate) fn use_of(names: &[String]) -> String {
    names.iter().map(|name| format!("(void) {name}")).collect::<Vec<_>>().join(", ")
}

pub(super) fn printer<'r>(region: &'r Region, file: Option<&'r str>) -> Printer<'r> {
    Printer {
        region,
        out: String::new(),
        clauses: Vec::new(),
        parallel: 0,
        device: false,
        in_kernel: false,
        covered: 0,
        by_one_thread: false,
        of_regions: BTreeSet::new(),
        of_team: Vec::new(),
        mapped: BTreeSet::new(),
        team_threads: BTreeMap::new(),
        file,
        line: 0,
        names: 0,
    }
}

/// As [`print()`], with `#line` directives that name a file, given as a [`string`] of C.
pub fn print_lines(region: &Region, indent: usize, file: Option<&str>) -> String {
    let mut printer = printer(region, file);
    printer.nodes(&region.body, indent);
    printer.with_reductions(indent)
}

/// A string of C with these bytes, as a `#line` directive has it: all that a compiler, or a terminal, would read as something
/// else is escaped.
pub fn string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                // Two question marks begin a trigraph.
                '"' | '\\' | '?' => text.extend(['\\', c]),
                _ if c.is_control() => {
                    c.to_string().bytes().for_each(|byte| text += &format!("\\{byte:03o}"))
                }
                _ => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| text += &format!("\\{byte:03o}"));
    }
    text + "\""
}

/// How tightly an expression binds, from C's grammar; an operand that binds less gets parentheses.
const SELECT: u8 = 1;
const UNARY: u8 = 12;
const PRIMARY: u8 = 13;

pub(super) struct Printer<'r> {
    pub(super) region: &'r Region,
    pub(super) out: String,
    /// Variables of `reduction` clauses around.
    clauses: Vec<VariableId>,
    /// Parallel loops around.
    parallel: usize,
    /// Whether parallel loops are kernels of a device, and whether the present node is in one.
    pub(super) device: bool,
    pub(super) in_kernel: bool,
    /// Loops that the last directive covers besides its own.
    pub(super) covered: usize,
    /// Whether the present node is executed by one thread of a team: a parallel loop has all of them.
    pub(super) by_one_thread: bool,
    /// The variables that a kernel's loops use which all threads of a team execute.
    pub(super) of_regions: BTreeSet<VariableId>,
    /// The iterators of loops around that one thread of a team executes.
    pub(super) of_team: Vec<VariableId>,
    /// Arrays and structures whose values are on the device.
    pub(super) mapped: BTreeSet<VariableId>,
    /// Threads of the teams of a kernel, by its loop, where it is not OpenMP's choice.
    pub(super) team_threads: BTreeMap<LoopId, u32>,
    /// The file of `#line` directives, and the line that the next one has.
    file: Option<&'r str>,
    line: u32,
    /// Names that were made.
    names: usize,
}

/// Two lines of a cache, as processors read pairs of them.
const BYTES_BETWEEN_COPIES: i128 = 128;

/// The rows of each copy that nobody uses: its first subscripts after those of the copy.
fn rows_between_copies(variable: &Variable) -> i128 {
    let known = |extent: &Option<Expression>| extent.as_ref().and_then(constant).filter(|count| *count > 0);
    let row = variable.extents.iter().skip(2).map(|extent| known(extent).unwrap_or(BYTES_BETWEEN_COPIES));
    let bytes = row.fold(variable.scalar.size() as i128, i128::saturating_mul);
    let bytes = bytes.clamp(1, BYTES_BETWEEN_COPIES);
    (BYTES_BETWEEN_COPIES + bytes - 1) / bytes
}

impl Printer<'_> {
    pub(super) fn name(&self, id: VariableId) -> &str {
        &self.region.variable(id).name
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        loop {
            self.names += 1;
            let unique = format!("{name}_{}", self.names);
            if self.region.variables.iter().all(|variable| variable.name != unique) {
                return unique;
            }
        }
    }

    pub(super) fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "");
        // Before the first directive the line is not known.
        self.line += u32::from(self.line > 0);
    }

    /// What follows is of this line of the source.
    fn at(&mut self, at: Position) {
        if let Some(file) = self.file.filter(|_| at.line > 0 && at.line != self.line) {
            let _ = writeln!(self.out, "#line {} {file}", at.line);
            self.line = at.line;
        }
    }

    pub(super) fn nodes(&mut self, nodes: &[Node], indent: usize) {
        if self.device && !self.in_kernel {
            self.host_nodes(nodes, indent);
            return;
        }
        match self.device && self.by_one_thread {
            true => self.of_one_thread(nodes, indent),
            false => nodes.iter().for_each(|node| self.node(node, indent)),
        }
        let private = nodes.iter().rev().filter_map(|node| match node {
            Node::Private(private) => Some(private.variable),
            _ => None,
        });
        for variable in private {
            let text = format!("__builtin_free({});", self.name(variable));
            self.line(indent, &text);
        }
    }

    /// Private memory: where a condition holds, if there is one.
    pub(super) fn private(&mut self, private: &Private, condition: Option<&str>, indent: usize) {
        let variable = self.region.variable(private.variable);
        let element = match variable.declared_type.as_str() {
            "" => variable.scalar.c_name(),
            written => written,
        };
        let extents: Vec<String> = variable
            .extents
            .iter()
            .map(|extent| extent.as_ref().map_or("1".into(), |extent| self.operand(extent, UNARY)))
            .collect();
        // Copies of two threads in one line of a cache make a histogram three times slower.
        let apart = condition.is_some() && !self.device;
        let mut inner = String::new();
        for (place, extent) in extents.iter().enumerate().skip(1) {
            inner += &match apart && place == 1 {
                true => format!("[{extent} + {}]", rows_between_copies(variable)),
                false => format!("[{extent}]"),
            };
        }
        let name = &variable.name;
        let declared = match inner.is_empty() {
            true => format!("{element} *restrict {name}"),
            false => format!("{element} (*restrict {name}){inner}"),
        };
        let size = format!("__builtin_malloc({} * sizeof *{name})", extents[0]);
        let text = match condition {
            Some(condition) => format!("{declared} = {condition} ? {size} : 0;"),
            None => format!("{declared} = {size};"),
        };
        self.line(indent, &text);
    }

    /// The elements of private memory at first.
    fn filled(&mut self, private: &Private, indent: usize) {
        let variable = self.region.variable(private.variable);
        let identity =
            private.operator.and_then(|operator| crate::ir::operators::identity(operator, variable.scalar));
        let Some(identity) = identity else { return };
        let mut target = variable.name.clone();
        let extents: Vec<String> =
            variable.extents.iter().flatten().map(|extent| self.bound(extent)).collect();
        let mut depth = indent;
        for extent in extents {
            let k = self.fresh("k");
            self.line(depth, &format!("for (long {k} = 0; {k} < {extent}; {k}++)"));
            let _ = write!(target, "[{k}]");
            depth += 2;
        }
        let text = format!("{target} = {};", self.value(&identity));
        self.line(depth, &text);
    }

    /// A guard whose branch begins with private memory.
    fn with_memory(&mut self, guard: &If, indent: usize) {
        let first = |node: &&Node| matches!(node, Node::Declaration(_) | Node::Private(_));
        let head = guard.then.iter().take_while(first).count();
        let (head, rest) = guard.then.split_at(head);
        let condition = self.fresh("is_parallel");
        self.line(indent, "{");
        let text = format!("int {condition} = {};", self.value(&guard.condition));
        self.line(indent + 2, &text);
        let mut memory = Vec::new();
        for node in head {
            match node {
                Node::Private(private) => {
                    self.private(private, Some(&condition), indent + 2);
                    memory.push(private);
                }
                node => self.node(node, indent + 2),
            }
        }
        let names: Vec<_> = memory.iter().map(|private| self.name(private.variable).to_string()).collect();
        self.line(indent + 2, &format!("if ({}) {{", names.join(" && ")));
        match self.device {
            true => self.on_device(&memory, indent + 4, |printer, indent| printer.nodes(rest, indent)),
            false => {
                memory.iter().for_each(|private| self.filled(private, indent + 4));
                self.nodes(rest, indent + 4);
            }
        }
        self.line(indent + 2, "} else {");
        self.nodes(&guard.otherwise, indent + 4);
        self.line(indent + 2, "}");
        // A call takes longer than a short loop.
        self.line(indent + 2, &format!("if ({condition}) {{"));
        for name in names.iter().rev() {
            self.line(indent + 4, &format!("__builtin_free({name});"));
        }
        self.line(indent + 2, "}");
        self.line(indent, "}");
    }

    pub(super) fn node(&mut self, node: &Node, indent: usize) {
        match node {
            Node::Loop(looped) => self.looped(looped, indent),
            Node::If(guard) => {
                self.at(guard.at);
                self.guard(guard, indent);
            }
            Node::Statement(statement) => {
                self.at(statement.at);
                self.statement(statement, indent);
            }
            Node::Declaration(declaration) => {
                if let Some(search) = self.region.searches.get(&declaration.variable) {
                    self.search(declaration.variable, search, indent);
                    return;
                }
                let declared = self.declared(declaration.variable);
                let value = declaration
                    .value
                    .as_ref()
                    .map_or(String::new(), |value| format!(" = {}", self.value(value)));
                self.line(indent, &format!("{declared}{value};"));
            }
            Node::Break(_) => self.line(indent, "break;"),
            Node::Private(private) => {
                self.private(private, None, indent);
                let text = format!("if (!{}) __builtin_abort();", self.name(private.variable));
                self.line(indent, &text);
                self.filled(private, indent);
            }
            Node::ReduceDimension(reduce) => {
                let is_apart = reduce.pairing == Pairing::Neighbours;
                let together = (self.by_one_thread && !is_apart).then_some("parallel for");
                self.reduce_dimension(reduce, together, indent);
            }
        }
    }

    pub(super) fn declared(&self, id: VariableId) -> String {
        let variable = self.region.variable(id);
        let extents: String = variable
            .extents
            .iter()
            .map(|extent| format!("[{}]", extent.as_ref().map_or(String::new(), |extent| self.value(extent))))
            .collect();
        match variable.declared_type.as_str() {
            "" => format!("{} {}{extents}", variable.scalar.c_name(), variable.name),
            written => types::declaration(written, &variable.name),
        }
    }

    /// The directives in front of a loop, one a line.
    fn attributes(&mut self, looped: &Loop, indent: usize) {
        let LoopAttributes { schedules, strategy, marks, simd, hints, pragmas } = &looped.attributes;
        let name = self.name(looped.iterator).to_owned();
        let mut lines: Vec<String> = schedules.iter().flatten().map(Schedule::directive).collect();
        lines.extend(strategy.iter().flatten().map(|asked| format!("#pragma warpfold strategy({asked})")));
        lines.extend(marks.iter().map(|mark| mark.directive(&name)));
        if let Some(simd) = simd {
            let lanes = simd.lanes.map(|lanes| format!(" simdlen({lanes})")).unwrap_or_default();
            let clauses = simd.reductions.iter().map(|(variable, operator)| {
                let variable = self.region.variable(*variable);
                let identifier = reduction_identifier(*operator, variable.scalar);
                format!(" reduction({identifier}: {})", variable.name)
            });
            lines.push(format!("#pragma omp simd{lanes}{}", clauses.collect::<String>()));
        }
        // What clang is told of the loop stands behind OpenMP's directive.
        lines.extend(hints.iter().flat_map(|hint| hint.lines()));
        lines.extend(pragmas.iter().map(|pragma| pragma.text.clone()));
        lines.iter().for_each(|line| self.line(indent, line));
    }

    fn looped(&mut self, looped: &Loop, indent: usize) {
        let kernel = self.device && !self.in_kernel && looped.parallel;
        let keeps = !self.device || self.in_kernel;
        let of_threads = self.device && looped.attributes.has(Mark::Lanes);
        if of_threads && !looped.parallel && self.loads(looped, indent) {
            return;
        }
        // A loop that is parallel and vectorized has one directive for both.
        let both = looped.parallel && looped.attributes == LoopAttributes::of_lanes();
        let parallel = looped.parallel && (looped.attributes.is_empty() || both || of_threads);
        let lanes = if both { " simd" } else { "" };
        let apart = keeps && !of_threads && !(both && (self.parallel == 0 || self.by_one_thread));
        if apart {
            self.attributes(looped, indent);
        }
        let clauses = self.clauses.len();
        let outer = (self.in_kernel, self.by_one_thread, self.covered);
        if parallel {
            if self.covered > 0 {
                self.covered -= 1;
            } else if self.parallel == 0 || self.by_one_thread {
                let found = openmp::reductions(looped);
                self.clauses.extend(found.iter().map(|(id, _)| *id));
                let directive = match (kernel, self.device) {
                    (true, _) => self.kernel(looped),
                    (false, true) => self.together(looped),
                    (false, false) => {
                        let (schedule, values) = (openmp::schedule(looped), self.values(looped, &found));
                        let reductions = self.reductions(looped);
                        format!("#pragma omp parallel for{lanes}{schedule}{reductions}{values}")
                    }
                };
                self.line(indent, &directive);
            }
            self.in_kernel |= kernel;
            self.parallel += 1;
        }
        self.at(looped.at);
        let name = self.name(looped.iterator).to_string();
        let declared = if looped.declares { self.declared(looped.iterator) } else { name.clone() };
        let step = match looped.step.kind {
            ExpressionKind::Integer(1) => format!("{name}++"),
            ExpressionKind::Integer(-1) => format!("{name}--"),
            ExpressionKind::Integer(step) if step < 0 => format!("{name} -= {}", -step),
            _ => format!("{name} += {}", self.value(&looped.step)),
        };
        let header = format!(
            "for ({declared} = {}; {}; {step}) {{",
            self.value(&looped.lower),
            self.value(&looped.condition)
        );
        self.line(indent, &header);
        let of_team = self.of_team.len();
        if self.by_one_thread && !parallel && looped.declares {
            self.of_team.push(looped.iterator);
        }
        self.nodes(&looped.body, indent + 2);
        self.of_team.truncate(of_team);
        self.line(indent, "}");
        if parallel {
            self.parallel -= 1;
        }
        if kernel {
            self.of_regions.clear();
        }
        (self.in_kernel, self.by_one_thread, self.covered) = outer;
        self.clauses.truncate(clauses);
    }

    /// What was printed, behind the reductions that are not OpenMP's own.
    pub(super) fn with_reductions(self, indent: usize) -> String {
        let declared = declared_reductions(&self.out).map(|text| format!("{:indent$}{text}\n", ""));
        declared.collect::<String>() + &self.out
    }

    /// The `reduction` clauses of a parallel loop: of scalars, and of what it finds.
    pub(super) fn reductions(&self, looped: &Loop) -> String {
        let scalars = openmp::reductions(looped).into_iter();
        let scalars = scalars.map(|(id, operator)| {
            let identifier = reduction_identifier(operator, self.region.variable(id).scalar);
            format!(" reduction({identifier}: {})", self.name(id))
        });
        let found = openmp::searches(self.region, looped).into_iter();
        let found = found.map(|id| format!(" reduction({0}: {0})", self.name(id)));
        scalars.chain(found).collect()
    }

    /// The clause for what each thread needs to know, without what is reduced.
    fn values(&self, looped: &Loop, reduced: &[(VariableId, ReductionOperator)]) -> String {
        let values = openmp::values(self.region, looped).into_iter();
        let values = values.filter(|id| reduced.iter().all(|(other, _)| other != id));
        let values: Vec<&str> = values.map(|id| self.name(id)).collect();
        match values.is_empty() {
            true => String::new(),
            false => format!(" firstprivate({})", values.join(", ")),
        }
    }

    fn guard(&mut self, guard: &If, indent: usize) {
        let head =
            guard.then.iter().take_while(|node| matches!(node, Node::Declaration(_) | Node::Private(_)));
        if head.into_iter().any(|node| matches!(node, Node::Private(_))) {
            self.with_memory(guard, indent);
            return;
        }
        let condition = self.value(&guard.condition);
        match (&guard.then[..], &guard.otherwise[..]) {
            ([], otherwise) if !otherwise.is_empty() => {
                self.line(indent, &format!("if (!({condition})) {{"));
                self.nodes(otherwise, indent + 2);
            }
            (then, otherwise) => {
                // What always holds is there for the sake of its declarations.
                match constant(&guard.condition) == Some(1) && otherwise.is_empty() {
                    true => self.line(indent, "{"),
                    false => self.line(indent, &format!("if ({condition}) {{")),
                }
                self.nodes(then, indent + 2);
                if !otherwise.is_empty() {
                    self.line(indent, "} else {");
                    self.nodes(otherwise, indent + 2);
                }
            }
        }
        self.line(indent, "}");
    }

    fn statement(&mut self, statement: &Statement, indent: usize) {
        let target = self.reference(&statement.target);
        let value = self.value(&statement.value);
        match &statement.store {
            Store::Assign => self.line(indent, &format!("{target} = {value};")),
            Store::Update { operator, .. } => {
                self.line(indent, &format!("{target} {}= {value};", operator.symbol()));
            }
            Store::Reduce { operator, .. } => {
                let own = self.clauses.contains(&statement.target.variable);
                if self.parallel == 0 || own {
                    self.combine(*operator, &target, &value, indent);
                } else {
                    self.atomic(*operator, statement.target.scalar, &target, &value, indent);
                }
            }
        }
    }

    /// `target = target operator value`.
    pub(super) fn combine(&mut self, operator: ReductionOperator, target: &str, value: &str, indent: usize) {
        use ReductionOperator as R;
        let text = match operator {
            R::Minimum | R::Maximum | R::LeastNumber | R::GreatestNumber => {
                let value = format!("({value})");
                format!("{target} = {} ? {value} : {target};", replaces(operator, target, &value))
            }
            R::LogicalAnd | R::LogicalOr => {
                format!("{target} = {target} {} ({value});", operator.name())
            }
            R::Add | R::Multiply | R::And | R::Or | R::Xor => {
                format!("{target} {}= {value};", operator.name())
            }
            R::ArgMin | R::ArgMax | R::First | R::Last => format!("{target} = {value};"),
        };
        self.line(indent, &text);
    }

    fn atomic(
        &mut self,
        operator: ReductionOperator,
        scalar: Scalar,
        target: &str,
        value: &str,
        indent: usize,
    ) {
        use ReductionOperator as R;
        let relation = match operator {
            R::Minimum => "<",
            R::Maximum => ">",
            R::LogicalAnd | R::LogicalOr | R::LeastNumber | R::GreatestNumber => {
                self.line(indent, "#pragma omp critical(warpfold)");
                self.combine(operator, target, value, indent);
                return;
            }
            _ => {
                self.line(indent, "#pragma omp atomic");
                self.combine(operator, target, value, indent);
                return;
            }
        };
        let other = self.fresh("other");
        self.line(indent, "{");
        self.line(indent + 2, &format!("{} {other} = {value};", scalar.c_name()));
        self.line(indent + 2, "#pragma omp atomic compare");
        self.line(indent + 2, &format!("if ({other} {relation} {target}) {{ {target} = {other}; }}"));
        self.line(indent, "}");
    }

    pub(super) fn reference(&self, reference: &Reference) -> String {
        let mut text = self.name(reference.variable).to_string();
        let mut path = &reference.path[..];
        if self.by_one_thread
            && let Some((element, behind)) = self.flat(reference)
        {
            (text, path) = (element, behind);
        }
        for step in path {
            match step {
                Step::Index(index) => {
                    let _ = write!(text, "[{}]", self.value(index));
                }
                Step::Member(name) => {
                    let _ = write!(text, ".{name}");
                }
            }
        }
        text
    }

    pub(super) fn value(&self, expression: &Expression) -> String {
        self.expression(expression).0
    }

    /// The right operand of a comparison.
    pub(super) fn bound(&self, expression: &Expression) -> String {
        self.operand(expression, level(BinaryOperator::Less) + 1)
    }

    /// An operand of something that binds as tightly as `level`.
    fn operand(&self, expression: &Expression, level: u8) -> String {
        let (text, own) = self.expression(expression);
        if own < level { format!("({text})") } else { text }
    }

    fn expression(&self, expression: &Expression) -> (String, u8) {
        match &expression.kind {
            ExpressionKind::Integer(value) => integer(*value, expression.scalar),
            ExpressionKind::Float(value) => float(*value, expression.scalar),
            ExpressionKind::Imaginary(value) => {
                let suffix = if expression.scalar == (Scalar::Complex { bits: 32 }) { "fi" } else { "i" };
                (format!("{value:?}{suffix}"), PRIMARY)
            }
            ExpressionKind::Iterator(id) => (self.name(*id).into(), PRIMARY),
            ExpressionKind::Read(reference) => (self.reference(reference), PRIMARY),
            ExpressionKind::Unary(operator, operand) => {
                let text = self.operand(operand, UNARY);
                let symbol = match operator {
                    // Not `--x`.
                    UnaryOperator::Negate if text.starts_with('-') => "- ",
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Not => "!",
                    UnaryOperator::Complement => "~",
                    UnaryOperator::Real => "__real__ ",
                    UnaryOperator::Imaginary => "__imag__ ",
                };
                (format!("{symbol}{text}"), UNARY)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let level = level(*operator);
                let shifts = matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
                let (first, second) = (bare(left, right, shifts), bare(right, left, shifts));
                let level_of = |operand: &Expression, least: u8| match &operand.kind {
                    ExpressionKind::Binary(inner, ..) if is_mistaken(*operator, *inner) => PRIMARY,
                    _ => least,
                };
                let (left, right) = (
                    first.unwrap_or_else(|| self.operand(left, level_of(left, level))),
                    second.unwrap_or_else(|| self.operand(right, level_of(right, level + 1))),
                );
                (format!("{left} {} {right}", operator.symbol()), level)
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                let condition = self.operand(condition, SELECT + 1);
                let (then, otherwise) = (self.operand(then, SELECT + 1), self.operand(otherwise, SELECT));
                (format!("{condition} ? {then} : {otherwise}"), SELECT)
            }
            ExpressionKind::Cast(inner) => {
                (format!("({}) {}", expression.scalar.c_name(), self.operand(inner, UNARY)), UNARY)
            }
            ExpressionKind::Call(name, arguments) => {
                if name == ELEMENTS_TO_ALIGNMENT
                    && let Some(text) = self.elements_to_alignment(arguments)
                {
                    return (text, UNARY);
                }
                let arguments: Vec<_> = arguments.iter().map(|argument| self.value(argument)).collect();
                (format!("{name}({})", arguments.join(", ")), PRIMARY)
            }
        }
    }

    /// How many elements are before the first one, from this one on, whose address is a multiple of some bytes.
    fn elements_to_alignment(&self, arguments: &[Expression]) -> Option<String> {
        let [Expression { kind: ExpressionKind::Read(element), scalar }, bytes] = arguments else {
            return None;
        };
        let (element, bytes) = (self.reference(element), constant(bytes)?);
        Some(format!("(long) (-(unsigned long) &{element} % {bytes} / {})", scalar.size()))
    }
}

/// A `long` constant beside another `long`, which needs no suffix.
fn bare(value: &Expression, other: &Expression, shifts: bool) -> Option<String> {
    let literal = |value: &Expression| matches!(value.kind, ExpressionKind::Integer(_));
    match value.kind {
        ExpressionKind::Integer(number @ 0..=0x7fff_ffff)
            if value.scalar == Scalar::LONG && other.scalar == Scalar::LONG && !literal(other) && !shifts =>
        {
            Some(number.to_string())
        }
        _ => None,
    }
}

/// Whether compilers warn of an operand without parentheses whose operator binds more strongly.
fn is_mistaken(operator: BinaryOperator, inner: BinaryOperator) -> bool {
    use BinaryOperator as B;
    let compares = |operator: B| (level(B::Equal)..=level(B::Less)).contains(&level(operator));
    let adds = matches!(inner, B::Add | B::Subtract);
    match operator {
        B::LogicalOr => inner == B::LogicalAnd,
        B::Or | B::Xor | B::And => {
            adds || compares(inner) || inner != operator && matches!(inner, B::Or | B::Xor | B::And)
        }
        B::ShiftLeft | B::ShiftRight => adds,
        _ => compares(operator) && compares(inner),
    }
}

fn level(operator: BinaryOperator) -> u8 {
    match operator {
        BinaryOperator::LogicalOr => 2,
        BinaryOperator::LogicalAnd => 3,
        BinaryOperator::Or => 4,
        BinaryOperator::Xor => 5,
        BinaryOperator::And => 6,
        BinaryOperator::Equal | BinaryOperator::NotEqual => 7,
        BinaryOperator::Less
        | BinaryOperator::LessEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterEqual => 8,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => 9,
        BinaryOperator::Add | BinaryOperator::Subtract => 10,
        BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => 11,
    }
}

/// A constant of the type: with a suffix, or a cast where no suffix gives it.
fn integer(value: i128, scalar: Scalar) -> (String, u8) {
    let suffix = match scalar {
        Scalar::Integer { bits: 32, signed: true } => "",
        Scalar::Integer { bits: 32, signed: false } => "u",
        Scalar::Integer { bits: 64, signed: true } => "l",
        Scalar::Integer { bits: 64, signed: false } => "ul",
        _ => return (format!("({}) {}", scalar.c_name(), wide(value)), UNARY),
    };
    // The least value of a signed type has no constant of its own.
    let least = |bits: u32| -(1i128 << (bits - 1));
    match value {
        value if value == least(64) => (format!("-{}l - 1", i64::MAX), 10),
        value if value == least(32) && suffix.is_empty() => (format!("-{} - 1", i32::MAX), 10),
        value if value < 0 => (format!("{value}{suffix}"), UNARY),
        _ => (format!("{value}{suffix}"), PRIMARY),
    }
}

/// The operand of a cast to a type without a suffix: C has no constants of more than 64 bits.
fn wide(value: i128) -> String {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) if value > i64::MIN => value.to_string(),
        (_, Ok(value)) => format!("{value}ul"),
        _ => format!("((unsigned __int128) {}ul << 64 | {}ul)", (value >> 64) as u64, value as u64),
    }
}

/// The shortest decimal constant that is read as the same number.
fn float(value: f64, scalar: Scalar) -> (String, u8) {
    let text = match scalar {
        // Out of the range of a constant.
        _ if value.is_infinite() => "__builtin_inff()".into(),
        _ if value.is_nan() => "__builtin_nanf(\"\")".into(),
        Scalar::Float { bits: 32 } => format!("{:?}f", value as f32),
        _ => format!("{value:?}"),
    };
    let level = if value.is_sign_negative() { UNARY } else { PRIMARY };
    (if value == f64::NEG_INFINITY { format!("-{text}") } else { text }, level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_128_bits_are_made_of_two_constants() {
        let wide = |value| integer(value, Scalar::Integer { bits: 128, signed: true }).0;
        assert_eq!(wide(-5), "(__int128) -5");
        assert_eq!(wide(i128::from(u64::MAX)), "(__int128) 18446744073709551615ul");
        assert_eq!(wide(1 << 64), "(__int128) ((unsigned __int128) 1ul << 64 | 0ul)");
        // `-9223372036854775808` would be the negated `unsigned long`, which is positive.
        let least = "(__int128) ((unsigned __int128) 18446744073709551615ul << 64 | 9223372036854775808ul)";
        assert_eq!(wide(i128::from(i64::MIN)), least);
    }
}

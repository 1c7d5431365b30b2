//! Regions to text.
//!
//! Conversions that the parser would make by itself are left out, and so are suffixes of numbers and parentheses.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::parser::{direction, iterator_value};
use super::words;
use crate::ir::Mark;
use crate::ir::convert;
use crate::ir::types::Scalar;
use crate::ir::{
    Aliasing, Expression, ExpressionKind, If, Loop, Node, Pairing, ReduceDimension, Reference, Region,
    Statement, Step, Storage, Store, UnaryOperator, Variable, VariableId, walk,
};

/// Writes regions, which must pass [`crate::ir::verify::verify`], as a file of loops.
pub fn print(regions: &[Region]) -> String {
    let mut text = String::new();
    for region in regions {
        if !text.is_empty() {
            text.push('\n');
        }
        let mut printer = Printer { region, text: &mut text, uses: Uses::default(), depth: 0 };
        let extents = region.variables.iter().flat_map(|variable| variable.extents.iter().flatten());
        extents.for_each(|extent| printer.uses.expression(extent));
        printer.uses.collect(&region.body);
        printer.region();
    }
    text
}

/// An expression as it stands there.
pub(crate) fn value(region: &Region, expression: &Expression) -> String {
    let printer = Printer { region, text: &mut String::new(), uses: Uses::default(), depth: 0 };
    printer.expression(expression, 0)
}

/// Binds stronger than every operator.
const TIGHT: u8 = 11;

/// Functions that are not known by their names and types, and members of structures.
#[derive(Default)]
struct Uses<'r> {
    functions: BTreeMap<&'r str, (Vec<Scalar>, Scalar)>,
    members: BTreeMap<VariableId, BTreeMap<String, Scalar>>,
}

impl<'r> Uses<'r> {
    fn collect(&mut self, nodes: &'r [Node]) {
        for node in walk(nodes) {
            node.target().into_iter().for_each(|target| self.reference(target));
            node.expressions().into_iter().chain(node.init()).for_each(|value| self.expression(value));
        }
    }

    fn reference(&mut self, reference: &'r Reference) {
        reference.subscripts().for_each(|subscript| self.expression(subscript));
        let path = reference.path.iter().skip_while(|step| matches!(step, Step::Index(_)));
        let mut shape = String::new();
        for step in path {
            match step {
                Step::Index(_) => shape.push_str("[]"),
                Step::Member(member) => {
                    if !shape.is_empty() {
                        shape.push('.');
                    }
                    shape.push_str(&name(member));
                }
            }
        }
        if !shape.is_empty() {
            self.members.entry(reference.variable).or_default().insert(shape, reference.scalar);
        }
    }

    fn expression(&mut self, expression: &'r Expression) {
        match &expression.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Imaginary(_)
            | ExpressionKind::Iterator(_) => {}
            ExpressionKind::Read(reference) => self.reference(reference),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Cast(operand) => self.expression(operand),
            ExpressionKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expression(part));
            }
            ExpressionKind::Call(function, arguments) => {
                arguments.iter().for_each(|argument| self.expression(argument));
                let types: Vec<Scalar> = arguments.iter().map(|argument| argument.scalar).collect();
                let here = (types, expression.scalar);
                if convert::known_signature(function, &here.0).as_ref() != Some(&here) {
                    self.functions.insert(function, here);
                }
            }
        }
    }
}

/// A name, in backquotes if it must be.
fn name(name: &str) -> String {
    if words::is_plain(name) { name.to_owned() } else { format!("`{name}`") }
}

fn joined<T>(items: &[T], print: impl Fn(&T) -> String) -> String {
    items.iter().map(print).collect::<Vec<_>>().join(", ")
}

struct Printer<'r, 't> {
    region: &'r Region,
    text: &'t mut String,
    uses: Uses<'r>,
    depth: usize,
}

impl Printer<'_, '_> {
    fn line(&mut self, line: &str) {
        let indent = self.depth * 2;
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{:indent$}{line}", "");
    }

    fn region(&mut self) {
        for (function, (types, result)) in std::mem::take(&mut self.uses.functions) {
            let types = joined(&types, |scalar| scalar.to_string());
            self.line(&format!("declare func @{}({types}) -> {result}", name(function)));
        }
        let parameters = joined(&self.parameters(), |id| {
            let variable = self.region.variable(*id);
            let usual = if variable.extents.is_empty() { Storage::Local } else { Storage::Parameter };
            format!("{}: {}{}", name(&variable.name), self.kind(*id), attributes(variable, usual))
        });
        self.line(&format!("func @{}({parameters}) {{", name(&self.region.function)));
        self.nodes(&self.region.body);
        self.line("}");
    }

    /// The parameters; sizes before what they are the sizes of.
    fn parameters(&self) -> Vec<VariableId> {
        let mut order = Vec::new();
        let mut added = vec![false; self.region.variables.len()];
        let mut add = |id: VariableId| {
            if !std::mem::replace(&mut added[id.0], true) {
                order.push(id);
            }
        };
        for (index, variable) in self.region.variables.iter().enumerate() {
            if variable.storage != Storage::Region {
                for extent in variable.extents.iter().flatten() {
                    extent.visit_reads(&mut |reference| add(reference.variable));
                }
                add(VariableId(index));
            }
        }
        order
    }

    /// The type of a variable.
    fn kind(&self, id: VariableId) -> String {
        let variable = self.region.variable(id);
        let scalar = match self.uses.members.get(&id) {
            Some(members) => {
                let members: Vec<_> = members.iter().collect();
                format!("{{{}}}", joined(&members, |(shape, scalar)| format!("{shape}: {scalar}")))
            }
            None if variable.extents.is_empty() && variable.scalar == Scalar::LONG => "index".to_owned(),
            None => variable.scalar.to_string(),
        };
        if variable.extents.is_empty() {
            return scalar;
        }
        let mut text = "memref<".to_owned();
        for extent in &variable.extents {
            match extent {
                Some(extent) => text.push_str(&self.expression(extent, words::ADDITIVE)),
                None => text.push('?'),
            }
            text.push_str(" x ");
        }
        text + &scalar + ">"
    }

    // Bodies.

    fn nodes(&mut self, nodes: &[Node]) {
        self.depth += 1;
        nodes.iter().for_each(|node| self.node(node));
        self.depth -= 1;
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Loop(nest) => {
                for schedule in nest.attributes.schedules.iter().flatten() {
                    self.line(&schedule.to_string());
                }
                let iterator = &self.region.variable(nest.iterator).name;
                let is_simd = nest.attributes.is_simd() && !nest.attributes.marks.contains(&Mark::Vectorize);
                for mark in nest.attributes.marks.iter().chain(is_simd.then_some(&Mark::Vectorize)) {
                    self.line(&mark.schedule(iterator).to_string());
                }
                let header = self.header(nest);
                self.line(&header);
                self.nodes(&nest.body);
                self.line("}");
            }
            Node::If(guard) => self.guard(guard, ""),
            Node::Statement(statement) => {
                let line = self.statement(statement);
                self.line(&line);
            }
            Node::Declaration(declaration) => {
                let variable = self.region.variable(declaration.variable);
                let value = declaration.value.as_ref();
                let value = value.map(|value| format!(" = {}", self.converted(value, variable.scalar, 0)));
                self.line(&format!(
                    "{}: {}{}{}",
                    name(&variable.name),
                    self.kind(declaration.variable),
                    attributes(variable, Storage::Region),
                    value.unwrap_or_default()
                ));
            }
            Node::Break(_) => self.line("break"),
            Node::Private(private) => {
                let variable = self.region.variable(private.variable);
                let operator = private.operator.map(|operator| format!(" <\"{operator}\">"));
                self.line(&format!(
                    "{} = {}{}{}",
                    name(&variable.name),
                    self.kind(private.variable),
                    attributes(variable, Storage::Region),
                    operator.unwrap_or_default()
                ));
            }
            Node::ReduceDimension(reduce) => {
                let line = self.reduce_dimension(reduce);
                self.line(&line);
            }
        }
    }

    fn guard(&mut self, guard: &If, before: &str) {
        self.line(&format!("{before}if {} {{", self.expression(&guard.condition, 0)));
        self.nodes(&guard.then);
        match guard.otherwise.as_slice() {
            [] => self.line("}"),
            [Node::If(next)] => self.guard(next, "} else "),
            otherwise => {
                self.line("} else {");
                self.nodes(otherwise);
                self.line("}");
            }
        }
    }

    fn header(&self, nest: &Loop) -> String {
        let iterator = self.region.variable(nest.iterator);
        let mut text = if nest.parallel { "par.for " } else { "for " }.to_owned();
        text += &name(&iterator.name);
        if nest.declares {
            if iterator.scalar != Scalar::LONG {
                text += &format!(": {}", iterator.scalar);
            }
            text += &attributes(iterator, Storage::Region);
            text += " in ";
        } else {
            text += " = ";
        }
        let lower = self.converted(&nest.lower, iterator.scalar, 1);
        let step = match nest.step.kind {
            ExpressionKind::Integer(step) if convert::fits(step, iterator.scalar) => step.to_string(),
            _ => self.converted(&nest.step, iterator.scalar, 1),
        };
        text += &match self.end(nest) {
            Some(end) if step == "1" => format!("range({lower} : {end})"),
            Some(end) => format!("range({lower} : {step} : {end})"),
            None => format!("while({lower} : {step} : {})", self.expression(&nest.condition, 1)),
        };
        text + " {"
    }

    /// The end of a loop whose condition is only the comparison of its iterator with it.
    fn end(&self, nest: &Loop) -> Option<String> {
        let ExpressionKind::Binary(operator, left, right) = &nest.condition.kind else { return None };
        let scalar = self.region.variable(nest.iterator).scalar;
        let iterator = iterator_value(nest.iterator, scalar);
        let mut own = false;
        mentions(right, nest.iterator, &mut own);
        if own || *operator != direction(&nest.step) {
            return None;
        }
        let converted = convert::operator_types(*operator, scalar, right.scalar)?;
        if **left != convert::convert(iterator, converted.left) || right.scalar != converted.right {
            return None;
        }
        let relaxed = self.relaxed(right, |bare| {
            let types = convert::operator_types(*operator, scalar, bare);
            types.is_some_and(|types| types == converted)
        });
        Some(
            relaxed
                .map_or_else(|| self.expression(right, 1), |(text, tight)| self.parenthesize(text, tight, 1)),
        )
    }

    fn statement(&self, statement: &Statement) -> String {
        let target = self.reference(&statement.target);
        let scalar = statement.target.scalar;
        let value = &statement.value;
        match &statement.store {
            Store::Assign => format!("{target} = {}", self.converted(value, scalar, 0)),
            Store::Update { operator, .. } => {
                let types = convert::operator_types(*operator, scalar, value.scalar);
                let relaxed =
                    self.relaxed(value, |bare| convert::operator_types(*operator, scalar, bare) == types);
                let value = relaxed.map_or_else(|| self.expression(value, 0), |(text, _)| text);
                format!("{target} {}= {value}", operator.symbol())
            }
            Store::Reduce { operator, init } => {
                let value = self.converted(value, scalar, 0);
                let held = matches!(&init.kind, ExpressionKind::Read(read) if self.reference(read) == target);
                let init = (!held).then(|| format!(", {}", self.converted(init, scalar, words::ADDITIVE)));
                format!("reduce({target}, {value}) <\"{operator}\"{}>", init.unwrap_or_default())
            }
        }
    }

    fn reduce_dimension(&self, reduce: &ReduceDimension) -> String {
        let source = self.region.variable(reduce.source);
        let mut text = match reduce.target {
            Some(target) => format!("reduce_dimension({}, ", name(&self.region.variable(target).name)),
            None => "reduce_dimension_inplace(".to_owned(),
        };
        text += &format!("{}, {}", name(&source.name), reduce.dimension);
        let ranges = reduce.ranges.iter().any(Option::is_some);
        if ranges || !reduce.indices.is_empty() {
            text += &format!(", [{}]", joined(&reduce.indices, |index| self.expression(index, 0)));
        }
        if ranges {
            let bounds = |bound: fn(&(Expression, Expression)) -> &Expression| {
                joined(&reduce.ranges, |range| match range {
                    Some(range) => self.expression(bound(range), 0),
                    None => "_".to_owned(),
                })
            };
            text += &format!(", [{}], [{}]", bounds(|(begin, _)| begin), bounds(|(_, end)| end));
        }
        if let Some(target) = reduce.target {
            let rank = source.extents.len();
            let usual = self.region.variable(target).extents.len() + 1 == rank;
            let all: Vec<usize> = (0..rank).filter(|other| *other != reduce.dimension).collect();
            if reduce.mapped != if usual { all } else { vec![] } {
                text += &format!(", map [{}]", joined(&reduce.mapped, usize::to_string));
            }
        }
        match reduce.pairing {
            Pairing::InOrder => {}
            Pairing::Halves => text += ", tree",
            Pairing::Neighbours => text += ", neighbours",
        }
        let scalar = self.region.variable(reduce.target.unwrap_or(reduce.source)).scalar;
        let init = reduce.init.as_ref().map(|init| self.converted(init, scalar, words::ADDITIVE));
        let init = init.map(|init| format!(", {init}")).unwrap_or_default();
        format!("{text}) <\"{}\"{init}>", reduce.operator)
    }

    // Expressions.

    fn reference(&self, reference: &Reference) -> String {
        let mut text = name(&self.region.variable(reference.variable).name);
        let mut open = false;
        for step in &reference.path {
            match step {
                Step::Index(subscript) => {
                    text.push_str(if open { ", " } else { "[" });
                    text.push_str(&self.expression(subscript, 0));
                    open = true;
                }
                Step::Member(member) => {
                    text.push_str(if open { "]." } else { "." });
                    text.push_str(&name(member));
                    open = false;
                }
            }
        }
        if open {
            text.push(']');
        }
        text
    }

    /// The expression where the parser converts it to `scalar`.
    fn converted(&self, expression: &Expression, scalar: Scalar, least: u8) -> String {
        match self.relaxed(expression, |_| expression.scalar == scalar) {
            Some((text, precedence)) => self.parenthesize(text, precedence, least),
            None => self.expression(expression, least),
        }
    }

    /// The expression without its conversion or suffix, if `accepts` says that the parser adds it to a value of
    /// that type; and its precedence.
    fn relaxed(&self, expression: &Expression, accepts: impl Fn(Scalar) -> bool) -> Option<(String, u8)> {
        let bare = match &expression.kind {
            ExpressionKind::Cast(operand) => {
                let literal = matches!(operand.kind, ExpressionKind::Integer(_) | ExpressionKind::Float(_));
                if literal || operand.scalar == expression.scalar {
                    return None;
                }
                Expression::clone(operand)
            }
            ExpressionKind::Integer(value) => Expression::integer(*value, convert::literal_type(*value)?),
            ExpressionKind::Float(value) if value.is_finite() => {
                Expression { kind: expression.kind.clone(), scalar: Scalar::F64 }
            }
            _ => return None,
        };
        let changes = bare.scalar != expression.scalar;
        (changes && accepts(bare.scalar) && convert::convert(bare.clone(), expression.scalar) == *expression)
            .then(|| self.with_precedence(&bare))
    }

    /// The expression, in parentheses if it binds weaker than `least`.
    fn expression(&self, expression: &Expression, least: u8) -> String {
        let (text, precedence) = self.with_precedence(expression);
        self.parenthesize(text, precedence, least)
    }

    fn parenthesize(&self, text: String, precedence: u8, least: u8) -> String {
        if precedence < least { format!("({text})") } else { text }
    }

    fn with_precedence(&self, expression: &Expression) -> (String, u8) {
        let scalar = expression.scalar;
        let text = match &expression.kind {
            ExpressionKind::Integer(value) if scalar == Scalar::Bool => (*value != 0).to_string(),
            ExpressionKind::Integer(value) if convert::literal_type(*value) == Some(scalar) => {
                value.to_string()
            }
            ExpressionKind::Integer(value) => format!("{value}{scalar}"),
            ExpressionKind::Float(value) => float(*value, scalar),
            ExpressionKind::Imaginary(value) if scalar == (Scalar::Complex { bits: 32 }) => {
                format!("{:?}j32", *value as f32)
            }
            ExpressionKind::Imaginary(value) => format!("{value:?}j"),
            ExpressionKind::Iterator(variable) => name(&self.region.variable(*variable).name),
            ExpressionKind::Read(reference) => self.reference(reference),
            ExpressionKind::Unary(operator @ (UnaryOperator::Real | UnaryOperator::Imaginary), operand) => {
                format!("{}({})", convert::unary_symbol(*operator), self.expression(operand, 0))
            }
            ExpressionKind::Unary(operator, operand) => {
                let symbol = convert::unary_symbol(*operator);
                let text = self.expression(operand, TIGHT);
                // The minus of a number belongs to the number.
                let number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                    || ["inf", "nan", "inf32", "nan32"].contains(&text.as_str());
                if *operator == UnaryOperator::Negate && number {
                    format!("{symbol}({text})")
                } else {
                    format!("{symbol}{text}")
                }
            }
            ExpressionKind::Binary(operator, left, right) => {
                let precedence = words::precedence(*operator);
                let types = convert::operator_types(*operator, left.scalar, right.scalar);
                let bare_right = self
                    .relaxed(right, |bare| convert::operator_types(*operator, left.scalar, bare) == types);
                let bare_left = match bare_right {
                    Some(_) => None,
                    None => self.relaxed(left, |bare| {
                        convert::operator_types(*operator, bare, right.scalar) == types
                    }),
                };
                let side = |bare: Option<(String, u8)>, whole: &Expression, least| match bare {
                    Some((text, precedence)) => self.parenthesize(text, precedence, least),
                    None => self.expression(whole, least),
                };
                let left = side(bare_left, left, precedence);
                let right = side(bare_right, right, precedence + 1);
                return (format!("{left} {} {right}", operator.symbol()), precedence);
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                let condition = self.expression(condition, 1);
                let then = self.expression(then, 1);
                return (format!("{condition} ? {then} : {}", self.expression(otherwise, 0)), 0);
            }
            ExpressionKind::Cast(operand) => format!("{scalar}({})", self.expression(operand, 0)),
            ExpressionKind::Call(function, arguments) => {
                format!("{}({})", name(function), joined(arguments, |argument| self.expression(argument, 0)))
            }
        };
        (text, TIGHT)
    }
}

/// Storage, aliasing and declared type of a variable, where they are not the usual ones.
fn attributes(variable: &Variable, usual: Storage) -> String {
    let storage = match variable.storage {
        Storage::Local => "local",
        Storage::Parameter => "parameter",
        Storage::Pointer => "pointer",
        Storage::Global => "global",
        Storage::Region => "",
    };
    let aliasing = match variable.aliasing {
        Aliasing::Distinct => "",
        Aliasing::Shared => "shared",
        Aliasing::Rows => "rows",
    };
    let mut declared = String::new();
    if !variable.declared_type.is_empty() {
        let quoted = variable.declared_type.replace('\\', "\\\\").replace('"', "\\\"");
        declared = format!("as \"{quoted}\"");
    }
    let storage = if variable.storage == usual { "" } else { storage };
    let all = [storage, aliasing, &declared];
    let all: Vec<&str> = all.into_iter().filter(|attribute| !attribute.is_empty()).collect();
    if all.is_empty() { String::new() } else { format!(" [{}]", all.join(", ")) }
}

/// A float with a fraction or an exponent, so that it is none of an integer.
fn float(value: f64, scalar: Scalar) -> String {
    let narrow = scalar == Scalar::F32;
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let word = match (value.is_nan(), value.is_infinite()) {
        (true, _) => "nan",
        (_, true) => "inf",
        _ if narrow => return format!("{:?}f32", value as f32),
        _ => return format!("{value:?}"),
    };
    format!("{sign}{word}{}", if narrow { "32" } else { "" })
}

/// Whether an expression mentions the iterator.
fn mentions(expression: &Expression, iterator: VariableId, found: &mut bool) {
    match &expression.kind {
        ExpressionKind::Iterator(variable) => *found |= *variable == iterator,
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Imaginary(_) => {}
        ExpressionKind::Read(reference) => {
            reference.subscripts().for_each(|subscript| mentions(subscript, iterator, found));
        }
        ExpressionKind::Unary(_, operand) | ExpressionKind::Cast(operand) => {
            mentions(operand, iterator, found)
        }
        ExpressionKind::Binary(_, left, right) => {
            mentions(left, iterator, found);
            mentions(right, iterator, found);
        }
        ExpressionKind::Select(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| mentions(part, iterator, found));
        }
        ExpressionKind::Call(_, arguments) => {
            arguments.iter().for_each(|argument| mentions(argument, iterator, found));
        }
    }
}

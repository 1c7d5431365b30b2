//! Split reductions as operations of MLIR's `linalg` on tensors: one into lanes, and one of the lanes, as seed 001 has them.
//!
//! Each innermost reduction that can be split becomes a function. Its tensors have the shape of what the loops access, in
//! iterations. Columns that do not fill all lanes are a third operation, as `tensor.expand_shape` cannot divide them.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{Strategy, plan::Plan, split::reductions};
use crate::{
    analysis::reduced::Step,
    ir::{
        BinaryOperator, Expression, ExpressionKind, Loop, Node, ReductionOperator, Reference, Region,
        UnaryOperator, VariableId,
        arithmetic::constant,
        compare::{same_reference, stripped},
        operators,
        types::{Half, Scalar},
    },
    rules::{Rejection, Rule},
    transform::{in_expression, privatize::Counted},
};

/// The functions of a region's reductions that are split as [`super::plan()`] says, and for those that have no such form the
/// reason. Sizes that the loops need and do not have as numbers are given by name.
pub fn mlir(region: &Region, plan: &Plan, sizes: &BTreeMap<String, i64>) -> (String, Vec<Rejection>) {
    let mut module =
        Module { region, plan, sizes, around: Vec::new(), text: String::new(), rejected: Vec::new() };
    module.nodes(&region.body);
    (module.text, module.rejected)
}

struct Module<'m> {
    region: &'m Region,
    plan: &'m Plan,
    sizes: &'m BTreeMap<String, i64>,
    around: Vec<&'m Loop>,
    text: String,
    rejected: Vec<Rejection>,
}

/// A loop as a dimension.
#[derive(Clone, Copy)]
struct Dimension {
    iterator: VariableId,
    extent: i128,
}

impl<'m> Module<'m> {
    fn nodes(&mut self, nodes: &'m [Node]) {
        for node in nodes {
            match node {
                Node::Loop(looped) => {
                    if let Some((strategy, operators)) = self.plan.split_of(looped) {
                        match reductions(self.region, looped, operators) {
                            Ok(steps) => steps.iter().for_each(|step| self.reduction(looped, strategy, step)),
                            Err(what) => self.reject(looped, &what),
                        }
                    }
                    self.around.push(looped);
                    self.nodes(&looped.body);
                    self.around.pop();
                }
                Node::If(guard) => {
                    self.nodes(&guard.then);
                    self.nodes(&guard.otherwise);
                }
                _ => {}
            }
        }
    }

    fn reject(&mut self, looped: &Loop, what: &str) {
        let name = &self.region.variable(looped.iterator).name;
        let reason = format!("loop `{name}` has no form in linalg: {what}");
        self.rejected.push(Rejection::new(Rule::Schedules, looped.at, reason));
    }

    fn reduction(&mut self, looped: &'m Loop, strategy: Strategy, step: &Step) {
        let Strategy::VectorAccumulator { lanes, .. } = strategy else {
            return self.reject(looped, "vector_accumulator alone is split into two reductions of tensors");
        };
        let result =
            Function::of(self, looped, step).and_then(|function| function.text(step, i128::from(lanes)));
        match result {
            Ok(text) => self.text += &text,
            Err(what) => self.reject(looped, &what),
        }
    }
}

/// A reduction, and what it reads.
struct Function<'f> {
    region: &'f Region,
    name: String,
    /// The loops around, and the innermost one last.
    dimensions: Vec<Dimension>,
    /// Those that index the target, by their places among the dimensions.
    target: Vec<usize>,
    /// What is read, without a repetition, and the dimensions that index it.
    inputs: Vec<(Reference, Vec<usize>)>,
}

impl<'f> Function<'f> {
    fn of(module: &Module<'f>, looped: &Loop, step: &Step) -> Result<Function<'f>, String> {
        let region = module.region;
        let known = |value: &Expression| {
            let sizes = module.sizes.iter().filter_map(|(name, size)| {
                let place = region.variables.iter().position(|variable| variable.name == *name)?;
                Some((VariableId(place), *size))
            });
            let value = sizes.fold(value.clone(), |value, (id, size)| {
                let scalar = region.variable(id).scalar;
                in_expression(&value, id, &Expression::integer(size.into(), scalar))
            });
            constant(&value)
        };
        let dimension = |looped: &Loop| {
            let name = &region.variable(looped.iterator).name;
            let counted = Counted::of(looped)
                .filter(|counted| constant(&counted.step) == Some(1) && known(&counted.lower) == Some(0));
            let extent = counted.and_then(|counted| known(&counted.end)).filter(|extent| *extent > 0);
            let iterator = looped.iterator;
            extent.map(|extent| Dimension { iterator, extent }).ok_or_else(|| {
                format!("`{name}` does not run from 0 to a number in steps of 1; give sizes with --sizes")
            })
        };
        let loops = module.around.iter().copied().chain([looped]);
        let dimensions = loops.map(dimension).collect::<Result<Vec<_>, String>>()?;
        let name = format!("{}_line{}", region.function, step.at.line);
        let mut function = Function { region, name, dimensions, target: Vec::new(), inputs: Vec::new() };
        function.target = function.indexed(&step.target)?;
        let mut reads: Vec<&Reference> = Vec::new();
        step.value.visit_reads(&mut |read| reads.push(read));
        for read in reads {
            let is_iterator = function.dimensions.iter().any(|one| one.iterator == read.variable);
            if !is_iterator && !function.inputs.iter().any(|(known, _)| same_reference(known, read, None)) {
                let indexed = function.indexed(read)?;
                function.inputs.push((read.clone(), indexed));
            }
        }
        let last = function.dimensions.len() - 1;
        match function.inputs.iter().any(|(_, indexed)| indexed.contains(&last)) {
            true => Ok(function),
            false => Err("it reads nothing that has its elements".into()),
        }
    }

    /// The dimensions that index a reference, each at most once.
    fn indexed(&self, reference: &Reference) -> Result<Vec<usize>, String> {
        let name = &self.region.variable(reference.variable).name;
        let place = |subscript: &Expression| {
            let id = match &stripped(subscript).kind {
                ExpressionKind::Iterator(id) => Some(*id),
                ExpressionKind::Read(read) if read.path.is_empty() => Some(read.variable),
                _ => None,
            };
            self.dimensions.iter().position(|dimension| Some(dimension.iterator) == id)
        };
        let found: Option<Vec<usize>> = reference.subscripts().map(place).collect();
        let once = |found: &Vec<usize>| (1..found.len()).all(|place| !found[..place].contains(&found[place]));
        found
            .filter(|found| once(found) && reference.members().next().is_none())
            .ok_or_else(|| format!("the subscripts of `{name}` are not iterators"))
    }

    fn text(&self, step: &Step, lanes: i128) -> Result<String, String> {
        let out = element(step.target.scalar)?;
        let last = self.dimensions.len() - 1;
        let columns = self.dimensions[last].extent;
        let (chunks, rest) = (columns / lanes, columns % lanes);
        let mut text = String::new();
        let extents = |indexed: &[usize]| -> Vec<i128> {
            indexed.iter().map(|place| self.dimensions[*place].extent).collect()
        };
        let targets = extents(&self.target);
        let target_type = tensor(&targets, out);
        let mut parameters = Vec::new();
        for (place, (read, indexed)) in self.inputs.iter().enumerate() {
            parameters.push(format!("%in{place}: {}", tensor(&extents(indexed), element(read.scalar)?)));
        }
        parameters.push(format!("%out: {target_type}"));
        let _ = writeln!(text, "  func.func @{}({}) -> {target_type} {{", self.name, parameters.join(", "));
        let mut result = "%out".to_owned();
        if chunks > 0 {
            let accumulators: Vec<i128> = targets.iter().copied().chain([lanes]).collect();
            let lanes_type = tensor(&accumulators, out);
            let identity = operators::identity(step.operator, step.target.scalar)
                .and_then(|identity| literal(&identity))
                .ok_or("its operator has no identity")?;
            let _ = writeln!(text, "    %identity = arith.constant {identity} : {out}");
            let _ = writeln!(text, "    %empty = tensor.empty() : {lanes_type}");
            let _ = writeln!(
                text,
                "    %begin = linalg.fill ins(%identity : {out}) outs(%empty : {lanes_type}) -> {lanes_type}"
            );
            let mut operands = Vec::new();
            let mut maps = Vec::new();
            for (place, (read, indexed)) in self.inputs.iter().enumerate() {
                let scalar = element(read.scalar)?;
                let (mut value, mut shape) = (format!("%in{place}"), extents(indexed));
                if let Some(split) = indexed.iter().position(|one| *one == last) {
                    let whole = tensor(&shape, scalar);
                    shape[split] = chunks * lanes;
                    if rest > 0 {
                        value = self.slice(&mut text, place, &whole, &shape, split, 0, scalar);
                    }
                    let narrow = tensor(&shape, scalar);
                    shape.splice(split..=split, [chunks, lanes]);
                    let wide = tensor(&shape, scalar);
                    let groups: Vec<String> = (0..indexed.len())
                        .map(|one| match one.cmp(&split) {
                            std::cmp::Ordering::Less => format!("[{one}]"),
                            std::cmp::Ordering::Equal => format!("[{one}, {}]", one + 1),
                            std::cmp::Ordering::Greater => format!("[{}]", one + 1),
                        })
                        .collect();
                    let _ = writeln!(
                        text,
                        "    %in{place}_lanes = tensor.expand_shape {value} [{}] output_shape {shape:?} : {narrow} into {wide}",
                        groups.join(", ")
                    );
                    value = format!("%in{place}_lanes");
                }
                // The last dimension is one of chunks and one of lanes now.
                let mut places = indexed.clone();
                if let Some(split) = indexed.iter().position(|one| *one == last) {
                    places.splice(split..=split, [last, last + 1]);
                }
                maps.push(map(last + 2, &places));
                operands.push((value, tensor(&shape, scalar)));
            }
            let mut places = self.target.clone();
            places.push(last + 1);
            maps.push(map(last + 2, &places));
            let iterators: Vec<&str> = (0..last)
                .map(|place| if self.target.contains(&place) { "parallel" } else { "reduction" })
                .chain(["reduction", "parallel"])
                .collect();
            self.generic(&mut text, "%lanes", &maps, &iterators, &operands, ("%begin", &lanes_type), step)?;
            // The lanes of each row.
            let rank = self.target.len();
            let rows: Vec<usize> = (0..rank).collect();
            let all: Vec<usize> = (0..=rank).collect();
            let iterators: Vec<&str> = rows.iter().map(|_| "parallel").chain(["reduction"]).collect();
            let combined = combine(step.operator, step.target.scalar, "%in", "%acc", "%sum")?;
            let _ = writeln!(
                text,
                "    %sums = linalg.generic {{indexing_maps = [{}, {}], iterator_types = {iterators:?}}} ins(%lanes : {lanes_type}) \
                 outs(%out : {target_type}) {{\n    ^bb0(%in: {out}, %acc: {out}):\n{combined}      linalg.yield %sum : {out}\n    }} \
                 -> {target_type}",
                map(rank + 1, &all),
                map(rank + 1, &rows)
            );
            result = "%sums".into();
        }
        if rest > 0 {
            let mut operands = Vec::new();
            let mut maps = Vec::new();
            for (place, (read, indexed)) in self.inputs.iter().enumerate() {
                let scalar = element(read.scalar)?;
                let (mut value, mut shape) = (format!("%in{place}"), extents(indexed));
                if let Some(split) = indexed.iter().position(|one| *one == last).filter(|_| chunks > 0) {
                    let whole = tensor(&shape, scalar);
                    shape[split] = rest;
                    value = self.slice(&mut text, place, &whole, &shape, split, chunks * lanes, scalar);
                }
                maps.push(map(last + 1, indexed));
                operands.push((value, tensor(&shape, scalar)));
            }
            maps.push(map(last + 1, &self.target));
            let iterators: Vec<&str> = (0..=last)
                .map(|place| if self.target.contains(&place) { "parallel" } else { "reduction" })
                .collect();
            self.generic(&mut text, "%all", &maps, &iterators, &operands, (&result, &target_type), step)?;
            result = "%all".into();
        }
        let _ = writeln!(text, "    return {result} : {target_type}\n  }}");
        Ok(text)
    }

    /// A part of the columns of an input.
    #[expect(clippy::too_many_arguments, reason = "the parts of one operation")]
    fn slice(
        &self,
        text: &mut String,
        place: usize,
        whole: &str,
        shape: &[i128],
        split: usize,
        offset: i128,
        scalar: &str,
    ) -> String {
        let value = format!("%in{place}_from{offset}");
        let offsets: Vec<i128> = (0..shape.len()).map(|one| if one == split { offset } else { 0 }).collect();
        let ones = vec![1; shape.len()];
        let _ = writeln!(
            text,
            "    {value} = tensor.extract_slice %in{place}{offsets:?} {shape:?} {ones:?} : {whole} to {}",
            tensor(shape, scalar)
        );
        value
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one operation")]
    fn generic(
        &self,
        text: &mut String,
        name: &str,
        maps: &[String],
        iterators: &[&str],
        operands: &[(String, String)],
        (begin, of_type): (&str, &str),
        step: &Step,
    ) -> Result<(), String> {
        let out = element(step.target.scalar)?;
        let values: Vec<&str> = operands.iter().map(|(value, _)| value.as_str()).collect();
        let types: Vec<&str> = operands.iter().map(|(_, of_type)| of_type.as_str()).collect();
        let _ = writeln!(
            text,
            "    {name} = linalg.generic {{indexing_maps = [{}], iterator_types = {iterators:?}}} ins({} : {}) outs({begin} : {of_type}) {{",
            maps.join(", "),
            values.join(", "),
            types.join(", ")
        );
        let mut arguments = Vec::new();
        for (place, (read, _)) in self.inputs.iter().enumerate() {
            arguments.push(format!("%x{place}: {}", element(read.scalar)?));
        }
        arguments.push(format!("%acc: {out}"));
        let _ = writeln!(text, "    ^bb0({}):", arguments.join(", "));
        let mut body = Body { function: self, text: String::new(), next: 0 };
        let value = body.value(&step.value)?;
        *text += &body.text;
        *text += &combine(step.operator, step.target.scalar, &value, "%acc", "%sum")?;
        let _ = writeln!(text, "      linalg.yield %sum : {out}\n    }} -> {of_type}");
        Ok(())
    }
}

/// The operations of an element.
struct Body<'b> {
    function: &'b Function<'b>,
    text: String,
    next: usize,
}

impl Body<'_> {
    fn line(&mut self, operation: &str) -> String {
        let name = format!("%v{}", self.next);
        self.next += 1;
        let _ = writeln!(self.text, "      {name} = {operation}");
        name
    }

    fn value(&mut self, value: &Expression) -> Result<String, String> {
        let of_type = element(value.scalar)?;
        let unknown = |what: &str| Err(format!("{what} has no operation in arith"));
        Ok(match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) => {
                let literal = literal(value).ok_or("a constant has no form")?;
                self.line(&format!("arith.constant {literal} : {of_type}"))
            }
            ExpressionKind::Read(read) => {
                let same = |(known, _): &(Reference, Vec<usize>)| same_reference(known, read, None);
                match self.function.inputs.iter().position(same) {
                    Some(place) => format!("%x{place}"),
                    None => return Err(ITERATED.into()),
                }
            }
            ExpressionKind::Iterator(_) => return Err(ITERATED.into()),
            ExpressionKind::Cast(operand) if value.scalar == Scalar::Bool => {
                let bit = self.truth(operand)?;
                self.line(&format!("arith.extui {bit} : i1 to {of_type}"))
            }
            ExpressionKind::Cast(operand) => {
                let from = self.value(operand)?;
                let Some(operation) = conversion(operand.scalar, value.scalar) else { return Ok(from) };
                self.line(&format!("arith.{operation} {from} : {} to {of_type}", element(operand.scalar)?))
            }
            ExpressionKind::Unary(UnaryOperator::Negate, operand) => {
                let from = self.value(operand)?;
                match value.scalar {
                    Scalar::Float { .. } => self.line(&format!("arith.negf {from} : {of_type}")),
                    _ => {
                        let zero = self.line(&format!("arith.constant 0 : {of_type}"));
                        self.line(&format!("arith.subi {zero}, {from} : {of_type}"))
                    }
                }
            }
            ExpressionKind::Unary(..) => return unknown("an operator"),
            ExpressionKind::Binary(operator, left, right) => {
                if let Some(bit) = self.condition(value)? {
                    return Ok(self.line(&format!("arith.extui {bit} : i1 to {of_type}")));
                }
                let Some(operation) = operation(*operator, value.scalar) else {
                    return unknown(&format!("`{}`", operator.symbol()));
                };
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.line(&format!("arith.{operation} {left}, {right} : {of_type}"))
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                let bit = self.truth(condition)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                self.line(&format!("arith.select {bit}, {then}, {otherwise} : {of_type}"))
            }
            ExpressionKind::Call(name, arguments) => {
                let operation = match name.as_str() {
                    "sqrt" | "sqrtf" => "math.sqrt",
                    "fabs" | "fabsf" => "math.absf",
                    _ => return unknown(&format!("`{name}`")),
                };
                let [argument] = &arguments[..] else { return unknown(&format!("`{name}`")) };
                let from = self.value(argument)?;
                self.line(&format!("{operation} {from} : {of_type}"))
            }
            ExpressionKind::Imaginary(_) => return unknown("an imaginary number"),
        })
    }

    /// A comparison as a bit.
    fn condition(&mut self, value: &Expression) -> Result<Option<String>, String> {
        let ExpressionKind::Binary(operator, left, right) = &value.kind else { return Ok(None) };
        let signed = !matches!(left.scalar, Scalar::Integer { signed: false, .. } | Scalar::Bool);
        let is_float = matches!(left.scalar, Scalar::Float { .. });
        let relation = match (operator, is_float) {
            (BinaryOperator::Equal, false) => "eq",
            (BinaryOperator::Equal, true) => "oeq",
            (BinaryOperator::NotEqual, false) => "ne",
            (BinaryOperator::NotEqual, true) => "une",
            (BinaryOperator::Less, false) => {
                if signed {
                    "slt"
                } else {
                    "ult"
                }
            }
            (BinaryOperator::Less, true) => "olt",
            (BinaryOperator::LessEqual, false) => {
                if signed {
                    "sle"
                } else {
                    "ule"
                }
            }
            (BinaryOperator::LessEqual, true) => "ole",
            (BinaryOperator::Greater, false) => {
                if signed {
                    "sgt"
                } else {
                    "ugt"
                }
            }
            (BinaryOperator::Greater, true) => "ogt",
            (BinaryOperator::GreaterEqual, false) => {
                if signed {
                    "sge"
                } else {
                    "uge"
                }
            }
            (BinaryOperator::GreaterEqual, true) => "oge",
            _ => return Ok(None),
        };
        let of_type = element(left.scalar)?;
        let (left, right) = (self.value(left)?, self.value(right)?);
        let operation = if is_float { "cmpf" } else { "cmpi" };
        Ok(Some(self.line(&format!("arith.{operation} {relation}, {left}, {right} : {of_type}"))))
    }

    /// Whether a value is not 0.
    fn truth(&mut self, value: &Expression) -> Result<String, String> {
        if let Some(bit) = self.condition(value)? {
            return Ok(bit);
        }
        let of_type = element(value.scalar)?;
        let number = self.value(value)?;
        let (zero, operation) = match value.scalar {
            Scalar::Float { .. } => ("0.0", "cmpf une"),
            _ => ("0", "cmpi ne"),
        };
        let zero = self.line(&format!("arith.constant {zero} : {of_type}"));
        Ok(self.line(&format!("arith.{operation}, {number}, {zero} : {of_type}")))
    }
}

const ITERATED: &str = "it computes with an iterator, which has another place in each operation";

fn element(scalar: Scalar) -> Result<&'static str, String> {
    Ok(match scalar {
        // In memory `_Bool` has 8 bits.
        Scalar::Bool | Scalar::Integer { bits: 8, .. } => "i8",
        Scalar::Integer { bits: 16, .. } => "i16",
        Scalar::Integer { bits: 32, .. } => "i32",
        Scalar::Integer { bits: 64, .. } => "i64",
        Scalar::Half(Half::Ieee) => "f16",
        Scalar::Half(Half::Brain) => "bf16",
        Scalar::Float { bits: 32 } => "f32",
        Scalar::Float { bits: 64 } => "f64",
        other => return Err(format!("{other} is no element of a tensor")),
    })
}

fn tensor(extents: &[i128], element: &str) -> String {
    let extents: String = extents.iter().map(|extent| format!("{extent}x")).collect();
    format!("tensor<{extents}{element}>")
}

/// A map from so many dimensions to some of them.
fn map(rank: usize, places: &[usize]) -> String {
    let list = |places: &mut dyn Iterator<Item = usize>| -> String {
        places.map(|place| format!("d{place}")).collect::<Vec<_>>().join(", ")
    };
    format!("affine_map<({}) -> ({})>", list(&mut (0..rank)), list(&mut places.iter().copied()))
}

fn literal(value: &Expression) -> Option<String> {
    match (&value.kind, value.scalar) {
        (ExpressionKind::Cast(inner), _) if inner.scalar == value.scalar => literal(inner),
        (ExpressionKind::Integer(number), Scalar::Float { .. }) => Some(format!("{number}.0")),
        (ExpressionKind::Integer(number), _) => Some(number.to_string()),
        (ExpressionKind::Float(number), Scalar::Float { bits: 32 }) if !number.is_finite() => {
            Some(format!("0x{:08X}", (*number as f32).to_bits()))
        }
        (ExpressionKind::Float(number), Scalar::Float { .. }) if !number.is_finite() => {
            Some(format!("0x{:016X}", number.to_bits()))
        }
        (ExpressionKind::Float(number), _) => {
            Some(format!("{number:e}").replace('e', if number.fract() == 0.0 { ".0e" } else { "e" }))
        }
        _ => None,
    }
}

fn conversion(from: Scalar, to: Scalar) -> Option<&'static str> {
    let bits = |scalar: Scalar| match scalar {
        Scalar::Bool => 8,
        Scalar::Half(_) => 16,
        Scalar::Integer { bits, .. } | Scalar::Float { bits } | Scalar::Complex { bits } => bits,
    };
    let signed = matches!(from, Scalar::Integer { signed: true, .. });
    let is_float = |scalar: Scalar| matches!(scalar, Scalar::Half(_) | Scalar::Float { .. });
    match (is_float(from), is_float(to)) {
        (false, false) => match bits(from).cmp(&bits(to)) {
            std::cmp::Ordering::Less => Some(if signed { "extsi" } else { "extui" }),
            std::cmp::Ordering::Greater => Some("trunci"),
            std::cmp::Ordering::Equal => None,
        },
        (false, true) => Some(if signed { "sitofp" } else { "uitofp" }),
        (true, false) => {
            Some(if matches!(to, Scalar::Integer { signed: true, .. }) { "fptosi" } else { "fptoui" })
        }
        (true, true) => match bits(from).cmp(&bits(to)) {
            std::cmp::Ordering::Less => Some("extf"),
            std::cmp::Ordering::Greater => Some("truncf"),
            std::cmp::Ordering::Equal => None,
        },
    }
}

fn operation(operator: BinaryOperator, scalar: Scalar) -> Option<&'static str> {
    use crate::ir::BinaryOperator as B;
    if matches!(scalar, Scalar::Float { .. }) {
        return match operator {
            B::Add => Some("addf"),
            B::Subtract => Some("subf"),
            B::Multiply => Some("mulf"),
            B::Divide => Some("divf"),
            _ => None,
        };
    }
    let signed = matches!(scalar, Scalar::Integer { signed: true, .. });
    Some(match operator {
        B::Add => "addi",
        B::Subtract => "subi",
        B::Multiply => "muli",
        B::Divide => {
            if signed {
                "divsi"
            } else {
                "divui"
            }
        }
        B::Remainder => {
            if signed {
                "remsi"
            } else {
                "remui"
            }
        }
        B::ShiftLeft => "shli",
        B::ShiftRight => {
            if signed {
                "shrsi"
            } else {
                "shrui"
            }
        }
        B::And => "andi",
        B::Or => "ori",
        B::Xor => "xori",
        _ => return None,
    })
}

/// Lines that combine a value with an accumulator.
fn combine(
    operator: ReductionOperator,
    scalar: Scalar,
    value: &str,
    accumulator: &str,
    result: &str,
) -> Result<String, String> {
    use crate::ir::ReductionOperator as R;
    let of_type = element(scalar)?;
    let as_binary = match operator {
        R::Add => Some(BinaryOperator::Add),
        R::Multiply => Some(BinaryOperator::Multiply),
        R::And => Some(BinaryOperator::And),
        R::Or => Some(BinaryOperator::Or),
        R::Xor => Some(BinaryOperator::Xor),
        _ => None,
    };
    if let Some(operation) = as_binary.and_then(|operator| operation(operator, scalar)) {
        return Ok(format!("      {result} = arith.{operation} {value}, {accumulator} : {of_type}\n"));
    }
    if operator.is_of_numbers() {
        let operation = if operator == R::LeastNumber { "minnumf" } else { "maxnumf" };
        return Ok(format!("      {result} = arith.{operation} {value}, {accumulator} : {of_type}\n"));
    }
    let signed = matches!(scalar, Scalar::Integer { signed: true, .. });
    let (operation, relation) = match (operator, scalar) {
        (R::Minimum, Scalar::Float { .. }) => ("cmpf", "olt"),
        (R::Maximum, Scalar::Float { .. }) => ("cmpf", "ogt"),
        (R::Minimum, _) => ("cmpi", if signed { "slt" } else { "ult" }),
        (R::Maximum, _) => ("cmpi", if signed { "sgt" } else { "ugt" }),
        _ => return Err(format!("\"{operator}\" has no operation in arith")),
    };
    Ok(format!(
        "      %better = arith.{operation} {relation}, {value}, {accumulator} : {of_type}\n      \
         {result} = arith.select %better, {value}, {accumulator} : {of_type}\n"
    ))
}

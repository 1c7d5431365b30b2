//! Reductions of dimensions as loops.

use super::print::Printer;
use crate::ir::arithmetic::constant;
use crate::ir::{Expression, Pairing, ReduceDimension, ReductionOperator};

impl Printer<'_> {
    /// Loops that reduce a dimension: over it, and inside over what is behind it.
    pub(super) fn reduce_dimension(
        &mut self,
        reduce: &ReduceDimension,
        directive: Option<&str>,
        indent: usize,
    ) {
        let source = self.region.variable(reduce.source);
        let extents: Vec<String> = source
            .extents
            .iter()
            .map(|extent| extent.as_ref().map_or("1".into(), |extent| self.bound(extent)))
            .collect();
        let source = source.name.clone();
        let part = self.fresh("part");
        // The subscripts, and of what is gone through the name, the begin and the end.
        let mut subscripts: Vec<String> = reduce.indices.iter().map(|index| self.value(index)).collect();
        subscripts.push(part.clone());
        let mut loops = Vec::new();
        for (place, extent) in extents.iter().enumerate().skip(reduce.dimension + 1) {
            let range = reduce.ranges.get(place - reduce.dimension - 1).and_then(Option::as_ref);
            if range.is_some_and(is_first_alone) || reduce.target.is_some() && !reduce.mapped.contains(&place)
            {
                subscripts.push("0".into());
                continue;
            }
            let k = self.fresh("k");
            subscripts.push(k.clone());
            let (begin, end) = match range {
                Some((begin, end)) => (self.value(begin), self.bound(end)),
                None => ("0".into(), extent.clone()),
            };
            loops.push((k, begin, end));
        }
        let indexed = |subscripts: &[String]| -> String {
            subscripts.iter().map(|subscript| format!("[{subscript}]")).collect()
        };
        let value = format!("{source}{}", indexed(&subscripts));
        let mut first = subscripts.clone();
        first[reduce.dimension] = "0".into();
        let first = format!("{source}{}", indexed(&first));
        let target = match reduce.target {
            Some(target) => {
                let mapped: Vec<String> =
                    reduce.mapped.iter().map(|dimension| subscripts[*dimension].clone()).collect();
                format!("{}{}", self.name(target), indexed(&mapped))
            }
            None => first.clone(),
        };
        let extent = &extents[reduce.dimension];
        match reduce.pairing {
            Pairing::InOrder => {}
            Pairing::Halves => return self.halves(reduce, &loops, &subscripts, indent),
            Pairing::Neighbours => return self.neighbours(reduce, directive, &loops, &subscripts, indent),
        }
        if matches!(reduce.operator, ReductionOperator::ArgMin | ReductionOperator::ArgMax) {
            let relation = if reduce.operator == ReductionOperator::ArgMin { "<" } else { ">" };
            let depth = self.around(&loops, indent, false);
            let best = self.fresh("best");
            self.line(depth, "{");
            self.line(depth + 2, &format!("long {best} = 0;"));
            self.line(depth + 2, &format!("for (long {part} = 1; {part} < {extent}; {part}++)"));
            let mut chosen = subscripts.clone();
            chosen[reduce.dimension] = best.clone();
            let chosen = format!("{source}{}", indexed(&chosen));
            self.line(depth + 4, &format!("if ({value} {relation} {chosen}) {best} = {part};"));
            self.line(depth + 2, &format!("{target} = {best};"));
            self.line(depth, "}");
            return;
        }
        if let Some(directive) = directive.filter(|_| !loops.is_empty()) {
            self.divide(directive, &loops, indent);
            let depth = self.around(&loops, indent, false);
            self.line(depth, "{");
            if let Some(init) = &reduce.init {
                let text = format!("{target} = {};", self.value(init));
                self.line(depth + 2, &text);
            }
            let begin = usize::from(reduce.target.is_none());
            self.line(depth + 2, &format!("for (long {part} = {begin}; {part} < {extent}; {part}++)"));
            self.combine(reduce.operator, &target, &value, depth + 4);
            self.line(depth, "}");
            return;
        }
        if let Some(init) = &reduce.init {
            let init = self.value(init);
            let depth = self.around(&loops, indent, true);
            self.line(depth, &format!("{target} = {init};"));
        }
        let begin = if reduce.target.is_some() { 0 } else { 1 };
        self.line(indent, &format!("for (long {part} = {begin}; {part} < {extent}; {part}++)"));
        let depth = self.around(&loops, indent + 2, true);
        self.combine(reduce.operator, &target, &value, depth);
    }

    /// Loops that combine the second half of what is left of a dimension with the first, each time.
    fn halves(
        &mut self,
        reduce: &ReduceDimension,
        loops: &[(String, String, String)],
        subscripts: &[String],
        indent: usize,
    ) {
        let source = self.region.variable(reduce.source);
        let name = source.name.clone();
        let at = |part: String| element(&name, subscripts, reduce.dimension, &part);
        let part = &subscripts[reduce.dimension];
        let extent = source.extents[reduce.dimension].as_ref();
        let depth = self.around(loops, indent, false);
        // What is known is written out, as compilers do not unroll the loop over halves.
        if let Some(mut left) = extent.and_then(constant).and_then(|extent| u64::try_from(extent).ok()) {
            if !loops.is_empty() {
                self.line(depth.saturating_sub(2), "{");
            }
            while left > 1 {
                let half = left.next_power_of_two() / 2;
                if left - half > 1 {
                    self.line(depth, &format!("for (long {part} = 0; {part} < {}; {part}++)", left - half));
                    let (first, second) = (at(part.clone()), at(format!("{part} + {half}")));
                    self.combine(reduce.operator, &first, &second, depth + 2);
                } else {
                    self.combine(reduce.operator, &at("0".into()), &at(half.to_string()), depth);
                }
                left = half;
            }
            if !loops.is_empty() {
                self.line(depth.saturating_sub(2), "}");
            }
            return;
        }
        let (left, half) = (self.fresh("left"), self.fresh("half"));
        let extent = extent.map_or("1".into(), |extent| self.bound(extent));
        self.line(
            depth,
            &format!("for (long {left} = {extent}, {half} = 1; {left} > 1; {left} = {half}) {{"),
        );
        self.line(depth + 2, &format!("for ({half} = 1; 2 * {half} < {left}; {half} *= 2);"));
        self.line(depth + 2, &format!("for (long {part} = 0; {part} < {left} - {half}; {part}++)"));
        let (first, second) = (at(part.clone()), at(format!("{part} + {half}")));
        self.combine(reduce.operator, &first, &second, depth + 4);
        self.line(depth, "}");
    }

    /// Loops that combine neighbours, then what has become of them, until one is left.
    fn neighbours(
        &mut self,
        reduce: &ReduceDimension,
        directive: Option<&str>,
        loops: &[(String, String, String)],
        subscripts: &[String],
        indent: usize,
    ) {
        let source = self.region.variable(reduce.source);
        let name = source.name.clone();
        let extent = source.extents[reduce.dimension].as_ref();
        let extent = extent.map_or("1".into(), |extent| self.bound(extent));
        let part = &subscripts[reduce.dimension];
        let span = self.fresh("span");
        let at = |part: String| element(&name, subscripts, reduce.dimension, &part);
        if let Some(directive) = directive.filter(|_| !loops.is_empty()) {
            self.divide(directive, loops, indent);
        }
        let depth = self.around(loops, indent, false);
        self.line(depth, &format!("for (long {span} = 1; {span} < {extent}; {span} *= 2)"));
        if let Some(directive) = directive.filter(|_| loops.is_empty()) {
            self.line(depth + 2, &format!("#pragma omp {directive} firstprivate({span}, {name})"));
        }
        let header = format!("for (long {part} = 0; {part} < {extent} - {span}; {part} += 2 * {span})");
        self.line(depth + 2, &header);
        let (first, second) = (at(part.clone()), at(format!("{part} + {span}")));
        self.combine(reduce.operator, &first, &second, depth + 4);
    }

    /// The directive that divides loops among threads.
    fn divide(&mut self, directive: &str, loops: &[(String, String, String)], indent: usize) {
        let collapse = if loops.len() > 1 { format!(" collapse({})", loops.len()) } else { String::new() };
        self.line(indent, &format!("#pragma omp {directive}{collapse}"));
    }

    /// The heads of loops around a statement, the innermost over consecutive elements; its indentation.
    fn around(&mut self, loops: &[(String, String, String)], indent: usize, simd: bool) -> usize {
        let mut depth = indent;
        for (place, (k, begin, end)) in loops.iter().enumerate() {
            if simd && place + 1 == loops.len() {
                self.line(depth, "#pragma omp simd");
            }
            self.line(depth, &format!("for (long {k} = {begin}; {k} < {end}; {k}++)"));
            depth += 2;
        }
        depth
    }
}

/// Whether a range is that of the first element alone.
pub(super) fn is_first_alone((begin, end): &(Expression, Expression)) -> bool {
    (constant(begin), constant(end)) == (Some(0), Some(1))
}

/// An element of an array: the one with another subscript at a place.
fn element(name: &str, subscripts: &[String], place: usize, at: &str) -> String {
    let before = subscripts[..place].iter().map(String::as_str);
    let all = before.chain([at]).chain(subscripts[place + 1..].iter().map(String::as_str));
    name.to_owned() + &all.map(|subscript| format!("[{subscript}]")).collect::<String>()
}

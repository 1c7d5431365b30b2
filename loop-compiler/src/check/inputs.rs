//! Inputs for a region: sizes, extents and values with which it is defined.
//!
//! The interpreter executes the region in order on each: it tells which extents the accesses need, and that nothing is
//! outside of an array, divided by 0 or read before it is set. What it computes is of no meaning.

use std::collections::{BTreeMap, BTreeSet};

use super::{Case, Overlap};
use crate::{
    interpret::{self, Access, Memory, Options, Random, Sizes},
    ir::{Expression, Node, Reference, Region, Storage, VariableId, located::Located, types::Scalar},
    rules::FloatOrder,
};

/// Values of sizes, in the order in which they are tried.
const SMALL: [i128; 10] = [3, 1, 7, 0, 2, 5, 4, 9, 8, 11];

/// A size with which a loop has more iterations than columns with `--order fixed`, and several tiles of usual sizes.
const LONG: i128 = 130;

/// Bounds of values that are subscripts, if no array says one.
const SUBSCRIPTS: [u64; 5] = [9, 5, 3, 2, 1];

/// Pairs of pointers that are tried in the same memory.
const MOST_OVERLAPS: usize = 4;

/// Elements of each dimension that nothing says the extent of: the first number that suffices, in so many bytes.
const ASSUMED: [u64; 5] = [16, 64, 256, 4096, 1 << 18];
const ASSUMED_BYTES: u64 = 32 << 20;

/// The integer parameters of a region that nothing stores to.
pub fn parameters(region: &Region) -> Vec<String> {
    let mut changed = BTreeSet::new();
    visit(&region.body, &mut |part| match part {
        BodyPart::Store(target, _) => {
            changed.insert(target.variable);
        }
        BodyPart::Set(variable, _) | BodyPart::Reduced(variable) => {
            changed.insert(variable);
        }
        BodyPart::Bound(_) | BodyPart::Condition(_) => {}
    });
    let variables = region.variables.iter().enumerate();
    variables
        .filter(|(index, variable)| {
            variable.extents.is_empty()
                && variable.scalar.is_integer()
                && variable.storage != Storage::Region
                && !changed.contains(&VariableId(*index))
        })
        .map(|(_, variable)| variable.name.clone())
        .collect()
}

/// At most so many inputs; some sizes are given. An error says why there is none.
pub(super) fn inputs(
    region: &Region,
    wanted: usize,
    given: &BTreeMap<String, i64>,
    order: FloatOrder,
    options: &Options,
) -> Result<Vec<Case>, String> {
    let names = parameters(region);
    let given: BTreeMap<String, i128> =
        given.iter().map(|(name, size)| (name.clone(), i128::from(*size))).collect();
    let free: Vec<&String> = names.iter().filter(|name| !given.contains_key(*name)).collect();
    let mut cases = Vec::new();
    let mut reason = None;
    // Sizes with which the region is not defined, or too long, are left out.
    for (number, chosen) in sizes(&free, wanted).into_iter().enumerate().take(4 * wanted) {
        if cases.len() == wanted {
            break;
        }
        let mut values: BTreeMap<String, i128> =
            given.iter().filter(|(name, _)| names.contains(name)).map(|(n, v)| (n.clone(), *v)).collect();
        values.extend(chosen);
        let label: Vec<_> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let label = if label.is_empty() { format!("values {}", number + 1) } else { label.join(", ") };
        match Draw::of(region, values, number as u64, order, options).memory() {
            Ok(memory) => cases.push(Case::new(label, region.clone(), memory)),
            Err(error) => {
                reason.get_or_insert_with(|| format!("with {label}: {error}"));
            }
        }
    }
    let mut extreme: Vec<Case> = Vec::new();
    for case in by_size(&cases) {
        if extreme.len() == wanted / 4 {
            break;
        }
        extreme.extend(extremes(case, &names, order, options));
    }
    cases.truncate(wanted - extreme.len());
    cases.append(&mut extreme);
    match cases.is_empty() {
        true => Err(reason.unwrap_or_default()),
        false => Ok(cases),
    }
}

/// The largest inputs first.
fn by_size(cases: &[Case]) -> Vec<&Case> {
    let bytes = |case: &Case| case.memory.iter().map(|(.., cells)| cells.bytes.len()).sum::<usize>();
    let mut all: Vec<&Case> = cases.iter().collect();
    all.sort_by_key(|case| std::cmp::Reverse(bytes(case)));
    all
}

/// An input with extreme values, if the region is defined with them: of every type if floats keep their order, else of
/// integers alone.
fn extremes(case: &Case, sizes: &[String], order: FloatOrder, options: &Options) -> Option<Case> {
    let used = subscripts(&case.region, &case.memory);
    (0..4).find_map(|seed| {
        let mut random = Random(100 + seed);
        let mut memory = case.memory.clone();
        let cells: Vec<_> =
            memory.iter().map(|(id, members, cells)| (id, members.to_vec(), cells.scalar)).collect();
        for (variable, members, scalar) in cells {
            let is_float = matches!(scalar, Scalar::Float { .. });
            // The more that is extreme the less often a region is defined.
            let is_fixed = used.contains_key(&variable)
                || sizes.contains(&case.region.variable(variable).name)
                || is_float && (order != FloatOrder::Kept || seed == 3);
            let members: Vec<&str> = members.iter().map(String::as_str).collect();
            let bytes = memory.bytes_mut(variable, &members).filter(|_| !is_fixed);
            for element in bytes.into_iter().flat_map(|bytes| bytes.chunks_exact_mut(scalar.size())) {
                if let Some(value) = extreme(scalar, &mut random).filter(|_| random.below(seed + 2) == 0) {
                    element.copy_from_slice(&value.to_le_bytes()[..scalar.size()]);
                }
            }
        }
        interpret::observe(&case.region, &mut memory.clone(), options, &mut |_| {}).ok()?;
        let label = format!("{} and extreme values", case.label);
        Some(Case { label, memory, is_extreme: true, ..case.clone() })
    })
}

/// The bits of a value at the end of its type.
fn extreme(scalar: Scalar, random: &mut Random) -> Option<i128> {
    match scalar {
        Scalar::Integer { bits, signed } => {
            let least = if signed { -1 << (bits - 1) } else { 0 };
            let values = [0, 1, -1, least, least + 1, !least, !least - 1, i128::from(random.below(u64::MAX))];
            Some(values[random.below(values.len() as u64) as usize])
        }
        Scalar::Float { bits } => {
            let values = [
                0.0,
                -0.0,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MAX,
                f64::MIN,
                1e-310,
                1e-40,
                1.0,
                -1.0,
            ];
            let value = values[random.below(values.len() as u64) as usize];
            Some(if bits == 32 { (value as f32).to_bits().into() } else { value.to_bits().into() })
        }
        Scalar::Bool | Scalar::Half(_) | Scalar::Complex { .. } => None,
    }
}

/// The input with different values in arrays whose values choose elements or iterations: 0, 1 and so on; and the names of these
/// arrays. None if there are no such arrays, or if the region is not defined with these values.
pub(super) fn with_different_elements(case: &Case, options: &Options) -> Option<(Case, Vec<String>)> {
    let used = subscripts(&case.region, &case.memory);
    let mut changed = case.clone();
    let mut names = Vec::new();
    let arrays: Vec<_> = (case.memory.iter())
        .filter(|(id, _, cells)| {
            used.contains_key(id) && cells.scalar.is_integer() && !cells.extents.is_empty()
        })
        .map(|(id, members, cells)| (case.region.full_name(id, members), cells.len()))
        .collect();
    for (name, count) in arrays {
        changed.memory.set_values(&name, (0..count).map(|at| at as f64));
        names.push(name);
    }
    interpret::observe(&changed.region, &mut changed.memory.clone(), options, &mut |_| {}).ok()?;
    (!names.is_empty()).then_some((changed, names))
}

/// The largest input with pairs of pointers, of those that may overlap, into the same memory: to the same element, to
/// neighbours, and one directly behind the elements of the other.
pub(super) fn overlapping(region: &Region, cases: &[Case]) -> Vec<Case> {
    let Some(case) = by_size(cases).into_iter().find(|case| !case.is_extreme) else { return Vec::new() };
    let used = subscripts(region, &case.memory);
    let pointer = |name: &String| {
        let index = region.variables.iter().position(|variable| variable.name == *name)?;
        let is_pointer = match region.variables[index].storage {
            Storage::Parameter | Storage::Pointer => true,
            Storage::Global => region.variables[index].extents.first() == Some(&None),
            Storage::Local | Storage::Region => false,
        };
        let id = VariableId(index);
        let cells = case.memory.cells(id, &[]).filter(|cells| !cells.extents.is_empty())?;
        (is_pointer && !used.contains_key(&id)).then_some((id, cells))
    };
    let mut all = Vec::new();
    for (one, other) in region.overlaps.iter().filter(|(one, other)| one != other).take(MOST_OVERLAPS) {
        let (Some((first, cells)), Some((second, others))) = (pointer(one), pointer(other)) else { continue };
        let element = cells.scalar.size().max(others.scalar.size()) as i64;
        let all_bytes = cells.bytes.len() as i64;
        for bytes in [0, element, -element, all_bytes] {
            let label = format!("{} and `{other}` {bytes} bytes behind `{one}`", case.label);
            let overlap = Some(Overlap { first, second, bytes });
            all.push(Case { label, overlap, ..case.clone() });
        }
    }
    all
}

/// Combinations of sizes, more than are wanted, as some may not be possible: equal ones, one that is long and the others
/// short, and any.
fn sizes(names: &[&String], wanted: usize) -> Vec<BTreeMap<String, i128>> {
    let of = |size: &dyn Fn(usize) -> i128| -> BTreeMap<String, i128> {
        names.iter().enumerate().map(|(place, name)| ((*name).clone(), size(place))).collect()
    };
    if names.is_empty() {
        return vec![BTreeMap::new(); wanted.min(3)];
    }
    let mut all: Vec<_> = SMALL[..4].iter().map(|size| of(&|_| *size)).collect();
    all.extend((0..names.len().min(3)).map(|long| of(&|place| if place == long { LONG } else { 3 })));
    all.extend(SMALL[4..6].iter().map(|size| of(&|_| *size)));
    if let [_] = names {
        all.extend(SMALL[6..].iter().chain(&[17, 65, 100]).map(|size| of(&|_| *size)));
    }
    let mut random = Random(1);
    for _ in 0..4 * wanted {
        let drawn: Vec<i128> =
            names.iter().map(|_| SMALL[random.below(SMALL.len() as u64) as usize]).collect();
        all.push(of(&|place| drawn[place]));
    }
    let mut seen = BTreeSet::new();
    all.retain(|sizes| seen.insert(sizes.clone()));
    all
}

/// What the memory of one input is drawn from.
struct Draw<'d> {
    region: &'d Region,
    values: BTreeMap<String, i128>,
    seed: u64,
    order: FloatOrder,
    options: &'d Options,
    /// Variables whose values become subscripts or bounds of loops, with the least extent that they are subscripts of.
    subscripts: BTreeMap<VariableId, Option<u64>>,
}

impl<'d> Draw<'d> {
    fn of(
        region: &'d Region,
        values: BTreeMap<String, i128>,
        seed: u64,
        order: FloatOrder,
        options: &'d Options,
    ) -> Draw<'d> {
        Draw { region, values, seed, order, options, subscripts: BTreeMap::new() }
    }

    /// Memory with which the region is defined.
    fn memory(mut self) -> Result<Memory, Located> {
        let options = Options { memory: ASSUMED_BYTES, ..self.options.clone() };
        let mut last = None;
        for bound in SUBSCRIPTS {
            for assumed in ASSUMED {
                let sizes = Sizes { values: self.values.clone(), unknown: Some(assumed), ..Sizes::default() };
                let mut memory = match Memory::new(self.region, &sizes, &options) {
                    Ok(memory) => memory,
                    Err(error) => {
                        last.get_or_insert(error);
                        break;
                    }
                };
                self.subscripts = subscripts(self.region, &memory);
                self.subscripts.retain(|id, _| !self.values.contains_key(&self.region.variable(*id).name));
                self.fill(&mut memory, bound);
                match self.extents(&memory) {
                    Ok(extents) => return self.cut(&memory, extents),
                    Err(error) => last = Some(error),
                }
            }
            if self.subscripts.is_empty() {
                break;
            }
        }
        Err(last.unwrap_or_default())
    }

    /// Sets all values but the sizes.
    fn fill(&self, memory: &mut Memory, bound: u64) {
        memory.fill(self.seed + 1);
        let mut random = Random(self.seed);
        let cells: Vec<_> = memory
            .iter()
            .map(|(id, members, cells)| (id, members.to_vec(), cells.scalar, cells.len()))
            .collect();
        for (variable, members, scalar, count) in cells {
            let declared = self.region.variable(variable);
            if self.values.contains_key(&declared.name) {
                continue;
            }
            let name = self.region.full_name(variable, &members);
            match (self.subscripts.get(&variable), scalar) {
                (Some(least), scalar) if scalar.is_integer() => {
                    let below = least.map_or(bound, |least| least.min(bound * bound)).max(1);
                    memory.set_values(&name, (0..count).map(|_| random.below(below) as f64));
                }
                // Every other input has values whose sums are rounded: of orders that may differ positive ones, so that
                // rounding stays small beside the sums.
                (None, Scalar::Float { .. }) if self.seed % 2 == 1 && self.order != FloatOrder::Free => {
                    let unit = |random: &mut Random| random.below(1 << 53) as f64 / (1u64 << 53) as f64;
                    let (least, range) =
                        if self.order == FloatOrder::Fixed { (0.5, 1.5) } else { (-8.0, 16.0) };
                    memory.set_values(&name, (0..count).map(|_| least + range * unit(&mut random)));
                }
                _ => {}
            }
        }
    }

    /// The elements of each array that the region accesses, by name; an error if it is not defined.
    fn extents(&self, memory: &Memory) -> Result<BTreeMap<String, Vec<u64>>, Located> {
        let mut extents: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for (variable, members, cells) in memory.iter() {
            let declared = &self.region.variable(variable).extents;
            let known = |(place, extent): (usize, &u64)| match declared.get(place) {
                Some(Some(_)) => *extent,
                _ => 0,
            };
            let known = cells.extents.iter().enumerate().map(known).collect();
            extents.insert(self.region.full_name(variable, members), known);
        }
        let mut memory = memory.clone();
        interpret::observe(self.region, &mut memory, self.options, &mut |access: &Access<'_, '_>| {
            if let Some(extents) = extents.get_mut(&self.region.full_name(access.variable, access.members)) {
                for (extent, at) in extents.iter_mut().zip(access.subscripts) {
                    *extent = (*extent).max(*at as u64 + 1);
                }
            }
        })?;
        Ok(extents)
    }

    /// The memory with these extents; those that nothing says are a bit larger, as guards depend on values.
    fn cut(&self, roomy: &Memory, mut extents: BTreeMap<String, Vec<u64>>) -> Result<Memory, Located> {
        let product = self
            .values
            .values()
            .fold(1, |product: u64, size| product.saturating_mul(u64::try_from(*size).unwrap_or(1).max(1)));
        for (variable, members, cells) in roomy.iter() {
            let declared = &self.region.variable(variable).extents;
            let is_known = |place: usize| matches!(declared.get(place), Some(Some(_)));
            let unknown = (0..cells.extents.len()).filter(|place| !is_known(*place)).count();
            let more = product.min(if unknown > 1 { 16 } else { 256 });
            if let Some(own) = extents.get_mut(&self.region.full_name(variable, members)) {
                for (place, extent) in own.iter_mut().enumerate().filter(|(place, _)| !is_known(*place)) {
                    *extent = (*extent + more).min(cells.extents[place]);
                }
            }
        }
        let sizes = Sizes { values: self.values.clone(), extents, unknown: None };
        let mut memory = Memory::new(self.region, &sizes, self.options)?;
        memory.copy_common(roomy);
        Ok(memory)
    }
}

/// Variables of integers whose values become subscripts or bounds of loops, also by way of scalars.
fn subscripts(region: &Region, memory: &Memory) -> BTreeMap<VariableId, Option<u64>> {
    let mut found: BTreeMap<VariableId, Option<u64>> = BTreeMap::new();
    let add = |found: &mut BTreeMap<VariableId, Option<u64>>, variable: VariableId, extent: Option<u64>| {
        let known = found.entry(variable).or_default();
        *known = match (*known, extent) {
            (Some(first), Some(second)) => Some(first.min(second)),
            (first, second) => first.or(second),
        };
    };
    let mut references: Vec<&Reference> = Vec::new();
    let mut values: Vec<(VariableId, &Expression)> = Vec::new();
    let (mut bounds, mut conditions): (Vec<&Expression>, Vec<&Expression>) = (Vec::new(), Vec::new());
    visit(&region.body, &mut |part| match part {
        BodyPart::Store(target, value) => {
            references.push(target);
            values.push((target.variable, value));
        }
        BodyPart::Set(variable, value) => values.push((variable, value)),
        BodyPart::Bound(value) => bounds.push(value),
        BodyPart::Condition(value) => conditions.push(value),
        BodyPart::Reduced(_) => {}
    });
    let controls = bounds.iter().chain(&conditions).copied();
    for value in values.iter().map(|(_, value)| *value).chain(controls) {
        value.visit_reads(&mut |reference| references.push(reference));
    }
    for target in references.clone() {
        for subscript in target.subscripts() {
            subscript.visit_reads(&mut |reference| references.push(reference));
        }
    }
    for reference in references {
        let members: Vec<&str> = reference.members().collect();
        let extents = memory.cells(reference.variable, &members).map(|cells| cells.extents.clone());
        for (place, subscript) in reference.subscripts().enumerate() {
            let whole = crate::ir::compare::stripped(subscript);
            let declared = region.variable(reference.variable).extents.get(place);
            let extent = extents.as_ref().and_then(|extents| extents.get(place)).copied();
            let extent = extent.filter(|_| matches!(declared, Some(Some(_))));
            subscript.visit_reads(&mut |read| {
                let direct = matches!(&whole.kind, crate::ir::ExpressionKind::Read(whole) if whole == read);
                add(&mut found, read.variable, extent.filter(|_| direct));
            });
        }
    }
    for bound in bounds {
        bound.visit_reads(&mut |read| add(&mut found, read.variable, None));
    }
    // Scalars that are set to values pass them on.
    loop {
        let before = found.clone();
        for (variable, value) in &values {
            if let Some(extent) = before.get(variable).copied() {
                value.visit_reads(&mut |read| add(&mut found, read.variable, extent));
            }
        }
        if found == before {
            break;
        }
    }
    found.retain(|variable, _| region.variable(*variable).storage != Storage::Region);
    found
}

/// What a body stores, sets, and is controlled by, in its order.
enum BodyPart<'r> {
    Store(&'r Reference, &'r Expression),
    Set(VariableId, &'r Expression),
    Bound(&'r Expression),
    Condition(&'r Expression),
    Reduced(VariableId),
}

fn visit<'r>(nodes: &'r [Node], each: &mut impl FnMut(BodyPart<'r>)) {
    for node in nodes {
        match node {
            Node::Loop(looped) => {
                each(BodyPart::Set(looped.iterator, &looped.lower));
                for part in [&looped.lower, &looped.condition, &looped.step] {
                    each(BodyPart::Bound(part));
                }
                visit(&looped.body, each);
            }
            Node::If(guard) => {
                each(BodyPart::Condition(&guard.condition));
                visit(&guard.then, each);
                visit(&guard.otherwise, each);
            }
            Node::Statement(statement) => each(BodyPart::Store(&statement.target, &statement.value)),
            Node::Declaration(declaration) => {
                if let Some(value) = &declaration.value {
                    each(BodyPart::Set(declaration.variable, value));
                }
            }
            Node::ReduceDimension(reduce) => each(BodyPart::Reduced(reduce.target.unwrap_or(reduce.source))),
            Node::Break(_) | Node::Private(_) => {}
        }
    }
}

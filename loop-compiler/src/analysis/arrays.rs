//! The arrays of a region: when they do not overlap, and what of them a device needs.

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    analysis::{bounds, program::Program},
    c,
    ir::{
        Aliasing, BinaryOperator, Expression, Region, Step, Storage, Variable, VariableId,
        arithmetic::{self, add, number, subtract},
        compare, convert,
    },
    isl::{Context, IslError},
    rules::{Rejection, Rule},
};

/// An array or a structure that a device needs.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    variable: VariableId,
    /// Whether the region changes it.
    changed: bool,
    /// Of a pointer the first element and their number, by the names of variables that have the values.
    section: Option<[(String, Expression); 2]>,
    /// Whether these are the elements with which a parameter is declared, as others are not known.
    is_declared: bool,
}

impl Map {
    /// A parameter whose declaration is taken for the number of its elements.
    pub fn declared(&self) -> Option<VariableId> {
        self.is_declared.then_some(self.variable)
    }
}

/// What is printed inside of a construct that moves the arrays to the device, and back.
pub(crate) fn moved(
    maps: &[Map],
    region: &Region,
    indent: usize,
    inside: impl Fn(usize) -> String,
) -> String {
    if maps.is_empty() {
        return inside(indent);
    }
    let blank = " ".repeat(indent);
    let (mut values, mut clauses) = (String::new(), String::new());
    for Map { variable, changed, section, .. } in maps {
        let name = &region.variable(*variable).name;
        let moved = if *changed { "tofrom" } else { "to" };
        clauses += &format!(" map({moved}: {name}");
        // clang 22 makes wrong code of `?:` in a clause.
        if let Some([(first, least), (count, number)]) = section {
            let (least, number) = (c::value(region, least), c::value(region, number));
            values += &format!("{blank}long {first} = {least}, {count} = {number};\n");
            clauses += &format!("[{first}:{count}]");
        }
        clauses += ")";
    }
    let inside = inside(indent + 2);
    format!("{values}{blank}#pragma omp target data{clauses}\n{blank}{{\n{inside}{blank}}}\n")
}

/// Conditions under which the arrays of a region do not overlap, or why there are none. Arrays that are moved to a device
/// must not overlap either if they are only read, unless they are the same.
pub(crate) fn distinct(
    program: &Program<'_>,
    context: &Rc<Context>,
    is_moved: bool,
) -> Result<Result<Vec<String>, Rejection>, IslError> {
    let region = program.region;
    let mut ranges: BTreeMap<&String, Option<Addresses>> = BTreeMap::new();
    let moved = || region.moved_together.iter().filter(|_| is_moved);
    let pairs = region.overlaps.iter().chain(&region.apart_by_type).map(|(first, second)| [first, second]);
    for name in pairs.chain(moved().map(|(first, second, _)| [first, second])).flatten() {
        if !ranges.contains_key(name) {
            ranges.insert(name, addresses(program, context, name, is_moved)?);
        }
    }
    let names = ["row", "other_row", "last", "other_last", "up", "down"].map(|name| unused(region, name));
    let mut conditions = Vec::new();
    for (first, second) in &region.overlaps {
        match (&ranges[first], &ranges[second]) {
            (Some(first), Some(second)) => conditions.extend(first.apart_from(second, &names)),
            (first_range, _) => {
                let name = if first_range.is_none() { first } else { second };
                let reason = format!(
                    "which elements of `{name}` are accessed is not known, so that it cannot be checked whether it overlaps \
                     with others; declare it restrict, or pass --assume-distinct"
                );
                return Ok(Err(Rejection::new(Rule::Aliasing, region.at, reason)));
            }
        }
    }
    for (first, second) in &region.apart_by_type {
        if let (Some(first), Some(second)) = (&ranges[first], &ranges[second]) {
            conditions.extend(first.apart_from(second, &names));
        }
    }
    for (first, second, is_written) in moved() {
        if let (Some(first), Some(second)) = (&ranges[first], &ranges[second])
            && let Some(apart) = first.apart_from(second, &names)
        {
            let same = format!("{} == {} && {} == {}", first.begin, second.begin, first.past, second.past);
            conditions.push(if *is_written { apart } else { format!("({apart} || ({same}))") });
        }
    }
    Ok(Ok(conditions))
}

/// The memory of an array that a region accesses, as C.
struct Addresses {
    name: String,
    /// Where it begins, and what is behind it; of rows those of one, see [`ROW`].
    begin: String,
    past: String,
    /// The first and the last row.
    rows: Option<(String, String)>,
    /// When it may be computed, as it takes loads of pointers.
    when: Option<String>,
}

/// What stands for the number of a row.
const ROW: char = '\u{1}';

impl Addresses {
    /// A condition under which this memory and another are apart, or the rows of one array; none if there is one row.
    fn apart_from(&self, other: &Addresses, names: &[String; 6]) -> Option<String> {
        let [row, other_row, last, other_last, up, down] = names;
        let of = |text: &str, row: &str| text.replace(ROW, row);
        let test = match (&self.rows, &other.rows) {
            (None, None) if self.name == other.name => return None,
            (None, None) => {
                format!("({} <= {} || {} <= {})", self.past, other.begin, other.past, self.begin)
            }
            (Some((first, past_last)), _) if self.name == other.name => {
                let next = format!("({row} + 1)");
                let (begin, past) = (of(&self.begin, row), of(&self.past, row));
                let (next_begin, next_past) = (of(&self.begin, &next), of(&self.past, &next));
                format!(
                    "({{ _Bool {up} = 1, {down} = 1; \
                     for (long {row} = {first}; {row} < {past_last} && ({up} || {down}); {row}++) {{ \
                     {up} &= {past} <= {next_begin}; {down} &= {next_past} <= {begin}; }} {up} || {down}; }})"
                )
            }
            // One range beside rows in any order.
            (Some(_), None) | (None, Some(_)) => {
                let (rows, range) = if self.rows.is_some() { (self, other) } else { (other, self) };
                let (first, end) = rows.rows.as_ref()?;
                let (begin, past) = (of(&rows.begin, row), of(&rows.past, row));
                format!(
                    "({{ _Bool {up} = 1; for (long {row} = {first}; {row} <= {end} && {up}; {row}++) \
                     {up} = {past} <= {} || {} <= {begin}; {up}; }})",
                    range.begin, range.past
                )
            }
            // Rows that lie in their order are gone through side by side: what is behind the rows of one side is behind
            // those of before, too. The rows that are left when one side ends must lie in their order as well.
            (Some((first, end)), Some((other_first, other_end))) => {
                let (begin, past) = (of(&self.begin, row), of(&self.past, row));
                let (other_begin, other_past) = (of(&other.begin, other_row), of(&other.past, other_row));
                format!(
                    "({{ _Bool {up} = 1; __UINTPTR_TYPE__ {last} = 0, {other_last} = 0; \
                     for (long {row} = {first}, {other_row} = {other_first}; \
                     {up} && ({row} <= {end} || {other_row} <= {other_end});) {{ \
                     if ({other_row} > {other_end} || ({row} <= {end} && {past} <= {other_begin})) \
                     {{ {up} = {last} <= {begin}; {last} = {begin}; {row}++; }} \
                     else if ({row} > {end} || {other_past} <= {begin}) \
                     {{ {up} = {other_last} <= {other_begin}; {other_last} = {other_begin}; {other_row}++; }} \
                     else {up} = 0; }} {up}; }})"
                )
            }
        };
        let both: Vec<String> =
            [&self.when, &other.when].into_iter().flatten().map(|when| format!("({when})")).collect();
        Some(match both.is_empty() {
            true => test,
            false => format!("(!({}) || {test})", both.join(" && ")),
        })
    }
}

/// The memory that a name in [`Region::overlaps`] stands for; none if it is not known.
fn addresses(
    program: &Program<'_>,
    context: &Rc<Context>,
    name: &str,
    is_moved: bool,
) -> Result<Option<Addresses>, IslError> {
    let region = program.region;
    let pointer = name.strip_prefix('&').map(|name| name.strip_suffix("[]").unwrap_or(name));
    let target = pointer.unwrap_or(name);
    let leads_to = |array: &crate::analysis::program::Array| match pointer {
        None => array.name == *target,
        Some(_) => {
            array.name.strip_prefix(target).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        }
    };
    let Some(array) = program.arrays.iter().position(leads_to) else { return Ok(None) };
    let described = &program.arrays[array];
    let variable = region.variable(described.variable);
    // Scalars are copied with a kernel.
    if is_moved
        && pointer.is_none()
        && program.accesses.iter().any(|access| access.array == array && !access.reference.path.is_empty())
    {
        return moved_addresses(program, context, name, described.variable);
    }
    let accesses: Vec<usize> =
        (0..program.accesses.len()).filter(|access| program.accesses[*access].array == array).collect();
    let Some(access) = accesses.first().map(|access| &program.accesses[*access]) else { return Ok(None) };
    let key = |members: usize| (described.variable, described.members[..members].to_vec());
    let path = &access.reference.path;
    let steps = match pointer {
        None => path.len(),
        // The pointer is the variable.
        Some(target) if !name.ends_with("[]") && target == variable.name => 0,
        Some(target) => match region.loaded.get(&key(target.matches('.').count())) {
            Some(steps) => *steps,
            None => return Ok(None),
        },
    };
    let (bounds, when) = bounds::everywhere(program, context, &accesses)?;
    // The last pointer that is loaded on the way.
    let loaded = (0..=described.members.len()).filter_map(|members| region.loaded.get(&key(members)));
    let loaded = loaded.copied().filter(|loaded| *loaded < steps).max();
    let (mut first, mut last) = (variable.name.clone(), variable.name.clone());
    let mut rows = None;
    let mut bounds = bounds.into_iter().enumerate();
    for (at, step) in path.iter().take(steps).enumerate() {
        if let Step::Member(member) = step {
            first += &format!(".{member}");
            last += &format!(".{member}");
            continue;
        }
        let Some((place, bounds)) = bounds.next() else { return Ok(None) };
        let declared = variable.extents.get(place).cloned().flatten();
        let owns =
            matches!(variable.storage, Storage::Global | Storage::Local) && described.members.is_empty();
        let bounds = bounds.or_else(|| {
            let extent = declared.filter(|_| owns)?;
            let end = subtract(extent, number(1));
            Some((number(0), end))
        });
        let Some((least, greatest)) = bounds else { return Ok(None) };
        let (least, greatest) = (c::value(region, &least), c::value(region, &greatest));
        if loaded.is_some_and(|loaded| at < loaded) && least != greatest {
            if rows.replace((format!("({least})"), format!("({greatest})"))).is_some() {
                return Ok(None);
            }
            first += &format!("[{ROW}]");
            last += &format!("[{ROW}]");
        } else {
            first += &format!("[{least}]");
            last += &format!("[{greatest}]");
        }
    }
    let address = |text: &str| format!("(__UINTPTR_TYPE__) {text}");
    let when = match (loaded, when) {
        (None, _) => None,
        (Some(_), bounds::When::Always) => None,
        (Some(_), bounds::When::If(condition)) => Some(c::value(region, &condition)),
        (Some(_), bounds::When::Unknown) => return Ok(None),
    };
    // A null pointer leads to no memory.
    let is_set = (0..=described.members.len()).filter_map(|members| region.null_tests.get(&key(members)));
    let is_set = is_set.map(|test| region.variable(*test).name.clone());
    let when: Vec<String> = is_set.chain(when).collect();
    let when = (!when.is_empty()).then(|| when.join(" && "));
    Ok(Some(Addresses {
        name: name.into(),
        begin: address(&format!("&{first}")),
        past: address(&format!("(&{last} + 1)")),
        rows,
        when,
    }))
}

/// What is moved to the device, and back, as OpenMP's clauses say it; or which array's elements are not known.
pub(crate) fn maps(
    program: &Program<'_>,
    context: &Rc<Context>,
) -> Result<Result<Vec<Map>, Rejection>, IslError> {
    let region = program.region;
    let mut variables: BTreeMap<VariableId, bool> = BTreeMap::new();
    for access in &program.accesses {
        let array = &program.arrays[access.array];
        let is_scalar = access.reference.path.is_empty();
        if is_scalar || array.declared_in.is_some() {
            continue;
        }
        *variables.entry(array.variable).or_default() |= access.write;
    }
    let mut clauses = Vec::new();
    for (id, changed) in variables {
        let variable = region.variable(id);
        let unknown = |why: &str| {
            let reason = format!(
                "which elements of `{}` are accessed is not known, so that it cannot be mapped to the device: {why}",
                variable.name
            );
            Ok(Err(Rejection::new(Rule::Model, region.at, reason)))
        };
        if variable.aliasing == Aliasing::Rows {
            return unknown("its rows may lie anywhere; use one array");
        }
        let of_region = |array: &&crate::analysis::program::Array| array.variable == id;
        let is_loaded = |array: &crate::analysis::program::Array| {
            (0..=array.members.len())
                .any(|members| region.loaded.contains_key(&(id, array.members[..members].to_vec())))
        };
        if program.arrays.iter().filter(of_region).any(is_loaded) {
            return unknown("a pointer in memory points to them; copy it into a variable");
        }
        if is_object(variable) {
            clauses.push(Map { variable: id, changed, section: None, is_declared: false });
            continue;
        }
        // Compilers replace such a pointer by what it points to, which is another variable.
        if variable.storage == Storage::Global && variable.declared_type.contains("*const") {
            return unknown("it is a constant pointer; copy it into a variable");
        }
        let Some(Section { first, last, when, is_declared }) = section(program, context, id)? else {
            return unknown("declare it as an array, or access it through a pointer to one");
        };
        let count = subtract(add(last, number(1)), first.clone());
        let when = when.filter(|when| !says_positive(when, &count));
        // Of elements that are accessed the last is not in front of the first.
        let count = match when.is_some() && !is_declared {
            true => count,
            false => arithmetic::greatest(count, number(0)),
        };
        let count = match when {
            Some(when) => convert::select(when, count, number(0)),
            None => count,
        };
        let section = Some([
            (unused(region, &format!("{}_first", variable.name)), first),
            (unused(region, &format!("{}_count", variable.name)), count),
        ]);
        clauses.push(Map { variable: id, changed, section, is_declared });
    }
    Ok(Ok(clauses))
}

/// Whether a variable has the memory of its elements, of a known size.
fn is_object(variable: &Variable) -> bool {
    variable.extents.first().is_none_or(Option::is_some)
        && matches!(variable.storage, Storage::Global | Storage::Local)
}

/// The elements of the outermost dimension that a region accesses.
struct Section {
    first: Expression,
    last: Expression,
    /// When there are elements, if not always.
    when: Option<Expression>,
    /// Whether these are the elements of a parameter's declaration.
    is_declared: bool,
}

/// Whether a condition only says that a number is at least 1.
fn says_positive(condition: &Expression, number: &Expression) -> bool {
    let Some((relation, left, right)) = compare::comparison(condition) else { return false };
    let (is_left, is_right) = (compare::same(left, number, None), compare::same(right, number, None));
    match (relation, arithmetic::constant(left), arithmetic::constant(right)) {
        (BinaryOperator::GreaterEqual, _, Some(1)) | (BinaryOperator::Greater, _, Some(0)) => is_left,
        (BinaryOperator::LessEqual, Some(1), _) | (BinaryOperator::Less, Some(0), _) => is_right,
        _ => false,
    }
}

/// The elements of a variable's outermost dimension that the region accesses; none if they are not known.
fn section(
    program: &Program<'_>,
    context: &Rc<Context>,
    id: VariableId,
) -> Result<Option<Section>, IslError> {
    let mut all: Option<(Expression, Expression)> = None;
    let mut is_declared = false;
    let mut conditions = Vec::new();
    let parameter = program.region.declared_lengths.get(&id).cloned();
    for array in (0..program.arrays.len()).filter(|array| program.arrays[*array].variable == id) {
        let accesses: Vec<usize> =
            (0..program.accesses.len()).filter(|access| program.accesses[*access].array == array).collect();
        if accesses.is_empty() {
            continue;
        }
        let (bounds, when) = bounds::everywhere(program, context, &accesses)?;
        let bounds = bounds.into_iter().next().flatten();
        let declared = program.region.variable(id).extents.first().cloned().flatten();
        let declared = declared.or_else(|| parameter.clone().inspect(|_| is_declared |= bounds.is_none()));
        let bounds = bounds.or_else(|| Some((number(0), subtract(declared?, number(1)))));
        let Some((first, last)) = bounds else { return Ok(None) };
        conditions.push(match when {
            bounds::When::Always => None,
            bounds::When::If(condition) => Some(condition),
            bounds::When::Unknown => return Ok(None),
        });
        all = Some(match all {
            None => (first, last),
            Some((least, most)) => (arithmetic::least(least, first), arithmetic::greatest(most, last)),
        });
    }
    let when = conditions.into_iter().collect::<Option<Vec<_>>>().and_then(arithmetic::any_of);
    Ok(all.map(|(first, last)| Section { first, last, when, is_declared }))
}

/// What is moved to a device of a variable; none if it is not known.
fn moved_addresses(
    program: &Program<'_>,
    context: &Rc<Context>,
    name: &str,
    id: VariableId,
) -> Result<Option<Addresses>, IslError> {
    let region = program.region;
    let variable = region.variable(id);
    let (first, last) = match is_object(variable) {
        true => (String::new(), String::new()),
        false => {
            let Some(Section { first, last, .. }) = section(program, context, id)? else { return Ok(None) };
            // With what the pointer itself points to: in the section of another array it would be taken for an element there.
            let (first, last) = match arithmetic::constant(&first) {
                Some(0) => (first, last),
                _ => (arithmetic::least(first, number(0)), arithmetic::greatest(last, number(0))),
            };
            (format!("[{}]", c::value(region, &first)), format!("[{}]", c::value(region, &last)))
        }
    };
    Ok(Some(Addresses {
        name: name.into(),
        begin: format!("(__UINTPTR_TYPE__) &{}{first}", variable.name),
        past: format!("(__UINTPTR_TYPE__) (&{}{last} + 1)", variable.name),
        rows: None,
        when: None,
    }))
}

/// A name that no variable of the region has, nor one of those that are made for it.
fn unused(region: &Region, name: &str) -> String {
    let mut name = name.to_string();
    while region.variables.iter().any(|variable| variable.name == name) {
        name += "_";
    }
    name
}

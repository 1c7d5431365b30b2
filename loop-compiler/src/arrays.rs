//! The arrays of a region: when they do not overlap, and what of them a device needs.

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    arithmetic::{self, add, number, subtract},
    bounds, c,
    isl::{Context, IslError},
    program::Program,
    rules::{Rejection, Rule},
    tree::{Aliasing, Expression, Region, Step, Storage, VariableId},
};

/// An array or a structure that a device needs.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    variable: VariableId,
    /// Whether the region changes it.
    changed: bool,
    /// Of a pointer the first element and their number, by the names of variables that have the values.
    section: Option<[(String, Expression); 2]>,
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
    for Map { variable, changed, section } in maps {
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

/// Conditions under which the arrays of a region do not overlap, or why there are none.
pub(crate) fn distinct(
    program: &Program<'_>,
    context: &Rc<Context>,
) -> Result<Result<Vec<String>, Rejection>, IslError> {
    let mut ends: BTreeMap<&String, (String, String)> = BTreeMap::new();
    let region = program.region;
    for name in region.overlaps.iter().flat_map(|(first, second)| [first, second]) {
        if ends.contains_key(name) {
            continue;
        }
        let unknown = || {
            let reason = format!(
                "which elements of `{name}` are accessed is not known, so that it cannot be checked whether it overlaps \
                 with others; declare it restrict, or pass --assume-distinct"
            );
            Ok(Err(Rejection::new(Rule::Aliasing, region.at, reason)))
        };
        let Some(array) = program.arrays.iter().position(|array| array.name == *name) else {
            return unknown();
        };
        let described = &program.arrays[array];
        let variable = region.variable(described.variable);
        let accesses: Vec<usize> =
            (0..program.accesses.len()).filter(|access| program.accesses[*access].array == array).collect();
        let bounds = bounds::everywhere(program, context, &accesses)?;
        let (mut first, mut last) = (variable.name.clone(), variable.name.clone());
        let mut bounds = bounds.into_iter().enumerate();
        let path = &program.accesses[accesses[0]].reference.path;
        for (at, step) in path.iter().enumerate() {
            if let Step::Member(member) = step {
                first += &format!(".{member}");
                last += &format!(".{member}");
                continue;
            }
            let Some((place, bounds)) = bounds.next() else { return unknown() };
            let declared = variable.extents.get(place).cloned().flatten();
            let owns =
                matches!(variable.storage, Storage::Global | Storage::Local) && described.members.is_empty();
            let bounds = bounds.or_else(|| {
                let extent = declared.filter(|_| owns)?;
                let end = subtract(extent, number(1));
                Some((number(0), end))
            });
            let Some((least, greatest)) = bounds else { return unknown() };
            let (least, greatest) = (c::value(region, &least), c::value(region, &greatest));
            // A member that is subscripted may be a pointer, in each structure another one.
            let rest = &path[at + 1..];
            let is_inside = rest.iter().any(|step| matches!(step, Step::Member(_)))
                && matches!(rest.last(), Some(Step::Index(_)));
            if is_inside && least != greatest {
                return unknown();
            }
            first += &format!("[{least}]");
            last += &format!("[{greatest}]");
        }
        let address = |text: &str| format!("(__UINTPTR_TYPE__) {text}");
        ends.insert(name, (address(&format!("&{first}")), address(&format!("(&{last} + 1)"))));
    }
    let conditions = region.overlaps.iter().map(|(first, second)| {
        let ((first, past_first), (second, past_second)) = (&ends[first], &ends[second]);
        format!("({past_first} <= {second} || {past_second} <= {first})")
    });
    Ok(Ok(conditions.collect()))
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
        let is_object = variable.extents.first().is_none_or(Option::is_some)
            && matches!(variable.storage, Storage::Global | Storage::Local);
        if is_object {
            clauses.push(Map { variable: id, changed, section: None });
            continue;
        }
        let mut box_of: Option<(Expression, Expression)> = None;
        for array in (0..program.arrays.len()).filter(|array| program.arrays[*array].variable == id) {
            let accesses: Vec<usize> = (0..program.accesses.len())
                .filter(|access| program.accesses[*access].array == array)
                .collect();
            if accesses.is_empty() {
                continue;
            }
            let bounds = bounds::everywhere(program, context, &accesses)?.into_iter().next().flatten();
            let declared = variable.extents.first().cloned().flatten();
            let bounds = bounds.or_else(|| Some((number(0), subtract(declared?, number(1)))));
            let Some((first, last)) = bounds else {
                return unknown("declare it as an array, or access it through a pointer to one");
            };
            box_of = Some(match box_of {
                None => (first, last),
                Some((least, most)) => (arithmetic::least(least, first), arithmetic::greatest(most, last)),
            });
        }
        let Some((first, last)) = box_of else { continue };
        let count = arithmetic::greatest(subtract(add(last, number(1)), first.clone()), number(0));
        let section = Some([
            (unused(region, &format!("{}_first", variable.name)), first),
            (unused(region, &format!("{}_count", variable.name)), count),
        ]);
        clauses.push(Map { variable: id, changed, section });
    }
    Ok(Ok(clauses))
}

/// A name that no variable of the region has, nor one of those that are made for it.
fn unused(region: &Region, name: &str) -> String {
    let mut name = name.to_string();
    while region.variables.iter().any(|variable| variable.name == name) {
        name += "_";
    }
    name
}

//! Loops of a device that are moved or divided: whose loops of the source they are, and what is read again.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    made::{Alternative, Divided},
    statements::Chosen,
};
use crate::{
    analysis::{Options, program::Program},
    ir::{Region, loops},
};

/// The numbers that a region's loops had before they were moved.
pub(super) fn numbers(moved: &Region) -> Vec<usize> {
    loops(&moved.body).enumerate().map(|(place, looped)| looped.id.place().unwrap_or(place)).collect()
}

/// The nests of a region that its variant for a device divides into loops which read the same arrays.
pub(super) fn divided(
    region: &Region,
    variant: &Region,
    as_written: &Chosen,
    best: &[Alternative],
    options: &Options,
) -> Vec<Divided> {
    let original = Program::new(region, options.sizes.clone());
    let program = Program::new(variant, options.sizes.clone());
    let numbers = numbers(variant);
    let outermost = |index: usize| original.loops[index].around.first().copied().unwrap_or(index);
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in (0..program.loops.len()).filter(|index| program.loops[*index].around.is_empty()) {
        parts.entry(outermost(numbers[index])).or_default().push(index);
    }
    let reads = |part: usize| -> BTreeSet<&str> {
        let inside = program.accesses.iter().filter(|access| access.around.first() == Some(&part));
        let arrays = inside.filter(|access| !access.write && !access.reference.path.is_empty());
        arrays.map(|access| variant.variable(access.reference.variable).name.as_str()).collect()
    };
    let divided = parts.into_iter().filter_map(|(index, parts)| {
        let read: Vec<BTreeSet<&str>> = parts.iter().map(|part| reads(*part)).collect();
        let is_read_again = |name: &str| read.iter().filter(|names| names.contains(name)).count() > 1;
        let names: BTreeSet<&str> = read.iter().flatten().copied().collect();
        let read_again: Vec<String> =
            names.into_iter().filter(|name| is_read_again(name)).map(String::from).collect();
        let chosen = as_written.loops.iter().filter(|other| outermost(**other) == index);
        (parts.len() > 1 && !read_again.is_empty()).then(|| Divided {
            index,
            loops: parts.len(),
            read_again,
            time: parts.iter().map(|part| best[*part].best).sum(),
            undivided: as_written.alternatives[index].best,
            is_atomic: chosen.into_iter().any(|other| as_written.alternatives[*other].is_atomic),
        })
    });
    divided.collect()
}

/// The alternatives of the original's loops: of several loops that one was divided into the best.
pub(super) fn renumbered(numbers: &[usize], alternatives: Vec<Alternative>) -> Vec<Alternative> {
    let mut out: BTreeMap<usize, Alternative> = BTreeMap::new();
    for alternative in alternatives {
        let index = numbers[alternative.index];
        let time =
            |alternative: &Alternative| alternative.parallel.as_ref().copied().unwrap_or(f64::INFINITY);
        match out.get_mut(&index) {
            Some(known) => {
                known.sequential += alternative.sequential;
                if time(&alternative) < time(known) {
                    *known = Alternative { index, sequential: known.sequential, ..alternative };
                }
            }
            None => {
                out.insert(index, Alternative { index, ..alternative });
            }
        }
    }
    out.into_values().collect()
}

//! The memory that a region is executed over.

use std::collections::BTreeMap;

use super::cells::{Cells, subscripts};
use super::machine;
use super::options::Options;
use super::random::Random;
use super::slots::{Slot, Slots};
use super::value::{self, Value};
use crate::ir::located::Located;
use crate::ir::types::Scalar;
use crate::ir::{Position, Region, Storage, VariableId};

/// What is not known from the tree when memory is made.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// Values of parameters that are integers.
    pub values: BTreeMap<String, i128>,
    /// All extents of a variable, or of a member (`p.v`): where the tree does not say them, or instead.
    pub extents: BTreeMap<String, Vec<u64>>,
    /// Every other extent that the tree does not say.
    pub unknown: Option<u64>,
}

impl Sizes {
    /// Values of parameters, such as `[("n", 8)]`.
    pub fn of<'a>(values: impl IntoIterator<Item = (&'a str, i128)>) -> Sizes {
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Sizes { values, ..Sizes::default() }
    }
}

/// The cells of a region's variables, apart from those that it declares itself.
///
/// Members of structures are apart: `p[i].x` is the cell `i` of `x` of `p`.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    cells: BTreeMap<(VariableId, Vec<String>), Cells>,
    names: BTreeMap<String, (VariableId, Vec<String>)>,
    /// What `sizes` gave.
    given: Vec<VariableId>,
}

fn problem(what: String, hint: &str) -> Located {
    Located::new(Position::default(), what, hint)
}

impl Memory {
    /// Memory for a region; all cells are 0 but the parameters that `sizes` gives.
    ///
    /// # Errors
    ///
    /// An extent that neither the tree nor `sizes` says, a size of no such parameter, or more bytes than
    /// [`Options::memory`].
    pub fn new(region: &Region, sizes: &Sizes, options: &Options) -> Result<Memory, Located> {
        let slots = Slots::of(region)?;
        let mut memory = Memory { cells: BTreeMap::new(), names: BTreeMap::new(), given: Vec::new() };
        let outside = |slot: &&Slot| region.variable(slot.variable).storage != Storage::Region;
        let mut left = options.memory;
        for slot in slots.list.iter().filter(outside) {
            memory.names.insert(region.full_name(slot.variable, &slot.members), slot.key());
            if slot.rank == 0 {
                memory.add(slot, Vec::new(), &mut left)?;
            }
        }
        for (name, size) in &sizes.values {
            let Some(key) = memory.names.get(name) else {
                return Err(problem(
                    format!("there is no parameter `{name}` to give a size"),
                    "see the region",
                ));
            };
            match memory.cells.get_mut(key) {
                Some(Cells { scalar, extents, bytes }) if extents.is_empty() && scalar.is_integer() => {
                    if value::wrap(*size, *scalar) != *size {
                        return Err(problem(
                            format!("the size `{name}` does not fit {scalar}"),
                            "give a smaller one",
                        ));
                    }
                    value::store(Value::Integer(*size), *scalar, bytes);
                }
                _ => {
                    return Err(problem(
                        format!("`{name}` is not an integer"),
                        "sizes are integer parameters",
                    ));
                }
            }
            memory.given.push(key.0);
        }
        let mut shapes = Vec::new();
        let mut scalars: Vec<_> =
            slots.list.iter().map(|slot| memory.cells.get(&slot.key()).cloned()).collect();
        for slot in slots.list.iter().filter(outside).filter(|slot| slot.rank > 0) {
            shapes.push((slot, extents_of(region, slot, sizes, options, &mut scalars)?));
        }
        for (slot, extents) in shapes {
            memory.add(slot, extents, &mut left)?;
        }
        Ok(memory)
    }

    fn add(&mut self, slot: &Slot, extents: Vec<u64>, left: &mut u64) -> Result<(), Located> {
        let cells = Cells::zeros(slot.scalar, extents, left)?;
        self.cells.insert(slot.key(), cells);
        Ok(())
    }

    /// Sets every cell, but the parameters that were given as sizes, to a number that depends on the seed only:
    /// integers from -9 to 9 (0 to 18 if unsigned), floats that are multiples of 1/8 from -8 to 8, so that sums of
    /// many do not round.
    pub fn fill(&mut self, seed: u64) {
        let mut random = Random(seed);
        for ((variable, _), cells) in &mut self.cells {
            if self.given.contains(variable) {
                continue;
            }
            let scalar = cells.scalar;
            for cell in cells.bytes.chunks_exact_mut(scalar.size()) {
                let mut float = || (random.below(129) as f64 - 64.0) / 8.0;
                let value = match scalar {
                    Scalar::Half(_) | Scalar::Float { .. } => Value::Float(float()),
                    Scalar::Complex { .. } => Value::Complex(float(), float()),
                    Scalar::Bool => Value::Integer(i128::from(random.below(2))),
                    _ => Value::Integer(
                        i128::from(random.below(19)) - if scalar.is_unsigned() { 0 } else { 9 },
                    ),
                };
                value::store(value, scalar, cell);
            }
        }
    }

    /// Changes each float in about the last bit, by chance up or down: what becomes of the changes says how much a
    /// computation magnifies errors of rounding.
    pub fn perturb(&mut self, seed: u64) {
        let mut random = Random(seed);
        for cells in self.cells.values_mut() {
            let scalar = cells.scalar;
            let (Scalar::Float { bits } | Scalar::Complex { bits }) = scalar else { continue };
            let epsilon = if bits == 32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
            let mut near = |value: f64| {
                if random.below(2) == 0 { value * (1.0 + epsilon) } else { value * (1.0 - epsilon) }
            };
            for cell in cells.bytes.chunks_exact_mut(scalar.size()) {
                let value = match value::load(cell, scalar) {
                    Value::Float(value) => Value::Float(near(value)),
                    Value::Complex(real, imaginary) => Value::Complex(near(real), near(imaginary)),
                    other => other,
                };
                value::store(value, scalar, cell);
            }
        }
    }

    /// The cells of a variable or a member.
    pub fn cells(&self, variable: VariableId, members: &[&str]) -> Option<&Cells> {
        self.cells.get(&key(variable, members))
    }

    /// The bytes of a variable or a member, to be changed; their number stays.
    pub fn bytes_mut(&mut self, variable: VariableId, members: &[&str]) -> Option<&mut [u8]> {
        self.cells.get_mut(&key(variable, members)).map(|cells| cells.bytes.as_mut_slice())
    }

    /// Sets each cell that another memory has, too, to its value there: same variable, members, type and subscripts.
    pub fn copy_common(&mut self, other: &Memory) {
        for (key, cells) in &mut self.cells {
            let known = other.cells.get(key);
            let same =
                |known: &&Cells| known.scalar == cells.scalar && known.extents.len() == cells.extents.len();
            let Some(known) = known.filter(same) else { continue };
            let size = cells.scalar.size();
            for index in 0..cells.len() {
                let at = subscripts(index as u64, &cells.extents);
                let mut pairs = at.iter().zip(&known.extents);
                let place = pairs.try_fold(0, |place, (at, extent)| {
                    Some(place * extent + u64::try_from(*at).ok().filter(|at| at < extent)?)
                });
                if let Some(place) = place {
                    let from = place as usize * size;
                    cells.bytes[index * size..][..size].copy_from_slice(&known.bytes[from..from + size]);
                }
            }
        }
    }

    /// All variables and members with their cells.
    pub fn iter(&self) -> impl Iterator<Item = (VariableId, &[String], &Cells)> {
        self.cells.iter().map(|((variable, members), cells)| (*variable, members.as_slice(), cells))
    }

    /// The variable and the members of a full name such as `p.v`.
    pub fn find(&self, name: &str) -> Option<(VariableId, &[String])> {
        self.names.get(name).map(|(variable, members)| (*variable, members.as_slice()))
    }

    /// Values of a variable or member by its full name; of complex numbers the real parts.
    pub fn values(&self, name: &str) -> Option<Vec<f64>> {
        let cells = self.cells.get(self.names.get(name)?)?;
        let cell = |bytes| match value::load(bytes, cells.scalar) {
            Value::Integer(value) => value as f64,
            Value::Float(value) | Value::Complex(value, _) => value,
        };
        Some(cells.bytes.chunks_exact(cells.scalar.size()).map(cell).collect())
    }

    /// Sets values of a variable or member by its full name, from its first cell on; converted to its type. False
    /// if there is no such name, or a value is not in the type's range.
    pub fn set_values(&mut self, name: &str, values: impl IntoIterator<Item = f64>) -> bool {
        let Some(cells) = self.names.get(name).and_then(|key| self.cells.get_mut(key)) else {
            return false;
        };
        let scalar = cells.scalar;
        cells.bytes.chunks_exact_mut(scalar.size()).zip(values).all(|(cell, number)| {
            let converted = value::convert(Value::Float(number), Scalar::F64, scalar);
            converted.map(|converted| value::store(converted, scalar, cell)).is_ok()
        })
    }

    /// The first cell whose bits differ, as a sentence; any two NaNs are equal. `None` if there is none.
    pub fn first_difference(&self, other: &Memory) -> Option<String> {
        for (name, key) in &self.names {
            let (Some(mine), Some(theirs)) = (self.cells.get(key), other.cells.get(key)) else {
                return Some(format!("`{name}` is only in one of them"));
            };
            if (mine.scalar, &mine.extents) != (theirs.scalar, &theirs.extents) {
                return Some(format!("`{name}` has two shapes"));
            }
            let size = mine.scalar.size();
            let pairs = mine.bytes.chunks_exact(size).zip(theirs.bytes.chunks_exact(size));
            for (index, (a, b)) in pairs.enumerate() {
                let (x, y) = (value::load(a, mine.scalar), value::load(b, mine.scalar));
                if a != b && !value::same_bits(x, y) {
                    let subscripts = subscripts(index as u64, &mine.extents);
                    return Some(format!("`{name}`{subscripts:?} is {x:?} and {y:?}"));
                }
            }
        }
        None
    }

    /// Takes the cells of the slots out; those of the region's own variables are none.
    pub(super) fn take(&mut self, region: &Region, slots: &Slots) -> Vec<Option<Cells>> {
        let outside = |slot: &Slot| region.variable(slot.variable).storage != Storage::Region;
        slots.list.iter().map(|slot| self.cells.remove(&slot.key()).filter(|_| outside(slot))).collect()
    }

    /// Puts them back.
    pub(super) fn put(&mut self, slots: &Slots, cells: Vec<Option<Cells>>) {
        for (slot, cells) in slots.list.iter().zip(cells) {
            if let Some(cells) = cells {
                self.cells.insert(slot.key(), cells);
            }
        }
    }
}

/// The extents of an array; `scalars` are the values of the sizes.
fn extents_of(
    region: &Region,
    slot: &Slot,
    sizes: &Sizes,
    options: &Options,
    scalars: &mut [Option<Cells>],
) -> Result<Vec<u64>, Located> {
    let variable = region.variable(slot.variable);
    let name = region.full_name(slot.variable, &slot.members);
    if let Some(extents) = sizes.extents.get(&name) {
        if extents.len() != slot.rank {
            let what = format!("{} extents for the {} dimensions of `{name}`", extents.len(), slot.rank);
            return Err(problem(what, "give one for each subscript"));
        }
        return Ok(extents.clone());
    }
    let mut extents = Vec::new();
    for dimension in 0..slot.rank {
        let extent = match variable.extents.get(dimension) {
            Some(Some(extent)) => {
                let value = machine::evaluate(region, extent, scalars, options)?;
                let extent = u64::try_from(value).ok();
                Some(extent.ok_or_else(|| {
                    problem(
                        format!("dimension {dimension} of `{name}` has the extent {value}"),
                        "give other sizes",
                    )
                })?)
            }
            _ => sizes.unknown,
        };
        extents.push(extent.ok_or_else(|| {
            problem(
                format!("dimension {dimension} of `{name}` has no known extent"),
                "give it in `Sizes::extents`",
            )
        })?);
    }
    Ok(extents)
}

fn key(variable: VariableId, members: &[&str]) -> (VariableId, Vec<String>) {
    (variable, members.iter().map(|member| (*member).to_owned()).collect())
}

//! Which arrays of a region may have memory in common: by the provenance of their pointers, and by the types of their
//! elements.

use std::collections::BTreeSet;

use super::{
    provenance::Root,
    reader::{ArrayKey, Loaded, Reader},
};
use crate::ir::{Aliasing, Storage, types::Scalar};

/// How two arrays lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Apart,
    /// Their types differ, and what points to them may point to one allocation.
    ApartByType,
    MayOverlap,
}

impl Reader<'_, '_> {
    /// Notes in the region which of its arrays may overlap, by the rule of `docs/loops-reference.md`.
    pub(super) fn note_overlaps(&mut self) {
        self.region.loaded = self.loaded.iter().map(|(key, loaded)| (key.clone(), loaded.steps)).collect();
        if self.input.assume_distinct {
            return;
        }
        let keys: BTreeSet<ArrayKey> = self.writes.keys().chain(self.reads.keys()).cloned().collect();
        let keys: Vec<ArrayKey> = keys.into_iter().collect();
        for (index, first) in keys.iter().enumerate() {
            if self.writes.contains_key(first) && self.pointer_to(first).is_some_and(|(_, to)| to.varies) {
                self.region.overlaps.push((self.array_name(first), self.array_name(first)));
            }
            for second in &keys[index + 1..] {
                let is_written = self.writes.contains_key(first) || self.writes.contains_key(second);
                let relation = self.relation(first, second);
                let pair = (self.array_name(first), self.array_name(second));
                match relation {
                    Relation::Apart => {
                        if self.may_be_moved_together(first, second) {
                            self.region.moved_together.push((pair.0, pair.1, is_written));
                        }
                        continue;
                    }
                    _ if !is_written => self.region.moved_together.push((pair.0, pair.1, false)),
                    Relation::ApartByType => self.region.apart_by_type.push(pair),
                    Relation::MayOverlap => self.region.overlaps.push(pair),
                }
                if is_written {
                    self.share(first);
                    self.share(second);
                }
            }
        }
        let overwritten = keys.iter().flat_map(|key| self.overwritten_pointers(key)).collect::<BTreeSet<_>>();
        self.region.overlaps.extend(overwritten);
    }

    fn share(&mut self, key: &ArrayKey) {
        let variable = &mut self.region.variables[key.0.0];
        if variable.aliasing == Aliasing::Distinct {
            variable.aliasing = Aliasing::Shared;
        }
    }

    /// Whether what is moved to a device of one array may have elements of the other.
    fn may_be_moved_together(&self, first: &ArrayKey, second: &ArrayKey) -> bool {
        let provenance = self.provenance;
        let memory = |key: &ArrayKey| provenance.unrestricted(&self.memory_of(key));
        first.0 != second.0 && provenance.may_meet(&memory(first), &memory(second))
    }

    fn relation(&self, first: &ArrayKey, second: &ArrayKey) -> Relation {
        // Members of one structure, or of structures in one array, are apart.
        let (to_first, to_second) = (self.pointer_to(first), self.pointer_to(second));
        let base =
            |key: &ArrayKey, to: Option<(usize, Loaded)>| to.map(|(members, _)| key.1[..members].to_vec());
        let varies = to_first.is_some_and(|(_, to)| to.varies);
        if first.0 == second.0 && base(first, to_first) == base(second, to_second) && !varies {
            return Relation::Apart;
        }
        let (of_first, of_second) = (self.memory_of(first), self.memory_of(second));
        if !self.provenance.may_meet(&of_first, &of_second) {
            return Relation::Apart;
        }
        let is_declared = |roots: &BTreeSet<Root>| roots.iter().all(|root| matches!(root, Root::Object(_)));
        match self.may_have_one_type(first, second) {
            true => Relation::MayOverlap,
            // An object that is declared keeps its type; what is allocated has that of the last store.
            false if is_declared(&of_first) || is_declared(&of_second) => Relation::Apart,
            false => Relation::ApartByType,
        }
    }

    /// The pointer in memory through which an array is reached, by the number of members that lead to it.
    fn pointer_to(&self, key: &ArrayKey) -> Option<(usize, Loaded)> {
        let loaded = |members: usize| self.loaded.get(&(key.0, key.1[..members].to_vec()));
        (0..=key.1.len()).rev().find_map(|members| Some((members, *loaded(members)?)))
    }

    fn memory_of(&self, key: &ArrayKey) -> BTreeSet<Root> {
        match self.pointer_to(key) {
            Some(_) => [Root::Memory].into(),
            None => self.memory.get(&key.0).cloned().unwrap_or_default(),
        }
    }

    /// Pointers that lead to an array and that a store of characters, say, may change.
    fn overwritten_pointers(&self, key: &ArrayKey) -> Vec<(String, String)> {
        let mut pointers = Vec::new();
        let variable = self.region.variable(key.0);
        let is_pointer = match variable.storage {
            Storage::Parameter | Storage::Pointer => true,
            Storage::Global => variable.extents.first().is_some_and(Option::is_none),
            Storage::Local | Storage::Region => false,
        };
        if let Some(place) = self.places.get(&key.0).filter(|_| is_pointer) {
            pointers.push((place.clone(), format!("&{}", variable.name)));
        }
        for members in 0..=key.1.len() {
            let pointer = (key.0, key.1[..members].to_vec());
            if self.loaded.contains_key(&pointer) {
                let before = members.checked_sub(1).map(|before| (key.0, key.1[..before].to_vec()));
                let place = before.map_or_else(
                    || self.memory.get(&key.0).cloned().unwrap_or_default(),
                    |before| self.memory_of(&before),
                );
                let elements = if members == 0 { "[]" } else { "" };
                pointers.push((place, format!("&{}{elements}", self.array_name(&pointer))));
            }
        }
        let stores = self.writes.keys().filter(|written| self.is_untyped(written));
        let pairs = stores.flat_map(|written| {
            let memory = self.memory_of(written);
            let met = pointers.iter().filter(move |(place, _)| self.provenance.may_meet(&memory, place));
            met.map(|(_, name)| (self.array_name(written), name.clone()))
        });
        pairs.collect()
    }

    /// Whether an array's elements may be parts of objects of any type.
    fn is_untyped(&self, key: &ArrayKey) -> bool {
        self.untyped.contains(key)
            || !self.input.strict_aliasing()
            || self.scalars.get(key).is_none_or(|scalar| scalar.size() == 1)
    }

    /// Whether C lets an object be accessed as elements of both: types that differ in more than a sign are those of different
    /// objects, but for characters.
    fn may_have_one_type(&self, first: &ArrayKey, second: &ArrayKey) -> bool {
        if self.is_untyped(first) || self.is_untyped(second) {
            return true;
        }
        let [Some(first), Some(second)] = [first, second].map(|key| self.scalars.get(key)) else {
            return true;
        };
        let is_real = |one: &Scalar, of: &Scalar| matches!((one, of), (Scalar::Float { bits }, Scalar::Complex { bits: parts }) if bits == parts);
        first.unsigned() == second.unsigned() || is_real(first, second) || is_real(second, first)
    }
}

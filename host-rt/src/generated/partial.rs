//! Partial results of generated reductions: records of some of the elements.

use std::collections::BTreeMap;
use std::ops::Range;

use codegen_shim::ReductionList;
use device_rt::reduce::canonical::CHUNK;

use crate::{Error, Record, partial::Reader};

/// What a [`GeneratedReduction`](super::GeneratedReduction) in the canonical order knows of some chunks of the elements: the record of each aligned group
/// of them. With the rest it becomes the result, which has the bits of a reduction of all of them at once, on whatever
/// devices and in whatever parts they were reduced, and merged.
///
/// [`Run::partial`](super::Run::partial) makes it, [`finish`](super::GeneratedReduction::finish) the result of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartialRecord {
    /// Records of 2^level chunks, by the first chunk's number, which is a multiple of so many.
    nodes: BTreeMap<u64, Node>,
    /// The index after the last element, if that is within a chunk: then it is the last one of all.
    end: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    level: u32,
    record: Record,
}

/// The aligned groups that chunks are made of, as large as they can be: each one's first chunk, and the binary logarithm
/// of how many it has.
pub(super) fn groups(chunks: Range<u64>) -> Vec<(u64, u32)> {
    let (mut at, mut groups) = (chunks.start, Vec::new());
    while at < chunks.end {
        let level = at.trailing_zeros().min((chunks.end - at).ilog2());
        groups.push((at, level));
        at += 1 << level;
    }
    groups
}

impl PartialRecord {
    /// Of no elements.
    pub fn new() -> PartialRecord {
        PartialRecord::default()
    }

    /// Of one group of chunks; its last element is before the index `end`.
    pub(super) fn of_group(first: u64, level: u32, end: u64, record: Record) -> PartialRecord {
        let end = Some(end).filter(|&end| end < (first + (1 << level)) * CHUNK);
        PartialRecord { nodes: BTreeMap::from([(first, Node { level, record })]), end }
    }

    /// The chunks of its groups, in order.
    fn chunks(&self) -> impl Iterator<Item = Range<u64>> {
        self.nodes.iter().map(|(first, node)| *first..first + (1 << node.level))
    }

    /// Adds what another one knows, of other elements.
    ///
    /// # Errors
    ///
    /// [`Error::Partial`] if both have an element, or if one has elements after the other's last one; nothing is added
    /// then.
    pub fn merge(&mut self, other: PartialRecord) -> Result<(), Error> {
        for range in other.chunks() {
            let before = self.nodes.range(..range.end).next_back();
            let shared = before.map(|(first, node)| (first + (1 << node.level), (*first).max(range.start)));
            if let Some((_, first)) = shared.filter(|(end, _)| *end > range.start) {
                return Err(Error::Partial { what: "both have", index: first * CHUNK });
            }
        }
        for (one, another) in [(&*self, &other), (&other, &*self)] {
            let after = one.end.filter(|end| another.chunks().any(|chunks| chunks.end * CHUNK > *end));
            if let Some(index) = after {
                return Err(Error::Partial { what: "are without", index });
            }
        }
        self.nodes.extend(other.nodes);
        self.end = self.end.or(other.end);
        Ok(())
    }

    /// As bytes, for a file or another process. All numbers are little-endian:
    ///
    /// | bytes | what |
    /// |---|---|
    /// | 8 | `wfrecs`, 0, and the version 1 |
    /// | 8 + 8 | the size of a record in bytes, and the number of groups of chunks |
    /// | 8 | the index after the last element, if that is within a chunk, else 0 |
    /// | for each group: 8 + 8, record | the number of its first chunk, the binary logarithm of how many chunks it has, its record |
    ///
    /// Records are in the layout of the reduction list.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = self.nodes.values().next().map_or(0, |node| node.record.to_bytes().len());
        let mut bytes = MAGIC.to_vec();
        for number in [size as u64, self.nodes.len() as u64, self.end.unwrap_or(0)] {
            bytes.extend(number.to_le_bytes());
        }
        for (first, node) in &self.nodes {
            bytes.extend(first.to_le_bytes());
            bytes.extend(u64::from(node.level).to_le_bytes());
            bytes.extend(node.record.to_bytes());
        }
        bytes
    }

    /// What [`PartialRecord::to_bytes`] made these bytes of, for the same reduction list.
    ///
    /// # Errors
    ///
    /// [`Error::PartialBytes`] for any others.
    pub fn from_bytes(list: &ReductionList, bytes: &[u8]) -> Result<PartialRecord, Error> {
        read(list, Reader { rest: bytes }).map_err(|reason| Error::PartialBytes { reason })
    }

    /// How many chunks it has, if they are all from the first on.
    fn covered(&self) -> Result<u64, Error> {
        let mut covered = 0;
        for chunks in self.chunks() {
            if chunks.start != covered {
                return Err(Error::Partial { what: "are without", index: covered * CHUNK });
            }
            covered = chunks.end;
        }
        Ok(covered)
    }

    /// The records of the groups, in order.
    pub(super) fn records(&self) -> impl ExactSizeIterator<Item = &Record> {
        self.nodes.values().map(|node| &node.record)
    }

    /// How two groups become one as long as any are the halves of a larger one.
    pub(super) fn merges(&self) -> Merges {
        let mut merges = Merges { pairs: Vec::new(), groups: Vec::new() };
        for (place, (&first, node)) in self.nodes.iter().enumerate() {
            merges.groups.push(ChunkGroup { first, level: node.level, place });
            while let [.., left, right] = &merges.groups[..]
                && left.level == right.level
                && left.first + (1 << left.level) == right.first
                && left.first.is_multiple_of(2 << left.level)
            {
                merges.combine_last();
            }
        }
        merges
    }

    /// How all groups become one, whose record is the first; all chunks are there, from the first on.
    ///
    /// # Errors
    ///
    /// [`Error::Partial`] if chunks are missing before others.
    pub(super) fn merges_to_one(&self) -> Result<Merges, Error> {
        self.covered()?;
        let mut merges = self.merges();
        // Each is larger than those after it, which are its neighbour in the tree.
        while merges.groups.len() > 1 {
            merges.combine_last();
        }
        Ok(merges)
    }

    /// Has the groups that are left; `record` gives the record at a place.
    pub(super) fn set(&mut self, merges: &Merges, record: impl Fn(usize) -> Record) {
        let node =
            |group: &ChunkGroup| (group.first, Node { level: group.level, record: record(group.place) });
        self.nodes = merges.groups.iter().map(node).collect();
    }
}

/// How the records of groups of chunks become fewer.
pub(super) struct Merges {
    /// What is combined with what, one after the other: places among the records. The left place has the result; between the two no
    /// place is used any more.
    pub pairs: Vec<(usize, usize)>,
    /// The groups that are left.
    groups: Vec<ChunkGroup>,
}

struct ChunkGroup {
    first: u64,
    level: u32,
    /// Where its record is.
    place: usize,
}

impl Merges {
    fn combine_last(&mut self) {
        if let (Some(right), Some(left)) = (self.groups.pop(), self.groups.last_mut()) {
            self.pairs.push((left.place, right.place));
            left.level += 1;
        }
    }
}

/// What serialized records begin with: their format and its version.
const MAGIC: [u8; 8] = *b"wfrecs\0\x01";

fn read(list: &ReductionList, mut reader: Reader<'_>) -> Result<PartialRecord, String> {
    if reader.take()? != MAGIC {
        return Err("they begin with something else, or are of another version".to_owned());
    }
    let [size, count, end] = [reader.long()?, reader.long()?, reader.long()?];
    let expected = u64::from(list.record().size);
    if count > 0 && size != expected {
        return Err(format!("its records have {size} bytes instead of {expected}"));
    }
    let mut all = PartialRecord::new();
    for _ in 0..count {
        let [first, level] = [reader.long()?, reader.long()?];
        let is_aligned =
            level < 50 && first < u64::MAX / CHUNK / 2 && u64::from(first.trailing_zeros()) >= level;
        if !is_aligned {
            return Err(format!("2^{level} chunks do not begin with chunk {first}"));
        }
        let bytes = reader.values::<u8>(size)?;
        let record = Record::from_bytes(list, &bytes).map_err(|error| error.to_string())?;
        let one = PartialRecord::of_group(first, level as u32, u64::MAX, record);
        all.merge(one).map_err(|error| error.to_string())?;
    }
    if end != 0 {
        let last = all.chunks().last().map_or(0..0, |chunks| (chunks.end - 1) * CHUNK..chunks.end * CHUNK);
        if end <= last.start || end >= last.end {
            return Err(format!("the last element is not before the index {end}"));
        }
        all.end = Some(end);
    }
    if reader.rest.is_empty() { Ok(all) } else { Err(format!("{} bytes follow them", reader.rest.len())) }
}

#[cfg(test)]
mod tests {
    use codegen_shim::{Op, Source, Type, Variable};

    use super::*;
    use crate::Value;

    fn list() -> ReductionList {
        let sum = Variable { name: "s".into(), ty: Type::I64, op: Op::Sum, source: Source::Array(0) };
        ReductionList::new(vec![sum]).expect("a legal list")
    }

    fn record(value: i64) -> Record {
        Record::from_bytes(&list(), &value.to_ne_bytes()).expect("a record of one variable")
    }

    /// Chunks with their own numbers as values.
    fn of(chunks: Range<u64>, end: u64) -> PartialRecord {
        let mut all = PartialRecord::new();
        for (first, level) in groups(chunks) {
            let sum = (first..first + (1 << level)).sum::<u64>() as i64;
            all.merge(PartialRecord::of_group(first, level, end, record(sum))).expect("other chunks");
        }
        all
    }

    /// The records after the merges.
    fn merged(partial: &PartialRecord, merges: &Merges) -> Vec<Record> {
        let value = |record: &Record| match record.get("s") {
            Some(Value::I64(value)) => value,
            _ => unreachable!("its only variable"),
        };
        let mut values: Vec<Option<i64>> = partial.records().map(|record| Some(value(record))).collect();
        for &(left, right) in &merges.pairs {
            assert!(values[left + 1..right].iter().all(Option::is_none), "a place between them is in use");
            let right = values[right].take().expect("a record");
            *values[left].as_mut().expect("a record") += right;
        }
        values.into_iter().map(|value| record(value.unwrap_or_default())).collect()
    }

    fn compact(partial: &mut PartialRecord) {
        let merges = partial.merges();
        let records = merged(partial, &merges);
        partial.set(&merges, |place| records[place].clone());
    }

    #[test]
    fn groups_are_aligned_and_as_large_as_they_can_be() {
        assert_eq!(groups(0..1), [(0, 0)]);
        assert_eq!(groups(0..8), [(0, 3)]);
        assert_eq!(groups(3..17), [(3, 0), (4, 2), (8, 3), (16, 0)]);
        assert_eq!(groups(5..5), []);
    }

    #[test]
    fn parts_merge_in_any_order_and_become_a_tree() {
        for total in 1..70_u64 {
            let mut all = PartialRecord::new();
            for part in [3..9, 20..70, 0..3, 9..20] {
                let part = part.start.min(total)..part.end.min(total);
                all.merge(of(part, total * CHUNK)).expect("other chunks");
            }
            assert_eq!(all.covered().expect("all chunks"), total);
            let merges = all.merges_to_one().expect("all chunks");
            assert_eq!(merged(&all, &merges)[0], record((0..total as i64).sum()));
        }
    }

    #[test]
    fn what_is_compact_has_the_groups_of_its_chunks() {
        for (begin, end) in [(0, 64), (3, 70), (0, 1), (5, 6), (17, 1000)] {
            let mut all = PartialRecord::new();
            for first in (begin..end).step_by(7) {
                all.merge(of(first..(first + 7).min(end), u64::MAX)).expect("other chunks");
                compact(&mut all);
            }
            assert_eq!(all, of(begin..end, u64::MAX));
        }
        // With a gap both sides are.
        let mut all = of(0..4, u64::MAX);
        all.merge(of(6..8, u64::MAX)).expect("other chunks");
        compact(&mut all);
        assert_eq!(all.nodes.len(), 2);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let mut all = of(0..8, u64::MAX);
        assert!(
            matches!(all.merge(of(6..7, u64::MAX)), Err(Error::Partial { what: "both have", index }) if index == 6 * CHUNK)
        );
        all.merge(of(9..10, 9 * CHUNK + 5)).expect("other chunks");
        assert!(
            matches!(all.covered(), Err(Error::Partial { what: "are without", index }) if index == 8 * CHUNK)
        );
        // Nothing follows what ends within a chunk.
        assert!(matches!(all.merge(of(10..11, u64::MAX)), Err(Error::Partial { what: "are without", .. })));
        all.merge(of(8..9, u64::MAX)).expect("what is missing");
        assert_eq!(all.covered().expect("all chunks"), 10);
    }

    #[test]
    fn bytes_are_read_back_and_others_rejected() {
        for partial in [PartialRecord::new(), of(3..17, u64::MAX), of(0..6, 5 * CHUNK + 1)] {
            let bytes = partial.to_bytes();
            assert_eq!(PartialRecord::from_bytes(&list(), &bytes).expect("its bytes"), partial);
            for length in 0..bytes.len() {
                assert!(PartialRecord::from_bytes(&list(), &bytes[..length]).is_err(), "{length}");
            }
            let longer = [&bytes[..], &[0]].concat();
            assert!(PartialRecord::from_bytes(&list(), &longer).is_err());
            for at in 0..bytes.len() {
                // Other bytes are an error or another partial result, and never a panic.
                let mut damaged = bytes.clone();
                damaged[at] ^= 0xff;
                let _ = PartialRecord::from_bytes(&list(), &damaged);
            }
        }
    }
}

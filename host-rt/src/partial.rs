//! Partial results of reductions: of some of the elements, wherever these are among all of them.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;

use device_rt::reduce::canonical::{self, CHUNK};
use device_rt::reduce::op::{Lift, Plain, Storable};

use crate::Error;

/// What a [`TypedReduction`](crate::TypedReduction) knows of some of the elements: with the rest it becomes the result, which
/// has the bits of a reduction of all of them at once, in whatever parts they were reduced and merged.
///
/// It holds the values of aligned groups of whole [chunks](canonical), and the elements at both ends that fill no chunk:
/// fewer than 2 × [`CHUNK`] elements for each part that is not merged with its neighbour yet.
///
/// ```
/// use host_rt::{Device, Partial, Select, Sum, TypedReduction, canonical};
///
/// # fn main() -> Result<(), host_rt::Error> {
/// let numbers: Vec<f32> = (0..100_000).map(|i| (i as f32).sin()).collect();
/// let device = Device::open(Select::Emulator)?;
/// let (stream, reduction) = (device.stream()?, TypedReduction::new(&device, Sum)?);
/// let (one, other) = numbers.split_at(33_333);
/// let mut all = reduction.partial(&stream, 33_333, other)?;
/// // Anybody may reduce a part, on another device or on the host.
/// all.merge(Partial::of(Sum, 0, one))?;
/// let expected = canonical::reduce(Sum, 100_000, |i| numbers[i as usize]);
/// assert_eq!(all.finish()?.map(f32::to_bits), expected.map(f32::to_bits));
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Partial<I, O: Lift<I>> {
    op: O,
    /// Values of 2^level chunks, by the first chunk's number, which is a multiple of so many.
    nodes: BTreeMap<u64, Node<O::Value>>,
    /// Elements that fill no chunk, by the first one's index; none is next to another.
    ends: BTreeMap<u64, Vec<I>>,
}

#[derive(Clone, Copy, Debug)]
struct Node<V> {
    level: u32,
    value: V,
}

impl<I: Plain, O: Lift<I>> Partial<I, O> {
    /// Of no elements.
    pub fn new(op: O) -> Self {
        Partial { op, nodes: BTreeMap::new(), ends: BTreeMap::new() }
    }

    /// Of these elements, reduced on the host; `first` is the first one's index among all.
    pub fn of(op: O, first: u64, items: &[I]) -> Self {
        let mut partial = Partial::new(op);
        let (head, whole, tail) = parts(first, items);
        let begin = first + head.len() as u64;
        for (number, chunk) in (begin / CHUNK..).zip(whole.chunks(CHUNK as usize)) {
            partial.chunk(number, chunk);
        }
        partial.end(first, head.to_vec());
        partial.end(begin + whole.len() as u64, tail.to_vec());
        partial
    }

    /// Of the values of whole chunks from this one on, and of the elements around them.
    pub(crate) fn of_chunks(op: O, number: u64, values: Vec<O::Value>, ends: [(u64, &[I]); 2]) -> Self {
        let mut partial = Partial::new(op);
        for (number, value) in (number..).zip(values) {
            partial.node(number, Node { level: 0, value });
        }
        for (first, items) in ends {
            partial.end(first, items.to_vec());
        }
        partial
    }

    /// Adds what another one knows, of other elements.
    ///
    /// # Errors
    ///
    /// [`Error::Partial`] if both have an element; nothing is added then.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        if let Some(index) = other.ranges().iter().find_map(|range| self.shared(range)) {
            return Err(Error::Partial { what: "both have", index });
        }
        for (number, node) in other.nodes {
            self.node(number, node);
        }
        for (first, items) in other.ends {
            self.end(first, items);
        }
        Ok(())
    }

    /// The result, of all elements from the first on; `None` without elements.
    ///
    /// # Errors
    ///
    /// [`Error::Partial`] if elements are missing before others.
    pub fn finish(&self) -> Result<Option<O::Value>, Error> {
        let mut covered = 0;
        for range in self.ranges() {
            if range.start != covered {
                return Err(Error::Partial { what: "are without", index: covered });
            }
            covered = range.end;
        }
        Ok(self.tree(canonical::levels(covered.div_ceil(CHUNK)), 0))
    }

    /// The value of the elements that are there of 2^level chunks.
    fn tree(&self, level: u32, number: u64) -> Option<O::Value> {
        let first = number << level;
        match self.nodes.get(&first) {
            Some(node) if node.level == level => return Some(node.value),
            _ => {}
        }
        if level > 0 {
            let has = |from: u64| {
                let end = from + (1 << (level - 1));
                self.nodes.range(from..end).next().is_some()
                    || self.ends.range(from * CHUNK..end * CHUNK).next().is_some()
            };
            let side =
                |side: u64, from: u64| has(from).then(|| self.tree(level - 1, 2 * number + side)).flatten();
            return canonical::either(self.op, side(0, first), side(1, first + (1 << (level - 1))));
        }
        let items = self.ends.get(&(first * CHUNK))?;
        canonical::chunk(self.op, items.len() as u64, |at| (items[at as usize], first * CHUNK + at))
    }

    /// The elements, as ranges of their indices in order.
    fn ranges(&self) -> Vec<std::ops::Range<u64>> {
        let nodes = self.nodes.iter().map(|(first, node)| first * CHUNK..(first + (1 << node.level)) * CHUNK);
        let ends = self.ends.iter().map(|(first, items)| *first..first + items.len() as u64);
        let mut ranges: Vec<_> = nodes.chain(ends).collect();
        ranges.sort_by_key(|range| range.start);
        ranges
    }

    /// The first element of the range that is here, too.
    fn shared(&self, range: &std::ops::Range<u64>) -> Option<u64> {
        // Of what begins before the end, the last one reaches furthest: nothing overlaps here.
        let node = self.nodes.range(..range.end.div_ceil(CHUNK)).next_back();
        let node = node.map(|(first, node)| first * CHUNK..(first + (1 << node.level)) * CHUNK);
        let end = self.ends.range(..range.end).next_back();
        let end = end.map(|(first, items)| *first..first + items.len() as u64);
        let common = |own: std::ops::Range<u64>| {
            let (start, stop) = (own.start.max(range.start), own.end.min(range.end));
            (start < stop).then_some(start)
        };
        node.and_then(common).or(end.and_then(common))
    }

    /// Adds a whole chunk.
    fn chunk(&mut self, number: u64, items: &[I]) {
        let item = |at: u64| (items[at as usize], number * CHUNK + at);
        if let Some(value) = canonical::chunk(self.op, CHUNK, item) {
            self.node(number, Node { level: 0, value });
        }
    }

    /// Adds the value of chunks, and combines it with its neighbours as far as they are there.
    fn node(&mut self, mut first: u64, mut node: Node<O::Value>) {
        loop {
            let other = first ^ (1 << node.level);
            let Some(neighbour) = self.nodes.get(&other).filter(|other| other.level == node.level) else {
                break;
            };
            let (left, right) =
                if first < other { (node.value, neighbour.value) } else { (neighbour.value, node.value) };
            self.nodes.remove(&other);
            node = Node { level: node.level + 1, value: self.op.combine(left, right) };
            first = first.min(other);
        }
        self.nodes.insert(first, node);
    }

    /// Adds elements of one chunk, and reduces that if they complete it.
    fn end(&mut self, mut first: u64, mut items: Vec<I>) {
        if items.is_empty() {
            return;
        }
        let chunk = first / CHUNK;
        let before = self.ends.range(chunk * CHUNK..first).next_back();
        if let Some((&at, before)) = before
            && at + before.len() as u64 == first
        {
            let mut joined = self.ends.remove(&at).unwrap_or_default();
            joined.append(&mut items);
            (first, items) = (at, joined);
        }
        let after = first + items.len() as u64;
        if after / CHUNK == chunk
            && let Some(mut next) = self.ends.remove(&after)
        {
            items.append(&mut next);
        }
        match items.len() as u64 {
            CHUNK => self.chunk(chunk, &items),
            _ => {
                self.ends.insert(first, items);
            }
        }
    }
}

/// The elements before the first whole chunk, those of whole chunks, and those after them. Without a whole chunk the first
/// and the last part are of one chunk each.
pub(crate) fn parts<I>(first: u64, items: &[I]) -> (&[I], &[I], &[I]) {
    let [head, whole, _] = lengths(first, items.len());
    let (head, rest) = items.split_at(head);
    let (whole, tail) = rest.split_at(whole);
    (head, whole, tail)
}

/// The lengths of the [`parts`] of so many elements.
pub(crate) fn lengths(first: u64, count: usize) -> [usize; 3] {
    let head = (first.next_multiple_of(CHUNK) - first).min(count as u64) as usize;
    let tail = (count - head) % CHUNK as usize;
    [head, count - head - tail, tail]
}

/// What serialized partial results begin with: their format and its version.
const MAGIC: [u8; 8] = *b"wfpart\0\x01";

impl<I: Plain, O: Lift<I, Value: Storable>> Partial<I, O> {
    /// The partial result as bytes, for a file or another process. All numbers are little-endian:
    ///
    /// | bytes | what |
    /// |---|---|
    /// | 8 | `wfpart`, 0, and the version 1 |
    /// | 4 + 4 | sizes of an element, and of a value in its [plain form](Storable), in bytes |
    /// | 8 + 8 | numbers of groups of chunks, and of rows of elements |
    /// | for each group: 8 + 4, value | the number of its first chunk, the binary logarithm of how many chunks it has, its value |
    /// | for each row: 8 + 8, elements | the index of its first element, how many it has, these |
    ///
    /// Elements and values are in the layout of the machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let sizes = [size_of::<I>(), size_of::<<O::Value as Storable>::Plain>()];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(sizes.iter().flat_map(|size| (*size as u32).to_le_bytes()));
        bytes.extend(
            [self.nodes.len(), self.ends.len()].iter().flat_map(|count| (*count as u64).to_le_bytes()),
        );
        for (first, node) in &self.nodes {
            bytes.extend(first.to_le_bytes());
            bytes.extend(node.level.to_le_bytes());
            append(&mut bytes, &[node.value.store()]);
        }
        for (first, items) in &self.ends {
            bytes.extend(first.to_le_bytes());
            bytes.extend((items.len() as u64).to_le_bytes());
            append(&mut bytes, items);
        }
        bytes
    }

    /// The partial result that [`Partial::to_bytes`] made these bytes of, of the same operator.
    ///
    /// # Errors
    ///
    /// [`Error::PartialBytes`] for any others.
    pub fn from_bytes(op: O, bytes: &[u8]) -> Result<Self, Error> {
        Reader { rest: bytes }.partial(op).map_err(|reason| Error::PartialBytes { reason })
    }
}

/// Appends the bytes of values; those of padding are arbitrary.
fn append<T: Plain>(bytes: &mut Vec<u8>, values: &[T]) {
    let (before, length) = (bytes.len(), size_of_val(values));
    bytes.reserve(length);
    // SAFETY: so many bytes are reserved behind the length. Padding is copied as what may be uninitialised; what the
    // assembly does to the bytes behind the pointer is unknown to the compiler, so that they have values after it.
    unsafe {
        let to = bytes.as_mut_ptr().add(before);
        let from = values.as_ptr().cast::<MaybeUninit<u8>>();
        std::ptr::copy_nonoverlapping(from, to.cast(), length);
        std::arch::asm!("/* {} */", in(reg) to, options(nostack, preserves_flags));
        bytes.set_len(before + length);
    }
}

/// What is left of serialized bytes.
pub(crate) struct Reader<'a> {
    pub rest: &'a [u8],
}

impl Reader<'_> {
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or("they end early")?;
        self.rest = rest;
        Ok(*bytes)
    }

    pub fn long(&mut self) -> Result<u64, String> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    pub fn values<T: Plain>(&mut self, count: u64) -> Result<Vec<T>, String> {
        let length = count.checked_mul(size_of::<T>() as u64).and_then(|bytes| usize::try_from(bytes).ok());
        let length = length.filter(|length| *length <= self.rest.len()).ok_or("they end early")?;
        let (bytes, rest) = self.rest.split_at(length);
        self.rest = rest;
        // SAFETY: every pattern of bits is a value of a plain type; it is read from where it may be misaligned.
        Ok(bytes
            .chunks(size_of::<T>().max(1))
            .map(|bytes| unsafe { bytes.as_ptr().cast::<T>().read_unaligned() })
            .collect())
    }

    fn partial<I: Plain, O: Lift<I, Value: Storable>>(mut self, op: O) -> Result<Partial<I, O>, String> {
        if self.take()? != MAGIC {
            return Err("they begin with something else, or are of another version".to_owned());
        }
        for (what, size) in
            [("elements", size_of::<I>()), ("values", size_of::<<O::Value as Storable>::Plain>())]
        {
            let found = u32::from_le_bytes(self.take()?);
            if found as usize != size {
                return Err(format!("its {what} have {found} bytes instead of {size}"));
            }
        }
        let [nodes, ends] = [self.long()?, self.long()?];
        let mut all = Partial::new(op);
        for _ in 0..nodes {
            let (first, level) = (self.long()?, u32::from_le_bytes(self.take()?));
            let is_aligned = level < 50 && first < u64::MAX / CHUNK / 2 && first.trailing_zeros() >= level;
            let value = self.values::<<O::Value as Storable>::Plain>(1)?[0];
            if !is_aligned {
                return Err(format!("2^{level} chunks do not begin with chunk {first}"));
            }
            let node = BTreeMap::from([(first, Node { level, value: O::Value::load(value) })]);
            self.add(&mut all, Partial { op, nodes: node, ends: BTreeMap::new() })?;
        }
        for _ in 0..ends {
            let (first, count) = (self.long()?, self.long()?);
            let items = self.values::<I>(count)?;
            let fits = first < u64::MAX / 2 && count > 0 && count <= CHUNK - first % CHUNK && count < CHUNK;
            if !fits {
                return Err(format!("a row of {count} elements begins with element {first}"));
            }
            let mut row = Partial::new(op);
            row.end(first, items);
            self.add(&mut all, row)?;
        }
        if self.rest.is_empty() { Ok(all) } else { Err(format!("{} bytes follow them", self.rest.len())) }
    }

    fn add<I: Plain, O: Lift<I>>(&self, all: &mut Partial<I, O>, one: Partial<I, O>) -> Result<(), String> {
        all.merge(one).map_err(|error| error.to_string())
    }
}

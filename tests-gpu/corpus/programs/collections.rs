//! Slices, iterators, closures, options, a heap and a hash table without an allocator.

/// A table of 32 slots with linear probing.
struct Table {
    slots: [Option<(u32, u32)>; 32],
}

impl Table {
    fn entry(&mut self, key: u32) -> Option<&mut u32> {
        let start = key.wrapping_mul(0x9e37_79b9) >> 27;
        let slot = (0..32).map(|i| ((start + i) % 32) as usize).find(|&i| match self.slots[i] {
            None => true,
            Some((k, _)) => k == key,
        })?;
        Some(&mut self.slots[slot].get_or_insert((key, 0)).1)
    }
}

struct Heap<const N: usize> {
    items: [u32; N],
    count: usize,
}

impl<const N: usize> Heap<N> {
    fn push(&mut self, value: u32) -> Result<(), u32> {
        let Some(slot) = self.items.get_mut(self.count) else { return Err(value) };
        *slot = value;
        let mut at = self.count;
        self.count += 1;
        while at > 0 && self.items[(at - 1) / 2] > self.items[at] {
            self.items.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        Ok(())
    }

    fn pop(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1)?;
        self.items.swap(0, self.count);
        let mut at = 0;
        loop {
            let child = (2 * at + 1..=2 * at + 2).filter(|&c| c < self.count).min_by_key(|&c| self.items[c]);
            match child {
                Some(child) if self.items[child] < self.items[at] => {
                    self.items.swap(child, at);
                    at = child;
                }
                _ => return Some(self.items[self.count]),
            }
        }
    }
}

pub fn item(input: &[u32; 64], output: &mut [u32; 16]) {
    let mut sorted = *input;
    sorted.sort_unstable();
    output[0] = sorted.windows(2).filter(|pair| pair[0] == pair[1]).count() as u32;
    output[1] = sorted.binary_search(&input[7]).map_or(0, |at| sorted[at] ^ 0x5555);
    sorted.sort_unstable_by_key(|x| (x.count_ones(), core::cmp::Reverse(*x)));
    output[2] = sorted.iter().fold(7, |hash: u32, x| hash.rotate_left(5) ^ x);

    let mut table = Table { slots: [None; 32] };
    let mut lost = 0;
    for key in input.iter().map(|x| x % 40) {
        match table.entry(key) {
            Some(count) => *count += 1,
            None => lost += 1,
        }
    }
    output[3] = table.slots.iter().flatten().map(|(key, count)| key * count * count).sum::<u32>() + lost;

    let mut heap = Heap { items: [0; 24], count: 0 };
    let rejected = input.iter().filter(|x| heap.push(**x).is_err()).count();
    let mut popped = core::iter::from_fn(|| heap.pop());
    output[4] = popped.by_ref().take(5).fold(rejected as u32, |hash, x| hash.wrapping_mul(31).wrapping_add(x));
    output[5] = popped.last().unwrap_or(0);

    let mut chunks = input.chunks_exact(5).zip(input.iter().rev().step_by(3));
    output[6] = chunks.by_ref().take_while(|(chunk, x)| chunk.contains(x) || **x > 9).count() as u32;
    output[7] = chunks.map(|(chunk, x)| chunk.iter().max().copied().unwrap_or(0).abs_diff(*x)).min().unwrap_or(1);
    let (even, odd): (u32, u32) = input.iter().enumerate().fold((0, 0), |(even, odd), (i, x)| match i % 2 {
        0 => (even.wrapping_add(*x), odd),
        _ => (even, odd.saturating_add(*x >> 3)),
    });
    output[8] = even;
    output[9] = odd;
    let mut turned = [0_u32; 8];
    turned.copy_from_slice(&input[16..24]);
    turned.rotate_right((input[0] % 8) as usize);
    turned[2..7].reverse();
    output[10] = turned.iter().rfind(|x| *x % 2 == 1).copied().unwrap_or_default();
    let (left, right) = turned.split_at_mut(4);
    left.swap_with_slice(right);
    output[11] = turned.iter().position(|x| x % 4 == 2).map_or(99, |at| at as u32);
}

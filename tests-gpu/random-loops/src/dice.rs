//! Reproducible draws.

/// Draws from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The draws of a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// A number between two, both included.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as usize) as i64
    }

    /// Whether something happens that does so `n` times of a hundred.
    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }

    /// One of these.
    pub fn of<T: Clone>(&mut self, these: &[T]) -> T {
        these[self.below(these.len())].clone()
    }

    /// One of these, which have weights.
    pub fn weighted<T: Clone>(&mut self, these: &[(usize, T)]) -> T {
        let mut rest = self.below(these.iter().map(|(weight, _)| weight).sum());
        for (weight, one) in these {
            match rest.checked_sub(*weight) {
                Some(less) => rest = less,
                None => return one.clone(),
            }
        }
        these[0].1.clone()
    }

    /// Puts these into another order.
    pub fn shuffle<T>(&mut self, these: &mut [T]) {
        for last in (1..these.len()).rev() {
            these.swap(last, self.below(last + 1));
        }
    }
}

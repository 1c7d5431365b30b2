//! Scheduling choices: in order, or pseudo-random from a seed.

/// The only source of scheduling choices, so that a seed determines a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Chooser {
    state: Option<u64>,
}

impl Chooser {
    pub fn new(seed: Option<u64>) -> Chooser {
        Chooser { state: seed }
    }

    /// A number below `n`: always 0 without a seed, else the next pseudo-random number (splitmix64).
    #[inline]
    pub fn choose(&mut self, n: u32) -> u32 {
        let Some(state) = &mut self.state else { return 0 };
        if n <= 1 {
            return 0;
        }
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u32
    }

    pub fn seeded(&self) -> bool {
        self.state.is_some()
    }
}

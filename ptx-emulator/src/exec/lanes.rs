//! Iteration over the lanes of a mask.

/// The lanes of a mask, lowest first.
#[inline]
pub(super) fn lanes(mask: u32) -> Lanes {
    Lanes(mask)
}

/// The iterator that [`lanes`] returns.
#[derive(Clone)]
pub(super) struct Lanes(u32);

impl Iterator for Lanes {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lane)
    }
}

/// The lanes of a mask from a given lane on, then those below it.
pub(super) type LaneOrder = std::iter::Chain<Lanes, Lanes>;

#[inline]
pub(super) fn from_lane(mask: u32, start: u32) -> LaneOrder {
    let before = (1 << start) - 1;
    lanes(mask & !before).chain(lanes(mask & before))
}

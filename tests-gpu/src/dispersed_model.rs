//! A host model of the dispersed warp reduction in which each lane asks the hardware for the active lanes.

/// A lane's value: the lanes whose values were combined into it, in order. None is an undefined value.
type Held = Option<Vec<usize>>;

/// One call of the callback in one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The lane.
    pub lane: usize,
    /// Its number among the participating lanes.
    pub logical: usize,
    /// The distance to the next participating lane; zero or less if there is none.
    pub offset: i32,
    /// The lane's value afterwards.
    pub held: Held,
}

/// What the callback does with the value of a lane that does not combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Keeps it.
    Keeps,
    /// Replaces it by the fetched value, as in a contiguous reduction. This is wrong: see the tests.
    Copies,
}

/// The calls in every pass of a dispersed reduction over `lanes` lanes, of which those of `mask` hold a
/// value. In each pass a lane asks the hardware for the active lanes; lanes that have left the loop are
/// inactive. The runtime computes the same from the mask instead (docs/reduction-algorithms.md).
pub fn passes(mask: u32, lanes: usize, otherwise: Otherwise) -> Vec<Vec<Call>> {
    let mut held: Vec<Held> = (0..lanes).map(|lane| (mask >> lane & 1 == 1).then(|| vec![lane])).collect();
    let mut active: Vec<usize> = (0..lanes).filter(|lane| mask >> lane & 1 == 1).collect();
    let mut logical: Vec<usize> =
        (0..lanes).map(|lane| active.partition_point(|other| *other < lane)).collect();
    let mut passes = Vec::new();
    while !active.is_empty() {
        let size = active.len();
        let before = held.clone();
        let calls: Vec<Call> = active
            .iter()
            .enumerate()
            .map(|(rank, &lane)| {
                let offset = active.get(rank + 1).map_or(-1 - lane as i32, |next| (next - lane) as i32);
                // A shuffle uses only the low bits of the offset; the value of an inactive lane is undefined.
                let from = (lane as i32 + offset).rem_euclid(lanes as i32) as usize;
                let remote = before[from].clone().filter(|_| active.contains(&from));
                let held = match (logical[lane].is_multiple_of(2) && offset > 0, otherwise) {
                    (true, _) => before[lane].clone().zip(remote).map(|(own, remote)| [own, remote].concat()),
                    (false, Otherwise::Keeps) => before[lane].clone(),
                    (false, Otherwise::Copies) => remote,
                };
                Call { lane, logical: logical[lane], offset, held }
            })
            .collect();
        calls.iter().for_each(|call| held[call.lane] = call.held.clone());
        active.retain(|&lane| logical[lane].is_multiple_of(2) && size > 1);
        logical.iter_mut().for_each(|logical| *logical /= 2);
        passes.push(calls);
    }
    passes
}

/// The lanes of a mask, the lowest first.
pub fn lanes(mask: u32) -> Vec<usize> {
    (0..32).filter(|lane| mask >> lane & 1 == 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leader(mask: u32, otherwise: Otherwise) -> Held {
        let last = passes(mask, 8, otherwise).pop().expect("a pass");
        assert_eq!(last.iter().map(|call| call.lane).collect::<Vec<_>>(), [mask.trailing_zeros() as usize]);
        last[0].held.clone()
    }

    #[test]
    fn five_of_eight_lanes_combine_in_four_passes() {
        let shown: Vec<Vec<(usize, usize, i32, String)>> = passes(0b1011_0110, 8, Otherwise::Keeps)
            .into_iter()
            .map(|calls| {
                let shown = |call: Call| {
                    let held: Vec<String> =
                        call.held.expect("a value").iter().map(usize::to_string).collect();
                    (call.lane, call.logical, call.offset.max(0), held.join("+"))
                };
                calls.into_iter().map(shown).collect()
            })
            .collect();
        let row = |lane, logical, offset, held: &str| (lane, logical, offset, held.to_string());
        assert_eq!(
            shown,
            [
                vec![
                    row(1, 0, 1, "1+2"),
                    row(2, 1, 2, "2"),
                    row(4, 2, 1, "4+5"),
                    row(5, 3, 2, "5"),
                    row(7, 4, 0, "7")
                ],
                vec![row(1, 0, 3, "1+2+4+5"), row(4, 1, 3, "4+5"), row(7, 2, 0, "7")],
                vec![row(1, 0, 6, "1+2+4+5+7"), row(7, 1, 0, "7")],
                vec![row(1, 0, 0, "1+2+4+5+7")],
            ]
        );
    }

    /// One mask is right with copies by chance: that of lane 7 only, which copies its own value.
    #[test]
    fn copies_are_wrong_for_all_masks_but_one() {
        let wrong = |otherwise| {
            (1_u32..256).filter(|&mask| leader(mask, otherwise) != Some(lanes(mask))).collect::<Vec<_>>()
        };
        assert!(wrong(Otherwise::Keeps).is_empty());
        assert_eq!(wrong(Otherwise::Copies), (1..256).filter(|&mask| mask != 0x80).collect::<Vec<_>>());
    }

    /// A loop that ends when a lane is the only active one makes one call more than necessary.
    #[test]
    fn asking_for_active_lanes_takes_one_call_more_than_the_logarithm() {
        for mask in 1_u32..256 {
            let steps = mask.count_ones().next_power_of_two().ilog2() as usize;
            assert_eq!(passes(mask, 8, Otherwise::Keeps).len(), steps + 1, "{mask:#b}");
        }
    }
}

//! The orders in which warp reductions must combine their lanes, and an operator that shows them.
//!
//! The orders for up to eight lanes are written out by hand from the design's figures; the rule for more
//! lanes is checked against them.

/// A 2x2 matrix modulo 2^64, row by row: its product is associative and not commutative, so a product of
/// random matrices names the order of its factors.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix(pub [u64; 4]);

impl Matrix {
    /// The neutral element.
    pub const IDENTITY: Matrix = Matrix([1, 0, 0, 1]);

    /// `self` times `right`.
    pub fn times(self, right: Matrix) -> Matrix {
        let (Matrix([a, b, c, d]), Matrix([e, f, g, h])) = (self, right);
        let dot = |x: u64, y: u64, z: u64, w: u64| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
        Matrix([dot(a, e, b, g), dot(a, f, b, h), dot(c, e, d, g), dot(c, f, d, h)])
    }
}

/// Reproducible values that are no special case of anything (SplitMix64).
pub fn random(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// `count` random matrices.
pub fn matrices(seed: u64, count: usize) -> Vec<Matrix> {
    let mut values = random(seed);
    let mut next = || values.next().expect("the sequence has no end");
    (0..count).map(|_| Matrix([next(), next(), next(), next()])).collect()
}

/// Order of lane 0's result and the offsets used, for 1..=8 contiguous lanes (reductions T2).
pub const CONTIGUOUS: [(&[usize], &[usize]); 8] = [
    (&[0], &[]),
    (&[0, 1], &[1]),
    (&[0, 1, 2], &[1, 1]),
    (&[0, 2, 1, 3], &[2, 1]),
    (&[0, 2, 1, 3, 4], &[2, 1, 1]),
    (&[0, 3, 1, 4, 2, 5], &[3, 1, 1]),
    (&[0, 3, 2, 5, 1, 4, 6], &[3, 2, 1]),
    (&[0, 4, 2, 6, 1, 5, 3, 7], &[4, 2, 1]),
];

/// Order of every live lane's value after each step of a contiguous reduction of `size` lanes.
///
/// With an odd number of lanes the last one has no partner and moves down to the first free lane.
pub fn contiguous_orders(size: usize) -> Vec<Vec<Vec<usize>>> {
    let mut lanes: Vec<Vec<usize>> = (0..size).map(|lane| vec![lane]).collect();
    let mut steps = Vec::new();
    while lanes.len() > 1 {
        let offset = lanes.len() / 2;
        let upper = lanes.split_off(offset);
        let mut partners = upper.into_iter();
        for lane in &mut lanes {
            lane.extend(partners.next().expect("the upper part is the larger one"));
        }
        // An odd one is left: it follows the combined lanes.
        lanes.extend(partners);
        steps.push(lanes.clone());
    }
    steps
}

/// The product of `values` in the order of `lanes`.
pub fn product(values: &[Matrix], lanes: &[usize]) -> Matrix {
    lanes.iter().fold(Matrix::IDENTITY, |product, lane| product.times(values[*lane]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_gives_the_written_orders() {
        for (index, (order, offsets)) in CONTIGUOUS.iter().enumerate() {
            let steps = contiguous_orders(index + 1);
            assert_eq!(steps.len(), offsets.len());
            if let Some(last) = steps.last() {
                assert_eq!(last[0], *order);
            }
        }
    }

    #[test]
    fn steps_are_the_logarithm_of_the_size() {
        for size in 1..=32_usize {
            assert_eq!(contiguous_orders(size).len(), size.next_power_of_two().ilog2() as usize, "{size}");
        }
    }

    #[test]
    fn two_orders_give_two_products() {
        let values = matrices(1, 8);
        assert_ne!(product(&values, &[0, 1, 2]), product(&values, &[0, 2, 1]));
    }
}

//! The orders in which warp reductions must combine lanes, and an operator whose results show the order.
//!
//! The orders for up to eight lanes are written out by hand from the definition of the contiguous reduction
//! (docs/reduction-algorithms.md); the rule for more lanes is checked against them.

use crate::random::random;

/// A 2x2 matrix modulo 2^64, row by row. The product is associative but not commutative, so a product of
/// random matrices shows the order of its factors.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix(pub [u64; 4]);

impl Matrix {
    /// The identity.
    pub const IDENTITY: Matrix = Matrix([1, 0, 0, 1]);

    /// `self` times `right`.
    pub fn times(self, right: Matrix) -> Matrix {
        let (Matrix([a, b, c, d]), Matrix([e, f, g, h])) = (self, right);
        let dot = |x: u64, y: u64, z: u64, w: u64| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
        Matrix([dot(a, e, b, g), dot(a, f, b, h), dot(c, e, d, g), dot(c, f, d, h)])
    }
}

/// `count` random matrices.
pub fn matrices(seed: u64, count: usize) -> Vec<Matrix> {
    let mut values = random(seed);
    let mut next = || values.next().expect("the sequence has no end");
    (0..count).map(|_| Matrix([next(), next(), next(), next()])).collect()
}

/// The order of lane 0's result and the offsets, for 1..=8 contiguous lanes.
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

/// The order of every participating lane's value after each step of a contiguous reduction of `size` lanes.
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
        // With an odd number, the last value follows the combined ones.
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

//! Trait objects, generics, enums with data, matching, wrapping and checked arithmetic.

trait Gate {
    fn apply(&self, x: u64) -> u64;
    fn twice(&self, x: u64) -> u64 {
        self.apply(self.apply(x))
    }
}

struct Mask(u64);
struct Turn {
    by: u32,
}
struct Chain<'a> {
    gates: [&'a dyn Gate; 3],
}

impl Gate for Mask {
    fn apply(&self, x: u64) -> u64 {
        x ^ self.0
    }
}

impl Gate for Turn {
    fn apply(&self, x: u64) -> u64 {
        x.rotate_left(self.by).wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn twice(&self, x: u64) -> u64 {
        x.rotate_right(2 * (self.by & 15))
    }
}

impl Gate for Chain<'_> {
    fn apply(&self, x: u64) -> u64 {
        self.gates.iter().fold(x, |x, gate| gate.twice(x))
    }
}

enum Tree<'a> {
    Leaf(i64),
    Sum(&'a Tree<'a>, &'a Tree<'a>),
    Product(&'a Tree<'a>, &'a Tree<'a>),
    Quotient { of: &'a Tree<'a>, by: i64 },
}

#[derive(Clone, Copy, PartialEq)]
enum MathError {
    Overflow,
    Division,
}

#[inline(never)]
fn value(tree: &Tree) -> Result<i64, MathError> {
    Ok(match tree {
        Tree::Leaf(x) => *x,
        Tree::Sum(a, b) => value(a)?.checked_add(value(b)?).ok_or(MathError::Overflow)?,
        Tree::Product(a, b) => value(a)?.checked_mul(value(b)?).ok_or(MathError::Overflow)?,
        Tree::Quotient { of, by } => value(of)?.checked_div(*by).ok_or(MathError::Division)?,
    })
}

fn power(base: u128, mut exponent: u32, modulus: u128) -> u128 {
    let (mut result, mut base) = (1, base % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    result
}

fn narrow<T: TryFrom<i64>>(x: i64) -> bool {
    T::try_from(x).is_ok()
}

pub fn item(input: &[u32; 64], output: &mut [u32; 16]) {
    let (mask, turn) = (Mask(u64::from(input[0]) << 7), Turn { by: input[1] % 64 });
    let other: &dyn Gate = if input[2] % 2 == 0 { &mask } else { &turn };
    let chain = Chain { gates: [&mask, &turn, other] };
    let outer = Chain { gates: [&chain, other, &chain] };
    let x = outer.apply(u64::from(input[3]));
    output[0] = x as u32;
    output[1] = (x >> 32) as u32;

    let leaf = |i: usize| Tree::Leaf(i64::from(input[i] as i32));
    let (a, b, c) = (leaf(4), leaf(5), leaf(6));
    let sum = Tree::Sum(&a, &b);
    let product = Tree::Product(&sum, &c);
    let square = Tree::Product(&product, &product);
    let quotient = Tree::Quotient { of: if input[7] % 3 == 0 { &square } else { &product }, by: i64::from(input[8] % 4) };
    output[2] = match value(&quotient) {
        Ok(x) => x as u32 ^ (x >> 32) as u32,
        Err(MathError::Overflow) => 1,
        Err(MathError::Division) => 2,
    };

    let p = power(u128::from(x) << 13 | 5, input[9] % 64, (1 << 61) - 1);
    output[3] = p as u32;
    output[4] = (p >> 32) as u32;
    let y = i64::from(input[10] as i32);
    let fits = [narrow::<u8>(y), narrow::<i16>(y), narrow::<u32>(y), narrow::<i8>(y >> 25)];
    output[5] = fits.iter().fold(0, |bits, fit| bits * 2 + u32::from(*fit));
    let (low, carry) = input[11].overflowing_add(input[12]);
    output[6] = low ^ u32::from(carry);
    output[7] = (input[13] as i32).saturating_sub(input[14] as i32) as u32;
    output[8] = (input[15] as i32).checked_rem_euclid(input[16] as i32 % 7).map_or(9, |x| x as u32);
    output[9] = input[17].leading_zeros() << 16 | (input[18] as u16).swap_bytes() as u32;
    output[10] = (input[19] as i32).pow(3.min(input[20] % 4).min(1)) as u32;
    output[11] = u32::from(input[21].is_power_of_two()) + input[22].checked_ilog2().unwrap_or(77);
}

//! Products of matrices (`mma`, `wmma`): which lane holds which element, and what is computed.
//!
//! `d = a * b + c` with `m` rows, `n` columns and sums of `k` products. Hardware rounds the sums of floats in its own,
//! undocumented way. Here the products and their sum, from `c` on in the order of `k`, are computed in double precision and
//! rounded once to the type of `d`: with the short significands of `a` and `b` that is mostly the exact sum, rounded. For
//! doubles it is a chain of fused operations. Sums of integers are exact, and wrap or are clamped at the end.

use super::float::{canon32, canon64};
use super::real::{Format, Real, Rounding};

/// The type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Half,
    Bfloat,
    /// Single precision of which 10 bits of the significand count.
    Tensor,
    Single,
    Double,
    Int8 {
        signed: bool,
    },
    Int32,
}

impl Element {
    pub fn bits(self) -> u32 {
        match self {
            Element::Int8 { .. } => 8,
            Element::Half | Element::Bfloat => 16,
            Element::Tensor | Element::Single | Element::Int32 => 32,
            Element::Double => 64,
        }
    }

    /// Elements in a register.
    pub fn in_register(self) -> u32 {
        (32 / self.bits()).max(1)
    }

    fn float(self, bits: u64) -> f64 {
        let of =
            |format: Format| f64::from_bits(Format::F64.write(format.read(bits), Rounding::Nearest, false));
        match self {
            Element::Half => of(Format::F16),
            Element::Bfloat => of(Format::Bf16),
            Element::Tensor => f64::from(f32::from_bits(bits as u32 & !0x1fff)),
            Element::Single => f64::from(f32::from_bits(bits as u32)),
            Element::Double => f64::from_bits(bits),
            Element::Int8 { .. } | Element::Int32 => self.integer(bits) as f64,
        }
    }

    fn integer(self, bits: u64) -> i64 {
        match self {
            Element::Int8 { signed: true } => i64::from(bits as i8),
            Element::Int8 { signed: false } => i64::from(bits as u8),
            _ => i64::from(bits as i32),
        }
    }

    fn of_float(self, value: f64) -> u64 {
        match self {
            Element::Half => Format::F16.write(Real::from_f64(value), Rounding::Nearest, false),
            Element::Double => canon64(value),
            _ => u64::from(canon32(value as f32)),
        }
    }
}

/// One of the matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matrix {
    A,
    B,
    /// The sums, before and after.
    C,
}

/// How the elements are spread over the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// As PTX defines it for `mma`.
    Defined,
    /// Of `wmma`, where PTX leaves it open: a lane has consecutive elements of one line. Lines are the rows of `a` and `c`
    /// and the columns of `b`; where lanes are left, several hold the same.
    Open,
}

/// The shape of a product and its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub spread: Spread,
    /// Rows, columns and products in a sum.
    pub size: [u32; 3],
    /// Of `a`, of `b` and of the sums.
    pub elements: [Element; 3],
    pub clamp: bool,
}

impl Shape {
    pub fn element(&self, matrix: Matrix) -> Element {
        self.elements[matrix as usize]
    }

    /// Lines, and elements of a line.
    pub fn lines(&self, matrix: Matrix) -> (u32, u32) {
        let [m, n, k] = self.size;
        match matrix {
            Matrix::A => (m, k),
            Matrix::B => (n, k),
            Matrix::C => (m, n),
        }
    }

    /// Registers that a lane has of a matrix.
    pub fn registers(&self, matrix: Matrix) -> u32 {
        let (lines, length) = self.lines(matrix);
        let elements = match (self.spread, matrix, self.element(matrix)) {
            // Halves of `a` and `b` have 16 elements in each lane, in every shape.
            (Spread::Open, Matrix::A | Matrix::B, Element::Half) => 16,
            _ => lines * length / 32,
        };
        elements / self.element(matrix).in_register()
    }

    /// The lane that holds an element, and its number there.
    pub fn place(&self, matrix: Matrix, line: u32, at: u32) -> (u32, u32) {
        let packed = self.element(matrix).in_register();
        match (self.spread, matrix) {
            (Spread::Open, _) => {
                let in_lane = self.registers(matrix) * packed;
                (line + self.lines(matrix).0 * (at / in_lane), at % in_lane)
            }
            // Lines in groups of eight; four lanes have a line.
            (Spread::Defined, Matrix::C) => (line % 8 * 4 + at / 2, line / 8 * 2 + at % 2),
            (Spread::Defined, _) => {
                let groups = self.lines(matrix).0 / 8;
                let register = at / (4 * packed) * groups + line / 8;
                (line % 8 * 4 + at % (4 * packed) / packed, register * packed + at % packed)
            }
        }
    }

    /// The sums of a row and a column, from `c` on; all as bits.
    pub fn sum(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let [of_a, of_b, of_c] = self.elements;
        let pairs = a.iter().zip(b);
        match of_c {
            Element::Int32 => {
                let sum =
                    pairs.fold(of_c.integer(c), |sum, (&a, &b)| sum + of_a.integer(a) * of_b.integer(b));
                let sum = if self.clamp { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
                u64::from(sum as u32)
            }
            Element::Double => {
                let sum = pairs.fold(f64::from_bits(c), |sum, (&a, &b)| {
                    f64::from_bits(a).mul_add(f64::from_bits(b), sum)
                });
                canon64(sum)
            }
            _ => {
                let sum = pairs.fold(of_c.float(c), |sum, (&a, &b)| sum + of_a.float(a) * of_b.float(b));
                of_c.of_float(sum)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT8: Element = Element::Int8 { signed: true };

    fn shape(spread: Spread, size: [u32; 3], of_a: Element, of_c: Element) -> Shape {
        Shape { spread, size, elements: [of_a, of_a, of_c], clamp: false }
    }

    /// Every element has a place, and no two have the same one; copies are in lanes behind.
    #[test]
    fn elements_have_places_of_their_own() {
        use Element::*;
        let defined = |size, a, c| shape(Spread::Defined, size, a, c);
        let open = |size, a, c| shape(Spread::Open, size, a, c);
        for shape in [
            defined([16, 8, 16], Half, Single),
            defined([16, 8, 8], Bfloat, Single),
            defined([16, 8, 8], Tensor, Single),
            defined([16, 8, 4], Tensor, Single),
            defined([8, 8, 4], Double, Double),
            defined([16, 8, 16], INT8, Int32),
            defined([16, 8, 32], INT8, Int32),
            defined([8, 8, 16], INT8, Int32),
            open([16, 16, 16], Half, Half),
            open([32, 8, 16], Half, Single),
            open([8, 32, 16], Bfloat, Single),
            open([16, 16, 16], INT8, Int32),
            open([16, 16, 8], Tensor, Single),
            open([8, 8, 4], Double, Double),
        ] {
            for matrix in [Matrix::A, Matrix::B, Matrix::C] {
                let (lines, length) = shape.lines(matrix);
                let in_lane = shape.registers(matrix) * shape.element(matrix).in_register();
                let mut seen = std::collections::HashSet::new();
                for (line, at) in (0..lines).flat_map(|line| (0..length).map(move |at| (line, at))) {
                    let (lane, number) = shape.place(matrix, line, at);
                    assert!(lane < 32 && number < in_lane, "{shape:?} {matrix:?} {line} {at}");
                    assert!(seen.insert((lane, number)), "{shape:?} {matrix:?} {line} {at}");
                }
            }
        }
        // As PTX has it: the third register of `a` is of the row of the first, eight columns on.
        let half = defined([16, 8, 16], Half, Single);
        assert_eq!(half.place(Matrix::A, 3, 11), (3 * 4 + 1, 5));
        assert_eq!(half.place(Matrix::A, 11, 3), (3 * 4 + 1, 3));
        assert_eq!(half.place(Matrix::B, 5, 9), (5 * 4, 3));
        assert_eq!(half.place(Matrix::C, 9, 7), (4 + 3, 3));
    }

    #[test]
    fn sums_are_rounded_once() {
        let half = shape(Spread::Defined, [16, 8, 16], Element::Half, Element::Single);
        let single = |value: f32| u64::from(value.to_bits());
        // 1 * 2 + 0.5 * -4 + 1.25
        assert_eq!(half.sum(&[0x3c00, 0x3800], &[0x4000, 0xc400], single(1.25)), single(1.25));
        // 65504 * 65504 + 1 - 65504 * 65504
        assert_eq!(half.sum(&[0x7bff; 2], &[0x7bff, 0xfbff], single(1.0)), single(1.0));
        let mut bytes = shape(Spread::Defined, [16, 8, 32], INT8, Element::Int32);
        assert_eq!(bytes.sum(&[0xff, 3], &[2, 0x80], 10) as u32 as i32, 10 - 2 - 384);
        let most = u64::from(i32::MAX as u32);
        assert_eq!(bytes.sum(&[1], &[1], most) as u32, 0x8000_0000);
        bytes.clamp = true;
        assert_eq!(bytes.sum(&[1], &[1], most), most);
        let tensor = shape(Spread::Defined, [16, 8, 8], Element::Tensor, Element::Single);
        // 13 bits of the significand do not count.
        assert_eq!(tensor.sum(&[single(1.5) + 0x1fff], &[single(1.25) + 1], 0), single(1.875));
    }
}

//! Float arithmetic in any format and rounding, with any qualifier: what the tables of this module's parent
//! do not have. It is slower than those by an order of magnitude, and rare.

use super::real::{Format, Real, Rounding};

/// The operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatOp {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Rcp,
    Sqrt,
    /// The minimum of two operands, or of three.
    Min,
    Max,
    Ex2,
    Tanh,
}

/// An operation with its qualifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatArithmetic {
    pub op: FloatOp,
    pub format: Format,
    /// Numbers in a register: one or two.
    pub parts: u32,
    pub rounding: Rounding,
    /// `.ftz`
    pub flush: bool,
    /// `.sat`
    pub saturate: bool,
    pub relu: bool,
    /// `.NaN` of a minimum or maximum.
    pub nan: bool,
    /// `.abs` of a minimum or maximum.
    pub abs: bool,
    pub xor_sign: bool,
    /// Whether a minimum or maximum has three operands.
    pub three: bool,
}

impl FloatArithmetic {
    /// An operation without qualifiers.
    pub fn plain(op: FloatOp, format: Format, parts: u32) -> FloatArithmetic {
        FloatArithmetic {
            op,
            format,
            parts,
            rounding: Rounding::Nearest,
            flush: false,
            saturate: false,
            relu: false,
            nan: false,
            abs: false,
            xor_sign: false,
            three: false,
        }
    }

    /// Whether the registers have 64 bits.
    pub fn wide(&self) -> bool {
        self.format.bits() * self.parts > 32
    }

    /// The result in one lane.
    pub fn lane(&self, a: u64, b: u64, c: u64) -> u64 {
        let bits = self.format.bits();
        if self.parts == 1 {
            return self.part(a, b, c);
        }
        let ones = (1 << bits) - 1;
        let low = self.part(a & ones, b & ones, c & ones);
        low | self.part(a >> bits & ones, b >> bits & ones, c >> bits & ones) << bits
    }

    fn part(&self, a: u64, b: u64, c: u64) -> u64 {
        let f = self.format;
        let [a, b, c] = if self.flush { [a, b, c].map(|v| f.flush(v)) } else { [a, b, c] };
        if let FloatOp::Min | FloatOp::Max = self.op {
            let least = |a, b| f.extreme(a, b, self.op == FloatOp::Max, self.nan);
            let [x, y, z] = if self.abs { [a, b, c].map(|v| f.magnitude(v)) } else { [a, b, c] };
            let found = least(x, y);
            let found = if self.three { least(found, z) } else { found };
            return if self.xor_sign { f.xor_sign(found, a, b) } else { found };
        }
        let [x, y, z] = [a, b, c].map(|v| f.read(v));
        let exact = match self.op {
            FloatOp::Add => x.add(y, self.rounding),
            FloatOp::Sub => x.add(y.negate(), self.rounding),
            FloatOp::Mul => x.multiply(y),
            FloatOp::Fma => x.multiply(y).add(z, self.rounding),
            FloatOp::Div => x.divide(y),
            FloatOp::Rcp => Real::from_int(1).divide(x),
            FloatOp::Sqrt => x.square_root(),
            FloatOp::Ex2 => Real::from_f64(self.double(a).exp2()),
            FloatOp::Tanh => Real::from_f64(self.double(a).tanh()),
            FloatOp::Min | FloatOp::Max => x,
        };
        let mut out = f.write(exact, self.rounding, false);
        if self.flush {
            out = f.flush(out);
        }
        if self.saturate {
            out = f.saturate(out);
        }
        if self.relu { f.rectify(out) } else { out }
    }

    /// An operand as a double; exact.
    fn double(&self, bits: u64) -> f64 {
        f64::from_bits(Format::F64.write(self.format.read(bits), Rounding::Nearest, false))
    }
}

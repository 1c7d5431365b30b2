//! Instructions on the halves or bytes of words (`vadd2`, `vset4`, …).

/// What is computed of each pair of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartsOp {
    Add,
    Sub,
    /// Rounded up; the elements are unsigned.
    Average,
    AbsDiff,
    Min,
    Max,
    /// Comparisons: 1 or 0.
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl PartsOp {
    pub const ALL: [PartsOp; 12] = {
        use PartsOp::*;
        [Add, Sub, Average, AbsDiff, Min, Max, Eq, Ne, Lt, Le, Gt, Ge]
    };
}

/// A form of these instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartsForm {
    pub op: PartsOp,
    /// Four bytes, not two halves.
    pub bytes: bool,
    /// Which are signed: the elements of `a`, of `b` and of the result.
    pub signed: [bool; 3],
    /// Results are clamped to the range of their type.
    pub saturate: bool,
    /// The result is the sum of the elements' results and `c`.
    pub sum: bool,
}

impl PartsForm {
    /// As a number, which is the last source of the operation.
    pub fn code(self) -> u32 {
        let flags = [self.bytes, self.signed[0], self.signed[1], self.signed[2], self.saturate, self.sum];
        let flags = flags.iter().enumerate().fold(0, |all, (bit, &flag)| all | u32::from(flag) << bit);
        flags | (self.op as u32) << 8
    }

    fn of(code: u32) -> PartsForm {
        let flag = |bit: u32| code >> bit & 1 != 0;
        PartsForm {
            op: PartsOp::ALL[(code >> 8) as usize % PartsOp::ALL.len()],
            bytes: flag(0),
            signed: [flag(1), flag(2), flag(3)],
            saturate: flag(4),
            sum: flag(5),
        }
    }
}

/// The result for two words, a third one to which `sum` adds, and the code of a form.
pub(super) fn parts(a: u32, b: u32, c: u32, code: u32) -> u32 {
    let form = PartsForm::of(code);
    let width = if form.bytes { 8 } else { 16 };
    let element = |word: u32, at: u32, signed: bool| {
        let raised = word << (32 - width - at);
        if signed { i64::from(raised as i32 >> (32 - width)) } else { i64::from(raised >> (32 - width)) }
    };
    let range = match form.signed[2] {
        true => (-1 << (width - 1), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    };
    let (mut word, mut sum) = (0, c);
    for at in (0..32).step_by(width as usize) {
        let (x, y) = (element(a, at, form.signed[0]), element(b, at, form.signed[1]));
        let exact = match form.op {
            PartsOp::Add => x + y,
            PartsOp::Sub => x - y,
            PartsOp::Average => (x + y + 1) >> 1,
            PartsOp::AbsDiff => (x - y).abs(),
            PartsOp::Min => x.min(y),
            PartsOp::Max => x.max(y),
            PartsOp::Eq => i64::from(x == y),
            PartsOp::Ne => i64::from(x != y),
            PartsOp::Lt => i64::from(x < y),
            PartsOp::Le => i64::from(x <= y),
            PartsOp::Gt => i64::from(x > y),
            PartsOp::Ge => i64::from(x >= y),
        };
        let result: i64 = if form.saturate { exact.clamp(range.0, range.1) } else { exact };
        sum = sum.wrapping_add(result as u32);
        word |= (result as u32 & (u32::MAX >> (32 - width))) << at;
    }
    if form.sum { sum } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(op: PartsOp, bytes: bool, signed: bool) -> PartsForm {
        PartsForm { op, bytes, signed: [signed; 3], saturate: false, sum: false }
    }

    #[test]
    fn codes_are_read_back() {
        for op in PartsOp::ALL {
            for flags in 0..64u32 {
                let flag = |bit: u32| flags >> bit & 1 != 0;
                let form = PartsForm {
                    op,
                    bytes: flag(0),
                    signed: [flag(1), flag(2), flag(3)],
                    saturate: flag(4),
                    sum: flag(5),
                };
                assert_eq!(PartsForm::of(form.code()), form);
            }
        }
    }

    #[test]
    fn elements_are_computed_by_themselves() {
        use PartsOp::*;
        let of = |op, bytes, signed, a, b| parts(a, b, 7, form(op, bytes, signed).code());
        assert_eq!(of(Add, true, false, 0xff01_8040, 0x01ff_8040), 0x0000_0080);
        assert_eq!(of(Add, false, false, 0xffff_0001, 0x0001_ffff), 0);
        assert_eq!(of(Sub, true, false, 0x0001_0203, 0x0101_0101), 0xff00_0102);
        assert_eq!(of(Average, true, false, 0xff00_0305, 0xff01_0408), 0xff01_0407);
        assert_eq!(of(AbsDiff, true, false, 0x0005_ff80, 0xff03_0080), 0xff02_ff00);
        assert_eq!(of(AbsDiff, false, true, 0x8000_0005, 0x7fff_0007), 0xffff_0002);
        assert_eq!(of(Min, true, true, 0x807f_0001, 0x0102_ff01), 0x8002_ff01);
        assert_eq!(of(Max, false, true, 0x8000_0005, 0x0001_fff0), 0x0001_0005);
        assert_eq!(of(Gt, true, false, 0xff01_0005, 0x0101_0106), 0x0100_0000);
        assert_eq!(of(Le, false, true, 0xffff_0003, 0x0000_0002), 0x0001_0000);
    }

    #[test]
    fn results_are_clamped_or_added() {
        let mut form = form(PartsOp::Add, true, true);
        form.saturate = true;
        assert_eq!(parts(0x7f80_0102, 0x01ff_0304, 0, form.code()), 0x7f80_0406);
        let mut form = PartsForm { op: PartsOp::AbsDiff, ..form };
        (form.saturate, form.sum, form.signed) = (false, true, [false; 3]);
        // The bytes differ by 255, 0, 1 and 2.
        assert_eq!(parts(0xff04_0302, 0x0004_0200, 100, form.code()), 358);
    }
}

//! Reduction lists of several shapes, their records, and the same reductions on the host.

use std::fmt;

use codegen_shim::{Op, ReductionList, Source, Type, Variable};

use crate::random::random;

/// One variable.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    ty: Type,
    op: Op,
}

/// A list of variables as the cases reduce them.
#[derive(Debug)]
pub struct Layout {
    columns: &'static [Column],
}

macro_rules! layout {
    ($($ty:ident $op:ident),*) => {
        Layout { columns: &[$(Column { ty: Type::$ty, op: Op::$op }),*] }
    };
}

/// One word; eight bytes; two sizes in one record, with padding; 16 bytes of different operators; 96 bytes.
pub const LAYOUTS: &[Layout] = &[
    layout!(I32 Sum),
    layout!(F64 Sum),
    layout!(F64 Sum, F32 Sum),
    layout!(I64 Sum, I32 Min, F32 Max),
    layout!(F64 Sum, F64 Max, F64 Min, I64 Sum, I64 Min, I64 Max, F64 Sum, F64 Max, F64 Min, I64 Sum, I64 Min, I64 Max),
];

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<String> =
            self.columns.iter().map(|column| format!("{} {}", column.ty, column.op)).collect();
        write!(f, "{{{}}}", columns.join(", "))
    }
}

impl Column {
    fn c(self) -> &'static str {
        match self.ty {
            Type::I32 => "int",
            Type::I64 => "long long",
            Type::F32 => "float",
            Type::F64 => "double",
            #[allow(unreachable_patterns, reason = "no layout has another type")]
            other => unreachable!("{other}"),
        }
    }

    /// A value from random bits. Floating-point sums of some thousands of them are exact in any order.
    fn value(self, bits: u64) -> Vec<u8> {
        match self.ty {
            Type::I32 => (bits as i32).to_ne_bytes().to_vec(),
            Type::I64 => (bits as i64).to_ne_bytes().to_vec(),
            Type::F32 => ((bits % 16) as f32 - 8.0).to_ne_bytes().to_vec(),
            _ => ((bits % 4096) as f64 / 4.0 - 512.0).to_ne_bytes().to_vec(),
        }
    }

    /// `a op b`.
    fn combine(self, a: &[u8], b: &[u8]) -> Vec<u8> {
        macro_rules! combine {
            ($t:ty, $sum:expr) => {{
                let [a, b] =
                    [a, b].map(|bytes| <$t>::from_ne_bytes(bytes.try_into().expect("the type's size")));
                let sum: fn($t, $t) -> $t = $sum;
                match self.op {
                    Op::Sum => sum(a, b),
                    Op::Min => a.min(b),
                    Op::Max => a.max(b),
                    #[allow(unreachable_patterns, reason = "no layout has another operator")]
                    other => unreachable!("{other}"),
                }
                .to_ne_bytes()
                .to_vec()
            }};
        }
        match self.ty {
            Type::I32 => combine!(i32, i32::wrapping_add),
            Type::I64 => combine!(i64, i64::wrapping_add),
            Type::F32 => combine!(f32, |a, b| a + b),
            _ => combine!(f64, |a, b| a + b),
        }
    }
}

impl Layout {
    /// The list; its arrays do not exist.
    pub fn list(&self) -> ReductionList {
        let variable = |(index, column): (usize, &Column)| Variable {
            name: format!("v{index}"),
            ty: column.ty,
            op: column.op,
            source: Source::Array(index as u32),
        };
        ReductionList::new(self.columns.iter().enumerate().map(variable).collect()).expect("a list")
    }

    /// The compiler's option with the variables, for kernels: `-DFIELDS(F)=F(int, v0) …`.
    pub fn fields(&self) -> String {
        let fields: Vec<String> = self
            .columns
            .iter()
            .enumerate()
            .map(|(index, column)| format!("F({}, v{index})", column.c()))
            .collect();
        format!("-DFIELDS(F)={}", fields.join(" "))
    }

    /// Bytes of a record.
    pub fn size(&self) -> usize {
        self.list().record().size as usize
    }

    /// The position of each column's bytes in a record.
    fn ranges(&self) -> Vec<(Column, std::ops::Range<usize>)> {
        let list = self.list();
        let offsets = &list.record().offsets;
        let range = |(column, offset): (&Column, &u32)| {
            let start = *offset as usize;
            (*column, start..start + column.value(0).len())
        };
        self.columns.iter().zip(offsets).map(range).collect()
    }

    /// The bytes of records without padding, record by record, column by column.
    pub fn show(&self, records: &[u8]) -> Vec<Vec<u8>> {
        let ranges = self.ranges();
        records
            .chunks(self.size())
            .flat_map(|record| ranges.iter().map(|(_, range)| record[range.clone()].to_vec()))
            .collect()
    }

    /// `count` records of random values.
    pub fn random(&self, seed: u64, count: usize) -> Records {
        let (size, ranges) = (self.size(), self.ranges());
        let mut bytes = vec![0; count * size];
        let mut bits = random(seed);
        for record in bytes.chunks_mut(size) {
            for (column, range) in &ranges {
                record[range.clone()]
                    .copy_from_slice(&column.value(bits.next().expect("the sequence has no end")));
            }
        }
        Records { bytes, size, ranges }
    }
}

/// Records of one layout.
pub struct Records {
    /// The records, one after the other.
    pub bytes: Vec<u8>,
    size: usize,
    ranges: Vec<(Column, std::ops::Range<usize>)>,
}

impl Records {
    /// From `start` on: the first record, the first two combined, the first three …
    pub fn prefixes(&self, start: usize) -> impl Iterator<Item = Vec<u8>> {
        let mut so_far: Option<Vec<u8>> = None;
        self.bytes[start * self.size..].chunks(self.size).map(move |record| {
            let next = match &so_far {
                None => record.to_vec(),
                Some(before) => {
                    let mut next = before.clone();
                    for (column, range) in &self.ranges {
                        let combined = column.combine(&before[range.clone()], &record[range.clone()]);
                        next[range.clone()].copy_from_slice(&combined);
                    }
                    next
                }
            };
            so_far = Some(next.clone());
            next
        })
    }

    /// All records combined.
    pub fn combined(&self) -> Vec<u8> {
        self.prefixes(0).last().expect("a record")
    }
}

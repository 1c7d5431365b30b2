//! Types of reduction variables and of the elements they reduce.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::interner::Interner;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Signed 8-bit integer, two's complement; likewise the wider ones.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// Signed, 128 bits.
    I128,
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// Unsigned, 128 bits.
    U128,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of a binary32: 8 bits of precision.
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

/// The classes of types that operators distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Floating-point numbers.
    Float,
    /// Pairs of floating-point numbers.
    Complex,
}

impl Scalar {
    /// Every scalar, in the order that messages list them.
    pub const ALL: &[Scalar] = &[
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::I128,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::U128,
        Scalar::F16,
        Scalar::BF16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Size in bytes; also the alignment.
    pub const fn size(self) -> u32 {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::BF16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
            Scalar::I128 | Scalar::U128 => 16,
        }
    }

    /// Its class.
    pub const fn class(self) -> Class {
        match self {
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::I128 => Class::Signed,
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::U128 => Class::Unsigned,
            Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => Class::Float,
        }
    }

    /// Whether this is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Float)
    }

    /// Bits of precision: those of a float's significand, or of an integer without its sign.
    const fn precision(self) -> u32 {
        match self {
            Scalar::F16 => 11,
            Scalar::BF16 => 8,
            Scalar::F32 => 24,
            Scalar::F64 => 53,
            _ if matches!(self.class(), Class::Signed) => 8 * self.size() - 1,
            _ => 8 * self.size(),
        }
    }

    /// Whether values of this type can be used as values of `to`: if `to` represents every value of this
    /// type, or if `to` is f32 or f64 and this type an integer of at most 64 bits, which is rounded to
    /// nearest.
    pub const fn converts_to(self, to: Scalar) -> bool {
        match (self.class(), to.class()) {
            _ if self as u8 == to as u8 => true,
            (Class::Float, Class::Float) => to.size() > self.size(),
            (Class::Float, _) => false,
            (_, Class::Float) => matches!(to, Scalar::F32 | Scalar::F64) && self.size() <= 8,
            (Class::Signed, Class::Unsigned) => false,
            _ => to.precision() >= self.precision(),
        }
    }

    /// The type's name in LLVM IR.
    pub(crate) const fn llvm(self) -> &'static str {
        match self {
            Scalar::I8 | Scalar::U8 => "i8",
            Scalar::I16 | Scalar::U16 => "i16",
            Scalar::I32 | Scalar::U32 => "i32",
            Scalar::I64 | Scalar::U64 => "i64",
            Scalar::I128 | Scalar::U128 => "i128",
            Scalar::F16 => "half",
            Scalar::BF16 => "bfloat",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    /// The type in the names of LLVM's overloaded intrinsics.
    pub(crate) const fn suffix(self) -> &'static str {
        match self {
            Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => self.name(),
            _ => self.llvm(),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::I128 => "i128",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::U128 => "u128",
            Scalar::F16 => "f16",
            Scalar::BF16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The LLVM constant with these bits, in the low [`size`](Self::size) bytes.
    pub(crate) fn constant(self, bits: u128) -> String {
        match self {
            Scalar::F16 => format!("0xH{:04X}", bits as u16),
            Scalar::BF16 => format!("0xR{:04X}", bits as u16),
            Scalar::F32 => double(widen(bits as u32)),
            Scalar::F64 => double(bits as u64),
            // Signed: LLVM rejects decimal constants outside of the type's signed range.
            _ => {
                let unused = 128 - 8 * self.size();
                ((bits << unused) as i128 >> unused).to_string()
            }
        }
    }
}

/// The bits of a binary32 converted to binary64, with the payload of a NaN.
fn widen(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        let sign = u64::from(bits >> 31) << 63;
        return sign | 0x7FF << 52 | u64::from(bits & 0x007F_FFFF) << 29;
    }
    f64::from(value).to_bits()
}

/// A binary64 constant of LLVM: 0, 1 and -1 in decimal, others in hexadecimal.
fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    match value == 0.0 || value.abs() == 1.0 {
        true => format!("{value:?}"),
        false => format!("0x{bits:016X}"),
    }
}

/// The type of a reduction variable or of an array's elements, with the layout of C.
///
/// A type is a small `Copy` value and can be written as a constant: `Type::Array(&Type::F32, 3)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A number.
    Scalar(Scalar),
    /// A complex number: the real part, then the imaginary part, both of this floating-point type.
    Complex(Scalar),
    /// An array of this element type and length.
    Array(&'static Type, u32),
    /// A struct with these fields.
    Struct(&'static [Type]),
}

/// One scalar of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) scalar: Scalar,
    /// Bytes from the start of the value.
    pub(crate) offset: u32,
}

/// The largest depth of nested types in a text.
const MAX_DEPTH: u32 = 16;

#[allow(missing_docs, reason = "variants have the names of types")]
impl Type {
    pub const I8: Type = Type::Scalar(Scalar::I8);
    pub const I16: Type = Type::Scalar(Scalar::I16);
    pub const I32: Type = Type::Scalar(Scalar::I32);
    pub const I64: Type = Type::Scalar(Scalar::I64);
    pub const I128: Type = Type::Scalar(Scalar::I128);
    pub const U8: Type = Type::Scalar(Scalar::U8);
    pub const U16: Type = Type::Scalar(Scalar::U16);
    pub const U32: Type = Type::Scalar(Scalar::U32);
    pub const U64: Type = Type::Scalar(Scalar::U64);
    pub const U128: Type = Type::Scalar(Scalar::U128);
    pub const F16: Type = Type::Scalar(Scalar::F16);
    pub const BF16: Type = Type::Scalar(Scalar::BF16);
    pub const F32: Type = Type::Scalar(Scalar::F32);
    pub const F64: Type = Type::Scalar(Scalar::F64);
}

impl Type {
    /// An array type whose element type is known only at run time. Each distinct type is kept until the
    /// program ends.
    pub fn array(element: Type, length: u32) -> Type {
        Type::Array(&INTERNED.intern([element].into())[0], length)
    }

    /// A struct type whose fields are known only at run time. Each distinct type is kept until the program
    /// ends.
    pub fn structure(fields: &[Type]) -> Type {
        Type::Struct(INTERNED.intern(fields.into()))
    }

    /// Size in bytes, a multiple of the alignment; `u32::MAX` if larger.
    pub const fn size(self) -> u32 {
        match self {
            Type::Scalar(scalar) => scalar.size(),
            Type::Complex(part) => 2 * part.size(),
            Type::Array(element, length) => element.size().saturating_mul(length),
            Type::Struct(fields) => {
                let (mut size, mut field) = (0, 0);
                while field < fields.len() {
                    size = round_up(size, fields[field].align()).saturating_add(fields[field].size());
                    field += 1;
                }
                round_up(size, self.align())
            }
        }
    }

    /// Alignment in bytes: the largest among its scalars.
    pub const fn align(self) -> u32 {
        match self {
            Type::Scalar(scalar) | Type::Complex(scalar) => scalar.size(),
            Type::Array(element, _) => element.align(),
            Type::Struct(fields) => {
                let (mut align, mut field) = (1, 0);
                while field < fields.len() {
                    let of_field = fields[field].align();
                    align = if of_field > align { of_field } else { align };
                    field += 1;
                }
                align
            }
        }
    }

    /// The scalar, if this is a number.
    pub const fn scalar(self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The types of an array's elements or a struct's fields, with their offsets in bytes; of a number, none.
    pub fn members(self) -> Vec<(Type, u32)> {
        match self {
            Type::Scalar(_) | Type::Complex(_) => Vec::new(),
            Type::Array(element, length) => {
                (0..length).map(|index| (*element, index.saturating_mul(element.size()))).collect()
            }
            Type::Struct(fields) => {
                let mut end = 0;
                let mut member = |field: &Type| {
                    let offset = round_up(end, field.align());
                    end = offset.saturating_add(field.size());
                    (*field, offset)
                };
                fields.iter().map(&mut member).collect()
            }
        }
    }

    /// All scalars inside, in order of their offsets.
    pub(crate) fn leaves(self) -> Vec<Leaf> {
        fn collect(ty: Type, offset: u32, leaves: &mut Vec<Leaf>) {
            match ty {
                Type::Scalar(scalar) => leaves.push(Leaf { scalar, offset }),
                Type::Complex(scalar) => {
                    leaves.extend([offset, offset + scalar.size()].map(|offset| Leaf { scalar, offset }));
                }
                _ => ty.members().into_iter().for_each(|(member, at)| collect(member, offset + at, leaves)),
            }
        }
        let mut leaves = Vec::new();
        collect(self, 0, &mut leaves);
        leaves
    }

    /// Whether a value of this type can be converted to `to`: scalars as [`Scalar::converts_to`] says, a
    /// number to a complex number, arrays and structs member by member.
    pub fn converts_to(self, to: Type) -> bool {
        match (self, to) {
            (Type::Scalar(from), Type::Scalar(to) | Type::Complex(to)) => from.converts_to(to),
            (Type::Complex(from), Type::Complex(to)) => from.converts_to(to),
            (Type::Array(from, length), Type::Array(to, other)) => length == other && from.converts_to(*to),
            (Type::Struct(from), Type::Struct(to)) => {
                from.len() == to.len() && from.iter().zip(to).all(|(from, to)| from.converts_to(*to))
            }
            _ => false,
        }
    }

    /// The type in LLVM IR.
    pub(crate) fn llvm(self) -> Cow<'static, str> {
        match self {
            Type::Scalar(scalar) => scalar.llvm().into(),
            Type::Complex(part) => format!("{{ {0}, {0} }}", part.llvm()).into(),
            Type::Array(element, length) => format!("[{length} x {}]", element.llvm()).into(),
            Type::Struct(fields) => {
                let fields: Vec<_> = fields.iter().map(|field| field.llvm()).collect();
                format!("{{ {} }}", fields.join(", ")).into()
            }
        }
    }
}

const fn round_up(size: u32, align: u32) -> u32 {
    match size.checked_next_multiple_of(align) {
        Some(size) => size,
        None => u32::MAX,
    }
}

static INTERNED: Interner<[Type]> = Interner::new();

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::Scalar(scalar)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The syntax that [`FromStr`] parses: `f64`, `complex<f32>`, `[i16;3]`, `{f32,[i8;2]}`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(scalar) => scalar.fmt(f),
            Type::Complex(part) => write!(f, "complex<{part}>"),
            Type::Array(element, length) => write!(f, "[{element};{length}]"),
            Type::Struct(fields) => {
                f.write_str("{")?;
                for (index, field) in fields.iter().enumerate() {
                    write!(f, "{}{field}", if index > 0 { "," } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

/// A text that is not a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown type `{}`; known types: {}, complex<f32>, arrays such as [i16;3], structs such as {{f32,i8}}",
    shortened(text),
    join(Scalar::ALL)
)]
pub struct UnknownType {
    /// The text.
    pub text: String,
}

impl FromStr for Scalar {
    type Err = UnknownType;

    fn from_str(text: &str) -> Result<Self, UnknownType> {
        let found = Scalar::ALL.iter().copied().find(|scalar| scalar.name() == text);
        found.ok_or_else(|| UnknownType { text: text.to_owned() })
    }
}

impl FromStr for Type {
    type Err = UnknownType;

    fn from_str(text: &str) -> Result<Self, UnknownType> {
        let (ty, rest) = parse(text, 0).ok_or_else(|| UnknownType { text: text.to_owned() })?;
        match rest.is_empty() {
            true => Ok(ty),
            false => Err(UnknownType { text: text.to_owned() }),
        }
    }
}

/// Parses a type at the start of `text`; returns it and the rest.
fn parse(text: &str, depth: u32) -> Option<(Type, &str)> {
    if depth > MAX_DEPTH {
        return None;
    }
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix('[') {
        let (element, rest) = parse(rest, depth + 1)?;
        let (length, rest) = rest.strip_prefix(';')?.split_once(']')?;
        return Some((Type::array(element, length.trim().parse().ok()?), rest.trim_start()));
    }
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut fields = Vec::new();
        loop {
            let (field, after) = parse(rest, depth + 1)?;
            fields.push(field);
            match (after.strip_prefix(','), after.strip_prefix('}')) {
                (Some(after), _) => rest = after,
                (None, Some(after)) => return Some((Type::structure(&fields), after.trim_start())),
                (None, None) => return None,
            }
        }
    }
    if let Some(rest) = text.strip_prefix("complex<") {
        let (part, rest) = rest.split_once('>')?;
        let part: Scalar = part.trim().parse().ok()?;
        return part.is_float().then(|| (Type::Complex(part), rest.trim_start()));
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    Some((Type::Scalar(name.parse().ok()?), rest.trim_start()))
}

/// The names of `items`, separated by commas.
pub(crate) fn join<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// The first 60 characters of a text, for messages.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for scalar in Scalar::ALL {
            assert_eq!(scalar.to_string().parse::<Scalar>().unwrap(), *scalar);
        }
        for text in ["f64", "complex<bf16>", "[i16;3]", "{f32,[{i8,u128};2],complex<f64>}", "[[u8;4];4]"] {
            assert_eq!(text.parse::<Type>().unwrap().to_string(), text);
        }
        assert_eq!(" { f32 , [ i8 ; 2 ] } ".parse::<Type>().unwrap().to_string(), "{f32,[i8;2]}");
        assert_eq!("[f32;3]".parse::<Type>().unwrap(), Type::Array(&Type::F32, 3));
    }

    #[test]
    fn invalid_types_are_rejected() {
        let error = "float".parse::<Type>().unwrap_err().to_string();
        assert!(error.starts_with("unknown type `float`; known types: i8, i16, "), "{error}");
        let deep = "[".repeat(100_000);
        for text in ["", "{}", "[i8]", "[i8;-1]", "[i8;4294967296]", "complex<i8>", "{f32", "f32,", &deep] {
            assert!(text.parse::<Type>().is_err(), "{text}");
        }
    }

    #[test]
    fn layouts_are_those_of_c() {
        let of = |text: &str| text.parse::<Type>().unwrap();
        let shape = |text| (of(text).size(), of(text).align());
        assert_eq!(shape("{i8,f64,i16}"), (24, 8));
        assert_eq!(shape("{i8,u128}"), (32, 16));
        assert_eq!(shape("[{f32,i8};3]"), (24, 4));
        assert_eq!(shape("complex<f32>"), (8, 4));
        let offsets: Vec<_> = of("{i8,{i16,f64},complex<f16>}").leaves().iter().map(|l| l.offset).collect();
        assert_eq!(offsets, [0, 8, 16, 24, 26]);
        assert_eq!(of("[[u128;4294967295];4294967295]").size(), u32::MAX);
        assert_eq!(of("{i8,[u128;4294967295]}").size(), u32::MAX);
    }

    #[test]
    fn conversions_keep_values() {
        let of = |from: &str, to: &str| from.parse::<Type>().unwrap().converts_to(to.parse().unwrap());
        let fine = ["i8 i64", "u8 i16", "u32 u128", "f16 f32", "bf16 f64", "i64 f32", "f32 complex<f64>"];
        for pair in fine {
            let (from, to) = pair.split_once(' ').unwrap();
            assert!(of(from, to), "{pair}");
        }
        let lossy = ["i64 i32", "u8 i8", "i8 u8", "f32 i32", "f64 f32", "f16 bf16", "i8 f16", "i128 f64"];
        for pair in lossy {
            let (from, to) = pair.split_once(' ').unwrap();
            assert!(!of(from, to), "{pair}");
        }
        assert!(of("[i8;2]", "[i32;2]") && !of("[i8;2]", "[i32;3]") && of("{i8,f16}", "{i8,f32}"));
    }

    #[test]
    fn constants_have_llvm_syntax() {
        assert_eq!(Scalar::U8.constant(255), "-1");
        assert_eq!(Scalar::I128.constant(1 << 127), i128::MIN.to_string());
        assert_eq!(Scalar::F32.constant(0x8000_0000), "-0.0");
        assert_eq!(Scalar::F32.constant(0x7FC0_0000), "0x7FF8000000000000");
        assert_eq!(Scalar::F32.constant(0xFF80_0001), "0xFFF0000020000000");
        assert_eq!(Scalar::F64.constant(0.1_f64.to_bits().into()), "0x3FB999999999999A");
        assert_eq!(Scalar::BF16.constant(0x3F80), "0xR3F80");
    }
}

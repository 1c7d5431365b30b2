//! Words of the notation: reserved ones, names, types.

use crate::ir::BinaryOperator;
use crate::ir::types::{Half, Scalar};

/// Words that are names only in backquotes, apart from the types'.
const RESERVED: &[&str] = &[
    "break",
    "else",
    "false",
    "for",
    "if",
    "imag",
    "inf",
    "inf32",
    "memref",
    "nan",
    "nan32",
    "par",
    "real",
    "reduce",
    "reduce_dimension",
    "reduce_dimension_inplace",
    "true",
    "_",
];

/// Whether a name is printed as it is: a word that is not reserved.
pub fn is_plain(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(starts_word)
        && characters.all(continues_word)
        && !RESERVED.contains(&name)
        && scalar(name).is_none()
}

/// Whether a word is reserved, types included.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || scalar(word).is_some()
}

pub fn starts_word(character: char) -> bool {
    character.is_alphabetic() || character == '_' || character == '$'
}

pub fn continues_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// The type of a name such as `f64`, as [`Scalar`] displays it; `index` is `i64`.
pub fn scalar(word: &str) -> Option<Scalar> {
    match word {
        "bool" => return Some(Scalar::Bool),
        "index" => return Some(Scalar::LONG),
        "f16" => return Some(Scalar::Half(Half::Ieee)),
        "bf16" => return Some(Scalar::Half(Half::Brain)),
        _ => {}
    }
    let bits = match word.get(1..)? {
        "8" => 8,
        "16" => 16,
        "32" => 32,
        "64" => 64,
        "128" => 128,
        _ => return None,
    };
    match (word.as_bytes()[0], bits) {
        (b'i', _) => Some(Scalar::Integer { bits, signed: true }),
        (b'u', _) => Some(Scalar::Integer { bits, signed: false }),
        (b'f', 32 | 64) => Some(Scalar::Float { bits }),
        (b'c', 32 | 64) => Some(Scalar::Complex { bits }),
        _ => None,
    }
}

/// How strongly a binary operator binds: as in C, from 1.
pub fn precedence(operator: BinaryOperator) -> u8 {
    use BinaryOperator as B;
    match operator {
        B::LogicalOr => 1,
        B::LogicalAnd => 2,
        B::Or => 3,
        B::Xor => 4,
        B::And => 5,
        B::Equal | B::NotEqual => 6,
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual => 7,
        B::ShiftLeft | B::ShiftRight => 8,
        B::Add | B::Subtract => ADDITIVE,
        B::Multiply | B::Divide | B::Remainder => 10,
    }
}

/// The precedence of sums: of what may be written in `<…>` without parentheses.
pub const ADDITIVE: u8 = 9;

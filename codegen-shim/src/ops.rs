//! Reduction operators, and the table of the types that they apply to.

use std::fmt;
use std::str::FromStr;

use crate::function::Combiner;
use crate::types::{Class, Scalar, Type, join};

/// A reduction operator. Which types it applies to, and how, is in [`RULES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Addition. Integers wrap; floats round to nearest, even.
    Sum,
    /// Multiplication, likewise. Complex numbers are multiplied by the textbook formula, which turns
    /// infinities into NaN.
    Product,
    /// The smaller value. Floats follow IEEE 754-2019 minimumNumber: NaN is ignored unless all are
    /// NaN, and -0 is below +0.
    Min,
    /// The larger value. Floats follow IEEE 754-2019 maximumNumber.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// C's `&&`: 1 if all values differ from zero, else 0. NaN differs from zero.
    All,
    /// C's `||`: 1 if some value differs from zero, else 0.
    Any,
    /// The smallest value and the index of its first occurrence: the variable is a struct of value and `i64`
    /// index. -0 and +0 are equal, and NaN is ignored. If nothing is found the index is -1, and the value is
    /// the identity of [`Op::Min`].
    ArgMin,
    /// The largest value and the index of its first occurrence, likewise.
    ArgMax,
    /// A user function.
    User(&'static Combiner),
}

impl Op {
    /// Every operator of [`RULES`], in the order that messages list them.
    pub const ALL: &[Op] = &[
        Op::Sum,
        Op::Product,
        Op::Min,
        Op::Max,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::All,
        Op::Any,
        Op::ArgMin,
        Op::ArgMax,
    ];

    /// Whether the result is a value and its index: `argmin` and `argmax`.
    pub const fn finds(self) -> bool {
        matches!(self, Op::ArgMin | Op::ArgMax)
    }

    fn name(&self) -> &str {
        match self {
            Op::Sum => "sum",
            Op::Product => "product",
            Op::Min => "min",
            Op::Max => "max",
            Op::And => "and",
            Op::Or => "or",
            Op::Xor => "xor",
            Op::All => "all",
            Op::Any => "any",
            Op::ArgMin => "argmin",
            Op::ArgMax => "argmax",
            Op::User(combiner) => combiner.name(),
        }
    }

    /// The spelling in C and OpenMP, if there is one.
    fn spelling(&self) -> Option<&'static str> {
        match self {
            Op::Sum => Some("+"),
            Op::Product => Some("*"),
            Op::And => Some("&"),
            Op::Or => Some("|"),
            Op::Xor => Some("^"),
            Op::All => Some("&&"),
            Op::Any => Some("||"),
            _ => None,
        }
    }
}

/// A value that leaves every other value of its type unchanged when combined with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// 0.
    Zero,
    /// 1.
    One,
    /// -0.0: -0.0 + x is x for every x, while 0.0 + -0.0 is 0.0.
    NegativeZero,
    /// Every bit set.
    AllOnes,
    /// The integer type's lowest value.
    Lowest,
    /// The integer type's highest value.
    Highest,
    /// NaN, which minimumNumber and maximumNumber ignore. With an infinity instead, the result of an input of
    /// NaNs would be infinite.
    NaN,
}

impl Identity {
    /// Its bit pattern as a value of type `scalar`, in the low bytes.
    pub const fn bits(self, scalar: Scalar) -> u128 {
        let bits = 8 * scalar.size();
        let all = u128::MAX >> (128 - bits);
        let top = 1 << (bits - 1);
        let signed = matches!(scalar.class(), Class::Signed);
        // For floats: the number of fraction bits, and the biased exponent of 1.0.
        let (fraction, one) = match scalar {
            Scalar::F16 => (10, 0x0F),
            Scalar::BF16 => (7, 0x7F),
            Scalar::F32 => (23, 0x7F),
            _ => (52, 0x3FF),
        };
        match self {
            Identity::Zero => 0,
            Identity::One if scalar.is_float() => one << fraction,
            Identity::One => 1,
            Identity::NegativeZero => top,
            Identity::AllOnes => all,
            Identity::Lowest => {
                if signed {
                    top
                } else {
                    0
                }
            }
            Identity::Highest => {
                if signed {
                    all ^ top
                } else {
                    all
                }
            }
            // All exponent bits and the highest fraction bit: a quiet NaN.
            Identity::NaN => (all >> 1) >> (fraction - 1) << (fraction - 1),
        }
    }
}

/// How an operator is expressed in LLVM IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// A binary instruction; for complex numbers, on both parts.
    Instruction(&'static str),
    /// A binary intrinsic, named without the type's suffix.
    Intrinsic(&'static str),
    /// A binary instruction on the truth values: whether the operands differ from zero.
    Truth(&'static str),
    /// The product of complex numbers.
    ComplexProduct,
    /// The value for which this comparison predicate holds; with equal values, the one with the lower index.
    Find(&'static str),
}

/// The definition of an operator for some classes of types: `identity op x` is `x` for every `x` (for `all`
/// and `any`, it has the truth value of `x`; for complex products, if `x` is finite).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The operator.
    pub op: Op,
    /// The classes.
    pub classes: &'static [Class],
    /// The identity; for complex numbers, that of the real part.
    pub identity: Identity,
    /// The operator in LLVM IR.
    pub lowering: Lowering,
}

impl Rule {
    /// The bits of the value that no other is worse than, for `argmin` and `argmax`: the infinity of a float.
    pub(crate) fn worst(&self, scalar: Scalar) -> u128 {
        match self.lowering {
            Lowering::Find(predicate) if scalar.is_float() => {
                let quiet = Identity::NaN.bits(scalar);
                let infinity = quiet & (quiet << 1);
                let negative = if predicate == "ogt" { Identity::NegativeZero.bits(scalar) } else { 0 };
                infinity | negative
            }
            _ => self.identity.bits(scalar),
        }
    }

    /// The identity of a complex number's imaginary part.
    pub(crate) fn imaginary_identity(&self) -> Identity {
        match self.lowering {
            Lowering::ComplexProduct => Identity::Zero,
            _ => self.identity,
        }
    }
}

/// Every operator with the classes of types that it is legal for. Arrays and structs are reduced member by
/// member, by every operator that is legal for all members except `argmin` and `argmax`.
#[rustfmt::skip]
pub const RULES: &[Rule] = {
    use Class::{Complex, Float, Signed, Unsigned};
    use Identity::{AllOnes, Highest, Lowest, NaN, NegativeZero, One, Zero};
    use Lowering::{ComplexProduct, Find, Instruction, Intrinsic, Truth};
    const INTEGERS: &[Class] = &[Signed, Unsigned];
    const NUMBERS: &[Class] = &[Signed, Unsigned, Float];
    &[
        Rule { op: Op::Sum,     classes: INTEGERS,         identity: Zero,         lowering: Instruction("add") },
        Rule { op: Op::Sum,     classes: &[Float, Complex], identity: NegativeZero, lowering: Instruction("fadd") },
        Rule { op: Op::Product, classes: INTEGERS,         identity: One,          lowering: Instruction("mul") },
        Rule { op: Op::Product, classes: &[Float],         identity: One,          lowering: Instruction("fmul") },
        Rule { op: Op::Product, classes: &[Complex],       identity: One,          lowering: ComplexProduct },
        Rule { op: Op::Min,     classes: &[Signed],        identity: Highest,      lowering: Intrinsic("llvm.smin") },
        Rule { op: Op::Min,     classes: &[Unsigned],      identity: Highest,      lowering: Intrinsic("llvm.umin") },
        Rule { op: Op::Min,     classes: &[Float],         identity: NaN,          lowering: Intrinsic("llvm.minimumnum") },
        Rule { op: Op::Max,     classes: &[Signed],        identity: Lowest,       lowering: Intrinsic("llvm.smax") },
        Rule { op: Op::Max,     classes: &[Unsigned],      identity: Lowest,       lowering: Intrinsic("llvm.umax") },
        Rule { op: Op::Max,     classes: &[Float],         identity: NaN,          lowering: Intrinsic("llvm.maximumnum") },
        Rule { op: Op::And,     classes: INTEGERS,         identity: AllOnes,      lowering: Instruction("and") },
        Rule { op: Op::Or,      classes: INTEGERS,         identity: Zero,         lowering: Instruction("or") },
        Rule { op: Op::Xor,     classes: INTEGERS,         identity: Zero,         lowering: Instruction("xor") },
        Rule { op: Op::All,     classes: NUMBERS,          identity: One,          lowering: Truth("and") },
        Rule { op: Op::Any,     classes: NUMBERS,          identity: Zero,         lowering: Truth("or") },
        Rule { op: Op::ArgMin,  classes: &[Signed],        identity: Highest,      lowering: Find("slt") },
        Rule { op: Op::ArgMin,  classes: &[Unsigned],      identity: Highest,      lowering: Find("ult") },
        Rule { op: Op::ArgMin,  classes: &[Float],         identity: NaN,          lowering: Find("olt") },
        Rule { op: Op::ArgMax,  classes: &[Signed],        identity: Lowest,       lowering: Find("sgt") },
        Rule { op: Op::ArgMax,  classes: &[Unsigned],      identity: Lowest,       lowering: Find("ugt") },
        Rule { op: Op::ArgMax,  classes: &[Float],         identity: NaN,          lowering: Find("ogt") },
    ]
};

/// The rule of an operator for a number or a complex number, or `None` if it is not defined for the type.
pub fn rule(ty: Type, op: Op) -> Option<&'static Rule> {
    let class = match ty {
        Type::Scalar(scalar) => scalar.class(),
        Type::Complex(_) => Class::Complex,
        Type::Array(..) | Type::Struct(_) => return None,
    };
    RULES.iter().find(|rule| rule.op == op && rule.classes.contains(&class))
}

/// Whether an operator of [`RULES`] is defined for this type: for a number, or for all members of an array or
/// a struct.
pub fn is_legal(ty: Type, op: Op) -> bool {
    match ty {
        Type::Scalar(_) | Type::Complex(_) => rule(ty, op).is_some(),
        Type::Array(element, _) => !op.finds() && is_legal(*element, op),
        Type::Struct(fields) => !op.finds() && fields.iter().all(|field| is_legal(*field, op)),
    }
}

/// The operators that are legal for a type, for messages.
pub(crate) fn legal_operators(ty: Type) -> String {
    let legal: Vec<_> = Op::ALL.iter().copied().filter(|op| is_legal(ty, *op)).collect();
    join(&legal)
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that is not an operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown operator `{text}`; known operators: {}, + * & | ^ && ||", join(Op::ALL))]
pub struct UnknownOp {
    /// The text.
    pub text: String,
}

/// Parses the operator's name, or its spelling in C: `+ * & | ^ && ||`.
impl FromStr for Op {
    type Err = UnknownOp;

    fn from_str(text: &str) -> Result<Self, UnknownOp> {
        let found = Op::ALL.iter().find(|op| op.name() == text || op.spelling() == Some(text));
        found.copied().ok_or_else(|| UnknownOp { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for op in Op::ALL {
            assert_eq!(op.to_string().parse::<Op>().unwrap(), *op);
            if let Some(spelling) = op.spelling() {
                assert_eq!(spelling.parse::<Op>().unwrap(), *op);
            }
        }
        let error = "Sum".parse::<Op>().unwrap_err().to_string();
        assert!(error.starts_with("unknown operator `Sum`; known operators: sum, product, min"), "{error}");
    }

    #[test]
    fn each_pair_has_at_most_one_rule() {
        for (index, one) in RULES.iter().enumerate() {
            assert!(Op::ALL.contains(&one.op));
            for other in &RULES[index + 1..] {
                let both = one.classes.iter().any(|class| other.classes.contains(class));
                assert!(one.op != other.op || !both, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn identities_have_the_bits_of_their_type() {
        use Identity::{Highest, Lowest, NaN, NegativeZero, One};
        assert_eq!(Highest.bits(Scalar::I8), i8::MAX as u128);
        assert_eq!(Lowest.bits(Scalar::I32), u128::from(i32::MIN.cast_unsigned()));
        assert_eq!(Highest.bits(Scalar::U128), u128::MAX);
        assert_eq!(Lowest.bits(Scalar::U64), 0);
        assert_eq!(Identity::AllOnes.bits(Scalar::U16), 0xFFFF);
        assert_eq!(One.bits(Scalar::F64), 1_f64.to_bits().into());
        assert_eq!(One.bits(Scalar::F32), 1_f32.to_bits().into());
        assert_eq!((One.bits(Scalar::F16), One.bits(Scalar::BF16)), (0x3C00, 0x3F80));
        assert_eq!(NegativeZero.bits(Scalar::F32), (-0_f32).to_bits().into());
        assert_eq!(NaN.bits(Scalar::F64), 0x7FF8 << 48);
        assert_eq!(NaN.bits(Scalar::F32), 0x7FC0_0000);
        assert_eq!((NaN.bits(Scalar::F16), NaN.bits(Scalar::BF16)), (0x7E00, 0x7FC0));
    }

    #[test]
    fn all_members_must_be_legal() {
        let legal = |ty: &str, op| is_legal(ty.parse().unwrap(), op);
        assert!(legal("[{i8,u16};3]", Op::Xor) && !legal("{i8,f16}", Op::Xor));
        assert!(legal("{complex<f32>,i8}", Op::Product) && !legal("[complex<f32>;2]", Op::Min));
        assert!(legal("bf16", Op::ArgMin) && !legal("[bf16;1]", Op::ArgMin));
    }
}

//! Element types, operators, and the table of pairs that have a meaning.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// The type of a reduction variable and of the array elements it reduces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Signed 32-bit integer, two's complement.
    I32,
    /// Signed 64-bit integer, two's complement.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Type {
    /// Every type, in the order that messages list them.
    pub const ALL: &[Type] = &[Type::I32, Type::I64, Type::F32, Type::F64];

    /// Size in bytes; also the natural alignment.
    pub const fn size(self) -> u32 {
        match self {
            Type::I32 | Type::F32 => 4,
            Type::I64 | Type::F64 => 8,
        }
    }

    /// Whether this is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// The type's name in LLVM IR.
    pub(crate) const fn llvm(self) -> &'static str {
        match self {
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::F32 => "float",
            Type::F64 => "double",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::F32 => "f32",
            Type::F64 => "f64",
        }
    }
}

/// A reduction operator. Which types it applies to, and how, is in [`RULES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Addition. Integers wrap; floats round to nearest, even.
    Sum,
    /// The smaller value. Floats follow IEEE 754-2019 minimumNumber: NaN is ignored unless all are
    /// NaN, and -0 is below +0.
    Min,
    /// The larger value. Floats follow IEEE 754-2019 maximumNumber.
    Max,
}

impl Op {
    /// Every operator, in the order that messages list them.
    pub const ALL: &[Op] = &[Op::Sum, Op::Min, Op::Max];

    const fn name(self) -> &'static str {
        match self {
            Op::Sum => "sum",
            Op::Min => "min",
            Op::Max => "max",
        }
    }
}

/// How a rule's operator is spelt in LLVM IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// A binary instruction.
    Instruction(&'static str),
    /// A call of a binary intrinsic.
    Intrinsic(&'static str),
}

/// One legal pair of type and operator: `identity op x = x` for every `x` of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The type.
    pub ty: Type,
    /// The operator.
    pub op: Op,
    /// The identity as an LLVM constant of the type.
    pub identity: &'static str,
    /// The operator in LLVM IR.
    pub lowering: Lowering,
}

const NAN: &str = "0x7FF8000000000000";

/// Every legal pair of type and operator.
///
/// The float sum starts from -0.0, because -0.0 + x is x for every x, while 0.0 + -0.0 is 0.0.
/// Float extrema start from NaN, which minimumNumber and maximumNumber ignore: an infinity would
/// win over an input of nothing but NaNs.
#[rustfmt::skip]
pub const RULES: &[Rule] = {
    use Lowering::{Instruction, Intrinsic};
    use Op::{Max, Min, Sum};
    use Type::{F32, F64, I32, I64};
    &[
        Rule { ty: I32, op: Sum, identity: "0",                    lowering: Instruction("add") },
        Rule { ty: I32, op: Min, identity: "2147483647",           lowering: Intrinsic("llvm.smin.i32") },
        Rule { ty: I32, op: Max, identity: "-2147483648",          lowering: Intrinsic("llvm.smax.i32") },
        Rule { ty: I64, op: Sum, identity: "0",                    lowering: Instruction("add") },
        Rule { ty: I64, op: Min, identity: "9223372036854775807",  lowering: Intrinsic("llvm.smin.i64") },
        Rule { ty: I64, op: Max, identity: "-9223372036854775808", lowering: Intrinsic("llvm.smax.i64") },
        Rule { ty: F32, op: Sum, identity: "-0.0",                 lowering: Instruction("fadd") },
        Rule { ty: F32, op: Min, identity: NAN,                    lowering: Intrinsic("llvm.minimumnum.f32") },
        Rule { ty: F32, op: Max, identity: NAN,                    lowering: Intrinsic("llvm.maximumnum.f32") },
        Rule { ty: F64, op: Sum, identity: "-0.0",                 lowering: Instruction("fadd") },
        Rule { ty: F64, op: Min, identity: NAN,                    lowering: Intrinsic("llvm.minimumnum.f64") },
        Rule { ty: F64, op: Max, identity: NAN,                    lowering: Intrinsic("llvm.maximumnum.f64") },
    ]
};

/// The rule for a pair, or `None` where the operator has no meaning for the type.
pub fn rule(ty: Type, op: Op) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.ty == ty && rule.op == op)
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Type {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Type::ALL.iter().copied().find(|ty| ty.name() == text);
        found.ok_or_else(|| Error::UnknownType { text: text.to_owned() })
    }
}

impl FromStr for Op {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Op::ALL.iter().copied().find(|op| op.name() == text);
        found.ok_or_else(|| Error::UnknownOp { text: text.to_owned() })
    }
}

/// The names of `items`, separated by commas.
pub(crate) fn join<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for ty in Type::ALL {
            assert_eq!(ty.to_string().parse::<Type>().unwrap(), *ty);
        }
        for op in Op::ALL {
            assert_eq!(op.to_string().parse::<Op>().unwrap(), *op);
        }
    }

    #[test]
    fn unknown_names_list_what_is_known() {
        let error = "float".parse::<Type>().unwrap_err().to_string();
        assert_eq!(error, "unknown type `float`; known types: i32, i64, f32, f64");
        let error = "Sum".parse::<Op>().unwrap_err().to_string();
        assert_eq!(error, "unknown operator `Sum`; known operators: sum, min, max");
    }

    #[test]
    fn each_pair_has_one_rule() {
        for (index, one) in RULES.iter().enumerate() {
            assert_eq!(rule(one.ty, one.op), Some(one));
            assert!(RULES[index + 1..].iter().all(|other| (other.ty, other.op) != (one.ty, one.op)));
        }
    }

    #[test]
    fn intrinsics_are_those_of_the_type() {
        for rule in RULES {
            if let Lowering::Intrinsic(name) = rule.lowering {
                assert!(name.ends_with(&format!(".{}", rule.ty)), "{name} for {}", rule.ty);
            }
        }
    }

    #[test]
    fn integer_identities_are_the_type_s_limits() {
        let of = |ty, op| rule(ty, op).unwrap().identity;
        assert_eq!(of(Type::I32, Op::Min), i32::MAX.to_string());
        assert_eq!(of(Type::I32, Op::Max), i32::MIN.to_string());
        assert_eq!(of(Type::I64, Op::Min), i64::MAX.to_string());
        assert_eq!(of(Type::I64, Op::Max), i64::MIN.to_string());
    }
}

//! What the device computes for the operators of a column, and what the results are made of.

use codegen_shim::{Class, Op, ReductionList, Scalar, Source, Type, Variable};
use host_rt::{Record, Value, bf16, f16};
use tables::{Meaning, ValueKind};
use toolchain::Tools;

use crate::{
    Error,
    functions::{
        MOMENTS, PRODUCT, combine_moments, combine_products, lower_half, moments_of, product_of, upper_half,
    },
    operator::{Operator, Population},
};

/// The reduction variables of a column, and the results they give.
pub struct Plan {
    kind: ValueKind,
    variables: Vec<Variable>,
    outputs: Vec<Output>,
}

/// How a result is made. Names are those of variables.
#[derive(Debug)]
enum Output {
    Count,
    /// Not made of variables (`median.rs`).
    Median,
    /// The value of a variable.
    Variable(String),
    /// Likewise, but without values there is none.
    Extremum(String),
    /// An exact sum of integers, as a value of this type.
    Sum(Scalar),
    /// An exact product of integers, likewise.
    Product(Scalar),
    /// An exact sum of integers, divided by the count.
    MeanOfIntegers,
    /// A sum, divided by the count.
    MeanOfFloats,
    Spread {
        population: Population,
        is_root: bool,
    },
}

/// The exact sum of up to 2^63 integers of up to 128 bits, or an exact product: `upper` 2^64 + `lower`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Exact {
    upper: i128,
    lower: u64,
}

/// Names of variables that no operator has.
const SUM: &str = "exact_sum";
const LOWER: &str = "exact_sum_lower";
const UPPER: &str = "exact_sum_upper";
const EXACT_PRODUCT: &str = "exact_product";
const MEAN: &str = "mean_sum";
const MEAN_MOMENTS: &str = "moments";

impl Plan {
    /// The plan for these operators over values of this kind.
    ///
    /// The results of the device's operators have the type `result` or, without it, that of [`default_result`]. A sum or
    /// product of integers is exact, and checked when it becomes a result, except with `wrapping`.
    ///
    /// # Errors
    ///
    /// An operator that is not defined for the kind, and tools that are missing.
    pub fn new<'t>(
        tools: impl Fn() -> Result<&'t Tools, Error>,
        kind: ValueKind,
        operators: &[Operator],
        result: Option<Scalar>,
        wrapping: bool,
    ) -> Result<Plan, Error> {
        let mut plan = Plan { kind, variables: Vec::new(), outputs: Vec::new() };
        let ty = kind.ty;
        let requested = match (ty, result) {
            (_, None) => None,
            (Type::Complex(_), Some(scalar)) => Some(Type::Complex(scalar)),
            (_, Some(scalar)) => Some(Type::Scalar(scalar)),
        };
        if let Some(result) = requested {
            if !matches!(kind.meaning, Meaning::Number | Meaning::Boolean) {
                let message = format!("--result {result} is for numbers, not for values of type {kind}");
                return Err(Error::Unsupported(message));
            }
            if !ty.converts_to(result) {
                let message = format!(
                    "--result {result} does not have every value of the numbers' type, which is {kind}"
                );
                return Err(Error::Unsupported(message));
            }
        }
        for &operator in operators {
            check_defined(operator, kind)?;
            let undefined = || Error::Unsupported(format!("{operator} is not defined for {ty}"));
            let result = requested.unwrap_or_else(|| default_result(operator, kind));
            let output = match (operator, kind.integer(), result) {
                (Operator::Count, ..) => Output::Count,
                (Operator::Median, ..) => match ty {
                    Type::Scalar(_) => Output::Median,
                    _ => return Err(undefined()),
                },
                (Operator::Device(Op::Sum), Some(scalar), Type::Scalar(to))
                    if !wrapping && !to.is_float() =>
                {
                    plan.sum_exactly(&tools, scalar)?;
                    Output::Sum(to)
                }
                (Operator::Device(Op::Product), Some(scalar), Type::Scalar(to))
                    if !wrapping && !to.is_float() =>
                {
                    let is_signed = scalar.class() == Class::Signed;
                    let op = Op::User(combine_products(tools()?)?);
                    plan.add(EXACT_PRODUCT, PRODUCT, op, product_of(tools()?, scalar, is_signed)?);
                    Output::Product(to)
                }
                (Operator::Device(op), ..) => {
                    let name = op.to_string();
                    plan.add(&name, result, op, Source::Array(0));
                    match op {
                        Op::Min | Op::Max | Op::ArgMin | Op::ArgMax => Output::Extremum(name),
                        _ => Output::Variable(name),
                    }
                }
                (Operator::Mean, Some(scalar), _) => {
                    plan.sum_exactly(&tools, scalar)?;
                    Output::MeanOfIntegers
                }
                (Operator::Mean, None, _) => {
                    let wide =
                        if matches!(ty, Type::Complex(_)) { Type::Complex(Scalar::F64) } else { Type::F64 };
                    plan.add(MEAN, wide, Op::Sum, Source::Array(0));
                    Output::MeanOfFloats
                }
                (Operator::Spread { population, is_root }, ..) => {
                    let Type::Scalar(scalar) = ty else {
                        return Err(undefined());
                    };
                    let op = Op::User(combine_moments(tools()?)?);
                    plan.add(MEAN_MOMENTS, MOMENTS, op, moments_of(tools()?, scalar)?);
                    Output::Spread { population, is_root }
                }
            };
            plan.outputs.push(output);
        }
        Ok(plan)
    }

    /// The reduction list, or `None` if nothing has to be reduced.
    ///
    /// # Errors
    ///
    /// An operator that is not defined for the type.
    pub fn list(&self) -> Result<Option<ReductionList>, Error> {
        match self.variables.is_empty() {
            true => Ok(None),
            false => Ok(Some(ReductionList::new(self.variables.clone())?)),
        }
    }

    fn add(&mut self, name: &str, ty: Type, op: Op, source: Source) {
        if !self.variables.iter().any(|variable| variable.name == name) {
            self.variables.push(Variable { name: name.to_owned(), ty, op, source });
        }
    }

    /// Adds variables that cannot overflow for less than 2^63 values: of the values, if they have at most 64
    /// bits, or else of their halves.
    fn sum_exactly<'t>(
        &mut self,
        tools: impl Fn() -> Result<&'t Tools, Error>,
        scalar: Scalar,
    ) -> Result<(), Error> {
        match scalar {
            Scalar::I128 | Scalar::U128 => {
                self.add(LOWER, Type::U128, Op::Sum, lower_half(tools()?)?);
                self.add(UPPER, Type::I128, Op::Sum, upper_half(tools()?, scalar == Scalar::I128)?);
            }
            _ => self.add(SUM, Type::I128, Op::Sum, Source::Array(0)),
        }
        Ok(())
    }

    /// The results, in the order of the operators; `None` for one that does not exist, such as the minimum of
    /// nothing, and for medians. `record` holds the variables after `count` values were reduced.
    ///
    /// # Errors
    ///
    /// A sum that its type does not have: [`Overflow`].
    pub fn results(&self, record: Option<&Record>, count: u64) -> Result<Vec<Option<Value>>, Overflow> {
        let value = |name: &str| record.and_then(|record| record.get(name));
        let unit = match self.kind.meaning {
            Meaning::Decimal { scale } => 10_f64.powi(scale as i32),
            _ => 1.0,
        };
        let divisor = count as f64;
        let result = |output: &Output| {
            Ok(match output {
                Output::Count => Some(Value::U64(count)),
                Output::Median => None,
                Output::Variable(name) => value(name),
                Output::Extremum(name) => value(name).filter(|value| match value {
                    Value::Struct(found) => !matches!(found.as_slice(), [_, Value::I64(-1)]),
                    _ => count > 0,
                }),
                Output::Sum(to) => {
                    let sum = Exact::sum(value);
                    let overflow = Overflow { what: "sum", exact: Some(sum), ty: *to, kind: self.kind };
                    Some(sum.value(*to).ok_or(overflow)?)
                }
                Output::Product(to) => {
                    let exact = value(EXACT_PRODUCT).and_then(|product| Exact::product(&product));
                    let product = exact.and_then(|exact| exact.value(*to));
                    Some(product.ok_or(Overflow { what: "product", exact, ty: *to, kind: self.kind })?)
                }
                _ if count == 0 => None,
                Output::MeanOfIntegers => Some(Value::F64(Exact::sum(value).to_f64() / (divisor * unit))),
                Output::MeanOfFloats => value(MEAN).map(|sum| match sum {
                    Value::Complex(parts) => {
                        Value::Complex(Box::new(parts.map(|part| Value::F64(float(&part) / divisor))))
                    }
                    sum => Value::F64(float(&sum) / divisor),
                }),
                Output::Spread { population: Population::Sample, .. } if count == 1 => None,
                Output::Spread { population, is_root } => value(MEAN_MOMENTS).map(|moments| {
                    let squares = match &moments {
                        Value::Struct(fields) => fields.get(3).map_or(f64::NAN, float),
                        _ => f64::NAN,
                    };
                    let variance = match population {
                        Population::Sample => squares / (divisor - 1.0),
                        Population::Whole => squares / divisor,
                    };
                    Value::F64(if *is_root { variance.sqrt() / unit } else { variance / (unit * unit) })
                }),
            })
        };
        self.outputs.iter().map(result).collect()
    }
}

/// The type of a result where none is requested: the numbers' type, except where a few of them would leave it.
fn default_result(operator: Operator, kind: ValueKind) -> Type {
    match (operator, kind.meaning, kind.ty) {
        (Operator::Device(Op::Sum), Meaning::Boolean, _) => Type::U64,
        (Operator::Device(Op::Sum), Meaning::Decimal { .. }, _) => Type::I128,
        (Operator::Device(Op::Sum | Op::Product), _, Type::F16 | Type::BF16) => Type::F32,
        (_, _, ty) => ty,
    }
}

/// An error with a reason if an operator makes no sense for what the numbers stand for.
fn check_defined(operator: Operator, kind: ValueKind) -> Result<(), Error> {
    let of_order = [Op::Min, Op::Max, Op::ArgMin, Op::ArgMax].map(Operator::Device);
    let is_defined = match kind.meaning {
        Meaning::Number | Meaning::Boolean => true,
        Meaning::Decimal { .. } => {
            let others = [Op::Product, Op::And, Op::Or, Op::Xor].map(Operator::Device);
            !others.contains(&operator)
        }
        Meaning::Instant { .. } | Meaning::TimeOfDay(_) => {
            operator == Operator::Count || of_order.contains(&operator)
        }
    };
    let reason = match kind.meaning {
        _ if is_defined => return Ok(()),
        Meaning::Decimal { .. } => "the result has other digits than the column".to_owned(),
        _ => format!(
            "count, min, max, argmin and argmax are; --type {} takes the numbers that stand for the times",
            kind.ty
        ),
    };
    Err(Error::Unsupported(format!("{operator} is not defined for values of type {kind}: {reason}")))
}

fn float(value: &Value) -> f64 {
    match value {
        Value::F64(value) => *value,
        _ => f64::NAN,
    }
}

/// The record before the first value: zero for a sum, the identity for other operators, as in OpenMP.
///
/// The identity of a floating-point sum is -0.0, but the sum of no numbers is expected to be 0.
pub fn initial(list: &ReductionList) -> Result<Record, Error> {
    fn zero(value: &Value) -> Value {
        match value {
            Value::F16(_) => Value::F16(f16::ZERO),
            Value::BF16(_) => Value::BF16(bf16::ZERO),
            Value::F32(_) => Value::F32(0.0),
            Value::F64(_) => Value::F64(0.0),
            Value::Complex(parts) => Value::Complex(Box::new([zero(&parts[0]), zero(&parts[1])])),
            other => other.clone(),
        }
    }
    let identity = Record::identity(list);
    let values =
        list.variables().iter().zip(identity.values()).map(|(variable, identity)| match variable.op {
            Op::Sum => zero(identity),
            _ => identity.clone(),
        });
    Ok(Record::new(list, &values.collect::<Vec<_>>())?)
}

/// A sum or product that its type does not have.
#[derive(Debug, PartialEq)]
pub struct Overflow {
    what: &'static str,
    /// `None` for a product of more than 128 bits.
    exact: Option<Exact>,
    ty: Scalar,
    kind: ValueKind,
}

impl Overflow {
    /// The sentence about it, for values of this description.
    pub fn message(&self, label: &str) -> String {
        let Overflow { what, exact, ty, kind } = self;
        if let Meaning::Decimal { .. } = kind.meaning {
            return format!("{label}: the {what} has more than 38 digits");
        }
        let wide = match ty.class() {
            Class::Unsigned => [Scalar::U32, Scalar::U64, Scalar::U128],
            _ => [Scalar::I32, Scalar::I64, Scalar::I128],
        };
        let wider = wide
            .into_iter()
            .find_map(|wider| exact.and_then(|exact| exact.value(wider)).map(|value| (wider, value)));
        let bits = 8 * ty.size();
        match (wider, exact) {
            (Some((wider, value)), _) => format!(
                "{label}: the {what} {value} is not a value of {ty}: add --result {wider}, or --wrapping for the {what} \
                 modulo 2^{bits}"
            ),
            (None, exact) => {
                let size = exact.map_or_else(
                    || "of more than 128 bits".into(),
                    |exact| format!("about {:e}", exact.to_f64()),
                );
                format!(
                    "{label}: the {what}, {size}, is not a value of {ty}: --type f64 rounds it, --wrapping gives it \
                     modulo 2^{bits}"
                )
            }
        }
    }
}

impl Exact {
    /// The value of a variable of type [`PRODUCT`], if it has at most 128 bits.
    fn product(value: &Value) -> Option<Exact> {
        let Value::Struct(fields) = value else {
            return None;
        };
        let [Value::U128(absolute), Value::U32(is_negative), Value::U32(0)] = fields.as_slice() else {
            return None;
        };
        let (upper, lower) = ((absolute >> 64) as i128, *absolute as u64);
        Some(match is_negative {
            0 => Exact { upper, lower },
            _ => Exact { upper: -upper - i128::from(lower != 0), lower: lower.wrapping_neg() },
        })
    }

    /// The sum that the variables of [`Plan::sum_exactly`] hold.
    fn sum(value: impl Fn(&str) -> Option<Value>) -> Exact {
        match (value(SUM), value(LOWER), value(UPPER)) {
            (Some(Value::I128(sum)), ..) => Exact { upper: sum >> 64, lower: sum as u64 },
            // Less than 2^64 values of 64 bits each: nothing overflows.
            (_, Some(Value::U128(lower)), Some(Value::I128(upper))) => {
                Exact { upper: upper.wrapping_add((lower >> 64) as i128), lower: lower as u64 }
            }
            _ => Exact { upper: 0, lower: 0 },
        }
    }

    fn to_f64(self) -> f64 {
        match i64::try_from(self.upper) {
            Ok(upper) => (i128::from(upper) << 64 | i128::from(self.lower)) as f64,
            Err(_) => self.upper as f64 * 2_f64.powi(64) + self.lower as f64,
        }
    }

    /// The sum as a value of an integer type, if the type has it.
    fn value(self, ty: Scalar) -> Option<Value> {
        let lower = u128::from(self.lower);
        if ty == Scalar::U128 {
            return u64::try_from(self.upper).ok().map(|upper| Value::U128(u128::from(upper) << 64 | lower));
        }
        let upper = i64::try_from(self.upper).ok()?;
        let sum = i128::from(upper) << 64 | lower as i128;
        match ty {
            Scalar::I8 => sum.try_into().ok().map(Value::I8),
            Scalar::I16 => sum.try_into().ok().map(Value::I16),
            Scalar::I32 => sum.try_into().ok().map(Value::I32),
            Scalar::I64 => sum.try_into().ok().map(Value::I64),
            Scalar::I128 => Some(Value::I128(sum)),
            Scalar::U8 => sum.try_into().ok().map(Value::U8),
            Scalar::U16 => sum.try_into().ok().map(Value::U16),
            Scalar::U32 => sum.try_into().ok().map(Value::U32),
            Scalar::U64 => sum.try_into().ok().map(Value::U64),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(lower: u128, upper: i128) -> Exact {
        Exact::sum(|name| match name {
            LOWER => Some(Value::U128(lower)),
            UPPER => Some(Value::I128(upper)),
            _ => None,
        })
    }

    #[test]
    fn exact_sums_become_values_or_overflow() {
        let minus_one = sum(u64::MAX.into(), -1);
        assert_eq!(minus_one.value(Scalar::I8), Some(Value::I8(-1)));
        assert_eq!((minus_one.value(Scalar::U8), minus_one.value(Scalar::U128)), (None, None));
        assert_eq!(minus_one.to_f64(), -1.0);
        // i128::MAX + 1: lower halves that carry.
        let beyond = sum(1 << 64, i128::from(i64::MAX));
        assert_eq!(beyond.value(Scalar::I128), None);
        assert_eq!(beyond.value(Scalar::U128), Some(Value::U128(1 << 127)));
        assert_eq!(beyond.to_f64(), 2_f64.powi(127));
        let most = sum(u64::MAX.into(), i128::from(u64::MAX));
        assert_eq!(most.value(Scalar::U128), Some(Value::U128(u128::MAX)));
        assert_eq!(sum(u128::from(u64::MAX) + 1, i128::from(u64::MAX)).value(Scalar::U128), None);
    }

    #[test]
    fn exact_products_become_values() {
        let product = |absolute, is_negative, is_large| {
            Exact::product(&Value::Struct(vec![
                Value::U128(absolute),
                Value::U32(is_negative),
                Value::U32(is_large),
            ]))
        };
        assert_eq!(product(6, 1, 0).unwrap().value(Scalar::I8), Some(Value::I8(-6)));
        assert_eq!(product(1 << 127, 1, 0).unwrap().value(Scalar::I128), Some(Value::I128(i128::MIN)));
        assert_eq!(product(1 << 127, 0, 0).unwrap().value(Scalar::I128), None);
        assert_eq!(product(u128::MAX, 0, 0).unwrap().value(Scalar::U128), Some(Value::U128(u128::MAX)));
        assert_eq!(product(u128::MAX, 1, 0).unwrap().value(Scalar::I128), None);
        assert_eq!(product(0, 0, 1), None);
    }

    #[test]
    fn an_overflow_names_the_type_that_has_the_sum() {
        let kind = ValueKind::number(Type::I32);
        let overflow = Overflow { what: "sum", exact: Some(sum(3_000_000_000, 0)), ty: Scalar::I32, kind };
        assert_eq!(
            overflow.message("sum"),
            "sum: the sum 3000000000 is not a value of i32: add --result i64, or --wrapping for the sum modulo 2^32"
        );
        for exact in [Some(sum(0, i128::MAX >> 1)), None] {
            let most = Overflow { what: "product", exact, ty: Scalar::I128, kind };
            assert!(most.message("x").contains("--type f64"));
        }
    }
}

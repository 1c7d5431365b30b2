//! Reduction variables and the record that holds one value of each.

use std::collections::HashSet;

use crate::{Error, Op, Rule, Type, rule};

/// Shared memory left to the device runtime, in bytes.
const RUNTIME_SHARED_BYTES: u32 = 512;

/// The largest record in bytes: a block of 32 warps keeps one record per warp in shared memory,
/// 48 KiB is what every GPU gives a block without opting in, and the device runtime keeps some.
pub const MAX_RECORD_BYTES: u32 = (48 * 1024 - RUNTIME_SHARED_BYTES) / 32;

/// Where the values that a variable reduces come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Element `i` of an input array, for every `i`.
    Array(u32),
    /// The product of the elements `i` of two input arrays: a dot product when summed. A float sum
    /// of products is one fused multiply-add per element (one rounding).
    Product(u32, u32),
}

impl Source {
    /// The arrays it reads.
    pub(crate) fn arrays(self) -> impl Iterator<Item = u32> {
        let (first, second) = match self {
            Source::Array(array) => (array, None),
            Source::Product(left, right) => (left, Some(right)),
        };
        std::iter::once(first).chain(second)
    }
}

/// One reduction variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// A name for messages and for the emitted IR; not empty, unique in its list.
    pub name: String,
    /// The type of the variable and of the elements it reduces.
    pub ty: Type,
    /// The operator.
    pub op: Op,
    /// The values to reduce.
    pub source: Source,
}

/// A record laid out as the C struct of the variables in list order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// Size in bytes, a multiple of `align`.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Byte offset of each variable.
    pub offsets: Vec<u32>,
}

/// A checked list of reduction variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReductionList {
    variables: Vec<Variable>,
    rules: Vec<&'static Rule>,
    record: RecordLayout,
}

impl ReductionList {
    /// Checks the variables and lays out their record.
    ///
    /// # Errors
    ///
    /// An empty list, an empty or repeated name, an operator that has no meaning for the type, a
    /// record larger than [`MAX_RECORD_BYTES`].
    pub fn new(variables: Vec<Variable>) -> Result<Self, Error> {
        if variables.is_empty() {
            return Err(Error::EmptyList);
        }
        let mut names = HashSet::new();
        let mut rules = Vec::new();
        let mut record = RecordLayout { size: 0, align: 1, offsets: Vec::new() };
        for (index, Variable { name, ty, op, .. }) in variables.iter().enumerate() {
            if name.is_empty() {
                return Err(Error::UnnamedVariable { index });
            }
            if !names.insert(name) {
                return Err(Error::DuplicateName { variable: name.clone() });
            }
            let illegal = || Error::IllegalOperator { variable: name.clone(), ty: *ty, op: *op };
            rules.push(rule(*ty, *op).ok_or_else(illegal)?);

            let offset = record.size.next_multiple_of(ty.size());
            record.offsets.push(offset);
            record.size = offset + ty.size();
            record.align = record.align.max(ty.size());
            // Inside the loop, so that the sizes of a list of any length cannot overflow.
            if record.size.next_multiple_of(record.align) > MAX_RECORD_BYTES {
                return Err(Error::RecordTooLarge { variable: name.clone(), limit: MAX_RECORD_BYTES });
            }
        }
        record.size = record.size.next_multiple_of(record.align);
        Ok(Self { variables, rules, record })
    }

    /// The variables, in list order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// How a record of the list lies in memory: in workspace slots, in shared memory and in the result.
    pub fn record(&self) -> &RecordLayout {
        &self.record
    }

    /// Each variable with its rule.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&Variable, &'static Rule)> {
        self.variables.iter().zip(self.rules.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, ty: Type) -> Variable {
        Variable { name: name.to_owned(), ty, op: Op::Sum, source: Source::Array(0) }
    }

    #[test]
    fn the_record_is_a_c_struct() {
        let types = [Type::I32, Type::F64, Type::F32];
        let variables = types.iter().enumerate().map(|(i, ty)| variable(&i.to_string(), *ty)).collect();
        let list = ReductionList::new(variables).unwrap();
        assert_eq!(*list.record(), RecordLayout { size: 24, align: 8, offsets: vec![0, 8, 16] });
    }

    #[test]
    fn refusals_name_the_variable() {
        let error = |variables| ReductionList::new(variables).unwrap_err().to_string();
        assert!(error(vec![]).contains("empty"));
        let unnamed = error(vec![variable("a", Type::I32), variable("", Type::I32)]);
        assert!(unnamed.contains("variable 1"), "{unnamed}");
        let twice = error(vec![variable("a", Type::I32), variable("a", Type::F64)]);
        assert!(twice.contains("`a` occurs twice"), "{twice}");
    }

    #[test]
    fn the_record_fits_shared_memory_exactly_or_is_refused() {
        let list = |count: u32| (0..count).map(|i| variable(&format!("v{i}"), Type::F64)).collect();
        let most = MAX_RECORD_BYTES / 8;
        assert_eq!(ReductionList::new(list(most)).unwrap().record().size, MAX_RECORD_BYTES);
        let error = ReductionList::new(list(most + 1)).unwrap_err().to_string();
        assert!(error.contains(&format!("`v{most}`")), "{error}");
        assert!(error.contains("1520 bytes"), "{error}");
    }

    #[test]
    fn padding_counts_against_the_limit() {
        // 189 f64 and one i32 end at 1516 bytes and are padded to 1520; a second i32 fills the
        // padding, a third would need a new word.
        let list = |words: usize| {
            let doubles = (0..189).map(|i| variable(&format!("d{i}"), Type::F64));
            let ints = (0..words).map(|i| variable(&format!("i{i}"), Type::I32));
            ReductionList::new(doubles.chain(ints).collect())
        };
        assert_eq!(list(1).unwrap().record().size, 1520);
        assert_eq!(list(2).unwrap().record().size, 1520);
        assert!(matches!(list(3), Err(Error::RecordTooLarge { .. })));
    }
}

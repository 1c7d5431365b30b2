//! Reduction variables and the layout of their record.

use std::collections::HashSet;

use crate::interner::Interner;
use crate::types::{Leaf, Scalar};
use crate::{Combiner, Error, Identity, Mapper, Op, Rule, Type, is_legal, rule};

/// Bytes of shared memory reserved for the device runtime.
const RUNTIME_SHARED_BYTES: u32 = 512;

/// Bytes of a workspace before its slots.
pub(crate) const WORKSPACE_HEADER_BYTES: u32 = device_rt::abi::layout::WORKSPACE_HEADER_BYTES as u32;

/// Bytes that each warp can store to shared memory in one round of the inter-warp copy: every GPU gives a
/// block, of up to 32 warps, 48 KiB without opting in, of which the device runtime needs some.
pub(crate) const WARP_BUFFER_BYTES: u32 = (48 * 1024 - RUNTIME_SHARED_BYTES) / 32;

/// The largest record, in bytes. The inter-warp copy of a record larger than a warp's share of shared memory,
/// 1520 bytes, takes several rounds with a pair of barriers each.
pub const MAX_RECORD_BYTES: u32 = 4096;

/// The largest number of scalars in a record: code is emitted for each, and LLVM's compile time grows faster
/// than their number (the kernels for 1024 scalars took two minutes).
pub const MAX_SCALARS: usize = 256;

/// The values that a variable reduces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Element `i` of an input array, for every `i`.
    Array(u32),
    /// The product of the elements `i` of two input arrays: a dot product when summed. A float sum
    /// of products is one fused multiply-add per element (one rounding).
    Product(u32, u32),
    /// The value that a user function computes from the elements `i` of some input arrays.
    Map(&'static Mapper, &'static [u32]),
}

impl Source {
    /// A map over these arrays. Each distinct list of arrays is kept until the program ends.
    pub fn map(mapper: &'static Mapper, arrays: &[u32]) -> Source {
        static INTERNED: Interner<[u32]> = Interner::new();
        Source::Map(mapper, INTERNED.intern(arrays.into()))
    }

    /// The numbers of the arrays it reads.
    pub(crate) fn arrays(self) -> Vec<u32> {
        match self {
            Source::Array(array) => vec![array],
            Source::Product(left, right) => vec![left, right],
            Source::Map(_, arrays) => arrays.to_vec(),
        }
    }
}

/// One reduction variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in messages and in the emitted IR; not empty, unique in its list.
    pub name: String,
    /// The type of the values it reduces. The arrays may have another element type that
    /// [converts](Type::converts_to) to it.
    pub ty: Type,
    /// The operator.
    pub op: Op,
    /// The values to reduce.
    pub source: Source,
}

impl Variable {
    /// The type of the variable in private copies and records: the values' type; for `argmin` and `argmax` a
    /// struct of it and an `i64` index; for a combiner without identity a struct of it and a `u8` that is 1
    /// if there is a value, else 0.
    pub fn stored(&self) -> Type {
        match &self.op {
            Op::ArgMin | Op::ArgMax => Type::structure(&[self.ty, Type::I64]),
            Op::User(combiner) if combiner.identity().is_none() => Type::structure(&[self.ty, Type::U8]),
            _ => self.ty,
        }
    }
}

/// The layout of a record: that of a C struct of the variables in list order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// Size in bytes, a multiple of `align`.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Byte offset of each variable.
    pub offsets: Vec<u32>,
}

/// A number, real or complex, inside a variable, and the rule that combines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    /// The index of its first scalar among the variable's.
    pub(crate) leaf: usize,
    pub(crate) scalar: Scalar,
    pub(crate) is_complex: bool,
    pub(crate) rule: &'static Rule,
}

/// How two values of a variable are combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Each component by its rule.
    Components(Vec<Component>),
    /// The two leaves are a value and its index.
    Find(Scalar, &'static Rule),
    /// By a call. Without an identity the last leaf is a flag: whether there is a value.
    User(&'static Combiner),
}

/// An entry of the list: a variable as the emitters need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// The type in private copies and records: [`Variable::stored`].
    pub(crate) stored: Type,
    /// Its scalars.
    pub(crate) leaves: Vec<Leaf>,
    /// How many of them belong to the value; one more is an index or a flag.
    pub(crate) value_leaves: usize,
    pub(crate) plan: Plan,
}

impl Entry {
    fn new(variable: &Variable) -> Result<Self, Error> {
        let &Variable { ref name, ty, op, .. } = variable;
        let stored = variable.stored();
        // Checked before the scalars are listed: a type may have any size.
        if ty.size() == 0 {
            return Err(Error::NoSize { variable: name.clone(), ty });
        }
        if stored.size() > MAX_RECORD_BYTES {
            return Err(Error::RecordTooLarge { variable: name.clone(), limit: MAX_RECORD_BYTES });
        }
        let illegal = || Error::IllegalOperator { variable: name.clone(), ty, op };
        let plan = match op {
            Op::User(combiner) if combiner.ty() != ty => {
                return Err(Error::CombinerType {
                    variable: name.clone(),
                    ty,
                    combiner: combiner.name().to_owned(),
                    expected: combiner.ty(),
                });
            }
            Op::User(combiner) => Plan::User(combiner),
            _ if !is_legal(ty, op) => return Err(illegal()),
            _ if op.finds() => {
                let found = ty.scalar().zip(rule(ty, op));
                found.map(|(scalar, rule)| Plan::Find(scalar, rule)).ok_or_else(illegal)?
            }
            _ => {
                let mut components = Vec::new();
                collect_components(ty, op, &mut 0, &mut components);
                Plan::Components(components)
            }
        };
        let leaves = stored.leaves();
        let value_leaves = ty.leaves().len();
        Ok(Self { name: name.clone(), stored, leaves, value_leaves, plan })
    }

    /// The bits of each scalar of the identity.
    pub(crate) fn identity(&self) -> Vec<u128> {
        match &self.plan {
            Plan::Components(components) => {
                let mut bits = vec![0; self.leaves.len()];
                for Component { leaf, scalar, is_complex, rule } in components {
                    bits[*leaf] = rule.identity.bits(*scalar);
                    if *is_complex {
                        bits[*leaf + 1] = rule.imaginary_identity().bits(*scalar);
                    }
                }
                bits
            }
            Plan::Find(scalar, rule) => {
                vec![rule.identity.bits(*scalar), Identity::AllOnes.bits(Scalar::I64)]
            }
            Plan::User(combiner) => {
                // Without a value the scalars are not used; zeros make records reproducible.
                combiner.identity().map_or_else(|| vec![0; self.leaves.len()], <[u128]>::to_vec)
            }
        }
    }
}

fn collect_components(ty: Type, op: Op, leaf: &mut usize, components: &mut Vec<Component>) {
    match (ty, rule(ty, op)) {
        (Type::Scalar(scalar), Some(rule)) => {
            components.push(Component { leaf: *leaf, scalar, is_complex: false, rule });
            *leaf += 1;
        }
        (Type::Complex(scalar), Some(rule)) => {
            components.push(Component { leaf: *leaf, scalar, is_complex: true, rule });
            *leaf += 2;
        }
        _ => {
            for (member, _) in ty.members() {
                collect_components(member, op, leaf, components);
            }
        }
    }
}

/// The components of a type, with the rules for the product of two of its values.
pub(crate) fn product_components(ty: Type) -> Vec<Component> {
    let mut components = Vec::new();
    collect_components(ty, Op::Product, &mut 0, &mut components);
    components
}

/// A checked list of reduction variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReductionList {
    variables: Vec<Variable>,
    entries: Vec<Entry>,
    record: RecordLayout,
}

impl ReductionList {
    /// Checks the variables and computes the layout of their record.
    ///
    /// # Errors
    ///
    /// An empty list, an empty or repeated name, an operator that is not defined for the type, a combiner of
    /// another type, a record larger than [`MAX_RECORD_BYTES`] or of more than [`MAX_SCALARS`] scalars.
    pub fn new(variables: Vec<Variable>) -> Result<Self, Error> {
        if variables.is_empty() {
            return Err(Error::EmptyList);
        }
        let mut names = HashSet::new();
        let mut entries: Vec<Entry> = Vec::new();
        let mut record = RecordLayout { size: 0, align: 1, offsets: Vec::new() };
        let mut scalars = 0;
        for (index, variable) in variables.iter().enumerate() {
            let name = &variable.name;
            if name.is_empty() {
                return Err(Error::UnnamedVariable { index });
            }
            if !names.insert(name) {
                return Err(Error::DuplicateName { variable: name.clone() });
            }
            let entry = Entry::new(variable)?;
            let offset = record.size.next_multiple_of(entry.stored.align());
            record.offsets.push(offset);
            record.size = offset + entry.stored.size();
            record.align = record.align.max(entry.stored.align());
            // Checked inside the loop, so that the sizes of a long list cannot overflow.
            if record.size.next_multiple_of(record.align) > MAX_RECORD_BYTES {
                return Err(Error::RecordTooLarge { variable: name.clone(), limit: MAX_RECORD_BYTES });
            }
            scalars += entry.leaves.len();
            if scalars > MAX_SCALARS {
                return Err(Error::TooManyScalars { variable: name.clone(), limit: MAX_SCALARS });
            }
            entries.push(entry);
        }
        record.size = record.size.next_multiple_of(record.align);
        Ok(Self { variables, entries, record })
    }

    /// The variables, in list order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The layout of a record in workspace slots, in shared memory and in the result.
    pub fn record(&self) -> &RecordLayout {
        &self.record
    }

    /// The identity of every variable, as bytes of a record in little-endian order; padding is zero.
    pub fn identity(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.record.size as usize];
        for (entry, start) in self.entries.iter().zip(&self.record.offsets) {
            for (leaf, bits) in entry.leaves.iter().zip(entry.identity()) {
                let (at, size) = ((start + leaf.offset) as usize, leaf.scalar.size() as usize);
                bytes[at..at + size].copy_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
        bytes
    }

    /// The modules of user functions that the emitted code calls, as LLVM IR without duplicates, to be linked
    /// with it.
    pub fn modules(&self) -> Vec<&'static str> {
        let mut modules: Vec<&'static str> = Vec::new();
        for variable in &self.variables {
            let combiner = match variable.op {
                Op::User(combiner) => Some(combiner.module()),
                _ => None,
            };
            let mapper = match variable.source {
                Source::Map(mapper, _) => Some(mapper.module()),
                _ => None,
            };
            for module in [combiner, mapper].into_iter().flatten() {
                if !modules.contains(&module) {
                    modules.push(module);
                }
            }
        }
        modules
    }

    /// The variables as the emitters need them.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
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
    fn errors_name_the_variable() {
        let error = |variables| ReductionList::new(variables).unwrap_err().to_string();
        assert!(error(vec![]).contains("empty"));
        let unnamed = error(vec![variable("a", Type::I32), variable("", Type::I32)]);
        assert!(unnamed.contains("variable 1"), "{unnamed}");
        let twice = error(vec![variable("a", Type::I32), variable("a", Type::F64)]);
        assert!(twice.contains("`a` occurs twice"), "{twice}");
        let illegal = Variable { op: Op::And, ..variable("a", Type::F32) };
        let illegal = error(vec![illegal]);
        assert!(
            illegal.contains("`a`: `and` is not defined for f32; operators for f32: sum, product, min"),
            "{illegal}"
        );
    }

    #[test]
    fn the_record_size_has_a_limit() {
        let list = |count: u32, ty| (0..count).map(|i| variable(&format!("v{i}"), ty)).collect();
        let most = MAX_RECORD_BYTES / 16;
        assert_eq!(ReductionList::new(list(most, Type::U128)).unwrap().record().size, MAX_RECORD_BYTES);
        let error = ReductionList::new(list(most + 1, Type::U128)).unwrap_err().to_string();
        assert!(error.contains(&format!("`v{most}`")), "{error}");
        assert!(error.contains("4096 bytes"), "{error}");
        let error = ReductionList::new(list(most + 1, Type::I8)).unwrap_err();
        assert!(matches!(error, Error::TooManyScalars { .. }), "{error}");
        let whole = |length| ReductionList::new(vec![variable("a", Type::array(Type::I8, length))]);
        assert_eq!(whole(256).unwrap().record().size, 256);
        assert!(matches!(whole(257), Err(Error::TooManyScalars { .. })));
        assert!(matches!(whole(u32::MAX), Err(Error::RecordTooLarge { .. })));
        assert!(matches!(whole(0), Err(Error::NoSize { .. })));
    }

    #[test]
    fn padding_counts_against_the_limit() {
        // 255 u128 and one i32 end at 4084 bytes and are padded to 4096.
        let wide = variable("wide", Type::array(Type::U128, 255));
        let list = |more: Type| ReductionList::new(vec![wide.clone(), variable("more", more)]);
        assert_eq!(list(Type::I32).unwrap().record().size, 4096);
        assert!(matches!(list(Type::array(Type::I64, 3)), Err(Error::RecordTooLarge { .. })));
    }

    #[test]
    fn identities_follow_the_record_layout() {
        let variable = |name: &str, ty: &str, op| Variable {
            name: name.to_owned(),
            ty: ty.parse().unwrap(),
            op,
            source: Source::Array(0),
        };
        let variables = vec![
            variable("p", "i8", Op::Product),
            variable("c", "complex<f32>", Op::Product),
            variable("m", "[u16;2]", Op::Min),
            variable("a", "f16", Op::ArgMax),
        ];
        let list = ReductionList::new(variables).unwrap();
        assert_eq!(list.record().offsets, [0, 4, 12, 16]);
        let bytes = list.identity();
        assert_eq!(bytes[..4], [1, 0, 0, 0]);
        assert_eq!(bytes[4..12], [0, 0, 0x80, 0x3F, 0, 0, 0, 0]);
        assert_eq!(bytes[12..20], [255, 255, 255, 255, 0, 0x7E, 0, 0]);
        assert_eq!(bytes[24..], [255; 8]);
    }
}

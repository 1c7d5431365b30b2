//! User functions that are loaded: combiners and maps.

use crate::signature::{Pointee, mismatch};
use crate::types::Type;

/// An operator: a function `void NAME(T *into, const T *from)` that computes `*into = *into op *from`. It
/// must be associative and commutative.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Combiner {
    pub(crate) function: Function,
    pub(crate) ty: Type,
    pub(crate) identity: Option<Vec<u128>>,
}

/// A map: a function `void NAME(T *out, const A *a, const B *b …)` that computes one value from elements of
/// arrays.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Mapper {
    pub(crate) function: Function,
    pub(crate) inputs: usize,
    /// The types behind its parameters, the output first, if its module says.
    pub(crate) pointees: Option<Vec<Pointee>>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Function {
    /// The name in messages: that of its module, `:`, and that of the function.
    pub(crate) name: String,
    pub(crate) symbol: String,
    /// The module that defines the symbol, as LLVM IR; it has no undefined symbols.
    pub(crate) module: String,
}

impl Combiner {
    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.function.name
    }

    /// The type of the values that it combines.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The module that defines it, as LLVM IR, to be linked with the emitted module.
    pub fn module(&self) -> &str {
        &self.function.module
    }

    /// The bits of each scalar of its identity.
    pub(crate) fn identity(&self) -> Option<&[u128]> {
        self.identity.as_deref()
    }

    /// The function's symbol in the emitted module.
    pub(crate) fn symbol(&self) -> &str {
        &self.function.symbol
    }
}

impl Mapper {
    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.function.name
    }

    /// How many elements it takes, one of each array.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// What is wrong with its parameters, as far as it is known, where the output and the elements have these types.
    pub(crate) fn wrong_types(&self, types: &[Type]) -> Option<String> {
        let name = self.name().rsplit(':').next().unwrap_or_default();
        mismatch(name, self.pointees.as_deref()?, types)
    }

    /// The module that defines it, as LLVM IR, to be linked with the emitted module.
    pub fn module(&self) -> &str {
        &self.function.module
    }

    /// The function's symbol in the emitted module.
    pub(crate) fn symbol(&self) -> &str {
        &self.function.symbol
    }
}

//! Functions of the user's: combiners and maps.

use crate::Type;

/// A function `void NAME(T *into, const T *from)` that does `into = into op from`.
#[derive(Debug, PartialEq, Eq)]
pub struct Combiner {
    name: String,
    symbol: String,
    ty: Type,
    identity: Option<Vec<u128>>,
}

impl Combiner {
    /// How messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type that it combines.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The bits of each scalar of its identity.
    pub(crate) fn identity(&self) -> Option<&[u128]> {
        self.identity.as_deref()
    }

    /// The function's symbol in the emitted module.
    pub(crate) fn symbol(&self) -> &str {
        &self.symbol
    }
}

/// A function `void NAME(T *out, const A *a, const B *b …)`.
#[derive(Debug, PartialEq, Eq)]
pub struct Mapper {
    name: String,
    symbol: String,
    inputs: usize,
}

impl Mapper {
    /// How messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many values it takes.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The function's symbol in the emitted module.
    pub(crate) fn symbol(&self) -> &str {
        &self.symbol
    }
}

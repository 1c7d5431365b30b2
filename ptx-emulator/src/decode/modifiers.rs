//! The modifiers of an opcode: the parts after its dots.

use super::decoder::Result;
use crate::memory::{MemoryOrder, Scope};
use crate::text::error;
use crate::text::types::Type;

/// The parts of an opcode after its name. The decoder of an instruction must consume every part, so that an
/// unknown modifier is never ignored.
pub(super) struct Modifiers<'a> {
    parts: Vec<Option<&'a str>>,
    at: u32,
}

impl<'a> Modifiers<'a> {
    /// Splits an opcode into its name and parts.
    pub fn new(opcode: &'a str, at: u32) -> (&'a str, Modifiers<'a>) {
        let mut parts = opcode.split('.');
        let name = parts.next().unwrap_or_default();
        (name, Modifiers { parts: parts.map(Some).collect(), at })
    }

    /// Consumes a part; returns whether it is present.
    pub fn has(&mut self, part: &str) -> bool {
        match self.parts.iter_mut().find(|p| **p == Some(part)) {
            Some(found) => {
                *found = None;
                true
            }
            None => false,
        }
    }

    /// Consumes the first part that `read` accepts.
    pub fn find<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        for part in &mut self.parts {
            if let Some(value) = part.and_then(&read) {
                *part = None;
                return Some(value);
            }
        }
        None
    }

    /// Consumes the first part that is one of the known ones.
    pub fn one_of(&mut self, known: &[&'static str]) -> Option<&'static str> {
        self.find(|p| known.iter().copied().find(|known| *known == p))
    }

    /// Consumes the first part if `read` accepts it.
    pub fn next<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let part = self.parts.iter_mut().find(|p| p.is_some())?;
        let value = part.and_then(read)?;
        *part = None;
        Some(value)
    }

    /// Consumes the first type.
    pub fn ty(&mut self) -> Result<Type> {
        match self.find(Type::parse) {
            Some(ty) => Ok(ty),
            None => error(self.at, "the instruction names no type that is supported"),
        }
    }

    /// Consumes the vector length.
    pub fn vector(&mut self) -> u8 {
        self.find(among(&[("v2", 2), ("v4", 4), ("v8", 8)])).unwrap_or(1)
    }

    /// Consumes the memory order of a load, store or atomic.
    pub fn order(&mut self) -> Option<MemoryOrder> {
        self.find(among(&[
            ("weak", MemoryOrder::Weak),
            ("volatile", MemoryOrder::Volatile),
            ("relaxed", MemoryOrder::Relaxed),
            ("acquire", MemoryOrder::Acquire),
            ("release", MemoryOrder::Release),
            ("acq_rel", MemoryOrder::AcqRel),
            ("sc", MemoryOrder::SeqCst),
        ]))
    }

    /// Consumes the scope.
    pub fn scope(&mut self) -> Option<Scope> {
        self.find(among(&[
            ("cta", Scope::Cta),
            ("cluster", Scope::Cluster),
            ("gpu", Scope::Gpu),
            ("sys", Scope::Sys),
        ]))
    }

    /// Consumes cache hints, which change no value. Returns whether the last operand is a cache policy.
    pub fn cache_hints(&mut self) -> bool {
        let operators = ["ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"];
        let priorities = ["evict_normal", "evict_unchanged", "evict_first", "evict_last", "no_allocate"];
        let known = |p: &str| {
            operators.contains(&p)
                || p.strip_prefix("L1::").is_some_and(|p| priorities.contains(&p))
                || p.strip_prefix("L2::").is_some_and(|p| priorities[..4].contains(&p))
                || matches!(p, "L2::64B" | "L2::128B" | "L2::256B")
        };
        while self.find(|p| known(p).then_some(())).is_some() {}
        self.has("L2::cache_hint")
    }

    /// An error if a part is left.
    pub fn finish(&self) -> Result {
        match self.parts.iter().flatten().next() {
            Some(part) => error(self.at, format!("`.{part}` is not supported here")),
            None => Ok(()),
        }
    }
}

/// What a part stands for, if it is one of these.
pub(super) fn among<T: Copy>(known: &[(&str, T)]) -> impl Fn(&str) -> Option<T> {
    |part| known.iter().find(|(name, _)| *name == part).map(|(_, value)| *value)
}

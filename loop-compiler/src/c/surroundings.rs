//! What a function in front of a region's own can take from there: variables as parameters, and types that it sees.

use std::collections::{BTreeMap, BTreeSet};

use super::types;

/// What a function in front of the one around a region can take from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// The byte where such a function can begin, behind the declaration before the function around the region.
    pub at: usize,
    /// The line of that byte.
    pub line: u32,
    /// The variables that can become parameters, by name.
    pub(crate) variables: BTreeMap<String, Passed>,
    /// The names of what else the function around the region declares.
    pub(crate) inside: BTreeSet<String>,
}

/// A variable that can become a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    /// Its type, as clang writes it.
    pub type_name: String,
    /// The variables in the type: lengths of arrays.
    pub lengths: Vec<String>,
    /// Whether it has a value before the region.
    pub before: Before,
}

/// Whether a variable has a value before a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// A parameter, or one that is set or used before.
    Set,
    /// One whose first use is in the region.
    Unset,
    /// One that may have been set by the region itself, in a loop around it.
    Unknown,
}

impl Passed {
    /// The variable with another name.
    pub fn declared(&self, name: &str) -> String {
        types::declaration(&self.type_name, name)
    }

    /// A parameter that points to the variable, a scalar.
    pub fn pointer(&self, name: &str) -> String {
        types::declaration(&format!("{} *", self.type_name), name)
    }

    /// A parameter that is a pointer to the elements of an array, whose memory nothing else reaches if it is `distinct`.
    pub fn array(&self, name: &str, distinct: bool) -> String {
        let declared = self.declared(name);
        match declared.split_once('[').filter(|_| distinct) {
            Some((before, after)) if !before.contains('*') => format!("{before}[restrict {after}"),
            _ => declared,
        }
    }
}

//! A set of values that live until the program ends, so that references to them are small `Copy` values.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// The set.
pub(crate) struct Interner<T: ?Sized + 'static>(Mutex<Option<HashSet<&'static T>>>);

impl<T: ?Sized + Eq + Hash> Interner<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Returns the set's copy of `value`, which it adds if there is none.
    pub(crate) fn intern(&self, value: Box<T>) -> &'static T {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(known) = known.get(&*value) {
            return known;
        }
        let new: &'static T = Box::leak(value);
        known.insert(new);
        new
    }
}

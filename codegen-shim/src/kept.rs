//! Values that live until the program ends, each distinct one once: so that what refers to them is a small value
//! itself.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// The values kept so far.
pub(crate) struct Kept<T: ?Sized + 'static>(Mutex<Option<HashSet<&'static T>>>);

impl<T: ?Sized + Eq + Hash> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The one copy of `value`.
    pub(crate) fn keep(&self, value: Box<T>) -> &'static T {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get_or_insert_default();
        if let Some(known) = kept.get(&*value) {
            return known;
        }
        let new: &'static T = Box::leak(value);
        kept.insert(new);
        new
    }
}

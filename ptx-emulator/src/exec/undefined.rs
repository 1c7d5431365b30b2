//! What is known of undefined registers, where undefined values are tracked.

use crate::observer::Origin;
use crate::semantics::Plane64;

/// What is known of an undefined register.
#[derive(Clone, Debug)]
pub(crate) struct UndefinedBits {
    /// The undefined bits of each lane that is undefined.
    pub bits: Plane64,
    /// The lanes whose value was computed from undefined ones, and not only copied.
    pub computed: u32,
    /// Where the undefined value came from.
    pub origin: Option<Origin>,
}

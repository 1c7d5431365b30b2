//! What machines need for what, and what values are assumed where they are not known.

pub(crate) mod estimate;
pub mod machine;
pub(crate) mod policy;

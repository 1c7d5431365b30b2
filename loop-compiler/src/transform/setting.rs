//! How steps are proved, and what a rejection says.

use crate::{
    analysis::{AnalysisError, Options},
    ir::Position,
    rules::{FloatOrder, Rejection, Rule},
};

/// How steps are proved.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'s> {
    /// Whether floating-point operations may be reordered.
    pub order: FloatOrder,
    /// How regions are analysed.
    pub options: &'s Options,
}

/// Why a step is rejected; `step` is how the person wrote it.
pub(super) fn rejected<T>(
    rule: Rule,
    at: Position,
    step: &str,
    reason: impl std::fmt::Display,
) -> Result<T, AnalysisError> {
    Err(AnalysisError::Rejected(Rejection::new(rule, at, format!("{step} is not possible: {reason}"))))
}

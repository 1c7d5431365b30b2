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

/// What a step has made; none if it is not possible.
pub(crate) fn possible<T>(made: Result<T, AnalysisError>) -> Result<Option<T>, AnalysisError> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(AnalysisError::Rejected(_)) => Ok(None),
        Err(error) => Err(error),
    }
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

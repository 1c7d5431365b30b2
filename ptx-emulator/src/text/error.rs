//! Errors in a text, by byte offset.

/// A complaint about the text at a byte offset.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub at: u32,
    pub message: String,
    /// The name that no text defines, if that is the complaint.
    pub undefined: Option<String>,
}

/// Shorthand for a complaint.
pub(crate) fn error<T>(at: u32, message: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError { at, message: message.into(), undefined: None })
}

/// An error in one of several texts: the text's number and the error.
pub(crate) type UnitError = (usize, SyntaxError);

//! Errors in a text, by byte offset.

/// An error in a text.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    /// Byte offset.
    pub at: u32,
    pub message: String,
    /// The name that no text defines, if that is the error.
    pub undefined: Option<String>,
}

/// Returns an error at a byte offset.
pub(crate) fn error<T>(at: u32, message: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError { at, message: message.into(), undefined: None })
}

/// An error in one of several texts: the text's number and the error.
pub(crate) type UnitError = (usize, SyntaxError);

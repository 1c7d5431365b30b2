//! Files of loops: `.loops`, the notation of the loop tree.
//!
//! [`parse`] and [`print()`] are inverse to each other: what is printed parses to the same tree, apart from
//! positions. The grammar is in `docs/loops-notation.md`. Input need not be trusted: an error has its place, and
//! neither time nor memory exceeds a multiple of the text's length.
//!
//! | file | what is in it |
//! |---|---|
//! | `words` | reserved words, names that need quotes, names of types |
//! | `lexer` | characters to tokens |
//! | `parser`, `expression`, `names` | tokens to regions; names and their scopes |
//! | `printer` | regions to text |

mod expression;
mod lexer;
mod names;
mod parser;
mod printer;
mod words;

#[cfg(test)]
mod tests;

pub use parser::{MAXIMUM_LENGTH, parse};
pub use printer::print;
pub(crate) use printer::value;

//! LLVM IR as text, while it is written.

use std::fmt::{Display, Write};

/// The IR of a function body.
#[derive(Default)]
pub(super) struct Text {
    pub out: String,
    names: u32,
}

impl Text {
    /// An instruction with a result, which gets a name.
    pub fn value(&mut self, instruction: impl Display) -> String {
        self.names += 1;
        let name = format!("%v{}", self.names);
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "  {name} = {instruction}");
        name
    }

    /// An instruction without a result.
    pub fn line(&mut self, instruction: impl Display) {
        let _ = writeln!(self.out, "  {instruction}");
    }

    /// A name for a basic block that follows.
    pub fn label(&mut self) -> String {
        self.names += 1;
        format!("l{}", self.names)
    }

    /// Begins a basic block.
    pub fn begin(&mut self, label: impl Display) {
        let _ = writeln!(self.out, "{label}:");
    }
}

/// How many lanes a value of the IR holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Width {
    /// One value.
    One,
    /// A vector of the 32 lanes.
    All,
}

impl Width {
    /// A type of so many lanes.
    pub fn of(self, ty: &str) -> String {
        match self {
            Width::One => ty.to_owned(),
            Width::All => format!("<32 x {ty}>"),
        }
    }

    /// The suffix of an intrinsic function for the type.
    pub fn suffix(self, ty: &str) -> String {
        match self {
            Width::One => ty.to_owned(),
            Width::All => format!("v32{ty}"),
        }
    }

    /// A constant in all lanes.
    pub fn constant(self, ty: &str, value: impl Display) -> String {
        match self {
            Width::One => value.to_string(),
            Width::All => format!("splat ({ty} {value})"),
        }
    }
}

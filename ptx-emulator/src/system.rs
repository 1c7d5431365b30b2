//! The functions that CUDA's device side provides to every program.

/// A function of the system, resolved where a program declares and does not define it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    /// `vprintf(format, arguments)`: the arguments follow each other in memory, each at a multiple of its size.
    Print,
    /// `malloc(bytes)`
    Malloc,
    /// `free(address)`
    Free,
    /// `__assertfail(message, file, line, function, character size)`
    AssertFail,
}

impl System {
    /// The function of a name.
    pub fn named(name: &str) -> Option<System> {
        Some(match name {
            "vprintf" => System::Print,
            "malloc" => System::Malloc,
            "free" => System::Free,
            "__assertfail" => System::AssertFail,
            _ => return None,
        })
    }

    /// Sizes of its results and of its parameters.
    pub fn shape(self) -> (&'static [u32], &'static [u32]) {
        match self {
            System::Print => (&[4], &[8, 8]),
            System::Malloc => (&[8], &[8]),
            System::Free => (&[], &[8]),
            System::AssertFail => (&[], &[8, 8, 4, 8, 8]),
        }
    }
}

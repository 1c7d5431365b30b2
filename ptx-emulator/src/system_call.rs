//! The system calls that CUDA provides to device programs, by name and parameter sizes; `exec/system_call.rs`
//! executes them.

/// A system call: a function that a program declares but does not define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SystemCall {
    /// `vprintf(format, arguments)`: the arguments follow each other in memory, each aligned to its size.
    Print,
    /// `malloc(bytes)`
    Malloc,
    /// `free(address)`
    Free,
    /// `__assertfail(message, file, line, function, character size)`
    AssertFail,
}

impl SystemCall {
    /// The system call of a name.
    pub fn named(name: &str) -> Option<SystemCall> {
        Some(match name {
            "vprintf" => SystemCall::Print,
            "malloc" => SystemCall::Malloc,
            "free" => SystemCall::Free,
            "__assertfail" => SystemCall::AssertFail,
            _ => return None,
        })
    }

    /// The sizes of its results and of its parameters.
    pub fn shape(self) -> (&'static [u32], &'static [u32]) {
        match self {
            SystemCall::Print => (&[4], &[8, 8]),
            SystemCall::Malloc => (&[8], &[8]),
            SystemCall::Free => (&[], &[8]),
            SystemCall::AssertFail => (&[], &[8, 8, 4, 8, 8]),
        }
    }
}

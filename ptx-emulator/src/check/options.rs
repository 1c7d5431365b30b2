//! Which checks there are.

/// What a machine checks beyond faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checks {
    /// Data races in global and shared memory.
    pub races: bool,
    /// Values that nobody wrote.
    pub uninitialised: bool,
}

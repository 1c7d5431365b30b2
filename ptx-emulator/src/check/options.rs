//! Which checks there are.

bitflags::bitflags! {
    /// What a machine checks beyond faults.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Checks: u8 {
        /// Data races in global and shared memory.
        const RACES = 1;
        /// Values that nobody wrote.
        const UNINITIALISED = 2;
    }
}

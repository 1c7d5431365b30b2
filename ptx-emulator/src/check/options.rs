//! Which checks there are.

bitflags::bitflags! {
    /// What a machine checks beyond faults.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Checks: u8 {
        /// Data races in global and shared memory.
        const RACES = 1;
        /// Values that nobody wrote.
        const UNINITIALISED = 2;
        /// Also data races of threads that store the same value, where the program has one thread do that and the compiler
        /// lets all of them.
        const SAME_VALUE = 4;
    }
}

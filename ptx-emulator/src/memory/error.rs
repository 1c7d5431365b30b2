//! Why an operation on memory failed.

/// Why an operation on device memory failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The device does not have enough memory left.
    #[error("out of device memory: {requested} bytes requested, {available} of {total} available")]
    OutOfMemory {
        /// Bytes requested.
        requested: u64,
        /// Bytes left.
        available: u64,
        /// Bytes of the device.
        total: u64,
    },
    /// The host does not have enough memory left.
    #[error("out of host memory: {requested} bytes requested")]
    OutOfHostMemory {
        /// Bytes requested.
        requested: u64,
    },
    /// The machine may not take so much of the host's memory ([`Machine::set_host_limit`]).
    ///
    /// [`Machine::set_host_limit`]: crate::Machine::set_host_limit
    #[error("the limit of host memory is reached: {requested} bytes requested, {taken} of {limit} in use")]
    HostLimit {
        /// Bytes requested, with what the machine itself needs for them.
        requested: u64,
        /// Bytes in use.
        taken: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// This process has no readable memory at an address of the host.
    #[error("{address:#x} is no memory of this process")]
    NotMapped {
        /// The first such address.
        address: u64,
    },
    /// Memory of the host that this process cannot write.
    #[error("{address:#x} is read-only memory of this process")]
    ReadOnly {
        /// The first such address.
        address: u64,
    },
    /// A range of host memory overlaps one that is mapped.
    #[error("{bytes} bytes at {address:#x} overlap host memory that is mapped already")]
    AlreadyMapped {
        /// First address of the range.
        address: u64,
        /// Length of the range.
        bytes: u64,
    },
    /// No process of the host can have this range of addresses.
    #[error("{bytes} bytes at {address:#x} are not a range of host memory")]
    NotHostMemory {
        /// First address of the range.
        address: u64,
        /// Length of the range.
        bytes: u64,
    },
    /// Zero bytes were requested.
    #[error("an allocation of zero bytes")]
    Empty,
    /// The address is not the start of a live allocation.
    #[error("{address:#x} is not the start of an allocation")]
    NotAnAllocation {
        /// The address given.
        address: u64,
    },
    /// The range is not inside one live allocation.
    #[error("{bytes} bytes at {address:#x} are {location}")]
    OutOfBounds {
        /// First address of the range.
        address: u64,
        /// Length of the range.
        bytes: u64,
        /// Where the range starts, in words.
        location: String,
    },
}

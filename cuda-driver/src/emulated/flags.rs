//! The driver's sets of flags.

use bitflags::{Flags, bitflags};

use crate::Status;

bitflags! {
    /// `CUctx_flags`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) struct ContextFlags: u32 {
        const SPIN = 0x01;
        const YIELD = 0x02;
        const BLOCKING_SYNC = 0x04;
        const MAP_HOST = 0x08;
        const LOCAL_MEMORY_STAYS = 0x10;
        const CORE_DUMP = 0x20;
        const USER_CORE_DUMP = 0x40;
        const SYNCHRONOUS_COPIES = 0x80;
    }

    /// `CUstream_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct StreamFlags: u32 {
        /// The stream and the default stream do not wait for each other.
        const NON_BLOCKING = 1;
    }

    /// `CUevent_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct EventFlags: u32 {
        const BLOCKING_SYNC = 1;
        const NO_TIMING = 2;
        const BETWEEN_PROCESSES = 4;
    }

    /// `CU_MEMHOSTALLOC_…` and `CU_MEMHOSTREGISTER_…`, of which the first two are the same.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct HostFlags: u32 {
        const PORTABLE = 1;
        const MAPPED = 2;
        /// Of pinned memory.
        const WRITE_COMBINED = 4;
        /// Of registered memory: the device only reads it.
        const READ_ONLY = 8;

        const OF_PINNED = Self::PORTABLE.bits() | Self::MAPPED.bits() | Self::WRITE_COMBINED.bits();
        const OF_REGISTERED = Self::PORTABLE.bits() | Self::MAPPED.bits() | Self::READ_ONLY.bits();
    }

    /// `CUmemAttach_flags`, of which a program names one; they have the same effect here.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct ManagedFlags: u32 {
        const GLOBAL = 1;
        const HOST = 2;
    }

    /// `CUmemAccess_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct AccessFlags: u32 {
        const READ = 1;
        const WRITE = 2;
    }
}

/// The set with these bits, if all are flags that it has.
pub(crate) fn known<F: Flags<Bits = u32>>(bits: u32) -> Result<F, Status> {
    F::from_bits(bits).ok_or(Status::INVALID_VALUE)
}

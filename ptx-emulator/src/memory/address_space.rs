//! The layout of the address space: which addresses belong to which state space.
//!
//! Device addresses lie between 2^47 and 2^48. No process of the host has such addresses, so an address shows
//! by itself whether it belongs to the host or to the device.

use crate::text::types::Space;

/// Generic addresses of shared memory start here.
pub(crate) const SHARED_BASE: u64 = 0x8000_0000_0000;
/// Generic addresses of local memory start here.
pub(crate) const LOCAL_BASE: u64 = 0x8010_0000_0000;
/// Generic addresses of the kernel's parameters start here.
pub(crate) const PARAM_BASE: u64 = 0x8020_0000_0000;
/// Addresses of functions start here; they lie in no memory.
pub(crate) const CODE_BASE: u64 = 0x8030_0000_0000;
/// The size of each of these windows.
pub(crate) const WINDOW: u64 = 1 << 32;
/// Accesses below are of null pointers: nothing is ever mapped there.
pub(crate) const NEAR_NULL: u64 = 4096;
/// No process of the host has addresses from here on.
pub(crate) const HOST_END: u64 = 1 << 47;
/// Global memory: its first address, and the one after its last.
pub(crate) const GLOBAL_BASE: u64 = 0x8100_0000_0000;
pub(crate) const GLOBAL_END: u64 = 0x1_0000_0000_0000;

/// The state space that a generic address lies in, and its offset there.
#[inline]
pub(crate) fn classify(address: u64) -> (Space, u64) {
    match address {
        _ if address.wrapping_sub(SHARED_BASE) < WINDOW => (Space::Shared, address - SHARED_BASE),
        _ if address.wrapping_sub(LOCAL_BASE) < WINDOW => (Space::Local, address - LOCAL_BASE),
        _ if address.wrapping_sub(PARAM_BASE) < WINDOW => (Space::Param, address - PARAM_BASE),
        _ => (Space::Global, address),
    }
}

/// The first generic address of a state space.
pub(crate) fn space_base(space: Space) -> u64 {
    match space {
        Space::Shared => SHARED_BASE,
        Space::Local => LOCAL_BASE,
        Space::Param => PARAM_BASE,
        Space::Generic | Space::Global | Space::Const => 0,
    }
}

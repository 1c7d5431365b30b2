//! Addresses that are reserved, memory without addresses, and mappings of the one at the other.

#[macro_use]
mod common;

#[path = "common/add.rs"]
mod add;

use std::sync::Mutex;

use add::{context, launch};

/// The process has one driver, and the tests create and destroy contexts.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The granularity.
const PIECE: usize = 2 << 20;
const INVALID_VALUE: i32 = 1;

/// `CUmemAllocationProp` of pinned memory of device 0.
const PROPERTIES: [u32; 8] = [1, 0, 1, 0, 0, 0, 0, 0];

fn granularity() -> usize {
    let mut bytes = 0;
    let properties = PROPERTIES.as_ptr();
    assert_eq!(
        call!(cuMemGetAllocationGranularity(&mut bytes => *mut usize, properties => *const u32, 0 => u32)),
        0
    );
    bytes
}

fn reserve(bytes: usize) -> u64 {
    let mut address = 0;
    let reserved = call!(cuMemAddressReserve(
        &mut address => *mut u64, bytes => usize, 0 => usize, 0 => u64, 0 => u64
    ));
    assert_eq!(reserved, 0);
    address
}

fn create(bytes: usize) -> (i32, usize) {
    let (mut handle, properties) = (0, PROPERTIES.as_ptr());
    let status = call!(cuMemCreate(
        &mut handle => *mut usize, bytes => usize, properties => *const u32, 0 => u64
    ));
    (status, handle)
}

fn map(address: u64, bytes: usize, offset: usize, handle: usize) -> i32 {
    call!(cuMemMap(address => u64, bytes => usize, offset => usize, handle => usize, 0 => u64))
}

fn set_access(address: u64, bytes: usize, flags: u32) -> i32 {
    let description = [1, 0, flags];
    call!(cuMemSetAccess(address => u64, bytes => usize, description.as_ptr() => *const u32, 1 => usize))
}

fn write(address: u64, values: &[u32]) -> i32 {
    call!(cuMemcpyHtoD_v2(address => u64, values.as_ptr() => *const u32, size_of_val(values) => usize))
}

fn read<const N: usize>(address: u64) -> (i32, [u32; N]) {
    let mut values = [0; N];
    let status = call!(cuMemcpyDtoH_v2(values.as_mut_ptr() => *mut u32, address => u64, 4 * N => usize));
    (status, values)
}

/// Two pieces of memory next to each other are one array; one piece at two addresses is the same memory.
#[test]
fn memory_has_the_addresses_that_it_is_mapped_at() {
    let _one = ONE_AT_A_TIME.lock();
    let add = &context();
    assert_eq!(granularity(), PIECE);
    let range = reserve(4 * PIECE);
    let [first, second] = [create(PIECE).1, create(2 * PIECE).1];
    // The second half of the second one.
    assert_eq!([map(range, PIECE, 0, first), map(range + PIECE as u64, PIECE, PIECE, second)], [0; 2]);
    assert_eq!(set_access(range, 2 * PIECE, 3), 0);
    let edge = range + PIECE as u64 - 8;
    assert_eq!(write(edge, &[1, 2, 3, 4]), 0);
    assert_eq!(launch(add, edge, 4), 0);
    assert_eq!(read(edge), (0, [2, 3, 4, 5]));
    let pattern = call!(cuMemsetD32_v2(edge => u64, 7 => u32, 4 => usize));
    assert_eq!((pattern, read(edge)), (0, (0, [7; 4])));
    assert_eq!(call!(cuMemcpyDtoD_v2(edge - 8 => u64, edge => u64, 8 => usize)), 0);
    assert_eq!(read(edge - 8), (0, [7; 6]));
    // Its own first half, and once more what is mapped already.
    let again = range + 2 * PIECE as u64;
    assert_eq!([map(again, 2 * PIECE, 0, second), set_access(again, 2 * PIECE, 3)], [0; 2]);
    assert_eq!(read(again + PIECE as u64), (0, [7, 7, 0, 0]));
    assert_eq!(write(again + PIECE as u64, &[1]), 0);
    assert_eq!(read(range + PIECE as u64), (0, [1, 7]));
    let all = [PIECE, PIECE, 2 * PIECE].into_iter().sum();
    assert_eq!(call!(cuMemUnmap(range => u64, all => usize)), 0);
    for handle in [first, second] {
        assert_eq!(call!(cuMemRelease(handle => usize)), 0);
        assert_eq!(call!(cuMemRelease(handle => usize)), INVALID_VALUE);
    }
    assert_eq!(call!(cuMemAddressFree(range => u64, all => usize)), 0);
}

/// Without access, or with access to read alone, kernels and copies fail; memory lives as long as it has an address.
#[test]
fn access_is_given_and_taken() {
    let _one = ONE_AT_A_TIME.lock();
    let (range, handle) = {
        let add = &context();
        let (range, (_, handle)) = (reserve(PIECE), create(PIECE));
        assert_eq!(map(range, PIECE, 0, handle), 0);
        assert_ne!(write(range, &[1]), 0);
        assert_eq!([set_access(range, PIECE, 3), write(range, &[1])], [0; 2]);
        assert_eq!([set_access(range, PIECE, 1), read::<1>(range).0], [0; 2]);
        // Its handle ends, and comes back.
        assert_eq!(call!(cuMemRelease(handle => usize)), 0);
        let mut again = 0;
        assert_eq!(call!(cuMemRetainAllocationHandle(&mut again => *mut usize, range + 8 => u64)), 0);
        assert_eq!((again, read(range)), (handle, (0, [1])));
        assert_eq!(launch(add, range, 1), 700, "a kernel stores to what it may only read");
        (range, handle)
    };
    let _context = context();
    assert_eq!(call!(cuMemUnmap(range => u64, PIECE => usize)), 0);
    assert_ne!(read::<1>(range).0, 0);
    assert_eq!(call!(cuMemRelease(handle => usize)), 0);
    assert_eq!(call!(cuMemAddressFree(range => u64, PIECE => usize)), 0);
}

#[test]
fn what_is_wrong_changes_nothing() {
    let _one = ONE_AT_A_TIME.lock();
    let _context = context();
    let (range, (_, handle)) = (reserve(2 * PIECE), create(PIECE));
    assert_eq!(create(PIECE + 1).0, INVALID_VALUE);
    assert_eq!(create(0).0, INVALID_VALUE);
    assert_eq!(create(1 << 46).0, 2);
    assert_eq!(map(range + 4096, PIECE, 0, handle), INVALID_VALUE);
    assert_eq!(map(range + 2 * PIECE as u64, PIECE, 0, handle), INVALID_VALUE);
    assert_eq!(map(range, 2 * PIECE, 0, handle), INVALID_VALUE);
    assert_eq!(map(range, PIECE, PIECE, handle), INVALID_VALUE);
    assert_eq!(map(range, PIECE, 0, handle), 0);
    assert_eq!(map(range, PIECE, 0, handle), INVALID_VALUE);
    assert_eq!(set_access(range, 2 * PIECE, 3), INVALID_VALUE);
    assert_eq!(set_access(range, PIECE, 2), INVALID_VALUE);
    assert_eq!(call!(cuMemUnmap(range => u64, 2 * PIECE => usize)), INVALID_VALUE);
    assert_eq!(call!(cuMemAddressFree(range => u64, 2 * PIECE => usize)), INVALID_VALUE);
    assert_eq!(call!(cuMemFree_v2(range => u64)), INVALID_VALUE);
    assert_eq!(call!(cuMemUnmap(range => u64, PIECE => usize)), 0);
    assert_eq!(call!(cuMemAddressFree(range => u64, PIECE => usize)), INVALID_VALUE);
    assert_eq!(call!(cuMemAddressFree(range => u64, 2 * PIECE => usize)), 0);
    assert_eq!(call!(cuMemRelease(handle => usize)), 0);
}

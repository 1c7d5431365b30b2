//! Memory that host and device share, through the driver's interface.

#[macro_use]
mod common;

#[path = "common/add.rs"]
mod add;

use std::sync::Mutex;

use add::{context, launch};
use cuda_driver::{reports, settings};

/// The process has one driver, and the tests create and destroy contexts.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn attribute(which: i32, address: u64) -> (i32, u64) {
    let mut value = 0;
    let status = call!(cuPointerGetAttribute(&mut value => *mut u64, which => i32, address => u64));
    (status, value)
}

#[test]
fn pinned_registered_and_managed_memory_has_one_address() {
    let _one = ONE_AT_A_TIME.lock();
    let add = &context();
    let (mut pinned, mut mapped, mut managed) = (0u64, 0u64, 0u64);
    assert_eq!(call!(cuMemAllocHost_v2(&mut pinned => *mut u64, 128 => usize)), 0);
    assert_eq!(call!(cuMemHostAlloc(&mut mapped => *mut u64, 128 => usize, 2 => u32)), 0);
    assert_eq!(call!(cuMemAllocManaged(&mut managed => *mut u64, 128 => usize, 1 => u32)), 0);
    let mut own = vec![40i32; 32];
    let registered = own.as_mut_ptr() as u64;
    let register = |bytes| call!(cuMemHostRegister_v2(registered => u64, bytes => usize, 2 => u32));
    assert_eq!(launch(add, pinned, 32), 0);
    assert_eq!((register(128), register(64)), (0, 712));

    for address in [pinned, mapped, managed, registered] {
        // SAFETY: all four are memory of this process, and no launch runs, because each is waited for.
        let numbers = unsafe { std::slice::from_raw_parts_mut(address as *mut i32, 32) };
        numbers.fill(40);
        assert_eq!((launch(add, address, 32), launch(add, address, 32)), (0, 0));
        assert_eq!(numbers, [42; 32]);
        let mut device = 0;
        if address != managed {
            let status =
                call!(cuMemHostGetDevicePointer_v2(&mut device => *mut u64, address + 4 => u64, 0 => u32));
            assert_eq!((status, device), (0, address + 4));
        }
        assert_eq!(attribute(3, address + 4), (0, address + 4));
        assert_eq!(attribute(4, address + 4), (0, address + 4));
        // Memory type: managed memory counts as device memory.
        assert_eq!(attribute(2, address).1, if address == managed { 2 } else { 1 });
        assert_eq!(attribute(8, address).1, u64::from(address == managed));
        // A copy into the range from itself, and one that leaves it.
        assert_eq!(call!(cuMemcpy(address => u64, address + 4 => u64, 124 => usize)), 0);
        assert_eq!(call!(cuMemcpyHtoD_v2(address => u64, address + 8 => u64, 120 => usize)), 0);
        assert_eq!(call!(cuMemsetD32_v2(address => u64, 7 => u32, 33 => usize)), 1);
        assert_eq!(call!(cuMemsetD32_v2(address => u64, 7 => u32, 31 => usize)), 0);
        assert_eq!(numbers[..31], [7; 31]);
        assert_eq!(numbers[31], 42);
    }
    // Memory is freed only by the counterpart of the call that allocated it.
    assert_eq!(call!(cuMemFreeHost(managed => u64)), 1);
    assert_eq!(call!(cuMemFree_v2(pinned => u64)), 1);
    assert_eq!(call!(cuMemHostUnregister(pinned => u64)), 713);
    assert_eq!(call!(cuMemHostUnregister(registered => u64)), 0);
    assert_eq!(call!(cuMemHostUnregister(registered => u64)), 713);
    assert_eq!(call!(cuMemFreeHost(pinned => u64)), 0);
    assert_eq!(call!(cuMemFreeHost(mapped => u64)), 0);
    assert_eq!(call!(cuMemFree_v2(managed => u64)), 0);
    // The device cannot access unregistered memory; the context is lost.
    assert_eq!(launch(add, registered, 1), 700);
}

#[test]
fn pinned_memory_has_bounds_and_an_end() {
    let _one = ONE_AT_A_TIME.lock();
    let allocate = |bytes| {
        let mut pinned = 0u64;
        assert_eq!(call!(cuMemHostAlloc(&mut pinned => *mut u64, bytes => usize, 0 => u32)), 0);
        pinned
    };
    let report = || reports::last_report().unwrap_or_default();
    {
        let add = &context();
        let pinned = allocate(128);
        assert_eq!(launch(add, pinned, 33), 700);
        assert!(report().contains("0 bytes past the end of the 128 bytes"), "{}", report());
    }
    let add = &context();
    let pinned = allocate(128);
    assert_eq!(launch(add, pinned, 32), 0);
    assert_eq!(call!(cuMemFreeHost(pinned => u64)), 0);
    assert_eq!(launch(add, pinned, 32), 700);
    assert!(report().contains("at byte 0 of 128 bytes that were freed"), "{}", report());
}

#[test]
fn unified_memory_is_opt_in() {
    let _one = ONE_AT_A_TIME.lock();
    let add = &context();
    let unify = |unified| {
        let settings = settings::Settings { unified_memory: Some(unified), ..Default::default() };
        settings::configure(settings).expect("it can change at any time");
        let mut value = 0;
        // CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS
        assert_eq!(call!(cuDeviceGetAttribute(&mut value => *mut i32, 88 => i32, 0 => i32)), 0);
        assert_eq!(value, i32::from(unified));
    };
    let mut numbers = [1i32; 32];
    let address = numbers.as_mut_ptr() as u64;
    unify(true);
    assert_eq!(launch(add, address, 32), 0);
    assert_eq!(numbers, [2; 32]);
    unify(false);
    assert_eq!(launch(add, address, 32), 700);
}

#[test]
fn addresses_of_the_device_are_never_used_as_the_hosts() {
    let _one = ONE_AT_A_TIME.lock();
    let _context = context();
    let (mut gone, mut here) = (0u64, [0u8; 16]);
    assert_eq!(call!(cuMemAlloc_v2(&mut gone => *mut u64, 128 => usize)), 0);
    assert_eq!(call!(cuMemFree_v2(gone => u64)), 0);
    let host = here.as_mut_ptr() as u64;
    assert_eq!(call!(cuMemcpy(host => u64, gone => u64, 16 => usize)), 1);
    assert_eq!(call!(cuMemcpy(gone => u64, host => u64, 16 => usize)), 1);
    assert_eq!(call!(cuMemcpyDtoH_v2(gone => u64, gone => u64, 16 => usize)), 1);
    assert_eq!(call!(cuMemcpyHtoD_v2(gone => u64, gone => u64, 16 => usize)), 1);
    assert_eq!(call!(cuMemHostRegister_v2(gone => u64, 128 => usize, 0 => u32)), 1);
    assert_eq!(attribute(2, gone).0, 1);
}

#[test]
fn an_allocation_beyond_the_hosts_memory_fails_cleanly() {
    let _one = ONE_AT_A_TIME.lock();
    let machine = settings::MachineDescription { memory_bytes: 1 << 46, ..Default::default() };
    let settings = settings::Settings { machines: Some(vec![machine]), ..Default::default() };
    settings::configure(settings).expect("no context is alive");
    let _context = context();
    let mut address = 0u64;
    assert_eq!(call!(cuMemAlloc_v2(&mut address => *mut u64, 1 << 45 => usize)), 2);
    assert_eq!(call!(cuMemAllocManaged(&mut address => *mut u64, 1 << 45 => usize, 1 => u32)), 2);
    assert_eq!(call!(cuMemAlloc_v2(&mut address => *mut u64, 1 << 20 => usize)), 0);
}

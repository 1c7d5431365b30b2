//! Several devices: what belongs to each, what all share, and copies between them.

#[macro_use]
mod common;

#[path = "common/add.rs"]
mod add;

use std::sync::{Mutex, MutexGuard, PoisonError};

use add::{Add, context_on, launch};
use cuda_driver::{
    reports,
    settings::{self, Checks, GpuModel, Settings},
};

const INVALID_VALUE: i32 = 1;
const INVALID_DEVICE: i32 = 101;
const NOT_SUPPORTED: i32 = 801;

/// The process has one driver.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// An H200, an A100 and a B200.
fn three() -> MutexGuard<'static, ()> {
    let held = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let machines =
        ["h200", "a100", "b200"].map(|name| name.parse::<GpuModel>().expect("a model").description());
    let settings = Settings { machines: Some(machines.to_vec()), ..Settings::default() };
    settings::configure(settings).expect("no context is alive");
    held
}

fn use_context(add: &Add) {
    assert_eq!(call!(cuCtxSetCurrent(add.context => usize)), 0);
}

fn allocate(bytes: usize) -> u64 {
    let mut address = 0;
    assert_eq!(call!(cuMemAlloc_v2(&mut address => *mut u64, bytes => usize)), 0);
    address
}

fn write(address: u64, values: &[i32]) {
    let bytes = size_of_val(values);
    assert_eq!(call!(cuMemcpyHtoD_v2(address => u64, values.as_ptr() => *const i32, bytes => usize)), 0);
}

fn read(address: u64, count: usize) -> Vec<i32> {
    let mut values = vec![0; count];
    let bytes = count * 4;
    assert_eq!(call!(cuMemcpyDtoH_v2(values.as_mut_ptr() => *mut i32, address => u64, bytes => usize)), 0);
    values
}

fn device_of(address: u64) -> i32 {
    let mut device = -1;
    assert_eq!(call!(cuPointerGetAttribute(&mut device => *mut i32, 9 => i32, address => u64)), 0);
    device
}

#[test]
fn each_device_has_its_own_limits_names_and_contexts() {
    let _one = three();
    let adds = [0, 1, 2].map(context_on);
    let mut count = 0;
    assert_eq!(call!(cuDeviceGetCount(&mut count => *mut i32)), 0);
    assert_eq!(count, 3);
    let mut uuids = Vec::new();
    for (device, (name, major, multiprocessors)) in
        [("H200", 9, 132), ("A100", 8, 108), ("B200", 10, 148)].into_iter().enumerate()
    {
        let device = device as i32;
        let attribute = |which| {
            let mut value = 0;
            assert_eq!(call!(cuDeviceGetAttribute(&mut value => *mut i32, which => i32, device => i32)), 0);
            value
        };
        assert_eq!((attribute(75), attribute(16)), (major, multiprocessors));
        let mut text = [0u8; 64];
        assert_eq!(call!(cuDeviceGetName(text.as_mut_ptr() => *mut u8, 64 => i32, device => i32)), 0);
        assert!(String::from_utf8_lossy(&text).contains(name), "{text:?}");
        // A device is found by its address on the bus.
        let (mut address, mut found) = ([0u8; 32], -1);
        assert_eq!(call!(cuDeviceGetPCIBusId(address.as_mut_ptr() => *mut u8, 32 => i32, device => i32)), 0);
        assert_eq!(call!(cuDeviceGetByPCIBusId(&mut found => *mut i32, address.as_ptr() => *const u8)), 0);
        assert_eq!(found, device);
        let mut uuid = [0u8; 16];
        assert_eq!(call!(cuDeviceGetUuid_v2(&mut uuid => *mut [u8; 16], device => i32)), 0);
        assert!(!uuids.contains(&uuid));
        uuids.push(uuid);
        use_context(&adds[device as usize]);
        assert_eq!(call!(cuCtxGetDevice(&mut found => *mut i32)), 0);
        assert_eq!(found, device);
    }
    for device in [-1, 3] {
        let mut found = 0;
        assert_eq!(call!(cuDeviceGet(&mut found => *mut i32, device => i32)), INVALID_DEVICE);
        assert_eq!(call!(cuCtxCreate_v2(&mut 0 => *mut usize, 0 => u32, device => i32)), INVALID_DEVICE);
        assert_eq!(call!(cuDevicePrimaryCtxRetain(&mut 0 => *mut usize, device => i32)), INVALID_DEVICE);
    }
    // Each device has a primary context.
    let mut primary = [0usize; 3];
    for (device, context) in primary.iter_mut().enumerate() {
        assert_eq!(call!(cuDevicePrimaryCtxRetain(context => *mut usize, device as i32 => i32)), 0);
    }
    assert!(primary[0] != primary[1] && primary[1] != primary[2] && primary[0] != primary[2]);
    for device in 0..3 {
        assert_eq!(call!(cuDevicePrimaryCtxRelease_v2(device => i32)), 0);
    }
}

#[test]
fn memory_is_one_devices_and_no_kernel_of_another_reaches_it() {
    let _one = three();
    let (zero, one) = (context_on(0), context_on(1));
    let on_one = allocate(128);
    use_context(&zero);
    let on_zero = allocate(128);
    assert_eq!((device_of(on_zero), device_of(on_one)), (0, 1));
    let used = || {
        let (mut free, mut total) = (0usize, 0usize);
        assert_eq!(call!(cuMemGetInfo_v2(&mut free => *mut usize, &mut total => *mut usize)), 0);
        total - free
    };
    assert_eq!(used(), 128);
    // One address space: a copy finds the device by the address, whatever the current context.
    write(on_one, &[5; 32]);
    assert_eq!(read(on_one, 32), [5; 32]);
    let (mut can, mut attribute) = (7, 7);
    assert_eq!(call!(cuDeviceCanAccessPeer(&mut can => *mut i32, 0 => i32, 1 => i32)), 0);
    assert_eq!(call!(cuDeviceGetP2PAttribute(&mut attribute => *mut i32, 2 => i32, 0 => i32, 1 => i32)), 0);
    assert_eq!((can, attribute), (0, 0));
    assert_eq!(call!(cuCtxEnablePeerAccess(one.context => usize, 0 => u32)), 217);
    // A kernel of device 0 that is given memory of device 1.
    assert_eq!((launch(&zero, on_zero, 32), launch(&zero, on_one, 32)), (0, 700));
    let report = reports::last_report().unwrap_or_default();
    assert!(report.contains("in the memory of another GPU"), "{report}");
    assert!(report.contains("the kernel ran on device "), "{report}");
    // The other device's context goes on.
    use_context(&one);
    assert_eq!(launch(&one, on_one, 32), 0);
    assert_eq!(read(on_one, 32), [6; 32]);
    assert_eq!(call!(cuMemFree_v2(on_one => u64)), 0);
    assert_eq!(used(), 0);
}

#[test]
fn peer_copies_move_bytes_between_devices() {
    let _one = three();
    let adds = [0, 1, 2].map(context_on);
    // More than what is copied at a time, and no multiple of it.
    let count = (9 << 20) / 4 + 3;
    let values: Vec<i32> = (0..count as i32).collect();
    let bytes = 4 * count;
    let at = adds.each_ref().map(|add| {
        use_context(add);
        allocate(bytes)
    });
    write(at[0], &values);
    let peer = |to: usize, from: usize| {
        call!(cuMemcpyPeer(
            at[to] => u64, adds[to].context => usize, at[from] => u64, adds[from].context => usize, bytes => usize
        ))
    };
    assert_eq!(peer(1, 0), 0);
    assert_eq!(launch(&adds[2], at[2], 1), 0);
    use_context(&adds[1]);
    assert_eq!(launch(&adds[1], at[1], 32), 0);
    // By address alone, on a stream of a third device, and not a whole number of rows.
    use_context(&adds[2]);
    let mut stream = 0usize;
    assert_eq!(call!(cuStreamCreate(&mut stream => *mut usize, 1 => u32)), 0);
    let copied =
        call!(cuMemcpyDtoDAsync_v2(at[2] + 4 => u64, at[1] + 4 => u64, bytes - 4 => usize, stream => usize));
    assert_eq!((copied, call!(cuStreamSynchronize(stream => usize))), (0, 0));
    let found = read(at[2], count);
    assert_eq!(found[0], 1);
    assert!((1..count).all(|at| found[at] == values[at] + i32::from(at < 32)));
    // An address that is not on the context's device, one past the end, and no context.
    let wrong = call!(cuMemcpyPeer(
        at[1] => u64, adds[0].context => usize, at[2] => u64, adds[2].context => usize, 4 => usize
    ));
    let long = call!(cuMemcpyPeer(
        at[1] => u64, adds[1].context => usize, at[2] => u64, adds[2].context => usize, bytes + 4 => usize
    ));
    assert_eq!((wrong, long), (INVALID_VALUE, INVALID_VALUE));
    let nobody =
        call!(cuMemcpyPeer(at[1] => u64, 77 => usize, at[2] => u64, adds[2].context => usize, 4 => usize));
    assert_eq!(nobody, 709);
}

#[test]
fn a_peer_copy_comes_after_what_both_contexts_have_begun() {
    let _one = three();
    let (zero, one) = (context_on(0), context_on(1));
    let on_one = allocate(128);
    write(on_one, &[1; 32]);
    use_context(&zero);
    let on_zero = allocate(128);
    let begin = |add: &Add, address: u64| {
        use_context(add);
        let parameters = [std::ptr::from_ref(&address)];
        let launched = call!(cuLaunchKernel(
            add.function => usize, 1 => u32, 1 => u32, 1 => u32, 32 => u32, 1 => u32, 1 => u32, 0 => u32,
            0 => usize, parameters.as_ptr() => *const *const u64, std::ptr::null() => *const u8,
        ));
        assert_eq!(launched, 0);
    };
    begin(&one, on_one);
    begin(&zero, on_zero);
    let copied = call!(cuMemcpyPeer(
        on_zero => u64, zero.context => usize, on_one => u64, one.context => usize, 128 => usize
    ));
    assert_eq!((copied, read(on_zero, 32)), (0, vec![2; 32]));
    // An event of one device orders a stream of another.
    let (mut event, mut stream) = (0usize, 0usize);
    use_context(&one);
    assert_eq!(call!(cuEventCreate(&mut event => *mut usize, 0 => u32)), 0);
    begin(&one, on_one);
    assert_eq!(call!(cuEventRecord(event => usize, 0 => usize)), 0);
    use_context(&zero);
    assert_eq!(call!(cuStreamCreate(&mut stream => *mut usize, 1 => u32)), 0);
    assert_eq!(call!(cuStreamWaitEvent(stream => usize, event => usize, 0 => u32)), 0);
    let copied = call!(cuMemcpyPeerAsync(
        on_zero => u64, zero.context => usize, on_one => u64, one.context => usize, 128 => usize, stream => usize
    ));
    assert_eq!((copied, call!(cuStreamSynchronize(stream => usize))), (0, 0));
    assert_eq!(read(on_zero, 32), [3; 32]);
    assert_eq!(call!(cuEventDestroy_v2(event => usize)), 0);
}

#[test]
fn memory_of_the_host_is_shared_by_all_devices() {
    let _one = three();
    let adds = [0, 1, 2].map(context_on);
    let mut own = vec![0i32; 32];
    let registered = own.as_mut_ptr() as u64;
    let (mut pinned, mut managed) = (0u64, 0u64);
    use_context(&adds[1]);
    assert_eq!(call!(cuMemAllocHost_v2(&mut pinned => *mut u64, 128 => usize)), 0);
    assert_eq!(call!(cuMemAllocManaged(&mut managed => *mut u64, 128 => usize, 1 => u32)), 0);
    assert_eq!(call!(cuMemHostRegister_v2(registered => u64, 128 => usize, 0 => u32)), 0);
    for address in [pinned, managed, registered] {
        for add in &adds {
            use_context(add);
            assert_eq!(launch(add, address, 32), 0);
        }
        // SAFETY: memory of this process, and every launch was waited for.
        assert_eq!(unsafe { std::slice::from_raw_parts(address as *const i32, 32) }, [3; 32]);
        assert_eq!(device_of(address), 1);
    }
    assert_eq!(call!(cuMemFreeHost(pinned => u64)), 0);
    assert_eq!(call!(cuMemFree_v2(managed => u64)), 0);
    assert_eq!(call!(cuMemHostUnregister(registered => u64)), 0);
    // No device reaches it any more.
    for (add, address) in adds.iter().zip([pinned, managed, registered]) {
        use_context(add);
        assert_eq!(launch(add, address, 32), 700);
    }
}

#[test]
fn reserved_addresses_take_memory_of_any_device() {
    const PIECE: usize = 2 << 20;
    let _one = three();
    let (zero, one) = (context_on(0), context_on(1));
    let mut address = 0u64;
    let reserved = call!(cuMemAddressReserve(
        &mut address => *mut u64, 2 * PIECE => usize, 0 => usize, 0 => u64, 0 => u64
    ));
    assert_eq!(reserved, 0);
    let handles = [0u32, 1].map(|device| {
        let (mut handle, properties) = (0usize, [1, 0, 1, device, 0, 0, 0, 0]);
        let created = call!(cuMemCreate(
            &mut handle => *mut usize, PIECE => usize, properties.as_ptr() => *const u32, 0 => u64
        ));
        assert_eq!(created, 0);
        handle
    });
    let access = |address: u64, device: u32, flags: u32| {
        let description = [1, device, flags];
        call!(cuMemSetAccess(address => u64, PIECE => usize, description.as_ptr() => *const u32, 1 => usize))
    };
    for (device, handle) in handles.into_iter().enumerate() {
        let address = address + (device * PIECE) as u64;
        assert_eq!(call!(cuMemMap(address => u64, PIECE => usize, 0 => usize, handle => usize, 0 => u64)), 0);
        assert_eq!(access(address, 1 - device as u32, 3), NOT_SUPPORTED);
        assert_eq!(access(address, device as u32, 3), 0);
        assert_eq!(device_of(address), device as i32);
    }
    let second = address + PIECE as u64;
    assert_eq!(launch(&one, second, 32), 0);
    use_context(&zero);
    assert_eq!(launch(&zero, address, 32), 0);
    assert_eq!((read(address, 32), read(second, 32)), (vec![1; 32], vec![1; 32]));
    for handle in handles {
        assert_eq!(call!(cuMemRelease(handle => usize)), 0);
    }
    assert_eq!(call!(cuMemUnmap(address => u64, 2 * PIECE => usize)), 0);
    assert_eq!(call!(cuMemAddressFree(address => u64, 2 * PIECE => usize)), 0);
}

#[test]
fn pools_belong_to_devices() {
    let _one = three();
    let (_zero, one) = (context_on(0), context_on(1));
    let mut pools = [0usize; 2];
    for (device, pool) in pools.iter_mut().enumerate() {
        assert_eq!(call!(cuDeviceGetDefaultMemPool(pool => *mut usize, device as i32 => i32)), 0);
    }
    assert!(pools[0] != pools[1]);
    assert_eq!(call!(cuDeviceSetMemPool(0 => i32, pools[1] => usize)), INVALID_VALUE);
    let mut address = 0u64;
    assert_eq!(call!(cuMemAllocAsync(&mut address => *mut u64, 128 => usize, 0 => usize)), 0);
    assert_eq!((device_of(address), launch(&one, address, 32)), (1, 0));
    assert_eq!(call!(cuMemFreeAsync(address => u64, 0 => usize)), 0);
    let from =
        call!(cuMemAllocFromPoolAsync(&mut address => *mut u64, 128 => usize, pools[0] => usize, 0 => usize));
    assert_eq!((from, device_of(address)), (0, 0));
}

#[test]
fn checks_hold_on_every_device() {
    let _one = three();
    let settings = Settings { checks: Some(Checks::all()), ..Settings::default() };
    settings::configure(settings).expect("no context is alive");
    let (zero, one) = (context_on(0), context_on(1));
    let on_one = allocate(128);
    write(on_one, &[1; 32]);
    use_context(&zero);
    let on_zero = allocate(128);
    let copied = call!(cuMemcpyPeer(
        on_zero => u64, zero.context => usize, on_one => u64, one.context => usize, 128 => usize
    ));
    assert_eq!((copied, launch(&zero, on_zero, 32)), (0, 0));
    assert_eq!(read(on_zero, 32), [2; 32]);
}

//! Limits of memory that can be set, addresses that the driver checks, and what many calls cost.

#[macro_use]
mod common;

use std::sync::{Mutex, MutexGuard, PoisonError};

use cuda_driver::{
    Select, reports,
    settings::{self, Settings},
};

/// The process has one driver.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const KERNELS: &std::ffi::CStr = c".version 8.3
.target sm_80
.address_size 64
.file 1 \"unified.c\"
.visible .entry store(.param .u64 p)
{
    .reg .b64 %d<2>;
    .reg .b32 %r<2>;
    ld.param.u64 %d1, [p];
    mov.u32 %r1, 7;
    .loc 1 12 3
    st.global.u32 [%d1], %r1;
    ret;
}";

/// A context with a module; both end with it.
struct Program {
    context: usize,
    module: usize,
    _one: MutexGuard<'static, ()>,
}

impl Program {
    fn new(settings: Settings) -> Program {
        let one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        settings::configure(settings).expect("no context is alive");
        cuda_driver::init(Select::Emulator).expect("the emulator is always there");
        let (mut context, mut module) = (0usize, 0usize);
        assert_eq!(call!(cuInit(0 => u32)), 0);
        assert_eq!(call!(cuCtxCreate_v2(&mut context => *mut usize, 0 => u32, 0 => i32)), 0);
        assert_eq!(call!(cuModuleLoadData(&mut module => *mut usize, KERNELS.as_ptr() => *const i8)), 0);
        Program { context, module, _one: one }
    }

    /// Launches a kernel; returns the status of the launch or of the wait.
    fn launch(&self, name: &std::ffi::CStr, address: u64, blocks: u32) -> i32 {
        let mut function = 0usize;
        let name = name.as_ptr();
        assert_eq!(
            call!(cuModuleGetFunction(&mut function => *mut usize, self.module => usize, name => *const i8)),
            0
        );
        let parameters = [std::ptr::from_ref(&address)];
        let launched = call!(cuLaunchKernel(
            function => usize, blocks => u32, 1 => u32, 1 => u32, 1 => u32, 1 => u32, 1 => u32, 0 => u32,
            0 => usize, parameters.as_ptr() => *const *const u64, std::ptr::null() => *const u8,
        ));
        if launched == 0 { call!(cuCtxSynchronize()) } else { launched }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        assert_eq!(call!(cuCtxDestroy_v2(self.context => usize)), 0);
        let defaults = Settings {
            unified_memory: Some(false),
            device_memory: Some(4 << 30),
            host_memory: Some(4 << 30),
            ..Settings::default()
        };
        settings::configure(defaults).expect("no context is alive");
    }
}

fn allocate(bytes: usize) -> (i32, u64) {
    let mut address = 0u64;
    let status = call!(cuMemAlloc_v2(&mut address => *mut u64, bytes => usize));
    (status, address)
}

#[test]
fn all_memory_of_the_host_counts_against_one_limit() {
    const MIB: usize = 1 << 20;
    let settings =
        Settings { host_memory: Some(64 << 20), device_memory: Some(1 << 30), ..Settings::default() };
    let _program = Program::new(settings);
    let (mut free, mut total, mut managed, mut pinned) = (0usize, 0usize, 0u64, 0u64);
    assert_eq!(call!(cuMemGetInfo_v2(&mut free => *mut usize, &mut total => *mut usize)), 0);
    assert!(total == 1 << 30 && free > 63 * MIB && free <= 64 * MIB, "{free} of {total}");
    let (status, device) = allocate(20 * MIB);
    assert_eq!(status, 0);
    let managed_of = |managed: &mut u64, bytes: usize| call!(cuMemAllocManaged(managed => *mut u64, bytes => usize, 1 => u32));
    assert_eq!(managed_of(&mut managed, 20 * MIB), 0);
    assert_eq!(call!(cuMemAllocHost_v2(&mut pinned => *mut u64, 20 * MIB => usize)), 0);
    // No kind has room now; each has when another one is freed.
    assert_eq!(allocate(20 * MIB).0, 2);
    let mut more = 0u64;
    assert_eq!(managed_of(&mut more, 20 * MIB), 2);
    assert_eq!(call!(cuMemAllocHost_v2(&mut more => *mut u64, 20 * MIB => usize)), 2);
    assert_eq!(call!(cuMemFree_v2(device => u64)), 0);
    assert_eq!(managed_of(&mut more, 20 * MIB), 0);
    for address in [managed, more] {
        assert_eq!(call!(cuMemFree_v2(address => u64)), 0);
    }
    assert_eq!(call!(cuMemFreeHost(pinned => u64)), 0);
    let (status, all) = allocate(60 * MIB);
    assert_eq!((status, call!(cuMemFree_v2(all => u64))), (0, 0));
}

#[test]
fn the_devices_memory_can_be_set() {
    let _program = Program::new(Settings { device_memory: Some(1 << 20), ..Settings::default() });
    assert_eq!(allocate(2 << 20).0, 2);
    assert_eq!(allocate(900 << 10).0, 0);
    assert_eq!(allocate(900 << 10).0, 2);
    // A heap larger than the device is as large as the device, and a buffer for output as large as is set.
    for (limit, clamped) in [(2u32, 1 << 20), (1, 64 << 20)] {
        let mut value = 0usize;
        assert_eq!(call!(cuCtxSetLimit(limit => u32, usize::MAX => usize)), 0);
        assert_eq!(call!(cuCtxGetLimit(&mut value => *mut usize, limit => u32)), 0);
        assert_eq!(value, clamped);
    }
}

#[test]
fn copies_of_invalid_host_memory_are_errors_and_the_context_stays_usable() {
    // As large as the largest copy.
    static CONSTANT: [u8; 1 << 20] = [5; 1 << 20];
    let program = Program::new(Settings::default());
    let (status, device) = allocate(1 << 20);
    assert_eq!(status, 0);
    let constant = CONSTANT.as_ptr() as u64;
    assert_eq!(call!(cuMemsetD8_v2(device => u64, 5 => u8, 8192 => usize)), 0);
    // Nothing is mapped there; and a large copy, which is checked in another way.
    for bytes in [4usize, 1 << 20] {
        assert_eq!(call!(cuMemcpyHtoD_v2(device => u64, 0x1000 => u64, bytes => usize)), 1);
        assert_eq!(call!(cuMemcpyDtoH_v2(0x1000 => u64, device => u64, bytes => usize)), 1);
        assert_eq!(call!(cuMemcpyHtoDAsync_v2(device => u64, 0x1000 => u64, bytes => usize, 0 => usize)), 1);
        assert_eq!(call!(cuMemcpyDtoHAsync_v2(0x1000 => u64, device => u64, bytes => usize, 0 => usize)), 1);
        assert_eq!(call!(cuMemcpy(0x1000 => u64, constant => u64, bytes => usize)), 1);
    }
    let report = reports::last_report().expect("it was reported");
    assert!(report.contains("cannot access host memory: 0x1000 is no memory of this process"), "{report}");
    // Read-only memory: only a copy that would change nothing succeeds.
    assert_eq!(call!(cuMemcpyDtoH_v2(constant => u64, device => u64, 8192 => usize)), 0);
    assert_eq!(call!(cuMemcpyDtoHAsync_v2(constant => u64, device => u64, 8192 => usize, 0 => usize)), 0);
    assert_eq!(call!(cuMemsetD8_v2(device + 8191 => u64, 6 => u8, 1 => usize)), 0);
    assert_eq!(call!(cuMemcpyDtoH_v2(constant => u64, device => u64, 8192 => usize)), 1);
    let report = reports::last_report().expect("it was reported");
    assert!(report.contains("is read-only memory of this process"), "{report}");
    assert_eq!(program.launch(c"store", device, 1), 0);
}

#[test]
fn only_memory_that_is_there_can_be_registered() {
    static CONSTANT: [u8; 8192] = [5; 8192];
    let program = Program::new(Settings::default());
    let constant = (CONSTANT.as_ptr() as u64).next_multiple_of(4096);
    let register =
        |address: u64, flags: u32| call!(cuMemHostRegister_v2(address => u64, 4096 => usize, flags => u32));
    assert_eq!((register(0x10000, 0), register(constant, 0)), (1, 1));
    // For reading only (CU_MEMHOSTREGISTER_READ_ONLY) it can: then neither calls nor kernels write to it.
    assert_eq!(register(constant, 8), 0);
    let (status, device) = allocate(16);
    assert_eq!(status, 0);
    for asynchronous in [false, true] {
        let (fill, copy) = match asynchronous {
            false => (
                call!(cuMemsetD8_v2(constant + 8 => u64, 1 => u8, 16 => usize)),
                call!(cuMemcpyDtoH_v2(constant + 8 => u64, device => u64, 16 => usize)),
            ),
            true => (
                call!(cuMemsetD8Async(constant + 8 => u64, 1 => u8, 16 => usize, 0 => usize)),
                call!(cuMemcpyDtoHAsync_v2(constant + 8 => u64, device => u64, 16 => usize, 0 => usize)),
            ),
        };
        assert_eq!((fill, copy, call!(cuCtxSynchronize())), (1, 1, 0));
        let report = reports::last_report().expect("it was reported");
        assert!(report.contains("is read-only memory of this process"), "{report}");
    }
    assert_eq!(call!(cuMemcpyHtoD_v2(device => u64, constant => u64, 16 => usize)), 0);
    assert_eq!(CONSTANT, [5; 8192]);
    assert_eq!(program.launch(c"store", constant, 1), 700);
    let report = reports::last_report().expect("it was reported");
    assert!(report.contains("a store to read-only memory of the host"), "{report}");
}

#[test]
fn with_unified_memory_an_invalid_address_is_reported_with_its_source_line() {
    static CONSTANT: u32 = 5;
    for (address, status, words) in [
        (0x70_0000_0000, 700, "at 0x7000000000, where the host has no memory"),
        (8, 700, "near the null address"),
        (std::ptr::from_ref(&CONSTANT) as u64, 700, "a store to read-only memory of the host"),
    ] {
        let program = Program::new(Settings { unified_memory: Some(true), ..Settings::default() });
        let mut own = Box::new(0u32);
        assert_eq!((program.launch(c"store", std::ptr::from_mut(&mut *own) as u64, 1), *own), (0, 7));
        // Memory that was not there when the kernel before was launched.
        let mut large = vec![0u32; 1 << 20];
        assert_eq!((program.launch(c"store", large.as_mut_ptr() as u64, 1), large[0]), (0, 7));
        assert_eq!(program.launch(c"store", address, 1), status, "{words}");
        let report = reports::last_report().expect("it was reported");
        assert!(report.contains(words) && report.contains("unified.c:12"), "{report}");
    }
}

#[test]
fn reports_of_launches_are_kept_where_they_are_wanted() {
    let program = Program::new(Settings::default());
    let (_, device) = allocate(4);
    assert_eq!(program.launch(c"store", device, 1), 0);
    assert!(reports::take_launches().is_empty());
    reports::keep_launches();
    assert_eq!(program.launch(c"store", device, 1), 0);
    assert_eq!(reports::take_launches().len(), 1);
}

/// Quadratic structures would take minutes: the watchdog is not a measurement.
#[test]
fn many_streams_and_allocations_take_linear_time() {
    let program = Program::new(Settings::default());
    let started = std::time::Instant::now();
    let mut streams = vec![0usize; 100_000];
    for stream in &mut streams {
        assert_eq!(call!(cuStreamCreate(stream => *mut usize, 0 => u32)), 0);
    }
    let (_, device) = allocate(4);
    for _ in 0..2000 {
        assert_eq!(call!(cuMemsetD32Async(device => u64, 1 => u32, 1 => usize, 0 => usize)), 0);
    }
    for &stream in &streams {
        assert_eq!(call!(cuStreamDestroy_v2(stream => usize)), 0);
    }
    // The oldest memory is freed first, and then a context with much memory ends.
    for freed in [true, false] {
        let addresses: Vec<u64> = (0..200_000).map(|_| allocate(16).1).collect();
        for &address in addresses.iter().filter(|_| freed) {
            assert_eq!(call!(cuMemFree_v2(address => u64)), 0);
        }
    }
    // The host chooses the addresses of pinned and managed memory.
    let mut shared = vec![[0u64; 2]; 100_000];
    for [pinned, managed] in &mut shared {
        assert_eq!(call!(cuMemAllocHost_v2(pinned => *mut u64, 16 => usize)), 0);
        assert_eq!(call!(cuMemAllocManaged(managed => *mut u64, 16 => usize, 1 => u32)), 0);
    }
    for &[pinned, managed] in &shared {
        assert_eq!(call!(cuMemFreeHost(pinned => u64)), 0);
        assert_eq!(call!(cuMemFree_v2(managed => u64)), 0);
    }
    drop(program);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

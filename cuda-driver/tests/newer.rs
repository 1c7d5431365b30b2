//! Newer calls of the driver's interface: pools, libraries, launches with attributes, copies in two and three
//! dimensions.

#[macro_use]
mod common;

use std::{
    ffi::{CStr, c_char, c_void},
    ptr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use cuda_driver::{EntryPoint, Select};

const PTX: &CStr = c".version 8.3
.target sm_80
.address_size 64
.visible .global .align 4 .u32 word = 5;
.visible .entry first(.param .u64 p, .param .u32 v) { ret; }
.visible .entry set(.param .u64 p, .param .u32 v)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [v];
    mov.u32 %r2, %ctaid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd1, %rd1, %rd2;
    st.u32 [%rd1], %r1;
    ret;
}
";

struct Context(usize, #[expect(dead_code, reason = "held")] MutexGuard<'static, ()>);

impl Context {
    fn new() -> Context {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        cuda_driver::init(Select::Emulator).expect("the emulator is always there");
        let mut handle = 0usize;
        assert_eq!(call!(cuInit(0 => u32)), 0);
        let created =
            call!(cuCtxCreate_v4(&mut handle => *mut usize, ptr::null() => *const u8, 0 => u32, 0 => i32));
        assert_eq!(created, 0);
        Context(handle, alone)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        assert_eq!(call!(cuCtxDestroy_v2(self.0 => usize)), 0);
    }
}

fn words<const N: usize>(address: u64) -> [u32; N] {
    let mut words = [0u32; N];
    assert_eq!(call!(cuMemcpyDtoH_v2(words.as_mut_ptr() => *mut u32, address => u64, 4 * N => usize)), 0);
    words
}

#[test]
fn libraries_are_modules_and_launches_take_attributes() {
    let _context = Context::new();
    let (mut library, mut kernel, mut module, mut function) = (0usize, 0usize, 0usize, 0usize);
    let loaded = call!(cuLibraryLoadData(
        &mut library => *mut usize, PTX.as_ptr() => *const c_char, ptr::null() => *const u32,
        ptr::null() => *const usize, 0 => u32, ptr::null() => *const u32, ptr::null() => *const usize, 0 => u32,
    ));
    assert_eq!(loaded, 0);
    let kernel_of = |kernel: &mut usize, name: &CStr| call!(cuLibraryGetKernel(kernel => *mut usize, library => usize, name.as_ptr() => *const c_char));
    assert_eq!((kernel_of(&mut kernel, c"none"), kernel_of(&mut kernel, c"set")), (500, 0));
    assert_eq!(call!(cuLibraryGetModule(&mut module => *mut usize, library => usize)), 0);
    assert_eq!(call!(cuKernelGetFunction(&mut function => *mut usize, kernel => usize)), 0);
    let (mut owner, mut count, mut loaded) = (0usize, 0u32, 0i32);
    assert_eq!(call!(cuFuncGetModule(&mut owner => *mut usize, function => usize)), 0);
    assert_eq!(owner, module);
    assert_eq!(call!(cuModuleGetFunctionCount(&mut count => *mut u32, module => usize)), 0);
    assert_eq!(call!(cuFuncLoad(function => usize)), 0);
    assert_eq!(call!(cuFuncIsLoaded(&mut loaded => *mut i32, function => usize)), 0);
    assert_eq!((count, loaded), (2, 1));
    let mut name: *const c_char = ptr::null();
    assert_eq!(call!(cuFuncGetName(&mut name => *mut *const c_char, function => usize)), 0);
    // SAFETY: the driver's text lives as long as the function.
    assert_eq!(unsafe { CStr::from_ptr(name) }, c"set");
    let (mut address, mut bytes, mut offset, mut size) = (0u64, 0usize, 0usize, 0usize);
    let found = call!(cuLibraryGetGlobal(
        &mut address => *mut u64, &mut bytes => *mut usize, library => usize, c"word".as_ptr() => *const c_char
    ));
    assert_eq!((found, bytes, words(address)), (0, 4, [5]));
    let found = call!(cuKernelGetParamInfo(
        kernel => usize, 1 => usize, &mut offset => *mut usize, &mut size => *mut usize
    ));
    assert_eq!((found, offset, size), (0, 8, 4));

    /// `CUlaunchAttribute` and `CUlaunchConfig`.
    #[repr(C)]
    struct Attribute {
        kind: u64,
        value: [u32; 16],
    }
    #[repr(C)]
    struct Config {
        shape: [u32; 7],
        stream: usize,
        attributes: *const Attribute,
        count: u32,
    }
    let mut memory = 0u64;
    assert_eq!(call!(cuMemAlloc_v2(&mut memory => *mut u64, 16 => usize)), 0);
    let value = 8u32;
    let parameters = [(&raw const memory).cast::<c_void>(), (&raw const value).cast()];
    let launch = |kind: u64, first: u32| {
        let attribute = Attribute { kind, value: [first, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] };
        let shape = [3, 1, 1, 1, 1, 1, 0];
        let config = Config { shape, stream: 0, attributes: &attribute, count: 1 };
        call!(cuLaunchKernelEx(
            &config => *const Config, kernel => usize, parameters.as_ptr() => *const *const c_void,
            ptr::null() => *const u8,
        ))
    };
    // A cluster of two blocks is not supported.
    assert_eq!((launch(4, 2), words(memory)), (801, [0; 4]));
    assert_eq!((launch(4, 1), words(memory)), (0, [8, 8, 8, 0]));
    // A cooperative launch is.
    assert_eq!(launch(2, 1), 0);
    assert_eq!(call!(cuLibraryUnload(library => usize)), 0);
    assert_eq!(launch(4, 1), 400);
}

#[test]
fn pools_count_allocated_bytes() {
    let _context = Context::new();
    let (mut default, mut own, mut now) = (0usize, 0usize, 0usize);
    assert_eq!(call!(cuDeviceGetDefaultMemPool(&mut default => *mut usize, 0 => i32)), 0);
    // Pinned memory of the device, for this process.
    let properties = [1u32, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let created = call!(cuMemPoolCreate(&mut own => *mut usize, properties.as_ptr() => *const u32));
    assert_eq!(created, 0);
    let number = |pool: usize, attribute: i32| {
        let mut number = 0u64;
        let status = call!(cuMemPoolGetAttribute(
            pool => usize, attribute => i32, &mut number => *mut u64
        ));
        (status, number)
    };
    let (mut some, mut more) = (0u64, 0u64);
    let allocate = |address: &mut u64, pool: usize| call!(cuMemAllocFromPoolAsync(address => *mut u64, 1000 => usize, pool => usize, 0 => usize));
    assert_eq!((allocate(&mut some, own), allocate(&mut more, own)), (0, 0));
    assert_eq!((number(own, 7), number(own, 8), number(default, 7)), ((0, 2000), (0, 2000), (0, 0)));
    assert_eq!(call!(cuMemFreeAsync(some => u64, 0 => usize)), 0);
    assert_eq!((number(own, 7), number(own, 8), number(own, 9)), ((0, 1000), (0, 2000), (1, 0)));
    let zero = 0u64;
    assert_eq!(call!(cuMemPoolSetAttribute(own => usize, 8 => i32, &zero => *const u64)), 0);
    assert_eq!(number(own, 8), (0, 1000));
    // An allocation without a pool's name comes from the device's current one.
    assert_eq!(call!(cuDeviceSetMemPool(0 => i32, own => usize)), 0);
    assert_eq!(call!(cuMemAllocAsync(&mut some => *mut u64, 24 => usize, 0 => usize)), 0);
    assert_eq!(call!(cuDeviceGetMemPool(&mut now => *mut usize, 0 => i32)), 0);
    assert_eq!((now, number(own, 7)), (own, (0, 1024)));
    assert_eq!(call!(cuMemPoolTrimTo(own => usize, 0 => usize)), 0);
    assert_eq!(call!(cuMemPoolDestroy(own => usize)), 0);
    assert_eq!(call!(cuMemPoolDestroy(default => usize)), 1);
    assert_eq!((allocate(&mut some, own), number(own, 7).0), (400, 400));
    // Allocated memory stays, and the default pool is the device's again.
    assert_eq!(words(more), [0]);
    assert_eq!(call!(cuDeviceGetMemPool(&mut now => *mut usize, 0 => i32)), 0);
    assert_eq!(now, default);
}

#[test]
fn memory_is_copied_in_two_and_three_dimensions() {
    let _context = Context::new();
    let (mut memory, mut pitch) = (0u64, 0usize);
    let allocated = call!(cuMemAllocPitch_v2(
        &mut memory => *mut u64, &mut pitch => *mut usize, 20 => usize, 6 => usize, 4 => u32
    ));
    assert_eq!((allocated, pitch), (0, 512));
    let numbers: [u32; 30] = std::array::from_fn(|at| at as u32);
    // CUDA_MEMCPY2D: offset, kind, addresses and pitch of source and target, width and height. To the device
    // at column 1, row 2: three rows of the host from column 2 on.
    let host = numbers.as_ptr() as u64;
    let mut area = [8, 1, 1, host, 0, 0, 20, 4, 2, 2, 0, memory, 0, 512, 12, 3u64];
    assert_eq!(call!(cuMemcpy2D_v2(area.as_ptr() => *const u64)), 0);
    for row in 0..6u64 {
        let first = 5 * (row as u32 + 1).saturating_sub(2) + 2;
        let expected = if (2..5).contains(&row) { [0, first, first + 1, first + 2, 0] } else { [0; 5] };
        assert_eq!(words(memory + 512 * row), expected, "row {row}");
    }
    // Wider than a row, and beyond the memory.
    area[14] = 600;
    assert_eq!(call!(cuMemcpy2DAsync_v2(area.as_ptr() => *const u64, 0 => usize)), 1);
    (area[14], area[15]) = (12, 5);
    assert_eq!(call!(cuMemcpy2DUnaligned_v2(area.as_ptr() => *const u64)), 1);

    // CUDA_MEMCPY3D, from the device's rows to two planes of 2 x 3 words in the host's memory.
    let mut back = [0u32; 12];
    let target = back.as_mut_ptr() as u64;
    let volume = [
        4, 0, 0, 0, 2, 0, memory, 0, 0, 512, 3, // source: planes of three rows
        0, 0, 0, 0, 1, target, 0, 0, 0, 12, 2, // target
        12, 2, 2u64,
    ];
    assert_eq!(call!(cuMemcpy3D_v2(volume.as_ptr() => *const u64)), 0);
    assert_eq!(back, [0, 0, 0, 0, 0, 0, 12, 13, 14, 17, 18, 19]);
}

#[test]
fn pointer_attributes_and_missing_entry_points() {
    let _context = Context::new();
    let (mut memory, mut device, mut base, mut unknown) = (0u64, 7u32, 0u64, 7u64);
    assert_eq!(call!(cuMemAlloc_v2(&mut memory => *mut u64, 64 => usize)), 0);
    // Its device, and where its memory starts.
    let mut values = [(&raw mut device).cast::<c_void>(), (&raw mut base).cast()];
    let ask = |kinds: [i32; 2], values: &mut [*mut c_void; 2], address: u64| {
        call!(cuPointerGetAttributes(
            2 => u32, kinds.as_ptr() => *const i32, values.as_mut_ptr() => *mut *mut c_void, address => u64
        ))
    };
    assert_eq!(ask([9, 11], &mut values, memory + 8), 0);
    assert_eq!((device, base), (0, memory));
    values[1] = (&raw mut unknown).cast();
    assert_eq!(ask([2, 3], &mut values, 16), 0);
    assert_eq!((device, unknown), (0, 0));

    // Every entry point that this driver does not have returns CUDA_ERROR_NOT_SUPPORTED.
    let mut missing = 0;
    for &entry in EntryPoint::ALL {
        let (mut address, name) =
            (ptr::null_mut::<c_void>(), std::ffi::CString::new(entry.name()).expect("a name"));
        let status = call!(cuGetProcAddress(
            name.as_ptr() => *const c_char, &mut address => *mut *mut c_void, 13000 => i32, 0 => u64
        ));
        if status == 500 {
            // SAFETY: such a function reads no argument.
            let function: unsafe extern "C" fn() -> i32 = unsafe { std::mem::transmute(entry.address()) };
            // SAFETY: as above.
            assert_eq!(unsafe { function() }, 801, "{entry}");
            missing += 1;
        }
    }
    assert!(missing > 100, "{missing}");
}

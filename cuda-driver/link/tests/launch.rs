//! Kernels through cust on the emulated driver: parameters, occupancy, counts, and faults.

use std::{ffi::c_void, sync::Once};

use cuda_driver::{DriverKind, Select, reports};
use cust::{
    CudaFlags,
    context::legacy::{Context, ContextFlags},
    device::Device,
    error::{CudaError, CudaResult},
    function::{BlockSize, FunctionAttribute, GridSize},
    memory::{CopyDestination, DeviceBuffer},
    module::Module,
    stream::{Stream, StreamFlags},
};

const PTX: &str = r#"
.version 7.8
.target sm_80
.address_size 64

.global .align 4 .u32 answer = 42;

// out[global thread id] = narrow + wide + id
.visible .entry fill(.param .u64 out, .param .u16 narrow, .param .u32 wide)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<8>;
    .reg .b16 %rs<2>;
    ld.param.u64 %rd1, [out];
    ld.param.u16 %rs1, [narrow];
    ld.param.u32 %r1, [wide];
    cvt.u32.u16 %r2, %rs1;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r6, %r3, %r4, %r5;
    add.s32 %r7, %r1, %r2;
    add.s32 %r7, %r7, %r6;
    mul.wide.u32 %rd2, %r6, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r7;
    ret;
}

.visible .entry stop()
{
    trap;
}


.visible .entry bounded() .maxntid 64, 1, 1
{
    .shared .align 4 .b8 room[40000];
    .reg .b32 %r<2>;
    mov.u32 %r1, 7;
    st.shared.u32 [room], %r1;
    ret;
}
"#;

/// A test's own context, so that a fault does not affect other tests.
fn context() -> Context {
    static START: Once = Once::new();
    START.call_once(|| {
        cuda_driver_link::ensure_linked();
        assert_eq!(cuda_driver::init(Select::Emulator), Ok(DriverKind::Emulator));
        cust::init(CudaFlags::empty()).unwrap();
    });
    Context::create_and_push(ContextFlags::SCHED_AUTO, Device::get_device(0).unwrap()).unwrap()
}

fn launch(module: &Module, kernel: &str, grid: u32, block: u32, arguments: &[*mut c_void]) -> CudaResult<()> {
    let function = module.get_function(kernel)?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    // SAFETY: the tests pass what the kernels above take; the emulator checks every access.
    unsafe { stream.launch(&function, grid, block, 0, arguments) }?;
    stream.synchronize()
}

fn argument<T>(value: &T) -> *mut c_void {
    std::ptr::from_ref(value).cast_mut().cast()
}

#[test]
fn parameters_arrive_by_pointer_and_by_buffer() {
    let _context = context();
    let module = Module::from_ptx(PTX, &[]).unwrap();
    let buffer = DeviceBuffer::from_slice(&[0u32; 96]).unwrap();
    let (out, narrow, wide) = (buffer.as_device_ptr().as_raw(), 300u16, 5000u32);
    launch(&module, "fill", 3, 32, &[argument(&out), argument(&narrow), argument(&wide)]).unwrap();
    let expected: Vec<u32> = (5300..5396).collect();
    assert_eq!(buffer.as_host_vec().unwrap(), expected);

    let function = module.get_function("fill").unwrap();
    let key = |number| std::ptr::without_provenance_mut(number);
    let launch_extra = |block: &[u8]| {
        let size = block.len();
        let mut extra = [key(1), block.as_ptr().cast_mut().cast(), key(2), argument(&size), key(0)];
        let (null, raw) = (std::ptr::null_mut(), function.to_raw());
        // SAFETY: the array is pairs of key and value with an end.
        unsafe {
            cust_raw::cuLaunchKernel(raw, 1, 1, 1, 64, 1, 1, 0, null as _, null as _, extra.as_mut_ptr())
        }
    };
    let mut block = [0u8; 16];
    block[..8].copy_from_slice(&out.to_ne_bytes());
    block[8..10].copy_from_slice(&1u16.to_ne_bytes());
    block[12..].copy_from_slice(&1u32.to_ne_bytes());
    assert_eq!(launch_extra(&block), cust_raw::CUresult::CUDA_SUCCESS);
    assert_eq!(buffer.as_host_vec().unwrap()[63..65], [65, 5364]);
    assert_eq!(launch_extra(&block[..12]), cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE);

    let info = |index| {
        let (mut offset, mut size) = (0usize, 0usize);
        let address = cuda_driver::EntryPoint::cuFuncGetParamInfo.address();
        type Info = unsafe extern "C" fn(*mut c_void, usize, *mut usize, *mut usize) -> i32;
        // SAFETY: this is the entry point's signature in cuda.h, and the pointers are to live numbers.
        let status = unsafe {
            let info: Info = std::mem::transmute(address);
            info(function.to_raw().cast(), index, &mut offset, &mut size)
        };
        (status, offset, size)
    };
    assert_eq!([info(0), info(1), info(2)], [(0, 0, 8), (0, 8, 2), (0, 12, 4)]);
    assert_eq!(info(3).0, 1);
}

#[test]
fn modules_have_variables_and_functions_have_attributes() {
    let _context = context();
    let module = Module::from_ptx(PTX, &[]).unwrap();
    let mut answer = 0u32;
    module.get_global::<u32>(c"answer").unwrap().copy_to(&mut answer).unwrap();
    assert_eq!(answer, 42);
    assert_eq!(module.get_global::<u32>(c"question").unwrap_err(), CudaError::NotFound);
    assert_eq!(module.get_function("absent").unwrap_err(), CudaError::NotFound);

    let bounded = module.get_function("bounded").unwrap();
    let attribute = |attribute| bounded.get_attribute(attribute).unwrap();
    assert_eq!(attribute(FunctionAttribute::MaxThreadsPerBlock), 64);
    assert_eq!(attribute(FunctionAttribute::SharedMemorySizeBytes), 40000);
    assert_eq!(attribute(FunctionAttribute::PtxVersion), 80);
    assert_eq!(attribute(FunctionAttribute::BinaryVersion), 90);

    // 228 KiB hold five blocks of 40000 bytes and what the system reserves.
    assert_eq!(bounded.max_active_blocks_per_multiprocessor(BlockSize::x(64), 0), Ok(5));
    assert_eq!(bounded.max_active_blocks_per_multiprocessor(BlockSize::x(65), 0), Ok(0));
    assert_eq!(bounded.suggested_launch_configuration(0, BlockSize::x(0)), Ok((5 * 132, 64)));
    let available =
        bounded.available_dynamic_shared_memory_per_block(GridSize::x(4), BlockSize::x(64)).unwrap();
    assert!(bounded.max_active_blocks_per_multiprocessor(BlockSize::x(64), available).unwrap() >= 4);
    assert!(bounded.max_active_blocks_per_multiprocessor(BlockSize::x(64), available + 1).unwrap() < 4);

    // More threads than `.maxntid`, and an empty grid.
    assert_eq!(launch(&module, "bounded", 1, 96, &[]), Err(CudaError::LaunchOutOfResources));
    assert_eq!(launch(&module, "bounded", 0, 32, &[]), Err(CudaError::InvalidValue));
    assert_eq!(launch(&module, "bounded", 1, 64, &[]), Ok(()));
}

#[test]
fn completed_launches_are_counted() {
    reports::keep_launches();
    let _context = context();
    // Counts belong to the process, and another test may launch meanwhile: this kernel has its own name.
    let module = Module::from_ptx(PTX.replace("bounded", "counted"), &[]).unwrap();
    launch(&module, "counted", 2, 64, &[]).unwrap();
    let launches = reports::take_launches();
    let counted: Vec<_> = launches.iter().filter(|report| report.kernel == "counted").collect();
    assert_eq!(counted.len(), 1);
    assert_eq!(counted[0].counts.thread_instructions, 3 * 128);
    assert_eq!(counted[0].counts.warp_instructions, 3 * 4);
    assert_eq!(reports::forgotten_launches(), 0);
}

#[test]
fn a_fault_stays_with_its_context() {
    let first = context();
    let module = Module::from_ptx(PTX, &[]).unwrap();
    let buffer = DeviceBuffer::from_slice(&[0u32; 31]).unwrap();
    let (out, narrow, wide) = (buffer.as_device_ptr().as_raw(), 0u16, 0u32);
    let arguments = [argument(&out), argument(&narrow), argument(&wide)];
    assert_eq!(launch(&module, "fill", 1, 32, &arguments), Err(CudaError::IllegalAddress));
    let report = reports::last_report().expect("a fault leaves a report");
    assert!(report.contains("kernel fill") && report.contains("st.global.u32"), "{report}");

    // Every call fails in the context now, but its resources can be freed.
    assert_eq!(launch(&module, "stop", 1, 1, &[]), Err(CudaError::IllegalAddress));
    assert_eq!(buffer.as_host_vec(), Err(CudaError::IllegalAddress));
    assert_eq!(Stream::new(StreamFlags::DEFAULT, None).unwrap_err(), CudaError::IllegalAddress);
    assert_eq!(DeviceBuffer::drop(buffer).map_err(|(error, _)| error), Err(CudaError::IllegalAddress));
    drop(module);
    drop(first);

    // Another context is not affected.
    let _second = context();
    let module = Module::from_ptx(PTX, &[]).unwrap();
    assert_eq!(launch(&module, "bounded", 1, 1, &[]), Ok(()));
}

#[test]
fn each_kind_of_fault_has_its_status() {
    for (kernel, code) in [("stop", CudaError::LaunchFailed), ("fill", CudaError::MisalignedAddress)] {
        let context = context();
        let module = Module::from_ptx(PTX, &[]).unwrap();
        let buffer = DeviceBuffer::from_slice(&[0u32; 64]).unwrap();
        let (out, narrow, wide) = (buffer.as_device_ptr().as_raw() + 2, 0u16, 0u32);
        let arguments = [argument(&out), argument(&narrow), argument(&wide)];
        assert_eq!(launch(&module, kernel, 1, 32, &arguments), Err(code), "{kernel}");
        drop(buffer);
        drop(context);
    }
}

#[test]
fn errors_in_ptx_are_reported_with_their_location() {
    let _context = context();
    let broken = PTX.replace("trap;", "no.such.instruction %r1;");
    assert_eq!(Module::from_ptx(&broken, &[]).unwrap_err(), CudaError::InvalidPtx);

    let image = std::ffi::CString::new(broken).unwrap();
    let mut text = [0u8; 200];
    let mut options = [
        cust_raw::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        cust_raw::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [text.as_mut_ptr().cast::<c_void>(), text.len() as *mut c_void];
    let mut module = std::ptr::null_mut();
    // SAFETY: two options with their values; the buffer has the size that is given.
    let status = unsafe {
        cust_raw::cuModuleLoadDataEx(
            &mut module,
            image.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    assert_eq!(status, cust_raw::CUresult::CUDA_ERROR_INVALID_PTX);
    let written = values[1] as usize;
    let message = std::str::from_utf8(&text[..written - 1]).unwrap();
    assert!(message.contains("no.such.instruction"), "{message}");
    assert_eq!(text[written - 1], 0);
}

//! cust over the emulated driver: contexts, memory, streams and events. Nothing here runs a kernel.

use std::{sync::Once, thread};

use cuda_driver::{DriverKind, Select};
use cust::{
    CudaFlags,
    context::{
        Context, CurrentContext, ResourceLimit,
        legacy::{Context as OwnContext, ContextFlags, ContextStack},
    },
    device::{Device, DeviceAttribute},
    error::CudaError,
    event::{Event, EventFlags, EventStatus},
    memory::{
        AsyncCopyDestination, CopyDestination, DeviceBuffer, LockedBuffer, UnifiedBuffer, cuda_free,
        cuda_malloc, mem_get_info,
    },
    module::Module,
    stream::{Stream, StreamFlags, StreamWaitEventFlags},
};

/// The primary context, current on this thread.
fn context() -> Context {
    static START: Once = Once::new();
    START.call_once(|| {
        cuda_driver_link::ensure_linked();
        assert_eq!(cuda_driver::init(Select::Emulator), Ok(DriverKind::Emulator));
        cust::init(CudaFlags::empty()).unwrap();
    });
    Context::new(Device::get_device(0).unwrap()).unwrap()
}

#[test]
fn the_device_describes_itself() {
    let _context = context();
    let device = Device::get_device(0).unwrap();
    assert_eq!(device.name().unwrap(), "H200 (emulated)");
    let attribute = |attribute| device.get_attribute(attribute).unwrap();
    assert_eq!(attribute(DeviceAttribute::WarpSize), 32);
    assert_eq!(attribute(DeviceAttribute::MultiprocessorCount), 132);
    assert_eq!(attribute(DeviceAttribute::MaxThreadsPerBlock), 1024);
    assert_eq!(attribute(DeviceAttribute::ComputeCapabilityMajor), 9);
    assert_eq!(attribute(DeviceAttribute::MaximumTexture1DWidth), 0);
    assert_eq!(Device::get_device(1).unwrap_err(), CudaError::InvalidDevice);
    assert_eq!(cust::CudaApiVersion::get().unwrap().major(), 13);
    assert_eq!(device.total_memory().unwrap(), mem_get_info().unwrap().1);
}

#[test]
fn memory_is_copied_and_filled() {
    let _context = context();
    let words: Vec<u32> = (0..1000).collect();
    let mut buffer = DeviceBuffer::from_slice(&words).unwrap();
    let mut other = DeviceBuffer::from_slice(&vec![0u32; 1000]).unwrap();
    buffer.copy_to(&mut other).unwrap();
    assert_eq!(other.as_host_vec().unwrap(), words);

    buffer.index(10..20).set_32(7).unwrap();
    let read = buffer.as_host_vec().unwrap();
    assert_eq!(read[9..21], [9, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 20]);
    buffer.set_16(0x0102).unwrap();
    assert_eq!(buffer.as_host_vec().unwrap()[999], 0x0102_0102);
    buffer.set_8(0xff).unwrap();
    assert_eq!(buffer.as_host_vec().unwrap()[0], u32::MAX);

    let stream = Stream::new(StreamFlags::NON_BLOCKING, None).unwrap();
    let mut pinned = LockedBuffer::new(&5u32, 1000).unwrap();
    pinned[999] = 6;
    // SAFETY: both memories live until the stream is waited for.
    unsafe { buffer.async_copy_from(&pinned, &stream).unwrap() };
    stream.synchronize().unwrap();
    assert_eq!(buffer.as_host_vec().unwrap()[998..], [5, 6]);
}

#[test]
fn bad_addresses_are_rejected() {
    let _context = context();
    // SAFETY: the pointers are only given to the driver, which looks them up.
    unsafe {
        let first = cuda_malloc::<u8>(100).unwrap();
        let beyond = DeviceBuffer::from_raw_parts(first, 101);
        assert_eq!(beyond.copy_to(&mut vec![0u8; 101]), Err(CudaError::InvalidValue));
        std::mem::forget(beyond);
        assert_eq!(cuda_free(first.add(1)), Err(CudaError::InvalidValue));
        assert_eq!(cuda_free(first), Ok(()));
        assert_eq!(cuda_free(first), Err(CudaError::InvalidValue));
        assert_eq!(cuda_malloc::<u8>(1 << 60).unwrap_err(), CudaError::OutOfMemory);
    }
}

#[test]
fn the_host_can_use_managed_memory() {
    let _context = context();
    let mut buffer = UnifiedBuffer::new(&7u32, 4).unwrap();
    buffer[2] = 9;
    assert_eq!(buffer[..], [7, 7, 9, 7]);
}

#[test]
fn events_measure_time() {
    let _context = context();
    let (start, end) = (Event::new(EventFlags::DEFAULT).unwrap(), Event::new(EventFlags::DEFAULT).unwrap());
    let stream = Stream::new(StreamFlags::DEFAULT, Some(-2)).unwrap();
    assert_eq!(stream.get_priority().unwrap(), -2);
    assert_eq!(end.elapsed_time_f32(&start), Err(CudaError::InvalidHandle));
    start.record(&stream).unwrap();
    thread::sleep(std::time::Duration::from_millis(5));
    end.record(&stream).unwrap();
    end.synchronize().unwrap();
    assert_eq!(end.query(), Ok(EventStatus::Ready));
    assert!(end.elapsed_time_f32(&start).unwrap() >= 5.0);
    assert!(start.elapsed_time_f32(&end).unwrap() <= -5.0);
    stream.wait_event(end, StreamWaitEventFlags::DEFAULT).unwrap();

    let untimed = Event::new(EventFlags::DISABLE_TIMING).unwrap();
    untimed.record(&stream).unwrap();
    assert_eq!(untimed.elapsed_time_f32(&start), Err(CudaError::InvalidHandle));

    let (sender, receiver) = std::sync::mpsc::channel();
    // CUDA allows no call of the driver in a callback.
    stream.add_callback(Box::new(move || sender.send(Device::num_devices()).unwrap())).unwrap();
    assert_eq!(receiver.recv(), Ok(Err(CudaError::NotPermitted)));
}

#[test]
fn each_thread_has_its_stack_of_contexts() {
    let primary = context();
    let device = Device::get_device(0).unwrap();
    let own = OwnContext::create_and_push(ContextFlags::SCHED_AUTO, device).unwrap();
    let other = own.get_unowned();
    thread::spawn(move || {
        assert_eq!(CurrentContext::get_device().unwrap_err(), CudaError::InvalidContext);
        assert_eq!(mem_get_info(), Err(CudaError::InvalidContext));
        ContextStack::push(&other).unwrap();
        CurrentContext::set_resource_limit(ResourceLimit::StackSize, 4096).unwrap();
    })
    .join()
    .unwrap();
    assert_eq!(CurrentContext::get_resource_limit(ResourceLimit::StackSize), Ok(4096));
    ContextStack::pop().unwrap();
    assert_eq!(CurrentContext::get_resource_limit(ResourceLimit::StackSize), Ok(1024));

    // What belongs to a context is destroyed with it.
    CurrentContext::set_current(&primary).unwrap();
    ContextStack::push(&own.get_unowned()).unwrap();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let buffer = DeviceBuffer::from_slice(&[1u8; 64]).unwrap();
    drop(own);
    CurrentContext::set_current(&primary).unwrap();
    assert_eq!(stream.synchronize(), Err(CudaError::InvalidHandle));
    assert_eq!(
        DeviceBuffer::drop(buffer).map_err(|(error, buffer)| {
            std::mem::forget(buffer);
            error
        }),
        Err(CudaError::InvalidValue)
    );
}

#[test]
fn threads_share_the_device() {
    thread::scope(|scope| {
        for thread in 0..4u32 {
            scope.spawn(move || {
                let _context = context();
                let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
                for round in 0..100 {
                    let words: Vec<u32> = (0..64).map(|i| thread << 24 | round << 8 | i).collect();
                    let buffer = DeviceBuffer::from_slice(&words).unwrap();
                    let event = Event::new(EventFlags::DEFAULT).unwrap();
                    event.record(&stream).unwrap();
                    event.synchronize().unwrap();
                    assert_eq!(buffer.as_host_vec().unwrap(), words);
                }
            });
        }
    });
}

#[test]
fn an_image_that_is_not_ptx_is_rejected() {
    let _context = context();
    let error = |image: &str| Module::from_ptx(image, &[]).unwrap_err();
    assert_eq!(error("\x7fELF"), CudaError::InvalidImage);
    assert!(cuda_driver::reports::last_report().is_some());
    assert_eq!(Module::from_file("no such file.ptx").unwrap_err(), CudaError::FileNotFound);
}

#[test]
fn a_missing_entry_point_returns_not_supported() {
    let _context = context();
    let mut object = std::ptr::null_mut();
    // SAFETY: the driver returns without reading the arguments.
    let status = unsafe { cust_raw::cuUserObjectCreate(&mut object, std::ptr::null_mut(), None, 1, 0) };
    assert_eq!(status, cust_raw::CUresult::CUDA_ERROR_NOT_SUPPORTED);
}

#[test]
fn arguments_are_checked_for_null() {
    let _context = context();
    let invalid = cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE;
    // SAFETY: null is a legal argument of these calls, which return an error.
    unsafe {
        assert_eq!(cust_raw::cuMemAlloc_v2(std::ptr::null_mut(), 16), invalid);
        assert_eq!(cust_raw::cuMemcpyHtoD_v2(0x1234, std::ptr::null(), 16), invalid);
        assert_eq!(cust_raw::cuMemcpyDtoH_v2(std::ptr::null_mut(), 0x1234, 16), invalid);
        assert_eq!(cust_raw::cuDeviceGetName(std::ptr::null_mut(), 16, 0), invalid);
        assert_eq!(cust_raw::cuModuleLoadData(std::ptr::null_mut(), std::ptr::null()), invalid);
        let handle = cust_raw::CUresult::CUDA_ERROR_INVALID_HANDLE;
        let foreign = std::ptr::dangling_mut();
        assert_eq!(cust_raw::cuStreamDestroy_v2(foreign), handle);
        assert_eq!(cust_raw::cuModuleUnload(foreign.cast()), handle);
        assert_eq!(cust_raw::cuEventRecord(foreign.cast(), std::ptr::null_mut()), handle);
    }
}

#[test]
fn names_are_looked_up_as_cudart_does() {
    let _context = context();
    let mut address = std::ptr::null_mut();
    // SAFETY: the name is a C string, and the address has room for a pointer.
    let found = unsafe { cust_raw::cuGetProcAddress(c"cuMemAlloc".as_ptr(), &mut address, 11040, 0) };
    assert_eq!(found, cust_raw::CUresult::CUDA_SUCCESS);
    assert_eq!(address.cast(), cuda_driver::EntryPoint::cuMemAlloc_v2.address());
    // SAFETY: as above.
    let found = unsafe { cust_raw::cuGetProcAddress(c"cuNoSuch".as_ptr(), &mut address, 11040, 0) };
    assert_eq!(found, cust_raw::CUresult::CUDA_ERROR_NOT_FOUND);
    assert!(address.is_null());
}

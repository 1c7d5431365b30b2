//! Devices, and the ownership of their resources.

use std::{
    marker::PhantomData,
    mem::ManuallyDrop,
    ops::{Deref, DerefMut},
    sync::Arc,
};

use cuda_driver::{DriverKind, Select};
use cust::{
    CudaFlags,
    context::{Context, CurrentContext},
    device::DeviceAttribute,
    error::{CudaError, CudaResult},
};

use crate::error::{self, Error};

/// A GPU or the emulator. Clones are the same device, and any thread may use them. The device's CUDA context
/// lives until the last clone and the last resource are dropped.
#[derive(Clone, Debug)]
pub struct Device(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Context,
    kind: DriverKind,
    name: String,
    multiprocessors: u32,
    compute_capability: (u32, u32),
    memory_bytes: u64,
    shares_host_memory: bool,
}

impl Device {
    /// Opens the first device of the requested driver. The first call in a process decides the driver.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] if the driver is not available, [`Error::Cuda`] if the device cannot be used.
    pub fn open(select: Select) -> Result<Device, Error> {
        Device::open_number(select, 0)
    }

    /// Opens a device by its number, from 0 on, below [`Device::count`].
    ///
    /// # Errors
    ///
    /// As [`Device::open`]; [`Error::Cuda`] as well if there is no such device.
    pub fn open_number(select: Select, number: u32) -> Result<Device, Error> {
        let kind = start(select)?;
        let doing = || format!("opening device {number}");
        Inner::open(kind, number).map(|inner| Device(Arc::new(inner))).map_err(of_driver(kind, doing))
    }

    /// How many devices the requested driver has.
    ///
    /// # Errors
    ///
    /// As [`Device::open`].
    pub fn count(select: Select) -> Result<u32, Error> {
        let kind = start(select)?;
        let doing = || "counting devices".to_owned();
        cust::device::Device::num_devices().map_err(of_driver(kind, doing))
    }

    /// The number of the device whose context is current on this thread, if one is. The driver must have been chosen:
    /// by [`Device::open`], [`Device::count`] or [`cuda_driver::init_within_program`].
    pub fn current_number() -> Option<u32> {
        let mut number = 0;
        // SAFETY: where the number goes.
        let status = unsafe { cust_raw::cuCtxGetDevice(&raw mut number) };
        (status == cust_raw::cudaError_enum::CUDA_SUCCESS).then(|| u32::try_from(number).ok()).flatten()
    }

    /// Does something that may make another context current on this thread, and then makes the one from before current again: for a
    /// library that is called by a program with contexts of its own. The driver must have been chosen, as for
    /// [`Device::current_number`].
    pub fn keeping_context<R>(work: impl FnOnce() -> R) -> R {
        let mut before = std::ptr::null_mut();
        // SAFETY: where the context goes.
        let is_known =
            unsafe { cust_raw::cuCtxGetCurrent(&raw mut before) } == cust_raw::cudaError_enum::CUDA_SUCCESS;
        let result = work();
        if is_known {
            // SAFETY: it was current before, and only this thread's own code could have destroyed it; then the driver says so.
            let _ = unsafe { cust_raw::cuCtxSetCurrent(before) };
        }
        result
    }

    /// The driver: the real or the emulated one.
    pub fn kind(&self) -> DriverKind {
        self.0.kind
    }

    /// The number of the device whose memory has this address: of this device or another one; `None` for memory of the host.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if the device's context cannot be used.
    pub fn number_of_address(&self, address: u64) -> Result<Option<u32>, Error> {
        self.make_current()?;
        let attribute = |attribute| {
            let mut value = 0_u32;
            // SAFETY: both attributes are 32 bits wide; of an address that it does not know the driver says so.
            let status =
                unsafe { cust_raw::cuPointerGetAttribute((&raw mut value).cast(), attribute, address) };
            (status == cust_raw::cudaError_enum::CUDA_SUCCESS).then_some(value)
        };
        let kind = attribute(cust_raw::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
        let is_device = kind.is_some_and(|kind| kind != cust_raw::CUmemorytype::CU_MEMORYTYPE_HOST as u32);
        let number = cust_raw::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
        Ok(is_device.then(|| attribute(number)).flatten())
    }

    /// The device's name, as the driver reports it.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The number of multiprocessors.
    pub fn multiprocessors(&self) -> u32 {
        self.0.multiprocessors
    }

    /// Compute capability, major and minor: `(9, 0)` is sm_90.
    pub fn compute_capability(&self) -> (u32, u32) {
        self.0.compute_capability
    }

    /// The size of global memory, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes
    }

    /// Whether the device accesses page-locked memory of the host, at the same address.
    pub(crate) fn shares_host_memory(&self) -> bool {
        self.0.shares_host_memory
    }

    /// Makes the device's context current on this thread, for several calls of the driver.
    pub(crate) fn make_current(&self) -> Result<Current<'_>, Error> {
        self.call(|| "making a context current".to_owned(), || Ok(()))?;
        Ok(Current { device: self, on_this_thread: PhantomData })
    }

    /// Calls the driver with the device's context current on this thread. `doing` describes the call for
    /// errors.
    pub(crate) fn call<R>(
        &self,
        doing: impl FnOnce() -> String,
        call: impl FnOnce() -> CudaResult<R>,
    ) -> Result<R, Error> {
        let set = || CurrentContext::set_current(&self.0.context);
        Current { device: self, on_this_thread: PhantomData }.call(doing, || set().and_then(|()| call()))
    }
}

/// Initialises the driver.
fn start(select: Select) -> Result<DriverKind, Error> {
    cuda_driver_link::ensure_linked();
    let kind = cuda_driver::init(select)?;
    cust::init(CudaFlags::empty()).map_err(of_driver(kind, || "initialising the driver".to_owned()))?;
    Ok(kind)
}

/// An error where no device is known yet.
fn of_driver(kind: DriverKind, doing: impl Fn() -> String) -> impl Fn(CudaError) -> Error {
    move |error| {
        let (device, status) = (kind.to_string(), error::status_of(error));
        Error::Cuda { device, doing: doing(), status, report: None }
    }
}

/// A device whose context is current on this thread. Nobody keeps it while code of the user runs, which may make
/// another context current.
#[derive(Debug)]
pub(crate) struct Current<'d> {
    device: &'d Device,
    /// It stays on its thread.
    on_this_thread: PhantomData<*const ()>,
}

impl Current<'_> {
    /// The device.
    pub fn device(&self) -> &Device {
        self.device
    }

    /// Calls the driver. `doing` describes the call for errors.
    pub fn call<R>(
        &self,
        doing: impl FnOnce() -> String,
        call: impl FnOnce() -> CudaResult<R>,
    ) -> Result<R, Error> {
        call().map_err(|error| {
            let status = error::status_of(error);
            let device = self.device;
            Error::Cuda {
                device: device.name().to_owned(),
                doing: doing(),
                status,
                report: error::report(device.kind(), status),
            }
        })
    }
}

impl Inner {
    fn open(kind: DriverKind, number: u32) -> CudaResult<Inner> {
        let device = cust::device::Device::get_device(number)?;
        let number = |attribute| device.get_attribute(attribute).map(|value| value.max(0) as u32);
        Ok(Inner {
            kind,
            name: device.name()?,
            multiprocessors: number(DeviceAttribute::MultiprocessorCount)?,
            compute_capability: (
                number(DeviceAttribute::ComputeCapabilityMajor)?,
                number(DeviceAttribute::ComputeCapabilityMinor)?,
            ),
            memory_bytes: device.total_memory()? as u64,
            // With unified addressing, all page-locked memory is mapped.
            shares_host_memory: number(DeviceAttribute::UnifiedAddressing)? != 0
                && number(DeviceAttribute::CanMapHostMemory)? != 0,
            context: Context::new(device)?,
        })
    }
}

/// A resource of a device. Its destructor runs with the device's context current, on any thread, and before
/// the context is destroyed.
#[derive(Debug)]
pub(crate) struct Owned<T> {
    value: ManuallyDrop<T>,
    device: Device,
}

impl<T> Owned<T> {
    /// Creates the resource with the device's context current.
    pub fn new(
        device: &Device,
        doing: impl FnOnce() -> String,
        make: impl FnOnce() -> CudaResult<T>,
    ) -> Result<Owned<T>, Error> {
        let value = ManuallyDrop::new(device.call(doing, make)?);
        Ok(Owned { value, device: device.clone() })
    }

    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Owned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // If the context cannot be made current, the driver cannot free the resource either.
        let _ = CurrentContext::set_current(&self.device.0.context);
        // SAFETY: this is the only place that drops the value, and nothing uses it afterwards.
        unsafe { ManuallyDrop::drop(&mut self.value) }
    }
}

/// The newest architecture that the toolchain supports and the device can execute: 90 for sm_90.
pub(crate) fn target(device: &Device) -> Result<u32, Error> {
    let (major, minor) = device.compute_capability();
    let sm = 10 * major + minor;
    (0..=sm)
        .rev()
        .find(|&known| toolchain::ptx_version(known).is_some())
        .ok_or_else(|| Error::TooOld { device: device.name().to_owned(), sm })
}

//! The device of each thread, and the context in which its calls happen.
//!
//! A thread's context is the driver's current one: the primary context of the thread's device, unless the program
//! made another one current through the driver.

use std::{
    cell::Cell,
    ffi::c_int,
    sync::{Mutex, PoisonError},
};

use crate::{
    driver,
    error::{Error, Outcome},
    layouts::Handle,
};

thread_local! {
    /// The device that the thread chose.
    static DEVICE: Cell<c_int> = const { Cell::new(0) };
}

/// The primary contexts that this library holds, by device. Each is retained once and until the process ends or the
/// device is reset.
static PRIMARY: Mutex<Vec<(c_int, Handle)>> = Mutex::new(Vec::new());

/// Rejects numbers that no device has.
pub(crate) fn check_device(device: c_int) -> Outcome {
    let mut count = 0;
    // SAFETY: the pointer is to a live integer.
    unsafe { driver::cuDeviceGetCount(&mut count)? };
    if (0..count).contains(&device) { Ok(()) } else { Err(Error::INVALID_DEVICE) }
}

/// The primary context of a device.
pub(crate) fn primary(device: c_int) -> Result<Handle, Error> {
    check_device(device)?;
    let mut known = PRIMARY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&(_, context)) = known.iter().find(|known| known.0 == device) {
        return Ok(context);
    }
    let mut context = 0;
    // SAFETY: the pointer is to a live handle.
    unsafe { driver::cuDevicePrimaryCtxRetain(&mut context, device)? };
    known.push((device, context));
    Ok(context)
}

/// Chooses the thread's device.
pub(crate) fn select(device: c_int) -> Outcome {
    let context = primary(device)?;
    // SAFETY: the context is a primary one, which is not destroyed.
    unsafe { driver::cuCtxSetCurrent(context)? };
    DEVICE.set(device);
    Ok(())
}

/// The current context, which is made current if the thread has none.
pub(crate) fn current() -> Result<Handle, Error> {
    let mut context = 0;
    // SAFETY: the pointer is to a live handle.
    unsafe { driver::cuCtxGetCurrent(&mut context)? };
    if context == 0 {
        context = primary(DEVICE.get())?;
        // SAFETY: as in `select`.
        unsafe { driver::cuCtxSetCurrent(context)? };
    }
    Ok(context)
}

/// The device of the current context, or the thread's if no context is current.
pub(crate) fn device() -> Result<c_int, Error> {
    let mut context = 0;
    // SAFETY: the pointers are to live values.
    unsafe {
        driver::cuCtxGetCurrent(&mut context)?;
        if context == 0 {
            check_device(DEVICE.get())?;
            return Ok(DEVICE.get());
        }
        let mut device = 0;
        driver::cuCtxGetDevice(&mut device)?;
        Ok(device)
    }
}

/// Gives a device's primary context up, which is reset by the caller.
pub(crate) fn release(device: c_int) -> Option<Handle> {
    let mut known = PRIMARY.lock().unwrap_or_else(PoisonError::into_inner);
    let at = known.iter().position(|known| known.0 == device)?;
    Some(known.swap_remove(at).1)
}

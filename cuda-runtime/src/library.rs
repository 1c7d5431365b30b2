//! Libraries: images that programs load while they run, and their kernels; entry points of the driver.

use std::ffi::{c_char, c_int, c_void};

use crate::{
    calls::{functions, write},
    context, driver,
    error::Error,
    layouts::{Address, Handle},
    version,
};

/// `cudaDriverEntryPointQueryResult`: the driver has the function, does not have it, or only a newer one has.
const NOT_FOUND: c_int = 1;

functions! {
    fn cudaLibraryLoadData(
        library: *mut Handle,
        code: *const c_void,
        options: *mut c_int,
        values: *mut *mut c_void,
        count: u32,
        library_options: *mut c_int,
        library_values: *mut *mut c_void,
        library_count: u32,
    ) {
        context::current()?;
        driver::cuLibraryLoadData(
            library, code, options, values, count, library_options, library_values, library_count,
        )
    }

    fn cudaLibraryLoadFromFile(
        library: *mut Handle,
        path: *const c_char,
        options: *mut c_int,
        values: *mut *mut c_void,
        count: u32,
        library_options: *mut c_int,
        library_values: *mut *mut c_void,
        library_count: u32,
    ) {
        context::current()?;
        driver::cuLibraryLoadFromFile(
            library, path, options, values, count, library_options, library_values, library_count,
        )
    }

    fn cudaLibraryUnload(library: Handle) {
        driver::cuLibraryUnload(library)
    }

    fn cudaLibraryGetKernel(kernel: *mut Handle, library: Handle, name: *const c_char) {
        driver::cuLibraryGetKernel(kernel, library, name)
    }

    fn cudaLibraryGetKernelCount(count: *mut u32, library: Handle) {
        let mut module = 0;
        driver::cuLibraryGetModule(&mut module, library)?;
        driver::cuModuleGetFunctionCount(count, module)
    }

    fn cudaLibraryGetGlobal(
        address: *mut *mut c_void,
        bytes: *mut usize,
        library: Handle,
        name: *const c_char,
    ) {
        let (mut start, mut size): (Address, usize) = (0, 0);
        driver::cuLibraryGetGlobal(&mut start, &mut size, library, name)?;
        if !bytes.is_null() {
            write(bytes, size)?;
        }
        if address.is_null() { Ok(()) } else { write(address, start as *mut c_void) }
    }

    fn cudaKernelSetAttributeForDevice(kernel: Handle, attribute: c_int, value: c_int, device: c_int) {
        driver::cuKernelSetAttribute(attribute, value, kernel, device)
    }

    fn cudaGetDriverEntryPoint | cudaGetDriverEntryPoint_ptsz(
        symbol: *const c_char,
        address: *mut *mut c_void,
        flags: u64,
        found: *mut c_int,
    ) {
        entry_point(symbol, address, version::number(), flags, found)
    }

    fn cudaGetDriverEntryPointByVersion | cudaGetDriverEntryPointByVersion_ptsz(
        symbol: *const c_char,
        address: *mut *mut c_void,
        version: u32,
        flags: u64,
        found: *mut c_int,
    ) {
        entry_point(symbol, address, version as c_int, flags, found)
    }

    fn __cudaGetProcAddress(
        symbol: *const c_char,
        address: *mut *mut c_void,
        version: u32,
        flags: u64,
        found: *mut c_int,
    ) {
        entry_point(symbol, address, version as c_int, flags, found)
    }
}

/// # Safety
///
/// `symbol` is a C string; the other pointers are null or valid for a write.
unsafe fn entry_point(
    symbol: *const c_char,
    address: *mut *mut c_void,
    version: c_int,
    flags: u64,
    found: *mut c_int,
) -> Result<(), Error> {
    if symbol.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let (mut function, mut known) = (std::ptr::null_mut(), 0);
    // SAFETY: by the caller's promise.
    unsafe {
        let outcome = driver::cuGetProcAddress_v2(symbol, &mut function, version, flags, &mut known);
        write(address, function)?;
        match outcome {
            // What is not found is a result where the caller asks for it.
            Err(Error::SYMBOL_NOT_FOUND) if !found.is_null() => write(found, NOT_FOUND),
            outcome => {
                if !found.is_null() {
                    write(found, known)?;
                }
                outcome
            }
        }
    }
}

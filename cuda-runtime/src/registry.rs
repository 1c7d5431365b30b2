//! What programs register when they start: images of device code, their kernels and their variables.
//!
//! Compilers make a call for each image, kernel and variable, which run before `main`. An image is loaded into a
//! context when the first of its kernels or variables is used there, as CUDA does it by default.

use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_char, c_int, c_void},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    calls::{functions, write},
    context, driver,
    error::{Error, Outcome},
    layouts::{Address, Dimensions, Handle},
};

/// Starts the structure that holds an image.
const WRAPPER_MAGIC: u32 = 0x4662_43b1;

/// What compilers put around an image.
#[repr(C)]
#[derive(Clone, Copy)]
struct Wrapper {
    magic: u32,
    version: u32,
    image: *const c_void,
}

/// An image that a program registered.
struct Image {
    /// Read only by the driver; lives as long as the program or library that registered it.
    code: usize,
    /// Its modules, by context.
    modules: HashMap<Handle, Handle>,
    /// Host addresses of its managed variables' pointers, and the variables' names.
    managed: Vec<(usize, CString)>,
}

/// A kernel or a variable.
struct Symbol {
    image: usize,
    name: CString,
    /// Of a variable, in bytes.
    bytes: usize,
    /// Handles of a kernel, or addresses of a variable, by context.
    known: HashMap<Handle, u64>,
}

/// What is registered. Kernels and variables are found by the address of their stand-ins on the host.
#[derive(Default)]
struct Registry {
    images: HashMap<usize, Image>,
    /// Numbers are not used twice.
    next: usize,
    kernels: HashMap<usize, Symbol>,
    variables: HashMap<usize, Symbol>,
}

fn registry() -> MutexGuard<'static, Option<Registry>> {
    static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with<T>(body: impl FnOnce(&mut Registry) -> T) -> T {
    body(registry().get_or_insert_default())
}

impl Registry {
    /// The module of an image in a context, which is current.
    fn module(&mut self, image: usize, context: Handle) -> Result<Handle, Error> {
        let image = self.images.get_mut(&image).ok_or(Error::INVALID_FUNCTION)?;
        if let Some(&module) = image.modules.get(&context) {
            return Ok(module);
        }
        let mut module = 0;
        // SAFETY: the program registered the address as that of an image.
        unsafe { driver::cuModuleLoadData(&mut module, image.code as *const c_void)? };
        image.modules.insert(context, module);
        Ok(module)
    }

    /// The address of the stand-in of a kernel that has this handle in some context.
    fn stand_in(&self, function: Handle) -> Option<usize> {
        let of = |kernel: &Symbol| kernel.known.values().any(|&known| known as Handle == function);
        self.kernels.iter().find(|(_, kernel)| of(kernel)).map(|(&address, _)| address)
    }
}

impl Symbol {
    fn new(image: usize, name: CString, bytes: usize) -> Symbol {
        Symbol { image, name, bytes, known: HashMap::new() }
    }
}

/// The driver's handle of a kernel in the current context, by the address that programs launch.
///
/// A handle that `cudaGetKernel` or `cudaLibraryGetKernel` gave can be launched, too, as in CUDA.
pub(crate) fn kernel(address: *const c_void) -> Result<Handle, Error> {
    let context = context::current()?;
    with(|registry| {
        let Some(kernel) = registry.kernels.get(&(address as usize)) else {
            let handle = address as Handle;
            return if registry.stand_in(handle).is_some() { Ok(handle) } else { kernel_of_library(handle) };
        };
        if let Some(&known) = kernel.known.get(&context) {
            return Ok(known as Handle);
        }
        let (image, name) = (kernel.image, kernel.name.clone());
        let module = registry.module(image, context)?;
        let mut function = 0;
        // SAFETY: the pointers are to a live handle and a C string.
        let found = unsafe { driver::cuModuleGetFunction(&mut function, module, name.as_ptr()) };
        found.map_err(
            |error| if error == Error::SYMBOL_NOT_FOUND { Error::INVALID_FUNCTION } else { error },
        )?;
        if let Some(kernel) = registry.kernels.get_mut(&(address as usize)) {
            kernel.known.insert(context, function as u64);
        }
        Ok(function)
    })
}

/// The address by which a program launches a function: of its stand-in on the host, or the function's own handle.
pub(crate) fn function_address(function: Handle) -> *const c_void {
    with(|registry| registry.stand_in(function).unwrap_or(function)) as *const c_void
}

/// The function of a kernel of a library.
fn kernel_of_library(kernel: Handle) -> Result<Handle, Error> {
    let mut function = 0;
    // SAFETY: the pointer is to a live handle. A driver checks the other argument only as far as it can, but a program
    // that launches neither a kernel of its own nor one of a library breaks the promise that it gave.
    let found = unsafe { driver::cuKernelGetFunction(&mut function, kernel) };
    found.map(|()| function).map_err(|_| Error::INVALID_FUNCTION)
}

/// Address and size of a variable in the current context, by the address of its stand-in on the host.
pub(crate) fn variable(address: *const c_void) -> Result<(Address, usize), Error> {
    let context = context::current()?;
    with(|registry| {
        let variable = registry.variables.get(&(address as usize)).ok_or(Error::INVALID_SYMBOL)?;
        let bytes = variable.bytes;
        if let Some(&known) = variable.known.get(&context) {
            return Ok((known, bytes));
        }
        let (image, name) = (variable.image, variable.name.clone());
        let module = registry.module(image, context)?;
        let start = global(module, &name)?;
        if let Some(variable) = registry.variables.get_mut(&(address as usize)) {
            variable.known.insert(context, start);
        }
        Ok((start, bytes))
    })
}

/// The address of a module's variable.
fn global(module: Handle, name: &CStr) -> Result<Address, Error> {
    let (mut start, mut size) = (0, 0);
    // SAFETY: the pointers are to live values and a C string.
    let found = unsafe { driver::cuModuleGetGlobal_v2(&mut start, &mut size, module, name.as_ptr()) };
    found
        .map(|()| start)
        .map_err(|error| if error == Error::SYMBOL_NOT_FOUND { Error::INVALID_SYMBOL } else { error })
}

/// Forgets everything of a context, which does not exist any more.
pub(crate) fn forget_context(context: Handle) {
    with(|registry| {
        for image in registry.images.values_mut() {
            image.modules.remove(&context);
        }
        for symbol in registry.kernels.values_mut().chain(registry.variables.values_mut()) {
            symbol.known.remove(&context);
        }
    });
}

/// Loads an image and writes the addresses of its managed variables to where host code reads them.
fn load_managed(image: usize) -> Outcome {
    let context = context::current()?;
    with(|registry| {
        let managed = match registry.images.get(&image) {
            Some(image) if !image.managed.is_empty() => image.managed.clone(),
            _ => return Ok(()),
        };
        let module = registry.module(image, context)?;
        for (pointer, name) in managed {
            let start = global(module, &name)?;
            // SAFETY: the compiler registered the address of this variable's pointer.
            unsafe { (pointer as *mut u64).write_unaligned(start) };
        }
        Ok(())
    })
}

/// A C string that a compiler registered.
///
/// # Safety
///
/// `text` is null or a C string.
unsafe fn name(text: *const c_char) -> CString {
    // SAFETY: not null, so a C string by the caller's promise.
    if text.is_null() { CString::default() } else { unsafe { CStr::from_ptr(text) }.to_owned() }
}

/// Registers an image; the result stands for it.
///
/// # Safety
///
/// `wrapper` is what a compiler made: it and its image live until the image is unregistered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterFatBinary(wrapper: *const c_void) -> *mut *mut c_void {
    // SAFETY: by the caller's promise.
    let wrapper = unsafe { wrapper.cast::<Wrapper>().read_unaligned() };
    let code = if wrapper.magic == WRAPPER_MAGIC { wrapper.image as usize } else { 0 };
    with(|registry| {
        registry.next += 1;
        registry.images.insert(registry.next, Image { code, modules: HashMap::new(), managed: Vec::new() });
        registry.next as *mut *mut c_void
    })
}

/// Ends the registration of an image's kernels and variables.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterFatBinaryEnd(_image: *mut *mut c_void) {}

/// Forgets an image, its kernels and its variables: the program ends, or a library is closed.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaUnregisterFatBinary(image: *mut *mut c_void) {
    with(|registry| {
        // Its modules stay: at the end of a process a kernel may still run, and unloading would wait for it.
        let image = image as usize;
        registry.images.remove(&image);
        registry.kernels.retain(|_, kernel| kernel.image != image);
        registry.variables.retain(|_, variable| variable.image != image);
    });
}

/// Registers a kernel.
///
/// # Safety
///
/// As a compiler calls it: `device_name` is a C string.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub unsafe extern "C" fn __cudaRegisterFunction(
    image: *mut *mut c_void,
    host: *const c_void,
    _device: *mut c_char,
    device_name: *const c_char,
    _thread_limit: c_int,
    _thread: *mut c_void,
    _block: *mut c_void,
    _block_size: *mut Dimensions,
    _grid_size: *mut Dimensions,
    _warp_size: *mut c_int,
) {
    // SAFETY: by the caller's promise.
    let name = unsafe { name(device_name) };
    with(|registry| registry.kernels.insert(host as usize, Symbol::new(image as usize, name, 0)));
}

/// Registers a variable.
///
/// # Safety
///
/// As a compiler calls it: `device_name` is a C string.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub unsafe extern "C" fn __cudaRegisterVar(
    image: *mut *mut c_void,
    host: *const c_void,
    _device: *mut c_char,
    device_name: *const c_char,
    _is_external: c_int,
    bytes: usize,
    _is_constant: c_int,
    _is_global: c_int,
) {
    // SAFETY: by the caller's promise.
    let name = unsafe { name(device_name) };
    with(|registry| registry.variables.insert(host as usize, Symbol::new(image as usize, name, bytes)));
}

/// Registers a variable that host code reads through `pointer`.
///
/// # Safety
///
/// As a compiler calls it: `device_name` is a C string, and `pointer` lives as long as the image.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub unsafe extern "C" fn __cudaRegisterManagedVar(
    image: *mut *mut c_void,
    pointer: *mut *mut c_void,
    _device: *mut c_char,
    device_name: *const c_char,
    _is_external: c_int,
    bytes: usize,
    _is_constant: c_int,
    _is_global: c_int,
) {
    // SAFETY: by the caller's promise.
    let name = unsafe { name(device_name) };
    with(|registry| {
        let symbol = Symbol::new(image as usize, name.clone(), bytes);
        registry.variables.insert(pointer as usize, symbol);
        if let Some(image) = registry.images.get_mut(&(image as usize)) {
            image.managed.push((pointer as usize, name));
        }
    });
}

/// Registers a variable of the host that kernels read, as some systems can.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterHostVar(
    _image: *mut *mut c_void,
    _device_name: *const c_char,
    _host: *mut c_char,
    _bytes: usize,
) {
}

/// A table for functions of both sides, which no image has here.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterUnifiedTable(_image: *mut *mut c_void, _table: *mut c_void) {}

/// Makes an image's managed variables usable by the host; true if that succeeded.
///
/// # Safety
///
/// As a compiler calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaInitModule(image: *mut *mut c_void) -> c_char {
    c_char::from(crate::calls::call(|| load_managed(image as usize)) == 0)
}

functions! {
    fn cudaGetSymbolAddress(address: *mut *mut c_void, symbol: *const c_void) {
        write(address, variable(symbol)?.0 as *mut c_void)
    }

    fn cudaGetSymbolSize(bytes: *mut usize, symbol: *const c_void) {
        write(bytes, variable(symbol)?.1)
    }

    fn cudaGetFuncBySymbol(function: *mut Handle, symbol: *const c_void) {
        write(function, kernel(symbol)?)
    }

    fn cudaGetKernel(kernel: *mut Handle, symbol: *const c_void) {
        write(kernel, self::kernel(symbol)?)
    }

    // Compiled code keeps the result and launches it in whatever context is current then: it is the kernel's address.
    fn __cudaGetKernel(kernel: *mut Handle, symbol: *const c_void) {
        if !with(|registry| registry.kernels.contains_key(&(symbol as usize))) {
            return Err(Error::INVALID_FUNCTION);
        }
        write(kernel, symbol as Handle)
    }
}

//! Launches of kernels, and what is known of them.

use std::{
    cell::RefCell,
    ffi::{c_char, c_int, c_void},
};

use crate::{
    calls::{functions, read, write},
    context, driver,
    error::{Error, Outcome},
    layouts::{Dimensions, DriverLaunch, FunctionAttributes, Handle, Launch, Stream},
    registry::kernel,
};

/// What `<<<…>>>` says, between the two calls that compilers make of it.
#[derive(Clone, Copy)]
struct Configuration {
    grid: Dimensions,
    block: Dimensions,
    dynamic_shared: usize,
    stream: Stream,
}

thread_local! {
    /// A stack, because arguments of a launch may launch kernels.
    static CONFIGURATIONS: RefCell<Vec<Configuration>> = const { RefCell::new(Vec::new()) };
}

/// Numbers of `cudaDeviceAttr`: what a block and a grid can have.
const MAX_BLOCK_THREADS: c_int = 1;
const MAX_BLOCK: [c_int; 3] = [2, 3, 4];
const MAX_GRID: [c_int; 3] = [5, 6, 7];

/// Whether the device can have this block and this grid.
fn fits(grid: Dimensions, block: Dimensions) -> Result<bool, Error> {
    let device = context::device()?;
    let attribute = |number: c_int| {
        let mut value = 0;
        // SAFETY: the pointer is to a live integer.
        unsafe { driver::cuDeviceGetAttribute(&mut value, number, device) }
            .map(|()| u64::try_from(value).unwrap_or(0))
    };
    for (size, limits) in [(grid, MAX_GRID), (block, MAX_BLOCK)] {
        for (size, limit) in [size.x, size.y, size.z].into_iter().zip(limits) {
            if size == 0 || u64::from(size) > attribute(limit)? {
                return Ok(false);
            }
        }
    }
    let threads = u64::from(block.x) * u64::from(block.y) * u64::from(block.z);
    Ok(threads <= attribute(MAX_BLOCK_THREADS)?)
}

/// The runtime's error of a launch that the driver rejected.
fn explain(error: Error, grid: Dimensions, block: Dimensions) -> Error {
    match error {
        Error::INVALID_VALUE if fits(grid, block) == Ok(false) => Error::INVALID_CONFIGURATION,
        error => error,
    }
}

/// # Safety
///
/// `arguments` has a pointer for each parameter of the kernel.
unsafe fn launch(
    function: *const c_void,
    configuration: Configuration,
    arguments: *mut *mut c_void,
    is_cooperative: bool,
) -> Outcome {
    let function = kernel(function)?;
    let Configuration { grid, block, dynamic_shared, stream } = configuration;
    let shared = u32::try_from(dynamic_shared).map_err(|_| Error::INVALID_VALUE)?;
    // SAFETY: by the caller's promise.
    let outcome = unsafe {
        if is_cooperative {
            driver::cuLaunchCooperativeKernel(
                function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream, arguments,
            )
        } else {
            driver::cuLaunchKernel(
                function,
                grid.x,
                grid.y,
                grid.z,
                block.x,
                block.y,
                block.z,
                shared,
                stream,
                arguments,
                std::ptr::null_mut(),
            )
        }
    };
    outcome.map_err(|error| explain(error, grid, block))
}

/// Keeps a launch's configuration until its arguments are evaluated; 0 if the launch shall happen.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaPushCallConfiguration(
    grid: Dimensions,
    block: Dimensions,
    dynamic_shared: usize,
    stream: Stream,
) -> u32 {
    CONFIGURATIONS.with_borrow_mut(|known| known.push(Configuration { grid, block, dynamic_shared, stream }));
    0
}

functions! {
    fn __cudaPopCallConfiguration(
        grid: *mut Dimensions,
        block: *mut Dimensions,
        dynamic_shared: *mut usize,
        stream: *mut Stream,
    ) {
        let configuration = CONFIGURATIONS.with_borrow_mut(Vec::pop).ok_or(Error::MISSING_CONFIGURATION)?;
        write(grid, configuration.grid)?;
        write(block, configuration.block)?;
        write(dynamic_shared, configuration.dynamic_shared)?;
        write(stream, configuration.stream)
    }

    fn cudaLaunchKernel | cudaLaunchKernel_ptsz(
        function: *const c_void,
        grid: Dimensions,
        block: Dimensions,
        arguments: *mut *mut c_void,
        dynamic_shared: usize,
        stream: Stream,
    ) {
        launch(function, Configuration { grid, block, dynamic_shared, stream }, arguments, false)
    }

    fn __cudaLaunchKernel | __cudaLaunchKernel_ptsz(
        function: *const c_void,
        grid: Dimensions,
        block: Dimensions,
        arguments: *mut *mut c_void,
        dynamic_shared: usize,
        stream: Stream,
    ) {
        launch(function, Configuration { grid, block, dynamic_shared, stream }, arguments, false)
    }

    fn cudaLaunchCooperativeKernel | cudaLaunchCooperativeKernel_ptsz(
        function: *const c_void,
        grid: Dimensions,
        block: Dimensions,
        arguments: *mut *mut c_void,
        dynamic_shared: usize,
        stream: Stream,
    ) {
        launch(function, Configuration { grid, block, dynamic_shared, stream }, arguments, true)
    }

    fn cudaLaunchKernelExC(config: *const Launch, function: *const c_void, arguments: *mut *mut c_void) {
        launch_extended(config, function, arguments, |stream| stream)
    }

    fn cudaLaunchKernelExC_ptsz(config: *const Launch, function: *const c_void, arguments: *mut *mut c_void) {
        launch_extended(config, function, arguments, crate::calls::Argument::per_thread)
    }

    fn cudaFuncGetAttributes(attributes: *mut FunctionAttributes, function: *const c_void) {
        write(attributes, self::attributes(kernel(function)?)?)
    }

    fn cudaFuncSetAttribute(function: *const c_void, attribute: c_int, value: c_int) {
        driver::cuFuncSetAttribute(kernel(function)?, attribute, value)
    }

    fn cudaFuncSetCacheConfig(function: *const c_void, config: c_int) {
        driver::cuFuncSetCacheConfig(kernel(function)?, config)
    }

    fn cudaFuncSetSharedMemConfig(function: *const c_void, config: c_int) {
        driver::cuFuncSetSharedMemConfig(kernel(function)?, config)
    }

    fn cudaFuncGetName(name: *mut *const c_char, function: *const c_void) {
        driver::cuFuncGetName(name, kernel(function)?)
    }

    fn cudaFuncGetParamInfo(function: *const c_void, index: usize, offset: *mut usize, size: *mut usize) {
        driver::cuFuncGetParamInfo(kernel(function)?, index, offset, size)
    }

    fn cudaFuncGetParamCount(function: *const c_void, count: *mut usize) {
        let function = kernel(function)?;
        let (mut known, mut offset, mut size) = (0, 0, 0);
        while driver::cuFuncGetParamInfo(function, known, &mut offset, &mut size).is_ok() {
            known += 1;
        }
        write(count, known)
    }

    fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: *mut c_int,
        function: *const c_void,
        threads: c_int,
        dynamic_shared: usize,
    ) {
        let function = kernel(function)?;
        driver::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared, 0)
    }

    fn cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: *mut c_int,
        function: *const c_void,
        threads: c_int,
        dynamic_shared: usize,
        flags: u32,
    ) {
        let function = kernel(function)?;
        driver::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            blocks, function, threads, dynamic_shared, flags,
        )
    }

    fn cudaOccupancyAvailableDynamicSMemPerBlock(
        bytes: *mut usize,
        function: *const c_void,
        blocks: c_int,
        threads: c_int,
    ) {
        driver::cuOccupancyAvailableDynamicSMemPerBlock(bytes, kernel(function)?, blocks, threads)
    }
}

/// # Safety
///
/// `config` is null or points to a configuration with its attributes; `arguments` has a pointer for each parameter of
/// the kernel.
unsafe fn launch_extended(
    config: *const Launch,
    function: *const c_void,
    arguments: *mut *mut c_void,
    stream_of: impl FnOnce(Stream) -> Stream,
) -> Outcome {
    // SAFETY: by the caller's promise.
    let Launch { grid, block, dynamic_shared, stream, attributes, count } = unsafe { read(config)? };
    let config = DriverLaunch {
        grid,
        block,
        dynamic_shared: u32::try_from(dynamic_shared).map_err(|_| Error::INVALID_VALUE)?,
        stream: stream_of(stream),
        attributes,
        count,
    };
    // SAFETY: by the caller's promise.
    let outcome =
        unsafe { driver::cuLaunchKernelEx(&config, kernel(function)?, arguments, std::ptr::null_mut()) };
    outcome.map_err(|error| explain(error, grid, block))
}

/// The attributes of a kernel.
fn attributes(function: Handle) -> Result<FunctionAttributes, Error> {
    let attribute = |number: c_int| {
        let mut value = 0;
        // SAFETY: the pointer is to a live integer.
        unsafe { driver::cuFuncGetAttribute(&mut value, number, function) }.map(|()| value)
    };
    // Drivers older than clusters do not have their attributes.
    let cluster = |number: c_int| attribute(number).unwrap_or(0);
    let bytes = |value: c_int| usize::try_from(value).unwrap_or(0);
    Ok(FunctionAttributes {
        static_shared: bytes(attribute(1)?),
        constant: bytes(attribute(2)?),
        local: bytes(attribute(3)?),
        max_threads: attribute(0)?,
        registers: attribute(4)?,
        ptx_version: attribute(5)?,
        binary_version: attribute(6)?,
        caches_globals: attribute(7)?,
        max_dynamic_shared: attribute(8)?,
        carveout: attribute(9)?,
        needs_cluster: cluster(10),
        cluster: [cluster(11), cluster(12), cluster(13)],
        cluster_policy: cluster(15),
        non_portable_cluster: cluster(14),
        reserved: [0; 16],
    })
}

//! The driver library, and its functions that this library calls.

use std::{
    ffi::{c_char, c_int, c_void},
    io::Write,
    sync::OnceLock,
};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use crate::{
    error::{Error, Outcome},
    layouts::{
        Address, DriverCopy2D, DriverCopy3D, DriverKernelNode, DriverLaunch, Handle, HostNode, MemsetNode,
        Stream,
    },
};

/// The driver library's name.
const NAME: &str = "libcuda.so.1";

macro_rules! driver {
    ($(fn $name:ident($($argument:ident: $ty:ty),* $(,)?);)*) => {
        /// The addresses of the driver's functions; `None` for those that it does not have.
        #[allow(non_snake_case, reason = "the names are CUDA's")]
        struct Functions {
            $($name: Option<unsafe extern "C" fn($($ty),*) -> c_int>,)*
        }

        impl Functions {
            /// Looks up all functions.
            ///
            /// # Safety
            ///
            /// The library is a CUDA driver: the functions have the signatures of `cuda.h`.
            unsafe fn of(library: &Library) -> Functions {
                Functions {
                    // SAFETY: by the caller's promise.
                    $($name: unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }
                        .ok().map(|symbol| *symbol),)*
                }
            }
        }

        $(
            /// The driver's function; its arguments are those in `cuda.h`.
            ///
            /// # Safety
            ///
            /// As CUDA's documentation of the function says.
            #[allow(non_snake_case, reason = "the names are CUDA's")]
            #[allow(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
            pub(crate) unsafe fn $name($($argument: $ty),*) -> Outcome {
                let function = functions()?.$name.ok_or(Error::NEWER_DRIVER_NEEDED)?;
                // SAFETY: by the caller's promise.
                Error::check(unsafe { function($($argument),*) })
            }
        )*
    };
}

driver! {
    fn cuDriverGetVersion(version: *mut c_int);
    fn cuGetProcAddress_v2(
        symbol: *const c_char, address: *mut *mut c_void, version: c_int, flags: u64, found: *mut c_int,
    );
    fn cuDeviceGetCount(count: *mut c_int);
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int);
    fn cuDeviceGetName(name: *mut c_char, capacity: c_int, device: c_int);
    fn cuDeviceGetUuid_v2(uuid: *mut [u8; 16], device: c_int);
    fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int);
    fn cuDeviceGetPCIBusId(text: *mut c_char, capacity: c_int, device: c_int);
    fn cuDeviceGetByPCIBusId(device: *mut c_int, text: *const c_char);
    fn cuDeviceGetP2PAttribute(value: *mut c_int, attribute: c_int, source: c_int, target: c_int);
    fn cuDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int);
    fn cuDeviceGetDefaultMemPool(pool: *mut Handle, device: c_int);
    fn cuDeviceGetMemPool(pool: *mut Handle, device: c_int);
    fn cuDeviceSetMemPool(device: c_int, pool: Handle);
    fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int);
    fn cuDevicePrimaryCtxReset_v2(device: c_int);
    fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: u32);
    fn cuDevicePrimaryCtxGetState(device: c_int, flags: *mut u32, active: *mut c_int);
    fn cuCtxGetCurrent(context: *mut Handle);
    fn cuCtxSetCurrent(context: Handle);
    fn cuCtxGetDevice(device: *mut c_int);
    fn cuCtxSynchronize();
    fn cuCtxGetLimit(value: *mut usize, limit: c_int);
    fn cuCtxSetLimit(limit: c_int, value: usize);
    fn cuCtxGetCacheConfig(config: *mut c_int);
    fn cuCtxSetCacheConfig(config: c_int);
    fn cuCtxGetSharedMemConfig(config: *mut c_int);
    fn cuCtxSetSharedMemConfig(config: c_int);
    fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int);
    fn cuCtxResetPersistingL2Cache();
    fn cuCtxEnablePeerAccess(context: Handle, flags: u32);
    fn cuCtxDisablePeerAccess(context: Handle);
    fn cuModuleLoadData(module: *mut Handle, image: *const c_void);
    fn cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char);
    fn cuModuleGetGlobal_v2(address: *mut Address, bytes: *mut usize, module: Handle, name: *const c_char);
    fn cuLibraryLoadData(
        library: *mut Handle, code: *const c_void,
        options: *mut c_int, values: *mut *mut c_void, count: u32,
        library_options: *mut c_int, library_values: *mut *mut c_void, library_count: u32,
    );
    fn cuLibraryLoadFromFile(
        library: *mut Handle, path: *const c_char,
        options: *mut c_int, values: *mut *mut c_void, count: u32,
        library_options: *mut c_int, library_values: *mut *mut c_void, library_count: u32,
    );
    fn cuLibraryUnload(library: Handle);
    fn cuLibraryGetKernel(kernel: *mut Handle, library: Handle, name: *const c_char);
    fn cuLibraryGetGlobal(address: *mut Address, bytes: *mut usize, library: Handle, name: *const c_char);
    fn cuLibraryGetModule(module: *mut Handle, library: Handle);
    fn cuModuleGetFunctionCount(count: *mut u32, module: Handle);
    fn cuKernelGetFunction(function: *mut Handle, kernel: Handle);
    fn cuKernelSetAttribute(attribute: c_int, value: c_int, kernel: Handle, device: c_int);
    fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: Handle);
    fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int);
    fn cuFuncSetCacheConfig(function: Handle, config: c_int);
    fn cuFuncSetSharedMemConfig(function: Handle, config: c_int);
    fn cuFuncGetName(name: *mut *const c_char, function: Handle);
    fn cuFuncGetParamInfo(function: Handle, index: usize, offset: *mut usize, size: *mut usize);
    fn cuLaunchKernel(
        function: Handle, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32, block_y: u32, block_z: u32,
        dynamic_shared: u32, stream: Stream, parameters: *mut *mut c_void, extra: *mut *mut c_void,
    );
    fn cuLaunchCooperativeKernel(
        function: Handle, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32, block_y: u32, block_z: u32,
        dynamic_shared: u32, stream: Stream, parameters: *mut *mut c_void,
    );
    fn cuLaunchKernelEx(
        config: *const DriverLaunch, function: Handle, parameters: *mut *mut c_void, extra: *mut *mut c_void,
    );
    fn cuLaunchHostFunc(
        stream: Stream, function: Option<unsafe extern "C" fn(*mut c_void)>, data: *mut c_void,
    );
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    fn cuMemAlloc_v2(address: *mut Address, bytes: usize);
    fn cuMemAllocPitch_v2(address: *mut Address, pitch: *mut usize, width: usize, height: usize, element: u32);
    fn cuMemFree_v2(address: Address);
    fn cuMemAllocManaged(address: *mut Address, bytes: usize, flags: u32);
    fn cuMemHostAlloc(address: *mut *mut c_void, bytes: usize, flags: u32);
    fn cuMemFreeHost(address: *mut c_void);
    fn cuMemHostRegister_v2(memory: *mut c_void, bytes: usize, flags: u32);
    fn cuMemHostUnregister(memory: *mut c_void);
    fn cuMemHostGetDevicePointer_v2(device: *mut Address, host: *mut c_void, flags: u32);
    fn cuMemHostGetFlags(flags: *mut u32, host: *mut c_void);
    fn cuMemAllocAsync(address: *mut Address, bytes: usize, stream: Stream);
    fn cuMemAllocFromPoolAsync(address: *mut Address, bytes: usize, pool: Handle, stream: Stream);
    fn cuMemFreeAsync(address: Address, stream: Stream);
    fn cuMemPoolCreate(pool: *mut Handle, properties: *const c_void);
    fn cuMemPoolDestroy(pool: Handle);
    fn cuMemPoolGetAccess(flags: *mut u64, pool: Handle, location: *const c_void);
    fn cuMemPoolSetAccess(pool: Handle, accesses: *const c_void, count: usize);
    fn cuMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void);
    fn cuMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void);
    fn cuMemPoolTrimTo(pool: Handle, bytes: usize);
    fn cuMemAdvise(address: Address, bytes: usize, advice: c_int, device: c_int);
    fn cuMemPrefetchAsync(address: Address, bytes: usize, device: c_int, stream: Stream);
    fn cuMemRangeGetAttribute(
        data: *mut c_void, data_bytes: usize, attribute: c_int, address: Address, bytes: usize,
    );
    fn cuPointerGetAttributes(count: u32, attributes: *const c_int, values: *const *mut c_void, address: Address);
    fn cuMemcpy(to: Address, from: Address, bytes: usize);
    fn cuMemcpyAsync(to: Address, from: Address, bytes: usize, stream: Stream);
    fn cuMemcpyHtoD_v2(to: Address, from: *const c_void, bytes: usize);
    fn cuMemcpyHtoDAsync_v2(to: Address, from: *const c_void, bytes: usize, stream: Stream);
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: Address, bytes: usize);
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: Address, bytes: usize, stream: Stream);
    fn cuMemcpyDtoD_v2(to: Address, from: Address, bytes: usize);
    fn cuMemcpyDtoDAsync_v2(to: Address, from: Address, bytes: usize, stream: Stream);
    fn cuMemcpyPeer(to: Address, to_context: Handle, from: Address, from_context: Handle, bytes: usize);
    fn cuMemcpyPeerAsync(
        to: Address, to_context: Handle, from: Address, from_context: Handle, bytes: usize, stream: Stream,
    );
    fn cuMemcpy2DUnaligned_v2(copy: *const DriverCopy2D);
    fn cuMemcpy2DAsync_v2(copy: *const DriverCopy2D, stream: Stream);
    fn cuMemcpy3D_v2(copy: *const DriverCopy3D);
    fn cuMemcpy3DAsync_v2(copy: *const DriverCopy3D, stream: Stream);
    fn cuMemsetD8_v2(address: Address, value: u8, count: usize);
    fn cuMemsetD8Async(address: Address, value: u8, count: usize, stream: Stream);
    fn cuMemsetD2D8_v2(address: Address, pitch: usize, value: u8, width: usize, height: usize);
    fn cuMemsetD2D8Async(
        address: Address, pitch: usize, value: u8, width: usize, height: usize, stream: Stream,
    );
    fn cuStreamCreateWithPriority(stream: *mut Stream, flags: u32, priority: c_int);
    fn cuStreamDestroy_v2(stream: Stream);
    fn cuStreamSynchronize(stream: Stream);
    fn cuStreamQuery(stream: Stream);
    fn cuStreamWaitEvent(stream: Stream, event: Handle, flags: u32);
    fn cuStreamAddCallback(
        stream: Stream, function: Option<unsafe extern "C" fn(usize, c_int, *mut c_void)>, data: *mut c_void,
        flags: u32,
    );
    fn cuStreamAttachMemAsync(stream: Stream, address: Address, bytes: usize, flags: u32);
    fn cuStreamGetFlags(stream: Stream, flags: *mut u32);
    fn cuStreamGetPriority(stream: Stream, priority: *mut c_int);
    fn cuStreamGetId(stream: Stream, id: *mut u64);
    fn cuStreamGetCtx(stream: Stream, context: *mut Handle);
    fn cuStreamIsCapturing(stream: Stream, status: *mut c_int);
    fn cuStreamGetCaptureInfo_v2(
        stream: Stream, status: *mut c_int, id: *mut u64, graph: *mut Handle, dependencies: *mut *const Handle,
        count: *mut usize,
    );
    fn cuThreadExchangeStreamCaptureMode(mode: *mut c_int);
    fn cuEventCreate(event: *mut Handle, flags: u32);
    fn cuEventDestroy_v2(event: Handle);
    fn cuEventRecordWithFlags(event: Handle, stream: Stream, flags: u32);
    fn cuEventQuery(event: Handle);
    fn cuEventSynchronize(event: Handle);
    fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle);
    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: *mut c_int, function: Handle, threads: c_int, dynamic_shared: usize, flags: u32,
    );
    fn cuOccupancyAvailableDynamicSMemPerBlock(
        bytes: *mut usize, function: Handle, blocks: c_int, threads: c_int,
    );
    fn cuStreamBeginCapture_v2(stream: Stream, mode: c_int);
    fn cuStreamEndCapture(stream: Stream, graph: *mut Handle);
    fn cuStreamUpdateCaptureDependencies(stream: Stream, nodes: *mut Handle, count: usize, flags: u32);
    fn cuGraphCreate(graph: *mut Handle, flags: u32);
    fn cuGraphDestroy(graph: Handle);
    fn cuGraphClone(clone: *mut Handle, graph: Handle);
    fn cuGraphNodeFindInClone(found: *mut Handle, node: Handle, clone: Handle);
    fn cuGraphAddKernelNode_v2(
        node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize, parameters: *const DriverKernelNode,
    );
    fn cuGraphAddMemcpyNode(
        node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize, copy: *const DriverCopy3D, context: Handle,
    );
    fn cuGraphAddMemsetNode(
        node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize, parameters: *const MemsetNode, context: Handle,
    );
    fn cuGraphAddHostNode(
        node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize, parameters: *const HostNode,
    );
    fn cuGraphAddEmptyNode(node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize);
    fn cuGraphAddChildGraphNode(
        node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize, child: Handle,
    );
    fn cuGraphAddEventRecordNode(
        node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize, event: Handle,
    );
    fn cuGraphAddEventWaitNode(
        node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize, event: Handle,
    );
    fn cuGraphChildGraphNodeGetGraph(node: Handle, graph: *mut Handle);
    fn cuGraphAddDependencies(graph: Handle, from: *const Handle, to: *const Handle, count: usize);
    fn cuGraphRemoveDependencies(graph: Handle, from: *const Handle, to: *const Handle, count: usize);
    fn cuGraphDestroyNode(node: Handle);
    fn cuGraphNodeGetType(node: Handle, kind: *mut c_int);
    fn cuGraphGetNodes(graph: Handle, nodes: *mut Handle, count: *mut usize);
    fn cuGraphGetRootNodes(graph: Handle, nodes: *mut Handle, count: *mut usize);
    fn cuGraphGetEdges(graph: Handle, from: *mut Handle, to: *mut Handle, count: *mut usize);
    fn cuGraphNodeGetDependencies(node: Handle, nodes: *mut Handle, count: *mut usize);
    fn cuGraphNodeGetDependentNodes(node: Handle, nodes: *mut Handle, count: *mut usize);
    fn cuGraphKernelNodeGetParams_v2(node: Handle, parameters: *mut DriverKernelNode);
    fn cuGraphKernelNodeSetParams_v2(node: Handle, parameters: *const DriverKernelNode);
    fn cuGraphMemcpyNodeSetParams(node: Handle, copy: *const DriverCopy3D);
    fn cuGraphMemsetNodeGetParams(node: Handle, parameters: *mut MemsetNode);
    fn cuGraphMemsetNodeSetParams(node: Handle, parameters: *const MemsetNode);
    fn cuGraphHostNodeGetParams(node: Handle, parameters: *mut HostNode);
    fn cuGraphHostNodeSetParams(node: Handle, parameters: *const HostNode);
    fn cuGraphEventRecordNodeGetEvent(node: Handle, event: *mut Handle);
    fn cuGraphEventRecordNodeSetEvent(node: Handle, event: Handle);
    fn cuGraphEventWaitNodeGetEvent(node: Handle, event: *mut Handle);
    fn cuGraphEventWaitNodeSetEvent(node: Handle, event: Handle);
    fn cuGraphInstantiateWithFlags(executable: *mut Handle, graph: Handle, flags: u64);
    fn cuGraphInstantiateWithParams(executable: *mut Handle, graph: Handle, parameters: *mut c_void);
    fn cuGraphExecGetFlags(executable: Handle, flags: *mut u64);
    fn cuGraphExecUpdate_v2(executable: Handle, graph: Handle, result: *mut c_void);
    fn cuGraphExecDestroy(executable: Handle);
    fn cuGraphExecKernelNodeSetParams_v2(executable: Handle, node: Handle, parameters: *const DriverKernelNode);
    fn cuGraphExecMemcpyNodeSetParams(
        executable: Handle, node: Handle, copy: *const DriverCopy3D, context: Handle,
    );
    fn cuGraphExecMemsetNodeSetParams(
        executable: Handle, node: Handle, parameters: *const MemsetNode, context: Handle,
    );
    fn cuGraphExecHostNodeSetParams(executable: Handle, node: Handle, parameters: *const HostNode);
    fn cuGraphExecChildGraphNodeSetParams(executable: Handle, node: Handle, child: Handle);
    fn cuGraphExecEventRecordNodeSetEvent(executable: Handle, node: Handle, event: Handle);
    fn cuGraphExecEventWaitNodeSetEvent(executable: Handle, node: Handle, event: Handle);
    fn cuGraphNodeSetEnabled(executable: Handle, node: Handle, enabled: u32);
    fn cuGraphNodeGetEnabled(executable: Handle, node: Handle, enabled: *mut u32);
    fn cuGraphUpload(executable: Handle, stream: Stream);
    fn cuGraphLaunch(executable: Handle, stream: Stream);
    fn cuProfilerStart();
    fn cuProfilerStop();
}

/// The functions of the driver, which is loaded and initialised by the first call.
fn functions() -> Result<&'static Functions, Error> {
    static DRIVER: OnceLock<Result<Functions, Error>> = OnceLock::new();
    DRIVER.get_or_init(open).as_ref().map_err(|&error| error)
}

fn open() -> Result<Functions, Error> {
    // SAFETY: loading runs the library's constructors. The name is the driver's own, and whoever controls what the
    // dynamic linker finds under it controls this process anyway.
    let library = unsafe { Library::open(Some(NAME), RTLD_NOW | RTLD_LOCAL) };
    let library = library.map_err(|error| {
        // The program learns only a number.
        let _ = writeln!(
            std::io::stderr(),
            "warpfold: no CUDA driver: {error}\n  (`warpfold run PROGRAM` runs a program on the emulated driver)"
        );
        Error::INSUFFICIENT_DRIVER
    })?;
    // SAFETY: the library has the driver's name, and this is the signature of cuInit in cuda.h.
    let (initialise, functions) = unsafe {
        let initialise = library.get::<unsafe extern "C" fn(u32) -> c_int>(b"cuInit\0");
        (initialise.map(|symbol| *symbol).map_err(|_| Error::INSUFFICIENT_DRIVER)?, Functions::of(&library))
    };
    // Destructors that run at exit may call the driver: it is never unloaded.
    std::mem::forget(library);
    // SAFETY: it takes flags, which must be 0, and may be called at any time.
    Error::check(unsafe { initialise(0) })?;
    Ok(functions)
}

//! The one list of entry points, and the table they are called through.

use std::{
    ffi::{CStr, c_char},
    fmt, ptr,
    sync::atomic::{AtomicI32, AtomicPtr, Ordering},
};

use crate::{log, status, status::Status};

/// Calls a macro with the name of every entry point of the driver, separated by spaces.
///
/// The list has what `cust_raw` declares, what LLVM's libomptarget looks up, and what programs that load the
/// driver themselves look up besides. The order is alphabetical and is the order of the table.
///
/// ```
/// macro_rules! count { ($($name:ident)*) => { [$(stringify!($name)),*].len() } }
/// assert_eq!(cuda_driver::for_each_entry_point!(count), cuda_driver::COUNT);
/// ```
#[macro_export]
macro_rules! for_each_entry_point {
    ($callback:ident) => {
        $callback! {
            cuArray3DCreate_v2 cuArray3DGetDescriptor_v2 cuArrayCreate_v2 cuArrayDestroy cuArrayGetDescriptor_v2
            cuArrayGetPlane cuArrayGetSparseProperties cuCtxAttach cuCtxCreate_v2 cuCtxCreate_v3 cuCtxCreate_v4
            cuCtxDestroy_v2 cuCtxDetach cuCtxDisablePeerAccess cuCtxEnablePeerAccess cuCtxGetApiVersion
            cuCtxGetCacheConfig cuCtxGetCurrent cuCtxGetDevice cuCtxGetExecAffinity cuCtxGetFlags cuCtxGetId
            cuCtxGetLimit cuCtxGetSharedMemConfig cuCtxGetStreamPriorityRange cuCtxPopCurrent_v2 cuCtxPushCurrent_v2
            cuCtxResetPersistingL2Cache cuCtxSetCacheConfig cuCtxSetCurrent cuCtxSetLimit cuCtxSetSharedMemConfig
            cuCtxSynchronize cuDestroyExternalMemory cuDestroyExternalSemaphore cuDeviceCanAccessPeer
            cuDeviceComputeCapability cuDeviceGet cuDeviceGetAttribute cuDeviceGetByPCIBusId cuDeviceGetCount
            cuDeviceGetDefaultMemPool cuDeviceGetExecAffinitySupport cuDeviceGetGraphMemAttribute cuDeviceGetLuid
            cuDeviceGetMemPool cuDeviceGetName cuDeviceGetNvSciSyncAttributes cuDeviceGetP2PAttribute
            cuDeviceGetPCIBusId cuDeviceGetProperties cuDeviceGetTexture1DLinearMaxWidth cuDeviceGetUuid
            cuDeviceGetUuid_v2 cuDeviceGraphMemTrim cuDevicePrimaryCtxGetState cuDevicePrimaryCtxRelease_v2
            cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxRetain cuDevicePrimaryCtxSetFlags_v2
            cuDeviceSetGraphMemAttribute cuDeviceSetMemPool cuDeviceTotalMem_v2 cuDriverGetVersion cuEventCreate
            cuEventDestroy cuEventDestroy_v2 cuEventElapsedTime cuEventElapsedTime_v2 cuEventQuery cuEventRecord
            cuEventRecordWithFlags cuEventSynchronize cuExternalMemoryGetMappedBuffer
            cuExternalMemoryGetMappedMipmappedArray cuFlushGPUDirectRDMAWrites cuFuncGetAttribute cuFuncGetModule
            cuFuncGetName cuFuncGetParamInfo cuFuncIsLoaded cuFuncLoad cuFuncSetAttribute cuFuncSetBlockShape
            cuFuncSetCacheConfig cuFuncSetSharedMemConfig cuFuncSetSharedSize cuGetErrorName cuGetErrorString
            cuGetExportTable cuGetProcAddress cuGetProcAddress_v2 cuGraphAddChildGraphNode cuGraphAddDependencies
            cuGraphAddDependencies_v2 cuGraphAddEmptyNode cuGraphAddEventRecordNode cuGraphAddEventWaitNode
            cuGraphAddExternalSemaphoresSignalNode cuGraphAddExternalSemaphoresWaitNode cuGraphAddHostNode
            cuGraphAddKernelNode cuGraphAddKernelNode_v2 cuGraphAddMemAllocNode cuGraphAddMemFreeNode
            cuGraphAddMemcpyNode cuGraphAddMemsetNode cuGraphChildGraphNodeGetGraph cuGraphClone cuGraphCreate
            cuGraphDebugDotPrint cuGraphDestroy cuGraphDestroyNode cuGraphEventRecordNodeGetEvent
            cuGraphEventRecordNodeSetEvent cuGraphEventWaitNodeGetEvent cuGraphEventWaitNodeSetEvent
            cuGraphExecChildGraphNodeSetParams cuGraphExecDestroy cuGraphExecEventRecordNodeSetEvent
            cuGraphExecEventWaitNodeSetEvent cuGraphExecExternalSemaphoresSignalNodeSetParams
            cuGraphExecExternalSemaphoresWaitNodeSetParams cuGraphExecGetFlags cuGraphExecHostNodeSetParams
            cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2 cuGraphExecMemcpyNodeSetParams
            cuGraphExecMemsetNodeSetParams cuGraphExecUpdate cuGraphExecUpdate_v2
            cuGraphExternalSemaphoresSignalNodeGetParams cuGraphExternalSemaphoresSignalNodeSetParams
            cuGraphExternalSemaphoresWaitNodeGetParams cuGraphExternalSemaphoresWaitNodeSetParams cuGraphGetEdges
            cuGraphGetEdges_v2 cuGraphGetNodes cuGraphGetRootNodes cuGraphHostNodeGetParams cuGraphHostNodeSetParams
            cuGraphInstantiateWithFlags cuGraphInstantiateWithParams cuGraphInstantiate_v2
            cuGraphKernelNodeCopyAttributes cuGraphKernelNodeGetAttribute cuGraphKernelNodeGetParams
            cuGraphKernelNodeGetParams_v2 cuGraphKernelNodeSetAttribute cuGraphKernelNodeSetParams
            cuGraphKernelNodeSetParams_v2 cuGraphLaunch cuGraphMemAllocNodeGetParams cuGraphMemFreeNodeGetParams
            cuGraphMemcpyNodeGetParams cuGraphMemcpyNodeSetParams cuGraphMemsetNodeGetParams cuGraphMemsetNodeSetParams
            cuGraphNodeFindInClone cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2 cuGraphNodeGetDependentNodes
            cuGraphNodeGetDependentNodes_v2 cuGraphNodeGetEnabled cuGraphNodeGetType cuGraphNodeSetEnabled
            cuGraphReleaseUserObject cuGraphRemoveDependencies cuGraphRemoveDependencies_v2 cuGraphRetainUserObject
            cuGraphUpload cuGraphicsMapResources cuGraphicsResourceGetMappedMipmappedArray
            cuGraphicsResourceGetMappedPointer_v2 cuGraphicsResourceSetMapFlags_v2 cuGraphicsSubResourceGetMappedArray
            cuGraphicsUnmapResources cuGraphicsUnregisterResource cuImportExternalMemory cuImportExternalSemaphore
            cuInit cuIpcCloseMemHandle cuIpcGetEventHandle cuIpcGetMemHandle cuIpcOpenEventHandle cuIpcOpenMemHandle_v2
            cuKernelGetAttribute cuKernelGetFunction cuKernelGetLibrary cuKernelGetName cuKernelGetParamInfo
            cuKernelSetAttribute cuKernelSetCacheConfig cuLaunch cuLaunchCooperativeKernel
            cuLaunchCooperativeKernelMultiDevice cuLaunchGrid cuLaunchGridAsync cuLaunchHostFunc cuLaunchKernel
            cuLaunchKernelEx cuLibraryGetGlobal cuLibraryGetKernel cuLibraryGetModule cuLibraryLoadData
            cuLibraryLoadFromFile cuLibraryUnload cuLinkAddData_v2 cuLinkAddFile_v2 cuLinkComplete cuLinkCreate_v2
            cuLinkDestroy cuMemAddressFree cuMemAddressReserve cuMemAdvise cuMemAdvise_v2 cuMemAllocAsync
            cuMemAllocFromPoolAsync cuMemAllocHost_v2 cuMemAllocManaged cuMemAllocPitch_v2 cuMemAlloc_v2 cuMemCreate
            cuMemExportToShareableHandle cuMemFreeAsync cuMemFreeHost cuMemFree_v2 cuMemGetAccess
            cuMemGetAddressRange_v2 cuMemGetAllocationGranularity cuMemGetAllocationPropertiesFromHandle cuMemGetInfo_v2
            cuMemHostAlloc cuMemHostGetDevicePointer_v2 cuMemHostGetFlags cuMemHostRegister_v2 cuMemHostUnregister
            cuMemImportFromShareableHandle cuMemMap cuMemMapArrayAsync cuMemPoolCreate cuMemPoolDestroy
            cuMemPoolExportPointer cuMemPoolExportToShareableHandle cuMemPoolGetAccess cuMemPoolGetAttribute
            cuMemPoolImportFromShareableHandle cuMemPoolImportPointer cuMemPoolSetAccess cuMemPoolSetAttribute
            cuMemPoolTrimTo cuMemPrefetchAsync cuMemPrefetchAsync_v2 cuMemRangeGetAttribute cuMemRangeGetAttributes
            cuMemRelease cuMemRetainAllocationHandle cuMemSetAccess cuMemUnmap cuMemcpy cuMemcpy2DAsync_v2
            cuMemcpy2DUnaligned_v2 cuMemcpy2D_v2 cuMemcpy3DAsync_v2 cuMemcpy3DPeer cuMemcpy3DPeerAsync cuMemcpy3D_v2
            cuMemcpyAsync cuMemcpyAtoA_v2 cuMemcpyAtoD_v2 cuMemcpyAtoHAsync_v2 cuMemcpyAtoH_v2 cuMemcpyDtoA_v2
            cuMemcpyDtoDAsync_v2 cuMemcpyDtoD_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoH_v2 cuMemcpyHtoAAsync_v2
            cuMemcpyHtoA_v2 cuMemcpyHtoDAsync_v2 cuMemcpyHtoD_v2 cuMemcpyPeer cuMemcpyPeerAsync cuMemsetD16Async
            cuMemsetD16_v2 cuMemsetD2D16Async cuMemsetD2D16_v2 cuMemsetD2D32Async cuMemsetD2D32_v2 cuMemsetD2D8Async
            cuMemsetD2D8_v2 cuMemsetD32Async cuMemsetD32_v2 cuMemsetD8Async cuMemsetD8_v2 cuMipmappedArrayCreate
            cuMipmappedArrayDestroy cuMipmappedArrayGetLevel cuMipmappedArrayGetSparseProperties cuModuleGetFunction
            cuModuleGetFunctionCount cuModuleGetGlobal_v2 cuModuleGetLoadingMode cuModuleGetSurfRef cuModuleGetTexRef
            cuModuleLoad cuModuleLoadData cuModuleLoadDataEx cuModuleLoadFatBinary cuModuleUnload
            cuOccupancyAvailableDynamicSMemPerBlock cuOccupancyMaxActiveBlocksPerMultiprocessor
            cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cuOccupancyMaxPotentialBlockSize
            cuOccupancyMaxPotentialBlockSizeWithFlags cuParamSetSize cuParamSetTexRef cuParamSetf cuParamSeti
            cuParamSetv cuPointerGetAttribute cuPointerGetAttributes cuPointerSetAttribute cuProfilerInitialize
            cuProfilerStart cuProfilerStop cuSignalExternalSemaphoresAsync cuStreamAddCallback cuStreamAttachMemAsync
            cuStreamBatchMemOp cuStreamBeginCapture_v2 cuStreamCopyAttributes cuStreamCreate cuStreamCreateWithPriority
            cuStreamDestroy_v2 cuStreamEndCapture cuStreamGetAttribute cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
            cuStreamGetCaptureInfo_v3 cuStreamGetCtx cuStreamGetFlags cuStreamGetId cuStreamGetPriority
            cuStreamIsCapturing cuStreamQuery cuStreamSetAttribute cuStreamSynchronize cuStreamUpdateCaptureDependencies
            cuStreamWaitEvent cuStreamWaitValue32 cuStreamWaitValue64 cuStreamWriteValue32 cuStreamWriteValue64
            cuSurfObjectCreate cuSurfObjectDestroy cuSurfObjectGetResourceDesc cuSurfRefGetArray cuSurfRefSetArray
            cuTexObjectCreate cuTexObjectDestroy cuTexObjectGetResourceDesc cuTexObjectGetResourceViewDesc
            cuTexObjectGetTextureDesc cuTexRefCreate cuTexRefDestroy cuTexRefGetAddressMode cuTexRefGetAddress_v2
            cuTexRefGetArray cuTexRefGetBorderColor cuTexRefGetFilterMode cuTexRefGetFlags cuTexRefGetFormat
            cuTexRefGetMaxAnisotropy cuTexRefGetMipmapFilterMode cuTexRefGetMipmapLevelBias cuTexRefGetMipmapLevelClamp
            cuTexRefGetMipmappedArray cuTexRefSetAddress2D_v3 cuTexRefSetAddressMode cuTexRefSetAddress_v2
            cuTexRefSetArray cuTexRefSetBorderColor cuTexRefSetFilterMode cuTexRefSetFlags cuTexRefSetFormat
            cuTexRefSetMaxAnisotropy cuTexRefSetMipmapFilterMode cuTexRefSetMipmapLevelBias cuTexRefSetMipmapLevelClamp
            cuTexRefSetMipmappedArray cuThreadExchangeStreamCaptureMode cuUserObjectCreate cuUserObjectRelease
            cuUserObjectRetain cuWaitExternalSemaphoresAsync
        }
    };
}

macro_rules! declare {
    ($($name:ident)*) => {
        /// An entry point of the driver; as a number, its index in [`TABLE`].
        #[allow(non_camel_case_types, missing_docs, reason = "the names are CUDA's")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum EntryPoint { $($name),* }

        /// How many entry points there are.
        pub const COUNT: usize = EntryPoint::ALL.len();

        impl EntryPoint {
            /// Every entry point, in the order of the table.
            pub const ALL: &[EntryPoint] = &[$(EntryPoint::$name),*];
            const NAMES: &[&str] = &[$(stringify!($name)),*];
        }

        /// The functions in the table until [`crate::init`] has chosen a driver.
        #[allow(non_snake_case, reason = "the names are CUDA's")]
        #[expect(dead_code, reason = "two entries of the table are other functions")]
        mod uninitialised {
            $(pub(super) extern "C" fn $name() -> i32 { super::call_before_init(stringify!($name)) })*
        }

        /// The functions in the table for entry points that the chosen driver does not have.
        #[allow(non_snake_case, reason = "the names are CUDA's")]
        mod missing {
            $(pub(super) extern "C" fn $name() -> i32 { super::call_of_missing(stringify!($name)) })*
        }

        /// The address of each entry point in the chosen driver, in the order of [`EntryPoint::ALL`].
        ///
        /// Until [`crate::init`] fills it, an entry holds a function that reads no argument and returns
        /// `CUDA_ERROR_NOT_INITIALIZED`; only the names and texts of errors work before.
        pub static TABLE: [AtomicPtr<()>; COUNT] = [$(AtomicPtr::new(before_init!($name))),*];

        static MISSING: [extern "C" fn() -> i32; COUNT] = [$(missing::$name),*];
    };
}

/// The address of an entry point before [`crate::init`]. Bindings look up the text of an error when they show
/// it, also that of the error that no driver was chosen yet.
macro_rules! before_init {
    (cuGetErrorName) => {
        error_name as unsafe extern "C" fn(i32, _) -> i32 as *mut ()
    };
    (cuGetErrorString) => {
        error_text as unsafe extern "C" fn(i32, _) -> i32 as *mut ()
    };
    ($name:ident) => {
        uninitialised::$name as extern "C" fn() -> i32 as *mut ()
    };
}

for_each_entry_point!(declare);

impl EntryPoint {
    /// The symbol, such as `cuMemAlloc_v2`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The entry point of this name.
    pub fn find(name: &str) -> Option<EntryPoint> {
        Self::NAMES.iter().position(|known| *known == name).map(|at| Self::ALL[at])
    }

    /// The address in the chosen driver.
    pub fn address(self) -> *mut () {
        TABLE[self as usize].load(Ordering::Acquire)
    }

    /// Whether the chosen driver has it.
    pub(crate) fn is_available(self) -> bool {
        self.address() != MISSING[self as usize] as *mut ()
    }

    /// Puts an address into the table; `None` for an entry point that the driver does not have.
    pub(crate) fn set(self, address: Option<*mut ()>) {
        let missing = MISSING[self as usize] as *mut ();
        TABLE[self as usize].store(address.unwrap_or(missing), Ordering::Release);
    }
}

/// Sets what calls of missing entry points return.
pub(crate) fn set_missing_status(status: Status) {
    MISSING_STATUS.store(status.code(), Ordering::Relaxed);
}

/// What calls of entry points return that the chosen driver does not have.
static MISSING_STATUS: AtomicI32 = AtomicI32::new(Status::NOT_SUPPORTED.code());

impl fmt::Display for EntryPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn call_before_init(name: &str) -> i32 {
    log::call(format_args!("{name} was called before a driver was chosen"));
    Status::NOT_INITIALIZED.code()
}

fn call_of_missing(name: &str) -> i32 {
    log::call(format_args!("this driver does not have {name}"));
    MISSING_STATUS.load(Ordering::Relaxed)
}

/// `cuGetErrorName` before a driver is chosen.
unsafe extern "C" fn error_name(code: i32, name: *mut *const c_char) -> i32 {
    // SAFETY: by the promise of this function's caller.
    unsafe { write_string("cuGetErrorName", code, name, status::strings(code).map(|(name, _)| name)) }
}

/// `cuGetErrorString` before a driver is chosen.
unsafe extern "C" fn error_text(code: i32, text: *mut *const c_char) -> i32 {
    // SAFETY: by the promise of this function's caller.
    unsafe { write_string("cuGetErrorString", code, text, status::strings(code).map(|(_, text)| text)) }
}

/// Logs the call, and writes the address of a string, or null for an unknown code; returns the result code of
/// the call.
///
/// # Safety
///
/// `to` is null or valid for a write.
unsafe fn write_string(name: &str, code: i32, to: *mut *const c_char, text: Option<&'static CStr>) -> i32 {
    log::call(format_args!("{name}(code={code}, text={to:?})"));
    if to.is_null() {
        return Status::INVALID_VALUE.code();
    }
    // SAFETY: not null, so valid for a write by the caller's promise.
    unsafe { to.write_unaligned(text.map_or(ptr::null(), CStr::as_ptr)) };
    if text.is_some() { 0 } else { Status::INVALID_VALUE.code() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_names_are_found() {
        assert!(EntryPoint::NAMES.is_sorted());
        for &entry in EntryPoint::ALL {
            assert_eq!(EntryPoint::find(entry.name()), Some(entry));
        }
        assert_eq!(EntryPoint::find("cuNoSuchThing"), None);
    }
}

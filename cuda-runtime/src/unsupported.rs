//! Functions of the interface that this library does not have: each returns `cudaErrorNotSupported`, and says once
//! what is missing.

use std::{
    collections::BTreeSet,
    ffi::c_int,
    io::Write,
    sync::{Mutex, PoisonError},
};

use crate::error::{self, Error};

/// Says once that a function is missing, and what programs can do.
pub(crate) fn say(function: &'static str, reason: &str) {
    static SAID: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(function) {
        // The program learns only a number; a message that cannot be written changes nothing.
        let _ = writeln!(std::io::stderr(), "warpfold: {function} is not supported: {reason}");
    }
}

macro_rules! unsupported {
    ($($reason:ident: $($name:ident)*;)*) => {
        $($(
            #[doc = concat!("`", stringify!($name), "` of the CUDA runtime API: not supported.")]
            ///
            /// # Safety
            ///
            /// None: it reads no argument.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name() -> c_int {
                say(stringify!($name), $reason);
                error::remember(Error::NOT_SUPPORTED);
                Error::NOT_SUPPORTED.code()
            }
        )*)*
    };
}

pub(crate) const ARRAYS: &str = "there are no textures, surfaces and CUDA arrays; read linear memory instead";
const GRAPHS: &str = "graphs have kernels, copies, fills, host functions, events and graphs only; no memory, conditions, \
    semaphores or user objects";
const PROCESSES: &str = "memory and events are not shared between processes";
const GRAPHICS: &str = "there is no graphics (OpenGL, EGL, VDPAU, external memory)";
const PARTS: &str = "devices are not divided (green contexts, resources, subgrids, clusters)";
const BATCHES: &str = "there are no batches of operations; call the operation for each part";
const DEVICES: &str = "only one device can be chosen at a time; call cudaSetDevice";
const LOGS: &str = "there is no log of the driver; `WARPFOLD_LOG=driver` shows its calls";
const NOTIFICATIONS: &str = "no device sends notifications";
const ATOMICS: &str = "what atomic operations devices have is not told";
const ATTRIBUTES: &str = "streams have no attributes here";
const TABLES: &str = "tables of undocumented functions belong to NVIDIA's library";
const ENUMERATION: &str = "kernels are found by name: call cudaLibraryGetKernel";

unsupported! {
    ARRAYS:
        cudaArrayGetInfo cudaArrayGetMemoryRequirements cudaArrayGetPlane cudaArrayGetSparseProperties
        cudaCreateSurfaceObject cudaCreateTextureObject cudaDestroySurfaceObject cudaDestroyTextureObject
        cudaDeviceGetTexture1DLinearMaxWidth cudaFreeArray cudaFreeMipmappedArray cudaGetChannelDesc
        cudaGetMipmappedArrayLevel cudaGetSurfaceObjectResourceDesc cudaGetTextureObjectResourceDesc
        cudaGetTextureObjectResourceViewDesc cudaGetTextureObjectTextureDesc cudaMalloc3DArray cudaMallocArray
        cudaMallocMipmappedArray cudaMemcpy2DArrayToArray cudaMemcpy2DArrayToArray_ptds cudaMemcpy2DFromArray
        cudaMemcpy2DFromArrayAsync cudaMemcpy2DFromArrayAsync_ptsz cudaMemcpy2DFromArray_ptds cudaMemcpy2DToArray
        cudaMemcpy2DToArrayAsync cudaMemcpy2DToArrayAsync_ptsz cudaMemcpy2DToArray_ptds cudaMemcpyArrayToArray
        cudaMemcpyArrayToArray_ptds cudaMemcpyFromArray cudaMemcpyFromArrayAsync cudaMemcpyFromArrayAsync_ptsz
        cudaMemcpyFromArray_ptds cudaMemcpyToArray cudaMemcpyToArrayAsync cudaMemcpyToArrayAsync_ptsz
        cudaMemcpyToArray_ptds cudaMipmappedArrayGetMemoryRequirements cudaMipmappedArrayGetSparseProperties;
    GRAPHS:
        cudaDeviceGetGraphMemAttribute cudaDeviceGraphMemTrim cudaDeviceSetGraphMemAttribute
        cudaGraphAddExternalSemaphoresSignalNode cudaGraphAddExternalSemaphoresWaitNode cudaGraphAddMemAllocNode
        cudaGraphAddMemFreeNode cudaGraphAddNode cudaGraphAddNode_v2 cudaGraphConditionalHandleCreate
        cudaGraphConditionalHandleCreate_v2 cudaGraphDebugDotPrint
        cudaGraphExecExternalSemaphoresSignalNodeSetParams cudaGraphExecExternalSemaphoresWaitNodeSetParams
        cudaGraphExecGetId cudaGraphExecMemcpyNodeSetParamsFromSymbol cudaGraphExecMemcpyNodeSetParamsToSymbol
        cudaGraphExecNodeSetParams cudaGraphExternalSemaphoresSignalNodeGetParams
        cudaGraphExternalSemaphoresSignalNodeSetParams cudaGraphExternalSemaphoresWaitNodeGetParams
        cudaGraphExternalSemaphoresWaitNodeSetParams cudaGraphGetId cudaGraphKernelNodeCopyAttributes
        cudaGraphKernelNodeGetAttribute cudaGraphKernelNodeSetAttribute cudaGraphMemAllocNodeGetParams
        cudaGraphMemFreeNodeGetParams cudaGraphMemcpyNodeGetParams cudaGraphMemcpyNodeSetParamsFromSymbol
        cudaGraphMemcpyNodeSetParamsToSymbol cudaGraphNodeGetContainingGraph cudaGraphNodeGetLocalId
        cudaGraphNodeGetParams cudaGraphNodeGetToolsId cudaGraphNodeSetParams cudaGraphReleaseUserObject
        cudaGraphRetainUserObject cudaStreamBeginCaptureToGraph cudaStreamBeginCaptureToGraph_ptsz
        cudaStreamBeginRecaptureToGraph cudaStreamBeginRecaptureToGraph_ptsz cudaStreamGetCaptureInfo_ptsz
        cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo_v3_ptsz cudaStreamUpdateCaptureDependencies
        cudaStreamUpdateCaptureDependencies_ptsz cudaUserObjectCreate cudaUserObjectRelease cudaUserObjectRetain;
    PROCESSES:
        cudaIpcCloseMemHandle cudaIpcGetEventHandle cudaIpcGetMemHandle cudaIpcOpenEventHandle
        cudaIpcOpenMemHandle cudaMemPoolExportPointer cudaMemPoolExportToShareableHandle
        cudaMemPoolImportFromShareableHandle cudaMemPoolImportPointer;
    GRAPHICS:
        cudaDestroyExternalMemory cudaDestroyExternalSemaphore cudaDeviceGetNvSciSyncAttributes
        cudaEGLStreamConsumerAcquireFrame cudaEGLStreamConsumerConnect cudaEGLStreamConsumerConnectWithFlags
        cudaEGLStreamConsumerDisconnect cudaEGLStreamConsumerReleaseFrame cudaEGLStreamProducerConnect
        cudaEGLStreamProducerDisconnect cudaEGLStreamProducerPresentFrame cudaEGLStreamProducerReturnFrame
        cudaEventCreateFromEGLSync cudaExternalMemoryGetMappedBuffer cudaExternalMemoryGetMappedMipmappedArray
        cudaGLGetDevices cudaGLMapBufferObject cudaGLMapBufferObjectAsync cudaGLRegisterBufferObject
        cudaGLSetBufferObjectMapFlags cudaGLSetGLDevice cudaGLUnmapBufferObject cudaGLUnmapBufferObjectAsync
        cudaGLUnregisterBufferObject cudaGraphicsEGLRegisterImage cudaGraphicsGLRegisterBuffer
        cudaGraphicsGLRegisterImage cudaGraphicsMapResources cudaGraphicsResourceGetMappedEglFrame
        cudaGraphicsResourceGetMappedMipmappedArray cudaGraphicsResourceGetMappedPointer
        cudaGraphicsResourceSetMapFlags cudaGraphicsSubResourceGetMappedArray cudaGraphicsUnmapResources
        cudaGraphicsUnregisterResource cudaGraphicsVDPAURegisterOutputSurface
        cudaGraphicsVDPAURegisterVideoSurface cudaImportExternalMemory cudaImportExternalSemaphore
        cudaSignalExternalSemaphoresAsync cudaSignalExternalSemaphoresAsync_ptsz
        cudaSignalExternalSemaphoresAsync_v2 cudaSignalExternalSemaphoresAsync_v2_ptsz cudaVDPAUGetDevice
        cudaVDPAUSetVDPAUDevice cudaWaitExternalSemaphoresAsync cudaWaitExternalSemaphoresAsync_ptsz
        cudaWaitExternalSemaphoresAsync_v2 cudaWaitExternalSemaphoresAsync_v2_ptsz;
    PARTS:
        cudaDevResourceGenerateDesc cudaDevSmResourceSplit cudaDevSmResourceSplitByCount
        cudaDeviceGetDevResource cudaDeviceGetExecutionCtx cudaExecutionCtxDestroy
        cudaExecutionCtxGetDevResource cudaExecutionCtxGetDevice cudaExecutionCtxGetId
        cudaExecutionCtxRecordEvent cudaExecutionCtxStreamCreate cudaExecutionCtxSynchronize
        cudaExecutionCtxWaitEvent cudaGreenCtxCreate cudaOccupancyMaxActiveClusters
        cudaOccupancyMaxPotentialClusterSize cudaStreamGetDevResource cudaStreamGetDevResource_ptsz
        cudaSubgridCreate cudaSubgridWorkerGridCreate cudaSubgridWorksetCreate;
    BATCHES:
        cudaMemDiscardAndPrefetchBatchAsync cudaMemDiscardAndPrefetchBatchAsync_ptsz cudaMemDiscardBatchAsync
        cudaMemDiscardBatchAsync_ptsz cudaMemGetLocationInfo cudaMemPrefetchBatchAsync
        cudaMemPrefetchBatchAsync_ptsz cudaMemcpy3DBatchAsync cudaMemcpy3DBatchAsync_ptsz
        cudaMemcpy3DWithAttributesAsync cudaMemcpy3DWithAttributesAsync_ptsz cudaMemcpyBatchAsync
        cudaMemcpyBatchAsync_ptsz;
    DEVICES:
        cudaLaunchCooperativeKernelMultiDevice cudaSetValidDevices;
    LOGS:
        cudaLogsCurrent cudaLogsDumpToFile cudaLogsDumpToMemory cudaLogsRegisterCallback
        cudaLogsUnregisterCallback;
    NOTIFICATIONS:
        cudaDeviceRegisterAsyncNotification cudaDeviceUnregisterAsyncNotification;
    ATOMICS:
        cudaDeviceGetHostAtomicCapabilities cudaDeviceGetP2PAtomicCapabilities;
    ATTRIBUTES:
        cudaStreamCopyAttributes cudaStreamCopyAttributes_ptsz cudaStreamGetAttribute
        cudaStreamGetAttribute_ptsz cudaStreamSetAttribute cudaStreamSetAttribute_ptsz;
    TABLES:
        cudaGetExportTable;
    ENUMERATION:
        cudaLibraryEnumerateKernels cudaLibraryGetManaged cudaLibraryGetUnifiedFunction;
}

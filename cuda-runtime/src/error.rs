//! Error codes of the runtime API (`cudaError_t`), and each thread's last error.

use std::{
    cell::Cell,
    ffi::{CStr, c_char, c_int},
};

/// An error of the runtime API. A driver's code (`CUresult`) is the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Error(c_int);

/// What a call returns.
pub(crate) type Outcome = Result<(), Error>;

macro_rules! errors {
    ($($code:literal $name:literal $text:literal;)*) => {
        /// Codes, names and texts, in the order of the codes.
        const KNOWN: &[(c_int, &CStr, &CStr)] = &[$(($code, $name, $text)),*];
    };
}

errors! {
    0 c"cudaSuccess" c"no error";
    1 c"cudaErrorInvalidValue" c"invalid argument";
    2 c"cudaErrorMemoryAllocation" c"out of memory";
    3 c"cudaErrorInitializationError" c"the driver cannot be used";
    4 c"cudaErrorCudartUnloading" c"the driver is shutting down";
    5 c"cudaErrorProfilerDisabled" c"profiling is not enabled";
    6 c"cudaErrorProfilerNotInitialized" c"the profiler is not initialised";
    7 c"cudaErrorProfilerAlreadyStarted" c"the profiler runs already";
    8 c"cudaErrorProfilerAlreadyStopped" c"the profiler is stopped already";
    9 c"cudaErrorInvalidConfiguration" c"invalid configuration argument: the device cannot launch this grid or block";
    10 c"cudaErrorVersionTranslation" c"a structure of another version cannot be converted";
    12 c"cudaErrorInvalidPitchValue" c"the pitch is too small or too large";
    13 c"cudaErrorInvalidSymbol" c"invalid device symbol: no variable is registered at this address";
    16 c"cudaErrorInvalidHostPointer" c"invalid host pointer";
    17 c"cudaErrorInvalidDevicePointer" c"invalid device pointer";
    18 c"cudaErrorInvalidTexture" c"invalid texture";
    19 c"cudaErrorInvalidTextureBinding" c"the texture is not bound";
    20 c"cudaErrorInvalidChannelDescriptor" c"invalid channel descriptor";
    21 c"cudaErrorInvalidMemcpyDirection" c"invalid direction of a copy";
    22 c"cudaErrorAddressOfConstant" c"the address of constant memory was taken";
    23 c"cudaErrorTextureFetchFailed" c"a texture could not be read";
    24 c"cudaErrorTextureNotBound" c"a texture is not bound";
    25 c"cudaErrorSynchronizationError" c"synchronisation failed";
    26 c"cudaErrorInvalidFilterSetting" c"a texture of this type cannot be filtered";
    27 c"cudaErrorInvalidNormSetting" c"a texture of this type cannot be read as normalised numbers";
    28 c"cudaErrorMixedDeviceExecution" c"device code and its emulation were mixed";
    31 c"cudaErrorNotYetImplemented" c"not implemented";
    32 c"cudaErrorMemoryValueTooLarge" c"an address is too large";
    34 c"cudaErrorStubLibrary" c"the driver library is a stub for linking";
    35 c"cudaErrorInsufficientDriver" c"no driver library was found, or it is older than this runtime library";
    36 c"cudaErrorCallRequiresNewerDriver" c"the driver library does not have this function";
    37 c"cudaErrorInvalidSurface" c"invalid surface";
    43 c"cudaErrorDuplicateVariableName" c"two variables have the same name";
    44 c"cudaErrorDuplicateTextureName" c"two textures have the same name";
    45 c"cudaErrorDuplicateSurfaceName" c"two surfaces have the same name";
    46 c"cudaErrorDevicesUnavailable" c"all devices are busy or unavailable";
    49 c"cudaErrorIncompatibleDriverContext" c"the current context cannot be used by the runtime";
    52 c"cudaErrorMissingConfiguration" c"a kernel was launched without a configuration";
    53 c"cudaErrorPriorLaunchFailure" c"an earlier launch failed";
    65 c"cudaErrorLaunchMaxDepthExceeded" c"kernels launched kernels too deep";
    66 c"cudaErrorLaunchFileScopedTex" c"a kernel that was launched by a kernel uses a texture of file scope";
    67 c"cudaErrorLaunchFileScopedSurf" c"a kernel that was launched by a kernel uses a surface of file scope";
    68 c"cudaErrorSyncDepthExceeded" c"kernels wait for kernels too deep";
    69 c"cudaErrorLaunchPendingCountExceeded" c"too many launches of kernels wait";
    98 c"cudaErrorInvalidDeviceFunction" c"invalid device function: no kernel is registered at this address";
    100 c"cudaErrorNoDevice" c"no CUDA-capable device is detected";
    101 c"cudaErrorInvalidDevice" c"invalid device ordinal";
    102 c"cudaErrorDeviceNotLicensed" c"the device has no licence";
    103 c"cudaErrorSoftwareValidityNotEstablished" c"the software's validity is not established";
    127 c"cudaErrorStartupFailure" c"the runtime library could not start";
    200 c"cudaErrorInvalidKernelImage" c"the device code is damaged";
    201 c"cudaErrorDeviceUninitialized" c"no context is current, or it is invalid";
    205 c"cudaErrorMapBufferObjectFailed" c"mapping failed";
    206 c"cudaErrorUnmapBufferObjectFailed" c"unmapping failed";
    207 c"cudaErrorArrayIsMapped" c"the array is mapped";
    208 c"cudaErrorAlreadyMapped" c"the resource is mapped already";
    209 c"cudaErrorNoKernelImageForDevice" c"no kernel image is available for this device";
    210 c"cudaErrorAlreadyAcquired" c"the resource is acquired already";
    211 c"cudaErrorNotMapped" c"the resource is not mapped";
    212 c"cudaErrorNotMappedAsArray" c"the resource is not mapped as an array";
    213 c"cudaErrorNotMappedAsPointer" c"the resource is not mapped as a pointer";
    214 c"cudaErrorECCUncorrectable" c"an uncorrectable memory error";
    215 c"cudaErrorUnsupportedLimit" c"the device does not have this limit";
    216 c"cudaErrorDeviceAlreadyInUse" c"another thread uses the device";
    217 c"cudaErrorPeerAccessUnsupported" c"no access between these devices";
    218 c"cudaErrorInvalidPtx" c"the PTX could not be compiled";
    219 c"cudaErrorInvalidGraphicsContext" c"invalid graphics context";
    220 c"cudaErrorNvlinkUncorrectable" c"an uncorrectable error of NVLink";
    221 c"cudaErrorJitCompilerNotFound" c"the PTX compiler is not installed";
    222 c"cudaErrorUnsupportedPtxVersion" c"the PTX is newer than the driver";
    223 c"cudaErrorJitCompilationDisabled" c"compiling PTX is disabled";
    224 c"cudaErrorUnsupportedExecAffinity" c"the device does not have this execution affinity";
    225 c"cudaErrorUnsupportedDevSideSync" c"kernels cannot wait for kernels they launched";
    226 c"cudaErrorContained" c"a contained memory error";
    227 c"cudaErrorInsufficientLoaderVersion" c"the loader is too old";
    300 c"cudaErrorInvalidSource" c"the source is invalid";
    301 c"cudaErrorFileNotFound" c"file not found";
    302 c"cudaErrorSharedObjectSymbolNotFound" c"a symbol of a shared library was not found";
    303 c"cudaErrorSharedObjectInitFailed" c"a shared library failed to start";
    304 c"cudaErrorOperatingSystem" c"a call of the operating system failed";
    400 c"cudaErrorInvalidResourceHandle" c"invalid resource handle";
    401 c"cudaErrorIllegalState" c"something needed is not in a valid state";
    402 c"cudaErrorLossyQuery" c"the answer would lose information";
    500 c"cudaErrorSymbolNotFound" c"named symbol not found";
    600 c"cudaErrorNotReady" c"work submitted before is not finished";
    700 c"cudaErrorIllegalAddress" c"an illegal memory access was encountered";
    701 c"cudaErrorLaunchOutOfResources" c"too many resources requested for launch";
    702 c"cudaErrorLaunchTimeout" c"the kernel ran too long";
    703 c"cudaErrorLaunchIncompatibleTexturing" c"the kernel uses another kind of textures";
    704 c"cudaErrorPeerAccessAlreadyEnabled" c"peer access is already enabled";
    705 c"cudaErrorPeerAccessNotEnabled" c"peer access is not enabled";
    708 c"cudaErrorSetOnActiveProcess" c"the device is already in use";
    709 c"cudaErrorContextIsDestroyed" c"the current context was destroyed";
    710 c"cudaErrorAssert" c"device-side assert triggered";
    711 c"cudaErrorTooManyPeers" c"too many peers";
    712 c"cudaErrorHostMemoryAlreadyRegistered" c"the memory is registered already";
    713 c"cudaErrorHostMemoryNotRegistered" c"the memory is not registered";
    714 c"cudaErrorHardwareStackError" c"a kernel overran its call stack";
    715 c"cudaErrorIllegalInstruction" c"an illegal instruction was encountered";
    716 c"cudaErrorMisalignedAddress" c"misaligned address";
    717 c"cudaErrorInvalidAddressSpace" c"a kernel used an address of the wrong state space";
    718 c"cudaErrorInvalidPc" c"a kernel jumped to where there is no code";
    719 c"cudaErrorLaunchFailure" c"unspecified launch failure";
    720 c"cudaErrorCooperativeLaunchTooLarge" c"a cooperative launch has more blocks than can be resident at a time";
    721 c"cudaErrorTensorMemoryLeak" c"a kernel did not free tensor memory";
    800 c"cudaErrorNotPermitted" c"operation not permitted";
    801 c"cudaErrorNotSupported" c"operation not supported";
    802 c"cudaErrorSystemNotReady" c"the system is not ready for CUDA";
    803 c"cudaErrorSystemDriverMismatch" c"kernel driver and user library differ in version";
    804 c"cudaErrorCompatNotSupportedOnDevice" c"this device has no forward compatibility";
    805 c"cudaErrorMpsConnectionFailed" c"no connection with the MPS server";
    806 c"cudaErrorMpsRpcFailure" c"a call of the MPS server failed";
    807 c"cudaErrorMpsServerNotReady" c"the MPS server is not ready";
    808 c"cudaErrorMpsMaxClientsReached" c"the MPS server has too many clients";
    809 c"cudaErrorMpsMaxConnectionsReached" c"the MPS server has too many connections";
    810 c"cudaErrorMpsClientTerminated" c"the MPS server ended this client";
    811 c"cudaErrorCdpNotSupported" c"kernels cannot launch kernels here";
    812 c"cudaErrorCdpVersionMismatch" c"the program mixes versions of launches by kernels";
    900 c"cudaErrorStreamCaptureUnsupported" c"operation not permitted when stream is capturing";
    901 c"cudaErrorStreamCaptureInvalidated" c"an earlier error ended the capture";
    902 c"cudaErrorStreamCaptureMerge" c"two captures would be merged";
    903 c"cudaErrorStreamCaptureUnmatched" c"the capture did not begin on this stream";
    904 c"cudaErrorStreamCaptureUnjoined" c"the capture ends with streams that were not joined";
    905 c"cudaErrorStreamCaptureIsolation" c"a dependency would cross the border of the capture";
    906 c"cudaErrorStreamCaptureImplicit" c"the legacy default stream would depend on a capture";
    907 c"cudaErrorCapturedEvent" c"the event was last recorded in a capture";
    908 c"cudaErrorStreamCaptureWrongThread" c"another thread began the capture";
    909 c"cudaErrorTimeout" c"the wait took too long";
    910 c"cudaErrorGraphExecUpdateFailure" c"the graph cannot be updated so";
    911 c"cudaErrorExternalDevice" c"an external device failed";
    912 c"cudaErrorInvalidClusterSize" c"invalid cluster size";
    913 c"cudaErrorFunctionNotLoaded" c"the function is not loaded";
    914 c"cudaErrorInvalidResourceType" c"invalid type of resource";
    915 c"cudaErrorInvalidResourceConfiguration" c"invalid configuration of a resource";
    917 c"cudaErrorStreamDetached" c"the stream is detached";
    918 c"cudaErrorGraphRecaptureFailure" c"the graph could not be captured again";
    919 c"cudaErrorFabricNotReady" c"the fabric is not ready";
    999 c"cudaErrorUnknown" c"unknown error";
}

impl Error {
    pub const INVALID_VALUE: Error = Error(1);
    pub const INVALID_CONFIGURATION: Error = Error(9);
    pub const INVALID_PITCH: Error = Error(12);
    pub const INVALID_SYMBOL: Error = Error(13);
    pub const INVALID_DIRECTION: Error = Error(21);
    pub const INSUFFICIENT_DRIVER: Error = Error(35);
    pub const NEWER_DRIVER_NEEDED: Error = Error(36);
    pub const MISSING_CONFIGURATION: Error = Error(52);
    pub const INVALID_FUNCTION: Error = Error(98);
    pub const INVALID_DEVICE: Error = Error(101);
    pub const INVALID_HANDLE: Error = Error(400);
    pub const SYMBOL_NOT_FOUND: Error = Error(500);
    pub const NOT_SUPPORTED: Error = Error(801);
    pub const UNKNOWN: Error = Error(999);

    /// The result that a code of the driver or of the runtime stands for.
    pub fn check(code: c_int) -> Outcome {
        if code == 0 { Ok(()) } else { Err(Error(code)) }
    }

    /// The number, as in `driver_types.h`.
    pub fn code(self) -> c_int {
        self.0
    }

    /// Whether the context keeps the error for good: an earlier kernel failed.
    fn is_sticky(self) -> bool {
        matches!(self.0, 700 | 702 | 710 | 714..=719)
    }
}

thread_local! {
    /// The code of the thread's last error, 0 if none.
    static LAST: Cell<c_int> = const { Cell::new(0) };
}

/// Keeps an error for `cudaGetLastError`.
pub(crate) fn remember(error: Error) {
    LAST.set(error.0);
}

/// Forgets the thread's last error, also one that its context would keep: the device was reset.
pub(crate) fn forget() {
    LAST.set(0);
}

fn known(code: c_int) -> Option<&'static (c_int, &'static CStr, &'static CStr)> {
    KNOWN.binary_search_by_key(&code, |known| known.0).ok().map(|at| &KNOWN[at])
}

/// The thread's last error, which is forgotten unless its context keeps it.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGetLastError() -> c_int {
    let last = LAST.get();
    if !Error(last).is_sticky() {
        LAST.set(0);
    }
    last
}

/// The thread's last error.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaPeekAtLastError() -> c_int {
    LAST.get()
}

/// The name of an error, such as `cudaErrorInvalidValue`.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGetErrorName(error: c_int) -> *const c_char {
    known(error).map_or(c"unrecognized error code", |known| known.1).as_ptr()
}

/// What an error means.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGetErrorString(error: c_int) -> *const c_char {
    known(error).map_or(c"unrecognized error code", |known| known.2).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_errors_are_forgotten_unless_a_context_keeps_them() {
        assert!(KNOWN.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(known(720).unwrap().1, c"cudaErrorCooperativeLaunchTooLarge");
        assert!(known(11).is_none());
        // SAFETY: nothing is asked of the caller.
        let (peek, get) = unsafe { (|| cudaPeekAtLastError(), || cudaGetLastError()) };
        remember(Error::INVALID_VALUE);
        assert_eq!((peek(), get(), get()), (1, 1, 0));
        remember(Error(700));
        assert_eq!((get(), get()), (700, 700));
        forget();
        assert_eq!(get(), 0);
    }
}

//! The driver's result codes.

use std::{ffi::CStr, fmt};

/// A result of the driver that is not success (`CUresult`).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status(i32);

/// A known code, its name in `cuda.h` and its text.
struct KnownStatus {
    code: i32,
    name: &'static CStr,
    text: &'static CStr,
}

macro_rules! statuses {
    ($($name:ident $code:literal $symbol:literal $text:literal;)*) => {
        #[allow(missing_docs, reason = "the names are CUDA's")]
        impl Status { $(pub const $name: Status = Status($code);)* }

        const KNOWN: &[KnownStatus] = &[
            KnownStatus { code: 0, name: c"CUDA_SUCCESS", text: c"no error" },
            $(KnownStatus { code: $code, name: $symbol, text: $text }),*
        ];
    };
}

statuses! {
    INVALID_VALUE 1 c"CUDA_ERROR_INVALID_VALUE" c"an argument is out of range";
    OUT_OF_MEMORY 2 c"CUDA_ERROR_OUT_OF_MEMORY" c"not enough memory";
    NOT_INITIALIZED 3 c"CUDA_ERROR_NOT_INITIALIZED" c"the driver is not initialised";
    DEINITIALIZED 4 c"CUDA_ERROR_DEINITIALIZED" c"the driver is shutting down";
    STUB_LIBRARY 34 c"CUDA_ERROR_STUB_LIBRARY" c"the library is a stub for linking, not a driver";
    NO_DEVICE 100 c"CUDA_ERROR_NO_DEVICE" c"no device found";
    INVALID_DEVICE 101 c"CUDA_ERROR_INVALID_DEVICE" c"there is no such device";
    INVALID_IMAGE 200 c"CUDA_ERROR_INVALID_IMAGE" c"the image is not device code";
    INVALID_CONTEXT 201 c"CUDA_ERROR_INVALID_CONTEXT" c"no context is current, or it is invalid";
    MAP_FAILED 205 c"CUDA_ERROR_MAP_FAILED" c"mapping failed";
    NO_BINARY_FOR_GPU 209 c"CUDA_ERROR_NO_BINARY_FOR_GPU" c"the image has no code for this device";
    ECC_UNCORRECTABLE 214 c"CUDA_ERROR_ECC_UNCORRECTABLE" c"an uncorrectable memory error";
    UNSUPPORTED_LIMIT 215 c"CUDA_ERROR_UNSUPPORTED_LIMIT" c"the device does not have this limit";
    CONTEXT_ALREADY_IN_USE 216 c"CUDA_ERROR_CONTEXT_ALREADY_IN_USE" c"the context is in use by another thread";
    PEER_ACCESS_UNSUPPORTED 217 c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED" c"no access between these devices";
    INVALID_PTX 218 c"CUDA_ERROR_INVALID_PTX" c"the PTX could not be compiled";
    JIT_COMPILER_NOT_FOUND 221 c"CUDA_ERROR_JIT_COMPILER_NOT_FOUND" c"the PTX compiler is not installed";
    UNSUPPORTED_PTX_VERSION 222 c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION" c"the PTX is newer than the driver";
    INVALID_SOURCE 300 c"CUDA_ERROR_INVALID_SOURCE" c"the source is invalid";
    FILE_NOT_FOUND 301 c"CUDA_ERROR_FILE_NOT_FOUND" c"file not found";
    SHARED_OBJECT_INIT_FAILED 303 c"CUDA_ERROR_SHARED_OBJECT_INIT_FAILED" c"a shared library failed to start";
    OPERATING_SYSTEM 304 c"CUDA_ERROR_OPERATING_SYSTEM" c"a call of the operating system failed";
    INVALID_HANDLE 400 c"CUDA_ERROR_INVALID_HANDLE" c"the handle is stale or was never one";
    ILLEGAL_STATE 401 c"CUDA_ERROR_ILLEGAL_STATE" c"something needed is not in a valid state";
    NOT_FOUND 500 c"CUDA_ERROR_NOT_FOUND" c"the name was not found";
    NOT_READY 600 c"CUDA_ERROR_NOT_READY" c"work submitted before is not finished";
    ILLEGAL_ADDRESS 700 c"CUDA_ERROR_ILLEGAL_ADDRESS" c"a kernel accessed memory outside every allocation";
    LAUNCH_OUT_OF_RESOURCES 701 c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES" c"the launch needs more than a multiprocessor has";
    LAUNCH_TIMEOUT 702 c"CUDA_ERROR_LAUNCH_TIMEOUT" c"the kernel ran too long";
    PEER_ACCESS_ALREADY_ENABLED 704 c"CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED" c"peer access is already enabled";
    PEER_ACCESS_NOT_ENABLED 705 c"CUDA_ERROR_PEER_ACCESS_NOT_ENABLED" c"peer access is not enabled";
    PRIMARY_CONTEXT_ACTIVE 708 c"CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE" c"the primary context is already in use";
    CONTEXT_IS_DESTROYED 709 c"CUDA_ERROR_CONTEXT_IS_DESTROYED" c"the current context was destroyed";
    ASSERT 710 c"CUDA_ERROR_ASSERT" c"an assertion in a kernel failed";
    HOST_MEMORY_ALREADY_REGISTERED 712 c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED" c"the memory is registered already";
    HOST_MEMORY_NOT_REGISTERED 713 c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED" c"the memory is not registered";
    HARDWARE_STACK_ERROR 714 c"CUDA_ERROR_HARDWARE_STACK_ERROR" c"a kernel overran its call stack";
    ILLEGAL_INSTRUCTION 715 c"CUDA_ERROR_ILLEGAL_INSTRUCTION" c"a kernel executed an illegal instruction";
    MISALIGNED_ADDRESS 716 c"CUDA_ERROR_MISALIGNED_ADDRESS" c"a kernel accessed a misaligned address";
    INVALID_ADDRESS_SPACE 717 c"CUDA_ERROR_INVALID_ADDRESS_SPACE" c"a kernel used an address of the wrong state space";
    INVALID_PC 718 c"CUDA_ERROR_INVALID_PC" c"a kernel jumped to where there is no code";
    LAUNCH_FAILED 719 c"CUDA_ERROR_LAUNCH_FAILED" c"a kernel failed";
    COOPERATIVE_LAUNCH_TOO_LARGE 720 c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE" c"more blocks than can be resident at a time";
    NOT_PERMITTED 800 c"CUDA_ERROR_NOT_PERMITTED" c"the operation is not permitted";
    NOT_SUPPORTED 801 c"CUDA_ERROR_NOT_SUPPORTED" c"the operation is not supported here";
    SYSTEM_NOT_READY 802 c"CUDA_ERROR_SYSTEM_NOT_READY" c"the system is not ready for CUDA";
    SYSTEM_DRIVER_MISMATCH 803 c"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" c"kernel driver and user library differ in version";
    STREAM_CAPTURE_UNSUPPORTED 900 c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED" c"the operation is not permitted while a stream is captured";
    STREAM_CAPTURE_INVALIDATED 901 c"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED" c"an earlier error ended the capture";
    STREAM_CAPTURE_MERGE 902 c"CUDA_ERROR_STREAM_CAPTURE_MERGE" c"two captures would be merged";
    STREAM_CAPTURE_UNMATCHED 903 c"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED" c"the capture did not begin on this stream";
    STREAM_CAPTURE_UNJOINED 904 c"CUDA_ERROR_STREAM_CAPTURE_UNJOINED" c"the capture ends with streams that were not joined";
    STREAM_CAPTURE_ISOLATION 905 c"CUDA_ERROR_STREAM_CAPTURE_ISOLATION" c"a dependency would cross the border of the capture";
    STREAM_CAPTURE_IMPLICIT 906 c"CUDA_ERROR_STREAM_CAPTURE_IMPLICIT" c"the legacy default stream would depend on a capture";
    CAPTURED_EVENT 907 c"CUDA_ERROR_CAPTURED_EVENT" c"the event was last recorded in a capture";
    STREAM_CAPTURE_WRONG_THREAD 908 c"CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD" c"another thread began the capture";
    GRAPH_EXEC_UPDATE_FAILURE 910 c"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE" c"the graph differs too much from the one that is updated";
    UNKNOWN 999 c"CUDA_ERROR_UNKNOWN" c"an unknown error";
}

impl Status {
    /// The status of a result code; `Ok` for success.
    ///
    /// # Errors
    ///
    /// Every code but 0.
    pub fn check(code: i32) -> Result<(), Status> {
        if code == 0 { Ok(()) } else { Err(Status(code)) }
    }

    /// The number, as in `cuda.h`.
    pub const fn code(self) -> i32 {
        self.0
    }

    /// The name in `cuda.h`, such as `CUDA_ERROR_OUT_OF_MEMORY`; `CUDA_ERROR_UNKNOWN` for codes not listed.
    pub fn name(self) -> &'static str {
        let name = known(self.0).map_or(c"CUDA_ERROR_UNKNOWN", |known| known.name);
        name.to_str().expect("names are ASCII")
    }

    /// Whether the status reports an earlier kernel's failure, which the context keeps for good.
    pub fn is_sticky(self) -> bool {
        matches!(self.0, 700 | 702 | 710 | 714..=719)
    }
}

fn known(code: i32) -> Option<&'static KnownStatus> {
    KNOWN.iter().find(|known| known.code == code)
}

/// Name and description of a code, success included, as C strings.
pub(crate) fn strings(code: i32) -> Option<(&'static CStr, &'static CStr)> {
    known(code).map(|known| (known.name, known.text))
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match known(self.0) {
            Some(known) => {
                let text = known.text.to_str().expect("texts are ASCII");
                write!(f, "{} ({}): {text}", self.name(), self.0)
            }
            None => write!(f, "CUDA error {}", self.0),
        }
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.0)
    }
}

impl std::error::Error for Status {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_described() {
        for pair in KNOWN.windows(2) {
            assert!(pair[0].code < pair[1].code, "{} follows {}", pair[1].code, pair[0].code);
        }
        assert_eq!(
            Status::MISALIGNED_ADDRESS.to_string(),
            "CUDA_ERROR_MISALIGNED_ADDRESS (716): a kernel accessed a misaligned address"
        );
        assert_eq!(Status::check(4711).unwrap_err().to_string(), "CUDA error 4711");
        assert_eq!(Status::check(0), Ok(()));
    }
}

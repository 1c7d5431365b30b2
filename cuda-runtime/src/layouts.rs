//! Structures of the interface and of the driver, with the layouts that `driver_types.h` and `cuda.h` give them.

use std::ffi::{c_int, c_void};

/// A driver's handle; what it stands for is the driver's.
pub(crate) type Handle = usize;

/// An address of the device, or of the host where both share one.
pub(crate) type Address = u64;

/// A stream (`cudaStream_t`): a driver's handle, or the number of a default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Stream(pub(crate) usize);

impl Stream {
    /// What programs mean by 0 unless they are compiled for per-thread default streams.
    pub(crate) const DEFAULT: Stream = Stream(0);
    /// The default stream of the calling thread.
    pub(crate) const PER_THREAD: Stream = Stream(2);
}

/// Sizes of a grid or block (`dim3`).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) z: u32,
}

/// `cudaPitchedPtr`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PitchedPointer {
    pub(crate) pointer: *mut c_void,
    pub(crate) pitch: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// `cudaExtent`: the width is in bytes where no array is involved.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
}

/// `cudaPos`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) z: usize,
}

/// `cudaMemcpy3DParms`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Copy3D {
    pub(crate) source_array: Handle,
    pub(crate) source_position: Position,
    pub(crate) source: PitchedPointer,
    pub(crate) target_array: Handle,
    pub(crate) target_position: Position,
    pub(crate) target: PitchedPointer,
    pub(crate) extent: Extent,
    pub(crate) kind: c_int,
}

/// `cudaMemcpy3DPeerParms`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PeerCopy3D {
    pub(crate) source_array: Handle,
    pub(crate) source_position: Position,
    pub(crate) source: PitchedPointer,
    pub(crate) source_device: c_int,
    pub(crate) target_array: Handle,
    pub(crate) target_position: Position,
    pub(crate) target: PitchedPointer,
    pub(crate) target_device: c_int,
    pub(crate) extent: Extent,
}

/// `cudaMemLocation`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Location {
    pub(crate) kind: c_int,
    pub(crate) id: c_int,
}

/// `cudaLaunchConfig_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    pub(crate) grid: Dimensions,
    pub(crate) block: Dimensions,
    pub(crate) dynamic_shared: usize,
    pub(crate) stream: Stream,
    pub(crate) attributes: *const c_void,
    pub(crate) count: u32,
}

/// `CUlaunchConfig`. Its attributes have the layout of the runtime's.
#[repr(C)]
pub(crate) struct DriverLaunch {
    pub grid: Dimensions,
    pub block: Dimensions,
    pub dynamic_shared: u32,
    pub stream: Stream,
    pub attributes: *const c_void,
    pub count: u32,
}

/// `cudaPointerAttributes` without what later versions may use.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PointerAttributes {
    pub(crate) kind: c_int,
    pub(crate) device: c_int,
    pub(crate) device_pointer: *mut c_void,
    pub(crate) host_pointer: *mut c_void,
}

/// `cudaFuncAttributes`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FunctionAttributes {
    pub(crate) static_shared: usize,
    pub(crate) constant: usize,
    pub(crate) local: usize,
    pub(crate) max_threads: c_int,
    pub(crate) registers: c_int,
    pub(crate) ptx_version: c_int,
    pub(crate) binary_version: c_int,
    pub(crate) caches_globals: c_int,
    pub(crate) max_dynamic_shared: c_int,
    pub(crate) carveout: c_int,
    pub(crate) needs_cluster: c_int,
    pub(crate) cluster: [c_int; 3],
    pub(crate) cluster_policy: c_int,
    pub(crate) non_portable_cluster: c_int,
    pub(crate) reserved: [c_int; 16],
}

/// One side of a copy of the driver: memory of the host (1), of the device (2) or of either (4).
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct DriverSide2D {
    pub x: usize,
    pub y: usize,
    pub kind: c_int,
    pub host: *mut c_void,
    pub device: u64,
    pub array: Handle,
    pub pitch: usize,
}

/// `CUDA_MEMCPY2D`.
#[repr(C)]
pub(crate) struct DriverCopy2D {
    pub source: DriverSide2D,
    pub target: DriverSide2D,
    pub width: usize,
    pub height: usize,
}

/// One side of a copy in three dimensions, as [`DriverSide2D`].
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct DriverSide3D {
    pub x: usize,
    pub y: usize,
    pub z: usize,
    pub level: usize,
    pub kind: c_int,
    pub host: *mut c_void,
    pub device: u64,
    pub array: Handle,
    pub reserved: usize,
    pub pitch: usize,
    pub height: usize,
}

/// `CUDA_MEMCPY3D`.
#[repr(C)]
pub(crate) struct DriverCopy3D {
    pub source: DriverSide3D,
    pub target: DriverSide3D,
    pub width: usize,
    pub height: usize,
    pub depth: usize,
}

/// `cudaKernelNodeParams`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct KernelNode {
    pub(crate) function: *const c_void,
    pub(crate) grid: Dimensions,
    pub(crate) block: Dimensions,
    pub(crate) dynamic_shared: u32,
    pub(crate) parameters: *mut *mut c_void,
    pub(crate) extra: *mut *mut c_void,
}

/// `CUDA_KERNEL_NODE_PARAMS`.
#[repr(C)]
pub(crate) struct DriverKernelNode {
    pub function: Handle,
    pub grid: Dimensions,
    pub block: Dimensions,
    pub dynamic_shared: u32,
    pub parameters: *mut *mut c_void,
    pub extra: *mut *mut c_void,
    pub kernel: Handle,
    pub context: Handle,
}

impl DriverKernelNode {
    /// No kernel.
    pub const EMPTY: DriverKernelNode = DriverKernelNode {
        function: 0,
        grid: Dimensions { x: 0, y: 0, z: 0 },
        block: Dimensions { x: 0, y: 0, z: 0 },
        dynamic_shared: 0,
        parameters: std::ptr::null_mut(),
        extra: std::ptr::null_mut(),
        kernel: 0,
        context: 0,
    };
}

/// `cudaMemsetParams`, which is the driver's.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MemsetNode {
    pub(crate) target: *mut c_void,
    pub(crate) pitch: usize,
    pub(crate) value: u32,
    pub(crate) element_bytes: u32,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// `cudaHostNodeParams`, which is the driver's.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HostNode {
    pub(crate) function: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(crate) data: *mut c_void,
}

//! The CUDA runtime API (`libcudart.so`) over a driver library, which may be the emulated one.
//!
//! Programs that launch kernels by `<<<…>>>` and call `cudaMalloc` and its like are linked with this library instead
//! of NVIDIA's, which needs undocumented parts of NVIDIA's driver. It calls documented functions of the driver only, so
//! that it works on whatever the dynamic linker finds as `libcuda.so.1`.
//!
//! The functions have the names, arguments and error codes of NVIDIA's library in version 12 and 13 (`version`).
//! What is missing is rejected by name (`unsupported`).
//!
//! # Files
//!
//! Each file uses only files above it in this list:
//!
//! | file | what is in it |
//! |---|---|
//! | `error` | codes, names and texts of errors; each thread's last error |
//! | `layouts` | structures of the interface and of the driver |
//! | `calls` | how functions of the interface are defined |
//! | `driver` | the driver library and its functions |
//! | `version` | the version of CUDA whose interface the library has |
//! | `context` | the device and the context of each thread |
//! | `registry` | images, kernels and variables that programs register when they start |
//! | `unsupported` | functions that are missing |
//! | `file` | the library's file under the names of both versions |
//! | `device`, `memory`, `copy`, `stream`, `launch`, `library`, `graph` | the functions of the interface, by concern |

mod calls;
mod context;
mod copy;
mod device;
mod driver;
mod error;
pub mod file;
mod graph;
mod launch;
mod layouts;
mod library;
mod memory;
mod registry;
mod stream;
mod unsupported;
mod version;

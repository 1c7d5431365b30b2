//! The CUDA runtime API (`libcudart.so`) over a driver library, which may be the emulated one.

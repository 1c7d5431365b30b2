//! `libwarpfold_mpi.so`: reductions of arrays for programs in C, C++ and Fortran, alone and as jobs of MPI.
//!
//! `include/warpfold_mpi.h` says what each function does; `include/warpfold_mpi.f90` declares them for Fortran. Communicators come as
//! Fortran's handles, integers in all implementations: the header's inline functions convert those of C. So the library links no MPI,
//! and takes the one that the program has.
//!
//! # Files
//!
//! Each file uses only files above it in this list:
//!
//! | file | what is in it |
//! |---|---|
//! | `error` | results of functions, and the text of the last error |
//! | `kernels` | types and operators by number; the devices and their compiled reductions |
//! | `partial` | partial results |
//! | `job` | what the processes of a job do together |

mod error;
mod job;
mod kernels;
mod partial;

//! The source of the device runtime. The build script makes the lists from the folder.

include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The named constants of Fortran's OpenMP modules, as LLVM IR: a member of its own in the OpenMP library.
pub const FORTRAN_CONSTANTS: &str = include_str!("../../fortran/omp_lib.ll");

/// Functions that the OpenMP library for whole programs has instead of moves, as LLVM IR: a member of its own, too.
pub const FIRST_ITERATION: &str = include_str!("../../whole_program/first_iteration.ll");

//! The C face: one thin function per symbol of the export table; nothing is decided here.
//! The contracts are those of the functions called.
//!
//! `reduce` has the names that are ours, `legacy` those of what ours replace; the others are those that clang and flang call, in the
//! groups of LLVM's own runtime.

mod alloc;
mod c;
mod dispatch;
mod hardware;
mod kernel;
mod legacy;
mod lock;
mod loops;
mod ompx;
mod parallel;
mod query;
mod reduce;
mod reduction;
mod sharing;
mod sync;
mod tasking;
mod worksharing;

/// Where in the source a construct stands; the runtime does not look at it.
type Ident = *const core::ffi::c_void;

/// Does nothing, and is not inlined. ptxas leaves the PTX in the cubin if a single line directive
/// is in it; this function, kept, brings one where everything else of the runtime was inlined. Weak,
/// because every translation unit keeps it, and a program has one of them.
#[unsafe(no_mangle)]
#[linkage = "weak"]
#[inline(never)]
pub extern "C" fn __warpfold_anchor() {}

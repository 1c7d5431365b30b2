//! The C face: one thin function per symbol of the export table; nothing is decided here.
//! The contracts are those of the functions called.

mod reduce;

/// Does nothing, and is not inlined. ptxas leaves the PTX in the cubin if a single line directive
/// is in it; this function, kept, brings one where everything else of the runtime was inlined.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __warpfold_anchor() {}

//! Linker options of the shared library.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The name that programs look for which link with it.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libwarpfold_mpi.so");
    // Destructors that run at exit may still be inside when a program closes the library.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
